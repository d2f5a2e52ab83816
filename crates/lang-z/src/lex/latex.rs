//! Z in LaTeX: finds the formal environments of a document.
//!
//! Everything outside them is somebody's prose and is skipped, as are comments, but for the directives `%%…`
//! (`directives.rs`); what stands inside is read by `commands.rs`.

mod commands;
mod directives;

use base::{Diagnostic, Diagnostics, FileId, Span};

use super::token::Token;
use super::{Chunk, Dialect, Frame, finish};
use crate::codes;
use crate::ops::Ops;

use commands::{argument, group_end};

pub(super) use commands::tokens;

/// The environments that are formal.
const FRAMES: &[(&str, Frame)] = &[
    ("zsection", Frame::Section),
    ("zed", Frame::Zed),
    ("syntax", Frame::Zed),
    ("axdef", Frame::Axiom),
    ("gendef", Frame::Generic),
    ("schema", Frame::Schema),
    ("theorem", Frame::Theorem),
    ("consequence", Frame::Theorem),
    ("class", Frame::Theorem),
];

/// Environments whose text is never looked at.
const OPAQUE: &[&str] = &["verbatim", "verbatim*", "lstlisting", "comment", "Verbatim"];

/// Splits a document into its formal paragraphs.
pub(super) fn chunks(
    text: &str,
    file: FileId,
    dialect: Dialect,
    ops: &mut Ops,
    diagnostics: &mut Diagnostics,
) -> Vec<Chunk> {
    directives::read(text, file, ops, diagnostics);
    let mut scan = Scan {
        text,
        file,
        dialect,
        ops,
        diagnostics,
        at: 0,
        unchecked: false,
        chunks: Vec::new(),
    };
    scan.document();
    scan.chunks
}

struct Scan<'a> {
    text: &'a str,
    file: FileId,
    dialect: Dialect,
    ops: &'a Ops,
    diagnostics: &'a mut Diagnostics,
    at: usize,
    unchecked: bool,
    chunks: Vec<Chunk>,
}

