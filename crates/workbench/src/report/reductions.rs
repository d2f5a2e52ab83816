//! What was done to look at fewer states, as the report tells it.

use serde::{Serialize, Serializer};

use super::{Induction, PorReduction, count};
use crate::choice::Symmetry;

/// What was done to look at fewer states.
#[derive(Clone, Debug, Serialize)]
pub struct Reductions {
    /// Symmetry.
    pub symmetry: SymmetryReduction,
    /// Partial order.
    pub por: PorReduction,
    /// How steps of processes were merged, where the language has that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merging: Option<&'static str>,
    /// Which conjuncts need not be looked at in every state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub induction: Option<Induction>,
}

/// What was done about interchangeable elements.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SymmetryReduction {
    /// Which method.
    #[serde(serialize_with = "symmetry_word")]
    pub method: Symmetry,
    /// The sets with interchangeable elements, and how many of them.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "pairs")]
    pub sorts: Vec<(String, usize)>,
    /// Whether one state stands for exactly one orbit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precise: Option<bool>,
    /// Why this method, or why it is precise or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// The states that the representatives stand for: the sum of the sizes of their orbits.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "wide")]
    pub states: Option<u128>,
    /// The same for set-ups.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "wide")]
    pub setups: Option<u128>,
    /// In a run that a limit ended: the states that those stand for whose steps were all taken.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "wide")]
    pub states_at_least: Option<u128>,
    /// Vectors that flooding remembers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flooded: Option<u64>,
    /// The part of the time that the reduction took, estimated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_share: Option<f64>,
}

fn wide<S: Serializer>(value: &Option<u128>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => match u64::try_from(*value) {
            Ok(value) => count(&value, serializer),
            Err(_) => serializer.serialize_str(&value.to_string()),
        },
        None => serializer.serialize_none(),
    }
}

fn symmetry_word<S: Serializer>(method: &Symmetry, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(method.word())
}

fn pairs<S: Serializer>(pairs: &[(String, usize)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(key, value)| (key, value)))
}
