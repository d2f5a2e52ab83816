//! `burnside replay FILE TRACE`

use workbench::replay;

use crate::args::replay::ReplayArgs;
use crate::console::Console;
use crate::lint;
use crate::patience::Patience;

/// Replays a saved path and shows how it fits.
pub(crate) fn run(args: &ReplayArgs, console: &mut Console) -> u8 {
    let replayed = replay(
        &Patience::on(args.model.bench()),
        &args.file,
        &args.trace,
        &args.model.setting(),
    );
    match (&replayed.outcome, args.json) {
        (Some(outcome), true) => console.json(outcome),
        (None, true) => console.json(&replayed.lint.report()),
        (Some(outcome), false) => console.answer(outcome.text(args.path).trim_end()),
        (None, false) => lint::show(&replayed.lint, true, console),
    }
    match &replayed.outcome {
        Some(outcome) => outcome.exit(),
        None => replayed.lint.exit(),
    }
}
