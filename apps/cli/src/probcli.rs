//! `burnside probcli …`: the subset of ProB's command line that scripts use, so that they run unchanged.
//!
//! Every option is honoured, or has no effect here and a note says why, or is refused by name. The lines are those
//! that ProB prints; the exit codes are ours, so a counterexample is never exit 0.
//! Invariant: options are read before anything runs; a refused one leaves nothing half done.

mod constraints;

use std::path::{Path, PathBuf};

use base::{Name, near};
use workbench::animate::Animator;
use workbench::check::{Hooks, check};
use workbench::choice::{Engine, ExportFormat, ExportWhat, Order, Por, Symmetry};
use workbench::eval::{Answer, Lack};
use workbench::export::{Export, Graph, Role, export};
use workbench::plan::{Definitions, Options};
use workbench::report::{FindingKind, Report, Verdict};
use workbench::{Asked, Halt, Session, Setting, SuiteWanted, replay};

use crate::args::probcli::ProbcliArgs;
use crate::console::Console;
use crate::foreign::{self, Read};
use crate::interrupt;
use crate::languages::{LANGUAGES, workbench};
use crate::lint::{self, show};

/// What a script asks for, in the order it is done.
#[derive(Debug, Default)]
struct Wanted {
    file: Option<PathBuf>,
    options: Options,
    strict: bool,
    check: bool,
    evals: Vec<String>,
    animate: Option<usize>,
    dot: Option<PathBuf>,
    traces: Vec<PathBuf>,
    /// Questions about all states that satisfy the invariant.
    asked: Vec<Asked>,
    /// Test cases with the file they go to.
    suites: Vec<(SuiteWanted, PathBuf)>,
    /// The operations that test cases cover; all when there are none.
    covered: Vec<String>,
    coverage: bool,
    init: bool,
    /// Tables with the files they go to.
    tables: Vec<(Table, PathBuf)>,
    /// Preferences that cut ProB's work and have no effect here.
    cuts: Vec<String>,
    notes: Vec<String>,
}

