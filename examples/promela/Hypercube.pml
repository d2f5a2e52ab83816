/* A token walks along the edges of a cube with D dimensions (2 to 4) and switches the lamps of its corners.
 * Interchangeable: corners as far as neighbours stay neighbours, D! * 2^D permutations.
 *   burnside check Hypercube.pml -D D=3 --symmetry exact */
#ifndef D
#define D 3
#endif
#if D == 2
#define CORNERS 4
#elif D == 3
#define CORNERS 8
#else
#define CORNERS 16
#endif

byte at;		/* where the token is */
bit lamp[CORNERS];

active [CORNERS] proctype corner()
{
	do
	:: atomic { at == _pid -> lamp[_pid] = 1 - lamp[_pid] };
	   atomic {
		if
		:: at = (_pid ^ 1)
		:: at = (_pid ^ 2)
#if D > 2
		:: at = (_pid ^ 4)
#endif
#if D > 3
		:: at = (_pid ^ 8)
#endif
		fi
	   }
	od
}
