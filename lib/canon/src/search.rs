//! The search for the canonical labelling: refine, set twins aside, and try what is left point by point.
//!
//! Invariant: a branch is left out only when an automorphism maps it to one that was tried, or when its colours
//! show that it leads neither to the best form nor to the first one (which is needed to count automorphisms).

use crate::bundles::Exchanges;
use crate::form::{Node, form};
use crate::links::{Linker, join, leader};
use crate::refine::{Refiner, mix};

/// A canonical way to exchange points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labelling {
    /// Where each point goes.
    pub images: Vec<u32>,
    /// How many permutations change nothing; `None` when there are 2^128 or more.
    pub automorphisms: Option<u128>,
}

/// Scratch space of a search.
#[derive(Debug, Default)]
pub struct Canon {
    pub(crate) refiner: Refiner,
    pub(crate) linker: Linker,
    /// For each point the least point that it is a twin of.
    twins: Vec<u32>,
    /// What can be exchanged besides twins.
    exchanges: Exchanges,
    /// Points that are held, in the order of the branches.
    prefix: Vec<u32>,
    /// Hashes of the colours along the branch.
    trace: Vec<u64>,
    first: Option<Leaf>,
    best: Option<Leaf>,
    found: Vec<Vec<u32>>,
    order: Option<u128>,
    spare: Vec<Node>,
}

#[derive(Debug, Default, Clone)]
struct Leaf {
    trace: Vec<u64>,
    images: Vec<u32>,
    form: Vec<Node>,
}

/// What a search works on.
pub(crate) struct Input<'a> {
    pub(crate) roots: &'a [&'a [Node]],
    classes: &'a [Vec<u32>],
    pub(crate) points: Vec<u32>,
    /// The class of each point; `u32::MAX` for those that stay where they are.
    pub(crate) class: Vec<u32>,
}

/// The colours that points have before anything is known of them.
#[derive(Clone, Debug)]
pub struct Blank {
    points: Vec<u32>,
    colours: Vec<u64>,
}

impl Blank {
    /// For so many points; only those of one class of `classes` (each ascending) are exchanged.
    pub fn new(classes: &[Vec<u32>], points: usize) -> Blank {
        let mut colours = vec![0; points];
        let input = Input::new(&[], classes, &mut colours);
        Blank {
            points: input.points,
            colours,
        }
    }
}

/// Branches mark a point with this.
pub(crate) const HELD: u64 = 0x5851_f42d_4c95_7f2d;

impl Canon {
    /// A new one.
    pub fn new() -> Canon {
        Canon::default()
    }

    /// The canonical labelling of a list of terms. Only points of one class of `classes` (each ascending) are
    /// exchanged. `colours` has a word for each point that depends on the structure only; zeros will do.
    pub fn label(&mut self, roots: &[&[Node]], classes: &[Vec<u32>], colours: &[u64]) -> Labelling {
        let mut colours = colours.to_vec();
        let input = Input::new(roots, classes, &mut colours);
        self.prefix.clear();
        self.trace.clear();
        self.found.clear();
        (self.first, self.best) = (None, None);
        self.order = Some(1);
        let trace = self.refiner.refine(roots, &input.points, &mut colours);
        self.trace.push(trace);
        self.find_twins(&input, &colours);
        self.exchanges.clear(colours.len());
        if self.target(&input, &colours).is_some() {
            let mut exchanges = std::mem::take(&mut self.exchanges);
            self.bundle(&input, &colours, &mut exchanges);
            self.exchanges = exchanges;
        }
        self.node(&input, &colours, true);
        let best = self.best.take().or(self.first.take());
        Labelling {
            images: best.map(|leaf| leaf.images).unwrap_or_default(),
            automorphisms: self.order,
        }
    }

    /// The automorphisms that the last search met, but for twins and bundles.
    pub(crate) fn found(&self) -> &[Vec<u32>] {
        &self.found
    }

