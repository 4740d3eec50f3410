//! Repairs that are done only if asked for, and what is only told of.

use super::{findings, mesh, order};
use crate::plugin;
use navmap::NavFile;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{Changes, LoadOrder, NavMap, Tag};
use navmap_testkit::skyrim::damage::{self, EAST, GONE, Neighbour, RESTORED, SAME, WEST};
use navmap_testkit::skyrim::plugin::field;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn meshes_that_nothing_leads_to_are_told_of_and_count_for_nothing() {
    let files = damage::order();
    let order = order(&files);
    let plan = FixPlan::new(&order, &FixOptions { repairs: vec![Repair::Unused], ..FixOptions::default() });
    let told: Vec<_> =
        plan.deeds().iter().map(|deed| (deed.file.as_str(), deed.form.get() & 0xFFFF)).collect();
    // The others have links. The master's SAME and RESTORED are overridden, and no plugin's own.
    assert_eq!(
        told,
        [("Deleter.esp", 0x0805), ("Breaker.esp", 0x0802), ("Breaker.esp", 0x0803)],
        "{:#?}",
        plan.deeds()
    );
    assert_eq!((plan.done(), plan.left(), plan.changed_plugins().len()), (0, 0, 0));
    assert!(
        plan.deeds()[0].to_string().contains("unused: nothing leads to it: no links, no doors, no island")
    );
    // An entry that says island is enough.
    let files = damage::renumbered(Neighbour::Held);
    let order = super::order(&files);
    let plan = FixPlan::new(&order, &FixOptions { repairs: vec![Repair::Unused], ..FixOptions::default() });
    let told: Vec<_> = plan.deeds().iter().map(|deed| (deed.file.as_str(), deed.form.get())).collect();
    assert_eq!(told, [("Base.esm", SAME), ("Base.esm", RESTORED)]);
}

/// The meshes that a plugin's info map has entries for.
fn entries(bytes: &[u8]) -> Vec<u32> {
    let mut scratch = Scratch::new();
    let navi = plugin(bytes).navi().unwrap().unwrap();
    let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
    map.entries().map(|entry| entry.unwrap().head.navmesh().get()).collect()
}

#[test]
fn entries_of_meshes_that_a_plugin_neither_holds_nor_links_to_go_if_asked() {
    let files = damage::renumbered(Neighbour::Empty);
    let order = order(&files);
    assert_eq!(entries(&files[1].bytes), [SAME, WEST, EAST, GONE]);
    let prune = FixOptions { repairs: vec![Repair::Prune], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &prune);
    let told: Vec<_> = plan.deeds().iter().map(|deed| (deed.file.as_str(), deed.form.get())).collect();
    assert_eq!(told, [("Renumber.esp", GONE), ("Renumber.esp", SAME)], "{:#?}", plan.deeds());
    assert_eq!(plan.changed_plugins(), [1]);
    let pruned = plan.plugin(1).unwrap();
    assert_eq!(entries(&pruned), [WEST, EAST]);
    assert!(!FixOptions::default().repairs.contains(&Repair::Prune), "never unasked");
    // A patch removes nothing.
    let plan = FixPlan::new(&order, &FixOptions { patch: true, ..prune.clone() });
    assert_eq!((plan.done(), plan.left()), (0, 2));
    // An entry that no other plugin has stays as long as its mesh is there.
    let mut files = files;
    let lost = files[0]
        .bytes
        .windows(10)
        .position(|at| {
            at == [
                b"NVMI",
                &[0; 0][..],
                &(entry_size(&files[0].bytes, GONE) as u16).to_le_bytes(),
                &GONE.to_le_bytes(),
            ]
            .concat()
        })
        .unwrap();
    files[0].bytes[lost + 6..lost + 10].copy_from_slice(&0x0B00_u32.to_le_bytes());
    let order = super::order(&files);
    let plan = FixPlan::new(&order, &FixOptions { plugins: vec![1], ..prune });
    let told: Vec<_> = plan.deeds().iter().map(|deed| deed.form.get()).collect();
    assert_eq!(told, [SAME]);
}

