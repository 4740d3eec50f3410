//! What a file knows besides where one can walk: where to hide, who sees whom, what to watch on the way.

use super::geom::Point;

/// How much of one node is seen from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sight {
    /// Nothing.
    Hidden,
    /// Something, from somewhere in the other node.
    Partly,
    /// All of it, from everywhere in the other node.
    Wholly,
}

crate::bits! {
    /// The uses of a hiding spot. The bits are those of Source.
    HidingKinds(u8) {
        /// There is cover around it.
        COVER = 0x1 => "cover",
        /// A sniper sees far from it.
        GOOD_SNIPER = 0x2 => "good sniper",
        /// A sniper sees very far from it, or over much ground.
        IDEAL_SNIPER = 0x4 => "ideal sniper",
        /// A corner without cover.
        EXPOSED = 0x8 => "exposed",
    }
}

/// A spot in which one can hide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HidingSpot {
    /// The file's own name for it, by which [`TacticsVisitor::watch`] refers to it. `None` if the format has no such names.
    pub id: Option<u32>,
    /// The node that it is in.
    pub node: Option<u32>,
    /// Where it is, on the ground.
    pub at: Point,
    /// Its uses.
    pub kinds: HidingKinds,
}

/// The receiver of [`NavGraph::visit_tactics`](super::NavGraph::visit_tactics). Nodes are those of the graph, by position.
/// All of what is said of one node may come in any order, except that the spots of a way follow it.
pub trait TacticsVisitor {
    /// Takes a hiding spot.
    fn spot(&mut self, _spot: &HidingSpot) {}

    /// Takes how much is seen of one node from another, as stored. Of two entries for the same nodes the first counts. A node
    /// with an anchor [inherits](Self::inherits) what it has no entry for.
    fn sight(&mut self, _from: u32, _to: u32, _sight: Sight) {}

    /// Takes the anchor of a node: whatever the node has no entry of its own for is seen as from the anchor, by the anchor's own
    /// entries. Anchors are one level deep.
    fn inherits(&mut self, _node: u32, _anchor: u32) {}

    /// Takes a way through a node, from one of its neighbours to another.
    fn way(&mut self, _node: u32, _from: u32, _to: u32) {}

    /// Takes a hiding spot, by its id, that comes into view on the latest way, after this share of it (0 to 1).
    fn watch(&mut self, _spot: u32, _along: f32) {}
}
