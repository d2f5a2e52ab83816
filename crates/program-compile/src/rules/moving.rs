//! Where permutations move the words of a family, as tables: what permuting a state costs is looked up here.
//!
//! A family has one word, or one block of words, for each value of its indices. A position is split into the positions of its
//! indices; a point among them moves to the position of its image.

use program::{Program, Ty, TyId};

use super::layout::Layout;
use super::points::Points;

/// How the words of a family move.
#[derive(Clone, Debug)]
pub(crate) struct Moving {
    axes: Vec<Axis>,
    /// What happens to a word, where a cell is one.
    leaf: Leaf,
}

/// An index that permutations move.
#[derive(Clone, Debug)]
struct Axis {
    /// The point at each position, or [`NONE`].
    points: Box<[u32]>,
    /// The position of each point of the program, or [`NONE`].
    positions: Box<[u32]>,
}

/// What a cell holds.
#[derive(Clone, Debug)]
enum Leaf {
    /// A word without points.
    Fixed,
    /// A word that may be a point: the point of each word, and the word of each point.
    Point {
        points: Box<[u32]>,
        words: Box<[u32]>,
    },
    /// Several words.
    Block,
}

const NONE: u32 = u32::MAX;

impl Moving {
    /// The tables of a family with these indices and cells of this type.
    pub(crate) fn new(
        program: &Program,
        layout: &Layout,
        points: &Points,
        indices: &[TyId],
        leaf: TyId,
    ) -> Moving {
        let axis = |ty: &TyId| {
            let codes: Vec<i64> = layout.ty(*ty).values().collect();
            let of_position: Vec<u32> = codes
                .iter()
                .map(|code| points.point(*code).unwrap_or(NONE))
                .collect();
            Axis {
                positions: inverse(&of_position, points.count()),
                points: of_position.into(),
            }
        };
        Moving {
            axes: indices.iter().map(axis).collect(),
            leaf: match program.types.get(leaf) {
                Ty::Array { .. } | Ty::Record(_) | Ty::Multiset { .. } => Leaf::Block,
                Ty::Sort(_) | Ty::Union(_) if points.holds(program, leaf) => {
                    let ty = layout.ty(leaf);
                    let last = ty.values().last().map_or(0, |code| code - ty.bias);
                    let codes = (0..=last).map(|word| word + ty.bias);
                    let of_word: Vec<u32> = codes
                        .enumerate()
                        .map(|(word, code)| match word {
                            // Undefined.
                            0 => NONE,
                            _ => points.point(code).unwrap_or(NONE),
                        })
                        .collect();
                    Leaf::Point {
                        words: inverse(&of_word, points.count()),
                        points: of_word.into(),
                    }
                }
                _ => Leaf::Fixed,
            },
        }
    }

    /// Whether a cell is one word, so that [`Moving::word`] moves it.
    pub(crate) fn is_of_words(&self) -> bool {
        !matches!(self.leaf, Leaf::Block)
    }

    /// Whether a position has at most one index, so that finding its image is a look or two.
    pub(crate) fn is_flat(&self) -> bool {
        self.axes.len() <= 1
    }

    /// Whether there is no index at all.
    pub(crate) fn is_single(&self) -> bool {
        self.axes.is_empty()
    }

    /// The point at a position of the only index.
    pub(crate) fn point_at(&self, position: usize) -> Option<u32> {
        let axis = self.axes.first()?;
        axis.points.get(position).copied().filter(|p| *p != NONE)
    }

    /// The words that are points, ascending, with the points.
    pub(crate) fn values(&self) -> Vec<(u32, u32)> {
        match &self.leaf {
            Leaf::Point { points, .. } => {
                let words = (0..).zip(points.iter().copied());
                words.filter(|(_, point)| *point != NONE).collect()
            }
            Leaf::Fixed | Leaf::Block => Vec::new(),
        }
    }

    /// The position of a cell after an exchange.
    #[inline]
    pub(crate) fn position(&self, at: usize, permutation: &[u32]) -> usize {
        if let [axis] = &self.axes[..] {
            return axis.moved(at, permutation);
        }
        let (mut rest, mut image, mut scale) = (at, 0, 1);
        for axis in self.axes.iter().rev() {
            let count = axis.points.len();
            image += axis.moved(rest % count, permutation) * scale;
            rest /= count;
            scale *= count;
        }
        image
    }

    /// The word of a cell after an exchange.
    #[inline]
    pub(crate) fn word(&self, word: u32, permutation: &[u32]) -> u32 {
        match &self.leaf {
            Leaf::Point { points, words } => match points[word as usize] {
                NONE => word,
                point => words[permutation[point as usize] as usize],
            },
            Leaf::Fixed | Leaf::Block => word,
        }
    }
}

impl Axis {
    /// Where what stands at a position goes.
    #[inline]
    fn moved(&self, position: usize, permutation: &[u32]) -> usize {
        match self.points[position] {
            NONE => position,
            point => self.positions[permutation[point as usize] as usize] as usize,
        }
    }
}

/// For each point where it stands in a list.
fn inverse(list: &[u32], points: usize) -> Box<[u32]> {
    let mut found = vec![NONE; points];
    for (at, point) in list.iter().enumerate() {
        if *point != NONE {
            found[*point as usize] = at as u32;
        }
    }
    found.into()
}
