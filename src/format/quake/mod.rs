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
//! ```
//! use navmap::format::quake::{LinkType, QuakeNav};
//!
//! let bytes = std::fs::read("corpus/quake/nav3-v6.nav")?;
//! let nav = QuakeNav::parse(&bytes)?;
//! for (node, origin) in nav.nodes().iter().zip(nav.origins()) {
//!     let _ = (origin.to_array(), node.radius(), nav.node_flags(node).to_string());
//! }
//! let jump = nav.links().iter().position(|link| nav.link_type(link) == LinkType::LongJump).unwrap();
//! let from = nav.source_of(jump).unwrap(); // binary search: links do not store where they begin
//! let traversal = nav.links()[jump].traversal().and_then(|index| nav.traversals().get(index.into())).unwrap();
//! assert_eq!((from, traversal.start()), (3, [220.0, 256.0, 24.0]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![cfg_attr(
    feature = "write",
    doc = "[`QuakeBuf`] is the same graph, owned: to edit, to [convert](QuakeBuf::convert) to another version, and to [encode](QuakeBuf::encode)."
)]
#![cfg_attr(feature = "navjson", doc = "[`navjson`] is its JSON form.")]
//!
//! # Findings
//!
//! What [`check`](crate::NavFile::check) reports. `survey` reports the errors, and what concerns the file as a whole.
//!
//! | code | severity | what |
//! |---|---|---|
//! | `link-range` | error | a node's links reach past the end of the link array |
//! | `link-tiling` | error | a node's links do not begin where those of the node before end |
//! | `dangling-target`, `dangling-traversal`, `dangling-edict` | error | an index outside what it indexes |
//! | `not-finite` | error | NaN or infinity |
//! | `self-link`, `repeated-link` | warning | a link to its own node, a second link to the same one |
//! | `shared-traversal`, `orphan-traversal`, `traversal-order` | warning | each traversal belongs to one link, in order |
//! | `unexpected-traversal`, `missing-traversal` | warning; information where real files do so too | by type of link |
//! | `edict-order`, `repeated-edict` | warning | edicts ascend by link, one a link |
//! | `inverted-box`, `empty-box` | warning | the box of an edict |
//! | `ladder-plane` | warning | the plane is a unit vector on ladders, zero elsewhere |
//! | `heuristic` | warning | neither 0.8 nor 0.95; 0 is the mark of a known fault of another tool |
//! | `runtime-flag` | warning | state of a running game |
//! | `beyond-reach`, `no-nodes` | warning | more records than 16 bits address; no node at all |
//! | `trailing-bytes`, `experimental-layout` | warning | how the file was opened |
//! | `link-byte` | deviation | the byte that NAV2 before version 18 leaves 0 |
//! | `dead-end`, `no-links` | information | a node that no link leaves; a graph without links |
//! | `unknown-link-type`, `unknown-node-flag`, `unknown-link-flag` | information | values without a name |
//! | `unresolved-entity`, `no-model` | information | an edict whose key names no entity |
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
use crate::counts::Counts;
use crate::error::{Error, ErrorKind, Result};
use crate::format::file::Summary;

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
