//! What was proved of conjuncts without looking at states: the part of the report about induction.

use serde::Serialize;
use subject::Kept;

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
    /// What shows it, where that was asked for (`--proofs`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proofs: Option<Proofs>,
    /// An event that may break it, as far as is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perhaps_broken_by: Option<String>,
}

/// How it was shown that events keep a conjunct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Proofs {
    /// Questions.
    pub questions: usize,
    /// Of these, how many have clauses and a proof in the format DRAT.
    pub drat: usize,
}

impl Proofs {
    /// Those of a label; none where none were asked for.
    pub(crate) fn of(label: usize, kept: &[Kept]) -> Option<Proofs> {
        let own = kept.iter().filter(|one| one.label == label);
        let questions: Vec<_> = own.flat_map(|one| &one.questions).collect();
        (!kept.is_empty()).then(|| Proofs {
            questions: questions.len(),
            drat: questions.iter().filter(|one| one.is_some()).count(),
        })
    }
}

impl Induction {
    /// How many conjuncts are proved.
    pub fn proved(&self) -> usize {
        self.conjuncts.iter().filter(|c| c.is_proved).count()
    }

    /// What was shown with proofs that others can check.
    pub fn proofs(&self) -> Option<Proofs> {
        let all = self.conjuncts.iter().filter_map(|conjunct| conjunct.proofs);
        all.reduce(|all, one| Proofs {
            questions: all.questions + one.questions,
            drat: all.drat + one.drat,
        })
    }
}
