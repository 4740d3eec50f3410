//! Heights of vertices under edit: what follows from where a vertex lies follows it.

use crate::agree::assert_agree;
use crate::edit::{after, found, open, refused};
use crate::parts::{assert_joined, findings, open as open_parts, split, written};
use crate::real::meshes;
use navmap::edit::Editor;
use navmap::format::fox::{FoxBuf, GroupBuf, Position};
use navmap_testkit::fox::Map;
use std::collections::BTreeMap;

/// Height in metres of every place of a group that is not where it was, by where it is seen from above.
fn moved(before: &FoxBuf, after: &FoxBuf) -> BTreeMap<(u16, [u16; 2]), (f32, f32)> {
    let mut moved = BTreeMap::new();
    for (a, b) in before.groups.iter().zip(&after.groups) {
        for (old, new) in a.mesh.vertices.iter().zip(&b.mesh.vertices) {
            let ([x, _, z], [nx, _, nz]) = (old.quantised(), new.quantised());
            assert_eq!((x, z), (nx, nz), "nothing moves sideways");
            let heights = [(before, old), (after, new)].map(|(tile, at)| tile.head.frame().world(at)[1]);
            if old != new {
                moved.insert((a.id.index(), [x, z]), (heights[0], heights[1]));
            }
        }
    }
    moved
}

fn corner(group: &GroupBuf, face: usize, side: usize) -> [i64; 3] {
    let record = group.mesh.faces.get(face).unwrap();
    let first = group.segments[record.segment.index()].vertices().start;
    let at = group.mesh.vertices[first + usize::from(record.corners[side % record.sides()])];
    at.quantised().map(i64::from)
}

/// The rules of the games' files that heights bear on: boxes, middles of sides, weights.
fn assert_follows(tile: &FoxBuf, what: &str) {
    let frame = tile.head.frame();
    let metres = |at: &Position| {
        let (at, by) = (at.quantised(), frame.divisors);
        [0, 1, 2].map(|axis| f64::from(at[axis]) / f64::from(by[axis]))
    };
    let mut highest = 0;
    for group in &tile.groups {
        for (segment, bounds) in group.segments.iter().zip(&group.bounds) {
            let all: Vec<_> =
                group.mesh.vertices[segment.vertices()].iter().map(Position::quantised).collect();
            for axis in 0..3 {
                let values = || all.iter().map(|at| at[axis]);
                let ends = [bounds.min().quantised()[axis], bounds.max().quantised()[axis]];
                assert_eq!(ends, [values().min().unwrap(), values().max().unwrap()], "{what}: a box");
            }
            highest = highest.max(bounds.max().quantised()[1]);
        }
        for (face, record) in group.mesh.faces.iter().enumerate() {
            let base = group.segments[record.segment.index()].nodes().start;
            for side in 0..record.sides() {
                let node = group.world.positions[base + usize::from(record.nodes[side])].quantised();
                let (a, b) = (corner(group, face, side), corner(group, face, side + 1));
                for axis in 0..3 {
                    let off = 2 * i64::from(node[axis]) - a[axis] - b[axis];
                    assert!((-3..=3).contains(&off), "{what}: the node of side {side} of face {face}: {off}");
                }
            }
        }
        for edge in &group.world.edges {
            let base = group.segments[edge.segment().index()].nodes().start;
            let [a, b] =
                edge.local_nodes().map(|node| metres(&group.world.positions[base + usize::from(node)]));
            let length = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            let weight = (length * f64::from(frame.weight_divisor)) as i64;
            assert!((i64::from(edge.weight()) - weight).abs() <= 1, "{what}: a weight");
        }
    }
    assert_eq!(tile.search.as_ref().unwrap().y_range, highest, "{what}");
}

/// A name of a vertex at each of some places in the body of a tile that no border touches.
fn inner(tile: &FoxBuf) -> Vec<usize> {
    let group = tile.groups.last().unwrap();
    let mut border = std::collections::BTreeSet::new();
    for (face, record) in group.mesh.faces.iter().enumerate() {
        for side in (0..record.sides()).filter(|side| record.neighbours[*side] > 0x3FFF) {
            border.extend([corner(group, face, side), corner(group, face, side + 1)]);
        }
    }
    let places = group.mesh.vertices.iter().map(|at| at.quantised().map(i64::from));
    let inner: Vec<usize> =
        places.enumerate().filter(|(_, at)| !border.contains(at)).map(|(vertex, _)| vertex).collect();
    inner.iter().step_by((inner.len() / 4).max(1)).copied().collect()
}

