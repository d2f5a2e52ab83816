//! The C preprocessor that Promela models rely on: macros, conditional text, included files.
//!
//! SPIN runs the C compiler for this; here it works on tokens, so a diagnostic points at the file and line that the
//! user wrote. `directive` reads the lines that begin with `#`, `condition` decides `#if`, `expand` replaces macros.
//! Differs from C: no macros are predefined but `__LINE__` and `__FILE__`, and a directive inside the arguments of a macro
//! is not looked for.
//! Invariant: the work is bounded: macros make at most `MAX_MADE` tokens, files at most `MAX_FILES` are read.

mod condition;
mod directive;
mod expand;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Diagnostic, Diagnostics, FileId, Name, Sources, Span};
use rustc_hash::FxHashMap;

use crate::codes::preprocess as code;
use crate::files::Files;
use crate::lex::{self, Punct, Tok, Token, Word};

/// How many tokens macros may make: beyond that somebody built a bomb.
const MAX_MADE: usize = 2_000_000;

/// How many files may be drawn in, each counted as often as it is.
const MAX_FILES: usize = 1_000;

/// How deep files may include each other, as in the C compilers.
const MAX_INCLUDE_DEPTH: usize = 200;

/// What the command line says to the preprocessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `-D` and `-U`, in their order.
    pub macros: Vec<Definition>,
    /// `-I`: folders that are searched after that of the including file.
    pub folders: Vec<PathBuf>,
}

/// A macro set or taken away by the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Definition {
    /// `-D NAME=VALUE`; the value is "1" when none is given.
    Define(String, String),
    /// `-U NAME`.
    Undefine(String),
}

/// The macros that are defined at the end of a text, for formulas that use them.
#[derive(Clone, Debug, Default)]
pub struct Macros(FxHashMap<Name, Arc<Macro>>);

impl Macros {
    /// Each macro that a text defines: its name, where that stands, and all of its definition; in their order.
    pub fn written(&self) -> Vec<(Name, Span, Span)> {
        let all = self.0.iter();
        let mut all: Vec<(Name, Span, Span)> = all
            .map(|(name, known)| {
                let last = known.body.last().map_or(known.span, |token| token.span);
                let whole = match last.file == known.span.file {
                    true => known.span.to(last),
                    false => known.span,
                };
                (*name, known.span, whole)
            })
            .collect();
        all.sort_by_key(|(_, span, _)| *span);
        all
    }
}

/// The text after the preprocessor.
#[derive(Debug)]
pub struct Preprocessed {
    /// What is left, keywords recognised; the last one is `Eof`.
    pub tokens: Vec<Token>,
    /// The file that was asked for.
    pub file: FileId,
    /// What is wrong.
    pub diagnostics: Diagnostics,
    /// Whether text may be missing, so that what follows from it is no surprise.
    pub incomplete: bool,
    /// The macros at its end.
    pub macros: Macros,
}

/// Reads a file and all that it includes. `Err` when there is no such file.
pub fn run(
    path: &Path,
    options: &Options,
    files: &dyn Files,
    sources: &mut Sources,
) -> Result<Preprocessed, String> {
    let text = files.read(path)?;
    let file = sources.add(path, text);
    Ok(text_of(file, options, files, sources))
}

/// Preprocesses a text that is among the sources already.
pub fn text_of(
    file: FileId,
    options: &Options,
    files: &dyn Files,
    sources: &mut Sources,
) -> Preprocessed {
    text_with(file, (options, Macros::default()), files, sources)
}

