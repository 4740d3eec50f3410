//! A `.nod` of Half-Life, in place.

use super::flags::Hull;
use super::header::version;
use super::lists::{NodLinks, NodNodes};
use super::record::{HashSlot, NodNode, SortRow};
use super::route::Routes;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, Result};

/// The hulls of Half-Life.
pub(super) const HULLS: usize = 4;

/// Where the fields of the head lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Layout {
    /// Three flags: bytes, or 32-bit numbers.
    bytes: bool,
    counts: usize,
    tables: usize,
    hash: usize,
    start: usize,
    newer: bool,
}

impl Layout {
    fn for_version(version: i32) -> Self {
        match version {
            16 => Self { bytes: false, counts: 28, tables: 44, hash: 8_388, start: 8_400, newer: false },
            17 => Self { bytes: true, counts: 20, tables: 36, hash: 8_380, start: 8_392, newer: false },
            _ => Self { bytes: true, counts: 24, tables: 40, hash: 8_384, start: 8_400, newer: true },
        }
    }
}

/// A node graph of Half-Life: `.nod` of version 16 (the game and most mods), 17 (mods of halflife-updated and its kin) and
/// 23 (Sven Co-op).
///
/// The file is an image of the engine's memory with stale pointers in it. Opening it reads its head; nothing is copied.
#[derive(Debug, Clone, Copy)]
pub struct NodNav<'a> {
    version: i32,
    layout: Layout,
    bytes: &'a [u8],
    head: &'a [u8],
    nodes: NodNodes<'a>,
    links: NodLinks<'a>,
    sort: &'a [SortRow],
    routes: &'a [u8],
    hash: &'a [HashSlot],
    trailing: &'a [u8],
    pub(super) hull: Option<Hull>,
}

impl<'a> NodNav<'a> {
    /// Opens a file. Constant time.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) or [`Instead`](navmap_core::ErrorKind::Instead) for another kind of file,
    /// [`Version`](navmap_core::ErrorKind::Version) for version 160, whose pointers have 64 bits,
    /// [`Truncated`](navmap_core::ErrorKind::Truncated) or [`Count`](navmap_core::ErrorKind::Count) for a file that is too short,
    /// [`Invalid`](navmap_core::ErrorKind::Invalid) for a negative count.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        let version = version(&mut cursor, &[16, 17, 23])?;
        let layout = Layout::for_version(version);
        let head = cursor.bytes(layout.start, "header")?;
        let count = |at: usize, what| claim(head, at, what);
        let [nodes, links, routes] = counts(head, layout)?;
        let hash = count(layout.hash, "hash slots")?;
        let nodes = NodNodes::take(&mut cursor, layout.newer, nodes)?;
        let links = NodLinks::take(&mut cursor, layout.newer, links)?;
        let sort = cursor.slice(nodes.len(), "sort table")?;
        let routes = cursor.bytes(routes, "routes")?;
        let hash = cursor.slice(hash, "hash slots")?;
        Ok(Self {
            version,
            layout,
            bytes,
            head,
            nodes,
            links,
            sort,
            routes,
            hash,
            trailing: cursor.rest(),
            hull: None,
        })
    }

    /// 16, 17 or 23.
    pub fn version(&self) -> i32 {
        self.version
    }
    /// The whole file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
    /// The bytes before the nodes: counts, tables of a search, stale pointers.
    pub fn head(&self) -> &'a [u8] {
        self.head
    }
    /// Three flags: the graph is present, its pointers are set, its routes are complete.
    pub fn flags(&self) -> [bool; 3] {
        let byte = |at: usize| self.head.get(at).is_some_and(|byte| *byte != 0);
        if self.layout.bytes { [byte(4), byte(5), byte(6)] } else { [byte(4), byte(8), byte(12)] }
    }
    /// The hull whose links the graph has, if one was asked for.
    pub fn hull(&self) -> Option<Hull> {
        self.hull
    }
    /// The nodes.
    pub fn nodes(&self) -> NodNodes<'a> {
        self.nodes
    }
    /// The pool of links. Each node has a run of them.
    pub fn links(&self) -> NodLinks<'a> {
        self.links
    }
    /// The numbers of the links that leave a node; `None` if they do not lie in the pool.
    pub fn run(&self, node: &NodNode<'_>) -> Option<std::ops::Range<usize>> {
        let first = usize::try_from(node.first_link()).ok()?;
        let count = usize::try_from(node.link_count()).ok()?;
        let end = first.checked_add(count)?;
        (end <= self.links.len()).then_some(first..end)
    }
    /// The sort table: three permutations of the nodes.
    pub fn sort_table(&self) -> &'a [SortRow] {
        self.sort
    }
    /// The packed route table.
    pub fn route_bytes(&self) -> &'a [u8] {
        self.routes
    }
    /// The route table, decoded as the game does.
    pub fn routes(&self) -> Routes<'a> {
        Routes { nodes: self.nodes, bytes: self.routes }
    }
    /// The hash table: numbers of links, or -1.
    pub fn hash_table(&self) -> &'a [HashSlot] {
        self.hash
    }
    /// The bytes after the end. No public file has any.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }

    pub(super) fn node_offset(&self, index: usize) -> u64 {
        (self.layout.start as u64).saturating_add((index as u64).saturating_mul(self.nodes.size() as u64))
    }
    pub(super) fn link_offset(&self, index: usize) -> u64 {
        let before = (index as u64).saturating_mul(self.links.size() as u64);
        self.node_offset(self.nodes.len()).saturating_add(before)
    }
    pub(super) fn sort_offset(&self, index: usize) -> u64 {
        let before = (index as u64).saturating_mul(size_of::<SortRow>() as u64);
        self.link_offset(self.links.len()).saturating_add(before)
    }
    pub(super) fn routes_offset(&self) -> u64 {
        self.sort_offset(self.sort.len())
    }
    pub(super) fn hash_offset(&self, index: usize) -> u64 {
        let before = (index as u64).saturating_mul(size_of::<HashSlot>() as u64);
        self.routes_offset().saturating_add(self.routes.len() as u64).saturating_add(before)
    }
    /// Where the hash table ends.
    pub(super) fn end(&self) -> u64 {
        self.hash_offset(self.hash.len())
    }
}

