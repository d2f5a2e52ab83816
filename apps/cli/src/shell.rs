//! `burnside completions SHELL` and `burnside man`: what a shell and `man` need to know about the command line.

use std::path::Path;

use base::Class;
use clap::CommandFactory as _;

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::console::Console;

/// Writes a completion script.
pub(crate) fn completions(args: &CompletionsArgs, console: &mut Console) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "burnside", &mut script);
    console.answer(String::from_utf8_lossy(&script).trim_end());
    0
}

/// Writes the manual page of the program or a command, or all of them into a folder.
pub(crate) fn man(args: &ManArgs, console: &mut Console) -> u8 {
    let mut program = Args::command();
    // Gives the commands their names as pages: burnside-check, …
    program.build();
    let is_shown = |sub: &&clap::Command| !sub.is_hide_set() && sub.get_name() != "help";
    let shown = program.get_subcommands().filter(is_shown);
    let commands: Vec<clap::Command> = shown.cloned().collect();
    if let Some(folder) = &args.to {
        return write_pages(folder, [program].iter().chain(&commands), console);
    }
    let wanted = match args.command.as_deref() {
        None => Some(&program),
        Some(name) => commands.iter().find(|command| command.get_name() == name),
    };
    match wanted {
        Some(command) => {
            console.answer(String::from_utf8_lossy(&page(command)).trim_end());
            0
        }
        None => {
            let names: Vec<&str> = commands.iter().map(clap::Command::get_name).collect();
            console.say(&format!("error: the commands are {}", names.join(", ")));
            Class::Usage.exit()
        }
    }
}

fn page(command: &clap::Command) -> Vec<u8> {
    let mut page = Vec::new();
    // A vector takes everything.
    let _ = clap_mangen::Man::new(command.clone()).render(&mut page);
    page
}

/// Writes one page for each command; the first failure ends it.
fn write_pages<'c>(
    folder: &Path,
    commands: impl Iterator<Item = &'c clap::Command>,
    console: &mut Console,
) -> u8 {
    for command in commands {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let file = folder.join(format!("{name}.1"));
        if let Err(error) = std::fs::write(&file, page(command)) {
            console.say(&format!("error: cannot write {}: {error}", file.display()));
            return Class::Usage.exit();
        }
        console.answer(&file.display().to_string());
    }
    0
}
