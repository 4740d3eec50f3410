//! Entries of the info map that the game uses for meshes of other plugins, and plugins that can have no map.

use super::{File, order};
use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{Deed, FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{FormId, NavMap};
use navmap::{Finding, NavFile};
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::plugin::Plugin as Made;
use navmap_testkit::skyrim::{SE, navm};

const CELL: u32 = 0x0900;
const MESH: u32 = 0x0A00;
/// A mesh that a plugin adds.
const NEW: u32 = 0x0100_0A01;

fn entries(patch: bool, plugins: Vec<usize>) -> FixOptions {
    FixOptions { repairs: vec![Repair::Entry], patch, plugins, ..FixOptions::default() }
}

fn left(deeds: &[Deed]) -> Vec<&str> {
    deeds.iter().filter_map(|deed| deed.left.as_deref()).collect()
}

/// The linked meshes in the entry of the mesh with this number in its file.
fn linked(bytes: &[u8], object: u32) -> Option<Vec<u32>> {
    let mut scratch = Scratch::new();
    let navi = plugin(bytes).navi().unwrap()?;
    let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
    let mut entries = map.entries().map(Result::unwrap);
    let entry = entries.find(|entry| entry.head.navmesh().object_id() == object)?;
    Some(entry.links.iter().map(|form| form.object_id()).collect())
}

/// A master with a mesh, and a plugin that links it to one of its own; its map has (`told`) or lacks the entry of the master's.
fn joined(told: bool) -> [File; 2] {
    let sheet = |seed| Mesh::sheet(12, Place::Interior(CELL), 4, 3, seed);
    let mut base = Made::new(SE.form, SE.hedr, &[]);
    base.flags = 1;
    base.groups.push(base.navi(SE.navi, 12, &[sheet(1).map_entry(MESH, false)], &[]));
    base.groups.push(base.interior(CELL, &[navm(&base, MESH, &sheet(1), true)]));
    let (mut old, mut new) = (sheet(1), sheet(2));
    old.link(6, 1, Link { kind: 0, navmesh: NEW, triangle: 1, edge: 2 });
    new.link(1, 2, Link { kind: 0, navmesh: MESH, triangle: 6, edge: 1 });
    let mut more = Made::new(SE.form, SE.hedr, &["Base.esm"]);
    let all = [new.map_entry(NEW, false), old.map_entry(MESH, false)];
    more.groups.push(more.navi(SE.navi, 12, &all[..if told { 2 } else { 1 }], &[]));
    let inside = [navm(&more, MESH, &old, true), navm(&more, NEW, &new, true)];
    more.groups.push(more.interior(CELL, &inside));
    [File { name: "Base.esm", bytes: base.encode() }, File { name: "More.esp", bytes: more.encode() }]
}

#[test]
fn an_override_that_its_masters_entry_does_not_tell_of_gets_its_own() {
    let files = joined(false);
    let order = order(&files);
    let plan = FixPlan::new(&order, &entries(false, Vec::new()));
    let [deed] = plan.deeds() else { panic!("{:#?}", plan.deeds()) };
    assert_eq!(deed.what, "its entry in the info map of Base.esm is not what the mesh says");
    assert_eq!((plan.left(), plan.changed_plugins()), (0, vec![1]), "{:#?}", plan.deeds());
    assert_eq!(linked(&plan.plugin(1).unwrap(), MESH), Some(vec![NEW & 0xFF_FFFF]));
}

#[test]
fn an_entry_that_a_later_plugin_carries_is_mended_where_the_game_reads_it() {
    let [base, more] = joined(true);
    // As the editor adds entries of the master to a plugin that has no use for them.
    let mut carrier = Made::new(SE.form, SE.hedr, &["Base.esm"]);
    let sheet = Mesh::sheet(12, Place::Interior(CELL), 4, 3, 1);
    carrier.groups.push(carrier.navi(SE.navi, 12, &[sheet.map_entry(MESH, false)], &[]));
    let files = [base, more, File { name: "Late.esp", bytes: carrier.encode() }];
    let order = order(&files);
    let plan = FixPlan::new(&order, &entries(true, Vec::new()));
    assert_eq!((plan.done(), plan.left()), (1, 0), "{:#?}", plan.deeds());
    assert_eq!(linked(&plan.patch(false).unwrap(), MESH), Some(vec![NEW & 0xFF_FFFF]));
    let plan = FixPlan::new(&order, &entries(false, Vec::new()));
    let why = "it belongs into Late.esp, which cannot name 01000A01 (More.esp)";
    assert_eq!(left(plan.deeds()), [why]);
    let plan = FixPlan::new(&order, &entries(false, vec![1]));
    assert_eq!(left(plan.deeds()), ["the game uses the entry of Late.esp, which is not to be changed"]);
    assert!(plan.changed_plugins().is_empty());
}

#[test]
fn the_entry_of_a_repaired_mesh_goes_where_the_game_reads_it_too() {
    // A link to a mesh that does not exist is taken out, and the entry tells of it no longer.
    const NONE: u32 = 0x0A55;
    let mut sheet = Mesh::sheet(12, Place::Interior(CELL), 4, 3, 1);
    sheet.link(6, 1, Link { kind: 0, navmesh: NONE, triangle: 1, edge: 2 });
    let entry = sheet.map_entry(MESH, false);
    let mut base = Made::new(SE.form, SE.hedr, &[]);
    base.flags = 1;
    base.groups.push(base.navi(SE.navi, 12, std::slice::from_ref(&entry), &[]));
    base.groups.push(base.interior(CELL, &[navm(&base, MESH, &sheet, true)]));
    let mut late = Made::new(SE.form, SE.hedr, &["Base.esm"]);
    late.groups.push(late.navi(SE.navi, 12, &[entry], &[]));
    let [base, late] =
        [("Base.esm", base), ("Late.esp", late)].map(|(name, made)| File { name, bytes: made.encode() });
    let files = [base, late];
    let order = order(&files);
    let links = |plugins| FixOptions { repairs: vec![Repair::Links], ..entries(false, plugins) };
    let plan = FixPlan::new(&order, &links(Vec::new()));
    assert_eq!((plan.left(), plan.changed_plugins()), (0, vec![0, 1]), "{:#?}", plan.deeds());
    assert_eq!(linked(&plan.plugin(1).unwrap(), MESH), Some(Vec::new()));
    let plan = FixPlan::new(&order, &links(vec![0]));
    assert_eq!(left(plan.deeds()), ["the game uses the entry of Late.esp, which is not to be changed"]);
    assert_eq!(plan.changed_plugins(), [0]);
}

/// A plugin with these masters, a mesh of its own and no map, or one of this FormID.
fn without_map(masters: &[&str], map: Option<u32>) -> [File; 1] {
    let mut made = Made::new(SE.form, SE.hedr, masters);
    let (cell, form) = (made.own() + 0x20, made.own() + 0x100);
    let mesh = Mesh::sheet(12, Place::Interior(cell), 4, 3, 5);
    if let Some(map) = map {
        made.groups.push(made.navi(map, 12, &[mesh.map_entry(form, false)], &[form]));
    }
    made.groups.push(made.interior(cell, &[navm(&made, form, &mesh, true)]));
    [File { name: "New.esp", bytes: made.encode() }]
}

#[test]
fn a_map_is_the_record_of_the_games_own_file_wherever_that_is_among_the_masters() {
    let navi = |bytes: &[u8]| plugin(bytes).navi().unwrap().map(|navi| navi.form_id().get());
    let codes = |bytes: &[u8]| {
        let mut codes = Vec::new();
        let mut note = |finding: Finding| codes.push(finding.code);
        plugin(bytes).check(&mut Scratch::new(), &mut note).unwrap();
        codes.retain(|code| code.starts_with("navi-"));
        codes
    };
    for (masters, form) in
        [(&["skyrim.ESM", "Mod.esm"], 0x0001_2FB4), (&["Mod.esm", "Skyrim.esm"], 0x0101_2FB4)]
    {
        let files = without_map(masters, None);
        let order = order(&files);
        let plan = FixPlan::new(&order, &entries(false, Vec::new()));
        let made = plan.plugin(0).unwrap();
        assert_eq!((navi(&made), codes(&made)), (Some(form), Vec::new()), "{masters:?}");
        let patch = FixPlan::new(&order, &entries(true, Vec::new())).patch(false).unwrap();
        let names: Vec<_> = plugin(&patch).masters().map(<[u8]>::to_ascii_lowercase).collect();
        assert_eq!(
            (navi(&patch), names),
            (Some(0x0001_2FB4), vec![b"skyrim.esm".to_vec(), b"new.esp".to_vec()])
        );
        for map in [0x0001_2FB4, 0x0101_2FB4] {
            let found = codes(&without_map(masters, Some(map))[0].bytes);
            assert_eq!(found.is_empty(), map == form, "{masters:?} {}: {found:?}", FormId::new(map));
        }
    }
}

#[test]
fn a_plugin_that_cannot_name_the_games_own_file_gets_no_map() {
    let files = without_map(&["Mod.esm"], None);
    let order = order(&files);
    let plan = FixPlan::new(&order, &entries(false, Vec::new()));
    let why = "its info map would be a record of Skyrim.esm, which is none of the plugin's masters";
    assert_eq!(left(plan.deeds()), [why]);
    assert!(plan.changed_plugins().is_empty() && plan.plugin(0).unwrap() == files[0].bytes);
}
