//! What the lexer and the parser report.

super::codes! {
    UNEXPECTED "B0101" Syntax
        "unexpected token"
        "The text cannot go on like this. The message names what was found and what would fit there.";
}
