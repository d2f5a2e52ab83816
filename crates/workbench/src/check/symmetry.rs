//! Decides which symmetry a run makes use of, and says what that proves.
//!
//! Flooding, canonical and exact are exact; markers are where proposition 2 holds for the type of every constant
//! and variable, and otherwise end open when nothing was found. A goal that names an element fixes it.
//! Invariant: the path of a finding is unfolded to the unreduced model before anybody sees it.

use pins::System;
use reduce::symmetry::{Measure, Method, Quotient, Strategy, Yield, unfold};
use search::explicit::{self, Checks, Config, Limits, Monitor, Open, Outcome};
use search::symbolic::Representatives;
use subject::Ground;
use subject::symmetry::{Precision, Statics, Symmetry as Known};

use base::{Diagnostic, Diagnostics};

use super::Ended;
use super::facts::Facts;
use super::run::Run;
use crate::analyse::SortReport;
use crate::choice::Symmetry;
use crate::codes;
use crate::report::{SymmetryReduction, counted, grouped};

/// What a run does about symmetry.
#[derive(Debug)]
pub(super) struct Decided {
    /// What is known of interchangeable elements.
    pub(super) known: Known,
    /// What is done.
    pub(super) action: Action,
    /// Why markers are imprecise; then the run is level by level, and open when nothing is found.
    pub(super) imprecise: Option<String>,
}

/// What is done with interchangeable elements.
#[derive(Debug)]
pub(super) enum Action {
    /// Nothing.
    Off,
    /// One state for each orbit.
    Quotient(Method),
    /// One state for each orbit if a trial shows that it pays.
    Trial,
    /// Columns are sorted in diagrams.
    Columns(Representatives),
    /// Elements in one local state are counted.
    Counters,
    /// Fewer set-ups, by these rules; whether ProB counts the set-up at all.
    Static(Statics),
}

/// Below so many choices a sample says nothing about the time.
const ENOUGH: u64 = 6_400;
/// A trial looks at so many states and set-ups.
const TRIAL_STATES: u64 = 200;
/// See [`TRIAL_STATES`].
const TRIAL_SETUPS: u64 = 32;
/// What flooding may need when there is no limit: 4 GB.
pub(super) const FLOOD_BYTES: u64 = 4 << 30;

impl Decided {
    /// Nothing is done.
    pub(super) fn off() -> Decided {
        Decided {
            known: Known::none(),
            action: Action::Off,
            imprecise: None,
        }
    }

    /// The elements that states are permuted by, if they are.
    pub(super) fn permuted(&self) -> Option<&Known> {
        (!matches!(self.action, Action::Off)).then_some(&self.known)
    }

    /// Which set-ups are kept, if not all are.
    pub(super) fn statics(&self) -> Option<&Statics> {
        match &self.action {
            Action::Static(statics) => Some(statics),
            _ => None,
        }
    }

    /// Whether vectors may hold values in any way: what is smaller does not count.
    pub(super) fn may_pack(&self) -> bool {
        !matches!(&self.action, Action::Quotient(Method::Acting(strategy)) if strategy.compares_words())
    }

    /// Whether the run must go level by level in one thread.
    pub(super) fn is_ordered(&self) -> bool {
        self.imprecise.is_some()
    }
}

/// Decides what is done, and tells it.
pub(super) fn decide(run: &Run<'_>, facts: &mut Facts) -> Result<Decided, Ended> {
    let (subject, options) = (run.subject, run.options);
    if matches!(options.symmetry, Symmetry::Off) {
        return Ok(Decided::off());
    }
    let goal: Vec<_> = run.goal.into_iter().collect();
    let mut known = subject.symmetry(&goal);
    refuse_claims(&mut known)?;
    let told = &mut facts.symmetry;
    for set in known.sets.iter().filter(|set| set.interchangeable > 0) {
        told.sorts.push((set.name.clone(), set.interchangeable));
    }
    if run.goal.is_some() {
        let without = subject.symmetry(&[]);
        for (set, before) in known.sets.iter().zip(&without.sets) {
            if set.interchangeable < before.interchangeable {
                let line = SortReport::new(set, run.sources).line();
                facts
                    .warnings
                    .push(format!("the goal tells elements apart: {line}"));
            }
        }
    }
    let told = &mut facts.symmetry;
    if !known.is_useful() && options.symmetry != Symmetry::Static {
        told.precise = Some(true);
        told.because = Some(match known.sets.is_empty() {
            true => format!("the model has no {}", subject.words().sets),
            false => format!(
                "no {} are interchangeable (burnside analyse says why)",
                match known.group {
                    Some(_) => "processes",
                    None => "elements of a set",
                }
            ),
        });
        if options.symmetry == Symmetry::Auto {
            told.method = Symmetry::Off;
        }
        return Ok(Decided::off());
    }
    let (action, imprecise) = action(run, &known)?;
    let is_partial = matches!(action, Action::Quotient(Method::Sorted { .. }));
    told.precise = Some(imprecise.is_none() && !is_partial);
    told.because = Some(match (&imprecise, options.symmetry) {
        (Some(why), _) => why.clone(),
        (None, Symmetry::Markers) => {
            "proposition 2 holds for the types of all constants and variables".to_owned()
        }
        (None, Symmetry::Sorted) => {
            "sorted states: several of them may stand for one orbit".to_owned()
        }
        (None, Symmetry::Static) => "only set-ups are reduced, to symmetric ones".to_owned(),
        (None, Symmetry::Adaptive) => {
            "no partitions are needed: one representative for each orbit".to_owned()
        }
        _ => "one representative for each orbit".to_owned(),
    });
    if let Some(why) = &imprecise {
        facts
            .open_because
            .push(format!("symmetry markers are imprecise: {why}"));
    }
    Ok(Decided {
        known,
        action,
        imprecise,
    })
}

