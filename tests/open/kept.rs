//! What a command overwrites is weighed while it runs, in the editors of all families.

use navmap::edit::{AnySession, Deltas, Overwritten, SessionOptions};
use navmap::open::{Mesh, edit};
use navmap_testkit::corpus::bundled;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const LIMIT: &str = "values kept to take back: ";

/// Commands about everything, of one family or another. Those that a mesh does not know are refused as well.
const COMMANDS: &[&str] = &[
    "nav_subdivide 3 all",
    "nav_chop_selected all",
    "nav_simplify_selected --mesh-only all",
    "nav_delete all",
    "nav_shift 1 2 3 all",
    "nav_crouch all",
    "nav_compress_id",
    "nav_remove_jump_areas",
    "delete all",
    "move 1 2 3 all",
    "isolate all",
    "add 5,5,5 --number 900",
    "add 5,5,5",
    "set all Flags=1",
    "set all Radius=9",
    "flag 1 all",
    "set water all",
    "flip all",
    "number",
    "number_zones",
    "measure",
    "raise 5 all",
    "attribute 0x0060 all",
    "rebuild_islands",
    "drop_islands",
    "remove_links all",
    "set_links all Time=7",
    "clean_links",
    "set all Hint=7 Yaw=5",
];

/// Selects everything until that is too much to keep. Returns whether it came to that.
fn fill(session: &mut dyn AnySession) -> bool {
    let mut full = false;
    session.script(&"select all\n".repeat(70_000), &mut |fared| match fared {
        Ok(_) => ControlFlow::Continue(()),
        Err(refusal) => {
            full = refusal.to_string().contains(LIMIT);
            ControlFlow::Break(())
        }
    });
    full
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    for path in all {
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

/// Whatever room is left, a command that needs more is refused by the name of the limit, and has changed nothing.
#[test]
fn a_command_that_overwrites_too_much_leaves_every_mesh_as_it_was() {
    let mut paths = Vec::new();
    walk(&bundled(), &mut paths);
    let (mut tried, mut limited) = (BTreeMap::new(), BTreeMap::new());
    for path in paths {
        let Ok(mesh) = Mesh::open(&path) else { continue };
        let kind = mesh.kind().name();
        if *tried.get(kind).unwrap_or(&0) >= 2 {
            continue;
        }
        let Ok(mut session) = edit(&mesh, SessionOptions::default()) else { continue };
        if !fill(&mut *session) {
            continue;
        }
        *tried.entry(kind).or_insert(0) += 1;
        let (before, steps) = (session.encode().unwrap(), session.steps());
        for command in COMMANDS {
            // What was taken back makes room for a command that needs a little.
            for room in [0, 1, 4] {
                session.undo(room);
                let (chosen, kept) = (session.selected(), session.steps());
                let (done, refused) = session.run(command);
                let said = refused.map(|refusal| refusal.to_string()).unwrap_or_default();
                assert_eq!(done.is_empty(), !said.is_empty(), "{}: {command}", path.display());
                *limited.entry(kind).or_insert(0) += u32::from(said.contains(LIMIT));
                let is_refused = done.is_empty();
                match is_refused {
                    true => assert_eq!((session.steps(), session.selected()), (kept, chosen), "{command}"),
                    false => _ = session.undo(session.steps() - kept),
                }
                assert!(session.encode().unwrap() == before, "{}: {command}: {said}", path.display());
                assert!(!is_refused || session.redo(usize::MAX) == room, "{command}");
                fill(&mut *session);
            }
        }
        assert!(session.steps() + 200 > steps);
    }
    let few: Vec<_> = tried.keys().filter(|kind| limited.get(*kind).is_none_or(|times| *times < 1)).collect();
    assert!(few.is_empty() && tried.len() >= 8, "{few:?} of {tried:?}");
}

#[test]
fn what_may_be_overwritten_no_more_stays_as_it_is() {
    let (mut list, mut noted) = (vec![1_u64, 2, 3], Overwritten::default());
    let set = |noted: &mut Overwritten<u64>, list: &mut Vec<u64>, place, to| {
        noted.change(list, place, |a, b| a != b, |now| *now = to)
    };
    // Each number weighs four.
    noted.allow(7);
    assert!(set(&mut noted, &mut list, 0, 9) && !noted.is_full());
    assert!(noted.push(&mut list, 4) == Some(3) && noted.is_full() && noted.weight() == 8);
    assert!(!set(&mut noted, &mut list, 1, 9) && noted.push(&mut list, 5).is_none());
    assert_eq!(list, [9, 2, 3, 4]);
    let mut change = noted.take().unwrap();
    change.swap(&mut list);
    assert!(list == [1, 2, 3] && noted.weight() == 0 && !noted.is_full());
    let mut deltas = Deltas::default();
    deltas.allow(3);
    assert!(!deltas.is_full());
    deltas.push(1_u64);
    assert!(deltas.is_full() && deltas.weight() == 4);
}
