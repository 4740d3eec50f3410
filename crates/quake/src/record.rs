//! Records of fixed size, as they lie in the file: little endian, no alignment, no padding.
//!
//! Every 16-bit field is unsigned (`docs/formats/quake.md`, section 3); edict keys are signed. All lengths are Quake units, z up.

use super::flags::{EntityId, Handle, ModelIndex};
pub use navmap_core::format::Vector;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{I32, U16, U32};

record! {
    /// The part of the header that all versions have: 20 bytes. `docs/formats/quake.md`, section 1.1.
    pub Header[20] { magic: [u8; 4], version: U32, nodes: U32, links: U32, traversals: U32 }
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
    /// `NAV2` or `NAV3`.
    pub fn magic(&self) -> [u8; 4] {
        self.magic
    }
    /// Version of the format.
    pub fn version(&self) -> u32 {
        self.version.get()
    }
    /// How many nodes it claims.
    pub fn nodes(&self) -> u32 {
        self.nodes.get()
    }
    /// How many links it claims.
    pub fn links(&self) -> u32 {
        self.links.get()
    }
    /// How many traversals it claims.
    pub fn traversals(&self) -> u32 {
        self.traversals.get()
    }
}

record! {
    /// A waypoint: flags, radius and the range of its outgoing links. 8 bytes; the place is the [`Vector`] of the same
    /// index among the origins. `docs/formats/quake.md`, section 1.4.
    pub Node[8] { flags: U16, link_count: U16, first_link: U16, radius: U16 }
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
    /// Flags as stored; [`NodeFlags`](super::NodeFlags) names them, by magic.
    #[inline]
    pub fn flags(&self) -> u16 {
        self.flags.get()
    }
    /// Number of outgoing links. The game sets no cap: one real node has 13.
    #[inline]
    pub fn link_count(&self) -> u16 {
        self.link_count.get()
    }
    /// Index of the first outgoing link. If the last node has none, this is the number of all links.
    #[inline]
    pub fn first_link(&self) -> u16 {
        self.first_link.get()
    }
    /// Index after the last outgoing link.
    #[inline]
    pub fn end_link(&self) -> u32 {
        u32::from(self.first_link()).saturating_add(self.link_count().into())
    }
    /// Radius, units. Largest seen: 332.
    #[inline]
    pub fn radius(&self) -> u16 {
        self.radius.get()
    }
}

/// The bits of coordinates, equal if the coordinates are: -0 becomes 0.
pub(super) fn place_key(origin: [f32; 3]) -> [u32; 3] {
    origin.map(|c| if c == 0.0 { 0 } else { c.to_bits() })
}

record! {
    /// A directed link. Its source is the node whose range holds it. 6 bytes. `docs/formats/quake.md`, section 1.4.
    pub Link[6] { target: U16, kind: u8, flags: u8, traversal: U16 }
}

impl Link {
    /// The stored index of a link without a traversal.
    pub const NO_TRAVERSAL: u16 = 0xFFFF;

    /// A link.
    pub fn new(target: u16, kind: u8, flags: u8, traversal: Option<u16>) -> Self {
        let traversal = traversal.unwrap_or(Self::NO_TRAVERSAL).into();
        Self { target: target.into(), kind, flags, traversal }
    }
    /// Index of the target node.
    #[inline]
    pub fn target(&self) -> u16 {
        self.target.get()
    }
    /// Type as stored: the byte at offset 2 and nothing of the next one. [`LinkType`](super::LinkType) names it, by magic.
    #[inline]
    pub fn kind(&self) -> u8 {
        self.kind
    }
    /// The byte at offset 3 as stored: 0 up to NAV2 17, a team mask in NAV2 18, flags in NAV3.
    /// [`Version::link_flags`](super::Version::link_flags) tells what it means.
    #[inline]
    pub fn flags(&self) -> u8 {
        self.flags
    }
    /// Index of the traversal; `None` if the file has `0xFFFF`.
    #[inline]
    pub fn traversal(&self) -> Option<u16> {
        Some(self.traversal.get()).filter(|&index| index != Self::NO_TRAVERSAL)
    }
}

