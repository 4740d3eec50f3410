//! What getters say: heights, places, indexes, findings, data, and what all of it costs.

use navmap::bytes::Scratch;
use navmap::format::source::source2::Source2Graph;
use navmap::format::source::{
    AreaId, AreaIndex, Attributes, Direction, Extension, HidingSpotFlags, Source2Nav, SourceNav,
    TfAttributes, VisibleTarget,
};
use navmap::graph::{FlatGraph, LinkKind};
use navmap::{ErrorKind, Finding, NavFile, Severity};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::bundled_path;
use navmap_testkit::source::{self as kit, Area, Mesh, Shape};

fn bundled_file(name: &str) -> Vec<u8> {
    std::fs::read(bundled_path("source", name)).unwrap()
}

fn one_area(area: Area) -> Vec<u8> {
    kit::write(&Mesh { version: 16, subversion: Some(0), areas: vec![area], ..Mesh::default() })
}

pub(crate) fn findings(bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    let nav = SourceNav::parse(bytes).unwrap();
    nav.check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
    found
}

#[test]
fn heights_are_bilinear_between_the_corners() {
    let area =
        Area { nw: [0.0, 0.0, 0.0], se: [100.0, 50.0, 40.0], ne_z: 10.0, sw_z: 20.0, ..Area::default() };
    let bytes = one_area(area);
    let nav = SourceNav::parse(&bytes).unwrap();
    let area = nav.areas().next().unwrap().unwrap();
    let shape = area.shape();
    assert_eq!(area.corners(), [[0.0, 0.0, 0.0], [100.0, 0.0, 10.0], [100.0, 50.0, 40.0], [0.0, 50.0, 20.0]]);
    for [x, y, z] in area.corners() {
        assert_eq!(shape.height_at(x, y), z);
    }
    assert_eq!(shape.height_at(50.0, 25.0), 17.5);
    assert_eq!(shape.height_at(-1000.0, 25.0), 10.0, "outside counts as on the edge");
    assert_eq!(shape.height_at(1000.0, 1000.0), 40.0);
    assert_eq!(shape.center(), [50.0, 25.0, 20.0], "the mean of two corners, not the height there");
    assert_eq!((shape.extent(), shape.square_units()), ([100.0, 50.0], 5000.0));
    assert!(shape.contains_xy(100.0, 50.0) && !shape.contains_xy(100.1, 50.0));
}

#[test]
fn a_degenerate_area_is_as_high_as_its_north_east_corner() {
    let bytes = one_area(Area { se: [0.0, 100.0, 7.0], ne_z: 3.0, ..Area::default() });
    let nav = SourceNav::parse(&bytes).unwrap();
    let area = nav.areas().next().unwrap().unwrap();
    assert!(area.shape().is_degenerate());
    assert_eq!((area.shape().height_at(0.0, 50.0), area.shape().square_units()), (3.0, 0.0));
}

#[test]
fn flags_have_the_width_of_their_version() {
    for (version, stored) in [(5, 0xFF), (9, 0xFFFF), (16, 0xFFFF_FFFF_u32)] {
        let area = Area { attributes: u32::MAX, ..Area::default() };
        let mesh = Mesh { version, areas: vec![area], ..Mesh::default() };
        let bytes = kit::write(&mesh);
        let nav = SourceNav::parse(&bytes).unwrap();
        assert_eq!(
            nav.areas().next().unwrap().unwrap().attributes(),
            Attributes(stored),
            "version {version}"
        );
    }
}

#[test]
fn what_a_version_lacks_is_none() {
    let bytes = bundled_file("v1.nav");
    let nav = SourceNav::parse(&bytes).unwrap();
    assert_eq!(
        (nav.subversion(), nav.bsp_size(), nav.analyzed(), nav.has_unnamed_areas()),
        (None, None, None, None)
    );
    for area in nav.areas().map(Result::unwrap) {
        assert_eq!((area.place(), area.earliest_occupy_times(), area.light()), (None, None, None));
        assert_eq!(
            (area.tf_attributes(), area.spawn_attributes(), area.l4d_attributes()),
            (None, None, None)
        );
        assert!(area.hiding_spots().is_empty() && area.visible_areas().is_empty());
        assert_eq!(area.old_hiding_spots().len(), area.hiding_spot_count() as usize);
        for path in area.encounter_paths() {
            assert!(path.spots().is_empty() && path.from_direction().is_none() && path.ends().is_some());
        }
    }
}

