//! Load orders on the command line: stale lists, light patches, and versions that are deleted.

use crate::{navmap, text};
use navmap_testkit::skyrim::damage::{self, File};
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::Plugin;
use navmap_testkit::skyrim::{LE, SE, STARFIELD, hostile, navm};
use navmap_testkit::temp::Temp;
use std::fs;

fn run(args: &[&str]) -> (i32, String, String) {
    let done = navmap(args);
    (done.status.code().unwrap(), text(&done.stdout), text(&done.stderr))
}

/// Writes files into a folder. Returns their paths.
fn written(temp: &Temp, files: &[File]) -> Vec<String> {
    files.iter().map(|file| temp.file(file.name, &file.bytes).to_str().unwrap().to_owned()).collect()
}

fn words<'a>(verb: &[&'a str], files: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    verb.iter().copied().chain(files.iter().map(String::as_str)).chain(more.iter().copied()).collect()
}

#[test]
fn stale_lines_of_a_list_are_told_and_passed_over_unless_something_is_written() {
    let temp = Temp::new("order-stale");
    written(&temp, &damage::order());
    let plugins = "*Base.esm\n*Deleter.esp\n*Removed.esp\n*Linker.esp\n*Breaker.esp\n";
    let list = temp.file("list/plugins.txt", plugins.as_bytes());
    let (list, data) = (list.to_str().unwrap(), temp.path().to_str().unwrap());
    let output = temp.join("out.esp");
    let output = output.to_str().unwrap();
    for verb in [&["check", "--load-order"][..], &["conflicts"], &["fix", "--dry-run"], &["fix"]] {
        let (status, out, err) = run(&[verb, &[list, "--data", data]].concat());
        assert!(status == 1 && out.contains("Linker.esp"), "{verb:?}: {err}");
        assert!(err.contains("not there: Removed.esp; searched in ") && err.contains(data), "{err}");
    }
    for verb in [&["conflicts", "-o", output][..], &["fix", "-o", output], &["fix", "--in-place"]] {
        let (status, out, err) = run(&[verb, &[list, "--data", data]].concat());
        assert!(status == 2 && out.is_empty() && err.contains("Removed.esp"), "{verb:?}: {err}");
    }
    // Where nothing of the list is there, somebody has forgotten the folder.
    let (status, _, err) = run(&["check", "--load-order", list]);
    assert!(status == 2 && err.contains("--data names more folders"), "{err}");
}

#[test]
fn a_patch_is_light_by_option_or_name_and_refused_where_it_cannot_be() {
    let temp = Temp::new("order-light");
    let mut old = damage::order();
    let files = written(&temp, &old);
    let flags = |name: &str, more: &[&str]| {
        let output = temp.join(name);
        let (status, _, err) = run(&words(&["fix", "-o", output.to_str().unwrap()], &files, more));
        assert_eq!(status, 0, "{err}");
        u32::from_le_bytes(fs::read(&output).unwrap()[8..12].try_into().unwrap())
    };
    assert_eq!((flags("a.esp", &["--light"]), flags("b.esl", &[]), flags("c.esm", &[])), (0x200, 0x201, 1));
    let (status, _, err) = run(&words(&["fix", "--in-place", "--light"], &files, &[]));
    assert!(status == 2 && err.contains("--light"), "{err}");

    let le = Temp::new("order-light-le");
    old.iter_mut().for_each(|file| file.bytes[20..22].copy_from_slice(&LE.form.to_le_bytes()));
    let files = written(&le, &old);
    let output = le.join("Fixes.esl");
    let (to, other) = (output.to_str().unwrap(), le.join("Fixes.esp"));
    for (verb, more) in [
        ("fix", &["--light", "--dry-run"][..]),
        ("fix", &["-o", to]),
        ("conflicts", &["--light", "-o", other.to_str().unwrap()]),
        ("conflicts", &["-o", to]),
    ] {
        let (status, _, err) = run(&words(&[verb], &files, more));
        assert!(status == 2 && err.contains("Skyrim has no light plugins"), "{verb}: {err}");
    }
    assert!(!output.exists() && !other.exists());
}

#[test]
fn a_dry_run_says_that_a_patch_could_not_be_written() {
    let temp = Temp::new("order-dry");
    let mut torn = damage::torn(STARFIELD, 0.0);
    let plain = written(&temp, std::slice::from_ref(&torn));
    let dry = ["fix", "--dry-run", "--only", "links"];
    assert!(!run(&words(&dry, &plain, &[])).2.contains("could not be written"));
    torn.bytes[9] |= 1;
    let light = written(&temp, &[torn]);
    let (status, _, err) = run(&words(&dry, &light, &[]));
    let why = "this could not be written: patch: would need Torn.esp: light and medium masters";
    assert!(status == 1 && err.contains(why), "{err}");
}

#[test]
fn rows_have_the_formid_of_the_plugin_and_that_of_the_order() {
    let temp = Temp::new("order-rows");
    let files = written(&temp, &damage::order());
    let (_, out, _) = run(&words(&["fix", "--dry-run", "--format", "jsonl"], &files, &[]));
    let rows = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let ids: Vec<_> = rows
        .filter(|row| row["plugin"] == "Breaker.esp")
        .map(|row| [&row["form_id"], &row["order_form_id"]].map(|id| id.as_str().unwrap().to_owned()))
        .collect();
    // Its second file there, and the fourth of the order.
    assert!(ids.contains(&["01000802".to_owned(), "03000802".to_owned()]), "{ids:?}");
    let (_, out, _) = run(&words(&["conflicts", "--format", "jsonl"], &files, &[]));
    let row: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(row["form_id"], row["order_form_id"], "a mesh of the first file: {row}");
}

