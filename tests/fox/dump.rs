//! What `dump` prints.

use navmap::format::NavFile;
use navmap::format::fox::FoxNav;
use navmap_testkit::corpus::{manifest, real};
use navmap_testkit::fox::{Map, hostile};
use serde_json::Value;

fn dump(bytes: &[u8]) -> Value {
    serde_json::to_value(FoxNav::parse(bytes).unwrap().stream()).unwrap()
}

fn counts(dump: &Value) -> [u64; 6] {
    let groups = dump["groups"].as_array().unwrap();
    let sum = |key: &str| groups.iter().map(|group| group[key].as_array().unwrap().len() as u64).sum();
    [groups.len() as u64, sum("segments"), sum("vertices"), sum("faces"), sum("nav_nodes"), sum("nav_edges")]
}

#[test]
fn every_record_of_every_real_file_is_printed() {
    let Some(folder) = real() else { return };
    for row in manifest(&folder.join("fox")) {
        if row.number("groups").is_none() {
            continue;
        }
        let dump = dump(&row.read());
        let expected = ["groups", "segments", "vertices", "faces", "nav_nodes", "nav_edges"];
        assert_eq!(counts(&dump), expected.map(|key| row.number(key).unwrap()), "{}", row.name());
        assert_eq!(dump["error"], Value::Null, "{}", row.name());
    }
}

#[test]
fn links_are_printed_by_where_they_lead() {
    let map = Map { size: [2, 1], columns: 4, cells: 2, sector: 1, ..Map::standalone() };
    let dump = dump(&map.tile(0, 0).files[0].1);
    assert_eq!((dump["tile"].as_u64(), dump["version"].as_u64()), (Some(0), Some(201_403_242)));
    let strip = &dump["groups"][0];
    assert_eq!((strip["id"].as_u64(), strip["side"].as_str()), (Some(1), Some("+x")));
    let crossings: Vec<&Value> =
        strip["nav_nodes"].as_array().unwrap().iter().map(|node| &node["crossing"]).collect();
    assert!(crossings.iter().any(|to| to["tile"] == 1 && to["group"] == 3));
    assert!(crossings.iter().any(|to| to["group"] == 4 && to["node"].is_u64()));
    assert!(crossings.iter().any(|to| to.is_null()));
    let neighbours =
        strip["faces"].as_array().unwrap().iter().flat_map(|f| f["neighbours"].as_array().unwrap());
    assert!(neighbours.clone().any(|to| to.is_null()) && neighbours.clone().any(|to| to["tile"] == 1));
    assert_eq!(dump["island_graphs"].as_array().unwrap().len(), 3);
    assert_eq!(dump["search_space"]["buckets"].as_array().unwrap().len(), 169);
    assert_eq!(dump["opaque_id"].as_str().unwrap().len(), 32);
}

#[test]
fn a_list_that_cannot_be_read_on_ends_and_the_last_field_says_so() {
    for (name, bytes, _) in hostile() {
        let Ok(nav) = FoxNav::parse(&bytes) else { continue };
        let text = serde_json::to_string(nav.stream()).unwrap();
        assert!(text.len() < 16 * bytes.len().max(4096), "{name}: {} bytes of text", text.len());
        let dump: Value = serde_json::from_str(&text).unwrap();
        let fails = matches!(
            name,
            "segment-vertices"
                | "segment-faces"
                | "face-offset"
                | "link-offset"
                | "entry-missing"
                | "buckets-overflow"
                | "listings-shared"
                | "search-outside"
        );
        assert_eq!(dump["error"].is_string(), fails, "{name}: {}", dump["error"]);
    }
}
