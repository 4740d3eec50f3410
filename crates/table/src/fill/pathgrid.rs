//! Path grids of Morrowind and Oblivion.

use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::pathgrid::*;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::graph::Up;
use navmap_skyrim::decode_text;
use navmap_skyrim::pathgrid::{GridPlugin, GridRecord, PathGrid};
use std::borrow::Cow;

/// Fills the tables of one plugin, with one grid in memory at a time. A grid that cannot be read has a row, and nothing else.
///
/// # Errors
/// The first part that could not be read.
pub(super) fn fill(plugin: &GridPlugin<'_>, scratch: &mut Scratch, out: &mut Out<'_>) -> Result<()> {
    let of_all = [&PATHGRID_GRIDS, &PATHGRID_POINTS, &PATHGRID_LINKS, &PATHGRID_FOREIGN_LINKS];
    let (mut damage, mut names) = (None, Scratch::new());
    out.with(of_all, |sheets| {
        for record in plugin.grids() {
            let done = record.and_then(|record| {
                let grid = record.grid(scratch);
                let (grid, done) = match grid {
                    Ok(grid) => (grid, Ok(())),
                    Err(error) => (None, Err(error)),
                };
                sheets[0].push(of_record(&record, grid.as_ref(), &name(&record, grid.as_ref(), &mut names)));
                if let Some(grid) = &grid {
                    parts(&record, grid, sheets);
                }
                done
            });
            if let Err(error) = done {
                damage.get_or_insert(error);
            }
        }
    });
    damage.map_or(Ok(()), Err)
}

/// The name of the cell: in Morrowind that of the grid, in Oblivion that of the cell's record. Empty if there is none.
fn name<'r>(record: &GridRecord<'_>, grid: Option<&PathGrid<'r>>, scratch: &mut Scratch) -> Cow<'r, str> {
    match grid.map(|grid| decode_text(grid.name())).filter(|name| !name.is_empty()) {
        Some(name) => name,
        None => record.cell_name(scratch).unwrap_or_default().into(),
    }
}

fn of_record<'r>(record: &GridRecord<'_>, grid: Option<&PathGrid<'_>>, name: &'r str) -> GridRow<'r> {
    let form = record.form_id();
    let square = grid.filter(|grid| grid.granularity().is_some()).map(PathGrid::cell);
    let count = |count: fn(&PathGrid<'_>) -> usize| grid.map(|grid| count(grid) as u32);
    GridRow {
        grid: record.index(),
        form_id: Some(form.get()).filter(|_| !form.is_null()),
        deleted: record.is_deleted(),
        compressed: record.is_compressed(),
        exterior: grid.map(|grid| record.is_exterior(grid)),
        name: Some(name).filter(|name| !name.is_empty()),
        world: record.world().map(|form| form.get()),
        cell: record.cell().map(|form| form.get()),
        grid_x: square.map(|[x, _]| x),
        grid_y: square.map(|[_, y]| y),
        granularity: grid.and_then(PathGrid::granularity),
        points: count(|grid| grid.len()),
        claimed_points: grid.map(PathGrid::claimed_points),
        links: count(|grid| grid.stored_links()),
        foreign_links: count(|grid| grid.foreign().len()),
        blocking_objects: grid.map(PathGrid::blocking_objects),
    }
}

fn parts(record: &GridRecord<'_>, grid: &PathGrid<'_>, sheets: &mut [Sheet<'_>; 4]) {
    let [_, points, links, foreign] = sheets;
    let (number, corner) = (record.index(), record.corner(grid));
    for (stored, point) in grid.points().zip(0..) {
        let [x, y, z] = stored.placed(corner);
        points.push(PointRow {
            grid: number,
            point,
            x,
            y,
            z,
            generated: stored.generated,
            links: stored.links,
            geometry: Some(Geometry::point([x, y, z], Up::Z)),
        });
    }
    for (stored, link) in grid.links().zip(0..) {
        let (src, dst) = (u32::try_from(stored.from).ok(), u32::try_from(stored.to).ok());
        links.push(LinkRow { grid: number, link, src, dst });
    }
    for (stored, link) in grid.foreign().iter().zip(0..) {
        let [x, y, z] = stored.position();
        foreign.push(ForeignLinkRow { grid: number, link, point: stored.point(), x, y, z });
    }
}
