//! Random formulas over infinite sets, in every place where a formula can stand: what both evaluators say is what brute
//! force with a much larger bound says, wherever that gives an answer, or that it is not known.
//!
//! The formulas always have a value, so that only the unknown is tested. `UNKNOWN_CASES` sets the number of machines and
//! `UNKNOWN_SEED` the first seed; a failure prints the machine.

mod counts;
mod formulas;
mod lambdas;
mod sorts;

use std::path::Path;

use self::formulas::{Brute, Formula, Random};
use crate::support::number;
use base::Sources;
use model::{Kind, Model, Value, VarId};
use model_compile::{Compiled, Options, Question, compile};
use model_interp::{Interp, State};
use model_solve::Solver;
use pins::{FaultKind, Flow, GroupId, Halt, LabelId, System as _, Truth};

/// What the variable holds.
const N: i64 = 9;
/// The free types of the formulas.
const FREE: &str = "FREETYPES Box = none, box(INTEGER); List = nil, cons(INTEGER*List)";

/// A machine with one formula as invariant, one as guard and one as choice.
struct Machine {
    text: String,
    invariant: Formula,
    guard: Formula,
    choice: Formula,
    model: Model,
    compiled: Compiled,
}

fn machine(seed: u64) -> Machine {
    let mut random = Random::new(seed);
    let invariant = Formula::random(&mut random, 3, 0);
    let guard = Formula::random(&mut random, 3, 0);
    let choice = Formula::random(&mut random, 2, 1);
    let text = format!(
        "MACHINE m {FREE} VARIABLES n INVARIANT n:INTEGER & bool({invariant})=TRUE\nASSERTIONS {{x1|x1:INTEGER & {choice}}} <: INTEGER\nINITIALISATION n:={N}\n\
         OPERATIONS go = SELECT {guard} THEN n:=1 END;\nany = ANY x1 WHERE x1:INTEGER & {choice} THEN n:=x1 END\nEND"
    );
    let mut sources = Sources::new();
    let checked = lang_b::check::check_text(Path::new("m.mch"), text.clone(), &mut sources);
    let model = lower_b::lower(&checked, &Default::default())
        .unwrap_or_else(|diagnostics| panic!("{diagnostics:?} in\n{text}"));
    let compiled = compile(&model, &Options::default()).expect("compiles");
    Machine {
        text,
        invariant,
        guard,
        choice,
        model,
        compiled,
    }
}

/// What was said, `None` for the unknown.
type Said = Option<bool>;

impl Machine {
    /// Complains when what was said contradicts what is so.
    fn compare(&self, what: &str, said: Said, is: Said) {
        if let (Some(said), Some(is)) = (said, is) {
            assert_eq!(said, is, "{what} of\n{}", self.text);
        }
    }

    /// The truth of the invariant by both evaluators (a goal is a label too), as a formula, and as an atom of a temporal
    /// formula.
    fn truths(&self) -> [Said; 4] {
        let state = self.compiled.encode(&[Value::Int(N.into())]);
        let labels = self.compiled.shape().labels.len();
        let mut worker = self.compiled.worker();
        let mut compiled = Some(true);
        for label in (0..labels).map(LabelId::new) {
            match worker.label(&state, label) {
                Truth::True => {}
                Truth::False => compiled = Some(false),
                Truth::Unknown(fault) => {
                    assert_ne!(fault.kind, FaultKind::Halted);
                    compiled = compiled.filter(|truth| !truth);
                }
                Truth::Undefined(fault) => panic!("{fault:?} in\n{}", self.text),
            }
        }
        let mut interp = Interp::new(&self.model, Default::default());
        let state = State::new(vec![Some(Value::Int(N.into()))]);
        let mut reference = Some(true);
        for conjunct in &self.model.invariants {
            match interp.holds(conjunct.predicate, &state) {
                Ok(true) => {}
                Ok(false) => reference = Some(false),
                Err(stop) if stop.is_open() => reference = reference.filter(|truth| !truth),
                Err(stop) if stop.kind == model_interp::StopKind::Budget => reference = None,
                Err(stop) => panic!("{stop:?} in\n{}", self.text),
            }
        }
        let state = self.compiled.encode(&[Value::Int(N.into())]);
        let mut asked = Some(true);
        for conjunct in &self.model.invariants {
            match self
                .compiled
                .eval(&self.model, conjunct.predicate, &state)
                .0
            {
                Ok(Value::Bool(true)) => {}
                Ok(_) => asked = Some(false),
                Err(fault) if fault.kind.leaves_open() => asked = asked.filter(|truth| !truth),
                Err(fault) => panic!("{fault:?} in\n{}", self.text),
            }
        }
        [compiled, reference, asked, self.atom()]
    }

    /// The truth of the invariant as an atom.
    fn atom(&self) -> Said {
        let conjuncts = self.model.invariants.iter();
        let questions = conjuncts.map(|conjunct| Question {
            expr: conjunct.predicate,
            names: Vec::new(),
        });
        let questions: Vec<Question> = questions.collect();
        let compiled = self.compiled.questions(&self.model, &questions);
        let mut asking = self.compiled.asking(&compiled);
        asking.look_at(&self.compiled.encode(&[Value::Int(N.into())]));
        let mut atom = Some(true);
        for question in 0..questions.len() {
            match asking.holds(question, &[]) {
                Ok(true) => {}
                Ok(false) => atom = Some(false),
                Err(fault) if fault.kind.leaves_open() => atom = atom.filter(|truth| !truth),
                Err(fault) => panic!("{fault:?} in\n{}", self.text),
            }
        }
        atom
    }

