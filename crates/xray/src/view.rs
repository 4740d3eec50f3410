//! A `level.ai`, in place.

use super::iter::{Node, Nodes};
use super::layout::{Layout, NEWEST, is_known};
use super::record::Header;
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;

/// The walking grid of a level.
///
/// Opening a file reads its head. Nothing is copied.
#[derive(Debug, Clone, Copy)]
pub struct XrayNav<'a> {
    header: &'a Header,
    row: u32,
    nodes: Nodes<'a>,
    trailing: &'a [u8],
}

impl<'a> XrayNav<'a> {
    /// Opens a file. Constant time.
    ///
    /// # Errors
    /// [`NotMesh`](navmap_core::ErrorKind::NotMesh) or [`Instead`](navmap_core::ErrorKind::Instead) for another kind of file,
    /// [`Version`](navmap_core::ErrorKind::Version) for versions before 8, and for later ones than 13 that do not end where the
    /// file ends, [`Truncated`](navmap_core::ErrorKind::Truncated) or [`Count`](navmap_core::ErrorKind::Count) for a file that
    /// is too short.
    pub fn parse(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0);
        let header = header(&mut cursor)?;
        let version = header.version();
        let layout = Layout::for_version(version);
        let known = is_known(version);
        let count = claim(header, cursor.left() as u64);
        let count = if known { count? } else { count.map_err(|_| unknown(version))? };
        let nodes = Nodes::new(cursor.bytes(count.saturating_mul(layout.len()), "nodes")?, layout);
        let trailing = cursor.rest();
        if !known && !trailing.is_empty() {
            return Err(unknown(version));
        }
        Ok(Self { header, row: header.row(), nodes, trailing })
    }

    /// The 56 bytes that the file begins with.
    pub fn header(&self) -> &'a Header {
        self.header
    }
    /// 8 to 13.
    pub fn version(&self) -> u32 {
        self.header.version()
    }
    /// Whether the version is unknown, and was read because everything ends where the file ends.
    pub fn is_experimental(&self) -> bool {
        !is_known(self.version())
    }
    /// The nodes, sorted by their squares.
    pub fn nodes(&self) -> Nodes<'a> {
        self.nodes
    }
    /// The bytes after the last node. No public file has any.
    pub fn trailing(&self) -> &'a [u8] {
        self.trailing
    }
    /// The square of a node: how many squares along x and along z.
    #[inline]
    pub fn square(&self, node: &Node<'_>) -> [u32; 2] {
        let square = node.square();
        [square.checked_div(self.row).unwrap_or(0), square.checked_rem(self.row).unwrap_or(0)]
    }
    /// The middle of a node, metres.
    #[inline]
    #[allow(clippy::cast_precision_loss)] // squares of a level
    pub fn middle(&self, node: &Node<'_>) -> [f32; 3] {
        let ([x, z], [min_x, min_y, min_z]) = (self.square(node), self.header.min());
        let cell = self.header.cell();
        let y = f32::from(node.height()) / 65_535.0 * self.header.height();
        [min_x + x as f32 * cell, min_y + y, min_z + z as f32 * cell]
    }
    /// The node under or over a point: of those in its square, the one whose height is nearest. It is found by a binary search
    /// in the file, and nothing is built for it. `None` if there is none in the square.
    pub fn node_at(&self, at: [f32; 3]) -> Option<usize> {
        let [_, y, _] = at;
        let mut nearest: Option<(f32, usize)> = None;
        for (index, node) in self.nodes_of_square(at) {
            let [_, height, _] = self.middle(&node);
            let apart = (height - y).abs();
            if nearest.is_none_or(|(least, _)| apart < least) {
                nearest = Some((apart, index));
            }
        }
        nearest.map(|(_, index)| index)
    }
    /// The nodes of the square that a point is in, with their numbers: floors over each other. Found as by
    /// [`node_at`](Self::node_at).
    pub fn nodes_of_square(&self, at: [f32; 3]) -> impl Iterator<Item = (usize, Node<'a>)> + use<'a> {
        let nodes = self.nodes;
        let square = self.square_of(at);
        let first = square.map_or(nodes.len(), |square| nodes.first_of(square));
        (first..nodes.len()).map_while(move |index| {
            let node = nodes.get(index).filter(|node| Some(node.square()) == square)?;
            Some((index, node))
        })
    }
    /// The number of the square that a point is in.
    fn square_of(&self, [x, _, z]: [f32; 3]) -> Option<u32> {
        let [min_x, _, min_z] = self.header.min();
        let along = |value: f32, min: f32| {
            let squares = ((f64::from(value) - f64::from(min)) / f64::from(self.header.cell()) + 0.5).floor();
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the range
            (0.0..=f64::from(u32::MAX)).contains(&squares).then_some(squares as u32)
        };
        let (column, row) = (along(x, min_x)?, along(z, min_z).filter(|row| *row < self.row)?);
        column.checked_mul(self.row)?.checked_add(row)
    }
    /// How many squares the box has along x and along z.
    pub(super) fn squares(&self) -> [u32; 2] {
        let ([from, ..], [to, ..]) = (self.header.min(), self.header.max());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what does not fit is cut
        let columns = ((f64::from(to) - f64::from(from)) / f64::from(self.header.cell()) + 1.5) as u32;
        [columns.max(1), self.row]
    }
    /// The byte of a node.
    pub(super) fn offset(&self, index: usize) -> u64 {
        let before = (index as u64).saturating_mul(self.nodes.layout().len() as u64);
        (size_of::<Header>() as u64).saturating_add(before)
    }
}

