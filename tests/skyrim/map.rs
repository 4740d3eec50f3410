//! The navmesh info map.

use crate::{check, plugin};
use navmap::bytes::Scratch;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::skyrim::edit::SkyrimEditor;
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{
    Changes, FormId, LoadOrder, MapEntry, MapEntryBuf, MapFlags, NavMap, NavMesh, NavMeshBuf, Parent, Tag,
};
use navmap_testkit::corpus;
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::plugin::{DELETED, Plugin as Made, field, record};
use navmap_testkit::skyrim::{self as kit, FO4, SE, STARFIELD};

#[test]
fn entries_paths_and_deleted_meshes_are_what_was_made() {
    for game in [SE, FO4, STARFIELD] {
        let bytes = kit::village(game, 2, (3, 3), true).0.encode();
        let plugin = plugin(&bytes);
        let mut scratch = Scratch::new();
        let navi = plugin.navi().unwrap().unwrap();
        assert_eq!((navi.tag(), navi.form_id().get()), (Tag::NAVI, game.navi));
        let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
        assert_eq!(map.version(), game.nvnm);
        let entries: Vec<MapEntry<'_>> = map.entries().map(Result::unwrap).collect();
        assert_eq!(entries.len(), 6);
        let first = entries.iter().find(|entry| entry.head.flags().contains(MapFlags::ISLAND)).unwrap();
        let island = first.island.unwrap();
        assert_eq!((island.triangles.len(), island.vertices.len()), (1, 3));
        assert_eq!(island.triangles[0].vertices(), [0, 1, 2]);
        // One neighbour lies in the north, one along the road in the east.
        assert_eq!((first.links.len(), first.preferred_links.len()), (1, 1));
        assert!(matches!(first.pathing_cell.parent(), Parent::Exterior { x: 2, y: -1, .. }));
        assert_eq!(first.doors[0].reference(), FormId::new(0x0100_08E1));
        assert_eq!(first.unknown_tail.is_some(), game.nvnm == 17);
        let paths = map.preferred_paths().unwrap().unwrap();
        assert_eq!(paths.paths().map(<[_]>::len).collect::<Vec<_>>(), [2]);
        assert_eq!(paths.markers().len(), 1);
        assert_eq!(map.deleted().unwrap().len(), 1);
        assert_eq!(map.other_fields().count(), 0);
    }
}

#[test]
fn every_real_map_is_read_to_its_last_byte() {
    let Some(folder) = corpus::real() else { return };
    let (mut maps, mut entries, mut scratch) = (0, 0, Scratch::new());
    for row in corpus::manifest(&folder.join("skyrim")) {
        let bytes = row.read();
        if row.name().ends_with(".nvnm") {
            continue;
        }
        let Some(navi) = plugin(&bytes).navi().unwrap() else { continue };
        let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
        maps += 1;
        entries += map.entries().map(Result::unwrap).count();
        map.deleted().unwrap();
        if let Some(paths) = map.preferred_paths().unwrap() {
            assert_eq!(paths.paths().count(), paths.len(), "{}", row.name());
        }
    }
    assert!(maps >= 15 && entries > 800, "{maps} maps, {entries} entries");
}

/// A plugin with one mesh and two entries of it: as they should be, but for the center of one.
fn twice(stale_first: bool) -> (Vec<u8>, [Vec<u8>; 2]) {
    const CELL: u32 = 0x0100_0820;
    const MESH: u32 = 0x0100_0900;
    let mut made = Made::new(SE.form, SE.hedr, &[SE.master]);
    let mesh = Mesh::sheet(12, Place::Interior(CELL), 4, 3, 1);
    let (entry, mut stale) = (mesh.map_entry(MESH, false), mesh.map_entry(MESH, false));
    // The exponent of its x.
    stale[11] ^= 0x01;
    let entries = if stale_first { [stale, entry] } else { [entry, stale] };
    made.groups.push(made.navi(SE.navi, 12, &entries, &[MESH]));
    made.groups.push(made.interior(CELL, &[kit::navm(&made, MESH, &mesh, true)]));
    (made.encode(), entries)
}

/// The payloads of all entries.
fn payloads(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut scratch = Scratch::new();
    let navi = plugin(bytes).navi().unwrap().unwrap();
    let fields = navi.fields(&mut scratch).unwrap().map(Result::unwrap);
    fields.filter(|field| field.tag == Tag(*b"NVMI")).map(|field| field.data.to_vec()).collect()
}

