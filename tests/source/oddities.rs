//! Values that no game writes are told, each where it lies; those of a sound mesh are not.

use super::values::findings;
use navmap::bytes::Scratch;
use navmap::format::source::Source2Nav;
use navmap::{Finding, NavFile, Severity};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::source::{self as kit, Approach, Area, Ladder, Mesh, Mesh2, Spot};
use std::collections::BTreeSet;

/// Two areas side by side, linked to each other, and a ladder.
fn mesh() -> Mesh {
    let area = |id: u32, x: f32, connections| Area {
        id,
        nw: [x, 0.0, 0.0],
        se: [x + 100.0, 100.0, 0.0],
        connections,
        light: [1.0; 4],
        ..Area::default()
    };
    let east = area(1, 0.0, [vec![], vec![2], vec![], vec![]]);
    let west = area(2, 100.0, [vec![], vec![], vec![], vec![1]]);
    let ladder = Ladder { id: 9, width: 32.0, top: [0.0, 0.0, 90.0], length: 90.0, ..Ladder::default() };
    let (version, subversion) = (16, Some(0));
    Mesh {
        version,
        subversion,
        bsp_size: 5,
        areas: vec![east, west],
        ladders: vec![ladder],
        ..Mesh::default()
    }
}

/// What this change brings: severity, code, byte.
fn news(change: impl FnOnce(&mut Mesh)) -> Vec<(Severity, &'static str, u64)> {
    let mut mesh = mesh();
    let before: BTreeSet<_> = findings(&kit::write(&mesh)).iter().map(|finding| finding.code).collect();
    assert!(before.is_empty(), "{before:?}");
    change(&mut mesh);
    let found = findings(&kit::write(&mesh)).into_iter();
    found.map(|finding| (finding.severity, finding.code, finding.at.offset.unwrap())).collect()
}

/// The byte at which the value lies that `mark` writes into a mesh that is otherwise the same.
fn byte(mark: impl FnOnce(&mut Mesh), plain: impl FnOnce(&mut Mesh)) -> u64 {
    let (mut one, mut other) = (mesh(), mesh());
    mark(&mut one);
    plain(&mut other);
    let (one, other) = (kit::write(&one), kit::write(&other));
    one.iter().zip(&other).position(|(a, b)| a != b).unwrap() as u64
}

#[test]
fn sizes_of_a_ladder_are_numbers_from_zero() {
    let ladder = byte(|mesh| mesh.ladders[0].id = 8, |_| ());
    for (size, severity) in
        [(f32::NAN, Severity::Error), (f32::INFINITY, Severity::Error), (-1.0, Severity::Warning)]
    {
        let expected = [(severity, "ladder-size", ladder)];
        assert_eq!(news(|mesh| mesh.ladders[0].width = size), expected, "{size}");
        assert_eq!(news(|mesh| mesh.ladders[0].length = size), expected, "{size}");
    }
    assert_eq!(news(|mesh| mesh.ladders[0].width = 0.0), []);
    let nowhere = [(Severity::Error, "non-finite-coordinate", ladder)];
    assert_eq!(news(|mesh| mesh.ladders[0].top[2] = f32::NAN), nowhere);
    assert_eq!(news(|mesh| mesh.ladders[0].bottom[0] = f32::INFINITY), nowhere);
}

#[test]
fn a_ladder_back_is_a_way_back() {
    let one_way = |up: Option<bool>, ends: [u32; 5]| {
        let mut mesh = mesh();
        mesh.areas[1].connections[3].clear();
        match up {
            Some(true) => mesh.areas[1].ladders_up.push(9),
            Some(false) => mesh.areas[1].ladders_down.push(9),
            None => {}
        }
        mesh.ladders[0].areas = ends;
        let found = findings(&kit::write(&mesh)).into_iter();
        let code = |finding: Finding| finding.code;
        found.map(code).filter(|code| ["one-way-connection", "dead-end"].contains(code)).collect::<Vec<_>>()
    };
    assert_eq!(one_way(None, [1, 0, 0, 0, 1]), ["one-way-connection", "dead-end"], "area 2 does not list it");
    for up in [true, false] {
        assert_eq!(one_way(Some(up), [1, 0, 0, 0, 1]), [""; 0]);
        assert_eq!(one_way(Some(up), [2, 0, 0, 0, 2]), ["one-way-connection"], "it leads to area 2 itself");
    }
}

