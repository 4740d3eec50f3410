//! Load orders, and lists of them, that were made to hurt.

use super::{navmap, run};
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::plugin::Plugin;
use navmap_testkit::skyrim::{SE, navm};
use navmap_testkit::temp::Temp;
use std::path::Path;

fn plugin(masters: &[&str]) -> Plugin {
    Plugin::new(SE.form, SE.hedr, masters)
}

fn checked(what: &str, paths: &[&Path]) -> (String, String) {
    let done = run(what, navmap().args(["check", "--load-order"]).args(paths));
    assert!(matches!(done.status.code(), Some(0..=2)), "{what}: {:?}", done.status);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(done.stdout), text(done.stderr))
}

#[test]
fn a_mod_that_a_profile_lists_again_and_again_is_read_once() {
    let temp = Temp::new("repeated-mod");
    for number in 0..300 {
        temp.file(format!("mods/a/B{number}.esm"), &plugin(&[]).encode());
    }
    temp.file("profiles/p/plugins.txt", b"*B7.esm\n");
    temp.file("profiles/p/modlist.txt", "+a\n+a/\n+a/.\n".repeat(60_000).as_bytes());
    let (_, said) = checked("a repeated mod", &[&temp.join("profiles/p")]);
    assert!(said.contains("1 plugin: 0 warnings"), "{said}");
}

#[test]
fn a_name_in_a_list_is_not_told_beyond_the_length_of_one() {
    let temp = Temp::new("long-names");
    temp.file("Base.esm", &plugin(&[]).encode());
    let list = temp.file("plugins.txt", &[&b"*Base.esm\n*"[..], &[0; 900_000]].concat());
    let (_, said) = checked("a long name", &[&list]);
    assert!(said.contains("names plugins that are not there") && said.len() < 20_000, "{} bytes", said.len());
}

/// The name of a file that is not there was looked for among all masters of all plugins, for each finding.
#[test]
fn findings_about_files_that_are_missing_cost_no_more_with_many_masters() {
    let temp = Temp::new("many-masters");
    let names: Vec<String> = (0..30_000).map(|number| format!("m{number:05}.esm")).collect();
    let many = plugin(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let many = temp.file("Many.esp", &many.encode());
    let mut last = plugin(&["Zzz.esm"]);
    let own = last.own();
    let mut from = Mesh::sheet(12, Place::Interior(own), 60, 60, 1);
    for (triangle, edge) in (0..7_200).flat_map(|triangle| (0..3).map(move |edge| (triangle, edge))) {
        from.link(triangle, edge, Link { kind: 0, navmesh: 0x0901, triangle: 0, edge: 0 });
    }
    let to = Mesh::sheet(12, Place::Interior(own), 2, 2, 1);
    let records = [navm(&last, own + 1, &from, false), navm(&last, 0x0901, &to, false)];
    last.groups.push(last.interior(own, &records));
    let last = temp.file("Last.esp", &last.encode());
    let (out, _) = checked("many masters", &[&many, &last]);
    assert_eq!(out.matches("(Zzz.esm): no link leads back").count(), 21_600);
}

#[test]
fn a_plugin_that_names_itself_or_a_master_twice_is_told_so_once() {
    let temp = Temp::new("self-master");
    let own = temp.file("A.esp", &plugin(&["A.esp"]).encode());
    let twice = temp.file("B.esp", &plugin(&["No.esm", "no.ESM", "A.esp"]).encode());
    let (out, _) = checked("itself", &[&own, &twice]);
    assert!(out.contains("it names itself, A.esp, as its master"), "{out}");
    assert!(out.contains("its master No.esm is not in the order"), "{out}");
}
