//! Load orders and merges in a browser, without a browser.

use super::view::{json, listed, served};
use crate::{navmap, text};
use navmap_testkit::corpus::project;
use navmap_testkit::temp::Temp;
use serde_json::Value;
use std::fs;

const ORDER: [&str; 3] =
    ["corpus/skyrim/order/Base.esm", "corpus/skyrim/order/Patch.esp", "corpus/skyrim/order/Rival.esp"];
const TOWN: &str = "corpus/source/town.nav";

fn words(list: &Value, name: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|row| row[name].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_load_order_is_shown_by_the_plugins_that_win() {
    let server = served(&[&["--order"], &ORDER[..]].concat());
    let rows = listed(&server);
    let dumped = navmap(&[&["conflicts"], &ORDER[..]].concat());
    let told = text(&dumped.stdout);
    let (mut nodes, mut overridden) = (0, 0);
    for (number, row) in rows.iter().enumerate() {
        assert!(row["subtitle"].as_str().unwrap().starts_with("load order of 3 plugins, "), "{row}");
        let (status, _, body) = server.get(&format!("m/{number}/head"));
        assert_eq!(status, 200, "{}", text(&body));
        let head = json(&body);
        nodes += head["nodes"].as_u64().unwrap();
        assert_eq!(head["colours"][0]["name"], "plugin", "{head}");
        for plugin in words(&head["colours"][0]["entries"], "name") {
            assert!(["Base.esm", "Patch.esp", "Rival.esp"].contains(&plugin.as_str()), "{plugin}");
        }
        // The mesh that two override is told of where it lies, and named as plugin editors name it.
        let groups: Vec<&str> = head["groups"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let disputed = groups.contains(&"00000A00 of Rival.esp");
        let findings = head["findings"].as_array().unwrap();
        assert_eq!(findings.len(), usize::from(disputed), "{groups:?} {findings:?}");
        for finding in findings {
            assert!(finding["code"] == "overridden" && finding["at"].is_array(), "{finding}");
            for line in finding["message"].as_str().unwrap().split("; ") {
                assert!(told.contains(line), "{line} is not in {told}");
            }
            overridden += 1;
        }
        let told = json(&server.get(&format!("m/{number}/told/0")).2);
        assert!(told["id"].as_str().unwrap().contains('#'), "{told}");
        assert!(server.get(&format!("m/{number}/thumbnail/dark")).2.starts_with(b"\x89PNG"));
    }
    assert!(overridden == 1 && rows.len() > 1, "{rows:?}");
    // Every mesh of the order is in one of its spaces, once.
    let one = navmap(&[&["view", "--order", "--html", "-", "--space", "no such"], &ORDER[..]].concat());
    assert!(text(&one.stderr).contains("none is called no such"), "{}", text(&one.stderr));
    let plugins = ::navmap::open::Plugins::open(
        ORDER.map(|path| navmap_testkit::corpus::project().join(path)),
        &Default::default(),
        &|| (),
    );
    let order = plugins.order();
    let whole = ::navmap::graph::FlatGraph::of(&::navmap::format::skyrim::OrderGraph::new(&order)).value;
    assert_eq!(nodes, whole.nodes().len() as u64);
    // One space is a file as well.
    let space = rows[0]["title"].as_str().unwrap();
    let name = space.rsplit_once('(').unwrap().1.trim_end_matches(')');
    let done = navmap(&[&["view", "--order", "--html", "-", "--space", name], &ORDER[..]].concat());
    assert!(done.status.success() && text(&done.stdout).contains("id=\"scene\""), "{}", text(&done.stderr));
}

#[test]
fn a_load_order_of_nothing_and_one_that_is_changed_are_refused() {
    let temp = Temp::new("view-order");
    let missing = temp.join("missing.esp");
    let none = navmap(&["view", "--order", missing.to_str().unwrap()]);
    assert!(none.status.code().is_some_and(|code| code != 0), "{}", text(&none.stderr));
    let edit = navmap(&["view", "--order", "--edit", ORDER[0]]);
    assert_eq!(edit.status.code(), Some(2), "{}", text(&edit.stderr));
}

/// A mesh made of the town by commands.
fn edited(temp: &Temp, name: &str, commands: &str) -> String {
    let made = temp.join(name).display().to_string();
    let done = navmap(&["edit", TOWN, "-c", commands, "-o", &made]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    made
}

#[test]
fn the_script_of_a_merge_does_what_merge_does() {
    let temp = Temp::new("view-merge");
    let ours = edited(&temp, "ours.nav", "area set #9 ne=70; nav_mark_attribute CROUCH #41");
    let theirs = edited(&temp, "theirs.nav", "area set #9 ne=90; nav_delete #11; ladder move L#1 5 0 0");
    let server = served(&["--merge", TOWN, &ours, &theirs]);
    let rows = listed(&server);
    assert_eq!(rows.len(), 1, "{rows:?}");
    let head = json(&server.get("m/0/head").2);
    let merge = &head["merge"];
    assert_eq!(words(&merge["disputed"], "item"), ["#9"], "{merge}");
    assert!(merge["disputed"][0]["at"].is_array(), "{merge}");
    let classes = words(&head["colours"][0]["entries"], "name");
    for class in ["conflict", "changed in ours", "changed in theirs"] {
        assert!(classes.iter().any(|name| name == class), "{class} is not in {classes:?}");
    }
    let file = |name: &str| temp.join(name).display().to_string();
    let patched = |script: String, name: &str| {
        temp.file("script.txt", script.as_bytes());
        let done = navmap(&["patch", &ours, &file("script.txt"), "-o", &file(name)]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        fs::read(file(name)).unwrap()
    };
    let common = merge["script"].as_str().unwrap().to_owned();
    let kept = patched(common.clone(), "kept.nav");
    navmap(&["merge", TOWN, &ours, &theirs, "-o", &file("merged.nav")]);
    assert!(kept == fs::read(file("merged.nav")).unwrap(), "not what merge writes");
    // Theirs instead: what is left between it and theirs is what ours did elsewhere.
    let took = patched(common + merge["disputed"][0]["theirs"].as_str().unwrap(), "took.nav");
    assert!(took != kept);
    let left = text(&navmap(&["diff", "--script", &file("took.nav"), &theirs]).stdout);
    assert!(left.contains("#41") && !left.contains("#9 ") && !left.contains("#11"), "{left}");
    // Three, and of a family that merges.
    assert_eq!(navmap(&["view", "--merge", TOWN, &ours]).status.code(), Some(2));
}

#[test]
fn saved_differences_are_rows() {
    let temp = Temp::new("view-script");
    let after = edited(&temp, "after.nav", "nav_delete #5; area set #9 ne=70; nav_mark_attribute CROUCH #41");
    let script = text(&navmap(&["diff", "--script", TOWN, &after]).stdout);
    let saved = temp.file("saved.txt", script.as_bytes()).display().to_string();
    let stale = temp.file("stale.txt", b"nav_delete #99999\nnav_delete #5\n").display().to_string();
    let server = served(&[TOWN, "--script", &saved, "--script", &stale]);
    let rows = listed(&server);
    assert_eq!(words(&Value::from(rows), "title"), ["town", "saved", "stale"]);
    // What the script changes is what changed between both meshes.
    let both = served(&[TOWN, &after]);
    listed(&both);
    let of_script = json(&server.get("m/1/head").2);
    let of_meshes = json(&both.get("m/0-1/head").2);
    assert!(of_script["subtitle"].as_str().unwrap().ends_with(", what saved changes"), "{of_script}");
    assert_eq!(of_script["colours"], of_meshes["colours"]);
    assert_eq!(of_script["nodes"], of_meshes["nodes"]);
    assert_eq!(of_script["findings"], Value::from(Vec::<Value>::new()));
    // A line that does not fit is a finding, and the others are shown.
    let stale = json(&server.get("m/2/head").2);
    assert_eq!(stale["findings"][0]["code"], "refused", "{stale}");
    assert!(stale["findings"][0]["message"].as_str().unwrap().contains("#99999"), "{stale}");
    let removed = words(&stale["colours"][0]["entries"], "name");
    assert!(removed.iter().any(|name| name == "removed"), "{removed:?}");
    assert_eq!(navmap(&["view", TOWN, TOWN, "--script", &saved]).status.code(), Some(2));
}

#[test]
fn rows_of_diff_that_were_saved_are_shown_in_their_meshes() {
    let temp = Temp::new("view-jsonl");
    let after = edited(&temp, "after.nav", "nav_delete #5; area set #9 ne=70; nav_mark_attribute CROUCH #41");
    let rows = navmap(&["diff", "--format", "jsonl", TOWN, &after]).stdout;
    let saved = temp.file("saved.jsonl", &rows).display().to_string();
    let (both, one) = (served(&[&saved, TOWN, &after]), served(&[&saved, TOWN]));
    let found = |head: &Value, code: &str| -> Vec<String> {
        let findings = head["findings"].as_array().unwrap().iter();
        let own = findings.filter(|finding| finding["code"] == code && finding["at"].is_array());
        own.map(|finding| finding["message"].as_str().unwrap().to_owned()).collect()
    };
    let count = |head: &Value, name: &str| -> u64 {
        let entries = head["colours"][0]["entries"].as_array().unwrap().iter();
        entries.filter(|entry| entry["name"] == name).filter_map(|entry| entry["nodes"].as_u64()).sum()
    };
    for (server, former) in [(&both, 1), (&one, 0)] {
        let rows = listed(server);
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert!(rows[0]["subtitle"].as_str().unwrap().starts_with("1 removed, "), "{rows:?}");
        let head = json(&server.get("m/0/head").2);
        // The area is gone, or shown as such; where the other one was is known only of two meshes.
        assert_eq!(found(&head, "removed"), ["#5 is removed"], "{head}");
        assert!(found(&head, "changed").iter().any(|line| line == "#9 has another shape"), "{head}");
        let counts = ["removed", "moved or reshaped", "other flags or place", "where it was"];
        assert_eq!(counts.map(|name| count(&head, name)), [1, 1, 1, former], "{head}");
        assert!(server.get("m/0/thumbnail/light").2.starts_with(b"\x89PNG"));
    }
    // Two meshes on one map are what a comparison of them shows.
    let compared = served(&[TOWN, &after]);
    listed(&compared);
    let head = json(&both.get("m/0/head").2);
    assert_eq!(head["nodes"], json(&compared.get("m/0-1/head").2)["nodes"]);
    // A row of a folder goes to the mesh of its name.
    for (folder, mesh) in [("old", TOWN), ("new", &after)] {
        fs::create_dir(temp.join(folder)).unwrap();
        fs::copy(project().join(mesh), temp.join(folder).join("town.nav")).unwrap();
        fs::copy(project().join(TOWN), temp.join(folder).join("same.nav")).unwrap();
    }
    let [old, new] = ["old", "new"].map(|folder| temp.join(folder).display().to_string());
    let rows = navmap(&["diff", "--format", "jsonl", &old, &new]).stdout;
    let folders = temp.file("folders.jsonl", &rows).display().to_string();
    let server = served(&[&folders, &old, &new]);
    assert_eq!(words(&Value::from(listed(&server)), "title"), ["town.nav"]);
    assert_eq!(found(&json(&server.get("m/0/head").2), "removed"), ["#5 is removed"]);
    // Ids that the mesh does not have are said.
    let other = served(&[&saved, "corpus/source/v9.nav"]);
    listed(&other);
    let head = json(&other.get("m/0/head").2);
    assert_eq!(head["findings"][0]["code"], "unknown", "{head}");
}

#[test]
fn hostile_rows_of_diff_are_refused_in_one_line() {
    let temp = Temp::new("view-rows");
    let deep = [vec![b'['; 100_000], vec![b'\n']].concat();
    let many = "{\"name\":\"a\",\"parts\":[{\"removed\":[1]}]}\n".repeat(10_001);
    let cases: [(&str, &[u8], &str); 6] = [
        ("deep", &deep, "line 1 is no row"),
        ("text", b"deleted 1 area\n", "line 1 is no row"),
        ("half", b"{\"name\":\"a\",\"parts\":[{\"removed\":[1", "line 1 is no row"),
        ("bytes", b"\xff\xfe\n", "no text"),
        ("many", many.as_bytes(), "more than 10000"),
        ("same", b"{\"name\":\"a\",\"parts\":[]}\n\n", "nothing has changed"),
    ];
    for (name, rows, said) in cases {
        let saved = temp.file(format!("{name}.jsonl"), rows).display().to_string();
        let done = navmap(&["view", &saved, TOWN]);
        assert_eq!(done.status.code(), Some(2), "{name}");
        let told = text(&done.stderr);
        assert!(told.contains(said) && told.lines().count() == 1 && told.len() < 1_000, "{name}: {told}");
    }
    let saved =
        temp.file("alone.jsonl", b"{\"name\":\"a\",\"parts\":[{\"removed\":[1]}]}\n").display().to_string();
    for rest in [&[][..], &["--edit", TOWN], &[TOWN, TOWN, TOWN], &["corpus/quake"]] {
        assert_eq!(navmap(&[&["view", &saved], rest].concat()).status.code(), Some(2), "{rest:?}");
    }
}
