//! The dump.

use navmap::format::{AnyNav, ParseOptions};
use navmap_testkit::corpus;

fn dump(name: &str) -> serde_json::Value {
    let bytes = std::fs::read(corpus::bundled_path("yapb", name)).unwrap();
    let nav = AnyNav::parse(&bytes, None, &ParseOptions::default()).unwrap();
    serde_json::to_value(&nav).unwrap()
}

#[test]
fn everything_of_a_node_is_dumped_and_what_a_form_lacks_is_null() {
    let graph = dump("v2.graph");
    assert_eq!(graph["author"], "Zoë");
    assert_eq!(graph["map_size"], 1_234_567);
    assert_eq!(graph["nodes"][1]["light"], 142.5);
    assert_eq!(graph["nodes"][0]["light"], serde_json::Value::Null);
    assert_eq!(graph["nodes"][2]["seen_standing"], 12);
    let jump = &graph["nodes"][4]["links"].as_array().unwrap().last().unwrap();
    assert_eq!((&jump["slot"], &jump["flags"]["names"][0]), (&6.into(), &"jump".into()));
    assert_eq!(jump["velocity"], serde_json::json!([-210.5, 60.25, 270.0]));

    let seven = dump("v7.pwf");
    assert_eq!((&seven["map"], &seven["nodes"][0]["light"]), (&"yard".into(), &serde_json::Value::Null));
    assert_eq!(seven["nodes"][0]["display_time"], serde_json::Value::Null);
    assert_eq!(seven["nodes"][0]["links"][0]["flags"]["bits"], 0);
    let five = dump("v5.pwf");
    assert_eq!(five["nodes"][0]["links"][0]["flags"], serde_json::Value::Null);
    assert_eq!(five["nodes"][0]["links"][0]["velocity"], serde_json::Value::Null);
}
