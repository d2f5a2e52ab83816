//! Gives pages of the program's file back to the system once what they hold is done, so that a run is as large as what it computes.
//!
//! Reading a model, preparing a search and making machine code each run through some five megabytes of the program, most of it once. The
//! kernel keeps such pages mapped, sixteen around each that was touched, and counts them until somebody else needs memory. What is given
//! back is in the cache of files still, and is mapped again when it is needed: some hundred faults, a fraction of a millisecond.
//! Invariant: only segments that no one may write to are given back. Data that were relocated when the file was loaded stay.

/// Gives back the pages of code and constants, the program's and those of the libraries it was loaded with; nothing happens where
/// the system does not know how.
pub fn hand_back() {
    #[cfg(all(target_os = "linux", target_pointer_width = "64"))]
    linux::hand_back();
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
mod linux {
    use std::ffi::{CStr, c_char, c_int, c_void};
    use std::ptr::null_mut;
    use std::slice;

    // Declared here because the standard library links the C library anyway.
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
        fn dl_iterate_phdr(
            each: extern "C" fn(*const Object, usize, *mut c_void) -> c_int,
            data: *mut c_void,
        ) -> c_int;
    }

    /// What the loader tells of a file, as far as it is looked at: `struct dl_phdr_info`.
    #[repr(C)]
    struct Object {
        base: usize,
        name: *const c_char,
        segments: *const Segment,
        count: u16,
    }

    /// `Elf64_Phdr`.
    #[derive(Clone, Copy)]
    #[repr(C)]
    pub(super) struct Segment {
        pub kind: u32,
        pub access: u32,
        pub offset: u64,
        pub address: usize,
        pub physical: u64,
        pub in_file: u64,
        pub size: usize,
        pub alignment: u64,
    }

    /// The pages are not needed soon; those of a file are read from it again.
    const DONT_NEED: c_int = 4;
    /// A segment that is mapped from the file.
    pub(super) const LOADED: u32 = 1;
    /// What may be done with a segment.
    pub(super) const WRITTEN: u32 = 2;
    /// The smallest page.
    pub(super) const PAGE: usize = 4096;

    pub(super) fn hand_back() {
        // SAFETY: the function has the type that is asked for, and looks at nothing behind `data`.
        unsafe {
            dl_iterate_phdr(of_object, null_mut());
        }
    }

    extern "C" fn of_object(object: *const Object, _size: usize, _data: *mut c_void) -> c_int {
        // SAFETY: the loader hands in a description that is valid during the call, with as many segments as it says; a name is
        // absent or ends with a zero. It lets nobody load or unload a file meanwhile.
        let (object, segments, name) = unsafe {
            let object = &*object;
            let name = match object.name.is_null() {
                true => c"",
                false => CStr::from_ptr(object.name),
            };
            let segments = slice::from_raw_parts(object.segments, usize::from(object.count));
            (object, segments, name)
        };
        // The program itself has no name; what the kernel puts into every process has a name, but no path.
        if !matches!(name.to_bytes().first(), None | Some(b'/')) {
            return 0;
        }
        for (start, end) in segments.iter().filter_map(pages) {
            // SAFETY: a segment of a file that may not be written to: every page of it is as it stands in the file (no compiler
            // for these processors makes code that the loader has to change), so dropping it changes nothing that can be read
            // there. What does not fill a page is left. A failure leaves everything mapped.
            unsafe {
                let address = (object.base + start) as *mut c_void;
                madvise(address, end - start, DONT_NEED);
            }
        }
        0
    }

    /// The pages that a segment fills, if they are only read.
    pub(super) fn pages(segment: &Segment) -> Option<(usize, usize)> {
        let is_constant = segment.kind == LOADED && segment.access & WRITTEN == 0;
        let start = segment.address.next_multiple_of(PAGE);
        let end = (segment.address + segment.size) / PAGE * PAGE;
        (is_constant && start < end).then_some((start, end))
    }
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
mod tests {
    use super::hand_back;
    use super::linux::{LOADED, PAGE, Segment, WRITTEN, pages};

    const EXECUTED: u32 = 1;
    const READ: u32 = 4;

    fn segment(kind: u32, access: u32, address: usize, size: usize) -> Segment {
        Segment {
            kind,
            access,
            offset: 0,
            address,
            physical: 0,
            in_file: 0,
            size,
            alignment: 0,
        }
    }

    #[test]
    fn only_whole_pages_that_are_never_written_are_given_back() {
        let of = |access, address, size| pages(&segment(LOADED, access, address, size));
        assert_eq!(of(READ, 0, 3 * PAGE), Some((0, 3 * PAGE)));
        assert_eq!(of(READ | EXECUTED, 100, 3 * PAGE), Some((PAGE, 3 * PAGE)));
        assert_eq!(of(READ | WRITTEN, 0, 3 * PAGE), None);
        assert_eq!(of(READ, 100, PAGE), None);
        assert_eq!(pages(&segment(2, READ, 0, 3 * PAGE)), None);
    }

    #[test]
    fn a_program_goes_on_with_fewer_pages_mapped() {
        static WORDS: [&str; 3] = ["one", "two", "three"];
        let sum: usize = (0..1000).sum();
        let resident = || {
            let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
            let line = status.lines().find(|line| line.starts_with("RssFile:"));
            let number = line.and_then(|line| line.split_ascii_whitespace().nth(1));
            number.and_then(|number| number.parse::<usize>().ok())
        };
        // The first time maps what the question itself takes.
        let (_, before) = (resident(), resident());
        hand_back();
        let after = resident();
        assert_eq!((0..1000).sum::<usize>(), sum);
        assert_eq!(WORDS.concat(), "onetwothree");
        let (Some(before), Some(after)) = (before, after) else {
            eprintln!("skipped: the kernel does not tell what is mapped");
            return;
        };
        assert!(after < before, "{after} KB of {before}");
    }
}
