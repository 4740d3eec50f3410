//! Records of fixed size, as they lie in the file: little endian, no padding. Lengths are GoldSrc units, z up.

use super::flags::{GraphOptions, LinkFlags, NodeFlags};
use navmap_core::format::Store;
use navmap_core::record;
use zerocopy::byteorder::little_endian::{F32, I16, I32, U16, U32};

/// The games whose bots read these files.
pub(super) const GAME: &str = "Counter-Strike 1.6";

record! {
    /// What a `.graph` file begins with: 24 bytes. `docs/formats/yapb.md`, section 1.
    pub Header[24] {
        /// `BPAY`, or `UBOT` of a fork.
        magic: [u8; 4] => [u8; 4],
        /// 1 or 2.
        version: I32 => i32,
        /// What the file holds and how it was made.
        options: U32 as GraphOptions,
        /// How many nodes it claims.
        nodes: I32 => i32,
        /// How many packed bytes follow.
        packed: I32 => i32,
        /// How many bytes they unpack to: 220 a node.
        unpacked: I32 => i32,
    }
}

impl Header {
    pub(super) fn new(magic: [u8; 4], version: i32, options: GraphOptions, sizes: [i32; 3]) -> Self {
        let [nodes, packed, unpacked] = sizes.store();
        Self { magic, version: version.into(), options: options.0.into(), nodes, packed, unpacked }
    }
}

record! {
    /// One of the eight slots for links that every node has. 20 bytes. `docs/formats/yapb.md`, section 3.
    ///
    /// A slot may be free, also between used ones. What a free slot holds besides means nothing.
    pub Link[20] {
        /// Velocity at take-off, units a second; zero unless the link is a jump.
        velocity: [F32; 3] => [f32; 3],
        /// Length of the way as it was when the link was made, units. The bot searches with it. In 8 % of real links a
        /// node has been moved since.
        distance: I32 => i32,
        /// How one passes it.
        flags: U16 as LinkFlags,
        /// Index of the node it leads to as stored; -1 in a free slot.
        target: I16 => i16,
    }
}

impl Link {
    /// A free slot.
    pub const FREE: Self = Self {
        velocity: [F32::ZERO; 3],
        distance: I32::ZERO,
        flags: U16::ZERO,
        target: I16::from_bytes([0xFF; 2]),
    };

    /// A link.
    pub fn new(target: i16, flags: LinkFlags, distance: i32, velocity: [f32; 3]) -> Self {
        let velocity = velocity.store();
        Self { velocity, distance: distance.into(), flags: flags.0.into(), target: target.into() }
    }
    /// Whether the slot is used.
    #[inline]
    pub fn is_used(&self) -> bool {
        self.target.get() != -1
    }
    /// Whether one has to jump.
    #[inline]
    pub fn is_jump(&self) -> bool {
        self.flags().contains(LinkFlags::JUMP)
    }
}

record! {
    /// A waypoint. 220 bytes. `docs/formats/yapb.md`, section 3.
    ///
    /// The waypoints of POD-Bot hold less; they become this record with what they lack set to nothing.
    pub Node[220] {
        /// Its own number, which is its index in every real file.
        number: I32 => i32,
        /// What the node is for.
        flags: U32 as NodeFlags,
        /// Where a player's origin is who stands here: about 36 units above the floor, 18 crouched.
        origin: [F32; 3] => [f32; 3],
        /// Where a camping bot looks first: pitch, yaw and 0, in degrees. Only nodes with [`NodeFlags::CAMP`] mean it;
        /// others hold what was there before.
        camp_start: [F32; 3] => [f32; 3],
        /// Where a camping bot looks last. Old files hold points of the map in both.
        camp_end: [F32; 3] => [f32; 3],
        /// How far from the origin is close enough, units, as stored: 0 in a third of real nodes, else 16 to 128.
        radius as stored_radius: F32 => f32,
        light: F32,
        /// A time of the editor's. 0 in every real file.
        display_time: F32 => f32,
        /// The eight slots for links, used and free.
        links as slots: [Link; 8] => &[Link; 8],
        /// How many nodes can be seen from here, standing and crouching. Not to be trusted: in 434,210 of 2.9 million
        /// real nodes it is more than there are (half of an old pointer).
        seen: [U16; 2] => [u16; 2],
    }
}

