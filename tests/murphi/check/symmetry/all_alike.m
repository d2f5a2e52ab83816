/*@ check: invariant, deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ states: 44  orbits: 13  partitions: 13 */
-- No rule can name an element of a scalarset, so partitions are orbits.
type Node: scalarset(3); Place: enum {away, asking, inside};
var at: array [Node] of Place; last: Node;
startstate "all away"
  for n: Node do at[n] := away; end;
end;
ruleset n: Node do
  rule "ask" at[n] = away ==> begin at[n] := asking; end;
  rule "enter" at[n] = asking & forall m: Node do at[m] != inside end ==>
  begin at[n] := inside; last := n; end;
  rule "leave" at[n] = inside ==> begin at[n] := away; end;
end;
invariant "one at a time" forall n: Node do forall m: Node do at[n] = inside & at[m] = inside -> n = m end end;
