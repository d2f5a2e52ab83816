//! Says what a check can make use of: which sets have interchangeable elements, why others have not, and for
//! which variables symmetry markers are precise.
//!
//! Invariant: what is shown is what `check` uses: both ask `model::sorts`.

use std::fmt::Write as _;
use std::path::Path;

use base::{Sources, Span};
use model::scope::Scopes;
use model::sorts::{Precision, SortSymmetry, Split, precision};
use model::{Model, sorts};
use serde::Serialize;

use crate::lint::{Lint, load};
use crate::loaded::Wanted;

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
    /// The carrier sets.
    pub sorts: Vec<SortReport>,
    /// The constants and variables.
    pub variables: Vec<VariableReport>,
}

/// A carrier set and its symmetry.
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

/// Analyses the model in a file.
pub fn analyse(path: &Path, scopes: &Scopes) -> Analysed {
    let (mut lint, checked) = load(path);
    let Some(checked) = checked.filter(|_| !lint.diagnostics.has_errors()) else {
        return Analysed {
            lint,
            analysis: None,
        };
    };
    match checked.lower(&Wanted::default(), scopes) {
        Ok(model) => Analysed {
            analysis: Some(Analysis::new(&model, &lint.sources)),
            lint,
        },
        Err(diagnostics) => {
            lint.diagnostics.extend(diagnostics);
            Analysed {
                lint,
                analysis: None,
            }
        }
    }
}

impl Analysis {
    fn new(model: &Model, sources: &Sources) -> Analysis {
        let symmetry = sorts::analyse(model, None);
        let variables = model.variables.iter().map(|(_, variable)| {
            let precision = precision(model, &symmetry, variable.ty);
            VariableReport {
                name: variable.name.to_string(),
                constant: variable.is_constant,
                ty: model.tys.show(variable.ty),
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
            model: model.name.to_string(),
            variables: variables.collect(),
            sorts: symmetry
                .iter()
                .map(|sort| SortReport::new(model, sort, sources))
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
            let _ = writeln!(text, "  no carrier sets: there is no symmetry to use");
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
        text
    }
}

impl SortReport {
    pub(crate) fn new(model: &Model, symmetry: &SortSymmetry, sources: &Sources) -> SortReport {
        let sort = &model.tys.sorts[symmetry.sort];
        let element = |element: &u32| sort.elements[*element as usize].to_string();
        let mut classes: Vec<(u32, Vec<String>)> = Vec::new();
        for (at, class) in symmetry.classes.iter().enumerate() {
            let name = sort.elements[at].to_string();
            match classes.iter_mut().find(|(known, _)| known == class) {
                Some((_, members)) => members.push(name),
                None => classes.push((*class, vec![name])),
            }
        }
        let reason = |split: &Split| Reason {
            elements: split.elements.iter().map(element).collect(),
            what: split.what.clone(),
            place: place(split.span, sources),
        };
        SortReport {
            name: sort.name.to_string(),
            size: sort.elements.len(),
            interchangeable: symmetry.interchangeable(),
            classes: classes.into_iter().map(|(_, members)| members).collect(),
            because: match &symmetry.broken {
                Some(broken) => vec![reason(broken)],
                None => symmetry.splits.iter().map(reason).collect(),
            },
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

fn place(span: Span, sources: &Sources) -> String {
    let position = sources.position(span.file, span.start);
    let path = sources.path(span.file).display();
    format!("{path}:{}:{}", position.line, position.column)
}
