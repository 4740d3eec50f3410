//! Whether a tile can be made anew: a check of all that its sections say of each other.

use super::parts::{ground, polygon};
use crate::buf::{ConnectionsBuf, PolygonsBuf, TileBuf, TrianglesBuf};
use crate::layout::Layout;
use crate::record::{Across, BvNode, OffMesh};

/// Why the tile cannot be made anew with other polygons or connections; `None` if it can. Linear.
pub(super) fn fault(tile: &TileBuf) -> Option<&'static str> {
    match tile.layout {
        Layout::V13 => {
            return Some(
                "in meshes of Respawn links and reachability tables are data, and nothing tells how to make them anew",
            );
        }
        Layout::V16 => return Some("a tile of Unity keeps its length, and has no off-mesh connections"),
        Layout::V6 | Layout::V7 => {}
    }
    let (PolygonsBuf::Stock(_), TrianglesBuf::Stock(_), ConnectionsBuf::Stock(off_mesh)) =
        (&tile.polygons, &tile.triangles, &tile.off_mesh)
    else {
        return Some("its sections are of another version than its head");
    };
    let count = ground(tile);
    if tile.head.off_mesh_base as usize != count
        || tile.polygons.len().checked_sub(count) != Some(off_mesh.len())
        || (count..).zip(off_mesh).any(|(at, row): (usize, &OffMesh)| usize::from(row.polygon()) != at)
    {
        return Some("its off-mesh connections and the polygons that stand for them do not fit");
    }
    for index in 0..tile.polygons.len() {
        let Some(polygon) = polygon(tile, index) else { continue };
        let corners = if index < count { 3..=6 } else { 2..=2 };
        let there = |corner: usize| corner < tile.vertices.len();
        if !corners.contains(&polygon.corner_count())
            || !polygon.corners().iter().all(|corner| there(usize::from(corner.get())))
        {
            return Some("a polygon has corners that do not exist, or too few or too many");
        }
        let inner = |stored: u16| match Across::decode(stored) {
            Across::Inner(to) => usize::from(to) < count,
            Across::Wall | Across::Portal(_) => true,
        };
        if index < count && !polygon.neighbours().iter().all(|stored| inner(stored.get())) {
            return Some("a polygon has a neighbour that does not exist");
        }
    }
    if tile.details.len() != count {
        return Some("it has not one detail mesh for each ground polygon");
    }
    let (mut vertices, mut triangles) = (0_usize, 0_usize);
    for detail in &tile.details {
        let [own_vertices, own_triangles] = detail.counts(false).map(usize::from);
        let within = |first: u32, own: usize, all: usize| (first as usize).saturating_add(own) <= all;
        if !within(detail.first_vertex(), own_vertices, tile.detail_vertices.len())
            || !within(detail.first_triangle(), own_triangles, tile.triangles.len())
        {
            return Some("a detail mesh reaches beyond its section");
        }
        vertices = vertices.saturating_add(own_vertices);
        triangles = triangles.saturating_add(own_triangles);
    }
    if vertices > tile.detail_vertices.len() || triangles > tile.triangles.len() {
        return Some("its detail meshes overlap");
    }
    (!tile.tree.is_empty() && leaves(tile, count).is_none())
        .then_some("its tree has not one leaf for each polygon")
}

/// The leaves of the tree in the order of their polygons; `None` if they are not one for each polygon.
pub(super) fn leaves(tile: &TileBuf, count: usize) -> Option<Vec<&BvNode>> {
    let mut found: Vec<Option<&BvNode>> = vec![None; count];
    let last = tile.tree.len().saturating_sub(1);
    // In an even number of nodes the last is unused.
    let spare = |at: usize, node: &BvNode| at > 0 && at == last && *node == BvNode::default();
    for (_, node) in tile.tree.iter().enumerate().filter(|(at, node)| !spare(*at, node)) {
        let Ok(polygon) = usize::try_from(node.index()) else { continue };
        if found.get_mut(polygon)?.replace(node).is_some() {
            return None;
        }
    }
    found.into_iter().collect()
}
