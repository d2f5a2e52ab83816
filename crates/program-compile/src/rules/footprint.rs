//! What code may touch: words of the state, and words that its references lead to.
//!
//! Invariant: errs on the side of "may". What crosses a multiset touches all of it, because its places are put in order.

use pins::SlotSet;

/// Where an address may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// Among words of the state: first, count and how well that is known.
    State(u32, u32, Within),
    /// Where a parameter of the function leads to.
    Parameter(u32),
    /// In a frame.
    Frame,
}

/// How well it is known which words of a region are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    /// All of them.
    Exactly,
    /// Some of them.
    Somewhere,
    /// Some of them, inside a multiset.
    Multiset,
}

/// What code may read and write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// Words of the state that are read.
    pub reads: SlotSet,
    /// Words of the state that are written.
    pub writes: SlotSet,
    /// Parameters through which is read.
    pub reads_through: Vec<u32>,
    /// Parameters through which is written.
    pub writes_through: Vec<u32>,
}

impl Footprint {
    /// Something is read.
    pub fn read(&mut self, region: Region) {
        match region {
            Region::State(start, count, _) => {
                (start..start + count).for_each(|word| self.reads.insert(word as usize))
            }
            Region::Parameter(at) => note(&mut self.reads_through, at),
            Region::Frame => {}
        }
    }

    /// Something is written.
    pub fn write(&mut self, region: Region) {
        match region {
            Region::State(start, count, within) => {
                (start..start + count).for_each(|word| self.writes.insert(word as usize));
                if within == Within::Multiset {
                    self.read(region);
                }
            }
            Region::Parameter(at) => note(&mut self.writes_through, at),
            Region::Frame => {}
        }
    }

    /// A function is called, with arguments in these regions (`None` for values).
    pub fn call(&mut self, callee: &Footprint, arguments: &[Option<Region>]) {
        self.reads.union_with(&callee.reads);
        self.writes.union_with(&callee.writes);
        let region = |at: &u32| arguments.get(*at as usize).copied().flatten();
        for region in callee.reads_through.iter().filter_map(region) {
            self.read(region);
        }
        for region in callee.writes_through.iter().filter_map(region) {
            self.write(region);
        }
    }
}

fn note(list: &mut Vec<u32>, at: u32) {
    if !list.contains(&at) {
        list.push(at);
    }
}
