//! Checks that an editor asked for: each in a process of its own, its findings told as diagnostics with their paths.
//!
//! Invariant: what a check found is told only as long as the text is the one that was checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use session::{Child, Choices, Failure, Limits, Model, Request};

use crate::findings::{Anchors, MAX_STEPS, findings};
use crate::publish::Publisher;

/// How long a check may take when nobody says, in seconds.
const USUAL_TIME: f64 = 60.0;
/// The most memory of a check's process, in bytes.
const MAX_MEMORY: u64 = 4_000_000_000;

/// The runs of a server.
pub(crate) struct Runs {
    program: PathBuf,
    publisher: Publisher,
    /// For each text that was checked since it changed: how to end the check.
    current: Arc<Mutex<BTreeMap<String, Arc<AtomicBool>>>>,
    next: AtomicU64,
}

/// A text that is to be checked.
pub(crate) struct Subject {
    /// Its address.
    pub(crate) uri: String,
    /// Its path.
    pub(crate) path: PathBuf,
    /// The folder that is opened for the check: what the model refers to lies below it.
    pub(crate) folder: PathBuf,
    /// Where findings can point.
    pub(crate) anchors: Anchors,
}

/// A check to be run.
struct Job {
    program: PathBuf,
    subject: Subject,
    texts: Vec<(PathBuf, String)>,
    choices: Box<Choices>,
    cancel: Arc<AtomicBool>,
}

impl Runs {
    pub(crate) fn new(program: PathBuf, publisher: Publisher) -> Runs {
        Runs {
            program,
            publisher,
            current: Arc::default(),
            next: AtomicU64::new(1),
        }
    }

    /// Whether the text was not changed since it was checked.
    pub(crate) fn is_current(&self, uri: &str) -> bool {
        lock(&self.current).contains_key(uri)
    }

    /// What is checked, or was, is not the text any more.
    pub(crate) fn text_changed(&self, uri: &str) {
        if let Some(cancel) = lock(&self.current).remove(uri) {
            cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Begins a check of a text; the texts of all open files count.
    pub(crate) fn check(&self, subject: Subject, texts: Vec<(PathBuf, String)>, choices: Value) {
        self.text_changed(&subject.uri);
        let mut choices: Box<Choices> =
            Box::new(serde_json::from_value(choices).unwrap_or_default());
        choices.max_time = choices.max_time.or(Some(USUAL_TIME));
        choices.max_memory = choices.max_memory.or(Some(MAX_MEMORY / 2));
        let cancel = Arc::new(AtomicBool::new(false));
        lock(&self.current).insert(subject.uri.clone(), Arc::clone(&cancel));
        let job = Job {
            program: self.program.clone(),
            subject,
            texts,
            choices,
            cancel,
        };
        let publisher = self.publisher.clone();
        let token = format!("burnside-{}", self.next.fetch_add(1, Ordering::Relaxed));
        std::thread::spawn(move || {
            let title = format!(
                "checking {}",
                job.subject
                    .path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
            );
            progress(
                &publisher,
                &token,
                json!({ "kind": "begin", "title": title, "cancellable": false }),
            );
            let found = run(&job, &publisher, &token);
            progress(&publisher, &token, json!({ "kind": "end" }));
            // A check of a text that changed meanwhile says nothing about it.
            if job.cancel.load(Ordering::Relaxed) {
                return;
            }
            match found {
                Ok(report) => {
                    let found = findings(&job.subject.anchors, &report);
                    publisher.checked(&job.subject.uri, found);
                    let params = json!({ "type": 3, "message": summary(&report) });
                    publisher.notify("window/showMessage", params);
                }
                Err(failure) => {
                    let params = json!({ "type": 1, "message": failure.text() });
                    publisher.notify("window/showMessage", params);
                }
            }
        });
    }
}

fn progress(publisher: &Publisher, token: &str, value: Value) {
    publisher.notify("$/progress", json!({ "token": token, "value": value }));
}

/// A session of the program for a folder, in which the texts that are open count.
pub(crate) fn opened(
    (program, folder): (&Path, &Path),
    texts: &[(PathBuf, String)],
    limits: Limits,
) -> Result<Child, Failure> {
    let started = Child::start(program, folder, limits);
    let mut child = started.map_err(|error| Failure::Died(error.to_string()))?;
    let cancel = AtomicBool::new(false);
    for (path, text) in texts {
        if path.starts_with(folder) {
            let put = Request::Put {
                file: path.display().to_string(),
                text: text.clone(),
            };
            child.ask(put, &cancel, &mut |_| {})?;
        }
    }
    Ok(child)
}

/// Runs a check; the report.
fn run(job: &Job, publisher: &Publisher, token: &str) -> Result<Value, Failure> {
    let seconds = job.choices.max_time.unwrap_or(USUAL_TIME) + 5.0;
    let limits = Limits {
        time: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(60)),
        memory: MAX_MEMORY,
    };
    let mut child = opened((&job.program, &job.subject.folder), &job.texts, limits)?;
    let request = Request::Check {
        file: job.subject.path.display().to_string(),
        model: Model::default(),
        check: job.choices.clone(),
        steps: MAX_STEPS,
        page: false,
    };
    let answer = child.ask(request, &job.cancel, &mut |told| {
        let message = format!("{} states, depth {}", told["states"], told["depth"]);
        progress(
            publisher,
            token,
            json!({ "kind": "report", "message": message }),
        );
    })?;
    Ok(answer["report"].clone())
}

/// The verdict with what limits it.
fn summary(report: &Value) -> String {
    let verdict = report["verdict"].as_str().unwrap_or_default();
    let listed = |name: &str| {
        let all = report[name].as_array().into_iter().flatten();
        let all: Vec<&str> = all.filter_map(Value::as_str).collect();
        all.join("; ")
    };
    let states = &report["statistics"]["states"];
    let mut text = format!("burnside: {verdict}");
    let (why, left) = (listed("open_because"), listed("not_checked"));
    if !why.is_empty() {
        text.push_str(&format!(" ({why})"));
    }
    text.push_str(&format!(", {states} states"));
    if !left.is_empty() {
        text.push_str(&format!("; not checked: {left}"));
    }
    text
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::summary;

    #[test]
    fn a_verdict_is_told_with_what_limits_it() {
        let mut report = json!({
            "verdict": "holds", "open_because": [], "not_checked": [], "statistics": { "states": 7 },
        });
        assert_eq!(summary(&report), "burnside: holds, 7 states");
        report["not_checked"] = json!(["deadlocks", "refinement"]);
        assert_eq!(
            summary(&report),
            "burnside: holds, 7 states; not checked: deadlocks; refinement"
        );
        report["verdict"] = json!("open");
        report["open_because"] = json!(["the limit on time was reached"]);
        report["not_checked"] = json!([]);
        assert_eq!(
            summary(&report),
            "burnside: open (the limit on time was reached), 7 states"
        );
    }
}
