//! Which points hang together in a term: the cheap proof that points of one colour can be exchanged, alone or in groups.
//!
//! Technique: parts of a set that colours tell apart stay where they are, so only parts that look alike tie their points
//! to each other. Where no two points of one such group have one colour, an exchange of groups has no choice, and groups
//! with the same colours and the same parts can be permuted freely: a partial injection between two sets of points, say,
//! needs no search.
//! Invariant: colours propose, parts decide: groups are compared part by part before they count as alike.

use crate::form::{Node, end_of, form};
use crate::search::Canon;

/// How points hang together in a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Links {
    /// Not at all: points of one colour can be permuted freely.
    None,
    /// In groups with at most one point of each colour; groups of the same colours can be permuted freely. For each
    /// point the least one of its group.
    Groups(Box<[u32]>),
    /// In another way.
    Tangled,
}

/// Scratch space.
#[derive(Debug, Default)]
pub(crate) struct Linker {
    /// Points that share their colour with another one.
    is_free: Vec<bool>,
    parent: Vec<u32>,
    is_tangled: bool,
    /// Parts that look like another part of their set.
    shared: Vec<Shared>,
    parts: Vec<(u64, usize)>,
    order: Vec<(u64, u32)>,
    /// Group, colour and point.
    members: Vec<(u32, u64, u32)>,
    images: Vec<u32>,
    forms: Vec<Node>,
}

#[derive(Clone, Copy, Debug)]
struct Shared {
    /// Where the set begins that it is part of.
    set: usize,
    start: usize,
    end: usize,
    group: u32,
}

impl Canon {
    /// How points hang together in a term. `colours` are stable (`Canon::colour`), and different for points of
    /// different classes.
    pub fn links(&mut self, term: &[Node], classes: &[Vec<u32>], colours: &[u64]) -> Links {
        let linker = &mut self.linker;
        linker.begin(classes, colours);
        let hashes = self.refiner.hashes(term, colours);
        linker.walk(term, hashes, 0);
        if linker.is_tangled {
            return Links::Tangled;
        }
        linker.gather(classes, colours);
        match linker.is_tangled || !linker.are_alike(term, colours.len()) {
            true => Links::Tangled,
            false if linker.members.windows(2).all(|m| m[0].0 != m[1].0) => Links::None,
            false => Links::Groups(linker.parent.as_slice().into()),
        }
    }
}

impl Linker {
    fn begin(&mut self, classes: &[Vec<u32>], colours: &[u64]) {
        self.parent.clear();
        self.parent.extend(0..colours.len() as u32);
        self.is_free.clear();
        self.is_free.resize(colours.len(), false);
        for class in classes {
            self.order.clear();
            let coloured = class.iter().map(|point| (colours[*point as usize], *point));
            self.order.extend(coloured);
            self.order.sort_unstable();
            for cell in self.order.chunk_by(|a, b| a.0 == b.0) {
                if cell.len() > 1 {
                    cell.iter()
                        .for_each(|(_, p)| self.is_free[*p as usize] = true);
                }
            }
        }
        self.is_tangled = false;
        self.shared.clear();
        self.parts.clear();
    }

    /// Looks at a part that no permutation moves; gives its end.
    fn walk(&mut self, term: &[Node], hashes: &[u64], at: usize) -> usize {
        match term[at] {
            Node::Atom(_) => at + 1,
            Node::Point(point) => {
                self.is_tangled |= self.is_free[point as usize];
                at + 1
            }
            Node::Tuple(parts) => {
                let mut next = at + 1;
                for _ in 0..parts {
                    next = self.walk(term, hashes, next);
                }
                next
            }
            Node::Set(parts) => {
                let from = self.parts.len();
                let mut next = at + 1;
                for _ in 0..parts {
                    self.parts.push((hashes[next], next));
                    next = end_of(term, next);
                }
                self.parts[from..].sort_unstable();
                let mut first = from;
                while first < self.parts.len() {
                    let (hash, start) = self.parts[first];
                    let alike = self.parts[first..].iter();
                    let count = alike.take_while(|part| part.0 == hash).count();
                    if count == 1 {
                        self.walk(term, hashes, start);
                    } else {
                        for part in first..first + count {
                            self.link(term, at, self.parts[part].1);
                        }
                    }
                    first += count;
                }
                self.parts.truncate(from);
                next
            }
        }
    }

