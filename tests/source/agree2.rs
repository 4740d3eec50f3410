//! A Source 2 mesh written from navmap's views must be the file again, byte for byte.

use navmap::format::source::Source2Nav;
use navmap::format::source::source2::{AfterPolygonAreas, Kv3Block};
use navmap_testkit::bytes::Out;

pub(crate) fn assert_whole(bytes: &[u8], what: &str) {
    let nav = Source2Nav::parse(bytes).unwrap();
    let v = nav.version();
    let mut out = Out::new();
    out.u32(0xFEED_FACE).u32(v).u32(nav.subversion()).u32(nav.flags());
    block(&mut out, nav.first_block());
    if v >= 31 {
        out.u32(nav.vertices().len() as u32);
        nav.vertices().iter().for_each(|vertex| floats(&mut out, &vertex.to_array()));
        out.u32(nav.polygon_count() as u32);
        for polygon in nav.polygons() {
            out.u8(polygon.vertices().len() as u8);
            polygon.vertices().iter().for_each(|index| word(&mut out, index.get()));
            if v >= 35 {
                out.u32(polygon.movable_mesh().unwrap_or(u32::MAX));
            }
        }
    }
    nav.unknown_after_polygons().into_iter().for_each(|number| word(&mut out, number));
    if v >= 35 {
        out.u32(nav.movable_meshes().count() as u32);
        for mesh in nav.movable_meshes() {
            out.raw(mesh.name()).u8(0).f32s(&mesh.matrix());
        }
    }
    block(&mut out, nav.second_block());
    out.u32(nav.area_count());
    let mut areas = nav.areas();
    for area in areas.by_ref().map(Result::unwrap) {
        out.u32(area.id().get()).u64(area.attributes().bits()).u8(area.hull());
        match area.polygon() {
            Some(polygon) => word(&mut out, polygon),
            None => {
                out.u32(area.corner_count() as u32);
                area.corners().for_each(|corner| floats(&mut out, &corner));
            }
        }
        out.f32(area.unknown_after_polygon());
        for edge in area.edges() {
            out.u32(edge.len() as u32);
            for link in edge {
                out.u32(link.area().get()).u32(link.edge());
            }
        }
        out.u8(0).u32(0);
        for ladders in [area.ladders_above(), area.ladders_below()] {
            out.u32(ladders.len() as u32);
            ladders.iter().for_each(|id| word(&mut out, id.get()));
        }
    }
    after(&mut out, &areas.finish().unwrap());
    assert_eq!(out.0.len(), bytes.len(), "{what}");
    assert!(
        out.0 == bytes,
        "{what}: first difference at {:?}",
        out.0.iter().zip(bytes).position(|(a, b)| a != b)
    );
}

fn after(out: &mut Out, after: &AfterPolygonAreas<'_>) {
    out.u32(after.all_ladders().count() as u32);
    for (i, l) in after.all_ladders().enumerate() {
        out.u32(l.id().get())
            .f32(l.width())
            .f32s(&l.top())
            .f32s(&l.bottom())
            .f32(l.length())
            .u32(l.direction_stored());
        l.areas().iter().for_each(|(_, area)| word(out, area.get()));
        if let Some(wide) = after.wide_ladders().get(i) {
            out.u32(wide.bottom_left().get()).u32(wide.bottom_right().get());
        }
    }
    out.u32(after.unknown_boxes().len() as u32);
    for each in after.unknown_boxes() {
        out.f32s(&each.min()).f32s(&each.max()).f32s(&each.matrix());
    }
    let p = after.parameters();
    out.i32(p.version).u32(p.use_project_defaults).f32s(&[p.tile_size, p.cell_size, p.cell_height]);
    out.i32(p.min_region_size).i32(p.merged_region_size).f32s(&[p.mesh_sample_distance, p.max_sample_error]);
    out.i32(p.max_edge_length).f32(p.max_edge_error).i32(p.verts_per_polygon);
    p.small_area_threshold.into_iter().for_each(|value| floats(out, &[value]));
    for text in [p.hull_preset, p.hull_definitions].into_iter().flatten() {
        out.raw(text).u8(0);
    }
    out.i32(p.hull_count);
    for hull in p.hulls() {
        out.raw(hull.enabled.as_slice()).f32(hull.radius).f32(hull.height);
        for (flag, height) in [hull.short_height, hull.crawl_height].into_iter().flatten() {
            out.u8(flag).f32(height);
        }
        out.f32(hull.max_climb).i32(hull.max_slope);
        out.f32s(&[hull.max_jump_down, hull.max_jump_horizontal, hull.max_jump_up]);
        hull.border_erosion.into_iter().for_each(|value| word(out, value as u32));
    }
    out.raw(p.unknown_last.as_slice());
    block(out, after.third_block());
    block(out, after.game_data());
    out.raw(after.trailing());
}

fn block(out: &mut Out, block: Option<Kv3Block<'_>>) {
    if let Some(block) = block {
        out.raw(block.padding()).raw(block.bytes());
    }
}

fn word(out: &mut Out, value: u32) {
    out.u32(value);
}

fn floats(out: &mut Out, values: &[f32]) {
    out.f32s(values);
}
