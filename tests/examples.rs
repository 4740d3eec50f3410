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
    for (mesh, ticks) in [("v16-2-tf2.nav", 8), ("town.nav", 50)] {
        let path = navmap_testkit::corpus::bundled().join("source").join(mesh);
        let walked = bot::walk(path.to_str().unwrap()).unwrap();
        assert!(walked.arrived == 1 && walked.ticks > ticks, "{mesh}: {walked:?}");
        assert!(walked.costs.len() == 2 && walked.costs[0] > 0.0, "{mesh}: {walked:?}");
        assert!(walked.off <= 0.1, "{mesh}: {walked:?}");
    }
}

/// How far a point is from a mesh: from the nearest area. Among waypoints, as seen from above, from the nearest disc, or from the
/// nearest of those that grow evenly between two.
fn off(index: &navmap::query::NavIndex, p: navmap::graph::Point) -> f32 {
    let near = index.nearest(p, f32::INFINITY).map_or(f32::INFINITY, |near| near.distance);
    let mut best = near;
    let (axes, rules) = (index.axes(), index.rules());
    let [x, y, z] = axes.plan(p);
    for area in index.areas() {
        let (Some(radius), Some(a)) = (index.radius(area), index.center(area)) else { return near };
        let a = axes.plan(a);
        let mut ways =
            index.links(area).filter(|way| way.kind.on_foot()).map(|way| way.to).collect::<Vec<_>>();
        ways.push(area);
        for to in ways {
            let (b, wide) = (axes.plan(index.center(to).unwrap()), index.radius(to).unwrap());
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            let own = ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy).max(1e-9);
            for t in (0..=32_u8).map(|at| f32::from(at) / 32.0).chain([own.clamp(0.0, 1.0)]) {
                let level = (x - a[0] - dx * t).hypot(y - a[1] - dy * t) - radius - (wide - radius) * t;
                let high = (z - a[2] - (b[2] - a[2]) * t).abs() - rules.step;
                best = best.min(level.max(high).max(0.0));
            }
        }
    }
    best
}

#[test]
fn a_bot_walks_a_thousand_random_ways_on_every_family_and_stays_on_the_mesh() {
    use navmap::format::{AnyNav, ParseOptions};
    use navmap::query::NavIndex;

    const WAYS: usize = 1000;
    let families =
        ["source", "detour", "quake", "fox", "skyrim", "aas", "yapb", "nodegraph", "rcbot", "xray"];
    let mut met = 0;
    for family in families {
        let mut meshes = Vec::new();
        let folders = [Some(navmap_testkit::corpus::bundled()), navmap_testkit::corpus::real()];
        for folder in folders.into_iter().flatten() {
            let mut paths = Vec::new();
            files(&folder.join(family), &mut paths);
            paths.sort();
            let mut taken = 0;
            for path in paths {
                let Ok(bytes) = std::fs::read(&path) else { continue };
                let Ok(nav) = AnyNav::parse(&bytes, Some(&path), &ParseOptions::default()) else { continue };
                let index = NavIndex::of(&nav).value;
                let sane = |area| index.center(area).is_some_and(|center| center.is_finite());
                if (8..3000).contains(&index.len()) && taken < 6 && index.areas().all(sane) {
                    meshes.push((path.display().to_string(), index));
                    taken += 1;
                }
            }
        }
        let Some(ways) = WAYS.checked_div(meshes.len()).map(|ways| ways + 1) else { continue };
        met += 1;
        let (mut all, mut worst) = (bot::Walked::default(), (f32::NEG_INFINITY, String::new()));
        for (name, index) in &meshes {
            let radius = bot::Body::new(index).radius;
            let Some(walked) = bot::wander(index, ways, 7, |p| off(index, p)) else { continue };
            if walked.off / radius > worst.0 {
                worst = (walked.off / radius, name.clone());
            }
            all.ways += walked.ways;
            all.arrived += walked.arrived;
            all.ticks += walked.ticks;
            all.legs += walked.legs;
            all.pushes += walked.pushes;
        }
        println!("{family}: {all:?}; worst {:.3} radii off, in {}", worst.0, worst.1);
        assert!(all.ways >= WAYS && all.legs + all.ticks > 0, "{family}: {all:?}");
        assert!(worst.0 <= 1.0, "{family}: {worst:?}");
        assert!(all.arrived * 100 >= all.ways * 95, "{family}: {all:?}");
    }
    assert!(met >= 1);
}

fn files(folder: &std::path::Path, into: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => files(&path, into),
            path => into.push(path),
        }
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
