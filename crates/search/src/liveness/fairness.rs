//! Which cycles count: fairness decided on strongly connected parts, not by a larger formula.
//!
//! Weak fairness of a constraint asks a cycle to have a step at whose source it is not enabled, or one that takes it:
//! one more accepting set. Strong fairness asks for a step that takes it if it is enabled anywhere on the cycle: when
//! a part enables but never takes it, the states that enable it are removed and the rest is decomposed again
//! [Emerson, Lei 1987], [Lichtenstein, Pnueli 1985].
//! Differs: constraints on labels (`WEF`, `SEF`) are counted per part, so that thousands of labels cost nothing more; on a
//! quotient `threads.rs` follows them, and whoever takes part in steps.
//! Invariant: finite paths are fair.

use buchi::components;
use rustc_hash::{FxHashMap, FxHashSet};

use super::product::{Cursor, Machine, Move, Node, trouble};
use super::space::{Edge, Space, Trouble};
use super::threads::{Items, Judged, Threads};

/// A premise: which paths count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fairness {
    /// Enabled for ever from some point on, then taken infinitely often.
    pub weak: Vec<Constraint>,
    /// Enabled infinitely often, then taken infinitely often.
    pub strong: Vec<Constraint>,
    /// Whether each label of a step (event, arguments and results) is a weak constraint of its own.
    pub weak_labels: bool,
    /// Whether each label of a step is a strong constraint of its own.
    pub strong_labels: bool,
    /// Whether everybody who takes part in steps is a weak constraint of his own. Only on a quotient.
    pub weak_actors: bool,
    /// Whether everybody who takes part in steps is a strong constraint of his own. Only on a quotient.
    pub strong_actors: bool,
}

/// Something that is enabled in states and taken by steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Constraint {
    /// The atom about states.
    pub enabled: u32,
    /// The atom about steps.
    pub taken: u32,
}

impl Fairness {
    /// Whether accepting sets are enough.
    pub(crate) fn is_light(&self, sets: u32) -> bool {
        self.strong.is_empty() && !self.follows_items() && sets as usize + self.weak.len() <= 64
    }

    /// Whether labels of steps, or whoever takes part in them, are constraints of their own.
    pub(crate) fn follows_items(&self) -> bool {
        self.weak_labels || self.strong_labels || self.weak_actors || self.strong_actors
    }
}

/// What a cycle needs: the automaton's accepting sets and the premise.
pub(crate) struct Conditions<'f> {
    pub(crate) machine: &'f Machine,
    pub(crate) fairness: &'f Fairness,
}

