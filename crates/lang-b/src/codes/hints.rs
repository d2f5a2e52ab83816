//! Warnings about models that are correct but probably not meant.

super::codes! {}
