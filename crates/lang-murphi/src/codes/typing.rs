//! What is wrong with types.

base::codes! {
    MISMATCH "M0301" Type
        "value of another type"
        "Types are equal by name; only integer ranges fit each other whatever their bounds. An enumeration, a scalarset, \
         a record or an array declared twice is two types.\n\nExample: type A: enum {X}; B: enum {Y}; var a: A; … a := Y;";
    NEEDS_BOOLEAN "M0302" Type
        "condition that is no boolean"
        "if, while, guards, properties, \"!\", \"->\" and quantifiers need a boolean. A number is none.\n\n\
         Example: if x then\nFix:     if x != 0 then";
    NEEDS_INTEGER "M0303" Type
        "operand that is no integer"
        "Arithmetic and \"<\" \"<=\" \">\" \">=\" work on integers. Members of an enumeration have no order and no sum.\n\n\
         Fix: use a range 0..N, or compare with \"=\" and \"!=\".";
    SCALARSET "M0304" Type
        "operation that breaks the symmetry of a scalarset"
        "The elements of a scalarset are interchangeable: they have no names, no order and no numbers, so that states that \
         differ by a permutation of them behave alike and only one of them is explored. Allowed are \"=\", \"!=\", use as \
         an index, assignment between variables of the type, and for, forall, exists and ruleset over all elements.\n\n\
         Fix: use a range 0..N if the order matters.";
    NOT_AN_ARRAY "M0305" Type
        "index on something that is no array"
        "Only arrays and multisets have elements.";
    NOT_A_RECORD "M0306" Type
        "field of something that is no record"
        "Only records have fields.";
    ARGUMENTS "M0307" Type
        "wrong number of arguments"
        "A function or procedure is called with one argument for each parameter.";
    VAR_ARGUMENT "M0308" Type
        "argument that does not fit a var parameter"
        "A var parameter is another name for the argument: that must be a variable, a field or an element that may be \
         written, of the same type; ranges must have the same bounds.";
    READ_ONLY "M0309" Type
        "assignment to something that cannot be written"
        "Constants, parameters without var, loop variables, parameters of rulesets and aliases of expressions cannot be \
         written.\n\nFix: assign to a local variable, or declare the parameter with var.";
    RETURN "M0310" Type
        "return that does not fit"
        "A function returns a value of its type; procedures, rules and start states return nothing.";
    NOT_CONSTANT "M0311" Type
        "constant needed"
        "Bounds of ranges, sizes of scalarsets and multisets and constants are known before the program runs.\n\n\
         Example: var x: 0..y;\nFix:     const N: 3; var x: 0..N;";
    EMPTY_RANGE "M0312" Type
        "range without values"
        "The lower bound of a range is at most the upper one; a scalarset and a multiset have at least one element.";
    INDEX_TYPE "M0313" Type
        "type that cannot be an index, a loop or a member"
        "Arrays are indexed by, loops go over, and unions are made of simple types: boolean, enumerations, ranges \
         (not in unions), scalarsets, unions.";
    NO_MULTISET "M0314" Type
        "multiset needed"
        "multisetadd, multisetremove, multisetremovepred, multisetcount and choose work on multisets; elements of a \
         multiset are named by the variable of choose, multisetcount or multisetremovepred.";
    NOT_A_DESIGNATOR "M0315" Type
        "variable needed"
        "isundefined, clear, undefine and multisets need a variable, a field or an element, not a computed value.";
    NOT_SIMPLE "M0316" Type
        "simple value needed"
        "isundefined and switch look at one simple value, not at a record, an array or a multiset.";
    NO_RESULT "M0317" Type
        "procedure used as a value"
        "A procedure has no result. A function is declared with a type: function f(): T;";
    SIDE_EFFECT "M0318" Type
        "condition that changes the state"
        "Guards and properties are looked at in any order and any number of times; a function that assigns to global \
         variables cannot be called there.\n\nFix: do the change in the body of a rule.";
    UNDEFINED_VALUE "M0319" Type
        "undefined in an expression"
        "undefined is no value to compute with. It is assigned (x := undefined) or asked for (isundefined(x)).";
    DIVISION "M0320" Type
        "constant without value"
        "The constant is a division by zero or does not fit 63 bits.";
}
