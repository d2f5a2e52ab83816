//! From a file to a checked specification, and formulas in its scope.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use base::{Class, Diagnostic, Diagnostics, FileId, Name, Sources};
use lang_math::query::Typing;
use lang_math::{Place, Query, TypeId};

use crate::check::{self, Checked};
use crate::lex;
use crate::ops::Ops;
use crate::tree::{Ident, Paragraph, ParagraphKind, TermId, Tree};
use crate::{codes, parse, sort};

/// The mathematical toolkit, in Z.
pub const TOOLKIT: &str = include_str!("toolkit/toolkit.tex");

/// The sections of the standard whose names the toolkit has.
const SECTIONS: &[&str] = &[
    "prelude",
    "set_toolkit",
    "relation_toolkit",
    "function_toolkit",
    "number_toolkit",
    "sequence_toolkit",
    "standard_toolkit",
    "fuzz_toolkit",
];

/// Reads and checks a file; a file that cannot be read is an empty specification with a diagnostic.
pub fn check_file(path: &Path, sources: &mut Sources) -> Checked {
    let (text, problem) = match sources.files().read(path) {
        Ok(bytes) => (decode(&bytes), None),
        Err(error) => (
            String::new(),
            Some(format!("cannot read {}: {error}", path.display())),
        ),
    };
    let file = sources.add(path, text);
    let mut checked = check_text(file, sources);
    if let Some(problem) = problem {
        checked
            .diagnostics
            .push(Diagnostic::global(&codes::UNREADABLE, problem));
    }
    checked
}

/// The text of a file: UTF-8 or Latin-1.
fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Checks a text that is among the sources.
pub fn check_text(file: FileId, sources: &mut Sources) -> Checked {
    let mut diagnostics = Diagnostics::new();
    let text = sources.text(file).to_owned();
    let toolkit_file = sources.add("toolkit.tex", TOOLKIT.to_owned());
    let mut checked = toolkit(toolkit_file);
    checked.dialect = lex::Dialect::of(&text);
    checked.ops = Ops::toolkit(checked.dialect);
    let mut ops = std::mem::take(&mut checked.ops);
    let before = checked.tree.paragraphs.len();
    read(&text, file, &mut ops, &mut checked.tree, &mut diagnostics);
    let own = checked.tree.paragraphs.split_off(before);
    checked.name = name(&own, sources.path(file));
    let mut family = Family {
        folder: sources.path(file).parent().map(Path::to_owned),
        known: Vec::new(),
        ops,
        sources,
    };
    family.parents(&own, &mut checked.tree, &mut diagnostics);
    checked.ops = family.ops;
    checked.tree.paragraphs.extend(own);
    sort::check(&checked.tree, checked.toolkit, &mut diagnostics);
    let mut checked = check::check(checked);
    let found = std::mem::take(&mut checked.diagnostics);
    // A text that cannot be read has no names to speak of: what is undeclared may stand in the unread part.
    let is_unread = diagnostics.has_errors();
    let found = found.iter();
    let found = found.filter(|d| !is_unread || d.code.class != Class::Type);
    let mut all: Vec<Diagnostic> = diagnostics.iter().chain(found).cloned().collect();
    all.sort_by_key(|d| d.primary.as_ref().map(|p| (p.span.file, p.span.start)));
    checked.diagnostics.extend(all);
    checked
}

/// The toolkit, checked; it is read once for a thread.
fn toolkit(file: FileId) -> Checked {
    thread_local! {
        static KNOWN: RefCell<Option<(FileId, Checked)>> = const { RefCell::new(None) };
    }
    KNOWN.with_borrow_mut(|known| match known {
        Some((place, checked)) if *place == file => checked.clone(),
        _ => {
            let checked = read_toolkit(file);
            *known = Some((file, checked.clone()));
            checked
        }
    })
}

fn read_toolkit(file: FileId) -> Checked {
    let dialect = lex::Dialect::Fuzz;
    let mut diagnostics = Diagnostics::new();
    let mut ops = Ops::toolkit(dialect);
    let mut checked = Checked::empty(dialect, Name::new("toolkit"));
    read(TOOLKIT, file, &mut ops, &mut checked.tree, &mut diagnostics);
    assert!(
        !diagnostics.has_errors(),
        "the toolkit reads: {diagnostics:?}"
    );
    checked.ops = ops;
    let mut checked = check::check(checked);
    assert!(
        !checked.diagnostics.has_errors(),
        "the toolkit is well-typed: {:?}",
        checked.diagnostics
    );
    checked.seal_toolkit();
    checked
}

/// Reads a text into a tree.
fn read(text: &str, file: FileId, ops: &mut Ops, tree: &mut Tree, diagnostics: &mut Diagnostics) {
    let mut document = lex::document(text, file, ops, diagnostics);
    parse::declare_templates(&document, ops);
    lex::settle(&mut document, ops);
    let before = tree.paragraphs.len();
    parse::parse_into(&document, ops, tree, diagnostics);
    parse::check_templates(&tree.paragraphs[before..], diagnostics);
}

/// The name of the specification: that of its section, or of its file.
fn name(paragraphs: &[Paragraph], path: &Path) -> Name {
    let section = paragraphs
        .iter()
        .find_map(|paragraph| match &paragraph.kind {
            ParagraphKind::Section(section, _) => Some(section.name),
            _ => None,
        });
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    section.unwrap_or_else(|| Name::new(stem.unwrap_or("specification")))
}

