//! Questions about all states that satisfy the invariant, reachable or not, and about short paths, answered by constraints.
//!
//! Papers: [Leuschel, Bendisposto, Dobrikov, Krings, Plagge 2014] (constraint-based checks of B); [Sheeran, Singh, Stålmarck
//! 2000] (induction with more than one step). An action is a list of *ways* (`influence/ways.rs`): conditions and writes as
//! expressions over the state before. A question becomes properties of constants: the state, the parameters and the choices
//! are unknown constants, and whoever finds set-ups answers. So sets, quantifiers and functions mean what they mean in a
//! check, and every back end of the solver serves.
//! Invariant: "no" is said only where nothing was cut, undefined or given up; "yes" comes with values.

mod operations;
mod paths;

use base::Span;
use lang_math::{Binder, Op};
use model::{Conjunct, Expr, ExprId, Kind, LocalId, Model, Stmt, Value, VarId, Variable};
use pins::{Flow, Halt, System as _};

use crate::influence::substitute::{Map, Substitute};
use crate::influence::ways::{Way, run, ways};
use crate::{Options, Solver, Wd, compile};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Can this action lead from a state that satisfies the invariant to one that does not?
    Breaks(usize),
    /// Is there a state that satisfies the invariant and in which no action can happen?
    Deadlock,
    /// Is there a state that satisfies the invariant and not this assertion?
    Refutes(usize),
    /// Can this action happen in a state that satisfies the invariant?
    Happens(usize),
    /// Is there a state that satisfies the invariant, with arguments for which everything holds that this action says of
    /// the state before, and yet it cannot happen with them?
    Cut(usize),
    /// Can these actions happen one after the other, from an initial state?
    Path(Vec<usize>),
    /// Does a path of so many steps from an initial state end where the invariant is false?
    Base(usize),
    /// Does a path of so many steps through states that satisfy the invariant, from any of them, end where it is false?
    Step(usize),
}

/// What is said of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// No: it was looked at everywhere.
    No,
    /// Yes, for example so.
    Yes(Witness),
    /// It is not known, and why.
    Open(String),
}

/// An example.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// Constants and, unless it starts at the beginning, variables before the first step.
    pub state: Vec<Option<Value>>,
    /// Whether it starts with an initialisation.
    pub is_start: bool,
    /// The actions that happen, with their arguments.
    pub steps: Vec<(usize, Vec<Value>)>,
    /// The conjunct of the invariant that is false at its end.
    pub conjunct: Option<usize>,
}

/// So many paths of one question are looked at.
const MOST_PATHS: usize = 2_000;

/// Asks questions about one model.
pub struct Constraints {
    /// The model, with the formulas of questions.
    model: Model,
    invariants: Vec<ExprId>,
    /// What is supposed of a state that is asked about: the invariant, and what every state satisfies anyway.
    supposed: Vec<ExprId>,
    assertions: Vec<ExprId>,
    actions: Vec<Option<Vec<Way>>>,
    names: Vec<String>,
    parameters: Vec<usize>,
    start: Option<Vec<Way>>,
    solver: Solver,
    halt: Halt,
}

/// A way through several actions.
#[derive(Clone, Debug, Default)]
struct Course {
    way: Way,
    /// The actions, each with the position of its first parameter among the names.
    steps: Vec<(usize, usize)>,
    is_start: bool,
}

/// What is unknown of a problem besides constants.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unknowns {
    /// Nothing.
    Constants,
    /// The variables.
    State,
}

/// What became of a problem.
enum Solved {
    Nothing,
    Found(Vec<Option<Value>>),
    Open(String),
}

impl Constraints {
    /// Prepares questions about a model.
    pub fn new(model: &Model, solver: Solver, halt: Halt) -> Constraints {
        let mut extended = model.clone();
        let actions = model.actions.iter();
        let actions = actions.map(|action| ways(&mut extended, action).acting);
        let actions = actions.collect();
        let start = run(&mut extended, model.initialisation, vec![Way::default()]);
        let invariants = model.invariants.iter();
        let supposed = model.assumed.iter().chain(&model.invariants);
        let assertions = model.assertions.iter();
        Constraints {
            supposed: supposed.map(|conjunct| conjunct.predicate).collect(),
            invariants: invariants.map(|conjunct| conjunct.predicate).collect(),
            assertions: assertions.map(|part| part.conjunct.predicate).collect(),
            names: model.actions.iter().map(|a| a.name.to_string()).collect(),
            parameters: model.actions.iter().map(|a| a.parameters.len()).collect(),
            model: extended,
            actions,
            start,
            solver,
            halt,
        }
    }

