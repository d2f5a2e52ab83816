//! Where output goes: answers to standard output, everything else to standard error.
//!
//! Invariant: a reader that stops reading (`| head`) is no error: further answers are dropped quietly and the
//! exit code is what it would have been. Other failures to write are reported once and exit with 2.

use std::io::{self, BufWriter, StdoutLock, Write};

use anstream::{AutoStream, ColorChoice};
use base::{Diagnostic, Sources, render};

/// Standard output and standard error.
pub(crate) struct Console {
    out: BufWriter<StdoutLock<'static>>,
    failure: Option<io::Error>,
    color: bool,
}

impl Console {
    /// The console of this process; colours only on a terminal that wants them (`NO_COLOR`).
    pub(crate) fn open() -> Console {
        Console {
            out: BufWriter::new(io::stdout().lock()),
            failure: None,
            color: AutoStream::choice(&io::stderr()) != ColorChoice::Never,
        }
    }

    /// Writes an answer, and a line break.
    pub(crate) fn answer(&mut self, text: &str) {
        self.write(|out| writeln!(out, "{text}"));
    }

    /// Writes an answer of one line that arrives at once.
    pub(crate) fn line(&mut self, text: &str) {
        self.write(|out| {
            writeln!(out, "{text}")?;
            out.flush()
        });
    }

    /// Writes an answer as one line of JSON that arrives at once.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) {
        self.write(|out| {
            serde_json::to_writer(&mut *out, value)?;
            out.write_all(b"\n")?;
            out.flush()
        });
    }

    /// Whether somebody still reads the answers.
    pub(crate) fn is_open(&self) -> bool {
        self.failure.is_none()
    }

    /// Shows a diagnostic.
    pub(crate) fn diagnostic(&mut self, diagnostic: &Diagnostic, sources: &Sources) {
        let text = render::text(diagnostic, sources, self.color);
        // A snippet needs air below it, a single line does not.
        let air = if diagnostic.primary.is_some() {
            "\n"
        } else {
            ""
        };
        self.say(&format!("{text}{air}"));
    }

    /// Says something about the run.
    pub(crate) fn say(&mut self, text: &str) {
        // There is nowhere left to report that standard error is closed.
        let _ = writeln!(anstream::stderr().lock(), "{text}");
    }

    /// Ends the output; the exit code is `exit` unless answers were lost.
    pub(crate) fn close(mut self, exit: u8) -> u8 {
        self.write(|out| out.flush());
        match self.failure.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.say(&format!("error: cannot write to standard output: {error}"));
                2
            }
            _ => exit,
        }
    }

    fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if self.failure.is_none() {
            self.failure = write(&mut self.out).err();
        }
    }
}
