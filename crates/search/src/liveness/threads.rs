//! Fairness of every label on a quotient: labels are followed along the permutations of its steps.
//!
//! Papers: [Emerson, Sistla 1997], [Gyuris, Sistla 1999]: fairness under symmetry by threads of the annotated quotient. A label
//! of a representative is another label of the next one: the permuted one. Inside a strongly connected part the pairs of a node
//! and a label fall into *threads*, joined along edges; a path of the unreduced system that takes all edges of the part for ever
//! has each label run through a whole thread.
//! Weak fairness fails where a thread is enabled in all its nodes and never taken; strong fairness where it is enabled somewhere
//! and never taken: these nodes are removed and the rest is decomposed again (`fairness.rs`).
//! Invariant: edges act on labels as bijections, so threads of a strongly connected part do not depend on where one begins.

use reduce::symmetry::{Annotated, AnnotatedStep};
use rustc_hash::{FxHashMap, FxHashSet};

use super::product::{Move, Node};
use super::space::Space;
use pins::GroupId;

/// The steps of representatives with their permutations.
pub trait Annotations {
    /// All steps out of a representative.
    fn steps(&self, state: &[u32]) -> Vec<AnnotatedStep>;
    /// A label with its points exchanged.
    fn permute_label(&self, group: GroupId, label: &[u32], images: &[u32]) -> Vec<u32>;
}

impl Annotations for Annotated<'_> {
    fn steps(&self, state: &[u32]) -> Vec<AnnotatedStep> {
        Annotated::steps(self, state)
    }

    fn permute_label(&self, group: GroupId, label: &[u32], images: &[u32]) -> Vec<u32> {
        Annotated::permute_label(self, group, label, images)
    }
}

/// What is known of the steps between the states of a component.
pub(crate) struct Threads<'t> {
    annotated: &'t dyn Annotations,
    /// For a state, a label and a target, the permutations of steps that have them.
    steps: FxHashMap<(u32, u32, u32), Vec<u32>>,
    /// The permutations.
    images: Vec<Vec<u32>>,
    /// Labels by their numbers: the group of their name, and their words with that name before them.
    labels: Vec<(GroupId, Box<[u32]>)>,
}

/// Gives the edges of a node that stay in a part.
pub(crate) type Edges<'e> = dyn Fn(Node, &mut dyn FnMut(u32, &Move)) + 'e;

/// What the threads of a part say.
#[derive(Default)]
pub(crate) struct Judged {
    /// Whether some label is enabled for ever and never taken.
    pub(crate) starves: bool,
    /// Positions of nodes that enable a label which is never taken.
    pub(crate) hopeless: FxHashSet<u32>,
}

