//! Prolog terms of formulas to trees.
//!
//! Patterns of the exporter are read back: a comprehension whose value is its own names is `{x ∣ P}`, one whose
//! value is a pair that starts with its names is a λ.

use base::{Span, deep};
use lang_math::{Args, Binder, Binding, ExprId, ExprKind, Op};
use num_bigint::BigInt;
use smallvec::smallvec;

use super::term::Term;
use super::{Reader, Refused, Result};
use crate::math::parse::is_tuple;

/// Terms with the position and as many operands as the operator takes.
const OPERATORS: &[(&str, Op)] = &[
    ("equal", Op::Equal),
    ("not_equal", Op::NotEqual),
    ("member", Op::Member),
    ("not_member", Op::NotMember),
    ("subset", Op::Subset),
    ("subset_strict", Op::StrictSubset),
    ("not_subset", Op::NotSubset),
    ("not_subset_strict", Op::NotStrictSubset),
    ("less", Op::Less),
    ("less_equal", Op::LessEqual),
    ("greater", Op::Greater),
    ("greater_equal", Op::GreaterEqual),
    ("implication", Op::Implies),
    ("equivalence", Op::Equivalent),
    ("negation", Op::Not),
    ("truth", Op::Truth),
    ("falsity", Op::Falsity),
    ("finite", Op::Finite),
    ("boolean_true", Op::True),
    ("boolean_false", Op::False),
    ("bool_set", Op::Booleans),
    ("integer_set", Op::Integers),
    ("natural_set", Op::Naturals),
    ("natural1_set", Op::Naturals1),
    ("empty_set", Op::EmptySet),
    ("add", Op::Add),
    ("minus", Op::Minus),
    ("multiplication", Op::Times),
    ("div", Op::Divide),
    ("modulo", Op::Modulo),
    ("power_of", Op::Power),
    ("unary_minus", Op::Negate),
    ("union", Op::Union),
    ("intersection", Op::Intersection),
    ("set_subtraction", Op::SetMinus),
    ("cartesian_product", Op::Cartesian),
    ("relations", Op::Relations),
    ("total_relation", Op::TotalRelations),
    ("surjection_relation", Op::SurjectiveRelations),
    ("total_surjection_relation", Op::TotalSurjectiveRelations),
    ("partial_function", Op::PartialFunctions),
    ("total_function", Op::TotalFunctions),
    ("partial_injection", Op::PartialInjections),
    ("total_injection", Op::TotalInjections),
    ("partial_surjection", Op::PartialSurjections),
    ("total_surjection", Op::TotalSurjections),
    ("total_bijection", Op::TotalBijections),
    ("domain", Op::Domain),
    ("range", Op::Range),
    ("reverse", Op::Inverse),
    ("image", Op::Image),
    ("domain_restriction", Op::DomainRestriction),
    ("domain_subtraction", Op::DomainSubtraction),
    ("range_restriction", Op::RangeRestriction),
    ("range_subtraction", Op::RangeSubtraction),
    ("composition", Op::Composition),
    ("ring", Op::Ring),
    ("overwrite", Op::Overwrite),
    ("direct_product", Op::DirectProduct),
    ("parallel_product", Op::ParallelProduct),
    ("interval", Op::Interval),
    ("card", Op::Card),
    ("min", Op::Min),
    ("max", Op::Max),
    ("pow_subset", Op::PowerSet),
    ("pow1_subset", Op::PowerSet1),
    ("general_union", Op::GeneralUnion),
    ("general_intersection", Op::GeneralIntersection),
    ("convert_bool", Op::ToBool),
    ("successor", Op::Successor),
    ("predecessor", Op::Predecessor),
    ("event_b_identity", Op::Identity),
    ("event_b_first_projection_v2", Op::Projection1),
    ("event_b_second_projection_v2", Op::Projection2),
    ("identity", Op::Identity),
    ("typeof", Op::OfType),
];

