//! The tree of boxes over the ground polygons of a tile, as Detour builds it.

use super::record::BvNode;

/// A polygon in the tree: its box in cells, and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// The smallest corner, in cells from the tile's.
    pub low: [u16; 3],
    /// The largest corner.
    pub high: [u16; 3],
    /// The number of the polygon.
    pub index: i32,
}

impl Leaf {
    /// The leaf of a polygon with these points, in a tile whose box begins at `min`, with so many cells per unit.
    pub fn around(index: i32, points: impl Iterator<Item = [f32; 3]>, min: [f32; 3], factor: f32) -> Self {
        let mut leaf = Self { low: [u16::MAX; 3], high: [0; 3], index };
        for point in points {
            let sides = leaf.low.iter_mut().zip(&mut leaf.high);
            for ((value, min), (low, high)) in point.into_iter().zip(min).zip(sides) {
                let cell = ((value - min) * factor).clamp(0.0, 65_535.0) as u16;
                (*low, *high) = (cell.min(*low), cell.max(*high));
            }
        }
        leaf
    }
}

/// The tree over some leaves, which are sorted on the way: two nodes a leaf, the last of them unused, as in every real file. No
/// leaves make no tree. Sorts once a level, of which there are as many as the number of leaves has bits.
pub fn tree(leaves: &mut [Leaf]) -> Vec<BvNode> {
    let mut nodes = Vec::with_capacity(leaves.len().saturating_mul(2));
    if !leaves.is_empty() {
        split(leaves, &mut nodes);
        nodes.push(BvNode::default());
    }
    nodes
}

/// Halves the leaves along the longest side of their box; the first of several that are equally long, as `longestAxis` of Detour.
fn split(leaves: &mut [Leaf], nodes: &mut Vec<BvNode>) {
    if let [leaf] = leaves {
        nodes.push(BvNode::new(leaf.low, leaf.high, leaf.index));
        return;
    }
    let (mut low, mut high) = ([u16::MAX; 3], [0_u16; 3]);
    for leaf in leaves.iter() {
        low.iter_mut().zip(leaf.low).for_each(|(low, other)| *low = other.min(*low));
        high.iter_mut().zip(leaf.high).for_each(|(high, other)| *high = other.max(*high));
    }
    let [x, y, z] = [0, 1, 2].map(|axis: usize| {
        let [low, high] = [&low, &high].map(|corner| corner.get(axis).copied().unwrap_or(0));
        high.saturating_sub(low)
    });
    let axis = match (y > x, z > x.max(y)) {
        (_, true) => 2_usize,
        (true, _) => 1,
        _ => 0,
    };
    leaves.sort_by_key(|leaf| (leaf.low.get(axis).copied(), leaf.index));
    let at = nodes.len();
    nodes.push(BvNode::default());
    let (left, right) = leaves.split_at_mut(leaves.len() / 2);
    split(left, nodes);
    split(right, nodes);
    let len = i32::try_from(nodes.len().saturating_sub(at)).unwrap_or(i32::MAX);
    if let Some(node) = nodes.get_mut(at) {
        *node = BvNode::new(low, high, len.saturating_neg());
    }
}
