//! What is wrong with names.

base::codes! {
    UNKNOWN_NAME "M0201" Type
        "unknown name"
        "A name is known from its declaration to the end of the block that declares it: loop variables in their loop, \
         parameters of a ruleset in the ruleset, local variables in their rule, functions after their declaration. Names \
         are case-sensitive, keywords are not.\n\nFix: declare it before, or correct the spelling.";
    UNKNOWN_TYPE "M0202" Type
        "unknown type"
        "The marked name is no type that is declared before this place.";
    UNKNOWN_FIELD "M0203" Type
        "unknown field"
        "The record has no field of this name.";
    DUPLICATE "M0204" Type
        "name declared twice"
        "In one block a name is declared once; members of enumerations live in the block of their type. Inner blocks may \
         use the name again.\n\nFix: rename one of the two.";
    NOT_A_TYPE "M0205" Type
        "value where a type is needed"
        "A type stands after \":\" in declarations and in array [..]. A constant N is no type; 0..N is one.\n\n\
         Example: var x: N;\nFix:     var x: 0..N;";
    NOT_A_VALUE "M0206" Type
        "type where a value is needed"
        "The name of a type has no value of its own. To go through all its values use for, forall, exists or ruleset.\n\n\
         Example: c := Colour;\nFix:     c := Red;";
    NOT_A_ROUTINE "M0207" Type
        "no function or procedure"
        "Only functions and procedures are called. Elements of arrays are written with square brackets.\n\n\
         Example: x := a(1);\nFix:     x := a[1];";
    RESERVED_TYPE "M0208" Type
        "predefined name declared again"
        "boolean, true and false cannot be declared again.";
    NO_START "M0209" Type
        "no start state"
        "A program needs a startstate: without one it has no states at all.\n\nExample: startstate begin clear x; end;";
}
