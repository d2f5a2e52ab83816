//! Graphs of a model for people and other tools: its state space, what it is projected on, what enables what.
//!
//! Every graph is made as one [`Graph`] and written by one writer per format, so that all formats agree.
//! Invariant: node 0 of a state space is the root, and its nodes and edges are counted as a check counts them.
//! Invariant: a graph that was cut says so ([`Graph::cut`]), and the exit code is 20.

mod enabling;
mod graph;
mod layout;
mod matrix;
mod projection;
mod space;
mod structure;
mod svg;
mod write;

use std::path::Path;

use base::Diagnostic;

use crate::Setting;
use crate::choice::{ExportFormat, ExportWhat};
use crate::codes;
use crate::lint::Lint;
use crate::runnable::Runnable;

pub use graph::{Edge, Graph, Node, Role};
pub(crate) use svg::escaped;

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
pub fn export(path: &Path, setting: &Setting, export: &Export) -> Exported {
    let mut runnable = match Runnable::open(path, setting) {
        Ok(runnable) => runnable,
        Err(lint) => {
            return Exported {
                lint: *lint,
                file: None,
            };
        }
    };
    if export.reduced {
        runnable = runnable.reduced();
    }
    match graph_of(&mut runnable, export) {
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
pub(crate) fn space(runnable: &Runnable, max_states: usize) -> Graph {
    space::explore(runnable, max_states).graph
}

fn graph_of(runnable: &mut Runnable, export: &Export) -> Result<Graph, String> {
    let what = match (&export.projection, export.what) {
        (Some(_), ExportWhat::States) => ExportWhat::Projection,
        (_, what) => what,
    };
    match what {
        ExportWhat::States => Ok(space::explore(runnable, export.max_states).graph),
        ExportWhat::Projection => {
            let text = export.projection.as_deref();
            let text = text.ok_or("--what projection needs --projection EXPR")?;
            let formula = runnable
                .formula(text)
                .map_err(|why| format!("--projection {text}: {why}"))?;
            let space = space::explore(runnable, export.max_states);
            Ok(projection::project(runnable, &space, text, formula.expr))
        }
        ExportWhat::Enabling => {
            let space = space::explore(runnable, export.max_states);
            Ok(enabling::graph(runnable, &space))
        }
        ExportWhat::Matrix => Ok(matrix::graph(runnable)),
        ExportWhat::Hierarchy => Ok(structure::graph(runnable)),
    }
}
