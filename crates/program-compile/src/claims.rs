//! Never claims as automata: what no run may do.
//!
//! A location becomes a state, a guard an atom. The claim reads the state in which the program is before each of its steps; an
//! indivisible sequence of the claim reads one state. A claim that comes to its end, or whose assertion fails, accepts whatever
//! follows. A run that ends is extended by stuttering: it is accepted where its last state, read for ever, would be.
//! Invariant: the atoms are expressions of the program; what the automaton accepts depends on nothing else.

use buchi::{Automaton, Cube, Edge, State, Word};
use program::{Act, EdgeId, ExprId, Graph, Kind, LocationId, Program, StmtKind, Then};

use crate::processes::Unsupported;

/// A claim as an automaton.
#[derive(Clone, Debug)]
pub struct ClaimAutomaton {
    /// Accepts what must not happen.
    pub automaton: Automaton,
    /// The expressions that its atoms ask.
    pub atoms: Vec<ExprId>,
}

/// Atoms beyond which the letters of an end are too many to look at one by one.
const MOST_ATOMS: usize = 12;

/// The automaton of a never claim.
///
/// # Errors
/// When the claim has variables of its own, does something, or asks too many questions.
pub fn automaton(program: &Program, graph: &Graph) -> Result<ClaimAutomaton, Unsupported> {
    if let Some((_, variable)) = graph.variables.iter().next() {
        return Err(Unsupported::new("a variable of a claim", variable.span));
    }
    let mut claim = Claim {
        program,
        graph,
        atoms: Vec::new(),
        states: vec![State::default(); graph.locations.len() + 1],
    };
    let end = claim.states.len() as u32 - 1;
    claim.states[end as usize] = State {
        edges: vec![Edge {
            guard: Cube::default(),
            target: end,
            accepting: 1,
        }],
        ends: vec![Cube::default()],
    };
    for (id, location) in graph.locations.iter() {
        let accepting = u64::from(location.marks.is_accepting);
        if graph.end == Some(id) {
            claim.leave(id, (&Cube::default(), end), 1);
            continue;
        }
        claim.from(id, id, Cube::default(), accepting, 0)?;
    }
    if claim.atoms.len() > MOST_ATOMS {
        let span = program.exprs[claim.atoms[MOST_ATOMS]].span;
        return Err(Unsupported::new(
            "a claim with more than 12 conditions",
            span,
        ));
    }
    let mut automaton = Automaton {
        states: claim.states,
        initial: graph.start.iter().map(|id| id.index() as u32).collect(),
        sets: 1,
        atoms: claim.atoms.len() as u32,
    };
    ends(&mut automaton);
    Ok(ClaimAutomaton {
        automaton,
        atoms: claim.atoms,
    })
}

struct Claim<'p> {
    program: &'p Program,
    graph: &'p Graph,
    atoms: Vec<ExprId>,
    states: Vec<State>,
}

impl Claim<'_> {
    fn atom(&mut self, expr: ExprId) -> u32 {
        let known = self.atoms.iter().position(|atom| *atom == expr);
        let at = known.unwrap_or_else(|| {
            self.atoms.push(expr);
            self.atoms.len() - 1
        });
        at as u32
    }

    /// Adds a condition, or its opposite, to a guard; whether any letter is left.
    fn require(&mut self, guard: &mut Cube, condition: ExprId, sign: bool) -> bool {
        if let Kind::Constant(value) = self.program.exprs[condition].kind {
            return (value != 0) == sign;
        }
        let atom = self.atom(condition);
        guard.add(atom, sign)
    }

    fn leave(&mut self, from: LocationId, to: (&Cube, u32), accepting: u64) {
        let (guard, target) = (to.0.clone(), to.1);
        let edge = Edge {
            guard,
            target,
            accepting,
        };
        let edges = &mut self.states[from.index()].edges;
        if !edges.contains(&edge) {
            edges.push(edge);
        }
    }

    /// The edges out of a location, read in a letter of which something is known already.
    fn from(
        &mut self,
        first: LocationId,
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
        let edges: Vec<EdgeId> = location.levels.iter().flatten().copied().collect();
        for (at, id) in edges.iter().enumerate() {
            let edge = &graph.edges[*id];
            let mut guard = known.clone();
            let mut is_possible = true;
            match &edge.act {
                Act::Guard(condition) => {
                    is_possible = self.require(&mut guard, *condition, true);
                }
                Act::Else => {
                    for other in &edges[..at] {
                        match &graph.edges[*other].act {
                            Act::Guard(condition) => {
                                is_possible &= self.require(&mut guard, *condition, false);
                            }
                            _ => is_possible = false,
                        }
                    }
                }
                Act::Do(stmt) => match self.program.stmts[*stmt].kind {
                    StmtKind::Assert { condition, .. } => {
                        let end = self.states.len() as u32 - 1;
                        let mut failed = guard.clone();
                        if self.require(&mut failed, condition, false) {
                            self.leave(first, (&failed, end), 1);
                        }
                        is_possible = self.require(&mut guard, condition, true);
                    }
                    StmtKind::Print(_) | StmtKind::Block(_) => {}
                    _ => {
                        return Err(Unsupported::new(
                            "a claim that changes something",
                            edge.span,
                        ));
                    }
                },
                Act::End => {
                    let end = self.states.len() as u32 - 1;
                    self.leave(first, (&guard, end), 1);
                    continue;
                }
                Act::Send { .. } | Act::Receive { .. } | Act::Observe(_) => {
                    return Err(Unsupported::new(
                        "a claim that sends or receives",
                        edge.span,
                    ));
                }
            }
            if !is_possible {
                continue;
            }
            if edge.then == Then::Anybody {
                let target = match graph.end == Some(edge.to) {
                    true => self.states.len() - 1,
                    false => edge.to.index(),
                };
                self.leave(first, (&guard, target as u32), accepting);
            } else {
                let marks = graph.locations[edge.to].marks;
                let accepting = accepting | u64::from(marks.is_accepting);
                self.from(first, edge.to, guard, accepting, depth + 1)?;
            }
        }
        Ok(())
    }
}

/// Says for each state on which last letters a word may end: where that letter for ever is accepted.
fn ends(automaton: &mut Automaton) {
    let letters = 1u64 << automaton.atoms;
    let mut found = Vec::new();
    for state in 0..automaton.states.len() {
        let mut from_here = automaton.clone();
        from_here.initial = vec![state as u32];
        let mut ends = Vec::new();
        for letter in 0..letters {
            let word = Word {
                letters: vec![vec![letter]],
                loop_start: Some(0),
            };
            if from_here.accepts(&word) {
                let mut cube = Cube::default();
                for atom in 0..automaton.atoms {
                    cube.add(atom, letter >> atom & 1 == 1);
                }
                ends.push(cube);
            }
        }
        // A state that accepts everything keeps its one end without conditions.
        if ends.len() as u64 == letters {
            ends = vec![Cube::default()];
        }
        found.push(ends);
    }
    for (state, ends) in automaton.states.iter_mut().zip(found) {
        state.ends = ends;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{FileId, Name, Span};
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
