//! Navigation meshes of all families as graphs (nodes, directed links, marks, places, axes and units), and algorithms over them.
//!
//! Each family implements [`NavGraph::visit`], which passes over the file once and hands out every node, followed by its outgoing
//! links. Nothing is kept or allocated per node, corners are lent for the length of one call, and parts that a [`Visitor`] does
//! not [want](Visitor::WANTS) are not decoded. This is a visit and not an iterator because some records have to be inflated first
//! (Bethesda plugins).
//!
//! Types made from a visit:
//!
//! | type | holds | cost |
//! |---|---|---|
//! | [`Csr`] | links as compressed rows | one pass; 5 bytes a link, 4 a node |
//! | [`Islands`] | connected components, strong or weak | linear in nodes and links |
//! | [`Ceiling`] | islands that hide the map below them, such as the floor of a sky box | linear in nodes |
//! | [`Stats`] | counts, islands, one-way links, dead ends, area in square metres, bounds | one pass, then linear |
//! | [`FlatGraph`] | the whole graph in flat arrays, for pictures and exports | one pass |
//!
//! A damaged file is read up to the damage. The result is therefore a [`Partial`]: the value, and the error that ended the
//! reading.
//!
//! ```
//! use navmap::graph::{Axes, Csr, FlatGraph, Islands, Link, LinkKind, Point, Shape, Stats};
//!
//! // Two squares side by side, and a third that can only be dropped into.
//! let mut graph = FlatGraph::new("area", Axes::z_up(0.019_05));
//! for x in [0.0, 100.0, 200.0] {
//!     let square = [(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)].map(|(u, v)| Point::new(x + u, v, 0.0));
//!     graph.add_node(1, Shape::Polygon(&square));
//! }
//! graph.add_link(Link::new(0, 1, LinkKind::Walk));
//! graph.add_link(Link::new(1, 0, LinkKind::Walk));
//! graph.add_link(Link::new(1, 2, LinkKind::Drop));
//!
//! let csr = Csr::of(&graph).whole()?;
//! assert_eq!(csr.targets(1), [0, 2]);
//! assert_eq!((Islands::weak(&csr).len(), Islands::strong(&csr).len()), (1, 2));
//! let stats = Stats::of(&graph).whole()?;
//! assert_eq!((stats.one_way_links, stats.dead_ends), (1, 1));
//! # Ok::<(), navmap::Error>(())
//! ```

#[doc(hidden)]
pub mod boxes;
mod ceiling;
mod csr;
mod ears;
mod faces;
mod flat;
mod flatnode;
mod geom;
mod islands;
mod links;
mod names;
mod node;
mod raster;
mod reach;
mod ring;
mod rules;
mod scene;
mod spots;
mod stats;
#[doc(hidden)]
pub mod surface;
mod tactics;
mod tiles;
mod tree;
mod waypoints;

pub use crate::ids::Ids;
#[doc(hidden)]
pub use crate::text::plural;
pub use ceiling::Ceiling;
#[doc(hidden)]
pub use ceiling::STOREY;
pub use csr::Csr;
pub use ears::Triangles;
pub use flat::FlatGraph;
pub use flatnode::FlatNode;
pub use geom::{Aabb, Axes, Axis, INCH, Point, SIXTY_FOURTH_YARD, Up, YARD};
pub use islands::Islands;
pub use links::{LinkIter, Links};
pub use names::Names;
pub use node::{Link, LinkKind, Mark, MarkKind, MarkShape, Node, Passage, Shape};
#[doc(hidden)]
pub use raster::{Raster, inside};
#[doc(hidden)]
pub use reach::{About, LinkCheck, check};
pub use rules::{Rules, Surface};
pub use scene::{Line, Polygon, Scene};
pub use spots::{Spot, Spots, Unsaid};
pub use stats::{Stats, Units};
pub use tactics::{HidingKinds, HidingSpot, Sight, TacticsVisitor};
pub use tiles::MapTile;
pub use tree::{PlaneTree, Side};
pub use waypoints::{Way, Waypoints};

use crate::error::{Error, Result};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// A navigation mesh or waypoint graph of any format.
///
/// Coordinates stay in the file's units and axes. [`axes`](Self::axes) describes and converts them. What a format lacks is
/// `None`, never 0.
pub trait NavGraph {
    /// The up axis, north, and the length of a unit.
    fn axes(&self) -> Axes;

    /// The format's word for a node: `area`, `node`, `face`, `triangle`.
    fn node_word(&self) -> &'static str;

    /// How ids of nodes are made up.
    fn ids(&self) -> Ids {
        Ids::Numbers
    }

