//! `burnside eval [FILE] FORMULA`, `--batch LINES`, `--repl`

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::Path;

use workbench::eval::{Answer, Lack};
use workbench::{Session, unreadable};

use crate::args::eval::EvalArgs;
use crate::console::Console;
use crate::interrupt;
use crate::languages::workbench;
use crate::lint::show;
use crate::patience::Patience;

/// Answers formulas.
pub(crate) fn run(args: &EvalArgs, console: &mut Console) -> u8 {
    let asks = args.batch.is_none() && !args.repl;
    let (file, formula) = match (args.positional.as_slice(), asks) {
        ([], false) => (None, None),
        ([file], false) => (Some(file), None),
        ([formula], true) => (None, Some(formula)),
        ([file, formula], true) => (Some(file), Some(formula)),
        (_, true) => return usage(console, "a FORMULA, --batch or --repl is needed"),
        (_, false) => return usage(console, "--batch and --repl take no FORMULA"),
    };
    let patience = Patience::new(args.max_time);
    let mut session = match Session::open(
        &args.model.bench(),
        file.map(Path::new),
        &args.model.setting(),
        args.evaluator,
        &patience.begin(),
    ) {
        Ok(session) => session,
        Err(lint) => {
            show(&lint, false, console);
            return lint.exit();
        }
    };
    if let Some(warning) = session.warning() {
        console.say(&format!("warning: {warning}"));
    }
    match (formula, &args.batch) {
        (Some(formula), _) => {
            session.heed(patience.begin());
            console.line(&session.told(formula).to_string());
            0
        }
        (None, Some(lines)) => batch(lines, &mut session, &patience, console),
        (None, None) => repl(&mut session, &patience, console),
    }
}

fn usage(console: &mut Console, message: &str) -> u8 {
    console.say(&format!(
        "error: {message}\n\nFor more information, try 'burnside eval --help'."
    ));
    2
}

/// One answer line for each line, at once. Ctrl-C ends the question under way and leaves out those after it.
fn batch(lines: &Path, session: &mut Session, patience: &Patience, console: &mut Console) -> u8 {
    let answered = open(lines).and_then(|mut reader| {
        let mut line = Vec::new();
        loop {
            line.clear();
            if !console.is_open() || reader.read_until(b'\n', &mut line)? == 0 {
                return Ok(0);
            }
            session.heed(patience.begin());
            let answer = match std::str::from_utf8(&line) {
                Ok(text) => session.answer(text.trim_end_matches(['\n', '\r'])),
                Err(_) => Answer::None(Lack::Syntax, "the line is not UTF-8".to_owned()),
            };
            console.line(&answer.to_string());
            if interrupt::is_asked() {
                console.say("interrupted: lines after this one were not looked at");
                return Ok(interrupt::EXIT);
            }
        }
    });
    match answered {
        Ok(exit) => exit,
        Err(error) => {
            let lint = unreadable(&workbench(), lines, &error);
            show(&lint, false, console);
            lint.exit()
        }
    }
}

fn open(lines: &Path) -> io::Result<Box<dyn BufRead>> {
    if lines == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    Ok(Box::new(BufReader::new(File::open(lines)?)))
}

/// Answers at a prompt; the history is numbered from 1.
fn repl(session: &mut Session, patience: &Patience, console: &mut Console) -> u8 {
    let mut history: Vec<String> = Vec::new();
    let prompts = io::stdin().is_terminal();
    loop {
        if prompts {
            let _ = write!(anstream::stderr().lock(), "{}> ", history.len() + 1);
        }
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) => return 0,
            Err(error) => {
                console.say(&format!("error: {error}"));
                return 2;
            }
            Ok(_) => {}
        }
        let formula = match recalled(line.trim(), &history) {
            Asked::Nothing => continue,
            Asked::Quit => return 0,
            Asked::History => {
                for (number, formula) in (1..).zip(&history) {
                    console.line(&format!("{number}  {formula}"));
                }
                continue;
            }
            Asked::Unknown => {
                console.say("there is no such line in the history");
                continue;
            }
            Asked::Formula(formula) => formula,
        };
        session.heed(patience.begin());
        console.line(&session.reply(&formula).to_string());
        history.push(formula);
        if !console.is_open() {
            return 0;
        }
    }
}

/// What a line at the prompt asks for.
#[derive(Debug, PartialEq)]
enum Asked {
    Nothing,
    Quit,
    History,
    Unknown,
    Formula(String),
}

fn recalled(line: &str, history: &[String]) -> Asked {
    // A quantifier also begins with "!", but not with a number.
    let wanted = match line {
        "" => return Asked::Nothing,
        ":quit" | ":q" => return Asked::Quit,
        ":history" | ":h" => return Asked::History,
        "!!" => history.len(),
        _ => match line.strip_prefix('!').and_then(|rest| rest.parse().ok()) {
            Some(number) => number,
            None => return Asked::Formula(line.to_owned()),
        },
    };
    match wanted.checked_sub(1).and_then(|i| history.get(i)) {
        Some(formula) => Asked::Formula(formula.clone()),
        None => Asked::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::{Asked, recalled};

    #[test]
    fn the_history_is_recalled_by_number() {
        let history = ["1+1".to_owned(), "2+2".to_owned()];
        let formula = |text: &str| Asked::Formula(text.to_owned());
        assert_eq!(recalled("!!", &history), formula("2+2"));
        assert_eq!(recalled("!1", &history), formula("1+1"));
        assert_eq!(recalled("!3", &history), Asked::Unknown);
        assert_eq!(recalled("!!", &[]), Asked::Unknown);
        assert_eq!(
            recalled("!x.(x:BOOL => x=x)", &history),
            formula("!x.(x:BOOL => x=x)")
        );
        assert_eq!(recalled("", &history), Asked::Nothing);
        assert_eq!(recalled(":quit", &history), Asked::Quit);
    }
}
