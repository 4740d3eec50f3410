//! Commands over a graph of Source.

use super::support::{Kind, read, rows};
use navmap_core::edit::{Editor, Session, SessionOptions};
use navmap_nodegraph::edit::{NodEditor, NodeGraphEditor};
use navmap_nodegraph::{AinNav, Hint, Hull, Moves, NodNav, NodeKind};
use navmap_testkit::nodegraph::sample;

fn session(bytes: &[u8]) -> Session<NodeGraphEditor> {
    Session::new(NodeGraphEditor::of_nav(&AinNav::parse(bytes).unwrap()), SessionOptions::default())
}

fn refused(session: &mut Session<NodeGraphEditor>, line: &str) -> String {
    session.line(line).unwrap_err().to_string()
}

#[test]
fn every_verb_changes_the_graph_and_undo_gives_the_file_back() {
    let bytes = sample().ain(37, 12, 10);
    let mut session = session(&bytes);
    for line in [
        "add 50,50,40 Floor=0 Yaw=45 HammerId=500",
        "add 50,50,300 Kind=air",
        "set #0 Kind=climb Yaw=180",
        "delete #12",
        "connect #12 #3",
        "connect #3 #5 jump --hulls human,tiny",
        "disconnect #0 #2",
        "moves #0 #1 none --hulls large,hull9",
        "flag hull_large,dont_drop #1",
        "unflag hull_human #10",
        "move 10 0 -5 zone(5)",
        "select box(0,0,0,300,300,100); move 1 1 1",
        "set #0 Kind=air",
        "number_zones",
    ] {
        let before = session.editor().encode().unwrap();
        let outcome = session.line(line);
        if line == "connect #12 #3" {
            assert!(outcome.unwrap_err().to_string().contains("there is no #12"));
            continue;
        }
        outcome.unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
        let after = session.editor().encode().unwrap();
        assert!(after != before || line == "number_zones", "{line}");
        read(Kind::Ain, &after).unwrap();
        session.line("undo").unwrap_or_default();
        session.line("redo").unwrap_or_default();
        assert!(session.editor().encode().unwrap() == after, "{line}");
    }
    assert_eq!(session.editor().report().to_string().lines().last(), Some("zones: numbered again"));
    session.line("undo all").unwrap();
    assert!(session.editor().encode().unwrap() == bytes);
    assert_eq!(session.editor().report().to_string(), "nothing changed");
}

#[test]
fn what_was_changed_is_what_is_written() {
    let bytes = sample().ain(37, 12, 10);
    let mut session = session(&bytes);
    session
        .line("delete #0; connect #1 #12 --hulls human,tiny; moves #2 #3 jump+climb --hulls human")
        .unwrap();
    session.line("add 0,0,10 Floor=-6 Kind=ground; add 0,0,64 kind=air").unwrap();
    let written = session.editor().encode().unwrap();
    let nav = AinNav::parse(&written).unwrap();
    assert_eq!((nav.nodes().len(), nav.links().len(), nav.hulls()), (14, 12 - 3 + 1, 10));
    let link = |a, b| nav.links().iter().find(|link| (link.source(), link.target()) == (a, b)).unwrap();
    let joined = link(0, 11);
    assert_eq!(
        (joined.moves(Hull(0)), joined.moves(Hull(3)), joined.moves(Hull(1))),
        (Moves(1), Moves(1), Moves(0))
    );
    assert_eq!(link(1, 2).moves(Hull(0)), Moves::JUMP | Moves::CLIMB);
    let made = nav.nodes().get(12).unwrap();
    assert!((made.offsets()[0].get() + 15.9).abs() < 1e-5 && (made.offsets()[8].get() - 22.1).abs() < 1e-5);
    let air = nav.nodes().get(13).unwrap();
    assert_eq!((air.kind(), air.offsets()[1].get(), air.zone()), (NodeKind::AIR, 0.0, 1));
    // The node that was alone is of the yard now.
    assert_eq!(nav.nodes().get(11).unwrap().zone(), 4);
    let found = read(Kind::Ain, &written).unwrap().found;
    assert!(found.iter().all(|finding| !finding.severity.counts()), "{found:?}");
    assert_eq!(nav.hammer_ids()[0].get(), 102);
}

