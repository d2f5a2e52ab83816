//! Reads formulas of branching time: `=>`, then `&` and `or`, then `E f U g`, then prefix operators.

use base::Diagnostic;

use super::{Parser, Read, is_linear, is_temporal};
use crate::codes;
use crate::lex::Token;
use crate::pattern::pattern;
use crate::syntax::{Binary, NodeId, NodeKind, Path, Unary};

impl Parser<'_> {
    pub(super) fn branching(&mut self) -> Read<NodeId> {
        self.branching_level(2)
    }

    fn branching_level(&mut self, level: u8) -> Read<NodeId> {
        if level > 3 {
            return self.branching_operand();
        }
        let mut left = self.branching_level(level + 1)?;
        while let Some(Token::Binary(operator)) = self.peek() {
            let operator = *operator;
            if is_linear(operator) || operator.level() != level {
                break;
            }
            self.at += 1;
            let right = self.branching_level(level + 1)?;
            left = self.binary(operator, left, right)?;
        }
        Ok(left)
    }

    fn branching_operand(&mut self) -> Read<NodeId> {
        let Some((token, span)) = self.next() else {
            return Err(Box::new(self.error("a formula is missing here")));
        };
        match token {
            Token::Some | Token::All => {
                let path = match token {
                    Token::Some => Path::Some,
                    _ => Path::All,
                };
                match self.peek() {
                    Some(Token::Unary(operator)) if is_temporal(*operator) => {
                        let operator = *operator;
                        self.at += 1;
                        self.quantified_path(path, operator, span)
                    }
                    _ if path == Path::All => {
                        Err(Box::new(self.error("X, F or G is missing behind A").help(
                            "A f U g can be written not (E (not g) U (not f & not g)) & AF g",
                        )))
                    }
                    _ => {
                        let left = self.below(Parser::branching_operand)?;
                        self.expect(&Token::Binary(Binary::Until), "`U` is missing: E f U g")?;
                        let right = self.below(Parser::branching_operand)?;
                        let span = span.to(self.nodes[right].span);
                        self.node(NodeKind::ExistsUntil(left, right), span)
                    }
                }
            }
            Token::Unary(Unary::Not) => {
                let operand = self.below(Parser::branching_operand)?;
                let span = span.to(self.nodes[operand].span);
                self.node(NodeKind::Unary(Unary::Not, operand), span)
            }
            Token::Unary(operator) => {
                let word = operator.word();
                let message = format!("`{word}` stands behind E or A in CTL");
                Err(Box::new(
                    Diagnostic::error(&codes::SYNTAX, span, message)
                        .help(format!("write A{word} or E{word}")),
                ))
            }
            Token::Open => {
                let inner = self.below(Parser::branching)?;
                let end = self.expect(&Token::Close, "`)` is missing")?;
                self.nodes[inner].span = span.to(end);
                self.is_parenthesised[inner.index()] = true;
                Ok(inner)
            }
            token => self.atom(token, span),
        }
    }

    /// What follows `EX`, `AG`, …
    fn quantified_path(&mut self, path: Path, operator: Unary, start: base::Span) -> Read<NodeId> {
        // `EX [Op] f`; `EX [Op]` alone is EX of an atom.
        if (path, operator) == (Path::Some, Unary::Next)
            && let Some(Token::Brackets(inside)) = self.peek()
            && self
                .tokens
                .get(self.at + 1)
                .is_some_and(|(token, _)| begins_formula(token))
        {
            let step = pattern(&inside.clone())?;
            self.at += 1;
            let operand = self.below(Parser::branching_operand)?;
            let span = start.to(self.nodes[operand].span);
            return self.node(NodeKind::ExistsStep(step, operand), span);
        }
        let operand = self.below(Parser::branching_operand)?;
        let span = start.to(self.nodes[operand].span);
        self.node(NodeKind::Branching(path, operator, operand), span)
    }
}

fn begins_formula(token: &Token) -> bool {
    !matches!(token, Token::Binary(_) | Token::Close)
}
