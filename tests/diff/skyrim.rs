//! Scripts that turn one plugin, or one field, into another.

use navmap::diff::{CompareOptions, Compared, pairs};
use navmap::edit::{Changes, Editor, Session, SessionOptions};
use navmap::format::AnyNav;
use navmap::format::skyrim::edit::{SkyrimEditor, difference};
use navmap::open::OpenOptions;
use navmap_testkit::bytes::Rng;
use navmap_testkit::corpus::{bundled, manifest, real};
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::{self as kit, SE};
use navmap_testkit::temp::Temp;
use std::ops::ControlFlow;

fn editor(bytes: &[u8]) -> Option<SkyrimEditor> {
    match AnyNav::parse(bytes, None, &navmap::format::ParseOptions::new()).ok()? {
        AnyNav::Plugin(plugin) => SkyrimEditor::of_plugin(&plugin).ok(),
        AnyNav::Payload(mesh) => SkyrimEditor::of_mesh(&mesh).ok(),
        _ => None,
    }
}

fn run(bytes: &[u8], script: &str) -> (Vec<u8>, Vec<String>) {
    let mut session = Session::new(editor(bytes).unwrap(), SessionOptions::default());
    let mut refused = Vec::new();
    session.script(script, |fared| {
        refused.extend(fared.err().map(|refusal| refusal.to_string()));
        ControlFlow::Continue(())
    });
    (session.editor().encode().unwrap(), refused)
}

fn scripted(before: &[u8], after: &[u8]) -> Changes {
    difference(&editor(before).unwrap(), &editor(after).unwrap(), pairs).unwrap()
}

/// Bundled plugins and fields, and some real ones (`NAVMAP_FORMS=all`: all below 4 MB).
fn files() -> Vec<(String, Vec<u8>)> {
    let mut rows = manifest(&bundled().join("skyrim"));
    if let Some(corpus) = real() {
        let every = if std::env::var_os("NAVMAP_FORMS").is_some() { 1 } else { 12 };
        rows.extend(manifest(&corpus.join("skyrim")).into_iter().step_by(every));
    }
    let files = rows.iter().filter(|row| row.path.is_file()).filter_map(|row| {
        let bytes = row.read();
        let fits = bytes.len() < 4_000_000 && editor(&bytes).is_some_and(|editor| editor.all().len() > 6);
        fits.then(|| (row.name().to_owned(), bytes))
    });
    let files: Vec<_> = files.collect();
    assert!(files.len() > 4, "{}", files.len());
    files
}

/// Random commands about triangles. Some of them are refused.
fn random(rng: &mut Rng, editor: &SkyrimEditor, commands: usize) -> String {
    let all = editor.all();
    let mut text = String::new();
    for number in 0..commands {
        let mut name = || editor.name(all[rng.below(all.len() as u64) as usize]);
        let (a, b) = (name(), name());
        let amount = rng.below(64) as f32 * 0.25 + 0.25;
        text += &match rng.below(11) {
            0 => format!("delete {a}\n"),
            1 => format!("set water,preferred {a}+{b}\n"),
            2 => format!("clear found {a}\n"),
            3 => format!("move 0 0 {amount} {a}\n"),
            4 => format!("move {amount} -{amount} 0 {a}\n"),
            5 => format!("flip {a}\n"),
            6 => format!("unlink {a} {}\n", rng.below(3)),
            7 => format!("link {a} {} {b} {}\n", rng.below(3), rng.below(3)),
            8 => format!("door add {a} 0100{number:04X}\n"),
            9 => format!("cover {:04X} {a}\n", rng.below(4096)),
            _ => format!("set 0x2100 {a}\n"),
        };
    }
    text
}

/// A script after which nothing is left to do makes the file to the byte. What is left is listed. Whether that is nothing, or
/// the order of something.
fn assert_made(name: &str, before: &[u8], after: &[u8], of: &str) -> bool {
    let changes = scripted(before, after);
    let (made, refused) = run(before, &changes.to_string());
    assert!(refused.is_empty(), "{name}: {refused:?}\n{of}\n{changes}");
    assert_eq!(
        made == after,
        changes.unreached.is_empty(),
        "{name}: {:?}\n{of}\n{changes}",
        changes.unreached
    );
    made == after || changes.unreached.iter().all(|what| what.starts_with("order of "))
}

