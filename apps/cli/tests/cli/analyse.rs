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

#[test]
fn a_plan_counts_what_gets_past_each_step() {
    let folder = Folder::new("analyse-plan");
    folder.file(
        "Pool.mch",
        "MACHINE Pool
VARIABLES used
INVARIANT used <: 1..4
INITIALISATION used := {}
OPERATIONS
  take(n) = PRE n : 1..4 & n /: used THEN used := used \\/ {n} END;
  drop(n) = PRE n : used THEN used := used - {n} END
END",
    );
    let run = folder.run(&["analyse", "Pool.mch", "--plan", "--json"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    let profile: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(
        (&profile["states"], &profile["complete"]),
        (&16.into(), &true.into())
    );
    let events = profile["events"].as_array().expect("events");
    let take = events.iter().find(|event| event["name"] == "take");
    let take = take.expect("an operation that happens");
    assert_eq!(
        (&take["asked"], &take["transitions"]),
        (&16.into(), &32.into())
    );
    let last = take["steps"].as_array().and_then(|steps| steps.last());
    assert_eq!(last.expect("steps")["passed"], 32);
    let run = folder.run(&["analyse", "Pool.mch", "--plan"]);
    assert!(run.out.contains("each n: n : used"), "{}", run.out);
}
