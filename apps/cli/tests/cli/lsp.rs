//! A scripted editor: what it asks of the language server over standard streams, and what it hears.

mod editor;
mod edits;
mod languages;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Folder;
use editor::{Editor, place};

const DOOR: &str = "\
MACHINE Door
SETS STATE = {open, closed}
DEFINITIONS shut == (state = closed)
VARIABLES state, count
INVARIANT state : STATE & count : 0..5
INITIALISATION state := closed || count := 0
OPERATIONS
  push = SELECT shut THEN state := open || count := count + 1 END;
  pull(nn) = PRE nn : 1..3 & state = open THEN
      state := closed
    END
END
";

#[test]
fn an_editor_sees_what_is_wrong_while_it_types_and_mends_it() {
    let folder = Folder::new("lsp-types");
    let mut editor = Editor::new(&folder);
    editor.open("Door.mch", "b", DOOR);
    assert_eq!(editor.wrong("Door.mch"), Vec::<Value>::new());
    // `count` becomes `coun`, behind a character of two UTF-16 units in a comment.
    editor.change("Door.mch", ((7, 2), (7, 2)), "/*𝔹*/ ");
    editor.change("Door.mch", ((7, 63), (7, 64)), "");
    let wrong = editor.wrong("Door.mch");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert_eq!(wrong[0]["code"], "B0401");
    assert_eq!(wrong[0]["range"]["start"], place((7, 59)), "{wrong:?}");
    let params = json!({
        "textDocument": { "uri": editor.uri("Door.mch") },
        "range": wrong[0]["range"],
        "context": { "diagnostics": wrong },
    });
    let actions = editor.ask("textDocument/codeAction", params);
    let uri = editor.uri("Door.mch");
    let edit = &actions[0]["edit"]["changes"][&uri][0];
    assert_eq!(
        (&edit["newText"], &edit["range"]),
        (&json!("count"), &wrong[0]["range"]),
        "{actions}"
    );
    editor.change("Door.mch", ((7, 59), (7, 63)), "count");
    assert_eq!(editor.wrong("Door.mch"), Vec::<Value>::new());
}

#[test]
// Long: one session, question by question.
fn an_editor_finds_its_way_through_a_machine() {
    let folder = Folder::new("lsp-names");
    let mut editor = Editor::new(&folder);
    editor.open("Door.mch", "b", DOOR);
    let hover = editor.about("hover", "Door.mch", Some((7, 44)));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("count : INTEGER (variable)"), "{hover}");
    let hover = editor.about("hover", "Door.mch", Some((7, 17)));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(
        text.contains("shut == (state = closed)"),
        "a definition is shown expanded: {hover}"
    );
    let found = editor.about("definition", "Door.mch", Some((8, 18)));
    assert_eq!(
        found["range"]["start"],
        place((8, 7)),
        "the parameter: {found}"
    );

    let params =
        json!({ "textDocument": { "uri": editor.uri("Door.mch") }, "position": place((3, 11)) });
    let places = editor.ask("textDocument/references", params.clone());
    assert_eq!(places.as_array().map(Vec::len), Some(7), "state: {places}");
    let mut renamed = params;
    renamed["newName"] = json!("leaf");
    let edits = editor.ask("textDocument/rename", renamed.clone());
    let uri = editor.uri("Door.mch");
    assert_eq!(
        edits["changes"][&uri].as_array().map(Vec::len),
        Some(7),
        "{edits}"
    );
    for bad in ["two words", "1x", "END", ""] {
        renamed["newName"] = json!(bad);
        assert!(
            editor.ask("textDocument/rename", renamed.clone())["error"].is_object(),
            "{bad}"
        );
    }

    let outline = editor.about("documentSymbol", "Door.mch", None);
    assert_eq!(outline[0]["name"], "Door");
    let names: Vec<&str> = outline[0]["children"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|child| child["name"].as_str())
        .collect();
    for name in ["STATE", "open", "shut", "state", "count", "push", "pull"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let symbols = editor.ask("workspace/symbol", json!({ "query": "pu" }));
    assert_eq!(symbols.as_array().map(Vec::len), Some(2), "{symbols}");
    let proposals = editor.about("completion", "Door.mch", Some((8, 20)));
    let labels: Vec<&str> = proposals["items"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|item| item["label"].as_str())
        .collect();
    for label in ["nn", "state", "SELECT", "\\/", "∪"] {
        assert!(labels.contains(&label), "{label}");
    }
    let folds = editor.about("foldingRange", "Door.mch", None);
    assert!(
        folds.as_array().is_some_and(|folds| folds.len() >= 2),
        "{folds}"
    );
    let printed = editor.about("formatting", "Door.mch", None);
    assert!(
        printed[0]["newText"]
            .as_str()
            .is_some_and(|text| text.starts_with("MACHINE Door"))
    );
    let tokens = editor.about("semanticTokens/full", "Door.mch", None);
    assert_eq!(
        tokens["data"].as_array().map(|data| data.len() % 5),
        Some(0)
    );
    let range = json!({ "start": place((0, 0)), "end": place((99, 0)) });
    let params = json!({ "textDocument": { "uri": uri }, "range": range });
    let hints = editor.ask("textDocument/inlayHint", params);
    assert!(hints.to_string().contains(" : STATE"), "{hints}");
}

