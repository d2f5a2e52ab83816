//! A scripted client of the assistants' protocol: lists, lints, checks, explains, walks, cancels; and what is refused.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{ENDLESS, Folder, Framing, Server};

const COUNTER: &str = "\
MACHINE Counter
VARIABLES x
INVARIANT x : 0..20
INITIALISATION x := 0
OPERATIONS
  inc = PRE x < 30 THEN x := x + 1 END;
  stop = SELECT x = 25 THEN skip END
END
";

const BROKEN: &str = "\
MACHINE Broken
VARIABLES xx
INVARIANT xx : NAT
INITIALISATION xx := 0
OPERATIONS go = BEGIN xx := yy END
END
";

/// A client.
struct Client {
    server: Server,
    next: u64,
}

impl Client {
    fn new(folder: &Folder) -> Client {
        let mut client = Client {
            server: Server::start(folder, &["mcp", "models"], Framing::Lines),
            next: 0,
        };
        let about = client.ask("initialize", json!({ "protocolVersion": "2025-03-26" }));
        assert_eq!(about["result"]["protocolVersion"], "2025-03-26");
        assert_eq!(about["result"]["serverInfo"]["name"], "burnside");
        client
            .server
            .send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.server
            .send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The answer to a request; what was notified before it is dropped.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.server.wait_for(|message| message["id"] == id)
    }

    /// The text and the data of a call, and whether it failed.
    fn call(&mut self, tool: &str, arguments: Value) -> (String, Value, bool) {
        let answer = self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str();
        (
            text.unwrap_or_else(|| panic!("{answer}")).to_owned(),
            result["structuredContent"].clone(),
            result["isError"] == true,
        )
    }
}

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    std::fs::create_dir_all(folder.path("models")).expect("a folder");
    folder
        .file("models/Counter.mch", COUNTER)
        .file("models/Broken.mch", BROKEN)
        .file("models/Endless.mch", ENDLESS)
        .file("Outside.mch", COUNTER)
        .file(
            "models/Refers.pml",
            "#include \"../secret.txt\"\ninit { skip }\n",
        )
        .file("secret.txt", "the password is swordfish\n");
    folder
}

#[test]
fn an_assistant_lints_checks_explains_and_walks() {
    let folder = folder("mcp-works");
    let mut client = Client::new(&folder);
    let tools = client.ask("tools/list", json!({}));
    let tools = tools["result"]["tools"].as_array().map_or(0, Vec::len);
    assert_eq!(tools, 9);
    let arguments = json!({ "file": "Counter.mch", "cover": "operations" });
    let (text, data, _) = client.call("tests", arguments);
    assert_eq!(data["cases"][0]["covers"], json!(["inc", "stop"]), "{data}");
    assert!(text.contains("inc"), "{text}");

    let (text, data, _) = client.call("lint", json!({ "file": "Broken.mch" }));
    let found = &data["diagnostics"][0];
    assert_eq!(
        (&found["line"], &found["column"]),
        (&json!(5), &json!(29)),
        "{data}"
    );
    assert!(text.contains("unknown name `yy`"), "{text}");
    let (text, ..) = client.call("lint", json!({ "file": "Counter.mch" }));
    assert_eq!(text, "Counter.mch: nothing is wrong");

    let (text, data, _) = client.call("check", json!({ "file": "Counter.mch", "steps": 6 }));
    assert_eq!(data["verdict"], "violated");
    assert_eq!(data["findings"][0]["steps"], 22, "{data}");
    assert!(
        text.contains("steps folded") && text.contains("verdict: violated"),
        "{text}"
    );
    let arguments = json!({ "run": data["run"], "finding": 1, "from": 20, "to": 22 });
    let (text, ..) = client.call("explain", arguments);
    assert!(text.contains("22. inc()\n     x = 21"), "{text}");
    let (text, ..) = client.call("explain", json!({ "code": found["code"] }));
    assert!(text.starts_with("B0401: "), "{text}");

    let (text, data, _) = client.call(
        "check",
        json!({ "file": "Counter.mch", "max_states": 5, "no_deadlock": true }),
    );
    assert_eq!(data["verdict"], "open");
    assert!(
        text.contains("verdict: open ("),
        "a verdict has its reservations: {text}"
    );

    let (text, data, _) = client.call(
        "walk",
        json!({ "file": "Counter.mch", "commands": ["inc", "inc"] }),
    );
    assert_eq!(data["values"][0]["value"], "2", "{text}");
    let walk = data["walk"].clone();
    let (text, ..) = client.call("explain", json!({ "walk": walk, "event": "stop" }));
    assert!(text.contains("stop cannot happen here"), "{text}");
    let (text, ..) = client.call("eval", json!({ "walk": walk, "formulas": ["x + 40"] }));
    assert_eq!(text, "x + 40 = 42\n");
    let (_, data, _) = client.call(
        "step",
        json!({ "walk": walk, "commands": ["undo", "random 3"] }),
    );
    assert_eq!(data["values"][0]["value"], "4");

    let (text, ..) = client.call("eval", json!({ "formulas": ["{1,2} \\/ {3}", "1/0"] }));
    assert!(
        text.starts_with("{1,2} \\/ {3} = {1,2,3}\n1/0 = !undefined"),
        "{text}"
    );
    let (text, data, _) = client.call("solve", json!({ "predicate": "x*x = 49 & x : -9..9" }));
    assert_eq!(
        data["solutions"].as_array().map(Vec::len),
        Some(2),
        "{text}"
    );
    let (text, ..) = client.call("coverage", json!({ "file": "Counter.mch" }));
    assert!(
        text.contains("31 states looked at, all there are"),
        "{text}"
    );
}

