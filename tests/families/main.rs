//! What a family costs: its folder, its rows in the table of families, and a feature.

use navmap::{Family, Kind};
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
    copy(&Path::new(ROOT).join("vtab"), &copied.join("vtab"));
    for file in ["Cargo.toml", "Cargo.lock", "README.md"] {
        fs::copy(Path::new(ROOT).join(file), copied.join(file)).unwrap();
    }
    copy(&Path::new(ROOT).join("tests/families/toy"), &copied.join("src/format/toy"));
    edit(&copied.join("src/format/mod.rs"), "\npub mod source;\n", "\npub mod source;\n\npub mod toy;\n");
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
const ABOUT_ONE: [(&str, &str); 36] = [
    ("src/bsp/sight.rs", "Source: what an analysis asks a map"),
    ("src/bsp/site.rs", "Source: what an editor asks a map"),
    ("src/bsp/terrain.rs", "Source: what generation asks a map"),
    ("src/open/editing.rs", "each family with an editor"),
    ("src/open/item.rs", "Skyrim: spaces; Fox and Detour: maps of tiles"),
    ("src/open/order.rs", "Skyrim: load orders"),
    ("src/open/plugins.rs", "Skyrim: load orders"),
    ("src/open/tiles.rs", "Fox and Detour: maps of tiles"),
    ("src/query/of.rs", "Source 2: the player's hull"),
    ("src/query/world.rs", "Skyrim: load orders"),
    ("src/scan/mesh.rs", "Source: the size of the map"),
    ("src/export/navmesh/tiles.rs", "Detour: what it writes"),
    ("src/cli/args/change.rs", "Source: the parts of an analysis"),
    ("src/cli/analyze.rs", "Source: what follows from a mesh"),
    ("src/cli/generate.rs", "Source: meshes made from maps"),
    ("src/cli/mapped.rs", "Source: what an analysis needs of a map"),
    ("src/cli/check.rs", "Detour: maps of tiles"),
    ("src/cli/ask/mesh.rs", "Skyrim: load orders"),
    ("src/cli/args/orders.rs", "Skyrim: load orders"),
    ("src/cli/build.rs", "Every family that a model can become a mesh of"),
    ("src/cli/conflicts.rs", "Skyrim: meshes that several plugins override"),
    ("src/cli/convert.rs", "Quake, Source and YaPB: their versions and forms"),
    ("src/cli/diff/compare.rs", "Source: encounter paths and visible areas"),
    ("src/cli/diff/json.rs", "Source: encounter paths and visible areas"),
    ("src/cli/diff/version.rs", "Source: scripts of differences"),
    ("src/cli/edit/mod.rs", "Source: what can be edited"),
    ("src/cli/findings.rs", "Source: places as commands of the console"),
    ("src/cli/info.rs", "Skyrim: --records"),
    ("src/cli/loadorder.rs", "Skyrim: load orders"),
    ("src/cli/orders.rs", "Skyrim: load orders"),
    ("src/cli/repair.rs", "Skyrim: repairs of load orders"),
    ("src/cli/slim.rs", "Source: what a game does not use"),
    ("src/table/fill/mod.rs", "Every family: what fills its tables, and what its unit is"),
    ("src/table/schema.rs", "Source: tables with short names"),
    ("src/table/sql/functions.rs", "Source: what an area sees"),
    ("src/cli/values.rs", "Quake, Source and YaPB: values of their options"),
];

#[test]
fn nothing_but_its_folder_and_the_table_names_a_family() {
    let mut files = Vec::new();
    sources(&Path::new(ROOT).join("src"), &mut files);
    let families = Family::ALL.iter().map(|family| (family.name(), format!("Family::{family:?}")));
    let kinds = Kind::ALL.iter().flat_map(|kind| {
        [format!("Kind::{kind:?}"), format!("AnyNav::{kind:?}")].map(|word| (kind.family().name(), word))
    });
    let modules = Family::ALL.iter().map(|family| (family.name(), format!("format::{family}")));
    let words: Vec<(&str, String)> = families.chain(kinds).chain(modules).collect();
    for (name, text) in &files {
        // Its folder, and the two files with its tables.
        let folders = ["format", "table/fill", "table/rows"];
        let own = |family: &str| {
            folders.iter().any(|folder| {
                let rest = name.strip_prefix(&format!("src/{folder}/{family}"));
                rest.is_some_and(|rest| {
                    rest.starts_with(['/', '.']) || (*folder != "format" && rest == "2.rs")
                })
            })
        };
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let named = words.iter().find(|(family, word)| !own(family) && code.contains(word));
        match ABOUT_ONE.iter().find(|(known, _)| known == name) {
            Some((_, why)) => assert!(named.is_some(), "{name} ({why}) names no family any more"),
            None => assert_eq!(named, None, "{name}"),
        }
    }
    for (name, _) in ABOUT_ONE {
        assert!(files.iter().any(|(file, _)| file == name), "{name} is gone");
    }
}
