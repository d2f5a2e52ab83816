//! Points that can be exchanged with others, alone or in bundles: the part of the automorphisms that is cheap.
//!
//! Technique: a bundle is a point with all that holding it holds as well. Two bundles that begin with points of one
//! colour are exchanged member by member, all other points left alone; when that changes nothing for each of a
//! number of bundles and a first one, these bundles can be permuted freely. Twins are bundles of one.
//! Invariant: an exchange is noted only after the forms were compared; colours propose, never decide.
//! Invariant: a point is in at most one bundle, so exchanges of different kinds do not disturb each other.

use crate::form::Node;
use crate::refine::mix;
use crate::search::{Canon, HELD, Input, cells, forms_of};

/// Where a point stands among points that can be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bundles of one kind can be permuted freely.
    pub kind: u32,
    /// The number of the bundle in its kind.
    pub bundle: u32,
    /// The position in the bundle.
    pub at: u32,
}

/// What can be exchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exchanges {
    places: Vec<Option<Place>>,
    kinds: u32,
}

impl Exchanges {
    /// Nothing can be exchanged, of so many points.
    pub fn clear(&mut self, points: usize) {
        self.places.clear();
        self.places.resize(points, None);
        self.kinds = 0;
    }

    /// Whether nothing can be exchanged.
    pub fn is_empty(&self) -> bool {
        self.kinds == 0
    }

    /// The place of a point, if it can be exchanged.
    #[inline]
    pub fn place(&self, point: u32) -> Option<Place> {
        self.places[point as usize]
    }

    /// The exchanges of each bundle with the first of its kind, as permutations of so many points.
    pub(crate) fn swaps(&self, points: usize) -> Vec<Vec<u32>> {
        let mut bundles: std::collections::BTreeMap<(u32, u32), Vec<(u32, u32)>> =
            Default::default();
        for (point, place) in self.places.iter().enumerate() {
            if let Some(place) = place {
                let bundle = bundles.entry((place.kind, place.bundle)).or_default();
                bundle.push((place.at, point as u32));
            }
        }
        bundles
            .values_mut()
            .for_each(|bundle| bundle.sort_unstable());
        let others = bundles.iter().filter(|((_, number), _)| *number > 0);
        let swaps = others.map(|((kind, _), bundle)| {
            let mut images: Vec<u32> = (0..points as u32).collect();
            for ((_, a), (_, b)) in bundles[&(*kind, 0)].iter().zip(bundle) {
                images.swap(*a as usize, *b as usize);
            }
            images
        });
        swaps.collect()
    }

    /// Notes bundles of equal length that can be permuted freely.
    pub fn add<'b>(&mut self, bundles: impl IntoIterator<Item = &'b [u32]>) {
        for (bundle, points) in bundles.into_iter().enumerate() {
            for (at, point) in points.iter().enumerate() {
                self.places[*point as usize] = Some(Place {
                    kind: self.kinds,
                    bundle: bundle as u32,
                    at: at as u32,
                });
            }
        }
        self.kinds += 1;
    }
}

/// A point with what it holds, by the colours that these get.
struct Bundle {
    colours: Vec<u64>,
    points: Vec<u32>,
}

impl Canon {
    /// Adds bundles of points that have no place yet.
    pub fn bundles(&mut self, roots: &[&[Node]], classes: &[Vec<u32>], exchanges: &mut Exchanges) {
        let mut colours = vec![0; exchanges.places.len()];
        let input = Input::new(roots, classes, &mut colours);
        self.refiner.refine(roots, &input.points, &mut colours);
        self.bundle(&input, &colours, exchanges);
    }

    /// The same from stable colours.
    pub(crate) fn bundle(&mut self, input: &Input<'_>, colours: &[u64], exchanges: &mut Exchanges) {
        let roots = input.roots;
        let cells = cells(input, colours);
        let mut is_alone = vec![true; colours.len()];
        for cell in cells.iter().filter(|cell| cell.len() > 1) {
            cell.iter().for_each(|p| is_alone[*p as usize] = false);
        }
        let identity: Vec<u32> = (0..colours.len() as u32).collect();
        let mut known = None;
        for cell in &cells {
            let has_place = |point: &u32| exchanges.place(*point).is_some();
            if cell.len() < 2 || cell.iter().any(has_place) {
                continue;
            }
            let bundles = cell.iter().map(|point| {
                let mut held = colours.to_vec();
                held[*point as usize] = mix(held[*point as usize], HELD);
                self.refiner.refine(roots, &input.points, &mut held);
                let free =
                    |point: u32| !is_alone[point as usize] && exchanges.place(point).is_none();
                bundle(input, &held, free)
            });
            let mut bundles: Vec<Bundle> = bundles.collect();
            let known = known.get_or_insert_with(|| forms_of(roots, &identity));
            while bundles.len() > 1 {
                let first = bundles.remove(0);
                let mut alike = vec![first];
                bundles.retain_mut(|other| {
                    let first = &alike[0];
                    let is_alike = first.matches(other, input)
                        && alike.iter().all(|known| known.is_disjoint(other))
                        && forms_of(roots, &first.exchange(other, &identity)) == *known;
                    if is_alike {
                        let colours = std::mem::take(&mut other.colours);
                        let points = std::mem::take(&mut other.points);
                        alike.push(Bundle { colours, points });
                    }
                    !is_alike
                });
                if alike.len() > 1 {
                    exchanges.add(alike.iter().map(|bundle| bundle.points.as_slice()));
                }
                let is_free = |bundle: &Bundle| {
                    let mut points = bundle.points.iter();
                    points.all(|point| exchanges.place(*point).is_none())
                };
                bundles.retain(is_free);
            }
        }
    }
}