impl foreign::Wanted for Wanted {
    fn file(&self) -> Option<&PathBuf> {
        self.file.as_ref()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// A table that `-csv` writes.
#[derive(Clone, Copy, Debug)]
enum Table {
    /// How often each operation happened.
    Operations,
    /// How many values each variable took.
    Variables,
}

/// The names of tables.
const TABLES: &[(&str, Table)] = &[
    ("quick_operation_coverage", Table::Operations),
    ("variable_coverage", Table::Variables),
];

/// Options that change nothing here, with the reason.
const WITHOUT_EFFECT: &[(&str, usize, &str)] = &[
    ("memory", 0, "memory is in the report of check"),
    ("statistics", 0, "statistics are in the report of check"),
    ("silent", 0, "nothing but answers is printed"),
    ("v", 0, "there are no verbose messages"),
    ("verbose", 0, "there are no verbose messages"),
    ("nogoal", 0, "a GOAL is only looked for with -goal"),
    (
        "noltl",
        0,
        "temporal formulas are only checked when asked for",
    ),
    ("pref_group", 2, "there are no groups of preferences"),
    ("nocolor", 0, "there are no colours"),
];

/// Preferences that change nothing here, with the reason.
const IDLE_PREFERENCES: &[(&str, &str)] = &[
    ("COMPRESSION", "states are always compressed"),
    ("OPERATION_REUSE", "every answer is computed anew"),
    ("CLPFD", "there is another solver"),
    ("SMT", "there is another solver"),
    ("CHR", "there is another solver"),
    ("KODKOD", "there is another solver"),
    ("MEMO", "there is another evaluator"),
    (
        "TRY_FIND_ABORT",
        "undefined expressions are always reported",
    ),
    ("RANDOMISE_ENUMERATION_ORDER", "the order changes no answer"),
];

/// Preferences that cut ProB's work; a limit here is asked for by a limit.
const CUTS: &[&str] = &["MAX_OPERATIONS", "MAX_INITIALISATIONS", "TIME_OUT"];

/// Known options that need a part which does not exist.
const MISSING: &[&str] = &[
    "cbc_refinement",
    "refchk",
    "cspref",
    "l",
    "ss",
    "rc",
    "test_description",
];

/// The exit code of a deadlock.
const DEADLOCK: u8 = 11;

/// Runs a command line of ProB.
pub(crate) fn run(args: &ProbcliArgs, console: &mut Console) -> u8 {
    let (mut wanted, file) = match foreign::begin(read(&args.arguments), console) {
        Ok(begun) => begun,
        Err(exit) => return exit,
    };
    let mut exits = Vec::new();
    // ProB runs a classical refinement without what it refines.
    let extension = file.extension().and_then(|extension| extension.to_str());
    if matches!(extension, Some("ref" | "imp")) {
        wanted.options.setting.part.concrete_only = true;
    }
    let setting = wanted.options.setting.clone();
    announce(&file, console);
    if wanted.init {
        exits.push(initialise(&file, &wanted.options, console));
    }
    if let Some(steps) = wanted.animate {
        exits.push(animate(&file, &setting, steps, console));
    }
    if !wanted.evals.is_empty() {
        exits.push(evaluate(&file, &setting, &wanted.evals, console));
    }
    for trace in &wanted.traces {
        let replayed = replay(&workbench(), &file, trace, &setting);
        exits.push(match &replayed.outcome {
            Some(outcome) => {
                console.answer(outcome.text(false).trim_end());
                outcome.exit()
            }
            None => {
                show(&replayed.lint, true, console);
                replayed.lint.exit()
            }
        });
    }
    if wanted.check || wanted.coverage || !wanted.tables.is_empty() {
        exits.push(model_check(&file, &wanted, console));
    }
    if !wanted.asked.is_empty() {
        exits.push(constraints::ask(&file, &wanted, console));
    }
    for (suite, out) in &wanted.suites {
        exits.push(constraints::tests(&file, &wanted, (suite, out), console));
    }
    if let Some(picture) = &wanted.dot {
        exits.push(match space(&file, &wanted, console) {
            Ok((text, graph)) => match crate::export::write(Some(picture), &text, console) {
                true => cut(&graph, console),
                false => 2,
            },
            Err(exit) => exit,
        });
    }
    if exits.is_empty() {
        let linted = workbench::lint(&workbench(), &file);
        lint::show(&linted, true, console);
        exits.push(linted.exit());
    }
    exits.into_iter().find(|exit| *exit != 0).unwrap_or(0)
}

/// What ProB's Z mode says about a specification before anything else.
fn announce(file: &Path, console: &mut Console) {
    let is_z = LANGUAGES
        .by_extension(file)
        .is_some_and(|one| one.id() == "z");
    if !is_z {
        return;
    }
    let mut sources = base::Sources::new();
    let checked = lang_z::check_file(file, &mut sources);
    if checked.diagnostics.has_errors() {
        return;
    }
    for line in lower_z::proz::lines(&checked, &lower_z::Options::default()) {
        console.answer(&line);
    }
}

/// Reads the options; an error is a message and an exit code.
fn read(arguments: &[String]) -> Read<Wanted> {
    let mut wanted = Wanted {
        // As ProB, unless a preference says otherwise: counts that scripts compare are those of all states.
        options: Options {
            engine: Engine::Explicit,
            symmetry: Symmetry::Off,
            por: Por::Off,
            ..Options::default()
        },
        ..Wanted::default()
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let Some(option) = argument.strip_prefix('-') else {
            foreign::take_file(&mut wanted.file, argument)?;
            continue;
        };
        // ProB takes --model-check for -model_check.
        let option = option.strip_prefix('-').unwrap_or(option).replace('-', "_");
        let mut value = || {
            rest.next()
                .cloned()
                .ok_or_else(|| (format!("-{option} needs a value"), 2))
        };
        let options = &mut wanted.options;
        match option.as_str() {
            "model_check" => wanted.check = true,
            "mc" => {
                options.max_states = Some(number(&option, &value()?)?);
                wanted.check = true;
            }
            "nodead" => options.deadlock = false,
            "noinv" => options.invariant = false,
            "noass" => options.setting.obligations.assertions = false,
            "bf" | "breadth" => options.search = Order::Bfs,
            "df" | "depth" => options.search = Order::Dfs,
            "mc_mode" => {
                let mode = value()?;
                options.search = match mode.as_str() {
                    "bf" => Order::Bfs,
                    "df" => Order::Dfs,
                    "mixed" => Order::Mixed,
                    _ => return Err((format!("-mc_mode {mode} is not supported"), 152)),
                };
            }
            "card" => {
                let set = value()?;
                let size = number(&option, &value()?)? as usize;
                options.setting.scopes.cards.push((Name::new(&set), size));
            }
            "p" | "pref" => {
                let name = value()?;
                preference(&name, &value()?, &mut wanted)?;
            }
            "goal" => options.goal = Some(value()?),
            "strict" => wanted.strict = true,
            "eval" => wanted.evals.push(value()?),
            "animate" => wanted.animate = Some(number(&option, &value()?)? as usize),
            "spdot" => wanted.dot = Some(PathBuf::from(value()?)),
            "dot" => {
                let picture = value()?;
                if picture != "state_space" {
                    return Err((
                        format!("-dot {picture} is not supported; -dot state_space FILE is"),
                        152,
                    ));
                }
                wanted.dot = Some(PathBuf::from(value()?));
            }
            "csv" => {
                let name = value()?;
                let Some((_, table)) = TABLES.iter().find(|(known, _)| *known == name) else {
                    let known: Vec<&str> = TABLES.iter().map(|(known, _)| *known).collect();
                    let message = format!("-csv {name} is not supported; {} are", known.join(", "));
                    return Err((message, 152));
                };
                wanted.tables.push((*table, PathBuf::from(value()?)));
            }
            "init" => wanted.init = true,
            "c" | "coverage" => wanted.coverage = true,
            "ltlformula" => options.ltl.push(value()?),
            "ctlformula" => options.ctl.push(value()?),
            "ltlassertions" => options.definitions = Definitions::On,
            "ltlfile" => options.ltl_file = Some(PathBuf::from(value()?)),
            "trace_replay" => {
                let kind = value()?;
                if kind != "json" {
                    return Err((format!("-trace_replay {kind} is not supported"), 152));
                }
                wanted.traces.push(PathBuf::from(value()?));
            }
            "global_time_out" | "mc_timeout" | "timeout" => {
                options.max_time = Some(number(&option, &value()?)? as f64 / 1000.0);
            }
            other => match constraints::option(other, &mut value)? {
                Some(constraints::Chosen::Ask(asked)) => wanted.asked.push(asked),
                Some(constraints::Chosen::Suite(suite, out)) => wanted.suites.push((suite, out)),
                Some(constraints::Chosen::Cover(name)) => wanted.covered.push(name),
                Some(constraints::Chosen::Bounded(depth)) => {
                    options.engine = Engine::Bmc;
                    options.max_depth = Some(depth);
                    wanted.check = true;
                }
                None => other_option(other, &mut value, &mut wanted.notes)?,
            },
        }
    }
    if !wanted.cuts.is_empty() {
        let names = wanted.cuts.join(", ");
        wanted.notes.push(format!(
            "{names}: no limit here, everything is computed; -mc N and -global_time_out MS are limits"
        ));
    }
    // With -strict a goal that is found counts as an error there; here the exit code says so.
    wanted.options.goal_is_error = wanted.strict && wanted.options.goal.is_some();
    let has_formulas = !wanted.options.ltl.is_empty()
        || !wanted.options.ctl.is_empty()
        || wanted.options.definitions == Definitions::On
        || wanted.options.ltl_file.is_some();
    if wanted.options.definitions != Definitions::On {
        // ProB checks the formulas of definitions only with -ltlassertions.
        wanted.options.definitions = Definitions::Off;
    }
    if has_formulas && !wanted.check {
        // ProB checks nothing but the formulas then.
        wanted.options.invariant = false;
        wanted.options.deadlock = false;
        wanted.options.setting.obligations.assertions = false;
        wanted.check = true;
    }
    Ok(wanted)
}

/// An option that has no effect, or is refused.
fn other_option(
    option: &str,
    value: &mut dyn FnMut() -> Result<String, (String, u8)>,
    notes: &mut Vec<String>,
) -> Read<()> {
    if let Some((_, values, why)) = WITHOUT_EFFECT.iter().find(|(known, _, _)| *known == option) {
        for _ in 0..*values {
            value()?;
        }
        notes.push(format!("-{option} has no effect: {why}"));
        return Ok(());
    }
    if MISSING.contains(&option) || option.starts_with("cbc_") {
        return Err((format!("-{option}: this version does not have it"), 152));
    }
    let known = [
        "model_check",
        "nodead",
        "noinv",
        "noass",
        "animate",
        "coverage",
        "strict",
    ];
    let near = near::nearest(option, known).map(|near| format!("; did you mean -{near}?"));
    let near = near.unwrap_or_default();
    Err((
        format!("-{option} is not an option of probcli that is known here{near}"),
        2,
    ))
}

fn preference(name: &str, value: &str, wanted: &mut Wanted) -> Read<()> {
    let options = &mut wanted.options;
    let refused = || Err((format!("-p {name} {value} is not supported"), 152));
    match name.to_ascii_uppercase().as_str() {
        "MAXINT" | "MININT" | "DEFAULT_SETSIZE" => {
            let pair = (Name::new(&name.to_ascii_uppercase()), value.to_owned());
            options.setting.scopes.preferences.push(pair);
        }
        "SYMMETRY_MODE" => {
            options.symmetry = match value {
                "off" => Symmetry::Off,
                "flood" => Symmetry::Flood,
                "nauty" => Symmetry::Canonical,
                "hash" => Symmetry::Markers,
                _ => return refused(),
            };
        }
        "POR" => {
            options.por = match value {
                "off" => Por::Off,
                "ample_sets" | "ample_sets2" => Por::Ample,
                _ => return refused(),
            };
        }
        upper if CUTS.contains(&upper) => wanted.cuts.push(format!("-p {name}")),
        upper => match IDLE_PREFERENCES.iter().find(|(known, _)| *known == upper) {
            Some((_, why)) => wanted.notes.push(format!("-p {name} has no effect: {why}")),
            None => return refused(),
        },
    }
    Ok(())
}

fn number(option: &str, text: &str) -> Result<u64, (String, u8)> {
    text.parse()
        .map_err(|_| (format!("-{option} needs a number, not \"{text}\""), 2))
}

fn animate(file: &Path, setting: &Setting, steps: usize, console: &mut Console) -> u8 {
    match Animator::open(&workbench(), file, setting, 1) {
        Ok(mut animator) => {
            let reply = animator.walk(steps);
            console.answer(&reply.text());
            if animator.exit() == DEADLOCK {
                let step = animator.steps();
                console.answer(&format!(
                    "! Deadlock occurred during -animate, at step number:\n! {step}"
                ));
            }
            animator.exit()
        }
        Err(lint) => {
            show(&lint, true, console);
            lint.exit()
        }
    }
}

/// Answers as ProB's `-eval` does.
fn evaluate(file: &Path, setting: &Setting, formulas: &[String], console: &mut Console) -> u8 {
    let halt = Halt::default();
    let mut session = match Session::open(&workbench(), Some(file), setting, None, &halt) {
        Ok(session) => session,
        Err(lint) => {
            show(&lint, true, console);
            return lint.exit();
        }
    };
    let mut exit = 0;
    for formula in formulas {
        let answer = session.answer(formula);
        console.line(&match &answer {
            Answer::Value(truth) if truth == "TRUE" || truth == "FALSE" => {
                format!("Predicate is {truth}")
            }
            _ => format!("Expression Value = \n{answer}"),
        });
        let failed = answer.lack().map_or(0, |lack| match lack {
            Lack::Undefined => 75,
            Lack::Syntax => 150,
            Lack::Type => 151,
            Lack::Unsupported => 152,
            Lack::Open => 20,
        });
        exit = if exit == 0 { failed } else { exit };
    }
    exit
}

/// `-init`: silent when there is an initial state.
fn initialise(file: &Path, options: &Options, console: &mut Console) -> u8 {
    let options = Options {
        invariant: false,
        deadlock: false,
        max_states: Some(1),
        ..options.clone()
    };
    let checked = quietly(file, &options);
    show(&checked.lint, true, console);
    let fails = checked
        .report
        .findings
        .first()
        .is_some_and(|finding| matches!(finding.kind, FindingKind::Setup | FindingKind::Fault));
    if fails {
        console.answer(checked.report.prob_style().trim_end());
    }
    match fails || checked.report.verdict == Verdict::Error {
        true => checked.report.exit,
        false => 0,
    }
}

fn quietly(file: &Path, options: &Options) -> workbench::check::Check {
    let hooks = Hooks {
        stop: interrupt::install(),
        progress: &|_| {},
    };
    check(&workbench(), file, options, &hooks)
}

/// `-model_check`, with the coverage and the tables that were asked for.
fn model_check(file: &Path, wanted: &Wanted, console: &mut Console) -> u8 {
    let mut options = wanted.options.clone();
    if !wanted.check {
        // Nothing ends a run that only counts.
        options.invariant = false;
        options.deadlock = false;
    }
    let checked = quietly(file, &options);
    let report = &checked.report;
    show(&checked.lint, true, console);
    if report.verdict == Verdict::Error {
        return report.exit;
    }
    if wanted.check {
        console.answer(report.prob_style().trim_end());
    }
    let mut exit = report.exit;
    if wanted.coverage {
        let is_known = report.verdict == Verdict::Holds && options.invariant && options.deadlock;
        let (deadlocked, broken) = match is_known {
            true => (0, 0),
            false => match space(file, wanted, console) {
                Ok((_, graph)) => {
                    let count =
                        |role: Role| graph.nodes.iter().filter(|node| node.role == role).count();
                    (count(Role::Deadlock), count(Role::Broken))
                }
                Err(exit) => return exit,
            },
        };
        console.answer(report.prob_coverage(deadlocked, broken).trim_end());
    }
    for (table, path) in &wanted.tables {
        if !crate::export::write(Some(path), &rows(*table, report), console) {
            exit = 2;
        }
    }
    exit
}

/// The lines of a table.
fn rows(table: Table, report: &Report) -> String {
    let mut text = String::new();
    match table {
        Table::Operations => {
            text.push_str("Operation,Transitions\n");
            for operation in &report.operations {
                let count = operation.transitions.as_ref().map(ToString::to_string);
                text.push_str(&format!(
                    "{},{}\n",
                    operation.name,
                    count.unwrap_or_default()
                ));
            }
        }
        Table::Variables => {
            text.push_str("Variable,Values\n");
            for variable in &report.variables {
                text.push_str(&format!("{},{}\n", variable.name, variable.values));
            }
        }
    }
    text
}

/// The state space and its picture.
fn space(file: &Path, wanted: &Wanted, console: &mut Console) -> Result<(String, Graph), u8> {
    let limit = wanted.options.max_states.unwrap_or(100_000);
    let export_options = Export {
        what: ExportWhat::States,
        projection: None,
        to: ExportFormat::Dot,
        reduced: false,
        max_states: usize::try_from(limit).unwrap_or(usize::MAX),
    };
    let exported = export(&workbench(), file, &wanted.options.setting, &export_options);
    exported.file.ok_or_else(|| {
        show(&exported.lint, true, console);
        exported.lint.exit()
    })
}

fn cut(graph: &Graph, console: &mut Console) -> u8 {
    match &graph.cut {
        Some(cut) => {
            console.say(&format!("warning: {cut}"));
            20
        }
        None => 0,
    }
}
