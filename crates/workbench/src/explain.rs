//! Finds the long text of a diagnostic code.

use base::{Code, near};
use subject::Languages;

use crate::codes;

/// There is no code of that name.
#[derive(Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The code that was probably meant.
    pub near: Option<&'static str>,
}

/// The code with this id, in any letter case.
pub fn explain(languages: &Languages, id: &str) -> Result<&'static Code, Unknown> {
    let all = codes::all(languages);
    let mut codes = all.iter();
    let found = codes.find(|code| code.id.eq_ignore_ascii_case(id));
    found.copied().ok_or_else(|| Unknown {
        near: near::nearest(id, all.iter().map(|code| code.id)),
    })
}

#[cfg(test)]
mod tests {
    use subject::Languages;

    use super::{Unknown, explain};

    const NONE: Languages = Languages {
        read: &[],
        known: &[],
    };

    #[test]
    fn codes_are_found_in_any_case() {
        assert_eq!(explain(&NONE, "w0001").map(|code| code.id), Ok("W0001"));
    }

    #[test]
    fn an_unknown_code_has_a_near_match() {
        assert_eq!(
            explain(&NONE, "WO001"),
            Err(Unknown {
                near: Some("W0001")
            })
        );
        assert_eq!(explain(&NONE, "nonsense"), Err(Unknown { near: None }));
    }
}
