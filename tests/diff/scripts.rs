//! Scripts that turn one mesh into another, and merges.

use navmap::diff::{Diff, Parts, pairs};
use navmap::edit::Changes;
use navmap::edit::{Session, SessionOptions};
use navmap::format::AnyNav;
use navmap::format::source::edit::{SourceEditor, difference, merge, script};
use navmap::format::source::{AreaBuf, Direction, SourceBuf, SourceNav};
use navmap::graph::FlatGraph;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// A mesh and its graph.
pub(crate) struct Version(pub(crate) SourceBuf, pub(crate) FlatGraph);

impl Version {
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let nav = AnyNav::parse(bytes, None, &navmap::format::ParseOptions::new()).ok()?;
        let mesh = SourceBuf::read(&SourceNav::parse(bytes).ok()?).ok()?;
        Some(Self(mesh, nav.flat_graph().whole().ok()?))
    }
}

/// The script from one to the other, with cuts and joins.
pub(crate) fn scripted(before: &Version, after: &Version) -> Changes {
    let diff = Diff::between(&before.1, &after.1);
    let cuts = |parts: &[Parts]| parts.iter().map(|p| (p.whole, p.parts.clone())).collect::<Vec<_>>();
    let matched = pairs(&before.1, &after.1);
    script(&before.0, &after.0, &matched, [&cuts(&diff.split), &cuts(&diff.merged)]).unwrap()
}

