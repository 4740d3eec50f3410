//! The drawn faces of GoldSrc, which has no brushes: polygons with the names of their textures.

use super::lumps::Lumps;
use super::tree::{RawPlane, out_of_range, plane};
use navmap_core::Limits;
use navmap_core::error::Result;
use zerocopy::byteorder::little_endian::{F32, I16, I32, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawFace {
    plane: U16,
    side: I16,
    first_edge: I32,
    edges: I16,
    texture: I16,
    _rest: [u8; 8],
}

/// How a texture lies on a face, and which it is.
#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawTexture {
    _axes: [F32; 8],
    image: U32,
    _flags: U32,
}

#[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct RawModel {
    _before: [u8; 56],
    first_face: I32,
    faces: I32,
}

const _: () =
    assert!(size_of::<RawFace>() == 20 && size_of::<RawModel>() == 64 && size_of::<RawTexture>() == 40);

/// A face: corners in order, its normal, and the number of its texture.
pub(super) struct Face {
    pub(super) corners: Vec<[f32; 3]>,
    pub(super) normal: [f32; 3],
    texture: Option<u32>,
}

/// All faces of a map.
pub(super) struct Faces {
    faces: Vec<Face>,
    /// The first face of each model, and how many it has.
    models: Vec<Option<[u32; 2]>>,
    names: Vec<String>,
}

impl Faces {
    /// # Errors
    /// If faces, edges, vertices or textures are damaged.
    pub(super) fn read(lumps: &Lumps<'_>, limits: &Limits) -> Result<Self> {
        let planes = lumps.records(1, "plane", limits, RawPlane::plane)?;
        let vertices = lumps.records(3, "vertex", limits, |raw: &[F32; 3]| Ok(raw.map(F32::get)))?;
        let edges = lumps.records(12, "edge", limits, |raw: &[U16; 2]| Ok(raw.map(U16::get)))?;
        let surface_edges = lumps.records(13, "surface edge", limits, |raw: &I32| Ok(raw.get()))?;
        let textures = lumps.records(6, "texture", limits, |raw: &RawTexture| Ok(raw.image.get()))?;
        let models = lumps.records(14, "model", limits, |raw: &RawModel| {
            let first = u32::try_from(raw.first_face.get()).ok();
            Ok(first.zip(u32::try_from(raw.faces.get()).ok()).map(<[u32; 2]>::from))
        })?;
        let corner = |number: usize| -> Result<[f32; 3]> {
            let edge = surface_edges.get(number).copied();
            let edge =
                edge.ok_or_else(|| out_of_range("surface edge", number as u64, surface_edges.len()))?;
            let ends = edges.get(edge.unsigned_abs() as usize);
            let [first, second] =
                *ends.ok_or_else(|| out_of_range("edge", edge.unsigned_abs().into(), edges.len()))?;
            let vertex = if edge < 0 { second } else { first };
            let at = vertices.get(usize::from(vertex)).copied();
            at.ok_or_else(|| out_of_range("vertex", vertex.into(), vertices.len()))
        };
        // Faces share no entries of the edge list, so all together have at most as many corners as it has entries.
        let mut left = surface_edges.len();
        let faces = lumps.records(7, "face", limits, |raw: &RawFace| {
            let plane = plane(&planes, raw.plane.get().into())?;
            let count = usize::try_from(raw.edges.get()).unwrap_or(0);
            let Some(rest) = left.checked_sub(count) else {
                return Err(out_of_range("surface edge", count as u64, left));
            };
            left = rest;
            let first = usize::try_from(raw.first_edge.get()).unwrap_or(usize::MAX);
            let corners = (0..count).map(|at| corner(first.saturating_add(at)));
            let sign = if raw.side.get() == 0 { 1.0 } else { -1.0 };
            Ok(Face {
                corners: corners.collect::<Result<Vec<_>>>()?,
                normal: plane.normal.map(|part| part * sign),
                texture: usize::try_from(raw.texture.get()).ok().and_then(|at| textures.get(at)).copied(),
            })
        })?;
        Ok(Self { faces, models, names: names(&lumps.lump(2, limits)?) })
    }

    /// The faces of a model; none if it is out of range.
    pub(super) fn of_model(&self, model: u32) -> impl Iterator<Item = &Face> {
        let [first, count] = self.models.get(model as usize).copied().flatten().unwrap_or_default();
        self.faces.iter().skip(first as usize).take(count as usize)
    }

    /// The name of a face's texture, in lower case; empty if the map does not tell.
    pub(super) fn texture(&self, face: &Face) -> &str {
        face.texture.and_then(|at| self.names.get(at as usize)).map_or("", String::as_str)
    }
}

/// The names in the lump of textures, in lower case. A lump that ends early has fewer; no face is lost for that.
fn names(lump: &[u8]) -> Vec<String> {
    let word = |at: usize| {
        let bytes = lump.get(at..at.checked_add(4)?)?;
        Some(u32::from_le_bytes(<[u8; 4]>::try_from(bytes).ok()?) as usize)
    };
    let room = lump.len() / 4;
    let count = word(0).unwrap_or(0).min(room);
    let name = |number: usize| {
        let at = word(number.checked_mul(4)?)?;
        let bytes = lump.get(at..at.checked_add(16)?)?;
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        Some(String::from_utf8_lossy(bytes.get(..end)?).to_ascii_lowercase())
    };
    (1..=count).map(|number| name(number).unwrap_or_default()).collect()
}
