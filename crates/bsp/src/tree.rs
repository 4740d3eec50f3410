//! The tree of planes with which both engines divide space.

use super::trace::{Sweep, dot, minus, reach};
use navmap_core::error::{Error, ErrorKind, Result};
use zerocopy::byteorder::little_endian::{F32, I16, I32, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// No real tree is a tenth as deep.
const DEEPEST: usize = 1024;

/// A plane. Points in front of it have `normal · point > distance`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plane {
    pub(super) normal: [f32; 3],
    pub(super) distance: f32,
}

impl Plane {
    /// The signed distance of a point in front of it.
    pub(super) fn ahead(&self, point: [f32; 3]) -> f32 {
        dot(self.normal, point) - self.distance
    }
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct RawPlane {
    normal: [F32; 3],
    distance: F32,
    _kind: I32,
}

impl RawPlane {
    pub(super) fn plane(&self) -> Result<Plane> {
        let (normal, distance) = (self.normal.map(F32::get), self.distance.get());
        match normal.iter().chain([&distance]).all(|part| part.is_finite()) {
            true => Ok(Plane { normal, distance }),
            false => Err(Error::invalid("plane", "a number that is none")),
        }
    }
}

/// A node with its children in front of and behind its plane: a node if 0 or more, else leaf `-1 - child`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) plane: Plane,
    pub(super) children: [i32; 2],
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct GoldNode {
    plane: U32,
    children: [I16; 2],
    _rest: [u8; 16],
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct SourceNode {
    plane: U32,
    children: [I32; 2],
    _rest: [u8; 20],
}

impl GoldNode {
    pub(super) fn node(&self, planes: &[Plane]) -> Result<Node> {
        let children = self.children.map(|child| i32::from(child.get()));
        Ok(Node { plane: plane(planes, self.plane.get())?, children })
    }
}

impl SourceNode {
    pub(super) fn node(&self, planes: &[Plane]) -> Result<Node> {
        Ok(Node { plane: plane(planes, self.plane.get())?, children: self.children.map(I32::get) })
    }
}

/// The plane of this number.
///
/// # Errors
/// If there is no such plane.
pub(super) fn plane(planes: &[Plane], index: u32) -> Result<Plane> {
    planes.get(index as usize).copied().ok_or_else(|| out_of_range("plane", index.into(), planes.len()))
}

#[cold]
pub(super) fn out_of_range(what: &'static str, index: u64, len: usize) -> Error {
    Error::new(ErrorKind::OutOfRange { what, index, len: len as u64 })
}

/// The nodes of a map: the trees of all its models.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Builds the tree from nodes and the heads of the models, and makes sure that every walk from a head ends.
    ///
    /// # Errors
    /// If a child is neither a node nor a leaf, if a node has two parents or is its own, or if a tree is too deep.
    pub(super) fn new(nodes: Vec<Node>, heads: impl Iterator<Item = i32>, leaves: usize) -> Result<Self> {
        let in_node = |error: Error, index: usize| error.in_record("node", index as u64);
        let mut parents = vec![false; nodes.len()];
        for (index, child) in
            nodes.iter().enumerate().flat_map(|(at, node)| node.children.map(|child| (at, child)))
        {
            match leaf_of(child) {
                Some(leaf) if (leaf as usize) < leaves => {}
                Some(leaf) => return Err(in_node(out_of_range("leaf", leaf.into(), leaves), index)),
                None => match parents.get_mut(child as usize) {
                    Some(known @ false) => *known = true,
                    Some(true) => {
                        let why = format!("node {child} is the child of two nodes");
                        return Err(in_node(Error::invalid("tree", why), index));
                    }
                    None => return Err(in_node(out_of_range("node", child as u64, nodes.len()), index)),
                },
            }
        }
        let mut seen = vec![0_u32; nodes.len()];
        for (turn, head) in (1_u32..).zip(heads) {
            let mut stack = vec![(head, 1_usize)];
            while let Some((child, depth)) = stack.pop() {
                if let Some(leaf) = leaf_of(child) {
                    if leaf as usize >= leaves {
                        return Err(out_of_range("leaf", leaf.into(), leaves));
                    }
                    continue;
                }
                let (Some(node), Some(seen)) = (nodes.get(child as usize), seen.get_mut(child as usize))
                else {
                    return Err(out_of_range("node", child as u64, nodes.len()));
                };
                match *seen {
                    0 => *seen = turn,
                    // A model whose tree is part of another's.
                    other if other != turn => continue,
                    _ => return Err(in_node(Error::invalid("tree", "a node below itself"), child as usize)),
                }
                if depth > DEEPEST {
                    let why = format!("deeper than {DEEPEST} nodes");
                    return Err(in_node(Error::invalid("tree", why), child as usize));
                }
                stack.extend(node.children.map(|child| (child, depth.saturating_add(1))));
            }
        }
        Ok(Self { nodes })
    }

    /// How deep the tree below each node is.
    pub(super) fn heights(&self) -> Vec<u32> {
        let mut is_child = vec![false; self.nodes.len()];
        for child in self.nodes.iter().flat_map(|node| node.children) {
            usize::try_from(child)
                .ok()
                .and_then(|at| is_child.get_mut(at))
                .into_iter()
                .for_each(|at| *at = true);
        }
        let mut heights = vec![0_u32; self.nodes.len()];
        let mut stack: Vec<(i32, bool)> =
            (0..).zip(&is_child).filter(|(_, is_child)| !**is_child).map(|(at, _)| (at, false)).collect();
        while let Some((at, known)) = stack.pop() {
            let Some(node) = self.node(at) else { continue };
            if known {
                let below = node.children.map(|child| height_of(&heights, child));
                let own = below.into_iter().max().unwrap_or(0).saturating_add(1);
                heights.get_mut(at as usize).into_iter().for_each(|height| *height = own);
            } else {
                stack.push((at, true));
                stack.extend(node.children.map(|child| (child, false)));
            }
        }
        heights
    }

    pub(super) fn node(&self, index: i32) -> Option<&Node> {
        self.nodes.get(usize::try_from(index).ok()?)
    }

    /// The leaf that holds a point.
    pub(super) fn leaf_at(&self, head: i32, point: [f32; 3]) -> Option<u32> {
        let mut child = head;
        loop {
            if let Some(leaf) = leaf_of(child) {
                return Some(leaf);
            }
            let node = self.node(child)?;
            let [front, back] = node.children;
            child = if node.plane.ahead(point) < 0.0 { back } else { front };
        }
    }

    /// Visits the leaves below a node while `visit` returns true.
    pub(super) fn each_leaf(&self, head: i32, mut visit: impl FnMut(u32) -> bool) {
        let mut stack = vec![head];
        while let Some(child) = stack.pop() {
            match (leaf_of(child), self.node(child)) {
                (Some(leaf), _) if visit(leaf) => {}
                (Some(_), _) => return,
                (None, Some(node)) => stack.extend(node.children),
                (None, None) => {}
            }
        }
    }

    /// Visits the leaves that a box touches.
    pub(super) fn in_box(&self, head: i32, low: [f32; 3], high: [f32; 3], mut visit: impl FnMut(u32)) {
        let mut stack = Vec::with_capacity(64);
        stack.push(head);
        while let Some(child) = stack.pop() {
            if let Some(leaf) = leaf_of(child) {
                visit(leaf);
                continue;
            }
            let Some(Node { plane, children: [front, back] }) = self.node(child) else { continue };
            let (half, middle) = reach(plane.normal, low, high);
            let ahead = middle - plane.distance;
            if ahead + half >= 0.0 {
                stack.push(*front);
            }
            if ahead - half < 0.0 {
                stack.push(*back);
            }
        }
    }

    /// Visits the leaves that a sweep touches, near ones first. `visit` returns how much of the way is still of interest. A leaf
    /// may be visited although the sweep misses it by a unit.
    pub(super) fn sweep(&self, head: i32, sweep: &Sweep, mut visit: impl FnMut(u32) -> f32) {
        let line = sweep.is_line();
        let way = minus(sweep.to, sweep.from);
        let mut stack = Stack::default();
        let mut whole = 1.0_f32;
        let mut next = Some((head, 0.0_f32, 1.0_f32));
        while let Some((child, from, to)) = next.take().or_else(|| stack.pop()) {
            if from > whole {
                continue;
            }
            if let Some(leaf) = leaf_of(child) {
                whole = visit(leaf);
                continue;
            }
            let Some(node) = self.node(child) else { continue };
            let [front, back] = node.children;
            let (half, middle) =
                if line { (0.0, 0.0) } else { reach(node.plane.normal, sweep.low, sweep.high) };
            let margin = half + 1.0;
            let start = node.plane.ahead(sweep.from) + middle;
            let slope = dot(node.plane.normal, way);
            let (at_from, at_to) = (start + slope * from, start + slope * to);
            if at_from >= margin && at_to >= margin {
                next = Some((front, from, to));
            } else if at_from <= -margin && at_to <= -margin {
                next = Some((back, from, to));
            } else if slope == 0.0 || !slope.is_finite() {
                stack.push((back, from, to));
                next = Some((front, from, to));
            } else {
                let (enters, leaves) = ((-margin - start) / slope, (margin - start) / slope);
                let (near, far) = if slope > 0.0 {
                    // Going from behind to the front.
                    ((back, from, to.min(leaves)), (front, from.max(enters), to))
                } else {
                    ((front, from, to.min(enters)), (back, from.max(leaves), to))
                };
                stack.push(far);
                next = Some(near);
            }
        }
    }
}

/// A pending part of a tree: a child, and the part of the way in it.
type Rest = (i32, f32, f32);

/// Pending parts of a tree. A tree of usual depth needs no heap memory.
struct Stack {
    few: [Rest; 48],
    held: usize,
    more: Vec<Rest>,
}

impl Default for Stack {
    fn default() -> Self {
        Self { few: [(0, 0.0, 0.0); 48], held: 0, more: Vec::new() }
    }
}

impl Stack {
    fn push(&mut self, rest: Rest) {
        match self.few.get_mut(self.held) {
            Some(slot) => {
                *slot = rest;
                self.held = self.held.saturating_add(1);
            }
            None => self.more.push(rest),
        }
    }

