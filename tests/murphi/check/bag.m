/*@ check: invariant, deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ states: 15  transitions: 44  orbits: 9 */
-- A multiset of a scalarset: messages without order, and who may send them.
type Node: scalarset(2); Kind: enum {ask, tell};
  Message: record from: Node; kind: Kind; end;
var net: multiset [2] of Message;
ruleset n: Node; k: Kind do
  rule "send" multisetcount(i: net, true) < 2 ==>
  var m: Message;
  begin m.from := n; m.kind := k; multisetadd(m, net); end;
end;
choose i: net do
  rule "take" true ==> multisetremove(i, net); end;
end;
startstate "empty" undefine net; end;
invariant "few" multisetcount(i: net, net[i].kind = ask) <= 2;
