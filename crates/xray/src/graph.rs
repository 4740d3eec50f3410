//! The grid as a neutral graph.

use super::flags::{Cover, CoverFlags};
use super::iter::Node as Square;
use super::view::XrayNav;
use navmap_core::error::Result;
use navmap_core::graph::{Axes, Link, LinkKind, NavGraph, Node, Passage, Point, Shape, Visitor};

/// What one steps over: links that lead further down are drops, and further up climbs.
const STEP: f32 = 1.0;

/// The graph of a file. Costs nothing.
///
/// - A node is a square of the grid, level at its height: how it is tilted is not known. Its flags say where it gives cover.
/// - Its values are those of cover, 0 (none) to 15: `cover` is the mean of all, `cover_standing` and `cover_crouching` that of the
///   four directions, and each of the eight has a value of its own. Those of crouching are of version 10 and later.
/// - A point is found in the file itself ([`nodes_at`](NavGraph::nodes_at)), which is sorted by squares.
/// - A link leads to the square beside it, one way: a walk, a drop if it leads more than a metre down, a jump if it leads more
///   than a metre up. One whose target does not exist leads outside.
#[derive(Debug, Clone, Copy)]
pub struct GridGraph<'a>(pub XrayNav<'a>);

/// The names of the values of cover: the mean of all; of those of one who stands, and each of them in the order of links; the same
/// for one who crouches.
const VALUES: [&str; 11] = [
    "cover",
    "cover_standing",
    "cover_standing_x_down",
    "cover_standing_z_up",
    "cover_standing_x_up",
    "cover_standing_z_down",
    "cover_crouching",
    "cover_crouching_x_down",
    "cover_crouching_z_up",
    "cover_crouching_x_up",
    "cover_crouching_z_down",
];
/// How many of them a file has without cover for one who crouches.
const STANDING: usize = 6;

/// The mean of four values of cover.
fn mean(cover: Cover) -> f32 {
    cover.values().map(f32::from).iter().sum::<f32>() / 4.0
}

impl GridGraph<'_> {
    /// The corners of a square, counter-clockwise from above.
    fn corners(&self, node: &Square<'_>) -> [Point; 4] {
        let ([x, y, z], half) = (self.0.middle(node), self.0.header().cell() / 2.0);
        [[x - half, z - half], [x - half, z + half], [x + half, z + half], [x + half, z - half]]
            .map(|[x, z]| Point::new(x, y, z))
    }
}

/// A node of the graph.
fn handed<'s>(node: &Square<'_>, index: u32, shape: Shape<'s>) -> Node<'s> {
    Node { index, id: index.into(), shape, place: None, group: None, flags: node.flags().0.into() }
}

impl NavGraph for GridGraph<'_> {
    fn axes(&self) -> Axes {
        Axes::y_up(1.0)
    }

    fn node_word(&self) -> &'static str {
        "node"
    }

    fn flag(&self, bit: u32) -> Option<&'static str> {
        CoverFlags(1_u32.checked_shl(bit)?).names().next()
    }

    fn value_name(&self, number: u32) -> Option<&'static str> {
        let known = if self.0.nodes().layout().low { VALUES.len() } else { STANDING };
        VALUES.get(..known)?.get(number as usize).copied()
    }

    fn value(&self, number: u32, node: &Node<'_>) -> Option<f32> {
        let node = self.0.nodes().get(node.index as usize)?;
        let (high, low) = (node.cover(), node.low_cover());
        let of =
            |cover: Cover, direction: u32| cover.values().get(direction as usize).copied().map(f32::from);
        match number {
            0 => Some(low.map_or(mean(high), |low| f32::midpoint(mean(high), mean(low)))),
            1 => Some(mean(high)),
            2..=5 => of(high, number.checked_sub(2)?),
            6 => low.map(mean),
            _ => of(low?, number.checked_sub(7)?),
        }
    }

    fn nodes_at(&self, p: Point, each: &mut dyn FnMut(&Node<'_>, f32)) -> bool {
        for (number, node) in self.0.nodes_of_square(p.to_array()) {
            let [_, height, _] = self.0.middle(&node);
            let index = u32::try_from(number).unwrap_or(u32::MAX);
            each(&handed(&node, index, Shape::NONE), height);
        }
        true
    }

    fn visit<V: Visitor>(&self, visitor: &mut V) -> Result<()> {
        let nodes = self.0.nodes();
        for (node, index) in nodes.iter().zip(0_u32..) {
            let corners;
            let shape = if V::WANTS.corners {
                corners = self.corners(&node);
                Shape::Polygon(&corners)
            } else {
                Shape::NONE
            };
            if visitor.node(&handed(&node, index, shape)).is_break() {
                return Ok(());
            }
            if !V::WANTS.links {
                continue;
            }
            let [_, here, _] = self.0.middle(&node);
            for (target, number) in node.links().into_iter().zip(0_u32..) {
                let Some(target) = target else { continue };
                let end = nodes.get(target as usize);
                let rise = end.map_or(0.0, |end| self.0.middle(&end)[1] - here);
                let kind = if rise < -STEP {
                    LinkKind::Drop
                } else if rise > STEP {
                    LinkKind::Jump
                } else {
                    LinkKind::Walk
                };
                let number = index.checked_mul(4).and_then(|first| first.checked_add(number));
                visitor.link(&Link {
                    from: index,
                    to: end.map(|_| target),
                    kind,
                    gated: false,
                    portal: None,
                    path: None,
                    passage: Passage { number: number.filter(|_| V::WANTS.paths), ..Passage::NONE },
                });
            }
        }
        Ok(())
    }
}
