//! Every mesh of the bundled corpus as a page shows it: nothing is lost, nothing is added.

use navmap::draw::{Inks, Theme};
use navmap::graph::{FlatGraph, Link, LinkKind, MarkShape, Point, Stats};
use navmap::open::{OpenOptions, walk};
use navmap_view::{CHUNK, Scene, Words, page};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// A scene as JavaScript reads it.
struct Page(Scene);

impl Page {
    fn of(graph: &FlatGraph) -> Self {
        Self(Scene::new(graph, &Words::default()))
    }

    /// A column as numbers; empty if there is none. Floats keep their bits.
    fn column(&self, name: &str) -> Vec<u32> {
        for (part, columns) in self.0.parts() {
            let listed = self.0.head()["parts"][part]["columns"].as_array().unwrap();
            let Some(column) = listed.iter().find(|column| column["name"] == name) else { continue };
            let place = place(column);
            assert_eq!(place.start % 4, 0, "{name}");
            let size = place.len() / (column["length"].as_u64().unwrap() as usize).max(1);
            let bytes = &columns.bytes()[place];
            let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u32::from(*byte));
            return bytes.chunks(size.max(1)).map(number).collect();
        }
        Vec::new()
    }

    /// The numbers of the nodes that a column of codes names.
    fn numbers(&self, name: &str) -> Vec<u32> {
        let rows = self.column("chunks");
        let number = |code: u32| rows[code as usize / CHUNK * 12 + 6] + code % CHUNK as u32;
        self.column(name).into_iter().map(|code| if code == u32::MAX { code } else { number(code) }).collect()
    }

    fn floats(&self, name: &str) -> Vec<f32> {
        self.column(name).into_iter().map(f32::from_bits).collect()
    }
}

/// Every mesh of the bundled corpus, with where it is.
fn each(mut visit: impl FnMut(&str, &FlatGraph)) {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
    let seen = walk(corpus, &OpenOptions::new(), &mut |item| {
        if let Some(graph) = item.flat_graph() {
            visit(&item.location().display().to_string(), &graph.value);
        }
        ControlFlow::Continue(())
    });
    seen.unwrap();
}

fn bits(point: Point) -> [u32; 3] {
    point.to_array().map(f32::to_bits)
}

