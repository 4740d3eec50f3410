//! FormIDs whose file index lies above the number of masters: the games read them as the plugin's own, and so does everything here.

use crate::plugin;
use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::diff::{Diff, Version};
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::skyrim::edit::SkyrimEditor;
use navmap::format::skyrim::fix::{FixOptions, FixPlan};
use navmap::format::skyrim::{FormId, LoadOrder, NavMap, NavMeshBuf, SkyrimGraph, SpaceId, Tag};
use navmap::graph::FlatGraph;
use navmap::import::{Format, read};
use navmap::open;
use navmap::query::{NavIndex, Spot};
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::plugin::{Plugin as Made, door_reference};
use navmap_testkit::skyrim::{SE, navm};
use std::collections::BTreeSet;

const CELL: u32 = 0x820;
const WEST: u32 = 0x900;
const EAST: u32 = 0x901;
const DOOR: u32 = 0x8E0;

/// The file index of records, and that by which they are named elsewhere. Editors write 1, the number of masters.
type Indices = (u32, u32);

const USUAL: Indices = (1, 1);
const ODD: [Indices; 3] = [(1, 5), (5, 1), (7, 5)];

/// Two linked meshes of a cell, and a door on triangle 2 of the first. If `flat`, triangle 0 of that has no area.
fn made(indices: Indices, flat: bool) -> Vec<u8> {
    made_but(indices, |west| {
        if flat {
            west.triangles[0].v[1] = west.triangles[0].v[0];
        }
    })
}

/// The same, but for a change of the first mesh.
fn made_but(indices: Indices, change: impl FnOnce(&mut Mesh)) -> Vec<u8> {
    made_over(&[SE.master], indices, change)
}

/// The same over these masters.
fn made_over(masters: &[&str], (records, named): Indices, change: impl FnOnce(&mut Mesh)) -> Vec<u8> {
    let [of, by] = [records, named].map(|index| move |object: u32| index << 24 | object);
    let mut plugin = Made::new(SE.form, SE.hedr, masters);
    let sheet = |seed| Mesh::sheet(12, Place::Interior(by(CELL)), 4, 3, seed);
    let (mut west, mut east) = (sheet(1), sheet(2));
    west.link(6, 1, Link { kind: 0, navmesh: by(EAST), triangle: 1, edge: 2 });
    east.link(1, 2, Link { kind: 0, navmesh: by(WEST), triangle: 6, edge: 1 });
    west.door(2, by(DOOR));
    change(&mut west);
    let entries = [west.map_entry(by(WEST), false), east.map_entry(by(EAST), false)];
    plugin.groups.push(plugin.navi(SE.navi, 12, &entries, &[by(WEST)]));
    let inside = [
        door_reference(&plugin, of(DOOR), by(WEST), 2),
        navm(&plugin, of(WEST), &west, true),
        navm(&plugin, of(EAST), &east, true),
    ];
    plugin.groups.push(plugin.interior(of(CELL), &inside));
    plugin.encode()
}

/// What is found, but for the indices themselves.
fn codes(bytes: &[u8]) -> BTreeSet<&'static str> {
    let mut codes = BTreeSet::new();
    plugin(bytes).check(&mut Scratch::new(), &mut |finding| _ = codes.insert(finding.code)).unwrap();
    codes.remove("form-id-index");
    codes
}

/// What meshes, doors and entries of the info map name, without file indices.
fn named(bytes: &[u8]) -> Vec<String> {
    let (plugin, mut scratch) = (plugin(bytes), Scratch::new());
    let objects = |forms: &[FormId]| forms.iter().map(|form| form.object_id()).collect::<BTreeSet<_>>();
    let mut lines = Vec::new();
    for navm in plugin.navmeshes().map(Result::unwrap) {
        let mesh = NavMeshBuf::read(&navm.mesh(&mut scratch).unwrap().unwrap()).unwrap();
        let links =
            mesh.linked_edges().map(|(at, edge, link)| (at, edge, link.navmesh.object_id(), link.triangle));
        let doors = mesh.doors.iter().map(|door| (door.triangle, door.reference.object_id()));
        let (links, doors): (Vec<_>, Vec<_>) = (links.collect(), doors.collect());
        lines.push(format!(
            "{:06X}: {} {links:?} {doors:?}",
            navm.form_id().object_id(),
            mesh.triangles.len()
        ));
    }
    for record in plugin.records().map(Result::unwrap).filter(|record| record.tag() == Tag(*b"REFR")) {
        let xndp = record.fields(&mut scratch).unwrap().find_tag(Tag(*b"XNDP")).unwrap();
        let seat = xndp.map(|xndp| [&xndp.data[..3], &xndp.data[4..]].concat());
        lines.push(format!("door {:06X}: {seat:?}", record.form_id().object_id()));
    }
    let navi = plugin.navi().unwrap().unwrap();
    for entry in NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap().entries().map(Result::unwrap) {
        let doors: Vec<_> = entry.doors.iter().map(|door| door.reference().object_id()).collect();
        let [links, roads] = [entry.links, entry.preferred_links].map(objects);
        lines.push(format!("entry {:06X}: {links:?} {roads:?} {doors:?}", entry.head.navmesh().object_id()));
    }
    lines
}

