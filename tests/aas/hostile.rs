//! Whatever the bytes: an error or a sound result, never a panic, in bounded memory and time.

use super::exhaust::exhaust;
use navmap::bytes::Scratch;
use navmap::format::aas::{AasGraph, AasNav, Floors};
use navmap::graph::{FlatGraph, NavGraph};
use navmap::{Counts, NavFile, NavFormat};
use navmap_testkit::aas::{Area, Map, grid, hide, sample};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::hostile::{cuts, flips, inflated_counts};

fn small() -> Map {
    let mut map = sample();
    map.areas.truncate(2);
    map.areas.iter_mut().for_each(|area| area.links.retain(|link| link.area < 3));
    (map.portals, map.clusters) = (Vec::new(), 1);
    map
}

#[test]
fn every_cut_is_an_error_that_says_where() {
    for (version, full) in [(4, false), (5, true), (8, false)] {
        let bytes = small().lumps(version, full).encode();
        for cut in cuts(&bytes) {
            let error = AasNav::parse(cut).expect_err("a file that is too short");
            assert!(error.position().offset.unwrap() <= 124, "{error}");
            assert!(AasNav::head(&bytes[..bytes.len().min(4096)], cut.len() as u64).is_err());
        }
        assert!(AasNav::head(&bytes[..bytes.len().min(4096)], bytes.len() as u64).is_ok());
    }
}

#[test]
fn every_flip_is_an_error_or_a_sound_result() {
    let bytes = small().lumps(4, false).encode();
    flips(&bytes, |_, bytes| _ = exhaust(bytes));
    inflated_counts(&bytes, |_, bytes| _ = exhaust(bytes));
    for (version, full) in [(5, true), (8, true)] {
        let bytes = small().lumps(version, full).encode();
        flips(&bytes, |at, bytes| _ = at % 13 == version as usize && exhaust(bytes));
    }
}

#[test]
fn opening_allocates_nothing_whatever_the_size_and_a_survey_neither() {
    let bytes = grid(20).lumps(5, true).encode();
    let (nav, cost) = cost_of(|| AasNav::parse(&bytes).unwrap());
    assert_eq!(cost.calls, 0, "{cost:?}");
    let (mut counts, mut scratch) = (Counts::default(), Scratch::new());
    let (_, cost) = cost_of(|| nav.survey(&mut scratch, &mut counts, &mut |f| panic!("{f}")).unwrap());
    assert_eq!(cost.calls, 0, "{cost:?}");
    let (_, cost) = cost_of(|| (1..=400).map(|area| nav.links_of(area).1.len()).sum::<usize>());
    assert_eq!(cost.calls, 0, "{cost:?}");
}

#[test]
fn a_visit_allocates_once_and_not_for_an_area() {
    let calls = |side: usize, full: bool| {
        let bytes = grid(side).lumps(5, full).encode();
        let graph = AasGraph::new(AasNav::parse(&bytes).unwrap());
        let (nodes, cost) = cost_of(|| {
            let mut nodes = 0;
            graph.for_each_node(|node| nodes += usize::from(node.shape.corners().len() == 4)).unwrap();
            nodes
        });
        assert_eq!(nodes, side * side);
        cost.calls
    };
    for full in [true, false] {
        assert!(calls(24, full) <= calls(6, full) + 4, "{} {}", calls(24, full), calls(6, full));
    }
}

#[test]
fn a_claim_costs_no_memory() {
    for name in ["most-areas", "beyond-end", "negative-length"] {
        let bytes = super::corpus::read(&format!("hostile/{name}.aas"));
        let (opened, cost) = cost_of(|| AasNav::parse(&bytes).map(drop));
        assert!(opened.is_err() && cost.peak_bytes < 4_096, "{name}: {cost:?}");
    }
}

