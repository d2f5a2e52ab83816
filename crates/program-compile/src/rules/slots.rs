//! How the words of a state become slots: one each, several in one slot, or one slot for what permutations move together.
//!
//! The machine works on words; engines see slots. Fewer slots are hashed and stored faster, more slots tell reads and
//! writes apart, and where an array is indexed by interchangeable elements all of its words of one kind (a *family*, such
//! as `p[·].state`) are one slot, so that permuting changes a slot's word and never its place.
//! Invariant: equal states have equal slots. A family that does not fit 32 bits is kept in a table and known by its number.

use std::cmp::Ordering;
use std::sync::{PoisonError, RwLock};

use program::{Program, Ty, TyId};

use super::layout::Layout;
use super::moving::Moving;
use super::points::Points;
use super::table::Table;

/// How the words of a state become slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// One slot for each word.
    #[default]
    Words,
    /// As many words in a slot as fit.
    Packed,
    /// One slot for each family, the rest packed: states can be permuted.
    Families,
}

/// All slots of a state.
#[derive(Debug)]
pub(crate) struct Slots {
    pub list: Vec<Slot>,
    /// The slot of each word.
    pub of_word: Vec<u32>,
}

/// A slot.
#[derive(Debug)]
pub(crate) struct Slot {
    /// Its words, first to last, with the bits of each.
    pub words: Vec<(u32, u8)>,
    /// How its words are kept.
    kept: Kept,
    /// What permutations move in it.
    pub family: Option<Family>,
}

#[derive(Debug)]
enum Kept {
    /// The word itself.
    Plain,
    /// Side by side.
    Packed,
    /// In a table.
    Interned(RwLock<Table>),
}

/// The words of one kind in an array over interchangeable elements.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    /// The types of the indices that permutations move, outermost first.
    pub indices: Vec<TyId>,
    /// What stands at each index.
    pub leaf: TyId,
    /// The words of it.
    pub leaf_words: u32,
    /// Where permutations move them.
    pub moving: Moving,
}

impl Slots {
    /// The slots of a program's states.
    pub fn new(program: &Program, layout: &Layout, points: &Points, form: Form) -> Slots {
        let mut bits = Vec::with_capacity(layout.words as usize);
        for (_, variable) in program.variables.iter() {
            word_bits(program, layout, variable.ty, &mut bits);
        }
        let mut list = Vec::new();
        match form {
            Form::Words => {
                list.extend((0..layout.words).map(|word| plain(word, bits[word as usize])))
            }
            Form::Packed => pack(
                (0..layout.words).map(|word| (word, bits[word as usize])),
                &mut list,
            ),
            Form::Families => {
                let mut builder = Builder {
                    program,
                    layout,
                    points,
                    bits: &bits,
                    list: Vec::new(),
                    rest: Vec::new(),
                };
                for (id, variable) in program.variables.iter() {
                    let start = layout.variables[id.index()];
                    builder.walk(variable.ty, vec![start], &mut Vec::new());
                }
                let (families, rest) = (builder.list, builder.rest);
                pack(rest.into_iter(), &mut list);
                list.extend(families);
            }
        }
        let mut of_word = vec![0; layout.words as usize];
        for (at, slot) in list.iter().enumerate() {
            for (word, _) in &slot.words {
                of_word[*word as usize] = at as u32;
            }
        }
        Slots { list, of_word }
    }

    /// For each slot the bits that its words fit in.
    pub fn widths(&self) -> Vec<u8> {
        let width = |slot: &Slot| match slot.kept {
            Kept::Interned(_) => u32::BITS as u8,
            Kept::Plain | Kept::Packed => slot.words.iter().map(|(_, bits)| *bits).sum(),
        };
        self.list.iter().map(width).collect()
    }

    /// Puts the words of a slot in their places; `false` when its word stands for no value, which then is not read.
    #[inline]
    pub fn load(&self, slot: usize, word: u32, memory: &mut [u32]) -> bool {
        let slot = &self.list[slot];
        match &slot.kept {
            Kept::Plain => memory[slot.words[0].0 as usize] = word,
            Kept::Packed => {
                let mut rest = word;
                for (at, bits) in &slot.words {
                    memory[*at as usize] = rest & ((1 << bits) - 1);
                    rest >>= bits;
                }
            }
            Kept::Interned(table) => {
                let table = table.read().unwrap_or_else(PoisonError::into_inner);
                let Some(found) = table.get(word) else {
                    return false;
                };
                for ((at, _), value) in slot.words.iter().zip(found) {
                    memory[*at as usize] = *value;
                }
            }
        }
        true
    }

    /// The word of a slot whose words are in their places.
    #[inline]
    pub fn store(&self, slot: usize, memory: &[u32]) -> u32 {
        let found = &self.list[slot];
        match &found.kept {
            Kept::Plain => memory[found.words[0].0 as usize],
            Kept::Packed => {
                let (mut word, mut shift) = (0, 0);
                for (at, bits) in &found.words {
                    word |= memory[*at as usize] << shift;
                    shift += u32::from(*bits);
                }
                word
            }
            Kept::Interned(_) => with_words(found.words.len(), |words| {
                for (word, (at, _)) in words.iter_mut().zip(&found.words) {
                    *word = memory[*at as usize];
                }
                self.number(slot, words)
            }),
        }
    }

