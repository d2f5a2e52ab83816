//! Checks a model: load, plan, lower, compile, explore, replay, conclude.
//!
//! The stages are stacked in `stages`, top to bottom in the order of execution. Whatever happens ends as
//! one [`Report`]; the verdict is computed last.
//! Invariant: a finding is in the report only after it was replayed on the reference evaluator.

mod bounded;
mod certificate;
mod evidence;
mod hints;
pub(crate) mod labels;
mod minimise;
mod pages;
mod por;
mod process;
pub(crate) mod relations;
mod run;
mod sets;
mod symmetry;
mod temporal;
mod trials;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::render;
use base::{Diagnostic, Diagnostics, Severity, Sources};
use pins::{LabelKind, Shape};
use subject::{
    Form, FormulaKind, Ground, Parts, Question, QuestionId, Recognised, Subject, Wanted, Wd,
};
use verdict::format::Format;

use self::temporal::Formulas;
use crate::choice::{Engine, Fair, Order, Por, Split, SymbolicOrder, Symmetry};
use crate::codes;
use crate::lint::Lint;
use crate::open::{Opened, Workbench};
use crate::plan::{Options, Plan, Trial, asks_formulas, plan, refuses_formulas};
use crate::report::{Choice, ConjunctReport, ConjunctState, Goal, Report};
use crate::runnable::View;

/// How far a run is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// Transitions found.
    pub transitions: u64,
    /// States found and not explored yet.
    pub queue: u64,
    /// The depth of the state that was explored last.
    pub depth: u64,
    /// What the search needs.
    pub memory_bytes: u64,
    /// Since the search began.
    pub elapsed: Duration,
}

/// What a run listens to and tells.
#[derive(Clone, Copy)]
pub struct Hooks<'a> {
    /// Set when the user wants an end.
    pub stop: &'a AtomicBool,
    /// Called from time to time.
    pub progress: &'a (dyn Fn(&Progress) + Sync),
}

/// What became of a check.
#[derive(Debug)]
pub struct Check {
    /// What is wrong with the model or the options, with the texts to point into.
    pub lint: Lint,
    /// The report.
    pub report: Report,
    /// A broken invariant of ours: there is no result.
    pub bug: Option<String>,
}

/// Why there is no result.
enum Ended {
    /// This process was a worker of a run that another one reports.
    Helped,
    /// A trial shows that the symbolic engine does better.
    BetterOnSets(Trial),
    /// The model or the options are at fault.
    Refused(Diagnostics),
    /// We are.
    Bug(String),
}

impl From<Diagnostics> for Ended {
    fn from(diagnostics: Diagnostics) -> Ended {
        Ended::Refused(diagnostics)
    }
}

impl From<Diagnostic> for Ended {
    fn from(diagnostic: Diagnostic) -> Ended {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        Ended::Refused(diagnostics)
    }
}

/// The exit code of an internal error.
const BUG: u8 = 255;

/// Checks the model in a file.
pub fn check(bench: &Workbench, path: &Path, options: &Options, hooks: &Hooks<'_>) -> Check {
    let start = Instant::now();
    let mut setting = options.setting.clone();
    setting.obligations.formulas = asks_formulas(options) && !options.besides.assertions;
    let opened = bench.open(path, &setting);
    let (mut lint, subject) = match opened {
        Ok(Opened { lint, subject }) => (lint, Some(subject)),
        Err(lint) => (*lint, None),
    };
    let mut report = Report::new(
        path.display().to_string(),
        lint.language.map(Recognised::id),
    );
    let mut bug = None;
    let samples: Mutex<Vec<Progress>> = Mutex::default();
    let progress = |progress: &Progress| {
        if options.report.is_some() {
            let mut samples = samples.lock().unwrap_or_else(PoisonError::into_inner);
            samples.push(*progress);
        }
        (hooks.progress)(progress);
    };
    let hooks = Hooks {
        stop: hooks.stop,
        progress: &progress,
    };
    let mut subject = subject;
    let ended = stages(
        &mut lint,
        subject.as_deref_mut(),
        options,
        &hooks,
        &mut report,
    );
    let error = match ended {
        Ok(()) => None,
        Err(Ended::Helped) => {
            let why = "another process reports what was found";
            report.open_because.push(why.to_owned());
            None
        }
        Err(Ended::Refused(diagnostics)) => {
            lint.diagnostics.extend(diagnostics);
            Some(lint.diagnostics.exit())
        }
        Err(ended) => {
            report.findings.clear();
            report.goal = None;
            bug = Some(match ended {
                Ended::Bug(message) => message,
                _ => "a trial was not taken up".to_owned(),
            });
            Some(BUG)
        }
    };
    report.diagnostics = errors(&lint, bug.as_deref());
    report.statistics.wall_s = start.elapsed().as_secs_f64();
    report.statistics.peak_memory_bytes = process::peak_memory();
    report.conclude(error);
    let samples = samples.into_inner().unwrap_or_else(PoisonError::into_inner);
    let ground = match options.dot.is_some() || options.report.is_some() {
        true => subject
            .as_deref()
            .and_then(|subject| whole(subject, options)),
        false => None,
    };
    let view = subject
        .as_deref()
        .zip(ground.as_deref())
        .map(|(subject, ground)| View::new(subject, ground, options.setting.wd));
    pages::write(path, view, options, &samples, &mut report);
    Check { lint, report, bug }
}

