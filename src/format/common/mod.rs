//! Code that the families share, written once, so that no family names another.
//!
//! | here | what |
//! |---|---|
//! | `record!` | records of fixed size, in place |
//! | `id!` | ids and indices under types of their own |
//! | `ids` | a map from ids to positions |
//! | `bits!` | named bits, unknown ones kept |
//! | [`InOrder`], `in_order!` | lists in a `for` loop |
//! | [`not_mesh`] | the error of bytes that are no mesh |
//! | `Vector` | three floats in place |

#![forbid(unsafe_code)]
#![allow(unused_imports, unused_macros, dead_code)] // what a build with fewer families does not need

mod bits;
mod foreign;
mod id;
#[cfg(feature = "source")]
pub(in crate::format) mod ids;
mod order;
mod record;
#[cfg(any(feature = "detour", feature = "fox"))]
mod setfinding;
#[cfg(any(feature = "detour", feature = "quake"))]
mod vector;

pub(in crate::format) use bits::{bits, write_bits};
pub(crate) use foreign::has_extension;
pub use foreign::not_mesh;
pub(in crate::format) use id::id;
pub(in crate::format) use order::in_order;
pub use order::{ByIndex, InOrder};
pub(in crate::format) use record::record;
#[cfg(any(feature = "detour", feature = "fox"))]
pub use setfinding::SetFinding;
#[cfg(any(feature = "detour", feature = "quake"))]
pub use vector::Vector;
