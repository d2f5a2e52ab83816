//! `burnside check`: verdicts, exit codes, the report, and what happens to runs that do not end by themselves.

mod durability;
mod followed;
mod hidden;
mod many;
mod options;
mod partial;
mod perturbed;
mod processes;
mod programs;
mod quantified;
mod report;
mod symmetry;
mod tilted;
mod trials;

/// A lift that never leaves its floors.
pub(crate) const LIFT: &str = "\
MACHINE Lift
VARIABLES level
INVARIANT level : 0..9
INITIALISATION level := 0
OPERATIONS
  up = SELECT level < 9 THEN level := level + 1 END;
  down = SELECT level > 0 THEN level := level - 1 END
END
";

/// Four counters: 30^4 states, about a second of work.
pub(crate) const LARGE: &str = "\
MACHINE Large
VARIABLES a, b, c, d
INVARIANT a : 0..29 & b : 0..29 & c : 0..29 & d : 0..29
INITIALISATION a := 0 || b := 0 || c := 0 || d := 0
OPERATIONS
  tick_a = a := (a + 1) mod 30;
  tick_b = b := (b + 1) mod 30;
  tick_c = c := (c + 1) mod 30;
  tick_d = d := (d + 1) mod 30
END
";

/// States of [`LARGE`].
pub(crate) const LARGE_STATES: u64 = 30 * 30 * 30 * 30;

/// A machine that counts for ever.
pub(crate) const ENDLESS: &str = "\
MACHINE Endless
VARIABLES n
INVARIANT n : NATURAL
INITIALISATION n := 0
OPERATIONS up = n := n + 1
END
";

/// A machine of two lines about `n`, which starts at 0.
pub(crate) fn machine(invariant: &str, operations: &str) -> String {
    format!(
        "MACHINE Small VARIABLES n INVARIANT {invariant} INITIALISATION n := 0\nOPERATIONS {operations} END\n"
    )
}
