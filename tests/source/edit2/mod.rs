//! Commands on Source 2 meshes: against a plain model, taken back to the byte, refused, as scripts and merges, and on damaged
//! files.

mod model;

use navmap::bytes::Scratch;
use navmap::diff::Version;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::source::source2::edit::Source2Editor;
use navmap::format::source::{Source2Nav, source2::Source2Buf};
use navmap::open::Mesh;
use navmap::{Finding, NavFile, Severity};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, bundled_rows, manifest, real};
use navmap_testkit::source::{Mesh2, level2, write2};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

fn editor(bytes: &[u8]) -> navmap::Result<Source2Editor> {
    Source2Editor::of_nav(&Source2Nav::parse(bytes)?)
}

fn open(bytes: &[u8]) -> Session<Source2Editor> {
    Session::new(editor(bytes).unwrap(), SessionOptions::default())
}

fn after(bytes: &[u8], script: &str) -> Vec<u8> {
    let mut session = open(bytes);
    session.line(script).unwrap();
    session.editor().encode().unwrap()
}

fn version(bytes: &[u8]) -> Version {
    Version::from_mesh(&Mesh::from_vec("a.nav", bytes.to_vec()).unwrap()).unwrap()
}

fn read(name: &str) -> Vec<u8> {
    std::fs::read(bundled().join("source").join(name)).unwrap()
}

/// Bundled files of Source 2 that can be read, hostile ones too, and real ones.
fn files() -> Vec<(String, Vec<u8>)> {
    let real = real().map(|real| real.join("source")).filter(|folder| folder.is_dir());
    let rows = bundled_rows("source").into_iter().chain(real.iter().flat_map(|folder| manifest(folder)));
    let rows = rows.filter(|row| row.number("version").is_some_and(|version| version >= 30));
    let read = rows.map(|row| (row.name().to_owned(), row.read()));
    let files: Vec<_> = read.filter(|(_, bytes)| Source2Nav::parse(bytes).is_ok()).collect();
    assert!(files.len() >= 7, "{}", files.len());
    files
}

fn findings(bytes: &[u8]) -> Vec<Finding> {
    let mut found = Vec::new();
    let nav = Source2Nav::parse(bytes).unwrap();
    nav.check(&mut Scratch::default(), &mut |finding| found.push(finding)).unwrap();
    found
}

/// What a check finds that is no mere remark.
fn faults(bytes: &[u8]) -> usize {
    findings(bytes).iter().filter(|finding| finding.severity != Severity::Info).count()
}

/// A level whose polygons do not move.
fn still(version: u32, subversion: u32) -> Mesh2 {
    let mut mesh = level2(version, subversion, 6);
    mesh.movable.clear();
    mesh
}

fn command(rng: &mut Rng, areas: u64, corners: u64) -> String {
    let n = |rng: &mut Rng, most: u64| rng.below(most) + 1;
    let (a, b, v) = (n(rng, areas), n(rng, areas), n(rng, corners) - 1);
    match rng.below(15) {
        0 => format!("flag CROUCH,jump #{a}+#{b}"),
        1 => "unflag CROUCH_HEIGHT all".to_owned(),
        2 => format!("connect #{a} #{b} --both"),
        3 => format!("connect #{a} #{b} --edge 0 --to 2"),
        4 => format!("disconnect #{a} #{b}"),
        5 => format!("isolate #{a}"),
        6 => format!("delete #{a}+#{b}"),
        7 => format!("move 0 0 {} #{a}", v % 32),
        8 => format!("move 1 -1 0.5 #{a}+#{b}"),
        9 => format!("set V#{v} At=1.5,{b},{a}"),
        10 => "clean".to_owned(),
        11 => "undo 2".to_owned(),
        12 => "redo".to_owned(),
        13 => format!("set #{a} Attributes={b} Up=none; move 4 0 0 ladders"),
        _ => format!("select corners({a}); move 0 0 8; select isolated+flag(JUMP)+hull(1)"),
    }
}

