//! Claims about tokens.
