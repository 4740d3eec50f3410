//! `landmass`.

use super::{Hall, Walker};
use landmass::{
    Archipelago, ArchipelagoOptions, FromAgentRadius, Island, NavigationMesh, PathStep,
    PermittedAnimationLinks, Transform, Vec3, XYZ,
};
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) struct Landmass(Archipelago<XYZ>);

impl Landmass {
    pub(crate) fn new(hall: &Hall) -> Self {
        let mesh = NavigationMesh {
            vertices: hall.corners().map(|[x, y]| Vec3::new(x, y, 0.0)).collect(),
            polygons: hall.cells.iter().map(|cell| hall.corners_of(*cell).to_vec()).collect(),
            polygon_type_indices: vec![0; hall.cells.len()],
            height_mesh: None,
        };
        let mesh = mesh.validate().expect("a mesh");
        let mut archipelago = Archipelago::new(ArchipelagoOptions::from_agent_radius(0.5));
        archipelago
            .add_island(Island::new(Transform { translation: Vec3::ZERO, rotation: 0.0 }, Arc::new(mesh)));
        // What it needs for questions is made by a step of its simulation.
        archipelago.update(0.0);
        Self(archipelago)
    }
}

impl Walker for Landmass {
    const NAME: &'static str = "landmass";

    fn nearest(&mut self, at: [f32; 3]) -> [f32; 2] {
        let reach = &self.0.archipelago_options.point_sample_distance;
        let point = self.0.sample_point(at.into(), reach).expect("ground below").point();
        [point.x, point.y]
    }

    fn way(&mut self, from: [f32; 3], to: [f32; 3]) -> Option<f32> {
        let reach = &self.0.archipelago_options.point_sample_distance;
        let [start, end] = [from, to].map(|at| self.0.sample_point(at.into(), reach).expect("ground below"));
        let links = PermittedAnimationLinks::All;
        let steps = self.0.find_path(&start, &end, &HashMap::new(), links).ok()?;
        let (mut at, mut length) = (Vec3::from(from), 0.0);
        for step in steps {
            let PathStep::Waypoint(next) = step else { unreachable!("no link was added") };
            length += at.distance(next);
            at = next;
        }
        Some(length)
    }
}
