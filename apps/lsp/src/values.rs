//! The values of constants, which only a run of the model tells: asked of a session, remembered until a text changes.
//!
//! Invariant: no request waits for one: what is not known yet is answered from a thread of its own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use session::{Limits, Model, Request};

use crate::runs::opened;

/// A constant whose value takes longer is shown without.
const PATIENCE: Duration = Duration::from_secs(3);
/// The most memory of the session, in bytes.
const MAX_MEMORY: u64 = 1_000_000_000;
/// A longer value is cut.
const LONGEST: usize = 400;

/// The values that are known.
#[derive(Clone)]
pub(crate) struct Values {
    program: PathBuf,
    known: Arc<Mutex<Remembered>>,
}

#[derive(Default)]
struct Remembered {
    /// How often texts changed.
    age: u64,
    /// By text and name; `None` has no value.
    values: BTreeMap<(String, String), Option<String>>,
}

/// A constant, and the texts that tell its value.
pub(crate) struct Question {
    /// The text that it stands in.
    pub(crate) uri: String,
    /// The file of that text.
    pub(crate) path: PathBuf,
    /// The folder that is opened for the question: what the model refers to lies below it.
    pub(crate) folder: PathBuf,
    /// The texts that are open.
    pub(crate) texts: Vec<(PathBuf, String)>,
    /// The constant.
    pub(crate) name: String,
}

impl Values {
    pub(crate) fn new(program: PathBuf) -> Values {
        Values {
            program,
            known: Arc::default(),
        }
    }

    /// A text changed: nothing is known any more.
    pub(crate) fn forget(&self) {
        let mut known = self.lock();
        known.age += 1;
        known.values.clear();
    }

    /// The value of a constant, if it was asked for already.
    pub(crate) fn get(&self, uri: &str, name: &str) -> Option<Option<String>> {
        let key = (uri.to_owned(), name.to_owned());
        self.lock().values.get(&key).cloned()
    }

    /// Finds the value of a constant in a thread of its own, and tells it.
    pub(crate) fn find(
        &self,
        question: Question,
        tell: impl FnOnce(Option<String>) + Send + 'static,
    ) {
        let values = self.clone();
        let age = self.lock().age;
        std::thread::spawn(move || {
            let value = values.evaluated(&question);
            let mut known = values.lock();
            if known.age == age {
                let key = (question.uri, question.name);
                known.values.insert(key, value.clone());
            }
            drop(known);
            tell(value);
        });
    }

    fn evaluated(&self, question: &Question) -> Option<String> {
        let limits = Limits {
            time: PATIENCE,
            memory: MAX_MEMORY,
        };
        let program = (self.program.as_path(), question.folder.as_path());
        let mut child = opened(program, &question.texts, limits).ok()?;
        let request = Request::Eval {
            file: Some(question.path.display().to_string()),
            model: Model::default(),
            formulas: vec![question.name.clone()],
        };
        let cancel = AtomicBool::new(false);
        let answer = child.ask(request, &cancel, &mut |_| {}).ok()?;
        let answer = &answer["answers"][0];
        let has_value = answer["has_value"].as_bool()?;
        let value = answer["answer"].as_str().filter(|_| has_value)?;
        Some(match value.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{} …", &value[..end]),
            None => value.to_owned(),
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Remembered> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
