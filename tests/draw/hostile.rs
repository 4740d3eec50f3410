//! Coordinates that are no places, pages of odd sizes, names that want out.

use super::{caption, hills, pixels, png, svg};
use navmap::draw::{Caption, ColourBy, DrawOptions, Layers, Picture};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Mark, MarkKind, MarkShape, Point, Shape};
use navmap_testkit::work::Work;

fn whole(graph: &FlatGraph, options: &DrawOptions) {
    let picture = Picture::new(graph, &caption("odd"), options);
    let text = svg(&picture);
    assert!(!text.contains("NaN") && !text.contains("inf"), "no number that is none");
    resvg::usvg::Tree::from_str(&text, &resvg::usvg::Options::default()).unwrap();
    let (width, height, _) = pixels(&png(&picture));
    assert_eq!([width, height], picture.size());
}

#[test]
fn coordinates_that_are_no_places_leave_a_picture() {
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e30, -1e30, 1e-40, 0.0];
    for a in odd {
        for b in odd {
            let mut graph = hills(2);
            let corners = [Point::new(a, b, 0.0), Point::new(b, 1.0, a), Point::new(0.0, a, b)];
            let node = graph.add_node(9, Shape::Polygon(&corners));
            let point = graph.add_node(10, Shape::Point { at: corners[0], radius: Some(b) });
            graph.add_link(Link {
                path: Some([corners[0], corners[1]]),
                ..Link::new(node, point, LinkKind::Jump)
            });
            graph.add_link(Link {
                portal: Some([corners[0], corners[1]]),
                ..Link::new(point, 0, LinkKind::Walk)
            });
            for kind in MarkKind::ALL {
                let shape = MarkShape::Box(corners[1], corners[2]);
                graph.add_mark(Mark { kind, node: Some(node), shape });
            }
            let options = DrawOptions { width: 100, layers: Layers::named("all"), ..DrawOptions::default() };
            whole(&graph, &options);
        }
    }
}

#[test]
fn pages_of_any_size_and_views_of_anywhere_are_whole() {
    let graph = hills(6);
    let base = DrawOptions { width: 64, ..DrawOptions::default() };
    let areas = [[0.0, 0.0, 1e-30, 1e-30], [1e30, 1e30, 2e30, 2e30], [-1.0, 5.0, 9.0, -7.0]];
    for area in areas {
        whole(&graph, &DrawOptions { area: Some(area), ..base.clone() });
    }
    for (width, height) in [(64, 64), (64, 3_000), (3_000, 64), (0, 0)] {
        whole(&graph, &DrawOptions { width, height: Some(height), ..base.clone() });
        whole(&graph, &DrawOptions { width, height: Some(height), fit: true, ..base.clone() });
    }
    whole(&graph, &DrawOptions { floor: Some([f32::INFINITY, f32::NEG_INFINITY]), ..base.clone() });
    whole(&FlatGraph::new("area", Axes::z_up(0.0)), &base);
    whole(&FlatGraph::new("face", Axes::y_up(f32::NAN)), &base);
}

#[test]
fn links_to_nodes_that_are_not_there_are_not_drawn() {
    let mut graph = hills(2);
    graph.add_link(Link::new(0, 4_000_000_000, LinkKind::Teleport));
    graph.add_link(Link::new(4_000_000_000, 0, LinkKind::Teleport));
    let options = DrawOptions {
        width: 200,
        layers: Layers::named("all"),
        colour: Some(ColourBy::Island),
        ..DrawOptions::default()
    };
    whole(&graph, &options);
}

#[test]
fn links_in_any_order_are_told_from_one_way_links() {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    for x in [0.0, 100.0, 200.0] {
        let square = [[0.0, 0.0], [90.0, 0.0], [90.0, 90.0], [0.0, 90.0]];
        graph.add_node(0, Shape::Polygon(&square.map(|[u, v]| Point::new(x + u, v, 0.0))));
    }
    for (from, to) in [(2, 0), (0, 2), (1, 0)] {
        graph.add_link(Link::new(from, to, LinkKind::Walk));
    }
    let options = DrawOptions { layers: Layers::named("one-way"), ..DrawOptions::default() };
    let text = svg(&Picture::new(&graph, &caption("odd"), &options));
    let (_, key) = text.split_once(">walk, one way</text>").unwrap();
    assert_eq!(key.split_once("</text>").unwrap().0.rsplit('>').next(), Some("1"));
}

#[test]
fn a_long_name_that_every_node_has_is_not_told_in_full_of_each() {
    let mut graph = hills(10);
    graph.name_place(1, "\u{e9}".repeat(60_000));
    assert!(graph.nodes().iter().filter(|node| node.place == Some(1)).count() > 20);
    let text = svg(&Picture::new(&graph, &caption("odd"), &DrawOptions::default()));
    assert!(text.contains(&format!(", {}, ", "\u{e9}".repeat(80))) && text.len() < 200_000, "{}", text.len());
}

