//! What can go wrong between a checked text and its model, in every language.

use base::{Class, Code};

/// Something a model needs cannot be lowered.
pub static UNSUPPORTED: Code = Code {
    id: "M0001",
    class: Class::Unsupported,
    title: "a construct cannot be run",
    explain: "The construct is understood and typed, but Burnside cannot run it. `docs/warts.md` lists such constructs with what to write instead.",
};

/// A scope that contradicts itself or is too large.
pub static BAD_SCOPE: Code = Code {
    id: "M0002",
    class: Class::Usage,
    title: "a scope cannot be used",
    explain: "`--card S=N` and `scope_S == N` give a deferred set at least one and at most 100,000 elements; preferences such as MAXINT are integers.",
};

/// Every code of this table.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [&UNSUPPORTED, &BAD_SCOPE].into_iter()
}
