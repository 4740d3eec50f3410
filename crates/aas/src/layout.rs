//! The head of a file: version and lumps.

use super::record::{
    Area, BoundingBox, Cluster, Edge, Face, Node, Plane, Portal, Reachability, Settings, SteepSettings,
    Vertex,
};
use navmap_core::bytes::Cursor;
use navmap_core::error::{Error, ErrorKind, Result};
use navmap_core::format::not_mesh;

/// Bytes of the head.
pub(super) const HEAD: usize = 124;

/// Names of the lumps, in file order.
pub const LUMPS: [&str; 14] = [
    "bounding boxes",
    "vertices",
    "planes",
    "edges",
    "edge index",
    "faces",
    "face index",
    "areas",
    "settings",
    "reachabilities",
    "nodes",
    "portals",
    "portal index",
    "clusters",
];

/// Where a lump lies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lump {
    /// The byte of the file at which it begins.
    pub offset: usize,
    /// How many bytes it has.
    pub len: usize,
}

impl Lump {
    /// The byte after it.
    pub fn end(self) -> usize {
        self.offset.saturating_add(self.len)
    }
}

/// How the head and the settings of a version are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Whether bytes 8 to 123 are obfuscated by exclusive or.
    pub hidden: bool,
    /// Whether settings end in the ground's steepness: 32 bytes instead of 28.
    pub steep: bool,
}

impl Layout {
    /// Every known layout, newest first.
    pub(super) const ALL: [Self; 3] = [
        Self { hidden: true, steep: true },
        Self { hidden: true, steep: false },
        Self { hidden: false, steep: false },
    ];

    /// The layout of a version; `None` if the version is unknown.
    pub fn for_version(version: i32) -> Option<Self> {
        match version {
            4 => Some(Self { hidden: false, steep: false }),
            5 => Some(Self { hidden: true, steep: false }),
            8 => Some(Self { hidden: true, steep: true }),
            _ => None,
        }
    }

    /// The record size of each lump, in bytes.
    pub fn sizes(self) -> [usize; 14] {
        [
            size_of::<BoundingBox>(),
            size_of::<Vertex>(),
            size_of::<Plane>(),
            size_of::<Edge>(),
            4,
            size_of::<Face>(),
            4,
            size_of::<Area>(),
            if self.steep { size_of::<SteepSettings>() } else { size_of::<Settings>() },
            size_of::<Reachability>(),
            size_of::<Node>(),
            size_of::<Portal>(),
            4,
            size_of::<Cluster>(),
        ]
    }
}

/// A decoded head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// 4, 5 or 8.
    pub version: i32,
    /// The checksum of the map the file was made for.
    pub checksum: u32,
    /// Where each lump lies.
    pub lumps: [Lump; 14],
}

/// Whether a file begins with the magic.
pub(super) fn is_magic(head: &[u8]) -> bool {
    head.starts_with(b"EAAS")
}

/// The index of a lump in the head.
pub(super) fn lump(name: &str) -> usize {
    LUMPS.iter().position(|known| *known == name).unwrap_or(0)
}

/// The version in the first eight bytes.
pub(super) fn version(bytes: &[u8]) -> Result<i32> {
    let mut cursor = Cursor::new(bytes, 0);
    if !is_magic(bytes) {
        return Err(not_mesh(bytes).at(0));
    }
    cursor.skip(4, "magic")?;
    Ok(cursor.u32("version")?.cast_signed())
}

/// Obfuscates the head or undoes it: byte 8 + i is xored with the low byte of i times 119.
pub(super) fn veil(head: &mut [u8; HEAD]) {
    for (byte, i) in head.iter_mut().skip(8).zip(0_u32..) {
        let [low, ..] = i.wrapping_mul(119).to_le_bytes();
        *byte ^= low;
    }
}

/// Reads the head of a file of `file_len` bytes and checks its lumps against that length.
///
/// # Errors
/// If a lump is negative, lies beyond the end, or is no whole number of records.
pub(super) fn head(bytes: &[u8], file_len: u64, layout: Layout) -> Result<Head> {
    let version = version(bytes)?;
    let mut cursor = Cursor::new(bytes, 0);
    let stored: &[u8; HEAD] = cursor.record("header")?;
    let mut clear = *stored;
    if layout.hidden {
        veil(&mut clear);
    }
    let mut cursor = Cursor::new(&clear, 0);
    cursor.skip(8, "magic and version")?;
    let checksum = cursor.u32("checksum")?;
    let mut lumps = [Lump::default(); 14];
    let mut outside = 0_usize;
    let mut first = None;
    for (((lump, name), size), index) in lumps.iter_mut().zip(LUMPS).zip(layout.sizes()).zip(0..) {
        let at = cursor.offset();
        let (offset, len) = (cursor.u32(name)?.cast_signed(), cursor.u32(name)?.cast_signed());
        let placed = u64::try_from(offset).ok().zip(u64::try_from(len).ok());
        let inside = placed.filter(|(offset, len)| offset.saturating_add(*len) <= file_len);
        if let Some((offset, len)) = inside {
            *lump = Lump { offset: offset as usize, len: len as usize };
            if lump.len.checked_rem(size) != Some(0) {
                let why = format!("{len} bytes are no whole number of {size}");
                first.get_or_insert_with(|| Error::invalid(name, why).at(at).in_record("lump", index));
            }
        } else {
            outside = outside.saturating_add(1);
            let why = format!("{len} bytes at {offset}, the file has {file_len}");
            first.get_or_insert_with(|| Error::invalid(name, why).at(at).in_record("lump", index));
        }
    }
    match first {
        // Most likely a head that is obfuscated in another way, or that should be and is not.
        Some(_) if outside > 7 => {
            let why = format!("the table makes no sense: {outside} of 14 lie outside the file");
            Err(Error::invalid("lumps", why).at(12))
        }
        Some(error) => Err(error),
        None => Ok(Head { version, checksum, lumps }),
    }
}

/// Whether a version that no game used lies between known ones.
pub(super) fn is_skipped(version: i32) -> bool {
    matches!(version, 6 | 7)
}

pub(super) const UNSEEN: &str = "no file of it was ever seen";

#[cold]
pub(super) fn refused(version: i32, why: &'static str) -> Error {
    let found = version.cast_unsigned();
    Error::new(ErrorKind::Version { format: "AAS", found, subversion: None, why }).at(4)
}

/// The game that makes such files, by the version and the half width of the player's box: 15 in the Quake III line, 18 for people
/// and 32 for large creatures in Return to Castle Wolfenstein.
pub(super) fn game(version: i32, half: Option<f32>) -> Option<&'static str> {
    match (version, half) {
        (4 | 5, None | Some(15.0)) => Some("Quake III line"),
        (8, None | Some(18.0 | 32.0)) => Some("Return to Castle Wolfenstein"),
        _ => None,
    }
}
