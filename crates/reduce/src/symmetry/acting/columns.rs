//! Products of full symmetric groups: processes that can be exchanged two by two, each with all that belongs to it.
//!
//! A *column* is a process with the points that move with it. Where every two columns of an orbit can be exchanged and
//! nothing else can be done, choosing a permutation is sorting columns.
//! Paper: [Donaldson, Miller 2006], minimising sets for groups that are isomorphic to a symmetric group.

use permgroup::{Group, identity};

/// The columns of a group.
#[derive(Clone, Debug)]
pub(in crate::symmetry) struct Columns {
    /// For each orbit of processes its columns, each a list of points that begins with the process; points at one position
    /// correspond.
    pub(in crate::symmetry) orbits: Vec<Vec<Vec<u32>>>,
}

impl Columns {
    /// The columns of a group with these processes, if it is a product of full symmetric groups.
    pub(super) fn find(group: &Group, processes: &[u32]) -> Option<Columns> {
        let mut orbits = Vec::new();
        let mut order: u128 = 1;
        for orbit in group.orbits() {
            let own: Vec<u32> = orbit
                .into_iter()
                .filter(|p| processes.contains(p))
                .collect();
            let Some(first) = own.first() else {
                continue;
            };
            let ways = (1..=own.len() as u128).try_fold(1u128, u128::checked_mul)?;
            order = order.checked_mul(ways)?;
            let others = own[1..].iter();
            let swaps: Vec<Vec<u32>> = others
                .map(|other| exchange(group, processes, *first, *other))
                .collect::<Option<_>>()?;
            let points = 0..group.points() as u32;
            let shared: Vec<u32> = points
                .filter(|p| !processes.contains(p))
                .filter(|p| is_of_first(&swaps, *p))
                .collect();
            let column = |first: u32, images: Option<&Vec<u32>>| -> Vec<u32> {
                let image = |p: &u32| images.map_or(*p, |images| images[*p as usize]);
                std::iter::once(first)
                    .chain(shared.iter().map(image))
                    .collect()
            };
            let others = own[1..].iter().zip(&swaps);
            let mut columns = vec![column(*first, None)];
            columns.extend(others.map(|(other, swap)| column(*other, Some(swap))));
            orbits.push(columns);
        }
        let columns = Columns { orbits };
        (group.order() == Some(order) && columns.generate(group)).then_some(columns)
    }

    /// Whether exchanging columns is what the group does.
    fn generate(&self, group: &Group) -> bool {
        let mut all: Vec<u32> = self.orbits.iter().flatten().flatten().copied().collect();
        all.sort_unstable();
        let count = all.len();
        all.dedup();
        let swaps = self.orbits.iter().flat_map(|columns| {
            let pairs = columns.windows(2);
            pairs.map(|pair| swap(group.points(), &pair[0], &pair[1]))
        });
        all.len() == count && swaps.into_iter().all(|images| group.contains(&images))
    }
}

/// What exchanges two processes and leaves all others where they are.
fn exchange(group: &Group, processes: &[u32], one: u32, other: u32) -> Option<Vec<u32>> {
    let image = |process: u32| match process {
        p if p == one => other,
        p if p == other => one,
        p => p,
    };
    let wanted: Vec<(u32, u32)> = processes.iter().map(|p| (*p, image(*p))).collect();
    group.taking(&wanted)
}

/// Exchanges are looked for in orbits of at most so many processes.
const MOST_EXCHANGED: usize = 64;

/// For each point the lesser processes that the group can exchange it with, nearest first, and how.
pub(super) fn exchanges(group: &Group, processes: &[u32]) -> Vec<Vec<(u32, Vec<u32>)>> {
    let mut found = vec![Vec::new(); group.points()];
    for orbit in group.orbits() {
        let mut own: Vec<u32> = orbit
            .into_iter()
            .filter(|p| processes.contains(p))
            .collect();
        own.sort_unstable();
        own.truncate(MOST_EXCHANGED);
        for (at, process) in own.iter().enumerate() {
            let lesser = own[..at].iter().rev();
            let swaps = lesser.filter_map(|other| {
                exchange(group, processes, *other, *process).map(|images| (*other, images))
            });
            found[*process as usize] = swaps.collect();
        }
    }
    found
}

/// Whether a point moves in every exchange, and never to where it came from by another one.
fn is_of_first(swaps: &[Vec<u32>], point: u32) -> bool {
    let images: Vec<u32> = swaps.iter().map(|swap| swap[point as usize]).collect();
    let mut different = images.clone();
    different.sort_unstable();
    different.dedup();
    let moves = images.iter().all(|image| *image != point);
    // With two columns both sides move: the lesser point is of the first.
    moves && different.len() == images.len() && (images.len() > 1 || point < images[0])
}

/// The permutation that exchanges two columns.
pub(in crate::symmetry) fn swap(points: usize, a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut images = identity(points);
    for (a, b) in a.iter().zip(b) {
        images.swap(*a as usize, *b as usize);
    }
    images
}
