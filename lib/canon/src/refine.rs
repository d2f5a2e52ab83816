//! Colours points by where they stand and beside what, until nothing changes.
//!
//! Technique: colour refinement (Weisfeiler and Leman) on terms. One pass computes the hash of every part with
//! points replaced by their colours; a second one gives each point the sum over its places of what surrounds it.
//! Invariant: the colour of a point depends on the structure only, not on the numbers of points.

use crate::form::Node;

/// A hash of two words; not symmetric.
#[inline]
pub fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xe703_7ed1_a0b4_28db);
    (product as u64) ^ ((product >> 64) as u64) ^ a.rotate_left(29)
}

/// Scratch space of the passes.
#[derive(Debug, Default)]
pub(crate) struct Refiner {
    /// The hash of the part at each node.
    hashes: Vec<u64>,
    stack: Vec<u64>,
    open: Vec<Open>,
    sums: Vec<u64>,
    sorted: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    context: u64,
    left: u32,
    /// Position of the next part in a tuple; stays 0 in a set.
    at: u64,
    step: u64,
}

impl Refiner {
    /// Refines colours until the number of different ones does not grow; gives a hash of the result.
    pub(crate) fn refine(&mut self, roots: &[&[Node]], points: &[u32], colours: &mut [u64]) -> u64 {
        let mut cells = self.count(points, colours);
        while cells < points.len() {
            self.round(roots, colours);
            let now = self.count(points, colours);
            if now <= cells {
                break;
            }
            cells = now;
        }
        self.sorted
            .iter()
            .fold(cells as u64, |hash, colour| mix(hash, *colour))
    }

    /// The number of different colours.
    fn count(&mut self, points: &[u32], colours: &[u64]) -> usize {
        self.sorted.clear();
        self.sorted
            .extend(points.iter().map(|point| colours[*point as usize]));
        self.sorted.sort_unstable();
        let mut cells = 0;
        let mut last = None;
        for colour in &self.sorted {
            if last != Some(*colour) {
                cells += 1;
                last = Some(*colour);
            }
        }
        cells
    }

    fn round(&mut self, roots: &[&[Node]], colours: &mut [u64]) {
        self.sums.clear();
        self.sums.resize(colours.len(), 0);
        for (number, root) in roots.iter().enumerate() {
            self.up(root, colours);
            self.down(root, number as u64);
        }
        for (colour, sum) in colours.iter_mut().zip(&self.sums) {
            *colour = mix(*colour, *sum);
        }
    }

    /// The hash of the part at each node of a term.
    pub(crate) fn hashes(&mut self, term: &[Node], colours: &[u64]) -> &[u64] {
        self.up(term, colours);
        &self.hashes
    }

    /// Hashes of all parts, from the end to the beginning.
    fn up(&mut self, term: &[Node], colours: &[u64]) {
        self.hashes.clear();
        self.hashes.resize(term.len(), 0);
        self.stack.clear();
        for (at, node) in term.iter().enumerate().rev() {
            let hash = match *node {
                Node::Atom(word) => mix(word, 1),
                Node::Point(point) => mix(colours[point as usize], 2),
                Node::Tuple(parts) => {
                    // The first part is on top.
                    let mut hash = 3;
                    for _ in 0..parts {
                        hash = mix(hash, self.stack.pop().unwrap_or_default());
                    }
                    hash
                }
                Node::Set(parts) => {
                    let mut sum: u64 = 0;
                    for _ in 0..parts {
                        let part = self.stack.pop().unwrap_or_default();
                        sum = sum.wrapping_add(mix(part, 4));
                    }
                    mix(sum, 5)
                }
            };
            self.hashes[at] = hash;
            self.stack.push(hash);
        }
    }

    /// Adds to every point what surrounds each of its places.
    fn down(&mut self, term: &[Node], root: u64) {
        self.open.clear();
        let mut context = mix(root, 6);
        for (at, node) in term.iter().enumerate() {
            while let Some(open) = self.open.last() {
                if open.left > 0 {
                    break;
                }
                self.open.pop();
            }
            if let Some(open) = self.open.last_mut() {
                context = mix(open.context, open.at);
                open.left -= 1;
                open.at += open.step;
            }
            match *node {
                Node::Atom(_) => {}
                Node::Point(point) => {
                    let sum = &mut self.sums[point as usize];
                    *sum = sum.wrapping_add(mix(context, 7));
                }
                Node::Tuple(parts) | Node::Set(parts) => self.open.push(Open {
                    context: mix(context, self.hashes[at]),
                    left: parts,
                    at: 0,
                    step: u64::from(matches!(node, Node::Tuple(_))),
                }),
            }
        }
    }
}
