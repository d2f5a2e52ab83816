//! Measures breadth-first search in diagrams alone: 10 tokens move around a ring of 16 places (3,268,760 states).
//!
//! `cargo bench -p ldd` prints the time, the nodes and the garbage collections; the budget is 64 MB.

use std::time::Instant;

use ldd::{Halt, Node, PatternId, Role, Store};

const PLACES: usize = 16;
const TOKENS: u32 = 10;

fn main() {
    let threads = std::env::args()
        .filter_map(|arg| arg.parse().ok())
        .next()
        .unwrap_or(1);
    let start = Instant::now();
    let mut store = Store::new(64 << 20, threads).expect("threads start");
    let groups: Vec<(PatternId, Vec<Vec<u32>>)> =
        (0..PLACES).map(|place| group(&mut store, place)).collect();
    let mut first = vec![0; PLACES];
    first[0] = TOKENS;
    let mut roots = vec![attempt(&mut store, &[], |s| s.single(&first))];
    for (_, vectors) in groups.iter() {
        let relation = attempt(&mut store, &roots, |s| s.from_vectors(&mut vectors.clone()));
        roots.push(relation);
    }
    // The roots are: visited, then the relations, then what the current step needs.
    let mut frontier = roots[0];
    let mut levels = 0;
    while !frontier.is_empty() {
        levels += 1;
        let mut next = Node::EMPTY;
        for (at, (pattern, _)) in groups.iter().enumerate() {
            let mut live = roots.clone();
            live.extend([frontier, next]);
            let relation = roots[at + 1];
            next = attempt(&mut store, &live, |s| {
                s.union(next, s.forward(frontier, relation, *pattern)?)
            });
        }
        let mut live = roots.clone();
        live.push(next);
        let visited = roots[0];
        (frontier, roots[0]) = attempt(&mut store, &live, |s| {
            let frontier = s.minus(next, visited)?;
            Ok((frontier, s.union(visited, frontier)?))
        });
    }
    let statistics = store.statistics();
    println!(
        "{} states in {levels} levels, {} nodes, peak {} nodes, {} bytes, {} collections, {:.3} s",
        store.count(roots[0]),
        store.size(roots[0]),
        statistics.peak_nodes,
        statistics.peak_bytes,
        statistics.collections,
        start.elapsed().as_secs_f64()
    );
}

/// One token moves from `place` to the next place.
fn group(store: &mut Store<'_>, place: usize) -> (PatternId, Vec<Vec<u32>>) {
    let next = (place + 1) % PLACES;
    let role = |slot| match slot == place || slot == next {
        true => Role::ReadWrite,
        false => Role::Skip,
    };
    let roles: Vec<Role> = (0..PLACES).map(role).collect();
    let mut vectors = Vec::new();
    for here in 1..=TOKENS {
        for there in 0..=TOKENS - here {
            vectors.push(match place < next {
                true => vec![here, here - 1, there, there + 1],
                false => vec![there, there + 1, here, here - 1],
            });
        }
    }
    (store.pattern(&roles), vectors)
}

/// Asks, makes room and asks again.
fn attempt<T>(
    store: &mut Store<'_>,
    roots: &[Node],
    ask: impl Fn(&Store<'_>) -> Result<T, Halt>,
) -> T {
    loop {
        match ask(store) {
            Ok(done) => return done,
            Err(_) => store.make_room(roots).expect("the budget suffices"),
        }
    }
}
