//! The walls of the house: which file names which, which crate stands on which, and where memory is handled by hand.

mod imports;

use imports::Crate;
use navmap_testkit::corpus::project;
use navmap_testkit::sources::{self, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Files that import each other on purpose: the first two of each circle, and why.
const CIRCLES: [(&str, [&str; 2], &str); 9] = [
    ("crates/archive", ["member.rs", "unpack.rs"], "a member unpacks itself, and how depends on its entry"),
    ("crates/core", ["bytes/backing.rs", "bytes/map.rs"], "all that is unsafe stays in one file"),
    ("crates/draw", ["links.rs", "options.rs"], "a plan is a view of what the options choose"),
    ("crates/fox", ["edit/change.rs", "edit/editor.rs"], "an editor and its commands"),
    ("crates/quake", ["edit/commands.rs", "edit/editor.rs"], "an editor and its commands"),
    ("crates/skyrim", ["edit/between.rs", "edit/compare.rs"], "one comparison in two files"),
    ("crates/skyrim", ["edit/commands.rs", "edit/editor.rs"], "an editor and its commands"),
    ("crates/source", ["edit/bulk.rs", "edit/change.rs"], "an editor and its commands"),
    ("crates/table", ["batch.rs", "rows/mod.rs"], "rows are declared together with their tables and columns"),
];

/// Where `unsafe_code` is allowed: the file that declares the one file that has it.
const UNSAFE: [&str; 6] = [
    "bindings/c/src/door.rs",
    "bindings/c/src/lib.rs",
    "bindings/duckdb/src/lib.rs",
    "bindings/python/src/lib.rs",
    "crates/core/src/bytes/mod.rs",
    "crates/vtab/src/lib.rs",
];

/// The floors of ARCHITECTURE.md from the ground up.
const FLOORS: [&[&str]; 8] = [
    &["core", "vtab"],
    &[
        "aas",
        "detour",
        "fox",
        "nodegraph",
        "quake",
        "rcbot",
        "skyrim",
        "source",
        "xray",
        "yapb",
        "query",
        "draw",
        "diff",
        "import",
    ],
    &["formats", "export", "crowd", "build"],
    &["archive"],
    &["open", "bsp"],
    &["table", "view"],
    &["navmap"],
    &["cli"],
];

/// The files of each crate, by its folder.
fn crates() -> BTreeMap<String, Crate> {
    let mut found = BTreeMap::<String, Crate>::new();
    for Source { path, text } in sources::library() {
        if let Some((folder, file)) = path.split_once("/src/") {
            found.entry(folder.to_owned()).or_default().add(file, &text);
        }
    }
    found
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut found = BTreeSet::new();
    let crates = crates();
    for (folder, files) in &crates {
        for (circle, arrows) in files.circles() {
            let known = CIRCLES.iter().find(|(at, first, _)| at == folder && circle.starts_with(first));
            let Some((at, first, _)) = known else {
                panic!("{folder}: a name moves, or CIRCLES says why not: {arrows:#?}");
            };
            found.insert((*at, *first));
        }
    }
    for (folder, files, why) in CIRCLES {
        assert!(found.contains(&(folder, files)), "{folder}: {files:?} ({why}) are no circle any more");
    }
    let arrows: usize = crates.values().map(|files| files.arrows().len()).sum();
    assert!(arrows > 2000, "{arrows}: imports are not read");
}

#[test]
fn the_reader_of_imports_follows_names_to_the_files_that_define_them() {
    let mut files = Crate::default();
    files.add("lib.rs", "mod a; mod b; mod c; pub use b::Thing; // use c::nothing;");
    files.add(
        "a.rs",
        "use crate::{Thing, c::{self, Deep as Other}}; fn f() -> Other { c::deep(\"b::never()\") }",
    );
    files.add("b.rs", "pub struct Thing; #[cfg(test)] mod tests { use crate::a::f; }");
    files.add("c.rs", "pub struct Deep; pub fn deep() { super::a::f() }");
    let arrows: Vec<_> = files.arrows().into_keys().collect();
    assert_eq!(arrows, [("a.rs", "b.rs"), ("a.rs", "c.rs"), ("c.rs", "a.rs"), ("lib.rs", "b.rs")]);
    let circles: Vec<_> = files.circles().into_iter().map(|(circle, _)| circle).collect();
    assert_eq!(circles, [["a.rs", "c.rs"]]);
}

/// The crates of ours under `[dependencies]` of a manifest.
fn below(manifest: &str) -> impl Iterator<Item = &str> {
    let part = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let part = part.split("\n[").next().unwrap_or_default();
    let names = part.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter_map(|name| name.strip_prefix("navmap-").or((name == "navmap").then_some(name)))
}

#[test]
fn no_crate_stands_on_one_of_its_own_floor_or_above() {
    let floor = |name: &str| FLOORS.iter().position(|floor| floor.contains(&name));
    let mut stood = 0;
    for name in FLOORS.into_iter().flatten() {
        let folder = match *name {
            "navmap" => String::new(),
            "cli" => "tool/".to_owned(),
            name => format!("crates/{name}/"),
        };
        let manifest = fs::read_to_string(project().join(format!("{folder}Cargo.toml"))).unwrap();
        for other in below(&manifest) {
            assert!(floor(other).is_some(), "{other} has no floor");
            assert!(floor(other) < floor(name), "{name} stands on {other}");
            stood += 1;
        }
    }
    for entry in fs::read_dir(project().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(floor(&name).is_some(), "{name} has no floor");
    }
    assert!(stood > 50, "{stood}: manifests are not read");
}

#[test]
fn unsafe_code_is_allowed_where_it_is_listed_and_nowhere_else() {
    let mut files = sources::library();
    for folder in ["bindings/c/src", "bindings/duckdb/src", "bindings/python/src"] {
        files.extend(sources::below(folder));
    }
    let allows = |source: &&Source| {
        let lines = source.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.into_iter().any(|line| line.contains("allow(unsafe_code"))
    };
    let mut found: Vec<&str> = files.iter().filter(allows).map(|source| source.path.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, UNSAFE);
}

/// A library without unit tests is not built a second time for them, and one that has any is.
#[test]
fn a_library_whose_tests_are_not_run_is_one_without_tests() {
    let mut silent = 0;
    let mut folders = vec!["src".to_owned()];
    for room in ["benches", "bindings", "crates"] {
        let entries = fs::read_dir(project().join(room)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        folders.extend(names.map(|name| format!("{room}/{name}/src")));
    }
    // A file, or a folder that is no package, has no sources.
    for folder in folders.into_iter().filter(|folder| project().join(folder).is_dir()) {
        let Ok(manifest) = fs::read_to_string(project().join(&folder).with_file_name("Cargo.toml")) else {
            continue;
        };
        let lib = manifest.split("\n[lib]\n").nth(1).and_then(|rest| rest.split("\n[").next());
        let is_silent = lib.is_some_and(|lib| lib.lines().any(|line| line == "test = false"));
        let tests = sources::below(&folder).into_iter().find(|source| source.text.contains("#[test]"));
        assert_eq!(is_silent, tests.is_none(), "{folder}: {tests:?}");
        silent += u32::from(is_silent);
    }
    assert!(silent > 8, "{silent}: manifests are not read");
}

#[test]
fn every_view_is_serialised_by_code_of_its_own_crate() {
    let mut views = 0;
    for source in sources::library() {
        let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
        // Inlined into another crate, it would be compiled there too. `AnyNav` names no family's own code.
        for pair in lines.windows(2).filter(|pair| pair[1] == "fn stream(&self) -> &dyn Stream {") {
            let is_any = source.path == "crates/formats/src/any.rs";
            assert!(is_any || pair[0] == "#[inline(never)]", "{}", source.path);
            views += 1;
        }
    }
    assert!(views > 17, "{views}");
}

/// What a command is there for is tested by name, not only by scripts that end.
#[test]
fn every_command_of_an_editor_is_named_by_a_test() {
    let tests = sources::below("tests");
    let mut words = BTreeSet::new();
    for test in tests
        .iter()
        .filter(|test| !["tests/fuzz/", "tests/house/"].iter().any(|not| test.path.starts_with(not)))
    {
        words.extend(test.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    }
    let (mut commands, mut unnamed) = (0, Vec::new());
    for source in sources::library().iter().filter(|source| source.path.contains("/edit/")) {
        let rows = source.text.split("verb(").skip(1);
        let named = rows.filter_map(|row| row.trim_start().strip_prefix('"')?.split('"').next());
        for name in named {
            commands += 1;
            unnamed.extend((!words.contains(name)).then(|| format!("{}: {name}", source.path)));
        }
    }
    assert!(commands > 200, "{commands}");
    assert_eq!(unnamed, Vec::<String>::new());
}

/// An example has the features of its own crate alone: behind one that this has not, it is never compiled.
#[test]
fn no_example_hides_behind_a_feature() {
    for source in sources::library() {
        let mut hidden = source.text.lines().map(|line| line.trim_start_matches(['/', '!', ' ']));
        assert!(!hidden.any(|line| line.starts_with("# #[cfg(feature")), "{}", source.path);
    }
}

#[test]
fn the_length_of_a_unit_is_written_in_one_place() {
    let lengths = ["0.0254", "0.01905", "0.9144", "0.0142875"];
    let writes = |source: &&Source| {
        let mut code = source.text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.any(|line| lengths.iter().any(|length| line.replace('_', "").contains(length)))
    };
    let files = sources::library();
    let found: Vec<&str> = files.iter().filter(writes).map(|source| source.path.as_str()).collect();
    assert_eq!(found, ["crates/core/src/graph/geom.rs"]);
}

#[test]
fn no_row_of_a_profile_loses_the_stripping_of_the_program() {
    let manifest = fs::read_to_string(project().join("Cargo.toml")).unwrap();
    let sections: BTreeMap<&str, &str> = manifest
        .split("\n[")
        .filter_map(|section| section.split_once("]\n"))
        .filter(|(name, _)| name.starts_with("profile."))
        .collect();
    let strips = |lines: &str| lines.contains("strip = \"symbols\"");
    assert!(strips(sections["profile.release"]));
    // Cargo takes a row of a package in place of what its profile says of `strip`, not beside it.
    for profile in ["release", "dist"] {
        let rows = sections[format!("profile.{profile}.package").as_str()];
        let program =
            rows.lines().find(|row| row.starts_with("navmap-cli ")).unwrap_or("strip = \"symbols\"");
        assert!(strips(program), "the profile {profile} no longer strips the program: {program}");
        assert!(
            !rows.lines().any(|row| row.starts_with("\"*\"")),
            "a row for all packages is one for the program"
        );
    }
}
