//! Where a run stops: at events, with conditions, and at what is wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// A breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The event.
    pub(crate) event: String,
    /// A predicate about the state behind the event.
    pub(crate) condition: Option<String>,
}

/// The kinds of what is wrong, with what an editor shows of them.
pub(crate) const FILTERS: &[(&str, &str)] = &[
    ("wrong", "A property does not hold"),
    ("deadlock", "Nothing can happen"),
];

/// All breakpoints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stops {
    /// Those at lines, by file.
    pub(crate) lines: BTreeMap<PathBuf, Vec<Stop>>,
    /// Those at names.
    pub(crate) names: Vec<Stop>,
    /// The kinds of what is wrong that stop a run.
    pub(crate) filters: Vec<String>,
}

impl Stops {
    /// Whether a run stops at a kind of what is wrong.
    pub(crate) fn filters(&self, filter: &str) -> bool {
        self.filters.iter().any(|known| known == filter)
    }

    /// The conditions under which a run stops at an event; `None` is none.
    pub(crate) fn at(&self, event: &str) -> Vec<Option<String>> {
        let all = self.lines.values().flatten().chain(&self.names);
        let here = all.filter(|stop| stop.event == event);
        here.map(|stop| stop.condition.clone()).collect()
    }
}
