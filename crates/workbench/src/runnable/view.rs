//! Looks at a model that can be stepped through: moves, values, judgements and explanations of a place.
//!
//! Invariant: what is explained is asked of the judge, never of the system that finds the moves.

use pins::{Fault, FaultKind, Flow, GroupId, Halt, LabelId, LabelKind, System, Truth, Worker};
use reduce::symmetry::{Forms, Method, Quotient};
use subject::{
    Description, EventId, Ground, Happening, Judge, Knowledge, Moment, Predicate, Step, Subject,
    Value, Wd,
};
use verdict::ShownStep;

use super::{Answer, EXPLAIN_BUDGET, Formula, Judged, Move, Moves, Place};

/// More moves from one place are not listed: nobody looks through them, and a model may have any number of initial states.
const MAX_MOVES: usize = 200_000;

/// A model and its ground, to look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The model.
    pub(crate) subject: &'a dyn Subject,
    /// Its system as a whole.
    pub(crate) ground: &'a dyn Ground,
    /// What undefined expressions mean.
    pub(crate) wd: Wd,
    /// Whether one state stands for its orbit.
    pub(crate) is_reduced: bool,
    /// Ends what takes long, where somebody may ask for it.
    pub(super) halt: Option<&'a Halt>,
}

impl<'a> View<'a> {
    /// A model and its system as a whole, unreduced.
    pub(crate) fn new(subject: &'a dyn Subject, ground: &'a dyn Ground, wd: Wd) -> View<'a> {
        View {
            subject,
            ground,
            wd,
            is_reduced: false,
            halt: None,
        }
    }

    /// Whether somebody asked for an end.
    pub(crate) fn is_halted(self) -> bool {
        self.halt.is_some_and(Halt::is_set)
    }

    /// What answers for a system, and heeds whoever asks for an end.
    fn worker<'s>(self, system: &'s dyn System) -> Box<dyn Worker + 's> {
        let mut worker = system.worker();
        if let Some(halt) = self.halt {
            worker.heed(halt.clone());
        }
        worker
    }

    /// A judge with a budget for explanations, that heeds whoever asks for an end.
    pub(crate) fn referee(self) -> Box<dyn Judge + 'a> {
        let mut judge = self.subject.judge(self.wd, EXPLAIN_BUDGET);
        if let Some(halt) = self.halt {
            judge.heed(halt);
        }
        judge
    }

    /// What the model consists of.
    pub fn description(self) -> &'a Description {
        self.subject.description()
    }

    /// The reduction, if there is one.
    fn quotient(self) -> Option<Quotient<'a>> {
        match self.is_reduced {
            true => Quotient::along_paths(self.ground.system(), Method::Exact),
            false => None,
        }
    }

    /// The places that stand for these: themselves, or what the reduction explores instead of them.
    ///
    /// # Errors
    /// Where the reduction has no form for a single state.
    pub(crate) fn formed(self, places: Vec<Place>) -> Result<Vec<Place>, String> {
        let Some(quotient) = self.quotient() else {
            return Ok(places);
        };
        let forms = Forms::new(&quotient);
        let mut forms = forms.ok_or("a path of whole processes is not shown by its classes")?;
        let formed = places.into_iter().map(|place| match place {
            Place::State(vector) => Place::State(forms.form(&vector).1.into()),
            other => other,
        });
        Ok(formed.collect())
    }

    fn system<'s>(&'s self, quotient: Option<&'s Quotient<'s>>) -> &'s dyn System {
        match quotient {
            Some(quotient) => quotient,
            None => self.ground.system(),
        }
    }

    /// What can happen at a place.
    pub fn moves(self, place: &Place) -> Moves {
        match place {
            Place::Root => self.setups(),
            Place::Setup(vector) => self.initial(vector),
            Place::State(vector) => self.successors(vector, None),
        }
    }

    /// The moves of one event from a state.
    pub fn moves_of(self, event: EventId, vector: &[u32]) -> Moves {
        self.successors(vector, Some(event))
    }

    fn setups(self) -> Moves {
        let quotient = self.quotient();
        let mut worker = self.worker(self.system(quotient.as_ref()));
        let mut found = Gathered::new(self);
        let answer =
            worker.setups(&mut |vector| found.take(Happening::Setup, Place::Setup(vector.into())));
        let mut found = found.closed(Happening::Setup, answer);
        if self.description().has_setup {
            return found;
        }
        for begin in std::mem::take(&mut found.moves) {
            let Place::Setup(vector) = &begin.to else {
                continue;
            };
            let more = self.initial(vector);
            found.moves.extend(more.moves);
            found.faults.extend(more.faults);
            found.unknown.extend(more.unknown);
            if self.is_halted() || found.moves.len() > MAX_MOVES {
                break;
            }
        }
        found
    }

    fn initial(self, setup: &[u32]) -> Moves {
        let quotient = self.quotient();
        let mut worker = self.worker(self.system(quotient.as_ref()));
        let mut found = Gathered::new(self);
        let answer = worker.initial(setup, &mut |vector| {
            found.take(Happening::Initialisation, Place::State(vector.into()))
        });
        found.closed(Happening::Initialisation, answer)
    }

    fn successors(self, state: &[u32], only: Option<EventId>) -> Moves {
        let quotient = self.quotient();
        let mut worker = self.worker(self.system(quotient.as_ref()));
        let mut found = Moves::default();
        let groups = self.ground.system().shape().groups.len();
        for group in (0..groups).map(GroupId::new) {
            let event = self.ground.event(group);
            if only.is_some_and(|only| only != event) {
                continue;
            }
            let happening = Happening::Event(event);
            let mut gathered = Gathered {
                found,
                ..Gathered::new(self)
            };
            let answer = worker.successors(state, group, &mut |step| {
                let flow = gathered.take(happening, Place::State(step.target.into()));
                if let (false, Some(taken)) = (gathered.is_full, gathered.found.moves.last_mut()) {
                    (taken.arguments, taken.results) = self.ground.words(group, step.label);
                }
                flow
            });
            found = gathered.closed(happening, answer);
        }
        found
    }

    /// The components of a place in their order.
    pub fn values(self, place: &Place) -> Vec<Option<Value>> {
        match place {
            Place::Root => vec![None; self.description().components.len()],
            Place::Setup(vector) => self.ground.constants(vector),
            Place::State(vector) => self.ground.values(vector),
        }
    }

    /// A move as a step of a trace.
    pub fn step(self, taken: &Move) -> Step {
        Step {
            happening: taken.happening,
            arguments: taken.arguments.clone(),
            results: taken.results.clone(),
            after: self.values(&taken.to),
        }
    }

    /// A move by itself, in the notation of the model: a beginning with the state that it leads to, anything else without.
    pub fn show(self, taken: &Move) -> ShownStep {
        if !matches!(taken.happening, Happening::Event(_)) {
            return ShownStep::with_state(&self.step(taken), self.subject);
        }
        let step = Step {
            happening: taken.happening,
            arguments: taken.arguments.clone(),
            results: taken.results.clone(),
            after: Vec::new(),
        };
        ShownStep::without_state(&step, self.subject)
    }

    /// The predicates that every state must satisfy, with their truth in a state.
    pub fn judge(self, vector: &[u32]) -> Vec<Judged> {
        let mut worker = self.worker(self.ground.system());
        let labels = self.description().labels.iter().enumerate();
        labels
            .filter(|(_, label)| matches!(label.kind, LabelKind::Invariant | LabelKind::Assertion))
            .map(|(at, label)| Judged {
                id: LabelId::new(at),
                kind: label.kind,
                label: label.label.map(|label| label.to_string()),
                text: label.text.clone(),
                truth: worker.label(vector, LabelId::new(at)),
            })
            .collect()
    }

    /// Whether some conjunct of the invariant is false or undefined in a state.
    pub fn breaks_invariant(self, vector: &[u32]) -> bool {
        let mut worker = self.worker(self.ground.system());
        let mut labels = self.description().labels.iter().enumerate();
        labels.any(|(at, label)| {
            label.kind == LabelKind::Invariant
                && matches!(
                    worker.label(vector, LabelId::new(at)),
                    Truth::False | Truth::Undefined(_)
                )
        })
    }

    /// What a formula that was asked is at a place; an error is one line.
    pub fn eval(self, formula: Formula, place: &Place) -> Result<Answer, String> {
        let vector: &[u32] = match place {
            Place::State(vector) => vector,
            Place::Root | Place::Setup(_) => {
                let mut judge = self.referee();
                let at = self.moment(&mut *judge, place);
                let answer = match formula.is_predicate {
                    true => {
                        let truth = judge.truth(Predicate::Question(formula.id), &at);
                        truth.map(Answer::Truth)
                    }
                    false => judge.value(formula.id, &at).map(Answer::Value),
                };
                return answer.map_err(|fault| fault.message);
            }
        };
        let halt = self.halt.cloned().unwrap_or_default();
        match self
            .subject
            .value_at(formula.id, self.ground, vector, &halt)
        {
            Knowledge::Truth(truth) => Ok(Answer::Truth(truth)),
            Knowledge::Value(value) => Ok(Answer::Value(value)),
            Knowledge::Unknown(cut) => Err(cut),
            Knowledge::Undefined(fault) => Err(fault.message),
        }
    }

    /// A place as a judge sees it.
    pub(crate) fn moment(self, judge: &mut dyn Judge, place: &Place) -> Moment {
        match place {
            Place::Root => judge.beginning(),
            Place::Setup(_) | Place::State(_) => judge.at(&self.values(place)),
        }
    }

    /// Why a predicate is false or undefined at a place, line by line.
    pub fn explain(self, predicate: Predicate, place: &Place) -> Vec<String> {
        let mut judge = self.referee();
        let at = self.moment(&mut *judge, place);
        judge.explain(predicate, &at)
    }

    /// Why an event cannot happen at a place, line by line.
    pub fn why_not(
        self,
        event: EventId,
        arguments: &[Option<Value>],
        place: &Place,
    ) -> Vec<String> {
        let mut judge = self.referee();
        let at = self.moment(&mut *judge, place);
        judge.obstacles(event, arguments, &at)
    }

    /// The event of this name.
    pub fn event(self, name: &str) -> Option<EventId> {
        self.description().event_named(name)
    }
}

/// Moves that are being listed, until there are too many or nobody waits for them.
struct Gathered<'a> {
    view: View<'a>,
    found: Moves,
    /// Whether there was one more than are listed.
    is_full: bool,
}

impl<'a> Gathered<'a> {
    fn new(view: View<'a>) -> Gathered<'a> {
        Gathered {
            view,
            found: Moves::default(),
            is_full: false,
        }
    }

    /// Lists a move without arguments and results.
    fn take(&mut self, happening: Happening, to: Place) -> Flow {
        if self.found.moves.len() >= MAX_MOVES {
            self.is_full = true;
            return Flow::Stop;
        }
        self.found.moves.push(Move {
            happening,
            arguments: Vec::new(),
            results: Vec::new(),
            to,
        });
        match self.view.is_halted() {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }

    /// What was listed, and what kept it from being complete.
    fn closed(mut self, happening: Happening, answer: Result<(), Fault>) -> Moves {
        if let Err(fault) = answer {
            self.found.stopped(happening, fault);
        }
        if self.is_full {
            let fault = Fault {
                kind: FaultKind::Budget,
                span: None,
                message: format!("there are more than {MAX_MOVES} ways to go on"),
            };
            self.found.stopped(happening, fault);
        }
        self.found
    }
}
