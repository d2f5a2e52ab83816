//! Formulas of the model that nobody asked for: checked within bounds, and told as not checked where these do not suffice.
//!
//! Bounds are counted in states, so that an answer does not depend on the machine. They follow the search of the other checks:
//! the formulas are about the same states, unless a reduction or a diagram left most of them out.
//! Invariant: a formula that was tried has an answer in the report or a line in `not_checked`; it leaves no verdict open because
//! a bound was reached.

use search::explicit::Open;
use search::liveness;
use subject::OwnFormulas;

use crate::check::facts::Facts;
use crate::choice::Engine;
use crate::plan::Options;
use crate::report::{FormulaReport, Verdict, grouped};

/// So many states are looked at however few the other checks met: they may have ended early with a finding.
const FEWEST: u64 = 50_000;
/// So many states are looked at for each one that the other checks met, which may stand for others.
const FACTOR: u64 = 4;
/// More states than this are looked at only where the other checks visited them one by one.
const MOST_UNSEEN: u64 = 1_000_000;

/// How many states the search for the model's own formulas may visit.
pub(crate) fn most_states(options: &Options, facts: &Facts) -> Option<u64> {
    if options.own_formulas != OwnFormulas::Tried {
        return options.max_states;
    }
    let met = facts.statistics.states.saturating();
    let most = met.saturating_mul(FACTOR).max(FEWEST);
    // Diagrams have no states one by one, and those of many processes need not fit into one.
    let is_unseen = facts.statistics.symbolic.is_some() || options.engine == Engine::Distributed;
    let most = match is_unseen {
        true => most.min(MOST_UNSEEN),
        false => most,
    };
    Some(options.max_states.map_or(most, |given| given.min(most)))
}

/// Why a formula was not decided, when a bound is all that kept it from being.
pub(super) fn undecided(verdict: &liveness::Verdict, options: &Options) -> Option<String> {
    let why = match verdict {
        liveness::Verdict::Open(why) => why,
        liveness::Verdict::TooLarge(why) | liveness::Verdict::Refused(why) => {
            return Some(why.clone());
        }
        _ => return None,
    };
    let mut lines = Vec::new();
    for open in why {
        lines.push(match open {
            Open::MaxStates => {
                let states = grouped(options.max_states.unwrap_or_default());
                format!("not decided within {states} states")
            }
            Open::MaxTime => "not decided within the limit on time".to_owned(),
            Open::MaxMemory => "not decided within the limit on memory".to_owned(),
            _ => return None,
        });
    }
    (!lines.is_empty()).then(|| lines.join("; "))
}

/// Tells that a formula was not decided.
pub(super) fn leave(why: String, told: &mut FormulaReport, facts: &mut Facts) {
    facts.not_checked.push(format!("{}: {why}", told.heading()));
    told.verdict = Verdict::Open;
    told.because = Some(why);
}
