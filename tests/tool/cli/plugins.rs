//! What the command line adds for plugins.

use navmap_testkit::corpus;
use navmap_testkit::skyrim::plugin::{Plugin, field, record};
use navmap_testkit::temp::Temp;
use std::process::Command;

fn navmap(args: &[&str]) -> (Option<i32>, String) {
    let folder = corpus::bundled().join("skyrim");
    let done = Command::new(env!("CARGO_BIN_EXE_navmap")).args(args).current_dir(folder).output().unwrap();
    (done.status.code(), String::from_utf8(done.stdout).unwrap())
}

#[test]
fn a_load_order_is_checked_across_its_plugins() {
    let (status, text) = navmap(&["check", "--load-order", "order/Base.esm", "order/Patch.esp"]);
    assert_eq!((status, text.as_str()), (Some(0), ""));
    let (status, text) = navmap(&[
        "check",
        "--load-order",
        "--format",
        "jsonl",
        "order/Base.esm",
        "order/Patch.esp",
        "order/Rival.esp",
    ]);
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let codes: Vec<_> =
        rows.iter().map(|row| (row["path"].as_str().unwrap(), row["code"].as_str().unwrap())).collect();
    assert_eq!(
        codes,
        [
            ("order/Rival.esp", "navmesh-conflict"),
            ("order/Patch.esp", "edge-link-one-way"),
            ("order/Rival.esp", "edge-link-dangling"),
            ("order/Rival.esp", "edge-link-target-out-of-range"),
        ]
    );
    assert_eq!(status, Some(1));
    let (status, text) =
        navmap(&["check", "--load-order", "order/Base.esm", "../hostile/skyrim/oblivion.esp"]);
    assert!(status == Some(1) && text.contains("takes plugins with navmeshes only"), "{text}");
    assert_eq!(navmap(&["check", "--load-order", "order/Absent.esm"]).0, Some(2));
}

#[test]
fn a_plugin_is_counted_once_for_each_code() {
    let folder = corpus::bundled().join("hostile/skyrim");
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    let done = command.args(["check", "--load-order", "truncated.esp"]).current_dir(folder).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.contains("        2  error      damaged-group in 1 mesh\n"), "{said}");
}

#[test]
fn a_load_order_is_a_folder_as_well_and_a_plugin_given_twice_is_loaded_once() {
    let rows = |paths: &[&str]| {
        let (status, text) = navmap(&[&["check", "--load-order"], paths].concat());
        (status, text.lines().map(str::to_owned).collect::<Vec<_>>())
    };
    let (_, three) = rows(&["order/Base.esm", "order/Patch.esp", "order/Rival.esp"]);
    assert_eq!(three.len(), 4);
    for paths in
        [&["order"][..], &["order", "order/Patch.esp"], &["order/Base.esm", "order/Base.esm", "order"]]
    {
        assert_eq!(rows(paths), (Some(1), three.clone()), "{paths:?}");
    }
    let (status, lines) = rows(&["order/Base.esm", "order/Absent.esm", "order/Patch.esp"]);
    assert_eq!((status, lines.len()), (Some(2), 1), "the rest is checked: {lines:?}");
    assert!(lines[0].starts_with("order/Absent.esm: error: "), "{lines:?}");
}

/// A plugin with a worldspace, a cell, and a mesh that is no mesh in each.
fn two_spaces() -> Plugin {
    let mut plugin = Plugin::new(44, 1.7, &[]);
    let own = plugin.own();
    let broken = |form: u32| record(b"NAVM", plugin.head(own | form, 0), &field(b"NVNM", b"none"));
    let (cell, world) = (own | 0x820, own | 0x830);
    let groups = [
        plugin.interior(cell, &[broken(0x801)]),
        plugin.worldspace(world, &[(own | 0x840, 2, -1, vec![broken(0x802)])]),
    ];
    plugin.groups.extend(groups);
    plugin
}

#[test]
fn findings_and_records_of_a_plugin_name_the_space_by_its_editor_id() {
    let temp = Temp::new("plugin-spaces");
    let path = temp.file("two.esp", &two_spaces().encode());
    let path = path.to_str().unwrap();
    let (_, text) = navmap(&["check", "-q", "--code", "damaged-navmesh", "--format", "jsonl", path]);
    let rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let spaces: Vec<_> = rows.iter().map(|row| row["space"].as_str().unwrap()).collect();
    assert_eq!(spaces, ["cell TestCell (00000820)", "worldspace TestWorld (00000830)"]);
    let (_, text) = navmap(&["check", "-q", "--code", "damaged-navmesh", path]);
    let own = text.lines().next().unwrap();
    assert!(own.contains("[NAVM:00000801] in [CELL:00000820] (TestCell)"), "{text}");
    assert!(own.ends_with("[damaged-navmesh]"), "the cell is told once: {text}");
    assert!(text.contains("[NAVM:00000802] in [CELL:00000840] (TestWorld 2,-1)"), "{text}");
    let (_, text) = navmap(&["check", "--load-order", "-q", "--code", "damaged-navmesh", path]);
    assert_eq!(text.matches(" in [CELL:00000840] (TestWorld 2,-1)").count(), 1, "{text}");

    let (_, text) = navmap(&["info", "--records", "se/village.esp"]);
    assert!(text.contains("\nspaces              worldspace TestWorld (01000801) ("), "{text}");
    assert!(text.contains(" cell TestCell (0001A26F) "), "{text}");
    let records = text.lines().skip_while(|line| !line.starts_with("FormID")).skip(1);
    let worlds = records.filter(|line| line.contains(" worldspace TestWorld (01000801) (")).count();
    assert!(worlds > 1, "{text}");
}

