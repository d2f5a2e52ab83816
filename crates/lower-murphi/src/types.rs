//! Types: nominal sorts for enumerations and scalarsets, structure for the rest.

use base::{Name, deep};
use lang_murphi::check::{Form, TypeId};
use program::{RecordTy, SortId, SortKind, Ty, TyId};

use crate::Lowering;

impl Lowering<'_> {
    /// The type of the program for a type of the text.
    pub(crate) fn ty(&mut self, id: TypeId) -> TyId {
        if let Some(known) = self.types.get(&id) {
            return *known;
        }
        let ty = deep::recurse(|| self.new_ty(id));
        self.types.insert(id, ty);
        ty
    }

    fn new_ty(&mut self, id: TypeId) -> TyId {
        let checked = self.checked;
        let found = &checked.types[id];
        let ty = match &found.form {
            Form::Boolean => Ty::Bool,
            Form::Range(low, high) => Ty::Range {
                low: *low,
                high: *high,
            },
            Form::Integer | Form::Element(_) | Form::Unknown => Ty::Number,
            Form::Enum(members) => {
                let sort =
                    self.program
                        .types
                        .sort(found.name, SortKind::Enumeration, members.clone());
                Ty::Sort(sort)
            }
            Form::Scalarset(size) => {
                let prefix = found.name.map_or("scalarset", Name::as_str);
                let elements = (1..=*size)
                    .map(|at| Name::new(&format!("{prefix}_{at}")))
                    .collect();
                Ty::Sort(
                    self.program
                        .types
                        .sort(found.name, SortKind::Scalarset, elements),
                )
            }
            Form::Union(members) => {
                let mut sorts: Vec<SortId> = members
                    .iter()
                    .filter_map(|member| self.sort_of(*member))
                    .collect();
                sorts.sort();
                Ty::Union(sorts)
            }
            Form::Array(index, element) => {
                let (index, element) = (self.ty(*index), self.ty(*element));
                Ty::Array { index, element }
            }
            Form::Record(fields) => {
                let fields: Vec<(Name, TyId)> = fields
                    .iter()
                    .map(|(name, ty)| (*name, self.ty(*ty)))
                    .collect();
                let record = match self.records.get(&fields) {
                    Some(known) => *known,
                    None => {
                        let ty = RecordTy {
                            name: found.name,
                            fields: fields.clone(),
                        };
                        let record = self.program.types.records.push(ty);
                        self.records.insert(fields, record);
                        record
                    }
                };
                Ty::Record(record)
            }
            Form::Multiset(capacity, element) => {
                let element = self.ty(*element);
                Ty::Multiset {
                    capacity: *capacity,
                    element,
                }
            }
        };
        self.program.types.intern(ty)
    }

    fn sort_of(&mut self, id: TypeId) -> Option<SortId> {
        let ty = self.ty(id);
        match self.program.types.get(ty) {
            Ty::Sort(sort) => Some(*sort),
            _ => None,
        }
    }

    /// The code of the member of an enumeration, by its position; other constants are themselves.
    pub(crate) fn code(&mut self, ty: TypeId, value: i64) -> i64 {
        match self.sort_of(ty) {
            Some(sort) => self.program.types.sorts[sort].first + value,
            None => value,
        }
    }

    /// Whether undefined is one more value of a type, as the reading has it.
    pub(crate) fn copies(&self, ty: TypeId) -> bool {
        let form = &self.checked.types[ty].form;
        self.options.reading == crate::Reading::Copying
            && matches!(form, Form::Scalarset(_) | Form::Union(_))
    }

    /// Whether a type has parts.
    pub(crate) fn has_parts(&self, ty: TypeId) -> bool {
        matches!(
            self.checked.types[ty].form,
            Form::Array(..) | Form::Record(_) | Form::Multiset(..)
        )
    }
}
