//! What is reported about DEFINITIONS.

super::codes! {}
