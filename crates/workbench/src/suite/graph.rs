//! What was explored for test cases, and the few short paths through it that cover all goals.
//!
//! Technique: breadth-first numbers give paths of least length; of the paths that cover a goal each, those that others make
//! needless are dropped, longer ones being kept first.
//! Invariant: every path was walked through by the judge.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use subject::{EventId, Happening};

use super::{Case, Suite, SuiteWanted};
use crate::replay::shown;
use crate::runnable::{Answer, Formula, Move, Place, Runnable, View};

/// The budget of the judge for one question.
const BUDGET: u64 = 2_000_000;

/// A place with how it is reached and what happens in it.
struct Node {
    place: Place,
    /// From where, by which of its moves.
    from: Option<(usize, usize)>,
    /// How many events lead here.
    depth: usize,
    moves: Vec<(Move, usize)>,
}

/// Something to cover: in a place, and by one of its moves if something has to happen.
pub(super) struct Goal {
    text: String,
    at: BTreeSet<(usize, Option<usize>)>,
}

/// What was explored.
pub(super) struct Graph {
    nodes: Vec<Node>,
    states: usize,
    complete: bool,
}

/// From a place to the nearest one in which a test may end: how many steps, and the move that leads there.
pub(super) type Ends = Vec<Option<(usize, Option<usize>)>>;

/// A path, as moves of places.
type Moves = Vec<(usize, usize)>;

/// What a path covers, and the path.
type Covering = (Vec<String>, Moves);

impl Graph {
    pub(super) fn explore(view: View<'_>, wanted: &SuiteWanted) -> Graph {
        let node = |place: Place, from: Option<(usize, usize)>, depth| Node {
            place,
            from,
            depth,
            moves: Vec::new(),
        };
        let mut graph = Graph {
            nodes: vec![node(Place::Root, None, 0)],
            states: 0,
            complete: true,
        };
        let mut known = BTreeMap::from([(Place::Root, 0)]);
        let mut at = 0;
        while at < graph.nodes.len() {
            let place = graph.nodes[at].place.clone();
            let depth = graph.nodes[at].depth;
            let is_deep = matches!(place, Place::State(_)) && depth >= wanted.max_depth;
            if is_deep || view.is_halted() {
                graph.complete = false;
                at += 1;
                continue;
            }
            let found = view.moves(&place);
            graph.complete &= found.faults.is_empty() && found.unknown.is_empty();
            for taken in found.moves {
                let is_event = matches!(taken.happening, Happening::Event(_));
                let to = match known.get(&taken.to) {
                    Some(to) => *to,
                    None => {
                        let is_state = matches!(taken.to, Place::State(_));
                        if is_state && graph.states >= wanted.max_states {
                            graph.complete = false;
                            continue;
                        }
                        graph.states += usize::from(is_state);
                        let to = graph.nodes.len();
                        known.insert(taken.to.clone(), to);
                        let from = Some((at, graph.nodes[at].moves.len()));
                        let depth = depth + usize::from(is_event);
                        graph.nodes.push(node(taken.to.clone(), from, depth));
                        to
                    }
                };
                graph.nodes[at].moves.push((taken, to));
            }
            at += 1;
        }
        graph
    }

