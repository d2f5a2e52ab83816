//! Rules over bounded data: guarded commands with undefined values, compiled to code over one flat memory.
//!
//! A state is one word for each simple part of a variable (`layout`): 0 is undefined, others count from the least value.
//! The instances of a rule are unrolled: parameters become constants, most addresses are fixed and guards are compared
//! word by word (`compile`, `code`); `run` and `exec` are the machine, `generate` makes machine code of what is `hot`, `system` is what engines see, `footprint` says what
//! an instance may touch, `permute` exchanges elements of scalarsets.
//! Invariant: a question is answered with the reads it declares; multisets that a rule may write are put in order at its end.

mod calls;
mod changes;
mod code;
mod compile;
mod decode;
mod exec;
mod fields;
mod footprint;
mod generate;
mod hot;
mod index;
mod layout;
mod moving;
mod names;
mod permute;
mod points;
mod renumbered;
mod rounds;
mod run;
mod slots;
mod system;
mod table;
mod worker;

pub use hot::Making;
pub use slots::Form;
pub use system::{Asked, Grouping, Options, Rules};
