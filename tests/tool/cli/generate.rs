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
        "fences",
        "corners",
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
        ("gmod", source(20, &far, &outside), "nobody can stand at 900,900,900, where exploring begins"),
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
    let seeds = ["--game", "cz", "--seed", "0,0,-5000", "--seed", "1,0,-5000"];
    for (seeds, why) in [(&seeds[..4], "0,0,-5000, where"), (&seeds, "0,0,-5000 and 1 other place, where")] {
        let (_, said, status) = generate(&map, &made, seeds);
        assert!(status == 2 && said.contains(&format!("nobody can stand at {why}")), "{said}");
    }
    let (_, said, status) = generate(&map, &made, &["--game", "cz", "--max-nodes", "500"]);
    assert!(status == 2 && said.contains("nodes of the map") && said.contains("500"), "{said}");
    let (_, said, status) = generate(&map, &made, &["--game", "cz", "--max-steps", "100"]);
    let why = "is over the limit of 100: --max-steps allows more, --quick leaves the mesh without one";
    assert!(status == 2 && said.contains("steps of an analysis: ") && said.contains(why), "{said}");
    for (value, why) in [("0,0,0..1,1,0", "the lower one"), ("0,0,0", ".. between")] {
        let (_, said, status) = generate(&map, &made, &["--game", "cz", "--box", value]);
        assert!(status == 2 && said.contains(why), "{said}");
    }
    let whole = ["--game", "cz", "--quick", "--box", "-1e9,-1e9,-1e9..1e9,1e9,1e9"];
    let plain = vec![Brush::solid([-15_000.0, -15_000.0, -32.0], [15_000.0, 15_000.0, 0.0])];
    let wide = temp.file("wide.bsp", &gold(&[plain], &spawns()));
    let (_, said, status) = generate(&wide, &made, &whole);
    assert!(status == 2 && said.contains("points in the box") && said.contains("--seed"), "{said}");
    assert!(!made.exists());
    let (_, said, status) = generate(&map, &made, &whole);
    assert!(status == 0 && made.exists(), "the box may be larger than the map: {said}");
}

#[test]
fn a_part_is_generated_into_a_mesh_and_the_rest_stays() {
    let temp = Temp::new("generate-into");
    for (game, bytes) in [("cz", gold(&[room()], &spawns())), ("csgo", source(21, &[room()], &spawns()))] {
        let map = temp.file(format!("{game}.bsp"), &bytes);
        let [old, made, again] = ["old", "made", "again"].map(|name| temp.join(format!("{game}-{name}.nav")));
        let corner = ["--game", game, "--box", "-500,-500,-20..0,0,300"];
        let (said, errors, status) = generate(&map, &old, &corner);
        assert_eq!((status, errors.as_str()), (0, ""), "{said}");
        let before = mesh(&old);
        let into = ["--into", old.to_str().unwrap(), "--quick"];
        // The game is that of the mesh, and a seed is enough.
        let (said, errors, status) = generate(&map, &made, &[&into[..], &["--seed", "300,300,40"]].concat());
        assert_eq!((status, errors.as_str()), (0, ""), "{said}");
        let count = before.areas.len();
        let line = format!("new: areas {} to ", count + 1);
        assert!(said.contains(&line) && said.contains(" with areas that were there"), "{said}");
        let after = mesh(&made);
        let version = |mesh: &SourceBuf| (mesh.head.version, mesh.head.subversion, mesh.head.bsp_size);
        assert_eq!(version(&after), version(&before));
        assert!(after.areas.len() > count && !said.contains("seeds: -"), "{said}");
        for (area, was) in after.areas.iter().zip(&before.areas) {
            assert_eq!((area.id, area.shape, &area.hiding_spots), (was.id, was.shape, &was.hiding_spots));
            assert_eq!((area.occupy_times, &area.visible_areas), (was.occupy_times, &was.visible_areas));
        }
        // No limit is as far as the limit, where the map is smaller.
        let endless = temp.join(format!("{game}-endless.nav"));
        let seed = ["--seed", "300,300,40", "--range", "0"];
        let (said, errors, status) = generate(&map, &endless, &[&into[..], &seed].concat());
        assert_eq!((status, errors.as_str()), (0, ""), "{said}");
        assert!(
            fs::read(&endless).unwrap() == fs::read(&made).unwrap() && !said.contains("cut off"),
            "{said}"
        );
        // A box that is smaller than the hole leaves ground without an area, and says so.
        let small = ["--box", "100,200,-20..300,400,300"];
        let part = temp.join(format!("{game}-part.nav"));
        let (said, _, status) = generate(&map, &part, &[&into[..], &small].concat());
        assert!(status == 0 && said.contains("cut off: ") && said.contains("a larger box"), "{said}");
        // With the analysis, the whole mesh bears its check.
        let into = ["--into", old.to_str().unwrap(), "--box", "-500,-500,-20..500,500,300"];
        let (said, errors, status) = generate(&map, &again, &into);
        assert_eq!((status, errors.as_str()), (0, ""), "{said}");
        assert!(said.contains(" hiding spots") && !said.contains("cut off"), "{said}");
        let checked = navmap(&["check", "-q", again.to_str().unwrap()]);
        let (found, status) = (text(&checked.stdout), checked.status.code());
        assert!(found.lines().all(|line| line.contains(": info: ")) && status == Some(0), "{game}: {found}");
        let own = mesh(&again);
        assert!(own.areas[count..].iter().any(|area| !area.hiding_spots.is_empty()));
        // The whole box has areas now, and nothing is written over what is there without --force.
        let full = ["--into", again.to_str().unwrap(), "--box", "-400,-400,-20..400,400,60"];
        let none = temp.join("none.nav");
        let (_, said, status) = generate(&map, &none, &full);
        assert!(status == 2 && said.contains("no ground without an area") && !none.exists(), "{said}");
        let bytes = fs::read(&old).unwrap();
        let (_, said, status) = generate(&map, &old, &into);
        assert_eq!((status, fs::read(&old).unwrap() == bytes), (2, true), "{said}");
        let (said, _, status) = generate(&map, &old, &[&into[..], &["--force"]].concat());
        assert!(status == 0 && fs::read(&old).unwrap() == fs::read(&again).unwrap(), "{said}");
    }
}