#[test]
fn full_lists_are_counted_to_the_last() {
    for version in [1, 2, 9, 16] {
        let mut mesh = kit::level(version, None, &Shape::small(9));
        let area = &mut mesh.areas[1];
        area.spots = vec![kit::Spot::default(); 255];
        area.paths = vec![kit::Path::default(); 300];
        area.paths[7].spots = vec![(1, 1); 255];
        area.paths[7].old_spots = vec![([1.0; 3], 0.5); 255];
        let bytes = kit::write(&mesh);
        let nav = SourceNav::parse(&bytes).unwrap();
        let area = nav.areas().nth(1).unwrap().unwrap();
        assert_eq!(area.hiding_spot_count(), 255, "version {version}");
        assert_eq!(area.hiding_spots().len() + area.old_hiding_spots().len(), 255);
        assert_eq!((area.encounter_path_count(), area.encounter_spot_count()), (300, 255));
        let path = area.encounter_paths().nth(7).unwrap();
        assert_eq!(path.spots().len() + path.old_spots().len(), 255);
    }
}

#[test]
fn places_are_counted_from_one() {
    let bytes = bundled_file("v16-1-csgo.nav");
    let nav = SourceNav::parse(&bytes).unwrap();
    let names: Vec<_> = nav.places().map(|place| place.to_str().into_owned()).collect();
    assert_eq!(names, ["BombsiteA", "Middle", "TSpawn", "CTSpawn", "BackAlley", "BombsiteB"]);
    assert_eq!(nav.place(2.try_into().unwrap()).unwrap().name(), b"Middle");
    assert_eq!(nav.place(7.try_into().unwrap()), None);
    assert_eq!(nav.places().next().unwrap().stored(), b"BombsiteA\0");
}

#[test]
fn games_are_told_apart_by_their_sub_version() {
    let extension = |name| SourceNav::parse(&bundled_file(name)).unwrap().extension();
    assert_eq!(extension("v16.nav"), Extension::Stock);
    assert_eq!(extension("v16-7-unknown.nav"), Extension::Stock);
    assert_eq!(extension("v16-1-csgo.nav"), Extension::CounterStrikeGo);
    assert_eq!(extension("v16-2-tf2.nav"), Extension::TeamFortress);
    assert_eq!(extension("v16-4-insurgency.nav"), Extension::Insurgency);
    assert_eq!(extension("v16-14-l4d2.nav"), Extension::LeftForDead);
    assert_eq!(extension("v15-13-l4d.nav"), Extension::LeftForDead);
    let experimental = |name| SourceNav::parse(&bundled_file(name)).unwrap().is_experimental();
    assert!(experimental("v15-13-l4d.nav") && experimental("v16-4-insurgency.nav"));
    assert!(experimental("v16-7-unknown.nav") && !experimental("v16-14-l4d2.nav"));
}

#[test]
fn an_inferred_layout_that_misses_the_end_is_refused_by_name() {
    for (name, says) in [
        ("v16-7-unknown.nav", "Source navigation mesh version 16, sub-version 7: unknown game extension"),
        ("v16-4-insurgency.nav", "version 16, sub-version 4: the inferred layout of Insurgency"),
        ("v15-13-l4d.nav", "version 15, sub-version 13: the inferred layout of Left 4 Dead"),
    ] {
        let mut bytes = bundled_file(name);
        bytes.push(0);
        let error = SourceNav::parse(&bytes).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Version { .. }), "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn left_for_dead_names_visible_areas_by_position() {
    let bytes = bundled_file("v16-14-l4d2.nav");
    let nav = SourceNav::parse(&bytes).unwrap();
    assert_eq!(nav.default_population(), Some(&b"riverport"[..]));
    assert_eq!(nav.after_areas().unwrap().visibility_range(), Some(1500.0));
    let area = nav.areas().next().unwrap().unwrap();
    let entry = &area.visible_areas()[0];
    assert_eq!(area.visible_target(entry), VisibleTarget::Index(entry.target()));
    let mut mesh = kit::read(&bytes).unwrap();
    mesh.areas[0].visible = vec![(8, 1), (9, 1)];
    let found = findings(&kit::write(&mesh));
    let dangling: Vec<_> = found.iter().filter(|f| f.code == "dangling-visible-area").collect();
    assert_eq!(dangling.len(), 1, "positions are 0 to 8");
    assert!(dangling[0].message.contains("record 9 of 9"), "{}", dangling[0].message);
}

