//! What is put in the place of a file between reading it and writing it.
#![cfg(unix)]

use super::navmap;
use navmap_testkit::served::Served;
use navmap_testkit::source as kit;
use navmap_testkit::temp::Temp;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
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

#[test]
fn an_output_that_has_become_a_link_to_the_mesh_does_not_go_over_it() {
    let temp = Temp::new("swapped-output");
    let before = kit::tf2_shaped();
    let path = temp.file("a.nav", &before);
    let output = temp.join("x.nav");
    let links: [(&str, &dyn Fn()); 3] = [
        ("soft", &|| symlink("a.nav", &output).unwrap()),
        ("hard", &|| fs::hard_link(&path, &output).unwrap()),
        ("in its place", &|| {
            fs::write(&output, b"older").unwrap();
            fs::remove_file(&output).unwrap();
            symlink(&path, &output).unwrap();
        }),
    ];
    for (what, link) in links {
        let (code, said) = edited(&temp, &["-o", "x.nav", "--force"], link);
        assert!(code == Some(2) && said.contains("is read by this run"), "{what}: {said}");
        assert!(fs::read(&path).unwrap() == before, "{what}");
        fs::remove_file(&output).unwrap();
    }
    assert_eq!(temp.names(), ["a.nav"]);
}

/// A server that changes a copy of a mesh, with a place of its own for journals.
fn desk(temp: &Temp, mesh: &Path) -> Served {
    Served::start(navmap().env("XDG_STATE_HOME", temp.join("state")).args(["view", "--edit"]).arg(mesh))
}

fn town(temp: &Temp) -> PathBuf {
    let mesh = temp.join("town.nav");
    fs::copy(navmap_testkit::corpus::project().join("corpus/source/town.nav"), &mesh).unwrap();
    mesh
}

fn journal(temp: &Temp) -> PathBuf {
    let mut all = fs::read_dir(temp.join("state/navmap/view")).unwrap().map(|entry| entry.unwrap().path());
    all.find(|path| path.extension().is_some_and(|end| end == "journal")).unwrap()
}

/// Asks for a change of the state that there is.
fn ask(server: &Served, what: &str, mut body: Value) -> (u16, String) {
    body["base"] = about(server)["revision"].clone();
    let (status, _, answer) = server.post(&format!("m/0/{what}"), &body.to_string());
    (status, String::from_utf8(answer).unwrap())
}

fn about(server: &Served) -> Value {
    let (status, _, body) = server.get("m/0/edit");
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
    serde_json::from_slice(&body).unwrap()
}

fn pipe_at(path: &Path) {
    let _ = fs::remove_file(path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_journal_that_is_removed_is_written_anew_with_all_that_was_done() {
    let temp = Temp::new("journal-removed");
    let mesh = town(&temp);
    let server = desk(&temp, &mesh);
    assert_eq!(ask(&server, "run", json!({"script": "nav_delete #1"})).0, 200);
    let path = journal(&temp);
    for remove in
        [&|| fs::remove_file(&path).unwrap(), &|| fs::remove_dir_all(path.parent().unwrap()).unwrap()]
            as [&dyn Fn(); 2]
    {
        remove();
        let (status, said) = ask(&server, "run", json!({"script": "nav_delete #3"}));
        assert!(status == 200 && said.contains("has removed the journal, which was written anew"), "{said}");
        let kept = fs::read_to_string(&path).unwrap();
        assert!(kept.contains("nav_delete #1") && kept.contains("nav_delete #3"), "{kept}");
        assert_eq!(ask(&server, "run", json!({"script": "undo"})).0, 200);
    }
    assert_eq!(ask(&server, "run", json!({"script": "nav_delete #3"})).0, 200);
    drop(server);
    assert_eq!(about(&desk(&temp, &mesh))["offered"]["commands"], 2);
}

#[test]
fn what_lies_in_the_place_of_a_journal_is_not_written_over() {
    let temp = Temp::new("journal-swapped");
    let mesh = town(&temp);
    let before = fs::read(&mesh).unwrap();
    let server = desk(&temp, &mesh);
    let other = temp.file("other", b"nobody's");
    assert_eq!(ask(&server, "run", json!({"script": "nav_delete #1"})).0, 200);
    let path = journal(&temp);
    let swaps: [(&str, &dyn Fn()); 4] = [
        ("a link to the mesh", &|| symlink(&mesh, &path).unwrap()),
        ("the mesh", &|| fs::hard_link(&mesh, &path).unwrap()),
        ("a file", &|| fs::write(&path, b"nobody's").unwrap()),
        ("a pipe", &|| pipe_at(&path)),
    ];
    for (what, swap) in swaps {
        fs::remove_file(&path).unwrap();
        swap();
        let (status, said) = ask(&server, "run", json!({"script": "nav_mark_attribute JUMP #5"}));
        assert!(status == 200 && said.contains("has put something else there"), "{what}: {said}");
        assert!(fs::read(&mesh).unwrap() == before, "{what}");
        assert!(what != "a file" || fs::read(&path).unwrap() == b"nobody's");
        assert_eq!(ask(&server, "run", json!({"script": "undo"})).0, 200);
    }
    // The mesh can be saved all the same.
    let (status, said) = ask(&server, "save", json!({}));
    assert!(status == 200 && said.contains("has put something else there"), "{said}");
    assert!(fs::read(&mesh).unwrap() != before);
    drop(server);
    // Nor is a link followed where a session begins.
    let links: [(&str, &dyn Fn()); 4] = [
        ("soft", &|| symlink(&other, &path).unwrap()),
        ("hard", &|| fs::hard_link(&other, &path).unwrap()),
        ("to nothing", &|| symlink("nothing", &path).unwrap()),
        ("a pipe", &|| pipe_at(&path)),
    ];
    for (what, link) in links {
        fs::remove_file(&path).unwrap();
        link();
        let server = desk(&temp, &mesh);
        let (_, _, said) = server.get("m/0/edit");
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(said.contains("is a link or no file"), "{what}: {said}");
        assert_eq!(fs::read(&other).unwrap(), b"nobody's");
        assert!(!path.with_file_name("nothing").exists());
    }
}

#[test]
fn pipes_in_the_place_of_a_mesh_that_is_changed_are_not_waited_for() {
    let temp = Temp::new("desk-pipes");
    let mesh = town(&temp);
    let server = desk(&temp, &mesh);
    assert_eq!(ask(&server, "run", json!({"script": "nav_delete #1"})).0, 200);
    assert_eq!(ask(&server, "save", json!({})).0, 200);
    assert_eq!(ask(&server, "run", json!({"script": "nav_delete #3"})).0, 200);
    let copy = temp.join("town.nav.bak");
    let saved = fs::read(&mesh).unwrap();
    pipe_at(&mesh);
    let (status, said) = ask(&server, "save", json!({}));
    assert!(status == 412, "{status} {said}");
    let (status, said) = ask(&server, "reload", json!({"take": false}));
    assert!(status == 422 && said.contains("is no file"), "{status} {said}");
    drop(server);
    fs::remove_file(&mesh).unwrap();
    fs::write(&mesh, saved).unwrap();
    pipe_at(&copy);
    let server = desk(&temp, &mesh);
    let offered = about(&server)["offered"].clone();
    assert_eq!((&offered["commands"], &offered["same"]), (&json!(2), &json!(false)), "{offered}");
    assert_eq!(ask(&server, "resume", json!({"take": true})).0, 200);
}
