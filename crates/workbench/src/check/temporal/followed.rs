//! What is followed along the permutations of representatives: labels of steps, and the actors that take part in them.
//!
//! Invariant: actors are points of the action that moves them, by their numbers (`subject::Ground::each_actor`).

use pins::GroupId;
use reduce::symmetry::{Annotated, AnnotatedStep};
use search::liveness::Annotations;
use subject::Ground;

/// The annotated steps of a quotient with what its ground knows of them.
pub(super) struct Followed<'a> {
    pub(super) annotated: Annotated<'a>,
    pub(super) ground: &'a dyn Ground,
}

impl Annotations for Followed<'_> {
    fn steps(&self, state: &[u32]) -> Vec<AnnotatedStep> {
        self.annotated.steps(state)
    }

    fn permute_label(&self, group: GroupId, label: &[u32], images: &[u32]) -> (GroupId, Vec<u32>) {
        self.annotated.permute_label(group, label, images)
    }

    fn actors(&self, group: GroupId, label: &[u32]) -> Vec<u32> {
        let mut actors = Vec::new();
        self.ground
            .each_actor(group, label, &mut |who| actors.push(who as u32));
        actors.sort_unstable();
        actors.dedup();
        actors
    }

    fn permute_actor(&self, actor: u32, images: &[u32]) -> u32 {
        images[actor as usize]
    }
}
