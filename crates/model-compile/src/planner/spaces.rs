//! Unknown functions: narrowed by what is said of their domain and range, and chosen point by point.
//!
//! Technique: backtracking over the points of the domain. After each choice the conjuncts that mention the
//! function only by applying it are evaluated on the part chosen so far: one that is false now is false for
//! every completion; one that asks for a point not chosen yet decides nothing.
//! Invariant: only definite falsity prunes, so every solution is still found.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::rules::Rules;
use super::{Candidate, Conjunct, Planning, Undefined};
use crate::code::f;
use crate::cx::F;
use crate::plan::{Pointwise, Source, Step, Unknown};
use crate::symbolic::Space;
use crate::value::V;

/// How much dearer a function is that would follow from others: these come first, unless there are many more of them.
const PATIENT: f64 = 16.0;

impl Planning<'_, '_> {
    /// `f : S --> T` and its relatives, or `f : perm(S)`.
    pub(super) fn by_space(&self, i: usize, unknown: Unknown, set: ExprId) -> Option<Candidate> {
        use Op::*;
        let compiler = self.compiler;
        let set = compiler.defined_as(set);
        let Kind::Op(op, args) = self.kind(set) else {
            return None;
        };
        let (op, from, to): (Op, F<V>, F<V>) = match op {
            arrow if arrow.is_arrow() => (*op, compiler.lazy(args[0]), compiler.lazy(args[1])),
            Permutations => {
                let of = compiler.value(args[0]);
                let size = of.clone();
                let from = f(move |cx| {
                    let of = size(cx)?;
                    let n = cx.elements(&of)?.len() as i64;
                    Ok(V::listed((1..=n).map(V::Int).collect()))
                });
                (TotalBijections, from, of)
            }
            _ => return None,
        };
        let domain = self.known_side(i, unknown, Op::Domain);
        let range = self.known_side(i, unknown, Op::Range);
        let narrowed = domain.is_some() || range.is_some();
        let space = Space::of(op);
        let (mut tests, mut rules) = (Vec::new(), Rules::of(space.total));
        // What may be used only where it leaves a candidate.
        let (mut more, mut more_rules) = (Vec::new(), Rules::of(space.total));
        let mut has_more = false;
        if space.functional {
            for (j, conjunct) in self.conjuncts.iter().enumerate() {
                if j == i || conjunct.done {
                    continue;
                }
                if self.may_prune(j) {
                    self.prune_with(conjunct, unknown, &mut tests, &mut rules);
                } else if !space.total || !self.may_prune_steadily(j, unknown) {
                    continue;
                } else {
                    has_more = true;
                }
                self.prune_with(conjunct, unknown, &mut more, &mut more_rules);
            }
        }
        has_more &= more.len() > tests.len();
        if !has_more {
            (more, more_rules) = (Vec::new(), Rules::of(space.total));
        }
        if tests.is_empty() && rules.is_empty() && !has_more && !narrowed {
            return None;
        }
        let mut cost = compiler.guess(set).powf(0.7);
        if self.follows_from_open(unknown) {
            cost = PATIENT * compiler.guess(set);
        } else if !rules.is_empty() || !more_rules.is_empty() || narrowed {
            cost = cost.min(64.0);
        }
        let ty = compiler.program.reps.element(compiler.ty(set));
        let (from, to) = (domain.unwrap_or(from), range.unwrap_or(to));
        let pointwise = |rules: Rules, tests, otherwise| {
            Box::new(Pointwise {
                op,
                ty,
                from: from.clone(),
                to: to.clone(),
                rules: rules.plain,
                own: rules.own,
                among: rules.among,
                required: self.manner.undefined != Undefined::Fault,
                tests,
                otherwise,
            })
        };
        let plain = pointwise(rules, tests, None);
        let source = Source::Pointwise(match has_more {
            true => pointwise(more_rules, more, Some(plain)),
            false => plain,
        });
        let mut candidate = self.through(i, Step::Each(unknown, source), vec![unknown], set, cost);
        candidate.fallback &= !candidate_is_fixed(&candidate);
        candidate.space = compiler.most(set);
        // A narrowed space may hold what the original one does not.
        if narrowed {
            candidate.covers.clear();
        }
        Some(candidate)
    }

    /// Whether `!x.(P => f(x) = E)` gives the values when unknowns of `E` that are open have theirs.
    fn follows_from_open(&self, unknown: Unknown) -> bool {
        self.conjuncts.iter().any(|conjunct| {
            let is_open = |other: &&Unknown| !self.bound.contains(*other);
            let Kind::Bind {
                binder: Binder::Forall,
                names,
                predicate,
                ..
            } = self.kind(conjunct.expr)
            else {
                return false;
            };
            let ([name], Kind::Op(Op::Implies, sides)) = (names.as_slice(), self.kind(*predicate))
            else {
                return false;
            };
            let gives = |part: &ExprId| match self.kind(*part) {
                Kind::Op(Op::Equal, args) => args.iter().any(|arg| {
                    let point = self.applied(*arg, unknown);
                    point.is_some_and(
                        |point| matches!(self.kind(point), Kind::Local(local) if local == name),
                    )
                }),
                _ => false,
            };
            !conjunct.done
                && !conjunct.negated
                && conjunct.unknowns.iter().filter(is_open).count() > 1
                && self.known(sides[0])
                && self.compiler.chain(Op::And, sides[1]).iter().any(gives)
        })
    }

