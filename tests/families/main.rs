//! What a family costs: its crate, its rows in the table of families, and a feature.

use navmap::{Family, Kind};
use navmap_testkit::corpus::project;
use navmap_testkit::sources::{self, Source};
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::Path;
use std::process::Command;

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

/// The parts of a manifest whose headings are wanted.
fn parts(manifest: &str, wanted: impl Fn(&str) -> bool) -> String {
    let manifest = "\n".to_owned() + manifest;
    let parts: Vec<_> = manifest.split("\n[").filter(|part| part.is_empty() || wanted(part)).collect();
    parts.join("\n[")
}

#[test]
fn another_family_is_a_crate_its_rows_of_the_table_and_its_lines_of_two_manifests() {
    let temp = Temp::new("toy");
    let copied = temp.path();
    copy(&project().join("crates"), &copied.join("crates"));
    copy(&project().join("tests/families/toy"), &copied.join("crates/toy"));
    fs::copy(project().join("Cargo.lock"), copied.join("Cargo.lock")).unwrap();
    // The crates alone: what the program, bindings and tests need is not here.
    let manifest = fs::read_to_string(project().join("Cargo.toml")).unwrap();
    let workspace = parts(&manifest, |part| part.starts_with("workspace"));
    fs::write(copied.join("Cargo.toml"), workspace).unwrap();
    let members = manifest.lines().find(|line| line.starts_with("members = ")).unwrap();
    edit(&copied.join("Cargo.toml"), members, "members = [\"crates/*\"]");
    edit(&copied.join("Cargo.toml"), "default-members = [\".\", \"tool\"]\n", "");
    for entry in fs::read_dir(copied.join("crates")).unwrap() {
        let path = entry.unwrap().path().join("Cargo.toml");
        let manifest = fs::read_to_string(&path).unwrap();
        fs::write(&path, parts(&manifest, |part| !part.starts_with("dev-dependencies]"))).unwrap();
    }

    // What the family costs.
    let formats = copied.join("crates/formats");
    edit(
        &copied.join("Cargo.toml"),
        "\nnavmap-vtab = ",
        "\nnavmap-toy = { version = \"0.1.0\", path = \"crates/toy\" }\nnavmap-vtab = ",
    );
    edit(&formats.join("Cargo.toml"), "\nsource = ", "\ntoy = [\"dep:navmap-toy\"]\nsource = ");
    edit(
        &formats.join("Cargo.toml"),
        "\nnavmap-source = ",
        "\nnavmap-toy = { workspace = true, optional = true }\nnavmap-source = ",
    );
    edit(
        &formats.join("src/lib.rs"),
        "table::families! {\n",
        "table::families! {\n    Toy \"toy\" \"Toys\" {\n        Toy \"toy\" \"nav\" navmap_toy::ToyNav \"toy\" [\"toy\"] \"A toy\" [edit]\n            maps navmap_toy::ToySet<ToyMap> [\"string\"] [\"box\"];\n    }\n",
    );

    fs::create_dir_all(formats.join("tests")).unwrap();
    fs::rename(copied.join("crates/toy/family.rs"), formats.join("tests/family.rs")).unwrap();
    let done = Command::new(env!("CARGO"))
        .args(["test", "--offline", "-p", "navmap-formats", "--test", "family", "--features", "toy,edit"])
        .env("CARGO_TARGET_DIR", project().join("target/toy"))
        .current_dir(copied)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(said.contains("2 passed"), "{said}");
}

