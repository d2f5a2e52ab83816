//! What every state satisfies, and what operations leave unsaid.

use base::Name;
use lang_math::Op;
use model::{ExprId, Kind, LocalId};

use super::{Lowered, Made};
use crate::machine::Machine;
use crate::redundant::{Known, entails, key};
use crate::{Env, Lower};

impl Lower<'_> {
    /// Warns of variables about whose values after an operation nothing is said but what every state satisfies.
    pub(super) fn frame(&mut self, machine: &Machine, operation: &Lowered) -> Option<()> {
        let body = self.schema_body(machine.state)?;
        let after = self.values_after(operation);
        let of_states = self.said_of(body, &after)?;
        let said = Known::of(&self.model, &of_states);
        let own: Vec<ExprId> = operation
            .conjuncts
            .iter()
            .copied()
            .filter(|conjunct| !said.has(&self.model, *conjunct))
            .collect();
        for (var, value) in &operation.names.after {
            let mut locals = Vec::new();
            self.model.walk(*value, &mut |expr| {
                if let Kind::Local(local) = expr.kind {
                    locals.push(local);
                }
            });
            let is_said = own.iter().any(|conjunct| self.mentions(*conjunct, &locals));
            // A component that the state derives from others, as in `known = dom birthday`, needs no word.
            let is_derived = || of_states.iter().any(|one| self.derives(*one, &locals));
            if !is_said && !is_derived() {
                let (name, variable) = (operation.name, self.model.variables[*var].name);
                self.model.warnings.push(format!(
                    "operation `{name}` says nothing about `{variable}'`: it takes every value that the state allows"
                ));
            }
        }
        Some(())
    }

    /// Whether a conjunct gives names their values in terms of others: an equation, or an equivalence with one.
    fn derives(&self, conjunct: ExprId, locals: &[LocalId]) -> bool {
        let is_name = |side: ExprId| match &self.model.exprs[side].kind {
            Kind::Local(local) => locals.contains(local),
            _ => false,
        };
        match &self.model.exprs[conjunct].kind {
            Kind::Op(Op::Equal, sides) => {
                let derives = |one, other| is_name(one) && !self.mentions(other, locals);
                derives(sides[0], sides[1]) || derives(sides[1], sides[0])
            }
            Kind::Op(Op::Equivalent, sides) => sides.iter().any(|side| self.derives(*side, locals)),
            _ => false,
        }
    }

    /// The values of the variables after an operation.
    fn values_after(&mut self, operation: &Lowered) -> Env {
        let mut after = Env::default();
        for (id, name, span) in self.state_variables() {
            let primed = Name::new(&format!("{name}'"));
            let value = match operation.names.env.get(&primed) {
                Some(value) => *value,
                None => self.var_expr(id, span),
            };
            after.insert(name, value);
        }
        after
    }

    /// What every reachable state satisfies: the predicate of the state, if everything that makes a state says it.
    pub(super) fn always(
        &mut self,
        machine: &Machine,
        init: Option<Made>,
        operations: &[Lowered],
    ) -> Option<Known> {
        let mut plain = Env::default();
        for (id, name, span) in self.state_variables() {
            let value = self.var_expr(id, span);
            plain.insert(name, value);
        }
        let body = self.schema_body(machine.state)?;
        let before = self.said_of(body, &plain)?;
        let init = init?;
        let wanted = self.said_of(body, &init.state)?;
        if !entails(&self.model, &init.conjuncts, &wanted) {
            return None;
        }
        let known = Known::of(&self.model, &before);
        self.note_ranges(&before);
        for operation in operations {
            let after = self.values_after(operation);
            let mut wanted = self.said_of(body, &after)?;
            // What speaks of nothing that changes held before.
            wanted.retain(|one| !known.has(&self.model, *one));
            if !entails(&self.model, &operation.conjuncts, &wanted) {
                return None;
            }
        }
        Some(known)
    }

    /// Notes of variables that are functions where their values are.
    fn note_ranges(&mut self, said: &[ExprId]) {
        for conjunct in said {
            if let Kind::Op(Op::Member, args) = &self.model.exprs[*conjunct].kind
                && let Kind::Var(var) = self.model.exprs[args[0]].kind
                && let Kind::Op(Op::PartialFunctions | Op::TotalFunctions, sides) =
                    &self.model.exprs[args[1]].kind
            {
                let range = key(&self.model, sides[1]);
                self.ranges.insert(var, range);
            }
        }
    }

    /// The conjuncts of a schema for some values of its components; `None` where it has quantifiers of its own at the
    /// top, which have other names each time.
    fn said_of(&mut self, body: lang_z::tree::TermId, env: &Env) -> Option<Vec<ExprId>> {
        let mut conjuncts = Vec::new();
        self.scopes.clear();
        self.hoisted = Some(Vec::new());
        let result = self.holds(body, env, &mut conjuncts);
        let hoisted = self.hoisted.take()?;
        result?;
        hoisted.is_empty().then_some(conjuncts)
    }
}
