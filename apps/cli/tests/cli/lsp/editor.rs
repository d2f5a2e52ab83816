//! The editor itself: what it sends, and how it waits for answers.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::{Folder, Framing, Server};

/// An editor.
pub(super) struct Editor {
    server: Server,
    folder: String,
    next: u64,
    /// The last version of each text.
    versions: BTreeMap<String, u64>,
}

impl Editor {
    pub(super) fn new(folder: &Folder) -> Editor {
        let server = Server::start(folder, &["lsp"], Framing::Lengths);
        let folder = folder.path(".").canonicalize().expect("a folder");
        let mut editor = Editor {
            server,
            folder: format!("file://{}", folder.display()),
            next: 0,
            versions: BTreeMap::new(),
        };
        let root = editor.folder.clone();
        let about = editor.ask("initialize", json!({ "rootUri": root, "capabilities": {} }));
        assert_eq!(about["capabilities"]["positionEncoding"], "utf-16");
        editor.tell("initialized", json!({}));
        editor
    }

    pub(super) fn uri(&self, file: &str) -> String {
        format!("{}/{file}", self.folder)
    }

    pub(super) fn tell(&mut self, method: &str, params: Value) {
        self.server
            .send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.server
            .send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.wait_for(|message| message["id"] == id && message["method"].is_null());
        match answer.get("error") {
            Some(error) => json!({ "error": error }),
            None => answer["result"].clone(),
        }
    }

    /// The next such message; the server says nothing of a bug before.
    pub(super) fn wait_for(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        self.server.wait_for(|message| {
            let is_bug =
                message["method"] == "window/showMessage" && message["params"]["type"] == 1;
            assert!(!is_bug, "{message}");
            assert_ne!(message["error"]["code"], -32603, "{message}");
            wanted(message)
        })
    }

    pub(super) fn open(&mut self, file: &str, language: &str, text: &str) {
        let uri = self.uri(file);
        self.versions.insert(file.to_owned(), 1);
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces what lies between two places.
    pub(super) fn change(&mut self, file: &str, (from, to): ((u32, u32), (u32, u32)), text: &str) {
        let version = self.versions.entry(file.to_owned()).or_default();
        *version += 1;
        let version = *version;
        let range = json!({ "start": place(from), "end": place(to) });
        let document = json!({ "uri": self.uri(file), "version": version });
        let changes = json!([{ "range": range, "text": text }]);
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    /// What is wrong with a file, as told next.
    pub(super) fn wrong(&self, file: &str) -> Vec<Value> {
        let uri = self.uri(file);
        let told = self.wait_for(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        });
        told["params"]["diagnostics"]
            .as_array()
            .cloned()
            .unwrap_or_default()
    }

    /// What is wrong with a file in its last version.
    pub(super) fn wrong_now(&self, file: &str) -> Vec<Value> {
        let uri = self.uri(file);
        let told = self.wait_for(|message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == self.versions[file]
        });
        let found = &told["params"]["diagnostics"];
        found.as_array().cloned().unwrap_or_default()
    }

    /// Asks about a file, or a place in it.
    pub(super) fn about(&mut self, method: &str, file: &str, at: Option<(u32, u32)>) -> Value {
        let mut params = json!({ "textDocument": { "uri": self.uri(file) } });
        if let Some(at) = at {
            params["position"] = place(at);
        }
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// All that can be asked about a text.
    pub(super) fn everything(&mut self, file: &str) -> Value {
        let range = json!({ "start": place((0, 0)), "end": place((9999, 0)) });
        let mut all = json!({});
        for method in [
            "documentSymbol",
            "semanticTokens/full",
            "foldingRange",
            "formatting",
            "codeLens",
        ] {
            all[method] = self.about(method, file, None);
        }
        for method in ["inlayHint", "codeAction"] {
            let uri = self.uri(file);
            let mut params = json!({ "textDocument": { "uri": uri }, "range": range });
            params["context"] = json!({ "diagnostics": [] });
            all[method] = self.ask(&format!("textDocument/{method}"), params);
        }
        for line in 0..12 {
            for method in ["hover", "definition", "completion", "documentHighlight"] {
                let answer = self.about(method, file, Some((line, 4)));
                all[format!("{method} {line}")] = answer;
            }
        }
        all
    }
}

pub(super) fn place((line, character): (u32, u32)) -> Value {
    json!({ "line": line, "character": character })
}
