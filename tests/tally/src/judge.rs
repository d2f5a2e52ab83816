//! The judge: walks the tree with numbers by counter and worker. It shares no evaluation code with `system.rs`.

use pins::{Fault, FaultKind};
use subject::{EventId, Happening, Judge, Moment, Possible, Predicate, QuestionId, Step, Value};

use crate::model::{Atom, Comparison, Event, LARGEST, Model, Relation, Sum, Whose};
use crate::read::Formula;
use crate::subject::Asked;
use crate::value::Amount;

/// For each counter its value, or that of each worker.
type State = Vec<Vec<i64>>;

/// Judges paths of a model.
pub(crate) struct Referee<'a> {
    pub(crate) model: &'a Model,
    pub(crate) asked: &'a [Asked],
}

/// Who takes part, and what the names of a question stand for.
#[derive(Clone, Copy, Default)]
struct Scene<'a> {
    cast: &'a [usize],
    names: &'a [i64],
}

fn fault(kind: FaultKind, message: String) -> Fault {
    Fault {
        kind,
        span: None,
        message,
    }
}

fn number(sum: &Sum, state: &State, scene: Scene<'_>) -> i64 {
    let mut total = 0;
    for (sign, atom) in sum {
        total += sign
            * match *atom {
                Atom::Number(number) => number,
                Atom::Name(name) => scene.names[name],
                Atom::Counter(id, Whose::Shared) => state[id][0],
                Atom::Counter(id, Whose::Mine) => state[id][scene.cast[0]],
                Atom::Counter(id, Whose::Partners) => state[id][scene.cast[1]],
                Atom::Counter(id, Whose::Worker(worker)) => state[id][worker],
                Atom::Counter(id, Whose::Everybodys) => state[id].iter().sum(),
            };
    }
    total
}

fn compares(one: &Comparison, state: &State, scene: Scene<'_>) -> bool {
    let (left, right) = (
        number(&one.left, state, scene),
        number(&one.right, state, scene),
    );
    match one.relation {
        Relation::Equal => left == right,
        Relation::Unequal => left != right,
        Relation::Less => left < right,
        Relation::AtMost => left <= right,
        Relation::Greater => left > right,
        Relation::AtLeast => left >= right,
    }
}

impl<'a> Referee<'a> {
    fn start(&self) -> State {
        let counters = self.model.counters.iter();
        let count = |is_own| if is_own { self.model.workers } else { 1 };
        counters
            .map(|one| vec![one.start; count(one.is_own)])
            .collect()
    }

    fn state<'m>(&self, at: &'m Moment) -> Result<&'m State, Fault> {
        let state: &Option<State> = at.state();
        state.as_ref().ok_or_else(|| {
            fault(
                FaultKind::Undefined,
                "the counters have no values yet".to_owned(),
            )
        })
    }

    fn after_event(&self, event: &Event, cast: &[usize], state: &State) -> Result<State, Fault> {
        let mut next = state.clone();
        let scene = Scene { cast, names: &[] };
        for update in &event.updates {
            let value = number(&update.value, state, scene);
            if !(0..=LARGEST).contains(&value) {
                let name = self.model.counters[update.counter].name;
                return Err(fault(
                    FaultKind::Undefined,
                    format!("{name} would be {value}"),
                ));
            }
            let at = match update.whose {
                Whose::Shared | Whose::Everybodys => 0,
                Whose::Mine => cast[0],
                Whose::Partners => cast[1],
                Whose::Worker(worker) => worker,
            };
            next[update.counter][at] = value;
        }
        Ok(next)
    }

    fn values(&self, state: &State) -> Vec<Option<Value>> {
        let counters = self.model.counters.iter().zip(state);
        let values = counters.map(|(counter, numbers)| match counter.is_own {
            true => Amount::Each(numbers.clone()),
            false => Amount::Number(numbers[0]),
        });
        values.map(|value| Some(Value::new(value))).collect()
    }

    /// The predicate, and what its names are called.
    fn predicate(&self, predicate: Predicate) -> (&'a crate::model::Predicate, &'a [String]) {
        match predicate {
            Predicate::Label(id) => (&self.model.claims[id.index()].predicate, &[]),
            Predicate::Question(id) => match &self.asked[id.index()].formula {
                Formula::Predicate(predicate) => (predicate, &self.asked[id.index()].names),
                Formula::Expression(_) => unreachable!("who asks for truth asked for a predicate"),
            },
        }
    }

    fn holds(&self, predicate: Predicate, names: &[i64], at: &Moment) -> Result<bool, Fault> {
        let state = self.state(at)?;
        let scene = Scene { cast: &[], names };
        let (any, _) = self.predicate(predicate);
        Ok(any
            .iter()
            .any(|all| all.iter().all(|one| compares(one, state, scene))))
    }
}

/// The workers that arguments name, counted from 0.
fn cast(arguments: &[Option<Value>]) -> Option<Vec<usize>> {
    let numbers = arguments
        .iter()
        .map(|value| match value.as_ref().map(Amount::of) {
            Some(Amount::Number(number)) => usize::try_from(number - 1).ok(),
            _ => None,
        });
    numbers.collect()
}

