//! What a run writes to files, though nobody reads what it prints.

use crate::text;
use navmap_testkit::corpus::project;
use navmap_testkit::temp::Temp;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Standard output whose reader has gone.
pub(crate) fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// The files below a folder, with what is in them.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// A folder with something for every verb, the files in it after a run, and what the run said and ended with.
fn after(args: &[&str], stdout: Stdio) -> (BTreeMap<String, Vec<u8>>, Option<i32>, String) {
    let temp = Temp::new("unread");
    let corpus = |name: &str| fs::read(project().join("corpus").join(name)).unwrap();
    temp.file("a.nav", &corpus("source/v16.nav"));
    temp.file("town.nav", &corpus("source/town.nav"));
    temp.file("broken.nav", &crate::mending::mesh(&[2, 1, 77]));
    temp.file("script.txt", b"nav_delete #1\nshow all\n");
    temp.file("yard.bsp", &corpus("bsp/yard-source.bsp"));
    for plugin in ["Base.esm", "Patch.esp", "Rival.esp"] {
        temp.file(format!("order/{plugin}"), &corpus(&format!("skyrim/order/{plugin}")));
    }
    for plugin in navmap_testkit::skyrim::damage::order() {
        temp.file(format!("damaged/{}", plugin.name), &plugin.bytes);
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    command.args(args).current_dir(temp.path()).stdin(Stdio::null()).stdout(stdout);
    let done = command.stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
    (files(temp.path()), done.status.code(), text(&done.stderr))
}

#[test]
fn what_was_asked_for_is_written_though_standard_output_is_closed() {
    let verbs: [&[&str]; 19] = [
        &["edit", "a.nav", "-c", "nav_delete #1", "-o", "out.nav"],
        &["edit", "a.nav", "-c", "nav_delete #1; show all", "--in-place", "--force"],
        &["edit", "a.nav", "-c", "nav_delete #1; nav_save out.nav"],
        &["edit", "a.nav", "-c", "nav_delete #1", "--journal", "out.journal"],
        &["patch", "a.nav", "script.txt", "-o", "out.nav"],
        &["slim", "a.nav", "-o", "out.nav"],
        &["analyze", "a.nav", "-o", "out.nav"],
        &["generate", "yard.bsp", "--game", "css", "--quick", "-o", "out.nav"],
        &["build", "yard.bsp", "-o", "out.navmesh"],
        &["check", "broken.nav", "--fix", "-o", "out.nav"],
        &["check", "broken.nav", "--fix", "--in-place"],
        &["fix", "damaged", "-o", "out.esp"],
        &["fix", "damaged", "--report", "out.md"],
        &["conflicts", "order", "-o", "out.esp"],
        &["conflicts", "order", "--draw", "out"],
        &["reach", "town.nav", "--draw", "out.svg"],
        &["path", "town.nav", "BombsiteB", "TSpawn", "--draw", "out.svg"],
        &["diff", "a.nav", "broken.nav", "--draw", "out.svg"],
        &["locate", "a.nav", "0", "0", "0"],
    ];
    let before = after(&["--version"], Stdio::null()).0;
    for verb in verbs {
        let (written, status, said) = after(verb, Stdio::null());
        let unread = after(verb, closed());
        if verb[0] == "locate" {
            assert_eq!((unread.1, unread.0), (Some(0), written), "with nothing to write it just ends");
            continue;
        }
        assert!(written != before && status < Some(2), "{verb:?}: {status:?} {said}");
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!((unread.1, names(&unread.0)), (status, names(&written)), "{verb:?}: {}", unread.2);
        assert!(unread.0 == written, "{verb:?}: other bytes");
    }
}
