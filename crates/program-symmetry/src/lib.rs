//! Finds the symmetry of a program with processes: which permutations of processes, channels and numbers that name them map
//! the program to itself.
//!
//! Paper: [Donaldson, Miller 2005] (static channel diagrams, generators validated against the text). Differs: works on the lowered
//! program as a whole, not on a diagram of it, so that what is found is valid; process numbers may be computed (rings,
//! hypercubes), `byte` variables and arrays may hold and be indexed by them, `active [n]` and channel arrays count; numbers that
//! are parameters of processes move with them.
//! `settle` says when all processes are there, `ends` what it means that they end, `kinds` what values mean, `values` which there are, `terms` writes the program
//! as a structure, whose automorphisms `lib/canon` finds.
//! Invariant: every permutation of the group maps each step of a settled state to a step of the permuted state.

mod alone;
mod edges;
mod ends;
mod kinds;
mod parts;
mod points;
mod rows;
mod settle;
mod terms;
mod values;

use base::Span;
use canon::{Canon, Node};
use permgroup::Group;
use program::{EdgeId, ExprId, ProctypeId, Program, State, Ty, Value};

pub use alone::Alone;
pub use kinds::Scanning;
pub use parts::{Part, Parts, TableId};
pub use points::Points;
pub use settle::settled_locations;

use kinds::{Kinds, Tree};
use terms::Writer;
use values::Values;

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
// Long: one step after the other, and each needs what all before it found.
pub fn find(
    program: &Program,
    entries: &Entries,
    questions: &[ExprId],
    scanning: &[Scanning],
) -> Result<Symmetry, Nothing> {
    let Some(first) = entries.states.first() else {
        return Err(Nothing {
            what: "processes are created for ever",
            span: None,
        });
    };
    let mut kinds = program.proctypes.iter();
    if program.semantics.tests_promises && kinds.any(|(_, kind)| !kind.promises.is_empty()) {
        return Err(Nothing {
            what: "xr and xs name processes that are alone",
            span: None,
        });
    }
    let settled: Vec<Vec<bool>> = program
        .proctypes
        .iter()
        .map(|(_, kind)| settled_locations(program, &kind.graph))
        .collect();
    let mut kinds = Kinds::new(program, scanning);
    look(program, entries, questions, &settled, &mut kinds);
    if let Some((span, what)) = kinds.unknown {
        return Err(Nothing {
            what,
            span: Some(span),
        });
    }
    let written = Written::new(program, &settled);
    give(program, first, &written, &mut kinds);
    let values = Values::find(program, &mut kinds, &entries.states);
    let mut moving = settled.clone();
    if let Some(observer) = &program.observer {
        moving.push(vec![true; observer.graph.locations.len()]);
    }
    let points = Points::new(
        &kinds,
        &values,
        first.processes.len(),
        first.channels.len(),
        &moving,
    );
    let constants = constants(program, first, &written);
    let mut writer = Writer::new(program, &kinds, &values, &points, &constants);
    write(&mut writer, first, questions, &written);
    let roots = std::mem::take(&mut writer.roots);
    let functions = std::mem::take(&mut writer.signatures);
    let written_edges = std::mem::take(&mut writer.edges);
    let pins = alone::pins(program, first, &settled, &kinds, &values);
    let terms: Vec<&[Node]> = roots.iter().map(|(term, _)| term.as_slice()).collect();
    // Edges may stand in any order: the structure is one set.
    let mut whole = vec![Node::Set(terms.len() as u32)];
    terms.iter().for_each(|term| whole.extend_from_slice(term));
    let found = |has_locations: bool| {
        let mut classes = classes(program, first, &points, &kinds, &pins, has_locations);
        classes.extend(points.function_classes(&functions));
        let all = points.count + functions.len();
        let generators = Canon::new().automorphisms(&[&whole], &classes, all);
        // Functions are mapped to functions only so that values are mapped to values.
        let own = generators
            .iter()
            .map(|images| images[..points.count].to_vec());
        let base: Vec<u32> = (0..points.processes as u32).collect();
        (
            Group::with_base(points.count, own.collect(), &base),
            generators,
        )
    };
    // Control points move only where that lets more processes, channels or values move: exchanging nothing but equal
    // branches of a text is no symmetry that anybody asks for.
    let (held, free) = (found(false), found(true));
    let (group, generators) =
        match points.on_data(&free.0).order() > points.on_data(&held.0).order() {
            true => free,
            false => held,
        };
    let edges = edges::images(program, &group, (&written_edges, &terms), &generators);
    let parts = Parts::new(&kinds, &points, &group);
    let mut mortal = ends::mortal(program, first, &settled);
    if ends::seen(program, first, &mortal).is_some() {
        mortal.clear();
    }
    let ends = mortal.len();
    if ends > 0 {
        mortal.extend(ends::outlived(program, first, &settled));
    }
    let alone = alone::alone(program, first, &group, &pins, &roots);
    Ok(Symmetry {
        points,
        group,
        edges,
        parts,
        settled,
        mortal,
        ends,
        alone,
    })
}

