//! Bethesda plugins and raw NVNM fields.

use crate::Table;
use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::skyrim::*;
use navmap_core::bytes::Scratch;
use navmap_core::error::Result;
use navmap_core::graph::{Aabb, Point, Shape, Up};
use navmap_skyrim::{
    Cover, CoverEnd, Edge, FormId, NavMap, NavMesh, Origin, Parent, Plugin, Record, TriangleRef, decode_text,
};
use std::collections::HashMap;

const OF_MESH: [&Table; 8] = [
    &SKYRIM_MESHES,
    &SKYRIM_VERTICES,
    &SKYRIM_TRIANGLES,
    &SKYRIM_EDGE_LINKS,
    &SKYRIM_DOORS,
    &SKYRIM_COVER,
    &SKYRIM_COVER_SEGMENTS,
    &SKYRIM_WAYPOINTS,
];

/// The plugins that own the FormIDs of a plugin.
struct Owners<'n> {
    masters: Vec<String>,
    own: &'n str,
    of: Option<&'n Plugin<'n>>,
}

impl Owners<'_> {
    fn of(&self, form: FormId) -> Option<&str> {
        match self.of?.origin(form) {
            Origin::Own => Some(self.own),
            Origin::Master(index) => self.masters.get(usize::from(index)).map(String::as_str),
            Origin::Scaled => None,
        }
    }
}

/// Fills the tables of one plugin, with one mesh in memory at a time. A mesh that cannot be read is skipped. `own` is the file
/// name of the plugin.
///
/// # Errors
/// The first part that could not be read.
pub(super) fn fill(plugin: &Plugin<'_>, own: &str, scratch: &mut Scratch, out: &mut Out<'_>) -> Result<()> {
    let masters = plugin.masters().map(|name| decode_text(name).into_owned()).collect();
    let owners = Owners { masters, own, of: Some(plugin) };
    let mut damage = None;
    let islands = navi(plugin, &owners, scratch, out).unwrap_or_else(|error| {
        damage = Some(error);
        HashMap::new()
    });
    out.with(OF_MESH, |sheets| {
        let mut next = 0_u32;
        for navm in plugin.navmeshes() {
            let done = navm.and_then(|navm| {
                next = navm.index().saturating_add(1);
                let mesh = navm.mesh(scratch);
                let island = islands.get(&plugin.canonical(navm.form_id())).copied();
                let (mesh, failed) = match mesh {
                    Ok(mesh) => (mesh, Ok(())),
                    Err(error) => (None, Err(error)),
                };
                let row = of_record(navm.record(), ("NAVM", navm.index()), mesh.as_ref(), &owners);
                sheets[0].push(MeshRow {
                    world: row.world.or_else(|| navm.world().map(FormId::get)),
                    cell: row.cell.or_else(|| navm.cell().map(FormId::get)),
                    island: island.map(|(island, _)| island),
                    preferred_share: island.map(|(_, share)| share),
                    ..row
                });
                if let Some(mesh) = &mesh {
                    parts(navm.index(), mesh, &owners, sheets);
                }
                failed
            });
            if let Err(error) = done {
                damage.get_or_insert(error);
            }
        }
        // Their meshes are in no cell, whatever they claim.
        for object in plugin.base_objects() {
            let done = object.and_then(|object| {
                let Some(mesh) = object.mesh(scratch)? else { return Ok(()) };
                let row = of_record(object.record(), (object.kind(), next), Some(&mesh), &owners);
                sheets[0].push(MeshRow { world: None, grid_x: None, grid_y: None, cell: None, ..row });
                parts(next, &mesh, &owners, sheets);
                next = next.saturating_add(1);
                Ok(())
            });
            if let Err(error) = done {
                damage.get_or_insert(error);
            }
        }
    });
    damage.map_or(Ok(()), Err)
}

