//! From where each state was first reached, so that paths can be rebuilt.
//!
//! Exact stores need the number of the parent only: its successors are computed again and compared. Where one thread searches
//! breadth-first, parents hardly ever fall from one state to the next, and take two or three bits. Lossy stores
//! cannot give states back, so the position of the step among the parent's steps is kept too.
//! Invariant: the parent of an initial state is the number of its set-up.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use treetable::{Column, Rising};

use super::config::{Config, Order};

/// The links of a run.
pub enum Links {
    /// No paths are wanted.
    Dropped,
    /// The parent, of states whose links are set one after the other.
    InOrder(Box<Rising>),
    /// The parent.
    Parents(Column<AtomicU32>),
    /// The parent, and which of its steps.
    Steps(Column<AtomicU64>),
}

impl Links {
    /// No links yet, of a search as it is configured.
    pub fn new(config: &Config) -> Links {
        match (config.order, config.threads) {
            (Order::Bfs, 0 | 1) if config.keep_paths && config.store.is_exact() => {
                Links::InOrder(Box::default())
            }
            _ => Links::in_any_order(config.keep_paths, config.store.is_exact()),
        }
    }

    /// No links yet, of states that come in whatever order.
    pub fn in_any_order(keep: bool, is_exact: bool) -> Links {
        match (keep, is_exact) {
            (false, _) => Links::Dropped,
            (true, true) => Links::Parents(Column::new()),
            (true, false) => Links::Steps(Column::new()),
        }
    }

    /// Makes sure that the links of so many states can be set; `false` when there is no memory for them.
    #[inline]
    pub fn reserve(&self, states: usize) -> bool {
        match self {
            Links::Dropped => true,
            Links::InOrder(links) => links.reserve(states as u32),
            Links::Parents(links) => links.reserve(states),
            Links::Steps(links) => links.reserve(states),
        }
    }

    /// Sets the link of a state; `false` when there is no memory for it.
    #[inline]
    pub fn set(&self, state: u32, parent: u32, step: u32) -> bool {
        let at = state as usize;
        match self {
            Links::Dropped => true,
            Links::InOrder(links) => {
                assert_eq!(links.len(), state, "links are set one after the other");
                links.push(parent)
            }
            Links::Parents(links) => links
                .try_get(at)
                .map(|place| place.store(parent, Relaxed))
                .is_some(),
            Links::Steps(links) => {
                let link = u64::from(parent) << 32 | u64::from(step);
                links
                    .try_get(at)
                    .map(|place| place.store(link, Relaxed))
                    .is_some()
            }
        }
    }

    /// The parent and the step that leads from it.
    pub fn get(&self, state: u32) -> Option<(u32, u32)> {
        let at = state as usize;
        match self {
            Links::Dropped => None,
            Links::InOrder(links) => Some((links.get(state)?, 0)),
            Links::Parents(links) => Some((links.get(at).load(Relaxed), 0)),
            Links::Steps(links) => {
                let link = links.get(at).load(Relaxed);
                Some(((link >> 32) as u32, link as u32))
            }
        }
    }

    /// The bytes for so many states.
    pub fn bytes(&self, states: usize) -> usize {
        match self {
            Links::Dropped => 0,
            Links::InOrder(links) => links.bytes(),
            Links::Parents(_) => states * 4,
            Links::Steps(_) => states * 8,
        }
    }
}
