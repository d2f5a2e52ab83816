//! Holds compiled models to the laws of `pins::System`, alone and under the wrapper that remembers answers.

#[allow(dead_code)]
use std::path::{Path, PathBuf};

use crate::support::{load, load_text};
use model_compile::{Compiled, Options, Wd, compile};
use pins::check_laws;

/// So many states of each model.
const SAMPLES: usize = 40;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("the entry can be read").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "mch") {
            found.push(path);
        }
    }
}

/// The models that are checked in tests, with the name of their file.
fn systems() -> Vec<(String, Compiled)> {
    let mut paths = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["tests/b/check", "examples", "benches/models"] {
        files(&root.join(folder), &mut paths);
    }
    let mut systems = Vec::new();
    for path in paths {
        let Ok(model) = load(&path) else { continue };
        for wd in [Wd::Default, Wd::Strict, Wd::Lenient] {
            let options = Options {
                wd,
                guards: true,
                ..Options::default()
            };
            if let Ok(system) = compile(&model, &options) {
                systems.push((format!("{} {wd:?}", path.display()), system));
            }
        }
    }
    systems
}

#[test]
fn compiled_models_obey_the_laws() {
    let mut states = 0;
    for (name, system) in systems() {
        match check_laws(&system, SAMPLES) {
            Ok(count) => states += count,
            Err(broken) => panic!("{name}: {broken}"),
        }
    }
    assert!(states > 400, "{states} states in all");
}

#[test]
fn laws_hold_whatever_undefined_expressions_mean() {
    let text = "MACHINE M VARIABLES f, x, y INVARIANT f : 1..3 +-> 1..3 & x : 0..4 & y : 0..4
        INITIALISATION f := {1|->2, 2|->3} || x := 0 || y := 0
        OPERATIONS
          look(i) = SELECT i : 0..4 & f(i) > x THEN x := f(i) END;
          bad = SELECT y > 2 THEN x := f(y) END;
          up = SELECT y < 4 THEN y := y + 1 END
        END";
    let model = load_text(text).expect("the text is a machine");
    for wd in [Wd::Default, Wd::Strict, Wd::Lenient] {
        let options = Options {
            wd,
            ..Options::default()
        };
        let system = compile(&model, &options).expect("the machine compiles");
        check_laws(&system, 100).expect("the laws hold");
    }
}