/// Fills the tables of one raw field.
pub(super) fn fill_field(mesh: &NavMesh<'_>, out: &mut Out<'_>) {
    let owners = Owners { masters: Vec::new(), own: "", of: None };
    out.with(OF_MESH, |sheets| {
        let bytes = mesh.as_bytes().len() as u64;
        sheets[0].push(MeshRow { stored_bytes: bytes, inflated_bytes: bytes, ..of_mesh(0, Some(mesh)) });
        parts(0, mesh, &owners, sheets);
    });
}

/// The row of a mesh, without the values that only its record has.
fn of_mesh<'r>(number: u32, mesh: Option<&NavMesh<'_>>) -> MeshRow<'r> {
    let count = |count: fn(&NavMesh<'_>) -> usize| mesh.map(|mesh| count(mesh) as u32);
    let bounds: Option<Aabb> = mesh
        .map(|mesh| mesh.vertices().iter().map(|vertex| Point::from(vertex.to_array())).collect())
        .filter(|bounds: &Aabb| !bounds.is_empty());
    let (world, grid, cell) = match mesh.map(|mesh| mesh.parent()) {
        Some(Parent::Exterior { world, x, y }) => (Some(world.get()), Some((x, y)), None),
        Some(Parent::Interior { cell } | Parent::Cell { cell }) => (None, None, Some(cell.get())),
        _ => (None, None, None),
    };
    MeshRow {
        mesh: number,
        record: None,
        form_id: None,
        owner: None,
        object_id: None,
        overrides: None,
        deleted: false,
        compressed: false,
        record_flags: None,
        form_version: None,
        version: mesh.map(|mesh| mesh.version()),
        world,
        grid_x: grid.map(|(x, _)| x),
        grid_y: grid.map(|(_, y)| y),
        cell,
        vertices: count(|mesh| mesh.vertices().len()),
        triangles: count(|mesh| mesh.triangles().len()),
        edge_links: count(|mesh| mesh.edge_links().len()),
        doors: count(|mesh| mesh.door_triangles().len()),
        cover: count(|mesh| mesh.cover_count()),
        waypoints: mesh.filter(|mesh| mesh.version() > 12).map(|mesh| mesh.waypoints().len() as u32),
        divisor: mesh.and_then(|mesh| mesh.grid()).map(|grid| grid.divisor()),
        min_x: bounds.map(|bounds| bounds.min.x),
        min_y: bounds.map(|bounds| bounds.min.y),
        min_z: bounds.map(|bounds| bounds.min.z),
        max_x: bounds.map(|bounds| bounds.max.x),
        max_y: bounds.map(|bounds| bounds.max.y),
        max_z: bounds.map(|bounds| bounds.max.z),
        stored_bytes: 0,
        inflated_bytes: 0,
        island: None,
        preferred_share: None,
    }
}

/// The row of a record of this kind, without the values that depend on its place.
fn of_record<'r>(
    record: &Record<'_>,
    (kind, number): (&'static str, u32),
    mesh: Option<&NavMesh<'_>>,
    owners: &'r Owners<'_>,
) -> MeshRow<'r> {
    let (form, stored) = (record.form_id(), record.stored().len() as u64);
    MeshRow {
        record: Some(kind),
        form_id: Some(form.get()),
        owner: owners.of(form),
        object_id: Some(form.object_id()),
        overrides: owners.of.map(|plugin| plugin.origin(form) != Origin::Own),
        deleted: record.is_deleted(),
        compressed: record.is_compressed(),
        record_flags: Some(record.header().flags().bits()),
        form_version: Some(record.header().form_version()),
        stored_bytes: stored,
        inflated_bytes: record.claimed_size().map_or(stored, u64::from),
        ..of_mesh(number, mesh)
    }
}

