//! Operators: which names are written between, before or after their operands, and how tightly they bind.
//!
//! Standard: ISO 13568, 8.3 (templates); the Z Reference Manual, 3.1.2 for the six levels of fuzz. The two agree on
//! the toolkit but for the domain restrictions and `⊖`, which the standard groups to the right or lower.
//! A name that an operator stands for has places for its operands: `_∪_`, `-_`, `_∼`.

use base::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lex::{Commands, Dialect};

/// How operators of one level group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assoc {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

/// What an infix operator forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// A value: level and grouping; a bigger level binds tighter.
    Function(u16, Assoc),
    /// A predicate.
    Relation,
    /// A set made of sets, to the right; level.
    Generic(u16),
}

/// What a prefix operator forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// A value.
    Function,
    /// A predicate.
    Relation,
    /// A set made of a set.
    Generic,
}

/// The operators of a text.
#[derive(Clone, Debug, Default)]
pub struct Ops {
    infix: FxHashMap<Name, Infix>,
    prefix: FxHashMap<Name, Prefix>,
    postfix: FxHashSet<Name>,
    /// Commands that count as layout.
    pub(crate) ignored: FxHashSet<Name>,
    /// What commands mean.
    pub(crate) commands: Commands,
}

/// The level of the infix generics of the toolkit.
pub(crate) const ARROW: u16 = 5;
/// The level of products, between arrows and functions.
pub(crate) const CROSS: u16 = 8;

const LEVELS: &[(&str, u16, Assoc)] = &[
    ("↦", 10, Assoc::Left),
    ("..", 20, Assoc::Left),
    ("+", 30, Assoc::Left),
    ("-", 30, Assoc::Left),
    ("∪", 30, Assoc::Left),
    ("∖", 30, Assoc::Left),
    ("⊖", 30, Assoc::Left),
    ("⁀", 30, Assoc::Left),
    ("⊎", 30, Assoc::Left),
    ("⩁", 30, Assoc::Left),
    ("*", 40, Assoc::Left),
    ("div", 40, Assoc::Left),
    ("mod", 40, Assoc::Left),
    ("∩", 40, Assoc::Left),
    ("⨾", 40, Assoc::Left),
    ("∘", 40, Assoc::Left),
    ("↾", 40, Assoc::Left),
    ("↿", 40, Assoc::Left),
    ("⊗", 40, Assoc::Left),
    ("⊕", 50, Assoc::Left),
    ("♯", 50, Assoc::Left),
    ("◁", 60, Assoc::Left),
    ("⩤", 60, Assoc::Left),
    ("▷", 60, Assoc::Left),
    ("⩥", 60, Assoc::Left),
];

const RELATIONS: &[&str] = &[
    "≠",
    "∉",
    "⊆",
    "⊂",
    "<",
    ">",
    "≤",
    "≥",
    "prefix",
    "suffix",
    "infix",
    "⋿",
    "⊑",
    "partition",
];
const ARROWS: &[&str] = &["↔", "⇸", "→", "⤔", "↣", "⤀", "↠", "⤖", "⇻", "⤕"];
const PREFIX_GENERICS: &[&str] = &["ℙ_1", "𝔽", "𝔽_1", "seq", "seq_1", "iseq", "bag", "id"];
const POSTFIX: &[&str] = &["∼", "⁺", "⋆"];

impl Ops {
    /// The operators of the toolkit.
    pub fn toolkit(dialect: Dialect) -> Ops {
        let mut ops = Ops::default();
        for (word, level, assoc) in LEVELS {
            let (level, assoc) = match *word {
                "⊖" if dialect.is_iso() => (25, Assoc::Left),
                "↿" if dialect.is_iso() => (45, Assoc::Right),
                "◁" | "⩤" if dialect.is_iso() => (65, Assoc::Right),
                _ => (*level, *assoc),
            };
            ops.add_infix(Name::new(word), Infix::Function(level, assoc));
        }
        for word in RELATIONS {
            ops.add_infix(Name::new(word), Infix::Relation);
        }
        for word in ARROWS {
            ops.add_infix(Name::new(word), Infix::Generic(ARROW));
        }
        for word in PREFIX_GENERICS {
            ops.add_prefix(Name::new(word), Prefix::Generic);
        }
        ops.add_prefix(Name::new("disjoint"), Prefix::Relation);
        ops.add_prefix(Name::new("-"), Prefix::Function);
        ops.add_prefix(Name::new("negate"), Prefix::Function);
        for word in POSTFIX {
            ops.add_postfix(Name::new(word));
        }
        ops
    }

    /// Makes a word an infix operator.
    pub fn add_infix(&mut self, word: Name, infix: Infix) {
        self.infix.insert(word, infix);
    }

    /// Makes a word a prefix operator.
    pub fn add_prefix(&mut self, word: Name, prefix: Prefix) {
        self.prefix.insert(word, prefix);
    }

    /// Makes a word a postfix operator.
    pub fn add_postfix(&mut self, word: Name) {
        self.postfix.insert(word);
    }

    /// The infix operator with this word.
    pub fn infix(&self, word: Name) -> Option<Infix> {
        self.find(word, |ops, word| ops.infix.get(&word).copied())
    }

    /// The prefix operator with this word.
    pub fn prefix(&self, word: Name) -> Option<Prefix> {
        self.find(word, |ops, word| ops.prefix.get(&word).copied())
    }

    /// Whether a word is a prefix operator.
    pub fn is_prefix(&self, word: Name) -> bool {
        self.prefix(word).is_some()
    }

    /// Whether a word is a postfix operator.
    pub fn is_postfix(&self, word: Name) -> bool {
        self.postfix.contains(&word)
    }

    /// All infix operators.
    pub(crate) fn all_infix(&self) -> impl Iterator<Item = (Name, Infix)> {
        self.infix.iter().map(|(word, infix)| (*word, *infix))
    }

    /// All prefix operators.
    pub(crate) fn all_prefix(&self) -> impl Iterator<Item = (Name, Prefix)> {
        self.prefix.iter().map(|(word, prefix)| (*word, *prefix))
    }

    /// All postfix operators.
    pub(crate) fn all_postfix(&self) -> impl Iterator<Item = Name> {
        self.postfix.iter().copied()
    }

    /// An operator may be decorated: `∪'` is one like `∪`.
    fn find<T>(&self, word: Name, get: impl Fn(&Ops, Name) -> Option<T>) -> Option<T> {
        get(self, word).or_else(|| {
            let bare = word.as_str().trim_end_matches(['\'', '?', '!']);
            if bare.len() == word.as_str().len() || bare.is_empty() {
                return None;
            }
            get(self, Name::new(bare))
        })
    }
}
