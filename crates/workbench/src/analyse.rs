//! Says what a check can make use of: which sets have interchangeable elements, why others have not, and for
//! which variables symmetry markers are precise; and which events never happen, where states are made to satisfy a predicate.
//!
//! Invariant: what is shown is what `check` uses: both ask the symmetry of the subject.

use std::fmt::Write as _;
use std::path::Path;

use base::Sources;
use pins::Halt;
use serde::Serialize;
use subject::symmetry::{Alike, Apart, Permutations, Precision, Symmetry};
use subject::{Holder, Setting, Subject, Words};

use crate::lint::Lint;
use crate::open::Workbench;

mod breaking;
mod operations;

pub use breaking::BreakingReport;
pub use operations::EventReport;

/// What was found about a file.
#[derive(Debug)]
pub struct Analysed {
    /// What is wrong with the file.
    pub lint: Lint,
    /// The analysis, unless the file has errors.
    pub analysis: Option<Analysis>,
}

/// The analysis of a model.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// The name of the main component.
    pub model: String,
    /// The sets whose elements may be interchangeable.
    pub sorts: Vec<SortReport>,
    /// The permutations, where they are not simply all of each class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupReport>,
    /// Events that tell elements apart which nothing but events does.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaking: Vec<BreakingReport>,
    /// The constants and variables.
    pub variables: Vec<VariableReport>,
    /// The events, where they can fail to happen although their own conditions hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventReport>,
    /// What things are called.
    #[serde(skip)]
    words: Words,
}

/// A group of permutations.
#[derive(Clone, Debug, Serialize)]
pub struct GroupReport {
    /// How many permutations there are, as a number; `null` from 2^128 on.
    pub order: Option<String>,
    /// What they map to each other.
    pub orbits: Vec<Vec<String>>,
    /// Permutations that generate them all, as cycles.
    pub generators: Vec<String>,
}

/// A set and its symmetry.
#[derive(Clone, Debug, Serialize)]
pub struct SortReport {
    /// Its name.
    pub name: String,
    /// The number of its elements.
    pub size: usize,
    /// How many of them can be exchanged with another one.
    pub interchangeable: usize,
    /// The classes of elements that can be exchanged with each other.
    pub classes: Vec<Vec<String>>,
    /// Why not all can be exchanged.
    pub because: Vec<Reason>,
}

/// What tells elements apart.
#[derive(Clone, Debug, Serialize)]
pub struct Reason {
    /// The elements; none when it is about all of them.
    pub elements: Vec<String>,
    /// In a few words.
    pub what: String,
    /// `file:line:column`
    pub place: String,
}

/// A constant or variable.
#[derive(Clone, Debug, Serialize)]
pub struct VariableReport {
    /// Its name.
    pub name: String,
    /// Whether it is a constant.
    pub constant: bool,
    /// Its type in the notation of the model.
    #[serde(rename = "type")]
    pub ty: String,
    /// Whether symmetry markers are precise for it; `null` when it holds no interchangeable element.
    pub precise: Option<bool>,
    /// Why they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<&'static str>,
}

/// Analyses the model in a file; a halt ends questions about events, which are open then.
pub fn analyse(bench: &Workbench, path: &Path, setting: &Setting, halt: &Halt) -> Analysed {
    match bench.open(path, setting) {
        Ok(mut opened) => {
            let symmetry = opened.subject.symmetry(&[]);
            let mut analysis = Analysis::new(&*opened.subject, &symmetry, &opened.lint.sources);
            let is_refuted = !symmetry.refuted.is_empty();
            let refuted = symmetry.refuted.into_iter();
            refuted.for_each(|refuted| opened.lint.diagnostics.push(refuted));
            if !is_refuted {
                analysis.events = operations::events(&*opened.subject, setting, halt);
            }
            Analysed {
                analysis: (!is_refuted).then_some(analysis),
                lint: opened.lint,
            }
        }
        Err(lint) => Analysed {
            lint: *lint,
            analysis: None,
        },
    }
}

