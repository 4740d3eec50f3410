//! Everything can be taken back: vector 79, on every mesh.

use super::*;
use navmap::edit::Editor;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled_rows, manifest, real};

#[test]
fn v79_a_split_taken_back_writes_the_input() {
    let bytes = std::fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    for exact in [GAME, NAVMAP] {
        let mut session = open_bytes(&bytes, exact);
        let first = session.editor().all()[0];
        let name = session.editor().name(first);
        let middle = session.editor().to_buf().areas[0].shape.center();
        session.line(&format!("nav_split {name} x={}", middle[0])).unwrap();
        let split = session.editor().encode().unwrap();
        assert!(split != bytes);
        session.line("undo").unwrap();
        assert!(session.editor().encode().unwrap() == bytes);
        session.line("redo").unwrap();
        assert!(session.editor().encode().unwrap() == split);
    }
}

/// A command with operands that are there or not.
fn command(rng: &mut Rng, ids: &[String]) -> String {
    let mut id = || ids[rng.below(ids.len() as u64) as usize].clone();
    let (a, b, c) = (id(), id(), id());
    let n = rng.below(100) as i32 - 50;
    match rng.below(30) {
        0 => format!("nav_split {a} x=@"),
        1 => format!("nav_split {a} y=@"),
        2 => format!("nav_merge {a} {b}"),
        3 => format!("nav_splice {a} {b}"),
        4 => format!("nav_connect {a} {b}"),
        5 => format!("nav_disconnect {a} {b}"),
        6 => format!("nav_delete {a}"),
        7 => format!("nav_crouch {a}+{b}"),
        8 => format!("select {a}+{b}+{c}"),
        9 => "nav_connect".into(),
        10 => format!("nav_corner_raise {n} {a}"),
        11 => format!("nav_mark {a}"),
        12 => "nav_corner_select; nav_corner_raise 3".into(),
        13 => format!("nav_shift {n} 0 {n} {a}+{b}"),
        14 => format!("nav_subdivide {a}"),
        15 => format!("nav_make_sniper_spots {a}"),
        16 => format!("nav_chop_selected {a}"),
        17 => format!("nav_begin_area {n},{n},0; nav_end_area {},0,0", n + 60),
        18 => format!("nav_flood_select {a}"),
        19 => {
            "nav_toggle_selected_set; nav_store_selected_set; nav_clear_selected_set; nav_recall_selected_set"
                .into()
        }
        20 => format!("nav_place_set --place \"P{}\" --new {a}", n.rem_euclid(3)),
        21 => "nav_disconnect_outgoing_oneways".into(),
        22 => "begin".into(),
        23 => "end".into(),
        24 => "undo".into(),
        25 => "redo".into(),
        26 => format!("nav_mark_attribute STAND {a}"),
        27 => format!("ladder add {n},0,200 {n},0,0 32 north --link"),
        28 => "nav_compress_id".into(),
        _ => "nav_strip".into(),
    }
}

fn names(session: &Editing) -> Vec<String> {
    let names: Vec<_> = session.editor().all().into_iter().map(|item| session.editor().name(item)).collect();
    if names.is_empty() { vec!["#1".into()] } else { names }
}

/// Runs random commands; gives how many were done.
fn scramble(session: &mut Editing, rng: &mut Rng, commands: usize) -> usize {
    let mut done = 0;
    for _ in 0..commands {
        let ids = names(session);
        let mut line = command(rng, &ids);
        if line.ends_with('@') {
            // A cut somewhere around the middle.
            let id = line.split(' ').nth(1).unwrap().trim_start_matches('#').parse::<u32>().unwrap();
            let mesh = session.editor().to_buf();
            let Some(area) = mesh.areas.iter().find(|area| area.id.get() == id) else { continue };
            let axis = usize::from(line.contains("y="));
            line = line.replace('@', &area.shape.center()[axis].to_string());
        }
        done += session.line(&line).map_or(0, |outcomes| outcomes.len());
    }
    done
}