#[test]
fn one_command_is_one_line() {
    for (name, before) in files() {
        assert!(scripted(&before, &before).is_empty(), "{name}");
        let one = editor(&before).unwrap();
        let all = one.all();
        let triangle = one.name(all[all.len() / 2]);
        let mesh = triangle.split('#').next().unwrap();
        let whole = if mesh.is_empty() { String::new() } else { format!(" mesh({mesh})") };
        let mut told = 0;
        for line in [
            format!("delete {triangle}"),
            format!("set water {triangle}"),
            format!("flip {triangle}"),
            format!("corner {triangle} 1 7,-300,12.5"),
            format!("move 0 0 64{whole}"),
        ] {
            let (after, refused) = run(&before, &line);
            if !refused.is_empty() || after == before {
                continue;
            }
            let changes = scripted(&before, &after);
            let text = changes.to_string();
            let exact = assert_made(&name, &before, &after, &line);
            // Halves of units vanish far from the middle of the world, and some triangles change more than one thing.
            if text.lines().count() != 1 || !exact {
                assert!(
                    line.starts_with("move") || line.starts_with("flip"),
                    "{name}: {line}\n{text}{:?}",
                    changes.unreached
                );
            }
            told += 1;
        }
        assert!(told > 0, "{name}");
    }
}

#[test]
fn scripts_make_what_random_commands_made() {
    let mut rng = Rng(62);
    let (mut whole, mut all) = (0, 0);
    for (name, before) in files() {
        for commands in [3, 20] {
            let of = random(&mut rng, &editor(&before).unwrap(), commands);
            let (after, _) = run(&before, &of);
            if after != before {
                all += 1;
                whole += usize::from(assert_made(&name, &before, &after, &of));
            }
        }
    }
    assert!(all > 8 && whole * 10 >= all * 8, "{whole} of {all}");
}

#[test]
fn files_that_have_little_in_common_are_told_apart_and_nothing_is_promised() {
    let files = files();
    for (at, (name, before)) in files.iter().enumerate().step_by(3) {
        let (other, after) = &files[(at + 1) % files.len()];
        assert_made(&format!("{name} to {other}"), before, after, "");
    }
}

#[test]
fn a_real_plugin_of_two_games_has_the_same_meshes_in_other_records() {
    let Some(corpus) = real() else { return };
    let [old, new] = ["le", "se"]
        .map(|game| std::fs::read(corpus.join("skyrim").join(game).join("DawnOfTheSilverHand.esp")).unwrap());
    let changes = scripted(&old, &new);
    assert_eq!(changes.to_string(), "");
    assert_eq!(changes.unreached, ["records other than navmeshes, or how records are packed"]);
}

#[test]
fn a_number_that_is_none_is_the_same_in_a_copy() {
    let sound = std::fs::read(bundled().join("skyrim/se/stored.esp")).unwrap();
    for at in (0x400..sound.len() - 4).step_by(37).chain([2799]) {
        let mut bytes = sound.clone();
        bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        if editor(&bytes).is_some() {
            let changes = scripted(&bytes, &bytes);
            assert!(changes.is_empty(), "byte {at}: {changes}{:?}", changes.unreached);
        }
    }
}

/// A plugin over these masters with two linked meshes, of the file with this index. The second is raised.
fn over(masters: &[&str], file: usize, raised: f32) -> Vec<u8> {
    two(masters, file, raised).encode()
}

fn two(masters: &[&str], file: usize, raised: f32) -> kit::plugin::Plugin {
    let mut plugin = kit::plugin::Plugin::new(SE.form, SE.hedr, masters);
    let own = (file as u32) << 24 | 0x0800;
    let sheet = |seed| Mesh::sheet(SE.nvnm, Place::Interior(own + 1), 4, 3, seed);
    let (mut one, mut two) = (sheet(1), sheet(2));
    two.vertices.iter_mut().for_each(|[_, _, z]| *z += 400.0 + raised);
    one.link(0, 2, Link { kind: 0, navmesh: own + 6, triangle: 0, edge: 2 });
    two.link(0, 2, Link { kind: 0, navmesh: own + 5, triangle: 0, edge: 2 });
    one.door(7, own + 9);
    let entries = [one.map_entry(own + 5, false), two.map_entry(own + 6, false)];
    plugin.groups.push(plugin.navi(SE.navi, SE.nvnm, &entries, &[]));
    let meshes = [kit::navm(&plugin, own + 5, &one, true), kit::navm(&plugin, own + 6, &two, true)];
    plugin.groups.push(plugin.interior(own + 1, &meshes));
    plugin
}

