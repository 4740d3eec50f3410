//! The examples do what they say. (`examples/reload.rs` is tested beside `open`, in `tests/open`.)

#[cfg(all(feature = "query", feature = "export"))]
#[path = "../examples/graph.rs"]
mod graph;

#[cfg(feature = "scan")]
#[path = "../examples/table.rs"]
mod table;

#[cfg(all(feature = "query", feature = "export"))]
#[test]
fn a_graph_of_ones_own_has_statistics_ways_and_exports() {
    let mut out = Vec::new();
    graph::report(&graph::Board::new(graph::LEVEL), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    // One leaves the inner yard over the ledge, and there is no other way in or out.
    assert!(text.contains("a way of 12 cells"), "{text}");
    assert!(text.contains("no way back"), "{text}");
    assert!(text.contains("digraph"), "{text}");
}

#[cfg(feature = "scan")]
#[test]
fn the_table_has_a_row_of_nine_cells_for_each_mesh() {
    let at = |path: &str| navmap_testkit::corpus::bundled().join(path);
    let mut out = Vec::new();
    let totals = table::table(
        &[at("source"), at("hostile/source/cut-in-area.nav"), at("quake/MANIFEST.tsv")],
        &mut out,
    );
    let (totals, text) = (totals.unwrap(), String::from_utf8(out).unwrap());
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 9), "{text}");
    assert!(totals.meshes > 25 && rows.len() as u64 > totals.meshes, "{totals:?}");
    let town = rows.iter().find(|row| row[0].ends_with("source/town.nav")).unwrap();
    assert_eq!(
        town[1..5],
        ["ok", "Source SDK 2013", "356", "1403"],
        "areas, connections and ways up and down ladders"
    );
    let cut = rows.iter().find(|row| row[0].ends_with("cut-in-area.nav")).unwrap();
    assert_eq!((cut[1], cut[3]), ("error", "4"), "what comes before the damage");
    let other = rows.iter().find(|row| row[0].ends_with("MANIFEST.tsv")).unwrap();
    assert_eq!(other[1..], ["error", "", "", "", "", "", "", ""]);
}
