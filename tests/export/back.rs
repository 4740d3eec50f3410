//! What is exported as OBJ comes back: graphs with their nodes, links and kinds, tiles of Detour with their floor.

use crate::load;
use navmap::export::navmesh::{NavmeshOptions, to_detour};
use navmap::export::{Export, Format};
use navmap::format::detour::DetourNav;
use navmap::format::quake::{QuakeBuf, QuakeNav};
use navmap::format::yapb::YapbBuf;
use navmap::format::{AnyNav, NavFormat};
use navmap::graph::{Axes, FlatGraph, LinkKind, NavGraph, Scene};
use navmap::import;
use navmap_testkit::corpus::{bundled_rows, manifest, real};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Every mesh of a family that can be read, bundled and real.
fn meshes(family: &str) -> Vec<PathBuf> {
    let ours = bundled_rows(family).into_iter();
    let theirs = real().map(|folder| manifest(&folder.join(family))).unwrap_or_default();
    let rows = ours.chain(theirs).filter(|row| row.path.is_file());
    let mut found: Vec<PathBuf> = rows.map(|row| row.path.clone()).collect();
    found.retain(|path| {
        let bytes = std::fs::read(path).unwrap();
        AnyNav::parse(&bytes, Some(path), &Default::default())
            .is_ok_and(|nav| nav.flat_graph().whole().is_ok_and(|graph| graph.nodes().len() > 1))
    });
    assert!(found.len() > 3, "{family}: {found:?}");
    found
}

fn scene(graph: &FlatGraph, y_up: bool) -> Scene {
    let mut text = Vec::new();
    Export::new(graph, "map").y_up(y_up).write(Format::Obj, &mut text).unwrap();
    import::read(&text, import::Format::Obj).unwrap()
}

/// A link: the nodes that it leaves and reaches, and its kind.
type Joint = (u32, u32, LinkKind);

/// Nodes by the bits of their places, and links between nodes that can be drawn, with their kinds.
fn content(graph: &FlatGraph) -> (Vec<[u32; 3]>, BTreeSet<Joint>) {
    let places =
        graph.nodes().iter().map(|node| graph.corners(node)[0].to_array().map(|v| (v + 0.0).to_bits()));
    let links = graph.links().iter().filter_map(|link| Some((link.from, link.to?, link.kind)));
    (places.collect(), links.filter(|(from, to, _)| from != to).collect())
}

fn is_sound(graph: &FlatGraph) -> bool {
    graph.nodes().iter().all(|node| graph.corners(node)[0].is_finite())
        && graph.links().iter().all(|link| link.to != Some(link.from))
}

#[test]
fn graphs_of_quake_come_back_with_links_kinds_and_traversals() {
    let (mut whole, mut kinds) = (0, BTreeSet::new());
    for path in meshes("quake") {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(nav) = QuakeNav::parse(&bytes) else { continue };
        let before = load(&path);
        if !is_sound(&before) {
            continue;
        }
        let made = QuakeBuf::build(&scene(&before, false), nav.version(), 36);
        // A link of an unknown type, or without the traversal that its type needs, cannot be drawn.
        let drawable = |kind: LinkKind| match kind {
            LinkKind::Train | LinkKind::RocketJump => false,
            kind => kind != LinkKind::Other,
        };
        let made = match made {
            Err(error) if before.links().iter().all(|link| drawable(link.kind)) => {
                panic!("{}: {error}", path.display())
            }
            Err(_) => continue,
            Ok(made) => made.encode().unwrap(),
        };
        let now = QuakeNav::parse(&made).unwrap();
        let after = FlatGraph::of(&now).whole().unwrap();
        assert_eq!(content(&after), content(&before), "{}", path.display());
        let paths = |graph: &FlatGraph| {
            let paths = graph.links().iter().filter_map(|link| Some((link.kind, link.path?)));
            let paths = paths.filter(|(_, path)| path.iter().all(|at| at.is_finite()));
            paths
                .map(|(kind, path)| (kind, path.map(|at| at.to_array().map(|v| (v + 0.0).to_bits()))))
                .collect::<BTreeSet<_>>()
        };
        let on_foot = |kind: &LinkKind| {
            matches!(kind, LinkKind::Walk | LinkKind::Crouch | LinkKind::Teleport | LinkKind::Push)
        };
        let mut wanted = paths(&before);
        wanted.retain(|(kind, _)| !on_foot(kind));
        assert_eq!(paths(&after), wanted, "{}", path.display());
        kinds.extend(content(&after).1.into_iter().map(|(_, _, kind)| kind));
        whole += 1;
    }
    assert!(whole > 5 && kinds.len() > 3, "{whole} {kinds:?}");
}

