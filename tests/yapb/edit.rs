//! Commands on waypoints: taken back to the byte, said, refused, and as scripts of differences.

use navmap::diff::Version;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::yapb::edit::YapbEditor;
use navmap::format::yapb::{LinkFlags, NodeFlags, PwfNav, YapbBuf, YapbNav};
use navmap::open::Mesh;
use navmap::{Finding, Limits, NavFile, bytes::Scratch};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled_path, bundled_rows, manifest, real};
use std::ops::ControlFlow;

fn buf(bytes: &[u8]) -> Option<YapbBuf> {
    match YapbNav::parse(bytes, &Limits::default()) {
        Ok(nav) => Some(YapbBuf::from(&nav)),
        Err(_) => PwfNav::parse(bytes).ok().map(|nav| YapbBuf::from(&nav)),
    }
}

fn open(bytes: &[u8]) -> Session<YapbEditor> {
    Session::new(YapbEditor::new(buf(bytes).unwrap()), SessionOptions::default())
}

fn bundled(name: &str) -> Vec<u8> {
    std::fs::read(bundled_path("yapb", name)).unwrap()
}

/// Bundled files that can be read, and some real ones.
fn files() -> Vec<(String, Vec<u8>)> {
    let odd = manifest(&navmap_testkit::corpus::bundled().join("odd/yapb"));
    let real = real().map(|real| real.join("yapb")).filter(|folder| folder.is_dir());
    let real = real.map(|folder| manifest(&folder)).unwrap_or_default();
    let step = real.len().div_ceil(20).max(1);
    let rows = bundled_rows("yapb").into_iter().chain(odd).chain(real.into_iter().step_by(step));
    let read = rows.map(|row| (row.name().to_owned(), row.read()));
    read.filter(|(_, bytes)| buf(bytes).is_some()).collect()
}

fn command(rng: &mut Rng, len: u64) -> String {
    let n = |rng: &mut Rng| rng.below(len.max(1) + 1);
    let (a, b, by) = (n(rng), n(rng), rng.below(200) as i64 - 100);
    match rng.below(17) {
        0 => format!("move {by} 0 {by} #{a}"),
        1 => format!("delete #{a}+#{b}"),
        2 => format!("connect #{a} #{b} --both"),
        3 => format!("connect #{a} #{b} --jump Velocity={by},0,250.5"),
        4 => format!("disconnect #{a} #{b}"),
        5 => format!("flag camp,sniper #{a}"),
        6 => format!("unflag crouch,goal all - #{b}"),
        7 => format!("add {by},0,{by} Flags=goal Radius=32"),
        8 => format!("add 0,0,0 --number {}", a + b),
        9 => format!("set #{a} Origin=1,2,{by} Flags=none Light={}", a + 1),
        10 => "clean_links".to_owned(),
        11 => "undo 2".to_owned(),
        12 => "redo".to_owned(),
        13 => format!("measure #{a}; number"),
        14 => format!("set_link #{a} #{b} Flags=none Velocity=0,0,0 Distance={}", b + 1),
        15 => format!("set #{a} CampStart=0,{by},0 Radius={b}"),
        _ => format!("select #{a}; disconnect #{a} #{b} --one-way"),
    }
}

fn scramble(session: &mut Session<YapbEditor>, rng: &mut Rng, times: usize) {
    for _ in 0..times {
        let text = command(rng, session.editor().all().len() as u64);
        session.script(&text, |_| ControlFlow::Continue(()));
    }
}

#[test]
fn random_commands_are_taken_back_to_the_byte() {
    let mut rng = Rng(7);
    for (name, bytes) in files() {
        let mut session = open(&bytes);
        assert!(session.editor().encode().unwrap() == bytes, "{name}: unchanged");
        scramble(&mut session, &mut rng, 30);
        let changed = session.editor().encode().unwrap();
        assert!(buf(&changed).is_some(), "{name}: what is written can be read");
        let undone = session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == bytes, "{name}: {undone} steps taken back");
        assert!(session.editor().report().is_empty(), "{name}");
        session.redo(undone);
        assert!(session.editor().encode().unwrap() == changed, "{name}: done again");
    }
}

