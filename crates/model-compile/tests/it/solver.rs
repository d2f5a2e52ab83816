//! Random predicates: propagation, SAT and the reference evaluator on every valuation give the same solutions.
//!
//! `BURNSIDE_CASES` sets how many predicates are tried, `BURNSIDE_SEED` where to start.

// Only its loader is used here.
#[allow(dead_code)]
use std::collections::BTreeSet;

use lang_math::Op;
use model::{ExprId, Kind, Model, Ty, TyId, Value, VarId};
use model_compile::{Options, Solver, compile};
use model_interp::{Interp, State};
use pins::{Flow, System as _};

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}

const TYPES: &[(&str, &str)] = &[
    ("i", "i : -1..2"),
    ("j", "j : 0..2"),
    ("s", "s <: 0..2"),
    ("t", "t : POW(1..2)"),
    ("r", "r : 0..1 <-> 0..1"),
    ("f", "f : 0..1 +-> 0..2"),
    ("h", "h : 0..1 --> 1..2"),
    ("b", "b : BOOL"),
    ("e", "e : E"),
    ("g", "g : 0..1 --> E"),
    ("p", "p : (0..1)*(1..2)"),
];

struct Maker<'r> {
    random: &'r mut Random,
    names: Vec<&'static str>,
    bound: Vec<String>,
}

