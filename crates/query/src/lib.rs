//! Answers questions about a mesh: where am I, what is near, how do I get there.
//!
//! A [`NavIndex`] is built once from a mesh of any family and then answers any number of threads. It owns its data, so
//! the file may change, be deleted or be replaced meanwhile. The caller lends searches their memory ([`PathScratch`],
//! one for each thread), so no query allocates.
//!
//! | question | call |
//! |---|---|
//! | the area under a point, by the engine's rule | [`area_at`](NavIndex::area_at), [`ground_at`](NavIndex::ground_at), [`area_at_many`](NavIndex::area_at_many) |
//! | the nearest area | [`nearest`](NavIndex::nearest), [`nearest_as_engine`](NavIndex::nearest_as_engine), [`nearest_node`](NavIndex::nearest_node) |
//! | areas around | [`within`](NavIndex::within), [`in_box`](NavIndex::in_box), [`along_ray`](NavIndex::along_ray) |
//! | one area | [`closest_point`](NavIndex::closest_point), [`z_at`](NavIndex::z_at), [`contains`](NavIndex::contains) |
//! | two areas | [`portal`](NavIndex::portal), [`step`](NavIndex::step), [`gap`](NavIndex::gap), [`link`](NavIndex::link) |
//! | is there a way | [`reachable`](NavIndex::reachable), for the whole mesh [`regions`](NavIndex::regions) |
//! | what a person typed: a point, an id, a place | [`Spot`] |
//! | the way | [`PathScratch::path`], spread over ticks with [`resume`](PathScratch::resume) |
//! | its corners | [`PathScratch::straighten`] |
//! | a straight walk | [`walk_line`](NavIndex::walk_line) |
//! | a way over two levels, through meshes that are read when they are needed | [`Levels`] |
//! | from one to all | [`distance_map`](PathScratch::distance_map), [`flood`](PathScratch::flood) |
//!
//! Features: `first-move` adds a table for small meshes from which ways are read, `world` a mesh that can be swapped
//! under load, and `watch` swaps it when its file changes.

#![doc = "How a server embeds all this is told in the [`guide`]."]
#![allow(
    clippy::neg_cmp_op_on_partial_ord,
    reason = "a comparison with NaN is to come out false, and its negation true"
)]
#![allow(
    clippy::needless_range_loop,
    reason = "axes and slots are numbers that index several arrays at once"
)]

mod area;
mod around;
mod ask;
mod build;
mod grid;
mod ground;
pub mod guide;
mod heap;
mod index;
mod labels;
mod landmarks;
mod levels;
mod line;
mod locate;
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
mod slot;
mod spot;
mod spread;
mod straighten;
mod table;
mod watch;
mod world;

pub use area::Area;
pub use ask::{Cost, Goal, Kinds, Misuse, Outcome, Query, Search};
pub use build::BuildOptions;
pub use index::{NavIndex, Way, WayOut};
pub use levels::{End, LevelScratch, Levels, Plan};
pub use line::Walk;
pub use nearest::Nearest;
pub use overlay::Overlay;
pub use portal::Portal;
pub use random::Spots;
pub use regions::{Joined, Region};
pub use scratch::{PathScratch, Step};
pub use slot::{Reader, Slot};
pub use spot::{Found, Lost, Spot};
pub use spread::Flood;
pub use table::{FirstMoves, TooLarge};
pub use watch::{Watch, WatchOptions};
pub use world::{Held, Policy, Refused, Stale, World};