    /// For each point the least one that it is a twin of, in the last search.
    pub(crate) fn leaders(&self) -> &[u32] {
        &self.twins
    }

    /// What could be exchanged besides twins, in the last search.
    pub(crate) fn exchanges(&self) -> &Exchanges {
        &self.exchanges
    }

    /// An order of the points that is found without a search: where colours do not decide, numbers do, a whole cell
    /// at a time. Structures that a permutation maps to each other mostly get the same form by it, but need not.
    pub fn order(
        &mut self,
        roots: &[&[Node]],
        classes: &[Vec<u32>],
        colours: &[u64],
        images: &mut Vec<u32>,
    ) {
        let mut colours = colours.to_vec();
        let input = Input::new(roots, classes, &mut colours);
        let mut points = input.points.clone();
        loop {
            self.refiner.refine(roots, &input.points, &mut colours);
            let key = |point: u32| (input.class[point as usize], colours[point as usize]);
            points.sort_unstable_by_key(|point| (key(*point), *point));
            let cells = points.chunk_by(|a, b| key(*a) == key(*b));
            // The last of the largest ones.
            let Some(cell) = cells
                .filter(|cell| cell.len() > 1)
                .max_by_key(|cell| cell.len())
            else {
                break;
            };
            for (number, point) in cell.iter().enumerate() {
                let colour = &mut colours[*point as usize];
                *colour = mix(*colour, HELD ^ number as u64);
            }
        }
        images.clear();
        images.extend(0..colours.len() as u32);
        // Points are sorted by class now.
        for (from, to) in points.iter().zip(&input.points) {
            images[*from as usize] = *to;
        }
    }

    /// Puts stable colours of the points into `colours`: equal for points that some permutation exchanges.
    pub fn colour(&mut self, term: &[Node], blank: &Blank, colours: &mut [u64]) {
        colours.copy_from_slice(&blank.colours);
        self.refiner.refine(&[term], &blank.points, colours);
    }

    /// For each point the least one of its class whose exchange with it changes nothing.
    pub fn twins(&mut self, roots: &[&[Node]], classes: &[Vec<u32>], points: usize) -> Vec<u32> {
        let mut colours = vec![0; points];
        let input = Input::new(roots, classes, &mut colours);
        self.refiner.refine(roots, &input.points, &mut colours);
        self.find_twins(&input, &colours);
        self.twins.clone()
    }

    /// Points of one colour whose exchange changes nothing.
    fn find_twins(&mut self, input: &Input<'_>, colours: &[u64]) {
        let count = colours.len() as u32;
        self.twins.clear();
        self.twins.extend(0..count);
        let mut images: Vec<u32> = (0..count).collect();
        let mut forms: Option<Vec<Vec<Node>>> = None;
        for class in input.classes {
            for (at, point) in class.iter().enumerate() {
                for other in &class[..at] {
                    let is_leader = self.twins[*other as usize] == *other;
                    if !is_leader || colours[*other as usize] != colours[*point as usize] {
                        continue;
                    }
                    let forms = forms.get_or_insert_with(|| forms_of(input.roots, &images));
                    images.swap(*point as usize, *other as usize);
                    let spare = &mut self.spare;
                    let is_twin = input.roots.iter().zip(forms).all(|(root, known)| {
                        spare.clear();
                        form(root, &images, spare);
                        spare == known
                    });
                    images.swap(*point as usize, *other as usize);
                    if is_twin {
                        self.twins[*point as usize] = *other;
                        break;
                    }
                }
            }
        }
    }

