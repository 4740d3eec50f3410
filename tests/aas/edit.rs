//! Commands on areas and reachabilities: taken back to the byte, said, refused, and as scripts of differences.

use super::corpus::{findings, read};
use navmap::Severity;
use navmap::diff::Version;
use navmap::edit::{Editor, Session, SessionOptions};
use navmap::format::aas::edit::AasEditor;
use navmap::format::aas::{AasNav, AreaFlags, Contents, Reachability, TravelKind};
use navmap::open::Mesh;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled_rows, manifest, real};
use std::ops::ControlFlow;

fn editor(bytes: &[u8]) -> navmap::Result<AasEditor> {
    AasEditor::of_nav(&AasNav::parse(bytes)?)
}

fn open(bytes: &[u8]) -> Session<AasEditor> {
    Session::new(editor(bytes).unwrap(), SessionOptions::default())
}

fn version(bytes: &[u8]) -> navmap::Result<Version> {
    Version::from_mesh(&Mesh::from_vec("a.aas", bytes.to_vec())?)
}

/// Bundled files that can be read, hostile ones too, and real ones.
fn files() -> Vec<(String, Vec<u8>)> {
    let real = real().map(|real| real.join("aas")).filter(|folder| folder.is_dir());
    let rows = bundled_rows("aas").into_iter().chain(real.iter().flat_map(|folder| manifest(folder)));
    let read = rows.map(|row| (row.name().to_owned(), row.read()));
    read.filter(|(_, bytes)| AasNav::parse(bytes).is_ok()).collect()
}

fn command(rng: &mut Rng, len: u64) -> String {
    let n = |rng: &mut Rng| rng.below(len.min(40) + 1);
    let (a, b, by) = (n(rng), n(rng), rng.below(200) as i64 - 100);
    match rng.below(16) {
        0 => format!("flag disabled #{a}+#{b}"),
        1 => format!("unflag disabled,do_not_enter all - #{b}"),
        2 => format!("connect #{a} #{b} Start=1,2,{by} End=3,4.5,{by}"),
        3 => {
            format!("connect #{a} #{b} Kind=jump_pad Face={by} Edge=7 Start=1,2,{by} End=3,4.5,{by} Time={a}")
        }
        4 => format!("disconnect #{a} #{b}"),
        5 => format!("disconnect #{a} #{b} --nth 1"),
        6 => format!("set_link #{a} #{b} Time={} Kind=rocket_jump", a * 9),
        7 => format!("set_link #{a} #{b} --nth 2 Start={by},0,0 Flags=not_team_1"),
        8 => format!("set_links #{a}+#{b} --kind walk Time={a} End=0,{by},0.5"),
        9 => format!("remove_links #{a} --kind walk"),
        10 => "clean_links".to_owned(),
        11 => "undo 2".to_owned(),
        12 => "redo".to_owned(),
        13 => format!("set #{a} Contents=lava; set #{b} Flags=disabled"),
        14 => format!("remove_links #{a}; connect #{b} #{a} Start=0,0,0 End=1,1,1"),
        _ => format!("select #{a}; flag do_not_enter,disabled; select isolated+kind(jump)"),
    }
}

fn scramble(session: &mut Session<AasEditor>, rng: &mut Rng, times: usize) {
    for _ in 0..times {
        let text = command(rng, session.editor().all().len() as u64);
        session.script(&text, |_| ControlFlow::Continue(()));
    }
}

#[test]
fn random_commands_are_taken_back_to_the_byte() {
    let mut rng = Rng(7);
    let (mut edited, mut refused) = (0, 0);
    for (name, bytes) in files() {
        let Ok(made) = editor(&bytes) else {
            assert!(name.starts_with("hostile/"), "{name}");
            let why = editor(&bytes).unwrap_err().to_string();
            assert!(why.contains("cannot be edited"), "{name}: {why}");
            refused += 1;
            continue;
        };
        assert!(made.encode().unwrap() == bytes, "{name}: unchanged");
        let mut session = Session::new(made, SessionOptions::default());
        scramble(&mut session, &mut rng, 40);
        let changed = session.editor().encode().unwrap();
        let worse = |bytes: &[u8]| findings(bytes).iter().filter(|f| f.severity == Severity::Error).count();
        assert!(worse(&changed) <= worse(&bytes), "{name}: what is written is as sound as it was");
        let undone = session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == bytes, "{name}: {undone} steps taken back");
        assert!(session.editor().report().is_empty(), "{name}");
        session.redo(undone);
        assert!(session.editor().encode().unwrap() == changed, "{name}: done again");
        edited += 1;
    }
    assert!(edited > 8 && refused > 1, "{edited} edited, {refused} refused");
}

