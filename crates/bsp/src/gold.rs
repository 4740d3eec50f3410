//! The solid world of GoldSrc: a tree with solid and non-solid leaves.

use super::contents::Contents;
use super::lumps::Lumps;
use super::source::Model;
use super::spent::Spent;
use super::trace::{Sweep, Trace, mix};
use super::tree::{GoldNode, RawPlane, Tree, leaf_of};
use navmap_core::Limits;
use navmap_core::error::{Error, Result};
use zerocopy::byteorder::little_endian::{F32, I32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// The distance before a plane at which a line stops.
const GAP: f32 = 1.0 / 32.0;
/// The step back, as a part of the way between two planes, from a point that rounding has put into a wall.
const BACK: f32 = 0.1;

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawLeaf {
    contents: I32,
    visible: I32,
    _rest: [u8; 20],
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawModel {
    low: [F32; 3],
    high: [F32; 3],
    _origin: [F32; 3],
    heads: [I32; 4],
    leaves: I32,
    _faces: [I32; 2],
}

const _: () =
    assert!(size_of::<RawLeaf>() == 28 && size_of::<RawModel>() == 64 && size_of::<GoldNode>() == 24);

#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) tree: Tree,
    contents: Vec<i32>,
    pub(super) models: Vec<Model>,
    /// The row of each leaf in the visibility lump.
    pub(super) rows: Vec<Option<u32>>,
    pub(super) spent: Spent,
}

impl World {
    pub(super) fn read(lumps: &Lumps<'_>, limits: &Limits) -> Result<Self> {
        let planes = lumps.records(1, "plane", limits, RawPlane::plane)?;
        let leaves = lumps.records(10, "leaf", limits, |raw: &RawLeaf| {
            Ok((raw.contents.get(), u32::try_from(raw.visible.get()).ok()))
        })?;
        let mut clusters = 0_usize;
        let models = lumps.records(14, "model", limits, |raw: &RawModel| {
            let [head, ..] = raw.heads.map(I32::get);
            if clusters == 0 {
                clusters = usize::try_from(raw.leaves.get()).unwrap_or(0);
            }
            Ok(Model { low: raw.low.map(F32::get), high: raw.high.map(F32::get), head })
        })?;
        if models.is_empty() {
            return Err(Error::invalid("map", "no models: it has no collision").in_record("lump", 14));
        }
        let nodes = lumps.records(5, "node", limits, |raw: &GoldNode| raw.node(&planes))?;
        let tree = Tree::new(nodes, models.iter().map(|model| model.head), leaves.len())?;
        // Leaf 0 is the solid space; cluster 0 is leaf 1.
        let rows = leaves.iter().skip(1).take(clusters).map(|(_, row)| *row).collect();
        let contents = leaves.into_iter().map(|(contents, _)| contents).collect();
        Ok(Self { tree, contents, models, rows, spent: Spent::of(lumps.len()) })
    }

    fn leaf_contents(&self, leaf: u32) -> Contents {
        match self.contents.get(leaf as usize) {
            Some(-2) => Contents::SOLID,
            Some(-3) => Contents::WATER,
            Some(-4 | -5) => Contents::SLIME,
            _ => Contents::EMPTY,
        }
    }

    /// The contents at a point of a model.
    pub(super) fn contents(&self, model: &Model, point: [f32; 3]) -> Contents {
        let leaf = self.tree.leaf_at(model.head, point);
        leaf.map_or(Contents::EMPTY, |leaf| self.leaf_contents(leaf))
    }

    /// The clusters that a box of the world touches. Returns how many nodes and leaves were looked at.
    pub(super) fn clusters(&self, low: [f32; 3], high: [f32; 3], mut visit: impl FnMut(u32)) -> u64 {
        let Some(world) = self.models.first() else { return 0 };
        self.tree.in_box(world.head, low, high, |leaf| leaf.checked_sub(1).into_iter().for_each(&mut visit))
    }

    pub(super) fn cluster(&self, point: [f32; 3]) -> Option<u32> {
        self.tree.leaf_at(self.models.first()?.head, point)?.checked_sub(1)
    }

    /// Traces a line through one model as the engine does: a line that is in solid from end to end hits nothing, and has its
    /// start in solid.
    pub(super) fn line(&self, model: &Model, sweep: &Sweep) -> Trace {
        if self.spent.is_over() {
            return Trace { fraction: 0.0, start_solid: true, all_solid: true, ..Trace::free(sweep.from) };
        }
        let trace = Trace { all_solid: true, ..Trace::free(sweep.to) };
        let mut line = Line { world: self, head: model.head, trace, passed: 0 };
        line.descend(model.head, [0.0, 1.0], sweep.from, sweep.to);
        self.spent.add(line.passed);
        line.trace
    }
}

/// Which part of a way a gap is, 0 to 1. Of numbers that are none, as a damaged plane has them, nothing.
fn share(gap: f32, way: f32) -> f32 {
    let share = gap / way;
    if share >= 0.0 { share.min(1.0) } else { 0.0 }
}

struct Line<'w> {
    world: &'w World,
    head: i32,
    trace: Trace,
    /// Nodes on the way, and above the points on it that were looked at.
    passed: u64,
}

impl Line<'_> {
    fn is_solid(&mut self, child: i32, point: [f32; 3]) -> bool {
        let leaf = self.world.tree.leaf_below(child, point, &mut self.passed);
        leaf.is_some_and(|leaf| self.world.leaf_contents(leaf).meets(Contents::SOLID))
    }

    /// Visits a part of the tree and returns whether to continue. The recursion is at most as deep as the tree.
    fn descend(&mut self, mut child: i32, mut part: [f32; 2], mut from: [f32; 3], to: [f32; 3]) -> bool {
        loop {
            if let Some(leaf) = leaf_of(child) {
                match self.world.leaf_contents(leaf).meets(Contents::SOLID) {
                    true => self.trace.start_solid = true,
                    false => self.trace.all_solid = false,
                }
                return true;
            }
            let Some(node) = self.world.tree.node(child) else { return true };
            self.passed = self.passed.wrapping_add(1);
            let [front, back] = node.children;
            let (start, end) = (node.plane.ahead(from), node.plane.ahead(to));
            if start >= 0.0 && end >= 0.0 {
                child = front;
                continue;
            }
            if start < 0.0 && end < 0.0 {
                child = back;
                continue;
            }
            let behind = start < 0.0;
            let gap = if behind { start + GAP } else { start - GAP };
            let mut at = share(gap, start - end);
            let [first, last] = part;
            let (mut middle, mut point) = (first + (last - first) * at, mix(from, to, at));
            let (near, far) = if behind { (back, front) } else { (front, back) };
            if !self.descend(near, [first, middle], from, point) {
                return false;
            }
            if !self.is_solid(far, point) {
                (child, part, from) = (far, [middle, last], point);
                continue;
            }
            if self.trace.all_solid {
                return false;
            }
            self.trace.normal = if behind { node.plane.normal.map(|part| -part) } else { node.plane.normal };
            self.trace.contents = Contents::SOLID;
            while self.is_solid(self.head, point) {
                at -= BACK;
                if at < 0.0 {
                    break;
                }
                (middle, point) = (first + (last - first) * at, mix(from, to, at));
            }
            (self.trace.fraction, self.trace.end) = (middle, point);
            return false;
        }
    }
}
