//! Sets of groups as bits, and relations between groups as rows of bits.

/// A set of groups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GroupSet {
    words: Box<[u64]>,
}

impl GroupSet {
    /// The empty set, of groups below `groups`.
    pub fn new(groups: usize) -> GroupSet {
        GroupSet {
            words: vec![0; groups.div_ceil(64).max(1)].into(),
        }
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Adds a group; whether it is new.
    #[inline]
    pub fn insert(&mut self, group: usize) -> bool {
        let (word, bit) = (&mut self.words[group / 64], 1 << (group % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Takes a group out.
    #[inline]
    pub fn remove(&mut self, group: usize) {
        self.words[group / 64] &= !(1 << (group % 64));
    }

    /// Whether a group is in.
    #[inline]
    pub fn contains(&self, group: usize) -> bool {
        self.words[group / 64] >> (group % 64) & 1 == 1
    }

    /// Whether nothing is in.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// How many are in.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether the sets share a group.
    #[inline]
    pub fn intersects(&self, other: &GroupSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Whether every group is in `other`.
    #[inline]
    pub fn is_within(&self, other: &GroupSet) -> bool {
        self.words
            .iter()
            .zip(&other.words)
            .all(|(a, b)| a & !b == 0)
    }

    /// How many groups are in both.
    pub fn common(&self, other: &GroupSet) -> usize {
        let words = self.words.iter().zip(&other.words);
        words.map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Adds all groups of `other`.
    pub fn union_with(&mut self, other: &GroupSet) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Keeps the groups of `other`.
    pub fn intersect_with(&mut self, other: &GroupSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Takes out the groups of `other`.
    pub fn subtract(&mut self, other: &GroupSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// The least group.
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The groups, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// Gives the groups that are not in `without` to `each`.
    #[inline]
    pub fn for_each_new(&self, without: &GroupSet, mut each: impl FnMut(usize)) {
        for (at, (word, known)) in self.words.iter().zip(&without.words).enumerate() {
            let mut left = word & !known;
            while left != 0 {
                each(at * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

/// A relation between groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    rows: Vec<GroupSet>,
}

impl Matrix {
    /// The empty relation.
    pub fn new(groups: usize) -> Matrix {
        Matrix {
            rows: vec![GroupSet::new(groups); groups],
        }
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.rows.len()
    }

    /// Relates two groups, or does not.
    pub fn set(&mut self, from: usize, to: usize, is_related: bool) {
        if is_related {
            self.rows[from].insert(to);
        } else {
            self.rows[from].remove(to);
        }
    }

    /// Whether two groups are related.
    pub fn has(&self, from: usize, to: usize) -> bool {
        self.rows[from].contains(to)
    }

    /// What a group is related to.
    #[inline]
    pub fn row(&self, from: usize) -> &GroupSet {
        &self.rows[from]
    }

    /// What is related to a group.
    pub fn column(&self, to: usize) -> GroupSet {
        let mut found = GroupSet::new(self.rows.len());
        for (from, row) in self.rows.iter().enumerate() {
            if row.contains(to) {
                found.insert(from);
            }
        }
        found
    }

    /// How many pairs of different groups are related, of how many.
    pub fn density(&self) -> (usize, usize) {
        let groups = self.rows.len();
        let related = self.rows.iter().enumerate();
        let related = related.map(|(at, row)| row.len() - usize::from(row.contains(at)));
        (related.sum(), groups * groups.saturating_sub(1))
    }
}