/// Refuses what was said of interchangeable processes and does not hold.
pub(super) fn refuse_claims(known: &mut Known) -> Result<(), Ended> {
    if known.refuted.is_empty() {
        return Ok(());
    }
    let mut diagnostics = Diagnostics::new();
    known
        .refuted
        .drain(..)
        .for_each(|refuted| diagnostics.push(refuted));
    Err(diagnostics.into())
}

/// What is done with interchangeable elements or processes, and why markers are imprecise.
fn action(run: &Run<'_>, known: &Known) -> Result<(Action, Option<String>), Ended> {
    let options = run.options;
    if let Some(strategy) = strategy(options.symmetry, known)? {
        return Ok((Action::Quotient(Method::Acting(strategy)), None));
    }
    let mut imprecise = None;
    let action = match options.symmetry {
        Symmetry::Auto => Action::Trial,
        Symmetry::Dynamic => Action::Columns(Representatives::Dynamic),
        Symmetry::Multiple => Action::Columns(Representatives::Multiple),
        Symmetry::Counters => Action::Counters,
        Symmetry::Flood => Action::Quotient(Method::Flood {
            budget: options.max_memory.unwrap_or(FLOOD_BYTES),
        }),
        Symmetry::Canonical => Action::Quotient(Method::Canonical),
        Symmetry::Exact | Symmetry::Adaptive => Action::Quotient(Method::Exact),
        Symmetry::Sorted => Action::Quotient(Method::Sorted {
            limit: options.permutations,
        }),
        Symmetry::Markers => {
            imprecise = imprecision(run, known);
            Action::Quotient(Method::Markers {
                imprecise: known.imprecise.clone(),
            })
        }
        Symmetry::Static => match run.subject.statics(known) {
            Some(statics) => Action::Static(statics),
            None => Action::Off,
        },
        _ => Action::Off,
    };
    Ok((action, imprecise))
}

/// The strategy for processes that a word means; refuses words that are about elements for processes and the other way round.
pub(super) fn strategy(symmetry: Symmetry, known: &Known) -> Result<Option<Strategy>, Ended> {
    let refused = |why: &str| {
        let message = format!("--symmetry {}: {why}", symmetry.word());
        Err(Diagnostic::global(&codes::MISFIT_OPTION, message).into())
    };
    let found = match symmetry {
        Symmetry::Enumerate => Strategy::Enumerate,
        // For elements of sets it is another method.
        Symmetry::Sorted if known.group.is_none() => return Ok(None),
        Symmetry::Sorted => Strategy::Sorted,
        Symmetry::Segmented => Strategy::Segmented,
        Symmetry::PcSorted => Strategy::PcSorted,
        Symmetry::PcSegmented => Strategy::PcSegmented,
        Symmetry::Local => Strategy::Local,
        Symmetry::Flattened => Strategy::Flattened,
        Symmetry::ExactMarkers => Strategy::ExactMarkers,
        Symmetry::ApproxMarkers => Strategy::ApproxMarkers,
        Symmetry::Markers if known.group.is_some() => Strategy::ApproxMarkers,
        Symmetry::Flood | Symmetry::Static if known.group.is_some() => {
            return refused(
                "it is about elements of sets; for processes there are exact, canonical and enumerate",
            );
        }
        _ => return Ok(None),
    };
    match known.group {
        Some(_) => Ok(Some(found)),
        None => refused(
            "it is about processes; for elements of sets there are exact, canonical, markers and flood",
        ),
    }
}

/// Says what a strategy promises for the system that it is used on.
pub(super) fn confirm(decided: &mut Decided, system: &dyn System, facts: &mut Facts) {
    let Action::Quotient(Method::Acting(strategy)) = decided.action else {
        return;
    };
    let told = &mut facts.symmetry;
    let Some(action) = system.action() else {
        return;
    };
    let (precise, why) = match strategy.promise(action) {
        Yield::One => (true, "one representative for each orbit"),
        Yield::Several => (true, "one or several representatives for each orbit"),
        Yield::Merging => (false, "one representative may stand for several orbits"),
    };
    told.precise = Some(precise);
    told.because = Some(why.to_owned());
    if !precise {
        decided.imprecise = Some(why.to_owned());
        let word = told.method.word();
        facts
            .open_because
            .push(format!("--symmetry {word} is approximate: {why}"));
    }
}

