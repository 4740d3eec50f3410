//! Finds what is odd in a mesh, in a plugin and in a load order.
//!
//! | code | severity | meaning |
//! |---|---|---|
//! | `vertex-out-of-range` | error | a triangle has a corner that does not exist |
//! | `neighbour-out-of-range` | error | an edge leads to a triangle that does not exist |
//! | `edge-link-out-of-range` | error | an edge names an edge link that does not exist |
//! | `too-many-vertices`, `too-many-triangles` | error | over 32,767, where the Creation Kit's signed indices end |
//! | `vertex-not-finite` | error | a coordinate is no number |
//! | `one-way-neighbour` | warning | the neighbour does not point back |
//! | `edge-not-shared` | warning | neighbours do not share both ends of their edge |
//! | `flipped-neighbour` | warning | neighbours run along their edge in the same direction |
//! | `degenerate-triangle` | warning | no area seen from above, or a corner twice |
//! | `clockwise-triangle` | error | faces down; the Creation Kit repairs such |
//! | `edge-link-unused`, `edge-link-shared` | warning | not named by exactly one edge |
//! | `door-triangle-out-of-range` | error | a door on a triangle that does not exist |
//! | `door-flag-missing` | warning | a door triangle without the door flag |
//! | `door-flag-alone` | info | the flag without a door: real files have it |
//! | `type-hash` | info | not the hash the engine writes |
//! | `cover-list` | warning | the list differs from what the cover flags say |
//! | `cover-inside` | info | cover on edges with neighbours: stale, 1 to 2 % of real cover |
//! | `cover-edge`, `cover-segment` | warning | the edge map or a piece of cover points nowhere, or disagrees with the bits |
//! | `waypoint-out-of-range` | error | a waypoint on a triangle that does not exist |
//! | `waypoint-nowhere` | info | a waypoint on triangle 65,535: a real Starfield mesh has one |
//! | `grid-divisor`, `grid-cell-size`, `grid-bounds` | warning | not what the geometry gives |
//! | `grid-triangle-out-of-range` | error | a grid list names a triangle that does not exist |
//! | `grid-list-unsorted` | deviation | a grid list is not ascending |
//! | `grid-stray`, `grid-missing` | warning | a triangle listed where it is not, or not listed where it is |
//! | `experimental-layout` | info | no real file confirms the layout |
//!
//! In a plugin:
//!
//! | code | severity | meaning |
//! |---|---|---|
//! | `damaged-header`, `damaged-group`, `damaged-navmesh`, `damaged-navi` | error | cannot be read; the rest is |
//! | `missing-counts` | info | a damaged mesh that reads once the counts an early editor left out are put back |
//! | `deleted-navmesh` | warning | deletes a master's mesh (info: one of its own) |
//! | `deleted-with-data`, `stored-navmesh` | deviation | not as the Creation Kit writes it |
//! | `form-id-index` | info | a file index above the masters |
//! | `form-id-twice` | error | two records of one FormID |
//! | `light-object-id` | error | an object id that a light plugin cannot have |
//! | `navmesh-place` | warning | outside a cell's temporary children |
//! | `cell-differs`, `world-differs`, `grid-square-differs` | warning | the mesh says another place than it stands in |
//! | `nvnm-version`, `navi-version`, `navi-form-id` | warning | not those of the game |
//! | `navi-missing`, `nvmi-missing` | warning | the info map has no entry: the game does not use the mesh |
//! | `nvmi-owner`, `nvmi-links`, `nvmi-doors`, `nvmi-center`, `nvmi-preferred` | warning | the entry disagrees with the mesh |
//! | `nvmi-twice`, `nvmi-island` | warning | the entry is odd by itself |
//! | `nvmi-without-navmesh` | info | an entry of a mesh of its own that the plugin does not have |
//! | `edge-link-dangling`, `edge-link-to-deleted`, `edge-link-target-out-of-range` | error | a link arrives nowhere |
//! | `edge-link-one-way` | warning | no link leads back (info: switched portals) |
//! | `edge-link-kind`, `edge-link-edge` | warning | the link back is of another kind, or from another edge |
//! | `door-reference` | warning | the door does not point back at its triangle |

#![forbid(unsafe_code)]

mod cover;
mod grid;
pub(super) mod links;
mod map;
mod plugin;
mod triangles;

pub use grid::{cell_size, divisor_for};
pub(super) use plugin::check as plugin;

use super::form::FormId;
use super::iter::TriangleRef;
use super::record::{NO_NEIGHBOUR, PATHING_CELL, PATHING_DOOR};
use super::survey::{left_over, unconfirmed};
use super::view::NavMesh;
use crate::finding::{Finding, Severity};
use crate::graph::{Point, Shape};
use std::fmt;