/// Random commands about areas with these ids. Some of them are refused.
pub(crate) fn random(rng: &mut Rng, ids: &[u32], commands: usize) -> String {
    let mut text = String::new();
    for _ in 0..commands {
        let mut id = || ids[rng.below(ids.len() as u64) as usize];
        let (a, b) = (id(), id());
        let amount = rng.below(64) as f32 * 0.25 + 0.25;
        text += &match rng.below(11) {
            0 => format!("nav_delete #{a}\n"),
            1 => format!("nav_mark_attribute CROUCH #{a}\n"),
            2 => format!("nav_jump #{a}\n"),
            3 => format!("nav_corner_raise {amount} #{a}\n"),
            4 => format!("nav_connect #{a} #{b}\n"),
            5 => format!("nav_disconnect #{a} #{b}\n"),
            6 => format!("nav_shift {amount} 0 0 #{a}\n"),
            9 => format!("nav_subdivide 1 #{a}\n"),
            10 => format!("nav_merge #{a} #{b}\n"),
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
pub(crate) fn run(mesh: &SourceBuf, script: &str) -> (SourceBuf, Vec<String>) {
    let mut session = Session::new(SourceEditor::new(mesh.clone()).unwrap(), SessionOptions::default());
    let mut refused = Vec::new();
    session.script(script, |fared| {
        refused.extend(fared.err().map(|refusal| refusal.to_string()));
        ControlFlow::Continue(())
    });
    (session.editor().to_buf(), refused)
}

/// What a script can reach of a mesh, by id.
pub(crate) fn reachable(mesh: &SourceBuf) -> BTreeMap<u32, String> {
    let place = |area: &AreaBuf| match area.place {
        0 => String::new(),
        at => mesh.head.places.get(usize::from(at) - 1).map_or(String::new(), |name| format!("{name:?}")),
    };
    let text = |area: &AreaBuf| {
        let links: Vec<BTreeSet<u32>> =
            Direction::ALL.map(|side| area.connections(side).iter().map(|id| id.get()).collect()).to_vec();
        format!(
            "{:?} {:?} {:?} {:?} {} {} {links:?} {:?} {:?} {:?} {:?} {}",
            area.ladders_up,
            area.ladders_down,
            area.shape,
            area.attributes,
            area.game_attributes,
            place(area),
            area.hiding_spots,
            area.light,
            area.occupy_times,
            area.spawn_attributes,
            area.unknown_after_spawn_attributes
        )
    };
    let areas = mesh.areas.iter().map(|area| (area.id.get(), text(area)));
    let ladders = mesh.ladders.iter().map(|each| (each.ladder.id().get() + (1 << 31), format!("{each:?}")));
    areas.chain(ladders).collect()
}

/// Bundled meshes, and every second real one of fewer than 2,500 areas.
pub(crate) fn meshes() -> Vec<(String, Vec<u8>)> {
    let mut rows = manifest(&bundled().join("source"));
    if let Some(corpus) = real() {
        rows.extend(manifest(&corpus.join("source")).into_iter().step_by(2));
    }
    let mut meshes = Vec::new();
    for row in rows {
        let bytes = row.read();
        if let Some(Version(mesh, _)) = Version::parse(&bytes) {
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
        let before = Version::parse(&bytes).unwrap();
        let ids: Vec<u32> = before.0.areas.iter().map(|area| area.id.get()).collect();
        let (edited, _) = run(&before.0, &random(&mut rng, &ids, 40));
        let Some(after) = Version::parse(&edited.encode().unwrap()) else { panic!("{name}") };
        let changes = scripted(&before, &after);
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
fn cuts_joins_and_ladders_are_one_line_each() {
    let bytes = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let before = Version::parse(&bytes).unwrap();
    let edits = "nav_split #9 x=-550; nav_subdivide 1 #39; nav_merge #5 #7; ladder move L#1 5 0 0; \
        ladder add 0,0,90 0,0,10 32 north";
    let (edited, refused) = run(&before.0, edits);
    assert!(refused.is_empty(), "{refused:?}");
    let after = Version::parse(&edited.encode().unwrap()).unwrap();
    let changes = scripted(&before, &after);
    let text = changes.to_string();
    let expected = [
        "nav_split #9 x=-550 --as 801,802",
        "nav_split #39 x=950 --as 809,810",
        "nav_split #809 y=-462.5 --as 805,806",
        "nav_split #810 y=-462.5 --as 807,808",
        "nav_merge #5 #7",
        "ladder set L#1 bottom=-495,625,-48.353237 top=-495,625,111.64676",
        "ladder add L#3 bottom=0,0,10 direction=north length=80 top=0,0,90 width=32",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    assert_eq!(changes.unreached, [""; 0]);
    let (made, refused) = run(&before.0, &text);
    assert!(refused.is_empty(), "{refused:?}");
    assert!(made == edited);
    // And back: what was cut is joined, what was joined is cut.
    let back = scripted(&after, &before);
    let (made, refused) = run(&after.0, &back.to_string());
    assert!(refused.is_empty(), "{refused:?}\n{back}");
    assert_eq!(made.areas.len(), before.0.areas.len());
    assert!(
        back.to_string().contains("nav_merge #802 #801\n")
            && back.to_string().contains("nav_split #7 x=-700 --as")
    );
    let refused = run(&before.0, "nav_split #9 x=-550 --as 7,801").1;
    assert_eq!(refused, ["1:26: nav_split: there is a #7 already"]);
}

#[test]
fn a_corner_that_moved_is_one_line() {
    let bytes = std::fs::read(bundled().join("source/town.nav")).unwrap();
    let before = Version::parse(&bytes).unwrap();
    let (edited, refused) = run(&before.0, "nav_corner_raise 4 #9; nav_mark_attribute crouch #9");
    assert!(refused.is_empty(), "{refused:?}");
    let after = Version::parse(&edited.encode().unwrap()).unwrap();
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
        let base = Version::parse(&bytes).unwrap();
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
        let [ours, theirs] = [ours, theirs].map(|mesh| Version::parse(&mesh.encode().unwrap()).unwrap());
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
    let base = Version::parse(&bytes).unwrap();
    let merged = |left: &str, right: &str| {
        let [ours, theirs] =
            [left, right].map(|text| Version::parse(&run(&base.0, text).0.encode().unwrap()).unwrap());
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
    // What a value of another item names is as much in use as an end of a link.
    let (named, gone) = ("ladder set L#1 top-forward=#9", "nav_delete #9");
    let (told, changes) = merged(named, gone);
    assert_eq!(told, ["L#1: ours names #9, which theirs deleted"]);
    assert!(!changes.contains("delete"), "{changes}");
    assert_eq!(merged(gone, named).0, ["L#1: top-forward: ours deleted #9, which theirs names"]);
}

#[test]
fn what_is_no_longer_analysed_in_one_version_is_not_after_a_script_or_a_merge() {
    let bytes = std::fs::read(bundled().join("source/v16-1-csgo.nav")).unwrap();
    let base = Version::parse(&bytes).unwrap();
    assert_eq!(base.0.head.analyzed, 1);
    let ways = [
        ("nav_disconnect #1 #3", 0),
        ("nav_ladder_flip L#1", 0),
        ("ladder move L#1 1 0 0", 0),
        ("area set #1 attributes=0x55", 1),
        ("nav_strip --keep-paths", 0),
        ("nav_strip --keep-paths; area set #1 attributes=0x55", 0),
    ];
    for (text, analyzed) in ways {
        let theirs = Version::parse(&run(&base.0, text).0.encode().unwrap()).unwrap();
        assert_eq!(theirs.0.head.analyzed, analyzed, "{text}");
        let matched = [pairs(&base.1, &base.1), pairs(&base.1, &theirs.1)];
        let changes = difference(&base.0, &theirs.0, &matched[1]).unwrap();
        assert!(changes.unreached.is_empty() && !changes.is_empty(), "{text}: {:?}", changes.unreached);
        let merged = merge(&base.0, [&base.0, &theirs.0], [&matched[0], &matched[1]]).unwrap();
        for script in [changes.to_string(), merged.changes.to_string()] {
            assert_eq!(run(&base.0, &script).0.head.analyzed, analyzed, "{text}: {script}");
        }
        // Back again: no command makes a mesh count as analysed.
        let back = difference(&theirs.0, &base.0, &pairs(&theirs.1, &base.1)).unwrap();
        let told = back.unreached.iter().any(|part| part == "whether it counts as analysed");
        assert_eq!(told, analyzed == 0, "{text}: {:?}", back.unreached);
    }
    // The game's own editor keeps the word whatever is changed.
    let mut kept = base.0.clone();
    kept.areas.iter_mut().take(1).for_each(|area| area.connections.iter_mut().for_each(Vec::clear));
    let kept = Version::parse(&kept.encode().unwrap()).unwrap();
    let changes = difference(&base.0, &kept.0, &pairs(&base.1, &kept.1)).unwrap();
    assert_eq!(run(&base.0, &changes.to_string()).0.head.analyzed, 0);
    assert!(changes.unreached.iter().any(|part| part.contains("analys")), "{:?}", changes.unreached);
}
