//! Points over a mesh: what is counted where, and what colours say of it.

use super::{caption, load, png, svg};
use navmap::draw::{Colouring, Dots, DrawOptions, Heat, HeatBy, Picture, Scale, Sheet, Theme};
use navmap::graph::{Axes, FlatGraph, NavGraph, Point, Shape};
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
const MIDDLE: &str = "#21918c";
const HIGHEST: &str = "#fde725";
/// A node without a value.
const PLAIN: &str = "#b9b7b0";

/// A row of flat squares, each 100 units wide, so far from the origin that its axes have no small numbers.
fn floor() -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    for node in 0u16..4 {
        let (left, right) = (10_000.0 + f32::from(node) * 100.0, 10_100.0 + f32::from(node) * 100.0);
        let square = [[left, 10_000.0], [right, 10_000.0], [right, 10_100.0], [left, 10_100.0]];
        graph.add_node(node.into(), Shape::Polygon(&square.map(|[x, y]| Point::new(x, y, 0.0))));
    }
    graph
}

/// What a picture fills: the colour, the middle of what it fills, and the tooltip.
fn filled(svg: &str) -> Vec<(String, [f32; 2], Option<String>)> {
    let class = |name: &str| svg.split_once(&format!(".{name}{{"))?.1.split_once('}').map(|(style, _)| style);
    let number = |text: &str| text.parse::<f32>().unwrap();
    let mut filled = Vec::new();
    for path in svg.split("<path class=\"").skip(1) {
        let (name, rest) = path.split_once('"').unwrap();
        let Some(fill) = class(name).and_then(|style| style.strip_prefix("fill:")) else { continue };
        let fill = fill.split(';').next().unwrap();
        let (d, rest) = rest.split_once("d=\"").unwrap().1.split_once('"').unwrap();
        let tip = rest.strip_prefix("><title>").and_then(|rest| rest.split_once("</title>"));
        for figure in d.split('M').skip(1) {
            let end = figure.find(|c: char| c.is_ascii_lowercase()).unwrap();
            let (x, y) = figure[..end].split_once(' ').unwrap();
            let start = [number(x), number(y)];
            let middle = match figure[end..].strip_prefix('a') {
                // Two arcs, and it begins left of the middle.
                Some(arcs) => [start[0] + number(arcs.split(' ').next().unwrap()), start[1]],
                None => {
                    let steps = figure[end + 1..].trim_end_matches('z').replace('-', " -");
                    let steps: Vec<f32> = steps.split_whitespace().map(number).collect();
                    let (mut at, mut low, mut high) = (start, start, start);
                    for step in steps.chunks(2) {
                        at = [at[0] + step[0], at[1] + step[1]];
                        low = [low[0].min(at[0]), low[1].min(at[1])];
                        high = [high[0].max(at[0]), high[1].max(at[1])];
                    }
                    [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0]
                }
            };
            filled.push((fill.to_owned(), middle, tip.map(|(tip, _)| tip.to_owned())));
        }
    }
    filled
}

/// The colours of the nodes of the floor, by their tooltips, and where they lie.
fn squares(svg: &str) -> Vec<(String, [f32; 2])> {
    let filled = filled(svg);
    let of = |node: u32| {
        let tip = Some(format!("area #{node}, height 0"));
        let (fill, middle, _) = filled.iter().find(|(.., own)| *own == tip).unwrap();
        (fill.clone(), *middle)
    };
    (0..4).map(of).collect()
}

/// What lies over squares of the floor: a colour with an opacity, and the square that it lies in the middle of. What lies in the
/// key is left out.
fn over(svg: &str, opacity: &str) -> Vec<(String, usize)> {
    let squares = squares(svg);
    let near = |a: [f32; 2], b: [f32; 2]| (a[0] - b[0]).abs() < 0.2 && (a[1] - b[1]).abs() < 0.2;
    let over = filled(svg).into_iter().filter(|(fill, ..)| fill.len() == 9 && fill.ends_with(opacity));
    let over = over.filter(|(_, at, _)| at[0] < 900.0 * 0.75);
    over.map(|(fill, at, _)| (fill, squares.iter().position(|(_, middle)| near(at, *middle)).unwrap()))
        .collect()
}

/// The numbers of a key, from below its title on.
fn key(svg: &str, title: &str) -> Vec<String> {
    let words: Vec<&str> =
        svg.split("</text>").filter_map(|text| text.rsplit_once('>').map(|(_, words)| words)).collect();
    let start = words.iter().position(|words| *words == title).expect("the key has its title");
    let numbers = words[start + 1..].iter().take_while(|words| words.ends_with(|c: char| c.is_ascii_digit()));
    numbers.map(|words| (*words).to_owned()).collect()
}

