//! From the program to code: instances of rules are unrolled, names with known values disappear.
//!
//! `expressions`, `places` and `statements` compile what their names say; `weight` decides what is unrolled;
//! `instances` enumerates what stands around a rule.

mod expressions;
mod instances;
mod places;
mod statements;
mod weight;

pub(crate) use instances::{Instance, Prelude};

use base::Span;
use program::{FunctionId, LocalId, Mode, Program, Ty, TyId};
use rustc_hash::FxHashMap;

use super::code::{
    Address, AddressId, Block, BlockId, Code, IndexShape, Node, NodeId, Op, OpId, Routine, Store,
    Target,
};
use super::footprint::{Footprint, Region, Within};
use super::layout::Layout;

/// What is known of a name while code is made.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// Its value.
    Value(i64),
    /// A fixed place.
    Place(AddressId, Region),
    /// The word of the frame that says where it is.
    Reference(u32, Region),
    /// Its first word in the frame.
    Words(u32),
    /// Its counter in the frame.
    Counter(u32),
}

/// The rule, property or function for which code is made.
#[derive(Clone, Debug, Default)]
struct Context {
    locals: FxHashMap<LocalId, Known>,
    /// Words of the frame so far.
    frame: u32,
    /// Counters of the frame so far.
    counters: u32,
    /// Whether frames are found by the frame pointer: in functions.
    is_routine: bool,
    /// Where the function leaves a result with parts.
    result: Option<u32>,
    footprint: Footprint,
}

/// Makes code.
pub(crate) struct Compiler<'p> {
    program: &'p Program,
    layout: &'p Layout,
    pub code: Code,
    context: Context,
    /// The code of each function, as far as it was made.
    routines: FxHashMap<FunctionId, u32>,
    footprints: Vec<Footprint>,
    /// How to store in each type.
    stores: FxHashMap<TyId, u32>,
    members: FxHashMap<TyId, u32>,
    nothing: OpId,
}

