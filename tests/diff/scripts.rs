//! Scripts that turn one mesh into another, and merges.

use navmap::diff::pairs;
use navmap::edit::{Options, Session};
use navmap::format::AnyNav;
use navmap::format::source::edit::{SourceEditor, difference, merge};
use navmap::format::source::{AreaBuf, Direction, SourceBuf, SourceNav};
use navmap::graph::FlatGraph;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// A mesh and its graph.
struct Version(SourceBuf, FlatGraph);

impl Version {
    fn of(bytes: &[u8]) -> Option<Self> {
        let nav = AnyNav::parse(bytes, None, &navmap::format::Options::new()).ok()?;
        let mesh = SourceBuf::read(&SourceNav::parse(bytes).ok()?).ok()?;
        Some(Self(mesh, nav.flat_graph().whole().ok()?))
    }
}

/// Random commands about areas with these ids. Some of them are refused.
fn script(rng: &mut Rng, ids: &[u32], commands: usize) -> String {
    let mut text = String::new();
    for _ in 0..commands {
        let mut id = || ids[rng.below(ids.len() as u64) as usize];
        let (a, b) = (id(), id());
        let amount = rng.below(64) as f32 * 0.25 + 0.25;
        text += &match rng.below(9) {
            0 => format!("nav_delete #{a}\n"),
            1 => format!("nav_mark_attribute CROUCH #{a}\n"),
            2 => format!("nav_jump #{a}\n"),
            3 => format!("nav_corner_raise {amount} #{a}\n"),
            4 => format!("nav_connect #{a} #{b}\n"),
            5 => format!("nav_disconnect #{a} #{b}\n"),
            6 => format!("nav_shift {amount} 0 0 #{a}\n"),
            7 => format!("nav_place_set #{a} --place \"Somewhere {}\" --new\n", rng.below(3)),
            _ => format!(
                "area add #{} nw={a},0,0 se={},50,{amount} ne=0 sw=1\n",
                100_000 + rng.below(50),
                a + 50
            ),
        };
    }
    text
}

/// The mesh after a script, and how many commands were refused.
fn run(mesh: &SourceBuf, script: &str) -> (SourceBuf, Vec<String>) {
    let mut session = Session::new(SourceEditor::new(mesh.clone()).unwrap(), Options::default());
    let mut refused = Vec::new();
    session.script(script, |fared| {
        refused.extend(fared.err().map(|refusal| refusal.to_string()));
        ControlFlow::Continue(())
    });
    (session.editor().to_buf(), refused)
}

/// What a script can reach of a mesh, by id.
fn reachable(mesh: &SourceBuf) -> BTreeMap<u32, String> {
    let place = |area: &AreaBuf| match area.place {
        0 => String::new(),
        at => mesh.head.places.get(usize::from(at) - 1).map_or(String::new(), |name| format!("{name:?}")),
    };
    let text = |area: &AreaBuf| {
        let links: Vec<BTreeSet<u32>> =
            Direction::ALL.map(|side| area.connections(side).iter().map(|id| id.get()).collect()).to_vec();
        format!(
            "{:?} {:?} {} {} {links:?} {:?}",
            area.shape,
            area.attributes,
            area.game_attributes,
            place(area),
            area.hiding_spots
        )
    };
    mesh.areas.iter().map(|area| (area.id.get(), text(area))).collect()
}

/// Bundled meshes, and every second real one of fewer than 2,500 areas.
fn meshes() -> Vec<(String, Vec<u8>)> {
    let mut rows = manifest(&bundled().join("source"));
    if let Some(corpus) = real() {
        rows.extend(manifest(&corpus.join("source")).into_iter().step_by(2));
    }
    let mut meshes = Vec::new();
    for row in rows {
        let bytes = row.read();
        if let Some(Version(mesh, _)) = Version::of(&bytes) {
            let ids: BTreeSet<u32> = mesh.areas.iter().map(|area| area.id.get()).collect();
            // A script names areas by id, and a link that is listed twice has no name of its own.
            if ids.len() == mesh.areas.len() && (3..2500).contains(&ids.len()) && mesh.head.version >= 5 {
                meshes.push((row.name().to_owned(), bytes));
            }
        }
    }
    assert!(meshes.len() > 10, "{}", meshes.len());
    meshes
}

