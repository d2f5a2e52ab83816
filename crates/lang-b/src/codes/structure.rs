//! What is reported about files and the references between them.

super::codes! {}
