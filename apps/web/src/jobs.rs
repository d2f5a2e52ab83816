//! Long runs and walks, kept while pages come and go.
//!
//! A job is a check in a session of its own and thread; a walk is an animation whose session stays. Both have numbers.
//! Invariant: there are never more than so many, and their answers never need more than so much; the oldest that are over go first.

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
/// So many bytes of answers are kept.
const MAX_KEPT: usize = 64 * 1024 * 1024;
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
    jobs: Arc<Mutex<Numbered>>,
    walks: Mutex<BTreeMap<u64, Walk>>,
}

/// Jobs by number: the oldest first.
type Numbered = BTreeMap<u64, Arc<Job>>;

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
    ended: Option<Result<Answer, String>>,
    /// How long it took, once it ended.
    took: Option<Duration>,
}

/// What a job found.
struct Answer {
    verdict: Value,
    /// Whether something was not checked.
    is_partial: bool,
    /// As JSON: a tree of values takes several times the room, in pieces that keep what lies between them from being given back.
    whole: Box<str>,
}

impl Jobs {
    pub(crate) fn new(server: &Server) -> Jobs {
        Jobs {
            program: server.program.clone(),
            folder: server.folder.clone(),
            max_time: server.max_time,
            max_memory: server.max_memory,
            next: AtomicU64::new(1),
            jobs: Arc::default(),
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
        make_room(&mut jobs, MAX_KEPT);
        drop(jobs);
        let jobs = Arc::clone(&self.jobs);
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
            // The process and what it said are not needed while the answer waits.
            drop(child);
            let answer = answer.map_err(|failure| failure.text());
            let answer = answer.map(|answer| Answer::new(&answer));
            let mut state = lock(&job.state);
            state.took = Some(job.begun.elapsed());
            state.ended = Some(answer);
            drop(state);
            make_room(&mut lock(&jobs), MAX_KEPT);
        });
        Ok(number)
    }

    /// All jobs, newest first, without their answers.
    pub(crate) fn list(&self) -> Value {
        let jobs = lock(&self.jobs);
        jobs.iter()
            .rev()
            .map(|(number, job)| job.told(*number))
            .collect()
    }

    /// A job with its answer, as JSON.
    pub(crate) fn job(&self, number: u64) -> Option<String> {
        let job = lock(&self.jobs).get(&number).cloned();
        job.map(|job| job.whole(number))
    }

    /// Stops a job; what it has so far is its answer.
    pub(crate) fn stop(&self, number: u64) -> Option<()> {
        let job = lock(&self.jobs).get(&number).cloned()?;
        job.cancel.store(true, Ordering::Relaxed);
        Some(())
    }
}

impl Answer {
    fn new(answer: &Value) -> Answer {
        Answer {
            verdict: answer["report"]["verdict"].clone(),
            is_partial: answer["report"]["not_checked"]
                .as_array()
                .is_some_and(|left| !left.is_empty()),
            whole: answer.to_string().into_boxed_str(),
        }
    }
}

impl Job {
    /// The job without its answer.
    fn told(&self, number: u64) -> Value {
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
            "seconds": state.took.unwrap_or_else(|| self.begun.elapsed()).as_secs_f64(),
        });
        match &state.ended {
            Some(Ok(answer)) => {
                told["verdict"] = answer.verdict.clone();
                told["partial"] = json!(answer.is_partial);
            }
            Some(Err(why)) => told["why"] = json!(why),
            None => {}
        }
        told
    }

    /// The job with its answer, which is a text already and stays one.
    fn whole(&self, number: u64) -> String {
        let mut told = self.told(number).to_string();
        if let Some(Ok(answer)) = &lock(&self.state).ended {
            told.truncate(told.len() - 1);
            told.push_str(",\"answer\":");
            told.push_str(&answer.whole);
            told.push('}');
        }
        told
    }

    /// How much its answer needs; `None` while it runs.
    fn kept(&self) -> Option<usize> {
        let state = lock(&self.state);
        let ended = state.ended.as_ref()?;
        Some(ended.as_ref().map_or(0, |answer| answer.whole.len()))
    }
}

/// Removes the oldest jobs that are over until the rest is within the limits. The newest answer stays, whatever its size.
fn make_room(jobs: &mut Numbered, most: usize) {
    let over = jobs.iter();
    let over = over.filter_map(|(number, job)| Some((*number, job.kept()?)));
    let over: Vec<(u64, usize)> = over.collect();
    let mut kept: usize = over.iter().map(|(_, size)| size).sum();
    let oldest = over.iter().take(over.len().saturating_sub(1));
    for (number, size) in oldest {
        if jobs.len() <= MAX_JOBS && kept <= most {
            return;
        }
        jobs.remove(number);
        kept -= size;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(ended: Option<Result<Answer, String>>) -> Arc<Job> {
        let state = JobState {
            progress: Value::Null,
            ended,
            took: Some(Duration::from_secs(2)),
        };
        Arc::new(Job {
            title: "t".to_owned(),
            begun: Instant::now(),
            cancel: AtomicBool::new(false),
            state: Mutex::new(state),
        })
    }

    fn done(answer: &Value) -> Arc<Job> {
        job(Some(Ok(Answer::new(answer))))
    }

    #[test]
    fn a_job_is_told_with_its_answer() {
        let answer = json!({ "report": { "verdict": "holds" }, "text": "a \"b\"" });
        let whole = done(&answer).whole(3);
        let whole: Value = serde_json::from_str(&whole).expect("JSON");
        assert_eq!(
            (&whole["job"], &whole["state"]),
            (&json!(3), &json!("done"))
        );
        assert_eq!(whole["verdict"], "holds");
        assert_eq!(whole["seconds"], 2.0, "it took so long, however long ago");
        assert_eq!(whole["answer"], answer);
        let running = job(None).whole(4);
        assert!(running.contains("\"running\"") && !running.contains("answer"));
        let failed = job(Some(Err("no".to_owned()))).whole(5);
        assert!(failed.contains("\"why\":\"no\""), "{failed}");
    }

    #[test]
    fn the_oldest_answers_go_first_and_what_runs_stays() {
        let mut jobs = Numbered::new();
        jobs.insert(0, job(None));
        for number in 1..=60 {
            jobs.insert(number, done(&json!({})));
        }
        make_room(&mut jobs, MAX_KEPT);
        assert_eq!(jobs.len(), MAX_JOBS);
        assert!(jobs.contains_key(&0) && !jobs.contains_key(&11) && jobs.contains_key(&12));
        let numbers = json!((0..1_000).collect::<Vec<u32>>());
        jobs.insert(61, done(&numbers));
        jobs.insert(62, done(&numbers));
        let one = Answer::new(&numbers).whole.len();
        make_room(&mut jobs, one);
        let kept: Vec<u64> = jobs.keys().copied().collect();
        assert_eq!(kept, [0, 62]);
        make_room(&mut jobs, 0);
        assert_eq!(jobs.len(), 2, "the newest answer stays");
    }
}