#[test]
fn nodes_have_the_colour_of_the_points_in_them() {
    let graph = floor();
    let points = [vec![center(&graph, 0); 8], vec![center(&graph, 1); 4]].concat();
    let of = [vec![Some(0); 8], vec![Some(1); 4]].concat();
    let heat = Heat { points, by: HeatBy::Area(of), title: "kills".into(), ..Heat::default() };
    let colours = |svg: &str| squares(svg).into_iter().map(|(fill, _)| fill).collect::<Vec<_>>();
    let svg = drawn(&graph, heat.clone());
    assert_eq!(key(&svg, "kills")[..2], ["8", "0"], "the key says from where to where");
    assert_eq!(colours(&svg), [HIGHEST, MIDDLE, PLAIN, PLAIN]);
    let values = Some([vec![0.0; 8], vec![5.0; 4]].concat());
    let svg = drawn(&graph, Heat { values, ..heat.clone() });
    assert_eq!(key(&svg, "kills")[..2], ["20", "0"]);
    assert_eq!(colours(&svg), [LOWEST, HIGHEST, PLAIN, PLAIN], "0 is a value too");
    // A position of no node, and one short.
    let odd = Heat { by: HeatBy::Area(vec![Some(u32::MAX), None]), ..heat };
    let svg = drawn(&graph, odd);
    assert!(!svg.contains(">kills<"));
    assert_eq!(colours(&svg), [PLAIN; 4]);
}