#[test]
fn the_script_of_a_difference_makes_it() {
    let mut rng = Rng(15);
    for (name, bytes) in meshes() {
        let before = Version::of(&bytes).unwrap();
        let ids: Vec<u32> = before.0.areas.iter().map(|area| area.id.get()).collect();
        let (edited, _) = run(&before.0, &script(&mut rng, &ids, 40));
        let Some(after) = Version::of(&edited.encode().unwrap()) else { panic!("{name}") };
        let changes = difference(&before.0, &after.0, &pairs(&before.1, &after.1)).unwrap();
        let (made, refused) = run(&before.0, &changes.to_string());
        assert!(refused.is_empty(), "{name}: {refused:?}");
        let (wanted, made) = (reachable(&after.0), reachable(&made));
        assert_eq!(wanted.keys().collect::<Vec<_>>(), made.keys().collect::<Vec<_>>(), "{name}");
        for (id, area) in &wanted {
            assert_eq!(Some(area), made.get(id), "{name}: #{id}\n{changes}");
        }
    }
}

#[test]
fn a_corner_that_moved_is_one_line() {
    let bytes = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let before = Version::of(&bytes).unwrap();
    let (edited, refused) = run(&before.0, "nav_corner_raise 4 #9; nav_mark_attribute crouch #9");
    assert!(refused.is_empty(), "{refused:?}");
    let after = Version::of(&edited.encode().unwrap()).unwrap();
    let changes = difference(&before.0, &after.0, &pairs(&before.1, &after.1)).unwrap();
    let text = changes.to_string();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("area set #9 attributes=0x1 ne="), "{text}");
    assert!(difference(&before.0, &before.0, &pairs(&before.1, &before.1)).unwrap().is_empty());
}

#[test]
fn changes_to_different_areas_combine() {
    let mut rng = Rng(3);
    for (name, bytes) in meshes() {
        let base = Version::of(&bytes).unwrap();
        // Two groups of areas that are no neighbours: by position in the file, with a gap.
        let ids: Vec<u32> = base.0.areas.iter().map(|area| area.id.get()).collect();
        let third = ids.len() / 3;
        let plain = |rng: &mut Rng, ids: &[u32]| -> String {
            let mut text = String::new();
            for _ in 0..10 {
                let a = ids[rng.below(ids.len() as u64) as usize];
                text += &match rng.below(3) {
                    0 => format!("nav_mark_attribute CROUCH #{a}\n"),
                    1 => format!("nav_clear_attribute JUMP #{a}\n"),
                    _ => format!("area set #{a} ne={}\n", rng.below(500)),
                };
            }
            text
        };
        let (left, right) = (plain(&mut rng, &ids[..third]), plain(&mut rng, &ids[2 * third..]));
        let (ours, _) = run(&base.0, &left);
        let (theirs, _) = run(&base.0, &right);
        let (both, _) = run(&ours, &right);
        let [ours, theirs] = [ours, theirs].map(|mesh| Version::of(&mesh.encode().unwrap()).unwrap());
        let matched = [pairs(&base.1, &ours.1), pairs(&base.1, &theirs.1)];
        let merged = merge(&base.0, [&ours.0, &theirs.0], [&matched[0], &matched[1]]).unwrap();
        assert!(merged.conflicts.is_empty(), "{name}: {:?}", merged.conflicts);
        let (merged, refused) = run(&ours.0, &merged.changes.to_string());
        assert!(refused.is_empty(), "{name}: {refused:?}");
        assert_eq!(reachable(&merged), reachable(&both), "{name}");
    }
}

#[test]
fn changes_to_one_area_conflict_and_ours_stays() {
    let bytes = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let base = Version::of(&bytes).unwrap();
    let merged = |left: &str, right: &str| {
        let [ours, theirs] =
            [left, right].map(|text| Version::of(&run(&base.0, text).0.encode().unwrap()).unwrap());
        let matched = [pairs(&base.1, &ours.1), pairs(&base.1, &theirs.1)];
        let merged = merge(&base.0, [&ours.0, &theirs.0], [&matched[0], &matched[1]]).unwrap();
        let told: Vec<String> = merged.conflicts.iter().map(|c| format!("{}: {}", c.item, c.what)).collect();
        (told, merged.changes.to_string())
    };
    let (told, _) = merged("area set #9 ne=10", "area set #9 ne=20");
    assert_eq!(told, ["#9: ne: 10 in ours, 20 in theirs"]);
    let (told, changes) = merged("area set #9 ne=10", "area set #9 ne=10; nav_mark_attribute crouch #9");
    assert_eq!((told.len(), changes.as_str()), (0, "area set #9 attributes=0x1\n"));
    assert_eq!(merged("nav_delete #9", "area set #9 ne=20").0, ["#9: ours deleted it, theirs changed it"]);
    assert_eq!(merged("area set #9 ne=20", "nav_delete #9").0, ["#9: ours changed it, theirs deleted it"]);
    let (told, changes) = merged("nav_delete #9", "nav_delete #9");
    assert_eq!((told.len(), changes.as_str()), (0, ""));
}
