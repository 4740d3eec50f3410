//! Doors and meshes of different plugins: what the game uses of each is compared.

use super::{File, order};
use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{Choice, Deed, FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{FormId, Tag};
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::{Plugin as Made, door_reference};
use navmap_testkit::skyrim::{SE, navm};

const CELL: u32 = 0x0900;
const MESH: u32 = 0x0A00;
const DOOR: u32 = 0x0D00;

/// A plugin whose mesh lists the door on this triangle, and whose record of the door names that one.
fn made(name: &'static str, lists: Option<u16>, names: Option<u16>) -> File {
    let is_base = name == "Base.esm";
    let mut made = Made::new(SE.form, SE.hedr, &["Base.esm"][usize::from(is_base)..]);
    made.flags = is_base.into();
    let mut mesh = Mesh::sheet(12, Place::Interior(CELL), 4, 3, 5);
    let record = lists.map(|triangle| {
        mesh.door(triangle, DOOR);
        navm(&made, MESH, &mesh, true)
    });
    let door = names.map(|triangle| door_reference(&made, DOOR, MESH, triangle));
    made.groups.push(made.interior(CELL, &door.into_iter().chain(record).collect::<Vec<_>>()));
    File { name, bytes: made.encode() }
}

fn doors(patch: bool, plugins: Vec<usize>) -> FixOptions {
    FixOptions { repairs: vec![Repair::Doors], patch, plugins, ..FixOptions::default() }
}

/// The triangle that the record of the door names.
fn named(bytes: &[u8]) -> Option<u16> {
    let mut scratch = Scratch::new();
    let mut records = plugin(bytes).records().map(Result::unwrap);
    let door = records.find(|record| record.tag() == Tag(*b"REFR"))?;
    let xndp = door.fields(&mut scratch).unwrap().find_tag(Tag(*b"XNDP")).unwrap()?;
    Some(u16::from_le_bytes([xndp.data[4], xndp.data[5]]))
}

fn left(deeds: &[Deed]) -> Vec<&str> {
    deeds.iter().filter_map(|deed| deed.left.as_deref()).collect()
}

#[test]
fn the_last_record_of_a_door_points_back_at_the_last_version_of_the_mesh() {
    let [base, door] = [made("Base.esm", Some(5), Some(5)), made("Door.esp", None, Some(7))];
    let files = [base.clone(), door];
    let both = order(&files);
    let plan = FixPlan::new(&both, &doors(false, Vec::new()));
    assert_eq!((plan.done(), plan.left(), plan.changed_plugins()), (1, 0, vec![1]), "{:#?}", plan.deeds());
    assert_eq!(named(&plan.plugin(1).unwrap()), Some(5));
    let plan = FixPlan::new(&both, &doors(true, Vec::new()));
    assert_eq!(left(plan.deeds()), ["a patch cannot override doors"]);
    let plan = FixPlan::new(&both, &doors(false, vec![0]));
    assert_eq!(left(plan.deeds()), ["its record is in Door.esp, which is not to be changed"]);
    // What both say is right, also in two plugins; the master's record is none that the game uses.
    let files = [base.clone(), made("Mesh.esp", Some(4), None), made("Door.esp", None, Some(4))];
    let order = order(&files);
    assert_eq!(FixPlan::new(&order, &doors(false, Vec::new())).deeds(), []);
}

#[test]
fn a_door_that_loads_before_the_mesh_is_left() {
    let files = [made("Base.esm", Some(5), Some(5)), made("Mesh.esp", Some(4), None)];
    let order = order(&files);
    let plan = FixPlan::new(&order, &doors(false, Vec::new()));
    assert_eq!(left(plan.deeds()), ["its record is in Base.esm, which loads before Mesh.esp"]);
    assert!(plan.changed_plugins().is_empty() && plan.deeds()[0].file == "Mesh.esp", "{:#?}", plan.deeds());
}

#[test]
fn doors_that_a_chosen_version_puts_elsewhere_are_told() {
    let files = [
        made("Base.esm", Some(5), Some(5)),
        made("One.esp", Some(4), Some(4)),
        made("Two.esp", Some(2), Some(2)),
    ];
    let order = order(&files);
    for (plugin, told) in [(1, vec!["a patch cannot override doors"]), (2, vec![])] {
        let choice = Choice { plugin, form: Some(FormId::new(MESH)) };
        let (plan, _) = FixPlan::conflicts(&order, &[choice]).unwrap();
        assert_eq!(left(plan.deeds()), told, "{:#?}", plan.deeds());
        assert!(plan.deeds().iter().all(|deed| deed.repair == Repair::Doors));
    }
}
