//! Node graphs of Valve's games, on which creatures find their way: `.ain` of Source and of Respawn, `.nod` of Half-Life.
//!
//! A graph is a list of points and of links between them. Bots walk on meshes (`.nav`); creatures that the game itself moves
//! walk on these, in the same space. Lengths are units of the engine, and z is up.
//!
//! | file | view | games |
//! |---|---|---|
//! | `.ain`, version 37 and 41 | [`AinNav`] | Half-Life 2, Garry's Mod, Team Fortress 2 and other games of Source; Alien Swarm, CS:GO |
//! | `.ain`, version 57 | [`RespawnNav`] | Titanfall 2, Apex Legends |
//! | `.ain`, version 27 | [`TextNav`] | early builds of Half-Life 2: text |
//! | `.nod`, version 16, 17, 23 | [`NodNav`] | Half-Life and its mods, Sven Co-op |
//!
//! No form has a magic number. The kind follows from the version and from sizes that have to fit, and so does the number of
//! **hulls** (sizes of creatures) of `.ain`. Everything is read in place, except the text: opening it reads its numbers.
//!
//! A link of `.ain` is stored once and works both ways. It says for each hull how it passes: on the ground, with a jump, by
//! flying, by climbing. A link of `.nod` leads one way and says which hulls fit. A `.nod` file also has a table of [`Routes`],
//! in which the game looks up the next node of a way.
//!
//! [`NodeGraphBuf`] is an owned binary graph of Source. It can be edited, [converted](NodeGraphBuf::to_form) and
//! [encoded](NodeGraphBuf::encode). [`edit`] changes it by commands, with undo. Of a `.nod` file only the hints can be changed
//! ([`NodBuf`]), because the game computes tables from everything else.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap_nodegraph::{AinNav, Doors, Moves, NOD_HULLS, NodNav, SOURCE_HULLS};
//!
//! let bytes = std::fs::read("corpus/nodegraph/v37.ain")?;
//! let nav = AinNav::parse(&bytes)?;
//! assert_eq!((nav.nodes().len(), nav.hulls(), nav.map_version()), (13, 10, 12));
//! let large = SOURCE_HULLS.named("large").unwrap();
//! let open = nav.links().iter().filter(|link| link.moves(large).contains(Moves::GROUND));
//! assert_eq!(open.count(), 7);
//!
//! let bytes = std::fs::read("corpus/nodegraph/v16.nod")?;
//! let nav = NodNav::parse(&bytes)?;
//! let human = NOD_HULLS.named("human").unwrap();
//! let way = nav.routes().way(7, 4, human, Doors::Open);
//! assert_eq!(way.collect::<Vec<_>>(), [7, 6, 3, 0, 1, 4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: `docs/formats/nodegraph.md`; confirmed on 715 public files.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

mod buf;
mod build;
mod check;
mod checknod;
mod checkrespawn;
mod codes;
mod convert;
mod dump;
#[cfg(feature = "edit")]
pub mod edit;
mod file;
mod flags;
mod graph;
mod header;
mod info;
mod iter;
mod layout;
mod lists;
mod nod;
mod nodbuf;
mod points;
mod record;
mod respawn;
mod route;
mod sets;
mod shortest;
mod solve;
mod text;
mod view;

pub use buf::{LinkBuf, NodeBuf, NodeGraphBuf};
pub use build::{BuildOptions, Room};
pub use flags::{
    Hint, Hull, HullBox, Hulls, LinkFlags, Moves, NOD_HULLS, NodeInfo, NodeKind, NodeType, RESPAWN_HULLS,
    SOURCE_HULLS,
};
pub use graph::{AinGraph, NodGraph};
pub use iter::{AinLink, AinLinks, AinNode, AinNodes};
pub use layout::MOST_NODES;
pub use lists::{NodLinks, NodNodes};
pub use nod::NodNav;
pub use nodbuf::{HintBuf, NodBuf};
pub use record::{
    AinHeader, ClusterLink, ClusterLinkIndex, HammerId, HashSlot, HintValue, NodLink, NodNode, NodeIndex,
    RespawnHeader, RespawnLink, RespawnNode, ScriptNode, SortRow, TraverseNode,
};
pub use respawn::{Cluster, Clusters, HullZones, RespawnNav};
pub use route::{Doors, Routes, Step, Way};
pub use shortest::RouteReport;
pub use text::TextNav;
pub use view::{AinNav, ENGINE_LINKS, ENGINE_NODES};
