//! navjson: the JSON form of NAV2, made for version control.
//!
//! A file is one object with `Version` (1, 2 or 3: NAV2 14, 15, 17), `Map` (`Name`, `Author`, `Filename`, `Urls`),
//! `Contributors`, `Comments`, in version 3 `Settings` (`Heuristic`), and `Nodes`. A node has its `Origin`, `Flags`,
//! `Links` and `Radius`. A link names its target **by its coordinates**, has a `Type` (the whole 16-bit field) and may
//! have a `Traversal` (three points) and an `Edict` (`Mins`, `Maxs`, and the key of its version). Units and meaning are
//! those of the binary form.
//!
//! [`NavJson::parse`] streams through the text once, into flat lists, without a tree of values. Coordinates are rounded to `f32`
//! directly, and a link's target is the node with exactly these coordinates (0 and -0 are equal). If several nodes have them, it
//! is the last one, as in the tool that made the format, and `check` reports it. Errors give line and column. [`NavJson::write`]
//! writes the style of the public files: two spaces, one number per line, the shortest decimals that give the same `f32`.
//!
//! ```
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
//! use navmap::format::quake::NavJson;
//!
//! let text = std::fs::read("corpus/quake/navjson-v2.navjson")?;
//! let nav = NavJson::parse(&text)?;
//! assert_eq!(nav.head().map.as_ref().unwrap().name.as_ref().unwrap().decode(), "The Test Chamber");
//!
//! // To the binary form and back; whatever is lost on the way is told first.
//! let graph = nav.to_graph(&mut |loss| eprintln!("{loss}"))?;
//! assert_eq!(graph.encode()?, std::fs::read("corpus/quake/nav2-v15.nav")?);
//! let back = NavJson::from_graph(&graph, nav.head().clone(), &mut |loss| eprintln!("{loss}"))?;
//! let mut again = Vec::new();
//! back.with_line_end(nav.line_end()).write(&mut again)?;
//! assert_eq!(again, text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: `docs/formats/quake.md`, section 6; confirmed on 18 real files, whose `Nodes` are written back byte
//! for byte.

mod check;
mod convert;
mod dump;
mod file;
mod float;
mod info;
mod pull;
mod read;
mod write;

pub use file::{head, recognise};
pub use pull::Text;

use super::iter::EdictKey;
use super::layout::{EdictLayout, Magic, Version};
use super::record::{Bounds, Traversal};

/// A navjson file. Its head is borrowed from the text, its graph is owned.
#[derive(Debug, Clone)]
pub struct NavJson<'a> {
    version: u32,
    head: Head<'a>,
    heuristic: Option<f32>,
    nodes: Vec<JsonNode>,
    links: Vec<JsonLink>,
    traversals: Vec<Traversal>,
    edicts: Vec<JsonEdict>,
    line_end: LineEnd,
    /// The whole text, from which places are computed. Empty if the graph was not read from a text.
    text: &'a str,
    /// Pairs of nodes with the same coordinates: the earlier, the later.
    twins: Vec<(u32, u32)>,
    /// The number of links with coordinates that no node has.
    unresolved: usize,
    /// The number of unknown members, and the offset of the first.
    strangers: usize,
    first_stranger: Option<usize>,
}

/// The metadata of a navjson file. The binary form has no room for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head<'a> {
    /// The map; `None` if the file has no `Map`.
    pub map: Option<Map<'a>>,
    /// The authors of the graph; `None` if the file has no `Contributors`.
    pub contributors: Option<Vec<Text<'a>>>,
    /// Remarks on the graph.
    pub comments: Option<Text<'a>>,
    /// Whether the remarks are under `Comment`, as in one public file, instead of `Comments`.
    pub singular_comment: bool,
}

/// The map that a graph is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Map<'a> {
    /// Its title.
    pub name: Option<Text<'a>>,
    /// Who made it.
    pub author: Option<Text<'a>>,
    /// Its file, without extension.
    pub filename: Option<Text<'a>>,
    /// Where to get it.
    pub urls: Option<Vec<Text<'a>>>,
}

impl Head<'static> {
    /// A head with only the file name of the map.
    pub fn of_map(filename: &str) -> Self {
        let empty = || Some(Text::default());
        Self {
            map: Some(Map {
                name: empty(),
                author: empty(),
                filename: Some(Text::new(filename)),
                urls: Some(vec![]),
            }),
            contributors: Some(vec![]),
            comments: empty(),
            singular_comment: false,
        }
    }
}

impl Head<'_> {
    /// Whether it says more than the file name of the map.
    pub(super) fn says_more(&self) -> bool {
        let said = |text: &Option<Text<'_>>| text.as_ref().is_some_and(|text| !text.is_empty());
        let listed = |list: &Option<Vec<Text<'_>>>| list.as_ref().is_some_and(|list| !list.is_empty());
        let of_map =
            self.map.as_ref().is_some_and(|map| said(&map.name) || said(&map.author) || listed(&map.urls));
        of_map || listed(&self.contributors) || said(&self.comments)
    }
}

/// The style of line ends. 13 of the 137 public files have CRLF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LineEnd {
    /// A line feed.
    #[default]
    Lf,
    /// A carriage return and a line feed.
    CrLf,
}