#[test]
fn names_are_followed_across_files() {
    let folder = Folder::new("lsp-files");
    folder.file("Base.mch", "MACHINE Base\nVARIABLES vv\nINVARIANT vv : NAT\nINITIALISATION vv := 0\nOPERATIONS step = BEGIN vv := 1 END\nEND\n");
    let mut editor = Editor::new(&folder);
    let text = "MACHINE User\nINCLUDES Base\nINVARIANT vv < 9\nOPERATIONS go = step\nEND\n";
    folder.file("User.mch", text);
    editor.open("User.mch", "b", text);
    let found = editor.about("definition", "User.mch", Some((2, 11)));
    assert_eq!(found["uri"], editor.uri("Base.mch"), "{found}");
    assert_eq!(found["range"]["start"], place((1, 10)));
    // A text that was not saved counts: the variable moves one line down.
    let moved = "MACHINE Base\n\nVARIABLES vv\nINVARIANT vv : NAT\nINITIALISATION vv := 0\nOPERATIONS step = BEGIN vv := 1 END\nEND\n";
    editor.open("Base.mch", "b", moved);
    let found = editor.about("definition", "User.mch", Some((2, 11)));
    assert_eq!(found["range"]["start"], place((2, 10)), "{found}");
    // From the declaration the uses in the other file are found too.
    let params = json!({ "textDocument": { "uri": editor.uri("Base.mch") }, "position": place((2, 10)), "newName": "ww" });
    let edits = editor.ask("textDocument/rename", params);
    let changes = edits["changes"].as_object().cloned().unwrap_or_default();
    assert_eq!(changes.len(), 2, "{edits}");
    assert_eq!(
        changes[&editor.uri("User.mch")].as_array().map(Vec::len),
        Some(1),
        "{edits}"
    );
}

#[test]
fn a_check_from_the_editor_comes_back_with_its_path() {
    let folder = Folder::new("lsp-check");
    folder.file("Door.mch", "not what the editor has");
    let mut editor = Editor::new(&folder);
    editor.open("Door.mch", "b", DOOR);
    assert_eq!(editor.wrong("Door.mch"), Vec::<Value>::new());
    let uri = editor.uri("Door.mch");
    let lenses = editor.about("codeLens", "Door.mch", None);
    let command = &lenses[0]["command"];
    assert_eq!(command["command"], "burnside.check");
    let params = json!({ "command": "burnside.check", "arguments": command["arguments"] });
    editor.ask("workspace/executeCommand", params);
    let found = editor.wrong("Door.mch");
    assert_eq!(found[0]["source"], "burnside check", "{found:?}");
    assert_eq!(found[0]["range"]["start"]["line"], 4);
    let steps = found[0]["relatedInformation"].as_array();
    let steps = steps.cloned().unwrap_or_default();
    assert!(steps.len() > 10, "{found:?}");
    // A step stands at its event and tells what it changed.
    let message = steps[2]["message"].as_str().unwrap_or_default();
    assert!(
        message.starts_with("3. pull(nn = ") && message.ends_with("state = closed"),
        "{message}"
    );
    let start = &steps[2]["location"]["range"]["start"];
    assert_eq!(*start, place((8, 2)), "{found:?}");
    // A change takes it away: it was about another text.
    editor.change("Door.mch", ((0, 0), (0, 0)), "/* */");
    assert_eq!(editor.wrong("Door.mch"), Vec::<Value>::new());
    assert_eq!(editor.uri("Door.mch"), uri);
}

