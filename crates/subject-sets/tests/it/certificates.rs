//! Certificates of whole models: what holds is certified under every exact reduction, and the same certificate proves nothing
//! about a model that was changed.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use subject::Setting;
use workbench::certify::{CertificateReport, Course, certify};
use workbench::choice::{Engine, Por, Symmetry};
use workbench::plan::Options;
use workbench::report::Verdict;

use crate::{bench, check};

pub(crate) fn certified(model: &Path, certificate: &Path) -> CertificateReport {
    let course = Course {
        threads: 2,
        from: 0,
        stop: &AtomicBool::new(false),
        progress: &|_| {},
    };
    let answer = certify(
        &bench(),
        model,
        certificate,
        &Setting::default(),
        &course,
        None,
    );
    answer.answer.expect("the certificate was looked at")
}

/// Checks a model with one reduction, and the certificate if it holds; gives the number of states.
fn prove(model: &Path, symmetry: Symmetry, file: &Path) -> Option<u64> {
    let options = Options {
        symmetry,
        certificate: Some(file.to_owned()),
        max_states: Some(3_000),
        ..Options::default()
    };
    let checked = check(model, &options);
    assert_eq!(checked.bug, None, "{}", model.display());
    if checked.report.verdict != Verdict::Holds {
        return None;
    }
    if !file.exists() {
        // An infinite constant: the report says so.
        let why = checked
            .report
            .warnings
            .iter()
            .any(|why| why.contains("no certificate"));
        assert!(why, "{}: no certificate", model.display());
        return None;
    }
    let answer = certified(model, file);
    assert!(
        answer.accepted,
        "{} {symmetry:?}: {:?}",
        model.display(),
        answer.because
    );
    assert_eq!(answer.states, checked.report.statistics.states.saturating());
    Some(answer.states)
}

pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("certificates-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

const EXACT: [Symmetry; 4] = [
    Symmetry::Off,
    Symmetry::Exact,
    Symmetry::Canonical,
    Symmetry::Flood,
];

/// Models that hold are certified, with as many representatives under every exact method.
fn prove_all(models: &[PathBuf], name: &str) -> usize {
    let folder = scratch(name);
    let mut proved = 0;
    for model in models {
        let mut orbits = None;
        for symmetry in EXACT {
            let file = folder.join("states.proof");
            std::fs::remove_file(&file).ok();
            let Some(states) = prove(model, symmetry, &file) else {
                continue;
            };
            proved += 1;
            if symmetry != Symmetry::Off {
                assert_eq!(*orbits.get_or_insert(states), states, "{}", model.display());
            }
        }
    }
    std::fs::remove_dir_all(&folder).ok();
    proved
}

#[test]
fn the_examples_that_hold_are_certified() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut models = Vec::new();
    for folder in [
        examples.clone(),
        examples.join("b"),
        examples.join("tutorial"),
    ] {
        let files = std::fs::read_dir(folder).expect("there are examples");
        let files = files.filter_map(|file| Some(file.ok()?.path()));
        models.extend(files.filter(|file| file.extension().is_some_and(|ext| ext == "mch")));
    }
    assert!(prove_all(&models, "examples") >= 8);
}

/// The random machines of the shared material; none when it is absent, which is said.
pub(crate) fn oracle_machines() -> Vec<PathBuf> {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/machines");
    let Ok(files) = std::fs::read_dir(&oracle) else {
        println!("skipped: there is no {}", oracle.display());
        return Vec::new();
    };
    let mut models: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    models.sort();
    models
}

#[test]
fn random_machines_that_hold_are_certified() {
    let all = oracle_machines();
    let models: Vec<PathBuf> = all.iter().step_by(23).cloned().collect();
    let proved = prove_all(&models, "oracle");
    assert!(all.is_empty() || proved > 0);
}

/// The wish for the symbolic engine beside those for reductions.
#[test]
fn diagrams_of_models_that_hold_are_certified() {
    let folder = scratch("diagrams");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let own = ["Lift.mch", "Pumps.mch"].map(|name| examples.join(name));
    let mut proved = 0;
    for model in own.iter().chain(oracle_machines().iter().step_by(11)) {
        let file = folder.join("states.proof");
        std::fs::remove_file(&file).ok();
        let options = Options {
            engine: Engine::Symbolic,
            certificate: Some(file.clone()),
            max_time: Some(60.0),
            ..Options::default()
        };
        let report = check(model, &options).report;
        if report.verdict != Verdict::Holds || !file.exists() {
            continue;
        }
        let answer = certified(model, &file);
        assert!(answer.accepted, "{}: {:?}", model.display(), answer.because);
        assert_eq!(answer.states, report.statistics.states.saturating());
        assert!(answer.diagram);
        proved += 1;
    }
    assert!(proved > 0);
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn a_changed_model_needs_another_certificate() {
    let folder = scratch("changed");
    let (model, file) = (folder.join("Counter.mch"), folder.join("counter.proof"));
    let text = |most: u32| {
        format!(
            "MACHINE Counter VARIABLES n INVARIANT n : 0..{most} INITIALISATION n := 0 \
             OPERATIONS up = SELECT n < 5 THEN n := n + 1 END; back = SELECT n = 5 THEN n := 0 END END"
        )
    };
    std::fs::write(&model, text(5)).expect("a scratch file");
    assert_eq!(prove(&model, Symmetry::Off, &file), Some(6));
    std::fs::write(&model, text(4)).expect("a scratch file");
    let answer = certified(&model, &file);
    assert!(!answer.accepted);
    assert!(
        answer
            .because
            .is_some_and(|why| why.contains("another model"))
    );
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn what_cannot_be_certified_is_refused() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/Lift.mch");
    let file = scratch("refused").join("no.proof");
    let asked = |change: &dyn Fn(&mut Options)| {
        let mut options = Options {
            certificate: Some(file.clone()),
            ..Options::default()
        };
        change(&mut options);
        check(&model, &options).report.exit
    };
    assert_eq!(asked(&|_| {}), 0);
    assert_eq!(asked(&|options| options.engine = Engine::Symbolic), 0);
    assert_eq!(asked(&|options| options.engine = Engine::Distributed), 2);
    assert_eq!(asked(&|options| options.por = Por::Stubborn), 2);
    let formula = |options: &mut Options| options.ltl = vec!["G true".to_owned()];
    assert_eq!(asked(&formula), 0);
    let on_sets = |options: &mut Options| {
        formula(options);
        options.engine = Engine::Symbolic;
    };
    assert_eq!(asked(&on_sets), 2);
}