#[test]
fn an_index_finds_areas_by_position_and_by_id() {
    for name in ["v16-2-tf2.nav", "v16-14-l4d2.nav", "town.nav", "odd/zero-areas.nav"] {
        let bytes = bundled_file(name);
        let nav = SourceNav::parse(&bytes).unwrap();
        let (index, cost) = cost_of(|| AreaIndex::build(&nav).unwrap());
        assert!(cost.calls <= 1 && cost.peak_bytes <= bytes.len() as u64, "{name}: {cost:?}");
        assert_eq!(index.len(), nav.area_count() as usize);
        for (i, area) in nav.areas().map(Result::unwrap).enumerate() {
            assert_eq!(index.get(i).unwrap().bytes(), area.bytes(), "{name}");
            assert_eq!(index.position(area.id()), Some(i), "{name}");
            assert_eq!(index.by_id(area.id()).unwrap().index() as usize, i, "{name}");
        }
        assert!(index.get(index.len()).is_none());
        assert!(index.by_id(AreaId::new(u32::MAX)).is_none() && index.position(AreaId::new(0)).is_none());
        assert_eq!(index.iter().count(), index.len());
    }
}

#[test]
fn a_point_is_in_the_highest_area_within_reach() {
    let flat = |id, z| {
        let [nw, se] = [[0.0, 0.0, z], [100.0, 100.0, z]];
        Area { id, nw, se, ne_z: z, sw_z: z, ..Area::default() }
    };
    let areas = vec![flat(1, 0.0), flat(2, 100.0), flat(3, 100.0), flat(4, 300.0)];
    let bytes = kit::write(&Mesh { version: 16, subversion: Some(0), areas, ..Mesh::default() });
    let nav = SourceNav::parse(&bytes).unwrap();
    let index = AreaIndex::build(&nav).unwrap();
    let at = |x, y, z| index.area_at([x, y, z], AreaIndex::REACH).map(|area| area.id().get());
    assert_eq!(at(50.0, 50.0, 10.0), Some(1));
    assert_eq!(at(100.0, 0.0, 96.0), Some(2), "edges count, 5 units above count, the first of two counts");
    assert_eq!(at(50.0, 50.0, 94.0), Some(1));
    assert_eq!(at(50.0, 50.0, 220.0), Some(2));
    assert_eq!(at(50.0, 50.0, 221.0), None);
    assert_eq!((at(50.0, 50.0, -6.0), at(101.0, 50.0, 0.0)), (None, None));
}

#[test]
fn visibility_is_inherited_one_level_deep_and_overridden() {
    let area = |id, inherit, visible: &[(u32, u8)]| Area {
        id,
        inherit,
        visible: visible.to_vec(),
        ..Area::default()
    };
    let areas = vec![area(1, 0, &[(2, 3), (3, 1)]), area(2, 1, &[(3, 0)]), area(3, 2, &[]), area(4, 9, &[])];
    let bytes = kit::write(&Mesh { version: 16, subversion: Some(0), areas, ..Mesh::default() });
    let nav = SourceNav::parse(&bytes).unwrap();
    let index = AreaIndex::build(&nav).unwrap();
    let sees = |from, to| index.visibility(&index.get(from).unwrap(), &index.get(to).unwrap()).bits();
    assert_eq!((sees(0, 1), sees(0, 2), sees(0, 3)), (3, 1, 0));
    assert_eq!((sees(1, 1), sees(1, 2), sees(1, 0)), (3, 0, 0), "an explicit 0 overrides");
    assert_eq!((sees(2, 1), sees(3, 0)), (0, 0), "one level; a dangling anchor is none");
}

#[test]
fn an_index_is_walked_on_all_cores() {
    use rayon::iter::ParallelIterator;
    let bytes = bundled_file("town.nav");
    let nav = SourceNav::parse(&bytes).unwrap();
    let index = AreaIndex::build(&nav).unwrap();
    let ids: Vec<_> = index.par_iter().map(|area| area.id()).collect();
    assert_eq!(ids, nav.areas().map(|area| area.unwrap().id()).collect::<Vec<_>>());
}

