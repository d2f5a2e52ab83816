//! Prints expression trees in B notation with the fewest parentheses.
