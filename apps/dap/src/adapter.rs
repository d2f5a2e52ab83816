//! Obeys an editor, one message after the other; a run goes on between them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError};

use serde_json::{Value, json};
use workbench::Workbench;

use crate::animation::{Animation, Launch};
use crate::places;
use crate::stops::{FILTERS, Stop, Stops};
use crate::wire;

/// The only thread.
const THREAD: u64 = 1;
/// A run without a breakpoint stops after so many steps.
const LONGEST_RUN: usize = 10_000;
/// What belongs to a frame, with the names that an editor shows.
const SCOPES: &[&str] = &["Variables", "Constants", "What can happen", "Properties"];

/// Which way a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    On,
    Back,
}

/// What is left to do after a request was answered.
enum Then {
    Nothing,
    /// Tell that the animation stopped, and why.
    Stopped(&'static str, String),
    /// Go on until something stops it.
    Run(Way),
    /// End.
    End,
}

type Answered = Result<(Value, Then), String>;

/// The adapter.
pub(crate) struct Adapter {
    bench: Workbench,
    program: PathBuf,
    messages: Receiver<Value>,
    sent: u64,
    animation: Option<Animation>,
    stops: Stops,
    run: Option<(Way, usize)>,
    /// What the editor hears when it has told all breakpoints.
    entry: Option<Then>,
    is_configured: bool,
}

impl Adapter {
    pub(crate) fn new(bench: Workbench, program: PathBuf, messages: Receiver<Value>) -> Adapter {
        let filters = FILTERS.iter().map(|(filter, _)| (*filter).to_owned());
        Adapter {
            bench,
            program,
            messages,
            sent: 0,
            animation: None,
            stops: Stops {
                filters: filters.collect(),
                ..Stops::default()
            },
            run: None,
            entry: None,
            is_configured: false,
        }
    }

    /// Serves until the editor ends it.
    pub(crate) fn run(mut self) -> io::Result<()> {
        loop {
            let message = match self.run {
                Some(_) => self.messages.try_recv(),
                None => self.messages.recv().map_err(|_| TryRecvError::Disconnected),
            };
            match message {
                Ok(message) => {
                    if message["type"] == "request" && !self.hear(&message)? {
                        return Ok(());
                    }
                }
                Err(TryRecvError::Disconnected) => return Ok(()),
                Err(TryRecvError::Empty) => self.go_on()?,
            }
        }
    }

    fn send(&mut self, mut message: Value) -> io::Result<()> {
        self.sent += 1;
        message["seq"] = json!(self.sent);
        wire::write(&message)
    }

    fn event(&mut self, event: &str, body: Value) -> io::Result<()> {
        self.send(json!({ "type": "event", "event": event, "body": body }))
    }

    /// Answers a request and does what follows from it; whether to go on.
    fn hear(&mut self, message: &Value) -> io::Result<bool> {
        let command = message["command"].as_str().unwrap_or_default();
        let answered = self.answer(command, &message["arguments"]);
        let mut response =
            json!({ "type": "response", "request_seq": message["seq"], "command": command });
        let then = match answered {
            Ok((body, then)) => {
                response["success"] = json!(true);
                response["body"] = body;
                then
            }
            Err(why) => {
                response["success"] = json!(false);
                response["message"] = json!(why);
                Then::Nothing
            }
        };
        self.send(response)?;
        if command == "initialize" {
            self.event("initialized", json!({}))?;
        }
        if self.is_configured
            && let Some(entry) = self.entry.take()
        {
            self.then(entry)?;
        }
        self.then(then)
    }