impl Conditions<'_> {
    /// The accepting sets of an edge, weak constraints included. Only for light premises.
    #[inline]
    pub(crate) fn sets(&self, space: &Space<'_>, from: Node, taken: &Move) -> Result<u64, Trouble> {
        let mut sets = taken.accepting;
        let own = self.machine.all.count_ones();
        for (at, constraint) in self.fairness.weak.iter().enumerate() {
            if rests(space, from.0, taken.edge, *constraint)? {
                sets |= 1 << (own as usize + at);
            }
        }
        Ok(sets)
    }

    /// All accepting sets, weak constraints included. Only for light premises.
    pub(crate) fn all_sets(&self) -> u64 {
        let count = self.machine.all.count_ones() as usize + self.fairness.weak.len();
        if count == 64 {
            u64::MAX
        } else {
            (1 << count) - 1
        }
    }

    /// The threads of a component, where labels or actors count and the system is a quotient.
    pub(crate) fn threads<'s>(
        &self,
        space: &mut Space<'s>,
        component: &[Node],
    ) -> Option<Threads<'s>> {
        let follows = self.fairness.follows_items();
        let annotated = space.annotated.filter(|_| follows)?;
        Some(Threads::new(space, annotated, component))
    }

    /// A part of a strongly connected set of nodes, itself strongly connected, in which a cycle through all edges
    /// is accepted and fair.
    pub(crate) fn fair_part(
        &self,
        space: &Space<'_>,
        nodes: Vec<Node>,
        threads: Option<&Threads<'_>>,
    ) -> Result<Option<Vec<Node>>, Trouble> {
        let mut todo = vec![nodes];
        while let Some(nodes) = todo.pop() {
            let index = index(&nodes);
            let sum = self.sum(space, &nodes, &index, threads.is_none())?;
            if !sum.has_edge || !self.is_possible(&sum, nodes.len()) {
                continue;
            }
            let judged = threads.map(|threads| self.judge(space, threads, &nodes, &index));
            let Judged { starves, hopeless } = judged.unwrap_or_default();
            if starves {
                continue;
            }
            let bad = self.never_taken(&sum);
            if bad.is_empty() && hopeless.is_empty() {
                return Ok(Some(nodes));
            }
            let keeps = |(at, node): &(usize, Node)| {
                !hopeless.contains(&(*at as u32)) && !bad.are_enabled(space, node.0)
            };
            let rest = nodes.into_iter().enumerate().filter(keeps);
            let rest: Vec<Node> = rest.map(|(_, node)| node).collect();
            todo.extend(self.decompose(space, &rest));
        }
        Ok(None)
    }

    /// The strongly connected components of a set of nodes.
    fn decompose(&self, space: &Space<'_>, nodes: &[Node]) -> Vec<Vec<Node>> {
        let index = index(nodes);
        let (component, count) = components(nodes.len(), |at| {
            let mut targets = Vec::new();
            self.inside(space, nodes[at], &index, |target, _| targets.push(target));
            targets
        });
        let mut parts = vec![Vec::new(); count];
        for (at, node) in nodes.iter().enumerate() {
            parts[component[at] as usize].push(*node);
        }
        parts
    }

    /// The edges of a node that stay within a set. They were followed before, so every guard has a value.
    pub(super) fn inside(
        &self,
        space: &Space<'_>,
        node: Node,
        index: &FxHashMap<Node, u32>,
        mut each: impl FnMut(u32, &Move),
    ) {
        let mut cursor = Cursor::default();
        while let Ok(Some(step)) = self.machine.next(space, node, &mut cursor) {
            if let Some(target) = index.get(&step.target) {
                each(*target, &step);
            }
        }
    }

    /// What the threads say of a part: only strong constraints make nodes hopeless.
    fn judge(
        &self,
        space: &Space<'_>,
        threads: &Threads<'_>,
        nodes: &[Node],
        index: &FxHashMap<Node, u32>,
    ) -> Judged {
        let Fairness {
            weak_labels,
            strong_labels,
            weak_actors,
            strong_actors,
            ..
        } = *self.fairness;
        let mut both = Judged::default();
        for (items, weak, strong) in [
            (Items::Labels, weak_labels, strong_labels),
            (Items::Actors, weak_actors, strong_actors),
        ] {
            if !weak && !strong {
                continue;
            }
            let judged = threads.judge(
                items,
                nodes,
                &|node, each| self.inside(space, node, index, |target, step| each(target, step)),
                &|step| space.stepper.step_letters.label(step.edge.letter),
                &|state| labels_of(space, state).collect(),
            );
            both.starves |= judged.starves;
            both.hopeless
                .extend(judged.hopeless.into_iter().filter(|_| strong));
        }
        both
    }

    fn sum(
        &self,
        space: &Space<'_>,
        nodes: &[Node],
        index: &FxHashMap<Node, u32>,
        may_count: bool,
    ) -> Result<Sum, Trouble> {
        let Fairness { weak, strong, .. } = self.fairness;
        let has_labels = self.fairness.weak_labels || self.fairness.strong_labels;
        let counts_labels = has_labels && may_count;
        let labels = if counts_labels {
            space.stepper.labels()
        } else {
            0
        };
        let mut sum = Sum {
            has_edge: false,
            accepting: 0,
            rests: vec![false; weak.len()],
            enabled: vec![false; strong.len()],
            taken: vec![false; strong.len()],
            labels_enabled: vec![0; labels],
            labels_taken: vec![false; labels],
        };
        let mut own: Vec<u32> = Vec::new();
        for node in nodes {
            let mut trouble = Ok(());
            self.inside(space, *node, index, |_, step| {
                sum.has_edge = true;
                sum.accepting |= step.accepting;
                if trouble.is_ok() {
                    trouble = sum.add(space, self.fairness, *node, step);
                }
            });
            trouble?;
            if counts_labels {
                own.clear();
                own.extend(labels_of(space, node.0));
                own.sort_unstable();
                own.dedup();
                for label in &own {
                    sum.labels_enabled[*label as usize] += 1;
                }
            }
        }
        Ok(sum)
    }

    /// Whether no subset is needed for accepting sets and weak fairness; if they fail here they fail in each subset.
    fn is_possible(&self, sum: &Sum, count: usize) -> bool {
        let all = self.machine.all;
        let starves =
            |label: usize| sum.labels_enabled[label] as usize == count && !sum.labels_taken[label];
        sum.accepting & all == all
            && sum.rests.iter().all(|rests| *rests)
            && !(self.fairness.weak_labels && (0..sum.labels_taken.len()).any(starves))
    }

    fn never_taken(&self, sum: &Sum) -> NeverTaken {
        let strong = self.fairness.strong.iter().enumerate();
        let strong = strong.filter(|(at, _)| sum.enabled[*at] && !sum.taken[*at]);
        let mut labels = FxHashSet::default();
        if self.fairness.strong_labels {
            let all = 0..sum.labels_taken.len();
            let starved = all.filter(|at| sum.labels_enabled[*at] > 0 && !sum.labels_taken[*at]);
            labels.extend(starved.map(|at| at as u32));
        }
        NeverTaken {
            enabled: strong.map(|(_, constraint)| constraint.enabled).collect(),
            labels,
        }
    }

    /// Whether going round a loop for ever is accepted and fair.
    pub(crate) fn is_good(&self, space: &Space<'_>, round: &[(Node, Move)]) -> bool {
        let mut nodes: Vec<Node> = round.iter().map(|(node, _)| *node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let Fairness { weak, strong, .. } = self.fairness;
        let takes = |constraint: &Constraint| {
            let taken = |(_, step): &(Node, Move)| step_holds(space, step.edge, constraint.taken);
            round.iter().any(taken)
        };
        let enabled =
            |constraint: &Constraint, node: &Node| state_holds(space, node.0, constraint.enabled);
        let all = self.machine.all;
        let sets = round
            .iter()
            .fold(0, |sets, (_, step)| sets | step.accepting);
        let is_weak = |c: &Constraint| takes(c) || nodes.iter().any(|node| !enabled(c, node));
        let is_strong = |c: &Constraint| takes(c) || !nodes.iter().any(|node| enabled(c, node));
        if sets & all != all || !weak.iter().all(is_weak) || !strong.iter().all(is_strong) {
            return false;
        }
        if !self.fairness.weak_labels && !self.fairness.strong_labels {
            return true;
        }
        let label = |edge: Edge| space.stepper.step_letters.label(edge.letter);
        let taken: FxHashSet<u32> = round.iter().map(|(_, step)| label(step.edge)).collect();
        let mut count: FxHashMap<u32, usize> = FxHashMap::default();
        for node in &nodes {
            let own: FxHashSet<u32> = labels_of(space, node.0).collect();
            own.into_iter()
                .for_each(|label| *count.entry(label).or_default() += 1);
        }
        let needed = if self.fairness.strong_labels {
            1
        } else {
            nodes.len()
        };
        count
            .iter()
            .all(|(label, count)| *count < needed || taken.contains(label))
    }

    /// What a loop in a part has to pass so that it is accepted and fair.
    pub(crate) fn needs(&self, space: &Space<'_>, part: &[Node]) -> Vec<Need> {
        let sets = (0..self.machine.all.count_ones()).map(Need::Set);
        let weak = self
            .fairness
            .weak
            .iter()
            .map(|constraint| Need::Rest(*constraint));
        let enabled = |c: &&Constraint| {
            part.iter()
                .any(|node| state_holds(space, node.0, c.enabled))
        };
        let strong = self.fairness.strong.iter().filter(enabled);
        let strong = strong.map(|constraint| Need::Taken(constraint.taken));
        let mut needs: Vec<Need> = sets.chain(weak).chain(strong).collect();
        if self.fairness.weak_labels || self.fairness.strong_labels {
            let mut labels: Vec<u32> = Vec::new();
            for node in part {
                labels.extend(labels_of(space, node.0));
            }
            labels.sort_unstable();
            labels.dedup();
            needs.extend(
                labels
                    .into_iter()
                    .map(|label| match self.fairness.strong_labels {
                        true => Need::LabelTaken(label),
                        false => Need::LabelRests(label),
                    }),
            );
        }
        needs
    }
}

