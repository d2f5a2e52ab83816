//! What a component offers to those that refer to it.
//!
//! Sets, elements, constants, variables and operations; what a machine includes is passed on, variables and
//! operations under the prefix they were included with. Actual parameters replace the types of set
//! parameters. (B-Book, chapters 7 and 12; ProB's rules where they differ.)

use base::{Diagnostic, Id, Name, Span};
use lang_math::TypeId;
use rustc_hash::FxHashMap;

use super::World;
use super::scope::{Decl, DeclId, DeclKind};
use crate::load::UnitId;

/// Names a signature.
pub type SignatureId = Id<Signature>;

/// The header of an operation.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its name as declared.
    pub name: Name,
    /// Where it is declared.
    pub span: Span,
    /// The component that declares it.
    pub unit: UnitId,
    /// Parameters with their types.
    pub inputs: Vec<(Name, TypeId)>,
    /// Results with their types.
    pub outputs: Vec<(Name, TypeId)>,
    /// The signature this one is an instance of.
    pub instance_of: Option<SignatureId>,
}

/// A name that a component offers.
#[derive(Clone, Copy, Debug)]
pub struct Export {
    /// The name others use.
    pub name: Name,
    /// What it means.
    pub decl: DeclId,
}

/// What a reference brings into a component.
#[derive(Debug, Default)]
pub struct Import {
    /// Names.
    pub exports: Vec<Export>,
    /// Operations.
    pub operations: Vec<(Name, SignatureId)>,
}

impl World {
    /// What a reference to `unit` brings in, under a prefix, with set parameters replaced by types.
    pub(super) fn import(
        &mut self,
        unit: UnitId,
        prefix: Option<Name>,
        replaced: &FxHashMap<Name, TypeId>,
    ) -> Import {
        let machine = &self.machines[unit.index()];
        let exports = machine.exports.clone();
        let operations = machine.operations_offered.clone();
        let renamed = |name: Name| match prefix {
            Some(prefix) => Name::new(&format!("{prefix}.{name}")),
            None => name,
        };
        let same = prefix.is_none() && replaced.is_empty();
        let given = |name: Name| replaced.get(&name).copied();
        let mut import = Import::default();
        for export in exports {
            let decl = self.decls[export.decl].clone();
            let variable = matches!(decl.kind, DeclKind::Variable(_));
            let ty = self.types.substitute(decl.ty, &given);
            let id = if same || (!variable && ty == self.types.resolve(decl.ty)) {
                export.decl
            } else {
                self.decls.push(Decl {
                    ty,
                    instance_of: Some(export.decl),
                    ..decl
                })
            };
            import.exports.push(Export {
                name: if variable {
                    renamed(export.name)
                } else {
                    export.name
                },
                decl: id,
            });
        }
        for (name, id) in operations {
            let id = if same {
                id
            } else {
                let mut signature = self.signatures[id].clone();
                for (_, ty) in signature.inputs.iter_mut().chain(&mut signature.outputs) {
                    *ty = self.types.substitute(*ty, &given);
                }
                signature.instance_of = Some(id);
                self.signatures.push(signature)
            };
            import.operations.push((renamed(name), id));
        }
        import
    }

    /// "declared here, in machine M" for a declaration in another component.
    pub(super) fn point_at(&self, diagnostic: Diagnostic, decl: DeclId, text: &str) -> Diagnostic {
        diagnostic.also(self.decls[decl].span, text)
    }
}
