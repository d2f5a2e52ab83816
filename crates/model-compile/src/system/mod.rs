//! The compiled model as a transition system.
//!
//! One slot for each constant and variable in the order of the model, one group for each action, one label
//! for each conjunct of the invariant, each assertion and the goal.
//! Technique: guards of the form "variable = literal" are compared with the slots before any code runs, and
//! the slot that tells most groups apart indexes the groups that can be enabled.

mod answering;
pub(crate) mod build;
mod conflict;
mod guards;
mod observe;
mod setups;
mod solutions;

pub use build::compile;
pub use conflict::Conflict;
pub use observe::{Asking, Question, Questions};
pub use setups::Setups;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use model::{ExprId, LocalId, Model, TyId, Value, VarId};
use pins::{Fault, Flow, GroupId, Halt, Notes, Numbers, Permute, Profile, Shape, System, Worker};
use rustc_hash::FxHashMap;

use self::answering::Answering;
use crate::code::{Compiler, Solutions};
use crate::cx::{Cx, F, Program};
use crate::permute::Permuting;
use crate::plan::Plan;
use crate::profile::Watched;
use crate::solving;
use crate::stmt;
use crate::table::Table;
use crate::value::V;
use crate::{Options, Wd};

/// A label word for a result that the operation did not assign.
pub(crate) const UNASSIGNED: u32 = u32::MAX;

/// A compiled model.
pub struct Compiled {
    pub(crate) program: Program,
    pub(crate) table: Table,
    pub(crate) permuting: Permuting,
    shape: Shape,
    wd: Wd,
    constants: Vec<usize>,
    setup: Plan,
    /// The set-ups that were found before, maybe by another form of the model.
    known: Setups,
    initialisation: stmt::Code,
    groups: Vec<GroupCode>,
    labels: Vec<F<bool>>,
    guards: Vec<guards::GuardCode>,
    pub(crate) label_exprs: Vec<ExprId>,
    index: Index,
    /// How many constants stand before the variables, where values are remembered.
    recalled_constants: usize,
}

struct GroupCode {
    parameters: Vec<(LocalId, TyId)>,
    results: Vec<(LocalId, TyId)>,
    /// Slots that must hold these words.
    fixed: Vec<(usize, u32)>,
    plan: Plan,
    /// What counts its steps, if somebody wants to know.
    watched: Option<Arc<Watched>>,
    /// Where the solutions of the plan are remembered.
    solutions: Option<Solutions>,
    body: stmt::Code,
    /// The body, where it assigns and does nothing else: slots and their words.
    assignments: Option<Vec<(usize, F<u32>)>>,
    /// Whether two outcomes may be the same.
    repeats: bool,
    /// How often the guard held and nothing followed.
    blocked: AtomicU64,
}

/// Groups that can be enabled, by the word in one slot.
#[derive(Default)]
struct Index {
    slot: usize,
    by_word: FxHashMap<u32, Vec<u32>>,
    otherwise: Vec<u32>,
}

impl Index {
    fn new(groups: &[GroupCode]) -> Index {
        let mut uses: FxHashMap<usize, usize> = FxHashMap::default();
        for group in groups {
            for (slot, _) in &group.fixed {
                *uses.entry(*slot).or_default() += 1;
            }
        }
        let best = uses
            .into_iter()
            .max_by_key(|(slot, count)| (*count, std::cmp::Reverse(*slot)));
        let mut index = Index::default();
        let Some((slot, _)) = best else {
            index.otherwise = (0..groups.len() as u32).collect();
            return index;
        };
        index.slot = slot;
        let word = |group: &GroupCode| {
            group
                .fixed
                .iter()
                .find(|(fixed, _)| *fixed == slot)
                .map(|(_, word)| *word)
        };
        for (i, group) in groups.iter().enumerate() {
            match word(group) {
                None => index.otherwise.push(i as u32),
                Some(word) => {
                    index.by_word.entry(word).or_default();
                }
            }
        }
        for (key, list) in &mut index.by_word {
            for (i, group) in groups.iter().enumerate() {
                if word(group).is_none_or(|word| word == *key) {
                    list.push(i as u32);
                }
            }
        }
        index
    }

