//! Shows how events influence each other: `analyse --relations`.
//!
//! Paper: [Dobrikov, Leuschel 2014], definitions 1 to 3. As text four pictures, one row and one column for each event; as
//! CSV one line for each ordered pair; as DOT the graph of who may enable whom.
//! Invariant: what is shown is what partial order reduction uses: both ask `check::relations`.

use std::fmt::Write as _;
use std::path::Path;

use base::Diagnostics;
use reduce::por::Matrix;
use serde::Serialize;
use subject::{Form, Parts, Setting, Subject, Wd};

use crate::check::relations::{Effort, Manner, Related, relate};
use crate::choice::Dependence;
use crate::lint::Lint;
use crate::open::{Opened, Workbench};

/// What was found about a file.
#[derive(Debug)]
pub struct EventRelations {
    /// What is wrong with the file.
    pub lint: Lint,
    /// The relations, unless the file has errors.
    pub relations: Option<RelationsReport>,
}

/// How the events of a model influence each other.
#[derive(Clone, Debug, Serialize)]
pub struct RelationsReport {
    /// The name of the main component.
    pub model: String,
    /// How they were found.
    pub dependence: &'static str,
    /// Questions that the solver was asked.
    pub questions: u64,
    /// Of these, how many it did not answer; they count as the worse answer.
    pub unanswered: u64,
    /// The events, or instances of them.
    pub events: Vec<String>,
    /// For each event those that are not known to be independent of it.
    pub dependent: Vec<Vec<usize>>,
    /// For each event those that it may enable.
    pub can_enable: Vec<Vec<usize>>,
    /// For each event those that it may disable.
    pub can_disable: Vec<Vec<usize>>,
    /// For each event those that may happen in the same state.
    pub together: Vec<Vec<usize>>,
}

/// What to show.
#[derive(Clone, Copy, Debug)]
pub struct RelationsWanted<'a> {
    /// The precision.
    pub dependence: Dependence,
    /// Whether events are split into instances where events touch single elements.
    pub instances: bool,
    /// Where answers of the solver are kept between runs.
    pub cache: Option<&'a Path>,
}

/// The relations between the events of the model in a file.
pub fn relations(
    bench: &Workbench,
    path: &Path,
    setting: &Setting,
    wanted: RelationsWanted<'_>,
) -> EventRelations {
    let Opened { mut lint, subject } = match bench.open(path, setting) {
        Ok(opened) => opened,
        Err(lint) => {
            return EventRelations {
                lint: *lint,
                relations: None,
            };
        }
    };
    let manner = Manner {
        dependence: wanted.dependence,
        goal: None,
        cache: wanted.cache,
        effort: Effort::Full,
    };
    let relations = match related(&*subject, (wanted.instances, setting.wd), manner) {
        Ok((events, related)) => Some(RelationsReport::new(&*subject, events, &related, wanted)),
        Err(diagnostics) => {
            lint.diagnostics.extend(diagnostics);
            None
        }
    };
    EventRelations { lint, relations }
}

impl RelationsReport {
    fn new(
        subject: &dyn Subject,
        events: Vec<String>,
        related: &Related,
        wanted: RelationsWanted<'_>,
    ) -> RelationsReport {
        let count = events.len();
        let rows = |matrix: &Matrix| -> Vec<Vec<usize>> {
            let row = |from: usize| matrix.row(from).iter().filter(|to| *to != from).collect();
            (0..count).map(row).collect()
        };
        let relations = &related.relations;
        RelationsReport {
            model: subject.description().name.clone(),
            dependence: wanted.dependence.word(),
            questions: related.asked,
            unanswered: related.unanswered,
            events,
            dependent: rows(&relations.dependent),
            can_enable: rows(&relations.can_enable),
            can_disable: rows(&relations.can_disable),
            together: rows(&relations.together),
        }
    }

    fn matrices(&self) -> [(&'static str, &[Vec<usize>]); 4] {
        [
            ("dependent", &self.dependent),
            ("can enable", &self.can_enable),
            ("can disable", &self.can_disable),
            ("happen together", &self.together),
        ]
    }

    /// The pictures in letters.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}: {} events, {} precision",
            self.model,
            self.events.len(),
            self.dependence
        );
        if self.questions > 0 {
            let (questions, unanswered) = (self.questions, self.unanswered);
            let _ = write!(text, ", {questions} questions, {unanswered} not answered");
        }
        text.push('\n');
        let names = self.events.iter().map(|name| name.chars().count());
        let width = names.max().unwrap_or(0);
        for (what, rows) in self.matrices() {
            let pairs = self.events.len() * self.events.len().saturating_sub(1);
            let related: usize = rows.iter().map(Vec::len).sum();
            let _ = writeln!(text, "{what}: {related} of {pairs} pairs");
            for (at, (name, row)) in self.events.iter().zip(rows).enumerate() {
                let mark = |to: usize| match (to == at, row.contains(&to)) {
                    (true, _) => '-',
                    (false, true) => 'x',
                    (false, false) => '.',
                };
                let marks: String = (0..self.events.len()).map(mark).collect();
                let _ = writeln!(text, "  {name:width$} {marks}");
            }
        }
        text
    }

    /// One line for each ordered pair of different events.
    pub fn csv(&self) -> String {
        let mut text = "first,second,dependent,can_enable,can_disable,together\n".to_owned();
        for (from, first) in self.events.iter().enumerate() {
            for (to, second) in self.events.iter().enumerate().filter(|(to, _)| *to != from) {
                let _ = write!(text, "{},{}", field(first), field(second));
                for (_, rows) in self.matrices() {
                    let _ = write!(text, ",{}", u8::from(rows[from].contains(&to)));
                }
                text.push('\n');
            }
        }
        text
    }

    /// Who may enable whom, for Graphviz.
    pub fn dot(&self) -> String {
        let mut text = format!(
            "digraph \"{}\" {{\n  node [shape=box];\n",
            quoted(&self.model)
        );
        for (at, name) in self.events.iter().enumerate() {
            let _ = writeln!(text, "  e{at} [label=\"{}\"];", quoted(name));
        }
        for (from, row) in self.can_enable.iter().enumerate() {
            for to in row {
                let _ = writeln!(text, "  e{from} -> e{to};");
            }
        }
        text.push_str("}\n");
        text
    }
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// A cell of CSV.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// The events of a model, or their instances, and the relations between them.
fn related(
    subject: &dyn Subject,
    (instances, wd): (bool, Wd),
    manner: Manner<'_>,
) -> Result<(Vec<String>, Related), Diagnostics> {
    let whole = Form {
        guards: true,
        wd,
        ..Form::default()
    };
    let parts = match instances {
        true => subject.ground(&Form {
            parts: Parts::Everything,
            counts: true,
            ..whole
        })?,
        false => None,
    };
    let ground = match parts {
        Some(ground) => Some(ground),
        None => subject.ground(&whole)?,
    };
    let ground = ground.expect("every subject has a form of its model as a whole");
    let groups = &ground.system().shape().groups;
    let mut names: Vec<String> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        let is_same = |other: &&pins::Group| other.name == group.name;
        let before = groups[..at].iter().filter(is_same).count();
        names.push(match groups.iter().filter(is_same).count() {
            1 => group.name.to_string(),
            _ => format!("{}#{}", group.name, before + 1),
        });
    }
    Ok((names, relate(subject, &*ground, &[], manner)))
}
