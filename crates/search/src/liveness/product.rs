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

#[derive(Clone, Copy)]
struct Arc {
    target: u32,
    accepting: u64,
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
        let (from, to) = (self.first[node.1 as usize], self.first[node.1 as usize + 1]);
        let state = space.stepper.state_letters.get(space.letter(node.0));
        let edges = space.edges(node.0);
        while let Some(edge) = edges.get(cursor.edge as usize) {
            let step = space.stepper.step_letters.get(edge.letter);
            while from + cursor.arc < to {
                let at = (from + cursor.arc) as usize;
                cursor.arc += 1;
                let guard = &self.guards[at * 2 * self.words..][..2 * self.words];
                match self.admits(guard, state, step) {
                    Ok(false) => {}
                    Ok(true) => {
                        let arc = self.arcs[at];
                        return Ok(Some(Move {
                            edge: *edge,
                            target: (edge.target, arc.target),
                            accepting: arc.accepting,
                        }));
                    }
                    Err(atom) => return Err(trouble(space, node.0, *edge, atom)),
                }
            }
            cursor.edge += 1;
            cursor.arc = 0;
        }
        Ok(None)
    }

    /// Whether a word may end in an expanded node.
    pub(crate) fn may_end(&self, space: &Space<'_>, node: Node) -> Result<bool, Trouble> {
        let state = space.stepper.state_letters.get(space.letter(node.0));
        let nothing = vec![0; 2 * self.words];
        for guard in self.ends[node.1 as usize].chunks(2 * self.words) {
            match self.admits(guard, state, &nothing) {
                Ok(false) => {}
                Ok(true) => return Ok(true),
                Err(atom) => return Err(Trouble::Atom(node.0, None, atom)),
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
