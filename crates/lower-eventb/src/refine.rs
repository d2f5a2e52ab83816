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

use base::{Name, Span};
use lang_eventb::check::DeclId;
use lang_eventb::syntax::{self, Change, Status};
use lang_math::{Binder, ExprKind, Op};
use rustc_hash::{FxHashMap, FxHashSet};
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

    /// Gives the parameters of the refined event their values.
    fn parameters(&mut self, at: &At<'_>, next: &At<'_>, around: &mut Vec<Around>) -> Option<()> {
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
    fn namesakes(&self, at: &At<'_>, name: Name) -> Vec<DeclId> {
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
    fn possible(
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
    fn copied(&mut self, id: ExprId, copies: &FxHashMap<LocalId, LocalId>) -> ExprId {
        let expr = self.model.exprs[id].clone();
        let kind = match expr.kind {
            Kind::Local(local) => Kind::Local(copies.get(&local).copied().unwrap_or(local)),
            kind => base::deep::recurse(|| kind.map_children(|child| self.copied(child, copies))),
        };
        self.push(kind, expr.ty, expr.span)
    }

    /// What a parameter stands for.
    fn value_of(&mut self, parameter: DeclId, span: Span) -> Option<ExprId> {
        if let Some(now) = self.now.get(&parameter) {
            return Some(*now);
        }
        let local = *self.locals.get(&parameter)?;
        let ty = self.model.locals[local].ty;
        Some(self.push(Kind::Local(local), Some(ty), span))
    }

    /// `E` of a witness `p = E` that does not mention `p` again.
    fn solved(&self, witness: lang_math::ExprId, decl: DeclId) -> Option<lang_math::ExprId> {
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

    /// What the refined event changes.
    fn actions(&mut self, at: &At<'_>, next: &At<'_>, around: &mut Vec<Around>) -> Option<()> {
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
                    let mut locals = Vec::new();
                    let mut open = Vec::new();
                    for target in &gone {
                        match self.witnessed(&witnesses, *target) {
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
                    let predicate = self.expr(*predicate)?;
                    if locals.is_empty() {
                        around.push(Around::Owes(predicate, Obligation::Simulation));
                    } else {
                        self.choose(&witnesses, &open, locals, predicate, action.span, around)?;
                    }
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

    /// The value of a variable after the step.
    fn current(&mut self, variable: DeclId, span: Span) -> Option<ExprId> {
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
    fn witnessed(
        &self,
        witnesses: &[syntax::Labelled],
        variable: DeclId,
    ) -> Option<lang_math::ExprId> {
        let witness = self.witness(witnesses, variable)?;
        let after = self.world.primed(variable)?;
        self.solved(witness.formula, after)
    }

    fn witness<'w>(
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
    fn choose(
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

/// Whether two actions say the same.
fn same_action(exprs: &lang_math::Exprs, one: &syntax::Action, other: &syntax::Action) -> bool {
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
