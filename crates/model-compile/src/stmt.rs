//! Runs statements: every outcome is a list of pending writes, given to a continuation.
//!
//! Technique: continuation passing over one write buffer. Parallel parts all read the state before; a
//! sequence lets its later parts read what the earlier ones wrote, and shows its own continuation the old
//! state again.
//! Invariant: after a statement has run, with whatever result, state, frame and write buffer are as before.

use model::{LocalId, Stmt, StmtId, Target, Why};

use crate::Wd;
use crate::code::Compiler;
use crate::cx::{Cx, F, K, LOCAL, Old, R};
use crate::plan::{Plan, Unknown};
use crate::planner::{Manner, Undefined};
use crate::simulate::Simulate;
use crate::trap::{Cause, Trap};
use crate::value::V;

/// A compiled statement.
pub(crate) enum Code {
    Skip,
    Assign(Vec<(u32, F<V>)>),
    Any(Plan, Box<Code>),
    Let(LocalId, F<V>, Box<Code>),
    Var(Vec<LocalId>, Box<Code>),
    Select(Vec<(F<bool>, Code)>, Option<Box<Code>>),
    If(Vec<(F<bool>, Code)>, Box<Code>),
    Choice(Vec<Code>),
    Sequence(Vec<Code>),
    Parallel(Vec<Code>),
    Assert(F<bool>, Trap, Box<Code>),
    Simulate(Box<Simulate>),
    While(Box<While>),
    /// Values that are evaluated for their definedness only.
    Evaluate(Vec<F<V>>),
}

pub(crate) struct While {
    condition: F<bool>,
    body: Code,
    invariant: F<bool>,
    invariant_at: u32,
    variant: F<V>,
    variant_at: u32,
}

/// A change of what code reads, and how to take it back.
enum Change {
    Slot(usize, Old),
    Local(usize, V),
}

impl Compiler<'_> {
    pub(crate) fn statement(&self, stmt: StmtId, wd: Wd) -> Code {
        base::deep::recurse(|| self.statement_of(stmt, wd))
    }

    fn statement_of(&self, stmt: StmtId, wd: Wd) -> Code {
        let body = |stmt: &StmtId| Box::new(self.statement(*stmt, wd));
        let all = |parts: &[StmtId]| parts.iter().map(|part| self.statement(*part, wd)).collect();
        match &self.model.stmts[stmt] {
            Stmt::Skip => Code::Skip,
            Stmt::Assign(pairs) => Code::Assign(
                pairs
                    .iter()
                    .map(|(target, value)| (target_of(*target), self.value(*value)))
                    .collect(),
            ),
            Stmt::Any {
                names,
                predicate,
                body: inner,
            } => {
                let unknowns: Vec<Unknown> =
                    names.iter().map(|name| Unknown::Local(*name)).collect();
                let conjuncts = self.chain(lang_math::Op::And, *predicate);
                let manner = Manner {
                    undefined: Undefined::in_guards(wd),
                    chooses: true,
                    relaxed: wd != Wd::Strict,
                    place: predicate.index() as u32,
                };
                Code::Any(self.plan(&unknowns, &conjuncts, manner), body(inner))
            }
            Stmt::Let(local, value, inner) => Code::Let(*local, self.value(*value), body(inner)),
            Stmt::Var(locals, inner) => Code::Var(locals.clone(), body(inner)),
            Stmt::Select(branches, otherwise) => {
                Code::Select(self.branches(branches, wd), otherwise.as_ref().map(body))
            }
            Stmt::If(branches, otherwise) => Code::If(self.branches(branches, wd), body(otherwise)),
            Stmt::Choice(parts) => Code::Choice(all(parts)),
            Stmt::Sequence(parts) => Code::Sequence(all(parts)),
            Stmt::Parallel(parts) => {
                let parts: Vec<Code> = all(parts);
                merge_assignments(parts)
            }
            Stmt::Assert(condition, why, inner) => {
                let cause = match why {
                    Why::Precondition(_) => Cause::Precondition,
                    Why::Assert => Cause::Assert,
                    Why::Refinement(owed) => Cause::Refinement(*owed),
                };
                Code::Assert(
                    self.predicate(*condition),
                    cause.trap().at(condition.index() as u32),
                    body(inner),
                )
            }
            Stmt::Simulate(step) => Code::Simulate(Box::new(self.simulation(step, wd))),
            Stmt::While {
                condition,
                body,
                invariant,
                variant,
                ..
            } => Code::While(Box::new(While {
                condition: self.predicate(*condition),
                body: self.statement(*body, wd),
                invariant: self.predicate(*invariant),
                invariant_at: invariant.index() as u32,
                variant: self.value(*variant),
                variant_at: variant.index() as u32,
            })),
            Stmt::External(_, args) => {
                Code::Evaluate(args.iter().map(|arg| self.value(*arg)).collect())
            }
        }
    }

    fn branches(&self, branches: &[(model::ExprId, StmtId)], wd: Wd) -> Vec<(F<bool>, Code)> {
        branches
            .iter()
            .map(|(guard, body)| (self.predicate(*guard), self.statement(*body, wd)))
            .collect()
    }

    /// The locals that have no value until a statement assigns one.
    pub(crate) fn assigned_locals(&mut self) {
        for (_, stmt) in self.model.stmts.iter() {
            if let Stmt::Var(locals, _) = stmt {
                self.assigned.extend(locals.iter().copied());
            }
        }
        for action in &self.model.actions {
            self.assigned.extend(action.results.iter().copied());
        }
    }
}

