//! Evaluates the lines of standard input in the first initial state of a machine, one answer a line.

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)]
mod support;

use std::io::BufRead as _;
use std::path::Path;

use base::Sources;
use model_compile::{Options, compile};
use pins::{FaultKind, Flow, System as _};

fn main() {
    let path = std::env::args().nth(1).expect("a machine");
    let mut sources = Sources::new();
    let mut checked = lang_b::check::check_file(Path::new(&path), &mut sources);
    let mut model = lower_b::lower(&checked, &Default::default()).expect("lowers");
    let compiled = compile(&model, &Options::default()).expect("compiles");
    let mut state = Vec::new();
    let mut worker = compiled.worker();
    let mut setups = Vec::new();
    worker
        .setups(&mut |setup| {
            setups.push(setup.to_vec());
            Flow::Stop
        })
        .expect("set-ups");
    worker
        .initial(&setups[0], &mut |initial| {
            state = initial.to_vec();
            Flow::Stop
        })
        .expect("an initial state");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let formula = lower_b::formula(&mut checked, &mut model, &line, &mut sources);
        let answer = match formula {
            Err(_) => "!type".to_owned(),
            Ok(formula) => match compiled.eval(&model, formula.expr, &state) {
                (Ok(value), _) => value.show(&model.tys),
                (Err(fault), _) => match fault.kind {
                    FaultKind::Undefined
                    | FaultKind::Violated
                    | FaultKind::Assertion
                    | FaultKind::Observed
                    | FaultKind::Refinement => {
                        format!("!undefined {}", fault.message)
                    }
                    FaultKind::Unsupported => format!("!unsupported {}", fault.message),
                    FaultKind::Budget | FaultKind::Cut | FaultKind::Halted => {
                        format!("!open {}", fault.message)
                    }
                },
            },
        };
        println!("{answer}");
    }
}
