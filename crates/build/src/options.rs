//! What a mesh is built for, and what that is in voxels.

use navmap_core::Limits;
use navmap_core::error::{Error, Result};
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Who walks on the mesh, in metres and degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agent {
    /// How far its middle stays from walls.
    pub radius: f32,
    /// The room that it needs above the ground.
    pub height: f32,
    /// The highest step that it walks up or down.
    pub climb: f32,
    /// The steepest ground that it walks on, in degrees from level; less than 90.
    pub slope: f32,
}

impl Default for Agent {
    /// A person: 0.4 m of radius, 1.8 m high, steps of 0.5 m, slopes of 45°.
    fn default() -> Self {
        Self { radius: 0.4, height: 1.8, climb: 0.5, slope: 45.0 }
    }
}

/// Options of a build. The words and the defaults are those of RecastDemo.
#[derive(Debug, Clone, PartialEq)]
pub struct BuildOptions<'p> {
    /// Who walks.
    pub agent: Agent,
    /// Side of a voxel in metres. `None`: half of the agent's radius, and 0.2 m without one.
    pub cell_size: Option<f32>,
    /// Height of a voxel in metres. `None`: half of its side.
    pub cell_height: Option<f32>,
    /// Side of a tile in voxels, 16 to 1,024. `None`: 64, 128 or 256, so that there are at most 1,024 tiles if that does it.
    pub tile: Option<u16>,
    /// Regions of fewer voxels than the square of this are left out, unless they go on in another tile.
    pub region_min: u16,
    /// Regions of fewer voxels than the square of this are merged with others where that is possible.
    pub region_merge: u16,
    /// The longest edge along a wall, in metres; 0 is no limit.
    pub edge_max: f32,
    /// How far an edge may stray from the voxels that it goes around, in voxels.
    pub edge_error: f32,
    /// How far apart heights are measured inside of polygons, in voxels, 0.9 at least; 0 measures none.
    pub detail_step: f32,
    /// How far the ground may be from the surface of the mesh, in heights of a voxel.
    pub detail_error: f32,
    /// Areas of Detour, 0 to 63, by name of material, in any case; `None` is ground that nobody walks on. The last row for a name
    /// counts; other materials are area 0.
    pub areas: Vec<(String, Option<u8>)>,
    /// What may be spent.
    pub limits: BuildLimits,
    /// Tells others how far the build is, and lets them end it.
    pub progress: Option<&'p Progress>,
}

impl Default for BuildOptions<'_> {
    fn default() -> Self {
        Self {
            agent: Agent::default(),
            cell_size: None,
            cell_height: None,
            tile: None,
            region_min: 8,
            region_merge: 20,
            edge_max: 12.0,
            edge_error: 1.3,
            detail_step: 6.0,
            detail_error: 1.0,
            areas: Vec::new(),
            limits: BuildLimits::default(),
            progress: None,
        }
    }
}

/// What a build may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildLimits {
    /// Triangles. Default 16 million.
    pub triangles: u64,
    /// Tiles, empty ones too. Default 65,536.
    pub tiles: u64,
    /// Triangles of all tiles together, where one that lies in two counts twice: 4 bytes each. Default 256 million.
    pub shares: u64,
    /// Cells that triangles cover, which is what time goes into: some hundred nanoseconds each. Default 268 million.
    pub cells: u64,
    /// As many more for each triangle, so that a large level is built and a large triangle is not. Default 1,024.
    pub cells_of_triangle: u64,
    /// Of these, for each cell from end to end of the level: more lie over each other, and time goes into little ground. 16 million are free.
    /// Default 24.
    pub layers: u64,
    /// Voxels of one tile, some 30 bytes each on each thread. Default 4 million.
    pub voxels: u64,
}

impl Default for BuildLimits {
    fn default() -> Self {
        Self {
            triangles: 1 << 24,
            tiles: 1 << 16,
            shares: 1 << 28,
            cells: 1 << 28,
            cells_of_triangle: 1 << 10,
            layers: 24,
            voxels: 1 << 22,
        }
    }
}

