//! Values that are remembered by the slots they read, functions in one piece, bounds behind others that may be undefined,
//! counting by formula: the reference evaluator sees the same states, steps and truths.

use std::collections::BTreeSet;

use model::Model;
use model_interp::{Interp, State};

use crate::support::{compiled, explore};

/// States, steps, and states in which a conjunct of the invariant is false or undefined, by the reference evaluator.
fn reference(model: &Model) -> (usize, usize, usize) {
    let mut interp = Interp::new(model, Default::default());
    let setups = interp.setups(usize::MAX).expect("set-ups");
    let mut pending = Vec::new();
    for setup in &setups {
        pending.extend(interp.initial(setup, usize::MAX).expect("states"));
    }
    let (mut known, mut steps, mut bad) = (BTreeSet::new(), 0, 0);
    while let Some(state) = pending.pop() {
        if !known.insert(state.values().to_vec()) {
            continue;
        }
        let holds = |interp: &mut Interp<'_>, state: &State| {
            let mut conjuncts = model.invariants.iter();
            conjuncts.all(|conjunct| interp.holds(conjunct.predicate, state) == Ok(true))
        };
        bad += usize::from(!holds(&mut interp, &state));
        for action in 0..model.actions.len() {
            let found = interp.successors(action, &state).expect("steps");
            steps += found.len();
            pending.extend(found.into_iter().map(|step| step.target));
        }
    }
    (known.len(), steps, bad)
}

/// Both evaluators count the same.
fn agree(text: &str) {
    let (model, system) = compiled(text);
    let fast = explore(&system, 100_000);
    let starts = reference_starts(&model);
    let counts = (
        fast.states,
        fast.edges - starts,
        fast.violated + fast.faults.len(),
    );
    assert_eq!(counts, reference(&model), "{text}");
}

/// The edges before the first step of an action.
fn reference_starts(model: &Model) -> usize {
    let mut interp = Interp::new(model, Default::default());
    let setups = interp.setups(usize::MAX).expect("set-ups");
    let before = if model.has_setup { setups.len() } else { 0 };
    let initial = |setup| interp.initial(setup, usize::MAX).expect("states").len();
    before + setups.iter().map(initial).sum::<usize>()
}

#[test]
fn parts_of_guards_and_invariants_are_remembered_for_each_setup() {
    agree(
        "MACHINE M CONSTANTS next, most PROPERTIES most : 2..3 & next : 0..3 --> 0..3 & next = {0|->1,1|->2,2|->most,3|->0}
        VARIABLES f, x, n INVARIANT f : 0..3 +-> 0..3 & card((next~)[ran(f)]) <= 3 & dom(f) /= ran(f) &
          x : 0..3 & n : 0..2 & {y | y : 0..3 & y : ran(next)} <: 0..3
        INITIALISATION f,x,n := {},0,0 OPERATIONS
        put(y) = PRE y : (0..3) - dom(f) & next(y) : ran(next |> {next(x)}) THEN f(y) := x END;
        move = PRE x /: ran(f) or n = 1 THEN x := next(x) END;
        tick = PRE (next~)(next(0)) = 0 THEN n := (n + 1) mod 3 END;
        drop(y) = PRE y : dom(f) & (f~)[{f(y)}] = {y} THEN f := {y} <<| f END END",
    );
}

#[test]
fn what_is_read_between_parts_of_a_sequence_is_not_remembered() {
    agree(
        "MACHINE M VARIABLES f, n, k INVARIANT f : 1..3 --> 0..2 & n : 0..9 & k : 0..1
        INITIALISATION f,n,k := (1..3)*{0},0,0 OPERATIONS
        go(i) = PRE i : 1..3 & f(i) < 2 THEN f(i) := f(i) + 1; n := max(ran(f)) + card((f~)[{0}]) END;
        back = BEGIN k := 1 - k; f := f <+ {1 |-> k, 2 |-> card(f |> {0})}; f(3) := min(ran(f)) END END",
    );
}

