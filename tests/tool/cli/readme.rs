//! The README shows what a run prints.

use navmap_testkit::corpus::project;
use std::process::Command;

#[test]
fn the_readme_shows_what_the_scan_prints_to_the_byte() {
    let readme = std::fs::read_to_string(project().join("README.md")).unwrap();
    let mut shown = 0;
    for block in readme.split("```console\n$ navmap ").skip(1) {
        let (command, printed) = block.split("```").next().unwrap().split_once('\n').unwrap();
        let mut run = Command::new(env!("CARGO_BIN_EXE_navmap"));
        let done = run.args(command.split(' ')).current_dir(project()).output().unwrap();
        assert_eq!(String::from_utf8(done.stdout).unwrap(), printed, "navmap {command}");
        shown += 1;
    }
    assert_eq!(shown, 1, "commands with their output in the README");
}