#[test]
fn a_vertex_takes_along_all_that_shares_its_place_and_all_that_follows_from_it() {
    let mut files: Vec<(String, Vec<u8>)> = Map { holes: 0, ..Map::standalone() }.tile(0, 0).files;
    files.extend(Map { quads: true, ..Map::square(3) }.tile(1, 1).files);
    // Those of the tool do not say which vertices are whose.
    let games = meshes().into_iter().filter(|row| !row.name().starts_with("obj2nav2"));
    files.extend(games.map(|row| (row.name().to_owned(), row.read())));
    let mut raised = 0;
    for (name, bytes) in files {
        let before = FoxBuf::from_bytes(&bytes).unwrap();
        let Some(group) = before.groups.last() else { continue };
        let id = group.id.index();
        for vertex in inner(&before) {
            let at = group.mesh.vertices[vertex].quantised();
            let frame = before.head.frame();
            // As much as fits, half up and half down.
            let by = if at[1] < 32_768 { 0.2 } else { -0.2 };
            let (now, said) = after(&bytes, &format!("raise {by} V#{id}.{vertex}"));
            let tile = FoxBuf::from_bytes(&now).unwrap();
            let places = moved(&before, &tile);
            assert!(places.keys().all(|(_, place)| *place == [at[0], at[2]]), "{name}: {said:?}");
            for (old, new) in places.values() {
                assert!((new - old - by).abs() < 1.0 / f32::from(frame.divisors[1]), "{name}: {old} {new}");
            }
            let left =
                tile.groups.iter().flat_map(|group| &group.mesh.vertices).filter(|v| v.quantised() == at);
            assert_eq!(left.count(), 0, "{name}: nothing stays behind");
            assert_follows(&tile, &name);
            let new: Vec<_> = found(&now).difference(&found(&bytes)).copied().collect();
            assert!(new.is_empty(), "{name}: {new:?}");
            assert_agree(&now, &name);
            // Neighbours stay neighbours, and islands what they were.
            for (a, b) in before.groups.iter().zip(&tile.groups) {
                assert!(a.mesh.faces == b.mesh.faces && a.segments == b.segments, "{name}");
            }
            raised += 1;
        }
    }
    assert!(raised > 4, "{raised}");
}

#[test]
fn faces_and_segments_are_raised_by_their_corners_and_flattened() {
    let (_, bytes) = Map { holes: 0, ..Map::standalone() }.tile(0, 0).files.remove(0);
    let before = FoxBuf::from_bytes(&bytes).unwrap();
    let heights = |tile: &FoxBuf| -> Vec<f32> {
        let all = tile.groups.iter().flat_map(|group| &group.mesh.vertices);
        all.map(|at| tile.head.frame().world(at)[1]).collect()
    };
    let (low, high) =
        heights(&before).into_iter().fold((f32::MAX, f32::MIN), |(l, h), v| (l.min(v), h.max(v)));
    let middle = f32::midpoint(low, high);
    let (now, _) = after(&bytes, &format!("height {middle} F#4.3"));
    let tile = FoxBuf::from_bytes(&now).unwrap();
    for side in 0..3 {
        let y = corner(&tile.groups[0], 3, side)[1] as f32 / f32::from(tile.head.divisors[1]);
        assert!((y + tile.head.origin[1].get() - middle).abs() < 0.01);
    }
    assert_follows(&tile, "one face");
    let (now, _) = after(&bytes, &format!("select all; height {middle}"));
    let tile = FoxBuf::from_bytes(&now).unwrap();
    assert!(heights(&tile).iter().all(|y| (y - middle).abs() < 0.01), "flat");
    assert_follows(&tile, "flat");
    assert_eq!(found(&now), found(&bytes));
    assert!(refused(&bytes, "delete V#4.1").contains("where faces or segments were expected"));
    assert!(refused(&bytes, "attribute 1 V#4.1").contains("where segments were expected"));
    assert!(refused(&bytes, "raise 1").contains("nothing is named or selected"));
    assert!(refused(&bytes, "raise 1 V#4.99999").contains("there is no V#4.99999"));
}

#[test]
fn heights_that_do_not_fit_are_refused_or_all_are_stored_anew() {
    let (_, bytes) = Map { holes: 0, ..Map::standalone() }.tile(0, 0).files.remove(0);
    let before = FoxBuf::from_bytes(&bytes).unwrap();
    let why = refused(&bytes, "raise 500 #4.2");
    assert!(why.contains("the tile holds heights from") && why.contains("--rescale"), "{why}");
    let (now, said) = after(&bytes, "raise 500 #4.2 --rescale");
    assert!(said[0].starts_with("all heights are stored anew: "), "{said:?}");
    let tile = FoxBuf::from_bytes(&now).unwrap();
    let coarse = 2.0 / f32::from(tile.head.divisors[1]);
    let up: BTreeMap<[u16; 2], f32> = before.groups[0].mesh.vertices[before.groups[0].segments[2].vertices()]
        .iter()
        .map(|at| ([at.quantised()[0], at.quantised()[2]], 500.0))
        .collect();
    for (old, new) in before.groups[0].mesh.vertices.iter().zip(&tile.groups[0].mesh.vertices) {
        let place = [old.quantised()[0], old.quantised()[2]];
        let [a, b] = [(&before, old), (&tile, new)].map(|(tile, at)| tile.head.frame().world(at)[1]);
        assert!((b - a - up.get(&place).copied().unwrap_or(0.0)).abs() < coarse, "{a} {b}");
    }
    assert_follows(&tile, "stored anew");
    assert_eq!(found(&now), found(&bytes));
    let space = tile.search.as_ref().unwrap();
    assert!(space.origin[1].get() + space.height as f32 >= 500.0);
    assert!(refused(&bytes, "raise 70000 #4.2 --rescale").contains("do not fit a tile"));
    assert!(refused(&bytes, "raise -1e30 #4.2 --rescale").contains("do not fit a tile"));
    // What fits is not stored anew.
    let (now, said) = after(&bytes, "raise 0.01 V#4.0 --rescale");
    assert_eq!((FoxBuf::from_bytes(&now).unwrap().head, said.len()), (before.head, 1));
}

