//! What is wrong with a text, told to the editor: what reading it found, and what the last check of it did.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use base::{Diagnostic, Severity};
use crossbeam_channel::Sender;
use lsp_server::{Message, Notification};
use serde_json::{Value, json};
use workbench::edit::Edited;

use crate::answers::location;
use crate::lines::Lines;

/// Tells what is wrong, from any thread.
#[derive(Clone)]
pub(crate) struct Publisher {
    sender: Sender<Message>,
    told: Arc<Mutex<Told>>,
}

/// What is known of each text.
#[derive(Default)]
struct Told {
    read: BTreeMap<String, Reading>,
    checked: BTreeMap<String, Vec<Value>>,
}

/// What reading a text found.
struct Reading {
    /// The number that the editor gave the text that was read.
    version: Value,
    found: Vec<Value>,
}

impl Publisher {
    pub(crate) fn new(sender: Sender<Message>) -> Publisher {
        Publisher {
            sender,
            told: Arc::default(),
        }
    }

    /// What reading a text found. What a check found before belongs to another text, unless nothing changed.
    pub(crate) fn read(&self, uri: &str, (edited, version): (&Edited, Value), is_changed: bool) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if is_changed {
            told.checked.remove(uri);
        }
        let found = diagnostics(edited);
        let reading = Reading { version, found };
        told.read.insert(uri.to_owned(), reading);
        self.publish(uri, &told);
    }

    /// What a check of a text found.
    pub(crate) fn checked(&self, uri: &str, found: Vec<Value>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.checked.insert(uri.to_owned(), found);
        self.publish(uri, &told);
    }

    /// A text was closed: nothing is wrong with it any more.
    pub(crate) fn forget(&self, uri: &str) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.read.remove(uri);
        told.checked.remove(uri);
        self.publish(uri, &told);
    }

    fn publish(&self, uri: &str, told: &Told) {
        let read = told.read.get(uri);
        let found = read.map(|read| &read.found);
        let lists = [found, told.checked.get(uri)];
        let all: Vec<Value> = lists.into_iter().flatten().flatten().cloned().collect();
        let mut params = json!({ "uri": uri, "diagnostics": all });
        if let Some(read) = read.filter(|read| read.version.is_number()) {
            params["version"] = read.version.clone();
        }
        self.notify("textDocument/publishDiagnostics", params);
    }

    /// Tells the editor something; when it is gone, its loop ends soon.
    pub(crate) fn notify(&self, method: &str, params: Value) {
        let notification = Notification {
            method: method.to_owned(),
            params,
        };
        let _ = self.sender.send(Message::Notification(notification));
    }
}

/// What is wrong with a text; what is wrong in a file that it refers to is told at the reference, or at the top.
fn diagnostics(edited: &Edited) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    let all = edited.lint.diagnostics.iter();
    let all = all.map(|one| diagnostic(one, edited));
    all.filter(|one| seen.insert(one.to_string())).collect()
}

/// A diagnostic in the form of the protocol.
pub(crate) fn diagnostic(one: &Diagnostic, edited: &Edited) -> Value {
    let lines = Lines::new(edited.text());
    let own = |span: base::Span| Some(span.file) == edited.file;
    let primary = one.primary.as_ref().filter(|label| own(label.span));
    let at = primary.or_else(|| one.secondary.iter().find(|label| own(label.span)));
    let range = at.map_or_else(
        || lines.range(0, 0),
        |at| lines.range(at.span.start, at.span.end),
    );
    let mut message = one.message.clone();
    if primary.is_none()
        && let Some(label) = &one.primary
    {
        message = format!("{}: {message}", edited.lint.sources.place(label.span));
    }
    let more = one.help.iter().map(|help| format!("help: {help}"));
    let more = more.chain(one.notes.iter().map(|note| format!("note: {note}")));
    for line in more {
        message.push('\n');
        message.push_str(&line);
    }
    let related: Vec<Value> = one
        .secondary
        .iter()
        .filter_map(|label| {
            let place = location(label.span, &edited.lint.sources)?;
            Some(json!({ "location": place, "message": label.text }))
        })
        .collect();
    json!({
        "range": range,
        "severity": match one.severity { Severity::Error => 1, Severity::Warning => 2 },
        "code": one.code.id,
        "source": "burnside",
        "message": message,
        "relatedInformation": related,
    })
}
