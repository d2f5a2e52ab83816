//! Small machines, each for one claim about transitions, enumeration or the undefined.

use crate::support::{compiled, explore, load_text};
#[allow(dead_code)]
use model::Value;
use model_compile::{Options, Wd, compile};
use pins::{FaultKind, Flow, GroupId, System as _};

fn counts(text: &str) -> (usize, usize) {
    let (_, system) = compiled(text);
    let found = explore(&system, 1_000_000);
    assert_eq!(found.faults, Vec::new());
    (found.nodes, found.edges)
}

fn with_wd(text: &str, wd: Wd) -> crate::support::Explored {
    let model = load_text(text).expect("the text is a machine");
    let options = Options {
        wd,
        ..Options::default()
    };
    let system = compile(&model, &options).expect("the machine compiles");
    explore(&system, 100_000)
}

#[test]
fn a_counter_goes_up_and_down() {
    let text = "MACHINE M VARIABLES x INVARIANT x:0..9 INITIALISATION x:=0 OPERATIONS
        inc = PRE x<9 THEN x:=x+1 END; dec = PRE x>0 THEN x:=x-1 END END";
    assert_eq!(counts(text), (11, 19));
}

#[test]
fn integers_are_exact_beyond_a_machine_word() {
    let text = "MACHINE M VARIABLES x INVARIANT x:INTEGER INITIALISATION x:=9223372036854775807
        OPERATIONS up = PRE x < 9223372036854775810 THEN x:=x+1 END END";
    assert_eq!(counts(text), (5, 4));
}

#[test]
fn parallel_parts_read_the_state_before() {
    let text = "MACHINE M VARIABLES x,y INVARIANT x:0..1&y:0..1 INITIALISATION x:=0||y:=1
        OPERATIONS swap = BEGIN x:=y||y:=x END END";
    assert_eq!(counts(text), (3, 3));
}

#[test]
fn a_sequence_reads_what_was_written() {
    let text = "MACHINE M VARIABLES x,y INVARIANT x:INTEGER&y:INTEGER INITIALISATION x:=0||y:=0
        OPERATIONS step = PRE x=0 THEN x:=x+5; y:=x END END";
    let (model, system) = compiled(text);
    let mut worker = system.worker();
    let state = system.encode(&[Value::int(0), Value::int(0)]);
    let mut targets = Vec::new();
    worker
        .successors(&state, GroupId::new(0), &mut |step| {
            targets.push(step.target.to_vec());
            Flow::Continue
        })
        .expect("no fault");
    assert_eq!(targets.len(), 1);
    let values: Vec<_> = model
        .variables
        .iter()
        .map(|(id, _)| system.value(&targets[0], id))
        .collect();
    assert_eq!(values, [Some(Value::int(5)), Some(Value::int(5))]);
}

#[test]
fn a_sequence_next_to_another_part_shows_it_the_old_state() {
    let text = "MACHINE M VARIABLES x,y INVARIANT x:INTEGER&y:INTEGER INITIALISATION x:=0||y:=0
        OPERATIONS step = PRE x=0 THEN BEGIN x:=1; x:=x+1 END || y:=x END END";
    // (0,0) -> (2,0), where nothing is enabled.
    assert_eq!(counts(text), (3, 2));
}

#[test]
fn loops_run_to_their_end_and_keep_outcomes_apart() {
    let text = "MACHINE M VARIABLES x INVARIANT x:INTEGER INITIALISATION x:=0 OPERATIONS
        go = PRE x=0 THEN VAR i IN i:=0; WHILE i<3 DO i:=i+1; CHOICE x:=x+1 OR x:=x+2 END
          INVARIANT x>=0 VARIANT 3-i END END END END";
    // 3, 4, 5 or 6.
    assert_eq!(counts(text), (6, 5));
}

#[test]
fn equal_outcomes_are_one_transition() {
    let text = "MACHINE M VARIABLES x INVARIANT x:0..3 INITIALISATION x:=0 OPERATIONS
        set = CHOICE x:=1 OR x:=1 END END";
    assert_eq!(counts(text), (3, 3));
}

