//! Where permutations take the edges of a program, so that steps can be followed and not only states.
//!
//! Technique: a permutation takes an edge to the one whose term is the permuted term. Equal edges of one location are taken in
//! their order. Edges of a row are taken to those of the row that its first edge is taken to, one by one.
//! Invariant: edges of locations that are not settled stay where they are; nothing is permuted there.

use canon::{Node, form_words};
use permgroup::Group;
use program::{EdgeId, ProctypeId, Program};
use rustc_hash::FxHashMap;

/// An edge that has a term.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) proctype: ProctypeId,
    /// The edges that the term is about, in order.
    pub(crate) edges: Vec<EdgeId>,
    /// The number of its term.
    pub(crate) root: usize,
}

/// For each generator of a group and each proctype the image of each edge; `None` where some edge is taken nowhere.
/// `generators` also move the functions that terms speak of.
pub(crate) fn images(
    program: &Program,
    group: &Group,
    (written, roots): (&[Written], &[&[Node]]),
    generators: &[Vec<u32>],
) -> Option<Vec<Vec<Vec<EdgeId>>>> {
    let points = group.points();
    let Some(all) = generators.first().map(Vec::len) else {
        return Some(Vec::new());
    };
    let blank = permgroup::identity(all);
    let term = |written: &Written, images: &[u32]| {
        let mut words = vec![written.proctype.index() as u32];
        form_words(roots[written.root], images, &mut words);
        words
    };
    let mut known: FxHashMap<Vec<u32>, Vec<usize>> = FxHashMap::default();
    for (at, own) in written.iter().enumerate() {
        known.entry(term(own, &blank)).or_default().push(at);
    }
    let all = group.generators().iter().map(|images| {
        let full = generators
            .iter()
            .find(|full| full[..points] == images[..])?;
        let kinds = program.proctypes.iter();
        let edges = kinds.map(|(_, kind)| kind.graph.edges.iter().map(|(id, _)| id).collect());
        let mut found: Vec<Vec<EdgeId>> = edges.collect();
        for alike in known.values() {
            let targets = known.get(&term(&written[alike[0]], full))?;
            for (from, to) in alike.iter().zip(targets) {
                let (from, to) = (&written[*from], &written[*to]);
                if from.edges.len() != to.edges.len() {
                    return None;
                }
                for (from_edge, to_edge) in from.edges.iter().zip(&to.edges) {
                    found[from.proctype.index()][from_edge.index()] = *to_edge;
                }
            }
        }
        Some(found)
    });
    all.collect()
}
