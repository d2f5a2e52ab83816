//! Explores a lowered model and fills the report: compile, explore, count, replay.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use std::sync::Arc;

use base::{Diagnostic, Sources, Span};
use pins::{FaultKind, LabelId, LabelKind, Notes, System};
use reduce::por::Reduction;
use reduce::symmetry::{Ends, Method, Quotient, Static};
use search::distributed::{self, Part, Place, Team};
use search::explicit::{
    self, Checkpoint, Checks, Config, FindingKind as Kind, Limits, Monitor, Open, Outcome,
    StoreKind,
};
use search::symbolic;
use subject::{Form, Ground, Parts, QuestionId, Subject};

use super::evidence::Evidence;
use super::labels::{self, Asked};
use super::por;
use super::symmetry::{self, Action, Decided};
use super::trials::Trials;
use super::{Ended, Hooks, Progress, hints};
use crate::choice::{Evaluator, Order, Por, Store, Symmetry};
use crate::codes;
use crate::plan::{Options, Plan};
use crate::report::{
    Count, Finding, FindingKind, OperationCount, Report, Symbolic, VariableCount, counted,
};

/// A model and what to do with it.
pub(super) struct Run<'a> {
    /// The model, the goal included.
    pub(super) subject: &'a dyn Subject,
    /// The texts that spans point into.
    pub(super) sources: &'a Sources,
    /// What the user wants.
    pub(super) options: &'a Options,
    /// A predicate to look for.
    pub(super) goal: Option<QuestionId>,
    /// What was decided.
    pub(super) plan: &'a Plan,
}

/// What is explored how.
#[derive(Clone, Copy)]
pub(super) struct Exploring<'a> {
    /// What engines are told.
    pub(super) config: &'a Config,
    /// What is done about symmetry.
    pub(super) decided: &'a Decided,
    /// Which steps are left out.
    pub(super) reduction: Option<&'a Reduction<'a>>,
    /// The predicates that are asked.
    pub(super) labels: &'a [Asked],
    /// Who watches.
    pub(super) monitor: &'a dyn Monitor,
}

