//! Properties without a solution: the conflict that is reported has none either, and no conjunct of it can be left out.

// Only its loader is used here.
#[allow(dead_code)]
use model_compile::{Options, compile};
use model_interp::{Interp, StopKind};

/// Constants and conjuncts that contradict each other.
const CASES: &[(&str, &[&str])] = &[
    ("x", &["x : 1..5", "x > 7"]),
    (
        "a,b,c,f",
        &[
            "a : 1..3",
            "b : 1..3",
            "c : 1..3",
            "f : 1..3 --> 1..5",
            "a < b",
            "b < c",
            "c < 3",
            "f(1) = 2",
        ],
    ),
    (
        "s,t",
        &[
            "s <: 1..3",
            "t <: 1..3",
            "s /\\ t = {}",
            "card(s) = 2",
            "card(t) = 2",
            "1 : s",
        ],
    ),
    ("f", &["f : 1..4 >-> 1..3", "f(1) = 2"]),
    ("x,y", &["x : 0..9", "y : 0..9", "x + y = 19", "x /= 3"]),
    ("x", &["x : 1..3", "card({1,2,2}) = 3", "x = 2"]),
    (
        "p,q,r",
        &[
            "p : 0..1", "q : 0..1", "r : 0..1", "p /= q", "q /= r", "p /= r",
        ],
    ),
];

fn machine(names: &str, conjuncts: &[&str]) -> String {
    // A constant needs a type even when no conjunct of the subset gives one.
    let mut mentioned: Vec<&str> = names.split(',').collect();
    mentioned.retain(|name| {
        conjuncts.iter().any(|conjunct| {
            conjunct
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == *name)
        })
    });
    let constants = if mentioned.is_empty() {
        String::new()
    } else {
        format!("CONSTANTS {} ", mentioned.join(","))
    };
    format!(
        "MACHINE M {constants}PROPERTIES {} END",
        if conjuncts.is_empty() {
            "1=1".to_owned()
        } else {
            conjuncts.join(" & ")
        }
    )
}

fn has_solution(names: &str, conjuncts: &[&str]) -> bool {
    let model =
        crate::support::load_text(&machine(names, conjuncts)).expect("the subset is a machine");
    let mut interp = Interp::new(&model, model_interp::Options::default());
    match interp.setups(1) {
        Ok(setups) => !setups.is_empty(),
        // None was found where it looked; a solution behind a cut is none that it can show.
        Err(stop) => {
            assert_eq!(stop.kind, StopKind::Open, "the subset is defined");
            false
        }
    }
}

#[test]
fn a_conflict_is_unsatisfiable_and_minimal() {
    for (names, conjuncts) in CASES {
        let text = machine(names, conjuncts);
        let model = crate::support::load_text(&text).expect("the case is a machine");
        let compiled = compile(&model, &Options::default()).expect("the machine compiles");
        let conflict = compiled.conflict(&model).expect("a reason is found");
        assert!(conflict.is_minimal, "minimal for {text}");
        // The conjuncts of the text, in order, are those of the model.
        let mut all = Vec::new();
        let mut todo: Vec<_> = model.properties.iter().rev().map(|p| p.predicate).collect();
        while let Some(expr) = todo.pop() {
            match &model.exprs[expr].kind {
                model::Kind::Op(lang_math::Op::And, args) => todo.extend(args.iter().rev()),
                _ => all.push(expr),
            }
        }
        assert_eq!(all.len(), conjuncts.len());
        let chosen: Vec<&str> = all
            .iter()
            .zip(conjuncts.iter())
            .filter(|(expr, _)| conflict.conjuncts.contains(expr))
            .map(|(_, text)| *text)
            .collect();
        assert!(!has_solution(names, &chosen), "{chosen:?} has a solution");
        for i in 0..chosen.len() {
            let mut fewer = chosen.clone();
            fewer.remove(i);
            // What is left may mention a constant without a type: then it is not a machine, and was kept for that.
            if crate::support::load_text(&machine(names, &fewer)).is_ok() {
                assert!(has_solution(names, &fewer), "{} is not needed", chosen[i]);
            }
        }
    }
}

#[test]
fn bounded_questions_about_variables_are_answered() {
    let text = "MACHINE M VARIABLES x,y,s INVARIANT x : 0..9 & y : 0..9 & s <: 0..9 & x > y & x + y = 9 & y : s \
        & x + y = 8 INITIALISATION x,y,s := 0,0,{} END";
    let model = crate::support::load_text(text).expect("a machine");
    let compiled = compile(&model, &Options::default()).expect("it compiles");
    let unknowns: Vec<_> = model
        .variables
        .iter()
        .map(|(id, _)| model_compile::Unknown::Var(id))
        .collect();
    let conjuncts: Vec<_> = model.invariants.iter().map(|c| c.predicate).collect();
    let ask =
        |conjuncts: &[model::ExprId]| compiled.satisfiable(&model, &unknowns, conjuncts, 1_000_000);
    assert_eq!(ask(&conjuncts[..6]), Some(true));
    assert_eq!(ask(&conjuncts), Some(false));
    assert_eq!(ask(&[]), Some(true));
}

#[test]
fn satisfiable_properties_have_no_conflict() {
    let text = machine("x", &["x : 1..5", "x > 3"]);
    let model = crate::support::load_text(&text).expect("a machine");
    let compiled = compile(&model, &Options::default()).expect("it compiles");
    assert!(compiled.conflict(&model).is_none());
}
