//! Does what is asked, by the workbench.

use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base::render;
use serde_json::{Value, json};
use workbench::animate::{Animator, Reply as Told};
use workbench::check::{Hooks, Progress, check};
use workbench::choice::Evaluator;
use workbench::export::{Export, Grow, Growing, export};
use workbench::report::{Extras, Sample};
use workbench::{Halt, Lint, Session, Task, Workbench};

use crate::patience::within;
use crate::request::Request;
use crate::want::{Choices, Model, Tests};

/// A formula is evaluated for so long.
const EVALUATION: Duration = Duration::from_secs(20);

/// So many samples of a run are kept for its page.
const MAX_SAMPLES: usize = 800;

/// Commands of the animator that read or write files: a session has requests for that.
const FILE_COMMANDS: &[&str] = &["save", "load", "append"];

/// What a session keeps between requests.
pub(crate) struct Desk {
    bench: Workbench,
    folder: PathBuf,
    animator: Option<Animator>,
    growing: Option<Growing>,
}

/// What a request listens to and tells.
pub(crate) struct Ears<'a> {
    /// Set when the answer is not wanted any more.
    pub(crate) halt: &'a Halt,
    /// Called from time to time.
    pub(crate) progress: &'a (dyn Fn(&Progress) + Sync),
}

impl Desk {
    pub(crate) fn new(bench: Workbench, folder: PathBuf) -> Desk {
        Desk {
            bench,
            folder,
            animator: None,
            growing: None,
        }
    }

    /// The answer to a request; an error is one sentence.
    pub(crate) fn act(&mut self, request: &Request, ears: &Ears<'_>) -> Result<Value, String> {
        match request {
            Request::Put { file, text } => {
                let path = self.path(file)?;
                self.bench.files.put(&path, text.as_str());
                Ok(Value::Null)
            }
            Request::Lint { file, model } => self.lint(file, model),
            Request::Check {
                file,
                model,
                check,
                steps,
                page,
            } => self.check((file, *steps, *page), model, check, ears),
            Request::Eval {
                file,
                model,
                formulas,
            } => self.eval(file.as_deref(), model, formulas, ears),
            Request::Solve {
                file,
                model,
                predicate,
                most,
            } => self.solve(file.as_deref(), model, (predicate, *most), ears),
            Request::Coverage {
                file,
                model,
                max_states,
            } => self.coverage(file, model, *max_states),
            Request::Tests { file, model, tests } => self.tests((file, model), tests, ears),
            Request::Graph { .. } => self.graph(request),
            Request::Explore { .. } => self.explore(request),
            Request::Grow { milliseconds } => self.grow(*milliseconds),
            Request::Trail { text } => self.trail(text),
            Request::Way { node } => Ok(json!({ "path": self.growing()?.way(*node)?.steps })),
            Request::Format { file } => self.format(file),
            Request::Words { file } => self.words(file),
            Request::About { file, at } => self.about(file, *at),
            Request::Complete { file, at } => self.complete(file, *at),
            Request::Explain { code } => self.explain(code),
            Request::Open { file, model, seed } => self.open(file, model, *seed),
            Request::Obey { commands } => self.obey(commands),
            Request::Evaluate { formulas } => self.evaluate(formulas),
            Request::Follow { path, loop_start } => self.follow(path, *loop_start),
            Request::Trace { name } => {
                let written = self.animator()?.written(Path::new(name));
                written.map(Value::String).map_err(str::to_owned)
            }
        }
    }

    /// A path below the folder, as it was given: diagnostics name it so.
    fn path(&self, file: &str) -> Result<PathBuf, String> {
        let given = Path::new(file);
        let climbs = given.components().any(|part| part == Component::ParentDir);
        let path = self.folder.join(given);
        let real = base::files::canonical(&path);
        match real.starts_with(&self.folder) && !climbs {
            true => Ok(path
                .strip_prefix(&self.folder)
                .map_or(real, Path::to_path_buf)),
            false => Err(format!(
                "\"{file}\" lies outside the folder that was opened"
            )),
        }
    }

    /// A path, and what reads it.
    pub(crate) fn at(&self, file: &str, model: &Model) -> Result<(PathBuf, Workbench), String> {
        Ok((self.path(file)?, model.bench(&self.bench)?))
    }

    fn lint(&self, file: &str, model: &Model) -> Result<Value, String> {
        let (path, bench) = self.at(file, model)?;
        Ok(linted(&workbench::lint(&bench, &path)))
    }

