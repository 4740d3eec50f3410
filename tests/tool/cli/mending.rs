//! `navmap check --fix` of a folder, copies of what is written over, and `navmap watch`.

use navmap_testkit::source::{Area, Mesh, read, write};
use navmap_testkit::temp::Temp;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn navmap(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_navmap")).current_dir(folder).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    super::text(&output.stdout)
}

fn stderr(output: &Output) -> String {
    super::text(&output.stderr)
}

/// Two areas; the first has these connections to the east.
pub(crate) fn mesh(east: &[u32]) -> Vec<u8> {
    let area = |id: u32| Area {
        id,
        nw: [id as f32 * 100.0, 0.0, 0.0],
        se: [id as f32 * 100.0 + 100.0, 100.0, 0.0],
        light: [1.0; 4],
        ..Area::default()
    };
    let mut areas: Vec<Area> = (1..=2).map(area).collect();
    areas[0].connections[1] = east.to_vec();
    areas[1].connections[3].push(1);
    write(&Mesh { version: 16, subversion: Some(0), bsp_size: 4096, analyzed: 1, areas, ..Mesh::default() })
}

/// A sound mesh, two broken ones, one of a family without an editor, and what is no mesh.
fn folder(name: &str) -> Temp {
    let temp = Temp::new(name);
    std::fs::create_dir_all(temp.join("maps/mods")).unwrap();
    temp.file("maps/good.nav", &mesh(&[2]));
    temp.file("maps/a.nav", &mesh(&[2, 1, 77]));
    temp.file("maps/mods/b.nav", &mesh(&[2, 2, 78, 79]));
    temp.file("maps/notes.txt", b"no mesh");
    let inside = navmap_testkit::archive::pak(&[(b"maps/c.nav", &mesh(&[2]))]);
    temp.file("maps/pak0.pak", &inside);
    let other = navmap_testkit::corpus::bundled().join("xray");
    let other = std::fs::read_dir(other).unwrap().map(|entry| entry.unwrap().path());
    let other = other.into_iter().find(|path| path.extension().is_some_and(|end| end == "ai")).unwrap();
    std::fs::copy(other, temp.join("maps/level.ai")).unwrap();
    temp
}

fn east(path: &Path) -> Vec<u32> {
    read(&std::fs::read(path).unwrap()).unwrap().areas[0].connections[1].clone()
}

#[test]
fn a_folder_is_mended_as_one_by_a_script_a_mesh() {
    let temp = folder("mend-scripts");
    let done = navmap(temp.path(), &["check", "maps", "--fix", "-o", "scripts"]);
    assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
    assert_eq!(stdout(&done), "");
    let said = stderr(&done);
    for line in [
        "        3  dangling-connection would be mended in 2 meshes",
        "        1  duplicate-connection would be mended in 1 mesh",
        "        1  self-connection would be mended in 1 mesh",
        "4 meshes: 2 scripts, 1 mesh of families that cannot be edited",
        "1 archive is not looked into: name archive!member",
    ] {
        assert!(said.lines().any(|own| own == line), "{line}\n{said}");
    }
    assert_eq!(east(&temp.join("maps/a.nav")), [2, 1, 77], "nothing but scripts is written");
    // The scripts do what was said.
    let edit = ["edit", "maps/mods/b.nav", "-f", "scripts/mods/b.nav.txt", "-o", "b.nav"];
    assert_eq!(navmap(temp.path(), &edit).status.code(), Some(0));
    assert_eq!(east(&temp.join("b.nav")), [2]);
    // A script that is there is not written over.
    let again = navmap(temp.path(), &["check", "maps", "--fix", "-o", "scripts"]);
    assert!(stderr(&again).contains("is there already"), "{}", stderr(&again));
    assert_eq!(
        navmap(temp.path(), &["check", "maps", "--fix", "-o", "scripts", "--force"]).status.code(),
        Some(1)
    );
    assert_eq!(navmap(temp.path(), &["check", "maps", "--fix", "-o", "maps/a.nav"]).status.code(), Some(2));
    // Without a place for them they are printed, one after the other.
    let printed = stdout(&navmap(temp.path(), &["check", "maps", "--fix", "-q"]));
    assert!(printed.contains("// maps/a.nav: ") && printed.contains("// maps/mods/b.nav: "), "{printed}");
    assert!(!printed.contains("good.nav"), "{printed}");
}

