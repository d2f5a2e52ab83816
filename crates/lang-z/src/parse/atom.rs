//! What needs no operator: names, brackets, binders; and what hangs on it: selections, powers, instantiations.

use base::{Name, Span};

use super::{Parsed, Parser, placed};
use crate::lex::token::split_strokes;
use crate::lex::{Key, Tok};
use crate::tree::{Fix, Ident, TermId, TermKind};

impl Parser<'_> {
    /// An atom with what hangs on it.
    pub(super) fn postfixed(&mut self) -> Parsed<TermId> {
        let mut term = self.atom()?;
        loop {
            let start = self.term_span(term);
            let kind = match *self.peek() {
                Tok::Key(Key::Dot) => {
                    self.advance();
                    match self.peek().clone() {
                        Tok::Number(number) => {
                            let span = self.span();
                            self.advance();
                            let part = number.to_string().parse().unwrap_or(0);
                            TermKind::Part(term, part, span)
                        }
                        _ => TermKind::Select(term, self.ident("the name of a component")?),
                    }
                }
                Tok::Key(Key::BSup) => {
                    let open = self.span();
                    self.advance();
                    let exponent = self.expression()?;
                    self.close(Key::ESup, "the end of the superscript", open)?;
                    TermKind::Iterate(term, exponent)
                }
                Tok::Key(Key::LBracket) if self.takes_brackets(term) => self.brackets(term)?,
                Tok::Stroke(stroke) => {
                    self.advance();
                    match &self.terms[term].kind {
                        TermKind::Theta(schema, strokes) => {
                            let strokes = Name::new(&format!("{strokes}{stroke}"));
                            TermKind::Theta(*schema, strokes)
                        }
                        _ => TermKind::Decorate(term, stroke),
                    }
                }
                Tok::Word(word) if self.ops.is_postfix(word) => {
                    let span = self.span();
                    self.advance();
                    let name = Ident {
                        name: placed(word, Fix::Postfix),
                        span,
                    };
                    TermKind::Operator(name, Fix::Postfix, vec![term])
                }
                _ => return Ok(term),
            };
            let span = start.to(self.last_span());
            term = self.term(kind, span);
        }
    }

    fn takes_brackets(&self, term: TermId) -> bool {
        match &self.terms[term].kind {
            TermKind::Ref(_, sets) => sets.is_empty() || self.renames_ahead(),
            TermKind::Rename(..) | TermKind::Decorate(..) | TermKind::Select(..) => true,
            TermKind::Schema(_)
            | TermKind::Connect(..)
            | TermKind::Hide(..)
            | TermKind::SchemaOp(..)
            | TermKind::Pre(_) => self.renames_ahead(),
            _ => false,
        }
    }

    /// Whether `[a/b` stands here.
    fn renames_ahead(&self) -> bool {
        matches!(self.peek_at(1), Tok::Word(_)) && *self.peek_at(2) == Tok::Key(Key::Slash)
    }

    /// `[new/old, …]` or `[E, F]` after a term.
    fn brackets(&mut self, term: TermId) -> Parsed<TermKind> {
        let open = self.span();
        let renames = self.renames_ahead();
        self.advance();
        if renames {
            let mut pairs = Vec::new();
            loop {
                let new = self.ident("a new name")?;
                self.expect(Key::Slash, "`/` between the new and the old name")?;
                pairs.push((new, self.ident("an old name")?));
                if !self.eat(Key::Comma) {
                    break;
                }
            }
            self.close(Key::RBracket, "`]`", open)?;
            return Ok(TermKind::Rename(term, pairs));
        }
        let sets = self.list(Key::RBracket, "`]`", open)?;
        match self.terms[term].kind.clone() {
            TermKind::Ref(name, known) if known.is_empty() && !sets.is_empty() => {
                Ok(TermKind::Ref(name, sets))
            }
            _ => Err(self.error(open, "only a name can be given parameters")),
        }
    }

    /// Expressions up to a closing bracket.
    fn list(&mut self, close: Key, what: &str, open: Span) -> Parsed<Vec<TermId>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(self.formula()?);
            if !self.eat(Key::Comma) {
                break;
            }
        }
        self.close(close, what, open)?;
        Ok(items)
    }

    fn atom(&mut self) -> Parsed<TermId> {
        let start = self.span();
        let kind = match self.peek().clone() {
            Tok::Number(number) => {
                self.advance();
                TermKind::Number(number)
            }
            Tok::Word(word) => {
                if self.ops.infix(word).is_some() || self.ops.is_postfix(word) {
                    let lone = *self.peek_at(1) == Tok::Key(Key::LBracket);
                    if !lone {
                        return Err(self.unexpected("an expression"));
                    }
                }
                self.advance();
                // A generic operator by itself, with brackets: `id[X]`.
                let name = match self.ops.prefix(word) {
                    Some(_) => placed(word, Fix::Prefix),
                    None => word,
                };
                TermKind::Ref(name, Vec::new())
            }
            Tok::Key(key) => return self.keyed(key, start),
            _ => return Err(self.unexpected("an expression or predicate")),
        };
        Ok(self.term(kind, start))
    }

    // Long: one arm for each keyword.
    fn keyed(&mut self, key: Key, start: Span) -> Parsed<TermId> {
        let kind = match key {
            Key::True => {
                self.advance();
                TermKind::True
            }
            Key::False => {
                self.advance();
                TermKind::False
            }
            Key::LParen => return self.parenthesised(start),
            Key::LBrace => self.braces(start)?,
            Key::LAngle => {
                self.advance();
                if matches!(self.peek(), Tok::Word(_)) && *self.peek_at(1) == Tok::Key(Key::BindTo)
                {
                    TermKind::Binding(self.pairs(Key::BindTo, Key::RAngle, start)?)
                } else {
                    TermKind::Sequence(self.list(
                        Key::RAngle,
                        "the closing angle bracket",
                        start,
                    )?)
                }
            }
            Key::LBag => {
                self.advance();
                TermKind::Bag(self.list(Key::RBag, "the closing bag bracket", start)?)
            }
            Key::LBind => {
                self.advance();
                TermKind::Binding(self.pairs(Key::EqEq, Key::RBind, start)?)
            }
            Key::LBracket => {
                self.advance();
                let text = if self.is(Key::RBracket) {
                    crate::tree::Text::default()
                } else {
                    self.schema_lines()?
                };
                self.close(Key::RBracket, "`]`", start)?;
                TermKind::Schema(text)
            }
            Key::Theta => {
                self.advance();
                let schema = self.deeper(Parser::theta_schema)?;
                self.theta(schema)
            }
            Key::Lambda => {
                self.advance();
                let text = self.schema_text()?;
                self.expect(Key::Spot, "`@` and the value")?;
                TermKind::Lambda(text, self.expression()?)
            }
            Key::Mu => {
                self.advance();
                let text = self.schema_text()?;
                let value = match self.eat(Key::Spot) {
                    true => Some(self.expression()?),
                    false => None,
                };
                TermKind::Mu(text, value)
            }
            Key::Let => {
                self.advance();
                let mut pairs = Vec::new();
                loop {
                    let name = self.ident("a name")?;
                    self.expect(Key::EqEq, "`==` and a value")?;
                    pairs.push((name, self.formula()?));
                    if !self.eat(Key::Semicolon) && !self.eat_newline() {
                        break;
                    }
                }
                self.expect(Key::Spot, "`@` and what the names are for")?;
                TermKind::Let(pairs, self.formula()?)
            }
            Key::If => {
                self.advance();
                let condition = self.formula()?;
                self.expect_past_newline(Key::Then, "`then`")?;
                let yes = self.expression()?;
                self.expect_past_newline(Key::Else, "`else`")?;
                TermKind::If(condition, yes, self.expression()?)
            }
            Key::Power | Key::Pre | Key::Not | Key::Forall | Key::Exists | Key::ExistsOne => {
                return self.formula();
            }
            _ => return Err(self.unexpected("an expression or predicate")),
        };
        let span = start.to(self.last_span());
        Ok(self.term(kind, span))
    }

    /// `x == 1, y == 2` up to a closing bracket.
    fn pairs(&mut self, between: Key, close: Key, open: Span) -> Parsed<Vec<(Ident, TermId)>> {
        let mut pairs = Vec::new();
        if self.eat(close) {
            return Ok(pairs);
        }
        loop {
            let name = self.ident("the name of a component")?;
            self.expect(between, "the value of the component")?;
            pairs.push((name, self.formula()?));
            if !self.eat(Key::Comma) && !self.eat(Key::Semicolon) && !self.eat_newline() {
                break;
            }
        }
        self.close(close, "the bracket that closes the binding", open)?;
        Ok(pairs)
    }

    /// The schema after `θ`: a name with parameters and renaming, or brackets.
    fn theta_schema(&mut self) -> Parsed<TermId> {
        match self.peek() {
            Tok::Word(_) | Tok::Key(Key::LParen | Key::LBracket) => {
                let mut term = self.atom()?;
                while self.is(Key::LBracket) && self.takes_brackets(term) {
                    let start = self.term_span(term);
                    let kind = self.brackets(term)?;
                    let span = start.to(self.last_span());
                    term = self.term(kind, span);
                }
                Ok(term)
            }
            _ => Err(self.unexpected("a schema")),
        }
    }

    /// The strokes of `θ S'` are taken off the name of the schema.
    fn theta(&mut self, schema: TermId) -> TermKind {
        let span = self.term_span(schema);
        if let TermKind::Ref(name, sets) = self.terms[schema].kind.clone() {
            let (base, strokes) = split_strokes(name.as_str());
            let primes = strokes.trim_start_matches(|c| c != '\'' && c != '?' && c != '!');
            if !primes.is_empty() && primes.len() <= strokes.len() {
                let kept = &name.as_str()[..name.as_str().len() - primes.len()];
                let kept = if kept.is_empty() { base } else { kept };
                let bare = self.term(TermKind::Ref(Name::new(kept), sets), span);
                return TermKind::Theta(bare, Name::new(primes));
            }
        }
        TermKind::Theta(schema, Name::new(""))
    }

    /// `(E)`, `(E, F)`, `(_ ∪ _)`
    fn parenthesised(&mut self, open: Span) -> Parsed<TermId> {
        if let Some(name) = self.operator_name() {
            let span = open.to(self.last_span());
            return Ok(self.term(TermKind::Ref(name, Vec::new()), span));
        }
        self.advance();
        let first = self.lines()?;
        if !self.is(Key::Comma) {
            self.close(Key::RParen, "`)`", open)?;
            let span = open.to(self.last_span());
            // Brackets stop what comes after from hanging on what stands inside.
            self.terms[first].span = span;
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.eat(Key::Comma) {
            parts.push(self.formula()?);
        }
        self.close(Key::RParen, "`)`", open)?;
        let span = open.to(self.last_span());
        Ok(self.term(TermKind::Tuple(parts), span))
    }

    /// `(_ ∪ _)` and its kin.
    fn operator_name(&mut self) -> Option<Name> {
        let place = Tok::Key(Key::Underscore);
        let close = Tok::Key(Key::RParen);
        let word = |tok: &Tok| match tok {
            Tok::Word(word) => Some(*word),
            _ => None,
        };
        let (name, length) = if *self.peek_at(1) == place {
            if *self.peek_at(2) == Tok::Key(Key::LImage) {
                (Name::new("_⦇_⦈"), 6)
            } else {
                let word = word(self.peek_at(2))?;
                if *self.peek_at(3) == place && *self.peek_at(4) == close {
                    (placed(word, Fix::Infix), 5)
                } else if *self.peek_at(3) == close {
                    (placed(word, Fix::Postfix), 4)
                } else {
                    return None;
                }
            }
        } else {
            let word = word(self.peek_at(1))?;
            if *self.peek_at(2) == place && *self.peek_at(3) == close {
                (placed(word, Fix::Prefix), 4)
            } else if self.ops.infix(word).is_some() && *self.peek_at(2) == close {
                (placed(word, Fix::Infix), 3)
            } else if *self.peek_at(2) == close && self.ops.prefix(word).is_some() {
                (placed(word, Fix::Prefix), 3)
            } else {
                return None;
            }
        };
        for _ in 0..length {
            self.advance();
        }
        Some(name)
    }

    /// `{E, F}` or `{D | P ⦁ E}`
    fn braces(&mut self, open: Span) -> Parsed<TermKind> {
        self.advance();
        if self.eat(Key::RBrace) {
            return Ok(TermKind::SetOf(Vec::new()));
        }
        let what = "the closing brace";
        let defines =
            matches!(self.peek(), Tok::Word(_)) && *self.peek_at(1) == Tok::Key(Key::EqEq);
        if defines || self.declares_ahead() {
            let (text, value) = self.comprehension()?;
            self.close(Key::RBrace, what, open)?;
            return Ok(TermKind::Comprehension(text, value));
        }
        let mark = self.at;
        let first = self.formula()?;
        if matches!(self.peek(), Tok::Key(Key::Bar | Key::Semicolon | Key::Spot)) {
            self.at = mark;
            let (text, value) = self.comprehension()?;
            self.close(Key::RBrace, what, open)?;
            return Ok(TermKind::Comprehension(text, value));
        }
        let mut items = vec![first];
        while self.eat(Key::Comma) {
            items.push(self.formula()?);
        }
        self.close(Key::RBrace, what, open)?;
        Ok(TermKind::SetOf(items))
    }

    fn comprehension(&mut self) -> Parsed<(crate::tree::Text, Option<TermId>)> {
        let text = self.schema_text()?;
        let value = match self.eat(Key::Spot) {
            true => Some(self.formula()?),
            false => None,
        };
        Ok((text, value))
    }
}
