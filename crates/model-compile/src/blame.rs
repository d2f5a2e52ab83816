//! Says which values a fault was about, while somebody may still read it.
//!
//! A trap is eight bytes and carries no values. The first few applications that fail leave a text beside the
//! trap; a report shows the first fault of a kind only, and a finding is explained by the reference evaluator.
//! Invariant: nothing here runs unless an application has failed, and no text is made after the first few.

use model::TyId;

use crate::cx::Cx;
use crate::trap::{Cause, Trap};
use crate::value::V;

/// So many texts are made by a worker.
const TEXTS: u8 = 16;
/// Domains of so many elements are shown.
const SHORT: usize = 8;
/// Longer values are cut.
const WIDTH: usize = 60;

/// The text of the last fault that has one.
#[derive(Debug, Default)]
pub(crate) struct Blame {
    made: u8,
    last: Option<(Trap, String)>,
}

impl Cx<'_> {
    /// The trap of a failed application at a place.
    #[cold]
    pub(crate) fn blame(&mut self, trap: Trap, place: u32, ty: TyId, function: &V, x: &V) -> Trap {
        let new = matches!(trap, Trap::Fault { at: 0, .. });
        let trap = trap.at(place);
        let Trap::Fault { cause, .. } = trap else {
            return trap;
        };
        if !new || self.blame.made >= TEXTS {
            return trap;
        }
        let (left, _) = self.reps().sides(ty);
        let Some(x) = self.shown(left, x) else {
            return trap;
        };
        let text = match cause {
            Cause::OutsideDomain => match self.short_domain(ty, function) {
                Some(domain) => format!(", to {x}; the domain is {domain}"),
                None => format!(", to {x}"),
            },
            Cause::SeveralImages => format!(" for {x}"),
            _ => return trap,
        };
        self.blame.made += 1;
        self.blame.last = Some((trap, text));
        trap
    }

    /// What to add to the sentence of a trap.
    pub(crate) fn blamed(&self, trap: Trap) -> &str {
        match &self.blame.last {
            Some((last, text)) if *last == trap => text,
            _ => "",
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