#[test]
fn entries_of_what_a_repaired_mesh_links_to_stay() {
    let mut files = damage::renumbered(Neighbour::Empty);
    // A triangle is in no list of the grid: the mesh that links to the eastern one is repaired.
    files[1].bytes = {
        let (plugin, mut scratch, mut changes) = (plugin(&files[1].bytes), Scratch::new(), Changes::new());
        let navm = plugin.navmeshes().flatten().find(|navm| navm.form_id().get() == WEST).unwrap();
        let mut broken = mesh(&files[1].bytes, WEST);
        broken.grid.lists.iter_mut().for_each(|list| list.retain(|triangle| *triangle != 7));
        changes.set_mesh(&navm, &broken, &mut scratch).unwrap();
        changes.apply(&plugin).unwrap()
    };
    let order = order(&files);
    let repairs = vec![Repair::Mesh, Repair::Prune];
    let options = FixOptions { repairs, plugins: vec![1], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    assert!(
        plan.deeds().iter().any(|deed| deed.repair == Repair::Mesh && deed.left.is_none()),
        "{:#?}",
        plan.deeds()
    );
    let repaired = plan.plugin(1).unwrap();
    let linked: BTreeSet<u32> = mesh(&repaired, WEST).links.iter().map(|link| link.navmesh.get()).collect();
    assert!(linked.contains(&EAST), "{linked:08X?}");
    assert_eq!(entries(&repaired), [WEST, EAST]);
}

/// The plugin with a second entry of a mesh, with another centre, right before or behind the first.
fn with_another_entry(bytes: &[u8], form: u32, before: bool) -> Vec<u8> {
    let base = plugin(bytes);
    let navi = base.navi().unwrap().unwrap();
    let mut scratch = Scratch::new();
    let fields = navi.fields(&mut scratch).unwrap();
    let is = |tag: &Tag, data: &[u8]| *tag == Tag(*b"NVMI") && data[..4] == form.to_le_bytes();
    let same = fields.clone().map(Result::unwrap).find(|each| is(&each.tag, each.data)).unwrap();
    let mut other = same.data.to_vec();
    other[8] ^= 1;
    let (mut data, more) = (Vec::new(), field(b"NVMI", &other));
    for each in fields.map(Result::unwrap) {
        let stored = field(&each.tag.0, each.data);
        match is(&each.tag, each.data) {
            true if before => data.extend([&more[..], &stored].concat()),
            true => data.extend([&stored[..], &more].concat()),
            false => data.extend(stored),
        }
    }
    let mut changes = Changes::new();
    changes.set(&navi, navi.header().flags(), data);
    changes.apply(&base).unwrap()
}

#[test]
fn an_entry_goes_with_its_record_if_the_last_one_before_it_says_the_same() {
    for (first, kept) in [(true, false), (false, true)] {
        let mut files = damage::order();
        files[0].bytes = with_another_entry(&files[0].bytes, SAME, first);
        let order = order(&files);
        let options = FixOptions { repairs: vec![Repair::Identical], patch: false, ..FixOptions::default() };
        let cleaned = FixPlan::new(&order, &options).plugin(2).unwrap();
        assert_eq!(entries(&cleaned).contains(&SAME), kept, "{first}");
    }
}

#[test]
fn entries_go_with_their_record_if_their_last_one_is_that_of_the_plugin_before() {
    for (first, kept) in [(true, 0), (false, 2)] {
        let mut files = damage::order();
        files[2].bytes = with_another_entry(&files[2].bytes, SAME, first);
        let order = order(&files);
        let options = FixOptions { repairs: vec![Repair::Identical], patch: false, ..FixOptions::default() };
        let cleaned = FixPlan::new(&order, &options).plugin(2).unwrap();
        assert_eq!(entries(&cleaned).iter().filter(|form| **form == SAME).count(), kept, "{first}");
    }
}

#[test]
fn of_several_entries_of_a_mesh_all_but_the_last_go_if_asked() {
    let sound = damage::renumbered(Neighbour::Empty);
    let mut files = sound.clone();
    files[0].bytes = with_another_entry(&files[0].bytes, SAME, true);
    assert!(findings(&files).contains_key(&("Base.esm", "nvmi-twice")));
    let order = order(&files);
    let prune =
        FixOptions { repairs: vec![Repair::Prune], plugins: vec![0], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &prune);
    let told: Vec<_> = plan.deeds().iter().map(|deed| (deed.form.get(), deed.what.as_str())).collect();
    assert_eq!(told, [(SAME, "the game uses a later entry for this navmesh")]);
    assert!(plan.plugin(0).unwrap() == sound[0].bytes);
    let plan = FixPlan::new(&order, &FixOptions { patch: true, ..prune });
    assert_eq!((plan.done(), plan.left()), (0, 1));
}

/// The size of the payload of an entry.
fn entry_size(bytes: &[u8], form: u32) -> usize {
    let mut scratch = Scratch::new();
    let navi = plugin(bytes).navi().unwrap().unwrap();
    let mut fields = navi.fields(&mut scratch).unwrap().map(Result::unwrap);
    fields
        .find(|field| field.tag == Tag(*b"NVMI") && field.data[..4] == form.to_le_bytes())
        .unwrap()
        .data
        .len()
}

#[test]
fn the_other_side_of_a_link_becomes_an_override_if_asked() {
    let links = |plan: &FixPlan<'_, '_>| {
        plan.deeds().iter().map(|deed| (deed.after.clone(), deed.left.clone())).collect::<Vec<_>>()
    };
    for neighbour in [Neighbour::Empty, Neighbour::Held] {
        let mut files = damage::renumbered(neighbour);
        let before = findings(&files);
        assert!(before.contains_key(&("Renumber.esp", "edge-link-one-way")), "{before:?}");
        let fixed = {
            let order = order(&files);
            let options = FixOptions {
                repairs: vec![Repair::Links],
                plugins: vec![1],
                patch: false,
                write_overrides: true,
                ..FixOptions::default()
            };
            let plain = FixPlan::new(&order, &FixOptions { write_overrides: false, ..options.clone() });
            let told = links(&plain);
            assert_eq!((told.len(), plain.left()), (5, 5), "{told:#?}");
            assert!(told[0].1.as_deref().unwrap().contains("belongs into Base.esm"), "{told:#?}");
            let plan = FixPlan::new(&order, &options);
            assert_eq!(
                (plan.done(), plan.left(), plan.changed_plugins()),
                (5, 0, vec![1]),
                "{:#?}",
                plan.deeds()
            );
            assert!(
                links(&plan)[0].0.contains("in an override of the navmesh of Base.esm"),
                "{:#?}",
                plan.deeds()
            );
            plan.plugin(1).unwrap()
        };
        let counted = |bytes: &[u8]| i32::from_le_bytes(bytes[34..38].try_into().unwrap());
        // The record, and the group of temporary children where there was none.
        let more = if neighbour == Neighbour::Empty { 2 } else { 1 };
        assert_eq!(counted(&fixed), counted(&files[1].bytes) + more);
        let places: Vec<_> = plugin(&fixed)
            .navmeshes()
            .map(|navm| navm.unwrap())
            .map(|navm| (navm.form_id().get(), navm.cell().unwrap().get(), navm.world().unwrap().get()))
            .filter(|(form, ..)| *form == EAST)
            .collect();
        assert_eq!(places, [(EAST, 0x0902, 0x0900)]);
        assert_eq!(mesh(&fixed, EAST).triangles, mesh(&files[0].bytes, EAST).triangles);
        files[1].bytes = fixed;
        let after = findings(&files);
        for (code, count) in &after {
            assert!(
                before.get(code).is_some_and(|before| count <= before),
                "{code:?}: {after:?}, before {before:?}"
            );
        }
        assert!(!after.keys().any(|(_, code)| code.starts_with("edge-link")), "{after:?}");
    }
    let files = damage::renumbered(Neighbour::Absent);
    let order = order(&files);
    let repairs = vec![Repair::Links];
    let options = FixOptions {
        repairs,
        plugins: vec![1],
        patch: false,
        write_overrides: true,
        ..FixOptions::default()
    };
    let plan = FixPlan::new(&order, &options);
    assert_eq!((plan.done(), plan.left()), (0, 5));
    assert!(
        links(&plan)[0].1.as_deref().unwrap().contains("Renumber.esp has nothing in the cell"),
        "{:#?}",
        plan.deeds()
    );
    assert!(plan.changed_plugins().is_empty());
}

#[test]
fn a_plugin_that_loads_before_the_other_side_gets_no_override() {
    let [base, renumber] = damage::renumbered(Neighbour::Held);
    let files = [base, renumber, damage::eastern("Late.esp")];
    let order = order(&files);
    let repairs = vec![Repair::Links];
    let plan = FixPlan::new(
        &order,
        &FixOptions {
            repairs: repairs.clone(),
            plugins: vec![1],
            patch: false,
            write_overrides: true,
            ..FixOptions::default()
        },
    );
    assert_eq!((plan.done(), plan.left()), (0, 5), "{:#?}", plan.deeds());
    let why = "Late.esp loads after Renumber.esp, so that an override there would not win";
    assert!(
        plan.deeds().iter().all(|deed| deed.left.as_deref().unwrap().contains(why)),
        "{:#?}",
        plan.deeds()
    );
    // If both may be changed, the link back goes where that mesh is.
    let both = FixPlan::new(
        &order,
        &FixOptions {
            repairs,
            plugins: vec![1, 2],
            patch: false,
            write_overrides: false,
            ..FixOptions::default()
        },
    );
    assert_eq!((both.done(), both.left(), both.changed_plugins()), (5, 0, vec![2]), "{:#?}", both.deeds());
}

#[test]
fn real_plugins_lose_the_entries_that_the_editor_adds_to_all_and_nothing_else() {
    let Some(folder) = navmap_testkit::corpus::real() else { return };
    for (name, pruned) in
        [("se/SeaofGhosts.esp", 10), ("fo4/CampfireFO4.esp", 22), ("se/DungeonsRevisited.esp", 23)]
    {
        let bytes = std::fs::read(folder.join("skyrim").join(name)).unwrap();
        let mut order = LoadOrder::new();
        order.push(name, plugin(&bytes));
        let options = FixOptions { repairs: vec![Repair::Prune], patch: false, ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        assert_eq!((plan.done(), plan.left()), (pruned, 0), "{name}");
        let after = plan.plugin(0).unwrap();
        assert_eq!(entries(&after).len() + pruned, entries(&bytes).len(), "{name}");
        let codes = |bytes: &[u8]| {
            let mut found = BTreeMap::new();
            let mut note = |finding: navmap::Finding| *found.entry(finding.code).or_insert(0) += 1;
            plugin(bytes).check(&mut Scratch::new(), &mut note).unwrap();
            found
        };
        assert_eq!(codes(&after), codes(&bytes), "{name}");
        let mut again = LoadOrder::new();
        again.push(name, plugin(&after));
        assert_eq!(FixPlan::new(&again, &options).deeds(), [], "{name}");
    }
}

#[test]
fn what_was_there_before_and_nobody_asked_to_repair_is_not_told() {
    let [base, _, _, breaker] = damage::order();
    let files = [base, breaker];
    let order = order(&files);
    let asked = FixOptions { repairs: vec![Repair::Identical], patch: false, ..FixOptions::default() };
    let mut plan = FixPlan::new(&order, &asked);
    assert!(plan.done() > 0 && plan.changed_plugins() == [1], "{:#?}", plan.deeds());
    plan.verify(false).unwrap();
    let others: Vec<_> = plan.deeds().iter().filter(|deed| deed.repair != Repair::Identical).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn what_says_the_same_as_a_plugin_that_is_no_master_stays_and_is_a_remark() {
    let [base, ..] = damage::order();
    let files = [base, damage::kept("One.esp"), damage::kept("Two.esp")];
    let order = order(&files);
    let options = FixOptions { repairs: vec![Repair::Identical], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    let [deed] = plan.deeds() else { panic!("{:#?}", plan.deeds()) };
    assert_eq!((deed.file.as_str(), deed.what.as_str()), ("Two.esp", "identical to One.esp"));
    assert_eq!(deed.left.as_deref(), Some("One.esp is none of its masters"));
    assert!(deed.remark && plan.left() == 0 && plan.changed_plugins().is_empty(), "{deed}");
}
