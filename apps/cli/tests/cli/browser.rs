//! The workbench in a real browser, where there is one: `apps/web/front/tests/walks.mjs` by Playwright in Debian's chromium.
//!
//! `BURNSIDE_SHOTS=FOLDER` keeps a picture of every page there (docs/screenshots).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Folder, LIFT};

/// More than 20,000 states.
const CUBE: &str = "\
MACHINE Cube
VARIABLES x, y, z
INVARIANT x : 0..30 & y : 0..30 & z : 0..30
INITIALISATION x := 0 || y := 0 || z := 0
OPERATIONS
  right = SELECT x < 27 THEN x := x + 1 END;
  up = SELECT y < 27 THEN y := y + 1 END;
  high = SELECT z < 27 THEN z := z + 1 END;
  fall = SELECT z > 3 & x = y THEN z := 0 END
END
";

/// A machine that another one includes.
const DOOR: &str = "\
MACHINE Door
SETS STATE = {open, closed}
VARIABLES state
INVARIANT state : STATE
INITIALISATION state := closed
OPERATIONS
  push = SELECT state = closed THEN state := open END;
  pull = SELECT state = open THEN state := closed END
END
";

const HOUSE: &str = "\
MACHINE House
INCLUDES Door
VARIABLES inside, cold
INVARIANT inside : 0..4 & cold : BOOL
INITIALISATION inside := 0 || cold := FALSE
OPERATIONS
  arrive = SELECT state = closed & inside < 4 THEN push || inside := inside + 1 END;
  shut = SELECT state = open THEN pull END;
  leave = SELECT inside > 0 & state = open THEN inside := inside - 1 END;
  freeze = SELECT state = open & cold = FALSE THEN cold := TRUE END;
  heat = SELECT cold = TRUE THEN cold := FALSE END
END
";

/// A model that is drawn in a grid.
const STONES: &str = "\
MACHINE Stones
DEFINITIONS
  ANIMATION_FUNCTION_DEFAULT == {r,c,i | r : 1..2 & c : 1..3 & i = 0};
  ANIMATION_FUNCTION == {(1 |-> at) |-> 7};
  ANIMATION_STR0 == \".\";
  ANIMATION_STR7 == \"stone\"
VARIABLES at
INVARIANT at : 1..3
INITIALISATION at := 1
OPERATIONS right = SELECT at < 3 THEN at := at + 1 END
END
";

fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .join("../..")
        .canonicalize()
        .expect("the repository")
}

/// The browser, the script's packages and Node; or what is missing.
fn missing(front: &Path, chromium: &Path) -> Option<String> {
    if !chromium.exists() {
        return Some(format!("there is no {}", chromium.display()));
    }
    if !front.join("node_modules/playwright-core").exists() {
        return Some("`npm ci` was not run in apps/web/front".to_owned());
    }
    let node = Command::new("node").arg("--version").output();
    node.is_err().then(|| "there is no Node".to_owned())
}

#[test]
fn the_main_walks_work_in_a_browser() {
    let front = root().join("apps/web/front");
    let chromium = std::env::var_os("CHROMIUM")
        .map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    if let Some(why) = missing(&front, &chromium) {
        eprintln!("skipped: the walks in a browser: {why}");
        return;
    }
    let folder = Folder::new("browser");
    folder.file("Lift.mch", LIFT).file("Cube.mch", CUBE);
    folder.file("Door.mch", DOOR).file("House.mch", HOUSE);
    folder.file("Stones.mch", STONES);
    for example in [
        "Crossing.mch",
        "Crossing.json",
        "Crossing.svg",
        "Lamps.mch",
        "Tanks.mch",
        "Lamps.json",
        "Lamps.svg",
        "Shelf.mch",
        "Shelf.json",
    ] {
        let text = std::fs::read(root().join("examples/visb").join(example));
        folder.file(example, text.expect("an example"));
    }
    let mut command = Command::new("node");
    command
        .arg(front.join("tests/walks.mjs"))
        .arg(env!("CARGO_BIN_EXE_burnside"))
        .arg(folder.path("."))
        .env("CHROMIUM", &chromium);
    if let Some(shots) = std::env::var_os("BURNSIDE_SHOTS") {
        command.arg(root().join(shots));
    }
    let output = command.output().expect("node runs");
    let told = String::from_utf8_lossy(&output.stdout);
    let wrong = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}\n{wrong}");
    eprintln!("{told}");
}