#[test]
fn every_family_comes_back_to_the_bit() {
    let mut families = BTreeSet::new();
    each(|at, graph| {
        families.insert(at.split("corpus/").nth(1).unwrap().split('/').next().unwrap().to_owned());
        let page = Page::of(graph);
        let head = page.0.head();
        assert_eq!(head["nodes"], graph.nodes().len(), "{at}");
        // Those that lead somewhere, as everything else counts them.
        assert_eq!(head["links"], Stats::of(graph).value.links, "{at}");
        assert_eq!(head["marks"], graph.marks().len(), "{at}");

        // Nodes, by id and shape: the order is another one.
        let (ids, high, corners_of) = (page.column("id"), page.column("id_high"), page.column("corners_of"));
        let (corners, flags, flags_high) =
            (page.column("corners"), page.column("flags"), page.column("flags_high"));
        let word = |column: &[u32], node: usize| column.get(node).copied().unwrap_or(0);
        let long =
            |low: &[u32], high: &[u32], node| u64::from(word(low, node)) | u64::from(word(high, node)) << 32;
        let (mut first, mut shown) = (0, Vec::new());
        for (node, corners_of) in corners_of.iter().enumerate() {
            let end = first + *corners_of as usize * 3;
            shown.push((
                long(&ids, &high, node),
                long(&flags, &flags_high, node),
                corners[first..end].to_vec(),
            ));
            first = end;
        }
        assert_eq!(first, corners.len(), "{at}");
        let of_node =
            |node| graph.corners(node).iter().flat_map(|corner| bits(*corner)).collect::<Vec<u32>>();
        let mut nodes: Vec<_> =
            graph.nodes().iter().map(|node| (node.id, node.flags, of_node(node))).collect();
        let by_number = shown.clone();
        nodes.sort();
        shown.sort();
        assert!(nodes == shown, "{at}: nodes differ");

        // Links, by the nodes at their ends.
        let (links_of, to, kind) = (page.column("links_of"), page.numbers("to"), page.column("kind"));
        let mut shown = Vec::new();
        let mut link = 0;
        for (node, links) in links_of.iter().enumerate() {
            for _ in 0..*links {
                let target = (to[link] != u32::MAX).then(|| by_number[to[link] as usize].clone());
                shown.push((by_number[node].clone(), target, kind[link] & 31, kind[link] >> 7));
                link += 1;
            }
        }
        assert_eq!(link, to.len(), "{at}");
        let name = |node: u32| {
            let node = &graph.nodes()[node as usize];
            (node.id, node.flags, of_node(node))
        };
        // A link of a damaged file may lead to a node that was not read: it leads outside.
        let read = |node: &u32| (*node as usize) < graph.nodes().len();
        let mut links: Vec<_> = graph
            .links()
            .iter()
            .map(|link| {
                let to = link.to.filter(read).map(name);
                (name(link.from), to, link.kind as u32, u32::from(link.gated))
            })
            .collect();
        links.sort();
        shown.sort();
        assert!(links == shown, "{at}: links differ");

        // Marks, in order.
        let ends = graph.marks().iter().flat_map(|mark| match mark.shape {
            MarkShape::Point(at) => [at, at],
            MarkShape::Segment(a, b) | MarkShape::Box(a, b) => [a, b],
        });
        assert!(ends.flat_map(bits).eq(page.column("mark_points")), "{at}: marks differ");
    });
    assert!(families.len() >= 10, "{families:?}");
}

#[test]
fn chunks_cover_their_nodes_and_lie_apart() {
    let mut graph = FlatGraph::new("area", navmap::graph::Axes::z_up(1.0));
    for n in 0..5_000u16 {
        let [x, y] = [f32::from(n % 100), f32::from(n / 100)];
        let square =
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| Point::new(x + u, y + v, 2.0));
        graph.add_node(u64::from(n), navmap::graph::Shape::Polygon(&square));
    }
    let page = Page::of(&graph);
    let (rows, corners) = (page.column("chunks"), page.floats("corners"));
    assert_eq!(rows.len() % 12, 0);
    assert!(rows.len() / 12 <= 5_000usize.div_ceil(CHUNK - CHUNK / 8));
    let mut next = 0;
    let mut area = 0.0;
    for row in rows.chunks(12) {
        let bounds: Vec<f32> = row[..6].iter().map(|word| f32::from_bits(*word)).collect();
        let [first, nodes] = [row[6], row[7]].map(|word| word as usize);
        assert!(first == next && nodes <= CHUNK);
        next += nodes;
        for at in corners[first * 12..next * 12].chunks(3) {
            assert!((0..3).all(|axis| (bounds[axis]..=bounds[axis + 3]).contains(&at[axis])));
        }
        area += (bounds[3] - bounds[0]) * (bounds[4] - bounds[1]);
    }
    assert_eq!(next, 5_000);
    assert!(area < 3.0 * 5_000.0, "{area}: chunks lie over each other");
}

#[test]
fn nodes_know_how_many_lie_above_them() {
    let mut graph = FlatGraph::new("area", navmap::graph::Axes::z_up(1.0));
    for height in [0.0, 1.0, 10.0, 20.0, 20.0] {
        let square = [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)].map(|(u, v)| Point::new(u, v, height));
        graph.add_node(height as u64, navmap::graph::Shape::Polygon(&square));
    }
    let page = Page::of(&graph);
    let (ids, above) = (page.column("id"), page.column("above"));
    let mut found: Vec<(u32, u32)> = ids.into_iter().zip(above).collect();
    found.sort_unstable();
    // What lies less than a storey higher is the same floor.
    assert_eq!(found, [(0, 3), (1, 3), (10, 2), (20, 0), (20, 0)]);
}

