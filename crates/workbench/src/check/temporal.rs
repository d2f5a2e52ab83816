//! Checks temporal formulas: read and lowered before the search, checked one after the other on one graph, judged again by
//! the judge of the subject before anything is shown.
//!
//! Invariant: a formula is refuted in the report only after its path was replayed and the formula was found false on it by
//! an evaluator that shares no code with the search.
//! Invariant: a reduction is used only where every atom allows it; otherwise it is refused with the atom.

mod atoms;
mod branching;
pub(crate) mod certified;
mod conclude;
mod explain;
mod fair;
mod followed;
mod forbidden;
mod given;
mod graph;
mod host;
mod judge;
mod lower;
mod on_sets;
mod ordered;
mod partial;
mod position;
mod prefix;
mod reduced;
mod together;
mod tried;
mod unfolded;
mod vacuity;
mod watch;

use std::time::Instant;

use base::{Diagnostic, Diagnostics, Sources};
use pins::System;
use reduce::por::{Closed, Reduction, Visibility};
use reduce::symmetry::{Annotated, Quotient};
use search::explicit;
use search::liveness::Config;
use subject::{Evaluator, Form, Ground, Subject};

use self::atoms::Atoms;
pub(super) use self::certified::Certifiable;
use self::given::{Given, Standing};
use self::host::Host;
use self::lower::Lowered;
pub(super) use self::tried::most_states;
use super::facts::Facts;
use super::relations::{Effort, Manner, relate};
use super::run::{self, Run};
use super::{Ended, Hooks, symmetry};
use crate::choice::{Fair, Order, Symmetry};
use crate::codes;
use crate::plan::{Options, asks_formulas, has_formulas};
use crate::report::{FindingKind, FormulaReport, Report, Verdict};

/// What is searched: the model, a smaller system that stands for it, and what its states are.
type Searched<'a> = (&'a dyn Ground, Option<&'a dyn System>, Smaller<'a>);

/// What the states of a system are that is searched.
#[derive(Clone, Copy)]
enum Smaller<'a> {
    /// States of the model.
    States,
    /// Representatives of orbits. A fair cycle of them is shown as one of the model if that is short.
    Orbits(&'a Quotient<'a>),
    /// The same, however long it is.
    Unwound(&'a Quotient<'a>),
    /// States with partitions: a formula that holds on all of their paths holds.
    Partitions,
}

impl<'a> Smaller<'a> {
    fn quotient(self) -> Option<&'a Quotient<'a>> {
        match self {
            Smaller::Orbits(quotient) | Smaller::Unwound(quotient) => Some(quotient),
            Smaller::States | Smaller::Partitions => None,
        }
    }

    /// Whether a state stands for others.
    fn are_representatives(self) -> bool {
        !matches!(self, Smaller::States)
    }

    /// Whether fair cycles of representatives are shown as cycles of the model, however long these are.
    fn are_unwound(self) -> bool {
        matches!(self, Smaller::Unwound(_))
    }
}

/// The formulas of a run, ready to be checked.
pub(super) struct Formulas {
    formulas: Vec<Prepared>,
    atoms: Atoms,
}

/// A formula that was read, or something else that is said about all paths.
struct Prepared {
    /// `ltl`, `ctl`, `never`, …
    logic: FindingKind,
    name: Option<String>,
    text: String,
    standing: Standing,
    lowered: Result<Lowered, String>,
}

