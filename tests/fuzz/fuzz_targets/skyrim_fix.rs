#![no_main]
//! A plugin that may be anything, behind two sound ones: every repair of the load order is planned and written, and its
//! disputes are settled. What is written can be read, and a mesh that could be read can still be.

use navmap::Limits;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{Choice, FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{LoadOrder, Plugin};
use navmap_testkit::skyrim::damage::{File, order};
use std::sync::LazyLock;

static FILES: LazyLock<[File; 4]> = LazyLock::new(order);

fn plugin(bytes: &[u8]) -> Option<Plugin<'_>> {
    let mut limits = Limits::default();
    limits.inflated_bytes = 1 << 20;
    Plugin::parse(bytes, &limits).ok()
}

/// The records of a plugin, and the meshes that can be read.
fn counts(plugin: &Plugin<'_>) -> (usize, usize) {
    let mut scratch = Scratch::new();
    let meshes = plugin.navmeshes().flatten().filter(|navm| navm.mesh(&mut scratch).is_ok()).count();
    (plugin.records().count(), meshes)
}

fn is_sound(bytes: &[u8]) {
    let plugin = plugin(bytes).expect("what was written");
    assert!(plugin.records().all(|record| record.is_ok()));
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(broken) = plugin(bytes) else { return };
    let mut order = LoadOrder::new();
    for file in &FILES[..2] {
        order.push(file.name, plugin(&file.bytes).expect("a sound plugin"));
    }
    order.push("Broken.esp", broken);

    let repairs = Repair::ALL.to_vec();
    let patch = FixPlan::new(&order, &FixOptions { repairs: repairs.clone(), ..FixOptions::default() });
    if let Ok(made) = patch.patch(false) {
        is_sound(&made);
        // The game uses the patch, and so does another look at it.
        let mut with = LoadOrder::new();
        for at in 0..order.len() {
            let (name, plugin) = order.get(at).expect("three plugins");
            with.push(name, *plugin);
        }
        with.push("Patch.esp", plugin(&made).expect("what was written"));
        assert!(FixPlan::new(&with, &FixOptions::default()).left() <= patch.deeds().len());
    }
    let whole = [vec![], vec![2]].map(|plugins| {
        let write_overrides = !plugins.is_empty();
        FixPlan::new(&order, &FixOptions { repairs: repairs.clone(), plugins, patch: false, write_overrides, stub: write_overrides, geometric_grid: write_overrides })
    });
    for plan in whole {
        for at in plan.changed_plugins() {
            let (_, before) = order.get(at).expect("a plugin of the order");
            let removed = plan.deeds().iter().filter(|deed| deed.plugin == at && deed.left.is_none()).count();
            let Ok(after) = plan.plugin(at) else { continue };
            let (records, meshes) = counts(&plugin(&after).expect("what was written"));
            let (had, could) = counts(before);
            assert!(records + removed >= had, "{records} records of {had}, {removed} repairs");
            assert!(meshes + removed >= could, "{meshes} meshes of {could}, {removed} repairs");
        }
    }
    for choices in [&[][..], &[Choice { plugin: 2, form: None }]] {
        if let Ok((plan, _)) = FixPlan::conflicts(&order, choices)
            && let Ok(made) = plan.patch(true)
        {
            is_sound(&made);
        }
    }
});
