//! Globals: who declares them, and their types when they are first needed.

use base::{Diagnostic, Name, Span};
use lang_math::TypeId;
use rustc_hash::FxHashMap;

use super::{Checker, Global, GlobalId, GlobalKind, Stage, types};
use crate::codes;
use crate::tree::{Decl, Ident, ParagraphKind, Text};

impl Checker {
    /// Checks the whole specification.
    pub(super) fn run(&mut self) {
        self.grow();
        if self.out.globals.is_empty() {
            self.numbers();
        }
        let own = self.out.toolkit..self.out.tree.paragraphs.len();
        for paragraph in own.clone() {
            self.declare(paragraph);
        }
        self.declare_included();
        for paragraph in own {
            self.check_paragraph(paragraph);
        }
    }

    /// The one set that no paragraph declares.
    fn numbers(&mut self) {
        let int = self.out.types.int();
        let ty = self.out.types.pow(int);
        for name in ["ℤ", "𝔸"] {
            let name = Name::new(name);
            let id = self.out.globals.push(Global {
                name,
                span: Span::new(base::FileId::new(0), 0, 0),
                paragraph: usize::MAX,
                kind: GlobalKind::Numbers,
                parameters: Vec::new(),
                ty: Some(ty),
                toolkit: false,
            });
            self.stages.push(Stage::Done);
            self.out.names.insert(name, id);
        }
    }

    fn declare(&mut self, paragraph: usize) {
        let kind = self.out.tree.paragraphs[paragraph].kind.clone();
        match kind {
            ParagraphKind::Given(names) => {
                for name in names {
                    self.add(name, paragraph, GlobalKind::Given, &[]);
                }
            }
            ParagraphKind::Free(frees) => {
                for (i, free) in frees.iter().enumerate() {
                    self.add(free.name, paragraph, GlobalKind::Free(i), &[]);
                    for (k, branch) in free.branches.iter().enumerate() {
                        self.add(branch.name, paragraph, GlobalKind::Branch(i, k), &[]);
                    }
                }
            }
            ParagraphKind::Abbreviation(name, parameters, term) => {
                let kind = GlobalKind::Abbreviation(term);
                self.add(name, paragraph, kind, &parameters);
            }
            ParagraphKind::Schema {
                name,
                parameters,
                body,
                ..
            } => self.add(name, paragraph, GlobalKind::Schema(body), &parameters),
            ParagraphKind::Axiom(parameters, text) => {
                for decl in &text.decls {
                    match decl {
                        Decl::Vars(names, _) => {
                            for name in names {
                                self.add(*name, paragraph, GlobalKind::Constant, &parameters);
                            }
                        }
                        Decl::Define(name, _) => {
                            self.add(*name, paragraph, GlobalKind::Constant, &parameters);
                        }
                        Decl::Include(_) => {}
                    }
                }
            }
            ParagraphKind::Section(..)
            | ParagraphKind::Predicate(..)
            | ParagraphKind::Conjecture(..)
            | ParagraphKind::Template(_) => {}
        }
    }

    fn add(&mut self, name: Ident, paragraph: usize, kind: GlobalKind, parameters: &[Ident]) {
        if let Some(known) = self.out.names.get(&name.name).copied() {
            let earlier = &self.out.globals[known];
            if !earlier.toolkit {
                // The standard lets a constant of a box be a component of several declarations of that box.
                if earlier.paragraph == paragraph && kind == GlobalKind::Constant {
                    return;
                }
                let place = earlier.span;
                let message = format!("`{}` is declared twice", name.name);
                let problem = Diagnostic::error(&codes::REDECLARED, name.span, message)
                    .also(place, "declared here already");
                self.report(problem);
                return;
            }
        }
        let parameters = parameters
            .iter()
            .map(|parameter| types::parameter(parameter.name, name.name))
            .collect();
        let id = self.out.globals.push(Global {
            name: name.name,
            span: name.span,
            paragraph,
            kind,
            parameters,
            ty: None,
            toolkit: false,
        });
        self.stages.push(Stage::Unseen);
        self.out.names.insert(name.name, id);
    }

    /// The components of schemas that axiomatic boxes include are constants too.
    fn declare_included(&mut self) {
        for paragraph in self.out.toolkit..self.out.tree.paragraphs.len() {
            let ParagraphKind::Axiom(parameters, text) = &self.out.tree.paragraphs[paragraph].kind
            else {
                continue;
            };
            let (parameters, text) = (parameters.clone(), text.clone());
            for decl in &text.decls {
                if let Decl::Include(schema) = decl {
                    let Some(components) = self.alone(|checker| checker.schema(*schema)) else {
                        continue;
                    };
                    for (name, ty) in components {
                        let span = self.span(*schema);
                        let known = self.out.names.get(&name).copied();
                        if known.is_some_and(|k| self.out.globals[k].paragraph == paragraph) {
                            continue;
                        }
                        self.add(
                            Ident { name, span },
                            paragraph,
                            GlobalKind::Constant,
                            &parameters,
                        );
                        if let Some(id) = self.out.names.get(&name) {
                            self.out.globals[*id].ty = Some(ty);
                        }
                    }
                }
            }
        }
    }

    /// Runs a check outside of all scopes: a global sees globals only.
    pub(super) fn alone<T>(&mut self, check: impl FnOnce(&mut Checker) -> T) -> T {
        let scopes = std::mem::take(&mut self.scopes);
        let result = base::deep::recurse(|| check(self));
        self.scopes = scopes;
        result
    }

    fn parameters(&mut self, parameters: &[Ident], owner: Name) -> FxHashMap<Name, TypeId> {
        let mut scope = FxHashMap::default();
        for parameter in parameters {
            let given = self
                .out
                .types
                .given(types::parameter(parameter.name, owner));
            scope.insert(parameter.name, self.out.types.pow(given));
        }
        scope
    }

