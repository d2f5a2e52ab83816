//! Lines that begin with `#`.
//!
//! Invariant: in text that is left out only the conditionals are looked at.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Diagnostic, Name, Span, near};

use super::{Branch, MAX_FILES, MAX_INCLUDE_DEPTH, Macro, Reader};
use crate::codes::preprocess as code;
use crate::lex::{Punct, Tok, Token};

/// The directives, for near names.
const DIRECTIVES: [&str; 14] = [
    "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "include", "error",
    "warning", "line", "pragma", "ident",
];

impl Reader<'_> {
    /// Does what a line says; its first token is `#`.
    pub(super) fn directive(&mut self, line: &[Token]) {
        let Some(word) = line.get(1) else {
            return;
        };
        let rest = &line[2..];
        let place = line[0].span.to(word.span);
        match word.text.as_str() {
            "if" => {
                let keep = self.keeping() && self.condition(rest, place);
                self.open(place, keep);
            }
            "ifdef" | "ifndef" => {
                let wanted = word.text.as_str() == "ifdef";
                let keep = self.keeping() && self.defined_name(rest, place) == Some(wanted);
                self.open(place, keep);
            }
            "elif" | "else" => self.other_branch(word, rest, place),
            "endif" => {
                if self.branches.pop().is_none() {
                    self.without_if("#endif", place);
                }
            }
            _ if !self.keeping() => {}
            "define" => self.define(rest, place),
            "undef" => {
                if self.defined_name(rest, place).is_some() {
                    self.macros.remove(&rest[0].text);
                }
            }
            "include" => self.include(rest, place),
            "error" => {
                let message = format!("#error {}", self.text_after(line))
                    .trim_end()
                    .to_owned();
                self.report(Diagnostic::error(&code::ERROR, place, message));
            }
            "warning" => {
                let message = format!("#warning {}", self.text_after(line))
                    .trim_end()
                    .to_owned();
                self.diagnostics
                    .push(Diagnostic::warning(&code::WARNING, place, message));
            }
            "line" | "pragma" | "ident" => {}
            _ if word.tok == Tok::Number => {}
            other => {
                let message = format!("\"#{other}\" is no directive");
                let mut diagnostic = Diagnostic::error(&code::UNKNOWN_DIRECTIVE, place, message);
                if let Some(meant) = near::nearest(other, DIRECTIVES) {
                    diagnostic = diagnostic.help(format!("did you mean #{meant}?"));
                }
                self.report(diagnostic);
            }
        }
    }

    fn open(&mut self, span: Span, keep: bool) {
        let done = keep || !self.keeping();
        self.branches.push(Branch {
            span,
            keep,
            done,
            last: false,
        });
    }

    fn other_branch(&mut self, word: &Token, rest: &[Token], place: Span) {
        let Some(branch) = self.branches.pop() else {
            return self.without_if(&format!("#{}", word.text), place);
        };
        if branch.last {
            let message = format!("#{} after the #else of the same #if", word.text);
            let diagnostic = Diagnostic::error(&code::WITHOUT_IF, place, message);
            self.report(diagnostic.also(branch.span, "the #if"));
        }
        let last = word.text.as_str() == "else";
        let keep = !branch.done && (last || self.condition(rest, place));
        self.branches.push(Branch {
            keep,
            done: branch.done || keep,
            last,
            ..branch
        });
    }

    fn without_if(&mut self, what: &str, place: Span) {
        let message = format!("{what} without #if");
        self.report(Diagnostic::error(&code::WITHOUT_IF, place, message));
    }

    /// Whether the name that a directive gives is that of a macro.
    fn defined_name(&mut self, rest: &[Token], place: Span) -> Option<bool> {
        match rest.first() {
            Some(name) if name.tok == Tok::Ident => Some(self.macros.contains_key(&name.text)),
            _ => {
                let message = "this directive needs the name of a macro";
                self.report(Diagnostic::error(&code::MALFORMED, place, message));
                None
            }
        }
    }

    /// The rest of a line as it stands in the file.
    fn text_after(&self, line: &[Token]) -> &str {
        match line {
            [_, _, first, .., last] => self.sources.slice(first.span.to(last.span)),
            [_, _, only] => self.sources.slice(only.span),
            _ => "",
        }
    }

    fn define(&mut self, rest: &[Token], place: Span) {
        let name = match rest.first() {
            Some(name) if name.tok == Tok::Ident && name.text.as_str() != "defined" => *name,
            _ => {
                let message = "#define needs a name";
                return self.report(Diagnostic::error(&code::MALFORMED, place, message));
            }
        };
        let mut body = &rest[1..];
        let mut parameters = None;
        let mut variadic = false;
        if body
            .first()
            .is_some_and(|token| token.is(Punct::LeftParen) && token.glued)
        {
            let Some((names, more, used)) = parameters_of(body) else {
                let message = format!("the parameters of \"{}\" are no list of names", name.text);
                return self.report(Diagnostic::error(&code::MALFORMED, body[0].span, message));
            };
            parameters = Some(names);
            variadic = more;
            body = &body[used..];
        }
        let ends_in_paste =
            |token: Option<&Token>| token.is_some_and(|token| token.is(Punct::Paste));
        if ends_in_paste(body.first()) || ends_in_paste(body.last()) {
            let message = "\"##\" joins two tokens and stands between them";
            return self.report(Diagnostic::error(&code::MALFORMED, name.span, message));
        }
        let definition = Macro {
            parameters,
            variadic,
            body: Arc::from(body),
            span: name.span,
        };
        self.macros.insert(name.text, Arc::new(definition));
    }

    fn include(&mut self, rest: &[Token], place: Span) {
        let expanded;
        let rest = match rest.first() {
            Some(token) if token.tok == Tok::Ident => {
                expanded = self.expand(rest);
                &expanded[..]
            }
            _ => rest,
        };
        let (name, beside) = match rest {
            [only, ..] if only.tok == Tok::Str => {
                (only.text.as_str().trim_matches('"').to_owned(), true)
            }
            [open, .., close] if open.is(Punct::Less) && close.is(Punct::Greater) => {
                let inside = Span::new(open.span.file, open.span.end, close.span.start);
                (self.sources.slice(inside).trim().to_owned(), false)
            }
            _ => {
                let message = "#include needs a file name in quotes";
                return self.report(Diagnostic::error(&code::MALFORMED, place, message));
            }
        };
        let from = self
            .sources
            .path(place.file)
            .parent()
            .map(Path::to_path_buf);
        let candidates: Vec<PathBuf> = from
            .filter(|_| beside)
            .into_iter()
            .chain(self.folders.iter().cloned())
            .map(|folder| folder.join(&name))
            .collect();
        let mut why = "it is in none of the folders given with -I".to_owned();
        for path in candidates {
            match self.files.read(&path) {
                Ok(text) => return self.included(path, text, place),
                Err(problem) => why = problem,
            }
        }
        let message = format!("cannot read the included file \"{name}\": {why}");
        self.report(Diagnostic::error(&code::MISSING_FILE, place, message));
    }

    fn included(&mut self, path: PathBuf, text: String, place: Span) {
        self.read += 1;
        if self.depth >= MAX_INCLUDE_DEPTH || self.read > MAX_FILES {
            let message = "files include each other without end";
            return self.give_up(Diagnostic::error(&code::TOO_MUCH, place, message));
        }
        let file = self.sources.add(path, text);
        self.depth += 1;
        base::deep::recurse(|| self.file(file));
        self.depth -= 1;
    }
}

/// The parameters of a macro, whether the last one takes all that follow, and how many tokens they are.
fn parameters_of(tokens: &[Token]) -> Option<(Vec<Name>, bool, usize)> {
    let mut names = Vec::new();
    let mut at = 1;
    if tokens.get(at)?.is(Punct::RightParen) {
        return Some((names, false, at + 1));
    }
    loop {
        let token = tokens.get(at)?;
        let mut variadic = token.is(Punct::Ellipsis);
        match token.tok {
            Tok::Ident if !names.contains(&token.text) => names.push(token.text),
            _ if variadic => names.push(Name::new("__VA_ARGS__")),
            _ => return None,
        }
        at += 1;
        // `rest...`: the arguments that are left have a name of their own, as gcc has it.
        if !variadic && tokens.get(at)?.is(Punct::Ellipsis) {
            variadic = true;
            at += 1;
        }
        let next = tokens.get(at)?;
        at += 1;
        match next.tok {
            Tok::Punct(Punct::RightParen) => return Some((names, variadic, at)),
            Tok::Punct(Punct::Comma) if !variadic => {}
            _ => return None,
        }
    }
}
