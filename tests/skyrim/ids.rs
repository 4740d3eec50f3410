//! FormIDs of new navmeshes.

use crate::plugin;
use navmap::edit::Editor;
use navmap::format::skyrim::edit::SkyrimEditor;
use navmap::import::{Format, read};
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::{Plugin as Made, record_of_reference};
use navmap_testkit::skyrim::{SE, navm};

/// Where HEDR has the id that the editor hands out next.
const NEXT: std::ops::Range<usize> = 38..42;

/// A light plugin with a navmesh in a cell and references of these object ids, whose header names the next id.
fn light(hedr: f32, cell: u32, mesh: u32, others: impl Iterator<Item = u32>, next: u32) -> Vec<u8> {
    let mut made = Made::new(SE.form, hedr, &[SE.master]);
    made.flags = 0x200;
    let own = |object: u32| 0x0100_0000 | object;
    let sheet = Mesh::sheet(12, Place::Interior(own(cell)), 3, 3, 1);
    let mut children = vec![navm(&made, own(mesh), &sheet, true)];
    children.extend(others.map(|object| record_of_reference(&made, own(object))));
    let cell = made.interior(own(cell), &children);
    made.groups.push(cell);
    let mut bytes = made.encode();
    bytes[NEXT].copy_from_slice(&next.to_le_bytes());
    bytes
}

/// Adds so many navmeshes to a cell. Returns their object ids and the next one in the header.
fn add(bytes: &[u8], cell: u32, count: usize) -> Result<(Vec<u32>, u32), String> {
    let mut model = String::new();
    for at in 0..count {
        let x = 5_000 + 1_000 * at;
        model +=
            &format!("o CELL 01{cell:06X}.{at:03}\nv {x} 0 0\nv {} 0 0\nv {x} 64 0\nf -3 -2 -1\n", x + 64);
    }
    let mut editor = SkyrimEditor::of_plugin(&plugin(bytes)).unwrap();
    let bill = editor.put_model(&read(model.as_bytes(), Format::Obj).unwrap());
    let bill = bill.map_err(|error| error.to_string())?;
    let made = editor.encode().unwrap();
    let known = |bytes: &[u8]| -> Vec<u32> {
        plugin(bytes).navmeshes().map(|navm| navm.unwrap().form_id().object_id()).collect()
    };
    assert_eq!((known(&made).len(), bill.meshes.len()), (known(bytes).len() + count, count));
    let ids = bill.meshes.iter().map(|mesh| mesh.form.object_id());
    Ok((ids.collect(), plugin(&made).hedr().next_object_id()))
}

#[test]
fn a_light_plugin_whose_header_names_an_id_that_it_cannot_have_gets_the_one_behind_the_last() {
    let none = std::iter::empty;
    // As in `MorrowindUsesDrams.esp`.
    let bytes = light(1.71, 0x0A8, 0xD5E, none(), 0x2_0FFA);
    assert_eq!(add(&bytes, 0x0A8, 2), Ok((vec![0xD5F, 0xD60], 0x2_0FFA)));
    // All below those that the editor hands out.
    let bytes = light(1.71, 0x0A8, 0x0A9, none(), 0x2_0FFA);
    assert_eq!(add(&bytes, 0x0A8, 1), Ok((vec![0x800], 0x2_0FFA)));
    // The header's come first.
    let bytes = light(1.71, 0x0A8, 0xD5E, none(), 0xFFE);
    assert_eq!(add(&bytes, 0x0A8, 3), Ok((vec![0xFFE, 0xFFF, 0xD5F], 0x1000)));
}

#[test]
fn a_light_plugin_that_uses_the_last_id_gets_the_first_that_is_free() {
    let bytes = light(1.7, 0xFFF, 0x800, 0x802..0x805, 0x1000);
    assert_eq!(add(&bytes, 0xFFF, 3), Ok((vec![0x801, 0x805, 0x806], 0x1000)));
    // Since 1.71 there are as many below 800.
    let full = |hedr: f32| light(hedr, 0xFFF, 0x800, 0x801..0xFFF, 0x1000);
    assert_eq!(add(&full(1.71), 0xFFF, 2), Ok((vec![1, 2], 0x1000)));
    let refused = add(&full(1.7), 0xFFF, 1).unwrap_err();
    assert!(refused.contains("the plugin has no FormID left"), "{refused}");
}
