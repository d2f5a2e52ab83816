//! Writes values as expressions of the model, and binds names to them.

use base::Span;
use lang_math::Op;
use model::{Expr, ExprId, Kind, LocalId, Model, Ty, TyId, Value};
use smallvec::smallvec;

/// `expr` with `name` bound to a value; `None` for a value that cannot be written.
pub(super) fn bind(
    model: &mut Model,
    name: LocalId,
    value: &Value,
    expr: ExprId,
) -> Option<ExprId> {
    let (ty, span) = (model.locals[name].ty, model.exprs[expr].span);
    let literal = literal(model, value, ty, span)?;
    let ty = model.exprs[expr].ty;
    Some(model.exprs.push(Expr {
        kind: Kind::Let(name, literal, expr),
        ty,
        span,
    }))
}

fn literal(model: &mut Model, value: &Value, ty: TyId, span: Span) -> Option<ExprId> {
    let kind = match (value, model.tys[ty].clone()) {
        (Value::Bool(true), _) => Kind::Op(Op::True, smallvec![]),
        (Value::Bool(false), _) => Kind::Op(Op::False, smallvec![]),
        (Value::Int(value), _) => Kind::Int(value.to_big()),
        (Value::Real(value), _) => Kind::Real(*value),
        (Value::Str(text), _) => Kind::Str(base::Name::new(text)),
        (Value::Element(sort, element), _) => Kind::Element(*sort, *element),
        (Value::Pair(pair), Ty::Prod(left, right)) => {
            let left = base::deep::recurse(|| literal(model, &pair.0, left, span))?;
            let right = base::deep::recurse(|| literal(model, &pair.1, right, span))?;
            Kind::Op(Op::Maplet, smallvec![left, right])
        }
        (Value::Set(elements), Ty::Pow(_)) if elements.is_empty() => {
            Kind::Op(Op::EmptySet, smallvec![])
        }
        (Value::Set(elements), Ty::Pow(element)) => {
            let mut args = smallvec![];
            for value in elements.iter() {
                args.push(base::deep::recurse(|| {
                    literal(model, value, element, span)
                })?);
            }
            Kind::Op(Op::SetExtension, args)
        }
        (Value::Record(fields), Ty::Record(types)) => {
            let mut written = Vec::new();
            for ((name, value), (_, ty)) in fields.iter().zip(types) {
                let value = base::deep::recurse(|| literal(model, value, ty, span))?;
                written.push((*name, value));
            }
            Kind::Record(written)
        }
        _ => return None,
    };
    Some(model.exprs.push(Expr {
        kind,
        ty: Some(ty),
        span,
    }))
}