#[test]
fn waypoints_come_back_with_links_and_kinds() {
    let (mut whole, mut kinds) = (0, BTreeSet::new());
    for path in meshes("yapb") {
        let before = load(&path);
        if !is_sound(&before) {
            continue;
        }
        let made =
            YapbBuf::build(&scene(&before, false), 0.0).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let nodes = made.nodes.len();
        let bytes = made.encode().unwrap();
        let after = AnyNav::parse(&bytes, Some("a.graph".as_ref()), &Default::default())
            .unwrap()
            .flat_graph()
            .whole()
            .unwrap();
        let ((places, links), (old_places, mut old_links)) = (content(&after), content(&before));
        assert!(nodes == before.nodes().len() && places == old_places, "{}", path.display());
        // Between two nodes there may be a walk and a jump; links to nowhere are not drawn.
        old_links.retain(|(_, to, _)| (*to as usize) < nodes);
        assert_eq!(links, old_links, "{}", path.display());
        kinds.extend(links.into_iter().map(|(_, _, kind)| kind));
        let pwf = made.to_pwf("map", true, &mut |_| ()).unwrap().encode().unwrap();
        let again = AnyNav::parse(&pwf, Some("a.pwf".as_ref()), &Default::default())
            .unwrap()
            .flat_graph()
            .whole()
            .unwrap();
        assert_eq!(content(&again), content(&after), "{}", path.display());
        whole += 1;
    }
    assert!(whole > 3 && kinds.len() > 2, "{whole} {kinds:?}");
    let text = "v 0 0 36\nv 64 0 36\nusemtl fly\nl 1 2\n";
    let error = |text: &str| {
        let scene = import::read(text.as_bytes(), import::Format::Obj).unwrap();
        YapbBuf::build(&scene, 0.0).unwrap_err().to_string()
    };
    assert!(error(text).contains("line 4: no link of these graphs is of kind \"fly\""), "{}", error(text));
    let mut star = String::from("v 0 0 36\n");
    (0..9).for_each(|n| star.push_str(&format!("v 64 {n} 36\nl 1 {}\n", n + 2)));
    assert!(
        error(&star).contains("line 19: the waypoint at 0,0,36 would have more than 8 links"),
        "{}",
        error(&star)
    );
    let far = "v 0 0 36\n".repeat(32_769) + &(1..=32_769).map(|n| format!("p {n}\n")).collect::<String>();
    assert!(error(&far).contains("32769 of them, 32768 fit"), "{}", error(&far));
}

/// The area of all polygons seen from above.
fn floor(graph: &FlatGraph) -> f64 {
    let of = |corners: &[navmap::graph::Point]| {
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        let [u0, v0, _] = graph.axes().plan(corners[0]).map(f64::from);
        let twice = ends.map(|(a, b)| {
            let ([ax, ay, _], [bx, by, _]) = (graph.axes().plan(*a), graph.axes().plan(*b));
            (f64::from(ax) - u0) * (f64::from(by) - v0) - (f64::from(bx) - u0) * (f64::from(ay) - v0)
        });
        0.5 * twice.sum::<f64>().abs()
    };
    let metres = f64::from(graph.axes().metres_per_unit);
    graph.nodes().iter().map(|node| of(graph.corners(node)) * metres * metres).sum()
}

