//! Pictures of meshes over the floor plans of their maps.

use crate::{golden_text, navmap, text};
use navmap_testkit::maps::{gold_yard, source_yard, yard_mesh};
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;

/// The yard of both engines, each a map and its mesh.
fn yards(temp: &Temp) {
    let (gold, source) = (gold_yard(), source_yard());
    temp.file("maps/goldsrc.bsp", &gold);
    temp.file("meshes/goldsrc.nav", &yard_mesh(5, None, gold.len()));
    temp.file("maps/source.bsp", &source);
    temp.file("meshes/source.nav", &yard_mesh(16, Some(1), source.len()));
}

fn words(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// What a run says on standard error, and its exit status.
fn run(args: &[&str]) -> (String, Option<i32>) {
    let done = navmap(args);
    (text(&done.stderr), done.status.code())
}

#[test]
fn a_mesh_is_drawn_over_the_floor_plan_of_its_map() {
    let temp = Temp::new("floor");
    yards(&temp);
    for (engine, more) in [("goldsrc", &[][..]), ("source", &["--dark"][..])] {
        let mesh = temp.join(format!("meshes/{engine}.nav"));
        let map = temp.join(format!("maps/{engine}.bsp"));
        let picture = temp.join(format!("{engine}.svg"));
        let args = ["draw", words(&mesh), "--bsp", words(&map), "-o", words(&picture), "--size", "700"];
        assert_eq!(run(&[&args, more].concat()), (String::new(), Some(0)));
        let drawn = fs::read_to_string(&picture).unwrap();
        assert!(drawn.contains(">wall<") && drawn.contains(">water<"), "{engine}");
        assert_eq!(drawn.contains(">clip brush<"), engine == "source");
        golden_text(&format!("floor-{engine}.svg"), &drawn);
        let picture = temp.join(format!("{engine}.png"));
        let args = ["draw", words(&mesh), "--bsp", words(&map), "-o", words(&picture), "--size", "300"];
        assert_eq!(run(&args), (String::new(), Some(0)));
        assert!(fs::read(&picture).unwrap().starts_with(b"\x89PNG"));
        // The map of this name in a folder is the same map.
        let (folder, again) = (temp.join("maps"), temp.join(format!("{engine}-again.svg")));
        let args = ["draw", words(&mesh), "--bsp", words(&folder), "-o", words(&again), "--size", "700"];
        assert_eq!(run(&[&args, more].concat()), (String::new(), Some(0)));
        assert!(fs::read_to_string(&again).unwrap() == drawn, "{engine}");
    }
}

#[test]
fn every_picture_takes_a_map() {
    let temp = Temp::new("floor-verbs");
    yards(&temp);
    let (mesh, map) = (temp.join("meshes/source.nav"), temp.join("maps/source.bsp"));
    let (before, after) = (temp.join("before.nav"), temp.join("after.svg"));
    fs::copy(&mesh, &before).unwrap();
    let edited = temp.join("edited.nav");
    let cut = ["edit", words(&mesh), "-c", "nav_delete #3", "-o", words(&edited)];
    assert_eq!(run(&cut).1, Some(0));
    let (mesh, map, before) = (words(&edited), words(&map), words(&before));
    for (args, status) in [
        (&["draw", mesh, "--before", before, "-o"][..], 0),
        (&["diff", before, mesh, "--draw"], 1),
        (&["path", mesh, "#1", "#2", "--draw"], 0),
        (&["reach", mesh, "#1", "--draw"], 1),
    ] {
        let _ = fs::remove_file(&after);
        let (said, code) = run(&[args, &[words(&after), "--bsp", map]].concat());
        assert!(code == Some(status) || code == Some(0), "{args:?}: {code:?} {said}");
        assert!(fs::read_to_string(&after).unwrap().contains(">wall<"), "{args:?}");
    }
    // A sheet: each mesh over the map of its name.
    let (sheet, plain) = (temp.join("sheet.svg"), temp.join("plain.svg"));
    let (meshes, maps) = (temp.join("meshes"), temp.join("maps"));
    let draw =
        |output: &Path, more: &[&str]| run(&[&["draw", words(&meshes), "-o", words(output)], more].concat());
    assert_eq!(draw(&sheet, &["--bsp", words(&maps)]).1, Some(0));
    assert_eq!(draw(&plain, &[]).1, Some(0));
    let size = |path: &Path| fs::metadata(path).unwrap().len();
    assert!(size(&sheet) > size(&plain) + 2_000, "{} and {}", size(&sheet), size(&plain));
    let (said, code) = draw(&temp.join("none.svg"), &["--bsp", map]);
    assert!(code == Some(2) && said.contains("is no folder"), "{said}");
    assert!(!temp.join("none.svg").exists());
}

#[test]
fn what_is_no_map_of_the_mesh_is_said_and_nothing_is_drawn() {
    let temp = Temp::new("floor-bad");
    yards(&temp);
    let whole = source_yard();
    temp.file("cut.bsp", &whole[..whole.len() / 2]);
    temp.file("text.bsp", b"no map at all, only words");
    let (mesh, picture) = (temp.join("meshes/source.nav"), temp.join("none.svg"));
    for (map, why) in [("cut.bsp", "lump"), ("text.bsp", "neither BSP"), ("gone.bsp", "gone.bsp")] {
        let map = temp.join(map);
        let (said, code) = run(&["draw", words(&mesh), "--bsp", words(&map), "-o", words(&picture)]);
        assert!(code == Some(2) && said.contains(why) && said.lines().count() == 1, "{code:?} {said}");
    }
    let empty = temp.join("meshes");
    let (said, code) = run(&["draw", words(&mesh), "--bsp", words(&empty), "-o", words(&picture)]);
    assert!(code == Some(2) && said.contains("has no map of this mesh's name"), "{said}");
    let fox = navmap_testkit::corpus::bundled().join("fox/standalone.nav2");
    let map = temp.join("maps/source.bsp");
    let (said, code) = run(&["draw", words(&fox), "--bsp", words(&map), "-o", words(&picture)]);
    assert!(code == Some(2) && said.contains("y is up"), "{said}");
    assert!(!picture.exists());
}