    /// The answer to a question.
    pub fn ask(&mut self, question: &Question) -> Answer {
        match question {
            Question::Breaks(action) => {
                let courses = self.courses(vec![Course::default()], &[vec![*action]]);
                self.broken(courses, Unknowns::State, &self.supposed.clone())
            }
            Question::Deadlock => self.deadlock(),
            Question::Refutes(assertion) => {
                let mut conjuncts = self.supposed.clone();
                let wrong = self.assertions[*assertion];
                conjuncts.push(self.not(wrong));
                let solved = self.solve(&[], &conjuncts, Unknowns::State);
                self.answer(solved, &Course::default(), None)
            }
            Question::Happens(action) => self.happens(*action),
            Question::Cut(action) => self.cut(*action),
            Question::Path(actions) => {
                let steps: Vec<Vec<usize>> = actions.iter().map(|a| vec![*a]).collect();
                let courses = self.begin().and_then(|begin| self.courses(begin, &steps));
                self.feasible(courses)
            }
            Question::Base(depth) => {
                let steps = vec![(0..self.actions.len()).collect(); *depth];
                let courses = self.begin().and_then(|begin| self.courses(begin, &steps));
                self.broken(courses, Unknowns::Constants, &[])
            }
            Question::Step(depth) => {
                let steps = vec![(0..self.actions.len()).collect(); *depth];
                let courses = self.good_courses(&steps);
                self.broken(courses, Unknowns::State, &self.supposed.clone())
            }
        }
    }

    /// No action can happen.
    fn deadlock(&mut self) -> Answer {
        let mut conjuncts = self.supposed.clone();
        for action in 0..self.actions.len() {
            let Some(ways) = self.actions[action].clone() else {
                return Answer::Open(self.not_understood(action));
            };
            for way in ways {
                conjuncts.push(self.never(way.names, &way.conditions));
            }
        }
        let solved = self.solve(&[], &conjuncts, Unknowns::State);
        self.answer(solved, &Course::default(), None)
    }

    /// Whether some course ends where a conjunct of the invariant is false, from a state with these conjuncts.
    fn broken(
        &mut self,
        courses: Result<Vec<Course>, String>,
        unknowns: Unknowns,
        assumed: &[ExprId],
    ) -> Answer {
        let courses = match courses {
            Ok(courses) => courses,
            Err(why) => return Answer::Open(why),
        };
        let mut open = None;
        for course in courses {
            for (at, conjunct) in self.invariants.clone().into_iter().enumerate() {
                let after = self.after(&course.way, conjunct);
                if after == conjunct && unknowns == Unknowns::State {
                    continue;
                }
                let mut conjuncts = assumed.to_vec();
                conjuncts.extend(&course.way.conditions);
                conjuncts.push(self.not(after));
                let solved = self.solve(&course.way.names, &conjuncts, unknowns);
                match self.answer(solved, &course, Some(at)) {
                    Answer::No => {}
                    Answer::Open(why) => _ = open.get_or_insert(why),
                    found @ Answer::Yes(_) => return found,
                }
            }
        }
        open.map_or(Answer::No, Answer::Open)
    }

    fn feasible(&mut self, courses: Result<Vec<Course>, String>) -> Answer {
        let courses = match courses {
            Ok(courses) => courses,
            Err(why) => return Answer::Open(why),
        };
        let mut open = None;
        for course in courses {
            let way = &course.way;
            let solved = self.solve(&way.names, &way.conditions, Unknowns::Constants);
            match self.answer(solved, &course, None) {
                Answer::No => {}
                Answer::Open(why) => _ = open.get_or_insert(why),
                found @ Answer::Yes(_) => return found,
            }
        }
        open.map_or(Answer::No, Answer::Open)
    }

    fn answer(&self, solved: Solved, course: &Course, conjunct: Option<usize>) -> Answer {
        let values = match solved {
            Solved::Nothing => return Answer::No,
            Solved::Open(why) => return Answer::Open(why),
            Solved::Found(values) => values,
        };
        let count = self.model.variables.len();
        let mut steps = Vec::new();
        for (action, first) in &course.steps {
            let at = count + first;
            let arguments = values[at..at + self.parameters[*action]].iter();
            let Some(arguments) = arguments.cloned().collect::<Option<Vec<_>>>() else {
                let why = format!("an argument of {} is an infinite set", self.names[*action]);
                return Answer::Open(why);
            };
            steps.push((*action, arguments));
        }
        Answer::Yes(Witness {
            state: values[..count].to_vec(),
            is_start: course.is_start,
            steps,
            conjunct,
        })
    }

