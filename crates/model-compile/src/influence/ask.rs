//! Puts one question to the planner of enumerations and the solver behind it.
//!
//! Few candidates are looked at one by one, more are a matter for the solver; both are bounded by counted work.
//! A conjunct that is undefined counts as false, as guards do; the one that must fail counts as failing there.

use model::{ExprId, LocalId};
use model_solve::Refutation;

use crate::certain::Certain;
use crate::code::Compiler;
use crate::cx::Cx;
use crate::plan::Unknown;
use crate::planner::{Manner, Undefined};
use crate::solving::refutation;
use crate::system::Compiled;

/// Candidates from which on the solver is asked.
pub(super) const PATIENCE: f64 = 2e3;

/// Work for one question, in units of the solver: some milliseconds.
const WORK: u64 = 200_000;

/// Work for the clauses of one question.
const PROOF: u64 = 20_000_000;

/// Units of work of a question that is not answered.
const HARD: u64 = 300;

/// Planning a question with so many pairs of unknowns and conjuncts takes a unit of work.
const PAIRS: u64 = 100;

/// Is there a state, and values of these names, so that all of this holds and that does not?
#[derive(Clone, Debug)]
pub(super) struct Problem {
    names: Vec<LocalId>,
    holds: Vec<ExprId>,
    /// What must be false or undefined.
    pub(super) fails: Option<ExprId>,
}

impl Problem {
    pub(super) fn new(names: &[LocalId], holds: &[ExprId]) -> Problem {
        Problem {
            names: names.to_vec(),
            holds: holds.to_vec(),
            fails: None,
        }
    }

    pub(super) fn add(&mut self, names: &[LocalId], holds: &[ExprId]) {
        self.names.extend(names);
        self.holds.extend(holds);
    }
}

/// Asks for solutions.
pub(super) struct Asking<'a, 'm> {
    pub(super) system: &'a Compiled,
    pub(super) compiler: &'a Compiler<'m>,
    pub(super) certain: &'a Certain<'a, 'm>,
    pub(super) setups: &'a [Vec<u32>],
    /// How much more work may be done: a question is one unit, one without an answer [`HARD`].
    pub(super) left: u64,
    pub(super) asked: u64,
    pub(super) unanswered: u64,
    /// What shows that there is no solution, where that is wanted; `None` for what no clauses show.
    pub(super) refuted: Option<Vec<Option<Refutation>>>,
}

impl Asking<'_, '_> {
    /// Whether a problem may have a solution.
    pub(super) fn may(&mut self, problem: &Problem) -> bool {
        if self.left == 0 {
            return true;
        }
        self.left -= 1;
        self.asked += 1;
        let shown = self.refuted.as_ref().map_or(0, Vec::len);
        let answer = match self.setups {
            [] => self.solve(problem, None),
            setups => setups
                .iter()
                .map(|setup| self.solve(problem, Some(setup)))
                .find(|answer| *answer != Some(false))
                .unwrap_or(Some(false)),
        };
        if answer.is_none() {
            self.unanswered += 1;
            self.left = self.left.saturating_sub(HARD);
        }
        if let Some(refuted) = self.refuted.as_mut().filter(|_| answer != Some(false)) {
            refuted.truncate(shown);
        }
        answer != Some(false)
    }

