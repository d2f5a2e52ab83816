//! Formulas of the model as trees of `lang-math`, whose printer knows the notation.

use base::{Name, deep};
use lang_math::print::layout::Layout;
use lang_math::print::{Place, Style};
use lang_math::{Args, Binding, ExprKind, Exprs, Field, Op, TemplatePart};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Kind, Part};
use crate::{ExprId, LocalId, Model};

/// How names are spelt where a formula stands.
pub(super) struct Names<'a> {
    model: &'a Model,
    /// The spelling of each local that is visible.
    locals: FxHashMap<LocalId, Name>,
    /// Spellings in use: of variables, elements, and the locals that are visible.
    taken: FxHashSet<Name>,
    /// The locals that are visible, innermost last, with what they hid.
    visible: Vec<(LocalId, Option<Name>)>,
}

impl<'a> Names<'a> {
    /// Outside of everything.
    pub(super) fn new(model: &'a Model) -> Names<'a> {
        let variables = model.variables.iter().map(|(_, variable)| variable.name);
        let sorts = model
            .tys
            .sorts
            .iter()
            .flat_map(|(_, sort)| sort.elements.iter().copied().chain([sort.name]));
        Names {
            model,
            locals: FxHashMap::default(),
            taken: variables.chain(sorts).collect(),
            visible: Vec::new(),
        }
    }

    /// Makes locals visible.
    pub(super) fn enter(&mut self, locals: &[LocalId]) {
        for local in locals {
            let name = self.model.locals[*local].name;
            let mut spelling = name;
            let mut number = 1;
            while !self.taken.insert(spelling) {
                number += 1;
                spelling = Name::new(&format!("{name}_{number}"));
            }
            let hidden = self.locals.insert(*local, spelling);
            self.visible.push((*local, hidden));
        }
    }

    /// Ends the visibility of the locals that were entered last.
    pub(super) fn leave(&mut self, count: usize) {
        for _ in 0..count {
            let Some((local, hidden)) = self.visible.pop() else {
                return;
            };
            if let Some(spelling) = self.locals.remove(&local) {
                self.taken.remove(&spelling);
            }
            if let Some(hidden) = hidden {
                self.locals.insert(local, hidden);
            }
        }
    }

    /// The spelling of a local; its own name where it is not visible (a formula shown out of its place).
    pub(super) fn local(&self, local: LocalId) -> Name {
        let spelling = self.locals.get(&local).copied();
        spelling.unwrap_or_else(|| self.model.locals[local].name)
    }
}

/// Adds a formula to a text.
pub(super) fn write(model: &Model, names: &mut Names<'_>, id: ExprId, out: &mut Layout) {
    let (exprs, root) = tree(model, names, id);
    out.open();
    lang_math::print::write(&exprs, root, Place::Formula, &Style::default(), out);
    out.close();
}

/// A formula as a tree of `lang-math`.
pub(super) fn tree(model: &Model, names: &mut Names<'_>, id: ExprId) -> (Exprs, lang_math::ExprId) {
    let mut builder = Builder {
        model,
        names,
        exprs: Exprs::new(),
    };
    let root = builder.expr(id);
    (builder.exprs, root)
}

struct Builder<'a, 'n, 'm> {
    model: &'a Model,
    names: &'n mut Names<'m>,
    exprs: Exprs,
}

impl Builder<'_, '_, '_> {
    fn expr(&mut self, id: ExprId) -> lang_math::ExprId {
        deep::recurse(|| {
            let kind = self.kind(id);
            self.exprs.push(kind, self.model.exprs[id].span)
        })
    }

    // Long: one arm for each kind of formula.
    fn kind(&mut self, id: ExprId) -> ExprKind {
        let model = self.model;
        match &model.exprs[id].kind {
            Kind::Int(value) => ExprKind::Int(value.clone()),
            Kind::Real(value) => ExprKind::Real(Name::new(&format!("{value:?}"))),
            Kind::Str(text) => ExprKind::Str(*text),
            Kind::Element(sort, index) => {
                let sort = &model.tys.sorts[*sort];
                let known = sort.elements.get(*index as usize).copied();
                ExprKind::Name(
                    known.unwrap_or_else(|| Name::new(&format!("{}{}", sort.name, index + 1))),
                )
            }
            Kind::Carrier(sort) => ExprKind::Name(model.tys.sorts[*sort].name),
            Kind::FreeSet(free) => ExprKind::Name(model.tys.free[*free].name),
            Kind::Constructor(free, index) => {
                ExprKind::Name(model.tys.free[*free].constructors[*index as usize].0)
            }
            Kind::Var(variable) => ExprKind::Name(model.variables[*variable].name),
            Kind::Local(local) => ExprKind::Name(self.names.local(*local)),
            Kind::Op(op, operands) => {
                // The model keeps the two meanings of `-` and `*` apart; the notation does not.
                let op = match op {
                    Op::SetMinus => Op::Minus,
                    Op::Cartesian => Op::Times,
                    op => *op,
                };
                let operands: Args = operands.iter().map(|operand| self.expr(*operand)).collect();
                ExprKind::Op(op, operands)
            }
            Kind::Apply(function, argument) => {
                let function = self.expr(*function);
                ExprKind::Apply(function, Args::from_slice(&[self.expr(*argument)]))
            }
            Kind::External(name, arguments) => {
                ExprKind::External(*name, arguments.iter().map(|arg| self.expr(*arg)).collect())
            }
            Kind::Bind {
                binder,
                names,
                predicate,
                value,
                symbolic,
            } => {
                self.names.enter(names);
                let bindings = names.iter().map(|local| self.binding(*local)).collect();
                let predicate = self.expr(*predicate);
                let value = value.map(|value| self.expr(value));
                self.names.leave(names.len());
                ExprKind::Bind {
                    binder: *binder,
                    names: bindings,
                    predicate,
                    value,
                    symbolic: *symbolic,
                }
            }
            Kind::Record(fields) => ExprKind::Record(self.fields(fields)),
            Kind::Struct(fields) => ExprKind::Struct(self.fields(fields)),
            Kind::Field(record, name) => ExprKind::Field(self.expr(*record), *name),
            Kind::If(condition, then, otherwise) => ExprKind::If {
                branches: vec![(self.expr(*condition), self.expr(*then))],
                otherwise: self.expr(*otherwise),
            },
            Kind::Let(local, value, body) => {
                let span = model.exprs[*value].span;
                let value = self.expr(*value);
                self.names.enter(&[*local]);
                let binding = self.binding(*local);
                let name = self.exprs.push(ExprKind::Name(binding.name), span);
                let equation = ExprKind::Op(Op::Equal, Args::from_slice(&[name, value]));
                let equations = self.exprs.push(equation, span);
                let body = self.expr(*body);
                self.names.leave(1);
                ExprKind::Let {
                    names: vec![binding],
                    equations,
                    body,
                }
            }
            Kind::Template(parts) => ExprKind::Template(
                parts
                    .iter()
                    .map(|part| match part {
                        Part::Text(text) => TemplatePart::Text(*text),
                        Part::Value(value) => TemplatePart::Value(self.expr(*value), None),
                    })
                    .collect(),
            ),
        }
    }

    fn binding(&self, local: LocalId) -> Binding {
        Binding {
            name: self.names.local(local),
            span: self.model.locals[local].span,
        }
    }

    fn fields(&mut self, fields: &[(Name, ExprId)]) -> Vec<Field> {
        fields
            .iter()
            .map(|(name, value)| Field {
                name: *name,
                span: self.model.exprs[*value].span,
                value: self.expr(*value),
            })
            .collect()
    }
}
