//! Holds the texts of the editor and obeys it, one message after the other.
//!
//! What is wrong is told when no further message waits, so that fast typing is answered once. A text is read again when any text
//! changed, since texts refer to each other.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::SystemTime;

use crossbeam_channel::{RecvTimeoutError, Sender, TryRecvError};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use serde_json::{Value, json};
use workbench::Workbench;
use workbench::edit::Edited;

use crate::answers;
use crate::findings::Anchors;
use crate::folder::{Place, around, collect, declared, folders, path_of, places, same};
use crate::lines::{Lines, changed};
use crate::publish::Publisher;
use crate::runs::{Runs, Subject};
use crate::values::{Question, Values};

/// How long the editor must be quiet before it hears what is wrong.
const QUIET: std::time::Duration = std::time::Duration::from_millis(15);

/// A text that is open in the editor.
struct Document {
    path: PathBuf,
    /// The id of its language, when the editor knows one of ours.
    language: Option<String>,
    text: String,
    /// The number that the editor gave this text.
    version: Value,
    is_dirty: bool,
    edited: Option<Edited>,
}

/// The server.
struct Server {
    bench: Workbench,
    documents: BTreeMap<String, Document>,
    folders: Vec<PathBuf>,
    /// Files of the folders that were looked into, as they were then.
    looked: BTreeMap<PathBuf, (Option<SystemTime>, Edited)>,
    can_animate: bool,
    publisher: Publisher,
    runs: Runs,
    values: Values,
}

/// Serves until the editor ends it.
pub(crate) fn run(connection: &Connection, bench: Workbench, program: PathBuf) -> io::Result<()> {
    let broken = |error: lsp_server::ProtocolError| io::Error::other(error.to_string());
    let (id, params) = connection.initialize_start().map_err(broken)?;
    let about = json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "burnside", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, about).map_err(broken)?;
    let publisher = Publisher::new(connection.sender.clone());
    let mut server = Server {
        bench,
        documents: BTreeMap::new(),
        folders: folders(&params),
        looked: BTreeMap::new(),
        can_animate: params["initializationOptions"]["animate"] == true,
        values: Values::new(program.clone()),
        runs: Runs::new(program, publisher.clone()),
        publisher,
    };
    loop {
        let message = match connection.receiver.try_recv() {
            Ok(message) => message,
            Err(TryRecvError::Disconnected) => return Ok(()),
            Err(TryRecvError::Empty) => match connection.receiver.recv_timeout(QUIET) {
                Ok(message) => message,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {
                    server.tell();
                    match connection.receiver.recv() {
                        Ok(message) => message,
                        Err(_) => return Ok(()),
                    }
                }
            },
        };
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(broken)? {
                    return Ok(());
                }
                if server.answer_later(&request, &connection.sender) {
                    continue;
                }
                let response = server.answer(request);
                if connection.sender.send(response.into()).is_err() {
                    return Ok(());
                }
            }
            Message::Notification(notification) => server.hear(&notification),
            Message::Response(_) => {}
        }
    }
}

fn capabilities() -> Value {
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 2, "save": {} },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "completionProvider": { "triggerCharacters": ["\\", ":", "<", "|", "/"] },
        "semanticTokensProvider": {
            "legend": { "tokenTypes": answers::TOKENS, "tokenModifiers": answers::MODIFIERS },
            "full": true,
        },
        "foldingRangeProvider": true,
        "documentFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": {},
        "inlayHintProvider": true,
        "executeCommandProvider": { "commands": ["burnside.check", "burnside.stop"] },
    })
}

