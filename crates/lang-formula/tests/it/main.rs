//! Formulas are read, and read back as printed.

mod reading;
mod round_trip;
