/*@ check: invariant, deadlock
 *@ exit: 0
 *@ verdict: holds
 *@ states: 5  orbits: 4  partitions: 3 */
// A token is at the first process at the start and goes anywhere afterwards; the last one may lose it and find it again.
byte holder; bool lost;
active [4] proctype user() {
	byte other;
	do
	:: atomic { holder == _pid && !lost -> select(other : 0 .. 3); holder = other; other = 0 }
	:: atomic { _pid == 3 && holder == _pid -> lost = !lost }
	od
}
