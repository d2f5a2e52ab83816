//! Conjuncts that are proved by induction: verdicts and counts are those of a search without it.

use std::path::Path;

use workbench::choice::Symmetry;
use workbench::plan::Options;
use workbench::report::{Report, Verdict};

use crate::certificates::{oracle_machines, scratch};
use crate::check;

fn checked(model: &Path, change: impl Fn(&mut Options)) -> Report {
    let mut options = Options {
        max_states: Some(3_000),
        symmetry: Symmetry::Off,
        induction: true,
        ..Options::default()
    };
    change(&mut options);
    let checked = check(model, &options);
    assert_eq!(checked.bug, None, "{}", model.display());
    checked.report
}

/// What a report says of verdict, findings and counts.
fn told(report: &Report) -> String {
    let findings = report.findings.iter();
    let findings: Vec<String> = findings
        .map(|finding| format!("{} {}", finding.kind.word(), finding.message))
        .collect();
    let statistics = &report.statistics;
    format!(
        "{} {findings:?} {} {:?} {}",
        report.verdict.word(),
        statistics.states,
        statistics.transitions,
        statistics.depth
    )
}

#[test]
fn verdicts_and_counts_of_random_machines_stay_the_same() {
    let mut proved = 0;
    for model in oracle_machines().iter().step_by(5) {
        for all_findings in [1, 20] {
            let with = checked(model, |options| options.all_findings = all_findings);
            let without = checked(model, |options| {
                options.all_findings = all_findings;
                options.induction = false;
            });
            assert_eq!(told(&with), told(&without), "{}", model.display());
            let calls = |report: &Report| report.statistics.label_calls;
            assert!(calls(&with) <= calls(&without), "{}", model.display());
            let told = with.reductions.induction;
            proved += told.map_or(0, |induction| induction.proved());
        }
        // A verdict without states is that of the search.
        let safe = |options: &mut Options| options.deadlock = false;
        let with = checked(model, safe);
        let without = checked(model, |options| {
            safe(options);
            options.induction = false;
            options.max_states = Some(20_000);
        });
        if without.verdict != Verdict::Open {
            assert_eq!(with.verdict, without.verdict, "{}", model.display());
        }
    }
    assert!(
        oracle_machines().is_empty() || proved > 20,
        "only {proved} conjuncts"
    );
}

/// A machine with a counter, whose operation may go too far.
fn counter(most: u32, more: &str) -> String {
    format!(
        "MACHINE Counter VARIABLES n, odd INVARIANT n : 0..{most} & odd : BOOL INITIALISATION n, odd := 0, FALSE \
         OPERATIONS up = SELECT n < 1000000 THEN n, odd := n + 1, bool(n = 3) END; \
         back = SELECT n > 0 THEN n := n - 1 END{more} END"
    )
}

#[test]
fn a_model_whose_conjuncts_are_inductive_holds_without_its_states() {
    let model = scratch("induction").join("Counter.mch");
    std::fs::write(&model, counter(1_000_000, "")).expect("a scratch file");
    let report = checked(&model, |options| options.deadlock = false);
    assert_eq!(report.verdict, Verdict::Holds, "{:?}", report.open_because);
    assert_eq!(report.statistics.states.saturating(), 1);
    let induction = report.reductions.induction.expect("conjuncts were proved");
    assert!(induction.decides);
    assert_eq!(induction.proved(), 2);
    // Deadlocks need states, and so does what may be undefined.
    let asked = checked(&model, |_| {});
    assert_eq!(asked.verdict, Verdict::Open);
    let more = "; half = SELECT n > 5 THEN n := n / (n - 6) END";
    std::fs::write(&model, counter(1_000_000, more)).expect("a scratch file");
    let report = checked(&model, |options| options.deadlock = false);
    assert_eq!(report.verdict, Verdict::Violated);
}

#[test]
fn a_conjunct_that_an_operation_breaks_is_found_as_before() {
    let model = scratch("broken").join("Counter.mch");
    std::fs::write(&model, counter(7, "")).expect("a scratch file");
    let report = checked(&model, |options| options.deadlock = false);
    assert_eq!(report.verdict, Verdict::Violated);
    let induction = report
        .reductions
        .induction
        .expect("conjuncts were looked at");
    let broken = induction.conjuncts[0].perhaps_broken_by.as_deref();
    assert_eq!((broken, induction.proved()), (Some("up"), 1));
}
