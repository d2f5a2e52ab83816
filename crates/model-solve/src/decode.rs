//! From the numbers of a solution back to values.

use model::Value;

use crate::flat::{Lit, Var};
use crate::sym::Sym;

/// The numbers of a solution.
pub trait Numbers {
    /// The value of a variable.
    fn number(&self, x: Var) -> i64;

    /// The truth of a literal.
    fn holds(&self, lit: Lit) -> bool {
        match lit {
            Lit::True => true,
            Lit::False => false,
            Lit::Le(x, k) => self.number(x) <= k,
            Lit::Ge(x, k) => self.number(x) >= k,
            Lit::Eq(x, k) => self.number(x) == k,
            Lit::Ne(x, k) => self.number(x) != k,
        }
    }
}

impl Numbers for crate::store::Store {
    fn number(&self, x: Var) -> i64 {
        self.lo(x)
    }
}

/// The value of `sym` in a solution.
pub fn decode(sym: &Sym, numbers: &dyn Numbers) -> Value {
    match sym {
        Sym::Known(value) => value.clone(),
        Sym::Int(lin) => {
            let sum: i64 = lin.terms.iter().map(|(c, x)| c * numbers.number(*x)).sum();
            Value::int(sum + lin.k)
        }
        Sym::Bool(lit) => Value::Bool(numbers.holds(*lit)),
        Sym::Choice(values, x) => values[numbers.number(*x) as usize].clone(),
        Sym::Pair(pair) => Value::pair(decode(&pair.0, numbers), decode(&pair.1, numbers)),
        Sym::Record(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|(name, field)| (*name, decode(field, numbers)))
                .collect();
            Value::Record(fields.into())
        }
        Sym::Set(set) => Value::set(
            set.iter()
                .filter(|(_, lit)| numbers.holds(*lit))
                .map(|(value, _)| value.clone())
                .collect(),
        ),
        Sym::Function(entries) => Value::set(
            entries
                .iter()
                .filter(|(_, lit, _)| numbers.holds(*lit))
                .map(|(argument, _, value)| Value::pair(argument.clone(), decode(value, numbers)))
                .collect(),
        ),
        Sym::Bag(members) => Value::set(
            members
                .iter()
                .filter(|(lit, _)| numbers.holds(*lit))
                .map(|(_, member)| decode(member, numbers))
                .collect(),
        ),
    }
}

/// The variables of `sym`.
pub fn variables(sym: &Sym, found: &mut Vec<Var>) {
    match sym {
        Sym::Known(_) => {}
        Sym::Int(lin) => found.extend(lin.terms.iter().map(|(_, x)| *x)),
        Sym::Bool(lit) => found.extend(lit.var()),
        Sym::Choice(_, x) => found.push(*x),
        Sym::Pair(pair) => {
            variables(&pair.0, found);
            variables(&pair.1, found);
        }
        Sym::Record(fields) => fields.iter().for_each(|(_, field)| variables(field, found)),
        Sym::Set(set) => found.extend(set.iter().filter_map(|(_, lit)| lit.var())),
        Sym::Function(entries) => {
            for (_, lit, value) in entries.iter() {
                found.extend(lit.var());
                variables(value, found);
            }
        }
        Sym::Bag(members) => {
            for (lit, member) in members.iter() {
                found.extend(lit.var());
                variables(member, found);
            }
        }
    }
}
