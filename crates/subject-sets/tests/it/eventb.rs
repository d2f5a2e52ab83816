//! Event-B: one project in every form, and each way in which refinement can be broken.

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
fn bad_projects_are_diagnostics_with_a_file() {
    for (name, file, from, to, exit, message) in [
        (
            "missing",
            "M2.bum",
            "target=\"C1\"",
            "target=\"C9\"",
            151,
            "there is no context `C9`",
        ),
        (
            "circle",
            "C0.buc",
            "<org.eventb.core.carrierSet",
            "<org.eventb.core.extendsContext name=\"x\" org.eventb.core.target=\"C1\"/><org.eventb.core.carrierSet",
            151,
            "extends itself",
        ),
        (
            "itself",
            "M0.bum",
            "<org.eventb.core.seesContext",
            "<org.eventb.core.refinesMachine name=\"x\" org.eventb.core.target=\"M2\"/><org.eventb.core.seesContext",
            151,
            "refines itself",
        ),
        (
            "cut",
            "M1.bum",
            "</org.eventb.core.machineFile>",
            "",
            150,
            "no XML",
        ),
        (
            "priority",
            "M2.bum",
            "light = green ⇒ n &lt; places",
            "light = green ⇒ n &lt; places ⇒ ⊤",
            150,
            "need parentheses",
        ),
        ("types", "M1.bum", "n ≔ 0", "n ≔ TRUE", 151, "BOOL"),
        (
            "event",
            "M2.bum",
            "target=\"board\"",
            "target=\"bored\"",
            151,
            "no event `bored`",
        ),
    ] {
        let path = broken(&format!("bad-{name}"), file, from, to);
        let found = lint(&bench(), &path);
        assert_eq!(found.exit(), exit, "{name}: {:?}", found.diagnostics);
        let mut messages = found.diagnostics.iter().map(|d| d.message.as_str());
        assert!(
            messages.any(|text| text.contains(message)),
            "{name}: {:?}",
            found.diagnostics
        );
    }
}

#[test]
fn bad_archives_and_packages_are_diagnostics() {
    let folder = folder("hostile");
    let package = std::fs::read_to_string(example("ferry.eventb")).expect("the package");
    for (name, bytes, exit) in [
        ("a.zip", b"PK\x03\x04\x00\xff".to_vec(), 2),
        ("b.zip", Vec::new(), 150),
        (
            "a.eventb",
            package.as_bytes()[..package.len() / 2].to_vec(),
            150,
        ),
        ("b.eventb", b"package(x).".to_vec(), 150),
        (
            "c.eventb",
            package
                .replace("exporter_version(3)", "exporter_version(99)")
                .into_bytes(),
            152,
        ),
        (
            "d.eventb",
            package.replace("interval(", "spiral(").into_bytes(),
            152,
        ),
        ("a.bum", b"<x/>".to_vec(), 150),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        let found = lint(&bench(), &path);
        assert_eq!(found.exit(), exit, "{name}: {:?}", found.diagnostics);
    }
}

/// A context or machine in the text notation, checked.
fn text(name: &str, text: &str, options: &Options) -> Check {
    let path = folder(name).join(format!("{name}.eventb"));
    std::fs::write(&path, text).expect("a text");
    run(&path, options)
}

/// What the report says of a carrier set.
fn scope_of(check: &Check, set: &str) -> String {
    let start = format!("card({set}) = ");
    let scopes = &check.report.scopes;
    let found = scopes.iter().find_map(|line| line.strip_prefix(&start));
    found.unwrap_or_default().to_owned()
}

