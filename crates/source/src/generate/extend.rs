//! Generates into an existing mesh, like the game's `nav_generate_incremental`. `docs/formats/source-generate.md`, section 8.

use super::draft::{Draft, Piece};
use super::options::GenerateOptions;
use super::report::Report;
use super::run::{Made, no_ground, stages};
use super::terrain::Terrain;
use crate::buf::{AreaBuf, SourceBuf};
use crate::flags::Direction;
use crate::record::AreaId;
use navmap_core::error::{Error, Result};
use std::collections::HashSet;

/// Generates areas where a mesh has none, from the seeds of the options, and links them with its areas at their edges. Existing
/// areas stay as they are, except that links to new ones are appended to their lists; so are ladders. New areas are appended to
/// the mesh with ids above the highest one, and have no place. Nothing is analysed.
///
/// The ladders of the options are ignored: the game makes none here. Its range is 2000, see [`GenerateOptions::range`]. Returns a report;
/// on an error the mesh is unchanged.
///
/// # Errors
/// Those of [`generate`](super::generate); if all ground at the seeds already has areas, and if no ids are left.
pub fn extend(map: &dyn Terrain, mesh: &mut SourceBuf, options: &GenerateOptions<'_>) -> Result<Report> {
    let Made { draft, mut report, .. } = stages(map, Draft::around(mesh), &[], options)?;
    let first = mesh.next_area_id().map_or(u32::MAX, AreaId::get);
    let count = draft.fresh().count() as u32;
    if count == 0 {
        return Err(no_ground(&draft, options));
    }
    // The engine's counter wraps after the last id.
    let Some(last) = first.checked_add(count.saturating_sub(1)).filter(|last| *last != u32::MAX) else {
        return Err(Error::invalid("mesh", format!("no ids are left for {count} more areas")));
    };
    let mut ids: Vec<AreaId> = mesh.areas.iter().map(|area| area.id).collect();
    ids.resize(draft.numbers() as usize, AreaId::default());
    for ((at, _), id) in draft.fresh().zip(first..) {
        if let Some(slot) = ids.get_mut(at as usize) {
            *slot = AreaId::new(id);
        }
    }
    let id = |at: u32| ids.get(at as usize).copied().unwrap_or_default();
    let goals = |piece: &Piece, side: Direction| -> Vec<AreaId> {
        piece.links(side).iter().map(|to| id(*to)).collect()
    };
    let is_old = |to: &u32| *to < draft.old();
    for ((_, piece), area) in draft.iter().zip(&mut mesh.areas) {
        for side in Direction::ALL {
            let list = area.connections_mut(side);
            let known: HashSet<AreaId> = list.iter().copied().collect();
            let added: Vec<AreaId> =
                goals(piece, side).into_iter().filter(|goal| !known.contains(goal)).collect();
            report.stitched = report.stitched.saturating_add(added.len() as u64);
            list.extend(added);
        }
    }
    report.links = report.stitched;
    for (at, piece) in draft.fresh() {
        let mut area = AreaBuf::new(id(at), piece.shape);
        area.attributes = piece.attributes;
        for side in Direction::ALL {
            let back = piece.links(side).iter().filter(|to| is_old(to)).count() as u64;
            report.stitched = report.stitched.saturating_add(back);
            *area.connections_mut(side) = goals(piece, side);
            report.links = report.links.saturating_add(area.connections(side).len() as u64);
        }
        mesh.areas.push(area);
    }
    mesh.head.has_unnamed_areas = 1;
    report.areas = count.into();
    report.ladders = 0;
    report.ids = Some([AreaId::new(first), AreaId::new(last)]);
    Ok(report)
}
