//! Turns diagnostics into text for people and JSON for programs.
