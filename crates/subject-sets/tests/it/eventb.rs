//! Event-B: one project in every form, and each way in which refinement can be broken.

mod refused;
mod scopes;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use pins::Halt;
use subject::Setting;
use subject::setting::{Obligations, Part};
use workbench::check::Check;
use workbench::choice::{Evaluator, Solver, Symmetry};
use workbench::lint;
use workbench::plan::Options;
use workbench::report::Report;
use workbench::{Task, solve};

use crate::{bench, check};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/eventb")
        .join(name)
}

fn folder(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

/// Everything is explored: counts are those of the whole state space.
fn whole() -> Options {
    Options {
        symmetry: Symmetry::Off,
        ..Options::default()
    }
}

fn run(path: &Path, options: &Options) -> Check {
    let checked = check(path, options);
    assert_eq!(checked.bug, None, "{}", path.display());
    checked
}

/// Verdict, states, transitions and set-ups.
fn counts(path: &Path, options: &Options) -> (String, u64, u64, u64) {
    let report = run(path, options).report;
    let verdict = serde_json::to_value(report.verdict).unwrap_or_default();
    let (states, transitions, setups) = sizes(&report);
    let verdict = verdict.as_str().unwrap_or_default().to_owned();
    (verdict, states, transitions, setups)
}

/// States, transitions and set-ups.
fn sizes(report: &Report) -> (u64, u64, u64) {
    let found = serde_json::to_value(&report.statistics).unwrap_or_default();
    let count = |key: &str| found[key].as_u64().unwrap_or(u64::MAX);
    (count("states"), count("transitions"), count("setups"))
}

/// The ferry with a text of one of its files replaced.
fn broken(name: &str, file: &str, from: &str, to: &str) -> PathBuf {
    changed("ferry", name, file, from, to)
}

/// A project with a text of one of its files replaced.
fn changed(project: &str, name: &str, file: &str, from: &str, to: &str) -> PathBuf {
    let folder = folder(name);
    for entry in std::fs::read_dir(example(project))
        .expect("the example")
        .flatten()
    {
        let mut text = std::fs::read_to_string(entry.path()).expect("text");
        if entry.file_name().to_string_lossy() == file {
            assert!(text.contains(from), "{file} holds {from}");
            text = text.replace(from, to);
        }
        std::fs::write(folder.join(entry.file_name()), text).expect("a copy");
    }
    folder
}

/// A context or machine in the text notation, checked.
fn text(name: &str, text: &str, options: &Options) -> Check {
    let path = folder(name).join(format!("{name}.eventb"));
    std::fs::write(&path, text).expect("a text");
    run(&path, options)
}

fn zipped(project: &str) -> PathBuf {
    let path = folder(&format!("zipped-{project}")).join("project.zip");
    let file = std::fs::File::create(&path).expect("an archive");
    let mut archive = zip::ZipWriter::new(file);
    let options = zip::write::SimpleFileOptions::default();
    for entry in std::fs::read_dir(example(project))
        .expect("the example")
        .flatten()
    {
        let name = format!("{project}/{}", entry.file_name().to_string_lossy());
        archive.start_file(name, options).expect("an entry");
        let bytes = std::fs::read(entry.path()).expect("a file");
        archive.write_all(&bytes).expect("an entry");
    }
    archive.finish().expect("an archive");
    path
}

#[test]
fn folder_archive_and_package_are_the_same_model() {
    let all = whole();
    let expected = ("holds".to_owned(), 38, 138, 2);
    assert_eq!(counts(&example("ferry"), &all), expected);
    assert_eq!(counts(&example("ferry.eventb"), &all), expected);
    assert_eq!(counts(&zipped("ferry"), &all), expected);
    assert_eq!(counts(&example("ferry/M2.bum"), &all), expected);
}

#[test]
fn theories_of_a_project_are_read_with_it() {
    let expected = ("holds".to_owned(), 7, 12, 1);
    assert_eq!(counts(&example("shelf"), &whole()), expected);
    assert_eq!(counts(&example("shelf/Shelf.bum"), &whole()), expected);
    assert_eq!(counts(&zipped("shelf"), &whole()), expected);
}

#[test]
fn an_operator_that_only_axioms_define_is_named() {
    let path = changed(
        "shelf",
        "weight",
        "Shelf.bum",
        "height(shelf)",
        "weight(shelf)",
    );
    let found = lint(&bench(), &path);
    assert_eq!(found.exit(), 152, "{:?}", found.diagnostics);
    let mut messages = found.diagnostics.iter().map(|d| d.message.as_str());
    assert!(messages.any(|text| text.contains("`weight` is defined by axioms only")));
}

#[test]
fn the_reference_evaluator_finds_the_same() {
    let options = Options {
        evaluator: Evaluator::Reference,
        ..whole()
    };
    let expected = ("holds".to_owned(), 38, 138, 2);
    assert_eq!(counts(&example("ferry"), &options), expected);
}

#[test]
fn levels_machines_and_contexts_can_be_chosen() {
    let ferry = example("ferry");
    for (machine, level, concrete_only, states, transitions) in [
        (None, Some(0), false, 11, 60),
        (None, Some(1), false, 11, 51),
        (Some("M1"), None, true, 5, 9),
        (Some("M0"), None, false, 11, 60),
        (Some("C1"), None, false, 2, 0),
    ] {
        let options = Options {
            setting: Setting {
                part: Part {
                    machine: machine.map(str::to_owned),
                    level,
                    concrete_only,
                    ..Part::default()
                },
                ..Setting::default()
            },
            ..whole()
        };
        let expected = ("holds".to_owned(), states, transitions, 2);
        assert_eq!(counts(&ferry, &options), expected, "{machine:?} {level:?}");
    }
}

#[test]
fn each_kind_of_broken_refinement_is_found() {
    for (name, file, from, to, kind, message) in [
        (
            "guard",
            "M1.bum",
            "n &lt; places",
            "n &lt; 3",
            "refinement",
            "do not imply this guard",
        ),
        (
            "simulation",
            "M2.bum",
            "light ≔ green",
            "light, n ≔ green, 0",
            "refinement",
            "cannot do this step",
        ),
        (
            "witness",
            "M1.bum",
            "c ∈ CAR ∖ aboard",
            "c ∈ aboard ∖ aboard",
            "refinement",
            "satisfies the witness",
        ),
        (
            "merge",
            "M0.bum",
            "predicate=\"c ∈ aboard\"",
            "predicate=\"c ∈ aboard ∧ card(aboard) = 2\"",
            "refinement",
            "none of the merged events",
        ),
        (
            "variant",
            "M2.bum",
            "wait ≔ wait − 1",
            "wait ≔ wait",
            "refinement",
            "not a bound",
        ),
        (
            "gluing",
            "M1.bum",
            "n ≔ 0",
            "n ≔ 1",
            "invariant",
            "glue is false",
        ),
    ] {
        let path = broken(name, file, from, to);
        for evaluator in [Evaluator::Compiled, Evaluator::Reference] {
            let options = Options {
                setting: Setting {
                    obligations: Obligations {
                        variants: true,
                        ..Obligations::default()
                    },
                    part: Part {
                        // Further down the light keeps the guard from failing.
                        machine: (name == "guard").then(|| "M1".to_owned()),
                        ..Part::default()
                    },
                    ..Setting::default()
                },
                evaluator,
                ..whole()
            };
            let report = run(&path, &options).report;
            let found = report.findings.first().expect(name);
            assert_eq!(found.kind.word(), kind, "{name}: {}", found.message);
            assert!(found.message.contains(message), "{name}: {}", found.message);
            assert!(!found.path.is_empty(), "{name}");
        }
    }
}

#[test]
fn without_the_finding_a_failed_step_is_still_no_transition() {
    let path = broken("quiet", "M2.bum", "light ≔ green", "light, n ≔ green, 0");
    let quiet = Options {
        setting: Setting {
            obligations: Obligations {
                refinement: false,
                ..Obligations::default()
            },
            ..Setting::default()
        },
        ..whole()
    };
    let told = Options {
        all_findings: usize::MAX,
        ..whole()
    };
    let (verdict, states, transitions, setups) = counts(&path, &quiet);
    assert_ne!(verdict, "error");
    let report = run(&path, &told).report;
    assert_eq!(sizes(&report), (states, transitions, setups));
    assert!(
        report
            .findings
            .iter()
            .any(|f| f.kind.word() == "refinement")
    );
}

#[test]
fn values_are_shown_in_the_notation_of_event_b() {
    let path = broken("values", "M1.bum", "n ≔ 0", "n ≔ 1");
    let report = run(&path, &Options::default()).report;
    let last = report.findings[0].path.last().expect("a step");
    assert_eq!(last.state.get("aboard"), Some("∅"));
}

#[test]
fn predicates_of_event_b_are_solved_for_their_free_names() {
    let path = broken("solved", "M1.bum", "n ≔ 0", "n ≔ 1");
    let setting = Setting::default();
    let task = |predicate| Task {
        predicate,
        solver: Solver::Auto,
        most: 10,
        aim: None,
    };
    let solutions = |predicate| {
        let mut found = Vec::new();
        let solved = solve(
            &bench(),
            (Some(&path), &setting),
            &task(predicate),
            &Halt::default(),
            &mut |solution| {
                found.push(solution.text());
                true
            },
        );
        solved.map(|solved| (found, solved.exit()))
    };
    let (found, exit) = solutions("x ∈ 1‥9 ∧ y ∈ 1‥9 ∧ x∗y = 15 ∧ x < y").expect("a predicate");
    assert_eq!(
        (found.as_slice(), exit),
        (&["x = 3 & y = 5".to_owned()][..], 0)
    );
    let (found, exit) = solutions("x = n + 1").expect("a predicate");
    assert_eq!((found.as_slice(), exit), (&["x = 2".to_owned()][..], 0));
    let (found, exit) = solutions("n < 0").expect("a predicate");
    assert_eq!((found.len(), exit), (0, 10));
    assert!(solutions("x ∈").is_err());
}

#[test]
fn a_theorem_among_guards_must_follow_from_the_others() {
    let machine = |bound: u32| {
        format!(
            "machine m variables x invariants @t x ∈ 0‥3
             events event INITIALISATION then @a x ≔ 0 end
             event up where @g x < 3 theorem @small x + 1 ≤ {bound} then @a x ≔ x + 1 end
             event down where @g x = 3 then @a x ≔ 0 end end"
        )
    };
    let right = text("theorem", &machine(3), &whole());
    assert_eq!(sizes(&right.report), (4, 4, 0));
    assert_eq!(right.report.exit, 0);
    let wrong = text("no_theorem", &machine(2), &whole());
    assert_eq!(wrong.report.exit, 12);
    let finding = &wrong.report.findings[0];
    assert!(finding.message.contains("theorem"), "{}", finding.message);
    assert_eq!(finding.path.len(), 3);
    // Without the check it decides nothing.
    let mut options = whole();
    options.setting.obligations.assertions = false;
    let unchecked = text("unchecked_theorem", &machine(2), &options);
    assert_eq!(sizes(&unchecked.report), (4, 4, 0));
    assert!(!unchecked.report.not_checked.is_empty());
}
