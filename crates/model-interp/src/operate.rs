//! Operators on values: numbers, sets, relations, sequences, trees.

use lang_math::Op;
use model::{Int, Ty, TyId, Value};

use crate::expand::Arrow;
use crate::number;
use crate::relation;
use crate::sequence;
use crate::set::{Rule, V};
use crate::stop::{Run, Stop};
use crate::{Flow, Interp};

impl Interp<'_> {
    /// The value of an operator for its operands; `ty` is the type of the result.
    // Long: one arm for each operator.
    pub(crate) fn operate(&mut self, op: Op, mut operands: Vec<V>, ty: Option<TyId>) -> Run<V> {
        if Arrow::of(op).is_some() {
            return self.rule_over(op, operands);
        }
        let (min, max) = (
            Int::Small(self.model.min_int),
            Int::Small(self.model.max_int),
        );
        match (op, operands.as_mut_slice()) {
            (Op::True, _) => Ok(V::bool(true)),
            (Op::False, _) => Ok(V::bool(false)),
            (Op::Booleans, _) => Ok(Value::set(vec![Value::Bool(false), Value::Bool(true)]).into()),
            (Op::Integers, _) => Ok(V::rule(Rule::Integers)),
            (Op::Naturals, _) => Ok(V::rule(Rule::From(Int::Small(0)))),
            (Op::Naturals1, _) => Ok(V::rule(Rule::From(Int::Small(1)))),
            (Op::Int, _) => Ok(V::interval(min, max)),
            (Op::Nat, _) => Ok(V::interval(Int::Small(0), max)),
            (Op::Nat1, _) => Ok(V::interval(Int::Small(1), max)),
            (Op::MaxInt, _) => Ok(V::int(max)),
            (Op::MinInt, _) => Ok(V::int(min)),
            (Op::Strings, _) => Ok(V::rule(Rule::Strings)),
            (Op::Reals | Op::Floats, _) => Ok(V::rule(Rule::Reals)),
            (Op::EmptySet | Op::EmptySequence, _) => Ok(V::empty()),
            (Op::Successor, _) => Ok(V::rule(Rule::Shift(1))),
            (Op::Predecessor, _) => Ok(V::rule(Rule::Shift(-1))),
            (Op::Projection1 | Op::Projection2, _) => self.projection(op, ty),
            (Op::OfType, [value, _]) => Ok(value.clone()),
            (Op::Maplet, [left, right]) => {
                let (left, right) = (left.clone(), right.clone());
                let (left, right) = (self.settle(left)?, self.settle(right)?);
                Ok(V::pair(left, right))
            }
            (Op::Component1, [pair]) => Ok(crate::member::parts(pair)?.0),
            (Op::Component2, [pair]) => Ok(crate::member::parts(pair)?.1),
            (Op::Interval, [low, high]) => Ok(V::interval(self.integer(low)?, self.integer(high)?)),
            (Op::SetExtension, _) => {
                let mut elements = Vec::with_capacity(operands.len());
                for operand in operands {
                    elements.push(self.settle(operand)?);
                }
                self.listed(elements)
            }
            (Op::SequenceExtension, _) => {
                let mut pairs = Vec::with_capacity(operands.len());
                for (position, operand) in (1..).zip(operands) {
                    let member = self.settle(operand)?;
                    pairs.push(V::pair(V::int(Int::Small(position)), member));
                }
                self.listed(pairs)
            }
            (
                Op::PowerSet
                | Op::PowerSet1
                | Op::FiniteSubsets
                | Op::FiniteSubsets1
                | Op::Sequences
                | Op::Sequences1
                | Op::InjectiveSequences
                | Op::InjectiveSequences1
                | Op::Permutations
                | Op::Cartesian
                | Op::Identity
                | Op::Prj1
                | Op::Prj2
                | Op::Trees
                | Op::BinaryTrees,
                _,
            ) => self.rule_over(op, operands),
            (Op::Union | Op::Intersection | Op::SetMinus, [left, right]) => {
                let (left, right) = (left.clone(), right.clone());
                let (left, right) = (self.settle(left)?, self.settle(right)?);
                self.combine(op, left, right)
            }
            (Op::Card, [set]) => self.card(set).map(V::int),
            (Op::Max | Op::Min, [set]) => self.extreme(op, set),
            (Op::GeneralUnion | Op::GeneralIntersection, [sets]) => self.over_all(op, sets),
            (Op::Domain, [r]) => {
                let domain = self.domain_of(r)?;
                self.settle(domain)
            }
            (Op::Range, [r]) => {
                let range = self.range_of(r)?;
                self.settle(range)
            }
            (Op::Image, [r, set]) => {
                let (r, set) = (r.clone(), set.clone());
                let (r, set) = (self.settle(r)?, self.settle(set)?);
                self.image(&r, &set)
            }
            (Op::Ring, [outer, inner]) => {
                let operands = vec![inner.clone(), outer.clone()];
                self.related(Op::Composition, operands)
            }
            (Op::SymbolicComposition, _) => Ok(V::made(Op::Composition, operands)),
            (
                Op::Composition
                | Op::ParallelProduct
                | Op::DirectProduct
                | Op::Overwrite
                | Op::DomainRestriction
                | Op::DomainSubtraction
                | Op::RangeRestriction
                | Op::RangeSubtraction
                | Op::Inverse
                | Op::ToFunction
                | Op::ToRelation
                | Op::Closure1,
                _,
            ) => self.related(op, operands),
            (Op::Closure, [r]) => {
                let r = r.clone();
                let closure1 = self.related(Op::Closure1, vec![r])?;
                let identity = self.type_identity(ty)?;
                let identity = self.settle(identity)?;
                self.combine(Op::Union, identity, closure1)
            }
            (Op::Iterate, [r, times]) => {
                let (r, times) = (r.clone(), self.integer(times)?);
                self.iterate(r, &times, ty)
            }
            _ if is_numeric(op) => self.calculate(op, &operands),
            _ => {
                let mut values = Vec::with_capacity(operands.len());
                for operand in &operands {
                    values.push(self.force(operand)?);
                }
                match &values[..] {
                    [Value::Str(_), ..] => text_operation(op, &values),
                    _ if op == Op::Flatten => flatten(&values[0], self, ty),
                    _ => sequence_operation(op, &values),
                }
                .map(V::Plain)
            }
        }
    }

    /// The union or the intersection of all sets in a set.
    fn over_all(&mut self, op: Op, sets: &V) -> Run<V> {
        let mut all: Option<V> = None;
        self.for_each(sets, &mut |interp, set| {
            all = Some(match all.take() {
                None => set,
                Some(known) if op == Op::GeneralUnion => interp.combine(Op::Union, known, set)?,
                Some(known) => interp.combine(Op::Intersection, known, set)?,
            });
            Ok(Flow::Continue)
        })?;
        match all {
            Some(all) => Ok(all),
            None if op == Op::GeneralUnion => Ok(V::empty()),
            None => Err(Stop::undefined("inter of no set")),
        }
    }

    /// A set whose members follow from settled operands.
    fn rule_over(&mut self, op: Op, operands: Vec<V>) -> Run<V> {
        let mut settled = Vec::with_capacity(operands.len());
        for operand in operands {
            settled.push(self.settle(operand)?);
        }
        if matches!(op, Op::Permutations) && self.is_finite(&settled[0])? == Some(false) {
            return Err(Stop::undefined("perm of an infinite set"));
        }
        Ok(V::made(op, settled))
    }

    /// Operators on relations.
    fn related(&mut self, op: Op, operands: Vec<V>) -> Run<V> {
        let mut settled = Vec::with_capacity(operands.len());
        for operand in operands {
            settled.push(self.settle(operand)?);
        }
        let lists: Option<Vec<_>> = settled
            .iter()
            .map(|operand| operand.listed().cloned())
            .collect();
        if let Some(lists) = lists {
            self.spend(lists.iter().map(|list| list.len()).sum())?;
            let left = |set: &[Value], wanted: bool, r: &[Value]| {
                relation::keep(r, |pair| {
                    relation::parts(pair)
                        .is_some_and(|(left, _)| relation::contains(set, left) == wanted)
                })
            };
            let right = |r: &[Value], set: &[Value], wanted: bool| {
                relation::keep(r, |pair| {
                    relation::parts(pair)
                        .is_some_and(|(_, right)| relation::contains(set, right) == wanted)
                })
            };
            return Ok(match (op, lists.as_slice()) {
                (Op::Composition, [r, s]) => relation::composition(r, s),
                (Op::ParallelProduct, [r, s]) => relation::parallel_product(r, s),
                (Op::DirectProduct, [r, s]) => relation::direct_product(r, s),
                (Op::Overwrite, [r, s]) => relation::overwrite(r, s),
                (Op::DomainRestriction, [set, r]) => left(set, true, r),
                (Op::DomainSubtraction, [set, r]) => left(set, false, r),
                (Op::RangeRestriction, [r, set]) => right(r, set, true),
                (Op::RangeSubtraction, [r, set]) => right(r, set, false),
                (Op::Inverse, [r]) => relation::inverse(r),
                (Op::ToFunction, [r]) => relation::to_function(r),
                (Op::ToRelation, [f]) => relation::to_relation(f),
                (Op::Closure1, [r]) => relation::closure1(r),
                _ => return Err(Stop::unsupported(format!("{} of relations", op.ascii()))),
            }
            .into());
        }
        match op {
            Op::ToFunction | Op::ToRelation => {
                let listed = V::Plain(self.force(&settled[0])?);
                self.related(op, vec![listed])
            }
            _ => {
                let made = V::made(op, settled);
                self.settle(made)
            }
        }
    }

    /// The identity on the whole type of a relation.
    fn type_identity(&mut self, ty: Option<TyId>) -> Run<V> {
        let model = self.model;
        match ty.map(|ty| &model.tys[ty]) {
            Some(Ty::Pow(pairs)) => match model.tys[*pairs] {
                Ty::Prod(left, _) => Ok(V::made(Op::Identity, [self.type_set(left)])),
                _ => Err(Stop::unsupported("a relation was expected")),
            },
            _ => Err(Stop::unsupported("a relation was expected")),
        }
    }

    /// `@prj1` and `@prj2`: the projections of the whole type.
    fn projection(&mut self, op: Op, ty: Option<TyId>) -> Run<V> {
        let model = self.model;
        if let Some(Ty::Pow(pairs)) = ty.map(|ty| &model.tys[ty])
            && let Ty::Prod(argument, _) = model.tys[*pairs]
            && let Ty::Prod(left, right) = model.tys[argument]
        {
            let op = if op == Op::Projection1 {
                Op::Prj1
            } else {
                Op::Prj2
            };
            return Ok(V::made(op, [self.type_set(left), self.type_set(right)]));
        }
        Err(Stop::unsupported("a projection was expected"))
    }

    fn iterate(&mut self, r: V, times: &Int, ty: Option<TyId>) -> Run<V> {
        if *times < Int::Small(0) {
            return Err(Stop::undefined(format!(
                "iterate {} times",
                number::text(times)
            )));
        }
        if *times == Int::Small(0) {
            let identity = self.type_identity(ty)?;
            return self.settle(identity);
        }
        let r = self.settle(r)?;
        let Some(pairs) = r.listed().cloned() else {
            return Ok(V::made(Op::Iterate, [r, V::int(times.clone())]));
        };
        let mut power = Value::Set(pairs.clone());
        let mut seen = vec![power.clone()];
        let mut done = Int::Small(1);
        while done < *times {
            self.tick()?;
            let Value::Set(known) = &power else { break };
            power = relation::composition(known, &pairs);
            done = number::add(&done, &Int::Small(1));
            // Powers repeat: jump over whole rounds.
            if let Some(start) = seen.iter().position(|known| *known == power) {
                let round = Int::Small((seen.len() - start) as i64);
                let left = number::subtract(times, &done);
                let rest = number::modulo(&left, &round)?;
                let rest = number::index(&rest).unwrap_or(0);
                return Ok(seen[start + rest].clone().into());
            }
            seen.push(power.clone());
        }
        Ok(power.into())
    }

    fn extreme(&mut self, op: Op, set: &V) -> Run<V> {
        if let V::Rule(rule) = set {
            match &**rule {
                Rule::Interval(low, high) => {
                    return Ok(V::int(if op == Op::Max { high } else { low }.clone()));
                }
                Rule::From(low) if op == Op::Min => return Ok(V::int(low.clone())),
                Rule::Integers | Rule::From(_) | Rule::Reals => {
                    return Err(Stop::undefined(format!(
                        "{} of an unbounded set",
                        op.ascii()
                    )));
                }
                _ => {}
            }
        }
        let elements = self.elements(set)?;
        let found = if op == Op::Max {
            elements.last()
        } else {
            elements.first()
        };
        match found {
            Some(found) => Ok(found.clone().into()),
            None => Err(Stop::undefined(format!("{} of the empty set", op.ascii()))),
        }
    }

    /// Arithmetic.
    pub(crate) fn calculate(&mut self, op: Op, operands: &[V]) -> Run<V> {
        let value = match operands {
            [V::Plain(Value::Int(a)), V::Plain(Value::Int(b))] => Value::Int(match op {
                Op::Add => number::add(a, b),
                Op::Minus => number::subtract(a, b),
                Op::Times => number::multiply(a, b),
                Op::Divide => number::divide(a, b)?,
                Op::Modulo => number::modulo(a, b)?,
                Op::FloorDivide => number::floor_divide(a, b)?,
                Op::FloorModulo => number::floor_modulo(a, b)?,
                Op::Power => number::power(a, b)?,
                _ => return Err(Stop::unsupported(format!("{} of integers", op.ascii()))),
            }),
            [V::Plain(Value::Real(a)), V::Plain(Value::Real(b))] => number::real(match op {
                Op::Add => a + b,
                Op::Minus => a - b,
                Op::Times => a * b,
                Op::Divide if *b == 0.0 => return Err(Stop::undefined("division by zero")),
                Op::Divide => a / b,
                Op::Power => a.powf(*b),
                _ => return Err(Stop::unsupported(format!("{} of reals", op.ascii()))),
            })?,
            [V::Plain(Value::Real(a)), V::Plain(Value::Int(b))] if op == Op::Power => {
                number::real(a.powf(number::to_real(b)))?
            }
            [V::Plain(Value::Int(a))] => match op {
                Op::Negate => Value::Int(number::negate(a)),
                Op::ToReal => number::real(number::to_real(a))?,
                _ => return Err(Stop::unsupported(format!("{} of an integer", op.ascii()))),
            },
            [V::Plain(Value::Real(a))] => match op {
                Op::Negate => number::real(-a)?,
                Op::Floor => Value::Int(number::from_real(a.floor())?),
                Op::Ceiling => Value::Int(number::from_real(a.ceil())?),
                _ => return Err(Stop::unsupported(format!("{} of a real", op.ascii()))),
            },
            _ => return Err(Stop::unsupported("numbers were expected")),
        };
        Ok(value.into())
    }
}

