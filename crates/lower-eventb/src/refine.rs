//! What a step of the chosen machine does, and what it owes to the machines it refines.
//!
//! Rules: `eventb` section 5. The actions of the chosen machine give the values after the step. Then level by level
//! upwards: parameters of the refined event get the value of the parameter of the same name, else one that
//! satisfies the witness; the guards of the refined event must hold; what both machines know must become what the
//! refined event can make of it; what only the refined machine knows is changed by the refined event, as the
//! witness says. An event that refines nothing must leave what the refined machines know.
//! Technique: values after the step are expressions over the state before it and the locals of choices, so a level
//! can be compared with the next one without a state in between. What is written the same at both levels needs
//! no comparison; that covers extended events.
//! Invariant: a step that fails a comparison gives no transition, with or without a finding.

mod actions;
mod parameters;

use base::{Name, Span};
use lang_eventb::check::DeclId;
use lang_eventb::syntax::{self, Change, Status};
use lang_math::{Binder, Op};
use rustc_hash::FxHashSet;
use smallvec::smallvec;

use super::{Lower, Ref};
use model::ty::Ty;
use model::{ExprId, Kind, LocalId, Obligation, Stmt, StmtId, Target, Why};

/// What happens around the rest of a step.
enum Around {
    /// Choose values.
    Choose(Vec<LocalId>, ExprId),
    /// A comparison between levels.
    Owes(ExprId, Obligation),
}

/// The event of one level whose step is being compared upwards.
struct At<'l> {
    /// The machines that run, the chosen one first.
    chain: &'l [usize],
    /// The position of the level in the chain.
    level: usize,
    /// The position of the event in its machine.
    event: usize,
}

