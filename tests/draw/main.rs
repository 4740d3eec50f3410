//! Pictures: the same on every machine, the same in both formats, whole for whatever a file holds.
#![cfg(all(feature = "draw", feature = "source", feature = "quake", feature = "fox", feature = "skyrim"))]
#![cfg(all(feature = "detour", feature = "aas", feature = "yapb"))]

mod floors;
mod heat;
mod hostile;
mod links;
mod sheets;
mod values;

use navmap::draw::{Caption, ColourBy, DrawOptions, Grid, Layers, Picture, Sheet, Theme, Thumbnail, Trail};
use navmap::format::{AnyNav, ParseOptions};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, NavGraph, Point, Shape};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, real};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn load(path: &Path) -> FlatGraph {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    AnyNav::parse(&bytes, Some(path), &ParseOptions::default()).unwrap().flat_graph().value
}

fn svg(picture: &Picture) -> String {
    let mut out = Vec::new();
    picture.write_svg(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn png(picture: &Picture) -> Vec<u8> {
    let mut out = Vec::new();
    picture.write_png(&mut out).unwrap();
    out
}

/// Width, height, and pixels as red, green, blue.
fn pixels(png: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (info.width, info.height, pixels)
}

fn caption(title: &str) -> Caption {
    Caption { title: title.to_owned(), subtitle: "bundled".to_owned(), ..Caption::default() }
}

/// One picture of every family, each of another kind.
fn gallery() -> Vec<(&'static str, PathBuf, DrawOptions)> {
    let all = |names: &[&str]| {
        let named = names.iter().map(|name| Layers::named(name).unwrap());
        Some(named.fold(Layers::NONE, Layers::with))
    };
    let small = DrawOptions { width: 900, ..DrawOptions::default() };
    let file = |name: &str| bundled().join(name);
    vec![
        ("source-height", file("source/town.nav"), DrawOptions { layers: all(&["all"]), ..small.clone() }),
        (
            "source-place",
            file("source/town.nav"),
            DrawOptions { colour: Some(ColourBy::Place), ..small.clone() },
        ),
        ("quake-dark", file("quake/nav3-v6.nav"), DrawOptions { theme: Theme::Dark, ..small.clone() }),
        (
            "fox-segment",
            file("fox/standalone.nav2"),
            DrawOptions { colour: Some(ColourBy::Group), ..small.clone() },
        ),
        (
            "skyrim-flags",
            file("skyrim/nvnm/v12.nvnm"),
            DrawOptions {
                colour: Some(ColourBy::Flags),
                layers: all(&["cover", "doors", "ids"]),
                ..small.clone()
            },
        ),
        (
            "aas-cluster",
            file("aas/v5.aas"),
            DrawOptions { colour: Some(ColourBy::Group), layers: all(&["all"]), ..small.clone() },
        ),
        ("detour-height", file("detour/set.navmesh"), DrawOptions { layers: all(&["all"]), ..small.clone() }),
        ("yapb-flags", file("yapb/v2.graph"), DrawOptions { colour: Some(ColourBy::Flags), ..small }),
    ]
}

#[test]
fn pictures_are_those_that_were_looked_at() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/draw/golden");
    let bless = std::env::var_os("NAVMAP_BLESS").is_some();
    for (name, path, options) in gallery() {
        let drawn = svg(&Picture::new(&load(&path), &caption(name), &options));
        let golden = folder.join(format!("{name}.svg"));
        if bless {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&golden, &drawn).unwrap();
        }
        let kept = std::fs::read_to_string(&golden).unwrap_or_default();
        // Not assert_eq: nobody reads two whole pictures.
        let line = drawn.lines().zip(kept.lines()).position(|(a, b)| a != b);
        let again = "look at the picture, then run with NAVMAP_BLESS=1";
        assert!(drawn == kept, "{name}.svg is another picture from line {line:?} on: {again}");
    }
}

