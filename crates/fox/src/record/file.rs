//! The head of the file, its manifest, entry headers, positions.

use super::{GroupId, TileId};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, U16, U32};

record! {
    /// The first 96 bytes: the fixed header and the opaque id. `docs/formats/fox.md`, section 2.1.
    pub Header[96] {
        version: U32,
        file_size: U32,
        first_entry: U32,
        entry_count: U32,
        search: U32,
        id: PackedId,
        islands: U32,
        unknown_0x1c: U32,
        origin: [F32; 3],
        connect: U32,
        unknown_0x30: U32,
        manifest: U32,
        manifest_size: U32,
        unknown_0x3c: [U32; 2],
        divisors: [U16; 3],
        weight_divisor: U16,
        features: u8,
        island_graphs: u8,
        unknown_0x4e: u8,
        unknown_0x4f: u8,
        opaque: [u8; 16],
    }

    /// A group and a tile in 32 bits: bits 0 to 14 and 15 to 30. In the header the first is a part number instead of a
    /// group. `docs/formats/fox.md`, section 1.
    pub PackedId[4] { bits: U32 }

    /// One line of the manifest, which says where an entry's payload lies. SegmentChunk entries are not listed.
    /// `docs/formats/fox.md`, section 2.2.
    pub Descriptor[12] { id: PackedId, payload: U32, kind_and_size: U32 }

    /// Head of an entry. `docs/formats/fox.md`, section 2.3.
    pub EntryHeader[16] { kind: U32, next: U32, payload: U32, id: PackedId }

    /// A quantised position: x, y (up), z. [`Frame::world`](crate::Frame::world) makes metres of it.
    /// `docs/formats/fox.md`, section 3.
    pub Position[6] { x: U16, y: U16, z: U16 }
}

impl Header {
    /// Version word: 201403242, or the older 201403241.
    pub fn version(&self) -> u32 {
        self.version.get()
    }
    /// Size of the file in bytes, as the file states it (an old tool stated less).
    pub fn file_size(&self) -> u32 {
        self.file_size.get()
    }
    /// Offset of the first entry.
    pub fn first_entry(&self) -> u32 {
        self.first_entry.get()
    }
    /// Number of entries: four for each group, none in an empty split part.
    pub fn entry_count(&self) -> u32 {
        self.entry_count.get()
    }
    /// Offset of the NavSystem (search space); 0 if there is none.
    pub fn search_offset(&self) -> u32 {
        self.search.get()
    }
    /// Part number and tile.
    pub fn id(&self) -> PackedId {
        self.id
    }
    /// Number of this file among the parts of a split tile; 0 for a whole tile.
    pub fn part(&self) -> u16 {
        self.id.index()
    }
    /// The tile.
    pub fn tile(&self) -> TileId {
        self.id.tile()
    }
    /// Offset of the island graphs; 0 if there are none.
    pub fn islands_offset(&self) -> u32 {
        self.islands.get()
    }
    /// Minimum corner of the tile in metres; y lies at or below the lowest vertex.
    pub fn origin(&self) -> [f32; 3] {
        self.origin.map(F32::get)
    }
    /// Offset of the connect-tile info (Section3); 0 in every file seen.
    pub fn connect_offset(&self) -> u32 {
        self.connect.get()
    }
    /// Offset of the manifest; `0x60` in every file seen.
    pub fn manifest_offset(&self) -> u32 {
        self.manifest.get()
    }
    /// Size of the manifest, count word included (Obj2Nav2 does not count that word).
    pub fn manifest_size(&self) -> u32 {
        self.manifest_size.get()
    }
    /// Quanta per metre in x, y, z.
    pub fn divisors(&self) -> [u16; 3] {
        self.divisors.map(U16::get)
    }
    /// Weight units per metre.
    pub fn weight_divisor(&self) -> u16 {
        self.weight_divisor.get()
    }
    /// Feature flags: 1 in single files, 5 in the parts of a split tile.
    pub fn features(&self) -> u8 {
        self.features
    }
    /// Whether the feature flags name this file one part of a split tile (bit 2). Confirmed on 6 sets.
    pub fn is_split(&self) -> bool {
        self.features & 4 != 0
    }
    /// Number of island graphs.
    pub fn island_graphs(&self) -> u8 {
        self.island_graphs
    }
    /// Sixteen bytes shared by the parts of a split tile and by nothing else.
    pub fn opaque(&self) -> &[u8; 16] {
        &self.opaque
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
    /// All 32 bits; bit 31 is zero in every file seen.
    pub fn bits(&self) -> u32 {
        self.bits.get()
    }
}

impl Descriptor {
    /// Group and tile.
    pub fn id(&self) -> PackedId {
        self.id
    }
    /// Offset of the payload in the file, which is 16 past the entry's head.
    pub fn payload(&self) -> u32 {
        self.payload.get()
    }
    /// Type of the entry, 8 bits.
    pub fn kind(&self) -> u32 {
        self.kind_and_size.get() & 0xFF
    }
    /// Size of the entry, its head included, 24 bits (an old tool left 0).
    pub fn size(&self) -> u32 {
        self.kind_and_size.get() >> 8
    }
}

impl EntryHeader {
    /// Type of the entry: see [`EntryKind`](crate::EntryKind).
    pub fn kind(&self) -> u32 {
        self.kind.get()
    }
    /// Length of the entry in bytes, this head included.
    pub fn next(&self) -> u32 {
        self.next.get()
    }
    /// Where the payload begins, counted from this head; 16 in every file seen.
    pub fn payload(&self) -> u32 {
        self.payload.get()
    }
    /// Group and tile.
    pub fn id(&self) -> PackedId {
        self.id
    }
}

impl Position {
    /// The stored numbers: x, y, z.
    #[inline]
    pub fn quantised(&self) -> [u16; 3] {
        [self.x.get(), self.y.get(), self.z.get()]
    }
}
