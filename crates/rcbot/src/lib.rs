//! Waypoints of RCBot2, a bot for Team Fortress 2, Day of Defeat: Source, Half-Life 2: Deathmatch and other games of Source:
//! `.rcw`.
//!
//! A file is a list of **waypoints**: a point 32 units above the floor, flags that say what it is for, and links to others, each
//! one way. A waypoint that was deleted keeps its place in the list, so that the numbers of the others stay. Lengths are units
//! of Source and z is up, in the same space as the `.nav` of the map.
//!
//! Versions 3 and 4 are those of real files; 4 names its author and its last editor. 1 and 2, which lack the radius and the area
//! of a waypoint, are known from the bot's source, and are read if they end where the file ends.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::format::rcbot::{NodeFlags, RcbotNav};
//!
//! let bytes = std::fs::read("corpus/rcbot/v4.rcw")?;
//! let nav = RcbotNav::parse(&bytes)?;
//! assert_eq!((nav.map(), nav.author()), (&b"cp_yard"[..], Some("Zoë".as_bytes())));
//! let snipers = nav.waypoints().filter(|point| point.flags().contains(NodeFlags::SNIPER));
//! assert_eq!(snipers.map(|point| point.number()).collect::<Vec<_>>(), [3]);
//! let targets: Vec<i32> = nav.waypoints().next().unwrap().targets().iter().map(|to| to.get()).collect();
//! assert_eq!(targets, [1, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`RcbotBuf`] is a file, owned: to change and to [encode](RcbotBuf::encode). [`edit`] changes it by commands.
//!
//! Source: `docs/formats/rcbot.md`; confirmed on all 161 public files.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

mod buf;
mod check;
mod codes;
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
mod record;
mod view;
mod write;

pub use buf::{RcbotBuf, WaypointBuf};
pub use flags::{FileFlags, Game, NodeFlags};
pub use graph::WaypointGraph;
pub use iter::{Waypoint, Waypoints};
pub use layout::BOT_NODES;
pub use record::{Area, Authors, Front, Header, Radius, Target};
pub use view::RcbotNav;
