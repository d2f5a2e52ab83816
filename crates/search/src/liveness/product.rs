//! The system and an automaton walk together: a node is a state of each, an edge a step that the automaton can read.
//!
//! Invariant: an atom without a value stops the search only where no literal with a value decides already.

use buchi::{Automaton, Cube};
use rustc_hash::FxHashMap;

use super::space::{Edge, Space, Trouble};

/// A state of the system and one of the automaton.
pub(crate) type Node = (u32, u32);

/// An automaton in flat lists.
pub(crate) struct Machine {
    /// Words of a guard.
    words: usize,
    /// For each state where its edges begin; one more at the end.
    first: Vec<u32>,
    arcs: Vec<Arc>,
    /// For each guard what must hold, word by word, then what must not.
    guards: Vec<u64>,
    ends: Vec<Vec<u64>>,
    pub(crate) is_universal: Vec<bool>,
    pub(crate) initial: Vec<u32>,
    /// All accepting sets.
    pub(crate) all: u64,
}

/// An edge of the automaton.
#[derive(Clone, Copy)]
pub(crate) struct Arc {
    pub(crate) target: u32,
    pub(crate) accepting: u64,
}

/// An edge of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) edge: Edge,
    pub(crate) target: Node,
    /// Accepting sets.
    pub(crate) accepting: u64,
}

/// How far the edges out of a node were followed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cursor {
    edge: u32,
    arc: u32,
}

impl Machine {
    pub(crate) fn new(automaton: &Automaton, words: usize) -> Machine {
        let flat = |cube: &Cube| {
            let word = |list: &[u64], at: usize| list.get(at).copied().unwrap_or(0);
            let with = (0..words).map(|at| word(&cube.with, at));
            let without = (0..words).map(|at| word(&cube.without, at));
            with.chain(without).collect::<Vec<u64>>()
        };
        let mut machine = Machine {
            words,
            first: vec![0],
            arcs: Vec::new(),
            guards: Vec::new(),
            ends: Vec::new(),
            is_universal: Vec::new(),
            initial: automaton.initial.clone(),
            all: automaton.all_sets(),
        };
        for (at, state) in automaton.states.iter().enumerate() {
            for edge in &state.edges {
                machine.arcs.push(Arc {
                    target: edge.target,
                    accepting: edge.accepting,
                });
                machine.guards.extend(flat(&edge.guard));
            }
            machine.first.push(machine.arcs.len() as u32);
            machine
                .ends
                .push(state.ends.iter().flat_map(flat).collect());
            machine.is_universal.push(automaton.is_universal(at as u32));
        }
        machine
    }

    /// How many states it has.
    pub(crate) fn states(&self) -> usize {
        self.ends.len()
    }

    /// The next edge of the product out of an expanded node.
    #[inline]
    pub(crate) fn next(
        &self,
        space: &Space<'_>,
        node: Node,
        cursor: &mut Cursor,
    ) -> Result<Option<Move>, Trouble> {
        let state = space.stepper.state_letters.get(space.letter(node.0));
        let edges = space.edges(node.0);
        while let Some(edge) = edges.get(cursor.edge as usize) {
            let step = space.stepper.step_letters.get(edge.letter);
            match self.next_arc(node.1, state, step, &mut cursor.arc) {
                Ok(Some(arc)) => {
                    return Ok(Some(Move {
                        edge: *edge,
                        target: (edge.target, arc.target),
                        accepting: arc.accepting,
                    }));
                }
                Ok(None) => {}
                Err(atom) => return Err(trouble(space, node.0, *edge, atom)),
            }
            cursor.edge += 1;
            cursor.arc = 0;
        }
        Ok(None)
    }

    /// The next edge of the automaton that reads a state and a step, from the one numbered `at` on; an error is an
    /// atom that decides and has no value.
    #[inline]
    pub(crate) fn next_arc(
        &self,
        from: u32,
        state: &[u64],
        step: &[u64],
        at: &mut u32,
    ) -> Result<Option<Arc>, u32> {
        let (first, end) = (self.first[from as usize], self.first[from as usize + 1]);
        while first + *at < end {
            let arc = (first + *at) as usize;
            *at += 1;
            let guard = &self.guards[arc * 2 * self.words..][..2 * self.words];
            if self.admits(guard, state, step)? {
                return Ok(Some(self.arcs[arc]));
            }
        }
        Ok(None)
    }

