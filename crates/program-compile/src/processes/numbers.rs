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
//! Where numbers of channels can be told apart, that is said only of creations that create no channel, and of deaths of processes
//! that have none: whichever comes first, later channels get the same numbers, since neither takes one or gives one back. A process
//! with channels can die as soon as all younger ones have, in either order.
//! A number that is kept where nobody reads it, or that gives a condition the same value whichever it is, is not looked at. What
//! only formulas and claims say does not count, unless the run asks for it.
//! One finding would be lost: more processes or channels than there are numbers for, since one at its end still has its number.
//! That is asked beforehand: by the text, where no creation can be repeated, or by a trial that saw all states.
//! Invariant: channels of a process are known to it and to younger ones only, which must be dead when it dies.

use pins::{GroupId, LabelKind, Shape};
use program::{
    Act, EdgeId, Expr, ExprId, Graph, Kind, LocationId, Pattern, ProctypeId, Program, Root,
    StmtKind, Ty,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::access::Access;
use super::claimed::Claimed;
use super::expressions::Maker;
use super::groups::{Groups, Start, both};
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
    if !are_free(program, layout, size, labels) || !has_first_channels(program) {
        return;
    }
    let hides_channels = !looks_at_channels(program);
    let starts = groups.starts.iter().enumerate();
    let deaths = starts.filter(|(_, start)| start.is_death(program));
    let (plain, others): (Vec<_>, Vec<_>) =
        deaths.partition(|(_, start)| own_channels(program, start.proctype) == 0);
    let eager = plain.iter().chain(others.iter().filter(|_| hides_channels));
    shape.eager = eager.map(|(at, _)| GroupId::new(*at)).collect();
    shape.alike = alike_creations(layout, groups);
    shape.alike.extend(alike_deaths(layout, groups, &plain));
}

/// The groups that create processes and no channel, with what they touch.
fn creations<'g>(
    layout: &Layout,
    groups: &'g Groups,
) -> impl Iterator<Item = (usize, &'g Access)> + Clone {
    let mut headers = pins::SlotSet::new();
    let slots = layout.channels.iter().filter_map(|channel| channel.header);
    slots.for_each(|slot| headers.insert(slot));
    let asking = groups.asking.iter().enumerate();
    let asking = asking.filter_map(|(at, access)| Some((at, access.as_ref()?)));
    asking.filter(move |(_, access)| !access.writes.intersects(&headers))
}

/// Creations with deaths that they have nothing else in common with.
fn alike_deaths(
    layout: &Layout,
    groups: &Groups,
    deaths: &[(usize, &Start)],
) -> Vec<(GroupId, GroupId)> {
    let mut alike = Vec::new();
    for (at, access) in creations(layout, groups) {
        let pid = groups.starts[at].pid;
        for (other, start) in deaths {
            let region = layout.processes[start.pid].slots();
            let is_apart = !access.reads.intersects(&region) && !access.writes.intersects(&region);
            if start.pid != pid && is_apart {
                alike.extend(both(at, *other));
            }
        }
    }
    alike
}

