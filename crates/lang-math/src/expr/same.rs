//! Whether two trees say the same, wherever they stand.

use super::{Binding, ExprId, ExprKind, Exprs, Field, TemplatePart};

// Long: one arm for each kind of formula.
pub(super) fn same(a: &Exprs, left: ExprId, b: &Exprs, right: ExprId) -> bool {
    let all = |xs: &[ExprId], ys: &[ExprId]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| a.same(*x, b, *y))
    };
    let names = |xs: &[Binding], ys: &[Binding]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| x.name == y.name)
    };
    let fields = |xs: &[Field], ys: &[Field]| {
        xs.len() == ys.len()
            && xs
                .iter()
                .zip(ys)
                .all(|(x, y)| x.name == y.name && a.same(x.value, b, y.value))
    };
    match (a.kind(left), b.kind(right)) {
        (ExprKind::Error, ExprKind::Error) => true,
        (ExprKind::Name(x), ExprKind::Name(y))
        | (ExprKind::Before(x), ExprKind::Before(y))
        | (ExprKind::Real(x), ExprKind::Real(y))
        | (ExprKind::Str(x), ExprKind::Str(y)) => x == y,
        (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
        (ExprKind::Template(xs), ExprKind::Template(ys)) => {
            xs.len() == ys.len()
                && xs.iter().zip(ys).all(|(x, y)| match (x, y) {
                    (TemplatePart::Text(x), TemplatePart::Text(y)) => x == y,
                    (TemplatePart::Value(x, f), TemplatePart::Value(y, g)) => {
                        f == g && a.same(*x, b, *y)
                    }
                    _ => false,
                })
        }
        (ExprKind::Op(x, xs), ExprKind::Op(y, ys)) => x == y && all(xs, ys),
        (ExprKind::External(x, xs), ExprKind::External(y, ys)) => x == y && all(xs, ys),
        (ExprKind::Apply(x, xs), ExprKind::Apply(y, ys)) => a.same(*x, b, *y) && all(xs, ys),
        (
            ExprKind::Bind {
                binder,
                names: xs,
                predicate,
                value,
                symbolic,
            },
            ExprKind::Bind {
                binder: other_binder,
                names: ys,
                predicate: other_predicate,
                value: other_value,
                symbolic: other_symbolic,
            },
        ) => {
            binder == other_binder
                && symbolic == other_symbolic
                && names(xs, ys)
                && a.same(*predicate, b, *other_predicate)
                && match (value, other_value) {
                    (Some(x), Some(y)) => a.same(*x, b, *y),
                    (None, None) => true,
                    _ => false,
                }
        }
        (ExprKind::Record(xs), ExprKind::Record(ys))
        | (ExprKind::Struct(xs), ExprKind::Struct(ys)) => fields(xs, ys),
        (ExprKind::Field(x, f), ExprKind::Field(y, g)) => f == g && a.same(*x, b, *y),
        (
            ExprKind::If {
                branches: xs,
                otherwise: x,
            },
            ExprKind::If {
                branches: ys,
                otherwise: y,
            },
        ) => {
            xs.len() == ys.len()
                && xs
                    .iter()
                    .zip(ys)
                    .all(|(x, y)| a.same(x.0, b, y.0) && a.same(x.1, b, y.1))
                && a.same(*x, b, *y)
        }
        (
            ExprKind::Let {
                names: xs,
                equations: p,
                body: x,
            },
            ExprKind::Let {
                names: ys,
                equations: q,
                body: y,
            },
        ) => names(xs, ys) && a.same(*p, b, *q) && a.same(*x, b, *y),
        (
            ExprKind::After {
                targets: xs,
                values: vs,
                predicate: p,
            },
            ExprKind::After {
                targets: ys,
                values: ws,
                predicate: q,
            },
        ) => all(xs, ys) && all(vs, ws) && a.same(*p, b, *q),
        (ExprKind::Labelled(x, p), ExprKind::Labelled(y, q))
        | (ExprKind::Described(p, x), ExprKind::Described(q, y)) => x == y && a.same(*p, b, *q),
        _ => false,
    }
}
