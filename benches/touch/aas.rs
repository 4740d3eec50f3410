//! What a visit to an AAS file touches.

use super::words::words;
use navmap::format::aas::{AasNav, AreaSettings, Settings};
use zerocopy::byteorder::little_endian::I32;

fn settings(of: &Settings) -> [u32; 7] {
    let [cluster, number, links, first] =
        [of.cluster(), of.cluster_area(), of.links(), of.first_link()].map(i32::cast_unsigned);
    [of.contents().0, of.flags().0, of.presence().0, cluster, number, links, first]
}

/// Touches every field of every record through its getter.
pub(crate) fn visit(nav: &AasNav<'_>) -> u64 {
    let number = |number: &I32| [number.get().cast_unsigned()];
    let mut sum = words(nav.boxes(), |of| {
        let ([a, b, c], [d, e, f]) = (of.mins().map(f32::to_bits), of.maxs().map(f32::to_bits));
        [of.presence().0, of.flags().0, a, b, c, d, e, f]
    });
    sum += words(nav.vertices(), |vertex| vertex.position().map(f32::to_bits));
    sum += words(nav.planes(), |plane| {
        let [x, y, z] = plane.normal().map(f32::to_bits);
        [x, y, z, plane.distance().to_bits(), plane.kind().cast_unsigned()]
    });
    sum += words(nav.edges(), |edge| edge.vertices().map(i32::cast_unsigned));
    sum += words(nav.edge_index(), number);
    sum += words(nav.faces(), |face| {
        let [plane, edges, first, front, back] =
            [face.plane(), face.edges(), face.first_edge(), face.front(), face.back()]
                .map(i32::cast_unsigned);
        [plane, face.flags().0, edges, first, front, back]
    });
    sum += words(nav.face_index(), number);
    sum += words(nav.areas(), |area| {
        let [number, faces, first] = [area.number(), area.faces(), area.first_face()].map(i32::cast_unsigned);
        let ([a, b, c], [d, e, f]) = (area.mins().map(f32::to_bits), area.maxs().map(f32::to_bits));
        let [g, h, i] = area.center().map(f32::to_bits);
        [number, faces, first, a, b, c, d, e, f, g, h, i]
    });
    sum += match nav.settings() {
        AreaSettings::Plain(list) => words(list, settings),
        AreaSettings::Steep(list) => words(list, |of| {
            let [a, b, c, d, e, f, g] = settings(of.settings());
            [a, b, c, d, e, f, g, of.steepness().to_bits()]
        }),
    };
    sum += words(nav.reachabilities(), |link| {
        let [area, face, edge] = [link.area(), link.face(), link.edge()].map(i32::cast_unsigned);
        let ([a, b, c], [d, e, f]) = (link.start().map(f32::to_bits), link.end().map(f32::to_bits));
        let travel = link.kind().0 | link.flags().0;
        let time = u32::from(link.time()) | u32::from(link.padding()) << 16;
        [area, face, edge, a, b, c, d, e, f, travel, time]
    });
    sum += words(nav.nodes(), |node| [node.plane(), node.front(), node.back()].map(i32::cast_unsigned));
    sum += words(nav.portals(), |of| {
        [of.area(), of.front(), of.back(), of.front_number(), of.back_number()].map(i32::cast_unsigned)
    });
    sum += words(nav.portal_index(), number);
    sum += words(nav.clusters(), |of| {
        [of.areas(), of.reachable(), of.portals(), of.first_portal()].map(i32::cast_unsigned)
    });
    sum
}
