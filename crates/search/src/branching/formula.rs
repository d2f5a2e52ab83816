//! Branching formulas over the same atoms as linear ones.

/// A formula about states and the paths that begin there. The other operators are made of these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ctl {
    /// Everywhere.
    True,
    /// Nowhere.
    False,
    /// The atom holds in the state.
    Atom(u32),
    /// Negation.
    Not(Box<Ctl>),
    /// All of them.
    And(Vec<Ctl>),
    /// One of them.
    Or(Vec<Ctl>),
    /// Some step leads to a state where it holds; only steps that satisfy the atom count when there is one.
    ExistsNext(Option<u32>, Box<Ctl>),
    /// On some path the second holds now or later, and the first until then.
    ExistsUntil(Box<Ctl>, Box<Ctl>),
    /// On some path, which ends only at a deadlock, it holds everywhere.
    ExistsGlobally(Box<Ctl>),
}

#[allow(
    clippy::should_implement_trait,
    reason = "constructors are named after the operators"
)]
impl Ctl {
    /// `not a`.
    pub fn not(a: Ctl) -> Ctl {
        Ctl::Not(Box::new(a))
    }

    /// `a & b`.
    pub fn and(a: Ctl, b: Ctl) -> Ctl {
        Ctl::And(vec![a, b])
    }

    /// `a or b`.
    pub fn or(a: Ctl, b: Ctl) -> Ctl {
        Ctl::Or(vec![a, b])
    }

    /// `a => b`.
    pub fn implies(a: Ctl, b: Ctl) -> Ctl {
        Ctl::or(Ctl::not(a), b)
    }

    /// `EX a`.
    pub fn ex(a: Ctl) -> Ctl {
        Ctl::ExistsNext(None, Box::new(a))
    }

    /// `EX [step] a`.
    pub fn ex_by(step: u32, a: Ctl) -> Ctl {
        Ctl::ExistsNext(Some(step), Box::new(a))
    }

    /// `E a U b`.
    pub fn eu(a: Ctl, b: Ctl) -> Ctl {
        Ctl::ExistsUntil(Box::new(a), Box::new(b))
    }

    /// `EG a`.
    pub fn eg(a: Ctl) -> Ctl {
        Ctl::ExistsGlobally(Box::new(a))
    }

    /// `EF a`.
    pub fn ef(a: Ctl) -> Ctl {
        Ctl::eu(Ctl::True, a)
    }

    /// `AX a`: true at a deadlock.
    pub fn ax(a: Ctl) -> Ctl {
        Ctl::not(Ctl::ex(Ctl::not(a)))
    }

    /// `AG a`.
    pub fn ag(a: Ctl) -> Ctl {
        Ctl::not(Ctl::ef(Ctl::not(a)))
    }

    /// `AF a`: false at a deadlock where `a` is.
    pub fn af(a: Ctl) -> Ctl {
        Ctl::not(Ctl::eg(Ctl::not(a)))
    }

    /// Its direct parts.
    pub fn parts(&self) -> Vec<&Ctl> {
        match self {
            Ctl::True | Ctl::False | Ctl::Atom(_) => Vec::new(),
            Ctl::Not(a) | Ctl::ExistsNext(_, a) | Ctl::ExistsGlobally(a) => vec![a],
            Ctl::And(all) | Ctl::Or(all) => all.iter().collect(),
            Ctl::ExistsUntil(a, b) => vec![a, b],
        }
    }

    /// How many parts it has, itself included.
    pub fn size(&self) -> usize {
        1 + self.parts().into_iter().map(Ctl::size).sum::<usize>()
    }

    /// The direct parts of the part numbered `at`, with their numbers.
    pub(crate) fn numbered_parts(&self, at: usize) -> Vec<(usize, &Ctl)> {
        let mut next = at + 1;
        let number = |part| {
            let number = next;
            next += Ctl::size(part);
            (number, part)
        };
        self.parts().into_iter().map(number).collect()
    }
}