    /// The solutions of the choice as a predicate over constants, and whether these are all.
    fn solutions(&self) -> (Vec<i64>, bool) {
        let text = format!(
            "MACHINE m {FREE} CONSTANTS n, x1\n\
             PROPERTIES n={N} & x1:INTEGER & {} END",
            self.choice
        );
        let (_, system) = crate::support::compiled(&text);
        let mut worker = system.worker();
        let mut found = Vec::new();
        let answer = worker.setups(&mut |setup| {
            found.extend(system.value(setup, VarId::new(1)).as_ref().map(integer));
            Flow::Continue
        });
        match answer {
            Ok(()) => (found, worker.take_notes().cuts.is_empty()),
            Err(fault) if fault.kind.leaves_open() => (found, false),
            Err(fault) => panic!("{fault:?} in\n{text}"),
        }
    }

    /// The solutions of the choice as `solve` finds them, and whether these are all.
    fn solved(&self) -> (Vec<i64>, bool) {
        let stated = self.model.assertions[0].conjunct.predicate;
        let Kind::Op(_, sides) = &self.model.exprs[stated].kind else {
            panic!("an inclusion was stated in\n{}", self.text);
        };
        let state = self.compiled.encode(&[Value::Int(N.into())]);
        let mut found = Vec::new();
        let place = (&state[..], Solver::Auto, &Halt::default());
        let give = &mut |values: &[Option<Value>]| {
            found.extend(values[0].as_ref().map(integer));
            Flow::Continue
        };
        let (answer, notes) = self.compiled.solutions(&self.model, sides[0], place, give);
        match answer {
            Ok(()) => (found, notes.cuts.is_empty()),
            Err(fault) if fault.kind.leaves_open() => (found, false),
            Err(fault) => panic!("{fault:?} in\n{}", self.text),
        }
    }

    /// The values to which an operation leads by both evaluators, and whether that is all.
    fn steps(&self, group: usize) -> [(Vec<i64>, bool); 2] {
        let state = self.compiled.encode(&[Value::Int(N.into())]);
        let mut worker = self.compiled.worker();
        let mut compiled = Vec::new();
        let answer = worker.successors(&state, GroupId::new(group), &mut |step| {
            let value = self.compiled.value(step.target, VarId::new(0));
            compiled.extend(value.as_ref().map(integer));
            Flow::Continue
        });
        let is_whole = match answer {
            Ok(()) => true,
            Err(fault) if fault.kind.leaves_open() => false,
            Err(fault) => panic!("{fault:?} in\n{}", self.text),
        };
        let mut interp = Interp::new(&self.model, Default::default());
        let state = State::new(vec![Some(Value::Int(N.into()))]);
        let reference = match interp.transitions(group, &state) {
            Ok((found, stop)) => {
                let values = found.iter().map(|step| &step.target.values()[0]);
                let values = values.flatten().map(integer).collect();
                (values, stop.is_none())
            }
            Err(stop) if stop.kind == model_interp::StopKind::Budget => (Vec::new(), false),
            Err(stop) => panic!("{stop:?} in\n{}", self.text),
        };
        [(compiled, is_whole), reference]
    }
}

fn integer(value: &Value) -> i64 {
    match value {
        Value::Int(model::Int::Small(value)) => *value,
        other => panic!("{other:?} is no small integer"),
    }
}

#[test]
fn what_is_said_of_infinite_sets_is_true() {
    let (cases, first) = (number("UNKNOWN_CASES", 150), number("UNKNOWN_SEED", 1));
    let (mut known, mut asked) = (0, 0);
    for seed in first..first + cases {
        if seed % 1000 == 0 {
            println!("seed {seed}");
        }
        let machine = machine(seed);
        let brute = Brute::new(N);
        let is = brute.truth(&machine.invariant, &mut Vec::new());
        for said in machine.truths() {
            machine.compare("the invariant", said, is);
            known += u64::from(said.is_some());
            asked += 1;
        }
        let is = brute.truth(&machine.guard, &mut Vec::new());
        for (steps, is_whole) in machine.steps(0) {
            let said = match (steps.is_empty(), is_whole) {
                (false, _) => Some(true),
                (true, true) => Some(false),
                (true, false) => None,
            };
            machine.compare("the guard", said, is);
        }
        let [compiled, reference] = machine.steps(1);
        for (steps, is_whole) in [compiled, reference, machine.solutions(), machine.solved()] {
            for value in Brute::range() {
                let is = brute.truth(&machine.choice, &mut vec![value]);
                let said = match steps.contains(&value) {
                    true => Some(true),
                    false => is_whole.then_some(false),
                };
                machine.compare(&format!("x1={value} in the choice"), said, is);
            }
        }
    }
    println!(
        "seeds {first}..{}: {known} of {asked} invariants are known",
        first + cases
    );
    assert!(known * 4 > asked, "{known} of {asked} are known");
}
