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
        assert!(said.contains("info: map, contributors and comments have no place in a binary file"));
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
    assert!(status == Some(1) && stderr.contains("NAV3 version 6 has no JSON form"), "{stderr}");
    let (status, stderr) = convert(&corpus("nav3-v6.nav"), &nav, &["--to", "nav2-15"]);
    assert!(status == Some(1) && stderr.contains("cannot be made from NAV3"), "{stderr}");
    let (status, stderr) = convert(&corpus("nav2-v15.nav"), &nav, &["--to", "nav2-19"]);
    assert!(status == Some(2) && stderr.contains("nav2-12 to nav2-18"), "{stderr}");
    let (status, stderr) = convert(&corpus("nav2-v15.nav"), &temp.join("out"), &[]);
    assert!(status == Some(1) && stderr.contains("--to"), "{stderr}");
    assert_eq!(temp.names(), [""; 0]);
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
    let (graph, back) = (temp.join("yard.graph"), temp.join("back.pwf"));
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
    assert!(said.contains("warning: light is lost (1 nodes) [light-lost]"), "{said}");
    for (from, to, more, wanted) in [
        ("v2.graph", "out.nav", &[][..], "ends neither in .graph nor in .pwf"),
        ("v2.graph", "out.nav", &["--to", "nav2-15"][..], "waypoints become graph-1, graph-2 or pwf-7"),
        ("hostile/bomb.graph", "out.pwf", &[][..], "they unpack to more than the 7208960 bytes claimed"),
    ] {
        let (status, said) = convert(&yapb(from), &temp.join(to), more);
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains(wanted), "{said}");
    }
    let quake = convert(&corpus("nav2-v15.nav"), &temp.join("out.graph"), &["--to", "graph-2"]);
    assert!(quake.1.contains("a Quake graph does not become waypoints of GoldSrc"), "{}", quake.1);
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
