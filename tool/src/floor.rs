//! Floor plans of maps, for the verbs that draw meshes.

use super::{args, mapped};
use navmap::bsp::{BspMap, FloorPlan};
use navmap::draw::{Plan, PlanFloor, PlanWall};
use navmap::error::{Error, Result};
use navmap::graph::{Axes, FlatGraph, NavGraph, Point, Up};
use navmap::open::{Bytes, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The highest step, and the height of a human, in games of these engines.
const STEP: f32 = 18.0;
const HUMAN: f32 = 72.0;

/// The plan of the map at a path, for a mesh in the coordinates of maps.
pub(super) fn plan(
    path: &Path,
    models: &[PathBuf],
    graph: &FlatGraph,
    options: &OpenOptions,
) -> Result<Arc<Plan>> {
    let Axes { up: Up::Z, .. } = graph.axes() else {
        let why = "is no floor plan of this mesh, whose coordinates are of another kind (y is up)";
        return Err(Error::invalid("map", why).in_file(path));
    };
    let read = Bytes::open(path, options).and_then(|bytes| {
        let at = |error: Error| error.in_file(path);
        let mut map = BspMap::parse_with(&bytes, &options.limits).map_err(at)?;
        mapped::shape(&mut map, path, models, options)?;
        let plan = FloorPlan::read(&map, &bytes, &options.limits).map_err(at)?;
        bytes.intact().map(|()| plan)
    });
    // The mesh is sound, but the run cannot continue.
    let plan = read.map_err(|error| io::Error::other(error.to_string()))?;
    Ok(Arc::new(drawn(&plan)))
}

/// The plan of a map if one was named.
pub(super) fn asked(
    map: Option<&Path>,
    models: &[PathBuf],
    graph: &FlatGraph,
    open: &args::Open,
) -> Result<Option<Arc<Plan>>> {
    map.map(|map| plan(map, models, graph, &super::plan::options(open))).transpose()
}

/// The plan of the map for a mesh of this name in a folder of maps; `None` if there is no such map.
pub(super) fn beside(
    folder: &Path,
    models: &[PathBuf],
    mesh: &str,
    graph: &FlatGraph,
    options: &OpenOptions,
) -> Result<Option<Arc<Plan>>> {
    map_beside(folder, mesh).map(|map| plan(&map, models, graph, options)).transpose()
}

/// The map for a mesh of this name in a folder of maps.
pub(super) fn map_beside(folder: &Path, mesh: &str) -> Option<PathBuf> {
    let file = mesh.rsplit(['/', '\\', '!']).next().unwrap_or(mesh);
    let name = file.split_once('.').map_or(file, |(name, _)| name);
    let map = [folder.to_owned(), folder.join("maps")].map(|at| at.join(format!("{name}.bsp")));
    map.into_iter().find(|map| map.is_file())
}

fn drawn(plan: &FloorPlan) -> Plan {
    let point = |[x, y, z]: [f32; 3]| Point::new(x, y, z);
    let floor = |floor: &navmap::bsp::Floor| PlanFloor {
        corners: floor.corners.iter().map(|corner| point(*corner)).collect(),
        water: floor.water,
    };
    let wall = |wall: &navmap::bsp::Wall| {
        let [foot, top] = wall.heights;
        PlanWall { ends: wall.ends.map(|[x, y]| Point::new(x, y, foot)), top, clip: wall.clip }
    };
    Plan {
        floors: plan.floors.iter().map(floor).collect(),
        walls: plan.walls.iter().map(wall).collect(),
        step: STEP,
        human: HUMAN,
    }
}