fn is_numeric(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Minus
            | Op::Times
            | Op::Divide
            | Op::Modulo
            | Op::FloorDivide
            | Op::FloorModulo
            | Op::Power
            | Op::Negate
            | Op::Floor
            | Op::Ceiling
            | Op::ToReal
    )
}

/// Operators of sequences that also work on texts.
fn text_operation(op: Op, values: &[Value]) -> Run<Value> {
    Ok(match (op, values) {
        (Op::Concat, [Value::Str(a), Value::Str(b)]) => Value::Str(format!("{a}{b}").into()),
        (Op::Size, [Value::Str(a)]) => Value::int(a.chars().count() as i64),
        (Op::Reverse, [Value::Str(a)]) => Value::Str(a.chars().rev().collect::<String>().into()),
        _ => return Err(Stop::unsupported(format!("{} of strings", op.ascii()))),
    })
}

/// `conc` of a sequence of sequences, or of texts.
fn flatten(value: &Value, interp: &Interp<'_>, ty: Option<TyId>) -> Run<Value> {
    let parts = sequence::members(value)?;
    if ty.is_some_and(|ty| interp.model.tys[ty] == Ty::Str) {
        let texts = parts.iter().map(|part| match part {
            Value::Str(text) => &**text,
            _ => "",
        });
        return Ok(Value::Str(texts.collect::<String>().into()));
    }
    let mut all = Vec::new();
    for part in parts {
        all.extend(sequence::members(&part)?);
    }
    Ok(sequence::from_members(all))
}

