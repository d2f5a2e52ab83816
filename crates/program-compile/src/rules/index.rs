//! Finds the instances that may happen in a state by the words that their guards begin with.
//!
//! A guard is a list of conditions that are asked in order. As long as they ask about one word each, what they say of the words
//! is known before the search: for each word and each value of it the instances that are not ruled out. In a state these
//! sets are intersected, and only what is left is tried. Words are looked at by levels, what guards ask first before what they ask
//! second: a message that is not there has no value, but nobody asks for it where the channel is empty.
//! Invariant: an instance is left out only where its guard is false, and never where an earlier condition has no value.

use program::{Binary, Unary};

use super::code::{Address, Code, Node, NodeId};
use super::compile::Instance;
use super::run::compute;

/// Which instances are tried in a state.
#[derive(Debug)]
pub(crate) struct Index {
    /// 64-bit words of a set of instances.
    pub words: usize,
    /// All instances.
    all: Vec<u64>,
    /// For each level what its words say: for every instance at most one word of a level.
    levels: Vec<Vec<Table>>,
}

/// What a word of a state says of the instances that ask for it at one level.
#[derive(Debug)]
struct Table {
    at: u32,
    /// For each value the instances that it does not rule out.
    rows: Vec<Vec<u64>>,
    /// The same for all larger values.
    others: Vec<u64>,
    /// Instances that have no value where the word is undefined: they are tried, whatever words of later levels say.
    faults: Option<Vec<u64>>,
}

/// A larger table than this would cost more than it saves: rows, and 64-bit words.
const MOST_ROWS: usize = 1024;
const MOST_SIZE: usize = 1 << 15;
/// So many words of one guard are looked at: more rule out little.
const MOST_WORDS: usize = 3;

/// What a condition is for a value of its word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    True,
    False,
    Fault,
}

impl Index {
    pub fn new(code: &Code, instances: &[Instance], words: usize) -> Index {
        let sets = instances.len().div_ceil(64).max(1);
        let mut all = vec![0; sets];
        for at in 0..instances.len() {
            all[at / 64] |= 1u64 << (at % 64);
        }
        let most_rows = (MOST_SIZE / sets).min(MOST_ROWS);
        let asked: Vec<Vec<Asked>> = instances
            .iter()
            .map(|instance| leading(code, instance, (words, most_rows)))
            .collect();
        let mut levels: Vec<Vec<Table>> = Vec::new();
        for (number, asked) in asked.iter().enumerate() {
            for (level, own) in asked.iter().enumerate() {
                if levels.len() <= level {
                    levels.push(Vec::new());
                }
                let tables = &mut levels[level];
                let known = tables.iter().position(|table| table.at == own.at);
                let known = known.unwrap_or_else(|| {
                    tables.push(Table {
                        at: own.at,
                        rows: Vec::new(),
                        others: all.clone(),
                        faults: None,
                    });
                    tables.len() - 1
                });
                tables[known].rule_out(code, number, own);
            }
        }
        Index {
            words: sets,
            all,
            levels,
        }
    }

    #[inline]
    pub fn candidates(&self, state: &[u32], found: &mut [u64], faulty: &mut [u64]) {
        found.copy_from_slice(&self.all);
        faulty.fill(0);
        for tables in &self.levels {
            // Before anything of this level is ruled out: of an instance this level looks at one word.
            for table in tables {
                if let Some(faults) = &table.faults
                    && state[table.at as usize] == 0
                {
                    for ((faulty, more), left) in faulty.iter_mut().zip(faults).zip(&*found) {
                        *faulty |= more & left;
                    }
                }
            }
            for table in tables {
                let value = state[table.at as usize] as usize;
                let row = table.rows.get(value).unwrap_or(&table.others);
                for (word, kept) in found.iter_mut().zip(row) {
                    *word &= kept;
                }
            }
        }
        for (word, more) in found.iter_mut().zip(faulty) {
            *word |= *more;
        }
    }
}

/// The conditions about one word that a guard asks in a row.
struct Asked {
    at: u32,
    conditions: Vec<NodeId>,
}

impl Table {
    /// Removes an instance where its conditions on this word are false.
    fn rule_out(&mut self, code: &Code, number: usize, asked: &Asked) {
        let last = asked.conditions.iter().map(|node| last_row(code, *node));
        let rows = last.max().unwrap_or(0) as usize + 1;
        if self.rows.len() < rows {
            // What is the same for all larger values is so for these.
            self.rows.resize(rows, self.others.clone());
        }
        let (place, bit) = (number / 64, 1u64 << (number % 64));
        let count = self.rows.len() as u32;
        for value in 0..=count {
            let outcomes = asked
                .conditions
                .iter()
                .map(|node| outcome(code, *node, value));
            // What comes first decides.
            let decides = outcomes.into_iter().find(|found| *found != Outcome::True);
            let row = match self.rows.get_mut(value as usize) {
                Some(row) => row,
                None => &mut self.others,
            };
            match decides {
                None => {}
                Some(Outcome::Fault) => {
                    let sets = row.len();
                    let faults = self.faults.get_or_insert_with(|| vec![0; sets]);
                    faults[place] |= bit;
                }
                Some(_) => row[place] &= !bit,
            }
        }
    }
}

