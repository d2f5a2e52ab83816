/*@ check: invariant, deadlock, assertions
 *@ exit: 12
 *@ verdict: violated
 *@ finding: invariant one
 *@ steps: 2
 *@ states: 8  transitions: 24  orbits: 4 */
type Client: scalarset(3);
var served: array [Client] of boolean;
ruleset c: Client do
  rule "serve" !served[c] ==> served[c] := true; end;
  rule "go" served[c] ==> served[c] := false; end;
end;
startstate "none" for c: Client do served[c] := false; end; end;
invariant "one" forall c: Client do forall d: Client do served[c] & served[d] -> c = d end end;
