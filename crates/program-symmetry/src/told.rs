//! Symmetry that some edges break: the permutations that everything but a few edges keeps, and what those edges tell apart.
//!
//! Technique: an edge that names a process, a channel or another point, or that uses a function whose table is not permuted to
//! itself (an order, say), is left out of the structure. What it tells apart are colours of points: those that it names one by one,
//! and for a function of one operand the points by their results. An edge whose images are edges again tells nothing. A function that
//! has more symmetry than colours can say (the next one in a ring) stays in the structure.
//! What an edge does may depend on others: `else` on the edges of its location, a sequence without a state in between on what follows, an
//! offer on who takes it. So colours spread to the edges that depend on them.
//! Invariant: a permutation that keeps the colours of an edge maps its steps to steps.
//! Invariant: where steps depend on what others can do (`timeout`, priorities), nothing is left out.

use canon::{Node, form_words};
use permgroup::Group;
use program::{Act, EdgeId, Graph, Kind, ProctypeId, Program, Then};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::structure::Structure;
use crate::{Entries, Nothing, Scanning, Symmetry};

/// A symmetry that some edges break.
#[derive(Clone, Debug)]
pub struct Partial {
    /// What everything else keeps.
    pub symmetry: Symmetry,
    /// For each proctype and edge a colour of each point; empty where an edge tells nothing apart.
    pub told: Vec<Vec<Vec<u32>>>,
}

/// Finds the symmetry of a program but for single edges, like [`crate::find`].
///
/// # Errors
/// Why there is none.
pub fn find_partial(
    program: &Program,
    entries: &Entries,
    questions: &[program::ExprId],
    scanning: &[Scanning],
) -> Result<Partial, Nothing> {
    let structure = Structure::new(program, entries, questions, scanning)?;
    let (whole, generators) = structure.best();
    let none = || {
        let kinds = program.proctypes.iter();
        kinds
            .map(|(_, kind)| vec![Vec::new(); kind.graph.edges.len()])
            .collect::<Vec<_>>()
    };
    let breaking = match is_watched(program) {
        true => None,
        false => Breaking::find(&structure),
    };
    let order = |group: &Group| structure.points.on_data(group).order();
    match breaking {
        Some(breaking) if order(&breaking.group) > order(&whole) => {
            let mut told = none();
            breaking.tell(&mut told);
            spread(program, &mut told);
            let (group, generators) = (breaking.group, breaking.generators);
            Ok(Partial {
                symmetry: structure.symmetry(group, &generators),
                told,
            })
        }
        _ => Ok(Partial {
            symmetry: structure.symmetry(whole, &generators),
            told: none(),
        }),
    }
}

/// Whether steps depend on what other processes can do.
fn is_watched(program: &Program) -> bool {
    let mut exprs = program.exprs.iter();
    program.semantics.has_priorities
        || exprs.any(|(_, expr)| {
            matches!(
                expr.kind,
                Kind::Timeout | Kind::Enabled(_) | Kind::PriorityOf(_) | Kind::NoProgress
            )
        })
}

/// What was left out of a structure, and the group of the rest.
struct Breaking<'s, 'p> {
    structure: &'s Structure<'p>,
    /// Functions whose tables are left out.
    functions: FxHashSet<u32>,
    group: Group,
    generators: Vec<Vec<u32>>,
}

impl<'s, 'p> Breaking<'s, 'p> {
    fn find(structure: &'s Structure<'p>) -> Option<Breaking<'s, 'p>> {
        let used = used_elsewhere(structure);
        let count = structure.points.count as u32;
        let functions = (0..structure.tables.len() as u32).map(|at| count + at);
        let functions: FxHashSet<u32> = functions.filter(|f| !used.contains(f)).collect();
        let mut breaking = Breaking::without(structure, functions);
        let mut all: Vec<u32> = breaking.functions.iter().copied().collect();
        all.sort_unstable();
        let mut kept = breaking.functions.clone();
        for function in all {
            if breaking.is_closed(function) {
                kept.remove(&function);
                continue;
            }
            let colours = breaking.function_colours(function);
            let with = breaking.functions.iter().copied();
            let with = Breaking::without(structure, with.filter(|f| *f != function).collect());
            if with.group.order() > breaking.group.keeping(&colours).order() {
                kept.remove(&function);
            }
        }
        if kept != breaking.functions {
            breaking = Breaking::without(structure, kept);
        }
        (!breaking.group.is_trivial()).then_some(breaking)
    }

