//! `navmap info --tiles`.
#![cfg(feature = "cli")]

use navmap_testkit::corpus::bundled;
use std::process::Command;

fn tiles(path: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    let done = command.args(["info", "--tiles"]).arg(bundled().join(path)).output().unwrap();
    (done.status.code(), String::from_utf8(done.stdout).unwrap() + &String::from_utf8_lossy(&done.stderr))
}

#[test]
fn a_sound_set_is_drawn_and_exits_clean() {
    let (code, text) = tiles("fox/set");
    assert!(text.contains("plain_nav: 9 tiles, map of 4 columns"), "{text}");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn broken_files_are_named_and_exit_with_findings() {
    let (code, text) = tiles("hostile/fox");
    assert!(text.contains("not read:") && text.contains("next entry: 0 bytes on"), "{text}");
    assert_eq!(code, Some(1), "{text}");
}

#[test]
fn a_folder_without_tiles_is_a_failed_run() {
    let (code, text) = tiles("quake");
    assert_eq!(code, Some(2), "{text}");
}