fn scramble(session: &mut Session<Source2Editor>, rng: &mut Rng, times: usize) {
    let areas = session.editor().all().len() as u64;
    for _ in 0..times {
        let text = command(rng, areas.max(1), 4 * areas.max(1));
        session.script(&text, |_| ControlFlow::Continue(()));
    }
}

#[test]
fn every_file_is_edited_and_taken_back_to_the_byte() {
    let mut rng = Rng(7);
    let mut edited = 0;
    for (name, bytes) in files() {
        let made = match editor(&bytes) {
            Ok(made) => made,
            Err(error) => {
                assert!(error.to_string().contains("is there twice"), "{name}: {error}");
                continue;
            }
        };
        assert!(made.encode().unwrap() == bytes, "{name}: unchanged");
        assert!(made.report().is_empty(), "{name}");
        let mut session = Session::new(made, SessionOptions::default());
        scramble(&mut session, &mut rng, 30);
        let changed = session.editor().encode().unwrap();
        let errors = |bytes: &[u8]| findings(bytes).iter().filter(|f| f.severity == Severity::Error).count();
        assert!(errors(&changed) <= errors(&bytes), "{name}: {:?}", findings(&changed));
        let undone = session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == bytes, "{name}: {undone} steps taken back");
        session.redo(undone);
        assert!(session.editor().encode().unwrap() == changed, "{name}: done again");
        edited += 1;
    }
    assert!(edited >= 7, "{edited}");
}

#[test]
fn commands_do_what_they_say() {
    for (version, subversion) in [(30, 0), (32, 0), (35, 1), (36, 1)] {
        let bytes = write2(&still(version, subversion));
        let mut session = open(&bytes);
        let mut line = |text: &str| session.line(text).unwrap().pop().unwrap().said.join("; ");
        assert_eq!(line("flag avoid,0x4 #1+#2"), "changed 2 areas");
        assert_eq!(line("unflag AVOID #2"), "changed 1 area");
        // Edge 1 of an area is edge 3 of the next.
        assert_eq!(line("disconnect #2 #3"), "removed 2 links");
        assert_eq!(line("connect #2 #3"), "1 link from edge 1 of #2 to edge 3 of #3, one way");
        assert_eq!(line("connect #2 #3 --both"), "1 link from edge 1 of #2 to edge 3 of #3, and back");
        // The corner is shared with the area behind, and from version 31 on with the other hull.
        assert!(line("move 0 0 8 #2").contains("corners; "));
        assert_eq!(line("select V@64,0"), "1 selected");
        assert_eq!(line("select @100,30"), "1 selected");
        assert_eq!(line("select hull(1)"), "6 selected");
        assert_eq!(line("set L#7 TopForward=#3 Width=20 Direction=west"), "changed 1 ladder");
        assert_eq!(line("set #4 Down=L#7"), "changed 1 area");
        assert_eq!(line("move 0 0 4 ladders"), "moved 1 ladder");
        assert_eq!(line("isolate #12"), "removed 1 link");
        let report = session.editor().report();
        let told = report.to_string();
        assert!(
            told.contains("areas: ") && told.contains("corners: ") && told.contains("ladders: 1 changed"),
            "{told}"
        );
        assert_eq!(told.contains("the game's own data ("), subversion > 0, "{told}");
        let written = session.editor().encode().unwrap();
        let nav = Source2Nav::parse(&written).unwrap();
        let areas: Vec<_> = nav.areas().map(Result::unwrap).collect();
        let links = |area: usize, edge: usize| -> Vec<(u32, u32)> {
            let list = areas[area].edges().nth(edge).unwrap();
            list.iter().map(|link| (link.area().get(), link.edge())).collect()
        };
        assert_eq!((areas[0].attributes().bits(), areas[1].attributes().bits()), (0x84, 0x1_0005));
        assert_eq!((links(1, 1), links(2, 3)), (vec![(3, 3)], vec![(2, 1)]));
        let old = Source2Nav::parse(&bytes).unwrap();
        let was = old.areas().nth(1).unwrap().unwrap().corner(0).unwrap();
        let moved = [was[0], was[1], was[2] + 8.0];
        assert_eq!((areas[1].corner(0), areas[0].corner(1)), (Some(moved), Some(moved)));
        let other = if version == 30 { was } else { moved };
        assert_eq!(areas[7].corner(0), Some(other));
        let ladders = nav.after_areas().unwrap();
        let ladder = ladders.all_ladders().next().unwrap();
        assert_eq!((ladder.areas()[0].1.get(), ladder.width(), ladder.top()), (3, 20.0, [0.0, 0.0, 100.0]));
        assert_eq!(areas[3].ladders_below().iter().map(|id| id.get()).collect::<Vec<_>>(), [7]);
        assert_eq!(faults(&written), faults(&bytes));
    }
}

