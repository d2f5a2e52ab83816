//! What the parser reports.

base::codes! {
    UNEXPECTED "P0201" Syntax
        "unexpected text"
        "The text cannot go on like this. The message names what was found and what would fit there.\n\n\
         Usual causes: an operator, a bracket or a separator (\";\" or \"->\") is missing just before the marked \
         place.\n\nExample: byte x y;\nFix:     byte x, y;";
    UNTERMINATED_COMMENT "P0202" Syntax
        "comment without end"
        "A comment opened by \"/*\" runs to the next \"*/\"; comments do not nest. The marked \"/*\" has no \
         \"*/\" after it.\n\nFix: close the comment.";
    UNTERMINATED_STRING "P0203" Syntax
        "string without end"
        "A string \"…\" and a character '…' end on the line where they begin.";
    BAD_CHARACTER "P0204" Syntax
        "character that begins no token"
        "The marked character is no part of the language.\n\nExample: x = $1\nFix:     x = 1";
    UNCLOSED "P0205" Syntax
        "block or bracket without end"
        "The marked word or bracket opens something that is never closed: if … fi, do … od, { … }, ( … ), \
         [ … ].\n\nExample: if :: x > 0 -> skip }\nFix:     if :: x > 0 -> skip fi }";
    EMPTY "P0206" Syntax
        "statement missing"
        "A body, a block, an option and the lists of a channel need at least one part.\n\n\
         Example: atomic { }\nFix:     atomic { skip }";
    RESERVED_WORD "P0207" Syntax
        "reserved word used as a name"
        "The marked word belongs to the language (len, full, run, of, …) and cannot be the name of a \
         variable.\n\nExample: byte len;\nFix:     byte length;";
    NOT_PROMELA "P0208" Syntax
        "notation of C that Promela lacks"
        "Promela looks like C but has no \"+=\", no \"++\" inside expressions or before a name, no \"c ? a : b\" (it is \
         written (c -> a : b)), no \"if (c) …\", no hexadecimal numbers, no fractions and no assignment inside \
         an expression.\n\nExample: x += 2\nFix:     x = x + 2";
    PROBE "P0209" Syntax
        "full, empty, nfull or nempty inside an expression"
        "full(c), empty(c), nfull(c) and nempty(c) can be joined by && and ||, but not be negated, compared or \
         computed with: partial order reduction relies on it.\n\nExample: !full(c)\nFix:     nfull(c)";
    LABEL_BEFORE_DECLARATION "P0210" Type
        "label before a declaration"
        "A label names a statement; a declaration is none.\n\nExample: L: byte x;\nFix:     byte x; L: skip";
    WRONG_INLINE_CALL "P0211" Type
        "wrong number of arguments of an inline"
        "A call of an inline gives one argument for each of its parameters.\n\n\
         Example: inline f(a, b) { … }   f(1)\nFix:     f(1, 0)";
    RECURSIVE_INLINE "P0212" Type
        "inline that calls itself"
        "The text of an inline is put in the place of its call, so it cannot contain a call of itself, not even \
         through others.\n\nFix: use a proctype, or a loop.";
    INLINE_AS_VALUE "P0213" Type
        "inline inside an expression"
        "A call of an inline is a statement of its own, or the whole right side of an assignment when the inline \
         returns a value.\n\nExample: x = f(1) + 1\nFix:     x = f(1); x = x + 1";
    RETURN "P0214" Type
        "return without a variable that takes the value"
        "return is allowed in an inline that is called as x = f(…).";
    DUPLICATE_INLINE "P0215" Type
        "inline defined twice"
        "An inline has one definition.\n\nFix: rename or remove one of the two.";
    EMBEDDED_C "P0216" Unsupported
        "embedded C"
        "c_code, c_expr, c_decl, c_state and c_track put C text into the checker that SPIN generates. There is \
         no C compiler here, so a model with embedded C cannot be checked.\n\nFix: write the data in Promela, or use \
         macros for the parts that only compute.";
    TOO_DEEP "P0217" Syntax
        "text too deep or too long"
        "Brackets and blocks may be nested 2,000 deep, chains of operators may have 50,000 operands, and inlines \
         may make two million tokens.";
    LTL_OUTSIDE "P0218" Syntax
        "temporal operator outside a formula"
        "[], <>, U, W, V, X and their words belong to formulas: ltl name { … }.";
    TYPEDEF_LOCAL "P0219" Syntax
        "declaration that must be global"
        "typedef, mtype lists, inline, proctype and ltl stand outside of bodies.\n\n\
         Fix: move it before the proctype.";
    CONFUSED_NAME "P0220" Syntax
        "symbolic name where a variable is needed"
        "A name declared by mtype = { … } is a constant. It cannot be assigned to, indexed or declared again.\n\n\
         Example: mtype = { red };  red = 1\nFix:     declare a variable: mtype colour = red";
    TEMPORAL_ARGUMENT "P0221" Syntax
        "name with an argument that is no operator"
        "In a formula only always, eventually, next and the operators [], <>, X and ! are written before what they \
         speak of.\n\nExample: sometimes (x == 1)\nFix:     eventually (x == 1)";
}