/// The model as a whole, to walk through; `None` when it cannot be run.
fn whole(subject: &dyn Subject, options: &Options) -> Option<Arc<dyn Ground>> {
    let form = Form {
        wd: options.setting.wd,
        ..Form::default()
    };
    subject.ground(&form).ok().flatten()
}

/// What a run did not react to in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The limit on time.
    Time,
    /// An interrupt.
    Interrupt,
}

/// The answer of a run that is in the middle of an evaluation and was given up: what was heard of it last.
pub fn unanswered(bench: &Workbench, path: &Path, last: &Progress, why: Unanswered) -> Check {
    let lint = Lint::new(bench, path);
    let language = lint.language.map(Recognised::id);
    let mut report = Report::new(path.display().to_string(), language);
    let why = match why {
        Unanswered::Time => "the limit on time was reached in the middle of an evaluation",
        Unanswered::Interrupt => "the run was interrupted in the middle of an evaluation",
    };
    report.open_because.push(why.to_owned());
    let statistics = &mut report.statistics;
    statistics.states = last.states.into();
    statistics.transitions = Some(last.transitions.into());
    statistics.nodes = (last.states + 1).into();
    statistics.edges = Some(last.transitions.into());
    statistics.depth = last.depth;
    statistics.peak_memory_bytes = process::peak_memory();
    statistics.wall_s = last.elapsed.as_secs_f64();
    report.conclude(None);
    Check {
        lint,
        report,
        bug: None,
    }
}

/// The slots and groups that the symbolic engine works on.
pub(crate) fn shape_of(subject: &dyn Subject, split: Split) -> Result<Shape, Diagnostics> {
    let parts = match split {
        Split::Off => Parts::Whole,
        Split::On => Parts::Everything,
        Split::Auto => Parts::Worth,
    };
    let in_parts = subject.ground(&Form {
        parts,
        ..Form::default()
    })?;
    let ground = match in_parts {
        Some(ground) => Some(ground),
        None => subject.ground(&Form::default())?,
    };
    Ok(ground.map_or_else(Shape::default, |ground| ground.system().shape().clone()))
}

/// The events of a model, or their instances, and the relations between them.
pub(crate) fn related(
    subject: &dyn Subject,
    (instances, wd): (bool, Wd),
    manner: relations::Manner<'_>,
) -> Result<(Vec<String>, relations::Related), Diagnostics> {
    let whole = Form {
        guards: true,
        wd,
        ..Form::default()
    };
    let parts = match instances {
        true => subject.ground(&Form {
            parts: Parts::Everything,
            counts: true,
            ..whole
        })?,
        false => None,
    };
    let ground = match parts {
        Some(ground) => Some(ground),
        None => subject.ground(&whole)?,
    };
    let ground = ground.expect("every subject has a form of its model as a whole");
    let groups = &ground.system().shape().groups;
    let mut names: Vec<String> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let is_same = |other: &&pins::Group| other.name == group.name;
        let before = groups[..at].iter().filter(is_same).count();
        names.push(match groups.iter().filter(is_same).count() {
            1 => group.name.to_string(),
            _ => format!("{}#{}", group.name, before + 1),
        });
    }
    Ok((names, relations::relate(subject, &*ground, &[], manner)))
}

