//! Builds a [`Compiled`]: code and shape of every action, label and the set-up.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use lang_math::Op;
use model::{ExprId, Kind, LocalId, Model, Stmt, VarId, Why};
use pins::{Group, Label, LabelKind, Shape, Slot, SlotSet};
use rustc_hash::FxHashMap;

use super::{Compiled, GroupCode, Index, Setups};
use crate::code::Compiler;
use crate::cx::{Program, shorten};
use crate::facts::merge;
use crate::permute::Permuting;
use crate::plan::Unknown;
use crate::planner::{Manner, Undefined};
use crate::rep::{Rep, Reps};
use crate::table::Table;
use crate::{Options, Unsupported, Wd};

/// Compiles a model.
///
/// # Errors
/// Constructs that have no compiled form. Host functions that are not known are no error here: evaluating one
/// is a fault of kind `Unsupported`.
pub fn compile(model: &Model, options: &Options) -> Result<Compiled, Vec<Unsupported>> {
    let program = program(model, options);
    let mut compiler = Compiler::new(model, &program);
    compiler.assigned_locals();
    let wd = options.wd;
    let constants: Vec<usize> = model
        .variables
        .iter()
        .filter(|(_, variable)| variable.is_constant)
        .map(|(id, _)| id.index())
        .collect();
    let unknowns: Vec<Unknown> = constants.iter().map(|slot| Unknown::Slot(*slot)).collect();
    let properties: Vec<ExprId> = model
        .properties
        .iter()
        .flat_map(|conjunct| compiler.chain(Op::And, conjunct.predicate))
        .collect();
    // A back end that was asked for by name gets every question it can take.
    let once = match options.solver {
        model_solve::Solver::Auto => compiler.patience.get(),
        _ => 0.0,
    };
    let often = compiler.patience.replace(once);
    let setup = compiler.plan_apart(
        &unknowns,
        &properties,
        Manner {
            undefined: if wd == Wd::Lenient {
                Undefined::Dropped
            } else {
                Undefined::Fault
            },
            chooses: true,
            relaxed: true,
            place: properties.first().map_or(0, |e| e.index() as u32),
        },
    );
    compiler.patience.set(often);
    let initialisation = compiler.statement(model.initialisation, wd);
    let mut shape = Shape {
        has_setup: model.has_setup,
        ..Shape::default()
    };
    for (_, variable) in model.variables.iter() {
        shape.slots.push(Slot {
            name: variable.name,
            is_constant: variable.is_constant,
        });
    }
    let is_recalling = are_first(&constants);
    if is_recalling {
        mark_parts(&compiler, model, options);
    }
    let mut groups = Vec::new();
    for action in &model.actions {
        compiler.is_watched.set(options.profile);
        let (code, group, guard_reads) = group(&compiler, model, action, wd, &constants);
        groups.push(code);
        shape.guard_reads.push(guard_reads);
        shape.groups.push(group);
    }
    let (mut labels, mut label_exprs) = (Vec::new(), Vec::new());
    for (kind, name, predicate, span) in label_predicates(model, options) {
        let fact = compiler.facts.of(predicate);
        shape.labels.push(Label {
            kind,
            name: name.as_str().into(),
            reads: slot_set(&compiler, &fact.vars, &constants),
            span: Some(span),
        });
        labels.push(compiler.predicate(predicate));
        label_exprs.push(predicate);
    }
    let index = Index::new(&groups);
    let guards = match options.guards {
        true => super::guards::describe(&compiler, options, &constants, &mut shape),
        false => Vec::new(),
    };
    Ok(Compiled {
        table: Table::new(),
        permuting: Permuting::default(),
        shape,
        wd,
        recalled_constants: if is_recalling { constants.len() } else { 0 },
        constants,
        setup,
        known: Setups::default(),
        initialisation,
        groups,
        labels,
        label_exprs,
        guards,
        index,
        program,
    })
}

/// Whether the constants stand before all variables.
fn are_first(constants: &[usize]) -> bool {
    constants.iter().copied().eq(0..constants.len())
}