#[test]
fn functions_are_overwritten_in_place_of_what_they_were() {
    agree(
        "MACHINE M SETS S = {a,b,c} VARIABLES f, g, h INVARIANT f : S +-> 0..2 & g : (0..1)*(0..1) --> 0..1 & h : seq(S)
        INITIALISATION f,g,h := {},((0..1)*(0..1))*{0},[] OPERATIONS
        set(s,v) = PRE s : S & v : 0..1 & (s : dom(f) => f(s) /= v) THEN f(s) := v END;
        both(s,t) = PRE s : S & t : S & f /= {} THEN f := f <+ {s |-> 2, t |-> 2} END;
        unset(s) = PRE s : dom(f) THEN f := {s} <<| f END;
        flip(i,j) = PRE i : 0..1 & j : 0..1 & g(i,j) = 0 & card(g |> {1}) < 2 THEN
          g := g <+ {(i|->j) |-> 1, (j|->i) |-> 1} END;
        push(s) = PRE s : S - ran(h) THEN h := h <- s END;
        pop = PRE h /= [] THEN h := tail(h) END END",
    );
}

#[test]
fn pairs_are_in_order_whatever_their_form() {
    agree(
        "MACHINE M VARIABLES r, x INVARIANT r : INTEGER <-> INTEGER & x : INTEGER & r = (r~)~ & card(r) <= 4 &
          (x : dom(r) => r[{x}] /= {})
        INITIALISATION r,x := {},1 OPERATIONS
        grow = PRE x < 40000000000000000000 THEN x := x * 30000000000 END;
        add = PRE card(r) < 4 THEN r := r \\/ {x |-> 2, 2 |-> x} END;
        apply(y) = PRE y : {1,2,x} & y : dom(r) & card(r[{y}]) = 1 THEN x := r(y) END END",
    );
}

#[test]
fn a_bound_counts_behind_another_that_may_be_undefined() {
    let text = |range: &str| {
        format!(
            "MACHINE M VARIABLES p, i, n INVARIANT p : 1..3 +-> 1..4 & i : 1..3 & n : 0..9 &
              (i : dom(p) => {{c,r | c = p(i) {range} & r >= p(i) & r < p(i) + i & r /= 3}} /= {{(9,9)}})
            INITIALISATION p,i,n := {{1|->2,2|->4}},1,0 OPERATIONS
            next = PRE i < 3 THEN i := i + 1 END;
            put(v) = PRE v : 1..4 & i /: dom(p) THEN p(i) := v END;
            count = PRE i : dom(p) THEN n := card({{r | r >= p(i) - 1 & r < p(i) + 2 {range}}}) END END"
        )
    };
    let bounded = text("& r : 0..9");
    agree(&bounded);
    let counts = |text: &str| {
        let found = explore(&compiled(text).1, 1000);
        (found.states, found.edges, found.faults.len())
    };
    assert_eq!(counts(&text("")), counts(&bounded));
    // Where the first end has no value, the second does not hide that.
    let (_, system) = compiled(
        "MACHINE M VARIABLES p, i INVARIANT p : 1..3 +-> 1..4 & i : 1..3 &
          {r | r >= p(i) & r < p(1) - 9 & r : NATURAL} = {}
        INITIALISATION p,i := {1|->2},1 OPERATIONS next = PRE i < 3 THEN i := i + 1 END END",
    );
    let found = explore(&system, 100);
    assert_eq!((found.states, found.faults.len()), (3, 2));
}

#[test]
fn spaces_are_counted_by_formula_as_they_are_by_listing() {
    for n in 0..4 {
        for m in 0..4 {
            for space in [
                "<->", "+->", "-->", ">->", "-->>", ">->>", ">+>", "+->>", ">+>>",
            ] {
                agree(&format!(
                    "MACHINE M VARIABLES n INVARIANT n = card({{f | f : 1..{n} {space} 1..{m} & 0 = 0}}) &
                      n = card(1..{n} {space} 1..{m})
                    INITIALISATION n := card(1..{n} {space} 1..{m}) END"
                ));
            }
        }
        for set in [
            "perm(1..N)",
            "iseq(1..N)",
            "iseq1(1..N)",
            "POW(1..N)",
            "POW1(1..N)",
            "((1..N)*(1..2) || {1 |-> N, 2 |-> 2})",
        ] {
            let set = set.replace('N', &n.to_string());
            agree(&format!(
                "MACHINE M VARIABLES n INVARIANT n = card({set}) & n = card({{s | s : {set} & 0 = 0}})
                INITIALISATION n := card({set}) END"
            ));
        }
    }
}

