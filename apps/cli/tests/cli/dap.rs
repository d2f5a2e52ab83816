//! A scripted debugger: what an editor asks of the debug adapter over standard streams, and what it hears.

use serde_json::{Value, json};

use crate::support::{ENDLESS, Folder, Framing, LIFT, Server};

/// A debugger.
struct Debugger {
    server: Server,
    next: u64,
}

impl Debugger {
    /// Begins with a file, with breakpoints at lines and options of the launch.
    fn new(folder: &Folder, file: &str, lines: &[Value], launch: Value) -> Debugger {
        let mut debugger = Debugger {
            server: Server::start(folder, &["dap"], Framing::Lengths),
            next: 0,
        };
        let about = debugger.ask("initialize", json!({ "adapterID": "burnside" }));
        assert_eq!(about["supportsStepBack"], true);
        debugger.event("initialized");
        let path = folder.path(file).display().to_string();
        let mut given = launch;
        given["program"] = json!(path);
        debugger.ask("launch", given);
        let set = debugger.ask(
            "setBreakpoints",
            json!({ "source": { "path": path }, "breakpoints": lines }),
        );
        let told = set["breakpoints"].as_array().expect("breakpoints");
        assert!(told.iter().all(|one| one["verified"] == true), "{set}");
        debugger.ask("configurationDone", json!({}));
        debugger
    }