    fn groups(&self, state: &[u32]) -> &[u32] {
        state
            .get(self.slot)
            .and_then(|word| self.by_word.get(word))
            .unwrap_or(&self.otherwise)
    }
}

impl Compiled {
    /// The value of a constant or variable in a state; `None` for a set that cannot be listed.
    pub fn value(&self, state: &[u32], variable: VarId) -> Option<Value> {
        let ty = self.program.slots[variable.index()];
        self.decode(ty, *state.get(variable.index())?)
    }

    fn decode(&self, ty: TyId, word: u32) -> Option<Value> {
        let mut cx = Cx::new(&self.program, &self.table);
        let value = cx.load(ty, word);
        self.show(&mut cx, ty, value)
    }

    fn show(&self, cx: &mut Cx<'_>, ty: TyId, value: V) -> Option<Value> {
        let value = match &value {
            V::Sym(_) => {
                if cx.is_infinite(&value).ok()? {
                    return None;
                }
                let elements = cx.elements(&value).ok()?;
                cx.reps().set(ty, elements.into_vec())
            }
            _ => value,
        };
        cx.reps().to_value(ty, &value)
    }

    /// The arguments and results that the label of a step stands for; `None` for a value that was not
    /// assigned or cannot be listed.
    pub fn arguments(
        &self,
        group: GroupId,
        label: &[u32],
    ) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
        let code = &self.groups[group.index()];
        let mut words = label.iter();
        let mut values = |locals: &[(LocalId, TyId)]| -> Vec<Option<Value>> {
            locals
                .iter()
                .map(|(_, ty)| match words.next() {
                    Some(&UNASSIGNED) | None => None,
                    Some(word) => self.decode(*ty, *word),
                })
                .collect()
        };
        let arguments = values(&code.parameters);
        let results = values(&code.results);
        (arguments, results)
    }

    /// How the guard of a group was answered so far; `None` where steps are not counted. `model` is the compiled one.
    pub fn profile(&self, group: GroupId, model: &Model) -> Option<Profile> {
        let watched = self.groups[group.index()].watched.as_ref()?;
        Some(watched.profile(model))
    }

    /// The state with these values, one for each constant and variable in order.
    pub fn encode(&self, values: &[Value]) -> Vec<u32> {
        let cx = Cx::new(&self.program, &self.table);
        self.program
            .slots
            .iter()
            .zip(values)
            .map(|(ty, value)| cx.store(*ty, cx.reps().of_value(*ty, value)))
            .collect()
    }

    /// The set-up with these constants; `None` when one of them is missing.
    pub fn encode_setup(&self, values: &[Option<Value>]) -> Option<Vec<u32>> {
        let cx = Cx::new(&self.program, &self.table);
        let mut vector = vec![0; self.program.slots.len()];
        for slot in &self.constants {
            let ty = self.program.slots[*slot];
            let value = values.get(*slot)?.as_ref()?;
            vector[*slot] = cx.store(ty, cx.reps().of_value(ty, value));
        }
        Some(vector)
    }

    /// The value of an expression, or the truth of a predicate, in a state, with what was noted on the way.
    /// `model` is the compiled one, possibly with formulas added since.
    ///
    /// # Errors
    /// The fault that leaves the expression without a value.
    pub fn eval(
        &self,
        model: &Model,
        expr: ExprId,
        state: &[u32],
    ) -> (Result<Value, Fault>, Notes) {
        self.eval_until(model, expr, state, &Halt::default())
    }

    /// [`Compiled::eval`], which ends without an answer once `halt` is set.
    ///
    /// # Errors
    /// The fault that leaves the expression without a value.
    pub fn eval_until(
        &self,
        model: &Model,
        expr: ExprId,
        state: &[u32],
        halt: &Halt,
    ) -> (Result<Value, Fault>, Notes) {
        let options = Options {
            max_set: self.program.max_set,
            max_turns: self.program.max_turns,
            solver: self.program.solver,
            ..Options::default()
        };
        let program = build::program(model, &options);
        let compiler = Compiler::new(model, &program);
        let mut cx = Cx::new(&program, &self.table);
        cx.load_state(state);
        cx.halt = halt.clone();
        let result = if model.exprs[expr].ty.is_none() {
            compiler.predicate(expr)(&mut cx).map(Value::Bool)
        } else {
            let ty = compiler.ty(expr);
            compiler.value(expr)(&mut cx)
                .and_then(|value| cx.canonical(value))
                .and_then(|value| {
                    self.show(&mut cx, ty, value)
                        .ok_or_else(|| crate::trap::Cause::Infinite.trap())
                })
        };
        let notes = cx.take_notes();
        (result.map_err(|trap| cx.fault(trap)), notes)
    }

    /// For each group how often its guard held and nothing followed, so far.
    pub fn blocked(&self) -> Vec<u64> {
        let counts = self.groups.iter();
        counts
            .map(|group| group.blocked.load(Ordering::Relaxed))
            .collect()
    }

    /// Who found the values that were not simply enumerated, so far.
    pub fn layers(&self) -> Vec<&'static str> {
        let used = self.program.layers.load(Ordering::Relaxed);
        [
            (solving::PROPAGATION, "propagation"),
            (solving::SAT, "SAT"),
            (solving::ENUMERATION, "enumeration where the solver refused"),
        ]
        .into_iter()
        .filter(|(bit, _)| used & bit != 0)
        .map(|(_, name)| name)
        .collect()
    }

    /// How many values are interned: a measure of the table's size.
    pub fn interned(&self) -> usize {
        self.table.len()
    }

    /// The types of the arguments and results that the label of a step stands for.
    pub(crate) fn label_types(&self, group: GroupId) -> impl Iterator<Item = TyId> {
        let code = &self.groups[group.index()];
        let locals = code.parameters.iter().chain(&code.results);
        locals.map(|(_, ty)| *ty)
    }

    /// The predicate of a guard of the shape.
    pub(crate) fn guard_expr(&self, guard: usize) -> ExprId {
        self.guards[guard].expr
    }

    /// What the undefined means.
    pub(crate) fn wd(&self) -> Wd {
        self.wd
    }

    /// The state space starts with set-ups that fill these slots.
    pub fn constants(&self) -> &[usize] {
        &self.constants
    }
}

