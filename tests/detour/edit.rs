//! Commands on tiles: taken back to the byte, what they write, refused, as scripts of differences, and on damaged files.

use super::{corpus, real};
use crate::common::findings;
use navmap::diff::Version;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::detour::edit::DetourEditor;
use navmap::format::detour::{DetourNav, Layout, OffMesh};
use navmap::open::Mesh;
use navmap::{Finding, Severity};
use navmap_testkit::bytes::Rng;
use std::ops::ControlFlow;

fn editor(bytes: &[u8]) -> navmap::Result<DetourEditor> {
    DetourEditor::of_nav(&DetourNav::parse(bytes)?, bytes)
}

fn open(bytes: &[u8]) -> Session<DetourEditor> {
    Session::new(editor(bytes).unwrap(), SessionOptions::default())
}

fn bundled(name: &str) -> Vec<u8> {
    corpus::rows().into_iter().find(|row| row.name() == name).unwrap().read()
}

fn after(bytes: &[u8], script: &str) -> Vec<u8> {
    let mut session = open(bytes);
    session.line(script).unwrap();
    session.editor().encode().unwrap()
}

/// What a check finds that is no mere remark.
fn faults(bytes: &[u8]) -> Vec<Finding> {
    let nav = DetourNav::parse(bytes).unwrap();
    let mut found = findings(&nav);
    found.retain(|finding| finding.severity != Severity::Info);
    found
}

#[test]
fn a_file_that_is_not_changed_is_written_again_to_the_byte() {
    let (mut same, mut refused) = (0, 0);
    for row in corpus::rows().into_iter().chain(real::rows()) {
        let bytes = row.read();
        match editor(&bytes) {
            Ok(editor) => {
                assert!(editor.encode().unwrap() == bytes, "{}", row.name());
                assert!(editor.report().is_empty(), "{}", row.name());
                same += 1;
            }
            Err(error) => {
                let error = error.to_string();
                let told = error.contains("tile cache") || error.contains("no tiles");
                assert!(told || row.text("status") == "error", "{}: {error}", row.name());
                refused += 1;
            }
        }
    }
    assert!(same >= 14 && refused >= 3, "{same} {refused}");
    // Bytes after the end stay.
    let longer = [&bundled("set.navmesh")[..], &[0x5A; 9]].concat();
    assert!(editor(&longer).unwrap().encode().unwrap() == longer);
    assert!(after(&longer, "delete #1").ends_with(&[0x5A; 9]));
}