/// Joins kinds by what the settled edges do; by what all edges do where the first settled states are not all known.
fn look(
    program: &Program,
    entries: &Entries,
    questions: &[ExprId],
    settled: &[Vec<bool>],
    kinds: &mut Kinds<'_>,
) {
    for state in &entries.states {
        kinds.channels(state);
    }
    for (id, proctype) in program.proctypes.iter() {
        for (_, edge) in proctype.graph.edges.iter() {
            if settled[id.index()][edge.from.index()] || !entries.is_complete {
                kinds.edge(Some(id), edge);
            }
        }
        if let Some(provided) = proctype.provided {
            kinds.condition(Some(id), provided);
        }
        if let Some(prologue) = proctype.prologue
            && !entries.is_complete
        {
            kinds.prologue(Some(id), prologue);
        }
    }
    if let Some(prologue) = program.prologue
        && !entries.is_complete
    {
        kinds.prologue(None, prologue);
    }
    if let Some(observer) = &program.observer {
        for (_, edge) in observer.graph.edges.iter() {
            kinds.edge(None, edge);
        }
        for (_, channel) in &observer.scope {
            kinds.enter(None);
            kinds.expr(*channel);
        }
    }
    for question in questions {
        kinds.condition(None, *question);
    }
}

/// Which variables settled edges write.
struct Written {
    globals: Vec<bool>,
    locals: Vec<Vec<bool>>,
}

