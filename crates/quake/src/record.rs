//! Records of fixed size, as they lie in the file: little endian, no alignment, no padding.
//!
//! Every 16-bit field is unsigned (`docs/formats/quake.md`, section 3); edict keys are signed. All lengths are Quake units, z up.

use super::flags::{EntityId, Handle, ModelIndex};
pub use navmap_core::format::Vector;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{I32, U16, U32};

record! {
    /// The part of the header that all versions have: 20 bytes. `docs/formats/quake.md`, section 1.1.
    pub Header[20] {
        /// `NAV2` or `NAV3`.
        magic: [u8; 4] => [u8; 4],
        /// Version of the format.
        version: U32 => u32,
        /// How many nodes it claims.
        nodes: U32 => u32,
        /// How many links it claims.
        links: U32 => u32,
        /// How many traversals it claims.
        traversals: U32 => u32,
    }
}

impl Header {
    /// A header.
    pub fn new(magic: [u8; 4], version: u32, nodes: u32, links: u32, traversals: u32) -> Self {
        Self {
            magic,
            version: version.into(),
            nodes: nodes.into(),
            links: links.into(),
            traversals: traversals.into(),
        }
    }
}

record! {
    /// A waypoint: flags, radius and the range of its outgoing links. 8 bytes; the place is the [`Vector`] of the same
    /// index among the origins. `docs/formats/quake.md`, section 1.4.
    pub Node[8] {
        /// Flags as stored; [`NodeFlags`](super::NodeFlags) names them, by magic.
        flags: U16 => u16,
        /// Number of outgoing links. The game sets no cap: one real node has 13.
        link_count: U16 => u16,
        /// Index of the first outgoing link. If the last node has none, this is the number of all links.
        first_link: U16 => u16,
        /// Radius, units. Largest seen: 332.
        radius: U16 => u16,
    }
}

impl Node {
    /// A node.
    pub fn new(flags: u16, first_link: u16, link_count: u16, radius: u16) -> Self {
        Self {
            flags: flags.into(),
            link_count: link_count.into(),
            first_link: first_link.into(),
            radius: radius.into(),
        }
    }
    /// Index after the last outgoing link.
    #[inline]
    pub fn end_link(&self) -> u32 {
        u32::from(self.first_link()).saturating_add(self.link_count().into())
    }
}

/// The bits of coordinates, equal if the coordinates are: -0 becomes 0.
pub(super) fn place_key(origin: [f32; 3]) -> [u32; 3] {
    origin.map(|c| if c == 0.0 { 0 } else { c.to_bits() })
}

record! {
    /// A directed link. Its source is the node whose range holds it. 6 bytes. `docs/formats/quake.md`, section 1.4.
    pub Link[6] {
        /// Index of the target node.
        target: U16 => u16,
        /// Type as stored: the byte at offset 2 and nothing of the next one. [`LinkType`](super::LinkType) names it, by
        /// magic.
        kind: u8 => u8,
        /// The byte at offset 3 as stored: 0 up to NAV2 17, a team mask in NAV2 18, flags in NAV3.
        /// [`Version::link_flags`](super::Version::link_flags) tells what it means.
        flags: u8 => u8,
        traversal: U16,
    }
}

impl Link {
    /// The stored index of a link without a traversal.
    pub const NO_TRAVERSAL: u16 = 0xFFFF;

    /// A link.
    pub fn new(target: u16, kind: u8, flags: u8, traversal: Option<u16>) -> Self {
        let traversal = traversal.unwrap_or(Self::NO_TRAVERSAL).into();
        Self { target: target.into(), kind, flags, traversal }
    }
    /// Index of the traversal; `None` if the file has `0xFFFF`.
    #[inline]
    pub fn traversal(&self) -> Option<u16> {
        Some(self.traversal.get()).filter(|&index| index != Self::NO_TRAVERSAL)
    }
}

record! {
    /// How a bot moves along a link that is no plain walk. 36 bytes, in all of NAV2 and in NAV3 before version 4.
    pub Traversal[36] {
        /// The funnel as stored, in whichever way it spells 'none'.
        funnel as stored_funnel: Vector => [f32; 3],
        /// Take-off point.
        start: Vector => [f32; 3],
        /// Landing point.
        end: Vector => [f32; 3],
    }
}

