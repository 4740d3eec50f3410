//! Displacements of Source: ground that is a mesh of triangles over a face instead of a brush.

use super::contents::Contents;
use super::lumps::Lumps;
use super::trace::{Sweep, Trace, dot, minus, mix, part};
use super::tree::out_of_range;
use super::triangle::{Mover, line};
use navmap_core::Limits;
use navmap_core::error::{Error, Result};
use navmap_core::graph::boxes::BoxTree;
use zerocopy::byteorder::little_endian::{F32, I16, I32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

type Vec3 = [f32; 3];

/// Groups of eight triangles that any trace may meet, and the steps for each more: a triangle and a box are tested along thirteen axes.
const FREE: u64 = 4;
const LINE_STEPS: u64 = 64;
const BOX_STEPS: u64 = 384;
/// Groups of eight boxes that any trace may look at to find them, and the steps for each more.
const FREE_BOXES: u64 = 32;
const BOXES_STEPS: u64 = 8;

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawDisplacement {
    start: [F32; 3],
    first_vertex: U32,
    _first_triangle: U32,
    power: U32,
    _tessellation: [U32; 2],
    contents: U32,
    face: U16,
    _rest: [u8; 138],
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawVertex {
    direction: [F32; 3],
    distance: F32,
    _alpha: F32,
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawFace {
    _plane: U32,
    first_edge: U32,
    edges: I16,
    _rest: [u8; 46],
}

const _: () = assert!(
    size_of::<RawDisplacement>() == 176 && size_of::<RawVertex>() == 20 && size_of::<RawFace>() == 56
);

/// The net of one displacement.
#[derive(Clone, Copy, Debug)]
struct Net {
    /// Its first vertex and its first triangle, among those of all nets.
    vertex: u32,
    triangle: u32,
    /// There are two to this power of cells along a side.
    power: u32,
    contents: Contents,
}

impl Net {
    /// Cells along a side.
    fn cells(&self) -> u32 {
        1 << self.power
    }
}

/// All nets of a map.
#[derive(Clone, Debug)]
pub(super) struct Nets {
    nets: Vec<Net>,
    vertices: Vec<Vec3>,
    triangles: u32,
    tree: BoxTree,
}

impl Nets {
    /// # Errors
    /// If a lump is damaged, or a displacement has no face of four corners, a power outside 1 to 4, or vertices shared with
    /// another.
    pub(super) fn read(lumps: &Lumps<'_>, limits: &Limits) -> Result<Option<Self>> {
        if lumps.lump(26, limits)?.is_empty() {
            return Ok(None);
        }
        let point = |raw: &[F32; 3]| Ok(raw.map(F32::get));
        let corners = lumps.records(3, "vertex", limits, point)?;
        let edges = lumps.records(12, "edge", limits, |raw: &[U16; 2]| Ok(raw.map(U16::get)))?;
        let surface_edges = lumps.records(13, "surface edge", limits, |raw: &I32| Ok(raw.get()))?;
        let faces =
            lumps.records(7, "face", limits, |raw: &RawFace| Ok((raw.first_edge.get(), raw.edges.get())))?;
        let moved = lumps.records(33, "displacement vertex", limits, |raw: &RawVertex| {
            let direction = raw.direction.map(|part| part.get() * raw.distance.get());
            match direction.iter().all(|part| part.is_finite()) {
                true => Ok(direction),
                false => Err(Error::invalid("displacement vertex", "a number that is none")),
            }
        })?;
        let corner = |number: u32| {
            let edge = *surface_edges
                .get(number as usize)
                .ok_or_else(|| out_of_range("surface edge", number.into(), surface_edges.len()))?;
            let index = edge.unsigned_abs();
            let ends = edges.get(index as usize);
            let [first, second] = *ends.ok_or_else(|| out_of_range("edge", index.into(), edges.len()))?;
            let vertex = if edge < 0 { second } else { first };
            let at = corners.get(usize::from(vertex)).copied();
            at.ok_or_else(|| out_of_range("vertex", vertex.into(), corners.len()))
        };
        let quad = |face: u16| {
            let known = faces.get(usize::from(face));
            let (first, count) = *known.ok_or_else(|| out_of_range("face", face.into(), faces.len()))?;
            if count != 4 {
                let why = format!("face {face} has {count} corners, not 4");
                return Err(Error::invalid("displacement", why));
            }
            let mut quad = [[0.0; 3]; 4];
            for (to, step) in quad.iter_mut().zip(0_u32..) {
                *to = corner(first.saturating_add(step))?;
            }
            Ok(quad)
        };
        let (mut vertices, mut triangles): (Vec<Vec3>, u32) = (Vec::new(), 0);
        let nets = lumps.records(26, "displacement", limits, |raw: &RawDisplacement| {
            let power = raw.power.get();
            if !(1..=4).contains(&power) {
                return Err(Error::invalid("displacement", format!("power {power}, not 1 to 4")));
            }
            let cells = 1_u32 << power;
            let wide = cells.saturating_add(1);
            let first = raw.first_vertex.get() as usize;
            let count = wide.saturating_mul(wide) as usize;
            let range = first..first.saturating_add(count);
            let Some(offsets) = moved.get(range) else {
                let last = first.saturating_add(count).saturating_sub(1);
                return Err(out_of_range("displacement vertex", last as u64, moved.len()));
            };
            if vertices.len().saturating_add(count) > moved.len() {
                return Err(Error::invalid("displacement", "claims vertices that belong to others"));
            }
            let net = Net {
                vertex: vertices.len() as u32,
                triangle: triangles,
                power,
                contents: Contents(raw.contents.get()),
            };
            let [a, b, c, d] = turned(quad(raw.face.get())?, raw.start.map(F32::get));
            for (offset, at) in offsets.iter().zip(0_u32..) {
                let share = |part: Option<u32>| part.unwrap_or(0) as f32 / cells as f32;
                let (row, column) = (share(at.checked_div(wide)), share(at.checked_rem(wide)));
                let flat = mix(mix(a, b, row), mix(d, c, row), column);
                vertices.push([0, 1, 2].map(|axis: usize| part(flat, axis) + part(*offset, axis)));
            }
            triangles = triangles.saturating_add(cells.saturating_mul(cells).saturating_mul(2));
            Ok(net)
        })?;
        let mut made = Self { nets, vertices, triangles, tree: BoxTree::new(std::iter::empty()) };
        made.tree = BoxTree::new((0..triangles as usize).map(|number| {
            made.triangle(number as u32).map_or([[f32::NAN; 3]; 2], |corners| bounds(&corners))
        }));
        Ok(Some(made))
    }

    /// How many displacements.
    pub(super) fn len(&self) -> usize {
        self.nets.len()
    }

    /// The rim of each net, seen from above.
    pub(super) fn rims(&self) -> impl Iterator<Item = Vec<Vec3>> {
        self.nets.iter().map(|net| {
            let cells = net.cells();
            let wide = cells.saturating_add(1);
            let at = |row: u32, column: u32| row.saturating_mul(wide).saturating_add(column);
            let sides = (0..cells)
                .map(|step| at(0, step))
                .chain((0..cells).map(|step| at(step, cells)))
                .chain((0..cells).map(|step| at(cells, cells.saturating_sub(step))))
                .chain((0..cells).map(|step| at(cells.saturating_sub(step), 0)));
            sides
                .filter_map(|number| self.vertices.get(net.vertex.saturating_add(number) as usize).copied())
                .collect()
        })
    }

    /// The corners of all triangles.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        (0..self.triangles).filter_map(|number| self.triangle(number))
    }

    /// The corners of a triangle.
    fn triangle(&self, number: u32) -> Option<[Vec3; 3]> {
        self.net_of(number).and_then(|net| self.corners(net, number))
    }

    /// The net that a triangle is of.
    fn net_of(&self, number: u32) -> Option<&Net> {
        let after = self.nets.partition_point(|net| net.triangle <= number);
        self.nets.get(after.checked_sub(1)?)
    }

    fn corners(&self, net: &Net, number: u32) -> Option<[Vec3; 3]> {
        let own = number.checked_sub(net.triangle)?;
        let (cell, second) = (own / 2, own % 2 == 1);
        let cells = net.cells();
        let (row, column) = (cell >> net.power, cell & cells.saturating_sub(1));
        let wide = cells.saturating_add(1);
        let at = row.checked_mul(wide)?.checked_add(column)?;
        let first = net.vertex.saturating_add(at) as usize;
        let [here, right] = *self.vertices.get(first..)?.first_chunk()?;
        let [below, across] = *self.vertices.get(first.saturating_add(wide as usize)..)?.first_chunk()?;
        // The diagonal runs the other way in every second cell.
        Some(match (at % 2 == 1, second) {
            (true, false) => [here, below, right],
            (true, true) => [right, below, across],
            (false, false) => [here, below, across],
            (false, true) => [here, across, right],
        })
    }

    /// Calls `each` with the corners and the contents of a group of eight triangles. All are of one net, of which each has a multiple of
    /// eight.
    fn eight(&self, first: usize, mask: Contents, mut each: impl FnMut([Vec3; 3], Contents)) {
        let first = first as u32;
        let Some(net) = self.net_of(first).filter(|net| net.contents.meets(mask)) else { return };
        for number in first..first.saturating_add(8) {
            if let Some(corners) = self.corners(net, number) {
                each(corners, net.contents);
            }
        }
    }

    /// Shortens a trace by all nets. Returns how many steps it took beyond those that any may take.
    pub(super) fn sweep(&self, sweep: &Sweep, best: &mut Trace) -> u64 {
        let (mut met, is_line) = (0_u64, sweep.is_line());
        let way = [sweep.from, sweep.to];
        let looked = if is_line {
            self.tree.along(way, [[0.0; 3]; 2], |first, _| {
                met = met.saturating_add(1);
                self.eight(first, sweep.mask, |corners, contents| line(sweep, corners, contents, best));
                best.fraction
            })
        } else {
            let mover = Mover::of(sweep);
            // One that begins after the fraction so far may end the way before, where the box comes along it nearly level.
            self.tree.along(way, sweep.reaches(), |first, _| {
                met = met.saturating_add(1);
                self.eight(first, sweep.mask, |corners, contents| {
                    if !mover.is_beside(&corners) {
                        mover.meet(corners, contents, best);
                    }
                });
                1.0
            })
        };
        let boxes = looked.saturating_sub(FREE_BOXES).saturating_mul(BOXES_STEPS);
        let steps = met.saturating_sub(FREE).saturating_mul(if is_line { LINE_STEPS } else { BOX_STEPS });
        boxes.saturating_add(steps)
    }
}

/// The corners of the face, starting at the one nearest to `start`.
fn turned(quad: [Vec3; 4], start: Vec3) -> [Vec3; 4] {
    let far = |corner: &Vec3| {
        let way = minus(*corner, start);
        dot(way, way)
    };
    let nearest = (0_usize..4).zip(&quad).min_by(|a, b| far(a.1).total_cmp(&far(b.1)));
    let mut quad = quad;
    quad.rotate_left(nearest.map_or(0, |(at, _)| at));
    quad
}

fn bounds(corners: &[Vec3; 3]) -> [Vec3; 2] {
    let [a, b, c] = *corners;
    let each = |pick: fn(f32, f32) -> f32| {
        [0, 1, 2].map(|axis| pick(pick(part(a, axis), part(b, axis)), part(c, axis)))
    };
    [each(f32::min), each(f32::max)]
}
