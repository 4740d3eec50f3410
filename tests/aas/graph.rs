//! The neutral graph.

use navmap::format::aas::{AasBuf, AasGraph, AasNav, AreaFlags};
use navmap::graph::{FlatGraph, LinkKind, NavGraph, Point, Shape};
use navmap::query::NavIndex;
use navmap_testkit::aas::sample;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus;

/// The lump of the nodes of the tree.
const NODES: usize = 10;

fn flat(full: bool) -> FlatGraph {
    let bytes = sample().lumps(5, full).encode();
    FlatGraph::of(&AasGraph::new(AasNav::parse(&bytes).unwrap())).whole().unwrap()
}

#[test]
fn air_is_no_node_unless_it_is_asked_for() {
    let bytes = sample().lumps(5, false).encode();
    let nav = AasNav::parse(&bytes).unwrap();
    assert_eq!(AasGraph::new(nav).areas().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 7, 8]);
    let all = AasGraph::of_all(nav);
    assert_eq!((all.len(), all.node_of(6), all.node_of(0), all.node_of(9)), (8, Some(5), None, None));
}

#[test]
fn links_have_the_kinds_costs_and_ends_of_reachabilities() {
    let graph = flat(false);
    let link = |from: u32, to: u32, kind: LinkKind| {
        let found =
            graph.links().iter().find(|link| (link.from, link.to, link.kind) == (from, Some(to), kind));
        found.unwrap_or_else(|| panic!("{from} to {to}: {kind}"))
    };
    let walk = link(0, 1, LinkKind::Walk);
    assert_eq!(walk.path, Some([Point::new(128.0, 64.0, 24.0); 2]));
    // From middle to middle, at a third of a hundredth of a second each unit, and what the reachability takes.
    let cost = walk.passage.cost.unwrap();
    assert!((cost - (38.0 + 128.0 * 0.33)).abs() < 0.01, "{cost}");
    assert_eq!(walk.passage.number, Some(1));
    for (from, to, kind) in [
        (0, 4, LinkKind::Crouch),
        (1, 2, LinkKind::Jump),
        (1, 2, LinkKind::RocketJump),
        (1, 3, LinkKind::Drop),
        (6, 0, LinkKind::Push),
        (6, 5, LinkKind::Teleport),
    ] {
        let _ = link(from, to, kind);
    }
    // Water and ducts are slow: 1 and 1.3.
    let swim = link(3, 1, LinkKind::Jump).passage.cost.unwrap();
    assert!((swim - (400.0 + 62.0 + 56.0 * 0.33)).abs() < 0.01, "{swim}");
    let crawl = link(4, 0, LinkKind::Crouch).passage.cost.unwrap();
    assert!((crawl - (1.0 + 64.0 * 1.3 + 64.0 * 0.33)).abs() < 0.01, "{crawl}");
    assert_eq!(link(6, 5, LinkKind::Teleport).passage.length, Some(1.0));
    assert_eq!(graph.links().len(), sample().links());
}

#[test]
fn nodes_have_their_floors_clusters_and_flags_with_faces_and_without() {
    let (full, stripped) = (flat(true), flat(false));
    assert_eq!(full.links(), stripped.links());
    for (a, b) in full.nodes().iter().zip(stripped.nodes()) {
        assert_eq!((a.id, a.group, a.flags), (b.id, b.group, b.flags));
        let sorted = |graph: &FlatGraph, node| {
            let Shape::Polygon(corners) = graph.shape(node) else { panic!("a polygon") };
            let mut corners: Vec<_> =
                corners.iter().map(|corner| corner.to_array().map(f32::round)).collect();
            corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
            corners
        };
        assert_eq!(sorted(&full, a), sorted(&stripped, b), "area {}", a.id);
        let area = |graph: &FlatGraph, node| graph.shape(node).area().unwrap();
        assert!((area(&full, a) - area(&stripped, b)).abs() < 1.0);
    }
    let groups: Vec<_> = full.nodes().iter().map(|node| node.group).collect();
    assert_eq!(groups, [Some(1), Some(1), None, Some(1), Some(1), Some(1), Some(2)]);
    assert_eq!(full.nodes()[2].flags, 1 | 8 << 32);
    let bytes = sample().lumps(5, true).encode();
    let graph = AasGraph::new(AasNav::parse(&bytes).unwrap());
    assert_eq!(
        (graph.flag(0), graph.flag(35), graph.flag(20)),
        (Some("grounded"), Some("cluster_portal"), None)
    );
    assert_eq!(graph.group(2).as_deref(), Some("cluster 2"));
    // The slope has the height of its floor at each corner.
    let slope =
        full.shape(&full.nodes()[5]).corners().iter().map(|corner| (corner.y, corner.z)).collect::<Vec<_>>();
    assert!(slope.iter().all(|(y, z)| (z - (24.0 + (y - 128.0) / 2.0)).abs() < 0.01), "{slope:?}");
}

#[test]
fn a_deleted_reachability_is_no_link_and_one_to_nowhere_leads_outside() {
    let mut lumps = sample().lumps(5, false);
    lumps.set(9, 1, 9, 1).set(9, 2, 0, 99);
    let bytes = lumps.encode();
    let graph = FlatGraph::of(&AasGraph::new(AasNav::parse(&bytes).unwrap())).whole().unwrap();
    assert_eq!(graph.links().len(), sample().links() - 1);
    let first = graph.links().get(0).unwrap();
    assert_eq!((first.to, first.kind), (None, LinkKind::Crouch));
}

