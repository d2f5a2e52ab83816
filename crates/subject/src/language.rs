//! A language is a value: how a text is recognised, read, printed and opened.

use std::fmt;
use std::path::Path;

use base::{Code, Diagnostics, FileId, Name, Sources, Span};

use crate::Subject;
use crate::editor::{Lexicon, Names};
use crate::setting::{Reading, Setting};

/// A language.
pub trait Language: Send + Sync {
    /// The name in reports for programs: `b`.
    fn id(&self) -> &'static str;

    /// The name in messages for people: `classical B`.
    fn name(&self) -> &'static str;

    /// The extensions of its files, in small letters, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// Whether a text that begins like this, after blanks and comments, is written in it.
    fn recognises(&self, beginning: &str) -> bool;

    /// Whether a folder holds a model in it.
    fn recognises_folder(&self, _folder: &Path) -> bool {
        false
    }

    /// Whether [`Language::read`] says by itself that a file cannot be read.
    fn reports_unreadable(&self) -> bool {
        false
    }

    /// Every diagnostic code that it may use.
    fn codes(&self) -> Vec<&'static Code>;

    /// Reads and checks a file with all that it refers to.
    fn read(&self, path: &Path, reading: &Reading, sources: &mut Sources) -> Read;

    /// What a setting asks for that has no meaning in the language, one message each.
    fn misfits(&self, setting: &Setting, reading: &Reading) -> Vec<String>;

    /// The language in one page of Markdown, for somebody who knows others of its kind.
    fn sheet(&self) -> &'static str {
        ""
    }

    /// How its texts are cut into words, for editors.
    fn lexicon(&self) -> Lexicon {
        Lexicon::default()
    }

    /// A context in which formulas can stand without a file, where the language has one.
    fn nothing(&self, _sources: &mut Sources) -> Option<Read> {
        None
    }
}

impl fmt::Debug for dyn Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// What was read.
pub struct Read {
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
    /// What is inside, for a file that holds several components.
    pub components: Vec<String>,
    /// The text, as far as it was understood; it can be opened when there are no errors.
    pub text: Box<dyn Text>,
}

/// How a text is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// With mathematical symbols instead of ASCII.
    pub unicode: bool,
}

/// A checked text.
pub trait Text {
    /// Opens it.
    fn open(self: Box<Self>, setting: &Setting) -> Result<Box<dyn Subject>, Diagnostics>;

    /// The text in normalised notation; `None` where there is no component to print.
    fn print(&self, style: Style) -> Option<String>;

    /// What stands in one file in normalised notation, its parts in the order in which they stand there: for formatting it.
    fn print_in_place(&self, _file: FileId, style: Style) -> Option<String> {
        self.print(style)
    }

    /// The components and how they refer to each other.
    fn hierarchy(&self) -> Hierarchy {
        Hierarchy::default()
    }

    /// What is wrong with a formula, or what it is.
    fn check_formula(&mut self, text: &str, sources: &mut Sources) -> CheckedFormula;

    /// The temporal formulas that the text carries.
    fn temporal_definitions(&self) -> Vec<TemporalDefinition> {
        Vec::new()
    }

    /// A formula in the language's own notation of temporal logic, in the notation that all languages share; `None` where
    /// the language has none of its own.
    fn temporal_formula(
        &mut self,
        _text: &str,
        _sources: &mut Sources,
    ) -> Option<Result<String, Diagnostics>> {
        None
    }

    /// The main file, when there is one.
    fn file(&self) -> Option<FileId>;

    /// What it declares and uses, for editors.
    fn names(&self) -> Names {
        Names::default()
    }
}

/// Whether a formula is a predicate or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaKind {
    /// It is true or false.
    Predicate,
    /// It has a value.
    Expression,
}

/// What was found about a formula.
#[derive(Debug)]
pub struct CheckedFormula {
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
    /// What it is, when nothing is wrong.
    pub kind: Option<FormulaKind>,
    /// The type of an expression.
    pub type_text: Option<String>,
}

/// A temporal formula that a text carries.
#[derive(Clone, Debug)]
pub struct TemporalDefinition {
    /// Its name.
    pub name: Name,
    /// Whether it is about branching time.
    pub is_branching: bool,
    /// The formula; `None` when the definition is none.
    pub text: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// What one component makes of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// It is a refinement of it.
    Refines,
    /// It uses it, as this word says.
    Uses(&'static str),
}

impl LinkKind {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            LinkKind::Refines => "REFINES",
            LinkKind::Uses(word) => word,
        }
    }
}

/// Components and links between them, the main one first.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    /// The names of the components.
    pub names: Vec<String>,
    /// From, to, and what the link is.
    pub links: Vec<(usize, usize, LinkKind)>,
}

impl Hierarchy {
    /// The number of a component, which is added if it is new.
    pub fn node(&mut self, name: &str) -> usize {
        match self.names.iter().position(|known| known == name) {
            Some(at) => at,
            None => {
                self.names.push(name.to_owned());
                self.names.len() - 1
            }
        }
    }