#[test]
fn commands_do_what_they_say() {
    let bytes = bundled("set.navmesh");
    let before = faults(&bytes).len();
    let mut session = open(&bytes);
    let mut line = |text: &str| session.line(text).unwrap().pop().unwrap().said.join("; ");
    assert_eq!(line("set area(1) Area=4 Flags=0x11"), "changed 4 polygons");
    assert_eq!(line("flag 0x20 #0+C#0"), "changed 1 polygon and 1 connection");
    assert_eq!(line("unflag 0x20 C#0"), "changed 1 connection");
    assert_eq!(line("delete #1"), "deleted 1 polygon");
    assert_eq!(line("connect -3,1.1,7 1,1.2,9 --both Radius=0.7 Area=6 Flags=9 UserId=77"), "made C#2");
    assert_eq!(line("connect #0 #4294967296"), "made C#3");
    assert_eq!(line("set C#0 End=-3,1.2,9"), "changed 1 connection");
    assert_eq!(line("set C#1 Start=7,1.125,9 End=5,1.25,3"), "changed 1 connection");
    assert_eq!(line("move 0.5 0 0 C#2"), "moved 1 connection");
    assert_eq!(line("select connections"), "4 selected");
    assert_eq!(line("select @-3,1,3"), "1 selected");
    assert_eq!(line("set tile(1,1) Area=9"), "changed 16 polygons");
    let report = session.editor().report().to_string();
    assert!(report.contains("polygons: ") && report.contains("off-mesh connections: "), "{report}");
    let written = session.editor().encode().unwrap();
    assert_eq!(faults(&written).len(), before, "{:?}", faults(&written));
    let nav = DetourNav::parse(&written).unwrap();
    let tiles: Vec<_> = nav.tiles().map(|entry| entry.unwrap().tile).collect();
    // Those after the polygon that was deleted are numbered anew, and their neighbours with them.
    let first = &tiles[0];
    assert_eq!((first.ground(), first.polygons().len(), first.tree().len()), (14, 17, 28));
    let neighbours = |polygon: usize| -> Vec<u16> {
        first.polygons().get(polygon).unwrap().neighbours().iter().map(|n| n.get()).collect()
    };
    assert_eq!((neighbours(0), neighbours(1)), (vec![0, 4, 0, 0], vec![0, 5, 3, 0]));
    let corners: usize = (0..14).map(|n| first.polygons().get(n).unwrap().corners().len()).sum();
    let portals = (0..14).flat_map(neighbours).filter(|stored| stored & 0x8000 != 0).count();
    // Two connections end inside the tile, one in another. There was room for six more than that, and there still is.
    assert_eq!(first.links().len(), corners + 2 * portals + 4 + 4 + 2 + 6);
    assert!((0..first.links().len()).all(|link| first.links().get(link) == Some((0, Some(0), 0, 0))));
    let stands = |index: usize| {
        let polygon = first.polygons().get(14 + index).unwrap();
        (polygon.is_off_mesh(), polygon.area(), polygon.flags(), first.corner(&polygon, 0).unwrap())
    };
    assert_eq!(stands(1), (true, 6, 9, [-2.5, 1.1, 7.0]));
    let made = first.off_mesh().get(1).unwrap();
    assert_eq!((made.polygon(), made.both_ways(), made.side(), made.user_id()), (15, true, None, 77));
    assert_eq!((made.start(), made.end(), made.radius()), ([-2.5, 1.1, 7.0], [1.5, 1.2, 9.0], 0.7));
    // One that is not told otherwise has area and flags of the polygon that it starts on.
    assert_eq!((stands(2).1, stands(2).2), (0, 0x21));
    assert_eq!(first.off_mesh().get(2).unwrap().side(), Some(0));
    // A connection is stored in the tile that it starts in.
    let moved = tiles[1].off_mesh().get(0).unwrap();
    assert_eq!((moved.start(), moved.polygon(), moved.side()), ([7.0, 1.125, 9.0], 16, None));
    let last = tiles[3].polygons();
    assert!(
        last.iter().all(|polygon| polygon.area() == 9)
            && tiles[3].links().len() == {
                let old = DetourNav::parse(&bytes).unwrap();
                old.tiles().nth(3).unwrap().unwrap().tile.links().len()
            }
    );
}

#[test]
fn every_form_is_edited() {
    for name in [
        "set.navmesh",
        "set-64.navmesh",
        "set-be.navmesh",
        "bounds.navmesh",
        "kbe.navmesh",
        "zone.nav",
        "tile.navtile",
        "tile-v6.navtile",
        "ac.mmtile",
    ] {
        let bytes = bundled(name);
        let old = DetourNav::parse(&bytes).unwrap();
        let ground = old.tiles().next().unwrap().unwrap().tile.ground();
        let script =
            if ground > 2 { "flag 0x40 all; delete #1; connect #0 #2 --both" } else { "flag 0x40 all" };
        let written = after(&bytes, script);
        let nav = DetourNav::parse(&written).unwrap();
        assert_eq!(
            (nav.dialect_name(), nav.order(), nav.claimed()),
            (old.dialect_name(), old.order(), old.claimed())
        );
        assert!(faults(&written).len() <= faults(&bytes).len(), "{name}: {:?}", faults(&written));
        for tile in nav.tiles().map(|entry| entry.unwrap().tile) {
            assert!(tile.polygons().iter().all(|polygon| polygon.flags() & 0x40 != 0), "{name}");
        }
        if ground > 2 {
            let tile = nav.tiles().next().unwrap().unwrap().tile;
            assert_eq!(
                (tile.ground(), tile.refs()),
                (ground - 1, old.tiles().next().unwrap().unwrap().tile.refs())
            );
        }
    }
    // Of those whose tiles cannot be made anew, areas and flags are changed in place.
    for (name, layout, script) in [
        ("respawn.nm", Layout::V13, "set all Area=3 Flags=0x8"),
        ("unity-17.asset", Layout::V16, "set all Area=200 Flags=0x80000000"),
        ("unity-22.asset", Layout::V16, "set all Area=200 Flags=0x80000000"),
    ] {
        let bytes = bundled(name);
        let written = after(&bytes, script);
        assert_eq!(written.len(), bytes.len());
        let nav = DetourNav::parse(&written).unwrap();
        for tile in nav.tiles().map(|entry| entry.unwrap().tile) {
            let wanted = if layout == Layout::V16 { (200, 0x8000_0000) } else { (3, 8) };
            assert!(tile.layout() == layout, "{name}");
            assert!(tile.polygons().iter().all(|p| (p.area(), p.flags()) == wanted), "{name}");
        }
    }
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    for (name, command, why) in [
        ("respawn.nm", "delete #0", "links and reachability tables are data"),
        ("unity-17.asset", "delete #0", "keeps its length"),
        ("set.navmesh", "set #0 Area=64", "a number up to 63"),
        ("set.navmesh", "set #0 Flags=0x10000", "a number up to 0xffff"),
        ("set.navmesh", "set #0 Radius=1", "Radius is of connections; a polygon has Area, Flags"),
        ("set.navmesh", "set #0 Aria=1", "did you mean Area?"),
        ("set.navmesh", "set C#0 Both=maybe", "yes or no"),
        ("set.navmesh", "set C#0 Radius=0", "a number over 0"),
        ("set.navmesh", "connect -3,1.1,3 40,1,3", "ends at 40,1,3, where no polygon is within 0.6"),
        ("set.navmesh", "connect 90,1,3 1,1,3", "starts at 90,1,3"),
        ("set.navmesh", "connect -3,1.1,3 C#0", "where a point or a polygon was expected"),
        ("set.navmesh", "move 8 0 0 C#1", "the engine would leave it out"),
        ("set.navmesh", "move 1 0 0 #0", "only connections are moved"),
        ("set.navmesh", "delete tile(0,0)", "no polygon would be left"),
        ("set.navmesh", "flag ladder #0", "where flags were expected"),
        ("set.navmesh", "delete #99", "there is no #99"),
        ("set.navmesh", "delete C#2", "there is no C#2"),
        ("set.navmesh", "delete @30,1,30", "no polygon lies there"),
        ("set.navmesh", "delete tyle(0,0)", "did you mean tile?"),
    ] {
        let bytes = bundled(name);
        let mut session = open(&bytes);
        let refusal = session.line(command).unwrap_err().to_string();
        assert!(refusal.contains(why), "{name}: {command}: {refusal}");
        assert!(session.steps() == 0 && session.editor().encode().unwrap() == bytes, "{name}: {command}");
    }
    for (name, why) in [("cache.bin", "compressed layers"), ("trinity.mmap", "no tiles")] {
        let error = editor(&bundled(name)).err().unwrap().to_string();
        assert!(error.contains(why), "{name}: {error}");
    }
}

