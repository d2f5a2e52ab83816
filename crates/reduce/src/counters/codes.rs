//! Local states with numbers, in the order in which they were met.
//!
//! Invariant: numbers never change; the order of columns in a state is that of the local states themselves, so that it does
//! not depend on who met them first.

use rustc_hash::FxHashMap;

/// A local state: its family, where shared slots hold the element, and the words of its column.
pub(super) type Local = Box<[u32]>;

/// All local states that were met.
#[derive(Clone, Default)]
pub(super) struct Codes {
    numbers: FxHashMap<Local, u32>,
    locals: Vec<Local>,
    /// Numbers in the order of local states.
    order: Vec<u32>,
}

impl Codes {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.locals.len()
    }

    /// The number of a local state.
    pub(super) fn number(&self, local: &[u32]) -> Option<u32> {
        self.numbers.get(local).copied()
    }

    /// A local state by its number.
    pub(super) fn local(&self, code: u32) -> &[u32] {
        &self.locals[code as usize]
    }

    /// Numbers in the order of local states.
    pub(super) fn in_order(&self) -> &[u32] {
        &self.order
    }

    /// Gives a local state the next number.
    pub(super) fn add(&mut self, local: &[u32]) -> u32 {
        let code = self.locals.len() as u32;
        self.numbers.insert(local.into(), code);
        let locals = &self.locals;
        let at = self
            .order
            .partition_point(|other| &*locals[*other as usize] < local);
        self.order.insert(at, code);
        self.locals.push(local.into());
        code
    }
}