impl Reader<'_> {
    /// A formula; its spans are set when its text is known.
    pub(super) fn formula(&mut self, term: &Term) -> Result<ExprId> {
        deep::recurse(|| self.formula_here(term))
    }

    fn formulas(&mut self, terms: &[Term]) -> Result<Args> {
        terms.iter().map(|term| self.formula(term)).collect()
    }

    // Long: one arm for each functor.
    fn formula_here(&mut self, term: &Term) -> Result<ExprId> {
        let Term::Compound(functor, all) = term else {
            return Err(self.misplaced("a formula", term));
        };
        let args = all.get(1..).unwrap_or_default();
        let kind = match (functor.as_str(), args) {
            ("identifier", [Term::Atom(name)]) => ExprKind::Name(*name),
            ("integer", [Term::Number(digits)]) => {
                let value: Option<BigInt> = digits.parse().ok();
                ExprKind::Int(value.ok_or_else(|| self.misplaced("a number", term))?)
            }
            ("conjunct", _) => return self.chain(Op::And, args),
            ("disjunct", _) => return self.chain(Op::Or, args),
            ("couple", [Term::List(parts)]) => return self.chain(Op::Maplet, parts),
            ("couple", parts) if parts.len() > 1 => return self.chain(Op::Maplet, parts),
            ("function", [function, Term::List(args)]) => {
                let function = self.formula(function)?;
                let arg = self.chain(Op::Maplet, args)?;
                ExprKind::Apply(function, smallvec![arg])
            }
            ("function", [function, arg]) => {
                let function = self.formula(function)?;
                ExprKind::Apply(function, smallvec![self.formula(arg)?])
            }
            ("set_extension", [Term::List(elements)]) if elements.is_empty() => {
                ExprKind::Op(Op::EmptySet, smallvec![])
            }
            ("set_extension", [Term::List(elements)]) => {
                ExprKind::Op(Op::SetExtension, self.formulas(elements)?)
            }
            ("partition", [set, Term::List(parts)]) => {
                let mut args: Args = smallvec![self.formula(set)?];
                args.extend(self.formulas(parts)?);
                ExprKind::Op(Op::Partition, args)
            }
            ("forall", [Term::List(names), body]) => {
                self.bind(Binder::Forall, names, body, None)?
            }
            ("forall", [Term::List(names), left, right]) => {
                let names = self.bindings(names)?;
                let sides = smallvec![self.formula(left)?, self.formula(right)?];
                let predicate = self.push(ExprKind::Op(Op::Implies, sides));
                bound(Binder::Forall, names, predicate, None)
            }
            ("exists", [Term::List(names), body]) => {
                self.bind(Binder::Exists, names, body, None)?
            }
            ("quantified_union", [Term::List(names), predicate, value]) => {
                self.bind(Binder::Union, names, predicate, Some(value))?
            }
            ("quantified_intersection", [Term::List(names), predicate, value]) => {
                self.bind(Binder::Inter, names, predicate, Some(value))?
            }
            ("event_b_comprehension_set", [Term::List(names), value, predicate]) => {
                self.comprehension(names, value, predicate)?
            }
            ("comprehension_set", [Term::List(names), predicate]) => {
                self.bind(Binder::Comprehension, names, predicate, None)?
            }
            ("lambda", [Term::List(names), predicate, value]) => {
                self.bind(Binder::Lambda, names, predicate, Some(value))?
            }
            // The projections of the first version take the relation that they project.
            ("event_b_first_projection", [relation]) => {
                self.projection(Op::Projection1, relation)?
            }
            ("event_b_second_projection", [relation]) => {
                self.projection(Op::Projection2, relation)?
            }
            (
                "extended_expr" | "extended_pred",
                [Term::Atom(name), Term::List(exprs), Term::List(predicates)],
            ) => {
                let mut args = self.formulas(exprs)?;
                args.extend(self.formulas(predicates)?);
                ExprKind::External(*name, args)
            }
            ("extended_expr" | "extended_pred", [Term::Atom(name), Term::List(exprs)]) => {
                ExprKind::External(*name, self.formulas(exprs)?)
            }
            ("description", [_, formula]) => return self.formula(formula),
            (name, args) => {
                let operator = OPERATORS.iter().find(|(known, op)| {
                    let arity = match op {
                        Op::Identity => usize::from(name == "identity"),
                        _ => op.arity().unwrap_or(args.len()),
                    };
                    *known == name && arity == args.len()
                });
                match operator {
                    Some((_, op)) => ExprKind::Op(*op, self.formulas(args)?),
                    None => return Err(Refused::Unknown(format!("{name}/{}", all.len()))),
                }
            }
        };
        Ok(self.push(kind))
    }

    /// An operator over a list, grouped to the left; `&` of nothing is true.
    fn chain(&mut self, op: Op, terms: &[Term]) -> Result<ExprId> {
        let terms = match terms {
            [Term::List(terms)] => terms,
            terms => terms,
        };
        let mut result: Option<ExprId> = None;
        for term in terms {
            let next = self.formula(term)?;
            result = Some(match result {
                None => next,
                Some(left) => self.push(ExprKind::Op(op, smallvec![left, next])),
            });
        }
        match (result, op) {
            (Some(result), _) => Ok(result),
            (None, Op::And) => Ok(self.push(ExprKind::Op(Op::Truth, smallvec![]))),
            (None, Op::Or) => Ok(self.push(ExprKind::Op(Op::Falsity, smallvec![]))),
            (None, _) => Err(Refused::Broken("a pair has no parts".to_owned())),
        }
    }

    fn projection(&mut self, op: Op, relation: &Term) -> Result<ExprKind> {
        let relation = self.formula(relation)?;
        let projection = self.push(ExprKind::Op(op, smallvec![]));
        Ok(ExprKind::Op(
            Op::DomainRestriction,
            smallvec![relation, projection],
        ))
    }

    fn bind(
        &mut self,
        binder: Binder,
        names: &[Term],
        predicate: &Term,
        value: Option<&Term>,
    ) -> Result<ExprKind> {
        let names = self.bindings(names)?;
        let predicate = self.formula(predicate)?;
        let value = value.map(|value| self.formula(value)).transpose()?;
        Ok(bound(binder, names, predicate, value))
    }

    fn comprehension(
        &mut self,
        names: &[Term],
        value: &Term,
        predicate: &Term,
    ) -> Result<ExprKind> {
        let names = self.bindings(names)?;
        let value = self.formula(value)?;
        let predicate = self.formula(predicate)?;
        if is_tuple(&self.exprs, value, &names) {
            return Ok(bound(Binder::Comprehension, names, predicate, None));
        }
        if let ExprKind::Op(Op::Maplet, args) = self.exprs.kind(value).clone()
            && is_tuple(&self.exprs, args[0], &names)
        {
            return Ok(bound(Binder::Lambda, names, predicate, Some(args[1])));
        }
        Ok(bound(Binder::Image, names, predicate, Some(value)))
    }

    pub(super) fn push(&mut self, kind: ExprKind) -> ExprId {
        self.exprs.push(kind, Span::new(self.file, 0, 0))
    }
}

fn bound(
    binder: Binder,
    names: Vec<Binding>,
    predicate: ExprId,
    value: Option<ExprId>,
) -> ExprKind {
    ExprKind::Bind {
        binder,
        names,
        predicate,
        value,
        symbolic: false,
    }
}
