//! Commands on waypoints: taken back to the byte, said, refused, and as scripts of differences.

use navmap::diff::Version;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::rcbot::edit::RcbotEditor;
use navmap::format::rcbot::{NodeFlags, RcbotBuf, RcbotNav};
use navmap::open::Mesh;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled_path, bundled_rows, manifest, real};
use std::ops::ControlFlow;

fn open(bytes: &[u8]) -> Session<RcbotEditor> {
    Session::new(RcbotEditor::of_nav(&RcbotNav::parse(bytes).unwrap()), SessionOptions::default())
}

fn v4() -> Vec<u8> {
    std::fs::read(bundled_path("rcbot", "v4.rcw")).unwrap()
}

/// Bundled files that can be read, and real ones.
fn files() -> Vec<(String, Vec<u8>)> {
    let folder = real().map(|real| real.join("rcw")).filter(|folder| folder.is_dir());
    let rows =
        bundled_rows("rcbot").into_iter().chain(folder.map(|folder| manifest(&folder)).unwrap_or_default());
    let read = rows.map(|row| (row.name().to_owned(), row.read()));
    read.filter(|(_, bytes)| RcbotNav::parse(bytes).is_ok()).collect()
}

fn command(rng: &mut Rng, len: u64) -> String {
    let n = |rng: &mut Rng| rng.below(len.max(1) + 1);
    let (a, b, by) = (n(rng), n(rng), rng.below(200) as i64 - 100);
    match rng.below(14) {
        0 => format!("move {by} 0 {by} #{a}"),
        1 => format!("delete #{a}+#{b}"),
        2 => format!("connect #{a} #{b} --both"),
        3 => format!("connect #{a} #{b}"),
        4 => format!("disconnect #{a} #{b}"),
        5 => format!("flag sniper,health #{a}"),
        6 => format!("unflag crouch,jump all - #{b}"),
        7 => format!("add {by},0,{by} Flags=jump Yaw={by}"),
        8 => format!("add 0,0,0 --number {}", a + b),
        9 => format!("set #{a} Origin=1,2,{by} Flags=none"),
        10 => "clean_links".to_owned(),
        11 => "undo 2".to_owned(),
        12 => "redo".to_owned(),
        _ => format!("select #{a}; disconnect #{a} #{b} --one-way"),
    }
}

fn scramble(session: &mut Session<RcbotEditor>, rng: &mut Rng) {
    for _ in 0..30 {
        let text = command(rng, session.editor().to_buf().waypoints.len() as u64);
        session.script(&text, |_| ControlFlow::Continue(()));
    }
}

#[test]
fn random_commands_are_taken_back_to_the_byte() {
    let mut rng = Rng(7);
    for (name, bytes) in files() {
        let mut session = open(&bytes);
        assert!(session.editor().encode().unwrap() == bytes, "{name}: unchanged");
        scramble(&mut session, &mut rng);
        let changed = session.editor().encode().unwrap();
        let undone = session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == bytes, "{name}: {undone} steps taken back");
        assert!(session.editor().report().is_empty(), "{name}");
        session.redo(undone);
        assert!(session.editor().encode().unwrap() == changed, "{name}: done again");
    }
}

#[test]
fn commands_do_what_they_say() {
    let bytes = v4();
    let mut session = open(&bytes);
    let mut line = |text: &str| session.line(text).unwrap().pop().unwrap().said.join("; ");
    assert_eq!(line("connect #3 #5 --both"), "#3 to #5; #5 to #3");
    assert_eq!(line("disconnect #3 #5 --one-way"), "removed 1 link");
    assert_eq!(line("flag sniper,defend #7"), "changed 1 waypoint");
    assert_eq!(line("add 1,2,3 Flags=health,rocket_jump Yaw=90 Area=2 Radius=16"), "made #11");
    assert_eq!(line("add 1,2,3 --number 6"), "made #6");
    assert_eq!(line("select isolated"), "3 selected");
    assert!(line("delete #1").starts_with("deleted 1 waypoint and "));
    assert_eq!(line("move 0 0 8"), "moved 3 waypoints");
    assert_eq!(line("set @1,2,11 Flags=none"), "changed 0 waypoints");
    let written = session.editor().encode().unwrap();
    let nav = RcbotNav::parse(&written).unwrap();
    let points: Vec<_> = nav.waypoints().collect();
    assert!(!points[1].is_used() && points[6].is_used() && points.len() == 12);
    assert!(points.iter().all(|point| point.targets().iter().all(|to| to.get() != 1)));
    assert!(points[7].flags().contains(NodeFlags::SNIPER | NodeFlags::DEFEND));
    assert_eq!((points[11].origin(), points[11].yaw()), ([1.0, 2.0, 11.0], 90));
    assert_eq!((points[11].area(), points[11].radius()), (Some(2), Some(16.0)));
    let report = session.editor().report().to_string();
    assert!(report.starts_with("waypoints: "), "{report}");
}

