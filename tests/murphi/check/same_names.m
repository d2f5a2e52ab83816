/*@ check: invariant, deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ states: 3  transitions: 9 */
-- Two rules with one name that lead to one state fire twice: rules are told apart by their places.
var x: 0..2;
startstate x := 0; end;
rule "up" true ==> x := (x + 1) % 3; end;
rule "up" true ==> x := (x + 1) % 3; end;
rule "down" true ==> x := (x + 2) % 3; end;
