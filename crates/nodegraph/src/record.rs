//! Records of fixed size, as they lie in the file: little endian, no padding. Lengths are units of the engine, z up.

use super::flags::{Hint, LinkFlags, Moves, NodeKind, NodeType};
use navmap_core::format::{Stored, Vector};
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I16, I32, U16, U32};

navmap_core::id! {
    /// The `nodeid` key of the entity that a node was made of; -1 for none.
    HammerId: I32 => i32;
    /// A value of the list of hints of version 57. What it means is not known.
    HintValue: I16 => i16;
    /// The number of a node, as lists of version 57 hold it.
    NodeIndex: I16 => i16;
    /// The number of a link between clusters of version 57.
    ClusterLinkIndex: I16 => i16;
    /// A slot of the hash table of a `.nod` file: the number of a link, or -1.
    HashSlot: I16 => i16;
}

record! {
    /// What `.ain` files of 37 and 41 begin with. 12 bytes. `docs/formats/nodegraph.md`, section 2.
    pub AinHeader[12] {
        /// 37 or 41.
        version: I32 => i32,
        /// The revision of the map that the graph was made for: `mapversion` of the `.bsp`.
        map_version: I32 => i32,
        /// How many nodes it claims.
        nodes: I32 => i32,
    }
    /// What `.ain` files of 57 begin with. 16 bytes. Section 3.
    pub RespawnHeader[16] {
        /// 57.
        version: I32 => i32,
        /// 30 in every public file.
        map_version: I32 => i32,
        /// 0 in files of Titanfall 2, set in those of Apex Legends.
        checksum: U32 => u32,
        /// How many nodes it claims.
        nodes: I32 => i32,
    }
    /// The part of a node of 37 and 41 that comes before the heights of its hulls. 16 bytes.
    pub(super) NodeFront[16] { origin: Vector => [f32; 3], yaw: F32 => f32 }
    /// What comes after them in version 37. 5 bytes.
    pub(super) NodeEnd37[5] { pub(super) kind: u8, pub(super) info: U16, pub(super) zone: I16 }
    /// What comes after them in version 41. 7 bytes.
    pub(super) NodeEnd41[7] { pub(super) kind: u8, pub(super) info: U32, pub(super) zone: I16 }
    /// The nodes that a link of 37 and 41 joins. 4 bytes; the moves follow.
    pub(super) LinkEnds[4] { pub(super) source: I16, pub(super) target: I16 }
}

record! {
    /// A node of version 57. 68 bytes. `docs/formats/nodegraph.md`, section 3.
    pub RespawnNode[68] {
        /// Where it is.
        origin: Vector => [f32; 3],
        /// Which way it looks, degrees.
        yaw: F32 => f32,
        /// How far above the node each of the five hulls stands.
        offsets: [F32; 5] => &[F32; 5],
        /// Ground or air.
        kind: u8 as NodeKind,
        /// Bits whose names are not known.
        info: U32 => u32,
        /// The zone for each hull: 3 in every public file.
        zones: [I16; 5] => [i16; 5],
        /// Five bytes of up to 10, most likely how much room there is.
        clearance: [u8; 5] => [u8; 5],
        /// The cluster that it belongs to; -1 for none.
        cluster: I16 => i16,
        unknown_0x3a: I16,
        unknown_0x3c: [u8; 8],
    }
    /// A link of version 57. 10 bytes.
    pub RespawnLink[10]: Serialize {
        /// One end, as stored.
        source: I16 => i16,
        /// The other end, as stored.
        target: I16 => i16,
        /// 0 in every public file.
        unknown_0x04: u8 => u8,
        /// How each of the five hulls passes it.
        moves: [u8; 5] => &[u8; 5],
    }
    /// A traverse node of version 57: a rotation and a number. 20 bytes. No public file has one.
    pub TraverseNode[20]: Serialize {
        /// A quaternion.
        rotation: [F32; 4] => [f32; 4],
        /// A number.
        index: I32 => i32,
    }
    /// A link between clusters of version 57. 11 bytes.
    pub ClusterLink[11]: Serialize {
        /// One cluster, as stored.
        source: I16 => i16,
        /// The other cluster, as stored.
        target: I16 => i16,
        /// The distance of their centres.
        distance: F32 => f32,
        /// Bits whose names are not known.
        flags: u8 => u8,
        /// 1 and 1 in every public file.
        unknown_0x09: [u8; 2] => [u8; 2],
    }
    /// A script node of version 57: a place without links. 20 bytes.
    pub ScriptNode[20]: Serialize {
        /// Where it is.
        origin: Vector => [f32; 3],
        /// 64 bits whose meaning is not known, low word first.
        bits: [U32; 2] => [u32; 2],
    }
}

impl RespawnNode {
    /// Ten bytes without a known meaning: -1 and zeros in every public file.
    pub fn unknown(&self) -> (i16, [u8; 8]) {
        (self.unknown_0x3a.get(), self.unknown_0x3c)
    }
}