/// Reads and lowers the formulas of a run; `None` when there are none to check.
pub(super) fn prepare(
    options: &Options,
    subject: &mut dyn Subject,
    sources: &mut Sources,
    warnings: &mut Vec<String>,
) -> Result<Option<Formulas>, Ended> {
    if !has_formulas(options) {
        return Ok(None);
    }
    let all = given::given(options, subject.source(), sources)?;
    for warning in all.iter().flat_map(|given| given.warnings.iter()) {
        let place = warning.primary.as_ref().map(|label| label.span);
        let place = place.map(|span| sources.place(span)).unwrap_or_default();
        warnings.push(format!("{place}: {}", warning.message));
    }
    let (mut formulas, mut atoms) = lower_all(&all, subject, sources, &[])?;
    let alike = alike(options, subject, &all, &atoms);
    if !alike.is_empty() {
        (formulas, atoms) = lower_all(&all, subject, sources, &alike)?;
    }
    formulas.extend(forbidden::prepare(options, subject, sources, &mut atoms)?);
    if formulas.is_empty() {
        let nothing = "there are no temporal formulas to check: the model defines none";
        warnings.push(nothing.to_owned());
        return Ok(None);
    }
    Ok(Some(Formulas { formulas, atoms }))
}

/// Lowers all formulas that were given; elements of one class of `alike` can be exchanged in all that they ask.
fn lower_all(
    all: &[Given],
    subject: &mut dyn Subject,
    sources: &mut Sources,
    alike: &[Vec<String>],
) -> Result<(Vec<Prepared>, Atoms), Ended> {
    let mut atoms = Atoms::default();
    let mut formulas = Vec::new();
    let mut errors = Diagnostics::new();
    for given in all {
        let mut host = Host { subject, sources };
        let formula = given.formula.clone();
        let lowered =
            formula.and_then(|formula| lower::lower(formula, &mut atoms, &mut host, alike));
        let lowered = match lowered {
            Ok(lowered) => Ok(lowered),
            Err(wrong) if given.standing == Standing::Asked => {
                errors.extend(wrong);
                continue;
            }
            Err(wrong) => Err(first_message(&wrong, sources)),
        };
        formulas.push(Prepared {
            logic: match given.logic {
                lang_formula::Logic::Ltl => FindingKind::Ltl,
                lang_formula::Logic::Ctl => FindingKind::Ctl,
            },
            name: given.name.clone(),
            text: given.text.clone(),
            standing: given.standing,
            lowered,
        });
    }
    match errors.has_errors() {
        true => Err(errors.into()),
        false => Ok((formulas, atoms)),
    }
}

/// The classes of elements that can be exchanged in the model and in all that formulas ask, where some formula quantifies.
fn alike(
    options: &Options,
    subject: &dyn Subject,
    all: &[Given],
    atoms: &Atoms,
) -> Vec<Vec<String>> {
    let formulas = all.iter().filter_map(|given| given.formula.as_ref().ok());
    let mut nodes = formulas.flat_map(|formula| formula.nodes.iter());
    let is_quantified = |node: &lang_formula::Node| {
        let kind = &node.kind;
        matches!(kind, lang_formula::NodeKind::Quantified { .. })
    };
    let quantifies = nodes.any(|(_, node)| is_quantified(node));
    if !quantifies || options.symmetry == Symmetry::Off {
        return Vec::new();
    }
    let known = subject.symmetry(&atoms.asked);
    // What a group of processes does not exchange freely is left alone.
    if known.group.is_some() {
        return Vec::new();
    }
    let classes = known.sets.into_iter().flat_map(|set| set.classes);
    classes.filter(|class| class.len() > 1).collect()
}

/// What is wrong with a formula, in one line.
fn first_message(wrong: &Diagnostics, sources: &Sources) -> String {
    match wrong.iter().next() {
        None => "it could not be read".to_owned(),
        Some(first) => match &first.primary {
            Some(label) => format!("{}: {}", sources.place(label.span), first.message),
            None => first.message.clone(),
        },
    }
}

impl Formulas {
    /// Whether the formulas are all that is to be checked, so that their search is the only one.
    pub(super) fn are_alone(options: &Options) -> bool {
        !options.invariant
            && !options.deadlock
            && !options.setting.obligations.assertions
            && options.goal.is_none()
    }

    /// Takes the formulas that the model carries out of what is not checked.
    pub(super) fn tell_checked(&self, report: &mut Report) {
        for name in self.formulas.iter().filter_map(|known| known.name.as_ref()) {
            report.not_checked.retain(|what| what != name);
        }
        for known in self.formulas.iter().filter(|known| known.name.is_none()) {
            let cycles = format!("{} cycles", known.logic.word());
            report.not_checked.retain(|what| *what != cycles);
        }
    }

