//! Lets recursive passes follow a tree of any permitted depth without overflowing the stack.
//!
//! Parsers bound the depth of what they build ([`MAX_NESTING`], [`MAX_DEPTH`]); a pass over such a tree
//! wraps its recursive function in [`recurse`], which moves to a fresh stack segment when the current one
//! runs low. Invariant: no input, however nested, ends the process by a stack overflow.

/// How many brackets or blocks may be open at once: far beyond what people and generators write, small
/// enough that the error comes at once.
pub const MAX_NESTING: usize = 2_000;

/// How deep a tree may become through long operator chains such as `a & b & c & …`.
pub const MAX_DEPTH: u32 = 50_000;

/// The stack left below which a new segment is taken: more than any single frame of ours uses.
const RED_ZONE: usize = 128 * 1024;

/// The size of a new segment.
const SEGMENT: usize = 4 * 1024 * 1024;

/// Calls `body`, on a new stack segment if little is left of the current one.
pub fn recurse<R>(body: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, SEGMENT, body)
}
