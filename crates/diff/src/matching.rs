//! Pairs the nodes of two meshes.

use super::outline::{Outline, Position, center, steps};
use navmap_core::graph::boxes::{BoxTree, along_curve};
use navmap_core::graph::{FlatGraph, FlatNode, Point};
use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// Two nodes are the same if at least this share of their joint surface is in both.
const SAME: f64 = 0.5;

/// Ids mean the same in both meshes if this share of the common ids names nodes at the same place.
const TRUSTED: f64 = 0.9;

/// Below this share, ids are meaningless.
const HALF_TRUSTED: f64 = 0.5;

/// The most nodes with an overlapping box that are compared with a node, so that thousands of nodes in one place cost no more
/// than thousands side by side.
pub(super) const MOST_NEAR: usize = 256;

/// The steps that comparing the outlines of a mesh may take, and as many more for each node: corners of the one times corners of the
/// other for each pair. Quadrilaterals take 25, and overlap some dozen others. Polygons of sixty corners, all in one place, would take
/// some thousand for each byte.
const STEPS: u64 = 1 << 22;
const STEPS_OF_NODE: u64 = 2_048;

/// One of the two meshes.
#[derive(Debug)]
pub(super) struct Side<'g> {
    pub(super) graph: &'g FlatGraph,
    /// The steps that are left.
    steps: Cell<u64>,
    /// As seen from above, made when the first is asked for. `None` for a node without finite corners.
    outlines: OnceCell<Vec<Option<Outline>>>,
}

impl<'g> Side<'g> {
    pub(super) fn new(graph: &'g FlatGraph) -> Self {
        let steps = STEPS.saturating_add(STEPS_OF_NODE.saturating_mul(graph.nodes().len() as u64));
        Self { graph, steps: Cell::new(steps), outlines: OnceCell::new() }
    }

    pub(super) fn node(&self, at: u32) -> &'g FlatNode {
        &self.graph.nodes()[at as usize]
    }

    pub(super) fn outline(&self, at: u32) -> Option<&Outline> {
        let all = || self.graph.nodes().iter().map(|node| Outline::of(self.graph, node)).collect();
        self.outlines.get_or_init(all).get(at as usize)?.as_ref()
    }

    /// The middle of a node. `None` for one that has no outline.
    pub(super) fn center(&self, at: u32) -> Option<Position> {
        let middle = center(self.graph, self.node(at));
        // It is finite only if all corners are.
        let has_outline = !self.corners(at).is_empty() && middle.iter().all(|value| value.is_finite());
        has_outline.then_some(middle)
    }

    /// Takes steps. Returns whether there were as many.
    fn takes(&self, steps: u64) -> bool {
        let left = self.steps.get().checked_sub(steps);
        self.steps.set(left.unwrap_or(0));
        left.is_some()
    }

    /// The surface that a node shares with one of another mesh: that of their [outlines](Outline::shared), or once all steps are taken,
    /// of their [boxes](Outline::shared_box).
    pub(super) fn shared(&self, at: u32, (other, there): (&Side<'_>, u32), apart: f64) -> f64 {
        let (Some(a), Some(b)) = (self.outline(at), other.outline(there)) else { return 0.0 };
        let [own, others] = [self.corners(at).len(), other.corners(there).len()];
        if !a.misses(b) && !self.takes(steps(own, others)) {
            return a.shared_box(b, apart);
        }
        a.shared((self.graph, self.node(at)), b, (other.graph, other.node(there)), apart)
    }

    fn corners(&self, at: u32) -> &'g [Point] {
        self.graph.corners(self.node(at))
    }

    fn len(&self) -> u32 {
        self.graph.nodes().len() as u32
    }

    /// Whether the shapes are equal, to the bit.
    pub(super) fn has_shape_of(&self, at: u32, other: &Self, there: u32) -> bool {
        self.compare(at, other, there) == Ordering::Equal
    }

    fn compare(&self, at: u32, other: &Self, there: u32) -> Ordering {
        let bits = |p: &Point| p.to_array().map(f32::to_bits);
        let kind = |side: &Self, at| match side.graph.shape(side.node(at)) {
            navmap_core::graph::Shape::Point { radius, .. } => Some(radius.map(f32::to_bits)),
            navmap_core::graph::Shape::Polygon(_) => None,
        };
        let corners = self.corners(at).iter().map(bits).cmp(other.corners(there).iter().map(bits));
        corners.then_with(|| kind(self, at).cmp(&kind(other, there)))
    }

    fn digest(&self, at: u32) -> u32 {
        let mut hasher = DefaultHasher::new();
        for corner in self.corners(at) {
            corner.to_array().map(f32::to_bits).hash(&mut hasher);
        }
        (hasher.finish() >> 32) as u32
    }
}

