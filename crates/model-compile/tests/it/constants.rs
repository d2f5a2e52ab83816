//! How constants and other unknowns are found: apart, lazily, by rules or by the solver, and never with another result.

// Only its loader and explorer are used here.
#[allow(dead_code)]
use model_compile::{Options, Solver, Wd, compile};
use model_interp::Interp;
use pins::{Flow, System};

fn setups(text: &str, options: &Options, most: usize) -> usize {
    let model = crate::support::load_text(text).expect("a machine");
    let compiled = compile(&model, options).expect("it compiles");
    let mut count = 0;
    compiled
        .worker()
        .setups(&mut |_| {
            count += 1;
            if count < most {
                Flow::Continue
            } else {
                Flow::Stop
            }
        })
        .expect("the properties are defined");
    count
}

#[test]
fn components_give_the_product_of_their_solutions() {
    let text = "MACHINE M CONSTANTS a,b,c,d,e PROPERTIES a : 1..3 & b : 1..3 & a < b & c : 1..4 & c /= 2 \
        & d <: 1..2 & e = a + 1 & 1 < 2 END";
    let model = crate::support::load_text(text).expect("a machine");
    let mut interp = Interp::new(&model, model_interp::Options::default());
    let expected = interp.setups(usize::MAX).expect("set-ups").len();
    assert_eq!(expected, 3 * 3 * 4);
    assert_eq!(setups(text, &Options::default(), usize::MAX), expected);
}

#[test]
fn a_component_without_a_solution_ends_the_search_over_a_huge_one() {
    for x in ["x : 1..3 & x > 5", "x : 1..3 --> 1..3 & x(1) > x(1)"] {
        let text = format!("MACHINE M CONSTANTS f,x PROPERTIES f : 1..40 --> 1..10 & {x} END");
        assert_eq!(setups(&text, &Options::default(), usize::MAX), 0, "{x}");
    }
}

#[test]
fn the_first_of_very_many_setups_come_at_once() {
    let text = "MACHINE M CONSTANTS f,g PROPERTIES f : 1..40 --> 1..10 & g : 1..40 >-> 1..60 & g(1) > g(2) END";
    assert_eq!(setups(text, &Options::default(), 100), 100);
}

/// Queens of a board, chosen by an operation.
const QUEENS: &str = "MACHINE M VARIABLES q INVARIANT q : seq(1..8) INITIALISATION q := [] OPERATIONS \
    place = ANY p WHERE q = [] & p : 1..8 >->> 1..8 & \
    !(i,j).(i : 1..8 & j : 1..8 & i < j => p(i)+j-i /= p(j) & p(i)-j+i /= p(j)) THEN q := p END END";

#[test]
fn the_solver_is_asked_where_a_trial_does_not_suffice() {
    for solver in [Solver::Auto, Solver::Propagate, Solver::Sat] {
        let model = crate::support::load_text(QUEENS).expect("a machine");
        let options = Options {
            solver,
            ..Options::default()
        };
        let compiled = compile(&model, &options).expect("it compiles");
        let found = crate::support::explore(&compiled, 1000);
        assert_eq!((found.states, found.faults.len()), (93, 0));
    }
    // The first unknown has millions of candidates: a trial looks at some thousand of them.
    let text = QUEENS
        .replace('8', "16")
        .replace("p(i)-j+i /= p(j)", "p(i)-j+i /= p(j) & p(1) = 1");
    let model = crate::support::load_text(&text).expect("a machine");
    let compiled = compile(&model, &Options::default()).expect("it compiles");
    let mut worker = compiled.worker();
    let mut states = Vec::new();
    worker
        .setups(&mut |setup| {
            states.push(setup.to_vec());
            Flow::Continue
        })
        .expect("one set-up");
    let setup = states.pop().expect("one set-up");
    let mut initial = None;
    worker
        .initial(&setup, &mut |state| {
            initial = Some(state.to_vec());
            Flow::Continue
        })
        .expect("an initial state");
    let mut steps = 0;
    worker.all_successors(
        &initial.expect("an initial state"),
        &mut |_, _| {
            steps += 1;
            Flow::Stop
        },
        &mut |_, fault| panic!("{fault:?}"),
    );
    assert_eq!(steps, 1);
    assert_eq!(compiled.layers(), ["propagation"]);
}

