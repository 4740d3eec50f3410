//! Links over a mesh: what they are called, which fade, which are left out.

use super::{caption, load, png, svg};
use navmap::draw::{ColourBy, DrawOptions, Layers, Picture};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, NavGraph, Passage, Point, Shape};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::bundled;

/// The colour of a jump.
const JUMP: &str = "stroke:#d26103";

/// Squares of 50 units beside each other, without links.
fn field(side: u16) -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.019_05));
    for node in 0..side * side {
        let [x, y] = [node % side, node / side].map(|at| f32::from(at) * 50.0);
        let corners = [[0.0, 0.0], [50.0, 0.0], [50.0, 50.0], [0.0, 50.0]];
        let corners = corners.map(|[u, v]| Point::new(x + u, y + v, 0.0));
        graph.add_node(node.into(), Shape::Polygon(&corners));
    }
    graph
}

fn drawn(graph: &FlatGraph, layers: Option<Layers>) -> String {
    let options = DrawOptions {
        width: 900,
        height: Some(1_400),
        colour: Some(ColourBy::Plain),
        layers,
        ..DrawOptions::default()
    };
    let picture = Picture::new(graph, &caption("links"), &options);
    assert!(png(&picture).starts_with(b"\x89PNG"));
    svg(&picture)
}

/// The number beside an entry of the key that begins like this.
fn counted(svg: &str, name: &str) -> usize {
    let (_, rest) = svg.split_once(&format!(">{name}")).unwrap_or_else(|| panic!("no entry {name}"));
    let (_, number) = rest.split_once("text-anchor=\"end\">").unwrap();
    number.split_once('<').unwrap().0.parse().unwrap()
}

#[test]
fn long_jumps_fade_where_there_are_so_many_that_they_hide_the_map() {
    let mut graph = field(20);
    let mut rng = Rng(9);
    let mut node = || rng.f32(0.0, 399.9) as u32;
    for _ in 0..600 {
        graph.add_link(Link::new(node(), node(), LinkKind::Jump));
    }
    // Steps beside them.
    for from in 0..100 {
        graph.add_link(Link::new(from, from + 20, LinkKind::Jump));
    }
    let many = drawn(&graph, None);
    assert_eq!(counted(&many, "jump, faint"), 700, "one entry counts them all");
    for opacity in [";", "8c;", "4d;", "29;"] {
        assert!(many.contains(&format!("{JUMP}{opacity}")), "some are drawn with {opacity}");
    }
    let mut few = field(20);
    graph.links().iter().take(150).for_each(|link| few.add_link(link));
    let few = drawn(&few, None);
    assert_eq!(counted(&few, "jump<"), 150);
    assert!(few.contains(&format!("{JUMP};")) && !few.contains(&format!("{JUMP}29;")));
    // Many short ones hide nothing.
    let mut short = field(20);
    (0..380).for_each(|from| short.add_link(Link::new(from, from + 20, LinkKind::Drop)));
    assert!(!drawn(&short, None).contains("faint"));
}

#[test]
fn links_have_the_words_of_their_format() {
    let mut graph = field(3);
    for (number, to) in (0..).zip([1, 2, 3, 4, 5, 6]) {
        let passage = Passage { number: Some(number), ..Passage::NONE };
        graph.add_link(Link { passage, ..Link::new(0, to, LinkKind::Jump) });
    }
    (0..3).for_each(|number| graph.name_link(number, "barrier jump"));
    (3..5).for_each(|number| graph.name_link(number, "water jump"));
    assert_eq!(graph.link_name(&graph.links().get(4).unwrap()), Some("water jump"));
    let copy = FlatGraph::of(&graph).whole().unwrap();
    for graph in [&graph, &copy] {
        let drawn = drawn(graph, None);
        let counts = ["barrier jump<", "water jump<", "jump<"].map(|name| counted(&drawn, name));
        assert_eq!(counts, [3, 2, 1]);
        // They share the colour of jumps: what is most frequent is a line, others have dashes.
        let jump = format!("{JUMP};");
        let styles = drawn.split(jump.as_str()).skip(1);
        let styles: Vec<&str> = styles.filter_map(|rest| rest.split('}').next()).collect();
        let dashed = styles.iter().filter(|style| style.contains("stroke-dasharray")).count();
        assert_eq!((styles.len(), dashed), (3, 2), "{styles:?}");
    }
}

#[test]
fn reachabilities_are_named() {
    let graph = load(&bundled().join("aas/v5.aas"));
    let drawn = drawn(&graph, Layers::named("links"));
    for (name, count) in [
        ("barrier jump<", 1),
        ("jump<", 1),
        ("water jump<", 1),
        ("walk off ledge<", 2),
        ("jump pad<", 1),
        ("rocket jump<", 1),
        ("teleport<", 1),
    ] {
        assert_eq!(counted(&drawn, name), count, "{name}");
    }
    assert!(!drawn.contains(">drop<") && !drawn.contains(">push<"));
}

#[test]
fn a_kind_of_link_can_be_left_out() {
    let mut graph = field(3);
    graph.add_link(Link::new(0, 4, LinkKind::Jump));
    graph.add_link(Link::new(4, 0, LinkKind::Drop));
    let usual = Layers::usual(&graph, &ColourBy::Plain);
    let all = drawn(&graph, None);
    assert_eq!((counted(&all, "jump<"), counted(&all, "drop<")), (1, 1));
    let without = Layers::named("no-jump").unwrap();
    assert_eq!(without, Layers::without(LinkKind::Jump));
    let fewer = drawn(&graph, Some(usual.with(without)));
    assert!(counted(&fewer, "drop<") == 1 && !fewer.contains(">jump<"));
    for kind in LinkKind::ALL {
        let layer = Layers::named(&format!("no-{kind}")).unwrap();
        assert!(
            !layer.shows(kind)
                && usual.shows(kind)
                && !Layers::NAMED.iter().any(|(_, known)| layer.has(*known))
        );
        assert_eq!(LinkKind::ALL.iter().filter(|other| !layer.shows(**other)).count(), 1);
    }
    assert_eq!((Layers::named("no-mood"), Layers::named("no-")), (None, None));
}
