//! Groups that move whole slots, such as those of interchangeable processes: one state for each orbit, or nearly so.
//!
//! [`Acting`] is a [`pins::Action`] made ready: permuting a vector, asking whether a permutation changes it, and colours that
//! say where each point stands. Each strategy is a file: `refined.rs` (our `exact` and `canonical`, for any group),
//! `enumerate.rs`, `segmented.rs`, `sorted.rs` (SymmSPIN), `local.rs` (TopSPIN), `marked.rs` (markers, exact and approximate),
//! `flattened.rs`. `colours.rs` says where points stand, `chain.rs` walks the stabiliser chain for all of them; `columns.rs` knows products of full symmetric
//! groups, where sorting is enough, `keyed.rs` sorts where nothing of a process names another; `blocks.rs` says which slots a
//! permutation concerns; `stages.rs` is about processes that end; `unfolded.rs` turns paths back.
//! Invariant: a vector to which the action does not apply stands for itself.

mod blocks;
mod chain;
mod colours;
mod columns;
mod enumerate;
mod flattened;
mod keyed;
mod local;
mod main_array;
mod marked;
mod refined;
mod segmented;
mod sorted;
mod stages;
mod strategy;
mod unfolded;

use canon::mix;
use permgroup::Group;
use pins::Action;
use pins::action::Field;
use rustc_hash::FxHashMap;

pub(super) use flattened::Kept;
pub(super) use keyed::Keyed;
pub(super) use refined::Refined;
pub use stages::Ends;
pub(super) use stages::Stages;
pub(super) use strategy::chooser;
pub use strategy::{Strategy, Yield};
pub(super) use unfolded::unfold;

pub(super) use columns::swap;

use columns::Columns;
use keyed::Keys;

/// An action with what strategies need to be quick. Points that no permutation moves are left out.
pub(super) struct Acting<'a> {
    pub(super) action: &'a Action,
    /// How many processes have ended in the states that it is for.
    stage: usize,
    pub(super) group: Group,
    /// The levels of the group's chain that move their point.
    turning: Vec<usize>,
    /// For each point the number of the action's point.
    names: Vec<u32>,
    /// The orbit of each point.
    orbits: Vec<u32>,
    spots: Vec<Spot>,
    /// For each slot the spots that depend on it.
    by_slot: Vec<Vec<u32>>,
    families: Vec<Places>,
    tables: Vec<Table>,
    /// Points that move whenever another one does, which is a process: tag, process, point.
    companions: Vec<(u64, u32, u32)>,
    /// The spots that tie points together: by two names, or by a name and what they hold.
    tied: Vec<u32>,
    pub(super) columns: Option<Columns>,
    /// Where there are no columns, for each point the lesser ones that it can be exchanged with, nearest first, and how.
    exchanges: Vec<Vec<(u32, Vec<u32>)>>,
    /// How columns are keyed, where that decides.
    keys: Option<Keys>,
}

/// A cell.
#[derive(Clone, Copy, Debug)]
struct Spot {
    field: Field,
    family: u32,
    /// The points that name its place; the first `arity` count.
    index: [u32; 2],
    arity: u8,
    table: u32,
    within: Option<(Field, u32)>,
    salt: u64,
}

const NONE: u32 = u32::MAX;

/// The spots of a family by the points of their places.
#[derive(Clone, Debug, Default)]
struct Places {
    arity: u8,
    spots: Vec<u32>,
    /// Whether it says where processes are.
    is_control: bool,
}

/// Values and points.
#[derive(Clone, Debug)]
struct Table {
    /// By value, as far as that is dense.
    dense: Vec<u32>,
    others: FxHashMap<u32, u32>,
    /// The value of each point.
    values: Vec<u32>,
}

impl Table {
    #[inline]
    fn point(&self, bits: u32) -> u32 {
        match self.dense.get(bits as usize) {
            Some(point) => *point,
            None if self.others.is_empty() => NONE,
            None => self.others.get(&bits).copied().unwrap_or(NONE),
        }
    }
}

