//! Reads formulas: one level of priority after the other, with a stack that grows.
//!
//! Priorities, weak to strong: fairness `=>`, `<=>` (does not group), `=>`, `&` and `or`, `U W R S T`, prefix operators;
//! all but `<=>` group to the left.
//! Invariant: the depth of a tree and of the recursion that builds it is at most [`MAX_DEPTH`].

mod branching;

use base::{Arena, Diagnostic, Diagnostics, Span, deep};

use crate::codes;
use crate::lex::{self, Token, Word};
use crate::pattern::{pattern, patterns};
use crate::syntax::{
    Atom, Binary, Fairness, Formula, Logic, Node, NodeId, NodeKind, Place, Quantifier, Text, Unary,
};

/// How deep a formula may be nested: its automaton grows much faster.
pub const MAX_DEPTH: usize = 500;

/// A formula that was read, and what is wrong or strange about it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The formula; `None` when there are errors.
    pub formula: Option<Formula>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// Reads a formula of linear time.
pub fn ltl(text: &str, place: Place) -> Parsed {
    read(Logic::Ltl, text, place)
}

/// Reads a formula of branching time.
pub fn ctl(text: &str, place: Place) -> Parsed {
    read(Logic::Ctl, text, place)
}

fn read(logic: Logic, text: &str, place: Place) -> Parsed {
    let mut diagnostics = Diagnostics::new();
    let formula = match lex::lex(logic, text, place) {
        Err(error) => Err(error),
        Ok(lexed) => {
            diagnostics.extend(lexed.warnings);
            let mut parser = Parser {
                tokens: &lexed.tokens,
                end: lexed.end,
                at: 0,
                nesting: 0,
                nodes: Arena::new(),
                depths: Vec::new(),
                is_parenthesised: Vec::new(),
                warnings: Vec::new(),
            };
            let root = match logic {
                Logic::Ltl => parser.fair_formula(),
                Logic::Ctl => parser.branching().map(|root| (None, root)),
            };
            let root = root.and_then(|root| parser.ended().map(|()| root));
            diagnostics.extend(parser.warnings);
            root.map(|(fairness, root)| Formula {
                logic,
                nodes: parser.nodes,
                fairness,
                root,
            })
        }
    };
    let formula = formula.map_err(|error| diagnostics.push(*error)).ok();
    Parsed {
        formula,
        diagnostics,
    }
}

type Read<T> = Result<T, Box<Diagnostic>>;