/// The stages of a check.
fn stages(
    lint: &mut Lint,
    subject: Option<&mut (dyn Subject + 'static)>,
    options: &Options,
    hooks: &Hooks<'_>,
    report: &mut Report,
) -> Result<(), Ended> {
    let start = Instant::now();
    let own = subject
        .as_ref()
        .map(|subject| as_the_language_asks(options, subject.description()));
    let options = own.as_ref().unwrap_or(options);
    let plan = plan(options)?;
    let trace = options.trace_out.as_deref().map(trace_format).transpose()?;
    let written = [&options.report, &options.dot, &options.certificate];
    for file in written.into_iter().flatten() {
        writable(file)?;
    }
    let Some(subject) = subject else {
        return Err(Ended::Refused(Diagnostics::new()));
    };
    if options.certificate.is_some() && subject.certifying().is_none() {
        return Err(crate::plan::missing("--certificate", "certificates for this language").into());
    }
    tell_plan(&plan, options, report);
    tell_warnings(lint, report);
    report.model.name = Some(subject.description().name.clone());
    report.words = subject.words();
    fits(options, subject)?;
    let goal = goal(options, subject, &mut lint.sources)?;
    let formulas = temporal::prepare(options, subject, &mut lint.sources, report)?;
    let subject: &dyn Subject = subject;
    tell_model(subject, options, report);
    if let Some(formulas) = &formulas {
        formulas.tell_checked(report);
    }
    let run = run::Run {
        subject,
        sources: &lint.sources,
        options,
        goal,
        plan: &plan,
    };
    if options.engine == Engine::Bmc {
        return bounded::check(&run, hooks, report);
    }
    let before = report.clone();
    loop {
        let done = search(&run, formulas.as_ref(), start, hooks, report);
        let is_late = options
            .max_time
            .is_some_and(|most| start.elapsed().as_secs_f64() >= most);
        if is_late || hooks.stop.load(Relaxed) || !subject.make_room() {
            done?;
            break;
        }
        *report = before.clone();
        if formulas.is_none() && dive(&run, hooks, report)? {
            break;
        }
    }
    let is_shortest = options.search == Order::Bfs
        && report.reductions.por.method == Por::Off
        && (!plan.is_symbolic()
            || plan.order.and_then(|order| order.choice) == Some(SymbolicOrder::Bfs));
    if !is_shortest && !report.findings.is_empty() {
        shorten(subject, options, start, hooks, report);
    }
    if options.chart || options.report.is_some() {
        for finding in &mut report.findings {
            let trace = finding.evidence.as_ref().map(|(trace, _)| trace);
            let chart = trace.and_then(|trace| subject.chart(trace));
            finding.chart = chart.filter(|chart| !chart.rows.is_empty());
        }
    }
    if let (Some(format), Some(path)) = (trace, &options.trace_out) {
        evidence::save(path, format, subject, report);
    }
    Ok(())
}

/// The options, with what the language asks for where the user did not.
fn as_the_language_asks(options: &Options, description: &subject::Description) -> Options {
    let is_asked = options.setting.obligations.assertions && options.only.is_none();
    // Formulas of the text are left out, and told as not checked, where a wanted engine or reduction does not keep them.
    let keeps_all_steps = matches!(options.por, Por::Auto | Por::Off);
    let is_kept = !refuses_formulas(options) && (keeps_all_steps || !asks_formulas(options));
    let mut own = Options {
        own_formulas: description.asks_formulas && is_asked && is_kept && !options.definitions,
        // Rules that lead back hardly ever leave out anything, and trials cost.
        por: match options.por {
            Por::Auto if description.stutters => Por::Off,
            por => por,
        },
        ..options.clone()
    };
    if asks_formulas(options) && description.formulas_alone {
        own.invariant = false;
        own.deadlock &= options.besides.deadlock;
        own.setting.obligations.assertions &= options.besides.assertions;
    }
    own
}

/// States of a dive.
const DIVE_STATES: u64 = 100_000;

/// Looks for findings depth-first for a while: a model that asked for more room may ask for ever more, and what goes wrong then
/// lies deeper than breadth-first search comes. Whether something was found; otherwise nothing is in the report.
fn dive(run: &run::Run<'_>, hooks: &Hooks<'_>, report: &mut Report) -> Result<bool, Ended> {
    let is_plain = run.options.search == Order::Bfs
        && !run.plan.is_symbolic()
        && !run.plan.is_distributed()
        && run.options.resume.is_none();
    if !is_plain {
        return Ok(false);
    }
    let options = Options {
        search: Order::Dfs,
        threads: 1,
        por: Por::Off,
        symmetry: Symmetry::Off,
        checkpoint: None,
        max_states: Some(
            run.options
                .max_states
                .unwrap_or(DIVE_STATES)
                .min(DIVE_STATES),
        ),
        ..run.options.clone()
    };
    let plan = plan(&options)?;
    let deep = run::Run {
        options: &options,
        plan: &plan,
        ..*run
    };
    loop {
        let mut found = report.clone();
        let done = deep.explore(hooks, &mut found);
        if hooks.stop.load(Relaxed) {
            return Ok(false);
        }
        if run.subject.make_room() {
            continue;
        }
        done?;
        if found.findings.is_empty() {
            return Ok(false);
        }
        found.warnings.push(
            "found depth-first, so the path may not be the shortest: breadth-first search did not come to an end".to_owned(),
        );
        *report = found;
        return Ok(true);
    }
}

/// Explores the model, then checks its formulas.
fn search(
    run: &run::Run<'_>,
    formulas: Option<&Formulas>,
    start: Instant,
    hooks: &Hooks<'_>,
    report: &mut Report,
) -> Result<(), Ended> {
    let options = run.options;
    if formulas.is_none() || !Formulas::are_alone(options) {
        match run.explore(hooks, report) {
            Err(Ended::BetterOnSets(trial)) => on_sets(run, trial, start, hooks, report)?,
            done => done?,
        }
        seek_goal(run, start, hooks, report)?;
    }
    let Some(formulas) = formulas else {
        return Ok(());
    };
    // What the model itself asks for is about all steps, whatever the other checks leave out.
    let mut whole = options.clone();
    if !asks_formulas(options) {
        whole.por = Por::Off;
        whole.symmetry = match options.symmetry {
            Symmetry::Markers | Symmetry::Static => Symmetry::Auto,
            symmetry => symmetry,
        };
    }
    let run = run::Run {
        options: &whole,
        ..*run
    };
    formulas.check(&run, start, hooks, report)
}

/// Begins anew with the symbolic engine.
fn on_sets(
    run: &run::Run<'_>,
    trial: Trial,
    start: Instant,
    hooks: &Hooks<'_>,
    report: &mut Report,
) -> Result<(), Ended> {
    let mut options = run.options.clone();
    options.count_transitions = true;
    let left = |most: f64| (most - start.elapsed().as_secs_f64()).max(0.1);
    options.max_time = options.max_time.map(left);
    let plan = run.plan.on_sets(&options, trial);
    report.choices.clear();
    tell_plan(&plan, &options, report);
    let run = run::Run {
        options: &options,
        plan: &plan,
        ..*run
    };
    run.explore(hooks, report)
}

/// Looks for the goal alone where findings ended the run before it was met: it is a question of its own.
fn seek_goal(
    run: &run::Run<'_>,
    start: Instant,
    hooks: &Hooks<'_>,
    report: &mut Report,
) -> Result<(), Ended> {
    let is_open = report
        .goal
        .as_ref()
        .is_some_and(|goal| goal.reached.is_none());
    let is_stopped = hooks.stop.load(Relaxed) || !report.open_because.is_empty();
    if !is_open || is_stopped || report.findings.is_empty() || run.options.goal_is_error {
        return Ok(());
    }
    let mut options = run.options.clone();
    options.invariant = false;
    options.deadlock = false;
    options.only = None;
    options.setting.obligations.assertions = false;
    let left = |most: f64| (most - start.elapsed().as_secs_f64()).max(0.1);
    options.max_time = options.max_time.map(left);
    let mut alone = report.clone();
    alone.findings.clear();
    let run = run::Run {
        options: &options,
        ..*run
    };
    match run.explore(hooks, &mut alone) {
        // What the trial was for is decided: the goal was not met within it.
        Err(Ended::BetterOnSets(_)) => Ok(()),
        Err(ended) => Err(ended),
        Ok(()) => {
            report.goal = alone.goal;
            Ok(())
        }
    }
}

/// Makes the paths of findings shorter: for at most as long as they were looked for, and a second.
fn shorten(
    subject: &dyn Subject,
    options: &Options,
    start: Instant,
    hooks: &Hooks<'_>,
    report: &mut Report,
) {
    let Some(ground) = whole(subject, options) else {
        return;
    };
    let view = View::new(subject, &*ground, options.setting.wd);
    let until = start.elapsed() * 2 + Duration::from_secs(1);
    let until = options.max_time.map_or(until, |most| {
        until.min(Duration::from_secs_f64(most.max(0.0)))
    });
    let is_over = || hooks.stop.load(Relaxed) || start.elapsed() >= until;
    for finding in &mut report.findings {
        minimise::shorten(view, finding, &is_over);
    }
}

/// The format of a trace file that can be written.
fn trace_format(path: &Path) -> Result<Format, Ended> {
    let format = Format::of(path)
        .map_err(|why| Diagnostic::global(&codes::MISFIT_OPTION, format!("--trace-out: {why}")))?;
    writable(path)?;
    Ok(format)
}

/// A file to be written has a folder.
fn writable(path: &Path) -> Result<(), Ended> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Diagnostic::global(
            &codes::UNWRITABLE,
            format!(
                "cannot write \"{}\": there is no such folder",
                path.display()
            ),
        )
        .into());
    }
    Ok(())
}

