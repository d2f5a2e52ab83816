//! Which line breaks separate declarations and predicates, and which only break a long line.
//!
//! Standard: ISO 13568, 7.5: a break is soft where what stands before it cannot end a phrase or what stands after it
//! cannot begin one.

use super::token::{Key, Tok, Token};
use crate::ops::Ops;

/// Drops soft breaks and repeated ones.
pub(super) fn settle(tokens: &mut Vec<Token>, ops: &Ops) {
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut pending: Option<Token> = None;
    for token in tokens.drain(..) {
        if token.tok == Tok::Newline {
            pending.get_or_insert(token);
            continue;
        }
        if let Some(newline) = pending.take() {
            let ends = kept.last().is_some_and(|last| can_end(&last.tok, ops));
            if ends && (can_start(&token.tok, ops) || token.tok == Tok::End) {
                kept.push(newline);
            }
        }
        kept.push(token);
    }
    *tokens = kept;
}

fn can_end(tok: &Tok, ops: &Ops) -> bool {
    match tok {
        Tok::Key(key) => matches!(
            key,
            Key::RParen
                | Key::RBracket
                | Key::RBrace
                | Key::RAngle
                | Key::RBag
                | Key::RData
                | Key::RImage
                | Key::RBind
                | Key::ESup
                | Key::True
                | Key::False
                | Key::Underscore
        ),
        Tok::Word(name) => !(ops.infix(*name).is_some() || ops.is_prefix(*name)),
        Tok::InRel(_) | Tok::Newline => false,
        Tok::Number(_) | Tok::Stroke(_) | Tok::Bad(_) | Tok::End => true,
    }
}

fn can_start(tok: &Tok, ops: &Ops) -> bool {
    match tok {
        Tok::Key(key) => matches!(
            key,
            Key::LParen
                | Key::LBracket
                | Key::LBrace
                | Key::LAngle
                | Key::LBag
                | Key::LBind
                | Key::Underscore
                | Key::Not
                | Key::Forall
                | Key::Exists
                | Key::ExistsOne
                | Key::Lambda
                | Key::Mu
                | Key::Theta
                | Key::Let
                | Key::If
                | Key::True
                | Key::False
                | Key::Pre
                | Key::Power
                | Key::Conjecture
                | Key::Function
                | Key::Relation
                | Key::Generic
        ),
        Tok::Word(name) => {
            let infix = ops.infix(*name).is_some() || ops.is_postfix(*name);
            !infix || ops.is_prefix(*name)
        }
        Tok::InRel(_) | Tok::Stroke(_) | Tok::Newline | Tok::End => false,
        Tok::Number(_) | Tok::Bad(_) => true,
    }
}
