//! Formulas: laws over small universes, definedness, infinite sets, enumeration, host functions.

use super::Machine;
use model_interp::{Options, StopKind, Wd};

const CONTEXT: &str = r#"MACHINE M
DEFINITIONS "LibraryStrings.def"; "LibraryMath.def"; "CHOOSE.def"; "SORT.def"; "SCCS.def"; "LibraryIO.def";
  "LibraryProB.def"; "LibraryFiles.def"
FREETYPES List = nil, cons(INTEGER*List)
SETS D = {d1,d2,d3,d4}; T
ABSTRACT_CONSTANTS fact, fib, sum
PROPERTIES
  fact = %n.(n:NATURAL | IF n=0 THEN 1 ELSE n*fact(n-1) END) &
  fib = %n.(n:0..12 | IF n<2 THEN n ELSE fib(n-1)+fib(n-2) END) &
  sum = %l.(l:List | IF l=nil THEN 0 ELSE
    prj1(INTEGER,List)(cons~(l)) + sum(prj2(INTEGER,List)(cons~(l))) END)
VARIABLES x, z, fp, ft, S1, E0, s1, s0
INVARIANT x:INTEGER & z:INTEGER & fp:INTEGER+->INTEGER & ft:D-->INTEGER & S1<:INTEGER & E0<:INTEGER
  & s1:seq(INTEGER) & s0:seq(INTEGER)
INITIALISATION x,z := 3,0 || fp := {1|->2,2|->3,3|->5,7|->-1} || ft := {d1|->1,d2|->2,d3|->1,d4|->0} ||
  S1 := {1,2,3} || E0 := {} || s1 := [4,5,6] || s0 := []
END"#;

fn claims(claims: &[(&str, &str)]) {
    Machine::new(CONTEXT).check(claims);
}

#[test]
fn laws_of_relations_hold_for_all_relations_over_two_points() {
    let all = "r:1..2<->1..2";
    claims(&[
        (&format!("!r.({all} => dom(r~)=ran(r) & (r~)~=r)"), "TRUE"),
        (&format!("!r,S.({all} & S<:1..2 => r[S]=ran(S<|r))"), "TRUE"),
        (
            &format!("!r,S.({all} & S<:1..2 => (S<|r)\\/(S<<|r)=r & (r|>S)\\/(r|>>S)=r)"),
            "TRUE",
        ),
        (
            &format!("!r,s.({all} & s:1..2<->1..2 => r<+s=(dom(s)<<|r)\\/s)"),
            "TRUE",
        ),
        (
            &format!("!r,s.({all} & s:1..2<->1..2 => (r;s)~=(s~;r~))"),
            "TRUE",
        ),
        (
            &format!("!r.({all} => closure1(r) = r\\/(r;closure1(r)))"),
            "TRUE",
        ),
        (
            &format!("!r,t.({all} & t:1..2<->1..2 & r<:t & (t;t)<:t => closure1(r)<:t)"),
            "TRUE",
        ),
        (&format!("!r.({all} => rel(fnc(r))=r)"), "TRUE"),
        (
            &format!("!r.({all} => iterate(r,2)=(r;r) & iterate(r,1)=r)"),
            "TRUE",
        ),
        (
            &format!("!r.({all} => (r:1..2+->1..2 <=> !a.(a:dom(r) => card(r[{{a}}])=1)))"),
            "TRUE",
        ),
        (
            &format!("!r.({all} => (r:1..2>->>1..2 <=> (r:1..2-->1..2 & r~:1..2-->1..2)))"),
            "TRUE",
        ),
        (
            &format!("!r,s.({all} & s:1..2<->1..2 => r><s={{a,b|a:1..2 & b:r[{{a}}]*s[{{a}}]}})"),
            "TRUE",
        ),
    ]);
}

