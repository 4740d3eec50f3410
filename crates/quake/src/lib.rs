//! Quake's bot navigation: NAV2 (Quake, 2021) and NAV3 (Quake II, 2023).
//!
//! A file is a graph of **waypoints**, not of polygons: a [`Node`] is a point with a radius, and a [`Link`] leads from one to
//! another, one way. A link that is not a plain walk has a [`Traversal`] (where to leave, take off and land). A link that depends
//! on an entity of the map (a door, a lift) has an [edict](Edict). Lengths are Quake units and z is up. A node's origin lies on
//! the floor, 24 units below that of a player standing there.
//!
//! The file is a header and five arrays, little endian, without padding. Its length follows from the counts:
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
//! [`QuakeNav`] lays these arrays over the bytes in constant time and hands them out as slices of records. NAV2 6 to 11 are
//! refused, since they are undocumented. An unknown version is tried against each known layout, and read as
//! [experimental](QuakeNav::is_experimental) if one ends exactly where the file ends.
//!
//! The engine finds a file by the map's name, `<game folder>/bots/navigation/<map>.nav`, where `<map>` includes the subfolder of
//! the BSP.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
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
#![doc = "[`QuakeBuf`] is the same graph, owned: to edit, to [convert](QuakeBuf::convert) to another version, and to [encode](QuakeBuf::encode)."]
#![doc = "[`navjson`] is its JSON form."]
//!
//! # Findings
//!
//! [`check`](navmap_core::format::NavFile::check) reports all of these. `survey` reports the errors, and findings about the file
//! as a whole.
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
//! | `dead-end`, `isolated`, `no-links` | information | a node that links reach and none leaves; one without any; a graph without links |
//! | `unknown-link-type`, `unknown-node-flag`, `unknown-link-flag` | information | values without a name |
//! | `unresolved-entity`, `no-model` | information | an edict whose key names no entity |
//!
//! Source: `docs/formats/quake.md`; NAV3 confirmed on 180 real files, NAV2 on 137 graphs of the public depot,
//! which come as JSON.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

mod build;
mod check;
pub(crate) mod codes;
mod convert;
mod dump;
#[cfg(feature = "edit")]
pub mod edit;
mod file;
mod flags;
mod graph;
mod info;
mod iter;
mod layout;
pub mod navjson;
mod record;
mod view;
mod write;

pub use file::{head, recognise};
pub use flags::{
    Carries, EntityId, Handle, LinkFlags, LinkType, ModelIndex, Nav2NodeFlags, Nav3NodeFlags, NodeFlags,
};
pub use iter::{Edict, EdictKey, Edicts, Traversals};
pub use layout::{EdictLayout, Layout, Magic, Offsets, Version};
pub use navjson::NavJson;
pub use record::{
    BareEdict, Bounds, EntityEdict, HandleEdict, Header, LadderTraversal, Link, ModelEdict, Node, Traversal,
    Vector,
};
pub use view::QuakeNav;
pub use write::{EdictBuf, HEURISTIC, QuakeBuf};
