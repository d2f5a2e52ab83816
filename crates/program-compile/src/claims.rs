//! Never claims as automata: what no run may do.
//!
//! A location becomes a state; guards are taken apart into conjunctions of atoms. The claim reads the state in which the program is before each of its steps; an
//! indivisible sequence of the claim reads one state. A claim that comes to its end, or whose assertion fails, accepts whatever
//! follows. A run that ends is extended by stuttering: it is accepted where its last state, read for ever, would be.
//! Invariant: the atoms are expressions of the program; what the automaton accepts depends on nothing else.

use base::deep;
use buchi::{Automaton, Cube, Edge, State};
use program::{
    Act, Binary, EdgeId, ExprId, Graph, Kind, LocationId, Program, StmtKind, Then, Unary,
};
use rustc_hash::FxHashMap;

use crate::processes::Unsupported;

/// A claim as an automaton.
#[derive(Clone, Debug)]
pub struct ClaimAutomaton {
    /// Accepts what must not happen.
    pub automaton: Automaton,
    /// What its atoms ask.
    pub atoms: Vec<Atom>,
}

/// What an atom asks about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atom {
    /// Whether an expression is true.
    Value(ExprId),
    /// Whether a process is at an accept label.
    Accepting,
}

/// Conjunctions that one condition of a claim may come to, and cases of last letters that are looked at: conditions in the field come to
/// less than a hundred of either.
const MOST_CASES: usize = 1 << 16;

/// The automaton of a never claim.
///
/// # Errors
/// When the claim has variables of its own, does something, or has conditions with too many cases.
pub fn automaton(program: &Program, graph: &Graph) -> Result<ClaimAutomaton, Unsupported> {
    if let Some((_, variable)) = graph.variables.iter().next() {
        return Err(Unsupported::new("a variable of a claim", variable.span));
    }
    let mut claim = Claim {
        program,
        graph,
        atoms: Vec::new(),
        numbers: FxHashMap::default(),
        states: vec![State::default(); graph.locations.len() + 1],
    };
    let end = claim.states.len() as u32 - 1;
    claim.leave(end, (Cube::default(), end), 1);
    for (id, location) in graph.locations.iter() {
        let accepting = u64::from(location.marks.is_accepting);
        let number = id.index() as u32;
        if graph.end == Some(id) {
            claim.leave(number, (Cube::default(), end), 1);
            continue;
        }
        claim.from(number, id, Cube::default(), accepting, 0)?;
    }
    claim.accept_with_processes();
    let mut automaton = Automaton {
        states: claim.states,
        initial: graph.start.iter().map(|id| id.index() as u32).collect(),
        sets: 1,
        atoms: claim.atoms.len() as u32,
    };
    let mut endings = Endings {
        automaton: &automaton,
        cases: 0,
    };
    let mut ends = Vec::new();
    for (id, location) in graph.locations.iter() {
        let found = endings.of(id.index() as u32);
        let too_many = || Unsupported::new("a claim with too many cases", location.span);
        ends.push(found.ok_or_else(too_many)?);
    }
    // Behind its end everything is accepted.
    ends.push(vec![Cube::default()]);
    for (state, ends) in automaton.states.iter_mut().zip(ends) {
        state.ends = ends;
    }
    Ok(ClaimAutomaton {
        automaton,
        atoms: claim.atoms,
    })
}

struct Claim<'p> {
    program: &'p Program,
    graph: &'p Graph,
    atoms: Vec<Atom>,
    /// The numbers of atoms by their texts: equal conditions are one atom.
    numbers: FxHashMap<String, u32>,
    states: Vec<State>,
}

