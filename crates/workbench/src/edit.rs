//! A text as an editor sees it: what is wrong, what its names mean, its outline, its words.
//!
//! Everything follows from what any language says of its texts: diagnostics, declarations with scopes, uses that its checker
//! resolved ([`subject::editor`]) and the words of a text (`words.rs`).
//! Invariant: knows no language, and nothing is kept from one text to the next: the same text gives the same answers.

mod layout;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use base::{FileId, Id, Name, Sources, Span};
use subject::editor::{Definition, DefinitionKind, Lexicon, Operator};
use subject::{Recognised, Style, Text};

use crate::lint::Lint;
use crate::open::Workbench;

pub use words::{Word, WordKind, words};

/// A text and what is known of it.
pub struct Edited {
    /// What is wrong with it, and the texts that were read.
    pub lint: Lint,
    /// The file itself.
    pub file: Option<FileId>,
    lexicon: Lexicon,
    text: Option<Box<dyn Text>>,
    definitions: Vec<Definition>,
    /// For each definition in the file: which are of this name.
    by_name: BTreeMap<Name, Vec<usize>>,
    /// Uses in all files, sorted by place.
    uses: Vec<(Span, usize)>,
}

/// Something that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// What is written.
    pub text: String,
    /// What it is, for people.
    pub detail: String,
    /// What kind of thing.
    pub kind: ProposalKind,
    /// Where that begins which was typed of it already.
    pub from: u32,
    /// The other spelling of an operator.
    pub also: Option<&'static str>,
}

/// What kind of thing a proposal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProposalKind {
    /// A reserved word.
    Keyword,
    /// An operator in one of its spellings.
    Operator,
    /// A name.
    Name(DefinitionKind),
}

/// A part of an outline.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The declaration.
    pub definition: usize,
    /// What is declared inside it.
    pub children: Vec<Entry>,
}

impl Edited {
    /// Reads a file, or the text that stands in its place.
    pub fn read(bench: &Workbench, path: &Path) -> Edited {
        let (lint, text) = bench.read(path);
        let lexicon = match lint.language {
            Some(Recognised::Read(language)) => language.lexicon(),
            _ => Lexicon::default(),
        };
        let names = text.as_ref().map(|text| text.names()).unwrap_or_default();
        let file = file_of(&lint.sources, path).or_else(|| text.as_ref()?.file());
        let mut by_name: BTreeMap<Name, Vec<usize>> = BTreeMap::new();
        for (at, definition) in names.definitions.iter().enumerate() {
            by_name.entry(definition.name).or_default().push(at);
        }
        let mut edited = Edited {
            lint,
            file,
            lexicon,
            text,
            definitions: names.definitions,
            by_name,
            uses: Vec::new(),
        };
        edited.resolve(names.uses);
        edited
    }

    /// What every word that is a name stands for: as the checker says, else by the scopes of declarations.
    fn resolve(&mut self, known: Vec<(Span, usize)>) {
        let sources = &self.lint.sources;
        let known = known.into_iter().filter(|(span, definition)| {
            sources.slice(*span) == self.definitions[*definition].name.as_str()
        });
        let known: BTreeMap<Span, usize> = known.collect();
        let mut uses: Vec<(Span, usize)> = Vec::new();
        for file in (0..sources.count()).map(Id::new) {
            for word in words(sources.text(file), &self.lexicon) {
                if word.kind != WordKind::Name {
                    continue;
                }
                let span = Span::new(file, word.start, word.end);
                let found = match known.get(&span) {
                    Some(definition) => Some(*definition),
                    None => self.by_scope(span),
                };
                uses.extend(found.map(|definition| (span, definition)));
            }
        }
        // Parts of words: a name with a stroke behind it.
        let words: BTreeSet<Span> = uses.iter().map(|(span, _)| *span).collect();
        uses.extend(known.into_iter().filter(|(span, _)| !words.contains(span)));
        // Names that are no words: those in quotation marks.
        let words: BTreeSet<Span> = uses.iter().map(|(span, _)| *span).collect();
        let declared = self.definitions.iter().enumerate();
        let declared = declared.map(|(at, one)| (one.span, at));
        uses.extend(declared.filter(|(span, _)| !words.contains(span)));
        uses.sort_unstable();
        uses.dedup_by_key(|(span, _)| *span);
        self.uses = uses;
    }

    /// The nearest declaration of a name at a place.
    fn by_scope(&self, span: Span) -> Option<usize> {
        let text = self.lint.sources.slice(span);
        let candidates = self.by_name.get(&Name::new(text))?.iter().copied();
        let visible = candidates.filter(|at| {
            let definition = &self.definitions[*at];
            definition.span == span || definition.scope.is_none_or(|scope| scope.contains(span))
        });
        let width = |at: usize| match self.definitions[at].scope {
            Some(scope) => scope.end - scope.start,
            None => u32::MAX,
        };
        visible.min_by_key(|at| {
            let definition = &self.definitions[*at];
            let own = definition.span != span;
            let elsewhere = definition.span.file != span.file;
            (own, width(*at), elsewhere, definition.span)
        })
    }

