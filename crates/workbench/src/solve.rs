//! Solutions of a predicate: its free identifiers are the unknowns.
//!
//! The predicate becomes a comprehension over its free names, so that the checker infers their types, and is then
//! enumerated or solved like the constants of a machine, in the first initialised state of a file.
//! Invariant: a solution is a line that is itself a predicate: `x = 1 & y = {2}`.

use std::path::Path;

use base::{Diagnostic, Diagnostics};
use model::Kind;
use model::scope::Scopes;
use pins::{Fault, FaultKind, Flow, Halt};
use serde::Serialize;

use crate::choice::{Evaluator, Solver};
use crate::codes;
use crate::eval::Session;
use crate::lint::Lint;

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
}

impl Solved {
    /// 0 with a solution, 10 without one, 20 when that is not known, 75 when the predicate is undefined.
    pub fn exit(&self) -> u8 {
        match (&self.undefined, self.found, self.is_complete) {
            (Some(_), ..) => 75,
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

/// What to solve.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// A model whose names the predicate may use.
    pub file: Option<&'a Path>,
    /// The predicate.
    pub predicate: &'a str,
    /// Sizes and preferences.
    pub scopes: &'a Scopes,
    /// Which back end.
    pub solver: Solver,
    /// The most solutions.
    pub most: u64,
}

/// Solves a predicate; `show` gets each solution as it is found and says whether to go on.
///
/// # Errors
/// What is wrong with the file or the predicate.
pub fn solve(
    question: &Question<'_>,
    halt: &Halt,
    show: &mut dyn FnMut(&Solution) -> bool,
) -> Result<Solved, Box<Lint>> {
    let mut session = Session::open(question.file, question.scopes, Evaluator::Compiled)?;
    match session.solve(question, halt, show) {
        Ok(solved) => Ok(solved),
        Err(diagnostics) => Err(Box::new(session.refused(&diagnostics))),
    }
}

impl Session {
    /// Solves a predicate in the state of the session.
    pub(crate) fn solve(
        &mut self,
        question: &Question<'_>,
        halt: &Halt,
        show: &mut dyn FnMut(&Solution) -> bool,
    ) -> Result<Solved, Diagnostics> {
        let names = self.unknowns(question.predicate);
        let text = if names.is_empty() {
            let one = "x=TRUE & (";
            let text = format!("{one}{}\n)", question.predicate);
            self.comprehension(&["x".to_owned()], &text)
        } else {
            self.comprehension(&names, question.predicate)
        };
        let formula = self.lowered(&text)?;
        let model = self.model();
        let Kind::Bind { names: locals, .. } = &model.exprs[formula].kind else {
            return Err(refusal("the predicate cannot be solved for its names"));
        };
        let keys: Vec<Option<String>> = locals
            .iter()
            .map(|local| (!names.is_empty()).then(|| model.locals[*local].name.to_string()))
            .collect();
        let mut solved = Solved {
            unknowns: names.clone(),
            found: 0,
            is_complete: true,
            open_because: Vec::new(),
            undefined: None,
        };
        let tys = &model.tys;
        let (result, notes) = self.solutions(formula, question.solver, halt, &mut |values| {
            if solved.found >= question.most {
                solved.is_complete = false;
                return Flow::Stop;
            }
            let mut solution = Vec::new();
            for (key, value) in keys.iter().zip(values) {
                if let Some(key) = key {
                    let text = value
                        .as_ref()
                        .map_or_else(|| "an infinite set".to_owned(), |value| value.show(tys));
                    solution.push((key.clone(), text));
                }
            }
            solved.found += 1;
            if show(&Solution(solution)) {
                Flow::Continue
            } else {
                solved.is_complete = false;
                Flow::Stop
            }
        });
        let best = notes.unsolved.as_ref().and_then(best);
        if !notes.cuts.is_empty() {
            solved.is_complete = false;
            solved.open_because = notes.cuts.into_iter().map(|(_, cut)| cut).collect();
        }
        if let Err(fault) = result {
            solved.is_complete = false;
            tell(&mut solved, &fault);
            solved.open_because.extend(best);
        }
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
