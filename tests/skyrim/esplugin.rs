//! esplugin, which LOOT reads plugins with, reads what `navmap fix` and `navmap conflicts` write: to the last record, with the masters,
//! the overrides and the header that they should have. `NAVMAP_ESPLUGIN` names the program of `tests/esplugin`, which asks it.

use crate::fix::{counts, order};
use crate::plugin;
use navmap::format::skyrim::fix::{Choice, FixOptions, FixPlan, Repair};
use navmap_testkit::skyrim::damage::{self, File, Neighbour};
use navmap_testkit::temp::Temp;
use std::ffi::OsString;
use std::fmt::Debug;
use std::process::Command;
use std::str::FromStr;

/// The program, which `NAVMAP_ESPLUGIN` names; says that a test is skipped without it.
fn program() -> Option<OsString> {
    let program = std::env::var_os("NAVMAP_ESPLUGIN");
    if program.is_none() {
        navmap_testkit::skipped(
            "cargo build --manifest-path tests/esplugin/Cargo.toml, and set NAVMAP_ESPLUGIN to its program, reads",
        );
    }
    program
}

/// What esplugin says of a plugin: a key and a value a line.
struct Said(String);

impl Said {
    fn values(&self, key: &str) -> Vec<&str> {
        let lines = self.0.lines().map(|line| line.split_once(' ').unwrap());
        lines.filter(|(found, _)| *found == key).map(|(_, value)| value).collect()
    }

    fn value<T: FromStr<Err: Debug>>(&self, key: &str) -> T {
        let [value] = self.values(key)[..] else { panic!("{key}: {}", self.0) };
        value.parse().unwrap()
    }

    fn overrides(&self) -> u32 {
        self.value("override-records")
    }
}

/// Lets esplugin read the last of the files, which the others are masters of.
fn reads(program: &OsString, what: &str, files: &[File], light: bool) -> Said {
    let temp = Temp::new("esplugin");
    let paths = files.iter().map(|file| temp.file(file.name, &file.bytes));
    let done = Command::new(program).args(paths).output().unwrap();
    assert!(done.status.success(), "{what}: {}", String::from_utf8_lossy(&done.stderr));
    let said = Said(String::from_utf8(done.stdout).unwrap());
    let masters: Vec<&[u8]> = plugin(&files.last().unwrap().bytes).masters().collect();
    let theirs: Vec<&[u8]> = said.values("master").into_iter().map(str::as_bytes).collect();
    assert_eq!(theirs, masters, "{what}");
    assert_eq!((said.value("light"), said.value("master-file")), (light, false), "{what}");
    if light {
        assert!(said.value::<bool>("valid-as-light"), "{what}");
    }
    said
}

/// A patch holds overrides and nothing else, and says how many records and groups it has.
fn is_patch(program: &OsString, what: &str, files: &[File], patch: Vec<u8>, light: bool) {
    let [records, groups] = counts(&patch);
    assert_eq!(plugin(&patch).records().count(), records as usize, "{what}");
    let all: Vec<File> = files.iter().cloned().chain([File { name: "Patch.esp", bytes: patch }]).collect();
    let said = reads(program, what, &all, light);
    assert_eq!(said.overrides(), records, "{what}");
    assert_eq!(said.value::<u32>("records-and-groups"), records + groups, "{what}");
}

#[test]
fn patches_of_repairs_are_read_and_hold_overrides_alone() {
    let Some(program) = program() else { return };
    let files = damage::order();
    let order = order(&files);
    let plan = FixPlan::new(&order, &FixOptions::default());
    for light in [false, true] {
        is_patch(&program, "patch", &files, plan.patch(light).unwrap(), light);
    }
}

#[test]
fn patches_of_conflicts_are_read_and_hold_overrides_alone() {
    let Some(program) = program() else { return };
    let (files, choice) = (damage::order(), [Choice { plugin: 2, form: None }]);
    let disputed = damage::disputed();
    for (what, files, choices) in [("merged", &files[..], &[][..]), ("chosen", &disputed[..], &choice[..])] {
        let order = order(files);
        let (plan, _) = FixPlan::conflicts(&order, choices).unwrap();
        is_patch(&program, what, files, plan.patch(false).unwrap(), false);
    }
}

#[test]
fn plugins_that_are_written_anew_are_read() {
    let Some(program) = program() else { return };
    let files = damage::order();
    let order = order(&files);
    let options = FixOptions { repairs: Repair::ALL.to_vec(), patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    let changed: Vec<usize> = plan.changed_plugins().into_iter().filter(|at| *at > 0).collect();
    assert!(!changed.is_empty());
    for at in changed {
        let written = File { name: files[at].name, bytes: plan.plugin(at).unwrap() };
        reads(&program, "anew", &[files[0].clone(), written], false);
    }
}

#[test]
fn an_override_that_a_repair_writes_is_one_more() {
    let Some(program) = program() else { return };
    for neighbour in [Neighbour::Empty, Neighbour::Held] {
        let files = damage::renumbered(neighbour);
        let order = order(&files);
        let repairs = Repair::ALL.to_vec();
        let options = FixOptions {
            repairs,
            plugins: vec![1],
            patch: false,
            write_overrides: true,
            ..FixOptions::default()
        };
        let plan = FixPlan::new(&order, &options);
        let before = reads(&program, "before", &files, false).overrides();
        let [base, renumber] = files.clone();
        let written = File { name: renumber.name, bytes: plan.plugin(1).unwrap() };
        let after = reads(&program, "overrides", &[base, written], false).overrides();
        assert_eq!(after, before + 1, "the eastern mesh");
    }
}
