//! Agreement with other tools may only rise: each comparison has a floor.

use xtask::corpus::{self, Comparison};

fn reaches_its_floors(comparison: Comparison) {
    let Some(agreements) = corpus::run(comparison) else {
        return;
    };
    let agreements = agreements.expect("the tables can be read");
    for agreement in &agreements {
        println!("{agreement}");
    }
    for agreement in agreements {
        assert!(
            agreement.holds(),
            "{agreement}\n{}",
            agreement.disagreements.join("\n")
        );
    }
}

#[test]
fn files_parse_where_prob_parses_them() {
    reaches_its_floors(corpus::parse);
}

#[test]
fn formulas_are_judged_as_prob_judges_them() {
    reaches_its_floors(corpus::expressions);
}

#[test]
fn files_type_where_prob_types_them() {
    reaches_its_floors(corpus::types);
}

#[test]
fn well_behaved_models_are_accepted() {
    reaches_its_floors(corpus::grade_a);
}
