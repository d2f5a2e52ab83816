//! Warnings: correct programs that probably do not mean what they say.

base::codes! {
    ORDER "M0501" Type
        "loop over a scalarset that depends on the order"
        "The elements of a scalarset are interchangeable, so a loop over them must have the same effect in any order. A loop \
         that leaves by return, or assigns the loop's variable to something outside, keeps the first or last element: \
         permuted states then behave differently, and symmetry reduction may miss states.\n\n\
         Fix: use exists, a ruleset with the condition in the guard, or a range instead of the scalarset.";
    UNREACHED_CASE "M0502" Type
        "case given twice"
        "The first matching case is taken; this one repeats a constant of an earlier one and is never reached for it.";
}
