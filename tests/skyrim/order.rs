//! Load orders.

use crate::plugin;
use navmap::Severity;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Outcome, Repair};
use navmap::format::skyrim::{FormId, GlobalId, LoadOrder, OrderGraph, OrderMeshes, SpaceId};
use navmap::graph::FlatGraph;
use navmap_testkit::skyrim as kit;
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::{Plugin as Made, field, group, group_of, record};

fn findings(names: &[&str]) -> Vec<(usize, Severity, &'static str)> {
    let files = kit::load_order();
    let mut order = LoadOrder::new();
    for name in names {
        let (name, bytes, _) = files.iter().find(|(file, _, _)| file == name).unwrap();
        order.push(*name, plugin(bytes));
    }
    let mut found = Vec::new();
    order.check(&mut Scratch::new(), &mut |plugin, f| found.push((plugin, f.severity, f.code)));
    found
}

#[test]
fn a_master_and_its_patch_agree() {
    assert_eq!(findings(&["Base.esm"]), []);
    assert_eq!(findings(&["Base.esm", "Patch.esp"]), []);
}

#[test]
fn the_last_override_wins_and_what_it_breaks_is_found() {
    let found = findings(&["Base.esm", "Patch.esp", "Rival.esp"]);
    assert_eq!(
        found,
        [
            (2, Severity::Info, "navmesh-conflict"),
            // The patch's own mesh still links to the mesh it changed, of which the rival's version knows nothing.
            (1, Severity::Warning, "edge-link-one-way"),
            (2, Severity::Error, "edge-link-dangling"),
            (2, Severity::Error, "edge-link-target-out-of-range"),
        ]
    );
    // The other way round the patch wins: nothing is broken.
    assert_eq!(findings(&["Base.esm", "Rival.esp", "Patch.esp"]), [(2, Severity::Info, "navmesh-conflict")]);
}

#[test]
fn two_plugins_that_change_a_mesh_of_a_missing_one_are_told() {
    let found = findings(&["Patch.esp", "Rival.esp"]);
    assert!(found.contains(&(1, Severity::Info, "navmesh-conflict")), "{found:?}");
    // A master that loads last changes nothing itself.
    let late = findings(&["Patch.esp", "Base.esm"]);
    assert!(!late.iter().any(|(.., code)| *code == "navmesh-conflict"), "{late:?}");
}

#[test]
fn a_dispute_is_one_wherever_the_file_of_the_mesh_loads() {
    let conflict = (Severity::Info, "navmesh-conflict");
    for (names, overriders) in [
        (["Base.esm", "Patch.esp", "Rival.esp"], &["Patch.esp", "Rival.esp"][..]),
        (["Patch.esp", "Base.esm", "Rival.esp"], &["Patch.esp", "Rival.esp"]),
        (["Rival.esp", "Base.esm", "Patch.esp"], &["Rival.esp", "Patch.esp"]),
        // It is what the game uses then.
        (["Patch.esp", "Rival.esp", "Base.esm"], &["Patch.esp", "Rival.esp", "Base.esm"]),
    ] {
        let found = findings(&names);
        let mut of = found.iter().filter(|(_, severity, code)| (*severity, *code) == conflict);
        assert_eq!(of.next().map(|(plugin, ..)| *plugin), Some(2), "{names:?}: {found:?}");
        let files = kit::load_order();
        let mut order = LoadOrder::new();
        for name in names {
            let (_, bytes, _) = files.iter().find(|(file, _, _)| *file == name).unwrap();
            order.push(name, plugin(bytes));
        }
        let (_, conflicts) = FixPlan::conflicts(&order, &[]).unwrap();
        let [conflict] = conflicts.as_slice() else { panic!("{names:?}: {conflicts:#?}") };
        let of: Vec<&str> = conflict.overriders.iter().map(|overrider| overrider.file.as_str()).collect();
        assert_eq!((conflict.base.as_str(), of.as_slice()), ("Base.esm", overriders));
        let missing = Outcome::Choice("Base.esm is not in the load order".to_owned());
        assert_ne!(conflict.outcome, missing, "{names:?}");
    }
    for names in [["Patch.esp", "Base.esm"], ["Base.esm", "Patch.esp"]] {
        assert!(!findings(&names).iter().any(|(.., code)| *code == "navmesh-conflict"), "{names:?}");
    }
}

