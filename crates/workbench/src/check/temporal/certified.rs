//! Temporal formulas for certificates: the same formulas over few operators, for a checker that shares no code with the search.
//!
//! Invariant: what a formula says is only written differently here; what cannot be is refused with its reason.

use std::collections::HashMap;

use base::Sources;
use buchi::Ltl;
use certify_temporal::{Atom, Constraint, Fairness, Formula, Logic};
use search::branching::Ctl;
use search::liveness;
use subject::Subject;
use subject::evidence::{StepQuestion, Temporal};

use super::atoms::{Asks, Atoms, Few, Match};
use super::given::written;
use super::lower::Lowered;
use super::{Formulas, lower_all};
use crate::check::Ended;
use crate::choice::Fair;

/// The most operators and atoms.
const MOST: usize = 500;
/// The most questions about steps.
const MOST_STEPS: usize = 64;

/// Formulas that can be certified.
pub(in crate::check) struct Certifiable {
    /// The formulas.
    pub(in crate::check) temporal: Temporal,
    /// The logic and the text of each.
    pub(in crate::check) texts: Vec<(String, String)>,
    /// What is not certified, and why.
    pub(in crate::check) refused: Vec<String>,
}

impl Formulas {
    /// The formulas that hold, for a certificate of a model with so many labels.
    pub(in crate::check) fn certifiable(
        &self,
        fair: Fair,
        labels: usize,
        held: impl Iterator<Item = bool>,
    ) -> Certifiable {
        let mut found = Certifiable {
            temporal: Temporal::default(),
            texts: Vec::new(),
            refused: Vec::new(),
        };
        for (prepared, _) in self.formulas.iter().zip(held).filter(|(_, held)| *held) {
            let Ok(lowered) = &prepared.lowered else {
                continue;
            };
            let logic = prepared.logic.word().to_owned();
            let converted = match fair {
                Fair::None => convert(lowered, &self.atoms, labels, &mut found.temporal),
                _ => Err("fairness of processes is assumed".to_owned()),
            };
            match converted {
                Ok(formula) => {
                    found.temporal.formulas.push(formula);
                    found.texts.push((logic, prepared.text.clone()));
                }
                Err(why) => {
                    let text = &prepared.text;
                    found
                        .refused
                        .push(format!("not certified: {logic} {text}: {why}"));
                }
            }
        }
        found
    }
}

/// Reads the formulas of a certificate, each with its logic.
pub(crate) fn read<'t>(
    texts: impl Iterator<Item = (&'t str, &'t str)>,
    subject: &mut dyn Subject,
    sources: &mut Sources,
) -> Result<Temporal, String> {
    let labels = subject.description().labels.len();
    let mut all = Vec::new();
    for (logic, text) in texts {
        let logic = match logic {
            "ltl" => lang_formula::Logic::Ltl,
            "ctl" => lang_formula::Logic::Ctl,
            other => return Err(format!("there is no logic {other}")),
        };
        let given = written(logic, text, subject.source(), sources);
        all.push(given.map_err(|ended| said(ended, text))?);
    }
    let lowered = lower_all(&all, subject, sources, &[]);
    let (formulas, atoms) = lowered.map_err(|ended| said(ended, "a formula"))?;
    let mut temporal = Temporal::default();
    for prepared in &formulas {
        let lowered = prepared.lowered.as_ref().map_err(String::clone)?;
        let formula = convert(lowered, &atoms, labels, &mut temporal);
        temporal
            .formulas
            .push(formula.map_err(|why| format!("{}: {why}", prepared.text))?);
    }
    Ok(temporal)
}

/// What is wrong with a formula, in one line.
fn said(ended: Ended, text: &str) -> String {
    match ended {
        Ended::Refused(wrong) => match wrong.iter().next() {
            Some(first) => format!("{text} cannot be read: {}", first.message),
            None => format!("{text} cannot be read"),
        },
        _ => format!("{text} cannot be read"),
    }
}