/// One node, as in the binary form, with its place in the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JsonNode {
    origin: [f32; 3],
    flags: u16,
    radius: u16,
    first_link: usize,
    link_count: usize,
    offset: usize,
}

impl JsonNode {
    /// Quake units, z up, on the floor.
    pub fn origin(&self) -> [f32; 3] {
        self.origin
    }
    /// As in the binary form; [`NodeFlags`](super::NodeFlags) names them.
    pub fn flags(&self) -> u16 {
        self.flags
    }
    /// Units.
    pub fn radius(&self) -> u16 {
        self.radius
    }
    /// Index of the first outgoing link.
    pub fn first_link(&self) -> usize {
        self.first_link
    }
    /// How many outgoing links.
    pub fn link_count(&self) -> usize {
        self.link_count
    }
    /// Byte of the text at which the node begins.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

/// One link: the coordinates of its target, and the node that has them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JsonLink {
    target_origin: [f32; 3],
    /// [`NONE`] if there is no such node; likewise for `traversal` and `edict`.
    target: u32,
    kind: u16,
    traversal: u32,
    edict: u32,
    offset: usize,
}

const NONE: u32 = u32::MAX;

fn some(index: u32) -> Option<usize> {
    (index != NONE).then_some(index as usize)
}

impl JsonLink {
    /// The coordinates that it leads to.
    pub fn target_origin(&self) -> [f32; 3] {
        self.target_origin
    }
    /// The node that has exactly these coordinates; the last one if there are several. `None` if there is none, an error of
    /// `check` that does not occur in the 101,643 public links.
    pub fn target(&self) -> Option<usize> {
        some(self.target)
    }
    /// The whole 16-bit field of the binary form: type in the low byte.
    pub fn kind(&self) -> u16 {
        self.kind
    }
    /// Index of its traversal.
    pub fn traversal(&self) -> Option<usize> {
        some(self.traversal)
    }
    /// Index of its edict.
    pub fn edict(&self) -> Option<usize> {
        some(self.edict)
    }
    /// Byte of the text at which the link begins.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

/// The entity that a link depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JsonEdict {
    bounds: Bounds,
    key: EdictKey,
    offset: usize,
}

impl JsonEdict {
    /// Its box.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }
    /// The entity's key: handles in version 1, an entity id in versions 2 and 3.
    pub fn key(&self) -> EdictKey {
        self.key
    }
    /// Byte of the text at which the edict begins.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl<'a> NavJson<'a> {
    /// Version of the JSON form: 1, 2 or 3.
    pub fn version(&self) -> u32 {
        self.version
    }
    /// The corresponding version of the binary form: NAV2 14, 15 or 17.
    pub fn binary_version(&self) -> Version {
        binary_version(self.version).unwrap_or(Version::nav2(17))
    }
    /// The metadata of the file.
    pub fn head(&self) -> &Head<'a> {
        &self.head
    }
    /// The heuristic of version 3.
    pub fn heuristic(&self) -> Option<f32> {
        self.heuristic
    }
    /// The nodes, in file order.
    pub fn nodes(&self) -> &[JsonNode] {
        &self.nodes
    }
    /// All links: those of the first node, then those of the second, and so on.
    pub fn links(&self) -> &[JsonLink] {
        &self.links
    }
    /// The outgoing links of a node; `None` if there is no such node.
    pub fn links_of(&self, node: usize) -> Option<&[JsonLink]> {
        let node = self.nodes.get(node)?;
        self.links.get(node.first_link..node.first_link.checked_add(node.link_count)?)
    }
    /// The traversals, in the order of their links.
    pub fn traversals(&self) -> &[Traversal] {
        &self.traversals
    }
    /// The edicts, in the order of their links.
    pub fn edicts(&self) -> &[JsonEdict] {
        &self.edicts
    }
    /// The style of line ends. [`write`](Self::write) keeps it.
    pub fn line_end(&self) -> LineEnd {
        self.line_end
    }
    /// Sets the style of line ends for [`write`](Self::write).
    #[must_use]
    pub fn with_line_end(mut self, line_end: LineEnd) -> Self {
        self.line_end = line_end;
        self
    }
    /// Line and column, from 1, of a byte of the text. Linear in the text.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        pull::line_and_column(self.text, offset)
    }
}

/// The binary version that corresponds to a version of navjson: 1 is NAV2 14, 2 is NAV2 15, 3 is NAV2 17.
pub fn binary_version(version: u32) -> Option<Version> {
    match version {
        1 => Some(Version::nav2(14)),
        2 => Some(Version::nav2(15)),
        3 => Some(Version::nav2(17)),
        _ => None,
    }
}

/// The version of navjson nearest to a binary version: with the same edicts, and a heuristic if the binary version has one.
/// `None` for NAV3. [`QuakeBuf::convert`](super::QuakeBuf::convert) makes up the difference.
pub fn nearest(version: Version) -> Option<u32> {
    match (version.magic, version.layout()?.edict) {
        (Magic::Nav3, _) => None,
        (Magic::Nav2, EdictLayout::Bare | EdictLayout::Handles) => Some(1),
        (Magic::Nav2, _) if version.number < 16 => Some(2),
        (Magic::Nav2, _) => Some(3),
    }
}
