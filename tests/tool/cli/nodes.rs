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

#[test]
fn graphs_that_are_only_read_say_which_are_edited() {
    for name in ["v57.ain", "v27.ain"] {
        let done = navmap(&["edit", &format!("corpus/nodegraph/{name}"), "-c", "delete #1", "--dry-run"]);
        let said = text(&done.stderr);
        assert!(said.contains("cannot be edited yet; ") && said.contains("node graphs"), "{name}: {said}");
    }
}
