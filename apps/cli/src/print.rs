//! `burnside print FILE`

use workbench::{Setting, Style, print, print_model};

use crate::args::PrintArgs;
use crate::console::Console;
use crate::lint;

/// Prints a file in normalised notation, or the model that a check runs on, and shows its errors.
pub(crate) fn run(args: &PrintArgs, console: &mut Console) -> u8 {
    let (bench, setting) = (args.model.bench(), args.model.setting());
    let style = Style {
        unicode: args.unicode,
    };
    let printed = match args.lowered {
        true => print_model(&bench, &args.file, &setting),
        false if setting != Setting::default() => {
            console.say("error: options that fix the model need --model");
            return 2;
        }
        false => print(&bench, &args.file, style),
    };
    lint::show(&printed.lint, true, console);
    if let Some(text) = printed.text {
        console.answer(text.trim_end());
    }
    printed.lint.exit()
}