#[test]
fn an_update_with_another_master_has_the_same_meshes() {
    let before = over(&["Skyrim.esm"], 1, 0.0);
    let folder = Temp::new("masters");
    let old = folder.file("old/Mod.esp", &before);
    for masters in [&["Skyrim.esm", "Update.esm"][..], &["Update.esm", "skyrim.esm"]] {
        let after = over(masters, 2, 0.0);
        let changes = scripted(&before, &after);
        assert_eq!(changes.to_string(), "", "{masters:?}");
        assert_eq!(changes.unreached, ["records other than navmeshes, or how records are packed"]);
        assert_eq!(scripted(&before, &over(masters, 2, 8.0)).to_string(), "move 0 0 8 mesh(01000806)\n");
        let new = folder.file("new/Mod.esp", &after);
        let compared = Compared::open(&old, &new, &CompareOptions::default(), &OpenOptions::new()).unwrap();
        assert!(compared.alone.is_empty() && compared.parts.len() == 1, "{:?}", compared.alone);
        assert!(compared.parts.iter().all(|part| part.diff.is_identical()), "{masters:?}");
    }
    // A plugin that changes another has it among its masters, wherever it is in the list.
    let (changed, patch) =
        (over(&["Skyrim.esm", "Update.esm"], 2, 0.0), over(&["Skyrim.esm", "Mod.esp"], 1, 8.0));
    assert_eq!(scripted(&changed, &patch).to_string(), "move 0 0 8 mesh(02000806)\n");
    assert_eq!(scripted(&patch, &changed).to_string(), "move 0 0 -8 mesh(01000806)\n");
    // An override and its master correspond as they are stored.
    let (master, patch) = (over(&[], 0, 0.0), over(&["Base.esm"], 0, 8.0));
    assert_eq!(scripted(&master, &patch).to_string(), "move 0 0 8 mesh(00000806)\n");
}

#[test]
fn a_mesh_of_a_plugin_is_not_the_one_that_its_master_has_under_that_number() {
    let mut patch = two(&["Root.esm", "Base.esm"], 1, 8.0);
    let (cell, own) = (patch.own() + 0x20, 0x0200_0805);
    let mesh = Mesh::sheet(SE.nvnm, Place::Interior(cell), 4, 3, 3);
    patch.groups.push(patch.interior(cell, &[kit::navm(&patch, own, &mesh, true)]));
    let changes = scripted(&patch.encode(), &over(&["Root.esm"], 1, 0.0));
    let script = changes.to_string();
    assert!(script.contains("01000806") && !script.contains("02000805"), "{script}");
    assert!(
        changes.unreached.iter().any(|what| what == "1 navmesh that are gone"),
        "{:?}",
        changes.unreached
    );
}

#[test]
fn records_of_files_that_the_earlier_version_does_not_know_are_told_apart() {
    let before = over(&["Root.esm"], 1, 0.0);
    // What is of either new master, and what is the patch's own, under one number.
    let mut patch = two(&["Root.esm", "One.esm", "Mod.esp", "Two.esm"], 2, 8.0);
    for file in [1, 3, 4_u32] {
        let cell = file << 24 | 0x0920;
        let mesh = Mesh::sheet(SE.nvnm, Place::Interior(cell), 4, 3, u64::from(file));
        patch.groups.push(patch.interior(cell, &[kit::navm(&patch, cell + 1, &mesh, true)]));
    }
    let after = patch.encode();
    let folder = Temp::new("strangers");
    let (old, new) = (folder.file("Mod.esp", &before), folder.file("Patch.esp", &after));
    let compared = Compared::open(&old, &new, &CompareOptions::default(), &OpenOptions::new()).unwrap();
    let mut alone: Vec<&str> = compared.alone.iter().map(|(name, _)| name.as_str()).collect();
    alone.sort_unstable();
    alone.dedup();
    assert_eq!(alone.len(), 3, "{:?}", compared.alone);
    assert_eq!(scripted(&before, &after).to_string(), "move 0 0 8 mesh(01000806)\n");
}
