//! The options of a verifier that CMurphi generates, which have a form of their own: `murphi.rs` reads them.

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside murphi msi.m -tv -ndl              breadth-first, a trace if something is wrong, deadlocks are none
  burnside murphi msi.m -vdfs -m500 -nosym    depth-first, at most 500 Mb, every state
  burnside murphi msi.m -pr                   how often each rule fired

Options:
  -h                      this text
  -v, -vbfs, -vdfs        breadth-first or depth-first
  -ndl                    deadlocks are no errors
  -m<n>, -k<n>            at most n Mb or Kb for states
  -loop<n>                at most n rounds of a loop (1000)
  -nosym, -sym<n>         symmetry off; one state for each orbit (1, 2: the default), sorted states (3, 4)
  -permlimit<n>           sorted states, with at most n permutations compared; 0 is one state for each orbit
  -tv, -td, -tf, -tn      a trace: with what changed, with whole states, none
  -pr, -p, -p<n>, -pn     rules and how often they fired; progress is not shown
  -c                      states as fingerprints: smaller, and never \"No error found\"
Options without an effect here are taken with a note; others are refused by name. A value may stand behind
its option or beside it.

The lines are those of CMurphi, the exit codes those of check: an error is never exit 0.";
