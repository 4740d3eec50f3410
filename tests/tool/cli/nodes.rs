//! Node graphs of Valve, edited as any mesh is.

use super::{navmap, text};
use navmap_testkit::corpus::bundled;
use navmap_testkit::temp::Temp;
use serde_json::Value;
use std::fs;

/// A graph, edited by a script: the file that is written, and what was said.
fn edit(temp: &Temp, name: &str, script: &str) -> (Vec<u8>, String) {
    let out = temp.join(name);
    let done =
        navmap(&["edit", &format!("corpus/nodegraph/{name}"), "-c", script, "-o", out.to_str().unwrap()]);
    let said = text(&done.stdout) + &text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{script}: {said}");
    (fs::read(out).unwrap(), said)
}

/// What a scan counts of a kind.
fn count(path: &str, kind: &str) -> u64 {
    let done = navmap(&["scan", "-q", "--format", "jsonl", path]);
    let row: Value = serde_json::from_str(text(&done.stdout).lines().next().unwrap()).unwrap();
    row["counts"][kind].as_u64().unwrap()
}

#[test]
fn a_node_that_is_deleted_takes_its_links_and_the_rest_is_numbered_again() {
    let temp = Temp::new("cli-nodes");
    for name in ["v37.ain", "v37-hulls.ain", "v41.ain"] {
        let (bytes, said) = edit(&temp, name, "delete #3");
        assert!(
            said.contains("deleted 1 node and 3 links") && said.contains("zones: numbered again"),
            "{said}"
        );
        assert!(bytes != fs::read(bundled().join("nodegraph").join(name)).unwrap());
        let path = temp.join(name);
        let path = path.to_str().unwrap();
        assert_eq!((count(path, "nodes"), count(path, "links")), (12, 9), "{name}");
        let found = navmap(&["check", "-q", path]);
        assert_eq!(found.status.code(), Some(0), "{}", text(&found.stdout));
    }
}

#[test]
fn what_is_undone_is_written_to_the_byte() {
    let temp = Temp::new("cli-nodes-undo");
    for (name, change) in [
        ("v37.ain", "connect #0 #12 jump --hulls human; move 0 0 8 #4; flag hull_large #7"),
        ("v41.ain", "add 1,2,3 Yaw=90; disconnect #0 #1"),
        ("v16.nod", "set #2 Yaw=45"),
    ] {
        let original = fs::read(bundled().join("nodegraph").join(name)).unwrap();
        let (changed, _) = edit(&temp, name, change);
        assert!(changed != original, "{name}");
        let (undone, _) = edit(&Temp::new("cli-nodes-undone"), name, &format!("{change}; undo all"));
        assert!(undone == original, "{name}");
    }
}

/// Of graphs of Quake too, whose verbs take the same words.
#[test]
fn an_option_that_a_verb_does_not_have_is_refused() {
    for (name, script, at) in [
        ("nodegraph/v37.ain", "add 1,2,3 --bogus", 11),
        ("nodegraph/v37.ain", "set #1 Yaw=4 --bogus", 14),
        ("nodegraph/v16.nod", "set #1 Yaw=4 --bogus", 14),
        ("quake/nav2-v12.nav", "add 1,2,3 --bogus", 11),
        ("quake/nav2-v12.nav", "add Nodes[0].Links[2] --bogus", 23),
        ("quake/nav2-v12.nav", "set #1 Radius=4 --bogus", 17),
        ("quake/nav2-v12.nav", "connect #0 #2 --bogus", 15),
    ] {
        let done = navmap(&["edit", &format!("corpus/{name}"), "-c", script, "--dry-run"]);
        let (verb, _) = script.split_once(' ').unwrap();
        let why = format!("1:{at}: {verb}: no such option: --bogus");
        assert!(
            done.status.code() == Some(1) && text(&done.stderr).contains(&why),
            "{name} {script}: {done:?}"
        );
    }
}

