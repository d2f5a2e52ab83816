//! Actions of an abstract event: each must do to its variables what the concrete one did, or what a witness says.

use base::Span;
use lang_eventb::check::DeclId;
use lang_eventb::syntax::{self, Change};
use lang_math::Op;
use model::{ExprId, Kind, LocalId, Obligation};
use rustc_hash::FxHashSet;

use super::{Around, At};
use crate::{Lower, Ref};

impl Lower<'_> {
    /// What the refined event changes.
    pub(super) fn actions(
        &mut self,
        at: &At<'_>,
        next: &At<'_>,
        around: &mut Vec<Around>,
    ) -> Option<()> {
        let (machine, abstraction) = (at.chain[at.level], next.chain[next.level]);
        let own = self.event(at).actions.clone();
        let actions = self.event(next).actions.clone();
        let targets = self.world.machines[abstraction].events[next.event]
            .targets
            .clone();
        let witnesses = self.event(at).witnesses.clone();
        let kept = &self.world.machines[machine].variables;
        let exprs = &self.checked.project.exprs;
        let mut assigned = FxHashSet::default();
        // Assignments first: a witness may mention what they give.
        let mut pairs: Vec<(&syntax::Action, &Vec<DeclId>)> =
            actions.iter().zip(&targets).collect();
        pairs.sort_by_key(|(action, _)| !matches!(action.change, Change::Assign(_)));
        for (action, targets) in pairs {
            assigned.extend(targets.iter().copied());
            let gone: Vec<DeclId> = targets
                .iter()
                .copied()
                .filter(|target| !kept.contains(target))
                .collect();
            let is_same = |other: &syntax::Action| same_action(exprs, action, other);
            if gone.is_empty() && own.iter().any(is_same) {
                continue;
            }
            match &action.change {
                Change::Assign(list) => {
                    for (target, value) in targets.iter().zip(list) {
                        let value = self.expr(*value)?;
                        if gone.contains(target) {
                            self.after.insert(*target, value);
                        } else {
                            let after = self.current(*target, action.span)?;
                            let same = self.relation(Op::Equal, after, value, action.span);
                            around.push(Around::Owes(same, Obligation::Simulation));
                        }
                    }
                }
                Change::Element(set) => {
                    let target = targets.first().copied()?;
                    let set = self.expr(*set)?;
                    if gone.is_empty() {
                        let after = self.current(target, action.span)?;
                        let member = self.relation(Op::Member, after, set, action.span);
                        around.push(Around::Owes(member, Obligation::Simulation));
                    } else if let Some(value) = self.witnessed(&witnesses, target) {
                        let value = self.expr(value)?;
                        let member = self.relation(Op::Member, value, set, action.span);
                        around.push(Around::Owes(member, Obligation::Simulation));
                        self.after.insert(target, value);
                    } else {
                        let (local, value) = self.new_value(target)?;
                        let member = self.relation(Op::Member, value, set, action.span);
                        self.choose(&witnesses, &gone, vec![local], member, action.span, around)?;
                    }
                }
                Change::Such(predicate) => {
                    self.becomes_such((&witnesses, &gone), *predicate, action.span, around)?
                }
            }
        }
        let span = self.event(at).span;
        if self.event(at).is_initialisation() {
            return self.unassigned(abstraction, around);
        }
        for variable in &self.world.machines[abstraction].variables {
            if !assigned.contains(variable) {
                self.unchanged(*variable, span, around)?;
            }
        }
        Some(())
    }

    fn becomes_such(
        &mut self,
        (witnesses, gone): (&[syntax::Labelled], &[DeclId]),
        predicate: lang_math::ExprId,
        span: Span,
        around: &mut Vec<Around>,
    ) -> Option<()> {
        let mut locals = Vec::new();
        let mut open = Vec::new();
        for target in gone {
            match self.witnessed(witnesses, *target) {
                Some(value) => {
                    let value = self.expr(value)?;
                    self.after.insert(*target, value);
                }
                None => {
                    locals.push(self.new_value(*target)?.0);
                    open.push(*target);
                }
            }
        }
        let predicate = self.expr(predicate)?;
        if locals.is_empty() {
            around.push(Around::Owes(predicate, Obligation::Simulation));
        } else {
            self.choose(witnesses, &open, locals, predicate, span, around)?;
        }
        Some(())
    }

    /// The value of a variable after the step.
    pub(super) fn current(&mut self, variable: DeclId, span: Span) -> Option<ExprId> {
        if let Some(after) = self.after.get(&variable) {
            return Some(*after);
        }
        let Some(Ref::Var(var)) = self.refs.get(&variable).copied() else {
            return None;
        };
        let ty = self.model.variables[var].ty;
        Some(self.push(Kind::Var(var), Some(ty), span))
    }

    /// The value that a witness `x' = E` gives to a variable that disappears.
    pub(super) fn witnessed(
        &self,
        witnesses: &[syntax::Labelled],
        variable: DeclId,
    ) -> Option<lang_math::ExprId> {
        let witness = self.witness(witnesses, variable)?;
        let after = self.world.primed(variable)?;
        self.solved(witness.formula, after)
    }

    pub(super) fn witness<'w>(
        &self,
        witnesses: &'w [syntax::Labelled],
        variable: DeclId,
    ) -> Option<&'w syntax::Labelled> {
        let name = self.world.decls[variable].name;
        witnesses
            .iter()
            .find(|witness| witness.label.as_str().strip_suffix('\'') == Some(name.as_str()))
    }

    /// Chooses what disappears as the refined action and the witnesses say.
    // Seven arguments: what disappears, what is said of it, and where it goes.
    pub(super) fn choose(
        &mut self,
        witnesses: &[syntax::Labelled],
        gone: &[DeclId],
        locals: Vec<LocalId>,
        predicate: ExprId,
        span: Span,
        around: &mut Vec<Around>,
    ) -> Option<()> {
        let mut parts = vec![predicate];
        for variable in gone {
            if let Some(witness) = self.witness(witnesses, *variable) {
                let formula = witness.formula;
                parts.push(self.expr(formula)?);
            }
        }
        let owed = match parts.len() {
            1 => Obligation::Simulation,
            _ => Obligation::Witness,
        };
        let predicate = self.all_of(parts, span);
        self.possible(&locals, predicate, owed, span, around);
        around.push(Around::Choose(locals, predicate));
        Some(())
    }
}

/// Whether two actions say the same.
pub(super) fn same_action(
    exprs: &lang_math::Exprs,
    one: &syntax::Action,
    other: &syntax::Action,
) -> bool {
    let targets = one.targets.len() == other.targets.len()
        && one
            .targets
            .iter()
            .zip(&other.targets)
            .all(|(one, other)| one.name == other.name);
    targets
        && match (&one.change, &other.change) {
            (Change::Assign(one), Change::Assign(other)) => one
                .iter()
                .zip(other)
                .all(|(one, other)| exprs.same(*one, exprs, *other)),
            (Change::Element(one), Change::Element(other))
            | (Change::Such(one), Change::Such(other)) => exprs.same(*one, exprs, *other),
            _ => false,
        }
}
