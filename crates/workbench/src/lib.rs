//! Loads and lints.
