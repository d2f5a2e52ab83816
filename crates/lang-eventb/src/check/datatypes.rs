//! Types of data types, their constructors and destructors.
//!
//! A data type with parameters is a record type over its arguments, so that the unifier needs to know nothing of
//! it: Event-B has no records of its own.

use base::Name;
use lang_math::{ExprId, ExprKind, Op, TypeId};
use rustc_hash::FxHashMap;

use super::infer::Typer;
use crate::syntax::Datatype;

/// What the name of a theory operator is.
#[derive(Clone, Debug)]
pub enum Extension {
    /// The set of all values whose parts are in the argument sets.
    Set(Datatype),
    /// The constructor at this position.
    Constructor(Datatype, usize),
    /// Whether a value was built by the constructor at this position.
    Test(Datatype, usize),
    /// The part at the second position of values built by the constructor at the first one.
    Destructor(Datatype, usize, usize),
    /// Some element of a set, always the same, or its only element: a function of the host of this name.
    Element(&'static str),
}

/// The names that stand for functions of the host that pick an element of a set. No identifier has a blank.
pub const PICKS: [(&str, &str); 2] = [("element of", "CHOOSE"), ("only element of", "MU")];

/// What a name of a theory is.
pub fn extension(project: &crate::syntax::Project, name: Name) -> Option<Extension> {
    let text = name.as_str();
    if let Some((_, host)) = PICKS.iter().find(|(name, _)| *name == text) {
        return Some(Extension::Element(host));
    }
    let tested = text.strip_prefix("is ");
    let datatypes = project.theories.iter().flat_map(|theory| &theory.datatypes);
    for datatype in datatypes {
        if datatype.name == name {
            return Some(Extension::Set(datatype.clone()));
        }
        for (position, (constructor, fields)) in datatype.constructors.iter().enumerate() {
            if *constructor == name {
                return Some(Extension::Constructor(datatype.clone(), position));
            }
            if tested == Some(constructor.as_str()) {
                return Some(Extension::Test(datatype.clone(), position));
            }
            if let Some(field) = fields.iter().position(|(field, _)| *field == name) {
                return Some(Extension::Destructor(datatype.clone(), position, field));
            }
        }
    }
    None
}

impl Typer<'_> {
    /// The type of a data type over types of its parameters.
    fn datatype(&mut self, datatype: &Datatype, arguments: &[TypeId]) -> TypeId {
        if arguments.is_empty() {
            return self.world.types.given(datatype.name);
        }
        let fields = arguments.iter().enumerate().map(|(position, ty)| {
            let name = Name::new(&format!("{}/{position}", datatype.name));
            (name, *ty)
        });
        let fields = fields.collect();
        self.world.types.record(fields)
    }

    /// New types for the parameters of a data type, and the type itself.
    fn instance(&mut self, datatype: &Datatype) -> (FxHashMap<Name, TypeId>, TypeId) {
        let fresh: Vec<TypeId> = datatype
            .parameters
            .iter()
            .map(|_| self.world.types.fresh())
            .collect();
        let ty = self.datatype(datatype, &fresh);
        let names = datatype.parameters.iter().copied().zip(fresh);
        (names.collect(), ty)
    }

    /// The type of the elements of a type expression.
    fn member_type(&mut self, id: ExprId, names: &FxHashMap<Name, TypeId>) -> TypeId {
        base::deep::recurse(|| self.member_type_here(id, names))
    }

    fn member_type_here(&mut self, id: ExprId, names: &FxHashMap<Name, TypeId>) -> TypeId {
        match self.kind(id) {
            ExprKind::Name(name) => match names.get(name) {
                Some(ty) => *ty,
                None => self.world.types.given(*name),
            },
            ExprKind::Op(Op::Integers | Op::Naturals | Op::Naturals1, _) => self.world.types.int(),
            ExprKind::Op(Op::Booleans, _) => self.world.types.bool(),
            ExprKind::Op(Op::PowerSet | Op::PowerSet1, args) => {
                let element = self.member_type(args[0], names);
                self.world.types.pow(element)
            }
            ExprKind::Op(op, args) if *op == Op::Cartesian || op.is_arrow() => {
                let left = self.member_type(args[0], names);
                let right = self.member_type(args[1], names);
                match *op {
                    Op::Cartesian => self.world.types.prod(left, right),
                    _ => self.world.types.relation(left, right),
                }
            }
            ExprKind::External(name, args) => match extension(self.project, *name) {
                Some(Extension::Set(datatype)) => {
                    let mut arguments = Vec::new();
                    for arg in args {
                        arguments.push(self.member_type(*arg, names));
                    }
                    self.datatype(&datatype, &arguments)
                }
                _ => self.world.types.error(),
            },
            _ => self.world.types.error(),
        }
    }

    /// The type of a use of a theory operator; `None` for a predicate, or after a diagnostic.
    pub(super) fn extended(&mut self, id: ExprId, name: Name, args: &[ExprId]) -> Option<TypeId> {
        let error = self.world.types.error();
        let Some(extension) = extension(self.project, name) else {
            for arg in args {
                self.either(*arg);
            }
            self.theory(id, name);
            return Some(error);
        };
        let (expected, result) = match &extension {
            Extension::Set(datatype) => {
                let (names, ty) = self.instance(datatype);
                let sets: Vec<TypeId> = datatype
                    .parameters
                    .iter()
                    .map(|parameter| self.world.types.pow(names[parameter]))
                    .collect();
                (sets, Some(self.world.types.pow(ty)))
            }
            Extension::Constructor(datatype, position) => {
                let (names, ty) = self.instance(datatype);
                let fields = &datatype.constructors[*position].1;
                let types = fields.iter().map(|(_, ty)| *ty).collect::<Vec<_>>();
                let types = types
                    .iter()
                    .map(|ty| self.member_type(*ty, &names))
                    .collect();
                (types, Some(ty))
            }
            Extension::Test(datatype, _) => (vec![self.instance(datatype).1], None),
            Extension::Destructor(datatype, position, field) => {
                let (names, ty) = self.instance(datatype);
                let field = datatype.constructors[*position].1[*field].1;
                (vec![ty], Some(self.member_type(field, &names)))
            }
            Extension::Element(_) => {
                let element = self.world.types.fresh();
                (vec![self.world.types.pow(element)], Some(element))
            }
        };
        if expected.len() != args.len() {
            self.theory(id, name);
            return Some(error);
        }
        for (arg, expected) in args.iter().zip(expected) {
            let found = self.infer(*arg);
            self.fit(*arg, found, expected, id);
        }
        result
    }
}