/// Where findings go, with the record and FormID that they have in common.
pub(super) struct Report<'f> {
    found: &'f mut dyn FnMut(Finding),
    record: Option<(u64, FormId, bool)>,
    /// Where the next finding is.
    place: Option<[f32; 3]>,
}

impl<'f> Report<'f> {
    /// A report for findings outside navmesh records.
    pub(super) fn new(found: &'f mut dyn FnMut(Finding)) -> Self {
        Self { found, record: None, place: None }
    }

    /// A report for findings of one navmesh record: its number, its FormID, and whether its bytes are inflated.
    pub(super) fn of(found: &'f mut dyn FnMut(Finding), index: u64, form: FormId, inflated: bool) -> Self {
        Self { found, record: Some((index, form, inflated)), place: None }
    }

    /// Puts the next finding in the middle of this triangle.
    pub(super) fn on(&mut self, mesh: &NavMesh<'_>, triangle: usize) -> &mut Self {
        self.place = Some(middle(mesh, triangle));
        self
    }

    /// Puts the next finding here.
    pub(super) fn here(&mut self, place: [f32; 3]) -> &mut Self {
        self.place = Some(place);
        self
    }

    /// Reports one finding, at a byte if that is known.
    pub(super) fn say(
        &mut self,
        severity: Severity,
        code: &'static str,
        offset: impl Into<Option<u64>>,
        message: impl fmt::Display,
    ) {
        let mut finding = match self.record {
            None => Finding::new(severity, code, message.to_string()),
            Some((index, form, inflated)) => {
                let inflated = if inflated { ", inflated" } else { "" };
                Finding::new(severity, code, format!("{form}{inflated}: {message}")).in_record("NAVM", index)
            }
        };
        finding.at.offset = offset.into();
        (self.found)(finding.placed(self.place.take()));
    }
}

impl fmt::Debug for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report").field("record", &self.record).finish_non_exhaustive()
    }
}

/// The middle of a triangle; NaN if a corner does not exist.
fn middle(mesh: &NavMesh<'_>, triangle: usize) -> [f32; 3] {
    const NOWHERE: Point = Point::new(f32::NAN, f32::NAN, f32::NAN);
    let corner = |vertex: u16| {
        let vertex = mesh.vertices().get(vertex.into());
        vertex.map_or(NOWHERE, |vertex| vertex.to_array().into())
    };
    let corners = mesh.triangles().get(triangle).map(TriangleRef::vertices);
    let middle = corners.and_then(|corners| Shape::Polygon(&corners.map(corner)).center());
    middle.unwrap_or(NOWHERE).to_array()
}

/// The most vertices or triangles that the signed indices of the Creation Kit can count.
const MOST_INDICES: usize = 32_767;

/// Reports everything that one mesh shows by itself. Linear in its size.
pub(super) fn mesh(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
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
        report.say(Severity::Info, "type-hash", mesh.offset_of_record(cell), why);
    }
    vertices(mesh, report);
    triangles::check(mesh, report);
    doors(mesh, report);
    cover::check(mesh, report);
    waypoints(mesh, report);
    grid::check(mesh, report);
}

fn waypoints(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    let len = mesh.triangles().len();
    for (index, waypoint) in mesh.waypoints().iter().enumerate() {
        let at = mesh.offset_of_record(waypoint);
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
            let at = mesh.vertices().address(index).map(|address| mesh.offset_of(address));
            report.say(Severity::Error, "vertex-not-finite", at, why);
        }
    }
}

fn doors(mesh: &NavMesh<'_>, report: &mut Report<'_>) {
    use super::flags::TriangleFlags;
    use super::iter::DoorTriangles;

    let triangles = mesh.triangles();
    let mut listed = vec![false; triangles.len()];
    let doors = mesh.door_triangles();
    for (index, (triangle, door)) in doors.iter().enumerate() {
        let at = doors.address(index).map(|address| mesh.offset_of(address));
        match (triangles.get(triangle.into()), listed.get_mut(usize::from(triangle))) {
            (Some(t), Some(listed)) => {
                *listed = true;
                if !t.flags().contains(TriangleFlags::DOOR) {
                    let why =
                        format_args!("triangle {triangle} is under door {door} and lacks the door flag");
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
        for door in records.iter().filter(|door| door.type_hash() != PATHING_DOOR) {
            let why = format_args!(
                "door {} has type hash {:08X} instead of {PATHING_DOOR:08X}",
                door.reference(),
                door.type_hash()
            );
            report.say(Severity::Info, "type-hash", mesh.offset_of_record(door), why);
        }
    }
    for (index, (triangle, listed)) in triangles.iter().zip(listed).enumerate() {
        if triangle.flags().contains(TriangleFlags::DOOR) && !listed {
            let at = triangles.address(index).map(|address| mesh.offset_of(address));
            let why = format_args!("triangle {index} has the door flag and no door");
            report.on(mesh, index).say(Severity::Info, "door-flag-alone", at, why);
        }
    }
}
