/*@ check: invariant, deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ states: 2  transitions: 2 */
-- A loop over numbers comes to its end however long it is: the limit of rounds is one of while.
type Wide: 0..1100000;
var x: 0..1; n: Wide;
startstate x := 0; n := 0; end;
rule "count" true ==>
begin
  n := 0;
  for i := 1 to 1000002 do n := i; end;
  x := 1 - x;
  n := n - 1000002;
end;