#[test]
fn assignments_that_write_words_are_assignments() {
    agree(
        "MACHINE M VARIABLES f, n INVARIANT f : 0..2 +-> 0..8 & n : 0..1 & dom(f) <: 0..2
        INITIALISATION f,n := {},0 OPERATIONS
        put(i,v) = PRE i : 0..2 & v : {-1,0,3} & card(f) < 3 THEN f(i) := v || n := 1 - n END;
        two(i,j) = PRE i : 0..1 & j : 1..2 & f /= {} THEN f := f <+ {i |-> 1, j |-> 2} END;
        swap = PRE {0,1} <: dom(f) & f : 0..2 +-> INTEGER THEN f := f <+ {0 |-> f(1), 1 |-> f(0)} END;
        add(i) = PRE i : dom(f) & f : 0..2 +-> INTEGER & f(i) < 4 & n = 1 THEN f(i) := f(i) + 1 END;
        drop(i) = PRE i : dom(f) THEN f := {i} <<| f END END",
    );
    agree(
        "MACHINE M SETS S = {u, v} VARIABLES r, f, n INVARIANT r : struct(a:INTEGER, b:INTEGER, c:S) & r'a : 0..7 & f : S +-> 1..2 & n : 0..1
        INITIALISATION r := rec(a:0,b:0,c:u) || f := {} || n := 0 OPERATIONS
        seta(x) = PRE x : {-1,0,1,7,40000} THEN r'a := x END;
        setb(x) = PRE x : {0,1,3} THEN r'b := x END;
        both = BEGIN r := rec(a:r'b, b:r'b, c:v) END;
        setc(s) = PRE s : S THEN r'c := s || n := 1 - n END;
        put(s) = PRE s : S THEN f(s) := n + 1 END END",
    );
}

#[test]
fn equal_parts_have_one_answer_whatever_their_names_are() {
    agree(
        "MACHINE M SETS S = {u, v} CONSTANTS next PROPERTIES next = {0|->1,1|->2,2|->0}
        VARIABLES f, g, k INVARIANT f : 0..2 +-> 0..2 & g : 0..2 <-> 0..2 & k : 0..1 &
          !a.(a : 0..2 => (f~)[{a}] <: 0..2 & card((f~)[{a}]) <= 2) & !b.(b : 0..2 => next[(f~)[{b}]] /\\ (f~)[{b}] = {}) &
          !(a,b).(a : 0..2 & b : 0..2 & a < b => (f~)[{a}] /\\ (f~)[{b}] = {} & g[{b}] /\\ (f~)[{b}] <: g[{a}] \\/ {k}) &
          !(b,a).(a : 0..2 & b : 0..2 & b < a => g[{b}] \\/ ran(f) /= g[{a}] \\/ ran(f) or k = 0)
        INITIALISATION f,g,k := {},{},0 OPERATIONS
        put(x,y) = PRE x : 0..2 & y : 0..2 & (f~)[{y}] <: {x} THEN f(x) := y END;
        drop(y) = PRE y : ran(f) & card((f~)[{y}]) = 1 THEN f := f |>> {y} END;
        pair(x,y) = PRE x : dom(f) & y : (f~)[ran(f)] & g = {} THEN g := g \\/ {x |-> y} END;
        tick = BEGIN k := 1 - k END END",
    );
}

#[test]
fn three_numbers_in_place_are_pairs_of_a_pair() {
    agree(
        "MACHINE M SETS S = {u, v} VARIABLES b, t, n INVARIANT
          b : (1..2)*(1..2) --> INTEGER & t : (0..1)*S <-> INTEGER & n : 0..2 & card(dom(dom(t))) <= 2 & ran(b) /= {7}
        INITIALISATION b := {(1|->1)|->0, (1|->2)|->1, (2|->1)|->2, (2|->2)|->3} || t := {} || n := 0 OPERATIONS
        turn(i,j,x) = PRE i : 1..2 & j : 1..2 & b(i|->j) = 0 & x : 1..3 & b(3-i|->j) = x THEN b := b <+ {(i|->j)|->x, (3-i|->j)|->0} END;
        slide(i,j) = PRE i : 1..2 & j : 1..2 & b(i|->j) = 0 & t = {} THEN b := b <+ {(i|->j)|->b(i|->3-j), (i|->3-j)|->0} END;
        put(x,s) = PRE x : 0..1 & s : S & card(t) < 2 & b(1|->1) = 0 THEN t := t \\/ {(x|->s)|->n*5000000000 - 1} END;
        less(s) = PRE s : ran(dom(t)) THEN t := ((0..1)*{s}) <<| t END;
        tick = PRE n < 1 & t /= {} THEN n := n + 1 END END",
    );
}