impl Server {
    fn hear(&mut self, notification: &Notification) {
        let params = &notification.params;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match notification.method.as_str() {
            "textDocument/didOpen" => {
                let given = &params["textDocument"];
                let language = given["languageId"].as_str();
                let language = language.filter(|id| self.bench.languages.by_id(id).is_some());
                let document = Document {
                    path: path_of(uri),
                    language: language.map(str::to_owned),
                    text: given["text"].as_str().unwrap_or_default().to_owned(),
                    version: given["version"].clone(),
                    is_dirty: true,
                    edited: None,
                };
                self.bench.files.put(&document.path, document.text.as_str());
                self.documents.insert(uri.to_owned(), document);
                self.forget();
            }
            "textDocument/didChange" => {
                let Some(document) = self.documents.get_mut(uri) else {
                    return;
                };
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    document.text = changed(&document.text, change);
                }
                document.version = params["textDocument"]["version"].clone();
                self.bench.files.put(&document.path, document.text.as_str());
                self.runs.text_changed(uri);
                self.forget();
            }
            "textDocument/didClose" => {
                if let Some(document) = self.documents.remove(uri) {
                    self.bench.files.take_away(&document.path);
                    self.publisher.forget(uri);
                    self.runs.text_changed(uri);
                    self.forget();
                }
            }
            // What lies on the disk may have changed.
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.forget(),
            _ => {}
        }
    }

    /// Nothing that was read counts any more.
    fn forget(&mut self) {
        self.values.forget();
        for document in self.documents.values_mut() {
            document.edited = None;
            document.is_dirty = true;
        }
        self.looked.clear();
    }

    /// Reads an open text, unless it was read since the last change.
    fn look(&mut self, uri: &str) -> Option<&Edited> {
        let document = self.documents.get_mut(uri)?;
        if document.edited.is_none() {
            let language = document.language.as_deref();
            let bench = Workbench {
                language: language.and_then(|id| self.bench.languages.by_id(id)),
                ..self.bench.clone()
            };
            document.edited = Some(Edited::read(&bench, &document.path));
        }
        document.edited.as_ref()
    }

    /// Tells what is wrong with the texts that changed.
    fn tell(&mut self) {
        let dirty = self
            .documents
            .iter()
            .filter(|(_, document)| document.is_dirty);
        let dirty: Vec<String> = dirty.map(|(uri, _)| uri.clone()).collect();
        for uri in dirty {
            let looked = catch_unwind(AssertUnwindSafe(|| {
                let publisher = self.publisher.clone();
                let is_checked = self.runs.is_current(&uri);
                let version = self.documents.get(&uri).map(|one| one.version.clone());
                if let Some(edited) = self.look(&uri) {
                    let version = version.unwrap_or_default();
                    publisher.read(&uri, (edited, version), !is_checked);
                }
            }));
            if looked.is_err() {
                let message = format!("burnside: a bug was met while reading {uri}; see the log");
                let params = json!({ "type": 1, "message": message });
                self.publisher.notify("window/showMessage", params);
            }
            if let Some(document) = self.documents.get_mut(&uri) {
                document.is_dirty = false;
            }
        }
    }

    /// Answers from another thread what needs a run of the model: the value of a constant. Whether it does.
    fn answer_later(&mut self, request: &Request, sender: &Sender<Message>) -> bool {
        if request.method != "textDocument/hover" {
            return false;
        }
        let asked = catch_unwind(AssertUnwindSafe(|| {
            let params = &request.params;
            let uri = params["textDocument"]["uri"].as_str()?.to_owned();
            let edited = self.look(&uri)?;
            let offset = Lines::new(edited.text()).offset(&params["position"]);
            let name = answers::constant(edited, offset)?;
            let known = answers::known(edited, offset)?;
            if self.values.get(&uri, &name).is_some() {
                return None;
            }
            let path = self.documents.get(&uri)?.path.clone();
            let texts = self.texts();
            Some((
                Question {
                    uri,
                    folder: around(&self.folders, &path),
                    path,
                    texts,
                    name,
                },
                known,
            ))
        }));
        // A bug is met again, and told, by the answer at once.
        let Ok(Some((question, known))) = asked else {
            return false;
        };
        let (id, sender) = (request.id.clone(), sender.clone());
        self.values.find(question, move |value| {
            let response = Response::new_ok(id, answers::hover(&known, value.as_deref()));
            // An editor that left needs no answer.
            let _ = sender.send(response.into());
        });
        true
    }

    /// The texts that are open.
    fn texts(&self) -> Vec<(PathBuf, String)> {
        let texts = self.documents.values();
        let texts = texts.map(|one| (one.path.clone(), one.text.clone()));
        texts.collect()
    }

    fn answer(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        let answered = catch_unwind(AssertUnwindSafe(|| self.obey(&request)));
        match answered {
            Ok(Ok(value)) => Response::new_ok(id, value),
            Ok(Err((code, why))) => Response::new_err(id, code as i32, why),
            Err(_) => {
                let why = "a bug was met; standard error has it".to_owned();
                Response::new_err(id, ErrorCode::InternalError as i32, why)
            }
        }
    }

    fn obey(&mut self, request: &Request) -> Result<Value, (ErrorCode, String)> {
        let params = &request.params;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match request.method.as_str() {
            "workspace/symbol" => return Ok(self.workspace_symbols(params)),
            "workspace/executeCommand" => return self.execute(params),
            _ => {}
        }
        let can_animate = self.can_animate;
        let Some(edited) = self.look(uri) else {
            return match request.method.starts_with("textDocument/") {
                true => Ok(Value::Null),
                false => Err(unknown(&request.method)),
            };
        };
        let offset = || Lines::new(edited.text()).offset(&params["position"]);
        Ok(match request.method.as_str() {
            "textDocument/hover" => {
                let Some(known) = answers::known(edited, offset()) else {
                    return Ok(Value::Null);
                };
                let constant = answers::constant(edited, offset());
                let value = constant.and_then(|name| self.values.get(uri, &name));
                answers::hover(&known, value.flatten().as_deref())
            }
            "textDocument/definition" => answers::definition(edited, offset()),
            "textDocument/documentHighlight" => answers::highlights(edited, offset()),
            "textDocument/documentSymbol" => answers::symbols(edited),
            "textDocument/completion" => answers::completion(edited, offset()),
            "textDocument/semanticTokens/full" => answers::tokens(edited),
            "textDocument/foldingRange" => answers::folds(edited),
            "textDocument/formatting" => answers::formatted(edited),
            "textDocument/codeAction" => answers::actions(edited, uri, &params["range"]),
            "textDocument/codeLens" => answers::lenses(edited, uri, can_animate),
            "textDocument/inlayHint" => answers::hints(edited, &params["range"]),
            "textDocument/prepareRename" => {
                let found = edited.name_at(offset());
                let lines = Lines::new(edited.text());
                found.map_or(Value::Null, |(span, _)| lines.range(span.start, span.end))
            }
            "textDocument/references" => {
                let with_own = params["context"]["includeDeclaration"] != false;
                let at = offset();
                let places = self.everywhere(uri, at);
                let places = places.into_iter();
                places
                    .filter(|place| with_own || !place.is_declaration)
                    .map(|place| json!({ "uri": place.uri, "range": place.range }))
                    .collect()
            }
            "textDocument/rename" => {
                let at = offset();
                return self.rename(uri, at, params);
            }
            method => return Err(unknown(method)),
        })
    }

    fn rename(&mut self, uri: &str, at: u32, params: &Value) -> Result<Value, (ErrorCode, String)> {
        let new = params["newName"].as_str().unwrap_or_default().to_owned();
        let is_name = self.look(uri).is_some_and(|edited| edited.is_name(&new));
        if !is_name {
            let why = format!("\"{new}\" is no name in this language");
            return Err((ErrorCode::InvalidParams, why));
        }
        let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for place in self.everywhere(uri, at) {
            let edit = json!({ "range": place.range, "newText": new });
            changes.entry(place.uri).or_default().push(edit);
        }
        Ok(json!({ "changes": changes }))
    }

    /// All places of the name at an offset: in its own text, in what that refers to, and in files of the folders that refer to
    /// the declaration.
    fn everywhere(&mut self, uri: &str, offset: u32) -> Vec<Place> {
        let Some(edited) = self.look(uri) else {
            return Vec::new();
        };
        let Some((_, definition)) = edited.name_at(offset) else {
            return Vec::new();
        };
        let one = edited.definition(definition);
        let file = base::files::canonical(edited.lint.sources.path(one.span.file));
        let declared = (file, one.span.start, one.name);
        let mut places = places(edited, definition);
        self.look_around();
        let open: Vec<String> = self.documents.keys().cloned().collect();
        let mut others: Vec<Place> = Vec::new();
        for other in open {
            others.extend(
                self.look(&other)
                    .into_iter()
                    .flat_map(|edited| same(edited, &declared)),
            );
        }
        for (_, edited) in self.looked.values() {
            others.extend(same(edited, &declared));
        }
        places.extend(others);
        places.sort_by_key(|place| place.key());
        places.dedup_by_key(|place| place.key());
        places
    }

    /// Reads the files of the folders that are not open, as far as they changed.
    fn look_around(&mut self) {
        let mut files = Vec::new();
        for folder in &self.folders {
            collect(folder, &self.bench, &mut files);
        }
        let open: Vec<PathBuf> = self
            .documents
            .values()
            .map(|one| base::files::canonical(&one.path))
            .collect();
        self.looked.retain(|path, _| files.contains(path));
        for path in files {
            if open.contains(&path) {
                continue;
            }
            let modified = path.metadata().and_then(|known| known.modified()).ok();
            if self
                .looked
                .get(&path)
                .is_some_and(|(known, _)| *known == modified)
            {
                continue;
            }
            let edited = Edited::read(&self.bench, &path);
            self.looked.insert(path, (modified, edited));
        }
    }

    fn workspace_symbols(&mut self, params: &Value) -> Value {
        let wanted = params["query"].as_str().unwrap_or_default().to_lowercase();
        self.look_around();
        let open: Vec<String> = self.documents.keys().cloned().collect();
        let mut found = Vec::new();
        for uri in open {
            found.extend(
                self.look(&uri)
                    .into_iter()
                    .flat_map(|edited| declared(edited, &wanted)),
            );
        }
        for (_, edited) in self.looked.values() {
            found.extend(declared(edited, &wanted));
        }
        Value::Array(found)
    }

    fn execute(&mut self, params: &Value) -> Result<Value, (ErrorCode, String)> {
        let uri = params["arguments"][0].as_str().unwrap_or_default();
        let Some(path) = self
            .documents
            .get(uri)
            .map(|document| document.path.clone())
        else {
            let why = format!("\"{uri}\" is not open");
            return Err((ErrorCode::InvalidParams, why));
        };
        match params["command"].as_str() {
            Some("burnside.check") => {
                let texts = self.texts();
                let choices = params["arguments"][1].clone();
                let folder = around(&self.folders, &path);
                if let Some(edited) = self.look(uri) {
                    let anchors = Anchors::of(edited, &path, &folder);
                    let uri = uri.to_owned();
                    let subject = Subject {
                        uri,
                        path,
                        folder,
                        anchors,
                    };
                    self.runs.check(subject, texts, choices);
                }
                Ok(Value::Null)
            }
            Some("burnside.stop") => {
                self.runs.text_changed(uri);
                Ok(Value::Null)
            }
            other => Err(unknown(other.unwrap_or_default())),
        }
    }
}

fn unknown(method: &str) -> (ErrorCode, String) {
    (
        ErrorCode::MethodNotFound,
        format!("there is no \"{method}\" here"),
    )
}