/// The first reason why markers are imprecise.
pub(super) fn imprecision(run: &Run<'_>, known: &Known) -> Option<String> {
    let components = &run.subject.description().components;
    let mut all = components.iter().zip(&known.components);
    all.find_map(|(component, (ty, precision))| match precision {
        Precision::Imprecise(reason) => Some(format!("{} : {ty}: {reason}", component.name)),
        _ => None,
    })
}

/// Explores a little of the quotient and decides whether it pays; counts work, not seconds.
pub(super) fn trial(
    system: &dyn System,
    config: &Config,
    hooks: &dyn Monitor,
    told: &mut SymmetryReduction,
) -> bool {
    let Some(quotient) = Quotient::new(system, Method::Exact) else {
        told.method = Symmetry::Off;
        told.because = Some("states of this engine or evaluator are not permuted".to_owned());
        return false;
    };
    let quotient = quotient.with_most_setups(TRIAL_SETUPS);
    let config = Config {
        checks: Checks::default(),
        limits: Limits {
            max_states: Some(TRIAL_STATES),
            ..config.limits.clone()
        },
        order: explicit::Order::Bfs,
        threads: 1,
        keep_paths: false,
        checkpoint: None,
        resume: None,
        ..config.clone()
    };
    // What goes wrong here goes wrong again, and is told then.
    let _ = explicit::explore(&quotient, &config, hooks);
    let measure = quotient.measure();
    let mean = match (measure.orbits, measure.expanded) {
        (_, 0) => 1.0,
        (None, _) => f64::INFINITY,
        (Some(states), expanded) => states as f64 / expanded as f64,
    };
    let searched = measure.searched as f64 / measure.chosen.max(1) as f64;
    let is_worth_it = mean >= if searched > 0.5 { 3.0 } else { 1.2 };
    let orbits = format!(
        "in a trial of {} an orbit has {mean:.1} states on average",
        counted(measure.expanded, "state")
    );
    told.because = Some(match (measure.expanded, is_worth_it) {
        (0, _) => "in a trial there was no state to expand".to_owned(),
        (_, true) => orbits,
        (_, false) => format!("it would not pay: {orbits}"),
    });
    told.method = if is_worth_it {
        Symmetry::Exact
    } else {
        Symmetry::Off
    };
    is_worth_it
}

impl SymmetryReduction {
    /// Nothing is permuted after all, because of what else is done to steps.
    pub(super) fn held(&mut self) {
        let why = "beside a reduction of steps or along paths, processes that may end stay where they are";
        self.because = Some(why.to_owned());
        self.method = Symmetry::Off;
    }

    /// Adds what the reduction did.
    pub(super) fn measured(&mut self, measure: &Measure, outcome: &Outcome) {
        self.flooded = measure.flooded;
        // What was cut is cut without a reduction as well: all that was enumerated is there.
        let is_cut = |open: &Open| matches!(open, Open::Cut | Open::Dropped);
        let ended = outcome.findings.is_empty() && !outcome.open.iter().all(is_cut);
        if outcome.is_complete || outcome.findings.is_empty() && !ended {
            self.states = measure.states;
            self.setups = measure.setups.filter(|_| outcome.statistics.setups > 0);
        } else if ended {
            self.states_at_least = measure.states;
        }
        let wall = outcome.statistics.wall.as_secs_f64();
        if wall > 0.0 && measure.chosen >= ENOUGH {
            self.time_share = Some((measure.time.as_secs_f64() / wall).min(1.0));
        }
    }
}

/// What could not be permuted, as a warning.
pub(super) fn opaque(measure: &Measure) -> Option<String> {
    (measure.opaque > 0).then(|| {
        format!(
            "{} vectors hold a set that is not listed, and stand for themselves only",
            grouped(measure.opaque)
        )
    })
}

impl Run<'_> {
    /// Refuses a method that permutes whole states, because of what a slot holds.
    pub(super) fn hides_elements(&self, ground: &dyn Ground, slot: usize) -> Diagnostic {
        let component = ground.component(slot).index();
        let component = &self.subject.description().components[component];
        let message = format!(
            "--symmetry {}: {} is a set that is not listed, and may hold elements where they cannot be exchanged",
            self.options.symmetry.word(),
            component.name
        );
        let help = "--symmetry exact lets such states stand for themselves";
        match component.span {
            Some(span) => Diagnostic::error(&codes::MISFIT_OPTION, span, message).help(help),
            None => Diagnostic::global(&codes::MISFIT_OPTION, message).help(help),
        }
    }
}

/// Replaces the paths of representatives by paths of the unreduced model; an error is a bug of ours.
pub(super) fn unfold_paths(quotient: &Quotient<'_>, outcome: &mut Outcome) -> Result<(), String> {
    for finding in &mut outcome.findings {
        finding.path = unfold(quotient, &finding.path).ok_or_else(|| {
            format!(
                "the path to a finding {:?} cannot be unfolded",
                finding.kind
            )
        })?;
    }
    Ok(())
}
