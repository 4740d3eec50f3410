//! The toy family: points on a string, each joined to the next. It is here to show, and to prove, what a family costs.
//!
//! `TOY1`, the number of points as `u32`, then 12 bytes a point: x, y, z in metres, z up.

mod codes;
mod dump;
mod edit;
mod file;
mod graph;
mod record;
mod set;
mod view;

pub use edit::{ToyBuf, ToyEditor};
pub use record::Knot;
pub use set::{ToyMap, ToySet};
pub use view::ToyNav;
