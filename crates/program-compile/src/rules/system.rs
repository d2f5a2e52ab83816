//! What engines see of rules: a [`pins::System`] with one group for each rule, or one for each instance.
//!
//! Instances whose guard begins with "this word has that value" are found by a table of bit sets instead of being tried.
//! Where rules have numbers, those of larger ones are tried only if none of smaller ones may happen.

use std::sync::Arc;

use base::Span;
use pins::{
    Fault, FaultKind, Flow, Group, GroupId, Halt, Label, LabelId, LabelKind, Notes, Shape, Slot,
    SlotSet, Step, Truth, Worker,
};
use program::{Program, PropertyKind, Reason, State, Value};

use super::code::{Code, Node, Run, Stop};
use super::compile::{Compiler, Instance, Prelude};
use super::decode;
use super::layout::Layout;
use super::run::Machine;

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
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What is one group.
    pub grouping: Grouping,
}

/// The system of a program of rules.
#[derive(Debug)]
pub struct Rules {
    program: Arc<Program>,
    layout: Layout,
    code: Code,
    shape: Shape,
    starts: Vec<Instance>,
    instances: Vec<Instance>,
    /// The group of each instance.
    groups: Vec<GroupId>,
    /// The instances of each group.
    of_group: Vec<std::ops::Range<usize>>,
    /// The property of each label, with its instances.
    labels: Vec<(usize, Vec<Instance>)>,
    /// Assumptions, by property.
    assumptions: Vec<(usize, Vec<Instance>)>,
    index: Index,
    /// The numbers of rules, ascending; one when all are equal.
    priorities: Vec<i64>,
}

impl Rules {
    /// Compiles a program.
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
        for (number, property) in program.properties.iter().enumerate() {
            let Some(condition) = property.condition else {
                continue;
            };
            let found = compiler.condition(number, &property.binders, condition, property.span);
            match property.kind {
                PropertyKind::Invariant => labels.push((number, found)),
                PropertyKind::Assumption => assumptions.push((number, found)),
                PropertyKind::Cover | PropertyKind::Liveness => {}
            }
        }
        let code = compiler.code;
        let mut rules = Rules {
            index: Index::new(&code, &instances, layout.words as usize),
            layout,
            code,
            shape: Shape::default(),
            starts,
            instances,
            groups: Vec::new(),
            of_group: Vec::new(),
            labels,
            assumptions,
            priorities: Vec::new(),
            program,
        };
        rules.find_priorities();
        rules.shape(options.grouping);
        rules
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// A state as plain values.
    pub fn decode(&self, words: &[u32]) -> State {
        decode::state(&self.program, &self.layout, words)
    }

    /// The words of a state; `None` when a value does not fit.
    pub fn encode(&self, state: &State) -> Option<Vec<u32>> {
        decode::words(&self.program, &self.layout, state)
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

    /// The values of the parameters in a label of a rule.
    pub fn arguments(&self, rule: &program::Rule, label: &[u32]) -> Vec<Value> {
        let domains = rule.binders.iter().filter_map(|binder| match binder {
            program::Binder::Parameter { domain, .. } => Some(domain),
            _ => None,
        });
        let value = |(domain, word): (&program::Domain, &u32)| {
            let bias = match domain {
                program::Domain::Type(ty) => self.layout.ty(*ty).bias,
                _ => 0,
            };
            Value::Int(i64::from(*word as i32) + bias)
        };
        domains.zip(label).map(value).collect()
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

    fn priority(&self, instance: &Instance) -> i64 {
        self.program.rules[program::RuleId::new(instance.number)].priority
    }

    /// Groups, slots and labels.
    fn shape(&mut self, grouping: Grouping) {
        let program = &self.program;
        for (id, variable) in program.variables.iter() {
            let words = self.layout.ty(variable.ty).words;
            let names = super::names::slots(program, id);
            debug_assert_eq!(names.len(), words as usize);
            let slots = names.into_iter().map(|name| Slot {
                name,
                is_constant: false,
            });
            self.shape.slots.extend(slots);
        }
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
        let several = self.priorities.len() > 1;
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
            groups[group].reads.union_with(&instance.touches.reads);
            groups[group].may_write.union_with(&instance.touches.writes);
            if several {
                // Whether it happens depends on the guards of all rules with smaller numbers.
                for other in self
                    .instances
                    .iter()
                    .filter(|other| self.priority(other) < self.priority(instance))
                {
                    groups[group].reads.union_with(&other.looks.reads);
                }
            }
        }
        let mut assumed = SlotSet::new();
        for instance in self.assumptions.iter().flat_map(|(_, instances)| instances) {
            assumed.union_with(&instance.looks.reads);
        }
        for group in &mut groups {
            group.reads.union_with(&assumed);
        }
        self.shape.groups = groups;
        self.of_group = of_group;
        for (number, instances) in &self.labels {
            let property = &program.properties[*number];
            let mut reads = SlotSet::new();
            instances
                .iter()
                .for_each(|instance| reads.union_with(&instance.looks.reads));
            let kind = LabelKind::Invariant;
            self.shape.labels.push(Label {
                kind,
                name: property.name,
                reads,
                span: Some(property.span),
            });
        }
    }
}

impl pins::System for Rules {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        let frame = self
            .starts
            .iter()
            .chain(&self.instances)
            .map(|instance| instance.frame)
            .max()
            .unwrap_or(0);
        let counters = self
            .starts
            .iter()
            .chain(&self.instances)
            .map(|instance| instance.counters)
            .max()
            .unwrap_or(0);
        let checks = self
            .labels
            .iter()
            .chain(&self.assumptions)
            .flat_map(|(_, instances)| instances);
        let (check_frame, check_counters) = checks.fold((0, 0), |(f, c), instance| {
            (instance.frame.max(f), instance.counters.max(c))
        });
        let words = self.layout.words + frame.max(check_frame);
        let machine = Machine {
            code: &self.code,
            memory: vec![0; words as usize],
            counters: vec![0; counters.max(check_counters) as usize],
            frame: self.layout.words as usize,
            counter: 0,
            depth: 0,
            rounds: 0,
            loop_limit: self.program.semantics.loop_limit,
            assertions: self.program.semantics.assertions_stop,
            halt: None,
            covered: Vec::new(),
            returned: 0,
        };
        let candidates = vec![0; self.index.words];
        Box::new(Answering {
            rules: self,
            machine,
            candidates,
            label: Vec::new(),
        })
    }
}

