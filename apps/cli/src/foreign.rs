//! What the commands that speak for another tool (`probcli`, `spin`, `murphi`) have in common: a command line of that tool is read
//! into what is wanted, with notes on options without an effect here.

use std::path::PathBuf;

use crate::console::Console;

/// The exit code of wrong usage.
const USAGE: u8 = 2;

/// What a command line asks for, or the message and exit code of what is wrong with it.
pub(crate) type Read<T> = Result<T, (String, u8)>;

/// What was read from a command line of another tool.
pub(crate) trait Wanted {
    /// The file, if one was named.
    fn file(&self) -> Option<&PathBuf>;
    /// What a reader should know about the options.
    fn notes(&self) -> &[String];
}

/// Takes an argument that is no option as the file; a second one is wrong usage.
pub(crate) fn take_file(file: &mut Option<PathBuf>, argument: &str) -> Read<()> {
    if file.is_some() {
        let message = format!("one FILE is taken; \"{argument}\" is another one");
        return Err((message, USAGE));
    }
    *file = Some(PathBuf::from(argument));
    Ok(())
}

/// What is wanted and of which file, its notes told; an error is told too and is the exit code.
pub(crate) fn begin<W: Wanted>(read: Read<W>, console: &mut Console) -> Result<(W, PathBuf), u8> {
    let wanted = read.map_err(|(message, exit)| {
        console.say(&format!("error: {message}"));
        exit
    })?;
    for note in wanted.notes() {
        console.say(&format!("note: {note}"));
    }
    match wanted.file().cloned() {
        Some(file) => Ok((wanted, file)),
        None => {
            console.say("error: no FILE is given");
            Err(USAGE)
        }
    }
}
