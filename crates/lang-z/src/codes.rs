//! The diagnostic codes of Z with their long explanations.
//!
//! `Z01…` notation, `Z02…` declarations, `Z03…` types, `Z04…` what cannot be run.

base::codes! {
    /// The file system is at fault.
    UNREADABLE "Z0001" Usage "a file cannot be read"
"The file is not there, or may not be read.";
    /// Something else was expected.
    UNEXPECTED "Z0101" Syntax "something else was expected here"
"The text cannot be read at this place: a bracket, an operand or a keyword is missing, or stands where it cannot.

    n' = n +            a right operand is missing
    { 1, 2              the brace is never closed
    \\IF p \\THEN 1       a conditional needs `\\ELSE`

A line break (`\\\\`) ends a predicate unless the line obviously goes on: it is ignored before and after infix
operators, after opening and before closing brackets.";
    /// A box is never closed.
    UNCLOSED "Z0102" Syntax "a box is never closed"
"An environment such as `\\begin{schema}` needs its `\\end{schema}` before the next one begins; in Unicode markup a
paragraph ends with a line that starts with `└`.";
    /// An expression where a predicate belongs, or the other way round.
    SORT "Z0103" Syntax "an expression stands for a predicate, or a predicate for an expression"
"Predicates and expressions are different: `(n = 1) + 1` adds a predicate to a number, and `n + 1` alone says nothing
that could be true or false.

Only a schema may stand for both: as a predicate it says that its components satisfy it.";
    /// A directive that cannot be read.
    DIRECTIVE "Z0104" Syntax "a directive cannot be read"
"Directives are comments that begin with `%%` at the start of a line:

    %%inop \\op 4        an infix function of level 1 (weakest) to 6
    %%inrel \\op         an infix relation
    %%prerel \\op        a prefix relation
    %%ingen \\op         an infix generic symbol
    %%pregen \\op        a prefix generic symbol
    %%postop \\op        a postfix function
    %%ignore \\cmd       a command that is only layout
    %%unchecked         the next box is not looked at";
    /// Nested too deeply.
    TOO_DEEP "Z0105" Unsupported "a term is nested too deeply"
"Terms may be nested 2,000 levels deep. Name a part of the term and use the name.";
    /// A template of a form that is not read.
    TEMPLATE "Z0106" Unsupported "an operator template has a form that is not supported"
"Templates declare operators of one word, before, between or after their operands:

    \\function 30 \\leftassoc (\\_ \\op \\_)
    \\relation (\\op \\_)
    \\generic 5 \\rightassoc (\\_ \\op \\_)

Operators of several words (`\\_ a \\_ b \\_`) and lists of operands (`,,`) are not supported.";
    /// A box of the e-mail markup that cannot be told from a drawing.
    EMAIL "Z0107" Syntax "a box of the e-mail markup is not clear"
"In the e-mail markup of the standard every line of a box begins with `|`. A line that does not may be prose behind a box
that was never closed, so it is refused:

    +-- Count ---
    | n : %N
    |--
    | n <= 3
    ---";
    /// A name is not declared.
    UNDECLARED "Z0201" Type "a name is not declared"
"Every name must be declared: by a given set, a free type, an abbreviation, an axiomatic or generic box, a schema that
is included, a quantifier, or the toolkit. A primed name needs the primed schema: include `\\Delta S` or `S'`.

The order of paragraphs does not matter.";
    /// A name is declared twice.
    REDECLARED "Z0202" Type "a name is declared twice"
"A global name is declared once. A component of a schema may be declared several times (by inclusion) if its types
agree.";
    /// A schema was expected.
    NOT_A_SCHEMA "Z0203" Type "this is not a schema"
"Inclusion, schema operators and `\\theta` need a schema: a name defined by a schema box, by `\\defs`, or a schema text
in brackets.";
    /// Not a component.
    NO_COMPONENT "Z0204" Type "there is no such component"
"A component that is selected (`b.x`), hidden or renamed must belong to the schema.";
    /// Wrong number of generic parameters.
    PARAMETERS "Z0205" Type "the number of parameters is wrong"
"A generic schema is used with as many sets as it has parameters: `Pool[NAME]`. Generic constants may be used without:
their parameters are found from the types around them.";
    /// A definition that refers to itself.
    CYCLE "Z0206" Type "a definition refers to itself"
"The type of a name cannot depend on the name itself. Free types may be recursive, and so may the predicate of an
axiomatic box; abbreviations and the declaration parts of schemas may not.";
    /// A parent section that is not there.
    PARENT "Z0207" Unsupported "a parent section is not known"
"A section may have the sections of the mathematical toolkit as parents, or sections in files of the same name beside
the file. Other parents are not known, so names of the section cannot be checked.";
    /// Types differ.
    TYPE "Z0301" Type "types do not agree"
"Both sides of an equation, an element and its set, and the argument of a function and its domain must have fitting
types. Types are: given sets, free types, numbers, sets of a type, tuples of types, and bindings with named
components. `\\nat` is a set of numbers, not a type: `x : \\nat` has type `\\num`.";
    /// Not a set.
    NOT_A_SET "Z0302" Type "this is not a set"
"What stands after `:`, `\\in` or `\\power` and between `\\cross` or arrows must be a set.";
    /// Not a function.
    NOT_A_FUNCTION "Z0303" Type "this cannot be applied"
"Only a set of pairs can be applied to an argument: `f~x` or `f(x)`. Application groups to the left, so `f~g~x` is
`(f~g)~x`; write `f~(g~x)`.";
    /// Generic parameters that nothing determines.
    AMBIGUOUS "Z0304" Type "a generic parameter is not determined"
"The types around a generic constant do not say what its parameters are: in `\\# \\emptyset` nothing tells of what the
set is empty. Give the parameters: `\\emptyset[NAME]`.";
    /// Not a tuple or binding.
    NOT_A_BINDING "Z0305" Type "this has no components"
"`b.x` needs a binding (a value of a schema type) with a component `x`; `t.1` needs a tuple.";
    /// Cannot be run.
    UNSUPPORTED "Z0401" Unsupported "this cannot be run"
"The specification is well-formed, but this construct cannot be evaluated here. `docs/warts.md` lists such constructs.";
    /// No initialisation.
    NO_INIT "Z0402" Unsupported "there is no initialisation"
"A specification is run from the schema `Init`, or one whose name contains \"init\". Name another one with
`--init NAME`.";
    /// No state.
    NO_STATE "Z0403" Unsupported "the state is not clear"
"The initialisation must include exactly one schema, plain (`State`) or primed (`State'`): its components are the
variables. Name the state with `--state NAME`.";
    /// An operation that was asked for is none.
    NO_OPERATION "Z0404" Unsupported "this is no operation"
"`--operation NAME` needs a schema with at least one state variable both plain and primed, and none in only one form.";
    /// Several initialisations.
    SEVERAL_INITS "Z0405" Unsupported "several schemas look like the initialisation"
"No schema is called `Init`, and several names contain \"init\": the first in the order of the text is taken. Name the
right one with `--init NAME`.";
    /// A size or preference that makes no sense.
    BAD_SCOPE "Z0406" Usage "a size or preference does not fit"
"`--card SET=N` chooses the size of a given set; `--pref NAME=VALUE` sets an integer.";
}