#[test]
fn both_formats_show_the_same() {
    for (name, path, options) in gallery() {
        // Letters differ: SVG leaves them to the viewer's fonts.
        let layers = Layers::LINKS.with(Layers::TRAVERSALS).with(Layers::SPOTS).with(Layers::COVER);
        let options = DrawOptions { width: 1400, layers: Some(layers), ..options };
        let graph = load(&path);
        let picture = Picture::new(&graph, &Caption::default(), &options);
        let (width, height, ours) = pixels(&png(&picture));
        assert_eq!([width, height], picture.size());
        let tree = resvg::usvg::Tree::from_str(&svg(&picture), &resvg::usvg::Options::default()).unwrap();
        let mut page = resvg::tiny_skia::Pixmap::new(width, height).unwrap();
        resvg::render(&tree, resvg::tiny_skia::Transform::identity(), &mut page.as_mut());
        let theirs: Vec<u8> = page.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
        // The map alone: key and title hold words.
        let (mut sum, mut far, mut count) = (0u64, 0u64, 0u64);
        for y in 95..height as usize - 60 {
            for x in 70..1140 {
                let at = (y * width as usize + x) * 3;
                let apart: u64 = ours[at..at + 3]
                    .iter()
                    .zip(&theirs[at..at + 3])
                    .map(|(a, b)| u64::from(a.abs_diff(*b)))
                    .sum();
                (sum, far, count) = (sum + apart, far + u64::from(apart > 120), count + 1);
            }
        }
        let (mean, far) = (sum as f64 / count as f64 / 3.0, far as f64 / count as f64);
        assert!(
            mean < 1.5 && far < 0.01,
            "{name}: {mean:.2} apart on average, {:.2} % far apart",
            far * 100.0
        );
    }
}

/// A town of `side` times `side` areas on gentle hills.
fn hills(side: u32) -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(0.019_05));
    let mut rng = Rng(5);
    let heights: Vec<f32> = (0..=side * side + 2 * side + 1).map(|_| rng.f32(0.0, 60.0)).collect();
    let height = |x: u32, y: u32| heights[(y * (side + 1) + x) as usize] + 400.0 * (x as f32 / 20.0).sin();
    for y in 0..side {
        for x in 0..side {
            let corner =
                |dx, dy| Point::new((x + dx) as f32 * 50.0, (y + dy) as f32 * 50.0, height(x + dx, y + dy));
            let corners = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let node = graph.add_node((y * side + x).into(), Shape::Polygon(&corners));
            graph.nodes_mut()[node as usize].place = Some(1 + (x / 10 + y / 10 * 7) % 30);
        }
    }
    for node in 0..side * side {
        for (near, next) in [(node % side + 1 < side, node + 1), (node + side < side * side, node + side)] {
            if near {
                graph.add_link(Link::new(node, next, LinkKind::Walk));
                graph.add_link(Link::new(next, node, LinkKind::Drop));
            }
        }
    }
    graph
}

#[test]
fn a_picture_of_twenty_thousand_areas_stays_under_ten_megabytes() {
    let graph = hills(142);
    assert!(graph.nodes().len() > 20_000);
    for options in [
        DrawOptions::default(),
        DrawOptions { colour: Some(ColourBy::Place), layers: Layers::named("all"), ..DrawOptions::default() },
    ] {
        let bytes = svg(&Picture::new(&graph, &caption("hills"), &options)).len();
        assert!(bytes < 10 << 20, "{bytes}");
    }
}

#[test]
fn a_floor_shows_what_is_on_it_and_the_rest_faintly() {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    for (id, z) in [(1u64, 0.0), (2, 50.0), (3, 100.0)] {
        let square = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)].map(|(x, y)| Point::new(x, y, z));
        graph.add_node(id, Shape::Polygon(&square));
    }
    // Stairs: floors that nothing joins would hide each other.
    graph.add_link(Link::new(0, 1, LinkKind::Walk));
    graph.add_link(Link::new(1, 2, LinkKind::Walk));
    let text = |floor| {
        svg(&Picture::new(&graph, &caption("tower"), &DrawOptions { floor, ..DrawOptions::default() }))
    };
    let shown =
        |text: &str| (1..=3).filter(|id| text.contains(&format!("<title>area #{id},"))).collect::<Vec<_>>();
    assert_eq!(shown(&text(None)), [1, 2, 3]);
    assert_eq!(shown(&text(Some([40.0, 60.0]))), [2]);
    assert_eq!(shown(&text(Some([f32::NEG_INFINITY, 60.0]))), [1, 2]);
    let order: Vec<usize> =
        (1..=3).map(|id| text(None).find(&format!("<title>area #{id},")).unwrap()).collect();
    assert!(order.is_sorted(), "low to high");
}