#[test]
fn colours_are_those_of_pictures_and_every_class_has_one() {
    each(|at, graph| {
        let page = Page::of(graph);
        for meaning in page.0.head()["colours"].as_array().unwrap() {
            let name = meaning["name"].as_str().unwrap();
            let classes = page.column(&format!("{name}.class"));
            assert_eq!(classes.len(), graph.nodes().len(), "{at} {name}");
            for theme in ["light", "dark"] {
                let inks = page.column(&format!("{name}.{theme}")).len() / 4;
                assert!(classes.iter().all(|class| (*class as usize) < inks), "{at} {name} {theme}");
            }
        }
    });
}

#[test]
fn hostile_numbers_and_names_harm_nothing() {
    let mut graph = FlatGraph::new("area", navmap::graph::Axes::y_up(1.0));
    let odd = [f32::NAN, f32::INFINITY, -1e38, 0.0];
    for n in 0..600u32 {
        let at = |k: u32| odd[(n + k) as usize % odd.len()];
        let corners =
            [Point::new(at(0), at(1), at(2)), Point::new(at(1), at(3), at(0)), Point::new(3.0, 1.0, 2.0)];
        let node = graph
            .add_node(u64::MAX - u64::from(n), navmap::graph::Shape::Polygon(&corners[..n as usize % 4]));
        graph.nodes_mut()[node as usize].place = Some(7);
    }
    graph.name_place(7, "</script><script>alert(1)</script>");
    let scene = Scene::new(&graph, &Words { title: "<!--<script>".into(), ..Words::default() });
    let html = page::html(scene, &mut |svg| svg.write_all(b"<svg></svg>"));
    assert!(!html.contains("alert(1)</script>") && !html.contains("<!--<script>"));
    assert_eq!(html.matches("<script").count(), html.matches("</script>").count());
}

#[test]
fn a_picture_that_fails_is_left_out_of_a_page_that_is_whole() {
    let mut graph = FlatGraph::new("area", navmap::graph::Axes::z_up(1.0));
    graph.add_node(1, navmap::graph::Shape::Polygon(&[Point::default(), Point::new(1.0, 0.0, 0.0)]));
    let scene = || Scene::new(&graph, &Words::default());
    let drawn = page::html(scene(), &mut |svg| svg.write_all(b"<svg></svg>"));
    let failed = page::html(scene(), &mut |svg| {
        svg.write_all(&[b'x'; 100_000])?;
        Err(std::io::Error::other("no room"))
    });
    let pictures = |page: &str| page.matches("<script type=\"text/plain\" id=\"scene-picture\">").count();
    assert_eq!([pictures(&drawn), pictures(&failed)], [1, 0]);
    let begins = drawn.find("<script type=\"text/plain\" id=\"scene-picture\">").unwrap();
    let ends = begins + drawn[begins..].find("</script>\n").unwrap() + "</script>\n".len();
    assert!(failed == [&drawn[..begins], &drawn[ends..]].concat());
}