struct Parser<'t> {
    tokens: &'t [(Token, Span)],
    end: Span,
    at: usize,
    nesting: usize,
    nodes: Arena<Node>,
    /// How deep each node is.
    depths: Vec<usize>,
    /// Whether brackets stand around a node.
    is_parenthesised: Vec<bool>,
    warnings: Vec<Diagnostic>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    fn next(&mut self) -> Option<(Token, Span)> {
        let token = self.tokens.get(self.at).cloned();
        self.at += usize::from(token.is_some());
        token
    }

    fn ended(&self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(Token::Close) => Err(Box::new(self.error("`)` closes nothing"))),
            Some(_) => Err(Box::new(self.error("an operator is missing before this"))),
        }
    }

    fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(&codes::SYNTAX, self.span(), message)
    }

    fn expect(&mut self, token: &Token, message: &str) -> Read<Span> {
        match self.peek() {
            Some(found) if found == token => {
                let span = self.span();
                self.at += 1;
                Ok(span)
            }
            _ => Err(Box::new(self.error(message))),
        }
    }

    fn too_deep(&self, span: Span) -> Diagnostic {
        let message = format!("the formula is nested more than {MAX_DEPTH} levels deep");
        Diagnostic::error(&codes::NESTED, span, message)
    }

    fn node(&mut self, kind: NodeKind, span: Span) -> Read<NodeId> {
        let depth = |id: &NodeId| self.depths[id.index()];
        let below = match &kind {
            NodeKind::Unary(_, a)
            | NodeKind::Branching(_, _, a)
            | NodeKind::ExistsStep(_, a)
            | NodeKind::Quantified { body: a, .. } => depth(a),
            NodeKind::Binary(_, a, b) | NodeKind::ExistsUntil(a, b) => depth(a).max(depth(b)),
            NodeKind::Constant(_) | NodeKind::Atom(_) | NodeKind::Fair(_) => 0,
        };
        if below >= MAX_DEPTH {
            return Err(Box::new(self.too_deep(span)));
        }
        self.depths.push(below + 1);
        self.is_parenthesised.push(false);
        Ok(self.nodes.push(Node { kind, span }))
    }

    /// Reads something nested.
    fn below<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.nesting >= MAX_DEPTH {
            return Err(Box::new(self.too_deep(self.span())));
        }
        self.nesting += 1;
        let result = deep::recurse(|| read(self));
        self.nesting -= 1;
        result
    }

    /// A whole formula: `fairness => formula`, possibly in brackets, or a formula.
    fn fair_formula(&mut self) -> Read<(Option<NodeId>, NodeId)> {
        let start = self.at;
        if self.begins_fair() {
            if let Some(fair) = self.fair_premise()? {
                let root = self.formula()?;
                return Ok((Some(fair), root));
            }
            // Brackets around the whole implication.
            self.reset(start);
            if self.peek() == Some(&Token::Open) {
                self.at += 1;
                let (fairness, root) = self.below(Parser::fair_formula)?;
                if fairness.is_some() {
                    self.expect(&Token::Close, "`)` is missing")?;
                    return Ok((fairness, root));
                }
                self.reset(start);
            }
        }
        self.formula().map(|root| (None, root))
    }

    fn reset(&mut self, at: usize) {
        self.at = at;
        self.nodes = Arena::new();
        self.depths.clear();
        self.is_parenthesised.clear();
        self.warnings.clear();
    }

    /// Whether the first token behind opening brackets is an assumption of fairness.
    fn begins_fair(&self) -> bool {
        let rest = self.tokens[self.at..].iter().map(|(token, _)| token);
        let mut rest = rest.skip_while(|token| **token == Token::Open);
        matches!(rest.next(), Some(Token::Call(word, _)) if is_fair(*word))
    }

    /// `fairness =>`; `None` when something else follows the assumption.
    fn fair_premise(&mut self) -> Read<Option<NodeId>> {
        let Some(fair) = self.fair_chain()? else {
            return Ok(None);
        };
        match self.peek() {
            Some(Token::Binary(Binary::Implies)) => {
                self.at += 1;
                Ok(Some(fair))
            }
            _ => Ok(None),
        }
    }

    /// Assumptions below `&` and `or`.
    fn fair_chain(&mut self) -> Read<Option<NodeId>> {
        let Some(mut left) = self.fair_operand()? else {
            return Ok(None);
        };
        while let Some(Token::Binary(operator @ (Binary::And | Binary::Or))) = self.peek() {
            let operator = *operator;
            self.at += 1;
            let Some(right) = self.fair_operand()? else {
                return Ok(None);
            };
            left = self.binary(operator, left, right)?;
        }
        Ok(Some(left))
    }

    fn fair_operand(&mut self) -> Read<Option<NodeId>> {
        match self.peek() {
            Some(Token::Open) => {
                self.at += 1;
                let Some(inner) = self.below(Parser::fair_chain)? else {
                    return Ok(None);
                };
                if self.peek() != Some(&Token::Close) {
                    return Ok(None);
                }
                self.at += 1;
                self.is_parenthesised[inner.index()] = true;
                Ok(Some(inner))
            }
            Some(Token::Call(word, inside)) if is_fair(*word) => {
                let (word, inside, span) = (*word, inside.clone(), self.span());
                self.at += 1;
                let of = |inside: Option<Text>| match inside {
                    Some(inside) => pattern(&inside),
                    None => Err(Box::new(Diagnostic::error(
                        &codes::SYNTAX,
                        span,
                        "an operation is missing",
                    ))),
                };
                let fair = match word {
                    Word::WeaklyFair => Fairness::Weak(of(inside)?),
                    Word::StronglyFair => Fairness::Strong(of(inside)?),
                    Word::EveryWeak => Fairness::EveryWeak,
                    _ => Fairness::EveryStrong,
                };
                self.node(NodeKind::Fair(fair), span).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `<=>`, which does not group.
    fn formula(&mut self) -> Read<NodeId> {
        let left = self.level(2)?;
        if self.peek() != Some(&Token::Binary(Binary::Iff)) {
            return Ok(left);
        }
        self.at += 1;
        let right = self.level(2)?;
        if self.peek() == Some(&Token::Binary(Binary::Iff)) {
            return Err(Box::new(
                self.error("`<=>` does not group")
                    .help("write brackets: (a <=> b) <=> c"),
            ));
        }
        self.binary(Binary::Iff, left, right)
    }

    /// Operators of a level and tighter ones, grouped to the left.
    fn level(&mut self, level: u8) -> Read<NodeId> {
        if level > 4 {
            return self.operand();
        }
        let mut left = self.level(level + 1)?;
        while let Some(Token::Binary(operator)) = self.peek() {
            let operator = *operator;
            if operator.level() != level {
                break;
            }
            self.at += 1;
            let right = self.level(level + 1)?;
            left = self.binary(operator, left, right)?;
        }
        Ok(left)
    }

    fn binary(&mut self, operator: Binary, left: NodeId, right: NodeId) -> Read<NodeId> {
        let span = self.nodes[left].span.to(self.nodes[right].span);
        let is_bare = !self.is_parenthesised[left.index()];
        if operator.level() == 3
            && is_bare
            && matches!(self.nodes[left].kind, NodeKind::Binary(other, ..) if other.level() == 3 && other != operator)
        {
            let (word, other) = match operator {
                Binary::And => ("&", "or"),
                _ => ("or", "&"),
            };
            let warning = format!("`{other}` and `{word}` have one priority and group to the left");
            self.warnings.push(
                Diagnostic::warning(&codes::MIXED, span, warning)
                    .help("add brackets to say what is meant"),
            );
        }
        self.node(NodeKind::Binary(operator, left, right), span)
    }

    /// A prefix operator with its operand, an atom, or a formula in brackets.
    fn operand(&mut self) -> Read<NodeId> {
        let Some((token, span)) = self.next() else {
            return Err(Box::new(self.error("a formula is missing here")));
        };
        match token {
            Token::Unary(operator) => {
                let operand = self.below(Parser::operand)?;
                let span = span.to(self.nodes[operand].span);
                self.node(NodeKind::Unary(operator, operand), span)
            }
            Token::Open => {
                let inner = self.below(Parser::formula)?;
                let end = self.expect(&Token::Close, "`)` is missing")?;
                self.nodes[inner].span = span.to(end);
                self.is_parenthesised[inner.index()] = true;
                Ok(inner)
            }
            Token::Quantifier(quantifier, name) => self.quantified(quantifier, name, span),
            token => self.atom(token, span),
        }
    }

    /// `({P} & f)`, `({P} => f)` behind a quantifier.
    fn quantified(&mut self, quantifier: Quantifier, name: Text, start: Span) -> Read<NodeId> {
        self.expect(&Token::Open, "`(` is missing behind the quantifier")?;
        let Some(Token::Braces(range)) = self.peek() else {
            return Err(Box::new(
                self.error("a predicate in braces is missing: #x.({P} & f)"),
            ));
        };
        let range = range.clone();
        self.at += 1;
        let (operator, message) = match quantifier {
            Quantifier::Exists => (Binary::And, "`&` is missing: #x.({P} & f)"),
            Quantifier::Forall => (Binary::Implies, "`=>` is missing: !x.({P} => f)"),
        };
        self.expect(&Token::Binary(operator), message)?;
        let body = self.below(Parser::formula)?;
        let end = self.expect(&Token::Close, "`)` is missing")?;
        let kind = NodeKind::Quantified {
            quantifier,
            name,
            range,
            body,
        };
        self.node(kind, start.to(end))
    }

    fn atom(&mut self, token: Token, span: Span) -> Read<NodeId> {
        let atom = match token {
            Token::Constant(value) => return self.node(NodeKind::Constant(value), span),
            Token::Braces(inside) => Atom::Predicate(not_empty(inside)?),
            Token::Brackets(inside) => Atom::Taken(pattern(&inside)?),
            Token::Call(word, inside) => self.call(word, inside, span)?,
            _ => {
                self.at -= 1;
                return Err(Box::new(self.error("a formula is missing here")));
            }
        };
        self.node(NodeKind::Atom(atom), span)
    }

    fn call(&self, word: Word, inside: Option<Text>, span: Span) -> Read<Atom> {
        let needed = |inside: Option<Text>| {
            let message = "an operation is missing";
            inside.ok_or_else(|| Box::new(Diagnostic::error(&codes::SYNTAX, span, message)))
        };
        Ok(match word {
            Word::Enabled => Atom::Enabled(pattern(&needed(inside)?)?),
            Word::Available => Atom::Available(pattern(&needed(inside)?)?),
            Word::Deadlock => match inside {
                None => Atom::Deadlock,
                Some(inside) => Atom::DeadlockOf(patterns(&inside)?),
            },
            Word::Deterministic => Atom::Deterministic(patterns(&needed(inside)?)?),
            Word::Controller => Atom::Controller(patterns(&needed(inside)?)?),
            Word::Sink => Atom::Sink,
            Word::Goal => Atom::Goal,
            Word::DetOutput => Atom::DetOutput,
            Word::Error => Atom::Error,
            Word::Current => Atom::Current,
            Word::Change(change) => Atom::Change(change, in_braces(&needed(inside)?)?),
            Word::BeforeAfter => Atom::BeforeAfter(in_braces(&needed(inside)?)?),
            Word::WeaklyFair | Word::StronglyFair | Word::EveryWeak | Word::EveryStrong => {
                let message =
                    "fairness stands only left of the outermost =>, and with nothing but fairness";
                return Err(Box::new(
                    Diagnostic::error(&codes::FAIRNESS_PLACE, span, message)
                        .help("an ordinary premise goes to the right: WF(a) => (G {p} => F {q})"),
                ));
            }
        })
    }
}

fn is_fair(word: Word) -> bool {
    matches!(
        word,
        Word::WeaklyFair | Word::StronglyFair | Word::EveryWeak | Word::EveryStrong
    )
}

fn not_empty(inside: Text) -> Read<Text> {
    match inside.text.trim().is_empty() {
        false => Ok(inside),
        true => Err(Box::new(Diagnostic::error(
            &codes::SYNTAX,
            inside.span,
            "nothing stands between the braces",
        ))),
    }
}

/// `{E}`: what stands between the braces.
fn in_braces(inside: &Text) -> Read<Text> {
    let trimmed = inside.text.trim();
    let content = trimmed
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'));
    let Some(content) = content else {
        let message = "braces are missing: changed({E})";
        return Err(Box::new(Diagnostic::error(
            &codes::SYNTAX,
            inside.span,
            message,
        )));
    };
    let skipped = inside.text.len() - inside.text.trim_start().len() + 1;
    let start = inside.span.start + skipped as u32;
    not_empty(Text {
        text: content.to_owned(),
        span: Span::new(inside.span.file, start, start + content.len() as u32),
    })
}

/// The operators that only stand between formulas of linear time.
fn is_linear(operator: Binary) -> bool {
    operator.level() == 4 || operator == Binary::Iff
}

/// The operators that CTL has only behind `E` or `A`.
fn is_temporal(operator: Unary) -> bool {
    operator != Unary::Not
}
