//! A state space that grows while somebody looks at it, and the places of a path in it.
//!
//! What was told once is not told again: an answer has the nodes and edges that are new since the last one.
//! Invariant: nodes are numbered as in the export of the same model, and an answer names only nodes that were told.
//! Invariant: when the system had to be made anew with more room, everything is told anew ([`Growth::restarted`]).

use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use subject::{Judge, Setting};
use verdict::Shown;

use super::projection;
use super::space::Exploration;
use crate::lint::Lint;
use crate::open::Workbench;
use crate::replay;
use crate::runnable::{Formula, Place, Runnable};

/// A state space that is being explored.
pub struct Growing {
    runnable: Runnable,
    /// What states are projected on.
    projection: Option<Formula>,
    exploration: Exploration,
    max_states: usize,
    /// How many nodes and edges were told.
    told: (usize, usize),
    /// How many places were explored when it was told last: their roles do not change any more.
    settled: usize,
}

/// What to look at.
#[derive(Clone, Debug, Default)]
pub struct Grow {
    /// An expression: states with the same value of it belong together.
    pub projection: Option<String>,
    /// Whether one state stands for each orbit.
    pub reduced: bool,
    /// So many states are explored.
    pub max_states: usize,
}

/// What is new.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Growth {
    /// Whether what was told before is void.
    pub restarted: bool,
    /// The nodes that are new, in the order of their numbers.
    pub nodes: Vec<GrownNode>,
    /// The edges that are new: from, to, what happens.
    pub edges: Vec<(usize, usize, String)>,
    /// Nodes of earlier answers whose role is known now.
    pub roles: Vec<(usize, &'static str)>,
    /// How many nodes wait to be explored.
    pub waiting: usize,
    /// Whether everything within the limit was explored.
    pub done: bool,
    /// Why it is not whole, if it is done and is not.
    pub cut: Option<String>,
}

/// A node.
#[derive(Clone, Debug, Serialize)]
pub struct GrownNode {
    /// What it is.
    pub role: &'static str,
    /// Its values, a line each.
    pub text: String,
    /// The value of the projection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
}

impl Growing {
    /// Opens the model in a file. One that cannot be run is returned as its lint; an error of the projection is one line.
    ///
    /// # Errors
    /// When the model has errors.
    pub fn open(
        bench: &Workbench,
        path: &Path,
        setting: &Setting,
        wanted: &Grow,
    ) -> Result<Result<Growing, String>, Box<Lint>> {
        let mut runnable = Runnable::open(bench, path, setting)?;
        if wanted.reduced {
            runnable = runnable.reduced()?;
        }
        let projection = wanted.projection.as_deref();
        let projection = match projection.map(|text| runnable.formula(text)).transpose() {
            Ok(projection) => projection,
            Err(why) => return Ok(Err(why)),
        };
        Ok(Ok(Growing {
            exploration: Exploration::new(runnable.view(), wanted.max_states),
            runnable,
            projection,
            max_states: wanted.max_states,
            told: (0, 0),
            settled: 0,
        }))
    }

    /// Explores for so long, and tells what is new.
    pub fn grow(&mut self, time: Duration) -> Growth {
        let begun = Instant::now();
        let mut restarted = false;
        while self.exploration.advance(self.runnable.view()) {
            if self.runnable.make_room() {
                self.exploration = Exploration::new(self.runnable.view(), self.max_states);
                (self.told, self.settled) = ((0, 0), 0);
                restarted = true;
            }
            if begun.elapsed() >= time {
                break;
            }
        }
        let growth = self.news(restarted);
        self.told = (
            self.exploration.nodes().len(),
            self.exploration.edges().len(),
        );
        self.settled = self.exploration.explored();
        growth
    }

    fn news(&self, restarted: bool) -> Growth {
        let view = self.runnable.view();
        let (nodes, edges) = (self.exploration.nodes(), self.exploration.edges());
        let mut judge = self.projection.map(|_| view.referee());
        let new = (self.told.0..nodes.len()).map(|at| GrownNode {
            role: nodes[at].role.word(),
            text: nodes[at].lines().join("\n"),
            class: judge.as_deref_mut().and_then(|judge| self.class(judge, at)),
        });
        let new: Vec<GrownNode> = new.collect();
        let settled = self.settled..self.exploration.explored().min(self.told.0);
        let done = self.exploration.is_done();
        Growth {
            restarted,
            nodes: new,
            edges: edges[self.told.1..]
                .iter()
                .map(|edge| (edge.from, edge.to, edge.label.clone()))
                .collect(),
            roles: settled.map(|at| (at, nodes[at].role.word())).collect(),
            waiting: nodes.len() - self.exploration.explored(),
            cut: match done || view.is_halted() {
                true => self.exploration.cut(view),
                false => None,
            },
            done,
        }
    }

    fn class(&self, judge: &mut dyn Judge, node: usize) -> Option<String> {
        let place = self.exploration.place(node);
        Some(projection::class(
            self.runnable.view(),
            judge,
            self.projection?,
            place,
        ))
    }

    /// The nodes of a path, given as the text of a file of this name: those that were explored, in the order of the path.
    ///
    /// # Errors
    /// When the path is none of this model, or its states have no classes.
    pub fn trail(&mut self, file: &Path, text: &str) -> Result<Vec<Option<usize>>, String> {
        let recorded = replay::read_text(file, text, self.runnable.view())?;
        let (outcome, moves) = self
            .runnable
            .unreduced(|runnable| replay::follow(runnable, &recorded, file, Place::Root));
        if let Some(problem) = outcome.problem {
            return Err(format!(
                "step {} of the path does not fit: {}",
                problem.step, problem.event
            ));
        }
        let places: Vec<Place> = moves.into_iter().map(|taken| taken.to).collect();
        let places = self.runnable.view().formed(places)?;
        let nodes = places.iter().map(|place| self.exploration.node_of(place));
        Ok(nodes.collect())
    }

    /// A path to a node, none with fewer steps.
    ///
    /// # Errors
    /// When there is no such node, or each node stands for other states too: the steps between them are no path of the model.
    pub fn way(&self, node: usize) -> Result<Shown, String> {
        if self.runnable.view().is_reduced {
            return Err(
                "a node that stands for a symmetry class has no path of its own".to_owned(),
            );
        }
        // Nodes are explored in the order of their numbers, so the first edge to one is the last of a shortest path.
        let edges = self.exploration.edges();
        let mut to: usize = node;
        let mut moves = Vec::new();
        let view = self.runnable.view();
        while to > 0 {
            let edge = edges.iter().find(|edge| edge.to == to);
            let edge = edge.ok_or_else(|| format!("there is no node {node}"))?;
            let wanted = self.exploration.place(to);
            let found = view.moves(self.exploration.place(edge.from)).moves;
            let taken = found.into_iter().find(|taken| taken.to == *wanted);
            moves.push(taken.ok_or("the state could not be reached again in time")?);
            to = edge.from;
        }
        moves.reverse();
        Ok(replay::shown(view, &moves))
    }
}