#[test]
fn ways_and_points_of_the_caller_lie_over_the_mesh() {
    use navmap::draw::{ColourBy, Heat, HeatBy, Trail};
    let mut graph = FlatGraph::new("area", navmap::graph::Axes::z_up(1.0));
    let square = [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0)].map(|(x, y)| Point::new(x, y, 0.0));
    graph.add_node(1, navmap::graph::Shape::Polygon(&square));
    let way = |corners: &[[f32; 3]]| corners.iter().map(|[x, y, z]| Point::new(*x, *y, *z)).collect();
    let trail = Trail {
        lines: vec![way(&[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]), way(&[[6.0, 7.0, 8.0]])],
        ends: vec![(Point::new(0.0, 1.0, 2.0), "#1".to_owned())],
        ..Trail::default()
    };
    let points = vec![Point::new(1.0, 1.0, 0.0), Point::new(f32::NAN, 0.0, 0.0), Point::new(2.0, 2.0, 0.0)];
    let heat = Heat { points, values: Some(vec![1.0, 2.0, 4.0]), title: "kills".into(), ..Heat::default() };
    let words = Words {
        colour: Some(("island".into(), ColourBy::Island)),
        trails: vec![trail],
        heat: Some(heat.clone()),
        ..Words::default()
    };
    let page = Page(Scene::new(&graph, &words));
    assert_eq!(page.column("way_of"), [2, 1]);
    assert_eq!(page.floats("way"), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(page.floats("dot"), [1.0, 1.0, 0.0, 2.0, 2.0, 0.0]);
    assert_eq!(page.column("dot_ink").len(), 6);
    let head = page.0.head();
    assert_eq!(head["ends"][0]["name"], "#1");
    assert_eq!(head["dots"], serde_json::json!({"title": "kills", "count": 2, "ramp": [0.0, 4.0]}));
    let names: Vec<&str> =
        head["colours"].as_array().unwrap().iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!((names[0], names.iter().filter(|name| **name == "island").count()), ("island", 1));
    // By area they are the first meaning of colours, and no dots.
    let heat = Heat { by: HeatBy::Area(vec![Some(0), None, Some(0)]), ..heat };
    let page = Page(Scene::new(&graph, &Words { heat: Some(heat), ..Words::default() }));
    assert_eq!(page.0.head()["colours"][0]["ramp"], serde_json::json!([0.0, 5.0]));
    assert!(page.0.head()["dots"].is_null() && page.column("dot").is_empty());
}

/// A field of areas, 25 units wide, each linked with the four beside it.
fn field(wide: u32, high: u32) -> FlatGraph {
    let mut graph = FlatGraph::new("area", navmap::graph::Axes::z_up(1.0));
    for node in 0..wide * high {
        graph.add_node(
            u64::from(node) + 1,
            square((node % wide) as f32 * 25.0, (node / wide) as f32 * 25.0).shape(),
        );
    }
    for node in 0..wide * high {
        let right = (node % wide + 1 < wide).then_some(node + 1);
        let below = (node / wide + 1 < high).then_some(node + wide);
        for to in [right, below].into_iter().flatten() {
            graph.add_link(Link::new(node, to, LinkKind::Walk));
            graph.add_link(Link::new(to, node, LinkKind::Walk));
        }
    }
    graph
}

struct Square([Point; 4]);

impl Square {
    fn shape(&self) -> navmap::graph::Shape<'_> {
        navmap::graph::Shape::Polygon(&self.0)
    }
}

fn square(x: f32, y: f32) -> Square {
    Square([(0.0, 0.0), (25.0, 0.0), (25.0, 25.0), (0.0, 25.0)].map(|(u, v)| Point::new(x + u, y + v, 0.0)))
}

#[test]
fn twenty_thousand_areas_take_less_than_two_megabytes() {
    let scene = Scene::new(&field(200, 100), &Words::default());
    let bytes: usize = scene.parts().iter().map(|(_, part)| part.bytes().len()).sum();
    assert!(bytes < 2_000_000, "{bytes} bytes");
}

/// The mark of each chunk of a scene.
fn chunk_marks(page: &Page) -> Vec<[u32; 2]> {
    page.column("chunks").chunks(12).map(|row| [row[10], row[11]]).collect()
}

/// How many chunks of the later scene are not in the one before, under the same number.
fn differ(before: &Page, after: &Page) -> usize {
    let (old, new) = (chunk_marks(before), chunk_marks(after));
    (0..new.len()).filter(|chunk| old.get(*chunk) != new.get(*chunk)).count()
}

