//! Gives pages of the program's own code back to the system once what they hold is done, so that a run is as large as what it computes.
//!
//! Reading a model and making machine code run through some ten megabytes of the program, most of it once. The kernel keeps
//! such pages mapped, sixteen around each that was touched, and counts them until somebody else needs memory. What is given
//! back is in the cache of files still, and is mapped again when it is needed.
//! Invariant: only code is given back, which nobody writes to. Data of the file were relocated when it was loaded, and stay.

/// Gives the pages of the program's code back; nothing happens where the system does not know how.
pub fn hand_back_code() {
    #[cfg(target_os = "linux")]
    linux::hand_back();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }

    /// The pages are not needed soon; those of a file are read from it again.
    const DONT_NEED: c_int = 4;

    pub(super) fn hand_back() {
        let (Ok(maps), Ok(own)) = (
            std::fs::read_to_string("/proc/self/maps"),
            std::env::current_exe(),
        ) else {
            return;
        };
        let own = own.to_string_lossy();
        let code = maps.lines().filter_map(|line| code_of(line, &own));
        for (start, end) in code {
            // SAFETY: the range is a private mapping of the program's file that may be executed and not written, so every page of it is
            // as it stands in the file; dropping it changes nothing that can be read there. A failure leaves it mapped.
            unsafe {
                madvise(start as *mut c_void, end - start, DONT_NEED);
            }
        }
    }

    /// The addresses of a mapping, if it holds code of this file.
    pub(super) fn code_of(line: &str, file: &str) -> Option<(usize, usize)> {
        let mut fields = line.split_ascii_whitespace();
        let (range, access) = (fields.next()?, fields.next()?);
        let is_own = fields.nth(3).is_some_and(|path| path == file);
        if access != "r-xp" || !is_own {
            return None;
        }
        let (start, end) = range.split_once('-')?;
        let number = |text: &str| usize::from_str_radix(text, 16).ok();
        Some((number(start)?, number(end)?))
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{hand_back_code, linux::code_of};

    #[test]
    fn only_code_of_the_file_is_given_back() {
        let line =
            |access: &str, path: &str| format!("1000-3000 {access} 00002000 08:01 17    {path}");
        let own = |access, path| code_of(&line(access, path), "/bin/it");
        assert_eq!(own("r-xp", "/bin/it"), Some((0x1000, 0x3000)));
        assert_eq!(own("r--p", "/bin/it"), None);
        assert_eq!(own("rw-p", "/bin/it"), None);
        assert_eq!(own("r-xp", "/lib/libc.so.6"), None);
        assert_eq!(own("r-xp", ""), None);
    }

    #[test]
    fn a_program_goes_on_without_its_pages() {
        let before: usize = (0..1000).sum();
        hand_back_code();
        assert_eq!((0..1000).sum::<usize>(), before);
    }
}
