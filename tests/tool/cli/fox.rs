//! Meshes of the Fox Engine as people make and change them.

use navmap_testkit::temp::Temp;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs navmap: exit status, stdout and stderr.
fn navmap(args: &[&str]) -> (Option<i32>, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_navmap")).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

const QUAD: &str = "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 4 3\nf 1 3 2\n";

#[test]
fn a_model_becomes_a_mesh_without_findings_and_comes_back() {
    let temp = Temp::new("fox-convert");
    let (obj, nav2) = (temp.join("quad.obj"), temp.join("quad.nav2"));
    fs::write(&obj, QUAD).unwrap();
    let opaque = "45082d1aa9c1d94638380aa5cd1ca7b7";
    let (status, out, said) = navmap(&["convert", path(&obj), "-o", path(&nav2), "--opaque", opaque]);
    assert_eq!((status, out.as_str(), said.as_str()), (Some(0), "", ""));
    assert_eq!(fs::read(&nav2).unwrap().len(), 752);
    assert_eq!(navmap(&["check", "--quiet", path(&nav2)]), (Some(0), String::new(), String::new()));
    let (status, _, said) = navmap(&["convert", path(&obj), "-o", path(&nav2)]);
    assert!(status == Some(2) && said.contains("--force"), "{said}");
    // What navmap exports is the same geometry again, from OBJ as from GLB.
    for name in ["back.obj", "back.glb"] {
        let (model, again) = (temp.join(name), temp.join(format!("{name}.nav2")));
        assert_eq!(navmap(&["export", path(&nav2), "-o", path(&model)]).0, Some(0));
        let (status, _, said) = navmap(&["convert", path(&model), "-o", path(&again), "--like", path(&nav2)]);
        assert_eq!((status, said.as_str()), (Some(0), ""), "{name}");
        assert!(fs::read(&again).unwrap() == fs::read(&nav2).unwrap(), "{name}");
    }
}

#[test]
fn a_tile_that_is_exported_is_built_again_face_by_face() {
    let temp = Temp::new("fox-again");
    let tile = navmap_testkit::corpus::bundled_path("fox", "standalone.nav2");
    for name in ["tile.obj", "tile.glb"] {
        let (model, again) = (temp.join(name), temp.join(format!("{name}.nav2")));
        assert_eq!(navmap(&["export", path(&tile), "-o", path(&model)]).0, Some(0));
        let (status, _, said) =
            navmap(&["convert", path(&model), "-o", path(&again), "--like", path(&tile), "--sector", "128"]);
        assert_eq!(status, Some(0), "{name}: {said}");
        assert_eq!(navmap(&["check", "--quiet", path(&again)]).0, Some(0), "{name}");
        assert_eq!(places(&temp, &again), places(&temp, &tile), "{name}");
    }
}

/// The corners of a mesh as text, each once.
fn places(temp: &Temp, mesh: &Path) -> BTreeSet<String> {
    let obj = temp.join("places.obj");
    let done = navmap(&["export", "--force", path(mesh), "-o", path(&obj)]);
    assert_eq!(done.0, Some(0), "{}", done.2);
    let text = fs::read_to_string(obj).unwrap();
    text.lines().filter(|line| line.starts_with("v ")).map(str::to_owned).collect()
}

/// The links of a graph of points, each by its two places.
fn ways(temp: &Temp, mesh: &Path) -> BTreeSet<(String, String)> {
    places(temp, mesh);
    let text = fs::read_to_string(temp.join("places.obj")).unwrap();
    let all: Vec<&str> = text.lines().filter(|line| line.starts_with("v ")).collect();
    let place = |number: &str| all[number.parse::<usize>().unwrap() - 1].to_owned();
    let lines = text.lines().filter_map(|line| line.strip_prefix("l "));
    // A link may lead over two places of its own.
    let ends = lines.map(|line| (line.split(' ').next().unwrap(), line.split(' ').next_back().unwrap()));
    ends.map(|(a, b)| (place(a), place(b))).collect()
}

/// Places without what a float of metres cannot tell.
fn rounded(places: &BTreeSet<String>) -> BTreeSet<Vec<i64>> {
    let numbers = |line: &String| -> Vec<i64> {
        let words = line.split(' ').skip(1);
        words.map(|word| (word.parse::<f64>().unwrap() * 13.0 + 0.123).round() as i64).collect()
    };
    places.iter().map(numbers).collect()
}

#[test]
fn triangles_become_areas_if_they_make_up_rectangles_or_an_approximation_is_asked_for() {
    let temp = Temp::new("fox-raster");
    let (obj, nav) = (temp.join("a.obj"), temp.join("a.nav"));
    // A square cut along a diagonal, a ramp beside it, and a triangle.
    fs::write(
        &obj,
        "v 0 0 0\nv 100 0 0\nv 100 100 0\nv 0 100 0\nv 200 0 50\nv 200 100 50\nv 300 0 50\nf 1 2 3\nf 2 5 6 3\nf 1 3 4\nf 5 7 6\n",
    )
    .unwrap();
    let ask = |more: &[&str]| {
        let mut asked = vec!["convert", path(&obj), "-o", path(&nav), "--to", "source-16/1", "--force"];
        asked.extend(more);
        navmap(&asked)
    };
    let (status, _, said) = ask(&[]);
    assert!(status == Some(1) && said.contains("1 of 4 faces are no rectangles"), "{said}");
    assert!(said.contains("line 11") && said.contains("--rasterise 25"), "{said}");
    let (status, _, said) = ask(&["--rasterise", "25"]);
    assert!(status == Some(0) && said.contains("approximated by cells of 25 units"), "{said}");
    let places = places(&temp, &nav);
    for place in ["v 0 0 0", "v 100 100 0", "v 200 100 50", "v 225 100 50"] {
        assert!(places.contains(place), "{place} {places:?}");
    }
    // A mesh that was made belongs to no map.
    let (_, out, said) = navmap(&["check", path(&nav)]);
    assert!(out.lines().count() == 1 && out.contains("zero-map-size"), "{out}{said}");
    // All of it can be walked: the areas of the triangle are linked to the ramp, and that to the square.
    let (status, out, said) = navmap(&["path", path(&nav), "10,10,0", "210,20,50"]);
    assert_eq!(status, Some(0), "{out}{said}");
    let (status, _, said) = ask(&["--rasterise", "0.001"]);
    assert!(status == Some(1) && said.contains("raise --rasterise"), "{said}");
}

#[test]
fn what_is_exported_of_other_games_comes_back_as_the_same_geometry() {
    let temp = Temp::new("fox-others");
    for (family, name, end, more) in [
        ("source", "town.nav", "nav", vec!["--to", "source-16/1"]),
        ("quake", "nav2-v15.nav", "nav", vec!["--to", "nav2-15"]),
        ("skyrim", "nvnm/v12.nvnm", "nvnm", vec!["--like"]),
    ] {
        let mesh = navmap_testkit::corpus::bundled_path(family, name);
        for form in ["obj", "glb"] {
            let model = temp.join(format!("{family}.{form}"));
            let again = temp.join(format!("{family}-{form}.{end}"));
            assert_eq!(navmap(&["export", path(&mesh), "-o", path(&model)]).0, Some(0));
            let mut asked = vec!["convert", path(&model), "-o", path(&again)];
            asked.extend(&more);
            if end == "nvnm" {
                asked.push(path(&mesh));
            }
            let (status, _, said) = navmap(&asked);
            assert_eq!(status, Some(0), "{family}, {form}: {said}");
            if form == "obj" {
                assert_eq!(places(&temp, &again), places(&temp, &mesh), "{family}");
                assert_eq!(ways(&temp, &again), ways(&temp, &mesh), "{family}");
            }
            // A single float of metres does not always tell which float of units it was.
            let (now, was) = (rounded(&places(&temp, &again)), rounded(&places(&temp, &mesh)));
            assert!(now.len() > 3 && now == was, "{family}, {form}: {now:?} {was:?}");
            assert_eq!(ways(&temp, &again).len(), ways(&temp, &mesh).len(), "{family}, {form}");
        }
    }
    for (family, name, end, more) in [
        ("yapb", "v2.graph", "graph", ["--heights", "stored"]),
        ("yapb", "v7.pwf", "pwf", ["--heights", "stored"]),
        ("detour", "set.navmesh", "navmesh", ["--heights", "floor"]),
    ] {
        let mesh = navmap_testkit::corpus::bundled_path(family, name);
        for form in ["obj", "glb"] {
            let model = temp.join(format!("{family}-{end}.{form}"));
            let again = temp.join(format!("{family}-{form}.{end}"));
            let mut asked = vec!["export", path(&mesh), "-o", path(&model)];
            asked.extend(more);
            assert_eq!(navmap(&asked).0, Some(0));
            let (status, _, said) = navmap(&["convert", path(&model), "-o", path(&again)]);
            assert_eq!(status, Some(0), "{family}, {form}: {said}");
            let (now, was) = (rounded(&places(&temp, &again)), rounded(&places(&temp, &mesh)));
            assert!(now.len() > 3 && now == was, "{family}, {form}: {now:?} {was:?}");
            assert_eq!(ways(&temp, &again).len(), ways(&temp, &mesh).len(), "{family}, {form}");
        }
    }
    let obj = temp.join("triangle.obj");
    fs::write(&obj, "v 0 0 0\nv 9 0 0\nv 0 9 0\nf 1 2 3\n").unwrap();
    let (status, _, said) = navmap(&["convert", path(&obj), "-o", path(&temp.join("no.aas"))]);
    assert!(status != Some(0) && said.contains("all that is solid in a map"), "{said}");
    let refused = |to: &str| navmap(&["convert", path(&obj), "-o", path(&temp.join("no.nav")), "--to", to]).2;
    assert!(
        refused("source-16/1").contains("1 of 1 faces are no rectangles along x and y"),
        "{}",
        refused("source-16/1")
    );
    assert!(refused("nav2-15").contains("1 face; a graph has points and lines"));
}

#[test]
fn what_is_wrong_with_a_model_is_told_with_its_line_and_nothing_is_written() {
    let temp = Temp::new("fox-wrong");
    let (obj, nav2) = (temp.join("a.obj"), temp.join("a.nav2"));
    for (text, why) in [
        ("v 0 0 0\nf 1 9 1\n", "a.obj: line 2, column 5: vertex 9 does not exist (1 so far)"),
        ("v 0 nan 0\n", "a.obj: line 1, column 5: nan where a coordinate was expected"),
        ("v 0 0 0\n", "a.obj: mesh: no faces"),
        (
            "v 0 0 0\nv 1 0 0\nv 0 0 1\nusemtl road\nf 1 3 2\n",
            "a.obj: mesh: line 5: material \"road\" has no attribute",
        ),
    ] {
        fs::write(&obj, text).unwrap();
        let (status, _, said) = navmap(&["convert", path(&obj), "-o", path(&nav2)]);
        assert!(status == Some(1) && said.contains(why), "{said}");
        assert!(!nav2.exists());
    }
    let names = temp.join("names.txt");
    fs::write(&names, "# roads\nroad = 0x0060\n").unwrap();
    let done = navmap(&["convert", path(&obj), "-o", path(&nav2), "--attributes", path(&names)]);
    assert_eq!(done.0, Some(0), "{}", done.2);
    assert!(navmap(&["info", path(&nav2)]).1.contains("0x0060"));
    let (status, _, said) = navmap(&["convert", path(&obj), "-o", path(&temp.join("a.nav"))]);
    assert!(status != Some(0) && said.contains("--to source-16/1"), "{said}");
}

#[test]
fn a_land_becomes_a_map_that_opens_as_one() {
    let temp = Temp::new("fox-land");
    let (obj, folder) = (temp.join("land.obj"), temp.join("tiles"));
    let mut text = String::new();
    for z in 0..=16 {
        for x in 0..=16 {
            text.push_str(&format!("v {} {} {}\n", x * 12 - 96, (x * z) % 3, z * 12 - 96));
        }
    }
    for z in 0..16 {
        for x in 0..16 {
            let a = z * 17 + x + 1;
            text.push_str(&format!("f {} {} {} {}\n", a, a + 17, a + 18, a + 1));
        }
    }
    fs::write(&obj, text).unwrap();
    let asked = ["convert", path(&obj), "--tile-set", path(&folder), "--grid", "2"];
    let (status, _, said) = navmap(&asked);
    assert!(status == Some(0) && said.contains("4 files of 4 tiles"), "{said}");
    let (status, out, said) = navmap(&["info", "--tiles", path(&folder)]);
    assert_eq!(status, Some(0), "{said}");
    assert!(out.contains("0 to absent tiles, 0 unresolved"), "{out}");
    assert_eq!(navmap(&["check", "--quiet", path(&folder)]).0, Some(0));
    let (status, _, said) = navmap(&asked);
    assert!(status == Some(2) && said.contains("--force"), "{said}");
}

#[test]
fn a_tile_is_edited_in_place_by_commands_and_undone_by_its_journal() {
    let temp = Temp::new("fox-edit");
    let tile = temp.join("a.nav2");
    let bytes = fs::read(navmap_testkit::corpus::bundled_path("fox", "standalone.nav2")).unwrap();
    fs::write(&tile, &bytes).unwrap();
    let (status, out, said) = navmap(&["edit", path(&tile), "-c", "attribute 0x0001 #4.1"]);
    assert_eq!((status, out.as_str()), (Some(1), ""), "{said}");
    assert!(said.contains("this cuts island 0") && said.contains("--drop-islands"), "{said}");
    assert!(fs::read(&tile).unwrap() == bytes);
    let journal = temp.join("journal.txt");
    let (status, out, said) = navmap(&[
        "edit",
        path(&tile),
        "-c",
        "attribute 0x0001 island(0); delete #4.3",
        "--in-place",
        "--journal",
        path(&journal),
    ]);
    assert_eq!(status, Some(0), "{said}");
    assert!(out.contains("segments changed, 1 island") && said.contains(".bak"), "{out}{said}");
    let now = fs::read(&tile).unwrap();
    assert!(now != bytes && now.len() < bytes.len());
    assert_eq!(navmap(&["check", "--quiet", path(&tile)]).0, Some(0));
    let (other, replayed) = (temp.join("b.nav2"), temp.join("c.nav2"));
    fs::write(&other, &bytes).unwrap();
    let done = navmap(&["edit", path(&other), "--replay", path(&journal), "-o", path(&replayed)]);
    assert_eq!(done.0, Some(0), "{}", done.2);
    assert!(fs::read(&replayed).unwrap() == now);
    let done = navmap(&["edit", path(&other), "-c", "delete #4.0; undo", "-o", path(&temp.join("d.nav2"))]);
    assert_eq!(done.0, Some(0), "{}", done.2);
    assert!(fs::read(temp.join("d.nav2")).unwrap() == bytes);
}

#[test]
fn both_parts_of_a_split_tile_are_edited_together() {
    let temp = Temp::new("fox-parts");
    let map = navmap_testkit::fox::Map { split: true, ..navmap_testkit::fox::Map::square(2) };
    let files = map.tile(0, 0).files;
    for (name, bytes) in &files {
        fs::write(temp.join(name), bytes).unwrap();
    }
    let [one, two] = [0, 1].map(|n: usize| temp.join(&files[n].0));
    assert!(path(&two).ends_with("_nav.1.nav2"), "{two:?}");
    let unchanged = |n: usize| fs::read(temp.join(&files[n].0)).unwrap() == files[n].1;
    let edit = "attribute 0x0060 island(0)";
    // Elsewhere: the other part goes beside the output, under its number.
    let (to, beside) = (temp.join("new.nav2"), temp.join("new.1.nav2"));
    let (status, _, said) = navmap(&["edit", path(&one), "-c", edit, "-o", path(&to)]);
    assert!(status == Some(0) && said.contains("new.1.nav2 is written as well"), "{said}");
    assert!(unchanged(0) && unchanged(1));
    let made = [fs::read(&to).unwrap(), fs::read(&beside).unwrap()];
    assert!(made[0] != files[0].1 && made[1] != files[1].1);
    // It is not written over, and nothing is written then.
    fs::remove_file(&to).unwrap();
    let (status, _, said) = navmap(&["edit", path(&one), "-c", edit, "-o", path(&to)]);
    assert!(status == Some(2) && said.contains("new.1.nav2") && !to.exists(), "{said}");
    let (status, _, said) = navmap(&["edit", path(&one), "-c", edit, "-o", "-"]);
    assert!(status == Some(2) && said.contains("another part"), "{said}");
    let (_, _, said) = navmap(&["edit", path(&one), "-c", edit, "--dry-run", "--in-place"]);
    assert!(said.contains("would be written as well") && unchanged(0) && unchanged(1), "{said}");
    // What changes one part alone writes one.
    let (status, _, said) = navmap(&["edit", path(&two), "-c", "delete F#5.0; undo", "-o", path(&to)]);
    assert!(status == Some(0) && !said.contains("as well"), "{said}");
    // In place, from either part: both change, and both are kept as they were.
    let (status, _, said) = navmap(&["edit", path(&two), "-c", edit, "--in-place"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.matches("the file as it was is").count() == 2 && said.contains("_nav.nav2 is written as well")
    );
    assert!(fs::read(&one).unwrap() == made[0] && fs::read(&two).unwrap() == made[1]);
    // What is no part of the tile is left alone, and said.
    fs::write(&one, &map.tile(1, 1).files[0].1).unwrap();
    let (status, _, said) = navmap(&["edit", path(&two), "-c", edit, "--dry-run"]);
    assert!(status == Some(1) && said.contains("without the other parts beside it"), "{said}");
    assert!(said.contains("--alone"), "{said}");
}

/// Neither OBJ nor GLB has attributes: those of the tile that a model was made from are taken over where its faces still lie.
#[test]
fn faces_without_a_material_have_the_attribute_of_the_face_that_lies_there() {
    let temp = Temp::new("fox-attributes");
    let (obj, nav2) = (temp.join("a.obj"), temp.join("a.nav2"));
    let two =
        "v 0 0 0\nv 20 0 0\nv 20 2 12\nv 0 2 12\nusemtl attr_8001\nf 1 4 3\nusemtl attr_0001\nf 1 3 2\n";
    fs::write(&obj, two).unwrap();
    assert_eq!(navmap(&["convert", path(&obj), "-o", path(&nav2)]).0, Some(0));
    let attributes = |mesh: &Path| -> Vec<u32> {
        let (_, dump, _) = navmap(&["dump", path(mesh)]);
        let number = |rest: &str| {
            let digits = rest.trim_start().bytes().take_while(u8::is_ascii_digit).count();
            rest.trim_start()[..digits].parse().unwrap()
        };
        let mut all: Vec<u32> = dump.split("\"attribute\":").skip(1).map(number).collect();
        all.sort_unstable();
        all
    };
    let was = attributes(&nav2);
    assert!(was.contains(&1) && was.contains(&0x8001), "{was:?}");
    for form in ["obj", "glb"] {
        let (model, again) = (temp.join(format!("b.{form}")), temp.join(format!("{form}.nav2")));
        assert_eq!(navmap(&["export", path(&nav2), "-o", path(&model)]).0, Some(0));
        let (status, _, said) = navmap(&["convert", path(&model), "-o", path(&again), "--like", path(&nav2)]);
        assert_eq!(status, Some(0), "{said}");
        assert_eq!(attributes(&again), was, "{form}");
    }
}

/// A model that one tile cannot hold is refused, and what can hold it is named.
#[test]
fn a_model_too_large_for_a_tile_is_told_of_tile_sets() {
    let temp = Temp::new("fox-too-large");
    let (obj, nav2) = (temp.join("a.obj"), temp.join("a.nav2"));
    fs::write(&obj, "v 0 0 0\nv 900 0 0\nv 900 0 900\nv 0 0 900\nf 1 4 3 2\n").unwrap();
    let (status, _, said) = navmap(&["convert", path(&obj), "-o", path(&nav2), "--tile", "133,133"]);
    assert_eq!((status, nav2.exists()), (Some(1), false));
    assert!(
        said.contains("extent: the faces reach from") && said.contains("; --tile-set DIR cuts"),
        "{said}"
    );
}