record! {
    /// What a node ends with.
    pub(super) NodHint[8] { pub(super) hint: I16, pub(super) activity: I16, pub(super) yaw: F32 }
    pub(super) NodFront[32] { origin: Vector, peek: Vector, region: [u8; 4], kind: U32 }
    pub(super) NodBack[56] {
        links: I32, first: I32, next_best: [[I32; 2]; 4], closest: F32, previous: I32, hint: NodHint,
    }
    /// A node of `.nod` 16 and 17. 88 bytes. `docs/formats/nodegraph.md`, section 4.
    pub(super) NodNode16[88] { pub(super) front: NodFront, pub(super) back: NodBack }
    /// A node of `.nod` 23. 96 bytes.
    pub(super) NodNode23[96] { pub(super) front: NodFront, pub(super) unknown: [I32; 2], pub(super) back: NodBack }
    pub(super) NodEnds[12] { source: I32, target: I32, entity: U32 }
    pub(super) NodWay[12] { model: [u8; 4], flags: U32, weight: F32 }
    /// A link of `.nod` 16 and 17. 24 bytes.
    pub(super) NodLink16[24] { pub(super) ends: NodEnds, pub(super) way: NodWay }
    /// A link of `.nod` 23. 28 bytes.
    pub(super) NodLink23[28] { pub(super) ends: NodEnds, pub(super) serial: I32, pub(super) way: NodWay }
    /// A row of the sort table of a `.nod` file: three permutations of the nodes, side by side, and a leftover. 16 bytes.
    pub SortRow[16] {
        /// The nodes at this place of the three orders.
        order: [I32; 3] => [i32; 3],
        /// What the memory held.
        leftover: I32 => i32,
    }
}

/// A node of a `.nod` file, whichever the version. Borrowed from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodNode<'a> {
    pub(super) front: &'a NodFront,
    pub(super) unknown: Option<&'a [I32; 2]>,
    pub(super) back: &'a NodBack,
}

impl NodNode<'_> {
    /// Where it is: on the floor, for a node on land.
    pub fn origin(&self) -> [f32; 3] {
        self.front.origin.to_array()
    }
    /// From where it sees: 8 units above the origin on land, 32 in version 23.
    pub fn peek(&self) -> [f32; 3] {
        self.front.peek.to_array()
    }
    /// The cell of a grid of 256 that it lies in, along x, y and z.
    pub fn region(&self) -> [u8; 3] {
        let [x, y, z, _] = self.front.region;
        [x, y, z]
    }
    /// Land, air or water.
    pub fn kind(&self) -> NodeType {
        NodeType(self.front.kind.get())
    }
    /// Two numbers that version 23 stores: 0 and 0.
    pub fn unknown_0x20(&self) -> Option<[i32; 2]> {
        self.unknown.map(Stored::value)
    }
    /// How many links leave it, as stored.
    pub fn link_count(&self) -> i32 {
        self.back.links.get()
    }
    /// The first of them, as stored.
    pub fn first_link(&self) -> i32 {
        self.back.first.get()
    }
    /// Where its row of the route table begins, for a hull and for those who cannot and can open doors.
    pub fn next_best(&self) -> [[i32; 2]; 4] {
        let [a, b, c, d] = &self.back.next_best;
        [a.value(), b.value(), c.value(), d.value()]
    }
    /// What a search has left: a distance, and a node.
    pub fn leftovers(&self) -> (f32, i32) {
        (self.back.closest.get(), self.back.previous.get())
    }
    /// What is worth doing here.
    pub fn hint(&self) -> Hint {
        Hint(self.back.hint.hint.get())
    }
    /// The animation that goes with the hint.
    pub fn activity(&self) -> i16 {
        self.back.hint.activity.get()
    }
    /// Which way the hint looks, degrees.
    pub fn yaw(&self) -> f32 {
        self.back.hint.yaw.get()
    }
}

/// A link of a `.nod` file, whichever the version: one way. Borrowed from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodLink<'a> {
    pub(super) ends: &'a NodEnds,
    pub(super) serial: Option<&'a I32>,
    pub(super) way: &'a NodWay,
}

impl<'a> NodLink<'a> {
    /// The node that it leaves, as stored.
    pub fn source(&self) -> i32 {
        self.ends.source.get()
    }
    /// The node that it reaches, as stored.
    pub fn target(&self) -> i32 {
        self.ends.target.get()
    }
    /// A stale pointer; not 0 if something of the map (a door) is in the way.
    pub fn entity(&self) -> u32 {
        self.ends.entity.get()
    }
    /// Whether something of the map (a door) is in the way.
    pub fn is_blocked(&self) -> bool {
        self.entity() != 0
    }
    /// The number of that thing in version 23.
    pub fn serial(&self) -> Option<i32> {
        self.serial.map(|serial| serial.get())
    }
    /// The model of that thing: `*84`. Four bytes, the last of which need not be a zero.
    pub fn model(&self) -> &'a [u8] {
        self.way.model.split(|byte| *byte == 0).next().unwrap_or_default()
    }
    /// The hulls that fit through.
    pub fn flags(&self) -> LinkFlags {
        LinkFlags(self.way.flags.get())
    }
    /// What the game's search takes it for: the horizontal length in 16 and 17, the length in 23.
    pub fn weight(&self) -> f32 {
        self.way.weight.get()
    }
}

/// The moves of a link for one hull. 0 if there is no such hull.
pub(super) fn moves_of(moves: &[u8], hull: usize) -> Moves {
    Moves(moves.get(hull).copied().unwrap_or(0))
}
