//! Meshes of base objects, which no real file here has: made-up plugins alone.

use navmap::bytes::Scratch;
use navmap::format::skyrim::{Plugin, SkyrimGraph, SpaceId, print_records};
use navmap::{Limits, NavFile};
use navmap_testkit::skyrim::objects;

fn sound() -> Vec<u8> {
    objects(|mesh| mesh.encode()).0.encode()
}

#[test]
fn they_are_counted_and_checked_as_meshes_of_their_own() {
    let (plugin, totals) = objects(|mesh| mesh.encode());
    let bytes = plugin.encode();
    let (read, counts, found) = super::survey("objects.esp", &bytes);
    read.unwrap();
    assert_eq!(found, []);
    let row = totals.row("Fallout 4", "");
    for (name, count) in counts.iter() {
        let stated = row.iter().find(|(key, _)| *key == name).map(|(_, text)| text.clone());
        assert_eq!(Some(count.to_string()), stated, "{name}");
    }
    assert_eq!((counts.get("navm_records"), counts.get("navmeshes")), (Some(0), Some(2)));
    let found = super::check("objects.esp", &bytes);
    assert!(found.iter().all(|finding| !finding.severity.counts()), "{found:?}");
}

#[test]
fn each_is_read_in_place_or_inflated_and_says_what_it_is() {
    let bytes = sound();
    let plugin = Plugin::parse(&bytes, &Limits::default()).unwrap();
    let mut scratch = Scratch::new();
    let mut told = Vec::new();
    for object in plugin.base_objects() {
        let object = object.unwrap();
        let mesh = object.mesh(&mut scratch).unwrap();
        told.push((object.kind(), object.index(), mesh.map(|mesh| mesh.triangles().len())));
    }
    let stated = [
        ("ACTI", 0, None),
        ("DOOR", 1, None),
        ("FURN", 2, Some(8)),
        ("STAT", 3, Some(12)),
        ("STAT", 4, None),
    ];
    assert_eq!(told, stated);
}

#[test]
fn a_compressed_one_has_as_many_triangles_as_its_stored_bytes_allow() {
    let bytes = sound();
    let mut limits = Limits::default();
    limits.inflate_ratio = 10;
    let plugin = Plugin::parse(&bytes, &limits).unwrap();
    let mut scratch = Scratch::new();
    let errors = plugin.base_objects().filter_map(|object| object.unwrap().mesh(&mut scratch).err());
    let told: Vec<String> = errors.map(|error| error.to_string()).collect();
    assert!(
        matches!(&told[..], [one] if one.contains("triangles by the stored bytes: 8 is over the limit of ")),
        "{told:?}"
    );
}

#[test]
fn a_broken_one_is_told_by_its_kind_and_the_rest_is_read() {
    let bytes = objects(|mesh| mesh.encode()[..40].to_vec()).0.encode();
    let (read, counts, found) = super::survey("objects.esp", &bytes);
    let error = read.unwrap_err();
    assert_eq!(error.position().record, Some(("STAT", 3)));
    assert!(error.position().offset.is_some_and(|at| at < bytes.len() as u64), "{error}");
    assert_eq!(counts.get("navmeshes"), Some(1));
    assert_eq!(found.iter().map(|finding| finding.code).collect::<Vec<_>>(), ["damaged-navmesh"]);
    // A corner that is not there.
    let far = objects(|mut mesh| {
        mesh.triangles[0].v[0] = 999;
        mesh.encode()
    });
    let found = super::check("objects.esp", &far.0.encode());
    let told = found.iter().find(|finding| finding.code == "vertex-out-of-range").unwrap();
    assert_eq!(told.at.record, Some(("STAT", 3)));
    assert!(told.message.starts_with("01000810: "), "{told}");
}

#[test]
fn a_cut_group_of_objects_is_told_once() {
    let bytes = sound();
    let cut = &bytes[..bytes.len() - 10];
    let found = super::check("objects.esp", cut);
    let groups = found.iter().filter(|finding| finding.code == "damaged-group").count();
    // The group of statics, which both walks pass, and the record in it.
    assert_eq!(groups, 2, "{found:?}");
}

#[test]
fn each_lies_in_a_space_of_its_own_that_its_editor_id_names() {
    let bytes = sound();
    let plugin = Plugin::parse(&bytes, &Limits::default()).unwrap();
    let graph = SkyrimGraph::new(&plugin);
    let spaces = graph.spaces();
    assert!(spaces.iter().all(|(space, meshes)| matches!(space, SpaceId::Object(_)) && *meshes == 1));
    let names = plugin.editor_ids(&spaces.iter().map(|(space, _)| *space).collect::<Vec<_>>());
    assert_eq!(names, [Some("DinerBooth01".to_owned()), Some("Couch".to_owned())]);
    assert_eq!(graph.triangle_count(), 20);
    let mut lines = Vec::new();
    print_records(&plugin, &mut Scratch::new(), &mut lines).unwrap();
    let lines = String::from_utf8(lines).unwrap();
    assert!(lines.contains("object DinerBooth01 (01000810)"), "{lines}");
    let mut sheet = Vec::new();
    plugin.info(&mut Scratch::new(), &mut sheet).unwrap();
    assert!(String::from_utf8(sheet).unwrap().contains("2 meshes"));
}

#[test]
fn a_dump_has_those_with_a_mesh() {
    let bytes = sound();
    let plugin = Plugin::parse(&bytes, &Limits::default()).unwrap();
    let dump = serde_json::to_value(plugin.stream()).unwrap();
    let objects = dump["base_objects"].as_array().unwrap();
    let kinds: Vec<&str> = objects.iter().map(|object| object["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["FURN", "STAT"]);
    assert_eq!(objects[1]["mesh"]["triangles"].as_array().unwrap().len(), 12);
}
