//! `burnside print FILE`

use workbench::{Style, print, print_model};

use crate::args::PrintArgs;
use crate::console::Console;
use crate::lint;

/// Prints a file in normalised notation, and shows its errors.
pub(crate) fn run(args: &PrintArgs, console: &mut Console) -> u8 {
    if args.model {
        return model(args, console);
    }
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

/// Prints the model that a check runs on.
fn model(args: &PrintArgs, console: &mut Console) -> u8 {
    let printed = print_model(&args.file);
    lint::show(&printed.lint, true, console);
    if let Some(text) = printed.text {
        console.answer(text.trim_end());
    }
    printed.lint.exit()
}