/// Assignments side by side are one assignment.
fn merge_assignments(parts: Vec<Code>) -> Code {
    let mut merged: Vec<(u32, F<V>)> = Vec::new();
    let mut rest = Vec::new();
    for part in parts {
        match part {
            Code::Skip => {}
            // Only a prefix of assignments keeps the order in which things are evaluated.
            Code::Assign(pairs) if rest.is_empty() => merged.extend(pairs),
            other => rest.push(other),
        }
    }
    match (merged.is_empty(), rest.len()) {
        (true, 0) => Code::Skip,
        (false, 0) => Code::Assign(merged),
        (true, 1) => rest.remove(0),
        _ => {
            if !merged.is_empty() {
                rest.insert(0, Code::Assign(merged));
            }
            Code::Parallel(rest)
        }
    }
}

fn target_of(target: Target) -> u32 {
    match target {
        Target::Var(var) => var.index() as u32,
        Target::Local(local) => local.index() as u32 | LOCAL,
    }
}

impl Code {
    /// Gives every outcome to `k`: the writes added to the buffer since this call.
    pub(crate) fn run(&self, cx: &mut Cx<'_>, wd: Wd, k: K<'_>) -> R<()> {
        match self {
            Code::Skip => k(cx),
            Code::Assign(pairs) => {
                let mark = cx.writes.len();
                for (target, value) in pairs {
                    let value = value(cx).and_then(|value| cx.canonical(value));
                    match value {
                        Ok(value) => cx.writes.push((*target, value)),
                        Err(trap) => {
                            cx.writes.truncate(mark);
                            return Err(trap);
                        }
                    }
                }
                let result = k(cx);
                cx.writes.truncate(mark);
                result
            }
            Code::Any(plan, body) => plan.run(cx, &mut |cx| {
                let result = body.run(cx, wd, k);
                forgive(cx, wd, result)
            }),
            Code::Let(local, value, body) => {
                let value = value(cx)?;
                let old = std::mem::replace(&mut cx.frame[local.index()], value);
                let result = body.run(cx, wd, k);
                cx.frame[local.index()] = old;
                result
            }
            Code::Var(locals, body) => {
                let old: Vec<V> = locals
                    .iter()
                    .map(|local| std::mem::replace(&mut cx.frame[local.index()], V::None))
                    .collect();
                let result = body.run(cx, wd, k);
                for (local, old) in locals.iter().zip(old) {
                    cx.frame[local.index()] = old;
                }
                result
            }
            Code::Select(branches, otherwise) => {
                let mut none = true;
                for (guard, body) in branches {
                    match guard(cx) {
                        Ok(true) => {
                            none = false;
                            let result = body.run(cx, wd, k);
                            forgive(cx, wd, result)?;
                        }
                        Ok(false) => {}
                        Err(trap) if trap.is_undefined() && wd != Wd::Strict => {
                            none = false;
                            cx.note_undefined(trap);
                        }
                        Err(trap) if trap.is_unknown() => {
                            none = false;
                            cx.incomplete(trap);
                        }
                        Err(trap) => return Err(trap),
                    }
                }
                match otherwise {
                    Some(body) if none => body.run(cx, wd, k),
                    _ => Ok(()),
                }
            }
            Code::If(branches, otherwise) => {
                for (condition, body) in branches {
                    if condition(cx)? {
                        return body.run(cx, wd, k);
                    }
                }
                otherwise.run(cx, wd, k)
            }
            Code::Choice(parts) => {
                for part in parts {
                    let result = part.run(cx, wd, k);
                    forgive(cx, wd, result)?;
                }
                Ok(())
            }
            Code::Sequence(parts) => sequence(parts, cx, wd, k),
            Code::Parallel(parts) => parallel(parts, cx, wd, k),
            Code::Assert(condition, trap, body) => {
                if condition(cx)? {
                    body.run(cx, wd, k)
                } else {
                    Err(*trap)
                }
            }
            Code::Simulate(code) => code.run(cx, wd, k),
            Code::While(code) => {
                let mut done = Vec::new();
                let mut changes = Vec::new();
                let result = code.turns(cx, wd, &mut done, &mut changes, None, 0, k);
                take_back(cx, &mut changes);
                result
            }
            Code::Evaluate(values) => {
                for value in values {
                    value(cx)?;
                }
                k(cx)
            }
        }
    }
}

