//! Assignments in a row that may stand in any order: a loop over all processes that was written out.
//!
//! Paper: [Donaldson, Miller 2005] sorts the assignments after the `run`s of `init`. Differs: wherever literals are assigned to
//! different places without a state in between, in one statement or along the edges of an atomic sequence.
//! Invariant: an edge of a row is followed by the next one, whatever else happens: no state is in between, nothing else leads
//! there, and no assignment can fault.

use program::{Act, EdgeId, Graph, PlaceId, Program, Root, Selector, StmtId, StmtKind, Then};

use crate::kinds::literal;

/// A place that is known beforehand.
type Fixed = (Root, Vec<i64>);

/// The assignments of a statement, if they are of literals to different places that are known beforehand.
pub(crate) fn assignments(
    program: &Program,
    body: StmtId,
    can_fault: &dyn Fn(PlaceId) -> bool,
) -> Option<Vec<(StmtId, Fixed)>> {
    match &program.stmts[body].kind {
        StmtKind::Block(parts) => {
            let parts = parts.iter();
            let parts: Option<Vec<_>> = parts
                .map(|part| assignments(program, *part, can_fault))
                .collect();
            parts.map(|parts| parts.concat())
        }
        StmtKind::Assign(place, value) => {
            literal(program, *value)?;
            let (root, path) = (program.places[*place].root, &program.places[*place].path);
            let path = path.iter().map(|selector| match selector {
                Selector::Field(at) => Some(i64::from(*at)),
                Selector::Index(at) => literal(program, *at),
                Selector::Element(_) => None,
            });
            let path: Vec<i64> = path.collect::<Option<_>>()?;
            let is_known = matches!(root, Root::Global(_) | Root::Process(_)) && !can_fault(*place);
            is_known.then(|| vec![(body, (root, path))])
        }
        _ => None,
    }
}

/// Whether assignments are to different places.
pub(crate) fn are_different(all: &[(StmtId, Fixed)]) -> bool {
    let mut earlier = all.iter().enumerate();
    earlier.all(|(at, (_, place))| all[..at].iter().all(|(_, other)| other != place))
}

/// The rows of a graph: for each the edges in their order.
pub(crate) fn rows(
    program: &Program,
    graph: &Graph,
    can_fault: &dyn Fn(PlaceId) -> bool,
) -> Vec<Vec<EdgeId>> {
    let count = graph.locations.len();
    let (mut into, mut from) = (vec![0; count], vec![Vec::new(); count]);
    for (id, edge) in graph.edges.iter() {
        into[edge.to.index()] += 1;
        from[edge.from.index()].push(id);
    }
    let body = |id: EdgeId| match graph.edges[id].act {
        Act::Do(body) => assignments(program, body, can_fault),
        _ => None,
    };
    let next = |id: EdgeId| -> Option<EdgeId> {
        let edge = &graph.edges[id];
        let at = edge.to.index();
        let is_inside = edge.then != Then::Anybody
            && into[at] == 1
            && graph.start != Some(edge.to)
            && from[at].len() == 1;
        (is_inside && body(id).is_some() && body(from[at][0]).is_some()).then(|| from[at][0])
    };
    let followers: Vec<EdgeId> = graph.edges.iter().filter_map(|(id, _)| next(id)).collect();
    let heads = graph.edges.iter().map(|(id, _)| id);
    let heads = heads.filter(|id| next(*id).is_some() && !followers.contains(id));
    let rows = heads.map(|head| {
        let mut row = vec![head];
        while let Some(edge) = next(row[row.len() - 1]).filter(|edge| !row.contains(edge)) {
            row.push(edge);
        }
        row
    });
    let is_free = |row: &Vec<EdgeId>| {
        let all: Vec<_> = row.iter().filter_map(|id| body(*id)).flatten().collect();
        are_different(&all)
    };
    rows.filter(is_free).collect()
}