    fn then(&mut self, then: Then) -> io::Result<bool> {
        match then {
            Then::Nothing => {}
            Then::Stopped(why, text) => self.stopped(why, text)?,
            Then::Run(way) => self.run = Some((way, 0)),
            Then::End => {
                self.event("terminated", json!({}))?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn stopped(&mut self, reason: &str, text: String) -> io::Result<()> {
        self.run = None;
        let body = json!({
            "reason": reason,
            "threadId": THREAD,
            "allThreadsStopped": true,
            "description": first_line(&text),
            "text": text,
        });
        self.event("stopped", body)
    }

    fn animation(&mut self) -> Result<&mut Animation, String> {
        let animation = self.animation.as_mut();
        animation.ok_or_else(|| "no animation was begun".to_owned())
    }

    fn answer(&mut self, command: &str, given: &Value) -> Answered {
        let quiet = |body| Ok((body, Then::Nothing));
        match command {
            "initialize" => quiet(capabilities()),
            "launch" => self.launch(given),
            "configurationDone" => {
                self.is_configured = true;
                quiet(Value::Null)
            }
            "setBreakpoints" => quiet(self.line_breakpoints(given)),
            "setFunctionBreakpoints" => quiet(self.name_breakpoints(given)),
            "setExceptionBreakpoints" => {
                let filters = given["filters"].as_array().into_iter().flatten();
                let filters = filters.filter_map(Value::as_str).map(str::to_owned);
                self.stops.filters = filters.collect();
                quiet(Value::Null)
            }
            "threads" => {
                let model = self
                    .animation
                    .as_ref()
                    .map(|one| one.scene["model"].clone());
                quiet(
                    json!({ "threads": [{ "id": THREAD, "name": model.unwrap_or(json!("model")) }] }),
                )
            }
            "stackTrace" => quiet(self.stack(given)?),
            "scopes" => quiet(scopes(number(&given["frameId"]))),
            "variables" => quiet(self.variables(number(&given["variablesReference"]))?),
            "evaluate" => self.evaluate(given),
            "stepInTargets" => quiet(self.targets()?),
            "next" | "stepIn" => self.step(given["targetId"].as_u64()),
            "stepBack" => {
                self.animation()?.obey("undo")?;
                Ok((Value::Null, Then::Stopped("step", String::new())))
            }
            "restartFrame" => {
                let step = number(&given["frameId"]);
                self.animation()?.obey(&format!("goto {step}"))?;
                Ok((Value::Null, Then::Stopped("goto", String::new())))
            }
            "continue" | "stepOut" => {
                self.animation()?;
                Ok((json!({ "allThreadsContinued": true }), Then::Run(Way::On)))
            }
            "reverseContinue" => {
                self.animation()?;
                Ok((Value::Null, Then::Run(Way::Back)))
            }
            "pause" => Ok((Value::Null, Then::Stopped("pause", String::new()))),
            "disconnect" | "terminate" => Ok((Value::Null, Then::End)),
            other => Err(format!("there is no request \"{other}\" here")),
        }
    }

    fn launch(&mut self, given: &Value) -> Answered {
        let launch: Launch = serde_json::from_value(given.clone())
            .map_err(|error| format!("this cannot be launched: {error}"))?;
        let (animation, told) = Animation::begin(&self.bench, &self.program, &launch)?;
        let why = animation.end.as_ref().map(|(_, why)| why.clone());
        self.animation = Some(animation);
        self.entry = Some(match launch.stop_on_entry {
            Some(false) => Then::Run(Way::On),
            _ => Then::Stopped("entry", why.unwrap_or_default()),
        });
        if !told.is_empty() {
            let output = json!({ "category": "console", "output": told });
            // What a check said stands in the editor's console before the animation begins.
            self.event("output", output)
                .map_err(|error| error.to_string())?;
        }
        Ok((Value::Null, Then::Nothing))
    }

    fn line_breakpoints(&mut self, given: &Value) -> Value {
        let path = given["source"]["path"].as_str().unwrap_or_default();
        let file = base::files::canonical(Path::new(path));
        let places = places::of(&self.bench, &file);
        let mut stops = Vec::new();
        let wanted = given["breakpoints"].as_array().into_iter().flatten();
        let told = wanted.map(|one| {
            let line = number(&one["line"]) as u32;
            match places::of_line(&places, &file, line) {
                Some(place) => {
                    stops.push(stop(&place.event, one));
                    json!({ "verified": true, "line": place.at.0, "message": place.event })
                }
                None => {
                    json!({ "verified": false, "line": line, "message": "no event stands here or below" })
                }
            }
        });
        let told: Vec<Value> = told.collect();
        self.stops.lines.insert(file, stops);
        json!({ "breakpoints": told })
    }

    fn name_breakpoints(&mut self, given: &Value) -> Value {
        let wanted = given["breakpoints"].as_array().into_iter().flatten();
        let stops = wanted.map(|one| stop(one["name"].as_str().unwrap_or_default(), one));
        self.stops.names = stops.collect();
        let known = self.animation.as_ref().map(|one| &one.places);
        let told = self.stops.names.iter().map(|stop| {
            let place = known.and_then(|known| places::of_step(known, &stop.event));
            match (known, place) {
                (Some(_), None) => {
                    json!({ "verified": false, "message": "there is no such event" })
                }
                (_, Some(place)) => json!({ "verified": true, "line": place.at.0 }),
                (None, None) => json!({ "verified": true }),
            }
        });
        json!({ "breakpoints": told.collect::<Vec<_>>() })
    }

    /// The path so far, the last step on top.
    fn stack(&mut self, given: &Value) -> Result<Value, String> {
        let animation = self.animation()?;
        let step = animation.step();
        let from = given["startFrame"].as_u64().unwrap_or(0) as usize;
        let most = match given["levels"].as_u64() {
            None | Some(0) => usize::MAX,
            Some(most) => most as usize,
        };
        let steps = animation.steps();
        let frames = (0..=step).rev().skip(from).take(most).map(|at| {
            let label = match at.checked_sub(1).and_then(|at| steps.get(at)) {
                Some(label) => label.as_str(),
                None => "before the beginning",
            };
            let mut frame = json!({ "id": at, "name": label, "line": 0, "column": 0 });
            if let Some(place) = places::of_step(&animation.places, label) {
                let name = place.file.file_name().unwrap_or_default().to_string_lossy();
                frame["source"] = json!({ "name": name, "path": place.file.display().to_string() });
                frame["line"] = json!(place.at.0);
                frame["column"] = json!(place.at.1);
            }
            frame
        });
        let frames: Vec<Value> = frames.collect();
        Ok(json!({ "stackFrames": frames, "totalFrames": step + 1 }))
    }

    fn variables(&mut self, reference: usize) -> Result<Value, String> {
        let reference = reference.saturating_sub(1);
        let (step, scope) = (reference / SCOPES.len(), reference % SCOPES.len());
        let shown = self.animation()?.at(step, |animation| {
            Ok(match scope {
                0 => animation.values(false),
                1 => animation.values(true),
                2 => animation.moves(),
                _ => animation.properties(),
            })
        })?;
        Ok(json!({ "variables": shown }))
    }

    /// A formula; in the console a command of the animator too.
    fn evaluate(&mut self, given: &Value) -> Answered {
        let text = given["expression"].as_str().unwrap_or_default().to_owned();
        let step = given["frameId"].as_u64().map(|step| step as usize);
        let animation = self.animation()?;
        let result = |text: String| json!({ "result": text, "variablesReference": 0 });
        if given["context"] == "repl" {
            let before = animation.step();
            if let Ok(reply) = animation.obey(&text) {
                let then = match animation.step() == before {
                    true => Then::Nothing,
                    false => Then::Stopped("step", String::new()),
                };
                return Ok((result(reply), then));
            }
        }
        let step = step.unwrap_or_else(|| animation.step());
        match animation.at(step, |animation| animation.value(&text))? {
            Some(value) => Ok((result(value), Then::Nothing)),
            None => Err(format!("\"{text}\" has no value here")),
        }
    }

    /// What can happen, to be stepped into.
    fn targets(&mut self) -> Result<Value, String> {
        let animation = self.animation()?;
        let moves = animation.scene["moves"].as_array().into_iter().flatten();
        let targets = moves.map(|one| json!({ "id": one["number"], "label": one["label"] }));
        Ok(json!({ "targets": targets.collect::<Vec<_>>() }))
    }

    fn step(&mut self, target: Option<u64>) -> Answered {
        let animation = self.animation()?;
        if target.is_none() && animation.is_stuck() {
            let why = "nothing can happen here".to_owned();
            return Ok((Value::Null, Then::Stopped("exception", why)));
        }
        match target {
            Some(number) => animation.obey(&number.to_string()).map(|_| ())?,
            None => animation.advance()?,
        }
        let (reason, text) = match animation.wrong() {
            Some(wrong) => ("exception", wrong),
            None => ("step", String::new()),
        };
        Ok((Value::Null, Then::Stopped(reason, text)))
    }

    /// One step of a run, and whether it stops there.
    fn go_on(&mut self) -> io::Result<()> {
        let Some((way, done)) = self.run else {
            return Ok(());
        };
        self.run = Some((way, done + 1));
        match self.stop_after(way, done) {
            Ok(None) => Ok(()),
            Ok(Some((reason, text))) => self.stopped(reason, text),
            Err(why) => self.stopped("exception", why),
        }
    }

    fn stop_after(
        &mut self,
        way: Way,
        done: usize,
    ) -> Result<Option<(&'static str, String)>, String> {
        let stops = self.stops.clone();
        let animation = self.animation()?;
        match way {
            Way::On if animation.is_stuck() => {
                return Ok(Some(("exception", "nothing can happen here".to_owned())));
            }
            Way::On => animation.advance()?,
            Way::Back if animation.step() == 0 => {
                return Ok(Some(("entry", "the beginning of the path".to_owned())));
            }
            Way::Back => animation.obey("undo").map(|_| ())?,
        }
        let step = animation.step();
        let label = step
            .checked_sub(1)
            .and_then(|at| animation.steps().get(at).cloned());
        let event = label.as_deref().map(places::event_of).unwrap_or_default();
        for condition in stops.at(event) {
            let holds = match &condition {
                None => true,
                Some(condition) => match animation.value(condition)? {
                    Some(value) => value.eq_ignore_ascii_case("true"),
                    None => return Err(format!("the condition \"{condition}\" has no value here")),
                },
            };
            if holds {
                return Ok(Some(("breakpoint", String::new())));
            }
        }
        if way == Way::Back {
            return Ok(None);
        }
        if let Some((end, why)) = &animation.end
            && *end == step
        {
            return Ok(Some(("exception", why.clone())));
        }
        if let Some(wrong) = animation.wrong().filter(|_| stops.filters("wrong")) {
            return Ok(Some(("exception", wrong)));
        }
        if animation.is_stuck() && stops.filters("deadlock") {
            return Ok(Some(("exception", "nothing can happen here".to_owned())));
        }
        Ok((done + 1 >= LONGEST_RUN).then(|| ("pause", format!("{LONGEST_RUN} steps were taken"))))
    }
}

fn capabilities() -> Value {
    let filters = FILTERS
        .iter()
        .map(|(filter, label)| json!({ "filter": filter, "label": label, "default": true }));
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsConditionalBreakpoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsRestartFrame": true,
        "supportsStepInTargetsRequest": true,
        "supportsTerminateRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "exceptionBreakpointFilters": filters.collect::<Vec<_>>(),
    })
}

fn scopes(frame: usize) -> Value {
    let scopes = (1..).zip(SCOPES).map(|(number, name)| {
        let reference = frame * SCOPES.len() + number;
        json!({ "name": name, "variablesReference": reference, "expensive": number > 2 })
    });
    json!({ "scopes": scopes.collect::<Vec<_>>() })
}

fn stop(event: &str, given: &Value) -> Stop {
    let condition = given["condition"].as_str();
    let condition = condition.filter(|condition| !condition.trim().is_empty());
    Stop {
        event: event.to_owned(),
        condition: condition.map(str::to_owned),
    }
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or(0) as usize
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
