//! The chain of stabilisers: each level holds one point more.
//!
//! Invariant: the generators of a level hold the points of all levels before it, and generate everything in the group that
//! does.

use crate::permutation::{identity, inverse, is_identity, then};

/// A group of permutations.
#[derive(Clone, Debug)]
pub struct Group {
    points: usize,
    generators: Vec<Vec<u32>>,
    levels: Vec<Level>,
}

/// A level of the chain.
#[derive(Clone, Debug)]
pub struct Level {
    /// The point that the next level holds.
    pub base: u32,
    /// Where it goes, itself first.
    pub orbit: Vec<u32>,
    /// For each point of the orbit a permutation that takes the base there; by point.
    transversal: Vec<Option<Box<[u32]>>>,
    /// The same backwards.
    back: Vec<Option<Box<[u32]>>>,
    generators: Vec<Vec<u32>>,
    /// For each point of the orbit how many generators were looked at.
    looked_at: Vec<usize>,
}

impl Level {
    fn new(base: u32, points: usize) -> Level {
        let mut transversal = vec![None; points];
        let trivial: Box<[u32]> = identity(points).into();
        transversal[base as usize] = Some(trivial);
        Level {
            base,
            orbit: vec![base],
            back: transversal.clone(),
            transversal,
            generators: Vec::new(),
            looked_at: vec![0],
        }
    }

    /// A permutation of this level that takes the base to a point of its orbit.
    pub fn to(&self, point: u32) -> Option<&[u32]> {
        self.transversal[point as usize].as_deref()
    }

    /// A permutation of this level that takes a point of the orbit to the base.
    pub fn from(&self, point: u32) -> Option<&[u32]> {
        self.back[point as usize].as_deref()
    }

    /// What generates everything that holds the points of the levels before.
    pub fn generators(&self) -> &[Vec<u32>] {
        &self.generators
    }
}

impl Group {
    /// The group of so many points that permutations generate.
    pub fn new(points: usize, generators: Vec<Vec<u32>>) -> Group {
        Group::with_base(points, generators, &[])
    }

    /// The same; its chain holds some points, all different, before all others.
    pub fn with_base(points: usize, generators: Vec<Vec<u32>>, base: &[u32]) -> Group {
        let levels = base.iter().map(|point| Level::new(*point, points));
        let mut group = Group {
            points,
            generators: Vec::new(),
            levels: levels.collect(),
        };
        for generator in generators {
            group.add(generator);
        }
        group
    }

    /// Adds a generator; whether the group became larger.
    pub fn add(&mut self, generator: Vec<u32>) -> bool {
        let (rest, depth) = self.sift(generator.clone(), 0);
        if is_identity(&rest) {
            return false;
        }
        self.generators.push(generator);
        self.insert(rest, 0, depth);
        true
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.points
    }

    /// What it was made of, without what was not needed.
    pub fn generators(&self) -> &[Vec<u32>] {
        &self.generators
    }

    /// The chain.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The number of elements; `None` from 2^128 on.
    pub fn order(&self) -> Option<u128> {
        let orbits = self.levels.iter().map(|level| level.orbit.len() as u128);
        orbits.into_iter().try_fold(1u128, u128::checked_mul)
    }

