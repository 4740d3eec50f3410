//! Split tiles: what is edited reaches every part.

use crate::agree::assert_agree;
use crate::edit::{Dice, command, found};
use crate::real::meshes;
use navmap::bytes::Backing;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::fox::edit::FoxEditor;
use navmap::format::fox::{Crossing, FoxBuf, FoxNav, TileSet};
use navmap_testkit::fox::Map;
use std::ops::ControlFlow;
use std::path::PathBuf;

pub(crate) type Files = Vec<(String, Vec<u8>)>;

pub(crate) fn open(files: &Files, named: usize) -> Session<FoxEditor> {
    let parts = files.iter().map(|(_, bytes)| FoxBuf::from_bytes(bytes).unwrap()).collect();
    Session::new(
        FoxEditor::of_parts(parts, named).unwrap(),
        SessionOptions { game_exact: false, journal: true, ..SessionOptions::default() },
    )
}

/// All files as they would be written.
pub(crate) fn written(session: &Session<FoxEditor>, files: &Files, named: usize) -> Files {
    let mut now = files.clone();
    now[named].1 = session.editor().encode().unwrap();
    for (file, bytes) in session.editor().further().unwrap() {
        assert!(file != named && bytes != files[file].1, "further files are others, and have changed");
        now[file].1 = bytes;
    }
    now
}

/// Two parts of a tile in the middle of a map.
pub(crate) fn split() -> Files {
    let tile = Map { split: true, ..Map::square(3) }.tile(1, 1);
    assert_eq!(tile.files.len(), 2);
    tile.files
}

/// The whole split tile of the games, where it is.
fn real() -> Option<Files> {
    let rows: Vec<_> = meshes();
    let tile = rows.iter().filter(|row| row.name().ends_with(".1.nav2")).find_map(|later| {
        let name = later.name().replace(".1.nav2", ".nav2");
        let first = rows.iter().find(|row| row.name() == name)?;
        let files = vec![(name, first.read()), (later.name().to_owned(), later.read())];
        (!FoxBuf::from_bytes(&files[1].1).unwrap().groups.is_empty()).then_some(files)
    });
    assert!(tile.is_some() || rows.is_empty());
    tile
}

/// Everything that leads from one group to another leads back over the same side, whatever file it is in.
pub(crate) fn assert_joined(files: &Files, what: &str) -> usize {
    let parts: Vec<FoxBuf> = files.iter().map(|(_, bytes)| FoxBuf::from_bytes(bytes).unwrap()).collect();
    let groups: Vec<_> = parts.iter().flat_map(|part| &part.groups).collect();
    let group = |id: u16| groups.iter().find(|group| group.id.index() == id).unwrap();
    let mut across = 0;
    for own in &groups {
        let corner = |id: u16, face: usize, side: usize| {
            let group = group(id);
            let record = group.mesh.faces.get(face).unwrap();
            let first = group.segments[record.segment.index()].vertices().start;
            group.mesh.vertices[first + usize::from(record.corners[side % record.sides()])].quantised()
        };
        for (face, record) in own.mesh.faces.iter().enumerate() {
            for side in 0..record.sides() {
                if record.neighbours[side] >> 14 != 1 {
                    continue;
                }
                let (id, there) = (record.groups[side], usize::from(record.neighbours[side] & 0x3FFF));
                let other = group(id).mesh.faces.get(there).unwrap();
                let ends = [corner(own.id.index(), face, side), corner(own.id.index(), face, side + 1)];
                let back = (0..other.sides()).find(|back| {
                    [corner(id, there, back + 1), corner(id, there, *back)] == ends
                        && other.neighbours[*back] == 0x4000 | face as u16
                        && other.groups[*back] == own.id.index()
                });
                assert!(back.is_some(), "{what}: face {face} of group {}", own.id.index());
                across += 1;
            }
        }
        for (number, crossing) in own.world.crossings().enumerate() {
            if let Some(Crossing::Group { group: id, node: there }) = crossing {
                let other = group(id.0);
                assert_eq!(other.world.positions[there.index()], own.world.positions[number], "{what}");
                assert!(
                    matches!(other.world.crossings().nth(there.index()).unwrap(), Some(Crossing::Group { group, node })
                        if group == own.id.group() && node.index() == number),
                    "{what}"
                );
            }
        }
    }
    across
}

/// What opening the files as one set finds.
pub(crate) fn findings(files: &Files) -> Vec<String> {
    let files = files.iter().map(|(name, bytes)| {
        let name = name.rsplit('/').next().unwrap();
        (PathBuf::from(name), Backing::owned(bytes.clone()))
    });
    let set = TileSet::from_backings(files);
    assert!(set.failures().is_empty(), "{:?}", set.failures());
    set.findings().iter().map(|found| found.finding.code.to_owned()).collect()
}

