//! Doors of meshes that are mended, and doors and info maps that are left as they are.

use super::{File, deeds_of, order};
use crate::plugin;
use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::skyrim::edit::SkyrimEditor;
use navmap::format::skyrim::fix::{Deed, FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{Changes, FormId, NavMeshBuf, Tag, TriangleFlags};
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::plugin::{DELETED, Plugin as Made, door_reference, record};
use navmap_testkit::skyrim::{FO4, Game, SE, STARFIELD, navm, village};
use std::collections::BTreeSet;

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

/// A village with another mesh in its house, whose door stands on triangle 3.
fn with_house(game: Game, how: impl FnOnce(&mut NavMeshBuf)) -> [File; 1] {
    let bytes = village(game, 1, (4, 3), true).0.encode();
    let (plugin, mut scratch) = (plugin(&bytes), Scratch::new());
    let navm = plugin.navmeshes().map(Result::unwrap).find(|navm| navm.form_id().get() == 0x0100_08F0);
    let navm = navm.unwrap();
    let mut mesh = NavMeshBuf::read(&navm.mesh(&mut scratch).unwrap().unwrap()).unwrap();
    how(&mut mesh);
    let mut changes = Changes::new();
    changes.set_mesh(&navm, &mesh, &mut scratch).unwrap();
    [File { name: "P.esp", bytes: changes.apply(&plugin).unwrap() }]
}

fn doors(patch: bool) -> FixOptions {
    FixOptions { repairs: vec![Repair::Doors, Repair::Entry], patch, ..FixOptions::default() }
}

/// What a check says of doors, and of entries of the info map.
fn said(bytes: &[u8]) -> BTreeSet<&'static str> {
    let mut codes = BTreeSet::new();
    plugin(bytes).check(&mut Scratch::new(), &mut |finding| _ = codes.insert(finding.code)).unwrap();
    codes.retain(|code| code.starts_with("door-") || code.starts_with("nvmi-"));
    codes
}

/// The reason why a repair of a door is left.
fn left(deeds: &[Deed]) -> Vec<&str> {
    deeds_of(deeds, "P.esp", Repair::Doors).iter().filter_map(|deed| deed.left.as_deref()).collect()
}

#[test]
fn a_door_is_listed_where_its_triangle_has_the_flag_and_names_no_triangle_elsewhere() {
    for game in [SE, FO4, STARFIELD] {
        for (flagged, after) in [(true, "listed on triangle 3"), (false, "the door names no triangle")] {
            let files = with_house(game, |mesh| {
                mesh.doors.clear();
                if !flagged {
                    mesh.triangles[3].flags.0 &= !TriangleFlags::DOOR.0;
                }
            });
            let name = game.name;
            assert!(said(&files[0].bytes).contains("door-unlisted"), "{name}");
            let order = order(&files);
            let mut plan = FixPlan::new(&order, &doors(false));
            let fixed = plan.plugin(0).unwrap();
            assert_eq!(said(&fixed), BTreeSet::new(), "{name}: {:#?}", plan.deeds());
            plan.verify(false).unwrap();
            assert_eq!(plan.left(), 0, "{name}: {:#?}", plan.deeds());
            let [deed] = deeds_of(plan.deeds(), "P.esp", Repair::Doors)[..] else {
                panic!("{name}: {:#?}", plan.deeds())
            };
            assert_eq!((deed.form, deed.after.as_str()), (FormId::new(0x0100_08F0), after), "{name}");

            let plan = FixPlan::new(&order, &doors(true));
            let patch = plan.patch(false).unwrap();
            if flagged {
                let house = plugin(&patch).navmeshes().next().unwrap().unwrap().form_id();
                assert_eq!(super::mesh(&patch, house.get()).doors.len(), 1, "{name}");
                assert_eq!(left(plan.deeds()), [""; 0], "{name}");
            } else {
                assert_eq!(left(plan.deeds()), ["a patch cannot override doors"], "{name}");
            }
        }
    }
}

#[test]
fn a_door_points_back_at_the_triangle_that_lists_it() {
    let sound = village(SE, 1, (4, 3), true).0.encode();
    let at = sound.windows(4).position(|tag| tag == b"XNDP").unwrap() + 6;
    // Another triangle, and another mesh.
    for (byte, value) in [(4, 9), (0, 0), (1, 9)] {
        let mut bytes = sound.clone();
        bytes[at + byte] = value;
        let files = [File { name: "P.esp", bytes }];
        assert_eq!(said(&files[0].bytes), BTreeSet::from(["door-reference"]), "{byte}");
        let order = order(&files);
        let plan = FixPlan::new(&order, &doors(false));
        assert_eq!((plan.done(), plan.left()), (1, 0), "{byte}: {:#?}", plan.deeds());
        assert!(plan.plugin(0).unwrap() == sound, "{byte}");
        let plan = FixPlan::new(&order, &doors(true));
        assert_eq!(left(plan.deeds()), ["a patch cannot override doors"], "{byte}");
    }
}