#[test]
fn a_ceiling_that_is_most_of_the_mesh_is_drawn_and_the_key_says_so() {
    // Four areas below, and many above them.
    let mut graph = hills(2);
    let above = |at: u32| {
        let (x, y) = (f32::from(at as u16 % 8) * 50.0 - 50.0, f32::from(at as u16 / 8) * 50.0 - 50.0);
        [(x, y), (x + 50.0, y), (x + 50.0, y + 50.0), (x, y + 50.0)]
    };
    for at in 0..64 {
        let id = u64::from(900 + at);
        graph.add_node(id, Shape::Polygon(&above(at).map(|(x, y)| Point::new(x, y, 9_000.0))));
    }
    for node in 4..67 {
        graph.add_link(Link::new(node, node + 1, LinkKind::Walk));
    }
    let text = svg(&Picture::new(&graph, &caption("most"), &DrawOptions::default()));
    assert!(text.contains("<title>area #900,"), "it is drawn");
    assert!(!text.contains(">ceiling over") && text.contains(">not lifted, most of it<"));
}

#[test]
fn a_picture_of_two_meshes_counts_one_of_them() {
    let (graph, one) = (hills(8), hills(3));
    let counted = Some(navmap::graph::Stats::of(&one).value);
    let text = |counted| {
        svg(&Picture::new(&graph, &caption("both"), &DrawOptions { counted, ..DrawOptions::default() }))
    };
    assert!(text(None).contains(">64<") && !text(None).contains(">9<"));
    assert!(text(counted.clone()).contains(">9<") && !text(counted).contains(">64<"));
}

#[test]
fn a_ceiling_is_an_outline_that_the_key_names() {
    let mut graph = hills(8);
    let sky = [(-50.0, -50.0), (450.0, -50.0), (450.0, 450.0), (-50.0, 450.0)];
    for _ in 0..6 {
        graph.add_node(900, Shape::Polygon(&sky.map(|(x, y)| Point::new(x, y, 9_000.0))));
    }
    for pair in 64..69 {
        graph.add_link(Link::new(pair, pair + 1, LinkKind::Walk));
    }
    let text = |layers| {
        svg(&Picture::new(
            &graph,
            &caption("sky"),
            &DrawOptions { layers: Some(layers), ..DrawOptions::default() },
        ))
    };
    let hidden = text(Layers::NONE);
    assert!(hidden.contains(">ceiling over 100 %<") && !hidden.contains("<title>area #900,"));
    assert!(hidden.contains("<title>area #63,"), "what lies below is drawn");
    let shown = text(Layers::named("ceilings").unwrap());
    assert!(!shown.contains(">ceiling over") && shown.contains("<title>area #900,"));
    assert!(!Layers::named("all").unwrap().has(Layers::CEILINGS), "they hide the map");
}

#[test]
fn colours_are_named_as_the_mesh_names_things() {
    let mut graph = hills(4);
    graph.name_flag(3, "NO_JUMP");
    graph.set_group_word("segment");
    let named = |name| ColourBy::named(name, &graph);
    assert_eq!(named("height"), Some(ColourBy::Height));
    assert_eq!((named("segment"), named("group")), (Some(ColourBy::Group), Some(ColourBy::Group)));
    assert_eq!((named("no_jump"), named("hull")), (Some(ColourBy::Chosen(vec![Some(3)])), None));
    let colour = named("NO_JUMP");
    graph.nodes_mut()[5].flags = 8;
    let options = DrawOptions { colour, ..DrawOptions::default() };
    let text = svg(&Picture::new(&graph, &caption("flags"), &options));
    assert!(text.contains(">no_jump<") && text.contains(">without<"), "the key tells both");
    graph.name_flag(5, "STAIRS");
    graph.nodes_mut()[6].flags = 8 | 32;
    let colour = ColourBy::named("stairs, no_jump", &graph);
    assert_eq!(colour, Some(ColourBy::Chosen(vec![Some(5), Some(3)])));
    assert_eq!(ColourBy::named("stairs,hull", &graph), None);
    assert_eq!(ColourBy::of_sheet("hull,stairs", &graph), Some(ColourBy::Chosen(vec![None, Some(5)])));
    assert_eq!(ColourBy::of_sheet("hull,mood", &graph), None);
    let text =
        svg(&Picture::new(&graph, &caption("flags"), &DrawOptions { colour, ..DrawOptions::default() }));
    let count = |name: &str| {
        let after = text.split_once(&format!(">{name}</text>")).unwrap().1;
        after.split_once("</text>").unwrap().0.rsplit('>').next().unwrap().to_owned()
    };
    assert_eq!([count("stairs"), count("no_jump"), count("without")], ["1", "1", "14"]);
    assert!(text.contains(">flag, the first named<"), "a node has both");
}

