//! Lints one file and never fails: a panic of the front end is an answer like any other.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use base::{Diagnostics, Severity, Sources};

/// What the front end said about one file.
#[derive(Debug)]
pub struct Answer {
    /// The exit code; 255 after a panic.
    pub exit: u8,
    /// The codes of the errors.
    codes: Vec<&'static str>,
    /// The first error in one line, or the panic message; empty without errors.
    pub first: String,
}

impl Answer {
    /// Whether an error with this code was reported.
    pub fn has(&self, code: &str) -> bool {
        self.codes.contains(&code)
    }
}

/// The exit code of a run that ended in a panic.
pub const INTERNAL: u8 = 255;

/// Lints a file with everything it refers to.
pub fn file(path: &Path) -> Answer {
    caught(|| {
        let mut sources = Sources::new();
        let checked = lang_b::check::check_file(path, &mut sources);
        answer(&checked.diagnostics, &sources)
    })
    .unwrap_or_else(panicked)
}

/// The answer of a run that ended in a panic with this message.
pub fn panicked(message: String) -> Answer {
    Answer {
        exit: INTERNAL,
        codes: Vec::new(),
        first: format!("panic: {message}"),
    }
}

/// The diagnostics as an answer.
pub fn answer(diagnostics: &Diagnostics, sources: &Sources) -> Answer {
    let errors = || diagnostics.iter().filter(|d| d.severity == Severity::Error);
    let first = errors().next().map_or(String::new(), |error| {
        let place = error.primary.as_ref().map_or(String::new(), |label| {
            let position = sources.position(label.span.file, label.span.start);
            let path = sources.path(label.span.file);
            let name = path.file_name().unwrap_or(path.as_os_str());
            format!("{}:{}:{}: ", name.display(), position.line, position.column)
        });
        format!("{place}{}: {}", error.code.id, error.message)
    });
    Answer {
        exit: diagnostics.exit(),
        codes: errors().map(|error| error.code.id).collect(),
        first,
    }
}

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `body`; a panic becomes its message and place instead of text on stderr.
pub fn caught<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        panic::set_hook(Box::new(|info| {
            let message = info
                .payload_as_str()
                .unwrap_or("panic without a message")
                .to_owned();
            let place = info
                .location()
                .map_or(String::new(), |at| format!("{at}: "));
            PANIC.set(Some(format!("{place}{message}")));
        }));
    });
    panic::catch_unwind(AssertUnwindSafe(body))
        .map_err(|_| PANIC.take().unwrap_or_else(|| "panic".to_owned()))
}