#[test]
fn generators_follow_each_other() {
    let text = "MACHINE M CONSTANTS f PROPERTIES f = %i.(i:1..3|i*i)
        VARIABLES v INVARIANT v:INTEGER INITIALISATION v:=0
        OPERATIONS pick(x,y,z) = PRE x:1..3 & y=f(x) & z:y..y+1 & x+z > 10 THEN v:=z END END";
    // x=3 gives z=9 and z=10; the set-up and v = 0, 9, 10.
    assert_eq!(counts(text), (5, 8));
}

#[test]
fn candidates_come_from_the_conjunct_that_always_has_a_value() {
    let text = "MACHINE M VARIABLES t,x INVARIANT t<:0..2&x:0..1 INITIALISATION t:={}||x:=0
        OPERATIONS a = SELECT not(#y.(y:min(t)..9 & y:t)) THEN x:=1 END END";
    assert_eq!(counts(text), (3, 3));
}

#[test]
fn what_no_candidate_reaches_is_not_undefined() {
    let text = "MACHINE M CONSTANTS f PROPERTIES f : 0..2 +-> 0..2 & f = {0|->1}
        VARIABLES t,x INVARIANT t<:0..2&x:0..1 INITIALISATION t:={}||x:=0
        OPERATIONS a = SELECT not(#y.(y:t & y = f(2))) & {y|y:t & y:{f(1)}} = {} THEN x:=1 END;
            b = SELECT x = 1 & t = {} THEN t := {1} END END";
    // Once `t` has an element, the guard of `a` is undefined.
    assert_eq!(counts(text), (5, 5));
}

#[test]
fn unknown_functions_are_chosen_point_by_point() {
    let text = "MACHINE M DEFINITIONS N == 8 CONSTANTS q PROPERTIES q : perm(1..N) &
        !(i,j).(i:1..N & j:1..N & i<j => q(i)+j-i /= q(j) & q(i)-j+i /= q(j)) END";
    let (_, system) = compiled(text);
    assert_eq!(explore(&system, 1_000).setups, 92);
}

#[test]
fn values_of_a_function_may_lie_outside_the_cut() {
    let text = "MACHINE M SETS P={a,b} CONSTANTS s PROPERTIES s:P-->NATURAL & s(a)=7 & s(b)=40 END";
    let (_, system) = compiled(text);
    let found = explore(&system, 10);
    assert_eq!(found.setups, 1);
    assert!(found.notes.cuts.is_empty());
}

#[test]
fn integers_without_bounds_are_cut_with_a_note() {
    let text = "MACHINE M VARIABLES x INVARIANT x:INTEGER INITIALISATION x:=0 OPERATIONS
        set(p) = PRE p>=2 THEN x:=p END END";
    let (_, system) = compiled(text);
    let found = explore(&system, 100);
    assert_eq!((found.states, found.notes.cuts.len()), (3, 1));
}

#[test]
fn linear_comparisons_bound_integers() {
    let text = "MACHINE M VARIABLES x INVARIANT x:INTEGER INITIALISATION x:=0 OPERATIONS
        set(p,q) = PRE p+p > 10 & 2*p < 20 & q:NATURAL & p+q=12 THEN x:=p+q END END";
    let (_, system) = compiled(text);
    let found = explore(&system, 100);
    // p = 6..9 with q = 6..3, from two states.
    assert_eq!((found.states, found.edges), (2, 9));
    assert!(found.notes.cuts.is_empty());
}

#[test]
fn branches_of_a_disjunction_are_generators() {
    let text = "MACHINE M VARIABLES x INVARIANT x:INTEGER INITIALISATION x:=0 OPERATIONS
        set(p,q) = PRE (p=100 & q=p+1) or (p=200 & q:1..2) THEN x:=p+q END END";
    let (_, system) = compiled(text);
    let found = explore(&system, 100);
    assert_eq!((found.states, found.edges), (3, 10));
    assert!(found.notes.cuts.is_empty());
}

#[test]
fn an_undefined_guard_is_false_or_a_fault() {
    let text =
        "MACHINE M VARIABLES f INVARIANT f:1..2+->BOOL INITIALISATION f:={1|->TRUE} OPERATIONS
        go(i) = PRE i:1..2 & f(i)=TRUE THEN f(i):=FALSE END END";
    let found = with_wd(text, Wd::Default);
    assert_eq!((found.states, found.notes.undefined_guards), (2, 2));
    assert!(found.faults.is_empty());
    let found = with_wd(text, Wd::Strict);
    assert_eq!(found.faults[0].kind, FaultKind::Undefined);
}

#[test]
fn an_undefined_action_is_a_fault_or_no_transition() {
    let text = "MACHINE M VARIABLES x INVARIANT x:INTEGER INITIALISATION x:=0 OPERATIONS
        go = CHOICE x:=1/x OR x:=1 END END";
    let found = with_wd(text, Wd::Default);
    assert_eq!(found.faults[0].kind, FaultKind::Undefined);
    assert_eq!(found.states, 1);
    let found = with_wd(text, Wd::Lenient);
    assert!(found.faults.is_empty());
    assert_eq!((found.states, found.notes.dropped_faults), (2, 1));
}

#[test]
fn a_violated_assertion_is_a_fault() {
    let text = "MACHINE M VARIABLES x INVARIANT x:INTEGER INITIALISATION x:=0 OPERATIONS
        go = ASSERT x=1 THEN x:=2 END END";
    assert_eq!(
        with_wd(text, Wd::Default).faults[0].kind,
        FaultKind::Violated
    );
}

#[test]
fn recursive_functions_are_applied_without_being_listed() {
    let text = "MACHINE M ABSTRACT_CONSTANTS fac PROPERTIES
        fac = %n.(n:NATURAL | IF n=0 THEN 1 ELSE n*fac(n-1) END)
        VARIABLES x INVARIANT x:INTEGER INITIALISATION x:=fac(5)
        OPERATIONS up = PRE x<1000 THEN x:=fac(25) END END";
    let (_, system) = compiled(text);
    let found = explore(&system, 10);
    assert!(found.faults.is_empty(), "{:?}", found.faults);
    assert_eq!(found.states, 2);
}

#[test]
fn wide_relations_agree_with_small_ones() {
    // 10 * 10 codes need two words.
    let text = "MACHINE M SETS S={a1,a2,a3,a4,a5,a6,a7,a8,a9,a10} VARIABLES r INVARIANT
        r : S+->S & dom(r)<:S & closure1(r) : S<->S & (r~;r) <: id(S) & card(r)<=2 &
        r[dom(r)] = ran(r) & (ran(r)<|id(S)) = id(ran(r)) & r<+r = r & dom(r)<<|r = {}
        INITIALISATION r:={} OPERATIONS
        add(x,y) = PRE x:S & y:{a1,a10} & x/:dom(r) & card(r)<2 THEN r(x):=y END;
        drop(x) = PRE x:dom(r) THEN r:={x}<<|r END END";
    let (_, system) = compiled(text);
    let found = explore(&system, 1_000_000);
    assert_eq!((found.violated, found.faults.len()), (0, 0));
    // 1 + 10*2 + 45*4 states.
    assert_eq!(found.states, 201);
}

#[test]
fn arguments_and_results_can_be_read_back() {
    let text = "MACHINE M SETS S={a,b} VARIABLES s INVARIANT s<:S INITIALISATION s:={} OPERATIONS
        n <-- add(x) = PRE x:S THEN s:=s\\/{x} || n:=card(s)+1000000000000 END END";
    let (model, system) = compiled(text);
    let mut worker = system.worker();
    let mut labels = Vec::new();
    worker
        .successors(&[0], GroupId::new(0), &mut |step| {
            labels.push(step.label.to_vec());
            Flow::Continue
        })
        .expect("no fault");
    let shown: Vec<String> = labels
        .iter()
        .map(|label| {
            let (arguments, results) = system.arguments(GroupId::new(0), label);
            arguments
                .iter()
                .chain(&results)
                .flatten()
                .map(|value| value.show(&model.tys))
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(shown, ["a 1000000000000", "b 1000000000000"]);
}

#[test]
fn deep_expressions_do_not_overflow_the_stack() {
    let sum = vec!["1"; 5_000].join("+");
    let text = format!(
        "MACHINE M VARIABLES x INVARIANT x:INTEGER INITIALISATION x:={sum} OPERATIONS nop=skip END"
    );
    assert_eq!(counts(&text), (2, 2));
}

#[test]
fn the_laws_of_the_waist_hold() {
    for text in [
        "MACHINE M SETS S={a,b,c} CONSTANTS k PROPERTIES k:S VARIABLES r,n INVARIANT r:S<->S & n:0..3
         INITIALISATION r:={} || n:=0 OPERATIONS
         add(x,y) = PRE x:S & y:S & n<3 THEN r:=r\\/{x|->y} || n:=n+1 END;
         flip = BEGIN r:=r~ END;
         any = ANY t WHERE t<:r THEN r:=t || n:=card(t) END;
         reset = SELECT k:dom(r) THEN r:={} ; n:=0 END END",
        "MACHINE M VARIABLES q INVARIANT q:seq(0..1) INITIALISATION q:=[] OPERATIONS
         push(e) = PRE e:0..1 & size(q)<3 THEN q:=q<-e END;
         e <-- pop = PRE q/=[] THEN e:=first(q) || q:=tail(q) END END",
    ] {
        let (_, system) = compiled(text);
        let sampled = pins::laws::check_laws(&system, 200);
        assert!(sampled.is_ok(), "{:?}", sampled.err());
    }
}

#[test]
fn a_function_without_a_bounded_range_is_fixed_by_its_own_values() {
    let text = "MACHINE M CONSTANTS f PROPERTIES f : 0..90 --> INTEGER & f(0) = 0 & f(1) = 1
        & !n.(n : 2..90 => f(n) = f(n-1) + f(n-2))
        OPERATIONS known = PRE f(90) = 2880067194370816120 THEN skip END END";
    assert_eq!(counts(text), (3, 3));
}

#[test]
fn subsets_are_chosen_by_their_size() {
    let text = "MACHINE M VARIABLES s INVARIANT s <: 1..100 INITIALISATION s := {}
        OPERATIONS fill = ANY t WHERE t <: 1..100 & card(t) = 100 THEN s := t END END";
    assert_eq!(counts(text), (3, 3));
}

#[test]
fn a_square_bounds_its_root() {
    let text = "MACHINE M VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 1000000 OPERATIONS
        root(r) = PRE r : INTEGER & r * r = x THEN skip END;
        r <-- least = r := min({y | y : INTEGER & y * y <= x}) END";
    assert_eq!(counts(text), (2, 4));
}

#[test]
fn all_numbers_of_an_unknown_are_cut_before_one_is_chosen() {
    // Values -1..3 for both numbers of v; what follows from them (12 = 4*3) is not cut. In (2,-2) for the value -1 only the first
    // would have been cut.
    let machine = |rows: &str| {
        format!(
            "MACHINE M VARIABLES w INVARIANT w <: INTEGER*INTEGER INITIALISATION w := {{}}
            OPERATIONS found(e,v,r) = PRE w = {{}} & e : INTEGER & v : 1..2 --> INTEGER & v /= %i.(i:1..2|0) &
                r : 1..2 --> INTEGER & r = (v ; %z.(z:INTEGER|z*e)) &
                r = %i.(i:1..2|SIGMA(j).(j:1..2|{rows}(i)(j)*v(j)))
            THEN w := {{v(1)|->v(2)}} END END"
        )
    };
    let found = with_wd(&machine("[[3,1],[1,3]]"), Wd::Default);
    assert_eq!(found.nodes, 2 + 6);
    // Value 0: (0,-1) to (0,3) without (0,0); value -1: (1,-1) and (-1,1).
    let found = with_wd(&machine("[[-1,0],[1,0]]"), Wd::Default);
    assert_eq!(found.nodes, 2 + 4 + 2);
}
