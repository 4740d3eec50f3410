//! The tree of planes by which a game tells which node holds a point.

use super::geom::Point;

/// Planes that cut space in two, again and again, until it is known which node holds a point. Built from the leaves to the root.
///
/// ```
/// use navmap::graph::{PlaneTree, Point, Side};
///
/// let mut tree = PlaneTree::default();
/// tree.cut([1.0, 0.0, 0.0], 64.0, Side::node(1), Side::node(0));
/// assert_eq!(tree.node_at(Point::new(65.0, 0.0, 0.0)), Some(1));
/// assert_eq!(tree.node_at(Point::new(64.0, 0.0, 0.0)), Some(0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct PlaneTree {
    cuts: Vec<Cut>,
    root: Side,
}

/// A plane, and what lies before and behind it.
#[derive(Debug, Clone, Copy)]
struct Cut {
    normal: [f32; 3],
    distance: f32,
    sides: [Side; 2],
}

/// What lies on one side of a plane: more planes, a node, or nothing.
// The number of a cut, counted from 1; a node, its bits turned over; or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Side(i32);

impl Side {
    /// No node: solid, or what the graph leaves out.
    pub const NOTHING: Self = Self(0);

    /// A node, by its [index](super::Node::index).
    pub fn node(index: u32) -> Self {
        i32::try_from(index).map_or(Self::NOTHING, |index| Self(!index))
    }
}

impl PlaneTree {
    /// Cuts space by a plane, and gives what is to be named as a side of a later cut. The last cut is the root. A plane with the same on
    /// both sides is left out.
    pub fn cut(&mut self, normal: [f32; 3], distance: f32, front: Side, back: Side) -> Side {
        // A side leads to an earlier cut, so that every walk ends.
        let known = i32::try_from(self.cuts.len()).unwrap_or(i32::MAX);
        let sides = [front, back].map(|side| if side.0 <= known { side } else { Side::NOTHING });
        self.root = match sides {
            [front, back] if front == back => front,
            _ => known.checked_add(1).map_or(Side::NOTHING, |next| {
                self.cuts.push(Cut { normal, distance, sides });
                Side(next)
            }),
        };
        self.root
    }

    /// Whether there are no planes.
    pub fn is_empty(&self) -> bool {
        self.cuts.is_empty()
    }

    /// Memory on the heap, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.cuts[..])
    }

    /// The node that holds a point. What lies on a plane is behind it. One step for each level of the tree.
    pub fn node_at(&self, p: Point) -> Option<u32> {
        self.node_at_counted(p, &mut 0)
    }

    /// [`node_at`](Self::node_at), which adds to `levels` how many planes it compares the point with.
    pub fn node_at_counted(&self, p: Point, levels: &mut u64) -> Option<u32> {
        let [px, py, pz] = p.to_array().map(f64::from);
        let mut side = self.root;
        while let Ok(number) = usize::try_from(side.0) {
            *levels = levels.saturating_add(1);
            let cut = self.cuts.get(number.checked_sub(1)?)?;
            let [x, y, z] = cut.normal.map(f64::from);
            let [front, back] = cut.sides;
            side = if x * px + y * py + z * pz - f64::from(cut.distance) > 0.0 { front } else { back };
        }
        u32::try_from(!side.0).ok()
    }
}
