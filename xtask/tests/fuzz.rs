//! The promise that no input makes the front end panic or think for long, on a small budget.

use xtask::fuzz::{self, Plan, Seeds};
use xtask::places;

/// Tries a small number of inputs, or as many as `FUZZ_INPUTS` says.
fn try_on(seeds: &Seeds, inputs: u64) {
    let wanted = std::env::var("FUZZ_INPUTS").ok();
    let inputs = wanted.and_then(|text| text.parse().ok()).unwrap_or(inputs);
    assert!(!seeds.is_empty(), "there are models to start from");
    let plan = Plan {
        seed: 20_260_301,
        inputs: 0..inputs,
        budget: None,
        progress: false,
        saved: places::root().join("target/fuzz"),
    };
    let report = fuzz::run(seeds, &plan).expect("inputs can be written");
    println!("{report}");
    assert!(report.findings.is_empty(), "{report}");
}

#[test]
fn broken_models_of_ours_get_an_answer() {
    try_on(&Seeds::read(&[places::root().join("tests")]), 1_000);
}

#[test]
fn broken_models_of_others_get_an_answer() {
    if let Some(shared) = places::shared() {
        try_on(&Seeds::read(&[shared.join("corpus/sets")]), 1_500);
    }
}

#[test]
fn broken_event_b_of_ours_gets_an_answer() {
    try_on(&Seeds::event_b(&[places::root().join("examples")]), 1_000);
}

#[test]
fn broken_event_b_of_others_gets_an_answer() {
    if let Some(shared) = places::shared() {
        try_on(&Seeds::event_b(&[shared.join("corpus/sets")]), 1_000);
    }
}

#[test]
fn broken_promela_gets_an_answer() {
    if let Some(shared) = places::shared() {
        try_on(&Seeds::promela(&[shared.join("oracle/promela")]), 1_500);
    }
}

#[test]
fn broken_murphi_of_ours_gets_an_answer() {
    try_on(&Seeds::murphi(&[places::root().join("tests")]), 1_000);
}

#[test]
fn broken_murphi_of_others_gets_an_answer() {
    if let Some(shared) = places::shared() {
        try_on(&Seeds::murphi(&[shared.join("oracle/murphi")]), 1_500);
    }
}

#[test]
fn broken_z_of_ours_gets_an_answer() {
    let folders = ["tests", "examples"].map(|folder| places::root().join(folder));
    try_on(&Seeds::z(&folders), 1_000);
}

#[test]
fn broken_z_of_others_gets_an_answer() {
    if let Some(shared) = places::shared() {
        let folders = ["corpus/sets", "oracle/z"].map(|folder| shared.join(folder));
        try_on(&Seeds::z(&folders), 1_500);
    }
}