#[test]
fn commands_do_what_they_say() {
    for name in ["v4.aas", "v5.aas", "v5-full.aas", "v8.aas", "odd/reversed.aas"] {
        let bytes = read(name);
        let mut session = open(&bytes);
        let mut line = |text: &str| session.line(text).unwrap().pop().unwrap().said.join("; ");
        assert_eq!(line("flag disabled,do_not_enter #5"), "changed 1 area");
        assert_eq!(line("set #4 Contents=lava"), "changed 1 area");
        assert_eq!(line("set_link #1 #2 Time=777 Kind=crouch"), "changed 1 link");
        assert_eq!(line("set_link #2 #3 --nth 2 Flags=not_team_1"), "changed 1 link");
        assert_eq!(line("disconnect #2 #3 --nth 1"), "removed 1 link");
        assert_eq!(line("disconnect #1 #5"), "removed 2 links");
        assert_eq!(
            line("connect #7 #4 Kind=jump Start=130,130,24 End=130,160,24"),
            "jump from #7 to #4, 9 hundredths of a second"
        );
        assert_eq!(
            line("connect #1 #7 Kind=crouch Start=0,0,24 End=0,0,24 Time=3"),
            "crouch from #1 to #7, 3 hundredths of a second"
        );
        assert_eq!(line("select kind(rocket_jump)"), "1 selected");
        assert_eq!(line("select flag(do_not_enter)"), "1 selected");
        assert_eq!(line("select isolated"), "1 selected");
        assert_eq!(line("select cluster(2)"), "1 selected");
        assert_eq!(line("select @64,64,30"), "1 selected");
        assert_eq!(line("remove_links #8 --kind jump_pad"), "removed 1 link");
        let report = session.editor().report().to_string();
        assert!(report.contains("areas") && report.contains("links"), "{report}");
        let written = session.editor().encode().unwrap();
        let nav = AasNav::parse(&written).unwrap();
        assert_eq!(
            (nav.checksum(), nav.version()),
            (navmap_testkit::aas::CHECKSUM, AasNav::parse(&bytes).unwrap().version())
        );
        let of = |area| nav.settings().get(area).unwrap();
        assert!(
            of(5).flags().contains(AreaFlags::DISABLED) && of(5).contents().contains(Contents::DO_NOT_ENTER)
        );
        assert_eq!(of(4).contents(), Contents::LAVA);
        // Runs lie one behind the other; an area without links stores where the next run begins.
        let mut next = 1;
        for area in 1..nav.areas().len() {
            assert_eq!(of(area).first_link(), next, "{name}: area {area}");
            next += of(area).links();
        }
        assert_eq!(next as usize, nav.reachabilities().len(), "{name}");
        assert_eq!(nav.reachabilities()[0], Reachability::default());
        let links = |area: usize| -> Vec<(i32, u32, u16)> {
            nav.links_of(area).1.iter().map(|link| (link.area(), link.kind().0, link.time())).collect()
        };
        assert_eq!(links(1), [(2, 3, 777), (7, 2, 1), (7, 3, 3)], "{name}");
        assert_eq!(links(2), [(1, 2, 38), (3, 12, 300), (4, 7, 20)], "{name}");
        assert!(links(5).is_empty(), "{name}");
        assert_eq!(links(7), [(1, 2, 1), (2, 5, 90), (4, 5, 9)], "{name}");
        assert_eq!(links(8), [(3, 2, 1), (7, 10, 50)], "{name}");
        let found = findings(&written);
        let known = findings(&bytes);
        let new = found.iter().filter(|f| !known.iter().any(|k| k.code == f.code));
        let new: Vec<_> = new.filter(|f| f.severity >= Severity::Warning).collect();
        assert!(new.is_empty(), "{name}: {new:?}");
    }
}

