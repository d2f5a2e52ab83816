//! Judges a counterexample by the judge of the subject: atoms along the path, then the formula on that word.
//!
//! Shares no code with the search: atoms are asked of the reference evaluator, lassos and finite paths are judged by
//! `buchi::holds_on`, prefixes by three-valued logic (what lies behind the prefix is unknown), fairness by its definition
//! on the loop.
//! Invariant: a counterexample that is not confirmed is a bug of ours; only where the judge gives up is it shown with a
//! doubt.

mod word;

use pins::Fault;
use subject::{
    EventId, Forbids, Happening, Judge, Moment, Possible, Step, Subject, Then, Trace, Value,
    Walked, Wd,
};

use super::atoms::{Asks, Atom, Atoms, Match};

/// What the judge may take for one question.
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
    /// Positions whose fairness was asked: what is possible.
    enabled: Vec<Option<Possible>>,
    /// The step that leaves each position.
    steps: Vec<Option<Taken>>,
}

/// What happened in a step.
#[derive(Clone)]
struct Taken {
    event: EventId,
    arguments: Vec<Option<Value>>,
    results: Vec<Option<Value>>,
    actors: Vec<usize>,
}

/// The same, borrowed.
type Label<'a> = (EventId, &'a [Option<Value>], &'a [Option<Value>]);

impl Taken {
    /// An event; `None` for the beginning of a path.
    fn of(step: &Step, subject: &dyn Subject) -> Option<Taken> {
        let Happening::Event(event) = step.happening else {
            return None;
        };
        Some(Taken {
            event,
            arguments: step.arguments.clone(),
            results: step.results.clone(),
            actors: subject.actors(step),
        })
    }

    fn label(&self) -> Label<'_> {
        (self.event, &self.arguments, &self.results)
    }
}

/// The events that are possible, with their labels.
fn labels(possible: &Possible) -> impl Iterator<Item = Label<'_>> {
    possible
        .steps
        .iter()
        .filter_map(|step| match step.happening {
            Happening::Event(event) => Some((event, &step.arguments[..], &step.results[..])),
            Happening::Setup | Happening::Initialisation => None,
        })
}

/// A state of the path.
#[derive(Clone)]
struct At {
    moment: Moment,
    values: Vec<Option<Value>>,
}

/// Asks for the atoms along a path. The trace holds the whole path; for a lasso its last step closes the loop. Fairness of
/// every label needs to know what is possible on the loop.
pub(super) fn judge(
    subject: &dyn Subject,
    atoms: &Atoms,
    (trace, end): (&Trace, End),
    wd: Wd,
    needs_labels: bool,
) -> Judged {
    let mut asker = Asker {
        subject,
        judge: subject.judge(wd, BUDGET),
        questions: atoms,
        doubt: None,
    };
    let (states, before) = asker.states(trace);
    let mut taken: Vec<Option<Taken>> = trace
        .steps
        .iter()
        .map(|step| Taken::of(step, subject))
        .collect();
    taken.retain(Option::is_some);
    // The state after the closing step is the one where the loop begins.
    let positions = states.len() - usize::from(matches!(end, End::Lasso(_)));
    let steps: Vec<Option<Taken>> = (0..positions)
        .map(|position| taken.get(position).cloned().flatten())
        .collect();
    let mut letters: Vec<Vec<Option<bool>>> = Vec::new();
    let mut enabled = Vec::new();
    for position in 0..positions {
        let mut possible = None;
        let asked = Asked {
            at: &states[position],
            next: states.get(position + 1),
            step: steps[position].as_ref(),
            end,
        };
        let letter = atoms.atoms.iter();
        let letter = letter.map(|atom| asker.atom(atom, &asked, &mut possible));
        letters.push(letter.collect());
        enabled.push(possible);
    }
    let mut cases = Vec::new();
    if end == End::Prefix
        && let (Some(state), Some(last)) = (states.last(), letters.last_mut())
    {
        cases = asker.cases(state, last);
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
        && states.get(start).map(|start| &start.values) != Some(&last.values)
    {
        asker.doubt = Some("the loop does not close".to_owned());
    }
    if needs_labels && let Some(start) = loop_start {
        for position in start..positions {
            if enabled[position].is_none() {
                enabled[position] = asker.possible(&states[position]);
            }
        }
    }
    Judged {
        letters,
        loop_start,
        doubt: asker.doubt,
        end,
        cases,
        enabled,
        steps,
    }
}

/// Whether a path is one that must not be, by the judge of the subject.
pub(super) fn is_forbidden(
    subject: &dyn Subject,
    forbids: Forbids,
    (trace, end): (&Trace, End),
    wd: Wd,
) -> Result<bool, Fault> {
    let mut asker = Asker {
        subject,
        judge: subject.judge(wd, BUDGET),
        questions: &Atoms::default(),
        doubt: None,
    };
    let (states, before) = asker.states(trace);
    let mut states: Vec<Moment> = states.into_iter().map(|at| at.moment).collect();
    let then = match end {
        End::Lasso(step) => {
            states.pop();
            Then::Again(step.saturating_sub(before))
        }
        End::Deadlock => Then::Ends,
        End::Prefix => Then::Anyhow,
    };
    let states = &states;
    asker.judge.is_forbidden(forbids, Walked { states, then })
}

struct Asker<'a> {
    subject: &'a dyn Subject,
    judge: Box<dyn Judge + 'a>,
    questions: &'a Atoms,
    doubt: Option<String>,
}