impl Judge for Referee<'_> {
    fn beginning(&self) -> Moment {
        Moment::new(None::<State>)
    }

    fn after(&mut self, _before: &Moment, step: &Step) -> Moment {
        let values: Option<State> = step
            .after
            .iter()
            .map(|value| Some(Amount::of(value.as_ref()?).numbers()))
            .collect();
        Moment::new(values)
    }

    fn at(&mut self, values: &[Option<Value>]) -> Moment {
        let values: Option<State> = values
            .iter()
            .map(|value| Some(Amount::of(value.as_ref()?).numbers()))
            .collect();
        Moment::new(values)
    }

    fn check(&mut self, before: &Moment, step: &Step, after: &mut Moment) -> Result<(), Fault> {
        let violated = |message: &str| Err(fault(FaultKind::Violated, message.to_owned()));
        let expected = match step.happening {
            Happening::Setup => return violated("there is nothing to set up"),
            Happening::Initialisation => self.start(),
            Happening::Event(id) => {
                let event = &self.model.events[id.index()];
                let state = self.state(before)?;
                let Some(cast) = cast(&step.arguments) else {
                    return violated("an argument is no worker");
                };
                if !self.model.casts(event).contains(&cast) {
                    return violated("these workers cannot take part");
                }
                let scene = Scene {
                    cast: &cast,
                    names: &[],
                };
                if !event.guard.iter().all(|one| compares(one, state, scene)) {
                    return violated("the guard is false");
                }
                self.after_event(event, &cast, state)?
            }
        };
        match *self.state(after)? == expected {
            true => Ok(()),
            false => violated("the counters have other values afterwards"),
        }
    }

    fn truth(&mut self, predicate: Predicate, at: &Moment) -> Result<bool, Fault> {
        self.holds(predicate, &[], at)
    }

    fn truth_of(&mut self, id: QuestionId, values: &[Value], at: &Moment) -> Result<bool, Fault> {
        let names: Vec<i64> = values
            .iter()
            .map(|value| Amount::of(value).numbers()[0])
            .collect();
        self.holds(Predicate::Question(id), &names, at)
    }

    fn value(&mut self, question: QuestionId, at: &Moment) -> Result<Value, Fault> {
        let value = match &self.asked[question.index()].formula {
            Formula::Expression(sum) => number(sum, self.state(at)?, Scene::default()),
            Formula::Predicate(_) => {
                i64::from(self.holds(Predicate::Question(question), &[], at)?)
            }
        };
        Ok(Value::new(Amount::Number(value)))
    }

    fn possible(&mut self, at: &Moment) -> Result<Possible, Fault> {
        self.state(at)?;
        let mut possible = Possible::default();
        for event in (0..self.model.events.len()).map(EventId::new) {
            let (steps, fault) = self.steps(event, at);
            possible.steps.extend(steps);
            possible.faults.extend(fault.map(|fault| (event, fault)));
        }
        Ok(possible)
    }

    fn steps(&mut self, id: EventId, at: &Moment) -> (Vec<Step>, Option<Fault>) {
        let event = &self.model.events[id.index()];
        let state = match self.state(at) {
            Ok(state) => state,
            Err(fault) => return (Vec::new(), Some(fault)),
        };
        let (mut steps, mut met) = (Vec::new(), None);
        for cast in self.model.casts(event) {
            let scene = Scene {
                cast: &cast,
                names: &[],
            };
            if !event.guard.iter().all(|one| compares(one, state, scene)) {
                continue;
            }
            match self.after_event(event, &cast, state) {
                Err(fault) => met = met.or(Some(fault)),
                Ok(next) => {
                    let workers = cast.iter().map(|worker| Amount::Number(*worker as i64 + 1));
                    steps.push(Step {
                        happening: Happening::Event(id),
                        arguments: workers.map(|worker| Some(Value::new(worker))).collect(),
                        results: Vec::new(),
                        after: self.values(&next),
                    });
                }
            }
        }
        (steps, met)
    }

    fn setups(&mut self, _most: usize) -> Result<Vec<Moment>, Fault> {
        Ok(vec![self.beginning()])
    }

    fn initial(&mut self, _setup: &Moment, _most: usize) -> Result<Vec<Moment>, Fault> {
        Ok(vec![Moment::new(Some(self.start()))])
    }

    fn explain(&mut self, predicate: Predicate, at: &Moment) -> Vec<String> {
        let (any, names) = self.predicate(predicate);
        let state = match self.state(at) {
            Ok(state) => state,
            Err(fault) => return vec![fault.message],
        };
        let mut lines = Vec::new();
        for one in any
            .iter()
            .flatten()
            .filter(|one| !compares(one, state, Scene::default()))
        {
            let text = self.model.show_comparison(one, names);
            let left = number(&one.left, state, Scene::default());
            lines.push(format!("because {text} is false: its left side is {left}"));
        }
        lines
    }

    fn obstacles(&mut self, id: EventId, arguments: &[Option<Value>], at: &Moment) -> Vec<String> {
        let event = &self.model.events[id.index()];
        let state = match self.state(at) {
            Ok(state) => state,
            Err(fault) => return vec![fault.message],
        };
        let wanted = |cast: &Vec<usize>| {
            cast.iter().zip(arguments).all(|(worker, argument)| {
                let number = Amount::Number(*worker as i64 + 1);
                argument
                    .as_ref()
                    .is_none_or(|argument| *Amount::of(argument) == number)
            })
        };
        let casts: Vec<Vec<usize>> = self.model.casts(event).into_iter().filter(wanted).collect();
        let is_obstacle = |one: &&Comparison| {
            casts
                .iter()
                .all(|cast| !compares(one, state, Scene { cast, names: &[] }))
        };
        let obstacles = event.guard.iter().filter(is_obstacle);
        let mut lines: Vec<String> = obstacles
            .map(|one| format!("because {} is false", self.model.show_comparison(one, &[])))
            .collect();
        if casts.is_empty() {
            lines = vec!["because there are no such workers".to_owned()];
        } else if lines.is_empty() {
            lines.push("because no workers satisfy the whole guard".to_owned());
        }
        lines
    }
}