#[test]
fn an_order_tells_records_by_their_number_in_it_and_by_the_file_that_brings_them() {
    let files = kit::load_order();
    let empty = kit::plugin::Plugin::new(44, 1.7, &[]).encode();
    let mut order = LoadOrder::new();
    order.push("First.esm", plugin(&empty));
    for name in ["Base.esm", "Patch.esp", "Rival.esp"] {
        let (name, bytes, _) = files.iter().find(|(file, _, _)| *file == name).unwrap();
        order.push(*name, plugin(bytes));
    }
    let mut found = Vec::new();
    order.check(&mut Scratch::new(), &mut |_, f| found.push((f.code, f.message)));
    let of = |code| &found.iter().find(|(known, _)| *known == code).unwrap().1;
    assert!(of("navmesh-conflict").starts_with("[NAVM:01000A00] in [CELL:"), "{found:#?}");
    // The patch's own mesh has the patch's place in the order, and its target the file that it is from.
    let one_way = of("edge-link-one-way");
    assert!(one_way.starts_with("[NAVM:02000805] in [CELL:"), "{one_way}");
    assert!(
        one_way.contains("(triangle 02000805#")
            && one_way.contains(" to 01000A00#0 (Base.esm): no link leads back"),
        "{one_way}"
    );
}

#[test]
fn absent_and_late_masters_are_named_and_their_meshes_are_not_missed() {
    assert_eq!(findings(&["Rival.esp"]), [(0, Severity::Warning, "missing-master")]);
    let late = findings(&["Patch.esp", "Base.esm"]);
    assert_eq!(late[0], (0, Severity::Error, "master-order"));
}

#[test]
fn formids_resolve_over_the_masters() {
    let files = kit::load_order();
    let mut order = LoadOrder::new();
    for (name, bytes, _) in &files {
        order.push(*name, plugin(bytes));
    }
    let id = |plugin, object_id| Some(GlobalId { plugin, object_id });
    assert_eq!(order.resolve(1, FormId::new(0x0000_0A00)), id(0, 0xA00));
    assert_eq!(order.resolve(1, FormId::new(0x0100_0805)), id(1, 0x805));
    assert_eq!(order.resolve(2, FormId::new(0x0500_0805)), id(2, 0x805));
    assert_eq!(order.resolve(9, FormId::new(0)), None);
    let winners = order.winners();
    assert_eq!(winners[&GlobalId { plugin: 0, object_id: 0xA00 }], 2);
    assert_eq!(winners[&GlobalId { plugin: 0, object_id: 0xA01 }], 0);
    assert_eq!(winners.len(), 3);
    let mut alone = LoadOrder::new();
    alone.push("Patch.esp", plugin(&files[1].1));
    assert_eq!(alone.resolve(0, FormId::new(0x0000_0A00)), None);
}

#[test]
fn a_plugin_without_its_masters_is_told_in_one_line() {
    let bytes =
        navmap_testkit::skyrim::plugin::Plugin::new(44, 1.7, &["One.esm", "Two.esm", "Three.esl"]).encode();
    let mut order = LoadOrder::new();
    order.push("Alone.esp", plugin(&bytes));
    let mut found = Vec::new();
    order.check(&mut Scratch::new(), &mut |_, finding| found.push(finding.message));
    assert_eq!(
        found,
        ["its masters One.esm, Two.esm and Three.esl are not in the order: links into them are not checked"]
    );
}

#[test]
fn a_space_has_the_name_that_its_own_file_gives_it_wherever_light_plugins_load() {
    let made = |flags, masters: &[&str]| Made { flags, ..Made::new(44, 1.71, masters) };
    let mesh = Mesh::sheet(12, Place::Interior(0x900), 4, 3, 1);
    let mut base = made(1, &[]);
    base.groups.push(base.interior(0x900, &[kit::navm(&base, 0xA00, &mesh, true)]));
    // It overrides the mesh, and does not name the cell.
    let mut patch = made(0, &["Base.esm"]);
    let cell = record(b"CELL", patch.head(0x900, 0), &field(b"DATA", &[1, 0]));
    let inside = group_of(0x900, 9, &[kit::navm(&patch, 0xA00, &mesh, true)]);
    let block = group([0; 4], 3, &[cell, group_of(0x900, 6, &[inside])]);
    patch.groups.push(group(*b"CELL", 0, &[group([0; 4], 2, &[block])]));
    let files = [("Light.esl", made(0x200, &[])), ("Base.esm", base), ("Patch.esp", patch)];
    let files = files.map(|(name, made)| (name, made.encode()));
    let mut order = LoadOrder::new();
    for (name, bytes) in &files {
        order.push(*name, plugin(bytes));
    }
    let spaces = OrderGraph::new(&order).spaces();
    let named: Vec<_> = spaces.iter().map(|space| (space.space, space.editor_id.as_deref())).collect();
    assert_eq!(named, [(SpaceId::Cell(FormId::new(0x900)), Some("TestCell"))]);
}