impl Analysis {
    fn new(subject: &dyn Subject, symmetry: &Symmetry, sources: &Sources) -> Analysis {
        let description = subject.description();
        let variables = description.component_ids().map(|(id, component)| {
            let precision = symmetry.components.get(id.index());
            let precision = precision.map_or(Precision::Plain, |(_, precision)| *precision);
            VariableReport {
                name: component.name.to_string(),
                constant: component.is_constant,
                ty: subject.type_text(Holder::Component(id)),
                precise: match precision {
                    Precision::Plain => None,
                    Precision::Precise => Some(true),
                    Precision::Imprecise(_) => Some(false),
                },
                because: match precision {
                    Precision::Imprecise(why) => Some(why),
                    _ => None,
                },
            }
        });
        Analysis {
            model: description.name.clone(),
            words: subject.words(),
            events: Vec::new(),
            breaking: breaking::breaking(subject, sources),
            group: symmetry.group.as_ref().map(GroupReport::new),
            variables: variables.collect(),
            sorts: symmetry
                .sets
                .iter()
                .map(|set| SortReport::new(set, sources))
                .collect(),
        }
    }

    /// The analysis for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}", self.model);
        for sort in &self.sorts {
            let _ = writeln!(text, "  {}", sort.line());
        }
        if self.sorts.is_empty() {
            let sets = self.words.sets;
            let _ = writeln!(text, "  no {sets}: there is no symmetry to use");
        }
        if let Some(group) = &self.group {
            let _ = writeln!(text, "  {}", group.line());
            for orbit in &group.orbits {
                let _ = writeln!(text, "    orbit: {}", orbit.join(" "));
            }
        }
        for breaking in &self.breaking {
            let _ = writeln!(text, "  {}", breaking.line(self.words.event));
        }
        for variable in &self.variables {
            let kind = if variable.constant {
                "constant"
            } else {
                "variable"
            };
            let how = match (variable.precise, variable.because) {
                (Some(true), _) => "markers are precise",
                (Some(false), Some(why)) => &format!("markers are imprecise: {why}"),
                _ => "no interchangeable elements",
            };
            let _ = writeln!(text, "  {kind} {}: {} ({how})", variable.name, variable.ty);
        }
        for event in &self.events {
            if let Some(line) = event.line(self.words.event) {
                let _ = writeln!(text, "  {line}");
            }
        }
        text
    }
}

impl GroupReport {
    fn new(group: &Permutations) -> GroupReport {
        GroupReport {
            order: group.order.map(|order| order.to_string()),
            orbits: group.orbits.clone(),
            generators: group.generators.clone(),
        }
    }

    /// `group of order 6, generated by (user[1] user[2]) (user[2] user[3])`
    pub fn line(&self) -> String {
        let order = self.order.as_deref().unwrap_or("2^128 or more");
        match self.generators.as_slice() {
            [] => format!("group of order {order}"),
            generators => format!(
                "group of order {order}, generated by {}",
                generators.join(" and ")
            ),
        }
    }
}

impl SortReport {
    pub(crate) fn new(set: &Alike, sources: &Sources) -> SortReport {
        let reason = |apart: &Apart| Reason {
            elements: apart.elements.clone(),
            what: apart.what.clone(),
            place: sources.place(apart.span),
        };
        SortReport {
            name: set.name.clone(),
            size: set.size,
            interchangeable: set.interchangeable,
            classes: set.classes.clone(),
            because: set.because.iter().map(reason).collect(),
        }
    }

    /// `PID: 3 of 4 interchangeable; p1 is named in inv3 at m.mch:12:5`
    pub fn line(&self) -> String {
        let mut line = match self.interchangeable {
            0 => format!("{}: none of {} interchangeable", self.name, self.size),
            all if all == self.size && self.classes.len() == 1 => {
                format!("{}: all {all} interchangeable", self.name)
            }
            some => format!("{}: {some} of {} interchangeable", self.name, self.size),
        };
        if self.size == 1 {
            line = format!("{}: one element", self.name);
        }
        for reason in &self.because {
            let _ = match reason.elements.as_slice() {
                [] => write!(line, "; {} at {}", reason.what, reason.place),
                [one] => write!(line, "; {one} is {} at {}", reason.what, reason.place),
                several => write!(
                    line,
                    "; {{{}}} is {} at {}",
                    several.join(","),
                    reason.what,
                    reason.place
                ),
            };
        }
        line
    }
}
