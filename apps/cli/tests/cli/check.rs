//! `burnside check`: verdicts, exit codes, the report, and what happens to runs that do not end by themselves.

mod durability;
mod options;
mod report;

/// A lift that never leaves its floors.
pub(crate) const LIFT: &str = "\
MACHINE Lift
VARIABLES floor
INVARIANT floor : 0..9
INITIALISATION floor := 0
OPERATIONS
  up = SELECT floor < 9 THEN floor := floor + 1 END;
  down = SELECT floor > 0 THEN floor := floor - 1 END
END
";

/// Four counters: 40^4 states, more than a second of work and less than a minute.
pub(crate) const LARGE: &str = "\
MACHINE Large
VARIABLES a, b, c, d
INVARIANT a : 0..39 & b : 0..39 & c : 0..39 & d : 0..39
INITIALISATION a := 0 || b := 0 || c := 0 || d := 0
OPERATIONS
  tick_a = a := (a + 1) mod 40;
  tick_b = b := (b + 1) mod 40;
  tick_c = c := (c + 1) mod 40;
  tick_d = d := (d + 1) mod 40
END
";

/// States of [`LARGE`].
pub(crate) const LARGE_STATES: u64 = 40 * 40 * 40 * 40;

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
