//! Every clause of every machine that takes part counts: properties without constants, constraints and assertions of
//! included machines.

mod support;

use std::path::Path;

use model_compile::{Options, compile};
use pins::FaultKind;
use support::{Explored, explore, load};

fn explored(name: &str) -> Explored {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/b/check/clauses");
    let model = load(&folder.join(name)).expect("the file is a machine");
    let system = compile(&model, &Options::default()).expect("compiles");
    explore(&system, 1000)
}

#[test]
fn properties_over_names_of_elements_are_evaluated() {
    // Two elements on both sides.
    assert_eq!(explored("names_of_elements.mch").states, 0);
    let found = explored("names_of_elements_undefined.mch");
    assert_eq!(found.states, 0);
    assert_eq!(found.faults[0].kind, FaultKind::Undefined);
}

#[test]
fn constraints_of_included_machines_are_properties() {
    assert_eq!(explored("parameter_outside_its_constraint.mch").states, 0);
    let found = explored("constant_within_a_constraint.mch");
    assert_eq!((found.setups, found.states), (2, 3 + 4));
}

#[test]
fn assertions_of_included_machines_are_labels() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/b/check/clauses");
    let model = load(&folder.join("assertion_of_an_included_machine.mch")).expect("a machine");
    assert_eq!(model.assertions.len(), 1);
}
