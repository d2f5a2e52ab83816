//! Sets of slots as bits: those in which two vectors differ.

/// Marks the slots in which the vectors differ; whether there are any.
#[inline]
pub(crate) fn differences(from: &[u32], to: &[u32], changed: &mut [u64]) -> bool {
    if let [word] = changed
        && let len @ ..=8 = from.len()
    {
        let (from, to) = (&from[..len], &to[..len]);
        *word = (0..len).fold(0, |bits, slot| {
            bits | u64::from(from[slot] != to[slot]) << slot
        });
        return *word != 0;
    }
    changed.fill(0);
    let (fours, others) = (from.as_chunks::<4>().0, to.as_chunks::<4>().0);
    let mut any = false;
    // Four slots are compared at once: most of them are equal.
    for at in 0..fours.len() {
        if fours[at] != others[at] {
            any = true;
            let mut bits = 0;
            for slot in 0..4 {
                bits |= u64::from(fours[at][slot] != others[at][slot]) << slot;
            }
            changed[at / 16] |= bits << (at % 16 * 4);
        }
    }
    for slot in fours.len() * 4..from.len() {
        let bit = u64::from(from[slot] != to[slot]);
        any |= bit != 0;
        changed[slot / 64] |= bit << (slot % 64);
    }
    any
}

#[inline]
pub(crate) fn for_each_slot(set: &[u64], mut each: impl FnMut(usize)) {
    for (at, word) in set.iter().enumerate() {
        let mut bits = *word;
        while bits != 0 {
            each(at * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}
