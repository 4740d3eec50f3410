//! What the neutral layer is told.

use super::record::Knot;
use super::view::ToyNav;
use navmap_core::error::Result;
use navmap_core::graph::{Axes, Link, LinkKind, NavGraph, Node, Shape, Visitor};

impl NavGraph for ToyNav<'_> {
    fn axes(&self) -> Axes {
        Axes::z_up(1.0)
    }

    fn node_word(&self) -> &'static str {
        "knot"
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        string(self.knots(), visitor);
        Ok(())
    }
}

/// Points, each joined to the next.
pub(super) fn string<V: Visitor>(knots: &[Knot], visitor: &mut V) {
    let last = knots.len().saturating_sub(1);
    for (knot, index) in knots.iter().zip(0_u32..) {
        let shape = Shape::Point { at: knot.position().into(), radius: None };
        let node = Node { index, id: index.into(), shape, place: None, group: None, flags: 0 };
        if visitor.node(&node).is_break() {
            return;
        }
        if V::WANTS.links && (index as usize) < last {
            visitor.link(&Link::new(index, index.saturating_add(1), LinkKind::Walk));
        }
    }
}