#[test]
fn arrows_count_as_combinatorics_says() {
    claims(&[
        ("card(1..2<->1..3)", "64"),
        ("card(1..2<<->1..3)", "49"),
        ("card({r|r:1..2<<->1..3})", "49"),
        ("card({r|r:1..2<->>1..3})", "27"),
        ("card({f|f:1..2+->1..3})", "16"),
        ("card({f|f:1..2-->1..3})", "9"),
        ("card({f|f:1..2>->1..3})", "6"),
        ("card({f|f:1..2>+>1..3})", "13"),
        ("card({f|f:1..3-->>1..2})", "6"),
        ("card({f|f:1..3+->>1..2})", "12"),
        ("card({f|f:1..3>+>>1..2})", "6"),
        ("card({f|f:1..3>->>1..3})", "6"),
        ("card(iseq(1..3))", "16"),
        ("card(perm(1..4))", "24"),
        ("card(POW1(1..3))", "7"),
        ("{f|f:1..2-->1..2} = 1..2-->1..2", "TRUE"),
        ("card(1..10-->1..10)", "10000000000"),
        ("seq({})", "{{}}"),
        ("seq1({})", "{}"),
    ]);
}

#[test]
fn definedness_is_strict_and_from_left_to_right() {
    claims(&[
        ("z=0 or 1/z=1", "TRUE"),
        ("z/=0 & 1/z=1", "FALSE"),
        ("z/=0 => 1/z=1", "TRUE"),
        ("1/z=1 or z=0", "?"),
        ("1/z=1 & z/=0", "?"),
        ("x=3 & 1/z=1 & x=1", "?"),
        ("1/0=1 => 1=1", "?"),
        ("not(1/z=1 or x=3)", "?"),
        ("!u.(u:1..3 => 1/(u-2)=1)", "?"),
        ("!u.(u:0..3 => 6/u>1)", "?"),
        ("#u.(u:4..6 & fp(u)=5)", "?"),
        ("#u.(u:0..3 & 6/u=6)", "?"),
        ("0*(1/z)", "?"),
        ("{1/z}=S1", "?"),
        ("S1<:{fp(9)}", "?"),
        ("fp(9):INTEGER", "?"),
        ("E0/\\{1/0}", "?"),
        ("{d1|->0,d1|->5}(d1)", "?"),
        ("{1|->2,1|->2}(1)", "2"),
        ("size({2|->3})", "?"),
        ("rev({2|->3})", "?"),
        ("{2|->3}^s1", "?"),
        ("front({2|->3})", "?"),
        ("3->{2|->3}", "?"),
        ("{2|->3}/|\\1", "?"),
        ("conc([{2|->3}])", "?"),
        ("max(NATURAL)", "?"),
        ("min(NATURAL1)", "1"),
        ("perm(NATURAL)", "?"),
        ("LET k BE k=1/z IN 3 END", "?"),
        ("rec(a:1/z,b:1)'b", "?"),
        ("first([2,1/z])", "?"),
        ("IF z=0 THEN 7 ELSE 1/z END", "7"),
        ("{u|u:0..3 & 6/u>1 & u/=0}", "?"),
        ("{u|u:0..3 & u/=0 & 6/u>1}", "{1,2,3}"),
        ("{u|u:E0 & 1/z=1}", "{}"),
        ("!u.(u:E0 => 1/z=1)", "TRUE"),
        ("inter(POW(E0)-{{}})", "?"),
        ("union({E0}-{E0})", "{}"),
        ("s1/|\\4", "?"),
        ("card(NATURAL)", "?"),
        ("card(seq(S1))", "?"),
        ("2**(-1)", "?"),
        ("(-7) mod 2", "?"),
        ("-7/2", "-3"),
        ("0**0", "1"),
    ]);
}

