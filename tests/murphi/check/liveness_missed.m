/*@ check: invariant, assertions
 *@ exit: 13
 *@ verdict: violated
 *@ finding: ctl back
 *@ states: 4  transitions: 3 */
var level: 0..3;
startstate level := 0; end;
rule "up" level < 3 ==> level := level + 1; end;
liveness "top" level = 3;
liveness "back" level = 0;
