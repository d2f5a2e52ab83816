//! Claims about the whole evaluator.