/// Values up to here are found without a hash.
const DENSE: u32 = 1024;

impl<'a> Acting<'a> {
    /// Makes an action ready that leaves processes that may end where they are.
    pub(super) fn holding_ends(action: &'a Action) -> Option<Acting<'a>> {
        let ending = action.lives[..action.ends].iter();
        let points: Vec<u32> = ending.map(|life| life.point).collect();
        Acting::new(action, &points, 0)
    }

    /// Makes what holds some points ready, for states where so many processes have ended; `None` when it moves nothing, or a
    /// part of a state is named by more than two points that move.
    pub(super) fn new(action: &'a Action, held: &[u32], stage: usize) -> Option<Acting<'a>> {
        let whole = Group::with_base(action.points.len(), action.generators.clone(), held);
        let below = whole.levels().get(held.len());
        let generators = match held {
            [] => &action.generators[..],
            _ => below.map_or(&[][..], |level| level.generators()),
        };
        let orbits = permgroup::orbits(action.points.len(), generators);
        let mut names: Vec<u32> = orbits.concat();
        names.sort_unstable();
        if names.is_empty() {
            return None;
        }
        let mut number = vec![NONE; action.points.len()];
        for (at, point) in names.iter().enumerate() {
            number[*point as usize] = at as u32;
        }
        let shorten = |images: &Vec<u32>| -> Vec<u32> {
            let images = names.iter().map(|point| images[*point as usize]);
            images.map(|image| number[image as usize]).collect()
        };
        let generators = generators.iter().map(shorten).collect();
        let processes = action.processes as u32;
        let base: Vec<u32> = (0..names.len() as u32)
            .filter(|at| names[*at as usize] < processes)
            .collect();
        let group = Group::with_base(names.len(), generators, &base);
        let mut orbit_of = vec![0; names.len()];
        for (orbit, points) in orbits.iter().enumerate() {
            for point in points {
                orbit_of[number[*point as usize] as usize] = orbit as u32;
            }
        }
        let mut acting = Acting {
            action,
            stage,
            tables: tables(action, &number, names.len()),
            orbits: orbit_of,
            names,
            turning: turning(&group),
            group,
            spots: Vec::new(),
            by_slot: Vec::new(),
            families: Vec::new(),
            companions: Vec::new(),
            tied: Vec::new(),
            columns: None,
            exchanges: Vec::new(),
            keys: None,
        };
        acting.add_spots(&number)?;
        acting.tied = acting.tied();
        acting.columns = Columns::find(&acting.group, &base);
        if acting.columns.is_none() {
            acting.exchanges = columns::exchanges(&acting.group, &base);
        }
        acting.companions = companions(&acting.group, &base);
        acting.keys = Keys::new(&acting);
        Some(acting)
    }

    fn add_spots(&mut self, number: &[u32]) -> Option<()> {
        let points = self.names.len();
        let mut known: FxHashMap<(usize, Vec<u32>), u32> = FxHashMap::default();
        for cell in &self.action.cells {
            // Points that stay are a part of the family.
            let moving: Vec<u32> = cell.index.iter().map(|p| number[*p as usize]).collect();
            let fixed = cell.index.iter().zip(&moving);
            let fixed = fixed.map(|(p, own)| if *own == NONE { *p } else { NONE });
            let key = (cell.family, fixed.collect::<Vec<u32>>());
            let moving: Vec<u32> = moving.into_iter().filter(|p| *p != NONE).collect();
            if moving.len() > 2 {
                return None;
            }
            let next = known.len() as u32;
            let family = *known.entry(key).or_insert(next);
            if family == next {
                self.families.push(Places {
                    arity: moving.len() as u8,
                    spots: vec![NONE; points.pow(moving.len() as u32)],
                    is_control: self.action.families[cell.family].is_control,
                });
            }
            let at = moving.iter().fold(0, |at, p| at * points + *p as usize);
            self.families[family as usize].spots[at] = self.spots.len() as u32;
            let index = [0, 1].map(|k| moving.get(k).copied().unwrap_or(0));
            let length = cell.within.map(|(field, _)| field.slot);
            for slot in std::iter::once(cell.field.slot).chain(length) {
                if self.by_slot.len() <= slot {
                    self.by_slot.resize(slot + 1, Vec::new());
                }
                let spot = self.spots.len() as u32;
                if self.by_slot[slot].last() != Some(&spot) {
                    self.by_slot[slot].push(spot);
                }
            }
            self.spots.push(Spot {
                field: cell.field,
                family,
                index,
                arity: moving.len() as u8,
                table: cell.table.map_or(NONE, |table| table as u32),
                within: cell.within,
                salt: mix(u64::from(family) + 1, 0x9e37_79b9_7f4a_7c15),
            });
        }
        Some(())
    }

    /// Whether a state can be permuted.
    #[inline]
    pub(super) fn applies(&self, vector: &[u32]) -> bool {
        match self.stage {
            0 => self.action.applies(vector),
            stage => self.action.stage(vector) == Some(stage),
        }
    }

    /// A permutation of the points that move as one of all points of the action.
    pub(super) fn widened(&self, images: &[u32]) -> Vec<u32> {
        let mut all = permgroup::identity(self.action.points.len());
        for (point, image) in images.iter().enumerate() {
            all[self.names[point] as usize] = self.names[*image as usize];
        }
        all
    }

    /// A permutation of all points of the action as one of those that move.
    pub(super) fn narrowed(&self, images: &[u32]) -> Vec<u32> {
        let images = self.names.iter().map(|point| images[*point as usize]);
        let number = |image: u32| self.names.partition_point(|name| *name < image) as u32;
        images.map(number).collect()
    }

    /// How many points move.
    pub(super) fn points(&self) -> usize {
        self.names.len()
    }

    /// The number of all permutations.
    pub(super) fn order(&self) -> Option<u128> {
        self.group.order()
    }

    /// The point that a spot holds.
    #[inline]
    fn held(&self, spot: &Spot, vector: &[u32], bits: u32) -> u32 {
        if spot.table == NONE {
            return NONE;
        }
        if let Some((field, more)) = spot.within
            && field.get(vector) <= more
        {
            return NONE;
        }
        self.tables[spot.table as usize].point(bits)
    }

    /// The spot where a permutation takes one.
    #[inline]
    fn target(&self, spot: &Spot, images: &[u32]) -> &Spot {
        let places = &self.families[spot.family as usize];
        let at = match spot.arity {
            0 => 0,
            1 => images[spot.index[0] as usize] as usize,
            _ => {
                images[spot.index[0] as usize] as usize * self.names.len()
                    + images[spot.index[1] as usize] as usize
            }
        };
        &self.spots[places.spots[at] as usize]
    }

    /// The bits that a permutation makes of a spot's.
    #[inline]
    fn image(&self, spot: &Spot, vector: &[u32], images: &[u32]) -> u32 {
        let bits = spot.field.get(vector);
        match self.held(spot, vector, bits) {
            NONE => bits,
            point => {
                let image = images[point as usize];
                self.tables[spot.table as usize].values[image as usize]
            }
        }
    }

    /// Whether a permutation moves a spot or what it may hold.
    #[inline]
    fn touches(&self, spot: &Spot, images: &[u32]) -> bool {
        let moves = |at: usize| images[spot.index[at] as usize] != spot.index[at];
        match spot.arity {
            _ if spot.table != NONE => true,
            0 => false,
            1 => moves(0),
            _ => moves(0) || moves(1),
        }
    }

    /// Puts a vector with its points permuted into `out`.
    pub(super) fn apply(&self, images: &[u32], vector: &[u32], out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(vector);
        for spot in self.spots.iter().filter(|spot| self.touches(spot, images)) {
            let bits = self.image(spot, vector, images);
            self.target(spot, images).field.put(out, bits);
        }
    }

    /// The same with the values that name points left alone.
    pub(super) fn apply_places(&self, images: &[u32], vector: &[u32], out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(vector);
        for spot in &self.spots {
            let is_control = self.families[spot.family as usize].is_control;
            let bits = match is_control {
                true => self.image(spot, vector, images),
                false => spot.field.get(vector),
            };
            self.target(spot, images).field.put(out, bits);
        }
    }

    /// Whether a permutation changes nothing in a vector.
    pub(super) fn fixes(&self, images: &[u32], vector: &[u32]) -> bool {
        let mut touched = self.spots.iter().filter(|spot| self.touches(spot, images));
        touched.all(|spot| {
            let bits = self.image(spot, vector, images);
            self.target(spot, images).field.get(vector) == bits
        })
    }

    fn tied(&self) -> Vec<u32> {
        let ties = |spot: &Spot| usize::from(spot.arity) + usize::from(spot.table != NONE) > 1;
        let spots = 0..self.spots.len() as u32;
        spots.filter(|at| ties(&self.spots[*at as usize])).collect()
    }

    /// Whether some part of a state is named by a point and holds one, or is named by two.
    pub(super) fn ties_points(&self) -> bool {
        let spots = self.tied.iter().map(|at| &self.spots[*at as usize]);
        let mut families = spots.map(|spot| &self.families[spot.family as usize]);
        families.any(|family| !family.is_control)
    }

    /// Exchanges of two points of one colour that change nothing in a vector, each point with the nearest lesser one.
    pub(super) fn idle_exchanges<'s>(
        &'s self,
        vector: &'s [u32],
        colours: &'s [u64],
    ) -> impl Iterator<Item = &'s Vec<u32>> {
        let points = self.exchanges.iter().enumerate();
        points.filter_map(move |(point, lesser)| {
            let mut alike = lesser
                .iter()
                .filter(move |(other, _)| colours[*other as usize] == colours[point]);
            let (_, images) = alike.next()?;
            self.fixes(images, vector).then_some(images)
        })
    }
}