/// Findings were placed by line and column alone, so one in another file stood at some line of the text that was checked, and models
/// that refer to a folder beside their own could not be checked from an editor.
#[test]
fn a_finding_in_another_file_says_where_it_stands() {
    let folder = Folder::new("lsp-elsewhere");
    for name in ["parts", "models"] {
        std::fs::create_dir_all(folder.path(name)).expect("a folder");
    }
    let part = "/* 𝔹 */ MACHINE Part VARIABLES vv INVARIANT vv : 0..2 INITIALISATION vv := 0\nOPERATIONS step = BEGIN vv := vv + 1 END\nEND\n";
    folder.file("parts/Part.mch", part);
    let text =
        "MACHINE User\nINCLUDES Part /*@file \"../parts/Part.mch\" */\nOPERATIONS go = step\nEND\n";
    folder.file("models/User.mch", text);
    let mut editor = Editor::new(&folder);
    editor.open("models/User.mch", "b", text);
    assert_eq!(editor.wrong("models/User.mch"), Vec::<Value>::new());
    let arguments = json!([editor.uri("models/User.mch")]);
    let params = json!({ "command": "burnside.check", "arguments": arguments });
    editor.ask("workspace/executeCommand", params);
    let found = editor.wrong("models/User.mch");
    assert_eq!(
        found[0]["range"]["start"],
        place((0, 8)),
        "at the name of the model: {found:?}"
    );
    let violated = &found[0]["relatedInformation"][0];
    assert_eq!(violated["message"], "what is violated");
    assert_eq!(violated["location"]["uri"], editor.uri("parts/Part.mch"));
    assert_eq!(
        violated["location"]["range"]["start"],
        place((0, 45)),
        "in units of UTF-16: {found:?}"
    );
    assert_eq!(
        found[0]["relatedInformation"][3]["location"]["range"]["start"],
        place((2, 11)),
        "{found:?}"
    );
}

/// Accepting a proposal behind a part of an operator wrote the part twice.
#[test]
fn proposals_replace_what_was_typed_of_them() {
    let folder = Folder::new("lsp-proposals");
    let mut editor = Editor::new(&folder);
    editor.open("Door.mch", "b", DOOR);
    editor.change("Door.mch", ((7, 24), (7, 24)), " & cou \\");
    let proposals = |editor: &mut Editor, at: (u32, u32), label: &str| {
        let told = editor.about("completion", "Door.mch", Some(at));
        let items = told["items"].as_array().cloned().unwrap_or_default();
        let item = items.into_iter().find(|item| item["label"] == label);
        item.unwrap_or_else(|| panic!("{label}"))
    };
    let name = proposals(&mut editor, (7, 30), "count");
    assert_eq!(name["textEdit"]["range"]["start"], place((7, 27)), "{name}");
    for label in ["\\/", "∪"] {
        let operator = proposals(&mut editor, (7, 32), label);
        assert_eq!(
            operator["textEdit"]["range"]["start"],
            place((7, 31)),
            "{operator}"
        );
        assert_eq!(
            (&operator["textEdit"]["newText"], &operator["filterText"]),
            (&json!(label), &json!("\\/"))
        );
    }
}