/// Options that name parts of the model name parts it has.
fn fits(options: &Options, subject: &dyn Subject) -> Result<(), Diagnostics> {
    let description = subject.description();
    let mut misfits = Diagnostics::new();
    let mut misfit = |message: String| {
        misfits.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
    };
    for (name, _) in &options.setting.scopes.cards {
        if !description.sets.iter().any(|(set, _)| set == name) {
            misfit(format!("--card {name}: the model has no set of this name"));
        }
    }
    if let Some(machine) = &options.setting.part.machine
        && *machine != description.name
    {
        misfit(format!(
            "--machine {machine}: the file holds {}",
            description.name
        ));
    }
    let labels = labels::all(subject, None);
    if let Some(only) = &options.only
        && !labels.iter().any(|label| label.is_named(only))
    {
        let known: Vec<String> = labels
            .iter()
            .filter_map(|asked| asked.label.clone())
            .collect();
        let known = match known.is_empty() {
            true => "the model has no labels".to_owned(),
            false => format!("there are {}", known.join(", ")),
        };
        misfit(format!(
            "--only {only}: no conjunct or assertion has this label; {known}"
        ));
    }
    if misfits.has_errors() {
        Err(misfits)
    } else {
        Ok(())
    }
}

/// The goal, as a question.
fn goal(
    options: &Options,
    subject: &mut dyn Subject,
    sources: &mut Sources,
) -> Result<Option<QuestionId>, Ended> {
    let Some(text) = &options.goal else {
        return Ok(None);
    };
    let file = sources.add("<--goal>", text.clone());
    let span = base::Span::new(file, 0, text.len() as u32);
    let question = Question {
        text,
        span: Some(span),
        wanted: Wanted::Formula,
        scope: &[],
    };
    let question = subject.ask(&question, sources)?;
    if subject.kind(question) == FormulaKind::Expression {
        let message = "the goal is an expression; a predicate is needed";
        return Err(Diagnostic::error(&codes::GOAL_NOT_PREDICATE, span, message).into());
    }
    Ok(Some(question))
}

