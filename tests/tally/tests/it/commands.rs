//! The commands besides `check`.

use std::path::Path;

use workbench::animate::Animator;
use workbench::choice::{Evaluator, ExportFormat, ExportWhat, Solver};
use workbench::export::{Export, export};
use workbench::{Session, Setting, Style};

use crate::{bench, model, scratch};

#[test]
fn lint_points_at_everything_that_is_wrong() {
    let lint = workbench::lint(&bench(), &model("wrong"));
    let told: Vec<String> = lint
        .diagnostics
        .iter()
        .map(|one| {
            let place = one
                .primary
                .as_ref()
                .map(|label| lint.sources.place(label.span));
            let line = place.as_deref().and_then(|place| place.rsplit(':').nth(1));
            format!("{} {}: {}", line.unwrap_or("-"), one.code.id, one.message)
        })
        .collect();
    assert_eq!(
        told,
        [
            "3 T0002: a number from 0 to 15 is needed here",
            "5 T0001: expected a name, found `and`",
            "6 T0002: there is no counter missing",
            "6 T0002: this counter gets a value twice",
            "7 T0002: whose held? say sum held or held.1",
        ]
    );
    assert_eq!(lint.exit(), 150);
    assert_eq!(workbench::lint(&bench(), &model("depot")).exit(), 0);
    assert_eq!(workbench::lint(&bench(), Path::new("none.tally")).exit(), 2);
}

#[test]
fn what_is_printed_reads_as_the_same() {
    let printed = workbench::print(&bench(), &model("depot"), Style::default()).text;
    let text = printed.unwrap_or_default();
    let again = scratch("printed.tally");
    assert!(std::fs::write(&again, &text).is_ok());
    let twice = workbench::print(&bench(), &again, Style::default()).text;
    assert_eq!(twice.as_deref(), Some(text.as_str()));
    assert!(text.contains("event hand when held = 1 and held' = 0 do held := 0, held' := 1"));
}

#[test]
fn formulas_are_evaluated_in_the_first_state() {
    let opened = Session::open(
        &bench(),
        Some(&model("depot")),
        &Setting::default(),
        Some(Evaluator::Compiled),
        &pins::Halt::default(),
    );
    let Ok(mut session) = opened else {
        panic!("no session");
    };
    let mut answer = |formula: &str| session.answer(formula).to_string();
    assert_eq!(answer("free + sum held"), "2");
    assert_eq!(answer("free > 2 or held.1 = 0"), "TRUE");
    assert!(answer("held = 1").starts_with("!type"));
}

#[test]
fn an_animation_goes_on_goes_back_and_says_why_not() {
    let Ok(mut animator) = Animator::open(&bench(), &model("depot"), &Setting::default(), 1) else {
        panic!("it cannot be animated");
    };
    animator.begin();
    let mut said = |line: &str| animator.obey(line).text();
    assert!(said("take(2)").contains("held = [0, 1, 0]"));
    let why = said("why take(2)");
    assert!(why.contains("because held = 0 is false"), "{why}");
    let moved = said("hand(worker = 2, partner = 3)");
    assert!(moved.contains("held = [0, 0, 1]"), "{moved}");
    assert_eq!(said("eval sum held - 3"), "-2");
    said("undo 2");
    assert!(said("state").contains("free = 2"));
    let invariant = said("invariant");
    assert!(invariant.contains("free + sum held = 2"), "{invariant}");
    let none = said("why steal");
    assert_eq!(none, "steal is no event");
    let found = said("find free = 0 and held.3 = 0");
    assert!(found.contains("2"), "{found}");
    assert_eq!(said("expect sum held = 2"), "as expected");
}

#[test]
fn graphs_are_exported_whole_and_reduced() {
    let states = |reduced, what, projection: Option<&str>| {
        let wanted = Export {
            what,
            projection: projection.map(str::to_owned),
            to: ExportFormat::Dot,
            reduced,
            max_states: 100,
        };
        let exported = export(&bench(), &model("depot"), &Setting::default(), &wanted);
        let Some((text, graph)) = exported.file else {
            panic!("{:?}", exported.lint.diagnostics);
        };
        assert!(text.starts_with("digraph"));
        graph.nodes.len()
    };
    assert_eq!(states(false, ExportWhat::States, None), 8);
    assert_eq!(states(true, ExportWhat::States, None), 4);
    assert_eq!(states(false, ExportWhat::Projection, Some("free")), 4);
    assert!(states(false, ExportWhat::Enabling, None) >= 3);
    assert!(states(false, ExportWhat::Matrix, None) >= 2);
}

#[test]
fn coverage_tells_events_and_values() {
    let covered =
        workbench::coverage::coverage(&bench(), &model("depot"), &Setting::default(), 100);
    let Some(coverage) = covered.coverage else {
        panic!("{:?}", covered.lint.diagnostics);
    };
    assert!(coverage.complete);
    let events: Vec<(&str, u64)> = coverage
        .events
        .iter()
        .map(|event| (event.name.as_str(), event.transitions))
        .collect();
    assert_eq!(events, [("take", 9), ("give", 9), ("hand", 12)]);
    assert!(coverage.text().contains("free"), "{}", coverage.text());
}

#[test]
fn workers_are_interchangeable_and_said_to_be() {
    let analysed = workbench::analyse(
        &bench(),
        &model("depot"),
        &Setting::default(),
        &pins::Halt::default(),
    );
    let text = analysed
        .analysis
        .map(|analysis| analysis.text())
        .unwrap_or_default();
    assert!(text.contains("workers"), "{text}");
}

#[test]
fn what_the_language_lacks_is_said() {
    let setting = Setting {
        scopes: subject::Scopes {
            cards: vec![(base::Name::new("S"), 3)],
            preferences: Vec::new(),
        },
        ..Setting::default()
    };
    let printed = workbench::print_model(&bench(), &model("depot"), &setting);
    assert_eq!(printed.lint.exit(), 2);
    let task = workbench::Task {
        predicate: "free = 2",
        solver: Solver::default(),
        most: 1,
        aim: None,
    };
    let file = Some(&*model("depot"));
    let (file, halt) = ((file, &Setting::default()), workbench::Halt::default());
    match workbench::solve(&bench(), file, &task, &halt, &mut |_| true) {
        Ok(solved) => panic!("there is nothing to solve with: {}", solved.summary()),
        Err(lint) => assert_eq!(lint.exit(), 152),
    }
}
