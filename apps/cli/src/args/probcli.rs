//! The options of `probcli`, which have a form of their own: `probcli.rs` reads them.

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside probcli M.mch -model_check
  burnside probcli M.mch -mc 100000 -nodead -p MAX_OPERATIONS 1000
  burnside probcli M.mch -model_check -bf -card PID 4 -p SYMMETRY_MODE hash
  burnside probcli M.mch -model_check -goal \"card(active)=2\" -nodead
  burnside probcli M.mch -init -eval \"card(active)\"
  burnside probcli M.mch -model_check -coverage -spdot out.dot
  burnside probcli M.mch -animate 20
  burnside probcli M.mch -trace_replay json session.prob2trace

Options:
  -model_check, -mc N (at most N states), -nodead, -noinv, -noass, -goal PRED
  -bf, -df, -mc_mode bf|df|mixed, -global_time_out MS
  -card SET N, -p MAXINT|MININT|DEFAULT_SETSIZE N
  -p SYMMETRY_MODE off|flood|hash|nauty, -p POR off|ample_sets
  -ltlformula F, -ctlformula F, -ltlassertions, -ltlfile FILE
  -init, -eval FORMULA, -animate N, -spdot FILE, -c, -coverage, -trace_replay json FILE
  -strict (a goal that is found is an error too)
Options without an effect here are taken with a note; others are refused by name.

The lines are those of ProB, the exit codes those of check: a counterexample is never exit 0.";