pub(crate) fn program(model: &Model, options: &Options) -> Program {
    let mut details = FxHashMap::default();
    for (_, stmt) in model.stmts.iter() {
        if let Stmt::Assert(condition, Why::Precondition(name), _) = stmt {
            details.insert(condition.index() as u32, name.to_string());
        }
    }
    for (id, expr) in model.exprs.iter() {
        if let Kind::External(name, _) = &expr.kind {
            details.insert(id.index() as u32, name.to_string());
        }
    }
    Program {
        reps: Reps::new(&model.tys),
        min_int: model.min_int,
        cut: (model.min_int, model.max_int),
        max_int: model.max_int,
        strings: model
            .strings
            .iter()
            .map(|text| text.as_str().into())
            .collect(),
        slots: model
            .variables
            .iter()
            .map(|(_, variable)| variable.ty)
            .collect(),
        locals: model.locals.len(),
        tys: model.tys.clone(),
        spans: model.exprs.iter().map(|(_, expr)| expr.span).collect(),
        details,
        max_set: options.max_set,
        max_turns: options.max_turns,
        solver: options.solver,
        layers: Arc::default(),
    }
}

/// Marks what is worth remembering of labels, guards and bodies.
fn mark_parts(compiler: &Compiler<'_>, model: &Model, options: &Options) {
    let labels = label_predicates(model, options);
    for (_, _, predicate, _) in &labels {
        compiler.recall_text(*predicate);
    }
    for action in &model.actions {
        let guard = action.guard.iter();
        guard.for_each(|conjunct| compiler.recall_text(*conjunct));
        compiler.recall_texts_in(action.body);
    }
    for (_, _, predicate, _) in &labels {
        compiler.recall_whole(*predicate);
    }
    for action in &model.actions {
        let guard = action.guard.iter();
        guard.for_each(|conjunct| compiler.recall_parts(*conjunct));
        compiler.recall_in(action.body);
    }
}

pub(super) fn label_predicates(
    model: &Model,
    options: &Options,
) -> Vec<(LabelKind, String, ExprId, base::Span)> {
    let mut found = Vec::new();
    let mut add = |kind, prefix: &str, number: usize, conjunct: &model::Conjunct| {
        let name = match conjunct.label {
            Some(label) => label.to_string(),
            None => format!("{prefix}{number}"),
        };
        found.push((kind, name, conjunct.predicate, conjunct.span));
    };
    if options.invariants {
        for (i, conjunct) in model.invariants.iter().enumerate() {
            add(LabelKind::Invariant, "inv", i + 1, conjunct);
        }
    }
    if options.assertions {
        for (i, assertion) in model.assertions.iter().enumerate() {
            add(
                LabelKind::Assertion,
                "assertion",
                i + 1,
                &assertion.conjunct,
            );
        }
    }
    if let Some(goal) = options.goal {
        let span = model.exprs[goal].span;
        found.push((LabelKind::Goal, "goal".to_owned(), goal, span));
    }
    found
}

/// The slots of variables. A constant may be a function whose code reads other constants, so reading one
/// that need not be listed counts as reading all.
pub(super) fn slot_set(compiler: &Compiler<'_>, vars: &[VarId], constants: &[usize]) -> SlotSet {
    let model = compiler.model;
    let reps = &compiler.program.reps;
    let mut set = SlotSet::new();
    for var in vars {
        set.insert(var.index());
        for read in compiler.spaces.reads(*var) {
            set.insert(read.index());
        }
        let variable = &model.variables[*var];
        if variable.is_constant && !reps[variable.ty].finite {
            for slot in constants {
                set.insert(*slot);
            }
        }
    }
    set
}