#[test]
fn islands_apart_from_the_largest_stand_out() {
    let mut graph = hills(5);
    let square = [(900.0, 0.0), (990.0, 0.0), (990.0, 90.0)].map(|(x, y)| Point::new(x, y, 0.0));
    graph.add_node(77, Shape::Polygon(&square));
    let options = DrawOptions { colour: Some(ColourBy::Island), ..DrawOptions::default() };
    let text = svg(&Picture::new(&graph, &caption("islands"), &options));
    assert!(text.contains(">2 islands<") && text.contains(">island 2<"));
}

#[test]
fn what_the_key_has_no_room_for_is_counted() {
    let bytes = std::fs::read(bundled().join("quake/nav2-v17.nav")).unwrap();
    let nav = AnyNav::parse(&bytes, None, &ParseOptions::default()).unwrap();
    let graph = nav.flat_graph().value;
    let key = |height: u32| {
        let options = DrawOptions { width: 1_400, height: Some(height), ..DrawOptions::default() };
        svg(&Picture::new(&graph, &caption("key"), &options))
    };
    let (low, high) = (key(440), key(1_400));
    let kinds = ["walk", "walk, one way", "jump", "drop", "elevator", "train", "push", "teleport", "entity"];
    // And shades.
    let kinds: Vec<&str> = kinds.into_iter().chain(["under another floor", "free around a point"]).collect();
    let shown = |text: &str| kinds.iter().filter(|kind| text.contains(&format!(">{kind}<"))).count();
    assert!(shown(&high) == kinds.len() && !high.contains(">and "), "{}", shown(&high));
    let told = format!(">and {} more<", kinds.len() - shown(&low));
    assert!(shown(&low) < kinds.len() && low.contains(&told), "{} shown", shown(&low));
}

