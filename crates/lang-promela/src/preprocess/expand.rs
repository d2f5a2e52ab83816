//! Replaces the uses of macros.
//!
//! Tokens are drawn from a stack of lists: a macro in the middle of being replaced lies on it and is not replaced again
//! inside itself. Arguments are replaced by themselves before they are put in, except next to `#` and `##`.
//! Invariant: every token that a macro makes is counted, so doubling macros end in a diagnostic.

use std::sync::Arc;

use base::{Diagnostic, Name, deep};
use rustc_hash::FxHashSet;

use super::{MAX_MADE, Macro, Reader};
use crate::codes::preprocess as code;
use crate::lex::{self, Punct, Tok, Token};

/// A list of tokens that is being read.
struct List {
    tokens: Arc<[Token]>,
    at: usize,
    /// The macro that made it.
    of: Option<Name>,
}

/// What is read next, and which macros are being replaced.
struct Stack {
    lists: Vec<List>,
    busy: FxHashSet<Name>,
}

impl Stack {
    fn push(&mut self, tokens: Arc<[Token]>, of: Option<Name>) {
        if let Some(of) = of {
            self.busy.insert(of);
        }
        self.lists.push(List { tokens, at: 0, of });
    }

    /// The next token, without the end of lists.
    fn peek(&mut self) -> Option<Token> {
        loop {
            let list = self.lists.last()?;
            if let Some(token) = list.tokens.get(list.at) {
                return Some(*token);
            }
            if let Some(of) = self.lists.pop().and_then(|list| list.of) {
                self.busy.remove(&of);
            }
        }
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek()?;
        if let Some(list) = self.lists.last_mut() {
            list.at += 1;
        }
        Some(token)
    }
}

