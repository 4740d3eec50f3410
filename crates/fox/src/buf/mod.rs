//! An owned tile that can be changed.
//!
//! Stores only values: no offsets, sizes, redundant counts or padding. The [encoder](FoxBuf::encode) computes all of them as the
//! game's tools do. `docs/formats/fox.md`, section 17.

mod faces;
mod group;
mod nodes;
mod read;
mod whole;

pub use faces::{FaceBuf, FaceList};
pub use group::{GroupBuf, MeshBuf, SegmentGraphBuf, SegmentNodeBuf, WorldBuf};
pub use nodes::NodeBuf;
pub use whole::{BucketBuf, IslandBuf, IslandGraphBuf, ListingBuf, SearchBuf};

use super::record::{GroupId, PackedId, TileId};
use super::view::{Frame, VERSION};
use navmap_core::format::{Store, Stored};
use std::sync::Arc;
use zerocopy::byteorder::little_endian::F32;

/// A `.nav2` file that owns its memory, to be changed or made anew. [`encode`](Self::encode) writes it.
///
/// ```
/// use navmap::format::fox::{FoxBuf, FoxNav};
///
/// let bytes = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/fox/standalone.nav2"));
/// let mut tile = FoxBuf::read(&FoxNav::parse(bytes)?)?;
/// assert!(tile.encode()? == bytes);
///
/// tile.groups[0].world.attributes[0] = 1.into();
/// let changed = tile.encode()?;
/// let group = FoxNav::parse(&changed)?.groups().next().unwrap()?;
/// assert_eq!(group.world().attributes()[0].get(), 1);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoxBuf {
    /// The properties of the whole file.
    pub head: HeadBuf,
    /// The groups in file order. An empty part of a split tile has none.
    pub groups: Vec<GroupBuf>,
    /// The island graphs: three in most files, none in later parts.
    pub islands: Vec<IslandGraphBuf>,
    /// The search space. An empty part has none.
    pub search: Option<SearchBuf>,
    /// The connect-tile info as raw bytes; empty if there is none, as in every file seen.
    pub connect: Vec<u8>,
    /// The file it was read from, if its layout differs from the encoder's.
    verbatim: Option<Arc<[u8]>>,
}

/// The part of a [`FoxBuf`] outside of its groups.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct HeadBuf {
    /// 201403242, or the older 201403241.
    pub version: u32,
    /// Part number and tile.
    pub id: PackedId,
    /// Minimum corner in metres, y up.
    pub origin: [F32; 3],
    /// Quanta per metre in x, y, z; none of them 0.
    pub divisors: [u16; 3],
    /// Weight units per metre, not 0.
    pub weight_divisor: u16,
    /// Feature flags: 1, or 5 in the parts of a split tile.
    pub features: u8,
    /// Sixteen bytes that the parts of a split tile share.
    pub opaque: [u8; 16],
    /// The reserved fields, as [`Header::unknown`](super::record::Header::unknown) gives them.
    pub unknown: [u32; 6],
}

/// The layout of the file that a [`FoxBuf`] was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayoutKind {
    /// The layout of the game's tools, and of the encoder.
    Canonical,
    /// As Obj2Nav2 does.
    Obj2Nav2,
    /// Otherwise.
    Raw,
}

impl HeadBuf {
    /// The head of a whole tile with a frame.
    pub fn new(tile: TileId, frame: Frame, opaque: [u8; 16]) -> Self {
        Self {
            version: VERSION,
            id: PackedId::new(GroupId(0), tile),
            origin: frame.origin.store(),
            divisors: frame.divisors,
            weight_divisor: frame.weight_divisor,
            features: 1,
            opaque,
            unknown: [0; 6],
        }
    }

    /// The conversion of stored numbers to metres.
    pub fn frame(&self) -> Frame {
        Frame {
            origin: Stored::value(&self.origin),
            divisors: self.divisors,
            weight_divisor: self.weight_divisor,
        }
    }

    /// The tile.
    pub fn tile(&self) -> TileId {
        self.id.tile()
    }

    /// The number of this file among the parts of a split tile.
    pub fn part(&self) -> u16 {
        self.id.index()
    }
}

impl FoxBuf {
    /// A file without groups, island graphs or search space.
    pub fn new(head: HeadBuf) -> Self {
        Self {
            head,
            groups: Vec::new(),
            islands: Vec::new(),
            search: None,
            connect: Vec::new(),
            verbatim: None,
        }
    }

    /// The group of this id.
    pub fn group(&self, id: GroupId) -> Option<&GroupBuf> {
        self.groups.iter().find(|group| group.id.group() == id)
    }

    /// Whether two hold the same values, regardless of the layouts of their files.
    pub fn same_values(&self, other: &Self) -> bool {
        self.head == other.head
            && self.groups == other.groups
            && self.islands == other.islands
            && self.search == other.search
            && same_connect(&self.connect, &other.connect)
    }

    /// The layout of the file that this was read from.
    pub fn layout(&self) -> LayoutKind {
        match &self.verbatim {
            None => LayoutKind::Canonical,
            Some(_) if self.head.opaque == super::view::OBJ2NAV2 => LayoutKind::Obj2Nav2,
            Some(_) => LayoutKind::Raw,
        }
    }

    /// The same file with other groups.
    pub(super) fn with_groups(&self, groups: Vec<GroupBuf>) -> Self {
        Self {
            head: self.head,
            groups,
            islands: self.islands.clone(),
            search: self.search.clone(),
            connect: self.connect.clone(),
            verbatim: self.verbatim.clone(),
        }
    }

    /// The file that this was read from, if its layout is not canonical.
    pub(super) fn verbatim(&self) -> Option<&[u8]> {
        self.verbatim.as_deref()
    }
}

/// Whether two blocks of connected tiles are the same. No file says how long its block is: it goes on to the next part, which begins
/// at a multiple of 16 bytes, so zeros up to there are none of it.
fn same_connect(one: &[u8], other: &[u8]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let rest = long.strip_prefix(short);
    rest.is_some_and(|rest| rest.iter().all(|byte| *byte == 0))
        && short.len().div_ceil(16) == long.len().div_ceil(16)
}
