//! `burnside fuzz …`: the command line and the lines of the type checker of that name, so that scripts run unchanged.
//!
//! Options are honoured, or have no effect here and a note says why, or are refused by name.

use base::{Class, Diagnostics, Sources};
use lang_z::listing::{listing, messages};

use crate::args::fuzz::FuzzArgs;
use crate::console::Console;

/// Runs a command line of fuzz.
pub(crate) fn run(args: &FuzzArgs, console: &mut Console) -> u8 {
    let refused = [
        (args.lisp, "-l (an echo as Lisp) is not supported"),
        (
            args.prelude.is_some(),
            "-p: the toolkit is built in, and a text may define its names anew",
        ),
        (
            args.quantify,
            "-q (quantifiers for undeclared variables) is not supported",
        ),
    ];
    for (given, why) in refused {
        if given {
            console.say(&format!("error: {why}"));
            return 2;
        }
    }
    let mut failed = false;
    for file in &args.files {
        let mut sources = Sources::new();
        let checked = lang_z::check_file(file, &mut sources);
        let mut told = Diagnostics::new();
        let syntax_only = |class: Class| !args.syntax || class != Class::Type;
        told.extend(
            checked
                .diagnostics
                .iter()
                .filter(|d| syntax_only(d.code.class))
                .cloned(),
        );
        if args.verbose {
            console.answer(&lang_z::print::specification(
                &checked,
                lang_z::print::Markup::Latex,
            ));
        }
        if told.has_errors() {
            failed = true;
            let text = messages(&checked, &told, &sources);
            console.say(text.strip_suffix('\n').unwrap_or(&text));
        } else if args.types && !args.syntax {
            let text = listing(&checked, args.whole);
            console.answer(text.strip_suffix('\n').unwrap_or(&text));
        }
    }
    u8::from(failed)
}
