//! The formulas directly below a formula: listed, or put back changed.

use super::{ExprId, ExprKind, Field, TemplatePart};

/// Calls `visit` for each direct child, left to right.
pub fn for_each_child(kind: &ExprKind, mut visit: impl FnMut(ExprId)) {
    match kind {
        ExprKind::Error
        | ExprKind::Name(_)
        | ExprKind::Before(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Str(_) => {}
        ExprKind::Template(parts) => {
            for part in parts {
                if let TemplatePart::Value(value, _) = part {
                    visit(*value);
                }
            }
        }
        ExprKind::Op(_, args) | ExprKind::External(_, args) => {
            args.iter().copied().for_each(visit);
        }
        ExprKind::Apply(function, args) => {
            visit(*function);
            args.iter().copied().for_each(visit);
        }
        ExprKind::Bind {
            predicate, value, ..
        } => {
            visit(*predicate);
            if let Some(value) = value {
                visit(*value);
            }
        }
        ExprKind::Record(fields) | ExprKind::Struct(fields) => {
            fields.iter().for_each(|field| visit(field.value));
        }
        ExprKind::Field(inner, _)
        | ExprKind::Labelled(_, inner)
        | ExprKind::Described(inner, _) => visit(*inner),
        ExprKind::If {
            branches,
            otherwise,
        } => {
            for (condition, result) in branches {
                visit(*condition);
                visit(*result);
            }
            visit(*otherwise);
        }
        ExprKind::Let {
            equations, body, ..
        } => {
            visit(*equations);
            visit(*body);
        }
        ExprKind::After {
            targets,
            values,
            predicate,
        } => {
            targets.iter().chain(values).copied().for_each(&mut visit);
            visit(*predicate);
        }
    }
}

/// The same node over other children: each child is replaced by what `change` makes of it, left to right.
// Long: one arm for each kind of formula.
pub fn map_children(kind: &ExprKind, mut change: impl FnMut(ExprId) -> ExprId) -> ExprKind {
    let fields = |fields: &[Field], change: &mut dyn FnMut(ExprId) -> ExprId| {
        fields
            .iter()
            .map(|field| Field {
                value: change(field.value),
                ..*field
            })
            .collect()
    };
    match kind {
        ExprKind::Error
        | ExprKind::Name(_)
        | ExprKind::Before(_)
        | ExprKind::Int(_)
        | ExprKind::Real(_)
        | ExprKind::Str(_) => kind.clone(),
        ExprKind::Template(parts) => ExprKind::Template(
            parts
                .iter()
                .map(|part| match part {
                    TemplatePart::Text(text) => TemplatePart::Text(*text),
                    TemplatePart::Value(value, format) => {
                        TemplatePart::Value(change(*value), *format)
                    }
                })
                .collect(),
        ),
        ExprKind::Op(op, args) => ExprKind::Op(*op, args.iter().map(|arg| change(*arg)).collect()),
        ExprKind::Apply(function, args) => {
            let function = change(*function);
            ExprKind::Apply(function, args.iter().map(|arg| change(*arg)).collect())
        }
        ExprKind::External(name, args) => {
            ExprKind::External(*name, args.iter().map(|arg| change(*arg)).collect())
        }
        ExprKind::Bind {
            binder,
            names,
            predicate,
            value,
            symbolic,
        } => ExprKind::Bind {
            binder: *binder,
            names: names.clone(),
            predicate: change(*predicate),
            value: value.map(change),
            symbolic: *symbolic,
        },
        ExprKind::Record(list) => ExprKind::Record(fields(list, &mut change)),
        ExprKind::Struct(list) => ExprKind::Struct(fields(list, &mut change)),
        ExprKind::Field(inner, name) => ExprKind::Field(change(*inner), *name),
        ExprKind::If {
            branches,
            otherwise,
        } => ExprKind::If {
            branches: branches
                .iter()
                .map(|(condition, result)| (change(*condition), change(*result)))
                .collect(),
            otherwise: change(*otherwise),
        },
        ExprKind::Let {
            names,
            equations,
            body,
        } => ExprKind::Let {
            names: names.clone(),
            equations: change(*equations),
            body: change(*body),
        },
        ExprKind::After {
            targets,
            values,
            predicate,
        } => ExprKind::After {
            targets: targets.iter().map(|target| change(*target)).collect(),
            values: values.iter().map(|value| change(*value)).collect(),
            predicate: change(*predicate),
        },
        ExprKind::Labelled(label, inner) => ExprKind::Labelled(*label, change(*inner)),
        ExprKind::Described(inner, text) => ExprKind::Described(change(*inner), *text),
    }
}
