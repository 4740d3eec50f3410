//! The neutral layer against slow and simple answers.

use navmap::graph::{
    Aabb, Axes, Csr, FlatGraph, Islands, Link, LinkKind, Mark, MarkKind, MarkShape, NavGraph, Point, Shape,
    Stats,
};
use navmap_testkit::bytes::Rng;

// Scanning brings every family.
mod ceiling;
#[cfg(feature = "archive")]
mod cost;
#[cfg(all(feature = "archive", feature = "draw"))]
mod exhaust;
#[cfg(all(feature = "archive", feature = "draw"))]
mod families;
mod naive;

/// A random graph: sparse enough to have many islands, with loops, repetitions and links to the outside.
fn random(rng: &mut Rng, nodes: u64, links: u64) -> FlatGraph {
    let mut graph = FlatGraph::new("node", Axes::z_up(1.0));
    for id in 0..nodes {
        let at = Point::new(rng.f32(-10.0, 10.0), rng.f32(-10.0, 10.0), 0.0);
        graph.add_node(id, Shape::Point { at, radius: None });
    }
    let mut froms: Vec<u32> = (0..links).map(|_| rng.below(nodes) as u32).collect();
    froms.sort_unstable();
    for from in froms {
        let kind = LinkKind::ALL[rng.below(13) as usize];
        match rng.below(12) {
            0 => graph.add_link(Link::outside(from, kind)),
            _ => graph.add_link(Link::new(from, rng.below(nodes) as u32, kind)),
        }
    }
    graph
}

#[test]
fn islands_are_those_of_a_naive_union_find() {
    let mut rng = Rng(7);
    for round in 0..300 {
        let nodes = 1 + rng.below(60);
        let links = rng.below(80);
        let graph = random(&mut rng, nodes, links);
        let csr = Csr::of(&graph).whole().unwrap();
        let links: Vec<(u32, u32)> = csr.iter().map(|(from, to, _)| (from, to)).collect();
        let weak = Islands::weak(&csr);
        let labels: Vec<u32> = (0..nodes as u32).map(|node| weak.of(node).unwrap()).collect();
        naive::assert_same_partition(&labels, &naive::weak(nodes as usize, &links), round);
        let strong = Islands::strong(&csr);
        let labels: Vec<u32> = (0..nodes as u32).map(|node| strong.of(node).unwrap()).collect();
        naive::assert_same_partition(&labels, &naive::strong(nodes as usize, &links), round);
        for islands in [&weak, &strong] {
            assert_eq!(islands.sizes().iter().map(|&n| u64::from(n)).sum::<u64>(), nodes);
            assert!(islands.sizes().is_sorted_by(|a, b| a >= b), "the largest comes first");
        }
    }
}

#[test]
fn counts_are_those_of_a_naive_look_at_every_pair() {
    let mut rng = Rng(21);
    for _ in 0..200 {
        let (nodes, wanted) = (1 + rng.below(40), rng.below(120));
        let graph = random(&mut rng, nodes, wanted);
        let inside: Vec<(u32, u32)> = graph.links().iter().filter_map(|l| Some((l.from, l.to?))).collect();
        let stats = Stats::of(&graph).whole().unwrap();
        assert_eq!((stats.nodes, stats.links), (nodes, inside.len() as u64));
        assert_eq!(stats.outside, wanted - inside.len() as u64);
        assert_eq!(stats.kinds.iter().map(|(_, n)| n).sum::<u64>(), wanted);
        let one_way = inside.iter().filter(|(a, b)| !inside.contains(&(*b, *a))).count();
        assert_eq!(stats.one_way_links, one_way as u64);
        let count = |want: fn(bool, bool) -> bool| {
            (0..nodes as u32)
                .filter(|n| want(inside.iter().any(|l| l.1 == *n), inside.iter().any(|l| l.0 == *n)))
                .count() as u64
        };
        assert_eq!(stats.isolated, count(|reached, leaves| !reached && !leaves));
        assert_eq!(stats.unreachable, count(|reached, leaves| !reached && leaves));
        assert_eq!(stats.dead_ends, count(|reached, leaves| reached && !leaves));
        assert_eq!(stats.area_m2, None, "points have no area");
    }
}

