//! What is put in the place of a file between reading it and writing it.
#![cfg(unix)]

use super::navmap;
use navmap_testkit::source as kit;
use navmap_testkit::temp::Temp;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

/// Edits `a.nav`, and changes something after it was read. Returns the status and what was said.
fn edited(temp: &Temp, more: &[&str], meanwhile: impl FnOnce()) -> (Option<i32>, String) {
    let pipe = temp.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = navmap();
    command.args(["edit", "a.nav", "-f", "pipe"]).args(more).current_dir(temp.path());
    let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    // The mesh is read by the time that the script is.
    let mut script = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    meanwhile();
    script.write_all(b"nav_mark_attribute JUMP all\n").unwrap();
    drop(script);
    let done = child.wait_with_output().unwrap();
    fs::remove_file(&pipe).unwrap();
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

#[test]
fn a_pipe_in_the_place_of_a_mesh_is_not_waited_for() {
    let temp = Temp::new("swapped-pipe");
    let path = temp.file("a.nav", &kit::tf2_shaped());
    let (code, said) = edited(&temp, &["--in-place"], || {
        fs::remove_file(&path).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    });
    assert!(code == Some(2) && said.contains("another program has changed it"), "{said}");
}

#[test]
fn a_journal_that_has_become_the_mesh_does_not_go_over_it() {
    let temp = Temp::new("swapped-journal");
    let before = kit::tf2_shaped();
    let path = temp.file("a.nav", &before);
    temp.file("b.nav", b"nobody's");
    for (to, more) in [("a.nav", &["--force"][..]), ("a.nav", &[]), ("b.nav", &[])] {
        let typed = [&["--in-place", "--journal", "j.txt"], more].concat();
        let (code, said) = edited(&temp, &typed, || symlink(to, temp.join("j.txt")).unwrap());
        assert!(code == Some(2) && said.contains("j.txt"), "{to}: {said}");
        assert!(fs::read(&path).unwrap() == before, "{to}: {said}");
        assert_eq!(fs::read(temp.join("b.nav")).unwrap(), b"nobody's");
        assert_eq!(temp.names(), ["a.nav", "b.nav", "j.txt"], "{said}");
        fs::remove_file(temp.join("j.txt")).unwrap();
    }
}
