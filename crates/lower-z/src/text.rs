//! Declarations as bound names with conjuncts.

use base::{Name, Span};
use lang_math::Op;
use lang_z::tree::{Decl, TermId, Text};
use model::{ExprId, LocalId};
use smallvec::smallvec;

use super::{Env, Lower};

/// A part of a characteristic tuple.
#[derive(Clone, Debug)]
enum Part {
    Variable(Name),
    /// Labels with the names that have their values.
    Binding(Vec<(Name, Name)>),
}

/// What a text binds.
#[derive(Debug)]
pub(super) struct Bound {
    /// The names.
    pub locals: Vec<LocalId>,
    /// What they satisfy.
    pub conjuncts: Vec<ExprId>,
    /// What they stand for inside.
    pub env: Env,
    /// Whether bindings have a name for each component.
    apart: bool,
    parts: Vec<Part>,
}

impl Bound {
    /// Whether the characteristic tuple consists of the names in their order.
    pub fn is_plain(&self) -> bool {
        let variables = self
            .parts
            .iter()
            .filter(|part| matches!(part, Part::Variable(_)));
        !self.apart
            && variables.count() == self.locals.len()
            && self.parts.len() == self.locals.len()
    }
}

impl Lower<'_> {
    /// Lowers a text: fresh names for what it declares, and its conjuncts.
    pub(super) fn bind(&mut self, text: &Text) -> Option<Bound> {
        self.bind_so(text, false)
    }

    /// The same, with a name for each component of a binding.
    pub(super) fn bind_apart(&mut self, text: &Text) -> Option<Bound> {
        self.bind_so(text, true)
    }

    fn bind_so(&mut self, text: &Text, apart: bool) -> Option<Bound> {
        let hoisted = self.hoisted.take();
        let bound = self.bind_here(text, apart);
        self.hoisted = hoisted;
        bound
    }

    fn bind_here(&mut self, text: &Text, apart: bool) -> Option<Bound> {
        let mut bound = Bound {
            locals: Vec::new(),
            conjuncts: Vec::new(),
            env: Env::default(),
            apart,
            parts: Vec::new(),
        };
        for decl in &text.decls {
            match decl {
                Decl::Vars(names, set) => {
                    let whole = self.term_ty(*set)?;
                    let model::Ty::Pow(ty) = self.model.tys[whole] else {
                        return None;
                    };
                    let mut values = Vec::with_capacity(names.len());
                    for name in names {
                        let value = self.bring(&mut bound, name.name, ty, name.span);
                        if self.is_apart(value) && self.is_restricted(ty) {
                            let carrier = self.carrier(ty, name.span)?;
                            let member =
                                self.test(Op::Member, smallvec![value, carrier], name.span);
                            bound.conjuncts.push(member);
                        }
                        values.push((value, name.span));
                        bound.parts.push(Part::Variable(name.name));
                    }
                    let mut conjuncts = Vec::new();
                    self.are_in(&values, *set, &mut conjuncts)?;
                    bound.conjuncts.extend(conjuncts);
                }
                Decl::Define(name, value) => {
                    let value = self.expr(*value)?;
                    let ty = self.ty_of(value)?;
                    let local = self.bring(&mut bound, name.name, ty, name.span);
                    let mut equations = Vec::new();
                    self.equation(local, value, name.span, &mut equations);
                    bound.conjuncts.extend(equations);
                    bound.parts.push(Part::Variable(name.name));
                }
                Decl::Include(schema) => self.bind_schema(*schema, &mut bound)?,
            }
        }
        if let Some(predicate) = text.predicate {
            let mut conjuncts = Vec::new();
            self.scopes.push(bound.env.clone());
            let result = self.conjuncts(predicate, &mut conjuncts);
            self.scopes.pop();
            result?;
            bound.conjuncts.extend(conjuncts);
        }
        Some(bound)
    }

    fn bind_schema(&mut self, schema: TermId, bound: &mut Bound) -> Option<()> {
        let span = self.span(schema);
        let strokes = self.strokes_of(schema);
        let mut env = Env::default();
        let mut labels = Vec::new();
        for (name, ty) in self.components(schema)? {
            let ty = self.ty(ty)?;
            let value = self.bring(bound, name, ty, span);
            env.insert(name, value);
            if self.is_restricted(ty) {
                let set = self.carrier(ty, span)?;
                let member = self.test(Op::Member, smallvec![value, set], span);
                bound.conjuncts.push(member);
            }
            let label = match name.as_str().strip_suffix(strokes.as_str()) {
                Some(base) => Name::new(base),
                None => name,
            };
            labels.push((label, name));
        }
        bound.parts.push(Part::Binding(labels));
        let mut conjuncts = Vec::new();
        self.holds(schema, &env, &mut conjuncts)?;
        bound.conjuncts.extend(conjuncts);
        Some(())
    }

    fn bring(&mut self, bound: &mut Bound, name: Name, ty: model::TyId, span: Span) -> ExprId {
        if let Some(known) = bound.env.get(&name) {
            return *known;
        }
        let value = match bound.apart {
            true => self.unknown(name, ty, span, &mut bound.locals),
            false => self.whole(name, ty, span, &mut bound.locals),
        };
        bound.env.insert(name, value);
        value
    }

    /// Lowers what stands inside of a text.
    pub(super) fn within<T>(
        &mut self,
        bound: &Bound,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.scopes.push(bound.env.clone());
        let result = body(self);
        self.scopes.pop();
        result
    }

    /// The characteristic tuple of a text.
    pub(super) fn characteristic(&mut self, bound: &Bound, span: Span) -> Option<ExprId> {
        let mut values = Vec::with_capacity(bound.parts.len());
        for part in &bound.parts {
            values.push(match part {
                Part::Variable(name) => *bound.env.get(name)?,
                Part::Binding(labels) => {
                    let mut fields = Vec::with_capacity(labels.len());
                    for (label, name) in labels {
                        fields.push((*label, *bound.env.get(name)?));
                    }
                    self.record(fields, span)?
                }
            });
        }
        self.tuple(&values, span)
    }
}
