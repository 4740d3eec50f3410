//! Each family's graph against the manifests of real files and of our own.

use crate::exhaust::{Made, consistent, exhaust};
use navmap::format::source::{SourceGraph, SourceNav};
use navmap::format::{AnyNav, GraphTask, ParseOptions};
use navmap::graph::{FlatGraph, LinkKind, MarkKind, NavGraph, Partial, Stats};
use navmap_testkit::corpus::{Row, bundled, manifest, real};
use navmap_testkit::source::{Area, Mesh, write};
use std::path::{Path, PathBuf};

/// Calls `each` with every row of a family's manifests, real and our own, whose file can be opened.
fn each_row(family: &str, mut each: impl FnMut(&Row, &AnyNav<'_>)) {
    let folders: Vec<PathBuf> =
        [real(), Some(bundled())].into_iter().flatten().map(|f| f.join(family)).collect();
    let mut opened = 0;
    for row in folders.iter().flat_map(|folder| manifest(folder)) {
        let bytes = row.read();
        if let Ok(nav) = AnyNav::parse(&bytes, Some(&row.path), &ParseOptions::default()) {
            opened += 1;
            each(&row, &nav);
        }
    }
    assert!(opened > 5, "{family}: {opened} files");
}

fn flat(nav: &AnyNav<'_>, row: &Row) -> FlatGraph {
    let Partial { value, error } = nav.flat_graph();
    let damaged =
        row.name().contains("hostile") || row.name().contains("broken") || row.name().contains("malformed");
    assert!(error.is_none() || damaged, "{}: {error:?}", row.name());
    consistent(&value, row.name());
    value
}

fn count(graph: &FlatGraph, of: impl Fn(LinkKind) -> bool) -> u64 {
    graph.links().iter().filter(|link| of(link.kind)).count() as u64
}

fn marks(graph: &FlatGraph, of: &[MarkKind]) -> u64 {
    graph.marks().iter().filter(|mark| of.contains(&mark.kind)).count() as u64
}

/// How many nodes a graph says that it has, which it also says where it is lent.
fn known(graph: impl NavGraph) -> Option<usize> {
    graph.known_nodes()
}

#[test]
fn what_makes_room_for_the_polygons_of_tiles_knows_how_many_come() {
    struct Known;
    impl GraphTask for Known {
        type Out = Option<usize>;
        fn run(self, graph: &impl NavGraph) -> Option<usize> {
            known(graph)
        }
    }
    for family in ["fox", "detour"] {
        each_row(family, |row, nav| {
            let Partial { value, error } = nav.flat_graph();
            let visited = value.nodes().len();
            assert!(error.is_some() || nav.with_graph(Known) == Some(visited), "{}: {visited}", row.name());
        });
    }
}

#[test]
fn a_source_mesh_has_a_node_an_area_and_a_link_a_connection() {
    each_row("source", |row, nav| {
        let graph = flat(nav, row);
        let Some(areas) = row.number("areas").filter(|_| !row.name().contains("hostile")) else { return };
        assert_eq!(graph.nodes().len() as u64, areas, "{}", row.name());
        // What makes room for nodes knows how many come.
        assert_eq!(known(&graph), Some(areas as usize), "{}", row.name());
        if let Ok(nav) = SourceNav::parse(&row.read()) {
            assert_eq!(known(SourceGraph::new(&nav)), Some(areas as usize), "{}", row.name());
        }
        let connections = count(&graph, |kind| kind != LinkKind::Ladder);
        assert_eq!(connections, row.number("total_connections").unwrap(), "{}", row.name());
        assert_eq!(
            (
                marks(&graph, &[MarkKind::HidingSpot, MarkKind::SniperSpot]),
                marks(&graph, &[MarkKind::Ladder])
            ),
            (row.number("hiding_spots").unwrap(), row.number("ladders").unwrap()),
            "{}",
            row.name()
        );
        if row.number("ladder_connections") == Some(0) {
            assert_eq!(count(&graph, |kind| kind == LinkKind::Ladder), 0, "{}", row.name());
        }
    });
}

#[test]
fn a_two_way_connection_has_a_portal_that_both_sides_share() {
    let Some(real) = real() else { return };
    let path = real.join("source/csgo-16.1/de_dharma.nav");
    let bytes = std::fs::read(&path).unwrap();
    let graph =
        AnyNav::parse(&bytes, Some(&path), &ParseOptions::default()).unwrap().flat_graph().whole().unwrap();
    let mut pairs = 0;
    for link in graph.links() {
        let back = graph.links().iter().find(|back| Some(back.from) == link.to && back.to == Some(link.from));
        if let (Some([a, b]), Some([c, d])) = (link.portal, back.and_then(|back| back.portal)) {
            pairs += 1;
            let along =
                |p: navmap::graph::Point, q: navmap::graph::Point| (p.x - q.x).abs().min((p.y - q.y).abs());
            assert!(along(a, c) < 0.1 && along(b, d) < 0.1, "the same stretch of the shared side");
        }
    }
    assert!(pairs > 1_000, "{pairs}");
}

#[test]
fn a_quake_graph_has_the_nodes_and_links_of_its_header() {
    each_row("quake", |row, nav| {
        let graph = flat(nav, row);
        if row.name().contains("hostile") || row.name().contains("containers") {
            return;
        }
        let numbers = [graph.nodes().len(), graph.links().len(), graph.marks().len()].map(|n| n as u64);
        let wanted = ["nodes", "links", "edicts"].map(|column| row.number(column).unwrap());
        assert_eq!(numbers, wanted, "{}", row.name());
        let paths = graph.links().iter().filter(|link| link.path.is_some()).count() as u64;
        assert_eq!(paths, row.number("traversals").unwrap(), "{}", row.name());
        let gated = graph.links().iter().filter(|link| link.gated).count() as u64;
        assert_eq!(gated, wanted[2], "{}: each edict binds a link of its own", row.name());
    });
}

#[test]
fn navjson_and_its_binary_are_the_same_graph() {
    let Some(real) = real() else { return };
    let mut compared = 0;
    for row in manifest(&real.join("quake")).iter().filter(|row| row.name().ends_with(".navjson")) {
        let binary = row.name().replace("navjson/", "nav2-from-navjson/").replace(".navjson", ".nav");
        let Ok(bytes) = std::fs::read(real.join("quake").join(binary)) else { continue };
        let text = row.read();
        let options = ParseOptions::default();
        let [json, nav] = [(&text, &row.path), (&bytes, &PathBuf::from("x.nav"))].map(|(bytes, path)| {
            AnyNav::parse(bytes, Some(path), &options).unwrap().flat_graph().whole().unwrap()
        });
        assert_eq!(json.nodes(), nav.nodes(), "{}", row.name());
        assert_eq!(json.links(), nav.links(), "{}", row.name());
        compared += 1;
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn a_fox_file_has_a_node_a_face_and_links_that_lead_back() {
    each_row("fox", |row, nav| {
        let graph = flat(nav, row);
        if ["hostile", "broken", "fpk"].iter().any(|odd| row.name().contains(odd)) {
            return;
        }
        assert_eq!(graph.nodes().len() as u64, row.number("faces").unwrap(), "{}", row.name());
        assert!(graph.links().iter().all(|link| link.portal.is_some()), "{}: portals are sides", row.name());
        // Retail neighbours lead back without exception; those of tools do where they lead anywhere.
        if row.name().starts_with("ssav") || row.name().starts_with("tpp") {
            assert_eq!(Stats::of(&graph).whole().unwrap().one_way_links, 0, "{}", row.name());
            let segments = graph.groups().len() as u64;
            assert!(segments <= row.number("segments").unwrap() && segments > 0 || graph.nodes().is_empty());
        }
    });
}

#[test]
fn a_tile_set_is_one_graph_over_its_borders() {
    use navmap::format::fox::{FoxGraph, TileSet};
    let Some(real) = real() else { return };
    let set = TileSet::open([real.join("fox/ssav")]).unwrap();
    let layer = set.layer("ssav_nav").unwrap();
    let graph = FlatGraph::of(&FoxGraph::of_layer(&layer)).whole().unwrap();
    consistent(&graph, "ssav");
    let single: usize = layer
        .tiles()
        .flat_map(|tile| tile.files().collect::<Vec<_>>())
        .map(|file| FlatGraph::of(&FoxGraph::of_file(&file.nav().unwrap())).value.nodes().len())
        .sum();
    assert_eq!(graph.nodes().len(), single);
    let borders: Vec<_> = graph.links().iter().filter(|link| link.kind == LinkKind::Border).collect();
    let resolved = borders.iter().filter(|link| link.to.is_some()).count();
    assert!(resolved > 400 && resolved < borders.len(), "{resolved} of {}", borders.len());
    // A link over a border leads to the tile next door, and back.
    for link in borders.iter().filter_map(|link| Some((link.from, link.to?))) {
        let [from, to] = [link.0, link.1].map(|node| graph.nodes()[node as usize].id >> 48);
        assert_ne!(from, to, "a border is between tiles");
        assert!(
            borders.iter().any(|back| (back.from, back.to) == (link.1, Some(link.0))),
            "{link:?} leads back"
        );
    }
}

#[test]
fn a_bundled_tile_set_hangs_together() {
    use navmap::format::fox::{FoxGraph, TileSet};
    let set = TileSet::open([bundled().join("fox/set")]).unwrap();
    let layer = set.layers().next().unwrap();
    assert_eq!(layer.tiles().len(), 9);
    let graph = FoxGraph::of_layer(&layer);
    let stats = Stats::of(&graph).whole().unwrap();
    let alone: u64 = layer
        .tiles()
        .flat_map(|tile| tile.files().collect::<Vec<_>>())
        .map(|file| Stats::of(&FoxGraph::of_file(&file.nav().unwrap())).value.components)
        .sum();
    assert!(stats.components < alone, "borders join what tiles leave apart: {} of {alone}", stats.components);
    assert!(graph.group(0).is_some_and(|name| name.contains("101_101")), "{:?}", graph.group(0));
}

#[test]
fn a_plugin_has_a_node_a_triangle_and_borders_that_lead_over_its_cells() {
    each_row("skyrim", |row, nav| {
        let graph = flat(nav, row);
        if row.name().contains("hostile") || row.name().contains("malformed") {
            return;
        }
        assert_eq!(graph.nodes().len() as u64, row.number("triangles").unwrap(), "{}", row.name());
        let doors = count(&graph, |kind| kind == LinkKind::Door);
        assert_eq!(doors, marks(&graph, &[MarkKind::Door]), "{}", row.name());
        assert!(doors <= row.number("door_triangles").unwrap(), "{}", row.name());
        let beyond =
            |kind| matches!(kind, LinkKind::Border | LinkKind::Jump | LinkKind::Drop | LinkKind::Other);
        assert_eq!(count(&graph, beyond), row.number("edge_links").unwrap(), "{}: an edge each", row.name());
    });
}

#[test]
fn spaces_of_a_plugin_share_nothing() {
    use navmap::format::skyrim::{Plugin, SkyrimGraph};
    let path = bundled().join("skyrim/se/village.esp");
    let bytes = std::fs::read(path).unwrap();
    let plugin = Plugin::parse(&bytes, &navmap::Limits::default()).unwrap();
    let whole = FlatGraph::of(&SkyrimGraph::new(&plugin)).whole().unwrap();
    let spaces = SkyrimGraph::new(&plugin).spaces();
    assert!(spaces.len() > 1, "{spaces:?}");
    let parts: Vec<FlatGraph> = SkyrimGraph::new(&plugin)
        .split()
        .iter()
        .map(|(_, graph)| FlatGraph::of(graph).whole().unwrap())
        .collect();
    let one_by_one: Vec<usize> = spaces
        .iter()
        .map(|(space, _)| {
            FlatGraph::of(&SkyrimGraph::new(&plugin).only(*space)).whole().unwrap().nodes().len()
        })
        .collect();
    assert_eq!(parts.iter().map(|part| part.nodes().len()).collect::<Vec<_>>(), one_by_one);
    assert_eq!(one_by_one.iter().sum::<usize>(), whole.nodes().len());
    let inside = |graph: &FlatGraph| graph.links().iter().filter(|link| link.to.is_some()).count();
    assert_eq!(parts.iter().map(inside).sum::<usize>(), inside(&whole), "no link leaves a space");
}

#[test]
fn the_cells_of_a_worldspace_are_stitched_together() {
    let Some(real) = real() else { return };
    use navmap::format::skyrim::{Plugin, SkyrimGraph, SpaceId};
    let bytes = std::fs::read(real.join("skyrim/le/DawnOfTheSilverHand.esp")).unwrap();
    let plugin = Plugin::parse(&bytes, &navmap::Limits::default()).unwrap();
    let graph = SkyrimGraph::new(&plugin);
    let (world, meshes) = graph.spaces()[0];
    assert!(matches!(world, SpaceId::World(form) if form.get() == 0x3C) && meshes > 3);
    let stats = Stats::of(&graph.only(world)).whole().unwrap();
    assert!(stats.components < meshes as u64, "{} islands of {meshes} meshes", stats.components);
}

#[test]
fn a_damaged_file_is_a_graph_as_far_as_it_goes() {
    let path = Path::new("cut.nav");
    let whole = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let nodes = |bytes: &[u8]| {
        let nav = AnyNav::parse(bytes, Some(path), &ParseOptions::default()).unwrap();
        let Partial { value, error } = nav.flat_graph();
        consistent(&value, "cut");
        (value.nodes().len(), error.is_some())
    };
    let (all, damaged) = nodes(&whole);
    assert!(all > 4 && !damaged);
    let (some, damaged) = nodes(&whole[..whole.len() / 2]);
    assert!(some > 0 && some < all && damaged, "{some} of {all}");
}

#[test]
fn flips_and_inflated_counts_never_panic_a_graph() {
    let smallest =
        ["source/v16-2-tf2.nav", "quake/nav3-v6.nav", "fox/standalone.nav2", "skyrim/nvnm/v12.nvnm"];
    for name in smallest {
        let path = bundled().join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        // Every byte of a small file; of a larger one a spread that meets every kind of field.
        let step = (bytes.len() / 1_500).max(1) | 1;
        for (nth, at) in (0..bytes.len()).step_by(step).enumerate() {
            let original = bytes[at];
            for value in [!original, 0xFF] {
                bytes[at] = value;
                exhaust(&bytes, &path, if nth % 16 == 0 { Made::Pixels } else { Made::Graph });
            }
            bytes[at] = original;
        }
    }
}

/// Of every version of every family, as its files in the corpus are, a spread of bytes.
#[test]
fn flips_never_panic_a_graph_of_any_version() {
    let mut seen = Vec::new();
    let families =
        ["aas", "detour", "fox", "nodegraph", "pathgrid", "quake", "rcbot", "skyrim/nvnm", "source"];
    for family in families.into_iter().chain(["xray", "yapb"]) {
        let files = std::fs::read_dir(bundled().join(family)).unwrap().map(|entry| entry.unwrap().path());
        for path in files.filter(|path| path.is_file() && !path.ends_with("MANIFEST.tsv")) {
            let mut bytes = std::fs::read(&path).unwrap();
            let step = (bytes.len() / 100).max(1) | 1;
            for (nth, at) in (0..bytes.len()).step_by(step).enumerate() {
                let original = bytes[at];
                for value in [!original, 0xFF] {
                    bytes[at] = value;
                    exhaust(&bytes, &path, if nth % 16 == 0 { Made::Pixels } else { Made::Graph });
                }
                bytes[at] = original;
            }
            seen.push(path);
        }
    }
    let is_seen = |version: u32| seen.iter().any(|path| path.ends_with(format!("source/v{version}.nav")));
    assert!((30..=34).all(is_seen) && seen.len() > 70, "{seen:?}");
}

/// Height of a Source area at a place, from its four corners: north-west, north-east, south-east, south-west.
fn height_at(corners: &[navmap::graph::Point], x: f32, y: f32) -> f32 {
    let [nw, ne, se, sw] = [corners[0], corners[1], corners[2], corners[3]];
    let share = |v: f32, from: f32, to: f32| ((v - from) / (to - from)).clamp(0.0, 1.0);
    let (u, v) = (share(x, nw.x, se.x), share(y, nw.y, se.y));
    let (north, south) = (nw.z + u * (ne.z - nw.z), sw.z + u * (se.z - sw.z));
    north + v * (south - north)
}

#[test]
fn a_source_connection_is_a_jump_or_a_drop_where_the_step_is_too_high() {
    let Some(real) = real() else { return };
    let path = real.join("source/tf2-16.2/cp_steel.nav");
    let bytes = std::fs::read(&path).unwrap();
    let nav = AnyNav::parse(&bytes, Some(&path), &ParseOptions::default()).unwrap();
    let graph = nav.flat_graph().whole().unwrap();
    let mut seen = [0; 3];
    for link in graph.links() {
        let (Some([a, b]), Some(to)) = (link.portal, link.to) else { continue };
        let middle = a.midway(b);
        let there = height_at(graph.corners(&graph.nodes()[to as usize]), middle.x, middle.y);
        let here = height_at(graph.corners(&graph.nodes()[link.from as usize]), middle.x, middle.y);
        assert!((here - middle.z).abs() < 0.6, "the portal lies on the side it leaves");
        let kind = match there - here {
            rise if (rise.abs() - 18.0).abs() < 0.01 => link.kind,
            18.0.. => LinkKind::Jump,
            ..-18.0 => LinkKind::Drop,
            _ => LinkKind::Walk,
        };
        assert_eq!(link.kind, kind, "{} -> {to}, {} up", link.from, there - here);
        seen[[LinkKind::Walk, LinkKind::Jump, LinkKind::Drop].iter().position(|k| *k == kind).unwrap()] += 1;
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    // The same kinds where nobody asks for portals.
    let csr = nav.csr().whole().unwrap();
    let with: Vec<_> = graph.links().iter().filter_map(|l| Some((l.from, l.to?, l.kind))).collect();
    assert_eq!(csr.iter().collect::<Vec<_>>(), with);
}

#[test]
fn each_side_of_a_source_area_has_heights_of_its_own() {
    const STEP: f32 = 18.0;
    let quad = |id, nw: [f32; 2], se: [f32; 2], z: [f32; 4]| Area {
        id,
        nw: [nw[0], nw[1], z[0]],
        ne_z: z[1],
        se: [se[0], se[1], z[2]],
        sw_z: z[3],
        ..Area::default()
    };
    let mut mesh = Mesh { version: 9, bsp_size: 1, ..Mesh::default() };
    let mut expected = Vec::new();
    for bits in 0..16u8 {
        let z = [0, 1, 2, 3].map(|corner| f32::from(bits >> corner & 1) * 50.0);
        let middle = mesh.areas.len();
        mesh.areas.push(quad(middle as u32 + 1, [0.0, 0.0], [100.0, 100.0], z));
        // Beside the first half of each side, low, between and high.
        let sides = [
            ([0.0, -50.0], [50.0, 0.0], z[0], z[1]),
            ([100.0, 0.0], [150.0, 50.0], z[1], z[2]),
            ([0.0, 100.0], [50.0, 150.0], z[3], z[2]),
            ([-50.0, 0.0], [0.0, 50.0], z[0], z[3]),
        ];
        for (side, (nw, se, first, last)) in sides.into_iter().enumerate() {
            for height in [0.0, 25.0, 50.0] {
                let id = mesh.areas.len() as u32 + 1;
                mesh.areas.push(quad(id, nw, se, [height; 4]));
                mesh.areas[middle].connections[side].push(id);
                let rise = height - (first + (last - first) / 4.0);
                expected.push(match rise {
                    _ if rise > STEP => LinkKind::Jump,
                    _ if rise < -STEP => LinkKind::Drop,
                    _ => LinkKind::Walk,
                });
            }
        }
    }
    let bytes = write(&mesh);
    let nav = AnyNav::parse(&bytes, None, &ParseOptions::default()).unwrap();
    let (graph, csr) = (nav.flat_graph().whole().unwrap(), nav.csr().whole().unwrap());
    assert_eq!(graph.links().iter().map(|link| link.kind).collect::<Vec<_>>(), expected);
    assert_eq!(csr.iter().map(|(_, _, kind)| kind).collect::<Vec<_>>(), expected, "without portals");
}

#[test]
fn kinds_are_those_of_the_records() {
    use navmap::format::quake::LinkType;
    use navmap::format::skyrim::{LinkKind as Edge, Plugin};
    each_row("quake", |row, nav| {
        let AnyNav::Quake(quake) = nav else { return };
        if row.name().contains("hostile") {
            return;
        }
        let graph = flat(nav, row);
        let stored = |wanted: &[LinkType]| {
            quake.links().iter().filter(|link| wanted.contains(&quake.link_type(link))).count() as u64
        };
        let told = |kind| count(&graph, |k| k == kind);
        assert_eq!(told(LinkKind::Walk), stored(&[LinkType::Walk]), "{}", row.name());
        assert_eq!(told(LinkKind::Drop), stored(&[LinkType::WalkOffLedge]), "{}", row.name());
        assert_eq!(told(LinkKind::Ladder), stored(&[LinkType::Ladder]), "{}", row.name());
        assert_eq!(told(LinkKind::Teleport), stored(&[LinkType::Teleport]), "{}", row.name());
    });
    let mut ledges = 0;
    each_row("skyrim", |row, nav| {
        let AnyNav::Plugin(plugin) = nav else { return };
        let plugin: &Plugin<'_> = plugin;
        let (mut up, mut down, mut switched) = (0, 0, 0);
        let mut scratch = navmap::bytes::Scratch::new();
        for navm in plugin.navmeshes().filter_map(Result::ok) {
            let Ok(Some(mesh)) = navm.mesh(&mut scratch) else { continue };
            for link in mesh.edge_links().iter() {
                up += u64::from(link.kind() == Edge::LedgeUp);
                down += u64::from(link.kind() == Edge::LedgeDown);
                switched += u64::from(link.kind() == Edge::EnableDisable);
            }
        }
        let graph = flat(nav, row);
        let gated = graph.links().iter().filter(|link| link.gated).count() as u64;
        let told = [count(&graph, |k| k == LinkKind::Jump), count(&graph, |k| k == LinkKind::Drop), gated];
        assert_eq!(told, [up, down, switched], "{}: every link is some edge's", row.name());
        ledges += up;
    });
    assert!(real().is_none() || ledges > 0, "no ledge was seen");
}
