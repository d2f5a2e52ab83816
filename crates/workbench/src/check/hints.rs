//! Says what a reader of the figures would notice: events that never happen, variables that never change,
//! the variable that makes the state space large.

use crate::report::{OperationCount, VariableCount, grouped};

/// Below this many states nobody asks why there are so many.
const LARGE: u64 = 100_000;
/// A variable with so many values is one to look at.
const MANY_VALUES: u64 = 1_000;

/// What the figures suggest; `is_complete` says whether every state was seen.
pub(super) fn hints(
    (states, event): (u64, &str),
    operations: &[OperationCount],
    variables: &[VariableCount],
    is_complete: bool,
) -> Vec<String> {
    let mut hints = Vec::new();
    if states > 0 {
        let unseen_ones = operations
            .iter()
            .filter(|count| !count.happens && !count.goes_wrong);
        for operation in unseen_ones {
            hints.push(unseen(event, operation, is_complete));
        }
    }
    let some_change = variables.iter().any(|variable| variable.values > 1);
    if is_complete && some_change {
        for variable in variables.iter().filter(|variable| variable.values == 1) {
            hints.push(format!(
                "variable {} never changes: it could be a constant",
                variable.name
            ));
        }
    }
    if states >= LARGE
        && let Some(most) = variables.iter().max_by_key(|variable| variable.values)
        && most.values >= MANY_VALUES
    {
        hints.push(format!(
            "variable {} takes {} values, more than any other: a smaller range makes the state space smaller",
            most.name,
            grouped(most.values)
        ));
    }
    hints
}

/// What is said of an event that never happens, with its place, and that its guard is not what keeps it from happening.
fn unseen(event: &str, operation: &OperationCount, is_complete: bool) -> String {
    let mut text = format!(
        "{event} {} {}",
        operation.name,
        match is_complete {
            true => "never happens",
            false => "did not happen so far",
        }
    );
    if let Some(place) = &operation.place {
        text.push_str(&format!(" ({place})"));
    }
    if operation.blocked > 0 {
        text.push_str(&format!(
            ": its guard held {} times, but no values after it satisfied the rest",
            grouped(operation.blocked)
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation(name: &str, transitions: u64) -> OperationCount {
        OperationCount {
            name: name.to_owned(),
            transitions: Some(transitions.into()),
            happens: transitions > 0,
            place: None,
            blocked: 0,
            goes_wrong: false,
        }
    }

    fn variable(name: &str, values: u64) -> VariableCount {
        VariableCount {
            name: name.to_owned(),
            values,
            at_least: false,
        }
    }

    #[test]
    fn dead_operations_and_still_variables_are_named() {
        let operations = [operation("go", 3), operation("stop", 0)];
        let variables = [variable("x", 4), variable("y", 1)];
        assert_eq!(
            hints((4, "operation"), &operations, &variables, true),
            [
                "operation stop never happens",
                "variable y never changes: it could be a constant"
            ]
        );
        assert_eq!(
            hints((4, "operation"), &operations, &variables, false),
            ["operation stop did not happen so far"]
        );
    }

    #[test]
    fn an_operation_that_goes_wrong_happens() {
        let mut wrong = operation("stop", 0);
        wrong.goes_wrong = true;
        let none: [String; 0] = [];
        assert_eq!(hints((4, "operation"), &[wrong], &[], false), none);
    }

    #[test]
    fn what_keeps_an_operation_from_happening_is_told() {
        let stuck = OperationCount {
            place: Some("m.tex:4:1".to_owned()),
            blocked: 1_200,
            ..operation("stop", 0)
        };
        assert_eq!(
            hints((4, "operation"), &[stuck], &[], true),
            [
                "operation stop never happens (m.tex:4:1): its guard held 1,200 times, but no values after it satisfied the rest"
            ]
        );
    }

    #[test]
    fn the_variable_that_explodes_is_named() {
        let variables = [variable("x", 4), variable("n", 50_000)];
        let hints = hints((200_000, "operation"), &[], &variables, false);
        assert_eq!(hints.len(), 1);
        assert!(hints[0].starts_with("variable n takes 50,000 values"));
    }

    #[test]
    fn nothing_is_said_about_a_model_that_did_not_start() {
        assert_eq!(
            hints((0, "operation"), &[operation("go", 0)], &[], true),
            [""; 0]
        );
    }
}
