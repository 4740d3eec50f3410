//! Records that lead out of a mesh: links from its edges to other meshes, and doors (`docs/formats/skyrim.md`, section
//! 3).

use crate::flags::LinkKind;
use crate::form::FormId;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{U16, U32};

record! {
    /// A link from an edge to a triangle of another mesh, 10 bytes (section 3.3).
    ///
    /// The record does not store the triangle and edge that it belongs to: exactly one edge of the mesh names the link by
    /// index.
    pub EdgeLink[10] {
        /// The number of its kind, as stored.
        kind as stored_kind: U32 => u32,
        /// The other mesh, which may be this one.
        navmesh: FormId => FormId,
        /// Index of a triangle **in the other mesh**.
        triangle: U16 => u16,
    }
}

impl EdgeLink {
    /// Portal, ledge …
    #[inline]
    pub fn kind(&self) -> LinkKind {
        LinkKind::from_stored(self.kind.get())
    }
}

record! {
    /// An edge link of Fallout 4 and Starfield, 11 bytes.
    pub EdgeLink15[11] {
        /// The part that all versions share.
        link: EdgeLink => &EdgeLink,
        /// The edge of the target triangle, 0 to 2, that links back (142 of 142 real links).
        edge: u8 => u8,
    }
}

record! {
    /// A triangle under a door, 10 bytes (section 3.4).
    pub DoorTriangle[10] {
        /// Index of the triangle.
        triangle: U16 => u16,
        door: Door,
    }
}

impl DoorTriangle {
    /// [`PATHING_DOOR`](super::PATHING_DOOR) in every real entry. 0 would mean that the reference is no FormID.
    #[inline]
    pub fn type_hash(&self) -> u32 {
        self.door.type_hash()
    }
    /// The placed reference of the door.
    #[inline]
    pub fn reference(&self) -> FormId {
        self.door.reference()
    }
}

record! {
    /// A door, 8 bytes: part of [`DoorTriangle`] and of the navmesh info map.
    pub Door[8] {
        /// [`PATHING_DOOR`](super::PATHING_DOOR) in every real entry.
        type_hash: U32 => u32,
        /// The placed reference of the door.
        reference: FormId => FormId,
    }
}

record! {
    /// A door of Fallout 3 and New Vegas, 8 bytes (section 7, experimental).
    pub DoorTriangle11[8] {
        /// The placed reference of the door.
        reference: FormId => FormId,
        /// Index of the triangle.
        triangle: U16 => u16,
        /// Last two bytes, unused.
        unknown_0x06: U16 => u16,
    }
}