    fn check(
        &self,
        (file, steps, page): (&str, usize, bool),
        model: &Model,
        choices: &Choices,
        ears: &Ears<'_>,
    ) -> Result<Value, String> {
        let (path, bench) = self.at(file, model)?;
        let options = choices.options(model)?;
        let stop = ears.halt.flag();
        let samples: Mutex<Vec<Sample>> = Mutex::default();
        let progress = |progress: &Progress| {
            if page {
                sample(
                    &mut samples.lock().unwrap_or_else(PoisonError::into_inner),
                    progress,
                );
            }
            (ears.progress)(progress);
        };
        let hooks = Hooks {
            stop: &stop,
            progress: &progress,
        };
        let done = check(&bench, &path, &options, &hooks);
        if let Some(bug) = done.bug {
            return Err(format!("a bug in burnside, not in the model: {bug}"));
        }
        let mut text = rendered(&done.lint);
        text.push_str(&done.report.brief(steps));
        let mut answer = json!({ "report": done.report, "text": text });
        if page {
            let extras = Extras {
                command: format!("burnside check {}", path.display()),
                samples: samples.into_inner().unwrap_or_else(PoisonError::into_inner),
                ..Extras::default()
            };
            answer["page"] = json!(done.report.html(&extras));
        }
        Ok(answer)
    }

    fn eval(
        &self,
        file: Option<&str>,
        model: &Model,
        formulas: &[String],
        ears: &Ears<'_>,
    ) -> Result<Value, String> {
        let path = file.map(|file| self.path(file)).transpose()?;
        let bench = model.bench(&self.bench)?;
        let setting = model.setting()?;
        let evaluator = Some(Evaluator::Compiled);
        let opened = within(EVALUATION, ears.halt, |halt| {
            Session::open(&bench, path.as_deref(), &setting, evaluator, &halt)
        });
        let mut session = match opened {
            Ok(session) => session,
            Err(lint) => return Ok(linted(&lint)),
        };
        let answers = formulas.iter().map(|formula| {
            let answer = within(EVALUATION, ears.halt, |halt| {
                session.heed(halt);
                session.answer(formula)
            });
            let has_value = answer.lack().is_none();
            json!({ "formula": formula, "answer": answer.to_string(), "has_value": has_value })
        });
        let answers: Vec<Value> = answers.collect();
        Ok(json!({ "answers": answers, "warning": session.warning() }))
    }

    fn solve(
        &self,
        file: Option<&str>,
        model: &Model,
        (predicate, most): (&str, u64),
        ears: &Ears<'_>,
    ) -> Result<Value, String> {
        let path = file.map(|file| self.path(file)).transpose()?;
        let bench = model.bench(&self.bench)?;
        let setting = model.setting()?;
        let task = Task {
            predicate,
            solver: subject::Solver::default(),
            most,
            aim: None,
        };
        let mut solutions = Vec::new();
        let solved = workbench::solve(
            &bench,
            (path.as_deref(), &setting),
            &task,
            ears.halt,
            &mut |solution| {
                solutions.push(solution.text());
                true
            },
        );
        match solved {
            Ok(solved) => {
                let text = solved.summary();
                Ok(json!({ "solutions": solutions, "solved": solved, "text": text }))
            }
            Err(lint) => Ok(linted(&lint)),
        }
    }

    fn coverage(&self, file: &str, model: &Model, max_states: usize) -> Result<Value, String> {
        let (path, bench) = self.at(file, model)?;
        let setting = model.setting()?;
        let covered = workbench::coverage::coverage(&bench, &path, &setting, max_states);
        match covered.coverage {
            Some(coverage) => {
                let gaps = coverage.gaps();
                let text = coverage.text();
                Ok(json!({ "coverage": coverage, "gaps": gaps, "text": text }))
            }
            None => Ok(linted(&covered.lint)),
        }
    }

    fn tests(
        &self,
        (file, model): (&str, &Model),
        tests: &Tests,
        ears: &Ears<'_>,
    ) -> Result<Value, String> {
        let (path, bench) = self.at(file, model)?;
        let setting = model.setting()?;
        let made = workbench::suite(&bench, (&path, &setting), &tests.wanted()?, ears.halt);
        match made {
            Ok(suite) => {
                let text = suite.text();
                Ok(json!({ "suite": suite, "text": text }))
            }
            Err(lint) => Ok(linted(&lint)),
        }
    }

    fn graph(&self, request: &Request) -> Result<Value, String> {
        let Request::Graph {
            file,
            model,
            what,
            to,
            projection,
            reduced,
            max_states,
        } = request
        else {
            return Err("this is no request for a graph".to_owned());
        };
        let (path, bench) = self.at(file, model)?;
        let wanted = Export {
            what: what.parse().map_err(|why| format!("what: {why}"))?,
            projection: projection.clone(),
            to: to.parse().map_err(|why| format!("to: {why}"))?,
            reduced: *reduced,
            max_states: *max_states,
        };
        let exported = export(&bench, &path, &model.setting()?, &wanted);
        match exported.file {
            Some((text, graph)) => Ok(json!({ "text": text, "cut": graph.cut })),
            None => Ok(linted(&exported.lint)),
        }
    }