impl System for Compiled {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn symmetry(&self) -> Option<&dyn Permute> {
        (!self.sorts().is_empty()).then_some(self)
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Answering::new(self))
    }

    fn save(&self) -> Vec<u8> {
        crate::saved::save(&self.table)
    }

    fn restore(&self, saved: &[u8]) -> Result<(), String> {
        crate::saved::restore(&self.table, saved, |values| {
            // What it answers was answered in the run that was saved.
            let _ = self
                .worker()
                .setups(&mut |_| match self.table.len() < values {
                    true => Flow::Continue,
                    false => Flow::Stop,
                });
        })
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    fn numbers(&self, slot: usize) -> Option<Numbers> {
        crate::cx::numbers(&self.program.reps[self.program.slots[slot]])
    }

    fn write_value(&self, slot: usize, word: u32, out: &mut Vec<u8>) -> Result<(), String> {
        let info = &self.program.reps[self.program.slots[slot]];
        match crate::saved::write(&crate::cx::load(info, &self.table, word), out) {
            true => Ok(()),
            false => Err(format!(
                "{} holds a set that is kept as a rule, which cannot be sent to another process",
                self.shape.slots[slot].name
            )),
        }
    }

    fn read_value(&self, slot: usize, bytes: &[u8]) -> Result<u32, String> {
        let value = crate::saved::read(bytes).ok_or("a value that was sent is damaged")?;
        let info = &self.program.reps[self.program.slots[slot]];
        Ok(crate::cx::store(info, &self.table, value))
    }
}
