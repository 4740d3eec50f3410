//! Slow and plain answers for meshes of any family, from the flat graph.

use navmap::graph::{FlatGraph, NavGraph, Point, Shape, Surface, Up};
use navmap::query::NavIndex;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) type V = [f64; 3];

/// A mesh as corners, centers and links with lengths.
#[derive(Clone)]
pub(crate) struct Naive {
    pub(crate) corners: Vec<Vec<V>>,
    pub(crate) links: Vec<Vec<(usize, f64)>>,
    pub(crate) points: bool,
    /// What rounding of single coordinates may add up to.
    pub(crate) room: f64,
    up: Up,
}

pub(crate) fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
pub(crate) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
pub(crate) fn distance(a: V, b: V) -> f64 {
    dot(sub(a, b), sub(a, b)).sqrt()
}

impl Naive {
    pub(crate) fn new(flat: &FlatGraph) -> Self {
        let up = flat.axes().up;
        let bilinear = flat.rules().surface == Surface::Bilinear;
        let corners: Vec<Vec<V>> = flat
            .nodes()
            .iter()
            .map(|node| flat.corners(node).iter().map(|&p| plan(up, p)).collect())
            .collect();
        let center = |node: usize| {
            let corners = &corners[node];
            let center: V = match bilinear {
                true => [0, 1, 2].map(|i| (corners[0][i] + corners[2][i]) / 2.0),
                false => [0, 1, 2].map(|i| corners.iter().map(|c| c[i]).sum::<f64>() / corners.len() as f64),
            };
            // A center is a point of the mesh: three floats.
            center.map(|v| f64::from(v as f32))
        };
        let mut links = vec![Vec::new(); corners.len()];
        for link in flat.links() {
            let Some(to) = link.to else { continue };
            let straight = distance(center(link.from as usize), center(to as usize));
            let length = link.passage.length.map_or(straight, f64::from);
            links[link.from as usize].push((to as usize, length));
        }
        let points = flat.nodes().iter().any(|node| matches!(flat.shape(node), Shape::Point { .. }));
        let largest =
            corners.iter().flatten().flatten().filter(|v| v.is_finite()).fold(0f64, |a, b| a.max(b.abs()));
        Self { corners, links, points, room: 1e-4 + largest * 1e-6, up }
    }

    pub(crate) fn plan(&self, p: Point) -> V {
        plan(self.up, p)
    }

    pub(crate) fn unplan(&self, p: V) -> Point {
        let p = p.map(|v| v as f32);
        match self.up {
            Up::Z => Point::new(p[0], p[1], p[2]),
            Up::Y => Point::new(p[0], p[2], -p[1]),
        }
    }

    /// Distance to the nearest point of a node.
    pub(crate) fn distance_to(&self, node: usize, p: V) -> f64 {
        let c = &self.corners[node];
        match c.len() {
            0 => f64::INFINITY,
            1 => distance(c[0], p),
            n => (1..n.max(3) - 1)
                .map(|i| to_triangle(c[0], c[i], c[(i + 1).min(n - 1)], p))
                .fold(f64::INFINITY, f64::min),
        }
    }

    /// Distance to a node as seen from above.
    pub(crate) fn beside(&self, node: usize, p: V) -> f64 {
        let flat = |p: &V| [p[0], p[1], 0.0];
        let c: Vec<V> = self.corners[node].iter().map(flat).collect();
        if height(&c, p[0], p[1]).is_some() {
            return 0.0;
        }
        let sides = (0..c.len()).map(|i| to_segment(c[i], c[(i + 1) % c.len()], flat(&p)));
        sides.fold(f64::INFINITY, f64::min)
    }

    /// Costs of the shortest ways from a node.
    pub(crate) fn dijkstra(&self, from: usize) -> Vec<f64> {
        let mut cost = vec![f64::INFINITY; self.links.len()];
        let mut heap = BinaryHeap::from([(Reverse(0u64), from)]);
        cost[from] = 0.0;
        while let Some((Reverse(bits), node)) = heap.pop() {
            let here = f64::from_bits(bits);
            if here > cost[node] {
                continue;
            }
            for &(to, length) in &self.links[node] {
                if here + length < cost[to] {
                    cost[to] = here + length;
                    heap.push((Reverse(cost[to].to_bits()), to));
                }
            }
        }
        cost
    }
}