/// The conditions about one word each that a guard begins with, by word.
fn leading(code: &Code, instance: &Instance, within: (usize, usize)) -> Vec<Asked> {
    let (words, most_rows) = within;
    let mut found: Vec<Asked> = Vec::new();
    let guard = instance.guard.filter(|_| instance.prelude.is_empty());
    let mut left: Vec<NodeId> = guard.into_iter().collect();
    while let Some(node) = left.pop() {
        if let Node::All(start, count) = code.nodes[node as usize] {
            let parts = &code.lists[start as usize..(start + count) as usize];
            left.extend(parts.iter().rev());
            continue;
        }
        let is_small = (last_row(code, node) as usize) < most_rows;
        let at = word_of(code, node).filter(|at| is_small && (*at as usize) < words);
        let Some(at) = at else {
            break;
        };
        // A word that is asked for again: what was asked between may have no value.
        let comes_back = found.iter().rev().skip(1).any(|asked| asked.at == at);
        let is_full = found.len() >= MOST_WORDS;
        match found.last_mut() {
            _ if comes_back => break,
            Some(last) if last.at == at => last.conditions.push(node),
            _ if is_full => break,
            _ => found.push(Asked {
                at,
                conditions: vec![node],
            }),
        }
    }
    found
}

/// The one word that a condition asks about.
fn word_of(code: &Code, node: NodeId) -> Option<u32> {
    match code.nodes[node as usize] {
        Node::Is(at, _)
        | Node::IsNot(at, _)
        | Node::Word(at, _)
        | Node::NotWord(at, _)
        | Node::Load(at, _) => Some(at),
        Node::IsUndefined(address) => match code.addresses[address as usize] {
            Address::Fixed(at) => Some(at),
            _ => None,
        },
        Node::Unary(Unary::Not, inner) => match code.nodes[inner as usize] {
            Node::Load(at, _) => Some(at),
            Node::IsUndefined(_) => word_of(code, inner),
            _ => None,
        },
        Node::Binary(op, left, right) if is_order(op) => {
            compared(code, left, right).map(|found| found.at)
        }
        _ => None,
    }
}

fn is_order(op: Binary) -> bool {
    use Binary::{AtLeast, AtMost, Greater, Less};
    matches!(op, Less | AtMost | Greater | AtLeast)
}

/// A word that is compared with a number.
struct Compared {
    at: u32,
    /// What is added to the word.
    bias: i64,
    number: i64,
    /// Whether the number stands before the word.
    is_turned: bool,
}

fn compared(code: &Code, left: NodeId, right: NodeId) -> Option<Compared> {
    let (at, bias, number, is_turned) =
        match (code.nodes[left as usize], code.nodes[right as usize]) {
            (Node::Load(at, bias), Node::Constant(number)) => (at, bias, number, false),
            (Node::Constant(number), Node::Load(at, bias)) => (at, bias, number, true),
            _ => return None,
        };
    Some(Compared {
        at,
        bias,
        number,
        is_turned,
    })
}

impl Compared {
    /// Whether the comparison holds for a value of the word.
    fn holds(&self, op: Binary, word: u32) -> bool {
        let value = i64::from(word) + self.bias;
        let (left, right) = match self.is_turned {
            true => (self.number, value),
            false => (value, self.number),
        };
        compute(op, left, right) == Some(1)
    }
}

/// Beyond this value of its word a condition does not change.
fn last_row(code: &Code, node: NodeId) -> u32 {
    let row = match code.nodes[node as usize] {
        Node::Is(_, word) | Node::IsNot(_, word) | Node::Word(_, word) | Node::NotWord(_, word) => {
            i64::from(word)
        }
        Node::Load(_, bias) => -bias,
        Node::Unary(_, inner) => return last_row(code, inner),
        Node::Binary(_, left, right) => match compared(code, left, right) {
            Some(found) => found.number.saturating_sub(found.bias).saturating_add(1),
            None => 0,
        },
        _ => 0,
    };
    u32::try_from(row.max(0)).unwrap_or(u32::MAX)
}

/// What a condition is when its word has a value.
fn outcome(code: &Code, node: NodeId, word: u32) -> Outcome {
    let known = |holds: bool| match holds {
        true => Outcome::True,
        false => Outcome::False,
    };
    let defined = |holds: bool| match word {
        0 => Outcome::Fault,
        _ => known(holds),
    };
    let value = |bias: i64| i64::from(word) + bias;
    match code.nodes[node as usize] {
        Node::Is(_, wanted) => defined(word == wanted),
        Node::IsNot(_, wanted) => defined(word != wanted),
        Node::Word(_, wanted) => known(word == wanted),
        Node::NotWord(_, wanted) => known(word != wanted),
        Node::Load(_, bias) => defined(value(bias) != 0),
        Node::IsUndefined(_) => known(word == 0),
        Node::Unary(_, inner) => match outcome(code, inner, word) {
            Outcome::True => Outcome::False,
            Outcome::False => Outcome::True,
            Outcome::Fault => Outcome::Fault,
        },
        Node::Binary(op, left, right) => match compared(code, left, right) {
            Some(found) => defined(found.holds(op, word)),
            None => Outcome::Fault,
        },
        _ => Outcome::Fault,
    }
}
