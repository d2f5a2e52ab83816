//! Expressions and predicates, node by node.
//!
//! Invariant: operands are evaluated left to right, all of them, before the operator; only `&`, `or`, `=>`,
//! IF and quantifiers skip parts, exactly as `docs/meaning.md` says.

use lang_math::Op;
use model::expr::Part;
use model::{ExprId, Kind, Target, Value};

use crate::doubt::{and, or};
use crate::env::Env;
use crate::set::{Rule, V};
use crate::stop::{Run, Stop};
use crate::{Interp, number};

impl Interp<'_> {
    /// The value of an expression; the truth of a predicate as a boolean.
    pub(crate) fn value(&mut self, id: ExprId, env: &Env) -> Run<V> {
        let span = self.model.exprs[id].span;
        base::deep::recurse(|| {
            self.tick()?;
            self.value_of(id, env)
        })
        .map_err(|stop| stop.at(span))
    }

    // Long: one arm for each kind of formula.
    fn value_of(&mut self, id: ExprId, env: &Env) -> Run<V> {
        let model = self.model;
        let expr = &model.exprs[id];
        if expr.ty.is_none() {
            return self.test(id, env).map(V::bool);
        }
        Ok(match &expr.kind {
            Kind::Int(value) => V::int(model::Int::new(value.clone())),
            Kind::Real(value) => V::Plain(number::real(*value)?),
            Kind::Str(text) => V::Plain(Value::Str(text.as_str().into())),
            Kind::Element(sort, index) => V::Plain(Value::Element(*sort, *index)),
            Kind::Carrier(sort) => self.carrier(*sort),
            Kind::FreeSet(free) => V::rule(Rule::Free(*free)),
            Kind::Constructor(free, index) => {
                match model.tys.free[*free].constructors[*index as usize].1 {
                    None => V::Plain(Value::Free(*free, *index, None)),
                    Some(_) => V::rule(Rule::Constructor(*free, *index)),
                }
            }
            Kind::Var(variable) => match (env.var(*variable), env.own()) {
                (Some(value), _) => value.clone(),
                (None, Some((own, definition))) if own == *variable => {
                    let env = env.outermost();
                    return self.enter(|interp| interp.value(definition, &env));
                }
                _ => {
                    let name = model.variables[*variable].name;
                    return Err(match self.hides {
                        true => Stop::open(format!("{name} may be one of several infinite sets")),
                        false => Stop::undefined(format!("{name} has no value yet")),
                    });
                }
            },
            Kind::Local(local) => match env.local(*local) {
                Some(value) => value.clone(),
                None => {
                    let name = model.locals[*local].name;
                    return Err(Stop::undefined(format!(
                        "{name} is read before it has a value"
                    )));
                }
            },
            Kind::Op(Op::ToBool, operands) => V::bool(self.test(operands[0], env)?),
            Kind::Op(op, operands) => {
                let mut values = Vec::with_capacity(operands.len());
                for operand in operands {
                    values.push(self.value(*operand, env)?);
                }
                self.operate(*op, values, expr.ty)?
            }
            Kind::Apply(function, argument) => {
                let function = self.value(*function, env)?;
                let argument = self.value(*argument, env)?;
                self.apply(&function, &argument)?
            }
            Kind::External(name, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(*argument, env)?);
                }
                self.host_call(*name, values, expr.ty)?
            }
            Kind::Bind {
                binder,
                names,
                predicate,
                value,
                symbolic,
            } => self.bind(id, *binder, names, *predicate, *value, *symbolic, env)?,
            Kind::Record(fields) => {
                let mut values = Vec::with_capacity(fields.len());
                for (name, field) in fields {
                    values.push((*name, self.value(*field, env)?));
                }
                V::record(values)
            }
            Kind::Struct(fields) => {
                let mut sets = Vec::with_capacity(fields.len());
                for (name, field) in fields {
                    sets.push((*name, self.value(*field, env)?));
                }
                V::rule(Rule::Struct(sets))
            }
            Kind::Field(record, name) => {
                let record = self.value(*record, env)?;
                record
                    .field(*name)
                    .ok_or_else(|| Stop::unsupported(format!("there is no field {name}")))?
            }
            Kind::If(condition, then, otherwise) => {
                let chosen = if self.test(*condition, env)? {
                    then
                } else {
                    otherwise
                };
                self.value(*chosen, env)?
            }
            Kind::Let(name, value, body) => {
                let value = self.value(*value, env)?;
                self.value(*body, &env.bind(Target::Local(*name), value))?
            }
            Kind::Template(parts) => self.template(parts, env)?,
        })
    }

    fn template(&mut self, parts: &[Part], env: &Env) -> Run<V> {
        let mut text = String::new();
        for part in parts {
            match part {
                Part::Text(literal) => text.push_str(literal.as_str()),
                Part::Value(value) => {
                    let value = self.value(*value, env)?;
                    let value = self.force(&value)?;
                    text.push_str(&self.host_text(&value));
                }
            }
        }
        Ok(V::Plain(Value::Str(text.into())))
    }

    /// The truth of a predicate.
    pub(crate) fn test(&mut self, id: ExprId, env: &Env) -> Run<bool> {
        let span = self.model.exprs[id].span;
        let truth = base::deep::recurse(|| {
            self.tick()?;
            self.truth_of(id, env)
        });
        match truth {
            Err(stop) if stop.is_open() => {
                let decided = self.decided_by_arithmetic(id, env);
                decided.ok_or_else(|| stop.at(span))
            }
            truth => truth.map_err(|stop| stop.at(span)),
        }
    }

    fn truth_of(&mut self, id: ExprId, env: &Env) -> Run<bool> {
        let model = self.model;
        match &model.exprs[id].kind {
            Kind::Op(op, operands) => self.truth_of_op(*op, operands, env),
            Kind::External(name, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(*argument, env)?);
                }
                match self.host_call(*name, values, None)? {
                    V::Plain(Value::Bool(truth)) => Ok(truth),
                    _ => Err(Stop::unsupported(format!("{name} is no predicate"))),
                }
            }
            Kind::Bind {
                binder,
                names,
                predicate,
                ..
            } => self.quantify(*binder, names, *predicate, env),
            Kind::If(condition, then, otherwise) => {
                let chosen = if self.test(*condition, env)? {
                    then
                } else {
                    otherwise
                };
                self.test(*chosen, env)
            }
            Kind::Let(name, value, body) => {
                let value = self.value(*value, env)?;
                self.test(*body, &env.bind(Target::Local(*name), value))
            }
            _ => match self.value(id, env)? {
                V::Plain(Value::Bool(truth)) => Ok(truth),
                _ => Err(Stop::unsupported("a predicate was expected")),
            },
        }
    }

    fn truth_of_op(&mut self, op: Op, operands: &[ExprId], env: &Env) -> Run<bool> {
        match op {
            Op::Truth => return Ok(true),
            Op::Falsity => return Ok(false),
            Op::And => {
                let mut truth = Ok(true);
                for operand in operands {
                    truth = and(truth, || self.test(*operand, env));
                }
                return truth;
            }
            Op::Or => {
                let mut truth = Ok(false);
                for operand in operands {
                    truth = or(truth, || self.test(*operand, env));
                }
                return truth;
            }
            Op::Implies => {
                let premise = self.test(operands[0], env).map(|truth| !truth);
                return or(premise, || self.test(operands[1], env));
            }
            Op::Equivalent => {
                let left = self.test(operands[0], env)?;
                return Ok(left == self.test(operands[1], env)?);
            }
            Op::Not => return Ok(!self.test(operands[0], env)?),
            _ => {}
        }
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            values.push(self.value(*operand, env)?);
        }
        self.compare(op, &values)
    }

    /// The truth of a comparison of values.
    pub(crate) fn compare(&mut self, op: Op, values: &[V]) -> Run<bool> {
        match (op, values) {
            (Op::Equal, [a, b]) => self.equal(a, b),
            (Op::NotEqual, [a, b]) => Ok(!self.equal(a, b)?),
            (Op::Member, [a, b]) => self.member(a, b),
            (Op::NotMember, [a, b]) => Ok(!self.member(a, b)?),
            (Op::Subset, [a, b]) => self.subset(a, b),
            (Op::NotSubset, [a, b]) => Ok(!self.subset(a, b)?),
            (Op::StrictSubset, [a, b]) => self.strict_subset(a, b),
            (Op::NotStrictSubset, [a, b]) => Ok(!self.strict_subset(a, b)?),
            (Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual, [a, b]) => {
                let order = match (a, b) {
                    (V::Plain(Value::Int(a)), V::Plain(Value::Int(b))) => a.cmp(b),
                    (V::Plain(Value::Real(a)), V::Plain(Value::Real(b))) => a.total_cmp(b),
                    _ => return Err(Stop::unsupported("numbers were expected")),
                };
                Ok(match op {
                    Op::Less => order.is_lt(),
                    Op::LessEqual => order.is_le(),
                    Op::Greater => order.is_gt(),
                    _ => order.is_ge(),
                })
            }
            (Op::Finite, [set]) => self.finite(set),
            (Op::Partition, [whole, sets @ ..]) => {
                let (mut all, mut truth) = (V::empty(), Ok(true));
                for set in sets {
                    let shared = self.combine(Op::Intersection, all.clone(), set.clone())?;
                    truth = and(truth, || self.is_certainly_empty(&shared));
                    all = self.combine(Op::Union, all, set.clone())?;
                }
                and(truth, || self.equal(whole, &all))
            }
            _ => Err(Stop::unsupported(format!("{} is no predicate", op.ascii()))),
        }
    }
}
