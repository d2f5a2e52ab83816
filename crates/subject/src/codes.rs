//! The kinds of diagnostics that any language needs when a text is opened.

use base::{Class, Code};

/// An option does not fit the model.
pub static MISFIT_OPTION: Code = Code {
    id: "W0102",
    class: Class::Usage,
    title: "an option does not fit the model",
    explain: "\
The value of an option names something that the model does not have (a set for --card, a conjunct or
assertion for --only, the component for --machine), or two options contradict each other.

The message says what there is instead.",
};

/// What was said of interchangeable processes does not hold.
pub static SCALARSET: Code = Code {
    id: "W0107",
    class: Class::Usage,
    title: "what --scalarset says does not hold",
    explain: "\
With `--scalarset pid` all processes of one text are said to be interchangeable, and with `--scalarset VARIABLE` a
variable is said to run through processes in an order that does not matter. Something in the model contradicts that: a process
number is compared with a literal, ordered or computed with, an array that processes index is asked at a fixed place,
or a loop that is not atomic can be seen halfway. The position says where.

Leave the option out: then what can be exchanged is found without it, and reported by `analyse`.",
};

/// The evaluator met something it cannot evaluate.
pub static NOT_EXECUTABLE: Code = Code {
    id: "W0104",
    class: Class::Unsupported,
    title: "a construct of the model cannot be executed",
    explain: "\
The model is in order, but a construct in it cannot be evaluated by this version: an external function that
only another tool implements, for example. The position says where it stands.

The run ends there: with an unknown value every further answer would be a guess.",
};
