//! Permutations that change nothing, as generators.
//!
//! Technique: a search for the canonical labelling meets them anyway: leaves with equal forms, twins, and bundles that can be
//! exchanged. Together they generate all automorphisms, because a branch is left out only where one of them shows why.

use crate::form::Node;
use crate::search::{Canon, forms_of};

impl Canon {
    /// Generators of the permutations of `points` points that stay inside `classes` (each ascending) and change none of the
    /// terms. Each of them was compared term by term.
    pub fn automorphisms(
        &mut self,
        roots: &[&[Node]],
        classes: &[Vec<u32>],
        points: usize,
    ) -> Vec<Vec<u32>> {
        self.label(roots, classes, &vec![0; points]);
        let identity: Vec<u32> = (0..points as u32).collect();
        let mut all = self.found().to_vec();
        for (point, twin) in self.leaders().iter().enumerate() {
            if *twin != point as u32 {
                let mut images = identity.clone();
                images.swap(point, *twin as usize);
                all.push(images);
            }
        }
        all.extend(self.exchanges().swaps(points));
        let known = forms_of(roots, &identity);
        all.retain(|images| forms_of(roots, images) == known);
        all
    }
}

#[cfg(test)]
mod tests {
    use crate::bundles::tests::pairs;
    use crate::{Canon, Node};

    fn closure(points: usize, generators: &[Vec<u32>]) -> usize {
        let identity: Vec<u32> = (0..points as u32).collect();
        let mut all = std::collections::BTreeSet::from([identity.clone()]);
        let mut queue = vec![identity];
        while let Some(element) = queue.pop() {
            for generator in generators {
                let next: Vec<u32> = element.iter().map(|p| generator[*p as usize]).collect();
                if all.insert(next.clone()) {
                    queue.push(next);
                }
            }
        }
        all.len()
    }

    #[test]
    fn generators_generate_as_many_permutations_as_the_search_counts() {
        // All directed graphs on four points, and some on six in two classes.
        let edges: Vec<(u32, u32)> = (0..4)
            .flat_map(|a| (0..4).map(move |b| (a, b)))
            .filter(|(a, b)| a != b)
            .collect();
        for mask in 0u32..1 << edges.len() {
            let chosen = edges
                .iter()
                .enumerate()
                .filter(|(at, _)| mask >> at & 1 == 1);
            let term = pairs(&chosen.map(|(_, edge)| *edge).collect::<Vec<_>>());
            check(&term, &[vec![0, 1, 2, 3]], 4);
        }
        let edges: Vec<(u32, u32)> = (0..3).flat_map(|a| (3..6).map(move |b| (a, b))).collect();
        for mask in 0u32..1 << edges.len() {
            let chosen = edges
                .iter()
                .enumerate()
                .filter(|(at, _)| mask >> at & 1 == 1);
            let term = pairs(&chosen.map(|(_, edge)| *edge).collect::<Vec<_>>());
            check(&term, &[vec![0, 1, 2], vec![3, 4, 5]], 6);
        }
    }

    fn check(term: &[Node], classes: &[Vec<u32>], points: usize) {
        let mut canon = Canon::new();
        let counted = canon
            .label(&[term], classes, &vec![0; points])
            .automorphisms;
        let generators = canon.automorphisms(&[term], classes, points);
        assert_eq!(
            counted,
            Some(closure(points, &generators) as u128),
            "{term:?}"
        );
    }
}
