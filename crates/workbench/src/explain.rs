//! Finds the long text of a diagnostic code.

use base::{Code, near};

use crate::codes;

/// There is no code of that name.
#[derive(Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The code that was probably meant.
    pub near: Option<&'static str>,
}

/// The code with this id, in any letter case.
pub fn explain(id: &str) -> Result<&'static Code, Unknown> {
    codes::all()
        .find(|code| code.id.eq_ignore_ascii_case(id))
        .ok_or_else(|| Unknown {
            near: near::nearest(id, codes::all().map(|code| code.id)),
        })
}

#[cfg(test)]
mod tests {
    use super::{Unknown, explain};

    #[test]
    fn codes_are_found_in_any_case() {
        assert_eq!(explain("w0001").map(|code| code.id), Ok("W0001"));
    }

    #[test]
    fn an_unknown_code_has_a_near_match() {
        assert_eq!(
            explain("WO001"),
            Err(Unknown {
                near: Some("W0001")
            })
        );
        assert_eq!(explain("nonsense"), Err(Unknown { near: None }));
    }
}