impl Traversal {
    /// A traversal. A funnel of `None` is written as NAV2 writes it: all zero.
    pub fn new(funnel: Option<[f32; 3]>, start: [f32; 3], end: [f32; 3]) -> Self {
        Self { funnel: funnel.unwrap_or_default().into(), start: start.into(), end: end.into() }
    }
    /// Where the bot leaves the source node, on its radius. `None` if it is unset: all zero (NAV2, older NAV3) or all
    /// `1e30` (NAV3).
    #[inline]
    pub fn funnel(&self) -> Option<[f32; 3]> {
        Some(self.stored_funnel()).filter(|funnel| *funnel != [0.0; 3] && *funnel != [1e30; 3])
    }
    /// Whether all nine floats are finite (`1e30` is).
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.funnel.is_finite() & self.start.is_finite() & self.end.is_finite()
    }
}

record! {
    /// A traversal with the plane of its ladder: 48 bytes, NAV3 from version 4 on.
    pub LadderTraversal[48] {
        /// The part that every version has.
        traversal: Traversal => &Traversal,
        /// Unit normal of the ladder's face; all zero unless the link is a ladder (264 of 264 real ones).
        plane: Vector => [f32; 3],
    }
}

impl LadderTraversal {
    /// A traversal and the plane of its ladder, which is zero if the link is no ladder.
    pub fn new(traversal: Traversal, plane: [f32; 3]) -> Self {
        Self { traversal, plane: plane.into() }
    }
    /// Whether all twelve floats are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.traversal.is_finite() & self.plane.is_finite()
    }
}

record! {
    /// The box of an entity: 24 bytes.
    pub Bounds[24] {
        /// Lower corner.
        mins: Vector => [f32; 3],
        /// Upper corner.
        maxs: Vector => [f32; 3],
    }
}

impl Bounds {
    /// A box.
    pub fn new(mins: [f32; 3], maxs: [f32; 3]) -> Self {
        Self { mins: mins.into(), maxs: maxs.into() }
    }
    /// Whether all six floats are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.mins.is_finite() & self.maxs.is_finite()
    }
}

record! {
    /// A link bound to a box and nothing else: 26 bytes. NAV2 12, NAV3 1.
    pub BareEdict[26] {
        /// Index of the link that is bound.
        link: U16 => u16,
        /// The entity's box.
        bounds: Bounds => &Bounds,
    }
}

record! {
    /// A link bound to an entity by two handles: 34 bytes. NAV2 13 and 14.
    pub HandleEdict[34] {
        /// Index of the link that is bound.
        link: U16 => u16,
        /// The entity's box.
        bounds: Bounds => &Bounds,
        /// Handle of the entity's targetname.
        targetname: I32 as Handle,
        /// Handle of the entity's classname.
        classname: I32 as Handle,
    }
}

record! {
    /// A link bound to an entity by its id: 30 bytes. NAV2 15 to 18.
    pub EntityEdict[30] {
        /// Index of the link that is bound.
        link: U16 => u16,
        /// The entity's box.
        bounds: Bounds => &Bounds,
        /// Which entity of the map.
        entity: I32 as EntityId,
    }
}

record! {
    /// A link bound to an entity by its brush model: 30 bytes, the number **before** the box. NAV3 2 to 6.
    pub ModelEdict[30] {
        /// Index of the link that is bound.
        link: U16 => u16,
        /// Which brush model of the map.
        model: I32 as ModelIndex,
        /// The entity's box.
        bounds: Bounds => &Bounds,
    }
}

impl BareEdict {
    /// An edict.
    pub fn new(link: u16, bounds: Bounds) -> Self {
        Self { link: link.into(), bounds }
    }
}

impl HandleEdict {
    /// An edict.
    pub fn new(link: u16, bounds: Bounds, targetname: Handle, classname: Handle) -> Self {
        Self { link: link.into(), bounds, targetname: targetname.0.into(), classname: classname.0.into() }
    }
}

impl EntityEdict {
    /// An edict.
    pub fn new(link: u16, bounds: Bounds, entity: EntityId) -> Self {
        Self { link: link.into(), bounds, entity: entity.0.into() }
    }
}

impl ModelEdict {
    /// An edict.
    pub fn new(link: u16, bounds: Bounds, model: ModelIndex) -> Self {
        Self { link: link.into(), bounds, model: model.0.into() }
    }
}