    fn send(&mut self, command: &str, arguments: Value) -> u64 {
        self.next += 1;
        let seq = self.next;
        self.server.send(
            &json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments }),
        );
        seq
    }

    fn response(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.send(command, arguments);
        self.server
            .wait_for(|message| message["type"] == "response" && message["request_seq"] == seq)
    }

    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    fn event(&self, event: &str) -> Value {
        let told = self.server.wait_for(|message| message["event"] == event);
        told["body"].clone()
    }

    /// Asks for a move; why it stopped.
    fn go(&mut self, command: &str, arguments: Value) -> String {
        self.ask(command, arguments);
        text(&self.event("stopped")["reason"])
    }

    /// The steps, the last one first.
    fn stack(&mut self) -> Vec<(String, u64)> {
        let stack = self.ask("stackTrace", json!({ "threadId": 1 }));
        let frames = stack["stackFrames"].as_array().expect("frames").iter();
        frames
            .map(|frame| (text(&frame["name"]), frame["line"].as_u64().unwrap_or(0)))
            .collect()
    }

    /// What belongs to a step, as `name = value`.
    fn scope(&mut self, step: u64, wanted: &str) -> Vec<String> {
        let scopes = self.ask("scopes", json!({ "frameId": step }));
        let scopes = scopes["scopes"].as_array().expect("scopes").clone();
        let scope = scopes.iter().find(|scope| scope["name"] == wanted);
        let reference = scope.expect("the scope")["variablesReference"].clone();
        let found = self.ask("variables", json!({ "variablesReference": reference }));
        let found = found["variables"].as_array().expect("variables").iter();
        found
            .map(|one| format!("{} = {}", text(&one["name"]), text(&one["value"])))
            .collect()
    }

    fn value(&mut self, expression: &str, context: &str) -> String {
        let given = json!({ "expression": expression, "context": context });
        text(&self.ask("evaluate", given)["result"])
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn top(stack: &[(String, u64)]) -> (&str, u64) {
    (stack[0].0.as_str(), stack[0].1)
}

#[test]
fn a_debugger_steps_through_a_model_and_back() {
    let folder = Folder::new("dap-steps");
    folder.file("Lift.mch", LIFT);
    let stops = [json!({ "line": 7, "condition": "at = 1" })];
    let mut debugger = Debugger::new(&folder, "Lift.mch", &stops, json!({ "seed": 3 }));
    assert_eq!(text(&debugger.event("stopped")["reason"]), "entry");
    assert_eq!(debugger.scope(1, "Variables"), ["at = 0"]);
    // Only `up` is possible.
    assert_eq!(debugger.go("next", json!({})), "step");
    assert_eq!(top(&debugger.stack()), ("up", 6));
    // One of several moves is chosen by stepping into it.
    let targets = debugger.ask("stepInTargets", json!({ "frameId": 2 }));
    let targets = targets["targets"].as_array().expect("targets").clone();
    let up = targets.iter().find(|one| one["label"] == "up").expect("up");
    let target = json!({ "targetId": up["id"] });
    assert_eq!(debugger.go("stepIn", target), "step");
    assert_eq!(debugger.value("at + 10", "watch"), "12");
    // The variables of a frame are those behind its step.
    assert_eq!(debugger.scope(2, "Variables"), ["at = 1"]);
    assert_eq!(debugger.scope(3, "Variables"), ["at = 2"]);
    assert_eq!(debugger.go("stepBack", json!({})), "step");
    assert_eq!(debugger.value("at", "hover"), "1");
    // What was undone is done again, and the console takes the commands of the animator.
    assert_eq!(debugger.go("next", json!({})), "step");
    let reply = debugger.value("down", "repl");
    assert!(reply.contains("at = 1"), "{reply}");
    assert_eq!(top(&debugger.stack()), ("down", 7));
    let refused = debugger.response(
        "evaluate",
        json!({ "expression": "nothing", "context": "watch" }),
    );
    assert_eq!(refused["success"], false);
    debugger.ask("disconnect", json!({}));
}

#[test]
fn a_run_stops_at_events_with_conditions_and_at_what_is_wrong() {
    let folder = Folder::new("dap-runs");
    folder.file("Lift.mch", LIFT);
    let stops = [json!({ "line": 6, "condition": "at = 3" })];
    let mut debugger = Debugger::new(&folder, "Lift.mch", &stops, json!({ "seed": 1 }));
    debugger.event("stopped");
    assert_eq!(debugger.go("continue", json!({})), "breakpoint");
    assert_eq!(debugger.value("at", "watch"), "3");
    debugger.ask(
        "setFunctionBreakpoints",
        json!({ "breakpoints": [{ "name": "down" }] }),
    );
    assert_eq!(debugger.go("reverseContinue", json!({})).as_str(), {
        let was_down = debugger.stack().iter().any(|(step, _)| step == "down");
        if was_down { "breakpoint" } else { "entry" }
    });
    debugger.ask("setFunctionBreakpoints", json!({ "breakpoints": [] }));
    let mut reasons = Vec::new();
    for _ in 0..1_000 {
        let reason = debugger.go("continue", json!({}));
        reasons.push(reason.clone());
        if reason == "exception" {
            break;
        }
    }
    assert_eq!(reasons.last().map(String::as_str), Some("exception"));
    assert_eq!(debugger.value("at", "watch"), "5");
    let step = debugger.stack().len() as u64 - 1;
    assert!(debugger.scope(step, "Properties")[0].ends_with("= false"));
}

#[test]
fn a_counterexample_is_checked_for_and_walked_through() {
    let folder = Folder::new("dap-finding");
    folder.file("Lift.mch", LIFT);
    let mut debugger = Debugger::new(&folder, "Lift.mch", &[], json!({ "check": {} }));
    let entry = debugger.event("stopped");
    assert_eq!(entry["reason"], "entry");
    assert!(text(&entry["text"]).contains("invariant"), "{entry}");
    assert_eq!(debugger.value("at", "watch"), "0");
    assert_eq!(debugger.go("next", json!({})), "step");
    assert_eq!(debugger.value("at", "watch"), "1");
    assert_eq!(debugger.go("continue", json!({})), "exception");
    assert_eq!(debugger.value("at", "watch"), "5");
    assert_eq!(debugger.go("restartFrame", json!({ "frameId": 2 })), "goto");
    assert_eq!(debugger.value("at", "watch"), "1");
}

#[test]
fn a_long_run_can_be_paused_and_what_cannot_be_run_is_refused() {
    let folder = Folder::new("dap-pause");
    folder.file("Endless.mch", ENDLESS);
    folder.file("Wrong.mch", "MACHINE Wrong INVARIANT x : INTEGER END\n");
    let mut debugger = Debugger::new(&folder, "Endless.mch", &[], json!({}));
    debugger.event("stopped");
    debugger.ask("continue", json!({}));
    assert_eq!(debugger.go("pause", json!({})), "pause");
    debugger.ask("terminate", json!({}));
    debugger.event("terminated");
    let mut other = Debugger {
        server: Server::start(&folder, &["dap"], Framing::Lengths),
        next: 0,
    };
    other.ask("initialize", json!({}));
    let path = folder.path("Wrong.mch").display().to_string();
    let refused = other.response("launch", json!({ "program": path }));
    assert_eq!(refused["success"], false);
    assert!(text(&refused["message"]).contains('x'), "{refused}");
}
