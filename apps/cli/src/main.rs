//! The program `burnside`: options in, answers and an exit code out.
//!
//! Invariant: everything a command knows or decides is in `workbench`; here it is only asked for and shown.
//! Invariant: answers go to standard output, everything said about a run goes to standard error.

mod analyse;
mod animate;
mod args;
mod bug;
mod cache;
mod cbc;
mod certify;
mod check;
mod console;
mod coverage;
mod eval;
mod explain;
mod export;
mod failure;
mod foreign;
mod fuzz;
mod interrupt;
mod languages;
mod lint;
mod murphi;
mod patience;
mod print;
mod probcli;
mod progress;
mod reference;
mod replay;
mod servers;
mod shell;
mod solve;
mod spin;
mod suite;
mod team;
mod worker;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Args, Command, LintArgs};
use console::Console;

fn main() -> ExitCode {
    bug::install();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let text = error.render().to_string();
            // A command that does not write JSON refuses the option itself.
            if error.use_stderr() && !text.contains("'--json'") {
                failure::tell(&text, error.exit_code());
            }
            error.exit()
        }
    };
    if let Some(exit) = args.command.as_ref().and_then(servers::run) {
        return ExitCode::from(exit);
    }
    let mut console = Console::open();
    let exit = match (args.explain, args.command) {
        (Some(code), _) => explain::run(&code, &mut console),
        (None, Some(Command::Analyse(args))) => analyse::run(&args, &mut console),
        (None, Some(Command::Animate(args))) => animate::run(&args, &mut console),
        (None, Some(Command::Certify(args))) => certify::run(&args, &mut console),
        (None, Some(Command::Cbc(args))) => cbc::run(&args, &mut console),
        (None, Some(Command::Check(args))) => check::run(&args, &mut console),
        (None, Some(Command::Eval(args))) => eval::run(&args, &mut console),
        (None, Some(Command::Lint(lint))) => run_lint(&lint, &mut console),
        (None, Some(Command::Replay(args))) => replay::run(&args, &mut console),
        (None, Some(Command::Completions(args))) => shell::completions(&args, &mut console),
        (None, Some(Command::Coverage(args))) => coverage::run(&args, &mut console),
        (None, Some(Command::Man(args))) => shell::man(&args, &mut console),
        (None, Some(Command::Options)) => reference::run(&mut console),
        (None, Some(Command::Export(args))) => export::run(&args, &mut console),
        (None, Some(Command::Fuzz(args))) => fuzz::run(&args, &mut console),
        (None, Some(Command::Murphi(args))) => murphi::run(&args, &mut console),
        (None, Some(Command::Probcli(args))) => probcli::run(&args, &mut console),
        (None, Some(Command::Spin(args))) => spin::run(&args, &mut console),
        (None, Some(Command::Solve(args))) => solve::run(&args, &mut console),
        (None, Some(Command::Tests(args))) => suite::run(&args, &mut console),
        (None, Some(Command::Worker(args))) => worker::run(&args, &mut console),
        (None, Some(Command::Print(print))) => print::run(&print, &mut console),
        (
            None,
            Some(
                Command::Dap(_)
                | Command::Lsp(_)
                | Command::Mcp(_)
                | Command::Serve(_)
                | Command::Session(_),
            ),
        ) => {
            unreachable!("servers were run before there was a console")
        }
        // The parser shows the help when nothing at all is given.
        (None, None) => usage(&mut Args::command(), "no command is given"),
    };
    ExitCode::from(console.close(exit))
}

/// `lint` proper, or with `--expressions`.
fn run_lint(args: &LintArgs, console: &mut Console) -> u8 {
    match (&args.expressions, args.files.as_slice()) {
        (None, _) => lint::files(args, console),
        (Some(lines), [file]) => lint::expressions(lines, file, args, console),
        (Some(_), files) => {
            let message = format!("--expressions takes one FILE, not {}", files.len());
            let mut command = Args::command();
            match command.find_subcommand_mut("lint") {
                Some(lint) => usage(lint, &message),
                None => usage(&mut command, &message),
            }
        }
    }
}

/// Ends the program with a usage error in the form of the parser's own.
fn usage(command: &mut clap::Command, message: &str) -> ! {
    command
        .error(clap::error::ErrorKind::WrongNumberOfValues, message)
        .exit()
}
