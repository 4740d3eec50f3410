//! The floor plan of a map: walkable ground and vertical sides, seen from above.

use super::contents::Contents;
use super::displacement::Nets;
use super::faces::Faces;
use super::lumps::{Engine, Lumps};
use super::map::BspMap;
use super::winding::{Corner, dot, winding};
use navmap_core::Limits;
use navmap_core::error::Result;

/// Stops walking. What stops only players or characters is a clip.
const SOLID: Contents = Contents(0x1 | 0x2 | 0x8);
const CLIP: Contents = Contents(0x1_0000 | 0x2_0000);
const LIQUID: Contents = Contents(0x20 | 0x10);
/// The least z of a normal that one can stand on, and the largest of a side that counts as vertical.
const STANDS: f64 = 0.7;
const UPRIGHT: f64 = 0.2;
/// The length, and the height, of the pieces in which a wall is tested.
const PIECE: f64 = 16.0;
const RISE: f64 = 24.0;
const MOST_PIECES: f64 = 64.0;
const MOST_RISES: f64 = 16.0;
/// How far in front of a side the map is tested for contents.
const BEFORE: f64 = 1.0;
/// The most sides of a piece of a prop. Each is cut by all others; real pieces have some dozen.
const MOST_PLANES: usize = 256;
/// The most points tested against the map. Later sides are kept untested.
const MOST_POINTS: u32 = 1 << 23;

/// A map seen from above: X east, Y **south** as in the file, Z up, Hammer units.
///
/// For Source it is made from brushes, where solid meets open space. For GoldSrc, whose maps have no brushes, it is made from the
/// drawn faces. Blocking brush entities and displacements are included, and so are static props with a shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FloorPlan {
    /// Ground, and the surface of water.
    pub floors: Vec<Floor>,
    /// Vertical sides, in straight pieces.
    pub walls: Vec<Wall>,
}

/// A piece of ground, or of the surface of water.
#[derive(Clone, Debug, PartialEq)]
pub struct Floor {
    /// Three corners or more, in order.
    pub corners: Vec<[f32; 3]>,
    /// Whether it is the surface of water, slime or lava.
    pub water: bool,
}

/// A straight piece of wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// Its ends, seen from above.
    pub ends: [[f32; 2]; 2],
    /// The lowest and the highest visible z.
    pub heights: [f32; 2],
    /// Whether it is a clip brush, which is invisible and stops only players or characters.
    pub clip: bool,
}

impl FloorPlan {
    /// Reads the plan of a map.
    ///
    /// # Errors
    /// Those of [`BspMap::parse`] and [`read`](Self::read).
    pub fn parse(bytes: &[u8]) -> Result<Self> {
        Self::parse_with(bytes, &Limits::default())
    }

    /// Reads the plan within the given limits.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse), and if unpacking would exceed a limit.
    pub fn parse_with(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let map = BspMap::parse_with(bytes, limits)?;
        Self::read(&map, bytes, limits)
    }

    /// The plan of a map that was read from these bytes.
    ///
    /// # Errors
    /// If faces, edges or vertices of GoldSrc are damaged, or entities name models so often that all their sides and faces are too many.
    pub fn read(map: &BspMap, bytes: &[u8], limits: &Limits) -> Result<Self> {
        let mut made = Making { map, plan: Self::default(), points: MOST_POINTS };
        match map.engine() {
            Engine::GoldSrc => made.faces(&Lumps::parse(bytes)?, limits)?,
            Engine::Source => {
                made.brushes()?;
                made.props();
            }
        }
        made.nets();
        Ok(made.plan)
    }
}

struct Making<'m> {
    map: &'m BspMap,
    plan: FloorPlan,
    /// The remaining number of points to test.
    points: u32,
}

