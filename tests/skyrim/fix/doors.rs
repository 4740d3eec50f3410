//! Doors of meshes, and info maps, that are left as they are.

use super::{File, order};
use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{Changes, NavMeshBuf};
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::plugin::{DELETED, Plugin as Made, door_reference, record};
use navmap_testkit::skyrim::{SE, navm, village};

/// A village in which a triangle before that of a door has no area.
fn flat() -> Vec<u8> {
    let bytes = village(SE, 2, (6, 5), true).0.encode();
    let (plugin, mut scratch) = (plugin(&bytes), Scratch::new());
    let navm =
        plugin.navmeshes().map(Result::unwrap).find(|navm| navm.form_id().get() == 0x0100_0900).unwrap();
    let mut mesh = NavMeshBuf::read(&navm.mesh(&mut scratch).unwrap().unwrap()).unwrap();
    assert_eq!(mesh.doors[0].triangle, 1);
    mesh.triangles[0].vertices[1] = mesh.triangles[0].vertices[0];
    let mut changes = Changes::new();
    changes.set_mesh(&navm, &mesh, &mut scratch).unwrap();
    changes.apply(&plugin).unwrap()
}

#[test]
fn they_stay_where_they_are_if_links_of_another_plugin_keep_the_mesh_from_changing() {
    let mut other = Made::new(SE.form, SE.hedr, &[SE.master, "P.esp"]);
    let own = other.own() + 0x101;
    let mut mesh = Mesh::sheet(12, Place::Interior(other.own() + 0x20), 4, 3, 5);
    mesh.link(0, 0, Link { kind: 0, navmesh: 0x0100_0900, triangle: 20, edge: 0 });
    other.groups.push(other.navi(SE.navi, 12, &[mesh.map_entry(own, false)], &[own]));
    other.groups.push(other.interior(other.own() + 0x20, &[navm(&other, own, &mesh, true)]));
    let files = [File { name: "P.esp", bytes: flat() }, File { name: "Q.esp", bytes: other.encode() }];
    let order = order(&files);
    let options = FixOptions { plugins: vec![0], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    let why = "the other side belongs into Q.esp, which is not to be changed";
    let left = |deed: &navmap::format::skyrim::fix::Deed| {
        deed.left.as_deref().is_some_and(|left| left.contains(why))
    };
    assert!(plan.deeds().iter().any(left), "{:#?}", plan.deeds());
    assert_eq!((plan.done(), plan.changed_plugins()), (0, Vec::new()), "{:#?}", plan.deeds());
    assert!(plan.plugin(0).unwrap() == files[0].bytes);
}

#[test]
fn they_stay_where_they_are_if_the_plugin_cannot_name_what_the_mesh_names() {
    // The mesh stands in a worldspace that only the master of the master has.
    let mut base = Made::new(SE.form, SE.hedr, &["Root.esm"]);
    base.flags = 1;
    let sheet = Mesh::sheet(12, Place::Exterior(0x0900, 0, 0), 4, 3, 5);
    let cell = vec![navm(&base, 0x0100_0A10, &sheet, true)];
    base.groups.push(base.worldspace(0x0900, &[(0x0100_0901, 0, 0, cell)]));
    let mut deleter = Made::new(SE.form, SE.hedr, &["Base.esm"]);
    let deleted = record(b"NAVM", deleter.head(0x0A10, DELETED), b"");
    let door = door_reference(&deleter, deleter.own() + 9, 0x0A10, 4);
    deleter.groups.push(deleter.interior(0x0901, &[deleted, door]));
    let files = [
        File { name: "Base.esm", bytes: base.encode() },
        File { name: "Deleter.esp", bytes: deleter.encode() },
    ];
    let order = order(&files);
    let repairs = vec![Repair::Undelete];
    let plan =
        FixPlan::new(&order, &FixOptions { repairs, patch: false, stub: true, ..FixOptions::default() });
    let [deed] = plan.deeds() else { panic!("{:#?}", plan.deeds()) };
    assert!(deed.left.as_deref().unwrap().contains("none of the plugin's masters"), "{deed}");
    assert!(plan.changed_plugins().is_empty());
    assert!(plan.plugin(1).unwrap() == files[1].bytes);
}

#[test]
fn a_map_that_cannot_be_read_stays_while_meshes_are_repaired() {
    for compressed in [false, true] {
        let mut bytes = flat();
        let at = bytes.windows(4).position(|tag| tag == b"NVER").unwrap();
        match compressed {
            // A flag of the record, which its bytes do not bear out.
            true => bytes[at - 14] |= 4,
            false => bytes[at..at + 4].copy_from_slice(b"XVER"),
        }
        let files = [File { name: "P.esp", bytes }];
        let order = order(&files);
        let options = FixOptions { plugins: vec![0], patch: false, ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        assert!(plan.deeds().iter().any(|deed| deed.what == "damaged-navi"), "{:#?}", plan.deeds());
        assert!(plan.done() > 0, "{:#?}", plan.deeds());
        let repaired = plan.plugin(0).unwrap();
        let map = |bytes: &[u8]| {
            let navi = plugin(bytes).navi().unwrap().unwrap();
            let (from, len) = (navi.offset() as usize, 24 + navi.header().size() as usize);
            bytes[from..from + len].to_vec()
        };
        assert!(map(&repaired) == map(&files[0].bytes), "{compressed}");
        assert!(repaired != files[0].bytes);
    }
}