#[test]
fn a_refused_command_changes_nothing_and_says_why() {
    let bytes = sample().ain(37, 12, 10);
    let mut session = session(&bytes);
    for (line, why) in [
        ("connect #0 #1", "1:1: connect: a link joins #0 and #1 already (moves changes it)"),
        ("connect #0 #0", "1:12: connect: #0 and #0 are one node"),
        ("connect #0 #12 none", "1:1: connect: a link that no hull passes is none"),
        (
            "connect #0 #12 walk",
            "1:16: connect: no such way to move: walk; there are ground, jump, fly, climb, swim, crawl",
        ),
        ("connect #0 #12 --hulls humn", "1:24: connect: no such hull: humn; did you mean human?"),
        ("connect #0 #12 --hulls hull10", "1:24: connect: no such hull: hull10"),
        ("disconnect #0 #12", "1:1: disconnect: no link joins #0 and #12"),
        ("moves #0 #12 ground", "1:1: moves: no link joins #0 and #12 (connect makes one)"),
        ("flag dont_drop_41 #0", "1:6: flag: version 37 stores the lower 16 bits alone"),
        (
            "flag hull_larg #0",
            "1:6: flag: no such flag: hull_larg; did you mean hull_large, hull_large_centered?",
        ),
        ("set #0", "1:1: set: nothing to set: Origin, Yaw, Kind, HammerId, Floor"),
        ("set #0 Kind=grund", "1:8: set: no such kind of node: grund; did you mean ground?"),
        ("set #0 Yaw=nan", "1:8: set: Yaw=nan where Yaw=DEGREES was expected"),
        ("move 3e38 0 0; move 3e38 0 0", "1:16: move: #0 would lie beyond the largest number"),
        ("delete @900,900,900", "1:8: delete: no node lies there: #12 is nearest, 900 away (~@ takes it)"),
        ("delete nothing", "1:8: delete: no such selector: nothing"),
    ] {
        assert_eq!(refused(&mut session, line), why, "{line}");
        session.line("undo all").unwrap();
        assert!(session.editor().encode().unwrap() == bytes, "{line}");
    }
}

#[test]
fn findings_that_have_a_remedy_are_mended() {
    let codes = |bytes: &[u8]| -> Vec<&'static str> {
        read(Kind::Ain, bytes).unwrap().found.iter().map(|finding| finding.code).collect()
    };
    let made: Vec<_> = navmap_testkit::nodegraph::files()
        .into_iter()
        .filter(|file| ["odd/values.ain", "hostile/targets.ain"].contains(&&*file.path))
        .collect();
    let mut sessions: Vec<_> = made.iter().map(|file| session(&file.bytes)).collect();
    for fix in NodeGraphEditor::fixes() {
        let of = made.iter().position(|file| codes(&file.bytes).contains(&fix.code));
        let session = &mut sessions[of.unwrap_or_else(|| panic!("{}", fix.code))];
        session.line(fix.command).unwrap();
        assert!(!codes(&session.editor().encode().unwrap()).contains(&fix.code), "{}", fix.code);
    }
}

#[test]
fn links_to_nowhere_stay_until_they_are_cleaned() {
    let made = navmap_testkit::nodegraph::files()
        .into_iter()
        .find(|file| file.path == "hostile/targets.ain")
        .unwrap();
    let ends = |bytes: &[u8]| -> Vec<[i16; 2]> {
        let nav = AinNav::parse(bytes).unwrap();
        nav.links().iter().map(|link| [link.source(), link.target()]).collect()
    };
    let before = ends(&made.bytes);
    assert_eq!((before.len(), before[0], before[1][0]), (12, [0, 13], -2));
    let mut session = session(&made.bytes);
    assert!(session.editor().encode().unwrap() == made.bytes);
    // A node under that number does not make a link of it.
    session.line("add 0,0,0").unwrap();
    let now = ends(&session.editor().encode().unwrap());
    assert_eq!((now[0], now[1]), ([0, -1], before[1]));
    session.line("undo").unwrap();
    session.line("clean_links #5").unwrap();
    assert!(session.editor().encode().unwrap() == made.bytes, "no link of #5 leads nowhere");
    session.line("clean_links").unwrap();
    assert_eq!(ends(&session.editor().encode().unwrap()), before[2..]);
    session.line("undo all").unwrap();
    assert!(session.editor().encode().unwrap() == made.bytes);
}

