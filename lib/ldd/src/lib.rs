//! Stores huge sets of equally long vectors in little space, and computes with whole sets at once.
//!
//! A list decision diagram is a graph of nodes *(value, down, right)*: `down` stands for the vectors that
//! continue after this value, `right` for those with a larger value here. Nodes are hash-consed, so equal sets
//! have equal numbers, and equal remainders are stored once.
//! Papers: [Blom, van de Pol 2008] (the diagrams, learned relations), [van Dijk, van de Pol 2015] (Sylvan: tables
//! and operation cache shared by threads), [Meijer et al. 2014] (read, write and copy levels),
//! [Ciardo, Marmorstein, Siminiceanu 2006] (saturation).
//! Differs: operations neither collect garbage nor grow tables. One that finds no room ends with [`Halt::Full`];
//! its caller makes room ([`Store::make_room`]) and asks again, and what was computed is found in the cache. So
//! no operation needs a stack of protected nodes, and threads never wait for a collector inside one.
//! Invariant: siblings have descending values; a node's `down` is never empty; paths of one set have one length.
//! Invariant: numbers of nodes stay valid until `make_room` is called without them among its roots.
//! Invariant: knows nothing of the project, and has no `unsafe`.

mod boolean;
mod cache;
mod collect;
mod count;
mod list;
mod pattern;
mod project;
mod relation;
mod saturation;
mod table;
mod vectors;

pub use collect::NoRoom;
pub use count::Count;
pub use pattern::{PatternId, Role};
pub use saturation::{Alone, Progress, Relations};
pub use table::{Halt, Node, Statistics, Store};

use table::Cx;