#[test]
fn infinite_sets_are_tested_and_applied_but_not_listed() {
    claims(&[
        ("ft : D --> INTEGER", "TRUE"),
        ("s1 : seq(NATURAL)", "TRUE"),
        ("{1} : FIN(NATURAL)", "TRUE"),
        ("NATURAL : POW(INTEGER)", "TRUE"),
        ("NATURAL : FIN(INTEGER)", "FALSE"),
        ("ran(%u.(u:NATURAL|u mod 2)) : FIN(INTEGER)", "TRUE"),
        ("ran(%u.(u:NATURAL|(u*u) mod 2)) : FIN(INTEGER)", "oo"),
        ("({1} <| (INTEGER*INTEGER)) : FIN(INTEGER*INTEGER)", "FALSE"),
        ("{1}*INTEGER = {1} <| (INTEGER*INTEGER)", "TRUE"),
        ("5000 : {u|u:NATURAL & u mod 2=0}", "TRUE"),
        ("{1,2} <: NATURAL", "TRUE"),
        ("NATURAL <: INTEGER", "TRUE"),
        ("NATURAL <: {1}", "FALSE"),
        ("NATURAL = INTEGER", "FALSE"),
        ("-3 : INTEGER-NATURAL", "TRUE"),
        ("(NATURAL-{1,2}) /\\ 0..5", "{0,3,4,5}"),
        ("5 : {1|->NATURAL}(1)", "TRUE"),
        ("NATURAL : {NATURAL}", "TRUE"),
        ("(succ;succ)(1)", "3"),
        ("pred~[{3}]", "{4}"),
        ("iterate(succ,5)(1)", "6"),
        ("(3|->3) : closure({1|->2})", "TRUE"),
        (
            "closure({d1|->d2})",
            "{(d1|->d1),(d1|->d2),(d2|->d2),(d3|->d3),(d4|->d4)}",
        ),
        ("(%u.(u:INTEGER|u*u))[1..3]", "{1,4,9}"),
        ("(1..3) <| %u.(u:INTEGER|u*u)", "{(1|->1),(2|->4),(3|->9)}"),
        ("(%u.(u:INTEGER|u*u) <+ {2|->7})(2)", "7"),
        ("(%u.(u:INTEGER|u*u) <+ {2|->7})(3)", "9"),
        ("{u,v|u:NATURAL & v=u+1}(7)", "8"),
        ("3 : dom(%u.(u:NATURAL|u))", "TRUE"),
        ("prj1(INTEGER,BOOL)(3|->TRUE)", "3"),
        ("@finite(NATURAL)", "FALSE"),
        ("NATURAL", "oo"),
        ("{NATURAL}", "oo"),
        ("card(POW(1..40))", "1099511627776"),
        ("max(0..10**30)", "1000000000000000000000000000000"),
        ("POW(1..40)", "budget"),
    ]);
}

#[test]
fn functions_may_be_defined_by_themselves() {
    claims(&[
        ("fact(5)", "120"),
        ("fact(25)", "15511210043330985984000000"),
        ("fact[1..4]", "{1,2,6,24}"),
        ("fact(-1)", "?"),
        ("fib(12)", "144"),
        ("card(fib)", "13"),
        ("sum(cons(3|->cons(4|->nil)))", "7"),
        ("cons~(nil)", "?"),
        ("cons~(cons(1|->nil))", "(1|->nil)"),
    ]);
}

#[test]
fn endless_recursion_ends_by_the_budget() {
    let mut machine =
        Machine::new("MACHINE M ABSTRACT_CONSTANTS f PROPERTIES f = %n.(n:INTEGER | f(n+1)+0) END");
    machine.check(&[("f(0)", "budget")]);
}

#[test]
fn names_take_their_candidates_from_the_predicate() {
    claims(&[
        ("{u|u:NATURAL & u<5}", "{0,1,2,3,4}"),
        ("{u|100<u & u+1<=103}", "{101,102}"),
        ("{u|5-u>=0 & u>3}", "{4,5}"),
        ("{u,v|u:1..3 & v=u*u}", "{(1|->1),(2|->4),(3|->9)}"),
        ("{u,v|u|->v:fp & v>2}", "{(2|->3),(3|->5)}"),
        ("{u|u|->3:fp}", "{2}"),
        ("{u|u=1 or u=3 or u:7..8}", "{1,3,7,8}"),
        ("{u|#v.(v:1..3 & u=v*v)}", "{1,4,9}"),
        ("{u|u<:{1,2} & 1:u}", "{{1},{1,2}}"),
        ("{u|not(u/:S1)}", "{1,2,3}"),
        ("{u|not(u<1 or u>3)}", "{1,2,3}"),
        ("{u|rec(a:u,b:2):{rec(a:1,b:2),rec(a:7,b:3)}}", "{1}"),
        (
            "{u,v|u:BOOL & (u=TRUE => v=1) & (u=FALSE => v=2)}",
            "{(FALSE|->2),(TRUE|->1)}",
        ),
        ("{u|[u,2]=[1,2]}", "{1}"),
        ("{u|bool(u=4)=TRUE}", "{4}"),
        ("{u|@partition({1,2},u,{2})}", "{{1}}"),
        (
            "{f|f:D-->BOOL & f(d1)=TRUE & f[{d2,d3,d4}]={FALSE}}",
            "{{(d1|->TRUE),(d2|->FALSE),(d3|->FALSE),(d4|->FALSE)}}",
        ),
        ("{u|u:1..3 & fp(u)=3}", "{2}"),
        ("{u|cons(u|->nil)=cons(9|->nil)}", "{9}"),
        ("SIGMA(u).(u:1..100|u)", "5050"),
        ("SIGMA(u,v).(u:{1,2} & v:{1,2}|1)", "4"),
        ("#u.(u:NATURAL & u>1000 & u<1002)", "TRUE"),
        ("!u.(u:NATURAL => u>0)", "FALSE"),
        ("#u.(u:INTEGER & u*u=4)", "TRUE"),
    ]);
}

