//! A program as one structure whose automorphisms are its symmetry: what is written, and what is made of the permutations found.
//!
//! Invariant: what is not known of a program never makes its structure more symmetric.

use base::Span;
use canon::{Canon, Node};
use permgroup::Group;
use program::{ExprId, ProctypeId, Program, State, Ty, Value};
use rustc_hash::FxHashSet;

use crate::alone::Alone;
use crate::edges::Written as WrittenEdge;
use crate::kinds::{Kinds, Tree};
use crate::parts::Parts;
use crate::points::Points;
use crate::terms::Writer;
use crate::values::Values;
use crate::{Entries, Nothing, Scanning, Symmetry, alone, edges, ends, kinds, settle};

/// The terms of a program with what they speak of.
pub(crate) struct Structure<'p> {
    program: &'p Program,
    first: &'p State,
    settled: Vec<Vec<bool>>,
    kinds: Kinds<'p>,
    pub(crate) points: Points,
    /// The terms, with where each stands.
    pub(crate) roots: Vec<(Vec<Node>, Option<Span>)>,
    /// The edges of proctypes with their terms.
    pub(crate) edges: Vec<WrittenEdge>,
    /// For each function the terms of its table.
    pub(crate) tables: Vec<Vec<usize>>,
    signatures: Vec<String>,
    pins: Vec<Option<Alone>>,
}

impl<'p> Structure<'p> {
    pub(crate) fn new(
        program: &'p Program,
        entries: &'p Entries,
        questions: &[ExprId],
        scanning: &[Scanning],
    ) -> Result<Structure<'p>, Nothing> {
        let Some(first) = entries.states.first() else {
            return Err(Nothing {
                what: "processes are created for ever",
                span: None,
            });
        };
        let mut proctypes = program.proctypes.iter();
        if program.semantics.tests_promises && proctypes.any(|(_, kind)| !kind.promises.is_empty())
        {
            return Err(Nothing {
                what: "xr and xs name processes that are alone",
                span: None,
            });
        }
        let proctypes = program.proctypes.iter();
        let settled: Vec<Vec<bool>> = proctypes
            .map(|(_, kind)| settle::settled_locations(program, &kind.graph))
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
        let signatures = std::mem::take(&mut writer.signatures);
        let tables = std::mem::take(&mut writer.tables);
        let edges = std::mem::take(&mut writer.edges);
        let pins = alone::pins(program, first, &settled, &kinds, &values);
        Ok(Structure {
            program,
            first,
            settled,
            kinds,
            points,
            roots,
            edges,
            tables,
            signatures,
            pins,
        })
    }

    /// The points that a term names, functions included, but for locations.
    pub(crate) fn named(&self, root: usize) -> impl Iterator<Item = u32> + '_ {
        let values = self.points.kinds.iter();
        let values: usize = values.map(|(_, values, _)| values.len()).sum();
        let data = self.points.processes + self.points.channels + values;
        let nodes = self.roots[root].0.iter();
        nodes.filter_map(move |node| match node {
            Node::Point(point) => {
                let at = *point as usize;
                (at < data || at >= self.points.count).then_some(*point)
            }
            _ => None,
        })
    }

    /// The permutations of points that keep some of the terms, and the same with functions. Some functions stay where they are.
    pub(crate) fn group(
        &self,
        is_kept: &dyn Fn(usize) -> bool,
        has_locations: bool,
        held: &FxHashSet<u32>,
    ) -> (Group, Vec<Vec<u32>>) {
        let kept = self.roots.iter().enumerate().filter(|(at, _)| is_kept(*at));
        let terms: Vec<&[Node]> = kept.map(|(_, (term, _))| term.as_slice()).collect();
        // Edges may stand in any order: the structure is one set.
        let mut whole = vec![Node::Set(terms.len() as u32)];
        terms.iter().for_each(|term| whole.extend_from_slice(term));
        let (points, kinds) = (&self.points, &self.kinds);
        let mut classes = classes(
            (self.program, self.first),
            (points, kinds),
            &self.pins,
            has_locations,
        );
        let functions = points.function_classes(&self.signatures).into_iter();
        let functions = functions.map(|mut class| {
            class.retain(|function| !held.contains(function));
            class
        });
        classes.extend(functions.filter(|class| class.len() > 1));
        let all = points.count + self.signatures.len();
        let generators = Canon::new().automorphisms(&[&whole], &classes, all);
        // Functions are mapped to functions only so that values are mapped to values.
        let own = generators
            .iter()
            .map(|images| images[..points.count].to_vec());
        let base: Vec<u32> = (0..points.processes as u32).collect();
        let group = Group::with_base(points.count, own.collect(), &base);
        (group, generators)
    }

    /// The permutations that keep all terms.
    pub(crate) fn best(&self) -> (Group, Vec<Vec<u32>>) {
        // Control points move only where that lets more processes, channels or values move: exchanging nothing but equal
        // branches of a text is no symmetry that anybody asks for.
        let held = self.group(&|_| true, false, &FxHashSet::default());
        let free = self.group(&|_| true, true, &FxHashSet::default());
        let order = |found: &Group| self.points.on_data(found).order();
        match order(&free.0) > order(&held.0) {
            true => free,
            false => held,
        }
    }

    /// What is known of a program by a group.
    pub(crate) fn symmetry(self, group: Group, generators: &[Vec<u32>]) -> Symmetry {
        let (program, first) = (self.program, self.first);
        let terms: Vec<&[Node]> = self.roots.iter().map(|(term, _)| term.as_slice()).collect();
        let edges = edges::images(program, &group, (&self.edges, &terms), generators);
        let parts = Parts::new(&self.kinds, &self.points, &group);
        let mut mortal = ends::mortal(program, first, &self.settled);
        if ends::seen(program, first, &mortal).is_some() {
            mortal.clear();
        }
        let ends = mortal.len();
        if ends > 0 {
            mortal.extend(ends::outlived(program, first, &self.settled));
        }
        let alone = alone::alone(program, first, &group, &self.pins, &self.roots);
        Symmetry {
            points: self.points,
            group,
            edges,
            parts,
            settled: self.settled,
            mortal,
            ends,
            alone,
        }
    }
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
    (program, first): (&Program, &State),
    (points, kinds): (&Points, &Kinds<'_>),
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
