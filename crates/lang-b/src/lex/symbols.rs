//! The spellings of tokens: the operator table plus what only the structure of B needs.

use std::sync::LazyLock;

use lang_math::{Binder, Notation, Op};
use rustc_hash::FxHashMap;

use super::Tok;

macro_rules! words {
    ($($word:ident $text:literal,)*) => {
        /// A reserved word that is no operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Word {
            $(#[doc = $text] $word,)*
        }

        impl Word {
            /// Every word.
            const ALL: &'static [Word] = &[$(Word::$word),*];

            /// How it is written.
            pub(crate) fn text(self) -> &'static str {
                match self { $(Word::$word => $text),* }
            }
        }
    };
}

words! {
    AbstractConstants "ABSTRACT_CONSTANTS",
    AbstractVariables "ABSTRACT_VARIABLES",
    Any "ANY",
    Assert "ASSERT",
    Assertions "ASSERTIONS",
    Be "BE",
    Begin "BEGIN",
    Case "CASE",
    Choice "CHOICE",
    ConcreteConstants "CONCRETE_CONSTANTS",
    ConcreteVariables "CONCRETE_VARIABLES",
    Constants "CONSTANTS",
    Constraints "CONSTRAINTS",
    Definitions "DEFINITIONS",
    Do "DO",
    Either "EITHER",
    Else "ELSE",
    Elsif "ELSIF",
    End "END",
    Events "EVENTS",
    Expressions "EXPRESSIONS",
    Extends "EXTENDS",
    FreeTypes "FREETYPES",
    If "IF",
    Implementation "IMPLEMENTATION",
    Imports "IMPORTS",
    In "IN",
    Includes "INCLUDES",
    Initialisation "INITIALISATION",
    Initialization "INITIALIZATION",
    Invariant "INVARIANT",
    Let "LET",
    LocalOperations "LOCAL_OPERATIONS",
    Machine "MACHINE",
    Model "MODEL",
    Of "OF",
    Operations "OPERATIONS",
    Or "OR",
    Pre "PRE",
    Predicates "PREDICATES",
    Promotes "PROMOTES",
    Properties "PROPERTIES",
    Rec "rec",
    Refinement "REFINEMENT",
    Refines "REFINES",
    Sees "SEES",
    Select "SELECT",
    Sets "SETS",
    Skip "skip",
    Struct "struct",
    System "SYSTEM",
    Then "THEN",
    Uses "USES",
    Values "VALUES",
    Var "VAR",
    Variables "VARIABLES",
    Variant "VARIANT",
    When "WHEN",
    Where "WHERE",
    While "WHILE",
    Witness "WITNESS",
}

impl Word {
    /// Whether it opens a clause of a component.
    pub(crate) fn opens_clause(self) -> bool {
        use Word::*;
        matches!(
            self,
            AbstractConstants
                | AbstractVariables
                | Assertions
                | ConcreteConstants
                | ConcreteVariables
                | Constants
                | Constraints
                | Definitions
                | Events
                | Expressions
                | Extends
                | FreeTypes
                | Imports
                | Includes
                | Initialisation
                | Initialization
                | Invariant
                | LocalOperations
                | Operations
                | Predicates
                | Promotes
                | Properties
                | Refines
                | Sees
                | Sets
                | Uses
                | Values
                | Variables
                | Variant
        )
    }

    /// Whether it opens a substitution or expression that ends with `END`.
    pub(crate) fn opens_block(self) -> bool {
        use Word::*;
        matches!(
            self,
            Any | Assert
                | Begin
                | Case
                | Choice
                | Either
                | If
                | Let
                | Pre
                | Select
                | Var
                | While
                | Witness
        )
    }

    /// The word with this text.
    pub(crate) fn from_text(text: &str) -> Option<Word> {
        match KEYWORDS.get(text) {
            Some(Tok::Word(word)) => Some(*word),
            _ => None,
        }
    }