fn codes(bytes: &[u8]) -> Vec<&'static str> {
    check("x.esp", bytes).iter().map(|finding| finding.code).collect()
}

#[test]
fn of_two_entries_of_a_mesh_an_edit_changes_the_last() {
    let (before, [first, last]) = twice(true);
    assert_eq!(codes(&before), ["nvmi-twice"]);
    let mut session =
        Session::new(SkyrimEditor::of_plugin(&plugin(&before)).unwrap(), SessionOptions::default());
    session.line("move 0 0 64").unwrap();
    let after = session.editor().encode().unwrap();
    let entries = payloads(&after);
    assert!(entries.len() == 2 && entries[0] == first && entries[1] != last);
    assert_eq!(codes(&after), ["nvmi-twice"]);
    session.line("undo").unwrap();
    assert!(session.editor().encode().unwrap() == before);
}

#[test]
fn of_two_entries_of_a_mesh_a_repair_mends_the_last() {
    let (before, [entry, stale]) = twice(false);
    assert!(codes(&before).contains(&"nvmi-center"), "{:?}", codes(&before));
    let mut order = LoadOrder::new();
    order.push("P.esp", plugin(&before));
    let mut options = FixOptions { repairs: vec![Repair::Entry], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    assert_eq!((plan.done(), plan.left()), (1, 0), "{:#?}", plan.deeds());
    let after = plan.plugin(0).unwrap();
    let entries = payloads(&after);
    assert!(entries.len() == 2 && entries[0] == entry && entries[1] != stale);
    assert_eq!(codes(&after), ["nvmi-twice"]);
    // With the first gone nothing is found any more.
    options.repairs.push(Repair::Prune);
    let after = FixPlan::new(&order, &options).plugin(0).unwrap();
    assert_eq!((payloads(&after).len(), codes(&after)), (1, Vec::new()));
}

#[test]
fn an_entry_that_an_edit_leaves_as_it_is_keeps_its_bytes() {
    let (before, _) = twice(true);
    let base = plugin(&before);
    let navi = base.navi().unwrap().unwrap();
    let mut scratch = Scratch::new();
    // A size that does not need it, in a field before.
    let far = |data: &[u8]| {
        let size = u32::try_from(data.len()).unwrap().to_le_bytes();
        [b"XXXX\x04\0", &size[..], b"NVMI\0\0", data].concat()
    };
    let mut data = Vec::new();
    for each in navi.fields(&mut scratch).unwrap().map(Result::unwrap) {
        data.extend(if each.tag == Tag(*b"NVMI") { far(each.data) } else { field(&each.tag.0, each.data) });
    }
    let mut changes = Changes::new();
    changes.set(&navi, navi.header().flags(), data.clone());
    let before = changes.apply(&base).unwrap();
    let mut session =
        Session::new(SkyrimEditor::of_plugin(&plugin(&before)).unwrap(), SessionOptions::default());
    session.line("set water 01000900#2").unwrap();
    let after = session.editor().encode().unwrap();
    assert!(after != before);
    let after = plugin(&after);
    let navi = after.navi().unwrap().unwrap();
    assert!(navi.fields(&mut scratch).unwrap().rest() == data);
}

/// The entries of a plugin's info map.
fn entries(bytes: &[u8]) -> Vec<MapEntryBuf> {
    let mut scratch = Scratch::new();
    let navi = plugin(bytes).navi().unwrap().unwrap();
    let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
    map.entries().map(|entry| MapEntryBuf::read(&entry.unwrap())).collect()
}

#[test]
fn an_edit_changes_no_entry_of_another_mesh() {
    for (name, one, other) in [
        ("fo4/village.esp", "01000901#3", "01000900#36"),
        ("se/village.esp", "01000902#48", "01000900#36"),
        ("starfield/village.esm", "01000901#3", "01000900#36"),
    ] {
        let before = std::fs::read(corpus::bundled_path("skyrim", name)).unwrap();
        let open = || {
            let editor = SkyrimEditor::of_plugin(&plugin(&before)).unwrap();
            Session::new(editor, SessionOptions { journal: true, ..SessionOptions::default() })
        };
        let mut session = open();
        let bytes = |session: &Session<SkyrimEditor>| session.editor().encode().unwrap();
        session.line(&format!("set water {one}")).unwrap();
        let first = bytes(&session);
        assert!(first != before, "{name}");
        // A flag is nothing that an entry has.
        assert_eq!(entries(&first), entries(&before), "{name}");
        session.line(&format!("set water {other}")).unwrap();
        assert_eq!(entries(&bytes(&session)), entries(&before), "{name}");
        session.line("undo").unwrap();
        assert!(bytes(&session) == first, "{name}: what was taken back leaves no trace");
        let journal = session.journal().to_string();
        let mut again = open();
        again.replay(&journal, |fared| {
            fared.unwrap();
            std::ops::ControlFlow::Continue(())
        });
        assert!(bytes(&again) == first, "{name}: as the journal says");
    }
}

/// A plugin that overrides a mesh linked with two others of its master, of which it has an entry if `listed`. Over one
/// link leads a road.
fn of_master(listed: bool) -> Vec<u8> {
    of_master_with(listed, |_| {})
}

fn of_master_with(listed: bool, change: impl Fn(&mut Mesh)) -> Vec<u8> {
    let mut made = Made::new(SE.form, SE.hedr, &[SE.master]);
    let mut mesh = Mesh::sheet(12, Place::Interior(0x900), 4, 3, 1);
    for (triangle, edge, navmesh) in [(9, 2, 0xA01), (0, 0, 0xA02)] {
        mesh.link(triangle, edge, Link { kind: 0, navmesh, triangle: 6, edge: 1 });
    }
    mesh.preferred.push(0xA01);
    change(&mut mesh);
    if listed {
        made.groups.push(made.navi(SE.navi, 12, &[mesh.map_entry(0xA00, false)], &[0xA01]));
    }
    made.groups.push(made.interior(0x900, &[kit::navm(&made, 0xA00, &mesh, true)]));
    made.encode()
}

#[test]
fn an_override_gets_an_entry_once_an_edit_makes_that_of_its_master_wrong() {
    let before = of_master(false);
    let mut session =
        Session::new(SkyrimEditor::of_plugin(&plugin(&before)).unwrap(), SessionOptions::default());
    session.line("set water 00000A00#2").unwrap();
    let after = session.editor().encode().unwrap();
    assert!(plugin(&after).navi().unwrap().is_none(), "a flag is nothing that an entry has");
    for (edit, links) in [("move 0 0 64", 2), ("unlink 00000A00#0 0", 1)] {
        session.line(edit).unwrap();
        let after = session.editor().encode().unwrap();
        let entries = entries(&after);
        let [entry] = &entries[..] else { panic!("{edit}: {entries:?}") };
        assert_eq!((entry.navmesh, entry.links.len()), (FormId::new(0xA00), links), "{edit}");
        assert_eq!(codes(&after), codes(&before), "{edit}");
    }
    assert_eq!(session.editor().report().notes.len(), 1);
    session.line("undo all").unwrap();
    assert!(session.editor().encode().unwrap() == before);
}

#[test]
fn a_road_into_a_mesh_of_another_plugin_stays_one_in_the_entry() {
    let before = of_master(true);
    let road = |edit: &str| {
        let mut session =
            Session::new(SkyrimEditor::of_plugin(&plugin(&before)).unwrap(), SessionOptions::default());
        session.line(edit).unwrap();
        let entries = entries(&session.editor().encode().unwrap());
        entries[0].preferred_links.iter().map(|form| form.get()).collect::<Vec<_>>()
    };
    assert_eq!(road("move 0 0 64"), [0xA01]);
    assert_eq!(road("clear preferred 00000A00#9"), [0; 0]);
    // Nor does a repair know the flags, without the master.
    let mut order = LoadOrder::new();
    let stale = of_master_with(true, |mesh| mesh.triangles[4].e[2] = 0xFFFF);
    order.push("P.esp", plugin(&stale));
    let options = FixOptions { repairs: vec![Repair::Mesh], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    assert_eq!(plan.done(), 1, "{:#?}", plan.deeds());
    assert_eq!(entries(&plan.plugin(0).unwrap()), entries(&before));
}

#[test]
fn an_edit_makes_no_info_map_for_a_mesh_of_the_plugin_itself() {
    let mut made = Made::new(SE.form, SE.hedr, &[SE.master]);
    let mesh = Mesh::sheet(12, Place::Interior(0x0100_0900), 4, 3, 1);
    made.groups.push(made.interior(0x0100_0900, &[kit::navm(&made, 0x0100_0A00, &mesh, true)]));
    let before = made.encode();
    let mut session =
        Session::new(SkyrimEditor::of_plugin(&plugin(&before)).unwrap(), SessionOptions::default());
    session.line("move 0 0 64").unwrap();
    let after = session.editor().encode().unwrap();
    assert!(after != before && plugin(&after).navi().unwrap().is_none());
}

#[test]
fn an_entry_goes_with_its_mesh_only_if_the_plugin_right_before_says_the_same() {
    let mesh = |high: f32| {
        let mut mesh = Mesh::sheet(12, Place::Interior(0x900), 4, 3, 1);
        mesh.vertices.iter_mut().for_each(|vertex| vertex[2] += high);
        mesh
    };
    let made = |masters: &[&str], high: f32, entry: f32| {
        let mut made = Made::new(SE.form, SE.hedr, masters);
        made.groups.push(made.navi(SE.navi, 12, &[mesh(entry).map_entry(0xA00, false)], &[]));
        made.groups.push(made.interior(0x900, &[kit::navm(&made, 0xA00, &mesh(high), true)]));
        made.encode()
    };
    // The last repeats the mesh of the second, with the entry of the first, or of the second.
    let base = made(&[], 0.0, 0.0);
    let middle = made(&["Base.esm"], 64.0, 64.0);
    for (entry, left) in [(0.0, 1), (64.0, 0)] {
        let last = made(&["Base.esm", "Middle.esp"], 64.0, entry);
        let mut order = LoadOrder::new();
        for (name, bytes) in [("Base.esm", &base), ("Middle.esp", &middle), ("Last.esp", &last)] {
            order.push(name, plugin(bytes));
        }
        let options = FixOptions { repairs: vec![Repair::Identical], patch: false, ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        assert_eq!(plan.done(), 1, "{:#?}", plan.deeds());
        let after = plan.plugin(2).unwrap();
        assert_eq!(plugin(&after).navmeshes().count(), 0);
        let entries = plugin(&after).navi().unwrap().map_or(0, |_| entries(&after).len());
        assert_eq!(entries, left, "{entry}");
    }
}

#[test]
fn an_island_goes_down_with_its_mesh_whatever_was_wrong_with_its_lists() {
    let entry = |is_stale: bool| {
        let mesh = Mesh::sheet(12, Place::Interior(0x900), 4, 3, 1);
        let mut base = Made::new(SE.form, SE.hedr, &[]);
        base.groups.push(base.navi(SE.navi, 12, &[mesh.map_entry(0xA00, true)], &[]));
        let sound = NavMeshBuf::read(&NavMesh::parse(&mesh.encode()).unwrap()).unwrap();
        let mut stored = sound.clone();
        if is_stale {
            stored.grid.lists.iter_mut().for_each(|list| list.retain(|index| *index != 7));
        }
        let navm = record(b"NAVM", base.head(0xA00, 0), &field(b"NVNM", &stored.encode().unwrap()));
        base.groups.push(base.interior(0x900, &[navm]));
        let mut deleter = Made::new(SE.form, SE.hedr, &["Skyrim.esm"]);
        let gone = record(b"NAVM", deleter.head(0xA00, DELETED), b"");
        deleter.groups.push(deleter.interior(0x900, &[gone]));
        let (base, deleter) = (base.encode(), deleter.encode());
        let mut order = LoadOrder::new();
        order.push("Skyrim.esm", plugin(&base));
        order.push("Deleter.esp", plugin(&deleter));
        let plan = FixPlan::new(&order, &FixOptions::default());
        assert_eq!((plan.done(), plan.left()), (1 + usize::from(is_stale), 0), "{:#?}", plan.deeds());
        let patch = plan.patch(false).unwrap();
        let low = plugin(&patch).navmeshes().next().unwrap().unwrap();
        let low = NavMeshBuf::read(&low.mesh(&mut Scratch::new()).unwrap().unwrap()).unwrap().vertices[0][2];
        (entries(&patch), low)
    };
    let (sound, low) = entry(false);
    assert!(low < -20_000.0 && sound[0].island.is_some(), "{low}: {sound:?}");
    assert_eq!(entry(true), (sound, low));
}
