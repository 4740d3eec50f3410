//! What a visit to tiles of Detour touches, section after section as they lie in the file: in another order it takes half as long
//! again.

use super::words::all;
use navmap::format::detour::{DetourNav, Links, Polygon, Polygons, Tile, Triangles, Vector};

fn point(v: &Vector) -> ([u32; 3], [u16; 0]) {
    (v.to_array().map(f32::to_bits), [])
}

fn tile(tile: &Tile<'_>) -> u64 {
    let mut sum = all(tile.vertices(), point);
    if let Polygons::Stock(list) = tile.polygons() {
        sum = sum.wrapping_add(all(list, |poly| {
            let polygon = Polygon::from(poly);
            let (corners, neighbours) = polygon.slots();
            let ([a, b, c, d, e, f], [g, h, i, j, k, l]) =
                (corners.map(|slot| slot.get()), neighbours.map(|slot| slot.get()));
            let kinds = u16::from_le_bytes([polygon.corner_count(), polygon.area() | polygon.kind() << 6]);
            ([poly.first_link()], [a, b, c, d, e, f, g, h, i, j, k, l, polygon.flags() as u16, kinds])
        }));
    }
    if let Links::Narrow(list) = tile.links() {
        sum = sum.wrapping_add(all(list, |link| {
            let [min, max] = link.span();
            let next = link.next().unwrap_or(u32::MAX);
            ([link.target() as u32, next, u32::from_le_bytes([link.edge(), link.side(), min, max])], [])
        }));
    }
    sum = sum.wrapping_add(all(tile.details(), |detail| {
        ([detail.first_vertex(), detail.first_triangle()], detail.counts(false))
    }));
    sum = sum.wrapping_add(all(tile.detail_vertices(), point));
    if let Triangles::Stock(list) = tile.triangles() {
        sum = sum.wrapping_add(all(list, |triangle| ([u32::from_le_bytes(triangle.to_bytes())], [])));
    }
    sum = sum.wrapping_add(all(tile.tree(), |node| {
        let ([a, b, c], [d, e, f]) = (node.min(), node.max());
        ([node.index().cast_unsigned()], [a, b, c, d, e, f])
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
