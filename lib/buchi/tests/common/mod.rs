//! All small formulas and words, and random larger ones.

#![allow(
    dead_code,
    reason = "each test that includes this file uses a part of it"
)]

use buchi::{Ltl, Word};

/// All formulas of exactly `size` operators and atoms, over two atoms.
pub fn formulas(size: usize, known: &[Vec<Ltl>]) -> Vec<Ltl> {
    if size == 1 {
        return vec![Ltl::True, Ltl::False, Ltl::Atom(0), Ltl::Atom(1)];
    }
    let mut all = Vec::new();
    for a in &known[size - 1] {
        all.extend([
            Ltl::not(a.clone()),
            Ltl::next(a.clone()),
            Ltl::yesterday(a.clone()),
        ]);
    }
    for left in 1..size - 1 {
        for a in &known[left] {
            for b in &known[size - 1 - left] {
                let make = [
                    Ltl::and,
                    Ltl::or,
                    Ltl::until,
                    Ltl::release,
                    Ltl::since,
                    Ltl::trigger,
                ];
                all.extend(make.map(|make| make(a.clone(), b.clone())));
            }
        }
    }
    all
}

/// All formulas up to a size, by size.
pub fn formulas_up_to(size: usize) -> Vec<Vec<Ltl>> {
    let mut all = vec![Vec::new()];
    for size in 1..=size {
        all.push(formulas(size, &all));
    }
    all
}

/// All words over two atoms with at most so many letters, finite ones and lassos.
pub fn words(most: usize) -> Vec<Word> {
    let mut all = Vec::new();
    for len in 1..=most {
        for code in 0..4usize.pow(len as u32) {
            let letter = |at: usize| vec![(code >> (2 * at) & 3) as u64];
            let letters: Vec<Vec<u64>> = (0..len).map(letter).collect();
            for loop_start in (0..len).map(Some).chain([None]) {
                let letters = letters.clone();
                all.push(Word {
                    letters,
                    loop_start,
                });
            }
        }
    }
    all
}

/// Numbers that look random (splitmix64).
pub struct Random(pub u64);

impl Random {
    /// A number below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % most as u64) as usize
    }

    /// A formula of about this size.
    pub fn formula(&mut self, size: usize, atoms: u32) -> Ltl {
        if size <= 1 {
            return match self.below(12) {
                0 => Ltl::True,
                1 => Ltl::False,
                _ => Ltl::Atom(self.below(atoms as usize) as u32),
            };
        }
        let unary = [
            Ltl::not,
            Ltl::next,
            Ltl::yesterday,
            Ltl::finally,
            Ltl::globally,
            Ltl::once,
            Ltl::historically,
        ];
        let binary = [
            Ltl::and,
            Ltl::or,
            Ltl::until,
            Ltl::release,
            Ltl::since,
            Ltl::trigger,
            Ltl::weak_until,
            Ltl::implies,
            Ltl::iff,
        ];
        if size == 2 || self.below(2) == 0 {
            let make = unary[self.below(unary.len())];
            return make(self.formula(size - 1, atoms));
        }
        let make = binary[self.below(binary.len())];
        let left = 1 + self.below(size - 2);
        make(
            self.formula(left, atoms),
            self.formula(size - 1 - left, atoms),
        )
    }

    /// A word of at most so many letters.
    pub fn word(&mut self, most: usize, atoms: u32) -> Word {
        let len = 1 + self.below(most);
        let letters = (0..len)
            .map(|_| vec![self.below(1 << atoms) as u64])
            .collect();
        let loop_start = Some(self.below(len + 1)).filter(|start| *start < len);
        Word {
            letters,
            loop_start,
        }
    }
}