#[test]
fn a_whole_mesh_moves_with_its_ladders_and_a_part_says_which_stay() {
    let bytes = write2(&still(34, 0));
    let ladder_of = |bytes: &[u8]| {
        let nav = Source2Nav::parse(bytes).unwrap();
        let ladder = nav.after_areas().unwrap().all_ladders().next().unwrap();
        [ladder.bottom(), ladder.top()].map(|[.., z]| z)
    };
    let [bottom, top] = ladder_of(&bytes);
    let whole = after(&bytes, "move 0 0 128");
    assert_eq!(ladder_of(&whole), [bottom + 128.0, top + 128.0]);
    for all in ["all", "ALL", "all+ladders"] {
        assert!(after(&bytes, &format!("move 0 0 128 {all}")) == whole, "{all}");
    }
    let mut session = open(&bytes);
    let mut line = |text: &str| session.line(text).unwrap().pop().unwrap().said.join("; ");
    assert!(line("move 0 0 8 #1").ends_with("; not moved: 1 ladder of these areas"));
    assert!(!line("move 0 0 8 #1+L#7").contains("not moved"));
    // What is selected is meant, not everything.
    assert!(line("select #1; move 0 0 8").contains("not moved: 1 ladder"));
    assert_eq!(ladder_of(&session.editor().encode().unwrap()), [bottom + 8.0, top + 8.0]);
}

