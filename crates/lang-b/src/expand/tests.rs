//! Definitions are replaced as trees, and every node knows where it came from.

use std::path::Path;

use base::Sources;
use lang_math::ExprId;
use lang_math::print::{self, Style};

use crate::check::{self, Checked};
use crate::syntax::ClauseBody;

/// Checks a machine with these definitions, whose PROPERTIES are `properties`.
fn expand(definitions: &str, properties: &str) -> Checked {
    let text = format!(
        "MACHINE M DEFINITIONS {definitions} CONSTANTS c PROPERTIES c : INTEGER & {properties} END"
    );
    check::check_text(Path::new("M.mch"), text, &mut Sources::new())
}

/// The last conjunct of the expanded PROPERTIES.
fn last(checked: &Checked) -> ExprId {
    let component = &checked.world.machines[0].component;
    let properties = component
        .clauses
        .iter()
        .find_map(|clause| match clause.body {
            ClauseBody::Properties(id) => Some(id),
            _ => None,
        });
    let conjuncts = component
        .tree
        .exprs
        .conjuncts(properties.expect("PROPERTIES"));
    *conjuncts.last().expect("a conjunct")
}

fn printed(definitions: &str, properties: &str) -> String {
    let checked = expand(definitions, properties);
    let exprs = &checked.world.machines[0].component.tree.exprs;
    print::to_string(exprs, last(&checked), &Style::default())
}

#[test]
fn arguments_and_bodies_stay_whole() {
    assert_eq!(
        printed("plus(x, y) == x + y", "c = plus(2, 3) * 10"),
        "c = (2 + 3) * 10"
    );
    assert_eq!(
        printed("twice(x) == x * 2", "c = twice(1 + 2)"),
        "c = (1 + 2) * 2"
    );
}

#[test]
fn definitions_may_use_later_ones() {
    assert_eq!(printed("a == b + 1; b == 2", "c = a"), "c = 2 + 1");
}

#[test]
fn a_parameter_hides_a_definition_of_its_name() {
    assert_eq!(printed("x == 7; same(x) == x", "c = same(1)"), "c = 1");
}

#[test]
fn a_list_of_names_may_stand_in_a_binder() {
    assert_eq!(
        printed("names == x, y", "#(names).(x : 1..2 & y = x & y = c)"),
        "#(x, y).(x : 1..2 & y = x & y = c)"
    );
}

#[test]
fn a_parameter_may_be_the_name_a_binder_introduces() {
    assert_eq!(
        printed("all(v, S) == !v.(v : S => v > 0)", "all(n, 1..c)"),
        "!n.(n : 1..c => n > 0)"
    );
}

#[test]
fn nodes_remember_the_uses_they_came_through() {
    let checked = expand("outer == inner + 1; inner == 2", "c = outer");
    let machine = &checked.world.machines[0];
    let two = (0..machine.component.tree.exprs.len())
        .map(ExprId::new)
        .find(|id| machine.origins.uses_of(*id).count() == 2)
        .expect("a node of the inner body");
    let names: Vec<&str> = machine
        .origins
        .uses_of(two)
        .map(|used| used.name.as_str())
        .collect();
    assert_eq!(names, ["inner", "outer"]);
    assert_eq!(machine.origins.uses_of(last(&checked)).count(), 0);
}
