//! What needs more files than a test folder should hold.

use std::fs;

use base::{Diagnostics, Sources};

use super::{MAX_FILES, load};
use crate::codes::structure as codes;

/// A folder of its own that is gone after the test.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("burnside-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file for the test");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn found(folder: &Folder, name: &str) -> Vec<&'static str> {
    let mut diagnostics = Diagnostics::new();
    load(&folder.0.join(name), &mut Sources::new(), &mut diagnostics);
    diagnostics.iter().map(|found| found.code.id).collect()
}

#[test]
fn a_chain_of_references_ends_at_the_limit() {
    let folder = Folder::new("chain");
    for number in 0..=MAX_FILES {
        let next = number + 1;
        folder.write(
            &format!("M{number}.mch"),
            &format!("MACHINE M{number} SEES M{next} END"),
        );
    }
    assert_eq!(found(&folder, "M0.mch"), [codes::TOO_MANY_FILES.id]);
}

#[test]
fn a_file_is_read_once_however_many_references_lead_to_it() {
    let folder = Folder::new("lattice");
    // Each machine sees the two below: the number of ways down doubles with every level.
    for number in 0..40 {
        let (a, b) = (number + 1, number + 2);
        folder.write(
            &format!("M{number}.mch"),
            &format!("MACHINE M{number} SEES M{a}, M{b} END"),
        );
    }
    folder.write("M40.mch", "MACHINE M40 END");
    folder.write("M41.mch", "MACHINE M41 END");
    assert!(found(&folder, "M0.mch").is_empty());
}

#[test]
fn a_missing_main_file_has_no_place_in_a_text() {
    let folder = Folder::new("missing");
    let mut diagnostics = Diagnostics::new();
    let project = load(
        &folder.0.join("M.mch"),
        &mut Sources::new(),
        &mut diagnostics,
    );
    assert!(project.main.is_none());
    let first = diagnostics.iter().next().expect("a diagnostic");
    assert_eq!((first.code, &first.primary), (&codes::UNREADABLE, &None));
}
