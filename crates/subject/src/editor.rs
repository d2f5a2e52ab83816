//! What an editor asks of a language and of a text: its words, what it declares, and where its names are used.
//!
//! A language says how its texts are cut into words ([`Lexicon`]), and a checked text which names it declares ([`Names`]); everything
//! else (outline, hover, references, completion, colours) follows from these and is done once, in `workbench::edit`.
//! Invariant: both exist for texts with errors too, as far as they were understood.

use base::{Name, Span};

/// How texts of a language are cut into words, and which words it has.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    /// Its reserved words.
    pub keywords: Vec<&'static str>,
    /// Its operators.
    pub operators: Vec<Operator>,
    /// What begins a comment that ends with the line.
    pub line_comments: &'static [&'static str],
    /// What begins a comment, and what ends it.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// What a name may have besides letters, digits and `_`, but not as its first character.
    pub in_names: &'static str,
    /// Pairs of words that enclose something, for folding; the second closes the last first one that is open.
    pub blocks: &'static [(&'static str, &'static str)],
}

/// An operator in its spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operator {
    /// In ASCII.
    pub ascii: &'static str,
    /// As a symbol; the same where there is none.
    pub unicode: &'static str,
}

/// What a name is declared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefinitionKind {
    /// A machine, context, section or program.
    Component,
    /// A set or a type.
    Set,
    /// An element of a set that lists its elements.
    Element,
    /// Something that never changes.
    Constant,
    /// Something that changes.
    Variable,
    /// Something that can happen, or a part of it: an operation, a rule, a process, a routine, a schema.
    Event,
    /// A parameter or result.
    Parameter,
    /// A name bound in a formula, or a local variable.
    Local,
    /// A definition or macro.
    Macro,
    /// A predicate with a name.
    Property,
    /// A formula of linear temporal logic with a name.
    Linear,
    /// A formula of branching temporal logic with a name.
    Branching,
    /// A field of a record.
    Field,
}

impl DefinitionKind {
    /// The word for people.
    pub fn word(self) -> &'static str {
        match self {
            DefinitionKind::Component => "component",
            DefinitionKind::Set => "set",
            DefinitionKind::Element => "element",
            DefinitionKind::Constant => "constant",
            DefinitionKind::Variable => "variable",
            DefinitionKind::Event => "event",
            DefinitionKind::Parameter => "parameter",
            DefinitionKind::Local => "local name",
            DefinitionKind::Macro => "definition",
            DefinitionKind::Property => "property",
            DefinitionKind::Linear => "LTL formula",
            DefinitionKind::Branching => "CTL formula",
            DefinitionKind::Field => "field",
        }
    }
}

/// A name that a text declares.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name.
    pub name: Name,
    /// What it is.
    pub kind: DefinitionKind,
    /// Where the name stands.
    pub span: Span,
    /// All that belongs to it, the name included.
    pub whole: Span,
    /// Where the name means this; `None`: wherever nothing nearer has the name.
    pub scope: Option<Span>,
    /// Its type, in the notation of the language.
    pub type_text: Option<String>,
    /// Whether the text writes the type or value beside the name, so that an editor need not show it there.
    pub is_typed: bool,
}

/// What a text declares, and where it uses that.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The declarations, of the files that were read too.
    pub definitions: Vec<Definition>,
    /// Uses that the checker resolved: where, and the position of the declaration. A use that is not here is resolved by
    /// the scopes of the declarations.
    pub uses: Vec<(Span, usize)>,
}
