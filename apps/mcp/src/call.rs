//! Does what a tool is asked, by sessions, and puts the answers into few words.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use session::{Child, Choices, Failure, Limits, Model, Request};

use crate::Server;
use crate::told::{MAX_STEPS, folded, pairs, scene, short, told};

/// How long a check may take when nobody says, in seconds.
const USUAL_TIME: f64 = 60.0;
/// How long a session may take beyond the limit of its check, which ends by itself.
const BEYOND: Duration = Duration::from_secs(5);
/// So many reports are kept for `explain`.
const MAX_RUNS: usize = 16;
/// So many walks are kept.
const MAX_WALKS: usize = 8;

/// How a call ended.
pub(crate) enum Outcome {
    /// With a text and data.
    Done(String, Value),
    /// Why it could not be done.
    Failed(String),
    /// Nobody wants an answer.
    Cancelled,
}

/// What listens to a call.
struct Ears<'a> {
    cancel: &'a AtomicBool,
    progress: &'a mut dyn FnMut(Value),
}

/// The calls of a server, and what is kept between them.
pub(crate) struct Calls {
    server: Server,
    next: AtomicU64,
    runs: Mutex<BTreeMap<u64, Value>>,
    walks: Mutex<BTreeMap<u64, Arc<Mutex<Child>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileArguments {
    file: String,
    #[serde(default)]
    model: Model,
    #[serde(default)]
    commands: Vec<String>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    max_states: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EvalArguments {
    formulas: Vec<String>,
    file: Option<String>,
    walk: Option<u64>,
    #[serde(default)]
    model: Model,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SolveArguments {
    predicate: String,
    file: Option<String>,
    most: Option<u64>,
    #[serde(default)]
    model: Model,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepArguments {
    walk: u64,
    commands: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExplainArguments {
    code: Option<String>,
    run: Option<u64>,
    finding: Option<usize>,
    from: Option<usize>,
    to: Option<usize>,
    walk: Option<u64>,
    event: Option<String>,
}

impl Calls {
    pub(crate) fn new(server: Server) -> Calls {
        Calls {
            server,
            next: AtomicU64::new(1),
            runs: Mutex::default(),
            walks: Mutex::default(),
        }
    }

    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    /// Does what is asked.
    pub(crate) fn run(
        &self,
        tool: &str,
        arguments: Value,
        cancel: &AtomicBool,
        progress: &mut dyn FnMut(Value),
    ) -> Outcome {
        let ears = &mut Ears { cancel, progress };
        let done = match tool {
            "lint" => self.lint(arguments, ears),
            "check" => self.check(arguments, ears),
            "eval" => self.eval(arguments, ears),
            "solve" => self.solve(arguments, ears),
            "walk" => self.walk(arguments, ears),
            "step" => self.step(arguments, ears),
            "explain" => self.explain(arguments, ears),
            "coverage" => self.coverage(arguments, ears),
            "tests" => self.tests(arguments, ears),
            other => Err(Failure::Refused(format!("there is no tool \"{other}\""))),
        };
        match done {
            // A check that was cancelled may have an answer, which nobody waits for.
            _ if cancel.load(Ordering::Relaxed) => Outcome::Cancelled,
            Ok((text, data)) => Outcome::Done(short(text), data),
            Err(failure) => Outcome::Failed(short(failure.text())),
        }
    }

    /// A new session.
    fn session(&self, time: Duration) -> Result<Child, Failure> {
        let limits = Limits {
            time,
            memory: self.server.max_memory,
        };
        let started = Child::start(&self.server.program, &self.server.folder, limits);
        started.map_err(|error| Failure::Died(error.to_string()))
    }

    /// Asks a session of its own.
    fn ask(&self, request: Request, ears: &mut Ears<'_>) -> Result<Value, Failure> {
        let mut child = self.session(self.server.max_time)?;
        child.ask(request, ears.cancel, ears.progress)
    }

    fn lint(&self, arguments: Value, ears: &mut Ears<'_>) -> Result<(String, Value), Failure> {
        let FileArguments { file, model, .. } = read(arguments)?;
        let request = Request::Lint {
            file: file.clone(),
            model,
        };
        let answer = self.ask(request, ears)?;
        let found = answer["lint"]["diagnostics"].as_array().map_or(0, Vec::len);
        let text = match found {
            0 => format!("{file}: nothing is wrong"),
            _ => answer["text"].as_str().unwrap_or_default().to_owned(),
        };
        Ok((text, answer["lint"].clone()))
    }

    fn check(&self, mut arguments: Value, ears: &mut Ears<'_>) -> Result<(String, Value), Failure> {
        let file: String = read(taken(&mut arguments, "file"))?;
        let model: Option<Model> = read(taken(&mut arguments, "model"))?;
        let steps: Option<usize> = read(taken(&mut arguments, "steps"))?;
        let full: Option<bool> = read(taken(&mut arguments, "full"))?;
        let mut check: Box<Choices> = Box::new(read(arguments)?);
        let most = self.server.max_time.as_secs_f64();
        let time = check.max_time.unwrap_or(USUAL_TIME).min(most);
        check.max_time = Some(time);
        // The process needs memory besides its states.
        let room = self.server.max_memory / 2;
        check.max_memory = Some(check.max_memory.unwrap_or(room).min(room));
        let seconds = Duration::try_from_secs_f64(time);
        let seconds = seconds.map_err(|_| Failure::Refused("max_time is no time".to_owned()))?;
        let mut child = self.session(seconds + BEYOND)?;
        let request = Request::Check {
            file,
            model: model.unwrap_or_default(),
            check,
            steps: steps.unwrap_or(MAX_STEPS),
            page: false,
        };
        let answer = child.ask(request, ears.cancel, ears.progress)?;
        let report = answer["report"].clone();
        let run = self.keep(report.clone());
        let text = answer["text"].as_str().unwrap_or_default();
        let text = format!("run {run}\n{text}");
        let mut report = match full {
            Some(true) => report,
            _ => folded(report),
        };
        report["run"] = json!(run);
        Ok((text, report))
    }

    /// Keeps a report for `explain`; its number.
    fn keep(&self, report: Value) -> u64 {
        let run = self.next.fetch_add(1, Ordering::Relaxed);
        let mut runs = lock(&self.runs);
        runs.insert(run, report);
        while runs.len() > MAX_RUNS {
            runs.pop_first();
        }
        run
    }

    fn eval(&self, arguments: Value, ears: &mut Ears<'_>) -> Result<(String, Value), Failure> {
        let EvalArguments {
            formulas,
            file,
            walk,
            model,
        } = read(arguments)?;
        let answer = match walk {
            None => {
                let request = Request::Eval {
                    file,
                    model,
                    formulas,
                };
                self.ask(request, ears)?
            }
            Some(walk) => {
                let commands = formulas.iter().map(|text| format!("eval {text}"));
                let commands = commands.collect();
                let answer = self.go_on(walk, Request::Obey { commands }, ears)?;
                let replies = answer["replies"].as_array().cloned().unwrap_or_default();
                let answers = formulas.iter().zip(&replies);
                let answers = answers
                    .map(|(formula, reply)| json!({ "formula": formula, "answer": reply["text"] }));
                json!({ "answers": answers.collect::<Vec<_>>() })
            }
        };
        if answer.get("lint").is_some() {
            return Err(Failure::Refused(told(&answer)));
        }
        let mut text = String::new();
        for one in answer["answers"].as_array().into_iter().flatten() {
            let (formula, value) = (one["formula"].as_str(), one["answer"].as_str());
            let value = value.unwrap_or_default();
            let _ = writeln!(text, "{} = {value}", formula.unwrap_or_default());
        }
        if let Some(warning) = answer["warning"].as_str() {
            let _ = writeln!(text, "warning: {warning}");
        }
        Ok((text, answer))
    }

    fn solve(&self, arguments: Value, ears: &mut Ears<'_>) -> Result<(String, Value), Failure> {
        let SolveArguments {
            predicate,
            file,
            most,
            model,
        } = read(arguments)?;
        let request = Request::Solve {
            file,
            model,
            predicate,
            most: most.unwrap_or(10),
        };
        let answer = self.ask(request, ears)?;
        if answer.get("lint").is_some() {
            return Err(Failure::Refused(told(&answer)));
        }
        let solutions = answer["solutions"].as_array().into_iter().flatten();
        let mut text: String = solutions
            .filter_map(Value::as_str)
            .map(|solution| format!("{solution}\n"))
            .collect();
        text.push_str(&told(&answer));
        Ok((text, answer))
    }

    fn walk(&self, arguments: Value, ears: &mut Ears<'_>) -> Result<(String, Value), Failure> {
        let FileArguments {
            file,
            model,
            commands,
            seed,
            ..
        } = read(arguments)?;
        let mut child = self.session(self.server.max_time)?;
        let request = Request::Open { file, model, seed };
        let mut answer = child.ask(request, ears.cancel, ears.progress)?;
        if answer.get("lint").is_some() {
            return Err(Failure::Refused(told(&answer)));
        }
        if !commands.is_empty() {
            answer = child.ask(Request::Obey { commands }, ears.cancel, ears.progress)?;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut walks = lock(&self.walks);
        walks.insert(number, Arc::new(Mutex::new(child)));
        while walks.len() > MAX_WALKS {
            walks.pop_first();
        }
        Ok(scene(number, answer))
    }

    fn step(&self, arguments: Value, ears: &mut Ears<'_>) -> Result<(String, Value), Failure> {
        let StepArguments { walk, commands } = read(arguments)?;
        let answer = self.go_on(walk, Request::Obey { commands }, ears)?;
        Ok(scene(walk, answer))
    }

    /// Asks the session of a walk.
    fn go_on(&self, walk: u64, request: Request, ears: &mut Ears<'_>) -> Result<Value, Failure> {
        let child = lock(&self.walks).get(&walk).cloned();
        let Some(child) = child else {
            let why = format!("there is no walk {walk}; begin one with walk");
            return Err(Failure::Refused(why));
        };
        let mut child = lock(&child);
        let answer = child.ask(request, ears.cancel, ears.progress);
        if child.is_over() {
            lock(&self.walks).remove(&walk);
        }
        answer
    }

    fn explain(&self, arguments: Value, ears: &mut Ears<'_>) -> Result<(String, Value), Failure> {
        let arguments: ExplainArguments = read(arguments)?;
        match arguments {
            ExplainArguments {
                code: Some(code), ..
            } => {
                let answer = self.ask(Request::Explain { code }, ears)?;
                let title = answer["title"].as_str().unwrap_or_default();
                let text = format!(
                    "{}: {title}\n\n{}",
                    answer["code"].as_str().unwrap_or(""),
                    told(&answer)
                );
                Ok((text, answer))
            }
            ExplainArguments {
                walk: Some(walk),
                event: Some(event),
                ..
            } => {
                let commands = vec![format!("why {event}")];
                let answer = self.go_on(walk, Request::Obey { commands }, ears)?;
                let reply = &answer["replies"][0]["text"];
                let text = reply.as_str().unwrap_or_default().to_owned();
                Ok((text.clone(), json!({ "event": event, "why": text })))
            }
            ExplainArguments { run: Some(run), .. } => self.finding(run, &arguments),
            _ => Err(Failure::Refused(
                "explain needs a code, or a run, or a walk and an event".to_owned(),
            )),
        }
    }

    /// A finding with whole states.
    fn finding(&self, run: u64, arguments: &ExplainArguments) -> Result<(String, Value), Failure> {
        let runs = lock(&self.runs);
        let Some(report) = runs.get(&run) else {
            let why = format!("there is no run {run}; check again");
            return Err(Failure::Refused(why));
        };
        let number = arguments.finding.unwrap_or(1);
        let found = number
            .checked_sub(1)
            .and_then(|at| report["findings"].get(at));
        let Some(found) = found else {
            let count = report["findings"].as_array().map_or(0, Vec::len);
            return Err(Failure::Refused(format!("run {run} has {count} findings")));
        };
        let mut found = found.clone();
        let path = found["path"].as_array().cloned().unwrap_or_default();
        let from = arguments.from.unwrap_or(1).max(1);
        let to = arguments.to.unwrap_or(path.len()).min(path.len());
        let mut text = format!("{}\n", found["message"].as_str().unwrap_or_default());
        if let Some(place) = found["place"].as_str() {
            let _ = writeln!(text, "at {place}");
        }
        let mut shown = Vec::new();
        for (number, step) in (1..).zip(&path) {
            if number < from || number > to {
                continue;
            }
            let event = step["event"].as_str().unwrap_or_default();
            let _ = writeln!(text, "{number}. {event}({})", pairs(&step["args"]));
            let _ = writeln!(text, "     {}", pairs(&step["state"]));
            let mut step = step.clone();
            step["step"] = json!(number);
            shown.push(step);
        }
        if let Some(start) = found["loop_start"].as_u64() {
            let _ = writeln!(text, "then from step {} again", start + 1);
        }
        for line in found["why"].as_array().into_iter().flatten() {
            let _ = writeln!(text, "{}", line.as_str().unwrap_or_default());
        }
        if let Some(changed) = found["last_changed"].as_str() {
            let _ = writeln!(text, "last changed: {changed}");
        }
        found["path"] = Value::Array(shown);
        found["steps"] = json!(path.len());
        Ok((text, found))
    }

    fn coverage(&self, arguments: Value, ears: &mut Ears<'_>) -> Result<(String, Value), Failure> {
        let FileArguments {
            file,
            model,
            max_states,
            ..
        } = read(arguments)?;
        let request = Request::Coverage {
            file,
            model,
            max_states: max_states.unwrap_or(10_000),
        };
        let answer = self.ask(request, ears)?;
        match answer.get("lint") {
            Some(_) => Err(Failure::Refused(told(&answer))),
            None => Ok((told(&answer), answer["coverage"].clone())),
        }
    }

    fn tests(&self, mut arguments: Value, ears: &mut Ears<'_>) -> Result<(String, Value), Failure> {
        let file: String = read(taken(&mut arguments, "file"))?;
        let model: Option<Model> = read(taken(&mut arguments, "model"))?;
        let request = Request::Tests {
            file,
            model: model.unwrap_or_default(),
            tests: read(arguments)?,
        };
        let answer = self.ask(request, ears)?;
        match answer.get("lint") {
            Some(_) => Err(Failure::Refused(told(&answer))),
            None => Ok((told(&answer), answer["suite"].clone())),
        }
    }
}

/// Takes one argument out of all.
fn taken(arguments: &mut Value, name: &str) -> Value {
    match arguments {
        Value::Object(fields) => fields.remove(name).unwrap_or_default(),
        _ => Value::Null,
    }
}

/// Arguments of a tool; what is wrong with them is for the caller to mend.
fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, Failure> {
    let read = serde_json::from_value(arguments);
    read.map_err(|error| Failure::Refused(format!("the arguments do not fit: {error}")))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
