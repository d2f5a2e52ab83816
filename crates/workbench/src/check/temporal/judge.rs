//! Judges a counterexample by the reference evaluator: atoms along the path, then the formula on that word.
//!
//! Shares no code with the search: atoms are asked of `model-interp`, lassos and finite paths are judged by
//! `buchi::holds_on`, prefixes by three-valued logic (what lies behind the prefix is unknown), fairness by its definition
//! on the loop.
//! Invariant: a counterexample that is not confirmed is a bug of ours; only where the reference evaluator gives up is it
//! shown with a doubt.

use buchi::{Ltl, Word};
use model::{LocalId, Model, Value};
use model_interp::{Interp, Options, State, Stop, StopKind, Transition};
use search::liveness::Fairness;
use verdict::{Definedness, Event, Trace};

use super::atoms::{Asks, Atom, Atoms, Match};
use super::prefix::unknown_end;

/// What the reference evaluator may take for one question.
const BUDGET: u64 = 10_000_000;

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The last step leads back to the state after this step of the path.
    Lasso(usize),
    /// Nothing is possible any more.
    Deadlock,
    /// Whatever follows, the formula is false.
    Prefix,
}

/// The truth of atoms along a path, asked of the reference evaluator.
pub(super) struct Judged {
    /// For each position the truth of each atom; `None` where it is not defined or there is no step.
    pub(super) letters: Vec<Vec<Option<bool>>>,
    /// Where the loop begins, as a position.
    pub(super) loop_start: Option<usize>,
    /// What was not decided.
    pub(super) doubt: Option<String>,
    end: End,
    /// Of a prefix: what the last letter may be, depending on the step that follows.
    cases: Vec<Vec<Option<bool>>>,
    /// Positions whose fairness was asked: labels that are possible.
    enabled: Vec<Possible>,
    steps: Vec<Option<Taken>>,
}

/// A step: action, arguments, results.
type Taken = (usize, Vec<Value>, Vec<Option<Value>>);
/// The same, borrowed.
type Label<'a> = (usize, &'a [Value], &'a [Option<Value>]);

/// Asks for the atoms along a path. The trace holds the whole path; for a lasso its last step closes the loop. Fairness of
/// every label needs to know what is possible on the loop.
pub(super) fn judge(
    model: &Model,
    atoms: &Atoms,
    (trace, end): (&Trace, End),
    wd: Definedness,
    needs_labels: bool,
) -> Judged {
    let mut states: Vec<State> = Vec::new();
    let mut events: Vec<(Event, Vec<Value>, Vec<Option<Value>>)> = Vec::new();
    let mut state = State::empty(model);
    let mut before = 0;
    for (index, step) in trace.steps.iter().enumerate() {
        let mut values = step.after.clone();
        values.resize(model.variables.len(), None);
        let mut next = State::new(values);
        next.adopt_symbolic(&state);
        state = next;
        match step.event {
            Event::Setup => before = index + 1,
            Event::Initialisation => {
                before = index;
                states.push(state.clone());
            }
            Event::Action(_) => {
                let arguments = step.arguments.iter().flatten().cloned().collect();
                events.push((step.event, arguments, step.results.clone()));
                states.push(state.clone());
            }
        }
    }
    // The state after the closing step is the one where the loop begins.
    let positions = states.len() - usize::from(matches!(end, End::Lasso(_)));
    let interp = |wd: Definedness| Interp::new(model, Options { wd, budget: BUDGET });
    let mut judge = Judge {
        model,
        interp: interp(wd),
        lenient: interp(Definedness::Lenient),
        questions: atoms,
        doubt: None,
    };
    let steps: Vec<Option<Taken>> = (0..positions)
        .map(|position| match events.get(position) {
            Some((Event::Action(action), arguments, results)) => {
                Some((*action, arguments.clone(), results.clone()))
            }
            _ => None,
        })
        .collect();
    let mut letters: Vec<Vec<Option<bool>>> = Vec::new();
    let mut enabled = Vec::new();
    for position in 0..positions {
        let mut possible = None;
        let step = steps[position].as_ref();
        let letter = atoms
            .atoms
            .iter()
            .map(|atom| {
                let next = states.get(position + 1);
                judge.atom(atom, &states[position], next, step, &mut possible, end)
            })
            .collect();
        letters.push(letter);
        enabled.push(possible);
    }
    let mut cases = Vec::new();
    if end == End::Prefix
        && let (Some(state), Some(last)) = (states.last(), letters.last_mut())
    {
        cases = judge.cases(state, last);
        for (atom, truth) in last.iter_mut().enumerate() {
            let first = cases.first().and_then(|case| case[atom]);
            *truth = first.filter(|_| cases.iter().all(|case| case[atom] == first));
        }
    }
    let loop_start = match end {
        End::Lasso(step) => Some(step.saturating_sub(before)),
        _ => None,
    };
    if let End::Lasso(_) = end
        && let (Some(start), Some(last)) = (loop_start, states.last())
        && states.get(start).map(State::values) != Some(last.values())
    {
        judge.doubt = Some("the loop does not close".to_owned());
    }
    if needs_labels && let Some(start) = loop_start {
        for position in start..positions {
            if enabled[position].is_none() {
                enabled[position] = judge.possible(&states[position]);
            }
        }
    }
    Judged {
        letters,
        loop_start,
        doubt: judge.doubt,
        end,
        cases,
        enabled,
        steps,
    }
}

