//! Evidence for `holds`: certificates, and who checks them.

use std::sync::atomic::AtomicBool;

use certify::{Accepted, Certificate, Rejected};

use crate::ground::Ground;

/// Checks certificates of a model. The check depends on the reference evaluator alone (`crates/certify`).
pub trait Certifying {
    /// For each set of elements the class of each of them: elements of one class are interchangeable.
    fn classes(&self) -> Vec<Vec<u32>>;

    /// Checks a certificate. The ground only says which permutation leads to a state of the certificate, and is not
    /// believed.
    fn certify(
        &self,
        certificate: &Certificate,
        ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Accepted, Rejected>;
}

/// How a check of a certificate goes on.
#[derive(Clone, Copy)]
pub struct Course<'a> {
    /// So many threads check.
    pub threads: usize,
    /// Set when nobody waits for the answer.
    pub stop: &'a AtomicBool,
    /// Told from time to time how many states were checked.
    pub progress: &'a (dyn Fn(u64) + Sync),
}
