//! Fairness of every label, or of everybody who moves, on a quotient: they are followed along the permutations of its steps.
//!
//! Papers: [Emerson, Sistla 1997], [Gyuris, Sistla 1999]: fairness under symmetry by threads of the annotated quotient. A label
//! of a representative is another label of the next one: the permuted one. So is who takes part in a step, such as a process; both
//! are called *items* here. Inside a strongly connected part the pairs of a node and an item fall into *threads*, joined along edges; a path of the unreduced system that takes all edges of the part for ever
//! has each item run through a whole thread.
//! Weak fairness fails where a thread is enabled in all its nodes and never taken; strong fairness where it is enabled somewhere
//! and never taken: these nodes are removed and the rest is decomposed again (`fairness.rs`).
//! Invariant: edges act on items as bijections, so threads of a strongly connected part do not depend on where one begins.

use reduce::symmetry::AnnotatedStep;
use rustc_hash::{FxHashMap, FxHashSet};

use super::product::{Move, Node};
use super::space::Space;
use pins::GroupId;

/// The steps of representatives with their permutations.
pub trait Annotations {
    /// All steps out of a representative.
    fn steps(&self, state: &[u32]) -> Vec<AnnotatedStep>;
    /// The name of a step with its points exchanged.
    fn permute_label(&self, group: GroupId, label: &[u32], images: &[u32]) -> (GroupId, Vec<u32>);
    /// Who takes part in a step.
    fn actors(&self, group: GroupId, label: &[u32]) -> Vec<u32>;
    /// Who somebody is after points were exchanged.
    fn permute_actor(&self, actor: u32, images: &[u32]) -> u32;
    /// A state with its points exchanged.
    fn permute_state(&self, state: &[u32], images: &[u32]) -> Vec<u32>;
}

/// What is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Items {
    /// Labels of steps.
    Labels,
    /// Whoever takes part in steps.
    Actors,
}

/// What is known of the steps between the states of a component.
pub(crate) struct Threads<'t> {
    pub(super) annotated: &'t dyn Annotations,
    /// For a state, a label and a target, the permutations of steps that have them, with the group of one such step.
    steps: FxHashMap<(u32, u32, u32), Vec<(u32, GroupId)>>,
    /// The permutations.
    pub(super) images: Vec<Vec<u32>>,
    /// Labels by their numbers: the group of their name, and their words with that name before them.
    pub(super) labels: Vec<(GroupId, Box<[u32]>)>,
    /// For each label who takes part.
    actors: Vec<Vec<u32>>,
    /// For each group the number of its name.
    names: Vec<u32>,
}

/// Gives the edges of a node that stay in a part.
pub(crate) type Edges<'e> = dyn Fn(Node, &mut dyn FnMut(u32, &Move)) + 'e;