#[test]
fn what_goes_with_an_area_that_is_deleted() {
    for version in 30..=34 {
        let bytes = write2(&level2(version, 0, 6));
        // Both hulls stand on the last polygon, which goes with the second of them.
        let old = Source2Nav::parse(&bytes).unwrap();
        let one = after(&bytes, "delete #6");
        let both = after(&bytes, "delete #6+#12+L#7");
        let counts = |bytes: &[u8]| {
            let nav = Source2Nav::parse(bytes).unwrap();
            let after = nav.after_areas().unwrap();
            (nav.area_count(), nav.polygon_count(), nav.vertices().len(), after.all_ladders().count())
        };
        let (areas, polygons, vertices, ladders) = counts(&bytes);
        assert_eq!(counts(&one), (areas - 1, polygons, vertices, ladders));
        let fewer = if version == 30 { (0, 0) } else { (1, 2) };
        assert_eq!(counts(&both), (areas - 2, polygons - fewer.0, vertices - fewer.1, ladders - 1));
        let nav = Source2Nav::parse(&both).unwrap();
        for area in nav.areas().map(Result::unwrap) {
            let was = old.areas().map(Result::unwrap).find(|was| was.id() == area.id()).unwrap();
            assert!(area.corners().eq(was.corners()), "version {version}: #{}", area.id());
            assert!(area.edges().flatten().all(|link| ![6, 12].contains(&link.area().get())));
            assert!(area.ladders_above().is_empty() && area.ladders_below().is_empty());
        }
        let nav = Source2Nav::parse(&one).unwrap();
        let ends = nav.after_areas().unwrap().all_ladders().next().unwrap().areas();
        assert!(ends.iter().all(|(_, area)| area.get() != 6), "version {version}");
        assert!(faults(&both) <= faults(&bytes) && faults(&one) <= faults(&bytes));
    }
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    for (name, command, why) in [
        (
            "v35-1.nav",
            "delete #1",
            "would be about what is gone, and cannot be rewritten: isolate keeps bots away",
        ),
        ("v36-1.nav", "delete L#7", "the game's own data"),
        ("v35-1.nav", "move 0 0 8 #1", "is one of moving mesh 0"),
        ("v34.nav", "delete all", "no area would be left"),
        ("v34.nav", "delete V#0", "goes with the areas around it"),
        ("v34.nav", "delete #999", "there is no #999"),
        ("v34.nav", "move 0 0 99999 #1", "the world ends at 16384"),
        ("v34.nav", "move 400 0 0 V#0+V#1", "no longer convex seen from above"),
        ("v34.nav", "connect #1 #1", "are one node"),
        ("v34.nav", "connect #1 #2 --edge 4", "where an edge below 4 was expected"),
        ("v34.nav", "connect #1 L#7", "L#7 is no area"),
        ("v34.nav", "set #1 At=1,2,3", "no such value here: At"),
        ("v34.nav", "set #1 Atributes=1", "did you mean Attributes?"),
        ("v34.nav", "set L#7 BottomLeft=#1", "is stored from version 35 on"),
        ("v34.nav", "set L#7 TopLeft=7", "where #ID was expected"),
        ("v34.nav", "set #1 Up=L#9", "there is no L#9"),
        ("v34.nav", "flag crowch #1", "did you mean CROUCH?"),
        ("v34.nav", "select @-900,0", "no area lies there"),
        ("v34.nav", "select hul(0)", "did you mean hull?"),
        ("v34.nav", "disconnect #1 #4", "no such link joins #1 and #4"),
    ] {
        let bytes = read(name);
        let mut session = open(&bytes);
        let refusal = session.line(command).unwrap_err().to_string();
        assert!(refusal.contains(why), "{name}: {command}: {refusal}");
        assert!(session.editor().encode().unwrap() == bytes, "{name}: {command}");
    }
    let mesh = still(34, 0);
    let hull = format!("connect #1 #{}", mesh.areas.len());
    let refusal = open(&write2(&mesh)).line(&hull).unwrap_err().to_string();
    assert!(refusal.contains("hulls are meshes of their own"), "{refusal}");
    // Where the game's data may become wrong, nothing is numbered anew that it may name.
    let bytes = write2(&still(35, 1));
    let mut editor = editor(&bytes).unwrap();
    editor.force_odd(true);
    let mut session = Session::new(editor, SessionOptions::default());
    session.line("delete #6+#12").unwrap();
    let written = session.editor().encode().unwrap();
    let (old, nav) = (Source2Nav::parse(&bytes).unwrap(), Source2Nav::parse(&written).unwrap());
    assert_eq!((nav.area_count(), nav.polygon_count()), (old.area_count() - 2, old.polygon_count()));
    let game = |nav: &Source2Nav<'_>| nav.after_areas().unwrap().game_data().unwrap().bytes().to_vec();
    assert!(game(&old) == game(&nav));
}

#[test]
fn an_outline_that_is_no_longer_convex_is_said_of_a_corner() {
    let mut session = open(&write2(&still(34, 0)));
    let said = session.line("set V#0 At=60,60,0").unwrap().pop().unwrap().said.join("; ");
    assert!(
        said.contains("no longer convex seen from above") && said.ends_with("changed 1 corner"),
        "{said}"
    );
}

#[test]
fn a_script_of_differences_makes_the_other_version_to_the_byte() {
    let mut rng = Rng(3);
    let (mut whole, mut partly) = (0, 0);
    let made = [30, 31, 33, 34, 36].map(|version| {
        (format!("made {version}"), write2(&still(version, if version == 36 { 1 } else { 0 })))
    });
    for (name, bytes) in made.into_iter().chain(files()) {
        if editor(&bytes).is_err() {
            continue;
        }
        for times in [1, 3, 8] {
            let mut session = open(&bytes);
            scramble(&mut session, &mut rng, times);
            let wanted = session.editor().encode().unwrap();
            let script = version(&bytes).script(&version(&wanted)).unwrap();
            let mut session = open(&bytes);
            session.script(&script.to_string(), |fared| {
                assert!(fared.is_ok(), "{name}: {fared:?}\n{script}");
                ControlFlow::Continue(())
            });
            if script.unreached.is_empty() {
                assert!(session.editor().encode().unwrap() == wanted, "{name}\n{script}");
                whole += 1;
            } else {
                partly += 1;
            }
        }
    }
    assert!(whole > partly && whole > 20, "{whole} whole, {partly} partly");
}

