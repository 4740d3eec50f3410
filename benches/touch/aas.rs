//! What a visit to an AAS file touches.

use navmap::format::aas::{AasNav, AreaSettings, Settings};

fn sum<const N: usize>(values: [f32; N]) -> u64 {
    values.iter().map(|value| u64::from(value.to_bits())).sum()
}

fn ints<const N: usize>(values: [i32; N]) -> u64 {
    values.iter().map(|value| u64::from(value.cast_unsigned())).sum()
}

fn settings(of: &Settings) -> u64 {
    let bits = u64::from(of.contents().0) + u64::from(of.flags().0) + u64::from(of.presence().0);
    bits + ints([of.cluster(), of.cluster_area(), of.links(), of.first_link()])
}

/// Touches every field of every record through its getter.
pub(crate) fn visit(nav: &AasNav<'_>) -> u64 {
    let mut all = nav
        .boxes()
        .iter()
        .map(|of| sum(of.mins()) + sum(of.maxs()) + u64::from(of.presence().0) + u64::from(of.flags().0))
        .sum::<u64>();
    all += nav.vertices().iter().map(|vertex| sum(vertex.position())).sum::<u64>();
    let plane = |plane: &navmap::format::aas::Plane| {
        sum(plane.normal()) + sum([plane.distance()]) + ints([plane.kind()])
    };
    all += nav.planes().iter().map(plane).sum::<u64>();
    all += nav.edges().iter().map(|edge| ints(edge.vertices())).sum::<u64>();
    all += nav.edge_index().iter().map(|number| ints([number.get()])).sum::<u64>();
    for face in nav.faces() {
        all += ints([face.plane(), face.edges(), face.first_edge(), face.front(), face.back()]);
        all += u64::from(face.flags().0);
    }
    all += nav.face_index().iter().map(|number| ints([number.get()])).sum::<u64>();
    for area in nav.areas() {
        all += ints([area.number(), area.faces(), area.first_face()]);
        all += sum(area.mins()) + sum(area.maxs()) + sum(area.center());
    }
    all += match nav.settings() {
        AreaSettings::Plain(list) => list.iter().map(settings).sum::<u64>(),
        AreaSettings::Steep(list) => {
            list.iter().map(|of| settings(of.settings()) + sum([of.steepness()])).sum()
        }
    };
    for link in nav.reachabilities() {
        all += ints([link.area(), link.face(), link.edge()]) + sum(link.start()) + sum(link.end());
        all += u64::from(link.kind().0) + u64::from(link.flags().0);
        all += u64::from(link.time()) + u64::from(link.padding());
    }
    all += nav.nodes().iter().map(|node| ints([node.plane(), node.front(), node.back()])).sum::<u64>();
    for portal in nav.portals() {
        all += ints([portal.area(), portal.front(), portal.back()]);
        all += ints([portal.front_number(), portal.back_number()]);
    }
    all += nav.portal_index().iter().map(|number| ints([number.get()])).sum::<u64>();
    for cluster in nav.clusters() {
        all += ints([cluster.areas(), cluster.reachable(), cluster.portals(), cluster.first_portal()]);
    }
    all
}
