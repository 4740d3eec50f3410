//! Polygons with shared corners.

use super::Bill;
use super::budget::Budget;
use super::loops::{Loop, Loops, MOST_VERTICES, PerEdge, Piece};
use navmap_core::error::Result;
use navmap_core::graph::{FlatGraph, Link, NavGraph, Point, Shape, Triangles};

/// How far apart in plan two edges may lie and still be joined, in metres.
const TOUCH: f32 = 0.03;
/// The shortest stretch over which two polygons are joined.
const SHORTEST: f32 = 0.02;
/// The most corners of a polygon: joining takes quadratic time.
const MOST_CORNERS: usize = 512;
/// Half the side of the square that represents a waypoint.
const HALF: f32 = 0.2;

#[derive(Debug, Default)]
pub(crate) struct Soup {
    pub(crate) vertices: Vec<[f32; 3]>,
    pub(crate) loops: Loops,
}

/// Twice the signed area in plan.
pub(super) fn area(points: impl Iterator<Item = [f32; 3]> + Clone) -> f64 {
    let ahead = points.clone().cycle().skip(1);
    points
        .zip(ahead)
        .map(|([ax, _, az], [bx, _, bz])| f64::from(ax) * f64::from(bz) - f64::from(bx) * f64::from(az))
        .sum()
}

/// Twice the signed area of a triangle in plan.
pub(super) fn turn([ax, _, az]: [f32; 3], [bx, _, bz]: [f32; 3], [cx, _, cz]: [f32; 3]) -> f64 {
    f64::from(bx - ax) * f64::from(cz - az) - f64::from(bz - az) * f64::from(cx - ax)
}

fn lerp(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])]
}

fn plan_distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (a[0] - b[0]).hypot(a[2] - b[2])
}

impl Soup {
    /// The polygons of a graph in metres, y up. Vertices are not shared yet.
    pub(super) fn from_graph(graph: &FlatGraph, group: Option<u32>, bill: &mut Bill) -> Self {
        let axes = graph.axes();
        let mut soup = Self::default();
        for (index, node) in graph.nodes().iter().enumerate() {
            if group.is_some() && node.group != group {
                Bill::add(&mut bill.dropped, "nodes of other hulls or groups", 1);
                continue;
            }
            let place = |p: &Point| axes.to_metres_y_up(*p).to_array();
            let mut points: Vec<[f32; 3]> = match graph.shape(node) {
                Shape::Polygon(corners) => corners.iter().map(place).collect(),
                Shape::Point { at, .. } => {
                    let [x, y, z] = place(&at);
                    Bill::add(&mut bill.approximated, "waypoints, as squares of 40 cm", 1);
                    [(-HALF, -HALF), (-HALF, HALF), (HALF, HALF), (HALF, -HALF)]
                        .map(|(u, v)| [x + u, y, z + v])
                        .to_vec()
                }
            };
            if points.len() > MOST_CORNERS {
                Bill::add(&mut bill.dropped, "nodes of more than 512 corners", 1);
                continue;
            }
            points.dedup_by(|a, b| plan_distance(*a, *b) < 1e-3);
            while points.len() > 1 && plan_distance(points[0], points[points.len() - 1]) < 1e-3 {
                points.pop();
            }
            let finite = points.iter().flatten().all(|value| value.is_finite() && value.abs() < 1e7);
            let doubled = if finite { area(points.iter().copied()) } else { 0.0 };
            if points.len() < 3 || doubled.abs() < 1e-4 {
                Bill::add(&mut bill.dropped, "nodes without an area", 1);
                continue;
            }
            // Half of what can be numbered is left to vertices that are made later.
            if soup.vertices.len() > MOST_VERTICES / 2 || !soup.loops.has_room(MOST_CORNERS * 4) {
                Bill::add(&mut bill.dropped, "nodes that are more than can be numbered", 1);
                continue;
            }
            if doubled > 0.0 {
                points.reverse();
            }
            soup.add(index as u32, &points, bill);
        }
        soup
    }

