//! What a visit to tiles of Detour touches.

use navmap::format::detour::{DetourNav, Links, Polygons, Tile, Triangles, Vector};

fn point(v: &Vector) -> u64 {
    v.to_array().iter().fold(0, |sum, c| sum.wrapping_add(c.to_bits().into()))
}

fn tile(tile: &Tile<'_>) -> u64 {
    let mut sum = 0u64;
    for vertex in tile.vertices().iter().chain(tile.detail_vertices()) {
        sum = sum.wrapping_add(point(vertex));
    }
    let polygons = tile.polygons();
    if let Polygons::Stock(list) = polygons {
        sum = list.iter().fold(sum, |sum, poly| sum.wrapping_add(poly.first_link().into()));
    }
    for polygon in polygons.iter() {
        let (corners, neighbours) = polygon.slots();
        let slots = corners.iter().zip(neighbours).map(|(a, b)| u64::from(a.get()) + u64::from(b.get()));
        let rest = u64::from(polygon.flags()) + u64::from(polygon.area()) + u64::from(polygon.corner_count());
        sum = sum.wrapping_add(slots.sum::<u64>() + rest + u64::from(polygon.kind()));
    }
    if let Links::Narrow(list) = tile.links() {
        for link in list {
            let [min, max] = link.span();
            let rest = u64::from(link.edge()) + u64::from(link.side()) + u64::from(min) + u64::from(max);
            sum = sum.wrapping_add(link.target() + u64::from(link.next().unwrap_or(0)) + rest);
        }
    }
    for detail in tile.details() {
        let [vertices, triangles] = detail.counts(false);
        let counts = u64::from(vertices) + u64::from(triangles);
        sum =
            sum.wrapping_add(u64::from(detail.first_vertex()) + u64::from(detail.first_triangle()) + counts);
    }
    if let Triangles::Stock(list) = tile.triangles() {
        for triangle in list {
            let corners = triangle.corners().into_iter().map(u64::from).sum::<u64>();
            sum = sum.wrapping_add(corners + u64::from(triangle.flags()));
        }
    }
    for node in tile.tree() {
        let boxes = node.min().into_iter().chain(node.max()).map(u64::from).sum::<u64>();
        sum = sum.wrapping_add(boxes + u64::from(node.index().unsigned_abs()));
    }
    for connection in tile.off_mesh().iter() {
        let ends = connection
            .start()
            .into_iter()
            .chain(connection.end())
            .map(|c| u64::from(c.to_bits()))
            .sum::<u64>();
        sum = sum.wrapping_add(ends + u64::from(connection.polygon()) + u64::from(connection.user_id()));
    }
    sum
}

/// Touches every field of every record through its getter.
pub(crate) fn visit(nav: &DetourNav<'_>) -> u64 {
    nav.tiles().fold(0, |sum, entry| sum.wrapping_add(tile(&entry.expect("a tile").tile)))
}
