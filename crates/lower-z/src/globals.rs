//! Names as expressions: what a global stands for, and generic definitions with their parameters.

use base::{Diagnostic, Name, Span, deep};
use lang_math::{Op, TypeId};
use lang_z::tree::{Decl, ParagraphKind, TermId, TermKind};
use lang_z::{GlobalId, GlobalKind, Meaning, codes};
use model::{ExprId, Kind, Ty, TyId};
use smallvec::smallvec;

use super::{Env, Lower, MAX_DEFINITIONS};

/// The parameters of an instance: their types and, where the text gives them, their sets.
pub(super) struct Actual {
    pub types: Vec<TyId>,
    pub sets: Option<Vec<ExprId>>,
}

impl Lower<'_> {
    /// A name in a term.
    pub(super) fn name(
        &mut self,
        term: TermId,
        name: Name,
        sets: &[TermId],
        ty: TyId,
    ) -> Option<ExprId> {
        let span = self.span(term);
        match self.checked.meanings.get(&term)?.clone() {
            Meaning::Local => match self.find(name) {
                Some(found) => Some(found),
                None => self.global_named(name, span),
            },
            Meaning::Global(id, types) => {
                if matches!(self.checked.globals[id].kind, GlobalKind::Schema(_)) {
                    return self.bindings(term, ty);
                }
                if self.checked.globals[id].toolkit
                    && let Some(value) = self.toolkit_value(name, sets, ty, span)
                {
                    return Some(value);
                }
                let actual = self.actual(&types, sets)?;
                self.global(id, actual, span)
            }
            Meaning::Decorated(..) | Meaning::Delta(..) | Meaning::Xi(..) => {
                self.bindings(term, ty)
            }
        }
    }

    /// The types and sets of the parameters of an instance.
    pub(super) fn actual(&mut self, types: &[TypeId], sets: &[TermId]) -> Option<Actual> {
        let lowered: Option<Vec<TyId>> = types.iter().map(|ty| self.ty(*ty)).collect();
        let sets = match sets.is_empty() {
            true => None,
            false => Some(self.exprs(sets)?),
        };
        Some(Actual {
            types: lowered?,
            sets,
        })
    }

    /// The value of a name that is a component in scope or a global.
    pub(super) fn value_of(&mut self, name: Name, span: Span) -> Option<ExprId> {
        match self.find(name) {
            Some(found) => Some(found),
            None => self.global_named(name, span),
        }
    }

    fn global_named(&mut self, name: Name, span: Span) -> Option<ExprId> {
        let Some(id) = self.checked.global(name) else {
            self.unsupported(span, format!("`{name}` in this place"));
            return None;
        };
        // A constant of the generic box that is being lowered has its parameters.
        let global = &self.checked.globals[id];
        let mut actual = Actual {
            types: Vec::new(),
            sets: None,
        };
        let mut sets = Vec::new();
        for own in &global.parameters {
            let plain = own.as_str().split('│').next()?;
            let shared = Name::new(&format!("{plain}│¶{}", global.paragraph));
            actual.types.extend(self.parameters.get(&shared));
            sets.extend(self.find(Name::new(plain)));
        }
        if !sets.is_empty() && sets.iter().any(|set| !self.model.is_whole(*set)) {
            actual.sets = Some(sets);
        }
        self.global(id, actual, span)
    }

    /// The value of a generic global for some types.
    pub(super) fn instance_of(
        &mut self,
        id: GlobalId,
        types: Vec<TyId>,
        span: Span,
    ) -> Option<ExprId> {
        self.global(id, Actual { types, sets: None }, span)
    }

    fn global(&mut self, id: GlobalId, actual: Actual, span: Span) -> Option<ExprId> {
        let global = &self.checked.globals[id];
        let (kind, name, paragraph) = (global.kind, global.name, global.paragraph);
        if let Some(variable) = self.constants.get(&id) {
            let ty = self.model.variables[*variable].ty;
            return Some(self.push(Kind::Var(*variable), Some(ty), span));
        }
        match kind {
            GlobalKind::Numbers => {
                let int = self.model.tys.intern(Ty::Int);
                self.carrier(int, span)
            }
            GlobalKind::Given | GlobalKind::Free(_) => {
                let ty = self.ty(element(self.checked, global.ty?)?)?;
                self.carrier(ty, span)
            }
            GlobalKind::Branch(_, branch) => self.branch(id, branch, span),
            GlobalKind::Abbreviation(term) => {
                self.defined(id, actual, span, |lower| lower.expr(term))
            }
            GlobalKind::Constant => {
                let ParagraphKind::Axiom(_, text) = &self.checked.tree.paragraphs[paragraph].kind
                else {
                    return None;
                };
                self.defined(id, actual, span, |lower| {
                    lower.generic_constant(name, text, span)
                })
            }
            GlobalKind::Schema(term) => {
                let ty = self.ty(global.ty?);
                self.defined(id, actual, span, |lower| {
                    let ty = ty.or_else(|| lower.term_ty(term))?;
                    lower.bindings(term, ty)
                })
            }
        }
    }

    /// A definition in the place of its name.
    fn defined(
        &mut self,
        id: GlobalId,
        actual: Actual,
        span: Span,
        body: impl FnOnce(&mut Self) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let closed = actual.sets.is_none();
        let key = (id, actual.types.clone());
        if closed && let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        let value = self.instantiated(id, actual, span, body)?;
        if closed {
            self.known.insert(key, value);
        }
        Some(value)
    }

    /// Lowers the body of a global: it sees its parameters and globals only.
    pub(super) fn instantiated<T>(
        &mut self,
        id: GlobalId,
        actual: Actual,
        span: Span,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.depth >= MAX_DEFINITIONS {
            let message = format!("more than {MAX_DEFINITIONS} definitions use each other");
            self.diagnostics
                .push(Diagnostic::error(&codes::UNSUPPORTED, span, message));
            return None;
        }
        let global = &self.checked.globals[id];
        let mut scope = Env::default();
        let mut parameters = self.parameters.clone();
        let shared = format!("¶{}", global.paragraph);
        for (position, own) in global.parameters.iter().enumerate() {
            let Some(ty) = actual.types.get(position).copied() else {
                self.unsupported(span, format!("`{}` without its parameters", global.name));
                return None;
            };
            let plain = own.as_str().split('│').next()?;
            let set = match &actual.sets {
                Some(sets) => *sets.get(position)?,
                None => self.carrier(ty, span)?,
            };
            scope.insert(Name::new(plain), set);
            parameters.insert(*own, ty);
            parameters.insert(Name::new(&format!("{plain}│{shared}")), ty);
        }
        let scopes = std::mem::replace(&mut self.scopes, vec![scope]);
        let outer = std::mem::replace(&mut self.parameters, parameters);
        self.depth += 1;
        let result = deep::recurse(|| body(self));
        self.depth -= 1;
        self.parameters = outer;
        self.scopes = scopes;
        result
    }

    /// The body of a global that is a schema.
    pub(super) fn schema_body(&self, id: GlobalId) -> Option<TermId> {
        let global = &self.checked.globals[id];
        match global.kind {
            GlobalKind::Schema(term) => Some(term),
            GlobalKind::Abbreviation(term) => {
                self.checked.components(self.checked.ty(term)?)?;
                Some(term)
            }
            _ => None,
        }
    }

    /// A constant or constructor of a free type.
    fn branch(&mut self, id: GlobalId, branch: usize, span: Span) -> Option<ExprId> {
        let global = &self.checked.globals[id];
        let ParagraphKind::Free(frees) = &self.checked.tree.paragraphs[global.paragraph].kind
        else {
            return None;
        };
        let GlobalKind::Branch(free, _) = global.kind else {
            return None;
        };
        let name = frees[free].name.name;
        if let Some(sort) = self.sorts.get(&name).copied() {
            let ty = self.model.tys.intern(Ty::Sort(sort));
            return Some(self.push(Kind::Element(sort, branch as u32), Some(ty), span));
        }
        let known = self.frees.get(&name)?.clone();
        let whole = self.model.tys.intern(Ty::Free(known.id));
        let kind = Kind::Constructor(known.id, branch as u32);
        let Some(argument) = frees[free].branches[branch].argument else {
            return Some(self.push(kind, Some(whole), span));
        };
        let from = self.model.tys.free[known.id].constructors[branch].1?;
        let pair = self.pair_of(from, whole);
        let function_ty = self.set_of(pair);
        let function = self.push(kind, Some(function_ty), span);
        let set = self.free_argument(argument)?;
        if self.model.is_whole(set) {
            return Some(function);
        }
        Some(self.op(
            Op::DomainRestriction,
            smallvec![set, function],
            function_ty,
            span,
        ))
    }

    /// The set of the arguments of a constructor.
    pub(super) fn free_argument(&mut self, argument: TermId) -> Option<ExprId> {
        let scopes = std::mem::take(&mut self.scopes);
        let set = self.expr(argument);
        self.scopes = scopes;
        set
    }

    /// The set of the values of a free type.
    pub(super) fn free_set(&mut self, free: model::FreeId, span: Span) -> Option<ExprId> {
        let ty = self.model.tys.intern(Ty::Free(free));
        let set_ty = self.set_of(ty);
        let known = self.frees.values().find(|known| known.id == free)?.clone();
        if known.recursive || !known.restricted {
            return Some(self.push(Kind::FreeSet(free), Some(set_ty), span));
        }
        let ParagraphKind::Free(frees) = &self.checked.tree.paragraphs[known.place.0].kind else {
            return None;
        };
        let mut all: Option<ExprId> = None;
        for (position, branch) in frees[known.place.1].branches.iter().enumerate() {
            let kind = Kind::Constructor(free, position as u32);
            let part = match branch.argument {
                None => {
                    let value = self.push(kind, Some(ty), span);
                    Kind::Op(Op::SetExtension, smallvec![value])
                }
                Some(argument) => {
                    let from = self.model.tys.free[free].constructors[position].1?;
                    let pair = self.pair_of(from, ty);
                    let function_ty = self.set_of(pair);
                    let function = self.push(kind, Some(function_ty), span);
                    let set = self.free_argument(argument)?;
                    Kind::Op(Op::Image, smallvec![function, set])
                }
            };
            let part = self.push(part, Some(set_ty), span);
            all = Some(match all {
                None => part,
                Some(left) => self.op(Op::Union, smallvec![left, part], set_ty, span),
            });
        }
        all
    }

    /// The constants that an axiomatic box declares, in order.
    pub(super) fn declared(&self, paragraph: usize) -> Vec<GlobalId> {
        let ParagraphKind::Axiom(_, text) = &self.checked.tree.paragraphs[paragraph].kind else {
            return Vec::new();
        };
        let mut names = Vec::new();
        for decl in &text.decls {
            match decl {
                Decl::Vars(many, _) => names.extend(many.iter().map(|name| name.name)),
                Decl::Define(one, _) => names.push(one.name),
                Decl::Include(schema) => {
                    let components = self.checked.ty(*schema);
                    let components = components.and_then(|ty| self.checked.components(ty));
                    names.extend(components.into_iter().flatten().map(|(name, _)| name));
                }
            }
        }
        let mut found: Vec<GlobalId> = Vec::new();
        for name in names {
            if let Some(id) = self.checked.global(name)
                && self.checked.globals[id].paragraph == paragraph
                && !found.contains(&id)
            {
                found.push(id);
            }
        }
        found
    }

    /// Whether a term is a name with this text.
    pub(super) fn is_named(&self, term: TermId, name: Name) -> bool {
        matches!(&self.checked.tree.terms[term].kind, TermKind::Ref(known, _) if *known == name)
    }
}

/// The type of the elements of a set type.
fn element(checked: &lang_z::Checked, set: TypeId) -> Option<TypeId> {
    match checked.types.get(set) {
        lang_math::Type::Pow(element) => Some(*element),
        _ => None,
    }
}
