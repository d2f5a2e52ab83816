//! Proofs that every step keeps conjuncts, in the formats of SAT solvers: written by `check --proofs`, checked by `certify`.
//!
//! A question is a file of clauses (`.cnf`) with a proof that these have no solution (`.drat`); a list says which question is
//! about which conjunct and event. `certify` makes the clauses again from the model, so that nobody has to believe those of the
//! files, and has the proofs checked by `crates/certify-clauses`, which knows no solver.
//! Trusted: that the clauses say what is asked. Not trusted: who found the proofs.

use std::path::Path;

use certify::fingerprint;
use pins::{LabelId, Shape};
use serde::{Deserialize, Serialize};
use subject::{Ground, Kept, Refutation, Subject};

/// The name of the list.
const LIST: &str = "proofs.json";

/// What proofs there are.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    /// The hash of the model in its normal form.
    model: String,
    /// The labels that are supposed in the state before a step.
    supposed: Vec<usize>,
    kept: Vec<Row>,
}

/// Why a label is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    label: usize,
    /// Its label or text, for readers.
    conjunct: String,
    by: Vec<By>,
}

/// Why an event keeps a label.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct By {
    group: usize,
    /// The name, for readers.
    event: String,
    /// The name of the files of each question; none for one that was decided without clauses.
    questions: Vec<Option<String>>,
}

/// What was checked.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Checked {
    /// How many conjuncts are supposed in the state before a step.
    pub supposed: u64,
    /// Questions whose proof was checked.
    pub questions: u64,
    /// The steps of these proofs.
    pub steps: u64,
    /// Questions that the solver decided without clauses.
    pub believed: u64,
}

/// The groups that write what a label reads.
pub(crate) fn writers(shape: &Shape, label: usize) -> Vec<usize> {
    let reads = &shape.labels[label].reads;
    let groups = shape.groups.iter().enumerate();
    let writing = groups.filter(|(_, group)| group.may_write.intersects(reads));
    writing.map(|(at, _)| at).collect()
}

/// Writes proofs that labels are kept, each with its name.
pub(crate) fn write(
    folder: &Path,
    (text, shape): (&str, &Shape),
    supposed: &[usize],
    labels: &[(usize, String)],
    kept: &[Kept],
) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut list = List {
        model: fingerprint(text),
        supposed: supposed.to_vec(),
        kept: Vec::new(),
    };
    let mut count = 0;
    for (label, conjunct) in labels {
        let mut by = Vec::new();
        for one in kept.iter().filter(|one| one.label == *label) {
            let mut questions = Vec::new();
            for question in &one.questions {
                let Some(Refutation { clauses, proof }) = question else {
                    questions.push(None);
                    continue;
                };
                count += 1;
                let name = format!("{count:04}");
                let file = |ending: &str| folder.join(format!("{name}.{ending}"));
                std::fs::write(file("cnf"), clauses)?;
                std::fs::write(file("drat"), proof)?;
                questions.push(Some(name));
            }
            by.push(By {
                group: one.group,
                event: shape.groups[one.group].name.to_string(),
                questions,
            });
        }
        list.kept.push(Row {
            label: *label,
            conjunct: conjunct.clone(),
            by,
        });
    }
    let text = serde_json::to_string_pretty(&list).expect("a list has only texts and numbers");
    std::fs::write(folder.join(LIST), text + "\n")
}

/// Checks the proofs of a folder; gives the labels that are kept.
pub(crate) fn check(
    folder: &Path,
    text: &str,
    (subject, ground): (&dyn Subject, &dyn Ground),
) -> Result<(Checked, Vec<LabelId>), String> {
    let list: List = serde_json::from_str(&read(folder, LIST)?)
        .map_err(|error| format!("{LIST} cannot be read: {error}"))?;
    if list.model != fingerprint(text) {
        return Err(certify::Rejected::OtherModel.to_string());
    }
    let shape = ground.system().shape();
    let mut labels = list
        .kept
        .iter()
        .map(|row| row.label)
        .chain(list.supposed.iter().copied());
    if labels.any(|label| label >= shape.labels.len()) {
        return Err("it is about a conjunct that there is not".to_owned());
    }
    let influence = subject.influence(ground);
    let mut influence = influence.ok_or("the language has no questions to a solver")?;
    influence.prove();
    let rows: Vec<(usize, Vec<usize>)> = list
        .kept
        .iter()
        .map(|row| (row.label, writers(shape, row.label)))
        .collect();
    let mut groups = rows.iter().flat_map(|(_, groups)| groups);
    let broken = influence.first_to_break(&list.supposed, &rows);
    if groups.any(|at| !shape.groups[*at].is_pure) || broken.iter().any(Option::is_some) {
        return Err("a step may break a conjunct".to_owned());
    }
    let again = influence.kept();
    let mut checked = Checked {
        supposed: list.supposed.len() as u64,
        ..Checked::default()
    };
    for (row, (label, groups)) in list.kept.iter().zip(&rows) {
        for group in groups {
            let again = again
                .iter()
                .find(|one| one.label == *label && one.group == *group);
            let by = row.by.iter().find(|by| by.group == *group);
            let (Some(again), Some(by)) = (again, by) else {
                return Err(format!("nothing is said of {}", shape.groups[*group].name));
            };
            if again.questions.len() != by.questions.len() {
                return Err(format!("{} has other questions", by.event));
            }
            for (question, name) in again.questions.iter().zip(&by.questions) {
                match (question, name) {
                    (None, _) => checked.believed += 1,
                    (Some(question), Some(name)) => {
                        checked.steps += proved(folder, name, question)?;
                        checked.questions += 1;
                    }
                    (Some(_), None) => return Err(format!("{} lacks a proof", by.event)),
                }
            }
        }
    }
    let labels = list.kept.iter().map(|row| LabelId::new(row.label));
    Ok((checked, labels.collect()))
}

/// Checks the proof of a question whose clauses were made again; gives the number of its steps.
fn proved(folder: &Path, name: &str, question: &Refutation) -> Result<u64, String> {
    if !name.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{name:?} names no question"));
    }
    if read(folder, &format!("{name}.cnf"))? != question.clauses {
        return Err(format!("{name}.cnf has other clauses than the question"));
    }
    let proof = read(folder, &format!("{name}.drat"))?;
    let steps = certify_clauses::check(&question.clauses, &proof);
    let steps = steps.map_err(|wrong| format!("{name}.drat: {wrong}"))?;
    Ok(steps as u64)
}

fn read(folder: &Path, name: &str) -> Result<String, String> {
    std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
}
