//! What no run may do: never claims, cycles through `accept` labels, cycles that pass no `progress` label.
//!
//! The search gets automata; the judge walks along the claim itself, with the reference evaluator, on the states of one path.
//! Differs between the three, as SPIN does: a run that ends goes on by stuttering for claims and `accept` labels, and not for
//! `progress` labels, because a run that ends has no cycle.

use base::{Diagnostic, Diagnostics};
use buchi::{Automaton, Cube, Edge, State as Place};
use pins::Fault;
use program::{Act, Claim, ClaimBody, Graph, LocationId, Program, State, StmtKind, Then as Goes};
use program_compile::claims::{self, Atom};
use program_interp::Machine;
use rustc_hash::FxHashMap;
use subject::codes::NOT_EXECUTABLE;
use subject::{Forbidden, Forbids, FormulaKind, QuestionId, Then};

use super::Processes;
use super::questions::{About, Asked};
use crate::judging::{fault, none};

/// What is asked about `accept` labels.
const AT_ACCEPT: &str = "a process is at an accept label";

/// The never claims of a program, in the order of the text.
pub(crate) fn claims(program: &Program) -> impl Iterator<Item = &Claim> {
    let claims = program.claims.iter();
    claims.filter(|claim| matches!(claim.body, ClaimBody::Never(_)))
}

/// A never claim with its graph.
fn claim(program: &Program, number: usize) -> Option<(&Claim, &Graph)> {
    let claim = claims(program).nth(number)?;
    match &claim.body {
        ClaimBody::Never(graph) => Some((claim, graph)),
        ClaimBody::Formula(_) => None,
    }
}

/// What no run may do, as an automaton over questions.
pub(crate) fn forbidden(
    processes: &mut Processes,
    forbids: Forbids,
) -> Result<Forbidden, Diagnostics> {
    let program = processes.program.clone();
    let mark = |about, text: &str| Asked {
        about,
        text: text.to_owned(),
        kind: FormulaKind::Predicate,
    };
    let (asked, mut found) = match forbids {
        Forbids::Acceptance => (
            vec![mark(About::Accepting, AT_ACCEPT)],
            Forbidden {
                name: None,
                text: "no run passes accept labels for ever".to_owned(),
                span: None,
                automaton: again_and_again(),
                questions: Vec::new(),
            },
        ),
        Forbids::NonProgress => (
            vec![mark(About::Progress, "a process is at a progress label")],
            Forbidden {
                name: None,
                text: "every run without end passes progress labels again and again".to_owned(),
                span: None,
                automaton: at_last_never(),
                questions: Vec::new(),
            },
        ),
        Forbids::Claim(number) => {
            let (claim, graph) = claim(&program, number).ok_or_else(Diagnostics::new)?;
            let made = claims::automaton(&program, graph).map_err(|unsupported| {
                let (what, span) = (unsupported.what, unsupported.span);
                let mut diagnostics = Diagnostics::new();
                diagnostics.push(Diagnostic::error(&NOT_EXECUTABLE, span, what));
                diagnostics
            })?;
            let asked = |atom: &Atom| match *atom {
                Atom::Value(expr) => mark(
                    About::Value(expr),
                    &program::text::expression(&program, expr),
                ),
                Atom::Accepting => mark(About::Accepting, AT_ACCEPT),
            };
            (
                made.atoms.iter().map(asked).collect(),
                Forbidden {
                    name: Some(claim.name.to_string()),
                    text: format!("no run does what the claim {} says", claim.name),
                    span: Some(claim.span),
                    automaton: made.automaton,
                    questions: Vec::new(),
                },
            )
        }
    };
    for asked in asked {
        found.questions.push(QuestionId::new(processes.asked.len()));
        processes.asked.push(asked);
    }
    Ok(found)
}

/// A guard on the only atom.
fn when(sign: bool) -> Cube {
    let mut cube = Cube::default();
    cube.add(0, sign);
    cube
}

fn edge(guard: Cube, target: u32, accepting: u64) -> Edge {
    Edge {
        guard,
        target,
        accepting,
    }
}

/// Accepts runs on which the atom holds for ever again, and those that end where it holds.
fn again_and_again() -> Automaton {
    let edges = vec![edge(when(true), 0, 1), edge(when(false), 0, 0)];
    Automaton {
        states: vec![Place {
            edges,
            ends: vec![when(true)],
        }],
        initial: vec![0],
        sets: 1,
        atoms: 1,
    }
}

/// Accepts runs without end on which the atom holds only finitely often.
fn at_last_never() -> Automaton {
    let wait = Place {
        edges: vec![edge(Cube::default(), 0, 0), edge(when(false), 1, 1)],
        ends: Vec::new(),
    };
    let stay = Place {
        edges: vec![edge(when(false), 1, 1)],
        ends: Vec::new(),
    };
    Automaton {
        states: vec![wait, stay],
        initial: vec![0],
        sets: 1,
        atoms: 1,
    }
}