#[test]
fn a_graph_is_put_on_the_floor_with_everything_in_it() {
    let (stored, mut moved) = (flat(true), flat(true));
    assert_eq!(moved.put_on_floor(), Some([24.0, 24.0]));
    let down = |p: Point| Point::new(p.x, p.y, p.z - 24.0);
    for (a, b) in stored.nodes().iter().zip(moved.nodes()) {
        let lowered: Vec<Point> = stored.corners(a).iter().copied().map(down).collect();
        assert_eq!(lowered, moved.corners(b));
    }
    for (a, b) in stored.links().iter().zip(moved.links()) {
        assert_eq!(a.path.map(|path| path.map(down)), b.path);
    }
    assert_eq!(moved.put_on_floor(), None, "it is there");
}

#[test]
fn no_link_leads_into_an_area_that_is_disabled() {
    let bytes = sample().lumps(5, false).encode();
    let mut buf = AasBuf::from(&AasNav::parse(&bytes).unwrap());
    let of = buf.settings.get_mut(7).unwrap();
    of.set_flags(of.flags() | AreaFlags::DISABLED);
    let disabled = buf.encode().unwrap();
    let links = |bytes: &[u8], area: u64| {
        let nav = AasNav::parse(bytes).unwrap();
        let graph = FlatGraph::of(&AasGraph::new(nav)).whole().unwrap();
        let node = graph.nodes().iter().position(|node| node.id == area).unwrap() as u32;
        let count = |wanted: &dyn Fn(&navmap::graph::Link) -> bool| {
            graph.links().iter().filter(|l| wanted(l)).count()
        };
        [count(&|link| link.to == Some(node)), count(&|link| link.from == node)]
    };
    // One can still leave it.
    assert_eq!((links(&bytes, 7), links(&disabled, 7)), ([2, 2], [0, 2]));
}

/// Asks an index for points in the boxes of the areas of a file, and the file's own tree.
fn located(name: &str, bytes: &[u8]) {
    let nav = AasNav::parse(bytes).unwrap();
    let graph = AasGraph::new(nav);
    let index = NavIndex::build(&graph).whole().unwrap();
    let (mut rng, mut held) = (Rng(9), 0);
    let areas: Vec<usize> = graph.areas().collect();
    for _ in 0..2_000 {
        let of = &nav.areas()[areas[rng.below(areas.len() as u64) as usize]];
        let (low, high) = (of.mins(), of.maxs());
        let at = [0, 1, 2].map(|axis| rng.f32(low[axis], high[axis]));
        let p = Point::from(at);
        let Some(node) = nav.area_at(at).and_then(|area| graph.node_of(area as usize)) else { continue };
        held += 1;
        let area = index.of_node(node);
        let (ground, _) = index.column_at(p, None);
        assert_eq!(index.area_at(p, None), area, "{name} {p:?}");
        assert_eq!((index.ground_at(p, None), ground.map(|(area, _)| area)), (ground, area), "{name} {p:?}");
        assert_eq!(index.area_at_where(p, None, |_| true), area, "{name} {p:?}");
        assert_ne!(index.area_at_where(p, None, |other| Some(other) != area), area, "{name} {p:?}");
        let mut many = [None; 1];
        index.area_at_many(&[p], None, &mut many);
        assert_eq!(many[0], area, "{name} {p:?}");
        // A reach is how far the ground may be below, in the area of the tree too.
        let z = ground.unwrap().1;
        assert_eq!(index.area_at(p, (at[2] - z).max(0.0)), area, "{name} {p:?}");
        // One stands on it only over its ground, and else on what is there.
        let on = index.stands_on(p);
        assert!(on.is_none_or(|on| index.covers(on, p)), "{name} {p:?}");
        assert_eq!(index.stands_on_where(p, |area| Some(area) == on), on, "{name} {p:?}");
        let stands = area.is_some_and(|area| index.covers(area, p)) && at[2] - z <= index.rules().reach;
        assert_eq!(on.is_some() && on == area, stands, "{name} {p:?}");
        let deep = index.ground_at(p, 10.0).is_none_or(|(_, z)| at[2] - z <= 10.0);
        assert!(deep, "{name} {p:?}");
    }
    assert!(held > 500, "{name}: {held}");
    assert_eq!(index.area_at(Point::new(f32::NAN, 0.0, 0.0), None), None);
}

#[test]
fn points_are_in_the_areas_that_the_tree_of_the_file_says() {
    let real = corpus::real().map_or_else(Vec::new, |root| corpus::manifest(&root.join("aas")));
    let sound = corpus::bundled_rows("aas").into_iter().filter(|row| !row.name().contains('/'));
    for row in sound.chain(real) {
        located(row.name(), &row.read());
    }
}

#[test]
fn a_tree_deeper_than_any_of_a_game_holds_no_points() {
    let mut lumps = sample().lumps(5, true);
    let held = |nodes: usize| {
        // Each node has the next one before it, and the last one the first area.
        let mut bytes = vec![0; 12];
        for node in 1..=nodes {
            let next = if node == nodes { -1 } else { node as i32 + 1 };
            bytes.extend([0, next, 0].map(i32::to_le_bytes).as_flattened());
        }
        lumps.lumps[NODES] = bytes;
        let bytes = lumps.encode();
        let nav = AasNav::parse(&bytes).unwrap();
        let plane = nav.planes()[0];
        let far = Point::from(plane.normal().map(|part| part * (plane.distance() + 1e6)));
        NavIndex::build(&AasGraph::new(nav)).whole().unwrap().area_at(far, None).is_some()
    };
    assert_eq!([387, 4_096, 4_097].map(held), [true, true, false]);
}
