//! The contract of a family ([`NavFormat`], [`NavFile`]) and of its sets of tiles ([`SetFormat`], [`NavSet`], [`SetMap`]), and code that the families share, written once, so that no
//! family names another.
//!
//! | here | what |
//! |---|---|
//! | `record!` | records of fixed size, in place: layout, getters and list of fields from one list |
//! | `id!` | ids and indices under types of their own |
//! | `ids` | a map from ids to positions |
//! | `bits!` | named bits, unknown ones kept |
//! | [`InOrder`], `in_order!` | lists in a `for` loop |
//! | [`not_mesh`] | the error of bytes that are no mesh |
//! | [`Vector`] | three floats in place |

mod bits;
mod file;
mod foreign;
mod hull;
mod id;
#[doc(hidden)]
pub mod ids;
mod nodes;
mod order;
mod record;
mod set;
mod setfinding;
mod task;
mod vector;

#[doc(hidden)]
pub use bits::write_bits;
pub use file::{NavFile, NavFormat, ReadOptions, Summary};
#[doc(hidden)]
pub use foreign::has_extension;
pub use foreign::not_mesh;
pub use hull::HullName;
pub use nodes::{LadderRecord, LadderRecords, NodeRecords};
#[doc(hidden)]
pub use nodes::{chosen, span};
pub use order::{ByIndex, InOrder};
pub use record::{Field, Number, Record, Shape};
#[doc(hidden)]
pub use record::{Numbered, Row, Shaped, Store, Stored, serialize_row};
pub use set::{NavSet, OpenFile, SetFile, SetFormat, SetMap};
pub use setfinding::SetFinding;
pub use task::{AnyGraph, GraphTask};
pub use vector::Vector;
