//! Typical slips and what was probably meant: the help lines of unexpected tokens.

use base::{Diagnostic, Diagnostics, Span, near};
use lang_math::{Binder, ExprId, Notation, Op, Sort};

use super::{Fail, Parser};
use crate::codes::syntax as code;
use crate::lex::{Pragma, Tok, Word};

impl Parser<'_> {
    /// "found X, expected Y" at the next token, with a help line where the slip is a known one.
    pub(super) fn unexpected_diagnostic(&self, expected: &str) -> Diagnostic {
        let found = self.describe(self.token_at(0));
        let plain = |code| {
            Diagnostic::error(
                code,
                self.span(),
                format!("found {found}, expected {expected}"),
            )
        };
        match self.tok() {
            Tok::Pragma(pragma) => Diagnostic::error(
                &code::MISPLACED_PRAGMA,
                self.span(),
                format!("this pragma cannot stand here, expected {expected}"),
            )
            .help(pragma_place(pragma)),
            Tok::DefinedAs => plain(&code::DEFINED_AS)
                .help("\"==\" introduces a definition; equality is \"=\", an assignment \":=\""),
            Tok::Assign if !expected.contains(":=") => plain(&code::ASSIGN_IN_FORMULA)
                .help("a comparison is written \"=\"; \":=\" assigns, in a substitution"),
            Tok::RightParen | Tok::RightBrace | Tok::RightBracket => plain(&code::UNOPENED),
            Tok::Ident => {
                let diagnostic = plain(&code::UNEXPECTED);
                match self.misspelt_clause(0).or_else(|| self.misspelt_word(0)) {
                    Some(word) => diagnostic
                        .help(format!("did you mean {}?", word.text()))
                        .fix(word.text()),
                    None => self.lower_case_word(diagnostic),
                }
            }
            _ => plain(&code::UNEXPECTED),
        }
    }

    /// `if`, `then`, `AND`, … : words of other languages or in the wrong case.
    fn lower_case_word(&self, diagnostic: Diagnostic) -> Diagnostic {
        let help = match self.text_of(self.token_at(0)) {
            "and" | "AND" => "\"and\" is written \"&\"",
            "implies" | "IMPLIES" => "\"implies\" is written \"=>\"",
            "in" => "membership is written \":\"",
            "MOD" => "the remainder is written \"mod\"",
            "NOT" => "negation is written \"not(…)\"",
            text if Word::from_text(&text.to_ascii_uppercase()).is_some() => {
                return diagnostic.help(format!(
                    "keywords are written in capitals: {}",
                    text.to_ascii_uppercase()
                ));
            }
            _ => return diagnostic,
        };
        diagnostic.help(help)
    }

    /// The clause keyword that the name `ahead` places on is a misspelling of, if it opens a line.
    pub(super) fn misspelt_clause(&self, ahead: usize) -> Option<Word> {
        let token = self.token_at(ahead);
        let text = self.text_of(token);
        let capitals = text.len() >= 4 && text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
        if token.tok != Tok::Ident || !capitals {
            return None;
        }
        if !self.opens_line((self.pos + ahead).min(self.tokens.len() - 1)) {
            return None;
        }
        self.guess(text, Word::clauses(), 2)
    }

    /// The word closest to `text` that starts alike and is at most `longer` letters longer or shorter.
    fn guess(&self, text: &str, words: impl Iterator<Item = Word>, longer: usize) -> Option<Word> {
        // Guesses only shape messages: none are needed when no more are kept.
        if self.diagnostics.errors() >= Diagnostics::LIMIT {
            return None;
        }
        let alike = words.map(Word::text).filter(|word| {
            word.as_bytes()[0] == text.as_bytes()[0] && word.len().abs_diff(text.len()) <= longer
        });
        near::nearest(text, alike).and_then(Word::from_text)
    }

    /// The keyword that the name `ahead` places on is a misspelling of: all capitals, one letter off.
    pub(super) fn misspelt_word(&self, ahead: usize) -> Option<Word> {
        let token = self.token_at(ahead);
        let text = self.text_of(token);
        if token.tok != Tok::Ident
            || text.len() < 3
            || !text.bytes().all(|b| b.is_ascii_uppercase())
        {
            return None;
        }
        self.guess(text, INNER_WORDS.iter().copied(), 1)
    }

    /// Whether the next token, a reserved word, can be taken for a name; the first use is reported.
    pub(super) fn take_for_name(&mut self, expected: &str) -> bool {
        let Tok::Op(op) = self.tok() else {
            return false;
        };
        let text = self.text_of(self.token_at(0)).to_string();
        let word = text.starts_with(|c: char| c.is_ascii_alphabetic());
        if !word || is_infix(op) {
            return false;
        }
        if self.misused.insert(op) {
            let diagnostic = self.reserved(&text, expected, self.span());
            self.error(diagnostic);
        }
        true
    }

    /// `==` and `!=`, which other languages use for `=` and `/=`: reported, and read as what they mean.
    pub(super) fn foreign_operator(&mut self, min: u16) -> Option<(Op, bool)> {
        let op = match (self.tok(), self.tok_at(1)) {
            (Tok::DefinedAs, _) if !self.defining => Op::Equal,
            (Tok::Binder(Binder::Forall), Tok::Op(Op::Equal))
                if self.token_at(0).end == self.token_at(1).start =>
            {
                Op::NotEqual
            }
            _ => return None,
        };
        let Notation::Infix(priority, _) = op.notation() else {
            return None;
        };
        if priority < min {
            return None;
        }
        if op == Op::Equal {
            let diagnostic = self.unexpected_diagnostic("an operator");
            self.complain(diagnostic);
        } else {
            let span = self.span().to(self.span_of(self.token_at(1)));
            self.complain(
                Diagnostic::error(
                    &code::UNEXPECTED,
                    span,
                    "found \"!=\", expected an operator",
                )
                .help("\"is not equal to\" is written \"/=\""),
            );
            self.advance();
        }
        Some((op, false))
    }

    /// Reports `&&` and the like; one of the two was just read, the other is skipped.
    pub(super) fn doubled_operator(&mut self, op: Op) {
        if self.tok() != Tok::Op(op) || op == Op::Minus {
            return;
        }
        let (text, span) = (op.ascii(), self.last_span().to(self.span()));
        self.complain(
            Diagnostic::error(
                &code::DOUBLED_OPERATOR,
                span,
                format!("found {text:?} twice"),
            )
            .help(format!("one {text:?} is enough")),
        );
        self.advance();
    }

    /// Reports that an operand is missing.
    pub(super) fn no_operand(&mut self) -> Fail {
        let expected = "an expression or a predicate";
        let at = self.span();
        let before = self.tokens[self.pos.saturating_sub(1)];
        let diagnostic = match self.tok() {
            Tok::Op(Op::Greater) if before.tok == Tok::Op(Op::Equal) => self
                .unexpected_diagnostic(expected)
                .help("\"=>\" and \">=\" are written without a blank"),
            Tok::Op(Op::Equal)
                if matches!(
                    before.tok,
                    Tok::Op(Op::Less | Op::Greater | Op::Divide | Op::Member)
                ) =>
            {
                self.unexpected_diagnostic(expected)
                    .help("\"<=\", \">=\", \"/=\" and \":=\" are written without a blank")
            }
            Tok::Op(op) if is_infix(op) && self.pos > 0 && is_operator(before.tok) => self
                .unexpected_diagnostic(expected)
                .also(self.span_of(before), "after this operator"),
            Tok::Word(word) => self.reserved(word.text(), expected, at),
            _ => self.unexpected_diagnostic(expected),
        };
        self.error(diagnostic)
    }

    /// Reports that a name is missing.
    pub(super) fn no_name(&mut self, expected: &str) -> Fail {
        let text = self.text_of(self.token_at(0)).to_string();
        let diagnostic = match self.tok() {
            Tok::Op(_) | Tok::Word(_) | Tok::Binder(_)
                if text.starts_with(|c: char| c.is_ascii_alphabetic()) =>
            {
                self.reserved(&text, expected, self.span())
            }
            Tok::Binder(_) if text == "λ" => self
                .unexpected_diagnostic(expected)
                .help("\"λ\" is the lambda symbol and cannot be a name by itself"),
            Tok::DollarZero => self
                .unexpected_diagnostic(expected)
                .help("only names may be followed by $0"),
            _ => self.unexpected_diagnostic(expected),
        };
        self.error(diagnostic)
    }

    fn reserved(&self, text: &str, expected: &str, span: Span) -> Diagnostic {
        let diagnostic = Diagnostic::error(
            &code::RESERVED_WORD,
            span,
            format!("found the reserved word {text:?}, expected {expected}"),
        );
        let structural = matches!(self.tok(), Tok::Word(word)
            if word.opens_clause() || word.opens_block() || matches!(word, Word::End | Word::Then | Word::Else));
        if structural {
            return diagnostic;
        }
        diagnostic.help(format!(
            "to use it as a name, write `{text}` in back quotes"
        ))
    }

    /// Reports a keyword without its parentheses; the keyword was just read.
    pub(super) fn parentheses_needed(&mut self, op: Op, word: Span) -> Fail {
        let text = op.ascii();
        let what = if op == Op::Not { "P" } else { "…" };
        let found = self.describe(self.token_at(0));
        self.error(
            Diagnostic::error(
                &code::PARENTHESES_NEEDED,
                word.to(self.span()),
                format!("found {found} after {text:?}, expected \"(\""),
            )
            .help(format!("write {text}({what})")),
        )
    }

    /// Reports what follows a complete formula and does not fit.
    pub(super) fn unexpected_after_formula(&mut self, read: ExprId, expected: &str) -> Fail {
        let predicate = self.tree.exprs.sort(read) == Some(Sort::Predicate);
        let diagnostic = match self.tok() {
            Tok::Parallel | Tok::Bar if predicate => self
                .unexpected_diagnostic(expected)
                .help("a disjunction is written \"or\"; \"||\" joins substitutions"),
            Tok::Semicolon | Tok::Parallel => Diagnostic::error(
                &code::COMPOSITION_NEEDS_BRACKETS,
                self.span(),
                format!(
                    "found {}, expected {expected}",
                    self.describe(self.token_at(0))
                ),
            )
            .help("relational composition stands in parentheses: (r ; s), (r || s)"),
            Tok::Comma => self
                .unexpected_diagnostic(expected)
                .help("a pair is written a |-> b or (a, b); predicates are joined by \"&\""),
            _ => self.unexpected_diagnostic(expected),
        };
        self.error(diagnostic)
    }
}

/// Words inside of substitutions and formulas that are worth a guess.
const INNER_WORDS: &[Word] = &[
    Word::Then,
    Word::Else,
    Word::Elsif,
    Word::When,
    Word::Where,
    Word::End,
    Word::Do,
    Word::Of,
];

fn is_infix(op: Op) -> bool {
    matches!(op.notation(), Notation::Infix(..))
}

fn is_operator(tok: Tok) -> bool {
    matches!(tok, Tok::Op(op) if is_infix(op))
}

fn pragma_place(pragma: Pragma) -> &'static str {
    match pragma {
        Pragma::Symbolic => "it stands before {…|…}, a lambda or UNION, or before \";\"",
        Pragma::Label => "it stands before a predicate",
        Pragma::Desc => "it stands after a predicate, a declared name, a set or an operation",
        Pragma::File => "it stands after the name of a machine",
        Pragma::Package | Pragma::ImportPackage | Pragma::Generated => {
            "it stands before the keyword that opens the file"
        }
    }
}
