//! What a walk over a Source 2 mesh touches.

use navmap::format::source::{PolygonArea, Source2Nav};

fn bits(point: [f32; 3]) -> u64 {
    point.iter().fold(0, |sum, value| sum + u64::from(value.to_bits()))
}

/// Id, attributes, hull, corners of one area.
#[inline(always)]
fn outline(area: &PolygonArea<'_>) -> u64 {
    let corners: u64 = area.corners().map(bits).sum();
    corners + u64::from(area.id().get()) + area.attributes().bits() + u64::from(area.hull())
}

/// Id, attributes, hull, corners of every area.
pub(crate) fn walk(bytes: &[u8]) -> u64 {
    let nav = Source2Nav::parse(bytes).expect("a mesh");
    nav.areas().fold(0, |sum: u64, area| sum.wrapping_add(outline(&area.expect("an area"))))
}

/// Every field of every record, through its getters; not what is inside of KV3 blocks.
pub(crate) fn visit(bytes: &[u8]) -> u64 {
    let nav = Source2Nav::parse(bytes).expect("a mesh");
    let mut areas = nav.areas();
    let mut sum = nav.vertices().iter().map(|vertex| bits(vertex.to_array())).sum::<u64>();
    for polygon in nav.polygons() {
        sum += polygon.vertices().iter().map(|index| u64::from(index.get())).sum::<u64>();
        sum += u64::from(polygon.movable_mesh().unwrap_or(0));
    }
    let mut links = 0;
    while let Some(area) = areas.next_with_edges(|edge| {
        links += edge.iter().map(|link| u64::from(link.area().get()) + u64::from(link.edge())).sum::<u64>();
    }) {
        let area = area.expect("an area");
        sum += outline(&area) + u64::from(area.polygon().unwrap_or(0));
        sum += u64::from(area.unknown_after_polygon().to_bits());
        let ladders = area.ladders_above().iter().chain(area.ladders_below());
        sum += ladders.map(|id| u64::from(id.get())).sum::<u64>();
    }
    sum += links;
    for ladder in areas.finish().expect("an end").all_ladders() {
        sum += u64::from(ladder.id().get()) + u64::from(ladder.width().to_bits()) + bits(ladder.top());
        sum += bits(ladder.bottom()) + u64::from(ladder.length().to_bits());
        sum += ladder.areas().iter().map(|(_, id)| u64::from(id.get())).sum::<u64>();
    }
    sum
}