#[test]
fn the_first_of_two_areas_of_one_id_is_found() {
    let bytes = bundled_file("hostile/twins.nav");
    let nav = SourceNav::parse(&bytes).unwrap();
    assert_eq!(AreaIndex::build(&nav).unwrap().position(AreaId::new(1)), Some(0));
}

#[test]
fn every_oddity_has_its_finding_at_its_byte() {
    let bytes = bundled_file("hostile/dangling.nav");
    let found: Vec<_> = findings(&bytes).into_iter().map(|f| (f.code, f.at.offset.unwrap())).collect();
    let expected = [
        ("zero-map-size", 12),
        ("place-out-of-range", 93),
        ("self-connection", 68),
        ("dangling-connection", 72),
        ("dangling-ladder", 99),
        ("dangling-visible-area", 140),
        ("dangling-visible-area", 145),
        ("self-inherited-visibility", 150),
    ];
    assert_eq!(found, expected);
    for (code, at) in found {
        let byte = bytes[at as usize];
        let stored = match code {
            "zero-map-size" => 0,
            "place-out-of-range" => 5,
            "dangling-connection" => 2,
            "dangling-ladder" => 9,
            "dangling-visible-area" => [77, 0][usize::from(at == 145)],
            _ => 1,
        };
        assert_eq!(byte, stored, "{code} at {at}");
    }
}

#[test]
fn check_finds_what_is_wrong_with_made_up_meshes() {
    // These meshes have one area or two, most of them without a link.
    let other = |code: &&str| !matches!(*code, "isolated" | "dead-end" | "unreachable" | "zero-map-size");
    let codes =
        |name| findings(&bundled_file(name)).into_iter().map(|f| f.code).filter(other).collect::<Vec<_>>();
    assert_eq!(codes("hostile/not-a-number.nav"), ["non-finite-coordinate"]);
    assert_eq!(codes("hostile/inverted.nav"), ["degenerate-area"]);
    assert_eq!(codes("hostile/trailing.nav"), ["trailing-bytes"]);
    let circles = ["chained-visibility", "shared-rectangle", "chained-visibility"];
    assert_eq!(codes("hostile/inherits-in-circles.nav"), circles);
    assert!(codes("hostile/twins.nav").contains(&"duplicate-area-id"));
    assert_eq!(codes("odd/zero-areas.nav"), ["zero-areas"]);
    let tail = findings(&bundled_file("odd/v5-stale-tail.nav"));
    let tail = tail.iter().find(|f| f.code == "stale-tail").unwrap();
    assert_eq!(tail.severity, Severity::Info, "nothing needs to be done");
    assert!(codes("v16-4-insurgency.nav").contains(&"experimental-layout"));
    assert!(codes("v16-7-unknown.nav").contains(&"unknown-subversion"));
    let one_way = findings(&bundled_file("town.nav"));
    assert!(one_way.len() > 10 && one_way.iter().all(|f| f.code == "one-way-connection"));
    assert!(one_way.iter().all(|f| f.severity == Severity::Info));
}

#[test]
fn dangling_ladders_approaches_and_encounters_are_found() {
    let mut mesh = kit::level(16, Some(1), &Shape::small(5));
    mesh.ladders[0].areas[4] = 70_001;
    mesh.ladders[1].id = mesh.ladders[0].id;
    mesh.ladders[1].direction = 9;
    mesh.areas[0].approaches.push(kit::Approach { here: 70_002, ..kit::Approach::default() });
    let path = kit::Path {
        from: 70_003,
        from_side: 9,
        to: mesh.areas[0].id,
        spots: vec![(70_004, 1), (0, 2)],
        ..kit::Path::default()
    };
    mesh.areas[0].paths.push(path);
    mesh.areas[1].inherit = 70_005;
    let spot = kit::Spot { id: 900, position: [f32::INFINITY; 3], flags: 0x10 };
    mesh.areas[2].spots.push(spot.clone());
    mesh.areas[3].spots.push(spot);
    let twice = kit::Spot { id: 901, ..kit::Spot::default() };
    mesh.areas[4].spots.extend([twice.clone(), twice]);
    let found = findings(&kit::write(&mesh));
    for (code, id) in [
        ("dangling-ladder-area", "70001"),
        ("duplicate-ladder-id", "is also record 0"),
        ("ladder-direction", "9"),
        ("dangling-approach", "70002"),
        ("dangling-encounter-path", "70003"),
        ("dangling-encounter-spot", "70004"),
        ("dangling-inherited-visibility", "70005"),
        ("duplicate-hiding-spot-id", "900"),
        ("duplicate-hiding-spot-id", "is also one of #"),
        ("encounter-direction", "9"),
        ("non-finite-coordinate", "hiding spot"),
    ] {
        assert!(found.iter().any(|f| f.code == code && f.message.contains(id)), "{code}: {found:#?}");
    }
    assert!(!found.iter().any(|f| f.message.contains("hiding spot id 0")), "0 is legal");
}

