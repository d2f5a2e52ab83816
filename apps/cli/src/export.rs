//! `burnside export FILE --to FORMAT`

use std::path::Path;

use workbench::export::{Export, export};

use crate::args::export::ExportArgs;
use crate::console::Console;
use crate::lint;
use crate::patience::Patience;

/// The exit code of a graph that is not whole.
const CUT: u8 = 20;

/// Exports a graph of a model.
pub(crate) fn run(args: &ExportArgs, console: &mut Console) -> u8 {
    let wanted = Export {
        what: args.what,
        projection: args.projection.clone(),
        to: args.to,
        reduced: args.reduced,
        max_states: args.max_states,
    };
    let exported = export(
        &Patience::on(args.model.bench()),
        &args.file,
        &args.model.setting(),
        &wanted,
    );
    let Some((text, graph)) = exported.file else {
        lint::show(&exported.lint, true, console);
        return exported.lint.exit();
    };
    if !write(args.out.as_deref(), &text, console) {
        return 2;
    }
    match &graph.cut {
        Some(cut) => {
            console.say(&format!("warning: {cut}"));
            CUT
        }
        None => 0,
    }
}

/// Writes a file, or the answer; false when that is not possible.
pub(crate) fn write(path: Option<&Path>, text: &str, console: &mut Console) -> bool {
    let Some(path) = path else {
        console.answer(text.trim_end_matches('\n'));
        return true;
    };
    match std::fs::write(path, text) {
        Ok(()) => true,
        Err(error) => {
            console.say(&format!(
                "error: cannot write \"{}\": {error}",
                path.display()
            ));
            false
        }
    }
}
