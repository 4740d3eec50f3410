//! `navmap fix`, `navmap conflicts` and `navmap edit` on plugins.

use crate::{navmap, text};
use navmap_testkit::skyrim::{SE, damage};
use navmap_testkit::temp::Temp;
use std::fs;
use std::path::{Path, PathBuf};

/// The damaged load order as files, in order.
fn files(folder: &Path) -> Vec<String> {
    let write = |file: &damage::File| {
        let path = folder.join(file.name);
        fs::write(&path, &file.bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    damage::order().iter().map(write).collect()
}

fn run(verb: &str, files: &[String], more: &[&str]) -> (i32, String, String) {
    let args: Vec<&str> =
        std::iter::once(verb).chain(files.iter().map(String::as_str)).chain(more.iter().copied()).collect();
    let done = navmap(&args);
    (done.status.code().unwrap(), text(&done.stdout), text(&done.stderr))
}

#[test]
fn a_dry_run_says_everything_and_writes_nothing() {
    let folder = Temp::new("fix-dry");
    let files = files(folder.path());
    let (status, out, err) = run("fix", &files, &["--dry-run"]);
    assert_eq!(status, 1, "{err}");
    let line = out.lines().find(|line| line.contains("undelete")).unwrap();
    assert!(
        line.starts_with(
            "Deleter.esp: [NAVM:00000A10] in [CELL:00000913] (TestCell): undelete: deleted navmesh; "
        ),
        "{line}"
    );
    assert!(line.ends_with(": deleted -> the 60 triangles of Base.esm, 30000 units down"), "{line}");
    assert!(err.contains("nothing is written: --dry-run"), "{err}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    let (_, out, _) = run("fix", &files, &["--dry-run", "--format", "jsonl", "--only", "links"]);
    for line in out.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["repair"], "links");
        assert!(row["before"].is_string() && row.get("left").is_some());
        let (own, of_order) = (row["form_id"].as_str().unwrap(), row["order_form_id"].as_str().unwrap());
        assert!(own.len() == 8 && of_order.len() == 8, "{line}");
    }
}

#[test]
fn a_patch_repairs_and_is_never_written_over_a_file_unasked() {
    let folder = Temp::new("fix-patch");
    let mut files = files(folder.path());
    let patch = folder.path().join("Patch.esp");
    let output = patch.to_str().unwrap();
    let (status, _, err) = run("fix", &files, &["-o", output]);
    assert_eq!(status, 0, "{err}");
    let (status, _, err) = run("fix", &files, &["-o", output]);
    assert!(status == 2 && err.contains("is there already"), "{err}");
    files.push(output.to_owned());
    let (status, out, _) = run("fix", &files, &["-o", folder.path().join("Again.esp").to_str().unwrap()]);
    assert_eq!(status, 0);
    // What is left is no more than told of.
    assert!(!out.is_empty() && out.lines().all(|line| line.contains(": unused: ")), "{out}");
    let args = ["check", "--load-order", "-q", "--least", "warning"];
    let done = navmap(&args.iter().copied().chain(files.iter().map(String::as_str)).collect::<Vec<_>>());
    assert_eq!((done.status.code(), text(&done.stdout)), (Some(0), String::new()));
}

#[test]
fn in_place_keeps_the_files_as_they_were() {
    let folder = Temp::new("fix-place");
    let files = files(folder.path());
    let before: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let (_, _, err) = run("fix", &files, &["--in-place", "--itm"]);
    assert!(err.contains("the file as it was is"), "{err}");
    for (file, before) in files.iter().zip(&before) {
        let backup = PathBuf::from(format!("{file}.bak"));
        if fs::read(file).unwrap() != *before {
            assert_eq!(fs::read(backup).unwrap(), *before, "{file}");
        } else {
            assert!(!backup.exists());
        }
    }
    let plain = navmap(&["check", "-q", "--least", "warning", &files[3]]);
    assert_eq!(plain.status.code(), Some(0), "{}", text(&plain.stdout));
}

#[test]
fn files_of_the_game_are_written_over_only_if_they_are_named() {
    let folder = Temp::new("fix-game");
    let torn = damage::torn(SE, 0.0).bytes;
    let files = ["Skyrim.esm", "Mod.esp"].map(|name| {
        let path = folder.path().join(name);
        fs::write(&path, &torn).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let changed = || files.each_ref().map(|file| fs::read(file).unwrap() != torn);
    let (status, _, err) = run("fix", &files, &["--in-place"]);
    assert!(status < 2 && err.contains("Skyrim.esm: comes with the game, and stays as it is"), "{err}");
    assert_eq!(changed(), [false, true]);
    let (status, _, err) = run("fix", &files[..1], &["--in-place"]);
    assert!(status == 2 && err.contains("--plugin"), "{err}");
    assert_eq!(changed(), [false, true]);
    let (status, _, err) = run("fix", &files, &["--in-place", "--plugin", "skyrim.esm"]);
    assert!(status < 2, "{err}");
    assert_eq!(changed(), [true, true]);
}

#[test]
fn masters_that_are_not_there_are_named() {
    let folder = Temp::new("fix-masters");
    let files = files(folder.path());
    let told = "Linker.esp: its master Base.esm is not in the load order: repairs that depend on it are left";
    let (_, _, err) = run("fix", &files[2..3], &["--dry-run"]);
    assert!(err.contains(told), "{err}");
    let (_, _, err) = run("fix", &files, &["--dry-run"]);
    assert!(!err.contains("not in the load order"), "{err}");
}

#[test]
fn one_plugin_is_written_anew_by_name() {
    let folder = Temp::new("fix-one");
    let files = files(folder.path());
    let output = folder.path().join("out.esp");
    let (status, out, err) = run("fix", &files, &["--plugin", "breaker.esp", "-o", output.to_str().unwrap()]);
    assert_eq!(status, 0, "{err}");
    assert!(out.lines().all(|line| line.starts_with("Breaker.esp: ")), "{out}");
    let (status, _, err) = run("fix", &files, &["--plugin", "Braker.esp", "--dry-run"]);
    assert!(status == 2 && err.contains("did you mean Breaker.esp"), "{err}");
}

#[test]
fn entries_are_pruned_and_overrides_written_if_asked() {
    let folder = Temp::new("fix-asked");
    let write = |file: &damage::File| {
        let path = folder.path().join(file.name);
        fs::write(&path, &file.bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let files: Vec<String> = damage::renumbered(damage::Neighbour::Held).iter().map(write).collect();
    let output = folder.path().join("out.esp");
    let output = output.to_str().unwrap();
    let one = ["--plugin", "Renumber.esp", "-o", output];
    let (status, out, _) = run("fix", &files, &[&one[..], &["--dry-run"]].concat());
    assert_eq!(
        (status, out.matches("belongs into Base.esm, which is not to be changed").count()),
        (1, 5),
        "{out}"
    );
    let (status, out, err) = run("fix", &files, &[&one[..], &["--prune-navi", "--write-overrides"]].concat());
    assert_eq!(status, 0, "{err}");
    assert_eq!(out.matches(": prune: ").count(), 2, "{out}");
    assert_eq!(out.matches("in an override of the navmesh of Base.esm").count(), 5, "{out}");
    let checked = navmap(&["check", "-q", "--load-order", "--least", "warning", &files[0], output]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    let (status, _, err) = run("fix", &files, &["--write-overrides", "--in-place"]);
    assert!(status == 2 && err.contains("--plugin"), "{err}");
}

#[test]
fn lists_and_profiles_of_mod_managers_are_load_orders() {
    let folder = Temp::new("fix-lists");
    let root = folder.path();
    let mods = ["Deleting", "Linking", "Breaking"].map(|name| root.join("mods").join(name));
    let profile = root.join("profiles/Main");
    let data = root.join("Data");
    for folder in mods.iter().chain([&profile, &data]) {
        fs::create_dir_all(folder).unwrap();
    }
    let order = damage::order();
    fs::write(data.join("Base.esm"), &order[0].bytes).unwrap();
    for (folder, file) in mods.iter().zip(&order[1..]) {
        fs::write(folder.join(file.name), &file.bytes).unwrap();
    }
    // A mod of lower priority has an older file of the same name.
    fs::create_dir_all(root.join("mods/Old")).unwrap();
    fs::write(root.join("mods/Old/Linker.esp"), b"no plugin").unwrap();
    fs::write(profile.join("modlist.txt"), "# a comment\n+Breaking\n+Linking\n+Deleting\n+Old\n-Off\n")
        .unwrap();
    fs::write(
        profile.join("plugins.txt"),
        "*Base.esm\r\n*breaker.esp\r\n*Linker.esp\r\nOff.esp\r\n*Deleter.esp\r\n",
    )
    .unwrap();
    fs::write(profile.join("loadorder.txt"), "Base.esm\nDeleter.esp\nLinker.esp\nBreaker.esp\nOff.esp\n")
        .unwrap();
    let profile = profile.to_str().unwrap().to_owned();
    let data = data.to_str().unwrap();
    let by_list = run("fix", std::slice::from_ref(&profile), &["--dry-run", "--data", data]);
    let loose = Temp::new("fix-loose");
    let by_name = run("fix", &files(loose.path()), &["--dry-run"]);
    assert_eq!(by_list.1, by_name.1, "{}", by_list.2);
    // A check takes the same lists.
    let findings = |paths: &[&str]| {
        let place = ["--data", data];
        // Loose files lie where they are.
        let place = if paths.len() == 1 { &place[..] } else { &[] };
        let args = [&["check", "--load-order", "-q"], place, paths].concat();
        let done = navmap(&args);
        let lines: Vec<String> =
            text(&done.stdout).lines().map(|line| line.split_once(".es").unwrap().1.to_owned()).collect();
        (done.status.code(), lines)
    };
    let loose_files = files(loose.path());
    let by_paths = findings(&loose_files.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(by_paths.1.len() > 3, "{by_paths:?}");
    assert_eq!(findings(&[&profile]), by_paths);
    assert_eq!(findings(&[&format!("{profile}/loadorder.txt")]), by_paths, "Off.esp is nowhere");
    let list = format!("{profile}/plugins.txt");
    assert_eq!(findings(&[&list]), by_paths);
    assert_eq!(run("fix", &[list], &["--dry-run", "--data", data]).1, by_name.1);
    let (status, _, err) = run("fix", std::slice::from_ref(&profile), &["--dry-run"]);
    assert!(status < 2 && err.contains("not there: Base.esm") && err.contains("--data"), "{err}");
    let output = root.join("out.esp");
    let (status, _, err) = run("fix", &[profile], &["-o", output.to_str().unwrap()]);
    assert!(status == 2 && err.contains("not there: Base.esm") && !output.exists(), "{err}");
}

#[test]
fn conflicts_say_what_each_plugin_changes_and_which_wins() {
    let folder = Temp::new("conflicts");
    let files = files(folder.path());
    let picture = folder.path().join("conflict.svg");
    let (status, out, err) = run("conflicts", &files, &["--draw", picture.to_str().unwrap()]);
    assert!(out.contains("00000A21"), "{out}");
    assert!(out.contains("Linker.esp: 42 vertices moved"), "{out}");
    assert!(out.contains("wins: Breaker.esp: nothing"), "{out}");
    assert!(out.contains("fits together"), "{out}");
    assert_eq!(status, 1, "{err}");
    assert!(fs::read_to_string(picture).unwrap().contains("<svg"));
    let patch = folder.path().join("Merged.esp");
    let (status, _, err) = run("conflicts", &files, &["-o", patch.to_str().unwrap(), "--format", "jsonl"]);
    assert_eq!(status, 0, "{err}");
    let checked = navmap(&["check", "-q", "--least", "warning", patch.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
}

#[test]
fn a_patch_of_one_conflict_holds_that_navmesh_alone() {
    use navmap_testkit::skyrim::mesh::{Mesh, Place};
    use navmap_testkit::skyrim::plugin::Plugin;
    use navmap_testkit::skyrim::{SE, navm};
    let folder = Temp::new("conflict-one");
    let mut files = files(folder.path());
    // A change of a mesh that another plugin loads unchanged after it.
    let (cell, mut more) = (0x0927, Plugin::new(SE.form, SE.hedr, &["Base.esm"]));
    let mut mesh = Mesh::sheet(12, Place::Interior(cell), 6, 5, 5);
    mesh.vertices.iter_mut().for_each(|vertex| vertex[2] += 8.0);
    more.groups.push(more.navi(SE.navi, 12, &[mesh.map_entry(damage::SAME, false)], &[]));
    more.groups.push(more.interior(cell, &[navm(&more, damage::SAME, &mesh, true)]));
    let path = folder.file("More.esp", &more.encode());
    files.insert(1, path.to_str().unwrap().to_owned());
    let patch = folder.join("Patch.esp");
    let output = ["-o", patch.to_str().unwrap(), "--force"];
    for (asked, held) in [
        (&[][..], &["00000A20", "00000A21"][..]),
        (&["--mesh", "00000A20"], &["00000A20"]),
        (&["--mesh", "a21"], &["00000A21"]),
        (&["--mesh", "[NAVM:00000A20]"], &["00000A20"]),
    ] {
        let (status, out, err) = run("conflicts", &files, &[&output, asked].concat());
        assert_eq!((status, out.matches("[NAVM:").count()), (0, held.len()), "{asked:?}: {out}{err}");
        let listed = text(&navmap(&["info", "--records", patch.to_str().unwrap()]).stdout);
        for form in ["00000A20", "00000A21"] {
            assert_eq!(listed.contains(form), held.contains(&form), "{asked:?}: {listed}");
        }
    }
    fs::remove_file(&patch).unwrap();
    let (status, out, err) = run("conflicts", &files, &[&output[..], &["--mesh", "00000A10"]].concat());
    assert!(status == 2 && out.is_empty() && !patch.exists(), "{out}");
    assert!(err.contains("--mesh: no navmesh of this FormID is overridden more than once"), "{err}");
}

#[test]
fn every_conflict_is_drawn_into_a_folder_and_equal_versions_are_none() {
    let folder = Temp::new("conflict-folder");
    let [base, cutter, renumber] = damage::disputed();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let files = [&base, &cutter, &renumber].map(|file| write(file.name, &file.bytes)).to_vec();
    let pictures = folder.path().join("pictures");
    let (_, _, err) = run("conflicts", &files, &["--dry-run", "--draw", pictures.to_str().unwrap()]);
    assert!(err.contains("00000A00.svg is not written, ") && !pictures.exists(), "{err}");
    let (_, out, err) = run("conflicts", &files, &["--draw", pictures.to_str().unwrap()]);
    assert!(out.contains("[NAVM:00000A00] in [CELL:"), "{out}");
    assert!(err.contains("1 picture in "), "{err}");
    let svg = fs::read_to_string(pictures.join("00000A00.svg")).unwrap();
    assert!(svg.contains("Renumber.esp over Cutter.esp") && svg.contains(">unchanged<"), "{svg}");
    let (status, _, err) = run("conflicts", &files, &["--draw", pictures.to_str().unwrap()]);
    assert!(status == 2 && err.contains("is there already"), "{err}");
    // The same version under another name.
    let alike = vec![files[0].clone(), files[1].clone(), write("Again.esp", &cutter.bytes)];
    let (status, out, err) = run("conflicts", &alike, &[]);
    assert!(
        status == 0 && out.is_empty() && err.contains("1 navmesh that all override alike is no conflict"),
        "{out}{err}"
    );
}

#[test]
fn a_plugin_is_explained_and_reported_and_nothing_is_written() {
    let folder = Temp::new("fix-explain");
    let files = files(folder.path());
    let (status, out, err) = run("fix", &files, &["--explain", "deleter.esp"]);
    assert_eq!(status, 1, "{err}");
    assert!(
        out.starts_with("undelete: 1 place, 0 problems left\n") && out.contains("\n  Proven on: Skyrim: "),
        "{out}"
    );
    assert!(
        out.lines().filter(|line| line.starts_with("    ")).all(|line| line.contains("Deleter.esp: ")),
        "{out}"
    );
    assert!(
        !err.contains("--dry-run") && fs::read_dir(folder.path()).unwrap().count() == files.len(),
        "{err}"
    );
    for (name, holds) in [("report.md", "## Deleter.esp"), ("report.html", "<h2>Deleter.esp</h2>")] {
        let report = folder.path().join(name);
        let (_, _, err) = run("fix", &files, &["--report", report.to_str().unwrap()]);
        assert!(fs::read_to_string(&report).unwrap().contains(holds), "{name}");
        assert!(err.contains("Deleter.esp: 2 repairs of 2 records, 0 problems left\n"), "{err}");
    }
    let (status, _, err) = run("fix", &files, &["--dry-run", "--report", "report.txt"]);
    assert!(status == 2 && err.contains("has to end in .md or .html"), "{err}");
}

#[test]
fn a_version_is_chosen_where_nothing_brings_them_together() {
    let folder = Temp::new("choose");
    let write = |file: &damage::File| {
        let path = folder.path().join(file.name);
        fs::write(&path, &file.bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let files: Vec<String> = damage::disputed().iter().map(write).collect();
    let (status, out, err) = run("conflicts", &files, &[]);
    assert_eq!(status, 1, "{err}");
    assert!(out.contains("triangles gone in Cutter.esp: 59\n"), "{out}");
    assert!(out.contains("--choose Cutter.esp:00000A00 or --choose Renumber.esp:00000A00"), "{out}");
    assert_eq!(out.matches("  dangles: ").count(), 10, "{out}");
    // A name with spaces is one word of a shell.
    let spaced = folder.path().join("Rick's cut.esp");
    fs::copy(&files[1], &spaced).unwrap();
    let with = [files[0].clone(), spaced.to_str().unwrap().to_owned(), files[2].clone()];
    let (_, out, _) = run("conflicts", &with, &[]);
    assert!(
        out.contains(r"--choose 'Rick'\''s cut.esp:00000A00' or --choose Renumber.esp:00000A00"),
        "{out}"
    );
    let (_, out, _) = run("conflicts", &files, &["--format", "jsonl"]);
    let row: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(row["versions"][0]["gone"], serde_json::json!([59]));
    assert_eq!(row["versions"][1]["dangling"].as_array().unwrap().len(), 10);
    let patch = folder.path().join("Patch.esp");
    let patch = patch.to_str().unwrap();
    let (status, out, err) = run("conflicts", &files, &["--choose", "renumber.esp:00000A00", "-o", patch]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("chosen: Renumber.esp") && out.matches(": links: ").count() == 5, "{out}");
    assert!(err.contains("1 chosen, 0 need a choice"), "{err}");
    let all: Vec<&str> = files.iter().map(String::as_str).chain([patch]).collect();
    let checked = navmap(&[&["check", "-q", "--load-order", "--least", "warning"], &all[..]].concat());
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
    let (status, _, err) = run("conflicts", &files, &["--choose", "Cuter.esp"]);
    assert!(status == 2 && err.contains("--choose") && err.contains("did you mean Cutter.esp"), "{err}");
}

#[test]
fn meshes_of_plugins_are_edited_by_commands() {
    let folder = Temp::new("edit-plugin");
    let output = folder.path().join("out.esp");
    let output = output.to_str().unwrap();
    let plugin = "corpus/skyrim/se/village.esp";
    let done =
        navmap(&["edit", plugin, "-c", "move 0 0 64 mesh(01000900); set water 01000901#3", "-o", output]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("triangles: 1 changed"), "{}", text(&done.stderr));
    let diff = navmap(&["diff", "--stat", plugin, output]);
    assert_eq!(diff.status.code(), Some(1));
    let done = navmap(&["edit", plugin, "-c", "move 0 0 64; undo", "-o", output, "--force"]);
    assert_eq!(done.status.code(), Some(0));
    let original = navmap_testkit::corpus::project().join(plugin);
    assert_eq!(fs::read(output).unwrap(), fs::read(original).unwrap());
    let refused = navmap(&["edit", plugin, "-c", "delete mesh(01000900)"]);
    assert_eq!(refused.status.code(), Some(1));
}