/// A tree that finds the nodes near a place.
pub(super) struct Near {
    tree: BoxTree,
    order: Vec<u32>,
}

impl Near {
    /// Of the nodes that `keep` accepts: others would count among the most that are visited.
    pub(super) fn new(side: &Side<'_>, keep: impl Fn(u32) -> bool) -> Self {
        let middle = |at: usize| match side.center(at as u32) {
            Some([x, y, _]) => [x as f32, y as f32],
            None => [f32::NAN; 2],
        };
        let (mut order, _) = along_curve(side.len() as usize, middle);
        order.retain(|&at| keep(at));
        let boxes = order.iter().map(|&at| match side.outline(at) {
            Some(outline) => outline.bounds,
            None => [[f32::NAN; 3]; 2],
        });
        let tree = BoxTree::new(boxes.collect::<Vec<_>>().into_iter());
        Self { tree, order }
    }

    /// Calls `each` with at most [`MOST_NEAR`] nodes in the boxes that touch this one, widened by `margin`.
    pub(super) fn visit(&self, outline: &Outline, margin: f64, each: &mut dyn FnMut(u32)) {
        let [low, high] = outline.bounds.map(|corner| corner.map(f64::from));
        let bounds = [low.map(|v| (v - margin) as f32), high.map(|v| (v + margin) as f32)];
        let mut left = MOST_NEAR;
        self.tree.in_box(bounds, |first| {
            for &at in self.order.iter().skip(first).take(8) {
                if left == 0 {
                    return;
                }
                left -= 1;
                each(at);
            }
        });
    }
}

/// How nodes were matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// By their ids, which mean the same in both meshes.
    Ids,
    /// By their position. Ids differ or mean something else.
    Geometry,
    /// Some by their ids, the others by their position.
    Mixed,
}

impl Method {
    /// `ids`, `geometry`, `mixed`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ids => "ids",
            Self::Geometry => "geometry",
            Self::Mixed => "mixed",
        }
    }
}

/// One-to-one pairs of nodes of two meshes.
#[derive(Debug)]
pub(super) struct Matching {
    /// For each node before, the one after, or [`NONE`].
    pub(super) after: Vec<u32>,
    /// For each node after, the one before, or [`NONE`].
    pub(super) before: Vec<u32>,
}

impl Matching {
    /// The matching with these pairs.
    pub(super) fn of(pairs: &[(u32, u32)], [before, after]: [usize; 2]) -> Self {
        let mut matching = Self { after: vec![NONE; before], before: vec![NONE; after] };
        matching.take(pairs.iter().copied());
        matching
    }