#[test]
fn times_light_and_range_are_numbers() {
    let expected = |at| [(Severity::Warning, "non-finite-value", at)];
    let times = byte(|mesh| mesh.areas[1].occupy[0] = f32::from_bits(0x0101_0101), |_| ());
    assert_eq!(news(|mesh| mesh.areas[1].occupy[1] = f32::NAN), expected(times));
    assert_eq!(news(|mesh| mesh.areas[1].light[3] = f32::INFINITY), expected(times + 8));
    let ranged = |range| move |mesh: &mut Mesh| (mesh.subversion, mesh.visibility_range) = (Some(14), range);
    let at = byte(ranged(f32::from_bits(0x0101_0101)), ranged(0.0));
    assert_eq!(news(ranged(f32::NAN)), expected(at));
    assert_eq!(news(ranged(1500.0)), []);
}

#[test]
fn bytes_of_visibility_and_of_ways_have_a_meaning() {
    let seen = |byte| move |mesh: &mut Mesh| mesh.areas[0].visible = vec![(2, 3), (2, byte), (1, byte)];
    let at = byte(seen(2), seen(3));
    assert_eq!(news(seen(5)), [(Severity::Warning, "visibility-bits", at)], "one for an area");
    assert_eq!(news(seen(3)), []);
    let how = |next, next_how| {
        move |mesh: &mut Mesh| {
            (mesh.version, mesh.subversion) = (16, Some(1));
            let approach = Approach { here: 1, previous: 2, next, next_how, ..Approach::default() };
            mesh.areas[0].approaches = vec![approach];
        }
    };
    assert_eq!(news(how(2, 9)).iter().map(|(_, code, _)| *code).collect::<Vec<_>>(), ["approach-way"]);
    assert_eq!(news(how(2, 8)), []);
    assert_eq!(news(how(0, 9)), [], "a way to no area");
}

#[test]
fn a_connection_that_is_there_already_is_told_once_for_each_more() {
    let to = |list: &[u32]| {
        let list = list.to_vec();
        move |mesh: &mut Mesh| mesh.areas[0].connections[1] = list
    };
    let first = byte(to(&[3]), to(&[2]));
    let more =
        |at: &[u64]| at.iter().map(|at| (Severity::Warning, "duplicate-connection", first + at)).collect();
    let expected: Vec<_> = more(&[4]);
    assert_eq!(news(to(&[2, 2])), expected);
    let expected: Vec<_> = more(&[4, 8]);
    assert_eq!(news(to(&[2, 2, 2])), expected);
}

#[test]
fn two_areas_of_one_rectangle_are_told() {
    let at = byte(|mesh| mesh.areas[1].nw[0] = 99.0, |_| ()) & !3;
    let found = news(|mesh| {
        mesh.areas[1].nw = mesh.areas[0].nw;
        mesh.areas[1].se = mesh.areas[0].se;
    });
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0, found[0].1), (Severity::Warning, "shared-rectangle"));
    assert!(found[0].2.abs_diff(at) < 4, "{} and {at}", found[0].2);
    let above = |mesh: &mut Mesh| {
        mesh.areas[1].nw = [0.0, 0.0, 200.0];
        mesh.areas[1].se = [100.0, 100.0, 200.0];
    };
    assert!(news(above).iter().all(|(_, code, _)| *code != "shared-rectangle"), "a storey higher");
}

#[test]
fn what_lies_beyond_the_world_of_the_engine_deviates() {
    let codes =
        |change: fn(&mut Mesh)| news(change).into_iter().map(|(s, code, _)| (s, code)).collect::<Vec<_>>();
    let outside = [(Severity::Deviation, "outside-world")];
    assert_eq!(codes(|mesh| mesh.areas[1].se[0] = 16_385.0), outside);
    assert_eq!(codes(|mesh| mesh.areas[0].ne_z = -16_385.0), outside);
    assert_eq!(codes(|mesh| mesh.ladders[0].top[2] = 16_385.0), outside);
    assert_eq!(codes(|mesh| mesh.areas[1].se[0] = 16_384.0), []);
}

