//! The definition files that come with the tool.

/// The text of a built-in definition file, found when no file of that name is on the search path.
pub fn definition_file(_name: &str) -> Option<&'static str> {
    None
}

/// The built-in definition files.
pub fn names() -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}

/// A function of the host.
#[derive(Debug)]
pub struct External {}

/// What is known about a function of the host.
pub fn external(_name: &str) -> Option<&'static External> {
    None
}