#[test]
fn what_a_binder_keeps_is_that_of_the_state() {
    let text = "MACHINE M VARIABLES k INVARIANT k : 0..2 & \
        {x | x : 1..9 & x : {y | y : 1..9 & y mod 3 = k}} = {y | y : 1..9 & y mod 3 = k} & \
        !x.(x : 1..3 => card({z | z : 1..5 & z > k}) = 5 - k & #y.(y : {u | u : 1..4 & u > k} & y >= x)) & \
        card({x,y | x : 1..3 & y : {z | z : 1..4 & z > k}}) = 3 * (4 - k) & \
        (%i.(i : 1..3 | {j | j : 1..k}))(2) = 1..k & \
        SIGMA(x).(x : 1..3 | x * card({j,l | j : 1..k & l : 1..2})) = 12 * k \
        INITIALISATION k := 0 OPERATIONS go = BEGIN k := (k + 1) mod 3 END END";
    let (_, compiled) = crate::support::compiled(text);
    let found = crate::support::explore(&compiled, 100);
    assert_eq!((found.states, found.violated), (3, 0));
    assert_eq!(found.faults, []);
}

#[test]
fn rules_for_a_function_hide_no_undefined_conjunct() {
    let machine = |conjunct: &str| {
        format!(
            "MACHINE M VARIABLES s INVARIANT s : POW(1..3 <-> INTEGER) INITIALISATION s := \
             {{c | c : 1..3 --> 0..4 & {conjunct} & !r.(r : 2..3 => c(r) = c(r-1) + 2)}} END"
        )
    };
    let explored = |conjunct: &str| {
        let (_, compiled) = crate::support::compiled(&machine(conjunct));
        crate::support::explore(&compiled, 10)
    };
    assert_eq!(explored("c(1) = 0").faults, []);
    // No function has the values that the rule gives, so all of them show that c(9) is undefined.
    assert_eq!(explored("c(9) = 0").faults.len(), 1);
    assert_eq!(explored("c(1) = 4").faults, []);
}

#[test]
fn undefined_properties_are_dropped_alike_by_every_solver() {
    let text = "MACHINE M SETS S = {aa,bb,cc} CONSTANTS f PROPERTIES f : POW(S) >+> S & \
        !y.(y : S & y /= aa => f({y}) = y) END";
    let count = |solver| {
        let options = Options {
            wd: Wd::Lenient,
            solver,
            ..Options::default()
        };
        setups(text, &options, usize::MAX)
    };
    // aa may be the value of one of the six other sets, or of none.
    assert_eq!(count(Solver::Auto), 7);
    assert_eq!(count(Solver::Propagate), 7);
    assert_eq!(count(Solver::Sat), 7);
}

#[test]
fn recursive_functions_of_the_host_are_those_of_the_model() {
    let host = "DEFINITIONS EXTERNAL_FUNCTION_REC(A,B) == (STRING*A)-->B; REC(f,a) == f(a); \
        EXTERNAL_FUNCTION_REC_LET(A) == (STRING*A)-->A; REC_LET(f,a) == a; \
        EXTERNAL_PREDICATE_KODKOD(A,B) == INTEGER*A*B*BOOL; KODKOD(n,a,b,c) == c=TRUE; \
        EXTERNAL_FUNCTION_MAXIMIZE(A) == POW(A)-->A; MAXIMIZE(s) == {}(0)";
    let text = format!(
        "MACHINE M {host} CONSTANTS power,least,pair PROPERTIES \
        power = REC_LET(\"p\", %x.(x : INTEGER & x < 1 | 1) \\/ %x.(x : INTEGER & x >= 1 | 2*REC(\"p\", x-1))) & \
        KODKOD(1, least, power, bool(least : 0..20 & power(least) > 100 & power(least-1) <= 100)) & \
        pair = MAXIMIZE({{a,b | a : 1..9 & b = 20-a & a mod 4 = 0}}) & power(10) = 1024 & least = 7 & pair = (8,12) END"
    );
    assert_eq!(setups(&text, &Options::default(), usize::MAX), 1);
    let model = crate::support::load_text(&text).expect("a machine");
    let mut interp = Interp::new(&model, model_interp::Options::default());
    assert_eq!(interp.setups(usize::MAX).expect("set-ups").len(), 1);
}

