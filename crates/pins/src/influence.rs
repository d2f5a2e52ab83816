//! What may be asked about how groups influence each other: by somebody who knows relations only, of somebody who can solve.

/// A question about groups, guards and labels, by their positions in the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InfluenceQuestion {
    /// May both happen in one state?
    Together(usize, usize),
    /// May a step of the first lead from a state where the second does not happen to one where it does?
    Enable(usize, usize),
    /// The other way round.
    Disable(usize, usize),
    /// May the first change the outcomes of the second where both happen, or the second those of the first, or may two
    /// outcomes not commute?
    Disturb(usize, usize),
    /// May a step of the group make this guard of the shape true?
    Guard(usize, usize),
    /// May a step of the group make this label of the shape true, which it was not?
    LabelTrue(usize, usize),
    /// May a step of the group make this label of the shape false, which it was not?
    LabelFalse(usize, usize),
}

impl InfluenceQuestion {
    /// The two groups that it is about, in order, where the order says nothing else; `None` for one about a guard or a label.
    pub fn pair(self) -> Option<(usize, usize)> {
        match self {
            InfluenceQuestion::Together(a, b)
            | InfluenceQuestion::Enable(a, b)
            | InfluenceQuestion::Disable(a, b)
            | InfluenceQuestion::Disturb(a, b) => Some((a.min(b), a.max(b))),
            InfluenceQuestion::Guard(..)
            | InfluenceQuestion::LabelTrue(..)
            | InfluenceQuestion::LabelFalse(..) => None,
        }
    }
}
