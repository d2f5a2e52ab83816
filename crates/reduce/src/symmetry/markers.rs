//! Symmetry markers that may take two orbits for one: fast, and honest about it.
//!
//! Paper: [LeuschelMassart10], definitions 6 to 8. The marker of a state is the state with every point replaced
//! by the multiset of paths that lead to it. Differs: a value without points is *NonSym* whatever its form, and
//! records are tuples whose NonSym fields are part of the path, so markers tell more states apart.
//! Preserves: what is found is there; what is not found may be hidden behind a state with the same marker.
//! Where proposition 2 holds for all slots, colours decide the orbit and `exact.rs` does the work instead.
//! Invariant: two states are taken for one only when their full markers are equal; hashes find, never decide.
//! Invariant: the first state with a marker stands for it, so the answers depend on the order of the questions:
//! one thread, level by level.

use std::sync::{Mutex, MutexGuard, PoisonError};

use canon::{Exchanges, Node, end_of, form};
use pins::{Fault, Permute, Shape};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::exact::{Depth, Former, Part};
use super::quotient::{Chooser, Tally};

/// What was met so far; shared, because the numbers in markers are.
#[derive(Default)]
pub(super) struct Marked {
    met: Mutex<Met>,
}

#[derive(Default)]
struct Met {
    /// Paths: the number of a shorter one as an atom, and a step.
    paths: FxHashMap<Box<[Node]>, u32>,
    /// The path asked for last.
    path: Vec<Node>,
    /// Lists of numbers: the paths to a point in one slot, and over all slots.
    lists: FxHashMap<Box<[u32]>, u32>,
    /// For each point its paths in a slot's word.
    words: FxHashMap<u64, Box<[u32]>>,
    /// Markers of set-ups and of states.
    tables: [Table; 2],
    bytes: u64,
}

#[derive(Default)]
struct Table {
    markers: FxHashMap<Box<[Node]>, u32>,
    representatives: Vec<Box<[u32]>>,
}

impl Marked {
    fn met(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.met().bytes
    }

