//! Prints a component in normalised notation.