/// Files outside the families' folders that are about one family on purpose: what a person asks of it alone.
const ABOUT_ONE: &[(&str, &str)] = &[
    ("crates/bsp/src/games.rs", "Source: the game of a map, and meshes of its engine"),
    ("crates/build/src/bill.rs", "Detour: tiles that are built"),
    ("crates/build/src/lib.rs", "Detour: a set of tiles that are built"),
    ("crates/build/src/mesh.rs", "Detour: polygons of a tile that is built"),
    ("crates/bsp/src/sight.rs", "Source: what an analysis asks a map"),
    ("crates/bsp/src/site.rs", "Source: what an editor asks a map"),
    ("crates/bsp/src/terrain.rs", "Source: what generation asks a map"),
    ("crates/open/src/open/many/atlas.rs", "Skyrim: load orders"),
    ("crates/open/src/open/item.rs", "Skyrim: spaces"),
    ("crates/open/src/open/order.rs", "Skyrim: load orders"),
    ("crates/open/src/open/order/turns.rs", "Skyrim: which plugins load first"),
    ("crates/open/src/diff/forms.rs", "Skyrim: FormIDs of an update"),
    (
        "crates/open/src/diff/version.rs",
        "Source, Quake, YaPB and RCBot2: nodes that are moved stay what they are",
    ),
    ("crates/open/src/show/read.rs", "AAS and RCBot2: ids are positions in the file"),
    ("crates/open/src/open/many/plugins.rs", "Skyrim: load orders"),
    ("crates/formats/src/any.rs", "Source 2: the player's hull"),
    ("crates/open/src/world/many.rs", "Skyrim: load orders"),
    ("crates/export/src/navmesh/tiles.rs", "Detour: what it writes"),
    ("tool/src/args/change.rs", "Source: the parts of an analysis"),
    ("tool/src/analyze.rs", "Source: what follows from a mesh"),
    ("tool/src/generate.rs", "Source: meshes made from maps"),
    ("tool/src/mapped.rs", "Source: what an analysis needs of a map"),
    ("tool/src/args/orders.rs", "Skyrim: load orders"),
    ("tool/src/ask/game.rs", "Node graphs: the ways that the game takes"),
    ("tool/src/nodes.rs", "Node graphs: other hulls, and graphs of meshes"),
    ("tool/src/build.rs", "Every family that a model can become a mesh of"),
    ("tool/src/conflicts.rs", "Skyrim: meshes that several plugins override"),
    ("tool/src/convert.rs", "Quake, Source and YaPB: their versions and forms"),
    ("tool/src/edit/ground.rs", "Source: the map of a mesh that is edited"),
    ("tool/src/export.rs", "Detour: what keeps its own areas and flags"),
    ("tool/src/merge.rs", "Skyrim: what brings plugins together"),
    ("tool/src/fix/script.rs", "Skyrim: what repairs of plugins mend"),
    ("tool/src/heeded.rs", "Node graphs: what becomes of them"),
    ("tool/src/losses.rs", "Fox and Skyrim: what they leave out of a model"),
    ("tool/src/findings.rs", "Source: places as commands of the console"),
    ("tool/src/info.rs", "Skyrim: --records"),
    ("tool/src/inputs.rs", "Skyrim: plugins of a folder of a load order"),
    ("tool/src/loadorder.rs", "Skyrim: load orders"),
    ("tool/src/orders.rs", "Skyrim: load orders"),
    ("tool/src/repair.rs", "Skyrim: repairs of load orders"),
    ("tool/src/report.rs", "Skyrim: reports of repairs"),
    ("tool/src/slim.rs", "Source: what a game does not use"),
    ("crates/table/src/fill/flags.rs", "Every family: names of its flags"),
    ("crates/table/src/fill/mod.rs", "Every family: what fills its tables, and what its unit is"),
    ("crates/table/src/fill/pathgrid.rs", "Skyrim: path grids of older games"),
    ("crates/table/src/rows/pathgrid.rs", "Skyrim: path grids of older games"),
    ("crates/table/src/schema.rs", "Source: tables with short names"),
    ("crates/table/src/sql/functions.rs", "Source: what an area sees"),
    ("crates/table/src/sql/sight.rs", "Source: what an area sees"),
    ("tool/src/view/orders.rs", "Skyrim: load orders"),
    ("tool/src/values.rs", "Quake, Source and YaPB: values of their options"),
];

#[test]
fn nothing_but_its_folder_and_the_table_names_a_family() {
    let families = Family::ALL.iter().map(|family| (family.name(), format!("Family::{family:?}")));
    let kinds = Kind::ALL.iter().flat_map(|kind| {
        [format!("Kind::{kind:?}"), format!("AnyNav::{kind:?}")].map(|word| (kind.family().name(), word))
    });
    let modules = Family::ALL.iter().flat_map(|family| {
        [format!("format::{family}"), format!("navmap_{family}")].map(|word| (family.name(), word))
    });
    let words: Vec<(&str, String)> = families.chain(kinds).chain(modules).collect();
    let files = sources::library();
    for Source { path, text } in &files {
        // The front door, and the table itself.
        if path == "src/lib.rs" || path == "crates/formats/src/lib.rs" {
            continue;
        }
        // Its crate, and the two files with its tables.
        let own = |family: &str| {
            path.starts_with(&format!("crates/{family}/"))
                || ["fill", "rows"].iter().any(|folder| {
                    let rest = path.strip_prefix(&format!("crates/table/src/{folder}/{family}"));
                    rest.is_some_and(|rest| rest.starts_with(['/', '.']) || rest == "2.rs")
                })
        };
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let named = words.iter().find(|(family, word)| !own(family) && code.contains(word));
        match ABOUT_ONE.iter().find(|(known, _)| known == path) {
            Some((_, why)) => assert!(named.is_some(), "{path} ({why}) names no family any more"),
            None => assert_eq!(named, None, "{path}"),
        }
    }
    for (name, _) in ABOUT_ONE {
        assert!(files.iter().any(|file| file.path == *name), "{name} is gone");
    }
}

#[test]
fn nobody_outside_the_table_matches_the_variants_of_any_nav() {
    let mut files = sources::library();
    for folder in ["bindings/c/src", "bindings/duckdb/src", "bindings/python/src"] {
        files.extend(sources::below(folder));
    }
    let enums = ["AnyNav::", "AnySet::", "AnyMap::"];
    let named = |line: &str| {
        enums
            .iter()
            .flat_map(|name| line.split(name).skip(1))
            .any(|after| after.starts_with(char::is_uppercase))
    };
    for Source { path, text } in files.iter().filter(|file| !file.path.starts_with("crates/formats/")) {
        let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let line = lines.find(|line| named(line)).map(str::trim);
        assert_eq!(line, None, "{path}: ask the contract, or AnyNav::as_view");
    }
}
