/* Philosophers at a round table, N of them, with one fork between each two. A philosopher who holds the left fork and does not get the
 * right one may put it back, so there is no deadlock. About 4^N states.
 *   burnside check Philosophers.pml -D N=12 --symmetry off --por off */
#ifndef N
#define N 6
#endif

bool taken[N];
byte eating[N];

proctype philosopher(byte left; byte right)
{
	do
	:: skip; /* hungry */
	   do
	   :: atomic { !taken[left] -> taken[left] = true };
	      if
	      :: atomic { !taken[right] -> taken[right] = true; eating[left] = 1 };
	         assert(!eating[right]);
	         atomic { eating[left] = 0; taken[left] = false; taken[right] = false };
	         break
	      :: taken[left] = false
	      fi
	   od
	od
}

init
{
	byte n;

	atomic {
		do
		:: n < N -> run philosopher(n, (n + 1) % N); n++
		:: else -> break
		od
	}
}
