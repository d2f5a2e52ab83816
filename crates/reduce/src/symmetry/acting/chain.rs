//! Walks the stabiliser chain of a group to the permutation that a strategy wants.
//!
//! Technique: level by level it is decided which point goes to the base point; points with the least key are tried. All keys
//! equal: every permutation is tried (enumeration). Keys from one array: the permutations that sort it (segmented). Colours:
//! few are left, and what an automorphism that was met shows to be alike is not tried (as in [McKay 1981]); the group may be any,
//! which answers the question at the end of [Bošnački, Donaldson, Leuschel, Massart 2007].
//! Invariant: with keys that depend on the orbit only, the least image depends on the orbit only.

use permgroup::{Level, identity, inverse, then};

use super::Acting;

/// Scratch space of a walk.
#[derive(Default)]
pub(super) struct Chain {
    prefix: Vec<u32>,
    trace: Vec<u64>,
    first: Option<Leaf>,
    best: Option<Leaf>,
    found: Vec<Vec<u32>>,
    /// How many permutations change nothing.
    stabiliser: Option<u128>,
    spare: Vec<u32>,
}

struct Leaf {
    trace: Vec<u64>,
    images: Vec<u32>,
    vector: Vec<u32>,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The first permutation with the least keys.
    First,
    /// The least image under permutations with the least keys; all of them are tried.
    Least,
    /// The same, leaving out what is alike; counts the permutations that change nothing.
    LeastAlike,
}

struct Walk<'w> {
    acting: &'w Acting<'w>,
    levels: Vec<&'w Level>,
    vector: &'w [u32],
    keys: &'w [u64],
    goal: Goal,
}

impl Chain {
    /// Puts the least image into `out`, and gives the permutation that leads there.
    pub(super) fn least(
        &mut self,
        acting: &Acting<'_>,
        vector: &[u32],
        keys: &[u64],
        goal: Goal,
        out: &mut Vec<u32>,
    ) -> Vec<u32> {
        let levels = acting.group.levels().iter();
        let walk = Walk {
            acting,
            levels: levels.filter(|level| level.orbit.len() > 1).collect(),
            vector,
            keys,
            goal,
        };
        self.prefix.clear();
        self.trace.clear();
        self.found.clear();
        (self.first, self.best) = (None, None);
        self.stabiliser = Some(1);
        self.node(&walk, &identity(acting.points()), true);
        let best = self.best.take().or(self.first.take());
        let best = best.expect("a walk comes to an end");
        out.clear();
        out.extend_from_slice(&best.vector);
        best.images
    }

    /// How many permutations leave the vector of the last walk as it is.
    pub(super) fn stabiliser(&self) -> Option<u128> {
        self.stabiliser
    }

    fn node(&mut self, walk: &Walk<'_>, images: &[u32], is_first: bool) {
        let depth = self.trace.len();
        let Some(level) = walk.levels.get(depth) else {
            self.leaf(walk, images, is_first);
            return;
        };
        let back = inverse(images);
        let key = |place: &u32| walk.keys[back[*place as usize] as usize];
        let least = level.orbit.iter().map(key).min().unwrap_or(0);
        self.trace.push(least);
        if !self.is_promising() {
            self.trace.pop();
            return;
        }
        let mut tried: Vec<u32> = Vec::new();
        let mut places: Vec<u32> = level
            .orbit
            .iter()
            .copied()
            .filter(|place| key(place) == least)
            .collect();
        places.sort_unstable_by_key(|place| back[*place as usize]);
        for place in &places {
            let point = back[*place as usize];
            if walk.goal == Goal::LeastAlike && !tried.is_empty() {
                let orbits = self.orbits(images.len());
                let is_alike = |other: &u32| orbits[*other as usize] == orbits[point as usize];
                if tried.iter().any(is_alike) {
                    continue;
                }
            }
            let step = level.from(*place).expect("the place is in the orbit");
            self.prefix.push(point);
            self.node(walk, &then(images, step), is_first && tried.is_empty());
            self.prefix.pop();
            tried.push(point);
            if walk.goal == Goal::First {
                break;
            }
        }
        self.trace.pop();
        if is_first && walk.goal == Goal::LeastAlike {
            let orbits = self.orbits(images.len());
            let first = orbits[tried[0] as usize];
            let alike = places
                .iter()
                .filter(|place| orbits[back[**place as usize] as usize] == first);
            let alike = alike.count() as u128;
            self.stabiliser = self.stabiliser.and_then(|all| all.checked_mul(alike));
        }
    }

    /// Whether a branch may lead to the least image, or to one equal to the first.
    fn is_promising(&self) -> bool {
        let may = |leaf: &Option<Leaf>, is_less_enough: bool| match leaf {
            None => true,
            Some(leaf) => {
                let known = &leaf.trace[..self.trace.len()];
                known == self.trace.as_slice() || is_less_enough && self.trace.as_slice() < known
            }
        };
        may(&self.first, self.best.is_none()) || may(&self.best, true)
    }

    fn leaf(&mut self, walk: &Walk<'_>, images: &[u32], is_first: bool) {
        let mut vector = std::mem::take(&mut self.spare);
        walk.acting.apply(images, walk.vector, &mut vector);
        if !is_first && walk.goal == Goal::LeastAlike {
            for known in [&self.first, &self.best].into_iter().flatten() {
                if known.vector == vector {
                    self.found.push(then(images, &inverse(&known.images)));
                    break;
                }
            }
        }
        let best = self.best.as_ref().or(self.first.as_ref());
        let is_better =
            best.is_none_or(|best| (&self.trace, &vector) < (&best.trace, &best.vector));
        if !is_better {
            self.spare = vector;
            return;
        }
        let leaf = Leaf {
            trace: self.trace.clone(),
            images: images.to_vec(),
            vector,
        };
        match is_first {
            true => self.first = Some(leaf),
            false => self.best = Some(leaf),
        }
    }

    /// The orbits of points under the automorphisms met that hold the prefix, each by its least point.
    fn orbits(&self, points: usize) -> Vec<u32> {
        let mut parent: Vec<u32> = (0..points as u32).collect();
        for images in &self.found {
            let mut prefix = self.prefix.iter();
            if prefix.all(|point| images[*point as usize] == *point) {
                for (point, image) in images.iter().enumerate() {
                    canon::join(&mut parent, point as u32, *image);
                }
            }
        }
        (0..points as u32)
            .map(|point| canon::leader(&parent, point))
            .collect()
    }
}
