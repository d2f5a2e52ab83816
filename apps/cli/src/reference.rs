//! `burnside options`, hidden: the reference of options as Markdown, from the description of the command line.
//!
//! `cargo xtask options` puts it into `docs/options.md`; a test compares.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use crate::args::Args;
use crate::console::Console;

const BEGINNING: &str = "\
# Options

Every command with its arguments, as `burnside COMMAND --help` shows them. An option given twice takes the last one, unless it
can be repeated. This page is written by `cargo xtask options`.
";

/// Writes the reference.
pub(crate) fn run(console: &mut Console) -> u8 {
    console.answer(text().trim_end());
    0
}

/// The reference.
pub(crate) fn text() -> String {
    let mut program = Args::command();
    program.build();
    let mut text = BEGINNING.to_owned();
    for command in program.get_subcommands() {
        if !command.is_hide_set() && command.get_name() != "help" {
            write_command(&mut text, command);
        }
    }
    text
}

fn write_command(text: &mut String, command: &Command) {
    let about = command
        .get_about()
        .map(|about| sentence(&about.to_string()));
    let _ = writeln!(text, "\n## `{}`\n", command.get_name());
    let _ = writeln!(text, "{}", about.unwrap_or_default());
    let shown = |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help";
    let arguments: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    let mut headings: Vec<Option<&str>> = Vec::new();
    for arg in &arguments {
        if !headings.contains(&arg.get_help_heading()) {
            headings.push(arg.get_help_heading());
        }
    }
    for heading in headings {
        if let Some(heading) = heading {
            let _ = writeln!(text, "\n### {heading}");
        }
        let _ = writeln!(text, "\n| argument | meaning |\n|---|---|");
        for arg in arguments
            .iter()
            .filter(|arg| arg.get_help_heading() == heading)
        {
            write_argument(text, arg);
        }
    }
}

fn write_argument(text: &mut String, arg: &Arg) {
    let names = arg.get_value_names().unwrap_or_default();
    let takes_value = arg.get_action().takes_values();
    let value = match takes_value {
        true => names.iter().map(|name| format!(" {name}")).collect(),
        false => String::new(),
    };
    let written = match (arg.get_long(), arg.get_short()) {
        (Some(long), _) => format!("--{long}{value}"),
        (None, Some(short)) => format!("-{short}{value}"),
        (None, None) => value.trim_start().to_owned(),
    };
    let help = arg.get_help().map(|help| sentence(&help.to_string()));
    let mut meaning = help.unwrap_or_default();
    let values = arg.get_possible_values();
    let values: Vec<String> = values
        .iter()
        .filter(|value| takes_value && !value.is_hide_set())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !values.is_empty() {
        let _ = write!(meaning, " One of {}.", values.join(", "));
    }
    let defaults = arg.get_default_values().iter();
    let defaults: Vec<String> = defaults
        .filter(|_| takes_value)
        .map(|value| format!("`{}`", value.to_string_lossy()))
        .collect();
    if !defaults.is_empty() {
        let _ = write!(meaning, " Default: {}.", defaults.join(", "));
    }
    if matches!(arg.get_action(), clap::ArgAction::Append) {
        meaning.push_str(" Can be repeated.");
    }
    let meaning = meaning.replace('|', "\\|").replace('\n', " ");
    let _ = writeln!(text, "| `{}` | {meaning} |", written.replace('|', "\\|"));
}

/// A text with the full stop that the parser takes away.
fn sentence(text: &str) -> String {
    match text.ends_with('.') {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}