#[test]
fn walking_and_visiting_allocate_nothing() {
    let large = [kit::tf2_shaped(), kit::csgo_shaped()];
    let small = ["v2.nav", "v9.nav", "v16-14-l4d2.nav"].map(bundled_file);
    for bytes in large.iter().chain(&small) {
        let (seen, cost) = cost_of(|| {
            let nav = SourceNav::parse(bytes).unwrap();
            let mut seen = nav.places().count();
            let mut areas = nav.areas();
            for area in areas.by_ref().map(Result::unwrap) {
                seen += area.all_connections().count() + area.hiding_spots().len() + area.approaches().len();
                seen += area
                    .encounter_paths()
                    .map(|path| path.spots().len() + path.old_spots().len())
                    .sum::<usize>();
                seen += area.visible_areas().len() + area.ladders_up().len() + area.bytes().len();
            }
            seen + areas.finish().unwrap().ladders().len()
        });
        assert!(seen > 100);
        assert_eq!((cost.calls, cost.peak_bytes), (0, 0));
    }
}

#[test]
fn what_a_worker_keeps_costs_nothing_until_it_is_needed() {
    let (scratch, cost) = cost_of(Scratch::new);
    assert_eq!((cost.calls, cost.peak_bytes), (0, 0), "{scratch:?}");
}

#[test]
fn large_meshes_have_the_shape_of_real_play() {
    let share = |bytes: &[u8], part: fn(&Area) -> usize| {
        let mesh = kit::read(bytes).unwrap();
        100 * mesh.areas.iter().map(part).sum::<usize>() / bytes.len()
    };
    let tf2 = share(&kit::tf2_shaped(), |area| 5 * area.visible.len());
    assert!((75..=85).contains(&tf2), "{tf2} % visibility");
    let paths = |area: &Area| area.paths.iter().map(|path| 11 + 5 * path.spots.len()).sum();
    let csgo = share(&kit::csgo_shaped(), paths);
    assert!((45..=55).contains(&csgo), "{csgo} % encounter paths");
}

#[test]
fn source_2_reads_what_was_written() {
    for version in 30..=36 {
        let mesh = kit::level2(version, u32::from(version >= 35), 5);
        let bytes = kit::write2(&mesh);
        let nav = Source2Nav::parse(&bytes).unwrap();
        assert_eq!((nav.version(), nav.flags()), (version, mesh.flags));
        assert_eq!(nav.movable_meshes().map(|m| m.name().to_vec()).collect::<Vec<_>>(), mesh.movable);
        let mut areas = nav.areas();
        for (area, made) in areas.by_ref().map(Result::unwrap).zip(&mesh.areas) {
            assert_eq!(
                (area.id().get(), area.attributes().bits(), area.hull()),
                (made.id, made.attributes, made.hull)
            );
            let corners: Vec<_> =
                mesh.polygons[made.polygon as usize].iter().map(|v| mesh.vertices[*v as usize]).collect();
            assert_eq!(area.corners().collect::<Vec<_>>(), corners);
            assert_eq!(area.square_units(), 64.0 * 64.0);
            assert_eq!(area.center()[1], 32.0);
            assert_eq!(area.polygon(), (version >= 31).then_some(made.polygon));
            let edges =
                area.edges().map(|edge| edge.iter().map(|l| (l.area().get(), l.edge())).collect::<Vec<_>>());
            assert_eq!(edges.collect::<Vec<_>>(), made.edges);
            assert_eq!(area.ladders_above().iter().map(|id| id.get()).collect::<Vec<_>>(), made.above);
            assert_eq!(area.ladders_below().iter().map(|id| id.get()).collect::<Vec<_>>(), made.below);
        }
        let after = areas.finish().unwrap();
        let ladders: Vec<_> = after.all_ladders().map(|l| (l.id().get(), [l.top(), l.bottom()])).collect();
        assert_eq!(ladders, mesh.ladders.iter().map(|l| (l.id, l.ends)).collect::<Vec<_>>());
        let parameters = after.parameters();
        assert_eq!((parameters.version, parameters.hull_count), (mesh.generator, 2));
        let hulls: Vec<_> = parameters.hulls().take(2).map(|hull| [hull.radius, hull.height]).collect();
        assert_eq!(hulls, mesh.hulls);
        assert_eq!(parameters.hulls().count(), if mesh.generator <= 11 { 3 } else { 2 });
        assert_eq!(after.unknown_boxes()[0].matrix()[11], 17.0);
        assert_eq!(after.game_data().is_some(), version >= 35);
        assert_eq!(nav.first_block().is_some(), version == 36);
        assert!(after.trailing().is_empty());
    }
}