impl Maker<'_> {
    fn has(&self, name: &str) -> bool {
        self.names.contains(&name)
    }

    fn int(&mut self, depth: u32) -> String {
        let choice = self.random.below(if depth == 0 { 4 } else { 15 });
        let d = depth.saturating_sub(1);
        match choice {
            0 if self.has("i") => "i".to_owned(),
            1 if self.has("j") => "j".to_owned(),
            2 | 0 if !self.bound.is_empty() => {
                let at = self.random.below(self.bound.len() as u64) as usize;
                self.bound[at].clone()
            }
            0..=3 => format!("{}", self.random.below(4) as i64 - 1),
            4 => format!("({}+{})", self.int(d), self.int(d)),
            5 => format!("({}-{})", self.int(d), self.int(d)),
            6 => format!("({}*{})", self.int(d), self.int(d)),
            7 => format!("card({})", self.set(d)),
            8 => format!("({} mod {})", self.int(d), self.int(d)),
            9 => format!("({} / {})", self.int(d), self.int(d)),
            10 => format!("min({})", self.set(d)),
            11 if self.has("f") => format!("f({})", self.int(d)),
            11 | 12 if self.has("h") => format!("h({})", self.int(d)),
            12 => format!("max({})", self.set(d)),
            13 => {
                let name = self.name();
                let set = self.set(d);
                self.bound.push(name.clone());
                let value = self.int(d);
                self.bound.pop();
                format!("SIGMA({name}).({name}:{set}|{value})")
            }
            _ => format!(
                "(IF {} THEN {} ELSE {} END)",
                self.pred(d),
                self.int(d),
                self.int(d)
            ),
        }
    }

    fn name(&self) -> String {
        format!("x{}", self.bound.len())
    }

    fn set(&mut self, depth: u32) -> String {
        let choice = self.random.below(if depth == 0 { 4 } else { 13 });
        let d = depth.saturating_sub(1);
        match choice {
            0 if self.has("s") => "s".to_owned(),
            1 if self.has("t") => "t".to_owned(),
            0..=2 => format!("{{{},{}}}", self.int(0), self.int(0)),
            3 => "(0..2)".to_owned(),
            4 => format!("({}\\/{})", self.set(d), self.set(d)),
            5 => format!("({}/\\{})", self.set(d), self.set(d)),
            6 => format!("({}-{})", self.set(d), self.set(d)),
            7 => format!("({}..{})", self.int(d), self.int(d)),
            8 => format!("dom({})", self.rel(d)),
            9 => format!("ran({})", self.rel(d)),
            10 => format!("{}[{}]", self.rel(d), self.set(d)),
            11 => {
                let name = self.name();
                let set = self.set(d);
                self.bound.push(name.clone());
                let pred = self.pred(d);
                self.bound.pop();
                format!("{{{name}|{name}:{set} & {pred}}}")
            }
            _ => {
                let name = self.name();
                let set = self.set(d);
                self.bound.push(name.clone());
                let inner = self.set(d);
                self.bound.pop();
                format!("UNION({name}).({name}:{set}|{inner})")
            }
        }
    }

    fn rel(&mut self, depth: u32) -> String {
        let choice = self.random.below(if depth == 0 { 4 } else { 13 });
        let d = depth.saturating_sub(1);
        match choice {
            0 if self.has("r") => "r".to_owned(),
            1 if self.has("f") => "f".to_owned(),
            2 if self.has("h") => "h".to_owned(),
            0..=3 => "{0|->1,1|->1,1|->2}".to_owned(),
            4 => format!("({}~)", self.rel(d)),
            5 => format!("({};{})", self.rel(d), self.rel(d)),
            6 => format!("({}<|{})", self.set(d), self.rel(d)),
            7 => format!("({}|>>{})", self.rel(d), self.set(d)),
            8 => format!("({}<+{})", self.rel(d), self.rel(d)),
            9 => format!("({}*{})", self.set(d), self.set(d)),
            10 => format!("id({})", self.set(d)),
            11 => format!("closure1({})", self.rel(d)),
            _ => {
                let name = self.name();
                let set = self.set(d);
                self.bound.push(name.clone());
                let value = self.int(d);
                self.bound.pop();
                format!("%{name}.({name}:{set}|{value})")
            }
        }
    }

    fn pred(&mut self, depth: u32) -> String {
        let choice = self.random.below(if depth == 0 { 5 } else { 18 });
        let d = depth.saturating_sub(1);
        match choice {
            0 => format!("{} = {}", self.int(d), self.int(d)),
            1 => format!("{} < {}", self.int(d), self.int(d)),
            2 => format!("{} /= {}", self.int(d), self.int(d)),
            3 => format!("{} : {}", self.int(d), self.set(d)),
            4 => format!("{} <: {}", self.set(d), self.set(d)),
            5 => format!("({} & {})", self.pred(d), self.pred(d)),
            6 => format!("({} or {})", self.pred(d), self.pred(d)),
            7 => format!("({} => {})", self.pred(d), self.pred(d)),
            8 => format!("({} <=> {})", self.pred(d), self.pred(d)),
            9 => format!("not({})", self.pred(d)),
            10 | 11 => {
                let name = self.name();
                let set = self.set(d);
                self.bound.push(name.clone());
                let pred = self.pred(d);
                self.bound.pop();
                if choice == 10 {
                    format!("!{name}.({name}:{set} => {pred})")
                } else {
                    format!("#{name}.({name}:{set} & {pred})")
                }
            }
            12 => format!("{} = {}", self.set(d), self.set(d)),
            13 => {
                let arrow = ["<->", "+->", "-->", ">+>", ">->>", "+->>"];
                let arrow = arrow[self.random.below(6) as usize];
                format!("{} : {} {arrow} {}", self.rel(d), self.set(d), self.set(d))
            }
            14 => format!("{} = {}", self.rel(d), self.rel(d)),
            15 if self.has("b") => format!("b = bool({})", self.pred(d)),
            16 if self.has("e") && self.has("g") => format!("g({}) = e", self.int(d)),
            15 | 16 if self.has("g") => format!("g({}) /= e1", self.int(d)),
            16 if self.has("e") => "e = e2".to_owned(),
            17 if self.has("p") => format!("p = ({}|->{})", self.int(d), self.int(d)),
            _ => format!("{} <<: {}", self.set(d), self.set(d)),
        }
    }
}