impl Making<'_> {
    fn brushes(&mut self) -> Result<()> {
        let map = self.map;
        map.each_brush(|contents, planes, placed| {
            let clip = !contents.meets(SOLID);
            if !contents.meets(SOLID | CLIP | LIQUID) {
                return;
            }
            for plane in planes {
                let corners = winding(plane, planes.iter());
                if corners.len() < 3 {
                    continue;
                }
                let corners: Vec<Corner> = corners
                    .into_iter()
                    .map(|corner| placed.out(corner.map(|part| part as f32)).map(f64::from))
                    .collect();
                let normal = placed.turned_out(plane.normal).map(f64::from);
                if contents.meets(CLIP) && clip {
                    self.wall(&corners, normal, true, true);
                } else {
                    self.side(&corners, normal, contents.meets(LIQUID) && clip, true);
                }
            }
        })
    }

    /// Static props whose [models](BspMap::add_models) are known.
    fn props(&mut self) {
        let map = self.map;
        for planes in map.prop_pieces().filter(|planes| planes.len() <= MOST_PLANES) {
            for plane in &planes {
                let corners = winding(plane, planes.iter());
                if corners.len() >= 3 {
                    self.side(&corners, plane.normal.map(f64::from), false, true);
                }
            }
        }
    }

    /// The faces of GoldSrc. The compiler has removed faces that nobody can see.
    fn faces(&mut self, lumps: &Lumps<'_>, limits: &Limits) -> Result<()> {
        let faces = Faces::read(lumps, limits)?;
        let mut budget = self.map.budget();
        for (model, placed) in self.map.stands() {
            for face in faces.of_model(model) {
                budget.face(face.corners.len())?;
                if face.corners.len() < 3 {
                    continue;
                }
                let corners: Vec<Corner> =
                    face.corners.iter().map(|corner| placed.out(*corner).map(f64::from)).collect();
                let normal = placed.turned_out(face.normal).map(f64::from);
                let water = self.holds(&corners, [0.0, 0.0, -BEFORE], LIQUID);
                self.side(&corners, normal, water, false);
            }
        }
        Ok(())
    }

    /// Displacements, by their rims.
    fn nets(&mut self) {
        let rims = self.map.nets().into_iter().flat_map(Nets::rims);
        self.plan.floors.extend(rims.map(|corners| Floor { corners, water: false }));
    }

    /// Adds a side as ground or as a wall, or drops it.
    fn side(&mut self, corners: &[Corner], normal: Corner, water: bool, hidden: bool) {
        let [.., up] = normal;
        if up >= STANDS || (water && up > UPRIGHT) {
            let shown = !hidden || water || self.is_open_above(corners);
            if shown {
                let corners = corners.iter().map(|corner| corner.map(|part| part as f32)).collect();
                self.plan.floors.push(Floor { corners, water });
            }
        } else if up.abs() <= UPRIGHT && !water {
            self.wall(corners, normal, false, hidden);
        } else if up > UPRIGHT && !water {
            // Too steep to stand on and too flat for a line: draw its rim.
            for (from, to) in corners.iter().zip(corners.iter().skip(1).chain(corners.first())) {
                let ([ax, ay, az], [bx, by, bz]) = (*from, *to);
                let ends = [[ax as f32, ay as f32], [bx as f32, by as f32]];
                let heights = [az.min(bz) as f32, az.max(bz) as f32];
                if !hidden || self.is_open_above(&[*from, *to]) {
                    self.plan.walls.push(Wall { ends, heights, clip: false });
                }
            }
        }
    }

    /// Whether there is room above some point of a polygon.
    fn is_open_above(&mut self, corners: &[Corner]) -> bool {
        let middle = middle(corners);
        let within = |corner: &Corner| {
            let mut parts = corner.iter().zip(middle).map(|(part, middle)| part + (middle - part) * 0.1);
            [(); 3].map(|()| parts.next().unwrap_or_default())
        };
        let points: Vec<Corner> = corners.iter().map(within).chain([middle]).collect();
        points.iter().any(|[x, y, z]| self.is_open([*x, *y, z + BEFORE]))
    }

    fn is_open(&mut self, point: Corner) -> bool {
        let point = point.map(|part| part as f32);
        !self.takes(point) || !self.map.contents(point).meets(SOLID)
    }

    fn holds(&mut self, corners: &[Corner], [x, y, z]: Corner, what: Contents) -> bool {
        let [mx, my, mz] = middle(corners);
        let point = [mx + x, my + y, mz + z].map(|part| part as f32);
        self.takes(point) && self.map.contents(point).meets(what)
    }

    /// Whether a point may still be tested.
    fn takes(&mut self, point: [f32; 3]) -> bool {
        let left = self.points.checked_sub(self.map.points_of(point));
        self.points = left.unwrap_or(0);
        left.is_some()
    }

    /// Adds the visible pieces of a vertical side.
    fn wall(&mut self, corners: &[Corner], normal: Corner, clip: bool, hidden: bool) {
        let [nx, ny, nz] = normal;
        if nz.abs() > UPRIGHT {
            return;
        }
        let flat = nx.hypot(ny);
        let along = [-ny / flat, nx / flat, 0.0];
        let Some(first) = corners.first() else { return };
        let mut ends = [(f64::INFINITY, *first), (f64::NEG_INFINITY, *first)];
        let mut heights = [f64::INFINITY, f64::NEG_INFINITY];
        for corner in corners {
            let (at, [.., z]) = (dot(along, *corner), *corner);
            let [start, end] = &mut ends;
            if at < start.0 {
                *start = (at, *corner);
            }
            if at > end.0 {
                *end = (at, *corner);
            }
            let [low, high] = &mut heights;
            (*low, *high) = (low.min(z), high.max(z));
        }
        let [(start, from), (end, to)] = ends;
        let long = end - start;
        if long < 0.5 {
            return;
        }
        let at = |share: f64| [0, 1].map(|axis| mixed(from, to, share, axis));
        let mut push = |from: f64, to: f64, [low, high]: [f64; 2]| {
            let ends = [at(from), at(to)].map(|end| end.map(|part| part as f32));
            self.plan.walls.push(Wall { ends, heights: [low as f32, high as f32], clip });
        };
        if !hidden {
            push(0.0, 1.0, heights);
            return;
        }
        let [low, high] = heights;
        let pieces = (long / PIECE).ceil().clamp(1.0, MOST_PIECES);
        let rises = ((high - low) / RISE).ceil().clamp(1.0, MOST_RISES);
        let rise = (high - low) / rises;
        let mut runs: Vec<(f64, f64, [f64; 2])> = Vec::new();
        let mut piece = 0.0;
        while piece < pieces {
            let [x, y] = at((piece + 0.5) / pieces);
            let mut open: Option<[f64; 2]> = None;
            let mut level = 0.0;
            while level < rises {
                let base = low + rise * level;
                let point = [x + nx * BEFORE, y + ny * BEFORE, base + 0.5 * rise].map(|part| part as f32);
                if !self.takes(point) {
                    open = Some(heights);
                    break;
                }
                if !self.map.contents(point).meets(SOLID) {
                    open = Some([open.map_or(base, |[low, _]| low), base + rise]);
                }
                level += 1.0;
            }
            if let Some(open) = open {
                let (from, to) = (piece / pieces, (piece + 1.0) / pieces);
                match runs.last_mut() {
                    Some(last) if last.2 == open && (last.1 - from).abs() < 1e-9 => last.1 = to,
                    _ => runs.push((from, to, open)),
                }
            }
            piece += 1.0;
        }
        for (from, to, open) in runs {
            let ends = [at(from), at(to)].map(|end| end.map(|part| part as f32));
            self.plan.walls.push(Wall { ends, heights: open.map(|part| part as f32), clip });
        }
    }
}

fn mixed(from: Corner, to: Corner, share: f64, axis: usize) -> f64 {
    let part = |corner: Corner| corner.get(axis).copied().unwrap_or_default();
    part(from) + (part(to) - part(from)) * share
}

fn middle(corners: &[Corner]) -> Corner {
    let sum = corners.iter().fold([0.0; 3], |[x, y, z], [a, b, c]| [x + a, y + b, z + c]);
    sum.map(|part| part / corners.len().max(1) as f64)
}
