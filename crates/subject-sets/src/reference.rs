//! A transition system on top of the reference evaluator, so that whole state spaces of small models can be
//! compared with the compiled one (`--evaluator reference`).
//!
//! Every value is interned: a slot per constant and variable holds its number. Slow and obvious on purpose.
//! Invariant: shares no code with `model-compile`.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use model::{ExprId, Model, Tys, Value};
use model_interp::{Interp, Options, State, Stop};
use pins::{
    Fault, FaultKind, Flow, Group, GroupId, Halt, Label, LabelId, Notes, Shape, Slot, SlotSet,
    Step, System, Truth, Worker, group_by_group,
};

use subject::{ComponentId, EventId, Ground};

use crate::judge::fault;
use crate::value::wrap_all;

/// The system.
pub(crate) struct Reference {
    model: Arc<Model>,
    tys: Arc<Tys>,
    options: Options,
    shape: Shape,
    labels: Vec<ExprId>,
    table: Mutex<Table>,
}

/// Values with their numbers; number 0 is "no plain value".
#[derive(Default)]
struct Table {
    values: Vec<Value>,
    numbers: BTreeMap<Value, u32>,
    /// Set-ups with constants that are infinite sets, whose rules a vector cannot hold.
    symbolic: Vec<State>,
}

impl Reference {
    /// The system of a model with these labels.
    pub(crate) fn new(
        model: &Arc<Model>,
        labels: &[(Label, ExprId)],
        options: Options,
    ) -> Reference {
        let count = model.variables.len();
        let mut all = SlotSet::new();
        let mut variables = SlotSet::new();
        let mut slots = Vec::new();
        for (id, variable) in model.variables.iter() {
            all.insert(id.index());
            if !variable.is_constant {
                variables.insert(id.index());
            }
            slots.push(Slot {
                name: variable.name,
                is_constant: variable.is_constant,
            });
        }
        let groups = model.actions.iter().map(|action| Group {
            name: action.name,
            reads: all.clone(),
            may_write: variables.clone(),
            must_write: SlotSet::new(),
            is_pure: true,
        });
        let shape = Shape {
            slots,
            groups: groups.collect(),
            labels: labels
                .iter()
                .map(|(label, _)| Label {
                    reads: all.clone(),
                    ..label.clone()
                })
                .collect(),
            has_setup: model.has_setup,
            ..Shape::default()
        };
        debug_assert_eq!(shape.slots.len(), count);
        Reference {
            model: model.clone(),
            tys: Arc::new(model.tys.clone()),
            options,
            shape,
            labels: labels.iter().map(|(_, predicate)| *predicate).collect(),
            table: Mutex::default(),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self, vector: &[u32]) -> State {
        let table = self.table();
        let values = vector.iter().map(|number| table.value(*number)).collect();
        let mut state = State::new(values);
        for known in &table.symbolic {
            let is_same = self.model.variables.iter().all(|(id, variable)| {
                !variable.is_constant || known.values()[id.index()] == state.values()[id.index()]
            });
            if is_same {
                state.adopt_symbolic(known);
                break;
            }
        }
        state
    }

    /// Whether the vector of a state can hold it: there is no number for a variable that is an infinite set.
    fn holdable(&self, state: &State) -> Result<(), Fault> {
        let mut variables = self.model.variables.iter();
        let infinite =
            variables.find(|(id, variable)| !variable.is_constant && state.is_symbolic(*id));
        infinite.map_or(Ok(()), |(_, variable)| {
            Err(Fault {
                kind: FaultKind::Budget,
                span: Some(variable.span),
                message: format!(
                    "{} is an infinite set, and the reference evaluator keeps no states with one",
                    variable.name
                ),
            })
        })
    }

    fn vector(&self, state: &State) -> Vec<u32> {
        let mut table = self.table();
        let values = state.values().iter();
        values.map(|value| table.number(value.as_ref())).collect()
    }

    fn numbers(&self, values: &[Option<Value>]) -> Vec<u32> {
        let mut table = self.table();
        values
            .iter()
            .map(|value| table.number(value.as_ref()))
            .collect()
    }
}

impl Table {
    fn number(&mut self, value: Option<&Value>) -> u32 {
        let Some(value) = value else { return 0 };
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        self.values.push(value.clone());
        let number = self.values.len() as u32;
        self.numbers.insert(value.clone(), number);
        number
    }

    fn value(&self, number: u32) -> Option<Value> {
        self.values.get(number.checked_sub(1)? as usize).cloned()
    }
}

impl System for Reference {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Asker {
            system: self,
            interp: Interp::new(&self.model, self.options),
            halt: Halt::default(),
            unknown: Notes::default(),
        })
    }

    fn restore(&self, _saved: &[u8]) -> Result<(), String> {
        Err("the reference evaluator does not save its values".to_string())
    }
}

