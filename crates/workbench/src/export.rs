//! Graphs of a model for people and other tools: its state space, what it is projected on, what enables what.
//!
//! Every graph is made as one [`Graph`] and written by one writer per format, so that all formats agree.
//! Invariant: node 0 of a state space is the root, and its nodes and edges are counted as a check counts them.
//! Invariant: a graph that was cut says so ([`Graph::cut`]), and the exit code is 20.

mod automata;
mod enabling;
mod graph;
mod growing;
mod layout;
mod matrix;
mod projection;
mod space;
mod structure;
mod svg;
mod write;

use std::path::Path;

use base::Diagnostic;
use subject::Setting;

use crate::choice::{ExportFormat, ExportWhat};
use crate::codes;
use crate::lint::Lint;
use crate::open::Workbench;
use crate::runnable::{Runnable, View};

pub use graph::{Edge, Graph, Node, Role};
pub use growing::{Grow, Growing, GrownNode, Growth};
pub(crate) use verdict::escaped;

/// What to export.
#[derive(Clone, Debug)]
pub struct Export {
    /// Which graph.
    pub what: ExportWhat,
    /// The expression of a projection.
    pub projection: Option<String>,
    /// In which format.
    pub to: ExportFormat,
    /// Whether one state stands for each orbit.
    pub reduced: bool,
    /// So many states are explored.
    pub max_states: usize,
}

/// What became of an export.
pub struct Exported {
    /// What is wrong with the model or the options.
    pub lint: Lint,
    /// The file and whether it is whole, when there is one.
    pub file: Option<(String, Graph)>,
}

/// Exports a graph of the model in a file.
pub fn export(bench: &Workbench, path: &Path, setting: &Setting, export: &Export) -> Exported {
    let opened = Runnable::open(bench, path, setting).and_then(|runnable| match export.reduced {
        true => runnable.reduced(),
        false => Ok(runnable),
    });
    let mut runnable = match opened {
        Ok(runnable) => runnable,
        Err(lint) => {
            return Exported {
                lint: *lint,
                file: None,
            };
        }
    };
    let mut answer = graph_of(&mut runnable, export);
    while !runnable.view().is_halted() && runnable.make_room() {
        answer = graph_of(&mut runnable, export);
    }
    match answer {
        Ok(graph) => Exported {
            file: Some((graph.write(export.to), graph)),
            lint: runnable.into_lint(),
        },
        Err(message) => {
            let mut lint = runnable.into_lint();
            let error = Diagnostic::global(&codes::MISFIT_OPTION, message);
            lint.diagnostics.push(error);
            Exported { lint, file: None }
        }
    }
}

/// The state space of a model as far as it has so many states.
pub(crate) fn space(view: View<'_>, max_states: usize) -> Graph {
    space::explore(view, max_states).graph
}

fn graph_of(runnable: &mut Runnable, export: &Export) -> Result<Graph, String> {
    let what = match (&export.projection, export.what) {
        (Some(_), ExportWhat::States) => ExportWhat::Projection,
        (_, what) => what,
    };
    match what {
        ExportWhat::States => Ok(space::explore(runnable.view(), export.max_states).graph),
        ExportWhat::Projection => {
            let text = export.projection.as_deref();
            let text = text.ok_or("--what projection needs --projection EXPR")?;
            let formula = runnable
                .formula(text)
                .map_err(|why| format!("--projection {text}: {why}"))?;
            let space = space::explore(runnable.view(), export.max_states);
            Ok(projection::project(runnable.view(), &space, text, formula))
        }
        ExportWhat::Enabling => {
            let space = space::explore(runnable.view(), export.max_states);
            Ok(enabling::graph(runnable.description(), &space))
        }
        ExportWhat::Matrix => Ok(matrix::graph(runnable.view())),
        ExportWhat::Hierarchy => Ok(structure::graph(runnable)),
        ExportWhat::Automata => {
            let graph = automata::graph(runnable);
            graph.ok_or_else(|| "--what automata: the language has none".to_owned())
        }
    }
}
