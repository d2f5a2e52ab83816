//! From a checked Promela program to the program IR, with the control points of SPIN.
//!
//! `flow` builds the elements of each body as SPIN's parser does, `atomic` marks the indivisible ones, `hunt` says where control
//! rests, `table` makes locations and edges of them; `data`, `expressions`, `messages` and `statements` translate what edges do;
//! `claims` and `observer` the automata beside the processes.
//! Reference: what `spin -o1 -o2 -o3` generates; the numbers of locations are SPIN's state numbers.
//! Invariant: takes programs without errors only; every name has its meaning in [`lang_promela::check::Facts`].

mod atomic;
mod claims;
mod data;
mod expressions;
mod flow;
mod hidden;
mod hunt;
mod marks;
mod messages;
mod observer;
mod optimise;
mod statements;
mod table;

#[cfg(test)]
mod tests;

use base::Name;
use lang_promela::check::{Checked, Facts};
use lang_promela::syntax::{self, ExprKind, Process, ProcessKind, Unit, VarId};
use program::{Active, Graph, Kind, Proctype, ProctypeId, Program, Semantics};
use rustc_hash::FxHashMap;

/// What the command line says about the meaning of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// A send to a full buffer loses the message instead of blocking.
    pub is_lossy: bool,
    /// Inner escapes win over outer ones.
    pub inner_escapes_first: bool,
    /// Steps are merged, dead variables reset and unread ones left out, as `spin -a` does by default.
    pub spin_counts: bool,
    /// `xr` and `xs` are tested while processes run.
    pub tests_promises: bool,
}

/// Lowers a checked program without errors; `name` is what it is called in reports.
pub fn lower(checked: &Checked, name: Name, options: Options) -> Program {
    let mut lowering = Lowering::new(checked, name, options);
    lowering.declare();
    lowering.processes();
    lowering.claims();
    lowering.observer();
    lowering.resolve_labels();
    lowering.mentions();
    lowering.out
}

/// A variable of the tree in the program.
#[derive(Clone, Copy, Debug)]
enum Home {
    Global(program::VarId),
    Local(base::Id<program::Variable>),
}

struct Lowering<'c> {
    syntax: &'c syntax::Program,
    facts: &'c Facts,
    options: Options,
    out: Program,
    /// Where each variable lives.
    homes: FxHashMap<VarId, Home>,
    /// Records by structure.
    records: FxHashMap<Name, program::TyId>,
    /// Symbols by subset.
    symbols: FxHashMap<Option<Name>, program::TyId>,
    /// Kinds of processes by unit.
    proctypes: FxHashMap<usize, ProctypeId>,
    /// The elements of each unit, by unit.
    flows: FxHashMap<usize, flow::Flow<'c>>,
    /// Labels of other processes that are asked about, to be resolved when all graphs are there.
    remote_locations: Vec<(ProctypeId, Name)>,
    /// Variables of the graph that is being made.
    locals: base::Arena<program::Variable>,
}