fn command(rng: &mut Rng, polygons: u64) -> String {
    let id = |rng: &mut Rng| rng.below(3) << 32 | rng.below(polygons + 1);
    let (a, b, n) = (id(rng), id(rng), rng.below(5));
    match rng.below(12) {
        0 => format!("set #{a} Area={n} Flags={}", n * 3),
        1 => format!("flag 0x{n} #{a}+#{b}"),
        2 => format!("unflag 1 all - #{b}"),
        3 => format!("delete #{a}"),
        4 => format!("delete #{a}+#{b}+C#{n}"),
        5 => format!("connect #{a} #{b} --both"),
        6 => format!("connect ~@{n},1,{n} #{b} Flags=8 Area=5 Radius=2"),
        7 => format!("set C#{n} Area=1 Both=yes UserId={n}"),
        8 => format!("set C#{n} Radius=1.5 End={n},1,4"),
        9 => format!("move {} 0 -0.25 C#{n}", n as f32 / 4.0),
        10 => "undo 2".to_owned(),
        _ => "redo".to_owned(),
    }
}

fn scramble(session: &mut Session<DetourEditor>, rng: &mut Rng, times: usize) {
    for _ in 0..times {
        let (was, steps) = (session.editor().encode().unwrap(), session.steps());
        let text = command(rng, 16);
        let mut refused = false;
        session.script(&text, |done| {
            refused = done.is_err();
            ControlFlow::Continue(())
        });
        if refused {
            assert!(session.steps() == steps && session.editor().encode().unwrap() == was, "{text}");
        }
    }
}

#[test]
fn random_commands_are_taken_back_to_the_byte() {
    let mut rng = Rng(7);
    let (mut files, mut steps) = (0, 0);
    for row in corpus::rows().into_iter().chain(real::rows()) {
        let bytes = row.read();
        if bytes.len() > 1 << 20 {
            continue;
        }
        let Ok(editor) = editor(&bytes) else { continue };
        let sound = row.text("status") == "ok";
        let before =
            if sound { faults(&bytes).iter().filter(|f| f.severity == Severity::Error).count() } else { 0 };
        let mut session = Session::new(editor, SessionOptions::default());
        scramble(&mut session, &mut rng, 40);
        let changed = session.editor().encode().unwrap();
        let found = faults(&changed);
        let errors = found.iter().filter(|finding| finding.severity == Severity::Error).count();
        assert!(!sound || errors <= before, "{}: {found:?}", row.name());
        let undone = session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == bytes, "{}: {undone} steps taken back", row.name());
        session.redo(undone);
        assert!(session.editor().encode().unwrap() == changed, "{}: done again", row.name());
        (files, steps) = (files + 1, steps + undone);
    }
    assert!(files >= 14 && steps > 50, "{files} files, {steps} steps");
}

