//! What engines see of rules: a [`pins::System`] with one group for each rule, or one for each instance.
//!
//! Instances whose guard begins with "this word has that value" are found by a table of bit sets instead of being tried.
//! Where rules have numbers, those of larger ones are tried only if none of smaller ones may happen.

mod shape;

use std::sync::Arc;

use base::Span;
use pins::{Action, GroupId, LabelId, LabelKind, Permute, Shape, Worker};
use program::{Program, PropertyKind, State, Value};

use super::code::Code;
use super::compile::{Compiler, Instance};
use super::decode;
use super::hot::{Hot, Making};
use super::index::Index;
use super::layout::Layout;
use super::permute::LabelWord;
use super::points::Points;
use super::slots::{Form, Slots};
use super::worker::Answering;
use shape::slots_of;

/// What is one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Grouping {
    /// All instances of a rule, told apart by their labels.
    #[default]
    Rules,
    /// Each instance: reads and writes are finer, but permuting leads from one group to another.
    Instances,
}

/// How a program is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What is one group.
    pub grouping: Grouping,
    /// What is one slot. Only families can be permuted.
    pub form: Form,
    /// When machine code is made.
    pub making: Making,
    /// Further labels, after the invariants and the covers of the program.
    pub labels: Vec<Asked>,
}

/// A condition that becomes a label.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What it is about.
    pub kind: LabelKind,
    /// Its name.
    pub name: base::Name,
    /// The condition.
    pub condition: program::ExprId,
}

/// The system of a program of rules.
#[derive(Debug)]
pub struct Rules {
    pub(super) program: Arc<Program>,
    pub(super) layout: Layout,
    points: Points,
    /// How elements are exchanged, where states are bits that belong to single ones.
    action: Option<Action>,
    pub(super) slots: Slots,
    form: Form,
    /// The words of each rule's labels.
    labelling: Vec<Vec<LabelWord>>,
    pub(super) code: Code,
    shape: Shape,
    pub(super) starts: Vec<Instance>,
    pub(super) instances: Vec<Instance>,
    /// The group of each instance.
    pub(super) groups: Vec<GroupId>,
    /// The instances of each group.
    pub(super) of_group: Vec<std::ops::Range<usize>>,
    /// The property of each label, with its instances: what must hold, covers of states, what was asked.
    pub(super) labels: Vec<(usize, Vec<Instance>)>,
    /// The labels that are covers of states.
    covers: std::ops::Range<usize>,
    /// Assumptions, by property.
    pub(super) assumptions: Vec<(usize, Vec<Instance>)>,
    pub(super) index: Index,
    /// Machine code.
    pub(super) hot: Hot,
    /// Whether a guard or condition may write to the state, by a function with an effect.
    pub(super) looking_writes: bool,
    /// The numbers of rules, ascending; one when all are equal.
    pub(super) priorities: Vec<i64>,
}

