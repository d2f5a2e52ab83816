//! Domains that shrink and come back: what propagation works on.
//!
//! Technique: a trail of old bounds and old words of bits, undone backwards; values of narrow domains are bits,
//! wide ones have bounds and a list of holes.
//! Invariant: bounds are possible values: nothing between the old and the new bound that is a hole stays a bound.

use crate::flat::{Domain, LISTED, Lit, Var, WIDE};

/// A domain became empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict;

/// What changed of a variable.
pub const CHANGED: u8 = 1;
/// A bound changed.
pub const BOUND: u8 = 2;
/// It has one value left.
pub const FIXED: u8 = 4;

const NO_BITS: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    lo: i64,
    hi: i64,
    size: u64,
    base: i64,
    words: u32,
}

enum Undo {
    Entry(Var, Entry),
    Word(u32, u64),
    Hole(Var),
}

/// The current domains.
pub struct Store {
    entries: Vec<Entry>,
    words: Vec<u64>,
    holes: Vec<Vec<i64>>,
    trail: Vec<Undo>,
    /// Variables that changed since they were last looked at.
    pub dirty: Vec<Var>,
    /// How they changed.
    pub events: Vec<u8>,
    /// Whether some variable has no bounds.
    pub is_wide: bool,
    /// Whether a number was needed that lies where variables without bounds were cut: what was found is not all.
    pub is_beyond: bool,
}

impl Store {
    /// The domains of a problem.
    pub fn new(domains: &[Domain]) -> Store {
        let mut store = Store {
            entries: Vec::with_capacity(domains.len()),
            words: Vec::new(),
            holes: vec![Vec::new(); domains.len()],
            trail: Vec::new(),
            dirty: Vec::new(),
            events: vec![0; domains.len()],
            is_wide: domains.iter().any(|d| d.lo <= -WIDE || d.hi >= WIDE),
            is_beyond: false,
        };
        for domain in domains {
            let listed = domain.hi - domain.lo < LISTED && domain.hi - domain.lo > 1;
            let mut entry = Entry {
                lo: domain.lo,
                hi: domain.hi,
                size: (domain.hi - domain.lo + 1).max(0) as u64,
                base: domain.lo,
                words: NO_BITS,
            };
            if listed {
                entry.words = store.words.len() as u32;
                let width = (domain.hi - domain.lo + 1) as usize;
                let start = store.words.len();
                store.words.resize(start + width.div_ceil(64), 0);
                entry.size = 0;
                for value in domain.values() {
                    let at = (value - domain.lo) as usize;
                    store.words[start + at / 64] |= 1 << (at % 64);
                    entry.size += 1;
                }
            }
            store.entries.push(entry);
        }
        store
    }

    /// The least value.
    pub fn lo(&self, x: Var) -> i64 {
        self.entries[x as usize].lo
    }

    /// The greatest value.
    pub fn hi(&self, x: Var) -> i64 {
        self.entries[x as usize].hi
    }

    /// How many values are left; an upper bound for wide domains.
    pub fn size(&self, x: Var) -> u64 {
        self.entries[x as usize].size
    }

    /// Whether its values are kept one by one.
    pub fn is_listed(&self, x: Var) -> bool {
        let entry = &self.entries[x as usize];
        entry.words != NO_BITS || entry.hi - entry.lo <= 1
    }

    /// Whether it has no bound on one side.
    pub fn is_endless(&self, x: Var) -> bool {
        self.lo(x) <= -WIDE || self.hi(x) >= WIDE
    }

    /// A value outside of a domain: a conflict, but where the domain was only cut.
    pub fn outside(&mut self, x: Var, above: bool) -> Conflict {
        self.is_beyond |= match above {
            true => self.hi(x) >= WIDE,
            false => self.lo(x) <= -WIDE,
        };
        Conflict
    }

    /// The value, when there is only one.
    pub fn fixed(&self, x: Var) -> Option<i64> {
        let entry = &self.entries[x as usize];
        (entry.lo == entry.hi).then_some(entry.lo)
    }

    /// Whether a value is possible.
    pub fn contains(&self, x: Var, value: i64) -> bool {
        let entry = &self.entries[x as usize];
        if value < entry.lo || value > entry.hi {
            return false;
        }
        if entry.words == NO_BITS {
            return !self.holes[x as usize].contains(&value);
        }
        let at = (value - entry.base) as usize;
        self.words[entry.words as usize + at / 64] >> (at % 64) & 1 == 1
    }

    /// The truth of a literal, when it is decided.
    pub fn truth(&self, lit: Lit) -> Option<bool> {
        match lit {
            Lit::True => Some(true),
            Lit::False => Some(false),
            Lit::Le(x, k) => {
                let entry = &self.entries[x as usize];
                if entry.hi <= k {
                    Some(true)
                } else if entry.lo > k {
                    Some(false)
                } else {
                    None
                }
            }
            Lit::Ge(x, k) => {
                let entry = &self.entries[x as usize];
                if entry.lo >= k {
                    Some(true)
                } else if entry.hi < k {
                    Some(false)
                } else {
                    None
                }
            }
            Lit::Eq(x, k) => {
                if !self.contains(x, k) {
                    Some(false)
                } else if self.fixed(x).is_some() {
                    Some(true)
                } else {
                    None
                }
            }
            Lit::Ne(x, k) => self.truth(Lit::Eq(x, k)).map(|truth| !truth),
        }
    }

    /// Makes a literal true.
    pub fn set(&mut self, lit: Lit) -> Result<(), Conflict> {
        match lit {
            Lit::True => Ok(()),
            Lit::False => Err(Conflict),
            Lit::Le(x, k) => self.at_most(x, k),
            Lit::Ge(x, k) => self.at_least(x, k),
            Lit::Eq(x, k) => self.fix(x, k),
            Lit::Ne(x, k) => self.remove(x, k),
        }
    }

