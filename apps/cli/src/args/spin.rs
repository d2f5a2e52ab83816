//! The options of `spin`, which have a form of their own: `spin.rs` reads them.

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside spin -run M.pml                     assertions and invalid end states, or the claim of the file
  burnside spin -run -a -f -ltl live M.pml     a formula, with weak fairness
  burnside spin -run -l M.pml                  non-progress cycles
  burnside spin -DN=4 -run -E -c0 M.pml        macros; without end states, all errors
  burnside spin -t -p -g -l M.pml              the path that -run wrote, statement by statement
  burnside spin -c -t M.pml                    the same as a chart of messages
  burnside spin -p -u20 -n7 M.pml              a random walk of 20 steps from seed 7

Options:
  -run, -search                check; options for pan follow
  -a (acceptance cycles or the claim), -l, -np (non-progress), -f (weak fairness)
  -N NAME, -ltl NAME (which claim), -noclaim, -safety
  -A (no assertions), -E (no end states), -q (end states need empty channels)
  -cN (stop at error N; -c0: never), -e (all errors), -bfs, -dfs, -n (no list of unreached statements)
  -t (follow the path that -run wrote), without -run and -t: a random walk
  -p -g -l -s -r (statements, globals, locals, sends, receives), -c (chart), -uN (steps), -nN (seed)
  -DNAME[=VALUE], -UNAME, -IDIR (preprocessor), -m (full channels lose), -J (inner escapes first)
  -o1 -o2 -o3 (all three: no optimisation, the numbers of check)
Options without an effect here are taken with a note; others are refused by name.

The lines are those of SPIN, the exit codes those of check: an error is never exit 0.";
