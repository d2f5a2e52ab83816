/*@ exit: 152
 *@ error: M0401 at 3:8 */
var x: real(3, 2);
startstate undefine x; end;