#[test]
fn a_script_says_what_changed_and_what_no_command_can_change() {
    let bytes = write2(&still(34, 0));
    let script = "delete #6+#12; flag CROUCH #1; disconnect #2 #3; connect #1 #3 --edge 0 --to 2; set V#4 At=130,2,5; set L#7 TopLeft=#3";
    let changed = after(&bytes, script);
    let told = version(&bytes).script(&version(&changed)).unwrap();
    assert_eq!(
        told.to_string(),
        "delete #6\ndelete #12\nset #1 Attributes=CROUCH\nset L#7 TopLeft=#3\nset V#4 At=130,2,5\n\
         disconnect #2 #3 --edge 1\ndisconnect #3 #2 --edge 3\nconnect #1 #3 --edge 0 --to 2\n"
    );
    assert!(told.unreached.is_empty() && after(&bytes, &told.to_string()) == changed, "{:?}", told.unreached);
    let mut mesh = still(34, 0);
    mesh.flags = 0;
    let more = level2(34, 0, 7);
    let told = version(&bytes).script(&version(&write2(&mesh))).unwrap();
    assert_eq!(told.unreached, ["version and flags"]);
    let told = version(&bytes).script(&version(&write2(&more))).unwrap();
    assert!(
        told.unreached.iter().any(|what| what.starts_with("outlines of new ones")),
        "{:?}",
        told.unreached
    );
}

#[test]
fn changes_of_two_are_merged() {
    for (format, subversion) in [(30, 0), (34, 0)] {
        let bytes = write2(&still(format, subversion));
        let side = |script: &str| version(&after(&bytes, script));
        let base = version(&bytes);
        let ours = side("flag CROUCH #1; delete #6+#12; move 0 0 8 #2");
        let theirs = side("flag AVOID #3; disconnect #3 #4; move 0 0 -8 #5");
        let merge = base.merge(&ours, &theirs).unwrap();
        assert!(merge.conflicts.is_empty(), "{:?}", merge.conflicts);
        let merged = ours.apply(merge).unwrap();
        assert!(merged.refused.is_empty(), "{:?}", merged.refused);
        let both = after(
            &bytes,
            "flag CROUCH #1; flag AVOID #3; disconnect #3 #4; move 0 0 8 #2; move 0 0 -8 #5; delete #6+#12",
        );
        assert!(merged.encode().unwrap() == both, "version {format}");
        let clash = base.merge(&side("flag CROUCH #1"), &side("flag AVOID,0x80000000000 #1")).unwrap();
        let what: Vec<&str> = clash.conflicts.iter().map(|conflict| conflict.what.as_str()).collect();
        assert!(
            what.iter().any(|what| what.contains("CROUCH") && what.contains("AVOID,8796093022208")),
            "{what:?}"
        );
        for (left, right) in [
            ("flag CROUCH #1", "flag AVOID #1"),
            ("move 0 0 8 #2", "move 0 0 4 #2"),
            ("delete #6+#12", "move 0 0 4 #6"),
            ("delete #3", "set L#7 TopLeft=#3"),
            ("delete L#7", "set #3 Up=L#7"),
            ("connect #1 #3 --edge 0 --to 2", "connect #1 #3 --edge 0 --to 1"),
            ("delete #3", "connect #1 #3 --edge 0 --to 1"),
        ] {
            let (ours, theirs) = (side(left), side(right));
            for sides in [[&ours, &theirs], [&theirs, &ours]] {
                let merge = base.merge(sides[0], sides[1]).unwrap();
                assert!(!merge.conflicts.is_empty(), "version {format}: {left} | {right}");
                assert!(sides[0].apply(merge).unwrap().refused.is_empty(), "{left} | {right}");
            }
            assert!(base.merge(&ours, &side(left)).unwrap().conflicts.is_empty(), "{left} twice");
        }
    }
}

