//! Substitutions: what operations and initialisations do.

use base::{Diagnostic, Name, Span, deep};
use lang_math::{ExprId, ExprKind, Op};

use super::{ANY_OPERATOR, NO_COMPOSITION, NO_DESCRIPTION, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Tok, Word};
use crate::syntax::{SubstId, SubstKind};

impl Parser<'_> {
    /// Reads `S ; T ; …`.
    pub(super) fn sequence(&mut self) -> SubstId {
        deep::recurse(|| {
            let start = self.span();
            let first = self.parallel();
            let mut parts = vec![first];
            while self.at(Tok::Semicolon) && !self.at_operation(1) {
                let semicolon = self.advance();
                if matches!(
                    self.tok(),
                    Tok::Word(Word::End | Word::Else | Word::Elsif | Word::When | Word::Or)
                ) || self.at_clause_end()
                {
                    self.superfluous(semicolon);
                    break;
                }
                parts.push(self.parallel());
            }
            if parts.len() == 1 {
                return first;
            }
            let span = start.to(self.last_span());
            self.tree.subst(SubstKind::Sequence(parts), span)
        })
    }

    /// Reports a `;` with nothing after it.
    pub(super) fn superfluous(&mut self, semicolon: Span) {
        let found = self.describe(self.token_at(0));
        self.complain(
            Diagnostic::error(
                &code::EXTRA_SEPARATOR,
                semicolon,
                format!("nothing follows this \";\" before {found}"),
            )
            .help("\";\" separates; remove it after the last one"),
        );
    }

    /// Reads `S || T || …`.
    pub(super) fn parallel(&mut self) -> SubstId {
        let start = self.span();
        let first = self.statement();
        let mut parts = vec![first];
        while self.eat(Tok::Parallel) {
            parts.push(self.statement());
        }
        if parts.len() == 1 {
            return first;
        }
        let span = start.to(self.last_span());
        self.tree.subst(SubstKind::Parallel(parts), span)
    }

    /// Reads one statement; after an error goes on behind it.
    fn statement(&mut self) -> SubstId {
        let mark = self.mark();
        let start = self.span();
        let read = deep::recurse(|| self.try_statement()).and_then(|kind| {
            let span = start.to(self.last_span());
            if self.at_statement_end() {
                return Ok(self.tree.subst(kind, span));
            }
            Err(self.unexpected_after_statement())
        });
        read.unwrap_or_else(|_| self.skip_statement(mark, start))
    }

    /// Whether a statement may end here.
    fn at_statement_end(&self) -> bool {
        matches!(
            self.tok(),
            Tok::Eof | Tok::Word(_) | Tok::Semicolon | Tok::Parallel | Tok::Bad
        ) || matches!(self.tok(), Tok::Pragma(_))
            || self.at_operation(0)
            || self.misspelt_clause(0).is_some()
    }

    fn unexpected_after_statement(&mut self) -> super::Fail {
        let last = self.tokens[self.pos.saturating_sub(1)];
        let capitals = self.text_of(last).to_ascii_uppercase();
        if let Some(word) = Word::from_text(&capitals).filter(|word| word.opens_block()) {
            let span = self.span_of(last);
            // It was meant to open a block: its END belongs to what is skipped.
            self.blocks.push((word, span));
            let message = format!("found {}, expected {capitals}", self.describe(last));
            let diagnostic = Diagnostic::error(&code::UNEXPECTED, span, message)
                .help("keywords are written in capitals");
            return self.error(diagnostic);
        }
        let diagnostic = self.unexpected_diagnostic("\";\", \"||\" or END");
        let diagnostic = if self.at_name() && diagnostic.help.is_none() {
            diagnostic
                .help("statements are separated by \";\" (one after the other) or \"||\" (at once)")
        } else {
            diagnostic
        };
        self.error(diagnostic)
    }

    fn try_statement(&mut self) -> Read<SubstKind> {
        match self.tok() {
            Tok::Word(Word::Skip) => {
                self.advance();
                Ok(SubstKind::Skip)
            }
            Tok::Word(word) if word.opens_block() && word != Word::Either => self.block(word),
            Tok::Ident | Tok::Quoted => self.change(),
            Tok::Op(op) if self.misused.contains(&op) => self.change(),
            Tok::Op(_)
                if matches!(
                    self.tok_at(1),
                    Tok::Assign | Tok::BecomesElement | Tok::Comma | Tok::Results
                ) && self.take_for_name("a variable") =>
            {
                self.change()
            }
            Tok::Word(word) => {
                let text = word.text();
                let diagnostic = self.unexpected_diagnostic("a substitution");
                let diagnostic = match word {
                    Word::End | Word::Else | Word::Elsif | Word::When | Word::Or => Diagnostic {
                        code: &code::EMPTY,
                        ..diagnostic
                    }
                    .help(format!("write skip before {text} if nothing is to happen")),
                    Word::Where => diagnostic.help("WHERE belongs to ANY x WHERE P THEN S END"),
                    _ => diagnostic,
                };
                Err(self.error(diagnostic))
            }
            Tok::Op(Op::True | Op::False | Op::Truth) => {
                let diagnostic = self.unexpected_diagnostic("a substitution");
                Err(self.error(diagnostic.help("write skip if nothing is to happen")))
            }
            _ => Err(self.unexpected("a substitution")),
        }
    }

    fn block(&mut self, word: Word) -> Read<SubstKind> {
        self.open_block(word)?;
        let kind = match word {
            Word::Begin => SubstKind::Block(self.sequence()),
            Word::Pre => self.guarded(SubstKind::Pre)?,
            Word::Assert => self.guarded(SubstKind::Assert)?,
            Word::Witness => self.guarded(SubstKind::Witness)?,
            Word::Choice => {
                let mut parts = vec![self.sequence()];
                while self.eat(Tok::Word(Word::Or)) {
                    parts.push(self.sequence());
                }
                SubstKind::Choice(parts)
            }
            Word::If => {
                let (branches, otherwise) = self.branches(Word::Elsif)?;
                SubstKind::If {
                    branches,
                    otherwise,
                }
            }
            Word::Select => {
                let (branches, otherwise) = self.branches(Word::When)?;
                SubstKind::Select {
                    branches,
                    otherwise,
                }
            }
            Word::Case => self.case()?,
            Word::Any => {
                let names = self.names("a name")?;
                if self.at_word(Word::Then) {
                    let diagnostic = self.unexpected_diagnostic("WHERE");
                    return Err(self.error(diagnostic.help("ANY x WHERE P THEN S END")));
                }
                self.expect_word(Word::Where)?;
                let predicate = self.conjuncts();
                self.expect_word(Word::Then)?;
                let body = self.sequence();
                SubstKind::Any {
                    names,
                    predicate,
                    body,
                }
            }
            Word::Let => {
                let names = self.names("a name")?;
                self.expect_word(Word::Be)?;
                let equations = self.conjuncts();
                self.expect_word(Word::In)?;
                let body = self.sequence();
                SubstKind::Let {
                    names,
                    equations,
                    body,
                }
            }
            Word::Var => {
                let names = self.names("a name")?;
                self.expect_word(Word::In)?;
                SubstKind::Var {
                    names,
                    body: self.sequence(),
                }
            }
            _ => self.repetition()?,
        };
        self.close_block("\";\", \"||\" or END")?;
        Ok(kind)
    }

    /// `P THEN S`
    fn guarded(&mut self, make: fn(ExprId, SubstId) -> SubstKind) -> Read<SubstKind> {
        let predicate = self.conjuncts();
        self.expect_word(Word::Then)?;
        Ok(make(predicate, self.sequence()))
    }

    /// `P THEN S {again Q THEN T} [ELSE U]`
    #[allow(
        clippy::type_complexity,
        reason = "the shape of two variants of SubstKind"
    )]
    fn branches(&mut self, again: Word) -> Read<(Vec<(ExprId, SubstId)>, Option<SubstId>)> {
        let mut branches = Vec::new();
        loop {
            let condition = self.conjuncts();
            self.expect_word(Word::Then)?;
            branches.push((condition, self.sequence()));
            if !self.eat(Tok::Word(again)) {
                break;
            }
        }
        let otherwise = self.eat(Tok::Word(Word::Else)).then(|| self.sequence());
        Ok((branches, otherwise))
    }

    /// `E OF EITHER a THEN S OR b, c THEN T ELSE U END`; the END of CASE itself is left.
    fn case(&mut self) -> Read<SubstKind> {
        let subject = self.expression(ANY_OPERATOR)?;
        self.expect_word(Word::Of)?;
        if !self.at_word(Word::Either) {
            return Err(self.unexpected("EITHER"));
        }
        let either = self.open_block(Word::Either)?;
        let mut branches = Vec::new();
        loop {
            let labels = self.expressions(NO_COMPOSITION)?.to_vec();
            self.expect_word(Word::Then)?;
            branches.push((labels, self.sequence()));
            if !self.eat(Tok::Word(Word::Or)) {
                break;
            }
        }
        let otherwise = self.eat(Tok::Word(Word::Else)).then(|| self.sequence());
        self.close_block("\";\", \"||\", OR or END")?;
        if !self.at_word(Word::End) {
            let diagnostic = self
                .unexpected_diagnostic("a second END")
                .also(either, "EITHER is closed, CASE is not")
                .help("CASE has two: CASE E OF EITHER … END END");
            return Err(self.error(diagnostic));
        }
        Ok(SubstKind::Case {
            subject,
            branches,
            otherwise,
        })
    }

    /// `P DO S INVARIANT I VARIANT V`
    fn repetition(&mut self) -> Read<SubstKind> {
        let condition = self.conjuncts();
        self.expect_word(Word::Do)?;
        self.loops += 1;
        let body = self.sequence();
        self.loops -= 1;
        let (invariant, variant) = if self.eat(Tok::Word(Word::Variant)) {
            let variant = self.expression(ANY_OPERATOR)?;
            self.expect_word(Word::Invariant)?;
            (self.conjuncts(), variant)
        } else {
            self.expect_word(Word::Invariant)?;
            self.loops += 1;
            let invariant = self.conjuncts();
            self.loops -= 1;
            self.expect_word(Word::Variant)?;
            (invariant, self.expression(ANY_OPERATOR)?)
        };
        Ok(SubstKind::While {
            condition,
            body,
            invariant,
            variant,
        })
    }

    /// A statement that starts with a name: an assignment of some form, or a call.
    fn change(&mut self) -> Read<SubstKind> {
        let mut targets = vec![self.target()?];
        while self.eat(Tok::Comma) {
            if !self.at_name() {
                return Err(self.unexpected("a variable to assign to"));
            }
            targets.push(self.target()?);
        }
        match self.tok() {
            Tok::Assign => {
                self.advance();
                let values = self.expressions(NO_DESCRIPTION)?.to_vec();
                Ok(SubstKind::Assign { targets, values })
            }
            Tok::BecomesElement => {
                self.advance();
                let set = self.expression(NO_DESCRIPTION)?;
                Ok(SubstKind::BecomesElement { targets, set })
            }
            Tok::Op(Op::Member) => self.becomes_such(targets),
            Tok::Results => {
                self.advance();
                let call = self.target()?;
                self.call(targets, call)
            }
            Tok::Op(Op::Equal) => {
                let diagnostic = Diagnostic::error(
                    &code::EQUAL_FOR_ASSIGN,
                    self.span(),
                    "found \"=\", expected \":=\"",
                )
                .help("an assignment is written \":=\"")
                .fix(":=");
                Err(self.error(diagnostic))
            }
            _ if targets.len() == 1 => self.call(Vec::new(), targets[0]),
            _ => Err(self.unexpected("\":=\", \"::\" or \"<--\"")),
        }
    }

    /// `x : (P)`
    fn becomes_such(&mut self, targets: Vec<ExprId>) -> Read<SubstKind> {
        self.advance();
        let open = self.span();
        if !self.at(Tok::LeftParen) {
            let diagnostic = self.unexpected_diagnostic("\"(\"").help(
                "x : (P) chooses x such that P; x :: S chooses an element of S; x := E assigns",
            );
            return Err(self.error(diagnostic));
        }
        self.advance();
        self.enter()?;
        let predicate = self.predicate(NO_COMPOSITION)?;
        self.close(Tok::RightParen, open, "an operator or \")\"")?;
        Ok(SubstKind::BecomesSuch { targets, predicate })
    }

    /// Reads what can be assigned to: `x`, `f(a)(b)`, `r'a`.
    fn target(&mut self) -> Read<ExprId> {
        let name = self.dotted_name("a name")?;
        let mut left = self.node(ExprKind::Name(name.name), name.span);
        loop {
            let kind = match self.tok() {
                Tok::LeftParen => {
                    let args = self.arguments(NO_COMPOSITION)?;
                    for arg in &args {
                        self.need_expression(*arg);
                    }
                    ExprKind::Apply(left, args)
                }
                Tok::Prime => {
                    self.advance();
                    let field = self.name("the name of a field")?;
                    ExprKind::Field(left, field.name)
                }
                _ => return Ok(left),
            };
            let span = name.span.to(self.last_span());
            left = self.node(kind, span);
        }
    }

    /// The call that `id` is.
    fn call(&mut self, results: Vec<ExprId>, id: ExprId) -> Read<SubstKind> {
        let exprs = &self.tree.exprs;
        let found: Option<(Name, Span, Vec<ExprId>)> = match exprs.kind(id) {
            ExprKind::Name(name) => Some((*name, exprs.span(id), Vec::new())),
            ExprKind::Apply(function, args) => match exprs.kind(*function) {
                ExprKind::Name(name) => Some((*name, exprs.span(*function), args.to_vec())),
                _ => None,
            },
            _ => None,
        };
        match found {
            Some((name, name_span, arguments)) => Ok(SubstKind::Call {
                results,
                name,
                name_span,
                arguments,
            }),
            None => Err(self.unexpected("\":=\" or \"::\"")),
        }
    }
}