/// What the threads of a part say.
#[derive(Default)]
pub(crate) struct Judged {
    /// Whether some item is enabled for ever and never taken.
    pub(crate) starves: bool,
    /// Positions of nodes that enable an item which is never taken.
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
        let mut steps: FxHashMap<(u32, u32, u32), Vec<(u32, GroupId)>> = FxHashMap::default();
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
                if all.iter().all(|(known, _)| *known != images) {
                    all.push((images, step.group));
                }
            }
        }
        let mut images = vec![Vec::new(); known.len()];
        for (permutation, at) in known {
            images[at as usize] = permutation;
        }
        let actors = labels
            .iter()
            .map(|(group, words): &(GroupId, Box<[u32]>)| {
                annotated.actors(*group, words.get(1..).unwrap_or_default())
            })
            .collect();
        Threads {
            annotated,
            steps,
            images,
            labels,
            actors,
            names: space.stepper.names_of_groups().to_vec(),
        }
    }

    /// The permutations of steps from a state to another one with a label, each with the group of such a step.
    pub(super) fn between(&self, state: u32, label: u32, target: u32) -> &[(u32, GroupId)] {
        let found = self.steps.get(&(state, label, target));
        found.map_or(&[], Vec::as_slice)
    }

    /// The items that a step with a label takes.
    pub(super) fn items_of(&self, items: Items, label: u32) -> Vec<u32> {
        match items {
            Items::Labels => vec![label],
            Items::Actors => self.actors[label as usize].clone(),
        }
    }

    /// Whether a step with a label takes an item.
    pub(super) fn takes(&self, items: Items, label: u32, item: u32) -> bool {
        match items {
            Items::Labels => label == item,
            Items::Actors => self.actors[label as usize].contains(&item),
        }
    }

    /// Items of one kind, of which none is followed so far.
    pub(super) fn pairs(&self, items: Items) -> Pairs<'_> {
        let labels = self.labels.iter().zip(0..);
        Pairs {
            threads: self,
            items,
            labels: self.labels.clone(),
            numbers: labels
                .map(|((_, words), number)| (words.clone(), number))
                .collect(),
            moved: FxHashMap::default(),
            known: FxHashMap::default(),
            list: Vec::new(),
            leader: Vec::new(),
        }
    }

    /// Judges a part. `edges` gives the edges of a node that stay in it, `enabled` the labels that a state enables.
    pub(crate) fn judge(
        &self,
        items: Items,
        nodes: &[Node],
        edges: &Edges<'_>,
        label_of: &dyn Fn(&Move) -> u32,
        enabled: &dyn Fn(u32) -> Vec<u32>,
    ) -> Judged {
        let mut pairs = self.pairs(items);
        let of_label = |label: u32| self.items_of(items, label);
        let own: Vec<FxHashSet<u32>> = nodes
            .iter()
            .map(|(state, _)| enabled(*state).into_iter().flat_map(of_label).collect())
            .collect();
        for (at, items) in own.iter().enumerate() {
            for item in items {
                pairs.number(at as u32, *item);
            }
        }
        let mut is_taken = Vec::new();
        let mut next = 0;
        while let Some((at, item)) = pairs.list.get(next).copied() {
            let (node, mut taken) = (nodes[at as usize], false);
            edges(node, &mut |target, step| {
                let label = label_of(step);
                taken |= self.takes(items, label, item);
                for (images, _) in self.between(node.0, label, step.target.0) {
                    let image = pairs.permuted(item, *images);
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

/// Pairs of a node and an item, joined to threads.
pub(super) struct Pairs<'p> {
    threads: &'p Threads<'p>,
    items: Items,
    labels: Vec<(GroupId, Box<[u32]>)>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    /// Items under permutations.
    moved: FxHashMap<(u32, u32), u32>,
    known: FxHashMap<(u32, u32), u32>,
    list: Vec<(u32, u32)>,
    leader: Vec<u32>,
}

impl Pairs<'_> {
    fn number(&mut self, node: u32, item: u32) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.known.entry((node, item)).or_insert(next);
        if number == next {
            self.list.push((node, item));
            self.leader.push(next);
        }
        number
    }

    pub(super) fn permuted(&mut self, item: u32, images: u32) -> u32 {
        if let Some(known) = self.moved.get(&(item, images)) {
            return *known;
        }
        let permutation = &self.threads.images[images as usize];
        let number = match self.items {
            Items::Actors => self.threads.annotated.permute_actor(item, permutation),
            Items::Labels => self.permuted_label(item, permutation),
        };
        self.moved.insert((item, images), number);
        number
    }

    fn permuted_label(&mut self, label: u32, permutation: &[u32]) -> u32 {
        let (group, words) = &self.labels[label as usize];
        let annotated = self.threads.annotated;
        let (group, own) = annotated.permute_label(*group, &words[1..], permutation);
        let name = self.threads.names[group.index()];
        let words: Box<[u32]> = [&[name], &own[..]].concat().into();
        let next = self.labels.len() as u32;
        let number = *self.numbers.entry(words.clone()).or_insert(next);
        if number == next {
            self.labels.push((group, words));
        }
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
            let (node, item) = self.list[pair];
            always[thread] &= enabled[node as usize].contains(&item);
            taken[thread] |= is_taken;
        }
        let mut judged = Judged::default();
        for pair in 0..count {
            let thread = self.find(pair as u32) as usize;
            let (node, item) = self.list[pair];
            if !taken[thread] {
                judged.starves |= always[thread];
                if enabled[node as usize].contains(&item) {
                    judged.hopeless.insert(node);
                }
            }
        }
        judged
    }
}