    /// Whether there is a solution, in a set-up or in any; `None` when that was not found out. Conjuncts that share no
    /// unknown are asked apart: one part without a solution is enough, however hard the others are.
    fn solve(&mut self, problem: &Problem, setup: Option<&[u32]>) -> Option<bool> {
        let compiler = self.compiler;
        let mut conjuncts: Vec<(ExprId, bool)> =
            problem.holds.iter().map(|expr| (*expr, false)).collect();
        conjuncts.extend(problem.fails.map(|expr| (expr, true)));
        if setup.is_none() {
            for property in &compiler.model.properties {
                let parts = compiler.chain(lang_math::Op::And, property.predicate);
                conjuncts.extend(parts.into_iter().map(|expr| (expr, false)));
            }
        }
        let mut parts: Vec<Part> = Vec::new();
        for conjunct in conjuncts {
            let mut part = Part {
                unknowns: self.unknowns(conjunct.0, &problem.names, setup.is_some()),
                conjuncts: vec![conjunct],
            };
            let (joined, others) = parts
                .into_iter()
                .partition(|other| other.shares_with(&part));
            parts = others;
            for other in Vec::<Part>::into_iter(joined) {
                part.join(other);
            }
            parts.push(part);
        }
        // What is easy first.
        parts.sort_by_key(|part| (part.unknowns.len(), part.conjuncts[0].0.index()));
        let mut answer = Some(true);
        for part in &parts {
            let pairs = part.unknowns.len() as u64 * part.conjuncts.len() as u64;
            self.left = self.left.saturating_sub(pairs / PAIRS);
            match self.solve_part(part, setup) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => answer = None,
            }
        }
        answer
    }

    /// What a conjunct is about: variables, constants where they are not known, and names.
    fn unknowns(&self, expr: ExprId, names: &[LocalId], constants_are_known: bool) -> Vec<Unknown> {
        let fact = self.compiler.facts.of(expr);
        let variables = &self.compiler.model.variables;
        let vars = fact.vars.iter();
        let vars = vars.filter(|var| !(constants_are_known && variables[**var].is_constant));
        let mut unknowns: Vec<Unknown> = vars.map(|var| Unknown::Slot(var.index())).collect();
        let names = names.iter().filter(|name| fact.locals.contains(name));
        unknowns.extend(names.map(|name| Unknown::Local(*name)));
        unknowns
    }

    fn solve_part(&mut self, part: &Part, setup: Option<&[u32]>) -> Option<bool> {
        let compiler = self.compiler;
        let mut unknowns = part.unknowns.clone();
        unknowns.sort_unstable();
        // What must fail may do so by being undefined: then that must not be taken for a solution that is none.
        let mut fails = part.conjuncts.iter().filter(|(_, fails)| *fails);
        let fails_by_truth = fails.all(|(expr, _)| self.certain.is_defined(*expr));
        let manner = Manner {
            undefined: match fails_by_truth {
                true => Undefined::Guard,
                false => Undefined::Fault,
            },
            chooses: false,
            relaxed: true,
            place: 0,
        };
        let plan = compiler.plan_signed(&unknowns, &[], &part.conjuncts, manner);
        let mut cx = Cx::new(compiler.program, &self.system.table);
        let blank = vec![0; compiler.program.slots.len()];
        cx.load_state(setup.unwrap_or(&blank));
        let answer = plan.has_solution(&mut cx, WORK);
        if answer == Some(true) || self.refuted.is_none() {
            return answer;
        }
        cx.load_state(setup.unwrap_or(&blank));
        let about = (compiler.model, &compiler.assigned);
        let manner = (fails_by_truth, PROOF);
        let found = refutation(about, &mut cx, &unknowns, &part.conjuncts, manner);
        let is_shown = answer == Some(false) || found.is_some();
        if let Some(refuted) = self.refuted.as_mut().filter(|_| is_shown) {
            refuted.push(found);
        }
        is_shown.then_some(false)
    }
}

/// Conjuncts, marked when they must fail, that share unknowns.
struct Part {
    unknowns: Vec<Unknown>,
    conjuncts: Vec<(ExprId, bool)>,
}

impl Part {
    fn shares_with(&self, other: &Part) -> bool {
        self.unknowns
            .iter()
            .any(|unknown| other.unknowns.contains(unknown))
    }

    /// Takes over another part, whose conjuncts came earlier.
    fn join(&mut self, other: Part) {
        for unknown in other.unknowns {
            if !self.unknowns.contains(&unknown) {
                self.unknowns.push(unknown);
            }
        }
        let later = std::mem::replace(&mut self.conjuncts, other.conjuncts);
        self.conjuncts.extend(later);
    }
}
