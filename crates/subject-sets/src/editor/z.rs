//! Names of Z: globals from the checker, components of schemas and bound names from the tree.
//!
//! A schema that refers to another one has the components of that too, with strokes or without: `level'` is a use of `level`.

use std::collections::{BTreeMap, BTreeSet};

use base::{FileId, Name, Span};
use lang_math::Type;
use lang_z::Checked;
use lang_z::check::{GlobalKind, Meaning};
use lang_z::tree::{Decl, Ident, ParagraphKind, TermId, TermKind, Text};
use subject::editor::{DefinitionKind, Lexicon, Names, Operator};

use super::plain;

/// The words of Z in LaTeX, with the symbols that stand for them.
pub(crate) fn lexicon() -> Lexicon {
    let symbols = lang_z::lex::spellings();
    let symbols = symbols.filter(|(latex, _)| !KEYWORDS.contains(latex));
    let operators = symbols.map(|(ascii, unicode)| Operator { ascii, unicode });
    Lexicon {
        keywords: KEYWORDS.to_vec(),
        operators: operators.collect(),
        line_comments: &["%"],
        in_names: "?!'",
        blocks: &[("\\begin", "\\end")],
        ..Lexicon::default()
    }
}

/// What gives a text its structure; the other words are symbols.
const KEYWORDS: &[&str] = &[
    "\\begin", "\\end", "\\where", "\\also", "\\IF", "\\THEN", "\\ELSE", "\\LET", "\\pre",
];

/// What a specification declares and uses; the toolkit is left out.
pub(super) fn names(checked: &Checked, file: FileId) -> Names {
    let mut index = Index {
        checked,
        names: Names::default(),
        components: BTreeMap::new(),
    };
    let mut of_global = BTreeMap::new();
    for (id, global) in checked.globals.iter() {
        if global.toolkit || global.span.file != file {
            continue;
        }
        let kind = match global.kind {
            GlobalKind::Numbers | GlobalKind::Given | GlobalKind::Free(_) => DefinitionKind::Set,
            GlobalKind::Branch(..) => DefinitionKind::Element,
            GlobalKind::Abbreviation(_) => DefinitionKind::Macro,
            GlobalKind::Constant => DefinitionKind::Constant,
            GlobalKind::Schema(_) => DefinitionKind::Event,
        };
        let mut own = plain(global.name, kind, global.span);
        if matches!(kind, DefinitionKind::Event | DefinitionKind::Macro) {
            own.whole = checked.tree.paragraphs[global.paragraph].span;
        }
        let ty = global.ty.filter(|_| kind != DefinitionKind::Event);
        own.type_text = ty.map(|ty| lang_z::check::types::show(&checked.types, ty));
        of_global.insert(id, index.names.definitions.len());
        index.names.definitions.push(own);
    }
    for (at, paragraph) in checked.tree.paragraphs.iter().enumerate() {
        if at < checked.toolkit {
            continue;
        }
        match &paragraph.kind {
            ParagraphKind::Schema { body, .. } => {
                let before = index.names.definitions.len();
                index.term(*body, paragraph.span);
                index.keep_components(at, before);
            }
            ParagraphKind::Axiom(_, text) => index.inside(text, paragraph.span),
            ParagraphKind::Abbreviation(_, _, term)
            | ParagraphKind::Predicate(_, term)
            | ParagraphKind::Conjecture(_, term) => index.term(*term, paragraph.span),
            ParagraphKind::Section(..)
            | ParagraphKind::Given(_)
            | ParagraphKind::Free(_)
            | ParagraphKind::Template(_) => {}
        }
    }
    let mut uses = Vec::new();
    for (term, meaning) in &checked.meanings {
        let global = match meaning {
            Meaning::Local => continue,
            Meaning::Global(id, _)
            | Meaning::Decorated(id, ..)
            | Meaning::Delta(id, _)
            | Meaning::Xi(id, _) => id,
        };
        if let Some(definition) = of_global.get(global) {
            uses.push((
                index.named(checked.tree.terms[*term].span, *definition),
                *definition,
            ));
        }
    }
    uses.extend(index.included());
    uses.sort_unstable();
    index.names.uses = uses;
    index.names
}

struct Index<'a> {
    checked: &'a Checked,
    names: Names,
    /// The definitions of the components that a paragraph declares itself.
    components: BTreeMap<usize, Vec<usize>>,
}

