//! Areas of the bots of the Quake III line: `.aas`.
//!
//! A file divides a map into **areas**: convex volumes in which the origin of a player may be. A [`Reachability`] leads from one
//! area to another, with a kind of travel and the time it takes. A tree of planes finds the area that holds a point.
//!
//! Since areas hold a player's origin and not the body, **every stored height lies 24 units above the floor**
//! ([`AasNav::above_floor`]), and walls lie 15 units away. Lengths are Quake units and z is up. Record 0 of most lumps is a
//! placeholder; the slices include it, so the file's own numbers are indices.
//!
//! | version | games | differs by |
//! |---|---|---|
//! | 4 | tests of Quake III in 1999 | a head in the clear |
//! | 5 | Quake III Arena, Team Arena, OpenArena, World of Padman, Trepidation | |
//! | 8 | Return to Castle Wolfenstein, Enemy Territory | settings of 32 bytes ([`SteepSettings`]), the meaning of some bits |
//!
//! Opening a file reads its head: [`AasNav`] is fourteen slices over its bytes. Most public files were stripped of their faces
//! when they were made; [`Floors`] rebuilds their floors from the tree.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::format::aas::{AasNav, Floors, TravelKind};
//!
//! let bytes = std::fs::read("corpus/aas/v5.aas")?;
//! let nav = AasNav::parse(&bytes)?;
//! assert_eq!((nav.areas().len(), nav.above_floor()), (9, 24.0));
//!
//! // A point on the floor has to be raised to where a player's origin is.
//! let area = nav.area_at([64.0, 64.0, 0.5 + nav.above_floor()]).unwrap();
//! let (_, links) = nav.links_of(area as usize);
//! let walk = links.iter().find(|link| link.kind() == TravelKind::WALK).unwrap();
//! assert_eq!((area, walk.area(), walk.time()), (1, 2, 38));
//!
//! // The file has no faces. Its floors come from the tree.
//! assert!(nav.is_stripped());
//! let floors = Floors::new(nav).of(1);
//! assert_eq!(floors[0].len(), 4);
//! assert!(floors[0].iter().all(|corner| corner[2] == 24.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
#![doc = "[`AasBuf`] is a file that owns its lumps: to change, by the commands of [edit] too, and to [encode](AasBuf::encode)."]
//!
//! Source: `docs/formats/aas.md`; confirmed on 94 public files.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]
#![cfg_attr(not(feature = "edit"), allow(dead_code, unused_imports))] // what editors alone call

mod buf;
mod check;
mod codes;
mod dump;
#[cfg(feature = "edit")]
pub mod edit;
mod file;
mod flags;
mod graph;
mod info;
mod iter;
mod layout;
mod record;
mod tree;
mod view;
mod write;

pub use buf::{AasBuf, SettingsBuf};
pub use flags::{
    AreaFlags, AreaFlags8, BoxFlags, Contents, Contents8, FaceFlags, Meaning, Presence, TravelFlags,
    TravelKind,
};
pub use graph::AasGraph;
pub use iter::{Floors, Polygon};
pub use layout::{Head, LUMPS, Layout, Lump};
pub use record::{
    Area, BoundingBox, Cluster, Edge, Face, Node, Plane, Portal, Reachability, Settings, SteepSettings,
    Vertex,
};
pub use view::{AasNav, AreaSettings};
