//! Runs the program as users do: arguments and files in, output and exit code out.

mod analyse;
mod animate;
mod bad_input;
mod browser;
mod check;
mod coverage;
mod dap;
mod eval;
mod export;
mod lsp;
mod mcp;
mod models;
mod murphi;
mod page;
mod probcli;
mod promela;
mod relations;
mod schema;
mod shell;
mod solve;
mod specifications;
mod suite;
mod support;
mod temporal;
mod usage;
mod web;
