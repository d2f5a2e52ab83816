//! `check` with every engine and reduction.

use workbench::choice::{Engine, Por, Symmetry};
use workbench::plan::Options;
use workbench::report::Verdict;

use crate::{check, model, scratch};

fn options(engine: Engine, symmetry: Symmetry, por: Por) -> Options {
    Options {
        engine,
        symmetry,
        por,
        ..Options::default()
    }
}

/// Verdict, states and the steps of the first finding.
fn outcome(name: &str, options: &Options) -> (Verdict, String, Option<usize>) {
    let check = check(name, options);
    let report = check.report;
    assert!(
        check.lint.diagnostics.iter().next().is_none(),
        "{:?}",
        check.lint.diagnostics
    );
    let steps = report.findings.first().map(|finding| finding.path.len());
    (report.verdict, report.statistics.states.to_string(), steps)
}

#[test]
fn every_engine_and_reduction_gives_the_same_verdicts() {
    let plain = options(Engine::Explicit, Symmetry::Off, Por::Off);
    let symbolic = options(Engine::Symbolic, Symmetry::Off, Por::Off);
    let symmetric = options(Engine::Explicit, Symmetry::Exact, Por::Off);
    let markers = options(Engine::Explicit, Symmetry::Markers, Por::Off);
    let stubborn = options(Engine::Explicit, Symmetry::Off, Por::Stubborn);
    let ample = options(Engine::Explicit, Symmetry::Off, Por::Ample);
    for (options, states) in [
        (&plain, "7"),
        (&symbolic, "7"),
        (&symmetric, "3"),
        (&markers, "3"),
        (&stubborn, "7"),
        (&ample, "7"),
        (&Options::default(), "3"),
    ] {
        let (verdict, found, steps) = outcome("depot", options);
        assert_eq!(
            (verdict, found.as_str(), steps),
            (Verdict::Holds, states, None)
        );
        let (verdict, _, steps) = outcome("hoard", options);
        assert_eq!((verdict, steps), (Verdict::Violated, Some(4)));
        let (verdict, _, steps) = outcome("count", options);
        assert_eq!((verdict, steps), (Verdict::Violated, Some(16)));
    }
}

#[test]
fn steps_of_workers_that_do_not_meet_are_taken_in_one_order() {
    let states = |por| {
        let options = Options {
            deadlock: false,
            setting: subject::Setting {
                obligations: subject::setting::Obligations {
                    assertions: false,
                    ..Default::default()
                },
                ..Default::default()
            },
            ..options(Engine::Explicit, Symmetry::Off, por)
        };
        let report = check("apart", &options).report;
        assert_eq!(report.verdict, Verdict::Holds, "{}", report.text(false));
        report.statistics.states.saturating()
    };
    assert_eq!(states(Por::Off), 81);
    assert_eq!(states(Por::Stubborn), 9);
}

#[test]
fn temporal_formulas_are_checked_over_counters_and_workers() {
    for (ltl, verdict) in [
        ("G({free + sum held = 2})", Verdict::Holds),
        ("G({sum held = 2} => X {sum held >= 1})", Verdict::Holds),
        ("F({sum held = 2})", Verdict::Violated),
        ("G([take(2)] => X {held.2 = 1})", Verdict::Holds),
        ("G(not(e(hand)))", Verdict::Violated),
        ("G(changed({free}) or unchanged({free}))", Verdict::Holds),
    ] {
        for symmetry in [Symmetry::Off, Symmetry::Auto] {
            let options = Options {
                ltl: vec![ltl.to_owned()],
                symmetry,
                ..Options::default()
            };
            let check = check("depot", &options);
            assert_eq!(
                check.report.verdict,
                verdict,
                "{ltl}: {}",
                check.report.text(false)
            );
        }
    }
}

#[test]
fn a_goal_is_reached_and_may_tell_workers_apart() {
    let goal = |text: &str, symmetry| Options {
        goal: Some(text.to_owned()),
        symmetry,
        ..Options::default()
    };
    let check = check("depot", &goal("held.2 = 1 and free = 0", Symmetry::Exact));
    let text = check.report.text(false);
    assert!(text.contains("goal"), "{text}");
    assert_eq!(check.report.exit, 0, "{text}");
    assert!(text.contains("tells elements apart"), "{text}");
}

#[test]
fn what_a_check_writes_are_files_that_are_read_back() {
    for (extension, is_read) in [
        ("json", true),
        ("itf.json", true),
        ("prob2trace", true),
        ("md", false),
    ] {
        let (trace, page) = (
            scratch(&format!("hoard.{extension}")),
            scratch("hoard.html"),
        );
        let options = Options {
            trace_out: Some(trace.clone()),
            report: Some(page.clone()),
            dot: Some(scratch("hoard.dot")),
            ..Options::default()
        };
        let check = check("hoard", &options);
        assert_eq!(check.report.exit, 12);
        let page = std::fs::read_to_string(page).unwrap_or_default();
        assert!(page.contains("<html") && page.contains("Hoard"));
        if is_read {
            let replayed = workbench::replay(
                &crate::bench(),
                &model("hoard"),
                &trace,
                &workbench::Setting::default(),
            );
            let Some(outcome) = replayed.outcome else {
                panic!("{extension}: {:?}", replayed.lint.diagnostics);
            };
            assert!(outcome.fits, "{extension}: {}", outcome.text(true));
        }
    }
}

#[test]
fn reports_speak_of_no_set_theory() {
    for name in ["depot", "hoard", "count"] {
        let text = check(name, &Options::default()).report.text(false);
        for word in ["SETUP", "carrier", "machine", "operation"] {
            assert!(!text.contains(word), "{name} has {word}: {text}");
        }
    }
}
