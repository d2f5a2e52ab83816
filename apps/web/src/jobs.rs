//! Long runs and walks, kept while pages come and go.
//!
//! A job is a check in a session of its own and thread; a walk is an animation whose session stays. Both have numbers.
//! Invariant: there are never more than so many; the oldest that are over go first.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use session::{Child, Failure, Limits, Request};

use crate::Server;

/// So many jobs are kept.
const MAX_JOBS: usize = 50;
/// So many of them may run at once.
const MAX_RUNNING: usize = 4;
/// So many walks are kept.
const MAX_WALKS: usize = 16;
/// How long a job may run: a limit for those who forgot one.
const MAX_JOB: Duration = Duration::from_secs(24 * 3600);

/// The jobs and walks of a server.
pub(crate) struct Jobs {
    program: PathBuf,
    folder: PathBuf,
    max_time: Duration,
    max_memory: u64,
    next: AtomicU64,
    jobs: Mutex<BTreeMap<u64, Arc<Job>>>,
    walks: Mutex<BTreeMap<u64, Walk>>,
}

/// An animation, or a state space that grows.
struct Walk {
    /// When it was asked last.
    used: Instant,
    child: Arc<Mutex<Child>>,
}

/// A check.
struct Job {
    title: String,
    begun: Instant,
    cancel: AtomicBool,
    state: Mutex<JobState>,
}

#[derive(Default)]
struct JobState {
    progress: Value,
    ended: Option<Result<Value, String>>,
}

impl Jobs {
    pub(crate) fn new(server: &Server) -> Jobs {
        Jobs {
            program: server.program.clone(),
            folder: server.folder.clone(),
            max_time: server.max_time,
            max_memory: server.max_memory,
            next: AtomicU64::new(1),
            jobs: Mutex::default(),
            walks: Mutex::default(),
        }
    }

    fn session(&self, time: Duration) -> Result<Child, String> {
        let limits = Limits {
            time,
            memory: self.max_memory,
        };
        let started = Child::start(&self.program, &self.folder, limits);
        started.map_err(|error| error.to_string())
    }

    /// Puts texts in the place of files, then asks.
    fn asked(
        child: &mut Child,
        texts: &BTreeMap<String, String>,
        request: Request,
    ) -> Result<Value, Failure> {
        let never = AtomicBool::new(false);
        for (file, text) in texts {
            let put = Request::Put {
                file: file.clone(),
                text: text.clone(),
            };
            child.ask(put, &never, &mut |_| {})?;
        }
        child.ask(request, &never, &mut |_| {})
    }

    /// Asks a session of its own; the texts of the editor count.
    pub(crate) fn ask(
        &self,
        texts: &BTreeMap<String, String>,
        request: Request,
    ) -> Result<Value, String> {
        let mut child = self.session(self.max_time)?;
        Jobs::asked(&mut child, texts, request).map_err(|failure| failure.text())
    }

    /// Begins a walk: its number and where it is.
    pub(crate) fn begin(
        &self,
        texts: &BTreeMap<String, String>,
        request: Request,
    ) -> Result<Value, String> {
        let mut child = self.session(self.max_time)?;
        let answer = Jobs::asked(&mut child, texts, request);
        let mut answer = answer.map_err(|failure| failure.text())?;
        if answer.get("scene").is_none() && answer.get("explored").is_none() {
            return Ok(answer);
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut walks = lock(&self.walks);
        let walk = Walk {
            used: Instant::now(),
            child: Arc::new(Mutex::new(child)),
        };
        walks.insert(number, walk);
        while walks.len() > MAX_WALKS {
            let oldest = walks.iter().min_by_key(|(_, walk)| walk.used);
            let Some(oldest) = oldest.map(|(number, _)| *number) else {
                break;
            };
            walks.remove(&oldest);
        }
        answer["walk"] = json!(number);
        Ok(answer)
    }

    /// Asks the session of a walk.
    pub(crate) fn go_on(&self, walk: u64, request: Request) -> Result<Value, String> {
        let child = {
            let mut walks = lock(&self.walks);
            let known = walks.get_mut(&walk);
            let known = known.ok_or("this walk is over: begin again")?;
            known.used = Instant::now();
            Arc::clone(&known.child)
        };
        let mut child = lock(&child);
        let never = AtomicBool::new(false);
        let answer = child.ask(request, &never, &mut |_| {});
        if child.is_over() {
            lock(&self.walks).remove(&walk);
        }
        answer.map_err(|failure| failure.text())
    }

    /// Ends a walk: nobody looks at it any more.
    pub(crate) fn end(&self, walk: u64) {
        lock(&self.walks).remove(&walk);
    }

    /// Begins a job; its number.
    pub(crate) fn start(
        &self,
        title: String,
        texts: BTreeMap<String, String>,
        request: Request,
    ) -> Result<u64, String> {
        let mut jobs = lock(&self.jobs);
        let running = jobs.values().filter(|job| lock(&job.state).ended.is_none());
        if running.count() >= MAX_RUNNING {
            return Err(format!("{MAX_RUNNING} checks are running; stop one first"));
        }
        let mut child = self.session(MAX_JOB)?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let job = Arc::new(Job {
            title,
            begun: Instant::now(),
            cancel: AtomicBool::new(false),
            state: Mutex::default(),
        });
        jobs.insert(number, Arc::clone(&job));
        while jobs.len() > MAX_JOBS {
            let over = jobs
                .iter()
                .find(|(_, job)| lock(&job.state).ended.is_some());
            let Some(over) = over.map(|(number, _)| *number) else {
                break;
            };
            jobs.remove(&over);
        }
        drop(jobs);
        std::thread::spawn(move || {
            let put = |child: &mut Child, file: String, text: String| {
                child.ask(Request::Put { file, text }, &job.cancel, &mut |_| {})
            };
            let mut answer = Ok(Value::Null);
            for (file, text) in texts {
                answer = answer.and_then(|_| put(&mut child, file, text));
            }
            let answer = answer.and_then(|_| {
                child.ask(request, &job.cancel, &mut |told| {
                    lock(&job.state).progress = told;
                })
            });
            lock(&job.state).ended = Some(answer.map_err(|failure| failure.text()));
        });
        Ok(number)
    }

    /// All jobs, newest first, without their answers.
    pub(crate) fn list(&self) -> Value {
        let jobs = lock(&self.jobs);
        jobs.iter()
            .rev()
            .map(|(number, job)| job.told(*number, false))
            .collect()
    }

    /// A job with its answer.
    pub(crate) fn job(&self, number: u64) -> Option<Value> {
        let job = lock(&self.jobs).get(&number).cloned();
        job.map(|job| job.told(number, true))
    }

    /// Stops a job; what it has so far is its answer.
    pub(crate) fn stop(&self, number: u64) -> Option<()> {
        let job = lock(&self.jobs).get(&number).cloned()?;
        job.cancel.store(true, Ordering::Relaxed);
        Some(())
    }
}

impl Job {
    fn told(&self, number: u64, whole: bool) -> Value {
        let state = lock(&self.state);
        let word = match &state.ended {
            None => "running",
            Some(Ok(_)) => "done",
            Some(Err(_)) => "failed",
        };
        let mut told = json!({
            "job": number,
            "title": self.title,
            "state": word,
            "progress": state.progress,
            "seconds": self.begun.elapsed().as_secs_f64(),
        });
        match &state.ended {
            Some(Ok(answer)) => {
                told["verdict"] = answer["report"]["verdict"].clone();
                if whole {
                    told["answer"] = answer.clone();
                }
            }
            Some(Err(why)) => told["why"] = json!(why),
            None => {}
        }
        told
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
