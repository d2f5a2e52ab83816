//! What went wrong, as data: a renderer turns it into text or JSON, a test compares it, an editor places it.

use crate::source::{FileId, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// The model can be used, and this is probably not what was meant.
    Warning,
}

impl Severity {
    /// The word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// Which exit code an error of this kind leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// The text is not a sentence of the language: exit 150.
    Syntax,
    /// A name or a type does not fit, or a referenced file is missing: exit 151.
    Type,
    /// A construct is recognised but not supported: exit 152.
    Unsupported,
    /// The command line or the file system is at fault: exit 2.
    Usage,
}

impl Class {
    /// The exit code of a run whose first problem is of this class.
    pub fn exit(self) -> u8 {
        match self {
            Class::Syntax => 150,
            Class::Type => 151,
            Class::Unsupported => 152,
            Class::Usage => 2,
        }
    }
}

/// A kind of diagnostic: its stable id, its class, and the long text of `burnside --explain`.
///
/// Front ends keep theirs in one table each; two codes are the same iff their ids are.
#[derive(Debug)]
pub struct Code {
    /// Stable id such as `B0102`.
    pub id: &'static str,
    /// What an error of this kind means for the exit code.
    pub class: Class,
    /// One line that names the problem.
    pub title: &'static str,
    /// The long explanation, with an example and the usual fix.
    pub explain: &'static str,
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.id == other.id
    }
}
impl Eq for Code {}

/// A place and what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; may be empty for the primary place.
    pub text: String,
}

/// One finding of a front end.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The kind.
    pub code: &'static Code,
    /// Error or warning.
    pub severity: Severity,
    /// One terse sentence, without a final full stop.
    pub message: String,
    /// Where it happened; `None` only when there is no file to point into.
    pub primary: Option<Label>,
    /// Other places that explain it, possibly in other files.
    pub secondary: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// What the primary place probably should be, for editors to put there.
    pub fix: Option<String>,
    /// Further facts.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error of kind `code` at `span`.
    pub fn error(code: &'static Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: Some(Label {
                span,
                text: String::new(),
            }),
            secondary: Vec::new(),
            help: None,
            fix: None,
            notes: Vec::new(),
        }
    }

    /// A warning of kind `code` at `span`.
    pub fn warning(code: &'static Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// An error that has no place in a source file.
    pub fn global(code: &'static Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            primary: None,
            secondary: Vec::new(),
            help: None,
            fix: None,
            notes: Vec::new(),
        }
    }

    /// Says more about the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(primary) = &mut self.primary {
            primary.text = text.into();
        }
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Says what the primary place should be.
    #[must_use]
    pub fn fix(mut self, text: impl Into<String>) -> Diagnostic {
        self.fix = Some(text.into());
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// The file of the primary place.
    pub fn file(&self) -> Option<FileId> {
        self.primary.as_ref().map(|label| label.span.file)
    }
}

/// A list of diagnostics that stays short: more errors than [`Diagnostics::LIMIT`] help nobody.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    items: Vec<Diagnostic>,
    errors: usize,
    dropped: usize,
}

impl Diagnostics {
    /// At most so many errors, and at most so many warnings, are kept.
    pub const LIMIT: usize = 20;

    /// An empty list.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a diagnostic unless the limit is reached or the same one is there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.items.contains(&diagnostic) {
            return;
        }
        let full = match diagnostic.severity {
            Severity::Error => self.errors >= Self::LIMIT,
            Severity::Warning => self.items.len() - self.errors >= Self::LIMIT,
        };
        if full {
            self.dropped += 1;
            return;
        }
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.items.push(diagnostic);
    }

    /// Whether no more errors are kept: what only words an error need not be worked out then.
    pub fn is_full(&self) -> bool {
        self.errors >= Self::LIMIT
    }

    /// Counts an error that was found when the list was full.
    pub fn drop_error(&mut self) {
        self.dropped += 1;
    }

    /// Adds all of `other`.
    pub fn extend(&mut self, other: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in other {
            self.push(diagnostic);
        }
    }

    /// What was found, in the order it was found.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.items.iter()
    }

    /// What was found, to be completed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, Diagnostic> {
        self.items.iter_mut()
    }

    /// Whether an error was found.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The number of errors kept.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// How many diagnostics were left out because of the limit.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// The exit code these diagnostics lead to: the smallest among the errors, 0 without errors.
    pub fn exit(&self) -> u8 {
        self.items
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .map(|d| d.code.class.exit())
            .min()
            .unwrap_or(0)
    }

    /// Orders by file (in reading order) and position; diagnostics without a place come first.
    pub fn sort(&mut self) {
        self.items
            .sort_by_key(|d| (d.severity, d.primary.as_ref().map(|label| label.span)));
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