fn take_back_and_do_again(bytes: &[u8], seed: u64, commands: usize, name: &str) {
    for exact in [NAVMAP, GAME] {
        let mut session = open_bytes(bytes, exact);
        session.editor_mut().force_odd(true);
        let mut rng = Rng(seed);
        let done = scramble(&mut session, &mut rng, commands);
        assert!(done > commands / 4, "{name}: {done} of {commands}");
        let out = session.editor().encode().unwrap_or_else(|error| panic!("{name}: {error}"));
        SourceBuf::read(&SourceNav::parse(&out).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
        session.line("undo all").unwrap();
        assert!(session.editor().encode().unwrap() == bytes, "{name}: everything taken back");
        session.line("redo all").unwrap();
        let again = session.editor().encode().unwrap();
        // What was taken back within the script is done again too, and nothing can be after a new command.
        if session.undone_steps() == 0 && again != out {
            session.line("undo all").unwrap();
            assert!(session.editor().encode().unwrap() == bytes, "{name}: taken back twice");
        }
    }
}

#[test]
fn random_scripts_are_taken_back_to_the_input_on_every_bundled_mesh() {
    let mut meshes = 0;
    for row in bundled_rows("source") {
        let bytes = row.read();
        let Ok(nav) = SourceNav::parse(&bytes) else { continue };
        if SourceBuf::read(&nav).is_ok_and(|mesh| !mesh.areas.is_empty()) && !row.name().contains("hostile") {
            take_back_and_do_again(&bytes, 11, 120, row.name());
            meshes += 1;
        }
    }
    assert!(meshes > 15, "{meshes}");
}

#[test]
fn random_scripts_are_taken_back_to_the_input_on_every_real_mesh() {
    let Some(corpus) = real() else { return };
    for row in manifest(&corpus.join("source")) {
        if row.number("version") >= Some(30) || row.number("areas") == Some(0) {
            continue;
        }
        take_back_and_do_again(&row.read(), 5, 25, row.name());
    }
}

#[test]
fn what_a_script_newly_makes_is_nothing_that_a_game_would_fall_over() {
    let bytes = std::fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    for seed in 0..12 {
        let mut session = open_bytes(&bytes, NAVMAP);
        scramble(&mut session, &mut Rng(seed), 80);
        let out = session.editor().encode().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let mesh = SourceBuf::read(&SourceNav::parse(&out).unwrap()).unwrap();
        let mut errors = navmap::format::source::odd(&mesh);
        errors.retain(|found| found.severity == navmap::Severity::Error);
        assert!(errors.is_empty(), "seed {seed}: {errors:?}");
    }
}

#[test]
fn loading_brings_back_what_was_saved_last() {
    let bytes = std::fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    for exact in [GAME, NAVMAP] {
        let mut session = open_bytes(&bytes, exact);
        session.line("nav_mark_attribute AVOID #1; nav_save").unwrap();
        let saved = session.editor().encode().unwrap();
        assert!(saved != bytes);
        // A save elsewhere, or of what is saved already, is none that is loaded.
        session.line("nav_save; nav_delete #1; nav_save elsewhere.nav; nav_load").unwrap();
        assert!(session.editor().encode().unwrap() == saved);
        let mut other = open_bytes(&bytes, exact);
        other.replay(&session.journal().to_string(), |fared| {
            fared.unwrap();
            std::ops::ControlFlow::Continue(())
        });
        assert!(other.editor().encode().unwrap() == saved, "a journal has the save in it");
        session.line("undo all; nav_load").unwrap();
        assert!(session.editor().encode().unwrap() == bytes, "a save is taken back like anything else");
        session.line("nav_save").unwrap();
        assert_eq!(session.steps(), 0, "nothing to save is no step");
    }
}

#[test]
fn loading_says_what_it_throws_away_and_counts_ids_as_at_first() {
    let bytes = std::fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    for exact in [GAME, NAVMAP] {
        let loaded = |before: &str, split: &str| {
            let mut session = open_bytes(&bytes, exact);
            let said = session.line(&format!("{before}nav_load")).unwrap().pop().unwrap().said;
            session.line(split).unwrap();
            (said[1..].join("; "), session.editor().encode().unwrap())
        };
        let session = open_bytes(&bytes, exact);
        let name = session.editor().name(session.editor().all()[0]);
        let split = format!("nav_split {name} x={}", session.editor().to_buf().areas[0].shape.center()[0]);
        let (said, plain) = loaded("", &split);
        assert_eq!(said, "");
        let (said, renumbered) = loaded("nav_compress_id; ", &split);
        assert_eq!(said, "what was changed since the mesh was opened is gone; undo brings it back");
        assert!(renumbered == plain, "new areas have the ids that they have without it");
        let (said, _) = loaded("nav_mark_attribute AVOID #1; nav_save; nav_delete #1; ", "nav_save");
        assert_eq!(said, "what was changed since nav_save is gone; undo brings it back");
    }
}

#[test]
fn a_journal_replayed_makes_the_same_file() {
    let bytes = std::fs::read(navmap_testkit::corpus::bundled().join("source/town.nav")).unwrap();
    for seed in 0..8 {
        let mut session = open_bytes(&bytes, NAVMAP);
        scramble(&mut session, &mut Rng(seed + 100), 60);
        let journal = session.journal().to_string();
        let mut other = open_bytes(&bytes, NAVMAP);
        other.replay(&journal, |fared| {
            fared.unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}\n{journal}"));
            std::ops::ControlFlow::Continue(())
        });
        let out = session.editor().encode().unwrap();
        assert!(other.editor().encode().unwrap() == out, "seed {seed}");
    }
}
