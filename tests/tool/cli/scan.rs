//! The program itself: lists of paths, archives, interruption, a long run among other programs.

use navmap_testkit::archive as make;
use navmap_testkit::bytes::Rng;
use navmap_testkit::source::small_for as mesh;
use navmap_testkit::temp::Temp;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

fn navmap() -> Command {
    navmap_testkit::signals::heeding(env!("CARGO_BIN_EXE_navmap"))
}

fn feed(command: &mut Command, input: &[u8]) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn paths(jsonl: &[u8]) -> Vec<String> {
    let rows = std::str::from_utf8(jsonl).unwrap().lines();
    rows.map(|row| {
        serde_json::from_str::<serde_json::Value>(row).unwrap()["path"].as_str().unwrap().to_owned()
    })
    .collect()
}

#[test]
fn paths_come_from_a_list_by_lines_or_by_nuls() {
    let temp = Temp::new("files-from");
    let a = temp.file("a b.nav", &mesh(1));
    let b = temp.file("new\nline.nav", &mesh(1));
    let scan = || {
        let mut command = navmap();
        command.args(["scan", "-q", "--format", "jsonl", "--files-from"]);
        command
    };
    let lines = format!("{}\n", a.display());
    assert_eq!(paths(&feed(scan().arg("-"), lines.as_bytes()).stdout), [a.to_str().unwrap()]);
    let nuls = format!("{}\0{}", a.display(), b.display());
    let wanted = [a.to_str().unwrap(), b.to_str().unwrap()];
    assert_eq!(paths(&feed(scan().arg("-"), nuls.as_bytes()).stdout), wanted);
    let list = temp.file("list", nuls.as_bytes());
    let run = scan().arg(list).output().unwrap();
    assert_eq!((paths(&run.stdout), run.status.code()), (wanted.map(String::from).to_vec(), Some(0)));
    let missing = scan().arg(temp.join("nowhere")).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn list_shows_members_and_extract_writes_meshes_and_leaves_no_folder() {
    let temp = Temp::new("extract");
    let mesh = mesh(1);
    let inner = make::deflated_zip(&[(b"in.nav", &mesh)]);
    let zip = temp.file(
        "x.zip",
        &make::deflated_zip(&[
            (b"maps/a.nav", &mesh),
            (b"../escape.nav", &mesh),
            (b"/abs\\b.nav", &mesh),
            (b"readme.txt", b"text"),
            (b"c.zip", &inner),
            (b"maps/a.nav", &mesh),
        ]),
    );
    let list = navmap().arg("list").arg(&zip).output().unwrap();
    assert_eq!(list.status.code(), Some(0));
    let text = String::from_utf8(list.stdout).unwrap();
    assert_eq!(text.lines().count(), 7);
    assert!(text.contains("deflate") && text.contains("readme.txt"), "{text}");
    let meshes = navmap().args(["list", "--meshes", "--format", "jsonl"]).arg(&zip).output().unwrap();
    assert_eq!(meshes.stdout.lines().count(), 5);

    let out = temp.join("out/put");
    let extract = || navmap().arg("extract").arg(&zip).arg("-o").arg(&out).output().unwrap();
    let run = extract();
    let errors = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(1), "{errors}");
    assert!(errors.contains("../escape.nav: name of the member: leaves the folder"), "{errors}");
    assert!(errors.contains("maps/a.nav is taken"), "{errors}");
    let mut files = Vec::new();
    walk(&temp.join("out"), &mut files);
    files.sort();
    assert_eq!(files, ["abs/b.nav", "c.zip/in.nav", "maps/a.nav"].map(|name| out.join(name)));
    assert!(files.iter().all(|file| fs::read(file).unwrap() == mesh));
    assert!(!temp.join("out/escape.nav").exists());
    assert_eq!(extract().status.code(), Some(2), "what it would write is there");
    let forced = navmap().arg("extract").arg(&zip).arg("--force").arg("-o").arg(&out).output().unwrap();
    assert!(String::from_utf8(forced.stderr).unwrap().contains("3 meshes written"));
    let no = navmap().arg("list").arg(&files[0]).output().unwrap();
    assert_eq!(no.status.code(), Some(1));
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}