    fn pop(&mut self) -> Option<Rest> {
        if let Some(rest) = self.more.pop() {
            return Some(rest);
        }
        self.held = self.held.checked_sub(1)?;
        self.few.get(self.held).copied()
    }
}

/// How deep the tree below a child is; 0 for a leaf.
pub(super) fn height_of(heights: &[u32], head: i32) -> u32 {
    usize::try_from(head).ok().and_then(|at| heights.get(at)).copied().unwrap_or(0)
}

/// The leaf that a child names; `None` for a node.
pub(super) fn leaf_of(child: i32) -> Option<u32> {
    // -1 is leaf 0.
    u32::try_from(!child).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(children: [i32; 2]) -> Node {
        Node { plane: Plane { normal: [1.0, 0.0, 0.0], distance: 0.0 }, children }
    }

    #[test]
    fn a_tree_that_is_none_is_refused() {
        let said =
            |nodes: Vec<Node>, head: i32| Tree::new(nodes, [head].into_iter(), 2).unwrap_err().to_string();
        assert!(said(vec![node([0, -1])], 0).contains("a node below itself"));
        assert!(said(vec![node([1, -1]), node([0, -2])], 0).contains("a node below itself"));
        assert!(said(vec![node([1, 1]), node([-1, -1])], 0).contains("the child of two"));
        assert!(said(vec![node([7, -1])], 0).contains("node 0"));
        assert!(said(vec![node([-3, -1])], 0).contains("leaf"));
        assert!(said(vec![], 0).contains("node"));
        let deep: Vec<Node> = (1..3000).map(|next| node([next, -1])).chain([node([-1, -2])]).collect();
        assert!(said(deep, 0).contains("deeper than"));
        assert!(Tree::new(vec![node([-1, -2])], [0, -1, 0].into_iter(), 2).is_ok());
    }
}
