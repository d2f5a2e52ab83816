/*@ check: invariant, deadlock, assertions
 *@ exit: 11
 *@ verdict: violated
 *@ finding: deadlock
 *@ steps: 0
 *@ states: 1  transitions: 0 */
-- Guards that never are true leave no instance at all to some engines: the first state is a deadlock nevertheless.
var x: boolean;
startstate x := true; end;
ruleset b: boolean do
  rule "never" forall i: 1..3 do i < 2 end ==> x := b; end;
end;