    /// Representatives in the order in which they were met; markers are computed again.
    pub(super) fn save(&self) -> Vec<u8> {
        let mut saved = Vec::new();
        for table in &self.met().tables {
            saved.extend((table.representatives.len() as u64).to_le_bytes());
            for vector in &table.representatives {
                saved.extend((vector.len() as u64).to_le_bytes());
                saved.extend(vector.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        saved
    }

    pub(super) fn restore(&self, saved: &[u8]) -> Result<(), String> {
        let short = || "the table of markers is cut short".to_owned();
        let mut rest = saved;
        for table in &mut self.met().tables {
            let (head, tail) = rest.split_first_chunk::<8>().ok_or_else(short)?;
            rest = tail;
            for _ in 0..u64::from_le_bytes(*head) {
                let (head, tail) = rest.split_first_chunk::<8>().ok_or_else(short)?;
                let bytes = u64::from_le_bytes(*head) as usize * 4;
                let vector = tail.get(..bytes).ok_or_else(short)?;
                rest = &tail[bytes..];
                let words = vector.chunks_exact(4);
                let words = words.map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
                table.representatives.push(words.collect());
            }
        }
        Ok(())
    }
}

/// Replaces a state by the first one with its marker.
pub(super) struct Marking<'a> {
    former: Former<'a>,
    marked: &'a Marked,
    classes: &'a [Vec<u32>],
    /// The slots that can hold points, for set-ups and for states, and whether their markers are imprecise.
    slots: [Vec<(usize, bool)>; 2],
    /// The other slots.
    plain: [Vec<usize>; 2],
    /// Whether a point can move.
    moves: Vec<bool>,
    entries: Vec<u32>,
    marker: Vec<Node>,
    list: Vec<u32>,
    ids: Vec<u32>,
}

impl<'a> Marking<'a> {
    pub(super) fn new(
        permute: &'a dyn Permute,
        shape: &Shape,
        classes: &'a [Vec<u32>],
        imprecise: &[usize],
        marked: &'a Marked,
    ) -> Marking<'a> {
        let points = pins::symmetry::points(permute.sorts());
        let mut moves = vec![false; points];
        for point in classes.iter().flatten() {
            moves[*point as usize] = true;
        }
        let all = |part: Part| {
            let slots = shape.slots.iter().enumerate();
            slots
                .filter(move |(_, slot)| part == Part::State || slot.is_constant)
                .map(|(slot, _)| slot)
        };
        let moving = |part| all(part).filter(|slot| permute.moves(*slot));
        let moving = |part| {
            moving(part)
                .map(|slot| (slot, imprecise.contains(&slot)))
                .collect()
        };
        let plain = |part| all(part).filter(|slot| !permute.moves(*slot)).collect();
        Marking {
            former: Former::new(permute, shape, classes, Depth::Colours),
            marked,
            classes,
            slots: [Part::Setup, Part::State].map(moving),
            plain: [Part::Setup, Part::State].map(plain),
            moves,
            entries: Vec::new(),
            marker: Vec::new(),
            list: Vec::new(),
            ids: vec![0; points],
        }
    }

    /// Computes the marker of a vector; `false` when it holds something that cannot be permuted.
    fn mark(&mut self, met: &mut Met, vector: &[u32], part: Part) -> bool {
        let slots = &self.slots[part as usize];
        let Some(entries) = self.former.entries_of(vector, part) else {
            return false;
        };
        self.entries.clear();
        self.entries.extend_from_slice(entries);
        let entries = &self.entries;
        for ((slot, _), entry) in slots.iter().zip(entries) {
            let key = (*slot as u64) << 32 | u64::from(vector[*slot]);
            if !met.words.contains_key(&key) {
                let term = &self.former.words.entry(*entry).term;
                let found = met.paths(*slot as u32, term, &self.moves);
                met.words.insert(key, found);
            }
        }
        let words: Vec<&[u32]> = slots
            .iter()
            .map(|(slot, _)| &*met.words[&((*slot as u64) << 32 | u64::from(vector[*slot]))])
            .collect();
        self.marker.clear();
        for slot in &self.plain[part as usize] {
            self.marker.push(Node::Atom(u64::from(vector[*slot])));
        }
        for (point, id) in self.ids.iter_mut().enumerate() {
            *id = u32::MAX - point as u32;
        }
        for class in self.classes {
            let start = self.marker.len();
            for point in class {
                self.list.clear();
                self.list
                    .extend(words.iter().map(|word| word[*point as usize]));
                let id = number(&mut met.lists, &self.list);
                self.ids[*point as usize] = id;
                self.marker.push(Node::Atom(u64::from(id)));
            }
            self.marker[start..].sort_unstable();
        }
        for ((_, is_imprecise), entry) in slots.iter().zip(entries) {
            if *is_imprecise {
                let term = &self.former.words.entry(*entry).term;
                form(term, &self.ids, &mut self.marker);
            }
        }
        true
    }

    /// After a resume: the markers of the representatives that were saved.
    fn catch_up(&mut self, met: &mut Met, part: Part) {
        for at in
            met.tables[part as usize].markers.len()..met.tables[part as usize].representatives.len()
        {
            let vector = met.tables[part as usize].representatives[at].clone();
            if self.mark(met, &vector, part) {
                let marker = self.marker.as_slice().into();
                met.tables[part as usize].markers.insert(marker, at as u32);
            }
        }
    }
}

impl Chooser for Marking<'_> {
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        self.former.begin(state);
        None
    }

    fn begin_setup(&mut self, _: &[u32]) -> Option<u128> {
        self.former.begin_anew();
        None
    }

    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault> {
        out.clear();
        let mut met = self.marked.met();
        let table = &met.tables[part as usize];
        if table.markers.len() < table.representatives.len() {
            self.catch_up(&mut met, part);
        }
        if !self.mark(&mut met, vector, part) {
            out.extend_from_slice(vector);
            return Ok(());
        }
        let table = &mut met.tables[part as usize];
        match table.markers.get(self.marker.as_slice()) {
            Some(known) => out.extend_from_slice(&table.representatives[*known as usize]),
            None => {
                let number = table.representatives.len() as u32;
                table.markers.insert(self.marker.as_slice().into(), number);
                table.representatives.push(vector.into());
                met.bytes += (self.marker.len() * 16 + vector.len() * 4 + 64) as u64;
                out.extend_from_slice(vector);
            }
        }
        Ok(())
    }

    fn exchanges(&mut self, found: &mut Exchanges) {
        self.former.exchanges(found);
    }

    fn tally(&mut self, tally: &mut Tally) {
        tally.opaque += std::mem::take(&mut self.former.opaque);
    }
}