impl Ground for Reference {
    fn system(&self) -> &dyn System {
        self
    }

    fn values(&self, state: &[u32]) -> Vec<Option<subject::Value>> {
        let table = self.table();
        let values = state.iter().map(|number| table.value(*number));
        wrap_all(&self.tys, values.collect())
    }

    fn constants(&self, setup: &[u32]) -> Vec<Option<subject::Value>> {
        self.values(setup)
    }

    fn event(&self, group: GroupId) -> EventId {
        EventId::new(group.index())
    }

    fn words(
        &self,
        group: GroupId,
        words: &[u32],
    ) -> (Vec<Option<subject::Value>>, Vec<Option<subject::Value>>) {
        let table = self.table();
        let mut values = words.iter().map(|number| table.value(*number));
        let parameters = self.model.actions[group.index()].parameters.len();
        let arguments = values.by_ref().take(parameters).collect();
        (
            wrap_all(&self.tys, arguments),
            wrap_all(&self.tys, values.collect()),
        )
    }

    fn component(&self, slot: usize) -> ComponentId {
        ComponentId::new(slot)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Asks the evaluator.
struct Asker<'s> {
    system: &'s Reference,
    interp: Interp<'s>,
    halt: Halt,
    /// The labels that were unknown.
    unknown: Notes,
}

impl Asker<'_> {
    /// An answer, unless nobody waits for it.
    fn answer<T>(&self, answer: Result<T, Stop>) -> Result<T, Fault> {
        match self.halt.is_set() {
            true => Err(Halt::fault()),
            false => answer.map_err(fault),
        }
    }
}

impl Worker for Asker<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let setups = self.interp.setups(usize::MAX);
        let setups = self.answer(setups)?;
        if !self.system.shape.has_setup {
            // The properties are about names of elements alone: they hold, or there is nothing to explore.
            if !setups.is_empty() {
                emit(&vec![0; self.system.shape.slots.len()]);
            }
            return Ok(());
        }
        for setup in setups {
            let model = &self.system.model;
            if model.variables.iter().any(|(id, _)| setup.is_symbolic(id)) {
                self.system.table().symbolic.push(setup.clone());
            }
            if emit(&self.system.vector(&setup)) == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let setup = self.system.state(setup);
        let answer = self.interp.initial_states(&setup, usize::MAX);
        let (states, stop) = self.answer(answer)?;
        let mut missing = stop.map_or(Ok(()), |stop| Err(fault(stop)));
        for state in states {
            match self.system.holdable(&state) {
                Ok(()) if emit(&self.system.vector(&state)) == Flow::Stop => return Ok(()),
                held => missing = missing.and(held),
            }
        }
        missing
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let state = self.system.state(state);
        let answer = self.interp.transitions(group.index(), &state);
        let (steps, stop) = self.answer(answer)?;
        let mut missing = stop.map_or(Ok(()), |stop| Err(fault(stop)));
        for step in steps {
            if let Err(fault) = self.system.holdable(&step.target) {
                missing = missing.and(Err(fault));
                continue;
            }
            let arguments = step.arguments.into_iter().map(Some);
            let values: Vec<Option<Value>> = arguments.chain(step.results).collect();
            let label = self.system.numbers(&values);
            let target = self.system.vector(&step.target);
            let step = Step {
                label: &label,
                target: &target,
            };
            if emit(step) == Flow::Stop {
                return Ok(());
            }
        }
        missing
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let groups = self.system.shape.groups.len();
        let ask =
            |group, emit: &mut dyn FnMut(Step<'_>) -> Flow| self.successors(state, group, emit);
        group_by_group(groups, ask, emit, fault);
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        let state = self.system.state(state);
        let truth = self.interp.holds(self.system.labels[label.index()], &state);
        let truth = Truth::of(self.answer(truth));
        if let Truth::Unknown(fault) = &truth
            && fault.kind == FaultKind::Cut
        {
            let name = self.system.shape.labels[label.index()].name;
            let cut = (fault.span, format!("{name} is unknown: {}", fault.message));
            self.unknown.merge(Notes {
                cuts: vec![cut],
                ..Notes::default()
            });
        }
        truth
    }

    fn take_notes(&mut self) -> Notes {
        let notes = self.interp.take_notes();
        let mut notes = Notes {
            undefined_guards: notes.undefined_guards,
            first_undefined: notes.first_undefined.map(fault),
            dropped_faults: notes.dropped_faults,
            first_dropped: notes.first_dropped.map(fault),
            cuts: notes.cuts,
            ..Notes::default()
        };
        notes.merge(std::mem::take(&mut self.unknown));
        notes
    }

    fn heed(&mut self, halt: Halt) {
        self.interp.heed(halt.flag());
        self.halt = halt;
    }
}
