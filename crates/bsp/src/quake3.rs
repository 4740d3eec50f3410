//! What stands in a map of Quake III: its brushes and its curved surfaces.

use super::budget::Budget;
use super::contents::Contents;
use super::entity::Entities;
use super::geometry::Making;
use super::lumps::{Parts, quake3_version};
use super::patch::Patch;
use super::placed::Placed;
use super::tree::{Plane, out_of_range};
use super::winding::{MOST_SIDES, winding};
use navmap_core::Limits;
use navmap_core::error::{Error, Result};
use navmap_core::graph::Scene;
use zerocopy::byteorder::little_endian::{F32, I32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// Stops a player: solid, player clips.
const STOPS: Contents = Contents(0x1_0001);
/// The flag of a shader whose curves nobody runs into.
const NON_SOLID: u32 = 0x4000;
/// A surface of control points.
const PATCH: i32 = 2;
/// The most triangles of all curved surfaces together.
const MOST_TRIANGLES: u64 = 1 << 22;

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawShader {
    name: [u8; 64],
    flags: I32,
    contents: I32,
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawModel {
    _box: [F32; 6],
    faces: [I32; 2],
    brushes: [I32; 2],
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawVertex {
    at: [F32; 3],
    _textures: [F32; 4],
    normal: [F32; 3],
    _colour: [u8; 4],
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawFace {
    shader: I32,
    _fog: I32,
    kind: I32,
    vertices: [I32; 2],
    _rest: [u8; 76],
    sides: [I32; 2],
}

const _: () = assert!(
    size_of::<RawShader>() == 72
        && size_of::<RawModel>() == 40
        && size_of::<RawVertex>() == 44
        && size_of::<RawFace>() == 104
);

/// A map of Quake III and its relatives (`IBSP` 46 and 47: Quake III Arena, Team Arena, Return to Castle Wolfenstein, Enemy
/// Territory, Quake Live), of which only what stops a player is read.
///
/// X is east, Y is north, Z is up.
///
/// ```
/// use navmap::bsp::Quake3Map;
///
/// # let bytes = navmap_testkit::bsp::quake3(&navmap_testkit::bsp::room(), &[], "{ \"classname\" \"worldspawn\" }\n");
/// let map = Quake3Map::parse(&bytes, &navmap::Limits::default())?;
/// let scene = map.solid_polygons()?;
/// assert!(scene.polygons.len() > 60);
/// # Ok::<(), navmap::Error>(())
/// ```
#[derive(Debug)]
pub struct Quake3Map {
    version: u32,
    /// How long the file is.
    bytes: u64,
    entities: Entities,
    shaders: Vec<Shader>,
    /// Sides of brushes: a plane and a shader.
    sides: Vec<(Plane, u32)>,
    /// Brushes: the first side, how many, the shader.
    brushes: Vec<[u32; 3]>,
    models: Vec<Model>,
    /// Curved surfaces by the number of their face, ascending.
    patches: Vec<(u32, u32, Patch)>,
}

#[derive(Debug)]
struct Shader {
    name: String,
    flags: u32,
    contents: Contents,
}

/// The first face and brush of a model, and how many of each.
#[derive(Clone, Copy, Debug)]
struct Model {
    faces: [u32; 2],
    brushes: [u32; 2],
}

impl std::fmt::Debug for Patch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Patch({} points in {} columns)", self.points.len(), self.columns)
    }
}

/// An index or a count that is none if it is negative.
fn number(what: &'static str, value: I32) -> Result<u32> {
    u32::try_from(value.get()).map_err(|_| Error::invalid(what, format!("{}", value.get())))
}

/// A first item and a count within a list.
fn range(what: &'static str, [first, count]: [I32; 2], len: usize) -> Result<[u32; 2]> {
    let (first, count) = (number(what, first)?, number(what, count)?);
    let end = u64::from(first).saturating_add(count.into());
    match end <= len as u64 {
        true => Ok([first, count]),
        false => Err(out_of_range(what, end, len)),
    }
}

impl Quake3Map {
    /// Whether these bytes begin as such a map.
    pub fn is(bytes: &[u8]) -> bool {
        quake3_version(bytes).is_some()
    }

    /// Reads a map, and checks every index that is followed once. Linear.
    ///
    /// # Errors
    /// If the bytes are no such map, a lump is damaged, brushes claim more sides than there are, or the curved surfaces would become more
    /// than 2²² triangles: the error names the lump or record, and the byte.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let parts = Parts::of_quake3(bytes)?;
        let entities =
            Entities::parse(&parts.lump(0, limits)?).map_err(|error| error.in_record("lump", 0))?;
        let shaders = parts.records(1, "shader", limits, |raw: &RawShader| {
            let end = raw.name.iter().position(|byte| *byte == 0).unwrap_or(raw.name.len());
            let name = String::from_utf8_lossy(raw.name.get(..end).unwrap_or_default());
            let [flags, contents] = [raw.flags, raw.contents].map(|bits| bits.get().cast_unsigned());
            Ok(Shader { name: name.to_ascii_lowercase(), flags, contents: Contents(contents) })
        })?;
        let planes = parts.records(2, "plane", limits, |raw: &[F32; 4]| {
            let [x, y, z, distance] = raw.map(F32::get);
            match [x, y, z, distance].iter().all(|part| part.is_finite()) {
                true => Ok(Plane { normal: [x, y, z], distance }),
                false => Err(Error::invalid("plane", "a number that is none")),
            }
        })?;
        let sides = parts.records(9, "brush side", limits, |raw: &[I32; 2]| {
            let [plane, shader] = *raw;
            let [plane, shader] = [number("plane", plane)?, number("shader", shader)?];
            let found = planes.get(plane as usize).copied();
            Ok((found.ok_or_else(|| out_of_range("plane", plane.into(), planes.len()))?, shader))
        })?;
        // Brushes share no sides, so all together have at most as many as there are.
        let mut left = sides.len();
        let brushes = parts.records(8, "brush", limits, |raw: &[I32; 3]| {
            let [first, count, shader] = *raw;
            let [first, count] = range("brush side", [first, count], sides.len())?;
            let rest = left.checked_sub(count as usize);
            left = rest.ok_or_else(|| out_of_range("brush side", count.into(), left))?;
            Ok([first, count, number("shader", shader)?])
        })?;
        let vertices = parts.records(10, "vertex", limits, |raw: &RawVertex| {
            let (at, normal) = (raw.at.map(F32::get), raw.normal.map(F32::get));
            match at.iter().chain(&normal).all(|part| part.is_finite()) {
                true => Ok((at, normal)),
                false => Err(Error::invalid("vertex", "a number that is none")),
            }
        })?;
        let mut triangles = 0_u64;
        let mut index = 0_u32;
        let mut patches = Vec::new();
        let faces = parts.records(13, "face", limits, |raw: &RawFace| {
            let face = index;
            index = index.saturating_add(1);
            if raw.kind.get() != PATCH {
                return Ok(());
            }
            let [columns, rows] = raw.sides.map(|side| usize::try_from(side.get()).unwrap_or(0));
            let [first, count] = range("vertex", raw.vertices, vertices.len())?;
            let made =
                Patch::triangles(columns, rows).filter(|_| columns.checked_mul(rows) == Some(count as usize));
            let Some(made) = made else {
                let why =
                    format!("{columns} by {rows} control points of {count} vertices are no curved surface");
                return Err(Error::invalid("face", why));
            };
            triangles = triangles.saturating_add(made as u64);
            Limits::charge("triangles of curved surfaces", triangles, MOST_TRIANGLES)?;
            let own = vertices.iter().skip(first as usize).take(count as usize);
            let points = own.clone().map(|(at, _)| *at).collect();
            let front = own.fold([0.0; 3], |sum: [f64; 3], (_, normal)| {
                let mut parts = sum.into_iter().zip(*normal).map(|(sum, part)| sum + f64::from(part));
                [(); 3].map(|()| parts.next().unwrap_or_default())
            });
            patches.push((face, number("shader", raw.shader)?, Patch { columns, points, front }));
            Ok(())
        })?;
        let models = parts.records(7, "model", limits, |raw: &RawModel| {
            Ok(Model {
                faces: range("face", raw.faces, faces.len())?,
                brushes: range("brush", raw.brushes, brushes.len())?,
            })
        })?;
        let version = quake3_version(bytes).unwrap_or(46);
        let bytes = bytes.len() as u64;
        Ok(Self { version, bytes, entities, shaders, sides, brushes, models, patches })
    }

    /// 46 or 47.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Its entities.
    pub fn entities(&self) -> &Entities {
        &self.entities
    }

    /// What stops a player, as polygons that face outwards: sides of solid and player-clip brushes of the world and of entities that
    /// block, and curved surfaces, each three by three control points of which are eight by eight quadrilaterals. Materials are names of
    /// shaders, in lower case. X, y and z are those of the map, z up.
    ///
    /// Doors are left out, since they open for whoever comes. Models that the compiler baked into the map stop nobody in the game either.
    ///
    /// # Errors
    /// If entities name models so often that all their sides are too many.
    pub fn solid_polygons(&self) -> Result<Scene> {
        let (mut made, mut budget) = (Making::new(), Budget::of(self.bytes));
        // Models share neither brushes nor faces: whoever claims more gets none, so that time stays linear.
        let (mut brushes, mut patches) = (self.brushes.len(), self.patches.len());
        let world = (0, Placed::default());
        let blocking = self.entities.iter().filter(|entity| blocks(entity.class()));
        let blocking =
            blocking.filter_map(|entity| Some((entity.model()?, Placed::at(entity.origin(), [0.0; 3]))));
        for (number, placed) in std::iter::once(world).chain(blocking) {
            let Some(model) = self.models.get(number as usize) else { continue };
            self.brushes_of(model, &placed, (&mut brushes, &mut budget), &mut made)?;
            self.patches_of(model, &placed, (&mut patches, &mut budget), &mut made)?;
        }
        Ok(made.scene)
    }

    fn shader(&self, number: u32) -> Option<&Shader> {
        self.shaders.get(number as usize)
    }

    fn brushes_of(
        &self,
        model: &Model,
        placed: &Placed,
        (left, budget): (&mut usize, &mut Budget),
        made: &mut Making,
    ) -> Result<()> {
        let [first, count] = model.brushes;
        let count = (*left).min(count as usize);
        *left = left.saturating_sub(count);
        for [side, sides, shader] in self.brushes.iter().skip(first as usize).take(count) {
            let stops = self.shader(*shader).is_some_and(|shader| shader.contents.meets(STOPS));
            if !stops || *sides as usize > MOST_SIDES {
                continue;
            }
            budget.brush(*sides as usize)?;
            let sides = self.sides.iter().skip(*side as usize).take(*sides as usize);
            for (plane, shader) in sides.clone() {
                let corners: Vec<_> = winding(plane, sides.clone().map(|(plane, _)| plane))
                    .into_iter()
                    .map(|corner| placed.out(corner.map(|part| part as f32)).map(f64::from))
                    .collect();
                let name = self.shader(*shader).map_or("", |shader| shader.name.as_str());
                made.polygon(&corners, plane.normal.map(f64::from), name);
            }
        }
        Ok(())
    }

    fn patches_of(
        &self,
        model: &Model,
        placed: &Placed,
        (left, budget): (&mut usize, &mut Budget),
        made: &mut Making,
    ) -> Result<()> {
        let [first, count] = model.faces;
        let begin = self.patches.partition_point(|(face, ..)| *face < first);
        let end = self.patches.partition_point(|(face, ..)| *face < first.saturating_add(count));
        let patches = self.patches.get(begin..end).unwrap_or_default();
        let patches = patches.get(..*left).unwrap_or(patches);
        *left = left.saturating_sub(patches.len());
        for (_, shader, patch) in patches {
            let Some(shader) = self.shader(*shader) else { continue };
            if !shader.contents.meets(STOPS) || shader.flags & NON_SOLID != 0 {
                continue;
            }
            budget.curve(patch)?;
            let front = if patch.front == [0.0; 3] { [0.0, 0.0, 1.0] } else { patch.front };
            let out = |corner: [f64; 3]| placed.out(corner.map(|part| part as f32)).map(f64::from);
            patch.each(|triangle| made.polygon(&triangle.map(out), front, &shader.name));
        }
        Ok(())
    }
}

/// Whether entities of a class stand in the way, where they are when the map begins.
fn blocks(class: &[u8]) -> bool {
    const CLASSES: [&str; 10] = [
        "func_static",
        "func_plat",
        "func_button",
        "func_bobbing",
        "func_pendulum",
        "func_rotating",
        "func_train",
        "func_explosive",
        "func_breakable",
        "script_mover",
    ];
    CLASSES.iter().any(|known| class.eq_ignore_ascii_case(known.as_bytes()))
}