#[test]
fn a_link_that_led_nowhere_is_said_to_lead_to_what_is_made_there() {
    let mut buf = RcbotBuf::from(&RcbotNav::parse(&v4()).unwrap());
    buf.waypoints[0].targets.push(11);
    buf.waypoints[3].targets.push(11);
    let mut session = Session::new(RcbotEditor::new(buf), SessionOptions::default());
    let mut line = |text: &str| session.line(text).unwrap().pop().unwrap().said;
    let said = "2 links that led nowhere lead to #11 now (clean_links before add removes such links)";
    assert_eq!(line("add 1,2,3"), ["made #11", said]);
    assert_eq!(line("add 1,2,3"), ["made #12"]);
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let bytes = v4();
    let mut session = open(&bytes);
    for (text, why) in [
        ("delete", "no node is named or selected"),
        ("delete #6", "there is no #6"),
        ("connect #0 #1", "there is a link from #0 to #1 already"),
        ("connect #0 #0", "#0 and #0 are one node"),
        ("disconnect #0 #9", "no link joins #0 and #9"),
        ("flag snipre #0", "no such flag: snipre; did you mean sniper?"),
        ("flag bomb_to_open #0", "no such flag: bomb_to_open"),
        ("add 0,0", "0,0 where X,Y,Z was expected"),
        ("add 0,0,0 --number 3", "there is a #3 already"),
        ("add 0,0,0 --number 4294967295", "where a number below 65536 was expected"),
        ("set #0 Radus=3", "no such key: Radus; did you mean Radius?"),
        ("move 3e38 0 0 #0; move 3e38 0 0 #0", "#0 would lie beyond the largest number"),
        ("delete @9999,9999,9999", "no node lies there: #"),
    ] {
        let told = session.line(text).unwrap_err().to_string();
        assert!(told.contains(why), "{text}: {told}");
        session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == bytes, "{text}");
    }
}

#[test]
fn the_script_of_a_difference_makes_it() {
    let (mut rng, mut same) = (Rng(11), 0);
    for (name, bytes) in files().into_iter().step_by(3) {
        let mut session = open(&bytes);
        scramble(&mut session, &mut rng);
        let wanted = session.editor().encode().unwrap();
        let [before, after] = [&bytes, &wanted]
            .map(|bytes| Version::from_mesh(&Mesh::from_vec("a.rcw", bytes.clone()).unwrap()));
        // Odd files that no graph is made of.
        let (Ok(before), Ok(after)) = (before, after) else { continue };
        let script = before.script(&after).unwrap();
        let mut session = open(&bytes);
        session.script(&script.to_string(), |fared| {
            assert!(fared.is_ok(), "{name}: {fared:?}\n{script}");
            ControlFlow::Continue(())
        });
        let told = |bytes: &[u8]| -> Vec<String> {
            let nav = RcbotNav::parse(bytes).unwrap();
            let points: Vec<_> = nav.waypoints().collect();
            let place =
                |to: i32| usize::try_from(to).ok().and_then(|to| points.get(to)).map(|to| to.origin());
            let mut told: Vec<String> = nav
                .used()
                .map(|point| {
                    let mut links: Vec<String> =
                        point.targets().iter().map(|to| format!("{:?}", place(to.get()))).collect();
                    links.sort();
                    links.dedup();
                    format!(
                        "{:?} {} {} {:?} {links:?}",
                        point.origin(),
                        point.yaw(),
                        point.flags(),
                        point.area()
                    )
                })
                .collect();
            told.sort();
            told
        };
        if script.unreached.iter().all(|what| what.starts_with("order")) {
            let made = session.editor().encode().unwrap();
            assert!(told(&made) == told(&wanted), "{name}\n{script}");
            same += 1;
        }
    }
    assert!(same > 0);
}

