//! Walks the stabiliser chain of a group to the permutation that a strategy wants.
//!
//! Technique: level by level it is decided which point goes to the base point; points with the least key are tried. All keys
//! equal: every permutation is tried (enumeration). Keys from one array: the permutations that sort it (segmented). Colours:
//! few are left, and what an automorphism that was met shows to be alike is not tried (as in [McKay 1981]); the group may be any,
//! which answers the question at the end of [Bošnački, Donaldson, Leuschel, Massart 2007].
//! Invariant: with keys that depend on the orbit only, the least image depends on the orbit only.

use permgroup::{Level, invert};

use super::Acting;

/// Scratch space of a walk. Nothing is allocated once it has grown.
#[derive(Default)]
pub(super) struct Chain {
    prefix: Vec<u32>,
    trace: Vec<u64>,
    first: Leaf,
    best: Leaf,
    /// The automorphisms met.
    met: Met,
    /// How many permutations change nothing.
    stabiliser: Option<u128>,
    spare: Vec<u32>,
    back: Vec<u32>,
    /// One for each depth.
    frames: Vec<Frame>,
}

/// A permutation at the end of a branch and what it makes of the vector.
#[derive(Default)]
struct Leaf {
    is_there: bool,
    trace: Vec<u64>,
    images: Vec<u32>,
    vector: Vec<u32>,
}

/// What a node of the walk works with.
#[derive(Default)]
struct Frame {
    /// The permutation that leads here, and back.
    images: Vec<u32>,
    back: Vec<u32>,
    /// Where a point with the least key would go, by point.
    places: Vec<u32>,
    tried: Vec<u32>,
    /// The least point of each orbit under so many automorphisms.
    orbits: Vec<u32>,
    known: usize,
}

/// Automorphisms as the points that they move.
#[derive(Default)]
struct Met {
    moves: Vec<(u32, u32)>,
    /// Where the moves of each end.
    ends: Vec<usize>,
}

impl Met {
    fn add(&mut self, moves: impl Iterator<Item = (u32, u32)>) {
        self.moves
            .extend(moves.filter(|(point, image)| point != image));
        self.ends.push(self.moves.len());
    }

    fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
    }

    /// The orbits of points under the automorphisms that hold a prefix, each by its least point.
    fn orbits(&self, points: usize, prefix: &[u32], orbits: &mut Vec<u32>) {
        orbits.clear();
        orbits.extend(0..points as u32);
        let mut from = 0;
        for end in &self.ends {
            let moves = &self.moves[from..*end];
            from = *end;
            if moves.iter().all(|(point, _)| !prefix.contains(point)) {
                for (point, image) in moves {
                    canon::join(orbits, *point, *image);
                }
            }
        }
        // A leader is not greater than what it leads, so one pass is enough.
        for point in 0..points {
            orbits[point] = orbits[orbits[point] as usize];
        }
    }
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
    ) -> &[u32] {
        let walk = Walk {
            acting,
            vector,
            keys,
            goal,
        };
        self.prefix.clear();
        self.trace.clear();
        self.met.clear();
        if goal == Goal::LeastAlike {
            for images in acting.idle_exchanges(vector, keys) {
                self.met.add(pairs(images));
            }
        }
        (self.first.is_there, self.best.is_there) = (false, false);
        self.stabiliser = Some(1);
        self.frames
            .resize_with(acting.turning.len() + 1, Frame::default);
        let images = &mut self.frames[0].images;
        images.clear();
        images.extend(0..acting.points() as u32);
        self.node(&walk, 0, true);
        let best = self.known_best();
        assert!(best.is_there, "a walk comes to an end");
        out.clear();
        out.extend_from_slice(&best.vector);
        &best.images
    }

    /// The best leaf so far; none where it is not there.
    fn known_best(&self) -> &Leaf {
        match self.best.is_there {
            true => &self.best,
            false => &self.first,
        }
    }

    /// How many permutations leave the vector of the last walk as it is.
    pub(super) fn stabiliser(&self) -> Option<u128> {
        self.stabiliser
    }

    /// Goes on where the frame of a depth has its permutation.
    fn node(&mut self, walk: &Walk<'_>, depth: usize, is_first: bool) {
        let mut frame = std::mem::take(&mut self.frames[depth]);
        match walk.acting.turning.get(depth) {
            Some(level) => {
                let level = &walk.acting.group.levels()[*level];
                self.branch(walk, level, &mut frame, is_first);
            }
            None => self.leaf(walk, &frame.images, is_first),
        }
        self.frames[depth] = frame;
    }

    fn branch(&mut self, walk: &Walk<'_>, level: &Level, frame: &mut Frame, is_first: bool) {
        invert(&frame.images, &mut frame.back);
        let back = &frame.back;
        let key = |place: &u32| walk.keys[back[*place as usize] as usize];
        let least = level.orbit.iter().map(key).min().unwrap_or(0);
        self.trace.push(least);
        if self.is_promising() {
            frame.places.clear();
            let places = level.orbit.iter().copied();
            frame
                .places
                .extend(places.filter(|place| key(place) == least));
            let point = |place: &u32| back[*place as usize];
            frame.places.sort_unstable_by_key(point);
            self.try_places(walk, level, frame, is_first);
        }
        self.trace.pop();
    }

    /// Tries the places of a frame, but for those that are alike one that was tried.
    fn try_places(&mut self, walk: &Walk<'_>, level: &Level, frame: &mut Frame, is_first: bool) {
        frame.tried.clear();
        frame.known = 0;
        for at in 0..frame.places.len() {
            let place = frame.places[at];
            let point = frame.back[place as usize];
            if walk.goal == Goal::LeastAlike && at > 0 {
                self.learn(frame);
                let alike = |other: &u32| {
                    frame.known > 0 && frame.orbits[*other as usize] == frame.orbits[point as usize]
                };
                if frame.tried.iter().any(alike) {
                    continue;
                }
            }
            let step = level.from(place).expect("the place is in the orbit");
            let depth = self.trace.len();
            let below = &mut self.frames[depth].images;
            below.clear();
            below.extend(frame.images.iter().map(|image| step[*image as usize]));
            self.prefix.push(point);
            self.node(walk, depth, is_first && frame.tried.is_empty());
            self.prefix.pop();
            frame.tried.push(point);
            if walk.goal == Goal::First {
                break;
            }
        }
        if is_first && walk.goal == Goal::LeastAlike && frame.places.len() > 1 {
            self.learn(frame);
            let first = frame.tried[0] as usize;
            let alike = |place: &&u32| {
                let point = frame.back[**place as usize] as usize;
                point == first || frame.known > 0 && frame.orbits[point] == frame.orbits[first]
            };
            let alike = frame.places.iter().filter(alike).count() as u128;
            self.stabiliser = self.stabiliser.and_then(|all| all.checked_mul(alike));
        }
    }

    /// Brings the orbits of a frame up to the automorphisms met.
    fn learn(&self, frame: &mut Frame) {
        let met = self.met.ends.len();
        if frame.known < met {
            let points = frame.images.len();
            self.met.orbits(points, &self.prefix, &mut frame.orbits);
            frame.known = met;
        }
    }

    /// Whether a branch may lead to the least image, or to one equal to the first.
    fn is_promising(&self) -> bool {
        let may = |leaf: &Leaf, is_less_enough: bool| {
            let known = || &leaf.trace[..self.trace.len()];
            !leaf.is_there
                || known() == self.trace.as_slice()
                || is_less_enough && self.trace.as_slice() < known()
        };
        may(&self.first, !self.best.is_there) || may(&self.best, true)
    }

    fn leaf(&mut self, walk: &Walk<'_>, images: &[u32], is_first: bool) {
        let mut vector = std::mem::take(&mut self.spare);
        walk.acting.apply(images, walk.vector, &mut vector);
        if !is_first && walk.goal == Goal::LeastAlike {
            let known = [&self.first, &self.best];
            let mut known = known.into_iter().filter(|leaf| leaf.is_there);
            if let Some(known) = known.find(|leaf| leaf.vector == vector) {
                invert(&known.images, &mut self.back);
                let back = |image: u32| self.back[image as usize];
                let round = pairs(images).map(|(point, image)| (point, back(image)));
                self.met.add(round);
            }
        }
        let best = self.known_best();
        let is_better = !best.is_there || (&self.trace, &vector) < (&best.trace, &best.vector);
        if !is_better {
            self.spare = vector;
            return;
        }
        let leaf = match is_first {
            true => &mut self.first,
            false => &mut self.best,
        };
        leaf.is_there = true;
        leaf.trace.clone_from(&self.trace);
        leaf.images.clear();
        leaf.images.extend_from_slice(images);
        self.spare = std::mem::replace(&mut leaf.vector, vector);
    }
}

/// The points of a permutation with where they go.
fn pairs(images: &[u32]) -> impl Iterator<Item = (u32, u32)> + '_ {
    let pairs = images.iter().enumerate();
    pairs.map(|(point, image)| (point as u32, *image))
}
