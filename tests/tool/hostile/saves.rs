//! Saving an edited mesh: whatever happens, the file is as it was or wholly new, and what is left behind has a name.

use super::{navmap, run};
use navmap_testkit::skyrim::damage;
use navmap_testkit::source::{Area, Mesh, write};
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A mesh that takes a while to write.
pub(super) fn mesh(areas: u32) -> Vec<u8> {
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

/// Files that a run replaces in its folder, with what they are before and after.
#[cfg(unix)]
pub(super) struct Saved<'s> {
    before: &'s [(&'s str, Vec<u8>)],
    after: Vec<Vec<u8>>,
}

#[cfg(unix)]
impl<'s> Saved<'s> {
    /// Runs to the end once to see what comes.
    pub(super) fn by(name: &str, before: &'s [(&'s str, Vec<u8>)], args: &[&str]) -> Self {
        let temp = Temp::new(name);
        before.iter().for_each(|(file, bytes)| drop(temp.file(file, bytes)));
        let done = run(name, navmap().current_dir(temp.path()).args(args));
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        let after: Vec<_> = before.iter().map(|(file, _)| fs::read(temp.join(file)).unwrap()).collect();
        assert!(
            before.iter().zip(&after).any(|((_, before), after)| before != after),
            "{name} changes nothing"
        );
        Self { before, after }
    }

    /// Every file is the old one or the new one, and what else is there has a name that says what it is. Returns how many
    /// are new, and how many temporary files there are.
    fn is_whole(&self, folder: &Path, what: &str) -> (usize, usize) {
        let mut new = 0;
        for ((file, before), after) in self.before.iter().zip(&self.after) {
            let found = fs::read(folder.join(file)).unwrap();
            assert!(found == *before || found == *after, "{what}: {file}: {} bytes of neither", found.len());
            new += usize::from(found != *before);
        }
        let mut left = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let known = |name: &str| self.before.iter().find(|(file, _)| *file == name);
            if let Some((_, before)) = name.strip_suffix(".bak").and_then(known) {
                assert!(fs::read(&path).unwrap() == *before, "{what}: half a copy of {name}");
            } else if known(name).is_none() {
                assert!(name.starts_with(".navmap-") && name.ends_with(".tmp"), "{what}: {name}");
                left += 1;
            }
        }
        (new, left)
    }

    /// Kills runs at one moment after the other of their saves. `next` is what a run afterwards is asked for, and says of
    /// how many files that were left.
    pub(super) fn killed(&self, name: &str, args: &[&str], next: &[&str]) {
        let temp = Temp::new(&format!("killed-{name}"));
        let mut old = 0;
        for round in 0..24 {
            let folder = temp.join(format!("round{round}"));
            self.before.iter().for_each(|(file, bytes)| drop(temp.file(folder.join(file), bytes)));
            let mut command = navmap();
            command.current_dir(&folder).args(args).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = command.spawn().unwrap();
            // The first sign of a save is the copy of an old file, or the temporary file that becomes the new one.
            let sign = |folder: &Path| fs::read_dir(folder).unwrap().count() > self.before.len();
            while !sign(&folder) && child.try_wait().unwrap().is_none() {}
            std::thread::sleep(Duration::from_micros(250 * round));
            child.kill().unwrap();
            child.wait().unwrap();
            let (new, left) = self.is_whole(&folder, &format!("{name}, round {round}"));
            old += usize::from(new == 0);
            let done = run(name, navmap().current_dir(&folder).args(next));
            let said = String::from_utf8(done.stderr).unwrap();
            assert_eq!(done.status.code(), Some(0), "{said}");
            assert!(said.matches("left by a run that was killed").count() >= left, "{left} left: {said}");
            for ((file, _), after) in self.before.iter().zip(&self.after) {
                assert!(fs::read(folder.join(file)).unwrap() == *after, "{name}: {file} after the next run");
            }
        }
        assert!(old > 0, "{name}: no run was killed before it had saved");
    }

    /// Runs with a limit on the size of files in blocks of 512 bytes, as a disk that is full sets one.
    pub(super) fn finds_no_room(&self, name: &str, blocks: u32, args: &[&str], names: &str) {
        let temp = Temp::new(&format!("full-{name}"));
        self.before.iter().for_each(|(file, bytes)| drop(temp.file(file, bytes)));
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_navmap")]).args(args).current_dir(temp.path());
        let done = command.output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{name}: {said}");
        let last = said.lines().last().unwrap();
        assert!(last.contains(names) && last.contains("too large"), "{name}: {said}");
        let (_, left) = self.is_whole(temp.path(), name);
        assert_eq!(left, 0, "{name}: {:?}", temp.names());
        let kept = fs::read(temp.join(names)).unwrap();
        assert!(
            self.before.iter().any(|(file, before)| *file == names && *before == kept),
            "{name}: {names}"
        );
    }
}