    /// What the format calls a group of nodes, if it has groups: `segment`, `navmesh`, `hull`.
    fn group_word(&self) -> Option<&'static str> {
        None
    }

    /// The name of a place, by the number in [`Node::place`].
    fn place(&self, _place: u32) -> Option<Cow<'_, str>> {
        None
    }

    /// The name of a group, by the number in [`Node::group`].
    fn group(&self, _group: u32) -> Option<Cow<'_, str>> {
        None
    }

    /// The file's own number for a group, by the number in [`Node::group`], which counts only those of the graph: the number of the
    /// record of a navmesh.
    fn group_number(&self, group: u32) -> u32 {
        group
    }

    /// The name of a bit (0 to 63) of [`Node::flags`].
    fn flag(&self, _bit: u32) -> Option<&'static str> {
        None
    }

    /// The rules of the game's queries: how far a point may be from the ground, how high a step may be.
    fn rules(&self) -> Rules {
        Rules::of_axes(self.axes())
    }

    /// The factor on the length of links into this node, in the game's own search: 21 if bots must crouch in Source. Ignores the
    /// node's shape.
    fn toll(&self, _node: &Node<'_>) -> f32 {
        1.0
    }

    /// How far the stored heights of this node lie above the floor, in file units: positive if a format stores the origin of a
    /// player who stands there, 24 in Quake III areas. Ignores the node's shape.
    fn above_floor(&self, _node: &Node<'_>) -> f32 {
        0.0
    }

    /// The name of a value that the file tells of nodes, by its number: `cover`, `light`. Numbers begin at 0 and leave none out. It
    /// is no name of a flag.
    fn value_name(&self, _number: u32) -> Option<&'static str> {
        None
    }

    /// The value of this number of a node; `None` if the file tells none of it. Ignores the node's shape. Constant time, or linear
    /// in what the file says of the node.
    fn value(&self, _number: u32, _node: &Node<'_>) -> Option<f32> {
        None
    }

    /// The format's own word for how a link is passed, if it says more than the [kind](Link::kind): `barrier jump`, `jump pad`. Found
    /// by its [number](Passage::number) alone.
    fn link_name(&self, _link: &Link) -> Option<&'static str> {
        None
    }

    /// Hands out the nodes above, on and below a point, without their shapes, with the height of the ground of each there, if the
    /// file is sorted by place, so that a search in it finds them. Returns whether it is: if not, an index has to be built.
    fn nodes_at(&self, _p: Point, _each: &mut dyn FnMut(&Node<'_>, f32)) -> bool {
        false
    }

    /// The number of nodes, if it is known without a visit and was not only claimed: whoever keeps them makes room for all at once.
    fn known_nodes(&self) -> Option<usize> {
        None
    }

    /// The tiles of a map of which single ones join and leave, in the order of their nodes, which is that of their keys and of their
    /// files in the set. None for everything else.
    fn tiles(&self) -> Vec<MapTile> {
        Vec::new()
    }

    /// The tree by which the game tells which node holds a point, if it has one. Linear in the tree.
    fn plane_tree(&self) -> PlaneTree {
        PlaneTree::default()
    }

    /// Passes over the file once. Nodes come in the order of their [`index`](Node::index), from 0 without a gap, each followed by
    /// its outgoing links and the marks inside it. Marks of the whole mesh come last.
    ///
    /// # Errors
    /// If the file is damaged: the place at which reading cannot continue. Everything before it has been handed out.
    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()>;

    /// Passes over what the file knows of tactics: where to hide, who sees whom, what to watch on the way. If a format has no
    /// more than marks, hiding spots, sniper spots and cover become hiding spots without an id; the middle of an edge stands for
    /// it.
    ///
    /// # Errors
    /// Those of [`visit`](Self::visit).
    fn visit_tactics(&self, visitor: &mut dyn TacticsVisitor) -> Result<()> {
        struct Marks<'v>(&'v mut dyn TacticsVisitor);
        impl Visitor for Marks<'_> {
            const WANTS: Wants = Wants { marks: true, ..Wants::NOTHING };
            fn mark(&mut self, mark: &Mark) {
                let kinds = match mark.kind {
                    MarkKind::HidingSpot | MarkKind::Cover => HidingKinds::COVER,
                    MarkKind::SniperSpot => HidingKinds::COVER | HidingKinds::GOOD_SNIPER,
                    _ => return,
                };
                let at = match mark.shape {
                    MarkShape::Point(at) => at,
                    MarkShape::Segment(a, b) | MarkShape::Box(a, b) => a.midway(b),
                };
                self.0.spot(&HidingSpot { id: None, node: mark.node, at, kinds });
            }
        }
        self.visit(&mut Marks(visitor))
    }

    /// Calls `each` with every node.
    ///
    /// # Errors
    /// Those of [`visit`](Self::visit).
    fn for_each_node(&self, each: impl FnMut(&Node<'_>)) -> Result<()> {
        struct Nodes<F>(F);
        impl<F: FnMut(&Node<'_>)> Visitor for Nodes<F> {
            const WANTS: Wants = Wants { corners: true, ..Wants::NOTHING };
            fn node(&mut self, node: &Node<'_>) -> ControlFlow<()> {
                (self.0)(node);
                ControlFlow::Continue(())
            }
        }
        self.visit(&mut Nodes(each))
    }

    /// Calls `each` with every link, ordered by source. Links have portals if the format has them.
    ///
    /// # Errors
    /// Those of [`visit`](Self::visit).
    fn for_each_link(&self, each: impl FnMut(&Link)) -> Result<()> {
        struct Links<F>(F);
        impl<F: FnMut(&Link)> Visitor for Links<F> {
            const WANTS: Wants = Wants { links: true, portals: true, ..Wants::NOTHING };
            fn link(&mut self, link: &Link) {
                (self.0)(link);
            }
        }
        self.visit(&mut Links(each))
    }
}