impl<'p> Compiler<'p> {
    pub fn new(program: &'p Program, layout: &'p Layout, nowhere: Span) -> Compiler<'p> {
        let mut compiler = Compiler {
            program,
            layout,
            code: Code::default(),
            context: Context::default(),
            routines: FxHashMap::default(),
            footprints: Vec::new(),
            stores: FxHashMap::default(),
            members: FxHashMap::default(),
            nothing: 0,
        };
        compiler.nothing = compiler.op(Op::Block(0, 0), nowhere);
        compiler
    }

    fn node(&mut self, node: Node, span: Span) -> NodeId {
        self.code.nodes.push(node);
        self.code.spans.push(span);
        self.code.nodes.len() as NodeId - 1
    }

    fn op(&mut self, op: Op, span: Span) -> OpId {
        self.code.ops.push(op);
        self.code.op_spans.push(span);
        self.code.ops.len() as OpId - 1
    }

    fn address(&mut self, address: Address) -> AddressId {
        self.code.addresses.push(address);
        self.code.addresses.len() as AddressId - 1
    }

    fn block(&mut self, block: Block) -> BlockId {
        self.code.blocks.push(block);
        self.code.blocks.len() as BlockId - 1
    }

    /// Puts numbers in the lists; where they start and how many they are.
    fn list(&mut self, numbers: &[u32]) -> (u32, u32) {
        let start = self.code.lists.len() as u32;
        self.code.lists.extend_from_slice(numbers);
        (start, numbers.len() as u32)
    }

    fn constant(&self, node: NodeId) -> Option<i64> {
        match self.code.nodes[node as usize] {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// How values are stored in a simple type.
    fn store(&mut self, ty: TyId) -> u32 {
        if let Some(known) = self.stores.get(&ty) {
            return *known;
        }
        let member = self.member(ty);
        let ranges = &self.layout.ty(ty).ranges;
        let (low, high) = match (ranges.first(), ranges.last()) {
            (Some((low, _)), Some((_, high))) => (*low, *high),
            _ => (i64::MIN + 1, i64::MAX),
        };
        let count: i128 = ranges
            .iter()
            .map(|(low, high)| i128::from(*high) - i128::from(*low) + 1)
            .sum();
        let is_solid = ranges.is_empty() || count == i128::from(high) - i128::from(low) + 1;
        self.code.stores.push(Store {
            low,
            high,
            is_solid,
            ty: member,
        });
        let id = self.code.stores.len() as u32 - 1;
        self.stores.insert(ty, id);
        id
    }

    /// The values of a type, for questions of membership.
    fn member(&mut self, ty: TyId) -> u32 {
        let ranges = self.layout.ty(ty).ranges.clone();
        let code = &mut self.code;
        *self.members.entry(ty).or_insert_with(|| {
            code.members.push(ranges);
            code.members.len() as u32 - 1
        })
    }

    fn index_shape(&mut self, ranges: &[(i64, i64)], stride: u32) -> u32 {
        let known = self
            .code
            .indices
            .iter()
            .rposition(|shape| shape.stride == stride && shape.ranges == ranges);
        if let Some(known) = known {
            return known as u32;
        }
        self.code.indices.push(IndexShape {
            ranges: ranges.to_vec(),
            stride,
        });
        self.code.indices.len() as u32 - 1
    }

    /// Takes words of the frame.
    fn words(&mut self, count: u32) -> u32 {
        let start = self.context.frame;
        self.context.frame += count;
        start
    }

    /// Where the value of a name is kept, which gets a place at its first mention.
    fn target(&mut self, local: LocalId) -> Target {
        let ty = self.program.locals[local].ty;
        match self.known(local) {
            Known::Counter(counter) => Target::Counter(counter),
            Known::Words(word) => Target::Word(word, self.layout.ty(ty).bias),
            _ => unreachable!("a name that is bound here has a place in the frame"),
        }
    }

    /// What is known of a name; one that was not met before gets a place in the frame.
    fn known(&mut self, local: LocalId) -> Known {
        if let Some(known) = self.context.locals.get(&local) {
            return *known;
        }
        let found = &self.program.locals[local];
        debug_assert_eq!(
            found.mode,
            Mode::Value,
            "a reference is bound before it is used"
        );
        let known = if *self.program.types.get(found.ty) == Ty::Number {
            self.context.counters += 1;
            Known::Counter(self.context.counters - 1)
        } else {
            let count = self.layout.ty(found.ty).words;
            Known::Words(self.words(count))
        };
        self.context.locals.insert(local, known);
        known
    }

    /// The code of a function.
    fn routine(&mut self, function: FunctionId) -> u32 {
        if let Some(known) = self.routines.get(&function) {
            return *known;
        }
        let program = self.program;
        let found = &program.functions[function];
        let at = self.code.routines.len() as u32;
        self.routines.insert(function, at);
        let outer = std::mem::take(&mut self.context);
        self.context.is_routine = true;
        for (position, parameter) in found.parameters.iter().enumerate() {
            let slot = self.words(1);
            self.context.locals.insert(
                *parameter,
                Known::Reference(slot, Region::Parameter(position as u32)),
            );
        }
        // Values that are passed lie behind the references to them.
        for parameter in &found.parameters {
            let count = self.layout.ty(program.locals[*parameter].ty).words;
            self.words(count);
        }
        let result = match found.result {
            Some(ty) if !program.types.is_simple(ty) => {
                let count = self.layout.ty(ty).words;
                Some((self.words(count), count))
            }
            _ => None,
        };
        self.context.result = result.map(|(at, _)| at);
        self.code.routines.push(Routine {
            body: self.nothing,
            frame: 0,
            counters: 0,
            result: result.map(|(at, _)| at),
            changes: (0..found.parameters.len() as u32).collect(),
            is_function: found.result.is_some(),
            span: found.span,
        });
        self.footprints
            .push(self.everything_through(found.parameters.len()));
        let body = self.statement_of(found.body, found.result);
        let made = std::mem::replace(&mut self.context, outer);
        let routine = &mut self.code.routines[at as usize];
        routine.body = body;
        routine.frame = made.frame;
        routine.counters = made.counters;
        routine.changes = made.footprint.writes_through.clone();
        self.footprints[at as usize] = made.footprint;
        at
    }

    /// The footprint of a function that is called while its code is made: it may touch everything.
    fn everything_through(&self, parameters: usize) -> Footprint {
        let mut footprint = Footprint::default();
        let all = Region::State(0, self.layout.words, Within::Multiset);
        footprint.write(all);
        footprint.reads_through = (0..parameters as u32).collect();
        footprint.writes_through = (0..parameters as u32).collect();
        footprint
    }
}
