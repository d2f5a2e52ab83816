//! Where nobody looks at the numbers of processes, the death of one can come first.
//!
//! `run` gives the first free number, so who died before decides which number a new process gets, and by its slots a death
//! depends on every creation. Where a program cannot tell numbers apart, two states are the same to it if one is
//! the other with other numbers, without processes at their end. Let the youngest process be at its end in `s` and dead in `t`.
//! Whatever happens from `s` happens from `t`, with other numbers: nobody waits for a process at its end, asks for it, or holds
//! a channel that dies with it, and it may rest there for ever, so that a deadlock is one without it, too. What happens from `t`
//! happens from `s` after the death. So a set with the death alone keeps all findings (`Shape::eager`).
//! For the same reason a creation can come before or after a death or the creation of somebody else, if they have nothing else in
//! common (`Shape::alike`): only numbers differ.
//! One finding would be lost: more processes or channels than there are numbers for, since one at its end still has its number.
//! That is asked beforehand: by the text, where no creation can be repeated, or by a trial that saw all states.
//! Invariant: channels of a process are known to it and to younger ones only, which must be dead when it dies.

use pins::{GroupId, LabelKind, Shape};
use program::{
    Act, EdgeId, Expr, ExprId, Graph, Kind, LocationId, Pattern, ProctypeId, Program, Root,
    StmtKind, Ty,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::groups::{Groups, both};
use super::labels::Question;
use super::layout::Layout;
use super::size::Size;
use super::system::Asking;

/// Adds to a shape what follows where numbers do not matter, when these labels are asked for.
pub(super) fn add(
    shape: &mut Shape,
    (program, layout, size): (&Program, &Layout, &Size),
    groups: &Groups,
    labels: &[Asking],
) {
    if !are_free(program, size, labels) {
        return;
    }
    let starts = groups.starts.iter().enumerate();
    let deaths = starts.filter(|(_, start)| start.is_death(program));
    shape.eager = deaths.map(|(at, _)| GroupId::new(at)).collect();
    if !creates_channels(program) {
        shape.alike = alike(program, layout, groups);
    }
}

/// Creations with deaths and with creations by others that they have nothing else in common with.
fn alike(program: &Program, layout: &Layout, groups: &Groups) -> Vec<(GroupId, GroupId)> {
    let creations = || {
        let asking = groups.asking.iter().enumerate();
        asking.filter_map(|(at, access)| Some((at, access.as_ref()?)))
    };
    let mut alike = Vec::new();
    for (at, access) in creations() {
        let pid = groups.starts[at].pid;
        for (other, start) in groups.starts.iter().enumerate() {
            let region = layout.processes[start.pid].slots();
            let is_apart = !access.reads.intersects(&region) && !access.writes.intersects(&region);
            if start.pid != pid && start.is_death(program) && is_apart {
                alike.extend(both(at, other));
            }
        }
        for (other, theirs) in creations().filter(|(other, _)| *other > at) {
            let is_apart = !access.writes.intersects(&theirs.writes)
                && !access.writes.intersects(&theirs.reads)
                && !access.reads.intersects(&theirs.writes);
            if groups.starts[other].pid != pid && is_apart {
                alike.extend(both(at, other));
            }
        }
    }
    alike
}

/// Whether numbers do not matter.
fn are_free(program: &Program, size: &Size, labels: &[Asking]) -> bool {
    let is_asked_beside = |asking: &Asking| match asking.question {
        Question::MayEnd { empty_channels } => empty_channels || asking.kind != LabelKind::End,
        Question::Expression(_) | Question::Accepting | Question::Progress => true,
    };
    !labels.iter().any(is_asked_beside)
        && !looks_at_numbers(program)
        && !looks_at_channels(program)
        && (size.is_whole && size.has_numbers_left() || creates_few(program))
}

/// Whether something depends on the number of a process, or asks for another one.
fn looks_at_numbers(program: &Program) -> bool {
    let mut kinds = program.proctypes.iter().map(|(_, kind)| kind);
    let mut exprs = program.exprs.iter().map(|(_, expr)| expr);
    let mut places = program.places.iter().map(|(_, place)| place);
    let asks = |expr: &Expr| {
        matches!(
            expr.kind,
            Kind::SelfPid
                | Kind::Processes
                | Kind::Last
                | Kind::Enabled(_)
                | Kind::LocationOf(_)
                | Kind::PriorityOf(_)
                | Kind::At { .. }
                | Kind::NoProgress
        )
    };
    program.semantics.has_priorities
        || program.has_last
        || program.observer.is_some()
        || kinds.any(|kind| kind.provided.is_some() || kind.is_deterministic)
        || exprs.any(asks)
        || places.any(|place| matches!(place.root, Root::Remote { .. }))
        || runs(program) > ignored_runs(program).count()
}

/// How often a process is created in the text.
fn runs(program: &Program) -> usize {
    let exprs = program.exprs.iter();
    exprs
        .filter(|(_, expr)| matches!(expr.kind, Kind::Run { .. }))
        .count()
}

/// Creations as statements, whose number nobody keeps: kind of process and edge, and what is created.
fn ignored_runs(program: &Program) -> impl Iterator<Item = (ProctypeId, EdgeId, ProctypeId)> + '_ {
    program.proctypes.iter().flat_map(move |(kind, proctype)| {
        proctype.graph.edges.iter().filter_map(move |(edge, text)| {
            let value = match text.act {
                Act::Guard(value) => value,
                Act::Do(stmt) => match program.stmts[stmt].kind {
                    StmtKind::Evaluate(value) => value,
                    _ => return None,
                },
                _ => return None,
            };
            match program.exprs[value].kind {
                Kind::Run { proctype, .. } => Some((kind, edge, proctype)),
                _ => None,
            }
        })
    })
}

