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
mod forbidden;
mod given;
mod host;
mod judge;
mod lower;
mod on_sets;
mod ordered;
mod prefix;
mod reduced;
mod tried;
mod vacuity;
mod watch;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use base::{Diagnostic, Diagnostics, Sources};
use pins::System;
use reduce::por::{Closed, Reduction, Visibility};
use reduce::symmetry::{Annotated, Quotient};
use search::explicit::{self, Limits, Open, StoreKind};
use search::liveness::{self, Annotations, Config, Fairness, Method, Property, Space, Whole};
use subject::{Evaluator, Form, Ground, Subject};

use self::atoms::Atoms;
pub(super) use self::certified::Certifiable;
use self::conclude::Judging;
use self::given::{Given, Standing};
use self::host::Host;
use self::lower::Lowered;
pub(super) use self::tried::most_states;
use self::watch::{Seen, Watch};
use super::evidence::Evidence;
use super::relations::{Effort, Manner, relate};
use super::run::{self, Run};
use super::{Ended, Hooks, symmetry};
use crate::choice::{Order, Por, Store, Symmetry};
use crate::codes;
use crate::plan::{Options, has_formulas};
use crate::report::{Checked, FindingKind, FormulaReport, Report, Verdict};

/// What is searched: the model, a smaller system that stands for it, and that one when it is a quotient.
type Searched<'a> = (
    &'a dyn Ground,
    Option<&'a dyn System>,
    Option<&'a Quotient<'a>>,
);