/// A formula over few operators.
fn convert(
    lowered: &Lowered,
    atoms: &Atoms,
    labels: usize,
    temporal: &mut Temporal,
) -> Result<Formula, String> {
    let mut converting = Converting {
        atoms,
        labels,
        temporal,
        own: Vec::new(),
        known: HashMap::new(),
    };
    let logic = match lowered {
        Lowered::Automaton(_) => return Err("it is an automaton".to_owned()),
        Lowered::Ltl(linear) if !linear.spoken_for.is_empty() => {
            return Err("one element speaks for others; --symmetry off writes it out".to_owned());
        }
        Lowered::Ltl(linear) => {
            if linear.formula.size() > MOST {
                return Err(format!("it has more than {MOST} operators"));
            }
            let said = converting.linear(&linear.formula)?;
            let premises = linear.fairness.iter().map(|one| converting.fairness(one));
            Logic::Linear(said, premises.collect::<Result<_, _>>()?)
        }
        Lowered::Ctl(formula) => {
            if formula.size() > MOST {
                return Err(format!("it has more than {MOST} operators"));
            }
            Logic::Branching(converting.branching(formula)?)
        }
    };
    Ok(Formula {
        atoms: converting.own,
        logic,
    })
}

struct Converting<'a> {
    atoms: &'a Atoms,
    labels: usize,
    temporal: &'a mut Temporal,
    /// The atoms of the formula.
    own: Vec<Atom>,
    /// Their numbers by those of the run.
    known: HashMap<u32, u32>,
}