#[cfg(unix)]
const JUMP: [&str; 3] = ["edit", "-c", "nav_mark_attribute JUMP all"];

#[cfg(unix)]
#[test]
fn a_save_that_is_killed_leaves_the_old_mesh_or_the_new_one() {
    let before = [("a.nav", mesh(4_000))];
    let in_place = [&JUMP[..], &["--in-place", "a.nav"]].concat();
    let saved = Saved::by("edit", &before, &in_place);
    saved.killed("edit", &in_place, &[&JUMP[..], &["--force", "-o", "a.nav", "a.nav"]].concat());
}

#[cfg(unix)]
#[test]
fn a_save_that_finds_no_room_on_the_disk_leaves_the_mesh_and_nothing_else() {
    let before = [("a.nav", mesh(4_000))];
    for how in [&["--in-place", "a.nav"][..], &["--force", "-o", "a.nav", "a.nav"]] {
        let args = [&JUMP[..], how].concat();
        Saved::by("room", &before, &args).finds_no_room("edit", 100, &args, "a.nav");
    }
}

/// A load order with every damage, the plugin with broken meshes as large as real ones are, and an older patch.
#[cfg(unix)]
pub(super) fn plugins() -> Vec<(&'static str, Vec<u8>)> {
    use navmap_testkit::skyrim::plugin::{Head, group, record};
    let mut files: Vec<_> = damage::order().map(|file| (file.name, file.bytes)).into();
    let head = Head { form: 0x0100_0900, flags: 0, version: 44 };
    let books: Vec<_> = (0..64).map(|i| record(b"BOOK", head, &vec![i; 60_000])).collect();
    files[3].1.extend(group(*b"BOOK", 0, &books));
    files.push(("Patch.esp", b"an older patch".to_vec()));
    files
}

#[cfg(unix)]
pub(super) const ORDER: [&str; 4] = ["Base.esm", "Deleter.esp", "Linker.esp", "Breaker.esp"];

#[cfg(unix)]
#[test]
fn repairs_that_are_killed_leave_every_plugin_old_or_new() {
    let before = plugins();
    let in_place = [&["fix", "--in-place"][..], &ORDER].concat();
    Saved::by("fix", &before, &in_place).killed("fix", &in_place, &in_place);
    for verb in ["fix", "conflicts"] {
        let patch = [&[verb, "--force", "-o", "Patch.esp"][..], &ORDER].concat();
        Saved::by(verb, &before, &patch).killed(&format!("{verb}-patch"), &patch, &patch);
    }
}

#[cfg(unix)]
#[test]
fn repairs_that_find_no_room_on_the_disk_leave_every_plugin_whole() {
    let before = plugins();
    let in_place = [&["fix", "--in-place"][..], &ORDER].concat();
    // Smaller plugins before the large one fit.
    let saved = Saved::by("fix-room", &before, &in_place);
    saved.finds_no_room("fix", 2_000, &in_place, "Breaker.esp");
    for verb in ["fix", "conflicts"] {
        let patch = [&[verb, "--force", "-o", "Patch.esp"][..], &ORDER].concat();
        Saved::by("patch-room", &before, &patch).finds_no_room(
            &format!("{verb}-patch"),
            1,
            &patch,
            "Patch.esp",
        );
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

/// A link that leads to the mesh, and while its script is awaited, to another one.
#[cfg(unix)]
#[test]
fn a_link_that_leads_elsewhere_meanwhile_is_not_written_through() {
    use std::os::unix::fs::symlink;
    let temp = Temp::new("led-elsewhere");
    let (one, two) = (mesh(10), mesh(20));
    let files = [temp.file("one.nav", &one), temp.file("two.nav", &two)];
    let (link, other, pipe) = (temp.join("link.nav"), temp.join("other.nav"), temp.join("pipe"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink("one.nav", &link).unwrap();
    symlink("two.nav", &other).unwrap();
    let mut command = navmap();
    command.args(["edit", "--in-place", "-f"]).arg(&pipe).arg(&link);
    let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    // The mesh is read by the time that the script is.
    let script = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    fs::rename(&other, &link).unwrap();
    std::io::Write::write_all(&mut &script, b"nav_mark_attribute JUMP all\n").unwrap();
    drop(script);
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.code() == Some(2) && said.contains("a link leads elsewhere by now"), "{said}");
    assert!(files.iter().zip([one, two]).all(|(file, before)| fs::read(file).unwrap() == before), "{said}");
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
