//! The chain of trust of a run: what was run, what somebody else looked at again, and what remains assumed.
//!
//! Invariant: what is assumed is told for every verdict; only what was done is told as done.

use super::{Report, Verdict, counted};
use crate::choice::{Por, Symmetry, Topic};

/// The links of the chain.
pub(super) struct Trust {
    /// What was run.
    pub(super) run: Vec<String>,
    /// What was checked again, and by whom.
    pub(super) rechecked: Vec<String>,
    /// What nobody checked.
    pub(super) assumed: Vec<String>,
}

impl Trust {
    pub(super) fn new(report: &Report) -> Trust {
        let chosen = |topic: Topic| {
            let mut choices = report.choices.iter();
            let choice = choices.find(|choice| choice.option == topic);
            choice.map_or("unknown", |choice| choice.chosen.as_str())
        };
        let mut run = vec![format!(
            "the {} engine with the {} evaluator looked at {}",
            chosen(Topic::Engine),
            chosen(Topic::Evaluator),
            counted(&report.statistics.states, "state"),
        )];
        let mut assumed = vec![
            "the text is read as it is meant, and the model made of it says the same".to_owned(),
        ];
        let mut rechecked = Vec::new();
        let count = report.findings.len() as u64;
        if count > 0 {
            rechecked.push(format!(
                "the path of {} was walked step by step by the reference evaluator",
                counted(count, "finding")
            ));
            assumed.push("the reference evaluator".to_owned());
        }
        trust_induction(report, &mut run, &mut assumed);
        if report.verdict == Verdict::Holds {
            trust_search(report, &mut run, &mut assumed);
        }
        Trust {
            run,
            rechecked,
            assumed,
        }
    }
}

/// What induction proved, and who is believed for it.
fn trust_induction(report: &Report, run: &mut Vec<String>, assumed: &mut Vec<String>) {
    if let Some(induction) = &report.reductions.induction {
        let all = counted(induction.conjuncts.len() as u64, "conjunct");
        let proved = induction.proved();
        run.push(format!(
            "the solver proved {proved} of {all} by induction, with {}",
            counted(induction.asked, "question")
        ));
        if proved > 0 && report.verdict == Verdict::Holds {
            assumed.push(match induction.proofs() {
                Some(proofs) => format!(
                    "that the clauses of {} say what is asked, until certify has checked their DRAT proofs the solver that \
                     found these, and for {} more the solver that decided them",
                    counted(proofs.drat as u64, "question"),
                    proofs.questions - proofs.drat,
                ),
                None => "the solver that proved conjuncts".to_owned(),
            });
        }
    }
}

/// Who is believed for a search that held.
fn trust_search(report: &Report, run: &mut Vec<String>, assumed: &mut Vec<String>) {
    let reductions = &report.reductions;
    if let Some(file) = &report.certificate {
        let formulas = match report.certified.len() as u64 {
            0 => String::new(),
            count => format!(", with what proves {}", counted(count, "formula")),
        };
        run.push(format!(
            "the states were written to {file}{formulas}: certify shows without engine, reductions and compiled evaluator \
             that they prove the claim"
        ));
    }
    let held = report.formulas.iter();
    let held = held.filter(|told| told.verdict == Verdict::Holds);
    let unproved = held.filter(|told| !report.certified.contains(&told.formula));
    let unproved = unproved.count() as u64;
    if unproved > 0 {
        let formulas = counted(unproved, "formula");
        assumed.push(format!(
            "automata and fixed points, for {formulas} without evidence"
        ));
    }
    let mut parts = vec!["the engine", "the compiled evaluator"];
    if reductions.symmetry.method != Symmetry::Off {
        parts.push("the symmetry reduction");
    }
    if reductions.por.method != Por::Off {
        parts.push("the partial order reduction");
    }
    let until = match &report.certificate {
        Some(_) => ", until the certificate is checked",
        None => "",
    };
    assumed.push(format!("{}{until}", parts.join(", ")));
}
