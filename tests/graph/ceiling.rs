//! Islands that hide the map below them.

use navmap::graph::{Axes, Ceiling, Csr, FlatGraph, Islands, Link, LinkKind, Point, Shape};

/// A floor of `side` times `side` areas, 100 units each, joined; its lower left corner is at (x, y, z).
fn floor(graph: &mut FlatGraph, side: u32, [x, y, z]: [f32; 3]) {
    let first = graph.nodes().len() as u32;
    for cell in 0..side * side {
        let (u, v) = (x + (cell % side) as f32 * 100.0, y + (cell / side) as f32 * 100.0);
        let square = [[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0]];
        graph.add_node(0, Shape::Polygon(&square.map(|[du, dv]| Point::new(u + du, v + dv, z))));
        if cell > 0 {
            graph.add_link(Link::new(first + cell, first + cell - 1, LinkKind::Walk));
        }
    }
}

fn ceilings(graph: &FlatGraph) -> Vec<Ceiling> {
    Ceiling::all(graph, &Islands::weak(&Csr::of(graph).value), |_| true)
}

fn map(floors: &[(u32, [f32; 3])]) -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.019_05));
    floors.iter().for_each(|&(side, at)| floor(&mut graph, side, at));
    graph
}

#[test]
fn what_lies_over_most_of_the_rest_is_a_ceiling() {
    // Two towns of 16 areas each, and a sky of 36 over all of the first and half of the second.
    let graph = map(&[(4, [0.0, 0.0, 0.0]), (4, [0.0, 400.0, 0.0]), (6, [0.0, 0.0, 2_000.0])]);
    let found = ceilings(&graph);
    assert_eq!(found, [Ceiling { island: 0, nodes: 36, covered: 24, others: 32 }]);
    // Only just over a storey is a floor of a house, and what covers half is no ceiling yet.
    assert_eq!(ceilings(&map(&[(4, [0.0; 3]), (6, [0.0, 0.0, 90.0])])), []);
    assert_eq!(ceilings(&map(&[(4, [0.0; 3]), (4, [0.0, 400.0, 0.0]), (4, [0.0, 0.0, 2_000.0])])), []);
    // A map over one stray area in a cellar stays a map.
    assert_eq!(ceilings(&map(&[(1, [0.0; 3]), (9, [0.0, 0.0, 2_000.0])])), []);
}

#[test]
fn ceilings_over_ceilings_are_found_from_above() {
    let graph = map(&[(6, [0.0; 3]), (5, [0.0, 0.0, 9_000.0]), (7, [0.0, 0.0, 5_000.0])]);
    let nodes: Vec<u32> = ceilings(&graph).iter().map(|ceiling| ceiling.nodes).collect();
    // Half of the middle one lies below the upper one too: then it is the next.
    assert_eq!(nodes, [25, 49]);
}

#[test]
fn what_a_picture_does_not_show_makes_no_ceiling() {
    let graph = map(&[(4, [0.0; 3]), (6, [0.0, 0.0, 2_000.0])]);
    let islands = Islands::weak(&Csr::of(&graph).value);
    assert_eq!(Ceiling::all(&graph, &islands, |_| true).len(), 1);
    assert_eq!(Ceiling::all(&graph, &islands, |node| node >= 16), []);
    assert_eq!(Ceiling::all(&FlatGraph::new("area", Axes::z_up(1.0)), &islands, |_| true), []);
}

#[test]
fn coordinates_that_are_no_places_make_no_ceiling() {
    let mut graph = map(&[(4, [0.0; 3]), (6, [0.0, 0.0, 2_000.0])]);
    for odd in [f32::NAN, f32::INFINITY, f32::MAX, 1e30] {
        graph.add_node(0, Shape::Polygon(&[Point::new(odd, 0.0, odd), Point::new(0.0, odd, 0.0)]));
        graph.add_node(0, Shape::Point { at: Point::new(0.0, odd, odd), radius: None });
        assert!(ceilings(&graph).len() <= 1);
    }
}

/// The roof over a map, a sky box, and an upper floor from which one is thrown down: all hide the map.
#[test]
#[cfg(feature = "archive")]
fn of_the_real_maps_three_have_a_ceiling() {
    use navmap::format::{AnyNav, ParseOptions};
    let Some(real) = navmap_testkit::corpus::real() else { return };
    let (mut with, mut maps) = (Vec::new(), 0);
    for found in navmap::open::Files::new([real]).filter_map(Result::ok) {
        let Ok(bytes) = std::fs::read(&found.path) else { continue };
        let Ok(nav) = AnyNav::parse(&bytes, Some(&found.path), &ParseOptions::default()) else { continue };
        // A plugin is many spaces, which lie on each other and are drawn one by one.
        if matches!(nav, AnyNav::Plugin(_)) {
            continue;
        }
        maps += 1;
        for ceiling in ceilings(&nav.flat_graph().value) {
            let share = u64::from(ceiling.covered) * 100 / u64::from(ceiling.others);
            with.push((found.path.file_stem().unwrap().to_string_lossy().into_owned(), share));
        }
    }
    assert!(maps > 100, "{maps}");
    let wanted = [("dread", 96), ("fy_findndestroy", 99), ("dz_county", 86)];
    assert_eq!(with, wanted.map(|(map, share)| (map.to_owned(), share)));
}