    /// How every place leads to one in which a test may end.
    pub(super) fn ends(&self, view: View<'_>, end: Option<Formula>) -> Ends {
        let is_end = |node: &Node| match (end, &node.place) {
            (Some(end), Place::State(_)) => {
                matches!(view.eval(end, &node.place), Ok(Answer::Truth(true)))
            }
            (None, Place::State(_)) => true,
            _ => false,
        };
        let mut before: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for (number, (_, to)) in node.moves.iter().enumerate() {
                before[*to].push((at, number));
            }
        }
        let mut ends: Ends = vec![None; self.nodes.len()];
        let mut waiting = VecDeque::new();
        for (at, node) in self.nodes.iter().enumerate() {
            if is_end(node) {
                ends[at] = Some((0, None));
                waiting.push_back((at, 0));
            }
        }
        while let Some((at, distance)) = waiting.pop_front() {
            for (from, number) in &before[at] {
                if ends[*from].is_none() {
                    ends[*from] = Some((distance + 1, Some(*number)));
                    waiting.push_back((*from, distance + 1));
                }
            }
        }
        ends
    }

    /// Every event once.
    pub(super) fn events(&self, view: View<'_>, events: &[EventId]) -> Vec<Goal> {
        let goal = |event: &EventId| {
            let moves = self.nodes.iter().enumerate().flat_map(|(at, node)| {
                let moves = node.moves.iter().enumerate();
                let happens = moves.filter(|(_, (taken, _))| {
                    matches!(taken.happening, Happening::Event(known) if known == *event)
                });
                happens.map(move |(number, _)| (at, Some(number)))
            });
            moves.collect()
        };
        let goals = events.iter().map(|event| Goal {
            text: view.description().event(*event).name.to_string(),
            at: goal(event),
        });
        goals.collect()
    }

    /// Every conjunct of a guard alone false.
    pub(super) fn guards(&self, runnable: &mut Runnable, events: &[EventId]) -> Vec<Goal> {
        let names: Vec<String> = {
            let description = runnable.description();
            let names = events.iter().map(|event| description.event(*event).name);
            names.map(|name| name.to_string()).collect()
        };
        let (ground, wd) = (runnable.ground(), runnable.wd());
        let Some(mut observer) = runnable.subject_mut().observer(wd, BUDGET) else {
            return Vec::new();
        };
        let mut goals: BTreeMap<(usize, usize), Goal> = BTreeMap::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let Place::State(vector) = &node.place else {
                continue;
            };
            let before = observer.seen().guards;
            observer.look_at(&ground.values(vector));
            let after = observer.seen().guards;
            for (number, event) in events.iter().enumerate() {
                let Some(conjuncts) = after.get(event.index()) else {
                    continue;
                };
                for (place, conjunct) in conjuncts.iter().enumerate() {
                    if conjunct.is_typing {
                        continue;
                    }
                    let known = before.get(event.index()).and_then(|all| all.get(place));
                    let goal = goals.entry((number, place)).or_insert_with(|| Goal {
                        text: format!("{}: {} alone is false", names[number], conjunct.text),
                        at: BTreeSet::new(),
                    });
                    if known.is_none_or(|known| known.decides < conjunct.decides) {
                        goal.at.insert((at, None));
                    }
                }
            }
        }
        goals.into_values().collect()
    }

    /// The shortest paths for all goals.
    pub(super) fn suite(&self, view: View<'_>, goals: Vec<Goal>, ends: &Ends) -> Suite {
        let description = view.description();
        let mut uncovered = Vec::new();
        let mut found: Vec<(Goal, Moves)> = Vec::new();
        for goal in goals {
            let length = |(at, number): &(usize, Option<usize>)| {
                let last = number.map_or(*at, |number| self.nodes[*at].moves[number].1);
                ends[last].map(|(rest, _)| self.nodes[*at].depth + rest)
            };
            let places = goal.at.iter();
            let best = places.filter_map(|place| length(place).map(|length| (length, *place)));
            match best.min() {
                Some((_, place)) => found.push((goal, self.path(place, ends))),
                None => uncovered.push(goal.text),
            }
        }
        let mut cases = Vec::new();
        let covers = found.iter().map(|(_, path)| self.covered(path, &found));
        let covers: Vec<Vec<usize>> = covers.collect();
        for (covers, path) in few(&found, &covers) {
            let moves: Vec<Move> = path
                .iter()
                .map(|(at, number)| self.nodes[*at].moves[*number].0.clone())
                .collect();
            match walked(view, &moves) {
                Ok(()) => cases.push(Case {
                    covers,
                    path: shown(view, &moves).steps,
                }),
                Err(why) => {
                    uncovered.extend(covers.iter().map(|text| format!("{text} ({why})")));
                }
            }
        }
        Suite {
            model: description.name.clone(),
            states: self.states,
            complete: self.complete,
            cases,
            uncovered,
        }
    }

    /// The goals, by number, that a path covers.
    fn covered(&self, path: &Moves, goals: &[(Goal, Moves)]) -> Vec<usize> {
        let last = path
            .last()
            .map(|(at, number)| self.nodes[*at].moves[*number].1);
        let happens = path.iter().map(|(at, number)| (*at, Some(*number)));
        let visited = path.iter().map(|(at, _)| *at).chain(last);
        let met: Vec<_> = happens.chain(visited.map(|at| (at, None))).collect();
        let goals = goals.iter().enumerate();
        let covered = goals.filter(|(_, (goal, _))| met.iter().any(|what| goal.at.contains(what)));
        covered.map(|(number, _)| number).collect()
    }

    /// The moves to a place, from there by a move of its own if it has one, and on to an end.
    fn path(&self, (place, by): (usize, Option<usize>), ends: &Ends) -> Moves {
        let mut moves: Moves = by.map(|by| (place, by)).into_iter().collect();
        let mut at = place;
        while let Some((from, number)) = self.nodes[at].from {
            moves.insert(0, (from, number));
            at = from;
        }
        let mut at = by.map_or(place, |by| self.nodes[place].moves[by].1);
        while let Some((_, Some(number))) = ends[at] {
            moves.push((at, number));
            at = self.nodes[at].moves[number].1;
        }
        moves
    }
}

/// Of paths that each cover a goal, few that cover all of them, longer ones first: what happens on the way to one goal need not
/// be shown again. Each goal is told with the shortest path that covers it.
fn few(found: &[(Goal, Moves)], covers: &[Vec<usize>]) -> Vec<Covering> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(found[*at].1.len()));
    // How many of the kept paths cover each goal.
    let mut times = vec![0_usize; found.len()];
    let mut kept: Vec<usize> = Vec::new();
    for at in order {
        if times[at] == 0 {
            covers[at].iter().for_each(|goal| times[*goal] += 1);
            kept.push(at);
        }
    }
    // A later path may have made an earlier one needless.
    kept.retain(|at| {
        let is_needless = covers[*at].iter().all(|goal| times[*goal] > 1);
        if is_needless {
            covers[*at].iter().for_each(|goal| times[*goal] -= 1);
        }
        !is_needless
    });
    kept.sort_by_key(|at| (found[*at].1.len(), *at));
    let mut told = vec![false; found.len()];
    let mut cases = Vec::new();
    for at in kept {
        let new: Vec<usize> = covers[at]
            .iter()
            .copied()
            .filter(|goal| !told[*goal])
            .collect();
        new.iter().for_each(|goal| told[*goal] = true);
        let texts = new.iter().map(|goal| found[*goal].0.text.clone());
        cases.push((texts.collect(), found[at].1.clone()));
    }
    cases
}

/// Whether the judge walks along.
fn walked(view: View<'_>, moves: &[Move]) -> Result<(), String> {
    let mut judge = view.subject.judge(view.wd, BUDGET);
    let mut moment = judge.beginning();
    for taken in moves {
        let step = view.step(taken);
        let mut after = judge.after(&moment, &step);
        let checked = judge.check(&moment, &step, &mut after);
        checked
            .map_err(|fault| format!("a path was found but not confirmed: {}", fault.message))?;
        moment = after;
    }
    Ok(())
}