#[test]
fn graphs_that_are_only_read_say_which_are_edited() {
    for name in ["v57.ain", "v27.ain"] {
        let done = navmap(&["edit", &format!("corpus/nodegraph/{name}"), "-c", "delete #1", "--dry-run"]);
        let said = text(&done.stderr);
        assert!(said.contains("cannot be edited yet; ") && said.contains("node graphs"), "{name}: {said}");
    }
}

#[test]
fn a_hull_has_its_own_ways() {
    let links = |file: &str, hull: &[&str]| {
        let path = format!("corpus/nodegraph/{file}");
        let done = navmap(&[&["scan", "-q", "--graph", "--format", "jsonl", &path], hull].concat());
        let row: Value = serde_json::from_str(text(&done.stdout).lines().next().unwrap()).unwrap();
        row["graph"]["links"].as_u64().unwrap_or_default()
    };
    for file in ["v37.ain", "v16.nod"] {
        let people = links(file, &[]);
        let human = links(file, &["--hull", "human"]);
        // Without a choice there are also the ways of the first hull that flies, between nodes in the air.
        assert!(people >= human && human > links(file, &["--hull", "large"]), "{file}");
    }
    assert_eq!(links("v37.ain", &["--hull", "large"]), links("v37.ain", &["--hull", "7"]));
    let temp = Temp::new("cli-hulls");
    let svg = temp.join("a.svg");
    let (svg, file) = (svg.to_str().unwrap(), "corpus/nodegraph/v37.ain");
    for verb in [vec!["draw", file, "-o", svg], vec!["reach", file], vec!["path", file, "#0", "#1"]] {
        let done = navmap(&[&verb[..], &["--hull", "huge"]].concat());
        let said = text(&done.stderr);
        assert!(
            said.contains("none called huge; there are human, small_centered") && !done.status.success(),
            "{said}"
        );
        let done = navmap(&[&verb[..], &["--hull", "tiny"]].concat());
        assert!(done.status.code() < Some(2), "{}", text(&done.stderr));
    }
    // A mesh of Source 2 has every floor once for each hull.
    let hulls = "corpus/source/v35-1.nav";
    let areas = |hull: &[&str]| {
        let done = navmap(&[&["scan", "-q", "--graph", "--format", "jsonl", hulls], hull].concat());
        let row: Value = serde_json::from_str(text(&done.stdout).lines().next().unwrap()).unwrap();
        (row["graph"]["nodes"].as_u64(), done.status.code())
    };
    let four = (Some(4), Some(0));
    assert_eq!(
        (areas(&[]), areas(&["--hull", "0"]), areas(&["--hull", "1"])),
        ((Some(8), Some(0)), four, four)
    );
    let navmesh = temp.join("a.navmesh");
    let navmesh = navmesh.to_str().unwrap();
    for hull in ["9", "human"] {
        assert_eq!(areas(&["--hull", hull]), (None, Some(1)), "{hull}");
        let done = navmap(&["show", hulls, "#1", "--hull", hull]);
        let said = text(&done.stderr);
        assert!(done.status.code() == Some(2) && said.contains("there is none of number"), "{said}");
    }
    let shown = |hull| {
        let told = text(&navmap(&["show", hulls, "all", "--hull", hull]).stdout);
        told.lines().filter(|line| line.starts_with("area #")).count()
    };
    assert_eq!((shown("0"), shown("1")), (4, 4));
    assert_eq!(navmap(&["show", hulls, "#1", "--hull", "0"]).status.code(), Some(0));
    assert_eq!(navmap(&["show", hulls, "#1", "--hull", "1"]).status.code(), Some(1), "of the other hull");
    let done = navmap(&["export", hulls, "--hull", "1", "-o", navmesh]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let done = navmap(&["show", "corpus/quake/nav3-v6.nav", "all", "--hull", "large"]);
    assert!(text(&done.stderr).contains("only node graphs and meshes of Source 2 have hulls"));
    let done = navmap(&["reach", "corpus/quake/nav3-v6.nav", "--hull", "large"]);
    assert!(text(&done.stderr).contains("only node graphs and meshes of Source 2 have hulls"));
}

#[test]
fn the_way_of_the_game_is_told_apart_from_the_shortest() {
    let game = |file: &str, from: &str, to: &str, options: &[&str]| {
        let path = format!("corpus/nodegraph/{file}");
        let done = navmap(&[&["path", &path, from, to, "--as-game", "--format", "csv"], options].concat());
        let ids = text(&done.stdout)
            .lines()
            .skip(1)
            .map(|row| row.split(',').next().unwrap().to_owned())
            .collect::<Vec<_>>();
        (ids, text(&done.stderr), done.status.code())
    };
    let (ids, said, code) = game("v16.nod", "#7", "#4", &[]);
    assert_eq!((ids.join(" "), code), ("7 6 3 0 1 4".to_owned(), Some(0)), "{said}");
    assert!(said.contains("5 steps") && said.contains("shortest"), "{said}");
    let (_, said, code) = game("v37.ain", "#0", "#4", &[]);
    assert!(said.contains("with an .ain, as with a mesh, the game searches") && code != Some(0), "{said}");
}

#[test]
fn a_graph_gets_other_hulls_and_another_version() {
    let temp = Temp::new("cli-node-convert");
    let out = temp.join("a.ain");
    let convert = |file: &str, options: &[&str]| {
        let done = navmap(&[&["convert", file, "-o", out.to_str().unwrap(), "--force"], options].concat());
        (done.status.code(), text(&done.stderr))
    };
    let (code, said) = convert("corpus/nodegraph/v37.ain", &["--hulls", "3"]);
    assert!(code == Some(0) && said.contains("links are lost to the hull large"), "{said}");
    assert_eq!(count(out.to_str().unwrap(), "hulls"), 3);
    let (code, said) = convert("corpus/nodegraph/v37.ain", &["--to", "ain-41"]);
    assert!(code == Some(0) && said.contains("new hulls are closed"), "{said}");
    assert_eq!(count(out.to_str().unwrap(), "hulls"), 12);
    let (code, said) = convert("corpus/nodegraph/v37.ain", &["--to", "ain-37"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(fs::read(&out).unwrap() == fs::read(bundled().join("nodegraph/v37.ain")).unwrap());
    // A text has nine hulls, and no revision of its map.
    let (code, said) = convert("corpus/nodegraph/v27.ain", &["--to", "ain-37"]);
    let told = said.contains("new hulls are closed at every link (1)") && said.contains("[no-revision]");
    assert!(code == Some(0) && told, "{said}");
    assert_eq!(count(out.to_str().unwrap(), "hulls"), 10);
    let (code, said) = convert("corpus/nodegraph/v37.ain", &[]);
    assert!(code != Some(0) && said.contains("--hulls"), "{said}");
}

#[test]
fn a_mesh_becomes_a_node_graph_that_lies_on_it() {
    let temp = Temp::new("cli-node-made");
    let out = temp.join("town.ain");
    let out = out.to_str().unwrap();
    let done = navmap(&["convert", "corpus/source/town.nav", "-o", out]);
    let said = text(&done.stderr);
    assert!(
        done.status.success() && said.contains("areas became") && said.contains("revision of the map is 0"),
        "{said}"
    );
    let done = navmap(&["check", out, "--mesh", "corpus/source/town.nav"]);
    let said = text(&done.stderr);
    assert!(said.contains("nodes over areas") && said.contains(" 0 off the mesh"), "{said}");
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stdout));
    let done = navmap(&["check", "corpus/nodegraph/v37.ain", "--mesh", "corpus/source/town.nav"]);
    assert!(text(&done.stdout).contains("[area-without-node]"), "{}", text(&done.stdout));
    let done = navmap(&["check", "corpus/source/town.nav", "--mesh", "corpus/source/town.nav"]);
    assert!(text(&done.stderr).contains("is for graphs of points"));
}
