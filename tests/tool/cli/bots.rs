//! Areas of Quake III, tiles of Detour and waypoints of GoldSrc by the verbs that ask: located, passed, compared, drawn, as
//! tables.

use super::{navmap, text};
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use serde_json::Value;

const AAS: &str = "corpus/aas/v5.aas";
const TILES: &str = "corpus/detour/set.navmesh";
const BOTS: &str = "corpus/yapb/v2.graph";

fn rows(args: &[&str]) -> (Vec<Value>, i32) {
    let done = navmap(&[args, &["--format", "jsonl"]].concat());
    let rows = text(&done.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (rows, done.status.code().unwrap())
}

#[test]
fn points_on_the_floor_are_found_in_their_areas() {
    // A point on the floor belongs to the area 24 units above it, the origin of a player as well.
    let (found, status) = rows(&["locate", AAS, "64,64,0", "64,64,24", "200,64,24", "320,64,64"]);
    let ids: Vec<i64> = found.iter().filter_map(|row| row["id"].as_i64()).collect();
    assert_eq!((ids, status), (vec![1, 1, 2, 3], 0), "{found:?}");
    assert!(found.iter().take(3).all(|row| row["height"] == 24.0), "as stored: {found:?}");
    let (found, status) = rows(&["locate", TILES, "1,1.2,3"]);
    assert_eq!((found.len(), status), (1, 0), "{found:?}");
    let (found, status) = rows(&["locate", BOTS, "9999,9999,0"]);
    assert_eq!((&found[0]["id"], status), (&Value::Null, 1), "{found:?}");
}

#[test]
fn ways_lead_over_reachabilities_and_say_how_one_travels() {
    let (steps, status) = rows(&["path", AAS, "#1", "#8"]);
    let ways: Vec<(i64, &str)> =
        steps.iter().map(|row| (row["id"].as_i64().unwrap(), row["how"].as_str().unwrap())).collect();
    // Over the floor, up the barrier and along the ledge: the rocket jump takes three times as long.
    assert_eq!((ways, status), (vec![(1, "start"), (2, "walk"), (3, "jump"), (8, "walk")], 0), "{steps:?}");
    // Hundredths of a second, as the bots count: each reachability, and the ways between them.
    let cost = steps.last().unwrap()["cost"].as_f64().unwrap();
    assert!((cost - 320.0).abs() < 100.0, "{cost}");
    let (_, status) = rows(&["path", AAS, "#8", "#99"]);
    assert_eq!(status, 2);
    // From the ledge one drops back, and nothing leads out of the air.
    let (steps, status) = rows(&["path", AAS, "#3", "#2"]);
    assert_eq!((steps[1]["how"].as_str(), status), (Some("drop"), 0), "{steps:?}");
}

#[test]
fn two_files_of_areas_are_compared_as_meshes() {
    let done = navmap(&["diff", AAS, AAS]);
    assert_eq!(done.status.code(), Some(0));
    // With faces and without: the same floors.
    let done = navmap(&["diff", AAS, "corpus/aas/v5-full.aas"]);
    let told = text(&done.stdout);
    assert!(!told.contains("added") && !told.contains("removed"), "{told}");
    let done = navmap(&["diff", "--stat", AAS, "corpus/aas/v8.aas"]);
    assert!(done.status.code().is_some_and(|status| status < 2), "{}", text(&done.stderr));
    // Both forms of waypoints name their author, each in its own place, and only one names its map.
    let told = text(&navmap(&["diff", BOTS, "corpus/yapb/v7.pwf"]).stdout);
    assert!(told.contains("version: 2 → 7") && !told.contains("author") && !told.contains("yard"), "{told}");
    for path in [TILES, BOTS] {
        assert_eq!(navmap(&["diff", path, path]).status.code(), Some(0), "{path}");
    }
}

#[test]
fn pictures_of_all_three_are_drawn() {
    let temp = Temp::new("bots-draw");
    for (name, path) in [("a.svg", AAS), ("d.svg", TILES), ("y.svg", BOTS), ("a.png", AAS)] {
        let out = temp.join(name);
        let done = navmap(&["draw", path, "-o", out.to_str().unwrap(), "--size", "400"]);
        assert!(done.status.success(), "{path}: {}", text(&done.stderr));
        assert!(std::fs::metadata(out).unwrap().len() > 1_000, "{path}");
    }
}

#[test]
fn a_family_has_its_tables_by_name() {
    let temp = Temp::new("bots-tables");
    let folder = temp.join("out");
    let aas = bundled().join("aas");
    let done = navmap(&[
        "tables",
        aas.to_str().unwrap(),
        "--tables",
        "aas",
        "-o",
        folder.to_str().unwrap(),
        "--format",
        "csv",
    ]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let mut names: Vec<String> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let tables =
        ["areas", "clusters", "corners", "faces", "meshes", "nodes", "planes", "portals", "reachabilities"];
    assert_eq!(names, tables.map(|table| format!("aas_{table}.csv")));
    let meshes = std::fs::read_to_string(folder.join("aas_meshes.csv")).unwrap();
    assert_eq!(meshes.lines().count(), 5, "{meshes}");
}

#[test]
fn waypoints_and_areas_are_edited_compared_as_a_script_and_merged() {
    let temp = Temp::new("bots-edit");
    let file = |name: &str| temp.join(name).to_str().unwrap().to_owned();
    let edited = |from: &str, how: [&str; 2], to: &str| {
        let done = navmap(&["edit", from, how[0], how[1], "-o", to]);
        assert!(done.status.success(), "{how:?}: {}", text(&done.stderr));
        std::fs::read(to).unwrap()
    };
    let points = ["delete #9; connect #3 #5 --both; move 0 0 30 #2", "delete #9\n"];
    // What was #10 is #9, since ours has deleted the one before.
    let flags = ["flag goal #10; set #0 Radius=16", "set #0 Radius=16\n", "set #9 Flags="];
    let areas = ["flag disabled #5; disconnect #2 #3", "disconnect #2 #3 --nth 2\n"];
    let times =
        ["set_link #1 #2 Time=90; flag lava #4", "set_link #1 #2 --nth 1 Time=90\n", "set #4 Contents="];
    for (base, name, [mine, line], [other, first, second]) in [
        (BOTS, "graph", points, flags),
        ("corpus/yapb/v7.pwf", "pwf", points, flags),
        ("corpus/aas/v5.aas", "aas", areas, times),
    ] {
        let [ours, theirs, again, both] =
            ["ours", "theirs", "again", "both"].map(|file_name| file(&format!("{file_name}.{name}")));
        let wanted = edited(base, ["-c", mine], &ours);
        let script = text(&navmap(&["diff", base, &ours, "--script"]).stdout);
        assert!(script.contains(line), "{script}");
        std::fs::write(temp.join("script.txt"), &script).unwrap();
        assert!(edited(base, ["-f", &file("script.txt")], &again) == wanted, "{script}");
        edited(base, ["-c", other], &theirs);
        let done = navmap(&["merge", base, &ours, &theirs, "-o", &both]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        let script = text(&navmap(&["diff", &ours, &both, "--script"]).stdout);
        assert!(script.contains(first) && script.contains(second), "{script}");
    }
    let done = navmap(&["edit", BOTS, "-c", "flag snipre #1", "-o", &file("none.graph")]);
    assert!(!done.status.success() && !temp.join("none.graph").exists());
    assert!(text(&done.stderr).contains("did you mean sniper?"), "{}", text(&done.stderr));
}

/// Nodes of a `.graph` are packed: with other values they take other bytes, and the size alone would not say what that means.
#[test]
fn values_that_are_neither_nodes_nor_links_are_told_to_differ() {
    let temp = Temp::new("bots-values");
    let far = temp.join("far.graph");
    let far = far.to_str().unwrap();
    let done = navmap(&["edit", BOTS, "-c", "set_link #0 #1 Distance=77777777", "-o", far]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let told = text(&navmap(&["diff", BOTS, far]).stdout);
    assert!(
        told.contains("bytes: ") && told.contains("nodes and links are the same; other bytes differ"),
        "{told}"
    );
    let told = text(&navmap(&["diff", BOTS, far, "--stat"]).stdout);
    assert!(told.ends_with("links, other bytes differ\n"), "{told}");
}

/// What the edits have made odd is told before it is written; what was odd before is not.
#[test]
fn what_is_odd_only_after_the_edits_is_told() {
    let quake = "corpus/quake/nav3-v6.nav";
    let said = |mesh, command| {
        let done = navmap(&["edit", mesh, "-c", command, "--dry-run"]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        text(&done.stderr)
    };
    let told = "navmap: the mesh has findings that it did not have before: self-link (warning, 1 more)\n";
    assert!(said(quake, "connect #1 #1").contains(told), "{}", said(quake, "connect #1 #1"));
    for (mesh, command) in [(quake, "connect #1 #1; undo"), (BOTS, "delete #5"), (TILES, "delete #1")] {
        assert!(!said(mesh, command).contains("did not have before"), "{mesh} {command}");
    }
}

/// Waypoints have no area, though those of YaPB have a radius.
#[test]
fn what_is_made_of_points_has_no_square_metres() {
    for mesh in [BOTS, "corpus/rcbot/v4.rcw", "corpus/nodegraph/v37.ain"] {
        for more in [&[][..], &["--each"]] {
            let (parts, _) = rows(&[&["reach", mesh, "-q"], more].concat());
            assert!(parts.iter().all(|row| row["square_m"].is_null()), "{mesh}: {parts:?}");
        }
    }
    let (parts, _) = rows(&["reach", TILES, "-q"]);
    assert!(parts.iter().all(|row| row["square_m"].as_f64() > Some(0.0)), "{parts:?}");
}

#[test]
fn a_tile_cache_has_the_tiles_of_a_scan_in_info_too() {
    for cache in ["corpus/detour/cache.bin", "corpus/detour/cache-bounds.bin"] {
        let (scanned, _) = rows(&["scan", "-q", cache]);
        assert_eq!(scanned[0]["counts"]["tiles"], 3);
        let info = navmap(&["info", cache]);
        let told = text(&info.stdout).lines().find(|line| line.starts_with("tiles ")).unwrap().to_owned();
        assert!(told.contains(" 3, which the engine builds"), "{told}");
    }
}