    /// The text of the file.
    pub fn text(&self) -> &str {
        self.file.map_or("", |file| self.lint.sources.text(file))
    }

    /// A declaration.
    pub fn definition(&self, at: usize) -> &Definition {
        &self.definitions[at]
    }

    /// The name at an offset and its declaration.
    pub fn name_at(&self, offset: u32) -> Option<(Span, usize)> {
        let file = self.file?;
        let end = self
            .uses
            .partition_point(|(span, _)| (span.file, span.start) <= (file, offset));
        let mut before = self.uses[..end]
            .iter()
            .rev()
            .take_while(|(span, _)| span.file == file);
        before.find(|(span, _)| span.end >= offset).copied()
    }

    /// All places of a name, its declaration among them.
    pub fn places(&self, definition: usize) -> Vec<Span> {
        let uses = self.uses.iter().filter(|(_, at)| *at == definition);
        uses.map(|(span, _)| *span).collect()
    }

    /// What an editor shows of a name: what it is, its type, and how it is declared.
    pub fn about(&self, definition: usize) -> (String, Option<String>) {
        let one = &self.definitions[definition];
        let head = match &one.type_text {
            Some(ty) => format!("{} : {ty}", one.name),
            None => one.name.to_string(),
        };
        let written = self.lint.sources.slice(one.whole);
        let is_short = written.len() < 400 && one.whole != one.span;
        let written = Some(written.to_owned()).filter(|_| is_short);
        (format!("{} ({})", head, one.kind.word()), written)
    }

    /// The outline of the file.
    pub fn outline(&self) -> Vec<Entry> {
        let Some(file) = self.file else {
            return Vec::new();
        };
        let mut own: Vec<usize> = (0..self.definitions.len())
            .filter(|at| {
                let one = &self.definitions[*at];
                one.span.file == file
                    && !matches!(one.kind, DefinitionKind::Local | DefinitionKind::Parameter)
            })
            .collect();
        own.sort_by_key(|at| {
            let whole = self.definitions[*at].whole;
            (whole.start, u32::MAX - whole.end)
        });
        let mut at = 0;
        self.entries(&own, &mut at, None)
    }

    fn entries(&self, own: &[usize], at: &mut usize, inside: Option<Span>) -> Vec<Entry> {
        let mut entries = Vec::new();
        while let Some(definition) = own.get(*at).copied() {
            let whole = self.definitions[definition].whole;
            if inside.is_some_and(|inside| !inside.contains(whole)) {
                break;
            }
            *at += 1;
            // Declarations nest as deep as a language lets them: a component, an event.
            let children = base::deep::recurse(|| self.entries(own, at, Some(whole)));
            entries.push(Entry {
                definition,
                children,
            });
        }
        entries
    }

    /// The words of the file with what names among them are.
    pub fn colours(&self) -> Vec<(Word, Option<DefinitionKind>)> {
        let Some(file) = self.file else {
            return Vec::new();
        };
        let words = words(self.text(), &self.lexicon).into_iter();
        words
            .map(|word| {
                let span = Span::new(file, word.start, word.end);
                let at = self.uses.binary_search_by_key(&span, |(span, _)| *span);
                let kind = at.ok().map(|at| self.definitions[self.uses[at].1].kind);
                (word, kind)
            })
            .collect()
    }

