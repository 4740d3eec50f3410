//! The faces of a model, as triangles of the meshes that they are for.

use super::corners::Corners;
use super::names::Aim;
use crate::build::flags;
use crate::change::doubled_area;
use crate::flags::TriangleFlags;
use crate::form::FormId;
use crate::owners::Owners;
use navmap_core::error::{Error, Result};
use navmap_core::graph::{Polygon, Scene};
use std::collections::HashMap;

/// The objects of a model that are for one mesh.
pub(super) struct Aimed {
    pub(super) aim: Aim,
    /// Polygons, as indices into the scene's.
    pub(super) polygons: Vec<usize>,
}

/// A triangle of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Numbers of its corners' places.
    pub(super) corners: [u32; 3],
    /// The flags that its material names.
    pub(super) flags: Option<TriangleFlags>,
    /// The polygon it is of.
    pub(super) polygon: Polygon,
}

/// Where a face is, in words.
pub(super) fn called(scene: &Scene, polygon: &Polygon) -> String {
    format!("object {}, {}", scene.object(polygon.object), scene.place(polygon.line))
}

#[cold]
pub(super) fn refused(scene: &Scene, polygon: &Polygon, why: impl std::fmt::Display) -> Error {
    Error::invalid("model", format!("{}: {why}", called(scene, polygon)))
}

/// The meshes that a model is for, in the order of its objects. Objects without faces are passed over.
///
/// # Errors
/// If there is no face, or the name of an object with faces says nothing.
pub(super) fn aims(scene: &Scene, owners: Owners) -> Result<Vec<Aimed>> {
    scene.bounded()?;
    let mut found: Vec<Aimed> = Vec::new();
    // The mesh of each object, and that of each navmesh: an object may have been cut in two.
    let (mut objects, mut meshes): (HashMap<u32, usize>, HashMap<FormId, usize>) = Default::default();
    for (index, (polygon, _)) in scene.polygons().enumerate() {
        let at = match objects.get(&polygon.object) {
            Some(at) => *at,
            None => {
                let why = "its name says no record; NAVM 01000902 replaces that navmesh, CELL 01000900 becomes one of that cell";
                let aim =
                    Aim::of(scene.object(polygon.object)).ok_or_else(|| refused(scene, polygon, why))?;
                let next = found.len();
                let at = match aim {
                    Aim::Mesh(form) => *meshes.entry(owners.canonical(form)).or_insert(next),
                    Aim::Cell(_) => next,
                };
                if at == next {
                    found.push(Aimed { aim, polygons: Vec::new() });
                }
                objects.insert(polygon.object, at);
                at
            }
        };
        if let Some(aimed) = found.get_mut(at) {
            aimed.polygons.push(index);
        }
    }
    match found.is_empty() {
        true => Err(Error::invalid("model", "no faces")),
        false => Ok(found),
    }
}

/// The most triangles and vertices that the editor can number.
pub(super) const MOST: usize = 32_767;

/// The faces of some polygons, [cut](Scene::triangles) into triangles. Those of a polygon that crosses itself lie over each other.
///
/// # Errors
/// If there are more than the editor can number, or a material names no flag. The error names the face.
pub(super) fn faces(
    scene: &Scene,
    starts: &[u32],
    polygons: &[usize],
    corners: &mut Corners,
) -> Result<Vec<Face>> {
    let mut faces = Vec::new();
    for index in polygons {
        let Some(polygon) = scene.polygons.get(*index) else { continue };
        let start = starts.get(*index).copied().unwrap_or_default() as usize;
        let at = scene.corners.get(start..polygon.end as usize).unwrap_or_default();
        let flags = flags(scene.material(polygon.material))
            .map_err(|name| refused(scene, polygon, format_args!("no flag is named {name}")))?;
        let numbers = at.iter().map(|corner| corners.find(scene.position(*corner).map(|v| v as f32)));
        let numbers: Vec<u32> = numbers.collect();
        for corners in scene.triangles(at).of(&numbers) {
            if faces.len() >= MOST {
                let why =
                    format_args!("more than {MOST} triangles in one navmesh, where the editor's indices end");
                return Err(refused(scene, polygon, why));
            }
            faces.push(Face { corners, flags, polygon: *polygon });
        }
    }
    Ok(faces)
}

/// Where the corners of each polygon begin.
pub(super) fn starts(scene: &Scene) -> Vec<u32> {
    std::iter::once(0).chain(scene.polygons.iter().map(|polygon| polygon.end)).collect()
}

/// Turns a face over if it faces down. Returns whether it did.
///
/// # Errors
/// If it has no area seen from above. The error names it.
pub(super) fn upright(scene: &Scene, face: &mut Face, corners: &Corners) -> Result<bool> {
    let at = face.corners.map(|corner| corners.place(corner));
    let [a, b, c] = face.corners;
    if a == b || b == c || c == a {
        let [x, y, z] = corners.place(if a == b || a == c { a } else { b });
        let why = format_args!("a triangle with two corners at one place, {x} {y} {z}");
        return Err(refused(scene, &face.polygon, why));
    }
    let area = doubled_area(at);
    if area == 0.0 {
        let [x, y, z] = corners.place(a);
        let why = format_args!("a triangle that has no area seen from above, at {x} {y} {z}");
        return Err(refused(scene, &face.polygon, why));
    }
    if area < 0.0 {
        face.corners = [a, c, b];
    }
    Ok(area < 0.0)
}