#[test]
fn damaged_tiles_are_edited_or_refused_and_never_end_the_program() {
    let mut rng = Rng(11);
    for name in ["tile.navtile", "tile-v6.navtile", "zone.nav"] {
        let (sound, mut edited) = (bundled(name), 0);
        for at in (0..sound.len()).step_by(7) {
            let mut bytes = sound.clone();
            bytes[at] ^= 1 << rng.below(8);
            let Ok(editor) = editor(&bytes) else { continue };
            let mut session = Session::new(editor, SessionOptions::default());
            scramble(&mut session, &mut rng, 5);
            session.undo(usize::MAX);
            assert!(session.editor().encode().unwrap() == bytes, "{name}: byte {at}");
            edited += 1;
        }
        assert!(edited > 300, "{name}: {edited}");
    }
}

#[test]
fn versions_are_told_apart_and_merged() {
    let bytes = bundled("set.navmesh");
    let version = |bytes: Vec<u8>| Version::from_mesh(&Mesh::from_vec("a.navmesh", bytes).unwrap()).unwrap();
    let base = version(bytes.clone());
    let script = "set #0 Area=3; set C#1 Both=yes; delete #4294967297+C#0; connect -3,1.1,7 1,1.2,9 Area=6 Flags=9 Radius=0.7";
    let changed = after(&bytes, script);
    let told = base.script(&version(changed.clone())).unwrap();
    assert_eq!(
        told.to_string(),
        "delete C#0\nconnect -3,1.1,7 1,1.2,9 Area=6 Both=no Flags=9 Radius=0.7 UserId=0\nset #0 Area=3\n\
         set C#1 Both=yes\ndelete #4294967297\n"
    );
    assert!(told.unreached.is_empty() && after(&bytes, &told.to_string()) == changed, "{:?}", told.unreached);
    let side = |script: &str| version(after(&bytes, script));
    let (ours, theirs) = (side("set #0 Area=3; delete #1"), side("set #2 Flags=5; delete C#1"));
    let merge = base.merge(&ours, &theirs).unwrap();
    assert!(merge.conflicts.is_empty(), "{:?}", merge.conflicts);
    // Ours calls #2 by another number.
    assert_eq!(merge.changes.to_string(), "delete C#1\nset #1 Flags=5\n");
    for clash in ["set #0 Area=4", "set #1 Flags=7"] {
        assert_eq!(base.merge(&ours, &side(clash)).unwrap().conflicts.len(), 1, "{clash}");
    }
}

#[test]
fn a_connection_that_one_moved_and_the_other_deleted_is_a_conflict() {
    let bytes = bundled("set.navmesh");
    let version = |bytes: Vec<u8>| Version::from_mesh(&Mesh::from_vec("a.navmesh", bytes).unwrap()).unwrap();
    let base = version(bytes.clone());
    let side = |script: &str| version(after(&bytes, script));
    let gone = side("delete C#0");
    // Both of its ends, and as if that were not enough, its radius too.
    for moved in ["move 0.5 0 0 C#0", "move 0.5 0 0 C#0; set C#0 Radius=0.9"] {
        let moved = side(moved);
        for [ours, theirs] in [[&gone, &moved], [&moved, &gone]] {
            let merge = base.merge(ours, theirs).unwrap();
            let [conflict] = &merge.conflicts[..] else { panic!("{:?}", merge.conflicts) };
            assert_eq!(conflict.item.to_string(), "C#0");
            assert!(merge.changes.steps.is_empty(), "{}", merge.changes);
        }
        let made = base.apply(base.merge(&base, &moved).unwrap()).unwrap().encode().unwrap();
        assert!(version(made).script(&moved).unwrap().steps.is_empty());
    }
}

#[test]
fn a_polygon_at_the_border_takes_room_for_the_links_over_it_along() {
    let links =
        |bytes: &[u8]| DetourNav::parse(bytes).unwrap().tiles().next().unwrap().unwrap().tile.links().len();
    let bytes = bundled("set.navmesh");
    // Four edges, of which one is a portal.
    assert_eq!((links(&bytes), links(&after(&bytes, "delete #3"))), (88, 82));
}

