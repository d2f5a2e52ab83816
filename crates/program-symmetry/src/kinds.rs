//! What values mean: which variables, indices, message fields and literals hold process numbers, channels, or numbers of
//! another family that a permutation may exchange.
//!
//! Technique: values that are assigned to, compared with, sent to or used as an index beside each other are of one *kind*
//! (unification, as in a type inference). Arithmetic keeps kinds apart: it becomes a [`Function`] from the kinds of its
//! operands to the kind of its result, and is looked at value by value later.
//! Differs from typed approaches: declared types do not count, so `byte` may hold process numbers and `pid` may not.

mod reading;

use base::{Id, Span};
use program::{
    Binary, ExprId, Kind as Expr, ProctypeId, Program, State, Ty, TyId, Unary, Value, VarId,
    Variable,
};
use rustc_hash::FxHashMap;

/// Names a kind; equal kinds may have different numbers ([`Kinds::find`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub u32);

/// The kinds of the parts of a variable.
#[derive(Clone, Debug)]
pub enum Tree {
    /// A simple part.
    Simple(KindId, TyId),
    /// An array: kind of its index, length, elements.
    Array(KindId, usize, Box<Tree>),
    /// A record.
    Record(Vec<Tree>),
}

/// A variable that runs through processes in an order that does not matter, as its author says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scanning {
    /// A variable of the program.
    Global(VarId),
    /// A variable of processes of a kind.
    Local(ProctypeId, Id<Variable>),
}

/// Arithmetic, an order or a truth value of kinds.
#[derive(Clone, Debug)]
pub struct Function {
    /// The expression.
    pub expr: ExprId,
    /// The operands that are not literals, with their kinds, from the left.
    pub leaves: Vec<(ExprId, KindId)>,
    /// The kind of the result; `None` for a truth value.
    pub result: Option<KindId>,
    /// Whether only the truth of the expression counts.
    pub is_truth: bool,
    /// Where.
    pub span: Span,
}

/// What is not simply data.
#[derive(Clone, Debug, Default)]
struct Info {
    channel: Option<Vec<KindId>>,
    /// Lengths of the arrays that it indexes.
    lengths: Vec<usize>,
    /// Types of the variables that hold it.
    types: Vec<TyId>,
    /// Literals of the kind.
    literals: Vec<i64>,
    /// Whether a variable of processes that is never written holds it.
    is_given: bool,
}

/// All kinds of a program.
#[derive(Debug)]
pub struct Kinds<'p> {
    program: &'p Program,
    parent: Vec<u32>,
    info: Vec<Info>,
    /// The kind of process numbers.
    pub pid: KindId,
    /// Truth and numbers that are nothing but numbers.
    pub number: KindId,
    /// The variables of the program.
    pub globals: Vec<Tree>,
    /// The variables of processes, by proctype.
    pub locals: Vec<Vec<Tree>>,
    /// The fields of messages, by channel declaration.
    pub fields: Vec<Vec<KindId>>,
    /// The kind of every expression that was looked at.
    pub exprs: FxHashMap<ExprId, KindId>,
    /// Arithmetic.
    pub functions: Vec<Function>,
    /// Kinds whose order is seen by a sorted send, and where.
    pub ordered: Vec<(KindId, Span)>,
    /// Something that has no kinds.
    pub unknown: Option<(Span, &'static str)>,
    /// Whether location numbers are seen.
    pub sees_locations: bool,
    /// What holds a variable that runs through processes in an order that does not matter: nothing is joined with it.
    scanning: KindId,
    graph: Option<ProctypeId>,
}