#[test]
fn the_key_names_shades_the_ends_of_answers_and_where_north_is() {
    let mut graph = hills(4);
    let roof = [(0.0, 0.0), (90.0, 0.0), (90.0, 90.0), (0.0, 90.0)].map(|(x, y)| Point::new(x, y, 300.0));
    let roof = graph.add_node(900, Shape::Polygon(&roof));
    graph.add_link(Link::new(roof, 0, LinkKind::Jump));
    let at = |x: f32| Point::new(x, 20.0, 0.0);
    let trail = Trail {
        ends: vec![(at(10.0), "here".to_owned()), (at(60.0), "there".to_owned())],
        asked: vec![None, Some(at(150.0))],
        begins: 1,
        ends_are: ["start", "end"].map(str::to_owned),
        ..Trail::default()
    };
    let options = DrawOptions::default();
    let picture = Picture::with_trails(&graph, &caption("key"), &options, std::slice::from_ref(&trail));
    let text = svg(&picture);
    for name in ["under another floor", "edge over a lower floor", "start", "end"] {
        assert!(text.contains(&format!(">{name}<")), "{name}");
    }
    // A name stands where it was asked for, not where the mesh is.
    let x = |text: &str, word: &str| -> f32 {
        let tag = text.split("<text ").find(|tag| tag.contains(&format!(">{word}<"))).unwrap();
        tag.split_once("x=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap()
    };
    let snapped = Trail { asked: Vec::new(), ..trail };
    let other = svg(&Picture::with_trails(&graph, &caption("key"), &options, std::slice::from_ref(&snapped)));
    assert_eq!(x(&text, "here"), x(&other, "here"));
    assert!(x(&text, "there") > x(&other, "there") + 50.0);
    let beyond = Trail { asked: vec![None, Some(at(9_000.0))], ..snapped.clone() };
    let beyond = svg(&Picture::with_trails(&graph, &caption("key"), &options, &[beyond]));
    assert_eq!(x(&beyond, "there"), x(&other, "there"), "nobody sees a name beyond the frame");
    assert!(!text.contains("north of the engine"), "the format does not say");
    let town = svg(&Picture::new(&load(&bundled().join("source/town.nav")), &caption("town"), &options));
    assert!(town.contains(">north of the engine is \u{2212}y<"));
}

#[test]
fn sets_of_flags_are_told_apart_however_long_they_are() {
    let mut graph = hills(4);
    for (bit, name) in
        ["CROUCH", "NO_HOSTAGES", "STAIRS_OF_THE_TOWER", "AVOID_AT_ALL_COSTS", "PRECISE"].iter().enumerate()
    {
        graph.name_flag(bit as u32, name);
    }
    graph.nodes_mut()[1].flags = 0b01111;
    graph.nodes_mut()[2].flags = 0b11110;
    graph.nodes_mut()[3].flags = 0b11111;
    let options = DrawOptions { colour: Some(ColourBy::Flags), ..DrawOptions::default() };
    let text = svg(&Picture::new(&graph, &caption("flags"), &options));
    for name in ["crouch", "precise"] {
        assert!(text.matches(name).count() >= 2, "{name} is cut off: {text}");
    }
}

/// Numbers of the axes stand beside the map: the mesh would cover parts of them.
#[test]
fn numbers_of_the_axes_stand_outside_the_map() {
    let text = svg(&Picture::new(&hills(20), &caption("axes"), &DrawOptions::default()));
    let number = |text: &str| text.replace('\u{2212}', "-").parse::<f32>().is_ok();
    let map = text.split_once("<path class=\"a\" d=\"M").unwrap().1;
    let left: f32 = map.split_once(|c: char| !c.is_ascii_digit() && c != '.').unwrap().0.parse().unwrap();
    let ended = text.split("<text ").filter(|tag| tag.contains("text-anchor=\"end\""));
    let beside = ended.filter(|tag| {
        let x: f32 = tag.split_once("x=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap();
        number(tag.split_once('>').unwrap().1.split_once('<').unwrap().0) && x < left
    });
    assert!(beside.count() > 3);
}

/// Widths of the strokes around floors that lie over others.
fn rims(text: &str) -> BTreeSet<String> {
    let styles = text.split_once("</style>").unwrap().0.split('}');
    let shadows = styles.filter(|style| style.contains("stroke:#151820"));
    shadows.map(|style| style.rsplit_once("stroke-width:").unwrap().1.to_owned()).collect()
}

#[test]
fn rims_of_small_floors_are_narrow_and_share_a_few_styles() {
    let with_roofs = |sides: &[f32]| {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        let mut square = |[x, y]: [f32; 2], side: f32, z: f32| {
            let corners = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
            graph.add_node(0, Shape::Polygon(&corners.map(|[u, v]| Point::new(x + u, y + v, z))));
        };
        square([0.0, 0.0], 1_000.0, 0.0);
        for (nth, &side) in sides.iter().enumerate() {
            square([(nth % 10) as f32 * 98.0 + 5.0, (nth / 10) as f32 * 98.0 + 5.0], side, 10.0);
        }
        rims(&svg(&Picture::new(&graph, &caption("roofs"), &DrawOptions::default())))
    };
    let widest = |rims: &BTreeSet<String>| {
        rims.iter().map(|width| width.trim_end_matches(';').parse::<f32>().unwrap()).fold(0.0, f32::max)
    };
    let (small, large) = (with_roofs(&[6.0]), with_roofs(&[90.0]));
    assert_eq!((small.len(), large.len()), (2, 2), "a soft rim and a sharp one: {small:?} {large:?}");
    assert!(widest(&small) * 2.0 < widest(&large), "{small:?} {large:?}");
    let of_all_sizes: Vec<f32> = (0..100).map(|nth| 4.0 + 0.86 * nth as f32).collect();
    assert!(with_roofs(&of_all_sizes).len() <= 8, "{:?}", with_roofs(&of_all_sizes));
}

#[test]
fn what_is_damaged_is_drawn_as_far_as_it_goes_and_says_so() {
    let bytes = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let cut = &bytes[..bytes.len() * 2 / 3];
    let nav = AnyNav::parse(cut, Some(Path::new("town.nav")), &ParseOptions::default()).unwrap();
    let flat = nav.flat_graph();
    let error = flat.error.unwrap().to_string();
    let text = svg(&Picture::new(
        &flat.value,
        &Caption { error: Some(error), ..caption("town") },
        &DrawOptions::default(),
    ));
    assert!(
        text.contains("Damaged, drawn as far as it goes: area "),
        "the place of the damage is on the page"
    );
    assert!(text.matches("<title>area ").count() > 2);
}

#[test]
fn every_real_file_can_be_drawn() {
    let Some(real) = real() else { return };
    let mut drawn = 0;
    for found in navmap::open::Files::new([real]).filter_map(Result::ok) {
        let Ok(bytes) = std::fs::read(&found.path) else { continue };
        let Ok(nav) = AnyNav::parse(&bytes, Some(&found.path), &ParseOptions::default()) else { continue };
        let graph = nav.flat_graph().value;
        let options = DrawOptions { width: 320, ..DrawOptions::default() };
        let picture = Picture::new(&graph, &caption("x"), &options);
        let text = svg(&picture);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{}", found.path.display());
        drawn += usize::from(graph.node_word() != "");
    }
    assert!(drawn > 150, "{drawn}");
}
