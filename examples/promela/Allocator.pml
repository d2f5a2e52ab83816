/* One resource, two classes of clients: those of the first come before those of the second.
 * Interchangeable: the clients of a class with their mailboxes: A! * B! permutations.
 *   burnside check Allocator.pml -D A=3 -D B=3 --symmetry exact */
#ifndef A
#define A 2
#endif
#ifndef B
#define B 2
#endif

/* Clients are numbered from 1; 0 is nobody. */
chan urgent = [2] of { byte };
chan usual = [2] of { byte };
chan free = [0] of { byte };
chan grant[A + B + 1] = [0] of { bit };
byte owner;

proctype client(byte me; chan ask)
{
	do
	:: ask ! me;
	   grant[me] ? 1;
	   assert(owner == me);
	   free ! me
	od
}

proctype allocator()
{
	byte who;

	do
	:: if
	   :: urgent ? who
	   :: empty(urgent) -> usual ? who
	   fi;
	   owner = who;
	   grant[who] ! 1;
	   free ? eval(who);
	   atomic { owner = 0; who = 0 }
	od
}

init
{
	byte n = 1;

	atomic {
		run allocator();
		do
		:: n <= A -> run client(n, urgent); n++
		:: n > A && n <= A + B -> run client(n, usual); n++
		:: else -> break
		od
	}
}
