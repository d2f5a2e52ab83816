//! Finds the instances that may happen in a state by words that their guards begin with.

use super::code::{Code, Node};
use super::compile::Instance;

/// Which instances are tried in a state.
#[derive(Debug)]
pub(crate) struct Index {
    /// 64-bit words of a set of instances.
    pub words: usize,
    /// Instances that are always tried.
    always: Vec<u64>,
    /// Slots that are looked at, and for each word the instances tried then (word 0 is undefined, where a guard faults).
    tables: Vec<(u32, Vec<Vec<u64>>)>,
}

impl Index {
    pub fn new(code: &Code, instances: &[Instance], slots: usize) -> Index {
        let words = instances.len().div_ceil(64).max(1);
        let mut index = Index {
            words,
            always: vec![0; words],
            tables: Vec::new(),
        };
        for (at, instance) in instances.iter().enumerate() {
            let bit = 1u64 << (at % 64);
            match first_test(code, instance).filter(|(slot, _, _)| (*slot as usize) < slots) {
                None => index.always[at / 64] |= bit,
                Some((slot, word, faults)) => {
                    let table = index.table(slot);
                    let mut rows = vec![word as usize];
                    if faults {
                        rows.push(0);
                    }
                    for row in rows {
                        if table.len() <= row {
                            table.resize(row + 1, Vec::new());
                        }
                        if table[row].is_empty() {
                            table[row] = vec![0; words];
                        }
                        table[row][at / 64] |= bit;
                    }
                }
            }
        }
        index
    }

    fn table(&mut self, slot: u32) -> &mut Vec<Vec<u64>> {
        let at = match self.tables.iter().position(|(known, _)| *known == slot) {
            Some(at) => at,
            None => {
                self.tables.push((slot, Vec::new()));
                self.tables.len() - 1
            }
        };
        &mut self.tables[at].1
    }

    #[inline]
    pub fn candidates(&self, state: &[u32], found: &mut [u64]) {
        found.copy_from_slice(&self.always);
        for (slot, table) in &self.tables {
            if let Some(row) = table.get(state[*slot as usize] as usize) {
                for (word, more) in found.iter_mut().zip(row) {
                    *word |= more;
                }
            }
        }
    }
}

/// A test of one word that a guard begins with: slot, word, and whether undefined is a fault.
fn first_test(code: &Code, instance: &Instance) -> Option<(u32, u32, bool)> {
    // A larger table than this would cost more than it saves.
    const MOST_ROWS: u32 = 1024;
    if !instance.prelude.is_empty() {
        return None;
    }
    let mut node = instance.guard?;
    loop {
        match code.nodes[node as usize] {
            Node::All(start, _) => node = code.lists[start as usize],
            Node::Is(slot, word) if word < MOST_ROWS => return Some((slot, word, true)),
            Node::Word(slot, word) if word < MOST_ROWS => return Some((slot, word, false)),
            _ => return None,
        }
    }
}
