//! What the lexer and the parser report.

base::codes! {
    UNEXPECTED "B0101" Syntax
        "unexpected text"
        "The text cannot go on like this. The message names what was found and what would fit there.\n\n\
         Usual causes: an operator, a separator (\";\", \"||\", \",\", \"&\") or a keyword is missing just \
         before the marked place.\n\nExample: x : NAT y : NAT\nFix:     x : NAT & y : NAT";
    UNTERMINATED_COMMENT "B0102" Syntax
        "comment without end"
        "A comment opened by \"/*\" runs to the next \"*/\"; comments do not nest. The marked \"/*\" has no \
         \"*/\" after it, so the rest of the file is part of the comment.\n\nFix: close the comment.";
    UNTERMINATED_STRING "B0103" Syntax
        "string without end"
        "A string \"…\" must end on the line where it starts, ''' … ''' and ``` … ``` may span lines. Inside \
         a string, a quote is written \\\".\n\nExample: name := \"abc\nFix:     name := \"abc\"";
    BAD_CHARACTER "B0104" Syntax
        "character that begins no token"
        "The marked character is no part of the notation. \"?\", \"@\", \"$\" and a leading \"_\" are common \
         ones.\n\nExample: _count := 0\nFix:     count := 0, or `_count` := 0 with back quotes";
    UNUSABLE_SYMBOL "B0105" Syntax
        "look-alike of a B symbol"
        "Unicode has several symbols that look like those of B but are others, for example the big ⋀ for ∧ \
         or the small ∊ for ∈. The help line names the one to write.";
    INVALID_UTF8 "B0106" Syntax
        "bytes that are no UTF-8"
        "Files are read as UTF-8. The marked bytes are none: the file was probably saved in another \
         encoding. Inside comments this does no harm.\n\nFix: save the file in UTF-8.";
    WRONG_SORT "B0107" Syntax
        "predicate and expression confused"
        "A predicate is true or false (x = 3, x : S, P & Q); an expression has a value (x + 3, {1, 2}, \
         TRUE). Each place of the grammar takes one of the two: \"&\", \"or\", \"=>\", not(…), PRE and \
         INVARIANT take predicates, \"+\", \":=\" and function arguments take expressions. TRUE and FALSE \
         are values, not predicates.\n\nExample: ok & x = 3     where ok : BOOL\n\
         Fix:     ok = TRUE & x = 3\n\nExample: b := (x = 3)\nFix:     b := bool(x = 3)";
    CHAINED "B0108" Syntax
        "chained comparison"
        "A comparison is a predicate and cannot be compared again.\n\nExample: 1 <= x <= 9\n\
         Fix:     1 <= x & x <= 9, or x : 1..9";
    KEYWORD_ARITY "B0109" Syntax
        "wrong number of arguments of a keyword"
        "card, dom, ran, closure and the other words of the notation take a fixed number of arguments.\n\n\
         Example: card(S, T)\nFix:     card(S) + card(T), or card(S \\/ T)";
    PARENTHESES_NEEDED "B0110" Syntax
        "keyword without parentheses"
        "not, card, dom, max and similar words are written with parentheses, and are no values by \
         themselves.\n\nExample: not x = 3\nFix:     not(x = 3)";
    UNCLOSED "B0111" Syntax
        "bracket without end"
        "The marked bracket is still open where the clause or the text ends.\n\n\
         Example: INVARIANT (x : NAT & y : NAT OPERATIONS …\nFix:     close the parenthesis";
    MISSING_END "B0112" Syntax
        "missing END"
        "BEGIN, PRE, IF, SELECT, CHOICE, CASE, ANY, LET, VAR, WHILE, ASSERT and the component itself are \
         closed by END (CASE … OF EITHER … by two). The message shows which one is still open.\n\n\
         Example: op = PRE x > 0 THEN x := x - 1 ; …\nFix:     op = PRE x > 0 THEN x := x - 1 END ; …";
    RESERVED_WORD "B0113" Syntax
        "reserved word used as a name"
        "Some words belong to the notation: id, first, last, size, min, max, rec, skip, OF, IN, … They \
         cannot be names, nor fields of records, unless they are put in back quotes.\n\n\
         Example: rec(id : 1)\nFix:     rec(`id` : 1), or rec(ident : 1)";
    EMPTY "B0114" Syntax
        "something is missing"
        "Brackets and blocks that need contents have none: (), BEGIN END, THEN END, f().\n\n\
         Example: BEGIN END\nFix:     skip";
    ASSIGN_IN_FORMULA "B0115" Syntax
        "\":=\" in a formula"
        "\":=\" assigns and stands in substitutions only; in predicates equality is \"=\".\n\n\
         Example: INVARIANT x := 3\nFix:     INVARIANT x = 3";
    EQUAL_FOR_ASSIGN "B0116" Syntax
        "\"=\" in a substitution"
        "A substitution assigns with \":=\"; \"=\" compares.\n\nExample: BEGIN x = x + 1 END\n\
         Fix:     BEGIN x := x + 1 END";
    DEFINED_AS "B0117" Syntax
        "\"==\" outside of DEFINITIONS"
        "\"==\" introduces a definition in the DEFINITIONS clause. Equality is \"=\", assignment is \
         \":=\", and an operation is written name = substitution.\n\nExample: x == 3\nFix:     x = 3";
    MISSING_SEPARATOR "B0118" Syntax
        "missing \";\""
        "Operations and definitions are separated by \";\".\n\n\
         Example: inc = x := x + 1  dec = x := x - 1\nFix:     inc = x := x + 1 ; dec = x := x - 1";
    EXTRA_SEPARATOR "B0119" Syntax
        "superfluous \";\""
        "\";\" separates two operations, statements or sets; it does not end the last one.\n\n\
         Example: BEGIN x := 1 ; y := 2 ; END\nFix:     BEGIN x := 1 ; y := 2 END";
    TOO_DEEP "B0120" Syntax
        "formula too deep or too long"
        "Brackets and blocks may be nested 2,000 deep, chains of operators may have 50,000 operands, \
         numbers 20,000 digits. Beyond that the text is certainly not written by hand.\n\n\
         Fix: let the generator of the text name parts of it.";
    NOT_A_NAME "B0121" Syntax
        "expected a name to bind"
        "Before the \"|\" of a set comprehension stand the names that it introduces.\n\n\
         Example: {x + 1 | x : 1..3}\nFix:     {y | #x.(x : 1..3 & y = x + 1)}, or {x · x : 1..3 | x + 1}";
    UNOPENED "B0122" Syntax
        "closing bracket that does not fit"
        "A closing bracket was found where something else is needed: an operand is missing before it, or \
         the bracket was never opened.\n\nExample: {1, 2,}\nFix:     {1, 2}";
    UNKNOWN_CLAUSE "B0124" Syntax
        "unknown clause"
        "The marked word stands where a clause begins, but is the keyword of none.\n\n\
         Example: INVARIENT x : NAT\nFix:     INVARIANT x : NAT";
    DUPLICATE_CLAUSE "B0125" Syntax
        "clause given twice"
        "Each clause stands at most once. VARIABLES and ABSTRACT_VARIABLES are the same clause, so are \
         CONSTANTS and CONCRETE_CONSTANTS, OPERATIONS and EVENTS.\n\nFix: join the two clauses.";
    FORBIDDEN_CLAUSE "B0126" Syntax
        "clause not allowed in this kind of component"
        "CONSTRAINTS and USES belong to machines; IMPORTS and VALUES to implementations; \
         implementations have no abstract variables or constants and no INCLUDES; refinements have no \
         LOCAL_OPERATIONS; only refinements and implementations have REFINES.";
    MISSING_CLAUSE "B0127" Syntax
        "clause needed by another is missing"
        "In a machine, constants need PROPERTIES, variables need INVARIANT and INITIALISATION, and a \
         parameter that is no set needs CONSTRAINTS (sets are written in capitals). A refinement or \
         implementation needs REFINES.\n\nExample: MACHINE M VARIABLES x INITIALISATION x := 0 END\n\
         Fix:     add INVARIANT x : NAT";
    DUPLICATE_DEFINITION "B0128" Syntax
        "definition given twice"
        "A name is defined at most once in a file.\n\nFix: rename or remove one of the two.";
    NO_COMPONENT "B0129" Syntax
        "not a B component"
        "A file starts with MACHINE, MODEL, SYSTEM, REFINEMENT, IMPLEMENTATION, or, if it holds definitions \
         only, with DEFINITIONS.";
    TEXT_AFTER_END "B0130" Syntax
        "text after the end of the component"
        "A file holds one component, and its END is the last word. Usually there is an END too many \
         before.";
    DOTTED_NAME "B0131" Syntax
        "dot in a new name"
        "A dot renames: inst.x is the x of an included machine inst.M. Names that are introduced have no \
         dot, and a machine reference has at most one prefix.\n\nExample: CONSTANTS a.b\nFix:     CONSTANTS a_b";
    DOUBLED_OPERATOR "B0132" Syntax
        "operator written twice"
        "The same operator stands twice in a row.\n\nExample: x = 1 && y = 2\nFix:     x = 1 & y = 2";
    DOUBLE_MINUS "B0133" Syntax
        "minus after minus"
        "The operand of a unary minus cannot start with another one.\n\nExample: - -x\nFix:     -(-x)";
    DOUBLE_INVERSE "B0134" Syntax
        "inverse of an inverse"
        "\"~\" cannot follow \"~\" directly.\n\nExample: r~~\nFix:     (r~)~";
    COMPOSITION_NEEDS_BRACKETS "B0135" Syntax
        "\";\" or \"||\" between expressions"
        "Outside brackets \";\" and \"||\" separate statements, definitions and operations. As operators on \
         relations they stand in parentheses.\n\nExample: r ; s = t\nFix:     (r ; s) = t";
    MISPLACED_PRAGMA "B0136" Syntax
        "pragma in the wrong place"
        "A pragma /*@name …*/ belongs to the thing it stands next to: symbolic before a comprehension, \
         label before a predicate, desc after a predicate or a declaration, file after a machine name, \
         package at the head of the file.";
    MALFORMED_PRAGMA "B0137" Syntax
        "malformed pragma"
        "A label is one word or a string in quotes; /*@generated*/ has no contents. A comment that is no \
         pragma has no \"@\" after \"/*\".\n\nExample: /*@label is positive*/ x > 0\n\
         Fix:     /*@label \"is positive\"*/ x > 0";
    EMPTY_FILE "B0138" Syntax
        "empty file"
        "There is nothing in the file but blanks and comments. A file starts with MACHINE, MODEL, SYSTEM, \
         REFINEMENT, IMPLEMENTATION or DEFINITIONS.";
}
