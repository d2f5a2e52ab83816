//! Processes, channels and wrap-around arithmetic.