#[test]
fn a_chain_of_a_million_nodes_needs_no_recursion() {
    let mut graph = FlatGraph::new("node", Axes::z_up(1.0));
    let nodes = 1_000_000;
    for id in 0..nodes {
        graph.add_node(id.into(), Shape::NONE);
    }
    for node in 1..nodes {
        graph.add_link(Link::new(node - 1, node, LinkKind::Walk));
    }
    graph.add_link(Link::new(nodes - 1, 0, LinkKind::Walk));
    let csr = Csr::of(&graph).whole().unwrap();
    assert_eq!((Islands::weak(&csr).len(), Islands::strong(&csr).len()), (1, 1));
}

#[test]
fn area_and_bounds_are_in_metres_and_file_units() {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.5));
    let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]].map(|[x, y]| Point::new(x, y, 1.0));
    graph.add_node(1, Shape::Polygon(&square));
    graph.add_node(2, Shape::Polygon(&[Point::new(f32::NAN, 0.0, 0.0); 3]));
    let stats = Stats::of(&graph).whole().unwrap();
    assert_eq!(stats.area_m2, Some(4.0));
    assert_eq!(stats.bounds, Some(Aabb { min: square[0], max: square[2] }));
    let mut text = Vec::new();
    stats.write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains("area                4 m2")
            && text.contains("islands             2 (the largest has 1 area"),
        "{text}"
    );
}

#[test]
fn a_copy_is_the_graph_it_was_made_of() {
    let mut graph = random(&mut Rng(3), 20, 40);
    graph.set_group_word("cell");
    graph.name_place(2, "Middle");
    graph.name_flag(9, "WATER");
    graph.nodes_mut()[4].place = Some(2);
    graph.nodes_mut()[5].group = Some(77);
    graph.add_mark(Mark { kind: MarkKind::Door, node: Some(4), shape: MarkShape::Point(Point::default()) });
    let copy = FlatGraph::of(&graph).whole().unwrap();
    assert_eq!((copy.nodes(), copy.links(), copy.marks()), (graph.nodes(), graph.links(), graph.marks()));
    assert_eq!(copy.place(2).as_deref(), Some("Middle"));
    assert_eq!(copy.group(77).as_deref(), Some("cell 77"), "what has no name has a number");
    assert_eq!((copy.flag(9), copy.flag(10), copy.flag(64)), (Some("WATER"), None, None));
}

#[test]
fn what_is_kept_keeps_its_links_and_the_rest_is_outside() {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    for id in 0..4 {
        graph.add_node(id, Shape::Point { at: Point::new(id as f32, 0.0, 0.0), radius: None });
        graph.add_mark(Mark {
            kind: MarkKind::Cover,
            node: Some(id as u32),
            shape: MarkShape::Point(Point::default()),
        });
    }
    for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 1)] {
        graph.add_link(Link::new(from, to, LinkKind::Walk));
    }
    graph.retain(|node| node.id != 2);
    assert_eq!(graph.bounds().max.x, 3.0);
    let mut near = graph.clone();
    near.retain(|node| node.id < 2);
    assert_eq!(near.bounds().max.x, 1.0, "the box is that of what was kept");
    let links: Vec<_> = graph.links().iter().map(|link| (link.from, link.to)).collect();
    assert_eq!(links, [(0, Some(1)), (1, None), (2, Some(1))]);
    assert_eq!(graph.nodes().iter().map(|n| n.id).collect::<Vec<_>>(), [0, 1, 3]);
    assert_eq!(graph.marks().iter().map(|m| m.node).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    assert_eq!(graph.corners(&graph.nodes()[2]), [Point::new(3.0, 0.0, 0.0)]);
}
