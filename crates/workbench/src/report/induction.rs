//! What was proved of conjuncts without looking at states: the part of the report about induction.

use serde::Serialize;

/// What is known of the conjuncts.
#[derive(Clone, Debug, Serialize)]
pub struct Induction {
    /// Whether nothing else was needed: only initial states were looked at.
    pub decides: bool,
    /// Questions that the solver was asked.
    pub asked: u64,
    /// Of these, how many it did not answer.
    pub unanswered: u64,
    /// The conjuncts of the invariant and the assertions, in their order.
    pub conjuncts: Vec<Inductive>,
}

/// What is known of a conjunct.
#[derive(Clone, Debug, Serialize)]
pub struct Inductive {
    /// Its label, or the beginning of its text.
    pub name: String,
    /// Whether every event keeps it from a state in which all conjuncts hold.
    pub is_proved: bool,
    /// Events that write nothing that it reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub untouched_by: Vec<String>,
    /// Events about which the solver showed it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept_by: Vec<String>,
    /// An event that may break it, as far as is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perhaps_broken_by: Option<String>,
}

impl Induction {
    /// How many conjuncts are proved.
    pub fn proved(&self) -> usize {
        self.conjuncts.iter().filter(|c| c.is_proved).count()
    }
}
