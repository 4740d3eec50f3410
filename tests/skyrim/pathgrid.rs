//! Path grids of Morrowind and Oblivion: real and bundled plugins against the counts of their manifests, findings, damage.

use super::pathgridexhaust::exhaust;
use navmap::bytes::Scratch;
use navmap::format::skyrim::FormId;
use navmap::format::skyrim::pathgrid::{GridGame, GridGraph, GridPlugin, GridSpace};
use navmap::format::{AnyNav, Kind, ParseOptions};
use navmap::graph::{LinkKind, NavGraph};
use navmap::{Counts, ErrorKind, Finding, Limits, NavFile, NavFormat, Severity};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{Row, bundled_path, bundled_rows, manifest, real};
use navmap_testkit::hostile::{cuts, flips};
use navmap_testkit::skyrim::pathgrid::{
    Grid, cell3, header3, header4, interior4, morrowind, oblivion, record3, record4,
};
use navmap_testkit::skyrim::plugin::COMPRESSED;
use std::collections::HashMap;

fn rows() -> Vec<Row> {
    match real().map(|real| real.join("pgrd")).filter(|folder| folder.is_dir()) {
        Some(folder) => manifest(&folder),
        None => {
            navmap_testkit::skipped("no real path grids");
            Vec::new()
        }
    }
}

fn parse(bytes: &[u8]) -> GridPlugin<'_> {
    GridPlugin::parse(bytes, &Limits::default()).unwrap()
}

fn check(bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    parse(bytes).check(&mut Scratch::new(), &mut |finding| found.push(finding)).unwrap();
    found
}

fn counts(bytes: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let _ = parse(bytes).survey(&mut Scratch::new(), &mut counts, &mut |_| {});
    counts
}

#[test]
fn every_real_plugin_has_the_counts_of_its_row() {
    for row in rows() {
        let bytes = row.read();
        assert!(exhaust(&bytes), "{}", row.name());
        let nav = AnyNav::parse(&bytes, None, &ParseOptions::new()).unwrap();
        assert_eq!((nav.kind(), nav.kind().form()), (Kind::Grids, "plugin"), "{}", row.name());
        let plugin = parse(&bytes);
        let game = if row.text("form") == "tes3" { GridGame::Morrowind } else { GridGame::Oblivion };
        assert_eq!(plugin.game(), game, "{}", row.name());
        let counts = counts(&bytes);
        for name in ["grids", "points"] {
            assert_eq!(counts.get(name), row.number(name), "{}: {name}", row.name());
        }
        let mut scratch = Scratch::new();
        let (mut links, mut mutual, mut foreign, mut exterior, mut deleted, mut blocking) =
            (0, 0, 0, 0, 0, 0);
        for record in plugin.grids() {
            let record = record.unwrap();
            deleted += u64::from(record.is_deleted());
            let Some(grid) = record.grid(&mut scratch).unwrap() else { continue };
            exterior += u64::from(record.is_exterior(&grid));
            let ends: Vec<_> = grid.links().map(|link| (link.from, link.to)).collect();
            links += ends.len() as u64;
            mutual += ends.iter().filter(|(a, b)| ends.contains(&(*b, *a))).count() as u64;
            foreign += grid.foreign().len() as u64;
            blocking += u64::from(grid.blocking_objects());
        }
        if game == GridGame::Oblivion {
            mutual = 0;
        }
        let told = [
            ("links", links),
            ("mutual", mutual),
            ("foreign", foreign),
            ("exterior", exterior),
            ("deleted", deleted),
            ("linked_refs", blocking),
        ];
        for (name, count) in told {
            assert_eq!(Some(count), row.number(name), "{}: {name}", row.name());
        }
        let worst = check(&bytes).iter().map(|finding| finding.severity).max();
        assert!(worst < Some(Severity::Warning), "{}: {:?}", row.name(), check(&bytes));
    }
}

#[test]
fn bundled_plugins_have_the_counts_of_their_rows() {
    for row in bundled_rows("pathgrid") {
        let bytes = row.read();
        let counts = counts(&bytes);
        for name in ["grids", "points"].into_iter().filter(|name| row.number(name).is_some()) {
            assert_eq!(counts.get(name), row.number(name), "{}: {name}", row.name());
        }
        let status = match check(&bytes).iter().map(|finding| finding.severity).max() {
            Some(Severity::Error) => "error",
            Some(Severity::Warning) => "warning",
            _ => "ok",
        };
        assert_eq!(status, row.text("status"), "{}: {:?}", row.name(), check(&bytes));
        exhaust(&bytes);
    }
}

