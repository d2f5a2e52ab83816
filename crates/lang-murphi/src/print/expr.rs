//! Expressions and types as text.

use base::deep;

use super::Printer;
use crate::syntax::{
    Binary, Binder, ExprId, ExprKind, Over, Quantifier, TypeExprId, TypeKind, Unary,
};

/// How an operator is written.
pub fn operator(op: Binary) -> &'static str {
    match op {
        Binary::Implies => "->",
        Binary::Or => "|",
        Binary::OrOr => "||",
        Binary::BitXor => "^",
        Binary::And => "&",
        Binary::AndAnd => "&&",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "=",
        Binary::NotEqual => "!=",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Modulo => "%",
    }
}

/// How strongly an operator binds, as in the parser.
fn strength(op: Binary) -> u8 {
    match op {
        Binary::Implies => 2,
        Binary::Or | Binary::OrOr => 3,
        Binary::BitXor => 4,
        Binary::And | Binary::AndAnd => 5,
        Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual
        | Binary::Equal
        | Binary::NotEqual => COMPARE,
        Binary::ShiftLeft | Binary::ShiftRight => 8,
        Binary::Add | Binary::Subtract => 9,
        Binary::Multiply | Binary::Divide | Binary::Modulo => 10,
    }
}

const CONDITIONAL: u8 = 1;
const NOT: u8 = 6;
const COMPARE: u8 = 7;
const PREFIX: u8 = 11;
const POSTFIX: u8 = 12;

impl Printer<'_> {
    /// An expression where an operator weaker than `least` needs parentheses.
    pub(super) fn expr(&mut self, id: ExprId, least: u8) {
        deep::recurse(|| {
            let own = self.binds(id);
            if own < least {
                self.put("(");
                self.bare(id);
                self.put(")");
            } else {
                self.bare(id);
            }
        });
    }

    fn binds(&self, id: ExprId) -> u8 {
        match &self.tree.exprs[id].kind {
            ExprKind::Conditional(..) => CONDITIONAL,
            ExprKind::Binary(op, ..) => strength(*op),
            ExprKind::Unary(Unary::Not, _) => NOT,
            ExprKind::Unary(..) => PREFIX,
            _ => POSTFIX,
        }
    }

    // Long: one arm for each kind of expression.
    fn bare(&mut self, id: ExprId) {
        let tree = self.tree;
        match &tree.exprs[id].kind {
            ExprKind::Error => self.put("undefined"),
            ExprKind::Number(value) => self.put(&value.to_string()),
            ExprKind::Undefined => self.put("undefined"),
            ExprKind::Name(name) => self.name(*name),
            ExprKind::Field(inner, field) => {
                self.expr(*inner, POSTFIX);
                self.put(".");
                self.name(field.name);
            }
            ExprKind::Index(inner, index) => {
                self.expr(*inner, POSTFIX);
                self.put("[");
                self.expr(*index, 0);
                self.put("]");
            }
            ExprKind::Call(ident, arguments) => {
                self.name(ident.name);
                self.put("(");
                for (at, argument) in arguments.iter().enumerate() {
                    self.put(if at == 0 { "" } else { ", " });
                    self.expr(*argument, 0);
                }
                self.put(")");
            }
            ExprKind::Unary(op, operand) => {
                self.put(match op {
                    Unary::Not => "!",
                    // "--" opens a comment.
                    Unary::Minus => "- ",
                    Unary::Plus => "+",
                    Unary::BitNot => "~",
                });
                self.expr(*operand, if *op == Unary::Not { NOT } else { PREFIX });
            }
            ExprKind::Binary(op, left, right) => {
                let own = strength(*op);
                let chains = !matches!(own, 2 | COMPARE);
                self.expr(*left, if chains { own } else { own + 1 });
                self.put(&format!(" {} ", operator(*op)));
                self.expr(*right, own + 1);
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.expr(*condition, CONDITIONAL + 1);
                self.put(" ? ");
                self.expr(*yes, CONDITIONAL + 1);
                self.put(" : ");
                self.expr(*no, CONDITIONAL + 1);
            }
            ExprKind::Quantified(quantifier, binder, body) => {
                self.put(if *quantifier == Quantifier::Forall {
                    "forall "
                } else {
                    "exists "
                });
                self.binder(binder);
                self.put(" do ");
                self.expr(*body, 0);
                self.put(" end");
            }
            ExprKind::IsUndefined(place) => {
                self.put("isundefined(");
                self.expr(*place, 0);
                self.put(")");
            }
            ExprKind::IsMember(value, ty) => {
                self.put("ismember(");
                self.expr(*value, 0);
                self.put(", ");
                self.ty(*ty);
                self.put(")");
            }
            ExprKind::MultisetCount(ident, place, body) => {
                self.put("multisetcount(");
                self.name(ident.name);
                self.put(": ");
                self.expr(*place, 0);
                self.put(", ");
                self.expr(*body, 0);
                self.put(")");
            }
        }
    }

    pub(super) fn binder(&mut self, binder: &Binder) {
        self.name(binder.ident.name);
        match &binder.over {
            Over::Type(ty) => {
                self.put(": ");
                self.ty(*ty);
            }
            Over::Range(from, to, by) => {
                self.put(" := ");
                self.expr(*from, 0);
                self.put(" to ");
                self.expr(*to, 0);
                if let Some(by) = by {
                    self.put(" by ");
                    self.expr(*by, 0);
                }
            }
        }
    }

    pub(super) fn ty(&mut self, id: TypeExprId) {
        deep::recurse(|| self.ty_inner(id));
    }

    fn ty_inner(&mut self, id: TypeExprId) {
        let tree = self.tree;
        match &tree.types[id].kind {
            TypeKind::Error => self.put("boolean"),
            TypeKind::Name(name) => self.name(*name),
            TypeKind::Range(low, high) => {
                self.expr(*low, 0);
                self.put("..");
                self.expr(*high, 0);
            }
            TypeKind::Enum(members) => {
                let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
                self.put(&format!("enum {{{}}}", names.join(", ")));
            }
            TypeKind::Scalarset(size) => {
                self.put("scalarset(");
                self.expr(*size, 0);
                self.put(")");
            }
            TypeKind::Union(members) => {
                self.put("union {");
                for (at, member) in members.iter().enumerate() {
                    self.put(if at == 0 { "" } else { ", " });
                    self.ty(*member);
                }
                self.put("}");
            }
            TypeKind::Record(fields) => {
                self.put("record");
                self.depth += 1;
                for (idents, ty) in fields {
                    self.line();
                    self.idents(idents);
                    self.put(": ");
                    self.ty(*ty);
                    self.put(";");
                }
                self.depth -= 1;
                self.line();
                self.put("end");
            }
            TypeKind::Array(index, element) => {
                self.put("array [");
                self.ty(*index);
                self.put("] of ");
                self.ty(*element);
            }
            TypeKind::Multiset(size, element) => {
                self.put("multiset [");
                self.expr(*size, 0);
                self.put("] of ");
                self.ty(*element);
            }
        }
    }
}
