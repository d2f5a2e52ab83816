//! Explores a lowered model and fills the report: compile, explore, count, replay.

use std::time::{Duration, Instant};

use base::{Diagnostic, Sources, Span};
use model::{ExprId, Model};
use pins::{FaultKind, LabelId, LabelKind, Notes, System};
use reduce::por::Reduction;
use reduce::symmetry::{Method, Quotient, Static};
use search::explicit::{
    self, Checkpoint, Checks, Config, FindingKind as Kind, Limits, Monitor, Open, Outcome,
    StoreKind,
};
use search::symbolic;
use verdict::Definedness;

use super::decode::Decode;
use super::evidence::Evidence;
use super::labels::{self, Asked};
use super::por;
use super::reference::Reference;
use super::symmetry::{self, Action, Decided};
use super::trials::Trials;
use super::{Ended, Hooks, Progress, compiled, hints, place_text};
use crate::choice::{Evaluator, Order, Store, Wd};
use crate::codes;
use crate::plan::{Options, Plan};
use crate::report::{Count, OperationCount, Report, Symbolic, VariableCount, counted};

/// How long a question to the reference evaluator may take when it explores: a few seconds.
const REFERENCE_BUDGET: u64 = 20_000_000;

/// A model and what to do with it.
pub(super) struct Run<'a> {
    /// The model, the goal included.
    pub(super) model: &'a Model,
    /// The texts that spans point into.
    pub(super) sources: &'a Sources,
    /// What the user wants.
    pub(super) options: &'a Options,
    /// A predicate to look for.
    pub(super) goal: Option<ExprId>,
    /// What was decided.
    pub(super) plan: &'a Plan,
}

