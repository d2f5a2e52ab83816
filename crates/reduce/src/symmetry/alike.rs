//! Spares the choice of a representative where an automorphism of the source shows what it will be.
//!
//! Paper: [Gyuris, Sistla 1999], state symmetry: of the elements that a state treats alike, one is looked at.
//! Technique: when exchanging points leaves a state as it is, it maps the steps of an event to steps of the event,
//! and their targets stay in their orbits. So labels are written with exchangeable points (`canon::Exchanges`)
//! numbered as they come; a step whose label reads the same as an earlier one leads to the same representative.
//! Preserves: every answer, for choosers that give symmetric states one representative.
//! Invariant: only a label with a single step lends its target: with several it is not known which is which. Steps of
//! one label follow each other.
//! Where few steps are spared it is given up: finding out what can be exchanged is not free.

use canon::Exchanges;
use pins::{GroupId, LabelPart, Permute};
use rustc_hash::FxHashMap;

/// The steps of one event in one state.
#[derive(Default)]
pub(super) struct Alike {
    /// What can be exchanged in the state, once that is asked.
    exchanges: Option<Exchanges>,
    spare: Exchanges,
    group: Option<GroupId>,
    /// The steps that were chosen, by the hash of what their labels read.
    known: FxHashMap<u64, Known>,
    words: Vec<u32>,
    reading: Vec<u32>,
    numbers: Vec<(u32, u32)>,
    /// Steps asked for, and how many of them were spared.
    asked: u64,
    spared: u64,
}

/// Whoever asked so often knows whether it pays, if it spares one step in so many.
const TRIAL: u64 = 256;
const WORTH: u64 = 4;

/// Ranges of words.
#[derive(Clone, Copy)]
struct Known {
    /// What the label reads, the label itself, the representative of the target.
    bounds: [usize; 4],
    is_single: bool,
}

/// What is known of a step.
pub(super) enum Answer<'a> {
    /// Nothing, and there is nothing to note.
    Unknown,
    /// Nothing; its target is to be noted.
    Wanted(u64),
    /// The representative of its target.
    Known(&'a [u32]),
}

impl Alike {
    /// The steps that follow are those of another state.
    pub(super) fn clear(&mut self) {
        if let Some(exchanges) = self.exchanges.take() {
            self.spare = exchanges;
        }
        self.group = None;
    }

    /// What is known of a step; `exchanges` says what can be exchanged in the state.
    pub(super) fn find(
        &mut self,
        permute: &dyn Permute,
        group: GroupId,
        label: &[u32],
        exchanges: impl FnOnce(&mut Exchanges),
    ) -> Answer<'_> {
        if label.is_empty() || self.asked >= TRIAL && self.spared * WORTH < self.asked {
            return Answer::Unknown;
        }
        self.asked += 1;
        let spare = &mut self.spare;
        let exchanges = self.exchanges.get_or_insert_with(|| {
            let mut found = std::mem::take(spare);
            exchanges(&mut found);
            found
        });
        if exchanges.is_empty() {
            return Answer::Unknown;
        }
        if self.group != Some(group) {
            self.group = Some(group);
            self.known.clear();
            self.words.clear();
        }
        if !read(
            permute,
            group,
            label,
            exchanges,
            &mut self.numbers,
            &mut self.reading,
        ) {
            return Answer::Unknown;
        }
        let reading = self.reading.iter();
        let hash = reading.fold(0, |hash, word| canon::mix(hash, u64::from(*word)));
        let Some(known) = self.known.get_mut(&hash) else {
            return Answer::Wanted(hash);
        };
        let [from, read, named, to] = known.bounds;
        if self.words[from..read] != self.reading {
            return Answer::Unknown;
        }
        known.is_single &= self.words[read..named] != *label;
        match known.is_single {
            true => {
                self.spared += 1;
                Answer::Known(&self.words[named..to])
            }
            false => Answer::Unknown,
        }
    }

    /// Notes the representative of the target of the step asked for last.
    pub(super) fn note(&mut self, hash: u64, label: &[u32], target: &[u32]) {
        let mut bounds = [self.words.len(); 4];
        for (at, words) in [self.reading.as_slice(), label, target].iter().enumerate() {
            self.words.extend_from_slice(words);
            bounds[at + 1] = self.words.len();
        }
        let is_single = true;
        self.known.insert(hash, Known { bounds, is_single });
    }
}

/// Writes down a label with exchangeable points numbered as they come; `false` when it holds hidden points.
fn read(
    permute: &dyn Permute,
    group: GroupId,
    label: &[u32],
    exchanges: &Exchanges,
    numbers: &mut Vec<(u32, u32)>,
    reading: &mut Vec<u32>,
) -> bool {
    numbers.clear();
    reading.clear();
    for (position, word) in label.iter().enumerate() {
        match permute.label_part(group, position, *word) {
            LabelPart::Fixed => reading.extend([0, *word]),
            LabelPart::Other => return false,
            LabelPart::Point(point) => match exchanges.place(point) {
                None => reading.extend([1, point]),
                Some(place) => {
                    let bundle = (place.kind, place.bundle);
                    let number = numbers.iter().position(|known| *known == bundle);
                    let number = number.unwrap_or_else(|| {
                        numbers.push(bundle);
                        numbers.len() - 1
                    });
                    reading.extend([2, place.kind, place.at, number as u32]);
                }
            },
        }
    }
    true
}
