//! What is reported about names.

super::codes! {}
