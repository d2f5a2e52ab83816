//! Bindings that are to be found fall apart into their components.
//!
//! `∃ e : Entry ⦁ e.owner = u ∧ e.tries = 0 ∧ …` and `μ e : Entry | e.owner = u ∧ …` describe a binding component by
//! component. One name for each component lets every equation and every bound of the schema find its own name; the
//! binding itself is the record of those names.
//! Invariant: a record of names has as many values as the names have together, so solutions stay the same.

use base::{Name, Span, deep};
use lang_math::Op;
use lang_z::tree::TermId;
use model::{ExprId, Kind, LocalId, TyId};
use smallvec::smallvec;

use super::redundant::key;
use super::{Env, Lower};

impl Lower<'_> {
    /// A fresh name of a type; of a binding, the record of fresh names for its components.
    pub(super) fn unknown(
        &mut self,
        name: Name,
        ty: TyId,
        span: Span,
        locals: &mut Vec<LocalId>,
    ) -> ExprId {
        let model::Ty::Record(fields) = self.model.tys[ty].clone() else {
            return self.whole(name, ty, span, locals);
        };
        if fields.is_empty() {
            return self.whole(name, ty, span, locals);
        }
        let mut values = Vec::with_capacity(fields.len());
        for (field, ty) in fields {
            let part = Name::new(&format!("{name}.{field}"));
            let value = deep::recurse(|| self.unknown(part, ty, span, locals));
            values.push((field, value));
        }
        self.push(Kind::Record(values), Some(ty), span)
    }

    /// A fresh name of a type.
    pub(super) fn whole(
        &mut self,
        name: Name,
        ty: TyId,
        span: Span,
        locals: &mut Vec<LocalId>,
    ) -> ExprId {
        let local = self.local(name, ty, span);
        locals.push(local);
        self.local_expr(local)
    }

    /// Values are in the set that a declaration names: a binding that fell apart satisfies its schema.
    pub(super) fn are_in(
        &mut self,
        values: &[(ExprId, Span)],
        set: TermId,
        out: &mut Vec<ExprId>,
    ) -> Option<()> {
        let mut lowered = None;
        let end = self.span(set);
        for (value, span) in values {
            if self.is_apart(*value)
                && let Kind::Record(fields) = self.model.exprs[*value].kind.clone()
            {
                let env: Env = fields.iter().copied().collect();
                self.holds(set, &env, out)?;
                continue;
            }
            let set = match lowered {
                Some(set) => set,
                None => self.expr(set)?,
            };
            lowered = Some(set);
            out.push(self.test(Op::Member, smallvec![*value, set], span.to(end)));
        }
        Some(())
    }

    /// Whether a value is a record of names.
    pub(super) fn is_apart(&self, value: ExprId) -> bool {
        match &self.model.exprs[value].kind {
            Kind::Record(fields) => fields
                .iter()
                .all(|(_, field)| self.is_name(*field) || deep::recurse(|| self.is_apart(*field))),
            _ => false,
        }
    }

    fn is_name(&self, value: ExprId) -> bool {
        matches!(self.model.exprs[value].kind, Kind::Local(_) | Kind::Var(_))
    }

    /// A component of a binding.
    pub(super) fn component(
        &mut self,
        binding: ExprId,
        name: Name,
        ty: TyId,
        span: Span,
    ) -> ExprId {
        if self.is_apart(binding)
            && let Kind::Record(fields) = &self.model.exprs[binding].kind
            && let Some((_, value)) = fields.iter().find(|(field, _)| *field == name)
        {
            return *value;
        }
        self.push(Kind::Field(binding, name), Some(ty), span)
    }

    /// `⟨|x, y|⟩ = b` with names that are to be found: each is a component of `b`.
    pub(super) fn equal_components(
        &mut self,
        apart: ExprId,
        whole: ExprId,
        span: Span,
        out: &mut Vec<ExprId>,
    ) -> bool {
        if !self.is_apart(apart) || !self.has_local(apart) {
            return false;
        }
        let Kind::Record(fields) = self.model.exprs[apart].kind.clone() else {
            return false;
        };
        for (name, value) in fields {
            let Some(ty) = self.ty_of(value) else {
                return false;
            };
            let component = self.component(whole, name, ty, span);
            deep::recurse(|| self.equation(value, component, span, out));
        }
        true
    }

    /// The values of a component that satisfy what conjuncts say of it alone: bounds of a component end its enumeration.
    pub(super) fn restricted(
        &mut self,
        binding: LocalId,
        (name, ty): (Name, TyId),
        set: ExprId,
        conjuncts: &mut Vec<ExprId>,
    ) -> ExprId {
        let local = self.local(name, ty, self.model.exprs[set].span);
        let mut said = Vec::new();
        let mut kept = Vec::new();
        for conjunct in std::mem::take(conjuncts) {
            match self.with_component(conjunct, (binding, name), local) {
                // A conjunct that may be undefined stays behind those that protect it.
                Some((about, bound)) if kept.is_empty() || self.is_plain_value(bound) => {
                    said.push(about);
                }
                _ => kept.push(conjunct),
            }
        }
        *conjuncts = kept;
        if said.is_empty() {
            return set;
        }
        let span = self.model.exprs[set].span;
        let value = self.local_expr(local);
        said.insert(0, self.test(Op::Member, smallvec![value, set], span));
        let predicate = self.all(said, span);
        let kind = Kind::Bind {
            binder: lang_math::Binder::Comprehension,
            names: vec![local],
            predicate,
            value: None,
            symbolic: false,
        };
        let ty = self.ty_of(set);
        self.push(kind, ty, span)
    }

    /// A comparison of a component of a binding, or of its size, with something that does not depend on the binding, for
    /// another name of the component; with that something.
    fn with_component(
        &mut self,
        conjunct: ExprId,
        (binding, name): (LocalId, Name),
        local: LocalId,
    ) -> Option<(ExprId, ExprId)> {
        let Kind::Op(op, args) = self.model.exprs[conjunct].kind.clone() else {
            return None;
        };
        let span = self.model.exprs[conjunct].span;
        if !matches!(
            op,
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual | Op::Equal | Op::Member
        ) {
            return None;
        }
        let is_component = |lower: &Self, expr: ExprId| {
            matches!(lower.model.exprs[expr].kind, Kind::Field(record, field)
                if field == name && matches!(lower.model.exprs[record].kind, Kind::Local(known) if known == binding))
        };
        let mut sides = Vec::with_capacity(2);
        let mut bound = None;
        for side in &args {
            let side = *side;
            if is_component(self, side) {
                sides.push(self.local_expr(local));
                continue;
            }
            if let Kind::Op(Op::Card, inner) = self.model.exprs[side].kind.clone()
                && is_component(self, inner[0])
            {
                let (component, ty) = (self.local_expr(local), self.ty_of(side));
                sides.push(self.push(Kind::Op(Op::Card, smallvec![component]), ty, span));
                continue;
            }
            if self.mentions(side, &[binding]) {
                return None;
            }
            bound = Some(side);
            sides.push(side);
        }
        let bound = bound?;
        let is_about = sides.iter().any(|side| *side != bound);
        is_about.then(|| (self.test(op, sides.into(), span), bound))
    }

    /// Whether an expression always has a value.
    fn is_plain_value(&self, expr: ExprId) -> bool {
        self.is_name(expr) || matches!(self.model.exprs[expr].kind, Kind::Int(_))
    }

    /// Whether an expression mentions a local.
    pub(super) fn has_local(&self, expr: ExprId) -> bool {
        let mut found = false;
        self.model.walk(expr, &mut |expr| {
            found |= matches!(expr.kind, Kind::Local(_));
        });
        found
    }

    /// Equations for all components of one binding are one equation for the binding: `(f' x).a = 1 ∧ (f' x).b = 2` says
    /// what `f' x` is. The equation stands before the last of them, behind all that protects them; they stay as tests.
    pub(super) fn together(&mut self, conjuncts: Vec<ExprId>, chosen: &[LocalId]) -> Vec<ExprId> {
        let mut found: Vec<Described> = Vec::new();
        for (at, conjunct) in conjuncts.iter().enumerate() {
            let Kind::Op(Op::Equal, args) = &self.model.exprs[*conjunct].kind else {
                continue;
            };
            for (side, value) in [(args[0], args[1]), (args[1], args[0])] {
                let Kind::Field(binding, name) = self.model.exprs[side].kind else {
                    continue;
                };
                if !self.mentions(binding, chosen) || self.mentions(value, chosen) {
                    continue;
                }
                let key = key(&self.model, binding);
                match found.iter_mut().find(|one| one.key == key) {
                    Some(one) => {
                        one.fields.push((name, value));
                        one.at = at;
                    }
                    None => found.push(Described {
                        key,
                        binding,
                        at,
                        fields: vec![(name, value)],
                    }),
                }
                break;
            }
        }
        let mut result = conjuncts;
        found.sort_by_key(|one| std::cmp::Reverse(one.at));
        for one in found {
            if let Some(equation) = self.as_one(&one) {
                result.insert(one.at, equation);
            }
        }
        result
    }

    /// The equation for a binding all of whose components are given.
    fn as_one(&mut self, described: &Described) -> Option<ExprId> {
        let ty = self.ty_of(described.binding)?;
        let model::Ty::Record(fields) = self.model.tys[ty].clone() else {
            return None;
        };
        let mut values = Vec::with_capacity(fields.len());
        for (name, _) in fields {
            let given = described.fields.iter().find(|(known, _)| *known == name);
            values.push((name, given?.1));
        }
        let span = self.model.exprs[described.binding].span;
        let record = self.push(Kind::Record(values), Some(ty), span);
        Some(self.test(Op::Equal, smallvec![described.binding, record], span))
    }
}

/// A binding with the components that equations give it.
struct Described {
    key: String,
    binding: ExprId,
    /// Where the last equation stands.
    at: usize,
    fields: Vec<(Name, ExprId)>,
}
