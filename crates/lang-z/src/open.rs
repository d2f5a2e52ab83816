//! From a file to a checked specification, and formulas in its scope.

use std::path::Path;

use base::{Class, Diagnostic, Diagnostics, FileId, Name, Sources};
use lang_math::query::Typing;
use lang_math::{Place, Query, TypeId};

use crate::check::{self, Checked};
use crate::lex;
use crate::ops::Ops;
use crate::tree::{Ident, ParagraphKind, TermId, Tree};
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
    let (text, problem) = match std::fs::read(path) {
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

/// The text of a file: UTF-8, UTF-16 with a mark, or Latin-1.
fn decode(bytes: &[u8]) -> String {
    let wide = |pairs: &[u8], read: fn([u8; 2]) -> u16| {
        let units = pairs.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
        char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    };
    match bytes {
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        },
    }
}

/// Checks a text that is among the sources.
pub fn check_text(file: FileId, sources: &mut Sources) -> Checked {
    let mut diagnostics = Diagnostics::new();
    let text = sources.text(file).to_owned();
    let dialect = lex::Dialect::of(&text);
    let mut ops = Ops::toolkit(dialect);
    let mut tree = Tree::default();
    let toolkit_file = sources.add("toolkit.tex", TOOLKIT.to_owned());
    let toolkit_ops = Ops::toolkit(lex::Dialect::Fuzz);
    read(
        TOOLKIT,
        toolkit_file,
        &mut toolkit_ops.clone(),
        &mut tree,
        &mut diagnostics,
    );
    assert!(
        !diagnostics.has_errors(),
        "the toolkit reads: {diagnostics:?}"
    );
    let toolkit = tree.paragraphs.len();
    let mut own = Tree {
        terms: std::mem::take(&mut tree.terms),
        paragraphs: Vec::new(),
    };
    read(&text, file, &mut ops, &mut own, &mut diagnostics);
    own.paragraphs.splice(0..0, tree.paragraphs);
    let name = parents(&own, sources.path(file), &mut diagnostics);
    sort::check(&own, &mut diagnostics);
    let mut checked = check::check(own, toolkit, dialect, ops, name);
    let mut all: Vec<Diagnostic> = diagnostics
        .iter()
        .chain(checked.diagnostics.iter())
        .cloned()
        .collect();
    // A text that cannot be read has no names to speak of: what is undeclared may stand in the unread part.
    if diagnostics.has_errors() {
        let ordered = |d: &Diagnostic| d.code.class == Class::Type;
        all.retain(|d| !ordered(d));
    }
    all.sort_by_key(|d| d.primary.as_ref().map(|p| (p.span.file, p.span.start)));
    checked.diagnostics = Diagnostics::new();
    checked.diagnostics.extend(all);
    checked
}

/// Reads a text into a tree.
fn read(text: &str, file: FileId, ops: &mut Ops, tree: &mut Tree, diagnostics: &mut Diagnostics) {
    let mut document = lex::document(text, file, ops, diagnostics);
    parse::declare_templates(&document, ops);
    lex::settle(&mut document, ops);
    parse::parse_into(&document, ops, tree, diagnostics);
}

/// The name of the specification; parents that are not known are reported.
fn parents(tree: &Tree, path: &Path, diagnostics: &mut Diagnostics) -> Name {
    let mut name = None;
    let mut own: Vec<Name> = Vec::new();
    for paragraph in &tree.paragraphs {
        let ParagraphKind::Section(section, parents) = &paragraph.kind else {
            continue;
        };
        name.get_or_insert(section.name);
        own.push(section.name);
        for parent in parents {
            if SECTIONS.contains(&parent.name.as_str()) || own.contains(&parent.name) {
                continue;
            }
            let message = format!("the parent section `{}` is not known", parent.name);
            let problem = Diagnostic::error(&codes::PARENT, parent.span, message)
                .help("put the paragraphs of the section into this file");
            diagnostics.push(problem);
        }
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    name.unwrap_or_else(|| Name::new(stem.unwrap_or("specification")))
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