/// Rows of the navmesh info map. Returns for each mesh whether it is an island, and its preferred share.
fn navi(
    plugin: &Plugin<'_>,
    owners: &Owners<'_>,
    scratch: &mut Scratch,
    out: &mut Out<'_>,
) -> Result<HashMap<FormId, (bool, f32)>> {
    let mut islands = HashMap::new();
    if !out.wants(&SKYRIM_NAVI) && !out.wants(&SKYRIM_MESHES) {
        return Ok(islands);
    }
    let Some(record) = plugin.navi()? else { return Ok(islands) };
    let map = record.fields(scratch).and_then(NavMap::parse)?;
    let mut damage = None;
    out.with([&SKYRIM_NAVI], |[sheet]| {
        for (entry, stored) in (0..).zip(map.entries()) {
            let stored = match stored {
                Ok(stored) => stored,
                Err(error) => {
                    damage.get_or_insert(error);
                    continue;
                }
            };
            let (head, is_island) = (stored.head, stored.island.is_some());
            islands.insert(plugin.canonical(head.navmesh()), (is_island, head.preferred_share()));
            let [x, y, z] = head.center().to_array();
            sheet.push(NaviRow {
                entry,
                form_id: head.navmesh().get(),
                owner: owners.of(head.navmesh()),
                flags: head.flags().bits(),
                x,
                y,
                z,
                preferred_share: head.preferred_share(),
                edge_links: stored.links.len() as u32,
                preferred_links: stored.preferred_links.len() as u32,
                doors: stored.doors.len() as u32,
                is_island,
            });
        }
    });
    damage.map_or(Ok(islands), Err)
}

