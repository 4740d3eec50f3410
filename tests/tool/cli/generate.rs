//! `navmap generate`, as it is typed.

use crate::{navmap, text};
use navmap::format::source::{SourceBuf, SourceNav};
use navmap_testkit::bsp::{Brush, gold, room, source};
use navmap_testkit::corpus::project;
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;
use std::process::Command;

const WORLD: &str = "{ \"classname\" \"worldspawn\" }\n";

/// Where players of both teams begin.
fn spawns() -> String {
    let at = |class: &str, origin: &str| format!("{{ \"classname\" \"{class}\" \"origin\" \"{origin}\" }}\n");
    let both = ["info_player_start", "info_player_deathmatch", "info_player_terrorist"];
    let own: String = both.iter().map(|class| at(class, "-300 -300 40")).collect();
    WORLD.to_owned() + &own + &at("info_player_counterterrorist", "300 300 40")
}

fn generate(map: &Path, output: &Path, more: &[&str]) -> (String, String, i32) {
    let (map, output) = (map.to_str().unwrap(), output.to_str().unwrap());
    let done = navmap(&[&["generate", map, "-o", output], more].concat());
    (text(&done.stdout), text(&done.stderr), done.status.code().unwrap())
}

fn mesh(path: &Path) -> SourceBuf {
    SourceBuf::read(&SourceNav::parse(&fs::read(path).unwrap()).unwrap()).unwrap()
}