#[test]
fn what_other_tiles_find_by_place_stays_unless_it_is_asked_for() {
    let (_, bytes) = Map::square(3).tile(1, 1).files.remove(0);
    let why = refused(&bytes, "raise 0.1 group(1)");
    assert!(why.contains("lie on the border to other tiles") && why.contains("--alone"), "{why}");
    let (now, _) = after(&bytes, "raise 0.1 group(1) --alone");
    assert_eq!(found(&now), found(&bytes));
    assert_follows(&FoxBuf::from_bytes(&now).unwrap(), "alone");
}

#[test]
fn a_vertex_between_two_parts_moves_in_both() {
    let files = split();
    let one = FoxBuf::from_bytes(&files[0].1).unwrap();
    let body = one.groups.last().unwrap();
    // A face of the body in part 0 whose neighbour is in part 1, away from the borders.
    let (face, side) = body
        .mesh
        .faces
        .iter()
        .enumerate()
        .find_map(|(face, f)| {
            let to = |side: usize| f.neighbours[side] >> 14 == 1 && f.groups[side] == 5;
            Some((face, (0..f.sides()).find(|side| to(*side))?))
        })
        .unwrap();
    let at = corner(body, face, side).map(|v| v as u16);
    let vertex = body.mesh.vertices.iter().position(|v| v.quantised() == at).unwrap();
    let line = format!("raise 0.05 V#4.{vertex} --alone");
    let mut session = open_parts(&files, 0);
    session.line(&line).unwrap();
    let now = written(&session, &files, 0);
    for ((name, before), (_, bytes)) in files.iter().zip(&now) {
        let (before, tile) = (FoxBuf::from_bytes(before).unwrap(), FoxBuf::from_bytes(bytes).unwrap());
        assert_eq!(moved(&before, &tile).keys().map(|(_, at)| *at).max(), Some([at[0], at[2]]), "{name}");
        assert_follows(&tile, name);
    }
    assert_eq!(assert_joined(&now, "raised"), assert_joined(&files, "before"));
    session.undo(1);
    // Both parts get other divisors together.
    session.line("raise 400 V#5.0 --alone --rescale").unwrap();
    let now = written(&session, &files, 0);
    assert_eq!(assert_joined(&now, "stored anew"), assert_joined(&files, "before"));
    assert!(!findings(&now).contains(&"split-mismatch".to_owned()), "{:?}", findings(&now));
    // Without the other part it is refused.
    assert!(refused(&files[0].1, &format!("raise 0.05 V#4.{vertex}")).contains("another part of the tile"));
}

#[test]
fn vertices_are_found_by_number_box_and_place() {
    let (_, bytes) = Map::standalone().tile(0, 0).files.remove(0);
    let mut session = open(&bytes);
    let tile = session.editor().tile().clone();
    let at = tile.head.frame().world(&tile.groups[0].mesh.vertices[7]);
    let mut count = |selector: &str| {
        let done = session.line(&format!("select {selector}")).map_err(|refusal| refusal.to_string());
        done.map(|_| session.chosen())
    };
    let named = count("V#7").unwrap();
    assert_eq!(named, count("V#4.7").unwrap());
    let all = count("vertices(-1000,-1000,1000,1000)").unwrap();
    assert_eq!(all.len(), tile.groups[0].mesh.vertices.len());
    let [x, y, z] = at;
    for found in [count(&format!("V@{x},{z}")).unwrap(), count(&format!("V@{x},{y},{z}")).unwrap()] {
        assert!(found.len() == 1 && all.contains(&found[0]));
    }
    assert!(count("V@-900,-900").unwrap_err().contains("~V@ takes it"));
    assert_eq!(count("~V@-900,-900").unwrap().len(), 1);
    let found = session.editor().footprint(named[0]).unwrap();
    assert_eq!(
        session.editor().find_footprint("V", &found).and_then(|item| session.editor().footprint(item)),
        Some(found)
    );
    assert_eq!(session.editor().name(named[0]), "V#4.7");
    // A vertex keeps its name when those before it are gone.
    session.line("delete F#4.0").unwrap();
    let now = session.editor().name(named[0]);
    let number: usize = now.rsplit('.').next().unwrap().parse().unwrap();
    assert_eq!(session.editor().tile().groups[0].mesh.vertices[number], tile.groups[0].mesh.vertices[7]);
}
