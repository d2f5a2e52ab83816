//! What was not looked at is unknown, unless what was looked at decides; and what arithmetic decides is decided.

use base::Sources;
use model_compile::{Options, compile};
use pins::{FaultKind, Flow, System as _};

/// MAXINT is 3 and MININT is -1.
const CONTEXT: &str = "MACHINE m FREETYPES List = nil, cons(INTEGER*List)
    VARIABLES n, f INVARIANT n=9 & f:NATURAL-->NATURAL INITIALISATION n:=9 || f := %x.(x:NATURAL|x+x) END";

/// Values as canonical text, `?` for the undefined, `oo` for the unknown.
fn claims(claims: &[(&str, &str)]) {
    let mut sources = Sources::new();
    let path = std::path::Path::new("m.mch");
    let mut checked = lang_b::check::check_text(path, CONTEXT.to_owned(), &mut sources);
    let mut model = lower_b::lower(&checked, &Default::default()).expect("lowers");
    let system = compile(&model, &Options::default()).expect("compiles");
    let mut worker = system.worker();
    let mut setup = Vec::new();
    let answer = worker.setups(&mut |vector| {
        setup = vector.to_vec();
        Flow::Stop
    });
    answer.expect("set-ups");
    let mut state = Vec::new();
    let answer = worker.initial(&setup, &mut |vector| {
        state = vector.to_vec();
        Flow::Stop
    });
    answer.expect("an initial state");
    let mut wrong = Vec::new();
    for (text, expected) in claims {
        let formula = lower_b::formula(&mut checked, &mut model, text, &mut sources);
        let formula = formula.unwrap_or_else(|_| panic!("{text}"));
        let (answer, notes) = system.eval(&model, formula.expr, &state);
        assert!(notes.cuts.is_empty(), "{text}: {:?}", notes.cuts);
        let found = match answer {
            Ok(value) => value.show(&model.tys),
            Err(fault) if fault.kind == FaultKind::Undefined => "?".to_owned(),
            Err(fault) if fault.kind.leaves_open() => "oo".to_owned(),
            Err(fault) => fault.message,
        };
        if found != *expected {
            wrong.push(format!("{text}: {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_was_not_looked_at_is_unknown_unless_the_rest_decides() {
    claims(&[
        ("card({u|u>7 & (u mod 2)*u=0})", "oo"),
        ("min({u|u:NATURAL & u*u>7})", "oo"),
        ("#u.(u:STRING & u/=u)", "oo"),
        ("min({u|u:NATURAL1})", "oo"),
        ("min(NATURAL1\\/{-5})", "oo"),
        ("max(NATURAL)", "?"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33)", "oo"),
        ("#u.(u:NATURAL & u mod 7=3)", "TRUE"),
        ("!u.(u:NATURAL => u mod 7/=3)", "FALSE"),
        ("!u.(u:NATURAL => (u mod 70)*u/=2*33*2*33)", "oo"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) or 1=1", "TRUE"),
        ("1=2 or #u.(u:NATURAL & (u mod 70)*u=2*33*2*33)", "oo"),
        (
            "1=2 or #u.(u:NATURAL & (u mod 70)*u=2*33*2*33) or 2=2",
            "TRUE",
        ),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) & 1=2", "FALSE"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) => 1=1", "TRUE"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) => 1=2", "oo"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) & 1/0=1", "oo"),
        ("not(#u.(u:NATURAL & (u mod 70)*u=2*33*2*33))", "oo"),
        ("bool(#u.(u:NATURAL & (u mod 70)*u=2*33*2*33))", "oo"),
        ("!v.(v:1..3 => #u.(u:NATURAL & u mod 7=v))", "TRUE"),
        ("!v.(v:1..4 => #u.(u:NATURAL & (u mod 70)*u=v*v*v*v))", "oo"),
        (
            "#v.(v:1..4 & not(#u.(u:NATURAL & (u mod 70)*u=v*v*v*v)))",
            "oo",
        ),
        ("{v|v:1..4 & #u.(u:NATURAL & (u mod 70)*u=v*v*v*v)}", "oo"),
        ("{u|u:NATURAL & (u mod 70)*u=2*33*2*33}={}", "oo"),
        ("{u|u:NATURAL & u mod 7=3}={}", "FALSE"),
        ("SIGMA(u).(u:NATURAL & (u mod 70)*u=2*33*2*33|u)", "oo"),
        ("#s.(s:NATURAL --> {0,1} & s(0)=0)", "oo"),
        ("#s.(s:NATURAL +-> {0,1} & s={1|->1})", "TRUE"),
        ("#r.(r:REAL & r*r=7.5)", "oo"),
        ("#l.(l:List & l/=nil)", "TRUE"),
        ("!l.(l:List => l=nil or l:ran(cons))", "oo"),
    ]);
}

#[test]
fn a_quantifier_that_was_cut_looks_near_the_numbers_that_it_is_about() {
    claims(&[
        ("#u.(u:NATURAL & u mod 7=6)", "TRUE"),
        ("!u.(u:NATURAL => u mod 7/=6)", "FALSE"),
        ("#m.(m:NATURAL & !u.(u:{50,n} => u<=m))", "TRUE"),
        ("!m.(m:INTEGER => #u.(u:{-50,n} & u<=m))", "FALSE"),
        ("#r.(r:REAL & r>7.5)", "TRUE"),
        ("#u.(u:NATURAL & u*u*u>n & u mod 2=0)", "TRUE"),
        ("#u.(u:NATURAL & u*u*u=n*n)", "FALSE"),
    ]);
}

#[test]
fn beyond_some_number_a_formula_says_nothing_new() {
    claims(&[
        ("!u.(u:NATURAL => u*u>=u)", "TRUE"),
        ("!u.(u:INTEGER => u*u*u>=u)", "FALSE"),
        ("!u.(u:NATURAL => (u*u+u) mod 2=0)", "TRUE"),
        ("!u.(u:NATURAL => u mod 3:{0,1,2})", "TRUE"),
        ("!u.(u:NATURAL => u mod 30:0..28)", "FALSE"),
        ("!u.(u:NATURAL & u mod 2=0 => u/2*2=u)", "TRUE"),
        ("!u.(u:NATURAL => u/3+u/2<=u)", "TRUE"),
        ("#u.(u mod 17=3 & u mod 5=4 & u>n*n)", "TRUE"),
        ("#u.(u:NATURAL & u mod 6=3 & u mod 4=2)", "FALSE"),
        ("!u.(u/=0 => (n+u,n)/:{(n,n),(8,7)})", "TRUE"),
        ("!u.(u/=1 => (n-u,n)/:{(n,n),(8,n)})", "FALSE"),
    ]);
}

#[test]
fn forms_and_arithmetic_decide_without_enumeration() {
    claims(&[
        ("!u.(u:NATURAL => u>=0)", "TRUE"),
        ("!u.(u:NATURAL => u<50)", "FALSE"),
        ("#u.(u:NATURAL & u>50)", "TRUE"),
        ("{u|u*u=4}", "{-2,2}"),
        ("{u|u*u<5}", "{-2,-1,0,1,2}"),
        ("{u|u*u= -4}", "{}"),
        ("{u|2*u+1=9}", "{4}"),
        ("{u|2*u+1=8}", "{}"),
        ("{u|3-2*u>0 & u+u>= -3}", "{-1,0,1}"),
        ("{u,v|u+v=10 & u-v=4}", "{(7|->3)}"),
        ("{u,v|u+v=10 & u-v=5}", "{}"),
        ("{u,v,w|u+v+w=6 & u-v=0 & 2*v=w}", "{}"),
        ("{u,v,w|u+v+w=8 & u-v=0 & 2*v=w}", "{((2|->2)|->4)}"),
        ("n : ran(%u.(u:NATURAL|2*u+1))", "TRUE"),
        ("n+1 : ran(%u.(u:NATURAL|2*u+1))", "FALSE"),
        ("16 : ran(%u.(u:INTEGER|u*u))", "TRUE"),
        ("17 : ran(%u.(u:INTEGER|u*u))", "FALSE"),
        ("50 : UNION(u).(u:NATURAL|{u})", "TRUE"),
        ("-50 : UNION(u).(u:NATURAL|{u})", "FALSE"),
        ("100 : ran(f)", "TRUE"),
        ("101 : ran(f)", "FALSE"),
        ("f~[{100}]", "{50}"),
        ("nil : ran(cons)", "FALSE"),
        ("cons(7|->nil) : ran(cons)", "TRUE"),
    ]);
}

#[test]
fn forms_tell_emptiness_and_membership_in_spaces() {
    claims(&[
        ("INTEGER --> INTEGER <: {}", "FALSE"),
        ("INTEGER --> {x|x:1..3 & x>4} <: {}", "TRUE"),
        ("{} --> INTEGER <: {}", "FALSE"),
        ("INTEGER <<-> {x|x:1..3 & x>4} <: {}", "TRUE"),
        ("seq1(INTEGER) <: seq(INTEGER)", "TRUE"),
        ("iseq1(INTEGER) <: seq1(INTEGER)", "TRUE"),
        ("seq1({x|x:1..3 & x>4}) = {}", "TRUE"),
        ("POW1(INTEGER) = {}", "FALSE"),
        ("INTEGER*{0} : INTEGER --> NATURAL", "TRUE"),
        ("NATURAL*{0} : INTEGER --> NATURAL", "FALSE"),
        ("INTEGER*{0,1} : INTEGER --> NATURAL", "FALSE"),
        ("INTEGER*{0,1} : INTEGER <-> NATURAL", "TRUE"),
        ("INTEGER*{-1} : INTEGER --> NATURAL", "FALSE"),
        ("INTEGER*{0} : INTEGER >-> NATURAL", "FALSE"),
        ("INTEGER*{0} : INTEGER -->> {0}", "TRUE"),
        ("INTEGER*{0} : INTEGER -->> {0,1}", "FALSE"),
        ("%u.(u:INTEGER|n) : INTEGER --> NATURAL", "TRUE"),
        ("%u.(u:INTEGER|-n) : INTEGER --> NATURAL", "FALSE"),
    ]);
}

#[test]
fn rules_are_applied_and_powers_have_roots() {
    claims(&[
        ("#(g,u).(g=%x.(x:INTEGER|x+u) & g(5)=1005)", "TRUE"),
        ("#(g,u).(g=%x.(x:INTEGER|x+x) & g(g(g(u)))=1000)", "TRUE"),
        (
            "#(g,u).(g=%x.(x:INTEGER|x+x) & g(g(g(g(u))))=1000)",
            "FALSE",
        ),
        (
            "#(g,u).(g=%x.(x:INTEGER|x*x*x) & g(g(u))=134217728)",
            "TRUE",
        ),
        (
            "#(g,u).(g=%x.(x:INTEGER|x*x*x) & g(g(u))=134217721)",
            "FALSE",
        ),
        (
            "#(g,u).(u:NATURAL & g=%x.(x:INTEGER|x+u) & g(0)*g(2)=120)",
            "TRUE",
        ),
        (
            "#(g,u).(u:NATURAL & g=%x.(x:INTEGER|x+u) & g(0)*g(2)=121)",
            "FALSE",
        ),
        ("{u|u*u*u= -27}", "{-3}"),
        ("{u|u**4=81}", "{-3,3}"),
        ("{u|u*(u-1)=6}", "{-2,3}"),
    ]);
}

#[test]
fn numbers_in_pairs_and_lists_are_found_by_what_holds_them() {
    claims(&[
        (
            "!u.(u/=0 => (1+u|->2) /: {1|->2, 1|->3} & (1|->2+u) /: {1|->2})",
            "TRUE",
        ),
        ("!u.(u/=0 => (1+u|->2) /: {1|->2, 7|->2})", "FALSE"),
        ("{u|(3-2*u|->u) : {3|->0, -1|->2, 1|->5}}", "{0,2}"),
        ("#(u,v).([1,u,3,u+1,4,v] : perm(1..6))", "TRUE"),
        ("#(u,v).({u} \\/ {v} = 50..51 & u<v)", "TRUE"),
        ("{u|u:1..9 & u : ran(%x.(x:NATURAL|2*x+1))}", "{1,3,5,7,9}"),
        ("id(1..9000000) : perm(1..9000000)", "TRUE"),
        ("id(2..9000000) : perm(2..9000000)", "FALSE"),
        ("id(1..9000000) : iseq(NATURAL)", "TRUE"),
        ("{1|->2, 3|->4, 5|->4}[3..9000000]", "{4}"),
    ]);
}

#[test]
fn a_quantifier_ends_at_a_witness_where_what_stands_before_makes_the_rest_defined() {
    claims(&[
        // All functions but few are witnesses: nobody would see the end of them.
        ("#g.(g:1..30-->1..30 & !x.(x:1..30 => g(x)/=x))", "TRUE"),
        ("#g.(g:1..30-->1..30 & !x.(x:2..30 => g(x-1)/=x))", "TRUE"),
        // A candidate that is undefined makes the quantifier undefined, also after a witness.
        ("#u.(u:0..3 & 6/(3-u)=2)", "?"),
        ("#u.(u:0..2 & 6/(3-u)=2)", "TRUE"),
        ("#g.(g:1..2-->1..2 & #x.(x:1..3 & g(x)=1))", "?"),
    ]);
}

#[test]
fn a_set_that_may_be_infinite_need_not_be() {
    claims(&[
        (
            "{u,v|u=1 & v:NATURAL & u:{2}} : FIN(INTEGER*INTEGER)",
            "TRUE",
        ),
        ("card({u,v|u=1 & v:NATURAL & u:{2}})", "0"),
        ("{u,v|u=1 & v:NATURAL} : FIN(INTEGER*INTEGER)", "FALSE"),
        ("ran(%u.(u:NATURAL|u mod 2)) : FIN(INTEGER)", "TRUE"),
        ("ran(%u.(u:NATURAL|(u*u) mod 2)) : FIN(INTEGER)", "oo"),
        ("(NATURAL --> {1}) : FIN(POW(INTEGER*INTEGER))", "oo"),
        ("(NATURAL >-> {1}) : FIN(POW(INTEGER*INTEGER))", "oo"),
        ("(NATURAL <-> {1}) : FIN(POW(INTEGER*INTEGER))", "FALSE"),
        ("({1} --> NATURAL) : FIN(POW(INTEGER*INTEGER))", "FALSE"),
        ("{1}*INTEGER = {1} <| (INTEGER*INTEGER)", "TRUE"),
        (
            "struct(a:NATURAL,b:{1}) : FIN(struct(a:INTEGER,b:INTEGER))",
            "FALSE",
        ),
        (
            "struct(a:NATURAL,b:{u|u>1 & u<1}) : FIN(struct(a:INTEGER,b:INTEGER))",
            "oo",
        ),
    ]);
}