#[test]
fn a_mesh_is_made_of_a_map_for_every_game_and_bears_its_check() {
    let temp = Temp::new("generate");
    let maps = [
        ("cz", gold(&[room()], &spawns())),
        ("css", source(20, &[room()], &spawns())),
        ("csgo", source(21, &[room()], &spawns())),
        ("tf2", source(20, &[room()], &spawns())),
        ("gmod", source(19, &[room()], &spawns())),
    ];
    for (game, bytes) in maps {
        let map = temp.file(format!("{game}.bsp"), &bytes);
        let made = temp.join(format!("{game}.nav"));
        let (said, errors, status) = generate(&map, &made, &["--game", game]);
        assert_eq!((status, errors.as_str()), (0, ""), "{game}: {said}");
        assert!(said.contains("seeds: -300,-300,") && said.contains(" hiding spots"), "{game}: {said}");
        let checked = navmap(&["check", "-q", made.to_str().unwrap()]);
        let (found, status) = (text(&checked.stdout), checked.status.code());
        assert!(found.lines().all(|line| line.contains(": info: ")) && status == Some(0), "{game}: {found}");
        let own = mesh(&made);
        let (ids, versions) =
            (own.areas.iter().map(|area| area.id.get()), (own.head.version, own.head.subversion));
        assert!(ids.eq(1..=own.areas.len() as u32) && own.areas.len() > 10, "{game}: {}", own.areas.len());
        let expected = match game {
            "cz" => (5, 0),
            "css" => (9, 0),
            "csgo" => (16, 1),
            "tf2" => (16, 2),
            _ => (16, 0),
        };
        assert_eq!((versions, own.head.bsp_size as usize), (expected, bytes.len()), "{game}");
        assert!(own.areas.iter().any(|area| !area.hiding_spots.is_empty()), "{game}");
        // Ramp and floor are one mesh: from each area one gets to each other.
        assert!(own.areas.iter().all(|area| area.all_connections().next().is_some()), "{game}");
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    let temp = Temp::new("generate-threads");
    let map = temp.file("a.bsp", &source(20, &[room()], &spawns()));
    let made = ["1", "2", "8"].map(|threads| {
        let output = temp.join(threads);
        let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
        command.arg("generate").arg(&map).arg("-o").arg(&output).args(["--game", "csgo"]);
        let done = command.current_dir(project()).env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert!(done.status.success());
        fs::read(output).unwrap()
    });
    assert!(made[0] == made[1] && made[0] == made[2]);
}

#[test]
fn an_output_that_exists_is_left_alone_without_force() {
    let temp = Temp::new("generate-force");
    let map = temp.file("a.bsp", &gold(&[room()], &spawns()));
    let made = temp.file("a.nav", b"mine");
    let (_, said, status) = generate(&map, &made, &["--game", "cz"]);
    assert_eq!((status, fs::read(&made).unwrap().as_slice()), (2, &b"mine"[..]), "{said}");
    let (_, said, status) = generate(&map, &made, &["--game", "cz", "--force"]);
    assert!(status == 0 && mesh(&made).areas.len() > 20, "{said}");
    assert_eq!(temp.names(), ["a.bsp", "a.nav"]);
}

#[test]
fn every_stage_can_be_looked_at() {
    let temp = Temp::new("generate-stages");
    let map = temp.file("a.bsp", &gold(&[room()], &spawns()));
    let counts = [
        "sample",
        "areas",
        "connect",
        "merge",
        "overhangs",
        "square",
        "stairs",
        "jumps",
        "shortcuts",
        "ladders",
    ]
    .map(|stage| {
        let made = temp.join(format!("{stage}.nav"));
        let (said, _, status) = generate(&map, &made, &["--game", "cz", "--stop-after", stage]);
        assert!(status == 0 && said.contains(&format!("ended after {stage}")), "{said}");
        let mesh = mesh(&made);
        assert!(mesh.areas.iter().all(|area| area.hiding_spots.is_empty()));
        let links: usize = mesh.areas.iter().map(|area| area.all_connections().count()).sum();
        (mesh.areas.len(), links)
    });
    let [sample, areas, connect, merge, ..] = counts;
    assert!(sample.0 > 1000 && areas.0 < sample.0 / 10 && sample.1 == 0 && areas.1 == 0, "{counts:?}");
    assert!(connect.0 == areas.0 && connect.1 > 50 && merge.0 < connect.0, "{counts:?}");
    let whole = temp.join("quick.nav");
    let (said, _, status) = generate(&map, &whole, &["--game", "cz", "--quick"]);
    assert!(status == 0 && said.contains("not analysed"), "{said}");
    assert!(fs::read(&whole).unwrap() == fs::read(temp.join("ladders.nav")).unwrap());
}

#[test]
fn seeds_and_a_box_say_where_to_explore() {
    let temp = Temp::new("generate-box");
    let high = Brush::solid([-430.0, 230.0, 200.0], [-230.0, 430.0, 210.0]);
    for (game, bytes) in [
        ("cz", gold(&[[room(), vec![high.clone()]].concat()], &spawns())),
        ("css", source(20, &[[room(), vec![high.clone()]].concat()], &spawns())),
    ] {
        let map = temp.file(format!("{game}.bsp"), &bytes);
        let made = temp.join(format!("{game}.nav"));
        // Nobody gets onto the board up there, but for one who begins on it.
        let seed = ["--game", game, "--seed", "-325,325,220", "--quick"];
        let (said, _, status) = generate(&map, &made, &seed);
        assert!(status == 0 && said.starts_with("seeds: -325,325,210"), "{game}: {said}");
        let all = mesh(&made);
        let heights = |mesh: &SourceBuf| -> Vec<i32> {
            let mut all: Vec<i32> = mesh.areas.iter().map(|area| area.shape.center()[2] as i32).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        assert_eq!(heights(&all).last(), Some(&210), "{game}");
        fs::remove_file(&made).unwrap();
        let within = ["--game", game, "--quick", "--box", "-420,240,-20..-240,420,230"];
        let (said, _, status) = generate(&map, &made, &within);
        assert_eq!(status, 0, "{game}: {said}");
        let part = mesh(&made);
        assert_eq!(heights(&part), [0, 210], "{game}");
        let inside = |v: f32, low: f32, high: f32| low <= v && v <= high;
        assert!(
            part.areas
                .iter()
                .flat_map(|area| area.shape.corners())
                .all(|[x, y, _]| { inside(x, -420.0, -240.0) && inside(y, 240.0, 420.0) })
        );
        fs::remove_file(&made).unwrap();
    }
}

#[test]
fn what_gives_no_mesh_is_told_in_a_line_and_writes_nothing() {
    let temp = Temp::new("generate-bad");
    let made = temp.join("made.nav");
    let lost = format!("{WORLD}{{ \"classname\" \"info_player_start\" }}\n");
    let outside = format!("{WORLD}{{ \"classname\" \"info_player_start\" \"origin\" \"900 900 900\" }}\n");
    let far = [vec![Brush::solid([-64.0, -64.0, -64.0], [0.0, 0.0, 0.0])]];
    let maps = [
        ("cz", gold(&[room()], WORLD), "no place where players appear"),
        ("gmod", source(20, &[room()], WORLD), "no place where players appear"),
        ("cz", gold(&[room()], &lost), "info_player_start without an origin"),
        ("cz", gold(&[], &spawns()), "it has no collision"),
        ("gmod", source(20, &[], &spawns()), "it has no collision"),
        ("gmod", source(20, &far, &outside), "nobody can stand at any of the 1 places"),
        ("gmod", gold(&[room()], &spawns()), "is one of GoldSrc: gmod does not play it"),
        ("cz", source(20, &[room()], &spawns()), "is one of Source: cz does not play it"),
    ];
    for (at, (game, bytes, why)) in maps.into_iter().enumerate() {
        let map = temp.file(format!("{at}.bsp"), &bytes);
        let (_, said, status) = generate(&map, &made, &["--game", game]);
        assert_eq!((status, said.lines().count()), (2, 1), "{at}: {said}");
        assert!(said.contains(why) && said.contains(&format!("{at}.bsp")) && !made.exists(), "{at}: {said}");
    }
    let map = temp.file("a.bsp", &gold(&[room()], &spawns()));
    let (_, said, status) = generate(&map, &made, &["--game", "cz", "--max-nodes", "500"]);
    assert!(status == 2 && said.contains("nodes of the map") && said.contains("500"), "{said}");
    for (value, why) in [("0,0,0..1,1,0", "the lower one"), ("0,0,0", ".. between")] {
        let (_, said, status) = generate(&map, &made, &["--game", "cz", "--box", value]);
        assert!(status == 2 && said.contains(why), "{said}");
    }
    let (_, said, status) = generate(&map, &made, &["--game", "cz", "--box", "-1e9,-1e9,-1e9..1e9,1e9,1e9"]);
    assert!(status == 2 && said.contains("points in the box") && !made.exists(), "{said}");
}