/// Creations by different processes that have nothing else in common.
fn alike_creations(layout: &Layout, groups: &Groups) -> Vec<(GroupId, GroupId)> {
    let mut alike = Vec::new();
    let creations = creations(layout, groups);
    for (at, access) in creations.clone() {
        let pid = groups.starts[at].pid;
        for (other, theirs) in creations.clone().filter(|(other, _)| *other > at) {
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

/// Whether numbers of processes do not matter.
fn are_free(program: &Program, layout: &Layout, size: &Size, labels: &[Asking]) -> bool {
    let is_asked_beside = |asking: &Asking| match asking.question {
        Question::MayEnd { empty_channels } => empty_channels || asking.kind != LabelKind::End,
        Question::Expression(_) | Question::Accepting | Question::Progress => true,
    };
    !labels.iter().any(is_asked_beside)
        && !looks_at_numbers(program, layout, size)
        && (size.is_whole && size.has_numbers_left() || creates_few(program))
}

/// Whether something depends on the number of a process, or asks for another one.
fn looks_at_numbers(program: &Program, layout: &Layout, size: &Size) -> bool {
    let claimed = Claimed::new(program);
    let mut kinds = program.proctypes.iter().map(|(_, kind)| kind);
    let exprs = || {
        let exprs = program.exprs.iter();
        exprs.filter(|(id, _)| !claimed.exprs.contains(id))
    };
    let places = program.places.iter();
    let mut places = places.filter(|(id, _)| !claimed.places.contains(id));
    let asks = |expr: &Expr| {
        matches!(
            expr.kind,
            Kind::Processes
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
        || exprs().any(|(_, expr)| asks(expr))
        || places.any(|(_, place)| matches!(place.root, Root::Remote { .. }))
        || runs(program) > ignored_runs(program).count()
        || exprs()
            .filter(|(_, expr)| matches!(expr.kind, Kind::SelfPid))
            .count()
            > indifferent(program, layout, size)
}

/// How often `_pid` stands in conditions that have one value for all numbers that a process of the kind had in a trial that saw
/// all states.
fn indifferent(program: &Program, layout: &Layout, size: &Size) -> usize {
    if !size.is_whole {
        return 0;
    }
    let mut count = 0;
    for (kind, proctype) in program.proctypes.iter() {
        let value_at = |pid: usize, condition: ExprId| {
            let code = Maker::new(program, layout, Some((pid, kind))).int(condition);
            code.ok()?.constant()
        };
        let numbers = || {
            let regions = layout.processes.iter().enumerate();
            regions.filter(|(_, region)| region.kinds.contains(&kind))
        };
        for (_, edge) in proctype.graph.edges.iter() {
            let Some(condition) = condition(program, &edge.act) else {
                continue;
            };
            let mut values = numbers().map(|(pid, _)| value_at(pid, condition));
            if let Some(Some(first)) = values.next()
                && values.all(|value| value == Some(first))
            {
                count += own_numbers(program, condition);
            }
        }
    }
    count
}

/// What an edge that does nothing else looks at.
fn condition(program: &Program, act: &Act) -> Option<ExprId> {
    match act {
        Act::Guard(condition) => Some(*condition),
        Act::Do(stmt) => match program.stmts[*stmt].kind {
            StmtKind::Assert { condition, .. } | StmtKind::Evaluate(condition) => Some(condition),
            _ => None,
        },
        _ => None,
    }
}

/// How often `_pid` stands in a condition of operators and numbers.
fn own_numbers(program: &Program, id: ExprId) -> usize {
    match program.exprs[id].kind {
        Kind::SelfPid => 1,
        Kind::Unary(_, operand) => own_numbers(program, operand),
        Kind::Binary(_, a, b) => own_numbers(program, a) + own_numbers(program, b),
        _ => 0,
    }
}

/// How often a process is created in the text.
fn runs(program: &Program) -> usize {
    let exprs = program.exprs.iter();
    exprs
        .filter(|(_, expr)| matches!(expr.kind, Kind::Run { .. }))
        .count()
}

/// Creations as statements, whose number nobody keeps or reads: kind of process and edge, and what is created.
fn ignored_runs(program: &Program) -> impl Iterator<Item = (ProctypeId, EdgeId, ProctypeId)> + '_ {
    let read = read(program);
    program.proctypes.iter().flat_map(move |(kind, proctype)| {
        let read = read.clone();
        proctype.graph.edges.iter().filter_map(move |(edge, text)| {
            let value = match text.act {
                Act::Guard(value) => value,
                Act::Do(stmt) => match program.stmts[stmt].kind {
                    StmtKind::Evaluate(value) => value,
                    StmtKind::Assign(place, value)
                        if !read.contains(&program.places[place].root) =>
                    {
                        value
                    }
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

/// The variables that processes read; those of a kind of process are not told from those of another.
fn read(program: &Program) -> FxHashSet<Root> {
    let claimed = Claimed::new(program);
    let exprs = program.exprs.iter();
    let exprs = exprs.filter(|(id, _)| !claimed.exprs.contains(id));
    let read = exprs.filter_map(|(_, expr)| match expr.kind {
        Kind::Read(place) | Kind::Copy(place) => Some(program.places[place].root),
        _ => None,
    });
    read.collect()
}

/// How many channels a process of a kind creates when it is created.
fn own_channels(program: &Program, kind: ProctypeId) -> usize {
    let prologue = program.proctypes[kind].prologue;
    prologue.map_or(0, |stmt| first_channels(program, stmt))
}

/// Whether processes create channels.
fn creates_channels(program: &Program) -> bool {
    let mut kinds = program.proctypes.iter();
    kinds.any(|(kind, _)| own_channels(program, kind) > 0)
}

fn is_new(expr: &Expr) -> bool {
    matches!(expr.kind, Kind::NewChannel(_))
}

/// Whether all channels are created by first assignments.
fn has_first_channels(program: &Program) -> bool {
    let all = program
        .exprs
        .iter()
        .filter(|(_, expr)| is_new(expr))
        .count();
    let kinds = program.proctypes.iter().map(|(_, kind)| kind.prologue);
    let prologues = kinds.chain([program.prologue]).flatten();
    let first: usize = prologues.map(|stmt| first_channels(program, stmt)).sum();
    all == first
}

/// Whether channels that processes create may be known to older processes, or are more than channels to somebody.
fn looks_at_channels(program: &Program) -> bool {
    if !creates_channels(program) {
        return false;
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
            is_channel(program.places[place].ty) && !is_new(&program.exprs[value])
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
    let global = program.prologue;
    let mut all = (0, global.map_or(0, |stmt| first_channels(program, stmt)));
    let mut open: Vec<ProctypeId> = program.active.iter().map(|a| a.proctype).collect();
    // Creations that lead back to themselves soon need more than there are.
    while let Some(kind) = open.pop() {
        all = (all.0 + 1, all.1 + own_channels(program, kind));
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