    /// Whether a step out of the node that faulted may matter: whatever it would be, the automaton might read it.
    pub(crate) fn misses_step(&self, space: &Space<'_>, node: Node) -> bool {
        if !space.is_faulty(node.0) {
            return false;
        }
        let state = space.stepper.state_letters.get(space.letter(node.0));
        let words = self.words;
        let arcs = self.first[node.1 as usize]..self.first[node.1 as usize + 1];
        arcs.into_iter().any(|arc| {
            let guard = &self.guards[arc as usize * 2 * words..][..2 * words];
            (0..words).all(|at| {
                let (with, without) = (guard[at], guard[words + at]);
                let known = !state[words + at] & !space.stepper.step_atoms[at];
                ((with & !state[at]) | (without & state[at])) & known == 0
            })
        })
    }

    /// Whether a word may end in an expanded node.
    pub(crate) fn may_end(&self, space: &Space<'_>, node: Node) -> Result<bool, Trouble> {
        let state = space.stepper.state_letters.get(space.letter(node.0));
        let answer = self.ends_on(node.1, state);
        answer.map_err(|atom| Trouble::Atom(node.0, None, atom))
    }

    /// Whether a word may end with the letter of a state.
    pub(crate) fn ends_on(&self, at: u32, state: &[u64]) -> Result<bool, u32> {
        let nothing = vec![0; 2 * self.words];
        for guard in self.ends[at as usize].chunks(2 * self.words) {
            if self.admits(guard, state, &nothing)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a guard is satisfied by a state and a step; an error is an atom that decides and has no value.
    #[inline]
    fn admits(&self, guard: &[u64], state: &[u64], step: &[u64]) -> Result<bool, u32> {
        let words = self.words;
        let mut undecided = None;
        for at in 0..words {
            let (with, without) = (guard[at], guard[words + at]);
            let holds = state[at] | step[at];
            let undefined = state[words + at] | step[words + at];
            if ((with & !holds) | (without & holds)) & !undefined != 0 {
                return Ok(false);
            }
            let open = (with | without) & undefined;
            if open != 0 && undecided.is_none() {
                undecided = Some(at as u32 * 64 + open.trailing_zeros());
            }
        }
        undecided.map_or(Ok(true), Err)
    }
}

/// Whether the atom is one of the state or of the step shows in the letters.
pub(crate) fn trouble(space: &Space<'_>, state: u32, edge: Edge, atom: u32) -> Trouble {
    let letters = space.stepper.state_letters.get(space.letter(state));
    let undefined = letters[letters.len() / 2 + atom as usize / 64];
    let is_of_state = undefined >> (atom % 64) & 1 == 1;
    Trouble::Atom(state, (!is_of_state).then_some(edge), atom)
}

/// Numbers of nodes; 0 for those that have none.
pub(crate) struct Numbers {
    states: usize,
    dense: Vec<u32>,
    sparse: FxHashMap<Node, u32>,
}

/// So many states of the automaton for each of the system are kept in a plain table.
const DENSE: usize = 8;

impl Numbers {
    pub(crate) fn new(machine: &Machine) -> Numbers {
        Numbers {
            states: machine.states(),
            dense: Vec::new(),
            sparse: FxHashMap::default(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, node: Node) -> u32 {
        if self.states > DENSE {
            return self.sparse.get(&node).copied().unwrap_or(0);
        }
        let at = node.0 as usize * self.states + node.1 as usize;
        self.dense.get(at).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn set(&mut self, node: Node, number: u32) {
        if self.states > DENSE {
            self.sparse.insert(node, number);
            return;
        }
        let at = node.0 as usize * self.states + node.1 as usize;
        if self.dense.len() <= at {
            self.dense.resize(at + 1, 0);
        }
        self.dense[at] = number;
    }

    /// The bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.dense.capacity() * 4 + self.sparse.capacity() * 17
    }
}