#[test]
fn what_others_range_over_is_cut_before_them() {
    // The size is 0..3, the greatest number at least one more: 4 when the size is 3.
    let text = "MACHINE M CONSTANTS most, f, nums, vals, sz PROPERTIES most : NATURAL & nums = 0..most \
        & vals = -most..most & sz : nums & sz < most & f : 1..sz --> vals END";
    let expected = 3 + (5 + 7) + 7 * 7 + 9 * 9 * 9;
    assert_eq!(setups_of_cut(text), expected);
    // A number between a known one and an open one comes before that.
    let text = "MACHINE M CONSTANTS most, level PROPERTIES level : 1..most & most > 3 END";
    assert_eq!(setups_of_cut(text), 3);
}

#[test]
fn values_of_functions_are_cut_where_their_bounds_are() {
    // `f(1)` is at least 2 with two places and at least 4 with three; the distance follows from it.
    let text = "MACHINE M CONSTANTS gap, places, f PROPERTIES places : NATURAL1 & places >= 2 & gap : NATURAL1 \
        & f : 1..places --> NATURAL & !v.(v : 1..places => f(v) = (places-v)*(gap+1)) END";
    assert_eq!(setups_of_cut(text), 3);
    // Bounds that follow from a sum are no cut.
    let text = "MACHINE M CONSTANTS f PROPERTIES f : 1..3 --> NATURAL & SIGMA(x).(x : 1..3 | f(x)) = 5 END";
    assert_eq!(setups(text, &Options::default(), usize::MAX), 21);
}

#[test]
fn few_functions_bound_what_is_made_of_them() {
    // Without the functions there are too many relations between them to write the contradiction down.
    let text = "MACHINE M SETS S = {s1,s2}; T = {t1,t2} CONSTANTS c, r, p \
        PROPERTIES c <: S --> POW1(T) & c /= {} & r : c <-> c & !x.(x : c => x : r[{x}]) \
        & p : S*S +-> (NATURAL +-> S) & p /= {} & !x.(x : S*S => x : dom(p)) & !x.(x : S => (x|->x) /: dom(p)) \
        & r[c] = c END";
    assert_eq!(setups(text, &Options::default(), usize::MAX), 0);
}

/// The set-ups of a machine whose integers have to be cut: the answer is not complete, and says so.
fn setups_of_cut(text: &str) -> usize {
    let model = crate::support::load_text(text).expect("a machine");
    let compiled = compile(&model, &Options::default()).expect("it compiles");
    let mut worker = compiled.worker();
    let mut count = 0;
    let result = worker.setups(&mut |_| {
        count += 1;
        Flow::Continue
    });
    assert!(result.is_err() || !worker.take_notes().cuts.is_empty());
    count
}

#[test]
fn cases_give_a_value_although_it_may_be_undefined() {
    // Of all relations between the places and the integers two are looked at: the rest would have to be cut.
    let text = "MACHINE M SETS P = {p1,p2,p3} VARIABLES f, b INVARIANT f : P --> INTEGER & b : BOOL \
        INITIALISATION f := P*{0} || b := FALSE OPERATIONS flip = b := TRUE; \
        set = f := {z,g | z : BOOL & g : POW(P*INTEGER) & (b = TRUE => g = f <+ {{p2|->p1}(p2) |-> 7}) \
            & (not(b = TRUE) => g = f)}(TRUE) END";
    let model = crate::support::load_text(text).expect("a machine");
    let compiled = compile(&model, &Options::default()).expect("it compiles");
    let found = crate::support::explore(&compiled, 1000);
    assert_eq!((found.states, found.faults.len()), (3, 0));
}
