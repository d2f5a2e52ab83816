//! Expressions, and which reads tolerate undefined values.

use base::deep;
use lang_murphi::check::{Form, SymbolKind};
use lang_murphi::syntax::{self, Binder, ExprId, ExprKind, Over};
use program::{Argument, Binary, Domain, FunctionId, Kind, Mode, Quantifier, TyId, Unary};

use crate::Lowering;

impl Lowering<'_> {
    /// An expression whose value is used: undefined is a fault unless its type says otherwise.
    pub(crate) fn expr(&mut self, id: ExprId) -> program::ExprId {
        deep::recurse(|| self.expr_inner(id))
    }

    /// An expression whose value is only handed on: a variable is copied, undefined or not.
    pub(crate) fn copied(&mut self, id: ExprId) -> program::ExprId {
        if self.constant(id).is_none() && self.is_place(id) {
            return self.copy(id);
        }
        self.expr(id)
    }

    /// The right side of an assignment: what is only handed on, where the reading allows it.
    pub(crate) fn assigned(&mut self, id: ExprId) -> program::ExprId {
        match self.options.reading {
            crate::Reading::Copying => self.copied(id),
            crate::Reading::Strict => self.expr(id),
        }
    }

    fn copy(&mut self, id: ExprId) -> program::ExprId {
        let place = self.place(id);
        self.node(id, Kind::Copy(place))
    }

    fn node(&mut self, id: ExprId, kind: Kind) -> program::ExprId {
        let ty = self.ty(self.checked.type_of(id));
        self.program.expr(kind, ty, self.tree.exprs[id].span)
    }

    /// The value of a constant expression as a code.
    fn constant(&mut self, id: ExprId) -> Option<i64> {
        let value = self.checked.constants[id.index()]?;
        let ty = self.checked.type_of(id);
        match self.checked.types[ty].form {
            // The position in one of its members; the member's own name is folded.
            Form::Union(_) => None,
            _ => Some(self.code(ty, value)),
        }
    }

    fn expr_inner(&mut self, id: ExprId) -> program::ExprId {
        if let Some(value) = self.constant(id) {
            return self.node(id, Kind::Constant(value));
        }
        let tree = self.tree;
        let kind = match &tree.exprs[id].kind {
            ExprKind::Error | ExprKind::Undefined => Kind::Undefined,
            ExprKind::Number(value) => Kind::Constant(*value),
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => return self.read(id),
            ExprKind::Call(_, arguments) => {
                let (function, arguments) = self.call(id, arguments);
                Kind::Call(function, arguments)
            }
            ExprKind::Unary(op, operand) => {
                let inner = self.expr(*operand);
                match op {
                    syntax::Unary::Plus => return inner,
                    syntax::Unary::Not => Kind::Unary(Unary::Not, inner),
                    syntax::Unary::Minus => Kind::Unary(Unary::Minus, inner),
                    syntax::Unary::BitNot => Kind::Unary(Unary::Complement, inner),
                }
            }
            ExprKind::Binary(op, left, right) => {
                let logical = matches!(self.checked.form_of(id), Form::Boolean);
                let (left, right) = (self.expr(*left), self.expr(*right));
                Kind::Binary(binary(*op, logical), left, right)
            }
            ExprKind::Conditional(condition, yes, no) => {
                let (condition, yes, no) = (self.expr(*condition), self.expr(*yes), self.expr(*no));
                Kind::Choice(condition, yes, no)
            }
            ExprKind::Quantified(quantifier, binder, body) => {
                let domain = self.domain(binder);
                let local = self.frame_local(binder.ident.span, Mode::Value);
                let body = self.expr(*body);
                let quantifier = match quantifier {
                    syntax::Quantifier::Forall => Quantifier::All,
                    syntax::Quantifier::Exists => Quantifier::Some,
                };
                Kind::Quantified {
                    quantifier,
                    local,
                    domain,
                    body,
                }
            }
            ExprKind::IsUndefined(place) => Kind::IsUndefined(self.place(*place)),
            ExprKind::IsMember(value, ty) => {
                let value = self.copied(*value);
                let ty = self
                    .ty(self.checked.type_exprs[ty.index()].expect("a checked type has a meaning"));
                Kind::IsMember(value, ty)
            }
            ExprKind::MultisetCount(ident, place, body) => {
                let multiset = self.place(*place);
                let local = self.frame_local(ident.span, Mode::Value);
                let body = self.expr(*body);
                Kind::Count {
                    local,
                    multiset,
                    body,
                }
            }
        };
        self.node(id, kind)
    }

    /// The value at a designator.
    fn read(&mut self, id: ExprId) -> program::ExprId {
        // An alias of an expression that is constant has no place of its own.
        if !self.is_place(id)
            && let Some(symbol) = self.checked.uses[id.index()]
            && let SymbolKind::Alias(value) = self.checked.symbols[symbol].kind
        {
            return self.expr(value);
        }
        if matches!(
            self.tree.exprs[id].kind,
            ExprKind::Field(..) | ExprKind::Index(..)
        ) && !self.is_place(id)
        {
            return self.part_of_value(id);
        }
        let ty = self.checked.type_of(id);
        if self.has_parts(ty) || self.copies(ty) {
            return self.copy(id);
        }
        let place = self.place(id);
        self.node(id, Kind::Read(place))
    }

    /// A part of the result of a function: the result is a place of its own first.
    fn part_of_value(&mut self, id: ExprId) -> program::ExprId {
        let tree = self.tree;
        let (inner, selector) = match &tree.exprs[id].kind {
            ExprKind::Field(inner, field) => {
                let Form::Record(fields) = self.checked.form_of(*inner) else {
                    unreachable!("only records have fields")
                };
                let position = fields.iter().position(|(name, _)| *name == field.name);
                (
                    *inner,
                    program::Selector::Field(position.expect("the field is known") as u32),
                )
            }
            ExprKind::Index(inner, index) => (*inner, program::Selector::Index(self.expr(*index))),
            _ => unreachable!("asked for parts only"),
        };
        let value = self.expr(inner);
        self.node(id, Kind::Part(value, selector))
    }

    pub(crate) fn domain(&mut self, binder: &Binder) -> Domain {
        match &binder.over {
            Over::Type(ty) => {
                let ty = self.checked.type_exprs[ty.index()].expect("a checked type has a meaning");
                Domain::Type(self.ty(ty))
            }
            Over::Range(from, to, by) => Domain::Count {
                from: self.expr(*from),
                to: self.expr(*to),
                by: by.map(|by| self.expr(by)),
            },
        }
    }

    /// A call: variables of a parameter's own type are passed by reference, whatever the parameter.
    pub(crate) fn call(&mut self, id: ExprId, arguments: &[ExprId]) -> (FunctionId, Vec<Argument>) {
        let checked = self.checked;
        let symbol = checked.uses[id.index()].expect("a checked call has a symbol");
        let SymbolKind::Routine(routine) = checked.symbols[symbol].kind else {
            unreachable!("only routines are called")
        };
        let mut passed = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&checked.routines[routine].parameters) {
            let wanted = self.ty(parameter.ty);
            let by_reference = parameter.is_var || self.is_own(*argument, wanted);
            passed.push(if by_reference {
                Argument::Reference(self.place(*argument))
            } else {
                Argument::Value(self.copied(*argument))
            });
        }
        (self.functions[routine], passed)
    }

    /// Whether an argument is a variable of exactly this type.
    fn is_own(&mut self, argument: ExprId, wanted: TyId) -> bool {
        let found = self.ty(self.checked.type_of(argument));
        found == wanted && self.constant(argument).is_none() && self.is_place(argument)
    }
}

