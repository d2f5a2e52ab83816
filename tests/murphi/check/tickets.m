/*@ check: invariant, deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ states: 93  transitions: 171  orbits: 21
 *@ ltl: G ({exists c: Client do at[c] = waits end} => F {exists c: Client do at[c] = served end}) gives holds
 *@ ltl: F G {exists c: Client do at[c] = served end} gives violated
 *@ ctl: AG EF {forall c: Client do at[c] = away end} gives holds
 *@ ctl: EF {forall c: Client do at[c] = served end} gives violated
 *@ eval: forall c: Client do at[c] = away end gives true
 *@ eval: next gives 0 */
-- Clients draw tickets and are served in turn; a scalarset, an array indexed by it, a range.
const
  Clients: 3;
type
  Client: scalarset(Clients);
  Mode: enum {away, waits, served};
  Ticket: 0..Clients - 1;
var
  at: array [Client] of Mode;
  drawn: array [Client] of Ticket;
  next: Ticket;
  open: Ticket;
  here: 0..Clients;

ruleset c: Client do
  rule "draw" at[c] = away ==>
  begin
    drawn[c] := open;
    open := (open + 1) % Clients;
    here := here + 1;
    at[c] := waits;
  end;

  rule "serve" at[c] = waits & drawn[c] = next ==>
  begin
    assert "nobody else" forall d: Client do at[d] = served -> d = c end;
    at[c] := served;
  end;

  rule "go" at[c] = served ==>
  begin
    undefine drawn[c];
    at[c] := away;
    here := here - 1;
    next := (next + 1) % Clients;
  end;
end;

startstate "nobody"
begin
  for c: Client do at[c] := away; undefine drawn[c]; end;
  next := 0; open := 0; here := 0;
end;

invariant "one is served"
  forall c: Client do forall d: Client do at[c] = served & at[d] = served -> c = d end end;
invariant "who waits has drawn"
  forall c: Client do (at[c] = away) = isundefined(drawn[c]) end;
cover "all wait" forall c: Client do at[c] = waits end;
liveness "nobody is left" here = 0;
