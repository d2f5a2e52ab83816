//! Parses formulas and assignments.
//!
//! Precedence climbing over the groups of [`super::symbols`]. Where two operators of one group do not combine, the
//! error says that parentheses are needed: readers of Event-B never have to know priorities.
//! Invariant: a formula is always returned; where the text cannot be read it is [`ExprKind::Error`], with one
//! diagnostic.

mod binders;

use base::{Diagnostic, Diagnostics, Name, Span, deep};
pub use lang_math::Place;
use lang_math::{Args, Binder, Binding, ExprId, ExprKind, Exprs, Op};
use smallvec::smallvec;

use super::lex::{Placed, Token, tokens};
use super::symbols::{self, Group};
use crate::codes;
use crate::syntax::Change;

/// Parses a predicate or an expression.
pub fn formula(place: Place<'_>, exprs: &mut Exprs, diagnostics: &mut Diagnostics) -> ExprId {
    let mut parser = Parser::new(place, exprs);
    let parsed = parser.formula().and_then(|id| {
        parser.end()?;
        Ok(id)
    });
    match parsed {
        Ok(id) => id,
        Err(error) => {
            diagnostics.push(*error);
            let span = Span::new(place.file, place.start as u32, place.end as u32);
            exprs.push(ExprKind::Error, span)
        }
    }
}

/// Parses a formula at the beginning of a text; gives the place where the next one may start.
pub fn formula_before(
    place: Place<'_>,
    exprs: &mut Exprs,
    diagnostics: &mut Diagnostics,
) -> (ExprId, usize) {
    let mut parser = Parser::new(place, exprs);
    match parser.formula() {
        Ok(id) => (id, parser.behind(place.end)),
        Err(error) => {
            diagnostics.push(*error);
            let span = Span::new(place.file, place.start as u32, place.end as u32);
            (exprs.push(ExprKind::Error, span), place.end)
        }
    }
}

/// Parses an assignment at the beginning of a text; gives the place where the next one may start.
pub fn assignment_before(
    place: Place<'_>,
    exprs: &mut Exprs,
    diagnostics: &mut Diagnostics,
) -> Option<(Vec<Binding>, Change, usize)> {
    let mut parser = Parser::new(place, exprs);
    match parser.assignment() {
        Ok((targets, change)) => Some((targets, change, parser.behind(place.end))),
        Err(error) => {
            diagnostics.push(*error);
            None
        }
    }
}

/// Parses an assignment; `None` after a diagnostic.
pub fn assignment(
    place: Place<'_>,
    exprs: &mut Exprs,
    diagnostics: &mut Diagnostics,
) -> Option<(Vec<Binding>, Change)> {
    let mut parser = Parser::new(place, exprs);
    let parsed = parser.assignment().and_then(|parsed| {
        parser.end()?;
        Ok(parsed)
    });
    match parsed {
        Ok(parsed) => Some(parsed),
        Err(error) => {
            diagnostics.push(*error);
            None
        }
    }
}

/// The levels of precedence climbing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Level(u8);

const FORMULA: Level = Level(0);
const RELATION: Level = Level(2);
const EXPRESSION: Level = Level(3);
const PRODUCT: Level = Level(9);
const POSTFIX: Level = Level(11);

/// The level of an infix operator.
fn level(op: Op) -> Level {
    match symbols::infix(op).map(|infix| infix.group) {
        Some(Group::Implication) => Level(0),
        Some(Group::Junction) => Level(1),
        Some(Group::Relation) => RELATION,
        Some(Group::Pair) => EXPRESSION,
        Some(Group::OfType) => Level(4),
        Some(Group::Arrow) => Level(5),
        Some(Group::Set) => Level(6),
        Some(Group::Interval) => Level(7),
        Some(Group::Arithmetic) => Level(8 + symbols::strength(op)),
        None => POSTFIX,
    }
}

struct Parser<'e> {
    exprs: &'e mut Exprs,
    tokens: Vec<Placed>,
    at: usize,
    nesting: usize,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