/// The same, where macros are defined already.
pub fn text_with(
    file: FileId,
    (options, macros): (&Options, Macros),
    files: &dyn Files,
    sources: &mut Sources,
) -> Preprocessed {
    let mut reader = Reader {
        sources,
        files,
        folders: &options.folders,
        macros: macros.0,
        branches: Vec::new(),
        out: Vec::new(),
        diagnostics: Diagnostics::new(),
        made: 0,
        read: 0,
        depth: 0,
        stopped: false,
        incomplete: false,
    };
    reader.command_line(&options.macros);
    let end = reader.file(file);
    let Reader {
        mut out,
        diagnostics,
        incomplete,
        macros,
        ..
    } = reader;
    out.push(end);
    for token in &mut out {
        if token.tok == Tok::Ident
            && let Some(word) = Word::of(token.text.as_str())
        {
            token.tok = Tok::Word(word);
        }
    }
    Preprocessed {
        tokens: out,
        file,
        diagnostics,
        incomplete,
        macros: Macros(macros),
    }
}

/// A macro.
#[derive(Debug)]
struct Macro {
    /// The names of its parameters; `None` without parentheses.
    parameters: Option<Vec<Name>>,
    /// Whether the last parameter takes all further arguments.
    variadic: bool,
    body: Arc<[Token]>,
    /// Where its name stands in the definition.
    span: Span,
}

/// An open `#if`.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// Where it begins.
    span: Span,
    /// Whether the text read now is kept.
    keep: bool,
    /// Whether no later branch can be kept.
    done: bool,
    /// Whether `#else` was seen.
    last: bool,
}

struct Reader<'a> {
    sources: &'a mut Sources,
    files: &'a dyn Files,
    folders: &'a [PathBuf],
    macros: FxHashMap<Name, Arc<Macro>>,
    branches: Vec<Branch>,
    out: Vec<Token>,
    diagnostics: Diagnostics,
    /// Tokens made by macros so far.
    made: usize,
    /// Files read so far.
    read: usize,
    /// Files open now.
    depth: usize,
    /// Whether a bound was reached: nothing more is read.
    stopped: bool,
    incomplete: bool,
}

impl Reader<'_> {
    /// Takes `-D` and `-U` as lines of a file of their own.
    fn command_line(&mut self, macros: &[Definition]) {
        if macros.is_empty() {
            return;
        }
        let lines: String = macros
            .iter()
            .map(|definition| match definition {
                Definition::Define(name, value) => format!("#define {name} {value}\n"),
                Definition::Undefine(name) => format!("#undef {name}\n"),
            })
            .collect();
        let file = self.sources.add("<command line>", lines);
        self.file(file);
    }

    /// Reads one file; returns its last token.
    fn file(&mut self, file: FileId) -> Token {
        let text = self.sources.text(file).to_owned();
        let tokens = lex::tokens(file, &text);
        let outer = std::mem::take(&mut self.branches);
        let mut at = 0;
        while tokens[at].tok != Tok::Eof && !self.stopped {
            let line_end = |from: usize| {
                let rest = tokens[from + 1..].iter();
                from + 1
                    + rest
                        .take_while(|token| !token.first && token.tok != Tok::Eof)
                        .count()
            };
            let end = line_end(at);
            if tokens[at].first && tokens[at].is(Punct::Hash) {
                self.directive(&tokens[at..end]);
                at = end;
                continue;
            }
            let mut stop = end;
            while tokens[stop].tok != Tok::Eof && !tokens[stop].is(Punct::Hash) {
                stop = line_end(stop);
            }
            if self.keeping() {
                self.text(&tokens[at..stop]);
            }
            at = stop;
        }
        for branch in std::mem::replace(&mut self.branches, outer) {
            let message = "this conditional text has no #endif";
            self.report(Diagnostic::error(&code::UNCLOSED_IF, branch.span, message));
        }
        tokens[tokens.len() - 1]
    }

    /// Whether text is kept here.
    fn keeping(&self) -> bool {
        self.branches.iter().all(|branch| branch.keep)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.incomplete = true;
        self.diagnostics.push(diagnostic);
    }

    /// Reports that a bound was reached and reads no further.
    fn give_up(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.report(diagnostic);
        }
        self.stopped = true;
    }
}
