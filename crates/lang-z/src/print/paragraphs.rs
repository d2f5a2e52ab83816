//! Paragraphs.

use base::Name;

use super::names::operator;
use super::{Markup, Printer, needs_header};
use crate::check::Checked;
use crate::lex::{Dialect, Key};
use crate::ops::{Assoc, Infix, Ops, Prefix};
use crate::tree::{
    Connective, Fix, Ident, Paragraph, ParagraphKind, Template, TermId, TermKind, Text,
};

impl Printer<'_> {
    /// The whole specification.
    pub(super) fn specification(&mut self, checked: &Checked) {
        let own = &checked.tree.paragraphs[checked.toolkit..];
        let has_section = own
            .iter()
            .any(|p| matches!(p.kind, ParagraphKind::Section(..)));
        if needs_header(checked.dialect, self.markup) && !has_section {
            self.put("\\begin{zsection}\n\\SECTION ");
            self.word(checked.name);
            self.put(" \\parents standard\\_toolkit\n\\end{zsection}\n\n");
        }
        self.operators(checked);
        self.own_paragraphs(checked);
    }

    pub(super) fn own_paragraphs(&mut self, checked: &Checked) {
        for paragraph in &checked.tree.paragraphs[checked.toolkit..] {
            self.paragraph(paragraph);
        }
    }

    /// Operators that directives declare: as directives, or as templates where there are none.
    fn operators(&mut self, checked: &Checked) {
        if checked.dialect != Dialect::Fuzz {
            return;
        }
        for (name, template) in declared(&checked.ops) {
            match self.markup {
                Markup::Latex => {
                    self.put("%%");
                    self.put(&template.directive);
                    self.put(" ");
                    self.word(name);
                    self.put(&template.level);
                    self.put("\n");
                }
                Markup::Unicode => {
                    self.put("─ ");
                    self.put(&template.iso);
                    self.put(" (");
                    self.name(template.placed);
                    self.put(")\n└\n\n");
                }
            }
        }
    }

    fn paragraph(&mut self, paragraph: &Paragraph) {
        match &paragraph.kind {
            ParagraphKind::Axiom(parameters, text) => {
                let generic = !parameters.is_empty();
                let (environment, sign) = match generic {
                    true => ("gendef", "╷═"),
                    false => ("axdef", "╷"),
                };
                self.open(environment, sign);
                self.parameters(parameters);
                self.boxed(text);
                self.close(environment);
            }
            ParagraphKind::Schema {
                name,
                parameters,
                body,
                boxed: true,
            } => {
                let sign = if parameters.is_empty() {
                    "┌"
                } else {
                    "┌═"
                };
                self.open("schema", sign);
                match self.markup {
                    Markup::Latex => {
                        self.put("{");
                        self.name(name.name);
                        self.put("}");
                    }
                    Markup::Unicode => {
                        self.put(" ");
                        self.name(name.name);
                    }
                }
                self.parameters(parameters);
                let terms = self.terms;
                if let TermKind::Schema(text) = &terms[*body].kind {
                    self.boxed(text);
                }
                self.close("schema");
            }
            ParagraphKind::Section(name, parents) => {
                let (open, close) = match self.markup {
                    Markup::Latex => ("\\begin{zsection}\n", "\n\\end{zsection}\n\n"),
                    Markup::Unicode => ("─ ", "\n└\n\n"),
                };
                self.put(open);
                self.sign("section");
                self.put(" ");
                self.word(name.name);
                self.infix("parents");
                for (i, parent) in parents.iter().enumerate() {
                    if i > 0 {
                        self.put(", ");
                    }
                    self.word(parent.name);
                }
                self.put(close);
            }
            kind => {
                self.put(match self.markup {
                    Markup::Latex => "\\begin{zed}\n",
                    Markup::Unicode => "─ ",
                });
                self.unboxed(kind);
                self.put(match self.markup {
                    Markup::Latex => "\n\\end{zed}\n\n",
                    Markup::Unicode => "\n└\n\n",
                });
            }
        }
    }

    fn open(&mut self, environment: &str, sign: &str) {
        match self.markup {
            Markup::Latex => self.put(&format!("\\begin{{{environment}}}")),
            Markup::Unicode => self.put(sign),
        }
    }

    fn close(&mut self, environment: &str) {
        match self.markup {
            Markup::Latex => self.put(&format!("\\end{{{environment}}}\n\n")),
            Markup::Unicode => self.put("└\n\n"),
        }
    }

    pub(super) fn parameters(&mut self, parameters: &[Ident]) {
        if parameters.is_empty() {
            return;
        }
        self.put("[");
        for (i, parameter) in parameters.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            self.name(parameter.name);
        }
        self.put("]");
    }

    fn boxed(&mut self, text: &Text) {
        let separator = match self.markup {
            Markup::Latex => " \\\\\n",
            Markup::Unicode => "\n",
        };
        self.put("\n");
        for (i, decl) in text.decls.iter().enumerate() {
            if i > 0 {
                self.put(separator);
            }
            self.put("  ");
            self.decl(decl);
        }
        self.put("\n");
        if let Some(predicate) = text.predicate {
            match self.markup {
                Markup::Latex => self.put("\\where\n"),
                Markup::Unicode => self.put("|\n"),
            }
            for (i, line) in self.lines(predicate).into_iter().enumerate() {
                if i > 0 {
                    self.put(separator);
                }
                self.put("  ");
                self.term(line, 0);
            }
            self.put("\n");
        }
    }

    /// The conjuncts that stand on lines of their own.
    pub(super) fn lines(&self, predicate: TermId) -> Vec<TermId> {
        let mut lines = Vec::new();
        let mut left = predicate;
        while let TermKind::Connect(Connective::And, rest, last) = self.terms[left].kind {
            lines.push(last);
            left = rest;
        }
        lines.push(left);
        lines.reverse();
        lines
    }

    pub(super) fn unboxed(&mut self, kind: &ParagraphKind) {
        match kind {
            ParagraphKind::Given(names) => self.parameters(names),
            ParagraphKind::Free(frees) => {
                for (i, free) in frees.iter().enumerate() {
                    if i > 0 {
                        self.infix("&");
                    }
                    self.name(free.name.name);
                    self.put(" ::= ");
                    for (k, branch) in free.branches.iter().enumerate() {
                        if k > 0 {
                            self.put(" | ");
                        }
                        self.name(branch.name.name);
                        if let Some(argument) = branch.argument {
                            self.infix("⟪");
                            self.term(argument, 0);
                            self.infix("⟫");
                        }
                    }
                }
            }
            ParagraphKind::Abbreviation(name, parameters, body) => {
                self.head(*name, parameters);
                self.put(" == ");
                self.term(*body, 0);
            }
            ParagraphKind::Schema {
                name,
                parameters,
                body,
                ..
            } => {
                self.head(*name, parameters);
                self.infix("≙");
                self.term(*body, 0);
            }
            ParagraphKind::Predicate(_, predicate) => self.term(*predicate, 0),
            ParagraphKind::Conjecture(parameters, predicate) => {
                self.parameters(parameters);
                if !parameters.is_empty() {
                    self.put(" ");
                }
                self.sign("⊢?");
                self.put(" ");
                self.term(*predicate, 0);
            }
            ParagraphKind::Template(template) => self.template(template),
            ParagraphKind::Section(..) | ParagraphKind::Axiom(..) => {}
        }
    }

    /// What a definition defines: `S[X]`, `X op Y`.
    fn head(&mut self, name: Ident, parameters: &[Ident]) {
        match (operator(name.name), parameters) {
            (Some((word, Fix::Infix)), [left, right]) => {
                self.word(left.name);
                self.put(" ");
                self.word(word);
                self.put(" ");
                self.word(right.name);
            }
            (Some((word, Fix::Prefix)), [one]) => {
                self.word(word);
                self.put(" ");
                self.word(one.name);
            }
            _ => {
                self.name(name.name);
                self.parameters(parameters);
            }
        }
    }

    fn template(&mut self, template: &Template) {
        self.sign(match template.category {
            Key::Relation => "relation",
            Key::Generic => "generic",
            _ => "function",
        });
        if let Some(level) = template.level {
            self.put(&format!(" {level} "));
            self.sign(if template.right {
                "rightassoc"
            } else {
                "leftassoc"
            });
        }
        self.put(" (");
        self.name(template.name.name);
        self.put(")");
    }
}

