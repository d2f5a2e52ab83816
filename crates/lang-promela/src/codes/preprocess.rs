//! What the preprocessor reports.

base::codes! {
    UNCLOSED_IF "P0101" Syntax
        "#if without #endif"
        "Every #if, #ifdef and #ifndef is closed by #endif in the same file. The marked one is not, so the \
         rest of the file belongs to it.\n\nFix: add #endif.";
    WITHOUT_IF "P0102" Syntax
        "#else, #elif or #endif without #if"
        "The marked line continues or closes conditional text, but none is open here, or its #else has \
         been seen already.\n\nFix: remove the line, or add the missing #if.";
    MISSING_FILE "P0103" Type
        "included file not found"
        "A file named in quotes is searched beside the file that includes it and then in the folders given with \
         -I, a file named in <> only in the latter. System headers are not read: a model does not need \
         them.\n\nExample: #include \"types.h\"";
    UNKNOWN_DIRECTIVE "P0104" Syntax
        "unknown directive"
        "The preprocessor knows #define, #undef, #if, #ifdef, #ifndef, #elif, #else, #endif, #include, #error \
         and #warning; #line, #pragma and #ident have no effect.";
    MALFORMED "P0105" Syntax
        "malformed directive"
        "The marked line has not the form of its directive.\n\n\
         Examples: #define NAME text\n          #define NAME(a, b) text\n          #include \"file\"\n          #ifdef NAME";
    CONDITION "P0106" Syntax
        "condition that cannot be decided"
        "The condition of #if and #elif is an expression of whole numbers with the operators of C and \
         defined(NAME); a name that is no macro counts as 0.\n\nExample: #if N > 2 && !defined(SMALL)";
    UNCLOSED_CALL "P0107" Syntax
        "arguments of a macro without end"
        "The parenthesis that opens the arguments of the marked macro is never closed.\n\nFix: close it.";
    MACRO_ARITY "P0108" Syntax
        "wrong number of arguments of a macro"
        "A macro is given one argument for each of its parameters, separated by commas; a comma inside \
         parentheses separates nothing.\n\nExample: #define F(a, b) a + b\n         F(1)\nFix:     F(1, 0)";
    TOO_MUCH "P0109" Syntax
        "too much text"
        "Macros made millions of tokens, or files include each other without end. That is certainly not meant.\n\n\
         Fix: guard included files by #ifndef … #define … #endif.";
    ERROR "P0110" Syntax
        "#error"
        "The model itself says that it cannot be used like this, usually because a macro has to be given with -D.";
    WARNING "P0111" Syntax
        "#warning"
        "A remark that the model makes about itself.";
}
