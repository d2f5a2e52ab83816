//! The built-in files agree with themselves, with the parser and with the page that describes them.

use std::collections::BTreeSet;
use std::fmt::Write;

use base::Sources;
use lang_math::Sort;

use super::entries::{Entry, read};
use super::*;
use crate::parse::{Parsed, component};
use crate::syntax::{ClauseBody, Component, ComponentKind, Definition, Macro, MacroBody};

#[test]
fn files_are_found_by_last_component_and_without_regard_to_case() {
    let strings = definition_file("LibraryStrings.def");
    assert!(strings.is_some());
    assert_eq!(definition_file("../lib/LibraryStrings.def"), strings);
    assert_eq!(definition_file(r"..\lib\LibraryStrings.def"), strings);
    assert_eq!(definition_file("LibrarySTRINGS.def"), strings);
    assert_eq!(definition_file("Choose.def"), definition_file("CHOOSE.def"));
    assert_eq!(definition_file("LibraryStrings"), None);
    assert_eq!(definition_file(""), None);
    assert_eq!(machine_file("LibraryMath"), machine_file("LibraryMath.mch"));
    assert!(machine_file("LibraryMath").is_some());
    assert_eq!(machine_file("LibraryIO"), None);
}

#[test]
fn every_name_is_declared_once_in_all_files() {
    let mut seen = BTreeSet::new();
    for (file, entry) in all() {
        assert!(seen.insert(entry.name), "{} again in {file}", entry.name);
    }
}

#[test]
fn every_declaration_follows_its_definition_and_fits_it() {
    for (file, entry) in all() {
        let name = entry.name;
        assert_eq!(
            Kind::of_declaration(name),
            None,
            "{file}: {name} declares nothing above it"
        );
        assert!(
            entry.meaning.ends_with('.'),
            "{file}: {name} lacks a meaning"
        );
        for tag in &entry.tags {
            assert!(
                ["output", "random", "outside", "order", "variadic"].contains(tag),
                "{file}: {name} has the unknown tag {tag}"
            );
        }
        let Some(declaration) = &entry.declaration else {
            assert!(entry.tags.is_empty(), "{file}: {name} is not external");
            continue;
        };
        assert_eq!(
            factors(declaration.kind, declaration.declared, &entry.parameters),
            entry.parameters.len(),
            "{file}: {name} has as many parameters as its type has factors"
        );
    }
}

#[test]
fn the_table_knows_every_declared_external() {
    let declared = all().filter(|(_, entry)| entry.declaration.is_some());
    assert_eq!(declared.count(), EXTERNALS.len());
    for (name, kind, arity, purity, order_breaking) in [
        ("STRING_LENGTH", Kind::Function, 1, Purity::Pure, false),
        ("CHOOSE", Kind::Function, 1, Purity::Pure, true),
        ("SORT", Kind::Function, 1, Purity::Pure, true),
        ("TO_STRING", Kind::Function, 1, Purity::Pure, true),
        ("ARGC", Kind::Function, 0, Purity::Outside, false),
        ("printf", Kind::Predicate, 2, Purity::Output, false),
        ("PRINT", Kind::Substitution, 1, Purity::Output, false),
        ("random_element", Kind::Function, 1, Purity::Random, false),
    ] {
        let known = external(name).unwrap_or_else(|| panic!("{name} is unknown"));
        assert_eq!(
            (known.kind, known.arity, known.purity, known.order_breaking),
            (kind, arity, purity, order_breaking),
            "{name}"
        );
    }
    assert_eq!(external("CHOOSE").map(|e| e.file), Some("CHOOSE.def"));
    assert_eq!(external("NO_SUCH_FUNCTION"), None);
}

#[test]
fn included_files_are_built_in() {
    for (name, text) in DEFINITION_FILES.iter().chain(MACHINE_FILES) {
        for line in text.lines().filter(|line| line.contains(".def\"")) {
            let file = line.split('"').nth(1).unwrap_or_default();
            assert!(definition_file(file).is_some(), "{name} includes {file}");
        }
    }
}

#[test]
fn the_parser_reads_every_file_and_finds_the_same_definitions() {
    let mut sources = Sources::new();
    for (file, text) in DEFINITION_FILES {
        let id = sources.add(*file, (*text).to_owned());
        let parsed = component(id, text);
        assert_eq!(messages(&parsed), Vec::<String>::new(), "{file}");
        assert_eq!(
            parsed.component.kind,
            ComponentKind::DefinitionFile,
            "{file}"
        );
        let found: Vec<_> = macros(&parsed.component).map(|m| m.name.as_str()).collect();
        let wanted: Vec<_> = read(text)
            .iter()
            .flat_map(|entry| {
                let declaration = entry
                    .declaration
                    .as_ref()
                    .map(|declaration| format!("{}{}", declaration.kind.prefix(), entry.name));
                std::iter::once(entry.name.to_owned()).chain(declaration)
            })
            .collect();
        assert_eq!(found, wanted, "{file}");
    }
    for (file, text) in MACHINE_FILES {
        let id = sources.add(*file, (*text).to_owned());
        let parsed = component(id, text);
        assert_eq!(messages(&parsed), Vec::<String>::new(), "{file}");
        assert_eq!(parsed.component.name.as_str(), *file);
    }
}

