//! Points over a mesh: what is counted where, and what colours say of it.

use super::{caption, load, png, svg};
use navmap::draw::{DrawOptions, Heat, HeatBy, Picture, Scale};
use navmap::graph::{FlatGraph, NavGraph, Point};
use navmap_testkit::corpus::bundled;
use std::sync::Arc;

fn town() -> FlatGraph {
    load(&bundled().join("source/town.nav"))
}

fn drawn(graph: &FlatGraph, heat: Heat) -> String {
    let options = DrawOptions { width: 900, heat: Some(Arc::new(heat)), ..DrawOptions::default() };
    let picture = Picture::new(graph, &caption("town"), &options);
    assert!(png(&picture).starts_with(b"\x89PNG"));
    svg(&picture)
}

fn center(graph: &FlatGraph, node: usize) -> Point {
    graph.shape(&graph.nodes()[node]).center().unwrap()
}

/// Whether something is filled with a colour, whatever its opacity. The ramp of the key has neither of its two ends.
fn has(svg: &str, colour: &str) -> bool {
    svg.contains(&format!("fill:{colour}"))
}

const LOWEST: &str = "#440154";
const HIGHEST: &str = "#fde725";

#[test]
fn nodes_have_the_colour_of_the_points_in_them() {
    let graph = town();
    let points = [vec![center(&graph, 0); 9], vec![center(&graph, 1); 3]].concat();
    let of = [vec![Some(0); 9], vec![Some(1); 3]].concat();
    let heat = Heat { points, by: HeatBy::Area(of.clone()), title: "kills".into(), ..Heat::default() };
    let svg = drawn(&graph, heat.clone());
    assert!(
        svg.contains(">kills<") && svg.contains(">9<") && svg.contains(">0<"),
        "the key says from where to where"
    );
    let values = Some([vec![0.0; 9], vec![5.0; 3]].concat());
    let svg = drawn(&graph, Heat { values, ..heat.clone() });
    assert!(svg.contains(">15<") && svg != drawn(&graph, heat.clone()), "0 is a value too");
    // A position of no node, and one short.
    let odd = Heat { by: HeatBy::Area(vec![Some(u32::MAX), None]), ..heat };
    assert!(!drawn(&graph, odd).contains(">kills<"));
}

#[test]
fn cells_count_the_points_in_them() {
    let graph = town();
    let at = center(&graph, 0);
    let points = vec![at, at, at, Point::new(at.x + 300.0, at.y, at.z)];
    let heat = Heat { points, by: HeatBy::Cell(100.0), title: "deaths".into(), ..Heat::default() };
    let svg = drawn(&graph, heat.clone());
    assert!(svg.contains(">deaths<") && svg.contains(">3<"));
    // The ends are where they are put, and what is beyond has their colour.
    let clipped =
        drawn(&graph, Heat { scale: Scale { clip: Some([0.0, 2.0]), ..Scale::default() }, ..heat.clone() });
    assert!(clipped.contains(">\u{2265} 2<"), "more than the end is said");
    let log = drawn(&graph, Heat { scale: Scale { log: true, clip: None }, ..heat });
    assert!(log.contains(">1<") && log.contains(">3<") && log.contains(">deaths<"));
}

#[test]
fn a_density_is_highest_where_most_points_are_and_sums_to_their_number() {
    let graph = town();
    let (one, two) = (center(&graph, 0), center(&graph, graph.nodes().len() - 1));
    let points = [vec![one; 50], vec![two; 10]].concat();
    let heat = Heat { points, by: HeatBy::Density(60.0), title: "density".into(), ..Heat::default() };
    let svg = drawn(&graph, heat.clone());
    assert!(svg.contains(">density<") && has(&svg, HIGHEST));
    // The peak of a normal distribution of 50 points with a deviation of 60 units.
    let peak = 50.0 / (2.0 * std::f32::consts::PI * 60.0 * 60.0);
    let said: Vec<f32> = svg
        .split('>')
        .filter_map(|text| text.split('<').next()?.trim_start_matches('\u{2265}').trim().parse().ok())
        .filter(|value: &f32| *value > 0.0 && *value < 0.1)
        .collect();
    let most = said.iter().copied().fold(0.0, f32::max);
    assert!((most - peak).abs() < peak * 0.15, "{most} for {peak}: {said:?}");
}

#[test]
fn dots_lie_where_points_are_and_have_the_colour_of_their_values() {
    let graph = town();
    let points: Vec<Point> = (0..3).map(|node| center(&graph, node)).collect();
    let bare = drawn(&graph, Heat { points: points.clone(), ..Heat::default() });
    let plain = svg(&Picture::new(
        &graph,
        &caption("town"),
        &DrawOptions { width: 900, colour: Some(navmap::draw::ColourBy::Plain), ..DrawOptions::default() },
    ));
    assert!(bare.len() > plain.len());
    let heat = Heat { points, values: Some(vec![0.0, 5.0, 10.0]), title: "speed".into(), ..Heat::default() };
    let svg = drawn(&graph, heat);
    assert!(svg.contains(">speed<") && svg.contains(">10<") && svg.contains(">4<"));
    assert!(has(&svg, LOWEST) && has(&svg, HIGHEST));
}

#[test]
fn points_and_values_of_any_kind_make_a_picture() {
    let graph = town();
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38, 0.0, 1e-40];
    let points: Vec<Point> = odd.iter().flat_map(|x| odd.map(|y| Point::new(*x, y, 0.0))).collect();
    let values: Vec<f32> = (0..points.len()).map(|at| odd[at % odd.len()]).collect();
    let lengths = [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30, 1e30, 50.0];
    let kinds = lengths.iter().flat_map(|length| [HeatBy::Cell(*length), HeatBy::Density(*length)]);
    let kinds = kinds.chain([HeatBy::Point, HeatBy::Area(vec![Some(0); 5])]);
    let clips = [None, Some([0.0, 0.0]), Some([f32::NAN, 1.0]), Some([-1e38, 1e38]), Some([1e-30, 1e30])];
    for by in kinds {
        for (log, clip) in [false, true].into_iter().flat_map(|log| clips.map(|clip| (log, clip))) {
            for values in [None, Some(values.clone()), Some(vec![1.0])] {
                let scale = Scale { log, clip };
                let heat =
                    Heat { points: points.clone(), values, by: by.clone(), scale, title: String::new() };
                let options =
                    DrawOptions { width: 300, heat: Some(Arc::new(heat)), ..DrawOptions::default() };
                assert!(svg(&Picture::new(&graph, &caption("odd"), &options)).ends_with("</svg>\n"));
            }
        }
    }
    let empty = FlatGraph::new("area", graph.axes());
    let heat = Heat { points, by: HeatBy::Density(10.0), ..Heat::default() };
    assert!(drawn(&empty, heat).contains("no areas"));
}