impl Lower<'_> {
    /// The statement of an event of the chosen machine.
    pub(super) fn body(&mut self, event: usize) -> Option<StmtId> {
        let chain = self.chain();
        self.after.clear();
        self.now.clear();
        let mut around = Vec::new();
        let at = At {
            chain: &chain,
            level: 0,
            event,
        };
        self.theorems(&at, &mut around)?;
        self.own_actions(&at, &mut around)?;
        self.variant(&at, &mut around)?;
        let rest = self.above(&at)?;
        Some(self.wrap(around, rest))
    }

    /// Theorems among the guards of the chosen machine's event.
    fn theorems(&mut self, at: &At<'_>, around: &mut Vec<Around>) -> Option<()> {
        if !self.levels.theorems || !self.levels.findings {
            return Some(());
        }
        let guards = self.event(at).guards.clone();
        for guard in guards.iter().filter(|guard| guard.is_theorem) {
            let condition = self.expr(guard.formula)?;
            around.push(Around::Owes(condition, Obligation::Theorem));
        }
        Some(())
    }

    /// The statement that starts the chosen machine.
    pub(super) fn initialisation(&mut self) {
        let chain = self.chain();
        let Some(machine) = chain.first() else { return };
        let position = self.checked.project.machines[*machine]
            .events
            .iter()
            .position(syntax::Event::is_initialisation);
        self.after.clear();
        let mut around = Vec::new();
        let started = match position {
            Some(event) => {
                let at = At {
                    chain: &chain,
                    level: 0,
                    event,
                };
                self.own_actions(&at, &mut around)
                    .and_then(|()| self.unassigned(*machine, &mut around))
                    .and_then(|()| self.above(&at))
            }
            None => self
                .unassigned(*machine, &mut around)
                .and_then(|()| self.changes()),
        };
        if let Some(rest) = started {
            self.model.initialisation = self.wrap(around, rest);
        }
    }

    /// Variables that the initialisation does not mention start with any value of their type.
    fn unassigned(&mut self, machine: usize, around: &mut Vec<Around>) -> Option<()> {
        for variable in &self.world.machines[machine].variables {
            if !self.after.contains_key(variable) {
                let span = self.world.decls[*variable].span;
                let (local, value) = self.new_value(*variable)?;
                let ty = self.model.locals[local].ty;
                let set = self.carrier(ty, span)?;
                let predicate = self.relation(Op::Member, value, set, span);
                around.push(Around::Choose(vec![local], predicate));
            }
        }
        Some(())
    }

    fn event(&self, at: &At<'_>) -> &syntax::Event {
        &self.checked.project.machines[at.chain[at.level]].events[at.event]
    }

    /// Puts what happens around a statement around it.
    fn wrap(&mut self, around: Vec<Around>, mut body: StmtId) -> StmtId {
        for part in around.into_iter().rev() {
            let stmt = match part {
                Around::Choose(names, predicate) => Stmt::Any {
                    names,
                    predicate,
                    body,
                },
                Around::Owes(condition, owed) if self.levels.findings => {
                    Stmt::Assert(condition, Why::Refinement(owed), body)
                }
                Around::Owes(condition, _) => Stmt::Select(vec![(condition, body)], None),
            };
            body = self.stmt(stmt);
        }
        body
    }

    /// The final assignment.
    fn changes(&mut self) -> Option<StmtId> {
        let mut changes: Vec<(Target, ExprId)> = Vec::new();
        for (decl, value) in &self.after {
            if let Some(Ref::Var(var)) = self.refs.get(decl) {
                changes.push((Target::Var(*var), *value));
            }
        }
        changes.sort_by_key(|(target, _)| match target {
            Target::Var(var) => var.index(),
            Target::Local(local) => local.index(),
        });
        Some(match changes.is_empty() {
            true => self.stmt(Stmt::Skip),
            false => self.stmt(Stmt::Assign(changes)),
        })
    }

    /// A new local for the value of a variable after the step.
    fn new_value(&mut self, variable: DeclId) -> Option<(LocalId, ExprId)> {
        let declared = &self.world.decls[variable];
        let (name, span) = (Name::new(&format!("{}'", declared.name)), declared.span);
        let Some(ty) = self.ty(declared.ty) else {
            self.unsupported(span, format!("the type of `{}`", declared.name));
            return None;
        };
        let local = self.model.locals.push(model::Local { name, ty, span });
        let value = self.push(Kind::Local(local), Some(ty), span);
        self.after.insert(variable, value);
        Some((local, value))
    }

    fn relation(&mut self, op: Op, left: ExprId, right: ExprId, span: Span) -> ExprId {
        self.push(Kind::Op(op, smallvec![left, right]), None, span)
    }

    fn all_of(&mut self, parts: Vec<ExprId>, span: Span) -> ExprId {
        let mut parts = parts.into_iter();
        let first = match parts.next() {
            Some(first) => first,
            None => self.push(Kind::Op(Op::Truth, smallvec![]), None, span),
        };
        parts.fold(first, |left, right| {
            self.relation(Op::And, left, right, span)
        })
    }

    /// The actions of the chosen machine.
    fn own_actions(&mut self, at: &At<'_>, around: &mut Vec<Around>) -> Option<()> {
        let machine = at.chain[at.level];
        let actions = self.event(at).actions.clone();
        let targets = self.world.machines[machine].events[at.event]
            .targets
            .clone();
        for (action, targets) in actions.iter().zip(&targets) {
            match &action.change {
                Change::Assign(exprs) => {
                    for (target, value) in targets.iter().zip(exprs) {
                        let value = self.expr(*value)?;
                        self.after.insert(*target, value);
                    }
                }
                Change::Element(set) => {
                    let set = self.expr(*set)?;
                    let (local, value) = self.new_value(targets.first().copied()?)?;
                    let predicate = self.relation(Op::Member, value, set, action.span);
                    around.push(Around::Choose(vec![local], predicate));
                }
                Change::Such(predicate) => {
                    let mut locals = Vec::new();
                    for target in targets {
                        locals.push(self.new_value(*target)?.0);
                    }
                    let predicate = self.expr(*predicate)?;
                    around.push(Around::Choose(locals, predicate));
                }
            }
        }
        Some(())
    }

    /// What the levels above a level demand of the step, and its changes.
    fn above(&mut self, at: &At<'_>) -> Option<StmtId> {
        base::deep::recurse(|| self.above_here(at))
    }

    fn above_here(&mut self, at: &At<'_>) -> Option<StmtId> {
        let Some(_) = at.chain.get(at.level + 1) else {
            return self.changes();
        };
        let machine = at.chain[at.level];
        let refined = self.world.machines[machine].events[at.event]
            .refines
            .clone();
        match refined.as_slice() {
            [] => self.refines_nothing(at),
            [one] => {
                let mut around = Vec::new();
                let next = At {
                    chain: at.chain,
                    level: at.level + 1,
                    event: *one,
                };
                self.parameters(at, &next, &mut around)?;
                self.guards(at, &next, &mut around)?;
                self.actions(at, &next, &mut around)?;
                self.variant(&next, &mut around)?;
                let rest = self.above(&next)?;
                Some(self.wrap(around, rest))
            }
            many => self.merged(at, many),
        }
    }

    /// An event that refines nothing leaves all that the machines above know.
    fn refines_nothing(&mut self, at: &At<'_>) -> Option<StmtId> {
        let mut around = Vec::new();
        if self.event(at).is_initialisation() {
            for machine in &at.chain[at.level + 1..] {
                self.unassigned(*machine, &mut around)?;
            }
        } else {
            let mut seen = FxHashSet::default();
            for machine in &at.chain[at.level + 1..] {
                for variable in &self.world.machines[*machine].variables {
                    if seen.insert(*variable) {
                        self.unchanged(*variable, self.event(at).span, &mut around)?;
                    }
                }
            }
        }
        let rest = self.changes()?;
        Some(self.wrap(around, rest))
    }

    /// A variable that the step changes must have the same value afterwards.
    fn unchanged(&mut self, variable: DeclId, span: Span, around: &mut Vec<Around>) -> Option<()> {
        if let Some(after) = self.after.get(&variable).copied() {
            let Some(Ref::Var(var)) = self.refs.get(&variable).copied() else {
                return None;
            };
            if !matches!(self.model.exprs[after].kind, Kind::Var(same) if same == var) {
                let ty = self.model.variables[var].ty;
                let before = self.push(Kind::Var(var), Some(ty), span);
                let same = self.relation(Op::Equal, after, before, span);
                around.push(Around::Owes(same, Obligation::Simulation));
            }
        }
        Some(())
    }

    /// The guards of the refined event hold.
    fn guards(&mut self, at: &At<'_>, next: &At<'_>, around: &mut Vec<Around>) -> Option<()> {
        let exprs = &self.checked.project.exprs;
        let known: Vec<lang_math::ExprId> = self
            .event(at)
            .guards
            .iter()
            .filter(|guard| !guard.is_theorem)
            .flat_map(|guard| exprs.conjuncts(guard.formula))
            .collect();
        let refined = self.event(next).guards.clone();
        for guard in refined.iter().filter(|guard| !guard.is_theorem) {
            for part in exprs.conjuncts(guard.formula) {
                if !known.iter().any(|known| exprs.same(*known, exprs, part)) {
                    let condition = self.expr(part)?;
                    around.push(Around::Owes(condition, Obligation::Guard));
                }
            }
        }
        Some(())
    }

    /// One of the merged events happens above.
    fn merged(&mut self, at: &At<'_>, events: &[usize]) -> Option<StmtId> {
        let span = self.event(at).span;
        let (after, now) = (self.after.clone(), self.now.clone());
        let mut branches = Vec::new();
        for event in events {
            self.after.clone_from(&after);
            self.now.clone_from(&now);
            let next = At {
                chain: at.chain,
                level: at.level + 1,
                event: *event,
            };
            let mut chosen = Vec::new();
            self.parameters(at, &next, &mut chosen)?;
            let mut guards = Vec::new();
            self.guards(at, &next, &mut guards)?;
            let mut conditions = Vec::new();
            for part in guards {
                if let Around::Owes(condition, _) = part {
                    conditions.push(condition);
                }
            }
            let mut names = Vec::new();
            for part in chosen {
                if let Around::Choose(locals, predicate) = part {
                    names.extend(locals);
                    conditions.insert(0, predicate);
                }
            }
            let condition = self.all_of(conditions, span);
            let mut around = Vec::new();
            let guard = if names.is_empty() {
                condition
            } else {
                around.push(Around::Choose(names.clone(), condition));
                let exists = Kind::Bind {
                    binder: Binder::Exists,
                    names,
                    predicate: condition,
                    value: None,
                    symbolic: false,
                };
                self.push(exists, None, span)
            };
            self.actions(at, &next, &mut around)?;
            self.variant(&next, &mut around)?;
            let rest = self.above(&next)?;
            branches.push((guard, self.wrap(around, rest)));
        }
        let otherwise = self.levels.findings.then(|| {
            let never = self.push(Kind::Op(Op::Falsity, smallvec![]), None, span);
            let skip = self.stmt(Stmt::Skip);
            let why = Why::Refinement(Obligation::Merge);
            self.stmt(Stmt::Assert(never, why, skip))
        });
        Some(self.stmt(Stmt::Select(branches, otherwise)))
    }

    /// A convergent event makes the variant smaller, an anticipated one not larger.
    fn variant(&mut self, at: &At<'_>, around: &mut Vec<Around>) -> Option<()> {
        let event = self.event(at);
        let (status, is_start) = (event.status, event.is_initialisation());
        if !self.levels.variants || status == Status::Ordinary || is_start {
            return Some(());
        }
        let variants = self.checked.project.machines[at.chain[at.level]]
            .variants
            .clone();
        for variant in variants {
            let before = self.expr(variant.formula)?;
            let now = self.now.clone();
            self.now.extend(self.after.iter().map(|(k, v)| (*k, *v)));
            let after = self.expr(variant.formula);
            self.now = now;
            let after = after?;
            let is_set = self.model.exprs[before]
                .ty
                .is_some_and(|ty| matches!(self.model.tys[ty], Ty::Pow(_)));
            let span = variant.span;
            let strict = status == Status::Convergent;
            let condition = if is_set {
                let finite = self.push(Kind::Op(Op::Finite, smallvec![before]), None, span);
                let op = if strict { Op::StrictSubset } else { Op::Subset };
                let smaller = self.relation(op, after, before, span);
                self.relation(Op::And, finite, smaller, span)
            } else {
                let ty = self.model.exprs[before].ty;
                let zero = self.push(Kind::Int(0.into()), ty, span);
                let natural = self.relation(Op::LessEqual, zero, before, span);
                let op = if strict { Op::Less } else { Op::LessEqual };
                let smaller = self.relation(op, after, before, span);
                self.relation(Op::And, natural, smaller, span)
            };
            around.push(Around::Owes(condition, Obligation::Variant));
        }
        Some(())
    }
}
