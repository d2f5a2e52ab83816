//! `burnside murphi …`: the options that people give to the verifiers that CMurphi generates, and their lines.
//!
//! Every option is honoured, or has no effect here and a note says why, or is refused by name. The exit codes are ours, so an
//! error is never exit 0.
//! Invariant: options are read before anything runs; a refused one leaves nothing half done.

mod lines;

use std::path::PathBuf;

use base::{Name, near};
use subject_processes::Murphi;
use workbench::Workbench;
use workbench::check::{Hooks, check};
use workbench::choice::{Order, Store, Symmetry};
use workbench::plan::Options;
use workbench::report::Verdict;

use crate::args::foreign::ForeignArgs;
use crate::args::murphi::EXAMPLES;
use crate::console::Console;
use crate::foreign::{self, Read};
use crate::interrupt;
use crate::languages::workbench;
use crate::lint::show;
use lines::{Lines, Trace};

/// What a command line asks for.
#[derive(Debug)]
struct Wanted {
    file: Option<PathBuf>,
    options: Options,
    lines: Lines,
    notes: Vec<String>,
}

impl foreign::Wanted for Wanted {
    fn file(&self) -> Option<&PathBuf> {
        self.file.as_ref()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }
}

/// Options that change nothing here, whether they take a value, and the reason.
const WITHOUT_EFFECT: &[(&str, bool, &str)] = &[
    ("b", false, "states are always packed"),
    ("d", true, "a trace needs no file"),
    ("l", false, "the license is in the source"),
];

/// Options that ask for what does not exist here, with what does.
const MISSING: &[(&str, &str)] = &[
    ("s", "simulation is `burnside animate FILE --random N`"),
    (
        "ta",
        "all states are written by `burnside export FILE --to json`",
    ),
    ("nomultiset", "multisets have no order here"),
];

/// Every option, for suggestions.
const KNOWN: &[&str] = &[
    "v",
    "vbfs",
    "vdfs",
    "ndl",
    "m",
    "k",
    "loop",
    "nosym",
    "sym",
    "tv",
    "td",
    "tf",
    "tn",
    "pr",
    "p",
    "pn",
    "c",
    "permlimit",
];

/// Runs a command line of CMurphi's verifiers.
pub(crate) fn run(args: &ForeignArgs, console: &mut Console) -> u8 {
    if args.arguments.iter().any(|argument| argument == "-h") {
        console.answer(EXAMPLES);
        return 0;
    }
    let (wanted, file) = match foreign::begin(read(&args.arguments), console) {
        Ok(begun) => begun,
        Err(exit) => return exit,
    };
    let hooks = Hooks {
        stop: interrupt::install(),
        progress: &|_| {},
    };
    let bench = Workbench {
        language: Some(&Murphi),
        ..workbench()
    };
    let checked = check(&bench, &file, &wanted.options, &hooks);
    show(&checked.lint, true, console);
    if checked.report.verdict != Verdict::Error {
        console.answer(wanted.lines.write(&checked.report).trim_end());
    }
    checked.report.exit
}

/// Reads the options.
fn read(arguments: &[String]) -> Read<Wanted> {
    let mut wanted = Wanted {
        file: None,
        options: Options::default(),
        lines: Lines::default(),
        notes: Vec::new(),
    };
    // As in a verifier; `check` waits longer.
    rounds("1000", &mut wanted.options);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let Some(option) = argument.strip_prefix('-') else {
            foreign::take_file(&mut wanted.file, argument)?;
            continue;
        };
        let digits = option.find(|c: char| c.is_ascii_digit());
        let (word, behind) = option.split_at(digits.unwrap_or(option.len()));
        let mut value = || {
            let beside = || rest.next().map(String::as_str);
            let value = Some(behind).filter(|behind| !behind.is_empty());
            value
                .or_else(beside)
                .ok_or_else(|| (format!("-{word} needs a value"), 2))
        };
        one(word, behind, &mut value, &mut wanted)?;
    }
    Ok(wanted)
}

/// Reads one option: its word, the number right behind it, and its value there or beside it.
fn one<'v>(
    word: &str,
    behind: &str,
    value: &mut dyn FnMut() -> Read<&'v str>,
    wanted: &mut Wanted,
) -> Read<()> {
    let options = &mut wanted.options;
    match (word, behind) {
        ("v" | "vbfs", "") => options.search = Order::Bfs,
        ("vdfs", "") => options.search = Order::Dfs,
        ("ndl", "") => options.deadlock = false,
        ("m", _) => options.max_memory = Some(number(word, value()?)?.saturating_mul(1 << 20)),
        ("k", _) => options.max_memory = Some(number(word, value()?)?.saturating_mul(1 << 10)),
        ("loop", _) => {
            let most = value()?;
            number(word, most)?;
            rounds(most, options);
        }
        ("nosym", "") => options.symmetry = Symmetry::Off,
        ("sym", "" | "1" | "2") => options.symmetry = Symmetry::Exact,
        ("sym", "3") => options.symmetry = Symmetry::Sorted,
        ("sym", "4") => (options.symmetry, options.permutations) = (Symmetry::Sorted, 1),
        ("permlimit", _) => match value()?.parse() {
            // No limit: one state stands for each orbit.
            Ok(0) => options.symmetry = Symmetry::Exact,
            Ok(most) => (options.symmetry, options.permutations) = (Symmetry::Sorted, most),
            Err(_) => return Err(("-permlimit needs a number".to_owned(), 2)),
        },
        ("tv" | "td", "") => wanted.lines.trace = Trace::Changes,
        ("tf", "") => wanted.lines.trace = Trace::States,
        ("tn", "") => wanted.lines.trace = Trace::None,
        ("pr", "") => wanted.lines.rules = true,
        ("p", "" | "1" | "2" | "3" | "4" | "5") | ("pn", "") => {}
        ("c", "") => options.store = Store::Fingerprint,
        _ => other(word, behind, value, &mut wanted.notes)?,
    }
    Ok(())
}

/// An option that has no effect, or is refused.
fn other<'v>(
    word: &str,
    behind: &str,
    value: &mut dyn FnMut() -> Read<&'v str>,
    notes: &mut Vec<String>,
) -> Read<()> {
    if let Some((_, takes_value, why)) = WITHOUT_EFFECT.iter().find(|(known, ..)| *known == word) {
        if *takes_value {
            value()?;
        }
        notes.push(format!("-{word} has no effect: {why}"));
        return Ok(());
    }
    if let Some((_, instead)) = MISSING.iter().find(|(known, _)| *known == word) {
        return Err((format!("-{word} is not supported: {instead}"), 152));
    }
    let near = near::nearest(word, KNOWN.iter().copied());
    let near = near.map(|near| format!("; did you mean -{near}?"));
    let message = format!(
        "-{word}{behind} is not an option of CMurphi's verifiers that is known here{}",
        near.unwrap_or_default()
    );
    Err((message, 2))
}

fn rounds(most: &str, options: &mut Options) {
    let preferences = &mut options.setting.scopes.preferences;
    preferences.retain(|(name, _)| name.as_str() != "LOOP");
    preferences.push((Name::new("LOOP"), most.to_owned()));
}

fn number(word: &str, text: &str) -> Read<u64> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| {
        let message = format!("-{word} needs a number that is not 0, not \"{text}\"");
        (message, 2)
    })
}