#[test]
fn what_was_not_looked_at_is_unknown_unless_the_rest_decides() {
    // MAXINT is 3 and MININT is -1.
    claims(&[
        ("card({u|u>7 & u mod 2=0})", "oo"),
        ("{u|u:seq({7}) & size(u)<=1}", "{{},{(1|->7)}}"),
        ("#u.(u:NATURAL & u mod 7=6)", "TRUE"),
        ("!u.(u:NATURAL => u mod 7/=6)", "FALSE"),
        ("#m.(m:NATURAL & !u.(u:{50} => u<=m))", "TRUE"),
        ("min({u|u:NATURAL & u*u>7})", "oo"),
        ("#u.(u:STRING & u/=u)", "oo"),
        ("#u.(u:seq(BOOL) & size(u)=9)", "oo"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33)", "oo"),
        ("#u.(u:NATURAL & u mod 7=3)", "TRUE"),
        ("!u.(u:NATURAL => u mod 7/=3)", "FALSE"),
        ("!u.(u:NATURAL => (u mod 70)*u/=2*33*2*33)", "oo"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) or 1=1", "TRUE"),
        ("1=2 or #u.(u:NATURAL & (u mod 70)*u=2*33*2*33)", "oo"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) & 1=2", "FALSE"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) => 1=1", "TRUE"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) => 1=2", "oo"),
        ("#u.(u:NATURAL & (u mod 70)*u=2*33*2*33) & 1/0=1", "oo"),
        ("not(#u.(u:NATURAL & (u mod 70)*u=2*33*2*33))", "oo"),
        ("bool(#u.(u:NATURAL & (u mod 70)*u=2*33*2*33))", "oo"),
        ("!v.(v:1..3 => #u.(u:NATURAL & u mod 7=v))", "TRUE"),
        (
            "!v.(v:1..4 => #u.(u:NATURAL & (u mod 70)*u=v*v*33*33))",
            "oo",
        ),
        (
            "#v.(v:1..4 & not(#u.(u:NATURAL & (u mod 70)*u=v*v*33*33)))",
            "oo",
        ),
        ("{v|v:1..4 & #u.(u:NATURAL & (u mod 70)*u=v*v*33*33)}", "oo"),
        ("{u|u:NATURAL & (u mod 70)*u=2*33*2*33}={}", "oo"),
        ("{u|u:NATURAL & u mod 7=3}={}", "FALSE"),
        ("SIGMA(u).(u:NATURAL & (u mod 70)*u=2*33*2*33|u)", "oo"),
        ("16 : ran(%u.(u:INTEGER & u mod 3=1|u))", "TRUE"),
        ("50 : UNION(u).(u:NATURAL|{u})", "TRUE"),
        ("2 : UNION(u).(u:NATURAL|{u})", "TRUE"),
    ]);
}

