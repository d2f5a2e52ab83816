//! What is counted about guards, in words that every language has: whoever plans a guard says it, and whoever shows plans reads it.

/// How the guard of a group was answered so far, step by step.
#[derive(Clone, Debug)]
pub struct Profile {
    /// How often it was asked.
    pub asked: u64,
    /// What was done, in order.
    pub steps: Vec<ProfileStep>,
}

/// A step on the way to the instances of an event.
#[derive(Clone, Debug)]
pub struct ProfileStep {
    /// The names that it gives values to; none for a test.
    pub binds: Vec<String>,
    /// The conditions that it decides.
    pub conditions: Vec<String>,
    /// So many candidates got past it.
    pub passed: u64,
}