#[test]
fn relations_that_are_no_functions_are_sets_of_pairs() {
    let arrows = ["+->", ">->", "-->>", "<<->", "<->>", "<<->>", "-->"];
    let tests: Vec<String> = arrows
        .iter()
        .enumerate()
        .map(|(at, arrow)| format!("is{at} = PRE r : 0..1 {arrow} -1..1 THEN n := {at} END"))
        .collect();
    agree(&format!(
        "MACHINE M SETS S = {{a,b,c}} VARIABLES r, s, n INVARIANT r : 0..1 <-> -1..1 & s : S <-> 0..1 & n : 0..9 &
          (r~)~ = r & (r \\/ {{5 |-> 5}}) - {{5 |-> 5}} = r & r <: r \\/ r[{{0}}] * r[{{1}}] &
          card(r) = card(r |> {{0}}) + card(r |>> {{0}}) & ({{0}} <| r) \\/ ({{0}} <<| r) = r & s[{{a,b}}] \\/ s[{{c}}] = ran(s) &
          (r ; {{-1|->1,-1|->0,0|->0}}) : POW((0..1) * (0..1)) & r <+ {{0 |-> 1}} /= {{}} & (r = (s~ ; s) => r <<: r \\/ {{9|->9}}) &
          closure1(r) /\\ r = r & (0..0) <| r = {{0}} <| r & {{p | p : r & p : (0..0) * (-1..1)}} = {{0}} <| r & r /\\ {{0|->0,0|->1,1|->1}} <: r & (0 : dom(r) => r(0) < 1)
        INITIALISATION r,s,n := {{}},{{}},0 OPERATIONS
        add(x,y) = PRE x : 0..1 & y : -1..1 & x |-> y /: r & card(s) < 2 THEN r := r \\/ {{x |-> y}} END;
        cut(x) = PRE x : dom(r) & card(r[{{x}}]) > 1 THEN r := r - {{x |-> min(r[{{x}}])}} END;
        use(x) = PRE x : dom(r) & card(r[{{x}}]) = 1 THEN n := r(x) + 1 END;
        put(e,y) = PRE e : S & y : 0..1 & e |-> y /: s & r = {{}} THEN s := s \\/ {{e |-> y}} || n := card(s~[{{y}}]) END;
        one(e) = PRE e : dom(s) & r = {{}} THEN s := s <+ {{e |-> 0}} END; {} END",
        tests.join("; ")
    ));
}

#[test]
fn what_is_asked_more_than_once_in_a_state_is_remembered_for_it() {
    agree(
        "MACHINE M VARIABLES f INVARIANT f : 0..2 +-> 0..2 & (f /= {} => min(dom({x,y | x : 0..2 & y : 3..4} \\/ f)) = 0) &
          card({x | x : dom(f) & f(x) = 0}) <= 3
        INITIALISATION f := {0 |-> 0} OPERATIONS
        low, high <-- ends = PRE f /= {} THEN
          low := min(dom({x,y | x : 1..2 & y : 1..2} <+ f)) || high := max(dom({i,j | i : 1..2 & j : 1..2} <+ f)) END;
        put(x,y) = PRE x : 0..2 & y : 0..2 & card({z | z : dom(f) & f(z) = 0}) < 3 THEN f(x) := y END;
        twice(x) = PRE x : dom(f) THEN f := {x} <<| f;
          f := f <+ {card({z | z : dom(f) & f(z) = 0}) |-> min(dom({i,j | i : 1..2 & j : 1..2} <+ f))} END END",
    );
}
