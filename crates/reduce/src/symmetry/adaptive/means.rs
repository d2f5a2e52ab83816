//! How states are permuted: elements inside words, or processes that move whole slots.
//!
//! Invariant: a canonical form under a partition is the state with a permutation that keeps the partition.

use pins::symmetry::permuted;
use pins::{Permute, Shape};

use super::super::acting::{Acting, Refined};
use super::super::exact::{Depth, Formed, Former, Part};
use super::super::quotient::Chooser;
use super::partitions::{Partition, arrangements};
use super::subgroups::Subgroups;

/// What permutes states.
pub(super) enum Means<'a> {
    /// Elements of sorts: any permutation that keeps the cells of a partition.
    Elements(&'a dyn Permute, Vec<Partition>),
    /// An action: its subgroups, and for each partition the action made ready, if it moves anything.
    Steps(&'a Subgroups, Vec<Option<Acting<'a>>>),
}

impl<'a> Means<'a> {
    /// The subgroups of an action; `None` when one cannot be made ready.
    pub(super) fn steps(subgroups: &'a Subgroups) -> Option<Means<'a>> {
        let ready = subgroups.actions.iter().map(|action| {
            let acting = Acting::new(action, &[], 0);
            (acting.is_some() || action.generators.is_empty()).then_some(acting)
        });
        Some(Means::Steps(subgroups, ready.collect::<Option<_>>()?))
    }

    /// Slots with words that may hide points.
    pub(super) fn hiding(&self, slots: usize) -> Vec<usize> {
        match self {
            Means::Elements(permute, _) => {
                let slots = 0..slots;
                slots.filter(|slot| permute.may_hide(*slot)).collect()
            }
            Means::Steps(..) => Vec::new(),
        }
    }

    /// Whether a state can be permuted by what a partition leaves.
    pub(super) fn applies(&self, partition: usize, state: &[u32]) -> bool {
        match self {
            Means::Elements(..) => true,
            Means::Steps(_, ready) => {
                let acting = ready[partition].as_ref();
                acting.is_none_or(|acting| acting.applies(state))
            }
        }
    }

    /// A state with its points exchanged.
    pub(super) fn permuted(&self, state: &[u32], images: &[u32]) -> Vec<u32> {
        match self {
            Means::Elements(permute, _) => permuted(*permute, state, images),
            Means::Steps(_, ready) => match &ready[0] {
                Some(acting) => {
                    let mut out = Vec::new();
                    acting.apply(&acting.narrowed(images), state, &mut out);
                    out
                }
                None => state.to_vec(),
            },
        }
    }

    /// What gives forms under a partition.
    pub(super) fn forming<'q>(&'q self, partition: usize, shape: &'q Shape) -> Forming<'q> {
        match self {
            Means::Elements(permute, partitions) => {
                let classes = &partitions[partition].classes;
                let former = Former::new(*permute, shape, classes, Depth::Decided, None);
                Forming::Elements(Box::new(former))
            }
            Means::Steps(_, ready) => {
                let acting = ready[partition].as_ref();
                Forming::Steps(acting.map(|acting| Box::new((acting, Refined::new(acting, false)))))
            }
        }
    }

    /// Permutations that one partition allows, one for each way to be different for a finer one; `None` when they are too many.
    pub(super) fn variants(&self, from: usize, to: usize) -> Option<Vec<Vec<u32>>> {
        let (coarse, fine) = match self {
            Means::Elements(_, partitions) => (&partitions[from], &partitions[to]),
            Means::Steps(subgroups, _) => return subgroups.variants(from, to),
        };
        let mut all = vec![(0..fine.cells.len() as u32).collect::<Vec<u32>>()];
        for class in &coarse.classes {
            let places: Vec<u32> = class.iter().map(|p| fine.cells[*p as usize]).collect();
            let orders = arrangements(&places);
            let mut more = Vec::new();
            for images in &all {
                for order in &orders {
                    let mut images = images.clone();
                    for (point, at) in class.iter().zip(order) {
                        images[*point as usize] = class[*at];
                    }
                    more.push(images);
                }
            }
            all = more;
        }
        Some(all)
    }
}

/// An action with what gives its forms.
type Ready<'q> = (&'q Acting<'q>, Refined<'q>);

/// Gives canonical forms under one partition.
pub(super) enum Forming<'q> {
    Elements(Box<Former<'q>>),
    Steps(Option<Box<Ready<'q>>>),
}

impl Forming<'_> {
    /// The canonical form of a state, and the permutation to it; none where it is the state itself.
    pub(super) fn form(&mut self, state: &[u32]) -> Option<(Vec<u32>, Vec<u32>)> {
        let mut out = Vec::new();
        match self {
            Forming::Elements(former) => {
                former.begin_anew();
                match former.form(state, Part::State) {
                    Formed::Moved => {
                        former.apply(state, Part::State, &mut out);
                        Some((out, former.images()))
                    }
                    Formed::Same | Formed::Opaque => None,
                }
            }
            Forming::Steps(None) => None,
            Forming::Steps(Some(ready)) => {
                let (acting, refined) = &mut **ready;
                if !acting.applies(state) {
                    return None;
                }
                refined.form(state, &mut out);
                Some((out, acting.widened(&refined.images)))
            }
        }
    }

    /// How many states are permutations of a state; `None` where that is not known.
    pub(super) fn orbit(&mut self, state: &[u32]) -> Option<u128> {
        match self {
            Forming::Elements(_) => None,
            Forming::Steps(None) => Some(1),
            Forming::Steps(Some(ready)) => {
                let (acting, refined) = &mut **ready;
                if !acting.applies(state) {
                    return Some(1);
                }
                refined.begin(state)
            }
        }
    }
}