    /// One node of the search tree; `is_first` on the way to the first leaf.
    fn node(&mut self, input: &Input<'_>, colours: &[u64], is_first: bool) {
        let Some(cell) = self.target(input, colours) else {
            self.leaf(input, colours, is_first);
            return;
        };
        if self.is_free(&cell) {
            self.hold_all(input, colours, &cell, is_first);
            return;
        }
        let mut tried: Vec<u32> = Vec::new();
        for point in &cell {
            let is_alike =
                |orbits: &[u32], other: &u32| orbits[*other as usize] == orbits[*point as usize];
            if !tried.is_empty() {
                let orbits = self.orbits(colours.len());
                if tried.iter().any(|other| is_alike(&orbits, other)) {
                    continue;
                }
            }
            let mut next = colours.to_vec();
            next[*point as usize] = mix(next[*point as usize], HELD);
            let trace = self.refiner.refine(input.roots, &input.points, &mut next);
            self.prefix.push(*point);
            self.trace.push(trace);
            if self.is_promising() {
                self.node(input, &next, is_first && tried.is_empty());
            }
            self.trace.pop();
            self.prefix.pop();
            tried.push(*point);
        }
        if is_first {
            let orbits = self.orbits(colours.len());
            let orbit = cell
                .iter()
                .filter(|p| orbits[**p as usize] == orbits[cell[0] as usize]);
            self.order = self
                .order
                .and_then(|order| order.checked_mul(orbit.count() as u128));
        }
    }

    /// Whether the points of a cell belong to bundles that can be permuted freely, none of them held.
    fn is_free(&self, cell: &[u32]) -> bool {
        let place = |point: &u32| self.exchanges.place(*point);
        let Some(first) = place(&cell[0]) else {
            return false;
        };
        let is_alike = |point: &u32| {
            place(point).is_some_and(|place| (place.kind, place.at) == (first.kind, first.at))
        };
        let is_held = |point: &u32| place(point).is_some_and(|place| place.kind == first.kind);
        cell.iter().all(is_alike) && !self.prefix.iter().any(is_held)
    }

    /// Any order of the points of a cell leads to the same form: takes one.
    fn hold_all(&mut self, input: &Input<'_>, colours: &[u64], cell: &[u32], is_first: bool) {
        let mut next = colours.to_vec();
        for (number, point) in cell.iter().enumerate() {
            next[*point as usize] = mix(next[*point as usize], HELD ^ (number as u64 + 1));
        }
        let trace = self.refiner.refine(input.roots, &input.points, &mut next);
        let before = self.prefix.len();
        self.prefix.extend_from_slice(cell);
        self.trace.push(trace);
        if self.is_promising() {
            self.node(input, &next, is_first);
        }
        self.trace.pop();
        self.prefix.truncate(before);
        if is_first {
            let ways = (1..=cell.len() as u128).try_fold(1u128, u128::checked_mul);
            self.order = self.order.zip(ways).and_then(|(a, b)| a.checked_mul(b));
        }
    }

    /// The smallest cell that is not made of twins, the least colour first; ascending.
    fn target(&self, input: &Input<'_>, colours: &[u64]) -> Option<Vec<u32>> {
        let mut best: Option<(usize, u64, Vec<u32>)> = None;
        for cell in cells(input, colours) {
            let twin = |point: &u32| self.twins[*point as usize];
            if cell.len() < 2 || cell.iter().all(|point| twin(point) == twin(&cell[0])) {
                continue;
            }
            let key = (cell.len(), colours[cell[0] as usize]);
            if best
                .as_ref()
                .is_none_or(|(len, colour, _)| key < (*len, *colour))
            {
                best = Some((key.0, key.1, cell));
            }
        }
        best.map(|(_, _, mut cell)| {
            cell.sort_unstable();
            cell
        })
    }

    /// Whether the branch may lead to the best form, or to one equal to the first.
    fn is_promising(&self) -> bool {
        let may = |leaf: &Option<Leaf>, worse: bool| match leaf {
            None => true,
            Some(leaf) => {
                let known = &leaf.trace[..leaf.trace.len().min(self.trace.len())];
                known == self.trace.as_slice() || worse && self.trace.as_slice() < known
            }
        };
        may(&self.first, false) || may(&self.best, true)
    }

