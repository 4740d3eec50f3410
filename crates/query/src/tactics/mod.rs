//! Who sees whom, where to hide, what to watch on the way.

mod engine;
mod exposure;
mod gather;
mod hiding;
mod known;
mod retreat;
mod sight;
mod spots;
mod view;
mod ways;

pub use exposure::Exposure;
pub(crate) use gather::Gather;
pub(crate) use known::Known;
pub use spots::{Hideout, Hiding};
pub use view::{Encounter, HidingPlace, Tactics};