    /// The words of a slot, in order.
    pub fn unpack(&self, slot: usize, word: u32, out: &mut Vec<u32>) {
        let found = &self.list[slot];
        out.clear();
        match &found.kept {
            Kept::Plain => out.push(word),
            Kept::Packed => {
                let mut rest = word;
                for (_, bits) in &found.words {
                    out.push(rest & ((1 << bits) - 1));
                    rest >>= bits;
                }
            }
            Kept::Interned(table) => {
                let table = table.read().unwrap_or_else(PoisonError::into_inner);
                out.extend_from_slice(table.at(word));
            }
        }
    }

    /// The same into a place with as many words.
    #[inline]
    pub fn unpack_into(&self, slot: usize, word: u32, out: &mut [u32]) {
        let found = &self.list[slot];
        match &found.kept {
            Kept::Plain => out[0] = word,
            Kept::Packed => {
                let mut rest = word;
                for (value, (_, bits)) in out.iter_mut().zip(&found.words) {
                    *value = rest & ((1 << bits) - 1);
                    rest >>= bits;
                }
            }
            Kept::Interned(table) => {
                let table = table.read().unwrap_or_else(PoisonError::into_inner);
                out.copy_from_slice(table.at(word));
            }
        }
    }

    /// Compares what two words of a slot stand for.
    pub fn compare(&self, slot: usize, a: u32, b: u32) -> Ordering {
        match &self.list[slot].kept {
            Kept::Plain | Kept::Packed => a.cmp(&b),
            Kept::Interned(_) if a == b => Ordering::Equal,
            Kept::Interned(table) => {
                let table = table.read().unwrap_or_else(PoisonError::into_inner);
                table.at(a).cmp(table.at(b))
            }
        }
    }

    /// Whether a slot's words are in a table.
    #[inline]
    pub fn is_in_table(&self, slot: usize) -> bool {
        matches!(self.list[slot].kept, Kept::Interned(_))
    }

    /// The bits of each word of a slot in which words of one type stand side by side.
    #[inline]
    pub fn bits(&self, slot: usize) -> Option<u32> {
        let found = &self.list[slot];
        matches!(found.kept, Kept::Packed).then(|| u32::from(found.words[0].1))
    }

    /// The word of a slot with these words in it.
    pub fn pack(&self, slot: usize, words: &[u32]) -> u32 {
        let found = &self.list[slot];
        match &found.kept {
            Kept::Plain => words[0],
            Kept::Packed => {
                let (mut word, mut shift) = (0, 0);
                for (value, (_, bits)) in words.iter().zip(&found.words) {
                    word |= value << shift;
                    shift += u32::from(*bits);
                }
                word
            }
            Kept::Interned(_) => self.number(slot, words),
        }
    }

    fn number(&self, slot: usize, words: &[u32]) -> u32 {
        let Kept::Interned(table) = &self.list[slot].kept else {
            unreachable!("only tables give numbers")
        };
        let known = table.read().unwrap_or_else(PoisonError::into_inner);
        match known.find(words) {
            Ok(number) => number,
            Err(_) => {
                drop(known);
                let mut table = table.write().unwrap_or_else(PoisonError::into_inner);
                table.number(words)
            }
        }
    }

    /// The bytes of all tables.
    pub fn bytes(&self) -> u64 {
        let tables = self.list.iter().filter_map(|slot| match &slot.kept {
            Kept::Interned(table) => {
                let table = table.read().unwrap_or_else(PoisonError::into_inner);
                Some(table.bytes())
            }
            _ => None,
        });
        tables.sum()
    }

    /// The tables, for a checkpoint: for each its length, then its values.
    pub fn save(&self) -> Vec<u8> {
        let mut saved = Vec::new();
        for slot in &self.list {
            if let Kept::Interned(table) = &slot.kept {
                let table = table.read().unwrap_or_else(PoisonError::into_inner);
                saved.extend((table.len() as u32).to_le_bytes());
                let words = table.words().iter();
                words.for_each(|word| saved.extend(word.to_le_bytes()));
            }
        }
        saved
    }

    /// Takes tables back.
    pub fn restore(&self, saved: &[u8]) -> Result<(), String> {
        let mut numbers = saved
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| u32::from_le_bytes(*bytes));
        let mut next = || {
            numbers
                .next()
                .ok_or_else(|| "the tables of the program are cut short".to_string())
        };
        for slot in &self.list {
            if let Kept::Interned(table) = &slot.kept {
                let mut table = table.write().unwrap_or_else(PoisonError::into_inner);
                for _ in 0..next()? {
                    let words = slot.words.iter().map(|_| next());
                    let words: Vec<u32> = words.collect::<Result<_, _>>()?;
                    table.number(&words);
                }
            }
        }
        Ok(())
    }
}