fn all_of(model: &Model, ty: TyId, constants: &str) -> Vec<Value> {
    let ints = |low: i64, high: i64| (low..=high).map(Value::int).collect::<Vec<_>>();
    let subsets = |elements: &[Value]| {
        (0u32..1 << elements.len())
            .map(|mask| {
                let chosen = elements.iter().enumerate();
                Value::set(
                    chosen
                        .filter(|(i, _)| mask >> i & 1 == 1)
                        .map(|(_, value)| value.clone())
                        .collect(),
                )
            })
            .collect::<Vec<_>>()
    };
    let pairs = |left: &[Value], right: &[Value]| {
        let mut pairs = Vec::new();
        for a in left {
            for b in right {
                pairs.push(Value::pair(a.clone(), b.clone()));
            }
        }
        pairs
    };
    match (&model.tys[ty], constants) {
        (Ty::Bool, _) => vec![Value::Bool(false), Value::Bool(true)],
        (Ty::Sort(sort), _) => (0..2).map(|i| Value::Element(*sort, i)).collect(),
        (_, "i") => ints(-1, 2),
        (_, "j") => ints(0, 2),
        (_, "s") => subsets(&ints(0, 2)),
        (_, "t") => subsets(&ints(1, 2)),
        (_, "r") => subsets(&pairs(&ints(0, 1), &ints(0, 1))),
        (_, "f") => subsets(&pairs(&ints(0, 1), &ints(0, 2))),
        (_, "h") => subsets(&pairs(&ints(0, 1), &ints(1, 2))),
        (_, "p") => pairs(&ints(0, 1), &ints(1, 2)),
        (Ty::Pow(pair), "g") => {
            let Ty::Prod(_, element) = model.tys[*pair] else {
                return Vec::new();
            };
            subsets(&pairs(&ints(0, 1), &all_of(model, element, "")))
        }
        _ => Vec::new(),
    }
}

/// Solutions by trying everything, and whether some valuation is undefined.
fn by_force(model: &Model, names: &[&str]) -> (BTreeSet<Vec<Value>>, bool) {
    let mut conjuncts: Vec<ExprId> = Vec::new();
    let mut todo: Vec<ExprId> = model.properties.iter().rev().map(|p| p.predicate).collect();
    while let Some(expr) = todo.pop() {
        match &model.exprs[expr].kind {
            Kind::Op(Op::And, args) => todo.extend(args.iter().rev()),
            _ => conjuncts.push(expr),
        }
    }
    let mut interp = Interp::new(model, model_interp::Options::default());
    let lists: Vec<Vec<Value>> = model
        .variables
        .iter()
        .zip(names)
        .map(|((_, variable), name)| all_of(model, variable.ty, name))
        .collect();
    let mut solutions = BTreeSet::new();
    let mut undefined = false;
    let mut at = vec![0usize; lists.len()];
    'all: loop {
        let values: Vec<Value> = at.iter().zip(&lists).map(|(i, l)| l[*i].clone()).collect();
        let state = State::new(values.iter().cloned().map(Some).collect());
        let mut holds = true;
        let mut vague = false;
        for conjunct in &conjuncts {
            match interp.holds(*conjunct, &state) {
                Ok(true) => {}
                Ok(false) => holds = false,
                Err(_) => vague = true,
            }
        }
        undefined |= vague;
        if holds && !vague {
            solutions.insert(values);
        }
        let mut k = 0;
        loop {
            if k == at.len() {
                break 'all;
            }
            at[k] += 1;
            if at[k] < lists[k].len() {
                break;
            }
            at[k] = 0;
            k += 1;
        }
    }
    (solutions, undefined)
}

fn by_solver(model: &Model, solver: Solver) -> Option<Vec<Vec<Value>>> {
    let options = Options {
        solver,
        ..Options::default()
    };
    let compiled = compile(model, &options).expect("the machine compiles");
    let mut found = Vec::new();
    let mut worker = compiled.worker();
    let result = worker.setups(&mut |setup| {
        let values = (0..model.variables.len()).map(VarId::new);
        found.push(
            values
                .map(|var| compiled.value(setup, var).expect("the constant is finite"))
                .collect(),
        );
        Flow::Continue
    });
    result.is_ok().then_some(found)
}

