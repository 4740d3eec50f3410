//! What differs by no more than rounding.

use super::matching::Matching;
use super::near::close;
use super::{Diff, Shaped, link, mark};
use navmap_core::graph::{FlatGraph, NavGraph, Shape};

/// A twentieth of a millimetre: nobody and no game can tell it, and a way through decimal text may lose as much.
const NOISE_METRES: f32 = 0.000_05;

/// The least move that counts, in units of the mesh: a twentieth of a millimetre. That is 0.002 in Source, Quake and
/// waypoints, 0.0035 in Bethesda's games, and 0.00005 where a unit is a metre. Far from the origin it is four times what a
/// 32-bit number can tell apart.
pub fn noise(graph: &FlatGraph) -> f32 {
    NOISE_METRES / graph.axes().metres_per_unit.max(1e-9)
}

impl Diff {
    /// Leaves out of `changed`, `links` and `marks` what moved by no more than noise, and returns how many nodes, links and marks
    /// that were. Those of the nodes that have another id and no other change count as `renumbered`.
    pub fn ignore_noise(&mut self, before: &FlatGraph, after: &FlatGraph) -> usize {
        let least = noise(before);
        let mut ignored = 0_usize;
        let near = |a: Shape<'_>, b: Shape<'_>| {
            let (from, to) = (a.corners(), b.corners());
            let radius = |shape: Shape<'_>| match shape {
                Shape::Point { radius, .. } => radius,
                Shape::Polygon(_) => None,
            };
            let close = |a, b| close(least, a, b);
            let all = |(a, b): (&navmap_core::graph::Point, &navmap_core::graph::Point)| {
                a.to_array().iter().zip(b.to_array()).all(|(a, b)| close(*a, b))
            };
            let radii = match (radius(a), radius(b)) {
                (Some(a), Some(b)) => close(a, b),
                (a, b) => a.is_none() && b.is_none(),
            };
            from.len() == to.len() && radii && from.iter().zip(to).all(all)
        };
        for change in &mut self.changed {
            let shapes = [(before, change.before), (after, change.after)];
            let [was, is] =
                shapes.map(|(graph, at)| graph.nodes().get(at as usize).map(|node| graph.shape(node)));
            if let (Some(Shaped::Moved(_) | Shaped::Reshaped { .. } | Shaped::Radius(_)), Some(was), Some(is)) =
                (change.shape, was, is)
                && near(was, is)
            {
                change.shape = None;
                ignored += 1;
            }
        }
        let id = |graph: &FlatGraph, at: u32| graph.nodes().get(at as usize).map(|node| node.id);
        self.changed.retain(|change| {
            let stays = change.shape.is_some()
                || change.set | change.cleared != 0
                || change.place.is_some()
                || change.group.is_some();
            self.renumbered += u32::from(!stays && id(before, change.before) != id(after, change.after));
            stays
        });
        if !(self.links.changed.is_empty() && self.marks.is_empty()) {
            let matching = Matching::of(&self.pairs, [before, after].map(|graph| graph.nodes().len()));
            let (links, still) = link::changes(before, after, &matching, Some(least));
            let (marks, lying) = mark::changes(before, after, &matching, Some(least));
            (self.links, self.marks) = (links, marks);
            ignored += still + lying;
        }
        ignored
    }
}
