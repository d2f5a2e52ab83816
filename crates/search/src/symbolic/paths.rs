//! Finds the way to a state: backwards through levels, one step at a time.
//!
//! Breadth-first search leaves its levels behind. Chaining and saturation have none; then the states are searched
//! again level by level with the relations that were learned, which asks the system nothing.
//! Invariant: every step of a path is a step that the system gives for the state before it.

use ldd::Node;
use pins::{Flow, GroupId};
use rustc_hash::FxHashMap;

use super::run::{Run, Stopped};
use crate::explicit::{Finding, FindingKind};
use pins::{Event, PathStep};

/// What findings are ordered by: depth, kind, position among the states of one label, label.
type Rank = (u32, FindingKind, usize, usize);

/// Everything that was found, with paths: by depth, then kind, then one state for each label in turn.
pub(super) fn findings(run: &mut Run<'_>) -> Vec<Finding> {
    let raws = std::mem::take(&mut run.book.raws);
    let wanted = run.wanted();
    let mut found: Vec<(Rank, Option<Vec<u32>>)> = Vec::new();
    for (at, raw) in raws.iter().enumerate() {
        if raw.states.is_empty() {
            found.push(((0, raw.kind, 0, at), None));
            continue;
        }
        let level = match raw.depth {
            Some(depth) => Ok(depth as usize),
            None => run.level_of(raw.states, &raws),
        };
        let Ok(level) = level else { continue };
        let Ok(states) = run.attempt(&roots(&raws), |run| {
            run.store.intersect(raw.states, run.levels[level])
        }) else {
            continue;
        };
        let is_step = matches!(raw.event, Some(Event::Group(_)));
        let depth = level as u32 + u32::from(is_step);
        let mut round = 0;
        run.store.for_each(states, &mut |vector| {
            found.push(((depth, raw.kind, round, at), Some(vector.to_vec())));
            round += 1;
            round < wanted
        });
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.truncate(wanted);
    let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let mut findings = Vec::new();
    for ((depth, kind, _, at), vector) in found {
        let raw = &raws[at];
        let is_step = matches!(raw.event, Some(Event::Group(_)));
        let path = match &vector {
            None => raw.setup.map_or(Vec::new(), |setup| run.setup_step(setup)),
            Some(vector) => {
                let level = depth as usize - usize::from(is_step);
                match run.path(vector, level, &roots(&raws)) {
                    Ok(path) => path,
                    Err(Stopped) => continue,
                }
            }
        };
        let next = numbers.len() as u32;
        let number = vector.map(|vector| *numbers.entry(vector).or_insert(next));
        findings.push(Finding {
            kind,
            label: raw.label,
            event: raw.event,
            fault: raw.fault.clone(),
            state: number,
            depth,
            path,
        });
    }
    findings
}

fn roots(raws: &[super::checks::Raw]) -> Vec<Node> {
    raws.iter().map(|raw| raw.states).collect()
}

impl Run<'_> {
    /// The first level with one of these reached states.
    fn level_of(&mut self, states: Node, raws: &[super::checks::Raw]) -> Result<usize, Stopped> {
        let mut keep = roots(raws);
        keep.push(states);
        let mut at = 0;
        loop {
            if at == self.levels.len() {
                self.search_again(&keep)?;
            }
            let level = self.levels[at];
            let here = self.attempt(&keep, |run| run.store.intersect(states, level))?;
            if !here.is_empty() {
                return Ok(at);
            }
            at += 1;
        }
    }

    /// One more level, from relations that are known.
    fn search_again(&mut self, keep: &[Node]) -> Result<(), Stopped> {
        let last = self.levels.last().copied().unwrap_or(Node::EMPTY);
        let next = self.image_of(last, keep)?;
        let mut keep = keep.to_vec();
        keep.push(next);
        let next = self.representatives(next, &keep)?;
        keep.push(next);
        let next = self.attempt(&keep, |run| run.store.minus(next, run.searched))?;
        keep.push(next);
        self.searched = self.attempt(&keep, |run| run.store.union(run.searched, next))?;
        // A reached state lies in some level; an empty one would be searched for without end.
        if next.is_empty() {
            return Err(Stopped);
        }
        self.levels.push(next);
        Ok(())
    }

    /// The path to a state of a level: set-up (if there are set-ups), initialisation, steps.
    fn path(
        &mut self,
        vector: &[u32],
        level: usize,
        keep: &[Node],
    ) -> Result<Vec<PathStep>, Stopped> {
        if self.orbits.is_some() {
            return self.unfolded(vector, level, keep);
        }
        let mut steps = Vec::new();
        let mut state = vector.to_vec();
        for at in (0..level).rev() {
            let (group, before) = self.predecessor(&state, at, keep)?;
            steps.push(self.step(group, &before, &state).ok_or(Stopped)?);
            state = before;
        }
        let mut path = self.beginning(&self.to_slots(&state));
        steps.reverse();
        path.extend(steps);
        Ok(path)
    }

    /// Set-up (if there are set-ups) and initialisation of an initial state.
    pub(super) fn beginning(&self, first: &[u32]) -> Vec<PathStep> {
        let constants = self.shape.slots.iter().enumerate();
        let constants: Vec<usize> = constants
            .filter(|(_, slot)| slot.is_constant)
            .map(|(at, _)| at)
            .collect();
        let setup = self
            .book
            .setups
            .iter()
            .position(|setup| constants.iter().all(|slot| setup[*slot] == first[*slot]));
        let mut path = setup.map_or(Vec::new(), |setup| self.setup_step(setup));
        path.push(PathStep {
            event: Event::Initialisation,
            words: Vec::new(),
            state: first.to_vec(),
        });
        path
    }

    /// The path to a reached state.
    pub(super) fn path_to(&mut self, state: Node) -> Result<Vec<PathStep>, Stopped> {
        let level = self.level_of(state, &[])?;
        let Some(vector) = self.store.first(state) else {
            return Err(Stopped);
        };
        self.path(&vector, level, &[])
    }

    /// A state of a level with a step to `state`, and the group.
    pub(super) fn predecessor(
        &mut self,
        state: &[u32],
        level: usize,
        keep: &[Node],
    ) -> Result<(usize, Vec<u32>), Stopped> {
        for group in 0..self.learner.groups.len() {
            let relation = self.learner.state().learned[group].known.relation;
            let before = self.attempt(keep, |run| {
                let single = run.store.single(state)?;
                let pattern = run.learner.groups[group].whole;
                let within = run.levels[level];
                run.store.backward(single, relation, pattern, within)
            })?;
            if let Some(before) = self.store.first(before) {
                return Ok((group, before));
            }
        }
        Err(Stopped)
    }

    fn step(&self, group: usize, from: &[u32], to: &[u32]) -> Option<PathStep> {
        let (from, state) = (self.to_slots(from), self.to_slots(to));
        let id = self.learner.groups[group].id;
        Some(PathStep {
            event: Event::Group(id),
            words: self.words_between(&from, &state, id)?,
            state,
        })
    }

    /// The words of a step of a group from one state to another.
    pub(super) fn words_between(&self, from: &[u32], to: &[u32], id: GroupId) -> Option<Vec<u32>> {
        let mut found = None;
        // A fault after the step does not matter here.
        let _ = self
            .learner
            .state()
            .worker
            .successors(from, id, &mut |step| {
                if step.target != to {
                    return Flow::Continue;
                }
                found = Some(step.label.to_vec());
                Flow::Stop
            });
        found
    }

    fn setup_step(&self, setup: usize) -> Vec<PathStep> {
        if !self.shape.has_setup {
            return Vec::new();
        }
        vec![PathStep {
            event: Event::Setup,
            words: Vec::new(),
            state: self.book.setups[setup].clone(),
        }]
    }
}
