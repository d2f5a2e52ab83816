//! Finds the symmetry of a program with processes: which permutations of processes, channels and numbers that name them map
//! the program to itself.
//!
//! Paper: [Donaldson, Miller 2005] (static channel diagrams, generators validated against the text). Differs: works on the lowered
//! program as a whole, not on a diagram of it, so that what is found is valid; process numbers may be computed (rings,
//! hypercubes), `byte` variables and arrays may hold and be indexed by them, `active [n]` and channel arrays count; numbers that
//! are parameters of processes move with them.
//! `settle` says when all processes are there, `ends` what it means that they end, `kinds` what values mean, `values` which there are, `terms` writes the program
//! as a structure (`structure`), whose automorphisms `lib/canon` finds. `told` leaves out what single edges tell apart.
//! Invariant: every permutation of the group maps each step of a settled state to a step of the permuted state.

mod alone;
mod edges;
mod ends;
mod kinds;
mod parts;
mod points;
mod rows;
mod settle;
mod structure;
mod terms;
mod told;
mod values;

use base::Span;
use permgroup::Group;
use program::{EdgeId, ExprId, Program, State};

pub use alone::Alone;
pub use kinds::Scanning;
pub use parts::{Part, Parts, TableId};
pub use points::Points;
pub use settle::settled_locations;
pub use told::{Partial, find_partial};

/// The symmetry of a program.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// What is permuted.
    pub points: Points,
    /// The permutations.
    pub group: Group,
    /// For each generator of the group and each proctype where it takes each edge, where that is known.
    pub edges: Option<Vec<Vec<Vec<EdgeId>>>>,
    /// Which parts of a state hold points or are indexed by them.
    pub parts: Parts,
    /// For each proctype the locations from which nothing is created.
    pub settled: Vec<Vec<bool>>,
    /// Processes that may come to the end of their texts; none where that is seen.
    pub mortal: Vec<usize>,
    /// So many of them, the first ones, end, in this order; the others have a younger one that lives for ever.
    pub ends: usize,
    /// Processes that stay where they are although others of their kind exist, and why.
    pub alone: Vec<Alone>,
}

/// The first settled states of a program.
#[derive(Clone, Debug)]
pub struct Entries {
    /// Some of them, at least one.
    pub states: Vec<State>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// A program without symmetry, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nothing {
    /// In a few words.
    pub what: &'static str,
    /// Where.
    pub span: Option<Span>,
}

/// Finds the symmetry of a program from its first settled states on; `questions` keep their answers, and what is said of
/// `scanning` variables is believed.
///
/// # Errors
/// Why there is none.
pub fn find(
    program: &Program,
    entries: &Entries,
    questions: &[ExprId],
    scanning: &[Scanning],
) -> Result<Symmetry, Nothing> {
    let structure = structure::Structure::new(program, entries, questions, scanning)?;
    let (group, generators) = structure.best();
    Ok(structure.symmetry(group, &generators))
}