#[test]
fn functions_between_sets_say_how_large_they_are() {
    let record = "context rec sets S NODE constants make left right axioms
        @a make ∈ NODE × BOOL ⤖ S
        @b left ∈ S → NODE
        @c right ∈ S → BOOL
        @d ∀n,b·n ∈ NODE ∧ b ∈ BOOL ⇒ left(make(n ↦ b)) = n ∧ right(make(n ↦ b)) = b
        end";
    let options = Options {
        symmetry: Symmetry::Static,
        ..Options::default()
    };
    let check = text("record", record, &options);
    assert_eq!(scope_of(&check, "NODE"), "2 (default)");
    assert_eq!(scope_of(&check, "S"), "4 (from PROPERTIES)");
    // The bijection is straightened, and it decides the rest.
    assert_eq!(sizes(&check.report).2, 1);
    for (axiom, size) in [
        ("f ∈ S ⤖ −1‥2", "4 (from PROPERTIES)"),
        ("f ∈ S ⤖ ℙ(BOOL)", "4 (from PROPERTIES)"),
        ("f ∈ S ↠ 1‥5", "5 (from PROPERTIES)"),
        ("f ∈ 1‥3 ↣ S", "3 (from PROPERTIES)"),
        ("f ∈ S ↣ {1}", "2 (default)"),
        (
            "f ∈ BOOL → S ∧ card(S) ≥ 3 + card(BOOL)",
            "5 (from PROPERTIES)",
        ),
    ] {
        let context = format!("context c sets S constants f axioms @a {axiom} end");
        let check = text("function", &context, &whole());
        assert_eq!(scope_of(&check, "S"), size, "{axiom}");
    }
}

#[test]
fn a_set_with_a_bijection_to_an_infinite_one_is_that_one() {
    let points = "context c sets Point Line constants at line x y p axioms
        @a at ∈ Point ⤖ ℤ × ℤ
        @b line ∈ Point × Point ⤖ Line
        @c x = prj1 ∘ at
        @d y = prj2 ∘ at
        @e p = at∼(7 ↦ 44)
        theorem @t x(p) = 7 ∧ y(p) = 44 ∧ line∼(line(p ↦ p)) = p ↦ p
        end";
    let check = text("points", points, &whole());
    assert_eq!(sizes(&check.report), (1, 0, 1));
    assert_eq!(check.report.verdict, workbench::report::Verdict::Holds);
    let scopes = check.report.scopes.join("\n");
    assert!(
        scopes.contains("Point = INTEGER*INTEGER (a bijection)"),
        "{scopes}"
    );
    // A set that depends on itself has no such value, nor one with a bijection to part of a type.
    for axiom in ["f ∈ S ⤖ S × ℤ", "f ∈ S ⤖ ℕ"] {
        let context = format!("context c sets S constants f axioms @a {axiom} end");
        let check = text("itself", &context, &whole());
        assert_eq!(scope_of(&check, "S"), "2 (default)", "{axiom}");
    }
}

#[test]
fn static_symmetry_leaves_elements_with_names_alone() {
    let context = "context c sets S constants a b x y axioms @a partition(S, {a}, {b})
        @b x ∈ S @c y ∈ S end";
    let options = Options {
        symmetry: Symmetry::Static,
        ..Options::default()
    };
    let check = text("named", context, &options);
    assert_eq!(sizes(&check.report).2, 4);
}

#[test]
fn parts_of_a_partition_say_how_large_the_set_is() {
    for (axioms, size, setups) in [
        ("@a partition(S, {a}, {b}, P) @b P ≠ ∅", 3, 6),
        ("@a partition(S, {a}, {b}, P) @b card(P) = 2", 4, 12),
        // Every element has a name, and what they say of P decides it.
        ("@a partition(S, P, {c}) @b partition(P, {a}, {b})", 3, 1),
    ] {
        let context = format!("context c sets S constants a b c P axioms {axioms} end");
        let context = match axioms.contains("{c}") {
            true => context,
            false => context.replace("a b c P", "a b P"),
        };
        let check = text("parts", &context, &whole());
        assert_eq!(scope_of(&check, "S"), format!("{size} (from PROPERTIES)"));
        assert_eq!(sizes(&check.report).2, setups, "{axioms}");
    }
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