#[test]
fn of_a_version_that_is_deleted_the_other_one_is_drawn() {
    let temp = Temp::new("order-deleted");
    let [base, deleter, ..] = damage::order();
    let files = written(&temp, &[base, deleter, damage::kept("Keeper.esp")]);
    let folder = temp.join("pictures");
    let (_, _, err) = run(&words(&["conflicts", "--draw", folder.to_str().unwrap()], &files, &[]));
    assert!(err.contains("1 picture in "), "{err}");
    let svg = fs::read_to_string(folder.join("00000A10.svg")).unwrap();
    assert!(svg.contains("Keeper.esp; Deleter.esp deletes it"), "{svg}");
}

#[test]
fn a_plugin_with_path_grids_is_called_one() {
    let plugin = "corpus/pathgrid/tes4.esp";
    let (status, _, err) = run(&["edit", plugin, "-c", "delete #1", "--dry-run"]);
    assert!(status != 0 && err.contains("files of the kind pathgrid (A plugin of Morrowind"), "{err}");
    let (status, _, err) = run(&["info", "--records", plugin]);
    assert!(status == 2 && err.contains("this plugin has path grids"), "{err}");
}

#[test]
fn a_list_without_plugins_is_refused_by_every_verb() {
    let temp = Temp::new("order-empty");
    let list = temp.file("plugins.txt", b"# none\n");
    for verb in [&["check", "--load-order"][..], &["conflicts"], &["fix", "--dry-run"]] {
        let (status, out, err) = run(&[verb, &[list.to_str().unwrap()]].concat());
        let why = "load order: has no plugin that can be read";
        assert!(status == 2 && out.is_empty() && err.contains(why), "{verb:?}: {status} {err}");
    }
}

#[test]
fn data_without_a_list_is_refused_by_every_verb() {
    let temp = Temp::new("order-data");
    let files = written(&temp, &damage::order());
    let page = temp.join("page.html");
    let view = ["view", "--order", "--html", page.to_str().unwrap()];
    let data = ["--data", temp.path().to_str().unwrap()];
    for (verb, point) in [
        (&["check", "--load-order"][..], &[][..]),
        (&["conflicts"], &[]),
        (&["fix", "--dry-run"], &[]),
        (&["locate"], &["0", "0", "0"]),
        (&view, &[]),
    ] {
        let (status, out, err) = run(&[verb, &[files[0].as_str()], point, &data].concat());
        assert!(status == 2 && out.is_empty(), "{verb:?}: {status} {out}");
        assert!(
            err.contains("--data: is where the plugins of a list or a profile lie, and none is"),
            "{err}"
        );
    }
    // A list that is not there is told by itself.
    let (_, _, err) = run(&["conflicts", "missing/plugins.txt", "--data", temp.path().to_str().unwrap()]);
    assert!(err.contains("missing/plugins.txt") && !err.contains("--data"), "{err}");
}

#[test]
fn a_version_is_chosen_by_the_name_that_messages_have_for_its_mesh() {
    let temp = Temp::new("order-choice");
    let files = written(&temp, &damage::disputed());
    for form in ["00000A00", "0x00000A00", "[NAVM:00000A00]"] {
        let choice = format!("Cutter.esp:{form}");
        let (_, out, err) = run(&words(&["conflicts"], &files, &["--mesh", form, "--choose", &choice]));
        assert!(out.contains("chosen: Cutter.esp"), "{form}: {out}{err}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_with_the_name_of_a_plugin_is_no_plugin_of_a_list() {
    let temp = Temp::new("order-pipe");
    written(&temp, &damage::order());
    let list = temp.file("plugins.txt", b"*Base.esm\n*Pipe.esp\n");
    assert!(std::process::Command::new("mkfifo").arg(temp.join("Pipe.esp")).status().unwrap().success());
    for verb in [&["check", "--load-order"][..], &["conflicts"], &["fix", "--dry-run"]] {
        let (_, _, err) = run(&[verb, &[list.to_str().unwrap()]].concat());
        assert!(err.contains("not there: Pipe.esp; "), "{verb:?}: {err}");
    }
}

/// What is in a group or an info map that cannot be read, no repair has seen.
#[test]
fn what_fix_cannot_read_is_a_problem_left() {
    let temp = Temp::new("order-unread");
    let deep = hostile::files().into_iter().find(|made| made.path.contains("group-depth.esp")).unwrap();
    let mut lone = Plugin::new(SE.form, SE.hedr, &[]);
    let (cell, form) = (lone.own(), lone.own() + 1);
    let mesh = Mesh::sheet(12, Place::Interior(cell), 3, 2, 1);
    lone.groups.push(lone.navi(SE.navi, 12, &[mesh.map_entry(form, false)], &[form]));
    lone.groups.push(lone.interior(cell, &[navm(&lone, form, &mesh, true)]));
    let mut no_map = lone.encode();
    // The version of the map is behind a name that is none.
    let at = no_map.windows(4).position(|tag| tag == b"NVER").unwrap();
    no_map[at..at + 4].copy_from_slice(b"XXXX");
    for (name, bytes, code) in
        [("Deep.esp", deep.bytes, "damaged-group"), ("Map.esp", no_map, "damaged-navi")]
    {
        let path = temp.file(name, &bytes).to_str().unwrap().to_owned();
        let (status, out, err) = run(&["fix", "--dry-run", &path]);
        assert!(status == 1 && out.contains(&format!("{name}: meshes: {code}: ")), "{status} {out}{err}");
        assert!(out.contains("; left: ") && err.contains("0 repairs, 1 problem left"), "{out}{err}");
        assert!(run(&["check", &path]).1.contains(code));
    }
}
