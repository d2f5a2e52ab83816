//! Checks branching formulas (CTL) on sets of states: fixed points of images backwards.
//!
//! Technique: [Burch et al. 1992]. Least fixed points keep their rings, so that a witness is found step by step
//! towards the innermost one. At a deadlock paths end, as on the explicit graph ([`crate::branching`]).
//! An atom without a value is read both ways: each part has a set where it must hold and one where it may.
//! Invariant: the same verdicts as on the explicit graph.

mod evidence;

use ldd::{Halt, Node};
use pins::{Fault, GroupId, LabelId, System};

use super::config::Config;
use super::outcome::Outcome;
use super::run::{self, Run, Stopped};
use crate::branching::Ctl;
use crate::branching::evidence::Why;
use crate::explicit::{Checks, FindingKind, Monitor, Refused};
use crate::liveness::{self, Effort, Verdict};
use pins::{Event, PathStep};

/// What an atom is on sets of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetAtom {
    /// Whether all of these labels of the system hold.
    Labels(Vec<LabelId>),
    /// Whether one of these groups has a step.
    Enabled(Vec<GroupId>),
    /// Whether no group has one.
    Deadlock,
    /// About steps: whether one of these groups takes it.
    Taken(Vec<GroupId>),
}

/// Explores `system`, checks nothing but faults on the way, and then decides the formulas over these atoms.
///
/// # Errors
/// When threads cannot be started.
pub fn check_branching(
    system: &dyn System,
    config: &Config,
    formulas: &[Ctl],
    atoms: &[SetAtom],
    monitor: &dyn Monitor,
) -> Result<(Outcome, Vec<liveness::Outcome>), Refused> {
    let config = Config {
        checks: Checks::default(),
        ..config.clone()
    };
    let decide = |run: &mut Run<'_>, is_exhausted: bool| {
        if !is_exhausted || run.initial.is_empty() || !run.book.raws.is_empty() {
            return None;
        }
        let verdict = |formula| judge(run, formula, atoms);
        Some(formulas.iter().map(verdict).collect::<Vec<_>>())
    };
    let (outcome, verdicts) = run::explore_then(system, &config, monitor, decide)?;
    // What ended the search, or keeps it from proving anything, is the answer for every formula.
    let common = &outcome.common;
    let verdicts = match (verdicts, common.findings.first()) {
        (_, Some(finding)) if finding.kind == FindingKind::Setup => {
            let event = finding.event.unwrap_or(Event::Setup);
            vec![Verdict::NoInitialState(event); formulas.len()]
        }
        (_, Some(finding)) => {
            let fault = finding.fault.clone().unwrap_or_else(pins::Halt::fault);
            let fault = Verdict::Fault {
                fault,
                atom: None,
                event: finding.event,
                path: finding.path.clone(),
            };
            vec![fault; formulas.len()]
        }
        (Some(verdicts), None) if common.open.is_empty() => verdicts,
        _ => vec![Verdict::Open(common.open.clone()); formulas.len()],
    };
    let effort = Effort::default();
    let verdicts = verdicts.into_iter();
    let verdicts = verdicts.map(|verdict| liveness::Outcome { verdict, effort });
    let verdicts = verdicts.collect();
    Ok((outcome, verdicts))
}

fn judge(run: &mut Run<'_>, formula: &Ctl, atoms: &[SetAtom]) -> Verdict {
    let mut work = Work {
        parts: vec![Part::default(); formula.size()],
        dead: Node::EMPTY,
        kept: Vec::new(),
        run,
        atoms,
    };
    let answer = work.judge(formula);
    answer.unwrap_or_else(|Stopped| Verdict::Open(work.run.watcher.open().into_iter().collect()))
}

/// Where a part holds.
#[derive(Clone, Debug)]
struct Part {
    /// Whatever atoms without a value are.
    must: Node,
    /// For some truth of them.
    may: Node,
    /// Of an until: the states where it must hold by their distance to the second operand.
    rings: Vec<Node>,
}

impl Default for Part {
    fn default() -> Part {
        Part {
            must: Node::EMPTY,
            may: Node::EMPTY,
            rings: Vec::new(),
        }
    }
}

struct Work<'w, 'r> {
    run: &'w mut Run<'r>,
    atoms: &'w [SetAtom],
    parts: Vec<Part>,
    dead: Node,
    /// Sets under way, which must survive a collection.
    kept: Vec<Node>,
}