impl Node {
    /// The light of a node where nobody has measured it.
    pub const UNLIT: f32 = 9_999_999.0;

    /// The largest radius that is taken for one. Real ones are 128 at most, and the damaged ones far beyond.
    pub const WIDEST: f32 = 1_024.0;

    /// A node without links, of radius 0, whose light was not measured.
    pub fn new(number: i32, flags: NodeFlags, origin: [f32; 3]) -> Self {
        Self {
            number: number.into(),
            flags: flags.0.into(),
            origin: origin.store(),
            light: Self::UNLIT.into(),
            links: [Link::FREE; 8],
            ..Self::default()
        }
    }
    /// The radius; `None` where it is negative, no number, or beyond [`WIDEST`](Self::WIDEST), as in 96 real files.
    #[inline]
    pub fn radius(&self) -> Option<f32> {
        Some(self.radius.get()).filter(|radius| (0.0..=Self::WIDEST).contains(radius))
    }
    /// Brightness, 0 to 255; `None` where nobody has measured it.
    #[inline]
    pub fn light(&self) -> Option<f32> {
        #[allow(clippy::float_cmp)] // the mark is exact
        Some(self.light.get()).filter(|light| *light != Self::UNLIT)
    }
    /// The links: the slots that are used, and their numbers.
    #[inline]
    pub fn links(&self) -> impl Iterator<Item = (usize, &Link)> + Clone {
        self.links.iter().enumerate().filter(|(_, link)| link.is_used())
    }
}

impl Node {
    /// Changes its number.
    pub fn set_number(&mut self, number: i32) {
        self.number = number.into();
    }
    /// Changes what it is for.
    pub fn set_flags(&mut self, flags: NodeFlags) {
        self.flags = flags.0.into();
    }
    /// Moves it.
    pub fn set_origin(&mut self, origin: [f32; 3]) {
        self.origin = origin.store();
    }
    /// Changes where a camping bot looks.
    pub fn set_camp(&mut self, start: [f32; 3], end: [f32; 3]) {
        (self.camp_start, self.camp_end) = (start.store(), end.store());
    }
    /// Changes how far from it is close enough.
    pub fn set_radius(&mut self, radius: f32) {
        self.radius = radius.into();
    }
    /// Changes its light; `None` for not measured.
    pub fn set_light(&mut self, light: Option<f32>) {
        self.light = light.unwrap_or(Self::UNLIT).into();
    }
    /// The slots for links, to change.
    pub fn slots_mut(&mut self) -> &mut [Link; 8] {
        &mut self.links
    }
    /// Changes how many nodes can be seen.
    pub fn set_seen(&mut self, seen: [u16; 2]) {
        self.seen = seen.store();
    }
    pub(super) fn forget_display_time(&mut self) {
        self.display_time = F32::ZERO;
    }
}

record! {
    /// What a `.pwf` file begins with: 80 bytes. `docs/formats/yapb.md`, section 5.
    pub PwfHeader[80] {
        magic: [u8; 8],
        /// 5, 6 or 7.
        version: I32 => i32,
        /// How many nodes it claims.
        nodes: I32 => i32,
        /// The map's name and what follows its zero, as stored. POD-Bot refuses a file that names another map.
        map: [u8; 32] => &[u8; 32],
        /// The author's name and what follows its zero, as stored.
        author: [u8; 32] => &[u8; 32],
    }
}

impl PwfHeader {
    /// `PODWAY!` and a zero.
    pub const MAGIC: [u8; 8] = *b"PODWAY!\0";

    pub(super) fn new(version: i32, nodes: i32, map: [u8; 32], author: [u8; 32]) -> Self {
        Self { magic: Self::MAGIC, version: version.into(), nodes: nodes.into(), map, author }
    }
}

