//! Converts polygons to triangles with a group and an attribute.

use super::{ATTRIBUTE, BuildOptions, BuildReport};
use navmap_core::error::{Error, Result};
use navmap_core::graph::Scene;
use std::collections::HashMap;

/// A triangle of the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub(super) corners: [u32; 3],
    pub(super) attribute: u16,
    pub(super) group: u16,
    /// Whether it has no area seen from above. Such a triangle is not cut.
    pub(super) upright: bool,
}

/// The triangles, facing up.
pub(super) struct Input<'s> {
    pub(super) scene: &'s Scene,
    pub(super) triangles: Vec<Triangle>,
}

impl<'s> Input<'s> {
    pub(super) fn read(
        scene: &'s Scene,
        options: &BuildOptions<'_>,
        report: &mut BuildReport,
    ) -> Result<Self> {
        report.unit = scene.unit;
        if let Some(at) = scene.positions.iter().position(|p| p.iter().any(|v| !v.is_finite())) {
            return Err(Error::invalid(
                "position",
                format!("{at} is no place: {:?}", scene.positions.get(at)),
            ));
        }
        let mut attributes: Vec<Option<u16>> = vec![None; scene.materials.len()];
        let groups: Vec<u16> = scene
            .objects
            .iter()
            .map(|name| group(name))
            .collect::<std::result::Result<_, String>>()
            .map_err(|why| Error::invalid("object", why))?;
        // The games' tiles have a few faces that face down, with neighbours to match. If most do, the mesh is upside down.
        let keep_down = options.like.is_some() && !lies_on_its_back(scene);
        let mut triangles = Vec::with_capacity(scene.corners.len());
        for (polygon, corners) in scene.polygons() {
            let slot = attributes.get_mut(polygon.material as usize);
            let attribute = match slot {
                Some(Some(known)) => *known,
                slot => {
                    let read =
                        attribute(scene.material(polygon.material), &options.attributes).map_err(|why| {
                            Error::invalid("mesh", format!("{}: {why}", scene.place(polygon.line)))
                        })?;
                    if let Some(slot) = slot {
                        *slot = Some(read);
                    }
                    read
                }
            };
            let group = groups.get(polygon.object as usize).copied().unwrap_or(BODY);
            let cut = scene.triangles(corners);
            if !cut.is_exact() {
                report.crossed = report.crossed.saturating_add(1);
                report.first_crossed.get_or_insert(polygon.line);
            }
            for mut corners in cut.of(corners) {
                if let Some(bad) = corners.iter().find(|at| **at as usize >= scene.positions.len()) {
                    let why = format!(
                        "{}: vertex {bad} does not exist ({} are there)",
                        scene.place(polygon.line),
                        scene.positions.len()
                    );
                    return Err(Error::invalid("mesh", why));
                }
                let up = turn(corners.map(|at| scene.position(at)));
                let mut upright = false;
                if up < 0.0 && keep_down {
                    report.kept_down = report.kept_down.saturating_add(1);
                } else if up < 0.0 {
                    let [a, b, c] = corners;
                    corners = [a, c, b];
                    report.turned = report.turned.saturating_add(1);
                } else if up == 0.0 || up.is_nan() {
                    // The games' tiles have a few upright faces, and some between three corners on a line. A rebuilt tile keeps them.
                    if options.like.is_none() || !has_three_corners(corners.map(|at| scene.position(at))) {
                        report.flat = report.flat.saturating_add(1);
                        report.first_flat.get_or_insert(polygon.line);
                        continue;
                    }
                    upright = true;
                }
                triangles.push(Triangle { corners, attribute, group, upright });
            }
        }
        if triangles.is_empty() {
            let why = if report.flat > 0 {
                format!("no faces: {} triangles have no area seen from above", report.flat)
            } else {
                "no faces".into()
            };
            return Err(Error::invalid("mesh", why));
        }
        Ok(Self { scene, triangles })
    }

    pub(super) fn corners(&self, triangle: &Triangle) -> [[f64; 3]; 3] {
        triangle.corners.map(|at| self.scene.position(at))
    }
}

/// The group of faces without a group name.
const BODY: u16 = 4;

/// The group in the name of an object: `group3`, and `segment_group_3_segment_17` of our own exports.
fn group(name: &str) -> std::result::Result<u16, String> {
    let lower = name.to_ascii_lowercase();
    let Some((_, rest)) = lower.split_once("group") else { return Ok(BODY) };
    let rest = rest.trim_start_matches(['_', ' ']);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest.get(..digits).unwrap_or_default();
    if number.is_empty() {
        return Ok(BODY);
    }
    match number.parse::<u16>() {
        Ok(group) if group <= 0x7FFF => Ok(group),
        _ => Err(format!("{name}: groups have numbers up to 32767")),
    }
}

/// The attribute in the name of a material.
fn attribute(name: &str, known: &HashMap<String, u16>) -> std::result::Result<u16, String> {
    if let Some(attribute) = known.get(name) {
        return Ok(*attribute);
    }
    // Modelling programs append numbers to equal names: attr_04E1.001.
    let stem = name.rsplit_once('.').filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
    let stem = stem.map_or(name, |(stem, _)| stem);
    if let Some(hex) = stem.strip_prefix("attr_") {
        if hex.len() > 4 {
            return Err(format!("attribute {name} has more than 4 hex digits"));
        }
        return u16::from_str_radix(hex, 16).map_err(|_| format!("attribute {name} is no hex number"));
    }
    match known.get(stem) {
        Some(attribute) => Ok(*attribute),
        None if name.is_empty() => Ok(ATTRIBUTE),
        // Our own GLB exports have one material for all floors.
        None if name == "floor" => Ok(ATTRIBUTE),
        None => Err(format!("material \"{name}\" has no attribute")),
    }
}

/// Twice the area seen from above, positive if it faces up.
pub(super) fn turn([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let ([ax, _, az], [bx, _, bz], [cx, _, cz]) = (a, b, c);
    (bz - az) * (cx - ax) - (bx - ax) * (cz - az)
}

fn lies_on_its_back(scene: &Scene) -> bool {
    let mut balance = 0_i64;
    for (_, corners) in scene.polygons() {
        let triangles = scene.triangles(corners);
        let up: f64 = triangles.of(corners).map(|three| turn(three.map(|at| scene.position(at)))).sum();
        balance = balance.saturating_add(i64::from(up > 0.0)).saturating_sub(i64::from(up < 0.0));
    }
    balance < 0
}

/// Whether no two corners are at one place. Three of them may be on a line: the games' tiles have such faces too.
fn has_three_corners([a, b, c]: [[f64; 3]; 3]) -> bool {
    a != b && b != c && a != c
}
