//! Recognises formulas that cannot tell how often nothing happens, so that steps nobody looks at may come in any order.
//!
//! A *silent* position has a next one with the same atoms about states, no atom about an event, and every atom about rest.
//! Technique: by syntax. For each part: does it hold at a silent position if it holds at the next one (`up`), does it hold at
//! the next one if it holds at the silent one (`down`), is it always or never true at silent positions. An until whose
//! left side is always true there may wait for an event; one whose left side is about states may not (`p U [a]`: a silent
//! position before `a` needs `p`), unless it holds where the event happens as well. Past operators look at positions before and at their own.
//! Preserves: adding and removing silent positions changes the truth of no formula that is accepted (test: all small formulas
//! on all small words).
//! Differs: partial order reduction for formulas about states and events (Beneš et al. 2011) has operators of its own for this.

use crate::Ltl;

/// What an atom is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// States: a silent step does not change it.
    State,
    /// Something that does not happen at silent positions: an event, a change, the end of the word.
    Event,
    /// Something that is so at silent positions: a value does not change.
    Rest,
}

/// Why a formula can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// It has `X` or `Y`.
    Next,
    /// An atom about steps stands where the number of silent steps before it matters.
    Step,
}

/// Whether the truth of a formula does not depend on silent positions; otherwise why.
///
/// # Errors
/// When it does, or may.
pub fn ignores_silence(formula: &Ltl, kind: &dyn Fn(u32) -> Kind) -> Result<(), Counts> {
    let whole = part(formula, kind)?;
    match whole.up && whole.down {
        true => Ok(()),
        false => Err(Counts::Step),
    }
}

/// What is known of a part at silent positions.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// It holds there if it holds at the next position.
    up: bool,
    /// It holds at the next position if it holds there.
    down: bool,
    /// It always holds there.
    always: bool,
    /// It never does.
    never: bool,
}

const STATE: Known = Known {
    up: true,
    down: true,
    always: false,
    never: false,
};
const ALWAYS: Known = Known {
    up: true,
    down: false,
    always: true,
    never: false,
};

impl Known {
    fn not(self) -> Known {
        Known {
            up: self.down,
            down: self.up,
            always: self.never,
            never: self.always,
        }
    }

    fn and(self, other: Known) -> Known {
        let never = self.never || other.never;
        Known {
            up: self.up && other.up,
            down: never || self.down && other.down,
            always: self.always && other.always,
            never,
        }
    }

    /// `self U other`: truth at a silent position is truth at the next one. The left side must hold at a silent position
    /// before the place where the right one does: always, or because it holds there too, or because the right side does.
    fn until(self, other: Known, right_implies_left: bool) -> Option<Known> {
        let is_safe = self.always || self.up && (other.up || right_implies_left);
        (is_safe && other.down).then_some(STATE)
    }

    /// `self S other`: positions between are those before this one, and this one.
    fn since(self, other: Known) -> Option<Known> {
        (self.up && other.down).then_some(Known {
            up: other.up,
            down: self.down,
            ..STATE
        })
    }
}

fn part(formula: &Ltl, kind: &dyn Fn(u32) -> Kind) -> Result<Known, Counts> {
    let step = |known: Option<Known>| known.ok_or(Counts::Step);
    let both = |a: &Ltl, b: &Ltl| Ok::<_, Counts>((part(a, kind)?, part(b, kind)?));
    Ok(match formula {
        Ltl::True => Known {
            always: true,
            ..STATE
        },
        Ltl::False => Known {
            never: true,
            ..STATE
        },
        Ltl::Atom(atom) => match kind(*atom) {
            Kind::State => STATE,
            Kind::Event => ALWAYS.not(),
            Kind::Rest => ALWAYS,
        },
        Ltl::Not(a) => part(a, kind)?.not(),
        Ltl::And(all) => {
            let mut whole = part(&Ltl::True, kind)?;
            for one in all {
                whole = whole.and(part(one, kind)?);
            }
            whole
        }
        Ltl::Or(all) => {
            let mut none = part(&Ltl::True, kind)?;
            for one in all {
                none = none.and(part(one, kind)?.not());
            }
            none.not()
        }
        Ltl::Until(a, b) => {
            let implies_left = matches!(&**b, Ltl::And(all) if all.contains(a));
            let (a, b) = both(a, b)?;
            step(a.until(b, implies_left))?
        }
        Ltl::Release(a, b) => {
            let implies_left = matches!(&**b, Ltl::Or(all) if all.contains(a));
            let (a, b) = both(a, b)?;
            step(a.not().until(b.not(), implies_left))?.not()
        }
        Ltl::Since(a, b) => {
            let (a, b) = both(a, b)?;
            step(a.since(b))?
        }
        Ltl::Trigger(a, b) => {
            let (a, b) = both(a, b)?;
            step(a.not().since(b.not()))?.not()
        }
        Ltl::Next(_) | Ltl::Yesterday(_) => return Err(Counts::Next),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(atom: u32) -> Kind {
        [Kind::State, Kind::Event][atom as usize]
    }

    #[test]
    fn events_are_seen_where_silence_before_them_does_not_matter() {
        let (p, a) = (|| Ltl::Atom(0), || Ltl::Atom(1));
        let fine = [
            Ltl::globally(Ltl::implies(p(), Ltl::finally(a()))),
            Ltl::globally(Ltl::implies(a(), Ltl::once(p()))),
            Ltl::globally(Ltl::implies(a(), Ltl::finally(p()))),
            Ltl::globally(Ltl::implies(p(), Ltl::not(a()))),
            Ltl::until(Ltl::not(a()), p()),
            Ltl::weak_until(Ltl::not(a()), p()),
        ];
        for formula in fine {
            assert_eq!(ignores_silence(&formula, &kind), Ok(()), "{formula}");
        }
        let strange = [
            a(),
            Ltl::not(a()),
            Ltl::globally(Ltl::implies(p(), a())),
            Ltl::until(p(), a()),
            Ltl::globally(Ltl::implies(p(), Ltl::once(a()))),
        ];
        for formula in strange {
            let why = Err(Counts::Step);
            assert_eq!(ignores_silence(&formula, &kind), why, "{formula}");
        }
        let next = Ltl::globally(Ltl::next(p()));
        assert_eq!(ignores_silence(&next, &kind), Err(Counts::Next));
    }
}