fn group(
    compiler: &Compiler<'_>,
    model: &Model,
    action: &model::Action,
    wd: Wd,
    constants: &[usize],
) -> (GroupCode, Group, SlotSet) {
    let is_recalling = are_first(constants);
    let relaxed = wd != Wd::Strict;
    let mut fixed = Vec::new();
    let mut rest = Vec::new();
    let mut reads: Vec<VarId> = Vec::new();
    let mut pure = true;
    let mut partial = false;
    let guard: Vec<ExprId> = action
        .guard
        .iter()
        .flat_map(|conjunct| compiler.chain(Op::And, *conjunct))
        .collect();
    for conjunct in guard {
        let fact = compiler.facts.of(conjunct);
        merge(&mut reads, &fact.vars);
        pure &= fact.pure;
        match fixed_slot(compiler, conjunct) {
            Some(test) if relaxed || !partial => fixed.push(test),
            _ => rest.push(conjunct),
        }
        partial |= !fact.total;
    }
    let unknowns: Vec<Unknown> = action
        .parameters
        .iter()
        .map(|name| Unknown::Local(*name))
        .collect();
    let manner = Manner {
        undefined: Undefined::in_guards(wd),
        chooses: true,
        relaxed,
        place: rest.first().map_or(0, |e| e.index() as u32),
    };
    let is_watched = compiler.is_watched.get();
    let mut plan = compiler.plan(&unknowns, &rest, manner);
    let mut guard_reads = reads.clone();
    let solutions = is_recalling
        .then(|| compiler.recalled_solutions(&action.parameters, &rest, &plan))
        .flatten();
    if plan.unbounded {
        // What the body asks of the parameters first may bound them.
        let mut definitions = Vec::new();
        inner_guards(compiler, action.body, &mut definitions, &mut rest);
        compiler.is_watched.set(is_watched);
        plan = compiler.plan_with(&unknowns, &definitions, &rest, manner);
        merge(
            &mut guard_reads,
            &compiler.facts.statement(action.body).reads,
        );
    }
    let effects = compiler.facts.statement(action.body);
    merge(&mut reads, &effects.reads);
    let typed = |locals: &[LocalId]| {
        locals
            .iter()
            .map(|local| (*local, model.locals[*local].ty))
            .collect()
    };
    let code = GroupCode {
        parameters: typed(&action.parameters),
        results: typed(&action.results),
        fixed,
        solutions,
        watched: compiler.watched.take(),
        plan,
        body: compiler.statement(action.body, wd),
        assignments: match action.results.is_empty() {
            true => compiler.slot_assignments(action.body),
            false => None,
        },
        repeats: !effects.deterministic,
        blocked: AtomicU64::new(0),
    };
    let guard_reads = slot_set(compiler, &guard_reads, constants);
    let reads = slot_set(compiler, &reads, constants);
    let mut may_write = SlotSet::new();
    for var in &effects.may_write {
        may_write.insert(var.index());
    }
    let mut must_write = SlotSet::new();
    for var in &effects.must_write {
        if !reads.contains(var.index()) {
            must_write.insert(var.index());
        }
    }
    let group = Group {
        name: action.name,
        reads,
        may_write,
        must_write,
        is_pure: pure && effects.pure,
    };
    (code, group, guard_reads)
}

/// The guards that a body begins with, and the total definitions before them.
fn inner_guards(
    compiler: &Compiler<'_>,
    body: model::StmtId,
    definitions: &mut Vec<(Unknown, ExprId)>,
    guards: &mut Vec<ExprId>,
) {
    match &compiler.model.stmts[body] {
        Stmt::Let(local, value, inner) if compiler.facts.of(*value).total => {
            definitions.push((Unknown::Local(*local), *value));
            inner_guards(compiler, *inner, definitions, guards);
        }
        Stmt::Select(branches, None) => {
            if let [(guard, inner)] = branches.as_slice() {
                guards.extend(compiler.chain(Op::And, *guard));
                inner_guards(compiler, *inner, definitions, guards);
            }
        }
        _ => {}
    }
}

/// `variable = literal` as a slot and its word.
pub(super) fn fixed_slot(compiler: &Compiler<'_>, conjunct: ExprId) -> Option<(usize, u32)> {
    let Kind::Op(Op::Equal, args) = &compiler.model.exprs[conjunct].kind else {
        return None;
    };
    for (var, literal) in [(args[0], args[1]), (args[1], args[0])] {
        let Kind::Var(var_id) = &compiler.model.exprs[var].kind else {
            continue;
        };
        let info = &compiler.program.reps[compiler.ty(var)];
        let word = match info.rep {
            Rep::Word if info.is_direct() => compiler.literal_word(literal).map(|w| w as u32),
            Rep::Int => match compiler.int(literal).form {
                crate::code::Form::Literal(value) => shorten(value),
                _ => None,
            },
            _ => None,
        };
        if let Some(word) = word {
            return Some((var_id.index(), word));
        }
    }
    None
}