#[test]
fn an_area_that_moved_is_never_deleted() {
    let mut rng = Rng(41);
    for (name, bytes) in files() {
        let Ok(made) = editor(&bytes) else { continue };
        let areas = made.all();
        let names: Vec<String> = areas.iter().map(|area| made.name(*area)).collect();
        for _ in 0..if names.is_empty() { 0 } else { 8 } {
            let mut session = open(&bytes);
            for _ in 0..=rng.below(3) {
                let area = &names[rng.below(names.len() as u64) as usize];
                let far = 50 * (rng.below(9) + 1);
                let text = format!("move {far} 0 {far} {area}; set V#{} Own=68,6,-2.9", rng.below(12));
                session.script(&text, |_| ControlFlow::Continue(()));
            }
            let moved = session.editor().encode().unwrap();
            let (base, theirs) = (version(&bytes), version(&moved));
            let script = base.script(&theirs).unwrap();
            assert!(!script.to_string().contains("delete"), "{name}\n{script}");
            let merged = base.apply(base.merge(&base, &theirs).unwrap()).unwrap();
            assert!(merged.is_clean(), "{name}: {:?} {:?}", merged.merge.conflicts, merged.refused);
            let merged = merged.encode().unwrap();
            assert_eq!(editor(&merged).unwrap().all().len(), names.len(), "{name}");
            assert!(merged == moved || !script.unreached.is_empty(), "{name}\n{script}");
        }
    }
}

#[test]
fn what_a_check_finds_is_mended_by_the_command_that_it_names() {
    let mut mesh = still(34, 0);
    mesh.areas[0].edges[0] = vec![(999, 0), (1, 2), (2, 9), (2, 0), (2, 0)];
    mesh.areas[1].above = vec![55];
    mesh.ladders[0].areas[2] = 777;
    let bytes = write2(&mesh);
    let found: BTreeSet<&str> = findings(&bytes).iter().map(|finding| finding.code).collect();
    let mut session = open(&bytes);
    let said = session.line("clean").unwrap().pop().unwrap().said.join("; ");
    assert_eq!(said, "removed 6 links");
    let left: BTreeSet<&str> =
        findings(&session.editor().encode().unwrap()).iter().map(|finding| finding.code).collect();
    for fix in Source2Editor::fixes() {
        assert!(found.contains(fix.code) && !left.contains(fix.code), "{}", fix.code);
    }
}

#[test]
fn damaged_meshes_are_edited_or_refused_and_never_end_the_program() {
    let mut rng = Rng(11);
    for version in 30..=36 {
        let sound = write2(&level2(version, u32::from(version >= 35), 3));
        let mut edited = 0;
        for at in 0..sound.len() {
            let mut flipped = sound.clone();
            flipped[at] ^= 1 << rng.below(8);
            for bytes in [&flipped[..], &sound[..at]] {
                let Ok(editor) = editor(bytes) else { continue };
                assert!(editor.encode().unwrap() == bytes, "version {version}: byte {at}");
                let mut session = Session::new(editor, SessionOptions::default());
                scramble(&mut session, &mut rng, 4);
                let written = session.editor().encode().unwrap();
                assert!(
                    Source2Nav::parse(&written).is_ok_and(|nav| nav.after_areas().is_ok()),
                    "{version}: {at}"
                );
                session.undo(usize::MAX);
                assert!(session.editor().encode().unwrap() == bytes, "version {version}: byte {at}");
                edited += 1;
            }
        }
        assert!(edited > 300, "version {version}: {edited}");
    }
}

#[test]
fn a_corner_that_was_nowhere_stays_there_while_others_move() {
    let plain = read("v31.nav");
    let buf = Source2Buf::read(&Source2Nav::parse(&plain).unwrap()).unwrap();
    let [_, y, _] = buf.vertices[0].to_array();
    let row: Vec<u8> = buf.vertices[0].to_array().iter().flat_map(|value| value.to_le_bytes()).collect();
    let at = plain.windows(row.len()).position(|window| window == row).unwrap();
    let mut bytes = plain;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let moved = after(&bytes, "move 0 2 0 all");
    let [x, now, _] = Source2Buf::read(&Source2Nav::parse(&moved).unwrap()).unwrap().vertices[0].to_array();
    assert!(x.is_nan() && now == y + 2.0);
}
