//! Fairness of whoever moves by itself, such as processes: one constraint for each of them.
//!
//! Weak: who can take part in a step for ever does so again and again. Strong: who can again and again does.
//! On representatives there are no constraints by number: whoever moves is followed along permutations (`followed.rs`).
//! Invariant: the constraints are those of the ground that is searched, since it knows how many there may be.

use base::{Diagnostic, FileId, Span};
use search::liveness::{Constraint, Fairness};
use subject::Ground;

use super::atoms::{Asks, Atom, Atoms};
use super::lower::both;
use crate::check::Ended;
use crate::choice::Fair;
use crate::codes;

/// What is assumed of all paths; the atoms that it needs are added. On representatives there are none.
pub(super) fn premise(
    fair: Fair,
    ground: &dyn Ground,
    atoms: &mut Atoms,
    has_representatives: bool,
) -> Result<Option<Fairness>, Ended> {
    if fair == Fair::None {
        return Ok(None);
    }
    if ground.actors() == 0 {
        let why = format!("--fair {}: the model has no processes", fair.word());
        return Err(Diagnostic::global(&codes::MISFIT_OPTION, why).into());
    }
    if has_representatives {
        return Ok(Some(Fairness {
            weak_actors: fair == Fair::Weak,
            strong_actors: fair == Fair::Strong,
            ..Fairness::default()
        }));
    }
    let span = Span::new(FileId::new(0), 0, 0);
    let mut constraints = Vec::new();
    for actor in 0..ground.actors() {
        let mut add = |text: String, asks| atoms.add(Atom { text, span, asks });
        constraints.push(Constraint {
            enabled: add(format!("process {actor} can move"), Asks::CanMove(actor)),
            taken: add(format!("process {actor} moves"), Asks::Moves(actor)),
        });
    }
    let mut premise = Fairness::default();
    match fair {
        Fair::Strong => premise.strong = constraints,
        Fair::Weak | Fair::None => premise.weak = constraints,
    }
    Ok(Some(premise))
}

/// The alternatives that a formula assumes, each together with what is assumed of all paths.
pub(super) fn with(premise: Option<&Fairness>, own: &[Fairness]) -> Vec<Fairness> {
    match premise {
        None => own.to_vec(),
        Some(premise) if own.is_empty() => vec![premise.clone()],
        Some(premise) => own.iter().map(|own| both(own, premise)).collect(),
    }
}
