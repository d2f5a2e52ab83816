//! Columns at the front: what a group writes is brought to the first places before the group is asked.
//!
//! Technique: of two states that are permutations of each other one is asked about. A step of a group that writes some columns has a
//! permuted step of a group that writes the first ones (law 4 of `pins::symmetry`), in the state where what it writes has been
//! brought there. So only groups that write the first columns are asked, once for each choice of local states for them; all other groups
//! have nothing to do, which spares engines that learn group by group most of their questions.
//! Invariant: which states are asked about depends on the vector alone.

use super::Counters;
use super::columns::Family;

/// What a group may write of columns.
pub(super) struct Front {
    /// The columns, by family and number, ascending.
    written: Vec<(usize, usize)>,
    /// For each family of which it writes some columns and not all, how many; `None` where they are not the first ones.
    counts: Option<Vec<(usize, usize)>>,
}

/// A state that a vector of counters stands for.
#[derive(Default)]
pub(super) struct Laid {
    pub(super) vector: Vec<u32>,
    pub(super) state: Vec<u32>,
    /// For each family and column the number of its local state, and how many before it are in the same one.
    pub(super) columns: Vec<Vec<(u32, u32)>>,
    /// Whether it cannot be permuted, so that each column has its own place.
    pub(super) is_itself: bool,
}

/// Columns that are brought to the front, by family; those of one family in the order of places.
type Chosen = Vec<(usize, usize)>;

impl Front {
    /// What a group does that may write these columns.
    pub(super) fn new(families: &[Family], mut written: Vec<(usize, usize)>) -> Front {
        written.sort_unstable();
        written.dedup();
        let mut counts = Some(Vec::new());
        for own in written.chunk_by(|a, b| a.0 == b.0) {
            let family = own[0].0;
            let are_first = own.iter().zip(0..).all(|((_, column), at)| *column == at);
            match &mut counts {
                _ if own.len() == families[family].columns.len() => {}
                Some(all) if are_first => all.push((family, own.len())),
                counts => *counts = None,
            }
        }
        Front { written, counts }
    }

    /// The columns that it may write, by family and number.
    pub(super) fn written(&self) -> &[(usize, usize)] {
        &self.written
    }

    /// Whether it is asked about states in which any column may stand first.
    pub(super) fn leads(&self) -> bool {
        self.counts.is_some()
    }

    /// Whether it does not matter to it what stands first.
    pub(super) fn is_anywhere(&self) -> bool {
        matches!(&self.counts, Some(counts) if counts.is_empty())
    }

    /// The columns that may be brought to the front, one choice for each multiset of local states.
    pub(super) fn choices(&self, laid: &Laid) -> Vec<Chosen> {
        let mut all = vec![Vec::new()];
        for (family, count) in self.counts.iter().flatten() {
            let columns = &laid.columns[*family];
            for at in 0..*count {
                let mut more: Vec<Chosen> = Vec::new();
                for chosen in &all {
                    // Columns in one local state lie side by side, so a multiset is an ascending choice of first ones.
                    let last = chosen.last().filter(|_| at > 0).map(|(_, column)| *column);
                    let next = last.map_or(0, |last| last + 1);
                    for (column, (_, rank)) in columns.iter().enumerate().skip(next) {
                        let follows = last.is_some_and(|last| last + 1 == column);
                        if *rank == 0 || follows {
                            let mut longer = chosen.clone();
                            longer.push((*family, column));
                            more.push(longer);
                        }
                    }
                }
                all = more;
            }
        }
        all
    }
}

impl Laid {
    /// Becomes a state with the chosen columns at the first places, in their order.
    pub(super) fn bring(&mut self, laid: &Laid, chosen: &Chosen, counters: &Counters<'_>) {
        self.vector.clone_from(&laid.vector);
        self.state.clone_from(&laid.state);
        self.columns.clone_from(&laid.columns);
        self.is_itself = laid.is_itself;
        // Chosen columns of a family are ascending, so none is moved before its turn.
        let mut images = None;
        for own in chosen.chunk_by(|a, b| a.0 == b.0) {
            let family = &counters.families[own[0].0];
            let columns = &mut self.columns[own[0].0];
            for (place, (_, column)) in own.iter().enumerate() {
                if place == *column {
                    continue;
                }
                columns.swap(place, *column);
                let (here, there) = (&family.columns[place], &family.columns[*column]);
                for (a, b) in here.iter().zip(there) {
                    self.state.swap(*a, *b);
                }
                if counters.has_holders() {
                    let images = images.get_or_insert_with(|| counters.neighbours.identity());
                    exchange(images, &family.points[place], &family.points[*column]);
                }
            }
        }
        if let Some(images) = images {
            self.state = counters.neighbours.apply(&images, &laid.state);
        }
    }
}

/// What follows a permutation of points: those at one place go to another one, and the other way round.
fn exchange(images: &mut [u32], here: &[u32], there: &[u32]) {
    for (a, b) in here.iter().zip(there) {
        for image in images.iter_mut() {
            *image = match *image {
                image if image == *a => *b,
                image if image == *b => *a,
                image => image,
            };
        }
    }
}
