//! The bundled corpus: what the generator wrote is what is read.

use crate::{check, plugin, survey};
use navmap::bytes::Scratch;
use navmap::format::skyrim::{
    Edge, FormId, Game, LinkKind, NavMesh, Origin, Parent, Plugin, Scale, TriangleFlags, is_payload,
    is_plugin, recognise,
};
use navmap::{AnyNav, Counts, Kind, Limits, NavFile};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus;
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::{self as kit, SE};

fn rows() -> Vec<corpus::Row> {
    corpus::bundled_rows("skyrim")
}

#[test]
fn every_row_is_counted_as_it_says() {
    for row in rows() {
        let bytes = row.read();
        let (read, counts, _) = survey(row.name(), &bytes);
        let expected = if read.is_ok() { "ok" } else { "error" };
        assert_eq!(expected, row.text("status"), "{}: {read:?}", row.name());
        for (key, count) in counts.iter() {
            if let Some(number) = row.number(key) {
                assert_eq!(count, number, "{} {key}", row.name());
            }
        }
        if read.is_ok() {
            let bytes = &bytes[..bytes.len().min(4096)];
            assert!(recognise(bytes), "{}", row.name());
            let head = navmap::format::skyrim::head(bytes, row.number("bytes").unwrap()).unwrap();
            assert_eq!(head.game, Some(row.text("game")), "{}", row.name());
        }
    }
}

#[test]
fn the_generator_still_writes_the_bundled_files() {
    for made in kit::files() {
        let path = corpus::bundled_path("skyrim", &made.path);
        assert_eq!(std::fs::read(&path).unwrap(), made.bytes, "{}", made.path);
    }
}

#[test]
fn whole_files_have_nothing_to_find_but_what_they_were_made_with() {
    for row in rows().iter().filter(|row| row.text("status") == "ok") {
        let mut codes: Vec<_> = check(row.name(), &row.read()).iter().map(|f| f.code).collect();
        codes.sort_unstable();
        codes.dedup();
        let expected: &[&str] = match row.name() {
            "fo3/vault.esp" => &["experimental-layout", "navi-missing"],
            "se/stored.esp" => &["deleted-navmesh", "stored-navmesh"],
            "se/large-stored.esp" | "odd/groups.esp" => &["stored-navmesh"],
            "se/large-compressed.esp" => &[],
            name if name.starts_with("nvnm/") || name.starts_with("order/") => &[],
            _ => &["deleted-navmesh"],
        };
        assert_eq!(codes, expected, "{}", row.name());
    }
}

#[test]
fn what_was_made_is_what_is_read() {
    for version in [12, 15, 17] {
        let mut made = Mesh::sheet(version, Place::Exterior(0x3C, -3, 7), 9, 8, 5);
        made.link(3, 1, kit::mesh::Link { kind: 1, navmesh: 0x0100_0A0B, triangle: 77, edge: 2 });
        made.door(6, 0x0100_0D00);
        let bytes = made.encode();
        let mesh = NavMesh::parse(&bytes).unwrap();
        assert_eq!(mesh.parent(), Parent::Exterior { world: FormId::new(0x3C), x: -3, y: 7 });
        assert_eq!(mesh.vertices().iter().map(|v| v.to_array()).collect::<Vec<_>>(), made.vertices);
        for (triangle, made) in mesh.triangles().iter().zip(&made.triangles) {
            assert_eq!((triangle.vertices(), triangle.flags().0), (made.v, made.flags));
            assert_eq!((triangle.corners().edge_values(), triangle.cover_word()), (made.e, made.cover));
        }
        let linked = mesh.triangles().get(3).unwrap();
        assert_eq!(linked.edges()[1], Edge::Link(0));
        assert!(linked.flags().contains(TriangleFlags::EDGE_1_LINK));
        let link = mesh.edge_links().get(0).unwrap();
        assert_eq!(
            (link.kind(), link.navmesh(), link.triangle()),
            (LinkKind::LedgeUp, FormId::new(0x0100_0A0B), 77)
        );
        assert_eq!(mesh.edge_links().target_edge(0), (version > 12).then_some(2));
        assert_eq!(mesh.door_triangles().get(0), Some((6, FormId::new(0x0100_0D00))));
        let grid = mesh.grid().unwrap();
        let lists: Vec<Vec<u16>> = grid.lists().map(|list| list.iter().map(|t| t.get()).collect()).collect();
        assert_eq!(lists, made.grid_lists());
        let (divisor, cell) = (made.divisor(), grid.cell(1, 2).unwrap());
        assert_eq!(cell.len(), lists[(2 * divisor + 1) as usize].len());
        assert!(grid.cell(divisor, 0).is_none() && grid.cell(0, divisor).is_none());
        assert_eq!(mesh.waypoints().len(), made.waypoints.len());
        assert_eq!(mesh.tail().is_some(), version == 17);
    }
}

