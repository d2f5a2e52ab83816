//! The formulas of a text in the notation that all languages share: what is about one state stands in braces.

use base::{Name, deep};
use lang_promela::print;
use lang_promela::syntax::{Binary, ExprId, ExprKind, Program, Unary, Unit};
use subject::TemporalDefinition;

/// Every `ltl` block; one without a name is called by its position.
pub(crate) fn definitions(program: &Program) -> Vec<TemporalDefinition> {
    let mut unnamed = 0;
    let mut found = Vec::new();
    for unit in &program.units {
        let Unit::Ltl(formula) = unit else {
            continue;
        };
        let name = match formula.name {
            Some(name) => name.name,
            None => {
                unnamed += 1;
                Name::new(&format!("ltl_{}", unnamed - 1))
            }
        };
        found.push(TemporalDefinition {
            name,
            is_branching: false,
            text: Some(text(program, formula.formula)),
            span: formula.span,
        });
    }
    found
}

/// A formula as text.
pub(crate) fn text(program: &Program, id: ExprId) -> String {
    deep::recurse(|| match &program.exprs[id].kind {
        ExprKind::Unary(operator, a) => {
            let word = match operator {
                Unary::Always => "G",
                Unary::Eventually => "F",
                // A run that ends goes on by stuttering.
                Unary::Next => {
                    let a = text(program, *a);
                    return format!("(X({a}) or (deadlock & ({a})))");
                }
                Unary::Not => "not",
                Unary::Minus | Unary::Complement => return atom(program, id),
            };
            format!("{word}({})", text(program, *a))
        }
        ExprKind::Binary(operator, a, b) => {
            let word = match operator {
                Binary::And => "&",
                Binary::Or => "or",
                Binary::Implies => "=>",
                Binary::Until => "U",
                Binary::WeakUntil => "W",
                Binary::Release => "R",
                Binary::Equivalent => {
                    let (a, b) = (text(program, *a), text(program, *b));
                    return format!("((({a}) => ({b})) & (({b}) => ({a})))");
                }
                _ => return atom(program, id),
            };
            format!("(({}) {word} ({}))", text(program, *a), text(program, *b))
        }
        _ => atom(program, id),
    })
}

fn atom(program: &Program, id: ExprId) -> String {
    format!("{{{}}}", print::expression(program, id))
}
