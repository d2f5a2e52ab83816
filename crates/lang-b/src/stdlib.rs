//! The definition files that come with the tool.

/// The text of a built-in definition file, found when no file of that name is on the search path.
pub fn definition_file(_name: &str) -> Option<&'static str> {
    None
}