    /// Matches the nodes. `apart` is the largest change of height of a node that is still the same, `reach` the largest distance
    /// for waypoints.
    pub(super) fn find(before: &Side<'_>, after: &Side<'_>, apart: f64, reach: f64) -> (Self, Method) {
        let mut matching =
            Self { after: vec![NONE; before.len() as usize], before: vec![NONE; after.len() as usize] };
        let ids = shared_ids(before, after);
        let agree = |&&(a, b): &&(u32, u32)| lie_together(before, a, after, b, apart, reach);
        let together = ids.iter().filter(agree).count() as f64 / (ids.len().max(1)) as f64;
        let as_one = if together < TRUSTED { moved_as_one(before, after, &ids) } else { 0.0 };
        let share = together.max(as_one);
        if share >= TRUSTED {
            // Of several nodes in one place the flags tell more than the id, which is that of a neighbour behind a node that was removed.
            let alike = |&(a, b): &(u32, u32)| {
                before.has_shape_of(a, after, b) && before.node(a).flags == after.node(b).flags
            };
            matching.take(ids.iter().copied().filter(alike));
        }
        if as_one >= TRUSTED {
            // A mesh of squares that moved by one square has other squares in the same places.
            matching.take(ids.iter().copied());
        }
        // Shapes come before the other ids: if ids are numbers in the file, those after a removed node name its neighbours.
        matching.same_shapes(before, after, share >= TRUSTED);
        if share >= TRUSTED {
            matching.take(ids.iter().copied());
        }
        if share >= HALF_TRUSTED {
            let together =
                ids.iter().copied().filter(|&(a, b)| lie_together(before, a, after, b, apart, reach));
            matching.take(together.collect::<Vec<_>>().into_iter());
        }
        matching.overlapping(before, after, apart, reach);
        let method = matching.method(before, after, share);
        (matching, method)
    }

    /// Pairs these nodes if both are free.
    fn take(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        for (a, b) in pairs {
            let (there, here) = (&mut self.after[a as usize], &mut self.before[b as usize]);
            if *there == NONE && *here == NONE {
                (*there, *here) = (b, a);
            }
        }
    }