impl<'t> Threads<'t> {
    /// Asks for the steps of the states of a component.
    pub(crate) fn new(
        space: &mut Space<'_>,
        annotated: &'t dyn Annotations,
        nodes: &[Node],
    ) -> Threads<'t> {
        let mut states: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        for (state, _) in nodes {
            states.insert(space.load(*state), *state);
        }
        let numbers = space.stepper.label_numbers();
        let mut labels = vec![(GroupId::new(0), Box::default()); numbers.len()];
        for (words, number) in &numbers {
            let group = space.stepper.group_of_name(words[0]);
            labels[*number as usize] = (group, words.clone());
        }
        let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut steps: FxHashMap<(u32, u32, u32), Vec<u32>> = FxHashMap::default();
        for (vector, state) in &states {
            for step in annotated.steps(vector) {
                let Some(target) = states.get(&step.target) else {
                    continue;
                };
                let name = space.stepper.name_of_group(step.group);
                let words: Box<[u32]> = [&[name], &step.label[..]].concat().into();
                let number = numbers.get(&words);
                let label = *number.expect("the quotient has the labels of its representatives");
                let next = known.len() as u32;
                let images = *known.entry(step.images).or_insert(next);
                let all = steps.entry((*state, label, *target)).or_default();
                if !all.contains(&images) {
                    all.push(images);
                }
            }
        }
        let mut images = vec![Vec::new(); known.len()];
        for (permutation, at) in known {
            images[at as usize] = permutation;
        }
        Threads {
            annotated,
            steps,
            images,
            labels,
        }
    }

    /// Judges a part. `edges` gives the edges of a node that stay in it, `enabled` the labels that a state enables.
    pub(crate) fn judge(
        &self,
        nodes: &[Node],
        edges: &Edges<'_>,
        label_of: &dyn Fn(&Move) -> u32,
        enabled: &dyn Fn(u32) -> Vec<u32>,
    ) -> Judged {
        let mut pairs = Pairs {
            threads: self,
            labels: self.labels.clone(),
            numbers: FxHashMap::default(),
            moved: FxHashMap::default(),
            known: FxHashMap::default(),
            list: Vec::new(),
            leader: Vec::new(),
        };
        let labels = pairs.labels.iter().zip(0..);
        pairs.numbers = labels
            .map(|((_, words), number)| (words.clone(), number))
            .collect();
        let own: Vec<FxHashSet<u32>> = nodes
            .iter()
            .map(|(state, _)| enabled(*state).into_iter().collect())
            .collect();
        for (at, labels) in own.iter().enumerate() {
            for label in labels {
                pairs.number(at as u32, *label);
            }
        }
        let mut is_taken = Vec::new();
        let mut next = 0;
        while let Some((at, label)) = pairs.list.get(next).copied() {
            let (node, mut taken) = (nodes[at as usize], false);
            edges(node, &mut |target, step| {
                let own = label_of(step);
                taken |= own == label;
                let found = self.steps.get(&(node.0, own, step.target.0));
                for images in found.into_iter().flatten() {
                    let image = pairs.permuted(label, *images);
                    let other = pairs.number(target, image);
                    pairs.join(next as u32, other);
                }
            });
            is_taken.push(taken);
            next += 1;
        }
        pairs.sum(&own, &is_taken)
    }
}

/// Pairs of a node and a label, joined to threads.
struct Pairs<'p> {
    threads: &'p Threads<'p>,
    labels: Vec<(GroupId, Box<[u32]>)>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    /// Labels under permutations.
    moved: FxHashMap<(u32, u32), u32>,
    known: FxHashMap<(u32, u32), u32>,
    list: Vec<(u32, u32)>,
    leader: Vec<u32>,
}

impl Pairs<'_> {
    fn number(&mut self, node: u32, label: u32) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.known.entry((node, label)).or_insert(next);
        if number == next {
            self.list.push((node, label));
            self.leader.push(next);
        }
        number
    }

    fn permuted(&mut self, label: u32, images: u32) -> u32 {
        if let Some(known) = self.moved.get(&(label, images)) {
            return *known;
        }
        let (group, words) = &self.labels[label as usize];
        let permutation = &self.threads.images[images as usize];
        let annotated = self.threads.annotated;
        let own = annotated.permute_label(*group, &words[1..], permutation);
        let words: Box<[u32]> = [&words[..1], &own[..]].concat().into();
        let group = *group;
        let next = self.labels.len() as u32;
        let number = *self.numbers.entry(words.clone()).or_insert(next);
        if number == next {
            self.labels.push((group, words));
        }
        self.moved.insert((label, images), number);
        number
    }

    fn find(&mut self, mut pair: u32) -> u32 {
        while self.leader[pair as usize] != pair {
            let above = self.leader[self.leader[pair as usize] as usize];
            self.leader[pair as usize] = above;
            pair = above;
        }
        pair
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.leader[a.max(b) as usize] = a.min(b);
    }

    fn sum(mut self, enabled: &[FxHashSet<u32>], is_taken: &[bool]) -> Judged {
        let count = self.list.len();
        let (mut always, mut taken) = (vec![true; count], vec![false; count]);
        for (pair, is_taken) in is_taken.iter().enumerate() {
            let thread = self.find(pair as u32) as usize;
            let (node, label) = self.list[pair];
            always[thread] &= enabled[node as usize].contains(&label);
            taken[thread] |= is_taken;
        }
        let mut judged = Judged::default();
        for pair in 0..count {
            let thread = self.find(pair as u32) as usize;
            let (node, label) = self.list[pair];
            if !taken[thread] {
                judged.starves |= always[thread];
                if enabled[node as usize].contains(&label) {
                    judged.hopeless.insert(node);
                }
            }
        }
        judged
    }
}
