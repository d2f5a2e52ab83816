//! What is reported about names.

base::codes! {
    UNKNOWN_NAME "B0401" Type
        "a name is not known"
        "The name is neither declared in this machine nor made visible by SEES, USES, INCLUDES, EXTENDS, IMPORTS or REFINES, nor bound around this place. The help line names the nearest known name, or the clause that would make the name visible.";
    NOT_VISIBLE "B0402" Type
        "a name may not be used in this clause"
        "The name exists, but this clause does not see it: PROPERTIES sees sets and constants only, CONSTRAINTS sees the machine's parameters only, the operations of a refinement do not see abstract variables.";
    DUPLICATE "B0403" Type
        "a name is declared twice"
        "Sets, elements, constants, variables, parameters and what other machines make visible share one name space. Rename one of them, or include the machine with a prefix (`i.M`).";
    UNKNOWN_OPERATION "B0404" Type
        "an operation is not known"
        "The operation is neither local nor an operation of a machine that is included, extended, imported or seen. Operations of a machine included with a prefix are called `i.op`.";
    LOCAL_CALL "B0405" Type
        "an operation calls an operation of the same machine"
        "In classical B the operations of one machine are unrelated: what several operations share belongs into a definition, into LOCAL_OPERATIONS, or into an included machine. `SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE` under DEFINITIONS allows such calls.";
    OPERATION_AS_VALUE "B0406" Type
        "an operation is used as a value"
        "An operation is called as a substitution, `r <-- op(x)`. `SET_PREF_ALLOW_OPERATION_CALLS_IN_EXPRESSIONS == TRUE` under DEFINITIONS allows calls of operations that have a result and change nothing inside expressions.";
    ARGUMENT_COUNT "B0407" Type
        "an operation is called with the wrong number of arguments or results"
        "A call gives a value to every parameter and a target to every result: `r1, r2 <-- op(a, b)`.";
    NOT_ASSIGNABLE "B0408" Type
        "a name cannot be assigned"
        "Only variables of this machine, results of the operation and variables of VAR can be assigned. Variables of an included machine are changed by calling its operations; parameters, constants and names introduced by ANY, LET or a quantifier never change.";
    ASSIGNED_TWICE "B0409" Type
        "a variable is assigned twice at once"
        "The parts of `S || T`, and the targets of `x, y := E, F`, must change different variables. To change a function at two points write `f := f <+ {a|->E, b|->F}`, or use `;` where the language allows it.";
    TARGET_COUNT "B0410" Type
        "an assignment has different numbers of targets and values"
        "`x, y := E, F` needs one value for each target.";
    NEW_OPERATION "B0411" Type
        "a refinement adds an operation"
        "A refinement or implementation offers exactly the operations of the machine it refines. `SET_PREF_ALLOW_NEW_OPERATIONS_IN_REFINEMENT == TRUE` under DEFINITIONS allows new ones.";
    PROMOTED_UNKNOWN "B0412" Type
        "a promoted operation does not exist"
        "PROMOTES re-exports operations of included or imported machines.";
    LET_EQUATION "B0413" Type
        "a LET is not a list of equations"
        "`LET x, y BE x = E & y = F IN … END` gives each name exactly one equation, with the name alone on the left.";
    LET_DEPENDS "B0414" Type
        "a LET value uses a name of the same LET"
        "The values of a LET are computed before its names exist. Nest two LETs, or set `SET_PREF_ALLOW_COMPLEX_LETS == TRUE` under DEFINITIONS.";
    BOUND_TWICE "B0415" Type
        "a name is bound twice in one list"
        "The names of one quantifier, comprehension, substitution or header must be different.";
    BEFORE_MISPLACED "B0416" Type
        "x$0 has no meaning here"
        "`x$0` is the value of x before a substitution `x : (P)` (inside P), or before a loop (inside its INVARIANT).";
    VALUE_TARGET "B0417" Type
        "VALUES gives a value to something else than a constant or deferred set"
        "VALUES lists concrete constants and deferred sets of the implementation and the machines it refines.";
    PARAMETERS_DIFFER "B0418" Type
        "a refinement changes the parameters of an operation"
        "An operation keeps its parameters and results through all refinements.";
    SEEN_ASSIGNED "B0419" Type
        "a seen variable cannot be used in the INVARIANT"
        "SEES gives read access to variables in operations, not in the invariant: the seen machine may change them at any time. USES or INCLUDES would allow it.";
}