#[test]
fn a_hiding_spot_lies_in_its_area() {
    let spot = |x| {
        move |mesh: &mut Mesh| mesh.areas[0].spots = vec![Spot { id: 3, position: [x, 1.0, 0.0], flags: 1 }]
    };
    let at = byte(spot(2.0), spot(1.0));
    let found = news(spot(150.0));
    let [(Severity::Info, "hiding-spot-outside", start)] = found[..] else { panic!("{found:?}") };
    assert!(start < at && at < start + 17);
    assert_eq!(news(spot(100.5)), [], "rounded");
    // Version 1 stores bare positions.
    let old = |mesh: &mut Mesh| {
        (mesh.version, mesh.subversion) = (1, None);
        spot(150.0)(mesh);
    };
    assert!(news(old).iter().any(|(_, code, _)| *code == "hiding-spot-outside"));
}

#[test]
fn a_map_has_a_size() {
    assert_eq!(news(|mesh| mesh.bsp_size = 0), [(Severity::Warning, "zero-map-size", 12)]);
    let old =
        |version| move |mesh: &mut Mesh| (mesh.version, mesh.subversion, mesh.bsp_size) = (version, None, 0);
    assert_eq!(news(old(9)), [(Severity::Warning, "zero-map-size", 8)]);
    assert_eq!(news(old(3)), [], "stores none");
}

#[test]
fn long_lists_of_one_target_cost_no_more_than_they_are_long() {
    let cost = |len: usize| {
        let mut mesh = mesh();
        mesh.areas[0].connections[1] = vec![2; len];
        let bytes = kit::write(&mesh);
        let (found, cost) = cost_of(|| findings(&bytes).len());
        assert_eq!(found, len - 1);
        cost.peak_bytes
    };
    // Findings are held by the test itself.
    assert!(cost(4_000) < 3 * cost(2_000));
}

fn findings2(mesh: &Mesh2) -> Vec<Finding> {
    findings2_of(&kit::write2(mesh))
}

fn findings2_of(bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    let nav = Source2Nav::parse(bytes).unwrap();
    nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
    found
}

fn codes2(found: &[Finding]) -> Vec<(Severity, &'static str)> {
    let new = [
        "hull-out-of-range",
        "kv3-block",
        "duplicate-connection",
        "outside-world",
        "ladder-size",
        "non-finite-coordinate",
    ];
    found.iter().map(|f| (f.severity, f.code)).filter(|(_, code)| new.contains(code)).collect()
}

#[test]
fn source_2_areas_have_a_hull_and_a_place_and_no_link_twice() {
    let sound = kit::level2(35, 1, 6);
    assert_eq!(codes2(&findings2(&sound)), []);
    let with = |change: fn(&mut Mesh2)| {
        let mut mesh = kit::level2(35, 1, 6);
        change(&mut mesh);
        codes2(&findings2(&mesh))
    };
    let one = |severity, code| vec![(severity, code)];
    assert_eq!(with(|mesh| mesh.areas[2].hull = 2), one(Severity::Warning, "hull-out-of-range"));
    assert_eq!(with(|mesh| mesh.areas[2].hull = 1), []);
    let twice = |mesh: &mut Mesh2| {
        let link = mesh.areas[0].edges[1][0];
        mesh.areas[0].edges[1].push(link);
    };
    assert_eq!(with(twice), one(Severity::Warning, "duplicate-connection"));
    assert_eq!(
        with(|mesh| mesh.ladders[0].ends[0][2] = f32::NAN),
        one(Severity::Error, "non-finite-coordinate")
    );
    assert_eq!(with(|mesh| mesh.ladders[0].ends[0][2] = 20_000.0), one(Severity::Deviation, "outside-world"));
    let far = with(|mesh| mesh.vertices[0][0] = -20_000.0);
    assert!(!far.is_empty() && far.iter().all(|found| *found == (Severity::Deviation, "outside-world")));
}

