//! Warnings about models that are correct but probably not meant.

base::codes! {
    UNUSED_VARIABLE "B0601" Type
        "a variable is never read"
        "Nothing depends on the value of the variable: it occurs only where it is declared, typed and assigned. It makes states differ that are the same for everything else, so a check takes longer. Remove it, or read it in an operation, the invariant, an assertion or a setting such as GOAL. The typing conjuncts `v : S` and `v <: S` do not count as reading.";
    NEVER_ASSIGNED "B0602" Type
        "a variable never changes"
        "The initialisation gives the variable a value and no operation assigns it. It could be a constant, with its value in PROPERTIES; or an operation forgets to change it.";
    NOT_INITIALISED "B0603" Type
        "a variable is not initialised"
        "The INITIALISATION of a machine gives a value to every variable that the machine declares. Variables of included machines are initialised by those machines. Use `v :: S` when any element of S will do.";
    UNUSED_DEFINITION "B0604" Type
        "a definition is never used"
        "The name of the definition occurs neither in a clause nor in another definition. Definitions with a meaning of their own (GOAL, SET_PREF_…, ANIMATION_…, …) are not reported. Was the name misspelt where it should be used?";
    FALSE_GUARD "B0605" Type
        "an operation can never happen"
        "The precondition or guard of the operation is false whatever the state and the parameters are: for instance `1 = 2`, `x : {}`, `x = 1 & x = 2`. The operation is never offered, and everything behind the guard is dead.";
    SHADOWED "B0606" Type
        "a bound name hides a global one"
        "A quantifier, comprehension, ANY, LET, VAR or the header of an operation introduces a name that is also a variable, constant, set or element of the machine. Inside, the name means the inner one, and the outer one cannot be used. This is legal, but easy to misread: `set(x) = x := x` does not change the variable x. Rename the inner name.";
    PRECEDENCE "B0607" Type
        "operators group differently from how they look"
        "In classical B `&` and `or` have the same priority and group to the left: `P or Q & R` is `(P or Q) & R`. `<=>` binds tighter than `&`, `or` and `=>`: `P & Q <=> R` is `P & (Q <=> R)`. `=>` groups to the left: `P => Q => R` is `(P => Q) => R`. `\\/` and `/\\` have the same priority too, and `-` binds tighter than both. The help line shows how the formula is read. Add parentheses. No warning is given where line breaks show the same grouping.";
    RESULT_NOT_ASSIGNED "B0608" Type
        "a result is never assigned"
        "The header `r <-- op` promises a result, but the body never assigns r, so any value may come out.";
    UNKNOWN_PREFERENCE "B0609" Type
        "a setting is not known"
        "A definition `SET_PREF_X` sets the preference X, but there is no preference of that name, so the definition has no effect. Was the name misspelt?";
}