/// Whether processes create channels.
fn creates_channels(program: &Program) -> bool {
    let mut kinds = program.proctypes.iter().map(|(_, kind)| kind);
    kinds.any(|kind| {
        let prologue = kind.prologue;
        prologue.is_some_and(|stmt| first_channels(program, stmt) > 0)
    })
}

/// Whether channels that processes create may be known to older processes, or are more than channels to somebody.
fn looks_at_channels(program: &Program) -> bool {
    let news = |expr: &Expr| matches!(expr.kind, Kind::NewChannel(_));
    let all = program.exprs.iter().filter(|(_, expr)| news(expr)).count();
    let first =
        |stmt: Option<program::StmtId>| stmt.map_or(0, |stmt| first_channels(program, stmt));
    let global = first(program.prologue);
    if all == global {
        return false;
    }
    let kinds = program.proctypes.iter();
    let own: usize = kinds.map(|(_, kind)| first(kind.prologue)).sum();
    if all != global + own {
        return true;
    }
    let used = used_as_channels(program);
    let is_channel = |ty| matches!(program.types.get(ty), Ty::Channel);
    let mut exprs = program.exprs.iter();
    let mut stmts = program.stmts.iter().map(|(_, stmt)| stmt);
    exprs.any(|(id, expr)| match expr.kind {
        Kind::Read(place) => is_channel(program.places[place].ty) && !used.contains(&id),
        Kind::Copy(_) | Kind::Part(..) | Kind::Call(..) => true,
        _ => false,
    }) || stmts.any(|stmt| match stmt.kind {
        StmtKind::Assign(place, value) => {
            is_channel(program.places[place].ty) && !news(&program.exprs[value])
        }
        _ => false,
    }) || stores(program).any(|place| is_channel(program.places[place].ty))
}

/// How many channels a list of first assignments creates.
fn first_channels(program: &Program, stmt: program::StmtId) -> usize {
    match &program.stmts[stmt].kind {
        StmtKind::Block(body) => {
            let body = body.iter();
            body.map(|stmt| first_channels(program, *stmt)).sum()
        }
        StmtKind::Assign(_, value) => {
            usize::from(super::size::new_channel(program, *value).is_some())
        }
        _ => 0,
    }
}

/// Where receives store.
fn stores(program: &Program) -> impl Iterator<Item = program::PlaceId> + '_ {
    let kinds = program.proctypes.iter();
    let edges = kinds.flat_map(|(_, kind)| kind.graph.edges.iter());
    let patterns = edges.flat_map(|(_, edge)| match &edge.act {
        Act::Receive { patterns, .. } => &patterns[..],
        _ => &[],
    });
    patterns.filter_map(|pattern| match pattern {
        Pattern::Store(place) => Some(*place),
        Pattern::Equal(_) | Pattern::Any => None,
    })
}

/// Expressions whose value is used as a channel, or handed to a new process.
fn used_as_channels(program: &Program) -> FxHashSet<ExprId> {
    let mut used = FxHashSet::default();
    for (_, kind) in program.proctypes.iter() {
        for (_, edge) in kind.graph.edges.iter() {
            if let Act::Send { channel, .. } | Act::Receive { channel, .. } = edge.act {
                used.insert(channel);
            }
        }
    }
    for (_, expr) in program.exprs.iter() {
        match &expr.kind {
            Kind::Ask(_, channel) | Kind::Poll { channel, .. } => {
                used.insert(*channel);
            }
            Kind::Run {
                proctype,
                arguments,
                ..
            } => {
                let variables = &program.proctypes[*proctype].graph.variables;
                for ((_, parameter), argument) in variables.iter().zip(arguments) {
                    if matches!(program.types.get(parameter.ty), Ty::Channel) {
                        used.insert(*argument);
                    }
                }
            }
            _ => {}
        }
    }
    used
}

/// Whether the text shows that there are numbers for all processes and channels that are ever created.
fn creates_few(program: &Program) -> bool {
    let mut runs: FxHashMap<ProctypeId, Vec<ProctypeId>> = FxHashMap::default();
    for (kind, edge, created) in ignored_runs(program) {
        if is_repeated(&program.proctypes[kind].graph, edge) {
            return false;
        }
        runs.entry(kind).or_default().push(created);
    }
    let channels = |kind: ProctypeId| {
        let prologue = program.proctypes[kind].prologue;
        prologue.map_or(0, |stmt| first_channels(program, stmt))
    };
    let global = program.prologue;
    let mut all = (0, global.map_or(0, |stmt| first_channels(program, stmt)));
    let mut open: Vec<ProctypeId> = program.active.iter().map(|a| a.proctype).collect();
    // Creations that lead back to themselves soon need more than there are.
    while let Some(kind) = open.pop() {
        all = (all.0 + 1, all.1 + channels(kind));
        if all.0.max(all.1) >= program::MOST_PROCESSES {
            return false;
        }
        open.extend(runs.get(&kind).into_iter().flatten());
    }
    true
}

/// Whether an edge can be passed again.
fn is_repeated(graph: &Graph, edge: EdgeId) -> bool {
    let goal = graph.edges[edge].from;
    let mut met: FxHashSet<LocationId> = FxHashSet::default();
    let mut open = vec![graph.edges[edge].to];
    while let Some(location) = open.pop() {
        if location == goal {
            return true;
        }
        if met.insert(location) {
            let levels = graph.locations[location].levels.iter().flatten();
            open.extend(levels.map(|edge| graph.edges[*edge].to));
        }
    }
    false
}
