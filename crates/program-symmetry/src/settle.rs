//! When a program has settled: from then on no process and no channel is created.
//!
//! Symmetry is about processes that are there. While `init` still creates them every state stands for itself; where it does so
//! in one atomic sequence that is one state.
//! Invariant: from a settled location no creating edge can be reached, so settled programs stay settled until a process dies.

use program::{Act, Edge, ExprId, Graph, Kind, Program, Root, Selector, StmtId, StmtKind};

/// For each location of a graph whether nothing is created from there on.
pub fn settled_locations(program: &Program, graph: &Graph) -> Vec<bool> {
    let mut settled = vec![true; graph.locations.len()];
    let creating: Vec<bool> = graph
        .edges
        .iter()
        .map(|(_, edge)| creates(program, edge))
        .collect();
    loop {
        let mut has_changed = false;
        for (id, edge) in graph.edges.iter() {
            let leads = !matches!(edge.act, Act::End) && !settled[edge.to.index()];
            if settled[edge.from.index()] && (creating[id.index()] || leads) {
                settled[edge.from.index()] = false;
                has_changed = true;
            }
        }
        if !has_changed {
            return settled;
        }
    }
}

/// Whether a process at a settled location of a graph may come to its end.
pub fn may_end(graph: &Graph, settled: &[bool]) -> bool {
    let mut ends = graph.edges.iter();
    ends.any(|(_, edge)| matches!(edge.act, Act::End) && settled[edge.from.index()]) && {
        let start = graph.start.map(|start| start.index());
        let mut reached = vec![false; graph.locations.len()];
        // Whoever settles later has come from the start as well.
        let mut queue: Vec<usize> = start.into_iter().collect();
        while let Some(at) = queue.pop() {
            if std::mem::replace(&mut reached[at], true) {
                continue;
            }
            let edges = graph.edges.iter().filter(|(_, e)| e.from.index() == at);
            for (_, edge) in edges {
                if matches!(edge.act, Act::End) {
                    return true;
                }
                queue.push(edge.to.index());
            }
        }
        false
    }
}

fn creates(program: &Program, edge: &Edge) -> bool {
    match &edge.act {
        Act::Guard(condition) => expression(program, *condition),
        Act::Do(body) => statement(program, *body),
        _ => false,
    }
}

fn statement(program: &Program, id: StmtId) -> bool {
    match &program.stmts[id].kind {
        StmtKind::Block(body) => body.iter().any(|id| statement(program, *id)),
        StmtKind::Assign(place, value) => {
            let mut path = program.places[*place].path.iter();
            expression(program, *value)
                || path.any(|selector| match selector {
                    Selector::Index(at) => expression(program, *at),
                    _ => false,
                })
        }
        StmtKind::Evaluate(value) => expression(program, *value),
        _ => false,
    }
}

fn expression(program: &Program, id: ExprId) -> bool {
    base::deep::recurse(|| match &program.exprs[id].kind {
        Kind::Run { .. } | Kind::NewChannel(_) => true,
        Kind::Unary(_, a) => expression(program, *a),
        Kind::Binary(_, a, b) => expression(program, *a) || expression(program, *b),
        Kind::Choice(a, b, c) => [a, b, c].into_iter().any(|id| expression(program, *id)),
        Kind::Read(place) => match program.places[*place].root {
            Root::Remote { pid: Some(pid), .. } => expression(program, pid),
            _ => false,
        },
        _ => false,
    })
}