#[test]
fn arithmetic_decides_without_enumeration() {
    claims(&[
        ("!u.(u:NATURAL => u>=0)", "TRUE"),
        ("!u.(u:NATURAL => u<50)", "FALSE"),
        ("#u.(u:NATURAL & u>50)", "TRUE"),
        ("#u.(u:NATURAL & !v.(v:{50} => v<=u))", "TRUE"),
        ("{u|u*u=4}", "{-2,2}"),
        ("{u|u*u<5}", "{-2,-1,0,1,2}"),
        ("{u|u*u= -4}", "{}"),
        ("{u|u**3= -27}", "{-3}"),
        ("{u|2*u+1=9}", "{4}"),
        ("{u|2*u+1=8}", "{}"),
        ("{u|3-2*u>0 & u+u>= -3}", "{-1,0,1}"),
        ("9 : ran(%u.(u:NATURAL|2*u+1))", "TRUE"),
        ("8 : ran(%u.(u:NATURAL|2*u+1))", "FALSE"),
        ("16 : ran(%u.(u:INTEGER|u*u))", "TRUE"),
        ("17 : ran(%u.(u:INTEGER|u*u))", "FALSE"),
        ("#u.(u:NATURAL & u+u=100)", "TRUE"),
        ("#u.(%v.(v:NATURAL|v+v)(u)=100)", "?"),
    ]);
}

#[test]
fn a_budget_ends_what_would_run_on() {
    let mut machine = Machine::new(CONTEXT);
    let state = machine.start();
    let formula = machine.formula("SIGMA(u).(u:1..10**9|u)");
    let options = Options {
        wd: Wd::Default,
        budget: 10_000,
    };
    let mut interp = crate::Interp::new(&machine.model, options);
    let stop = interp.eval(formula, &state).err();
    assert_eq!(stop.map(|stop| stop.kind), Some(StopKind::Budget));
}

#[test]
fn trees_reals_and_texts_have_their_operators() {
    claims(&[
        (
            "sons(const(1,[const(2,[]),const(3,[])]))",
            "{(1|->{({}|->2)}),(2|->{({}|->3)})}",
        ),
        ("prefix(bin(bin(1),2,bin(3)))", "{(1|->2),(2|->1),(3|->3)}"),
        ("infix(bin(bin(1),2,bin(3)))", "{(1|->1),(2|->2),(3|->3)}"),
        ("left(bin(1))", "?"),
        ("bin(bin(1),2,bin(3)) : btree(NATURAL)", "TRUE"),
        ("subtree(const(1,[const(2,[])]),[1])", "{({}|->2)}"),
        ("father(const(1,[]),[])", "?"),
        ("1.5+2.0", "3.5"),
        ("1.0/0.0", "?"),
        ("floor(-2.5)", "-3"),
        ("ceiling(-2.5)", "-2"),
        ("SIGMA(u).(u:{1,2}|real(u))", "3.0"),
        ("\"ab\"^\"c\"", "\"abc\""),
        ("size(\"abc\")", "3"),
        ("```a${1+1}b```", "\"a2b\""),
    ]);
}

#[test]
fn host_functions_do_as_documented_or_are_refused_by_name() {
    claims(&[
        ("STRING_SPLIT(\"a/b\",\"/\")", "{(1|->\"a\"),(2|->\"b\")}"),
        ("TO_STRING({1|->2})", "\"{(1|->2)}\""),
        ("FORMAT_TO_STRING(\"~w+~w\",[1,2])", "\"1+2\""),
        ("CHOOSE({3,2})", "2"),
        ("MU({3,2})", "?"),
        ("SORT({3,1})", "{(1|->1),(2|->3)}"),
        ("SQUASH({2|->5,7|->8})", "{(1|->5),(2|->8)}"),
        (
            "REPLACE([1],[8,9],[1,2,1])",
            "{(1|->8),(2|->9),(3|->2),(4|->8),(5|->9)}",
        ),
        ("SCCS({1|->2,2|->1,3|->4})", "{{1,2}}"),
        ("TYPED_STRING_TO_ENUM(D,\"d3\")", "d3"),
        ("TO_INT(d2)", "2"),
        ("INT_TO_ENUM(D,9)", "?"),
        (
            "FILE_EXISTS(\"x\")",
            "unsupported: the external function FILE_EXISTS is not supported",
        ),
    ]);
}

#[test]
fn output_is_true_and_its_text_is_kept() {
    let mut machine = Machine::new(CONTEXT);
    let state = machine.start();
    let (value, notes) = machine.ask("printf(\"x is ~w~n\",[x])", &state);
    assert_eq!(value.ok().as_deref(), Some("TRUE"));
    assert_eq!(notes.output, ["x is 3\n"]);
}