#[test]
fn large_texts_are_answered_at_once() {
    let folder = Folder::new("lsp-large");
    let mut text = String::from("MACHINE Large\nVARIABLES v0");
    for at in 1..300 {
        text.push_str(&format!(", v{at}"));
    }
    text.push_str("\nINVARIANT\n  v0 : NAT");
    for at in 1..300 {
        text.push_str(&format!(" &\n  v{at} : NAT"));
    }
    text.push_str("\nINITIALISATION v0 := 0");
    for at in 1..300 {
        text.push_str(&format!(" ||\n  v{at} := 0"));
    }
    text.push_str("\nOPERATIONS\n  op0 = skip");
    for at in 1..280 {
        text.push_str(&format!(";\n  op{at}(nn) =\n    PRE nn : 1..3 & v{at} < 5 & #xx.(xx : 1..nn & xx > v{at})\n    THEN\n      v{at} := v{at} + nn\n    END"));
    }
    text.push_str("\nEND\n");
    assert!(text.lines().count() > 2_000);
    let mut editor = Editor::new(&folder);
    editor.open("Large.mch", "b", &text);
    let errors = |wrong: Vec<Value>| wrong.iter().filter(|one| one["severity"] == 1).count();
    assert_eq!(errors(editor.wrong("Large.mch")), 0);
    let begun = Instant::now();
    editor.change("Large.mch", ((310, 2), (310, 3)), "w");
    assert!(errors(editor.wrong("Large.mch")) > 0);
    let diagnosed = begun.elapsed();
    let begun = Instant::now();
    editor.about("hover", "Large.mch", Some((700, 3)));
    let hovered = begun.elapsed();
    eprintln!("2,000 lines: diagnostics {diagnosed:?}, hover {hovered:?}");
    // Generous, for slow machines and builds without optimisation.
    assert!(diagnosed < Duration::from_secs(5), "{diagnosed:?}");
    assert!(hovered < Duration::from_secs(1), "{hovered:?}");
}

const FORMULAS: &str = "\
MACHINE Formulas
DEFINITIONS
  ASSERT_LTL_low == \"G {n < 2}\";
  ASSERT_CTL_fine == \"AG {n < 9}\"
CONSTANTS top
PROPERTIES top = 1 + 2
VARIABLES n
INVARIANT n : 0..top
INITIALISATION n := 0
OPERATIONS
  up = SELECT n < top THEN n := n + 1 END;
  reset = SELECT n = top THEN n := 0 END
END
";

#[test]
fn one_formula_is_checked_and_a_constant_shows_its_value() {
    let folder = Folder::new("lsp-formulas");
    let mut editor = Editor::new(&folder);
    editor.open("Formulas.mch", "b", FORMULAS);
    assert_eq!(editor.wrong("Formulas.mch"), Vec::<Value>::new());
    let lenses = editor.about("codeLens", "Formulas.mch", None);
    let lenses = lenses.as_array().expect("lenses").iter();
    let lenses: Vec<&Value> = lenses
        .filter(|lens| lens["command"]["title"] == "▶ check this formula")
        .collect();
    assert_eq!(lenses.len(), 2, "{lenses:?}");
    assert_eq!(lenses[0]["range"]["start"], place((2, 2)));
    let command = lenses[0]["command"].clone();
    editor.ask("workspace/executeCommand", command);
    let found = editor.wrong("Formulas.mch");
    assert_eq!(found[0]["code"], "ltl", "{found:?}");
    let steps = found[0]["relatedInformation"]
        .as_array()
        .map_or(0, Vec::len);
    assert!(steps >= 3, "{found:?}");
    // The first answer waits for the value, the second has it.
    for _ in 0..2 {
        let hover = editor.about("hover", "Formulas.mch", Some((4, 11)));
        let text = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.contains("(constant)\n= 3"), "{hover}");
    }
    editor.change("Formulas.mch", ((5, 17), (5, 18)), "7");
    let hover = editor.about("hover", "Formulas.mch", Some((4, 11)));
    let text = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(text.contains("= 9"), "a value belongs to the text: {hover}");
}