    /// Whether there is nothing but the identity.
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty()
    }

    /// Whether a permutation is an element.
    pub fn contains(&self, images: &[u32]) -> bool {
        images.len() == self.points && is_identity(&self.sift(images.to_vec(), 0).0)
    }

    /// Points that elements map to each other, each orbit ascending, by their least points; single points are left out.
    pub fn orbits(&self) -> Vec<Vec<u32>> {
        orbits(self.points, &self.generators)
    }

    /// An element that takes points, all different, to given ones, if there is one.
    pub fn taking(&self, wanted: &[(u32, u32)]) -> Option<Vec<u32>> {
        let base: Vec<u32> = wanted.iter().map(|(from, _)| *from).collect();
        let chain = Group::with_base(self.points, self.generators.clone(), &base);
        chain.reaching(wanted)
    }

    /// An element that takes the points that the chain holds first, in that order, to given ones, if there is one.
    pub fn reaching(&self, wanted: &[(u32, u32)]) -> Option<Vec<u32>> {
        // Later levels hold what earlier ones decided: what is wanted of them is seen through the earlier choices.
        let mut found = identity(self.points);
        for (level, (from, to)) in self.levels.iter().zip(wanted) {
            debug_assert_eq!(
                level.base, *from,
                "points are given in the order of the chain"
            );
            let seen = inverse(&found)[*to as usize];
            found = then(level.to(seen)?, &found);
        }
        Some(found)
    }

    /// Every element once, the identity first; stops when `visit` says so.
    pub fn each_element(&self, visit: &mut dyn FnMut(&[u32]) -> bool) {
        self.below(0, &identity(self.points), visit);
    }

    fn below(&self, at: usize, after: &[u32], visit: &mut dyn FnMut(&[u32]) -> bool) -> bool {
        let Some(level) = self.levels.get(at) else {
            return visit(after);
        };
        level.orbit.iter().all(|point| {
            let step = level.transversal[*point as usize].as_deref();
            let step = step.expect("every point of an orbit is reached");
            self.below(at + 1, &then(step, after), visit)
        })
    }

    /// What is left of a permutation, and the level where it stopped fitting.
    fn sift(&self, mut images: Vec<u32>, from: usize) -> (Vec<u32>, usize) {
        for (at, level) in self.levels.iter().enumerate().skip(from) {
            let image = images[level.base as usize];
            match level.from(image) {
                Some(back) => images = then(&images, back),
                None => return (images, at),
            }
        }
        (images, self.levels.len())
    }

    /// Adds a permutation that holds the points before `depth` to the levels from `from` to there.
    fn insert(&mut self, rest: Vec<u32>, from: usize, depth: usize) {
        if depth == self.levels.len() {
            let mut points = 0..self.points as u32;
            let base = points.find(|point| rest[*point as usize] != *point);
            let base = base.expect("what is left of a permutation moves a point");
            self.levels.push(Level::new(base, self.points));
        }
        for at in (from..=depth).rev() {
            self.levels[at].generators.push(rest.clone());
            self.complete(at);
        }
    }

    /// Looks at all points of the orbit with all generators: they lead to known points, and what they do beyond that is in
    /// the next level.
    fn complete(&mut self, at: usize) {
        let mut next = 0;
        while next < self.levels[at].orbit.len() {
            let level = &mut self.levels[at];
            let number = level.looked_at[next];
            if number == level.generators.len() {
                next += 1;
                continue;
            }
            level.looked_at[next] += 1;
            let point = level.orbit[next];
            let generator = &level.generators[number];
            let target = generator[point as usize];
            let way = level.transversal[point as usize].as_deref();
            let way = then(way.expect("every point of an orbit is reached"), generator);
            match level.from(target) {
                None => {
                    level.back[target as usize] = Some(inverse(&way).into());
                    level.transversal[target as usize] = Some(way.into());
                    level.orbit.push(target);
                    level.looked_at.push(0);
                }
                Some(back) => {
                    let round = then(&way, back);
                    let (rest, depth) = self.sift(round, at + 1);
                    if !is_identity(&rest) {
                        self.insert(rest, at + 1, depth);
                    }
                }
            }
        }
    }
}

