//! Which groups a checked label can see.
//!
//! A label is *broken* in a state where it is a finding: an invariant that is not true, a goal that is. A path to such
//! a state is kept by the reduction if the steps that are put before its others do not mend the label; so what counts
//! is who may *mend* it and who may *break* it. By the slots that are written both are the same groups.
//! Differs from condition A3 of [Dobrikov, Leuschel 2014]: a proof that an event preserves the invariant does not make
//! it invisible, because it may still mend an invariant that another event broke; a proof that it mends nothing does.

use pins::{LabelId, Shape};

use super::sets::GroupSet;

/// Who can change the labels that are checked.
#[derive(Clone, Debug)]
pub struct Visibility {
    labels: Vec<Seen>,
    /// For each group the labels (positions) that it may mend.
    mends: Vec<Vec<u32>>,
    visible: GroupSet,
}

/// A label and who can change it.
#[derive(Clone, Debug)]
struct Seen {
    label: LabelId,
    breakers: GroupSet,
}

impl Visibility {
    /// By the slots that labels read and groups write. Labels that always hold are seen by nobody.
    pub fn new(shape: &Shape, labels: &[LabelId]) -> Visibility {
        Visibility::with(shape, labels, &mut |_, _| true, &mut |_, _| true)
    }

    /// Groups that formulas about paths see; no label is checked.
    pub fn of(visible: GroupSet, groups: usize) -> Visibility {
        Visibility {
            labels: Vec::new(),
            mends: vec![Vec::new(); groups],
            visible,
        }
    }

    /// The same, where `may_mend` and `may_break` are asked about each group that writes what a label reads.
    pub fn with(
        shape: &Shape,
        labels: &[LabelId],
        may_mend: &mut dyn FnMut(LabelId, usize) -> bool,
        may_break: &mut dyn FnMut(LabelId, usize) -> bool,
    ) -> Visibility {
        let groups = shape.groups.len();
        let mut visibility = Visibility {
            labels: Vec::new(),
            mends: vec![Vec::new(); groups],
            visible: GroupSet::new(groups),
        };
        for label in labels {
            if shape.always_true.contains(label) {
                continue;
            }
            let reads = &shape.labels[label.index()].reads;
            let mut breakers = GroupSet::new(groups);
            for (at, group) in shape.groups.iter().enumerate() {
                if group.is_pure && !group.may_write.intersects(reads) {
                    continue;
                }
                if may_break(*label, at) {
                    breakers.insert(at);
                }
                if may_mend(*label, at) {
                    visibility.mends[at].push(visibility.labels.len() as u32);
                    visibility.visible.insert(at);
                }
            }
            visibility.labels.push(Seen {
                label: *label,
                breakers,
            });
        }
        visibility
    }

    /// Whether there is a label that something can change.
    pub fn is_needed(&self) -> bool {
        self.labels.iter().any(|seen| !seen.breakers.is_empty())
    }

    /// Groups that some label can see.
    pub fn visible(&self) -> &GroupSet {
        &self.visible
    }

    /// For each label that a group may mend, who may break it.
    #[inline]
    pub fn bound_to(&self, group: usize) -> impl Iterator<Item = &GroupSet> {
        self.mends[group]
            .iter()
            .map(|label| &self.labels[*label as usize].breakers)
    }

    /// For each label the groups that may mend it: those that keep a reduction from being large first.
    pub fn culprits(&self) -> Vec<(LabelId, GroupSet)> {
        let mut found: Vec<(LabelId, GroupSet)> = Vec::new();
        for (at, seen) in self.labels.iter().enumerate() {
            let mut groups = GroupSet::new(self.mends.len());
            for (group, mends) in self.mends.iter().enumerate() {
                if mends.contains(&(at as u32)) {
                    groups.insert(group);
                }
            }
            if !groups.is_empty() {
                found.push((seen.label, groups));
            }
        }
        found.sort_by_key(|(label, groups)| (std::cmp::Reverse(groups.len()), label.index()));
        found
    }
}
