//! What the lexer and the parser report.

base::codes! {
    UNEXPECTED "M0101" Syntax
        "unexpected text"
        "The text cannot go on like this. The message names what was found and what would fit there.\n\n\
         Usual causes: \";\" between two statements, \"then\", \"do\", \":\" or \"end\" is missing just before the marked \
         place.\n\nExample: x := 1 y := 2;\nFix:     x := 1; y := 2;";
    UNTERMINATED_COMMENT "M0102" Syntax
        "comment without end"
        "A comment opened by \"/*\" runs to the next \"*/\"; comments do not nest. The marked \"/*\" has no \"*/\" after \
         it.\n\nFix: close the comment, or write \"--\" for a comment that ends with its line.";
    UNTERMINATED_STRING "M0103" Syntax
        "string without end"
        "A string ends on the line where it starts; inside it, a quotation mark is written \\\".\n\n\
         Example: rule \"send\nFix:     rule \"send\"";
    BAD_CHARACTER "M0104" Syntax
        "character that begins no token"
        "The marked character is no part of the notation.\n\nExample: x := y @ 2;\nFix:     remove it";
    INVALID_UTF8 "M0105" Syntax
        "bytes that are no UTF-8"
        "Files are read as UTF-8. Inside comments and strings other bytes do no harm; elsewhere they are an error.";
    KEYWORD_AS_NAME "M0106" Syntax
        "keyword used as a name"
        "Keywords are reserved, in capitals, small letters and any mixture: if, End, TO, by, case, clear, put, … cannot name \
         constants, types, variables, fields, rules' parameters or routines.\n\nExample: var end: 0..3;\nFix:     var last: 0..3;";
    ASSIGN_EXPECTED "M0107" Syntax
        "\"=\" where \":=\" is meant"
        "A statement assigns with \":=\"; \"=\" compares two values.\n\nExample: begin x = 1; end\nFix:     begin x := 1; end";
    NOT_ASSOCIATIVE "M0108" Syntax
        "operator that does not associate"
        "\"->\", \"? :\" and the comparisons do not chain: what a -> b -> c or a < b < c means must be said with \
         parentheses.\n\nExample: a -> b -> c\nFix:     a -> (b -> c)";
    MISSING_END "M0109" Syntax
        "missing end"
        "record, if, switch, for, while, alias, forall, exists, functions, procedures, rules, start states, rulesets and \
         choose are closed by \"end\" (or endif, endrule, …). The message shows which one is still open.";
    UNOPENED_END "M0110" Syntax
        "end too many"
        "The marked \"end\" closes nothing: everything that was opened is closed already. Usually one of the blocks before \
         it was closed too early.";
    ELSIF "M0111" Syntax
        "misspelt \"elsif\""
        "A further condition of an if is introduced by \"elsif\".\n\nExample: elseif x > 1 then\nFix:     elsif x > 1 then";
    UNCLOSED "M0112" Syntax
        "bracket without end"
        "The marked bracket is not closed where it should be.\n\nExample: enum {Red, Green;\nFix:     enum {Red, Green};";
    EMPTY "M0113" Syntax
        "operand missing"
        "An expression is needed at the marked place.\n\nExample: x := () + 1;\nFix:     x := 1;";
    TOO_DEEP "M0114" Syntax
        "program too deep or too long"
        "Brackets and blocks may be nested 2,000 deep and chains of operators may have 50,000 operands. Beyond that the \
         text is certainly not written by hand.\n\nFix: let the generator of the text use functions or arrays.";
    BIG_NUMBER "M0115" Syntax
        "number too large"
        "Numbers have 63 bits: they end at 9,223,372,036,854,775,807.";
    EMPTY_FILE "M0116" Syntax
        "empty file"
        "There is nothing in the file but blanks and comments. A program has at least a start state.";
    MISPLACED "M0117" Syntax
        "declaration in the wrong place"
        "Functions and procedures stand at the outermost level; inside rulesets, aliases and choose there are only rules, \
         start states and properties.";
}