    /// What can be written at an offset: names that are visible there, words and operators of the language.
    pub fn proposals(&self, offset: u32) -> Vec<Proposal> {
        let Some(file) = self.file else {
            return Vec::new();
        };
        let offset = self.text().floor_char_boundary(offset as usize) as u32;
        let begun = begun(&self.text()[..offset as usize], &self.lexicon);
        let here = Span::new(file, offset, offset);
        let mut proposals: BTreeMap<String, Proposal> = BTreeMap::new();
        for one in &self.definitions {
            // What belongs to a record or a schema is used where that is.
            let is_field = one.kind == DefinitionKind::Field;
            if !is_field && one.scope.is_some_and(|scope| !scope.contains(here)) {
                continue;
            }
            let detail = match &one.type_text {
                Some(ty) => format!("{}, {ty}", one.kind.word()),
                None => one.kind.word().to_owned(),
            };
            let text = one.name.to_string();
            let proposal = Proposal {
                text: text.clone(),
                detail,
                kind: ProposalKind::Name(one.kind),
                from: begun.word,
                also: None,
            };
            proposals.insert(text, proposal);
        }
        let keywords = self.lexicon.keywords.iter().map(|text| Proposal {
            text: (*text).to_owned(),
            detail: "word of the language".to_owned(),
            kind: ProposalKind::Keyword,
            from: begun.word,
            also: None,
        });
        let operators = self.lexicon.operators.iter().flat_map(|operator| {
            let from = begun.operator(*operator);
            let spelled = |text: &str, other: &'static str| Proposal {
                text: text.to_owned(),
                detail: match text == other {
                    true => "operator".to_owned(),
                    false => format!("operator, also {other}"),
                },
                kind: ProposalKind::Operator,
                from,
                also: (text != other).then_some(other),
            };
            let symbol = spelled(operator.unicode, operator.ascii);
            let symbol = (operator.unicode != operator.ascii).then_some(symbol);
            [Some(spelled(operator.ascii, operator.unicode)), symbol]
        });
        let rest = keywords.chain(operators.flatten());
        proposals.into_values().chain(rest).collect()
    }

    /// Parts of the file that can be folded away: declarations, blocks and comments of several lines.
    pub fn folds(&self) -> Vec<Span> {
        let Some(file) = self.file else {
            return Vec::new();
        };
        let text = self.text();
        let mut folds: Vec<Span> = Vec::new();
        let mut open: Vec<(&str, u32)> = Vec::new();
        for word in words(text, &self.lexicon) {
            let written = &text[word.start as usize..word.end as usize];
            match word.kind {
                WordKind::Comment => folds.push(Span::new(file, word.start, word.end)),
                WordKind::Keyword | WordKind::Operator => {
                    if self.lexicon.blocks.iter().any(|(_, end)| *end == written) {
                        if let Some((_, start)) = open.pop() {
                            folds.push(Span::new(file, start, word.end));
                        }
                    } else if self
                        .lexicon
                        .blocks
                        .iter()
                        .any(|(begin, _)| *begin == written)
                    {
                        open.push((written, word.start));
                    }
                }
                _ => {}
            }
        }
        let own = self.definitions.iter().filter(|one| one.span.file == file);
        folds.extend(own.map(|one| one.whole));
        let line = |offset: u32| self.lint.sources.position(file, offset).line;
        folds.retain(|fold| line(fold.start) < line(fold.end));
        folds.sort_unstable();
        folds.dedup_by_key(|fold| line(fold.start));
        folds
    }

    /// Types that the text does not write, with the places after which they can be shown.
    pub fn hints(&self) -> Vec<(u32, String)> {
        let own = self.definitions.iter();
        let own = own.filter(|one| Some(one.span.file) == self.file && !one.is_typed);
        let hints = own.filter_map(|one| Some((one.span.end, one.type_text.clone()?)));
        let mut hints: Vec<(u32, String)> = hints.collect();
        hints.sort_unstable();
        hints.dedup();
        hints
    }

    /// The events of the file: where their names stand.
    pub fn events(&self) -> Vec<&Definition> {
        let own = self.definitions.iter();
        own.filter(|one| Some(one.span.file) == self.file && one.kind == DefinitionKind::Event)
            .collect()
    }

    /// All declarations, of other files too.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The text laid out as its language prints it, with all its words and comments; `None` if it has errors.
    pub fn formatted(&self) -> Option<String> {
        let has_errors = self.lint.diagnostics.has_errors();
        let text = self.text.as_ref().filter(|_| !has_errors)?;
        let file = self.file?;
        // Operators are written as the text writes them.
        let printed = [false, true].map(|unicode| text.print_in_place(file, Style { unicode }));
        let printed = printed.iter().flatten().map(String::as_str);
        Some(layout::laid_out(self.text(), printed, &self.lexicon))
    }

    /// Whether a text is one word that can be a name.
    pub fn is_name(&self, text: &str) -> bool {
        match words(text, &self.lexicon).as_slice() {
            [word] => {
                word.kind == WordKind::Name && word.end as usize == text.len() && word.start == 0
            }
            _ => false,
        }
    }
}

/// The file that was asked for, among those that were read.
fn file_of(sources: &Sources, path: &Path) -> Option<FileId> {
    let mut files = (0..sources.count()).map(Id::new);
    files.find(|file| sources.path(*file) == path)
}

/// What was typed before a place.
struct Begun<'a> {
    before: &'a str,
    lexicon: &'a Lexicon,
    /// Where the word before the place begins.
    word: u32,
}

fn begun<'a>(before: &'a str, lexicon: &'a Lexicon) -> Begun<'a> {
    let word = before.trim_end_matches(|c| is_of_name(c, lexicon)).len() as u32;
    Begun {
        before,
        lexicon,
        word,
    }
}

impl Begun<'_> {
    /// Where an operator begins of which a part was typed, in one of its spellings.
    fn operator(&self, operator: Operator) -> u32 {
        let spellings = [operator.ascii, operator.unicode];
        let typed = spellings.map(|spelling| {
            let mut lengths = spelling
                .char_indices()
                .map(|(at, c)| at + c.len_utf8())
                .rev();
            let is_word = spelling.starts_with(|c| is_of_name(c, self.lexicon));
            let fits = |length: &usize| {
                let rest = self.before.strip_suffix(&spelling[..*length]);
                // A part of a longer word is not the beginning of this one.
                rest.is_some_and(|rest| {
                    !is_word || !rest.ends_with(|c| is_of_name(c, self.lexicon))
                })
            };
            lengths.find(fits).unwrap_or(0)
        });
        (self.before.len() - typed[0].max(typed[1])) as u32
    }
}

fn is_of_name(c: char, lexicon: &Lexicon) -> bool {
    c.is_alphanumeric() || c == '_' || lexicon.in_names.contains(c)
}
