//! What lies over what: floors, points on them, changes under them, heads of arrows, names of ends, and a key that is whole.

use super::{caption, png, svg};
use navmap::draw::{Classes, ColourBy, DrawOptions, Heat, HeatBy, Layers, Picture, Trail};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Point, Shape};
use std::sync::Arc;

fn square(graph: &mut FlatGraph, id: u64, [x, y, z]: [f32; 3], side: f32) {
    let corners = [[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
    graph.add_node(id, Shape::Polygon(&corners.map(|[x, y]| Point::new(x, y, z))));
}

/// Two squares on the ground, and a roof over the second, 300 units up.
fn house() -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    square(&mut graph, 1, [0.0, 0.0, 0.0], 100.0);
    square(&mut graph, 2, [200.0, 0.0, 0.0], 100.0);
    square(&mut graph, 3, [180.0, -20.0, 300.0], 140.0);
    graph
}

fn drawn(graph: &FlatGraph, options: DrawOptions) -> String {
    let picture = Picture::new(graph, &caption("floors"), &DrawOptions { width: 900, ..options });
    assert!(png(&picture).starts_with(b"\x89PNG"));
    svg(&picture)
}

fn words(svg: &str) -> Vec<&str> {
    svg.split("</text>").filter_map(|text| text.rsplit_once('>').map(|(_, words)| words)).collect()
}

/// Figures filled with a colour of this opacity.
fn filled(svg: &str, opacity: &str) -> usize {
    let class = |name: &str| svg.split_once(&format!(".{name}{{"))?.1.split_once('}').map(|(style, _)| style);
    let figures = svg.split("<path class=\"").skip(1).filter_map(|path| {
        let (name, rest) = path.split_once('"')?;
        let fill = class(name)?.strip_prefix("fill:")?.split(';').next()?;
        let d = rest.split_once("d=\"")?.1.split_once('"')?.0;
        (fill.len() == 9 && fill.ends_with(opacity)).then(|| d.matches('M').count())
    });
    figures.sum()
}

#[test]
fn a_floor_shows_the_points_on_it_and_no_others() {
    let graph = house();
    // Seven under the roof and on open ground, nine on the roof.
    let at = |node: usize| graph.shape(&graph.nodes()[node]).center().unwrap();
    let points = [vec![at(0); 4], vec![at(1); 3], vec![at(2); 9]].concat();
    let of = [vec![Some(0); 4], vec![Some(1); 3], vec![Some(2); 9]].concat();
    let heat =
        |by| Some(Arc::new(Heat { points: points.clone(), by, title: "kills".into(), ..Heat::default() }));
    for (by, whole, ground) in [
        (HeatBy::Area(of.clone()), ["9", "0"], ["4", "0"]),
        // Of the roof's square, nine lie over three.
        (HeatBy::Cell(50.0), ["12", "0"], ["4", "0"]),
    ] {
        for (floor, most) in [(None, whole), (Some([-10.0, 10.0]), ground)] {
            let svg = drawn(&graph, DrawOptions { heat: heat(by.clone()), floor, ..DrawOptions::default() });
            let words = words(&svg);
            let title = words.iter().position(|words| *words == "kills").unwrap();
            assert_eq!(words[title + 1..title + 3], most, "{by:?} on {floor:?}");
        }
    }
    let dots = |floor| {
        let options = DrawOptions { heat: heat(HeatBy::Point), floor, ..DrawOptions::default() };
        // One of them is that of the key.
        filled(&drawn(&graph, options), "d9") - 1
    };
    assert_eq!([dots(None), dots(Some([-10.0, 10.0])), dots(Some([290.0, 310.0]))], [16, 7, 9]);
    let ways = |floor| {
        let heat = Heat {
            points: vec![at(0), at(1), at(2), at(2)],
            by: HeatBy::Track(vec![0; 4]),
            title: "time".into(),
            ..Heat::default()
        };
        let svg = drawn(&graph, DrawOptions { heat: Some(Arc::new(heat)), floor, ..DrawOptions::default() });
        words(&svg).contains(&"start")
    };
    assert_eq!([ways(None), ways(Some([-10.0, 10.0])), ways(Some([290.0, 310.0]))], [true, true, false]);
}

#[test]
fn a_change_under_a_roof_is_drawn_over_it() {
    let graph = house();
    let classes = |of: Vec<Option<u32>>| {
        let names = vec!["removed".to_owned()];
        let classes = Classes { title: "changes".into(), names, without: "as before".into(), of };
        DrawOptions { colour: Some(ColourBy::Classes(classes)), ..DrawOptions::default() }
    };
    // 0.45 of 255.
    let over = |of| filled(&drawn(&graph, classes(of)), "73");
    assert_eq!(over(vec![None, Some(0), None]), 1, "what the roof hides");
    assert_eq!(over(vec![Some(0), None, Some(0)]), 0, "what nothing hides, and the roof itself");
    assert_eq!(over(vec![None; 3]), 0);
}

#[test]
fn heads_of_jumps_between_waypoints_are_clear_of_the_dots() {
    let mut graph = FlatGraph::new("node", Axes::z_up(0.0254));
    for (id, x) in [(1, 0.0), (2, 1000.0)] {
        graph.add_node(id, Shape::Point { at: Point::new(x, 0.0, 0.0), radius: None });
    }
    graph.add_link(Link::new(0, 1, LinkKind::Jump));
    let svg = drawn(&graph, DrawOptions { layers: Layers::named("traversals"), ..DrawOptions::default() });
    // The head is the only triangle in the colour of a jump.
    let class = svg.split("<style>").nth(1).unwrap();
    let class = class.split_once("{fill:#d26103").unwrap().0.rsplit_once('.').unwrap().1;
    let d = svg.split(&format!("<path class=\"{class}\"")).nth(1).unwrap();
    let d = d.split_once("d=\"M").unwrap().1.split_once('l').unwrap().0;
    let tip: Vec<f32> = d.split(' ').map(|number| number.parse().unwrap()).collect();
    let dots: Vec<f32> = svg
        .split("d=\"M")
        .filter(|path| path.contains("a3.") || path.contains("a2."))
        .filter_map(|path| path.split(' ').next()?.parse().ok())
        .collect();
    let nearest = dots.iter().map(|dot| (dot - tip[0]).abs()).fold(f32::INFINITY, f32::min);
    assert!(nearest > 1.0, "the tip at {tip:?} is clear of the dots at {dots:?}");
}

#[test]
fn names_of_ends_stand_neither_on_dots_nor_on_each_other() {
    let graph = house();
    let ends = |count: u16| Trail {
        ends: (0..count).map(|n| (Point::new(f32::from(n) * 9.0, 50.0, 0.0), format!("#{n} end"))).collect(),
        ends_are: [String::new(), "chosen".to_owned()],
        passed: vec![vec![Point::new(0.0, 0.0, 0.0), Point::new(99.0, 0.0, 0.0), Point::new(0.0, 99.0, 0.0)]],
        ..Trail::default()
    };
    let drawn = |count| {
        let options = DrawOptions { width: 900, ..DrawOptions::default() };
        svg(&Picture::with_trails(&graph, &caption("ends"), &options, &[ends(count)]))
    };
    let few = drawn(3);
    let last_dot = few.rfind("a4.").or_else(|| few.rfind("a5.")).unwrap();
    let first_name = few.find("#0 end").unwrap();
    assert!(few[..first_name].contains("a4.") || few[..first_name].contains("a5."));
    let key = few.find(">chosen<").expect("the key says what is marked");
    assert!(last_dot < first_name || last_dot > key - 400, "dots first, then names");
    let many = drawn(40);
    assert!(many.contains(">chosen<"), "with or without dots");
    let dots = |svg: &str| svg.matches("a4.4 4.4 0 1 0 8.8").count();
    assert_eq!([dots(&few), dots(&many)], [3, 0], "so many would hide what is marked");
}

#[test]
fn the_key_is_whole_on_a_page_as_high_as_the_mesh_needs() {
    // A map as wide as it can be, with a class for each of eighteen nodes and links of every kind.
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    for n in 0u16..18 {
        square(&mut graph, n.into(), [f32::from(n) * 400.0, 0.0, 0.0], 50.0);
    }
    for (n, kind) in (0u32..).zip(LinkKind::ALL) {
        graph.add_link(Link::new(n, n + 1, kind));
    }
    let names: Vec<String> =
        (0..18).map(|n| format!("class number {n} with a long name that breaks")).collect();
    let classes =
        Classes { title: "classes".into(), names, without: "none".into(), of: (0..18).map(Some).collect() };
    let options = |height| DrawOptions {
        colour: Some(ColourBy::Classes(classes.clone())),
        layers: Layers::named("all"),
        height,
        ..DrawOptions::default()
    };
    let whole = drawn(&graph, options(None));
    assert!(!words(&whole).iter().any(|words| words.starts_with("and ")), "nothing is cut");
    assert!(words(&whole).contains(&"islands"), "and the facts stand below it");
    for height in [200, 300, 420, 600, 900] {
        let svg = drawn(&graph, options(Some(height)));
        let at = svg.split("<text ").skip(1).filter_map(|text| {
            let number =
                |name: &str| text.split_once(&format!("{name}=\""))?.1.split('"').next()?.parse::<f32>().ok();
            Some([number("x")?, number("y")?])
        });
        let mut column: Vec<f32> = at.filter(|[x, _]| *x > 700.0 && *x < 730.0).map(|[_, y]| y).collect();
        column.sort_unstable_by(f32::total_cmp);
        assert!(column.windows(2).all(|pair| pair[1] - pair[0] > 8.0), "at {height}: {column:?}");
        assert!(column.last().is_none_or(|last| *last < height as f32), "at {height}: {column:?}");
    }
}

#[test]
fn the_page_holds_the_ground_around_a_waypoint() {
    let mut graph = FlatGraph::new("node", Axes::z_up(0.0254));
    graph.add_node(1, Shape::Point { at: Point::new(0.0, 0.0, 0.0), radius: Some(64.0) });
    let svg = drawn(&graph, DrawOptions { layers: Layers::named("grid"), ..DrawOptions::default() });
    let numbers: Vec<&str> = words(&svg);
    assert!(
        ["\u{2212}60", "60"].iter().all(|end| numbers.contains(end)),
        "the grid goes beyond the circle: {numbers:?}"
    );
    // A radius that no ground has leaves the rest of the mesh on the page.
    for wild in [1e9, f32::MAX] {
        let mut graph = FlatGraph::new("node", Axes::z_up(0.0254));
        for (id, x, radius) in [(1, 0.0, wild), (2, 1_000.0, 64.0)] {
            graph.add_node(id, Shape::Point { at: Point::new(x, 0.0, 0.0), radius: Some(radius) });
        }
        let svg = drawn(&graph, DrawOptions { layers: Layers::named("grid"), ..DrawOptions::default() });
        assert!(["200", "400", "1000"].iter().all(|number| words(&svg).contains(number)), "{wild}: {svg}");
    }
}