    /// The free points of a part hang together.
    fn link(&mut self, term: &[Node], set: usize, start: usize) {
        let end = end_of(term, start);
        let mut group = None;
        for node in &term[start..end] {
            if let Node::Point(point) = *node
                && self.is_free[point as usize]
            {
                match group {
                    None => group = Some(point),
                    Some(first) => join(&mut self.parent, first, point),
                }
            }
        }
        match group {
            None => self.is_tangled = true,
            Some(group) => self.shared.push(Shared {
                set,
                start,
                end,
                group,
            }),
        }
    }

    /// Collects groups; tangled when one has two points of one colour.
    fn gather(&mut self, classes: &[Vec<u32>], colours: &[u64]) {
        for point in 0..self.parent.len() as u32 {
            self.parent[point as usize] = leader(&self.parent, point);
        }
        self.members.clear();
        let free = classes.iter().flatten();
        let free = free.filter(|point| self.is_free[**point as usize]);
        let (parent, colour) = (&self.parent, |p: u32| colours[p as usize]);
        self.members
            .extend(free.map(|p| (parent[*p as usize], colour(*p), *p)));
        self.members.sort_unstable();
        let mut pairs = self.members.windows(2);
        self.is_tangled = pairs.any(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
    }

    /// Whether groups of the same colours have the same parts, points named by their place in the group.
    fn are_alike(&mut self, term: &[Node], points: usize) -> bool {
        self.images.clear();
        self.images.extend(0..points as u32);
        let groups = self.members.chunk_by(|a, b| a.0 == b.0);
        for group in groups.clone() {
            for (place, (_, _, point)) in group.iter().enumerate() {
                self.images[*point as usize] = (points + place) as u32;
            }
        }
        self.forms.clear();
        // What the parts of each group look like: group, set, place of the form.
        let mut looks: Vec<(u32, usize, (usize, usize))> = Vec::with_capacity(self.shared.len());
        for part in &self.shared {
            let start = self.forms.len();
            form(&term[part.start..part.end], &self.images, &mut self.forms);
            let group = self.parent[part.group as usize];
            looks.push((group, part.set, (start, self.forms.len())));
        }
        let forms = &self.forms;
        let look = |(_, set, (from, to)): &(u32, usize, (usize, usize))| (*set, &forms[*from..*to]);
        looks.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| look(a).cmp(&look(b))));
        let looks_of = |group: u32| {
            let from = looks.partition_point(|look| look.0 < group);
            let to = looks.partition_point(|look| look.0 <= group);
            &looks[from..to]
        };
        let mut sorted: Vec<&[(u32, u64, u32)]> = groups.collect();
        let colours = |group: &[(u32, u64, u32)]| group.iter().map(|m| m.1).collect::<Vec<_>>();
        let has_same = |a: &[(u32, u64, u32)], b: &[(u32, u64, u32)]| {
            a.iter().map(|m| m.1).eq(b.iter().map(|m| m.1))
        };
        match sorted.iter().all(|group| group.len() == 1) {
            true => sorted.sort_unstable_by_key(|group| group[0].1),
            false => sorted.sort_by_cached_key(|group| colours(group)),
        }
        sorted.windows(2).all(|pair| {
            !has_same(pair[0], pair[1])
                || looks_of(pair[0][0].0)
                    .iter()
                    .map(look)
                    .eq(looks_of(pair[1][0].0).iter().map(look))
        })
    }
}

/// The least point of the group that a point belongs to, in a forest of groups.
pub fn leader(parent: &[u32], mut point: u32) -> u32 {
    while parent[point as usize] != point {
        point = parent[point as usize];
    }
    point
}

/// Makes two groups one.
pub fn join(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (leader(parent, a), leader(parent, b));
    let (low, high) = (a.min(b), a.max(b));
    parent[high as usize] = low;
}
