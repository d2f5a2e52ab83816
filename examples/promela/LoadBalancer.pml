/* A balancer gives requests of clients to servers that have little to do.
 * Interchangeable: the clients, and the servers with their queues: C! * S! permutations.
 *   burnside check LoadBalancer.pml -D S=3 -D C=4 --symmetry exact */
#ifndef S
#define S 2
#endif
#ifndef C
#define C 3
#endif
#define MOST 2

#define GIVE(s) load[s] < MOST -> load[s]++; work[s] ! from; from = 0

/* Servers and clients are numbered from 1; 0 is nobody. */
chan incoming = [1] of { byte };
chan work[S + 1] = [MOST] of { byte };
chan done[C + 1] = [0] of { bit };
byte load[S + 1];

proctype client(byte me)
{
	do
	:: incoming ! me;
	   done[me] ? 1
	od
}

proctype balancer()
{
	byte from;

	do
	:: incoming ? from ->
		if
		:: GIVE(1)
#if S > 1
		:: GIVE(2)
#endif
#if S > 2
		:: GIVE(3)
#endif
#if S > 3
		:: GIVE(4)
#endif
		fi
	od
}

proctype server(byte me)
{
	byte from;

	do
	:: work[me] ? from ->
		assert(load[me] > 0 && load[me] <= MOST);
		done[from] ! 1;
		atomic { load[me]--; from = 0 }
	od
}

init
{
	byte n = 1;

	atomic {
		run balancer();
		do
		:: n <= S -> run server(n); n++
		:: else -> break
		od;
		n = 1;
		do
		:: n <= C -> run client(n); n++
		:: else -> break
		od
	}
}