#[test]
fn a_check_finds_nothing_else_about_them() {
    let usual = codes(&made(USUAL, false));
    assert!(usual.is_empty(), "{usual:?}");
    for odd in ODD {
        assert_eq!(codes(&made(odd, false)), usual, "{odd:?}");
        // An entry, a link and a door that lead nowhere are found all the same.
        let bytes = made(odd, false);
        let at = bytes.windows(4).position(|word| word == b"XNDP").unwrap() + 6;
        let lost = [&bytes[..at], &[0x77], &bytes[at + 1..]].concat();
        assert_eq!(codes(&lost), BTreeSet::from(["door-reference"]), "{odd:?}");
    }
}

#[test]
fn a_master_that_is_named_twice_is_one_file() {
    let again = SE.master.to_lowercase();
    let twice = [SE.master, "Other.esm", &again];
    let of = |indices| made_over(&twice, indices, |_| {});
    let told = |bytes: &[u8]| {
        let graph = FlatGraph::of(&SkyrimGraph::new(&plugin(bytes))).whole().unwrap();
        let beyond = graph.links().iter().filter(|link| link.passage.beyond.is_some()).count();
        (codes(bytes), graph.nodes().len(), graph.links().len(), beyond)
    };
    let usual = told(&of((0, 0)));
    assert_eq!(usual.3, 0, "{usual:?}");
    for indices in [(0, 2), (2, 0), (2, 2)] {
        assert_eq!(told(&of(indices)), usual, "{indices:?}");
    }
    // Another master is another file.
    assert!(told(&of((0, 1))) != usual);
    let after = |indices| {
        let editor = SkyrimEditor::of_plugin(&plugin(&of(indices))).unwrap();
        let mut session = Session::new(editor, SessionOptions::default());
        session.line("delete 00000900#6; door remove 000008E0").unwrap();
        named(&session.editor().encode().unwrap())
    };
    assert_eq!(after((2, 0)), after((0, 0)));
}

/// With a link to a mesh of its own that is not there, and a door that points back at another triangle.
fn lost(indices: Indices) -> Vec<u8> {
    let absent = indices.1 << 24 | 0x902;
    let mut bytes =
        made_but(indices, |west| west.link(4, 1, Link { kind: 0, navmesh: absent, triangle: 3, edge: 0 }));
    let at = bytes.windows(4).position(|word| word == b"XNDP").unwrap();
    bytes[at + 10] = 5;
    bytes
}

#[test]
fn findings_and_links_name_what_is_not_there_one_way() {
    let told = |indices| {
        let bytes = lost(indices);
        let plugin = plugin(&bytes);
        let mut told = Vec::new();
        plugin.check(&mut Scratch::new(), &mut |finding| told.push(finding)).unwrap();
        let mut order = LoadOrder::new();
        order.push("P.esp", plugin);
        order.check(&mut Scratch::new(), &mut |_, finding| told.push(finding));
        told.retain(|finding| !["form-id-index", "missing-master"].contains(&finding.code));
        let told: Vec<_> = told.into_iter().map(|finding| (finding.code, finding.message)).collect();
        let graph = FlatGraph::of(&SkyrimGraph::new(&plugin)).whole().unwrap();
        let beyond: Vec<u64> = graph.links().iter().filter_map(|link| link.passage.beyond).collect();
        (told, beyond)
    };
    let usual = told(USUAL);
    assert!(usual.1.contains(&(0x0100_0902 << 32 | 3)), "{:X?}", usual.1);
    let door = "door 010008E0 on triangle 01000900#2 points back at 01000900#5";
    assert!(usual.0.iter().any(|(_, message)| message.ends_with(door)), "{:#?}", usual.0);
    assert_eq!(
        usual.0.iter().filter(|(_, message)| message.contains("01000902#3")).count(),
        2,
        "{:#?}",
        usual.0
    );
    for odd in ODD {
        assert_eq!(told(odd), usual, "{odd:?}");
    }
}

