//! The command line as scripts and people meet it. Golden files: `NAVMAP_GOLDEN=write cargo test --test cli` makes them.

mod ask;
mod badmaps;
mod bots;
mod build;
mod completions;
mod convert;
mod diff;
mod draw;
mod export;
mod fix;
mod floor;
mod fox;
mod gate;
mod generate;
mod hints;
mod loadorders;
mod members;
mod mending;
mod nodes;
#[cfg(unix)]
mod open;
mod outputs;
mod plugins;
#[cfg(unix)]
mod prompt;
#[cfg(unix)]
mod pty;
mod readme;
mod refusals;
mod repository;
#[cfg(unix)]
mod scan;
mod show;
mod source_meshes;
#[cfg(all(unix, feature = "sql"))]
mod sqlprompt;
mod statuses;
mod tables;
mod terminal;
mod tiles;
mod trace;
#[cfg(target_os = "linux")]
mod truncated;
#[cfg(unix)]
mod unread;
mod view;
mod viewedit;
mod viewsets;

use navmap_testkit::corpus::project;
use navmap_testkit::temp::Temp;
use navmap_testkit::{archive, source};
use std::fs;
use std::process::{Command, Output, Stdio};

fn navmap(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_navmap")).args(args).current_dir(project()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Compares what a run prints, and its exit status, with a file.
fn golden(name: &str, status: i32, args: &[&str]) {
    let done = navmap(args);
    assert_eq!(done.status.code(), Some(status), "{args:?}: {}", text(&done.stderr));
    golden_text(name, &text(&done.stdout));
}

fn golden_text(name: &str, ours: &str) {
    let path = project().join("tests/golden").join(name);
    if std::env::var_os("NAVMAP_GOLDEN").is_some() {
        fs::write(&path, ours).unwrap();
    }
    let theirs = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if theirs != ours {
        let first = ours.lines().zip(theirs.lines()).find(|(a, b)| a != b);
        panic!("{name} differs ({} and {} bytes), first: {first:#?}", ours.len(), theirs.len());
    }
}

#[test]
fn scan_prints_what_it_always_printed() {
    golden("scan.txt", 1, &["scan", "-q", "corpus"]);
    golden("scan.jsonl", 1, &["scan", "-q", "--format", "jsonl", "corpus"]);
    golden("scan.csv", 1, &["scan", "-q", "--format", "csv", "corpus"]);
    for format in ["table", "jsonl", "csv"] {
        let args =
            ["scan", "-q", "--graph", "--format", format, "corpus/fox", "corpus/quake", "corpus/hostile"];
        golden(&format!("scan-graph.{format}"), 1, &args);
    }
    golden("scan-headers.txt", 1, &["scan", "-q", "--headers", "corpus"]);
}

#[test]
fn lengths_are_told_in_metres_or_in_units_of_the_game() {
    let info = |args: &[&str]| text(&navmap(&[&["info", "corpus/source/town.nav"], args].concat()).stdout);
    let area = |text: String| text.lines().find(|line| line.starts_with("area ")).unwrap().to_owned();
    let both = area(info(&[]));
    assert!(both.contains(" m2, ") && both.ends_with(" square units"), "{both}");
    assert!(area(info(&["--units", "metres"])).ends_with(" m2"));
    assert!(!area(info(&["--units", "game"])).contains("m2"));
    let head = |units: &str| {
        let done = navmap(&["scan", "-q", "--graph", "--units", units, "corpus/source"]);
        text(&done.stdout).lines().next().unwrap().to_owned()
    };
    assert!(head("metres").contains("AREA M2") && head("metres").contains("EXTENT M"));
    assert!(head("game").contains("AREA U2") && head("game").contains("EXTENT U"));
    // Where it would do nothing it is refused.
    for args in [&["--units", "game"][..], &["--graph", "--units", "game", "--format", "jsonl"]] {
        let done = navmap(&[&["scan", "-q", "corpus/source"], args].concat());
        assert_eq!(done.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn rows_do_not_depend_on_threads_or_on_how_files_are_opened() {
    let one = navmap(&["scan", "-q", "--format", "jsonl", "-j1", "--mmap", "never", "corpus"]);
    for args in [["-j2", "--mmap=always"], ["-j8", "--mmap=auto"]] {
        let many = navmap(&["scan", "-q", "--format", "jsonl", args[0], args[1], "corpus"]);
        assert_eq!(text(&one.stdout), text(&many.stdout));
    }
    let unordered = navmap(&["scan", "-q", "--format", "jsonl", "-j8", "--unordered", "corpus"]);
    let sorted = |out: &Output| {
        let mut lines: Vec<_> = text(&out.stdout).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&one), sorted(&unordered));
}

#[test]
fn check_prints_what_it_always_printed() {
    golden("check.txt", 1, &["check", "-q", "corpus"]);
    golden("check.jsonl", 1, &["check", "-q", "--format", "jsonl", "corpus"]);
}

#[test]
fn info_and_dump_print_what_they_always_printed() {
    for (name, file) in SAMPLES {
        golden(&format!("info-{name}.txt"), 0, &["info", file]);
        golden(&format!("dump-{name}.json"), 0, &["dump", "--pretty", file]);
    }
}

/// One small file of each kind.
const SAMPLES: [(&str, &str); 18] = [
    ("source", "corpus/source/v16-2-tf2.nav"),
    ("source2", "corpus/source/v35-1.nav"),
    ("quake", "corpus/quake/nav3-v6.nav"),
    ("fox", "corpus/fox/standalone.nav2"),
    ("plugin", "corpus/skyrim/se/village.esp"),
    ("payload", "corpus/skyrim/nvnm/v12.nvnm"),
    ("tes3", "corpus/pathgrid/tes3.esp"),
    ("tes4", "corpus/pathgrid/tes4.esp"),
    ("detour", "corpus/detour/zone.nav"),
    ("aas", "corpus/aas/v5.aas"),
    ("graph", "corpus/yapb/v2.graph"),
    ("pwf", "corpus/yapb/v7.pwf"),
    ("ain", "corpus/nodegraph/v37.ain"),
    ("ain57", "corpus/nodegraph/v57.ain"),
    ("aintext", "corpus/nodegraph/v27.ain"),
    ("nod", "corpus/nodegraph/v16.nod"),
    ("rcw", "corpus/rcbot/v4.rcw"),
    ("levelai", "corpus/xray/v10.ai"),
];

#[test]
fn the_exit_status_tells_clean_runs_from_runs_with_findings() {
    let clean = [
        "corpus/source",
        "corpus/quake",
        "corpus/fox",
        "corpus/skyrim",
        "corpus/pathgrid",
        "corpus/detour",
        "corpus/aas",
        "corpus/yapb",
        "corpus/nodegraph",
        "corpus/rcbot",
        "corpus/xray",
    ];
    assert_eq!(navmap(&[&["scan", "-q"][..], &clean].concat()).status.code(), Some(0));
    // Every mesh there is read to its end: the findings alone make the difference.
    let odd = navmap(&["scan", "-q", "--format", "jsonl", "corpus/odd/source"]);
    assert!(!text(&odd.stdout).contains(r#""status":"error""#));
    assert_eq!(odd.status.code(), Some(1));
}

#[test]
fn strict_turns_findings_into_errors() {
    let rows = |args: &[&str]| text(&navmap(args).stdout);
    let lax = rows(&["scan", "-q", "--format", "jsonl", "corpus"]);
    let strict = rows(&["scan", "-q", "--strict", "--format", "jsonl", "corpus"]);
    assert!(lax.contains(r#""status":"warning""#));
    assert!(!strict.contains(r#""status":"warning""#));
    assert_eq!(lax.lines().count(), strict.lines().count());
}

#[test]
fn files_that_are_no_mesh_are_silent_in_a_folder_and_an_error_by_name() {
    let temp = Temp::new("cli-other");
    fs::write(temp.join("readme.txt"), "hello").unwrap();
    let done = navmap(&["scan", "--format", "jsonl", temp.path().to_str().unwrap()]);
    assert_eq!((done.status.code(), text(&done.stdout)), (Some(0), String::new()));
    assert!(text(&done.stderr).starts_with("0 meshes in 1 file, "), "{}", text(&done.stderr));
    let readme = temp.join("readme.txt");
    let done = navmap(&["scan", "-q", "--format", "jsonl", readme.to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stdout).contains("not a navigation mesh (begins 68 65 6c 6c)"));
}

#[test]
fn bad_input_is_one_clear_line_each_and_the_run_goes_on() {
    let temp = Temp::new("cli-bad");
    let mesh = |version: u32, rest: &[u8]| {
        [&0xFEED_FACE_u32.to_le_bytes()[..], &version.to_le_bytes(), rest].concat()
    };
    let lying = [&[0u8; 8][..], &[1, 0, 0, 0], &u32::MAX.to_le_bytes()].concat();
    for (name, bytes) in [
        ("empty.nav", Vec::new()),
        ("lfs.nav", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n".to_vec()),
        ("lying.nav", mesh(16, &lying)),
        ("noise.nav", b"\x01\x02\x03\x04".to_vec()),
        ("unknown.nav", mesh(99, &[0; 64])),
        ("zeros.nav", vec![0; 4096]),
    ] {
        fs::write(temp.join(name), bytes).unwrap();
    }
    fs::copy(project().join("corpus/quake/nav3-v6.nav"), temp.join("z-good.nav")).unwrap();
    let done = navmap(&["scan", "-q", "--format", "jsonl", temp.path().to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(1));
    let rows: Vec<serde_json::Value> =
        text(&done.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let said: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| {
            let path = row["path"].as_str().unwrap();
            (path.rsplit('/').next().unwrap(), row["message"].as_str().unwrap_or("-"))
        })
        .collect();
    let expected = [
        ("empty.nav", "not a navigation mesh: the file is empty"),
        ("lfs.nav", "not a navigation mesh: a Git LFS pointer, the file itself has to be fetched first"),
        ("lying.nav", "area 0, byte 0x18: area head: 40 bytes needed, 0 left"),
        ("noise.nav", "not a navigation mesh (begins 01 02 03 04)"),
        ("unknown.nav", "byte 0x4: Source 2 navigation mesh version 99"),
        ("zeros.nav", "not a navigation mesh: nothing but zeros"),
        ("z-good.nav", "-"),
    ];
    assert_eq!(said.len(), expected.len());
    for (name, starts) in expected {
        let found = said.iter().find(|(n, _)| *n == name).unwrap();
        assert!(found.1.starts_with(starts), "{found:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_one_row() {
    use std::os::unix::fs::PermissionsExt;
    let temp = Temp::new("cli-locked");
    let locked = temp.join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let readable = fs::read_dir(&locked).is_ok(); // root may read it all the same
    let done = navmap(&["scan", "-q", "--format", "jsonl", temp.path().to_str().unwrap()]);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    if readable {
        navmap_testkit::skipped("this user may read every folder");
        return;
    }
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stdout).contains("ermission denied"), "{}", text(&done.stdout));
}

#[cfg(unix)]
fn piped(args: &[&str]) -> std::process::Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    command.args(args).current_dir(project()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_a_run_in_silence() {
    let town = "corpus/source/town.nav";
    for args in [
        &["dump", town][..],
        &["info", town],
        &["info", "--tiles", "corpus/fox/set"],
        &["scan", "-q", "corpus/source"],
        &["check", "-q", "corpus/source"],
        &["completions", "bash"],
        &["man"],
    ] {
        let mut child = piped(args);
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        assert_eq!((done.status.code(), text(&done.stderr)), (Some(0), String::new()), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn that_nobody_reads_what_is_said_changes_nothing() {
    let temp = Temp::new("unheard");
    let sheet = temp.join("sheet.svg");
    for args in [
        &["scan", "corpus/source"][..],
        &["scan", "corpus/hostile"],
        &["info", "corpus/hostile/source/cut-in-area.nav"],
        &["draw", "--force", "corpus/hostile/source", "-o", sheet.to_str().unwrap()],
        &["draw", "--force", "corpus/nowhere", "-o", sheet.to_str().unwrap()],
        &["list", "corpus/source/town.nav"],
    ] {
        let mut child = piped(args);
        drop(child.stderr.take());
        let done = child.wait_with_output().unwrap();
        let heard = navmap(args);
        assert!(!heard.stderr.is_empty(), "{args:?}");
        assert_eq!((done.status.code(), done.stdout), (heard.status.code(), heard.stdout), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn names_in_files_and_of_files_cannot_drive_the_terminal() {
    const NAME: &str = "\u{1b}[31mred\u{7}\r";
    let temp = Temp::new("escapes");
    let mut mesh = source::level(9, None, &source::Shape::small(1));
    mesh.places.fill(format!("{NAME}\0").into_bytes());
    let good = source::write(&mesh);
    let tile = fs::read(project().join("corpus/fox/set/plain_101_101_nav.nav2")).unwrap();
    let members: [(String, &[u8]); 3] = [
        (format!("{NAME}/good.nav"), &good),
        (format!("{NAME}/cut.nav"), &good[..good.len() / 2]),
        (format!("{NAME}_101_101_nav.nav2"), &tile),
    ];
    let members: Vec<_> = members.iter().map(|(name, bytes)| (name.as_bytes(), *bytes)).collect();
    temp.file(format!("{NAME}.pak"), &archive::pak(&members));
    for (name, bytes) in &members {
        temp.file(std::str::from_utf8(name).unwrap(), bytes);
    }
    temp.file(format!("{NAME}/cut_101_102_nav.nav2"), &tile[..tile.len() / 2]);
    let (folder, picture) = (temp.path().to_str().unwrap(), temp.join("out.svg"));
    let inside = |name: &str| format!("{folder}/{NAME}{name}");
    let (pak, good, cut) = (inside(".pak"), inside("/good.nav"), inside("/cut.nav"));
    for args in [
        &["scan", folder][..],
        &["scan", "--format", "jsonl", "--graph", folder],
        &["check", folder],
        &["info", &good],
        &["info", &cut],
        &["info", &pak],
        &["info", "--tiles", folder],
        &["info", "--tiles", &inside(".none")],
        &["dump", &good],
        &["dump", &cut],
        &["list", &pak],
        &["list", &good],
        &["draw", "--force", folder, "-o", picture.to_str().unwrap()],
        &["draw", "--force", &pak, "-o", picture.to_str().unwrap()],
        &["draw", "--force", folder, "-o", &inside(".jpg")],
        &["export", &cut, "-o", temp.join("out.obj").to_str().unwrap()],
        &["extract", &pak, "-o", &inside("")],
        &["convert", &good, "-o", &inside(".navjson")],
    ] {
        let done = navmap(args);
        let said = [done.stdout, done.stderr].concat();
        assert!(text(&said).contains("red"), "{args:?} names what it is about: {}", text(&said));
        let drives = |byte: &u8| byte.is_ascii_control() && *byte != b'\n';
        assert!(!said.iter().any(drives), "{args:?}: {}", text(&said).escape_debug());
    }
}

#[test]
fn who_names_a_container_is_told_how_to_name_what_is_in_it() {
    let temp = Temp::new("container");
    let pak = temp.file("pak0.pak", &archive::pak(&[(b"maps/a.nav", b"NAV2")]));
    let out = temp.join("out.navjson");
    for args in [&["info"][..], &["dump"], &["convert", "-o", out.to_str().unwrap()]] {
        let done = navmap(&[args, &[pak.to_str().unwrap()]].concat());
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        let said = text(&done.stderr);
        assert!(said.contains("pak0.pak: is a container (pak): name one of its members"), "{said}");
    }
    let done = navmap(&["info", "corpus"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("is a folder: `navmap scan` looks"), "{}", text(&done.stderr));
}

#[test]
fn a_missing_file_is_named_and_fails_the_run() {
    for verb in ["info", "dump"] {
        let done = navmap(&[verb, "nowhere.nav"]);
        assert_eq!(done.status.code(), Some(2));
        assert!(text(&done.stderr).starts_with("navmap: nowhere.nav: "), "{}", text(&done.stderr));
    }
    assert_eq!(navmap(&["scan", "--no-such-option"]).status.code(), Some(2));
}

#[test]
fn flags_are_listed_with_their_counts() {
    let done = navmap(&["info", "--flags", "corpus/skyrim/nvnm/v12.nvnm"]);
    assert!(done.status.success());
    let said = text(&done.stdout);
    let lines: Vec<Vec<&str>> = said.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["BIT", "TRIANGLES", "SHARE", "NAME"]);
    assert_eq!(lines[1].last(), Some(&"found"), "{said}");
    assert!(lines.iter().any(|line| line[1..] == ["10", "25.0", "%", "preferred"]), "{said}");
    // Those of a mesh that is cut short are those of the part that can be read.
    let done = navmap(&["info", "--flags", "corpus/hostile/source/cut-in-area.nav"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stdout).contains("AREAS") && text(&done.stderr).contains("cut-in-area.nav: area "));
}

#[test]
fn options_that_would_do_nothing_are_refused_or_said() {
    let town = "corpus/source/town.nav";
    let done = navmap(&["info", "--records", town]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("--records: a plugin has records"), "{}", text(&done.stderr));
    let temp = Temp::new("y-up");
    let (dot, glb) = (temp.join("a.dot"), temp.join("a.glb"));
    let done = navmap(&["export", town, "--y-up", "-o", dot.to_str().unwrap()]);
    assert_eq!((done.status.code(), dot.exists()), (Some(2), false));
    let done = navmap(&["export", town, "--y-up", "-o", glb.to_str().unwrap()]);
    assert_eq!((done.status.code(), glb.exists()), (Some(0), true));
    assert!(text(&done.stderr).contains("GLB has y up"), "{}", text(&done.stderr));
}

#[test]
fn what_is_for_a_person_has_two_names() {
    let town = "corpus/source/town.nav";
    for (verb, own, other) in [
        (&["check", "-q"][..], "text", "table"),
        (&["show"], "text", "table"),
        (&["diff", town], "text", "table"),
        (&["scan", "-q"], "table", "text"),
        (&["reach", "-q"], "table", "text"),
    ] {
        let printed = |format: &str| {
            let selector: &[&str] = if verb[0] == "show" { &["#11"] } else { &[] };
            let done = navmap(&[verb, &[town], selector, &["--format", format]].concat());
            (done.status.code(), text(&done.stdout))
        };
        assert!(printed(own).0 < Some(2) && printed(own) == printed(other), "{verb:?}");
    }
    // Nothing is written by what only answers.
    assert_eq!(navmap(&["locate", town, "0,0,0", "--dry-run"]).status.code(), Some(2));
}