#[test]
fn a_long_check_tells_its_progress_and_is_cancelled_within_a_second() {
    let folder = folder("mcp-cancel");
    let mut client = Client::new(&folder);
    let params = json!({
        "name": "check",
        "arguments": { "file": "Endless.mch", "max_time": 100 },
        "_meta": { "progressToken": "slow" },
    });
    let id = client.begin("tools/call", params);
    let told = client
        .server
        .wait_for(|message| message["method"] == "notifications/progress");
    assert_eq!(told["params"]["progressToken"], "slow");
    assert!(
        told["params"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("states"))
    );
    // Others are answered meanwhile.
    let (text, ..) = client.call("lint", json!({ "file": "Counter.mch" }));
    assert_eq!(text, "Counter.mch: nothing is wrong");
    let begun = Instant::now();
    client.server.send(&json!({
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": { "requestId": id },
    }));
    // No answer comes any more; no progress either once the session is gone.
    let mut last = begun;
    while let Ok(message) = client
        .server
        .messages
        .recv_timeout(Duration::from_millis(2500))
    {
        assert_ne!(message["id"], id, "{message}");
        last = Instant::now();
    }
    assert!(last - begun < Duration::from_secs(2), "{:?}", last - begun);
    assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
}

#[test]
fn what_lies_outside_the_folder_and_what_is_no_call_is_refused() {
    let folder = folder("mcp-refused");
    let mut client = Client::new(&folder);
    let outside = folder.path("Outside.mch").display().to_string();
    for file in [
        "../Outside.mch",
        &outside,
        "/etc/hostname",
        "a/../../Outside.mch",
    ] {
        for tool in ["lint", "check", "walk", "coverage"] {
            let (text, _, failed) = client.call(tool, json!({ "file": file }));
            assert!(
                failed && text.contains("outside the folder"),
                "{tool} {file}: {text}"
            );
        }
    }
    // What a model refers to is not read either.
    let (text, ..) = client.call("lint", json!({ "file": "Refers.pml" }));
    assert!(text.contains("outside the folder"), "{text}");
    assert!(!text.contains("swordfish"), "{text}");
    let (text, data, _) = client.call("walk", json!({ "file": "Counter.mch" }));
    let (text, _, failed) = match data["walk"].as_u64() {
        Some(walk) => client.call(
            "step",
            json!({ "walk": walk, "commands": ["save ../path.json"] }),
        ),
        None => panic!("{text}"),
    };
    assert!(failed && text.contains("no files"), "{text}");
    assert!(!folder.path("path.json").exists());

    let (text, _, failed) = client.call(
        "check",
        json!({ "file": "Counter.mch", "report": "x.html" }),
    );
    assert!(failed && text.contains("do not fit"), "{text}");
    let (text, _, failed) = client.call("step", json!({ "walk": 99, "commands": [] }));
    assert!(failed && text.contains("no walk 99"), "{text}");
    let answer = client.ask("tools/call", json!({ "name": "shell", "arguments": {} }));
    assert_eq!(answer["error"]["code"], -32602);
    let answer = client.ask("no/such", json!({}));
    assert_eq!(answer["error"]["code"], -32601);
    writeln!(client.server.input, "this is no JSON").expect("the server reads");
    let answer = client.server.wait_for(|message| message["id"].is_null());
    assert_eq!(answer["error"]["code"], -32700);
}

#[test]
fn sheets_and_options_can_be_read() {
    let folder = folder("mcp-pages");
    let mut client = Client::new(&folder);
    let listed = client.ask("resources/list", json!({}));
    let listed = listed["result"]["resources"].as_array().cloned();
    let uris: Vec<String> = listed
        .unwrap_or_default()
        .iter()
        .map(|page| page["uri"].as_str().unwrap_or_default().to_owned())
        .collect();
    for id in ["b", "eventb", "z", "promela", "murphi"] {
        assert!(
            uris.contains(&format!("burnside://language/{id}")),
            "{uris:?}"
        );
    }
    let page = client.ask("resources/read", json!({ "uri": "burnside://options" }));
    let text = page["result"]["contents"][0]["text"]
        .as_str()
        .unwrap_or_default();
    assert!(text.contains("## `check`"), "{page}");
    let page = client.ask(
        "resources/read",
        json!({ "uri": "burnside://options/solve" }),
    );
    let text = page["result"]["contents"][0]["text"]
        .as_str()
        .unwrap_or_default();
    assert!(
        text.starts_with("## `solve`") && !text.contains("## `check`"),
        "{page}"
    );
    let page = client.ask("resources/read", json!({ "uri": "file:///etc/hostname" }));
    assert_eq!(page["error"]["code"], -32002);
}