/// Operators on sequences and trees.
fn sequence_operation(op: Op, values: &[Value]) -> Run<Value> {
    use sequence::{from_members, members, tree};
    let count = |n: usize| Value::int(i64::try_from(n).unwrap_or(i64::MAX));
    Ok(match (op, values) {
        (Op::Size, [s]) => count(members(s)?.len()),
        (Op::First, [s]) => sequence::end(s, "first", false)?,
        (Op::Last, [s]) => sequence::end(s, "last", true)?,
        (Op::Front, [s]) => sequence::without_end(s, "front", true)?,
        (Op::Tail, [s]) => sequence::without_end(s, "tail", false)?,
        (Op::Reverse, [s]) => from_members(members(s)?.into_iter().rev()),
        (Op::Concat, [s, t]) => {
            let s = members(s)?;
            from_members(s.into_iter().chain(members(t)?))
        }
        (Op::InsertFront, [e, s]) => from_members([e.clone()].into_iter().chain(members(s)?)),
        (Op::InsertTail, [s, e]) => from_members(members(s)?.into_iter().chain([e.clone()])),
        (Op::TakeFirst, [s, Value::Int(n)]) => sequence::split(s, n, true)?,
        (Op::DropFirst, [s, Value::Int(n)]) => sequence::split(s, n, false)?,
        (Op::TreeNode, [label, sons]) => sequence::node(label, &members(sons)?)?,
        (Op::TreeTop, [t]) => sequence::prefix(&tree(t)?).swap_remove(0),
        (Op::TreeSons, [t]) => from_members(sequence::sons(&tree(t)?)),
        (Op::TreePrefix, [t]) => from_members(sequence::prefix(&tree(t)?)),
        (Op::TreePostfix, [t]) => from_members(sequence::postfix(&tree(t)?)),
        (Op::TreeInfix, [t]) => from_members(sequence::infix(&tree(t)?)?),
        (Op::TreeSize, [t]) => count(tree(t)?.len()),
        (Op::TreeMirror, [t]) => sequence::mirror(&tree(t)?),
        (Op::TreeRank, [t, p]) => {
            let path = sequence::branch_in(&tree(t)?, p)?;
            Value::int(sequence::father(&path)?.1)
        }
        (Op::TreeFather, [t, p]) => {
            let path = sequence::branch_in(&tree(t)?, p)?;
            sequence::father(&path)?.0
        }
        (Op::TreeSon, [t, p, Value::Int(position)]) => {
            let nodes = tree(t)?;
            let path = sequence::branch_in(&nodes, p)?;
            sequence::son(&nodes, &path, position)?
        }
        (Op::Subtree, [t, p]) => {
            let nodes = tree(t)?;
            let path = sequence::branch_in(&nodes, p)?;
            sequence::subtree(&nodes, &path)
        }
        (Op::TreeArity, [t, p]) => {
            let nodes = tree(t)?;
            let path = sequence::branch_in(&nodes, p)?;
            Value::int(sequence::arity(&nodes, &path))
        }
        (Op::BinaryLeaf, [label]) => sequence::node(label, &[])?,
        (Op::BinaryNode, [left, label, right]) => {
            sequence::node(label, &[left.clone(), right.clone()])?
        }
        (Op::BinaryLeft | Op::BinaryRight, [t]) => {
            let sons = sequence::sons(&tree(t)?);
            match <[Value; 2]>::try_from(sons) {
                Ok([left, right]) => {
                    if op == Op::BinaryLeft {
                        left
                    } else {
                        right
                    }
                }
                Err(_) => return Err(Stop::undefined(format!("{} of a leaf", op.ascii()))),
            }
        }
        _ => {
            return Err(Stop::unsupported(format!(
                "{} is not evaluated",
                op.ascii()
            )));
        }
    })
}
