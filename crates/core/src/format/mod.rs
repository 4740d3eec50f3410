//! The contract of a family ([`NavFormat`], [`NavFile`]), and code that the families share, written once, so that no
//! family names another.
//!
//! | here | what |
//! |---|---|
//! | `record!` | records of fixed size, in place |
//! | `id!` | ids and indices under types of their own |
//! | `ids` | a map from ids to positions |
//! | `bits!` | named bits, unknown ones kept |
//! | [`InOrder`], `in_order!` | lists in a `for` loop |
//! | [`not_mesh`] | the error of bytes that are no mesh |
//! | [`Vector`] | three floats in place |

mod bits;
mod file;
mod foreign;
mod id;
#[doc(hidden)]
pub mod ids;
mod order;
mod record;
mod setfinding;
mod task;
mod vector;

#[doc(hidden)]
pub use bits::write_bits;
pub use file::{NavFile, NavFormat, ReadOptions, Summary};
#[doc(hidden)]
pub use foreign::has_extension;
pub use foreign::not_mesh;
pub use order::{ByIndex, InOrder};
pub use setfinding::SetFinding;
pub use task::{AnyGraph, GraphTask};
pub use vector::Vector;
