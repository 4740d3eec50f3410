//! Static props with a shape: convex pieces of their models, in place.

use super::brush::{Brush, Side, clip, holds};
use super::contents::Contents;
use super::phy::Piece;
use super::placed::Placed;
use super::trace::{Sweep, Trace, cross, dot};
use super::tree::Plane;
use navmap_core::graph::boxes::BoxTree;

type Vec3 = [f32; 3];

/// The sides that all props of any map may have together, and the bytes of it for each more, but no more than about 60 MB.
const FREE_SIDES: u64 = 1 << 18;
const SIDE_BYTES: u64 = 4;
const MOST_SIDES: u64 = 1 << 21;
/// A piece with more edge directions gets no edge planes for boxes: a box then stops too early, by at most its own width.
const MOST_EDGES: usize = 12;

/// Sides of pieces that any trace may meet, and the steps for each group of eight boxes that is looked at to find them.
const FREE: u64 = 1_024;
const BOXES_STEPS: u64 = 8;

/// Convex pieces in the world.
#[derive(Clone, Debug)]
pub(super) struct Shapes {
    brushes: Vec<Brush>,
    sides: Vec<Side>,
    bounds: Vec<[Vec3; 2]>,
    tree: BoxTree,
    /// How many sides they may have.
    most: usize,
}

impl Default for Shapes {
    fn default() -> Self {
        let tree = BoxTree::new(std::iter::empty());
        Self { brushes: Vec::new(), sides: Vec::new(), bounds: Vec::new(), tree, most: FREE_SIDES as usize }
    }
}

impl Shapes {
    /// Those of a map of so many bytes.
    pub(super) fn within(bytes: u64) -> Self {
        let most = FREE_SIDES.saturating_add(bytes / SIDE_BYTES).min(MOST_SIDES) as usize;
        Self { most, ..Self::default() }
    }

    /// Adds the pieces of a prop. Returns whether they fit.
    pub(super) fn add(&mut self, placed: &Placed, pieces: &[Piece]) -> bool {
        // Each piece has at least its planes and the sides of a box.
        let least: usize = pieces.iter().map(|piece| piece.planes.len().saturating_add(6)).sum();
        if least > self.most.saturating_sub(self.sides.len()) {
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
            if self.sides.len() > self.most {
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

    /// Shortens a trace. Returns how many steps it took beyond those that any may take.
    pub(super) fn sweep(&self, sweep: &Sweep, best: &mut Trace) -> u64 {
        if self.brushes.is_empty() || !sweep.mask.meets(Contents::SOLID) {
            return 0;
        }
        let mut steps = 0_u64;
        let looked = self.tree.along([sweep.from, sweep.to], sweep.reaches(), |first, _| {
            for (brush, sides) in self.eight(first) {
                if !best.all_solid {
                    steps = steps.saturating_add(brush.count.into());
                    clip(sweep, sides, brush.contents, best);
                }
            }
            if best.all_solid { 0.0 } else { best.fraction }
        });
        steps.saturating_add(looked.saturating_mul(BOXES_STEPS)).saturating_sub(FREE)
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
