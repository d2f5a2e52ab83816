//! States in fewer words: the slots of an engine packed by the bits that their values need.
//!
//! A store keeps and compares whole words, so short vectors are fast; what influences what is seen best with one word for each
//! variable. The caller says what it needs ([`Packing`]); engines always work on one word for each slot and pack what they give.
//! Invariant: packing is one to one: equal states have equal packed vectors and no others do.

use base::Name;
use pins::SlotSet;
use program::Program;

use super::code::Cut;
use super::layout::{Home, Layout, cells, cut};

/// How state vectors hold values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// One word for each simple variable: reads and writes are exact.
    #[default]
    Separate,
    /// As few words as the types allow.
    Tight,
}

/// Where a slot stands in a packed vector.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    mask: u32,
    /// The bit that is a sign, of values that have one.
    sign: u32,
    /// The bits of the location, of control words.
    location: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    /// The highest of so many bits is a sign.
    Signed(u32),
    /// Kind and location of a process: the location takes so many bits.
    Control(u32),
}

/// How vectors are packed.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    fields: Vec<Field>,
    /// The slots that are control words.
    controls: Vec<u32>,
    /// For each word of a vector the slot after the last that it holds.
    ends: Vec<u32>,
    /// Words of a vector.
    pub words: usize,
}

impl Packed {
    /// The tightest packing of a layout's slots.
    pub fn new(program: &Program, layout: &Layout) -> Packed {
        let (mut word, mut used) = (0, 0);
        let (mut fields, mut controls, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for (bits, form) in widths(program, layout) {
            if used + bits > 32 {
                (word, used) = (word + 1, 0);
                ends.push(fields.len() as u32);
            }
            if let Form::Control(_) = form {
                controls.push(fields.len() as u32);
            }
            fields.push(Field {
                word,
                shift: used,
                mask: u32::MAX >> (32 - bits),
                sign: match form {
                    Form::Signed(bits) => 1 << (bits - 1),
                    _ => 0,
                },
                location: match form {
                    Form::Control(bits) => bits,
                    _ => 0,
                },
            });
            used += bits;
        }
        if !fields.is_empty() {
            ends.push(fields.len() as u32);
        }
        Packed {
            words: ends.len(),
            fields,
            controls,
            ends,
        }
    }

    /// The word of a slot in a packed vector.
    pub fn get(&self, vector: &[u32], slot: usize) -> u32 {
        self.fields[slot].unpack(vector)
    }

    /// The bits of a vector that hold a slot.
    pub fn field(&self, slot: usize) -> pins::action::Field {
        let field = &self.fields[slot];
        pins::action::Field {
            slot: field.word as usize,
            shift: field.shift,
            mask: field.mask,
        }
    }

    /// What these bits are for a word of the slot.
    pub fn bits(&self, slot: usize, word: u32) -> u32 {
        self.fields[slot].bits(word)
    }

    /// Unpacks a vector.
    pub fn unpack(&self, vector: &[u32], words: &mut [u32]) {
        for (field, word) in self.fields.iter().zip(words.iter_mut()) {
            *word = field.plain(vector);
        }
        for slot in &self.controls {
            let slot = *slot as usize;
            words[slot] = super::layout::from_compact(words[slot], self.fields[slot].location);
        }
    }

    /// Unpacks a vector where it differs from the one that was unpacked last, which it replaces; `changed` is told each slot and
    /// its word.
    #[inline]
    pub fn unpack_again(
        &self,
        vector: &[u32],
        last: &mut [u32],
        mut changed: impl FnMut(usize, u32),
    ) {
        let mut first = 0;
        for ((new, old), end) in vector.iter().zip(last).zip(&self.ends) {
            let end = *end as usize;
            if new != old {
                *old = *new;
                for slot in first..end {
                    changed(slot, self.fields[slot].taken_from(*new));
                }
            }
            first = end;
        }
    }

    /// Packs words into a vector.
    pub fn pack(&self, words: &[u32]) -> Vec<u32> {
        let mut vector = vec![0; self.words];
        for (field, word) in self.fields.iter().zip(words) {
            field.pack(*word, &mut vector);
        }
        vector
    }

    /// Packs the words that differ from those a vector was unpacked to.
    #[inline]
    pub fn update(&self, from: &[u32], to: &[u32], vector: &mut [u32]) {
        let (from_chunks, from_rest) = from.as_chunks::<8>();
        let (to_chunks, to_rest) = to.as_chunks::<8>();
        // Most words are equal: eight are compared at once.
        for (at, (from, to)) in from_chunks.iter().zip(to_chunks).enumerate() {
            if from != to {
                self.update_part(at * 8, from, to, vector);
            }
        }
        self.update_part(from_chunks.len() * 8, from_rest, to_rest, vector);
    }

    /// The same, where only some words may differ.
    #[inline]
    pub fn update_some(&self, slots: &[u32], (from, to): (&[u32], &[u32]), vector: &mut [u32]) {
        for slot in slots {
            let slot = *slot as usize;
            if from[slot] != to[slot] {
                self.fields[slot].pack(to[slot], vector);
            }
        }
    }

    #[inline]
    fn update_part(&self, first: usize, from: &[u32], to: &[u32], vector: &mut [u32]) {
        for (at, (from, to)) in from.iter().zip(to).enumerate() {
            if from != to {
                self.fields[first + at].pack(*to, vector);
            }
        }
    }

    /// The words that hold some slots.
    pub fn words_of(&self, slots: &SlotSet) -> SlotSet {
        let mut words = SlotSet::new();
        for slot in slots.iter() {
            words.insert(self.fields[slot].word as usize);
        }
        words
    }

    /// What the words hold.
    pub fn names(&self, slots: &[Name]) -> Vec<Name> {
        let mut names: Vec<Vec<&str>> = vec![Vec::new(); self.words];
        for (field, name) in self.fields.iter().zip(slots) {
            names[field.word as usize].push(name.as_str());
        }
        names
            .iter()
            .map(|names| Name::new(&names.join(" ")))
            .collect()
    }
}

impl Field {
    /// Its word, which a control word is only in part.
    #[inline]
    fn plain(self, vector: &[u32]) -> u32 {
        self.part(vector[self.word as usize])
    }

