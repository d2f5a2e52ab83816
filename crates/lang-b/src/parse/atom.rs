//! What operators join: literals, names, functions, brackets, conditionals, local definitions and records.

use base::{Diagnostic, Span};
use lang_math::{Args, Binder, ExprId, ExprKind, Field, Notation, Op};
use smallvec::smallvec;

use super::formula::COMPARISON;
use super::{ANY_OPERATOR, NO_COMPOSITION, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Pragma, Tok, Word};

impl Parser<'_> {
    pub(super) fn atom(&mut self) -> Read<ExprId> {
        let span = self.span();
        match self.tok() {
            Tok::Ident | Tok::Quoted => self.reference(),
            Tok::Int | Tok::Hex | Tok::Real | Tok::Str | Tok::LongStr | Tok::Template => {
                self.literal()
            }
            Tok::Op(op) => match op.notation() {
                Notation::Constant => {
                    self.advance();
                    Ok(self.node(ExprKind::Op(op, Args::new()), span))
                }
                Notation::Function => self.function(op),
                _ => Err(self.no_operand()),
            },
            Tok::Binder(binder) => self.binder(binder, false),
            Tok::EmptySet => {
                self.advance();
                Ok(self.node(ExprKind::Op(Op::EmptySet, Args::new()), span))
            }
            Tok::EmptySequence => {
                self.advance();
                Ok(self.node(ExprKind::Op(Op::EmptySequence, Args::new()), span))
            }
            Tok::LeftParen => self.parenthesised(),
            Tok::LeftBrace => self.braces(false),
            Tok::LeftBracket => self.brackets(),
            Tok::Word(Word::If) => self.conditional(),
            Tok::Word(Word::Let) => self.local(),
            Tok::Word(Word::Rec) => self.record(Word::Rec),
            Tok::Word(Word::Struct) => self.record(Word::Struct),
            Tok::Pragma(Pragma::Symbolic) => {
                self.advance();
                match self.tok() {
                    Tok::LeftBrace => self.braces(true),
                    Tok::Binder(binder) if !matches!(binder, Binder::Forall | Binder::Exists) => {
                        self.binder(binder, true)
                    }
                    _ => Err(self.unexpected("a set comprehension or a lambda")),
                }
            }
            _ => Err(self.no_operand()),
        }
    }

    /// A name, `inst.name`, or `name$0`.
    fn reference(&mut self) -> Read<ExprId> {
        let name = self.dotted_name("a name")?;
        let span = name.span;
        if self.at(Tok::DollarZero) {
            let span = span.to(self.advance());
            return Ok(self.node(ExprKind::Before(name.name), span));
        }
        Ok(self.node(ExprKind::Name(name.name), span))
    }

    /// `word(a, b)`: these words are no values by themselves.
    pub(super) fn function(&mut self, op: Op) -> Read<ExprId> {
        let word = self.advance();
        if !self.at(Tok::LeftParen) {
            if self.misused.contains(&op) {
                let kind = ExprKind::Name(base::Name::new(op.ascii()));
                return Ok(self.node(kind, word));
            }
            return Err(self.parentheses_needed(op, word));
        }
        if self.tok_at(1) == Tok::RightParen {
            let span = word.to(self.span_of(self.token_at(1)));
            let diagnostic = wrong_arity(op, 0, span);
            return Err(self.error(diagnostic));
        }
        let args = self.arguments(ANY_OPERATOR)?;
        let span = word.to(self.last_span());
        let op = match (op, args.len()) {
            (Op::Prj1, 1) => Op::Component1,
            (Op::Prj2, 1) => Op::Component2,
            _ => op,
        };
        for arg in &args {
            self.need_operand(op, word, *arg);
        }
        if op.arity().is_some_and(|arity| arity != args.len()) {
            self.complain(wrong_arity(op, args.len(), span));
            return Ok(self.node(ExprKind::Error, span));
        }
        Ok(self.node(ExprKind::Op(op, args), span))
    }

    /// `(E)`, `(P)`, `(a, b, c)`.
    pub(super) fn parenthesised(&mut self) -> Read<ExprId> {
        let open = self.advance();
        self.enter()?;
        if self.at(Tok::RightParen) {
            let span = open.to(self.span());
            let diagnostic =
                Diagnostic::error(&code::EMPTY, span, "nothing stands between \"(\" and \")\"");
            return Err(self.error(diagnostic));
        }
        let start = self.span();
        let mut inner = self.formula(ANY_OPERATOR)?;
        while self.at(Tok::Comma) {
            let comma = self.advance();
            let right = self.formula(ANY_OPERATOR)?;
            self.need_operand(Op::Maplet, comma, inner);
            self.need_operand(Op::Maplet, comma, right);
            let span = start.to(self.last_span());
            inner = self.node(ExprKind::Op(Op::Maplet, smallvec![inner, right]), span);
        }
        self.close(Tok::RightParen, open, "an operator or \")\"")?;
        self.tree.exprs.parenthesise(inner);
        Ok(inner)
    }

    /// `[]`, `[a, b]`, `[x := E] P`.
    pub(super) fn brackets(&mut self) -> Read<ExprId> {
        let open = self.advance();
        self.enter()?;
        if self.at(Tok::RightBracket) {
            let span = open.to(self.close(Tok::RightBracket, open, "\"]\"")?);
            return Ok(self.node(ExprKind::Op(Op::EmptySequence, Args::new()), span));
        }
        let items = self.expressions(NO_COMPOSITION)?;
        if self.eat(Tok::Assign) {
            let values = self.expressions(NO_COMPOSITION)?;
            self.close(Tok::RightBracket, open, "\"]\"")?;
            self.enter()?;
            let predicate = self.formula(COMPARISON)?;
            self.nesting -= 1;
            self.need_predicate(predicate);
            let span = open.to(self.last_span());
            let kind = ExprKind::After {
                targets: items.to_vec(),
                values: values.to_vec(),
                predicate,
            };
            return Ok(self.node(kind, span));
        }
        let span = open.to(self.close(Tok::RightBracket, open, "\",\" or \"]\"")?);
        Ok(self.node(ExprKind::Op(Op::SequenceExtension, items), span))
    }

    /// Reads expressions separated by commas.
    pub(super) fn expressions(&mut self, min: u16) -> Read<Args> {
        let mut items: Args = smallvec![self.expression(min)?];
        while self.eat(Tok::Comma) {
            items.push(self.expression(min)?);
        }
        Ok(items)
    }

    /// `IF P THEN E ELSIF Q THEN F ELSE G END`.
    fn conditional(&mut self) -> Read<ExprId> {
        let start = self.open_block(Word::If)?;
        let mut branches = Vec::new();
        loop {
            let condition = self.predicate(NO_COMPOSITION)?;
            self.expect_word(Word::Then)?;
            let result = self.formula(NO_COMPOSITION)?;
            branches.push((condition, result));
            if !self.eat(Tok::Word(Word::Elsif)) {
                break;
            }
        }
        if self.at_word(Word::End) {
            let diagnostic = self.unexpected_diagnostic("ELSE");
            return Err(self.error(diagnostic.help("an IF that has a value needs an ELSE")));
        }
        self.expect_word(Word::Else)?;
        let otherwise = self.formula(NO_COMPOSITION)?;
        self.close_block("an operator or END")?;
        self.need_same_sort(
            branches
                .iter()
                .map(|(_, result)| *result)
                .chain([otherwise]),
        );
        let span = start.to(self.last_span());
        Ok(self.node(
            ExprKind::If {
                branches,
                otherwise,
            },
            span,
        ))
    }

    /// `LET x BE x = E IN F END`.
    fn local(&mut self) -> Read<ExprId> {
        let start = self.open_block(Word::Let)?;
        let names = self.names("a name")?;
        self.expect_word(Word::Be)?;
        let equations = self.predicate(NO_COMPOSITION)?;
        self.expect_word(Word::In)?;
        let body = self.formula(NO_COMPOSITION)?;
        self.close_block("an operator or END")?;
        let span = start.to(self.last_span());
        Ok(self.node(
            ExprKind::Let {
                names,
                equations,
                body,
            },
            span,
        ))
    }

    /// `rec(a:E, b:F)` and `struct(a:S, b:T)`, where an entry may stand in parentheses.
    fn record(&mut self, word: Word) -> Read<ExprId> {
        let start = self.advance();
        if !self.at(Tok::LeftParen) {
            return Err(self.unexpected("\"(\""));
        }
        let open = self.advance();
        self.enter()?;
        let mut fields = Vec::new();
        loop {
            let inner = self.at(Tok::LeftParen).then(|| self.advance());
            if inner.is_some() {
                self.enter()?;
            }
            let name = self.name("the name of a field")?;
            self.expect(Tok::Op(Op::Member), "\":\"")?;
            let value = self.expression(ANY_OPERATOR)?;
            fields.push(Field {
                name: name.name,
                span: name.span,
                value,
            });
            if let Some(inner) = inner {
                self.close(Tok::RightParen, inner, "\")\"")?;
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.close(Tok::RightParen, open, "\",\" or \")\"")?;
        let span = start.to(self.last_span());
        let kind = match word {
            Word::Rec => ExprKind::Record(fields),
            _ => ExprKind::Struct(fields),
        };
        Ok(self.node(kind, span))
    }
}

/// Reports a keyword with the wrong number of arguments.
fn wrong_arity(op: Op, found: usize, span: Span) -> Diagnostic {
    let expected = match op {
        Op::Prj1 | Op::Prj2 => "1 or 2 arguments".to_string(),
        _ => match op.arity() {
            None => "at least 1 argument".to_string(),
            Some(1) => "1 argument".to_string(),
            Some(count) => format!("{count} arguments"),
        },
    };
    Diagnostic::error(
        &code::KEYWORD_ARITY,
        span,
        format!("{:?} takes {expected}, found {found}", op.ascii()),
    )
}