    fn touch(&mut self, x: Var, mut event: u8) {
        if self.entries[x as usize].lo == self.entries[x as usize].hi {
            event |= FIXED;
        }
        if self.events[x as usize] == 0 {
            self.dirty.push(x);
        }
        self.events[x as usize] |= event | CHANGED;
    }

    fn save(&mut self, x: Var) {
        self.trail.push(Undo::Entry(x, self.entries[x as usize]));
    }

    /// Raises the lower bound.
    pub fn at_least(&mut self, x: Var, k: i64) -> Result<(), Conflict> {
        let entry = self.entries[x as usize];
        if k <= entry.lo {
            return Ok(());
        }
        if k > entry.hi {
            return Err(self.outside(x, true));
        }
        let mut lo = k;
        while !self.contains(x, lo) {
            lo += 1;
            if lo > entry.hi {
                return Err(Conflict);
            }
        }
        self.save(x);
        let gone = if entry.words == NO_BITS {
            (lo - entry.lo) as u64
        } else {
            self.ones(&entry, entry.lo, lo - 1)
        };
        let entry = &mut self.entries[x as usize];
        entry.lo = lo;
        entry.size -= gone.min(entry.size - 1);
        self.touch(x, BOUND);
        Ok(())
    }

    /// Lowers the upper bound.
    pub fn at_most(&mut self, x: Var, k: i64) -> Result<(), Conflict> {
        let entry = self.entries[x as usize];
        if k >= entry.hi {
            return Ok(());
        }
        if k < entry.lo {
            return Err(self.outside(x, false));
        }
        let mut hi = k;
        while !self.contains(x, hi) {
            hi -= 1;
            if hi < entry.lo {
                return Err(Conflict);
            }
        }
        self.save(x);
        let gone = if entry.words == NO_BITS {
            (entry.hi - hi) as u64
        } else {
            self.ones(&entry, hi + 1, entry.hi)
        };
        let entry = &mut self.entries[x as usize];
        entry.hi = hi;
        entry.size -= gone.min(entry.size - 1);
        self.touch(x, BOUND);
        Ok(())
    }

    fn ones(&self, entry: &Entry, from: i64, to: i64) -> u64 {
        let mut count = 0;
        let (mut at, end) = ((from - entry.base) as usize, (to - entry.base) as usize);
        while at <= end {
            let word = self.words[entry.words as usize + at / 64] >> (at % 64);
            let width = (64 - at % 64).min(end - at + 1);
            let mask = if width == 64 { !0 } else { (1u64 << width) - 1 };
            count += u64::from((word & mask).count_ones());
            at += width;
        }
        count
    }

    /// Takes a value away.
    pub fn remove(&mut self, x: Var, k: i64) -> Result<(), Conflict> {
        if !self.contains(x, k) {
            return Ok(());
        }
        let entry = self.entries[x as usize];
        if entry.lo == entry.hi {
            return Err(Conflict);
        }
        if entry.words == NO_BITS && k != entry.lo && k != entry.hi {
            self.holes[x as usize].push(k);
            self.trail.push(Undo::Hole(x));
            self.touch(x, CHANGED);
            return Ok(());
        }
        if k == entry.lo {
            return self.at_least(x, k + 1);
        }
        if k == entry.hi {
            return self.at_most(x, k - 1);
        }
        let at = (k - entry.base) as usize;
        let word = entry.words + (at / 64) as u32;
        self.save(x);
        self.trail.push(Undo::Word(word, self.words[word as usize]));
        self.words[word as usize] &= !(1 << (at % 64));
        self.entries[x as usize].size -= 1;
        self.touch(x, CHANGED);
        Ok(())
    }

    /// Leaves one value.
    pub fn fix(&mut self, x: Var, k: i64) -> Result<(), Conflict> {
        if !self.contains(x, k) {
            return match k > self.hi(x) || k < self.lo(x) {
                true => Err(self.outside(x, k > self.hi(x))),
                false => Err(Conflict),
            };
        }
        let entry = self.entries[x as usize];
        if entry.lo == entry.hi {
            return Ok(());
        }
        self.save(x);
        let entry = &mut self.entries[x as usize];
        entry.lo = k;
        entry.hi = k;
        entry.size = 1;
        self.touch(x, BOUND);
        Ok(())
    }

    /// Calls `each` with every possible value.
    pub fn for_each(&self, x: Var, mut each: impl FnMut(i64)) {
        let entry = &self.entries[x as usize];
        for value in entry.lo..=entry.hi {
            if self.contains(x, value) {
                each(value);
            }
        }
    }

    /// Makes the current domains those of the problem.
    pub fn write_back(&self, domains: &mut [Domain]) {
        for (x, domain) in domains.iter_mut().enumerate() {
            let x = x as Var;
            let mut narrow = Domain::range(self.lo(x), self.hi(x));
            if self.is_listed(x) {
                for value in narrow.lo..=narrow.hi {
                    if !self.contains(x, value) {
                        narrow.remove(value);
                    }
                }
            } else if domain.bits.is_some() {
                continue;
            }
            *domain = narrow;
        }
    }

    /// Where the trail is now.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Brings back what stood at a mark.
    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Entry(x, entry)) => self.entries[x as usize] = entry,
                Some(Undo::Word(at, word)) => self.words[at as usize] = word,
                Some(Undo::Hole(x)) => {
                    self.holes[x as usize].pop();
                }
                None => break,
            }
        }
        for x in self.dirty.drain(..) {
            self.events[x as usize] = 0;
        }
    }
}
