//! What a command line fixes about a model, before anything is asked of it.
//!
//! Invariant: two commands with the same setting run the same model.
//! Invariant: a language refuses what it has no meaning for ([`crate::Language::misfits`]); nothing is ignored.

use std::path::PathBuf;

use base::Name;

base::choices! {
    /// `--wd`: what an undefined expression means.
    Wd {
        /// An undefined guard is false, and counted; anything else undefined is a fault.
        Default = "default",
        /// Undefined guards are faults too.
        Strict = "strict",
        /// An undefined action gives no transition, and is counted.
        Lenient = "lenient",
    } default Default;

    /// `--solver`: how predicates are solved.
    Solver {
        /// Chosen by size.
        Auto = "auto",
        /// Propagation and search.
        Propagate = "propagate",
        /// A SAT solver.
        Sat = "sat",
    } default Auto;

    /// `--evaluator`: how formulas are evaluated.
    Evaluator {
        /// The fast one.
        Compiled = "compiled",
        /// The slow and obvious one.
        Reference = "reference",
    } default Compiled;
}

/// Sizes of sets, and preferences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scopes {
    /// `--card SET=N`
    pub cards: Vec<(Name, usize)>,
    /// `--pref NAME=VALUE`
    pub preferences: Vec<(Name, String)>,
}

/// What is fixed before a file is read: definitions for a preprocessor.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// `-D NAME=VALUE`; without a value it is 1.
    pub defines: Vec<(String, Option<String>)>,
    /// `-U NAME`
    pub undefines: Vec<String>,
    /// `-I DIR`
    pub folders: Vec<PathBuf>,
}

/// Which part of a file is meant, where it holds several components or levels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The component; `None` for the main one.
    pub machine: Option<String>,
    /// The level of refinement, 0 for the most abstract machine.
    pub level: Option<u32>,
    /// Without the machines it refines.
    pub concrete_only: bool,
    /// The schema that is the state.
    pub state: Option<String>,
    /// The schema that is the initialisation.
    pub init: Option<String>,
    /// The schemas that are operations; all candidates when empty.
    pub operations: Vec<String>,
}

/// What is checked by the steps of a model themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obligations {
    /// Whether a step that is none of the refined machine is a finding.
    pub refinement: bool,
    /// Whether events are compared with the variant, and preconditions with those of what is refined.
    pub variants: bool,
    /// Whether assertions inside steps are checked.
    pub assertions: bool,
    /// Whether temporal formulas are asked for, and assertions are not asked for by name.
    pub formulas: bool,
}

impl Default for Obligations {
    fn default() -> Obligations {
        Obligations {
            refinement: true,
            variants: false,
            assertions: true,
            formulas: false,
        }
    }
}

/// How processes run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Processes {
    /// A send to a full buffer loses the message instead of blocking.
    pub lossy: bool,
    /// Inner escapes of `unless` win.
    pub inner_unless: bool,
    /// A valid end state also needs empty channels.
    pub end_empty: bool,
    /// Statements are merged, dead variables reset and write-only variables left out, as SPIN does by default.
    pub spin_counts: bool,
    /// `xr` and `xs` are tested while processes run.
    pub promises: bool,
}

/// What a command line fixes about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// Sizes of sets, and preferences.
    pub scopes: Scopes,
    /// What undefined expressions mean.
    pub wd: Wd,
    /// Which part of the file is meant.
    pub part: Part,
    /// What steps check by themselves.
    pub obligations: Obligations,
    /// What is said of interchangeable processes: `pid` for all of them, or variables that run through them.
    pub scalarsets: Vec<String>,
    /// How processes run.
    pub processes: Processes,
}
