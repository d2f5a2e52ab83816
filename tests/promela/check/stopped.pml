/*@ check: deadlock, assertions
 *@ exit: 11
 *@ verdict: violated
 *@ finding: deadlock */
chan c = [0] of { byte };
active proctype sender() { c ! 1; c ! 2 }
active proctype receiver() { c ? 1 }
