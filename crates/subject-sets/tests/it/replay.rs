//! Every path that a check saves can be followed again, in each format that can be read.

use std::path::{Path, PathBuf};

use workbench::plan::Options;
use workbench::{Replayed, Setting, replay};

use crate::{bench, check};

const FORMATS: [&str; 3] = ["json", "itf.json", "prob2trace"];

fn folder(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

/// Checks a model and saves the path of its finding; whether there was one.
fn save(model: &Path, trace: &Path) -> bool {
    let options = Options {
        trace_out: Some(trace.to_owned()),
        max_states: Some(20_000),
        ..Options::default()
    };
    let _ = std::fs::remove_file(trace);
    let checked = check(model, &options);
    assert_eq!(checked.bug, None, "{}", model.display());
    trace.exists()
}

fn follow(model: &Path, trace: &Path) -> Replayed {
    replay(&bench(), model, trace, &Setting::default())
}

#[test]
fn paths_of_the_random_machines_are_followed_in_every_format() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/machines");
    let Ok(machines) = std::fs::read_dir(&shared) else {
        println!("skipped: ../shared is absent");
        return;
    };
    let folder = folder("replay-machines");
    let mut machines: Vec<PathBuf> = machines.flatten().map(|entry| entry.path()).collect();
    machines.retain(|path| path.extension().is_some_and(|extension| extension == "mch"));
    machines.sort();
    let mut followed = 0;
    for machine in &machines {
        for format in FORMATS {
            let trace = folder.join(format!("trace.{format}"));
            if !save(machine, &trace) {
                break;
            }
            let replayed = follow(machine, &trace);
            let outcome = replayed.outcome.expect("the trace can be read");
            assert!(
                outcome.fits,
                "{}, {format}:\n{}",
                machine.display(),
                outcome.text(true)
            );
            followed += 1;
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!(
        "{followed} paths of {} machines were followed",
        machines.len()
    );
    assert!(followed >= 100, "only {followed} paths");
}

const COUNTER: &str = "MACHINE Counter VARIABLES n, m INVARIANT n : 0..3 & m : 0..9
INITIALISATION n := 0 || m := 0
OPERATIONS up(k) = SELECT k : 1..2 THEN n := n + k END; tick = BEGIN m := (m + 1) mod 5 END END";

fn counter(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("Counter.mch");
    std::fs::write(&path, text).expect("a temporary file");
    path
}

#[test]
fn a_changed_model_says_where_the_path_stops_and_what_still_works() {
    let folder = folder("replay-changed");
    let model = counter(&folder, COUNTER);
    let trace = folder.join("t.prob2trace");
    let steps = [
        r#"{"name":"$initialise_machine"}"#,
        r#"{"name":"up","params":{"k":"2"},"destState":{"n":"2"}}"#,
        r#"{"name":"tick","destState":{"m":"1"}}"#,
        r#"{"name":"up","params":{"k":"2"},"destState":{"n":"4"}}"#,
        r#"{"name":"tick"}"#,
    ];
    let text = format!(r#"{{"transitionList":[{}]}}"#, steps.join(","));
    std::fs::write(&trace, text).expect("a temporary file");
    let outcome = follow(&model, &trace).outcome.expect("it can be read");
    assert!(outcome.fits, "{}", outcome.text(true));
    assert_eq!(
        outcome.at_end,
        ["invariant is false: n : 0..3", "  because n = 4"]
    );

    let stricter = counter(
        &folder,
        &COUNTER.replace("k : 1..2", "k : 1..2 & n + k <= 3"),
    );
    let outcome = follow(&stricter, &trace).outcome.expect("it can be read");
    let problem = outcome.problem.as_ref().expect("a step does not fit");
    assert_eq!((problem.step, problem.event.as_str()), (4, "up(k = 2)"));
    assert!(
        problem.why[0].contains("n + k <= 3 is false"),
        "{:?}",
        problem.why
    );
    let rest = outcome.rest.as_ref().expect("the rest was tried");
    assert_eq!((rest.happened, rest.steps), (false, 1));

    let other = counter(&folder, &COUNTER.replace("n := n + k", "n := k"));
    let outcome = follow(&other, &trace).outcome.expect("it can be read");
    let problem = outcome.problem.as_ref().expect("a step does not fit");
    assert_eq!(problem.step, 4);
    assert_eq!(problem.why, ["because after it n = 2, not 4"]);
    assert!(outcome.rest.expect("the rest was tried").happened);

    let renamed = counter(&folder, &COUNTER.replace("tick", "tack"));
    let outcome = follow(&renamed, &trace).outcome.expect("it can be read");
    let problem = outcome.problem.as_ref().expect("a step does not fit");
    assert_eq!(problem.step, 3);
    assert_eq!(
        problem.why,
        ["because the model has no operation tick; there is tack"]
    );
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn states_alone_are_enough() {
    let folder = folder("replay-states");
    let model = counter(&folder, COUNTER);
    let trace = folder.join("t.itf.json");
    let states = r##"{"vars":["n","m"],"states":[{"n":0,"m":0},{"n":{"#bigint":"2"},"m":0},{"n":2,"m":1}]}"##;
    std::fs::write(&trace, states).expect("a temporary file");
    let outcome = follow(&model, &trace).outcome.expect("it can be read");
    assert!(outcome.fits, "{}", outcome.text(true));
    assert_eq!(outcome.path[1].label(), "up(k = 2)");
    assert_eq!(outcome.path[2].event, "tick");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn what_is_no_path_is_refused() {
    let folder = folder("replay-refused");
    let model = counter(&folder, COUNTER);
    for (name, text) in [
        ("t.json", "{}"),
        ("t.json", "nonsense"),
        ("t.md", "# a page"),
        ("t.txt", ""),
        ("t.prob2trace", r#"{"metadata":{"formatVersion":99}}"#),
        ("t.itf.json", r#"{"states":[1]}"#),
    ] {
        let trace = folder.join(name);
        std::fs::write(&trace, text).expect("a temporary file");
        let replayed = follow(&model, &trace);
        assert!(replayed.outcome.is_none(), "{name}: {text}");
        assert_eq!(replayed.lint.exit(), 2, "{name}: {text}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}