impl Index<'_> {
    /// The names that a term binds, with the span in which they mean that.
    fn term(&mut self, id: TermId, scope: Span) {
        base::deep::recurse(|| {
            let term = &self.checked.tree.terms[id];
            match &term.kind {
                TermKind::Schema(text) => self.text(text, scope),
                TermKind::Comprehension(text, _)
                | TermKind::Lambda(text, _)
                | TermKind::Mu(text, _) => self.text(text, term.span),
                TermKind::Quantify(_, text, _) => self.text(text, term.span),
                TermKind::Let(equations, _) => {
                    for (name, _) in equations {
                        self.local(name, None, term.span);
                    }
                }
                _ => {}
            }
            let mut children = Vec::new();
            term.kind.for_each_child(|child| children.push(child));
            for child in children {
                let inner = self.checked.tree.terms[child].span;
                self.term(child, inner);
            }
        });
    }

    /// The names of a schema text.
    fn text(&mut self, text: &Text, scope: Span) {
        for decl in &text.decls {
            match decl {
                Decl::Vars(names, of) => {
                    for name in names {
                        self.local(name, Some(*of), scope);
                    }
                }
                Decl::Define(name, of) => {
                    self.local(name, Some(*of), scope);
                    let ty = self.checked.ty(*of);
                    let ty = ty.map(|ty| lang_z::check::types::show(&self.checked.types, ty));
                    if let Some(own) = self.names.definitions.last_mut() {
                        own.type_text = ty;
                    }
                }
                Decl::Include(_) => {}
            }
        }
    }

    /// What is bound inside the terms of a text whose own names are globals.
    fn inside(&mut self, text: &Text, scope: Span) {
        for decl in &text.decls {
            match decl {
                Decl::Vars(_, of) | Decl::Define(_, of) | Decl::Include(of) => {
                    self.term(*of, scope);
                }
            }
        }
        if let Some(predicate) = text.predicate {
            self.term(predicate, scope);
        }
    }

    /// Remembers which of the new names are components of a schema: those that mean the same in all of it.
    fn keep_components(&mut self, paragraph: usize, before: usize) {
        let whole = self.checked.tree.paragraphs[paragraph].span;
        let new = before..self.names.definitions.len();
        let own = new.filter(|at| self.names.definitions[*at].scope == Some(whole));
        let own: Vec<usize> = own.collect();
        for at in &own {
            self.names.definitions[*at].kind = DefinitionKind::Field;
        }
        self.components.insert(paragraph, own);
    }

    /// Uses of components of schemas that a paragraph refers to.
    fn included(&self) -> Vec<(Span, usize)> {
        let paragraphs = &self.checked.tree.paragraphs;
        let within = |span: Span| {
            let mut own = paragraphs.iter().enumerate().skip(self.checked.toolkit);
            own.find(|(_, one)| one.span.contains(span))
                .map(|(at, _)| at)
        };
        // For each paragraph the paragraphs of the schemas that it names, and the names that it uses.
        let mut named: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let mut used: Vec<(usize, Name, Span)> = Vec::new();
        for (term, meaning) in &self.checked.meanings {
            let term = &self.checked.tree.terms[*term];
            let Some(at) = within(term.span) else {
                continue;
            };
            match (meaning, &term.kind) {
                (Meaning::Local, TermKind::Ref(name, _)) => used.push((at, *name, term.span)),
                (Meaning::Local, _) => {}
                (
                    Meaning::Global(id, _)
                    | Meaning::Decorated(id, ..)
                    | Meaning::Delta(id, _)
                    | Meaning::Xi(id, _),
                    _,
                ) => {
                    let global = &self.checked.globals[*id];
                    if !global.toolkit && global.paragraph != at {
                        named.entry(at).or_default().insert(global.paragraph);
                    }
                }
            }
        }
        let mut seen: BTreeMap<usize, BTreeMap<Name, usize>> = BTreeMap::new();
        let mut uses = Vec::new();
        for (at, name, span) in used {
            let visible = seen.entry(at).or_insert_with(|| self.visible(at, &named));
            let plain = name.as_str().trim_end_matches('\'');
            let found = visible
                .get(&name)
                .or_else(|| visible.get(&Name::new(plain)));
            if let Some(definition) = found {
                uses.push((self.named(span, *definition), *definition));
            }
        }
        uses
    }

    /// The part of a reference that is the name itself: strokes follow it.
    fn named(&self, span: Span, definition: usize) -> Span {
        let name = self.names.definitions[definition].name.as_str();
        let end = (span.start + name.len() as u32).min(span.end);
        Span::new(span.file, span.start, end)
    }

    /// The components of the schemas that a paragraph names, directly or not; its own ones first.
    fn visible(
        &self,
        at: usize,
        named: &BTreeMap<usize, BTreeSet<usize>>,
    ) -> BTreeMap<Name, usize> {
        let mut visible = BTreeMap::new();
        let mut known = BTreeSet::from([at]);
        let mut next = vec![at];
        while let Some(paragraph) = next.pop() {
            for definition in self.components.get(&paragraph).into_iter().flatten() {
                let name = self.names.definitions[*definition].name;
                visible.entry(name).or_insert(*definition);
            }
            let more = named.get(&paragraph).into_iter().flatten();
            next.extend(more.filter(|one| known.insert(**one)));
        }
        visible
    }

    /// The type of the elements of a set.
    fn element_type(&self, set: TermId) -> Option<String> {
        let types = &self.checked.types;
        match types.get(self.checked.ty(set)?) {
            Type::Pow(element) => Some(lang_z::check::types::show(types, *element)),
            _ => None,
        }
    }

    fn local(&mut self, name: &Ident, of: Option<TermId>, scope: Span) {
        let mut own = plain(name.name, DefinitionKind::Local, name.span);
        own.scope = Some(scope);
        if let Some(of) = of {
            own.whole = own.span.to(self.checked.tree.terms[of].span);
            own.type_text = self.element_type(of);
        }
        self.names.definitions.push(own);
    }
}