/// Whether a path is one that must not be, by the reference evaluator.
pub(crate) fn is_forbidden(
    processes: &Processes,
    machine: &Machine<'_>,
    forbids: Forbids,
    (states, then): (&[&State], Then),
) -> Result<bool, Fault> {
    let holds = |about: About, state: &State| Ok::<bool, Fault>(about.judged(machine, state)? != 0);
    match (forbids, then) {
        (Forbids::Acceptance, Then::Again(start)) => {
            let mut found = false;
            for state in &states[start..] {
                found |= holds(About::Accepting, state)?;
            }
            Ok(found)
        }
        (Forbids::Acceptance, Then::Ends) => {
            let last = states.last();
            last.map_or(Ok(false), |last| holds(About::Accepting, last))
        }
        (Forbids::NonProgress, Then::Again(start)) => {
            for state in &states[start..] {
                if holds(About::Progress, state)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Forbids::Acceptance | Forbids::NonProgress, _) => Ok(false),
        (Forbids::Claim(number), _) => {
            let program = &*processes.program;
            let (_, graph) =
                claim(program, number).ok_or_else(|| none("there is no such claim"))?;
            let walk = ClaimWalk { machine, graph };
            walk.accepts(states, then)
        }
    }
}

/// A position of a path, and where the claim is.
type Node = (usize, LocationId);

/// A claim that walks along a path.
struct ClaimWalk<'a> {
    machine: &'a Machine<'a>,
    graph: &'a Graph,
}

impl ClaimWalk<'_> {
    /// Whether the claim comes to its end, or passes accepting places for ever.
    fn accepts(&self, states: &[&State], then: Then) -> Result<bool, Fault> {
        let last = states.len().saturating_sub(1);
        let mut numbers: FxHashMap<Node, u32> = FxHashMap::default();
        let mut nodes: Vec<Node> = Vec::new();
        let mut targets: Vec<Vec<u32>> = Vec::new();
        for start in self.graph.start.into_iter().filter(|_| !states.is_empty()) {
            numbers.insert((0, start), 0);
            nodes.push((0, start));
        }
        let mut at = 0;
        while at < nodes.len() {
            let (position, location) = nodes[at];
            at += 1;
            let next = match then {
                _ if position < last => Some(position + 1),
                Then::Again(start) => Some(start),
                // The last state is read for ever.
                Then::Ends => Some(last),
                Then::Anyhow => None,
            };
            let mut moves = Vec::new();
            let has_ended = self.moves(states[position], location, &mut moves, 0)?;
            if has_ended {
                return Ok(true);
            }
            let mut to = Vec::new();
            for target in next
                .iter()
                .flat_map(|next| moves.iter().map(move |to| (*next, *to)))
            {
                let number = *numbers.entry(target).or_insert_with(|| {
                    nodes.push(target);
                    nodes.len() as u32 - 1
                });
                to.push(number);
            }
            targets.push(to);
        }
        let (component, count) = buchi::components(nodes.len(), |node| targets[node].clone());
        let mut has_cycle = vec![false; count];
        let mut is_accepting = vec![false; count];
        for (node, (position, location)) in nodes.iter().enumerate() {
            let own = component[node] as usize;
            has_cycle[own] |= targets[node]
                .iter()
                .any(|to| component[*to as usize] as usize == own);
            is_accepting[own] |= self.graph.locations[*location].marks.is_accepting
                || About::Accepting.judged(self.machine, states[*position])? != 0;
        }
        Ok(has_cycle.iter().zip(&is_accepting).any(|(a, b)| *a && *b))
    }

    /// Where the claim may be after it has read a state; whether it has come to its end, or an assertion of it fails.
    fn moves(
        &self,
        state: &State,
        here: LocationId,
        found: &mut Vec<LocationId>,
        depth: usize,
    ) -> Result<bool, Fault> {
        if self.graph.end == Some(here) {
            return Ok(true);
        }
        if depth > self.graph.locations.len() {
            return Err(none("a sequence of the claim does not end"));
        }
        let program = self.machine.program();
        let mut is_possible = false;
        for id in self.graph.locations[here].levels.iter().flatten() {
            let edge = &self.graph.edges[*id];
            let holds = |expr| self.machine.is_true(state, expr).map_err(|why| fault(&why));
            let can = match &edge.act {
                Act::Guard(condition) => holds(*condition)?,
                Act::Else => !is_possible,
                Act::Do(stmt) => match program.stmts[*stmt].kind {
                    StmtKind::Assert { condition, .. } => {
                        if !holds(condition)? {
                            return Ok(true);
                        }
                        true
                    }
                    _ => true,
                },
                Act::End => return Ok(true),
                Act::Send { .. } | Act::Receive { .. } | Act::Observe(_) => {
                    return Err(none("a claim that sends or receives"));
                }
            };
            is_possible |= can;
            if !can {
                continue;
            }
            if self.graph.end == Some(edge.to) {
                return Ok(true);
            }
            match edge.then {
                Goes::Anybody => found.push(edge.to),
                Goes::Same | Goes::First => {
                    if self.moves(state, edge.to, found, depth + 1)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