#[test]
fn a_door_whose_seat_comes_back_keeps_the_bytes_of_its_reference() {
    for odd in ODD {
        let before = made(odd, false);
        let mut session =
            Session::new(SkyrimEditor::of_plugin(&plugin(&before)).unwrap(), SessionOptions::default());
        session.line("door remove 010008E0; door add 01000900#2 010008E0; set water 01000900#2").unwrap();
        let after = session.editor().encode().unwrap();
        assert!(after != before);
        let reference = |bytes: &[u8]| {
            let at = bytes.windows(4).position(|word| word == b"XNDP").unwrap();
            bytes[at..at + 14].to_vec()
        };
        assert_eq!(reference(&after), reference(&before), "{odd:?}");
    }
}

#[test]
fn an_edit_leads_links_doors_and_entries_on() {
    let after = |indices, script: &str| {
        let before = made(indices, false);
        let editor = SkyrimEditor::of_plugin(&plugin(&before)).unwrap();
        let mut session = Session::new(editor, SessionOptions::default());
        let done = session.line(script).unwrap().len();
        let after = session.editor().encode().unwrap();
        session.line(&format!("undo {done}")).unwrap();
        assert!(session.editor().encode().unwrap() == before, "{indices:?}: {script}");
        after
    };
    for script in [
        "delete 01000900#0",
        "delete 01000900#2",
        "unlink 01000900#6 1",
        "door remove 010008E0",
        "door remove 010008E0; door add 01000901#5 010008E0",
        "move 0 0 64 mesh(05000901)",
    ] {
        let usual = after(USUAL, script);
        for odd in ODD {
            let after = after(odd, script);
            assert_eq!(named(&after), named(&usual), "{odd:?}: {script}");
            assert_eq!(codes(&after), codes(&usual), "{odd:?}: {script}");
        }
    }
}

#[test]
fn a_repair_leads_doors_links_and_entries_on() {
    let fixed = |indices| {
        let bytes = made(indices, true);
        let mut order = LoadOrder::new();
        order.push("P.esp", plugin(&bytes));
        let plan = FixPlan::new(&order, &FixOptions { patch: false, ..FixOptions::default() });
        assert_eq!(plan.left(), 0, "{indices:?}: {:#?}", plan.deeds());
        let numbers: Vec<_> = plan.deeds().iter().map(|deed| deed.number).collect();
        (plan.plugin(0).unwrap(), numbers)
    };
    let (usual, done) = fixed(USUAL);
    assert!(codes(&usual).is_empty(), "{:?}", codes(&usual));
    assert!(named(&usual)[0].starts_with("000900: 23 [(5, 1, "), "{:?}", named(&usual));
    for odd in ODD {
        let (after, numbers) = fixed(odd);
        assert_eq!((named(&after), &numbers), (named(&usual), &done), "{odd:?}");
        assert_eq!(codes(&after), codes(&usual), "{odd:?}");
    }
}

#[test]
fn a_model_takes_both_names_of_a_mesh_for_one() {
    let corners = "v 0 0 0\nv 256 0 0\nv 0 256 0\nv 256 256 0\n";
    let obj = format!("{corners}o NAVM 01000900\nf 1 2 3\no NAVM 07000900\nf 2 4 3\n");
    for indices in [USUAL, ODD[1]] {
        let before = made(indices, false);
        let mut editor = SkyrimEditor::of_plugin(&plugin(&before)).unwrap();
        let bill = editor.put_model(&read(obj.as_bytes(), Format::Obj).unwrap()).unwrap();
        assert_eq!(bill.meshes.len(), 1, "{indices:?}");
        assert_eq!(editor.mesh(FormId::new(0x0100_0900)).unwrap().triangles.len(), 2, "{indices:?}");
    }
}