    /// Pairs nodes with equal shapes, to the bit. `by_id` says that ids pair what the shapes leave.
    fn same_shapes(&mut self, before: &Side<'_>, after: &Side<'_>, by_id: bool) {
        let free = |partners: &[u32], side: &Side<'_>| {
            let nodes = (0..side.len()).filter(|&at| partners[at as usize] == NONE);
            let mut keys: Vec<(u32, u32)> = nodes.map(|at| (side.digest(at), at)).collect();
            keys.sort_unstable_by(|x, y| {
                x.0.cmp(&y.0).then_with(|| side.compare(x.1, side, y.1)).then(x.1.cmp(&y.1))
            });
            keys
        };
        let (left, right) = (free(&self.after, before), free(&self.before, after));
        let (mut l, mut r) = (0, 0);
        while let (Some(&(x, a)), Some(&(y, b))) = (left.get(l), right.get(r)) {
            match x.cmp(&y).then_with(|| before.compare(a, after, b)) {
                Ordering::Less => l += 1,
                Ordering::Greater => r += 1,
                Ordering::Equal => {
                    let run = |keys: &[(u32, u32)], from: usize, side: &Side<'_>| {
                        let (digest, first) = keys[from];
                        let rest = &keys[from..];
                        from + rest
                            .iter()
                            .take_while(|key| key.0 == digest && side.has_shape_of(first, side, key.1))
                            .count()
                    };
                    let (l_end, r_end) = (run(&left, l, before), run(&right, r, after));
                    let (left, right) = (&left[l..l_end], &right[r..r_end]);
                    self.one_place([left, right], [before, after], by_id);
                    (l, r) = (l_end, r_end);
                }
            }
        }
    }

    /// Pairs nodes that all lie in one place: those with equal flags, of one group first, and unless ids pair the others, these too, each in file order.
    fn one_place(&mut self, [left, right]: [&[(u32, u32)]; 2], [before, after]: [&Side<'_>; 2], by_id: bool) {
        if let ([a], [b]) = (left, right) {
            return self.take(std::iter::once((a.1, b.1)));
        }
        // Meshes of several hulls have the same floor once for each.
        for by_group in [true, false] {
            let kind = |side: &Side<'_>, at: u32| {
                let node = side.node(at);
                (node.flags, node.group.filter(|_| by_group))
            };
            let mut alike: HashMap<(u64, Option<u32>), VecDeque<u32>> = HashMap::new();
            for &(_, b) in right.iter().filter(|(_, b)| self.before[*b as usize] == NONE) {
                alike.entry(kind(after, b)).or_default().push_back(b);
            }
            let free = left.iter().filter(|(_, a)| self.after[*a as usize] == NONE);
            let same: Vec<(u32, u32)> =
                free.filter_map(|&(_, a)| Some((a, alike.get_mut(&kind(before, a))?.pop_front()?))).collect();
            self.take(same.into_iter());
        }
        if by_id {
            return;
        }
        let free = |keys: &[(u32, u32)], partners: &[u32]| -> Vec<u32> {
            keys.iter().map(|key| key.1).filter(|&at| partners[at as usize] == NONE).collect()
        };
        let (left, right) = (free(left, &self.after), free(right, &self.before));
        self.take(left.into_iter().zip(right));
    }

    /// Pairs the remaining nodes, largest overlap first.
    fn overlapping(&mut self, before: &Side<'_>, after: &Side<'_>, apart: f64, reach: f64) {
        if !self.after.contains(&NONE) || !self.before.contains(&NONE) {
            return;
        }
        let near = Near::new(after, |b| self.before[b as usize] == NONE);
        let mut pairs: Vec<(f64, u32, u32)> = Vec::new();
        for a in (0..before.len()).filter(|&a| self.after[a as usize] == NONE) {
            let Some(outline) = before.outline(a) else { continue };
            let margin = if outline.has_surface() { apart } else { reach };
            near.visit(outline, margin, &mut |b| {
                if after.outline(b).is_some() {
                    let likeness = likeness((before, a), (after, b), apart, reach);
                    if likeness >= SAME {
                        pairs.push((likeness, a, b));
                    }
                }
            });
        }
        // Two pairs with equal sums share no node unless they are identical, so the order is the same from either side.
        let sum = |pair: &(f64, u32, u32)| u64::from(pair.1) + u64::from(pair.2);
        pairs.sort_unstable_by(|x, y| y.0.total_cmp(&x.0).then(sum(x).cmp(&sum(y))));
        self.take(pairs.into_iter().map(|(_, a, b)| (a, b)));
    }

    fn method(&self, before: &Side<'_>, after: &Side<'_>, share: f64) -> Method {
        let pairs = self.pairs();
        let (mut same, mut all) = (0u64, 0u64);
        for (a, b) in pairs {
            all += 1;
            same += u64::from(before.node(a).id == after.node(b).id);
        }
        match (share >= HALF_TRUSTED, same == all) {
            (true, true) => Method::Ids,
            (true, false) => Method::Mixed,
            (false, _) => Method::Geometry,
        }
    }

    /// Frees an old node and its partner.
    pub(super) fn part_before(&mut self, before: u32) {
        let after = std::mem::replace(&mut self.after[before as usize], NONE);
        if let Some(partner) = self.before.get_mut(after as usize) {
            *partner = NONE;
        }
    }

    /// Frees a new node and its partner.
    pub(super) fn part_after(&mut self, after: u32) {
        let before = std::mem::replace(&mut self.before[after as usize], NONE);
        if let Some(partner) = self.after.get_mut(before as usize) {
            *partner = NONE;
        }
    }

    /// The pairs, in the order of the old nodes.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(&self.after).filter(|(_, b)| **b != NONE).map(|(a, &b)| (a, b))
    }
}

/// The similarity of two nodes: the share of their joint surface in both, or without a surface, their nearness.
fn likeness(one: (&Side<'_>, u32), other: (&Side<'_>, u32), apart: f64, reach: f64) -> f64 {
    let [Some(a), Some(b)] = [one, other].map(|(side, at)| side.outline(at)) else { return 0.0 };
    if a.has_surface() && b.has_surface() {
        let shared = one.0.shared(one.1, other, apart);
        return shared / (a.area + b.area - shared);
    }
    if a.has_surface() || b.has_surface() || a.point != b.point {
        return 0.0;
    }
    let [own, others] = [one, other].map(|(side, at)| side.corners(at).len() as u64);
    if !one.0.takes(own + others) {
        return 0.0;
    }
    // Half at the edge of reach, so that it just counts.
    let centers = [one, other].map(|(side, at)| center(side.graph, side.node(at)));
    let away = (0..3).map(|axis| (centers[0][axis] - centers[1][axis]).powi(2)).sum::<f64>().sqrt();
    1.0 - away / (2.0 * reach)
}