impl<G: NavGraph> NavGraph for &G {
    fn axes(&self) -> Axes {
        (**self).axes()
    }
    fn node_word(&self) -> &'static str {
        (**self).node_word()
    }
    fn ids(&self) -> Ids {
        (**self).ids()
    }
    fn group_word(&self) -> Option<&'static str> {
        (**self).group_word()
    }
    fn place(&self, place: u32) -> Option<Cow<'_, str>> {
        (**self).place(place)
    }
    fn group(&self, group: u32) -> Option<Cow<'_, str>> {
        (**self).group(group)
    }
    fn group_number(&self, group: u32) -> u32 {
        (**self).group_number(group)
    }
    fn flag(&self, bit: u32) -> Option<&'static str> {
        (**self).flag(bit)
    }
    fn rules(&self) -> Rules {
        (**self).rules()
    }
    fn toll(&self, node: &Node<'_>) -> f32 {
        (**self).toll(node)
    }
    fn above_floor(&self, node: &Node<'_>) -> f32 {
        (**self).above_floor(node)
    }
    fn value_name(&self, number: u32) -> Option<&'static str> {
        (**self).value_name(number)
    }
    fn value(&self, number: u32, node: &Node<'_>) -> Option<f32> {
        (**self).value(number, node)
    }
    fn link_name(&self, link: &Link) -> Option<&'static str> {
        (**self).link_name(link)
    }
    fn nodes_at(&self, p: Point, each: &mut dyn FnMut(&Node<'_>, f32)) -> bool {
        (**self).nodes_at(p, each)
    }
    fn known_nodes(&self) -> Option<usize> {
        (**self).known_nodes()
    }
    fn tiles(&self) -> Vec<MapTile> {
        (**self).tiles()
    }
    fn plane_tree(&self) -> PlaneTree {
        (**self).plane_tree()
    }
    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        (**self).visit(visitor)
    }
    fn visit_tactics(&self, visitor: &mut dyn TacticsVisitor) -> Result<()> {
        (**self).visit_tactics(visitor)
    }
}

/// The receiver of [`NavGraph::visit`].
pub trait Visitor {
    /// The parts to decode. A constant, so unwanted parts cost nothing.
    const WANTS: Wants = Wants::ALL;

    /// Takes the next node. Its corners are lent for this call. `Break` ends the visit, which then returns `Ok`.
    fn node(&mut self, _node: &Node<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Takes a link that leaves the latest node.
    fn link(&mut self, _link: &Link) {}

    /// Takes something in or beside the mesh.
    fn mark(&mut self, _mark: &Mark) {}
}

/// The parts that a [`Visitor`] wants decoded. Nodes always come with index, id, place, group and flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wants {
    /// The shape of nodes. Without it, every shape is an empty polygon.
    pub corners: bool,
    /// Links.
    pub links: bool,
    /// The portal of links. Without it, every portal is `None`.
    pub portals: bool,
    /// The path of links, and their passage except sides: numbers, lengths, costs.
    pub paths: bool,
    /// Marks.
    pub marks: bool,
}

impl Wants {
    /// Everything.
    pub const ALL: Self = Self { corners: true, links: true, portals: true, paths: true, marks: true };
    /// Bare nodes.
    pub const NOTHING: Self =
        Self { corners: false, links: false, portals: false, paths: false, marks: false };
}

/// A value, and the error that ended the reading if there was one.
#[derive(Debug)]
#[must_use = "holds the error that ended the reading"]
pub struct Partial<T> {
    /// The value, made from everything before the damage.
    pub value: T,
    /// The place at which reading could not continue, if the file is damaged.
    pub error: Option<Error>,
}

impl<T> Partial<T> {
    /// The value, if it is complete.
    ///
    /// # Errors
    /// The error that ended the reading.
    pub fn whole(self) -> Result<T> {
        match self.error {
            None => Ok(self.value),
            Some(error) => Err(error),
        }
    }

    /// Converts the value and keeps the error.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Partial<U> {
        Partial { value: make(self.value), error: self.error }
    }
}
