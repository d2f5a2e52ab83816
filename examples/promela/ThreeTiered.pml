/* Clients ask their server, servers ask one database.
 * Interchangeable: the clients of a server, and servers together with their clients: C!^S * S! permutations.
 *   burnside check ThreeTiered.pml -D S=2 -D C=3 --symmetry exact */
#ifndef S
#define S 2
#endif
#ifndef C
#define C 2
#endif

/* Servers and clients are numbered from 1; 0 is nobody. */
chan request[S + 1] = [1] of { byte };	/* to a server: who asks */
chan reply[S * C + 1] = [1] of { bit };	/* to a client */
chan query = [0] of { byte };		/* to the database: which server */
chan result[S + 1] = [0] of { bit };	/* to a server */
byte asked;				/* how many servers wait for the database */

proctype client(byte me; byte mine)
{
	do
	:: request[mine] ! me;
	   reply[me] ? 1
	od
}

proctype server(byte me)
{
	byte from;

	do
	:: request[me] ? from ->
		query ! me;
		result[me] ? 1;
		reply[from] ! 1;
		from = 0
	od
}

proctype database()
{
	byte from;

	do
	:: query ? from ->
		asked++;
		assert(asked == 1);
		result[from] ! 1;
		asked--;
		from = 0
	od
}

init
{
	byte s = 1, c;

	atomic {
		run database();
		do
		:: s <= S ->
			run server(s);
			c = 1;
			do
			:: c <= C ->
				run client((s - 1) * C + c, s);
				c++
			:: else -> break
			od;
			s++
		:: else -> break
		od
	}
}
