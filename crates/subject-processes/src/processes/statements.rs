//! Which statements were executed and which could have been tried, seen by the reference evaluator: for coverage.

use program::{EdgeId, LocationId, ProctypeId, Program, State};
use program_interp::{Machine, What};
use rustc_hash::{FxHashMap, FxHashSet};
use subject::Value;
use subject::display::Executed;
use subject::observe::{Observer, Seen};

use super::value;

/// Counts the statements of the steps of states.
pub(crate) struct Statements<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    counts: FxHashMap<(ProctypeId, EdgeId), u64>,
    reached: FxHashSet<(ProctypeId, LocationId)>,
}

impl<'p> Statements<'p> {
    pub(crate) fn new(program: &'p Program) -> Statements<'p> {
        Statements {
            program,
            machine: Machine::new(program),
            counts: FxHashMap::default(),
            reached: FxHashSet::default(),
        }
    }

    fn look(&mut self, state: &State) {
        for process in &state.processes {
            self.reached.insert((process.proctype, process.location));
        }
        for part in self
            .machine
            .steps(state)
            .iter()
            .flat_map(|step| &step.parts)
        {
            if let What::Edge { proctype, edge, .. } = part.what {
                *self.counts.entry((proctype, edge)).or_default() += 1;
                let from = self.program.proctypes[proctype].graph.edges[edge].from;
                self.reached.insert((proctype, from));
            }
        }
    }
}

impl Observer for Statements<'_> {
    fn look_at_start(&mut self, _setup: Option<&[Option<Value>]>) {}

    fn look_at(&mut self, state: &[Option<Value>]) {
        if let Some(state) = value::state_of(state) {
            self.look(&state.clone());
        }
    }

    fn seen(&self) -> Seen {
        let mut statements = Vec::new();
        for (id, proctype) in self.program.proctypes.iter() {
            let graph = &proctype.graph;
            for (edge_id, edge) in graph.edges.iter() {
                statements.push(Executed {
                    owner: format!("proctype {}", proctype.name),
                    span: edge.span,
                    number: graph.locations[edge.from].number,
                    text: edge.text.to_string(),
                    count: self.counts.get(&(id, edge_id)).copied().unwrap_or(0),
                    is_reached: self.reached.contains(&(id, edge.from)),
                });
            }
        }
        Seen {
            statements,
            ..Seen::default()
        }
    }
}
