/*@ check: invariant, deadlock, assertions
 *@ exit: 12
 *@ verdict: violated
 *@ finding: assertion */
// Only the process that the text names can be in the way of another one: the path names it, whichever representative was looked at.
byte inside;
active [4] proctype user() {
	do
	:: atomic { inside == 0 -> inside++ };
	   assert(inside == 1);
	   inside--
	:: atomic { _pid == 1 && inside == 1 -> inside++ };
	   inside--
	od
}