#[test]
fn bodies_are_of_the_declared_kind_and_parameters_are_those_of_the_table() {
    for (file, text) in DEFINITION_FILES {
        let id = Sources::new().add(*file, (*text).to_owned());
        let parsed = component(id, text);
        let tree = &parsed.component.tree;
        for definition in macros(&parsed.component) {
            let name = definition.name.as_str();
            let Some(known) = external(name) else {
                continue;
            };
            assert_eq!(definition.parameters.len(), known.arity, "{file}: {name}");
            let kind = match definition.body {
                MacroBody::Substitution(_) => Kind::Substitution,
                MacroBody::Formula(body) if tree.exprs.sort(body) == Some(Sort::Predicate) => {
                    Kind::Predicate
                }
                _ => Kind::Function,
            };
            assert_eq!(kind, known.kind, "{file}: {name}");
        }
    }
}

/// Set `BLESS=1` to write the tables of the page anew.
#[test]
fn the_library_page_lists_every_function() {
    const BEGIN: &str = "<!-- tables: begin -->\n";
    const END: &str = "<!-- tables: end -->";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/library.md");
    let page = std::fs::read_to_string(path).expect("docs/library.md can be read");
    let (before, rest) = page.split_once(BEGIN).expect("the tables have a begin");
    let (found, after) = rest.split_once(END).expect("the tables have an end");
    let wanted = tables();
    if std::env::var_os("BLESS").is_some() {
        let page = format!("{before}{BEGIN}{wanted}{END}{after}");
        std::fs::write(path, page).expect("docs/library.md can be written");
    } else {
        assert!(
            found == wanted,
            "docs/library.md is out of date; run BLESS=1 cargo test -p lang-b library_page"
        );
    }
}

fn messages(parsed: &Parsed) -> Vec<String> {
    parsed
        .diagnostics
        .iter()
        .map(|d| d.message.clone())
        .collect()
}

fn macros(component: &Component) -> impl Iterator<Item = &Macro> {
    component
        .clauses
        .iter()
        .flat_map(|clause| match &clause.body {
            ClauseBody::Definitions(definitions) => definitions.as_slice(),
            _ => &[],
        })
        .filter_map(|definition| match definition {
            Definition::Macro(definition) => Some(definition),
            Definition::File(_) => None,
        })
}

fn all() -> impl Iterator<Item = (&'static str, Entry)> {
    DEFINITION_FILES
        .iter()
        .flat_map(|(file, text)| read(text).into_iter().map(|entry| (*file, entry)))
}

/// The number of arguments a declared type takes: factors of the product left of the arrow.
fn factors(kind: Kind, declared: &str, parameters: &[&str]) -> usize {
    let mut depth = 0_usize;
    let mut count = 1;
    let mut arrows = 0;
    let mut rest = declared;
    while let Some(c) = rest.chars().next() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '*' if depth == 0 && arrows == 0 => count += 1,
            '-' if depth == 0 && rest.starts_with("-->") => arrows += 1,
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    match kind {
        // A constant is declared with its type, without an arrow.
        Kind::Function if parameters.is_empty() && arrows == 0 => 0,
        Kind::Function => {
            assert_eq!(arrows, 1, "{declared}");
            count
        }
        Kind::Predicate | Kind::Substitution => {
            assert_eq!(arrows, 0, "{declared}");
            count
        }
    }
}

fn tables() -> String {
    let mut out = String::new();
    for (file, text) in DEFINITION_FILES {
        let summary = text.lines().next().unwrap_or_default();
        let summary = summary.trim_start_matches("// ");
        let _ = write!(out, "\n### {file}\n\n{summary}\n\n");
        out.push_str("| name | type | meaning |\n|---|---|---|\n");
        for entry in read(text) {
            let _ = writeln!(
                out,
                "| `{}` | {} | {} |",
                call(&entry),
                typed(&entry),
                meaning(&entry).replace('|', "\\|")
            );
        }
    }
    out.push('\n');
    out
}

fn call(entry: &Entry) -> String {
    if entry.parameters.is_empty() {
        entry.name.to_owned()
    } else {
        format!("{}({})", entry.name, entry.parameters.join(", "))
    }
}

fn typed(entry: &Entry) -> String {
    match &entry.declaration {
        None => "definition".to_owned(),
        Some(declaration) => {
            let declared = declaration.declared;
            match declaration.kind {
                Kind::Function => format!("`{declared}`"),
                Kind::Predicate => format!("predicate on `{declared}`"),
                Kind::Substitution => format!("substitution on `{declared}`"),
            }
        }
    }
}

fn meaning(entry: &Entry) -> String {
    let mut meaning = entry.meaning.to_owned();
    if !entry.tags.is_empty() {
        let _ = write!(meaning, " *({})*", entry.tags.join(", "));
    }
    meaning
}
