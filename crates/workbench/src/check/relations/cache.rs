//! Remembers the solver's answers about a model between runs, in a folder that the caller names.
//!
//! The key is the model as lowered, which all loaded files, scopes and preferences have gone into, with the options that
//! questions depend on and the version of the program. What cannot be read or written is asked again.
//! Invariant: a file is written as a whole or not at all, and holds the whole key's digest.

use std::path::{Path, PathBuf};

use reduce::por::{GroupSet, Matrix, Relations};
use serde::{Deserialize, Serialize};

use super::Answers;

/// A place for the answers about one model.
#[derive(Clone, Debug)]
pub(super) struct Place {
    file: PathBuf,
    digest: String,
}

/// Answers as they are saved: for each row the related groups.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    digest: String,
    groups: usize,
    dependent: Vec<Vec<usize>>,
    can_enable: Vec<Vec<usize>>,
    can_disable: Vec<Vec<usize>>,
    together: Vec<Vec<usize>>,
    guard_enablers: Vec<Vec<usize>>,
    mends: Vec<(usize, usize)>,
    breaks: Vec<(usize, usize)>,
    asked: u64,
    unanswered: u64,
}

impl Place {
    /// The place of a key in a folder.
    pub(super) fn new(folder: &Path, key: &str) -> Place {
        let digest = digest(key);
        Place {
            file: folder.join(format!("{digest}.json")),
            digest,
        }
    }

    /// The answers, if they are there and fit so many groups and guards.
    pub(super) fn read(&self, groups: usize, guards: usize) -> Option<Answers> {
        let text = std::fs::read(&self.file).ok()?;
        let saved: Saved = serde_json::from_slice(&text).ok()?;
        let fits = saved.digest == self.digest
            && saved.groups == groups
            && saved.guard_enablers.len() == guards
            && [
                &saved.dependent,
                &saved.can_enable,
                &saved.can_disable,
                &saved.together,
            ]
            .iter()
            .all(|rows| rows.len() == groups)
            && [
                &saved.dependent,
                &saved.can_enable,
                &saved.can_disable,
                &saved.together,
                &saved.guard_enablers,
            ]
            .iter()
            .all(|rows| rows.iter().flatten().all(|group| *group < groups));
        if !fits {
            return None;
        }
        let set = |list: &Vec<usize>| {
            let mut set = GroupSet::new(groups);
            list.iter().for_each(|group| {
                set.insert(*group);
            });
            set
        };
        let matrix = |rows: &[Vec<usize>]| {
            let mut matrix = Matrix::new(groups);
            for (from, row) in rows.iter().enumerate() {
                row.iter().for_each(|to| matrix.set(from, *to, true));
            }
            matrix
        };
        Some(Answers {
            relations: Relations {
                dependent: matrix(&saved.dependent),
                can_enable: matrix(&saved.can_enable),
                can_disable: matrix(&saved.can_disable),
                together: matrix(&saved.together),
                guard_enablers: saved.guard_enablers.iter().map(set).collect(),
            },
            mends: saved.mends.into_iter().collect(),
            breaks: saved.breaks.into_iter().collect(),
            asked: saved.asked,
            unanswered: saved.unanswered,
        })
    }

    /// Keeps answers about so many groups. A folder that cannot be written to keeps nothing.
    pub(super) fn write(&self, groups: usize, answers: &Answers) {
        let relations = &answers.relations;
        let rows = |matrix: &Matrix| -> Vec<Vec<usize>> {
            (0..groups)
                .map(|from| matrix.row(from).iter().collect())
                .collect()
        };
        let saved = Saved {
            digest: self.digest.clone(),
            groups,
            dependent: rows(&relations.dependent),
            can_enable: rows(&relations.can_enable),
            can_disable: rows(&relations.can_disable),
            together: rows(&relations.together),
            guard_enablers: relations
                .guard_enablers
                .iter()
                .map(|set| set.iter().collect())
                .collect(),
            mends: answers.mends.iter().copied().collect(),
            breaks: answers.breaks.iter().copied().collect(),
            asked: answers.asked,
            unanswered: answers.unanswered,
        };
        let (Some(folder), Ok(text)) = (self.file.parent(), serde_json::to_vec(&saved)) else {
            return;
        };
        let new = self
            .file
            .with_extension(format!("{}.new", std::process::id()));
        let is_written =
            std::fs::create_dir_all(folder).is_ok() && std::fs::write(&new, text).is_ok();
        if is_written && std::fs::rename(&new, &self.file).is_err() {
            let _ = std::fs::remove_file(&new);
        }
    }
}

/// A digest of a text that nobody finds another text for: answers about another model would make a reduction unsound.
fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
