//! Saving an edited mesh: whatever happens, the file is as it was or wholly new, and what is left behind has a name.

use super::{navmap, run};
use navmap_testkit::source::{Area, Mesh, write};
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A mesh that takes a while to write.
fn mesh(areas: u32) -> Vec<u8> {
    let area = |i: u32| {
        let x = i as f32 * 50.0;
        let connections = [vec![], vec![(i + 1) % areas + 1], vec![], vec![]];
        Area { id: i + 1, nw: [x, 0.0, 0.0], se: [x + 50.0, 50.0, 0.0], connections, ..Area::default() }
    };
    let areas = (0..areas).map(area).collect();
    write(&Mesh { version: 16, subversion: Some(0), analyzed: 1, areas, ..Mesh::default() })
}

fn edited(path: &Path, more: &[&str]) -> (Option<i32>, String) {
    let mut command = navmap();
    let done = run("edit", command.args(["edit", "-c", "nav_mark_attribute JUMP all"]).args(more).arg(path));
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn a_save_that_is_killed_leaves_the_old_mesh_or_the_new_one() {
    let temp = Temp::new("killed-save");
    let before = mesh(4_000);
    let path = temp.file("a.nav", &before);
    assert_eq!(edited(&path, &["-o", temp.join("new.nav").to_str().unwrap()]).0, Some(0));
    let after = fs::read(temp.join("new.nav")).unwrap();
    assert_ne!(before, after);
    let (mut old, mut new) = (0, 0);
    for round in 0..24 {
        let folder = temp.join(format!("round{round}"));
        let path = temp.file(folder.join("a.nav"), &before);
        let mut command = navmap();
        command.args(["edit", "--in-place", "-c", "nav_mark_attribute JUMP all"]).arg(&path);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // The first sign of a save is the copy of the old mesh, or the temporary file that becomes it.
        while fs::read_dir(&folder).unwrap().count() < 2 && child.try_wait().unwrap().is_none() {}
        std::thread::sleep(Duration::from_micros(250 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = fs::read(&path).unwrap();
        assert!(found == before || found == after, "round {round}: {} bytes of neither", found.len());
        *if found == before { &mut old } else { &mut new } += 1;
        let mut left = 0;
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap().path();
            match entry.file_name().unwrap().to_str().unwrap() {
                "a.nav" => {}
                "a.nav.bak" => assert!(fs::read(&entry).unwrap() == before, "half a copy"),
                name => {
                    assert!(name.starts_with(".navmap-") && name.ends_with(".tmp"), "{name}");
                    left += 1;
                }
            }
        }
        let (code, said) = edited(&path, &["--force", "-o", path.to_str().unwrap()]);
        assert_eq!((code, said.matches("left by a run that was killed").count()), (Some(0), left), "{said}");
        assert!(fs::read(&path).unwrap() == after, "the next run");
    }
    assert!(old > 0, "{old} old, {new} new");
}

/// A shell that limits the size of files to so many blocks of 512 bytes, as a disk that is full does.
#[cfg(unix)]
#[test]
fn a_save_that_finds_no_room_on_the_disk_leaves_the_mesh_and_nothing_else() {
    let temp = Temp::new("full-disk");
    let before = mesh(4_000);
    let path = temp.file("a.nav", &before);
    for how in ["--in-place", "--force -o \"$1\""] {
        let script = format!("ulimit -f 100; exec \"$0\" edit -c 'nav_mark_attribute JUMP all' {how} \"$1\"");
        let mut command = Command::new("sh");
        let done = command.args(["-c", &script, env!("CARGO_BIN_EXE_navmap")]).arg(&path).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{how}: {said}");
        let last = said.lines().last().unwrap();
        assert!(last.contains("a.nav") && last.contains("too large"), "{how}: {said}");
        assert!(fs::read(&path).unwrap() == before, "{how}");
        assert_eq!(temp.names(), ["a.nav"], "{how}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_file_is_an_error_that_names_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let temp = Temp::new("read-only");
    let before = mesh(10);
    let path = temp.file("closed/a.nav", &before);
    let closed = temp.join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let may_all_the_same = fs::write(closed.join("probe"), b"").is_ok();
    if !may_all_the_same {
        let (code, said) = edited(&path, &["--in-place"]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("a.nav") && said.contains("ermission denied"), "{said}");
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
    // There nobody may make a file, the superuser neither.
    let (code, said) = edited(&path, &["-o", "/proc/a.nav"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.lines().last().unwrap().contains("/proc/a.nav"), "{said}");
    let (code, said) = edited(&path, &["--force", "-o", "/dev/full"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("/dev/full") && said.contains("not a regular file"), "{said}");
    assert!(fs::read(&path).unwrap() == before);
}

#[cfg(unix)]
#[test]
fn an_edit_through_a_link_changes_the_file_behind_it_and_keeps_the_link() {
    let temp = Temp::new("linked-save");
    let before = mesh(10);
    let real = temp.file("real/a.nav", &before);
    let link = temp.join("link.nav");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let (code, said) = edited(&link, &["--in-place"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_ne!(fs::read(&real).unwrap(), before);
    assert!(fs::read(temp.join("link.nav.bak")).unwrap() == before, "{said}");
    // A link is something that is there already.
    let (code, said) = edited(&real, &["-o", link.to_str().unwrap()]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("link.nav"), "{said}");
}

/// In a folder where everybody may write but nobody may replace the files of others, as `/tmp` is. Only the superuser can
/// make one with a file of somebody else in it.
#[cfg(target_os = "linux")]
#[test]
fn the_file_of_another_user_stays_as_it_was_and_nothing_is_left_beside_it() {
    use std::os::unix::fs::{PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    const OWNER: u32 = 60_001;
    const NOBODY: u32 = 65_534;
    let temp = Temp::new("another-user");
    let before = mesh(10);
    let path = temp.file("all/a.nav", &before);
    let folder = temp.join("all");
    if chown(&path, Some(OWNER), Some(OWNER)).is_err() {
        return navmap_testkit::skipped("only the superuser can give files away");
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o1777)).unwrap();
    let program = temp.join("navmap");
    fs::copy(env!("CARGO_BIN_EXE_navmap"), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    for how in [&["--in-place"][..], &["--force", "-o", path.to_str().unwrap()]] {
        let mut command = Command::new(&program);
        command.args(["edit", "-c", "nav_mark_attribute JUMP all"]).arg(&path).args(how);
        let done = match command.uid(NOBODY).gid(NOBODY).output() {
            Ok(done) => done,
            Err(error) => {
                return navmap_testkit::skipped(&format!("another user may not run it here: {error}"));
            }
        };
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{how:?}: {said}");
        assert!(said.lines().last().unwrap().contains("a.nav"), "{how:?}: {said}");
        assert!(fs::read(&path).unwrap() == before, "{how:?}");
        let backup = |name: &String| name.ends_with(".bak");
        let mut names: Vec<String> =
            fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| !backup(name));
        assert_eq!(names, ["a.nav"], "{how:?}: {said}");
    }
}
