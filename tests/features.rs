//! What a program takes in with the library, feature by feature: the tree that Cargo resolves.

use std::collections::BTreeSet;
use std::process::Command;

/// The packages that a package is built of, each with the depth at which the tree has it.
fn tree(package: &str, features: &[&str]) -> Vec<(usize, String)> {
    let done = Command::new(env!("CARGO"))
        .args(["tree", "--edges", "normal", "--prefix", "depth", "--package", package])
        .args(features)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let lines = String::from_utf8(done.stdout).unwrap();
    let named = |line: &str| {
        let (package, _) = line.split_once(' ')?;
        let name = package.trim_start_matches(|letter: char| letter.is_ascii_digit());
        Some((package.strip_suffix(name)?.parse().ok()?, name.to_owned()))
    };
    lines.lines().map(|line| named(line).unwrap_or_else(|| panic!("{line}"))).collect()
}

/// Crates of others that ours name, in the order of the alphabet.
fn direct(features: &[&str]) -> Vec<String> {
    let (mut above, mut named) = (Vec::new(), BTreeSet::new());
    let ours = |name: &str| name == "navmap" || name.starts_with("navmap-");
    for (depth, name) in tree("navmap", features) {
        above.truncate(depth);
        if !ours(&name) && above.last().is_some_and(|by: &String| ours(by)) {
            named.insert(name.clone());
        }
        above.push(name);
    }
    named.into_iter().collect()
}

/// What a command line, a scan or a picture needs, and no server.
const HEAVY: [&str; 13] = [
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
    "sevenz-rust2",
    "tiny-skia",
];

/// What is always there, and more.
fn with(more: &[&'static str]) -> Vec<&'static str> {
    let always =
        ["arc-swap", "bytemuck", "libc", "memmap2", "rayon", "self_cell", "serde", "serde_json", "zerocopy"];
    let mut names = [&always[..], more].concat();
    names.sort_unstable();
    names
}

#[test]
fn a_server_gets_neither_a_command_line_nor_a_progress_bar() {
    let default = tree("navmap", &[]);
    let heavy: Vec<_> = HEAVY.iter().filter(|name| default.iter().any(|(_, built)| built == *name)).collect();
    assert!(heavy.is_empty(), "on by default: {heavy:?}");
    assert_eq!(direct(&[]), with(&["flate2"]));
}

#[test]
fn a_format_alone_is_a_parser_and_little_else() {
    for format in ["source", "quake", "fox", "aas", "yapb"] {
        let alone = direct(&["--no-default-features", "--features", format]);
        assert_eq!(alone, with(&[]), "{format}");
    }
    let skyrim = direct(&["--no-default-features", "--features", "skyrim"]);
    assert_eq!(skyrim, with(&["flate2"]));
}

#[test]
fn the_names_that_are_looked_for_are_those_of_the_other_features_and_of_the_tool() {
    let mut all = tree("navmap", &["--all-features"]);
    all.extend(tree("navmap-cli", &["--all-features"]));
    let absent: Vec<_> = HEAVY.iter().filter(|name| !all.iter().any(|(_, built)| built == *name)).collect();
    assert!(absent.is_empty(), "{absent:?} come with nothing: is the list out of date?");
}
