//! The dump.

use navmap::format::{AnyNav, ParseOptions};

fn dump(name: &str) -> serde_json::Value {
    let bytes = super::corpus::read(name);
    let nav = AnyNav::parse(&bytes, None, &ParseOptions::default()).unwrap();
    serde_json::to_value(&nav).unwrap()
}

#[test]
fn every_lump_is_dumped_and_what_a_version_lacks_is_null() {
    let full = dump("v5-full.aas");
    assert_eq!(
        (&full["version"], &full["stripped"], &full["above_floor"]),
        (&5.into(), &false.into(), &24.0.into())
    );
    let len = |key: &str| full[key].as_array().unwrap().len();
    assert_eq!([len("lumps"), len("boxes"), len("areas"), len("reachabilities")], [14, 2, 9, 17]);
    for key in
        ["vertices", "planes", "edges", "edge_index", "faces", "face_index", "nodes", "portals", "clusters"]
    {
        assert!(len(key) > 0, "{key}");
    }
    let area = &full["areas"][3];
    assert_eq!((&area["cluster"], &area["contents"]["names"][0]), (&(-1).into(), &"cluster_portal".into()));
    assert_eq!((&area["links"], &area["first_link"], &area["steepness"]), (&2.into(), &8.into(), &().into()));
    let pad = &full["reachabilities"][15];
    assert_eq!(
        (&pad["kind"], &pad["kind_name"], &pad["face"]),
        (&18.into(), &"jump pad".into(), &600.into())
    );
    assert_eq!((&pad["time"], &pad["start"][0]), (&150.into(), &416.0.into()));
    assert_eq!(full["lumps"][0]["name"], "bounding boxes");
    assert_eq!(full["lumps"][0]["offset"], 124);
    assert_eq!(dump("v8.aas")["areas"][7]["steepness"], 0.25);
    assert_eq!(dump("v5.aas")["vertices"], serde_json::json!([]));
}
