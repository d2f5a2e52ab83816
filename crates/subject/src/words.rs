//! What people who write in a language call its things, for messages and reports.

/// What the things of a language are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Something that can happen: an event, operation, rule or statement.
    pub event: &'static str,
    /// Several of them.
    pub events: &'static str,
    /// What a reduction chooses from: something that can happen, or one instance of it.
    pub choice: &'static str,
    /// Whatever is listed with the number of its steps.
    pub listed: &'static str,
    /// The sets whose elements may be interchangeable.
    pub sets: &'static str,
}

impl Default for Words {
    fn default() -> Words {
        Words {
            event: "event",
            events: "events",
            choice: "event",
            listed: "events",
            sets: "interchangeable elements",
        }
    }
}
