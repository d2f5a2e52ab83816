//! Given sets with their sizes, free types, constants of axiomatic boxes and what they satisfy.

use base::{Diagnostic, Name, Span};
use lang_math::{Op, Type};
use lang_z::check::GlobalId;
use lang_z::tree::{Decl, ParagraphKind, TermId, TermKind};
use lang_z::{GlobalKind, codes};
use model::scope::{DEFAULT_MAX_INT, DEFAULT_MIN_INT, DEFAULT_SET_SIZE, MAX_SET_SIZE, Scopes};
use model::{Conjunct, ExprId, FreeType, Kind, Sort, SortOrigin, Variable};
use num_traits::ToPrimitive as _;
use smallvec::smallvec;

use super::{Env, Free, Lower};

/// The branches of a free type with their arguments.
type Branches = Vec<(Name, Option<TermId>)>;

impl Lower<'_> {
    fn preference(&mut self, scopes: &Scopes, name: &str) -> Option<i64> {
        scopes.integer_or_told(name, &codes::BAD_SCOPE, &mut self.diagnostics)
    }

    pub(super) fn preferences(&mut self, scopes: &Scopes) {
        let min = self.preference(scopes, "MININT");
        let max = self.preference(scopes, "MAXINT");
        self.model.min_int = min.unwrap_or(DEFAULT_MIN_INT);
        self.model.max_int = max.unwrap_or(DEFAULT_MAX_INT);
    }

    /// The paragraphs of the text itself.
    fn own(&self) -> std::ops::Range<usize> {
        self.checked.toolkit..self.checked.tree.paragraphs.len()
    }

    /// Declares given sets and free types.
    pub(super) fn sets(&mut self, scopes: &Scopes) {
        let default = self
            .preference(scopes, "DEFAULT_SETSIZE")
            .and_then(|size| usize::try_from(size).ok())
            .unwrap_or(DEFAULT_SET_SIZE);
        let mut known: Vec<Name> = Vec::new();
        for paragraph in self.own() {
            match &self.checked.tree.paragraphs[paragraph].kind {
                ParagraphKind::Given(names) => {
                    for name in names {
                        known.push(name.name);
                        self.given_set(name.name, name.span, scopes, default);
                    }
                }
                ParagraphKind::Free(frees) => {
                    for (position, free) in frees.iter().enumerate() {
                        self.free_type(paragraph, position, free);
                    }
                }
                _ => {}
            }
        }
        for name in scopes.cards.keys() {
            if !known.contains(name) {
                let message = format!("`{name}` is no given set, so its size cannot be chosen");
                self.diagnostics
                    .push(Diagnostic::global(&codes::BAD_SCOPE, message));
            }
        }
        self.constructors();
    }

    fn given_set(&mut self, name: Name, span: Span, scopes: &Scopes, default: usize) {
        let (size, because) = match (scopes.cards.get(&name), self.stated_size(name)) {
            (Some(size), _) => (*size, "given"),
            (None, Some(size)) => (size, "stated by an axiom"),
            (None, None) => (default, "the default"),
        };
        let size = size.min(MAX_SET_SIZE);
        self.model
            .scopes
            .push(format!("{name} has {size} elements ({because})"));
        let elements = (1..=size)
            .map(|n| Name::new(&format!("{name}{n}")))
            .collect();
        let sort = self.model.tys.sorts.push(Sort {
            name,
            elements,
            origin: SortOrigin::Deferred,
            span,
        });
        self.sorts.insert(name, sort);
    }

    /// The size that a conjunct `# S = n` states.
    fn stated_size(&self, name: Name) -> Option<usize> {
        for paragraph in self.own() {
            let predicate = match &self.checked.tree.paragraphs[paragraph].kind {
                ParagraphKind::Axiom(parameters, text) if parameters.is_empty() => text.predicate,
                ParagraphKind::Predicate(_, predicate) => Some(*predicate),
                _ => None,
            };
            for conjunct in predicate.map_or(Vec::new(), |p| self.written_conjuncts(p)) {
                let TermKind::Equal(left, right) = self.checked.tree.terms[conjunct].kind else {
                    continue;
                };
                for (size, number) in [(left, right), (right, left)] {
                    if let Some(found) = self.size_equation(size, number, name) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    fn size_equation(&self, size: TermId, number: TermId, name: Name) -> Option<usize> {
        let TermKind::Apply(function, set) = self.checked.tree.terms[size].kind else {
            return None;
        };
        let TermKind::Number(number) = &self.checked.tree.terms[number].kind else {
            return None;
        };
        let fits = self.is_named(function, Name::new("#")) && self.is_named(set, name);
        fits.then(|| number.to_usize()).flatten()
    }

    fn free_type(&mut self, paragraph: usize, position: usize, free: &lang_z::tree::Free) {
        let name = free.name.name;
        if free.branches.iter().all(|branch| branch.argument.is_none()) {
            let elements = free
                .branches
                .iter()
                .map(|branch| branch.name.name)
                .collect();
            let sort = self.model.tys.sorts.push(Sort {
                name,
                elements,
                origin: SortOrigin::Free,
                span: free.name.span,
            });
            self.sorts.insert(name, sort);
            return;
        }
        let id = self.model.tys.free.push(FreeType::named(name));
        let known = Free {
            id,
            place: (paragraph, position),
            restricted: false,
            recursive: false,
        };
        self.frees.insert(name, known);
    }

    /// Fills in the constructors, once all types have names.
    fn constructors(&mut self) {
        let names: Vec<Name> = self.ordered_frees();
        for name in &names {
            let Some((id, branches)) = self.free_branches(*name) else {
                continue;
            };
            let mut constructors = Vec::new();
            for (branch, argument) in branches {
                let ty = match argument.and_then(|argument| self.checked.ty(argument)) {
                    Some(set) => match self.checked.types.get(set) {
                        Type::Pow(element) => self.ty(*element),
                        _ => None,
                    },
                    None => None,
                };
                constructors.push((branch, ty));
            }
            self.model.tys.free[id].constructors = constructors;
        }
        self.recursions();
    }

    /// Free types with constructors, in the order of the text.
    fn ordered_frees(&self) -> Vec<Name> {
        let mut frees: Vec<(Name, (usize, usize))> = self
            .frees
            .iter()
            .map(|(name, free)| (*name, free.place))
            .collect();
        frees.sort_by_key(|(_, place)| *place);
        frees.into_iter().map(|(name, _)| name).collect()
    }

    fn free_branches(&self, name: Name) -> Option<(model::FreeId, Branches)> {
        let free = self.frees.get(&name)?;
        let ParagraphKind::Free(frees) = &self.checked.tree.paragraphs[free.place.0].kind else {
            return None;
        };
        let branches = frees[free.place.1].branches.iter();
        Some((
            free.id,
            branches
                .map(|branch| (branch.name.name, branch.argument))
                .collect(),
        ))
    }

    fn recursions(&mut self) {
        for known in self.frees.values_mut() {
            known.recursive = self.model.tys.is_recursive(known.id);
        }
    }

    /// Which constructors take less than a whole type, once constants have their places.
    fn restrictions(&mut self) {
        for name in self.ordered_frees() {
            let Some((id, branches)) = self.free_branches(name) else {
                continue;
            };
            let mut domains = Vec::new();
            for (_, argument) in branches {
                let set = argument.and_then(|argument| self.free_argument(argument));
                domains.push(set.filter(|set| !self.model.is_whole(*set)));
            }
            let restricted = domains.iter().any(Option::is_some);
            self.model.tys.free[id].domains = domains;
            if let Some(free) = self.frees.get_mut(&name) {
                free.restricted = restricted;
            }
        }
    }

    /// Declares the constants of axiomatic boxes and what holds for them.
    pub(super) fn constants(&mut self) {
        for paragraph in self.own() {
            if let ParagraphKind::Axiom(parameters, _) =
                &self.checked.tree.paragraphs[paragraph].kind
                && parameters.is_empty()
            {
                for id in self.declared(paragraph) {
                    self.constant(id);
                }
            }
        }
        self.restrictions();
        for paragraph in self.own() {
            let span = self.checked.tree.paragraphs[paragraph].span;
            let mut conjuncts = Vec::new();
            match &self.checked.tree.paragraphs[paragraph].kind {
                ParagraphKind::Axiom(parameters, text) if parameters.is_empty() => {
                    self.model.has_setup = true;
                    let env = self.constant_env(paragraph, span);
                    self.axioms(&text.decls, text.predicate, &env, &mut conjuncts);
                }
                ParagraphKind::Predicate(parameters, predicate) if parameters.is_empty() => {
                    self.model.has_setup = true;
                    self.conjuncts(*predicate, &mut conjuncts);
                }
                _ => {}
            }
            for predicate in conjuncts {
                let span = self.model.exprs[predicate].span;
                self.model.properties.push(Conjunct {
                    predicate,
                    label: None,
                    span,
                });
            }
        }
    }

    fn constant(&mut self, id: GlobalId) {
        let global = &self.checked.globals[id];
        let (name, span) = (global.name, global.span);
        let Some(ty) = global.ty.and_then(|ty| self.ty(ty)) else {
            return self.unsupported(span, format!("the type of `{name}`"));
        };
        let variable = self.model.variables.push(Variable {
            name,
            ty,
            is_constant: true,
            span,
        });
        self.constants.insert(id, variable);
    }

    fn constant_env(&mut self, paragraph: usize, span: Span) -> Env {
        let mut env = Env::default();
        for id in self.declared(paragraph) {
            if let Some(variable) = self.constants.get(&id).copied() {
                let ty = self.model.variables[variable].ty;
                let value = self.push(Kind::Var(variable), Some(ty), span);
                env.insert(self.checked.globals[id].name, value);
            }
        }
        env
    }

    fn axioms(
        &mut self,
        decls: &[Decl],
        predicate: Option<TermId>,
        env: &Env,
        out: &mut Vec<ExprId>,
    ) -> Option<()> {
        for decl in decls {
            match decl {
                Decl::Vars(names, set) => {
                    let set = self.expr(*set)?;
                    for name in names {
                        let value = *env.get(&name.name)?;
                        let span = name.span.to(self.model.exprs[set].span);
                        out.push(self.test(Op::Member, smallvec![value, set], span));
                    }
                }
                Decl::Define(name, value) => {
                    let value = self.expr(*value)?;
                    let constant = *env.get(&name.name)?;
                    self.equation(constant, value, name.span, out);
                }
                Decl::Include(schema) => self.holds(*schema, env, out)?,
            }
        }
        if let Some(predicate) = predicate {
            self.conjuncts(predicate, out)?;
        }
        Some(())
    }

    /// Finds again what was declared when the model was made.
    pub(super) fn adopt(&mut self) {
        for (id, sort) in self.model.tys.sorts.iter() {
            self.sorts.insert(sort.name, id);
        }
        for paragraph in self.own() {
            if let ParagraphKind::Free(frees) = &self.checked.tree.paragraphs[paragraph].kind {
                for (position, free) in frees.iter().enumerate() {
                    let name = free.name.name;
                    let mut known = self.model.tys.free.iter();
                    if let Some((id, _)) = known.find(|(_, known)| known.name == name) {
                        let known = Free {
                            id,
                            place: (paragraph, position),
                            restricted: false,
                            recursive: false,
                        };
                        self.frees.insert(name, known);
                    }
                }
            }
        }
        let mut state = Env::default();
        let elements: Vec<_> = self
            .model
            .tys
            .sorts
            .iter()
            .filter(|(_, sort)| sort.origin == SortOrigin::Deferred)
            .map(|(id, sort)| (id, sort.elements.clone(), sort.span))
            .collect();
        for (sort, names, span) in elements {
            let ty = self.model.tys.intern(model::Ty::Sort(sort));
            for (position, name) in names.into_iter().enumerate() {
                let element = self.push(Kind::Element(sort, position as u32), Some(ty), span);
                state.insert(name, element);
            }
        }
        let variables: Vec<_> = self
            .model
            .variables
            .iter()
            .map(|(id, variable)| {
                (
                    id,
                    variable.name,
                    variable.ty,
                    variable.is_constant,
                    variable.span,
                )
            })
            .collect();
        for (id, name, ty, is_constant, span) in variables {
            if is_constant {
                if let Some(global) = self.checked.global(name)
                    && self.checked.globals[global].kind == GlobalKind::Constant
                {
                    self.constants.insert(global, id);
                }
            } else {
                let value = self.push(Kind::Var(id), Some(ty), span);
                state.insert(name, value);
            }
        }
        self.recursions();
        self.restrictions();
        self.scopes.push(state);
    }

    /// Conjectures are read and left alone; the report says so.
    pub(super) fn not_checked(&mut self) {
        let claims = self.own().filter(|paragraph| {
            let kind = &self.checked.tree.paragraphs[*paragraph].kind;
            matches!(kind, ParagraphKind::Conjecture(..))
        });
        let count = claims.count();
        if count > 0 {
            let s = if count == 1 { "" } else { "s" };
            self.model
                .not_checked
                .push(format!("{count} conjecture{s}"));
        }
    }
}
