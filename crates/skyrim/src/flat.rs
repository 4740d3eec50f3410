//! Triangles without area, and what they lie between.
//!
//! In every real one two corners stand at one place, the edge between these two is a border, and over the other two edges, which
//! lie on each other, it joins two triangles. To delete it alone would leave two borders where one walks through.

use super::buf::NavMeshBuf;
use super::change::doubled_area;
use super::record::Edge;
use std::collections::BTreeSet;

/// How far corners may be above each other and still stand at one place, in sixty-fourths of a yard. Those of real ones are up to
/// 0.0001 apart.
const ABOVE: f32 = 1.0 / 16.0;

impl NavMeshBuf {
    /// The triangles that have no area seen from above, or a vertex twice.
    pub(super) fn flat_triangles(&self) -> BTreeSet<u16> {
        let is_flat = |vertices: [u16; 3], corners| {
            let [a, b, c] = vertices;
            a == b || b == c || c == a || doubled_area(corners) == 0.0
        };
        let triangles = (0_u16..).zip(&self.triangles);
        let flat = triangles.filter(|(_, triangle)| is_flat(triangle.vertices, self.corners(triangle)));
        flat.map(|(index, _)| index).collect()
    }

    /// Joins what lies on both sides of triangles without area, so that they can be deleted and no way is cut. Where two corners
    /// stand at one place, these become one vertex, and the triangles over the other two edges neighbours. Returns the triangles
    /// that are still on a way, and have to stay.
    pub(super) fn join_over(&mut self, flat: &BTreeSet<u16>) -> BTreeSet<u16> {
        let mut stay = BTreeSet::new();
        let mut welded = Welded::none(self.vertices.len());
        for index in flat.iter().copied() {
            let ways = (0..3).filter(|edge| self.leads_on(index, *edge, &mut welded)).count();
            if ways > 1 && !self.close(index, &mut welded) {
                stay.insert(index);
            }
        }
        let all = welded.all();
        self.rename_vertices(|vertex| all.get(usize::from(vertex)).copied().unwrap_or(vertex));
        stay
    }

    /// Whether an edge is a link, or has a neighbour that shares it and leads back.
    fn leads_on(&self, triangle: u16, edge: usize, welded: &mut Welded) -> bool {
        let edges = self.triangles.get(usize::from(triangle)).map(|triangle| triangle.edges());
        let is_link = edges.is_some_and(|edges| matches!(edges.get(edge), Some(Edge::Link(_))));
        is_link || self.beyond(triangle, edge, welded).is_some()
    }

    /// The neighbour that shares an edge, and its edge that leads back.
    fn beyond(&self, triangle: u16, edge: usize, welded: &mut Welded) -> Option<(u16, usize)> {
        let here = self.triangles.get(usize::from(triangle))?;
        let Edge::Neighbour(other) = *here.edges().get(edge)? else { return None };
        let there = self.triangles.get(usize::from(other))?;
        let (from, to) = ends(welded.all_of(here.vertices), edge)?;
        let corners = welded.all_of(there.vertices);
        let back = |at: &usize| {
            there.edges().get(*at) == Some(&Edge::Neighbour(triangle))
                && ends(corners, *at) == Some((to, from))
        };
        (0..3).find(back).map(|back| (other, back))
    }

    /// Makes the neighbours over the two long edges of a triangle each other's, and its other two corners one vertex. `false` if it
    /// has no two corners at one place, or no such neighbours.
    fn close(&mut self, index: u16, welded: &mut Welded) -> bool {
        let Some(triangle) = self.triangles.get(usize::from(index)).copied() else { return false };
        let vertices @ [a, b, c] = welded.all_of(triangle.vertices);
        let mut short: Vec<usize> = [(a, b), (b, c), (c, a)]
            .into_iter()
            .enumerate()
            .filter(|(_, (one, other))| self.at_one_place(*one, *other))
            .map(|(edge, _)| edge)
            .collect();
        let edges = triangle.edges();
        short.retain(|edge| !matches!(edges.get(*edge), Some(Edge::Link(_))));
        // A point has three short edges: it is closed over a border, if it has one.
        short.sort_by_key(|edge| edges.get(*edge) != Some(&Edge::Border));
        for short in short {
            let [one, other] = if short == 0 {
                [1, 2]
            } else if short == 1 {
                [2, 0]
            } else {
                [0, 1]
            };
            let (one, other) = (self.beyond(index, one, welded), self.beyond(index, other, welded));
            let Some(((one, at), (other, back))) = one.zip(other) else { continue };
            // A triangle on both sides is as flat, and ends here.
            let [to_one, to_other] =
                if one == other { [Edge::Border; 2] } else { [one, other].map(Edge::Neighbour) };
            for (triangle, edge, to) in [(one, at, to_other), (other, back, to_one)] {
                if let Some(triangle) = self.triangles.get_mut(usize::from(triangle)) {
                    triangle.set_edge(edge, to);
                }
            }
            if let Some((kept, gone)) = ends(vertices, short) {
                welded.join(kept, gone);
            }
            return true;
        }
        false
    }

    fn at_one_place(&self, one: u16, other: u16) -> bool {
        let place = |vertex: u16| self.vertices.get(usize::from(vertex)).copied();
        let (Some([ax, ay, az]), Some([bx, by, bz])) = (place(one), place(other)) else { return false };
        one == other || ((ax, ay) == (bx, by) && (az - bz).abs() <= ABOVE * self.scale())
    }
}

/// The vertices that became one: for each the one that took it in, or itself.
struct Welded(Vec<u16>);

impl Welded {
    /// As many vertices, each by itself.
    fn none(count: usize) -> Self {
        Self((0..=u16::MAX).take(count).collect())
    }

    /// The one that a vertex is now.
    fn of(&mut self, vertex: u16) -> u16 {
        let mut at = vertex;
        while let Some(next) = self.0.get(usize::from(at)).copied().filter(|next| *next != at) {
            // Who asks again has half as far to go.
            let after = self.0.get(usize::from(next)).copied().unwrap_or(next);
            if let Some(slot) = self.0.get_mut(usize::from(at)) {
                *slot = after;
            }
            at = after;
        }
        at
    }

    fn all_of(&mut self, vertices: [u16; 3]) -> [u16; 3] {
        vertices.map(|vertex| self.of(vertex))
    }

    /// Lets one vertex take another in. Both are what they are now.
    fn join(&mut self, kept: u16, gone: u16) {
        if let Some(slot) = self.0.get_mut(usize::from(gone)) {
            *slot = kept;
        }
    }

    /// What each vertex is now.
    fn all(mut self) -> Vec<u16> {
        (0..=u16::MAX).take(self.0.len()).map(|vertex| self.of(vertex)).collect()
    }
}

/// The vertices at the ends of an edge.
fn ends([a, b, c]: [u16; 3], edge: usize) -> Option<(u16, u16)> {
    [(a, b), (b, c), (c, a)].get(edge).copied()
}
