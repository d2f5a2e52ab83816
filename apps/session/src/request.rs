//! What can be asked of a session, and the lines that go to and fro.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::want::{Choices, Model, Tests};

/// A line to a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Sent {
    /// Something to do.
    Ask(u64, Box<Request>),
    /// The answer is not wanted any more, or what is known so far will do.
    Cancel(u64),
}

/// A line from a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Reply {
    /// How far it is.
    Progress(u64, Value),
    /// The answer.
    Answer(u64, Value),
    /// Why there is none, in one sentence.
    Refused(u64, String),
}

/// What can be asked. Paths are below the folder of the session.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    /// Puts a text in the place of a file until the session ends.
    Put {
        /// The file.
        file: String,
        /// Its text.
        text: String,
    },
    /// What is wrong with a file.
    Lint {
        /// The file.
        file: String,
        /// How it is read.
        #[serde(default)]
        model: Model,
    },
    /// Checks a model.
    Check {
        /// The file.
        file: String,
        /// What is fixed about it.
        #[serde(default)]
        model: Model,
        /// What is checked, and how.
        #[serde(default)]
        check: Box<Choices>,
        /// So many steps of a path are told in the text.
        #[serde(default = "some_steps")]
        steps: usize,
        /// Whether the answer has the report as a page too.
        #[serde(default)]
        page: bool,
    },
    /// Evaluates formulas in the first state of a file, or by themselves.
    Eval {
        /// The file.
        #[serde(default)]
        file: Option<String>,
        /// What is fixed about it.
        #[serde(default)]
        model: Model,
        /// The formulas.
        formulas: Vec<String>,
    },
    /// Finds values that satisfy a predicate.
    Solve {
        /// The file whose names it may use.
        #[serde(default)]
        file: Option<String>,
        /// What is fixed about it.
        #[serde(default)]
        model: Model,
        /// The predicate.
        predicate: String,
        /// The most solutions.
        #[serde(default = "some_solutions")]
        most: u64,
    },
    /// What a model was never seen doing.
    Coverage {
        /// The file.
        file: String,
        /// What is fixed about it.
        #[serde(default)]
        model: Model,
        /// So many states are looked at.
        #[serde(default = "some_states")]
        max_states: usize,
    },
    /// Test cases of a model.
    Tests {
        /// The file.
        file: String,
        /// What is fixed about it.
        #[serde(default)]
        model: Model,
        /// Which are wanted.
        #[serde(default)]
        tests: Tests,
    },
    /// A graph of a model.
    Graph {
        /// The file.
        file: String,
        /// What is fixed about it.
        #[serde(default)]
        model: Model,
        /// `states`, `projection`, `enabling`, `matrix` or `hierarchy`.
        what: String,
        /// The format: `json`, `svg`, `dot`, …
        #[serde(default = "json")]
        to: String,
        /// The expression of a projection.
        #[serde(default)]
        projection: Option<String>,
        /// Whether one state stands for each orbit.
        #[serde(default)]
        reduced: bool,
        /// So many states are explored.
        #[serde(default = "some_states")]
        max_states: usize,
    },
    /// Begins to explore a state space; one that was begun before is forgotten.
    Explore {
        /// The file.
        file: String,
        /// What is fixed about it.
        #[serde(default)]
        model: Model,
        /// An expression: states with the same value of it belong together.
        #[serde(default)]
        projection: Option<String>,
        /// Whether one state stands for each orbit.
        #[serde(default)]
        reduced: bool,
        /// So many states are explored.
        #[serde(default = "some_states")]
        max_states: usize,
    },
    /// Explores further for a moment: what is new.
    Grow {
        /// For so long, in milliseconds.
        #[serde(default = "a_moment")]
        milliseconds: u64,
    },
    /// The explored nodes that a path goes through, given as the JSON text of its file.
    Trail {
        /// The text, as `Trace` gives it for a name that ends with `.json`.
        text: String,
    },
    /// A path to an explored node, as a report has it.
    Way {
        /// The number of the node.
        node: usize,
    },
    /// The text of a file laid out as its language prints it, every word and comment kept.
    Format {
        /// The file.
        file: String,
    },
    /// What is wrong with a text, as `Lint` tells it, and the kinds of its words.
    Words {
        /// The file.
        file: String,
    },
    /// What is known of the name at a place.
    About {
        /// The file.
        file: String,
        /// The place, in units of UTF-16.
        at: u32,
    },
    /// What can be written at a place.
    Complete {
        /// The file.
        file: String,
        /// The place, in units of UTF-16.
        at: u32,
    },
    /// What a diagnostic code means.
    Explain {
        /// The code.
        code: String,
    },
    /// Begins an animation; one that was begun before is forgotten.
    Open {
        /// The file.
        file: String,
        /// What is fixed about it.
        #[serde(default)]
        model: Model,
        /// For random steps.
        #[serde(default)]
        seed: u64,
    },
    /// Gives commands to the animation, as `burnside animate` takes them.
    Obey {
        /// The commands; the first that fails ends them.
        commands: Vec<String>,
    },
    /// The values of formulas where the animation is; `null` for what has none.
    Evaluate {
        /// The formulas.
        formulas: Vec<String>,
    },
    /// Walks the path of a finding from the beginning.
    Follow {
        /// The path as JSON, as a report has it.
        path: Value,
        /// For an infinite path: the step that follows the last one.
        #[serde(default)]
        loop_start: Option<usize>,
    },
    /// The path of the animation as the text of a file.
    Trace {
        /// The name of the file, whose extension chooses the format.
        name: String,
    },
}

fn some_steps() -> usize {
    12
}

fn a_moment() -> u64 {
    150
}

fn some_solutions() -> u64 {
    10
}

fn some_states() -> usize {
    10_000
}

fn json() -> String {
    "json".to_owned()
}
