//! `burnside certify FILE CERTIFICATE`

use workbench::certify::{Course, certify};

use crate::args::certify::CertifyArgs;
use crate::console::Console;
use crate::progress::ProgressLine;
use crate::{interrupt, lint};

/// Checks a certificate and shows what it proves.
pub(crate) fn run(args: &CertifyArgs, console: &mut Console) -> u8 {
    let stop = interrupt::install();
    let line = ProgressLine::new(args.progress);
    let threads = || std::thread::available_parallelism().map_or(1, usize::from);
    let certified = certify(
        &args.model.bench(),
        &args.file,
        &args.certificate,
        &args.setting(),
        &Course {
            threads: args.threads.unwrap_or_else(threads),
            from: 0,
            stop,
            progress: &|done| {
                if let Some(line) = &line {
                    line.say(|| format!("{done} checked"));
                }
            },
        },
        args.resume.as_deref(),
    );
    if let Some(line) = &line {
        line.clear();
    }
    match (&certified.answer, args.json) {
        (Some(answer), true) => console.json(answer),
        (None, true) => console.json(&certified.lint.report()),
        (Some(answer), false) => console.answer(&answer.text()),
        (None, false) => lint::show(&certified.lint, true, console),
    }
    match &certified.answer {
        Some(answer) => answer.exit(),
        None => certified.lint.exit(),
    }
}
