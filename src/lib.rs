//! Zero-copy, memory-mapped readers for the navigation meshes of real games, and the tools on top of them.
//!
//! | family | files | games | versions | module |
//! |---|---|---|---|---|
//! | source | `.nav` | Condition Zero, Counter-Strike: Source and Global Offensive, Team Fortress 2, Garry's Mod, Left 4 Dead 1 and 2, Counter-Strike 2, Half-Life: Alyx | 1-16, 30-36 | [`source`](format::source) |
//! | quake | `.nav`, `.navjson` | Quake (2021), Quake II (2023) | NAV2 12-18, NAV3 1-6, navjson 1-3 | [`quake`](format::quake) |
//! | fox | `.nav2` | Metal Gear Solid V, Metal Gear Survive | 201403242, 201403241 | [`fox`](format::fox) |
//! | skyrim | `.esp`, `.esm`, `.esl`, raw NVNM | Skyrim (all editions), Fallout 4, Starfield; Fallout 3 and New Vegas by inference; Morrowind and Oblivion | NVNM 12, 15, 17; path grids | [`skyrim`](format::skyrim) |
//! | detour | `.navmesh`, `.bin`, `.nav`, `.mmap`, `.mmtile`, `.nm`, `.asset` | Recast/Detour: RecastDemo, private servers, Titanfall 2, Unity | tiles 6, 7, 13, 16 | [`detour`](format::detour) |
//! | aas | `.aas` | Quake III Arena and its line, Return to Castle Wolfenstein | 4, 5, 8 | [`aas`](format::aas) |
//! | yapb | `.graph`, `.pwf` | Counter-Strike 1.6, Condition Zero: the bots YaPB and POD-Bot | 1-2, 5-7 | [`yapb`](format::yapb) |
//! | nodegraph | `.ain`, `.nod` | Half-Life and its mods, Half-Life 2, Garry's Mod, Alien Swarm, Titanfall 2, Apex Legends: where creatures walk | `.ain` 27, 37, 41, 57; `.nod` 16, 17, 23 | [`nodegraph`](format::nodegraph) |
//! | rcbot | `.rcw` | Team Fortress 2, Day of Defeat: Source, Half-Life 2: Deathmatch: the bot RCBot2 | 3-4 | [`rcbot`](format::rcbot) |
//! | xray | `level.ai` | S.T.A.L.K.E.R.: Shadow of Chernobyl, Clear Sky, Call of Pripyat | 8-13 | [`xray`](format::xray) |
//!
//! # One program
//!
//! ```
//! use navmap::format::{AnyNav, ParseOptions};
//! use navmap::{NavFile, bytes::Backing};
//!
//! let bytes = Backing::snapshot("corpus/quake/nav3-v6.nav")?; // or map it, if you may vouch for the file
//! let nav = AnyNav::parse(&bytes, None, &ParseOptions::default())?;
//! assert_eq!(nav.summary().game, Some("Quake II (2023)"));
//!
//! let AnyNav::Quake(nav) = nav else { unreachable!() };
//! let walked = nav.links().iter().filter(|link| link.traversal().is_none()).count(); // read in place
//! assert!(walked > 0);
//! # Ok::<(), navmap::Error>(())
//! ```
//!
//! # Promises
//!
//! Each of them is tested, for every format:
//!
//! - **Nothing is copied.** Views borrow the bytes. Records of fixed size are `&[Record]` straight into the file; parts of
//!   variable length are walked lazily. Walking allocates nothing. The exceptions are documented: the compressed records of a
//!   plugin, and compressed members of archives, are inflated into a reused buffer; the packed nodes of a `.graph` file are
//!   unpacked once.
//! - **No panic, for any bytes.** No overflow, no unbounded recursion, linear time for each pass, and no memory reserved for a
//!   count that the file merely claims.
//! - **An error is a place:** what, which record, which byte, which file ([`Error`]). Anything odd but readable is not an error
//!   but a [`Finding`].
//! - **Nothing is lost.** A file is read to its last byte, or the remainder is reported; unknown bits are kept.
//! - `unsafe` is one file, `bytes/map.rs`. Records are little-endian by type: no promise depends on the machine.
//!
//! # The house
//!
//! | module | what |
//! |---|---|
//! | [`bytes`] | where bytes come from ([`Backing`](bytes::Backing)), and how they are taken ([`Cursor`](bytes::Cursor)) |
//! | [`format`](mod@format) | the families; [`AnyNav`] opens a file of any of them |
//! | [`graph`] | what they have in common: nodes, links, islands |
#![cfg_attr(feature = "build", doc = "| [`build`] | a mesh of Detour from the triangles of a level |")]
#![cfg_attr(feature = "crowd", doc = "| [`crowd`] | many agents who make room for each other |")]
#![cfg_attr(feature = "archive", doc = "| [`archive`] | containers: a file → its members as byte slices |")]
//! | [`query`] | where am I, what is near, how do I get there |
//! | [`diff`] | what changed between two meshes |
#![cfg_attr(feature = "archive", doc = "| [`scan`] | many files, many threads, one stream of outcomes |")]
//!
//! # Features
//!
//! | feature | what it brings |
//! |---|---|
//! | `source`, `quake`, `fox`, `skyrim`, `detour`, `aas`, `yapb`, `nodegraph`, `rcbot`, `xray` | a family each; all are on by default |
//! | `edit` | editors of the families, repairs, generation and analysis, models as meshes; on by default. Without it differences tell neither authors nor what no graph has, such as visibility |
//! | `archive` | containers, scans of many files, maps of GoldSrc and Source: decoders. It brings all families and their editors |
//! | `build` | meshes of Detour from the triangles of a level: a port of Recast. It brings `detour` |
//! | `crowd` | many agents on one mesh who make room for each other |
//! | `draw` | pictures, SVG and PNG: a rasteriser |
//! | `table` | many files as tables, CSV and JSON lines. It brings `archive` |
//! | `arrow`, `parquet`, `sql` | Arrow streams, Parquet files, SQL over tables and SQLite files. Each brings `table` |
//! | `watch` | a mesh that is loaded anew when its file changes, or one of several; with `archive` also a folder |
//! | `zlib-exact` | records of plugins compressed to the byte as the games' editors do: the C library zlib |
//!
//! Everything else is always there: questions and worlds, encoders, differences, models in and out.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "archive")]
#[doc(inline)]
pub use navmap_archive as archive;
#[cfg(feature = "archive")]
#[doc(inline)]
pub use navmap_bsp as bsp;
#[cfg(feature = "build")]
#[doc(inline)]
pub use navmap_build as build;
#[doc(hidden)]
pub use navmap_core::threads;
#[doc(inline)]
pub use navmap_core::{bytes, digits, edit, error, graph, text};
#[cfg(feature = "crowd")]
#[doc(inline)]
pub use navmap_crowd as crowd;
#[cfg(feature = "draw")]
#[doc(inline)]
pub use navmap_draw as draw;
#[doc(inline)]
pub use navmap_export as export;
#[doc(inline)]
pub use navmap_import as import;
#[doc(inline)]
pub use navmap_open::open;
#[cfg(feature = "archive")]
#[doc(inline)]
pub use navmap_open::scan;
#[cfg(feature = "table")]
#[doc(inline)]
pub use navmap_table as table;

