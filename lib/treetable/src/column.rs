//! A list of atomic words that grows without moving, so that readers and writers need no lock.
//!
//! Technique: segments of doubling size up to 2^22 words, then segments of that size; a segment is allocated
//! when its first word is.
//! Invariant: a word that was never set is zero.
//! Invariant: an allocation that fails is an answer (`false`), not an abort.

use std::alloc::{Layout, alloc_zeroed};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// An atomic integer for which all bits zero is the value zero.
///
/// # Safety
/// All bits zero must be a valid value of the type, and the type must not need to be dropped.
pub unsafe trait Word: Sync + Send + 'static {}
// SAFETY: the standard library gives atomic integers the size and bit validity of the integer.
unsafe impl Word for AtomicU32 {}
// SAFETY: as above.
unsafe impl Word for AtomicU64 {}

/// The first segment has 2^10 words: small models stay small.
const FIRST: u32 = 10;
/// Segments stop growing at 2^22 words: what is reserved ahead stays below 32 MB.
const LARGEST: u32 = 22;
/// Segments below the size limit: one for each doubling, the first counted once.
const DOUBLING: usize = (LARGEST - FIRST) as usize + 1;
/// Segments of the largest size: room for 2^36 words.
const MANY: usize = 1 << 14;

/// Words by number.
pub struct Column<T: Word> {
    few: [Segment<T>; DOUBLING],
    /// Only large columns pay for their long list of segments.
    many: OnceLock<Box<[Segment<T>]>>,
}

type Segment<T> = OnceLock<Box<[T]>>;

impl<T: Word> Default for Column<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Word> Column<T> {
    /// An empty list.
    pub fn new() -> Column<T> {
        Column {
            few: [const { OnceLock::new() }; DOUBLING],
            many: OnceLock::new(),
        }
    }

    /// Makes sure that the words below `len` can be set; `false` when there is no memory for them.
    pub fn reserve(&self, len: usize) -> bool {
        let Some(last) = len.checked_sub(1) else {
            return true;
        };
        let (last, _) = locate(last);
        // Segments come one after the other.
        if self.segment(last).is_some() {
            return true;
        }
        if last >= DOUBLING + MANY {
            return false;
        }
        if last >= DOUBLING {
            let empty = || (0..MANY).map(|_| OnceLock::new()).collect();
            self.many.get_or_init(empty);
        }
        // From the end: usually only the last one is missing.
        for segment in (0..=last).rev() {
            let Some(place) = self.place(segment) else {
                return false;
            };
            if place.get().is_some() {
                break;
            }
            let Some(words) = zeroed(segment_size(segment), FILLED_SLOWLY) else {
                return false;
            };
            // Another thread may have been faster; its segment is as good.
            let _ = place.set(words);
        }
        true
    }

    /// The end of the segment that word `len` lies in: once it is reserved, so are all before the end.
    pub fn reserved_beyond(len: usize) -> usize {
        let (segment, _) = locate(len);
        if segment < DOUBLING {
            1 << (FIRST as usize + segment)
        } else {
            (segment - DOUBLING + 2) << LARGEST
        }
    }

    /// The word of this number.
    ///
    /// # Panics
    /// When it was not reserved.
    #[inline]
    pub fn get(&self, at: usize) -> &T {
        let (segment, offset) = locate(at);
        let words = self.segment(segment);
        &words.expect("a word is reserved before it is used")[offset]
    }

    /// `len` words from this number on, if they lie side by side.
    #[inline]
    pub fn run(&self, at: usize, len: usize) -> Option<&[T]> {
        let (segment, offset) = locate(at);
        self.segment(segment)?.get(offset..offset + len)
    }

    /// The word of this number and the one after it.
    ///
    /// # Panics
    /// When they were not reserved.
    #[inline(always)]
    pub fn two(&self, at: usize) -> (&T, &T) {
        let (segment, offset) = locate(at);
        if let Some(words) = self.segment(segment)
            && let Some(second) = words.get(offset + 1)
        {
            return (&words[offset], second);
        }
        (self.get(at), self.get(at + 1))
    }

    /// The word of this number, reserved now if it was not; `None` when there is no memory for it.
    #[inline]
    pub fn try_get(&self, at: usize) -> Option<&T> {
        let (segment, offset) = locate(at);
        if let Some(words) = self.segment(segment) {
            return words.get(offset);
        }
        self.reserve(at + 1).then(|| self.get(at))
    }

    /// The same where there has to be memory.
    ///
    /// # Panics
    /// When there is none.
    #[inline]
    pub fn get_or_reserve(&self, at: usize) -> &T {
        self.try_get(at).expect("out of memory")
    }