/// The points that were not alone and are now.
fn bundle(input: &Input<'_>, colours: &[u64], is_free: impl Fn(u32) -> bool) -> Bundle {
    let singles = cells(input, colours)
        .into_iter()
        .filter(|cell| cell.len() == 1)
        .map(|cell| cell[0])
        .filter(|point| is_free(*point));
    let points: Vec<u32> = singles.collect();
    Bundle {
        colours: points.iter().map(|p| colours[*p as usize]).collect(),
        points,
    }
}

impl Bundle {
    fn matches(&self, other: &Bundle, input: &Input<'_>) -> bool {
        let class = |point: &u32| input.class[*point as usize];
        self.colours == other.colours
            && self
                .points
                .iter()
                .map(class)
                .eq(other.points.iter().map(class))
    }

    fn is_disjoint(&self, other: &Bundle) -> bool {
        self.points
            .iter()
            .all(|point| !other.points.contains(point))
    }

    fn exchange(&self, other: &Bundle, identity: &[u32]) -> Vec<u32> {
        let mut images = identity.to_vec();
        for (a, b) in self.points.iter().zip(&other.points) {
            images[*a as usize] = *b;
            images[*b as usize] = *a;
        }
        images
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A set of pairs as a term.
    pub(crate) fn pairs(pairs: &[(u32, u32)]) -> Vec<Node> {
        let mut term = vec![Node::Set(pairs.len() as u32)];
        for (a, b) in pairs {
            term.extend([Node::Tuple(2), Node::Point(*a), Node::Point(*b)]);
        }
        term
    }

    #[test]
    fn the_ends_of_a_matching_are_exchanged_together() {
        // 0, 1, 2 are matched with 5, 4, 3.
        let term = pairs(&[(0, 5), (1, 4), (2, 3)]);
        let classes = [vec![0, 1, 2], vec![3, 4, 5]];
        let mut exchanges = Exchanges::default();
        exchanges.clear(6);
        Canon::new().bundles(&[&term], &classes, &mut exchanges);
        let places: Vec<Place> = (0..6).filter_map(|p| exchanges.place(p)).collect();
        assert_eq!(places.len(), 6);
        assert!(places.iter().all(|place| place.kind == places[0].kind));
        for (a, b) in [(0, 5), (1, 4), (2, 3)] {
            assert_eq!(places[a].bundle, places[b].bundle);
            assert_ne!(places[a].at, places[b].at);
        }
    }

    #[test]
    fn points_on_a_ring_are_in_no_bundles() {
        let term = pairs(&[(0, 1), (1, 2), (2, 3), (3, 0)]);
        let mut exchanges = Exchanges::default();
        exchanges.clear(4);
        Canon::new().bundles(&[&term], &[vec![0, 1, 2, 3]], &mut exchanges);
        assert!(exchanges.is_empty());
    }

    #[test]
    fn whatever_is_exchanged_changes_nothing() {
        // All sets of at most four pairs over two classes of three points.
        let all: Vec<(u32, u32)> = (0..3).flat_map(|a| (3..6).map(move |b| (a, b))).collect();
        let classes = [vec![0, 1, 2], vec![3, 4, 5]];
        for mask in 0u32..1 << all.len() {
            let chosen = all.iter().enumerate();
            let chosen = chosen
                .filter(|(at, _)| mask >> at & 1 == 1)
                .map(|(_, p)| *p);
            let term = pairs(&chosen.collect::<Vec<_>>());
            let mut exchanges = Exchanges::default();
            exchanges.clear(6);
            Canon::new().bundles(&[&term], &classes, &mut exchanges);
            let identity: Vec<u32> = (0..6).collect();
            for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
                let (Some(one), Some(other)) = (exchanges.place(a), exchanges.place(b)) else {
                    continue;
                };
                if one.kind != other.kind {
                    continue;
                }
                let images: Vec<u32> = (0..6)
                    .map(|point| {
                        let image = |place: Place| {
                            let bundle = match place.bundle {
                                bundle if bundle == one.bundle => other.bundle,
                                bundle if bundle == other.bundle => one.bundle,
                                bundle => bundle,
                            };
                            let place = Some(Place { bundle, ..place });
                            (0..6).find(|point| exchanges.place(*point) == place)
                        };
                        match exchanges.place(point) {
                            Some(place) if place.kind == one.kind => {
                                image(place).expect("bundles are equally long")
                            }
                            _ => point,
                        }
                    })
                    .collect();
                assert_eq!(
                    forms_of(&[&term], &images),
                    forms_of(&[&term], &identity),
                    "{term:?} {images:?}"
                );
            }
        }
    }
}