#[test]
fn a_changed_time_changes_two_bytes_in_place() {
    for name in ["v4.aas", "v5.aas", "v8.aas", "odd/reversed.aas"] {
        let bytes = read(name);
        let mut session = open(&bytes);
        session.line("set_link #1 #2 Time=777; flag disabled #5").unwrap();
        let written = session.editor().encode().unwrap();
        assert_eq!(written.len(), bytes.len());
        let changed = written.iter().zip(&bytes).filter(|(a, b)| a != b).count();
        assert_eq!(changed, 3, "{name}: two bytes of the time, one of the flags; {changed}");
    }
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let bytes = read("v5.aas");
    let mut session = open(&bytes);
    for (text, why) in [
        ("flag grounded #4", "grounded is set by the compiler alone: the faces of an area say so"),
        (
            "unflag cluster_portal #3",
            "cluster_portal is set by the compiler alone: portals and clusters are made of it",
        ),
        ("set #1 Contents=mover", "mover is set by the compiler alone: the map says so"),
        ("set #1 Contents=16777216", "the number of a mover's model is set by the compiler alone"),
        ("set #1 Flags=none", "grounded is set by the compiler alone"),
        ("set #1 Flags=lava", "Flags=lava where a flag, not what an area holds, was expected"),
        ("set #1 Contents=disabled", "where what an area holds was expected"),
        ("set #1 Flag=disabled", "no such key: Flag; did you mean Flags?"),
        ("set #1", "nothing to set: Flags, Contents"),
        ("flag disbled #1", "no such flag: disbled; did you mean disabled?"),
        ("flag disabled", "no node is named or selected"),
        ("flag disabled #0", "there is no #0"),
        ("flag disabled #9", "there is no #9"),
        ("connect #1 #2", "Start=X,Y,Z and End=X,Y,Z say where a bot leaves and arrives"),
        (
            "connect #1 #8 Start=0,0,0 End=0,0,0",
            "#1 is in cluster 1 and #8 in cluster 2: only the compiler makes portals",
        ),
        ("connect #6 #1 Start=0,0,0 End=0,0,0", "#6 is in no cluster"),
        ("connect #1 #6 Start=0,0,0 End=0,0,0", "#6 is in no cluster"),
        ("connect #1 #2 Start=0,0,0 End=0,0,0 Kind=elevator", "elevator has numbers in Face and Edge"),
        ("connect #1 #2 Start=0,0,0 End=0,0,0 Face=7", "face 7 of "),
        ("set_link #1 #2 Edge=-99", "edge -99 of "),
        ("set_link #1 #2 Kind=rocket_jum", "no such kind of travel: rocket jum"),
        ("set_link #1 #2 Kind=16777216", "the largest kind is 16777215"),
        ("set_link #1 #2 Time=65536", "Time=HUNDREDTHS, 0 to 65535, was expected"),
        ("set_link #1 #2 Start=1,2", "Start=X,Y,Z was expected"),
        ("set_link #1 #2 Flags=1", "of the upper eight bits was expected"),
        ("set_link #1 #2 Flags=not_team_3", "no such flag of links: not_team_3"),
        ("set_link #1 #2 Tim=1", "no such key: Tim"),
        ("set_link #1 #2", "nothing to set: Kind"),
        ("set_link #1 #8 Time=1", "there is no link from #1 to #8"),
        ("set_link #2 #3 Time=1", "2 links lead from #2 to #3: --nth 1 barrier jump, --nth 2 rocket jump"),
        ("set_link #2 #3 --nth 3 Time=1", "there is no link 3"),
        ("set_link #2 #3 --nth 0 Time=1", "0 where a number from 1 was expected"),
        ("disconnect #1 #8 --one-way", "no link joins #1 and #8"),
        ("select cluster(x)", "x where the number of a cluster was expected"),
        ("select nowhere", "no such selector: nowhere"),
        ("select @1,2,3", "no node lies there: #"),
    ] {
        let told = session.line(text).unwrap_err().to_string();
        assert!(told.contains(why), "{text}: {told}");
        session.undo(usize::MAX);
        assert!(session.editor().encode().unwrap() == bytes, "{text}");
    }
    // The engine has room for 128 links at an area.
    let many = "connect #1 #2 Start=0,0,24 End=0,0,24; ".repeat(126);
    let told = session.line(&many).unwrap_err().to_string();
    assert!(told.contains("128 links lead to #2, and the engine has room for 128"), "{told}");
}