impl Written {
    fn new(program: &Program, settled: &[Vec<bool>]) -> Written {
        let mut written = Written {
            globals: vec![false; program.variables.len()],
            locals: program
                .proctypes
                .iter()
                .map(|(_, kind)| vec![false; kind.graph.variables.len()])
                .collect(),
        };
        for (id, proctype) in program.proctypes.iter() {
            for (_, edge) in proctype.graph.edges.iter() {
                if !settled[id.index()][edge.from.index()] {
                    continue;
                }
                match &edge.act {
                    program::Act::Do(body) => written.statement(program, id, *body),
                    program::Act::Receive { patterns, .. } => {
                        for pattern in patterns {
                            if let program::Pattern::Store(place) = pattern {
                                written.place(program, id, *place);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        written
    }

    fn statement(&mut self, program: &Program, graph: ProctypeId, id: program::StmtId) {
        match &program.stmts[id].kind {
            program::StmtKind::Block(body) => body
                .iter()
                .for_each(|id| self.statement(program, graph, *id)),
            program::StmtKind::Assign(place, _) => self.place(program, graph, *place),
            program::StmtKind::If { arms, otherwise } => {
                let bodies = arms.iter().map(|(_, body)| body).chain(otherwise);
                bodies.for_each(|body| self.statement(program, graph, *body));
            }
            _ => {}
        }
    }

    fn place(&mut self, program: &Program, graph: ProctypeId, id: program::PlaceId) {
        match program.places[id].root {
            program::Root::Global(variable) => self.globals[variable.index()] = true,
            program::Root::Process(variable) => {
                self.locals[graph.index()][variable.index()] = true;
            }
            _ => {}
        }
    }
}

/// Tells kinds which variables of processes are never written.
fn give(program: &Program, first: &State, written: &Written, kinds: &mut Kinds<'_>) {
    for (id, _) in program.proctypes.iter() {
        let count = first.processes.iter().filter(|p| p.proctype == id).count();
        for (at, is_written) in written.locals[id.index()].iter().enumerate() {
            if !is_written && count > 1 {
                let tree = kinds.locals[id.index()][at].clone();
                kinds.give(&tree);
            }
        }
    }
}

/// For each global variable that never changes from the settled states on its value.
fn constants(program: &Program, first: &State, written: &Written) -> Vec<Option<Value>> {
    let values = first.globals.iter().zip(&written.globals);
    let hidden = program.variables.iter().map(|(_, v)| v.is_hidden);
    values
        .zip(hidden)
        .map(|((value, is_written), is_hidden)| (!is_written && !is_hidden).then(|| value.clone()))
        .collect()
}

fn write(writer: &mut Writer<'_, '_>, first: &State, questions: &[ExprId], written: &Written) {
    let program = writer.program;
    for (id, proctype) in program.proctypes.iter() {
        writer.graph(id.index(), Some(id), &proctype.graph);
    }
    if let Some(observer) = &program.observer {
        writer.graph(program.proctypes.len(), None, &observer.graph);
        writer.scope(&observer.scope);
    }
    for (number, question) in questions.iter().enumerate() {
        writer.question(number, *question);
    }
    for (kind, span) in writer.kinds.ordered.clone() {
        writer.ordered(kind, span);
    }
    for (id, variable) in program.variables.iter() {
        let tree = writer.kinds.globals[id.index()].clone();
        // A hidden variable starts every step with its first value. What never changes is written in place of the variable,
        // unless the state chooses a part of it.
        let is_chosen = program.places.iter().any(|(_, place)| {
            let mut path = place.path.iter();
            place.root == program::Root::Global(id)
                && path.any(|selector| match selector {
                    program::Selector::Index(at) => kinds::literal(program, *at).is_none(),
                    _ => false,
                })
        });
        if variable.is_hidden || is_chosen && writer.constants[id.index()].is_some() {
            writer.given(id.index(), None, &tree, &first.globals[id.index()]);
        }
    }
    for (pid, process) in first.processes.iter().enumerate() {
        let kind = process.proctype.index();
        for (at, value) in process.variables.iter().enumerate() {
            if !written.locals[kind][at] {
                let tree: Tree = writer.kinds.locals[kind][at].clone();
                let number = (kind + 1) << 16 | at;
                writer.given(number, Some(pid as u32), &tree, value);
            }
        }
    }
}

/// The points that may be exchanged with each other.
fn classes(
    program: &Program,
    first: &State,
    points: &Points,
    kinds: &Kinds<'_>,
    pins: &[Option<Alone>],
    has_locations: bool,
) -> Vec<Vec<u32>> {
    let mut classes: Vec<(String, Vec<u32>)> = Vec::new();
    let mut put =
        |key: String, point: u32| match classes.iter_mut().find(|(known, _)| *known == key) {
            Some((_, class)) => class.push(point),
            None => classes.push((key, vec![point])),
        };
    for (pid, process) in first.processes.iter().enumerate() {
        if pins[pid].is_none() {
            put(format!("process {}", process.proctype.index()), pid as u32);
        }
    }
    let channels = first.channels.iter().enumerate();
    for (number, queue) in channels.filter(|_| !kinds.channels_are_numbers()) {
        let declared = &program.channels[queue.kind];
        let types: Vec<&Ty> = declared
            .fields
            .iter()
            .map(|ty| program.types.get(*ty))
            .collect();
        let fields = &kinds.fields[queue.kind.index()];
        let fields: Vec<_> = fields.iter().map(|field| kinds.find(*field)).collect();
        let key = format!("channel {} {types:?} {fields:?}", declared.capacity);
        put(key, (points.processes + number) as u32);
    }
    for (kind, values, point) in &points.kinds {
        (0..values.len() as u32).for_each(|at| put(format!("value {kind:?}"), point + at));
    }
    if has_locations && !kinds.sees_locations {
        for (graph, locations) in points.locations.iter().enumerate() {
            let own = locations.iter().flatten();
            own.for_each(|point| put(format!("location {graph}"), *point));
        }
    }
    let several = classes.into_iter().map(|(_, class)| class);
    several.filter(|class| class.len() > 1).collect()
}
