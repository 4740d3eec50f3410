//! The writer.

use super::model::{Approach, Area, Ladder, Mesh, Path};
use crate::bytes::Out;

/// The file that holds this mesh.
pub fn write(mesh: &Mesh) -> Vec<u8> {
    let mut out = Out::new();
    out.u32(0xFEED_FACE).u32(mesh.version);
    if mesh.version >= 10 {
        out.u32(mesh.subversion.unwrap_or(0));
    }
    if mesh.version >= 4 {
        out.u32(mesh.bsp_size);
    }
    if mesh.version >= 14 {
        out.u8(mesh.analyzed);
    }
    if mesh.version >= 5 {
        out.u16(mesh.places.len() as u16);
        for place in &mesh.places {
            out.u16(place.len() as u16).raw(place);
        }
        if mesh.version > 11 {
            out.u8(mesh.unnamed);
        }
    }
    if left_for_dead(mesh) {
        out.raw(&mesh.population).u8(0).u16(mesh.population_number);
    }
    out.u32(mesh.areas.len() as u32);
    for each in &mesh.areas {
        area(&mut out, mesh, each);
    }
    if mesh.version >= 6 {
        out.u32(mesh.ladders.len() as u32);
        for each in &mesh.ladders {
            ladder(&mut out, mesh.version, each);
        }
    }
    if left_for_dead(mesh) {
        out.f32(mesh.visibility_range);
    }
    out.raw(&mesh.tail);
    out.0
}

fn left_for_dead(mesh: &Mesh) -> bool {
    matches!((mesh.version, mesh.subversion), (16, Some(14)) | (15, Some(13)))
}

fn area(out: &mut Out, mesh: &Mesh, area: &Area) {
    out.u32(area.id);
    if mesh.version <= 8 {
        out.u8(area.attributes as u8);
    } else if mesh.version <= 12 {
        out.u16(area.attributes as u16);
    } else {
        out.u32(area.attributes);
    }
    out.f32s(&area.nw).f32s(&area.se).f32(area.ne_z).f32(area.sw_z);
    for side in &area.connections {
        ids(out, side);
    }
    out.u8(area.spots.len() as u8);
    for spot in &area.spots {
        if mesh.version == 1 {
            out.f32s(&spot.position);
        } else {
            out.u32(spot.id).f32s(&spot.position).u8(spot.flags);
        }
    }
    if mesh.version < 15 {
        approaches(out, &area.approaches);
    }
    out.u32(area.paths.len() as u32);
    for each in &area.paths {
        path(out, mesh.version, each);
    }
    if mesh.version < 5 {
        return;
    }
    out.u16(area.place);
    if mesh.version < 7 {
        return;
    }
    ids(out, &area.ladders_up);
    ids(out, &area.ladders_down);
    if mesh.version < 8 {
        return;
    }
    out.f32s(&area.occupy);
    if mesh.version < 11 {
        return;
    }
    out.f32s(&area.light);
    if left_for_dead(mesh) {
        out.u32(area.spawn).u16(area.spawn_number);
    }
    if mesh.version >= 16 || left_for_dead(mesh) {
        out.u32(area.visible.len() as u32);
        for (target, bits) in &area.visible {
            out.u32(*target).u8(*bits);
        }
        out.u32(area.inherit);
    }
    if mesh.version == 16 {
        match mesh.subversion {
            Some(1) => approaches(out, &area.approaches),
            Some(2 | 4) => {
                out.u32(area.game);
            }
            _ => {}
        }
    }
}

fn ids(out: &mut Out, ids: &[u32]) {
    out.u32(ids.len() as u32);
    for id in ids {
        out.u32(*id);
    }
}

fn approaches(out: &mut Out, approaches: &[Approach]) {
    out.u8(approaches.len() as u8);
    for a in approaches {
        out.u32(a.here).u32(a.previous).u8(a.previous_how).u32(a.next).u8(a.next_how);
    }
}

fn path(out: &mut Out, version: u32, path: &Path) {
    if version < 3 {
        out.u32(path.from)
            .u32(path.to)
            .f32s(&path.ends[0])
            .f32s(&path.ends[1])
            .u8(path.old_spots.len() as u8);
        for (position, t) in &path.old_spots {
            out.f32s(position).f32(*t);
        }
    } else {
        out.u32(path.from).u8(path.from_side).u32(path.to).u8(path.to_side).u8(path.spots.len() as u8);
        for (spot, t) in &path.spots {
            out.u32(*spot).u8(*t);
        }
    }
}

fn ladder(out: &mut Out, version: u32, ladder: &Ladder) {
    out.u32(ladder.id).f32(ladder.width).f32s(&ladder.top).f32s(&ladder.bottom).f32(ladder.length);
    out.u32(ladder.direction);
    if version == 6 {
        out.u8(ladder.dangling);
    }
    for area in ladder.areas {
        out.u32(area);
    }
}
