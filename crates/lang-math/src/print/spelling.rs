//! Spells names and literals so that the lexer of B reads back the same ones.
//!
//! Invariant: what is no plain identifier of B comes out in backquotes, never bare.

/// Words of B that are no identifiers, sorted.
const RESERVED: &[&str] = &[
    "ABSTRACT_CONSTANTS",
    "ABSTRACT_VARIABLES",
    "ANY",
    "ASSERT",
    "ASSERTIONS",
    "BE",
    "BEGIN",
    "BOOL",
    "CASE",
    "CHOICE",
    "CONCRETE_CONSTANTS",
    "CONCRETE_VARIABLES",
    "CONSTANTS",
    "CONSTRAINTS",
    "DEFINITIONS",
    "DO",
    "EITHER",
    "ELSE",
    "ELSIF",
    "END",
    "EVENTS",
    "EXPRESSIONS",
    "EXTENDS",
    "FALSE",
    "FIN",
    "FIN1",
    "FLOAT",
    "FREETYPES",
    "IF",
    "IMPLEMENTATION",
    "IMPORTS",
    "IN",
    "INCLUDES",
    "INITIALISATION",
    "INITIALIZATION",
    "INT",
    "INTEGER",
    "INTER",
    "INVARIANT",
    "LET",
    "LOCAL_OPERATIONS",
    "MACHINE",
    "MAXINT",
    "MININT",
    "MODEL",
    "NAT",
    "NAT1",
    "NATURAL",
    "NATURAL1",
    "OF",
    "OPERATIONS",
    "OR",
    "PI",
    "POW",
    "POW1",
    "PRE",
    "PREDICATES",
    "PROMOTES",
    "PROPERTIES",
    "REAL",
    "REFINEMENT",
    "REFINES",
    "SEES",
    "SELECT",
    "SETS",
    "SIGMA",
    "STRING",
    "SYSTEM",
    "THEN",
    "TRUE",
    "UNION",
    "USES",
    "VALUES",
    "VAR",
    "VARIABLES",
    "VARIANT",
    "WHEN",
    "WHERE",
    "WHILE",
    "WITNESS",
    "bfalse",
    "bool",
    "btrue",
    "card",
    "ceiling",
    "closure",
    "closure1",
    "conc",
    "dom",
    "first",
    "floor",
    "fnc",
    "front",
    "id",
    "inter",
    "iseq",
    "iseq1",
    "iterate",
    "last",
    "max",
    "min",
    "mod",
    "not",
    "or",
    "perm",
    "pred",
    "prj1",
    "prj2",
    "ran",
    "real",
    "rec",
    "rel",
    "rev",
    "seq",
    "seq1",
    "size",
    "skip",
    "struct",
    "succ",
    "tail",
    "union",
];

/// Words that are identifiers except before an argument list.
const TREE_FUNCTIONS: &[&str] = &[
    "arity", "bin", "btree", "const", "father", "infix", "left", "mirror", "postfix", "prefix",
    "rank", "right", "son", "sons", "sizet", "subtree", "top", "tree",
];

/// Whether a name means something else when arguments follow it.
pub fn is_tree_function(name: &str) -> bool {
    TREE_FUNCTIONS.contains(&name)
}

/// A possibly dotted name, its parts in backquotes where they need them.
pub fn name(name: &str) -> String {
    if name.split('.').all(is_plain) {
        return name.to_owned();
    }
    let parts: Vec<String> = name
        .split('.')
        .map(|part| {
            if is_plain(part) {
                part.to_owned()
            } else {
                backquoted(part)
            }
        })
        .collect();
    parts.join(".")
}

/// A possibly dotted name in front of arguments: `` `left`(x) `` applies what is called `left`.
pub fn applied_name(text: &str) -> String {
    if is_tree_function(text) {
        backquoted(text)
    } else {
        name(text)
    }
}

/// The name of an operation in its header, where a bare `ref` would announce what it refines.
pub fn operation_name(text: &str) -> String {
    if text == "ref" {
        backquoted(text)
    } else {
        name(text)
    }
}

/// A string literal.
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        push_escaped(&mut out, c, '"');
    }
    out.push('"');
    out
}

