//! Formulas by themselves and in a part of a project, and the codes that diagnostics may have.

use std::collections::BTreeSet;
use std::path::Path;

use subject::Setting;
use subject::setting::Part;
use workbench::choice::Evaluator;
use workbench::{Halt, Session};

use crate::bench;

/// The session of a part of a project, or of no file.
fn session(path: Option<&Path>, part: Part, evaluator: Option<Evaluator>) -> Session {
    let setting = Setting {
        part,
        ..Setting::default()
    };
    match Session::open(&bench(), path, &setting, evaluator, &Halt::default()) {
        Ok(session) => session,
        Err(lint) => panic!("it has errors: {:?}", lint.diagnostics),
    }
}

#[test]
fn answers_are_values_truths_or_reasons() {
    for evaluator in [Some(Evaluator::Reference), Some(Evaluator::Compiled), None] {
        let mut session = session(None, Part::default(), evaluator);
        answers(&mut session);
    }
}

fn answers(session: &mut Session) {
    for (formula, expected) in [
        ("1+1", "2"),
        ("{3,1,2}", "{1,2,3}"),
        ("1<2", "TRUE"),
        ("1/0", "!undefined division by zero"),
        ("1+TRUE", "!type *"),
        ("1+", "!syntax *"),
        ("NATURAL", "!open *"),
        ("perm(NATURAL) = {}", "!undefined *"),
        ("[1] : perm(INTEGER)", "!undefined *"),
        ("card(perm(1..3))", "6"),
        ("#x.(x:INTEGER & x*x=-4)", "FALSE"),
        ("#x.(x:INTEGER & x*x=4)", "TRUE"),
    ] {
        let answer = session.answer(formula).to_string();
        let fits = match expected.strip_suffix('*') {
            Some(beginning) => answer.starts_with(beginning),
            None => answer == expected,
        };
        assert!(fits, "{formula} gives {answer}, not {expected}");
    }
}

#[test]
fn every_code_has_its_own_id_and_an_explanation() {
    let mut ids = BTreeSet::new();
    for code in workbench::codes::all(&bench().languages) {
        assert!(ids.insert(code.id), "{} is used twice", code.id);
        assert!(
            !code.title.is_empty() && !code.explain.is_empty(),
            "{}",
            code.id
        );
    }
}

#[test]
fn formulas_are_those_of_the_wanted_level() {
    let ferry = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/eventb/ferry.eventb");
    let abstract_level = Part {
        level: Some(0),
        ..Part::default()
    };
    for evaluator in [Some(Evaluator::Reference), Some(Evaluator::Compiled), None] {
        let mut concrete = session(Some(&ferry), Part::default(), evaluator);
        assert_eq!(concrete.answer("light").to_string(), "red");
        let mut abstract_one = session(Some(&ferry), abstract_level.clone(), evaluator);
        assert_eq!(abstract_one.answer("aboard").to_string(), "{}");
        let unknown = abstract_one.answer("light").to_string();
        assert!(unknown.starts_with("!type"), "{unknown}");
    }
}
