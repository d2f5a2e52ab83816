//! Turns expressions into closures, specialised by representation.
//!
//! Technique: closure generation. Every expression has one closure of the type its representation asks for:
//! `bool` for predicates, a word for coded types, two words for wide sets, a machine integer with an exact
//! twin for integers, a value for everything else. What has no fast form goes through [`crate::ops`].
//! Invariant: operands are evaluated left to right, all of them, before the operator looks at them.

mod binders;
mod functions;
mod integers;
mod invariant;
mod lazy;
mod masks;
mod matrix;
mod membership;
mod near;
mod predicates;
mod quantifiers;
mod recalled;
mod rows;
mod slots;
mod tails;
mod words;

use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

use lang_math::Op;
use model::expr::Part;
use model::{ExprId, Kind, LocalId, Model, TyId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

pub(crate) use integers::{Form, IntCode, arithmetic};
pub(crate) use masks::Mask;
use predicates::compare;
pub(crate) use recalled::{Recalls, Solutions};

use crate::cx::{Cx, F, Program, R};
use crate::defined::Definitions;
use crate::facts::Facts;
use crate::ops::{OpTy, real};
use crate::profile::Watched;
use crate::rep::Rep;
use crate::symbolic::{SymKind, sym};
use crate::table::Table;
use crate::trap::{Cause, Trap};
use crate::value::V;

/// What compilation needs to know.
pub(crate) struct Compiler<'m> {
    pub model: &'m Model,
    pub program: &'m Program,
    pub facts: Facts<'m>,
    /// Constants that name a set of functions.
    pub spaces: Definitions,
    /// Locals that statements assign: reading one before is a fault.
    pub assigned: FxHashSet<LocalId>,
    /// The number of candidates from which on the solver is tried.
    pub patience: Cell<f64>,
    /// Whether the next plan is for an enumeration that runs once.
    pub is_once: Cell<bool>,
    /// Whether the steps of the next plan are counted, and the plan that was watched last.
    pub is_watched: Cell<bool>,
    pub watched: RefCell<Option<Arc<Watched>>>,
    /// Parts that binders under way keep, and where; how many places there are.
    hoisted: RefCell<FxHashMap<ExprId, usize>>,
    pub memos: Cell<usize>,
    /// Parts whose values are remembered by the slots they read, and the numbers of their tables.
    recalled: RefCell<FxHashMap<ExprId, usize>>,
    /// How many tables there are.
    tables: Cell<usize>,
    /// Which texts stand in several places.
    texts: RefCell<recalled::Texts>,
    /// Formulas that were looked through for such parts.
    looked_through: RefCell<FxHashSet<ExprId>>,
    /// The model for what is compiled later, once something needs it.
    shared: OnceCell<Arc<Model>>,
    depth: Cell<u32>,
    /// Whether this is compiled for a comprehension's values to be found ([`crate::symbolic::Origins`]).
    pub is_nested: Cell<bool>,
    /// Whether parts of a template of [`crate::arithmetic`] are compiled: they need none of their own.
    pub is_reading: Cell<bool>,
    /// Comprehensions that are not listed, so that nested ones are compiled once.
    closures: RefCell<FxHashMap<(ExprId, bool), F<V>>>,
}

/// Every so many levels, evaluation checks its stack.
const STACK_CHECK: u32 = 48;

/// A closure as code.
pub(crate) fn f<T>(body: impl Fn(&mut Cx<'_>) -> R<T> + Send + Sync + 'static) -> F<T> {
    Arc::new(body)
}

/// Code with a fixed value.
pub(crate) fn fixed<T: Clone + Send + Sync + 'static>(value: T) -> F<T> {
    f(move |_| Ok(value.clone()))
}