/// A string literal inside a template string, which a run of backquotes would end.
pub fn string_in_template(text: &str) -> String {
    string(text).replace('`', "\\`")
}

/// Literal text inside a template string.
pub fn template_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // A backslash is an escape only before some characters; before `$` it must stay single, because
        // it keeps the `{` after that from opening a value.
        let stays = c == '\\'
            && chars
                .peek()
                .is_some_and(|next| !matches!(next, 'n' | 'r' | 't' | '"' | '\'' | '\\' | '`'));
        if stays {
            out.push(c);
        } else {
            push_escaped(&mut out, c, '`');
        }
    }
    out
}

/// The text of a `label` pragma: a word, or anything in quotes.
pub fn label(text: &str) -> String {
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word {
        text.to_owned()
    } else {
        format!("\"{}\"", inside_comment(text))
    }
}

/// The text of a `desc` pragma, in quotes only where blanks or quotes at its ends would get lost.
pub fn description(text: &str) -> String {
    let quoted = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    let text = inside_comment(text);
    if quoted || text.trim() != text {
        format!("\"{text}\"")
    } else {
        text
    }
}

/// The path of a `file` pragma.
pub fn path(text: &str) -> String {
    format!("\"{}\"", inside_comment(text))
}

/// Text that cannot end the comment it stands in.
fn inside_comment(text: &str) -> String {
    text.replace("*/", "* /")
}

fn backquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('`');
    for c in text.chars() {
        push_escaped(&mut out, c, '`');
    }
    out.push('`');
    out
}

fn push_escaped(out: &mut String, c: char, quote: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        c if c == quote => out.extend(['\\', c]),
        c => out.push(c),
    }
}

/// Whether a text is an identifier as it stands: letters, digits and `_`, then subscripts, then primes.
fn is_plain(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    if !chars.next().is_some_and(is_letter) {
        return false;
    }
    while chars
        .next_if(|&c| is_letter(c) || c == 'λ' || c == '_' || c.is_ascii_digit())
        .is_some()
    {}
    while chars.next_if(|c| ('₀'..='₉').contains(c)).is_some() {}
    while chars
        .next_if(|c| matches!(c, '\u{2032}' | '\u{2018}' | '\u{2019}'))
        .is_some()
    {}
    chars.next().is_none() && RESERVED.binary_search(&text).is_err()
}

/// A letter that no operator is spelled with.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
        || (c.is_alphabetic() && !matches!(c, 'λ' | '𝜆' | 'ℕ' | 'ℤ' | 'ℝ' | 'ℙ' | '𝔹' | '˄'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted_for_the_search() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn plain_names_stay_bare() {
        for text in ["x", "left", "Größe", "a_1", "inst.x", "x₁", "yλ", "x₂′"] {
            assert_eq!(name(text), text);
        }
    }

    #[test]
    fn odd_names_get_backquotes_part_by_part() {
        assert_eq!(name("IF"), "`IF`");
        assert_eq!(name("a.or"), "a.`or`");
        assert_eq!(name("two words"), "`two words`");
        assert_eq!(name("_x"), "`_x`");
        assert_eq!(name("λ"), "`λ`");
        assert_eq!(name("x₁a"), "`x₁a`");
        assert_eq!(name(""), "``");
    }

    #[test]
    fn a_context_word_before_arguments_gets_backquotes() {
        assert_eq!(applied_name("left"), "`left`");
        assert_eq!(applied_name("a.left"), "a.left");
        assert_eq!(applied_name("f"), "f");
    }

    #[test]
    fn strings_escape_what_would_end_them() {
        assert_eq!(string("a\"b\\c\nd"), r#""a\"b\\c\nd""#);
        assert_eq!(template_text("a`b\\"), r"a\`b\\");
    }

    #[test]
    fn a_backslash_keeps_a_dollar_literal_in_a_template() {
        assert_eq!(template_text(r"\${x}"), r"\${x}");
    }

    #[test]
    fn pragmas_keep_their_texts() {
        assert_eq!(label("inv1"), "inv1");
        assert_eq!(label("two words"), "\"two words\"");
        assert_eq!(description("to be */ shown"), "to be * / shown");
        assert_eq!(description("\"x\""), "\"\"x\"\"");
        assert_eq!(description(" x"), "\" x\"");
    }
}
