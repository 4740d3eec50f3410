//! The parts of a graph: nodes, links and marks.

use super::geom::{self, Point};
use std::fmt;

/// A place to stand: a polygon or a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node<'a> {
    /// Position in the graph, from 0 without a gap. Links refer to nodes by it.
    pub index: u32,
    /// The file's own name: an area id, a node index, or a record number combined with the index inside the record.
    pub id: u64,
    /// Its shape. Coordinates may be anything a file can hold, including NaN.
    pub shape: Shape<'a>,
    /// Its place, for [`NavGraph::place`](super::NavGraph::place).
    pub place: Option<u32>,
    /// Its group, for [`NavGraph::group`](super::NavGraph::group).
    pub group: Option<u32>,
    /// Flags as stored. [`NavGraph::flag`](super::NavGraph::flag) names the bits. A second word of flags (the game's own
    /// attributes) is the high half.
    pub flags: u64,
}

/// Where a node is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape<'a> {
    /// A walkable polygon, with its corners in order. It is seldom flat and seldom has more than four corners.
    Polygon(&'a [Point]),
    /// A waypoint.
    Point {
        /// Where it stands.
        at: Point,
        /// The radius in which one may walk around it, in units, if the format has it.
        radius: Option<f32>,
    },
}

impl Shape<'_> {
    /// A shape without corners, for a visitor that does not want them.
    pub const NONE: Self = Self::Polygon(&[]);

    /// The corners, or the single point.
    #[inline]
    pub fn corners(&self) -> &[Point] {
        match self {
            Self::Polygon(corners) => corners,
            Self::Point { at, .. } => std::slice::from_ref(at),
        }
    }

    /// The mean of the corners, or the point.
    #[inline]
    pub fn center(&self) -> Option<Point> {
        geom::mean(self.corners())
    }

    /// Area of a polygon in space, in square units; `None` for a point.
    pub fn area(&self) -> Option<f64> {
        match self {
            Self::Polygon(corners) => Some(geom::area(corners)),
            Self::Point { .. } => None,
        }
    }
}

/// A directed link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The node it leaves.
    pub from: u32,
    /// The target node. `None` if it is not loaded (it is in another tile, in another plugin, behind a door) or does not exist.
    pub to: Option<u32>,
    /// How one passes it.
    pub kind: LinkKind,
    /// Whether the game can open and close it, because it is bound to an entity or is an enable/disable portal.
    pub gated: bool,
    /// The edge that is crossed, for a walk between polygons, if the format has it.
    pub portal: Option<[Point; 2]>,
    /// Take-off and landing of a jump or a drop, or the ends of a ladder, if the format has them.
    pub path: Option<[Point; 2]>,
    /// Further properties for searches.
    pub passage: Passage,
}

impl Link {
    /// A bare link.
    #[inline]
    pub const fn new(from: u32, to: u32, kind: LinkKind) -> Self {
        Self { from, to: Some(to), kind, gated: false, portal: None, path: None, passage: Passage::NONE }
    }

    /// A link to something that is not loaded, without further properties.
    #[inline]
    pub const fn outside(from: u32, kind: LinkKind) -> Self {
        Self { from, to: None, kind, gated: false, portal: None, path: None, passage: Passage::NONE }
    }
}

/// Properties of a link, besides its kind, that a search needs. Those the format lacks are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Passage {
    /// The side of the polygon that is crossed, which runs from this corner to the next one.
    pub side: Option<u8>,
    /// Its length in units, if that is not the straight line between the centers: the length of a ladder, 1 for a teleporter.
    pub length: Option<f32>,
    /// Its cost in the game's own search, if that is neither its length nor the length times the [toll](super::NavGraph::toll) of
    /// the target node.
    pub cost: Option<f32>,
    /// The file's own number for the link, to look up more: an edict, an edge link.
    pub number: Option<u32>,
    /// The target of a link to the outside, in the format's own numbering: a tile, the FormID of a mesh.
    pub beyond: Option<u64>,
}

impl Passage {
    /// Nothing known.
    pub const NONE: Self = Self { side: None, length: None, cost: None, number: None, beyond: None };
}

/// The way of passing a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum LinkKind {
    /// On foot.
    Walk,
    /// On foot, over the border of a tile, a cell or a mesh.
    Border,
    /// Crouched.
    Crouch,
    /// With a jump, or up a ledge.
    Jump,
    /// Down: off a ledge.
    Drop,
    /// On a ladder.
    Ladder,
    /// By an elevator.
    Elevator,
    /// On a moving platform.
    Train,
    /// Thrown by a trigger.
    Push,
    /// By a teleporter.
    Teleport,
    /// Through a door that loads another place.
    Door,
    /// With a rocket jump.
    RocketJump,
    /// Some other way, known only to the game.
    Other,
}

impl LinkKind {
    /// Every kind.
    pub const ALL: [Self; 13] = [
        Self::Walk,
        Self::Border,
        Self::Crouch,
        Self::Jump,
        Self::Drop,
        Self::Ladder,
        Self::Elevator,
        Self::Train,
        Self::Push,
        Self::Teleport,
        Self::Door,
        Self::RocketJump,
        Self::Other,
    ];

    /// `walk`, `border`, `crouch`, `jump`, `drop`, `ladder`, `elevator`, `train`, `push`, `teleport`, `door`,
    /// `rocket-jump`, `other`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Border => "border",
            Self::Crouch => "crouch",
            Self::Jump => "jump",
            Self::Drop => "drop",
            Self::Ladder => "ladder",
            Self::Elevator => "elevator",
            Self::Train => "train",
            Self::Push => "push",
            Self::Teleport => "teleport",
            Self::Door => "door",
            Self::RocketJump => "rocket-jump",
            Self::Other => "other",
        }
    }

    /// Whether it is passed on foot, without leaving the ground.
    #[inline]
    pub fn on_foot(self) -> bool {
        matches!(self, Self::Walk | Self::Border | Self::Crouch)
    }
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Something in or beside the mesh that is neither a node nor a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// What it is.
    pub kind: MarkKind,
    /// The node it belongs to, if any.
    pub node: Option<u32>,
    /// Where it is.
    pub shape: MarkShape,
}

/// What a [`Mark`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum MarkKind {
    /// A spot to hide.
    HidingSpot,
    /// A hiding spot that is good for a sniper.
    SniperSpot,
    /// A ladder.
    Ladder,
    /// A door.
    Door,
    /// An edge behind which one can take cover.
    Cover,
    /// An edge one can drop from.
    Ledge,
    /// A point that the makers placed for the game's own use.
    Waypoint,
    /// The box of a game entity that links are bound to.
    Entity,
}

impl MarkKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::HidingSpot,
        Self::SniperSpot,
        Self::Ladder,
        Self::Door,
        Self::Cover,
        Self::Ledge,
        Self::Waypoint,
        Self::Entity,
    ];

    /// `hiding spot`, `sniper spot`, `ladder`, `door`, `cover`, `ledge`, `waypoint`, `entity`.
    pub fn name(self) -> &'static str {
        match self {
            Self::HidingSpot => "hiding spot",
            Self::SniperSpot => "sniper spot",
            Self::Ladder => "ladder",
            Self::Door => "door",
            Self::Cover => "cover",
            Self::Ledge => "ledge",
            Self::Waypoint => "waypoint",
            Self::Entity => "entity",
        }
    }
}

/// Where a [`Mark`] is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MarkShape {
    /// A point.
    Point(Point),
    /// A line: bottom and top of a ladder, the ends of an edge.
    Segment(Point, Point),
    /// A box: smallest and largest corner.
    Box(Point, Point),
}
