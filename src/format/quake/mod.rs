//! Quake's bot navigation: NAV2 (Quake, 2021) and NAV3 (Quake II, 2023).
//!
//! A graph of **waypoints**, not of polygons: a [`Node`] is a point with a radius, a [`Link`] leads from one to
//! another, one way. A link that is no plain walk has a [`Traversal`] (where to leave, take off and land); one that
//! depends on an entity of the map (a door, a lift) has an [edict](Edict). Lengths are Quake units, z is up; a node's
//! origin lies on the floor, 24 units below that of a player standing there.
//!
//! The file is a header and five arrays, little endian, without padding, and its length follows from the counts:
//!
//! | part | bytes each | versions |
//! |---|---|---|
//! | header | 20, or 24 with the heuristic | heuristic: NAV2 16 to 18, NAV3 |
//! | [nodes](QuakeNav::nodes) | 8 | all |
//! | [origins](QuakeNav::origins) | 12 | all |
//! | [links](QuakeNav::links) | 6 | all |
//! | [traversals](QuakeNav::traversals) | 36, or 48 with the plane of a ladder | plane: NAV3 4 to 6 |
//! | number of edicts | 4 | all |
//! | [edicts](QuakeNav::edicts) | 26, 34, 30 (id after the box), 30 (model before it) | NAV2 12, NAV3 1; NAV2 13 and 14; NAV2 15 to 18; NAV3 2 to 6 |
//!
//! [`QuakeNav`] lays these arrays over the bytes in constant time and hands them out as slices of records. NAV2 6 to
//! 11 are refused: nothing documents them. An unknown version is tried against each known layout, and taken as
//! [experimental](QuakeNav::is_experimental) if one ends exactly where the file ends.
//!
//! The engine finds a file by the map's name, `<game folder>/bots/navigation/<map>.nav`, where `<map>` keeps the
//! subfolder of the BSP.
//!
//! Source: the format note `quake-nav2`; NAV3 confirmed on 180 real files, NAV2 on 137 graphs of the public depot,
//! which come as JSON.

#![forbid(unsafe_code)]
#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

mod check;
#[cfg(feature = "write")]
mod convert;
#[cfg(feature = "serde")]
mod dump;
mod flags;
mod graph;
mod info;
mod iter;
mod layout;
#[cfg(feature = "navjson")]
pub mod navjson;
mod record;
mod view;
#[cfg(feature = "write")]
mod write;

pub use flags::{Carries, EntityId, Handle, LinkFlags, LinkType, ModelIndex, NodeFlags};
pub use iter::{Edict, EdictKey, Edicts, Traversals};
pub use layout::{EdictLayout, Layout, Magic, Offsets, Version};
#[cfg(feature = "navjson")]
pub use navjson::NavJson;
pub use record::{
    BareEdict, Bounds, EntityEdict, HandleEdict, Header, LadderTraversal, Link, ModelEdict, Node, Traversal,
    Vector,
};
pub use view::{Options, QuakeNav};
#[cfg(feature = "write")]
pub use write::{EdictBuf, HEURISTIC, QuakeBuf};

use crate::bytes::Cursor;
use crate::error::{Error, ErrorKind, Result};
use crate::mesh::{Counts, Summary};

/// Whether a file that begins with these bytes is one of Quake's binary graphs, readable or not.
pub fn recognise(head: &[u8]) -> bool {
    Magic::of(head).is_some()
}

/// What the first bytes of a file tell, held against its length; 24 of them are enough.
///
/// The number of edicts stands behind the arrays, out of sight: it is derived from the length, and left out for a
/// version whose layout is not known.
///
/// # Errors
/// As [`QuakeNav::parse`], as far as the header and the length show it.
pub fn head(page: &[u8], file_len: u64) -> Result<Summary> {
    let (header, version) = view::header(&mut Cursor::new(page, 0))?;
    let mut counts = Counts::default();
    counts.add("nodes", header.nodes().into());
    counts.add("links", header.links().into());
    counts.add("traversals", header.traversals().into());
    if let Some(layout) = version.layout() {
        let edicts = |layout: Layout| {
            let at = layout.offsets(header.nodes(), header.links(), header.traversals());
            let left = file_len.checked_sub(at.edicts)?;
            (left.checked_rem(layout.edict_len()) == Some(0)).then(|| left.checked_div(layout.edict_len()))?
        };
        let Some(edicts) = version.candidates().find_map(edicts) else {
            let at = layout.offsets(header.nodes(), header.links(), header.traversals());
            let left = file_len.saturating_sub(at.nodes);
            let needed = at.edicts.saturating_sub(at.nodes);
            return Err(match left.checked_sub(needed) {
                None => Error::new(ErrorKind::Truncated { what: "arrays", needed, left }).at(at.nodes),
                Some(left) => Error::invalid("edicts", format!("{left} bytes are no whole number of them"))
                    .at(at.edicts),
            });
        };
        counts.add("edicts", edicts);
    }
    Ok(view::summary(version, counts))
}