impl<'m> Compiler<'m> {
    pub(crate) fn new(model: &'m Model, program: &'m Program) -> Compiler<'m> {
        let facts = Facts::new(model);
        Compiler {
            model,
            program,
            spaces: Definitions::new(model, &facts),
            facts,
            assigned: FxHashSet::default(),
            patience: Cell::new(crate::solving::OFTEN),
            is_once: Cell::new(false),
            is_watched: Cell::new(false),
            watched: RefCell::default(),
            hoisted: RefCell::default(),
            memos: Cell::new(0),
            recalled: RefCell::default(),
            tables: Cell::new(0),
            texts: RefCell::default(),
            looked_through: RefCell::default(),
            shared: OnceCell::new(),
            depth: Cell::new(0),
            is_nested: Cell::new(false),
            is_reading: Cell::new(false),
            closures: RefCell::default(),
        }
    }

    /// The model for what is compiled later.
    pub(crate) fn shared(&self) -> Arc<Model> {
        self.shared
            .get_or_init(|| Arc::new(self.model.clone()))
            .clone()
    }

    /// Evaluates what does not depend on any state, for literals.
    fn constant_cx<T>(&self, body: impl FnOnce(&mut Cx<'_>) -> T) -> T {
        let table = Table::new();
        let mut cx = Cx::new(self.program, &table);
        body(&mut cx)
    }

    pub(crate) fn ty(&self, expr: ExprId) -> TyId {
        // Predicates have no type and are never asked for one; any id will do for a malformed model.
        self.model.exprs[expr].ty.unwrap_or_else(|| TyId::new(0))
    }

    pub(crate) fn rep(&self, expr: ExprId) -> Rep {
        self.program.reps[self.ty(expr)].rep
    }

    /// Wraps a level of compilation: deep expressions check the stack when they are compiled and evaluated.
    fn level<T: 'static>(&self, build: impl FnOnce() -> F<T>) -> F<T> {
        let depth = self.depth.get() + 1;
        self.depth.set(depth);
        let code = if depth.is_multiple_of(STACK_CHECK) {
            base::deep::recurse(build)
        } else {
            build()
        };
        self.depth.set(depth - 1);
        if depth.is_multiple_of(STACK_CHECK) {
            return f(move |cx| base::deep::recurse(|| code(cx)));
        }
        code
    }

    /// The code of an expression as a value of any representation.
    pub(crate) fn value(&self, expr: ExprId) -> F<V> {
        if self.model.exprs[expr].ty.is_none() {
            let predicate = self.predicate(expr);
            return f(move |cx| Ok(V::bool(predicate(cx)?)));
        }
        match self.rep(expr) {
            Rep::Word => {
                let code = self.word(expr);
                f(move |cx| Ok(V::Word(code(cx)?)))
            }
            Rep::Wide => {
                let code = self.wide(expr);
                f(move |cx| Ok(V::of_wide(code(cx)?)))
            }
            Rep::Int => {
                let code = self.int(expr);
                f(move |cx| code.value(cx))
            }
            Rep::Tree => {
                let code = self.level(|| self.general(expr));
                self.remembered(expr, self.recalled_value(expr, code))
            }
        }
    }

    /// The general code of an expression of any representation: never asks for its own fast form.
    pub(crate) fn general(&self, expr: ExprId) -> F<V> {
        let node = &self.model.exprs[expr];
        let ty = self.ty(expr);
        let place = expr.index() as u32;
        match &node.kind {
            Kind::Int(value) => fixed(V::big(value.clone())),
            Kind::Real(value) => fixed(real(*value)),
            Kind::Str(text) => fixed(V::str(text.as_str())),
            Kind::Element(_, index) => fixed(V::Word(u64::from(*index))),
            Kind::Carrier(_) => fixed(self.constant_cx(|cx| cx.whole(ty))),
            Kind::FreeSet(_) => fixed(sym(ty, SymKind::All)),
            Kind::Constructor(free, constructor) => {
                match self.program.reps.argument(*free, *constructor) {
                    None => fixed(V::Free(*constructor, None)),
                    Some(_) => fixed(sym(ty, SymKind::Constructor(*free, *constructor))),
                }
            }
            Kind::Var(var) => {
                let slot = var.index();
                f(move |cx| Ok(cx.slot(slot)))
            }
            Kind::Local(local) => self.local(*local, place),
            Kind::Op(op, args) => self.operator(expr, *op, args),
            Kind::Apply(function, argument) => self.application(*function, *argument, place),
            Kind::External(name, args) => self.external(expr, *name, args),
            Kind::Bind { .. } => self.binder(expr),
            Kind::Record(fields) => {
                let parts: Vec<ExprId> = fields.iter().map(|(_, e)| *e).collect();
                let fields: Vec<F<V>> = parts.iter().map(|e| self.value(*e)).collect();
                let general = f(move |cx| {
                    let mut values = Vec::with_capacity(fields.len());
                    for field in &fields {
                        values.push(field(cx)?);
                    }
                    Ok(cx.reps().record(ty, values))
                });
                match self.program.reps[ty].rep {
                    Rep::Tree => self.record_row(&parts, general),
                    _ => general,
                }
            }
            Kind::Struct(fields) => self
                .records(ty, fields)
                .then(move |cx, set| cx.settle(ty, set)),
            Kind::Field(record, name) => {
                let record_ty = self.ty(*record);
                let index = self.program.reps.field_index(record_ty, *name);
                let record = self.value(*record);
                f(move |cx| {
                    let record = record(cx)?;
                    Ok(cx.reps().field(record_ty, &record, index))
                })
            }
            Kind::If(condition, yes, no) => {
                let condition = self.predicate(*condition);
                let (yes, no) = (self.value(*yes), self.value(*no));
                f(move |cx| if condition(cx)? { yes(cx) } else { no(cx) })
            }
            Kind::Let(local, value, body) => {
                let local = local.index();
                let (value, body) = (self.value(*value), self.value(*body));
                f(move |cx| {
                    cx.frame[local] = value(cx)?;
                    body(cx)
                })
            }
            Kind::Template(parts) => self.template(parts),
        }
    }

    /// Reads a local.
    pub(crate) fn local(&self, local: LocalId, place: u32) -> F<V> {
        let index = local.index();
        if self.assigned.contains(&local) {
            return f(move |cx| match &cx.frame[index] {
                V::None => Err(Cause::Unassigned.trap().at(place)),
                value => Ok(value.clone()),
            });
        }
        f(move |cx| Ok(cx.frame[index].clone()))
    }

    fn template(&self, parts: &[Part]) -> F<V> {
        enum Piece {
            Text(&'static str),
            Value(F<V>, TyId),
        }
        let tys = self.model.tys.clone();
        let pieces: Vec<Piece> = parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => Piece::Text(text.as_str()),
                Part::Value(expr) => Piece::Value(self.value(*expr), self.ty(*expr)),
            })
            .collect();
        f(move |cx| {
            let mut text = String::new();
            for piece in &pieces {
                match piece {
                    Piece::Text(more) => text.push_str(more),
                    Piece::Value(value, ty) => {
                        let value = value(cx)?;
                        match (&value, cx.reps().to_value(*ty, &value)) {
                            (V::Str(more), _) => text.push_str(more),
                            (_, Some(value)) => text.push_str(&value.show(&tys)),
                            (_, None) => return Err(Cause::Infinite.trap()),
                        }
                    }
                }
            }
            Ok(V::str(&text))
        })
    }

    /// An operator on values.
    fn operator(&self, expr: ExprId, op: Op, args: &[ExprId]) -> F<V> {
        let place = expr.index() as u32;
        let ty = self.ty(expr);
        if args.is_empty() {
            let value = self.constant_cx(|cx| cx.op(op, &self.op_ty(expr, args), &[]));
            return match value {
                Ok(value) => fixed(value),
                Err(trap) => f(move |_| Err(trap.at(place))),
            };
        }
        if op == Op::ToBool {
            let predicate = self.predicate(args[0]);
            return f(move |cx| Ok(V::bool(predicate(cx)?)));
        }
        let types = self.op_ty(expr, args);
        if op == Op::Image
            && let Kind::Op(closure @ (Op::Closure | Op::Closure1), inner) =
                &self.model.exprs[args[0]].kind
            && self.rep(inner[0]) == Rep::Tree
        {
            // What is reached from a set needs no closure.
            let reflexive = *closure == Op::Closure;
            let relation_ty = self.ty(inner[0]);
            let (relation, set) = (self.value(inner[0]), self.value(args[1]));
            return f(move |cx| {
                let relation = relation(cx)?;
                let set = set(cx)?;
                cx.reached(relation_ty, ty, &relation, &set, reflexive)
                    .map_err(|trap| trap.at(place))
            });
        }
        let special = match op {
            Op::Image => self.image_of_inverse(expr, args),
            Op::Overwrite => self.overwriting(expr, args),
            _ => None,
        };
        if let Some(code) = special {
            return code;
        }
        if op == Op::DomainRestriction
            && let Kind::Op(Op::Interval, bounds) = &self.model.exprs[args[0]].kind
            && self.rep(args[1]) == Rep::Tree
        {
            return self.within_bounds((expr, op), (args[0], [bounds[0], bounds[1]]), args);
        }
        if op == Op::Maplet && self.is_plain(ty) {
            let (left, right) = (self.value(args[0]), self.value(args[1]));
            return f(move |cx| {
                let left = left(cx)?;
                let right = right(cx)?;
                Ok(cx.reps().join(ty, left, right))
            });
        }
        // Spaces, products and powers of symbolic sets take their operands as they are.
        let codes: SmallVec<[F<V>; 2]> = args.iter().map(|arg| self.value(*arg)).collect();
        match codes.as_slice() {
            [a] => {
                let a = a.clone();
                f(move |cx| {
                    let a = a(cx)?;
                    cx.op(op, &types, &[a]).map_err(|trap| trap.at(place))
                })
            }
            [a, b] => {
                let (a, b) = (a.clone(), b.clone());
                f(move |cx| {
                    let a = a(cx)?;
                    let b = b(cx)?;
                    cx.op(op, &types, &[a, b]).map_err(|trap| trap.at(place))
                })
            }
            _ => f(move |cx| {
                let mut values: SmallVec<[V; 8]> = SmallVec::new();
                for code in &codes {
                    values.push(code(cx)?);
                }
                cx.op(op, &types, &values).map_err(|trap| trap.at(place))
            }),
        }
    }

    /// Whether values of a type are codes, numbers and pairs of such.
    fn is_plain(&self, ty: TyId) -> bool {
        let info = &self.program.reps[ty];
        match (info.rep, &info.ty) {
            (Rep::Word | Rep::Wide | Rep::Int, _) => true,
            (Rep::Tree, model::Ty::Prod(left, right)) => {
                self.is_plain(*left) && self.is_plain(*right)
            }
            _ => false,
        }
    }

    /// `a..b <| r`: the interval need not be listed where the relation is.
    fn within_bounds(
        &self,
        (expr, op): (ExprId, Op),
        (interval, bounds): (ExprId, [ExprId; 2]),
        args: &[ExprId],
    ) -> F<V> {
        let place = expr.index() as u32;
        let types = self.op_ty(expr, args);
        let interval_types = self.op_ty(interval, &bounds);
        let [low, high] = bounds.map(|bound| self.value(bound));
        let relation = self.value(args[1]);
        f(move |cx| {
            let (low, high) = (low(cx)?, high(cx)?);
            let relation = relation(cx)?;
            if let (V::Int(low), V::Int(high)) = (&low, &high)
                && let Some(within) = crate::ops::within(&relation, *low, *high)
            {
                return Ok(within);
            }
            let interval = cx
                .op(Op::Interval, &interval_types, &[low, high])
                .map_err(|trap| trap.at(place))?;
            cx.op(op, &types, &[interval, relation])
                .map_err(|trap| trap.at(place))
        })
    }

    pub(crate) fn op_ty(&self, expr: ExprId, args: &[ExprId]) -> OpTy {
        OpTy {
            args: args.iter().map(|arg| self.ty(*arg)).collect(),
            result: self.ty(expr),
        }
    }

    fn external(&self, expr: ExprId, name: base::Name, args: &[ExprId]) -> F<V> {
        let place = expr.index() as u32;
        let types = self.op_ty(expr, args);
        let codes: Vec<F<V>> = args.iter().map(|arg| self.value(*arg)).collect();
        let tys = self.model.tys.clone();
        f(move |cx| {
            let mut values = Vec::with_capacity(codes.len());
            for code in &codes {
                values.push(code(cx)?);
            }
            crate::external::call(cx, name, &types, &values, &tys)
                .map_err(|trap: Trap| trap.at(place))
        })
    }
}

/// Steps after a closure.
pub(crate) trait Then {
    fn then(self, next: impl Fn(&mut Cx<'_>, V) -> R<V> + Send + Sync + 'static) -> F<V>;
}

impl Then for F<V> {
    fn then(self, next: impl Fn(&mut Cx<'_>, V) -> R<V> + Send + Sync + 'static) -> F<V> {
        f(move |cx| {
            let value = self(cx)?;
            next(cx, value)
        })
    }
}
