//! What stands in a map as polygons, for those who build meshes of their own.

use super::contents::Contents;
use super::displacement::Nets;
use super::faces::Faces;
use super::lumps::{Engine, Lumps};
use super::map::BspMap;
use super::winding::{Corner, cross, dot, winding};
use navmap_core::Limits;
use navmap_core::error::Result;
use navmap_core::graph::Scene;
use std::collections::HashMap;

/// Stops a player.
const SOLID: Contents = Contents(0x1 | 0x2 | 0x8);
const CLIP: Contents = Contents(0x1_0000);
/// The most sides of a piece of a prop. Each is cut by all others; real pieces have some dozen.
const MOST_PLANES: usize = 256;

impl BspMap {
    /// What stops a player in a map that was read from these bytes, as polygons that face outwards: the world, entities that block,
    /// displacements, and static props whose [models](Self::add_models) are known. X, y and z are those of the map, z up.
    ///
    /// Materials are the textures of GoldSrc in lower case; in Source they say what a polygon is of: `solid`, `clip`,
    /// `displacement` or `prop`. Sky and liquids are left out. A map of Source has its brushes, of which parts lie in one another;
    /// one of GoldSrc has no brushes, only the faces that can be seen, and clip brushes are not among them.
    ///
    /// # Errors
    /// If faces, edges or vertices of GoldSrc are damaged, or entities name models so often that all their sides and faces are too many.
    pub fn solid_polygons(&self, bytes: &[u8], limits: &Limits) -> Result<Scene> {
        let mut made = Making::new();
        match self.engine() {
            Engine::GoldSrc => self.faces(&Faces::read(&Lumps::parse(bytes)?, limits)?, &mut made)?,
            Engine::Source => self.sides(&mut made)?,
        }
        for corners in self.nets().into_iter().flat_map(Nets::triangles) {
            made.polygon(&corners.map(|corner| corner.map(f64::from)), [0.0, 0.0, 1.0], "displacement");
        }
        Ok(made.scene)
    }

    fn faces(&self, faces: &Faces, made: &mut Making) -> Result<()> {
        let mut budget = self.budget();
        for (model, placed) in self.stands() {
            for face in faces.of_model(model) {
                budget.face(face.corners.len())?;
                let texture = faces.texture(face);
                if texture.starts_with(['!', '*']) || texture.starts_with("sky") {
                    continue;
                }
                let corners: Vec<Corner> =
                    face.corners.iter().map(|corner| placed.out(*corner).map(f64::from)).collect();
                made.polygon(&corners, placed.turned_out(face.normal).map(f64::from), texture);
            }
        }
        Ok(())
    }

    fn sides(&self, made: &mut Making) -> Result<()> {
        self.each_brush(|contents, planes, placed| {
            let material = match contents.meets(SOLID) {
                true => "solid",
                false if contents.meets(CLIP) => "clip",
                false => return,
            };
            for plane in planes {
                let corners: Vec<Corner> = winding(plane, planes.iter())
                    .into_iter()
                    .map(|corner| placed.out(corner.map(|part| part as f32)).map(f64::from))
                    .collect();
                made.polygon(&corners, placed.turned_out(plane.normal).map(f64::from), material);
            }
        })?;
        let mut budget = self.budget();
        for planes in self.prop_pieces().filter(|planes| planes.len() <= MOST_PLANES) {
            budget.piece(planes.len())?;
            for plane in &planes {
                made.polygon(&winding(plane, planes.iter()), plane.normal.map(f64::from), "prop");
            }
        }
        Ok(())
    }
}

pub(super) struct Making {
    pub(super) scene: Scene,
    materials: HashMap<String, u32>,
}

impl Making {
    pub(super) fn new() -> Self {
        let mut scene = Scene::new();
        scene.unit = "face";
        Self { scene, materials: HashMap::new() }
    }

    /// Adds a polygon so that it is anticlockwise seen from where its normal points to.
    pub(super) fn polygon(&mut self, corners: &[Corner], normal: Corner, material: &str) {
        if corners.len() < 3 {
            return;
        }
        let material = self.material(material);
        let first = u32::try_from(self.scene.positions.len()).unwrap_or(u32::MAX);
        let mut numbers: Vec<u32> = (first..).take(corners.len()).collect();
        if dot(turn(corners), normal) < 0.0 {
            numbers.reverse();
        }
        self.scene.positions.extend_from_slice(corners);
        let line = u32::try_from(self.scene.polygons.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.scene.add_polygon(&numbers, line, material, 0);
    }

    fn material(&mut self, name: &str) -> u32 {
        if name.is_empty() {
            return 0;
        }
        if let Some(known) = self.materials.get(name) {
            return *known;
        }
        let number = u32::try_from(self.scene.materials.len()).unwrap_or(0);
        self.scene.materials.push(name.to_owned());
        self.materials.insert(name.to_owned(), number);
        number
    }
}

/// The normal of a polygon by its corners, as long as twice its area.
fn turn(corners: &[Corner]) -> Corner {
    let Some(first) = corners.first() else { return [0.0; 3] };
    let from = |corner: &Corner| {
        let mut parts = corner.iter().zip(first).map(|(a, b)| a - b);
        [(); 3].map(|()| parts.next().unwrap_or_default())
    };
    let ahead = corners.iter().skip(1);
    ahead.clone().zip(ahead.skip(1)).fold([0.0; 3], |sum, (a, b)| {
        let mut parts = sum.into_iter().zip(cross(from(a), from(b))).map(|(sum, part)| sum + part);
        [(); 3].map(|()| parts.next().unwrap_or_default())
    })
}
