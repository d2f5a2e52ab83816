//! Which texts stand in more than one place: a part that reads all variables is worth remembering only then, for no two states
//! have the same values of them, but the guards and bodies that are asked in one state have.
//!
//! Invariant: what is counted here only says where a table may pay; which parts share one is decided by comparing them.

use std::hash::{Hash, Hasher};

use model::{ExprId, Kind, LocalId};
use rustc_hash::{FxHashMap, FxHasher};

use crate::code::Compiler;

/// How often each text was met.
#[derive(Default)]
pub(in crate::code) struct Texts {
    /// Texts as numbers that are equal for equal ones; `None` for those that are not compared.
    numbers: FxHashMap<ExprId, Option<u64>>,
    counts: FxHashMap<u64, u32>,
}

impl Texts {
    /// Whether the text of an expression that was counted stands somewhere else too.
    pub(super) fn is_repeated(&self, expr: ExprId) -> bool {
        let number = self.numbers.get(&expr).copied().flatten();
        let count = number.and_then(|number| self.counts.get(&number));
        count.is_some_and(|count| *count > 1)
    }
}

impl Compiler<'_> {
    /// Counts the texts of a formula and its parts; gives the number of the whole.
    pub(super) fn count_texts(&self, expr: ExprId) -> Option<u64> {
        let known = self.texts.borrow().numbers.get(&expr).copied();
        let number = match known {
            // Of what is shared each use counts, but its parts are asked within it.
            Some(number) => number,
            None => base::deep::recurse(|| self.number_of_text(expr)),
        };
        let mut texts = self.texts.borrow_mut();
        texts.numbers.insert(expr, number);
        if let Some(number) = number {
            *texts.counts.entry(number).or_default() += 1;
        }
        number
    }

    fn number_of_text(&self, expr: ExprId) -> Option<u64> {
        let kind = &self.model.exprs[expr].kind;
        let mut hasher = FxHasher::default();
        std::mem::discriminant(kind).hash(&mut hasher);
        let mut is_compared = true;
        match kind {
            // Which name it is does not tell texts apart.
            Kind::Local(_) | Kind::Apply(..) => {}
            Kind::Int(value) => value.hash(&mut hasher),
            Kind::Element(sort, at) => (sort.index(), at).hash(&mut hasher),
            Kind::Carrier(sort) => sort.index().hash(&mut hasher),
            Kind::Var(var) => var.index().hash(&mut hasher),
            Kind::Op(op, args) => (op, args.len()).hash(&mut hasher),
            Kind::Field(_, name) => name.hash(&mut hasher),
            Kind::Bind {
                binder,
                names,
                symbolic,
                ..
            } => (binder, names.len(), symbolic).hash(&mut hasher),
            _ => is_compared = false,
        }
        kind.for_each_child(|child| match self.count_texts(child) {
            Some(number) => number.hash(&mut hasher),
            None => is_compared = false,
        });
        is_compared.then(|| hasher.finish())
    }

    /// Whether two formulas have the same text once names of one list stand for those of the other.
    pub(super) fn is_same_but(
        &self,
        names: &[LocalId],
        others: &[LocalId],
        a: ExprId,
        b: ExprId,
    ) -> bool {
        let (a, b) = (&self.model.exprs[a].kind, &self.model.exprs[b].kind);
        let all = |xs: &[ExprId], ys: &[ExprId]| {
            let mut pairs = xs.iter().zip(ys);
            xs.len() == ys.len() && pairs.all(|(x, y)| self.is_same_but(names, others, *x, *y))
        };
        base::deep::recurse(|| match (a, b) {
            (Kind::Local(x), Kind::Local(y)) => {
                let place = names.iter().position(|name| name == x);
                place.is_some() && place == others.iter().position(|name| name == y)
            }
            (Kind::Op(x, xs), Kind::Op(y, ys)) => x == y && all(xs, ys),
            (Kind::Apply(f, x), Kind::Apply(g, y)) => all(&[*f, *x], &[*g, *y]),
            (Kind::Field(x, f), Kind::Field(y, g)) => f == g && all(&[*x], &[*y]),
            (Kind::Var(x), Kind::Var(y)) => x == y,
            (Kind::Int(x), Kind::Int(y)) => x == y,
            (Kind::Element(s, x), Kind::Element(t, y)) => s == t && x == y,
            (Kind::Carrier(x), Kind::Carrier(y)) => x == y,
            (Kind::Bind { .. }, Kind::Bind { .. }) => self.are_same_binders((names, others), a, b),
            _ => false,
        })
    }

    /// The same of two constructs that bind names.
    fn are_same_binders(
        &self,
        (names, others): (&[LocalId], &[LocalId]),
        a: &Kind,
        b: &Kind,
    ) -> bool {
        let parts = |kind: &Kind| match kind {
            Kind::Bind {
                binder,
                names,
                predicate,
                value,
                symbolic,
            } => Some((
                (*binder, *symbolic),
                names.clone(),
                [Some(*predicate), *value],
            )),
            _ => None,
        };
        let (Some((how, own, formulas)), Some((other_how, other_own, other_formulas))) =
            (parts(a), parts(b))
        else {
            return false;
        };
        let types = |names: &[LocalId]| -> Vec<model::TyId> {
            let locals = &self.model.locals;
            names.iter().map(|name| locals[*name].ty).collect()
        };
        if how != other_how || types(&own) != types(&other_own) {
            return false;
        }
        let (names, others) = ([names, &own].concat(), [others, &other_own].concat());
        let mut pairs = formulas.into_iter().zip(other_formulas);
        pairs.all(|pair| match pair {
            (Some(x), Some(y)) => self.is_same_but(&names, &others, x, y),
            (x, y) => x.is_none() && y.is_none(),
        })
    }
}