#[test]
fn a_cut_row_is_removed_from_the_file_that_rows_are_appended_to() {
    let temp = Temp::new("append");
    for i in 0..5 {
        temp.file(format!("in/{i}.nav"), &mesh(1));
    }
    let rows = temp.join("rows.jsonl");
    let scan = |resume: bool| {
        let out = fs::OpenOptions::new().create(true).append(true).open(&rows).unwrap();
        let mut command = navmap();
        command.args(["scan", "-q", "--format", "jsonl"]).arg(temp.join("in")).stdout(out);
        if resume {
            command.arg("--resume").arg(&rows);
        }
        assert_eq!(command.status().unwrap().code(), Some(0));
    };
    scan(false);
    let whole = fs::read(&rows).unwrap();
    fs::write(&rows, &whole[..whole.len() - 50]).unwrap();
    scan(true);
    assert_eq!(fs::read(&rows).unwrap(), whole);
    scan(true);
    assert_eq!(fs::read(&rows).unwrap(), whole);
}

fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

/// What was compared is told in whole rows.
#[test]
fn an_interrupted_diff_of_folders_ends_with_a_whole_row() {
    let temp = Temp::new("diff-interrupted");
    let town = fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    let [before, after] =
        [&town[..], &town[..town.len() - 1]].map(|bytes| temp.file(format!("{}", bytes.len()), bytes));
    for number in 0..2000 {
        for (folder, mesh) in [("before", &before), ("after", &after)] {
            let to = temp.join(format!("{folder}/{number:04}.nav"));
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::hard_link(mesh, to).unwrap();
        }
    }
    let mut command = navmap();
    command.args(["diff", "--format", "jsonl"]).args([temp.join("before"), temp.join("after")]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // That the mesh is cut is said as soon as the first pairs were compared.
    let mut said = BufReader::new(child.stderr.take().unwrap());
    said.read_line(&mut String::new()).unwrap();
    interrupt(&child);
    let drain = std::thread::spawn(move || said.read_to_end(&mut Vec::new()));
    let mut rows = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut rows).unwrap();
    drain.join().unwrap().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let rows = whole_rows(&rows);
    assert!((1..2000).contains(&rows), "{rows} rows");
}

/// Counts rows of JSON, each of which is whole.
fn whole_rows(rows: &[u8]) -> usize {
    assert_eq!(rows.last(), Some(&b'\n'), "the last row is whole");
    let rows = std::str::from_utf8(rows).unwrap().lines();
    rows.map(|row| assert!(serde_json::from_str::<serde_json::Value>(row).unwrap().is_object())).count()
}

/// Files that the other program leaves alone, with whether they are sound.
fn field(root: &Path, files: usize) -> BTreeMap<PathBuf, bool> {
    let sound = mesh(1);
    let mut rng = Rng(11);
    let mut stable = BTreeMap::new();
    for i in 0..files {
        let folder = root.join(format!("{:03}", i / 100));
        if i % 100 == 0 {
            fs::create_dir_all(&folder).unwrap();
        }
        let damaged = rng.below(20) == 0;
        let bytes = if damaged { &sound[..sound.len() / 2] } else { &sound };
        let victim = rng.below(20) == 0;
        let path = folder.join(format!("{i:05}{}.nav", if victim { "-victim" } else { "" }));
        fs::write(&path, bytes).unwrap();
        if !victim {
            stable.insert(path, !damaged);
        }
    }
    stable
}