    #[inline]
    fn part(self, word: u32) -> u32 {
        let bits = word >> self.shift & self.mask;
        (bits ^ self.sign).wrapping_sub(self.sign)
    }

    /// What a slot holds, by the word that it is packed in.
    #[inline]
    fn taken_from(self, word: u32) -> u32 {
        match self.location {
            0 => self.part(word),
            bits => super::layout::from_compact(self.part(word), bits),
        }
    }

    fn unpack(self, vector: &[u32]) -> u32 {
        self.taken_from(vector[self.word as usize])
    }

    #[inline]
    fn bits(self, word: u32) -> u32 {
        match self.location {
            0 => word & self.mask,
            bits => super::layout::to_compact(word, bits),
        }
    }

    #[inline]
    fn pack(self, word: u32, vector: &mut [u32]) {
        let bits = self.bits(word);
        let place = &mut vector[self.word as usize];
        *place = *place & !(self.mask << self.shift) | bits << self.shift;
    }
}

/// For each slot how many bits its values need, and what the bits mean.
fn widths(program: &Program, layout: &Layout) -> Vec<(u32, Form)> {
    let mut widths = vec![(32, Form::Plain); layout.slots];
    for (id, variable) in program.variables.iter() {
        if let Home::Words(first) = layout.global(id)
            && *first < layout.slots
        {
            let last = first + cells(program, variable.ty);
            fill(program, variable.ty, &mut widths[*first..last]);
        }
    }
    if let Some(slot) = layout.last {
        widths[slot] = (8, Form::Plain);
    }
    if let (Some(slot), Some(observer)) = (layout.observer, &program.observer) {
        widths[slot] = (bits(observer.graph.locations.len()), Form::Plain);
    }
    for region in &layout.processes {
        let kinds = region.kinds.iter();
        let locations = kinds.map(|kind| program.proctypes[*kind].graph.locations.len());
        let locations = bits(locations.max().unwrap_or(0));
        let kinds = region.kinds.iter().map(|kind| kind.index() + 1);
        let control = locations + bits(kinds.max().unwrap_or(0));
        widths[region.control] = (control.min(32), Form::Control(locations));
        if let Some(slot) = region.priority {
            widths[slot] = (8, Form::Plain);
        }
        // Several kinds of process share the slots: each slot has the widest of them.
        for slot in &mut widths[region.variables..region.variables + region.size] {
            *slot = (0, Form::Plain);
        }
        for kind in &region.kinds {
            let mut own = vec![(0, Form::Plain); region.size];
            let mut at = 0;
            for (_, variable) in program.proctypes[*kind].graph.variables.iter() {
                let count = cells(program, variable.ty);
                fill(program, variable.ty, &mut own[at..at + count]);
                at += count;
            }
            let slots = &mut widths[region.variables..region.variables + region.size];
            slots
                .iter_mut()
                .zip(own)
                .for_each(|(slot, own)| *slot = wider(*slot, own));
        }
    }
    channel_widths(program, layout, &mut widths);
    for slot in &mut widths {
        slot.0 = slot.0.max(1);
    }
    widths
}

fn channel_widths(program: &Program, layout: &Layout, widths: &mut [(u32, Form)]) {
    for channel in &layout.channels {
        if let Some(slot) = channel.header {
            widths[slot] = (8 + bits(program.channels.len()), Form::Plain);
        }
        let packings = || channel.kinds.iter().map(|kind| &layout.kinds[kind.index()]);
        if let Some(slot) = channel.length {
            let most = packings().map(|packing| packing.capacity).max();
            widths[slot] = (bits(most.unwrap_or(0)), Form::Plain);
        }
        for at in 0..channel.size {
            let used = packings().map(|packing| {
                let fields = packing.fields.iter();
                let here = fields.filter(|field| field.word == at % packing.words);
                let tops = here.map(|field| field.shift + field.mask.count_ones());
                tops.max().unwrap_or(0)
            });
            widths[channel.messages + at] = (used.max().unwrap_or(0), Form::Plain);
        }
    }
}

/// One that holds what both hold.
fn wider(a: (u32, Form), b: (u32, Form)) -> (u32, Form) {
    match (a.1, b.1) {
        _ if a.0 == 0 => b,
        _ if b.0 == 0 || a == b => a,
        (Form::Plain, Form::Plain) => (a.0.max(b.0), Form::Plain),
        _ => (32, Form::Plain),
    }
}

fn fill(program: &Program, ty: program::TyId, widths: &mut [(u32, Form)]) {
    match program.types.get(ty) {
        program::Ty::Array { element, .. } => {
            let size = cells(program, *element).max(1);
            widths
                .chunks_mut(size)
                .for_each(|part| fill(program, *element, part));
        }
        program::Ty::Record(record) => {
            let mut rest = widths;
            for (_, ty) in &program.types.records[*record].fields {
                let (part, more) = rest.split_at_mut(cells(program, *ty));
                fill(program, *ty, part);
                rest = more;
            }
        }
        _ => {
            let width = match cut(program, ty) {
                Cut::Whole => (32, Form::Plain),
                Cut::Mask(mask) => (mask.count_ones(), Form::Plain),
                Cut::Signed(bits) => (bits, Form::Signed(bits)),
            };
            widths.iter_mut().for_each(|slot| *slot = width);
        }
    }
}

/// The bits that the numbers up to `most` need.
fn bits(most: usize) -> u32 {
    (usize::BITS - most.leading_zeros()).max(1)
}
