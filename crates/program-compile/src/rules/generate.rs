//! Machine code for instances and conditions: the same computation as that of the machine (`run`, `exec`), without looking at code.
//!
//! Functions are written into their callers, so every frame lies at a place that is known, and a reference to a known place is
//! never stored. What goes wrong (no value, out of range, a limit) and what is rare is not told apart: the function
//! asks, and the machine computes the same again from the same state and tells.
//! Invariant: an answer other than [`native::ASK`] is what the machine would have answered, with the same words in memory.

mod loops;
mod operations;
mod places;
mod values;

use native::{Label, Needs, Place, Plain, Value, Variable, Writer};
use rustc_hash::FxHashMap;

use super::code::{Code, NodeId, OpId};
use super::slots::Slots;

/// The answer of a condition that is false, of a step whose guard is.
pub(super) const NO: i64 = 0;
/// The answer of a condition that is true, of a step that was made.
pub(super) const YES: i64 = 1;

/// The answer of a step that an assumption discards; words of the state may have changed.
pub(super) const DISCARDED: i64 = 2;

/// Rounds of loops that one answer may take before the machine takes over, which looks at limits and halts.
pub(super) const FUEL: i64 = 100_000;
/// The number that says how many rounds are left.
const ROUNDS: u32 = 0;
/// The first counter among the numbers.
pub(super) const COUNTERS: u32 = 1;

/// Words behind a state that frames of generated code may take.
pub(super) const FRAMES: u32 = 4096;

/// Behind frames there is one word for each slot: what a step leaves in the slots it may change, packed.
pub(super) fn packed_at(words: u32, slot: u32) -> u32 {
    words + FRAMES + slot
}

/// A function with more operations than this is not made: it would take longer than it saves.
pub(super) const LARGEST: u64 = 20_000;

/// What is the same for all functions of a program.
#[derive(Clone, Copy)]
pub(super) struct Setting<'c> {
    pub code: &'c Code,
    /// The words of a state.
    pub words: u32,
    pub slots: &'c Slots,
    /// The rounds of a loop after which it counts as endless.
    pub loop_limit: u64,
    /// Whether failed assertions end a step.
    pub assertions: bool,
    /// A function with more operations is given up.
    pub most: u64,
}

/// A step: guard and body with the words of a frame, which begin undefined unless something is bound before.
#[derive(Clone, Copy)]
pub(super) struct Stepping<'c> {
    /// The slots that are packed at its end.
    pub packs: &'c [u32],
    pub guard: Option<NodeId>,
    pub body: OpId,
    pub frame: u32,
    pub counters: u32,
    pub is_bound: bool,
}

/// Writes one function.
struct Generator<'c, 'g, 'w> {
    setting: Setting<'c>,
    writer: &'g mut Writer<'w>,
    /// Where the frame of what is being written begins.
    frame: u32,
    /// Its counters are the last ones from here on.
    counter: usize,
    counters: Vec<Variable>,
    /// The places that words of frames refer to.
    bound: FxHashMap<u32, Place>,
    /// Words of frames that hold the same as long as they are read: arguments that are known.
    known: FxHashMap<u32, u32>,
    /// Functions that are being written, outermost first.
    open: Vec<u32>,
    /// Where a return leads, and the variable that takes what is returned.
    exit: Label,
    returned: Variable,
    /// What the latest call returned.
    latest: Variable,
    /// How many calls were written.
    calls: usize,
    /// Whether it is too large, or has a shape that nobody writes.
    is_given_up: bool,
}

/// What a function needs.
pub(super) fn needs(setting: Setting<'_>, counters: u32) -> Needs {
    Needs {
        words: packed_at(setting.words, setting.slots.list.len() as u32),
        numbers: COUNTERS + counters,
    }
}

/// Writes a step; `false` when nothing comes of it.
pub(super) fn step(setting: Setting<'_>, stepping: Stepping<'_>, writer: &mut Writer<'_>) -> bool {
    let mut generator = Generator::new(setting, stepping.counters, writer);
    let no = generator.writer.label();
    if let Some(guard) = stepping.guard {
        let yes = generator.writer.label();
        generator.condition(guard, yes, no);
        generator.writer.place(yes);
    }
    if !stepping.is_bound {
        let zeros = vec![0; stepping.frame as usize];
        generator.writer.fill(Place::fixed(setting.words), &zeros);
    }
    generator.operation(stepping.body);
    let exit = generator.exit;
    generator.writer.place(exit);
    for slot in stepping.packs {
        generator.pack(*slot);
    }
    generator.answer(YES);
    generator.writer.place(no);
    generator.answer(NO);
    generator.is_good()
}

