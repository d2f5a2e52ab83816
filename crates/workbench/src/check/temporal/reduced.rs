//! Decides whether formulas may be checked on a reduced state space.
//!
//! Symmetry: a permutation of interchangeable elements maps paths to paths and keeps every atom that does not tell the
//! elements apart (Leuschel and Massart 2010, section 5; Clarke, Enders, Filkorn and Jha 1996). An element that an atom
//! names is fixed. What compares elements in a state with elements in the next one is not kept: a
//! representative of the next state is another state. Fairness of single instances of events, and of processes, is followed along the permutations of steps. What is possible is asked of the whole model where that matters (`sink`).
//! Invariant: `auto` reduces only where a trial shows that it pays, and never refuses.

use base::Diagnostic;
use reduce::symmetry::Method;
use subject::symmetry::Symmetry as Known;

use super::atoms::Asks;
use super::{Formulas, Prepared};
use crate::check::facts::Facts;
use crate::check::run::Run;
use crate::check::{Ended, symmetry};
use crate::choice::{Order, Symmetry};
use crate::codes;
use crate::plan::Options;

/// A reduction that every atom allows.
pub(super) struct Reduced {
    /// How representatives are found.
    pub(super) method: Method,
    /// The interchangeable elements.
    pub(super) known: Known,
    /// Whether a trial decides if it pays.
    pub(super) is_trial: bool,
}

/// Which reduction is used; `None` when every state is looked at.
pub(super) fn decide(
    run: &Run<'_>,
    formulas: &Formulas,
    facts: &mut Facts,
) -> Result<Option<Reduced>, Ended> {
    let options = run.options;
    let method = match options.symmetry {
        Symmetry::Off => return Ok(None),
        Symmetry::Static => {
            return Err(refused(
                "--symmetry static: it drops set-ups that temporal formulas may tell apart",
            ));
        }
        Symmetry::Flood => Method::Flood {
            budget: options.max_memory.unwrap_or(symmetry::FLOOD_BYTES),
        },
        Symmetry::Canonical => Method::Canonical,
        Symmetry::Exact | Symmetry::Auto | Symmetry::Adaptive => Method::Exact,
        Symmetry::Sorted => Method::Sorted {
            limit: options.permutations,
        },
        Symmetry::Markers => Method::Markers {
            imprecise: Vec::new(),
        },
        symmetry => {
            let why = "temporal formulas are checked with exact or canonical";
            return Err(refused(&format!("--symmetry {}: {why}", symmetry.word())));
        }
    };
    let is_auto = options.symmetry == Symmetry::Auto;
    let mut known = run.subject.symmetry(&formulas.atoms.questions);
    symmetry::refuse_claims(&mut known)?;
    let obstacle = match known.is_useful() {
        false => {
            let told = "the model or its formulas tell all elements apart".to_owned();
            tell_off(is_auto, told, options, facts);
            return Ok(None);
        }
        true => obstacle(run, formulas, &known),
    };
    match obstacle {
        Some(why) if is_auto => {
            tell_off(is_auto, why, options, facts);
            Ok(None)
        }
        Some(why) => Err(refused(&format!(
            "--symmetry {}: {why}",
            options.symmetry.word()
        ))),
        None => {
            if Formulas::are_alone(options) {
                let told = &mut facts.symmetry;
                let alike = known.sets.iter().filter(|set| set.interchangeable > 0);
                told.sorts = alike
                    .map(|set| (set.name.clone(), set.interchangeable))
                    .collect();
                told.precise = Some(options.symmetry != Symmetry::Sorted);
            }
            Ok(Some(Reduced {
                method,
                known,
                is_trial: is_auto,
            }))
        }
    }
}

/// Says why nothing is reduced.
fn tell_off(is_auto: bool, why: String, options: &Options, facts: &mut Facts) {
    if Formulas::are_alone(options) {
        let told = &mut facts.symmetry;
        told.because = Some(why);
        if is_auto {
            told.method = Symmetry::Off;
        }
    }
}

const ELEMENTS: &str = "it compares elements before a step with elements after it";

/// What keeps formulas from being checked on representatives.
pub(super) fn obstacle(run: &Run<'_>, formulas: &Formulas, known: &Known) -> Option<String> {
    if run.options.symmetry == Symmetry::Markers
        && let Some(why) = symmetry::imprecision(run, known)
    {
        return Some(format!(
            "markers are imprecise here, so a loop may be none: {why}"
        ));
    }
    for atom in &formulas.atoms.atoms {
        let (Asks::BeforeAfter(question, _) | Asks::Change(question, ..)) = &atom.asks else {
            continue;
        };
        if known.moved.contains(question) {
            return Some(format!("{} is not kept: {ELEMENTS}", atom.text));
        }
    }
    if !formulas.follow_steps(run.options) {
        return None;
    }
    // Instances and actors are followed along the permutations of representatives.
    if run.options.search == Order::Dfs {
        return Some("--search dfs follows nobody along permutations".to_owned());
    }
    let is_exact = matches!(
        run.options.symmetry,
        Symmetry::Exact | Symmetry::Auto | Symmetry::Adaptive
    );
    (!is_exact).then(|| format!("{}: only exact follows them {ALONG}", about(formulas)))
}

const ALONG: &str = "along the permutations of representatives";

/// What is to be followed.
fn about(formulas: &Formulas) -> &'static str {
    match formulas.formulas.iter().any(Prepared::needs_labels) {
        true => "WEF and SEF are about single instances of events",
        false => "--fair: it is about single processes",
    }
}

/// Nobody knows where permutations take steps: refused where it was asked for, else nothing is reduced.
pub(super) fn not_followed(run: &Run<'_>, facts: &mut Facts) -> Result<(), Ended> {
    let options = run.options;
    let why =
        format!("it is not known where permutations take steps, and fairness follows them {ALONG}");
    match options.symmetry {
        Symmetry::Auto => {
            tell_off(true, why, options, facts);
            Ok(())
        }
        symmetry => Err(refused(&format!("--symmetry {}: {why}", symmetry.word()))),
    }
}

fn refused(message: &str) -> Ended {
    Diagnostic::global(&codes::MISFIT_OPTION, message).into()
}
