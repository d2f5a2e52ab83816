//! What is reported about types.

base::codes! {
    MISMATCH "B0501" Type
        "two types do not fit"
        "Both sides of `=`, the elements of a set, a function and its argument, … must have types that fit. The message shows the two types, the smallest expression that does not fit, and where each type comes from. Sets are types: elements of different sets are never equal, and `x : S` gives x the element type of S.";
    NO_TYPE "B0502" Type
        "the type of a name cannot be inferred"
        "Every constant must get a type from PROPERTIES, every variable from INVARIANT, every parameter from CONSTRAINTS or the operation's body, every bound name from the formula around it. Add a conjunct such as `x : S`.";
    AMBIGUOUS "B0503" Type
        "an operator has several meanings here"
        "`-` is a difference of numbers or of sets, `*` a product of numbers or of sets. Nothing says which one is meant. Add a conjunct that gives one of the operands a type.";
    INFINITE "B0504" Type
        "a type would contain itself"
        "For instance `x : x` would need a set that is its own element's type. B's types are finite.";
    NO_FIELD "B0505" Type
        "a record has no such field"
        "`E'f` needs a record type with a field f. Records with different field names have different types.";
    NOT_A_FUNCTION "B0506" Type
        "something that is not a function is applied"
        "`f(x)` needs a relation between the type of x and something else: f : S +-> T.";
    WRONG_SORT "B0507" Syntax
        "a predicate stands where an expression is needed, or the other way round"
        "Predicates (`x = 1`) are true or false but are no values; expressions (`x`, `TRUE`) have values but are neither true nor false. `bool(P)` turns a predicate into a value, `E = TRUE` turns a boolean value into a predicate.";
    FORALL_BODY "B0508" Type
        "the body of a universal quantifier is not an implication"
        "`!x.(P => Q)`: P gives x its type and range, Q is what holds for all of them.";
    DUPLICATE_FIELD "B0509" Type
        "a record has a field twice"
        "The fields of `rec` and `struct` must have different names.";
    OPEN_TYPE "B0510" Type
        "the type of an expression is arbitrary"
        "For instance `{} = {}`: nothing says what the elements would be, so any type fits. Compare with a name of known type instead.";
}
