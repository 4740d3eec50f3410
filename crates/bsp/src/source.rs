//! The solid world of Source: a tree of leaves, each with the brushes that overlap it.

use super::brush::{Brush, Side, bounds, clip, holds};
use super::contents::Contents;
use super::lumps::Lumps;
use super::spent::Spent;
use super::trace::{Sweep, Trace, touch};
use super::tree::{Plane, RawPlane, SourceNode, Tree, out_of_range, plane};
use super::winding::MOST_SIDES;
use navmap_core::Limits;
use navmap_core::error::{Error, Result};
use zerocopy::byteorder::little_endian::{F32, I16, I32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawLeaf {
    contents: U32,
    cluster: I16,
    _area: I16,
    _bounds: [I16; 6],
    _faces: [U16; 2],
    first_brush: U16,
    brushes: U16,
    _water: [I16; 2],
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct OldLeaf {
    leaf: RawLeaf,
    _ambient: [u8; 24],
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawModel {
    low: [F32; 3],
    high: [F32; 3],
    _origin: [F32; 3],
    head: I32,
    _faces: [I32; 2],
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawBrush {
    first: U32,
    count: U32,
    contents: U32,
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawSide {
    plane: U16,
    texture: I16,
    _displacement: I16,
    bevel: u8,
    _thin: u8,
}

/// The most leaf entries visited for all brushes of a map. No real map has a tenth of them.
pub(super) const MOST_VISITS: usize = 1 << 23;

/// The sides that the brushes of one leaf may have in any map, and the bytes of it for each more: a trace through the leaf walks them all.
const LEAF_SIDES: u64 = 1_024;
const LEAF_BYTES: u64 = 4_096;

/// The texture flags of 3D and 2D sky.
const SKY: u32 = 0x4 | 0x2;

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawTexture {
    _vectors: [u8; 64],
    flags: U32,
    _data: U32,
}

const _: () = assert!(
    size_of::<RawLeaf>() == 32
        && size_of::<RawTexture>() == 72
        && size_of::<OldLeaf>() == 56
        && size_of::<RawModel>() == 48
        && size_of::<RawBrush>() == 12
        && size_of::<RawSide>() == 8
        && size_of::<RawPlane>() == 20
        && size_of::<SourceNode>() == 32
);

#[derive(Clone, Copy, Debug)]
struct Leaf {
    contents: Contents,
    cluster: i16,
    first: u16,
    count: u16,
}

/// A model: the world, or an entity's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model {
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
    pub(super) head: i32,
}

/// The box that the sides of a brush along the axes make, those that lines ignore left out, and of all sides.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    of_lines: [[f32; 3]; 2],
    of_boxes: [[f32; 3]; 2],
}

fn bounds_of(brushes: &[Brush], sides: &[Side]) -> Vec<Bounds> {
    let of = |brush: &Brush| {
        let own = brush.sides(sides);
        Bounds { of_lines: bounds(own.iter().filter(|side| !side.bevel)), of_boxes: bounds(own) }
    };
    brushes.iter().map(of).collect()
}

#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) tree: Tree,
    leaves: Vec<Leaf>,
    leaf_brushes: Vec<u16>,
    brushes: Vec<Brush>,
    bounds: Vec<Bounds>,
    /// Whether each brush is the world's.
    of_world: Vec<bool>,
    sides: Vec<Side>,
    pub(super) models: Vec<Model>,
    pub(super) spent: Spent,
}

impl World {
    pub(super) fn read(lumps: &Lumps<'_>, limits: &Limits) -> Result<Self> {
        let planes = lumps.records(1, "plane", limits, RawPlane::plane)?;
        let textures = lumps.records(6, "texture", limits, |raw: &RawTexture| Ok(raw.flags.get()))?;
        let is_sky = |texture: i16| {
            let flags = usize::try_from(texture).ok().and_then(|at| textures.get(at));
            flags.is_some_and(|flags| flags & SKY != 0)
        };
        let sides = lumps.records(19, "brush side", limits, |raw: &RawSide| {
            let plane = plane(&planes, raw.plane.get().into())?;
            Ok(Side { plane, bevel: raw.bevel != 0, sky: is_sky(raw.texture.get()) })
        })?;
        // Compilers give each brush sides of its own. Those that share one long list would each have all of it walked.
        let (mut claimed, allowed) = (0_u64, (sides.len() as u64).saturating_mul(2));
        let brushes = lumps.records(18, "brush", limits, |raw: &RawBrush| {
            let (first, count) = (raw.first.get(), raw.count.get());
            let end = u64::from(first).saturating_add(count.into());
            if end > sides.len() as u64 {
                return Err(out_of_range("brush side", end.saturating_sub(1), sides.len()));
            }
            claimed = claimed.saturating_add(count.into());
            Limits::charge("sides of all brushes", claimed, allowed)?;
            Ok(Brush { first, count, contents: Contents(raw.contents.get()) })
        })?;
        let leaf_brushes = lumps.records(17, "leaf brush", limits, |raw: &U16| {
            let index = raw.get();
            match usize::from(index) < brushes.len() {
                true => Ok(index),
                false => Err(out_of_range("brush", index.into(), brushes.len())),
            }
        })?;
        // How many sides the brushes before each entry have.
        let mut sum = 0_u64;
        let mut before = vec![0];
        before.extend(leaf_brushes.iter().map(|index| {
            let count = brushes.get(usize::from(*index)).map_or(0, |brush| brush.count);
            sum = sum.saturating_add(count.into());
            sum
        }));
        let most = LEAF_SIDES.saturating_add(lumps.len() / LEAF_BYTES);
        let leaf = |raw: &RawLeaf| {
            let (first, count) = (raw.first_brush.get(), raw.brushes.get());
            let end = u64::from(first).saturating_add(count.into());
            if end > leaf_brushes.len() as u64 {
                return Err(out_of_range("leaf brush", end.saturating_sub(1), leaf_brushes.len()));
            }
            let until = |at: u64| before.get(at as usize).copied().unwrap_or(0);
            let own = until(end).saturating_sub(until(first.into()));
            Limits::charge("sides of the brushes of a leaf", own, most)?;
            Ok(Leaf { contents: Contents(raw.contents.get()), cluster: raw.cluster.get(), first, count })
        };
        let leaves = if lumps.lump_version(10) == 0 && lumps.version() < 20 {
            lumps.records(10, "leaf", limits, |raw: &OldLeaf| leaf(&raw.leaf))?
        } else {
            lumps.records(10, "leaf", limits, leaf)?
        };
        let models = lumps.records(14, "model", limits, |raw: &RawModel| {
            Ok(Model { low: raw.low.map(F32::get), high: raw.high.map(F32::get), head: raw.head.get() })
        })?;
        if models.is_empty() {
            return Err(Error::invalid("map", "no models: it has no collision").in_record("lump", 14));
        }
        let nodes = lumps.records(5, "node", limits, |raw: &SourceNode| raw.node(&planes))?;
        let tree = Tree::new(nodes, models.iter().map(|model| model.head), leaves.len())?;
        let spent = Spent::of(lumps.len());
        let of_world = vec![false; brushes.len()];
        let bounds = bounds_of(&brushes, &sides);
        let mut world = Self { tree, leaves, leaf_brushes, of_world, brushes, bounds, sides, models, spent };
        world.mark_world();
        Ok(world)
    }

    /// Marks the brushes of the first model. A brush left unmarked is only not tested first.
    fn mark_world(&mut self) {
        let Some(model) = self.models.first().copied() else { return };
        let (mut own, mut left) = (vec![false; self.brushes.len()], MOST_VISITS);
        self.tree.each_leaf(model.head, |leaf| {
            let list = self.brushes_of(leaf);
            let Some(rest) = left.checked_sub(list.len().saturating_add(1)) else { return false };
            left = rest;
            for index in list {
                if let Some(own) = own.get_mut(usize::from(*index)) {
                    *own = true;
                }
            }
            true
        });
        self.of_world = own;
    }

    fn brushes_of(&self, leaf: u32) -> &[u16] {
        let Some(leaf) = self.leaves.get(leaf as usize) else { return &[] };
        let first = usize::from(leaf.first);
        self.leaf_brushes.get(first..first.saturating_add(leaf.count.into())).unwrap_or_default()
    }

    /// The brushes of one model, each once. `left` is the number of leaf entries that may still be visited.
    pub(super) fn brushes_of_model(&self, model: &Model, left: &mut usize) -> Vec<&Brush> {
        let mut own = Vec::new();
        let mut seen = vec![false; self.brushes.len()];
        self.tree.each_leaf(model.head, |leaf| {
            let Some(rest) = left.checked_sub(self.brushes_of(leaf).len().saturating_add(1)) else {
                return false;
            };
            *left = rest;
            for index in self.brushes_of(leaf) {
                if let Some(seen) = seen.get_mut(usize::from(*index)).filter(|seen| !**seen) {
                    *seen = true;
                    own.push(*index);
                }
            }
            true
        });
        let brushes = own.into_iter().filter_map(|index| self.brushes.get(usize::from(index)));
        brushes.filter(|brush| brush.count as usize <= MOST_SIDES).collect()
    }

    /// The planes of a brush's sides, without those added for boxes.
    pub(super) fn planes_of(&self, brush: &Brush) -> Vec<Plane> {
        let sides = brush.sides(&self.sides).iter().filter(|side| !side.bevel);
        sides.map(|side| side.plane).collect()
    }

    /// Shortens a trace by the brushes of one model.
    pub(super) fn sweep(&self, model: &Model, sweep: &Sweep, best: &mut Trace) {
        if self.spent.is_over() {
            (best.start_solid, best.all_solid, best.fraction) = (true, true, 0.0);
            return;
        }
        let mut steps = 0_u64;
        // A brush that overlaps several leaves is met several times in a row.
        let mut known = [u16::MAX; 16];
        let mut next = 0_usize;
        let mut around = sweep.around(sweep.at(best.fraction));
        let passed = self.tree.sweep(model.head, sweep, |leaf| {
            let brushes = self.brushes_of(leaf);
            steps = steps.saturating_add(brushes.len() as u64).saturating_add(8);
            for index in brushes {
                if known.contains(index) {
                    continue;
                }
                if let Some(slot) = known.get_mut(next & 15) {
                    *slot = *index;
                }
                next = next.wrapping_add(1);
                let Some(brush) = self.near(*index, sweep, &around) else { continue };
                let before = best.fraction;
                steps = steps.saturating_add(brush.count.into());
                clip(sweep, brush.sides(&self.sides), brush.contents, best);
                if best.fraction < before {
                    around = sweep.around(sweep.at(best.fraction));
                }
            }
            if best.all_solid { -1.0 } else { best.fraction }
        });
        self.spent.add(steps.saturating_add(passed));
    }

    /// Whether a brush of the world stops a sweep, as `stops` tells of the trace past it alone. `brush` may be any number.
    pub(super) fn is_stopped_by(&self, brush: u16, sweep: &Sweep, stops: fn(&Trace) -> bool) -> bool {
        // Only the world's: brushes of entities are placed elsewhere.
        let in_world = self.of_world.get(usize::from(brush)).copied().unwrap_or(false);
        in_world && self.stops(brush, sweep, &[[f32::NEG_INFINITY; 3], [f32::INFINITY; 3]], stops)
    }

    /// A brush that may stop a sweep, if the box around that touches it.
    fn near(&self, index: u16, sweep: &Sweep, around: &[[f32; 3]; 2]) -> Option<&Brush> {
        let at = usize::from(index);
        let (brush, bounds) = (self.brushes.get(at)?, self.bounds.get(at)?);
        let bounds = if sweep.is_line() { &bounds.of_lines } else { &bounds.of_boxes };
        (brush.contents.meets(sweep.mask) && touch(around, bounds)).then_some(brush)
    }

    fn stops(&self, index: u16, sweep: &Sweep, around: &[[f32; 3]; 2], stops: fn(&Trace) -> bool) -> bool {
        self.near(index, sweep, around).is_some_and(|brush| self.clips(brush, sweep, stops))
    }

    fn clips(&self, brush: &Brush, sweep: &Sweep, stops: fn(&Trace) -> bool) -> bool {
        let mut best = Trace::free(sweep.to);
        clip(sweep, brush.sides(&self.sides), brush.contents, &mut best);
        stops(&best)
    }

    /// How many sides the brushes in the leaf at a point of the world have: what [`contents`](Self::contents) may look at.
    pub(super) fn sides_at(&self, point: [f32; 3]) -> u32 {
        let leaf = self.models.first().and_then(|world| self.tree.leaf_at(world.head, point));
        let brushes = leaf.map_or(&[][..], |leaf| self.brushes_of(leaf)).iter();
        let counts = brushes.filter_map(|index| self.brushes.get(usize::from(*index)));
        counts.fold(0, |sum, brush| sum.saturating_add(brush.count))
    }

    /// A brush of a model that stops a sweep, the first that is found.
    pub(super) fn stopped(&self, model: &Model, sweep: &Sweep, stops: fn(&Trace) -> bool) -> Option<u16> {
        if self.spent.is_over() {
            return Some(0);
        }
        let (mut found, mut steps) = (None, 0_u64);
        let around = sweep.around(sweep.to);
        let passed = self.tree.sweep(model.head, sweep, |leaf| {
            let brushes = self.brushes_of(leaf);
            steps = steps.saturating_add(brushes.len() as u64).saturating_add(8);
            found = brushes.iter().copied().find(|index| {
                let brush = self.near(*index, sweep, &around);
                steps = steps.saturating_add(brush.map_or(0, |brush| brush.count.into()));
                brush.is_some_and(|brush| self.clips(brush, sweep, stops))
            });
            if found.is_some() { -1.0 } else { 1.0 }
        });
        self.spent.add(steps.saturating_add(passed));
        found
    }

    /// The contents at a point of a model.
    pub(super) fn contents(&self, model: &Model, point: [f32; 3]) -> Contents {
        let Some(leaf) = self.tree.leaf_at(model.head, point) else { return Contents::EMPTY };
        let near = |index: &u16| {
            let at = usize::from(*index);
            let touches = |bounds: &&Bounds| touch(&[point, point], &bounds.of_boxes);
            self.bounds.get(at).filter(touches).and_then(|_| self.brushes.get(at))
        };
        let brushes = self.brushes_of(leaf).iter().filter_map(near);
        let here = brushes.filter(|brush| holds(brush.sides(&self.sides), point));
        let leaf =
            self.leaves.get(leaf as usize).map_or(Contents::EMPTY, |leaf| leaf.contents & Contents::SOLID);
        here.fold(leaf, |all, brush| all | brush.contents)
    }

    /// The clusters that a box of the world overlaps; some may be repeated. Returns how many nodes and leaves were looked at.
    pub(super) fn clusters(&self, low: [f32; 3], high: [f32; 3], mut visit: impl FnMut(u32)) -> u64 {
        let Some(world) = self.models.first() else { return 0 };
        self.tree.in_box(world.head, low, high, |leaf| {
            let cluster = self.leaves.get(leaf as usize).and_then(|leaf| u32::try_from(leaf.cluster).ok());
            cluster.into_iter().for_each(&mut visit);
        })
    }

    /// The cluster at a point of the world; `None` in something solid.
    pub(super) fn cluster(&self, point: [f32; 3]) -> Option<u32> {
        let leaf = self.tree.leaf_at(self.models.first()?.head, point)?;
        u32::try_from(self.leaves.get(leaf as usize)?.cluster).ok()
    }
}
