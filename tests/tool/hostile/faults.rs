//! Verbs that write over a mesh beside other programs, without room, without the right to, killed, and run by git.

use super::saves::{ORDER, Saved, mesh, plugins};
use super::{navmap, run};
use navmap_testkit::fox::Map;
use navmap_testkit::source as kit;
use navmap_testkit::temp::Temp;
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Files of a folder, and a run that writes over one of them.
struct Case {
    files: Vec<(String, Vec<u8>)>,
    args: Vec<&'static str>,
    /// The file that is written, or one of them.
    file: String,
}

fn owned(files: Vec<(&str, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    files.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect()
}

const JUMP: &str = "nav_mark_attribute JUMP all";

/// Three versions of a mesh, of which two changed different areas, and a script.
fn versions() -> Vec<(&'static str, Vec<u8>)> {
    let base = mesh(400);
    let changed = |command: &str| {
        let temp = Temp::new("version");
        let file = temp.file("a.nav", &base);
        let done = run("version", navmap().args(["edit", "--in-place", "-c", command]).arg(&file));
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        fs::read(file).unwrap()
    };
    let (ours, theirs) = (changed("nav_mark_attribute JUMP #7"), changed("nav_mark_attribute CROUCH #300"));
    vec![("a.nav", ours), ("base.nav", base), ("theirs.nav", theirs), ("script.txt", JUMP.into())]
}

/// A mesh that an analysis went over.
fn with_lists(areas: usize) -> Vec<u8> {
    kit::write(&kit::level(16, Some(2), &kit::Shape::play(areas, 3)))
}

/// Every verb that writes over what it has read.
fn over_what_was_read() -> Vec<Case> {
    let of_mesh =
        |args: &[&'static str]| Case { files: owned(versions()), args: args.to_vec(), file: "a.nav".into() };
    let in_order =
        |args: Vec<&'static str>| Case { files: owned(plugins()), args, file: "Breaker.esp".into() };
    let mut cases = vec![
        of_mesh(&["edit", "--in-place", "-c", JUMP, "a.nav"]),
        of_mesh(&["edit", "-o", "a.nav", "--force", "-c", JUMP, "a.nav"]),
        Case {
            files: owned(vec![("a.nav", with_lists(400))]),
            args: vec!["slim", "--drop", "visibility", "--in-place", "a.nav"],
            file: "a.nav".into(),
        },
        of_mesh(&["analyze", "--in-place", "a.nav"]),
        of_mesh(&["patch", "--in-place", "a.nav", "script.txt"]),
        of_mesh(&["merge", "base.nav", "a.nav", "theirs.nav", "-o", "a.nav", "--force"]),
        in_order([&["fix", "--in-place"][..], &ORDER].concat()),
        in_order(vec!["fix", "--in-place", "."]),
    ];
    // Both parts of a split tile, whichever was named.
    let split = Map { split: true, ..Map::square(2) }.tile(0, 0).files;
    for part in 0..2 {
        let args = vec!["edit", "--in-place", "-c", "attribute 0x0060 island(0)", "part0.nav2"];
        let files =
            ["part0.nav2", "part0.1.nav2"].into_iter().zip(split.iter().map(|(_, bytes)| bytes.clone()));
        let file = ["part0.nav2", "part0.1.nav2"][part].to_owned();
        cases.push(Case { files: owned(files.collect()), args, file });
    }
    cases
}

/// Waits until a process waits for the lock on a file, or has ended: it keeps the file open, and sleeps whenever it does not look. One
/// that reads the file runs, or would if it were let.
fn awaits(child: &mut Child, file: &Path) {
    const SLEEPS: u32 = 20;
    let (begun, process, mut slept) = (Instant::now(), format!("/proc/{}", child.id()), 0);
    while slept < SLEEPS && child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nobody waits for {}", file.display());
        let mut open = fs::read_dir(format!("{process}/fd")).into_iter().flatten().flatten();
        let state = fs::read_to_string(format!("{process}/stat")).unwrap_or_default();
        let sleeps = state.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('S'));
        match open.any(|entry| fs::read_link(entry.path()).is_ok_and(|link| link == file)) {
            true => slept += u32::from(sleeps),
            false => slept = 0,
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}

#[test]
fn what_another_program_puts_in_the_place_of_a_mesh_is_not_written_over_by_any_verb() {
    for Case { files, args, file } in over_what_was_read() {
        let temp = Temp::new("meanwhile");
        files.iter().for_each(|(name, bytes)| drop(temp.file(name, bytes)));
        let path = temp.join(&file).canonicalize().unwrap();
        // While this holds the file, the run has read it and waits.
        let lock = File::open(&path).unwrap();
        lock.lock().unwrap();
        let mut command = navmap();
        command.current_dir(temp.path()).args(&args).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        awaits(&mut child, &path);
        let other = [&fs::read(&path).unwrap()[..], b"changed"].concat();
        fs::rename(temp.file("other", &other), &path).unwrap();
        drop(lock);
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert!(done.status.code() != Some(0), "{args:?}: {said}");
        assert!(fs::read(&path).unwrap() == other, "{args:?}: {said}");
        let told = "another program has changed it since it was read";
        assert!(said.contains(told) || said.contains("changed while"), "{args:?}: {said}");
        // And nothing of what belongs to it was written either.
        for (name, bytes) in files.iter().filter(|(name, _)| *name != file) {
            assert!(fs::read(temp.join(name)).unwrap() == *bytes, "{args:?}: {name}: {said}");
        }
    }
}

#[test]
fn other_verbs_that_are_killed_or_find_no_room_leave_the_old_mesh_or_the_new_one_too() {
    let large = mesh(4_000);
    let temp = Temp::new("theirs");
    let theirs = temp.file("theirs.nav", &large);
    let done = run("theirs", navmap().args(["edit", "--in-place", "-c", JUMP]).arg(&theirs));
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let theirs = fs::read(theirs).unwrap();
    let script = JUMP.as_bytes().to_vec();
    let before =
        [("a.nav", large.clone()), ("base.nav", large), ("theirs.nav", theirs), ("script.txt", script)];
    let whole = [("a.nav", with_lists(4_000))];
    type Files<'f> = &'f [(&'static str, Vec<u8>)];
    let cases: [(&str, Files<'_>, &[&str]); 3] = [
        ("slim", &whole, &["slim", "--drop", "visibility", "a.nav", "-o", "a.nav", "--force"]),
        ("patch", &before, &["patch", "a.nav", "script.txt", "-o", "a.nav", "--force"]),
        ("merge", &before, &["merge", "base.nav", "a.nav", "theirs.nav", "-o", "a.nav", "--force"]),
    ];
    for (name, before, args) in cases {
        let saved = Saved::by(name, before, args);
        saved.killed(name, args, args);
        saved.finds_no_room(name, 100, args, "a.nav");
    }
}

/// Nobody may make a file in the folder, and the mesh in it is nobody's to replace.
#[test]
fn in_a_folder_that_is_read_only_every_verb_says_so_and_leaves_all_as_it_was() {
    const NOBODY: u32 = 65_534;
    for Case { files, args, file } in over_what_was_read() {
        let temp = Temp::new("closed");
        let folder = temp.join("closed");
        files.iter().for_each(|(name, bytes)| drop(temp.file(folder.join(name), bytes)));
        let program = temp.join("navmap");
        fs::copy(env!("CARGO_BIN_EXE_navmap"), &program).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        // As a user who is not the superuser, who may write everywhere.
        let mut command = Command::new(&program);
        command.current_dir(&folder).args(&args).env("RUST_BACKTRACE", "0");
        if chown(&folder, Some(NOBODY), Some(NOBODY)).is_ok() {
            files.iter().for_each(|(name, _)| chown(folder.join(name), Some(NOBODY), Some(NOBODY)).unwrap());
            command.uid(NOBODY).gid(NOBODY);
        }
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
        let done = command.output();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        let Ok(done) = done else {
            return navmap_testkit::skipped("another user may not run the program here");
        };
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("ermission denied"), "{args:?} {file}: {said}");
        for (name, bytes) in &files {
            assert!(fs::read(folder.join(name)).unwrap() == *bytes, "{args:?}: {name}");
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), files.len(), "{args:?}: {said}");
    }
}

/// A repository with a mesh that two branches changed in different areas; `driver` merges meshes.
fn repository(temp: &Temp, driver: &str) {
    let commit = |version: usize| {
        temp.file("a.nav", &versions()[version].1);
        assert!(git(temp, &["add", "."]).0 && git(temp, &["commit", "-qm", "A version"]).0);
    };
    git(temp, &["init", "-q", "-b", "ours"]);
    git(temp, &["config", "merge.navmap.driver", driver]);
    temp.file(".gitattributes", b"*.nav merge=navmap\n");
    commit(1);
    git(temp, &["checkout", "-q", "-b", "theirs"]);
    commit(2);
    git(temp, &["checkout", "-q", "ours"]);
    commit(0);
}

fn git(temp: &Temp, args: &[&str]) -> (bool, String) {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=n", "-c", "user.email=n@example.org"]).args(args);
    let done = git.current_dir(temp.path()).env("GIT_CONFIG_GLOBAL", "/dev/null").output().expect("git");
    let said = [done.stdout, done.stderr].concat();
    (done.status.success(), String::from_utf8_lossy(&said).into_owned())
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_navmap");

#[test]
fn git_merges_what_two_branches_changed_and_a_failed_merge_leaves_ours() {
    let ours = versions().swap_remove(0).1;
    let temp = Temp::new("git-merge");
    repository(&temp, &format!("'{PROGRAM}' merge %O %A %B -o %A --force"));
    let (done, said) = git(&temp, &["merge", "-q", "--no-edit", "theirs"]);
    assert!(done, "{said}");
    let merged = fs::read(temp.join("a.nav")).unwrap();
    let marked = |bytes: &[u8], what: &str| {
        let temp = Temp::new("marked");
        let file = temp.file("a.nav", bytes);
        let done = run("marked", navmap().arg("dump").arg(&file));
        String::from_utf8(done.stdout).unwrap().matches(&format!("\"{what}\"")).count()
    };
    assert_eq!((marked(&merged, "JUMP"), marked(&merged, "CROUCH")), (1, 1));
    // Killed at one moment or another, or without room: git says that it conflicts, and the mesh is a whole one.
    let mut failed = 0;
    let killed = |after: &str| format!("timeout -s KILL {after} '{PROGRAM}' merge %O %A %B -o %A --force");
    let mut drivers: Vec<String> = ["0.001", "0.005", "0.01", "0.02", "0.04", "0.08"].map(killed).into();
    drivers.push(format!(
        "sh -c 'ulimit -f 8; exec \"$0\" merge \"$1\" \"$2\" \"$3\" -o \"$2\" --force' '{PROGRAM}' %O %A %B"
    ));
    for driver in drivers {
        let temp = Temp::new("git-killed");
        repository(&temp, &driver);
        let (done, said) = git(&temp, &["merge", "-q", "--no-edit", "theirs"]);
        let found = fs::read(temp.join("a.nav")).unwrap();
        assert!(found == merged || !done && found == ours, "{driver}: {} bytes: {said}", found.len());
        failed += u32::from(!done);
    }
    assert!(failed > 1, "no merge was killed");
}
