//! Replaces the triangles of a mesh.

use super::buf::{NavMeshBuf, TriangleBuf};
use super::change::doubled_area;
use super::flags::{BOUND, TriangleFlags};
use super::record::Edge;
use navmap_core::error::{Error, Result};
use navmap_core::graph::Scene;
use std::collections::HashMap;

impl NavMeshBuf {
    /// Replaces the triangles by those of a scene, in units with z up, larger faces [cut](Scene::triangles), and computes what
    /// follows from them: neighbours by equal positions, bounds and grid. A face that faces down is turned over. A material is the
    /// names of flags joined by +; every triangle is `found` besides, and has nothing above it. Edge links, doors and cover belong
    /// to the old triangles and are dropped. The owner of the mesh stays.
    ///
    /// # Errors
    /// If there is no face, a coordinate is too large for `f32`, two corners of a triangle coincide, a material names no flag, or
    /// there are more than 65,535 vertices or triangles.
    pub fn with_triangles(&self, scene: &Scene) -> Result<Self> {
        scene.bounded()?;
        let mut mesh = self.clone();
        mesh.vertices.clear();
        mesh.triangles.clear();
        mesh.clear_of_triangles();
        let mut known: HashMap<[u32; 3], u16> = HashMap::new();
        let full = |what, count: usize| Error::invalid(what, format!("{count}, 65535 fit"));
        for (polygon, corners) in scene.polygons() {
            let name = scene.material(polygon.material);
            let flags = flags(name).map_err(|name| {
                Error::invalid("mesh", format!("{}: no flag is named {name}", scene.place(polygon.line)))
            })?;
            let flags = flags.unwrap_or_default();
            let mut numbers = Vec::with_capacity(corners.len());
            for at in corners {
                let at = scene.position(*at).map(|v| v as f32);
                // 0 and -0 are the same place.
                let key = at.map(|v| (v + 0.0).to_bits());
                let next = u16::try_from(mesh.vertices.len()).ok().filter(|next| *next < u16::MAX);
                let number = match (known.get(&key), next) {
                    (Some(number), _) => *number,
                    (None, Some(next)) => {
                        known.insert(key, next);
                        mesh.vertices.push(at);
                        next
                    }
                    (None, None) => return Err(full("vertices", mesh.vertices.len().saturating_add(1))),
                };
                numbers.push(number);
            }
            for vertices in scene.triangles(corners).of(&numbers) {
                let [a, b, c] = vertices;
                // Collinear corners are accepted: the games' meshes have such slivers.
                if a == b || b == c || c == a {
                    let why =
                        format!("{}: a triangle with two corners at one place", scene.place(polygon.line));
                    return Err(Error::invalid("mesh", why));
                }
                let mut triangle = TriangleBuf::new(vertices, mesh.is_tall());
                triangle.flags.0 |= flags.0;
                if doubled_area(mesh.corners(&triangle)) < 0.0 {
                    triangle.vertices = [a, c, b];
                }
                mesh.triangles.push(triangle);
            }
        }
        if mesh.triangles.is_empty() {
            return Err(Error::invalid("mesh", "no faces"));
        }
        if mesh.triangles.len() > usize::from(u16::MAX) {
            return Err(full("triangles", mesh.triangles.len()));
        }
        mesh.marks = vec![0; if self.marks.is_empty() { 0 } else { mesh.vertices.len() }];
        let mut open: HashMap<(u16, u16), (u16, usize)> = HashMap::new();
        let mut pairs = Vec::new();
        for (number, triangle) in (0..=u16::MAX).zip(&mesh.triangles) {
            let [a, b, c] = triangle.vertices;
            for (edge, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
                match open.remove(&(to, from)) {
                    Some(other) => pairs.push(((number, edge), other)),
                    None => _ = open.insert((from, to), (number, edge)),
                }
            }
        }
        for (one, other) in pairs {
            for ((triangle, edge), (to, _)) in [(one, other), (other, one)] {
                if let Some(triangle) = mesh.triangles.get_mut(usize::from(triangle)) {
                    triangle.set_edge(edge, Edge::Neighbour(to));
                }
            }
        }
        mesh.settle_all();
        Ok(mesh)
    }
}

/// The flags that a material names, joined by +: `none` for none of them. `None` if it names nothing, as that of an export does.
/// A number that a modelling program put behind the name counts for nothing.
pub(super) fn flags(material: &str) -> std::result::Result<Option<TriangleFlags>, String> {
    let plain = match material.rsplit_once('.') {
        Some((name, number)) if number.len() == 3 && number.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => material,
    };
    if ["", "floor", "None"].contains(&plain) {
        return Ok(None);
    }
    let mut flags = TriangleFlags::default();
    for name in plain.split('+').filter(|name| !["", "floor", "none"].contains(name)) {
        let known = TriangleFlags::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let bit = known.map(|(_, bit)| bit.0).filter(|bit| bit & BOUND == 0);
        flags.0 |= bit.ok_or_else(|| name.to_owned())?;
    }
    Ok(Some(flags))
}
