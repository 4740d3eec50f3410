//! Reads what `navmap fix` and `navmap conflicts` write with esplugin, the reader of LOOT: plugins that it can read to their last
//! record, with the masters, the overrides and the header that they should have.

use esplugin::{GameId, ParseOptions, plugins_metadata};
use navmap::Limits;
use navmap::format::skyrim::fix::{Choice, FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{LoadOrder, Plugin};
use navmap_testkit::skyrim::damage::{self, File};
use navmap_testkit::temp::Temp;

fn plugin(bytes: &[u8]) -> Plugin<'_> {
    Plugin::parse(bytes, &Limits::default()).expect("a plugin")
}

fn order(files: &[File]) -> LoadOrder<'_> {
    let mut order = LoadOrder::new();
    files.iter().for_each(|file| order.push(file.name, plugin(&file.bytes)));
    order
}

/// Writes the files and lets esplugin read the last of them, which the others are masters of.
fn reads(what: &str, files: &[File], light: bool) -> esplugin::Plugin {
    let temp = Temp::new(&format!("esplugin-{what}"));
    let mut read: Vec<esplugin::Plugin> = Vec::new();
    for file in files {
        let path = temp.file(file.name, &file.bytes);
        let mut plugin = esplugin::Plugin::new(GameId::SkyrimSE, &path);
        plugin
            .parse_file(ParseOptions::whole_plugin())
            .unwrap_or_else(|error| panic!("{what}: {}: {error}", file.name));
        read.push(plugin);
    }
    let mut last = read.pop().expect("a plugin");
    let metadata = plugins_metadata(&read.iter().collect::<Vec<_>>()).expect("masters");
    last.resolve_record_ids(&metadata).expect("records of known masters");
    let bytes = &files.last().expect("a plugin").bytes;
    let ours = plugin(bytes);
    let masters: Vec<String> =
        ours.masters().map(|name| String::from_utf8(name.to_vec()).expect("a name")).collect();
    assert_eq!(last.masters().expect("masters"), masters, "{what}");
    assert_eq!((last.is_light_plugin(), last.is_master_file()), (light, false), "{what}");
    if light {
        assert!(last.is_valid_as_light_plugin().expect("records"), "{what}");
    }
    last
}

/// A patch holds overrides and nothing else, and says how many records and groups it has.
fn is_patch(what: &str, files: &[File], patch: Vec<u8>, light: bool) {
    let records = plugin(&patch).records().count();
    let groups = {
        let mut groups = 0_u32;
        count_groups(
            &patch[24 + u32::from_le_bytes(patch[4..8].try_into().expect("a size")) as usize..],
            &mut groups,
        );
        groups
    };
    let all: Vec<File> = files.iter().cloned().chain([File { name: "Patch.esp", bytes: patch }]).collect();
    let read = reads(what, &all, light);
    assert_eq!(read.count_override_records().expect("records"), records, "{what}");
    assert_eq!(read.record_and_group_count(), Some(records as u32 + groups), "{what}");
}

fn count_groups(mut bytes: &[u8], groups: &mut u32) {
    while !bytes.is_empty() {
        let size = u32::from_le_bytes(bytes[4..8].try_into().expect("a size")) as usize;
        if &bytes[..4] == b"GRUP" {
            *groups += 1;
            count_groups(&bytes[24..size], groups);
            bytes = &bytes[size..];
        } else {
            bytes = &bytes[24 + size..];
        }
    }
}

fn main() {
    let files = damage::order();
    let plan_order = order(&files);
    let plan = FixPlan::new(&plan_order, &FixOptions::default());
    for light in [false, true] {
        is_patch("patch", &files, plan.patch(light).expect("a patch"), light);
    }
    let (merged, _) = FixPlan::conflicts(&plan_order, &[]).expect("no choice");
    is_patch("merged", &files, merged.patch(false).expect("a patch"), false);

    let disputed = damage::disputed();
    let dispute = order(&disputed);
    let (chosen, _) = FixPlan::conflicts(&dispute, &[Choice { plugin: 2, form: None }]).expect("a choice");
    is_patch("chosen", &disputed, chosen.patch(false).expect("a patch"), false);

    // Plugins that are written anew, cleaned and with overrides of their own.
    let repairs = Repair::ALL.to_vec();
    let whole = FixPlan::new(
        &plan_order,
        &FixOptions { repairs: repairs.clone(), patch: false, ..FixOptions::default() },
    );
    for at in whole.changed_plugins().into_iter().filter(|at| *at > 0) {
        let written = File { name: files[at].name, bytes: whole.plugin(at).expect("a plugin") };
        reads("anew", &[files[0].clone(), written], false);
    }
    for neighbour in [damage::Neighbour::Empty, damage::Neighbour::Held] {
        let [base, renumber] = damage::renumbered(neighbour);
        let files = [base.clone(), renumber.clone()];
        let order = order(&files);
        let options =
            FixOptions { repairs: repairs.clone(), plugins: vec![1], patch: false, write_overrides: true, ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        let before = reads("before", &files, false).count_override_records().expect("records");
        let written = File { name: renumber.name, bytes: plan.plugin(1).expect("a plugin") };
        let after = reads("overrides", &[base, written], false).count_override_records().expect("records");
        assert_eq!(after, before + 1, "the eastern mesh");
    }
    println!("esplugin reads everything that was written");
}
