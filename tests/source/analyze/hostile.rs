//! Meshes that are made to hurt: no panic, and time and memory in proportion.

use super::analyzed;
use navmap::ErrorKind;
use navmap::format::source::analyze::{
    AnalyzeOptions, Spawns, VisibleSets, analyze, flood_places, transfer_places,
};
use navmap::format::source::{
    AreaBuf, AreaId, Attributes, HidingSpot, HidingSpotFlags, HidingSpotId, Shape, SourceBuf,
};
use navmap::format::source::{Visibility, VisibleArea};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::source::{self as kit};
use std::time::Instant;

fn heap(count: u32, shape: Shape, version: u32) -> SourceBuf {
    let mut mesh = SourceBuf::new(version, 0);
    mesh.areas = (1..=count).map(|id| AreaBuf::new(AreaId::new(id), shape)).collect();
    mesh
}

fn everything() -> AnalyzeOptions<'static> {
    let spawns = Spawns { terrorists: vec![[0.0; 3]], counter_terrorists: vec![[1e9, f32::NAN, 0.0]] };
    AnalyzeOptions { full: Some(true), spawns, ..AnalyzeOptions::default() }
}

#[test]
fn a_heap_of_areas_at_one_place_takes_time_and_memory_in_proportion() {
    let square = Shape::from_extent([0.0; 2], [100.0; 2], [0.0; 4]);
    for version in [9, 16] {
        let mut costs = Vec::new();
        for count in [20_000, 40_000] {
            let mut mesh = heap(count, square, version);
            for (at, area) in (0_u32..).zip(&mut mesh.areas) {
                area.connections[0].extend([AreaId::new(1), AreaId::new(at + 2), AreaId::new(at)]);
                let spot = |x| HidingSpot::new(HidingSpotId::new(at), [x, 12.5, 0.0], HidingSpotFlags(1));
                area.hiding_spots.extend([spot(12.5), spot(13.0 + (at % 100) as f32 / 1000.0)]);
                area.visible_areas.extend([1, 2, at].map(|id| VisibleArea::new(id, Visibility(3))));
                area.inherits = AreaId::new(1);
            }
            let begun = Instant::now();
            let (done, cost) = cost_of(|| analyze(&mut mesh, &everything(), None));
            done.unwrap();
            let old = mesh.clone();
            flood_places(&mut mesh);
            transfer_places(&mut mesh, &old).unwrap();
            assert!(begun.elapsed().as_secs() < 60, "{count} areas: {:?}", begun.elapsed());
            costs.push(cost.peak_bytes);
        }
        assert!(costs[1] < costs[0] * 3, "{costs:?}");
    }
}

#[test]
fn a_hub_that_every_area_lists_is_looked_up_and_not_walked() {
    let count = 50_000;
    let mut mesh = heap(count, Shape::from_extent([0.0; 2], [100.0; 2], [0.0; 4]), 16);
    mesh.areas[0].connections[1] = (2..=count).map(AreaId::new).collect();
    for area in &mut mesh.areas[1..] {
        area.connections[3] = vec![AreaId::new(1)];
    }
    let begun = Instant::now();
    let quick = AnalyzeOptions { full: Some(false), ..AnalyzeOptions::default() };
    analyze(&mut mesh, &quick, None).unwrap();
    assert!(begun.elapsed().as_secs() < 60);
    // Its encounter paths would be two and a half thousand million.
    let before = mesh.clone();
    let error = analyze(&mut mesh, &everything(), None).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { what: "encounter paths", .. }), "{error}");
    assert!(mesh == before, "a mesh that is refused stays as it was");
}

#[test]
fn lists_that_unfold_out_of_proportion_are_refused() {
    let count = 20_000;
    let mut mesh = heap(count, Shape::from_extent([0.0; 2], [100.0; 2], [0.0; 4]), 16);
    mesh.areas[0].visible_areas = (1..=count).map(|id| VisibleArea::new(id, Visibility(1))).collect();
    mesh.areas[1..].iter_mut().for_each(|area| area.inherits = AreaId::new(1));
    let error = VisibleSets::decode(&mesh).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { what: "visible areas", .. }), "{error}");
}

#[test]
fn corners_that_are_no_numbers_give_no_panic() {
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 0.0, -0.0, 1e-40, 12.5, 200.0];
    for version in [3, 5, 9, 16] {
        let mut mesh = SourceBuf::new(version, 0);
        for (at, a) in (0_u32..).zip(odd) {
            for (b, shift) in odd.into_iter().zip(0_u32..) {
                let id = at * 10 + shift + 1;
                let mut area = AreaBuf::new(AreaId::new(id), Shape::new([a, b, a], [b, a, b], a, b));
                area.connections = [1, 2, 3, 4].map(|by| vec![AreaId::new((id + by) % 101), AreaId::new(id)]);
                area.hiding_spots =
                    vec![HidingSpot::new(HidingSpotId::new(id), [a, b, a], HidingSpotFlags(1))];
                area.attributes = Attributes(id % 4);
                area.place = (id % 3) as u16;
                mesh.areas.push(area);
            }
        }
        mesh.head.places = vec![b"A\0".as_slice().into(), b"B\0".as_slice().into()];
        let old = mesh.clone();
        analyze(&mut mesh, &everything(), None).unwrap();
        let once = mesh.encode().unwrap();
        analyze(&mut mesh, &everything(), None).unwrap();
        assert!(mesh.encode().unwrap() == once, "version {version}");
        transfer_places(&mut mesh, &old).unwrap();
        flood_places(&mut mesh);
    }
}

#[test]
fn ids_that_are_there_twice_or_lead_nowhere_are_borne() {
    let mut level = kit::level(16, Some(0), &kit::Shape::small(7));
    for (at, area) in level.areas.iter_mut().enumerate() {
        area.id = (at as u32) / 2;
        area.inherit = 77_777;
        area.ladders_up = vec![1, 1, 99];
    }
    let (once, _) = analyzed(&level, &[], None);
    let (twice, _) = analyzed(&once, &[], None);
    assert!(once == twice);
}