#[test]
fn propagation_sat_and_brute_force_agree() {
    let number = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let cases = number("BURNSIDE_CASES", 400);
    let seed = number("BURNSIDE_SEED", 1);
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..8 {
        random.below(2);
    }
    let (mut tried, mut satisfiable) = (0, 0);
    for case in 0..cases {
        let mut names: Vec<(&str, &str)> = Vec::new();
        while names.len() < 2 + (case % 2) as usize {
            let pick = TYPES[random.below(TYPES.len() as u64) as usize];
            let large = |name: &str| matches!(name, "f" | "g" | "h" | "r");
            let too_much = large(pick.0) && names.iter().any(|(name, _)| large(name));
            if !too_much && !names.contains(&pick) {
                names.push(pick);
            }
        }
        let typing: Vec<&str> = names.iter().map(|(_, typing)| *typing).collect();
        let names: Vec<&'static str> = names.iter().map(|(name, _)| *name).collect();
        let mut maker = Maker {
            random: &mut random,
            names: names.clone(),
            bound: Vec::new(),
        };
        let mut conjuncts = vec![maker.pred(3)];
        if case % 3 == 0 {
            conjuncts.push(maker.pred(2));
        }
        let text = format!(
            "MACHINE M SETS E = {{e1,e2}} CONSTANTS {} PROPERTIES {} & {} END",
            names.join(","),
            typing.join(" & "),
            conjuncts.join(" & ")
        );
        // Ill-typed predicates are left out: `{}` without an element has no type.
        let Ok(model) = crate::support::load_text(&text) else {
            continue;
        };
        let (expected, undefined) = by_force(&model, &names);
        tried += 1;
        satisfiable += usize::from(!expected.is_empty());
        for solver in [Solver::Propagate, Solver::Sat, Solver::Auto] {
            match by_solver(&model, solver) {
                None => assert!(undefined, "{solver:?} faults on\n{text}"),
                Some(found) => {
                    let set: BTreeSet<Vec<Value>> = found.iter().cloned().collect();
                    assert_eq!(
                        set.len(),
                        found.len(),
                        "{solver:?} repeats itself on\n{text}"
                    );
                    assert!(
                        set == expected,
                        "{solver:?} differs on\n{text}\nexpected {} found {}\nmissing {:?}\ntoo many {:?}",
                        expected.len(),
                        set.len(),
                        expected.difference(&set).next(),
                        set.difference(&expected).next()
                    );
                }
            }
        }
    }
    assert!(tried * 2 > cases as usize, "most predicates are well typed");
    assert!(satisfiable * 4 > tried, "a fair part has solutions");
}

#[test]
fn a_set_that_asks_for_its_own_elements_is_searched_for() {
    let text = "MACHINE M CONSTANTS s PROPERTIES s <: 0..2 & {x | x : s \\/ {1} & x < 2} = s END";
    let model = crate::support::load_text(text).expect("the machine is well typed");
    let (expected, _) = by_force(&model, &["s"]);
    assert_eq!(expected.len(), 2);
    for solver in [Solver::Propagate, Solver::Sat, Solver::Auto] {
        let found = by_solver(&model, solver).expect("nothing is undefined");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    }
}

#[test]
fn a_function_that_calls_itself_without_end_is_a_fault() {
    let text = "MACHINE M CONSTANTS f, y PROPERTIES f = %x.(x : INTEGER | f(x) + 1) & y = f(3) END";
    let model = crate::support::load_text(text).expect("the machine is well typed");
    assert_eq!(by_solver(&model, Solver::Auto), None);
}

#[test]
fn a_range_without_a_value_is_not_empty() {
    let text = "MACHINE M CONSTANTS i PROPERTIES i : -1..2 & !x.(x : 1..2 / i => x = 7) END";
    let model = crate::support::load_text(text).expect("the machine is well typed");
    for solver in [Solver::Propagate, Solver::Sat, Solver::Auto] {
        assert_eq!(by_solver(&model, solver), None, "{solver:?}");
    }
}

#[test]
fn a_range_that_is_always_empty_has_no_solution() {
    let text = "MACHINE M CONSTANTS j PROPERTIES j : 1..2 & #x.(x : 2..0 / j & x : {j,0}) END";
    let model = crate::support::load_text(text).expect("the machine is well typed");
    for solver in [Solver::Propagate, Solver::Sat, Solver::Auto] {
        assert_eq!(by_solver(&model, solver), Some(Vec::new()), "{solver:?}");
    }
}