fn parts(number: u32, mesh: &NavMesh<'_>, owners: &Owners<'_>, sheets: &mut [Sheet<'_>; 8]) {
    let [_, vertices, triangles, links, doors, cover, cover_segments, waypoints] = sheets;
    if vertices.is_wanted() {
        for (vertex, at) in (0..).zip(mesh.vertices().iter()) {
            let [x, y, z] = at.to_array();
            vertices.push(VertexRow { mesh: number, vertex, x, y, z });
        }
    }
    if triangles.is_wanted() {
        push_triangles(number, mesh, triangles);
    }
    if links.is_wanted() {
        push_links(number, mesh, owners, links);
    }
    for (door, (triangle, reference)) in (0..).zip(mesh.door_triangles().iter()) {
        let (ref_form_id, ref_owner) = (reference.get(), owners.of(reference));
        doors.push(DoorRow { mesh: number, door, triangle, ref_form_id, ref_owner });
    }
    if cover.is_wanted() {
        push_cover(number, mesh, cover);
    }
    if cover_segments.is_wanted() {
        push_cover_segments(number, mesh, cover_segments);
    }
    for (waypoint, stored) in (0..).zip(mesh.waypoints()) {
        let [x, y, z] = stored.point().to_array();
        let (triangle, flags) = (stored.triangle(), stored.flags());
        waypoints.push(WaypointRow { mesh: number, waypoint, x, y, z, triangle, flags });
    }
}

fn push_triangles(number: u32, mesh: &NavMesh<'_>, out: &mut Sheet<'_>) {
    let vertices = mesh.vertices();
    for (triangle, stored) in (0..).zip(mesh.triangles().iter()) {
        let [v0, v1, v2] = stored.vertices();
        let edge = |at: usize| match stored.edges()[at] {
            Edge::Border => (None, None),
            Edge::Neighbour(index) => (Some(index), None),
            Edge::Link(index) => (None, Some(index)),
        };
        let ((neighbour_0, link_0), (neighbour_1, link_1), (neighbour_2, link_2)) =
            (edge(0), edge(1), edge(2));
        let corner = |vertex: u16| vertices.get(vertex.into()).map(|vertex| Point::from(vertex.to_array()));
        let corners = corner(v0).zip(corner(v1)).zip(corner(v2)).map(|((a, b), c)| [a, b, c]);
        let shape = corners.as_ref().map(|corners| Shape::Polygon(corners));
        let center = shape.and_then(|shape| shape.center());
        out.push(TriangleRow {
            mesh: number,
            triangle,
            v0,
            v1,
            v2,
            neighbour_0,
            link_0,
            neighbour_1,
            link_1,
            neighbour_2,
            link_2,
            flags: stored.flags().bits(),
            cover_flags: stored.cover_word(),
            height: stored.height(),
            center_x: center.map(|center| center.x),
            center_y: center.map(|center| center.y),
            center_z: center.map(|center| center.z),
            surface: shape.and_then(|shape| shape.area()).map(|area| area as f32),
            geometry: shape.map(|shape| Geometry::new(shape, Up::Z)),
        });
    }
}

fn push_links(number: u32, mesh: &NavMesh<'_>, owners: &Owners<'_>, out: &mut Sheet<'_>) {
    let links = mesh.edge_links();
    // The record does not name its edge: one of the edges names it.
    let mut from = vec![None; links.len()];
    for (triangle, stored) in (0..=u16::MAX).zip(mesh.triangles().iter()) {
        for (edge, to) in (0..3u8).zip(stored.edges()) {
            if let Edge::Link(index) = to
                && let Some(slot) = from.get_mut(usize::from(index))
            {
                slot.get_or_insert((triangle, edge));
            }
        }
    }
    let mut kind = String::new();
    for (at, (link, from)) in links.iter().zip(from).enumerate() {
        kind.clear();
        kind.push_str(&link.kind().to_string());
        out.push(EdgeLinkRow {
            mesh: number,
            link: at as u32,
            link_type: &kind,
            dst_form_id: link.navmesh().get(),
            dst_owner: owners.of(link.navmesh()),
            dst_triangle: link.triangle(),
            dst_edge: links.target_edge(at),
            src_triangle: from.map(|(triangle, _)| triangle),
            src_edge: from.map(|(_, edge)| edge),
        });
    }
}

fn push_cover(number: u32, mesh: &NavMesh<'_>, out: &mut Sheet<'_>) {
    if let Cover::Triangles(listed) = mesh.cover() {
        for triangle in listed {
            let Some(TriangleRef::V12(stored)) = mesh.triangles().get(usize::from(triangle.get())) else {
                continue;
            };
            let cover = stored.cover();
            for edge in (0..2u8).filter(|edge| cover.value(usize::from(*edge)) != 0) {
                let (left, right) = cover.sides(edge.into());
                out.push(CoverRow {
                    mesh: number,
                    triangle: triangle.get(),
                    edge,
                    value: Some(cover.value(edge.into())),
                    height: cover.height(edge.into()).map(f32::from),
                    cover_left: Some(left),
                    cover_right: Some(right),
                    segment: None,
                });
            }
        }
    }
    for stored in mesh.cover_edges() {
        out.push(CoverRow {
            mesh: number,
            triangle: stored.triangle(),
            edge: stored.edge(),
            value: None,
            height: None,
            cover_left: None,
            cover_right: None,
            segment: Some(stored.segment()),
        });
    }
}

fn push_cover_segments(number: u32, mesh: &NavMesh<'_>, out: &mut Sheet<'_>) {
    let end = |end: CoverEnd| match end {
        CoverEnd::Vertex(vertex) => (Some(vertex), None),
        CoverEnd::Along(along) => (None, Some(along)),
    };
    let mut push = |segment: usize, a: CoverEnd, b: CoverEnd, data: u32, data2: Option<u32>| {
        let ((a_vertex, a_along), (b_vertex, b_along)) = (end(a), end(b));
        let segment = segment as u32;
        out.push(CoverSegmentRow {
            mesh: number,
            segment,
            a_vertex,
            a_along,
            b_vertex,
            b_along,
            data,
            data2,
        });
    };
    match mesh.cover() {
        Cover::Triangles(_) => {}
        Cover::V15(list) => {
            for (at, piece) in list.iter().enumerate() {
                push(at, piece.start(), piece.end(), piece.data(), None);
            }
        }
        Cover::V17(list) => {
            for (at, piece) in list.iter().enumerate() {
                push(at, piece.start(), piece.end(), piece.data(), Some(piece.unknown_0x08()));
            }
        }
    }
}
