//! Maps that do not fit a mesh, or are none: a line, status 2, and nothing written, whatever the verb.

use crate::{navmap, text};
use navmap_testkit::bsp::{gold, room, source};
use navmap_testkit::corpus::bundled;
use navmap_testkit::maps::yard_mesh;
use navmap_testkit::temp::Temp;
use std::process::Command;

const WORLD: &str = "{ \"classname\" \"worldspawn\" }\n";

fn player(pairs: &str) -> String {
    format!("{WORLD}{{ \"classname\" \"info_player_terrorist\" {pairs} }}\n")
}

#[test]
fn a_map_that_does_not_fit_is_told_in_a_line_and_nothing_is_written() {
    let temp = Temp::new("badmaps");
    let sound = source(20, &[room()], &player("\"origin\" \"0 0 8\""));
    let mesh = temp.file("mesh.nav", &yard_mesh(16, Some(1), sound.len()));
    let free = temp.file("free.nav", &yard_mesh(16, Some(1), 0));
    let mut newer = sound.clone();
    newer[4] = 29;
    let mut not_a_number = sound.clone();
    let planes = u32::from_le_bytes(sound[24..28].try_into().unwrap()) as usize;
    not_a_number[planes..planes + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let mut endless = sound.clone();
    let nodes = u32::from_le_bytes(sound[88..92].try_into().unwrap()) as usize;
    endless[nodes + 4..nodes + 8].copy_from_slice(&0_u32.to_le_bytes());
    let mut greedy = sound.clone();
    greedy[28..32].copy_from_slice(&1_000_000_000_u32.to_le_bytes());
    let longer = [sound.clone(), vec![0; 16]].concat();
    let cases: [(&str, &[u8], bool, &str); 10] = [
        ("spawnless", &source(20, &[room()], WORLD), true, "no place where players appear"),
        ("placeless", &source(20, &[room()], &player("")), true, "info_player_terrorist without an origin"),
        ("hollow", &source(20, &[], &player("\"origin\" \"0 0 8\"")), true, "it has no collision"),
        ("other-engine", &gold(&[room()], &player("\"origin\" \"0 0 8\"")), true, "of another engine"),
        ("newer", &newer, true, "29"),
        ("not-a-number", &not_a_number, true, "a number that is none"),
        ("endless", &endless, true, "node"),
        ("greedy", &greedy, true, "lump 1"),
        ("cut", &sound[..sound.len() - 40], true, "lump"),
        ("another", &longer, false, "--any-map goes on"),
    ];
    let (output, map) = (temp.join("out.nav"), temp.join("map.bsp"));
    let out = output.to_str().unwrap();
    for (name, bytes, forced, why) in cases {
        std::fs::write(&map, bytes).unwrap();
        let (map, mesh) = (map.to_str().unwrap(), mesh.to_str().unwrap());
        // What is wrong with it counts also where another size is let pass.
        for any in [&["--any-map"][..], &[]].into_iter().skip(usize::from(!forced)) {
            for verb in [&["analyze", mesh][..], &["edit", mesh, "-c", "nav_analyze"]] {
                let done = navmap(&[verb, &["--bsp", map, "-o", out], any].concat());
                let said = text(&done.stderr);
                assert_eq!(done.status.code(), Some(2), "{name}, {verb:?}: {said}");
                assert_eq!(said.lines().count(), 1, "{name}, {verb:?}: {said}");
                let other_size = any.is_empty() && said.contains("--any-map goes on");
                assert!(said.contains(why) || other_size, "{name}, {verb:?}: {said}");
                assert!(said.contains("map.bsp") && !output.exists(), "{name}, {verb:?}: {said}");
            }
        }
    }
    // Another size is let pass if that is asked for; a mesh that names no size takes any.
    let map = map.to_str().unwrap();
    for (mesh, any) in [(&mesh, &["--any-map"][..]), (&free, &[])] {
        let done = navmap(&[&["analyze", mesh.to_str().unwrap(), "--bsp", map, "-o", out], any].concat());
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        std::fs::remove_file(&output).unwrap();
    }
    // A family without maps of these engines.
    let done = navmap(&["edit", "corpus/quake/nav3-v6.nav", "--bsp", map, "-c", "status", "-o", out]);
    let said = text(&done.stderr);
    assert!(done.status.code() == Some(2) && said.contains("meshes of Source and GoldSrc"), "{said}");
}

#[test]
fn the_editor_asks_the_map_from_the_command_line() {
    let temp = Temp::new("edit-map");
    let edit = |mesh: &str, more: &[&str]| {
        let output = temp.join("out.nav");
        let _ = std::fs::remove_file(&output);
        let done = navmap(&[&["edit", mesh, "-o", output.to_str().unwrap()], more].concat());
        (text(&done.stdout), text(&done.stderr), done.status.code(), output.exists())
    };
    let (mesh, map) = ("corpus/bsp/yard-source.nav", ["--bsp", "corpus/bsp/yard-source.bsp"]);
    let script =
        "nav_build_ladder; nav_check_stairs; mark_player_clip; nav_corner_place_on_ground all; nav_analyze";
    let (said, errors, status, made) = edit(mesh, &[&map[..], &["-c", script]].concat());
    assert_eq!((status, made), (Some(0), true), "{errors}");
    for words in ["the mesh lacks none", "as stairs", "in clip brushes", "visible areas"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let (_, errors, status, made) = edit(mesh, &["-c", "nav_corner_place_on_ground all"]);
    assert_eq!((status, made), (Some(1), false));
    assert!(errors.contains("needs the map, which the mesh does not hold (--bsp MAP)"), "{errors}");
    let (said, _, status, _) =
        edit("corpus/bsp/yard-goldsrc.nav", &["--bsp", "corpus/bsp/yard-goldsrc.bsp", "-c", "nav_analyze"]);
    assert!(status == Some(0) && said.contains("hiding spots"), "{said}");
}

#[test]
fn an_analysis_with_its_map_has_the_same_bytes_on_any_number_of_threads() {
    let temp = Temp::new("maps-threads");
    for engine in ["goldsrc", "source"] {
        let at = |end: &str| bundled().join(format!("bsp/yard-{engine}.{end}"));
        let made = ["1", "2", "8"].map(|threads| {
            let path = temp.join(format!("{engine}-{threads}.nav"));
            let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
            command.arg("analyze").arg(at("nav")).arg("--bsp").arg(at("bsp")).arg("-o").arg(&path);
            let done = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
            assert!(done.status.success(), "{}", text(&done.stderr));
            std::fs::read(&path).unwrap()
        });
        let [one, two, eight] = made;
        assert!(one == two && one == eight && one.len() > 1000, "{engine}");
    }
}
