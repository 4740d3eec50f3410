//! Values that a file tells of nodes, as colours.

use super::{caption, load, png, svg};
use navmap::draw::{ColourBy, DrawOptions, Grid, Picture, Sheet, Thumbnail, Trail};
use navmap::graph::{Axes, FlatGraph, NavGraph, Point, Shape};
use navmap_testkit::corpus::bundled;

const LOWEST: &str = "#440154";
const HIGHEST: &str = "#fde725";
/// A node without a value.
const PLAIN: &str = "#b9b7b0";

/// Waypoints with these values.
fn points(values: &[f32]) -> FlatGraph {
    let mut graph = FlatGraph::new("node", Axes::y_up(1.0));
    for (node, _) in (0u16..).zip(values) {
        let at = Point::new(f32::from(node), 0.0, f32::from(node % 2));
        graph.add_node(node.into(), Shape::Point { at, radius: None });
    }
    graph.add_value("cover", values.to_vec());
    graph
}

fn drawn(graph: &FlatGraph, colour: Option<ColourBy>) -> String {
    let options = DrawOptions { width: 900, colour, ..DrawOptions::default() };
    let picture = Picture::new(graph, &caption("grid"), &options);
    assert!(png(&picture).starts_with(b"\x89PNG"));
    svg(&picture)
}

#[test]
fn nodes_have_the_colours_of_their_values() {
    let graph = points(&[0.0, 7.5, 15.0, f32::NAN]);
    let colour = ColourBy::named("COVER", &graph);
    assert_eq!(colour, Some(ColourBy::Value(0)));
    let drawn = drawn(&graph, colour);
    for words in [">cover<", ">0<", ">15<"] {
        assert!(drawn.contains(words), "the key has {words}");
    }
    for colour in [LOWEST, HIGHEST, PLAIN] {
        assert!(drawn.contains(&format!("fill:{colour}")), "a node is {colour}");
    }
}

#[test]
fn only_a_value_that_a_node_has_tells_nodes_apart() {
    let mut graph = points(&[1.0, 2.0]);
    assert_eq!(graph.add_value("light", vec![f32::NAN; 2]), 1);
    assert_eq!(ColourBy::named("light", &graph), Some(ColourBy::Value(1)));
    let tells = |number| ColourBy::Value(number).tells(&graph);
    assert_eq!([0, 1, 9].map(tells), [true, false, false]);
    assert_eq!(ColourBy::named("mood", &graph), None);
    assert!(!drawn(&graph, Some(ColourBy::Value(9))).contains(">value<"));
}

#[test]
fn values_go_with_their_nodes() {
    let mut graph = points(&[3.0, 5.0, 8.0]);
    graph.retain(|node| node.id != 1);
    let copy = FlatGraph::of(&graph).whole().unwrap();
    assert_eq!(copy.value_names().collect::<Vec<_>>(), ["cover"]);
    for graph in [&graph, &copy] {
        assert_eq!([0, 1, 2].map(|node| graph.value_of(0, node)), [Some(3.0), Some(8.0), None]);
    }
}

#[test]
fn values_of_any_kind_make_a_picture() {
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38, 0.0, 1e-40];
    for number in 1..=odd.len() {
        for values in [&odd[..number], &odd[number - 1..]] {
            let mut graph = points(values);
            // One that ends early.
            let short = graph.add_value("short", values[1..].to_vec());
            for value in [0, short] {
                assert!(drawn(&graph, Some(ColourBy::Value(value))).ends_with("</svg>\n"), "{values:?}");
            }
        }
    }
}

#[test]
fn a_sheet_says_how_far_values_go_on_each_map() {
    let graph = points(&[0.0, 15.0]);
    let options = DrawOptions { colour: Some(ColourBy::Value(0)), ..DrawOptions::default() };
    let thumbnail = Thumbnail::new(&graph, &caption("grid"), 320, &options);
    let pages = Sheet::pages("grids", Grid::default(), &options, vec![thumbnail]);
    let mut out = Vec::new();
    pages[0].write_svg(&mut out).unwrap();
    let sheet = String::from_utf8(out).unwrap();
    assert!(sheet.contains(">cover 0 to 15<") && sheet.contains(">low to high on each map<"));
}

#[test]
fn the_light_of_areas_is_a_value_from_version_11_on() {
    let town = load(&bundled().join("source/town.nav"));
    let colour = ColourBy::named("light", &town);
    assert!(colour.as_ref().is_some_and(|colour| colour.tells(&town)));
    assert!(drawn(&town, colour).contains(">light<"));
    let old = load(&bundled().join("source/v10.nav"));
    assert_eq!((old.value_name(0), ColourBy::named("light", &old)), (None, None));
}

#[test]
fn a_name_without_room_beside_its_point_is_left_away() {
    let graph = points(&[0.5, 0.5, 0.5]);
    let at = Point::new(1.0, 0.0, 0.5);
    let ends = (0..9).map(|end| (at, format!("end {end}")));
    let trail = Trail { ends: ends.collect(), ..Trail::default() };
    let text = svg(&Picture::with_trails(&graph, &caption("ends"), &DrawOptions::default(), &[trail]));
    let named: Vec<usize> = (0..9).filter(|end| text.contains(&format!(">end {end}<"))).collect();
    assert_eq!(named, [0, 1, 2], "the rest would stand far below the point");
}
