//! Solutions of a predicate: its free identifiers are the unknowns.
//!
//! It is enumerated or solved like the constants of a machine, in the first initialised state of a file.
//! Invariant: a solution is a line that is itself a predicate: `x = 1 & y = {2}`.

use std::path::Path;

use base::{Diagnostic, Diagnostics};
use pins::{Fault, FaultKind, Flow, Halt};
use serde::Serialize;
use subject::solving::{Aim, Ended, Goal, Position, Unsolved};
use subject::{Evaluator, Setting, Solver, Value};
use verdict::for_people;

use crate::codes;
use crate::eval::{Place, Session};
use crate::lint::Lint;
use crate::open::Workbench;

/// A valuation of the unknowns.
#[derive(Clone, Debug)]
pub struct Solution(Vec<(String, String)>);

impl Serialize for Solution {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Solution {
    /// The solution as a predicate.
    pub fn text(&self) -> String {
        let parts: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        if parts.is_empty() {
            return "TRUE".to_owned();
        }
        parts.join(" & ")
    }

    /// The solution for people: sequences as such.
    pub fn told(&self) -> String {
        for_people(&self.text()).into_owned()
    }
}

/// How a search for solutions ended.
#[derive(Clone, Debug, Serialize)]
pub struct Solved {
    /// The unknowns, in the order of the text.
    pub unknowns: Vec<String>,
    /// How many solutions were given.
    pub found: u64,
    /// Whether there are no others.
    pub is_complete: bool,
    /// Why there may be others.
    pub open_because: Vec<String>,
    /// What has no value in the predicate.
    pub undefined: Option<String>,
    /// The best value, if the best solutions were wanted and there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Optimum>,
}

/// The best value of an expression over the solutions.
#[derive(Clone, Debug, Serialize)]
pub struct Optimum {
    /// The expression.
    pub expression: String,
    /// Which value is best.
    #[serde(serialize_with = "word")]
    pub goal: Goal,
    /// The value.
    pub value: String,
    /// Whether no solution has a better one.
    pub is_proven: bool,
}

fn word<S: serde::Serializer>(goal: &Goal, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match goal {
        Goal::Least => "least",
        Goal::Greatest => "greatest",
    })
}

impl Solved {
    /// 0 with a solution, 10 without one, 20 when that is not known or something better may exist, 75 when the predicate is
    /// undefined.
    pub fn exit(&self) -> u8 {
        let is_best = self.best.as_ref().is_none_or(|best| best.is_proven);
        match (&self.undefined, self.found, self.is_complete) {
            (Some(_), ..) => 75,
            (None, ..) if !is_best => 20,
            (None, 1.., _) => 0,
            (None, 0, true) => 10,
            (None, 0, false) => 20,
        }
    }

    /// One sentence about how it ended.
    pub fn summary(&self) -> String {
        if let Some(reason) = &self.undefined {
            return format!("undefined: {reason}");
        }
        if let Some(best) = &self.best {
            return self.optimum(best);
        }
        let count = match self.found {
            0 if self.is_complete => return "no solution".to_owned(),
            0 => "no solution was found".to_owned(),
            1 => "1 solution".to_owned(),
            n => format!("{n} solutions"),
        };
        if self.is_complete {
            return format!("{count}, all there are");
        }
        match self.open_because.as_slice() {
            [] => format!("{count}; there may be others"),
            reasons => format!("{count}; there may be others: {}", reasons.join("; ")),
        }
    }
}

impl Solved {
    /// Takes over how the search ended.
    fn close(&mut self, ended: Ended, task: &Task<'_>) {
        let (result, notes) = (ended.result, ended.notes);
        if let (Some(best), Some((expression, goal))) = (ended.best, task.aim) {
            // Whether another solution is as good was not asked.
            self.is_complete &= task.most > 1;
            self.best = Some(Optimum {
                expression: expression.to_owned(),
                goal,
                value: best.value.text(),
                is_proven: best.is_proven,
            });
        }
        let best = notes.unsolved.as_ref().and_then(best);
        if !notes.cuts.is_empty() {
            self.is_complete = false;
            self.open_because = notes.cuts.into_iter().map(|(_, cut)| cut).collect();
        }
        if let Err(fault) = result {
            self.is_complete = false;
            tell(self, &fault);
            self.open_because.extend(best);
        }
    }

