//! `burnside spin …`: the command lines that SPIN's users type, and the lines that their scripts read.
//!
//! Every option is honoured, or has no effect here and a note says why, or is refused by name. No C compiler is needed; the
//! exit codes are those of `check`, so an error is never exit 0.
//! Invariant: options are read before anything runs; a refused one leaves nothing half done.

mod read;

use std::path::{Path, PathBuf};

use workbench::Workbench;
use workbench::animate::Animator;
use workbench::check::{Hooks, check};
use workbench::coverage::coverage;
use workbench::report::{SpinRun, Verdict};

use self::read::{Mode, Wanted, read};
use crate::args::foreign::ForeignArgs;
use crate::console::Console;
use crate::foreign;
use crate::interrupt;
use crate::languages::LANGUAGES;
use crate::lint::show;

/// Larger state spaces are not looked at a second time for statements that were not executed.
const MOST_UNREACHED: usize = 5_000;

/// Runs a command line of SPIN.
pub(crate) fn run(args: &ForeignArgs, console: &mut Console) -> u8 {
    let (wanted, file) = match foreign::begin(read(&args.arguments), console) {
        Ok(begun) => begun,
        Err(exit) => return exit,
    };
    let bench = Workbench {
        language: LANGUAGES.by_id("promela"),
        reading: wanted.reading.clone(),
        ..Workbench::new(LANGUAGES)
    };
    match wanted.mode {
        Mode::Verify => verify(&bench, &file, wanted, console),
        Mode::Follow | Mode::Simulate => follow(&bench, &file, &wanted, console),
    }
}

/// Where the path of an error is kept.
fn trail(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".trail.json");
    PathBuf::from(name)
}

/// `-run`
fn verify(bench: &Workbench, file: &Path, mut wanted: Wanted, console: &mut Console) -> u8 {
    let (formulas, claims) = match bench.claims(file, &wanted.options.setting) {
        Ok(known) => known,
        Err(lint) => {
            show(&lint, true, console);
            return lint.exit();
        }
    };
    if let Err(message) = wanted.choose(&formulas, &claims) {
        console.say(&format!("error: {message}"));
        return 2;
    }
    let trail = trail(file);
    wanted.options.trace_out = Some(trail.clone());
    wanted.options.trace_if_any = true;
    let hooks = Hooks {
        stop: interrupt::install(),
        progress: &|_| {},
    };
    let mut checked = check(bench, file, &wanted.options, &hooks);
    show(&checked.lint, true, console);
    let report = &mut checked.report;
    if report.verdict == Verdict::Error {
        return report.exit;
    }
    let run = SpinRun {
        trail: trail.display().to_string(),
        ..wanted.run()
    };
    let is_small = report.statistics.states <= (MOST_UNREACHED as u64).into();
    let mut unreached = String::new();
    if wanted.unreached && is_small && run.is_complete(report) {
        let seen = coverage(bench, file, &wanted.options.setting, MOST_UNREACHED);
        unreached = seen
            .coverage
            .map(|seen| seen.unreached())
            .unwrap_or_default();
    }
    console.answer(report.spin_style(&run, &unreached).trim_end());
    report.exit
}

/// `-t`, or a random walk.
fn follow(bench: &Workbench, file: &Path, wanted: &Wanted, console: &mut Console) -> u8 {
    let setting = &wanted.options.setting;
    let mut animator = match Animator::open(bench, file, setting, wanted.seed) {
        Ok(animator) => animator,
        Err(lint) => {
            show(&lint, true, console);
            return lint.exit();
        }
    };
    if wanted.mode == Mode::Follow {
        let trail = trail(file);
        if !trail.is_file() {
            let name = trail.display();
            console.say(&format!(
                "error: there is no {name}; -run writes it at an error"
            ));
            return 2;
        }
        animator.obey(&format!("load {}", trail.display()));
    } else {
        animator.walk(wanted.steps);
    }
    if wanted.chart {
        let chart = animator.chart().unwrap_or_default();
        console.answer(chart.trim_end());
    }
    if let Some(lines) = animator.listing(wanted.listing) {
        console.answer(lines.trim_end());
    }
    0
}
