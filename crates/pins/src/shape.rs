//! The static picture of a system: slots, groups, labels and which reads or writes which.

use base::{Id, Name, Span};

/// Names a slot of the state vector.
pub type SlotId = Id<Slot>;
/// Names a group of transitions.
pub type GroupId = Id<Group>;
/// Names a label.
pub type LabelId = Id<Label>;

/// A slot of the state vector.
#[derive(Clone, Debug)]
pub struct Slot {
    /// What it holds: a variable, or a part of one.
    pub name: Name,
    /// Whether it never changes after the set-up.
    pub is_constant: bool,
}

/// A set of slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotSet {
    words: Vec<u64>,
}

impl SlotSet {
    /// The empty set.
    pub fn new() -> SlotSet {
        SlotSet::default()
    }

    /// Adds a slot.
    pub fn insert(&mut self, slot: usize) {
        let word = slot / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (slot % 64);
    }

    /// Whether a slot is in the set.
    pub fn contains(&self, slot: usize) -> bool {
        self.words
            .get(slot / 64)
            .is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    /// Whether the sets share a slot.
    pub fn intersects(&self, other: &SlotSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Whether every slot of the set is in `other`.
    pub fn is_within(&self, other: &SlotSet) -> bool {
        let theirs = other.words.iter().copied().chain(std::iter::repeat(0));
        self.words.iter().zip(theirs).all(|(a, b)| a & !b == 0)
    }

    /// Adds all slots of `other`.
    pub fn union_with(&mut self, other: &SlotSet) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// The slots, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| i * 64 + bit)
        })
    }
}

/// A group of transitions: an operation or event, or a part of one.
#[derive(Clone, Debug)]
pub struct Group {
    /// The event.
    pub name: Name,
    /// Slots that decide whether and how its transitions happen.
    pub reads: SlotSet,
    /// Slots that some transition changes.
    pub may_write: SlotSet,
    /// Slots that every transition writes, whatever they held.
    pub must_write: SlotSet,
    /// Whether its transitions depend on nothing but the slots (no impure host function).
    pub is_pure: bool,
}

/// What a label is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelKind {
    /// A conjunct of the invariant: false is a finding.
    Invariant,
    /// An assertion: false is a finding.
    Assertion,
    /// A predicate to look for.
    Goal,
    /// A state without steps in which it is true is no deadlock.
    End,
    /// A predicate that some state must satisfy; asking for it is noted ([`crate::Notes::covered`]).
    Cover,
}

/// A predicate on states.
#[derive(Clone, Debug)]
pub struct Label {
    /// What it is about.
    pub kind: LabelKind,
    /// Its name in the report: the label in the text, or a short form of it.
    pub name: Name,
    /// The slots it reads, constants included.
    pub reads: SlotSet,
    /// Where it stands.
    pub span: Option<Span>,
}

/// A condition without which a group does not happen: a conjunct of its guard that is about the state alone.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The group.
    pub group: GroupId,
    /// The slots it reads, constants included.
    pub reads: SlotSet,
    /// Whether it always has a truth value.
    pub is_total: bool,
    /// The slot and word that it compares, when it says no more than that they are equal.
    pub equals: Option<(usize, u32)>,
}

/// The words that a group can leave in a slot.
#[derive(Clone, Debug)]
pub struct Leaves {
    /// The slot.
    pub slot: usize,
    /// What it may hold after a step of the group that changed it.
    pub words: Vec<u32>,
    /// Whether it holds one of them after every step, changed or not.
    pub is_certain: bool,
}

/// A slot whose words a group counts up or down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counts {
    /// The slot.
    pub slot: usize,
    /// Whether upwards.
    pub is_up: bool,
}

/// What is known of when a group happens.
#[derive(Clone, Debug)]
pub struct Enabling {
    /// The slots that decide whether it has a step or a fault, constants included.
    pub reads: SlotSet,
    /// Whether it may have a fault.
    pub may_fault: bool,
}

/// The static picture of a system.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// The slots of a state, constants first.
    pub slots: Vec<Slot>,
    /// For each slot in how many bits its words fit, whatever the state; empty where that is not known.
    pub bits: Vec<u8>,
    /// The groups.
    pub groups: Vec<Group>,
    /// The labels.
    pub labels: Vec<Label>,
    /// For each group the slots that decide whether it can happen at all; empty where that is not known.
    pub guard_reads: Vec<SlotSet>,
    /// For each group when it happens; empty where that is not known.
    pub enabling: Vec<Enabling>,
    /// The guards of all groups, as far as they are known, by group.
    pub guards: Vec<Guard>,
    /// For each group what it can leave in some of the slots that it writes; empty where nothing is known.
    pub leaves: Vec<Vec<Leaves>>,
    /// The word of a slot that groups certainly leave words in ([`Leaves`]), if there is nobody. A slot ceases to hold it only by
    /// steps that certainly leave a word in a slot before it.
    pub absent: Option<u32>,
    /// For each group the slots that it counts in as a rule, and changes in no other way; a hint. Only steps that change where
    /// somebody is change what he counts in. Empty where nothing is known.
    pub counts: Vec<Vec<Counts>>,
    /// Pairs of groups that touch the same slots and yet, wherever both happen, do not disable each other, and whatever the
    /// second and then the first lead to, the first and then the second do, too. So the first can be taken now and the
    /// second later; pairs in both orders commute.
    pub commuting: Vec<(GroupId, GroupId)>,
    /// Groups that their first guard holds: while it is true, nothing but groups that ask for the same word of the same slot
    /// makes them happen or keeps them from it.
    pub held: Vec<GroupId>,
    /// Groups that may come before everything else wherever they happen: what is possible without a step of theirs is
    /// possible after it, apart from differences that no group, label or deadlock depends on.
    pub eager: Vec<GroupId>,
    /// Pairs of groups of which the first may come before the second, apart from such differences.
    pub alike: Vec<(GroupId, GroupId)>,
    /// Labels that hold in every state, because the types of what they read say no less.
    pub always_true: Vec<LabelId>,
    /// Whether a slot holds several variables: vectors are short, and the words of a slot mean nothing by themselves.
    pub is_packed: bool,
    /// Whether vectors are better kept whole than folded, if they are short: most of their words change with every permutation.
    pub is_whole: bool,
    /// Whether steps of two groups are two steps, whatever their names, labels and targets; otherwise groups of one name share
    /// what is one step of the model.
    pub is_told_by_group: bool,
    /// Whether there is a set-up step.
    pub has_setup: bool,
    /// Whether a fault in a step is a finding about the state before it; otherwise the step counts as made.
    pub faults_stay: bool,
}