#[test]
fn a_door_on_the_triangle_of_another_is_left() {
    let files = with_house(SE, |mesh| mesh.doors[0].reference = FormId::new(0x0100_0999));
    assert!(said(&files[0].bytes).contains("door-unlisted"));
    let order = order(&files);
    let doors = FixOptions { repairs: vec![Repair::Doors], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &doors);
    assert_eq!(left(plan.deeds()), ["another door 00000999 (P.esp) stands there"]);
    assert!(plan.changed_plugins().is_empty() && plan.done() == 0, "{:#?}", plan.deeds());
}

#[test]
fn a_door_that_no_mesh_lists_follows_its_triangle_before_it_is_listed() {
    let broken = |flagged: bool| {
        with_house(SE, |mesh| {
            mesh.doors.clear();
            mesh.triangles[0].vertices[1] = mesh.triangles[0].vertices[0];
            // Now the number of another one.
            mesh.triangles[4].flags.0 |= TriangleFlags::DOOR.0;
            if !flagged {
                mesh.triangles[3].flags.0 &= !TriangleFlags::DOOR.0;
            }
        })
    };
    let repairs = vec![Repair::Mesh, Repair::Doors, Repair::Entry];
    for (flagged, doors) in [(true, vec![2]), (false, vec![])] {
        let files = broken(flagged);
        let order = order(&files);
        let options = FixOptions { repairs: repairs.clone(), patch: false, ..FixOptions::default() };
        let mut plan = FixPlan::new(&order, &options);
        plan.verify(false).unwrap();
        assert_eq!(plan.left(), 0, "{:#?}", plan.deeds());
        let fixed = plan.plugin(0).unwrap();
        assert_eq!(said(&fixed), BTreeSet::from(["door-flag-alone"]));
        let mesh = super::mesh(&fixed, 0x0100_08F0);
        assert_eq!(mesh.doors.iter().map(|door| door.triangle).collect::<Vec<_>>(), doors);

        let patched = FixOptions { patch: true, ..options };
        assert_eq!(
            left(FixPlan::new(&order, &patched).deeds()),
            ["a patch cannot override doors"],
            "its record would name the old number"
        );
    }
}

/// The triangles of the mesh in the house that records of doors name.
fn named(bytes: &[u8]) -> Vec<i16> {
    let (house, mut scratch) = (0x0100_08F0_u32.to_le_bytes(), Scratch::new());
    let mut triangles = Vec::new();
    for record in plugin(bytes).records().map(Result::unwrap).filter(|record| record.tag() == Tag(*b"REFR")) {
        let xndp = record.fields(&mut scratch).unwrap().find_tag(Tag(*b"XNDP")).unwrap();
        let xndp = xndp.filter(|xndp| xndp.data.starts_with(&house));
        triangles.extend(xndp.map(|xndp| i16::from_le_bytes([xndp.data[4], xndp.data[5]])));
    }
    triangles
}