#[test]
fn an_empty_graph_can_be_filled() {
    for (version, hulls) in [(37, 10), (41, 12)] {
        let bytes = navmap_testkit::nodegraph::Graph::default().ain(version, 92, 10);
        let mut session = session(&bytes);
        session.line("add 0,0,0; add 100,0,0; connect #0 #1").unwrap();
        let written = session.editor().encode().unwrap();
        let nav = AinNav::parse(&written).unwrap();
        assert_eq!(
            (nav.version(), nav.hulls(), nav.nodes().len(), nav.links().len()),
            (version, hulls, 2, 1)
        );
        session.line("undo all").unwrap();
        assert!(session.editor().encode().unwrap() == bytes);
    }
}

#[test]
fn real_graphs_are_as_they_were_after_edits_are_taken_back() {
    for row in rows().into_iter().filter(|row| Kind::of_row(row) == Kind::Ain) {
        let bytes = row.read();
        let mut session = session(&bytes);
        assert!(session.editor().encode().unwrap() == bytes, "{}", row.name());
        if row.number("nodes") == Some(0) {
            continue;
        }
        session.line("move 8 8 8; clean_links; delete isolated; add 0,0,0").unwrap();
        session.line("delete #0").unwrap_or_default();
        read(Kind::Ain, &session.editor().encode().unwrap()).unwrap();
        session.line("undo all").unwrap();
        assert!(session.editor().encode().unwrap() == bytes, "{}", row.name());
    }
}

#[test]
fn hints_of_half_life_are_set_and_every_other_byte_stays() {
    for version in [16, 17, 23] {
        let bytes = navmap_testkit::nodegraph::half_life().bytes(version);
        let editor = NodEditor::of_nav(&NodNav::parse(&bytes).unwrap());
        let mut session = Session::new(editor, SessionOptions::default());
        session
            .line("set hint(door) Hint=blinking_light Yaw=45; set #0 Hint=102 Activity=7; set #0 Activity=8")
            .unwrap();
        let written = session.editor().encode().unwrap();
        let nav = NodNav::parse(&written).unwrap();
        let node = |index: usize| nav.nodes().get(index).unwrap();
        assert_eq!((node(4).hint(), node(4).yaw()), (Hint::BLINKING_LIGHT, 45.0));
        assert_eq!((node(0).hint(), node(0).activity()), (Hint::AMBUSH, 8));
        let changed = bytes.iter().zip(&written).filter(|(a, b)| a != b).count();
        assert!((3..=8).contains(&changed) && bytes.len() == written.len(), "{changed}");
        assert_eq!(session.editor().report().to_string(), "hints: 2 changed (13 before, 13 now)");
        session.line("undo 2; redo 1").unwrap();
        assert_eq!(
            NodNav::parse(&session.editor().encode().unwrap()).unwrap().nodes().get(0).unwrap().activity(),
            7
        );
        session.line("undo all").unwrap();
        assert!(session.editor().encode().unwrap() == bytes);
        for (line, why) in [
            ("set #13 Hint=door", "1:5: set: there is no #13"),
            ("set #0 Hint=dor", "1:8: set: no such hint: dor; did you mean door?"),
            ("set kind(sky) Hint=door", "1:5: set: no such kind of node: sky"),
            ("set #0", "1:1: set: nothing to set: Hint, Activity, Yaw"),
        ] {
            assert_eq!(session.line(line).unwrap_err().to_string(), why);
        }
    }
}

#[test]
fn a_number_that_is_none_is_as_it_was() {
    let mut graph = sample();
    graph.nodes[1].at[0] = f32::NAN;
    graph.nodes[2].yaw = 0.0;
    let bytes = graph.ain(37, 12, 10);
    let mut session = session(&bytes);
    assert_eq!(session.line("number_zones").unwrap()[0].said, ["changed 0 nodes"]);
    assert!(session.editor().encode().unwrap() == bytes && session.editor().report().is_empty());
    session.line("move 1 2 3").unwrap();
    let moved = AinNav::parse(&session.editor().encode().unwrap()).unwrap().nodes().get(1).unwrap().origin();
    let [_, y, z] = graph.nodes[1].at;
    assert!(moved[0].is_nan() && moved[1..] == [y + 2.0, z + 3.0]);
    assert!(refused(&mut session, "move 0 3e38 0; move 0 3e38 0").contains("beyond the largest number"));
    session.line("undo all; set #2 Yaw=-0").unwrap();
    assert!(session.editor().encode().unwrap() != bytes);
}