    #[inline]
    fn segment(&self, segment: usize) -> Option<&[T]> {
        self.place(segment)?.get().map(|words| &**words)
    }

    #[inline]
    fn place(&self, segment: usize) -> Option<&Segment<T>> {
        if segment < DOUBLING {
            return Some(&self.few[segment]);
        }
        self.many.get()?.get(segment - DOUBLING)
    }
}

#[inline]
fn locate(at: usize) -> (usize, usize) {
    if at < 1 << FIRST {
        return (0, at);
    }
    if at < 1 << LARGEST {
        let log = at.ilog2();
        return ((log - FIRST + 1) as usize, at - (1 << log));
    }
    let segment = DOUBLING + (at >> LARGEST) - 1;
    (segment, at & ((1 << LARGEST) - 1))
}

fn segment_size(segment: usize) -> usize {
    match segment {
        0 => 1 << FIRST,
        _ if segment < DOUBLING => 1 << (FIRST as usize + segment - 1),
        _ => 1 << LARGEST,
    }
}

/// Fresh zero words: the operating system commits their pages when they are first touched, which `vec![…]`
/// of atomics does not get. Huge pages are asked for from so many bytes on. `None` when there is no memory.
pub(crate) fn zeroed<T: Word>(len: usize, huge: usize) -> Option<Box<[T]>> {
    if len == 0 {
        return Some(Box::new([]));
    }
    let layout = Layout::array::<T>(len).ok()?;
    // SAFETY: the layout is not empty (`len` > 0 and words are not zero-sized); zero is a valid `T` by the
    // contract of `Word`; a box of a slice is freed with the same layout by the same allocator.
    unsafe {
        let words = alloc_zeroed(layout).cast::<T>();
        if words.is_null() {
            return None;
        }
        if layout.size() >= huge {
            ask_for_huge_pages(words.cast(), layout.size());
        }
        let words = std::ptr::slice_from_raw_parts_mut(words, len);
        Some(Box::from_raw(words))
    }
}

/// Asks the processor to fetch a word, without waiting for it.
#[inline]
pub(crate) fn prefetch<T>(word: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint that changes nothing; every x86-64 processor has the instruction, and the address is that of a reference.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

/// A table from this size on is worth huge pages: it is used everywhere at once.
pub(crate) const SPREAD: usize = 1 << 22;
/// What is filled from its beginning leaves half of a huge page empty on average: it has to be larger for that not to count.
const FILLED_SLOWLY: usize = 1 << 24;

/// Asks for huge pages: a table is read at random places, and with pages of 4 KB most reads would also miss the
/// processor's table of pages. Only an advice: nothing depends on what becomes of it.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(start: *mut u8, len: usize) {
    // Declared here because the standard library links the C library anyway.
    unsafe extern "C" {
        fn madvise(start: *mut u8, len: usize, advice: i32) -> i32;
    }
    const PAGE: usize = 4096;
    const MADV_HUGEPAGE: i32 = 14;
    let skipped = start.align_offset(PAGE);
    if skipped < len {
        // SAFETY: the range lies within one allocation of ours; this advice never changes what is in it. A
        // refusal (older kernels, other page sizes) leaves everything as it is.
        unsafe {
            madvise(
                start.add(skipped),
                (len - skipped) / PAGE * PAGE,
                MADV_HUGEPAGE,
            );
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_start: *mut u8, _len: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn every_word_has_its_own_place() {
        let mut next = (0, 0);
        for at in 0..(1 << LARGEST) * 3 + 5 {
            assert_eq!(locate(at), next, "{at}");
            next.1 += 1;
            if next.1 == segment_size(next.0) {
                next = (next.0 + 1, 0);
            }
        }
    }

    #[test]
    fn words_keep_what_was_set() {
        let column = Column::<AtomicU64>::new();
        for at in [0, 5, 1023, 1024, 2047, 2048, 100_000, 4_194_304, 9_000_000] {
            assert_eq!(column.get_or_reserve(at).load(Relaxed), 0);
            column.get(at).store(at as u64 + 1, Relaxed);
        }
        for at in [0, 5, 1023, 1024, 2047, 2048, 100_000, 4_194_304, 9_000_000] {
            assert_eq!(column.get(at).load(Relaxed), at as u64 + 1);
        }
    }

    #[test]
    fn the_limit_of_reserved_words_is_the_end_of_a_segment() {
        for len in [
            0,
            1,
            1023,
            1024,
            1025,
            5000,
            (1 << 22) - 1,
            1 << 22,
            9_000_000,
        ] {
            let beyond = Column::<AtomicU32>::reserved_beyond(len);
            assert!(beyond > len);
            assert_eq!(locate(beyond - 1).0, locate(len).0);
            assert_eq!(locate(beyond).1, 0);
        }
    }
}