/// Sections that are read because another one has them as parents.
struct Family<'a> {
    folder: Option<PathBuf>,
    known: Vec<Name>,
    ops: Ops,
    sources: &'a mut Sources,
}

impl Family<'_> {
    /// Reads the parents of some paragraphs from files beside them; those that are not there are reported.
    fn parents(
        &mut self,
        paragraphs: &[Paragraph],
        tree: &mut Tree,
        diagnostics: &mut Diagnostics,
    ) {
        for paragraph in paragraphs {
            let ParagraphKind::Section(section, parents) = &paragraph.kind else {
                continue;
            };
            self.known.push(section.name);
            for parent in parents {
                if SECTIONS.contains(&parent.name.as_str()) || self.known.contains(&parent.name) {
                    continue;
                }
                self.known.push(parent.name);
                let Some((path, text)) = self.beside(parent.name) else {
                    let message = format!("the parent section `{}` is not known", parent.name);
                    let problem = Diagnostic::error(&codes::PARENT, parent.span, message)
                        .help("put its file beside this one, under the name of the section");
                    diagnostics.push(problem);
                    continue;
                };
                let file = self.sources.add(path, text.clone());
                let before = tree.paragraphs.len();
                read(&text, file, &mut self.ops, tree, diagnostics);
                let own = tree.paragraphs.split_off(before);
                base::deep::recurse(|| self.parents(&own, tree, diagnostics));
                tree.paragraphs.extend(own);
            }
        }
    }

    fn beside(&self, section: Name) -> Option<(PathBuf, String)> {
        let folder = self.folder.as_ref()?;
        ["tex", "zed", "zed8", "utf8"].iter().find_map(|extension| {
            let path = folder.join(format!("{section}.{extension}"));
            let bytes = self.sources.files().read(&path).ok()?;
            Some((path, decode(&bytes)))
        })
    }
}

/// A formula in the scope of a specification.
#[derive(Clone, Debug)]
pub struct Typed {
    /// Its root.
    pub root: TermId,
    /// Whether it is a predicate.
    pub is_predicate: bool,
    /// Its own names with their types.
    pub names: Vec<(Name, TypeId)>,
}

/// Reads and checks a formula in the notation of a specification, with some variables in scope.
pub fn type_query(
    checked: &mut Checked,
    query: &Query<'_, TypeId>,
    scope: &[(Name, TypeId)],
    diagnostics: &mut Diagnostics,
) -> Option<Typed> {
    let root = read_formula(checked, query.place, diagnostics)?;
    let is_expression = sort::check_formula(&checked.tree, root, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let mut names: Vec<(Name, TypeId)> = Vec::new();
    for name in &query.names {
        let ty = match name.typing {
            Typing::Is(ty) => ty,
            Typing::By(_) | Typing::Inferred => checked.types.fresh(),
        };
        names.push((name.name, ty));
        if let Typing::By(place) = name.typing {
            let predicate = read_formula(checked, place, diagnostics)?;
            let scope: Vec<_> = scope.iter().chain(&names).copied().collect();
            let found = check::check_formula(checked, predicate, false, &scope);
            diagnostics.extend(found.iter().cloned());
        }
    }
    let scope: Vec<_> = scope.iter().chain(&names).copied().collect();
    let found = check::check_formula(checked, root, is_expression, &scope);
    diagnostics.extend(found.iter().cloned());
    if let (Some(expected), Some(ty)) = (query.expected, checked.ty(root)) {
        let span = query.place.span();
        if checked.types.unify(expected, ty, span).is_err() {
            let (expected, found) = (
                check::types::show(&checked.types, expected),
                check::types::show(&checked.types, ty),
            );
            let problem = Diagnostic::error(&codes::TYPE, span, "this has the wrong type")
                .note(format!("expected: {expected}"))
                .note(format!("found: {found}"));
            diagnostics.push(problem);
        }
    }
    for (name, ty) in &names {
        if !checked.types.is_ground(*ty) && !diagnostics.has_errors() {
            let message = format!("nothing tells the type of `{name}`");
            diagnostics.push(Diagnostic::error(
                &codes::AMBIGUOUS,
                query.place.span(),
                message,
            ));
        }
    }
    (!diagnostics.has_errors()).then_some(Typed {
        root,
        is_predicate: !is_expression,
        names,
    })
}

fn read_formula(
    checked: &mut Checked,
    place: Place<'_>,
    diagnostics: &mut Diagnostics,
) -> Option<TermId> {
    let tokens = lex::formula(place, checked.dialect, &checked.ops);
    let mut terms = std::mem::take(&mut checked.tree.terms);
    let root = parse::formula(
        &tokens,
        &checked.ops,
        checked.dialect,
        &mut terms,
        diagnostics,
    );
    checked.tree.terms = terms;
    root
}

/// The names of a formula that neither it binds nor the specification declares, each with its first place.
pub fn free_names(checked: &mut Checked, place: Place<'_>, scope: &[(Name, TypeId)]) -> Vec<Ident> {
    let mut diagnostics = Diagnostics::new();
    let Some(root) = read_formula(checked, place, &mut diagnostics) else {
        return Vec::new();
    };
    let is_expression = sort::check_formula(&checked.tree, root, &mut diagnostics);
    if diagnostics.has_errors() {
        return Vec::new();
    }
    check::undeclared_names(checked, root, is_expression, scope)
}