/// Puts the plan into the report.
fn tell_plan(plan: &Plan, options: &Options, report: &mut Report) {
    report.reductions.symmetry.method = match plan.symmetry.choice {
        // A trial decides.
        Symmetry::Auto => Symmetry::Off,
        method => method,
    };
    report.reductions.symmetry.because = plan.symmetry.because.map(str::to_owned);
    report.reductions.por.method = match plan.por.choice {
        Por::Auto => Por::Off,
        method => method,
    };
    report.reductions.por.because = plan.por.because.map(str::to_owned);
    for decision in plan.decisions() {
        report.choices.push(Choice {
            option: decision.option,
            chosen: decision.chosen.to_owned(),
            because: decision.because,
        });
    }
    report.choices.push(Choice {
        option: "threads",
        chosen: options.threads.to_string(),
        because: None,
    });
    if options.fair != Fair::None {
        report.choices.push(Choice {
            option: "fair",
            chosen: options.fair.word().to_owned(),
            because: None,
        });
    }
    let open = plan.open_because.iter();
    report
        .open_because
        .extend(open.map(|why| (*why).to_owned()));
}

/// Puts the warnings of the front end into the report.
fn tell_warnings(lint: &Lint, report: &mut Report) {
    for diagnostic in &lint.diagnostics {
        let place = diagnostic.primary.as_ref().map(|label| label.span);
        let place = place.map(|span| lint.sources.place(span));
        let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
        report
            .warnings
            .push(format!("{place}{}", diagnostic.message));
    }
}

