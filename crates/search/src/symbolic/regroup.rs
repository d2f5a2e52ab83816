//! Merges groups whose rows in the dependency matrix are alike: one image for all of them instead of one each.
//!
//! Paper: [Meijer et al. 2014], regrouping. Only groups that read the same slots are merged, so no group has longer short
//! vectors than before and none is asked more often; and only such as touch the same slots, so none gets a longer span.
//! Invariant: every group is in one class.

use pins::{Shape, SlotSet};
use rustc_hash::FxHashMap;

/// The classes of groups, by their first group; each group alone unless groups are to be merged.
pub(super) fn classes(shape: &Shape, merges: bool) -> Vec<Vec<usize>> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let mut known: FxHashMap<(Vec<usize>, Vec<usize>), usize> = FxHashMap::default();
    for (at, group) in shape.groups.iter().enumerate() {
        // An impure group reads whatever there is.
        if !merges || !group.is_pure {
            classes.push(vec![at]);
            continue;
        }
        let slots = |set: &SlotSet| set.iter().collect::<Vec<usize>>();
        let mut touched = group.reads.clone();
        touched.union_with(&group.may_write);
        match known.get(&(slots(&group.reads), slots(&touched))) {
            Some(class) => classes[*class].push(at),
            None => {
                known.insert((slots(&group.reads), slots(&touched)), classes.len());
                classes.push(vec![at]);
            }
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_read_and_touch_the_same_slots_are_one_class() {
        let mut shape = pins::toy::philosophers(3).shape;
        let twin = shape.groups[1].clone();
        shape.groups.push(twin);
        let last = shape.groups.len() - 1;
        let merged = classes(&shape, true);
        assert!(
            merged
                .iter()
                .any(|class| class.ends_with(&[last]) && class.contains(&1))
        );
        let mut all: Vec<usize> = merged.into_iter().flatten().collect();
        all.sort_unstable();
        assert_eq!(all, (0..=last).collect::<Vec<_>>());
        assert_eq!(classes(&shape, false).len(), last + 1);
    }
}
