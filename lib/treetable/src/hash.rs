//! Hashing of pairs and vectors: cheap, and good in every bit, because one hash gives both position and tag.
//!
//! Technique: the finaliser of MurmurHash3 (a bijection on 64 bits) for one word; for more, each word is
//! folded in by a 64 × 64 → 128 bit multiplication.

/// Spreads one word over all bits; a bijection, so different pairs never have the same hash.
#[inline]
pub fn mix(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ (word >> 33)
}

/// Where the second half of a hash begins.
const SECOND: u64 = 0x6a09_e667_f3bc_c908;

#[inline]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The hash of a record of several words. Two multiplications that do not wait for each other are under way at once.
#[inline]
pub fn hash_pairs(words: &[u64]) -> u64 {
    let (mut even, mut odd) = (0x9e37_79b9_7f4a_7c15 ^ words.len() as u64, SECOND);
    let (pairs, rest) = words.as_chunks::<2>();
    for [a, b] in pairs {
        even = step(even, *a);
        odd = step(odd, *b);
    }
    for word in rest {
        even = step(even, *word);
    }
    mix(even ^ odd.rotate_left(29))
}

#[inline]
fn step(hash: u64, word: u64) -> u64 {
    // The odd constants keep a factor from being zero for common inputs.
    fold(hash ^ 0xa076_1d64_78bd_642f, word ^ 0xe703_7ed1_a0b4_28db).wrapping_add(word)
}

/// The hash of a vector of slots; `seed` selects one of many independent functions.
#[inline]
pub fn hash_words(slots: &[u32], seed: u64) -> u64 {
    let mut hash = mix(seed ^ 0x9e37_79b9_7f4a_7c15 ^ slots.len() as u64);
    let (pairs, rest) = slots.as_chunks::<2>();
    for [a, b] in pairs {
        let word = u64::from(*a) | u64::from(*b) << 32;
        hash = step(hash, word);
    }
    for slot in rest {
        hash = mix(hash ^ u64::from(*slot));
    }
    mix(hash)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn small_vectors_have_different_hashes() {
        let mut seen = HashSet::new();
        for a in 0..40 {
            for b in 0..40 {
                for c in 0..40 {
                    assert!(seen.insert(hash_words(&[a, b, c], 0)));
                    assert!(seen.insert(hash_words(&[a, b, c, 0], 0)));
                }
            }
        }
    }

    #[test]
    fn small_records_have_different_hashes() {
        let mut seen = HashSet::new();
        for a in 0..40 {
            for b in 0..40 {
                for c in 0..40 {
                    assert!(seen.insert(hash_pairs(&[a, b, c])));
                    assert!(seen.insert(hash_pairs(&[a, b, c, 0])));
                }
            }
        }
    }

    #[test]
    fn seeds_give_different_functions() {
        assert_ne!(hash_words(&[1, 2], 0), hash_words(&[1, 2], 1));
    }
}
