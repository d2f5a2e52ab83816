/*@ check: invariant, deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ states: 3  transitions: 5
 *@ goal: level = 3
 *@ reached: no */
-- States beyond the assumption do not exist; a rule that leads there may fire, so that nothing is a deadlock.
var level: 0..3;
ruleset first: 0..1 do startstate "at" level := first; end; end;
rule "up" level < 3 ==> level := level + 1; end;
rule "down" level > 0 ==> level := level - 1; end;
assume "low" level < 3;
