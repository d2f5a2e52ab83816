//! Checks a model: load, plan, lower, compile, explore, replay, conclude.
//!
//! The stages are stacked in `stages`, top to bottom in the order of execution. Whatever happens ends as
//! one [`Report`]; the verdict is computed last.
//! Invariant: a finding is in the report only after it was replayed on the reference evaluator.

mod adaptive;
mod attempts;
mod bounded;
mod certificate;
mod columns;
mod counters;
mod counting;
mod evidence;
mod facts;
mod goal;
mod hints;
mod induction;
pub(crate) mod labels;
mod minimise;
mod pages;
mod por;
mod process;
pub(crate) mod relations;
mod run;
mod sets;
mod sorting;
mod symmetry;
mod telling;
pub(crate) mod temporal;
mod together;
mod trials;
mod wishes;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::{Diagnostic, Diagnostics};
use subject::{Form, Ground, Recognised, Subject};

use self::facts::Facts;
use self::temporal::Formulas;
use self::together::Next;
use crate::choice::{Engine, Order, Por, SymbolicOrder, Symmetry};
use crate::lint::Lint;
use crate::open::{Opened, Workbench};
use crate::plan::{Options, asks_formulas, plan};
use crate::report::Report;
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
        Err(Ended::Bug(message)) => {
            report.findings.clear();
            report.goal = None;
            bug = Some(message);
            Some(BUG)
        }
    };
    report.diagnostics = telling::errors(&lint, bug.as_deref());
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
        .map(|subject| wishes::as_the_language_asks(options, subject.description()));
    let options = own.as_ref().unwrap_or(options);
    let plan = plan(options)?;
    let trace = options.trace_out.as_deref();
    let trace = trace.map(wishes::trace_format).transpose()?;
    let written = [&options.report, &options.dot, &options.certificate];
    for file in written.into_iter().flatten() {
        wishes::writable(file)?;
    }
    let Some(subject) = subject else {
        return Err(Ended::Refused(Diagnostics::new()));
    };
    if options.certificate.is_some() && subject.certifying().is_none() {
        return Err(crate::plan::missing("--certificate", "certificates for this language").into());
    }
    report.take(Facts::planned(&plan, options));
    let doubts = plan.open_because.iter();
    let doubts = doubts.map(|why| (*why).to_owned());
    report.open_because.extend(doubts);
    telling::tell_warnings(lint, report);
    report.model.name = Some(subject.description().name.clone());
    report.words = subject.words();
    wishes::fits(options, subject)?;
    let text = match options.certificate.as_ref().or(options.proofs.as_ref()) {
        Some(_) => subject.model_text(),
        None => String::new(),
    };
    let goal = wishes::goal(options, subject, &mut lint.sources)?;
    let formulas = temporal::prepare(options, subject, &mut lint.sources, &mut report.warnings)?;
    let subject: &dyn Subject = subject;
    telling::tell_model(subject, options, report);
    if let Some(formulas) = &formulas {
        formulas.tell_checked(report);
    }
    let run = run::Run {
        subject,
        text: &text,
        sources: &lint.sources,
        options,
        goal,
        plan: &plan,
    };
    if options.engine == Engine::Bmc {
        report.take(bounded::check(&run, hooks)?);
        return Ok(());
    }
    if let (Some(formulas), true) = (&formulas, plan.is_distributed())
        && asks_formulas(options)
    {
        formulas.fit_many(options)?;
    }
    if run.is_helper() {
        return Err(run.help(formulas.as_ref(), start, hooks));
    }
    report.take(searched(&run, formulas.as_ref(), start, hooks)?);
    let is_shortest = options.search == Order::Bfs
        && report.reductions.por.method == Por::Off
        && (!plan.is_symbolic()
            || plan.order.and_then(|order| order.choice) == Some(SymbolicOrder::Bfs));
    if !is_shortest && !report.findings.is_empty() {
        shorten(subject, options, start, hooks, report);
    }
    if options.chart || options.report.is_some() {
        draw_charts(subject, report);
    }
    if let (Some(format), Some(path)) = (trace, &options.trace_out) {
        evidence::save((path, options.trace_if_any), format, subject, report);
    }
    Ok(())
}

