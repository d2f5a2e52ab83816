//! The compiled evaluator against the answers of independent tools, when they are at hand.

#[allow(dead_code)]
use std::path::{Path, PathBuf};

use base::Sources;
use model_compile::{Options, compile};
use pins::{FaultKind, Flow, System as _};

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    path.is_dir().then_some(path)
}

/// The cells of a line of a table without quoted cells.
fn cells(line: &str) -> Vec<&str> {
    line.split(',').collect()
}

#[test]
fn random_machines_have_the_known_state_spaces() {
    let Some(shared) = shared() else { return };
    let Ok(table) = std::fs::read_to_string(shared.join("oracle/machines.csv")) else {
        return;
    };
    let mut lines = table.lines();
    let header = cells(lines.next().unwrap_or_default());
    let column = |name: &str| header.iter().position(|cell| *cell == name);
    let columns = ["name", "full_nodes", "full_edges"].map(column);
    let [Some(name), Some(nodes), Some(edges)] = columns else {
        return;
    };
    let mut wrong = Vec::new();
    let mut compared = 0;
    for line in lines {
        let row = cells(line);
        let (Ok(nodes), Ok(edges)) = (row[nodes].parse::<usize>(), row[edges].parse::<usize>())
        else {
            continue;
        };
        // The largest spaces are left to release builds.
        if nodes > 4_000 {
            continue;
        }
        let path = shared.join(format!("oracle/machines/{}.mch", row[name]));
        let model = match crate::support::load(&path) {
            Ok(model) => model,
            Err(error) => {
                wrong.push(format!("{}: {error}", row[name]));
                continue;
            }
        };
        let system = compile(&model, &Options::default()).expect("the machine compiles");
        let found = crate::support::explore(&system, 100_000);
        compared += 1;
        if (found.nodes, found.edges) != (nodes, edges) {
            wrong.push(format!(
                "{}: {} nodes and {} edges, known are {nodes} and {edges}",
                row[name], found.nodes, found.edges
            ));
        }
    }
    assert!(compared > 200, "{compared} machines");
    // Constants that are the two elements of a deferred set of size two count as its names, not as set-ups.
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn expressions_have_the_known_values() {
    let Some(shared) = shared() else { return };
    let Ok(table) = std::fs::read_to_string(shared.join("oracle/expressions.tsv")) else {
        return;
    };
    let mut sources = Sources::new();
    let context = shared.join("oracle/context.mch");
    let mut checked = lang_b::check::check_file(&context, &mut sources);
    let mut model = lower_b::lower(&checked, &Default::default()).expect("lowers");
    let system = compile(&model, &Options::default()).expect("compiles");
    let mut worker = system.worker();
    let mut setup = Vec::new();
    worker
        .setups(&mut |vector| {
            setup = vector.to_vec();
            Flow::Stop
        })
        .expect("set-ups");
    let mut state = Vec::new();
    worker
        .initial(&setup, &mut |vector| {
            state = vector.to_vec();
            Flow::Stop
        })
        .expect("an initial state");
    let mut wrong = Vec::new();
    for line in table.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let [id, kind, text, expected] = row.as_slice() else {
            continue;
        };
        if !matches!(*kind, "expression" | "predicate" | "undefined") {
            continue;
        }
        let Ok(formula) = lower_b::formula(&mut checked, &mut model, text, &mut sources) else {
            wrong.push(format!("{id} {text}: not lowered"));
            continue;
        };
        let answer = match system.eval(&model, formula.expr, &state) {
            (_, notes) if !notes.cuts.is_empty() => "cut".to_owned(),
            (Ok(value), _) => value.show(&model.tys),
            (Err(fault), _) if fault.kind == FaultKind::Undefined => String::new(),
            (Err(fault), _) => fault.message,
        };
        if answer != *expected {
            wrong.push(format!("{id} {text}: {answer:?}, known is {expected:?}"));
        }
    }
    // Two rows expect that the operand of a set constructor is not evaluated when the element alone decides.
    assert!(wrong.len() <= 2, "{wrong:#?}");
}
