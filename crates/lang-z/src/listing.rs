//! What fuzz prints: messages by line, and the types of global definitions.
//!
//! Scripts read these lines by pattern; the words after them are ours. A declaration is shown as it was written, in ASCII, as
//! long as it consists of names and sets made of sets; else by its type.

use base::{Name, Severity, Sources};
use lang_math::{Type, TypeId, Types};

use crate::check::{Checked, Global, GlobalKind, types};
use crate::print::{Markup, term};
use crate::tree::{Decl, ParagraphKind, TermId, TermKind};

/// The errors as fuzz words them: file and line, details, an empty line.
pub fn messages(checked: &Checked, diagnostics: &base::Diagnostics, sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter().filter(|d| d.severity == Severity::Error) {
        let place = diagnostic.primary.as_ref().map(|label| label.span);
        match place {
            Some(span) => {
                let line = sources.position(span.file, span.start).line;
                let path = sources.path(span.file).display();
                out.push_str(&format!(
                    "\"{path}\", line {line}: {}\n",
                    diagnostic.message
                ));
                let text = sources
                    .slice(span)
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                if !text.is_empty()
                    && text.len() <= 200
                    && matches!(checked.dialect, crate::Dialect::Fuzz | crate::Dialect::Iso)
                {
                    out.push_str(&format!("> Text: {text}\n"));
                }
            }
            None => out.push_str(&format!("{}\n", diagnostic.message)),
        }
        for note in &diagnostic.notes {
            let (what, ty) = note.split_once(": ").unwrap_or(("Note", note));
            let what = match what {
                "left" => "LHS type: ",
                "right" => "RHS type: ",
                other => other,
            };
            out.push_str(&format!("> {what} {}\n", ascii(ty)));
        }
        out.push('\n');
    }
    out
}

/// The types of the global definitions; `whole` writes them without abbreviations.
pub fn listing(checked: &Checked, whole: bool) -> String {
    let mut out = String::new();
    for (_, global) in checked.globals.iter().filter(|(_, global)| !global.toolkit) {
        let Some(ty) = global.ty else { continue };
        entry(checked, global, ty, whole, &mut out);
    }
    for delta in used_deltas(checked) {
        schema(
            checked,
            &format!("\\Delta {}", delta.0),
            &delta.1,
            whole,
            None,
            &mut out,
        );
    }
    out
}

fn entry(checked: &Checked, global: &Global, ty: TypeId, whole: bool, out: &mut String) {
    let name = ascii(global.name.as_str());
    match global.kind {
        GlobalKind::Numbers => {}
        GlobalKind::Given | GlobalKind::Free(_) => out.push_str(&format!("Given {name}\n\n")),
        GlobalKind::Schema(body) => {
            let components = checked.components(ty).unwrap_or_default();
            schema(checked, &name, &components, whole, Some(body), out);
        }
        GlobalKind::Abbreviation(_) | GlobalKind::Branch(..) => {
            out.push_str(&format!("Var {name}: {}\n\n", plain(&checked.types, ty)));
        }
        GlobalKind::Constant => {
            let shown = declared_in(checked, global).filter(|_| !whole);
            let shown = shown.unwrap_or_else(|| plain(&checked.types, ty));
            out.push_str(&format!("Var {name}: {shown}\n\n"));
        }
    }
}

fn schema(
    checked: &Checked,
    name: &str,
    components: &[(Name, TypeId)],
    whole: bool,
    body: Option<TermId>,
    out: &mut String,
) {
    out.push_str(&format!("Schema {name}\n"));
    for (component, ty) in components {
        let written = body
            .filter(|_| !whole)
            .and_then(|body| declared_set(checked, body, *component));
        let shown = written.unwrap_or_else(|| plain(&checked.types, *ty));
        out.push_str(&format!("    {}: {shown}\n", ascii(component.as_str())));
    }
    out.push_str("End\n\n");
}

/// The `ΔS` that the text uses without defining them.
fn used_deltas(checked: &Checked) -> Vec<(Name, Vec<(Name, TypeId)>)> {
    let mut found: Vec<(Name, Vec<(Name, TypeId)>)> = Vec::new();
    let mut terms: Vec<_> = checked.meanings.iter().collect();
    terms.sort_by_key(|(term, _)| **term);
    for (term, meaning) in terms {
        if let crate::Meaning::Delta(id, _) = meaning {
            let name = checked.globals[*id].name;
            let components = checked.ty(*term).and_then(|ty| checked.components(ty));
            if !found.iter().any(|(known, _)| *known == name) {
                found.push((name, components.unwrap_or_default()));
            }
        }
    }
    found
}

fn declared_in(checked: &Checked, global: &Global) -> Option<String> {
    match &checked.tree.paragraphs.get(global.paragraph)?.kind {
        ParagraphKind::Axiom(_, text) => in_decls(checked, &text.decls, global.name),
        _ => None,
    }
}

fn declared_set(checked: &Checked, body: TermId, name: Name) -> Option<String> {
    match &checked.tree.terms[body].kind {
        TermKind::Schema(text) => in_decls(checked, &text.decls, name),
        _ => None,
    }
}

fn in_decls(checked: &Checked, decls: &[Decl], name: Name) -> Option<String> {
    decls.iter().find_map(|decl| match decl {
        Decl::Vars(names, set) if names.iter().any(|n| n.name == name) => {
            is_simple(checked, *set).then(|| ascii(&term(checked, *set, Markup::Unicode)))
        }
        _ => None,
    })
}

/// Whether a set is made of names, powers, products and sets made of sets.
fn is_simple(checked: &Checked, set: TermId) -> bool {
    base::deep::recurse(|| match &checked.tree.terms[set].kind {
        TermKind::Ref(_, sets) | TermKind::Cross(sets) => {
            sets.iter().all(|set| is_simple(checked, *set))
        }
        TermKind::Power(set) => is_simple(checked, *set),
        _ => false,
    })
}

/// A type in ASCII.
fn plain(types: &Types, ty: TypeId) -> String {
    let shown = match types.get(ty) {
        Type::Int => "ℤ".to_owned(),
        _ => types::show(types, ty),
    };
    ascii(&shown)
}

/// Symbols as fuzz writes them.
fn ascii(text: &str) -> String {
    const SIGNS: &[(&str, &str)] = &[
        ("ℙ_1", "P1"),
        ("𝔽_1", "F1"),
        ("ℕ_1", "NN1"),
        ("ℙ↘1↖", "P1"),
        ("𝔽↘1↖", "F1"),
        ("ℕ↘1↖", "NN1"),
        ("seq↘1↖", "seq1"),
        ("ℤ", "NN"),
        ("ℕ", "NN"),
        ("ℙ", "P"),
        ("𝔽", "F"),
        ("×", "x"),
        ("↔", "<->"),
        ("⇸", "-+>"),
        ("→", "-->"),
        ("⤔", ">+>"),
        ("↣", ">->"),
        ("⤀", "-+>>"),
        ("↠", "-->>"),
        ("⤖", ">->>"),
        ("⇻", "-++>"),
        ("⤕", ">++>"),
        ("Δ", "\\Delta "),
        ("Ξ", "\\Xi "),
        ("′", "'"),
    ];
    let mut out = text.to_owned();
    for (sign, plain) in SIGNS {
        out = out.replace(sign, plain);
    }
    out
}