/// Writes the function that takes all slots apart, from where steps leave them; `false` when some are in tables.
pub(super) fn unpack(setting: Setting<'_>, writer: &mut Writer<'_>) -> bool {
    let mut generator = Generator::new(setting, 0, writer);
    for slot in 0..setting.slots.list.len() as u32 {
        if setting.slots.is_in_table(slot as usize) {
            return false;
        }
        generator.unpack(slot);
    }
    generator.answer(YES);
    let exit = generator.exit;
    generator.writer.place(exit);
    generator.answer(NO);
    generator.is_good()
}

/// Writes a condition that is all of these; `false` when nothing comes of it.
pub(super) fn conditions(
    setting: Setting<'_>,
    counters: u32,
    conditions: &[NodeId],
    writer: &mut Writer<'_>,
) -> bool {
    let mut generator = Generator::new(setting, counters, writer);
    let no = generator.writer.label();
    for condition in conditions {
        let yes = generator.writer.label();
        generator.condition(*condition, yes, no);
        generator.writer.place(yes);
    }
    generator.answer(YES);
    let exit = generator.exit;
    generator.writer.place(exit);
    generator.writer.place(no);
    generator.answer(NO);
    generator.is_good()
}

impl<'c, 'g, 'w> Generator<'c, 'g, 'w> {
    fn new(setting: Setting<'c>, counters: u32, writer: &'g mut Writer<'w>) -> Self {
        let counters = (0..counters).map(|at| {
            let value = writer.named(COUNTERS + at);
            writer.variable(value)
        });
        let counters = counters.collect();
        let nothing = writer.number(0);
        let returned = writer.variable(nothing);
        Generator {
            setting,
            frame: setting.words,
            counter: 0,
            counters,
            bound: FxHashMap::default(),
            known: FxHashMap::default(),
            open: Vec::new(),
            exit: writer.label(),
            returned,
            latest: returned,
            calls: 0,
            is_given_up: false,
            writer,
        }
    }

    fn is_good(&self) -> bool {
        !self.is_given_up && self.fits()
    }

    fn fits(&self) -> bool {
        self.writer.size() as u64 <= self.setting.most
    }

    /// Whether it is not worth going on.
    fn is_lost(&mut self) -> bool {
        self.is_given_up |= !self.fits();
        self.is_given_up
    }

    fn answer(&mut self, answer: i64) {
        let answer = self.writer.number(answer);
        self.writer.answer(answer);
    }

    /// Something that is left to the machine; the value that stands for it is never used.
    fn leave(&mut self) -> Value {
        self.writer.ask();
        let next = self.writer.label();
        self.writer.place(next);
        self.writer.number(0)
    }

    /// The same for what must not be there at all.
    fn give_up(&mut self) -> Value {
        self.is_given_up = true;
        self.leave()
    }

    /// Puts the words of a slot side by side.
    fn pack(&mut self, slot: u32) {
        let mut all = None;
        let mut shift = 0;
        for (at, bits) in &self.setting.slots.list[slot as usize].words {
            let word = self.writer.word(Place::fixed(*at));
            all = Some(match all {
                None => word,
                Some(before) => {
                    let distance = self.writer.number(shift);
                    let moved = self.writer.plain(Plain::ShiftLeft, word, distance);
                    self.writer.plain(Plain::Or, before, moved)
                }
            });
            shift += i64::from(*bits);
        }
        if let Some(all) = all {
            let place = Place::fixed(packed_at(self.setting.words, slot));
            self.writer.set_word(place, all);
        }
    }

    /// Puts the words of a slot in their places.
    fn unpack(&mut self, slot: u32) {
        let words = &self.setting.slots.list[slot as usize].words;
        let packed = Place::fixed(packed_at(self.setting.words, slot));
        let mut rest = self.writer.word(packed);
        for (at, bits) in words {
            if words.len() == 1 {
                self.writer.set_word(Place::fixed(*at), rest);
                return;
            }
            let mask = self.writer.number((1 << bits) - 1);
            let word = self.writer.plain(Plain::And, rest, mask);
            self.writer.set_word(Place::fixed(*at), word);
            let distance = self.writer.number(i64::from(*bits));
            rest = self.writer.plain(Plain::ShiftRight, rest, distance);
        }
    }

    fn counter(&self, number: u32) -> Variable {
        self.counters[self.counter + number as usize]
    }
}
