//! Directives: comments that declare operators and commands.

use base::{Diagnostic, Diagnostics, FileId, Name, Span};

use crate::codes;
use crate::lex::symbols;
use crate::ops::{Assoc, Infix, Ops, Prefix};

/// Reads the directives of a document: they hold for all of it.
pub(super) fn read(text: &str, file: FileId, ops: &mut Ops, diagnostics: &mut Diagnostics) {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let Some(rest) = line.trim_start().strip_prefix("%%") else {
            continue;
        };
        let mut words = rest.split_whitespace();
        let Some(head) = words.next() else { continue };
        let words: Vec<&str> = words.collect();
        let span = Span::new(file, start as u32, (start + line.trim_end().len()) as u32);
        directive(head, &words, span, ops, diagnostics);
    }
}

fn directive(head: &str, words: &[&str], span: Span, ops: &mut Ops, diagnostics: &mut Diagnostics) {
    let names = |words: &[&str], ops: &Ops| -> Vec<Name> {
        words.iter().map(|word| command_name(word, ops)).collect()
    };
    match head {
        "inop" => {
            let level = words.last().and_then(|w| w.parse::<u16>().ok());
            let Some(level @ 1..=6) = level else {
                let message = "an infix operator needs a level from 1 to 6";
                let problem = Diagnostic::error(&codes::DIRECTIVE, span, message)
                    .help("write `%%inop \\op 4`");
                diagnostics.push(problem);
                return;
            };
            for name in names(&words[..words.len() - 1], ops) {
                ops.add_infix(name, Infix::Function(level * 10, Assoc::Left));
            }
        }
        "postop" => names(words, ops)
            .into_iter()
            .for_each(|n| ops.add_postfix(n)),
        "inrel" => {
            for name in names(words, ops) {
                ops.add_infix(name, Infix::Relation);
            }
        }
        "prerel" => {
            for name in names(words, ops) {
                ops.add_prefix(name, Prefix::Relation);
            }
        }
        "ingen" => {
            for name in names(words, ops) {
                ops.add_infix(name, Infix::Generic(crate::ops::ARROW));
            }
        }
        "pregen" => {
            for name in names(words, ops) {
                ops.add_prefix(name, Prefix::Generic);
            }
        }
        "ignore" => {
            for word in words {
                ops.ignored.insert(Name::new(word.trim_start_matches('\\')));
            }
        }
        "Zword" | "Zinword" | "Zpreword" | "Zpostword" | "Zchar" | "Zinchar" | "Zprechar"
        | "Zpostchar" => {
            let [command, meaning, ..] = words else {
                return;
            };
            let meaning = match meaning.strip_prefix("U+") {
                Some(hex) => u32::from_str_radix(hex, 16)
                    .ok()
                    .and_then(char::from_u32)
                    .map(String::from),
                None => Some(plain_word(meaning, ops)),
            };
            if let Some(meaning) = meaning {
                let command = Name::new(command);
                // What the toolkit spells already keeps its meaning.
                if symbols::by_latex(command.as_str()).is_none() {
                    ops.commands.insert(command, Name::new(&meaning));
                }
            }
        }
        _ => {}
    }
}

/// The text of `%%Zword \cmd text`, with the commands it uses.
fn plain_word(text: &str, ops: &Ops) -> String {
    let mut out = String::new();
    let mut rest = text.trim_matches(|c| c == '{' || c == '}');
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let command: String = rest[at + 1..]
            .chars()
            .take_while(char::is_ascii_alphabetic)
            .collect();
        if command.is_empty() {
            out.push('_');
            rest = rest.get(at + 2..).unwrap_or("");
            continue;
        }
        out.push_str(command_name(&format!("\\{command}"), ops).as_str());
        rest = &rest[at + 1 + command.len()..];
    }
    out.push_str(rest);
    out
}

/// The canonical name of a LaTeX command or word.
fn command_name(text: &str, ops: &Ops) -> Name {
    if let Some(meaning) = ops.commands.get(&Name::new(text)) {
        return *meaning;
    }
    match symbols::by_latex(text) {
        Some(symbol) => Name::new(symbol.unicode),
        None => Name::new(&text.replace("\\_", "_")),
    }
}