    /// The type of a global, worked out when it is first needed.
    pub(super) fn type_of_global(&mut self, id: GlobalId) -> TypeId {
        match self.stages[id.index()] {
            Stage::Done => self.out.globals[id].ty.unwrap_or(self.out.types.error()),
            Stage::Active => {
                if let Some(ty) = self.out.globals[id].ty {
                    return ty;
                }
                let global = &self.out.globals[id];
                let message = format!("the definition of `{}` refers to itself", global.name);
                let span = global.span;
                self.report(Diagnostic::error(&codes::CYCLE, span, message));
                let error = self.out.types.error();
                self.out.globals[id].ty = Some(error);
                error
            }
            Stage::Unseen => {
                self.stages[id.index()] = Stage::Active;
                let ty = self.alone(|checker| checker.work_out(id));
                self.out.globals[id].ty = Some(ty);
                self.stages[id.index()] = Stage::Done;
                ty
            }
        }
    }

    fn work_out(&mut self, id: GlobalId) -> TypeId {
        let global = self.out.globals[id].clone();
        let kind = match self.out.tree.paragraphs.get(global.paragraph) {
            Some(paragraph) => paragraph.kind.clone(),
            None => return self.out.types.error(),
        };
        match (global.kind, kind) {
            (GlobalKind::Given | GlobalKind::Free(_), _) => {
                let given = self.out.types.given(global.name);
                self.out.types.pow(given)
            }
            (GlobalKind::Branch(free, branch), ParagraphKind::Free(frees)) => {
                let given = self.out.types.given(frees[free].name.name);
                match frees[free].branches[branch].argument {
                    None => given,
                    Some(argument) => {
                        let argument = self.element(argument);
                        self.out.types.relation(argument, given)
                    }
                }
            }
            (GlobalKind::Abbreviation(term), ParagraphKind::Abbreviation(_, parameters, _)) => {
                let scope = self.parameters(&parameters, global.name);
                self.scopes.push(scope);
                let ty = self.expr(term);
                self.settle();
                ty
            }
            (GlobalKind::Schema(term), ParagraphKind::Schema { parameters, .. }) => {
                let scope = self.parameters(&parameters, global.name);
                self.scopes.push(scope);
                let ty = self.schema_type(term);
                self.settle();
                ty
            }
            (GlobalKind::Constant, ParagraphKind::Axiom(parameters, text)) => {
                self.constant(id, &parameters, &text)
            }
            _ => self.out.types.error(),
        }
    }

    /// The type of one constant of a box.
    fn constant(&mut self, id: GlobalId, parameters: &[Ident], text: &Text) -> TypeId {
        if let Some(ty) = self.out.globals[id].ty {
            return ty;
        }
        let name = self.out.globals[id].name;
        for decl in &text.decls {
            let (found, set) = match decl {
                Decl::Vars(names, set) => (names.iter().any(|n| n.name == name), *set),
                Decl::Define(one, value) => (one.name == name, *value),
                Decl::Include(_) => (false, crate::tree::TermId::new(0)),
            };
            if found {
                let scope = self.parameters(parameters, name);
                self.scopes.push(scope);
                let ty = match decl {
                    Decl::Define(..) => self.expr(set),
                    _ => self.element(set),
                };
                return ty;
            }
        }
        self.out.types.error()
    }

    fn check_paragraph(&mut self, paragraph: usize) {
        let kind = self.out.tree.paragraphs[paragraph].kind.clone();
        let globals: Vec<GlobalId> = self
            .out
            .globals
            .iter()
            .filter(|(_, global)| global.paragraph == paragraph)
            .map(|(id, _)| id)
            .collect();
        for id in globals {
            self.type_of_global(id);
        }
        match kind {
            ParagraphKind::Axiom(parameters, text) => {
                // In a generic box every constant has parameters of its own; in the predicate they are one.
                let owner = Name::new(&format!("¶{paragraph}"));
                let scope = self.parameters(&parameters, owner);
                self.scopes.push(scope);
                self.scopes.push(FxHashMap::default());
                self.box_scope(&text, &parameters, owner);
                if let Some(predicate) = text.predicate {
                    self.predicate(predicate);
                }
                self.settle();
                self.scopes.clear();
            }
            ParagraphKind::Predicate(parameters, predicate)
            | ParagraphKind::Conjecture(parameters, predicate) => {
                let scope = self.parameters(&parameters, Name::new("¶"));
                self.scopes.push(scope);
                self.predicate(predicate);
                self.settle();
                self.scopes.clear();
            }
            _ => {}
        }
    }

    /// Checks the declarations of a box again, with the parameters that its predicate has.
    fn box_scope(&mut self, text: &Text, parameters: &[Ident], owner: Name) {
        if parameters.is_empty() {
            return;
        }
        for decl in &text.decls {
            let Decl::Vars(names, _) = decl else { continue };
            for name in names {
                let Some(id) = self.out.names.get(&name.name).copied() else {
                    continue;
                };
                let own = self.out.globals[id].parameters.clone();
                let ty = self.type_of_global(id);
                let mut replaced = Vec::new();
                for (parameter, given) in parameters.iter().zip(own) {
                    let shared = types::parameter(parameter.name, owner);
                    replaced.push((given, self.out.types.given(shared)));
                }
                let ty = self.out.types.substitute(ty, &|given| {
                    let found = replaced.iter().find(|(own, _)| *own == given);
                    found.map(|(_, ty)| *ty)
                });
                if let Some(scope) = self.scopes.last_mut() {
                    scope.insert(name.name, ty);
                }
            }
        }
    }
}