    fn explore(&mut self, request: &Request) -> Result<Value, String> {
        let Request::Explore {
            file,
            model,
            projection,
            reduced,
            max_states,
        } = request
        else {
            return Err("this is no request to explore".to_owned());
        };
        let (path, bench) = self.at(file, model)?;
        let wanted = Grow {
            projection: projection.clone(),
            reduced: *reduced,
            max_states: *max_states,
        };
        match Growing::open(&bench, &path, &model.setting()?, &wanted) {
            Ok(growing) => {
                self.growing = Some(growing.map_err(|why| format!("projection: {why}"))?);
                Ok(json!({ "explored": true }))
            }
            Err(lint) => Ok(linted(&lint)),
        }
    }

    fn growing(&mut self) -> Result<&mut Growing, String> {
        let growing = self.growing.as_mut();
        growing.ok_or_else(|| "no state space was begun".to_owned())
    }

    fn grow(&mut self, milliseconds: u64) -> Result<Value, String> {
        let time = Duration::from_millis(milliseconds).min(EVALUATION);
        Ok(json!(self.growing()?.grow(time)))
    }

    fn trail(&mut self, text: &str) -> Result<Value, String> {
        let nodes = self.growing()?.trail(Path::new("path.json"), text)?;
        Ok(json!({ "nodes": nodes }))
    }

    fn explain(&self, code: &str) -> Result<Value, String> {
        match workbench::explain(&self.bench.languages, code) {
            Ok(code) => Ok(json!({ "code": code.id, "title": code.title, "text": code.explain })),
            Err(unknown) => {
                let near = unknown.near.map(|near| format!("; did you mean {near}?"));
                let near = near.unwrap_or_default();
                Err(format!("there is no diagnostic code \"{code}\"{near}"))
            }
        }
    }

    fn open(&mut self, file: &str, model: &Model, seed: u64) -> Result<Value, String> {
        let (path, bench) = self.at(file, model)?;
        match Animator::open(&bench, &path, &model.setting()?, seed) {
            Ok(mut animator) => {
                let begun = animator.begin();
                let scene = json!({ "replies": [told("", &begun)], "scene": animator.look() });
                self.animator = Some(animator);
                Ok(scene)
            }
            Err(lint) => Ok(linted(&lint)),
        }
    }

    fn animator(&mut self) -> Result<&mut Animator, String> {
        let animator = self.animator.as_mut();
        animator.ok_or_else(|| "no animation was begun".to_owned())
    }

    fn obey(&mut self, commands: &[String]) -> Result<Value, String> {
        let animator = self.animator()?;
        let mut replies = Vec::new();
        for command in commands {
            let word = command.split_whitespace().next().unwrap_or_default();
            if FILE_COMMANDS.contains(&word) {
                return Err(format!("{word}: a session reads and writes no files"));
            }
            let reply = animator.obey(command);
            replies.push(told(command, &reply));
            if reply.failed {
                break;
            }
        }
        Ok(json!({ "replies": replies, "scene": animator.look() }))
    }

    fn evaluate(&mut self, formulas: &[String]) -> Result<Value, String> {
        let animator = self.animator()?;
        let values = formulas.iter().map(|text| animator.value_of(text).ok());
        let values: Vec<Option<String>> = values.collect();
        Ok(json!({ "values": values }))
    }

    fn follow(&mut self, path: &Value, loop_start: Option<usize>) -> Result<Value, String> {
        let animator = self.animator()?;
        let text = json!({ "tool": "burnside", "path": path, "loop_start": loop_start });
        let reply = animator.walk_along(Path::new("path.json"), &text.to_string());
        Ok(json!({ "replies": [told("", &reply)], "scene": animator.look() }))
    }
}

/// Remembers how far a run was; of many samples only every second one stays.
fn sample(samples: &mut Vec<Sample>, progress: &Progress) {
    if samples.len() >= MAX_SAMPLES {
        let mut number = 0;
        samples.retain(|_| {
            number += 1;
            number % 2 == 0
        });
    }
    samples.push(Sample {
        seconds: progress.elapsed.as_secs_f64(),
        states: progress.states,
        queue: progress.queue,
        bytes: progress.memory_bytes,
    });
}

/// The reply to a command.
fn told(command: &str, reply: &Told) -> Value {
    json!({ "command": command, "text": reply.text(), "moved": reply.moved, "failed": reply.failed })
}

/// What is wrong with a file, and the same in words.
pub(crate) fn linted(lint: &Lint) -> Value {
    let mut linted = json!({ "lint": lint.report(), "text": rendered(lint) });
    for (at, diagnostic) in lint.diagnostics.iter().enumerate() {
        if let Some(fix) = &diagnostic.fix {
            linted["lint"]["diagnostics"][at]["fix"] = json!(fix);
        }
    }
    linted
}

fn rendered(lint: &Lint) -> String {
    let diagnostics = lint.diagnostics.iter();
    diagnostics
        .map(|diagnostic| render::text(diagnostic, &lint.sources, false) + "\n")
        .collect()
}
