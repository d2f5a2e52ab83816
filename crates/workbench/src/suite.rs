//! Test cases: short paths that together make every event happen, or show what every guard forbids.
//!
//! Technique: the states are explored breadth-first as far as a limit allows and kept with what happens in them; each
//! thing to cover gets a path of least length to it, and from there to the nearest state in which a test may end. A path
//! is left out where others, longer ones first, cover all that it does.
//! Differs from ProB's `-mcm_tests`: conjuncts of guards are covered too, by a path to a state in which a conjunct alone keeps
//! its event from happening (what MC/DC asks of a conjunction).
//! Invariant: every path was walked through by the judge. "Cannot be covered" is said only when all states were looked at.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::path::Path;

use base::Diagnostic;
use pins::Halt;
use serde::Serialize;
use subject::{EventId, Happening, Setting};
use verdict::{Shown, ShownStep, escaped};

use crate::codes;
use crate::lint::Lint;
use crate::open::Workbench;
use crate::replay::shown;
use crate::report::counted;
use crate::runnable::{Answer, Formula, Move, Place, Runnable, View};

/// The budget of the judge for one question.
const BUDGET: u64 = 2_000_000;

/// What test cases are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Every event happens.
    Events,
    /// Besides, every conjunct of a guard is once the only false one.
    Guards,
}

/// Which test cases are wanted.
#[derive(Clone, Debug)]
pub struct SuiteWanted {
    /// What they cover.
    pub cover: Cover,
    /// Only these events; all when there are none.
    pub only: Vec<String>,
    /// The predicate of states in which a test may end.
    pub end: Option<String>,
    /// The most states that are looked at.
    pub max_states: usize,
    /// The longest path to what is covered, in events.
    pub max_depth: usize,
}

/// A test case.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// What it covers.
    pub covers: Vec<String>,
    /// The steps.
    pub path: Vec<ShownStep>,
}

/// The test cases of a model.
#[derive(Clone, Debug, Serialize)]
pub struct Suite {
    /// The model.
    pub model: String,
    /// The states that were looked at.
    pub states: usize,
    /// Whether these are all.
    pub complete: bool,
    /// The test cases.
    pub cases: Vec<Case>,
    /// What no test case covers.
    pub uncovered: Vec<String>,
}

/// Test cases of the model in a file.
///
/// # Errors
/// What is wrong with the file or with what is wanted.
pub fn suite(
    bench: &Workbench,
    (file, setting): (&Path, &Setting),
    wanted: &SuiteWanted,
    halt: &Halt,
) -> Result<Suite, Box<Lint>> {
    let mut runnable = Runnable::open(bench, file, setting)?;
    runnable.heed(halt.clone());
    match made(&mut runnable, wanted) {
        Ok(suite) => Ok(suite),
        Err(message) => {
            let mut lint = runnable.into_lint();
            let error = Diagnostic::global(&codes::MISFIT_OPTION, message);
            lint.diagnostics.push(error);
            Err(Box::new(lint))
        }
    }
}

fn made(runnable: &mut Runnable, wanted: &SuiteWanted) -> Result<Suite, String> {
    let end = match &wanted.end {
        None => None,
        Some(text) => {
            let formula = runnable.formula(text)?;
            if !formula.is_predicate {
                return Err(format!("{text} is an expression; a predicate is needed"));
            }
            Some(formula)
        }
    };
    let events = chosen(runnable, &wanted.only)?;
    let graph = Graph::explore(runnable.view(), wanted);
    let ends = graph.ends(runnable.view(), end);
    let mut goals = graph.events(runnable.view(), &events);
    if wanted.cover == Cover::Guards {
        goals.extend(graph.guards(runnable, &events));
    }
    Ok(graph.suite(runnable.view(), goals, &ends))
}

