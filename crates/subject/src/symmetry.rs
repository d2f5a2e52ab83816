//! What is known of interchangeable elements, as data that reports and reductions read.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use base::{Diagnostic, Span};
use reduce::symmetry::{Rule, Telling};

/// A set of elements and its symmetry.
#[derive(Clone, Debug)]
pub struct Alike {
    /// Its name.
    pub name: String,
    /// The number of its elements.
    pub size: usize,
    /// How many of them can be exchanged with another one.
    pub interchangeable: usize,
    /// The classes of elements that can be exchanged with each other.
    pub classes: Vec<Vec<String>>,
    /// Why not all can be exchanged.
    pub because: Vec<Apart>,
}

/// What tells elements apart.
#[derive(Clone, Debug)]
pub struct Apart {
    /// The elements; none when it is about all of them.
    pub elements: Vec<String>,
    /// In a few words.
    pub what: String,
    /// Where.
    pub span: Span,
}

/// Whether symmetry markers say all about the values of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// It holds no interchangeable element.
    Plain,
    /// They do.
    Precise,
    /// They do not, for this reason.
    Imprecise(&'static str),
}

/// A group of permutations, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permutations {
    /// The number of permutations; `None` from 2^128 on.
    pub order: Option<u128>,
    /// What they map to each other.
    pub orbits: Vec<Vec<String>>,
    /// Permutations that generate them all, as cycles.
    pub generators: Vec<String>,
}

/// What is known of interchangeable elements.
#[derive(Clone)]
pub struct Symmetry {
    /// The sets.
    pub sets: Vec<Alike>,
    /// For each component its type as text, and whether markers are precise for it.
    pub components: Vec<(String, Precision)>,
    /// The slots of a ground as a whole for which markers are imprecise, with the component that is to blame first.
    pub imprecise: Vec<usize>,
    /// Which of the questions it was made for tell elements of a step's two states apart: positions.
    pub moved: Vec<usize>,
    /// The permutations, where they are not simply all of each class: those of processes.
    pub group: Option<Permutations>,
    /// What was said of interchangeable processes and does not hold.
    pub refuted: Vec<Diagnostic>,
    /// What the language's own analysis found.
    found: Option<Arc<dyn Any + Send + Sync>>,
}

impl fmt::Debug for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Symmetry")
            .field("sets", &self.sets)
            .finish()
    }
}

impl Symmetry {
    /// A language, or a model, without interchangeable elements.
    pub fn none() -> Symmetry {
        Symmetry {
            sets: Vec::new(),
            components: Vec::new(),
            imprecise: Vec::new(),
            moved: Vec::new(),
            group: None,
            refuted: Vec::new(),
            found: None,
        }
    }

    /// The same with what the language's own analysis found.
    pub fn with(self, found: impl Any + Send + Sync) -> Symmetry {
        Symmetry {
            found: Some(Arc::new(found)),
            ..self
        }
    }

    /// What the language's own analysis found.
    pub fn found<T: Any>(&self) -> Option<&T> {
        self.found.as_ref()?.downcast_ref()
    }

    /// Whether some elements can be exchanged.
    pub fn is_useful(&self) -> bool {
        self.sets.iter().any(|set| set.interchangeable > 0)
    }
}

/// A symmetry that some events break.
#[derive(Clone, Debug)]
pub struct Partial {
    /// What is known when the texts of events are left out of account.
    pub known: Symmetry,
    /// What events tell apart.
    pub breaks: Breaks,
}

/// What events tell apart.
#[derive(Clone, Debug)]
pub enum Breaks {
    /// Elements of sets.
    Elements {
        /// What is told apart by what is no event.
        base: Telling,
        /// For each group of a ground as a whole, which are as many as events, what it tells apart.
        events: Vec<Telling>,
    },
    /// Processes: the action of a ground says it for each group of steps ([`pins::Action::told`]).
    Steps {
        /// Processes by their kinds that are told apart by what is no edge.
        base: Telling,
        /// Edges that tell processes apart: where each stands, and which.
        edges: Vec<(Span, Telling)>,
    },
    /// Nothing: all events keep what the rest keeps.
    Nothing,
}

/// Fewer set-ups: ProB's static symmetry.
#[derive(Clone)]
pub struct Statics {
    /// Which set-ups are kept.
    pub rules: Vec<Rule>,
    /// Whether there is no set-up step then.
    pub has_no_setup: bool,
    /// What the language's own analysis found.
    pub found: Arc<dyn Any + Send + Sync>,
}

impl fmt::Debug for Statics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Statics")
            .field("rules", &self.rules)
            .finish()
    }
}