#[test]
fn commands_do_what_they_say() {
    let bytes = bundled("v2.graph");
    let mut session = open(&bytes);
    let mut line = |text: &str| session.line(text).unwrap().pop().unwrap().said.join("; ");
    assert_eq!(line("connect #3 #5 --both"), "#3 to #5; #5 to #3");
    assert_eq!(line("disconnect #3 #5 --one-way"), "removed 1 link");
    assert_eq!(line("connect #2 #5 --jump Velocity=1,2,250.5"), "#2 to #5");
    assert_eq!(line("set_link #4 #5 Flags=none Velocity=0,0,0"), "changed 1 link");
    assert_eq!(line("flag camp,sniper #2"), "changed 1 waypoint");
    assert_eq!(line("add 1,2,36 Flags=goal Radius=32 Light=7"), "made #12");
    assert_eq!(line("select isolated"), "1 selected");
    assert_eq!(line("delete #1"), "deleted 1 waypoint and 6 links");
    assert_eq!(line("measure"), "measured 0 links");
    assert_eq!(line("move 0 0 80 #0"), "moved 1 waypoint");
    // Both ends move: the length stays.
    assert_eq!(line("set_link #8 #9 Distance=7"), "changed 1 link");
    assert_eq!(line("move 0 0 8 #8+#9"), "moved 2 waypoints");
    assert_eq!(line("set @1,2,36 Flags=none"), "changed 1 waypoint");
    let written = session.editor().encode().unwrap();
    let nav = YapbNav::parse(&written, &Limits::default()).unwrap();
    let nodes = nav.nodes();
    assert!(nodes.len() == 12 && nodes.iter().zip(0..).all(|(node, number)| node.number() == number));
    // Those after the one that was deleted are numbered anew, and links go with them.
    let camp = &nodes[1];
    assert_eq!((camp.origin(), camp.flags()), ([400.0, 0.0, 36.0], NodeFlags::CAMP | NodeFlags::SNIPER));
    let (_, jump) = camp.links().find(|(_, link)| link.target() == 4).unwrap();
    assert_eq!((jump.flags(), jump.velocity(), jump.distance()), (LinkFlags::JUMP, [1.0, 2.0, 250.5], 477));
    let far = |from: usize, to: i16| {
        nodes[from].links().find(|(_, link)| link.target() == to).unwrap().1.distance()
    };
    assert_eq!((far(0, 4), far(4, 0), far(7, 8)), (272, 272, 7));
    assert_eq!(
        (nodes[11].radius(), nodes[11].light(), nodes[11].flags()),
        (Some(32.0), Some(7.0), NodeFlags(0))
    );
    assert_eq!(nav.extension().author(), Some("Zoë".as_bytes()));
    let report = session.editor().report().to_string();
    assert!(report.starts_with("waypoints: "), "{report}");
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let refused = |file: &str, cases: &[(&str, &str)]| {
        let bytes = bundled(file);
        let mut session = open(&bytes);
        for (text, why) in cases {
            let told = session.line(text).unwrap_err().to_string();
            assert!(told.contains(why), "{text}: {told}");
            session.undo(usize::MAX);
            assert!(session.editor().encode().unwrap() == bytes, "{text}");
        }
    };
    refused(
        "v2.graph",
        &[
            ("delete", "no node is named or selected"),
            ("delete #12", "there is no #12"),
            ("connect #0 #1", "there is a link from #0 to #1 already"),
            ("connect #0 #0", "#0 and #0 are one node"),
            ("connect #2 #9 --both --jump Velocity=1,2,3", "connect each way"),
            ("set_link #0 #9 Flags=jump", "there is no link from #0 to #9"),
            ("set_link #0 #1 Flag=jump", "no such key: Flag; did you mean Flags?"),
            ("set_link #0 #1", "nothing to set: Flags, Velocity, Distance"),
            ("disconnect #0 #9", "no link joins #0 and #9"),
            ("flag snipre #0", "no such flag: snipre; did you mean sniper?"),
            ("add 0,0", "0,0 where X,Y,Z was expected"),
            ("add 0,0,0 --number 3", "there is a #3 already"),
            ("add 0,0,0 --number 32768", "where a number below 32768 was expected"),
            ("set #0 Radus=3", "no such key: Radus; did you mean Radius?"),
            ("move 3e38 0 0 #0; move 3e38 0 0 #0", "#0 would lie beyond the largest number"),
            ("delete @9999,9999,9999", "no node lies there: #"),
        ],
    );
    refused(
        "v5.pwf",
        &[
            ("connect #0 #9", "#0 has 4 links, and no more fit"),
            ("connect #9 #1 --jump", "a .pwf of version 5 does not store how a link is passed"),
            ("set_link #0 #1 Velocity=0,0,1", "a .pwf of version 5 does not store how a link is passed"),
            ("set #0 Light=3", "a .pwf of version 5 does not store it"),
            ("set #0 CampStart=0,90,4", "a .pwf of version 5 does not store it"),
        ],
    );
}