/// 20,000 files with `NAVMAP_SOAK=20000`; fewer in every other test run.
#[test]
fn every_readable_file_has_one_row_whatever_happens_around_the_run() {
    let files = std::env::var("NAVMAP_SOAK").ok().and_then(|files| files.parse().ok()).unwrap_or(3000);
    let temp = Temp::new("soak");
    let root = temp.join("in");
    let stable = field(&root, files);
    let mut victims = Vec::new();
    walk(&root, &mut victims);
    victims.retain(|path| path.to_str().unwrap().contains("victim"));
    let (done, rows) = (AtomicBool::new(false), temp.join("rows.jsonl"));
    let scan = |mmap: &str| {
        let mut command = navmap();
        command
            .args(["scan", "-j", "2", "--format", "jsonl", "--mmap", mmap])
            .arg(&root)
            .stderr(Stdio::piped());
        command
    };
    std::thread::scope(|scope| {
        // Another program: truncates, replaces, deletes and brings back.
        scope.spawn(|| {
            let mut rng = Rng(5);
            while !done.load(Relaxed) {
                let victim = &victims[rng.below(victims.len() as u64) as usize];
                let _ = match rng.below(3) {
                    0 => fs::remove_file(victim),
                    1 => fs::OpenOptions::new().write(true).open(victim).and_then(|file| file.set_len(40)),
                    _ => fs::write(victim, mesh(2)),
                };
            }
        });
        let mut first = scan("always").stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(first.stdout.take().unwrap());
        let mut read = Vec::new();
        for _ in 0..files / 3 {
            out.read_until(b'\n', &mut read).unwrap();
        }
        interrupt(&first);
        out.read_to_end(&mut read).unwrap();
        let stopped = first.wait_with_output().unwrap();
        let said = String::from_utf8(stopped.stderr).unwrap();
        assert_eq!(stopped.status.code(), Some(130), "{said}");
        assert!(said.starts_with("stopped early: "), "{said}");
        assert_eq!(read.last(), Some(&b'\n'), "the last row is whole");
        fs::write(&rows, &read).unwrap();

        let out = fs::OpenOptions::new().append(true).open(&rows).unwrap();
        let second = scan("always").arg("--resume").arg(&rows).stdout(out).output().unwrap();
        assert_eq!(second.status.code(), Some(1), "{}", String::from_utf8_lossy(&second.stderr));
        done.store(true, Relaxed);
    });
    let mut seen = HashSet::new();
    let mut stable_rows = 0;
    for row in fs::read_to_string(&rows).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let path = PathBuf::from(row["path"].as_str().unwrap());
        assert!(seen.insert(path.clone()), "two rows for {}", path.display());
        if let Some(sound) = stable.get(&path) {
            assert_eq!(row["status"] == "ok", *sound, "{row}");
            stable_rows += 1;
        }
    }
    assert_eq!(stable_rows, stable.len());
}

/// A `.pk3` of the Quake III line is a ZIP; bot graphs come in packs too. Every verb that opens a mesh opens their members.
#[test]
fn areas_and_bot_graphs_are_read_out_of_packs() {
    let temp = Temp::new("packs");
    let read = |name: &str| fs::read(navmap_testkit::corpus::bundled().join(name)).unwrap();
    let (areas, graph, pwf) = (read("aas/v5.aas"), read("yapb/v2.graph"), read("yapb/v7.pwf"));
    let members: [(&[u8], &[u8]); 4] = [
        (b"maps/a.aas", &areas),
        (b"maps/a.bsp.txt", b"text"),
        (b"graph/a.graph", &graph),
        (b"wptdefault/a.pwf", &pwf),
    ];
    temp.file("stored.pk3", &make::stored_zip(&members));
    temp.file("packed.pk3", &make::deflated_zip(&members));
    let done = navmap().args(["scan", "-q", "--format", "jsonl"]).arg(temp.path()).output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    let rows: Vec<serde_json::Value> = std::str::from_utf8(&done.stdout)
        .unwrap()
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let names: Vec<_> = rows.iter().map(|row| row["member"].as_str().unwrap()).collect();
    let each = ["maps/a.aas", "graph/a.graph", "wptdefault/a.pwf"];
    assert_eq!(names, [each, each].concat());
    for row in rows.chunks(3) {
        assert_eq!((&row[0]["family"], &row[0]["counts"]["reachabilities"]), (&"aas".into(), &16.into()));
        assert_eq!((&row[1]["form"], &row[1]["counts"]["jumps"]), (&"graph".into(), &1.into()));
        assert_eq!(row[2]["form"], "pwf");
    }
    for pack in ["stored.pk3", "packed.pk3"] {
        let done = navmap().args(["check", "-q"]).arg(temp.join(pack)).output().unwrap();
        let said = String::from_utf8(done.stdout).unwrap();
        assert!(
            done.status.success() && said.contains("pk3!maps/a.aas: info: byte 0x344: no faces"),
            "{said}"
        );
        for member in each {
            let path = format!("{}!{member}", temp.join(pack).display());
            for verb in ["info", "dump"] {
                let done = navmap().arg(verb).arg(&path).output().unwrap();
                assert_eq!(done.status.code(), Some(0), "{verb} {path}");
            }
            let out = temp.join("out.obj");
            let done = navmap().args(["export", "--force", "-o"]).arg(&out).arg(&path).output().unwrap();
            assert!(done.status.success() && fs::metadata(&out).unwrap().len() > 300, "{path}");
        }
    }
}