struct Judge<'a> {
    model: &'a Model,
    interp: Interp<'a>,
    /// The same without the outcomes that fault.
    lenient: Interp<'a>,
    questions: &'a Atoms,
    doubt: Option<String>,
}

/// What is possible in a state; `None` when that is not known.
type Possible = Option<Steps>;

/// The steps out of a state.
#[derive(Default)]
struct Steps {
    all: Vec<(usize, Transition)>,
    /// Actions with an outcome that faults.
    faulty: Vec<usize>,
}

impl Steps {
    /// What holds as long as there is no further step; `None` when a fault hides one.
    fn unless_faulty(&self, so_far: bool) -> Option<bool> {
        (!so_far || self.faulty.is_empty()).then_some(so_far)
    }
}

impl Judge<'_> {
    fn stopped(&mut self, stop: &Stop) {
        if matches!(stop.kind, StopKind::Budget | StopKind::Open) {
            self.doubt.get_or_insert_with(|| stop.reason.clone());
        }
    }

    fn holds(&mut self, question: usize, state: &State, values: &[Value]) -> Option<bool> {
        let question = &self.questions.questions[question];
        let names: Vec<(LocalId, Value)> = question
            .names
            .iter()
            .copied()
            .zip(values.iter().cloned())
            .collect();
        match self.interp.eval_where(question.expr, state, &names) {
            Ok(Value::Bool(truth)) => Some(truth),
            Ok(_) => None,
            Err(stop) => {
                self.stopped(&stop);
                None
            }
        }
    }

    /// All transitions of a state.
    fn possible(&mut self, state: &State) -> Possible {
        let mut found = Steps::default();
        for action in 0..self.model.actions.len() {
            let mut answer = self.interp.transitions(action, state);
            let is_faulty = match &answer {
                Ok((_, passed)) => passed.is_some(),
                Err(stop) => stop.is_fault(),
            };
            if is_faulty {
                found.faulty.push(action);
                answer = self.lenient.transitions(action, state);
            }
            match answer {
                Ok((transitions, _)) => {
                    let transitions = transitions.into_iter();
                    found.all.extend(transitions.map(|step| (action, step)));
                }
                Err(stop) => {
                    self.stopped(&stop);
                    return None;
                }
            }
        }
        Some(found)
    }

    /// The letters that the last state of a prefix may have, one for each step that may follow.
    fn cases(&mut self, state: &State, letter: &[Option<bool>]) -> Vec<Vec<Option<bool>>> {
        let possible = self.possible(state);
        let Some(Steps { all: possible, .. }) = possible.filter(|p| p.faulty.is_empty()) else {
            return vec![letter.to_vec()];
        };
        let questions = self.questions;
        let with = |judge: &mut Self, step: Option<&(usize, Transition)>| {
            let atoms = questions.atoms.iter().zip(letter);
            let taken = step.map(|(action, t)| (*action, t.arguments.clone(), t.results.clone()));
            atoms
                .map(|(atom, truth)| match atom.is_step() {
                    false => *truth,
                    true => {
                        let next = step.map(|(_, t)| &t.target);
                        let end = End::Deadlock;
                        judge.atom(atom, state, next, taken.as_ref(), &mut None, end)
                    }
                })
                .collect::<Vec<Option<bool>>>()
        };
        if possible.is_empty() {
            return vec![with(self, None)];
        }
        let mut cases: Vec<Vec<Option<bool>>> = Vec::new();
        for step in &possible {
            let case = with(self, Some(step));
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        cases
    }

    fn matches(
        &mut self,
        wanted: &Match,
        action: usize,
        arguments: &[Value],
        state: &State,
    ) -> Option<bool> {
        if action != wanted.action {
            return Some(false);
        }
        for (position, question) in &wanted.arguments {
            let value = arguments.get(*position)?.clone();
            if !self.holds(*question, state, &[value])? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn is_enabled(
        &mut self,
        wanted: &Match,
        state: &State,
        possible: &mut Possible,
    ) -> Option<bool> {
        if possible.is_none() {
            *possible = self.possible(state);
        }
        let steps = possible.as_ref()?;
        for (action, transition) in &steps.all {
            if self.matches(wanted, *action, &transition.arguments, state)? {
                return Some(true);
            }
        }
        (!steps.faulty.contains(&wanted.action)).then_some(false)
    }

    fn atom(
        &mut self,
        atom: &Atom,
        state: &State,
        next: Option<&State>,
        step: Option<&Taken>,
        possible: &mut Possible,
        end: End,
    ) -> Option<bool> {
        if atom.is_step() && step.is_none() {
            // Behind a prefix any step may follow (`cases`); at the end of a finite path none does.
            return match end {
                End::Prefix => None,
                _ => Some(false),
            };
        }
        match &atom.asks {
            Asks::Holds(question) => self.holds(*question, state, &[]),
            Asks::Enabled(wanted) => self.is_enabled(wanted, state, possible),
            Asks::Count(all, few) => {
                let (mut least, mut most) = (0, 0);
                for wanted in all {
                    let is_enabled = self.is_enabled(wanted, state, possible);
                    least += usize::from(is_enabled == Some(true));
                    most += usize::from(is_enabled != Some(false));
                }
                few.admits(least, most)
            }
            Asks::Deadlock => {
                if possible.is_none() {
                    *possible = self.possible(state);
                }
                let steps = possible.as_ref()?;
                steps.unless_faulty(steps.all.is_empty())
            }
            Asks::Sink => {
                if possible.is_none() {
                    *possible = self.possible(state);
                }
                let steps = possible.as_ref()?;
                let stays = |(_, t): &(usize, Transition)| t.target.values() == state.values();
                steps.unless_faulty(steps.all.iter().all(stays))
            }
            Asks::Taken(wanted) => {
                let (action, arguments, _) = step?;
                self.matches(wanted, *action, arguments, state)
            }
            Asks::Change(value, compare) => {
                let question = &self.questions.questions[*value];
                let before = match self.interp.eval(question.expr, state) {
                    Ok(before) => before,
                    Err(stop) => {
                        self.stopped(&stop);
                        return None;
                    }
                };
                self.holds(*compare, next?, &[before])
            }
            Asks::BeforeAfter(question, variables) => {
                let values = variables
                    .iter()
                    .map(|variable| state.values()[variable.index()].clone());
                let values: Option<Vec<Value>> = values.collect();
                self.holds(*question, next?, &values?)
            }
        }
    }
}

impl Judged {
    /// Whether the path may go on after its last step.
    pub(super) fn may_go_on(&self) -> bool {
        self.end == End::Prefix
    }

    /// The word, with what is not defined taken for `undefined`.
    pub(super) fn word(&self, undefined: bool) -> Word {
        let letters = self.letters.iter().map(|letter| {
            let mut words = vec![0_u64; letter.len().div_ceil(64)];
            for (atom, truth) in letter.iter().enumerate() {
                if truth.unwrap_or(undefined) {
                    words[atom / 64] |= 1 << (atom % 64);
                }
            }
            words
        });
        Word {
            letters: letters.collect(),
            loop_start: self.loop_start,
        }
    }

    /// The truth of a formula at each position; `None` where it depends on what is not known.
    pub(super) fn values(&self, formula: &Ltl) -> Vec<Option<bool>> {
        if self.end == End::Prefix {
            return unknown_end(formula, &self.letters);
        }
        let low = buchi::values_on(formula, &self.word(false));
        let high = buchi::values_on(formula, &self.word(true));
        let both = low.into_iter().zip(high);
        both.map(|(a, b)| (a == b).then_some(a)).collect()
    }

    /// Whether the path refutes the formula; a prefix does when every step that may follow does.
    pub(super) fn refutes(&self, formula: &Ltl) -> bool {
        let is_false = |values: Vec<Option<bool>>| values.first() == Some(&Some(false));
        if is_false(self.values(formula)) {
            return true;
        }
        let mut letters = self.letters.clone();
        !self.cases.is_empty()
            && self.cases.iter().all(|case| {
                if let Some(last) = letters.last_mut() {
                    last.clone_from(case);
                }
                is_false(unknown_end(formula, &letters))
            })
    }

    /// Whether the path satisfies one of the assumptions.
    pub(super) fn is_fair(&self, alternatives: &[Fairness]) -> bool {
        alternatives.is_empty() || alternatives.iter().any(|fairness| self.satisfies(fairness))
    }

    fn satisfies(&self, fairness: &Fairness) -> bool {
        let Some(start) = self.loop_start else {
            return true;
        };
        let on_loop = || start..self.letters.len();
        let holds =
            |atom: u32, position: usize| self.letters[position][atom as usize] == Some(true);
        let taken = |atom: u32| on_loop().any(|position| holds(atom, position));
        let weak = fairness.weak.iter().all(|constraint| {
            let always = on_loop().all(|position| holds(constraint.enabled, position));
            !always || taken(constraint.taken)
        });
        let strong = fairness.strong.iter().all(|constraint| {
            let often = on_loop().any(|position| holds(constraint.enabled, position));
            !often || taken(constraint.taken)
        });
        weak && strong
            && (!fairness.weak_labels || self.labels(start, true))
            && (!fairness.strong_labels || self.labels(start, false))
    }

    /// Whether every label that is possible always (`weak`), or again and again, on the loop is taken on it.
    fn labels(&self, start: usize, weak: bool) -> bool {
        let on_loop = start..self.letters.len();
        let mut labels: Vec<Label<'_>> = Vec::new();
        for position in on_loop.clone() {
            let Some(possible) = &self.enabled[position] else {
                return true;
            };
            for (action, transition) in &possible.all {
                let label = (*action, &transition.arguments[..], &transition.results[..]);
                if !labels.contains(&label) {
                    labels.push(label);
                }
            }
        }
        labels.iter().all(|label| {
            let is_taken = on_loop.clone().any(|position| {
                let step = self.steps[position].as_ref();
                step.is_some_and(|(action, arguments, results)| {
                    *label == (*action, &arguments[..], &results[..])
                })
            });
            let is_always = on_loop.clone().all(|position| {
                let possible = self.enabled[position].as_ref();
                possible.is_some_and(|possible| {
                    possible.all.iter().any(|(action, transition)| {
                        *label == (*action, &transition.arguments[..], &transition.results[..])
                    })
                })
            });
            is_taken || weak && !is_always
        })
    }
}
