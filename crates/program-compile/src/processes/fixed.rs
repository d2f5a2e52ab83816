//! Global variables that keep their first value: they need no slot, and a channel they name is known when code is made.

use program::{Act, Graph, Pattern, PlaceId, ProctypeId, Program, Root, StmtId, StmtKind};
use rustc_hash::FxHashSet;

/// For each global variable whether nothing but the first assignments stores to it.
pub(super) fn unwritten(program: &Program) -> Vec<bool> {
    let mut unwritten = vec![true; program.variables.len()];
    let mut first = Vec::new();
    if let Some(prologue) = program.prologue {
        below(program, prologue, &mut first);
    }
    let mut stored = |place: PlaceId| {
        if let Root::Global(variable) = program.places[place].root {
            unwritten[variable.index()] = false;
        }
    };
    for (id, stmt) in program.stmts.iter() {
        if let StmtKind::Assign(place, _) = stmt.kind
            && !first.contains(&id)
        {
            stored(place);
        }
    }
    for (_, proctype) in program.proctypes.iter() {
        received(&proctype.graph, &mut stored);
    }
    unwritten
}

/// The variables of a kind of process that something stores to, first values included.
pub(super) fn stored(program: &Program, kind: ProctypeId) -> FxHashSet<usize> {
    let graph = &program.proctypes[kind].graph;
    let mut statements = Vec::new();
    if let Some(prologue) = program.proctypes[kind].prologue {
        below(program, prologue, &mut statements);
    }
    for (_, edge) in graph.edges.iter() {
        if let Act::Do(stmt) = edge.act {
            below(program, stmt, &mut statements);
        }
    }
    let mut stored = FxHashSet::default();
    let mut store = |place: PlaceId| {
        if let Root::Process(variable) = program.places[place].root {
            stored.insert(variable.index());
        }
    };
    for id in statements {
        if let StmtKind::Assign(place, _) = program.stmts[id].kind {
            store(place);
        }
    }
    received(graph, &mut store);
    stored
}

fn below(program: &Program, id: StmtId, out: &mut Vec<StmtId>) {
    out.push(id);
    match &program.stmts[id].kind {
        StmtKind::Block(body) => body.iter().for_each(|id| below(program, *id, out)),
        StmtKind::If { arms, otherwise } => {
            let bodies = arms.iter().map(|(_, body)| body).chain(otherwise);
            bodies.for_each(|id| below(program, *id, out));
        }
        _ => {}
    }
}

fn received(graph: &Graph, stored: &mut impl FnMut(PlaceId)) {
    for (_, edge) in graph.edges.iter() {
        if let Act::Receive { patterns, .. } = &edge.act {
            for pattern in patterns {
                if let Pattern::Store(place) = pattern {
                    stored(*place);
                }
            }
        }
    }
}
