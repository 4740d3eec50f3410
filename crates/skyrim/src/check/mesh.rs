//! Findings within one mesh.

use super::cover::check as cover;
use super::grid::check as grid;
use super::report::Report;
use super::triangles::check as triangles;
use crate::flags::TriangleFlags;
use crate::iter::{DoorTriangles, byte_of};
use crate::record::{NO_NEIGHBOUR, PATHING_CELL, PATHING_DOOR, Waypoint};
use crate::survey::{left_over, unconfirmed};
use crate::view::NavMesh;
use navmap_core::Severity;

/// The most vertices or triangles that the Creation Kit's signed indices can number.
const MOST_INDICES: usize = 32_767;

/// Reports every finding within one mesh. Linear in its size.
pub(crate) fn check(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    for finding in unconfirmed(mesh).into_iter().chain(left_over(mesh)) {
        report.say(finding.severity, finding.code, finding.at.offset, finding.message);
    }
    for (code, what, len) in [
        ("too-many-vertices", "vertices", mesh.vertices().len()),
        ("too-many-triangles", "triangles", mesh.triangles().len()),
    ] {
        if len > MOST_INDICES {
            let why = format_args!("{len} {what}, the Creation Kit's indices end at {MOST_INDICES}");
            report.say(Severity::Error, code, mesh.offset, why);
        }
    }
    if let Some(cell) = mesh.pathing_cell()
        && cell.type_hash() != PATHING_CELL
    {
        let why = format_args!("owner has type hash {:08X} instead of {PATHING_CELL:08X}", cell.type_hash());
        report.say(Severity::Info, "type-hash", mesh.starts.owner, why);
    }
    vertices(mesh, report);
    triangles(mesh, report);
    doors(mesh, report);
    cover(mesh, report);
    waypoints(mesh, report);
    grid(mesh, report);
}

fn waypoints(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    let len = mesh.triangles().len();
    for (index, waypoint) in mesh.waypoints().iter().enumerate() {
        let at = byte_of::<Waypoint>(mesh.starts.waypoints, index);
        match waypoint.triangle() {
            NO_NEIGHBOUR => report.here(waypoint.point().to_array()).say(
                Severity::Info,
                "waypoint-nowhere",
                at,
                format_args!("waypoint {index} is on no triangle"),
            ),
            triangle if usize::from(triangle) >= len => {
                let why = format_args!("waypoint {index} is on triangle {triangle} of {len}");
                let place = waypoint.point().to_array();
                report.here(place).say(Severity::Error, "waypoint-out-of-range", at, why);
            }
            _ => {}
        }
    }
}

fn vertices(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    for (index, vertex) in mesh.vertices().iter().enumerate() {
        if vertex.to_array().iter().any(|v| !v.is_finite()) {
            let [x, y, z] = vertex.to_array();
            let why = format_args!("vertex {index} is at ({x}, {y}, {z})");
            let at = mesh.vertices().byte(mesh.starts.vertices, index);
            report.say(Severity::Error, "vertex-not-finite", at, why);
        }
    }
}

fn doors(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    let triangles = mesh.triangles();
    let mut listed = vec![false; triangles.len()];
    let doors = mesh.door_triangles();
    for (index, (triangle, door)) in doors.iter().enumerate() {
        let at = doors.byte(mesh.starts.door_triangles, index);
        match (triangles.get(triangle.into()), listed.get_mut(usize::from(triangle))) {
            (Some(t), Some(listed)) => {
                *listed = true;
                if !t.flags().contains(TriangleFlags::DOOR) {
                    let own = report.name(triangle.into());
                    let why = format_args!("triangle {own} is under door {door} and lacks the door flag");
                    report.on(mesh, triangle.into()).say(Severity::Warning, "door-flag-missing", at, why);
                }
            }
            _ => {
                let why = format_args!("door {door} stands on triangle {triangle} of {}", triangles.len());
                report.say(Severity::Error, "door-triangle-out-of-range", at, why);
            }
        }
    }
    if let DoorTriangles::V12(records) = doors {
        for (index, door) in records.iter().enumerate().filter(|(_, door)| door.type_hash() != PATHING_DOOR) {
            let why = format_args!(
                "door {} has type hash {:08X} instead of {PATHING_DOOR:08X}",
                door.reference(),
                door.type_hash()
            );
            let at = doors.byte(mesh.starts.door_triangles, index);
            report.say(Severity::Info, "type-hash", at, why);
        }
    }
    for (index, (triangle, listed)) in triangles.iter().zip(listed).enumerate() {
        if triangle.flags().contains(TriangleFlags::DOOR) && !listed {
            let at = triangles.byte(mesh.starts.triangles, index);
            let own = report.name(index);
            let why = format_args!("triangle {own} has the door flag and no door");
            report.on(mesh, index).say(Severity::Info, "door-flag-alone", at, why);
        }
    }
}
