//! Which exchanges of two columns there are, and the blocks of slots that each concerns.
//!
//! Elements with slots of their own are columns by their places; processes by the orbits of their group, or, where it is no product of full
//! symmetric groups, there is an exchange for each generator.

use pins::Permute;
use pins::symmetry::{classes, points, targets};

use super::super::acting::{Acting, swap};
use super::{Block, Exchange, Kind, Pairs};

/// The pairs of columns that are exchanged.
fn paired(count: usize, pairs: Pairs) -> Vec<(usize, usize)> {
    let second = 1..count;
    match pairs {
        Pairs::Neighbours => second.map(|at| (at - 1, at)).collect(),
        Pairs::WithFirst => second.map(|at| (0, at)).collect(),
    }
}

/// The exchanges of elements; `None` when some place has no image.
pub(super) fn of_elements(
    permute: &dyn Permute,
    slots: usize,
    pairs: Pairs,
) -> Option<Vec<Vec<Exchange>>> {
    let count = points(permute.sorts());
    let mut families = Vec::new();
    for class in classes(permute.sorts()) {
        let mut family = Vec::new();
        for (a, b) in paired(class.len(), pairs) {
            let (a, b) = (class[a], class[b]);
            let mut images: Vec<u32> = (0..count as u32).collect();
            images.swap(a as usize, b as usize);
            let moved = targets(permute.places(), &images)?;
            let target = |slot: usize| moved.get(slot).copied().unwrap_or(slot);
            let mut blocks = Vec::new();
            for slot in 0..slots {
                let other = target(slot);
                let index = permute.places().get(slot).map_or(&[][..], |p| &p.index);
                if other == slot && permute.changes(slot) {
                    let kind = match index {
                        [] => Kind::Shared,
                        _ => Kind::Mixed,
                    };
                    blocks.push((kind, slot, vec![slot]));
                } else if other != slot && index == [a] {
                    let family = permute.places()[slot].family;
                    blocks.push((Kind::Pair, family, vec![slot, other]));
                } else if other > slot && index != [b] {
                    blocks.push((Kind::Mixed, slot, vec![slot, other]));
                }
            }
            family.push(Exchange {
                images,
                blocks: in_order(blocks),
                first: vec![a],
                second: vec![b],
            });
        }
        families.push(family);
    }
    Some(families)
}

/// The exchanges of columns of processes, or the generators of their group.
pub(super) fn of_processes(acting: &Acting<'_>, pairs: Pairs) -> Vec<Vec<Exchange>> {
    let Some(columns) = &acting.columns else {
        let generators = acting.group.generators().iter();
        let exchanges = generators.map(|images| {
            let blocks = acting.blocks(images).into_iter();
            let blocks = blocks.map(|(_, slots)| (Kind::Mixed, slots[0], slots));
            Exchange {
                images: images.clone(),
                blocks: in_order(blocks.collect()),
                first: Vec::new(),
                second: Vec::new(),
            }
        });
        return vec![exchanges.collect()];
    };
    let families = columns.orbits.iter().map(|orbit| {
        let pairs = paired(orbit.len(), pairs).into_iter();
        let exchanges = pairs.map(|(a, b)| {
            let (first, second) = (orbit[a].clone(), orbit[b].clone());
            let images = swap(acting.points(), &first, &second);
            let blocks = acting.blocks(&images).into_iter().map(|(moves, slots)| {
                let family = |slot: usize, own: &[u32]| acting.family_at(slot, own);
                let by_column = match slots[..] {
                    [a, b] => match (family(a, &first), family(b, &second)) {
                        (Some(family), Some(other)) if family == other => Some((family, [a, b])),
                        _ => match (family(b, &first), family(a, &second)) {
                            (Some(family), Some(other)) if family == other => {
                                Some((family, [b, a]))
                            }
                            _ => None,
                        },
                    },
                    _ => None,
                };
                match (moves, by_column) {
                    (false, _) if slots.iter().all(|slot| acting.stays(*slot)) => {
                        (Kind::Shared, slots[0], slots)
                    }
                    (false, _) => (Kind::Mixed, slots[0], slots),
                    (true, Some((family, pair))) => (Kind::Pair, family, pair.to_vec()),
                    (true, None) => (Kind::Mixed, slots[0], slots),
                }
            });
            Exchange {
                blocks: in_order(blocks.collect()),
                images,
                first,
                second,
            }
        });
        exchanges.collect()
    });
    families.collect()
}

fn in_order(mut blocks: Vec<(Kind, usize, Vec<usize>)>) -> Vec<Block> {
    blocks.sort();
    let blocks = blocks.into_iter();
    blocks
        .map(|(kind, about, slots)| Block { slots, kind, about })
        .collect()
}