    /// Adds a link.
    pub fn link(&mut self, from: usize, to: &str, kind: LinkKind) {
        let to = self.node(to);
        let link = (from, to, kind);
        if !self.links.contains(&link) {
            self.links.push(link);
        }
    }
}

/// A language that is only known by name, so that the answer can be "not supported yet" instead of a page of syntax
/// errors.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The name in reports for programs.
    pub id: &'static str,
    /// The name in messages for people.
    pub name: &'static str,
    /// The extensions of its files.
    pub extensions: &'static [&'static str],
    /// Whether a text that begins like this, after blanks and comments, is written in it.
    pub recognises: fn(&str) -> bool,
}

/// The language of a file, read or only known.
#[derive(Clone, Copy)]
pub enum Recognised {
    /// One that can be read.
    Read(&'static dyn Language),
    /// One that cannot.
    Known(&'static Known),
}

impl Recognised {
    /// The name in reports for programs.
    pub fn id(self) -> &'static str {
        match self {
            Recognised::Read(language) => language.id(),
            Recognised::Known(known) => known.id,
        }
    }

    /// The name in messages for people.
    pub fn name(self) -> &'static str {
        match self {
            Recognised::Read(language) => language.name(),
            Recognised::Known(known) => known.name,
        }
    }
}

impl fmt::Debug for Recognised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The languages that a program links, and those that it only knows by name.
#[derive(Clone, Copy)]
pub struct Languages {
    /// Those that can be read.
    pub read: &'static [&'static dyn Language],
    /// Those that cannot.
    pub known: &'static [Known],
}

impl fmt::Debug for Languages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.read.iter().map(|language| language.id());
        f.debug_list().entries(ids).finish()
    }
}

impl Languages {
    /// The language of an id.
    pub fn by_id(&self, id: &str) -> Option<&'static dyn Language> {
        self.read.iter().copied().find(|known| known.id() == id)
    }

    /// The language that the extension of a path stands for, in any letter case.
    pub fn by_extension(&self, path: &Path) -> Option<Recognised> {
        let extension = extension(path)?;
        self.find(
            |language| language.extensions().contains(&extension.as_str()),
            |known| known.extensions.contains(&extension.as_str()),
        )
    }

    /// The language that a text with this beginning is written in.
    pub fn by_content(&self, text: &str) -> Option<Recognised> {
        let text = after_comments(text);
        self.find(
            |language| language.recognises(text),
            |known| (known.recognises)(text),
        )
    }

    /// The language whose model a folder holds.
    pub fn by_folder(&self, folder: &Path) -> Option<Recognised> {
        self.find(|language| language.recognises_folder(folder), |_| false)
    }

    fn find(
        &self,
        is_read: impl Fn(&dyn Language) -> bool,
        is_known: impl Fn(&Known) -> bool,
    ) -> Option<Recognised> {
        let mut read = self.read.iter().copied();
        let found = read.find(|language| is_read(*language));
        found.map(Recognised::Read).or_else(|| {
            let mut known = self.known.iter();
            known.find(|known| is_known(known)).map(Recognised::Known)
        })
    }
}

/// The first word of a text.
pub fn first_word(text: &str) -> &str {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.next().unwrap_or_default()
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// `text` without the blanks and comments (`/* */`, `//`) it begins with.
fn after_comments(mut text: &str) -> &str {
    text = text.trim_start_matches('\u{feff}');
    loop {
        text = text.trim_start();
        let rest = if let Some(comment) = text.strip_prefix("/*") {
            comment.split_once("*/")
        } else if let Some(comment) = text.strip_prefix("//") {
            comment.split_once('\n')
        } else {
            return text;
        };
        text = rest.map_or("", |(_, rest)| rest);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Known, Languages, first_word};

    static KNOWN: [Known; 2] = [
        Known {
            id: "one",
            name: "One",
            extensions: &["one"],
            recognises: |text| first_word(text) == "MACHINE",
        },
        Known {
            id: "two",
            name: "Two",
            extensions: &["two", "2"],
            recognises: |text| text.starts_with("----") && text.contains("MODULE"),
        },
    ];

    const LANGUAGES: Languages = Languages {
        read: &[],
        known: &KNOWN,
    };

    #[test]
    fn extensions_decide_in_any_letter_case() {
        let id = |path: &str| LANGUAGES.by_extension(Path::new(path)).map(|one| one.id());
        assert_eq!(id("a/b.one"), Some("one"));
        assert_eq!(id("B.TWO"), Some("two"));
        assert_eq!(id("b.2"), Some("two"));
        assert_eq!(id("b.txt"), None);
        assert_eq!(id("one"), None);
    }

    #[test]
    fn the_beginning_after_comments_decides() {
        let id = |text: &str| LANGUAGES.by_content(text).map(|one| one.id());
        assert_eq!(id("MACHINE M END"), Some("one"));
        assert_eq!(
            id("\u{feff}/* a machine */ // of ours\n\nMACHINE R"),
            Some("one")
        );
        assert_eq!(id("MACHINERY"), None);
        assert_eq!(id("---- MODULE Clock ----"), Some("two"));
        assert_eq!(id("/* never closed"), None);
        assert_eq!(id(""), None);
    }
}