/// The number of a list.
fn number(lists: &mut FxHashMap<Box<[u32]>, u32>, list: &[u32]) -> u32 {
    if let Some(known) = lists.get(list) {
        return *known;
    }
    let number = lists.len() as u32;
    lists.insert(list.into(), number);
    number
}

impl Met {
    /// For each point the number of the multiset of paths to it.
    fn paths(&mut self, slot: u32, term: &[Node], moves: &[bool]) -> Box<[u32]> {
        let root = self.path(u32::MAX - slot, &[]);
        let mut found = vec![Vec::new(); moves.len()];
        self.walk(term, 0, root, moves, &mut found);
        self.bytes += moves.len() as u64 * 4 + 32;
        let lists = found.into_iter().map(|mut paths| {
            paths.sort_unstable();
            number(&mut self.lists, &paths)
        });
        lists.collect()
    }

    /// The number of a path that is one step longer.
    fn path<'s>(&mut self, path: u32, step: impl IntoIterator<Item = &'s Node>) -> u32 {
        self.path.clear();
        self.path.push(Node::Atom(u64::from(path)));
        self.path.extend(step);
        if let Some(known) = self.paths.get(self.path.as_slice()) {
            return *known;
        }
        let number = self.paths.len() as u32;
        self.paths.insert(self.path.as_slice().into(), number);
        number
    }

    /// Definition 6 with the rules of definition 8; gives the end of the part at `at`.
    fn walk(
        &mut self,
        term: &[Node],
        at: usize,
        path: u32,
        moves: &[bool],
        found: &mut [Vec<u32>],
    ) -> usize {
        match term[at] {
            Node::Atom(_) => at + 1,
            Node::Point(point) => {
                if moves[point as usize] {
                    found[point as usize].push(path);
                }
                at + 1
            }
            Node::Set(parts) => {
                let inside = self.path(path, &[Node::Set(1)]);
                let mut next = at + 1;
                for _ in 0..parts {
                    next = self.walk(term, next, inside, moves, found);
                }
                next
            }
            Node::Tuple(parts) => {
                let mut bounds: SmallVec<[usize; 8]> = SmallVec::new();
                bounds.push(at + 1);
                for part in 0..parts as usize {
                    bounds.push(end_of(term, bounds[part]));
                }
                let part = |number: usize| &term[bounds[number]..bounds[number + 1]];
                let holds = |number: usize| {
                    let mut nodes = part(number).iter();
                    nodes.any(|node| matches!(node, Node::Point(p) if moves[*p as usize]))
                };
                let parts = parts as usize;
                // Rule 2c: the same value on both sides is one path.
                if parts == 2 && holds(0) && same(part(0), part(1)) {
                    let both = self.path(path, &[Node::Tuple(u32::MAX)]);
                    self.walk(term, bounds[0], both, moves, found);
                    return bounds[parts];
                }
                // Rules 2a, 2b, 2d: the parts without points belong to the step.
                let mut beside: SmallVec<[Node; 16]> = SmallVec::new();
                for number in 0..parts {
                    if holds(number) {
                        beside.push(Node::Set(u32::MAX));
                    } else {
                        beside.extend_from_slice(part(number));
                    }
                }
                for (number, start) in bounds[..parts].iter().enumerate() {
                    if holds(number) {
                        let step = [Node::Tuple(number as u32)];
                        let inside = self.path(path, step.iter().chain(&beside));
                        self.walk(term, *start, inside, moves, found);
                    }
                }
                bounds[parts]
            }
        }
    }
}

/// Whether two parts are the same value; sets may be shown in any order.
fn same(a: &[Node], b: &[Node]) -> bool {
    if a.len() != b.len() || a.len() == 1 {
        return a == b;
    }
    let most = a.iter().chain(b).map(|node| match node {
        Node::Point(point) => point + 1,
        _ => 0,
    });
    let images: Vec<u32> = (0..most.max().unwrap_or(0)).collect();
    let forms = [a, b].map(|part| {
        let mut out = Vec::new();
        form(part, &images, &mut out);
        out
    });
    forms[0] == forms[1]
}