#[test]
fn cells_count_the_points_in_them() {
    let graph = floor();
    let points = [vec![center(&graph, 0); 4], vec![center(&graph, 2); 2]].concat();
    let heat = Heat { points, by: HeatBy::Cell(100.0), title: "deaths".into(), ..Heat::default() };
    // Cells are those of the squares, and an empty one has no colour.
    let cells = |svg: &str| over(svg, "cc");
    let cell = |colour: &str, square: usize| (format!("{colour}cc"), square);
    let svg = drawn(&graph, heat.clone());
    assert_eq!(key(&svg, "deaths")[..2], ["4", "0"]);
    assert_eq!(cells(&svg), [cell(MIDDLE, 2), cell(HIGHEST, 0)]);
    // The ends are where they are put, and what is beyond has their colour.
    let clip = Scale { clip: Some([1.0, 3.0]), ..Scale::default() };
    let svg = drawn(&graph, Heat { scale: clip, ..heat.clone() });
    assert_eq!(key(&svg, "deaths")[..2], ["\u{2265} 3", "1"], "more than the end is said");
    assert_eq!(cells(&svg), [cell(MIDDLE, 2), cell(HIGHEST, 0)]);
    let open = Scale { clip: Some([f64::NEG_INFINITY, 3.0]), ..Scale::default() };
    assert_eq!(key(&drawn(&graph, Heat { scale: open, ..heat.clone() }), "deaths")[..2], ["\u{2265} 3", "0"]);
    // By ratios, from the least that there is: 0 is none.
    let svg = drawn(&graph, Heat { scale: Scale { log: true, clip: None }, ..heat });
    let numbers = key(&svg, "deaths");
    assert!(numbers[..2] == ["4", "2"] && !numbers.contains(&"0".to_owned()), "{numbers:?}");
    assert_eq!(cells(&svg), [cell(LOWEST, 2), cell(HIGHEST, 0)]);
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
    let graph = floor();
    let points: Vec<Point> = (0..3).map(|node| center(&graph, node)).collect();
    let svg = drawn(&graph, Heat { points: points.clone(), ..Heat::default() });
    let dots = over(&svg, "d9");
    assert_eq!(dots.iter().map(|(_, square)| *square).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(dots.windows(2).all(|pair| pair[0].0 == pair[1].0), "without values all are alike: {dots:?}");
    assert!([LOWEST, HIGHEST].iter().all(|end| !dots[0].0.starts_with(end)), "and of no colour of the ramp");
    let titled = Heat { points: points.clone(), title: "deaths".into(), ..Heat::default() };
    let words: Vec<String> = texts(&drawn(&graph, titled)).into_iter().map(|(_, words)| words).collect();
    let entry = words.iter().position(|words| words == "deaths").expect("the key says what a dot is");
    assert_eq!(words[entry + 1], "3", "and how many there are");
    let heat = Heat { points, values: Some(vec![0.0, 10.0, 5.0]), title: "speed".into(), ..Heat::default() };
    let svg = drawn(&graph, heat);
    assert_eq!(key(&svg, "speed")[..6], ["10", "0", "2", "4", "6", "8"]);
    let dot = |colour: &str, square: usize| (format!("{colour}d9"), square);
    // The highest lies on top.
    assert_eq!(over(&svg, "d9"), [dot(LOWEST, 0), dot(MIDDLE, 2), dot(HIGHEST, 1)]);
}

/// The colours of lines, with how many each has, in drawing order.
fn lines(svg: &str) -> Vec<(String, usize)> {
    let class = |name: &str| svg.split_once(&format!(".{name}{{"))?.1.split_once('}').map(|(style, _)| style);
    let paths = svg.split("<path class=\"").skip(1).filter_map(|path| {
        let (name, rest) = path.split_once('"')?;
        let stroke = class(name)?.split(';').find_map(|part| part.strip_prefix("stroke:"))?;
        let d = rest.split_once("d=\"")?.1.split_once('"')?.0;
        Some((stroke.to_owned(), d.matches('M').count()))
    });
    paths.collect()
}

#[test]
fn tracks_are_joined_in_time_and_coloured_by_it() {
    let graph = floor();
    let points = vec![center(&graph, 2), center(&graph, 0), center(&graph, 1), center(&graph, 3)];
    let heat = Heat {
        points,
        values: Some(vec![30.0, 10.0, 20.0, 25.0]),
        by: HeatBy::Track(vec![0, 0, 0, 1]),
        title: "tick".into(),
        ..Heat::default()
    };
    let svg = drawn(&graph, heat.clone());
    assert_eq!(key(&svg, "tick")[..2], ["30", "10"], "time begins where the first point is");
    let of = |colour: &str| {
        lines(&svg).into_iter().filter(|(own, _)| own == colour).map(|(_, n)| n).sum::<usize>()
    };
    assert_eq!((of(MIDDLE), of(HIGHEST), of(LOWEST)), (1, 1, 0), "a line at 20 and one at 30");
    // All of one: the point at 25 comes between.
    let svg = drawn(&graph, Heat { by: HeatBy::Track(vec![0; 4]), ..heat.clone() });
    let whole: usize =
        lines(&svg).iter().filter(|(own, _)| own == HIGHEST || own == MIDDLE).map(|(_, n)| n).sum();
    assert_eq!(whole, 2);
    // Fewer numbers than points.
    assert!(drawn(&graph, Heat { by: HeatBy::Track(vec![]), ..heat }).ends_with("</svg>\n"));
}

/// Seconds since 1970, of which a float of 32 bits knows every 128th.
#[test]
fn times_keep_their_seconds() {
    let graph = floor();
    let points = vec![center(&graph, 0), center(&graph, 1), center(&graph, 2)];
    let values = Some(vec![1_700_000_000.0, 1_700_000_005.0, 1_700_000_010.0]);
    let by = HeatBy::Track(vec![0; 3]);
    let svg = drawn(&graph, Heat { points, values, by, title: "time".into(), ..Heat::default() });
    assert_eq!(key(&svg, "time")[..3], ["1,700,000,010", "1,700,000,000", "1,700,000,002"]);
    let count =
        |colour: &str| lines(&svg).iter().filter(|(own, _)| own == colour).map(|(_, n)| n).sum::<usize>();
    assert_eq!((count(MIDDLE), count(HIGHEST)), (1, 1));
}

#[test]
fn panels_have_their_own_points_and_one_scale() {
    let graph = floor();
    let points = [vec![center(&graph, 0); 2], vec![center(&graph, 1); 8]].concat();
    let of = [vec![Some(0); 2], vec![Some(1); 8]].concat();
    let heat = Heat { points, by: HeatBy::Area(of), title: "kills".into(), ..Heat::default() };
    let split = heat.split(&[vec![0; 2], vec![1; 7], vec![9]].concat(), 2);
    assert_eq!(split.iter().map(|heat| heat.points.len()).collect::<Vec<_>>(), [2, 7]);
    let panels = split.into_iter().zip(["first", "second"]).map(|(heat, name)| (name.to_owned(), heat));
    let options = DrawOptions { width: 900, ..DrawOptions::default() };
    let page = Sheet::panels(&graph, &caption("floor"), &options, Some(2), panels.collect());
    assert!((880..=901).contains(&page.size()[0]), "{:?}", page.size());
    let mut svg = Vec::new();
    page.write_svg(&mut svg).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    assert_eq!(svg.matches(">kills 0 to 7<").count(), 3, "the key, and below each panel");
    assert!(svg.contains(">first<") && svg.contains(">second<") && !svg.contains("on each map"));
    let none = Sheet::panels(&graph, &caption("floor"), &options, None, Vec::new());
    assert!(none.size()[0] > 0);
}

#[test]
fn points_and_values_of_any_kind_make_a_picture() {
    let graph = town();
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38, 0.0, 1e-40];
    let points: Vec<Point> = odd.iter().flat_map(|x| odd.map(|y| Point::new(*x, y, 0.0))).collect();
    let mut odd = odd.map(f64::from);
    odd[3..5].copy_from_slice(&[1e308, -1e308]);
    let values: Vec<f64> = (0..points.len()).map(|at| odd[at % odd.len()]).collect();
    let lengths = [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30, 1e30, 50.0];
    let kinds = lengths.iter().flat_map(|length| [HeatBy::Cell(*length), HeatBy::Density(*length)]);
    let kinds = kinds.chain([HeatBy::Point, HeatBy::Area(vec![Some(0); 5]), HeatBy::Track(vec![0, 1, 0, 7])]);
    let clips = [None, Some([0.0, 0.0]), Some([f64::NAN, 1.0]), Some([-1e308, 1e308]), Some([1e-30, 1e30])];
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

/// Another renderer shows the colours of a picture: of dots, and of nodes by the points in them.
#[test]
fn dots_and_nodes_have_one_table_of_colours() {
    let graph = floor();
    let hex = |[r, g, b]: [u8; 3]| format!("#{r:02x}{g:02x}{b:02x}");
    let points: Vec<Point> = (0..3).map(|node| center(&graph, node)).collect();
    let heat = Heat { points, values: Some(vec![0.0, 2.0, 4.0]), ..Heat::default() };
    let dots = Dots::of(&heat).unwrap();
    let ramp = dots.ramp.unwrap();
    assert_eq!((ramp.low, ramp.high, dots.dots.len()), (0.0, 4.0, 3));
    let inks: Vec<String> = dots.dots.iter().map(|(_, ink)| hex(ink.unwrap())).collect();
    assert_eq!(inks, [LOWEST, MIDDLE, HIGHEST]);
    let svg = drawn(&graph, heat.clone());
    assert!(inks.iter().all(|ink| has(&svg, ink)), "{inks:?}");
    assert!(Colouring::of_heat(&heat, 4, Theme::Light).is_none());
    // Without values, and of points that are nowhere.
    let counted = Heat { points: vec![center(&graph, 0), Point::new(f32::NAN, 0.0, 0.0)], ..Heat::default() };
    assert_eq!(Dots::of(&counted).unwrap().dots, [(center(&graph, 0), None)]);
    // By node.
    let by = HeatBy::Area(vec![Some(0), Some(1), Some(1)]);
    let heat = Heat { by, ..heat };
    assert!(Dots::of(&heat).is_none());
    let colouring = Colouring::of_heat(&heat, 4, Theme::Light).unwrap();
    let ink = |node: usize| hex(colouring.inks[colouring.classes[node] as usize]);
    assert_eq!([ink(0), ink(1), ink(2), ink(3)], [LOWEST, HIGHEST, PLAIN, PLAIN]);
}

/// The places and words of a picture's texts.
fn texts(svg: &str) -> Vec<([f32; 2], String)> {
    let texts = svg.split("<text").skip(1).filter_map(|text| {
        let (head, rest) = text.split_once('>')?;
        let number = |name: &str| head.split_once(&format!(" {name}=\""))?.1.split('"').next()?.parse().ok();
        Some(([number("x")?, number("y")?], rest.split('<').next()?.to_owned()))
    });
    texts.collect()
}

#[test]
fn heights_beyond_the_ramp_are_told_clear_of_the_number_at_its_end() {
    // Heights of 0 to 1000, so that numbers stand at both ends, and one square far above and one far below.
    let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
    for node in 0u16..400 {
        let z = match node {
            0 => -90_000.0,
            399 => 90_000.0,
            1..20 => 0.0,
            380..399 => 1000.0,
            node => f32::from(node),
        };
        let (x, y) = (f32::from(node % 20) * 100.0, f32::from(node / 20) * 100.0);
        let square = [[x, y], [x + 100.0, y], [x + 100.0, y + 100.0], [x, y + 100.0]];
        graph.add_node(node.into(), Shape::Polygon(&square.map(|[x, y]| Point::new(x, y, z))));
    }
    let svg = svg(&Picture::new(
        &graph,
        &caption("heights"),
        &DrawOptions { width: 900, ..DrawOptions::default() },
    ));
    let texts = texts(&svg);
    for sign in ['\u{2265}', '\u{2264}'] {
        let (at, words) =
            texts.iter().find(|(_, words)| words.starts_with(sign)).expect("what is beyond is told");
        let near = texts.iter().filter(|(other, text)| other[0] == at[0] && text != words);
        let least = near.map(|(other, _)| (other[1] - at[1]).abs()).fold(f32::INFINITY, f32::min);
        assert!((12.0..40.0).contains(&least), "{words} is {least} from the number at the end: {texts:?}");
    }
}