#[test]
fn one_area_less_or_more_is_a_change_of_few_chunks() {
    let graph = field(200, 100);
    let before = Page::of(&graph);
    let count = chunk_marks(&before).len();
    assert!(count >= 40);
    let following =
        |changed: &FlatGraph| Page(Scene::following(changed, &Words::default(), (&graph, &before.0)));
    assert_eq!(differ(&before, &following(&graph)), 0, "nothing has changed");

    let mut less = graph.clone();
    less.retain(|node| node.id != 10_100);
    let after = following(&less);
    assert!((1..=5).contains(&differ(&before, &after)), "{} of {count} chunks", differ(&before, &after));
    // Divided anew, as a fresh start does, many chunks are others: this is what following saves.
    assert!(differ(&before, &Page::of(&less)) > 5);

    let mut more = graph.clone();
    let new = more.add_node(99_999, square(-50.0, 700.0).shape());
    more.add_link(Link::new(new, 28 * 200, LinkKind::Walk));
    more.add_link(Link::new(28 * 200, new, LinkKind::Walk));
    let after = following(&more);
    assert!((1..=2).contains(&differ(&before, &after)), "{}", differ(&before, &after));
    assert_eq!(after.column("id").iter().filter(|id| **id == 99_999).count(), 1);

    // So much new that it is divided anew, and all of it is there.
    let mut grown = graph.clone();
    for n in 0..600u16 {
        grown.add_node(200_000 + u64::from(n), square(f32::from(n) * 25.0, -500.0).shape());
    }
    let (after, fresh) = (following(&grown), Page::of(&grown));
    assert_eq!(after.column("id"), fresh.column("id"));
    assert_eq!(differ(&fresh, &after), 0);
}

#[test]
fn chunks_put_together_are_the_parts() {
    each(|at, graph| {
        let page = Page::of(graph);
        let mut pieces = std::collections::BTreeMap::<String, Vec<u8>>::new();
        for chunk in (0..).map_while(|number| page.0.chunk(number)) {
            let long = u32::from_le_bytes(chunk[..4].try_into().unwrap()) as usize;
            let head: serde_json::Value = serde_json::from_slice(&chunk[4..4 + long]).unwrap();
            for column in head["columns"].as_array().unwrap() {
                let bytes = &chunk[4 + long..][place(column)];
                pieces.entry(column["name"].as_str().unwrap().to_owned()).or_default().extend(bytes);
            }
        }
        for (part, columns) in page.0.parts() {
            for column in page.0.head()["parts"][part]["columns"].as_array().unwrap() {
                let name = column["name"].as_str().unwrap();
                let whole = &columns.bytes()[place(column)];
                match column["per"].is_null() {
                    true => assert!(!pieces.contains_key(name), "{at}: {name}"),
                    false => assert!(
                        pieces.get(name).map_or(whole.is_empty(), |piece| piece == whole),
                        "{at}: {name}"
                    ),
                }
            }
        }
        assert_eq!(pieces.is_empty(), graph.nodes().is_empty(), "{at}");
    });
}

/// Where a column lies in its bytes.
fn place(column: &serde_json::Value) -> std::ops::Range<usize> {
    let [offset, length] = ["offset", "length"].map(|key| column[key].as_u64().unwrap() as usize);
    let size = match column["kind"].as_str().unwrap() {
        "u8" => 1,
        "u16" => 2,
        _ => 4,
    };
    offset..offset + length * size
}

/// The page is styled before it has a scene, so its style sheet repeats what draw's table says.
#[test]
fn the_page_has_the_colours_of_pictures() {
    let sheet = include_str!("../page/style.css");
    for (theme, start) in [(Theme::Light, ":root {"), (Theme::Dark, ":root[data-theme=\"dark\"] {")] {
        let line = sheet.lines().find(|line| line.starts_with(start)).unwrap();
        let mut styled = 0;
        for (name, [r, g, b]) in Inks::of(theme).named() {
            if let Some((_, value)) = line.split_once(&format!("--{name}: ")) {
                assert_eq!(
                    value.split(';').next().unwrap(),
                    format!("#{r:02x}{g:02x}{b:02x}"),
                    "{name} of {theme:?}"
                );
                styled += 1;
            }
        }
        assert!(styled >= 7, "{styled} of {theme:?}");
    }
}
