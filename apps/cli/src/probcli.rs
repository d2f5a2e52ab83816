//! `burnside probcli …`: the subset of ProB's command line that scripts use, so that they run unchanged.
//!
//! Every option is honoured, or has no effect here and a note says why, or is refused by name. The lines are those
//! that ProB prints; the exit codes are ours, so a counterexample is never exit 0.
//! Invariant: options are read before anything runs; a refused one leaves nothing half done.

mod constraints;
mod options;

use std::path::{Path, PathBuf};

use subject::{FormulaKind, Language as _};
use subject_sets::Z;
use workbench::animate::Animator;
use workbench::check::{Hooks, check};
use workbench::choice::{ExportFormat, ExportWhat};
use workbench::eval::{Answer, Lack};
use workbench::export::{Export, Graph, Role, export};
use workbench::plan::Options;
use workbench::report::{FindingKind, Report, Verdict};
use workbench::{Asked, Halt, Session, Setting, SuiteWanted, replay};

use crate::args::foreign::ForeignArgs;
use crate::console::Console;
use crate::foreign;
use crate::interrupt;
use crate::languages::{LANGUAGES, workbench};
use crate::lint::{self, show};
use options::read;

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

/// The exit code of a deadlock.
const DEADLOCK: u8 = 11;

/// Runs a command line of ProB.
pub(crate) fn run(args: &ForeignArgs, console: &mut Console) -> u8 {
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
        .is_some_and(|one| one.id() == Z.id());
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
        let (kind, answer) = session.answer_by_kind(formula);
        console.line(&match (kind, &answer) {
            (Some(FormulaKind::Predicate), Answer::Value(truth)) => format!("Predicate is {truth}"),
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