impl<'p> Kinds<'p> {
    /// The kinds of variables and channels; nothing is joined yet. What is said of some variables is believed.
    pub fn new(program: &'p Program, scanning: &[Scanning]) -> Kinds<'p> {
        let mut kinds = Kinds {
            program,
            parent: Vec::new(),
            info: Vec::new(),
            pid: KindId(0),
            number: KindId(1),
            globals: Vec::new(),
            locals: Vec::new(),
            fields: Vec::new(),
            exprs: FxHashMap::default(),
            functions: Vec::new(),
            ordered: Vec::new(),
            unknown: None,
            sees_locations: false,
            scanning: KindId(2),
            graph: None,
        };
        kinds.fresh();
        kinds.fresh();
        kinds.fresh();
        let tree = |kinds: &mut Kinds<'p>, variable: &Variable| kinds.tree(variable.ty);
        for (_, variable) in program.variables.iter() {
            let tree = tree(&mut kinds, variable);
            kinds.globals.push(tree);
        }
        for (_, proctype) in program.proctypes.iter() {
            let variables = proctype.graph.variables.iter();
            let trees = variables.map(|(_, v)| tree(&mut kinds, v)).collect();
            kinds.locals.push(trees);
        }
        for (_, channel) in program.channels.iter() {
            let fields = channel.fields.iter().map(|ty| kinds.held(*ty)).collect();
            kinds.fields.push(fields);
        }
        for variable in scanning {
            let tree = match *variable {
                Scanning::Global(id) => &mut kinds.globals[id.index()],
                Scanning::Local(kind, id) => &mut kinds.locals[kind.index()][id.index()],
            };
            if let Tree::Simple(kind, _) = tree {
                *kind = kinds.scanning;
            }
        }
        kinds
    }

    fn fresh(&mut self) -> KindId {
        let id = self.parent.len() as u32;
        self.parent.push(id);
        self.info.push(Info::default());
        KindId(id)
    }

    /// A new kind that a variable of a type holds.
    fn held(&mut self, ty: TyId) -> KindId {
        let kind = self.fresh();
        self.info[kind.0 as usize].types.push(ty);
        kind
    }

    fn tree(&mut self, ty: TyId) -> Tree {
        match self.program.types.get(ty) {
            Ty::Array { index, element } => {
                let count = self.program.types.cardinality(*index).unwrap_or(0) as usize;
                let kind = self.fresh();
                self.info[kind.0 as usize].lengths.push(count);
                Tree::Array(kind, count, Box::new(self.tree(*element)))
            }
            Ty::Record(record) => {
                let fields = &self.program.types.records[*record].fields;
                Tree::Record(fields.iter().map(|(_, ty)| self.tree(*ty)).collect())
            }
            _ => Tree::Simple(self.held(ty), ty),
        }
    }

    /// The number that stands for a kind and all that are equal to it.
    pub fn find(&self, kind: KindId) -> KindId {
        let mut at = kind.0;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        KindId(at)
    }

    /// Two kinds are one.
    pub fn join(&mut self, a: KindId, b: KindId) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b || self.scanning == a || self.scanning == b {
            return;
        }
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high.0 as usize] = low.0;
        let other = std::mem::take(&mut self.info[high.0 as usize]);
        let info = &mut self.info[low.0 as usize];
        info.lengths.extend(other.lengths);
        info.types.extend(other.types);
        info.literals.extend(other.literals);
        info.is_given |= other.is_given;
        match (info.channel.clone(), other.channel) {
            (Some(mine), Some(theirs)) => {
                if theirs.len() > mine.len() {
                    info.channel = Some(theirs.clone());
                }
                for (mine, theirs) in mine.into_iter().zip(theirs) {
                    self.join(mine, theirs);
                }
            }
            (None, theirs) => info.channel = theirs,
            _ => {}
        }
    }

    /// The fields of messages of channels of a kind.
    fn channel(&mut self, kind: KindId, fields: usize) -> Vec<KindId> {
        let kind = self.find(kind);
        let mut known = self.info[kind.0 as usize]
            .channel
            .clone()
            .unwrap_or_default();
        while known.len() < fields {
            let field = self.fresh();
            known.push(field);
        }
        let kind = self.find(kind);
        self.info[kind.0 as usize].channel = Some(known.clone());
        known
    }

    /// Whether values of a kind are channels.
    pub fn is_channel(&self, kind: KindId) -> bool {
        let kind = self.find(kind);
        kind != self.find(self.number) && self.info[kind.0 as usize].channel.is_some()
    }

    /// Whether references to channels are used as plain numbers.
    pub fn channels_are_numbers(&self) -> bool {
        let number = self.find(self.number);
        self.info[number.0 as usize].channel.is_some()
    }

    /// Whether values of a kind are process numbers.
    pub fn is_pid(&self, kind: KindId) -> bool {
        self.find(kind) == self.find(self.pid)
    }

    /// Whether it is what processes of one proctype are told apart by.
    pub fn is_given(&self, kind: KindId) -> bool {
        self.info[self.find(kind).0 as usize].is_given
    }

    /// Whether it indexes an array.
    pub fn is_index(&self, kind: KindId) -> bool {
        !self.info[self.find(kind).0 as usize].lengths.is_empty()
    }

    /// Literals of a kind.
    pub fn literals(&self, kind: KindId) -> &[i64] {
        &self.info[self.find(kind).0 as usize].literals
    }

    /// The types of the variables that hold a kind.
    pub fn types(&self, kind: KindId) -> &[TyId] {
        &self.info[self.find(kind).0 as usize].types
    }

    /// All kinds, each by the number that stands for it.
    pub fn all(&self) -> impl Iterator<Item = KindId> + '_ {
        let ids = (0..self.parent.len() as u32).map(KindId);
        ids.filter(|id| self.find(*id) == *id)
    }

    /// The variable of processes is never written.
    pub fn give(&mut self, tree: &Tree) {
        if let Tree::Simple(kind, _) = tree {
            let kind = self.find(*kind);
            self.info[kind.0 as usize].is_given = true;
        }
    }

    /// Looks at which channels the variables of a state hold: their messages are of one kind.
    pub fn channels(&mut self, state: &State) {
        let globals = self.globals.clone();
        for (tree, value) in globals.iter().zip(&state.globals) {
            self.held_channels(state, tree, value);
        }
        for process in &state.processes {
            let trees = self.locals[process.proctype.index()].clone();
            for (tree, value) in trees.iter().zip(&process.variables) {
                self.held_channels(state, tree, value);
            }
        }
        for queue in &state.channels {
            let declared = &self.program.channels[queue.kind];
            for (at, ty) in declared.fields.iter().enumerate() {
                if !matches!(self.program.types.get(*ty), Ty::Channel) {
                    continue;
                }
                let field = self.fields[queue.kind.index()][at];
                self.channel(field, 0);
                for message in &queue.messages {
                    self.held_channel(state, field, message[at]);
                }
            }
        }
    }

    fn held_channels(&mut self, state: &State, tree: &Tree, value: &Value) {
        match (tree, value) {
            (Tree::Simple(kind, ty), Value::Int(value)) => {
                if matches!(self.program.types.get(*ty), Ty::Channel) {
                    self.channel(*kind, 0);
                    self.held_channel(state, *kind, *value);
                }
            }
            (Tree::Array(_, _, element), Value::Parts(parts)) => {
                let parts = parts.iter();
                parts.for_each(|part| self.held_channels(state, element, part));
            }
            (Tree::Record(fields), Value::Parts(parts)) => {
                let fields = fields.iter().zip(parts);
                fields.for_each(|(field, part)| self.held_channels(state, field, part));
            }
            _ => {}
        }
    }

    fn held_channel(&mut self, state: &State, kind: KindId, reference: i64) {
        let at = usize::try_from(reference - 1).ok();
        if let Some(queue) = at.and_then(|at| state.channels.get(at)) {
            let channel = self.new_channel(queue.kind);
            self.join(kind, channel);
        }
    }

    /// Gives up a kind: its values are nothing but numbers.
    pub fn make_plain(&mut self, kind: KindId) {
        self.join(kind, self.number);
    }

    /// The graph that places of processes belong to from now on.
    pub fn enter(&mut self, proctype: Option<ProctypeId>) {
        self.graph = proctype;
    }
}

/// The value of an expression of literals alone.
pub fn literal(program: &Program, id: ExprId) -> Option<i64> {
    match program.exprs[id].kind {
        Expr::Constant(value) => Some(value),
        Expr::Unary(Unary::Minus | Unary::Complement, _) | Expr::Binary(..) => {
            crate::values::compute(program, id, &mut |_| None).map(i64::from)
        }
        _ => None,
    }
}

/// Whether an operation is looked at value by value.
pub fn is_arithmetic(operator: Binary) -> bool {
    !matches!(
        operator,
        Binary::Equal | Binary::Unequal | Binary::And | Binary::Or | Binary::Implies
    )
}
