//! Random refinements, correct ones and ones with a slip: both evaluators find what the definition says.
//!
//! `REFINEMENT_CASES` sets the number of chains and `REFINEMENT_SEED` the first seed; a failure prints the files.

mod chain;

use std::collections::BTreeSet;
use std::path::Path;

use base::Random;
use model::Model;
use model_compile::{Options, compile};
use model_interp::{Interp, State, StopKind};
use pins::FaultKind;

use self::chain::{Chain, Judgement};
use crate::support::{explore, load, number};

/// What the compiled model does.
fn compiled(model: &Model) -> Judgement {
    let system = compile(model, &Options::default()).expect("compiles");
    let found = explore(&system, 100_000);
    match found.faults.first() {
        // What relates a variable that both levels have to itself is an invariant of its level.
        None if found.violated > 0 => Judgement::Fails,
        Some(fault) => {
            assert_eq!(fault.kind, FaultKind::Refinement, "{fault:?}");
            Judgement::Fails
        }
        None => Judgement::Holds(found.states),
    }
}

/// What the reference evaluator makes of the model.
fn interpreted(model: &Model) -> Judgement {
    let mut interp = Interp::new(model, Default::default());
    let setup = State::new(vec![None; model.variables.len()]);
    let (mut pending, stop) = match interp.initial_states(&setup, usize::MAX) {
        Ok(found) => found,
        Err(stop) => (Vec::new(), Some(stop)),
    };
    let mut stops: Vec<_> = stop.into_iter().collect();
    let mut known = BTreeSet::new();
    while let Some(state) = pending.pop() {
        if !known.insert(state.values().to_vec()) {
            continue;
        }
        for conjunct in &model.invariants {
            match interp.holds(conjunct.predicate, &state) {
                Ok(true) => {}
                Ok(false) => return Judgement::Fails,
                Err(stop) => panic!("{stop:?}"),
            }
        }
        for action in 0..model.actions.len() {
            match interp.transitions(action, &state) {
                Ok((steps, stop)) => {
                    pending.extend(steps.into_iter().map(|step| step.target));
                    stops.extend(stop);
                }
                Err(stop) => stops.push(stop),
            }
        }
    }
    match stops.first() {
        Some(stop) => {
            assert_eq!(stop.kind, StopKind::Refinement, "{stop:?}");
            Judgement::Fails
        }
        None => Judgement::Holds(known.len()),
    }
}

#[test]
fn refinements_are_judged_by_the_definition() {
    let cases = number("REFINEMENT_CASES", 150);
    let first = number("REFINEMENT_SEED", 1);
    let folder = std::env::temp_dir().join(format!("burnside-refinements-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the files");
    let mut failing = 0;
    for seed in first..first + cases {
        let chain = Chain::random(&mut Random::new(seed));
        let files = chain.files();
        for (name, text) in &files {
            std::fs::write(folder.join(name), text).expect("a file");
        }
        let (name, _) = files.last().expect("a chain has machines");
        let shown = || {
            let texts = files.iter().map(|(_, text)| text.as_str());
            format!("seed {seed}:\n{}", texts.collect::<Vec<_>>().join("\n"))
        };
        let model = load(&folder.join(name)).unwrap_or_else(|error| panic!("{error}: {}", shown()));
        let judged = chain.judged();
        failing += u64::from(judged == Judgement::Fails);
        assert_eq!(compiled(&model), judged, "compiled, {}", shown());
        assert_eq!(interpreted(&model), judged, "by reference, {}", shown());
        remove(&folder, &files);
    }
    std::fs::remove_dir(&folder).expect("the folder is empty");
    println!("{failing} of {cases} chains are no refinements");
    assert!(
        failing * 8 > cases && failing * 8 < cases * 7,
        "{failing} of {cases}"
    );
}

fn remove(folder: &Path, files: &[(String, String)]) {
    for (name, _) in files {
        std::fs::remove_file(folder.join(name)).expect("the file was there");
    }
}