impl<'r> Work<'_, 'r> {
    fn judge(&mut self, formula: &Ctl) -> Result<Verdict, Stopped> {
        self.dead = self.run.visited;
        for group in 0..self.run.learner.groups.len() {
            let alive = self.enabled(group)?;
            let dead = self.dead;
            self.dead = self.ask(&[alive], |run| run.store.minus(dead, alive))?;
        }
        self.part(formula, 0)?;
        let (must, may) = (self.parts[0].must, self.parts[0].may);
        let wrong = self.ask(&[], |run| run.store.minus(run.initial, may))?;
        if let Some(state) = self.run.store.first(wrong) {
            return Ok(Verdict::Violated(self.evidence(formula, state, false)));
        }
        let unclear = self.ask(&[], |run| run.store.minus(run.initial, must))?;
        if !unclear.is_empty() {
            return self.undefined(formula);
        }
        let Some(first) = self.run.store.first(self.run.initial) else {
            return Ok(Verdict::Holds(None));
        };
        let why = Why::new(self, formula, first, true);
        Ok(Verdict::Holds(match why.is_telling() {
            true => Some(self.steps_of(why)),
            false => None,
        }))
    }

    /// Asks for something in the diagrams; all sets of the check are kept.
    fn ask<T>(
        &mut self,
        more: &[Node],
        ask: impl Fn(&Run<'r>) -> Result<T, Halt>,
    ) -> Result<T, Stopped> {
        let mut keep = self.keep();
        keep.extend_from_slice(more);
        self.run.attempt(&keep, ask)
    }

    /// All sets of the check.
    fn keep(&self) -> Vec<Node> {
        let mut keep = vec![self.dead];
        keep.extend_from_slice(&self.kept);
        for part in &self.parts {
            keep.extend([part.must, part.may]);
            keep.extend_from_slice(&part.rings);
        }
        keep
    }

    fn part(&mut self, formula: &Ctl, at: usize) -> Result<(), Stopped> {
        let parts = formula.numbered_parts(at);
        for (number, part) in &parts {
            self.part(part, *number)?;
        }
        let set = |work: &Self, part: usize, is_must: bool| match is_must {
            true => work.parts[part].must,
            false => work.parts[part].may,
        };
        for is_must in [true, false] {
            let visited = self.run.visited;
            let found = match formula {
                Ctl::True => visited,
                Ctl::False => Node::EMPTY,
                Ctl::Atom(atom) => self.atom(*atom as usize, is_must)?,
                Ctl::Not(_) => {
                    let part = set(self, at + 1, !is_must);
                    self.ask(&[], |run| run.store.minus(visited, part))?
                }
                Ctl::And(_) | Ctl::Or(_) => {
                    let is_and = matches!(formula, Ctl::And(_));
                    let mut all = if is_and { visited } else { Node::EMPTY };
                    for (number, _) in &parts {
                        let part = set(self, *number, is_must);
                        all = self.ask(&[all], |run| match is_and {
                            true => run.store.intersect(all, part),
                            false => run.store.union(all, part),
                        })?;
                    }
                    all
                }
                Ctl::ExistsNext(by, _) => {
                    let part = set(self, at + 1, is_must);
                    self.before(part, *by)?
                }
                Ctl::ExistsUntil(..) => {
                    let through = set(self, parts[0].0, is_must);
                    let goal = set(self, parts[1].0, is_must);
                    let rings = self.until(through, goal)?;
                    let (all, rings) = rings;
                    if is_must {
                        self.parts[at].rings = rings;
                    }
                    all
                }
                Ctl::ExistsGlobally(_) => {
                    let part = set(self, at + 1, is_must);
                    self.globally(part)?
                }
            };
            match is_must {
                true => self.parts[at].must = found,
                false => self.parts[at].may = found,
            }
        }
        Ok(())
    }

    /// The states where an atom holds.
    fn atom(&mut self, atom: usize, is_must: bool) -> Result<Node, Stopped> {
        let visited = self.run.visited;
        match &self.atoms[atom] {
            SetAtom::Deadlock => Ok(self.dead),
            SetAtom::Enabled(groups) => {
                let mut all = Node::EMPTY;
                for group in groups {
                    self.kept.push(all);
                    let more = self.enabled(group.index())?;
                    self.kept.pop();
                    all = self.ask(&[all, more], |run| run.store.union(all, more))?;
                }
                Ok(all)
            }
            // About steps: no state satisfies it.
            SetAtom::Taken(_) => Ok(Node::EMPTY),
            SetAtom::Labels(ids) => {
                let mut all = visited;
                for id in ids {
                    self.kept.push(all);
                    let at = self.label(*id)?;
                    self.kept.pop();
                    let (pattern, found, undefined) = self.run.labels.known(at);
                    all = self.ask(&[all], |run| {
                        let holds = run.store.matching(all, found, pattern)?;
                        if is_must {
                            return Ok(holds);
                        }
                        let unclear = run.store.matching(all, undefined, pattern)?;
                        run.store.union(holds, unclear)
                    })?;
                }
                Ok(all)
            }
        }
    }

    /// Asks a label about all states; its position among the labels of the run.
    fn label(&mut self, id: LabelId) -> Result<usize, Stopped> {
        let keep = self.keep();
        let run = &mut *self.run;
        let at = run.labels.add(id, run.shape, &run.order, &mut run.store);
        run.learn_label(at, run.visited, &keep)?;
        Ok(at)
    }

    /// The states in which a group has a step.
    fn enabled(&mut self, group: usize) -> Result<Node, Stopped> {
        let known = self.run.learner.state().learned[group].known;
        let visited = self.run.visited;
        self.ask(&[], |run| {
            let pattern = run.learner.groups[group].reads_whole;
            run.store.matching(visited, known.enabled, pattern)
        })
    }

    /// The states with a step into a set; the atom must hold of the step.
    fn before(&mut self, set: Node, by: Option<u32>) -> Result<Node, Stopped> {
        let visited = self.run.visited;
        let mut all = Node::EMPTY;
        for group in 0..self.run.learner.groups.len() {
            if !self.is_taken(GroupId::new(group), by) {
                continue;
            }
            let relation = self.run.learner.state().learned[group].known.relation;
            all = self.ask(&[set, all], |run| {
                let pattern = run.learner.groups[group].whole;
                let before = run.store.backward(set, relation, pattern, visited)?;
                run.store.union(all, before)
            })?;
        }
        Ok(all)
    }

    fn is_taken(&self, group: GroupId, by: Option<u32>) -> bool {
        by.is_none_or(|atom| match &self.atoms[atom as usize] {
            SetAtom::Taken(groups) => groups.contains(&group),
            _ => false,
        })
    }

    /// Backwards from the goal, ring by ring.
    fn until(&mut self, through: Node, goal: Node) -> Result<(Node, Vec<Node>), Stopped> {
        let mut rings = Vec::new();
        let (mut all, mut last) = (goal, goal);
        let kept = self.kept.len();
        while !last.is_empty() {
            rings.push(last);
            self.kept.truncate(kept);
            self.kept.extend([through, all]);
            self.kept.extend_from_slice(&rings);
            let before = self.before(last, None)?;
            last = self.ask(&[before], |run| {
                let inside = run.store.intersect(before, through)?;
                run.store.minus(inside, all)
            })?;
            all = self.ask(&[last], |run| run.store.union(all, last))?;
        }
        self.kept.truncate(kept);
        Ok((all, rings))
    }

    /// Keeps what has a successor in the set, or none at all.
    fn globally(&mut self, set: Node) -> Result<Node, Stopped> {
        let mut all = set;
        let kept = self.kept.len();
        loop {
            self.kept.truncate(kept);
            self.kept.push(all);
            let before = self.before(all, None)?;
            let dead = self.dead;
            let next = self.ask(&[before], |run| {
                let stays = run.store.union(before, dead)?;
                run.store.intersect(all, stays)
            })?;
            if next == all {
                self.kept.truncate(kept);
                return Ok(all);
            }
            all = next;
        }
    }

    /// A label that has no value in a state, and the way there.
    fn undefined(&mut self, formula: &Ctl) -> Result<Verdict, Stopped> {
        let mut todo = vec![formula];
        while let Some(part) = todo.pop() {
            todo.extend(part.parts());
            let Ctl::Atom(atom) = part else { continue };
            let SetAtom::Labels(ids) = &self.atoms[*atom as usize] else {
                continue;
            };
            for id in ids {
                if let Some((fault, path)) = self.undefined_label(*id)? {
                    return Ok(Verdict::Fault {
                        fault,
                        atom: Some(*atom),
                        event: None,
                        path,
                    });
                }
            }
        }
        Err(Stopped)
    }

    fn undefined_label(&mut self, id: LabelId) -> Result<Option<(Fault, Vec<PathStep>)>, Stopped> {
        let at = self.label(id)?;
        let (pattern, _, undefined) = self.run.labels.known(at);
        let visited = self.run.visited;
        let states = self.ask(&[], |run| run.store.matching(visited, undefined, pattern))?;
        let Some(state) = self.run.store.first(states) else {
            return Ok(None);
        };
        let single = self.ask(&[], |run| run.store.single(&state))?;
        let fault = self.run.labels.fault(at, &self.run.to_slots(&state));
        let path = self.run.path_to(single)?;
        Ok(fault.map(|fault| (fault, path)))
    }
}