/// Where an atom is asked.
struct Asked<'a> {
    at: &'a At,
    next: Option<&'a At>,
    step: Option<&'a Taken>,
    end: End,
}

/// What holds as long as there is no further step; `None` when a fault hides one.
fn unless_faulty(possible: &Possible, so_far: bool) -> Option<bool> {
    (!so_far || possible.faults.is_empty()).then_some(so_far)
}

impl Asker<'_> {
    /// The states of a path, and the index of the step that leads to the first one.
    fn states(&mut self, trace: &Trace) -> (Vec<At>, usize) {
        let mut states = Vec::new();
        let mut before = 0;
        let mut moment = self.judge.beginning();
        for (index, step) in trace.steps.iter().enumerate() {
            moment = self.judge.after(&moment, step);
            match step.happening {
                Happening::Setup => {
                    before = index + 1;
                    continue;
                }
                Happening::Initialisation => before = index,
                Happening::Event(_) => {}
            }
            states.push(At {
                moment: moment.clone(),
                values: step.after.clone(),
            });
        }
        (states, before)
    }

    /// An answer, unless there is none; a doubt where the judge gave up.
    fn answered<T>(&mut self, answer: Result<T, Fault>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(fault) => {
                if fault.kind.leaves_open() {
                    self.doubt.get_or_insert(fault.message);
                }
                None
            }
        }
    }

    fn holds(&mut self, question: usize, at: &At, values: &[Value]) -> Option<bool> {
        let question = self.questions.questions[question];
        let answer = self.judge.truth_of(question, values, &at.moment);
        self.answered(answer)
    }

    /// All steps out of a state; `None` when they are not known.
    fn possible(&mut self, at: &At) -> Option<Possible> {
        let answer = self.judge.possible(&at.moment);
        self.answered(answer)
    }

    /// The same, asked at most once.
    fn known<'p>(&mut self, at: &At, possible: &'p mut Option<Possible>) -> Option<&'p Possible> {
        if possible.is_none() {
            *possible = self.possible(at);
        }
        possible.as_ref()
    }

    /// The letters that the last state of a prefix may have, one for each step that may follow.
    fn cases(&mut self, at: &At, letter: &[Option<bool>]) -> Vec<Vec<Option<bool>>> {
        let possible = self.possible(at);
        let Some(possible) = possible.filter(|possible| possible.faults.is_empty()) else {
            return vec![letter.to_vec()];
        };
        if possible.steps.is_empty() {
            return vec![self.case(at, letter, None)];
        }
        let mut cases: Vec<Vec<Option<bool>>> = Vec::new();
        for step in &possible.steps {
            let case = self.case(at, letter, Some(step));
            if !cases.contains(&case) {
                cases.push(case);
            }
        }
        cases
    }

    /// The letter of a state that is left by a step.
    fn case(&mut self, at: &At, letter: &[Option<bool>], step: Option<&Step>) -> Vec<Option<bool>> {
        let next = step.map(|step| At {
            moment: self.judge.after(&at.moment, step),
            values: step.after.clone(),
        });
        let taken = step.and_then(|step| Taken::of(step, self.subject));
        let asked = Asked {
            at,
            next: next.as_ref(),
            step: taken.as_ref(),
            end: End::Deadlock,
        };
        let atoms = self.questions.atoms.iter().zip(letter);
        atoms
            .map(|(atom, truth)| match atom.is_step() {
                false => *truth,
                true => self.atom(atom, &asked, &mut None),
            })
            .collect()
    }

    fn matches(
        &mut self,
        wanted: &Match,
        (event, arguments): (EventId, &[Option<Value>]),
        at: &At,
    ) -> Option<bool> {
        if event != wanted.event {
            return Some(false);
        }
        for (position, question) in &wanted.arguments {
            let value = arguments.get(*position)?.clone()?;
            if !self.holds(*question, at, &[value])? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn is_enabled(
        &mut self,
        wanted: &Match,
        at: &At,
        possible: &mut Option<Possible>,
    ) -> Option<bool> {
        let possible = self.known(at, possible)?;
        for (event, arguments, _) in labels(possible) {
            if self.matches(wanted, (event, arguments), at)? {
                return Some(true);
            }
        }
        let mut faulty = possible.faults.iter();
        let is_faulty = faulty.any(|(event, _)| *event == wanted.event);
        (!is_faulty).then_some(false)
    }

    fn atom(
        &mut self,
        atom: &Atom,
        asked: &Asked<'_>,
        possible: &mut Option<Possible>,
    ) -> Option<bool> {
        let Asked {
            at,
            next,
            step,
            end,
        } = *asked;
        if atom.is_step() && step.is_none() {
            // Behind a prefix any step may follow (`cases`); at the end of a finite path none does.
            return match end {
                End::Prefix => None,
                _ => Some(false),
            };
        }
        match &atom.asks {
            Asks::Holds(question) => self.holds(*question, at, &[]),
            Asks::Enabled(wanted) => self.is_enabled(wanted, at, possible),
            Asks::Count(all, few) => {
                let (mut least, mut most) = (0, 0);
                for wanted in all {
                    let is_enabled = self.is_enabled(wanted, at, possible);
                    least += usize::from(is_enabled == Some(true));
                    most += usize::from(is_enabled != Some(false));
                }
                few.admits(least, most)
            }
            Asks::Deadlock => {
                let possible = self.known(at, possible)?;
                unless_faulty(possible, possible.steps.is_empty())
            }
            Asks::Sink => {
                let possible = self.known(at, possible)?;
                let stays = possible.steps.iter().all(|step| step.after == at.values);
                unless_faulty(possible, stays)
            }
            Asks::Taken(wanted) => {
                let step = step?;
                self.matches(wanted, (step.event, &step.arguments), at)
            }
            Asks::CanMove(actor) => {
                let subject = self.subject;
                let possible = self.known(at, possible)?;
                let mut steps = possible.steps.iter();
                match steps.any(|step| subject.actors(step).contains(actor)) {
                    true => Some(true),
                    false => unless_faulty(possible, true).map(|_| false),
                }
            }
            Asks::Moves(actor) => Some(step?.actors.contains(actor)),
            Asks::Change(value, compare, _) => {
                let question = self.questions.questions[*value];
                let before = self.judge.value(question, &at.moment);
                let before = self.answered(before)?;
                self.holds(*compare, next?, &[before])
            }
            Asks::BeforeAfter(question, components) => {
                let values = components.iter().map(|id| at.values[id.index()].clone());
                let values: Option<Vec<Value>> = values.collect();
                self.holds(*question, next?, &values?)
            }
        }
    }
}