/// The events that are to be covered.
fn chosen(runnable: &Runnable, only: &[String]) -> Result<Vec<EventId>, String> {
    let description = runnable.description();
    if only.is_empty() {
        return Ok(description.event_ids().collect());
    }
    let known = |name: &String| {
        let event = description.event_named(name);
        let word = runnable.view().subject.words().event;
        event.ok_or_else(|| format!("there is no {word} {name}"))
    };
    only.iter().map(known).collect()
}

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
struct Goal {
    text: String,
    at: BTreeSet<(usize, Option<usize>)>,
}

/// What was explored.
struct Graph {
    nodes: Vec<Node>,
    states: usize,
    complete: bool,
}

/// From a place to the nearest one in which a test may end: how many steps, and the move that leads there.
type Ends = Vec<Option<(usize, Option<usize>)>>;

/// A path, as moves of places.
type Moves = Vec<(usize, usize)>;

/// What a path covers, and the path.
type Covering = (Vec<String>, Moves);

impl Graph {
    fn explore(view: View<'_>, wanted: &SuiteWanted) -> Graph {
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
            graph.complete &= found.faults.is_empty();
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
    fn ends(&self, view: View<'_>, end: Option<Formula>) -> Ends {
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
    fn events(&self, view: View<'_>, events: &[EventId]) -> Vec<Goal> {
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
    fn guards(&self, runnable: &mut Runnable, events: &[EventId]) -> Vec<Goal> {
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
    fn suite(&self, view: View<'_>, goals: Vec<Goal>, ends: &Ends) -> Suite {
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

impl Suite {
    /// The exit code: 20 when something is not covered and not every state was looked at.
    pub fn exit(&self) -> u8 {
        match self.complete || self.uncovered.is_empty() {
            true => 0,
            false => 20,
        }
    }

    /// For people: each test case with what it covers, then what none does.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, case) in self.cases.iter().enumerate() {
            let _ = writeln!(text, "test {}: {}", number + 1, case.covers.join(", "));
            let path = Shown {
                steps: case.path.clone(),
                loop_start: None,
            };
            text.push_str(&path.text("  "));
        }
        let states = counted(self.states as u64, "state");
        let all = if self.complete { "all" } else { "not all" };
        let cases = counted(self.cases.len() as u64, "test");
        let _ = writeln!(
            text,
            "{}: {cases}; {states} looked at, {all} there are",
            self.model
        );
        let never = match self.complete {
            true => "cannot be covered",
            false => "not covered",
        };
        for uncovered in &self.uncovered {
            let _ = writeln!(text, "{never}: {uncovered}");
        }
        text
    }

    /// In the form that ProB writes with `-mcm_tests` and `-cbc_tests`.
    pub fn xml(&self) -> String {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        text.push_str("<extended_test_suite>\n");
        for (number, case) in self.cases.iter().enumerate() {
            let targets = escaped(&case.covers.join(", "));
            let number = number + 1;
            let _ = writeln!(text, " <test_case id=\"{number}\" targets=\"{targets}\">");
            let path = Shown {
                steps: case.path.clone(),
                loop_start: None,
            };
            for (at, step) in case.path.iter().enumerate() {
                let (open, close) = match (step.is_setup(), step.is_beginning) {
                    (true, _) => ("<setup_constants>".to_owned(), "</setup_constants>"),
                    (_, true) => ("<initialisation>".to_owned(), "</initialisation>"),
                    _ => (
                        format!("<step id=\"{at}\" name=\"{}\">", escaped(&step.event)),
                        "</step>",
                    ),
                };
                let _ = writeln!(text, "  {open}");
                for (tag, pairs) in [
                    ("value", &step.args),
                    ("result", &step.results),
                    ("modified", &path.changes(at)),
                ] {
                    for (name, value) in &pairs.0 {
                        let (name, value) = (escaped(name), escaped(value));
                        let _ = writeln!(text, "   <{tag} name=\"{name}\">{value}</{tag}>");
                    }
                }
                let _ = writeln!(text, "  {close}");
            }
            text.push_str(" </test_case>\n");
        }
        text.push_str("</extended_test_suite>\n");
        text
    }
}
