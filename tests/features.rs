//! What a program takes in with the library, feature by feature: the tree that Cargo resolves.

use std::collections::BTreeSet;
use std::process::Command;

/// Names in the tree of a package, without itself.
fn tree(package: &str, more: &[&str]) -> BTreeSet<String> {
    let done = Command::new(env!("CARGO"))
        .args(["tree", "--edges", "normal", "--prefix", "none", "--package", package])
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let lines = String::from_utf8(done.stdout).unwrap();
    let names = lines.lines().filter_map(|line| line.split(' ').next()).filter(|name| *name != package);
    names.map(str::to_owned).collect()
}

/// Those of them that Cargo.toml itself names.
fn direct(features: &[&str]) -> Vec<String> {
    tree("navmap", &[&["--depth", "1"], features].concat()).into_iter().collect()
}

/// What a command line, a scan or a picture needs, and no server.
const HEAVY: [&str; 15] = [
    "bzip2",
    "clap",
    "clap_complete",
    "clap_mangen",
    "csv",
    "indicatif",
    "lzma-rust2",
    "notify",
    "png",
    "rawzip",
    "ruzstd",
    "serde",
    "serde_json",
    "sevenz-rust2",
    "tiny-skia",
];

#[test]
fn a_server_gets_neither_a_command_line_nor_a_progress_bar() {
    let default = tree("navmap", &[]);
    let heavy: Vec<_> = HEAVY.iter().filter(|name| default.contains(**name)).collect();
    assert!(heavy.is_empty(), "on by default: {heavy:?}");
    assert_eq!(direct(&[]), ["arc-swap", "bytemuck", "flate2", "memmap2", "rayon", "self_cell", "zerocopy"]);
}

#[test]
fn a_format_alone_is_a_parser_and_little_else() {
    for format in ["source", "quake", "fox", "aas", "yapb"] {
        let alone = direct(&["--no-default-features", "--features", format]);
        assert_eq!(alone, ["bytemuck", "self_cell", "zerocopy"], "{format}");
    }
    let skyrim = direct(&["--no-default-features", "--features", "skyrim"]);
    assert_eq!(skyrim, ["bytemuck", "flate2", "self_cell", "zerocopy"]);
}

#[test]
fn the_names_that_are_looked_for_are_those_of_the_other_features() {
    let all = tree("navmap", &["--all-features"]);
    let absent: Vec<_> = HEAVY.iter().filter(|name| !all.contains(**name)).collect();
    assert!(absent.is_empty(), "{absent:?} come with nothing: is the list out of date?");
}
