//! The examples do what they say. (`examples/reload.rs` is tested beside `open`, in `tests/open`.)

#[path = "../examples/graph.rs"]
mod graph;

#[cfg(feature = "archive")]
#[path = "../examples/table.rs"]
mod table;

#[path = "../examples/bot.rs"]
mod bot;
#[path = "../examples/horde.rs"]
mod horde;
#[cfg(all(feature = "skyrim", feature = "archive"))]
#[path = "../examples/journey.rs"]
mod journey;
#[path = "../examples/swap.rs"]
mod swap;
#[cfg(feature = "fox")]
#[path = "../examples/tiles.rs"]
mod tiles;

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

#[cfg(feature = "archive")]
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

#[test]
fn a_bot_walks_to_the_end_of_its_way_and_around_what_blocks_it() {
    for mesh in ["v16-2-tf2.nav", "town.nav"] {
        let path = navmap_testkit::corpus::bundled().join("source").join(mesh);
        let walked = bot::walk(path.to_str().unwrap()).unwrap();
        assert!(walked.arrived && walked.ticks > 10, "{mesh}: {walked:?}");
        assert!(walked.costs.len() == 2 && walked.costs[0] > 0.0, "{mesh}: {walked:?}");
        // A straight line between two corners on the ground leaves a slope by a step at most.
        assert!(walked.off <= 18.0, "{mesh}: {walked:?}");
    }
}

#[test]
fn a_server_keeps_answering_while_its_mesh_is_replaced() {
    let folder = navmap_testkit::temp::Temp::new("example-swap");
    let path = folder.path().join("live.nav");
    let town = std::fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    std::fs::write(&path, &town).unwrap();
    let versions = [town.clone(), town[..town.len() / 2].to_vec(), b"no mesh".to_vec(), town];
    let served = swap::serve(&path, &versions).unwrap();
    assert_eq!((served.generation, served.refused), (3, 2), "{served:?}");
    assert!(served.asked >= 40 && served.found > 0 && served.found <= served.asked, "{served:?}");
    assert!(served.stale > 0, "areas that were kept are refused by the next world: {served:?}");
}

#[test]
fn a_thousand_bots_share_one_index() {
    let path = navmap_testkit::corpus::bundled().join("source/town.nav");
    let thought = horde::think(path.to_str().unwrap(), 1000, 40).unwrap();
    assert_eq!(thought.bots, 1000);
    assert!(thought.ways > 2000 && thought.longest > 1, "searches are spread over ticks: {thought:?}");
    assert!(thought.shared < 100_000 && thought.own < 15_000, "{thought:?}");
}

#[cfg(feature = "fox")]
#[test]
fn a_way_crosses_tiles_and_leaves_them_where_one_is_missing() {
    let folder = navmap_testkit::corpus::bundled().join("fox/set");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let crossed = tiles::cross(&files).unwrap();
    assert!(crossed.tiles.len() >= 3 && crossed.borders + 1 >= crossed.tiles.len(), "{crossed:?}");
    assert!(crossed.metres > 100.0, "{crossed:?}");
    let between = &crossed.tiles[1..crossed.tiles.len() - 1];
    assert!(
        crossed.leaves.is_some_and(|tile| !between.is_empty() && tile != crossed.tiles[0]),
        "{crossed:?}"
    );
}

#[cfg(all(feature = "skyrim", feature = "archive"))]
#[test]
fn a_journey_leads_from_mesh_to_mesh_of_a_load_order() {
    let order = navmap_testkit::corpus::bundled().join("skyrim/order");
    let plugins = ["Base.esm", "Patch.esp", "Rival.esp"].map(|name| order.join(name));
    let travelled = journey::travel(&plugins).unwrap();
    // In a folder masters go first.
    assert_eq!(journey::travel(&[order]).unwrap().meshes, travelled.meshes);
    assert!(travelled.meshes.len() >= 2 && travelled.cost > 0.0, "{travelled:?}");
    assert_eq!(travelled.unresolved, 0);
}