/// How far a build is.
#[derive(Debug, Default)]
pub struct Progress {
    /// Set to end it early, with an error.
    pub stop: AtomicBool,
    /// Tiles that are done.
    pub done: AtomicU64,
    /// All tiles; 0 if they are not known yet.
    pub total: AtomicU64,
}

/// Two `Progress` are the same if they are one.
impl PartialEq for Progress {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The most cells of a radius, whose double the port counts in 8 bits.
const MOST_RADIUS: f64 = 100.0;
/// The most voxels of a height or a climb: the port cuts the room above the ground off at 255.
const MOST_HEIGHT: f64 = 250.0;

/// The least distance between heights that are measured, in voxels.
const LEAST_STEP: f32 = 0.9;

/// An agent in voxels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Voxels {
    /// Side and height of a voxel in metres.
    pub(crate) cell: f64,
    pub(crate) cell_height: f64,
    /// Height, climb and radius of the agent.
    pub(crate) height: u16,
    pub(crate) climb: u16,
    pub(crate) radius: u16,
    /// Cells around a tile that are built for its sake.
    pub(crate) border: u16,
    /// The longest edge; 0 is no limit.
    pub(crate) edge: u16,
    /// The least y of the normal of ground.
    pub(crate) least_up: f64,
}

impl Voxels {
    /// # Errors
    /// If a number is none, negative, or more voxels than the builder can count.
    pub(crate) fn new(options: &BuildOptions<'_>) -> Result<Self> {
        let Agent { radius, height, climb, slope } = options.agent;
        let cell = options.cell_size.unwrap_or(if radius > 0.0 { radius / 2.0 } else { 0.2 });
        let cell_height = options.cell_height.unwrap_or(cell / 2.0);
        for (what, value, least) in [
            ("cell size", cell, 1e-4),
            ("cell height", cell_height, 1e-4),
            ("agent radius", radius, 0.0),
            ("agent height", height, 1e-4),
            ("agent climb", climb, 0.0),
            ("edge max", options.edge_max, 0.0),
            ("edge error", options.edge_error, 0.0),
            ("detail step", options.detail_step, 0.0),
            ("detail error", options.detail_error, 0.0),
        ] {
            if !(least..=1e6).contains(&value) {
                return Err(Error::invalid(what, format!("{value} is not between {least} and 1000000")));
            }
        }
        // Points of one voxel are the same height.
        if options.detail_step > 0.0 && options.detail_step < LEAST_STEP {
            let why = format!("{} is neither 0 nor at least {LEAST_STEP} voxels", options.detail_step);
            return Err(Error::invalid("detail step", why));
        }
        if !(0.0..90.0).contains(&slope) {
            return Err(Error::invalid("agent slope", format!("{slope} is not between 0 and 90 degrees")));
        }
        if let Some(tile) = options.tile.filter(|tile| !(16..=1024).contains(tile)) {
            return Err(Error::invalid("tile", format!("{tile} is not between 16 and 1024 voxels")));
        }
        if let Some((name, area)) = options.areas.iter().find(|(_, area)| area.is_some_and(|id| id > 63)) {
            let area = area.unwrap_or_default();
            return Err(Error::invalid("area", format!("{area} of {name} is not between 0 and 63")));
        }
        let (cell, cell_height) = (f64::from(cell), f64::from(cell_height));
        let voxels = |what: &'static str, value: f64, most: f64| {
            Limits::charge(what, value as u64, most as u64).map(|()| value as u16)
        };
        // Half a thousandth of a voxel is what rounding leaves of a whole one.
        let up = |metres: f32, unit: f64| (f64::from(metres) / unit - 5e-4).ceil().max(0.0);
        let radius = voxels("voxels of the agent's radius", up(radius, cell), MOST_RADIUS)?;
        let height = voxels("voxels of the agent's height", up(height, cell_height), MOST_HEIGHT)?;
        let climb = (f64::from(climb) / cell_height + 5e-4).floor();
        let climb = voxels("voxels of the agent's climb", climb, MOST_HEIGHT)?;
        Ok(Self {
            cell,
            cell_height,
            height: height.max(3),
            climb,
            radius,
            border: radius + 3,
            edge: up(options.edge_max, cell).min(f64::from(u16::MAX)) as u16,
            least_up: f64::from(slope).to_radians().cos() - 1e-6,
        })
    }
}
