//! Formulas as they are written: the language that callers build and that the evaluator reads.

use std::fmt;

/// A formula over numbered atoms. Atoms about states and atoms about steps share one numbering.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ltl {
    /// Always true.
    True,
    /// Never true.
    False,
    /// The atom is in the letter.
    Atom(u32),
    /// Negation.
    Not(Box<Ltl>),
    /// All of them; an expanded quantifier is one wide node, not a deep one.
    And(Vec<Ltl>),
    /// One of them.
    Or(Vec<Ltl>),
    /// There is a next position, and it holds there.
    Next(Box<Ltl>),
    /// The second holds now or later, the first until then.
    Until(Box<Ltl>, Box<Ltl>),
    /// The second holds up to and including the first position where the first one does, or for ever.
    Release(Box<Ltl>, Box<Ltl>),
    /// There is a position before, and it held there.
    Yesterday(Box<Ltl>),
    /// The second held now or before, the first ever since.
    Since(Box<Ltl>, Box<Ltl>),
    /// The second has held since and including the last position where the first one did, or always.
    Trigger(Box<Ltl>, Box<Ltl>),
}

#[allow(
    clippy::should_implement_trait,
    reason = "constructors are named after the operators"
)]
impl Ltl {
    /// `not a`.
    pub fn not(a: Ltl) -> Ltl {
        Ltl::Not(Box::new(a))
    }

    /// `a & b`.
    pub fn and(a: Ltl, b: Ltl) -> Ltl {
        Ltl::And(vec![a, b])
    }

    /// `a or b`.
    pub fn or(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Or(vec![a, b])
    }

    /// `a => b`.
    pub fn implies(a: Ltl, b: Ltl) -> Ltl {
        Ltl::or(Ltl::not(a), b)
    }

    /// `a <=> b`.
    pub fn iff(a: Ltl, b: Ltl) -> Ltl {
        let both = Ltl::and(a.clone(), b.clone());
        Ltl::or(both, Ltl::and(Ltl::not(a), Ltl::not(b)))
    }

    /// `X a`.
    pub fn next(a: Ltl) -> Ltl {
        Ltl::Next(Box::new(a))
    }

    /// `a U b`.
    pub fn until(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Until(Box::new(a), Box::new(b))
    }

    /// `a R b`.
    pub fn release(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Release(Box::new(a), Box::new(b))
    }

    /// `a W b`: `b R (a or b)`.
    pub fn weak_until(a: Ltl, b: Ltl) -> Ltl {
        Ltl::release(b.clone(), Ltl::or(a, b))
    }

    /// `F a`.
    pub fn finally(a: Ltl) -> Ltl {
        Ltl::until(Ltl::True, a)
    }

    /// `G a`.
    pub fn globally(a: Ltl) -> Ltl {
        Ltl::release(Ltl::False, a)
    }

    /// `Y a`.
    pub fn yesterday(a: Ltl) -> Ltl {
        Ltl::Yesterday(Box::new(a))
    }

    /// `a S b`.
    pub fn since(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Since(Box::new(a), Box::new(b))
    }

    /// `a T b`.
    pub fn trigger(a: Ltl, b: Ltl) -> Ltl {
        Ltl::Trigger(Box::new(a), Box::new(b))
    }

    /// `O a`.
    pub fn once(a: Ltl) -> Ltl {
        Ltl::since(Ltl::True, a)
    }

    /// `H a`.
    pub fn historically(a: Ltl) -> Ltl {
        Ltl::trigger(Ltl::False, a)
    }

    /// Its direct parts.
    pub fn parts(&self) -> Vec<&Ltl> {
        match self {
            Ltl::True | Ltl::False | Ltl::Atom(_) => Vec::new(),
            Ltl::Not(a) | Ltl::Next(a) | Ltl::Yesterday(a) => vec![a],
            Ltl::And(all) | Ltl::Or(all) => all.iter().collect(),
            Ltl::Until(a, b) | Ltl::Release(a, b) | Ltl::Since(a, b) | Ltl::Trigger(a, b) => {
                vec![a, b]
            }
        }
    }

    /// How many operators and atoms it has.
    pub fn size(&self) -> usize {
        1 + self.parts().into_iter().map(Ltl::size).sum::<usize>()
    }

    /// One more than its largest atom.
    pub fn atoms(&self) -> u32 {
        let own = match self {
            Ltl::Atom(atom) => atom + 1,
            _ => 0,
        };
        let parts = self.parts().into_iter().map(Ltl::atoms);
        parts.fold(own, u32::max)
    }
}

impl fmt::Display for Ltl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, all: &[Ltl], operator: &str, none: &str| {
            if all.is_empty() {
                return f.write_str(none);
            }
            f.write_str("(")?;
            for (at, part) in all.iter().enumerate() {
                write!(f, "{}{part}", if at > 0 { operator } else { "" })?;
            }
            f.write_str(")")
        };
        match self {
            Ltl::True => f.write_str("true"),
            Ltl::False => f.write_str("false"),
            Ltl::Atom(atom) => write!(f, "p{atom}"),
            Ltl::Not(a) => write!(f, "not {a}"),
            Ltl::And(all) => list(f, all, " & ", "true"),
            Ltl::Or(all) => list(f, all, " or ", "false"),
            Ltl::Next(a) => write!(f, "X {a}"),
            Ltl::Until(a, b) if **a == Ltl::True => write!(f, "F {b}"),
            Ltl::Until(a, b) => write!(f, "({a} U {b})"),
            Ltl::Release(a, b) if **a == Ltl::False => write!(f, "G {b}"),
            Ltl::Release(a, b) => write!(f, "({a} R {b})"),
            Ltl::Yesterday(a) => write!(f, "Y {a}"),
            Ltl::Since(a, b) if **a == Ltl::True => write!(f, "O {b}"),
            Ltl::Since(a, b) => write!(f, "({a} S {b})"),
            Ltl::Trigger(a, b) if **a == Ltl::False => write!(f, "H {b}"),
            Ltl::Trigger(a, b) => write!(f, "({a} T {b})"),
        }
    }
}
