//! Follows a saved path step by step against a model, and says where it stops fitting, why, and what still works.
//!
//! A file may say little about a step (a name, some values): every state that agrees with what is said so far is
//! kept, so a path fits exactly when some path of the model agrees with all of it. After the first step that does
//! not fit, the rest is tried by events and arguments alone.
//! Invariant: the answer depends on the file and the model only; nothing in the file is ignored silently.

mod given;
mod problem;
mod walk;
mod wanted;

use std::fmt::Write as _;
use std::path::Path;

use pins::Truth;
use serde::Serialize;
use subject::{Predicate, Setting, Trace};
use verdict::format::{Format, Recorded};
use verdict::{Shown, ShownStep};

use crate::lint::{Lint, reason};
use crate::open::Workbench;
use crate::report::counted;
use crate::runnable::{Move, Place, Runnable, View};
use walk::{MAX_KEPT, Walk};
use wanted::{What, position};

pub(crate) use wanted::Said;

/// What became of a replay.
pub struct Replayed {
    /// What is wrong with the model or the file.
    pub lint: Lint,
    /// How the path fits, when it could be read.
    pub outcome: Option<Outcome>,
}

/// How a path fits a model.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The model.
    pub model: String,
    /// The file with the path.
    pub trace: String,
    /// Whether all of it fits.
    pub fits: bool,
    /// How many steps the file has.
    pub steps: usize,
    /// How many of them fit, from the beginning.
    pub fitting: usize,
    /// The first step that does not fit.
    pub problem: Option<Problem>,
    /// What still works after it.
    pub rest: Option<Rest>,
    /// What is to be said about the last state that was reached.
    pub at_end: Vec<String>,
    /// What a reader should know.
    pub warnings: Vec<String>,
    /// The path as the model walks it, as far as it fits.
    pub path: Vec<ShownStep>,
}

/// A step that does not fit.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// Its number, from 1.
    pub step: usize,
    /// What it is, as the file says it.
    pub event: String,
    /// Why it does not fit, line by line.
    pub why: Vec<String>,
}

/// What still works after a step that does not fit.
#[derive(Clone, Debug, Serialize)]
pub struct Rest {
    /// Whether the step happened, with another outcome; else it was left out.
    pub happened: bool,
    /// How many of the following steps can happen, by event and arguments.
    pub steps: usize,
    /// The next one that cannot.
    pub until: Option<Problem>,
}

/// Replays a path on the model in a file.
pub fn replay(bench: &Workbench, model: &Path, trace: &Path, setting: &Setting) -> Replayed {
    let mut runnable = match Runnable::open(bench, model, setting) {
        Ok(runnable) => runnable,
        Err(lint) => {
            return Replayed {
                lint: *lint,
                outcome: None,
            };
        }
    };
    match read(trace, runnable.view()) {
        Ok(recorded) => {
            let outcome = follow(&mut runnable, &recorded, trace, Place::Root).0;
            Replayed {
                lint: runnable.into_lint(),
                outcome: Some(outcome),
            }
        }
        Err(message) => Replayed {
            lint: runnable.refused(message),
            outcome: None,
        },
    }
}

/// Reads the file of a path; an error is one sentence.
pub(crate) fn read(trace: &Path, view: View<'_>) -> Result<Recorded, String> {
    let name = trace.display();
    let text = std::fs::read_to_string(trace)
        .map_err(|error| format!("cannot read \"{name}\": {}", reason(&error)))?;
    read_text(trace, &text, view)
}

/// Reads a path from a text that was or will be in a file of this name; an error is one sentence.
pub(crate) fn read_text(trace: &Path, text: &str, view: View<'_>) -> Result<Recorded, String> {
    let name = trace.display();
    let format = Format::of(trace).map_err(|why| format!("\"{name}\": {why}"))?;
    let recorded = format.read(text, view.subject);
    recorded.map_err(|why| format!("\"{name}\" cannot be read: {why}"))
}

/// Follows a path from a place; also gives the moves of the model as far as they fit.
pub(crate) fn follow(
    runnable: &mut Runnable,
    recorded: &Recorded,
    trace: &Path,
    start: Place,
) -> (Outcome, Vec<Move>) {
    let (said, mut warnings) = wanted::resolve(runnable, recorded);
    let view = runnable.view();
    let name = &view.description().name;
    if let Some(made_for) = &recorded.model
        && made_for != name
    {
        warnings.push(format!("the trace was made for {made_for}, not for {name}"));
    }
    let mut walk = Walk::new(view, start);
    let mut problem = None;
    let mut fitting = 0;
    for (at, step) in said.iter().enumerate() {
        if !walk.advance(step, true) {
            problem = Some(walk.problem(at, step));
            break;
        }
        fitting += 1;
    }
    if problem.is_none() {
        problem = walk.close(recorded);
    }
    let chain = walk.chain(walk.frontier.first().copied());
    let rest = problem
        .as_ref()
        .filter(|_| fitting < said.len())
        .map(|_| walk.rest(&said, fitting));
    if walk.cut {
        warnings.push(format!(
            "more than {MAX_KEPT} states agree with a step; only the first ones were followed"
        ));
    }
    if let Some(why) = &walk.unlisted {
        warnings.push(format!(
            "not everything that can happen was looked at: {why}"
        ));
    }
    let last = chain.last().map_or(&Place::Root, |taken| &taken.to);
    let outcome = Outcome {
        model: name.clone(),
        trace: trace.display().to_string(),
        fits: problem.is_none(),
        steps: said.len(),
        fitting,
        at_end: at_end(view, last),
        problem,
        rest,
        warnings,
        path: shown(view, &chain).steps,
    };
    (outcome, chain)
}

