//! What engines see of rules without running them: slots, groups with what they read and write, labels.

use pins::{Group, GroupId, Label, LabelKind, Slot, SlotSet};
use program::PropertyKind;

use super::super::names;
use super::super::slots::Slots;
use super::{Grouping, Options, Rules};

impl Rules {
    /// Groups, slots and labels.
    pub(super) fn describe(&mut self, options: &Options) {
        let program = &self.program;
        let names: Vec<base::Name> = program
            .variables
            .iter()
            .flat_map(|(id, _)| names::slots(program, id))
            .collect();
        for slot in &self.slots.list {
            let name = names[slot.words[0].0 as usize];
            self.shape.slots.push(Slot {
                name,
                is_constant: false,
            });
        }
        self.shape.bits = self.slots.widths();
        self.describe_groups(options.grouping);
        self.describe_labels(options);
    }

    /// Groups, what they read and write, and the instances of each.
    fn describe_groups(&mut self, grouping: Grouping) {
        let program = &self.program;
        let count = match grouping {
            Grouping::Rules => program.rules.len(),
            Grouping::Instances => self.instances.len(),
        };
        let mut groups: Vec<Group> = Vec::with_capacity(count);
        for at in 0..count {
            let rule = if grouping == Grouping::Rules {
                at
            } else {
                self.instances[at].number
            };
            groups.push(Group {
                name: program.rules[program::RuleId::new(rule)].name,
                reads: SlotSet::new(),
                may_write: SlotSet::new(),
                must_write: SlotSet::new(),
                is_pure: true,
            });
        }
        let mut of_group = vec![0..0; count];
        let sooner = self.looked_at_sooner();
        for (at, instance) in self.instances.iter().enumerate() {
            let group = if grouping == Grouping::Rules {
                instance.number
            } else {
                at
            };
            self.groups.push(GroupId::new(group));
            let range: &mut std::ops::Range<usize> = &mut of_group[group];
            *range = if range.end == 0 {
                at..at + 1
            } else {
                range.start..at + 1
            };
            let slots = &self.slots;
            groups[group]
                .reads
                .union_with(&slots_of(slots, &instance.touches.reads));
            let writes = slots_of(slots, &instance.touches.writes);
            // What lies beside a written word in its slot is kept, so it is read.
            for slot in writes
                .iter()
                .filter(|slot| slots.list[*slot].words.len() > 1)
            {
                groups[group].reads.insert(slot);
            }
            groups[group].may_write.union_with(&writes);
            if let Ok(at) = self.priorities.binary_search(&self.priority(instance)) {
                groups[group].reads.union_with(&sooner[at]);
            }
        }
        let mut assumed = SlotSet::new();
        for instance in self.assumptions.iter().flat_map(|(_, instances)| instances) {
            assumed.union_with(&slots_of(&self.slots, &instance.looks.reads));
        }
        for group in &mut groups {
            group.reads.union_with(&assumed);
        }
        self.shape.groups = groups;
        self.of_group = of_group;
    }

    /// For each number of rules the slots that guards of rules with smaller numbers read: they decide whether it may happen.
    fn looked_at_sooner(&self) -> Vec<SlotSet> {
        let mut own = vec![SlotSet::new(); self.priorities.len()];
        if own.len() > 1 {
            for instance in &self.instances {
                if let Ok(at) = self.priorities.binary_search(&self.priority(instance)) {
                    own[at].union_with(&slots_of(&self.slots, &instance.looks.reads));
                }
            }
        }
        let mut sooner = Vec::with_capacity(own.len());
        let mut all = SlotSet::new();
        for reads in own {
            sooner.push(all.clone());
            all.union_with(&reads);
        }
        sooner
    }

    /// Labels and what they read.
    fn describe_labels(&mut self, options: &Options) {
        let program = &self.program;
        for (number, instances) in &self.labels {
            let (kind, name, span) = match program.properties.get(*number) {
                Some(property) => {
                    let kind = match property.kind {
                        PropertyKind::Cover => LabelKind::Cover,
                        _ => LabelKind::Invariant,
                    };
                    (kind, property.name, property.span)
                }
                None => {
                    let asked = &options.labels[*number - program.properties.len()];
                    (asked.kind, asked.name, program.exprs[asked.condition].span)
                }
            };
            let mut reads = SlotSet::new();
            for instance in instances {
                reads.union_with(&slots_of(&self.slots, &instance.looks.reads));
            }
            self.shape.labels.push(Label {
                kind,
                name,
                reads,
                span: Some(span),
            });
        }
    }
}

/// The slots that hold some of these words.
pub(super) fn slots_of(slots: &Slots, words: &SlotSet) -> SlotSet {
    let mut found = SlotSet::new();
    words
        .iter()
        .for_each(|word| found.insert(slots.of_word[word] as usize));
    found
}