#[test]
fn text_of_a_plugin_is_decoded_and_escaped_once() {
    let temp = Temp::new("skyrim-text");
    let mut bytes = Plugin::new(44, 1.7, &["Tamri\u{e9}l.esm"]).encode();
    let at = bytes.windows(7).position(|seven| seven == b"navmap\0").unwrap();
    bytes[at..at + 7].copy_from_slice(b"a\x97b\r\nc\0");
    let path = temp.file("text.esp", &bytes);
    let (status, text) = navmap(&["dump", path.to_str().unwrap()]);
    let dump: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status, Some(0));
    assert_eq!(dump["header"]["author"], "a\u{2014}b\r\nc");
    assert_eq!(dump["header"]["masters"][0], "Tamri\u{e9}l.esm");
    let (_, text) = navmap(&["info", path.to_str().unwrap()]);
    assert!(text.contains("a\u{2014}b\\r\\nc\n"), "a terminal gets no control characters: {text}");
}

#[test]
fn records_are_listed_with_formid_place_counts_and_flags() {
    let (status, text) = navmap(&["info", "--records", "se/village.esp"]);
    assert_eq!(status, Some(0));
    let list = text.split("\n\n").nth(1).unwrap();
    assert_eq!(list.lines().count(), 8, "{list}");
    let rows: Vec<Vec<_>> = list.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(
        rows[1],
        ["010008F0", "cell", "TestCell", "(01000820)", "48", "70", "0", "1", "7", "compressed"]
    );
    assert_eq!(rows[3][..4], ["000D1234", "cell", "TestCell", "(0001A26F)"]);
    assert_eq!(rows[3][4..], ["no", "mesh", "deleted", "(of", "Skyrim.esm)"]);
    assert_eq!(rows[4][..5], ["01000900", "worldspace", "TestWorld", "(01000801)", "(2,"]);
}

#[test]
fn a_raw_field_is_taken_by_its_name_or_as_one() {
    let field = std::fs::read(corpus::bundled().join("skyrim/nvnm/v12.nvnm")).unwrap();
    let folder = std::env::temp_dir().join(format!("navmap-nvnm-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("field.bin");
    std::fs::write(&path, field).unwrap();
    let (status, text) = navmap(&["scan", "--format", "jsonl", "--as", "nvnm", path.to_str().unwrap()]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(status == Some(0) && text.contains(r#""form":"payload""#), "{text}");
    let (status, text) = navmap(&["scan", "--format", "jsonl", "nvnm"]);
    assert_eq!((status, text.lines().count()), (Some(0), 3));
}

#[test]
fn a_form_id_tells_the_space_that_a_picture_is_of() {
    let folder = Temp::new("around");
    let picture = folder.join("around.svg");
    for selector in ["010008F0#3", "[NAVM:010008F0]"] {
        let output = picture.to_str().unwrap();
        let (status, _) = navmap(&["draw", "se/village.esp", "--around", selector, "-o", output, "--force"]);
        assert_eq!(status, Some(0), "{selector}");
        assert!(std::fs::read_to_string(&picture).unwrap().contains("010008F0#3"), "{selector}");
    }
}

#[test]
fn what_fix_and_conflicts_do_is_named_where_others_do_nothing() {
    let (_, text) = navmap(&["check", "--explain", "one-way-neighbour"]);
    assert!(text.contains("`navmap fix` of the load order mends it where it can: --only meshes"), "{text}");
    let folder = Temp::new("named");
    let [.., broken] = navmap_testkit::skyrim::damage::order();
    let broken = folder.file(broken.name, &broken.bytes);
    let (_, text) = navmap(&["check", "--fix", broken.to_str().unwrap()]);
    assert!(text.contains("// `navmap fix` mends what it can of clockwise-triangle"), "{text}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_navmap"));
    command.current_dir(corpus::bundled().join("skyrim/order"));
    let done = command.args(["merge", "Base.esm", "Patch.esp", "Rival.esp"]).output().unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.code() == Some(2) && said.contains("`navmap conflicts`"), "{said}");
}
