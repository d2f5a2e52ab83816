//! The protocol: requests in, answers and notifications out, one line each.
//!
//! A call runs in a thread of its own, so that others, and its cancellation, are heard meanwhile.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

use crate::call::{Calls, Outcome};
use crate::{Server, tools};

/// The versions of the protocol that are spoken, newest first.
const VERSIONS: &[&str] = &["2025-06-18", "2025-03-26", "2024-11-05"];

/// Codes of JSON-RPC, and of the protocol for a resource that does not exist.
const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const NO_SUCH_RESOURCE: i64 = -32002;

const INSTRUCTIONS: &str = "\
Burnside checks models in classical B, Event-B, Z, Promela and Murphi. Lint a file first; check it; read a finding with explain; \
walk through the model with walk and step. A verdict is holds, violated, open or error: open means that nothing was found and \
not everything was looked at, and the text says why. Paths are relative to the folder that was opened. The resources \
burnside://language/… are cheat sheets; burnside://options says what the options mean.";

/// The calls that are being worked on, by the text of their ids, with how to end them.
type Running = Arc<Mutex<BTreeMap<String, Arc<AtomicBool>>>>;

/// Answers until standard input ends.
///
/// # Errors
/// When standard input cannot be read.
pub fn serve(server: Server) -> io::Result<()> {
    let running: Running = Arc::default();
    let calls = Arc::new(Calls::new(server));
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Value>(&line) {
            Ok(Value::Array(messages)) => {
                messages.iter().for_each(|one| hear(one, &calls, &running));
            }
            Ok(message) => hear(&message, &calls, &running),
            Err(error) => fail(&Value::Null, PARSE_ERROR, &format!("not JSON: {error}")),
        }
    }
    // Nobody listens any more.
    for cancel in lock(&running).values() {
        cancel.store(true, Ordering::Relaxed);
    }
    Ok(())
}

fn hear(message: &Value, calls: &Arc<Calls>, running: &Running) {
    if !message.is_object() {
        let why = "a message is an object; batches are not understood";
        return fail(&Value::Null, INVALID_REQUEST, why);
    }
    let (id, params) = (message.get("id"), &message["params"]);
    let Some(method) = message["method"].as_str() else {
        // Answers to requests of ours do not exist: there are none.
        if id.is_some() && message.get("result").is_none() && message.get("error").is_none() {
            fail(&message["id"], INVALID_REQUEST, "a request needs a method");
        }
        return;
    };
    let Some(id) = id.cloned() else {
        if method == "notifications/cancelled"
            && let Some(cancel) = lock(running).get(&params["requestId"].to_string())
        {
            cancel.store(true, Ordering::Relaxed);
        }
        return;
    };
    match method {
        "initialize" => answer(&id, initialised(params)),
        "ping" => answer(&id, json!({})),
        "tools/list" => answer(&id, json!({ "tools": tools::list() })),
        "resources/list" => {
            let pages = calls.server().pages.iter();
            let listed = pages.map(|page| {
                json!({ "uri": page.uri, "name": page.name, "description": page.about, "mimeType": "text/markdown" })
            });
            answer(&id, json!({ "resources": listed.collect::<Vec<_>>() }));
        }
        "resources/templates/list" => answer(&id, json!({ "resourceTemplates": [] })),
        "resources/read" => read(&id, params, calls),
        "tools/call" => call(id, params, calls, running),
        method => {
            let message = format!("there is no method \"{method}\"");
            fail(&id, METHOD_NOT_FOUND, &message);
        }
    }
}

fn initialised(params: &Value) -> Value {
    let wanted = params["protocolVersion"].as_str().unwrap_or_default();
    let version = match VERSIONS.contains(&wanted) {
        true => wanted,
        false => VERSIONS[0],
    };
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {}, "resources": {} },
        "serverInfo": { "name": "burnside", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}

fn read(id: &Value, params: &Value, calls: &Calls) {
    let uri = params["uri"].as_str().unwrap_or_default();
    let mut pages = calls.server().pages.iter();
    match pages.find(|page| page.uri == uri) {
        Some(page) => {
            let content = json!({ "uri": uri, "mimeType": "text/markdown", "text": page.text });
            answer(id, json!({ "contents": [content] }));
        }
        None => fail(
            id,
            NO_SUCH_RESOURCE,
            &format!("there is no resource \"{uri}\""),
        ),
    }
}

/// Begins a call.
fn call(id: Value, params: &Value, calls: &Arc<Calls>, running: &Running) {
    let name = params["name"].as_str().unwrap_or_default().to_owned();
    if !tools::is_one(&name) {
        fail(&id, INVALID_PARAMS, &format!("there is no tool \"{name}\""));
        return;
    }
    let arguments = match &params["arguments"] {
        Value::Null => json!({}),
        given => given.clone(),
    };
    let token = params["_meta"].get("progressToken").cloned();
    let cancel = Arc::new(AtomicBool::new(false));
    let key = id.to_string();
    lock(running).insert(key.clone(), Arc::clone(&cancel));
    let (calls, running) = (Arc::clone(calls), Arc::clone(running));
    std::thread::spawn(move || {
        let mut count = 0u64;
        let mut progress = |told: Value| {
            count += 1;
            if let Some(token) = &token {
                let states = told["states"].as_u64().unwrap_or(count);
                let message = told_line(&told);
                let params =
                    json!({ "progressToken": token, "progress": states, "message": message });
                send(
                    &json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }),
                );
            }
        };
        let outcome = calls.run(&name, arguments, &cancel, &mut progress);
        lock(&running).remove(&key);
        match outcome {
            // The protocol wants no answer to a call that was cancelled.
            Outcome::Cancelled => {}
            Outcome::Done(text, data) => answer(
                &id,
                json!({ "content": [{ "type": "text", "text": text }], "structuredContent": data, "isError": false }),
            ),
            Outcome::Failed(text) => answer(
                &id,
                json!({ "content": [{ "type": "text", "text": text }], "isError": true }),
            ),
        }
    });
}

fn told_line(told: &Value) -> String {
    format!(
        "{} states, {} to be explored, depth {}, {:.0} s",
        told["states"],
        told["queue"],
        told["depth"],
        told["elapsed_s"].as_f64().unwrap_or_default()
    )
}

fn answer(id: &Value, result: Value) {
    send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
}

fn fail(id: &Value, code: i64, message: &str) {
    send(&json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }));
}

/// Writes one line. When nobody reads any more, standard input ends soon.
fn send(message: &Value) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{message}").and_then(|()| out.flush());
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