record! {
    /// What the waypoints of all versions of `.pwf` begin with. 40 bytes.
    pub(super) Common[40] {
        number: I32, flags: U32, origin: [F32; 3], radius: F32, camp_start: [F32; 2], camp_end: [F32; 2],
    }
    /// A waypoint of version 7. 204 bytes.
    pub PwfNode7[204] {
        common: Common, targets: [I16; 8], link_flags: [U16; 8], velocities: [[F32; 3]; 8], distances: [I32; 8], seen: [U16; 2],
    }
    /// A waypoint of version 6. 92 bytes.
    pub PwfNode6[92] { common: Common, targets: [I16; 8], distances: [I32; 8], seen: [U16; 2] }
    /// A waypoint of version 5, which has four links. 68 bytes.
    pub PwfNode5[68] { common: Common, targets: [I16; 4], distances: [I32; 4], seen: [U16; 2] }
}

impl Common {
    fn node(&self) -> Node {
        let wide = |[x, y]: [F32; 2]| [x, y, F32::ZERO];
        Node {
            number: self.number,
            flags: self.flags,
            origin: self.origin,
            camp_start: wide(self.camp_start),
            camp_end: wide(self.camp_end),
            radius: self.radius,
            ..Node::new(0, NodeFlags::default(), [0.0; 3])
        }
    }

    fn from_node(node: &Node) -> Self {
        let flat = |[x, y, _]: [F32; 3]| [x, y];
        Self {
            number: node.number,
            flags: node.flags,
            origin: node.origin,
            radius: node.radius,
            camp_start: flat(node.camp_start),
            camp_end: flat(node.camp_end),
        }
    }
}

/// Between a waypoint of POD-Bot and the larger record of YaPB.
pub trait Waypoint {
    /// The same waypoint; what it lacks is nothing: camp heights 0, light not measured.
    fn node(&self) -> Node;
}

impl Waypoint for PwfNode7 {
    fn node(&self) -> Node {
        let mut node = Node { seen: self.seen, ..self.common.node() };
        let parts =
            self.targets.iter().zip(&self.link_flags).zip(self.velocities.iter().zip(&self.distances));
        for (slot, ((target, flags), (velocity, distance))) in node.links.iter_mut().zip(parts) {
            *slot = Link { velocity: *velocity, distance: *distance, flags: *flags, target: *target };
        }
        node
    }
}

impl Waypoint for PwfNode6 {
    fn node(&self) -> Node {
        let mut node = Node { seen: self.seen, ..self.common.node() };
        bare(&mut node, &self.targets, &self.distances);
        node
    }
}

impl Waypoint for PwfNode5 {
    fn node(&self) -> Node {
        let mut node = Node { seen: self.seen, ..self.common.node() };
        bare(&mut node, &self.targets, &self.distances);
        node
    }
}

/// Links that are a target and a distance.
fn bare(node: &mut Node, targets: &[I16], distances: &[I32]) {
    for (slot, (target, distance)) in node.links.iter_mut().zip(targets.iter().zip(distances)) {
        *slot = Link { distance: *distance, target: *target, ..Link::FREE };
    }
}

impl PwfNode7 {
    /// The same waypoint as version 7 holds it: without light, and without the heights of camp directions.
    pub fn from_node(node: &Node) -> Self {
        Self {
            common: Common::from_node(node),
            targets: node.links.map(|link| link.target),
            link_flags: node.links.map(|link| link.flags),
            velocities: node.links.map(|link| link.velocity),
            distances: node.links.map(|link| link.distance),
            seen: node.seen,
        }
    }
}

impl PwfNode6 {
    /// The same waypoint as version 6 holds it: without light, flags and velocities of links.
    pub fn from_node(node: &Node) -> Self {
        let (targets, distances) = (node.links.map(|l| l.target), node.links.map(|l| l.distance));
        Self { common: Common::from_node(node), targets, distances, seen: node.seen }
    }
}

impl PwfNode5 {
    /// The same waypoint as version 5 holds it: as version 6, and with the first four slots alone.
    pub fn from_node(node: &Node) -> Self {
        let [a, b, c, d, ..] = node.links;
        let four = [a, b, c, d];
        let (targets, distances) = (four.map(|l| l.target), four.map(|l| l.distance));
        Self { common: Common::from_node(node), targets, distances, seen: node.seen }
    }
}