#[test]
fn the_attribute_of_an_island_changes_in_every_part() {
    for files in real().into_iter().chain([split()]) {
        let islands: Vec<Vec<u16>> = files
            .iter()
            .map(|(_, bytes)| {
                let tile = FoxBuf::from_bytes(bytes).unwrap();
                tile.groups.iter().flat_map(|group| group.graph.nodes.iter().map(|n| n.islands[0])).collect()
            })
            .collect();
        let count = |file: usize, island: u16| islands[file].iter().filter(|own| **own == island).count();
        let island = (0..).find(|island| count(0, *island) > 0 && count(1, *island) > 0).unwrap();
        let graph = FoxBuf::from_bytes(&files[0].1).unwrap().islands[0].islands[usize::from(island)].clone();
        assert_eq!(usize::from(graph.segments), count(0, island) + count(1, island), "over all parts");
        let value = if graph.attribute == 0x60 { 0x81 } else { 0x60 };
        for named in 0..2 {
            let mut session = open(&files, named);
            let said = session.line(&format!("attribute 0x{value:04X} island({island})")).unwrap();
            assert_eq!(
                said[0].said[0],
                format!("{0} of {0} segments changed, 1 island", graph.segments),
                "{said:?}"
            );
            let now = written(&session, &files, named);
            for (file, ((name, before), (_, after))) in files.iter().zip(&now).enumerate() {
                assert_eq!(before.len(), after.len());
                // Both bytes of an attribute may change, and part 0 has the node of the island.
                let both = (graph.attribute ^ value) > 0xFF && (graph.attribute ^ value) & 0xFF != 0;
                let each = if both { 2 } else { 1 };
                let changed = before.iter().zip(after).filter(|(a, b)| a != b).count();
                assert_eq!(changed, each * (count(file, island) + usize::from(file == 0)), "{name}");
                assert_eq!(found(after), found(before), "{name}");
            }
            session.undo(usize::MAX);
            assert!(session.editor().further().unwrap().is_empty());
            assert!(written(&session, &files, named) == files);
        }
        // By itself, neither part can be edited so.
        for (name, bytes) in &files {
            let tile = FoxBuf::from_bytes(bytes).unwrap();
            let mut alone = Session::new(FoxEditor::new(tile).unwrap(), SessionOptions::default());
            let why = alone.line(&format!("attribute 0x{value:04X} island({island})")).unwrap_err();
            assert!(why.to_string().contains("--alone"), "{name}: {why}");
        }
    }
}

#[test]
fn islands_are_dropped_merged_and_made_anew_over_all_parts() {
    for files in real().into_iter().chain([split()]) {
        let mut session = open(&files, 0);
        session.line("drop_islands").unwrap();
        for (name, bytes) in written(&session, &files, 0) {
            let tile = FoxBuf::from_bytes(&bytes).unwrap();
            assert!(tile.islands.is_empty(), "{name}");
            let nodes = tile.groups.iter().flat_map(|group| &group.graph.nodes);
            assert!(nodes.into_iter().all(|node| node.islands == [0, 0xFFFF, 0xFFFF]), "{name}");
        }
        let segments = |files: &Files| -> usize {
            files
                .iter()
                .map(|(_, b)| FoxBuf::from_bytes(b).unwrap())
                .flat_map(|t| t.groups)
                .map(|g| g.segments.len())
                .sum()
        };
        session.line("rebuild_islands").unwrap();
        let now = written(&session, &files, 0);
        let graph = FoxBuf::from_bytes(&now[0].1).unwrap().islands.remove(0);
        let counted: usize = graph.islands.iter().map(|island| usize::from(island.segments)).sum();
        assert_eq!(counted, segments(&now), "islands count the segments of all parts");
        assert!(FoxBuf::from_bytes(&now[1].1).unwrap().islands.is_empty());
        assert_eq!(findings(&now), findings(&files));
    }
}

#[test]
fn a_split_tile_moves_and_is_renumbered_with_all_of_its_parts() {
    let files = split();
    let mut session = open(&files, 1);
    session.line("move 0 2.5 0; tile 101,102 --grid 3 --shift-links").unwrap();
    let now = written(&session, &files, 1);
    for ((name, before), (_, after)) in files.iter().zip(&now) {
        let (a, b) = (FoxNav::parse(before).unwrap(), FoxNav::parse(after).unwrap());
        assert_eq!((b.tile().0, b.header().origin()[1]), (3, a.header().origin()[1] + 2.5), "{name}");
        let space = |nav: &FoxNav<'_>| nav.search().unwrap().unwrap().header().origin()[1];
        assert_eq!(space(&b), space(&a) + 2.5, "{name}");
        assert!(b.groups().all(|group| group.unwrap().tile().0 == 3), "{name}");
        assert_eq!(found(after), found(before), "{name}");
    }
    assert_eq!(assert_joined(&now, "renumbered"), assert_joined(&files, "before"));
}