/// What a loop has to pass.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Need {
    Set(u32),
    Rest(Constraint),
    Taken(u32),
    Enabled(u32),
    LabelRests(u32),
    LabelTaken(u32),
}

impl Need {
    /// Whether an edge meets it.
    pub(crate) fn is_met(self, space: &Space<'_>, from: Node, step: &Move) -> bool {
        let label = space.stepper.step_letters.label(step.edge.letter);
        match self {
            Need::Set(set) => step.accepting >> set & 1 == 1,
            Need::Rest(c) => {
                !state_holds(space, from.0, c.enabled) || step_holds(space, step.edge, c.taken)
            }
            Need::Taken(atom) => step_holds(space, step.edge, atom),
            Need::Enabled(atom) => state_holds(space, from.0, atom),
            Need::LabelTaken(wanted) => label == wanted,
            Need::LabelRests(wanted) => {
                label == wanted || !labels_of(space, from.0).any(|label| label == wanted)
            }
        }
    }
}

/// What the edges of a part have together.
struct Sum {
    has_edge: bool,
    accepting: u64,
    /// For each weak constraint whether some edge meets it.
    rests: Vec<bool>,
    /// For each strong constraint whether a state enables it, and whether an edge takes it.
    enabled: Vec<bool>,
    taken: Vec<bool>,
    /// For each label how many nodes enable it, and whether an edge takes it.
    labels_enabled: Vec<u32>,
    labels_taken: Vec<bool>,
}

