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
    pub EdgeLink[10] { kind: U32, navmesh: FormId, triangle: U16 }
}

impl EdgeLink {
    /// Portal, ledge …
    #[inline]
    pub fn kind(&self) -> LinkKind {
        LinkKind::from_stored(self.kind.get())
    }
    /// The number of its kind, as stored.
    #[inline]
    pub fn stored_kind(&self) -> u32 {
        self.kind.get()
    }
    /// The other mesh, which may be this one.
    #[inline]
    pub fn navmesh(&self) -> FormId {
        self.navmesh
    }
    /// Index of a triangle **in the other mesh**.
    #[inline]
    pub fn triangle(&self) -> u16 {
        self.triangle.get()
    }
}

record! {
    /// An edge link of Fallout 4 and Starfield, 11 bytes.
    pub EdgeLink15[11] { link: EdgeLink, edge: u8 }
}

impl EdgeLink15 {
    /// The part that all versions share.
    #[inline]
    pub fn link(&self) -> &EdgeLink {
        &self.link
    }
    /// The edge of the target triangle, 0 to 2, that links back (142 of 142 real links).
    #[inline]
    pub fn edge(&self) -> u8 {
        self.edge
    }
}

record! {
    /// A triangle under a door, 10 bytes (section 3.4).
    pub DoorTriangle[10] { triangle: U16, door: Door }
}

impl DoorTriangle {
    /// Index of the triangle.
    #[inline]
    pub fn triangle(&self) -> u16 {
        self.triangle.get()
    }
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
    pub Door[8] { type_hash: U32, reference: FormId }
}

impl Door {
    /// [`PATHING_DOOR`](super::PATHING_DOOR) in every real entry.
    #[inline]
    pub fn type_hash(&self) -> u32 {
        self.type_hash.get()
    }
    /// The placed reference of the door.
    #[inline]
    pub fn reference(&self) -> FormId {
        self.reference
    }
}

record! {
    /// A door of Fallout 3 and New Vegas, 8 bytes (section 7, experimental).
    pub DoorTriangle11[8] { reference: FormId, triangle: U16, unknown_0x06: U16 }
}

impl DoorTriangle11 {
    /// The placed reference of the door.
    #[inline]
    pub fn reference(&self) -> FormId {
        self.reference
    }
    /// Index of the triangle.
    #[inline]
    pub fn triangle(&self) -> u16 {
        self.triangle.get()
    }
    /// Last two bytes, unused.
    #[inline]
    pub fn unknown_0x06(&self) -> u16 {
        self.unknown_0x06.get()
    }
}