impl Reader<'_> {
    /// Puts text with its macros replaced to the output.
    pub(super) fn text(&mut self, tokens: &[Token]) {
        if tokens.iter().all(|token| !self.is_macro(token)) {
            self.out.extend_from_slice(tokens);
            return;
        }
        let expanded = self.expand(tokens);
        self.out.extend(expanded);
    }

    /// The tokens with macros replaced.
    pub(super) fn expand(&mut self, tokens: &[Token]) -> Vec<Token> {
        self.expand_within(Arc::from(tokens), &FxHashSet::default(), 0)
    }

    fn is_macro(&self, token: &Token) -> bool {
        token.tok == Tok::Ident
            && !token.painted
            && (self.macros.contains_key(&token.text)
                || matches!(token.text.as_str(), "__LINE__" | "__FILE__"))
    }

    fn expand_within(
        &mut self,
        tokens: Arc<[Token]>,
        busy: &FxHashSet<Name>,
        depth: usize,
    ) -> Vec<Token> {
        let mut stack = Stack {
            lists: Vec::new(),
            busy: busy.clone(),
        };
        stack.push(tokens, None);
        let mut out = Vec::new();
        while let Some(mut token) = stack.next() {
            if self.stopped {
                break;
            }
            if !self.is_macro(&token) {
                out.push(token);
                continue;
            }
            if stack.busy.contains(&token.text) {
                token.painted = true;
                out.push(token);
                continue;
            }
            let Some(definition) = self.macros.get(&token.text).cloned() else {
                out.push(self.place_macro(token));
                continue;
            };
            let arguments = match &definition.parameters {
                None => Vec::new(),
                Some(parameters) => {
                    if !stack.peek().is_some_and(|next| next.is(Punct::LeftParen)) {
                        token.painted = true;
                        out.push(token);
                        continue;
                    }
                    match self.arguments(&mut stack, token, &definition, parameters) {
                        Some(arguments) => arguments,
                        None => continue,
                    }
                }
            };
            let made = self.replace(token, &definition, &arguments, &stack.busy, depth);
            stack.push(made.into(), Some(token.text));
        }
        out
    }

    /// `__LINE__` and `__FILE__`.
    fn place_macro(&mut self, token: Token) -> Token {
        let (tok, text) = if token.text.as_str() == "__LINE__" {
            let position = self.sources.position(token.span.file, token.span.start);
            (Tok::Number, position.line.to_string())
        } else {
            (
                Tok::Str,
                format!("\"{}\"", self.sources.path(token.span.file).display()),
            )
        };
        Token {
            tok,
            text: Name::new(&text),
            ..token
        }
    }

    /// Reads the arguments of a macro, its name just read.
    fn arguments(
        &mut self,
        stack: &mut Stack,
        name: Token,
        definition: &Macro,
        parameters: &[Name],
    ) -> Option<Vec<Vec<Token>>> {
        stack.next();
        let mut arguments = vec![Vec::new()];
        let mut depth = 0usize;
        loop {
            let Some(token) = stack.next() else {
                let message = format!("the arguments of the macro \"{}\" have no end", name.text);
                let diagnostic = Diagnostic::error(&code::UNCLOSED_CALL, name.span, message);
                self.report(diagnostic.also(definition.span, "defined here"));
                return None;
            };
            let rest = definition.variadic && arguments.len() == parameters.len();
            match token.tok {
                Tok::Punct(Punct::RightParen) if depth == 0 => break,
                Tok::Punct(Punct::Comma) if depth == 0 && !rest => {
                    arguments.push(Vec::new());
                    continue;
                }
                Tok::Punct(Punct::LeftParen) => depth += 1,
                Tok::Punct(Punct::RightParen) => depth -= 1,
                _ => {}
            }
            if let Some(argument) = arguments.last_mut() {
                argument.push(Token {
                    first: false,
                    ..token
                });
            }
        }
        if parameters.is_empty() && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if definition.variadic && arguments.len() + 1 == parameters.len() {
            arguments.push(Vec::new());
        }
        if arguments.len() != parameters.len() {
            let message = format!(
                "the macro \"{}\" has {} and is given {}",
                name.text,
                base::counted(parameters.len(), "parameter"),
                arguments.len()
            );
            let diagnostic = Diagnostic::error(&code::MACRO_ARITY, name.span, message);
            self.report(diagnostic.also(definition.span, "defined here"));
            return None;
        }
        Some(arguments)
    }

    /// The body of a macro with its arguments put in.
    fn replace(
        &mut self,
        name: Token,
        definition: &Macro,
        arguments: &[Vec<Token>],
        busy: &FxHashSet<Name>,
        depth: usize,
    ) -> Vec<Token> {
        let mut out: Vec<Token> = Vec::with_capacity(definition.body.len());
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let parameter = |token: &Token| {
            let parameters = definition.parameters.as_ref()?;
            parameters
                .iter()
                .position(|known| token.tok == Tok::Ident && *known == token.text)
        };
        let body = &definition.body;
        let mut at = 0;
        while let Some(token) = body.get(at) {
            let pasted = at > 0 && body[at - 1].is(Punct::Paste);
            let pasting = body.get(at + 1).is_some_and(|next| next.is(Punct::Paste));
            at += 1;
            if token.is(Punct::Paste) {
                continue;
            }
            let piece: Vec<Token> = if token.is(Punct::Hash)
                && let Some(index) = body.get(at).and_then(parameter)
            {
                at += 1;
                vec![self.stringify(name, &arguments[index])]
            } else if let Some(index) = parameter(token) {
                if pasted || pasting {
                    arguments[index].clone()
                } else {
                    if expanded[index].is_none() {
                        expanded[index] = Some(self.argument(name, &arguments[index], busy, depth));
                    }
                    expanded[index].clone().unwrap_or_default()
                }
            } else {
                vec![Token {
                    span: name.span,
                    first: false,
                    ..*token
                }]
            };
            self.join(&mut out, piece, pasted, name);
            if !self.count(out.len(), name, definition) {
                return Vec::new();
            }
        }
        if let Some(first) = out.first_mut() {
            first.first = name.first;
            first.glued = name.glued;
        }
        self.made += out.len();
        out
    }

    /// Whether so many more tokens may be made.
    fn count(&mut self, more: usize, name: Token, definition: &Macro) -> bool {
        if self.made + more > MAX_MADE {
            let message = format!(
                "the macro \"{}\" makes more than {MAX_MADE} tokens",
                name.text
            );
            let diagnostic = Diagnostic::error(&code::TOO_MUCH, name.span, message);
            self.give_up(diagnostic.also(definition.span, "defined here"));
        }
        !self.stopped
    }

    fn argument(
        &mut self,
        name: Token,
        tokens: &[Token],
        busy: &FxHashSet<Name>,
        depth: usize,
    ) -> Vec<Token> {
        if depth > deep::MAX_NESTING {
            let message = "macros are nested too deeply";
            self.give_up(Diagnostic::error(&code::TOO_MUCH, name.span, message));
            return Vec::new();
        }
        deep::recurse(|| self.expand_within(Arc::from(tokens), busy, depth + 1))
    }

    /// Adds a piece, its first token joined to the last one if `##` stood between.
    fn join(&mut self, out: &mut Vec<Token>, mut piece: Vec<Token>, pasted: bool, name: Token) {
        if pasted
            && !piece.is_empty()
            && let Some(left) = out.pop()
        {
            let text = format!("{}{}", left.text, piece[0].text);
            let mut made = lex::tokens(name.span.file, &text);
            made.pop();
            let joined = made.into_iter().map(|token| Token {
                span: name.span,
                origin: left.origin,
                first: false,
                ..token
            });
            piece.splice(0..1, joined);
        }
        out.extend(piece);
    }

    /// The text of an argument as a string.
    fn stringify(&self, name: Token, argument: &[Token]) -> Token {
        let mut text = String::from("\"");
        for (i, token) in argument.iter().enumerate() {
            if i > 0 && !token.glued {
                text.push(' ');
            }
            let quoted = matches!(token.tok, Tok::Str | Tok::Char);
            for c in token.text.as_str().chars() {
                if quoted && matches!(c, '"' | '\\') {
                    text.push('\\');
                }
                text.push(c);
            }
        }
        text.push('"');
        Token {
            tok: Tok::Str,
            text: Name::new(&text),
            first: false,
            ..name
        }
    }
}