#[test]
fn of_two_records_with_one_form_in_a_plugin_the_first_counts() {
    let sheet = |columns| Mesh::sheet(12, Place::Interior(0x900), columns, 3, 1);
    let [first, second, other] = [4, 6, 5].map(sheet);
    let len = |mesh: &Mesh| u16::try_from(mesh.triangles.len()).unwrap();
    // The same FormID, and another of the same record.
    for again in [0xA00, 0x0500_0A00] {
        let mut made = Made::new(44, 1.71, &[]);
        let inside = [(0xA00, &first), (again, &second), (0xA01, &other)];
        let inside = inside.map(|(form, mesh)| kit::navm(&made, form, mesh, true));
        made.groups.push(made.interior(0x900, &inside));
        let bytes = made.encode();
        let mut order = LoadOrder::new();
        order.push("Base.esm", plugin(&bytes));
        let graph = OrderGraph::new(&order);
        let mesh = |object_id| GlobalId { plugin: 0, object_id };
        let nodes = |graph: &OrderGraph<'_, '_>| FlatGraph::of(graph).whole().unwrap().nodes().len();
        assert_eq!(nodes(&graph), usize::from(len(&first) + len(&other)), "{again:X}");
        let wanted =
            [(0xA00, 0), (0xA00, len(&first) - 1), (0xA00, len(&first)), (0xA01, 0), (0xA01, len(&other))]
                .map(|(object, triangle)| (mesh(object), triangle));
        let found = wanted.map(|(mesh, triangle)| graph.node_of(mesh, triangle));
        let last = u32::from(len(&first));
        assert_eq!(found, [Some(0), Some(last - 1), None, Some(last), None], "{again:X}");
        let meshes = OrderMeshes::new(graph);
        assert_eq!(wanted.map(|(mesh, triangle)| meshes.node_of(mesh, triangle)), found, "{again:X}");
        assert_eq!(
            (0..3).map(|group| meshes.mesh(group)).collect::<Vec<_>>(),
            [Some(mesh(0xA00)), Some(mesh(0xA01)), None]
        );
        assert_eq!(
            [0, 1].map(|group| nodes(&meshes.some(&[group]))),
            [&first, &other].map(|m| m.triangles.len())
        );
    }
}

#[test]
fn a_record_that_goes_takes_along_all_others_of_its_form() {
    let [first, second] = [4, 6].map(|columns| Mesh::sheet(12, Place::Interior(0x900), columns, 3, 1));
    let made = |masters: &[&str], meshes: &[&Mesh]| {
        let mut made = Made::new(44, 1.71, masters);
        let inside: Vec<_> = meshes.iter().map(|mesh| kit::navm(&made, 0xA00, mesh, true)).collect();
        made.groups.push(made.interior(0x900, &inside));
        made.encode()
    };
    let (base, over) = (made(&[], &[&first]), made(&["Base.esm"], &[&first, &second]));
    let mut order = LoadOrder::new();
    order.push("Base.esm", plugin(&base));
    order.push("Over.esp", plugin(&over));
    let options = FixOptions { repairs: vec![Repair::Identical], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    assert_eq!(plan.done(), 1);
    assert_eq!(plugin(&plan.plugin(1).unwrap()).navmeshes().count(), 0);
}

#[test]
fn an_entry_of_a_master_that_does_not_fit_the_mesh_of_a_later_plugin_is_told() {
    let base = kit::order::of_base(&[], Some(0.0), true);
    let told = |later: &[Vec<u8>]| {
        let mut order = LoadOrder::new();
        order.push("Base.esm", plugin(&base));
        let names = ["One.esp", "Two.esp"];
        names.iter().zip(later).for_each(|(name, bytes)| order.push(*name, plugin(bytes)));
        let mut told = Vec::new();
        order.check(&mut Scratch::new(), &mut |plugin, finding| {
            if finding.code == "nvmi-stale" {
                assert_eq!(finding.severity, Severity::Warning);
                told.push((plugin, finding.message));
            }
        });
        told
    };
    let of = |raised, enters| kit::order::of_base(&["Base.esm"], raised, enters);
    assert_eq!(told(&[]), []);
    // It is still right for a mesh that only looks changed, and its own check compares the entry that a plugin has.
    for later in [of(Some(0.0), false), of(Some(64.0), true), of(None, false)] {
        assert_eq!(told(&[later]), []);
    }
    let stale = told(&[of(Some(64.0), false)]);
    assert!(matches!(&*stale, [(1, why)] if why.contains("its NAVI entry of Base.esm")), "{stale:?}");
    // What counts is the last entry and the last mesh.
    let stale = told(&[of(Some(64.0), true), of(Some(0.0), false)]);
    assert!(matches!(&*stale, [(2, why)] if why.contains("its NAVI entry of One.esp")), "{stale:?}");
    assert_eq!(told(&[of(Some(64.0), true), of(Some(64.0), false)]), []);
    assert_eq!(told(&[of(Some(64.0), false), of(Some(0.0), false)]), []);
}
