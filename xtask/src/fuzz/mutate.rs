//! Ways to break a model: the slips of people, the accidents of files, and the malice of generators.

mod words;

use super::random::Random;
use words::{BRACKETS, LINKS, WORDS};

/// What models are broken with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Material<'a> {
    /// A model to splice with.
    pub other: &'a str,
    /// The words of the language.
    pub vocabulary: Vocabulary,
}

/// The words that are put into models of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vocabulary {
    /// Words and symbols of the language, and some that belong to no language.
    pub words: &'static [&'static str],
    /// What can be open, and what would close it.
    pub brackets: &'static [(&'static str, &'static str)],
    /// What can be repeated behind an operand.
    pub links: &'static [&'static str],
}

impl Default for Vocabulary {
    fn default() -> Vocabulary {
        Vocabulary {
            words: WORDS,
            brackets: BRACKETS,
            links: LINKS,
        }
    }
}

/// Breaks `text` in one to four places.
pub(super) fn mutate(text: &str, material: Material<'_>, random: &mut Random) -> String {
    let mut text = text.to_owned();
    loop {
        let mutation = MUTATIONS[random.below(MUTATIONS.len())];
        mutation(&mut text, material, random);
        if !random.one_in(3) {
            return text;
        }
    }
}

type Mutation = fn(&mut String, Material<'_>, &mut Random);

/// Token mutations stand first and often: they reach deepest into the front end.
const MUTATIONS: &[Mutation] = &[
    replace_token,
    replace_token,
    replace_token,
    insert_word,
    insert_word,
    insert_word,
    delete_token,
    delete_token,
    swap_tokens,
    swap_tokens,
    copy_token,
    copy_token,
    change_byte,
    change_byte,
    truncate,
    splice,
    repeat_region,
    nest,
    chain,
];

/// The ranges of the tokens: words, runs of blanks, single symbols.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    #[derive(PartialEq, Clone, Copy)]
    enum Kind {
        Word,
        Blank,
        Symbol,
    }
    let mut tokens: Vec<(usize, usize)> = Vec::new();
    let mut last = Kind::Blank;
    for (at, character) in text.char_indices() {
        let kind = if character.is_alphanumeric() || character == '_' {
            Kind::Word
        } else if character.is_whitespace() {
            Kind::Blank
        } else {
            Kind::Symbol
        };
        let end = at + character.len_utf8();
        match tokens.last_mut() {
            // Runs of up to three symbols are near enough to operators.
            Some(token) if kind == last && (kind != Kind::Symbol || at - token.0 < 3) => {
                token.1 = end;
            }
            _ => tokens.push((at, end)),
        }
        last = kind;
    }
    tokens
}

fn token(text: &str, random: &mut Random) -> (usize, usize) {
    random
        .pick(&tokens(text))
        .copied()
        .unwrap_or((text.len(), text.len()))
}

fn word(material: Material<'_>, random: &mut Random) -> &'static str {
    let words = material.vocabulary.words;
    words[random.below(words.len())]
}

fn replace_token(text: &mut String, material: Material<'_>, random: &mut Random) {
    let (start, end) = token(text, random);
    if random.one_in(3) {
        let (from, to) = token(material.other, random);
        text.replace_range(start..end, &material.other[from..to]);
    } else {
        text.replace_range(start..end, word(material, random));
    }
}

fn insert_word(text: &mut String, material: Material<'_>, random: &mut Random) {
    let (start, _) = token(text, random);
    let blank = if random.one_in(4) { "" } else { " " };
    text.insert_str(start, &format!("{blank}{}{blank}", word(material, random)));
}

fn delete_token(text: &mut String, _: Material<'_>, random: &mut Random) {
    let (start, end) = token(text, random);
    text.replace_range(start..end, "");
}

fn swap_tokens(text: &mut String, _: Material<'_>, random: &mut Random) {
    let tokens = tokens(text);
    let (Some(&one), Some(&two)) = (random.pick(&tokens), random.pick(&tokens)) else {
        return;
    };
    let (first, second) = (one.min(two), one.max(two));
    if first.1 <= second.0 {
        let (left, right) = (
            text[first.0..first.1].to_owned(),
            text[second.0..second.1].to_owned(),
        );
        text.replace_range(second.0..second.1, &left);
        text.replace_range(first.0..first.1, &right);
    }
}

fn copy_token(text: &mut String, _: Material<'_>, random: &mut Random) {
    let (from, to) = token(text, random);
    let copy = text[from..to].to_owned();
    let (start, end) = token(text, random);
    if random.one_in(2) {
        text.replace_range(start..end, &copy);
    } else {
        text.insert_str(end, &copy);
    }
}

fn change_byte(text: &mut String, _: Material<'_>, random: &mut Random) {
    let mut bytes = std::mem::take(text).into_bytes();
    let at = random.below(bytes.len());
    let byte = random.below(256) as u8;
    match random.below(3) {
        0 => bytes.insert(at, byte),
        1 if at < bytes.len() => bytes[at] = byte,
        _ if at < bytes.len() => {
            bytes.remove(at);
        }
        _ => {}
    }
    *text = String::from_utf8_lossy(&bytes).into_owned();
}

fn truncate(text: &mut String, _: Material<'_>, random: &mut Random) {
    let mut at = random.below(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    if random.one_in(4) {
        text.replace_range(..at, "");
    } else {
        text.truncate(at);
    }
}

fn splice(text: &mut String, material: Material<'_>, random: &mut Random) {
    let (start, _) = token(text, random);
    let (from, _) = token(material.other, random);
    text.replace_range(start.., &material.other[from..]);
}

fn repeat_region(text: &mut String, _: Material<'_>, random: &mut Random) {
    let tokens = tokens(text);
    let first = random.below(tokens.len());
    let last = first + random.below(40);
    let (Some(from), Some(to)) = (tokens.get(first), tokens.get(last)) else {
        return;
    };
    let times = if random.one_in(20) {
        200
    } else {
        1 + random.below(4)
    };
    let copies = text[from.0..to.1].repeat(times);
    text.insert_str(to.1, &copies);
}

/// A depth: mostly small, sometimes at the edge of what is permitted, sometimes far beyond.
fn depth(random: &mut Random) -> usize {
    match random.below(40) {
        0 => 20_000,
        1 => 1_900 + random.below(200),
        2..6 => 1 + random.below(1_000),
        _ => 1 + random.below(20),
    }
}

fn nest(text: &mut String, material: Material<'_>, random: &mut Random) {
    let (start, end) = token(text, random);
    let brackets = material.vocabulary.brackets;
    let (open, close) = brackets[random.below(brackets.len())];
    let depth = depth(random);
    if !random.one_in(4) {
        text.insert_str(end, &close.repeat(depth));
    }
    text.insert_str(start, &open.repeat(depth));
}

fn chain(text: &mut String, material: Material<'_>, random: &mut Random) {
    let (_, end) = token(text, random);
    let links = material.vocabulary.links;
    let link = links[random.below(links.len())];
    text.insert_str(end, &link.repeat(depth(random)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutation_copes_with_empty_and_tiny_texts() {
        for text in ["", "é", "a b", "\u{feff}"] {
            let material = Material {
                other: text,
                vocabulary: Vocabulary::default(),
            };
            for (number, mutation) in MUTATIONS.iter().enumerate() {
                for seed in 0..50 {
                    let mut copy = text.to_owned();
                    let mut random = Random::new(seed, number as u64);
                    mutation(&mut copy, material, &mut random);
                }
            }
        }
    }
}