#[test]
fn points_are_in_the_coordinates_of_their_space_and_joined_over_cells() {
    let bytes = morrowind();
    let mut spaces = GridGraph::new(&parse(&bytes)).split();
    assert_eq!(spaces.len(), 2);
    let (inside, interior) = spaces.pop().unwrap();
    assert_eq!((inside, interior.point_count()), (GridSpace::Interior("Vale, Mill".to_owned()), 5));
    assert_eq!(interior.space().unwrap().to_string(), "cell Vale, Mill");
    let (outside, exterior) = spaces.pop().unwrap();
    assert_eq!(
        (outside, exterior.space().unwrap().to_string()),
        (GridSpace::Exterior, "worldspace exterior".to_owned())
    );
    let mut places = Vec::new();
    exterior.for_each_node(|node| places.push((node.id, node.shape.center().unwrap().to_array()))).unwrap();
    assert_eq!(places[0], (0, [3.0 * 8192.0 + 256.0, -2.0 * 8192.0 + 512.0, 64.0]));
    assert_eq!(places[6], (6, [4.0 * 8192.0 + 512.0, -2.0 * 8192.0 + 512.0, 64.0]));
    assert_eq!(exterior.group(1).unwrap(), "Vale at 4, -2");

    let bytes = oblivion();
    let spaces = GridGraph::new(&parse(&bytes)).split();
    let world = GridSpace::World(FormId::new(0x0100_0800));
    let (_, graph) = spaces.iter().find(|(space, _)| *space == world).unwrap();
    assert_eq!(graph.space().unwrap().to_string(), "worldspace TestVale (01000800)");
    let mut borders = Vec::new();
    graph
        .for_each_link(|link| {
            if link.kind == LinkKind::Border {
                borders.push((link.from, link.to));
            }
        })
        .unwrap();
    assert_eq!(borders, [(3, Some(4)), (4, Some(3))]);
    let mut cell = spaces.iter().filter(|(space, _)| matches!(space, GridSpace::Cell(_)));
    assert_eq!(cell.next().unwrap().1.space().unwrap().to_string(), "cell TestCellar (01000830)");
}

#[test]
fn findings_say_where_they_are() {
    let told = |name: &str| -> Vec<(String, Severity, Option<u64>)> {
        let bytes = std::fs::read(bundled_path("pathgrid", name)).unwrap();
        check(&bytes)
            .into_iter()
            .map(|found| (found.code.to_owned(), found.severity, found.at.offset))
            .collect()
    };
    let codes = |name: &str| -> Vec<String> { told(name).into_iter().map(|(code, ..)| code).collect() };
    let found = codes("odd/tes3.esp");
    for code in ["self-link", "repeated-link", "one-way-link", "isolated-point", "grid-parts", "deleted-grid"]
    {
        assert!(found.iter().any(|other| other == code), "{code} in {found:?}");
    }
    let found = told("odd/tes4.esp");
    for code in ["repeated-link", "generated-bits"] {
        assert!(found.iter().any(|(other, ..)| other == code), "{code} in {found:?}");
    }
    let foreign: Vec<Severity> =
        found.iter().filter(|(code, ..)| code == "foreign-link").map(|(_, severity, _)| *severity).collect();
    assert_eq!(foreign, [Severity::Info, Severity::Warning]);
    assert_eq!(codes("hostile/targets.esp").iter().filter(|code| *code == "point-out-of-range").count(), 1);
    assert_eq!(codes("hostile/counts.esp").iter().filter(|code| *code == "grid-counts").count(), 2);
    assert_eq!(codes("hostile/ragged.esp"), ["damaged-grid"]);
    assert_eq!(codes("hostile/twice.esp"), ["form-id-twice"]);
    assert!(codes("hostile/cut.esp").contains(&"damaged-group".to_owned()));
}

#[test]
fn findings_name_record_and_cell_as_plugin_editors_do() {
    let said = |name: &str, code: &str| -> String {
        let bytes = std::fs::read(bundled_path("pathgrid", name)).unwrap();
        let found = check(&bytes).into_iter().find(|found| found.code == code);
        found.map_or_else(|| panic!("{code} in {name}"), |found| found.message)
    };
    for (name, code, words) in [
        ("odd/tes4.esp", "repeated-link", "[PGRD:01000811] in [CELL:01000810] (TestVale 0,0): link "),
        ("odd/tes4.esp", "foreign-link", "[PGRD:01000811] in [CELL:01000810] (TestVale 0,0): point "),
        ("odd/tes3.esp", "self-link", "cell -1,7: link "),
    ] {
        let message = said(name, code);
        assert!(message.starts_with(words), "{message}");
    }
    let twice = std::fs::read(bundled_path("pathgrid", "hostile/twice.esp")).unwrap();
    let message = check(&twice).remove(0).message;
    assert!(message.starts_with("[PGRD:01000831] in [CELL:"), "{message}");
}