/// A worker.
struct Answering<'s> {
    rules: &'s Rules,
    machine: Machine<'s>,
    candidates: Vec<u64>,
    label: Vec<u32>,
}

/// Takes what an instance led to: a label and a target, or why there is none.
type Emit<'e> = &'e mut dyn FnMut(Result<(&[u32], &[u32]), Stop>) -> Flow;

impl<'s> Answering<'s> {
    fn words(&self) -> usize {
        self.rules.layout.words as usize
    }

    fn load(&mut self, state: &[u32]) {
        let words = self.words();
        self.machine.memory[..words].copy_from_slice(state);
        self.machine.rounds = 0;
        self.machine.frame = words;
    }

    /// All ways to fire an instance. Memory holds the state before and after.
    fn fire(&mut self, instance: &'s Instance, state: &[u32], emit: Emit<'_>) -> Flow {
        self.label.clear();
        self.label.extend_from_slice(&instance.label);
        if instance.prelude.is_empty() {
            return self.choose(instance, state, emit);
        }
        let words = self.words();
        self.machine.memory[words..words + instance.frame as usize].fill(0);
        let bound = self.bind(instance, 0, &mut |worker| {
            Ok(worker.choose(instance, state, emit))
        });
        match bound {
            Ok(flow) => flow,
            Err(stop) => self.stopped(*stop, state, emit),
        }
    }

    /// Fires an instance whose names are bound.
    fn choose(&mut self, instance: &'s Instance, state: &[u32], emit: Emit<'_>) -> Flow {
        if let Some(guard) = instance.guard {
            match self.machine.is_true(guard) {
                Ok(true) => {}
                Ok(false) => return Flow::Continue,
                Err(stop) => return self.stopped(*stop, state, emit),
            }
        }
        self.finish(instance, state, emit)
    }

    /// A computation did not come to its end.
    fn stopped(&mut self, stop: Stop, state: &[u32], emit: Emit<'_>) -> Flow {
        let words = self.words();
        self.machine.memory[..words].copy_from_slice(state);
        self.machine.frame = words;
        self.machine.counter = 0;
        self.machine.depth = 0;
        let halted = matches!(stop, Stop::Halted);
        match emit(Err(stop)) {
            Flow::Continue if !halted => Flow::Continue,
            _ => Flow::Stop,
        }
    }

