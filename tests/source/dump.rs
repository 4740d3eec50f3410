//! A mesh as JSON: whole, streamed, and honest about where it ends.

use navmap::format::NavFile;
use navmap::format::source::{Source2Nav, SourceNav};
use navmap_testkit::alloc::cost_of;
use navmap_testkit::corpus::bundled_path;
use navmap_testkit::source as kit;
use serde_json::{Value, json};

fn bundled_file(name: &str) -> Vec<u8> {
    std::fs::read(bundled_path("source", name)).unwrap()
}

fn dump(bytes: &[u8]) -> Value {
    serde_json::to_value(SourceNav::parse(bytes).unwrap().stream()).unwrap()
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
}

#[test]
fn a_dump_holds_what_the_plain_reader_reads() {
    for name in ["v3.nav", "v9.nav", "v16-1-csgo.nav", "v16-2-tf2.nav", "v16-14-l4d2.nav"] {
        let bytes = bundled_file(name);
        let (dumped, mesh) = (dump(&bytes), kit::read(&bytes).unwrap());
        assert_eq!(dumped["version"], json!(mesh.version), "{name}");
        assert_eq!(dumped["subversion"], json!(mesh.subversion), "{name}");
        assert_eq!(dumped["error"], Value::Null, "{name}");
        let areas = dumped["areas"].as_array().unwrap();
        assert_eq!(areas.len(), mesh.areas.len(), "{name}");
        for (area, made) in areas.iter().zip(&mesh.areas) {
            assert_eq!(area["id"], json!(made.id), "{name}");
            assert_eq!(area["corners"][0], json!(made.nw), "{name}");
            assert_eq!(area["corners"][2], json!(made.se), "{name}");
            for (side, ids) in ["north", "east", "south", "west"].iter().zip(&made.connections) {
                assert_eq!(
                    numbers(&area["connections"][side]),
                    ids.iter().map(|id| (*id).into()).collect::<Vec<u64>>()
                );
            }
            let spots = area["hiding_spots"].as_array().unwrap();
            assert_eq!(spots.len(), made.spots.len(), "{name}");
            for (spot, made) in spots.iter().zip(&made.spots) {
                assert_eq!(
                    (&spot["id"], &spot["position"]),
                    (&json!(made.id), &json!(made.position)),
                    "{name}"
                );
            }
            let paths = area["encounter_paths"].as_array().unwrap();
            assert_eq!(paths.len(), made.paths.len(), "{name}");
            for (path, made) in paths.iter().zip(&made.paths) {
                assert_eq!((&path["from"], &path["to"]), (&json!(made.from), &json!(made.to)), "{name}");
                for (spot, (id, t)) in path["spots"].as_array().unwrap().iter().zip(&made.spots) {
                    assert_eq!(spot["spot"], json!(id), "{name}");
                    assert_eq!((spot["t"].as_f64().unwrap() * 255.0).round(), f64::from(*t), "{name}");
                }
            }
            assert_eq!(area["approach_areas"].as_array().unwrap().len(), made.approaches.len(), "{name}");
            let key = if made.spawn != 0 { "index" } else { "area" };
            for (entry, (target, bits)) in area["visible_areas"].as_array().unwrap().iter().zip(&made.visible)
            {
                assert_eq!((&entry[key], &entry["visibility"]), (&json!(target), &json!(bits)), "{name}");
            }
        }
        let ladders = dumped["ladders"].as_array().unwrap();
        assert_eq!(ladders.len(), mesh.ladders.len(), "{name}");
        for (ladder, made) in ladders.iter().zip(&mesh.ladders) {
            assert_eq!((&ladder["id"], &ladder["top"]), (&json!(made.id), &json!(made.top)), "{name}");
            assert_eq!(ladder["top_forward"], json!(made.areas[0]), "{name}");
        }
    }
}

#[test]
fn unknown_bits_are_dumped_in_the_number_beside_the_names() {
    let area = kit::Area { attributes: 0x80_0003, ..kit::Area::default() };
    let mesh = kit::Mesh { version: 16, subversion: Some(0), areas: vec![area], ..kit::Mesh::default() };
    assert_eq!(
        dump(&kit::write(&mesh))["areas"][0]["attributes"],
        json!({"bits": 0x80_0003, "names": ["CROUCH", "JUMP"]})
    );
}

#[test]
fn a_dump_of_a_cut_file_ends_where_the_file_does() {
    let whole = bundled_file("v16-2-tf2.nav");
    let dumped = dump(&whole[..whole.len() / 2]);
    let areas = dumped["areas"].as_array().unwrap().len();
    assert!((1..9).contains(&areas));
    let error = dumped["error"].as_str().unwrap();
    assert!(error.starts_with("area #") && error.contains(&format!(" (record {areas}), byte 0x")), "{error}");
    assert_eq!(dumped["ladders"], json!([]));
}

#[test]
fn a_dump_is_streamed() {
    let bytes = kit::tf2_shaped();
    let nav = SourceNav::parse(&bytes).unwrap();
    let ((), cost) = cost_of(|| serde_json::to_writer(std::io::sink(), nav.stream()).unwrap());
    assert!(cost.peak_bytes < 4096, "{cost:?}");
}

#[test]
fn a_source_2_mesh_is_dumped_with_its_blocks_named() {
    let bytes = bundled_file("v35-1.nav");
    let dumped = serde_json::to_value(Source2Nav::parse(&bytes).unwrap().stream()).unwrap();
    assert_eq!(dumped["areas"].as_array().unwrap().len(), 8);
    assert_eq!(dumped["areas"][0]["edges"][1][0], json!({"area": 2, "edge": 3}));
    assert_eq!(dumped["parameters"]["hull_preset"], json!("human"));
    assert_eq!(dumped["game_data"]["compression"], json!(2));
    assert_eq!(dumped["movable_meshes"][0]["name"], json!("lift"));
    assert_eq!(dumped["error"], Value::Null);
}