fn plan(up: Up, p: Point) -> V {
    let [x, y, z] = p.to_array().map(f64::from);
    match up {
        Up::Z => [x, y, z],
        Up::Y => [x, -z, y],
    }
}

fn to_segment(a: V, b: V, p: V) -> f64 {
    let way = sub(b, a);
    let l2 = dot(way, way);
    let t = if l2 > 0.0 { (dot(sub(p, a), way) / l2).clamp(0.0, 1.0) } else { 0.0 };
    distance([0, 1, 2].map(|i| a[i] + way[i] * t), p)
}

/// The plane where the foot of the point lies inside, else the nearest of the three sides.
fn to_triangle(a: V, b: V, c: V, p: V) -> f64 {
    let sides = to_segment(a, b, p).min(to_segment(b, c, p)).min(to_segment(c, a, p));
    let (u, v) = (sub(b, a), sub(c, a));
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let n2 = dot(n, n);
    if n2 < 1e-12 {
        return sides;
    }
    let h = dot(sub(p, a), n) / n2;
    let foot = sub(p, n.map(|v| v * h));
    let inside = |a: V, b: V| {
        let (e, w) = (sub(b, a), sub(foot, a));
        let cross = [e[1] * w[2] - e[2] * w[1], e[2] * w[0] - e[0] * w[2], e[0] * w[1] - e[1] * w[0]];
        dot(cross, n) >= 0.0
    };
    if inside(a, b) && inside(b, c) && inside(c, a) { distance(foot, p) } else { sides }
}

/// Height of a triangle fan over x, y, by which triangle holds it.
pub(crate) fn height(corners: &[V], x: f64, y: f64) -> Option<f64> {
    for i in 1..corners.len().saturating_sub(1) {
        let (a, b, c) = (corners[0], corners[i], corners[i + 1]);
        let det = (b[1] - c[1]) * (a[0] - c[0]) + (c[0] - b[0]) * (a[1] - c[1]);
        if det == 0.0 {
            continue;
        }
        let u = ((b[1] - c[1]) * (x - c[0]) + (c[0] - b[0]) * (y - c[1])) / det;
        let v = ((c[1] - a[1]) * (x - c[0]) + (a[0] - c[0]) * (y - c[1])) / det;
        if u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
            return Some(u * a[2] + v * b[2] + (1.0 - u - v) * c[2]);
        }
    }
    None
}

/// Smallest and largest coordinates of every node, z up. A waypoint is a disc.
pub(crate) struct Boxes(pub(crate) Vec<[V; 2]>);

impl Boxes {
    pub(crate) fn new(index: &NavIndex, mesh: &Naive) -> Self {
        let boxed = |node: usize| {
            let mut bounds = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
            for corner in &mesh.corners[node] {
                for axis in 0..3 {
                    bounds[0][axis] = bounds[0][axis].min(corner[axis]);
                    bounds[1][axis] = bounds[1][axis].max(corner[axis]);
                }
            }
            let radius = index.of_node(node as u32).and_then(|area| index.radius(area)).unwrap_or(0.0);
            // The sum of two floats is rounded to one, as in the index.
            let [low, high] = &mut bounds;
            low.iter_mut().take(2).for_each(|v| *v = f64::from(*v as f32 - radius));
            high.iter_mut().take(2).for_each(|v| *v = f64::from(*v as f32 + radius));
            bounds
        };
        Self((0..mesh.corners.len()).map(boxed).collect())
    }

    /// The square of the distance to the box of a node.
    pub(crate) fn far(&self, node: usize, p: V) -> f64 {
        let [low, high] = &self.0[node];
        (0..3).map(|axis| (low[axis] - p[axis]).max(p[axis] - high[axis]).max(0.0).powi(2)).sum()
    }
}
