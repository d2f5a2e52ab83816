//! Relations of every pattern, forwards, backwards and saturated, against plain sets.

use std::collections::BTreeSet;
use std::sync::Mutex;

use ldd::{Alone, Halt, Node, PatternId, Progress, Relations, Role, Store};

const ROLES: [Role; 5] = [
    Role::Skip,
    Role::Read,
    Role::Write,
    Role::ReadWrite,
    Role::MayWrite,
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

/// A relation of a pattern: what is read (where it is), and what is written (where it is).
#[derive(Clone, Debug)]
struct Step {
    read: Vec<Option<u32>>,
    write: Vec<Option<u32>>,
}

impl Step {
    fn random(roles: &[Role], values: u64, random: &mut Random) -> Step {
        let mut value = |wanted: bool| wanted.then(|| random.below(values) as u32);
        let reads = |role: &Role| matches!(role, Role::Read | Role::ReadWrite);
        let read: Vec<_> = roles.iter().map(|role| value(reads(role))).collect();
        let write = roles.iter().map(|role| match role {
            Role::Write | Role::ReadWrite => value(true),
            Role::MayWrite => {
                let written = value(true);
                value(true).filter(|coin| coin % 2 == 0).and(written)
            }
            Role::Skip | Role::Read => None,
        });
        let write = write.collect();
        Step { read, write }
    }

    /// As the relation's diagram has it.
    fn vector(&self, roles: &[Role]) -> Vec<u32> {
        let mut vector = Vec::new();
        for (at, role) in roles.iter().enumerate() {
            match role {
                Role::Skip => {}
                Role::Read | Role::Write => vector.extend(self.read[at].or(self.write[at])),
                Role::ReadWrite => vector.extend(self.read[at].iter().chain(&self.write[at])),
                Role::MayWrite => match self.write[at] {
                    None => vector.push(0),
                    Some(value) => vector.extend([1, value]),
                },
            }
        }
        vector
    }

    fn apply(&self, vector: &[u32]) -> Option<Vec<u32>> {
        let fits = vector
            .iter()
            .zip(&self.read)
            .all(|(v, read)| read.is_none_or(|r| r == *v));
        let written = vector
            .iter()
            .zip(&self.write)
            .map(|(v, write)| write.unwrap_or(*v));
        fits.then(|| written.collect())
    }
}

fn all_patterns(levels: u32) -> Vec<Vec<Role>> {
    (0..5usize.pow(levels))
        .map(|n| (0..levels).map(|i| ROLES[n / 5usize.pow(i) % 5]).collect())
        .collect()
}

fn plain(store: &Store<'_>, set: Node) -> BTreeSet<Vec<u32>> {
    store.vectors(set).into_iter().collect()
}

fn random_set(levels: u32, values: u64, most: u64, random: &mut Random) -> Vec<Vec<u32>> {
    (0..random.below(most) + 1)
        .map(|_| (0..levels).map(|_| random.below(values) as u32).collect())
        .collect()
}

#[test]
fn forward_and_backward_are_those_of_plain_relations_for_every_pattern() {
    let mut random = Random(7);
    for threads in [1, 2] {
        let mut store = Store::new(1 << 30, threads).unwrap();
        for roles in all_patterns(3) {
            let pattern = store.pattern(&roles);
            for _ in 0..12 {
                let steps: Vec<Step> = (0..random.below(7))
                    .map(|_| Step::random(&roles, 3, &mut random))
                    .collect();
                let mut vectors: Vec<_> = steps.iter().map(|s| s.vector(&roles)).collect();
                let relation = store.from_vectors(&mut vectors).unwrap();
                let from = random_set(3, 3, 9, &mut random);
                let set = store.from_vectors(&mut from.clone()).unwrap();
                let mut expected = BTreeSet::new();
                for vector in &from {
                    expected.extend(steps.iter().filter_map(|step| step.apply(vector)));
                }
                let image = store.forward(set, relation, pattern).unwrap();
                assert_eq!(
                    plain(&store, image),
                    expected,
                    "{roles:?} {steps:?} {from:?}"
                );
                let within = random_set(3, 3, 20, &mut random);
                let within_node = store.from_vectors(&mut within.clone()).unwrap();
                let leads = |v: &&Vec<u32>| {
                    steps
                        .iter()
                        .any(|s| s.apply(v).is_some_and(|t| from.contains(&t)))
                };
                let expected: BTreeSet<_> = within.iter().filter(leads).cloned().collect();
                let found = store.backward(set, relation, pattern, within_node).unwrap();
                assert_eq!(
                    plain(&store, found),
                    expected,
                    "{roles:?} {steps:?} {from:?}"
                );
            }
        }
    }
}

/// Learns the steps whose reads were asked for.
struct Learned {
    depth: usize,
    by_level: Vec<Vec<usize>>,
    groups: Vec<(Vec<Role>, PatternId, PatternId, Vec<Step>)>,
    first: Vec<usize>,
    known: Mutex<Vec<Node>>,
}

impl Relations for Learned {
    fn depth(&self) -> usize {
        self.depth
    }

    fn groups(&self, level: usize) -> &[usize] {
        &self.by_level[level]
    }

    fn pattern(&self, group: usize) -> PatternId {
        self.groups[group].1
    }

    fn learn(&self, alone: Alone<'_>, group: usize, set: Node) -> Result<Node, Halt> {
        let mut known = self.known.lock().unwrap();
        let (roles, _, reads, steps) = &self.groups[group];
        let short = alone.project(set, *reads)?;
        let mut vectors = Vec::new();
        alone.store().for_each(short, &mut |short| {
            for step in steps {
                if step.read.iter().flatten().eq(short) {
                    vectors.push(step.vector(&roles[self.first[group]..]));
                }
            }
            true
        });
        let more = alone.from_vectors(&mut vectors)?;
        known[group] = alone.union(known[group], more)?;
        Ok(known[group])
    }

    fn relation(&self, group: usize) -> Node {
        self.known.lock().unwrap()[group]
    }
}

impl Step {
    /// The step without the levels before `first`.
    fn from(&self, first: usize) -> Step {
        Step {
            read: self.read[first..].to_vec(),
            write: self.write[first..].to_vec(),
        }
    }
}

#[test]
fn saturation_closes_as_naive_search_does() {
    let mut random = Random(11);
    for round in 0..400 {
        let mut store = Store::new(1 << 30, 1 + round % 2).unwrap();
        let depth = 4;
        let mut learned = Learned {
            depth,
            by_level: vec![Vec::new(); depth],
            groups: Vec::new(),
            first: Vec::new(),
            known: Mutex::new(Vec::new()),
        };
        let mut all_steps = Vec::new();
        for group in 0..4 {
            let roles: Vec<Role> = (0..depth)
                .map(|_| ROLES[(random.below(9) as usize).saturating_sub(4)])
                .collect();
            let first = roles.iter().position(|r| *r != Role::Skip).unwrap_or(0);
            let steps: Vec<Step> = (0..5)
                .map(|_| Step::random(&roles, 3, &mut random))
                .collect();
            let read = |role: &Role| match role {
                Role::Read | Role::ReadWrite => Role::Read,
                _ => Role::Skip,
            };
            let reads: Vec<Role> = roles[first..].iter().map(read).collect();
            let pattern = store.pattern(&roles[first..]);
            let reads = store.pattern(&reads);
            learned.by_level[first].push(group);
            learned.first.push(first);
            all_steps.extend(steps.clone());
            let steps = steps.iter().map(|step| step.from(first)).collect();
            learned
                .groups
                .push((roles[..].to_vec(), pattern, reads, steps));
            learned.known.lock().unwrap().push(Node::EMPTY);
        }
        for group in &mut learned.groups {
            // Vectors of the relation start at the first level.
            let first = group.0.iter().position(|r| *r != Role::Skip).unwrap_or(0);
            assert_eq!(group.3[0].read.len(), depth - first);
        }
        let start = random_set(depth as u32, 3, 3, &mut random);
        let mut closed: BTreeSet<Vec<u32>> = start.iter().cloned().collect();
        let mut todo = start.clone();
        while let Some(vector) = todo.pop() {
            for target in all_steps.iter().filter_map(|step| step.apply(&vector)) {
                if closed.insert(target.clone()) {
                    todo.push(target);
                }
            }
        }
        let set = store.from_vectors(&mut start.clone()).unwrap();
        let found = store.saturate(set, &learned, &Progress::default()).unwrap();
        assert_eq!(plain(&store, found), closed);
    }
}
