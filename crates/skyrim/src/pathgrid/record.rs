//! Records of fixed size of the older containers and of path grids.

use crate::flags::RecordFlags;
use crate::form::{FormId, Tag};
use navmap_core::format::Vector;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I16, I32, U16, U32};

record! {
    /// Head of a record of Morrowind, 16 bytes.
    pub RecordHeader3[16] {
        /// Kind of the record.
        tag: Tag => Tag,
        /// Bytes of data after the head.
        size: U32 => u32,
        /// Of unknown meaning, 0.
        unknown_0x08: U32 => u32,
        /// Flags: 0x20 is deleted.
        flags: U32 as RecordFlags,
    }

    /// Head of a record of Oblivion, 20 bytes: that of the later games without its last four.
    pub RecordHeader4[20] {
        /// Kind of the record.
        tag: Tag => Tag,
        /// Bytes of data after the head, as stored.
        size: U32 => u32,
        /// Flags.
        flags: U32 as RecordFlags,
        /// The record's own FormID, local to the plugin.
        form_id: FormId => FormId,
        /// Version control information.
        version_control: U32 => u32,
    }

    /// Head of a group of Oblivion, 20 bytes.
    pub(crate) GroupHeader4[20] {
        /// `GRUP`.
        tag: Tag => Tag,
        /// Bytes of the group, this head included.
        size: U32 => u32,
        /// The label as stored.
        label: [u8; 4] => [u8; 4],
        /// What it holds.
        kind: I32 => i32,
        /// Time stamp.
        stamp: U32 => u32,
    }

    /// What the `HEDR` field of Morrowind begins with, 8 of 300 bytes. Author, description and the number of records follow.
    pub Hedr3[8] {
        /// Version of the plugin format: 1.2, 1.3.
        version: F32 => f32,
        /// 0 a plugin, 1 a master, 32 a saved game.
        kind: U32 => u32,
    }

    /// The `DATA` field of a cell of Morrowind, 12 bytes.
    pub(crate) CellData[12] { flags: U32 => u32, x: I32 => i32, y: I32 => i32 }

    /// The `DATA` field of a grid of Morrowind, 12 bytes.
    pub MorrowindData[12] {
        /// East of the cell, 0 for interiors.
        x: I32 => i32,
        /// North of the cell, 0 for interiors.
        y: I32 => i32,
        /// How far apart the editor sets points: 1,024 in most, 256, 121.
        granularity: U16 => u16,
        /// How many points there should be.
        points: U16 => u16,
    }

    /// A point of a grid of Morrowind, 16 bytes.
    pub MorrowindPoint[16] {
        /// Units, in an exterior from the corner of the cell.
        x: I32 => i32,
        /// Units, north.
        y: I32 => i32,
        /// Units, up.
        z: I32 => i32,
        /// 1 if the editor has made it.
        generated: u8 => u8,
        /// How many links it has.
        links: u8 => u8,
        /// What lay in memory.
        unknown_0x0e: U16 => u16,
    }

    /// A point of a grid of Oblivion, 16 bytes.
    pub OblivionPoint[16] {
        position: Vector,
        /// How many links touch it.
        links: u8 => u8,
        /// What lay in memory.
        unknown_0x0d: [u8; 3] => [u8; 3],
    }

    /// A link of a grid of Oblivion, 4 bytes: two points, or one and -1.
    pub Pair[4] {
        /// A point.
        from: I16 => i16,
        /// The other.
        to: I16 => i16,
    }

    /// A link of a grid of Oblivion into the grid of another cell, 16 bytes. No real file with one was seen.
    pub ForeignLink[16] {
        /// The point here.
        point: U16 => u16,
        /// Of unknown meaning.
        unknown_0x02: U16 => u16,
        position: Vector,
    }
}

impl OblivionPoint {
    /// Where it is, units.
    pub fn position(&self) -> [f32; 3] {
        self.position.to_array()
    }
}

impl ForeignLink {
    /// Where the point in the other grid is, units.
    pub fn position(&self) -> [f32; 3] {
        self.position.to_array()
    }
}