#[test]
fn a_mesh_of_another_map_or_game_is_not_generated_into() {
    let temp = Temp::new("generate-into-bad");
    let map = temp.file("a.bsp", &gold(&[room()], &spawns()));
    let other = temp.file("b.bsp", &source(20, &[room()], &spawns()));
    let (old, made) = (temp.join("old.nav"), temp.join("made.nav"));
    let (said, _, status) =
        generate(&map, &old, &["--game", "cz", "--box", "-400,-400,-20..0,0,60", "--quick"]);
    assert_eq!(status, 0, "{said}");
    let into = ["--into", old.to_str().unwrap(), "--seed", "300,300,40", "--quick"];
    let refused = |map: &Path, more: &[&str], why: &str| {
        let (_, said, status) = generate(map, &made, &[&into[..], more].concat());
        assert_eq!((status, said.lines().count()), (2, 1), "{said}");
        assert!(said.contains(why) && !made.exists(), "{said}");
    };
    refused(&other, &["--any-map"], "is of another engine than a mesh of version 5");
    refused(&map, &["--game", "tf2"], "is one of GoldSrc: tf2 does not play it");
    let mut longer = fs::read(&map).unwrap();
    longer.extend([0; 4]);
    let longer = temp.file("longer.bsp", &longer);
    refused(&longer, &["--force"], "the mesh was made for one of");
    let (said, _, status) = generate(&longer, &made, &[&into[..], &["--any-map"]].concat());
    assert!(status == 0 && made.exists(), "{said}");
    fs::remove_file(&made).unwrap();
    // Neither a seed nor a box, and no mesh; the game is told by the map.
    let (_, said, status) = generate(&map, &made, &["--into", old.to_str().unwrap()]);
    assert!(status == 2 && said.contains("--seed") && said.contains("--box"), "{said}");
    let (_, said, status) = generate(&map, &made, &["--into", map.to_str().unwrap(), "--seed", "0,0,40"]);
    assert!(status != 0 && said.contains("a.bsp") && said.lines().count() == 1 && !made.exists(), "{said}");
    let (_, said, status) = generate(&map, &made, &["--seed", "0,0,40"]);
    assert!(status == 0 && said.contains("--game cz"), "{said}");
    fs::remove_file(&made).unwrap();
    let mut mesh = mesh(&old);
    (mesh.head.version, mesh.head.subversion) = (16, 14);
    let unknown = temp.file("unknown.nav", &mesh.encode().unwrap());
    let (_, said, status) =
        generate(&other, &made, &["--into", unknown.to_str().unwrap(), "--seed", "0,0,40", "--any-map"]);
    assert!(status == 2 && said.contains("16/14") && said.contains("--game"), "{said}");
}