#[test]
fn links_of_source_2_are_jumps_and_drops_where_the_middles_of_their_edges_are_a_step_apart() {
    let (mut rng, mut seen) = (Rng(2), [0; 3]);
    for version in [30, 31, 35] {
        let mut mesh = kit::level2(version, 0, 200);
        // Each polygon gets corners of its own, some of them level, some steep.
        for polygon in &mut mesh.polygons {
            let (floor, slope) = (rng.f32(0.0, 60.0), rng.f32(0.0, 30.0));
            for vertex in polygon {
                let [x, y, _] = mesh.vertices[*vertex as usize];
                *vertex = mesh.vertices.len() as u32;
                mesh.vertices.push([x, y, floor + rng.f32(0.0, slope)]);
            }
        }
        let middle = |area: &kit::Area2, side: usize| {
            let polygon = &mesh.polygons[area.polygon as usize];
            let [a, b] = [side, (side + 1) % polygon.len()].map(|at| mesh.vertices[polygon[at] as usize][2]);
            f32::midpoint(a, b)
        };
        let mut expected = Vec::new();
        for (from, area) in (0..).zip(&mesh.areas) {
            for (side, &(id, edge)) in
                (0..4).flat_map(|side| area.edges[side].iter().map(move |to| (side, to)))
            {
                let to = &mesh.areas[id as usize - 1];
                let rise = middle(to, edge as usize) - middle(area, side);
                let kind = match rise {
                    _ if rise > 18.0 => LinkKind::Jump,
                    _ if rise < -18.0 => LinkKind::Drop,
                    _ => LinkKind::Walk,
                };
                seen[usize::from(rise > 18.0) + 2 * usize::from(rise < -18.0)] += 1;
                expected.push((from, Some(id - 1), Some(side as u8), kind));
            }
        }
        let bytes = kit::write2(&mesh);
        let nav = Source2Nav::parse(&bytes).unwrap();
        let graph = FlatGraph::of(&Source2Graph::new(&nav)).whole().unwrap();
        let links = graph.links().iter().filter(|link| link.kind != LinkKind::Ladder);
        let links: Vec<_> = links.map(|link| (link.from, link.to, link.passage.side, link.kind)).collect();
        assert!(links == expected, "version {version}");
    }
    assert!(seen.iter().all(|seen| *seen > 100), "{seen:?}");
}

#[test]
fn each_view_names_the_other_where_it_is_meant() {
    let error = SourceNav::parse(&bundled_file("v35-1.nav")).unwrap_err();
    assert!(error.to_string().contains("Source2Nav"), "{error}");
    let error = Source2Nav::parse(&bundled_file("v16.nav")).unwrap_err();
    assert!(error.to_string().contains("SourceNav"), "{error}");
}

#[test]
fn version_36_is_refused_where_its_blocks_cannot_be_passed() {
    let mut bytes = bundled_file("v36-1.nav");
    bytes[16 + 52] ^= 1;
    let error = Source2Nav::parse(&bytes).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Version { found: 36, .. }), "{error}");
}

#[test]
fn flags_print_as_people_know_them() {
    assert_eq!(TfAttributes(0x800 | 0x400).to_string(), "BLUE_SETUP_GATE | 0x400");
    assert_eq!(HidingSpotFlags(12).to_string(), "IDEAL_SNIPER_SPOT | EXPOSED");
    assert_eq!(Direction::West.to_string(), "west");
}