#[test]
fn a_folder_is_mended_in_place_and_copies_have_a_place_of_their_own() {
    let temp = folder("mend-in-place");
    let dry = navmap(temp.path(), &["check", "maps", "--fix", "--in-place", "--dry-run"]);
    assert_eq!((dry.status.code(), east(&temp.join("maps/a.nav")).len()), (Some(0), 3), "{}", stderr(&dry));
    let done = navmap(temp.path(), &["check", "maps", "--fix", "--in-place", "--backup-dir", "old/deep"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains("        3  dangling-connection mended in 2 meshes"), "{}", stderr(&done));
    assert!(stderr(&done).contains("4 meshes: 2 mended"), "{}", stderr(&done));
    assert_eq!([east(&temp.join("maps/a.nav")), east(&temp.join("maps/mods/b.nav"))], [[2], [2]]);
    assert_eq!(east(&temp.join("old/deep/a.nav.bak")), [2, 1, 77]);
    // As they lie below the folder that was named.
    assert!(temp.join("old/deep/mods/b.nav.bak").exists() && !temp.join("old/deep/b.nav.bak").exists());
    assert!(!temp.join("maps/a.nav.bak").exists());
    let checked = navmap(temp.path(), &["check", "-q", "--least", "warning", "maps"]);
    assert_eq!((checked.status.code(), stdout(&checked).as_str()), (Some(0), ""));
    let nothing = navmap(temp.path(), &["check", "maps", "--fix", "--in-place"]);
    assert!(nothing.status.success() && stderr(&nothing).contains("0 mended"), "{}", stderr(&nothing));
    // Other verbs keep their copies there as well.
    let edit = ["edit", "maps/a.nav", "-c", "nav_delete #2", "--in-place", "--backup-dir", "old/deep"];
    assert!(navmap(temp.path(), &edit).status.success());
    assert_eq!(east(&temp.join("old/deep/a.nav.bak2")), [2]);
    let nowhere = navmap(temp.path(), &["edit", "maps/a.nav", "-c", "nav_delete #1", "--backup-dir", "x"]);
    assert_eq!(nowhere.status.code(), Some(2), "only with --in-place");
}

#[test]
fn copies_are_no_meshes_to_a_scan_unless_they_are_named() {
    let temp = Temp::new("scan-copies");
    temp.file("a.nav", &mesh(&[2]));
    for name in ["a.nav.bak", "a.nav.bak2", "a.nav.bak17"] {
        temp.file(name, &mesh(&[2]));
    }
    temp.file("bak.nav", &mesh(&[2]));
    let rows = |paths: &[&str]| {
        stdout(&navmap(temp.path(), &[&["scan", "-q", "--format", "csv"][..], paths].concat()))
    };
    assert_eq!(rows(&["."]).lines().count(), 3, "{}", rows(&["."]));
    assert_eq!(rows(&["a.nav.bak"]).lines().count(), 2);
}

#[test]
fn a_change_is_checked_and_drawn_again() {
    let temp = Temp::new("watch");
    std::fs::create_dir(temp.join("maps")).unwrap();
    temp.file("maps/a.nav", &mesh(&[2]));
    temp.file("maps/b.nav", &mesh(&[2]));
    let mut watch = Command::new(env!("CARGO_BIN_EXE_navmap"))
        .current_dir(temp.path())
        .args(["watch", "maps", "--once", "--every", "20", "--then", "check -q --least warning"])
        .args(["--then", "draw {} -o '{name}.svg' --force"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(watch.stderr.take().unwrap());
    let mut first = String::new();
    said.read_line(&mut first).unwrap();
    assert_eq!(first, "navmap: 2 meshes watched; Ctrl-C ends\n");
    temp.file("maps/b.nav", &mesh(&[2, 77]));
    let done = watch.wait_with_output().unwrap();
    let rest: Vec<String> = said.lines().map(Result::unwrap).collect();
    assert_eq!(done.status.code(), Some(1), "{rest:?}");
    assert!(stdout(&done).contains("[dangling-connection]"), "{}", stdout(&done));
    assert!(!stdout(&done).contains("a.nav"), "{}", stdout(&done));
    assert!(rest.iter().any(|line| line.ends_with("check -q --least warning: exit status 1")), "{rest:?}");
    assert!(temp.join("b.svg").exists() && !temp.join("a.svg").exists());
}

#[test]
fn what_is_watched_has_to_be_there_and_what_is_run_a_verb() {
    let temp = folder("watch-wrong");
    for (arguments, why) in [
        (&["watch", "maps", "--then", "chek"][..], "no verb; did you mean check?"),
        (&["watch", "maps", "--then", "watch ."], "no other watch"),
        (&["watch", "none"], "none"),
    ] {
        let done = navmap(temp.path(), arguments);
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&done).contains(why), "{}", stderr(&done));
    }
    // Each mesh first, then the first change.
    let mut watch = Command::new(env!("CARGO_BIN_EXE_navmap"));
    watch.current_dir(temp.path()).args(["watch", "maps", "--now", "--every", "20"]);
    let mut watch = watch.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(watch.stderr.take().unwrap());
    let checked = said.lines().map(Result::unwrap).filter(|line| line.contains(": check: ")).take(4).count();
    assert_eq!(checked, 4);
    watch.kill().unwrap();
    watch.wait().unwrap();
}

/// Whoever installs a new version does so while the old one watches.
#[cfg(unix)]
#[test]
fn watching_goes_on_with_a_program_that_is_replaced_or_gone() {
    let temp = Temp::new("watch-replaced");
    temp.file("maps/a.nav", &mesh(&[2]));
    let (built, program) = (Path::new(env!("CARGO_BIN_EXE_navmap")), temp.join("navmap"));
    // A copy that is still being written cannot be run.
    let install =
        || std::fs::hard_link(built, &program).or_else(|_| std::fs::copy(built, &program).map(drop));
    install().unwrap();
    let mut watch = Command::new(&program);
    watch.current_dir(temp.path()).args(["watch", "maps", "--every", "20", "--then", "check -q"]);
    let mut watch = watch.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(watch.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(said.next().unwrap(), "navmap: 1 mesh watched; Ctrl-C ends");
    // Whole at once: half a mesh that lies there for long, as on a busy machine, is another change.
    let save = |bytes: &[u8]| std::fs::rename(temp.file("saved", bytes), temp.join("maps/a.nav")).unwrap();
    std::fs::remove_file(&program).unwrap();
    save(&mesh(&[2, 77]));
    let line = said.next().unwrap();
    let start = format!("navmap: maps/a.nav: check -q: {} does not start: ", program.display());
    assert!(line.starts_with(&start), "{line}");
    install().unwrap();
    save(&mesh(&[2]));
    assert_eq!(said.next().unwrap(), "navmap: maps/a.nav: check -q: all is well");
    watch.kill().unwrap();
    watch.wait().unwrap();
}
