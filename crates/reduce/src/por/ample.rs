//! Ample sets: groups that depend on each other, chosen together, if nothing else can interfere before one of them.
//!
//! Paper: [Dobrikov, Leuschel 2014], algorithm 3. A set S of the enabled groups is chosen when no enabled group
//! outside it depends on it (A2.1), no group that depends on it can be enabled by a chain of groups outside it (A2.2),
//! and no label sees it (A3). The engine adds A4.
//! Differs: the paper tries the enabled events in random order and takes the first set that fits; here all of them are
//! tried and the one with the fewest groups that write anything is taken, so runs are reproducible. Where the proviso is
//! needed, a set that writes nothing is of no use.
//! Technique: the answer depends on the enabled groups and on which of them are of no use, so it is remembered.

use rustc_hash::FxHashMap;

use super::relations::Relations;
use super::sets::GroupSet;
use super::visible::Visibility;

/// More answers than this are forgotten.
const MOST: usize = 1 << 14;

/// Chooses ample sets.
#[derive(Debug)]
pub(super) struct Ample<'r> {
    relations: &'r Relations,
    visibility: &'r Visibility,
    /// Groups that write something.
    writing: &'r GroupSet,
    must_write: bool,
    /// What was asked last.
    asked: (GroupSet, GroupSet),
    /// By the enabled groups and those of them that are of no use in a set.
    known: FxHashMap<(GroupSet, GroupSet), Option<GroupSet>>,
}

impl<'r> Ample<'r> {
    pub(super) fn new(
        relations: &'r Relations,
        visibility: &'r Visibility,
        writing: &'r GroupSet,
        must_write: bool,
    ) -> Ample<'r> {
        Ample {
            relations,
            visibility,
            writing,
            must_write,
            asked: (
                GroupSet::new(relations.groups()),
                GroupSet::new(relations.groups()),
            ),
            known: FxHashMap::default(),
        }
    }

    /// An ample set of a state where these groups happen and some are of no use; `None` for all of them.
    pub(super) fn choose(&mut self, enabled: &GroupSet, turning: &GroupSet) -> Option<&GroupSet> {
        self.asked.0.clone_from(enabled);
        self.asked.1.clone_from(turning);
        if !self.known.contains_key(&self.asked) {
            if self.known.len() >= MOST {
                self.known.clear();
            }
            let found = self.find(enabled, turning);
            self.known.insert(self.asked.clone(), found);
        }
        self.known.get(&self.asked)?.as_ref()
    }

    fn find(&self, enabled: &GroupSet, turning: &GroupSet) -> Option<GroupSet> {
        let mut left = enabled.clone();
        let mut best: Option<(usize, GroupSet)> = None;
        while let Some(first) = left.first() {
            let component = self.component(first, enabled);
            left.subtract(&component);
            let size = component.common(self.writing);
            let is_better = best.as_ref().is_none_or(|(known, _)| size < *known);
            if is_better
                && (size > 0 || !self.must_write)
                && component != *enabled
                && !component.intersects(self.visibility.visible())
                && !component.intersects(turning)
                && !self.can_be_disturbed(&component, enabled)
            {
                best = Some((size, component));
                if size <= usize::from(self.must_write) {
                    break;
                }
            }
        }
        best.map(|(_, set)| set)
    }

    /// The enabled groups that depend on one, directly or through others (A2.1).
    fn component(&self, first: usize, enabled: &GroupSet) -> GroupSet {
        let mut component = enabled.clone();
        component.clear();
        component.insert(first);
        let mut todo = vec![first];
        while let Some(next) = todo.pop() {
            let mut more = self.relations.dependent.row(next).clone();
            more.intersect_with(enabled);
            more.for_each_new(&component, |group| todo.push(group));
            component.union_with(&more);
        }
        component
    }

    /// Whether groups outside the set can lead to one that depends on it (against A2.2).
    fn can_be_disturbed(&self, set: &GroupSet, enabled: &GroupSet) -> bool {
        let mut depending = set.clone();
        for member in set.iter() {
            depending.union_with(self.relations.dependent.row(member));
        }
        depending.subtract(set);
        let mut reached = enabled.clone();
        reached.subtract(set);
        let mut todo: Vec<usize> = reached.iter().collect();
        while let Some(next) = todo.pop() {
            let mut more = self.relations.can_enable.row(next).clone();
            more.subtract(set);
            more.for_each_new(&reached, |group| todo.push(group));
            reached.union_with(&more);
        }
        reached.intersects(&depending)
    }
}