#[test]
fn runs_that_overlap_are_passed_over_no_more_often_than_there_are_records() {
    let mut lumps = grid(20).lumps(5, true);
    let links = lumps.count(9) as i32 - 1;
    let (faces, edges) = (lumps.count(6) as i32, lumps.count(4) as i32);
    for area in 1..=400 {
        lumps.set(8, area, 5, links).set(8, area, 6, 1).set(7, area, 1, faces).set(7, area, 2, 0);
    }
    for face in 1..lumps.count(5) {
        lumps.set(5, face, 2, edges).set(5, face, 3, 0);
    }
    let bytes = lumps.encode();
    let nav = AasNav::parse(&bytes).unwrap();
    let mut visited = 0;
    let error = AasGraph::new(nav).for_each_link(|_| visited += 1).unwrap_err();
    assert!(visited <= links, "{visited}");
    assert!(error.to_string().starts_with("area 2, byte 0x"), "{error}");
    let mut shared = Vec::new();
    nav.check(&mut Scratch::new(), &mut |f| shared.extend((f.code == "shared-run").then_some(f))).unwrap();
    assert_eq!(shared.len(), 3, "{shared:?}");
    let flat = FlatGraph::of(&AasGraph::new(nav));
    assert!(flat.error.is_some() && flat.value.links().len() <= links as usize);
}

#[test]
fn a_tree_as_deep_as_the_file_ends_in_boxes_and_not_in_hours() {
    // A stair of planes, each a child of the one before, and an area at every step.
    let count = 6_000_i32;
    let mut map = Map { clusters: 1, ..Map::default() };
    map.areas = (0..count)
        .map(|n| Area::new([0.0, 0.0, 24.0 + n as f32], [64.0, 64.0, 25.0 + n as f32], 1))
        .collect();
    let mut lumps = Map { areas: map.areas[..1].to_vec(), ..map.clone() }.lumps(5, false);
    let mut areas = vec![0; 48];
    let mut settings = vec![0; 28];
    let (mut planes, mut nodes) = (Vec::new(), vec![0; 12]);
    for (area, n) in map.areas.iter().zip(1..=count) {
        let row = [n, 0, 0].into_iter().map(|value: i32| value.to_le_bytes()).collect::<Vec<_>>().concat();
        areas.extend(row);
        for point in [area.mins, area.maxs, area.center()] {
            point.iter().for_each(|value| areas.extend(value.to_le_bytes()));
        }
        [0, 1, 2, 1, 0, 0, 1].iter().for_each(|value: &i32| settings.extend(value.to_le_bytes()));
        [0.0, 0.0, 1.0, area.maxs[2]].iter().for_each(|value: &f32| planes.extend(value.to_le_bytes()));
        planes.extend(2_i32.to_le_bytes());
        let next = if n < count { n + 1 } else { 0 };
        [n - 1, next, -n].iter().for_each(|value: &i32| nodes.extend(value.to_le_bytes()));
    }
    (lumps.lumps[7], lumps.lumps[8], lumps.lumps[2], lumps.lumps[10]) = (areas, settings, planes, nodes);
    let bytes = lumps.encode();
    let nav = AasNav::parse(&bytes).unwrap();
    // The last area lies below all planes, and its path has as many.
    assert!(Floors::new(nav).of(count as usize).len() < 2);
    let flat = FlatGraph::of(&AasGraph::new(nav));
    assert_eq!((flat.value.nodes().len(), flat.error.is_none()), (count as usize, true));
}

#[test]
fn a_circle_in_the_tree_ends() {
    let mut lumps = sample().lumps(5, false);
    for node in 1..lumps.count(10) {
        lumps.set(10, node, 1, 1).set(10, node, 2, node as i32);
    }
    let bytes = lumps.encode();
    let nav = AasNav::parse(&bytes).unwrap();
    assert_eq!(nav.area_at([64.0; 3]), None);
    assert!(exhaust(&bytes));
}

#[test]
fn a_doom_3_file_is_none_of_these() {
    let text = b"DewmAAS \"1.07\"\n";
    assert!(!AasNav::recognise(text));
    let error = AasNav::parse(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "byte 0x0: not a navigation mesh: areas of the bots of Doom 3, which are known and not read"
    );
    let mut bytes = sample().lumps(5, false).encode();
    let before = bytes.clone();
    hide(&mut bytes);
    hide(&mut bytes);
    assert_eq!(bytes, before);
}