    /// The form in which the model is searched.
    fn form<'a>(run: &Run<'a>) -> Form<'a> {
        Form {
            evaluator: Evaluator::Compiled,
            wd: run.options.setting.wd,
            solver: run.options.solver,
            ..Form::default()
        }
    }

    /// Checks all formulas and adds the answers to what other checks told.
    pub(super) fn check(
        &self,
        run: &Run<'_>,
        start: Instant,
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Facts, Ended> {
        // What nobody asked for is tried by the first process alone.
        if run.plan.is_distributed() && asks_formulas(run.options) {
            return self.check_together(run, start, hooks, facts);
        }
        if run.plan.is_symbolic() {
            return self.check_on_sets(run, start, hooks, facts);
        }
        if run.options.search == Order::Dfs && self.formulas.iter().any(Prepared::needs_components)
        {
            let why = "--search dfs: nested depth-first search cannot decide SF, SEF and WEF";
            return Err(Diagnostic::global(&codes::MISFIT_OPTION, why).into());
        }
        if ordered::decide(run.options, self)? {
            let ground = run.ground(&Formulas::form(run))?;
            return self.check_ordered(run, &*ground, start, hooks, facts);
        }
        if run.options.symmetry == Symmetry::Adaptive {
            match self.check_partial(run, start, hooks, facts.clone())? {
                Ok(found) => return Ok(found),
                Err(why) if Formulas::are_alone(run.options) => {
                    let how = format!("with the elements that events name fixed: {why}");
                    facts.symmetry.because = Some(how);
                }
                Err(_) => {}
            }
        }
        let Some(reduced) = reduced::decide(run, self, &mut facts)? else {
            let ground = run.ground(&Formulas::form(run))?;
            return self.search_all(run, (&*ground, None), start, hooks, facts);
        };
        let form = Form {
            symmetry: Some(&reduced.known),
            ..Formulas::form(run)
        };
        let ground = run.ground(&form)?;
        let pays = !reduced.is_trial || self.trial(run, ground.system(), start, hooks, &mut facts);
        let smaller = pays.then(|| Quotient::along_paths(ground.system(), reduced.method));
        let smaller = smaller.flatten();
        if pays && smaller.is_none() && Formulas::are_alone(run.options) {
            facts.symmetry.held();
        }
        let smaller = self.followed(run, smaller, &mut facts)?;
        let fewer = smaller.as_ref().map(|smaller| smaller as &dyn System);
        let states = smaller.as_ref().map_or(Smaller::States, Smaller::Orbits);
        let searched = (&*ground, fewer, states);
        if let Some(answered) = self.search(run, searched, start, hooks, facts.clone())? {
            return Ok(answered);
        }
        match smaller {
            Some(smaller) => self.show(run, (&*ground, &smaller), start, hooks, facts),
            None => self.search_all(run, (&*ground, None), start, hooks, facts),
        }
    }

    /// Representatives, unless fairness follows steps and nobody knows where permutations take them.
    fn followed<'q>(
        &self,
        run: &Run<'_>,
        smaller: Option<Quotient<'q>>,
        facts: &mut Facts,
    ) -> Result<Option<Quotient<'q>>, Ended> {
        let follows = |smaller: &Quotient<'_>| Annotated::new(smaller).is_some();
        match smaller {
            Some(smaller) if self.follow_steps(run.options) && !follows(&smaller) => {
                reduced::not_followed(run, facts).map(|()| None)
            }
            smaller => Ok(smaller),
        }
    }

    /// Whether fairness is assumed that follows steps along permutations.
    fn follow_steps(&self, options: &Options) -> bool {
        options.fair != Fair::None || self.formulas.iter().any(Prepared::needs_labels)
    }

    /// Checks with fewer interleavings.
    fn check_ordered(
        &self,
        run: &Run<'_>,
        ground: &dyn Ground,
        start: Instant,
        hooks: &Hooks<'_>,
        facts: Facts,
    ) -> Result<Facts, Ended> {
        let shape = ground.system().shape();
        let manner = Manner {
            dependence: run.options.dependence,
            goal: None,
            cache: None,
            effort: Effort::Full,
        };
        let related = relate(run.subject, ground, &[], manner);
        let visible = ordered::visible(run.subject, ground, &related.relations, &self.atoms);
        let visibility = Visibility::of(visible, shape.groups.len());
        let method = reduce::por::Method::Ample;
        let reduction = Reduction::new(shape, &related.relations, visibility, method);
        // The smaller system has a state that is expanded in full on every cycle.
        let reduction = reduction.left_to_the_search();
        let limits = self.config(run.options, start).limits;
        let monitor = run::Watch(hooks);
        let begun = Instant::now();
        let fewer = Closed::new(ground.system(), &reduction, &mut |states| {
            let is_in_time = limits.max_time.is_none_or(|most| begun.elapsed() < most);
            let is_small = limits.max_states.is_none_or(|most| states <= most);
            is_small && is_in_time && !explicit::Monitor::should_stop(&monitor)
        });
        let fewer = fewer.as_ref().map(|fewer| fewer as &dyn System);
        self.search_all(run, (ground, fewer), start, hooks, facts)
    }

    /// Checks the formulas on a system whose paths are paths of the model.
    fn search_all(
        &self,
        run: &Run<'_>,
        (ground, fewer): (&dyn Ground, Option<&dyn System>),
        start: Instant,
        hooks: &Hooks<'_>,
        facts: Facts,
    ) -> Result<Facts, Ended> {
        let searched = (ground, fewer, Smaller::States);
        let answered = self.search(run, searched, start, hooks, facts)?;
        let nobody = "nobody looked for a path in the unreduced model";
        answered.ok_or_else(|| Ended::Bug(nobody.to_owned()))
    }

    /// Whether representatives pay; what a run of other checks said about that stays in the report.
    fn trial(
        &self,
        run: &Run<'_>,
        system: &dyn System,
        start: Instant,
        hooks: &Hooks<'_>,
        facts: &mut Facts,
    ) -> bool {
        let Config { limits, store, .. } = self.config(run.options, start);
        let config = explicit::Config {
            limits,
            store,
            ..explicit::Config::default()
        };
        let mut told = facts.symmetry.clone();
        let pays = symmetry::trial(system, &config, &run::Watch(hooks), &mut told);
        if Formulas::are_alone(run.options) {
            facts.symmetry = told;
        }
        pays
    }
}

