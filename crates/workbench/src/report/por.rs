//! What partial order reduction did, as data of the report.

use serde::{Serialize, Serializer};

use crate::choice::Por;

/// What was done about the order of independent steps.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PorReduction {
    /// Which method.
    #[serde(serialize_with = "word")]
    pub method: Por,
    /// Why, when the program chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// How independence was decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependence: Option<&'static str>,
    /// Questions that the solver was asked about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<u64>,
    /// Of these, how many it did not answer; they count as the worse answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<u64>,
    /// Events, or instances of them, between which there are relations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<usize>,
    /// How full the relations are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub densities: Option<Densities>,
    /// How many of them a checked predicate can see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible: Option<usize>,
    /// Whether cycles need a state that is expanded in full: more than deadlocks is looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proviso: Option<bool>,
    /// States of which some steps were left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced_states: Option<u64>,
    /// States that were expanded in full because of the proviso only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forced_states: Option<u64>,
    /// Steps taken in a reduced state, on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_size: Option<f64>,
    /// Steps that there are in a reduced state, on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_enabled: Option<f64>,
    /// The part of the time that choosing took, estimated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_share: Option<f64>,
    /// The predicates that keep most steps from being left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub culprits: Vec<String>,
}

/// The part of all pairs of different events that is related.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Densities {
    /// Not known to be independent.
    pub dependent: f64,
    /// The first may enable the second.
    pub can_enable: f64,
    /// The first may disable the second.
    pub can_disable: f64,
    /// May happen in one state.
    pub together: f64,
}

fn word<S: Serializer>(method: &Por, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(method.word())
}
