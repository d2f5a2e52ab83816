//! A level of breadth-first search: which states it has, what expanding them yielded, and the level after it.
//!
//! Invariant: positions in a level, findings and links are those of one thread, whoever expanded what.

use pins::Notes;
use rustc_hash::{FxHashMap, FxHashSet};

use super::expand::{Expander, Source};
use super::found::{Found, Raw};
use super::merge::Keys;
use super::run::{Book, Run};

/// The states at one depth, and what is known of the next level.
#[derive(Default)]
pub struct Level {
    pub depth: u32,
    /// The number of its first state.
    pub start: u32,
    pub len: u32,
    /// The numbers in the store by position; `None` when they are `start..start + len`.
    pub order: Option<Vec<u32>>,
    /// The states by position, when the store cannot give them back.
    pub vectors: Vec<u32>,
    /// Positions of states that are not expanded, as ranges.
    pub pending: Vec<(u32, u32)>,
    /// The first number of the next level.
    pub next_start: u32,
    /// Present while several threads work on this level (exact stores only).
    pub keys: Option<Box<Keys>>,
    /// What the expanded states yielded.
    pub chunks: Vec<Chunk>,
    /// States of this level in which some label is not as wanted.
    pub unclean: FxHashSet<u32>,
}

/// What a range of states yielded.
#[derive(Default)]
pub struct Chunk {
    /// The position of its first state.
    pub first: u32,
    /// New states with keys, where the order is not that of numbers.
    pub news: Vec<(u32, u64)>,
    /// The new states themselves, when the store cannot give them back.
    pub vectors: Vec<u32>,
    pub found: Found,
    pub notes: Notes,
}

impl Level {
    /// All states of the store, which are initial.
    pub fn initial(run: &Run<'_>, vectors: Vec<u32>) -> Level {
        let len = run.store.len() as u32;
        Level {
            len,
            vectors,
            pending: vec![(0, len)],
            next_start: len,
            ..Level::default()
        }
    }

    /// States found but not expanded, of `states` in all.
    pub fn left(&self, states: usize) -> u64 {
        let pending: u64 = self
            .pending
            .iter()
            .map(|(from, to)| u64::from(to - from))
            .sum();
        pending + states as u64 - u64::from(self.next_start)
    }

    /// Whether nothing was done with it yet and nothing but numbers is needed to do it.
    pub(super) fn is_untouched(&self, run: &Run<'_>) -> bool {
        self.pending == [(0, self.len)]
            && self.keys.is_none()
            && self.chunks.is_empty()
            && run.config.store.is_exact()
    }