fn claim(head: &[u8], at: usize, what: &'static str) -> Result<usize> {
    let Some(stored) = head.get(at..).and_then(|rest| rest.first_chunk()) else {
        return Err(Cursor::new(&[], at as u64).short(what, 4));
    };
    let count = i32::from_le_bytes(*stored);
    usize::try_from(count).map_err(|_| Error::invalid(what, format!("{count} of them claimed")).at(at as u64))
}

/// Nodes, links and route bytes.
fn counts(head: &[u8], layout: Layout) -> Result<[usize; 3]> {
    let at = |more: usize| layout.counts.saturating_add(more);
    Ok([claim(head, at(0), "nodes")?, claim(head, at(4), "links")?, claim(head, at(8), "route bytes")?])
}

/// What the first page tells: the version and the number of nodes.
///
/// # Errors
/// If the file is shorter than the counts of its head say.
pub(super) fn first_page(page: &[u8], file_len: u64) -> Result<(i32, usize)> {
    let version = version(&mut Cursor::new(page, 0), &[16, 17, 23])?;
    let layout = Layout::for_version(version);
    let [nodes, links, routes] = counts(page, layout)?;
    let (node, link) = if layout.newer { (96_u64, 28) } else { (88, 24) };
    let needed = (nodes as u64)
        .saturating_mul(node.saturating_add(16))
        .saturating_add((links as u64).saturating_mul(link))
        .saturating_add(routes as u64);
    let left = file_len.saturating_sub(layout.start as u64);
    if file_len < layout.start as u64 || needed > left {
        let what = "nodes, links and routes";
        return Err(Error::new(navmap_core::ErrorKind::Truncated { what, needed, left }).at(file_len));
    }
    Ok((version, nodes))
}

/// Whether a page is the first of such a file: its flags are zeros and ones, and the tables of its search hold numbers of
/// nodes.
pub(super) fn may_be(page: &[u8]) -> bool {
    let Ok(version) = version(&mut Cursor::new(page, 0), &[16, 17, 23]) else { return false };
    let layout = Layout::for_version(version);
    let flags = match layout.bytes {
        true => page.get(4..7).is_some_and(|flags| flags.iter().all(|flag| *flag <= 1)),
        false => {
            page.get(4..16).is_some_and(|flags| flags.chunks(4).all(|flag| matches!(flag, [0 | 1, 0, 0, 0])))
        }
    };
    let tables = page.get(layout.tables..).unwrap_or_default();
    // A page holds a thousand of these numbers. Less than a page is no such file: the head alone has two.
    let numbers = tables.len() >= 4_000 && tables.chunks_exact(4).all(|four| matches!(four, [_, _, 0, 0]));
    flags && numbers && counts(page, layout).is_ok_and(|[nodes, ..]| nodes <= 65_536)
}
