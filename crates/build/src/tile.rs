//! One tile: from triangles to polygons, by the port of Recast.

use super::bill::Part;
use super::grid::Grid;
use super::mesh;
use super::options::{BuildOptions, Voxels};
use super::soup::Soup;
use navmap_core::Limits;
use navmap_core::error::{Error, Result};
use rerecast::{
    Aabb3d, AreaType, BuildContoursFlags, CompactHeightfield, Heightfield, HeightfieldBuilder,
    PolygonNavmesh, RegionId,
};
use std::io;
use std::sync::atomic::Ordering::Relaxed;

/// The most floors over one another: the port counts those of a column in 8 bits, and tells neighbours of 62 apart.
const MOST_FLOORS: u64 = 62;
/// The most numbers of regions: the next bit marks the border.
const MOST_REGIONS: u64 = 0x7FFF;
/// The most contours in a tile that the port can list: it doubles a count of 16 bits when it needs more.
const MOST_CONTOURS: usize = 0x7FFF;
/// How many triangles are cut into voxels before somebody may end it.
const OFTEN: usize = 1024;

/// What all tiles of a mesh are built of.
#[derive(Clone, Copy)]
pub(crate) struct Work<'w> {
    pub(crate) soup: &'w Soup<'w>,
    pub(crate) grid: &'w Grid,
    pub(crate) voxels: &'w Voxels,
    pub(crate) options: &'w BuildOptions<'w>,
}

/// Builds a tile. It is none if nobody can walk there.
///
/// # Errors
/// If a limit would be exceeded, or the build was stopped.
pub(crate) fn tile(work: Work<'_>, number: usize) -> Result<Part> {
    let Work { grid, voxels, options, .. } = work;
    let mut part = Part::default();
    let mut field = solid(work, number)?;
    part.voxels = field.allocated_spans.len() as u64;
    field.filter_low_hanging_walkable_obstacles(voxels.climb);
    field.filter_ledge_spans(voxels.height, voxels.climb);
    field.filter_walkable_low_height_spans(voxels.height);
    Limits::charge("floors over one another", floors(&field), MOST_FLOORS)?;
    let mut open = field.into_compact(voxels.height, voxels.climb).map_err(failed)?;
    part.ground = open.spans.len() as u64;
    if open.spans.is_empty() {
        return Ok(part);
    }
    open.erode_walkable_area(voxels.radius);
    let eroded = ground(&open);
    open.build_distance_field();
    let square = |side: u16| side.saturating_mul(side);
    open.build_regions(voxels.border, square(options.region_min), square(options.region_merge))
        .map_err(failed)?;
    Limits::charge("regions of a tile", open.max_region.bits().into(), MOST_REGIONS)?;
    let kept = open.spans.iter().filter(|span| span.region != RegionId::NONE).count() as u64;
    part.dropped = [
        ("voxels of ground that are too near to walls and ledges", part.ground - eroded),
        ("voxels of ground in regions that are too small", eroded.saturating_sub(kept)),
        ("", 0),
    ];
    match polygons(&open, voxels, options) {
        Some(mesh) if mesh.polygon_count() > 0 => {
            part.tile = Some(mesh::tile(&mesh, &open, grid, voxels, grid.at(number), options)?);
        }
        Some(_) => {}
        None => part.dropped[2] = ("tiles whose outlines cross themselves", 1),
    }
    Ok(part)
}

/// Cuts triangles into voxels, in metres from the corner of the tile with its border, so that a far place is as exact as a near one.
fn solid(work: Work<'_>, number: usize) -> Result<Heightfield> {
    let Work { soup, grid, voxels, options } = work;
    let side = f64::from(grid.side) + 2.0 * f64::from(voxels.border);
    let around = (side * voxels.cell) as f32;
    let high = ((grid.height + 1) as f64 * voxels.cell_height) as f32;
    let mut field = HeightfieldBuilder {
        aabb: Aabb3d { min: [0.0; 3].into(), max: [around, high, around].into() },
        cell_size: voxels.cell as f32,
        cell_height: voxels.cell_height as f32,
    }
    .build()
    .map_err(failed)?;
    let [x, y, z] = grid.corner(grid.at(number));
    let border = f64::from(voxels.border) * voxels.cell;
    let low = [x - border, y, z - border];
    for (done, index) in grid.triangles(number).iter().enumerate() {
        if done % OFTEN == 0 {
            stopped(options)?;
        }
        let triangle = &soup.triangles[*index as usize];
        let local = |point: [f64; 3]| [0, 1, 2].map(|axis| (point[axis] - low[axis]) as f32);
        let corners = soup.points(triangle).map(|point| local(point).into());
        field.rasterize_triangle(corners, AreaType(triangle.area), voxels.climb).map_err(failed)?;
        Limits::charge("voxels of a tile", field.allocated_spans.len() as u64, options.limits.voxels)?;
    }
    stopped(options)?;
    Ok(field)
}

/// Whether somebody wants the build to end.
fn stopped(options: &BuildOptions<'_>) -> Result<()> {
    match options.progress.is_some_and(|progress| progress.stop.load(Relaxed)) {
        true => Err(Error::from(io::Error::from(io::ErrorKind::Interrupted))),
        false => Ok(()),
    }
}

/// What the port refuses.
fn failed(error: impl std::fmt::Display) -> Error {
    Error::invalid("tile", error.to_string())
}

/// The most walkable voxels in a column.
fn floors(field: &Heightfield) -> u64 {
    let walkable = |first: &Option<rerecast::SpanKey>| {
        let spans = std::iter::successors(*first, |key| field.span(*key).next);
        spans.filter(|key| field.span(*key).area.is_walkable()).count() as u64
    };
    field.spans.iter().map(walkable).max().unwrap_or(0)
}

/// Voxels that are ground still.
fn ground(open: &CompactHeightfield) -> u64 {
    open.areas.iter().filter(|area| area.is_walkable()).count() as u64
}

/// The polygons. Outlines that cross themselves after they were simplified are drawn again along the voxels; `None` if that does
/// not help either.
fn polygons(
    open: &CompactHeightfield,
    voxels: &Voxels,
    options: &BuildOptions<'_>,
) -> Option<PolygonNavmesh> {
    [options.edge_error, 0.0].into_iter().find_map(|error| {
        let flags = BuildContoursFlags::DEFAULT;
        let contours = open.build_contours(error, voxels.edge, flags);
        if contours.contours.len() > MOST_CONTOURS {
            return None;
        }
        contours.into_polygon_mesh(6).ok()
    })
}
