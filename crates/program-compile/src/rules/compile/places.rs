//! Places as addresses, folded as far as indices are known.

use base::Span;
use program::{ExprId, PlaceId, Root, Selector, Ty, TyId};

use super::super::code::{Address, AddressId, Node};
use super::super::footprint::{Region, Within};
use super::super::layout::Bag;
use super::{Compiler, Known};

impl Compiler<'_> {
    /// The address of a place and where it may lie. The indices count as read, the place itself does not.
    pub(super) fn place(&mut self, id: PlaceId) -> (AddressId, Region) {
        let program = self.program;
        let place = &program.places[id];
        let (base, region, ty) = match place.root {
            Root::Global(variable) => {
                let start = self.layout.variables[variable.index()];
                let ty = program.variables[variable].ty;
                (
                    Address::Fixed(start),
                    Region::State(start, self.layout.ty(ty).words, Within::Exactly),
                    ty,
                )
            }
            Root::Local(local) => {
                let ty = program.locals[local].ty;
                match self.known(local) {
                    Known::Place(address, region) => {
                        (self.code.addresses[address as usize], region, ty)
                    }
                    Known::Reference(slot, region) => (Address::Reference(slot, 0), region, ty),
                    Known::Words(word) => (self.in_frame(word), Region::Frame, ty),
                    Known::Value(_) | Known::Counter(_) => {
                        unreachable!("names with a known value are not addressed")
                    }
                }
            }
            Root::Process(_) | Root::Remote { .. } => unreachable!("rules have no processes"),
        };
        let (address, region, _) = self.select((base, region, ty), &place.path);
        (self.address(address), region)
    }

    fn in_frame(&self, word: u32) -> Address {
        if self.context.is_routine {
            Address::Frame(word)
        } else {
            Address::Fixed(self.layout.words + word)
        }
    }

    /// Follows selectors from an address.
    pub(super) fn select(
        &mut self,
        (mut address, mut region, mut ty): (Address, Region, TyId),
        path: &[Selector],
    ) -> (Address, Region, TyId) {
        for selector in path {
            match (selector, self.program.types.get(ty)) {
                (Selector::Field(field), Ty::Record(record)) => {
                    let distance = self.layout.field(self.program, *record, *field);
                    ty = self.program.types.records[*record].fields[*field as usize].1;
                    address = self.offset(address, distance);
                    region = narrow(region, distance, self.layout.ty(ty).words);
                }
                (Selector::Index(index), Ty::Array { index: of, element }) => {
                    let (of, element) = (*of, *element);
                    (address, region) = self.index(address, region, *index, (of, element));
                    ty = element;
                }
                (Selector::Element(at), Ty::Multiset { capacity, element }) => {
                    let bag = Bag {
                        capacity: *capacity,
                        stride: self.layout.ty(*element).words + 1,
                    };
                    let element = *element;
                    let node = self.int(*at);
                    let base = self.address(address);
                    self.code.bags.push(bag);
                    address = Address::Element(base, node, self.code.bags.len() as u32 - 1);
                    // Whether the place is taken is looked at.
                    self.context.footprint.read(region);
                    region = widen(region, Within::Multiset);
                    ty = element;
                }
                _ => unreachable!("a place fits the type of its variable"),
            }
        }
        (address, region, ty)
    }

    fn index(
        &mut self,
        base: Address,
        region: Region,
        index: ExprId,
        (of, element): (TyId, TyId),
    ) -> (Address, Region) {
        let stride = self.layout.ty(element).words;
        let node = self.int(index);
        if let Some(position) = self
            .constant(node)
            .and_then(|value| self.layout.ty(of).position(value))
        {
            return (
                self.offset(base, position * stride),
                narrow(region, position * stride, stride),
            );
        }
        let base = self.address(base);
        let ranges = self.layout.ty(of).ranges.clone();
        let shape = self.index_shape(&ranges, stride);
        (
            Address::Index(base, node, shape),
            widen(region, Within::Somewhere),
        )
    }

    pub(super) fn offset(&mut self, address: Address, distance: u32) -> Address {
        if distance == 0 {
            return address;
        }
        match address {
            Address::Fixed(at) => Address::Fixed(at + distance),
            Address::Frame(at) => Address::Frame(at + distance),
            Address::Reference(slot, before) => Address::Reference(slot, before + distance),
            Address::Offset(base, before) => Address::Offset(base, before + distance),
            Address::Index(..) | Address::Element(..) => {
                Address::Offset(self.address(address), distance)
            }
        }
    }

    /// The fixed address, if it is one.
    pub(super) fn fixed(&self, address: AddressId) -> Option<u32> {
        match self.code.addresses[address as usize] {
            Address::Fixed(at) => Some(at),
            _ => None,
        }
    }

    /// Reads the simple value at a place; undefined is a fault unless it is copied.
    pub(super) fn load(&mut self, id: PlaceId, copies: bool, span: Span) -> u32 {
        let place = &self.program.places[id];
        if let (Root::Local(local), true) = (place.root, place.path.is_empty()) {
            match self.known(local) {
                Known::Value(value) => return self.node(Node::Constant(value), span),
                Known::Counter(counter) => return self.node(Node::Counter(counter), span),
                _ => {}
            }
        }
        let bias = self.layout.ty(place.ty).bias;
        let (address, region) = self.place(id);
        self.context.footprint.read(region);
        let node = match (self.fixed(address), copies) {
            (Some(at), false) => Node::Load(at, bias),
            (Some(at), true) => Node::Copy(at, bias),
            (None, false) => Node::LoadAt(address, bias),
            (None, true) => Node::CopyAt(address, bias),
        };
        self.node(node, span)
    }

    /// Whether a place is a name whose value is known or a counter: it has no address.
    pub(super) fn is_unaddressed(&mut self, id: PlaceId) -> bool {
        match self.program.places[id].root {
            Root::Local(local) => matches!(self.known(local), Known::Value(_) | Known::Counter(_)),
            _ => false,
        }
    }
}

/// A part of a region, if all of it was meant.
fn narrow(region: Region, distance: u32, words: u32) -> Region {
    match region {
        Region::State(start, _, Within::Exactly) => {
            Region::State(start + distance, words, Within::Exactly)
        }
        other => other,
    }
}

/// A region of which some words are meant.
fn widen(region: Region, within: Within) -> Region {
    match region {
        Region::State(start, count, Within::Exactly | Within::Somewhere) => {
            Region::State(start, count, within)
        }
        other => other,
    }
}