    /// Values that satisfy conjuncts over constants, names and, if they are unknown, variables.
    fn solve(&self, names: &[LocalId], conjuncts: &[ExprId], unknowns: Unknowns) -> Solved {
        let mut model = self.model.clone();
        if unknowns == Unknowns::State {
            for at in 0..model.variables.len() {
                model.variables[VarId::new(at)].is_constant = true;
            }
        }
        let mut map = Map::default();
        for name in names {
            let local = model.locals[*name].clone();
            let var = model.variables.push(Variable {
                name: local.name,
                ty: local.ty,
                is_constant: true,
                span: local.span,
            });
            let read = model.exprs.push(Expr {
                kind: Kind::Var(var),
                ty: Some(local.ty),
                span: local.span,
            });
            map.locals.insert(*name, read);
        }
        let mut put = Substitute::new(&mut model, map);
        let conjuncts: Vec<ExprId> = conjuncts.iter().map(|part| put.expr(*part)).collect();
        for predicate in conjuncts {
            let span = model.exprs[predicate].span;
            model.properties.push(Conjunct {
                predicate,
                label: None,
                span,
            });
        }
        model.has_setup = true;
        model.invariants.clear();
        model.assertions.clear();
        model.actions.clear();
        model.initialisation = model.stmts.push(Stmt::Skip);
        first_setup(&model, self.solver, &self.halt)
    }

    /// That no values of some names satisfy conditions.
    fn never(&mut self, names: Vec<LocalId>, conditions: &[ExprId]) -> ExprId {
        let happens = self.all_of(conditions);
        let happens = match names.is_empty() {
            true => happens,
            false => self.push(Kind::Bind {
                binder: Binder::Exists,
                names,
                predicate: happens,
                value: None,
                symbolic: false,
            }),
        };
        self.not(happens)
    }

    /// What a conjunct is after a way.
    fn after(&mut self, way: &Way, conjunct: ExprId) -> ExprId {
        let map = Map {
            vars: way.writes.iter().copied().collect(),
            ..Map::default()
        };
        Substitute::new(&mut self.model, map).expr(conjunct)
    }

    fn not_understood(&self, action: usize) -> String {
        format!("{} has a loop, or branches too much", self.names[action])
    }

    fn push(&mut self, kind: Kind) -> ExprId {
        let span = Span::new(base::FileId::new(0), 0, 0);
        self.model.exprs.push(Expr {
            kind,
            ty: None,
            span,
        })
    }

    fn not(&mut self, predicate: ExprId) -> ExprId {
        let span = self.model.exprs[predicate].span;
        self.model.exprs.push(Expr {
            kind: Kind::Op(Op::Not, [predicate].into_iter().collect()),
            ty: None,
            span,
        })
    }

    fn all_of(&mut self, parts: &[ExprId]) -> ExprId {
        let mut parts = parts.iter().copied();
        let first = match parts.next() {
            Some(first) => first,
            None => self.push(Kind::Op(Op::Truth, Default::default())),
        };
        parts.fold(first, |left, right| {
            self.push(Kind::Op(Op::And, [left, right].into_iter().collect()))
        })
    }
}

/// The first set-up of a model.
fn first_setup(model: &Model, solver: Solver, halt: &Halt) -> Solved {
    let options = Options {
        wd: Wd::Lenient,
        solver,
        ..Options::default()
    };
    let system = match compile(model, &options) {
        Ok(system) => system,
        Err(unsupported) => {
            let what = unsupported.first().map(|first| first.what.clone());
            return Solved::Open(what.unwrap_or_default());
        }
    };
    let mut worker = system.worker();
    worker.heed(halt.clone());
    let mut found = None;
    let answer = worker.setups(&mut |setup| {
        found = Some(setup.to_vec());
        Flow::Stop
    });
    if let Some(setup) = found {
        let variables = model.variables.iter();
        let value = |(id, known): (VarId, &Variable)| {
            known
                .is_constant
                .then(|| system.value(&setup, id))
                .flatten()
        };
        return Solved::Found(variables.map(value).collect());
    }
    let notes = worker.take_notes();
    match (answer, notes.cuts.first()) {
        (Err(fault), _) => Solved::Open(fault.message),
        (Ok(()), Some((_, cut))) => Solved::Open(cut.clone()),
        (Ok(()), None) if notes.dropped_faults > 0 || notes.undefined_guards > 0 => {
            Solved::Open("a formula is undefined for some of the states".to_owned())
        }
        (Ok(()), None) => Solved::Nothing,
    }
}
