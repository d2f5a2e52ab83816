//! The animation that is debugged: a session with a model in it, and where it is.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use session::{Child, Choices, Limits, Model, Request};
use workbench::Workbench;

use crate::places::{self, Place};

/// How long a request may take, a check apart.
const MAX_TIME: Duration = Duration::from_secs(60);
/// How long a check before an animation may take when nobody says, in seconds.
const CHECK_TIME: f64 = 60.0;
/// The most memory of the session, in bytes.
const MAX_MEMORY: u64 = 4_000_000_000;

/// What an editor says when it begins.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Launch {
    /// The model.
    pub(crate) program: PathBuf,
    /// What is fixed about it.
    pub(crate) model: Model,
    /// For random steps.
    pub(crate) seed: u64,
    /// A check whose finding is stepped through.
    pub(crate) check: Option<Box<Choices>>,
    /// The path of a finding, as a report has it.
    pub(crate) path: Option<Value>,
    /// Whether to stop at the beginning.
    pub(crate) stop_on_entry: Option<bool>,
}

/// An animation.
pub(crate) struct Animation {
    child: Child,
    /// Where it is, as the workbench tells it.
    pub(crate) scene: Value,
    /// Where its events stand.
    pub(crate) places: Vec<Place>,
    /// The step at which a recorded path ends, and what is wrong there.
    pub(crate) end: Option<(usize, String)>,
}

impl Animation {
    /// Begins an animation, at the beginning of a recorded path if there is one. The text is for the editor's console.
    ///
    /// # Errors
    /// A sentence, when the model cannot be run.
    pub(crate) fn begin(
        bench: &Workbench,
        program: &Path,
        launch: &Launch,
    ) -> Result<(Animation, String), String> {
        let file = base::files::canonical(&launch.program);
        let folder = file.parent().unwrap_or(Path::new("/"));
        let seconds = launch.check.as_ref().and_then(|check| check.max_time);
        let seconds = seconds.unwrap_or(CHECK_TIME) + 5.0;
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(MAX_TIME);
        let limits = Limits {
            time: time.max(MAX_TIME),
            memory: MAX_MEMORY,
        };
        let child = Child::start(program, folder, limits).map_err(|error| error.to_string())?;
        let mut animation = Animation {
            child,
            scene: Value::Null,
            places: places::of(bench, &file),
            end: None,
        };
        let shown = file.display().to_string();
        let mut told = String::new();
        let mut path = launch.path.clone().map(|path| (path, String::new(), None));
        if let Some(check) = &launch.check {
            let (text, found) = animation.check(&shown, launch, check.clone())?;
            told = text;
            path = found.or(path);
        }
        let opened = animation.ask(Request::Open {
            file: shown,
            model: launch.model.clone(),
            seed: launch.seed,
        })?;
        if opened.get("scene").is_none() {
            return Err(text_of(&opened["text"]));
        }
        animation.scene = opened["scene"].clone();
        if let Some((path, wrong, loop_start)) = path {
            animation.follow(path, wrong, loop_start)?;
        }
        Ok((animation, told))
    }

    fn ask(&mut self, request: Request) -> Result<Value, String> {
        let cancel = AtomicBool::new(false);
        let answer = self.child.ask(request, &cancel, &mut |_| {});
        answer.map_err(|failure| failure.text())
    }

