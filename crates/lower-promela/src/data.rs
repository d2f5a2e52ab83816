//! Types, variables, channels and their first values.

use base::{Name, Span};
use lang_promela::syntax::{Initialiser, Type, Unit, VarId};
use program::{
    Channel, ChannelId, Kind, PlaceId, RecordTy, Root, Selector, StmtId, StmtKind, Symbols, Ty,
    TyId, Width,
};

use crate::flow::Flow;
use crate::{Home, Lowering};

impl Lowering<'_> {
    /// Structures, symbols and global variables with their first values.
    pub(crate) fn declare(&mut self) {
        let syntax = self.syntax;
        self.symbol_lists();
        let left_out = self.left_out();
        let mut prologue = Vec::new();
        for unit in &syntax.units {
            let Unit::Variables(declaration) = unit else {
                continue;
            };
            for var in &declaration.vars {
                let variable = &syntax.vars[*var];
                let ty = self.type_of(*var);
                let id = self.out.variables.push(program::Variable {
                    name: variable.name.name,
                    ty,
                    is_hidden: left_out.contains(var),
                    span: variable.name.span,
                });
                self.homes.insert(*var, Home::Global(id));
            }
        }
        for unit in &syntax.units {
            if let Unit::Variables(declaration) = unit {
                for var in &declaration.vars {
                    self.first_value(*var, &mut prologue);
                }
            }
        }
        self.out.prologue = self.block(prologue);
    }

    fn symbol_lists(&mut self) {
        let syntax = self.syntax;
        let mut lists: Vec<Symbols> = Vec::new();
        for unit in &syntax.units {
            let Unit::Mtype(list) = unit else {
                continue;
            };
            let subset = list.subset.map(|name| name.name);
            let at = lists
                .iter()
                .position(|list| list.name == subset)
                .unwrap_or_else(|| {
                    lists.push(Symbols {
                        name: subset,
                        names: Vec::new(),
                    });
                    lists.len() - 1
                });
            for name in &list.names {
                lists[at]
                    .names
                    .push((i64::from(self.facts.symbols[&name.name].value), name.name));
            }
        }
        for list in lists {
            let subset = list.name;
            let id = self.out.types.symbols.push(list);
            let ty = self.out.types.intern(Ty::Symbol(id));
            self.symbols.insert(subset, ty);
        }
    }

    /// The type of a variable, with its size.
    pub(crate) fn type_of(&mut self, var: VarId) -> TyId {
        let element = self.element_type(var);
        match self.facts.sizes.get(&var) {
            Some(size) => {
                let index = self.out.types.intern(Ty::Range {
                    low: 0,
                    high: i64::from(*size) - 1,
                });
                self.out.types.intern(Ty::Array { index, element })
            }
            None => element,
        }
    }

    /// The type of a variable without its size.
    pub(crate) fn element_type(&mut self, var: VarId) -> TyId {
        let variable = &self.syntax.vars[var];
        if let (Type::Unsigned, Some(width)) = (variable.ty, variable.width) {
            let bits = self.facts.constants[&width] as u8;
            return self.out.types.intern(Ty::Int(Width::unsigned(bits)));
        }
        match variable.ty {
            // The elements of an array of bits are bytes in SPIN.
            Type::Bit | Type::Bool if self.facts.sizes.contains_key(&var) => {
                self.simple(Type::Byte)
            }
            ty => self.simple(ty),
        }
    }

    fn simple(&mut self, ty: Type) -> TyId {
        let ty = match ty {
            Type::Bit | Type::Bool => Ty::Int(Width::BIT),
            Type::Byte | Type::Unsigned => Ty::Int(Width::BYTE),
            Type::Pid => Ty::Pid,
            Type::Short => Ty::Int(Width::SHORT),
            Type::Int => Ty::Int(Width::INT),
            Type::Chan => Ty::Channel,
            Type::Mtype(subset) => {
                let subset = subset.map(|name| name.name);
                return match self.symbols.get(&subset) {
                    Some(known) => *known,
                    None => self.out.types.intern(Ty::Int(Width::BYTE)),
                };
            }
            Type::Named(name) => return self.record(name.name),
        };
        self.out.types.intern(ty)
    }

    fn record(&mut self, name: Name) -> TyId {
        if let Some(known) = self.records.get(&name) {
            return *known;
        }
        let facts = self.facts;
        let fields = facts.structures[&name]
            .iter()
            .map(|field| {
                (
                    self.syntax.vars[*field].name.name,
                    base::deep::recurse(|| self.type_of(*field)),
                )
            })
            .collect();
        let id = self.out.types.records.push(RecordTy {
            name: Some(name),
            fields,
        });
        let ty = self.out.types.intern(Ty::Record(id));
        self.records.insert(name, ty);
        ty
    }

    /// The types of a message, structures spread out.
    pub(crate) fn spread_types(&mut self, fields: &[Type]) -> Vec<TyId> {
        let mut out = Vec::new();
        for field in fields {
            match field {
                Type::Named(name) => {
                    let facts = self.facts;
                    for inner in &facts.structures[&name.name] {
                        let ty = self.syntax.vars[*inner].ty;
                        let inside = match ty {
                            Type::Named(_) => base::deep::recurse(|| self.spread_types(&[ty])),
                            Type::Unsigned => vec![self.element_type(*inner)],
                            _ => vec![self.simple(ty)],
                        };
                        for _ in 0..facts.sizes.get(inner).copied().unwrap_or(1) {
                            out.extend(&inside);
                        }
                    }
                }
                _ => out.push(self.simple(*field)),
            }
        }
        out
    }

    /// The variables of a unit with a body: they get a place in its graph.
    pub(crate) fn variables_of(&mut self, unit: usize) {
        let facts = self.facts;
        let mut variables = base::Arena::new();
        for var in facts.locals.get(&unit).into_iter().flatten() {
            let ty = self.type_of(*var);
            let name = self.syntax.vars[*var].name;
            let id = variables.push(program::Variable {
                name: name.name,
                ty,
                is_hidden: false,
                span: name.span,
            });
            self.homes.insert(*var, Home::Local(id));
        }
        if let Some(flow) = self.flows.get(&unit) {
            for (_, over) in flow.counters.clone() {
                let capacity = self.capacity(over);
                let width = if capacity > 255 {
                    Width::SHORT
                } else {
                    Width::BYTE
                };
                variables.push(program::Variable {
                    name: Name::new("_counter"),
                    ty: self.out.types.intern(Ty::Int(width)),
                    is_hidden: false,
                    span: self.syntax.exprs[over].span,
                });
            }
        }
        match self.proctypes.get(&unit) {
            Some(id) => self.out.proctypes[*id].graph.variables = variables,
            None => self.locals = variables,
        }
    }

    fn capacity(&self, over: lang_promela::syntax::ExprId) -> i32 {
        let Some(lang_promela::check::Meaning::Variable(var)) = self.facts.meanings.get(&over)
        else {
            return 0;
        };
        match &self.syntax.vars[*var].init {
            Some(Initialiser::Channel { capacity, .. }) => self.facts.constants[capacity],
            _ => 0,
        }
    }

    /// Gives the variables of a unit their first values, except those whose declaration is a step.
    pub(crate) fn local_prologue(&mut self, unit: usize, flow: &Flow<'_>) -> Option<StmtId> {
        let facts = self.facts;
        let mut prologue = Vec::new();
        for var in facts.locals.get(&unit).into_iter().flatten() {
            let record = matches!(self.syntax.vars[*var].ty, Type::Named(_));
            if !flow.late.contains(var) || record {
                self.first_value(*var, &mut prologue);
            }
        }
        self.block(prologue)
    }

    fn block(&mut self, statements: Vec<StmtId>) -> Option<StmtId> {
        let first = *statements.first()?;
        let span = self.out.stmts[first].span;
        Some(self.out.stmt(StmtKind::Block(statements), span))
    }

    /// The first value of a variable, and of its fields.
    fn first_value(&mut self, var: VarId, into: &mut Vec<StmtId>) {
        let span = self.syntax.vars[var].name.span;
        let root = self.root(var);
        self.fill(var, root, Vec::new(), span, into);
    }

    /// Where a variable is.
    pub(crate) fn root(&self, var: VarId) -> Root {
        match self.homes[&var] {
            Home::Global(id) => Root::Global(id),
            Home::Local(id) => Root::Process(id),
        }
    }

    fn fill(
        &mut self,
        var: VarId,
        root: Root,
        path: Vec<Selector>,
        span: Span,
        into: &mut Vec<StmtId>,
    ) {
        let syntax = self.syntax;
        let variable = &syntax.vars[var];
        let structure = match variable.ty {
            Type::Named(name) => Some(name.name),
            _ => None,
        };
        if structure.is_none() && variable.init.is_none() {
            return;
        }
        let size = self.facts.sizes.get(&var).copied();
        let element = self.element_type(var);
        for index in 0..size.unwrap_or(1) {
            let mut path = path.clone();
            if size.is_some() {
                path.push(Selector::Index(self.number(i64::from(index), span)));
            }
            if let Some(structure) = structure {
                let facts = self.facts;
                for (i, field) in facts.structures[&structure].iter().enumerate() {
                    let mut path = path.clone();
                    path.push(Selector::Field(i as u32));
                    base::deep::recurse(|| self.fill(*field, root, path, span, into));
                }
                continue;
            }
            let place = self.out.place(root, path, element, span);
            self.fill_one(var, index as usize, place, span, into);
        }
    }

    fn fill_one(
        &mut self,
        var: VarId,
        index: usize,
        place: PlaceId,
        span: Span,
        into: &mut Vec<StmtId>,
    ) {
        let value = match &self.syntax.vars[var].init {
            None => return,
            Some(Initialiser::Value(value)) => self.expression(*value),
            Some(Initialiser::List(values)) => {
                let Some(value) = values.get(index).or(values.last()) else {
                    return;
                };
                self.number(i64::from(self.facts.constants[value]), span)
            }
            Some(Initialiser::Channel { .. }) => {
                let channel = self.channel_kind(var);
                let ty = self.out.types.intern(Ty::Channel);
                self.out.expr(Kind::NewChannel(channel), ty, span)
            }
        };
        into.push(self.out.stmt(StmtKind::Assign(place, value), span));
    }

    /// The kind of channel that a declaration makes, one for each declaration.
    fn channel_kind(&mut self, var: VarId) -> ChannelId {
        let variable = &self.syntax.vars[var];
        let span = variable.name.span;
        if let Some((id, _)) = self
            .out
            .channels
            .iter()
            .find(|(_, channel)| channel.span == span)
        {
            return id;
        }
        let Some(Initialiser::Channel {
            capacity, fields, ..
        }) = &variable.init
        else {
            unreachable!("only channels have kinds");
        };
        let capacity = self.facts.constants[capacity].max(0) as u32;
        let fields = match fields[..] {
            // The only field of a message is a byte in SPIN, even if it is a bit.
            [Type::Bit | Type::Bool] => vec![self.simple(Type::Byte)],
            _ => self.spread_types(fields),
        };
        self.out.channels.push(Channel {
            name: variable.name.name,
            capacity,
            fields,
            span,
        })
    }
}
