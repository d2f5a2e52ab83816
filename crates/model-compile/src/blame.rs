//! Says which values a fault was about.
//!
//! A trap is eight bytes and carries no values. An application that fails leaves its values beside the trap;
//! they are shown only when the trap becomes a fault for the outside.
//! Invariant: what is told of a fault depends on the fault alone, not on what failed before it; nothing here
//! runs unless an application has failed.

use model::TyId;

use crate::cx::Cx;
use crate::trap::{Cause, Trap};
use crate::value::V;

/// Domains of so many elements are shown.
const SHORT: usize = 8;
/// Longer values are cut.
const WIDTH: usize = 60;

/// What the last failed application was about.
#[derive(Debug, Default)]
pub(crate) struct Blame {
    last: Option<Failed>,
}

#[derive(Debug)]
struct Failed {
    trap: Trap,
    ty: TyId,
    function: V,
    argument: V,
}

impl Cx<'_> {
    /// The trap of a failed application at a place.
    #[cold]
    pub(crate) fn blame(&mut self, trap: Trap, place: u32, ty: TyId, function: &V, x: &V) -> Trap {
        let is_new = matches!(trap, Trap::Fault { at: 0, .. });
        let trap = trap.at(place);
        if is_new {
            self.blame.last = Some(Failed {
                trap,
                ty,
                function: function.clone(),
                argument: x.clone(),
            });
        }
        trap
    }

    /// What to add to the sentence of a trap.
    pub(crate) fn blamed(&self, trap: Trap) -> String {
        let last = self.blame.last.as_ref();
        last.filter(|failed| failed.trap == trap)
            .and_then(|failed| self.told(failed))
            .unwrap_or_default()
    }

    fn told(&self, failed: &Failed) -> Option<String> {
        let Trap::Fault { cause, .. } = failed.trap else {
            return None;
        };
        let (left, _) = self.reps().sides(failed.ty);
        let x = self.shown(left, &failed.argument)?;
        match cause {
            Cause::OutsideDomain => Some(match self.short_domain(failed.ty, &failed.function) {
                Some(domain) => format!(", to {x}; the domain is {domain}"),
                None => format!(", to {x}"),
            }),
            Cause::SeveralImages => Some(format!(" for {x}")),
            _ => None,
        }
    }

    fn shown(&self, ty: TyId, value: &V) -> Option<String> {
        let value = self.reps().to_value(ty, value)?;
        let text = value.show(&self.program.tys);
        if text.chars().count() <= WIDTH {
            return Some(text);
        }
        Some(text.chars().take(WIDTH - 3).chain("...".chars()).collect())
    }

    fn short_domain(&self, ty: TyId, function: &V) -> Option<String> {
        let reps = self.reps();
        let pair = reps.element(ty);
        let (left, _) = reps.sides(ty);
        let mut domain = Vec::new();
        for element in reps.listed(function)?.iter() {
            let x = reps.left(pair, element);
            if domain.last() != Some(&x) {
                domain.push(x);
            }
            if domain.len() > SHORT {
                return None;
            }
        }
        let mut shown = Vec::with_capacity(domain.len());
        for x in &domain {
            shown.push(self.shown(left, x)?);
        }
        let text = format!("{{{}}}", shown.join(","));
        (text.chars().count() <= WIDTH).then_some(text)
    }
}
