/*@ check: invariant, deadlock, assertions
 *@ exit: 75
 *@ verdict: violated
 *@ finding: fault
 *@ steps: 3 */
var level: 0..3;
startstate level := 0; end;
rule "up" true ==> level := level + 1; end;