impl Rules {
    /// Compiles a program.
    // Long: one step after the other, and each needs what all before it made.
    pub fn new(program: Arc<Program>, options: Options) -> Rules {
        let layout = Layout::new(&program);
        let nowhere = Span::new(base::FileId::new(0), 0, 0);
        let mut compiler = Compiler::new(&program, &layout, nowhere);
        let mut starts = Vec::new();
        for (number, start) in program.starts.iter().enumerate() {
            starts.extend(compiler.rule(number, start));
        }
        let mut instances = Vec::new();
        for (id, rule) in program.rules.iter() {
            instances.extend(compiler.rule(id.index(), rule));
        }
        let mut labels = Vec::new();
        let mut assumptions = Vec::new();
        let mut covers = Vec::new();
        for (number, property) in program.properties.iter().enumerate() {
            let Some(condition) = property.condition else {
                continue;
            };
            let found = compiler.condition(number, &property.binders, condition, property.span);
            match property.kind {
                PropertyKind::Invariant => labels.push((number, found)),
                PropertyKind::Assumption => assumptions.push((number, found)),
                PropertyKind::Cover => covers.push((number, found)),
                // A formula about branching time; nothing to ask of one state.
                PropertyKind::Liveness => {}
            }
        }
        let asked = options.labels.iter().enumerate().map(|(at, asked)| {
            let number = program.properties.len() + at;
            let span = program.exprs[asked.condition].span;
            (
                number,
                compiler.condition(number, &[], asked.condition, span),
            )
        });
        let is_state = labels.len();
        labels.extend(covers);
        let covers = is_state..labels.len();
        labels.extend(asked);
        let code = compiler.code;
        let points = Points::new(&program);
        let mut rules = Rules {
            slots: Slots::new(&program, &layout, &points, options.form),
            points,
            action: None,
            form: options.form,
            labelling: Vec::new(),
            index: Index::new(&code, &instances, layout.words as usize),
            looking_writes: instances
                .iter()
                .chain(labels.iter().flat_map(|(_, found)| found))
                .chain(assumptions.iter().flat_map(|(_, found)| found))
                .any(|instance| instance.looks.writes.iter().next().is_some()),
            hot: Hot::new(
                instances.len(),
                labels.len() + assumptions.len(),
                options.making,
            ),
            layout,
            code,
            shape: Shape::default(),
            starts,
            instances,
            groups: Vec::new(),
            of_group: Vec::new(),
            labels,
            assumptions,
            covers,
            priorities: Vec::new(),
            program,
        };
        if rules.form == Form::Families {
            rules.action = super::fields::action(&rules.points, &rules.slots);
        }
        rules.find_priorities();
        rules.labelling = rules
            .program
            .rules
            .iter()
            .map(|(id, _)| super::permute::label_words(&rules, id))
            .collect();
        rules.describe(&options);
        rules.shape.faults_stay = true;
        rules.shape.is_packed = options.form == Form::Packed;
        rules.shape.is_whole = options.form == Form::Families;
        rules.shape.is_told_by_group = true;
        rules.find_stores();
        rules
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(crate) fn points(&self) -> &Points {
        &self.points
    }

    pub(crate) fn action_on_bits(&self) -> Option<&Action> {
        self.action.as_ref()
    }

    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The words of the labels of a group.
    pub(crate) fn label_words(&self, group: GroupId) -> &[LabelWord] {
        &self.labelling[self.rule_of(group).index()]
    }

    /// The slots and words that each instance may change.
    fn find_stores(&mut self) {
        let slots = &self.slots;
        for instance in self.instances.iter_mut() {
            instance.stores = slots_of(slots, &instance.touches.writes)
                .iter()
                .map(|slot| slot as u32)
                .collect();
            let mut stores = instance.stores.iter();
            instance.is_wide = stores.any(|slot| slots.is_in_table(*slot as usize));
            for word in instance.touches.writes.iter() {
                match instance.changes.last_mut() {
                    Some(last) if last.end == word => last.end += 1,
                    _ => instance.changes.push(word..word + 1),
                }
            }
        }
        for instance in self.starts.iter_mut() {
            instance.stores = (0..slots.list.len() as u32).collect();
            instance.changes.push(0..self.layout.words as usize);
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// A state as plain values.
    pub fn decode(&self, state: &[u32]) -> State {
        let mut words = vec![0; self.layout.words as usize];
        for (slot, word) in state.iter().enumerate() {
            self.slots.load(slot, *word, &mut words);
        }
        decode::state(&self.program, &self.layout, &words)
    }

    /// The slots of a state; `None` when a value does not fit.
    pub fn encode(&self, state: &State) -> Option<Vec<u32>> {
        let words = decode::words(&self.program, &self.layout, state)?;
        Some(
            (0..self.slots.list.len())
                .map(|slot| self.slots.store(slot, &words))
                .collect(),
        )
    }

    /// Properties that ask to be met: covers of states and of statements, by their position in the program.
    pub fn covers(&self) -> Vec<usize> {
        let properties = self.program.properties.iter().enumerate();
        properties
            .filter(|(_, property)| property.kind == PropertyKind::Cover)
            .map(|(at, _)| at)
            .collect()
    }

    /// Whether a label is a cover of states.
    pub(super) fn is_cover(&self, label: LabelId) -> bool {
        self.covers.contains(&label.index())
    }

    /// The scalarsets whose elements are interchangeable.
    pub fn sorts(&self) -> Vec<&program::Sort> {
        let sorts = self.program.types.sorts.iter().map(|(_, sort)| sort);
        sorts
            .filter(|sort| self.points.point(sort.first).is_some())
            .collect()
    }

    /// The variable whose words a slot begins with.
    pub fn variable_of(&self, slot: usize) -> program::VarId {
        self.variable_at(self.slots.list[slot].words[0].0)
    }

    /// Whether the words of every slot belong to one variable.
    pub fn keeps_variables_apart(&self) -> bool {
        self.slots.list.iter().all(|slot| {
            let mut variables = slot.words.iter().map(|word| self.variable_at(word.0));
            let first = variables.next();
            variables.all(|variable| Some(variable) == first)
        })
    }

    fn variable_at(&self, word: u32) -> program::VarId {
        let after = self
            .layout
            .variables
            .partition_point(|start| *start <= word);
        program::VarId::new(after.saturating_sub(1))
    }

    /// Slots in which interchangeable elements stand beside each other, so that markers do not tell all.
    pub fn imprecise_slots(&self) -> Vec<usize> {
        let slots = self.slots.list.iter().enumerate();
        let imprecise = slots.filter(|(_, slot)| {
            slot.family
                .as_ref()
                .is_some_and(|family| self.relates(family))
        });
        imprecise.map(|(at, _)| at).collect()
    }

    /// Whether a family relates points with each other.
    fn relates(&self, family: &super::slots::Family) -> bool {
        let in_leaf = self.points.holds(&self.program, family.leaf);
        let is_simple = self.program.types.is_simple(family.leaf);
        family.indices.len() + usize::from(in_leaf) > 1 || in_leaf && !is_simple
    }

    /// For each variable: `None` without interchangeable elements, else whether markers tell all about it.
    pub fn precision(&self) -> Vec<Option<bool>> {
        let mut found: Vec<Option<bool>> = vec![None; self.program.variables.len()];
        for (at, slot) in self.slots.list.iter().enumerate() {
            if let Some(family) = &slot.family {
                let known = &mut found[self.variable_of(at).index()];
                *known = Some(known.unwrap_or(true) && !self.relates(family));
            }
        }
        found
    }

    /// The rule of a group.
    pub fn rule_of(&self, group: GroupId) -> program::RuleId {
        let instance = self.of_group[group.index()].start;
        program::RuleId::new(self.rule_number(group, instance))
    }

    fn rule_number(&self, group: GroupId, instance: usize) -> usize {
        match self.instances.get(instance) {
            Some(found) if self.groups[instance] == group => found.number,
            _ => group.index(),
        }
    }

    /// The values of the parameters in a label; of a chosen element the element itself.
    pub fn arguments(&self, group: GroupId, label: &[u32]) -> Vec<Value> {
        let words = self.label_words(group).iter().enumerate();
        let value = |(at, word): (usize, &LabelWord)| match word {
            LabelWord::Value(ty) | LabelWord::Element(ty) => Some(decode::value(
                &self.program,
                &self.layout,
                *ty,
                &label[at..],
            )),
            // The number behind an element only tells equal ones apart.
            LabelWord::Number if at > 0 && self.is_element(group, at - 1) => None,
            LabelWord::Number => Some(Value::Int(i64::from(label[at] as i32))),
            LabelWord::More => None,
        };
        words.filter_map(value).collect()
    }

    /// Whether a word of a label belongs to a chosen element.
    fn is_element(&self, group: GroupId, at: usize) -> bool {
        matches!(
            self.label_words(group)[at],
            LabelWord::Element(_) | LabelWord::More
        )
    }

    fn find_priorities(&mut self) {
        let mut found: Vec<i64> = self
            .program
            .rules
            .iter()
            .map(|(_, rule)| rule.priority)
            .collect();
        found.sort_unstable();
        found.dedup();
        self.priorities = found;
    }

    pub(super) fn priority(&self, instance: &Instance) -> i64 {
        self.program.rules[program::RuleId::new(instance.number)].priority
    }
}

impl pins::System for Rules {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn save(&self) -> Vec<u8> {
        self.slots.save()
    }

    fn restore(&self, saved: &[u8]) -> Result<(), String> {
        self.slots.restore(saved)
    }

    fn bytes(&self) -> u64 {
        self.slots.bytes()
    }

    fn symmetry(&self) -> Option<&dyn Permute> {
        (self.form == Form::Families && !self.points.sorts.is_empty()).then_some(self)
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Answering::new(self))
    }
}