pub use navmap_core::format::{NavFile, NavFormat, Summary};
pub use navmap_core::{Code, Counts, Error, ErrorKind, Finding, Limits, Result, Severity, Space};
pub use navmap_formats::{AnyNav, Family, Kind, codes};

/// The families, and what opens a file of any of them.
pub mod format {
    #[cfg(feature = "aas")]
    #[doc(inline)]
    pub use navmap_aas as aas;
    #[cfg(feature = "detour")]
    #[doc(inline)]
    pub use navmap_detour as detour;
    #[cfg(feature = "fox")]
    #[doc(inline)]
    pub use navmap_fox as fox;
    #[cfg(feature = "nodegraph")]
    #[doc(inline)]
    pub use navmap_nodegraph as nodegraph;
    #[cfg(feature = "quake")]
    #[doc(inline)]
    pub use navmap_quake as quake;
    #[cfg(feature = "rcbot")]
    #[doc(inline)]
    pub use navmap_rcbot as rcbot;
    #[cfg(feature = "skyrim")]
    #[doc(inline)]
    pub use navmap_skyrim as skyrim;
    #[cfg(feature = "source")]
    #[doc(inline)]
    pub use navmap_source as source;
    #[cfg(feature = "xray")]
    #[doc(inline)]
    pub use navmap_xray as xray;
    #[cfg(feature = "yapb")]
    #[doc(inline)]
    pub use navmap_yapb as yapb;

