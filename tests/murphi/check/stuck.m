/*@ check: invariant, deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ deadlock: stuck
 *@ states: 4  transitions: 5 */
-- The last state has two rules that may fire and lead back: one writes what it reads, one writes without reading.
var level: 0..3; mark: boolean;
startstate level := 0; mark := false; end;
rule "up" level < 3 ==> level := level + 1; end;
rule "stay" level = 3 ==> level := 3; end;
rule "mark" level = 3 ==> mark := false; end;