    fn leaf(&mut self, input: &Input<'_>, colours: &[u64], is_first: bool) {
        let mut images: Vec<u32> = (0..colours.len() as u32).collect();
        for class in input.classes {
            let mut sorted = class.clone();
            sorted.sort_by_key(|point| (colours[*point as usize], *point));
            for (to, from) in class.iter().zip(sorted) {
                images[from as usize] = *to;
            }
        }
        let leaf = Leaf {
            trace: self.trace.clone(),
            form: forms_of(input.roots, &images).concat(),
            images,
        };
        if is_first {
            // What is left is twins.
            for cell in cells(input, colours) {
                let ways = (1..=cell.len() as u128).try_fold(1u128, u128::checked_mul);
                self.order = self.order.zip(ways).and_then(|(a, b)| a.checked_mul(b));
            }
            self.first = Some(leaf);
            return;
        }
        for known in [&self.first, &self.best].into_iter().flatten() {
            if known.form == leaf.form {
                // Points that go to the same place correspond.
                let mut map = vec![0; leaf.images.len()];
                let mut back = vec![0; leaf.images.len()];
                for (point, image) in known.images.iter().enumerate() {
                    back[*image as usize] = point as u32;
                }
                for (point, image) in leaf.images.iter().enumerate() {
                    map[point] = back[*image as usize];
                }
                self.found.push(map);
                break;
            }
        }
        let best = self.best.as_ref().or(self.first.as_ref());
        if best.is_none_or(|best| (&leaf.trace, &leaf.form) < (&best.trace, &best.form)) {
            self.best = Some(leaf);
        }
    }

    /// The orbits of points under the automorphisms found that hold the prefix, each by its least point.
    fn orbits(&self, count: usize) -> Vec<u32> {
        let mut parent: Vec<u32> = (0..count as u32).collect();
        for (point, twin) in self.twins.iter().enumerate() {
            let is_held = |point: u32| self.prefix.contains(&point);
            if *twin != point as u32 && !is_held(point as u32) {
                // A held leader does not stop two other twins from being alike.
                let leader = (0..count as u32)
                    .find(|other| self.twins[*other as usize] == *twin && !is_held(*other));
                join(&mut parent, point as u32, leader.unwrap_or(point as u32));
            }
        }
        for map in &self.found {
            if self
                .prefix
                .iter()
                .all(|point| map[*point as usize] == *point)
            {
                for (point, image) in map.iter().enumerate() {
                    join(&mut parent, point as u32, *image);
                }
            }
        }
        (0..count as u32)
            .map(|point| leader(&parent, point))
            .collect()
    }
}

impl<'a> Input<'a> {
    /// Colours get the classes mixed in.
    pub(crate) fn new(
        roots: &'a [&'a [Node]],
        classes: &'a [Vec<u32>],
        colours: &mut [u64],
    ) -> Input<'a> {
        let mut class_of = vec![u32::MAX; colours.len()];
        for (number, class) in classes.iter().enumerate() {
            for point in class {
                class_of[*point as usize] = number as u32;
            }
        }
        for (point, colour) in colours.iter_mut().enumerate() {
            *colour = match class_of[point] {
                // Points outside the classes are different from all others.
                u32::MAX => mix(point as u64, HELD ^ 1),
                class => mix(*colour, u64::from(class) + 1),
            };
        }
        Input {
            roots,
            classes,
            points: classes.concat(),
            class: class_of,
        }
    }
}

/// Points of one colour together.
pub(crate) fn cells(input: &Input<'_>, colours: &[u64]) -> Vec<Vec<u32>> {
    let key = |point: &u32| (colours[*point as usize], input.class[*point as usize]);
    let mut points = input.points.clone();
    points.sort_unstable_by_key(|point| (key(point), *point));
    points
        .chunk_by(|a, b| key(a) == key(b))
        .map(<[u32]>::to_vec)
        .collect()
}

pub(crate) fn forms_of(roots: &[&[Node]], images: &[u32]) -> Vec<Vec<Node>> {
    let forms = roots.iter().map(|root| {
        let mut out = Vec::with_capacity(root.len());
        form(root, images, &mut out);
        out
    });
    forms.collect()
}
