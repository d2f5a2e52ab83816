//! What is reported about types.

super::codes! {}
