//! Where the symmetry of a program takes its groups: the edge of a process to an edge of another one; and what groups tell apart.
//!
//! Invariant: a group is named by its process, its edge and who takes what it offers; each of them is permuted by itself.

use program::{EdgeId, ProctypeId, Program};
use program_symmetry::Symmetry;
use rustc_hash::FxHashMap;

use super::groups::Start;
use super::layout::{at, control};

/// What tells groups apart.
type Site = (usize, ProctypeId, EdgeId, Option<(u32, u32)>);

/// For each generator the image of each group; none where that is not known.
pub(super) fn groups(starts: &[Start], symmetry: &Symmetry) -> Vec<Vec<u32>> {
    let site = |start: &Start| -> Site { (start.pid, start.proctype, start.edge, start.taker) };
    let numbers = starts.iter().map(site).zip(0..);
    let numbers: FxHashMap<Site, u32> = numbers.collect();
    let Some(edges) = &symmetry.edges else {
        return Vec::new();
    };
    let generators = symmetry.group.generators().iter().zip(edges);
    let all = generators.map(|(images, edges)| {
        let image = |start: &Start| {
            let pid = images[start.pid] as usize;
            let edge = edges[start.proctype.index()][start.edge.index()];
            let taker = start.taker.map(|taker| taken(taker, images, symmetry));
            numbers.get(&(pid, start.proctype, edge, taker)).copied()
        };
        let found: Option<Vec<u32>> = starts.iter().map(image).collect();
        found.filter(|images| permgroup::is_permutation(images))
    });
    let all: Option<Vec<Vec<u32>>> = all.collect();
    all.unwrap_or_default()
}

/// For each group what its steps tell apart, by edges; none where nothing is. The end of a process tells it from all others.
pub(super) fn told(
    program: &Program,
    starts: &[Start],
    symmetry: &Symmetry,
    told: &[Vec<Vec<u32>>],
) -> Vec<Vec<u32>> {
    let all = starts.iter().map(|start| {
        let own = told.get(start.proctype.index());
        let own = own.and_then(|edges| edges.get(start.edge.index()));
        let mut colours = own.cloned().unwrap_or_default();
        if start.is_death(program) && start.pid < symmetry.points.processes {
            let fresh = colours.iter().max().map_or(1, |most| most + 1);
            colours.resize(symmetry.points.count, 0);
            colours[start.pid] = fresh;
        }
        colours
    });
    let all: Vec<Vec<u32>> = all.collect();
    match all.iter().all(Vec::is_empty) {
        true => Vec::new(),
        false => all,
    }
}

/// The taker under a permutation; who is nobody stays so.
fn taken((pid, word): (u32, u32), images: &[u32], symmetry: &Symmetry) -> (u32, u32) {
    if pid as usize >= symmetry.points.processes {
        return (pid, word);
    }
    let (kind, location) = at(word);
    let locations = &symmetry.points.locations[kind];
    let image = locations[location].map(|point| images[point as usize]);
    let to = image.and_then(|image| locations.iter().position(|own| *own == Some(image)));
    let to = to.unwrap_or(location);
    (images[pid as usize], control(ProctypeId::new(kind), to))
}
