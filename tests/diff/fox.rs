//! Scripts that turn one Fox tile into another.

use navmap::diff::pairs;
use navmap::edit::{Changes, Session, SessionOptions};
use navmap::format::fox::FoxBuf;
use navmap::format::fox::edit::{FoxEditor, difference};
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use std::ops::ControlFlow;

fn run(tile: &FoxBuf, script: &str) -> (FoxBuf, Vec<String>) {
    let mut session = Session::new(FoxEditor::new(tile.clone()).unwrap(), SessionOptions::default());
    let mut refused = Vec::new();
    session.script(script, |fared| {
        refused.extend(fared.err().map(|refusal| refusal.to_string()));
        ControlFlow::Continue(())
    });
    (session.editor().tile().clone(), refused)
}

fn scripted(before: &FoxBuf, after: &FoxBuf) -> Changes {
    difference(before, after, pairs).unwrap()
}

/// Bundled tiles, and every eighth real one (`NAVMAP_FORMS=all`: every one).
fn tiles() -> Vec<(String, FoxBuf)> {
    let mut rows = manifest(&bundled().join("fox"));
    if let Some(corpus) = real() {
        let every = if std::env::var_os("NAVMAP_FORMS").is_some() { 1 } else { 8 };
        rows.extend(manifest(&corpus.join("fox")).into_iter().step_by(every));
    }
    let tiles = rows.iter().filter_map(|row| {
        let tile = FoxBuf::from_bytes(&row.read()).ok()?;
        FoxEditor::new(tile.clone()).ok()?;
        let faces: usize = tile.groups.iter().map(|group| group.mesh.faces.len()).sum();
        (faces > 8).then(|| (row.name().to_owned(), tile))
    });
    let tiles: Vec<_> = tiles.collect();
    assert!(tiles.len() > 3, "{}", tiles.len());
    tiles
}

/// Random commands about a tile. Some of them are refused.
fn random(rng: &mut Rng, tile: &FoxBuf, commands: usize) -> String {
    let mut text = String::new();
    for _ in 0..commands {
        let group = &tile.groups[rng.below(tile.groups.len() as u64) as usize];
        let id = group.id.index();
        let (segments, faces) = (group.segments.len() as u64, group.mesh.faces.len() as u64);
        if segments == 0 || faces == 0 {
            continue;
        }
        let (a, b) = (rng.below(segments), rng.below(segments));
        text += &match rng.below(9) {
            0 => format!("attribute 0x000{} #{id}.{a} --alone\n", 1 + rng.below(3)),
            1 => format!("attribute 0x0004 I#{}\n", rng.below(4)),
            2 => format!("attribute 0x0002 #{id}.{a} --drop-islands\n"),
            3 => format!("move 0 {} 0\n", rng.below(9) as f32 * 0.25),
            4 => format!("unlink #{id}.{a} #{id}.{b}\n"),
            5 => format!("unlink #{id}.{a} #{id}.{}\n", (a + 1) % segments),
            6 => format!("delete F#{id}.{} --alone\n", rng.below(faces)),
            7 => format!("delete #{id}.{a} --alone\n"),
            _ => "drop_islands\n".to_owned(),
        };
    }
    text
}

/// A script that nothing is left to do after makes the tile to the byte. What is left is listed, and nothing else is.
fn assert_made(name: &str, before: &FoxBuf, after: &FoxBuf, of: &str) -> bool {
    let changes = scripted(before, after);
    let (made, refused) = run(before, &changes.to_string());
    assert!(refused.is_empty(), "{name}: {refused:?}\n{of}\n{changes}");
    let whole = changes.unreached.is_empty();
    assert_eq!(made.same_values(after), whole, "{name}: {:?}\n{of}\n{changes}", changes.unreached);
    if whole {
        assert!(made.encode().unwrap() == after.encode().unwrap(), "{name}");
    }
    whole
}

#[test]
fn one_command_is_one_line() {
    for (name, before) in tiles() {
        assert!(scripted(&before, &before).is_empty(), "{name}");
        let group = before.groups.iter().find(|group| group.mesh.faces.len() > 4).unwrap();
        let (id, face) = (group.id.index(), group.mesh.faces.len() - 1);
        let islands = before.islands.first().map_or(0, |graph| graph.islands.len());
        let mut lines = vec![format!("delete F#{id}.{face} --alone"), "move 0 2.5 0".to_owned()];
        lines.extend((islands > 0).then(|| "drop_islands".to_owned()));
        lines.extend((islands > 0).then(|| "attribute 0x0007 I#0 --alone".to_owned()));
        let mut told = 0;
        for line in lines {
            let (after, refused) = run(&before, &line);
            if !refused.is_empty() || after.same_values(&before) {
                continue;
            }
            let changes = scripted(&before, &after);
            let text = changes.to_string();
            // A float that was added to is not always the sum less the other.
            let spelled = line.starts_with(text.trim_end()) || line.starts_with("move");
            assert!(text.lines().count() == 1 && spelled, "{name}: {line}\n{text}");
            assert!(assert_made(&name, &before, &after, &line), "{name}: {line}: {:?}", changes.unreached);
            told += 1;
        }
        assert!(told > 0, "{name}");
    }
}

#[test]
fn scripts_make_what_random_commands_made() {
    let mut rng = Rng(61);
    let (mut whole, mut all) = (0, 0);
    for (name, before) in tiles() {
        for commands in [2, 12] {
            let of = random(&mut rng, &before, commands);
            let (after, _) = run(&before, &of);
            if !after.same_values(&before) {
                all += 1;
                whole += usize::from(assert_made(&name, &before, &after, &of));
            }
        }
    }
    assert!(all > 6 && whole * 10 >= all * 9, "{whole} of {all}");
}

#[test]
fn tiles_of_different_places_are_told_apart_and_nothing_is_promised() {
    let tiles = tiles();
    for (at, (name, before)) in tiles.iter().enumerate().step_by(3) {
        let (other, after) = &tiles[(at + 1) % tiles.len()];
        assert_made(&format!("{name} to {other}"), before, after, "");
    }
}

#[test]
fn a_script_says_what_it_leaves_of_any_part() {
    let bytes = std::fs::read(bundled().join("fox/standalone.nav2")).unwrap();
    let before = FoxBuf::from_bytes(&bytes).unwrap();
    assert!(scripted(&before, &before).is_empty());
    let mut told = 0;
    for at in (0..bytes.len()).step_by(23).chain([6354]) {
        let mut other = bytes.clone();
        other[at] ^= 1;
        let Ok(after) = FoxBuf::from_bytes(&other) else { continue };
        if FoxEditor::new(after.clone()).is_ok() && after.encode().is_ok_and(|written| written != bytes) {
            assert!(!scripted(&before, &after).is_empty(), "byte {at}");
            told += 1;
        }
    }
    assert!(told > 20, "{told}");
}
