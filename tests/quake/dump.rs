//! What `dump` prints is JSON, and says what the records say.

use navmap::format::NavFile;
use navmap::format::quake::QuakeNav;
use navmap_testkit::quake::{VERSIONS, sample};
use serde_json::{Value, json};

fn dump(version: (u8, u32)) -> Value {
    let bytes = sample(version).encode(version);
    let text = serde_json::to_string(QuakeNav::parse(&bytes).unwrap().stream()).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_version_dumps_every_record() {
    for version in VERSIONS {
        let dump = dump(version);
        let counts =
            ["nodes", "links", "traversals", "edicts"].map(|list| dump[list].as_array().unwrap().len());
        assert_eq!(counts, sample(version).counts(), "{version:?}");
        assert_eq!(dump["error"], Value::Null);
        assert_eq!(dump["version"], version.1);
    }
}

#[test]
fn names_and_keys_are_those_of_the_version() {
    let nav2 = dump((2, 15));
    assert_eq!(nav2["heuristic"], Value::Null);
    assert_eq!(nav2["nodes"][5]["flags"], json!({"bits": 8, "names": ["ElevatorBottom"]}));
    assert_eq!(nav2["traversals"][0]["funnel"], Value::Null);
    assert_eq!(nav2["traversals"][0]["stored_funnel"], json!([0.0, 0.0, 0.0]));
    assert_eq!(nav2["edicts"][1]["entity_id"], -17);
    assert_eq!(nav2["edicts"][1]["entity_index"], 16);
    assert_eq!(dump((2, 14))["edicts"][0]["classname"], -47);
    assert_eq!(dump((2, 18))["links"][0]["team_mask"], 1);
    let nav3 = dump((3, 6));
    assert_eq!(nav3["links"][1]["flags"]["names"], json!(["TeamRed", "TeamBlue", "WalkOnly"]));
    assert_eq!(nav3["links"][1]["source"], 0);
    assert_eq!(nav3["edicts"][1]["inline_model"], 1);
    let ladder = nav3["links"].as_array().unwrap().iter().find(|link| link["type_name"] == "Ladder").unwrap();
    let traversal = &nav3["traversals"][ladder["traversal"].as_u64().unwrap() as usize];
    assert_eq!(traversal["plane"], json!([0.0, 1.0, 0.0]));
}

#[test]
fn the_json_form_dumps_resolved_links_and_decoded_texts() {
    let text = navmap_testkit::quake::json_sample(2).navjson(2, "\n");
    let nav = navmap::format::quake::NavJson::parse(text.as_bytes()).unwrap();
    let dump: Value = serde_json::from_str(&serde_json::to_string(nav.stream()).unwrap()).unwrap();
    assert_eq!(dump["urls"], json!(["https://example.org/?map=sample&version=1"]));
    assert_eq!(dump["links"][0]["target"], 1);
    assert_eq!(dump["links"][0]["target_origin"], json!([128.0, 0.0, 24.03125]));
    assert_eq!(dump["links"][2]["source"], 1);
    assert_eq!(dump["error"], Value::Null);
}

/// Buffers of the Python package, whose columns these are.
#[test]
fn the_lists_of_fields_are_columns_in_file_order() {
    use navmap::format::quake::{BareEdict, HandleEdict, LadderTraversal, Link, ModelEdict, Node};
    use navmap::format::{Field, Number::*, Record};
    let columns = |fields: &'static [Field]| {
        let bytes = |number| match number {
            U8 => 1,
            U16 | I16 => 2,
            _ => 4,
        };
        let columns = Field::columns(fields);
        let bytes: usize = columns.iter().map(|(_, number, count)| bytes(*number) * count).sum();
        (columns, bytes)
    };
    let node = [("flags", U16, 1), ("link_count", U16, 1), ("first_link", U16, 1), ("radius", U16, 1)];
    assert_eq!(columns(Node::FIELDS), (node.to_vec(), 8));
    let link = [("target", U16, 1), ("kind", U8, 1), ("flags", U8, 1), ("traversal", U16, 1)];
    assert_eq!(columns(Link::FIELDS), (link.to_vec(), 6));
    let ladder = [("funnel", F32, 3), ("start", F32, 3), ("end", F32, 3), ("plane", F32, 3)];
    assert_eq!(columns(LadderTraversal::FIELDS), (ladder.to_vec(), 48));
    let bare = [("link", U16, 1), ("mins", F32, 3), ("maxs", F32, 3)];
    assert_eq!(columns(BareEdict::FIELDS), (bare.to_vec(), 26));
    let handles = bare.iter().copied().chain([("targetname", I32, 1), ("classname", I32, 1)]);
    assert_eq!(columns(HandleEdict::FIELDS), (handles.collect::<Vec<_>>(), 34));
    let model = [("link", U16, 1), ("model", I32, 1), ("mins", F32, 3), ("maxs", F32, 3)];
    assert_eq!(columns(ModelEdict::FIELDS), (model.to_vec(), 30));
    assert!(Link::FIELDS[0].docs == "Index of the target node." && Link::FIELDS[3].offset == 4);
}
