//! Leaves out what every reachable state satisfies anyway.
//!
//! An operation that includes `ΔS` says the predicate of `S` before and after, often several times. When the
//! initialisation and every operation say it of the values after, it holds in every state that is reached, so nobody
//! needs to ask for it before; and of the values after only what an operation can change is asked.
//! Invariant: nothing is left out unless the same conjunct is known to hold, so steps and states stay the same.

use lang_math::Op;
use model::expr::Part;
use model::{ExprId, Kind, LocalId, Model};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write as _;

/// Conjuncts compared as they are written, whatever their bound names are.
#[derive(Debug, Default)]
pub(super) struct Known {
    keys: FxHashSet<String>,
}

impl Known {
    /// The conjuncts of a list.
    pub(super) fn of(model: &Model, conjuncts: &[ExprId]) -> Known {
        let mut known = Known::default();
        for conjunct in conjuncts {
            known.add(model, *conjunct);
        }
        known
    }

    /// Adds a conjunct; says whether it is new.
    pub(super) fn add(&mut self, model: &Model, conjunct: ExprId) -> bool {
        self.keys.insert(key(model, conjunct))
    }

    /// Whether there are any.
    pub(super) fn is_some(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Whether a conjunct is among them.
    pub(super) fn has(&self, model: &Model, conjunct: ExprId) -> bool {
        self.keys.contains(&key(model, conjunct))
    }
}

/// Whether a list of conjuncts says all of some others, in each branch of a disjunction at least.
pub(super) fn entails(model: &Model, conjuncts: &[ExprId], wanted: &[ExprId]) -> bool {
    let known = Known::of(model, conjuncts);
    let missing: Vec<ExprId> = wanted
        .iter()
        .copied()
        .filter(|one| !known.has(model, *one))
        .collect();
    if missing.is_empty() {
        return true;
    }
    conjuncts.iter().any(|conjunct| {
        let Kind::Op(Op::Or, args) = &model.exprs[*conjunct].kind else {
            return false;
        };
        args.iter().all(|branch| {
            let branch = flat(model, *branch);
            base::deep::recurse(|| entails(model, &branch, &missing))
        })
    })
}

/// The conjuncts of a predicate.
pub(super) fn flat(model: &Model, predicate: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut pending = vec![predicate];
    while let Some(expr) = pending.pop() {
        match &model.exprs[expr].kind {
            Kind::Op(Op::And, args) => pending.extend(args.iter().rev()),
            Kind::Op(Op::Truth, _) => {}
            _ => found.push(expr),
        }
    }
    found
}

/// The text of an expression with bound names numbered as they come.
pub(super) fn key(model: &Model, expr: ExprId) -> String {
    let mut writer = Writer {
        model,
        bound: FxHashMap::default(),
        out: String::new(),
    };
    writer.expr(expr);
    writer.out
}

struct Writer<'m> {
    model: &'m Model,
    bound: FxHashMap<LocalId, usize>,
    out: String,
}

impl Writer<'_> {
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.out.write_fmt(text);
    }

    fn bind(&mut self, names: &[LocalId]) {
        for name in names {
            let number = self.bound.len();
            self.bound.insert(*name, number);
            let ty = self.model.locals[*name].ty;
            self.put(format_args!("b{number}:{} ", ty.index()));
        }
    }

    fn expr(&mut self, id: ExprId) {
        base::deep::recurse(|| self.expr_here(id));
    }

    fn expr_here(&mut self, id: ExprId) {
        let expr = &self.model.exprs[id];
        if let Some(ty) = expr.ty {
            self.put(format_args!("{}", ty.index()));
        }
        self.out.push('(');
        match &expr.kind {
            Kind::Int(value) => self.put(format_args!("i{value}")),
            Kind::Real(value) => self.put(format_args!("r{value}")),
            Kind::Str(text) => self.put(format_args!("s{text:?}")),
            Kind::Element(sort, at) => self.put(format_args!("e{},{at}", sort.index())),
            Kind::Carrier(sort) => self.put(format_args!("c{}", sort.index())),
            Kind::FreeSet(free) => self.put(format_args!("f{}", free.index())),
            Kind::Constructor(free, at) => self.put(format_args!("k{},{at}", free.index())),
            Kind::Var(var) => self.put(format_args!("v{}", var.index())),
            Kind::Local(local) => match self.bound.get(local).copied() {
                Some(number) => self.put(format_args!("b{number}")),
                None => self.put(format_args!("l{}", local.index())),
            },
            Kind::Op(op, _) => self.put(format_args!("{op:?} ")),
            Kind::Apply(..) => self.out.push('@'),
            Kind::External(name, _) => self.put(format_args!("x{name} ")),
            Kind::Bind { binder, names, .. } => {
                self.put(format_args!("{binder:?} "));
                self.bind(names);
            }
            Kind::Record(fields) | Kind::Struct(fields) => {
                let is_set = matches!(expr.kind, Kind::Struct(_));
                self.put(format_args!("{}", if is_set { "S" } else { "R" }));
                for (name, _) in fields {
                    self.put(format_args!("{name},"));
                }
            }
            Kind::Field(_, name) => self.put(format_args!(".{name}")),
            Kind::If(..) => self.out.push('?'),
            Kind::Let(local, ..) => {
                self.out.push('=');
                self.bind(&[*local]);
            }
            Kind::Template(parts) => {
                for part in parts {
                    if let Part::Text(text) = part {
                        self.put(format_args!("t{text:?}"));
                    }
                }
            }
        }
        let mut children = Vec::new();
        expr.kind.for_each_child(|child| children.push(child));
        for child in children {
            self.expr(child);
        }
        self.out.push(')');
    }
}