/// Said of a formula that holds although a step faulted where it was not yet decided.
const PAST_FAULTS: &str = "a step of the model has a fault: this is about the paths without it, and what follows it is not known";

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
    report: &mut Report,
) -> Result<Option<Formulas>, Ended> {
    if !has_formulas(options) {
        return Ok(None);
    }
    let all = given::given(options, subject.source(), sources)?;
    for warning in all.iter().flat_map(|given| given.warnings.iter()) {
        let place = warning.primary.as_ref().map(|label| label.span);
        let place = place.map(|span| sources.place(span)).unwrap_or_default();
        report
            .warnings
            .push(format!("{place}: {}", warning.message));
    }
    let (mut formulas, mut atoms) = lower_all(&all, subject, sources, &[])?;
    let alike = alike(options, subject, &all, &atoms);
    if !alike.is_empty() {
        (formulas, atoms) = lower_all(&all, subject, sources, &alike)?;
    }
    formulas.extend(forbidden::prepare(options, subject, sources, &mut atoms)?);
    if formulas.is_empty() {
        let nothing = "there are no temporal formulas to check: the model defines none";
        report.warnings.push(nothing.to_owned());
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

    /// Checks all formulas and puts the answers into the report.
    pub(super) fn check(
        &self,
        run: &Run<'_>,
        start: Instant,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        if run.plan.is_symbolic() {
            return self.check_on_sets(run, start, hooks, report);
        }
        if run.options.search == Order::Dfs && self.formulas.iter().any(Prepared::needs_components)
        {
            let why = "--search dfs: nested depth-first search cannot decide SF, SEF and WEF";
            return Err(Diagnostic::global(&codes::MISFIT_OPTION, why).into());
        }
        if ordered::decide(run.options, self)? {
            let ground = run.ground(&Formulas::form(run))?;
            return self.check_ordered(run, &*ground, start, hooks, report);
        }
        let Some(reduced) = reduced::decide(run, self, report)? else {
            let ground = run.ground(&Formulas::form(run))?;
            return self.search(run, (&*ground, None, None), start, hooks, report);
        };
        let form = Form {
            symmetry: Some(&reduced.known),
            ..Formulas::form(run)
        };
        let ground = run.ground(&form)?;
        let pays = !reduced.is_trial || self.trial(run, ground.system(), start, hooks, report);
        let smaller = pays.then(|| Quotient::along_paths(ground.system(), reduced.method));
        let smaller = smaller.flatten();
        if pays && smaller.is_none() && Formulas::are_alone(run.options) {
            report.reductions.symmetry.held();
        }
        let fewer = smaller.as_ref().map(|smaller| smaller as &dyn System);
        let searched = (&*ground, fewer, smaller.as_ref());
        let before = report.clone();
        match self.search(run, searched, start, hooks, report) {
            Err(Ended::Unreduced) => {
                *report = before;
                self.search(run, (&*ground, None, None), start, hooks, report)?;
                let why = "a fair cycle of representatives was found; its path is one of the unreduced model";
                tell_unreduced(run.options, why, report);
                Ok(())
            }
            answer => answer,
        }
    }

    /// Checks with fewer interleavings.
    fn check_ordered(
        &self,
        run: &Run<'_>,
        ground: &dyn Ground,
        start: Instant,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
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
        let limits = self.config(run.options, start).limits;
        let monitor = run::Watch(hooks);
        let begun = Instant::now();
        let fewer = Closed::new(ground.system(), &reduction, &mut |states| {
            let is_in_time = limits.max_time.is_none_or(|most| begun.elapsed() < most);
            let is_small = limits.max_states.is_none_or(|most| states <= most);
            is_small && is_in_time && !explicit::Monitor::should_stop(&monitor)
        });
        let fewer = fewer.as_ref().map(|fewer| fewer as &dyn System);
        self.search(run, (ground, fewer, None), start, hooks, report)
    }

    /// Whether representatives pay; what a run of other checks said about that stays in the report.
    fn trial(
        &self,
        run: &Run<'_>,
        system: &dyn System,
        start: Instant,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> bool {
        let Config { limits, store, .. } = self.config(run.options, start);
        let config = explicit::Config {
            limits,
            store,
            ..explicit::Config::default()
        };
        let mut told = report.reductions.symmetry.clone();
        let pays = symmetry::trial(system, &config, &run::Watch(hooks), &mut told);
        if Formulas::are_alone(run.options) {
            report.reductions.symmetry = told;
        }
        pays
    }

    /// Checks the formulas one after the other on one graph.
    fn search(
        &self,
        run: &Run<'_>,
        (ground, fewer, smaller): Searched<'_>,
        start: Instant,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        let system = fewer.unwrap_or(ground.system());
        let premises = vacuity::premises(&self.formulas);
        let watched: Vec<buchi::Ltl> = premises.iter().map(|p| p.formula.clone()).collect();
        let seen = Rc::new(RefCell::new(Seen::default()));
        let asking = run.subject.asking(ground, &self.atoms.questions);
        let mut atoms = self.atoms.clone();
        let premise = fair::premise(run.options.fair, ground, &mut atoms)?;
        let watch = Watch::new(&atoms.atoms, (asking, ground), &watched, seen.clone());
        let config = self.config(run.options, start);
        self.tell_order(run.options, report);
        report.checked.push(Checked::Formulas(self.formulas.len()));
        let monitor = run::Watch(hooks);
        let judging = Judging {
            run,
            atoms: &atoms,
            premise: premise.as_ref(),
            smaller,
            evidence: Evidence {
                subject: run.subject,
                sources: run.sources,
                labels: &[],
                ground,
                wd: run.options.setting.wd,
                stuttering: run.stuttering(),
            },
        };
        let work = |space: &mut Space<'_>| {
            self.answers(space, &judging, &premises, &seen, report)?;
            judging.passed_fault(space, report)?;
            report.warnings.extend(run.noticed(&space.notes()));
            if Formulas::are_alone(run.options) {
                tell_statistics(&space.statistics(), report);
                report.vector_bytes = 4 * system.shape().slots.len() as u64;
            }
            Ok(())
        };
        let whole = fewer.map(|_| ground.system());
        let whole = whole.filter(|_| self.atoms.need_all_steps(smaller.is_some()));
        let annotated = smaller.filter(|_| config.labels).and_then(Annotated::new);
        let whole = Whole {
            system: whole,
            annotated: annotated
                .as_ref()
                .map(|annotated| annotated as &dyn Annotations),
        };
        liveness::explore_part(system, whole, Box::new(watch), &config, &monitor, work)
            .map_err(|refused| run.refuse(&refused))?
    }

    /// The answer of every formula.
    fn answers(
        &self,
        space: &mut Space<'_>,
        judging: &Judging<'_>,
        premises: &[vacuity::Premise],
        seen: &RefCell<Seen>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        // A formula that needs more than its share of the time has another turn after the others.
        let mut turns: VecDeque<(usize, bool)> = (0..self.formulas.len())
            .map(|index| (index, false))
            .collect();
        let mut answers: Vec<Option<FormulaReport>> = vec![None; self.formulas.len()];
        while let Some((index, is_again)) = turns.pop_front() {
            let prepared = &self.formulas[index];
            let mut told = prepared.told();
            match &prepared.lowered {
                Err(why) => {
                    let heading = told.heading();
                    let line = format!("{heading} cannot be checked: {why}");
                    match prepared.standing {
                        Standing::Tried => report.not_checked.push(line),
                        Standing::Asked | Standing::Listed => report.open_because.push(line),
                    }
                    told.because = Some(why.clone());
                }
                Ok(lowered) => {
                    space.expect(turns.len() + 1);
                    let mut outcome = check(space, lowered, judging.premise);
                    if !is_again && !turns.is_empty() && is_out_of_time(&outcome.verdict) {
                        turns.push_back((index, true));
                        continue;
                    }
                    told.safety = outcome.effort.is_safety;
                    if outcome.effort.automaton_states > 0 {
                        told.automaton_states = Some(outcome.effort.automaton_states);
                        told.product_states = Some(outcome.effort.product_states);
                    }
                    if prepared.standing == Standing::Tried
                        && let Some(why) = tried::undecided(&outcome.verdict, judging.run.options)
                    {
                        tried::leave(why, &mut told, report);
                        answers[index] = Some(told);
                        continue;
                    }
                    let answer = (outcome.verdict, &space.notes());
                    judging.conclude(lowered, answer, &mut told, report)?;
                    if told.verdict == Verdict::Holds && outcome.effort.faults > 0 {
                        told.warnings.push(PAST_FAULTS.to_owned());
                    }
                    // What was never seen proves something only when everything was.
                    let counted = space.statistics();
                    let is_whole = counted.expanded == counted.states
                        && matches!(judging.run.options.por, Por::Auto | Por::Off);
                    if told.verdict == Verdict::Holds && is_whole {
                        let seen = seen.borrow().clone();
                        let never = vacuity::never_true(index, premises, &seen);
                        told.warnings.extend(never);
                        let doubtful = vacuity::doubtful(lowered, &self.atoms, &seen);
                        // A premise that is never true was told already.
                        let is_new = |warnings: &[String], atom: &str| {
                            !warnings.iter().any(|known| known.contains(atom))
                        };
                        for doubtful in doubtful {
                            if !is_new(&told.warnings, &doubtful.atom) {
                                continue;
                            }
                            outcome = check(space, &doubtful.changed, judging.premise);
                            if let liveness::Verdict::Holds(_) = outcome.verdict {
                                told.warnings.push(doubtful.warning);
                            }
                        }
                    }
                }
            }
            answers[index] = Some(told);
        }
        report.formulas.extend(answers.into_iter().flatten());
        Ok(())
    }

    /// Says which options are not about the search for formulas.
    fn tell_order(&self, options: &Options, report: &mut Report) {
        let is_ordered = options.search == Order::Mixed;
        if options.threads > 1 || is_ordered {
            report.warnings.push(
                "temporal formulas are checked with one thread, in an order of their own"
                    .to_owned(),
            );
        }
    }

    fn config(&self, options: &Options, start: Instant) -> Config {
        let left = options
            .max_time
            .map(|seconds| Duration::from_secs_f64(seconds).saturating_sub(start.elapsed()));
        Config {
            limits: Limits {
                max_states: options.max_states,
                max_setups: options.max_setups,
                max_time: left,
                max_memory: options.max_memory,
                max_depth: None,
            },
            store: match options.store {
                Store::Plain => StoreKind::Plain,
                _ => StoreKind::Tree,
            },
            labels: self.formulas.iter().any(Prepared::needs_labels),
            method: match options.search {
                Order::Dfs => Method::Nested,
                Order::Bfs | Order::Mixed => Method::Components,
            },
        }
    }
}

/// Says why a reduction was given up.
fn tell_unreduced(options: &Options, why: &str, report: &mut Report) {
    if Formulas::are_alone(options) {
        report.reductions.symmetry.because = Some(why.to_owned());
    }
}

fn is_out_of_time(verdict: &liveness::Verdict) -> bool {
    matches!(verdict, liveness::Verdict::Open(why) if why.contains(&Open::MaxTime))
}

fn check(
    space: &mut Space<'_>,
    lowered: &Lowered,
    premise: Option<&Fairness>,
) -> liveness::Outcome {
    match lowered {
        Lowered::Ltl(linear) => space.check(&Property {
            formula: &linear.formula,
            fairness: &fair::with(premise, &linear.fairness),
        }),
        Lowered::Ctl(branching) => space.check_branching(branching),
        Lowered::Automaton(barred) => space.check_automaton(&liveness::Forbidden {
            automaton: &barred.automaton,
            fairness: &fair::with(premise, &[]),
        }),
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

/// Puts what the search explored into the report.
fn tell_statistics(counted: &liveness::Statistics, report: &mut Report) {
    let statistics = &mut report.statistics;
    statistics.states = counted.states.into();
    statistics.setups = counted.setups;
    statistics.nodes = (counted.states + counted.setups + 1).into();
    statistics.transitions = Some(counted.transitions.into());
    statistics.store_bytes = counted.bytes;
}
