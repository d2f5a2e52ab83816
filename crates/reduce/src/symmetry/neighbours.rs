//! Exchanges of two columns, as data for engines that work on sets of states: which slots an exchange concerns, and whether
//! it makes a state smaller.
//!
//! A *column* is an element, or a process, with the slots and values that belong to it. Sorting columns by exchanges of
//! neighbours gives one representative for each orbit where a state is no more than its columns and what they share.
//! Paper: [Emerson, Wahl 2005], dynamic symmetry reduction: swap neighbours while they are out of order.
//! Differs: an exchange is compared by *blocks*, groups of slots that it maps to themselves; so columns may have any number
//! of slots, and slots that hold points are compared by where each is held ("x = i" is a bit of column i).
//! Invariant: an exchange is a symmetry of states in which no word hides points ([`Neighbours::hides`]), so a representative is always a
//! permutation of its state. Where columns hold each other, a state may have several representatives, and
//! [`Neighbours::finds_several`] says so.

mod exchanges;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use pins::permutations::Tree;
use pins::symmetry::{hides, permuted, points};
use pins::{Permute, System};

use super::acting::Acting;
use super::contexts::{Contexts, Held};
use exchanges::{of_elements, of_processes};

/// Which columns are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// Each with the next one: sorting.
    Neighbours,
    /// The first with each other one: its least goes to the front.
    WithFirst,
}

/// All exchanges of a system.
pub struct Neighbours<'a> {
    means: Means<'a>,
    families: Vec<Vec<Exchange>>,
    slots: usize,
    /// Whether a representative was found that need not be the only one.
    several: AtomicBool,
}

enum Means<'a> {
    Elements(&'a dyn Permute),
    Acting(Box<Acting<'a>>),
}

/// An exchange of two columns, or a permutation that generates others.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The image of every point.
    pub images: Vec<u32>,
    /// The slots it concerns, most significant first.
    pub blocks: Vec<Block>,
    /// The points of the first column.
    pub(crate) first: Vec<u32>,
    /// The points of the second column.
    pub(crate) second: Vec<u32>,
}

/// Slots that an exchange maps to themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The slots; of two columns, that of the first one first.
    pub slots: Vec<usize>,
    kind: Kind,
    /// What it is about: a family of slots that columns have, or a slot. The same in all exchanges of a family of columns.
    about: usize,
}

impl Block {
    /// Whether it is one slot of each column, or several.
    pub fn is_of_columns(&self) -> bool {
        self.kind == Kind::Pair
    }

    /// Whether its slots stay where they are.
    pub(crate) fn is_shared(&self) -> bool {
        self.kind == Kind::Shared
    }
}

/// How a block is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// One slot of each column, or several, those of the first and the second column in turn.
    Pair,
    /// Slots that stay where they are and may hold columns.
    Shared,
    /// Anything else.
    Mixed,
}