impl Scan<'_> {
    fn document(&mut self) {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            if rest.starts_with("%%unchecked") {
                self.unchecked = true;
            }
            if rest.starts_with('%') {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("\\%") || rest.starts_with("\\\\") {
                self.at += 2;
            } else if rest.starts_with("\\end{document}") {
                return;
            } else if let Some(name) = rest
                .strip_prefix("\\newcommand")
                .or_else(|| rest.strip_prefix("\\renewcommand"))
                .or_else(|| rest.strip_prefix("\\newenvironment"))
            {
                self.at = self.text.len() - name.len();
                self.skip_groups();
            } else if rest.starts_with("\\verb") && !rest.starts_with("\\verbatim") {
                self.skip_verb();
            } else if let Some(inside) = rest.strip_prefix("\\begin{") {
                let name = inside.split('}').next().unwrap_or("");
                let after = self.text.len() - inside.len() + name.len() + 1;
                if OPAQUE.contains(&name) {
                    let end = format!("\\end{{{name}}}");
                    let from = after.min(self.text.len());
                    self.at = match self.text[from..].find(&end) {
                        Some(found) => from + found + end.len(),
                        None => self.text.len(),
                    };
                } else if let Some((_, frame)) = FRAMES.iter().find(|(n, _)| *n == name) {
                    self.environment(*frame, name, after);
                } else {
                    self.at = after.min(self.text.len());
                }
            } else {
                self.at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
    }

    /// Skips the arguments of a definition of a command.
    fn skip_groups(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start_matches([' ', '\t', '*']);
            self.at += rest.len() - trimmed.len();
            match trimmed.chars().next() {
                Some('{') => self.at += group_end(trimmed),
                Some('[') => self.at += trimmed.find(']').map_or(trimmed.len(), |n| n + 1),
                Some('\\') => {
                    let name = trimmed[1..].find(|c: char| !c.is_ascii_alphabetic());
                    self.at += 1 + name.unwrap_or(trimmed.len() - 1).max(1);
                    self.at = self.at.min(self.text.len());
                }
                _ => return,
            }
        }
    }

    fn skip_verb(&mut self) {
        let rest = &self.text[self.at + 5..];
        let rest = rest.strip_prefix('*').unwrap_or(rest);
        let Some(fence) = rest.chars().next() else {
            self.at = self.text.len();
            return;
        };
        let line = rest.split('\n').next().unwrap_or("");
        let inside = &line[fence.len_utf8().min(line.len())..];
        let start = self.text.len() - rest.len();
        self.at = match inside.find(fence) {
            Some(end) => start + fence.len_utf8() + end + fence.len_utf8(),
            None => start + line.len(),
        };
    }

    fn environment(&mut self, frame: Frame, name: &str, after: usize) {
        let begin = self.at;
        let end_mark = format!("\\end{{{name}}}");
        let (mut end, mut problem) = (None, None);
        let mut at = after.min(self.text.len());
        while at < self.text.len() {
            let rest = &self.text[at..];
            if rest.starts_with('%') {
                at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("\\%") || rest.starts_with("\\\\") {
                at += 2;
            } else if rest.starts_with(&end_mark) {
                end = Some(at);
                break;
            } else if let Some(inside) = rest.strip_prefix("\\begin{") {
                let inner = inside.split('}').next().unwrap_or("");
                if FRAMES.iter().any(|(n, _)| *n == inner) {
                    problem = Some((at, format!("`\\begin{{{inner}}}` inside a `{name}`")));
                    break;
                }
                at += 7;
            } else if rest.starts_with("\\end{document}") {
                break;
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        let skip = std::mem::take(&mut self.unchecked);
        let (stop, resume) = match end {
            Some(end) => (end, end + end_mark.len()),
            None => (at, at),
        };
        self.at = resume.max(after.min(self.text.len()));
        if skip || (frame == Frame::Theorem && name == "class") {
            return;
        }
        // A theorem of mathematics is prose; one of Z has a turnstile or a name in braces before its predicate.
        if frame == Frame::Theorem && !self.is_formal_theorem(after, stop) {
            return;
        }
        if end.is_none() {
            let (place, message) =
                problem.unwrap_or_else(|| (begin, format!("`\\begin{{{name}}}` is never closed")));
            let span = Span::new(self.file, place as u32, (place + 6) as u32);
            let problem = Diagnostic::error(&codes::UNCLOSED, span, message)
                .help(format!("close it with `{end_mark}`"));
            self.diagnostics.push(problem);
        }
        self.chunk(frame, begin, after.min(stop), stop);
    }

    /// The tokens of a part of the text.
    fn tokens(&self, from: usize, to: usize) -> Vec<Token> {
        let text = &self.text[from..to];
        commands::tokens(text, self.file, from, self.dialect, self.ops)
    }

    fn is_formal_theorem(&self, after: usize, stop: usize) -> bool {
        let inside = self.text.get(after..stop).unwrap_or("");
        self.dialect == Dialect::Iso && inside.contains("\\vdash")
    }

    fn chunk(&mut self, frame: Frame, begin: usize, after: usize, stop: usize) {
        let span = Span::new(self.file, begin as u32, stop as u32);
        let mut from = after;
        let mut header = Vec::new();
        let inside = &self.text[..stop];
        if matches!(frame, Frame::Schema | Frame::Theorem)
            && let Some((start, end, next)) = argument(inside, from)
        {
            header = self.tokens(start, end);
            from = next;
        }
        let rest = &inside[from..];
        let blank = rest.len() - rest.trim_start().len();
        if matches!(frame, Frame::Schema | Frame::Generic | Frame::Theorem)
            && rest.trim_start().starts_with('[')
            && let Some(close) = rest.find(']')
        {
            header.extend(self.tokens(from + blank, from + close + 1));
            from += close + 1;
        }
        let mut body = self.tokens(from, stop);
        finish(&mut header, self.file, from);
        finish(&mut body, self.file, stop);
        self.chunks.push(Chunk {
            frame,
            header,
            body,
            span,
        });
    }
}
