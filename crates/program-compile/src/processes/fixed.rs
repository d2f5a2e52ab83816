//! Global variables that keep their first value: they need no slot, and a channel they name is known when code is made.

use program::{Act, Graph, Pattern, PlaceId, Program, Root, StmtId, StmtKind};

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

fn below(program: &Program, id: StmtId, out: &mut Vec<StmtId>) {
    out.push(id);
    if let StmtKind::Block(body) = &program.stmts[id].kind {
        body.iter().for_each(|id| below(program, *id, out));
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
