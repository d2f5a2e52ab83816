//! Runs the program as users do: arguments and files in, output and exit code out.

mod analyse;
mod animate;
mod bad_input;
mod check;
mod eval;
mod models;
mod support;
mod usage;
