//! Paragraphs.

use base::Span;

use super::{Parsed, Parser, placed};
use crate::lex::{Chunk, Frame, Key, Tok};
use crate::tree::{
    Branch, Connective, Fix, Free, Ident, Paragraph, ParagraphKind, TermId, TermKind, Text,
};

impl Parser<'_> {
    /// Reads a paragraph as it stands in the text.
    pub(super) fn chunk(&mut self, chunk: &Chunk) {
        match chunk.frame {
            Frame::Section => {
                if let Ok(kind) = self.section() {
                    self.add(kind, chunk.span);
                }
            }
            Frame::Zed => self.unboxed(),
            Frame::Axiom | Frame::Generic => {
                let parameters = self
                    .header(chunk, |parser| parser.parameters())
                    .unwrap_or_default();
                let text = self.boxed();
                self.add(ParagraphKind::Axiom(parameters, text), chunk.span);
            }
            Frame::Schema => self.schema_box(chunk),
            Frame::Theorem => {
                let header = self.header(chunk, |parser| {
                    if let Tok::Word(_) = parser.peek() {
                        parser.advance();
                    }
                    parser.parameters()
                });
                self.eat(Key::Conjecture);
                if let (Some(parameters), Ok(claim)) = (header, self.lines()) {
                    self.add(ParagraphKind::Conjecture(parameters, claim), chunk.span);
                }
            }
        }
    }

    fn add(&mut self, kind: ParagraphKind, span: Span) {
        self.paragraphs.push(Paragraph { kind, span });
    }

    /// Reads the header of a box.
    fn header<T>(
        &mut self,
        chunk: &Chunk,
        read: impl FnOnce(&mut Parser<'_>) -> Parsed<T>,
    ) -> Option<T> {
        let mut parser = Parser::new(
            &chunk.header,
            self.ops,
            self.dialect,
            self.terms,
            self.diagnostics,
        );
        let result = read(&mut parser).ok()?;
        if *parser.peek() != Tok::End {
            parser.unexpected("the end of the header");
            return None;
        }
        Some(result)
    }

    fn schema_box(&mut self, chunk: &Chunk) {
        let header = self.header(chunk, |parser| {
            let name = parser.ident("the name of the schema")?;
            Ok((name, parser.parameters()?))
        });
        let text = self.boxed();
        let body = self.term(TermKind::Schema(text), chunk.span);
        if let Some((name, parameters)) = header {
            let kind = ParagraphKind::Schema {
                name,
                parameters,
                body,
                boxed: true,
            };
            self.add(kind, chunk.span);
        }
    }

    /// `[X, Y]`, or nothing.
    fn parameters(&mut self) -> Parsed<Vec<Ident>> {
        let open = self.span();
        if !self.eat(Key::LBracket) {
            return Ok(Vec::new());
        }
        let mut names = vec![self.ident("a parameter")?];
        while self.eat(Key::Comma) {
            names.push(self.ident("a parameter")?);
        }
        self.close(Key::RBracket, "`]`", open)?;
        Ok(names)
    }

    /// The lines of a box.
    fn boxed(&mut self) -> Text {
        let mut text = Text::default();
        self.eat_newline();
        while !matches!(self.peek(), Tok::End | Tok::Key(Key::Where)) {
            let start = self.at;
            let read = self.declaration().and_then(|decl| {
                text.decls.push(decl);
                match self.peek() {
                    Tok::End | Tok::Newline | Tok::Key(Key::Where | Key::Semicolon) => Ok(()),
                    Tok::Key(Key::Bar) => Ok(()),
                    _ => Err(self.unexpected("the end of the declaration")),
                }
            });
            if read.is_err() {
                self.next_line();
            }
            if self.is(Key::Bar) && read.is_ok() {
                break;
            }
            while self.eat_newline() || self.eat(Key::Semicolon) {}
            if self.at == start {
                break;
            }
        }
        if self.eat(Key::Where) || self.eat(Key::Bar) {
            text.predicate = self.box_predicates();
        }
        text
    }

    fn box_predicates(&mut self) -> Option<TermId> {
        let mut all: Option<TermId> = None;
        loop {
            while self.eat_newline() || self.eat(Key::Semicolon) {}
            match self.peek() {
                Tok::End => return all,
                Tok::Key(Key::Where) => {
                    let span = self.span();
                    self.error(span, "a box has only one `where`");
                    self.advance();
                    continue;
                }
                _ => {}
            }
            let start = self.at;
            let read = self.formula().and_then(|term| match self.peek() {
                Tok::End | Tok::Newline | Tok::Key(Key::Where | Key::Semicolon) => Ok(term),
                _ => Err(self.unexpected("the end of the predicate")),
            });
            let Ok(term) = read else {
                self.next_line();
                if self.at == start {
                    self.advance();
                }
                continue;
            };
            all = Some(match all {
                None => term,
                Some(left) => {
                    let span = self.term_span(left).to(self.term_span(term));
                    self.term(TermKind::Connect(Connective::And, left, term), span)
                }
            });
        }
    }

    fn unboxed(&mut self) {
        loop {
            while self.eat_newline() || self.eat(Key::Semicolon) {}
            if *self.peek() == Tok::End {
                return;
            }
            let start = self.at;
            let begin = self.span();
            let read = self.item().and_then(|kind| match self.peek() {
                Tok::End | Tok::Newline | Tok::Key(Key::Semicolon) => Ok(kind),
                _ => Err(self.unexpected("the end of the paragraph")),
            });
            match read {
                Ok(kind) => {
                    let span = begin.to(self.last_span());
                    self.add(kind, span);
                }
                Err(_) => {
                    self.next_line();
                    if self.is(Key::Where) || self.at == start {
                        self.advance();
                    }
                }
            }
        }
    }

    fn item(&mut self) -> Parsed<ParagraphKind> {
        match *self.peek() {
            Tok::Key(Key::LBracket) if self.is_given() => {
                let names = self.parameters()?;
                Ok(ParagraphKind::Given(names))
            }
            Tok::Key(Key::LBracket) if self.is_generic_claim() => {
                let parameters = self.parameters()?;
                self.advance();
                Ok(ParagraphKind::Conjecture(parameters, self.lines()?))
            }
            Tok::Key(Key::Function | Key::Relation | Key::Generic) => {
                Ok(ParagraphKind::Template(self.template()?))
            }
            Tok::Key(Key::Conjecture) => {
                self.advance();
                Ok(ParagraphKind::Conjecture(Vec::new(), self.lines()?))
            }
            Tok::Key(Key::Section) => self.section(),
            Tok::Word(_) => self.definition(),
            _ => self.axiom_or_claim(Vec::new()),
        }
    }

    fn axiom_or_claim(&mut self, parameters: Vec<Ident>) -> Parsed<ParagraphKind> {
        let formula = self.formula()?;
        Ok(ParagraphKind::Predicate(parameters, formula))
    }

    /// Whether `[X, Y] ⊢?` stands here.
    fn is_generic_claim(&self) -> bool {
        let after = self.after_names();
        after.is_some_and(|after| *self.peek_at(after) == Tok::Key(Key::Conjecture))
    }

    /// Whether `[X, Y]` stands here with nothing after it.
    fn is_given(&self) -> bool {
        self.after_names().is_some_and(|after| {
            matches!(
                self.peek_at(after),
                Tok::End | Tok::Newline | Tok::Key(Key::Semicolon)
            )
        })
    }

    /// How far the end of `[X, Y]` is, if it stands here.
    fn after_names(&self) -> Option<usize> {
        let mut ahead = 1;
        loop {
            if !matches!(self.peek_at(ahead), Tok::Word(_)) {
                return None;
            }
            match self.peek_at(ahead + 1) {
                Tok::Key(Key::Comma) => ahead += 2,
                Tok::Key(Key::RBracket) => return Some(ahead + 2),
                _ => return None,
            }
        }
    }

    /// A definition that begins with a name, or a predicate.
    fn definition(&mut self) -> Parsed<ParagraphKind> {
        let mark = self.at;
        if let Some((name, parameters)) = self.defined() {
            match *self.peek() {
                Tok::Key(Key::Defs) => {
                    self.advance();
                    let body = self.formula()?;
                    return Ok(ParagraphKind::Schema {
                        name,
                        parameters,
                        body,
                        boxed: false,
                    });
                }
                Tok::Key(Key::EqEq) => {
                    self.advance();
                    let body = self.formula()?;
                    return Ok(ParagraphKind::Abbreviation(name, parameters, body));
                }
                Tok::Key(Key::FreeEq) if parameters.is_empty() => return self.free(name),
                _ => {}
            }
        }
        self.at = mark;
        self.axiom_or_claim(Vec::new())
    }

    /// `S`, `S[X]`, `X op Y`, `op X`: what a definition may define.
    fn defined(&mut self) -> Option<(Ident, Vec<Ident>)> {
        let first = self.ident("a name").ok()?;
        if self.ops.is_prefix(first.name)
            && let Tok::Word(parameter) = *self.peek()
        {
            let span = self.span();
            self.advance();
            let name = Ident {
                name: placed(first.name, Fix::Prefix),
                span: first.span,
            };
            return Some((
                name,
                vec![Ident {
                    name: parameter,
                    span,
                }],
            ));
        }
        if let (Tok::Word(op), Tok::Word(second)) = (self.peek().clone(), self.peek_at(1).clone())
            && self.ops.infix(op).is_some()
        {
            let span = self.span();
            self.advance();
            let right = Ident {
                name: second,
                span: self.span(),
            };
            self.advance();
            let name = Ident {
                name: placed(op, Fix::Infix),
                span,
            };
            return Some((name, vec![first, right]));
        }
        if !self.is(Key::LBracket) {
            return Some((first, Vec::new()));
        }
        let mut names = Vec::new();
        loop {
            self.advance();
            let Tok::Word(name) = *self.peek() else {
                return None;
            };
            names.push(Ident {
                name,
                span: self.span(),
            });
            self.advance();
            if !self.is(Key::Comma) {
                break;
            }
        }
        self.eat(Key::RBracket).then_some((first, names))
    }

    fn free(&mut self, name: Ident) -> Parsed<ParagraphKind> {
        let mut types = vec![self.branches(name)?];
        while self.eat(Key::Amp) {
            let name = self.ident("the name of a free type")?;
            if !self.is(Key::FreeEq) {
                return Err(self.unexpected("`::=`"));
            }
            types.push(self.branches(name)?);
        }
        Ok(ParagraphKind::Free(types))
    }

    fn branches(&mut self, name: Ident) -> Parsed<Free> {
        self.advance();
        let mut branches = Vec::new();
        loop {
            let name = self.ident("a constant or constructor")?;
            let open = self.span();
            let argument = if self.eat(Key::LData) {
                let set = self.formula()?;
                self.close(Key::RData, "the bracket that closes the argument", open)?;
                Some(set)
            } else {
                None
            };
            branches.push(Branch { name, argument });
            if !self.eat(Key::Bar) {
                break;
            }
        }
        Ok(Free { name, branches })
    }

    fn section(&mut self) -> Parsed<ParagraphKind> {
        self.expect(Key::Section, "a section header")?;
        let name = self.ident("the name of the section")?;
        let mut parents = Vec::new();
        if self.eat(Key::Parents) {
            while let Tok::Word(_) = self.peek() {
                parents.push(self.ident("a section")?);
                if !self.eat(Key::Comma) {
                    break;
                }
            }
        }
        while self.eat_newline() {}
        Ok(ParagraphKind::Section(name, parents))
    }
}
