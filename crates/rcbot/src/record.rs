//! Records of fixed size, as they lie in the file: little endian, no padding. Lengths are units of Source, z up.

use super::flags::{FileFlags, NodeFlags};
use navmap_core::format::Vector;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I32, U32};

record! {
    /// What a file begins with: 92 bytes. `docs/formats/rcbot.md`, section 1.
    ///
    /// What follows the zero of the magic and of the map's name is what lay in memory.
    pub Header[92] { magic: [u8; 16], map: [[u8; 32]; 2], version: I32, waypoints: I32, flags: U32 }

    /// Who made a file of version 4: 64 bytes.
    pub Authors[64] { author: [u8; 32], editor: [u8; 32] }

    /// What every waypoint begins with: 25 bytes. Its targets follow. Section 1.
    pub Front[25] { origin: Vector, yaw: I32, flags: U32, used: u8, links: I32 }

    /// The area of a waypoint, from version 2: the number of a capture point, 0 for none.
    pub Area[4] { area: I32 }

    /// The radius of a waypoint, from version 3: 0 for none.
    pub Radius[4] { radius: F32 }

    /// The number of the waypoint that a link leads to.
    pub Target[4] { number: I32 }
}

impl Header {
    /// What a file begins with, and the zero behind it.
    pub const MAGIC: [u8; 7] = *b"RCBot2\0";

    /// The magic and what follows its zero.
    pub fn magic(&self) -> &[u8; 16] {
        &self.magic
    }
    /// The map's name and what follows its zero.
    pub fn map(&self) -> &[u8; 64] {
        zerocopy::transmute_ref!(&self.map)
    }
    /// 3 or 4.
    pub fn version(&self) -> i32 {
        self.version.get()
    }
    /// How many waypoints it claims.
    pub fn waypoints(&self) -> i32 {
        self.waypoints.get()
    }
    /// What lies beside the file.
    pub fn flags(&self) -> FileFlags {
        FileFlags(self.flags.get())
    }
    pub(super) fn new(magic: [u8; 16], map: [u8; 64], numbers: [i32; 2], flags: FileFlags) -> Self {
        let [version, waypoints] = numbers.map(I32::from);
        Self { magic, map: zerocopy::transmute!(map), version, waypoints, flags: flags.0.into() }
    }
}

impl Authors {
    /// The author's name and what follows its zero.
    pub fn author(&self) -> &[u8; 32] {
        &self.author
    }
    /// The name of whoever changed the file last, and what follows its zero.
    pub fn editor(&self) -> &[u8; 32] {
        &self.editor
    }
    pub(super) fn new([author, editor]: [[u8; 32]; 2]) -> Self {
        Self { author, editor }
    }
}

impl Front {
    /// Where it is: 32 units above the floor.
    #[inline]
    pub fn origin(&self) -> [f32; 3] {
        self.origin.to_array()
    }
    /// Which way the bot aims here, degrees.
    #[inline]
    pub fn yaw(&self) -> i32 {
        self.yaw.get()
    }
    /// What it is for.
    #[inline]
    pub fn flags(&self) -> NodeFlags {
        NodeFlags(self.flags.get())
    }
    /// As stored: 0 if it was deleted.
    #[inline]
    pub fn used(&self) -> u8 {
        self.used
    }
    /// How many links it claims.
    #[inline]
    pub fn links(&self) -> i32 {
        self.links.get()
    }
    pub(super) fn new(origin: [f32; 3], yaw: i32, flags: NodeFlags, used: u8, links: i32) -> Self {
        Self { origin: origin.into(), yaw: yaw.into(), flags: flags.0.into(), used, links: links.into() }
    }
}

impl Area {
    /// The number.
    pub fn get(self) -> i32 {
        self.area.get()
    }
}

impl Radius {
    /// As stored.
    pub fn get(self) -> f32 {
        self.radius.get()
    }
}

impl Target {
    /// The number.
    #[inline]
    pub fn get(self) -> i32 {
        self.number.get()
    }
}

/// A name up to its zero.
pub(super) fn name(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}