/// So many words are put together without asking for memory.
const FEW: usize = 128;

/// Does something with so many words, which are 0.
#[inline]
pub(crate) fn with_words<T>(count: usize, work: impl FnOnce(&mut [u32]) -> T) -> T {
    match count <= FEW {
        true => work(&mut [0; FEW][..count]),
        false => work(&mut vec![0; count]),
    }
}

fn plain(word: u32, bits: u8) -> Slot {
    Slot {
        words: vec![(word, bits)],
        kept: Kept::Plain,
        family: None,
    }
}

/// Packs words as they come.
fn pack(words: impl Iterator<Item = (u32, u8)>, list: &mut Vec<Slot>) {
    let mut open: Vec<(u32, u8)> = Vec::new();
    let mut used = 0;
    let mut close = |open: &mut Vec<(u32, u8)>| {
        let words = std::mem::take(open);
        let kept = if words.len() == 1 {
            Kept::Plain
        } else {
            Kept::Packed
        };
        if !words.is_empty() {
            list.push(Slot {
                words,
                kept,
                family: None,
            });
        }
    };
    for (word, bits) in words {
        // Packing leaves one bit free, so that shifts stay within a word.
        if used + u32::from(bits) > 31 {
            close(&mut open);
            used = 0;
        }
        open.push((word, bits));
        used += u32::from(bits);
    }
    close(&mut open);
}

/// The bits of each word of a type.
fn word_bits(program: &Program, layout: &Layout, ty: TyId, bits: &mut Vec<u8>) {
    match program.types.get(ty) {
        Ty::Array { index, element } => {
            for _ in 0..layout.ty(*index).count() {
                word_bits(program, layout, *element, bits);
            }
        }
        Ty::Record(record) => {
            for (_, field) in &program.types.records[*record].fields {
                word_bits(program, layout, *field, bits);
            }
        }
        Ty::Multiset { capacity, element } => {
            for _ in 0..*capacity {
                bits.push(1);
                word_bits(program, layout, *element, bits);
            }
        }
        _ => {
            let layout = layout.ty(ty);
            let most = layout
                .ranges
                .last()
                .map_or(1, |(_, high)| (high - layout.bias) as u64);
            bits.push((64 - most.leading_zeros()) as u8);
        }
    }
}

/// Finds families.
struct Builder<'b> {
    program: &'b Program,
    layout: &'b Layout,
    points: &'b Points,
    bits: &'b [u8],
    list: Vec<Slot>,
    /// Words that no permutation concerns.
    rest: Vec<(u32, u8)>,
}

impl Builder<'_> {
    /// Goes down a type; `starts` are the first words of its copies, one for each value of the indices so far.
    fn walk(&mut self, ty: TyId, starts: Vec<u32>, indices: &mut Vec<TyId>) {
        let program = self.program;
        match program.types.get(ty) {
            Ty::Array { index, element } => {
                let stride = self.layout.ty(*element).words;
                let count = self.layout.ty(*index).count() as u32;
                if self.points.holds(program, *index) {
                    let inner = starts
                        .iter()
                        .flat_map(|start| (0..count).map(move |at| start + at * stride));
                    indices.push(*index);
                    self.walk(*element, inner.collect(), indices);
                    indices.pop();
                } else {
                    for at in 0..count {
                        let inner = starts.iter().map(|start| start + at * stride).collect();
                        self.walk(*element, inner, indices);
                    }
                }
            }
            Ty::Record(record) => {
                let mut distance = 0;
                for (_, field) in &program.types.records[*record].fields {
                    let inner = starts.iter().map(|start| start + distance).collect();
                    self.walk(*field, inner, indices);
                    distance += self.layout.ty(*field).words;
                }
            }
            _ => self.leaf(ty, &starts, indices),
        }
    }

    fn leaf(&mut self, ty: TyId, starts: &[u32], indices: &[TyId]) {
        let leaf_words = self.layout.ty(ty).words;
        let words = starts
            .iter()
            .flat_map(|start| (*start..start + leaf_words).map(|at| (at, self.bits[at as usize])));
        let words: Vec<(u32, u8)> = words.collect();
        if indices.is_empty() && !self.points.holds(self.program, ty) {
            self.rest.extend(words);
            return;
        }
        let bits: u32 = words.iter().map(|(_, bits)| u32::from(*bits)).sum();
        let kept = match (words.len(), bits) {
            (1, _) => Kept::Plain,
            (_, ..=31) => Kept::Packed,
            _ => Kept::Interned(RwLock::new(Table::new(words.len()))),
        };
        let family = Family {
            indices: indices.to_vec(),
            leaf: ty,
            leaf_words,
            moving: Moving::new(self.program, self.layout, self.points, indices, ty),
        };
        self.list.push(Slot {
            words,
            kept,
            family: Some(family),
        });
    }
}
