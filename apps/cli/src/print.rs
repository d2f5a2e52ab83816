//! `burnside print FILE`

use workbench::{Style, print};

use crate::args::PrintArgs;
use crate::console::Console;
use crate::lint;

/// Prints a file in normalised notation, and shows its errors.
pub(crate) fn run(args: &PrintArgs, console: &mut Console) -> u8 {
    let style = Style {
        unicode: args.unicode,
    };
    let printed = print(&args.file, &style);
    lint::show(&printed.lint, true, console);
    if let Some(text) = printed.text {
        console.answer(text.trim_end());
    }
    printed.lint.exit()
}