#[test]
fn a_version_beyond_the_known_ones_is_read_only_where_a_known_layout_ends_exactly() {
    for (layout, version, reads) in
        [(15, 13, true), (15, 14, true), (17, 16, true), (17, 18, true), (12, 18, false)]
    {
        let mut bytes = Mesh::sheet(layout, Place::Interior(9), 3, 3, 1).encode();
        bytes[0] = version;
        match NavMesh::parse(&bytes) {
            Ok(mesh) => {
                assert!(reads && !mesh.is_confirmed());
                let mut codes = Vec::new();
                mesh.survey(&mut Scratch::new(), &mut Counts::default(), &mut |f| codes.push(f.code))
                    .unwrap();
                assert_eq!(codes, ["experimental-layout"]);
            }
            Err(error) => {
                assert!(!reads, "{layout} as {version}: {error}");
                let why =
                    format!("byte 0x0: NVNM version {version}: no known layout ends where the field ends");
                assert_eq!(error.to_string(), why);
            }
        }
    }
}

#[test]
fn records_stand_where_the_generator_put_them() {
    let (made, _) = kit::village(SE, 2, (6, 5), true);
    let bytes = made.encode();
    let plugin = plugin(&bytes);
    assert_eq!((plugin.game(), plugin.scale(), plugin.master_count()), (Game::SkyrimSe, Scale::Full, 1));
    assert_eq!(plugin.masters().collect::<Vec<_>>(), [b"Skyrim.esm"]);
    assert_eq!(plugin.author(), Some(&b"navmap"[..]));
    let mut scratch = Scratch::new();
    let navms: Vec<_> = plugin.navmeshes().map(Result::unwrap).collect();
    let places: Vec<_> = navms.iter().map(|navm| (navm.world().is_some(), navm.grid(&mut scratch))).collect();
    let inside = (false, None);
    let outside = |x, y| (true, Some((x, y)));
    assert_eq!(
        places,
        [inside, inside, inside, outside(2, -1), outside(3, -1), outside(2, 0), outside(3, 0)]
    );
    assert_eq!(plugin.origin(navms[0].form_id()), Origin::Own);
    assert_eq!(plugin.origin(navms[1].form_id()), Origin::Master(0));
    assert_eq!(plugin.origin(FormId::new(0x7700_0001)), Origin::Own);
    assert!(navms[2].is_deleted() && navms[2].mesh(&mut scratch).unwrap().is_none());
    assert!(navms[0].mesh_in_place().unwrap().is_none());
    // Every record of the file is reached by the walk over all of them.
    let all: Vec<_> = plugin.records().map(|record| record.unwrap().tag().to_string()).collect();
    let of = |tag: &str| all.iter().filter(|t| *t == tag).count();
    assert_eq!((of("NAVM"), of("CELL"), of("WEAP"), of("NAVI"), of("WRLD")), (7, 6, 1, 1, 1));
}

#[test]
fn stored_meshes_are_views_of_the_file_itself() {
    let (made, totals) = kit::village(SE, 2, (6, 5), false);
    let bytes = made.encode();
    let inside = bytes.as_ptr_range();
    let meshes: Vec<_> =
        plugin(&bytes).navmeshes().filter_map(|navm| navm.unwrap().mesh_in_place().unwrap()).collect();
    assert_eq!(meshes.len(), totals.meshes);
    assert!(meshes.iter().all(|mesh| inside.contains(&mesh.as_bytes().as_ptr())));
}

#[test]
fn nothing_is_allocated_for_a_mesh_once_the_buffers_are_warm() {
    for compressed in [true, false] {
        let bytes = kit::village(SE, 3, (20, 20), compressed).0.encode();
        let (mut scratch, mut counts) = (Scratch::new(), Counts::default());
        let survey = |scratch: &mut Scratch, counts: &mut Counts| {
            let plugin = Plugin::parse(&bytes, &Limits::default()).unwrap();
            plugin.survey(scratch, counts, &mut |f| panic!("{f}")).unwrap();
        };
        survey(&mut scratch, &mut counts);
        let (_, cost) = cost_of(|| survey(&mut scratch, &mut counts));
        assert_eq!((cost.calls, cost.peak_bytes), (0, 0), "compressed: {compressed}");
        let plugin = plugin(&bytes);
        let (sum, cost) = cost_of(|| {
            let mut sum = 0u64;
            for navm in plugin.navmeshes().flatten() {
                let Some(mesh) = navm.mesh(&mut scratch).unwrap() else { continue };
                sum += mesh.triangles().iter().map(|t| u64::from(t.vertices()[0])).sum::<u64>();
                sum += mesh.grid().unwrap().lists().map(|list| list.len() as u64).sum::<u64>();
            }
            sum
        });
        assert!(sum > 0);
        assert_eq!(cost.calls, 0);
    }
}