impl Prepared {
    fn told(&self) -> FormulaReport {
        FormulaReport {
            logic: self.logic,
            name: self.name.clone(),
            formula: self.text.clone(),
            verdict: Verdict::Error,
            because: None,
            warnings: Vec::new(),
            safety: false,
            automaton_states: None,
            product_states: None,
        }
    }

    /// Says what keeps it from being checked.
    fn unread(&self, why: &str, told: &mut FormulaReport, facts: &mut Facts) {
        let line = format!("{} cannot be checked: {why}", told.heading());
        match self.standing {
            Standing::Tried => facts.not_checked.push(line),
            Standing::Asked | Standing::Listed => facts.open_because.push(line),
        }
        told.because = Some(why.to_owned());
    }

    /// Whether the assumed fairness is more than accepting sets can say.
    fn needs_components(&self) -> bool {
        let is_strong = match &self.lowered {
            Ok(Lowered::Ltl(linear)) => linear
                .fairness
                .iter()
                .any(|fairness| !fairness.strong.is_empty()),
            _ => false,
        };
        is_strong || self.needs_labels()
    }

    /// Whether fairness of every label is assumed.
    fn needs_labels(&self) -> bool {
        match &self.lowered {
            Ok(Lowered::Ltl(linear)) => {
                let mut all = linear.fairness.iter();
                all.any(|fairness| fairness.weak_labels || fairness.strong_labels)
            }
            _ => false,
        }
    }
}
