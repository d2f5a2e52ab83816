//! Claims about reading.
