//! Asks the solver how actions influence each other: may one enable, disable or disturb another, may it change a label.
//!
//! Paper: [Dobrikov, Leuschel 2014], algorithm 2 and definition 3 (`test_path`), for actions with parameters and choices.
//! An action is a list of *ways* (`ways.rs`): a condition over its parameters and choices, and what it writes then.
//! "May `a` enable `b`" is: is there a state and a way of each so that the condition of `a` holds, that of `b` does not,
//! and does after the writes of `a`. What is written is put in the place of what is read (`substitute.rs`), so a question
//! is about one state, and the predicate solver answers it (`ask.rs`).
//! Differs: writes to one variable do not make actions dependent if the results are equal in both orders.
//! Invariant: types and PROPERTIES are assumed, the invariant is not. A question that is not answered within its bounds,
//! which count work, counts as answered by "it may".

mod ask;
mod inductive;
pub(crate) mod substitute;
pub(crate) mod ways;

use lang_math::Op;
use model::{ExprId, Kind, LocalId, Model, VarId};
pub use model_solve::Refutation;
use pins::InfluenceQuestion as Question;
use rustc_hash::FxHashSet;

use crate::Wd;
use crate::certain::Certain;
use crate::code::Compiler;
use crate::facts::merge;
use crate::system::{Compiled, build};
use ask::Problem;
use substitute::{Map, Substitute};
use ways::{Way, ways};

/// Answers questions about one model.
pub struct Influence<'s> {
    system: &'s Compiled,
    /// The model, with the formulas of questions.
    model: Model,
    /// Set-ups in which questions are asked; empty when constants are unknown too.
    setups: Vec<Vec<u32>>,
    actions: Vec<Action>,
    labels: Vec<ExprId>,
    /// Labels that have a truth value in every state.
    defined: Vec<bool>,
    /// What holds in the states before steps that may break a label.
    supposed: Vec<ExprId>,
    /// Pairs of actions about which a question was not answered: others are not asked.
    hopeless: FxHashSet<(usize, usize)>,
    /// How much more work may be done.
    left: u64,
    /// Questions that the solver was asked.
    pub asked: u64,
    /// Of these, how many it did not answer.
    pub unanswered: u64,
    /// Whether proofs are wanted that labels are kept.
    pub proves: bool,
    /// The proofs.
    pub kept: Vec<Kept>,
}

/// Why an action keeps a label.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The label.
    pub label: usize,
    /// The action.
    pub action: usize,
    /// For each question what shows that it has no solution; `None` for what no clauses show.
    pub refuted: Vec<Option<Refutation>>,
}

/// What is known of an action; `None` when it is not understood.
struct Action {
    acting: Option<Vec<Way>>,
    /// The same with names of its own, for questions about two actions.
    observed: Option<Vec<Way>>,
    /// The conditions under one of which it happens, with the names of `observed`.
    happens: Option<Vec<Condition>>,
    /// Its guard with the names of `acting` and of `observed`, if it cannot fault.
    guards: Option<[Condition; 2]>,
    /// Whether it has no more than one outcome.
    is_single: bool,
    may_fault: bool,
    /// What is read by whatever may fault.
    may_fault_by: Vec<VarId>,
}

/// Conjuncts over the state and some names.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    names: Vec<LocalId>,
    conjuncts: Vec<ExprId>,
    reads: Vec<VarId>,
}

/// Units of work for one model, unless less is allowed: some seconds.
pub const WORK: u64 = 12_000;

/// More set-ups than this are not looked at one by one.
const MOST_SETUPS: usize = 8;

