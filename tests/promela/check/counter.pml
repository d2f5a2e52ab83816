/*@ check: deadlock, assertions
 *@ exit: 0
 *@ verdict: holds
 *@ ltl: G {n <= 3} gives holds
 *@ ltl: G {n < 3} gives violated
 *@ ctl: AG EF {n == 0} gives holds
 *@ eval: n + 1 gives 1 */
byte n;
active proctype counter() {
end:
	do
	:: n < 3 -> n++
	:: n > 0 -> n--
	od
}
