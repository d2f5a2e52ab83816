/*@ check: invariant, deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ states: 6  transitions: 12 */
-- "? :" between records and arrays: as the right side of assignments, as arguments, compared, and of results.
type Row: array [0..1] of boolean;
     Cell: record at: 0..2; row: Row; end;
var a: Cell; b: Cell; left: boolean;
function turned(c: Cell): Cell;
var d: Cell;
begin
  d := c; d.at := (c.at + 1) % 3;
  return d;
end;
startstate begin
  a.at := 0; b.at := 0; left := true;
  for i: 0..1 do a.row[i] := false; b.row[i] := i = 1; end;
end;
rule "turn" true ==> begin a := (left ? turned(a) : turned(left ? b : a)); end;
rule "swap" true ==> begin
  left := !left;
  b.row := (left ? b.row : b.row);
end;
invariant "apart" (left ? a : b) != (left ? b : a);
