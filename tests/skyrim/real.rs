//! Every row of the manifest of real files.

use navmap::bytes::Scratch;
use navmap::format::skyrim::{NavMesh, Plugin};
use navmap::{Counts, Limits, NavFile};
use navmap_testkit::corpus;

const KEYS: [&str; 6] =
    ["navm_records", "vertices", "triangles", "edge_links", "door_triangles", "cover_triangles"];

fn rows() -> Vec<corpus::Row> {
    corpus::real().map_or_else(Vec::new, |folder| corpus::manifest(&folder.join("skyrim")))
}

#[test]
fn every_row_of_the_manifest_is_counted_as_it_says() {
    for row in rows() {
        let bytes = row.read();
        let (mut scratch, mut counts) = (Scratch::new(), Counts::default());
        let mut found = Vec::new();
        let read = if row.name().ends_with(".nvnm") {
            NavMesh::parse(&bytes)
                .and_then(|mesh| mesh.survey(&mut scratch, &mut counts, &mut |f| found.push(f)))
        } else {
            let plugin = Plugin::parse(&bytes, &Limits::default()).unwrap();
            plugin.survey(&mut scratch, &mut counts, &mut |f| found.push(f))
        };
        let negative = row.text("note").contains("NEGATIVE");
        assert_eq!(read.is_err(), negative, "{}: {read:?}", row.name());
        if negative {
            continue;
        }
        assert_eq!(counts.get("navmeshes"), row.number("nvnm_exact"), "{}", row.name());
        for key in KEYS.into_iter().chain(["compressed_records"]) {
            if let Some(number) = row.number(key) {
                assert_eq!(counts.get(key), Some(number), "{} {key}", row.name());
            }
        }
    }
}