impl<'c> Lowering<'c> {
    fn new(checked: &'c Checked, name: Name, options: Options) -> Lowering<'c> {
        let mut semantics = Semantics::wrapping();
        semantics.is_lossy = options.is_lossy;
        semantics.tests_promises = options.tests_promises;
        semantics.has_priorities = checked.facts.mentions.priority;
        Lowering {
            syntax: &checked.program,
            facts: &checked.facts,
            options,
            out: Program::new(name, semantics),
            homes: FxHashMap::default(),
            records: FxHashMap::default(),
            symbols: FxHashMap::default(),
            proctypes: FxHashMap::default(),
            flows: FxHashMap::default(),
            remote_locations: Vec::new(),
            locals: base::Arena::new(),
        }
    }

    /// Kinds of processes in the order of the text, and who runs from the start.
    fn processes(&mut self) {
        let syntax = self.syntax;
        let remote = self.remote_labels();
        for (unit, process) in processes_of(syntax) {
            let mut flow = flow::Flow::new(self.syntax, self.facts, flow::Kind::Process);
            flow.body(&process.body, process.end);
            flow.remote(remote.get(&unit).map_or(&[], |labels| &labels[..]));
            self.flows.insert(unit, flow);
            let id = self.out.proctypes.push(Proctype {
                name: process.name.name,
                parameters: 0,
                prologue: None,
                graph: Graph::default(),
                provided: None,
                is_deterministic: process.kind == ProcessKind::Deterministic,
                promises: Vec::new(),
                span: process.name.span,
            });
            self.proctypes.insert(unit, id);
        }
        for (unit, process) in processes_of(syntax) {
            self.variables_of(unit);
            let parameters = process
                .parameters
                .iter()
                .map(|declaration| declaration.vars.len())
                .sum();
            self.out.proctypes[self.proctypes[&unit]].parameters = parameters;
        }
        for (unit, process) in processes_of(syntax) {
            self.process(unit, process);
        }
    }

    fn process(&mut self, unit: usize, process: &Process) {
        let id = self.proctypes[&unit];
        self.locals = std::mem::take(&mut self.out.proctypes[id].graph.variables);
        let mut flow = self
            .flows
            .remove(&unit)
            .unwrap_or_else(|| unreachable!("every process has a flow"));
        let prologue = self.local_prologue(unit, &flow);
        let provided = process.provided.map(|condition| self.expression(condition));
        let graph = self.graph(&mut flow);
        let promises = flow.promises.iter();
        let promises = promises.map(|(direction, channel)| program::Promise {
            direction: *direction,
            channel: self.expression(*channel),
        });
        let promises = promises.collect();
        self.flows.insert(unit, flow);
        let proctype = &mut self.out.proctypes[id];
        proctype.promises = promises;
        proctype.graph = graph;
        proctype.prologue = prologue;
        proctype.provided = provided;
        let count = match (process.kind, process.active) {
            (ProcessKind::Init, _) => 1,
            (_, None) => 0,
            (_, Some(active)) => active
                .count
                .map_or(1, |count| self.facts.constants[&count].max(0)),
        };
        let priority = process
            .priority
            .map_or(1, |priority| self.facts.constants[&priority]);
        for _ in 0..count {
            self.out.active.push(Active {
                proctype: id,
                priority: priority.clamp(1, 255) as u8,
            });
        }
    }

    /// Labels that some process asks about, by the unit that has them.
    fn remote_labels(&self) -> FxHashMap<usize, Vec<Name>> {
        let mut labels: FxHashMap<usize, Vec<Name>> = FxHashMap::default();
        for (_, expr) in self.syntax.exprs.iter() {
            if let ExprKind::RemoteLabel { process, label, .. } = &expr.kind
                && let Some(unit) = self.facts.processes.get(&process.name)
            {
                labels.entry(*unit).or_default().push(label.name);
            }
        }
        labels
    }

    /// Replaces the numbers of asked labels by the locations that carry them.
    fn resolve_labels(&mut self) {
        for id in 0..self.out.exprs.len() {
            let id = program::ExprId::new(id);
            let Kind::At { locations, .. } = &self.out.exprs[id].kind else {
                continue;
            };
            let (proctype, label) = self.remote_locations[locations[0].index()];
            let found = self.out.proctypes[proctype]
                .graph
                .locations
                .iter()
                .filter(|(_, location)| location.labels.contains(&label))
                .map(|(id, _)| id)
                .collect();
            if let Kind::At { locations, .. } = &mut self.out.exprs[id].kind {
                *locations = found;
            }
        }
    }

    fn mentions(&mut self) {
        self.out.has_last = self.facts.mentions.last;
        let mut left: Vec<String> = self
            .out
            .claims
            .iter()
            .map(|claim| claim.name.to_string())
            .collect();
        let marked = |wanted: fn(&program::Marks) -> bool| {
            self.out.proctypes.iter().any(|(_, proctype)| {
                proctype
                    .graph
                    .locations
                    .iter()
                    .any(|(_, location)| wanted(&location.marks))
            })
        };
        if marked(|marks| marks.is_accepting) {
            left.push("acceptance cycles".to_owned());
        }
        if marked(|marks| marks.is_progress) {
            left.push("non-progress cycles".to_owned());
        }
        self.out.not_checked = left;
    }
}

/// The processes of a program with the numbers of their units.
fn processes_of(syntax: &syntax::Program) -> impl Iterator<Item = (usize, &Process)> {
    syntax
        .units
        .iter()
        .enumerate()
        .filter_map(|(index, unit)| match unit {
            Unit::Process(process) => Some((index, process)),
            _ => None,
        })
}