#[test]
fn faces_that_are_deleted_close_up_the_other_part_as_well() {
    for files in real().into_iter().chain([split()]) {
        let before = assert_joined(&files, "before");
        assert!(before > 20, "{before}");
        // A face whose neighbour is in the other part, and one before it, so that all that follow have new numbers.
        let tile = FoxBuf::from_bytes(&files[1].1).unwrap();
        let (group, id) = (&tile.groups[0], tile.groups[0].id.index());
        let face =
            group.mesh.faces.iter().rposition(|f| f.neighbours[..3].iter().any(|n| n >> 14 == 1)).unwrap();
        let mut session = open(&files, 0);
        session.line(&format!("delete F#{id}.{face}+F#{id}.0")).unwrap();
        let now = written(&session, &files, 0);
        assert!(now[0].1 != files[0].1 && now[1].1 != files[1].1);
        let after = assert_joined(&now, "without faces");
        assert!(after < before && after.is_multiple_of(2), "{after} of {before}");
        for ((name, before), (_, after)) in files.iter().zip(&now) {
            assert!(found(after).is_subset(&found(before)), "{name}");
            assert_agree(after, name);
        }
        assert_eq!(findings(&now), findings(&files));
        // Alone it is refused.
        let mut alone = Session::new(FoxEditor::new(tile).unwrap(), SessionOptions::default());
        let why = alone.line(&format!("delete F#{id}.{face}")).unwrap_err().to_string();
        assert!(why.contains("another part of the tile"), "{why}");
    }
}

#[test]
fn segments_of_two_parts_are_cut_apart_and_joined_again() {
    let files = split();
    let tile = FoxBuf::from_bytes(&files[0].1).unwrap();
    let body = tile.group(navmap::format::fox::GroupId(4)).unwrap();
    let mut from = 0;
    let (segment, to) = body
        .graph
        .nodes
        .iter()
        .enumerate()
        .find_map(|(segment, node)| {
            let links = &body.graph.groups[from..from + usize::from(node.groups)];
            from += usize::from(node.groups);
            let link = links.iter().find(|link| link.group().0 == 5)?;
            Some((segment, link.segment()))
        })
        .unwrap();
    let mut session = open(&files, 0);
    session.line(&format!("unlink #4.{segment} #5.{to}")).unwrap();
    let cut = written(&session, &files, 0);
    assert!(assert_joined(&cut, "cut") < assert_joined(&files, "before"));
    assert!(cut.iter().all(|(_, bytes)| found(bytes).iter().all(|code| *code == "island-torn")));
    session.line(&format!("link #4.{segment} #5.{to}")).unwrap();
    let back = written(&session, &files, 0);
    assert_eq!(assert_joined(&back, "joined"), assert_joined(&files, "before"));
}

#[test]
fn random_scripts_leave_both_parts_sound_undo_to_the_byte_and_replay() {
    let mut done = 0;
    for files in real().into_iter().chain([split()]) {
        let worst: Vec<_> = files.iter().map(|(_, bytes)| found(bytes)).collect();
        for seed in 0..5 {
            let mut dice = Dice(seed * 104_729 + 5);
            let mut session = open(&files, 0);
            for _ in 0..10 {
                let line = command(&mut dice, session.editor().tile());
                let before = written(&session, &files, 0);
                if session.line(&line).is_err() {
                    if !line.starts_with("select") {
                        assert!(written(&session, &files, 0) == before, "{line}");
                    }
                    continue;
                }
                done += 1;
                let now = written(&session, &files, 0);
                assert_joined(&now, &line);
                for ((name, bytes), worst) in now.iter().zip(&worst) {
                    let new: Vec<_> = found(bytes).difference(worst).copied().collect();
                    assert!(new.is_empty(), "{name}: {new:?} after {line}");
                    assert_agree(bytes, name);
                }
            }
            let last = written(&session, &files, 0);
            let journal = session.journal().to_string();
            session.undo(usize::MAX);
            assert!(written(&session, &files, 0) == files);
            let mut again = open(&files, 0);
            again.replay(&journal, |fared| {
                assert!(fared.is_ok(), "{} in\n{journal}", fared.unwrap_err());
                ControlFlow::Continue(())
            });
            assert!(written(&again, &files, 0) == last, "{journal}");
        }
    }
    assert!(done > 30, "{done}");
}

#[test]
fn files_that_are_no_parts_of_one_tile_are_refused() {
    let files = split();
    let part = |n: usize| FoxBuf::from_bytes(&files[n].1).unwrap();
    let why = |parts: Vec<FoxBuf>, named| FoxEditor::of_parts(parts, named).unwrap_err().to_string();
    assert!(why(vec![part(1), part(0)], 0).contains("part 0 follows part 1"));
    assert!(why(vec![part(0), part(0)], 0).contains("follows"));
    assert!(why(vec![part(0), part(1)], 2).contains("part 2 of 2"));
    assert!(why(vec![], 0).contains("part 0 of 0"));
    let mut other = part(1);
    other.head.opaque[0] ^= 1;
    assert!(why(vec![part(0), other], 0).contains("of another tile"));
    let mut twice = part(1);
    twice.groups[0].id = part(0).groups[0].id;
    assert!(why(vec![part(0), twice], 0).contains("is in two of them"));
    let mut islands = part(1);
    islands.islands = part(0).islands;
    assert!(why(vec![part(0), islands], 0).contains("has island graphs"));
}