/// Drops a branch that faulted, where the user asked for that. A step that is none of the refined machine is
/// dropped always, and remembered for the end of the enumeration; so is what is unknown, and any fault when the others
/// are wanted.
pub(crate) fn forgive(cx: &mut Cx<'_>, wd: Wd, result: R<()>) -> R<()> {
    match result {
        Err(trap @ Trap::Fault { cause, .. })
            if is_fault_of_model(cause) && (wd == Wd::Lenient || cx.past_faults) =>
        {
            match wd {
                Wd::Lenient => cx.note_dropped(trap),
                Wd::Default | Wd::Strict => _ = cx.passed.get_or_insert(trap),
            }
            Ok(())
        }
        Err(trap @ Trap::Fault { cause, .. }) if cause.kind() == pins::FaultKind::Refinement => {
            cx.passed.get_or_insert(trap);
            Ok(())
        }
        Err(trap) if trap.is_unknown() => {
            cx.incomplete(trap);
            Ok(())
        }
        other => other,
    }
}

fn is_fault_of_model(cause: Cause) -> bool {
    matches!(
        cause.kind(),
        pins::FaultKind::Undefined | pins::FaultKind::Violated
    )
}

fn parallel(parts: &[Code], cx: &mut Cx<'_>, wd: Wd, k: K<'_>) -> R<()> {
    match parts {
        [] => k(cx),
        [last] => last.run(cx, wd, k),
        [first, rest @ ..] => first.run(cx, wd, &mut |cx| parallel(rest, cx, wd, k)),
    }
}

fn sequence(parts: &[Code], cx: &mut Cx<'_>, wd: Wd, k: K<'_>) -> R<()> {
    match parts {
        [] => k(cx),
        [last] => last.run(cx, wd, k),
        [first, rest @ ..] => followed(first, cx, wd, k, &mut |cx, k| sequence(rest, cx, wd, k)),
    }
}

/// Runs code, and for each of its outcomes the rest, which reads what the code wrote.
pub(crate) fn followed(
    first: &Code,
    cx: &mut Cx<'_>,
    wd: Wd,
    k: K<'_>,
    rest: &mut dyn FnMut(&mut Cx<'_>, K<'_>) -> R<()>,
) -> R<()> {
    let mark = cx.writes.len();
    first.run(cx, wd, &mut |cx| {
        let mut changes = Vec::new();
        let new = cx.writes[mark..].to_vec();
        apply(cx, &new, &mut changes);
        let result = base::deep::recurse(|| {
            rest(cx, &mut |cx| {
                toggle(cx, &mut changes, true);
                let result = k(cx);
                toggle(cx, &mut changes, false);
                result
            })
        });
        take_back(cx, &mut changes);
        result
    })
}

/// Lets code read the values of writes.
fn apply(cx: &mut Cx<'_>, writes: &[(u32, V)], changes: &mut Vec<Change>) {
    for (target, value) in writes {
        let change = if target & LOCAL == 0 {
            let slot = *target as usize;
            Change::Slot(slot, cx.set_slot(slot, value.clone()))
        } else {
            let local = (target & !LOCAL) as usize;
            Change::Local(
                local,
                std::mem::replace(&mut cx.frame[local], value.clone()),
            )
        };
        changes.push(change);
    }
}