fn turning(group: &Group) -> Vec<usize> {
    let levels = group.levels().iter().enumerate();
    let turning = levels.filter(|(_, level)| level.orbit.len() > 1);
    turning.map(|(at, _)| at).collect()
}

fn tables(action: &Action, number: &[u32], points: usize) -> Vec<Table> {
    let tables = action.tables.iter().map(|table| {
        let mut own = Table {
            dense: Vec::new(),
            others: FxHashMap::default(),
            values: vec![0; points],
        };
        for (value, point) in table {
            let point = number[*point as usize];
            if point == NONE {
                continue;
            }
            own.values[point as usize] = *value;
            if *value < DENSE {
                if own.dense.len() <= *value as usize {
                    own.dense.resize(*value as usize + 1, NONE);
                }
                own.dense[*value as usize] = point;
            } else {
                own.others.insert(*value, point);
            }
        }
        own
    });
    tables.collect()
}

/// Points that whatever holds a process holds as well, with a tag that is the same for pairs that permutations map to each
/// other.
fn companions(group: &Group, processes: &[u32]) -> Vec<(u64, u32, u32)> {
    let mut tags: FxHashMap<(u32, u32), u64> = FxHashMap::default();
    let mut found = Vec::new();
    for process in processes {
        let chain = Group::with_base(group.points(), group.generators().to_vec(), &[*process]);
        let holds = |point: u32| {
            let below = chain
                .levels()
                .get(1)
                .map_or(&[][..], |level| level.generators());
            below.iter().all(|images| images[point as usize] == point)
        };
        for point in (0..group.points() as u32).filter(|p| p != process && holds(*p)) {
            let next = tags.len() as u64 + 1;
            let tag = match tags.get(&(*process, point)) {
                Some(tag) => *tag,
                None => {
                    // All images of the pair get its tag.
                    let mut queue = vec![(*process, point)];
                    while let Some(pair) = queue.pop() {
                        if tags.insert(pair, next).is_none() {
                            let images = group.generators().iter();
                            queue.extend(images.map(|g| (g[pair.0 as usize], g[pair.1 as usize])));
                        }
                    }
                    next
                }
            };
            found.push((mix(tag, 0x2127_599b_f432_5c37), *process, point));
        }
    }
    found
}
