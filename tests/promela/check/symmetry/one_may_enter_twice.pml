/*@ check: invariant, deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ states: 9  orbits: 5  partitions: 4
 *@ ltl: G {inside <= 2} gives holds */
// Users of a lock are alike but for one, which may enter beside another user.
byte inside;
active [4] proctype user() {
	do
	:: atomic { inside == 0 -> inside++ };
	   atomic { assert(inside <= 2); inside-- }
	:: atomic { _pid == 2 && inside == 1 -> inside++ };
	   inside--
	od
}