    /// Expands one state after the other; how many.
    pub(super) fn expand<'r>(&self, run: &'r Run<'r>, expander: &mut Expander<'r>) -> u32 {
        let mut rank = 0;
        while rank < self.len && run.may_expand() && expander.expand(self.source(run, rank), None) {
            rank += 1;
            expander.after();
        }
        expander.flush(None);
        rank
    }

    /// Becomes the next level: all states from `next_start` on, of which there are `states`.
    pub(super) fn advance(&mut self, states: u32) {
        self.depth += 1;
        self.start = self.next_start;
        self.len = states - self.start;
        self.next_start = states;
        self.order = None;
        self.pending[0] = (0, self.len);
        self.unclean.clear();
    }

    /// The state of an exact store at a position.
    pub(super) fn source(&self, run: &Run<'_>, rank: u32) -> Source<'static> {
        let id = self.id(rank);
        Source {
            id,
            rank,
            depth: self.depth,
            is_clean: id >= run.known_from
                && (self.unclean.is_empty() || !self.unclean.contains(&id)),
            vector: None,
            later_from: Some(self.next_start),
            may_wait: true,
        }
    }

    /// States of the next level have got other numbers: (old, new).
    pub(super) fn renumber(&mut self, moves: Vec<(u32, u32)>) {
        let Some(keys) = self.keys.as_ref().filter(|_| !moves.is_empty()) else {
            return;
        };
        for (from, to) in &moves {
            keys.renumber(*from, *to);
        }
        let first = moves[0].0;
        let moves: FxHashMap<u32, u32> = moves.into_iter().collect();
        let number = |state: u32| moves.get(&state).copied().unwrap_or(state);
        for chunk in &mut self.chunks {
            for (state, _) in chunk.news.iter_mut().filter(|(state, _)| *state >= first) {
                *state = number(*state);
            }
            chunk.found.renumber(number);
        }
    }

    fn id(&self, rank: u32) -> u32 {
        match &self.order {
            Some(order) => order[rank as usize],
            None => self.start + rank,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let order = self.order.as_ref().map_or(0, Vec::len) + self.vectors.len();
        let chunks: u64 = self.chunks.iter().map(Chunk::bytes).sum();
        order as u64 * 4 + chunks
    }

    /// Everything is expanded: writes down what was found and makes the next level.
    pub(super) fn finish(&mut self, run: &Run<'_>, book: &mut Book) -> Level {
        let len = run.store.len() as u32 - self.next_start;
        let mut next = Level {
            depth: self.depth + 1,
            start: self.next_start,
            len,
            pending: if len == 0 { Vec::new() } else { vec![(0, len)] },
            next_start: self.next_start + len,
            ..Level::default()
        };
        self.chunks.sort_by_key(|chunk| chunk.first);
        if let Some(keys) = &self.keys {
            let mut order = Vec::with_capacity(len as usize);
            for (state, key) in self.chunks.iter().flat_map(|chunk| &chunk.news) {
                if keys.least(*state) == Some(*key) {
                    order.push(*state);
                    run.links
                        .set(*state, self.id((key >> 32) as u32), *key as u32);
                }
            }
            next.order = Some(order);
        } else if !run.config.store.is_exact() {
            let news = self.chunks.iter().flat_map(|chunk| &chunk.news);
            next.order = Some(news.map(|(state, _)| *state).collect());
            next.vectors.reserve(len as usize * run.shape.slots.len());
            for chunk in &mut self.chunks {
                next.vectors.append(&mut chunk.vectors);
            }
        }
        let mut findings = self.gather(book);
        self.number(&mut findings, &next);
        book.findings.extend(findings);
        for chunk in &self.chunks {
            next.unclean.extend(&chunk.found.unclean);
        }
        next
    }

    /// Writes down what was found although the level is not finished; nothing follows but the report.
    pub fn settle(&mut self, book: &mut Book) {
        self.chunks.sort_by_key(|chunk| chunk.first);
        let findings = self.gather(book);
        book.findings.extend(findings);
    }

    /// Findings in the order of the report, notes and faults.
    fn gather(&mut self, book: &mut Book) -> Vec<Raw> {
        let mut findings = Vec::new();
        for chunk in &mut self.chunks {
            findings.append(&mut chunk.found.findings);
            book.take(Found {
                budget: std::mem::take(&mut chunk.found.budget),
                ..Found::default()
            });
            book.notes.merge(std::mem::take(&mut chunk.notes));
        }
        for raw in &mut findings {
            raw.number = raw.state;
            if !raw.is_new {
                raw.number = Some(self.start + (raw.key >> 32) as u32);
            } else if let (Some(keys), Some(state)) = (&self.keys, raw.state) {
                raw.key = keys.least(state).unwrap_or(raw.key);
            }
        }
        // Stable: several labels of one state keep their order.
        findings.sort_by_key(|raw| (raw.depth, raw.kind, raw.key));
        findings
    }

    /// Replaces numbers in the store by positions, for states of the next level.
    fn number(&self, findings: &mut [Raw], next: &Level) {
        let Some(order) = &next.order else {
            return;
        };
        let new = findings.iter().filter(|raw| raw.is_new);
        let wanted: FxHashSet<u32> = new.filter_map(|raw| raw.state).collect();
        if wanted.is_empty() {
            return;
        }
        let ranks = order
            .iter()
            .enumerate()
            .filter(|(_, id)| wanted.contains(id));
        let ranks: FxHashMap<u32, u32> = ranks.map(|(rank, id)| (*id, rank as u32)).collect();
        for raw in findings.iter_mut().filter(|raw| raw.is_new) {
            let rank = raw.state.and_then(|state| ranks.get(&state));
            raw.number = rank.map(|rank| next.start + rank);
        }
    }
}

impl Chunk {
    /// A new state in `news` has eight bytes of key as well.
    pub(super) fn bytes(&self) -> u64 {
        (self.news.len() * 24 + self.vectors.len() * 4) as u64
    }
}
