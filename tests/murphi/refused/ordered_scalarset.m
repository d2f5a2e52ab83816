/*@ exit: 151
 *@ error: M0304 at 6:6 */
type Node: scalarset(2);
var a: Node; b: Node;
startstate "none" undefine a; undefine b; end;
rule a < b ==> undefine a; end;