/// Puts what the model says about itself into the report.
fn tell_model(subject: &dyn Subject, options: &Options, report: &mut Report) {
    let model = subject.description();
    let has = |kind| model.labels.iter().any(|label| label.kind == kind);
    report.reductions.merging = model.merging;
    report.scopes.extend(model.scopes.iter().cloned());
    report.warnings.extend(model.warnings.iter().cloned());
    let names_goal = options.goal.as_deref().map(str::trim) == Some("GOAL");
    let not_checked = model.not_checked.iter();
    report.not_checked.extend(
        not_checked
            .filter(|what| !(names_goal && what.starts_with("GOAL")))
            .cloned(),
    );
    let only = options.only.is_some();
    for (is_checked, what) in [
        (options.invariant && has(LabelKind::Invariant), "invariant"),
        (
            options.deadlock && !only && !model.events.is_empty(),
            "deadlock",
        ),
        (
            options.setting.obligations.assertions && has(LabelKind::Assertion),
            "assertions",
        ),
    ] {
        if is_checked {
            report.checked.push(what.to_owned());
        }
    }
    let watched = model.watched.iter().copied();
    let watched = watched.chain(["definedness"]);
    report.checked.extend(watched.map(str::to_owned));
    if let Some(only) = &options.only {
        report.checked = vec![format!("only {only}"), "definedness".to_owned()];
    }
    if options.deadlock && !only && model.events.is_empty() {
        let what = format!("deadlock: the model has no {}", subject.words().events);
        report.not_checked.push(what);
    }
    report.conjuncts = labels::all(subject, None)
        .iter()
        .filter_map(|asked| {
            let (kind, is_wanted) = match asked.kind {
                LabelKind::Assertion => ("assertion", options.setting.obligations.assertions),
                LabelKind::Invariant => ("invariant", options.invariant),
                // They say something about all states together, or about ends.
                LabelKind::Cover | LabelKind::End | LabelKind::Goal => return None,
            };
            let only = options.only.as_ref();
            let is_meant = only.is_none_or(|only| asked.is_named(only));
            Some(ConjunctReport {
                kind,
                label: asked.label.clone(),
                text: asked.text.clone(),
                state: match is_wanted && is_meant {
                    true => ConjunctState::Open,
                    false => ConjunctState::NotChecked,
                },
            })
        })
        .collect();
    report.goal = options.goal.as_ref().map(|predicate| Goal {
        predicate: predicate.clone(),
        reached: None,
        path: Vec::new(),
    });
}

/// Errors in the form of `lint`.
fn errors(lint: &Lint, bug: Option<&str>) -> Vec<serde_json::Value> {
    let errors = lint
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .filter_map(|diagnostic| {
            serde_json::to_value(render::json(diagnostic, &lint.sources)).ok()
        });
    let bug = bug.map(|message| {
        serde_json::json!({
            "code": null,
            "severity": "error",
            "message": format!("internal error: this is a bug in burnside: {message}"),
        })
    });
    errors.chain(bug).collect()
}
