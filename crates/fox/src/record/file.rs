//! The head of the file, its manifest, entry headers, positions.

use super::{GroupId, TileId};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, U16, U32};

record! {
    /// The first 96 bytes: the fixed header and the opaque id. `docs/formats/fox.md`, section 2.1.
    pub Header[96] {
        /// Version word: 201403242, or the older 201403241.
        version: U32 => u32,
        /// Size of the file in bytes, as the file states it (an old tool stated less).
        file_size: U32 => u32,
        /// Offset of the first entry.
        first_entry: U32 => u32,
        /// Number of entries: four for each group, none in an empty split part.
        entry_count: U32 => u32,
        /// Offset of the NavSystem (search space); 0 if there is none.
        search as search_offset: U32 => u32,
        /// Part number and tile.
        id: PackedId => PackedId,
        /// Offset of the island graphs; 0 if there are none.
        islands as islands_offset: U32 => u32,
        unknown_0x1c: U32,
        /// Minimum corner of the tile in metres; y lies at or below the lowest vertex.
        origin: [F32; 3] => [f32; 3],
        /// Offset of the connect-tile info (Section3); 0 in every file seen.
        connect as connect_offset: U32 => u32,
        unknown_0x30: U32,
        /// Offset of the manifest; `0x60` in every file seen.
        manifest as manifest_offset: U32 => u32,
        /// Size of the manifest, count word included (Obj2Nav2 does not count that word).
        manifest_size: U32 => u32,
        unknown_0x3c: [U32; 2],
        /// Quanta per metre in x, y, z.
        divisors: [U16; 3] => [u16; 3],
        /// Weight units per metre.
        weight_divisor: U16 => u16,
        /// Feature flags: 1 in single files, 5 in the parts of a split tile.
        features: u8 => u8,
        /// Number of island graphs.
        island_graphs: u8 => u8,
        unknown_0x4e: u8,
        unknown_0x4f: u8,
        /// Sixteen bytes shared by the parts of a split tile and by nothing else.
        opaque: [u8; 16] => &[u8; 16],
    }

    /// A group and a tile in 32 bits: bits 0 to 14 and 15 to 30. In the header the first is a part number instead of a
    /// group. `docs/formats/fox.md`, section 1.
    pub PackedId[4] {
        /// All 32 bits; bit 31 is zero in every file seen.
        bits: U32 => u32,
    }

    /// One line of the manifest, which says where an entry's payload lies. SegmentChunk entries are not listed.
    /// `docs/formats/fox.md`, section 2.2.
    pub Descriptor[12] {
        /// Group and tile.
        id: PackedId => PackedId,
        /// Offset of the payload in the file, which is 16 past the entry's head.
        payload: U32 => u32,
        kind_and_size: U32,
    }

    /// Head of an entry. `docs/formats/fox.md`, section 2.3.
    pub EntryHeader[16] {
        /// Type of the entry: see [`EntryKind`](crate::EntryKind).
        kind: U32 => u32,
        /// Length of the entry in bytes, this head included.
        next: U32 => u32,
        /// Where the payload begins, counted from this head; 16 in every file seen.
        payload: U32 => u32,
        /// Group and tile.
        id: PackedId => PackedId,
    }

    /// A quantised position: x, y (up), z. [`Frame::world`](crate::Frame::world) converts it to metres. `docs/formats/fox.md`,
    /// section 3.
    pub Position[6] { x: U16, y: U16, z: U16 }
}

impl Header {
    /// Number of this file among the parts of a split tile; 0 for a whole tile.
    pub fn part(&self) -> u16 {
        self.id.index()
    }
    /// The tile.
    pub fn tile(&self) -> TileId {
        self.id.tile()
    }
    /// Whether the feature flags name this file one part of a split tile (bit 2). Confirmed on 6 sets.
    pub fn is_split(&self) -> bool {
        self.features & 4 != 0
    }
    /// The reserved fields, in file order: at `0x1C`, `0x30`, `0x3C`, `0x40`, `0x4E`, `0x4F`. Zero in all files seen.
    pub fn unknown(&self) -> [u32; 6] {
        let [a, b] = self.unknown_0x3c;
        [
            self.unknown_0x1c.get(),
            self.unknown_0x30.get(),
            a.get(),
            b.get(),
            u32::from(self.unknown_0x4e),
            u32::from(self.unknown_0x4f),
        ]
    }
}

impl PackedId {
    /// The low 15 bits: file index in the header, group everywhere else.
    pub fn index(&self) -> u16 {
        (self.bits.get() & 0x7FFF) as u16
    }
    /// The group.
    pub fn group(&self) -> GroupId {
        GroupId(self.index())
    }
    /// The tile.
    pub fn tile(&self) -> TileId {
        TileId((self.bits.get() >> 15) as u16)
    }
}

impl Descriptor {
    /// Type of the entry, 8 bits.
    pub fn kind(&self) -> u32 {
        self.kind_and_size.get() & 0xFF
    }
    /// Size of the entry, its head included, 24 bits (an old tool left 0).
    pub fn size(&self) -> u32 {
        self.kind_and_size.get() >> 8
    }
}

impl Position {
    /// The stored numbers: x, y, z.
    #[inline]
    pub fn quantised(&self) -> [u16; 3] {
        [self.x.get(), self.y.get(), self.z.get()]
    }
}
