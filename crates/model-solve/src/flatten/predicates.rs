//! Predicates: as literals where their truth matters, as constraints where they must hold.
//!
//! Definedness is that of the language: strict, left to right; `&`, `or`, `=>` skip what they need not look at.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::{Flatten, Giveup, Pred, Res};
use crate::Answer;
use crate::flat::{Lin, Lit, Rel};
use crate::sym::Sym;

impl Flatten<'_> {
    /// The truth of a predicate, as a literal.
    pub(super) fn predicate(&mut self, expr: ExprId) -> Res<Pred> {
        self.tick(1)?;
        base::deep::recurse(|| self.find(expr))
    }

    fn find(&mut self, expr: ExprId) -> Res<Pred> {
        use Op::*;
        match self.kind(expr) {
            Kind::Op(op, args) => match (op, args.as_slice()) {
                (Truth, _) => return Ok(Pred::total(Lit::True)),
                (Falsity, _) => return Ok(Pred::total(Lit::False)),
                (Not, [a]) => {
                    let a = self.predicate(*a)?;
                    return Ok(Pred {
                        truth: !a.truth,
                        def: a.def,
                    });
                }
                (And, parts) => {
                    let mut all = Pred::total(Lit::True);
                    for part in parts {
                        let next = match self.skipped(all, true) {
                            true => break,
                            false => self.predicate(*part)?,
                        };
                        all = self.both(all, next);
                    }
                    return Ok(all);
                }
                (Or, parts) => {
                    let mut any = Pred::total(Lit::False);
                    for part in parts {
                        let next = match self.skipped(any, false) {
                            true => break,
                            false => self.predicate(*part)?,
                        };
                        any = self.either(any, next);
                    }
                    return Ok(any);
                }
                (Implies, [a, b]) => {
                    let a = self.predicate(*a)?;
                    if self.skipped(a, true) {
                        return Ok(Pred {
                            truth: !a.truth,
                            def: a.def,
                        });
                    }
                    let b = self.predicate(*b)?;
                    let not = Pred {
                        truth: !a.truth,
                        def: a.def,
                    };
                    return Ok(self.either(not, b));
                }
                (Equivalent, [a, b]) => {
                    let a = self.predicate(*a)?;
                    let b = self.predicate(*b)?;
                    return Ok(Pred {
                        truth: self.problem.iff(a.truth, b.truth),
                        def: self.problem.and([a.def, b.def]),
                    });
                }
                (Less | LessEqual | Greater | GreaterEqual, [a, b]) if self.is_number(*a) => {
                    let (lin, def) = self.with_defs(|this| this.comparison(*op, *a, *b))?;
                    return Ok(Pred {
                        truth: self.problem.compare(&lin, Rel::Le),
                        def,
                    });
                }
                _ => {}
            },
            Kind::If(condition, yes, no) => {
                let test = self.predicate(*condition)?;
                let yes = self.predicate(*yes)?;
                let no = self.predicate(*no)?;
                let a = self.problem.and([test.truth, yes.truth]);
                let b = self.problem.and([!test.truth, no.truth]);
                let c = self.problem.or([!test.truth, yes.def]);
                let d = self.problem.or([test.truth, no.def]);
                return Ok(Pred {
                    truth: self.problem.or([a, b]),
                    def: self.problem.and([test.def, c, d]),
                });
            }
            Kind::Let(name, value, body) => {
                let (value, def) = self.with_defs(|this| this.eval(*value))?;
                let old = self.locals.insert(*name, value);
                let result = self.predicate(*body);
                self.restore(vec![(*name, old)]);
                let result = result?;
                return Ok(Pred {
                    truth: result.truth,
                    def: self.problem.and([def, result.def]),
                });
            }
            _ => {}
        }
        if self.is_ground(expr) && !self.is_cheap(expr) {
            return match self.ask(expr) {
                Answer::Known(value) => Ok(Pred::total((value == model::Value::Bool(true)).into())),
                Answer::Undefined => Ok(Pred {
                    truth: Lit::False,
                    def: Lit::False,
                }),
                Answer::Unlisted => Err(Giveup::Unknown(expr)),
            };
        }
        if let Kind::Bind { binder, .. } = self.kind(expr) {
            return match binder {
                Binder::Forall | Binder::Exists => self.quantifier(expr),
                _ => Err(Giveup::Unknown(expr)),
            };
        }
        let (truth, def) = self.with_defs(|this| this.relation(expr))?;
        Ok(Pred { truth, def })
    }

    /// Whether the rest of a conjunction (or disjunction) is never looked at.
    fn skipped(&self, so_far: Pred, conjunction: bool) -> bool {
        let decided = if conjunction { Lit::False } else { Lit::True };
        so_far.truth == decided || so_far.def == Lit::False
    }

    /// Comparisons and memberships of what is bound here are decided without asking.
    fn is_cheap(&mut self, expr: ExprId) -> bool {
        let Kind::Op(op, args) = self.kind(expr) else {
            return false;
        };
        let simple = |this: &Self, expr: ExprId| match this.kind(expr) {
            Kind::Local(_) | Kind::Int(_) | Kind::Element(..) => true,
            Kind::Op(Op::Add | Op::Minus | Op::Maplet, args) => args.iter().all(|arg| {
                matches!(
                    this.kind(*arg),
                    Kind::Local(_) | Kind::Int(_) | Kind::Element(..)
                )
            }),
            _ => false,
        };
        match (op, args.as_slice()) {
            (Op::Equal | Op::NotEqual, [a, b]) => simple(self, *a) && simple(self, *b),
            (Op::Member | Op::NotMember, [a, _]) => simple(self, *a),
            _ => false,
        }
    }

    fn is_number(&self, expr: ExprId) -> bool {
        self.model.exprs[expr]
            .ty
            .is_some_and(|ty| matches!(self.model.tys[ty], model::Ty::Int))
    }

    /// `a op b` as a sum that is at most 0.
    fn comparison(&mut self, op: Op, a: ExprId, b: ExprId) -> Res<Lin> {
        let a = self.eval(a)?;
        let b = self.eval(b)?;
        let (a, b) = (self.lin(&a)?, self.lin(&b)?);
        let (low, high, strict) = match op {
            Op::Less => (a, b, 1),
            Op::LessEqual => (a, b, 0),
            Op::Greater => (b, a, 1),
            _ => (b, a, 0),
        };
        low.plus(-1, &high)
            .and_then(|lin| lin.plus(1, &Lin::number(strict)))
            .ok_or(Giveup::TooLarge)
    }

    /// Both, the second only where the first holds.
    pub(super) fn both(&mut self, a: Pred, b: Pred) -> Pred {
        let later = self.problem.or([!a.truth, b.def]);
        Pred {
            truth: self.problem.and([a.truth, b.truth]),
            def: self.problem.and([a.def, later]),
        }
    }

    fn either(&mut self, a: Pred, b: Pred) -> Pred {
        let later = self.problem.or([a.truth, b.def]);
        Pred {
            truth: self.problem.or([a.truth, b.truth]),
            def: self.problem.and([a.def, later]),
        }
    }

    /// Equality, membership, inclusion and their negations.
    fn relation(&mut self, expr: ExprId) -> Res<Lit> {
        use Op::*;
        let Kind::Op(op, args) = self.kind(expr) else {
            return Err(Giveup::Unknown(expr));
        };
        match (op, args.as_slice()) {
            (Equal | NotEqual, [a, b]) => {
                let same = match self.count_equation(*a, *b)? {
                    Some(lit) => lit,
                    None => self.equation(*a, *b)?,
                };
                Ok(if *op == Equal { same } else { !same })
            }
            (Member | NotMember, [a, b]) => {
                let x = self.eval(*a)?;
                let inside = self.member_of(&x, *b)?;
                Ok(if *op == Member { inside } else { !inside })
            }
            (Subset | NotSubset, [a, b]) => {
                let x = self.eval(*a)?;
                let inside = self.included(&x, *b)?;
                Ok(if *op == Subset { inside } else { !inside })
            }
            (StrictSubset | NotStrictSubset, [a, b]) => {
                let x = self.eval(*a)?;
                let inside = self.included(&x, *b)?;
                let y = self.eval(*b)?;
                let same = self.equal(&x, &y)?;
                let strict = self.problem.and([inside, !same]);
                Ok(if *op == StrictSubset { strict } else { !strict })
            }
            (Finite, [a]) => {
                self.eval(*a)?;
                Ok(Lit::True)
            }
            (Partition, [whole, parts @ ..]) => self.partition(*whole, parts),
            _ => Err(Giveup::Unknown(expr)),
        }
    }

    fn equation(&mut self, a: ExprId, b: ExprId) -> Res<Lit> {
        let x = self.eval(a)?;
        let y = self.eval(b)?;
        self.equal(&x, &y)
    }

    /// `card({a, b, c}) = 3`: all different.
    fn count_equation(&mut self, a: ExprId, b: ExprId) -> Res<Option<Lit>> {
        for (count, number) in [(a, b), (b, a)] {
            let Kind::Op(Op::Card, args) = self.kind(count) else {
                continue;
            };
            let Kind::Op(Op::SetExtension, members) = self.kind(args[0]) else {
                continue;
            };
            if !self.is_ground(number) {
                continue;
            }
            let number = self.eval(number)?;
            if Self::number(&number) != Some(members.len() as i64) {
                continue;
            }
            let mut syms: Vec<Sym> = Vec::new();
            let mut all = Vec::new();
            for member in members {
                let sym = self.eval(*member)?;
                for other in &syms {
                    all.push(!self.equal(&sym, other)?);
                }
                syms.push(sym);
            }
            return Ok(Some(self.problem.and(all)));
        }
        Ok(None)
    }

    fn partition(&mut self, whole: ExprId, parts: &[ExprId]) -> Res<Lit> {
        let whole = self.eval(whole)?;
        let whole = self.as_set(&whole)?;
        let mut sets = Vec::new();
        for part in parts {
            let part = self.eval(*part)?;
            sets.push(self.as_set(&part)?);
        }
        let mut values: Vec<model::Value> = whole.iter().map(|(value, _)| value.clone()).collect();
        for set in &sets {
            values.extend(set.iter().map(|(value, _)| value.clone()));
        }
        values.sort();
        values.dedup();
        let mut all = Vec::new();
        for value in values {
            let lit_in = |set: &[(model::Value, Lit)]| match set
                .binary_search_by(|entry| entry.0.cmp(&value))
            {
                Ok(at) => set[at].1,
                Err(_) => Lit::False,
            };
            let inside = lit_in(&whole);
            let lits: Vec<Lit> = sets.iter().map(|set| lit_in(set)).collect();
            let some = self.problem.or(lits.clone());
            all.push(self.problem.iff(inside, some));
            for i in 0..lits.len() {
                for j in 0..i {
                    all.push(self.problem.or([!lits[i], !lits[j]]));
                }
            }
        }
        Ok(self.problem.and(all))
    }

    /// When `half` holds, the predicate is not false.
    pub(crate) fn require(&mut self, expr: ExprId, half: Lit) -> Res<Lit> {
        self.tick(1)?;
        base::deep::recurse(|| self.demand(expr, half))
    }

    /// Like [`Flatten::require`]; gives back where the predicate is defined.
    fn demand(&mut self, expr: ExprId, half: Lit) -> Res<Lit> {
        use Op::*;
        if half == Lit::False {
            return Ok(Lit::True);
        }
        match self.kind(expr) {
            Kind::Op(op, args) => match (op, args.as_slice()) {
                (And, parts) => {
                    let mut def = Lit::True;
                    for part in parts {
                        let half = self.problem.and([half, def]);
                        let next = self.require(*part, half)?;
                        // What holds before it is true where it is defined: only that can be reached.
                        def = self.problem.and([def, next]);
                    }
                    return Ok(def);
                }
                (Implies, [a, b]) => {
                    let test = self.predicate(*a)?;
                    let when = self.problem.and([half, test.truth, test.def]);
                    let def = self.require(*b, when)?;
                    let later = self.problem.or([!test.truth, def]);
                    return Ok(self.problem.and([test.def, later]));
                }
                (Not, [a]) => {
                    if let Kind::Op(Or, parts) = self.kind(*a) {
                        let mut def = Lit::True;
                        for part in parts {
                            let test = self.predicate(*part)?;
                            self.problem.clause([!half, !def, !test.def, !test.truth]);
                            def = self.problem.and([def, test.def]);
                        }
                        return Ok(def);
                    }
                }
                (Less | LessEqual | Greater | GreaterEqual, [a, b]) if self.is_number(*a) => {
                    let (lin, def) = self.with_defs(|this| this.comparison(*op, *a, *b))?;
                    let half = self.problem.and([half, def]);
                    self.problem.imply(half, &lin, Rel::Le);
                    return Ok(def);
                }
                (Equal | NotEqual, [a, b]) if self.is_number(*a) => {
                    if let Some(lit) = self.count_equation(*a, *b)? {
                        let lit = if *op == Equal { lit } else { !lit };
                        self.problem.clause([!half, lit]);
                        return Ok(Lit::True);
                    }
                    let (lin, def) = self.with_defs(|this| {
                        let a = this.eval(*a)?;
                        let b = this.eval(*b)?;
                        let (a, b) = (this.lin(&a)?, this.lin(&b)?);
                        a.plus(-1, &b).ok_or(Giveup::TooLarge)
                    })?;
                    let half = self.problem.and([half, def]);
                    let rel = if *op == Equal { Rel::Eq } else { Rel::Ne };
                    self.problem.imply(half, &lin, rel);
                    return Ok(def);
                }
                _ => {}
            },
            Kind::Bind {
                binder: Binder::Forall,
                ..
            } if !self.is_ground(expr) => return self.require_all(expr, half),
            _ => {}
        }
        let test = self.predicate(expr)?;
        self.demand_lit(half, test);
        Ok(test.def)
    }

    fn demand_lit(&mut self, half: Lit, test: Pred) {
        self.problem.clause([!half, !test.def, test.truth]);
    }
}