impl<'s> Influence<'s> {
    /// Prepares questions about a compiled model, which has these set-ups, or more when there are more than a few.
    pub fn new(model: &Model, system: &'s Compiled, setups: &[Vec<u32>]) -> Influence<'s> {
        let mut extended = model.clone();
        let drafts: Vec<ways::Draft> = model
            .actions
            .iter()
            .map(|action| ways(&mut extended, action))
            .collect();
        let options = crate::Options::default();
        let program = build::program(&extended, &options);
        let mut compiler = Compiler::new(&extended, &program);
        compiler.assigned_locals();
        let is_lenient = system.wd() == Wd::Lenient;
        let certain = Certain::new(&compiler, system.wd());
        // What would be a fault is no outcome in the lenient manner: such actions are not understood.
        let faulting = Certain::new(
            &compiler,
            if is_lenient { Wd::Default } else { system.wd() },
        );
        let condition = |names: &[LocalId], conjuncts: &[ExprId]| {
            let mut reads = Vec::new();
            for conjunct in conjuncts {
                merge(&mut reads, &compiler.facts.of(*conjunct).vars);
            }
            Condition {
                names: names.to_vec(),
                conjuncts: conjuncts.to_vec(),
                reads,
            }
        };
        let mut actions = Vec::new();
        for (action, draft) in model.actions.iter().zip(drafts) {
            let guard_may_fault = action.guard.iter().any(|g| faulting.guard_may_fault(*g));
            let may_fault = guard_may_fault || faulting.may_fault(action.body);
            let fill = |ways: Option<Vec<Way>>| {
                ways.filter(|_| !(is_lenient && may_fault)).map(|mut ways| {
                    ways.iter_mut()
                        .for_each(|way| way.note_reads(&compiler.facts));
                    ways
                })
            };
            let (acting, observed) = (fill(draft.acting), fill(draft.observed));
            let guards = (!guard_may_fault).then(|| {
                let own: Vec<ExprId> = action
                    .guard
                    .iter()
                    .flat_map(|conjunct| chain(&extended, *conjunct))
                    .collect();
                [
                    condition(&action.parameters, &own),
                    condition(&draft.parameters, &draft.guard),
                ]
            });
            // Where something faults it happens too, without any way; the guard alone must decide then.
            let happens = match (&observed, &guards) {
                (Some(ways), _) if !may_fault => Some(
                    ways.iter()
                        .map(|way| condition(&way.names, &way.conditions))
                        .collect(),
                ),
                (_, Some([_, guard])) if certain.deciding(action.body).is_empty() => {
                    Some(vec![guard.clone()])
                }
                _ => None,
            };
            let mut may_fault_by = Vec::new();
            if may_fault {
                may_fault_by = compiler.facts.statement(action.body).reads;
            }
            if guard_may_fault {
                for conjunct in &action.guard {
                    merge(&mut may_fault_by, &compiler.facts.of(*conjunct).vars);
                }
            }
            actions.push(Action {
                is_single: acting
                    .as_ref()
                    .is_some_and(|ways| matches!(&ways[..], [way] if way.names.is_empty())),
                acting,
                observed,
                happens,
                guards,
                may_fault,
                may_fault_by,
            });
        }
        let labels = system.label_exprs.clone();
        let defined = labels
            .iter()
            .map(|label| certain.is_defined(*label))
            .collect();
        drop(compiler);
        Influence {
            system,
            model: extended,
            setups: match setups.len() <= MOST_SETUPS {
                true => setups.to_vec(),
                false => Vec::new(),
            },
            actions,
            labels,
            defined,
            supposed: Vec::new(),
            hopeless: FxHashSet::default(),
            left: WORK,
            asked: 0,
            unanswered: 0,
            proves: false,
            kept: Vec::new(),
        }
    }

    /// Allows no more than so much work, in units of which [`WORK`] are the most.
    pub fn allow(&mut self, work: u64) {
        self.left = self.left.min(work);
    }

    /// For each question whether the answer may be yes. What does not fit into the work that is left may be.
    pub fn may(&mut self, questions: &[Question]) -> Vec<bool> {
        let mut problems: Vec<Option<Vec<Problem>>> = Vec::new();
        for question in questions {
            let is_hopeless = question
                .pair()
                .is_some_and(|pair| self.hopeless.contains(&pair));
            problems.push(match is_hopeless || self.left == 0 {
                true => None,
                false => self.problems(*question),
            });
        }
        let (answers, unanswered) = self.asking(|asking| {
            let mut answers = Vec::new();
            let mut unanswered = Vec::new();
            for (question, problems) in questions.iter().zip(&problems) {
                let before = asking.unanswered;
                answers.push(match problems {
                    None => true,
                    Some(problems) => problems.iter().any(|problem| asking.may(problem)),
                });
                if asking.unanswered > before {
                    unanswered.extend(question.pair());
                }
            }
            (answers, unanswered)
        });
        self.hopeless.extend(unanswered);
        answers
    }

    /// Puts problems to the solver, and counts them.
    fn asking<T>(&mut self, ask: impl FnOnce(&mut ask::Asking<'_, '_>) -> T) -> T {
        let options = crate::Options {
            max_set: MOST_ELEMENTS,
            max_turns: MOST_ELEMENTS as u64,
            ..crate::Options::default()
        };
        let program = build::program(&self.model, &options);
        let mut compiler = Compiler::new(&self.model, &program);
        compiler.assigned_locals();
        let certain = Certain::new(&compiler, Wd::Default);
        compiler.patience.set(ask::PATIENCE);
        let mut asking = ask::Asking {
            system: self.system,
            compiler: &compiler,
            certain: &certain,
            setups: &self.setups,
            left: self.left,
            asked: 0,
            unanswered: 0,
            refuted: self.proves.then(Vec::new),
        };
        let answer = ask(&mut asking);
        (self.left, self.asked) = (asking.left, self.asked + asking.asked);
        self.unanswered += asking.unanswered;
        answer
    }

    /// The problems one of which has a solution if the answer is yes; `None` when the question cannot be put.
    fn problems(&mut self, question: Question) -> Option<Vec<Problem>> {
        match question {
            Question::Together(a, b) => self.together(a, b),
            Question::Enable(a, b) => self.changes(a, b, Direction::On),
            Question::Disable(a, b) => self.changes(a, b, Direction::Off),
            Question::Disturb(a, b) => self.disturbs(a, b),
            Question::Guard(guard, a) => {
                let guard = self.system.guard_expr(guard);
                self.flips(guard, a, Direction::On)
            }
            Question::LabelTrue(label, a) | Question::LabelFalse(label, a) => {
                if !self.defined[label] {
                    return None;
                }
                let direction = match question {
                    Question::LabelTrue(..) => Direction::On,
                    _ => Direction::Off,
                };
                self.flips(self.labels[label], a, direction)
            }
        }
    }

    fn together(&mut self, a: usize, b: usize) -> Option<Vec<Problem>> {
        let first = self.necessary(a, 0)?;
        let second = self.necessary(b, 1)?;
        let mut problems = Vec::new();
        for one in &first {
            for other in &second {
                let mut problem = Problem::new(&one.names, &one.conjuncts);
                problem.add(&other.names, &other.conjuncts);
                problems.push(problem);
            }
        }
        Some(problems)
    }

    /// Conditions one of which holds where an action happens, with the names of `acting` (0) or `observed` (1).
    fn necessary(&self, action: usize, side: usize) -> Option<Vec<Condition>> {
        let action = &self.actions[action];
        let ways = [&action.acting, &action.observed][side];
        match ways {
            Some(ways) if !action.may_fault => Some(ways.iter().map(Way::condition).collect()),
            _ => Some(vec![action.guards.as_ref()?[side].clone()]),
        }
    }

    /// Whether a step of `a` changes a condition of `b` in the given direction.
    fn changes(&mut self, a: usize, b: usize, direction: Direction) -> Option<Vec<Problem>> {
        let acting = self.actions[a].acting.clone()?;
        let conditions = self.actions[b].happens.clone()?;
        let mut problems = Vec::new();
        for way in &acting {
            for condition in &conditions {
                self.changed(way, condition, direction, &mut problems);
            }
        }
        Some(problems)
    }

    /// Whether a step of `a` makes a predicate true, or false.
    fn flips(&mut self, predicate: ExprId, a: usize, direction: Direction) -> Option<Vec<Problem>> {
        let acting = self.actions[a].acting.clone()?;
        let conjuncts = chain(&self.model, predicate);
        let reads = self.read_by(predicate);
        let condition = Condition {
            names: Vec::new(),
            conjuncts,
            reads,
        };
        let mut problems = Vec::new();
        for way in &acting {
            self.changed(way, &condition, direction, &mut problems);
        }
        Some(problems)
    }

    /// Problems that have a solution if a way of an action changes a condition: one for each conjunct that is false on
    /// one side.
    fn changed(
        &mut self,
        way: &Way,
        condition: &Condition,
        direction: Direction,
        problems: &mut Vec<Problem>,
    ) {
        if !way.writes_any(&condition.reads) {
            return;
        }
        let after: Vec<ExprId> = condition
            .conjuncts
            .iter()
            .map(|conjunct| self.after(way, *conjunct))
            .collect();
        let (holds, fails) = match direction {
            Direction::On => (&after, &condition.conjuncts),
            Direction::Off => (&condition.conjuncts, &after),
        };
        for (at, (before, later)) in condition.conjuncts.iter().zip(&after).enumerate() {
            // A conjunct that the way does not write about is true on both sides.
            if before == later {
                continue;
            }
            let mut problem = Problem::new(&way.names, &way.conditions);
            problem.add(&condition.names, holds);
            problem.fails = Some(fails[at]);
            problems.push(problem);
        }
    }

    fn disturbs(&mut self, a: usize, b: usize) -> Option<Vec<Problem>> {
        let (first, second) = (&self.actions[a], &self.actions[b]);
        let acting = first.acting.clone()?;
        let observed = second.observed.clone()?;
        for (one, other) in [(first, second), (second, first)] {
            // A fault is an outcome too: what is evaluated by whatever may fault must not change.
            let ways = one.acting.as_ref()?;
            if ways.iter().any(|way| way.writes_any(&other.may_fault_by)) {
                return None;
            }
        }
        let (is_single_a, is_single_b) = (first.is_single, second.is_single);
        let guard = |action: &Action, side: usize| {
            let guards = action.guards.as_ref().filter(|_| action.may_fault);
            guards.map(|guards| guards[side].clone())
        };
        let (first_guard, second_guard) = (guard(first, 0), guard(second, 1));
        let mut problems = Vec::new();
        // Nor may the guard of an action that faults.
        for (guard, ways, is_single) in [
            (first_guard, &observed, is_single_a),
            (second_guard, &acting, is_single_b),
        ] {
            for way in ways {
                if let Some(guard) = &guard {
                    self.changed(way, guard, Direction::Off, &mut problems);
                    if !is_single {
                        self.changed(way, guard, Direction::On, &mut problems);
                    }
                }
            }
        }
        for way in &acting {
            for other in &observed {
                let mine = way.condition();
                let theirs = other.condition();
                self.changed(way, &theirs, Direction::Off, &mut problems);
                self.changed(other, &mine, Direction::Off, &mut problems);
                // Who has one outcome at most does not gain another where it happens.
                if !is_single_b {
                    self.changed(way, &theirs, Direction::On, &mut problems);
                }
                if !is_single_a {
                    self.changed(other, &mine, Direction::On, &mut problems);
                }
                self.in_both_orders(way, other, &mut problems);
            }
        }
        Some(problems)
    }

    /// Problems that have a solution if two ways lead to different states in different orders.
    fn in_both_orders(&mut self, way: &Way, other: &Way, problems: &mut Vec<Problem>) {
        let mut targets: Vec<VarId> = Vec::new();
        merge(&mut targets, &way.written());
        merge(&mut targets, &other.written());
        for target in targets {
            let value = |way: &Way| way.value(target);
            let (mine, theirs) = (value(way), value(other));
            // The last one to write it decides.
            let first_then_other = match theirs {
                Some(value) => self.after(way, value),
                None => match mine {
                    Some(value) => value,
                    None => continue,
                },
            };
            let other_then_first = match mine {
                Some(value) => self.after(other, value),
                None => match theirs {
                    Some(value) => value,
                    None => continue,
                },
            };
            if first_then_other == other_then_first {
                continue;
            }
            let span = self.model.exprs[first_then_other].span;
            let differ = self.model.exprs.push(model::Expr {
                kind: Kind::Op(
                    Op::NotEqual,
                    [first_then_other, other_then_first].into_iter().collect(),
                ),
                ty: None,
                span,
            });
            let mut problem = Problem::new(&way.names, &way.conditions);
            problem.add(&other.names, &other.conditions);
            problem.add(&[], &[differ]);
            problems.push(problem);
        }
    }

    /// An expression as it is after a way was taken.
    fn after(&mut self, way: &Way, expr: ExprId) -> ExprId {
        let mut map = Map::default();
        for (var, value) in &way.writes {
            map.vars.insert(*var, *value);
        }
        Substitute::new(&mut self.model, map).expr(expr)
    }
}

/// Whether a condition becomes true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    On,
    Off,
}

/// A set or loop of a question that is larger than this leaves it unanswered.
const MOST_ELEMENTS: usize = 20_000;

/// The conjuncts of a predicate.
fn chain(model: &Model, predicate: ExprId) -> Vec<ExprId> {
    let (mut parts, mut todo) = (Vec::new(), vec![predicate]);
    while let Some(next) = todo.pop() {
        match &model.exprs[next].kind {
            Kind::Op(Op::And, args) => todo.extend(args.iter().rev()),
            _ => parts.push(next),
        }
    }
    parts
}
