//! Claims about tokens.

use base::{Diagnostics, Sources};
use lang_math::{Binder, Op};

use super::{Pragma, Tok, Word, tokens};

/// The tokens of a text without the end, and the ids of what was reported.
fn lexed(text: &str) -> (Vec<Tok>, Vec<&'static str>) {
    let mut sources = Sources::new();
    let file = sources.add("test.mch", text.to_string());
    let mut diagnostics = Diagnostics::new();
    let mut found: Vec<Tok> = tokens(file, text, 0..text.len(), &mut diagnostics)
        .iter()
        .map(|token| token.tok)
        .collect();
    assert_eq!(found.pop(), Some(Tok::Eof));
    let ids = diagnostics.iter().map(|d| d.code.id).collect();
    (found, ids)
}

fn toks(text: &str) -> Vec<Tok> {
    let (found, ids) = lexed(text);
    assert_eq!(ids, Vec::<&str>::new(), "{text}");
    found
}

#[test]
fn the_longest_symbol_wins() {
    use Tok::{Ident, Int};
    assert_eq!(
        toks("x<-1"),
        [Ident, Tok::Op(Op::InsertTail), Int],
        "append, not a comparison"
    );
    assert_eq!(
        toks("a<<->>b"),
        [Ident, Tok::Op(Op::TotalSurjectiveRelations), Ident]
    );
    assert_eq!(toks("a|->b"), [Ident, Tok::Op(Op::Maplet), Ident]);
    assert_eq!(toks("r<--f"), [Ident, Tok::Results, Ident]);
    assert_eq!(toks("x::S"), [Ident, Tok::BecomesElement, Ident]);
    assert_eq!(toks("1..5"), [Int, Tok::Op(Op::Interval), Int]);
    assert_eq!(toks("<>"), [Tok::EmptySequence]);
    assert_eq!(toks("< >"), [Tok::EmptySequence]);
}

#[test]
fn numbers_end_where_words_begin() {
    assert_eq!(toks("2or"), [Tok::Int, Tok::Op(Op::Or)]);
    assert_eq!(toks("1.5"), [Tok::Real]);
    assert_eq!(toks("2.0e-3"), [Tok::Real]);
    assert_eq!(toks("0x1F"), [Tok::Hex]);
    assert_eq!(toks("1."), [Tok::Int, Tok::Dot]);
}

#[test]
fn a_word_is_a_keyword_only_as_a_whole() {
    assert_eq!(toks("END"), [Tok::Word(Word::End)]);
    assert_eq!(
        toks("ENDE ends dom domain"),
        [Tok::Ident, Tok::Ident, Tok::Op(Op::Domain), Tok::Ident]
    );
    assert_eq!(toks("x₁ x′ größe αλβ"), [Tok::Ident; 4]);
    assert_eq!(toks("`END` `dom`"), [Tok::Quoted; 2]);
    assert_eq!(toks("left right top"), [Tok::Ident; 3]);
}

#[test]
fn unicode_and_ascii_spell_the_same_tokens() {
    for (ascii, unicode) in [
        ("!x.(x:S=>x/:T)", "∀x.(x∈S⇒x∉T)"),
        ("a<->b --> c", "a↔b → c"),
        ("x := y - 1", "x ≔ y − 1"),
        ("a -->b", "a −−>b"),
        ("%x", "λx"),
        ("NATURAL1 POW1 INTEGER BOOL", "ℕ₁ ℙ1 ℤ 𝔹"),
        ("r~", "r⁻¹"),
        ("a || b", "a ∥ b"),
        ("x :: S", "x :∈ S"),
        ("SIGMA PI UNION INTER", "∑ ∏ ⋃ ⋂"),
    ] {
        assert_eq!(toks(ascii), toks(unicode), "{ascii}");
    }
    assert_eq!(toks("∋"), [Tok::Swapped(Op::Member)]);
    assert_eq!(toks("λ"), [Tok::Binder(Binder::Lambda)]);
}

#[test]
fn comments_and_unknown_pragmas_vanish() {
    assert_eq!(toks("a // b\nc /* d /* e */ f"), [Tok::Ident; 3]);
    assert_eq!(toks("a /*@unit m*/ b"), [Tok::Ident; 2]);
    assert_eq!(toks("a\u{a0}b\u{2028}c"), [Tok::Ident; 3]);
    assert_eq!(toks("\u{feff}a"), [Tok::Ident]);
    assert_eq!(toks("#!/usr/bin/env burnside\na"), [Tok::Ident]);
}

#[test]
fn known_pragmas_are_tokens() {
    assert_eq!(
        toks("/*@symbolic*/ /*@ label \"a b\" */ /*@desc hello world*/"),
        [
            Tok::Pragma(Pragma::Symbolic),
            Tok::Pragma(Pragma::Label),
            Tok::Pragma(Pragma::Desc),
        ]
    );
    assert_eq!(lexed("/*@label two words*/").1, ["B0137"]);
}

#[test]
fn strings_of_all_kinds() {
    assert_eq!(
        toks(
            r#""a\"b" '''a"
    b''' ```x = ${1+1}```"#
        ),
        [Tok::Str, Tok::LongStr, Tok::Template]
    );
    assert_eq!(toks("r'a"), [Tok::Ident, Tok::Prime, Tok::Ident]);
}

#[test]
fn what_cannot_be_read_is_reported_once() {
    for (text, id) in [
        ("a /* b", "B0102"),
        ("\"abc\nb", "B0103"),
        ("'''abc", "B0103"),
        ("```abc", "B0103"),
        ("`abc\nb", "B0103"),
        ("x ???? y", "B0104"),
        ("_x", "B0104"),
        ("x$1", "B0104"),
        ("a ⋀ b", "B0105"),
        ("a \u{fffd}\u{fffd} b", "B0106"),
        ("a \0\u{1}\u{2} b", "B0104"),
    ] {
        assert_eq!(lexed(text).1, [id], "{text}");
    }
}
