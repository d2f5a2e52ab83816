//! Which elements can be counted: those whose columns hold nothing but data of their own.
//!
//! Invariant: what keeps a family of elements from being counted is a slot, named with the reason; the others are counted.

use pins::System;

use crate::symmetry::{Exchange, Neighbours};

/// Elements that are counted.
pub(super) struct Family {
    /// The slots of each column; those at one position belong together.
    pub(super) columns: Vec<Vec<usize>>,
    /// The points of each column.
    pub(super) points: Vec<Vec<u32>>,
    /// Slots that columns share and that may hold some of them.
    pub(super) holders: Vec<usize>,
}

/// What keeps elements from being counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hindrance {
    /// The slot.
    pub slot: usize,
    /// What is wrong with it.
    pub why: Why,
}

/// Why a slot keeps elements from being counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It belongs to an element and may hold another one.
    Holds,
    /// It belongs to two elements at once.
    Pair,
    /// Its value is chosen before elements have states.
    Constant,
}

/// All that can be counted, and what keeps the rest from it.
pub(super) struct Columns {
    pub(super) families: Vec<Family>,
    pub(super) hindered: Vec<Hindrance>,
}

impl Columns {
    /// Looks at all families of elements.
    pub(super) fn new(system: &dyn System, neighbours: &Neighbours<'_>) -> Columns {
        let mut found = Columns {
            families: Vec::new(),
            hindered: Vec::new(),
        };
        for exchanges in neighbours.families() {
            match family(system, neighbours, exchanges) {
                Ok(family) => found.families.push(family),
                Err(hindrance) => found.hindered.push(hindrance),
            }
        }
        found
    }
}

/// The columns that the exchanges of neighbours are about.
fn family(
    system: &dyn System,
    neighbours: &Neighbours<'_>,
    exchanges: &[Exchange],
) -> Result<Family, Hindrance> {
    let slots = &system.shape().slots;
    let mut found = Family {
        columns: Vec::new(),
        points: Vec::new(),
        holders: Vec::new(),
    };
    for exchange in exchanges {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for block in &exchange.blocks {
            let slot = block.slots[0];
            let hindered = |why| Err(Hindrance { slot, why });
            let is_constant = block.slots.iter().any(|slot| slots[*slot].is_constant);
            let holds = block.slots.iter().any(|slot| neighbours.may_hold(*slot));
            match (block.is_of_columns(), block.is_shared()) {
                _ if is_constant => return hindered(Why::Constant),
                (true, _) if holds => return hindered(Why::Holds),
                (true, _) => {
                    first.push(block.slots[0]);
                    second.push(block.slots[1]);
                }
                (_, true) => found.holders.extend(&block.slots),
                _ if exchange.first.is_empty() || holds => return hindered(Why::Holds),
                _ => return hindered(Why::Pair),
            }
        }
        if found.columns.is_empty() {
            found.columns.push(first.clone());
            found.points.push(exchange.first.clone());
        }
        if found.columns.last() != Some(&first) {
            let slot = first.first().copied().unwrap_or(0);
            let why = Why::Pair;
            return Err(Hindrance { slot, why });
        }
        found.columns.push(second);
        found.points.push(exchange.second.clone());
    }
    found.holders.sort_unstable();
    found.holders.dedup();
    Ok(found)
}
