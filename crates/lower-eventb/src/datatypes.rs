//! Data types of theories as free types: one for each choice of their parameters.

use base::{Name, Span, deep};
use lang_eventb::check::{Extension, extension};
use lang_eventb::syntax::Datatype;
use lang_math::{ExprKind, Op, Type, TypeId};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

use super::Lower;
use model::ty::{FreeType, Ty, TyId};
use model::{ExprId, FreeId, Kind};

impl Lower<'_> {
    /// The free type of a type that is a data type.
    pub(super) fn free_type(&mut self, ty: TypeId) -> Option<TyId> {
        let (name, arguments) = match self.world.types.get(ty).clone() {
            Type::Given(name) => (name, Vec::new()),
            Type::Record(fields) => {
                let name = fields.first()?.0.as_str().split('/').next()?;
                let name = Name::new(name);
                let mut arguments = Vec::new();
                for (_, ty) in fields {
                    arguments.push(deep::recurse(|| self.ty(ty))?);
                }
                (name, arguments)
            }
            _ => return None,
        };
        let Some(Extension::Set(datatype)) = extension(&self.checked.project, name) else {
            return None;
        };
        let free = self.free(&datatype, arguments)?;
        Some(self.model.tys.intern(Ty::Free(free)))
    }

    fn free(&mut self, datatype: &Datatype, arguments: Vec<TyId>) -> Option<FreeId> {
        let key = (datatype.name, arguments.clone());
        if let Some(known) = self.frees.get(&key) {
            return Some(*known);
        }
        let shown: Vec<String> = arguments
            .iter()
            .map(|ty| self.model.tys.show(*ty))
            .collect();
        let name = match shown.is_empty() {
            true => datatype.name,
            false => Name::new(&format!("{}({})", datatype.name, shown.join(","))),
        };
        // A formula from outside meets the data types of the model again.
        let known = self
            .model
            .tys
            .free
            .iter()
            .find(|(_, free)| free.name == name);
        if let Some((free, _)) = known {
            self.frees.insert(key, free);
            return Some(free);
        }
        let free = self.model.tys.free.push(FreeType::named(name));
        self.frees.insert(key, free);
        let names: FxHashMap<Name, TyId> =
            datatype.parameters.iter().copied().zip(arguments).collect();
        let mut constructors = Vec::new();
        for (constructor, fields) in &datatype.constructors {
            let mut argument: Option<TyId> = None;
            for (_, field) in fields {
                let ty = self.element_type(*field, &names)?;
                argument = Some(match argument {
                    None => ty,
                    Some(left) => self.model.tys.intern(Ty::Prod(left, ty)),
                });
            }
            constructors.push((*constructor, argument));
        }
        self.model.tys.free[free].constructors = constructors;
        Some(free)
    }

    /// The type of the elements of a type expression of a theory.
    fn element_type(
        &mut self,
        id: lang_math::ExprId,
        names: &FxHashMap<Name, TyId>,
    ) -> Option<TyId> {
        let ty = match self.checked.project.exprs.kind(id) {
            ExprKind::Name(name) => match names.get(name) {
                Some(ty) => return Some(*ty),
                None => Ty::Sort(*self.sorts.get(name)?),
            },
            ExprKind::Op(Op::Integers | Op::Naturals | Op::Naturals1, _) => Ty::Int,
            ExprKind::Op(Op::Booleans, _) => Ty::Bool,
            ExprKind::Op(Op::PowerSet | Op::PowerSet1, args) => {
                Ty::Pow(deep::recurse(|| self.element_type(args[0], names))?)
            }
            ExprKind::Op(op, args) if *op == Op::Cartesian || op.is_arrow() => {
                let left = deep::recurse(|| self.element_type(args[0], names))?;
                let right = deep::recurse(|| self.element_type(args[1], names))?;
                match *op {
                    Op::Cartesian => Ty::Prod(left, right),
                    _ => Ty::Pow(self.model.tys.intern(Ty::Prod(left, right))),
                }
            }
            ExprKind::External(name, args) => {
                let Some(Extension::Set(datatype)) = extension(&self.checked.project, *name) else {
                    return None;
                };
                let mut arguments = Vec::new();
                for arg in args {
                    arguments.push(deep::recurse(|| self.element_type(*arg, names))?);
                }
                Ty::Free(self.free(&datatype, arguments)?)
            }
            _ => return None,
        };
        Some(self.model.tys.intern(ty))
    }

    /// A constructor, destructor, test or data type in a formula.
    // Long: one arm for each kind of extension.
    pub(super) fn extended(
        &mut self,
        name: Name,
        args: &[lang_math::ExprId],
        ty: Option<TyId>,
        span: Span,
    ) -> Option<ExprId> {
        let Some(found) = extension(&self.checked.project, name) else {
            self.unsupported(span, format!("operator `{name}` of a theory"));
            return None;
        };
        match found {
            Extension::Element(host) => {
                let set = self.expr(args[0])?;
                let kind = Kind::External(Name::new(host), vec![set]);
                Some(self.push(kind, ty, span))
            }
            Extension::Set(datatype) => self.data_set(&datatype, args, ty?, span),
            Extension::Constructor(_, position) => {
                let ty = ty?;
                let Ty::Free(free) = self.model.tys[ty] else {
                    return None;
                };
                if args.is_empty() {
                    let kind = Kind::Constructor(free, position as u32);
                    return Some(self.push(kind, Some(ty), span));
                }
                let constructor = self.constructor(free, position, span)?;
                let mut argument: Option<ExprId> = None;
                for arg in args {
                    let next = self.expr(*arg)?;
                    argument = Some(match argument {
                        None => next,
                        Some(left) => self.pair(left, next, span)?,
                    });
                }
                Some(self.push(Kind::Apply(constructor, argument?), Some(ty), span))
            }
            Extension::Test(_, position) => {
                let value = self.expr(args[0])?;
                let free = self.free_of(value)?;
                if self.model.tys.free[free].constructors[position].1.is_none() {
                    let ty = self.model.exprs[value].ty;
                    let constant = Kind::Constructor(free, position as u32);
                    let constant = self.push(constant, ty, span);
                    let equal = Kind::Op(Op::Equal, smallvec![value, constant]);
                    return Some(self.push(equal, None, span));
                }
                let constructor = self.constructor(free, position, span)?;
                let ty = self.model.exprs[value].ty?;
                let set = self.model.tys.intern(Ty::Pow(ty));
                let range = Kind::Op(Op::Range, smallvec![constructor]);
                let range = self.push(range, Some(set), span);
                let member = Kind::Op(Op::Member, smallvec![value, range]);
                Some(self.push(member, None, span))
            }
            Extension::Destructor(datatype, position, field) => {
                let value = self.expr(args[0])?;
                let free = self.free_of(value)?;
                let argument = self.model.tys.free[free].constructors[position].1?;
                let constructor = self.constructor(free, position, span)?;
                let whole = self.model.exprs[value].ty?;
                let pair = self.model.tys.intern(Ty::Prod(whole, argument));
                let inverse = self.model.tys.intern(Ty::Pow(pair));
                let kind = Kind::Op(Op::Inverse, smallvec![constructor]);
                let inverse = self.push(kind, Some(inverse), span);
                let mut part = self.push(Kind::Apply(inverse, value), Some(argument), span);
                // Arguments are nested to the left.
                let count = datatype.constructors[position].1.len();
                for step in (1..count).rev() {
                    let Ty::Prod(left, right) = self.model.tys[self.model.exprs[part].ty?] else {
                        return None;
                    };
                    if step == field {
                        let kind = Kind::Op(Op::Component2, smallvec![part]);
                        return Some(self.push(kind, Some(right), span));
                    }
                    let kind = Kind::Op(Op::Component1, smallvec![part]);
                    part = self.push(kind, Some(left), span);
                }
                Some(part)
            }
        }
    }

    /// `C(x) ∈ S` as `x ∈ C∼[S]`, where `x` is to be found: so it is found among the elements of `S`.
    pub(super) fn constructed_member(&mut self, args: &[ExprId], span: Span) -> Option<ExprId> {
        let [value, set] = *args else { return None };
        let Kind::Apply(function, argument) = self.model.exprs[value].kind else {
            return None;
        };
        if !matches!(self.model.exprs[function].kind, Kind::Constructor(..)) {
            return None;
        }
        let mut has_local = false;
        self.model.walk(argument, &mut |expr| {
            has_local |= matches!(expr.kind, Kind::Local(_));
        });
        if !has_local {
            return None;
        }
        let (whole, part) = (self.model.exprs[value].ty?, self.model.exprs[argument].ty?);
        let pair = self.model.tys.intern(Ty::Prod(whole, part));
        let inverse = self.model.tys.intern(Ty::Pow(pair));
        let parts = self.model.tys.intern(Ty::Pow(part));
        let inverse = self.push(
            Kind::Op(Op::Inverse, smallvec![function]),
            Some(inverse),
            span,
        );
        let image = self.push(
            Kind::Op(Op::Image, smallvec![inverse, set]),
            Some(parts),
            span,
        );
        let member = Kind::Op(Op::Member, smallvec![argument, image]);
        Some(self.push(member, None, span))
    }

    fn free_of(&self, value: ExprId) -> Option<FreeId> {
        match self.model.tys[self.model.exprs[value].ty?] {
            Ty::Free(free) => Some(free),
            _ => None,
        }
    }

    /// A constructor with arguments, as a function.
    fn constructor(&mut self, free: FreeId, position: usize, span: Span) -> Option<ExprId> {
        let argument = self.model.tys.free[free].constructors[position].1?;
        let whole = self.model.tys.intern(Ty::Free(free));
        let pair = self.model.tys.intern(Ty::Prod(argument, whole));
        let function = self.model.tys.intern(Ty::Pow(pair));
        let kind = Kind::Constructor(free, position as u32);
        Some(self.push(kind, Some(function), span))
    }

    fn pair(&mut self, left: ExprId, right: ExprId, span: Span) -> Option<ExprId> {
        let (first, second) = (self.model.exprs[left].ty?, self.model.exprs[right].ty?);
        let pair = self.model.tys.intern(Ty::Prod(first, second));
        let kind = Kind::Op(Op::Maplet, smallvec![left, right]);
        Some(self.push(kind, Some(pair), span))
    }

    /// All values of a data type whose parts are in some sets.
    fn data_set(
        &mut self,
        datatype: &Datatype,
        args: &[lang_math::ExprId],
        ty: TyId,
        span: Span,
    ) -> Option<ExprId> {
        let Ty::Pow(element) = self.model.tys[ty] else {
            return None;
        };
        let Ty::Free(free) = self.model.tys[element] else {
            return None;
        };
        let mut sets = Vec::new();
        let mut whole = true;
        for arg in args {
            let set = self.expr(*arg)?;
            whole &= matches!(
                self.model.exprs[set].kind,
                Kind::Carrier(_) | Kind::FreeSet(_) | Kind::Op(Op::Integers | Op::Booleans, _)
            );
            sets.push(set);
        }
        if whole {
            return Some(self.push(Kind::FreeSet(free), Some(ty), span));
        }
        let names: FxHashMap<Name, ExprId> =
            datatype.parameters.iter().copied().zip(sets).collect();
        let mut result: Option<ExprId> = None;
        for (position, (_, fields)) in datatype.constructors.iter().enumerate() {
            let part = if fields.is_empty() {
                let kind = Kind::Constructor(free, position as u32);
                let value = self.push(kind, Some(element), span);
                Kind::Op(Op::SetExtension, smallvec![value])
            } else {
                let constructor = self.constructor(free, position, span)?;
                let mut argument: Option<ExprId> = None;
                for (_, field) in fields {
                    let next = self.field_set(*field, &names, span)?;
                    argument = Some(match argument {
                        None => next,
                        Some(left) => self.product(left, next, span)?,
                    });
                }
                Kind::Op(Op::Image, smallvec![constructor, argument?])
            };
            let part = self.push(part, Some(ty), span);
            result = Some(match result {
                None => part,
                Some(left) => {
                    let kind = Kind::Op(Op::Union, smallvec![left, part]);
                    self.push(kind, Some(ty), span)
                }
            });
        }
        result
    }

    fn product(&mut self, left: ExprId, right: ExprId, span: Span) -> Option<ExprId> {
        let element = |lower: &Self, id: ExprId| match lower.model.tys[lower.model.exprs[id].ty?] {
            Ty::Pow(element) => Some(element),
            _ => None,
        };
        let (first, second) = (element(self, left)?, element(self, right)?);
        let pair = self.model.tys.intern(Ty::Prod(first, second));
        let set = self.model.tys.intern(Ty::Pow(pair));
        let kind = Kind::Op(Op::Cartesian, smallvec![left, right]);
        Some(self.push(kind, Some(set), span))
    }

    /// The set of the values of one part.
    fn field_set(
        &mut self,
        id: lang_math::ExprId,
        names: &FxHashMap<Name, ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        match self.checked.project.exprs.kind(id).clone() {
            ExprKind::Name(name) if names.contains_key(&name) => names.get(&name).copied(),
            ExprKind::Op(op @ (Op::PowerSet | Op::PowerSet1), args) => {
                let inner = deep::recurse(|| self.field_set(args[0], names, span))?;
                let ty = self.model.exprs[inner].ty?;
                let set = self.model.tys.intern(Ty::Pow(ty));
                let kind = Kind::Op(op, smallvec![inner]);
                Some(self.push(kind, Some(set), span))
            }
            ExprKind::Op(Op::Cartesian, args) => {
                let left = deep::recurse(|| self.field_set(args[0], names, span))?;
                let right = deep::recurse(|| self.field_set(args[1], names, span))?;
                self.product(left, right, span)
            }
            ExprKind::Op(Op::Integers | Op::Booleans, _) => {
                let ty = self.element_type(id, &FxHashMap::default())?;
                self.carrier(ty, span)
            }
            _ => {
                self.unsupported(span, "a recursive data type over part of its parameters");
                None
            }
        }
    }
}
