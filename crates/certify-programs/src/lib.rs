//! The meaning of programs (Promela, Murphi) for the check of certificates: states are plain values, steps are those of the
//! reference evaluator.
//!
//! Every state is asked about as a whole: a step of a process may depend on all others (`timeout`, `else`, priorities).
//! Invariant: depends on the reference evaluator and on none of the engines, reductions or the compiled evaluator.
//! Trusted: that a language lets scalarsets be used only where their elements are interchangeable.

mod words;

use certify::{Definedness, Emit, Evaluator, Part, Rejected, Semantics, Told};
use program::{ExprId, Program, SortKind, State, Value};
use program_interp::{End, Machine, What};

pub use words::{Words, components, state};

/// A predicate of states.
#[derive(Clone, Copy, Debug)]
pub enum Label {
    /// A property of the program, by its number.
    Property(usize),
    /// Whether the program may end here; whether all channels have to be empty then.
    MayEnd(bool),
    /// An expression is not 0.
    Value(ExprId),
}

/// What a formula asks of a step.
#[derive(Clone, Copy, Debug)]
pub enum StepAtom {
    /// Whether it is one of a rule or begins with one of a proctype, by its number.
    Of(usize),
    /// Whether a process takes part.
    Moves(usize),
}

/// A program.
pub struct Programs<'p> {
    /// The program.
    pub program: &'p Program,
    /// The number of components of a state.
    pub components: usize,
    /// The labels of the program.
    pub labels: Vec<Label>,
    /// What formulas ask of states.
    pub states: Vec<Label>,
    /// What formulas ask of steps.
    pub steps: Vec<StepAtom>,
}

impl Semantics for Programs<'_> {
    type Value = Words;

    fn fits(&self, components: usize) -> bool {
        let pairs = components.checked_sub(1 + self.program.variables.len());
        components == self.components && pairs.is_some_and(|pairs| pairs.is_multiple_of(2))
    }

    fn labels(&self) -> usize {
        self.labels.len()
    }

    fn actions(&self) -> usize {
        1
    }

    fn mentions(&self, _part: Part) -> Vec<usize> {
        (0..self.components).collect()
    }

    fn read(&self, component: usize, text: &str) -> Option<Words> {
        let numbers = text.split_whitespace().map(str::parse);
        let words: Words = numbers.collect::<Result<_, _>>().ok()?;
        words::is_one(self.program, component, &words).then_some(words)
    }

    fn classes(&self) -> Vec<Vec<u32>> {
        let sorts = self.program.types.sorts.iter();
        let classes = sorts.map(|(_, sort)| match sort.kind {
            // What formulas ask may tell elements apart.
            SortKind::Scalarset if self.states.is_empty() => vec![0; sort.elements.len()],
            _ => (0..sort.elements.len() as u32).collect(),
        });
        classes.collect()
    }

    fn permute(&self, component: usize, value: &Words, permutation: &[Vec<u32>]) -> Words {
        words::permute(self.program, component, value, permutation)
    }

    fn evaluator(&self, _wd: Definedness) -> Box<dyn Evaluator<Words> + '_> {
        Box::new(Reference {
            programs: self,
            machine: Machine::new(self.program),
        })
    }
}

struct Reference<'p> {
    programs: &'p Programs<'p>,
    machine: Machine<'p>,
}

impl Reference<'_> {
    /// The components of a state, if the certificate has room for it.
    fn components(&self, state: &State) -> Result<Vec<Words>, Rejected> {
        let mut found = components(state);
        match found.len() > self.programs.components {
            true => Err(Rejected::StartOutside),
            false => {
                found.resize(self.programs.components, Words::new());
                Ok(found)
            }
        }
    }

    fn state(&self, components: &[Words]) -> Result<State, Rejected> {
        let state = words::state(self.programs.program, components);
        state.ok_or_else(|| no_answer("a state of the set is none of the program"))
    }
}

fn no_answer(why: impl Into<String>) -> Rejected {
    Rejected::NoAnswer(why.into(), None)
}

/// A fault, or something that did not hold on the way.
fn fault(found: &program::Fault) -> Rejected {
    no_answer(found.reason.sentence())
}

impl Evaluator<Words> for Reference<'_> {
    fn starts(
        &mut self,
        _setup_labels: &[u32],
        emit: &mut dyn FnMut(&[Words]) -> Result<(), Rejected>,
    ) -> Result<Vec<String>, Rejected> {
        for initial in self.machine.initial() {
            if let Some(failure) = initial.failures.first() {
                return Err(fault(&failure.fault));
            }
            if let Some(state) = initial.state.map_err(|found| fault(&found))? {
                emit(&self.components(&state)?)?;
            }
        }
        Ok(Vec::new())
    }

    fn steps(
        &mut self,
        _action: usize,
        state: &[Words],
        emit: Emit<'_, Words>,
    ) -> Result<(), Rejected> {
        let state = self.state(state)?;
        for step in self.machine.steps(&state) {
            if let Some(failure) = step.failures.first() {
                return Err(fault(&failure.fault));
            }
            let target = match &step.end {
                End::State(target) => self.components(target)?,
                // An assumption leaves it out.
                End::Discarded => continue,
                End::Fault(found) => return Err(fault(found)),
            };
            let of = |what: &What| match what {
                What::Edge { pid, proctype, .. } => (proctype.index(), Some(*pid)),
                What::Rule { rule, .. } => (rule.index(), None),
            };
            let parts: Vec<_> = step.parts.iter().map(|part| of(&part.what)).collect();
            let holds = |atom: &StepAtom| match atom {
                StepAtom::Of(event) => parts.first().is_some_and(|(first, _)| first == event),
                StepAtom::Moves(pid) => parts.iter().any(|(_, who)| *who == Some(*pid)),
            };
            let marks = self.programs.steps.iter().enumerate();
            let marks = marks.fold(0, |marks, (at, atom)| marks | u64::from(holds(atom)) << at);
            emit(&target, Told { marks, name: None })?;
        }
        Ok(())
    }

    fn holds(&mut self, label: u32, state: &[Words]) -> Result<bool, Rejected> {
        let state = self.state(state)?;
        let Programs {
            program,
            labels,
            states,
            ..
        } = self.programs;
        let label = labels.iter().chain(states).nth(label as usize);
        let label = label.ok_or(Rejected::Misfit("it claims a label that there is not"))?;
        match label {
            Label::Property(at) => {
                let truth = self.machine.property(&state, &program.properties[*at]);
                truth.map_err(|found| fault(&found))
            }
            Label::MayEnd(empty) => Ok(self.machine.may_end(&state, *empty)),
            Label::Value(expr) => match self.machine.value(&state, *expr) {
                Ok(Value::Int(number)) => Ok(number != 0),
                Ok(_) => Err(no_answer("a formula is no number")),
                Err(found) => Err(fault(&found)),
            },
        }
    }
}
