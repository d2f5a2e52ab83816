//! The paths that lead to points in a value, as numbers: definitions 6 to 8 of the markers' paper.
//!
//! Paper: [Leuschel, Massart 2010]. Differs: a value without points is *NonSym* whatever its form, and records are tuples
//! whose NonSym fields are part of the path, so markers tell more states apart.
//! Technique: most values are sets of tuples. What paths there are to the points of such a part depends on the part with its
//! points numbered as they come, its *shape*; they are found once for a shape.
//! Invariant: numbers depend on what was asked before, equality of numbers does not.

use canon::{Node, end_of, form, write_words};
use smallvec::SmallVec;

use super::numbered::Numbered;

/// Paths, multisets of them, and shapes met so far.
#[derive(Default)]
pub(super) struct Paths {
    /// A path: the number of a shorter one, and a step.
    paths: Numbered,
    /// Multisets of paths, sorted.
    lists: Numbered,
    /// Parts with points numbered as they come, below the number of a path.
    shapes: Numbered,
    /// For each shape the paths to its points: number of the point, and path.
    within: Vec<SmallVec<[(u8, u32); 4]>>,
    found: Vec<Vec<u32>>,
    words: Vec<u32>,
}

/// What the form of a value with its points replaced is made of.
pub(super) enum Parts {
    /// It is not asked for.
    None,
    /// The parts of a set of tuples with few points each.
    Flat(Box<[Flat]>),
    /// The value itself.
    Whole(Box<[Node]>),
}

/// A part with at most [`FEW`] different points.
#[derive(Clone, Copy)]
pub(super) struct Flat {
    shape: u32,
    points: [u32; FEW],
}

/// So many different points are few.
const FEW: usize = 3;

impl Flat {
    /// The shape and the numbers that replace the points: parts of one shape have equally many.
    pub(super) fn pack(&self, ids: &[u32]) -> u128 {
        self.points
            .iter()
            .fold(u128::from(self.shape), |packed, point| {
                let id = ids.get(*point as usize).copied().unwrap_or(0);
                packed << 32 | u128::from(id)
            })
    }
}

impl Parts {
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Parts::None => 0,
            Parts::Flat(parts) => parts.len() as u64 * 16,
            Parts::Whole(term) => term.len() as u64 * 16,
        }
    }
}

impl Paths {
    /// The bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let shapes = self.within.len() as u64 * 48;
        self.paths.bytes() + self.lists.bytes() + self.shapes.bytes() + shapes
    }

    /// For each point the number of the multiset of paths to it, and what the form is made of if it is wanted.
    pub(super) fn read(
        &mut self,
        slot: u32,
        term: &[Node],
        moves: &[bool],
        wants_form: bool,
    ) -> (Box<[u32]>, Parts) {
        let mut found = std::mem::take(&mut self.found);
        found.resize(moves.len(), Vec::new());
        found.iter_mut().for_each(Vec::clear);
        let root = self.path(u32::MAX - slot, &[]);
        let mut flat = Vec::new();
        let mut is_flat = matches!(term.first(), Some(Node::Set(_)));
        if let Some(Node::Set(parts)) = term.first() {
            let inside = self.path(root, &[Node::Set(1)]);
            let mut next = 1;
            for _ in 0..*parts {
                let start = next;
                next = end_of(term, start);
                match self.shape(inside, &term[start..next], moves) {
                    Some(part) => {
                        for (number, path) in &self.within[part.shape as usize] {
                            found[part.points[*number as usize] as usize].push(*path);
                        }
                        flat.push(part);
                    }
                    None => {
                        is_flat = false;
                        self.walk(term, start, inside, moves, &mut found);
                    }
                }
            }
        } else {
            self.walk(term, 0, root, moves, &mut found);
        }
        let lists = found.iter_mut().map(|paths| {
            paths.sort_unstable();
            self.lists.number(paths).0
        });
        let lists = lists.collect();
        self.found = found;
        let parts = match (wants_form, is_flat) {
            (false, _) => Parts::None,
            (true, true) => Parts::Flat(flat.into()),
            (true, false) => Parts::Whole(term.into()),
        };
        (lists, parts)
    }

    /// The shape of a part of tuples with few points.
    fn shape(&mut self, path: u32, part: &[Node], moves: &[bool]) -> Option<Flat> {
        let mut points = [u32::MAX; FEW];
        let mut count = 0;
        self.words.clear();
        self.words.push(path);
        for node in part {
            match *node {
                Node::Set(_) => return None,
                Node::Point(point) if moves[point as usize] => {
                    let number = match points[..count].iter().position(|known| *known == point) {
                        Some(known) => known,
                        None if count == FEW => return None,
                        None => {
                            points[count] = point;
                            count += 1;
                            count - 1
                        }
                    };
                    self.words.push(MOVING + number as u32);
                }
                Node::Atom(_) | Node::Point(_) | Node::Tuple(_) => {
                    write_words(*node, &mut self.words)
                }
            }
        }
        let (shape, is_new) = self.shapes.number(&self.words);
        if is_new {
            let mut found = vec![Vec::new(); moves.len()];
            self.walk(part, 0, path, moves, &mut found);
            let numbered = points[..count].iter().enumerate();
            let within = numbered.flat_map(|(number, point)| {
                let paths = found[*point as usize].iter();
                paths.map(move |path| (number as u8, *path))
            });
            self.within.push(within.collect());
        }
        Some(Flat { shape, points })
    }

    /// The number of a path that is one step longer.
    fn path(&mut self, path: u32, step: &[Node]) -> u32 {
        self.words.clear();
        self.words.push(path);
        step.iter()
            .for_each(|node| write_words(*node, &mut self.words));
        self.paths.number(&self.words).0
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
                let mut step: SmallVec<[Node; 16]> = SmallVec::new();
                step.push(Node::Tuple(0));
                for number in 0..parts {
                    if holds(number) {
                        step.push(Node::Set(u32::MAX));
                    } else {
                        step.extend_from_slice(part(number));
                    }
                }
                for (number, start) in bounds[..parts].iter().enumerate() {
                    if holds(number) {
                        step[0] = Node::Tuple(number as u32);
                        let inside = self.path(path, &step);
                        self.walk(term, *start, inside, moves, found);
                    }
                }
                bounds[parts]
            }
        }
    }
}

/// Stands for a point that can move, by its number in a part.
const MOVING: u32 = 4;

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