/// Exchanges what code reads with what changes remember: all changes back, or all forth again.
fn toggle(cx: &mut Cx<'_>, changes: &mut [Change], back: bool) {
    let mut one = |change: &mut Change| match change {
        Change::Slot(slot, old) => {
            let held = std::mem::take(old);
            *old = cx.restore_slot(*slot, held);
        }
        Change::Local(local, old) => std::mem::swap(&mut cx.frame[*local], old),
    };
    if back {
        changes.iter_mut().rev().for_each(&mut one);
    } else {
        changes.iter_mut().for_each(&mut one);
    }
}

/// Takes back all changes.
fn take_back(cx: &mut Cx<'_>, changes: &mut Vec<Change>) {
    toggle(cx, changes, true);
    changes.clear();
}

impl While {
    /// The turns from here on; `done` are the writes of the earlier ones, `changes` lets code read them.
    #[allow(clippy::too_many_arguments)]
    fn turns(
        &self,
        cx: &mut Cx<'_>,
        wd: Wd,
        done: &mut Vec<(u32, V)>,
        changes: &mut Vec<Change>,
        mut before: Option<V>,
        mut turn: u64,
        k: K<'_>,
    ) -> R<()> {
        loop {
            cx.go_on()?;
            if !(self.invariant)(cx)? {
                return Err(Cause::LoopInvariant.trap().at(self.invariant_at));
            }
            if !(self.condition)(cx)? {
                toggle(cx, changes, true);
                let mark = cx.writes.len();
                cx.writes.extend(done.iter().cloned());
                let result = k(cx);
                cx.writes.truncate(mark);
                toggle(cx, changes, false);
                return result;
            }
            let variant = (self.variant)(cx)?;
            let decreases = before
                .as_ref()
                .is_none_or(|before| variant.cmp_number(before).is_lt());
            if !decreases || variant.cmp_number(&V::Int(0)).is_lt() {
                return Err(Cause::Variant.trap().at(self.variant_at));
            }
            before = Some(variant);
            turn += 1;
            if turn > cx.program.max_turns {
                return Err(Cause::LoopTooLong.trap().at(self.variant_at));
            }
            let mark = cx.writes.len();
            let mut outcomes: Vec<Vec<(u32, V)>> = Vec::new();
            self.body.run(cx, wd, &mut |cx| {
                outcomes.push(cx.writes[mark..].to_vec());
                Ok(())
            })?;
            match outcomes.len() {
                0 => return Ok(()),
                1 => {
                    let writes = outcomes.remove(0);
                    remember(done, &writes);
                    apply(cx, &writes, changes);
                    if changes.len() > 64 {
                        compact(changes);
                    }
                }
                _ => {
                    for writes in outcomes {
                        let mut further = done.clone();
                        remember(&mut further, &writes);
                        let mut inner = Vec::new();
                        apply(cx, &writes, &mut inner);
                        let result = base::deep::recurse(|| {
                            let (before, inner) = (before.clone(), &mut inner);
                            self.turns(cx, wd, &mut further, inner, before, turn, &mut |cx| {
                                toggle(cx, changes, true);
                                let result = k(cx);
                                toggle(cx, changes, false);
                                result
                            })
                        });
                        take_back(cx, &mut inner);
                        forgive(cx, wd, result)?;
                    }
                    return Ok(());
                }
            }
        }
    }
}

/// Adds writes to those done; the later one of a target wins.
fn remember(done: &mut Vec<(u32, V)>, writes: &[(u32, V)]) {
    for (target, value) in writes {
        match done.iter_mut().find(|(known, _)| known == target) {
            Some((_, old)) => *old = value.clone(),
            None => done.push((*target, value.clone())),
        }
    }
}

/// Keeps only the first change of every place: it remembers what stood there before all of them.
fn compact(changes: &mut Vec<Change>) {
    let mut seen = rustc_hash::FxHashSet::default();
    changes.retain(|change| {
        seen.insert(match change {
            Change::Slot(slot, _) => *slot as u32,
            Change::Local(local, _) => *local as u32 | LOCAL,
        })
    });
}

/// The value that the writes of an outcome give a local.
pub(crate) fn written(cx: &Cx<'_>, local: LocalId) -> V {
    let target = local.index() as u32 | LOCAL;
    cx.writes
        .iter()
        .rev()
        .find(|(written, _)| *written == target)
        .map_or(V::None, |(_, value)| value.clone())
}
