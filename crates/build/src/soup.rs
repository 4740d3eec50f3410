//! The triangles of a model.

use super::bill::Bill;
use super::options::{BuildOptions, Voxels};
use navmap_core::Limits;
use navmap_core::error::Result;
use navmap_core::graph::Scene;

/// A triangle: its corners in the scene, and its area for the port: 0 is no ground, else one more than the area of Detour.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub(crate) corners: [u32; 3],
    pub(crate) area: u8,
}

/// Triangles over the positions of a scene.
#[derive(Debug)]
pub(crate) struct Soup<'s> {
    scene: &'s Scene,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
}

impl<'s> Soup<'s> {
    /// # Errors
    /// If a number is none or too large, if there is no triangle, or more than are allowed.
    pub(crate) fn new(
        scene: &'s Scene,
        voxels: &Voxels,
        options: &BuildOptions<'_>,
        bill: &mut Bill,
    ) -> Result<Self> {
        scene.bounded()?;
        let count = scene.polygons().map(|(_, corners)| corners.len().saturating_sub(2) as u64).sum();
        Limits::charge("triangles", count, options.limits.triangles)?;
        bill.triangles = count;
        let areas = areas(scene, options, bill);
        let mut soup =
            Self { scene, triangles: Vec::new(), low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };
        for (polygon, corners) in scene.polygons() {
            let area = areas.get(polygon.material as usize).copied().unwrap_or(Some(0));
            let triangles = scene.triangles(corners);
            bill.crossed += u64::from(!triangles.is_exact());
            for corners in triangles.of(corners) {
                soup.add(corners, area, voxels, bill);
            }
        }
        if soup.triangles.is_empty() {
            return Err(navmap_core::Error::invalid("model", "has no face with an area"));
        }
        Ok(soup)
    }

    fn add(&mut self, corners: [u32; 3], area: Option<u8>, voxels: &Voxels, bill: &mut Bill) {
        let points = corners.map(|corner| self.scene.position(corner));
        let Some(up) = up(points) else {
            bill.drop("triangles without an area", 1);
            return;
        };
        let walkable = up >= voxels.least_up;
        match area {
            _ if !walkable && up > 0.0 => bill.drop("triangles that are too steep to walk on", 1),
            _ if !walkable => bill.drop("triangles that are upright or face down: walls and ceilings", 1),
            None => bill.drop("triangles whose material nobody walks on", 1),
            Some(_) => bill.walkable += 1,
        }
        for point in points {
            for ((low, high), at) in self.low.iter_mut().zip(&mut self.high).zip(point) {
                (*low, *high) = (low.min(at), high.max(at));
            }
        }
        let area = area.filter(|_| walkable).map_or(0, |id| id + 1);
        self.triangles.push(Triangle { corners, area });
    }

    /// The corners of a triangle, in metres.
    pub(crate) fn points(&self, triangle: &Triangle) -> [[f64; 3]; 3] {
        triangle.corners.map(|corner| self.scene.position(corner))
    }
}

/// The area of each material.
fn areas(scene: &Scene, options: &BuildOptions<'_>, bill: &mut Bill) -> Vec<Option<u8>> {
    let named = |rule: &(String, Option<u8>), name: &String| rule.0.eq_ignore_ascii_case(name);
    let unknown = |rule: &&(String, Option<u8>)| !scene.materials.iter().any(|name| named(rule, name));
    bill.unknown = options.areas.iter().filter(unknown).map(|(name, _)| name.clone()).collect();
    let area = |name: &String| options.areas.iter().rev().find(|rule| named(rule, name));
    scene.materials.iter().map(|name| area(name).map_or(Some(0), |(_, area)| *area)).collect()
}

/// The y of a triangle's normal; `None` if it has no area.
fn up([a, b, c]: [[f64; 3]; 3]) -> Option<f64> {
    let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let (u, v) = (minus(b, a), minus(c, a));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|part| part * part).sum::<f64>().sqrt();
    (length > 0.0).then(|| normal[1] / length)
}
