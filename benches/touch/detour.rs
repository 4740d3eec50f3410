//! What a visit to tiles of Detour touches.

use super::words::all;
use navmap::format::detour::{DetourNav, Links, Polygon, Polygons, Tile, Triangles, Vector};

fn point(v: &Vector) -> [u32; 3] {
    v.to_array().map(f32::to_bits)
}

/// Two halves as the word that they lie in.
fn halves(a: u16, b: u16) -> u32 {
    u32::from(a) | u32::from(b) << 16
}

fn polygon(polygon: &Polygon<'_>) -> [u32; 7] {
    let (corners, neighbours) = polygon.slots();
    let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (corners, neighbours);
    let kinds = [polygon.corner_count(), polygon.area() | polygon.kind() << 6];
    [
        halves(a.get(), b.get()),
        halves(c.get(), d.get()),
        halves(e.get(), f.get()),
        halves(g.get(), h.get()),
        halves(i.get(), j.get()),
        halves(k.get(), l.get()),
        halves(polygon.flags() as u16, u16::from_le_bytes(kinds)),
    ]
}

fn tile(tile: &Tile<'_>) -> u64 {
    let mut sum = all(tile.vertices(), point).wrapping_add(all(tile.detail_vertices(), point));
    if let Polygons::Stock(list) = tile.polygons() {
        sum = sum.wrapping_add(all(list, |poly| {
            let [a, b, c, d, e, f, g] = polygon(&Polygon::from(poly));
            [poly.first_link(), a, b, c, d, e, f, g]
        }));
    }
    if let Links::Narrow(list) = tile.links() {
        sum = sum.wrapping_add(all(list, |link| {
            let [min, max] = link.span();
            let next = link.next().unwrap_or(u32::MAX);
            [link.target() as u32, next, u32::from_le_bytes([link.edge(), link.side(), min, max])]
        }));
    }
    sum = sum.wrapping_add(all(tile.details(), |detail| {
        let [vertices, triangles] = detail.counts(false);
        [detail.first_vertex(), detail.first_triangle(), halves(vertices, triangles)]
    }));
    if let Triangles::Stock(list) = tile.triangles() {
        sum = sum.wrapping_add(all(list, |triangle| {
            let [a, b, c] = triangle.corners().map(|corner| corner as u8);
            [u32::from_le_bytes([a, b, c, triangle.flags() as u8])]
        }));
    }
    sum = sum.wrapping_add(all(tile.tree(), |node| {
        let ([a, b, c], [d, e, f]) = (node.min(), node.max());
        [halves(a, b), halves(c, d), halves(e, f), node.index().cast_unsigned()]
    }));
    for connection in tile.off_mesh().iter() {
        let ends = connection.start().into_iter().chain(connection.end()).map(f32::to_bits);
        sum = ends.fold(sum, |sum, bits| sum.wrapping_add(bits.into()));
        let rest = [u32::from(connection.polygon()), connection.user_id(), connection.radius().to_bits()];
        sum = rest.into_iter().fold(sum, |sum, word| sum.wrapping_add(word.into()));
    }
    sum
}

/// Touches every field of every record through its getter.
pub(crate) fn visit(nav: &DetourNav<'_>) -> u64 {
    nav.tiles().fold(0, |sum, entry| sum.wrapping_add(tile(&entry.expect("a tile").tile)))
}