#[test]
fn changes_of_two_are_merged() {
    let bytes = v4();
    let after = |script: &str| {
        let mut session = open(&bytes);
        session.line(script).unwrap();
        Version::from_mesh(&Mesh::from_vec("a.rcw", session.editor().encode().unwrap()).unwrap()).unwrap()
    };
    let base = Version::from_mesh(&Mesh::from_vec("a.rcw", bytes.clone()).unwrap()).unwrap();
    let (ours, theirs) = (after("flag health #0; delete #8"), after("connect #3 #5; flag ammo #2"));
    let merge = base.merge(&ours, &theirs).unwrap();
    assert!(merge.conflicts.is_empty());
    assert_eq!(merge.changes.to_string(), "set #2 Flags=4097\nconnect #3 #5\n");
    let clash = after("flag ammo #0");
    assert_eq!(base.merge(&ours, &clash).unwrap().conflicts.len(), 1);
}

fn version(bytes: &[u8]) -> Version {
    Version::from_mesh(&Mesh::from_vec("a.rcw", bytes.to_vec()).unwrap()).unwrap()
}

#[test]
fn a_script_says_what_it_leaves_of_any_part() {
    let bytes = v4();
    let base = version(&bytes);
    assert!(base.script(&version(&bytes)).unwrap().is_empty());
    let (mut told, mut used) = (0, 0);
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] = 3;
        let Ok(mesh) = Mesh::from_vec("a.rcw", other.clone()) else { continue };
        let Ok(after) = Version::from_mesh(&mesh) else { continue };
        if other != bytes && RcbotNav::parse(&other).is_ok() {
            let script = base.script(&after).unwrap();
            assert!(!script.is_empty(), "byte {at}");
            told += 1;
            used += u32::from(script.unreached == ["other values"]);
        }
    }
    assert!(told > 100 && used > 5, "{told} {used}");
}

#[test]
fn a_number_that_is_none_is_as_it_was() {
    let plain = v4();
    let origin = RcbotNav::parse(&plain).unwrap().waypoints().next().unwrap().origin();
    let row: Vec<u8> = origin.iter().flat_map(|value| value.to_le_bytes()).collect();
    let at = plain.windows(row.len()).position(|window| window == row).unwrap();
    let mut bytes = plain;
    bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let script = version(&bytes).script(&version(&bytes)).unwrap();
    assert!(script.is_empty(), "{:?}", script.unreached);
    let mut session = open(&bytes);
    session.line("move 1 2 3").unwrap();
    let [x, y, _] = session.editor().to_buf().waypoints[0].origin;
    assert!(x.is_nan() && y == origin[1] + 2.0);
    let refusal = session.line("move 0 3e38 0; move 0 3e38 0").unwrap_err().to_string();
    assert!(refusal.contains("beyond the largest number"), "{refusal}");
}

#[test]
fn waypoints_of_many_links_weigh_as_much_as_they_have() {
    let mut buf = open(&v4()).editor().to_buf().clone();
    buf.waypoints.truncate(2);
    for waypoint in &mut buf.waypoints {
        (waypoint.used, waypoint.targets) = (1, vec![0; 1 << 20]);
    }
    let refused = |script: String| {
        let mut session = Session::new(RcbotEditor::new(buf.clone()), SessionOptions::default());
        let mut refused = Vec::new();
        session.script(&script, |fared| {
            refused.extend(fared.err().map(|refusal| refusal.to_string()));
            ControlFlow::Continue(())
        });
        refused
    };
    let kept = refused("flag ladder #0\nunflag ladder #0\n".repeat(8));
    assert!(kept.iter().any(|why| why.contains("values kept to take back")), "{kept:?}");
    // Nothing goes, and nothing is kept: each of these only looks.
    let looked = refused("disconnect #1 #1\n".repeat(80));
    assert!(looked.iter().any(|why| why.contains("items that a script looks at")), "{:?}", looked.last());
}
