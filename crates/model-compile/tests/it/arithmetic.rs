//! Linear arithmetic decides what an enumeration had to cut; sets whose elements are rules; sets that are nothing although a
//! part of them is infinite. Both evaluators are asked, and must say the same or that they do not know.

use base::Sources;
use model_compile::{Options, compile};
use model_interp::{Interp, State};

/// Whether each formula is true, `?` for the undefined, `oo` for the unknown, by both evaluators.
fn claims(claims: &[(&str, &str)]) {
    let mut sources = Sources::new();
    let path = std::path::Path::new("m.mch");
    let text = "MACHINE m VARIABLES n INVARIANT n=9 INITIALISATION n:=9 END".to_owned();
    let mut checked = lang_b::check::check_text(path, text, &mut sources);
    let mut model = lower_b::lower(&checked, &Default::default()).expect("lowers");
    let system = compile(&model, &Options::default()).expect("compiles");
    let state = system.encode(&[model::Value::Int(9.into())]);
    let mut wrong = Vec::new();
    for (text, expected) in claims {
        let formula = lower_b::formula(&mut checked, &mut model, text, &mut sources);
        let formula = formula.unwrap_or_else(|_| panic!("{text}"));
        let compiled = match system.eval(&model, formula.expr, &state).0 {
            Ok(value) => value.show(&model.tys),
            Err(fault) if fault.kind.leaves_open() => "oo".to_owned(),
            Err(_) => "?".to_owned(),
        };
        let mut interp = Interp::new(&model, Default::default());
        let plain = State::new(vec![Some(model::Value::Int(9.into()))]);
        let reference = match interp.holds(formula.expr, &plain) {
            Ok(true) => "TRUE",
            Ok(false) => "FALSE",
            Err(stop) if stop.is_open() => "oo",
            Err(_) => "?",
        };
        if compiled != *expected || reference != *expected {
            wrong.push(format!(
                "{text}: {compiled} and {reference}, not {expected}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn sets_of_integers_by_rules_are_compared() {
    claims(&[
        ("{x|x>5} <: {x|x>3}", "TRUE"),
        ("{x|x>3} <: {x|x>5}", "FALSE"),
        ("{x|x>5} = {x|x>=6}", "TRUE"),
        ("{x|x>5} - {x|x>n} = 6..9", "TRUE"),
        (
            "{x|x:INTEGER & x>5} \\/ {x|x:INTEGER & x<8} = INTEGER",
            "TRUE",
        ),
        (
            "{x|x:NATURAL & x mod 6 = 0} = {x|x:NATURAL & x mod 2 = 0} /\\ {x|x:NATURAL & x mod 3 = 0}",
            "TRUE",
        ),
        ("UNION(x).(x:NATURAL|{2*x,2*x+1}) = NATURAL", "TRUE"),
        ("INTER(x).(x:NATURAL1|0..x) = {0,1}", "TRUE"),
        ("{x|x>5} : FIN(INTEGER)", "FALSE"),
    ]);
}

#[test]
fn relations_by_rules_are_composed_and_mapped() {
    claims(&[
        (
            "dom(dom({x,y,r|x:INTEGER & y:INTEGER & r=x+y})) = INTEGER",
            "TRUE",
        ),
        (
            "ran({x,y,r|x:NATURAL & y:NATURAL & r=x+y}) = NATURAL1",
            "FALSE",
        ),
        ("(%x.(x:INTEGER|2*x))~[NATURAL] = NATURAL", "TRUE"),
        ("(%x.(x:INTEGER|2*x))[NATURAL] = NATURAL", "FALSE"),
        (
            "(%x.(x:INTEGER|x+1);%x.(x:INTEGER|x*2)) = %x.(x:INTEGER|2*x+2)",
            "TRUE",
        ),
        (
            "NATURAL <<| %x.(x:INTEGER|x) = %x.(x:INTEGER & x<0|x)",
            "TRUE",
        ),
        ("(NATURAL <| id(INTEGER)) = id(NATURAL)", "TRUE"),
        ("%x.(x:NATURAL|x+1) : NATURAL >->> NATURAL1", "TRUE"),
        ("%x.(x:NATURAL|x-1) : NATURAL --> NATURAL", "FALSE"),
    ]);
}

#[test]
fn quantifiers_over_several_integers_are_removed() {
    claims(&[
        ("!x.(x:INTEGER => #y.(y:INTEGER & y>x))", "TRUE"),
        ("#y.(y:INTEGER & !x.(x:INTEGER => y>x))", "FALSE"),
        ("!x,y.(x:INTEGER & y:INTEGER => x+y=y+x)", "TRUE"),
        (
            "!x.(x:NATURAL & x>7 => #(a,b).(a:NATURAL & b:NATURAL & 3*a+5*b=x))",
            "TRUE",
        ),
        (
            "!x.(x:NATURAL & x>6 => #(a,b).(a:NATURAL & b:NATURAL & 3*a+5*b=x))",
            "FALSE",
        ),
        ("#(x,y).(x:INTEGER & y:INTEGER & 3*x+6*y=7)", "FALSE"),
        ("!x.(x:NATURAL => (%y.(y:NATURAL|y+x))(3) = x+3)", "TRUE"),
    ]);
}

/// Cardinalities of products with an infinite factor were undefined although another one is empty, and finite power sets were
/// taken for power sets.
#[test]
fn an_empty_part_makes_nothing_of_an_infinite_one() {
    claims(&[
        ("(NATURAL*(1..0)) = {}", "TRUE"),
        ("card(NATURAL*(1..0)) = 0", "TRUE"),
        ("({} --> STRING) = {{}}", "TRUE"),
        ("(NATURAL --> {}) = {}", "TRUE"),
        ("(NATURAL +-> {}) = {{}}", "TRUE"),
        ("FIN(NATURAL) = POW(NATURAL)", "FALSE"),
        ("FIN1(NATURAL) <: FIN(NATURAL)", "TRUE"),
    ]);
}

/// Sets of rules were compared as data.
#[test]
fn equal_rules_are_one_element() {
    claims(&[
        ("{STRING} = {STRING/\\STRING}", "TRUE"),
        ("card({STRING,STRING/\\STRING}) = 1", "TRUE"),
        ("{STRING}-{STRING/\\STRING} = {}", "TRUE"),
        ("{STRING|->1}[{STRING/\\STRING}] = {1}", "TRUE"),
        ("{rec(a:STRING)} = {rec(a:STRING/\\STRING)}", "TRUE"),
    ]);
}