    fn add(&mut self, node: u32, points: &[[f32; 3]], bill: &mut Bill) {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(points);
        let all: Vec<u32> = (first..self.vertices.len() as u32).collect();
        let n = all.len();
        let at = |i: usize| self.vertices[all[i % n] as usize];
        let convex = (0..n).all(|i| turn(at(i), at(i + 1), at(i + 2)) < 1e-4);
        let loops = if convex { vec![all] } else { self.ears(&all) };
        if loops.len() > 1 {
            Bill::add(&mut bill.cut, "polygons that were not convex", 1);
        }
        let own = |a: u32, b: u32| (b.max(a) - b.min(a) == 1 || b.max(a) - b.min(a) == n as u32 - 1) && n > 3;
        for corners in loops {
            let mut piece = Piece::of(node);
            for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                // Edges between ears are open, those of the polygon itself not yet.
                piece.push(*a, !convex && !own(*a, *b));
            }
            self.loops.push(piece.as_loop());
        }
    }

    /// Triangulates a polygon that is not convex.
    fn ears(&self, all: &[u32]) -> Vec<Vec<u32>> {
        let at = |v: u32| self.vertices[v as usize];
        let plan = all.iter().map(|v| at(*v)).map(|[x, _, z]| [x.into(), z.into()]).collect();
        let triangles = Triangles::ears(plan).into_iter().map(|places| places.map(|place| all[place]));
        let kept = triangles.filter(|[a, b, c]| turn(at(*a), at(*b), at(*c)) < 0.0);
        kept.map(Vec::from).collect()
    }

    /// The loops of a node.
    pub(super) fn loops_of(&self, node: u32) -> impl ExactSizeIterator<Item = Loop<'_>> + '_ {
        self.loops.of_node(node).map(|index| self.loops.get(index))
    }

    /// The corners of a loop.
    pub(super) fn corners<'s>(
        &'s self,
        of: Loop<'s>,
    ) -> impl ExactSizeIterator<Item = [f32; 3]> + Clone + 's {
        of.corners().map(|vertex| self.vertices[vertex as usize])
    }

    /// Joins nodes that are linked both ways on foot and meet over an edge: cuts their edges to the same length and gives them
    /// the same vertices. Returns the numbers of the links that are not joined this way, ascending.
    pub(super) fn weld(&mut self, graph: &FlatGraph, budget: &Budget, bill: &mut Bill) -> Result<Vec<u32>> {
        let step = graph.rules().step * graph.axes().metres_per_unit;
        let most = if step.is_finite() { step.clamp(0.05, 3.0) * 1.1 + 0.05 } else { 0.5 };
        let on_foot = |link: &Link| link.kind.on_foot() && link.to.is_some_and(|to| to != link.from);
        let mut there: Vec<(u32, u32)> =
            graph.links().iter().filter(on_foot).filter_map(|link| Some((link.from, link.to?))).collect();
        there.sort_unstable();
        there.dedup();
        let pairs = there.iter().filter(|(a, b)| a < b && there.binary_search(&(*b, *a)).is_ok());
        let mut stretches = Vec::new();
        let mut taken: PerEdge<[f32; 2]> = PerEdge::new(self.loops.edges());
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for &(a, b) in pairs {
            for first in self.loops.of_node(a) {
                for second in self.loops.of_node(b) {
                    let corners = |of: u32| self.loops.get(of).len();
                    if !budget.takes(corners(first) * corners(second)) {
                        budget.held()?;
                    }
                    for stretch in self.meet(first, second, most) {
                        let free = stretch.iter().all(|side| {
                            let [from, to] = side.span;
                            let taken = taken.of(side.slot(&self.loops));
                            budget.takes(taken.clone().count());
                            taken.into_iter().all(|[a, b]| to <= a + 1e-4 || from >= b - 1e-4)
                        });
                        if free {
                            stretch.iter().for_each(|side| taken.push(side.slot(&self.loops), side.span));
                            stretches.push(stretch);
                            if joined.last() != Some(&(a, b)) {
                                joined.push((a, b));
                            }
                        }
                    }
                }
            }
        }
        drop(there);
        bill.joined = joined.len() as u64;
        self.stitch(&stretches, &taken, budget, bill)?;
        let is_joined = |from: u32, to: u32| joined.binary_search(&(from.min(to), from.max(to))).is_ok();
        let alone = (0..).zip(graph.links()).filter(|(_, link)| match link.to {
            Some(to) => !(link.kind.on_foot() && is_joined(link.from, to)),
            None => {
                Bill::add(&mut bill.dropped, "links that lead out of the mesh", 1);
                false
            }
        });
        Ok(alone.map(|(index, _)| index).collect())
    }

    /// The stretches over which the edges of two loops coincide, in opposite directions.
    fn meet(&self, first: u32, second: u32, most: f32) -> Vec<[Side; 2]> {
        let mut found = Vec::new();
        let [one, other] = [first, second].map(|index| self.loops.get(index));
        let edge = |polygon: Loop<'_>, i: usize| polygon.ends(i).map(|v| self.vertices[v as usize]);
        for i in (0..one.len()).filter(|i| !one.is_open(*i)) {
            let [a, b] = edge(one, i);
            let length = plan_distance(a, b);
            if length < SHORTEST {
                continue;
            }
            let (ux, uz) = ((b[0] - a[0]) / length, (b[2] - a[2]) / length);
            for j in (0..other.len()).filter(|j| !other.is_open(*j)) {
                let [c, d] = edge(other, j);
                let along = |p: [f32; 3]| (p[0] - a[0]) * ux + (p[2] - a[2]) * uz;
                let off = |p: [f32; 3]| ((p[0] - a[0]) * uz - (p[2] - a[2]) * ux).abs();
                let (start, end) = (along(d), along(c));
                let (from, to) = (start.max(0.0), end.min(length));
                if off(c) > TOUCH || off(d) > TOUCH || end - start < SHORTEST || to - from < SHORTEST {
                    continue;
                }
                let here = [from, to].map(|s| s / length);
                // The other edge runs in the opposite direction.
                let there = [to, from].map(|s| (end - s) / (end - start));
                let rise = |k: usize| (lerp(a, b, here[k])[1] - lerp(c, d, there[1 - k])[1]).abs();
                if rise(0) <= most && rise(1) <= most {
                    let sides = [(first, i, here), (second, j, there)];
                    found.push(sides.map(|(polygon, edge, span)| Side { polygon, edge: edge as u32, span }));
                }
            }
        }
        found
    }

    /// Inserts the ends of stretches into the edges, and merges vertices that meet. `spans` are the stretches by their edges.
    fn stitch(
        &mut self,
        stretches: &[[Side; 2]],
        spans: &PerEdge<[f32; 2]>,
        budget: &Budget,
        bill: &mut Bill,
    ) -> Result<()> {
        // The points inserted into each edge: position along it, and vertex.
        let mut points: PerEdge<(f32, u32)> = PerEdge::new(self.loops.edges());
        let mut same: Vec<(u32, u32)> = Vec::with_capacity(stretches.len() * 2);
        let mut inserted = 0;
        for stretch in stretches {
            let [here, there] =
                stretch.map(|side| side.span.map(|t| self.point(&mut points, side, t, &mut inserted)));
            same.extend([(here[0], there[1]), (here[1], there[0])]);
            let beside = |side: &Side| points.of(side.slot(&self.loops)).count();
            if !budget.takes(stretch.iter().map(beside).sum()) {
                budget.held()?;
            }
        }
        Bill::add(&mut bill.cut, "edges where another one begins", inserted);
        let old = std::mem::take(&mut self.loops);
        let (mut piece, mut chain) = (Piece::of(0), Vec::new());
        for (index, polygon) in (0..).zip(old.iter()) {
            piece.clear(polygon.node);
            for (edge, corner) in polygon.corners().enumerate() {
                let slot = old.first_edge(index) + edge;
                chain.clear();
                chain.extend(points.of(slot));
                chain.sort_by(|a, b| a.0.total_cmp(&b.0));
                chain.insert(0, (0.0, corner));
                let spans = spans.of(slot);
                if !budget.takes(chain.len() * spans.clone().count()) {
                    budget.held()?;
                }
                for (k, (from, vertex)) in chain.iter().enumerate() {
                    let to = chain.get(k + 1).map_or(1.0, |next| next.0);
                    let middle = f32::midpoint(*from, to);
                    let is_met = || spans.clone().any(|[a, b]| a < middle && middle < b);
                    piece.push(*vertex, polygon.is_open(edge) || is_met());
                }
            }
            self.loops.push(piece.as_loop());
        }
        drop((old, points));
        self.unite(&same, bill);
        Ok(())
    }

    /// The vertex at a position on an edge: a corner, one inserted before, or a new one.
    fn point(&mut self, points: &mut PerEdge<(f32, u32)>, side: Side, t: f32, inserted: &mut u64) -> u32 {
        let [a, b] = self.loops.get(side.polygon).ends(side.edge as usize);
        let (from, to) = (self.vertices[a as usize], self.vertices[b as usize]);
        let near = SHORTEST / plan_distance(from, to).max(SHORTEST);
        if t <= near {
            return a;
        }
        if t >= 1.0 - near {
            return b;
        }
        let slot = side.slot(&self.loops);
        if let Some((_, vertex)) = points.of(slot).find(|(other, _)| (other - t).abs() <= near) {
            return vertex;
        }
        let vertex = self.vertices.len() as u32;
        self.vertices.push(lerp(from, to, t));
        points.push(slot, (t, vertex));
        *inserted += 1;
        vertex
    }

    /// Merges equal vertices into one, at their mean.
    fn unite(&mut self, same: &[(u32, u32)], bill: &mut Bill) {
        let mut parent: Vec<u32> = (0..self.vertices.len() as u32).collect();
        fn root(parent: &mut [u32], mut v: u32) -> u32 {
            while parent[v as usize] != v {
                parent[v as usize] = parent[parent[v as usize] as usize];
                v = parent[v as usize];
            }
            v
        }
        for &(a, b) in same {
            let (a, b) = (root(&mut parent, a), root(&mut parent, b));
            parent[a.max(b) as usize] = a.min(b);
        }
        // Only vertices that are merged need a sum: most have one place.
        const ALONE: u32 = u32::MAX;
        let mut group = vec![ALONE; self.vertices.len()];
        let mut sums: Vec<([f64; 3], u32)> = Vec::new();
        for v in 0..self.vertices.len() as u32 {
            let root = root(&mut parent, v) as usize;
            if root != v as usize && group[root] == ALONE {
                group[root] = sums.len() as u32;
                sums.push(([0.0; 3], 0));
            }
        }
        for v in 0..self.vertices.len() as u32 {
            if let Some((sum, count)) = sums.get_mut(group[root(&mut parent, v) as usize] as usize) {
                sum.iter_mut()
                    .zip(self.vertices[v as usize])
                    .for_each(|(sum, value)| *sum += f64::from(value));
                *count += 1;
            }
        }
        let mut moved = 0;
        for v in 0..self.vertices.len() as u32 {
            let Some((sum, count)) = sums.get(group[root(&mut parent, v) as usize] as usize) else {
                // As a sum of one: the negative of 0 would be another text.
                self.vertices[v as usize].iter_mut().for_each(|value| *value += 0.0);
                continue;
            };
            let middle = sum.map(|value| (value / f64::from(*count)) as f32);
            let old = std::mem::replace(&mut self.vertices[v as usize], middle);
            let by = (old[1] - middle[1]).abs().max(plan_distance(old, middle));
            moved += u64::from(by > 0.01);
            bill.moved = bill.moved.max(by);
        }
        Bill::add(
            &mut bill.approximated,
            "corners that were moved by more than a centimetre to meet others",
            moved,
        );
        let old = std::mem::take(&mut self.loops);
        let mut piece = Piece::of(0);
        for polygon in old.iter() {
            piece.copy(polygon);
            piece.renumber(|v| root(&mut parent, v));
            let polygon = piece.as_loop();
            if polygon.len() > 2 && area(self.corners(polygon)) < -1e-5 {
                self.loops.push(polygon);
            }
        }
        Bill::add(&mut bill.dropped, "slivers", (old.len() - self.loops.len()) as u64);
    }
}

/// A stretch of a loop's edge, from 0 to 1 along it.
#[derive(Debug, Clone, Copy)]
struct Side {
    polygon: u32,
    edge: u32,
    span: [f32; 2],
}

impl Side {
    /// The number of its edge, among those of all loops.
    fn slot(&self, loops: &Loops) -> usize {
        loops.first_edge(self.polygon) + self.edge as usize
    }
}
