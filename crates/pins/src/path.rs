//! A path of a system: what engines give, what reductions unfold, what is read back as values.

use crate::shape::GroupId;

/// What leads from one vector to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The choice of constants.
    Setup,
    /// The choice of an initial state.
    Initialisation,
    /// A step of a group.
    Group(GroupId),
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// What happened.
    pub event: Event,
    /// Arguments and results of a group's step.
    pub words: Vec<u32>,
    /// The vector after it.
    pub state: Vec<u32>,
}

/// A path from the beginning.
pub type Path = Vec<PathStep>;