impl<'a> Neighbours<'a> {
    /// The exchanges of a system; `None` when nothing can be exchanged.
    pub fn new(system: &'a dyn System, pairs: Pairs) -> Option<Neighbours<'a>> {
        let slots = system.shape().slots.len();
        let mut found = match (system.symmetry(), system.action()) {
            (Some(permute), _) => Neighbours {
                families: of_elements(permute, slots, pairs)?,
                means: Means::Elements(permute),
                slots,
                several: AtomicBool::new(false),
            },
            (None, Some(action)) => {
                let acting = Acting::holding_ends(action)?;
                let families = of_processes(&acting, pairs);
                let several = AtomicBool::new(acting.columns.is_none());
                Neighbours {
                    means: Means::Acting(Box::new(acting)),
                    families,
                    slots,
                    several,
                }
            }
            (None, None) => return None,
        };
        if pairs == Pairs::WithFirst {
            *found.several.get_mut() = true;
        }
        (!found.families.is_empty()).then_some(found)
    }

    /// Brings blocks into the order in which they are compared, and puts those together that follow each other and are slots of columns.
    /// Compares columns first by what tells them apart most often in these states. Sorted by a number that each column has for itself (a ticket,
    /// a seat), columns stand in its order and what else they hold is free; sorted by that first, the numbers would be in any order. What is
    /// told apart equally often keeps its order, and what is compared plainly comes last: looking at it would say that there are several
    /// representatives.
    pub fn arrange(&mut self, sample: &[Vec<u32>]) {
        for number in 0..self.families.len() {
            let mut told: BTreeMap<(Kind, usize), u32> = BTreeMap::new();
            for exchange in &self.families[number] {
                let blocks = exchange.blocks.iter();
                for block in blocks.filter(|block| block.kind != Kind::Mixed) {
                    let differs = sample
                        .iter()
                        .filter(|state| self.tells(exchange, block, state));
                    *told.entry((block.kind, block.about)).or_default() += differs.count() as u32;
                }
            }
            for exchange in &mut self.families[number] {
                let often = |block: &Block| told.get(&(block.kind, block.about)).copied();
                exchange.blocks.sort_by_key(|block| {
                    (block.kind == Kind::Mixed, std::cmp::Reverse(often(block)))
                });
                let blocks = std::mem::take(&mut exchange.blocks);
                for block in blocks {
                    match exchange.blocks.last_mut() {
                        Some(last) if last.kind == Kind::Pair && block.kind == Kind::Pair => {
                            last.slots.extend(block.slots);
                        }
                        _ => exchange.blocks.push(block),
                    }
                }
            }
        }
    }

    /// Takes a block of several slots of each column apart; whether there was anything to take apart.
    pub fn take_apart(&mut self, (family, at): (usize, usize), block: usize) -> bool {
        let blocks = &mut self.families[family][at].blocks;
        if blocks[block].kind != Kind::Pair || blocks[block].slots.len() <= 2 {
            return false;
        }
        let whole = blocks.remove(block);
        let parts = whole.slots.chunks_exact(2).map(|slots| Block {
            slots: slots.to_vec(),
            ..whole.clone()
        });
        let parts: Vec<Block> = parts.collect();
        blocks.splice(block..block, parts);
        true
    }

    /// Whether an exchange changes a block of a state.
    fn tells(&self, exchange: &Exchange, block: &Block, state: &[u32]) -> bool {
        let words: Vec<u32> = block.slots.iter().map(|slot| state[*slot]).collect();
        self.image(exchange, block, &words) != words
    }

    /// The exchanges of each family of columns.
    pub fn families(&self) -> &[Vec<Exchange>] {
        &self.families
    }

    /// Whether some orbit may have more than one representative.
    pub fn finds_several(&self) -> bool {
        self.several.load(Relaxed)
    }

    /// Whether the orbit of every state that can be reached holds only such states.
    pub fn keeps_start(&self) -> bool {
        match &self.means {
            Means::Elements(_) => true,
            Means::Acting(acting) => acting.action.keeps_start,
        }
    }

    /// States are permuted only where each of these slots has one of its values; `None` when that is not about whole slots.
    pub fn conditions(&self) -> Option<Vec<(usize, &[u32])>> {
        let Means::Acting(acting) = &self.means else {
            return Some(Vec::new());
        };
        let conditions = acting.action.conditions.iter();
        conditions
            .map(|(field, values)| (field.mask == u32::MAX).then_some((field.slot, &values[..])))
            .collect()
    }

    /// Whether every state can be permuted that holds no words that hide points.
    pub fn is_unconditional(&self) -> bool {
        match &self.means {
            Means::Elements(_) => true,
            Means::Acting(acting) => acting.action.conditions.is_empty(),
        }
    }

    /// Whether a state can be permuted.
    pub fn applies(&self, state: &[u32]) -> bool {
        match &self.means {
            Means::Elements(_) => true,
            Means::Acting(acting) => acting.action.applies(state),
        }
    }

    /// The permutation that changes nothing.
    pub fn identity(&self) -> Vec<u32> {
        let points = match &self.means {
            Means::Elements(permute) => points(permute.sorts()),
            Means::Acting(acting) => acting.points(),
        };
        (0..points as u32).collect()
    }

    /// A state with its points permuted.
    pub fn apply(&self, images: &[u32], state: &[u32]) -> Vec<u32> {
        match &self.means {
            Means::Elements(permute) => permuted(*permute, state, images),
            Means::Acting(acting) => {
                let mut out = Vec::new();
                acting.apply(images, state, &mut out);
                out
            }
        }
    }

    /// Whether an exchange makes a state smaller.
    pub fn is_greater(&self, exchange: &Exchange, state: &[u32]) -> bool {
        let mut blocks = exchange.blocks.iter().map(|block| {
            let words: Vec<u32> = block.slots.iter().map(|slot| state[*slot]).collect();
            self.compare(exchange, block, &words).0
        });
        blocks.find(|order| order.is_ne()) == Some(Ordering::Greater)
    }

    /// How the words of a block compare with what the exchange makes of them, and that.
    pub fn compare(
        &self,
        exchange: &Exchange,
        block: &Block,
        words: &[u32],
    ) -> (Ordering, Vec<u32>) {
        let image = self.image(exchange, block, words);
        let order = match block.kind {
            _ if image == words => Ordering::Equal,
            Kind::Pair => self.compare_pair(exchange, block, words, &image),
            Kind::Shared => self.compare_shared(exchange, block, words, &image),
            Kind::Mixed => self.compare_plainly(words, &image),
        };
        (order, image)
    }

    fn image(&self, exchange: &Exchange, block: &Block, words: &[u32]) -> Vec<u32> {
        match &self.means {
            Means::Elements(permute) => {
                let moved = block.slots.iter().zip(words);
                let moved = moved.map(|(slot, word)| match permute.moves(*slot) {
                    true => permute.permute(*slot, *word, &exchange.images),
                    false => *word,
                });
                let moved: Vec<u32> = moved.collect();
                match block.kind {
                    Kind::Shared => moved,
                    Kind::Pair => {
                        let mut image = moved;
                        image.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
                        image
                    }
                    Kind::Mixed => {
                        let places = permute.places();
                        let mut image = moved.clone();
                        for (slot, word) in block.slots.iter().zip(&moved) {
                            let target = places[*slot].permuted(&exchange.images);
                            let at = block.slots.iter().position(|s| places[*s] == target);
                            image[at.expect("a block is closed")] = *word;
                        }
                        image
                    }
                }
            }
            Means::Acting(acting) => {
                let mut vector = vec![0; self.slots];
                for (slot, word) in block.slots.iter().zip(words) {
                    vector[*slot] = *word;
                }
                let mut out = Vec::new();
                acting.apply(&exchange.images, &vector, &mut out);
                block.slots.iter().map(|slot| out[*slot]).collect()
            }
        }
    }

    /// By number. Nothing says that this order is the same for all exchanges.
    fn compare_plainly(&self, words: &[u32], image: &[u32]) -> Ordering {
        self.several.store(true, Relaxed);
        words.cmp(image)
    }

    /// By what the slot of each column holds, a point of its own column being the same in both.
    fn compare_pair(
        &self,
        exchange: &Exchange,
        block: &Block,
        words: &[u32],
        image: &[u32],
    ) -> Ordering {
        let rank = |at: usize, own: &[u32]| match self.held(block.slots[at], words[at]) {
            Held::Nothing => Some((0, words[at])),
            Held::Points(points) => match &points[..] {
                [(point, context)] if context.is_empty() => {
                    let at = own.iter().position(|own| own == point);
                    at.map(|at| (1, at as u32))
                }
                _ => None,
            },
            Held::Hidden => None,
        };
        for at in (0..words.len()).step_by(2) {
            let order = match (rank(at, &exchange.first), rank(at + 1, &exchange.second)) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => self.compare_plainly(&words[at..at + 2], &image[at..at + 2]),
            };
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }

    /// By the contexts in which the columns are held: where the first one is held and the second is not, the state is smaller.
    fn compare_shared(
        &self,
        exchange: &Exchange,
        block: &Block,
        words: &[u32],
        image: &[u32],
    ) -> Ordering {
        let differs = (0..words.len()).find(|at| words[*at] != image[*at]);
        let Some(at) = differs else {
            return Ordering::Equal;
        };
        let Held::Points(points) = self.held(block.slots[at], words[at]) else {
            return self.compare_plainly(words, image);
        };
        let contexts = |point: &u32| Held::contexts(&points, *point);
        // Among the points at one position of both columns, the first that stand in different contexts.
        let pairs = exchange.first.iter().zip(&exchange.second);
        let mut orders = pairs.map(|(a, b)| contexts(b).cmp(&contexts(a)));
        let order = orders.find(|order| order.is_ne());
        order.unwrap_or_else(|| self.compare_plainly(words, image))
    }

    /// Whether words of a slot may hold points, apart from those that [hide](Neighbours::hides) some.
    pub(crate) fn may_hold(&self, slot: usize) -> bool {
        match &self.means {
            Means::Elements(permute) => permute.changes(slot),
            Means::Acting(acting) => {
                let mut cells = acting.action.cells.iter();
                cells.any(|cell| cell.field.slot == slot && cell.table.is_some())
            }
        }
    }

    /// The slots with words that may hide points.
    pub fn hiding(&self) -> Vec<usize> {
        match &self.means {
            Means::Elements(permute) => {
                (0..self.slots).filter(|at| permute.may_hide(*at)).collect()
            }
            Means::Acting(_) => Vec::new(),
        }
    }

    /// Whether a slot's word hides points, so that a state with it cannot be permuted.
    pub fn hides(&self, slot: usize, word: u32) -> bool {
        match &self.means {
            Means::Elements(permute) => hides(*permute, slot, word),
            Means::Acting(_) => false,
        }
    }

    /// What a slot's word holds.
    pub(crate) fn held(&self, slot: usize, word: u32) -> Held {
        match &self.means {
            Means::Elements(permute) => {
                if !permute.moves(slot) {
                    return Held::Nothing;
                }
                let mut shown = Tree::default();
                match permute.view(slot, word, &mut shown) {
                    true => Contexts(&shown).held(),
                    false => Held::Hidden,
                }
            }
            Means::Acting(acting) => match acting.points_in(slot, word) {
                points if points.is_empty() => Held::Nothing,
                points => {
                    let mut alone: Vec<_> = points.into_iter().map(|p| (p, Vec::new())).collect();
                    alone.sort();
                    Held::Points(alone)
                }
            },
        }
    }
}