/// Takes the head and tells whether it is one.
pub(super) fn header<'a>(cursor: &mut Cursor<'a>) -> Result<&'a Header> {
    let bytes = cursor.rest();
    let version = bytes.first_chunk().map_or(0, |first| u32::from_le_bytes(*first));
    if !(1..256).contains(&version) {
        return Err(not_mesh(bytes).at(0));
    }
    if version < 8 {
        // Of engines before the first game: a head of 40 bytes.
        return Err(refused(version, "its head and nodes are others, and no public file is known"));
    }
    let header: &Header = cursor.record("header")?;
    if !header.is_grid() {
        return Err(not_mesh(bytes).at(0));
    }
    Ok(header)
}

/// The claimed number of nodes, for which the file has to have room.
pub(super) fn claim(header: &Header, left: u64) -> Result<usize> {
    let claimed = u64::from(header.nodes());
    match claimed.saturating_mul(Layout::for_version(header.version()).len() as u64) <= left {
        true => Ok(header.nodes() as usize),
        false => Err(Error::new(ErrorKind::Count { what: "nodes", claimed, left }).at(4)),
    }
}

/// Whether a page, which may be the whole file, is the head of a grid and nodes in their order.
pub(super) fn recognise(page: &[u8]) -> bool {
    let mut cursor = Cursor::new(page, 0);
    let Ok(header) = header(&mut cursor) else { return false };
    let nodes = Nodes::new(cursor.rest(), Layout::for_version(header.version()));
    let claimed = header.nodes() as usize;
    let list = nodes.iter().take(claimed);
    let ordered = list.clone().zip(list.skip(1)).all(|(a, b)| a.square() <= b.square());
    (8..=NEWEST).contains(&header.version()) && (claimed == 0 || !nodes.is_empty()) && ordered
}

/// Whether a file that is named like one may be one.
pub(super) fn may_be(page: &[u8]) -> bool {
    let version = page.first_chunk().map_or(0, |first| u32::from_le_bytes(*first));
    (1..256).contains(&version)
}

#[cold]
fn unknown(version: u32) -> Error {
    refused(version, "unknown, and the nodes of the newest one do not end where the file ends")
}

#[cold]
fn refused(version: u32, why: &'static str) -> Error {
    Error::new(ErrorKind::Version { format: "level.ai", found: version, subversion: None, why }).at(0)
}