impl<'e> Parser<'e> {
    fn new(place: Place<'_>, exprs: &'e mut Exprs) -> Parser<'e> {
        Parser {
            exprs,
            tokens: tokens(place.file, place.text, place.start, place.end),
            at: 0,
            nesting: 0,
        }
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at].token
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].token.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn is(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Mark(known) if *known == mark)
    }

    fn eat(&mut self, mark: &str) -> bool {
        let is = self.is(mark);
        if is {
            self.next();
        }
        is
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(Box::new(Diagnostic::error(
            &codes::SYNTAX,
            self.span(),
            message,
        )))
    }

    fn expect(&mut self, mark: &'static str) -> Parsed<()> {
        if self.eat(mark) {
            return Ok(());
        }
        let wanted = Token::Mark(mark).describe();
        self.error(format!(
            "{wanted} is needed, not {}",
            self.peek().describe()
        ))
    }

    fn end(&self) -> Parsed<()> {
        match self.peek() {
            Token::End => Ok(()),
            other => self.error(format!("{} does not belong here", other.describe())),
        }
    }

    /// Where the next token starts.
    fn behind(&self, end: usize) -> usize {
        match self.peek() {
            Token::End => end,
            _ => self.span().start as usize,
        }
    }

    fn push(&mut self, kind: ExprKind, span: Span) -> Parsed<ExprId> {
        let id = self.exprs.push(kind, span);
        if self.exprs[id].depth > deep::MAX_DEPTH {
            return self.error("the formula is too deep");
        }
        Ok(id)
    }

    fn op(&mut self, op: Op, args: Args, span: Span) -> Parsed<ExprId> {
        self.push(ExprKind::Op(op, args), span)
    }

    /// From a place to the last token.
    fn from(&self, start: Span) -> Span {
        start.to(self.previous())
    }

    fn formula(&mut self) -> Parsed<ExprId> {
        self.climb(FORMULA)
    }

    fn expression(&mut self) -> Parsed<ExprId> {
        self.climb(EXPRESSION)
    }

    fn climb(&mut self, least: Level) -> Parsed<ExprId> {
        self.nesting += 1;
        if self.nesting > deep::MAX_NESTING {
            return self.error("the formula is nested too deeply");
        }
        let result = deep::recurse(|| self.climb_here(least));
        self.nesting -= 1;
        result
    }

    fn climb_here(&mut self, least: Level) -> Parsed<ExprId> {
        let start = self.span();
        let (mut left, mut last) = self.operand()?;
        // `−a` binds like a difference.
        let mut bound = if last == Some(Op::Negate) {
            Level(8)
        } else {
            POSTFIX
        };
        if bound < least {
            return self.parentheses(start, "`−`", "the operator before it");
        }
        while let Token::Infix(op) = *self.peek() {
            let here = level(op);
            if here < least {
                break;
            }
            if here == bound
                && let Some(last) = last
                && !symbols::combines(last, op)
            {
                let name = |op: Op| Token::Infix(op).describe();
                return self.parentheses(self.span(), &name(last), &name(op));
            }
            self.next();
            let right = self.climb(Level(here.0 + 1))?;
            left = self.op(op, smallvec![left, right], self.from(start))?;
            last = Some(op);
            bound = here;
        }
        Ok(left)
    }

    fn parentheses<T>(&self, span: Span, one: &str, other: &str) -> Parsed<T> {
        let message = format!("{one} and {other} need parentheses here");
        let error = Diagnostic::error(&codes::PARENTHESES, span, message)
            .help("Event-B has no priority between them: write which one comes first");
        Err(Box::new(error))
    }

    /// An operand with its prefix operators; the operator if it was a prefix one.
    fn operand(&mut self) -> Parsed<(ExprId, Option<Op>)> {
        let start = self.span();
        match self.peek() {
            Token::Mark("not") => {
                self.next();
                let inner = self.climb(RELATION)?;
                let id = self.op(Op::Not, smallvec![inner], self.from(start))?;
                Ok((id, None))
            }
            Token::Infix(Op::Minus) => {
                self.next();
                let token = &self.tokens[self.at];
                if let (Token::Int(value), true) = (&token.token, token.is_joined) {
                    let value = -value.clone();
                    self.next();
                    let id = self.push(ExprKind::Int(value), self.from(start))?;
                    return Ok((id, None));
                }
                let inner = self.climb(PRODUCT)?;
                let id = self.op(Op::Negate, smallvec![inner], self.from(start))?;
                Ok((id, Some(Op::Negate)))
            }
            _ => Ok((self.postfix()?, None)),
        }
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        let mut left = self.primary()?;
        loop {
            left = match self.peek() {
                Token::Mark("~") => {
                    self.next();
                    self.op(Op::Inverse, smallvec![left], self.from(start))?
                }
                Token::Mark("(") => {
                    self.next();
                    let mut args: Args = smallvec![self.formula()?];
                    while self.eat(",") {
                        args.push(self.formula()?);
                    }
                    self.expect(")")?;
                    self.push(ExprKind::Apply(left, args), self.from(start))?
                }
                Token::Mark("[") => {
                    self.next();
                    let set = self.expression()?;
                    self.expect("]")?;
                    self.op(Op::Image, smallvec![left, set], self.from(start))?
                }
                _ => return Ok(left),
            };
        }
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        match self.peek().clone() {
            Token::Name(name) => {
                self.next();
                self.push(ExprKind::Name(name), start)
            }
            Token::Before(name) => {
                self.next();
                self.push(ExprKind::Before(name), start)
            }
            Token::Int(value) => {
                self.next();
                self.push(ExprKind::Int(value), start)
            }
            Token::Constant(op) => {
                self.next();
                self.op(op, smallvec![], start)
            }
            Token::Function(op) => {
                self.next();
                self.expect("(")?;
                let mut args: Args = smallvec![self.expression()?];
                while self.eat(",") {
                    args.push(self.expression()?);
                }
                self.expect(")")?;
                if op.arity().is_some_and(|arity| arity != args.len()) {
                    let name = Token::Function(op).describe();
                    return self.error(format!("{name} takes one argument"));
                }
                self.op(op, args, self.from(start))
            }
            Token::Mark("(") => {
                self.next();
                let inner = self.formula()?;
                self.expect(")")?;
                self.exprs.parenthesise(inner);
                Ok(inner)
            }
            Token::Mark("bool") => {
                self.next();
                self.expect("(")?;
                let inner = self.formula()?;
                self.expect(")")?;
                self.op(Op::ToBool, smallvec![inner], self.from(start))
            }
            Token::Mark("{") => {
                self.next();
                self.braces(start)
            }
            Token::Mark("!") => self.quantifier(Binder::Forall),
            Token::Mark("#") => self.quantifier(Binder::Exists),
            Token::Mark("%") => self.lambda(),
            Token::Mark("UNION") => self.quantified_set(Binder::Union),
            Token::Mark("INTER") => self.quantified_set(Binder::Inter),
            other => self.error(format!("{} starts no formula", other.describe())),
        }
    }

    fn assignment(&mut self) -> Parsed<(Vec<Binding>, Change)> {
        let start = self.span();
        let mut targets = Vec::new();
        let mut point = None;
        loop {
            let span = self.span();
            let Token::Name(name) = *self.peek() else {
                return self.error(format!(
                    "a variable is needed, not {}",
                    self.peek().describe()
                ));
            };
            self.next();
            targets.push(Binding { name, span });
            if targets.len() == 1 && self.eat("(") {
                point = Some(self.expression()?);
                self.expect(")")?;
                break;
            }
            if !self.eat(",") {
                break;
            }
        }
        let change = match (self.peek(), point) {
            (Token::Mark(":="), Some(point)) => {
                self.next();
                let value = self.expression()?;
                let name = targets[0].name;
                let function = self.push(ExprKind::Name(name), targets[0].span)?;
                let span = self.from(start);
                let pair = self.op(Op::Maplet, smallvec![point, value], span)?;
                let single = self.op(Op::SetExtension, smallvec![pair], span)?;
                let value = self.op(Op::Overwrite, smallvec![function, single], span)?;
                Change::Assign(vec![value])
            }
            (Token::Mark(":="), None) => {
                self.next();
                let mut values = vec![self.expression()?];
                while self.eat(",") {
                    values.push(self.expression()?);
                }
                if values.len() != targets.len() {
                    return self.error(format!(
                        "{} variables get {} values",
                        targets.len(),
                        values.len()
                    ));
                }
                Change::Assign(values)
            }
            (Token::Mark("::"), None) if targets.len() == 1 => {
                self.next();
                Change::Element(self.expression()?)
            }
            (Token::Mark(":|"), None) => {
                self.next();
                Change::Such(self.formula()?)
            }
            (other, _) => {
                return self.error(format!(
                    "`≔`, `:∈` or `:∣` is needed, not {}",
                    other.describe()
                ));
            }
        };
        Ok((targets, change))
    }
}

/// Whether an expression is the left-nested tuple of these names, each once.
pub(crate) fn is_tuple(exprs: &Exprs, mut id: ExprId, names: &[Binding]) -> bool {
    let is_name =
        |id: ExprId, name: Name| matches!(exprs.kind(id), ExprKind::Name(known) if *known == name);
    let Some((first, rest)) = names.split_first() else {
        return false;
    };
    for binding in rest.iter().rev() {
        let ExprKind::Op(Op::Maplet, args) = exprs.kind(id) else {
            return false;
        };
        if !is_name(args[1], binding.name) {
            return false;
        }
        id = args[0];
    }
    is_name(id, first.name)
}
