//! Reads the level, builds, and says what became of it.

use crate::build::{format as model_format, told};
use crate::heeded::refuse;
use crate::out::{is_stdout, report};
use crate::save::{save, vacant};
use crate::{Exit, Failure, args, is_bad_file, mapped, plan, progress, unreadable};
use navmap::bsp::{BspMap, Quake3Map};
use navmap::build::{Agent, Bill, BuildLimits, BuildOptions, Progress, build};
use navmap::error::{Error, Result};
use navmap::format::has_extension;
use navmap::graph::{INCH, Scene};
use navmap::import;
use navmap::open::{Bytes, OpenOptions};
use std::sync::atomic::Ordering::Relaxed;

pub(crate) fn run(typed: &args::Level) -> std::result::Result<Exit, Failure> {
    if !is_stdout(&typed.output) && !has_extension(&typed.output, &["navmesh", "bin"]) {
        let why = "has to end in .navmesh or .bin: a set of Detour is written";
        return Err(Error::invalid("output", why).in_file(&typed.output).into());
    }
    vacant(&typed.output, typed.force)?;
    let scene = match level(typed, &plan::options(&typed.open)) {
        Ok(scene) => scene,
        Err(error) if is_bad_file(&error) => return Ok(unreadable(error, &typed.path)),
        Err(error) => return Err(error.in_file(&typed.path).into()),
    };
    let (bytes, bill) = match made(typed, &scene) {
        Ok(made) => made,
        Err(error) if is_bad_file(&error) => return Ok(unreadable(error, &typed.path)),
        Err(error) => return Err(error.in_file(&typed.path).into()),
    };
    let lines: Vec<String> = bill.to_string().lines().map(str::to_owned).collect();
    report(&lines, is_stdout(&typed.output))?;
    save(&typed.output, typed.force, |out| out.write_all(&bytes))?;
    Ok(Exit::Clean)
}

/// The faces of the level, in metres with y up.
fn level(typed: &args::Level, options: &OpenOptions) -> Result<Scene> {
    match model_format(&typed.path) {
        Some(import::Format::Obj) => heeded(typed, &["--up", "--unit"], "an .obj")?,
        Some(_) => heeded(typed, &[], "a .glb, which has y up and metres")?,
        None if has_extension(&typed.path, &["bsp"]) => {
            heeded(typed, &["--models"], "a map, which has z up and its own units")?
        }
        None => return Err(Error::invalid("level", "has to end in .obj, .glb or .bsp")),
    }
    let bytes = Bytes::open(&typed.path, options)?;
    let mut scene = match model_format(&typed.path) {
        Some(format) => import::read(&bytes, format)?,
        None if Quake3Map::is(&bytes) => {
            heeded(typed, &[], "a map of Quake III")?;
            Quake3Map::parse(&bytes, &options.limits)?.solid_polygons()?
        }
        None => {
            let mut map = BspMap::parse_with(&bytes, &options.limits)?;
            mapped::shape(&mut map, &typed.path, &typed.models, options)?;
            map.solid_polygons(&bytes, &options.limits)?
        }
    };
    bytes.intact()?;
    match model_format(&typed.path) {
        Some(import::Format::Obj) => {
            let (up, unit) = told(&bytes).unwrap_or((args::Up::Y, 1.0));
            turn(&mut scene, typed.up.unwrap_or(up) == args::Up::Z, typed.unit.unwrap_or(unit));
        }
        Some(_) => {}
        None => turn(&mut scene, true, INCH),
    }
    Ok(scene)
}

/// Refuses options that such a level does not heed.
fn heeded(typed: &args::Level, heeded: &[&str], what: &str) -> Result<()> {
    let special = [
        ("--up", typed.up.is_some()),
        ("--unit", typed.unit.is_some()),
        ("--models", !typed.models.is_empty()),
    ];
    refuse(&special, heeded, what, &typed.path)
}

/// Turns a model to y up, and its units to metres.
fn turn(scene: &mut Scene, z_up: bool, unit: f64) {
    if z_up {
        scene.turn_z_up();
    }
    scene.positions.iter_mut().flatten().for_each(|part| *part *= unit);
}

fn made(typed: &args::Level, scene: &Scene) -> Result<(Vec<u8>, Bill)> {
    let progress = Progress::default();
    let [radius, height, climb, slope] = typed.agent;
    let mut limits = BuildLimits {
        triangles: typed.max_triangles,
        tiles: typed.max_tiles,
        voxels: typed.max_voxels,
        ..BuildLimits::default()
    };
    if let Some(most) = typed.max_cells {
        (limits.cells, limits.cells_of_triangle, limits.layers) = (most, 0, u64::MAX);
    }
    let options = BuildOptions {
        agent: Agent { radius, height, climb, slope },
        cell_size: typed.cell_size.map(|size| size as f32),
        cell_height: typed.cell_height.map(|height| height as f32),
        tile: typed.tile_size,
        region_min: typed.region_min,
        region_merge: typed.region_merge,
        edge_max: typed.edge_max,
        edge_error: typed.edge_error,
        detail_step: typed.detail_step,
        detail_error: typed.detail_error,
        areas: typed.area.clone(),
        limits,
        progress: Some(&progress),
    };
    let state = || ("tiles".to_owned(), progress.done.load(Relaxed), progress.total.load(Relaxed));
    let threads = typed.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    progress::watched(state, || match pool {
        Ok(pool) => pool.install(|| build(scene, &options)),
        // No other thread can be started, and this one does all of it.
        Err(_) if rayon::current_thread_index().is_some() => build(scene, &options),
        Err(error) => Err(Error::invalid("threads", error.to_string())),
    })
}