/// Who sent what to whom on the way to each finding.
fn draw_charts(subject: &dyn Subject, report: &mut Report) {
    for finding in &mut report.findings {
        let trace = finding.evidence.as_ref().map(|(trace, _)| trace);
        let chart = trace.and_then(|trace| subject.chart(trace));
        finding.chart = chart.filter(|chart| !chart.rows.is_empty());
    }
}

/// Searches, again with more room as long as the model asks for it.
fn searched(
    run: &run::Run<'_>,
    formulas: Option<&Formulas>,
    start: Instant,
    hooks: &Hooks<'_>,
) -> Result<Facts, Ended> {
    loop {
        let done = search(run, formulas, start, hooks);
        let most = run.options.max_time;
        let is_late = most.is_some_and(|most| start.elapsed().as_secs_f64() >= most);
        let mut rooms = vec![run.subject.lacks()];
        if is_late || hooks.stop.load(Relaxed) || !run.subject.make_room() {
            return done;
        }
        if formulas.is_none()
            && let Some(facts) = dive(run, hooks, &mut rooms)?
        {
            return Ok(facts);
        }
        Next::Again(rooms).tell(run)?;
    }
}

/// States of a dive.
const DIVE_STATES: u64 = 100_000;

/// Looks for findings state by state, depth-first, for a while: a model that asked for more room may ask for ever more, and what goes
/// wrong then lies deeper than breadth-first search and diagrams come. `None` when nothing was found. This process does it alone;
/// what it had no room for is added to `rooms`.
fn dive(
    run: &run::Run<'_>,
    hooks: &Hooks<'_>,
    rooms: &mut Vec<Vec<u8>>,
) -> Result<Option<Facts>, Ended> {
    let is_plain = run.options.search == Order::Bfs && run.options.resume.is_none();
    if !is_plain {
        return Ok(None);
    }
    let options = Options {
        engine: Engine::Explicit,
        team: None,
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
    // What is asked of diagrams alone cannot be asked here.
    let Ok(plan) = plan(&options) else {
        return Ok(None);
    };
    let deep = run::Run {
        options: &options,
        plan: &plan,
        ..*run
    };
    loop {
        let done = deep.explore(hooks);
        if hooks.stop.load(Relaxed) {
            return Ok(None);
        }
        rooms.push(run.subject.lacks());
        if run.subject.make_room() {
            continue;
        }
        rooms.pop();
        let mut found = done?;
        found.warnings.push(
            "found state by state and depth-first, so the path may not be the shortest: the search that was asked for did not come to an end"
                .to_owned(),
        );
        return Ok(Some(found).filter(|found| !found.findings.is_empty()));
    }
}

/// Explores the model, then checks its formulas.
fn search(
    run: &run::Run<'_>,
    formulas: Option<&Formulas>,
    start: Instant,
    hooks: &Hooks<'_>,
) -> Result<Facts, Ended> {
    // What proves a formula is said of the states that a run keeps, and formulas tell elements apart.
    let mut kept = run.options.clone();
    let certifying = run.subject.certifying();
    let permutes = certifying.is_some_and(|certifying| certifying.permutes());
    let is_certified = kept.certificate.is_some() && (formulas.is_some() || !permutes);
    if is_certified && kept.symmetry == Symmetry::Auto {
        kept.symmetry = Symmetry::Off;
    }
    let certified = is_certified.then(|| plan(&kept)).transpose()?;
    let run = &run::Run {
        options: &kept,
        plan: certified.as_ref().unwrap_or(run.plan),
        ..*run
    };
    let options = run.options;
    let mut facts = Facts::planned(run.plan, options);
    if formulas.is_none() || !Formulas::are_alone(options) || options.certificate.is_some() {
        facts = run.explore(hooks)?;
        goal::seek(run, start, hooks, &mut facts)?;
    }
    let Some(formulas) = formulas else {
        run.write_certificate(None, hooks, &mut facts)?;
        return Ok(facts);
    };
    // What the model itself asks for is about all steps, whatever the other checks leave out.
    let mut whole = options.clone();
    if !asks_formulas(options) {
        whole.max_states = temporal::most_states(options, &facts);
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
    let mut facts = formulas.check(&run, start, hooks, facts)?;
    run.write_certificate(Some(formulas), hooks, &mut facts)?;
    Ok(facts)
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
