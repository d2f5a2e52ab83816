//! `analyse`: which elements are interchangeable, and why others are not.

use crate::support::Folder;

const MODEL: &str = "MACHINE Desk
SETS PID; COLOUR = {red, green, blue, grey}; TAG
VARIABLES active, holder, tag, paint
INVARIANT active <: PID & holder : PID +-> PID & tag : TAG & paint : COLOUR
INITIALISATION active := {} || holder := {} || tag :: TAG || paint := red
OPERATIONS
  colour = PRE paint : {red, green} THEN paint :: COLOUR END;
  pick = BEGIN tag := CHOOSE(TAG) END
DEFINITIONS EXTERNAL_FUNCTION_CHOOSE(T) == POW(T) --> T; CHOOSE(s) == s
END";

#[test]
fn every_set_says_what_tells_its_elements_apart() {
    let folder = Folder::new("analyse-sets");
    folder.file("Desk.mch", MODEL);
    let run = folder.run(&["analyse", "Desk.mch", "--card", "PID=4"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    assert!(
        run.out.contains("PID: all 4 interchangeable"),
        "{}",
        run.out
    );
    let colours =
        "COLOUR: 2 of 4 interchangeable; red is named in the initialisation at Desk.mch:5:";
    assert!(run.out.contains(colours), "{}", run.out);
    assert!(
        run.out.contains("TAG: none of 2 interchangeable; CHOOSE"),
        "{}",
        run.out
    );
}

#[test]
fn precision_is_told_for_every_variable() {
    let folder = Folder::new("analyse-json");
    folder.file("Desk.mch", MODEL);
    let run = folder.run(&["analyse", "Desk.mch", "--json"]);
    let json = &run.json()[0];
    let precise = |name: &str| {
        let variables = json["variables"].as_array().expect("a list");
        let variable = variables.iter().find(|variable| variable["name"] == name);
        variable.expect("it is there")["precise"].clone()
    };
    assert_eq!(precise("active"), true);
    assert_eq!(precise("holder"), false);
    assert_eq!(precise("tag"), serde_json::Value::Null);
}