#[test]
fn the_script_of_a_difference_makes_it_to_the_byte() {
    let mut rng = Rng(11);
    let (mut whole, mut partly) = (0, 0);
    for (name, bytes) in files() {
        if editor(&bytes).is_err() {
            assert!(version(&bytes).is_err(), "{name}: has no script");
            continue;
        }
        for times in [3, 40] {
            let mut session = open(&bytes);
            scramble(&mut session, &mut rng, times);
            let wanted = session.editor().encode().unwrap();
            let (Ok(before), Ok(after)) = (version(&bytes), version(&wanted)) else { continue };
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
    assert!(whole > 10, "{whole} of {}", whole + partly);
}

#[test]
fn a_script_says_what_changed_and_what_no_command_can_change() {
    let bytes = read("v5.aas");
    let mut session = open(&bytes);
    session.line("flag disabled #5; set_link #2 #3 --nth 2 Time=9; disconnect #2 #4 --one-way").unwrap();
    session.line("connect #7 #4 Kind=jump Start=130,130,24 End=130,160,24").unwrap();
    let after = session.editor().encode().unwrap();
    let script = version(&bytes).unwrap().script(&version(&after).unwrap()).unwrap();
    assert_eq!(
        script.to_string(),
        "set #5 Flags=9\nset_link #2 #3 --nth 2 Time=9\ndisconnect #2 #4 --nth 1\n\
         connect #7 #4 End=130,160,24 Kind=jump Start=130,130,24 Time=9\n"
    );
    assert!(script.unreached.is_empty(), "{:?}", script.unreached);
    // Other geometry is not told as commands.
    let full = read("v5-full.aas");
    let script = version(&bytes).unwrap().script(&version(&full).unwrap()).unwrap();
    assert!(script.unreached.iter().any(|what| what == "geometry"), "{:?}", script.unreached);
}

#[test]
fn changes_of_two_are_merged() {
    let bytes = read("v5.aas");
    let after = |script: &str| {
        let mut session = open(&bytes);
        session.line(script).unwrap();
        version(&session.editor().encode().unwrap()).unwrap()
    };
    let base = version(&bytes).unwrap();
    let ours = after("flag disabled #5; disconnect #1 #7 --one-way");
    let theirs = after("set_link #2 #1 Time=99; flag do_not_enter #5");
    let merge = base.merge(&ours, &theirs).unwrap();
    assert!(merge.conflicts.is_empty(), "{:?}", merge.conflicts);
    assert_eq!(merge.changes.to_string(), "set #5 Contents=256\nset_link #2 #1 --nth 1 Time=99\n");
    let clash = after("flag weapon_jump #5; set_link #1 #7 Time=5");
    assert_eq!(base.merge(&ours, &clash).unwrap().conflicts.len(), 2);
}

#[test]
fn what_a_check_finds_is_mended_by_the_command_that_it_names() {
    let count = |bytes: &[u8], code: &str| findings(bytes).iter().filter(|f| f.code == code).count();
    let mut mended = 0;
    for fix in AasEditor::fixes() {
        for name in ["odd/values.aas", "hostile/targets.aas"] {
            let bytes = read(name);
            let mut session = open(&bytes);
            mended += usize::from(count(&bytes, fix.code) > 0);
            session.line(fix.command).unwrap();
            assert_eq!(count(&session.editor().encode().unwrap(), fix.code), 0, "{name}: {}", fix.code);
        }
    }
    assert!(mended > 2, "{mended}");
}

#[test]
fn the_first_links_of_a_file_get_their_runs() {
    let bytes = read("odd/no-links.aas");
    let mut session = open(&bytes);
    session.line("connect #8 #3 Start=0,0,88 End=0,0,88; connect #1 #2 Start=0,0,24 End=64,0,24").unwrap();
    let written = session.editor().encode().unwrap();
    let nav = AasNav::parse(&written).unwrap();
    let of = |area: usize| {
        let (first, links) = nav.links_of(area);
        (first, links.iter().map(|link| (link.area(), link.time())).collect::<Vec<_>>())
    };
    assert_eq!((of(1), of(8)), ((1, vec![(2, 21)]), (2, vec![(3, 1)])));
    assert_eq!(nav.reachabilities().len(), 3);
    assert!(findings(&written).iter().all(|f| f.severity < Severity::Error));
    session.undo(usize::MAX);
    assert!(session.editor().encode().unwrap() == bytes);
}

#[test]
fn an_area_that_no_route_can_leave_gets_no_link() {
    // No area of cluster 1 had links when the clusters were made.
    let mut lumps = navmap_testkit::aas::sample().lumps(5, false);
    lumps.set(13, 1, 1, 0);
    let mut session = open(&lumps.encode());
    let told = session.line("connect #1 #2 Start=0,0,24 End=0,0,24").unwrap_err().to_string();
    assert!(told.contains("nothing left #1 when the file was compiled"), "{told}");
    // A portal has a number in each of its clusters.
    session.line("connect #3 #8 Start=0,0,88 End=0,0,88").unwrap();
}

#[test]
fn an_edited_link_is_invalid_for_bots_and_left_out_of_the_graph() {
    let bytes = read("v5.aas");
    let mut session = open(&bytes);
    session.line("set_links all --kind rocket_jump Kind=invalid").unwrap();
    let written = session.editor().encode().unwrap();
    let nav = AasNav::parse(&written).unwrap();
    let kinds: Vec<TravelKind> = nav.links_of(2).1.iter().map(|link| link.kind()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == TravelKind::INVALID).count(), 1);
    assert!(findings(&written).iter().any(|f| f.code == "deleted-link"));
}

#[test]
fn a_link_that_was_taken_out_is_gone_for_the_next_command() {
    let mut session = open(&read("v5.aas"));
    session.line("disconnect #2 #4 --one-way").unwrap();
    let why = session.line("disconnect #2 #4 --one-way").unwrap_err().to_string();
    assert!(why.contains("no link joins #2 and #4"), "{why}");
}

#[test]
fn links_between_two_areas_are_told_apart_when_one_of_them_goes() {
    let bytes = read("v5.aas");
    let after = |script: &str| {
        let mut session = open(&bytes);
        session.line(script).unwrap();
        session.editor().encode().unwrap()
    };
    let base = version(&bytes).unwrap();
    let side = |script: &str| version(&after(script)).unwrap();
    let told = |script: &str| base.script(&side(script)).unwrap().to_string();
    assert_eq!(told("disconnect #2 #3 --nth 1"), "disconnect #2 #3 --nth 1\n");
    assert_eq!(told("disconnect #2 #3 --nth 2"), "disconnect #2 #3 --nth 2\n");
    let merged = |ours: &str, theirs: &str| {
        let merge = base.merge(&side(ours), &side(theirs)).unwrap();
        assert!(merge.conflicts.is_empty(), "{ours} | {theirs}: {:?}", merge.conflicts);
        let mut session = open(&after(ours));
        session.script(&merge.changes.to_string(), |fared| {
            assert!(fared.is_ok(), "{ours} | {theirs}: {fared:?}");
            ControlFlow::Continue(())
        });
        let made = session.editor().encode().unwrap();
        let count = |bytes: &[u8]| version(bytes).unwrap().graph().links().len();
        (count(&bytes) - count(&made), made)
    };
    assert_eq!(merged("disconnect #2 #3 --nth 1", "disconnect #2 #3 --nth 2").0, 2);
    assert_eq!(merged("disconnect #2 #3 --nth 2", "disconnect #2 #3 --nth 1").0, 2);
    assert_eq!(merged("disconnect #2 #3 --nth 1", "disconnect #2 #3 --nth 1").0, 1);
    let (gone, made) = merged("disconnect #2 #3 --nth 1", "set_link #2 #3 --nth 2 Time=77");
    assert!(gone == 1 && made == after("set_link #2 #3 --nth 2 Time=77; disconnect #2 #3 --nth 1"));
    // Both made a link, and one of them gave it flags that the other did not.
    let new = "connect #2 #3 Kind=jump Start=1,2,3 End=4,5,6 Time=9";
    let flagged = format!("disconnect #2 #3 --nth 1; {new} Flags=not_team_1");
    for plain in [new.to_owned(), format!("disconnect #2 #3 --nth 1; {new}")] {
        for (ours, theirs) in [(&plain, &flagged), (&flagged, &plain)] {
            let merge = base.merge(&side(ours), &side(theirs)).unwrap();
            let [conflict] = &merge.conflicts[..] else { panic!("{ours}: {:?}", merge.conflicts) };
            let what = &conflict.what;
            assert!(what.starts_with("link to #3: Flags: ") && what.contains("not given in "), "{what}");
        }
    }
}

#[test]
fn a_new_link_of_any_kind_is_told_with_its_kind() {
    let bytes = read("v5.aas");
    let mut session = open(&bytes);
    session.line("connect #7 #4 Kind=0 Start=130,130,24 End=130,160,24 Time=9").unwrap();
    let after = session.editor().encode().unwrap();
    let script = version(&bytes).unwrap().script(&version(&after).unwrap()).unwrap();
    let mut session = open(&bytes);
    session.line(&script.to_string().replace('\n', ";")).unwrap();
    assert!(session.editor().encode().unwrap() == after, "{script}");
}