#[test]
fn a_sheet_counts_the_meshes_of_one_cell_together() {
    let mut made = Made::new(SE.form, SE.hedr, &[SE.master]);
    let inside = [(WEST, 1), (EAST, 5)].map(|(form, index)| {
        let mesh = Mesh::sheet(12, Place::Interior(index << 24 | CELL), 4, 3, 1);
        navm(&made, 0x0100_0000 | form, &mesh, true)
    });
    made.groups.push(made.interior(0x0100_0000 | CELL, &inside));
    let mut sheet = Vec::new();
    plugin(&made.encode()).info(&mut Scratch::new(), &mut sheet).unwrap();
    let sheet = String::from_utf8(sheet).unwrap();
    assert!(sheet.contains("2 meshes") && !sheet.contains("1 mesh"), "{sheet}");
}

#[test]
fn a_graph_joins_them_in_one_space() {
    let usual = made(USUAL, false);
    let ways = |bytes: &[u8]| {
        let plugin = plugin(bytes);
        let graph = SkyrimGraph::new(&plugin);
        let spaces: Vec<_> = graph.spaces().into_iter().map(|(space, _)| space).collect();
        assert_eq!(spaces, [SpaceId::Cell(FormId::new(0x0100_0820))]);
        let name = plugin.editor_ids(&spaces);
        for index in [1, 5, 0xFF] {
            assert_eq!(graph.node_of(FormId::new(index << 24 | EAST), 1), Some(25), "{index}");
        }
        let flat = FlatGraph::of(&graph).whole().unwrap();
        let ways: Vec<_> = flat.links().iter().map(|link| (link.from, link.to)).collect();
        let ids: Vec<_> = flat.nodes().iter().map(|node| node.id).collect();
        (name, ways, ids, flat.groups().clone())
    };
    assert_eq!(ways(&usual).0, [Some("TestCell".to_owned())]);
    for odd in ODD {
        assert_eq!(ways(&made(odd, false)), ways(&usual), "{odd:?}");
    }
}

#[test]
fn an_id_is_printed_one_way_and_taken_in_each() {
    for indices in [USUAL, ODD[0], ODD[1], ODD[2]] {
        let bytes = made(indices, true);
        let index = NavIndex::build(&SkyrimGraph::new(&plugin(&bytes))).whole().unwrap();
        let find = |text: &str| text.parse::<Spot>().unwrap().find(&index, 0.0, |_| true);
        let name = |area| index.ids().name(index.id(area).unwrap()).to_string();
        for text in ["01000901#1", "05000901#1", "[NAVM:FF000901]#1"] {
            let found = find(text).unwrap();
            assert_eq!(
                (name(found.area), found.area),
                ("01000901#1".to_owned(), find("01000901#1").unwrap().area)
            );
        }
        // The master's is another record.
        assert!(find("00000901#1").is_err());
        let editor = SkyrimEditor::of_plugin(&plugin(&bytes)).unwrap();
        let items: Vec<String> = editor.all().into_iter().map(|item| editor.name(item)).collect();
        assert!(items.iter().all(|name| name.starts_with("01000900#") || name.starts_with("01000901#")));
        let mut told = Vec::new();
        plugin(&bytes).check(&mut Scratch::new(), &mut |finding| told.push(finding)).unwrap();
        let flat = told.iter().find(|finding| finding.code == "degenerate-triangle").unwrap();
        assert!(flat.message.starts_with("[NAVM:01000900] in [CELL:01000820]"), "{}", flat.message);
        assert!(flat.message.contains("01000900#0"), "{}", flat.message);
        let typed = flat.at.typed().map(|id| flat.at.ids.name(id).to_string());
        assert_eq!(typed.as_deref(), Some("01000900#0"));
    }
}

#[test]
fn two_plugins_that_write_the_same_ids_otherwise_do_not_differ() {
    let usual = made(USUAL, false);
    let mesh = |bytes: &[u8]| open::Mesh::from_vec("P.esp", bytes.to_vec()).unwrap();
    let before = Version::from_mesh(&mesh(&usual)).unwrap();
    for odd in ODD {
        let after = Version::from_mesh(&mesh(&made(odd, false))).unwrap();
        assert!(Diff::between(before.graph(), after.graph()).is_identical(), "{odd:?}");
        for (one, other) in [(&before, &after), (&after, &before)] {
            let changes = one.script(other).unwrap();
            assert_eq!(changes.to_string(), "", "{odd:?}");
            assert_eq!(
                changes.unreached,
                ["records other than navmeshes, or how records are packed"],
                "{odd:?}"
            );
        }
    }
}
