//! What is reported about DEFINITIONS.

base::codes! {
    DUPLICATE "B0301" Syntax
        "a definition is given twice"
        "Each name may be defined once, counting the definition files that are drawn in. Two files that define the same name cannot be used together; the same file may be drawn in several times.";
    RECURSIVE "B0302" Syntax
        "a definition uses itself"
        "Definitions are replaced by their bodies before anything else happens, so a definition that uses itself, directly or through others, never ends. Use a constant with a recursive equation instead: `f = %x.(…)` under ABSTRACT_CONSTANTS.";
    ARITY "B0303" Syntax
        "a definition is used with the wrong number of arguments"
        "`D(p,q) == …` is used as `D(a,b)`. A pair counts as one argument: write `D((a,b))` to give a pair to a definition with one parameter.";
    WRONG_SORT "B0304" Syntax
        "a definition is used where something else is needed"
        "A definition stands for an expression, a predicate, a substitution or a list of names. It can only be used where its body could stand.";
    TOO_LARGE "B0305" Unsupported
        "definitions expand to too much text"
        "Definitions that use other definitions several times can grow without bound. The machine with its definitions replaced may have a million nodes. Replace inner definitions by constants.";
    CAPTURE "B0306" Syntax
        "a definition captures a name of its argument"
        "The body of the definition binds a name (by a quantifier, a comprehension, ANY, …) that also occurs in the actual argument: after replacement the argument's name means the inner one. Rename one of the two.";
    UNKNOWN_EXTERNAL "B0307" Unsupported
        "an external function is not known"
        "A definition declares `EXTERNAL_FUNCTION_F`, `EXTERNAL_PREDICATE_F` or `EXTERNAL_SUBSTITUTION_F`, but Burnside has no implementation of F. `docs/library.md` lists those it has. The model can be read and typed, but an evaluation that reaches F stops.";
}
