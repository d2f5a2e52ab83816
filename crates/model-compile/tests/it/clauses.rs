//! Nothing that a machine says is dropped when machines are put together: every conjunct of every clause of every machine
//! that takes part stands in the model, or is named among what is not checked.
//!
//! Over our own models, and over a part of the shared corpus: one file in `CLAUSES_STRIDE`.

use std::path::{Path, PathBuf};

use base::{Sources, Span};
use lang_b::check::{Checked, Machine};
use lang_b::syntax::ClauseBody;
use lang_math::{ExprId, ExprKind, Op};
use model::{Model, Stmt};
use rustc_hash::FxHashSet;

use crate::support::number;

/// Where the conjuncts of a predicate stand, with and without their labels.
fn conjuncts(machine: &Machine, predicate: ExprId, found: &mut Vec<[Span; 2]>) {
    let exprs = &machine.component.tree.exprs;
    for conjunct in exprs.conjuncts(predicate) {
        let mut inner = conjunct;
        while let ExprKind::Labelled(_, below) | ExprKind::Described(below, _) = exprs.kind(inner) {
            inner = *below;
        }
        match exprs.kind(inner) {
            ExprKind::Op(Op::And, _) if inner != conjunct => conjuncts(machine, inner, found),
            _ => found.push([exprs.span(conjunct), exprs.span(inner)]),
        }
    }
}

/// Where all that the machines say stands.
fn said(checked: &Checked) -> Vec<[Span; 2]> {
    let mut found = Vec::new();
    for machine in &checked.world.machines {
        for clause in &machine.component.clauses {
            match &clause.body {
                ClauseBody::Properties(predicate)
                | ClauseBody::Constraints(predicate)
                | ClauseBody::Invariant(predicate) => conjuncts(machine, *predicate, &mut found),
                ClauseBody::Assertions(list) => {
                    for predicate in list {
                        conjuncts(machine, *predicate, &mut found);
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// Where all that the model says stands.
fn kept(model: &Model) -> FxHashSet<Span> {
    let conjuncts = model.properties.iter().chain(&model.invariants);
    let assertions = model.assertions.iter().map(|assertion| &assertion.conjunct);
    let mut found: FxHashSet<Span> = conjuncts.chain(assertions).map(|part| part.span).collect();
    for (_, stmt) in model.stmts.iter() {
        if let Stmt::Simulate(step) = stmt {
            found.extend(
                step.conditions
                    .iter()
                    .map(|(part, _)| model.exprs[*part].span),
            );
        }
    }
    found
}

/// What was dropped; `None` when the file is no model that can be lowered.
fn dropped(path: &Path) -> Option<Vec<String>> {
    let mut sources = Sources::new();
    let checked = lang_b::check::check_file(path, &mut sources);
    if checked.diagnostics.has_errors() {
        return None;
    }
    let model = lower_b::lower(&checked, &Default::default()).ok()?;
    let kept = kept(&model);
    let lost = said(&checked).into_iter();
    let lost = lost.filter(|spans| !spans.iter().any(|span| kept.contains(span)));
    let lost: Vec<String> = lost
        .map(|[span, _]| format!("{}: {}", sources.place(span), sources.slice(span)))
        .collect();
    // What is named there is not lost.
    let named = model.not_checked.iter();
    let named: Vec<&str> = named
        .filter_map(|text| text.split_once(": "))
        .map(|(_, t)| t)
        .collect();
    let is_named = |text: &String| named.iter().any(|known| text.ends_with(known));
    Some(lost.into_iter().filter(|text| !is_named(text)).collect())
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let extension = path.extension().and_then(|text| text.to_str());
        if path.is_dir() {
            files_below(&path, found);
        } else if matches!(extension, Some("mch" | "ref" | "imp")) {
            found.push(path);
        }
    }
}

fn nothing_is_dropped(files: impl Iterator<Item = PathBuf>) {
    let mut read = 0;
    let mut lost = Vec::new();
    for path in files {
        if let Some(dropped) = dropped(&path) {
            read += 1;
            lost.extend(dropped);
        }
    }
    assert!(
        lost.is_empty(),
        "{} conjuncts are dropped:\n{}",
        lost.len(),
        lost.join("\n")
    );
    println!("{read} models keep all they say");
    assert!(read > 10);
}

#[test]
fn our_models_keep_what_they_say() {
    let mut files = Vec::new();
    files_below(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/b"),
        &mut files,
    );
    nothing_is_dropped(files.into_iter());
}

#[test]
fn models_of_the_field_keep_what_they_say() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/sets");
    if !corpus.is_dir() {
        println!("skipped: no shared corpus");
        return;
    }
    let mut files = Vec::new();
    files_below(&corpus, &mut files);
    let stride = number("CLAUSES_STRIDE", 41) as usize;
    nothing_is_dropped(files.into_iter().step_by(stride));
}