#[test]
fn tiles_of_detour_come_back_as_the_same_floor() {
    let mut whole = 0;
    for path in meshes("detour") {
        let damaged = path.components().any(|part| part.as_os_str() == "hostile");
        if damaged || std::fs::metadata(&path).unwrap().len() > 1_000_000 {
            continue;
        }
        let before = load(&path);
        let finite = before.nodes().iter().all(|node| before.corners(node).iter().all(|at| at.is_finite()));
        let faces = FlatGraph::of_faces(&scene(&before, true), Axes::y_up(1.0));
        if !finite || floor(&before) < 1.0 {
            continue;
        }
        let (mine, theirs) =
            (to_detour(&faces, &NavmeshOptions::default()), to_detour(&before, &NavmeshOptions::default()));
        let (Ok((mine, _)), Ok((theirs, _))) = (mine, theirs) else { continue };
        let back = |bytes: &[u8]| {
            let nav = DetourNav::parse(bytes).unwrap();
            FlatGraph::of(&nav.graph()).whole().unwrap()
        };
        let (area, their_area) = (floor(&back(&mine)), floor(&back(&theirs)));
        assert!((area - their_area).abs() < 1e-3 * their_area, "{}: {area} {their_area}", path.display());
        whole += 1;
    }
    assert!(whole > 3, "{whole}");
}

#[test]
fn a_line_from_a_waypoint_to_itself_is_left_out_and_counted() {
    // Of two waypoints at one place, lines that do not name them know the first.
    let scene = |lines: &str| {
        let text = format!("v 0 0 36\nv 64 0 36\nv 64 0 36\np 1\np 2\np 3\n{lines}");
        import::read(text.as_bytes(), import::Format::Obj).unwrap()
    };
    for (lines, loops) in [
        ("l 1 2\n", 0),
        ("l 1 2\nl 1 1\n", 1),
        ("v 64 0 36\nv 64 0 36\nl 1 2\nl 4 5\nl 2 2\n", 2),
        ("usemtl fly\nl 1 1\nusemtl line\nl 1 2\n", 1),
    ] {
        let scene = scene(lines);
        let made = scene.waypoints().unwrap();
        assert_eq!((made.places.len(), made.ways.len(), made.loops), (3, 1, loops), "{lines}");
        let graph = YapbBuf::build(&scene, 0.0).unwrap();
        assert_eq!(graph.nodes.len(), 3, "{lines}");
    }
}

#[test]
fn what_a_format_leaves_out_is_said() {
    use navmap::graph::{Link, Point, Shape};
    let mut points = FlatGraph::new("waypoint", Axes::z_up(0.0254));
    for x in [0.0, f32::NAN, 64.0] {
        points.add_node(0, Shape::Point { at: Point::new(x, 0.0, 0.0), radius: None });
    }
    [(0, 2), (2, 0)].into_iter().for_each(|(a, b)| points.add_link(Link::new(a, b, LinkKind::Walk)));
    let mut squares = FlatGraph::new("area", Axes::z_up(0.0254));
    for x in [0.0, 99.0] {
        let corners = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)].map(|(u, v)| Point::new(x + u, v, 0.0));
        squares.add_node(0, Shape::Polygon(&corners));
    }
    squares.add_link(Link::new(0, 1, LinkKind::Jump));
    squares.add_link(Link::new(1, 0, LinkKind::Walk));
    let said = |graph: &FlatGraph, format| Export::new(graph, "map").left_out(format).join("; ");
    let hidden =
        "left out: waypoints that cannot be drawn, so that what is made of the file has other numbers (1)";
    let no_links = "left out: links, which .graphml, .obj and .glb have (2)";
    assert_eq!(said(&points, Format::Obj), hidden);
    assert_eq!(said(&points, Format::Glb), hidden);
    assert_eq!(said(&points, Format::GeoJson), format!("{hidden}; {no_links}"));
    assert_eq!(said(&points, Format::GraphMl), "");
    assert_eq!(
        said(&squares, Format::Obj),
        "left out: links that are not walked, which .glb has as lines (1)"
    );
    assert_eq!(said(&squares, Format::Glb), "");
    assert_eq!(said(&squares, Format::GeoJson), "");
}
