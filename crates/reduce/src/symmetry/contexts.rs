//! Where the points of one value stand: the contexts in which each of them is held.
//!
//! A value whose points stand alone (a point, a set of points, a function to points, a record of such) is the same as saying for
//! each point in which contexts it stands; proposition 2 of [Leuschel, Massart 2010] is about such values. Two points can then
//! be compared by their contexts, and that is one order for all of them.

use pins::permutations::{Shown, Tree};

/// What a value holds.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// No point.
    Nothing,
    /// Points, each with a context, in order.
    Points(Vec<(u32, Vec<u64>)>),
    /// Points that stand together, or something that cannot be shown.
    Hidden,
}

impl Held {
    /// The contexts of a point.
    pub(crate) fn contexts(held: &[(u32, Vec<u64>)], point: u32) -> Vec<&[u64]> {
        let own = held.iter().filter(|(other, _)| *other == point);
        own.map(|(_, context)| &context[..]).collect()
    }
}

/// Reads the contexts in a value.
pub(super) struct Contexts<'t>(pub(super) &'t Tree);

impl Contexts<'_> {
    /// What the value that was shown holds.
    pub(super) fn held(&self) -> Held {
        let mut found = Vec::new();
        let mut at = 0;
        if !self.outside(&mut at, &[], &mut found) {
            return Held::Hidden;
        }
        found.sort();
        match found.is_empty() {
            true => Held::Nothing,
            false => Held::Points(found),
        }
    }

    /// Contexts in a value that stands in no set; `false` when points stand together.
    fn outside(&self, at: &mut usize, way: &[u64], found: &mut Vec<(u32, Vec<u64>)>) -> bool {
        let node = &self.0.0[*at];
        *at += 1;
        match node {
            Shown::Atom(_) => true,
            Shown::Point(point) => {
                found.push((*point, way.to_vec()));
                true
            }
            Shown::Tuple(parts) => (0..*parts).all(|part| {
                let mut way = way.to_vec();
                way.push(part as u64);
                self.outside(at, &way, found)
            }),
            Shown::Set(parts) => (0..*parts).all(|_| {
                let mut points = Vec::new();
                let text = self.inside(at, &mut points);
                match points[..] {
                    [] => true,
                    [point] => {
                        let mut context = way.to_vec();
                        context.extend(text);
                        found.push((point, context));
                        true
                    }
                    _ => false,
                }
            }),
        }
    }

    /// A value as words with holes for its points.
    fn inside(&self, at: &mut usize, points: &mut Vec<u32>) -> Vec<u64> {
        let node = &self.0.0[*at];
        *at += 1;
        match node {
            Shown::Atom(words) => {
                let mut text = vec![1, words.len() as u64];
                text.extend(words);
                text
            }
            Shown::Point(point) => {
                points.push(*point);
                vec![2]
            }
            Shown::Tuple(parts) => {
                let mut text = vec![3, *parts as u64];
                (0..*parts).for_each(|_| text.extend(self.inside(at, points)));
                text
            }
            Shown::Set(parts) => {
                let mut all: Vec<Vec<u64>> = (0..*parts).map(|_| self.inside(at, points)).collect();
                all.sort();
                let mut text = vec![4, *parts as u64];
                text.extend(all.concat());
                text
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pins::View;

    use super::*;

    #[test]
    fn a_function_to_points_is_what_is_said_of_each() {
        let mut shown = Tree::default();
        shown.set(2);
        for (argument, point) in [(7, 1), (5, 0)] {
            shown.tuple(2);
            shown.atom(&[argument]);
            shown.point(point);
        }
        let Held::Points(held) = Contexts(&shown).held() else {
            panic!("its points stand alone");
        };
        assert_eq!(Held::contexts(&held, 0).len(), 1);
        assert_ne!(Held::contexts(&held, 0), Held::contexts(&held, 1));
    }

    #[test]
    fn points_that_stand_together_are_not_told_apart_by_contexts() {
        let mut shown = Tree::default();
        shown.set(1);
        shown.tuple(2);
        shown.point(0);
        shown.point(1);
        assert_eq!(Contexts(&shown).held(), Held::Hidden);
    }
}