#[test]
fn a_door_that_no_mesh_lists_follows_its_triangle_if_nothing_but_meshes_is_repaired() {
    for (gone, after) in [(0, vec![2]), (3, vec![]), (5, vec![3])] {
        let files = with_house(SE, |mesh| {
            mesh.doors.clear();
            mesh.triangles[gone].vertices[1] = mesh.triangles[gone].vertices[0];
        });
        assert_eq!(named(&files[0].bytes), [3]);
        let order = order(&files);
        let options = FixOptions { repairs: vec![Repair::Mesh], patch: false, ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        assert_eq!(plan.left(), 0, "{gone}: {:#?}", plan.deeds());
        assert_eq!(named(&plan.plugin(0).unwrap()), after, "{gone}: {:#?}", plan.deeds());

        // A patch says that it cannot.
        let plan = FixPlan::new(&order, &FixOptions { patch: true, ..options });
        let deeds = deeds_of(plan.deeds(), "P.esp", Repair::Mesh);
        let left: Vec<_> = deeds.iter().filter_map(|deed| deed.left.as_deref()).collect();
        let why = "a patch cannot override doors";
        assert_eq!(left, if gone > 3 { vec![] } else { vec![why] }, "{gone}: {:#?}", plan.deeds());
    }
}

#[test]
fn a_mesh_whose_door_is_listed_again_is_not_unused() {
    let files = with_house(SE, |mesh| mesh.doors.clear());
    let order = order(&files);
    let unused = |repairs| {
        let plan = FixPlan::new(&order, &FixOptions { repairs, ..FixOptions::default() });
        let deeds = deeds_of(plan.deeds(), "P.esp", Repair::Unused);
        deeds.iter().any(|deed| deed.form == FormId::new(0x0100_08F0))
    };
    assert!(unused(vec![Repair::Unused]));
    assert!(!unused(vec![Repair::Doors, Repair::Unused]));
}

#[test]
fn a_triangle_that_lists_a_door_many_times_is_one() {
    let [mut file] = with_house(SE, |mesh| mesh.doors.extend([mesh.doors[0]; 3]));
    let named = [b"XNDP\x08\0", &0x0100_08F0_u32.to_le_bytes()[..]].concat();
    let at = file.bytes.windows(named.len()).position(|field| field == named).unwrap() + named.len();
    file.bytes[at] = 9;
    let files = [file];
    assert_eq!(said(&files[0].bytes), BTreeSet::from(["door-reference"]));
    let order = order(&files);
    let plan = FixPlan::new(&order, &doors(false));
    assert_eq!((plan.done(), plan.left()), (1, 0), "{:#?}", plan.deeds());
    assert_eq!(said(&plan.plugin(0).unwrap()), BTreeSet::new());
}

/// A plugin with a mesh that `how` changes, and records of a door on it that name these triangles.
fn with_records(size: (u16, u16), names: &[u16], how: impl FnOnce(&mut Mesh, u32)) -> [File; 1] {
    let mut made = Made::new(SE.form, SE.hedr, &[SE.master]);
    let (cell, door, form) = (made.own() + 0x20, made.own() + 0xE0, made.own() + 0x100);
    let mut mesh = Mesh::sheet(12, Place::Interior(cell), size.0, size.1, 1);
    how(&mut mesh, door);
    let doors = names.iter().map(|triangle| door_reference(&made, door, form, *triangle));
    let inside: Vec<_> = doors.chain([navm(&made, form, &mesh, false)]).collect();
    made.groups.push(made.interior(cell, &inside));
    [File { name: "P.esp", bytes: made.encode() }]
}

#[test]
fn of_two_records_of_one_door_the_first_is_listed() {
    let files = with_records((4, 3), &[2, 5], |mesh, _| {
        for triangle in [2, 5] {
            mesh.triangles[triangle].flags |= TriangleFlags::DOOR.0;
        }
    });
    let order = order(&files);
    let options = FixOptions { repairs: vec![Repair::Doors], patch: false, ..FixOptions::default() };
    let mut plan = FixPlan::new(&order, &options);
    let listed = super::mesh(&plan.plugin(0).unwrap(), 0x0100_0900).doors;
    assert_eq!(listed.iter().map(|door| door.triangle).collect::<Vec<_>>(), [2]);
    // The second is told as left.
    plan.verify(false).unwrap();
    let told = |deed: &Deed| deed.left.is_some() && deed.what == "door-reference";
    assert!(plan.deeds().iter().any(told), "{:#?}", plan.deeds());
}

#[test]
fn a_triangle_above_those_that_a_record_can_name_is_left() {
    let files = with_records((128, 130), &[33_000], |mesh, door| mesh.door(33_000, door));
    assert!(said(&files[0].bytes).contains("door-reference"));
    let order = order(&files);
    let options = FixOptions { repairs: vec![Repair::Doors], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    assert_eq!(left(plan.deeds()), ["its record cannot name a triangle above 32767"]);
    assert!(plan.changed_plugins().is_empty() && plan.done() == 0, "{:#?}", plan.deeds());
}

#[test]
fn an_edit_writes_no_mesh_of_more_triangles_than_a_record_can_name() {
    let [file] = with_records((128, 130), &[5], |mesh, door| mesh.door(5, door));
    let editor = SkyrimEditor::of_plugin(&plugin(&file.bytes)).unwrap();
    let mut session = Session::new(editor, SessionOptions::default());
    session.line("door remove 010008E0; door add 01000900#33000 010008E0").unwrap();
    let refused = session.editor().encode().unwrap_err().to_string();
    assert!(refused.contains("33280, the editor's indices end at 32767"), "{refused}");
}

#[test]
fn the_one_door_of_real_plugins_that_no_mesh_lists_is_left() {
    let Some(folder) = navmap_testkit::corpus::real() else { return };
    let bytes = std::fs::read(folder.join("skyrim/esl/MorrowindUsesDrams-NoOffice.esp")).unwrap();
    let files = [File { name: "P.esp", bytes }];
    let order = order(&files);
    let options = FixOptions { repairs: vec![Repair::Doors], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    let [why] = left(plan.deeds())[..] else { panic!("{:#?}", plan.deeds()) };
    assert!(why.starts_with("another door ") && plan.done() == 0, "{:#?}", plan.deeds());
}