fn lie_together(before: &Side<'_>, a: u32, after: &Side<'_>, b: u32, apart: f64, reach: f64) -> bool {
    if before.has_shape_of(a, after, b) {
        return true;
    }
    match (before.outline(a), after.outline(b)) {
        (Some(was), Some(is)) if was.has_surface() && is.has_surface() => {
            before.shared(a, (after, b), apart) >= SAME * was.area.min(is.area)
        }
        (Some(_), Some(_)) => likeness((before, a), (after, b), apart, reach) >= SAME,
        _ => false,
    }
}

/// The share of nodes with common ids that moved by one vector, if the whole mesh was moved.
fn moved_as_one(before: &Side<'_>, after: &Side<'_>, ids: &[(u32, u32)]) -> f64 {
    /// Centers are rounded differently elsewhere.
    const ROUNDING: f64 = 0.25;
    let by = |&(a, b): &(u32, u32)| {
        let (was, is) = (before.center(a)?, after.center(b)?);
        Some([0, 1, 2].map(|axis| is[axis] - was[axis]))
    };
    let ways: Vec<[f64; 3]> = ids.iter().filter_map(by).collect();
    if ways.is_empty() {
        return 0.0;
    }
    let middle = [0, 1, 2].map(|axis: usize| {
        let mut values: Vec<f64> = ways.iter().map(|way| way[axis]).collect();
        let half = values.len() / 2;
        *values.select_nth_unstable_by(half, f64::total_cmp).1
    });
    let same = |way: &&[f64; 3]| (0..3).all(|axis| (way[axis] - middle[axis]).abs() <= ROUNDING);
    ways.iter().filter(same).count() as f64 / ids.len() as f64
}

/// Nodes with common ids, each once, in the order of the old nodes.
fn shared_ids(before: &Side<'_>, after: &Side<'_>) -> Vec<(u32, u32)> {
    let unique = |side: &Side<'_>| {
        let mut at_id: HashMap<u64, u32> = HashMap::with_capacity(side.graph.nodes().len());
        for (at, node) in (0..).zip(side.graph.nodes()) {
            at_id.entry(node.id).and_modify(|first| *first = NONE).or_insert(at);
        }
        at_id
    };
    let (left, right) = (unique(before), unique(after));
    let pairs = (0..).zip(before.graph.nodes()).filter_map(|(a, node)| {
        let b = *right.get(&node.id)?;
        (left.get(&node.id) == Some(&a) && b != NONE).then_some((a, b))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use navmap_core::graph::{Axes, Shape};

    /// Polygons of 40 corners, all but two of them along the way between the second and the third of three.
    fn side(triangles: &[[[f32; 2]; 3]]) -> FlatGraph {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        for (id, [a, b, c]) in (0..).zip(triangles) {
            let along = (0..39_u16).map(|at| {
                let share = f32::from(at) / 38.0;
                [0, 1].map(|axis| b[axis] + (c[axis] - b[axis]) * share)
            });
            let corners: Vec<Point> =
                std::iter::once(*a).chain(along).map(|[x, y]| Point::new(x, y, 0.0)).collect();
            graph.add_node(id, Shape::Polygon(&corners));
        }
        graph
    }

    #[test]
    fn once_all_steps_are_taken_outlines_are_compared_by_their_boxes() {
        // Two halves of a square, and a part of the second one.
        let half = side(&[[[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]]]);
        let others = side(&[
            [[100.0, 100.0], [0.0, 100.0], [100.0, 0.0]],
            [[100.0, 100.0], [60.0, 100.0], [100.0, 60.0]],
        ]);
        let (half, others) = (Side::new(&half), Side::new(&others));
        let shared = |there: u32| half.shared(0, (&others, there), 1.0);
        let each = steps(40, 40);
        let times = (STEPS + STEPS_OF_NODE) / each;
        assert!(times > 1_000 && times < 10_000, "{times}");
        for time in 0..times {
            assert!(shared(0) < 1.0, "{time}");
        }
        // No more than the surface of either.
        assert_eq!([0, 1].map(|there| shared(there).round()), [5_000.0, 800.0]);
        assert_eq!(others.shared(1, (&half, 0), 1.0).round(), 0.0, "it has steps of its own");
    }
}