    /// Whether its clause is a list of names.
    pub(crate) fn lists_names(self) -> bool {
        use Word::*;
        matches!(
            self,
            AbstractConstants
                | AbstractVariables
                | ConcreteConstants
                | ConcreteVariables
                | Constants
                | Extends
                | Imports
                | Includes
                | Promotes
                | Refines
                | Sees
                | Uses
                | Variables
        )
    }

    /// The words that open clauses.
    pub(crate) fn clauses() -> impl Iterator<Item = Word> {
        Word::ALL.iter().copied().filter(|word| word.opens_clause())
    }
}

/// Reserved words, of the structure and of the operator table.
pub(super) static KEYWORDS: LazyLock<FxHashMap<&'static str, Tok>> = LazyLock::new(|| {
    let mut words: FxHashMap<&'static str, Tok> = FxHashMap::default();
    for op in Op::ALL.iter().copied().filter(|op| in_text(*op)) {
        if op.ascii().starts_with(|c: char| c.is_ascii_alphabetic()) {
            words.insert(op.ascii(), Tok::Op(op));
        }
    }
    for word in Word::ALL {
        words.insert(word.text(), Tok::Word(*word));
    }
    for (text, binder) in [
        ("SIGMA", Binder::Sum),
        ("PI", Binder::Product),
        ("UNION", Binder::Union),
        ("INTER", Binder::Inter),
    ] {
        words.insert(text, Tok::Binder(binder));
    }
    words
});

/// Whether the lexer makes tokens of an operator: not for those that the parser tells from the context.
fn in_text(op: Op) -> bool {
    !matches!(op.notation(), Notation::Brackets)
        && !matches!(
            op,
            Op::Negate
                | Op::EmptySet
                | Op::EmptySequence
                | Op::Composition
                | Op::SymbolicComposition
                | Op::ParallelProduct
                | Op::Component1
                | Op::Component2
        )
        && !TREE_FUNCTIONS.contains(&op)
}

/// Functions whose names are reserved only where they are called.
const TREE_FUNCTIONS: &[Op] = &[
    Op::Trees,
    Op::BinaryTrees,
    Op::TreeNode,
    Op::TreeTop,
    Op::TreeSons,
    Op::TreePrefix,
    Op::TreePostfix,
    Op::TreeSize,
    Op::TreeMirror,
    Op::TreeRank,
    Op::TreeFather,
    Op::TreeSon,
    Op::Subtree,
    Op::TreeArity,
    Op::BinaryLeaf,
    Op::BinaryNode,
    Op::BinaryLeft,
    Op::BinaryRight,
    Op::TreeInfix,
];

/// The tree function of this name with so many arguments.
pub(crate) fn tree_function(name: &str, arguments: usize) -> Option<Op> {
    TREE_FUNCTIONS
        .iter()
        .copied()
        .find(|op| op.ascii() == name && op.arity() == Some(arguments))
}

