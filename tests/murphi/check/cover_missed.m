/*@ check: invariant, assertions
 *@ exit: 12
 *@ verdict: violated
 *@ finding: cover top
 *@ states: 4  transitions: 4 */
var level: 0..3; high: boolean;
startstate level := 0; high := false; end;
rule "up" level < 3 ==> level := level + 1; end;
rule "down" level = 3 ==> level := 0; end;
cover "some" level = 2;
cover "top" high;
