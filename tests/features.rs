//! What a program takes in with the library, feature by feature: the tree that Cargo resolves.

use std::collections::BTreeSet;
use std::process::Command;

/// What `cargo tree` says.
fn told(args: &[&str]) -> Vec<String> {
    let done = Command::new(env!("CARGO"))
        .arg("tree")
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The tree of a package, a line a crate.
fn lines(package: &str, prefix: &str, more: &[&str]) -> Vec<String> {
    told(&[&["--edges", "normal", "--prefix", prefix, "--package", package][..], more].concat())
}

/// The crates of a tree, each with its version and the features that are asked of it.
fn asked(args: &[&str]) -> BTreeSet<String> {
    let lines = told(&[&["--prefix", "none", "--format", "{p} {f}"][..], args].concat());
    lines.into_iter().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect()
}

/// The crate of a line.
fn name(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

/// Names in the tree of a package, without ours.
fn tree(package: &str, more: &[&str]) -> BTreeSet<String> {
    let lines = lines(package, "none", more);
    lines
        .iter()
        .map(|line| name(line))
        .filter(|name| !name.starts_with("navmap"))
        .map(str::to_owned)
        .collect()
}

/// Those of them that our own crates name.
fn direct(features: &[&str]) -> Vec<String> {
    let mut named = BTreeSet::new();
    let mut above: Vec<String> = Vec::new();
    for line in lines("navmap", "depth", features) {
        let split = line.find(|c: char| !c.is_ascii_digit()).unwrap();
        let (depth, rest) = line.split_at(split);
        let name = name(rest).to_owned();
        above.truncate(depth.parse().unwrap());
        let ours = |name: &String| name.starts_with("navmap");
        if !ours(&name) && above.last().is_some_and(ours) {
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

#[test]
fn a_server_gets_neither_a_command_line_nor_a_progress_bar() {
    let default = tree("navmap", &[]);
    let heavy: Vec<_> = HEAVY.iter().filter(|name| default.contains(**name)).collect();
    assert!(heavy.is_empty(), "on by default: {heavy:?}");
    let named = [
        "arc-swap",
        "bytemuck",
        "erased-serde",
        "flate2",
        "itoa",
        "libc",
        "memmap2",
        "rayon",
        "self_cell",
        "serde",
        "serde_json",
        "zerocopy",
        "zmij",
    ];
    assert_eq!(direct(&[]), named);
}

#[test]
fn a_family_alone_needs_no_more_than_all_of_them() {
    for family in ["source", "quake", "fox", "skyrim", "detour", "aas", "yapb", "nodegraph", "rcbot", "xray"]
    {
        let alone = direct(&["--no-default-features", "--features", family]);
        let inflater = alone.iter().any(|name| name == "flate2");
        assert_eq!(inflater, family == "skyrim", "{family}: {alone:?}");
        let all = direct(&[]);
        assert!(alone.iter().all(|name| all.contains(name)), "{family}: {alone:?}");
    }
}

#[test]
fn no_feature_asks_more_of_the_crates_that_all_of_ours_stand_on() {
    let below = direct(&["--no-default-features"]);
    let of_those = |feature: &str| -> BTreeSet<String> {
        let all =
            asked(&["--edges", "normal", "-p", "navmap", "--no-default-features", "--features", feature]);
        all.into_iter().filter(|line| below.iter().any(|below| name(line) == below)).collect()
    };
    let plain = of_those("");
    assert!(plain.len() >= below.len(), "{plain:?}");
    // Those that bring the others.
    for feature in ["build", "crowd", "draw", "parquet", "sql", "watch", "zlib-exact"] {
        assert_eq!(of_those(feature), plain, "with {feature} all our crates are built once more");
    }
}

/// The crates that the tests of .ci/run have built, and that this builds once more, since it asks other features of them.
fn built_again(args: &[&str], edges: &str) -> BTreeSet<String> {
    let mut again = BTreeSet::new();
    // With what scripts build with, a name may stand for two crates: cargo asks less of those.
    for build in ["", ",build"] {
        let dev = format!("normal,dev{build}");
        let tests = asked(&["--workspace", "--edges", &dev]);
        let built: BTreeSet<&str> = tests.iter().map(|line| name(line)).collect();
        let these = asked(&[args, &["--edges", &format!("{edges}{build}")]].concat()).into_iter();
        again.extend(these.filter(|line| built.contains(name(line)) && !tests.contains(line)));
    }
    again
}

#[test]
fn what_is_tested_of_sql_and_parquet_builds_little_again() {
    let features = "navmap/sql,navmap/parquet,navmap-cli/full";
    let again = built_again(&["--workspace", "--features", features], "normal,dev");
    let names: Vec<&str> = again.iter().map(|line| name(line)).collect();
    assert_eq!(names, ["navmap", "navmap-cli", "navmap-table"], "{again:#?}");
}

#[test]
fn a_wheel_for_tests_builds_little_again() {
    let again = built_again(&["--package", "navmap-python", "--features", "workspace"], "normal");
    let names: Vec<&str> = again.iter().map(|line| name(line)).collect();
    assert_eq!(names, ["navmap", "navmap-python"], "{again:#?}");
}

#[test]
fn the_names_that_are_looked_for_are_those_of_the_other_features_and_of_the_tool() {
    let mut all = tree("navmap", &["--all-features"]);
    all.extend(tree("navmap-cli", &["--all-features"]));
    let absent: Vec<_> = HEAVY.iter().filter(|name| !all.contains(**name)).collect();
    assert!(absent.is_empty(), "{absent:?} come with nothing: is the list out of date?");
}

#[test]
fn the_extension_of_duckdb_builds_what_it_asks_and_no_more() {
    let built = lines("navmap-duckdb", "none", &[]);
    let has = |other: &str| built.iter().any(|line| name(line) == other);
    assert!(has("navmap-table") && has("navmap-open"));
    for other in ["navmap", "navmap-bsp", "navmap-draw", "navmap-export", "navmap-import", "navmap-crowd"] {
        assert!(!has(other), "{other}");
    }
    for library in ["arrow-array", "parquet", "rusqlite", "tiny-skia", "png"] {
        assert!(!has(library), "{library}");
    }
    // Editors, repairs and generation are half of the large families, and nothing of tables calls them.
    let editors = |package: &[&str]| -> Vec<String> {
        let lines = asked(&[&["--edges", "normal", "--package"], package].concat());
        let edits = lines.iter().filter(|line| line.split([' ', ',']).any(|feature| feature == "edit"));
        edits.map(|line| name(line).to_owned()).collect()
    };
    assert!(editors(&["navmap-duckdb"]).is_empty());
    let server = ["navmap", "--no-default-features", "--features", "source,skyrim,crowd,watch"];
    assert!(editors(&server).is_empty());
    let families = [
        "aas",
        "detour",
        "formats",
        "fox",
        "nodegraph",
        "open",
        "quake",
        "rcbot",
        "skyrim",
        "source",
        "yapb",
    ];
    let mut all = vec!["navmap".to_owned()];
    all.extend(families.map(|family| format!("navmap-{family}")));
    assert_eq!(editors(&["navmap"]), all);
}