#[test]
fn a_source_2_link_down_a_ledge_that_no_jump_takes_is_a_drop() {
    // The last step back is missing: area 5 leads to area 6, and nothing leads back.
    let one_way = |drop: f32| {
        let mut mesh = kit::level2(35, 1, 6);
        // A ledge: the polygon of area 6 has an edge of its own, below that of area 5.
        let [a, b] = [mesh.vertices[10], mesh.vertices[11]].map(|[x, y, z]| [x, y, z - drop]);
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([a, b]);
        (mesh.polygons[5][0], mesh.polygons[5][3]) = (first, first + 1);
        let found = findings2(&mesh);
        let found = found.into_iter().filter(|finding| finding.code.starts_with("one-way"));
        found.map(|finding| (finding.severity, finding.code, finding.message)).collect::<Vec<_>>()
    };
    for (drop, code, says) in [
        (0.0, "one-way-connection", "one way over edge 1 to #"),
        (63.0, "one-way-connection", "one way over edge 1 to #"),
        (-80.0, "one-way-connection", "one way over edge 1 to #"),
        (80.0, "one-way-drop", "drops 80 units over edge 1 to #"),
    ] {
        let found = one_way(drop);
        assert_eq!(found.len(), 2, "one for each hull: {found:?}");
        for (finding, id) in found.into_iter().zip([6, 12]) {
            assert_eq!(finding, (Severity::Info, code, format!("{says}{id}")), "{drop}");
        }
    }
}

#[test]
fn a_block_that_contradicts_its_header_is_told() {
    let bytes = kit::write2(&kit::level2(35, 1, 6));
    let start = bytes.windows(4).rposition(|window| window == b"\x043VK").unwrap();
    let damaged = |bytes: Vec<u8>| {
        let found = findings2_of(&bytes);
        let found: Vec<_> = found.iter().filter(|f| f.code == "kv3-block").map(|f| f.at.offset).collect();
        found == [Some(start as u64)]
    };
    assert!(!damaged(bytes.clone()));
    assert!(damaged(bytes[..bytes.len() - 1].to_vec()), "cut short");
    assert!(damaged([&bytes[..], b"!"].concat()), "too long");
    assert!(damaged(bytes[..start + 40].to_vec()), "no whole header");
    let mut other = bytes.clone();
    other[start + 20] = 9;
    assert!(damaged(other), "unknown compression");
}

#[test]
fn a_finding_calls_areas_and_ladders_by_the_ids_that_commands_take() {
    let mut odd = mesh();
    odd.areas[0].id = 2023;
    odd.areas[1].id = 0x7000;
    odd.areas[0].connections = [vec![], vec![2023], vec![], vec![]];
    odd.areas[1].connections = [vec![], vec![], vec![5], vec![2023]];
    odd.ladders[0].id = 88;
    odd.ladders[0].width = -1.0;
    let found = findings(&kit::write(&odd));
    let of = |code| found.iter().find(|finding| finding.code == code).unwrap();
    let itself = of("self-connection");
    assert_eq!((itself.at.record, itself.at.id), (Some(("area", 0)), Some(2023)));
    assert!(itself.to_string().starts_with("warning: area #2023 (record 0), byte "), "{itself}");
    let dangling = of("dangling-connection");
    assert!(dangling.to_string().contains("area #28672 (record 1)"), "{dangling}");
    assert_eq!(dangling.message, "connected south to #5, which does not exist");
    assert_eq!(of("ladder-size").at.id, Some(88));
    // What the graph tells names them in the same way.
    let graph = found
        .iter()
        .filter(|finding| ["unreachable", "dead-end", "isolated", "island"].contains(&finding.code));
    assert!(graph.clone().all(|finding| finding.at.id.is_some_and(|id| [2023, 28672].contains(&id))));
}

/// Products of coordinates of 100,000 units are 10,000,000,000, of which 32 bits keep every 1,024th.
#[test]
fn the_size_of_an_area_far_from_the_origin_keeps_its_digits() {
    let mut mesh = kit::level2(35, 1, 5);
    for [x, y, _] in &mut mesh.vertices {
        (*x, *y) = (*x + 100_000.0, *y - 100_000.0);
    }
    let bytes = kit::write2(&mesh);
    let nav = Source2Nav::parse(&bytes).unwrap();
    let sizes: Vec<f32> = nav.areas().map(|area| area.unwrap().square_units()).collect();
    assert!(sizes.len() == 10 && sizes.iter().all(|size| *size == 64.0 * 64.0), "{sizes:?}");
}