/// The first connection of the first tile.
fn connection(bytes: &[u8]) -> OffMesh {
    let nav = DetourNav::parse(bytes).unwrap();
    let tile = nav.tiles().next().unwrap().unwrap().tile;
    *tile.off_mesh().get(0).unwrap()
}

#[test]
fn flags_of_a_connection_that_nobody_knows_stay() {
    let mut bytes = bundled("set.navmesh");
    let first = connection(&bytes);
    let row =
        [first.start(), first.end()].as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
    // The polygon that stands for it has these corners too, before it.
    let at = bytes.windows(row.len()).rposition(|window| window == row).unwrap() + 30;
    bytes[at] = 0x84 | u8::from(first.both_ways());
    let both = first.both_ways();
    let say = |both: bool| if both { "yes" } else { "no" };
    assert!(after(&bytes, &format!("set C#0 Both={}", say(both))) == bytes);
    for (script, flags) in [
        ("set C#0 UserId=77".to_owned(), bytes[at]),
        (format!("set C#0 Both={}", say(!both)), bytes[at] ^ 1),
        ("move 0.0625 0 0 C#0".to_owned(), bytes[at]),
    ] {
        let written = after(&bytes, &script);
        let nav = DetourNav::parse(&written).unwrap();
        let flags_of: Vec<u8> = nav
            .tiles()
            .flat_map(|entry| {
                entry.unwrap().tile.off_mesh().iter().map(|row| row.flags()).collect::<Vec<_>>()
            })
            .collect();
        assert!(flags_of.contains(&flags), "{script}: {flags_of:?}");
    }
}

#[test]
fn a_script_says_what_it_leaves_of_any_part() {
    let version = |bytes: Vec<u8>| Version::from_mesh(&Mesh::from_vec("a.navmesh", bytes).unwrap()).unwrap();
    let (tile, set) = (bundled("tile.navtile"), bundled("set.navmesh"));
    // A tile's row; bytes of its agent, its detail meshes, its tree.
    for (bytes, places) in [(&tile, [8, 60, 64, 72, 84, 96]), (&set, [5051, 2926, 120, 124, 140, 160])] {
        for at in places {
            let mut other = bytes.clone();
            other[at] ^= 1;
            let script = version(bytes.clone()).script(&version(other)).unwrap();
            assert!(!script.is_empty(), "byte {at}");
        }
    }
    let mut other = tile.clone();
    other[8..12].copy_from_slice(&5_i32.to_le_bytes());
    let told = |other: Vec<u8>| version(tile.clone()).script(&version(other)).unwrap().unreached;
    assert_eq!(told(other.clone()), ["head of 1 tile"]);
    assert_eq!(told(tile.clone()), [""; 0]);
    // A merge does not drop it in silence.
    let base = version(tile.clone());
    let merge = base.merge(&version(tile.clone()), &version(other)).unwrap();
    assert_eq!(merge.changes.unreached, ["head of 1 tile"]);
}

#[test]
fn what_a_script_has_the_old_tile_takes() {
    let bytes = bundled("tile.navtile");
    let version = |bytes: Vec<u8>| Version::from_mesh(&Mesh::from_vec("a.navtile", bytes).unwrap()).unwrap();
    // The polygon under an end of a new connection goes after it was made.
    let changed = after(&bytes, "connect #0 #4; delete #4");
    let told = version(bytes.clone()).script(&version(changed.clone())).unwrap();
    assert_eq!(told.unreached, [""; 0], "{told}");
    assert!(after(&bytes, &told.to_string()) == changed, "{told}");
    // From a tile in which that polygon is gone there is no such connection: it is left, with the reason.
    let gone = after(&bytes, "delete #4");
    let told = version(gone.clone()).script(&version(changed)).unwrap();
    assert!(told.steps.is_empty(), "{told}");
    let why = |left: &String| left.starts_with("connect ") && left.contains("the engine would leave it out");
    assert!(told.unreached.iter().any(why), "{:?}", told.unreached);
}

#[test]
fn a_connection_that_was_nowhere_stays_there() {
    let mut bytes = bundled("set.navmesh");
    let first = connection(&bytes);
    let row = first.start().iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>();
    let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(&row)).collect();
    for at in places {
        bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    }
    let mut session = open(&bytes);
    session.line("move 0 1 0 C#0").unwrap();
    assert!(session.editor().encode().unwrap() != bytes);
    session.line("undo").unwrap();
    assert!(session.editor().encode().unwrap() == bytes);
}
