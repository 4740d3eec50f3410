//! `polyanya`, whose ways are the shortest there are.

use super::{Hall, Walker};
use polyanya::{Coords, Mesh, Polygon, Vertex};

pub(crate) struct Polyanya(Mesh);

impl Polyanya {
    pub(crate) fn new(hall: &Hall) -> Self {
        let at = hall.corners().zip(hall.around());
        let vertices = at.map(|(at, around)| {
            let around = around.map(|cell| cell.unwrap_or(u32::MAX));
            Vertex::new(at.into(), around.to_vec())
        });
        let polygons = hall.cells.iter().map(|cell| {
            let beside = hall.beside(*cell).into_iter().flatten().count();
            Polygon::new(hall.corners_of(*cell).map(|corner| corner as u32).to_vec(), beside == 1)
        });
        let mut mesh = Mesh::new(vertices.collect(), polygons.collect()).expect("a mesh");
        mesh.bake();
        Self(mesh)
    }
}

impl Walker for Polyanya {
    const NAME: &'static str = "polyanya";

    fn nearest(&mut self, [x, y, _]: [f32; 3]) -> [f32; 2] {
        self.0.get_closest_point(coords([x, y])).expect("ground below").position().into()
    }

    fn way(&mut self, [a, b, _]: [f32; 3], [c, d, _]: [f32; 3]) -> Option<f32> {
        Some(self.0.path(coords([a, b]), coords([c, d]))?.length)
    }
}

fn coords([x, y]: [f32; 2]) -> Coords {
    Coords::on_mesh([x, y].into())
}