    fn optimum(&self, best: &Optimum) -> String {
        let Optimum {
            expression, value, ..
        } = best;
        let (extreme, further) = match best.goal {
            Goal::Least => ("least", "less"),
            Goal::Greatest => ("greatest", "greater"),
        };
        if best.is_proven {
            return format!("the {extreme} value of {expression} is {value}");
        }
        let text = format!("{expression} may be {further} than {value}");
        match self.open_because.as_slice() {
            [] => text,
            reasons => format!("{text}: {}", reasons.join("; ")),
        }
    }
}

/// What to solve.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The predicate.
    pub predicate: &'a str,
    /// Which back end.
    pub solver: Solver,
    /// The most solutions.
    pub most: u64,
    /// Only the best solutions: an integer expression, and which of its values is best.
    pub aim: Option<(&'a str, Goal)>,
}

/// Solves a predicate, whose names may be those of a model; `show` gets each solution as it is found and says whether to
/// go on.
///
/// # Errors
/// What is wrong with the file or the predicate.
pub fn solve(
    bench: &Workbench,
    (file, setting): (Option<&Path>, &Setting),
    task: &Task<'_>,
    halt: &Halt,
    show: &mut dyn FnMut(&Solution) -> bool,
) -> Result<Solved, Box<Lint>> {
    let mut session = Session::open(bench, file, setting, Some(Evaluator::Compiled), halt)?;
    match session.solve(task, halt, show) {
        Ok(solved) => Ok(solved),
        Err(diagnostics) => Err(Box::new(session.refused(&diagnostics))),
    }
}

impl Session {
    /// Solves a predicate in the state of the session.
    pub(crate) fn solve(
        &mut self,
        task: &Task<'_>,
        halt: &Halt,
        show: &mut dyn FnMut(&Solution) -> bool,
    ) -> Result<Solved, Diagnostics> {
        let names = self.unknowns(task.predicate);
        let mut solved = Solved {
            unknowns: names.clone(),
            found: 0,
            is_complete: true,
            open_because: Vec::new(),
            undefined: None,
            best: None,
        };
        let absent = self.subject.absent();
        let rules = match self.subject.solving() {
            Some(solving) => solving.rules(task.predicate, &mut self.lint.sources),
            None => Vec::new(),
        };
        let mut give = |values: &[Option<Value>]| {
            if solved.found >= task.most {
                solved.is_complete = false;
                return Flow::Stop;
            }
            let text = |(at, value): (usize, &Option<Value>)| match (value, rules.get(at)) {
                (Some(value), _) => value.text(),
                (None, Some(Some(rule))) => rule.clone(),
                (None, _) => absent.to_owned(),
            };
            let texts = values.iter().enumerate().map(text);
            let pairs = names.iter().cloned().zip(texts);
            solved.found += 1;
            if show(&Solution(pairs.collect())) {
                Flow::Continue
            } else {
                solved.is_complete = false;
                Flow::Stop
            }
        };
        let Some(solving) = self.subject.solving() else {
            return Err(refusal("the language has no way to solve predicates"));
        };
        let at = match &self.place {
            Place::Reference(moment) => Position::Moment(moment),
            Place::Compiled(ground, state) => Position::State(&**ground, state),
        };
        let unsolved = Unsolved {
            predicate: task.predicate,
            solver: task.solver,
            aim: task.aim.map(|(expression, goal)| Aim {
                expression,
                goal,
                wants_all: task.most > 1,
            }),
        };
        let sources = &mut self.lint.sources;
        let ended = solving.solutions(unsolved, at, sources, halt, &mut give)?;
        solved.close(ended, task);
        Ok(solved)
    }
}

/// What a search that was halted had come to.
pub(crate) fn best(unsolved: &pins::Unsolved) -> Option<String> {
    let parts: Vec<String> = unsolved
        .best
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    (!parts.is_empty()).then(|| format!("the best so far: {}", parts.join(" & ")))
}

fn tell(solved: &mut Solved, fault: &Fault) {
    match fault.kind {
        // The notes tell what was cut.
        FaultKind::Cut => {}
        FaultKind::Budget | FaultKind::Unsupported => {
            solved.open_because.push(fault.message.clone());
        }
        FaultKind::Halted => solved.open_because.push("it was interrupted".to_owned()),
        _ => solved.undefined = Some(fault.message.clone()),
    }
}

/// A predicate that cannot be solved.
fn refusal(message: &str) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(Diagnostic::global(&codes::NOT_EXECUTABLE, message));
    diagnostics
}