impl Claim<'_> {
    fn atom(&mut self, expr: ExprId) -> u32 {
        let atoms = &mut self.atoms;
        let number = self
            .numbers
            .entry(program::text::expression(self.program, expr));
        *number.or_insert_with(|| {
            atoms.push(Atom::Value(expr));
            atoms.len() as u32 - 1
        })
    }

    /// The letters of `known` in which a condition is true, or false, as disjoint conjunctions.
    fn cases(
        &mut self,
        known: &Cube,
        condition: ExprId,
        sign: bool,
    ) -> Result<Vec<Cube>, Unsupported> {
        let expr = &self.program.exprs[condition];
        let found = match expr.kind {
            Kind::Constant(value) if (value != 0) == sign => vec![known.clone()],
            Kind::Constant(_) => Vec::new(),
            Kind::Unary(Unary::Not, inner) => deep::recurse(|| self.cases(known, inner, !sign))?,
            Kind::Binary(operator @ (Binary::And | Binary::Or), a, b) => {
                // Where the left side decides nothing, the right side has to.
                let decides = operator == Binary::Or;
                let mut found = Vec::new();
                for left in deep::recurse(|| self.cases(known, a, !decides))? {
                    found.extend(deep::recurse(|| self.cases(&left, b, sign))?);
                }
                if sign == decides {
                    found.extend(deep::recurse(|| self.cases(known, a, decides))?);
                }
                found
            }
            _ => {
                let atom = self.atom(condition);
                let mut known = known.clone();
                Vec::from_iter(known.add(atom, sign).then_some(known))
            }
        };
        match found.len() > MOST_CASES {
            true => Err(Unsupported::new(
                "a condition with too many cases",
                expr.span,
            )),
            false => Ok(found),
        }
    }

    /// The letters of `known` in which none of some edges is possible.
    fn otherwise(&mut self, known: &Cube, edges: &[EdgeId]) -> Result<Vec<Cube>, Unsupported> {
        let mut left = vec![known.clone()];
        for id in edges {
            let Act::Guard(condition) = &self.graph.edges[*id].act else {
                return Ok(Vec::new());
            };
            let mut next = Vec::new();
            for known in &left {
                next.extend(self.cases(known, *condition, false)?);
            }
            left = next;
        }
        Ok(left)
    }

    fn leave(&mut self, from: u32, (guard, target): (Cube, u32), accepting: u64) {
        let edge = Edge {
            guard,
            target,
            accepting,
        };
        let edges = &mut self.states[from as usize].edges;
        if !edges.contains(&edge) {
            edges.push(edge);
        }
    }

    /// The edges out of a location, read in a letter of which something is known already.
    fn from(
        &mut self,
        first: u32,
        here: LocationId,
        known: Cube,
        accepting: u64,
        depth: usize,
    ) -> Result<(), Unsupported> {
        let graph = self.graph;
        let location = &graph.locations[here];
        if depth > graph.locations.len() {
            return Err(Unsupported::new(
                "an endless sequence in a claim",
                location.span,
            ));
        }
        let end = self.states.len() as u32 - 1;
        let edges: Vec<EdgeId> = location.levels.iter().flatten().copied().collect();
        for (at, id) in edges.iter().enumerate() {
            let edge = &graph.edges[*id];
            let guards = match &edge.act {
                Act::Guard(condition) => self.cases(&known, *condition, true)?,
                Act::Else => self.otherwise(&known, &edges[..at])?,
                Act::Do(stmt) => self.done(*stmt, first, &known, edge.span)?,
                Act::End => {
                    self.leave(first, (known.clone(), end), 1);
                    continue;
                }
                Act::Send { .. } | Act::Receive { .. } | Act::Observe(_) => {
                    return Err(Unsupported::new(
                        "a claim that sends or receives",
                        edge.span,
                    ));
                }
            };
            for guard in guards {
                if edge.then == Then::Anybody {
                    let target = match graph.end == Some(edge.to) {
                        true => end,
                        false => edge.to.index() as u32,
                    };
                    self.leave(first, (guard, target), accepting);
                } else {
                    let marks = graph.locations[edge.to].marks;
                    let accepting = accepting | u64::from(marks.is_accepting);
                    self.from(first, edge.to, guard, accepting, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// The letters in which a claim goes on behind a statement; those in which an assertion fails lead to its end.
    fn done(
        &mut self,
        stmt: program::StmtId,
        first: u32,
        known: &Cube,
        span: base::Span,
    ) -> Result<Vec<Cube>, Unsupported> {
        match self.program.stmts[stmt].kind {
            StmtKind::Assert { condition, .. } => {
                let end = self.states.len() as u32 - 1;
                for failed in self.cases(known, condition, false)? {
                    self.leave(first, (failed, end), 1);
                }
                self.cases(known, condition, true)
            }
            StmtKind::Print(_) => Ok(vec![known.clone()]),
            StmtKind::Block(ref body) if body.is_empty() => Ok(vec![known.clone()]),
            _ => Err(Unsupported::new("a claim that changes something", span)),
        }
    }

    /// As SPIN has it, a step of the claim is accepting also while a process is at an accept label.
    fn accept_with_processes(&mut self) {
        let graphs = self.program.proctypes.iter().map(|(_, kind)| &kind.graph);
        let mut locations = graphs.flat_map(|graph| graph.locations.iter());
        if !locations.any(|(_, location)| location.marks.is_accepting) {
            return;
        }
        let atom = self.atoms.len() as u32;
        self.atoms.push(Atom::Accepting);
        for state in &mut self.states {
            for edge in std::mem::take(&mut state.edges) {
                if edge.accepting != 0 {
                    state.edges.push(edge);
                    continue;
                }
                for (sign, accepting) in [(true, 1), (false, 0)] {
                    let mut edge = edge.clone();
                    edge.guard.add(atom, sign);
                    edge.accepting = accepting;
                    state.edges.push(edge);
                }
            }
        }
    }
}

/// Finds on which last letters a word may end: where that letter, read for ever, is accepted.
struct Endings<'a> {
    automaton: &'a Automaton,
    /// Cases looked at so far.
    cases: usize,
}

impl Endings<'_> {
    /// The last letters of a state; `None` when there are too many cases.
    fn of(&mut self, state: u32) -> Option<Vec<Cube>> {
        let mut ends = Vec::new();
        let mut open = vec![Cube::default()];
        while let Some(known) = open.pop() {
            self.cases += 1;
            if self.cases > MOST_CASES {
                return None;
            }
            if self.accepts(state, |edge| edge.guard.contains(&known)) {
                ends.push(known);
                continue;
            }
            if !self.accepts(state, |edge| edge.guard.meet(&known).is_some()) {
                continue;
            }
            // Some edge is possible and not certain.
            let atom = self.undecided(state, &known)?;
            for sign in [false, true] {
                let mut more = known.clone();
                more.add(atom, sign);
                open.push(more);
            }
        }
        Some(ends)
    }

    /// Edges by their sources, as far as they are reached from a state by edges that count.
    fn reached(&self, state: u32, counts: impl Fn(&Edge) -> bool) -> Vec<Vec<&Edge>> {
        let mut edges = vec![Vec::new(); self.automaton.states.len()];
        let mut is_known = vec![false; edges.len()];
        let mut open = vec![state as usize];
        is_known[state as usize] = true;
        while let Some(at) = open.pop() {
            edges[at] = self.automaton.states[at]
                .edges
                .iter()
                .filter(|edge| counts(edge))
                .collect();
            for edge in &edges[at] {
                if !std::mem::replace(&mut is_known[edge.target as usize], true) {
                    open.push(edge.target as usize);
                }
            }
        }
        edges
    }

    /// Whether a cycle with an accepting edge is reached by edges that count.
    fn accepts(&self, state: u32, counts: impl Fn(&Edge) -> bool) -> bool {
        let edges = self.reached(state, counts);
        let targets = |at: usize| edges[at].iter().map(|edge| edge.target).collect();
        let (component, _) = buchi::components(edges.len(), targets);
        edges.iter().enumerate().any(|(at, edges)| {
            let is_cycle = |edge: &&Edge| component[edge.target as usize] == component[at];
            edges
                .iter()
                .any(|edge| edge.accepting != 0 && is_cycle(edge))
        })
    }

    /// An atom that a possible edge asks and that is not known.
    fn undecided(&self, state: u32, known: &Cube) -> Option<u32> {
        let edges = self.reached(state, |edge| edge.guard.meet(known).is_some());
        let mut literals = edges
            .iter()
            .flatten()
            .flat_map(|edge| edge.guard.literals());
        let is_open = |(atom, sign): &(u32, bool)| {
            let mut cube = Cube::default();
            cube.add(*atom, *sign);
            !cube.contains(known)
        };
        literals.find(is_open).map(|(atom, _)| atom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{FileId, Name, Span};
    use buchi::Word;
    use program::{Edge as Text, Location, Marks, Semantics, Ty};

    /// `T0: do :: p -> goto accept :: true od; accept: do :: p od`, which accepts what `F G p` holds of.
    fn stays() -> (Program, Graph) {
        let span = Span::new(FileId::new(0), 0, 0);
        let mut program = Program::new(Name::new("m"), Semantics::wrapping());
        let number = program.types.intern(Ty::Number);
        let p = program.expr(Kind::Processes, number, span);
        let yes = program.expr(Kind::Constant(1), number, span);
        let mut graph = Graph::default();
        let edge = |from: usize, to: usize, condition: ExprId| Text {
            from: LocationId::new(from),
            to: LocationId::new(to),
            act: Act::Guard(condition),
            then: Then::Anybody,
            text: Name::new("e"),
            span,
        };
        let edges = [edge(0, 1, p), edge(0, 0, yes), edge(1, 1, p)];
        let ids: Vec<EdgeId> = edges.into_iter().map(|e| graph.edges.push(e)).collect();
        for (levels, is_accepting) in [(vec![ids[0], ids[1]], false), (vec![ids[2]], true)] {
            graph.locations.push(Location {
                levels: vec![levels],
                labels: Vec::new(),
                marks: Marks {
                    is_accepting,
                    ..Marks::default()
                },
                number: 0,
                span,
            });
        }
        graph.start = Some(LocationId::new(0));
        (program, graph)
    }

    #[test]
    fn a_claim_accepts_what_it_says_with_and_without_an_end() {
        let (program, graph) = stays();
        let claim = automaton(&program, &graph).expect("it is a plain claim");
        let (p, q) = (vec![1], vec![0]);
        let accepts = |letters: Vec<Vec<u64>>, loop_start| {
            claim.automaton.accepts(&Word {
                letters,
                loop_start,
            })
        };
        assert!(accepts(vec![q.clone(), p.clone()], Some(1)));
        assert!(!accepts(vec![q.clone(), p.clone()], Some(0)));
        assert!(accepts(vec![q.clone(), p.clone()], None));
        assert!(!accepts(vec![p, q], None));
    }
}
