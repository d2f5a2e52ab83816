//! Parameters of an abstract event: the same ones, those with a witness, and those that must be looked for.

use base::{Name, Span};
use lang_eventb::check::DeclId;
use lang_math::{Binder, ExprKind, Op};
use model::{ExprId, Kind, LocalId, Obligation};
use rustc_hash::FxHashMap;

use super::{Around, At};
use crate::Lower;

impl Lower<'_> {
    /// Gives the parameters of the refined event their values.
    pub(super) fn parameters(
        &mut self,
        at: &At<'_>,
        next: &At<'_>,
        around: &mut Vec<Around>,
    ) -> Option<()> {
        let own = self.world.machines[at.chain[at.level]].events[at.event]
            .parameters
            .clone();
        let refined = self.world.machines[next.chain[next.level]].events[next.event]
            .parameters
            .clone();
        let witnesses = self.event(at).witnesses.clone();
        let span = self.event(at).span;
        let mut chosen = Vec::new();
        let mut conditions = Vec::new();
        let mut unwitnessed = false;
        for parameter in &refined {
            if own.contains(parameter) {
                continue;
            }
            let name = self.world.decls[*parameter].name;
            // A witness means the parameter of this name, whichever of the merged events has it.
            let namesakes = self.namesakes(at, name);
            if let Some(same) = own
                .iter()
                .find(|decl| self.world.decls[**decl].name == name)
            {
                let value = self.value_of(*same, span)?;
                self.now.extend(namesakes.iter().map(|decl| (*decl, value)));
                continue;
            }
            let witness = witnesses.iter().find(|witness| witness.label == name);
            if let Some(witness) = witness
                && let Some(value) = namesakes
                    .iter()
                    .find_map(|decl| self.solved(witness.formula, *decl))
            {
                let value = self.expr(value)?;
                self.now.extend(namesakes.iter().map(|decl| (*decl, value)));
                continue;
            }
            let locals = self.fresh_locals(std::slice::from_ref(parameter))?;
            for local in &locals {
                self.locals
                    .extend(namesakes.iter().map(|decl| (*decl, *local)));
            }
            chosen.extend(locals);
            match witness {
                Some(witness) => conditions.push(witness.formula),
                None => unwitnessed = true,
            }
        }
        if chosen.is_empty() {
            return Some(());
        }
        let mut parts = Vec::new();
        for condition in conditions {
            parts.push(self.expr(condition)?);
        }
        let mut owed = Obligation::Witness;
        if unwitnessed {
            // Without a witness the guards of the refined event choose.
            owed = Obligation::Guard;
            let guards = self.event(next).guards.clone();
            for guard in guards.iter().filter(|guard| !guard.is_theorem) {
                parts.push(self.expr(guard.formula)?);
            }
        }
        let predicate = self.all_of(parts, span);
        self.possible(&chosen, predicate, owed, span, around);
        around.push(Around::Choose(chosen, predicate));
        Some(())
    }

    /// The parameters of this name of all events that an event refines.
    pub(super) fn namesakes(&self, at: &At<'_>, name: Name) -> Vec<DeclId> {
        let machine = at.chain[at.level];
        let Some(abstraction) = at.chain.get(at.level + 1) else {
            return Vec::new();
        };
        let refined = &self.world.machines[machine].events[at.event].refines;
        let parameters = refined
            .iter()
            .flat_map(|event| &self.world.machines[*abstraction].events[*event].parameters);
        parameters
            .copied()
            .filter(|decl| self.world.decls[*decl].name == name)
            .collect()
    }

    /// There are values for a choice.
    pub(super) fn possible(
        &mut self,
        names: &[LocalId],
        predicate: ExprId,
        owed: Obligation,
        span: Span,
        around: &mut Vec<Around>,
    ) {
        if !self.levels.findings {
            return;
        }
        let mut copies = FxHashMap::default();
        for name in names {
            let copy = self.model.locals[*name].clone();
            copies.insert(*name, self.model.locals.push(copy));
        }
        let exists = Kind::Bind {
            binder: Binder::Exists,
            names: names.iter().map(|name| copies[name]).collect(),
            predicate: self.copied(predicate, &copies),
            value: None,
            symbolic: false,
        };
        let exists = self.push(exists, None, span);
        around.push(Around::Owes(exists, owed));
    }

    /// An expression about copies of some names: those that are chosen later are bound there only.
    pub(super) fn copied(&mut self, id: ExprId, copies: &FxHashMap<LocalId, LocalId>) -> ExprId {
        let expr = self.model.exprs[id].clone();
        let kind = match expr.kind {
            Kind::Local(local) => Kind::Local(copies.get(&local).copied().unwrap_or(local)),
            kind => base::deep::recurse(|| kind.map_children(|child| self.copied(child, copies))),
        };
        self.push(kind, expr.ty, expr.span)
    }

    /// What a parameter stands for.
    pub(super) fn value_of(&mut self, parameter: DeclId, span: Span) -> Option<ExprId> {
        if let Some(now) = self.now.get(&parameter) {
            return Some(*now);
        }
        let local = *self.locals.get(&parameter)?;
        let ty = self.model.locals[local].ty;
        Some(self.push(Kind::Local(local), Some(ty), span))
    }

    /// `E` of a witness `p = E` that does not mention `p` again.
    pub(super) fn solved(
        &self,
        witness: lang_math::ExprId,
        decl: DeclId,
    ) -> Option<lang_math::ExprId> {
        let exprs = &self.checked.project.exprs;
        let ExprKind::Op(Op::Equal, args) = exprs.kind(witness) else {
            return None;
        };
        let means = |id: lang_math::ExprId| self.world.meanings[id.index()] == Some(decl);
        for (name, value) in [(args[0], args[1]), (args[1], args[0])] {
            if !means(name) {
                continue;
            }
            let mut pending = vec![value];
            let mut again = false;
            while let Some(id) = pending.pop() {
                again |= means(id);
                lang_math::expr::for_each_child(exprs.kind(id), |child| pending.push(child));
            }
            if !again {
                return Some(value);
            }
        }
        None
    }
}
