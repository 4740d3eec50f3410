//! An address space that is too small: an error, never an abort. And how much a small file takes.

use navmap_testkit::archive::{Zipped, sevenz, zip};
use navmap_testkit::bombs::bomb;
use navmap_testkit::temp::Temp;
use std::path::Path;
use std::process::Command;

/// Runs the program with so many kilobytes of address space: its status (`None` if a signal ended it) and its last words.
fn within(kilobytes: usize, verb: &str, path: &Path) -> (Option<i32>, String) {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" {verb} \"$1\"");
    let program = env!("CARGO_BIN_EXE_navmap");
    let done = Command::new("sh").args(["-c", &script, program]).arg(path).output().unwrap();
    (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
}

/// What the program needs to begin at all, beyond what the loader needs, to half a megabyte: it then ends with a status of its own.
fn least(path: &Path) -> usize {
    let (mut low, mut high): (usize, usize) = (4_000, 400_000);
    while high - low > 500 {
        let middle = low.midpoint(high);
        match within(middle, "list", path).0 {
            Some(0..=2) => high = middle,
            _ => low = middle,
        }
    }
    high
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
#[test]
fn too_small_an_address_space_is_an_error_of_the_run_or_of_the_member() {
    let temp = Temp::new("address-space");
    let zeros = vec![0; 3_000_000];
    let deflated = zip(&[Zipped::deflated(b"a.nav", &zeros), Zipped::deflated(b"b.nav", &zeros)]);
    let files: [(&str, &[u8]); 8] = [
        ("zeros.nav.gz", bomb("zeros.nav.gz")),
        ("small-streams.nav.bz2", bomb("small-streams.nav.bz2")),
        ("small-streams.nav.xz", bomb("small-streams.nav.xz")),
        ("empty-streams.nav.zst", bomb("empty-streams.nav.zst")),
        ("empty-streams.nav.gz", bomb("empty-streams.nav.gz")),
        ("zeros.zip", &deflated),
        ("stored.7z", &sevenz(&[(b"a.nav", &zeros)])),
        ("zeros.nav", &zeros),
    ];
    let start = least(&temp.file("few.nav", b"few"));
    for (name, bytes) in files {
        let path = temp.file(name, bytes);
        let mut refused = 0;
        for step in 0..12 {
            let kilobytes = start + step * step * 100;
            let verb = ["list --meshes", "scan -q -j2"][step % 2];
            let (status, said) = within(kilobytes, verb, &path);
            assert!(matches!(status, Some(0..=2)), "{name}, {verb}, {kilobytes} kB: {status:?} {said}");
            refused += u32::from(said.contains("do not fit into memory"));
        }
        assert!(refused > 0, "{name}: {refused}");
    }
}

/// The most memory that a run of the program has at one time, in KiB, and its status. The system tells while it runs, so what it takes
/// right at its end may be missed.
#[cfg(target_os = "linux")]
pub(super) fn peak(command: &mut Command) -> (u64, Option<i32>) {
    let quiet = std::process::Stdio::null;
    let mut child = command.stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().unwrap();
    let mut most = 0;
    loop {
        most = highest(child.id()).map_or(most, |kib| most.max(kib));
        if let Some(status) = child.try_wait().unwrap() {
            return (most, status.code());
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Everything that a page may ask of a mesh, one answer after the other.
#[cfg(target_os = "linux")]
#[test]
fn a_server_keeps_little_of_what_it_was_asked() {
    use navmap_testkit::heavy;
    use navmap_testkit::served::Served;
    let temp = Temp::new("served-small");
    let parts =
        ["head", "index", "nodes", "geometry", "links", "marks", "centers", "c/0", "told/0", "told/5"];
    let more = ["thumbnail/light", "path/0,0,0/100,100,0", "tint/cost/0", "tint/sight/0", "picture.svg"];
    for file in heavy::named(|name| ["one-square.ai", "many-areas.nav"].contains(&name)) {
        let path = temp.file(&file.name, &file.bytes);
        let mut server = Served::start(super::navmap().arg("view").arg(path));
        for part in parts.iter().chain(&more) {
            let (status, head, body) = server.get(&format!("m/0/{part}"));
            // All nodes in one square lead to the first.
            let is_refused = file.name == "one-square.ai" && *part == "told/0";
            let is_empty = body.is_empty() && *part != "marks";
            assert!(
                status == if is_refused { 422 } else { 200 } && !is_empty,
                "{}, {part}: {head}",
                file.name
            );
        }
        let (status, head, picture) = server.get("m/0/picture.svg");
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
        assert_eq!((status, length), (200, Some(&*picture.len().to_string())), "{head}");
        assert!(picture.starts_with(b"<svg") && picture.ends_with(b"</svg>\n"), "{}", picture.len());
        let most = highest(server.child.id()).unwrap();
        assert!(most < 64 << 10, "{}: {most} KiB", file.name);
        server.child.kill().unwrap();
    }
}

/// The most memory that a process has had so far, in KiB.
#[cfg(target_os = "linux")]
fn highest(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line?.split_whitespace().next()?.parse().ok()
}

/// Runs the program: it ends as expected and says so, and takes less than 64 MiB.
#[cfg(target_os = "linux")]
#[track_caller]
pub(super) fn ends_small(name: &str, command: impl Fn() -> Command, status: i32, said: &str) {
    let done = super::run(name, &mut command());
    let text = String::from_utf8_lossy(&done.stderr);
    let last = text.lines().last().unwrap_or_default();
    assert!(done.status.code() == Some(status) && text.contains(said), "{name}: {}: {last}", done.status);
    let (kib, _) = peak(&mut command());
    assert!(kib < 64 << 10, "{name}: {kib} KiB");
}

#[cfg(target_os = "linux")]
#[test]
fn every_verb_takes_little_for_a_small_plugin_of_nothing_but_triangles() {
    use navmap_testkit::heavy::plugins;
    let temp = Temp::new("triangles");
    for (name, bytes) in [
        ("one.esp", plugins::one_place()),
        ("sheets.esp", plugins::sheets()),
        ("compressed.esp", plugins::compressed(9)),
    ] {
        let mut changed = bytes.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        let (path, other) = (temp.file(name, &bytes), temp.file(format!("other-{name}"), &changed));
        let export =
            |end: &str| vec!["export".to_owned(), "--force".into(), "-o".into(), format!("out.{end}")];
        let words = |verb: &str| verb.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut verbs: Vec<Vec<String>> =
            ["glb", "obj", "geojson", "graphml", "dot", "tres", "navmesh"].map(export).into();
        verbs.extend(
            [
                "scan -q -j1",
                "check -q -j1",
                "tables -q -j1 --force -o tables --format csv",
                "tables -q -j1 --force -o tables --format jsonl",
                "draw --force -o out.svg",
                "draw --force --layer all -o out.png",
                "draw --force -o out.svg --around all",
                "view --force --html out.html",
                "diff --all",
                "diff --force --draw out-diff.svg",
                "fix --itm --force -o out.esp",
                "show",
                "path --force --draw out-way.svg",
                "reach --force --draw out-reach.svg",
            ]
            .map(words),
        );
        let edit = |command: &str| ["edit", "--force", "-o", "out.esp", "-c", command].map(str::to_owned);
        verbs.extend(["move 1 1 1", "flip all", "show all"].map(|command| edit(command).into()));
        for verb in verbs {
            let mut command = super::navmap();
            command.current_dir(temp.path()).args(&verb).arg(&path);
            match &*verb[0] {
                "diff" => drop(command.arg(&other)),
                "show" => drop(command.arg("all")),
                "path" => drop(command.args(["0,0,0", "500,500,0"])),
                "reach" => drop(command.arg("0,0,0")),
                _ => {}
            }
            let (kib, status) = peak(&mut command);
            // Triangles that all lie in one place are too many pieces, and too much paint.
            let is_limited = |word: &String| word == "out.navmesh" || word == "out.png";
            let is_refused = name != "sheets.esp" && verb.iter().any(is_limited);
            let expected = if is_refused { matches!(status, Some(2)) } else { matches!(status, Some(0 | 1)) };
            assert!(expected, "{name}, {verb:?}: {status:?}");
            assert!(kib < 64 << 10, "{name}, {verb:?}: {kib} KiB");
        }
    }
}

/// How many lines all tables in a folder have, and what becomes of them without what names the mesh.
#[cfg(target_os = "linux")]
fn lines_of(tables: &Path) -> (usize, u64) {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut files: Vec<_> = std::fs::read_dir(tables).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let (mut count, mut hasher) = (0, DefaultHasher::new());
    for file in files {
        file.file_name().hash(&mut hasher);
        for line in std::fs::read_to_string(file).unwrap().lines() {
            count += 1;
            line.splitn(4, ',').nth(3).hash(&mut hasher);
        }
    }
    (count, hasher.finish())
}

#[cfg(target_os = "linux")]
#[test]
fn the_rows_of_a_small_mesh_take_little_wherever_it_lies() {
    use navmap_testkit::archive::{gzip, tar};
    let temp = Temp::new("rows");
    let tables = |args: &str| {
        let script = format!("exec \"$0\" tables -q -j1 --force -o out {args}");
        let mut command = Command::new("sh");
        command.current_dir(temp.path()).args(["-c", &script, env!("CARGO_BIN_EXE_navmap")]);
        let (kib, status) = peak(&mut command);
        assert!(kib < 64 << 10, "{args}: {kib} KiB");
        let lines = lines_of(&temp.join("out"));
        std::fs::remove_dir_all(temp.join("out")).unwrap();
        (lines, status)
    };
    for file in navmap_testkit::heavy::named(|name| ["compressed.esp", "squares.ai"].contains(&name)) {
        let (name, bytes) = (&file.name, &file.bytes[..]);
        temp.file(name, bytes);
        temp.file("one.zip", &zip(&[Zipped::deflated(name.as_bytes(), bytes)]));
        temp.file("one.tar", &tar(&[(name.as_bytes(), bytes)]));
        temp.file(format!("{name}.gz"), &gzip(bytes));
        let (whole, status) = tables(name);
        assert!(whole.0 > 100_000 && matches!(status, Some(0 | 1)), "{name}: {whole:?} {status:?}");
        let ways = [
            format!("--strict {name}"),
            format!("--strict one.zip!{name}"),
            format!("one.zip!{name}"),
            "one.tar".to_owned(),
            format!("{name}.gz"),
            format!("- < {name}"),
        ];
        for way in ways {
            let (lines, with) = tables(&way);
            // Standard input has no name, by which a record may be known.
            let is_same = lines == whole || way.starts_with("- ") && lines.0 == whole.0;
            assert!(is_same && with == status, "{way}: {lines:?} of {whole:?} {with:?}");
        }
    }
    // Of a mesh that ends early there are many rows, and none that count.
    let plugin = navmap_testkit::heavy::plugins::compressed(9);
    temp.file("cut.esp", &plugin[..plugin.len() - 10]);
    let ((rows, _), status) = tables("--tables files,links cut.esp");
    assert!(rows > 50_000 && status == Some(1), "{rows}");
    let ((rows, _), status) = tables("--tables files,links --strict cut.esp");
    assert_eq!((rows, status), (3, Some(1)));
}

/// Each thread held two members, and each of them twice.
#[cfg(target_os = "linux")]
#[test]
fn two_small_archives_are_compared_in_little() {
    use navmap_testkit::heavy;
    let temp = Temp::new("two-archives");
    let changed = |bytes: &[u8], at: usize| {
        let mut changed = bytes.to_vec();
        changed[at] ^= 1;
        changed
    };
    let bombs = ["zeros.zip", "same-packed.zip", "same-archive.pak", "levels.zip"].map(|name| {
        let bytes = bomb(name);
        (name, bytes.to_vec(), changed(bytes, bytes.len() / 2))
    });
    let names = ["squares.ai", "areas-at-one-place.nav", "many-areas.nav", "q-one-point.nav"];
    let meshes = heavy::named(|name| names.contains(&name));
    let packed = |change: bool| {
        let members = meshes.iter().map(|file| {
            let bytes = if change { changed(&file.bytes, file.bytes.len() / 2) } else { file.bytes.clone() };
            Zipped::deflated(file.name.as_bytes(), &bytes)
        });
        zip(&members.collect::<Vec<_>>())
    };
    for (name, before, after) in bombs.into_iter().chain([("meshes.zip", packed(false), packed(true))]) {
        assert!(before.len() < 1 << 20, "{name}: {}", before.len());
        let (before, after) = (temp.file(name, &before), temp.file(format!("other-{name}"), &after));
        let (kib, status) = peak(super::navmap().args(["diff", "--all"]).args([&before, &after]));
        assert!(kib < 64 << 10 && matches!(status, Some(0..=2)), "{name}: {kib} KiB, {status:?}");
    }
}

/// Either member alone would be read.
#[test]
fn what_two_members_take_together_is_bounded_by_name() {
    let temp = Temp::new("two-members");
    let mut mesh = navmap_testkit::heavy::source::shape("areas at one place")(1_000);
    mesh.resize(10_000_000, 0);
    let packed = |bytes: &[u8]| zip(&[Zipped::deflated(b"a.nav", bytes)]);
    let path = temp.file("one.zip", &packed(&mesh));
    let other = temp.file("other.zip", &packed(&mesh[..9_999_999]));
    let run = |words: &[&str], files: &[&Path]| {
        let done = super::run("two members", super::navmap().args(words).args(files));
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    };
    for path in [&path, &other] {
        let done = super::run("one member", super::navmap().args(["scan", "-q"]).arg(path));
        let row = String::from_utf8(done.stdout).unwrap();
        assert!(row.contains("1,000 areas") && !row.contains("limit"), "{row}");
    }
    let (status, said) = run(&["diff"], &[&path, &other]);
    assert!(status == Some(1) && said.contains("inflated size: 9999999 is over the limit of "), "{said}");
    // Whoever allows it has the answer.
    assert_eq!(run(&["diff", "--max-ratio", "10000"], &[&path, &other]), (Some(1), String::new()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_model_takes_little() {
    let temp = Temp::new("small-models");
    let names = ["nodes.glb", "accessors.glb", "extras.glb", "instances.glb", "primitives.glb"];
    for file in navmap_testkit::heavy::named(|name| names.contains(&name)) {
        let path = temp.file(&file.name, &file.bytes);
        let mut command = super::navmap();
        let (kib, status) = peak(command.args(["build", "-o"]).arg(temp.join("out.navmesh")).arg(path));
        assert!(kib < 64 << 10 && status == Some(2), "{}: {kib} KiB, {status:?}", file.name);
    }
}

/// Two million cells of a few bytes each.
#[cfg(target_os = "linux")]
#[test]
fn a_large_face_is_laid_on_a_grid_in_little() {
    let temp = Temp::new("large-face");
    let model = b"v 0 0 0\nv 25000 25000 100\nv 0 50000 200\nv -25000 25000 100\nf 1 2 3 4\n";
    let path = temp.file("a.obj", model);
    let mut command = super::navmap();
    command.args(["convert", "--to", "source-16/1", "--rasterise", "25", "-o"]).arg(temp.join("out.nav"));
    let (kib, status) = peak(command.arg(path));
    assert!(kib < 64 << 10 && status == Some(0), "{kib} KiB, {status:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn small_meshes_of_many_links_or_squares_take_little() {
    use navmap_testkit::heavy::{graphs, source};
    let temp = Temp::new("small-meshes");
    let nav = temp.file("linked.nav", &source::shape("linked to one many times")(6_400));
    let ai = temp.file("squares.ai", &graphs::squares());
    let mut area = navmap_testkit::source::Area { id: 1, se: [50.0, 50.0, 0.0], ..Default::default() };
    area.connections[0] = (1_000..200_000).collect();
    let mesh = navmap_testkit::source::Mesh { version: 9, areas: vec![area], ..Default::default() };
    let dangling = temp.file("dangling.nav", &navmap_testkit::source::write(&mesh));
    // 2.2 million ways through areas, and as many lists of all areas.
    let around = temp.file("around.nav", &source::shape("linked to all around")(5_800));
    let lists = temp.file("lists.nav", &source::shape("one list for all")(10_000));
    let mut one = navmap_testkit::heavy::named(|name| name == "one-square.ai").remove(0).bytes;
    let square = temp.file("one-square.ai", &one);
    let middle = one.len() / 2;
    one[middle] ^= 1;
    temp.file("changed.ai", &one);
    let runs: [(&Path, &[&str]); 9] = [
        (&around, &["analyze", "--full", "--force", "-o", "out.nav"]),
        (&square, &["diff", "--force", "--draw", "out.svg", "changed.ai"]),
        (&dangling, &["analyze", "--quick", "--force", "-o", "out.nav"]),
        (&dangling, &["edit", "-c", "nav_crouch #1", "--force", "-o", "out.nav"]),
        (&nav, &["edit", "-c", "nav_crouch all; undo", "--force", "-o", "out.nav"]),
        (&nav, &["edit", "-c", "nav_mark #1; nav_crouch", "--force", "-o", "out.nav"]),
        (&nav, &["analyze", "--quick", "--force", "-o", "out.nav"]),
        (&ai, &["view", "--force", "--html", "out.html"]),
        (&square, &["reach", "--force", "--draw", "out.svg"]),
    ];
    for (path, words) in runs {
        let length = path.metadata().unwrap().len();
        assert!(length < 1 << 20, "{}: {length}", path.display());
        let (kib, status) = peak(super::navmap().current_dir(temp.path()).args(words).arg(path));
        let expected = i32::from(["diff", "reach"].contains(&words[0]));
        assert_eq!(status, Some(expected), "{words:?}");
        assert!(kib < 64 << 10, "{words:?}: {kib} KiB");
    }
    let analyze = || {
        let mut command = super::navmap();
        command.current_dir(temp.path()).args(["analyze", "--quick", "--force", "-o", "out.nav"]).arg(&lists);
        command
    };
    ends_small("lists", analyze, 1, "is over the limit of 2257152");
}

#[test]
fn polygons_that_tiles_would_cut_to_many_pieces_are_refused_by_name() {
    let temp = Temp::new("pieces");
    let path = temp.file("one.esp", &navmap_testkit::heavy::plugins::one_place());
    let export = |more: &[&str]| {
        let mut command = super::navmap();
        command
            .current_dir(temp.path())
            .args(["export", "--force", "-o", "out.navmesh"])
            .args(more)
            .arg(&path);
        let done = super::run("pieces", &mut command);
        String::from_utf8(done.stderr).unwrap()
    };
    let said = export(&[]);
    assert!(
        said.contains("pieces of polygons along tiles: ") && said.contains("is over the limit of"),
        "{said}"
    );
    // Whoever types a size wants the pieces.
    let said = export(&["--tile", "0.3"]);
    assert!(!said.contains("pieces of polygons along tiles: "), "{said}");
}