    /// The group where some functions, and the edges that name points or use them, are left out.
    fn without(structure: &'s Structure<'p>, functions: FxHashSet<u32>) -> Breaking<'s, 'p> {
        let mut left_out = vec![false; structure.roots.len()];
        for function in &functions {
            for root in &structure.tables[(*function as usize) - structure.points.count] {
                left_out[*root] = true;
            }
        }
        for edge in &structure.edges {
            left_out[edge.root] = structure.named(edge.root).any(|point| {
                (point as usize) < structure.points.count || functions.contains(&point)
            });
        }
        let (group, generators) = structure.group(&|root| !left_out[root], false, &functions);
        Breaking {
            structure,
            functions,
            group,
            generators,
        }
    }

    /// Whether the table of a function is permuted to itself.
    fn is_closed(&self, function: u32) -> bool {
        let table = &self.structure.tables[function as usize - self.structure.points.count];
        let rows = |images: &[u32]| -> FxHashSet<Vec<u32>> {
            let rows = table.iter().map(|root| self.term(*root, images));
            rows.collect()
        };
        let own = rows(&self.identity());
        self.generators.iter().all(|images| rows(images) == own)
    }

    fn identity(&self) -> Vec<u32> {
        permgroup::identity(self.structure.points.count + self.structure.tables.len())
    }

    fn term(&self, root: usize, images: &[u32]) -> Vec<u32> {
        let mut words = Vec::new();
        form_words(&self.structure.roots[root].0, images, &mut words);
        words
    }

    /// What a function tells apart: points by what becomes of them where there is one operand, else all points of its table.
    fn function_colours(&self, function: u32) -> Vec<u32> {
        let table = &self.structure.tables[function as usize - self.structure.points.count];
        let mut seen: FxHashMap<u32, Vec<u64>> = FxHashMap::default();
        let mut is_unary = true;
        for root in table {
            let term = &self.structure.roots[*root].0;
            let points: Vec<u32> = self
                .structure
                .named(*root)
                .filter(|p| *p != function)
                .collect();
            is_unary &= points.len() < 2;
            let rest = term.iter().filter_map(|node| match node {
                Node::Atom(atom) => Some(*atom),
                _ => None,
            });
            let rest: Vec<u64> = rest.collect();
            for point in points {
                seen.entry(point).or_default().extend(&rest);
            }
        }
        let mut kinds: Vec<&[u64]> = Vec::new();
        let mut colours = vec![0; self.structure.points.count];
        let mut points: Vec<&u32> = seen.keys().collect();
        points.sort_unstable();
        for point in points {
            let own = &seen[point];
            let known = kinds.iter().position(|known| known == own);
            colours[*point as usize] = match known.filter(|_| is_unary) {
                Some(known) => known as u32 + 1,
                None => {
                    kinds.push(own);
                    kinds.len() as u32
                }
            };
        }
        colours
    }

    /// Colours the edges that were left out, but for those whose images are edges.
    fn tell(&self, told: &mut [Vec<Vec<u32>>]) {
        let structure = self.structure;
        let is_out = |root: usize| {
            structure.named(root).any(|point| {
                (point as usize) < structure.points.count || self.functions.contains(&point)
            })
        };
        let open: Vec<u32> = self
            .functions
            .iter()
            .copied()
            .filter(|f| !self.is_closed(*f))
            .collect();
        let uses_open = |root: usize| structure.named(root).any(|point| open.contains(&point));
        let out = structure.edges.iter().filter(|edge| is_out(edge.root));
        let (apart, mut alike): (Vec<_>, Vec<_>) = out.partition(|edge| uses_open(edge.root));
        let mut apart = apart;
        loop {
            let key = |edge: &crate::edges::Written, images: &[u32]| {
                (edge.proctype, self.term(edge.root, images))
            };
            let identity = self.identity();
            let known: FxHashSet<_> = alike.iter().map(|edge| key(edge, &identity)).collect();
            let is_taken = |edge: &&crate::edges::Written| {
                let mut generators = self.generators.iter();
                generators.all(|images| known.contains(&key(edge, images)))
            };
            let (still, gone): (Vec<_>, Vec<_>) = alike.into_iter().partition(is_taken);
            alike = still;
            if gone.is_empty() {
                break;
            }
            apart.extend(gone);
        }
        for edge in apart {
            let mut colours = vec![0; structure.points.count];
            for point in structure.named(edge.root) {
                match colours.get_mut(point as usize) {
                    Some(colour) => *colour = point + 1,
                    None if open.contains(&point) => {
                        colours = joined(&colours, &self.function_colours(point));
                    }
                    None => {}
                }
            }
            let colours = joined(&colours, &colours);
            for id in &edge.edges {
                told[edge.proctype.index()][id.index()] = colours.clone();
            }
        }
    }
}

