//! Graphs of the bots of Counter-Strike 1.6 and Condition Zero: YaPB's `.graph` and POD-Bot's `.pwf`.
//!
//! A file is a list of **waypoints**: a [`Node`] is a point with a radius, flags for its uses, and eight slots for links. A
//! [`Link`] leads to another node, one way, on foot or with a jump. A node lies at the origin of a player who stands there, 36
//! units above the floor. Lengths are GoldSrc units and z is up.
//!
//! | file | view | what |
//! |---|---|---|
//! | `.graph`, version 1 and 2 | [`YapbNav`] | a head, the nodes packed with [ULZ](unpack), an [`Extension`] that names author, map and editor |
//! | `.pwf`, version 5, 6, 7 | [`PwfNav`] | a head with the names of map and author, the nodes in place |
//!
//! The nodes of a `.graph` file are unpacked once, when it is opened; everything else is read in place. Both views hand out
//! their nodes as [`Nodes`].
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::format::yapb::{LinkFlags, NodeFlags, YapbNav};
//!
//! let bytes = std::fs::read("corpus/yapb/v2.graph")?;
//! let nav = YapbNav::parse(&bytes, &navmap::Limits::default())?;
//! let camps = nav.nodes().iter().filter(|node| node.flags().contains(NodeFlags::CAMP));
//! assert_eq!(camps.map(|node| node.number()).collect::<Vec<_>>(), [3, 7]);
//! let (_, jump) = nav.nodes()[4].links().find(|(_, link)| link.is_jump()).unwrap();
//! assert_eq!((jump.target(), jump.flags()), (5, LinkFlags::JUMP));
//! assert_eq!(nav.extension().author(), Some("Zoë".as_bytes()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![doc = "[`YapbBuf`] is either form, owned: to [edit], to convert ([`to_graph`](YapbBuf::to_graph), [`to_pwf`](YapbBuf::to_pwf)), and to [encode](YapbBuf::encode)."]
//!
//! Source: `docs/formats/yapb.md`; confirmed on all 9,173 public graphs and on 72 `.pwf` files of servers.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

mod buf;
mod build;
mod check;
mod codes;
mod convert;
mod dump;
#[cfg(feature = "edit")]
pub mod edit;
mod file;
mod fit;
mod flags;
mod graph;
mod info;
mod iter;
mod pwf;
mod record;
mod spots;
mod ulz;
mod view;
mod write;

pub use buf::{Form, YapbBuf};
pub use flags::{GraphOptions, LinkFlags, NodeFlags};
pub use graph::WaypointGraph;
pub use iter::Nodes;
pub use pwf::{PWF_NODES, PwfNav};
pub use record::{Header, Link, Node, PwfHeader, PwfNode5, PwfNode6, PwfNode7, Waypoint};
pub use ulz::pack;
pub use ulz::unpack;
pub use view::{Extension, GRAPH_NODES, MOST_NODES, YapbNav};