/// Spellings that the operator table does not hold.
const ALIASES: &[(&str, Tok)] = &[
    ("(", Tok::LeftParen),
    (")", Tok::RightParen),
    ("{", Tok::LeftBrace),
    ("}", Tok::RightBrace),
    ("[", Tok::LeftBracket),
    ("]", Tok::RightBracket),
    (",", Tok::Comma),
    (";", Tok::Semicolon),
    ("||", Tok::Parallel),
    ("∥", Tok::Parallel),
    ("‖", Tok::Parallel),
    (".", Tok::Dot),
    ("·", Tok::CenterDot),
    ("⋅", Tok::CenterDot),
    ("•", Tok::CenterDot),
    ("|", Tok::Bar),
    ("∣", Tok::Bar),
    ("'", Tok::Prime),
    (":=", Tok::Assign),
    ("≔", Tok::Assign),
    ("::", Tok::BecomesElement),
    (":∈", Tok::BecomesElement),
    ("<--", Tok::Results),
    ("←", Tok::Results),
    ("⟵", Tok::Results),
    ("==", Tok::DefinedAs),
    ("≜", Tok::DefinedAs),
    ("$0", Tok::DollarZero),
    ("∅", Tok::EmptySet),
    ("!", Tok::Binder(Binder::Forall)),
    ("∀", Tok::Binder(Binder::Forall)),
    ("#", Tok::Binder(Binder::Exists)),
    ("∃", Tok::Binder(Binder::Exists)),
    ("%", Tok::Binder(Binder::Lambda)),
    ("λ", Tok::Binder(Binder::Lambda)),
    ("𝜆", Tok::Binder(Binder::Lambda)),
    ("∑", Tok::Binder(Binder::Sum)),
    ("∏", Tok::Binder(Binder::Product)),
    ("⋃", Tok::Binder(Binder::Union)),
    ("⋂", Tok::Binder(Binder::Inter)),
    ("⟹", Tok::Op(Op::Implies)),
    ("⟺", Tok::Op(Op::Equivalent)),
    ("⊊", Tok::Op(Op::StrictSubset)),
    ("∋", Tok::Swapped(Op::Member)),
    ("∌", Tok::Swapped(Op::NotMember)),
    ("⊇", Tok::Swapped(Op::Subset)),
    ("⊃", Tok::Swapped(Op::StrictSubset)),
    ("⊉", Tok::Swapped(Op::NotSubset)),
    ("⊅", Tok::Swapped(Op::NotStrictSubset)),
    ("⊋", Tok::Swapped(Op::StrictSubset)),
    ("⨯", Tok::Op(Op::Cartesian)),
    ("ℕ₁", Tok::Op(Op::Naturals1)),
    ("ℙ₁", Tok::Op(Op::PowerSet1)),
    ("◀", Tok::Op(Op::DomainSubtraction)),
    ("▶", Tok::Op(Op::RangeSubtraction)),
    ("⋖", Tok::Op(Op::Overwrite)),
    ("⁻¹", Tok::Op(Op::Inverse)),
];

/// Symbols found by longest match, in buckets by their first byte.
pub(super) struct Symbols {
    buckets: Vec<Vec<(String, Tok)>>,
}

pub(super) static TABLE: LazyLock<Symbols> = LazyLock::new(|| {
    let mut buckets: Vec<Vec<(String, Tok)>> = vec![Vec::new(); 256];
    let mut add = |text: &str, tok: Tok| {
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let entry = (text.to_string(), tok);
            let bucket = &mut buckets[usize::from(text.as_bytes()[0])];
            if !bucket.contains(&entry) {
                bucket.push(entry);
            }
        }
    };
    let operators = Op::ALL
        .iter()
        .copied()
        .filter(|op| in_text(*op))
        .flat_map(|op| [(op.ascii(), Tok::Op(op)), (op.unicode(), Tok::Op(op))]);
    for (text, tok) in ALIASES.iter().copied().chain(operators) {
        add(text, tok);
        // The Unicode minus may stand in every arrow.
        if text.contains('-') {
            add(&text.replace('-', "−"), tok);
        }
    }
    for bucket in &mut buckets {
        bucket.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
    }
    Symbols { buckets }
});

impl Symbols {
    /// The longest symbol that `rest` starts with, and its length.
    pub(super) fn longest(&self, rest: &str) -> Option<(Tok, usize)> {
        let first = *rest.as_bytes().first()?;
        self.buckets[usize::from(first)]
            .iter()
            .find(|(text, _)| rest.starts_with(text.as_str()))
            .map(|(text, tok)| (*tok, text.len()))
    }
}

/// What to write instead of a symbol that looks like B and is not.
pub(super) fn unusable(symbol: char) -> Option<&'static str> {
    Some(match symbol {
        '⋀' => "write \"&\" or \"∧\"",
        '⋁' => "write \"or\" or \"∨\"",
        '∄' => "write \"not(#x.(…))\"",
        '⊎' => "write \"\\/\" or \"∪\"",
        '⊢' | '⊦' | '⊧' => "write \"=>\" or \"⇒\"",
        '⇐' | '⟸' => "swap the two sides and write \"=>\" or \"⇒\"",
        '∊' => "write \":\" or \"∈\"",
        '∍' => "swap the two sides and write \":\" or \"∈\"",
        _ => return None,
    })
}