/// A floor of this many units to each side of its middle.
fn plain(half: f32) -> Vec<u8> {
    gold(&[vec![Brush::solid([-half, -half, -32.0], [half, half, 0.0])]], &spawns())
}

#[test]
fn any_number_of_threads_makes_the_same_bytes() {
    let temp = Temp::new("generate-threads");
    for (game, bytes) in [("cz", gold(&[room()], &spawns())), ("csgo", source(21, &[room()], &spawns()))] {
        let map = temp.file(format!("{game}.bsp"), &bytes);
        let made = ["1", "2", "8"].map(|threads| {
            let path = temp.join(format!("{game}-{threads}.nav"));
            let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
            command.arg("generate").arg(&map).arg("-o").arg(&path).args(["--game", game]);
            let done = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
            assert!(done.status.success(), "{}", text(&done.stderr));
            fs::read(&path).unwrap()
        });
        let [one, two, eight] = made;
        assert!(one == two && one == eight && one.len() > 1000, "{game}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_and_a_full_disk_leave_no_half_mesh() {
    let temp = Temp::new("generate-ended");
    let map = temp.file("a.bsp", &plain(8000.0));
    for (name, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut command = navmap_testkit::signals::heeding(env!("CARGO_BIN_EXE_navmap"));
        command.arg("generate").arg(&map).arg("-o").arg(temp.join("a.nav"));
        command.args(["--game", "cz", "--max-nodes", "1000000"]);
        let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(400));
        assert!(child.try_wait().unwrap().is_none(), "the map is too small to be caught in");
        assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{name}");
        assert_eq!(temp.names(), ["a.bsp"], "{name}");
    }
    let map = temp.file("a.bsp", &gold(&[room()], &spawns()));
    let old = temp.file("a.nav", b"mine");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_navmap"), "generate"]);
    let done = command.arg(&map).arg("-o").arg(&old).args(["--game", "cz", "--force"]).output().unwrap();
    assert_eq!(done.status.code(), Some(2), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("a.nav"), "{}", text(&done.stderr));
    assert_eq!(
        (fs::read(&old).unwrap().as_slice(), temp.names()),
        (&b"mine"[..], vec!["a.bsp".into(), "a.nav".into()])
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_sees_how_long_it_takes_and_a_pipe_does_not() {
    let temp = Temp::new("generate-progress");
    // Large enough that sampling takes longer than a terminal waits for a line.
    let map = temp.file("a.bsp", &plain(5000.0));
    let (_, errors, status) =
        generate(&map, &temp.join("a.nav"), &["--game", "cz", "--quick", "--stop-after", "sample"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    let line = format!(
        "{} generate {} -o {} --game cz --quick --stop-after sample",
        env!("CARGO_BIN_EXE_navmap"),
        map.display(),
        temp.join("b.nav").display()
    );
    // `script` gives the program a terminal; without it there is nothing to see.
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").stdin(std::process::Stdio::null());
    let Ok(done) = command.output() else { return };
    let shown = text(&done.stdout);
    assert!(done.status.success() && shown.contains("generating, sample"), "{shown:?}");
    // Of so many nodes: there are 159,201, and 1,024 columns of the map tell nearly that.
    let sampling = shown.split("generating, areas").next().unwrap();
    let total = sampling.split(" of ").nth(1).and_then(|rest| rest.split(' ').next());
    let total = total.unwrap_or_else(|| panic!("{shown:?}"));
    let total: u64 = total.parse().unwrap_or_else(|_| panic!("{shown:?}"));
    assert!((149_000..181_000).contains(&total) && shown.contains(" left"), "{shown:?}");
    assert_eq!(fs::read(temp.join("a.nav")).unwrap(), fs::read(temp.join("b.nav")).unwrap());
}

#[test]
fn a_map_that_tells_its_game_needs_no_option_for_it() {
    let temp = Temp::new("generate-told");
    let spawn = |class: &str| format!("{WORLD}{{ \"classname\" \"{class}\" \"origin\" \"-300 -300 40\" }}\n");
    let both =
        format!("{}{{ \"classname\" \"info_player_teamspawn\" \"origin\" \"-300 -300 40\" }}\n", spawns());
    for (name, bytes, told) in [
        ("cz", gold(&[room()], &spawns()), Ok((5, 0))),
        ("css", source(20, &[room()], &spawns()), Ok((9, 0))),
        ("csgo", source(21, &[room()], &spawns()), Ok((16, 1))),
        ("tf2", source(20, &[room()], &spawn("info_player_teamspawn")), Ok((16, 2))),
        ("hl2dm", source(20, &[room()], &spawn("info_player_deathmatch")), Err("does not tell its game")),
        ("both", source(20, &[room()], &both), Err("may be of several games, tf2 and css")),
    ] {
        let map = temp.file(format!("{name}.bsp"), &bytes);
        let made = temp.join(format!("{name}.nav"));
        let (_, said, status) = generate(&map, &made, &["--quick"]);
        match told {
            Ok(version) => {
                assert_eq!(status, 0, "{name}: {said}");
                assert!(
                    said.contains("taken for a map of") && said.contains(&format!("--game {name}")),
                    "{said}"
                );
                let own = mesh(&made);
                assert_eq!((own.head.version, own.head.subversion), version, "{name}");
            }
            Err(why) => {
                assert!(status == 2 && said.contains(why) && said.contains("--game"), "{name}: {said}");
                assert!(!made.exists());
            }
        }
    }
}

#[test]
fn models_of_static_props_are_stood_upon_and_drawn() {
    use navmap_testkit::props::{Prop, map_with, phy};
    let temp = Temp::new("generate-models");
    let world = "{ \"classname\" \"worldspawn\" }\n";
    let prop = Prop { model: 0, origin: [0.0; 3], angles: [0.0; 3], solid: 6 };
    temp.file("a.bsp", &map_with(&["models/block.mdl"], &[prop], 64, world));
    std::fs::create_dir_all(temp.join("game/models")).unwrap();
    let block = navmap_testkit::bsp::Brush::solid([-150.0, -150.0, 0.0], [150.0, 150.0, 32.0]);
    temp.file("game/models/block.phy", &phy(&[block], true));
    let run = |arguments: &[&str]| {
        let done = std::process::Command::new(env!("CARGO_BIN_EXE_navmap"))
            .current_dir(temp.path())
            .args(arguments)
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?}: {}", super::text(&done.stderr));
    };
    let tops = |name: &str| {
        let mesh = navmap_testkit::source::read(&std::fs::read(temp.join(name)).unwrap()).unwrap();
        let high = |z: f32| (z - 32.0).abs() < 1.0;
        mesh.areas.iter().filter(|area| high(area.nw[2]) && high(area.se[2])).count()
    };
    let generate = ["generate", "a.bsp", "--game", "css", "--quick", "--seed", "300,300,8", "-o"];
    run(&[&generate[..], &["plain.nav"]].concat());
    run(&[&generate[..], &["props.nav", "--models", "game"]].concat());
    assert_eq!((tops("plain.nav"), tops("props.nav") > 0), (0, true));
    for (name, more) in [("plain.svg", &[][..]), ("props.svg", &["--models", "game"])] {
        run(&[&["draw", "plain.nav", "--bsp", "a.bsp", "-o", name][..], more].concat());
    }
    let picture = |name: &str| std::fs::read_to_string(temp.join(name)).unwrap();
    assert!(picture("props.svg") != picture("plain.svg"), "the block is drawn");
    // So it is by every verb that draws, and by the page.
    for verb in [
        &["path", "plain.nav", "#1", "#1"][..],
        &["reach", "plain.nav", "#1"],
        &["diff", "plain.nav", "plain.nav"],
    ] {
        for (name, more) in [("plain.svg", &[][..]), ("props.svg", &["--models", "game"])] {
            run(&[verb, &["--bsp", "a.bsp", "--force", "--draw", name], more].concat());
        }
        assert!(picture("props.svg") != picture("plain.svg"), "{verb:?}");
    }
    let plan = |more: &[&str]| {
        let at = |name: &str| temp.join(name).to_str().unwrap().to_owned();
        let (mesh, map, models) = (at("plain.nav"), at("a.bsp"), at("game"));
        let more = if more.is_empty() { vec![] } else { vec![more[0], &models] };
        let server = super::view::served(&[&[&*mesh, "--bsp", &map][..], &more].concat());
        let (status, _, body) = server.get("m/0/plan");
        assert_eq!(status, 200);
        body
    };
    assert!(plan(&[]) != plan(&["--models"]), "the page has the block");
}
