//! Walking grids of the X-Ray engine, on which creatures of the S.T.A.L.K.E.R. games find their way: `level.ai`.
//!
//! A file is a head and a list of **nodes**: squares of a grid, 0.7 m wide in all real files, each with a height, four links to
//! the squares beside it, and how much cover it gives in four directions. Nodes are sorted by their square, so that a point is
//! found by a search in the file itself ([`XrayNav::node_at`]). Lengths are metres and y is up.
//!
//! Versions 8 to 13 differ in the size of a node: 21 to 25 bytes. Version 10 is that of the games; the others are those of
//! earlier games and of engines of modders.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::format::xray::XrayNav;
//!
//! let bytes = std::fs::read("corpus/xray/v10.ai")?;
//! let nav = XrayNav::parse(&bytes)?;
//! assert_eq!((nav.nodes().len(), nav.header().cell()), (33, 0.7));
//! let node = nav.node_at([0.7, 0.1, 1.3]).unwrap();
//! assert_eq!(nav.square(&nav.nodes().get(node).unwrap()), [1, 2]);
//! let links = nav.nodes().get(node).unwrap().links();
//! assert_eq!(links, [Some(2), Some(10), Some(16), Some(8)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`XrayBuf`] is a file, owned: to edit and to [encode](XrayBuf::encode).
//!
//! Source: `docs/formats/xray.md`; confirmed on 17 public files of version 10. The other versions are known from published source.

#![deny(clippy::arithmetic_side_effects, clippy::indexing_slicing)]

mod buf;
mod check;
mod codes;
mod dump;
mod file;
mod flags;
mod graph;
mod info;
mod iter;
mod layout;
mod record;
mod tally;
mod view;

pub use buf::{NodeBuf, XrayBuf};
pub use flags::{Cover, CoverFlags};
pub use graph::GridGraph;
pub use iter::{Node, Nodes};
pub use record::Header;
pub use view::XrayNav;