    /// The text of a check, and the path of its first finding with what is wrong at its end.
    #[expect(
        clippy::type_complexity,
        reason = "the parts of a finding, taken apart at once"
    )]
    fn check(
        &mut self,
        file: &str,
        launch: &Launch,
        mut check: Box<Choices>,
    ) -> Result<(String, Option<(Value, String, Option<usize>)>), String> {
        check.max_time = check.max_time.or(Some(CHECK_TIME));
        let answer = self.ask(Request::Check {
            file: file.to_owned(),
            model: launch.model.clone(),
            check,
            steps: 0,
            page: false,
        })?;
        let mut findings = answer["report"]["findings"]
            .as_array()
            .into_iter()
            .flatten();
        let found = findings.find(|finding| finding["path"].is_array());
        let found = found.map(|finding| {
            let loop_start = finding["loop_start"].as_u64().map(|step| step as usize);
            let message = text_of(&finding["message"]);
            (finding["path"].clone(), message, loop_start)
        });
        Ok((text_of(&answer["text"]), found))
    }

    /// Takes a path, and goes back to the first state of it.
    fn follow(
        &mut self,
        path: Value,
        wrong: String,
        loop_start: Option<usize>,
    ) -> Result<(), String> {
        let answer = self.ask(Request::Follow { path, loop_start })?;
        self.take(&answer)?;
        let wrong = match (wrong.is_empty(), self.wrong()) {
            (true, Some(wrong)) => wrong,
            _ => wrong,
        };
        self.end = Some((self.step(), wrong));
        self.obey("goto 0")?;
        while self.scene["place"] != "state" && self.step() < self.steps().len() {
            self.obey("redo")?;
        }
        Ok(())
    }

    /// Remembers where the animation is now; the text of the last reply.
    fn take(&mut self, answer: &Value) -> Result<String, String> {
        self.scene = answer["scene"].clone();
        let replies = answer["replies"].as_array();
        let last = replies.and_then(|replies| replies.last());
        let text = last
            .map(|reply| text_of(&reply["text"]))
            .unwrap_or_default();
        match last.is_some_and(|reply| reply["failed"] == true) {
            true => Err(text),
            false => Ok(text),
        }
    }

    /// Gives a command; its reply.
    ///
    /// # Errors
    /// Why it cannot be obeyed.
    pub(crate) fn obey(&mut self, command: &str) -> Result<String, String> {
        let commands = vec![command.to_owned()];
        let answer = self.ask(Request::Obey { commands })?;
        self.take(&answer)
    }

    /// The value of a formula here.
    pub(crate) fn value(&mut self, formula: &str) -> Result<Option<String>, String> {
        let formulas = vec![formula.to_owned()];
        let answer = self.ask(Request::Evaluate { formulas })?;
        Ok(answer["values"][0].as_str().map(str::to_owned))
    }

    /// Does something at another step of the path, and comes back.
    pub(crate) fn at<T>(
        &mut self,
        step: usize,
        look: impl FnOnce(&mut Animation) -> Result<T, String>,
    ) -> Result<T, String> {
        let here = self.step();
        if step == here {
            return look(self);
        }
        self.obey(&format!("goto {step}"))?;
        let seen = look(self);
        self.obey(&format!("goto {here}"))?;
        seen
    }

    /// How many steps led here.
    pub(crate) fn step(&self) -> usize {
        self.scene["step"].as_u64().unwrap_or(0) as usize
    }

    /// The labels of all steps; those behind [`Animation::step`] were undone, or are recorded.
    pub(crate) fn steps(&self) -> Vec<String> {
        let path = self.scene["path"].as_array().into_iter().flatten();
        path.map(text_of).collect()
    }

    /// What is wrong here.
    pub(crate) fn wrong(&self) -> Option<String> {
        let wrong = self.scene["wrong"].as_array()?;
        let lines: Vec<String> = wrong.iter().map(text_of).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Whether nothing can happen here.
    pub(crate) fn is_stuck(&self) -> bool {
        let moves = self.scene["moves"].as_array();
        moves.is_none_or(Vec::is_empty) && self.step() >= self.steps().len()
    }

    /// Goes on: along what is recorded, else by the only move, else by a random one.
    ///
    /// # Errors
    /// When nothing can happen.
    pub(crate) fn advance(&mut self) -> Result<(), String> {
        let command = match self.step() < self.steps().len() {
            true => "redo",
            false => "random",
        };
        self.obey(command).map(|_| ())
    }

    /// The values here, as an editor shows variables.
    pub(crate) fn values(&self, constant: bool) -> Vec<Value> {
        let values = self.scene["values"].as_array().into_iter().flatten();
        let wanted = values.filter(|one| one["constant"] == constant);
        let shown = wanted.map(|one| variable(&one["name"], text_of(&one["value"]), &one["type"]));
        shown.collect()
    }

    /// The moves from here.
    pub(crate) fn moves(&self) -> Vec<Value> {
        let moves = self.scene["moves"].as_array().into_iter().flatten();
        let shown = moves.map(|one| {
            let breaks = match one["breaks"] == true {
                true => "  breaks the invariant",
                false => "",
            };
            let text = format!("{}{breaks}", text_of(&one["label"]));
            variable(&json!(one["number"].to_string()), text, &Value::Null)
        });
        shown.collect()
    }

    /// The properties with their truth here.
    pub(crate) fn properties(&self) -> Vec<Value> {
        let all = self.scene["predicates"].as_array().into_iter().flatten();
        let shown = all.map(|one| {
            let truth = match one["truth"].as_bool() {
                Some(truth) => truth.to_string(),
                None => "has no value".to_owned(),
            };
            variable(&one["text"], truth, &one["kind"])
        });
        shown.collect()
    }
}

fn variable(name: &Value, value: String, kind: &Value) -> Value {
    json!({ "name": name, "value": value, "type": text_of(kind), "variablesReference": 0 })
}

/// A text, or nothing where there is none.
fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