#[test]
fn names_cannot_leave_their_place() {
    let mut graph = hills(3);
    let name = "</title><script>alert(1)</script>\u{1b}[2J\u{0}";
    graph.name_place(1, name);
    let caption =
        Caption { title: name.into(), subtitle: name.into(), error: Some(name.into()), origin: name.into() };
    let options = DrawOptions { colour: Some(ColourBy::Place), ..DrawOptions::default() };
    let text = svg(&Picture::new(&graph, &caption, &options));
    assert!(!text.contains("<script") && !text.contains('\u{1b}') && !text.contains('\u{0}'));
    resvg::usvg::Tree::from_str(&text, &resvg::usvg::Options::default()).unwrap();
}

/// Squares of one place, each a storey above the one before.
fn storeys(count: u32, side: f32) -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    for storey in 0..count {
        let corner = |x, y| Point::new(x, y, storey as f32 * 130.0);
        let corners = [corner(0.0, 0.0), corner(side, 0.0), corner(side, side), corner(0.0, side)];
        graph.add_node(storey.into(), Shape::Polygon(&corners));
    }
    graph
}

#[test]
fn storeys_by_the_thousand_are_no_picture_of_pixels() {
    let options = DrawOptions { width: 800, ..DrawOptions::default() };
    let of = |graph: &FlatGraph| {
        let (mut svg, mut png) = (Vec::new(), Vec::new());
        let picture = Picture::new(graph, &caption("storeys"), &options);
        picture.write_svg(&mut svg).unwrap();
        picture.write_png(&mut png).map(|()| png.len()).map_err(|error| error.to_string())
    };
    // A skyscraper is one.
    assert!(of(&storeys(60, 500.0)).is_ok());
    let refused = of(&storeys(20_000, 500.0)).unwrap_err();
    // 24 times the page, and 64 MiB: `docs/limits.md`.
    let mut svg = Vec::new();
    Picture::new(&storeys(20_000, 500.0), &caption("storeys"), &options).write_svg(&mut svg).unwrap();
    let text = String::from_utf8(svg).unwrap();
    let page = text.split("viewBox=\"0 0 ").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let page: f32 = page.split(' ').map(|side| side.parse::<f32>().unwrap()).product();
    let limit = format!(" is over the limit of {}", 24 * page as u64 + (64 << 20));
    assert!(
        refused.contains("pixels painted over each other: ") && refused.contains(&limit),
        "{refused} {limit}"
    );
    // As many beside each other are.
    let mut beside = FlatGraph::new("area", Axes::z_up(0.0254));
    for at in 0..20_000_u32 {
        let [x, y] = [at % 140, at / 140].map(|at| at as f32 * 60.0);
        let corners = [[x, y], [x + 50.0, y], [x + 50.0, y + 50.0], [x, y + 50.0]];
        beside.add_node(at.into(), Shape::Polygon(&corners.map(|[x, y]| Point::new(x, y, (at % 97) as f32))));
    }
    assert!(of(&beside).is_ok());
}

/// Edges that cross each other in every row take longer than what they cover, and lines of a pixel longer than wide ones.
#[test]
fn stars_by_the_dozen_are_no_picture_of_pixels() {
    let png = |stars: u32, corners: u32, width: u32| {
        let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
        let corner = |at: u32| {
            let turn = f64::from(at * (corners / 2) % corners) / f64::from(corners) * std::f64::consts::TAU;
            Point::new((turn.cos() * 500.0) as f32, (turn.sin() * 500.0) as f32, 0.0)
        };
        let star: Vec<Point> = (0..corners).map(corner).collect();
        for id in 0..stars {
            graph.add_node(id.into(), Shape::Polygon(&star));
        }
        let options = DrawOptions { width, ..DrawOptions::default() };
        let mut png = Vec::new();
        let drawn = Picture::new(&graph, &caption("stars"), &options).write_png(&mut png);
        drawn.map_err(|error| error.to_string())
    };
    assert_eq!(png(3, 2_047, 240), Ok(()));
    // More corners are not filled.
    assert_eq!(png(1, 2_049, 240), Ok(()));
    // The rows that edges cross are most of the second, the corners of the third: half as many are drawn.
    for (stars, corners, width) in [(40, 2_047, 480), (70, 301, 480), (40, 2_047, 60), (1, 80_001, 480)] {
        assert!(stars == 1 || png(stars / 2, corners, width.min(120)).is_ok(), "{stars} of {corners}");
        let refused = png(stars, corners, width).expect_err(&format!("{stars} of {corners}"));
        assert!(refused.contains("pixels painted over each other: "), "{stars} of {corners}: {refused}");
    }
}

/// The cells of a page are gone through for each place, so places by the thousand over each other have fewer of them.
#[test]
fn places_by_the_thousand_over_each_other_take_little_longer_than_none() {
    let mut graph = storeys(6_000, 500.0);
    for place in 0..6_000 {
        graph.nodes_mut()[place as usize].place = Some(place);
        graph.name_place(place, format!("p{place}"));
    }
    let took = |layers: Layers| {
        let options = DrawOptions { width: 1600, layers: Some(layers), ..DrawOptions::default() };
        let work = Work::start();
        let written = svg(&Picture::new(&graph, &caption("places"), &options));
        (work.time(), written.len())
    };
    let without = took(Layers::NONE).0.max(took(Layers::NONE).0);
    let with = took(Layers::NAMES).0.min(took(Layers::NAMES).0);
    assert!(with < 12 * without, "{with:?} {without:?}");
}