/// The orbits under some permutations, single points left out.
pub fn orbits(points: usize, generators: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut seen = vec![false; points];
    let mut all = Vec::new();
    for start in 0..points as u32 {
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        let mut orbit = vec![start];
        let mut next = 0;
        while let Some(point) = orbit.get(next).copied() {
            next += 1;
            for generator in generators {
                let image = generator[point as usize];
                if !std::mem::replace(&mut seen[image as usize], true) {
                    orbit.push(image);
                }
            }
        }
        if orbit.len() > 1 {
            orbit.sort_unstable();
            all.push(orbit);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Group;
    use crate::permutation::{identity, inverse, then};

    fn all_permutations(points: usize) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new()];
        for _ in 0..points {
            let longer = all.iter().flat_map(|start: &Vec<u32>| {
                let free = (0..points as u32).filter(|point| !start.contains(point));
                free.map(|point| [start.as_slice(), &[point]].concat())
            });
            all = longer.collect();
        }
        all
    }

    /// All products, by brute force.
    fn closure(points: usize, generators: &[Vec<u32>]) -> BTreeSet<Vec<u32>> {
        let mut all = BTreeSet::from([identity(points)]);
        let mut queue = vec![identity(points)];
        while let Some(element) = queue.pop() {
            for generator in generators {
                let next = then(&element, generator);
                if all.insert(next.clone()) {
                    queue.push(next);
                }
            }
        }
        all
    }

    #[test]
    fn laws_1_to_5_hold_for_all_groups_with_two_generators() {
        let points = 4;
        let all = all_permutations(points);
        for first in &all {
            for second in &all {
                let generators = vec![first.clone(), second.clone()];
                let wanted = closure(points, &generators);
                let group = Group::new(points, generators);
                assert_eq!(group.order(), Some(wanted.len() as u128));
                let mut elements = Vec::new();
                group.each_element(&mut |element| {
                    elements.push(element.to_vec());
                    true
                });
                assert_eq!(elements.len(), wanted.len());
                assert_eq!(elements.iter().cloned().collect::<BTreeSet<_>>(), wanted);
                assert_eq!(elements[0], identity(points));
                for one in &all {
                    assert_eq!(group.contains(one), wanted.contains(one));
                }
                let orbits = group.orbits();
                for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
                    let mapped = wanted.iter().any(|element| element[a] == b as u32);
                    let together = a == b
                        || orbits
                            .iter()
                            .any(|o| o.contains(&(a as u32)) && o.contains(&(b as u32)));
                    assert_eq!(mapped, together);
                }
                let mut held: Vec<u32> = Vec::new();
                for level in group.levels() {
                    let holds = |e: &&Vec<u32>| held.iter().all(|p| e[*p as usize] == *p);
                    let below = closure(points, level.generators());
                    assert_eq!(below, wanted.iter().filter(holds).cloned().collect());
                    for point in &level.orbit {
                        let to = level.to(*point).expect("the point is in the orbit");
                        assert_eq!(to[level.base as usize], *point);
                        assert_eq!(level.from(*point).map(<[u32]>::to_vec), Some(inverse(to)));
                    }
                    held.push(level.base);
                }
            }
        }
    }

    #[test]
    fn an_element_with_given_images_is_found_where_there_is_one() {
        let all = all_permutations(5);
        for (at, first) in all.iter().enumerate().step_by(7) {
            let group = Group::new(5, vec![first.clone(), all[(at * 31 + 5) % 120].clone()]);
            let mut elements = Vec::new();
            group.each_element(&mut |element| {
                elements.push(element.to_vec());
                true
            });
            for images in all.iter().step_by(5) {
                let wanted: Vec<(u32, u32)> = (0..3).map(|p| (p, images[p as usize])).collect();
                let fits = |e: &Vec<u32>| wanted.iter().all(|(a, b)| e[*a as usize] == *b);
                match group.taking(&wanted) {
                    Some(found) => assert!(fits(&found) && group.contains(&found)),
                    None => assert!(!elements.iter().any(fits)),
                }
            }
        }
    }

    #[test]
    fn known_orders() {
        let symmetric = |n: u32| {
            let swap = (0..n).map(|p| [1, 0].get(p as usize).copied().unwrap_or(p));
            let turn = (0..n).map(|p| (p + 1) % n);
            Group::new(n as usize, vec![swap.collect(), turn.collect()])
        };
        assert_eq!(symmetric(20).order(), Some(2_432_902_008_176_640_000));
        assert_eq!(symmetric(40).order(), None);
        // The cube's corners: 48 symmetries.
        let flip = |bit: u32| (0..8).map(move |p| p ^ bit).collect();
        let rotate = (0..8u32).map(|p| (p << 1 | p >> 2) & 7).collect();
        let exchange = (0..8u32)
            .map(|p| p & 4 | (p & 1) << 1 | p >> 1 & 1)
            .collect();
        let cube = Group::new(8, vec![flip(1), rotate, exchange]);
        assert_eq!(cube.order(), Some(48));
    }
}