fn binary(op: syntax::Binary, logical: bool) -> Binary {
    match op {
        syntax::Binary::Implies => Binary::Implies,
        syntax::Binary::OrOr => Binary::Or,
        syntax::Binary::AndAnd => Binary::And,
        syntax::Binary::Or if logical => Binary::Or,
        syntax::Binary::And if logical => Binary::And,
        syntax::Binary::Or => Binary::BitOr,
        syntax::Binary::And => Binary::BitAnd,
        syntax::Binary::BitXor => Binary::BitXor,
        syntax::Binary::Less => Binary::Less,
        syntax::Binary::LessEqual => Binary::AtMost,
        syntax::Binary::Greater => Binary::Greater,
        syntax::Binary::GreaterEqual => Binary::AtLeast,
        syntax::Binary::Equal => Binary::Equal,
        syntax::Binary::NotEqual => Binary::Unequal,
        syntax::Binary::ShiftLeft => Binary::ShiftLeft,
        syntax::Binary::ShiftRight => Binary::ShiftRight,
        syntax::Binary::Add => Binary::Add,
        syntax::Binary::Subtract => Binary::Subtract,
        syntax::Binary::Multiply => Binary::Multiply,
        syntax::Binary::Divide => Binary::Divide,
        syntax::Binary::Modulo => Binary::Remainder,
    }
}