    /// Binds what stands around an instance from position `at` on, in all ways.
    fn bind(
        &mut self,
        instance: &'s Instance,
        at: usize,
        then: &mut dyn FnMut(&mut Self) -> Run<Flow>,
    ) -> Run<Flow> {
        match instance.prelude.get(at) {
            None => then(self),
            Some(Prelude::Bind(op)) => {
                self.machine.exec(*op)?;
                self.bind(instance, at + 1, then)
            }
            Some(Prelude::Each(rounds, target, position, bias)) => {
                for value in self.machine.values(rounds)? {
                    self.machine.set(*target, value);
                    self.label[*position] = (value - bias) as u32;
                    if self.bind(instance, at + 1, then)? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
                Ok(Flow::Continue)
            }
        }
    }

    /// Runs the body and gives the step; the state is as before afterwards.
    fn finish(&mut self, instance: &'s Instance, state: &[u32], emit: Emit<'_>) -> Flow {
        let words = self.words();
        let frame = words..words + instance.frame as usize;
        // Bindings of what stands around lie in the frame too: the next instance finds them as they are.
        let kept =
            (!instance.prelude.is_empty()).then(|| self.machine.memory[frame.clone()].to_vec());
        if kept.is_none() {
            self.machine.memory[frame.clone()].fill(0);
        }
        let done = self.machine.exec(instance.body).and_then(|_| {
            for (at, bag) in &instance.bags {
                self.machine.settle(*at, *bag);
            }
            self.is_assumed()
        });
        let flow = match done {
            Ok(true) => emit(Ok((&self.label, &self.machine.memory[..words]))),
            Ok(false) => Flow::Continue,
            Err(stop) if matches!(*stop, Stop::Discarded) => Flow::Continue,
            Err(stop) => self.stopped(*stop, state, emit),
        };
        self.machine.memory[..words].copy_from_slice(state);
        if let Some(kept) = kept {
            self.machine.memory[frame].copy_from_slice(&kept);
        }
        flow
    }

    /// Whether the state in memory satisfies all assumptions.
    fn is_assumed(&mut self) -> Run<bool> {
        let rules = self.rules;
        for (_, instances) in &rules.assumptions {
            if !self.holds(instances)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a condition holds for all its instances in the state in memory.
    fn holds(&mut self, instances: &'s [Instance]) -> Run<bool> {
        for instance in instances {
            let Some(condition) = instance.guard else {
                continue;
            };
            if instance.prelude.is_empty() {
                if !self.machine.is_true(condition)? {
                    return Ok(false);
                }
                continue;
            }
            self.label.clear();
            self.label.extend_from_slice(&instance.label);
            let flow = self.bind(instance, 0, &mut |worker| {
                Ok(if worker.machine.is_true(condition)? {
                    Flow::Continue
                } else {
                    Flow::Stop
                })
            })?;
            if flow == Flow::Stop {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Fires the candidates, all or those with one number. Of a group the first fault is told.
    fn fire_all(
        &mut self,
        state: &[u32],
        priority: Option<i64>,
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let rules = self.rules;
        let mut faulted = None;
        for word in 0..rules.index.words {
            let mut bits = self.candidates[word];
            while bits != 0 {
                let at = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let instance = &rules.instances[at];
                if priority.is_some_and(|number| rules.priority(instance) != number) {
                    continue;
                }
                let group = rules.groups[at];
                let flow = self.fire(instance, state, &mut |answer| match answer {
                    Ok((label, target)) => emit(group, Step { label, target }),
                    Err(stop) => {
                        if faulted != Some(group) {
                            faulted = Some(group);
                            fault(group, to_fault(stop));
                        }
                        Flow::Continue
                    }
                });
                if flow == Flow::Stop {
                    return;
                }
            }
        }
    }

    /// The least number of a rule that may happen in the state in memory.
    fn least_number(&mut self) -> Option<i64> {
        let rules = self.rules;
        for number in &rules.priorities {
            for instance in rules
                .instances
                .iter()
                .filter(|instance| rules.priority(instance) == *number)
            {
                if self.may_happen_here(instance) {
                    return Some(*number);
                }
            }
        }
        None
    }

    /// Whether the guard of an instance is true or has no value in the state in memory.
    fn may_happen_here(&mut self, instance: &'s Instance) -> bool {
        self.label.clear();
        self.label.extend_from_slice(&instance.label);
        let found = self.bind(instance, 0, &mut |worker| {
            let holds = instance
                .guard
                .map_or(Ok(true), |guard| worker.machine.is_true(guard))?;
            Ok(if holds { Flow::Stop } else { Flow::Continue })
        });
        !matches!(found, Ok(Flow::Continue))
    }
}

impl Worker for Answering<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&vec![0; self.words()]);
        Ok(())
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let rules = self.rules;
        let mut fault = None;
        for start in &rules.starts {
            self.load(setup);
            let flow = self.fire(start, setup, &mut |answer| match answer {
                Ok((_, target)) => emit(target),
                Err(stop) => {
                    fault.get_or_insert_with(|| to_fault(stop));
                    Flow::Continue
                }
            });
            if flow == Flow::Stop {
                break;
            }
        }
        fault.map_or(Ok(()), Err)
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let rules = self.rules;
        self.load(state);
        if rules.priorities.len() > 1 {
            let least = self.least_number();
            let own = rules.of_group[group.index()]
                .clone()
                .next()
                .map(|at| rules.priority(&rules.instances[at]));
            if least != own {
                return Ok(());
            }
        }
        let mut fault = None;
        for at in rules.of_group[group.index()].clone() {
            let flow = self.fire(&rules.instances[at], state, &mut |answer| match answer {
                Ok((label, target)) => emit(Step { label, target }),
                Err(stop) => {
                    fault.get_or_insert_with(|| to_fault(stop));
                    Flow::Continue
                }
            });
            if flow == Flow::Stop {
                break;
            }
        }
        fault.map_or(Ok(()), Err)
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let rules = self.rules;
        if self.machine.halt.as_ref().is_some_and(Halt::is_set) {
            fault(GroupId::new(0), Halt::fault());
            return;
        }
        self.load(state);
        rules.index.candidates(state, &mut self.candidates);
        if rules.priorities.len() <= 1 {
            self.fire_all(state, None, emit, fault);
            return;
        }
        if let Some(least) = self.least_number() {
            self.fire_all(state, Some(least), emit, fault);
        }
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        let rules = self.rules;
        self.load(state);
        match self.holds(&rules.labels[label.index()].1) {
            Ok(true) => Truth::True,
            Ok(false) => Truth::False,
            Err(stop) => Truth::Undefined(to_fault(*stop)),
        }
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }

    fn heed(&mut self, halt: Halt) {
        self.machine.halt = Some(halt);
    }

    fn go_past_faults(&mut self) -> bool {
        true
    }
}

/// Why a computation ended, for engines.
fn to_fault(stop: Stop) -> Fault {
    match stop {
        Stop::Fault(reason, span) => {
            let kind = match reason {
                Reason::Assertion(_) | Reason::Error(_) => FaultKind::Violated,
                _ => FaultKind::Undefined,
            };
            Fault {
                kind,
                span: Some(span),
                message: reason.sentence(),
            }
        }
        Stop::Discarded => unreachable!("a step that does not exist is no fault"),
        Stop::Halted => Halt::fault(),
        Stop::Budget(span) => Fault {
            kind: FaultKind::Budget,
            span: Some(span),
            message: "a step takes more rounds of loops than the limit".to_string(),
        },
    }
}

/// Finds the instances that may happen in a state by words that their guards begin with.
#[derive(Debug)]
struct Index {
    /// 64-bit words of a set of instances.
    words: usize,
    /// Instances that are always tried.
    always: Vec<u64>,
    /// Slots that are looked at, and for each word the instances tried then (word 0 is undefined, where a guard faults).
    tables: Vec<(u32, Vec<Vec<u64>>)>,
}

impl Index {
    fn new(code: &Code, instances: &[Instance], slots: usize) -> Index {
        let words = instances.len().div_ceil(64).max(1);
        let mut index = Index {
            words,
            always: vec![0; words],
            tables: Vec::new(),
        };
        for (at, instance) in instances.iter().enumerate() {
            let bit = 1u64 << (at % 64);
            match first_test(code, instance).filter(|(slot, _, _)| (*slot as usize) < slots) {
                None => index.always[at / 64] |= bit,
                Some((slot, word, faults)) => {
                    let table = index.table(slot);
                    let mut rows = vec![word as usize];
                    if faults {
                        rows.push(0);
                    }
                    for row in rows {
                        if table.len() <= row {
                            table.resize(row + 1, Vec::new());
                        }
                        if table[row].is_empty() {
                            table[row] = vec![0; words];
                        }
                        table[row][at / 64] |= bit;
                    }
                }
            }
        }
        index
    }

    fn table(&mut self, slot: u32) -> &mut Vec<Vec<u64>> {
        let at = match self.tables.iter().position(|(known, _)| *known == slot) {
            Some(at) => at,
            None => {
                self.tables.push((slot, Vec::new()));
                self.tables.len() - 1
            }
        };
        &mut self.tables[at].1
    }

    #[inline]
    fn candidates(&self, state: &[u32], found: &mut [u64]) {
        found.copy_from_slice(&self.always);
        for (slot, table) in &self.tables {
            if let Some(row) = table.get(state[*slot as usize] as usize) {
                for (word, more) in found.iter_mut().zip(row) {
                    *word |= more;
                }
            }
        }
    }
}

/// A test of one word that a guard begins with: slot, word, and whether undefined is a fault.
fn first_test(code: &Code, instance: &Instance) -> Option<(u32, u32, bool)> {
    // A larger table than this would cost more than it saves.
    const MOST_ROWS: u32 = 1024;
    if !instance.prelude.is_empty() {
        return None;
    }
    let mut node = instance.guard?;
    loop {
        match code.nodes[node as usize] {
            Node::All(start, _) => node = code.lists[start as usize],
            Node::Is(slot, word) if word < MOST_ROWS => return Some((slot, word, true)),
            Node::Word(slot, word) if word < MOST_ROWS => return Some((slot, word, false)),
            _ => return None,
        }
    }
}