#[test]
fn parallel_visits_give_the_same_in_the_same_order() {
    let bytes = kit::village(SE, 4, (12, 12), true).0.encode();
    let plugin = plugin(&bytes);
    let mut scratch = Scratch::new();
    let one: Vec<_> = plugin
        .navmeshes()
        .map(|navm| {
            let navm = navm.unwrap();
            (navm.form_id(), navm.mesh(&mut scratch).unwrap().map(|mesh| mesh.triangles().len()))
        })
        .collect();
    let many =
        plugin.par_navmeshes(|navm, mesh| (navm.form_id(), mesh.unwrap().map(|mesh| mesh.triangles().len())));
    assert_eq!(many.into_iter().map(Result::unwrap).collect::<Vec<_>>(), one);
}

#[test]
fn a_large_plugin_is_surveyed_on_all_cores_with_the_same_result() {
    let (mut bytes, totals) = kit::realistic(28);
    assert!(bytes.len() > 8 << 20);
    // Spoil one stream in the middle of the file.
    let navm = plugin(&bytes).navmeshes().nth(300).unwrap().unwrap().record().data_offset() as usize;
    bytes[navm + 20..navm + 60].fill(0xAA);
    let survey = |spread: bool| {
        let (mut scratch, mut counts, mut found) = (Scratch::new(), Counts::default(), Vec::new());
        scratch.spread = spread;
        let read = plugin(&bytes).survey(&mut scratch, &mut counts, &mut |f| found.push(f));
        (read.unwrap_err().to_string(), counts, found)
    };
    let one = survey(false);
    assert_eq!(survey(true), one);
    assert_eq!(one.1.get("navmeshes"), Some(totals.meshes as u64 - 1));
    assert!(one.0.starts_with("NAVM 300 ("), "{}", one.0);
}

#[test]
fn forms_are_told_apart_by_their_first_bytes() {
    let page = |name: &str| rows().iter().find(|row| row.name() == name).unwrap().read();
    assert!(is_plugin(&page("se/village.esp")) && !is_payload(&page("se/village.esp")));
    assert!(is_payload(&page("nvnm/v17.nvnm")) && !is_plugin(&page("nvnm/v17.nvnm")));
    assert!(is_plugin(&page("hostile/morrowind.esm")) && is_plugin(&page("hostile/oblivion.esp")));
    for text in
        [&b"TES4 is what this text begins with, no more"[..], b"TES3", b"", b"version https://git-lfs"]
    {
        assert!(!recognise(text));
    }
    let bytes = page("nvnm/v15.nvnm");
    let nav = AnyNav::parse(&bytes, None, &Default::default()).unwrap();
    assert_eq!((nav.kind(), nav.kind().form()), (Kind::Payload, "payload"));
}

#[test]
fn info_prints_every_record_even_behind_damage() {
    let bytes = rows().iter().find(|row| row.name() == "hostile/bad-zlib.esp").unwrap().read();
    let (mut out, mut scratch) = (Vec::new(), Scratch::new());
    let error = navmap::format::skyrim::print_records(&plugin(&bytes), &mut scratch, &mut out).unwrap_err();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(error.to_string().starts_with("NAVM 1 (01000811), byte"), "{error}");
    let mut out = Vec::new();
    plugin(&bytes).info(&mut scratch, &mut out).unwrap_err();
    assert!(String::from_utf8(out).unwrap().contains("info map            none"));
}

#[test]
fn dump_holds_everything_and_names_the_damage() {
    let dump = |name: &str| {
        let bytes = rows().iter().find(|row| row.name() == name).unwrap().read();
        serde_json::to_value(plugin(&bytes).stream()).unwrap()
    };
    let whole = dump("starfield/village.esm");
    let meshes = whole["navmeshes"].as_array().unwrap();
    assert_eq!(meshes.len(), 7);
    assert_eq!(meshes[0]["form_id"], "010008F0");
    assert_eq!(meshes[0]["mesh"]["triangles"].as_array().unwrap().len(), 70);
    assert_eq!(meshes[3]["mesh"]["parent"]["kind"], "exterior");
    assert_eq!(meshes[2]["mesh"], serde_json::Value::Null);
    assert_eq!(whole["info_map"]["entries"].as_array().unwrap().len(), 6);
    assert_eq!(whole["error"], serde_json::Value::Null);
    let damaged = dump("hostile/bad-zlib.esp");
    assert_eq!(damaged["navmeshes"].as_array().unwrap().len(), 3);
    assert!(damaged["navmeshes"][1]["error"].as_str().unwrap().contains("compressed data"));
    assert!(damaged["navmeshes"][2]["mesh"].is_object());
    let cut = dump("hostile/truncated.esp");
    assert_eq!(cut["navmeshes"].as_array().unwrap().len(), 2);
    assert!(cut["error"].as_str().unwrap().contains("bytes needed"));
}