impl Sum {
    fn add(
        &mut self,
        space: &Space<'_>,
        fairness: &Fairness,
        from: Node,
        step: &Move,
    ) -> Result<(), Trouble> {
        for (at, constraint) in fairness.weak.iter().enumerate() {
            self.rests[at] |= rests(space, from.0, step.edge, *constraint)?;
        }
        for (at, constraint) in fairness.strong.iter().enumerate() {
            let (enabled, taken) = both(space, from.0, step.edge, *constraint)?;
            self.enabled[at] |= enabled;
            self.taken[at] |= taken;
        }
        let label = space.stepper.step_letters.label(step.edge.letter);
        if let Some(taken) = self.labels_taken.get_mut(label as usize) {
            *taken = true;
        }
        Ok(())
    }
}

/// Strong constraints and labels that a part enables and never takes.
struct NeverTaken {
    enabled: Vec<u32>,
    labels: FxHashSet<u32>,
}

impl NeverTaken {
    fn is_empty(&self) -> bool {
        self.enabled.is_empty() && self.labels.is_empty()
    }

    fn are_enabled(&self, space: &Space<'_>, state: u32) -> bool {
        self.enabled
            .iter()
            .any(|atom| state_holds(space, state, *atom))
            || (!self.labels.is_empty()
                && labels_of(space, state).any(|label| self.labels.contains(&label)))
    }
}

pub(super) fn index(nodes: &[Node]) -> FxHashMap<Node, u32> {
    nodes
        .iter()
        .enumerate()
        .map(|(at, node)| (*node, at as u32))
        .collect()
}

pub(super) fn labels_of(space: &Space<'_>, state: u32) -> impl Iterator<Item = u32> {
    let edges = space.edges(state).iter();
    edges.map(|edge| space.stepper.step_letters.label(edge.letter))
}

impl Constraint {
    /// Whether a step meets weak fairness: at its source the constraint is not enabled, or it takes it. An error is
    /// an atom without a value.
    pub(crate) fn rests(self, state: &[u64], step: &[u64]) -> Result<bool, u32> {
        Ok(!value(state, self.enabled)? || value(step, self.taken)?)
    }
}

/// The truth of an atom in a letter; an error when it has none.
fn value(letter: &[u64], atom: u32) -> Result<bool, u32> {
    let (word, bit) = (atom as usize / 64, atom % 64);
    match letter[letter.len() / 2 + word] >> bit & 1 {
        1 => Err(atom),
        _ => Ok(letter[word] >> bit & 1 == 1),
    }
}

fn rests(space: &Space<'_>, state: u32, edge: Edge, c: Constraint) -> Result<bool, Trouble> {
    let state_letter = space.stepper.state_letters.get(space.letter(state));
    let step_letter = space.stepper.step_letters.get(edge.letter);
    let answer = c.rests(state_letter, step_letter);
    answer.map_err(|atom| trouble(space, state, edge, atom))
}

/// Whether a constraint is enabled and whether it is taken; both must have values.
fn both(space: &Space<'_>, state: u32, edge: Edge, c: Constraint) -> Result<(bool, bool), Trouble> {
    let state_letter = space.stepper.state_letters.get(space.letter(state));
    let step_letter = space.stepper.step_letters.get(edge.letter);
    let enabled = value(state_letter, c.enabled);
    let taken = value(step_letter, c.taken);
    let no_value = |atom| trouble(space, state, edge, atom);
    Ok((enabled.map_err(no_value)?, taken.map_err(no_value)?))
}

fn state_holds(space: &Space<'_>, state: u32, atom: u32) -> bool {
    let letter = space.stepper.state_letters.get(space.letter(state));
    letter[atom as usize / 64] >> (atom % 64) & 1 == 1
}

fn step_holds(space: &Space<'_>, edge: Edge, atom: u32) -> bool {
    let letter = space.stepper.step_letters.get(edge.letter);
    letter[atom as usize / 64] >> (atom % 64) & 1 == 1
}