#[test]
fn the_script_of_a_difference_makes_it_to_the_byte() {
    let mut rng = Rng(11);
    let (mut whole, mut partly) = (0, 0);
    for (name, bytes) in files() {
        for times in [3, 30] {
            let mut session = open(&bytes);
            scramble(&mut session, &mut rng, times);
            let wanted = session.editor().encode().unwrap();
            let path = if bytes.starts_with(b"PODWAY") { "a.pwf" } else { "a.graph" };
            let [before, after] = [&bytes, &wanted]
                .map(|bytes| Version::from_mesh(&Mesh::from_vec(path, bytes.clone()).unwrap()));
            // Odd files that no graph is made of.
            let (Ok(before), Ok(after)) = (before, after) else { continue };
            let script = before.script(&after).unwrap();
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
    assert!(whole > 5, "{whole} of {}", whole + partly);
}

#[test]
fn what_leads_nowhere_leads_to_a_waypoint_that_is_made_there() {
    // #2 has a link to #12, and the last is #11.
    let (_, bytes) = files().into_iter().find(|(name, _)| name == "hostile/targets.graph").unwrap();
    let version =
        |bytes: &[u8]| Version::from_mesh(&Mesh::from_vec("a.graph", bytes.to_vec()).unwrap()).unwrap();
    for script in [
        "add 1,2,3 --number 12\n",
        "add 1,2,3 --number 12\nset_link #2 #12 Distance=7\n",
        "add 1,2,3 --number 12\nset #2 Origin=400,0,40\n",
        "add 1,2,3 --number 12\ndisconnect #2 #12 --one-way\n",
    ] {
        let mut session = open(&bytes);
        session.line(&script.trim_end().replace('\n', "; ")).unwrap();
        let wanted = session.editor().encode().unwrap();
        let told = version(&bytes).script(&version(&wanted)).unwrap();
        assert_eq!((told.to_string().as_str(), told.unreached.is_empty()), (script, true));
    }
}

#[test]
fn a_link_that_led_nowhere_is_said_to_lead_to_what_is_made_there() {
    let (_, bytes) = files().into_iter().find(|(name, _)| name == "hostile/targets.graph").unwrap();
    let mut session = open(&bytes);
    let mut line = |text: &str| session.line(text).unwrap().pop().unwrap().said;
    assert_eq!(
        line("add 1,2,3"),
        ["made #12", "1 link that led nowhere leads to #12 now (clean_links before add removes such links)"]
    );
    assert_eq!(line("add 4,5,6"), ["made #13"]);
    let mut session = open(&bytes);
    session.line("clean_links").unwrap();
    assert_eq!(session.line("add 1,2,3").unwrap().pop().unwrap().said, ["made #12"]);
}

#[test]
fn a_link_of_a_waypoint_to_itself_is_removed_as_any_other() {
    let (_, bytes) = files().into_iter().find(|(name, _)| name == "odd/values.graph").unwrap();
    let mut session = open(&bytes);
    let said = |session: &mut Session<YapbEditor>| {
        session.line("disconnect #0 #0").map(|mut done| done.remove(0).said)
    };
    assert_eq!(said(&mut session).unwrap(), ["removed 1 link"]);
    assert!(said(&mut session).unwrap_err().to_string().contains("no link joins #0 and #0"));
}

#[test]
fn an_unknown_version_without_waypoints_is_not_written() {
    let (_, bytes) = files().into_iter().find(|(name, _)| name == "v8.pwf").unwrap();
    let mut session = open(&bytes);
    session.line("delete all").unwrap();
    let why = session.editor().encode().unwrap_err().to_string();
    assert!(why.contains("of version 8 nothing else shows how they are laid out"), "{why}");
    session.line("add 1,2,3").unwrap();
    assert_eq!(buf(&session.editor().encode().unwrap()).unwrap().nodes.len(), 1);
}

#[test]
fn changes_of_two_are_merged() {
    let bytes = bundled("v2.graph");
    let version = |bytes: Vec<u8>| Version::from_mesh(&Mesh::from_vec("a.graph", bytes).unwrap()).unwrap();
    let after = |script: &str| {
        let mut session = open(&bytes);
        session.line(script).unwrap();
        version(session.editor().encode().unwrap())
    };
    let base = version(bytes.clone());
    let (ours, theirs) = (after("flag camp #0; delete #8"), after("connect #3 #5; flag goal #2+#9"));
    let merge = base.merge(&ours, &theirs).unwrap();
    assert!(merge.conflicts.is_empty());
    // Ours calls #9 by another number.
    assert_eq!(merge.changes.to_string(), "set #2 Flags=16\nset #8 Flags=20\nconnect #3 #5\n");
    let clash = after("flag goal #0");
    assert_eq!(base.merge(&ours, &clash).unwrap().conflicts.len(), 1);
}

#[test]
fn what_a_check_finds_is_mended_by_the_command_that_it_names() {
    let found = |bytes: &[u8], code: &str| {
        let nav = YapbNav::parse(bytes, &Limits::default()).unwrap();
        let mut count = 0;
        nav.check(&mut Scratch::new(), &mut |found: Finding| count += usize::from(found.code == code))
            .unwrap();
        count
    };
    let odd = std::fs::read(bundled_path("odd/yapb", "values.graph")).unwrap();
    let mut mended = 0;
    for fix in YapbEditor::fixes() {
        let mut session = open(&odd);
        mended += usize::from(found(&odd, fix.code) > 0);
        session.line(fix.command).unwrap();
        assert_eq!(found(&session.editor().encode().unwrap(), fix.code), 0, "{}", fix.code);
    }
    assert!(mended > 2, "{mended}");
}

#[test]
fn a_waypoint_that_was_nowhere_stays_there_while_others_move() {
    let plain = buf(&bundled("v7.pwf")).unwrap();
    let mut other = plain.clone();
    let [_, y, z] = plain.nodes[0].origin();
    other.nodes[0].set_origin([f32::NAN, y, z]);
    let mut session = Session::new(YapbEditor::new(other), SessionOptions::default());
    session.line("move 1 2 3").unwrap();
    let [a, b, c] = session.editor().to_buf().nodes[0].origin();
    assert!(a.is_nan() && (b, c) == (y + 2.0, z + 3.0));
    assert!(session.line("move 0 3e38 0; move 0 3e38 0").is_err());
}
