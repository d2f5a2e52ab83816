//! Steps that have become the same because their targets are in one orbit.
//!
//! Technique: as long as no label comes back nothing is compared; then steps are hashed with their targets.

use pins::GroupId;
use rustc_hash::FxHashSet;

/// Finds steps of one group that have become the same: same label, targets in one orbit.
#[derive(Default)]
pub(super) struct Repeats {
    group: Option<GroupId>,
    labels: Vec<u64>,
    /// Label and target of every step of the group.
    steps: Vec<(usize, usize)>,
    words: Vec<u32>,
    known: FxHashSet<Box<[u32]>>,
}

impl Repeats {
    pub(super) fn clear(&mut self) {
        self.group = None;
    }

    /// Whether the step was seen before; remembers it.
    pub(super) fn has(&mut self, group: GroupId, label: &[u32], target: &[u32]) -> bool {
        if self.group != Some(group) {
            self.group = Some(group);
            self.labels.clear();
            self.steps.clear();
            self.words.clear();
            self.known.clear();
        }
        // Steps with different labels are different: as long as no label comes back, nothing is compared.
        let hash = label.iter().fold(label.len() as u64, |hash, word| {
            canon::mix(hash, u64::from(*word))
        });
        let is_new_label = self.known.is_empty() && !self.labels.contains(&hash);
        let start = self.words.len();
        self.words.extend_from_slice(label);
        self.words.extend_from_slice(target);
        self.steps.push((start, self.words.len()));
        if is_new_label && self.labels.len() < MANY {
            self.labels.push(hash);
            return false;
        }
        if self.known.is_empty() {
            let earlier = &self.steps[..self.steps.len() - 1];
            let earlier = earlier
                .iter()
                .map(|(from, to)| Box::from(&self.words[*from..*to]));
            self.known.extend(earlier);
        }
        !self.known.insert(Box::from(&self.words[start..]))
    }
}

/// Labels are compared one by one up to so many.
const MANY: usize = 64;
