//! `navmap convert` as people and scripts meet it.

use navmap_testkit::temp::Temp;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn corpus(name: &str) -> PathBuf {
    navmap_testkit::corpus::bundled_path("quake", name)
}

/// Runs `navmap convert FROM -o TO MORE…`: exit status and stderr.
fn convert(from: &Path, to: &Path, more: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    let done = command.arg("convert").arg(from).arg("-o").arg(to).args(more).output().unwrap();
    assert!(done.stdout.is_empty());
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

#[test]
fn there_and_back_again_changes_no_byte() {
    let temp = Temp::new("convert-back");
    for (version, binary) in [(1, 14), (2, 15), (3, 17)] {
        let json = corpus(&format!("navjson-v{version}.navjson"));
        let nav = temp.join(format!("{version}.nav"));
        let (status, said) = convert(&json, &nav, &[]);
        assert_eq!(status, Some(0), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("warning: map, contributors and comments have no place in a binary file"));
        assert!(fs::read(&nav).unwrap() == fs::read(corpus(&format!("nav2-v{binary}.nav"))).unwrap());
        let back = temp.join(format!("{version}.navjson"));
        let head = json.to_str().unwrap();
        let crlf = if version == 2 { "--crlf" } else { "--lossless" };
        assert_eq!(convert(&nav, &back, &["--head", head, crlf]), (Some(0), String::new()));
        assert!(fs::read(&back).unwrap() == fs::read(&json).unwrap());
    }
}

#[test]
fn losses_are_named_and_with_lossless_nothing_is_written() {
    let temp = Temp::new("convert-lossless");
    let out = temp.join("out.navjson");
    let (status, said) = convert(&corpus("nav2-v18.nav"), &out, &["--lossless"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("warning: team masks are lost (links: 1) [team-mask-lost]"), "{said}");
    assert!(said.contains("nothing is written"), "{said}");
    assert_eq!(temp.names(), [""; 0]);
    let (status, said) = convert(&corpus("nav2-v18.nav"), &out, &[]);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(temp.names(), ["out.navjson"]);
}

#[test]
fn what_is_refused_leaves_no_file_and_no_trace() {
    let temp = Temp::new("convert-refused");
    let nav = temp.join("out.nav");
    for (from, said) in [
        ("hostile/astray.navjson", "line 24, column 9: no node has the coordinates"),
        ("hostile/cut.navjson", "found the end of the file"),
        ("hostile/wrong-type.navjson", "line 22, column 16: expected flags, found a string"),
        ("hostile/nan.navjson", "line 20, column 9"),
        ("hostile/version-4.navjson", "line 2, column 14: navjson version 4 is unknown"),
        ("hostile/short-by-one.nav", "edicts: 4 claimed, 119 bytes left"),
    ] {
        let (status, stderr) = convert(&corpus(from), &nav, &[]);
        assert_eq!(status, Some(1), "{stderr}");
        assert!(stderr.contains(said), "{stderr}");
    }
    let json = temp.join("out.navjson");
    let (status, stderr) = convert(&corpus("nav3-v6.nav"), &json, &[]);
    assert!(status == Some(2) && stderr.contains("NAV3 version 6 has no JSON form"), "{stderr}");
    assert!(stderr.contains("`navmap dump`") && stderr.contains("`navmap export`"), "{stderr}");
    let (status, stderr) = convert(&corpus("navjson-v2.navjson"), &nav, &["--lossless"]);
    assert!(status == Some(1) && stderr.contains("[head-lost]"), "{stderr}");
    let (status, stderr) = convert(&corpus("nav3-v6.nav"), &nav, &["--to", "nav2-15"]);
    assert!(status == Some(1) && stderr.contains("cannot be made from NAV3"), "{stderr}");
    let (status, stderr) = convert(&corpus("nav2-v15.nav"), &nav, &["--to", "nav2-19"]);
    assert!(status == Some(2) && stderr.contains("nav2-12 to nav2-18"), "{stderr}");
    let (status, stderr) = convert(&corpus("nav2-v15.nav"), &temp.join("out"), &[]);
    assert!(status == Some(2) && stderr.contains("--to"), "{stderr}");
    assert_eq!(temp.names(), [""; 0]);
}

#[test]
fn an_option_that_would_do_nothing_is_refused_by_name() {
    let temp = Temp::new("convert-heeded");
    let bundled = |name: &str| navmap_testkit::corpus::bundled().join(name);
    let model = temp.file("quad.obj", b"v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nf 1 4 3\nf 1 3 2\n");
    let town = bundled("source/town.nav");
    let other = town.to_str().unwrap();
    let refused = |from: &Path, to: &str, more: &[&str], what: &str| {
        let (status, said) = convert(from, &temp.join(to), more);
        let words = format!("{to}: {}: has no meaning for {what}\n", more[more.len() - 2]);
        assert!(status == Some(2) && said.ends_with(&words), "{more:?}: {status:?} {said}");
        assert_eq!(temp.names(), ["quad.obj"]);
    };
    let (binary, json) = (corpus("nav2-v15.nav"), corpus("navjson-v2.navjson"));
    refused(&json, "a.nav", &["--head", json.to_str().unwrap()], "a .nav");
    refused(&json, "a.nav", &["--crlf", "--force"], "a .nav");
    refused(&binary, "a.navjson", &["--hulls", "3"], "a .navjson");
    refused(&binary, "a", &["--to", "navjson-2", "--radius", "3"], "a .navjson");
    refused(&town, "a.nav", &["--to", "source-9", "--bsp", other], "a .nav");
    refused(&bundled("yapb/v2.graph"), "a.graph", &["--to", "graph-1", "--large", "--force"], "a .graph");
    refused(&bundled("nodegraph/v37.ain"), "a.ain", &["--hulls", "3", "--bsp", other], "an .ain of another");
    refused(&bundled("nodegraph/v37.ain"), "a", &["--hulls", "3", "--crlf", "--force"], "an .ain of another");
    refused(&model, "a.nav2", &["--crlf", "--force"], "a .nav2");
    refused(&model, "a.nav2", &["--step", "18"], "a .nav2");
    refused(&model, "a.navmesh", &["--like", other], "a .navmesh");
    refused(&model, "a.nav", &["--to", "source-16/1", "--radius", "3"], "a mesh of Source");
    refused(&model, "a.nav", &["--to", "nav2-15", "--rasterise", "25"], "a graph of Quake");
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    command.arg("convert").arg(&model).arg("--tile-set").arg(temp.join("tiles")).args(["--to", "nav2-15"]);
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(
        done.status.code() == Some(2) && said.contains("--to: has no meaning for a set of tiles"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_there_is_replaced_only_by_force() {
    let temp = Temp::new("convert-force");
    let out = temp.join("out.nav");
    fs::write(&out, b"mine").unwrap();
    let (status, said) = convert(&corpus("nav2-v14.nav"), &out, &[]);
    assert!(status == Some(2) && said.contains("is there already"), "{said}");
    assert_eq!(fs::read(&out).unwrap(), b"mine");
    assert_eq!(convert(&corpus("nav2-v14.nav"), &out, &["--force"]), (Some(0), String::new()));
    assert!(fs::read(&out).unwrap() == fs::read(corpus("nav2-v14.nav")).unwrap());
    assert_eq!(temp.names(), ["out.nav"]);
}

#[test]
fn waypoints_of_pod_bot_become_a_graph_of_yapb_and_come_back() {
    let temp = Temp::new("convert-waypoints");
    let yapb = |name: &str| navmap_testkit::corpus::bundled_path("yapb", name);
    let (graph, back) = (temp.join("yard.graph"), temp.join("yard.pwf"));
    let (status, said) = convert(&yapb("v7.pwf"), &graph, &[]);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("info: light is left unmeasured, the bot measures it again [light-missing]"),
        "{said}"
    );
    assert_eq!(convert(&graph, &back, &["--lossless"]), (Some(0), String::new()));
    let (mut there, mut here) = (fs::read(&back).unwrap(), fs::read(yapb("v7.pwf")).unwrap());
    for bytes in [&mut there, &mut here] {
        bytes[80..].chunks_mut(204).for_each(|node| node[200..].fill(0));
    }
    assert!(there == here, "but for the stale pointers it is the same");

    let (status, said) = convert(&yapb("v2.graph"), &temp.join("lost.pwf"), &["--lossless"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("warning: light is lost (1 node) [light-lost]"), "{said}");
    for (from, to, more, wanted) in [
        ("v2.graph", "out.nav", &[][..], "ends in none of .graph, .pwf and .rcw"),
        (
            "v2.graph",
            "out.nav",
            &["--to", "nav2-15"][..],
            "waypoints become graph-1, graph-2, pwf-7 or rcw-4",
        ),
        ("hostile/bomb.graph", "out.pwf", &[][..], "they unpack to more than the 7208960 bytes claimed"),
    ] {
        let (status, said) = convert(&yapb(from), &temp.join(to), more);
        // What was asked for makes no sense, or the file is damaged.
        assert_eq!(status, Some(if from.starts_with("hostile") { 1 } else { 2 }), "{said}");
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn waypoints_of_one_bot_become_those_of_another_and_losses_are_refused_if_asked() {
    let temp = Temp::new("convert-bots");
    let bundled = |name: &str| navmap_testkit::corpus::bundled().join(name);
    for (from, to, lost) in [
        (
            "yapb/v2.graph",
            "a.rcw",
            &["light is lost (1 node)", "velocities at take-off are lost (1 link)"][..],
        ),
        (
            "rcbot/v4.rcw",
            "a.graph",
            &["where the bot aims is lost (8 waypoints)", "areas of capture points"][..],
        ),
        ("source/town.nav", "town.pwf", &["shapes-lost"][..]),
        ("source/town.nav", "town.graph", &["shapes-lost"][..]),
    ] {
        let to = temp.join(to);
        let (status, said) = convert(&bundled(from), &to, &["--lossless"]);
        assert!(status == Some(1) && !to.exists(), "{from}: {said}");
        assert!(lost.iter().all(|lost| said.contains(lost)), "{from}: {said}");
        let (status, said) = convert(&bundled(from), &to, &[]);
        assert!(status == Some(0) && to.exists(), "{from}: {said}");
    }
    // A newer version of the same loses nothing, and a refused output is refused before losses are told.
    let (status, said) =
        convert(&bundled("rcbot/v3.rcw"), &temp.join("b.rcw"), &["--to", "rcw-4", "--lossless"]);
    assert_eq!(status, Some(0), "{said}");
    let (status, said) = convert(&bundled("rcbot/v4.rcw"), &temp.join("b.nav"), &[]);
    assert!(status == Some(2) && said.lines().count() == 1 && said.contains(".rcw"), "{said}");
    let (status, said) = convert(&bundled("fox/standalone.nav2"), &temp.join("b.graph"), &[]);
    assert!(status == Some(1) && said.contains("waypoints of YaPB, POD-Bot and RCBot2"), "{said}");
}

/// Of any graph in the units of Source and GoldSrc, in the form that the output is called after.
#[test]
fn node_graphs_and_meshes_of_other_games_become_waypoints() {
    let temp = Temp::new("convert-waypoints");
    let counts = |file: &Path| {
        let done = Command::new(env!("CARGO_BIN_EXE_navmap"))
            .args(["scan", "-q", "--graph", "--format", "jsonl"])
            .arg(file)
            .output()
            .unwrap();
        let row: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        ["nodes", "strong_components"].map(|key| row["graph"][key].as_u64().unwrap())
    };
    let bundled = |name: &str| navmap_testkit::corpus::bundled().join(name);
    for from in [
        "nodegraph/v37.ain",
        "nodegraph/v27.ain",
        "nodegraph/v57.ain",
        "nodegraph/v16.nod",
        "quake/nav2-v15.nav",
    ] {
        for to in ["a.rcw", "a.graph", "a.pwf"] {
            let to = temp.join(to);
            let (status, said) = convert(&bundled(from), &to, &["--force"]);
            assert_eq!(status, Some(0), "{from}: {said}");
            assert_eq!(counts(&to), counts(&bundled(from)), "{from}: {said}");
        }
    }
    let (status, said) = convert(&bundled("nodegraph/v16.nod"), &temp.join("a.ain"), &[]);
    assert!(status == Some(1) && said.contains("become waypoints alone (.graph, .pwf, .rcw)"), "{said}");
    let (status, said) = convert(&bundled("detour/set.navmesh"), &temp.join("b.rcw"), &[]);
    assert!(status == Some(1) && said.contains("cannot be converted"), "{said}");
    let (status, said) = convert(&bundled("nodegraph/v37.ain"), &temp.join("b.ain"), &[]);
    assert!(status == Some(2) && said.contains("--hulls") && said.contains(".rcw"), "{said}");
}

#[test]
fn the_map_is_the_one_that_the_file_names_or_that_the_output_is_called_after() {
    let temp = Temp::new("convert-map");
    let copy = |family: &str, name: &str, to: &str| {
        temp.file(to, &fs::read(navmap_testkit::corpus::bundled_path(family, name)).unwrap())
    };
    let graph = copy("yapb", "v2.graph", "de_a (1).graph");
    let pwf = copy("yapb", "v7.pwf", "de_b (1).pwf");
    let rcw = copy("rcbot", "v4.rcw", "cp_c (1).rcw");
    let town = copy("source", "town.nav", "town (1).nav");
    for (from, to, map) in [
        (&graph, "de_a.pwf", "de_a"),
        (&graph, "de_a.rcw", "de_a"),
        (&pwf, "other.rcw", "yard"),
        (&pwf, "other.pwf", "yard"),
        (&rcw, "another.pwf", "cp_yard"),
        (&town, "town.pwf", "town"),
    ] {
        let to = temp.join(to);
        assert_eq!(convert(from, &to, &[]).0, Some(0));
        let done = Command::new(env!("CARGO_BIN_EXE_navmap")).arg("info").arg(&to).output().unwrap();
        let told = String::from_utf8(done.stdout).unwrap();
        let named = told.lines().find_map(|line| line.strip_prefix("map ")).map(str::trim);
        assert_eq!(named, Some(map), "{told}");
    }
    let json = temp.join("dm3.navjson");
    assert_eq!(convert(&corpus("nav2-v15.nav"), &json, &[]).0, Some(0));
    assert!(fs::read_to_string(json).unwrap().contains("\"Filename\": \"dm3\""));
}

#[test]
fn authors_of_waypoints_go_along_between_yapb_and_rcbot() {
    let temp = Temp::new("convert-authors");
    let graph = navmap_testkit::corpus::bundled_path("yapb", "v2.graph");
    let pwf = navmap_testkit::corpus::bundled_path("yapb", "v7.pwf");
    // The names that `info` prints.
    let names = |file: &Path| {
        let done = Command::new(env!("CARGO_BIN_EXE_navmap")).arg("info").arg(file).output().unwrap();
        let text = String::from_utf8(done.stdout).unwrap();
        let named = |label: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(label));
            line.map(|name| name.trim().to_owned())
        };
        [named("author "), named("last editor ").or_else(|| named("editor "))]
    };
    for (from, to, back) in [(&graph, "a.rcw", "a.graph"), (&pwf, "b.rcw", "b.pwf")] {
        let (rcw, back) = (temp.join(to), temp.join(back));
        assert_eq!(convert(from, &rcw, &[]).0, Some(0));
        assert_eq!(convert(&rcw, &back, &[]).0, Some(0));
        assert!(names(from)[0].is_some(), "{:?}", names(from));
        assert_eq!((names(&rcw), names(&back)), (names(from), names(from)), "{to}");
    }
}

/// A space of a plugin goes out for a modelling program and comes back.
#[test]
fn navmeshes_of_a_plugin_go_out_as_models_and_come_back() {
    let temp = Temp::new("convert-plugin");
    let plugin = navmap_testkit::corpus::bundled_path("skyrim", "se/village.esp");
    let like = ["--like", plugin.to_str().unwrap()];
    for name in ["cell.obj", "cell.glb", "metres.obj"] {
        let (model, out) = (temp.join(name), temp.join(format!("{name}.esp")));
        let metres = name.starts_with("metres");
        let mut export = Command::new(env!("CARGO_BIN_EXE_navmap"));
        export.arg("export").arg(&plugin).args(["--space", "01000820", "-o"]).arg(&model);
        let done = export.args(metres.then_some("--y-up")).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let more =
            [&like[..], &["--lossless"], if metres { &["--axes", "metres"][..] } else { &[][..] }].concat();
        let (status, said) = convert(&model, &out, &more);
        assert_eq!(status, Some(0), "{said}");
        assert!(said.lines().all(|line| line.contains(": as it was, ")) && !said.is_empty(), "{said}");
        assert!(fs::read(&out).unwrap() == fs::read(&plugin).unwrap(), "{name}");
    }
    // One triangle in place of a navmesh: its door and its links are lost, which is said, and refused if asked.
    let text = fs::read_to_string(temp.join("cell.obj")).unwrap();
    let name = text.lines().find(|line| line.starts_with("o navmesh_")).unwrap();
    let model = temp.file("one.obj", format!("v 0 0 0\nv 64 0 0\nv 0 64 0\n{name}\nf 1 2 3\n").as_bytes());
    let out = temp.join("one.esp");
    let (status, said) = convert(&model, &out, &[&like[..], &["--lossless"]].concat());
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains(": lost: ") && said.contains("nothing is written: --lossless"), "{said}");
    assert!(!out.exists());
    assert_eq!(convert(&model, &out, &like).0, Some(0));
    let check = Command::new(env!("CARGO_BIN_EXE_navmap")).arg("check").arg(&out).output().unwrap();
    let found = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(!found.contains("error"), "{found}");
    // What is missing or wrong is named.
    let (status, said) = convert(&model, &temp.join("two.esp"), &[]);
    assert!(status == Some(2) && said.contains("the plugin whose navmeshes the objects name"), "{said}");
    let odd = temp.file("odd.obj", b"v 0 0 0\nv 64 0 0\nv 0 64 0\no Plane.001\nf 1 2 3\n");
    let (status, said) = convert(&odd, &temp.join("two.esp"), &like);
    assert!(
        status == Some(1) && said.contains("object Plane.001, line 5: its name says no record"),
        "{said}"
    );
}

/// What each kind of mesh has no place for is named, and refused if asked; a model of nothing else is taken.
#[test]
fn what_a_mesh_does_not_take_of_a_model_is_said_and_with_lossless_nothing_is_written() {
    let temp = Temp::new("convert-model");
    let square = "v 0 0 0\nv 100 0 0\nv 100 100 0\nv 0 100 0\n";
    let floor = "v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nv 0 4 0\nusemtl attr_0001\nf 1 2 3 4\n";
    let jump = "v 0 0 0\nv 64 0 0\nv 96 0 16\nv 200 0 0\np 1\np 4\no links: jump\nusemtl path\nl 1 2 3 4\n";
    let stray = format!("{jump}v 0 500 0\nl 1 5\n");
    let nvnm = navmap_testkit::corpus::bundled_path("skyrim", "nvnm/v12.nvnm");
    let like = ["--like", nvnm.to_str().unwrap()];
    let triangles = temp.join("nvnm.obj");
    let mut export = Command::new(env!("CARGO_BIN_EXE_navmap"));
    assert!(export.arg("export").arg(&nvnm).arg("-o").arg(&triangles).status().unwrap().success());
    let triangles = fs::read_to_string(triangles).unwrap();
    let cases: [(&str, &str, &[&str], &[&str]); 13] = [
        (&format!("{square}usemtl Yard\nf 1 2 3 4\n"), "a.nav", &["--to", "source-16/1"], &[]),
        (
            &format!("{square}usemtl Yard\nf 1 2 3 4\nl 1 3\np 2\n"),
            "a.nav",
            &["--to", "source-3"],
            &["places of areas (1)", "lines, which only graphs of waypoints have (1)", "points, which"],
        ),
        (&format!("{square}f 1 2 3 4\n"), "a.nav", &["--to", "9", "--rasterise", "25"], &[]),
        (&format!("{square}f 1 2 3\n"), "a.nav", &["--to", "9", "--rasterise", "25"], &["shapes-lost"]),
        (jump, "a.nav", &["--to", "nav2-15"], &[]),
        (jump, "a.graph", &[], &["take-off and landing of links (1)"]),
        (&stray, "a.pwf", &[], &["take-off and landing of links (1)", "paths that end at no waypoint"]),
        ("v 0 0 0\nv 64 0 0\nl 1 2\n", "a.pwf", &[], &[]),
        (floor, "a.nav2", &[], &[]),
        (&format!("{floor}f 1 4 5\nl 1 5\n"), "a.nav2", &[], &["no area seen from above", "lines, which"]),
        (&format!("{floor}f 1 4 5\n"), "a.navmesh", &[], &["dropped: nodes without an area (1)"]),
        (floor, "a.navmesh", &[], &["names of faces (1)"]),
        (
            &triangles,
            "a.nvnm",
            &like,
            &["edge links of the old triangles (1)", "doors of the", "cover of the", "the flag water (8)"],
        ),
    ];
    for (text, name, more, lost) in cases {
        let (model, out) = (temp.file("model.obj", text.as_bytes()), temp.join(name));
        let (status, said) = convert(&model, &out, &[more, &["--lossless"]].concat());
        assert!(lost.iter().all(|lost| said.contains(lost)), "{name}, {lost:?}: {said}");
        assert_eq!(status, Some(if lost.is_empty() { 0 } else { 1 }), "{name}: {said}");
        assert_eq!(out.exists(), lost.is_empty(), "{name}: {said}");
        assert_eq!(said.contains("nothing is written: --lossless"), !lost.is_empty(), "{name}: {said}");
        let (status, said) = convert(&model, &out, &[more, &["--force"]].concat());
        assert!(status == Some(0) && out.exists(), "{name}: {said}");
        fs::remove_file(out).unwrap();
    }
    // Tiles of a map are no different.
    let model = temp.file("model.obj", format!("{floor}f 1 4 5\n").as_bytes());
    let tiles = temp.join("tiles");
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        command.arg("convert").arg(&model).arg("--tile-set").arg(&tiles).args(["--grid", "2"]).args(more);
        command.output().unwrap().status.code()
    };
    assert_eq!((run(&["--lossless"]), tiles.exists(), run(&[])), (Some(1), false, Some(0)));
}

#[test]
fn a_model_that_tells_its_axes_is_turned_to_those_of_another_game() {
    let temp = Temp::new("convert-told");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        let done = command.current_dir(temp.path()).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {said}");
        said + &String::from_utf8_lossy(&done.stdout)
    };
    temp.file("town.nav", &fs::read(navmap_testkit::corpus::bundled_path("source", "town.nav")).unwrap());
    run(&["export", "town.nav", "-o", "own.obj"]);
    run(&["export", "town.nav", "-o", "metres.obj", "--y-up"]);
    let said = run(&["convert", "own.obj", "-o", "own.navmesh"]);
    assert!(said.contains("turned from z up and units of 0.0254 m, as it says, to y up"), "{said}");
    let said = run(&["convert", "metres.obj", "-o", "metres.navmesh"]);
    assert!(!said.contains("turned from"), "{said}");
    let size = |mesh: &str| {
        let told = run(&["info", mesh]);
        told.lines().find(|line| line.starts_with("extent")).unwrap().to_owned()
    };
    assert!(size("own.navmesh").contains("to [25.4, "), "{}", size("own.navmesh"));
    assert!(size("metres.navmesh").contains("to [25.4, "), "{}", size("metres.navmesh"));
    for name in ["own", "metres"] {
        run(&["convert", &format!("{name}.obj"), "-o", &format!("{name}.nav"), "--to", "source-16/0"]);
    }
    run(&["tables", "town.nav", "own.nav", "metres.nav", "-o", "tables", "--tables", "files"]);
    let table = fs::read_to_string(temp.join("tables/files.csv")).unwrap();
    let from = table.lines().next().unwrap().split(',').position(|name| name == "min_x").unwrap();
    let bounds = |row: &str| row.split(',').skip(from).take(6).map(str::to_owned).collect::<Vec<_>>();
    let meshes: Vec<_> = table.lines().skip(1).map(bounds).collect();
    assert!(meshes.len() == 3 && meshes[0] == meshes[1] && meshes[0] == meshes[2], "{meshes:?}");
}
