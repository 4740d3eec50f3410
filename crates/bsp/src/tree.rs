//! The tree of planes with which both engines divide space.

use super::trace::{Sweep, dot, minus, reach};
use navmap_core::error::{Error, ErrorKind, Result};
use zerocopy::byteorder::little_endian::{F32, I16, I32, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Trees of games are 30 nodes deep.
const DEEPEST: u32 = 256;

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
    /// How deep the tree below each node is, that node included; 0 for those that are in no model.
    heights: Vec<u32>,
}

/// What is known about a node while all are gone through.
const UNSEEN: u32 = 0;
const OPEN: u32 = u32::MAX;

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
        let mut tree = Self { heights: vec![UNSEEN; nodes.len()], nodes };
        for head in heads {
            tree.measure(head, leaves)?;
        }
        Ok(tree)
    }

    /// Measures the tree below a head. One that is part of another's, or has it as a part, is gone through once, and as deep as both are.
    fn measure(&mut self, head: i32, leaves: usize) -> Result<()> {
        let in_node = |why: &str, index: i32| Error::invalid("tree", why).in_record("node", index as u64);
        if let Some(leaf) = leaf_of(head).filter(|leaf| *leaf as usize >= leaves) {
            return Err(out_of_range("leaf", leaf.into(), leaves));
        }
        let mut stack = vec![(head, false)];
        while let Some((child, is_below_known)) = stack.pop() {
            if leaf_of(child).is_some() {
                continue;
            }
            let Some(children) = self.node(child).map(|node| node.children) else {
                return Err(out_of_range("node", child as u64, self.nodes.len()));
            };
            let below = children.map(|child| height_of(&self.heights, child)).into_iter().max().unwrap_or(0);
            let Some(height) = self.heights.get_mut(child as usize) else { continue };
            if is_below_known {
                *height = below.saturating_add(1);
                if *height > DEEPEST {
                    return Err(in_node(&format!("deeper than {DEEPEST} nodes"), child));
                }
                continue;
            }
            match *height {
                UNSEEN => *height = OPEN,
                OPEN => return Err(in_node("a node below itself", child)),
                _ => continue,
            }
            stack.push((child, true));
            stack.extend(children.map(|child| (child, false)));
        }
        Ok(())
    }

    /// How deep the tree below a child is; 0 for a leaf.
    pub(super) fn height(&self, child: i32) -> u32 {
        height_of(&self.heights, child)
    }

    pub(super) fn node(&self, index: i32) -> Option<&Node> {
        self.nodes.get(usize::try_from(index).ok()?)
    }

    /// The leaf that holds a point.
    pub(super) fn leaf_at(&self, head: i32, point: [f32; 3]) -> Option<u32> {
        self.leaf_below(head, point, &mut 0)
    }

    /// The leaf that holds a point. Adds the number of nodes above it.
    #[inline]
    pub(super) fn leaf_below(&self, head: i32, point: [f32; 3], passed: &mut u64) -> Option<u32> {
        let mut child = head;
        while let Some(node) = self.node(child) {
            *passed = passed.wrapping_add(1);
            let [front, back] = node.children;
            child = if node.plane.ahead(point) < 0.0 { back } else { front };
        }
        leaf_of(child)
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

    /// Visits the leaves that a box touches. Returns how many nodes and leaves were looked at.
    pub(super) fn in_box(&self, head: i32, low: [f32; 3], high: [f32; 3], mut visit: impl FnMut(u32)) -> u64 {
        let mut stack = Vec::with_capacity(64);
        let mut passed = 0_u64;
        stack.push(head);
        while let Some(child) = stack.pop() {
            passed = passed.wrapping_add(1);
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
        passed
    }

    /// Visits the leaves that a sweep touches, near ones first. `visit` returns how much of the way is still of interest. A leaf
    /// may be visited although the sweep misses it by a unit. Returns the number of nodes on the way.
    pub(super) fn sweep(&self, head: i32, sweep: &Sweep, mut visit: impl FnMut(u32) -> f32) -> u64 {
        let line = sweep.is_line();
        let way = minus(sweep.to, sweep.from);
        let mut stack = Stack::default();
        let mut passed = 0_u64;
        let (mut child, mut from, mut to) = (head, 0.0_f32, 1.0_f32);
        let mut whole = 1.0_f32;
        loop {
            while let Some(node) = self.node(child) {
                passed = passed.wrapping_add(1);
                let [front, back] = node.children;
                let (half, middle) =
                    if line { (0.0, 0.0) } else { reach(node.plane.normal, sweep.low, sweep.high) };
                let margin = half + 1.0;
                let start = node.plane.ahead(sweep.from) + middle;
                let slope = dot(node.plane.normal, way);
                let (at_from, at_to) = (start + slope * from, start + slope * to);
                if at_from >= margin && at_to >= margin {
                    child = front;
                } else if at_from <= -margin && at_to <= -margin {
                    child = back;
                } else if slope == 0.0 || !slope.is_finite() {
                    stack.push((back, from, to));
                    child = front;
                } else {
                    let (enters, leaves) = ((-margin - start) / slope, (margin - start) / slope);
                    if slope > 0.0 {
                        // Going from behind to the front.
                        stack.push((front, from.max(enters), to));
                        (child, to) = (back, to.min(leaves));
                    } else {
                        stack.push((back, from.max(leaves), to));
                        (child, to) = (front, to.min(enters));
                    }
                }
            }
            if let Some(leaf) = leaf_of(child) {
                whole = visit(leaf);
            }
            loop {
                match stack.pop() {
                    // Behind what was hit.
                    Some((_, begin, _)) if begin > whole => {}
                    Some(rest) => {
                        (child, from, to) = rest;
                        break;
                    }
                    None => return passed,
                }
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

fn height_of(heights: &[u32], head: i32) -> u32 {
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
        assert!(said(deep.clone(), 0).contains("deeper than"));
        // Heads in the middle of one chain make it no shorter, whichever comes first.
        let heads = (0..30).map(|at| 100 * at);
        for heads in [heads.clone().collect::<Vec<i32>>(), heads.rev().collect()] {
            let error = Tree::new(deep.clone(), heads.into_iter(), 2).unwrap_err().to_string();
            assert!(error.contains("deeper than"), "{error}");
        }
        // A chain below a circle that no head is in has an end.
        let mut below: Vec<Node> = (1..200).map(|next| node([next, -1])).chain([node([-1, -2])]).collect();
        below.push(node([200, 0]));
        let tree = Tree::new(below.clone(), [100, 0].into_iter(), 2).unwrap();
        assert_eq!([tree.height(0), tree.height(100), tree.height(-1)], [200, 100, 0]);
        assert!(said(below, 200).contains("a node below itself"));
        assert!(Tree::new(vec![node([-1, -2])], [0, -1, 0].into_iter(), 2).is_ok());
    }
}
