//! Quake III areas.

use super::outlines::Outlines;
use crate::batch::{Out, Sheet};
use crate::geometry::Geometry;
use crate::rows::aas::*;
use navmap_aas::{AasGraph, AasNav};
use navmap_core::graph::Up;

/// Numbers the records of a lump whose record 0 is a placeholder.
fn numbered<T>(list: &[T]) -> impl Iterator<Item = (u32, &T)> {
    (0..).zip(list).skip(1)
}

/// Fills the tables of one file. A file that could be opened has all of its lumps.
pub(super) fn fill(nav: &AasNav<'_>, out: &mut Out<'_>) {
    out.with([&AAS_MESHES, &AAS_AREAS, &AAS_REACHABILITIES], |[meshes, areas, links]| {
        push_mesh(nav, meshes);
        if areas.is_wanted() {
            push_areas(nav, areas);
        }
        if links.is_wanted() {
            push_links(nav, links);
        }
    });
    out.with([&AAS_FACES, &AAS_CORNERS, &AAS_PLANES], |[faces, corners, planes]| {
        numbered(nav.faces()).for_each(|(face, stored)| {
            faces.push(FaceRow {
                face,
                plane: stored.plane(),
                flags: stored.flags().into(),
                front_id: stored.front(),
                back_id: stored.back(),
                edges: stored.edges(),
                first_edge: stored.first_edge(),
            });
        });
        if corners.is_wanted() {
            push_corners(nav, corners);
        }
        for (plane, stored) in (0..).zip(nav.planes()) {
            let [normal_x, normal_y, normal_z] = stored.normal();
            let (distance, kind) = (stored.distance(), stored.kind());
            planes.push(PlaneRow { plane, normal_x, normal_y, normal_z, distance, kind });
        }
    });
    out.with([&AAS_NODES, &AAS_PORTALS, &AAS_CLUSTERS], |[nodes, portals, clusters]| {
        numbered(nav.nodes()).for_each(|node| nodes.push(TreeRow::from(node)));
        numbered(nav.portals()).for_each(|(portal, stored)| {
            portals.push(PortalRow {
                portal,
                area_id: stored.area(),
                front: stored.front(),
                back: stored.back(),
                front_number: stored.front_number(),
                back_number: stored.back_number(),
            });
        });
        numbered(nav.clusters()).for_each(|cluster| clusters.push(ClusterRow::from(cluster)));
    });
}

fn push_mesh(nav: &AasNav<'_>, out: &mut Sheet<'_>) {
    let without_none = |len: usize| len.saturating_sub(1) as u32;
    out.push(MeshRow {
        version: nav.version(),
        game: nav.game(),
        checksum: nav.checksum(),
        is_stripped: nav.is_stripped(),
        above_floor: nav.above_floor(),
        half_width: nav.half_width(),
        areas: without_none(nav.areas().len()),
        faces: without_none(nav.faces().len()),
        edges: without_none(nav.edges().len()),
        vertices: nav.vertices().len() as u32,
        planes: nav.planes().len() as u32,
        reachabilities: without_none(nav.reachabilities().len()),
        tree_nodes: without_none(nav.nodes().len()),
        portals: without_none(nav.portals().len()),
        clusters: without_none(nav.clusters().len()),
        trailing_bytes: nav.trailing().len() as u64,
    });
}

fn push_areas(nav: &AasNav<'_>, out: &mut Sheet<'_>) {
    // Its first node is area 1.
    let floors = Outlines::new(&AasGraph::of_all(*nav), out.wants("geometry"));
    for ((area, stored), of) in numbered(nav.areas()).zip(nav.settings().iter().skip(1)) {
        let [center_x, center_y, center_z] = stored.center();
        let ([min_x, min_y, min_z], [max_x, max_y, max_z]) = (stored.mins(), stored.maxs());
        let cluster = of.cluster();
        out.push(AreaRow {
            id: area,
            number: stored.number(),
            contents: of.contents().bits(),
            flags: of.flags().bits(),
            presence: of.presence().bits(),
            cluster: u32::try_from(cluster).ok().filter(|cluster| *cluster > 0),
            portal: (cluster < 0).then(|| cluster.unsigned_abs()),
            cluster_area: of.cluster_area(),
            reachabilities: of.links(),
            first_reachability: of.first_link(),
            faces: stored.faces(),
            steepness: nav.settings().steepness(area as usize),
            center_x,
            center_y,
            center_z,
            min_x,
            min_y,
            min_z,
            max_x,
            max_y,
            max_z,
            byte_offset: nav.offset("areas", area as usize),
            geometry: floors
                .get((area as usize).saturating_sub(1))
                .map(|corners| Geometry::polygon(corners, Up::Z)),
        });
    }
}

/// Runs may overlap in a damaged file. Each reachability gives one row, as that of the first area that has it.
fn push_links(nav: &AasNav<'_>, out: &mut Sheet<'_>) {
    let mut owner = vec![0u32; nav.reachabilities().len()];
    let mut left = owner.len();
    for (area, _) in numbered(nav.areas()) {
        let (first, links) = nav.links_of(area as usize);
        // A run that starts where another does must not be walked repeatedly.
        let Some(rest) = left.checked_sub(links.len()) else { break };
        left = rest;
        for owner in owner.iter_mut().skip(first).take(links.len()).filter(|owner| **owner == 0) {
            *owner = area;
        }
    }
    for ((reachability, stored), owner) in numbered(nav.reachabilities()).zip(owner.into_iter().skip(1)) {
        let ([start_x, start_y, start_z], [end_x, end_y, end_z]) = (stored.start(), stored.end());
        out.push(ReachabilityRow {
            reachability,
            src_id: Some(owner).filter(|owner| *owner > 0),
            dst_id: stored.area(),
            kind: stored.kind().name(),
            kind_number: stored.kind().0,
            flags: stored.flags().bits(),
            time: stored.time(),
            face: stored.face(),
            edge: stored.edge(),
            start_x,
            start_y,
            start_z,
            end_x,
            end_y,
            end_z,
        });
    }
}

/// Edge runs may overlap in a damaged file, so at most as many corners are written as the edge index has entries.
fn push_corners(nav: &AasNav<'_>, out: &mut Sheet<'_>) {
    let mut left = nav.edge_index().len();
    for (face, stored) in numbered(nav.faces()) {
        let Some(rest) = left.checked_sub(nav.edges_of(stored).len()) else { break };
        left = rest;
        for (corner, [x, y, z]) in (0..).zip(nav.corners(stored)) {
            out.push(CornerRow { face, corner, x, y, z });
        }
    }
}
