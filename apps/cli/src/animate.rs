//! `burnside animate FILE`: a prompt, a script or a random walk.
//!
//! At the prompt every move is followed by the state and by what can happen next; in scripts only what a command
//! answers is shown, after the command.

mod prompt;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use workbench::animate::{Animator, Line, Reply, Tone};
use workbench::unreadable;

use crate::args::animate::AnimateArgs;
use crate::console::Console;
use crate::languages::workbench;
use crate::lint::show;
use crate::patience::Patience;

/// Animates a model.
pub(crate) fn run(args: &AnimateArgs, console: &mut Console) -> u8 {
    let animator = Animator::open(
        &args.model.bench(),
        &args.file,
        &args.model.setting(),
        args.seed,
    );
    let patience = Patience::new(None);
    let mut animator = match animator {
        Ok(animator) => animator,
        Err(lint) => {
            show(&lint, false, console);
            return lint.exit();
        }
    };
    match (args.random, &args.script) {
        (Some(steps), _) => {
            console.answer(&format!("seed {}", args.seed));
            animator.heed(patience.begin());
            let reply = animator.walk(steps);
            console.answer(&reply.text());
        }
        (None, Some(script)) => return obey(script, &mut animator, &patience, console),
        (None, None) if io::stdin().is_terminal() => {
            let color = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
            prompt::run(&mut animator, &patience, console, color);
        }
        (None, None) => return obey(Path::new("-"), &mut animator, &patience, console),
    }
    animator.exit()
}

/// Obeys the commands of a script.
fn obey(script: &Path, animator: &mut Animator, patience: &Patience, console: &mut Console) -> u8 {
    let lines: io::Result<Box<dyn BufRead>> = if script == Path::new("-") {
        Ok(Box::new(io::stdin().lock()))
    } else {
        File::open(script).map(|file| Box::new(BufReader::new(file)) as Box<dyn BufRead>)
    };
    let obeyed = lines.and_then(|lines| {
        animator.heed(patience.begin());
        say(&animator.begin(), false, console);
        for line in lines.lines() {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            console.line(&format!("> {}", line.trim()));
            animator.heed(patience.begin());
            let reply = animator.obey(&line);
            say(&reply, false, console);
            if reply.quit || !console.is_open() {
                break;
            }
        }
        Ok(())
    });
    match obeyed {
        Ok(()) => animator.exit(),
        Err(error) => {
            let lint = unreadable(&workbench(), script, &error);
            show(&lint, false, console);
            lint.exit()
        }
    }
}

/// Shows a reply.
fn say(reply: &Reply, color: bool, console: &mut Console) {
    for line in &reply.lines {
        console.line(&painted(line, color));
    }
}

/// A line with its colour.
fn painted(line: &Line, color: bool) -> String {
    let code = match line.tone {
        Tone::Plain => "",
        Tone::Heading => "1",
        Tone::Changed => "32",
        Tone::Bad => "31;1",
        Tone::Dim => "2",
    };
    match color && !code.is_empty() {
        true => format!("\x1b[{code}m{}\x1b[0m", line.text),
        false => line.text.clone(),
    }
}