    #[doc(hidden)]
    pub use navmap_core::format::has_extension;
    pub use navmap_core::format::{
        AnyGraph, ByIndex, Field, GraphTask, HullName, InOrder, LadderRecord, LadderRecords, NavFile,
        NavFormat, NavSet, NodeRecords, Number, OpenFile, ReadOptions, Record, SetFile, SetFormat, SetMap,
        Shape, Summary, not_mesh,
    };
    pub use navmap_core::stream::Stream;
    #[doc(hidden)]
    pub use navmap_formats::Options;
    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub use navmap_formats::SNIFFED;
    pub use navmap_formats::{
        Ability, AnyMap, AnyNav, AnySet, Family, Kind, KindView, ParseOptions, SetKind, code, codes,
        not_edited,
    };
}

pub mod diff {
    //! Tells what changed between two meshes, and brings two lines of change together.
    //!
    //! | what | call |
    //! |---|---|
    //! | what changed between two graphs: nodes, links, marks, flags, places | [`Diff`], [`Places`] |
    //! | between two files, with what their heads say and what is wrong with them | [`Compared`] |
    //! | which files of two folders or archives belong together | `Pair` |
    //! | the script that turns one mesh into another; two lines of change in one mesh | [`Version`] |
    //! | which of many meshes are alike | [`Sketch`] |
    //!
    //! Ids are no identity: a mesh that the game made again has other ids for every area. [`Diff::between`] asks first whether ids
    //! still mean the same, and matches nodes by where they lie if they do not.

    pub use navmap_diff::*;
    pub use navmap_open::diff::*;
}

pub mod query {
    //! Answers questions about a mesh: where am I, what is near, how do I get there.
    //!
    //! A [`NavIndex`] is built once from a mesh of any family and then serves any number of threads. It owns its data, so the
    //! file may change, be deleted or be replaced meanwhile. The caller lends searches their memory ([`PathScratch`], one per
    //! thread), so no query allocates.
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
    //! | who sees whom, where to hide, what to watch on the way | [`Tactics`], [`exposure`](PathScratch::exposure), [`retreat`](PathScratch::retreat) |
    //!
    //! [`FirstMoves`] is a table for small meshes from which paths are read, [`World`] a mesh that can be swapped under load
    //! ([`Slot`]), and the feature `watch` swaps it when its files change. The [`guide`] explains how a server embeds all this.

    #[cfg_attr(
        not(feature = "watch"),
        allow(rustdoc::broken_intra_doc_links, reason = "the page names what other features bring")
    )]
    pub mod guide {
        // Paths of Rust lead nowhere on a page that is read outside of rustdoc.
        #![doc = concat!(include_str!("query/guide.md"), include_str!("query/guide-links.md"))]
    }

    pub use navmap_open::world::*;
    pub use navmap_query::*;
}

/// The README's program compiles and runs.
#[cfg(all(doctest, feature = "source"))]
#[doc = include_str!("../README.md")]
mod readme {}

/// So do those of the page about the library.
#[cfg(all(doctest, feature = "source"))]
#[doc = include_str!("../docs/library.md")]
mod library {}