impl Run<'_> {
    /// Explores the model and fills the report.
    pub(super) fn explore(&self, hooks: &Hooks<'_>, report: &mut Report) -> Result<(), Ended> {
        let labels = labels::all(self.model, self.goal);
        match self.options.evaluator {
            Evaluator::Reference => {
                let options = model_interp::Options {
                    wd: self.definedness(),
                    budget: REFERENCE_BUDGET,
                };
                let system = Reference::new(self.model, &labels, options);
                let none = Decided::off();
                self.search(&system, &system, &labels, &none, None, hooks, report)
            }
            Evaluator::Compiled => {
                let decided = match self.decided("engine") {
                    Some("symbolic") => Decided::off(),
                    _ => {
                        symmetry::decide(self.model, self.goal, self.options, self.sources, report)
                    }
                };
                let pinned = match &decided.action {
                    Action::Static(statics) => statics.pinned(self.model),
                    _ => None,
                };
                let model = pinned.as_ref().unwrap_or(self.model);
                let por = por::decide(self.options);
                let is_symbolic = self.decided("engine") == Some("symbolic");
                let compile = match por.is_some() || is_symbolic {
                    false => compiled::compile,
                    true => compiled::with_guards,
                };
                let (wd, solver) = (self.options.wd, self.options.solver);
                let mut program = compile(model, self.goal, wd, solver)?;
                if is_symbolic {
                    return self.search_sets(&program, &labels, hooks, report);
                }
                let mut decided = decided;
                if decided.action != Action::Off {
                    program.system = program.system.with_symmetry(self.model, &decided.sorts);
                }
                let is_auto = self.decided("por") == Some("auto") && !decided.is_ordered();
                if self.decided("por") == Some("auto") && !is_auto {
                    let why = "imprecise markers visit states in an order of their own";
                    report.reductions.por.because = Some(why.to_owned());
                }
                if (por.is_some() || is_auto) && decided.action == Action::Trial {
                    let config = self.config(&labels, &decided);
                    let pays = symmetry::trial(&program.system, &config, &Watch(hooks), report);
                    decided.action = match pays {
                        true => Action::Quotient(Method::Exact),
                        false => Action::Off,
                    };
                }
                match por {
                    Some(por) => {
                        let analysed =
                            self.analyse(model, &program, &labels, &decided, por, hooks)?;
                        self.search_fewer(&program, analysed, &labels, &decided, hooks, report)
                    }
                    None if is_auto => {
                        self.explore_auto(model, &program, &labels, &decided, hooks, report)
                    }
                    None => {
                        let system = &program.system;
                        self.search(system, &program, &labels, &decided, None, hooks, report)
                    }
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn search(
        &self,
        system: &dyn System,
        decode: &dyn Decode,
        labels: &[Asked<'_>],
        decided: &Decided,
        por: Option<por::Prepared>,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        if self.decided("engine") == Some("symbolic") {
            let outcome =
                self.explore_sets((system, decode), labels, None, Instant::now(), hooks)?;
            return self.conclude_sets(outcome, (decode, labels), report);
        }
        let mut config = self.config(labels, decided);
        config.checks = in_system(&config.checks, system, decode);
        let reduction = por.as_ref().map(|por| por.reduction(system.shape()));
        let (chosen, monitor) = (reduction.as_ref(), &Watch(hooks));
        let mut outcome =
            self.reduced(system, &config, decided, chosen, labels, monitor, report)?;
        if let (Some(por), Some(reduction)) = (&por, &reduction) {
            por.tell(
                (system.shape(), decode, labels),
                reduction,
                &outcome,
                report,
            );
        }
        decode.name_labels(&mut outcome);
        self.conclude(&outcome, None, (decode, labels, decided), report)
    }

    /// Puts what a search found into the report.
    pub(super) fn conclude(
        &self,
        outcome: &Outcome,
        symbolic: Option<symbolic::Statistics>,
        (decode, labels, decided): (&dyn Decode, &[Asked<'_>], &Decided),
        report: &mut Report,
    ) -> Result<(), Ended> {
        self.count_actions(outcome, decode, report);
        self.count_values(outcome, decode, report);
        if let Some(counted) = symbolic {
            self.count_sets(&counted, outcome, decode, report);
        }
        self.tell(outcome, report);
        let layers = decode.layers();
        if !layers.is_empty() {
            let solver = report
                .choices
                .iter_mut()
                .find(|choice| choice.option == "solver");
            if let Some(choice) = solver {
                choice.chosen = layers.join(", ");
            }
        }
        if decided.is_ordered() && (self.options.threads > 1 || self.options.search != Order::Bfs) {
            report.warnings.push(
                "imprecise symmetry markers are explored breadth-first with one thread".to_owned(),
            );
        }
        let evidence = Evidence {
            model: self.model,
            sources: self.sources,
            labels,
            decode,
            wd: self.definedness(),
        };
        self.findings(outcome, &evidence, report)?;
        report.hints = hints::hints(
            report.statistics.states.saturating(),
            &report.operations,
            &report.variables,
            outcome.is_complete,
        );
        Ok(())
    }

    /// Explores the system, or the smaller one that stands for it.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn reduced(
        &self,
        system: &dyn System,
        config: &Config,
        decided: &Decided,
        reduction: Option<&Reduction<'_>>,
        labels: &[Asked<'_>],
        monitor: &dyn Monitor,
        report: &mut Report,
    ) -> Result<Outcome, Ended> {
        let explore = |system: &dyn System| {
            let outcome = match reduction {
                None => explicit::explore(system, config, monitor),
                Some(chosen) => explicit::explore_reduced(system, config, chosen, monitor),
            };
            let outcome = outcome.map_err(|refused| self.refuse(&refused))?;
            self.unsupported(&outcome)?;
            Ok::<Outcome, Ended>(outcome)
        };
        let trials = Trials::new(self, labels, monitor);
        let plainly = |system: &dyn System| {
            let Some(trials) = trials.as_ref().filter(|_| reduction.is_none()) else {
                return explore(system);
            };
            let outcome = explicit::explore(system, config, trials);
            if let Some(trial) = trials.won() {
                return Err(Ended::BetterOnSets(trial));
            }
            let outcome = outcome.map_err(|refused| self.refuse(&refused))?;
            self.unsupported(&outcome)?;
            Ok(outcome)
        };
        let outcome = match &decided.action {
            Action::Off => plainly(system)?,
            Action::Static(statics) => {
                let mut outcome = match Static::new(system, &statics.rules) {
                    Some(fewer) => explore(&fewer)?,
                    None => explore(system)?,
                };
                if statics.has_no_setup && outcome.statistics.setups == 1 {
                    outcome.statistics.setups = 0;
                    outcome.statistics.start_edges -= 1;
                }
                outcome
            }
            Action::Trial if !symmetry::trial(system, config, monitor, report) => plainly(system)?,
            action => {
                let method = match action {
                    Action::Quotient(method) => method.clone(),
                    _ => Method::Exact,
                };
                match Quotient::new(system, method) {
                    Some(quotient) => {
                        let mut outcome = explore(&quotient)?;
                        symmetry::unfold_paths(&quotient, &mut outcome).map_err(Ended::Bug)?;
                        symmetry::tell(&quotient.measure(), &outcome, report);
                        outcome
                    }
                    None => plainly(system)?,
                }
            }
        };
        self.count(&outcome, report);
        Ok(outcome)
    }

    pub(super) fn config(&self, labels: &[Asked<'_>], decided: &Decided) -> Config {
        let options = self.options;
        let order = match options.search {
            _ if decided.is_ordered() => explicit::Order::Bfs,
            Order::Bfs => explicit::Order::Bfs,
            Order::Dfs => explicit::Order::Dfs,
            Order::Mixed => explicit::Order::Mixed,
        };
        let threads = match order {
            explicit::Order::Bfs if !decided.is_ordered() => options.threads,
            _ => 1,
        };
        Config {
            order,
            store: match options.store {
                Store::Tree => StoreKind::Tree,
                Store::Plain => StoreKind::Plain,
                Store::Fingerprint => StoreKind::Fingerprint,
                Store::Bitstate => StoreKind::Bitstate,
            },
            threads,
            checks: self.checks(labels),
            limits: Limits {
                max_states: options.max_states,
                max_setups: options.max_setups,
                max_time: self.own_time(),
                max_memory: options.max_memory,
                max_depth: options
                    .max_depth
                    .map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            },
            keep_paths: true,
            checkpoint: options.checkpoint.as_ref().map(|path| Checkpoint {
                path: path.clone(),
                every: Duration::from_secs_f64(options.every),
            }),
            resume: options.resume.clone(),
            fingerprint: self.fingerprint(),
        }
    }

    /// How long the ordinary checks may take: formulas explore the same states again, so that half is theirs.
    fn own_time(&self) -> Option<Duration> {
        let all = self.options.max_time.map(Duration::from_secs_f64);
        match crate::plan::has_formulas(self.options) {
            true => all.map(|all| all / 2),
            false => all,
        }
    }

    pub(super) fn decided(&self, option: &str) -> Option<&'static str> {
        self.plan.decision(option).map(|decision| decision.chosen)
    }

    /// Which labels are asked where.
    pub(super) fn checks(&self, labels: &[Asked<'_>]) -> Checks {
        let options = self.options;
        let mut checks = Checks {
            deadlock: options.deadlock && options.only.is_none() && !self.model.actions.is_empty(),
            stop_after: options.all_findings,
            ..Checks::default()
        };
        for (index, asked) in labels.iter().enumerate() {
            let label = LabelId::new(index);
            let only = options.only.as_ref();
            let is_meant = only.is_none_or(|only| asked.is_named(only));
            match asked.kind {
                LabelKind::Invariant if options.invariant && is_meant => {
                    checks.invariants.push(label);
                }
                LabelKind::Assertion if options.assertions && is_meant => {
                    match asked.is_static && self.model.has_setup {
                        true => checks.setup_labels.push(label),
                        false => checks.assertions.push(label),
                    }
                }
                LabelKind::Goal => checks.goal = Some(label),
                _ => {}
            }
        }
        checks
    }

    /// What a checkpoint must agree on: the model with its scopes, what an undefined expression means, and which
    /// states stand for others.
    fn fingerprint(&self) -> Vec<u8> {
        let model = model::text::model(self.model);
        let (wd, symmetry) = (self.options.wd.word(), self.options.symmetry.word());
        let (por, dependence) = (self.options.por.word(), self.options.dependence.word());
        let version = env!("CARGO_PKG_VERSION");
        format!("burnside {version} {wd} {symmetry} {por} {dependence}\n{model}").into_bytes()
    }

    pub(super) fn definedness(&self) -> Definedness {
        match self.options.wd {
            Wd::Default => Definedness::Default,
            Wd::Strict => Definedness::Strict,
            Wd::Lenient => Definedness::Lenient,
        }
    }

    pub(super) fn refuse(&self, refused: &explicit::Refused) -> Diagnostic {
        let path = self.options.resume.as_ref();
        let message = match path {
            Some(path) => format!("cannot resume from \"{}\": {refused}", path.display()),
            None => refused.to_string(),
        };
        Diagnostic::global(&codes::CHECKPOINT, message)
    }

    /// A construct that cannot be evaluated at all ends the check.
    pub(super) fn unsupported(&self, outcome: &Outcome) -> Result<(), Ended> {
        let mut faults = outcome.findings.iter().filter_map(|f| f.fault.as_ref());
        let code = &codes::NOT_EXECUTABLE;
        match faults.find(|fault| fault.kind == FaultKind::Unsupported) {
            None => Ok(()),
            Some(fault) => Err(match fault.span {
                Some(span) => Diagnostic::error(code, span, &fault.message).into(),
                None => Diagnostic::global(code, &fault.message).into(),
            }),
        }
    }

    pub(super) fn count(&self, outcome: &Outcome, report: &mut Report) {
        let counted = &outcome.statistics;
        let statistics = &mut report.statistics;
        statistics.states = counted.states.into();
        statistics.setups = counted.setups;
        statistics.nodes = counted.nodes().into();
        statistics.transitions = Some(counted.transitions.into());
        statistics.edges = Some(counted.edges().into());
        statistics.next_state_calls = counted.next_state_calls;
        statistics.label_calls = counted.label_calls;
        statistics.depth = u64::from(counted.depth);
        statistics.store_bytes = counted.store_bytes;
        statistics.undefined_guards = outcome.notes.undefined_guards;
        statistics.dropped_faults = outcome.notes.dropped_faults;
    }

    pub(super) fn count_actions(
        &self,
        outcome: &Outcome,
        decode: &dyn Decode,
        report: &mut Report,
    ) {
        let counted = &outcome.statistics;
        let mut transitions = vec![0; self.model.actions.len()];
        for (group, count) in counted.group_transitions.iter().enumerate() {
            transitions[decode.action(pins::GroupId::new(group))] += count;
        }
        let actions = self.model.actions.iter().zip(transitions);
        report.operations = actions
            .map(|(action, transitions)| OperationCount {
                name: action.name.to_string(),
                transitions: Some(transitions.into()),
                happens: transitions > 0,
            })
            .collect();
        // An operation that was always left out may happen all the same.
        let is_told = report.reductions.por.method == "off";
        report.uncovered = report
            .operations
            .iter()
            .filter(|operation| is_told && !operation.happens)
            .map(|operation| operation.name.clone())
            .collect();
    }

    /// What only the symbolic engine counts, or counts exactly.
    pub(super) fn count_sets(
        &self,
        counted: &symbolic::Statistics,
        outcome: &Outcome,
        decode: &dyn Decode,
        report: &mut Report,
    ) {
        let common = &outcome.statistics;
        let statistics = &mut report.statistics;
        let states = Count::from(counted.states.clone());
        statistics.nodes = states.clone() + common.setups + 1;
        statistics.states = states;
        let transitions = counted.transitions.clone().map(Count::from);
        let edges = transitions.clone();
        statistics.edges = edges.map(|count| count + common.start_edges);
        statistics.transitions = transitions;
        let (lookups, hits) = counted.cache;
        statistics.symbolic = Some(Symbolic {
            ldd_nodes: counted.ldd_nodes,
            peak_ldd_nodes: counted.peak_ldd_nodes,
            peak_ldd_bytes: counted.peak_ldd_bytes,
            collections: counted.collections,
            levels: counted.levels,
            cache_hit_rate: hits as f64 / lookups.max(1) as f64,
        });
        for operation in &mut report.operations {
            operation.transitions = None;
            operation.happens = false;
        }
        for (group, is_enabled) in counted.is_enabled.iter().enumerate() {
            let action = decode.action(pins::GroupId::new(group));
            let operation = &mut report.operations[action];
            operation.happens |= is_enabled;
            if let Some(counts) = &counted.group_transitions {
                let more = Count::from(counts[group].clone());
                let sum = operation.transitions.take().unwrap_or_default();
                operation.transitions = Some(sum + more);
            }
        }
        let never = report
            .operations
            .iter()
            .filter(|operation| !operation.happens);
        report.uncovered = never.map(|operation| operation.name.clone()).collect();
    }

    /// Distinct values per variable; of one in several slots at least as many as its slot with the most.
    pub(super) fn count_values(&self, outcome: &Outcome, decode: &dyn Decode, report: &mut Report) {
        let mut values = vec![(0, 0, false); self.model.variables.len()];
        for (slot, distinct) in outcome.statistics.slot_values.iter().enumerate() {
            let (slots, most, at_least) = &mut values[decode.variable(slot)];
            *slots += 1;
            *most = u64::from(distinct.count).max(*most);
            *at_least |= distinct.is_at_least;
        }
        let variables = self.model.variables.iter().zip(values);
        report.variables = variables
            .filter(|((_, variable), _)| !variable.is_constant)
            .map(|((_, variable), (slots, values, at_least))| VariableCount {
                name: variable.name.to_string(),
                values,
                at_least: at_least || slots > 1 && values > 1,
            })
            .collect();
    }

    /// What a reader must know to read the verdict.
    fn tell(&self, outcome: &Outcome, report: &mut Report) {
        report.warnings.extend(outcome.warnings.iter().cloned());
        if self.options.threads > 1 && self.options.search != Order::Bfs {
            let search = self.options.search.word();
            report
                .warnings
                .push(format!("--search {search} explores with one thread"));
        }
        self.tell_notes(&outcome.notes, report);
        for open in &outcome.open {
            match open {
                // Told by the plan, with the reason.
                Open::LossyStore => {}
                Open::Cut => {
                    let cuts = outcome.notes.cuts.iter();
                    report
                        .open_because
                        .extend(cuts.map(|(_, text)| text.clone()));
                }
                open => report.open_because.push(self.reason(open, &outcome.notes)),
            }
        }
        if !outcome.is_complete && outcome.findings.is_empty() && report.open_because.is_empty() {
            report
                .open_because
                .push("not every state was explored".to_owned());
        }
    }

    pub(super) fn tell_notes(&self, notes: &Notes, report: &mut Report) {
        let at = |span: Option<Span>| {
            let place = span.map(|span| place_text(span, self.sources));
            place.map(|place| format!("{place}: ")).unwrap_or_default()
        };
        if let Some(first) = &notes.first_undefined {
            report.warnings.push(format!(
                "{}{} (counted as false; {} in all)",
                at(first.span),
                first.message,
                counted(notes.undefined_guards, "undefined guard")
            ));
        }
        if let Some(first) = &notes.first_dropped {
            report.warnings.push(format!(
                "{}{} (no transition; {} in all)",
                at(first.span),
                first.message,
                counted(notes.dropped_faults, "fault")
            ));
        }
        for (span, text) in &notes.cuts {
            report.warnings.push(format!("{}{text}", at(*span)));
        }
        if let Some(unsolved) = &notes.unsolved {
            for span in &unsolved.left {
                let place = place_text(*span, self.sources);
                report.warnings.push(format!(
                    "{place}: no values were found for this conjunct in time"
                ));
            }
            if let Some(best) = crate::solve::best(unsolved) {
                report.warnings.push(best);
            }
        }
    }

    pub(super) fn reason(&self, open: &Open, notes: &Notes) -> String {
        match open {
            Open::MaxStates => "the limit on states was reached".to_owned(),
            Open::MaxSetups => "the limit on set-ups was reached".to_owned(),
            Open::MaxTime => "the limit on time was reached".to_owned(),
            Open::MaxMemory => "the limit on memory was reached".to_owned(),
            Open::MaxDepth => "the limit on depth was reached".to_owned(),
            Open::Interrupted => "the run was interrupted".to_owned(),
            Open::LossyStore => "the store may take two states for one".to_owned(),
            Open::Cut => "an enumeration was cut".to_owned(),
            Open::Lost(why) => why.clone(),
            Open::Dropped => format!(
                "{} gave no transition (--wd lenient)",
                counted(notes.dropped_faults, "undefined branch")
            ),
            Open::Budget(count, fault) => {
                let place = fault.span.map(|span| place_text(span, self.sources));
                let place = place.map(|place| format!(" at {place}"));
                format!(
                    "{} could not be evaluated: {}{}",
                    counted(*count, "formula"),
                    fault.message,
                    place.unwrap_or_default()
                )
            }
        }
    }

    /// Replays what was found and puts it into the report.
    fn findings(
        &self,
        outcome: &Outcome,
        evidence: &Evidence<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        let is_error = self.options.goal_is_error;
        let decode_is_in_parts = evidence.decode.is_in_parts();
        for found in &outcome.findings {
            if is_hidden(found, &outcome.findings) {
                continue;
            }
            let shown = match evidence.finding(found) {
                // A part of a conjunct is false where another part has no value: neither has the conjunct.
                Err(_) if decode_is_in_parts && found.label.is_some() => {
                    let undefined = explicit::Finding {
                        kind: Kind::Fault,
                        ..found.clone()
                    };
                    evidence.finding(&undefined).map_err(Ended::Bug)?
                }
                // A step that was looked for may lie behind a cut.
                Err(_) if found.kind == Kind::Deadlock && !outcome.notes.cuts.is_empty() => {
                    continue;
                }
                shown => shown.map_err(Ended::Bug)?,
            };
            if let Some(doubt) = shown.doubt {
                report.warnings.push(format!(
                    "the reference evaluator did not confirm this finding: {doubt}"
                ));
            }
            if found.kind == Kind::Goal && !is_error {
                if let Some(goal) = &mut report.goal
                    && goal.reached != Some(true)
                {
                    goal.reached = Some(true);
                    goal.path = shown.finding.path;
                }
            } else {
                report.findings.push(shown.finding);
            }
        }
        if let Some(goal) = &mut report.goal {
            let found = outcome.findings.iter().any(|f| f.kind == Kind::Goal);
            if found {
                goal.reached = Some(true);
            } else if outcome.is_complete {
                goal.reached = Some(false);
            }
            if found && !is_error && !outcome.is_complete {
                report
                    .not_checked
                    .push("states that were not explored because the goal was reached".to_owned());
            }
        }
        Ok(())
    }
}

/// The checks of the model as labels of a system that may have several for one.
pub(super) fn in_system(checks: &Checks, system: &dyn System, decode: &dyn Decode) -> Checks {
    let of = |wanted: &[LabelId]| -> Vec<LabelId> {
        let all = (0..system.shape().labels.len()).map(LabelId::new);
        all.filter(|label| wanted.contains(&LabelId::new(decode.label(label.index()))))
            .collect()
    };
    Checks {
        invariants: of(&checks.invariants),
        assertions: of(&checks.assertions),
        setup_labels: of(&checks.setup_labels),
        goal: of(checks.goal.as_slice()).first().copied(),
        ..checks.clone()
    }
}

/// Whether a finding says less than another one about the same state: the invariant is false before a later
/// conjunct is undefined, and then that conjunct is not looked at.
fn is_hidden(found: &explicit::Finding, all: &[explicit::Finding]) -> bool {
    found.kind == Kind::Fault
        && found.label.is_some()
        && all.iter().any(|other| {
            other.state == found.state
                && other.path.len() == found.path.len()
                && matches!(other.kind, Kind::Invariant | Kind::Assertion)
                && other.label < found.label
        })
}

/// Passes on what the search tells.
pub(super) struct Watch<'a>(pub(super) &'a Hooks<'a>);

impl Monitor for Watch<'_> {
    fn progress(&self, progress: &explicit::Progress) {
        (self.0.progress)(&Progress {
            states: progress.states,
            transitions: progress.transitions,
            queue: progress.frontier,
            depth: u64::from(progress.depth),
            memory_bytes: progress.bytes,
            elapsed: progress.elapsed,
        });
    }

    fn should_stop(&self) -> bool {
        self.0.stop.load(std::sync::atomic::Ordering::Relaxed)
    }
}
