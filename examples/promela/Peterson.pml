/* Peterson's algorithm for N processes: every pair of levels lets one fewer through.
 * Interchangeable: all N users, found by `burnside analyse`; N from 2 to 9.
 *   burnside check Peterson.pml -D N=4 --symmetry exact --spin-counts */
#ifndef N
#define N 3
#endif

#define PASSED(other) ((_pid == other) || (_pid != other && level[other] < k))

byte level[N + 1];	/* how far a process has come; level[0] is not used */
pid last[N];		/* who came last to a level */
byte inside;		/* how many are in the critical region */

proctype user()
{
	byte k;
	bool free;

	do
	:: k = 1;
	   do
	   :: k < N ->
		level[_pid] = k;
		last[k] = _pid;
wait:		atomic {
			free = PASSED(1) &&
#if N > 1
				PASSED(2) &&
#endif
#if N > 2
				PASSED(3) &&
#endif
#if N > 3
				PASSED(4) &&
#endif
#if N > 4
				PASSED(5) &&
#endif
#if N > 5
				PASSED(6) &&
#endif
#if N > 6
				PASSED(7) &&
#endif
#if N > 7
				PASSED(8) &&
#endif
#if N > 8
				PASSED(9) &&
#endif
				true;
			if
			:: free || last[k] != _pid
			:: else -> goto wait
			fi
		};
		k++
	   :: else -> break
	   od;
	   atomic { inside++; assert(inside == 1) };
	   inside--;
	   level[_pid] = 0
	od
}

init
{
	atomic {
		run user();
#if N > 1
		run user();
#endif
#if N > 2
		run user();
#endif
#if N > 3
		run user();
#endif
#if N > 4
		run user();
#endif
#if N > 5
		run user();
#endif
#if N > 6
		run user();
#endif
#if N > 7
		run user();
#endif
#if N > 8
		run user();
#endif
	}
}
