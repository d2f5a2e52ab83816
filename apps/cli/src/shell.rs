//! `burnside completions SHELL` and `burnside man`: what a shell and `man` need to know about the command line.

use clap::CommandFactory as _;

use crate::args::{Args, CompletionsArgs};
use crate::console::Console;

/// Writes a completion script.
pub(crate) fn completions(args: &CompletionsArgs, console: &mut Console) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "burnside", &mut script);
    console.answer(String::from_utf8_lossy(&script).trim_end());
    0
}

/// Writes the manual page: the program, then each command.
pub(crate) fn man(console: &mut Console) -> u8 {
    let mut page = Vec::new();
    let mut command = Args::command();
    // Gives the commands their names as pages: burnside-check, …
    command.build();
    let shown = command.get_subcommands().filter(|sub| !sub.is_hide_set());
    let pages: Vec<clap::Command> = [command.clone()]
        .into_iter()
        .chain(shown.cloned())
        .collect();
    for command in pages {
        // A vector takes everything.
        let _ = clap_mangen::Man::new(command).render(&mut page);
    }
    console.answer(String::from_utf8_lossy(&page).trim_end());
    0
}
