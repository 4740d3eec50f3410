//! What a family costs: its folder, its rows in the table of families, and a feature.

use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Rust files below a folder, and what they hold.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path.strip_prefix(ROOT).unwrap().to_string_lossy().replace('\\', "/");
            found.push((name, fs::read_to_string(path).unwrap()));
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// Replaces the first of `from`, which must be there.
fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from:?} is not in {}", path.display());
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_fifth_family_is_a_folder_two_lines_of_the_table_and_a_feature() {
    let temp = Temp::new("toy");
    let copied = temp.path().join("navmap");
    fs::create_dir_all(&copied).unwrap();
    copy(&Path::new(ROOT).join("src"), &copied.join("src"));
    for file in ["Cargo.toml", "Cargo.lock", "README.md"] {
        fs::copy(Path::new(ROOT).join(file), copied.join(file)).unwrap();
    }
    copy(&Path::new(ROOT).join("tests/families/toy"), &copied.join("src/format/toy"));
    edit(
        &copied.join("src/format/mod.rs"),
        "#[cfg(feature = \"source\")]\npub mod source;\n",
        "#[cfg(feature = \"source\")]\npub mod source;\n#[cfg(feature = \"toy\")]\npub mod toy;\n",
    );
    edit(
        &copied.join("src/format/mod.rs"),
        "table::families! {\n",
        "table::families! {\n    Toy \"toy\" \"Toys\" {\n        Toy \"toy\" \"nav\" toy::ToyNav \"toy\" [\"toy\"] \"A toy\";\n    }\n",
    );
    edit(&copied.join("Cargo.toml"), "\nsource = []", "\ntoy = []\nsource = []");
    // What tests and benches need is not here.
    let manifest = "\n".to_owned() + &fs::read_to_string(copied.join("Cargo.toml")).unwrap();
    let library: Vec<_> = manifest
        .split("\n[")
        .filter(|part| {
            !["workspace]", "dev-dependencies]", "[bench]", "[example]"]
                .iter()
                .any(|name| part.starts_with(name))
        })
        .collect();
    fs::write(copied.join("Cargo.toml"), library.join("\n[") + "\n[workspace]\n").unwrap();
    let done = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--lib", "--no-default-features", "--features", "toy,serde", "toy"])
        .env("CARGO_TARGET_DIR", Path::new(ROOT).join("target/toy"))
        .current_dir(&copied)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}

/// Files outside the families' folders that are about one family on purpose: what a person asks of it alone.
const ABOUT_ONE: [&str; 11] = [
    "src/format/mod.rs",    // the table
    "src/lib.rs",           // the example of the crate
    "src/cli/convert.rs",   // Quake: versions and navjson
    "src/cli/info.rs",      // Skyrim: --records
    "src/cli/edit/",        // Source: what can be edited
    "src/cli/ask/mesh.rs",  // Skyrim: load orders
    "src/cli/slim.rs",      // Source: what a game does not use
    "src/cli/values.rs",    // Quake and Source: values of their options
    "src/scan/mesh.rs",     // Source: the size of the map
    "src/graph/surface.rs", // Source: the ground between corners
    "src/bytes/",           // Source: prefetching
];

#[test]
fn nothing_but_its_folder_and_the_table_names_a_family() {
    let mut files = Vec::new();
    sources(&Path::new(ROOT).join("src"), &mut files);
    let modules = ["source", "quake", "fox", "skyrim"];
    for (name, text) in &files {
        let own = |module: &str| name.starts_with(&format!("src/format/{module}/"));
        // Rooms that know spaces, tile sets and edits of one family as such; `src/open` is to lose its part.
        let rooms = ["src/open/", "src/edit/", "src/query/"];
        if ABOUT_ONE.iter().chain(&rooms).any(|known| name.starts_with(known)) {
            continue;
        }
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for module in modules.into_iter().filter(|module| !own(module)) {
            assert!(!code.contains(&format!("format::{module}")), "{name} names {module}");
        }
    }
}
