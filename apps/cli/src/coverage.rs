//! `burnside coverage FILE`

use workbench::coverage::coverage;

use crate::args::coverage::CoverageArgs;
use crate::console::Console;
use crate::lint;
use crate::patience::Patience;

/// Shows what a model was never seen doing.
pub(crate) fn run(args: &CoverageArgs, console: &mut Console) -> u8 {
    let covered = coverage(
        &Patience::on(args.model.bench()),
        &args.file,
        &args.model.setting(),
        args.max_states,
    );
    match (&covered.coverage, args.json) {
        (Some(coverage), true) => console.json(coverage),
        (None, true) => console.json(&covered.lint.report()),
        (Some(coverage), false) => console.answer(coverage.text().trim_end()),
        (None, false) => lint::show(&covered.lint, true, console),
    }
    match &covered.coverage {
        Some(coverage) => coverage.exit(),
        None => covered.lint.exit(),
    }
}