record! {
    /// How a bot moves along a link that is no plain walk. 36 bytes, in all of NAV2 and in NAV3 before version 4.
    pub Traversal[36] { funnel: Vector, start: Vector, end: Vector }
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
    /// The funnel as stored, in whichever way it spells 'none'.
    #[inline]
    pub fn stored_funnel(&self) -> [f32; 3] {
        self.funnel.to_array()
    }
    /// Take-off point.
    #[inline]
    pub fn start(&self) -> [f32; 3] {
        self.start.to_array()
    }
    /// Landing point.
    #[inline]
    pub fn end(&self) -> [f32; 3] {
        self.end.to_array()
    }
    /// Whether all nine floats are finite (`1e30` is).
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.funnel.is_finite() & self.start.is_finite() & self.end.is_finite()
    }
}

record! {
    /// A traversal with the plane of its ladder: 48 bytes, NAV3 from version 4 on.
    pub LadderTraversal[48] { traversal: Traversal, plane: Vector }
}

impl LadderTraversal {
    /// A traversal and the plane of its ladder, which is zero if the link is no ladder.
    pub fn new(traversal: Traversal, plane: [f32; 3]) -> Self {
        Self { traversal, plane: plane.into() }
    }
    /// The part that every version has.
    #[inline]
    pub fn traversal(&self) -> &Traversal {
        &self.traversal
    }
    /// Unit normal of the ladder's face; all zero unless the link is a ladder (264 of 264 real ones).
    #[inline]
    pub fn plane(&self) -> [f32; 3] {
        self.plane.to_array()
    }
    /// Whether all twelve floats are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.traversal.is_finite() & self.plane.is_finite()
    }
}

record! {
    /// The box of an entity: 24 bytes.
    pub Bounds[24] { mins: Vector, maxs: Vector }
}

impl Bounds {
    /// A box.
    pub fn new(mins: [f32; 3], maxs: [f32; 3]) -> Self {
        Self { mins: mins.into(), maxs: maxs.into() }
    }
    /// Lower corner.
    #[inline]
    pub fn mins(&self) -> [f32; 3] {
        self.mins.to_array()
    }
    /// Upper corner.
    #[inline]
    pub fn maxs(&self) -> [f32; 3] {
        self.maxs.to_array()
    }
    /// Whether all six floats are finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.mins.is_finite() & self.maxs.is_finite()
    }
}

record! {
    /// A link bound to a box and nothing else: 26 bytes. NAV2 12, NAV3 1.
    pub BareEdict[26] { link: U16, bounds: Bounds }
}

record! {
    /// A link bound to an entity by two handles: 34 bytes. NAV2 13 and 14.
    pub HandleEdict[34] { link: U16, bounds: Bounds, targetname: I32, classname: I32 }
}

record! {
    /// A link bound to an entity by its id: 30 bytes. NAV2 15 to 18.
    pub EntityEdict[30] { link: U16, bounds: Bounds, entity: I32 }
}

record! {
    /// A link bound to an entity by its brush model: 30 bytes, the number **before** the box. NAV3 2 to 6.
    pub ModelEdict[30] { link: U16, model: I32, bounds: Bounds }
}

macro_rules! edict {
    ($type:ident) => {
        impl $type {
            /// Index of the link that is bound.
            #[inline]
            pub fn link(&self) -> u16 {
                self.link.get()
            }
            /// The entity's box.
            #[inline]
            pub fn bounds(&self) -> &Bounds {
                &self.bounds
            }
        }
    };
}
edict!(BareEdict);
edict!(HandleEdict);
edict!(EntityEdict);
edict!(ModelEdict);

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
    /// Handle of the entity's targetname.
    #[inline]
    pub fn targetname(&self) -> Handle {
        Handle(self.targetname.get())
    }
    /// Handle of the entity's classname.
    #[inline]
    pub fn classname(&self) -> Handle {
        Handle(self.classname.get())
    }
}

impl EntityEdict {
    /// An edict.
    pub fn new(link: u16, bounds: Bounds, entity: EntityId) -> Self {
        Self { link: link.into(), bounds, entity: entity.0.into() }
    }
    /// Which entity of the map.
    #[inline]
    pub fn entity(&self) -> EntityId {
        EntityId(self.entity.get())
    }
}

impl ModelEdict {
    /// An edict.
    pub fn new(link: u16, bounds: Bounds, model: ModelIndex) -> Self {
        Self { link: link.into(), bounds, model: model.0.into() }
    }
    /// Which brush model of the map.
    #[inline]
    pub fn model(&self) -> ModelIndex {
        ModelIndex(self.model.get())
    }
}