#[test]
fn findings_name_points_as_the_graph_does() {
    let mut named = 0;
    for name in ["odd/tes3.esp", "odd/tes4.esp", "hostile/counts.esp", "hostile/targets.esp"] {
        let bytes = std::fs::read(bundled_path("pathgrid", name)).unwrap();
        let mut places = HashMap::new();
        let graph = GridGraph::new(&parse(&bytes));
        graph.for_each_node(|node| _ = places.insert(node.id, node.shape.center())).unwrap();
        for found in check(&bytes) {
            let Some(id) = found.at.typed() else { continue };
            assert_eq!(found.at.ids, graph.ids());
            let place = places[&id].map(|at| at.to_array());
            assert!(found.place == place || matches!(found.code, "foreign-link" | "point-out-of-range"));
            let point = graph.ids().name(id).to_string();
            assert!(
                found.message.contains(&point) || found.code == "point-out-of-range",
                "{point} in {found}"
            );
            named += 1;
        }
    }
    assert_eq!(named, 10);
}

#[test]
fn every_cut_and_every_flip_is_an_error_or_a_sound_result() {
    for bytes in [morrowind(), oblivion()] {
        for cut in cuts(&bytes).filter(|cut| cut.len() < bytes.len()) {
            exhaust(cut);
        }
        flips(&bytes, |_, bytes| _ = exhaust(bytes));
    }
}

#[test]
fn many_grids_of_one_cell_and_many_odd_links_take_linear_time() {
    let mut grid = Grid { points: vec![[0; 3]; 2_000], ..Grid::default() };
    grid.generated.clear();
    let mut fields = grid.morrowind([0, 0], "Hall");
    // 255 links to itself of each point.
    let at = fields.windows(4).position(|tag| tag == b"PGRP").unwrap() + 8;
    let mut links = Vec::new();
    for point in 0..2_000_usize {
        fields[at + point * 16 + 13] = 255;
        for _ in 0..255 {
            links.extend((point as u32).to_le_bytes());
        }
    }
    let end = fields.len() - 4;
    fields.splice(end.., (links.len() as u32).to_le_bytes());
    fields.extend(links);
    let small = record3(b"PGRD", 0, &Grid::line(2, [0; 3]).morrowind([0, 0], "Hall"));
    let bytes = [header3(), cell3("Hall", None), record3(b"PGRD", 0, &fields), small.repeat(20_000)].concat();
    assert_eq!(counts(&bytes).get("grids"), Some(20_001));
    let mut found = 0_u64;
    parse(&bytes).check(&mut Scratch::new(), &mut |_| found += 1).unwrap();
    assert!(found > 2_000 * 255);
    assert_eq!(GridGraph::new(&parse(&bytes)).point_count(), 42_000);
}

#[test]
fn walking_allocates_nothing() {
    let bytes = morrowind();
    let (_, cost) = cost_of(|| counts(&bytes));
    assert_eq!(cost.calls, 0, "{cost:?}");
    let heads = GridPlugin::head(&bytes[..400], bytes.len() as u64).unwrap();
    assert_eq!(heads.game, Some("Morrowind"));
}

/// A plugin of compressed grids of 500 points each, of which some lie elsewhere than at the origin.
fn inflated(grids: u32, elsewhere: usize) -> Vec<u8> {
    let mut rng = Rng(5);
    let grids: Vec<_> = (0..grids)
        .map(|number| {
            let mut points = vec![[0; 3]; 500];
            points.iter_mut().take(elsewhere).for_each(|at| *at = [(); 3].map(|()| rng.u64() as i32 >> 8));
            let grid = Grid { points, ..Grid::default() };
            record4(b"PGRD", 0x1000 + number, COMPRESSED, &grid.oblivion())
        })
        .collect();
    [header4(), interior4(0x900, "Deep", &grids)].concat()
}

#[test]
fn grids_inflate_as_far_as_their_stored_bytes_allow() {
    for (bytes, what, least) in [
        (inflated(50, 0), "inflated size by its ratio", 0),
        (inflated(100, 80), "inflated size of all meshes by its ratio", 8),
    ] {
        let plugin = parse(&bytes);
        let mut scratch = Scratch::new();
        let read: Vec<_> = plugin.grids().map(|grid| grid.unwrap().grid(&mut scratch).map(|_| ())).collect();
        let refused: Vec<_> = read.iter().filter_map(|read| read.as_ref().err()).collect();
        assert!(!refused.is_empty() && read.len() - refused.len() >= least, "{what}");
        for error in refused {
            assert!(matches!(error.kind(), ErrorKind::Limit { what: said, .. } if *said == what), "{error}");
        }
        let (_, cost) = cost_of(|| GridGraph::new(&plugin));
        assert!(cost.peak_bytes < 32 * bytes.len() as u64 + (2 << 20), "{what}: {}", cost.peak_bytes);
    }
}