struct Declared {
    directive: String,
    level: String,
    iso: String,
    placed: Name,
}

/// The operators that a text declares by directives, sorted by name.
fn declared(ops: &Ops) -> Vec<(Name, Declared)> {
    let toolkit = Ops::toolkit(Dialect::Fuzz);
    let mut found = Vec::new();
    let placed = crate::parse::placed;
    for (word, infix) in ops.all_infix() {
        if toolkit.infix(word) == Some(infix) {
            continue;
        }
        let (directive, level, iso) = match infix {
            Infix::Function(level, assoc) => {
                let side = if assoc == Assoc::Left {
                    "leftassoc"
                } else {
                    "rightassoc"
                };
                (
                    "inop",
                    format!(" {}", level / 10),
                    format!("function {level} {side}"),
                )
            }
            Infix::Relation => ("inrel", String::new(), "relation".to_owned()),
            Infix::Generic(level) => (
                "ingen",
                String::new(),
                format!("generic {level} rightassoc"),
            ),
        };
        let directive = directive.to_owned();
        found.push((
            word,
            Declared {
                directive,
                level,
                iso,
                placed: placed(word, Fix::Infix),
            },
        ));
    }
    for (word, prefix) in ops.all_prefix() {
        if toolkit.prefix(word) == Some(prefix) {
            continue;
        }
        let (directive, iso) = match prefix {
            Prefix::Function => continue,
            Prefix::Relation => ("prerel", "relation"),
            Prefix::Generic => ("pregen", "generic"),
        };
        found.push((
            word,
            Declared {
                directive: directive.to_owned(),
                level: String::new(),
                iso: iso.to_owned(),
                placed: placed(word, Fix::Prefix),
            },
        ));
    }
    for word in ops.all_postfix() {
        if !toolkit.is_postfix(word) {
            found.push((
                word,
                Declared {
                    directive: "postop".to_owned(),
                    level: String::new(),
                    iso: "function".to_owned(),
                    placed: placed(word, Fix::Postfix),
                },
            ));
        }
    }
    found.sort_by_key(|(word, _)| *word);
    found
}