/// Walks along steps; the moves to the first end that is wanted.
pub(crate) fn walk(
    view: View<'_>,
    steps: &[Said],
    is_wanted: &dyn Fn(&Place) -> bool,
) -> Option<Vec<Move>> {
    let mut walk = Walk::new(view, Place::Root);
    if !steps.iter().all(|step| walk.advance(step, true)) {
        return None;
    }
    let mut ends = walk.frontier.iter();
    let end = ends.find(|node| is_wanted(&walk.nodes[**node].place))?;
    Some(walk.chain(Some(*end)))
}

/// Moves as a path.
pub(crate) fn trace(view: View<'_>, moves: &[Move]) -> Trace {
    Trace {
        steps: moves.iter().map(|taken| view.step(taken)).collect(),
        loop_start: None,
    }
}

/// Moves as a path for people.
pub(crate) fn shown(view: View<'_>, moves: &[Move]) -> Shown {
    Shown::new(&trace(view, moves), view.subject)
}

/// What is wrong in a place that a path ends in, line by line.
pub(crate) fn at_end(view: View<'_>, place: &Place) -> Vec<String> {
    let mut lines = Vec::new();
    if let Place::State(vector) = place {
        for judged in view.judge(vector) {
            let state = match judged.truth {
                Truth::True => continue,
                Truth::False => "false",
                Truth::Undefined(_) => "undefined",
                Truth::Unknown(_) => "unknown",
            };
            let word = match judged.kind {
                pins::LabelKind::Assertion => "assertion",
                _ => "invariant",
            };
            let label = judged.label.map(|label| format!(" {label}"));
            let label = label.unwrap_or_default();
            lines.push(format!("{word}{label} is {state}: {}", judged.text));
            let lines_of = view.explain(Predicate::Label(judged.id), place);
            lines.extend(
                lines_of
                    .iter()
                    .map(|line| format!("  {}", verdict::for_people(line))),
            );
        }
    }
    let moves = view.moves(place);
    for (happening, fault) in &moves.faults {
        let name = happening.name(view.description());
        lines.push(format!("fault in {name}: {}", fault.message));
    }
    for (happening, why) in &moves.unknown {
        let name = happening.name(view.description());
        lines.push(format!("{name} is not known: {}", why.message));
    }
    if moves.is_stuck() {
        lines.push(match place {
            Place::Root => "no values of the constants satisfy the properties".to_owned(),
            Place::Setup(_) => "the initialisation leads to no state".to_owned(),
            Place::State(_) if view.description().events.is_empty() => return lines,
            Place::State(_) => {
                let event = view.subject.words().event;
                format!("deadlock: no {event} can happen")
            }
        });
    }
    lines
}

impl Outcome {
    /// The exit code: 0 when all of it fits.
    pub fn exit(&self) -> u8 {
        u8::from(!self.fits)
    }

    /// The outcome for people; `path` shows the steps that fit.
    pub fn text(&self, path: bool) -> String {
        let mut text = String::new();
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {warning}");
        }
        if path {
            let shown = Shown {
                steps: self.path.clone(),
                loop_start: None,
            };
            text.push_str(&shown.text("  "));
        }
        let (trace, model) = (&self.trace, &self.model);
        match &self.problem {
            None => {
                let steps = counted(self.steps as u64, "step");
                let fit = if self.steps == 1 { "fits" } else { "fit" };
                let _ = writeln!(text, "{trace}: {steps}, all {fit} {model}");
                if !self.at_end.is_empty() {
                    let _ = writeln!(text, "  at the end:");
                }
                for line in &self.at_end {
                    let _ = writeln!(text, "    {line}");
                }
            }
            Some(problem) => {
                let of = self.steps;
                let (step, event) = (problem.step, &problem.event);
                let _ = writeln!(
                    text,
                    "{trace}: step {step} of {of} does not fit {model}: {event}"
                );
                for line in &problem.why {
                    let _ = writeln!(text, "  {line}");
                }
                if let Some(rest) = &self.rest {
                    let _ = writeln!(text, "  {}", self.rest_line(step, rest));
                    for line in rest.until.iter().flat_map(|until| &until.why) {
                        let _ = writeln!(text, "    {line}");
                    }
                }
            }
        }
        text
    }

    /// What still works, in one line.
    fn rest_line(&self, step: usize, rest: &Rest) -> String {
        let span = |from: usize, to: usize| match to.saturating_sub(from) {
            0 => format!("step {from}"),
            _ => format!("steps {from} to {to}"),
        };
        let before = match step {
            1 => "nothing before it".to_owned(),
            _ => format!("{} fit", span(1, step - 1)).replacen(
                " fit",
                if step == 2 { " fits" } else { " fit" },
                1,
            ),
        };
        let how = match rest.happened {
            true => "with what it leads to now",
            false => "without it",
        };
        if step == self.steps {
            return format!("{before}; it is the last one");
        }
        let after = match rest.steps {
            0 => format!("{how}, the next one does not work either"),
            1 => format!("{how}, {} still works", span(step + 1, step + 1)),
            steps => format!("{how}, {} still work", span(step + 1, step + steps)),
        };
        let until = match &rest.until {
            Some(until) => format!(", then step {} ({}) does not", until.step, until.event),
            None => String::new(),
        };
        format!("{before}; {after}{until}")
    }
}