impl Converting<'_> {
    fn linear(&mut self, formula: &Ltl) -> Result<certify_temporal::Ltl, String> {
        use certify_temporal::Ltl as Own;
        let not = |a: Own| Own::Not(Box::new(a));
        Ok(match formula {
            Ltl::True => Own::True,
            Ltl::False => not(Own::True),
            Ltl::Atom(atom) => match self.counted(*atom)? {
                None => Own::Atom(self.atom(*atom)?),
                Some(few) => written_out(few, &Own::Atom, &not, &Own::And),
            },
            Ltl::Not(a) => not(self.linear(a)?),
            Ltl::And(all) => {
                let all = all.iter().map(|part| self.linear(part));
                Own::And(all.collect::<Result<_, _>>()?)
            }
            Ltl::Or(all) => {
                let all = all.iter().map(|part| self.linear(part).map(not));
                not(Own::And(all.collect::<Result<_, _>>()?))
            }
            Ltl::Next(a) => Own::Next(Box::new(self.linear(a)?)),
            Ltl::Yesterday(a) => Own::Yesterday(Box::new(self.linear(a)?)),
            Ltl::Until(a, b) => Own::Until(Box::new(self.linear(a)?), Box::new(self.linear(b)?)),
            Ltl::Since(a, b) => Own::Since(Box::new(self.linear(a)?), Box::new(self.linear(b)?)),
            Ltl::Release(a, b) => {
                let (a, b) = (not(self.linear(a)?), not(self.linear(b)?));
                not(Own::Until(Box::new(a), Box::new(b)))
            }
            Ltl::Trigger(a, b) => {
                let (a, b) = (not(self.linear(a)?), not(self.linear(b)?));
                not(Own::Since(Box::new(a), Box::new(b)))
            }
        })
    }

    fn branching(&mut self, formula: &Ctl) -> Result<certify_temporal::Ctl, String> {
        use certify_temporal::Ctl as Own;
        let not = |a: Own| Own::Not(Box::new(a));
        Ok(match formula {
            Ctl::True => Own::True,
            Ctl::False => not(Own::True),
            Ctl::Atom(atom) => match self.counted(*atom)? {
                None => Own::Atom(self.atom(*atom)?),
                Some(few) => written_out(few, &Own::Atom, &not, &Own::And),
            },
            Ctl::Not(a) => not(self.branching(a)?),
            Ctl::And(all) => {
                let all = all.iter().map(|part| self.branching(part));
                Own::And(all.collect::<Result<_, _>>()?)
            }
            Ctl::Or(all) => {
                let all = all.iter().map(|part| self.branching(part).map(not));
                not(Own::And(all.collect::<Result<_, _>>()?))
            }
            Ctl::ExistsNext(by, a) => {
                let by = by.map(|atom| self.atom(atom)).transpose()?;
                Own::Next(by, Box::new(self.branching(a)?))
            }
            Ctl::ExistsUntil(a, b) => {
                Own::Until(Box::new(self.branching(a)?), Box::new(self.branching(b)?))
            }
            Ctl::ExistsGlobally(a) => Own::Globally(Box::new(self.branching(a)?)),
        })
    }

    fn fairness(&mut self, fairness: &liveness::Fairness) -> Result<Fairness, String> {
        let mut constraints = |all: &[liveness::Constraint]| {
            let one = |one: &liveness::Constraint| {
                Ok(Constraint {
                    enabled: self.atom(one.enabled)?,
                    taken: self.atom(one.taken)?,
                })
            };
            all.iter().map(one).collect::<Result<_, String>>()
        };
        Ok(Fairness {
            weak: constraints(&fairness.weak)?,
            strong: constraints(&fairness.strong)?,
            every_weak: fairness.weak_labels,
            every_strong: fairness.strong_labels,
        })
    }

    /// The atoms of an atom that counts how many of them hold.
    fn counted(&mut self, number: u32) -> Result<Option<(Vec<u32>, Few)>, String> {
        let Asks::Count(all, few) = &self.atoms.atoms[number as usize].asks else {
            return Ok(None);
        };
        let mut own = Vec::new();
        for wanted in all {
            let question = self.taken(wanted);
            let atom = Atom::Enabled(self.mark(question)?);
            own.push(self.own.len() as u32);
            self.own.push(atom);
        }
        Ok(Some((own, *few)))
    }

    /// The question whether a step is one of those that are wanted.
    fn taken(&self, wanted: &Match) -> StepQuestion {
        let arguments = wanted.arguments.iter();
        let arguments = arguments.map(|(position, at)| (*position, self.atoms.questions[*at]));
        StepQuestion::Taken(wanted.event, arguments.collect())
    }

    /// The own number of an atom.
    fn atom(&mut self, number: u32) -> Result<u32, String> {
        if let Some(known) = self.known.get(&number) {
            return Ok(*known);
        }
        let question = |at: &usize| self.atoms.questions[*at];
        let atom = &self.atoms.atoms[number as usize];
        let own = match &atom.asks {
            Asks::Holds(at) => {
                let asked = question(at);
                let states = &mut self.temporal.states;
                let known = states.iter().position(|known| *known == asked);
                let at = known.unwrap_or_else(|| {
                    states.push(asked);
                    states.len() - 1
                });
                Atom::Label((self.labels + at) as u32)
            }
            Asks::Enabled(wanted) => Atom::Enabled(self.mark(self.taken(wanted))?),
            Asks::Taken(wanted) => Atom::Step(self.mark(self.taken(wanted))?),
            Asks::Deadlock => Atom::Deadlock,
            Asks::Sink => Atom::Sink,
            Asks::Change(value, compare, _) => {
                let (value, compare) = (question(value), question(compare));
                Atom::Step(self.mark(StepQuestion::Change(value, compare))?)
            }
            Asks::BeforeAfter(at, components) => {
                let asked = StepQuestion::BeforeAfter(question(at), components.clone());
                Atom::Step(self.mark(asked)?)
            }
            Asks::CanMove(actor) => Atom::Enabled(self.mark(StepQuestion::Moves(*actor))?),
            Asks::Moves(actor) => Atom::Step(self.mark(StepQuestion::Moves(*actor))?),
            // Written out by `counted`.
            Asks::Count(..) => return Err("it counts what is enabled".to_owned()),
        };
        self.own.push(own);
        let at = self.own.len() as u32 - 1;
        self.known.insert(number, at);
        Ok(at)
    }

    /// The mark of a question about steps.
    fn mark(&mut self, question: StepQuestion) -> Result<u32, String> {
        let steps = &mut self.temporal.steps;
        if let Some(at) = steps.iter().position(|known| *known == question) {
            return Ok(at as u32);
        }
        if steps.len() == MOST_STEPS {
            return Err(format!("more than {MOST_STEPS} questions about steps"));
        }
        steps.push(question);
        Ok(steps.len() as u32 - 1)
    }
}

/// That few of some atoms hold.
fn written_out<F>(
    (atoms, few): (Vec<u32>, Few),
    atom: &dyn Fn(u32) -> F,
    not: &dyn Fn(F) -> F,
    and: &dyn Fn(Vec<F>) -> F,
) -> F {
    let none = || and(atoms.iter().map(|one| not(atom(*one))).collect());
    let at_most_one = || {
        let mut pairs = Vec::new();
        for (at, one) in atoms.iter().enumerate() {
            pairs.extend(
                atoms[..at]
                    .iter()
                    .map(|other| not(and(vec![atom(*one), atom(*other)]))),
            );
        }
        and(pairs)
    };
    match few {
        Few::None => none(),
        Few::AtMostOne => at_most_one(),
        Few::One => and(vec![at_most_one(), not(none())]),
    }
}
