//! `burnside check FILE`

use base::Severity;
use workbench::check::{Hooks, check};

use crate::args::check::CheckArgs;
use crate::bug;
use crate::console::Console;
use crate::interrupt;
use crate::progress::ProgressLine;

/// Checks a model and shows what was found.
pub(crate) fn run(args: &CheckArgs, console: &mut Console) -> u8 {
    let output = &args.output;
    let line = ProgressLine::new(output.progress);
    let hooks = Hooks {
        stop: interrupt::install(),
        progress: &|progress| {
            if let Some(line) = &line {
                line.update(progress);
            }
        },
    };
    let check = check(&args.file, &args.options(), &hooks);
    if let Some(line) = &line {
        line.clear();
    }
    if let Some(bug) = &check.bug {
        console.say(&bug::report(bug, "a finding that was not shown"));
    }
    if output.json {
        console.json(&check.report);
        return check.report.exit;
    }
    for diagnostic in &check.lint.diagnostics {
        if diagnostic.severity == Severity::Error || !output.quiet {
            console.diagnostic(diagnostic, &check.lint.sources);
        }
    }
    let text = match output.style.as_deref() {
        Some("prob") => check.report.prob_style(),
        _ => check.report.text(output.quiet),
    };
    console.answer(text.trim_end());
    check.report.exit
}
