//! Attributes for the faces of a model, from the tile that it was exported from: OBJ and GLB have none.

use navmap::graph::{FlatGraph, Point, Scene};
use navmap::query::NavIndex;
use std::collections::HashMap;

/// How far away a face of the tile may lie from the middle of one of the model, metres.
const REACH: f32 = 1.0;

/// Gives faces without a material that of the face of the tile that lies there: its attribute. Others stay without.
pub(super) fn attributes(scene: &mut Scene, tile: &FlatGraph) {
    let index = NavIndex::build(tile).value;
    let bare = |name: &str| name.is_empty() || name == "floor";
    let mut materials: HashMap<u64, u32> = HashMap::new();
    let found: Vec<Option<u64>> = scene
        .polygons()
        .map(|(polygon, corners)| {
            if !bare(scene.material(polygon.material)) {
                return None;
            }
            let places = corners.iter().map(|corner| scene.position(*corner));
            let sum = places.fold([0.0; 3], |[a, b, c], [x, y, z]| [a + x, b + y, c + z]);
            let [x, y, z] = sum.map(|sum| (sum / corners.len() as f64) as f32);
            index.nearest(Point::new(x, y, z), REACH).map(|near| index.flags(near.area))
        })
        .collect();
    for (at, attribute) in found.into_iter().enumerate() {
        let Some(attribute) = attribute else { continue };
        let names = &mut scene.materials;
        let material = *materials.entry(attribute).or_insert_with(|| {
            names.push(format!("attr_{attribute:04X}"));
            u32::try_from(names.len() - 1).unwrap_or(0)
        });
        scene.polygons[at].material = material;
    }
}
