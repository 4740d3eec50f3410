//! Static props with a shape: convex pieces of their models, in place.

use super::brush::{Brush, Side, clip, holds};
use super::contents::Contents;
use super::phy::Piece;
use super::placed::Placed;
use super::trace::{Sweep, Trace, cross, dot};
use super::tree::Plane;
use navmap_core::graph::boxes::BoxTree;

type Vec3 = [f32; 3];

/// The most sides of all props together, about 60 MB.
const MOST_SIDES: usize = 1 << 21;
/// A piece with more edge directions gets no edge planes for boxes: a box then stops too early, by at most its own width.
const MOST_EDGES: usize = 12;

/// Convex pieces in the world.
#[derive(Clone, Debug)]
pub(super) struct Shapes {
    brushes: Vec<Brush>,
    sides: Vec<Side>,
    bounds: Vec<[Vec3; 2]>,
    tree: BoxTree,
}

impl Default for Shapes {
    fn default() -> Self {
        let tree = BoxTree::new(std::iter::empty());
        Self { brushes: Vec::new(), sides: Vec::new(), bounds: Vec::new(), tree }
    }
}

impl Shapes {
    /// Adds the pieces of a prop. Returns whether they fit.
    pub(super) fn add(&mut self, placed: &Placed, pieces: &[Piece]) -> bool {
        // Each piece has at least its planes and the sides of a box.
        let least: usize = pieces.iter().map(|piece| piece.planes.len().saturating_add(6)).sum();
        if least > MOST_SIDES.saturating_sub(self.sides.len()) {
            return false;
        }
        let before = (self.brushes.len(), self.sides.len());
        for piece in pieces {
            let first = self.sides.len();
            let corners: Vec<Vec3> = piece.corners.iter().map(|corner| placed.out(*corner)).collect();
            let most = |normal: Vec3| corners.iter().map(|corner| dot(normal, *corner)).reduce(f32::max);
            for plane in &piece.planes {
                let normal = placed.turned_out(plane.normal);
                let Some(distance) = most(normal) else { continue };
                self.sides.push(Side { plane: Plane { normal, distance }, bevel: false, sky: false });
            }
            let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let edges = edges(&piece.planes).into_iter().map(|edge| placed.turned_out(edge));
            let crossed = edges.flat_map(|edge| axes.map(|axis| cross(edge, axis)));
            for normal in axes.into_iter().chain(crossed) {
                let length = dot(normal, normal).sqrt();
                if length < 1e-3 {
                    continue;
                }
                for sign in [1.0, -1.0] {
                    let normal = normal.map(|part| part / length * sign);
                    let Some(distance) = most(normal) else { continue };
                    self.sides.push(Side { plane: Plane { normal, distance }, bevel: true, sky: false });
                }
            }
            if self.sides.len() > MOST_SIDES {
                self.brushes.truncate(before.0);
                self.bounds.truncate(before.0);
                self.sides.truncate(before.1);
                return false;
            }
            let count = self.sides.len().saturating_sub(first) as u32;
            self.brushes.push(Brush { first: first as u32, count, contents: Contents::SOLID });
            let none = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
            self.bounds.push(corners.iter().fold(none, |[low, high], corner| {
                let each = |pick: fn(f32, f32) -> f32, of: Vec3| {
                    let mut parts = of.into_iter().zip(*corner).map(|(a, b)| pick(a, b));
                    [(); 3].map(|()| parts.next().unwrap_or_default())
                };
                [each(f32::min, low), each(f32::max, high)]
            }));
        }
        true
    }

    /// Builds the index over the added pieces.
    pub(super) fn settle(&mut self) {
        self.tree = BoxTree::new(self.bounds.iter().copied());
    }

    /// The pieces, as planes without those that only stop boxes.
    pub(super) fn convex(&self) -> impl Iterator<Item = Vec<Plane>> {
        self.brushes.iter().map(|brush| {
            let sides = brush.sides(&self.sides).iter().filter(|side| !side.bevel);
            sides.map(|side| side.plane).collect()
        })
    }

    fn eight(&self, first: usize) -> impl Iterator<Item = (&Brush, &[Side])> {
        let brushes = self.brushes.get(first..).unwrap_or_default().iter().take(8);
        brushes.map(|brush| (brush, brush.sides(&self.sides)))
    }

    /// Shortens a trace.
    pub(super) fn sweep(&self, sweep: &Sweep, best: &mut Trace) {
        if !sweep.mask.meets(Contents::SOLID) {
            return;
        }
        self.tree.in_box(sweep.around(sweep.to), |first| {
            for (brush, sides) in self.eight(first) {
                if !best.all_solid {
                    clip(sweep, sides, brush.contents, best);
                }
            }
        });
    }

    /// Whether a point lies in a piece.
    pub(super) fn holds(&self, point: Vec3) -> bool {
        let mut inside = false;
        self.tree.in_box([point, point], |first| {
            inside = inside || self.eight(first).any(|(_, sides)| holds(sides, point));
        });
        inside
    }
}

/// The directions of the edges of a convex body, each once; empty if there are too many.
fn edges(planes: &[Plane]) -> Vec<Vec3> {
    let mut found: Vec<Vec3> = Vec::new();
    for (at, a) in planes.iter().enumerate() {
        for b in planes.iter().skip(at.saturating_add(1)) {
            let edge = cross(a.normal, b.normal);
            let length = dot(edge, edge).sqrt();
            if length < 1e-3 {
                continue;
            }
            let edge = edge.map(|part| part / length);
            if found.iter().all(|known| dot(*known, edge).abs() < 0.999) {
                found.push(edge);
            }
            if found.len() > MOST_EDGES {
                return Vec::new();
            }
        }
    }
    found
}