/// Functions that more than edges use.
fn used_elsewhere(structure: &Structure<'_>) -> FxHashSet<u32> {
    let tables = structure.tables.iter().flatten();
    let own: FxHashSet<usize> = tables
        .copied()
        .chain(structure.edges.iter().map(|edge| edge.root))
        .collect();
    let others = (0..structure.roots.len()).filter(|root| !own.contains(root));
    let named = others.flat_map(|root| structure.named(root));
    named
        .filter(|point| *point as usize >= structure.points.count)
        .collect()
}

/// Colours that tell apart what either does, numbered in the order of points; an empty one tells nothing apart.
fn joined(a: &[u32], b: &[u32]) -> Vec<u32> {
    if a.is_empty() || b.is_empty() {
        return [a, b].concat();
    }
    let mut known: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let both = a.iter().copied().zip(b.iter().copied());
    both.map(|pair| {
        let next = known.len() as u32;
        *known.entry(pair).or_insert(next)
    })
    .collect()
}

/// Lets edges tell apart what those do on which their steps depend.
fn spread(program: &Program, told: &mut [Vec<Vec<u32>>]) {
    let offers = program
        .channels
        .iter()
        .any(|(_, channel)| channel.capacity == 0);
    loop {
        let before = told.to_vec();
        let takers = match offers {
            true => takers(program, &before),
            false => Vec::new(),
        };
        for (kind, proctype) in program.proctypes.iter() {
            let graph = &proctype.graph;
            for (id, edge) in graph.edges.iter() {
                let mut own = before[kind.index()][id.index()].clone();
                for other in depends_on(graph, id, proctype.is_deterministic) {
                    own = joined(&own, &before[kind.index()][other.index()]);
                }
                if matches!(edge.act, Act::Send { .. }) {
                    own = joined(&own, &takers);
                }
                told[kind.index()][id.index()] = own;
            }
        }
        if before == told {
            return;
        }
    }
}

/// What all edges together tell apart that receive a message.
fn takers(program: &Program, told: &[Vec<Vec<u32>>]) -> Vec<u32> {
    let kinds = program.proctypes.iter();
    let all = kinds.flat_map(|(kind, proctype): (ProctypeId, _)| {
        let edges = proctype.graph.edges.iter();
        let takes = edges.filter(|(_, edge)| matches!(edge.act, Act::Receive { .. }));
        takes.map(move |(id, _)| &told[kind.index()][id.index()])
    });
    all.fold(Vec::new(), |all, own| joined(&all, own))
}

/// The edges of a graph on which the steps of one depend: those that follow without a state in between, and those of its location
/// where one may be possible only when others are not.
fn depends_on(graph: &Graph, id: EdgeId, is_deterministic: bool) -> Vec<EdgeId> {
    let edge = &graph.edges[id];
    let of = |location: program::LocationId| graph.locations[location].levels.iter().flatten();
    let mut found: Vec<EdgeId> = Vec::new();
    let levels = graph.locations[edge.from].levels.iter();
    let is_ordered = is_deterministic
        || levels.filter(|level| !level.is_empty()).count() > 1
        || of(edge.from).any(|other| matches!(graph.edges[*other].act, Act::Else))
        || graph
            .edges
            .iter()
            .any(|(_, other)| other.to == edge.from && other.then == Then::First);
    if is_ordered {
        found.extend(of(edge.from));
    }
    if edge.then != Then::Anybody {
        found.extend(of(edge.to));
    }
    found
}
