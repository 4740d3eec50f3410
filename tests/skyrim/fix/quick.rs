//! The quick look at meshes misses nothing that a check finds and that is repaired.

use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{FormId, LoadOrder, Plugin};
use navmap::{Limits, NavFile};
use navmap_testkit::skyrim::damage;
use std::collections::{BTreeMap, BTreeSet};

/// The meshes with such findings, and the findings.
fn found(plugin: &Plugin<'_>) -> BTreeMap<FormId, BTreeSet<&'static str>> {
    let forms: Vec<FormId> = plugin.navmeshes().flatten().map(|navm| navm.form_id()).collect();
    let mut found: BTreeMap<FormId, BTreeSet<&'static str>> = BTreeMap::new();
    let mut note = |finding: navmap::Finding| {
        let repaired = Repair::Mesh.findings().any(|code| code == finding.code);
        if let (Some(("NAVM", index)), true) = (finding.at.record, repaired) {
            found.entry(forms[index as usize]).or_default().insert(finding.code);
        }
    };
    plugin.check(&mut Scratch::new(), &mut note).ok();
    found
}

fn planned(name: &str, plugin: Plugin<'_>) -> BTreeSet<FormId> {
    planned_as(name, plugin).0
}

/// The meshes that a plan has a line for, and its lines.
fn planned_as(name: &str, plugin: Plugin<'_>) -> (BTreeSet<FormId>, String) {
    let mut order = LoadOrder::new();
    order.push(name, plugin);
    let plan = FixPlan::new(&order, &FixOptions { repairs: vec![Repair::Mesh], ..FixOptions::default() });
    // A group or an info map that cannot be read is of no mesh.
    let forms = plan.deeds().iter().map(|deed| deed.form).filter(|form| !form.is_null()).collect();
    (forms, plan.deeds().iter().map(|deed| format!("{deed}\n")).collect())
}

#[test]
fn every_mesh_with_such_a_finding_is_planned_and_no_other() {
    let [_, _, linker, breaker] = damage::order_of(false);
    let mut seen = BTreeSet::new();
    for (file, step) in [(linker, 31), (breaker, 17)] {
        let start = file.bytes.windows(4).position(|at| at == b"NVNM").unwrap();
        for at in (start..file.bytes.len()).step_by(step) {
            let mut flipped = file.bytes.clone();
            flipped[at] ^= [0x01, 0x80, 0x55, 0xFF][at / step % 4];
            let Ok(broken) = Plugin::parse(&flipped, &Limits::default()) else { continue };
            // A FormID that two records have is a matter of its own.
            let forms: Vec<_> = broken.navmeshes().flatten().map(|navm| navm.form_id()).collect();
            if forms.iter().collect::<BTreeSet<_>>().len() < forms.len() {
                continue;
            }
            let found = found(&broken);
            seen.extend(found.values().flatten().copied());
            let missed: Vec<_> = found.keys().copied().collect();
            assert_eq!(
                planned(file.name, broken).into_iter().collect::<Vec<_>>(),
                missed,
                "byte {at}: {found:?}"
            );
        }
    }
    // What single bytes can break: counts of 32,767 they cannot.
    assert!(seen.len() >= 11, "{seen:?}");
}

#[test]
fn every_real_mesh_with_such_a_finding_is_planned_and_no_other() {
    let Some(folder) = navmap_testkit::corpus::real() else { return };
    let mut plugins = 0;
    for kind in ["le", "se", "esl", "fo4", "starfield", "derived", "malformed"] {
        for entry in std::fs::read_dir(folder.join("skyrim").join(kind)).unwrap() {
            let path = entry.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            let plugin = plugin(&bytes);
            let found: BTreeSet<_> = found(&plugin).into_keys().collect();
            let (planned, lines) = planned_as("a.esp", plugin);
            assert_eq!(planned, found, "{}: {lines}", path.display());
            plugins += 1;
        }
    }
    assert!(plugins >= 20, "{plugins}");
}