    /// `E` of a conjunct `dom(f) = E` or `ran(f) = E`.
    fn known_side(&self, i: usize, unknown: Unknown, side: Op) -> Option<F<V>> {
        self.conjuncts.iter().enumerate().find_map(|(j, conjunct)| {
            if j == i || conjunct.done || !conjunct.total && !self.manner.relaxed {
                return None;
            }
            let (op, a, b) = self.relation(conjunct)?;
            if op != Op::Equal {
                return None;
            }
            [(a, b), (b, a)].into_iter().find_map(|(a, b)| {
                let Kind::Op(found, args) = self.kind(a) else {
                    return None;
                };
                (*found == side && self.open(args[0]) == Some(unknown) && self.known(b))
                    .then(|| self.compiler.value(b))
            })
        })
    }

    /// Whether a definitely false conjunct may drop a candidate although earlier ones are not decided yet.
    pub(super) fn may_prune(&self, j: usize) -> bool {
        self.manner.relaxed
            || self.conjuncts[..j]
                .iter()
                .all(|earlier| earlier.done || earlier.total)
    }

    /// The same where it drops some candidates but not all: whether an earlier conjunct is defined does not depend on
    /// which total function the unknown is, so the others show that as well.
    fn may_prune_steadily(&self, j: usize, unknown: Unknown) -> bool {
        self.conjuncts[..j]
            .iter()
            .all(|earlier| earlier.done || earlier.total || self.is_steady(earlier.expr, unknown))
    }

    /// Whether an expression is defined for all values of a total function or for none: it is applied to what is known.
    fn is_steady(&self, expr: ExprId, unknown: Unknown) -> bool {
        if self.compiler.facts.of(expr).total || !self.mentioned(expr).contains(&unknown) {
            return true;
        }
        match self.kind(expr) {
            Kind::Apply(function, argument) => {
                self.open(*function) == Some(unknown) && self.known(*argument)
            }
            Kind::Op(
                Op::Equal
                | Op::NotEqual
                | Op::Less
                | Op::LessEqual
                | Op::Greater
                | Op::GreaterEqual
                | Op::Member
                | Op::NotMember
                | Op::Add
                | Op::Minus
                | Op::Times
                | Op::Maplet,
                args,
            ) => args.iter().all(|arg| self.is_steady(*arg, unknown)),
            _ => false,
        }
    }

    fn prune_with(
        &self,
        conjunct: &Conjunct,
        unknown: Unknown,
        tests: &mut Vec<F<bool>>,
        rules: &mut Rules,
    ) {
        if !conjunct.negated {
            self.inverse_rule(conjunct.expr, unknown, rules);
        }
        if !conjunct.unknowns.contains(&unknown)
            || conjunct
                .unknowns
                .iter()
                .any(|other| *other != unknown && !self.bound.contains(other))
        {
            return;
        }
        let is_applied = self.only_applied(conjunct.expr, unknown);
        if !is_applied && !self.is_over_domain(conjunct.expr, unknown, rules) {
            return;
        }
        if !conjunct.negated {
            self.rules(conjunct.expr, unknown, rules);
        }
        if is_applied {
            tests.push(self.compiler.signed(conjunct.expr, conjunct.negated));
        }
    }

    /// Whether an unknown occurs only as a function that is applied.
    pub(super) fn only_applied(&self, expr: ExprId, unknown: Unknown) -> bool {
        if !self.mentioned(expr).contains(&unknown) {
            return true;
        }
        base::deep::recurse(|| match self.kind(expr) {
            Kind::Apply(function, argument) => {
                (self.open(*function) == Some(unknown) || self.only_applied(*function, unknown))
                    && self.only_applied(*argument, unknown)
            }
            Kind::Op(_, args) => args.iter().all(|arg| self.only_applied(*arg, unknown)),
            Kind::Bind {
                predicate, value, ..
            } => {
                self.only_applied(*predicate, unknown)
                    && value.is_none_or(|value| self.only_applied(value, unknown))
            }
            Kind::If(a, b, c) => [a, b, c]
                .into_iter()
                .all(|part| self.only_applied(*part, unknown)),
            Kind::Let(_, a, b) => self.only_applied(*a, unknown) && self.only_applied(*b, unknown),
            Kind::Record(fields) => fields
                .iter()
                .all(|(_, field)| self.only_applied(*field, unknown)),
            Kind::Field(record, _) => self.only_applied(*record, unknown),
            _ => false,
        })
    }
}

/// Whether a candidate chooses values by rules, so that an endless range need not be listed.
fn candidate_is_fixed(candidate: &Candidate) -> bool {
    match &candidate.step {
        Step::Each(_, Source::Pointwise(search)) => search.is_ruled(),
        _ => false,
    }
}
