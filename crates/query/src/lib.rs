//! Answers questions about a mesh: where am I, what is near, how do I get there. Programs depend on
//! [navmap](https://docs.rs/navmap), which has all of this as `navmap::query`, with a table of the calls.

#![allow(
    clippy::neg_cmp_op_on_partial_ord,
    reason = "a comparison with NaN is to come out false, and its negation true"
)]
#![allow(
    clippy::needless_range_loop,
    reason = "axes and slots are numbers that index several arrays at once"
)]

mod again;
mod area;
mod around;
mod ask;
mod build;
mod corner;
mod corridor;
mod filter;
mod flags;
mod flow;
mod grid;
mod ground;
mod heap;
mod index;
mod inplace;
mod kinds;
mod labels;
mod landmarks;
mod levels;
mod line;
mod links;
mod locate;
mod mend;
mod misuse;
mod nearest;
mod of;
mod overlay;
mod portal;
mod price;
mod random;
mod reach;
mod regions;
mod rows;
mod scratch;
mod search;
mod slide;
mod spot;
mod spread;
mod straighten;
mod table;
mod tactics;
mod triangle;
mod wall;

pub use area::Area;
pub use ask::{Cost, Goal, Outcome, Query, Search};
pub use build::BuildOptions;
#[doc(hidden)]
pub use build::Sheets;
pub use corner::Corner;
pub use corridor::{Corridor, Leg};
pub use filter::{Filter, Mask};
pub use flags::CornerFlags;
pub use flow::Flow;
pub use index::{NavIndex, Way, WayOut};
pub use inplace::{InPlace, Standing, ground_in_place, ground_in_place_counted};
pub use kinds::Kinds;
pub use levels::{End, LevelScratch, Levels, Plan};
pub use line::Walk;
pub use mend::{Remap, Repair};
pub use misuse::Misuse;
pub use nearest::Nearest;
pub use overlay::Overlay;
pub use portal::Portal;
pub use random::{Random, Spots};
pub use regions::{Joined, Region};
pub use scratch::{PathScratch, Step};
pub use slide::Slide;
pub use spot::{Found, Lost, Spot};
pub use spread::Flood;
pub use table::{FirstMoves, TooLarge};
pub use tactics::{Encounter, Exposure, Hideout, Hiding, HidingPlace, Tactics};
pub use wall::Wall;