impl Run<'_> {
    /// Explores the model and fills the report.
    pub(super) fn explore(&self, hooks: &Hooks<'_>, report: &mut Report) -> Result<(), Ended> {
        let labels = labels::all(self.subject, self.goal);
        if self.options.evaluator == Evaluator::Reference {
            let ground = self.ground(&self.form())?;
            return self.search(&*ground, &labels, &Decided::off(), None, hooks, report);
        }
        if self.plan.is_symbolic() {
            return self.search_sets(&labels, hooks, report);
        }
        let mut decided = symmetry::decide(self, report)?;
        let por = por::decide(self.options);
        let form = Form {
            guards: por.is_some(),
            packed: por.is_none() && decided.may_pack(),
            symmetry: decided.permuted(),
            statics: decided.statics(),
            ..self.form()
        };
        let ground = self.ground(&form)?;
        symmetry::confirm(&mut decided, ground.system(), report);
        let is_auto = self.plan.por.choice == Por::Auto && !decided.is_ordered();
        if self.plan.por.choice == Por::Auto && !is_auto {
            let why = "imprecise markers visit states in an order of their own";
            report.reductions.por.because = Some(why.to_owned());
        }
        if (por.is_some() || is_auto) && matches!(decided.action, Action::Trial) {
            let config = self.config(&labels, &decided);
            let pays = self.takes_exact(report)
                || symmetry::trial(ground.system(), &config, &Watch(hooks), report);
            decided.action = match pays {
                true => Action::Quotient(Method::Exact),
                false => Action::Off,
            };
        }
        match por {
            Some(por) => {
                let analysed = self.analyse(ground, &labels, &decided, por, hooks)?;
                self.search_fewer(analysed, &labels, &decided, hooks, report)
            }
            None if is_auto => self.explore_auto(&*ground, &labels, &decided, hooks, report),
            None => self.search(&*ground, &labels, &decided, None, hooks, report),
        }
    }

    /// The form of the model as a whole.
    pub(super) fn form(&self) -> Form<'_> {
        Form {
            evaluator: self.options.evaluator,
            wd: self.options.setting.wd,
            solver: self.options.solver,
            goal: self.goal,
            ..Form::default()
        }
    }

    /// The model as a whole in a form.
    ///
    /// # Panics
    /// If a subject has no form of its model as a whole, which is a bug.
    pub(super) fn ground(&self, form: &Form<'_>) -> Result<Arc<dyn Ground>, Ended> {
        debug_assert_eq!(form.parts, Parts::Whole);
        let ground = self.subject.ground(form)?;
        Ok(ground.expect("every subject has a form of its model as a whole"))
    }

    pub(super) fn search(
        &self,
        ground: &dyn Ground,
        labels: &[Asked],
        decided: &Decided,
        por: Option<por::Prepared>,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        if self.plan.is_symbolic() {
            let outcome = self.explore_sets(ground, labels, None, Instant::now(), hooks)?;
            return self.conclude_sets(outcome, (ground, labels), report);
        }
        let mut config = self.config(labels, decided);
        config.checks = in_system(&config.checks, ground);
        let shape = ground.system().shape();
        let reduction = por.as_ref().map(|por| por.reduction(shape));
        let exploring = Exploring {
            config: &config,
            decided,
            reduction: reduction.as_ref(),
            labels,
            monitor: &Watch(hooks),
        };
        let mut outcome = self.reduced(ground.system(), &exploring, report)?;
        if let (Some(por), Some(reduction)) = (&por, &reduction) {
            por.tell((ground, labels), reduction, &outcome, report);
        }
        name_labels(ground, &mut outcome);
        self.conclude(&outcome, None, (ground, labels, decided), report)?;
        self.certify(&outcome, (ground, &self.checks(labels)), report)
    }

    /// Puts what a search found into the report.
    pub(super) fn conclude(
        &self,
        outcome: &Outcome,
        symbolic: Option<symbolic::Statistics>,
        (ground, labels, decided): (&dyn Ground, &[Asked], &Decided),
        report: &mut Report,
    ) -> Result<(), Ended> {
        self.count_events(outcome, ground, report);
        self.count_values(outcome, ground, report);
        if let Some(counted) = symbolic {
            self.count_sets(&counted, outcome, ground, report);
        }
        self.tell(outcome, report);
        self.tell_uncovered(outcome, ground, report);
        let layers = ground.solvers();
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
            subject: self.subject,
            sources: self.sources,
            labels,
            ground,
            wd: self.options.setting.wd,
            stuttering: self.stuttering(),
        };
        self.findings(outcome, &evidence, report)?;
        report.hints = hints::hints(
            (report.statistics.states.saturating(), report.words.event),
            &report.operations,
            &report.variables,
            outcome.is_complete,
        );
        Ok(())
    }

    /// Explores the system, or the smaller one that stands for it.
    pub(super) fn reduced(
        &self,
        system: &dyn System,
        exploring: &Exploring<'_>,
        report: &mut Report,
    ) -> Result<Outcome, Ended> {
        let Exploring {
            config,
            decided,
            reduction,
            labels,
            monitor,
        } = *exploring;
        if self.plan.is_distributed() && decided.is_ordered() {
            let why = "the distributed engine has no imprecise symmetry markers: they need an order of visits";
            return Err(Diagnostic::global(&codes::MISFIT_OPTION, why).into());
        }
        let parts = RefCell::new(Vec::new());
        let explore = |system: &dyn System| {
            let outcome = match reduction {
                _ if self.plan.is_distributed() => {
                    let (outcome, shares) = self.explore_together(system, exploring)?;
                    *parts.borrow_mut() = shares;
                    Ok(outcome)
                }
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
            Action::Trial
                if !self.takes_exact(report)
                    && !symmetry::trial(system, config, monitor, report) =>
            {
                plainly(system)?
            }
            action => {
                let method = match action {
                    Action::Quotient(method) => method.clone(),
                    _ => Method::Exact,
                };
                // What is left out of a state's steps is found by following them.
                let ends = match reduction {
                    Some(_) => Ends::Held,
                    None => Ends::Shared,
                };
                match Quotient::with_ends(system, method, ends) {
                    Some(quotient) => {
                        let mut outcome = explore(&quotient)?;
                        symmetry::unfold_paths(&quotient, &mut outcome).map_err(Ended::Bug)?;
                        let mut measure = quotient.measure();
                        if self.plan.is_distributed() {
                            // It is that of this process alone.
                            (measure.states, measure.setups) = (None, None);
                        }
                        symmetry::tell(&measure, &outcome, report);
                        outcome
                    }
                    None => {
                        if ends == Ends::Held {
                            symmetry::tell_held(report);
                        }
                        plainly(system)?
                    }
                }
            }
        };
        self.count(&outcome, report);
        report.vector_bytes = 4 * system.shape().slots.len() as u64;
        report.workers = parts.into_inner();
        Ok(outcome)
    }

    /// Whether interchangeable elements are made use of without a trial: many processes cannot try it out.
    fn takes_exact(&self, report: &mut Report) -> bool {
        if self.plan.is_distributed() {
            report.reductions.symmetry.method = Symmetry::Exact;
        }
        self.plan.is_distributed()
    }

    /// Explores together with the other processes of the team.
    fn explore_together(
        &self,
        system: &dyn System,
        exploring: &Exploring<'_>,
    ) -> Result<(Outcome, Vec<Part>), Ended> {
        let options = self.options;
        let config = distributed::Config {
            search: Config {
                checkpoint: None,
                resume: None,
                ..exploring.config.clone()
            },
            threads: options.threads,
            memory_each: None,
            saves: options.checkpoint.as_ref().map(|folder| Place {
                folder: folder.clone(),
                every: Duration::from_secs_f64(options.every),
            }),
            resume: options.resume.clone(),
        };
        let alone = Team::alone();
        let team = options.team.as_deref().unwrap_or(&alone);
        let (reduction, monitor) = (exploring.reduction, exploring.monitor);
        let outcome = distributed::explore(system, &config, reduction, team, monitor);
        match outcome.map_err(|refused| self.refuse(&refused))? {
            Some(outcome) => Ok((outcome.search, outcome.parts)),
            None => Err(Ended::Helped),
        }
    }

    pub(super) fn config(&self, labels: &[Asked], decided: &Decided) -> Config {
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
            keep_states: options.certificate.is_some(),
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

    /// Whether a state all of whose steps lead back to it is a deadlock.
    pub(super) fn stuttering(&self) -> bool {
        let usual = self.subject.description().stutters;
        self.options.stuttering.unwrap_or(usual)
    }

    /// Conditions that were to be met and, in a complete search, were not.
    fn tell_uncovered(&self, outcome: &Outcome, ground: &dyn Ground, report: &mut Report) {
        let is_told = report.open_because.is_empty() && outcome.findings.is_empty();
        if !self.options.setting.obligations.assertions || !outcome.is_complete || !is_told {
            return;
        }
        let covers = ground.covers().into_iter();
        let is_meant = |name: &str| self.options.only.as_ref().is_none_or(|only| only == name);
        for (_, name) in covers
            .filter(|(number, name)| is_meant(name) && !outcome.notes.covered.contains(number))
        {
            let message = format!("cover \"{name}\" is met in no state");
            report
                .findings
                .push(Finding::without_path(FindingKind::Cover, name, message));
        }
    }

    /// Which labels are asked where.
    pub(super) fn checks(&self, labels: &[Asked]) -> Checks {
        let options = self.options;
        let mut checks = Checks {
            deadlock: options.deadlock
                && options.only.is_none()
                && !self.subject.description().events.is_empty(),
            stuttering: self.stuttering(),
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
                LabelKind::Assertion if options.setting.obligations.assertions && is_meant => {
                    match asked.is_static && self.subject.description().has_setup {
                        true => checks.setup_labels.push(label),
                        false => checks.assertions.push(label),
                    }
                }
                LabelKind::Goal => checks.goal = Some(label),
                LabelKind::End => checks.ends.push(label),
                LabelKind::Cover if options.setting.obligations.assertions && is_meant => {
                    checks.covers.push(label);
                }
                _ => {}
            }
        }
        checks
    }

    /// What a checkpoint must agree on: the model with its scopes, what an undefined expression means, and which
    /// states stand for others.
    fn fingerprint(&self) -> Vec<u8> {
        let model = self.subject.model_text();
        let (wd, symmetry) = (self.options.setting.wd.word(), self.options.symmetry.word());
        let (por, dependence) = (self.options.por.word(), self.options.dependence.word());
        let version = env!("CARGO_PKG_VERSION");
        format!("burnside {version} {wd} {symmetry} {por} {dependence}\n{model}").into_bytes()
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

    pub(super) fn count_events(&self, outcome: &Outcome, ground: &dyn Ground, report: &mut Report) {
        let counted = &outcome.statistics;
        let events = &self.subject.description().events;
        let mut transitions = vec![0; events.len()];
        for (group, count) in counted.group_transitions.iter().enumerate() {
            transitions[ground.event(pins::GroupId::new(group)).index()] += count;
        }
        let mut blocked = vec![0; events.len()];
        for (group, count) in ground.blocked().into_iter().enumerate() {
            blocked[ground.event(pins::GroupId::new(group)).index()] += count;
        }
        report.operations = events
            .iter()
            .zip(transitions)
            .zip(blocked)
            .map(|((event, transitions), blocked)| OperationCount {
                name: event.name.to_string(),
                transitions: Some(transitions.into()),
                happens: transitions > 0,
                place: event.span.map(|span| self.sources.place(span)),
                blocked,
            })
            .collect();
        // An operation that was always left out may happen all the same.
        let is_told = report.reductions.por.method == Por::Off;
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
        ground: &dyn Ground,
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
            let event = ground.event(pins::GroupId::new(group));
            let operation = &mut report.operations[event.index()];
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
    pub(super) fn count_values(&self, outcome: &Outcome, ground: &dyn Ground, report: &mut Report) {
        if ground.system().shape().is_packed {
            return;
        }
        let components = &self.subject.description().components;
        let mut values = vec![(0, 0, false); components.len()];
        for (slot, distinct) in outcome.statistics.slot_values.iter().enumerate() {
            let (slots, most, at_least) = &mut values[ground.component(slot).index()];
            *slots += 1;
            *most = u64::from(distinct.count).max(*most);
            *at_least |= distinct.is_at_least;
        }
        let components = components.iter().zip(values);
        report.variables = components
            .filter(|(component, _)| !component.is_constant)
            .map(|(component, (slots, values, at_least))| VariableCount {
                name: component.name.to_string(),
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
            let place = span.map(|span| self.sources.place(span));
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
                let place = self.sources.place(*span);
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
                let place = fault.span.map(|span| self.sources.place(span));
                let place = place.map(|place| format!(" at {place}"));
                if fault.kind == FaultKind::Cut {
                    let place = place.unwrap_or_default();
                    return format!("the formula is unknown: {}{place}", fault.message);
                }
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
        let is_in_parts = evidence.ground.split() > 0;
        for found in &outcome.findings {
            if is_hidden(found, &outcome.findings) {
                continue;
            }
            let shown = match evidence.finding(found) {
                // A part of a conjunct is false where another part has no value: neither has the conjunct.
                Err(_) if is_in_parts && found.label.is_some() => {
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
pub(super) fn in_system(checks: &Checks, ground: &dyn Ground) -> Checks {
    let of = |wanted: &[LabelId]| -> Vec<LabelId> {
        let all = (0..ground.system().shape().labels.len()).map(LabelId::new);
        all.filter(|label| wanted.contains(&ground.label(*label)))
            .collect()
    };
    Checks {
        invariants: of(&checks.invariants),
        assertions: of(&checks.assertions),
        setup_labels: of(&checks.setup_labels),
        goal: of(checks.goal.as_slice()).first().copied(),
        covers: of(&checks.covers),
        ends: of(&checks.ends),
        ..checks.clone()
    }
}

/// Gives the labels of findings the numbers that they have in the subject.
pub(super) fn name_labels(ground: &dyn Ground, outcome: &mut Outcome) {
    for found in &mut outcome.findings {
        found.label = found.label.map(|label| ground.label(label));
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
