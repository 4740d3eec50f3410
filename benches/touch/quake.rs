//! What a visit to a Quake graph touches.

use navmap::format::quake::{self, Edicts, QuakeNav, Traversals, Vector};

/// Touches every field of every record through its getter.
pub(crate) fn visit(nav: &QuakeNav) -> u64 {
    let point = |p: [f32; 3]| p.iter().fold(0_u64, |sum, c| sum.wrapping_add(c.to_bits().into()));
    let origin = |v: &Vector| point(v.to_array());
    let mut sum = 0_u64;
    for node in nav.nodes() {
        sum += u64::from(node.flags())
            + u64::from(node.first_link())
            + u64::from(node.link_count())
            + u64::from(node.radius());
    }
    sum += nav.origins().iter().map(origin).sum::<u64>();
    for link in nav.links() {
        sum += u64::from(link.target())
            + u64::from(link.kind())
            + u64::from(link.flags())
            + u64::from(link.traversal().unwrap_or(0));
    }
    let travel = |t: &quake::Traversal| point(t.stored_funnel()) + point(t.start()) + point(t.end());
    sum += match nav.traversals() {
        Traversals::Plain(list) => list.iter().map(travel).sum::<u64>(),
        Traversals::Ladder(list) => list.iter().map(|t| travel(t.traversal()) + point(t.plane())).sum(),
    };
    let bounds = |b: &quake::Bounds| point(b.mins()) + point(b.maxs());
    sum += match nav.edicts() {
        Edicts::Model(list) => list.iter().map(|e| u64::from(e.link()) + bounds(e.bounds())).sum::<u64>(),
        other => other.iter().map(|e| u64::from(e.link()) + bounds(e.bounds())).sum(),
    };
    sum
}
