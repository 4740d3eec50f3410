//! Repairs over a load order with every damage, which the kit writes.

mod across;
mod after;
mod asked;
mod disputes;
mod doors;
mod entries;
mod flat;
mod joints;
mod light;
mod quick;
mod stub;

use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{Deed, FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{FormId, LoadOrder, NavMap, NavMesh, NavMeshBuf, Parent, Plugin, Tag};
use navmap::{Limits, NavFile};
use navmap_testkit::skyrim::damage::{self, EAST, File, GONE, RESTORED, SAME, STAYS, WEST};
use navmap_testkit::skyrim::{self as kit, FO4, SE, STARFIELD};
use std::collections::BTreeMap;

pub(crate) fn order(files: &[File]) -> LoadOrder<'_> {
    let mut order = LoadOrder::new();
    for file in files {
        order.push(file.name, plugin(&file.bytes));
    }
    order
}

/// Findings of the order, and of each plugin by itself, by plugin and code.
fn findings(files: &[File]) -> BTreeMap<(&'static str, &'static str), usize> {
    let mut found = BTreeMap::new();
    order(files).check(&mut Scratch::new(), &mut |index, finding| {
        *found.entry((files[index].name, finding.code)).or_insert(0) += 1;
    });
    for file in files {
        let plugin = plugin(&file.bytes);
        plugin
            .check(&mut Scratch::new(), &mut |finding| {
                *found.entry((file.name, finding.code)).or_insert(0) += 1
            })
            .unwrap();
    }
    found
}

fn all() -> FixOptions {
    FixOptions { repairs: Repair::ALL.to_vec(), ..FixOptions::default() }
}

fn deeds_of<'d>(deeds: &'d [Deed], file: &str, repair: Repair) -> Vec<&'d Deed> {
    deeds.iter().filter(|deed| deed.file == file && deed.repair == repair).collect()
}

fn mesh(bytes: &[u8], form: u32) -> NavMeshBuf {
    let plugin = plugin(bytes);
    let navm = plugin.navmeshes().map(Result::unwrap).find(|navm| navm.form_id().get() == form).unwrap();
    NavMeshBuf::read(&navm.mesh(&mut Scratch::new()).unwrap().unwrap()).unwrap()
}

/// The records and the groups behind the header: groups nest, and records fill them. A reader of a few lines that shares nothing with
/// ours.
pub(crate) fn counts(bytes: &[u8]) -> [u32; 2] {
    fn walk(bytes: &[u8], mut at: usize, end: usize, depth: usize, counts: &mut [u32; 2]) {
        assert!(depth <= 6);
        while at < end {
            let size = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().unwrap()) as usize;
            let is_group = &bytes[at..at + 4] == b"GRUP";
            counts[usize::from(is_group)] += 1;
            if is_group {
                assert!(size >= 24 && at + size <= end);
                walk(bytes, at + 24, at + size, depth + 1, counts);
                at += size;
            } else {
                assert!(bytes[at..at + 4].iter().all(u8::is_ascii_uppercase));
                at += 24 + size;
            }
        }
        assert_eq!(at, end);
    }
    assert_eq!(&bytes[..4], b"TES4");
    let head = 24 + u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let mut counts = [0; 2];
    walk(bytes, head, bytes.len(), 0, &mut counts);
    counts
}

/// The header counts what is behind it.
fn is_well_formed(bytes: &[u8]) {
    let [records, groups] = counts(bytes);
    assert_eq!(&bytes[24..30], b"HEDR\x0c\0");
    assert_eq!(u32::from_le_bytes(bytes[34..38].try_into().unwrap()), records + groups);
}

#[test]
fn the_order_has_every_damage() {
    let files = damage::order();
    let found = findings(&files);
    for (file, code) in [
        ("Deleter.esp", "deleted-navmesh"),
        ("Deleter.esp", "nvmi-missing"),
        ("Base.esm", "edge-link-to-deleted"),
        ("Linker.esp", "edge-link-target-out-of-range"),
        ("Linker.esp", "edge-link-dangling"),
        ("Linker.esp", "edge-link-one-way"),
        ("Breaker.esp", "clockwise-triangle"),
        ("Breaker.esp", "degenerate-triangle"),
        ("Breaker.esp", "damaged-navmesh"),
        ("Breaker.esp", "missing-counts"),
    ] {
        assert!(found.contains_key(&(file, code)), "{file} {code}: {found:?}");
    }
    assert!(
        !found.keys().any(|(file, code)| *file == "Base.esm" && !code.starts_with("edge-link")),
        "{found:?}"
    );
}

#[test]
fn a_patch_repairs_what_the_game_uses_and_nothing_new_is_found() {
    let mut files = damage::order().to_vec();
    let before = findings(&files);
    let (patch, deeds) = {
        let order = order(&files);
        let plan = FixPlan::new(&order, &FixOptions::default());
        assert_eq!(plan.left(), 0, "{:#?}", plan.deeds());
        (plan.patch(false).unwrap(), plan.deeds().to_vec())
    };
    is_well_formed(&patch);
    assert_eq!(deeds_of(&deeds, "Deleter.esp", Repair::Undelete).len(), 1);
    assert_eq!(deeds_of(&deeds, "Deleter.esp", Repair::Entry).len(), 1);
    assert_eq!(deeds_of(&deeds, "Linker.esp", Repair::Links).len(), 3);
    assert_eq!(deeds_of(&deeds, "Breaker.esp", Repair::Counts).len(), 1);
    assert_eq!(deeds_of(&deeds, "Breaker.esp", Repair::Mesh).len(), 2);
    assert!(
        deeds.iter().all(|deed| deed.place.as_deref().is_some_and(|place| place.contains("Test"))),
        "{deeds:#?}"
    );
    files.push(File { name: "Patch.esp", bytes: patch.clone() });
    let after = findings(&files);
    let codes =
        ["edge-link-to-deleted", "edge-link-target-out-of-range", "edge-link-dangling", "edge-link-one-way"];
    for code in codes {
        assert!(!after.keys().any(|(_, found)| *found == code), "{code}: {after:?}");
    }
    // What is wrong with the plugins themselves stays in them; only the overlap with the patch is new.
    for ((file, code), count) in &after {
        let known = before.get(&(*file, *code)).copied().unwrap_or(0);
        assert!(*code == "navmesh-conflict" || *count <= known, "{file} {code}: {count}, before {known}");
    }
    let patched = plugin(&patch);
    let masters: Vec<_> = patched.masters().map(|name| String::from_utf8(name.to_vec()).unwrap()).collect();
    assert_eq!(masters, ["Base.esm", "Deleter.esp", "Linker.esp", "Breaker.esp"]);
    // A second run finds nothing to do.
    let order = order(&files);
    let again = FixPlan::new(&order, &FixOptions::default());
    assert!(again.deeds().iter().all(|deed| deed.remark), "{:#?}", again.deeds());
    assert_eq!((again.done(), again.left()), (0, 0));
    assert!(again.patch(false).unwrap_err().to_string().contains("nothing"));
}

#[test]
fn an_undeleted_mesh_keeps_every_index_and_lies_below_the_ground() {
    let files = damage::order();
    let order = order(&files);
    let plan = FixPlan::new(&order, &FixOptions { repairs: vec![Repair::Undelete], ..FixOptions::default() });
    let [deed] = plan.deeds() else { panic!("{:#?}", plan.deeds()) };
    assert!(deed.what.contains("01000805 of the same cell may replace it"), "{deed}");
    assert_eq!(deed.before, "deleted");
    let patch = plan.patch(true).unwrap();
    assert!(plugin(&patch).header().flags().0 & 0x200 != 0, "a light patch");
    let (was, now) = (mesh(&files[0].bytes, GONE), mesh(&patch, GONE));
    assert_eq!((&was.triangles, &was.links, &was.grid.lists), (&now.triangles, &now.links, &now.grid.lists));
    for (a, b) in was.vertices.iter().zip(&now.vertices) {
        assert_eq!([a[0], a[1], a[2] - 30_000.0], *b);
    }
    assert_eq!(now.grid.max[2], was.grid.max[2] - 30_000.0);
    let navi = plugin(&patch).navi().unwrap().unwrap();
    let mut scratch = Scratch::new();
    let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
    let entry = map.entries().next().unwrap().unwrap();
    assert_eq!((entry.head.navmesh().get(), entry.links), (GONE, &[FormId::new(STAYS)][..]));
    assert_eq!(entry.head.center().to_array(), now.center());
}

#[test]
fn what_was_wrong_with_a_mesh_before_it_was_deleted_is_mended_with_it() {
    let mut sheet = kit::mesh::Mesh::sheet(12, kit::mesh::Place::Interior(0x900), 4, 3, 1);
    let sound = sheet.encode();
    sheet.triangles[8].e[2] = 0xFFFF;
    let mut base = kit::plugin::Plugin::new(SE.form, SE.hedr, &[]);
    base.groups.push(base.interior(0x900, &[kit::navm(&base, 0xA00, &sheet, true)]));
    let mut deleter = kit::plugin::Plugin::new(SE.form, SE.hedr, &["Skyrim.esm"]);
    let gone = kit::plugin::record(b"NAVM", deleter.head(0xA00, kit::plugin::DELETED), b"");
    deleter.groups.push(deleter.interior(0x900, &[gone]));
    let (base, deleter) = (base.encode(), deleter.encode());
    let mut order = LoadOrder::new();
    order.push("Skyrim.esm", plugin(&base));
    order.push("Deleter.esp", plugin(&deleter));
    let plan = FixPlan::new(&order, &FixOptions::default());
    assert_eq!((plan.done(), plan.left()), (2, 0), "{:#?}", plan.deeds());
    let sound = NavMeshBuf::read(&NavMesh::parse(&sound).unwrap()).unwrap();
    assert_eq!(mesh(&plan.patch(false).unwrap(), 0xA00).triangles, sound.triangles);
}

#[test]
fn a_deleted_mesh_that_still_has_data_is_as_deleted_as_one_without() {
    let [base, ..] = damage::order();
    let mut deleter = damage::kept("Deleter.esp");
    let at = deleter.bytes.windows(4).position(|tag| tag == b"NAVM").unwrap();
    deleter.bytes[at + 8] |= 0x20;
    let navm = plugin(&deleter.bytes).navmeshes().next().unwrap().unwrap();
    assert!(navm.is_deleted() && !navm.record().stored().is_empty());
    assert!(navm.mesh(&mut Scratch::new()).unwrap().is_none() && navm.mesh_in_place().unwrap().is_none());
    let files = [base, deleter];
    assert!(findings(&files).contains_key(&("Base.esm", "edge-link-to-deleted")));
    let order = order(&files);
    let plan = FixPlan::new(&order, &FixOptions { repairs: vec![Repair::Undelete], ..FixOptions::default() });
    assert_eq!((plan.done(), plan.left()), (1, 0), "{:#?}", plan.deeds());
    let patch = plan.patch(false).unwrap();
    assert_eq!(mesh(&patch, GONE).triangles, mesh(&files[0].bytes, GONE).triangles);
}

#[test]
fn waypoints_of_an_undeleted_mesh_go_down_with_it() {
    let (house, cell) = (0x0100_08F0, 0x0100_0820);
    let village = kit::village(FO4, 1, (4, 3), false).0.encode();
    let mut deleter = kit::plugin::Plugin::new(FO4.form, FO4.hedr, &[FO4.master, "Village.esp"]);
    let gone = kit::plugin::record(b"NAVM", deleter.head(house, kit::plugin::DELETED), b"");
    deleter.groups.push(deleter.interior(cell, &[gone]));
    let deleter = deleter.encode();
    let mut order = LoadOrder::new();
    order.push("Village.esp", plugin(&village));
    order.push("Deleter.esp", plugin(&deleter));
    let plan = FixPlan::new(&order, &FixOptions { repairs: vec![Repair::Undelete], ..FixOptions::default() });
    assert_eq!(plan.done(), 1, "{:#?}", plan.deeds());
    let patch = plan.patch(false).unwrap();
    let restored = plugin(&patch).navmeshes().next().unwrap().unwrap().form_id().get();
    let [was, now] = [mesh(&village, house), mesh(&patch, restored)]
        .map(|mesh| mesh.waypoints.iter().map(|waypoint| waypoint.point().to_array()).collect::<Vec<_>>());
    assert!(!was.is_empty());
    assert_eq!(was.iter().map(|[x, y, z]| [*x, *y, z - 30_000.0]).collect::<Vec<_>>(), now);
}

#[test]
fn links_arrive_again_where_the_edges_meet() {
    let files = damage::order();
    let order = order(&files);
    let plan = FixPlan::new(&order, &FixOptions { repairs: vec![Repair::Links], ..FixOptions::default() });
    let patch = plan.patch(false).unwrap();
    let sound = mesh(&files[0].bytes, WEST);
    let now = mesh(&patch, WEST);
    assert_eq!(now.links, sound.links);
    // The edge that led nowhere is a border again; the cover that it once had is not.
    let edges =
        |mesh: &NavMeshBuf| mesh.triangles.iter().map(|triangle| triangle.edges()).collect::<Vec<_>>();
    assert_eq!(edges(&now), edges(&sound));
    // Its neighbour in the east was sound all the time, and the link into a deleted mesh is gone.
    assert!(plugin(&patch).navmeshes().flatten().all(|navm| navm.form_id().get() != EAST));
    assert!(mesh(&patch, STAYS).links.is_empty());
}

#[test]
fn a_plugin_is_written_anew_with_its_own_repairs_alone() {
    let files = damage::order();
    let order = order(&files);
    let options = FixOptions { patch: false, plugins: vec![3], ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    assert_eq!(plan.changed_plugins(), [3], "{:#?}", plan.deeds());
    let fixed = plan.plugin(3).unwrap();
    let found: Vec<_> = {
        let mut found = Vec::new();
        plugin(&fixed).check(&mut Scratch::new(), &mut |finding| found.push(finding.code)).unwrap();
        found
    };
    assert_eq!(found, [""; 0]);
    assert_eq!(fixed[..24 + 12], {
        let mut head = files[3].bytes[..24 + 12].to_vec();
        head[4..8].copy_from_slice(&fixed[4..8]);
        head
    });
    // Every other file comes out as it is.
    for index in [0, 1, 2] {
        assert_eq!(plan.plugin(index).unwrap(), files[index].bytes);
    }
}

#[test]
fn an_override_that_says_what_its_master_says_goes_unless_it_restores() {
    let files = damage::order();
    let order = order(&files);
    let identical = vec![Repair::Identical];
    let options = FixOptions { repairs: identical.clone(), patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    let done: Vec<_> =
        plan.deeds().iter().map(|deed| (deed.file.as_str(), deed.form.get(), deed.left.clone())).collect();
    assert_eq!(
        done,
        [
            ("Linker.esp", SAME, None),
            ("Breaker.esp", RESTORED, Some("restores the master's version over Linker.esp".to_owned())),
        ]
    );
    let cleaned = plan.plugin(2).unwrap();
    let forms: Vec<_> = plugin(&cleaned).navmeshes().map(|navm| navm.unwrap().form_id().get()).collect();
    assert_eq!(forms, [RESTORED, WEST]);
    let mut scratch = Scratch::new();
    let navi = plugin(&cleaned).navi().unwrap().unwrap();
    let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
    let entries: Vec<_> = map.entries().map(|entry| entry.unwrap().head.navmesh().get()).collect();
    assert_eq!(entries, [WEST, RESTORED], "its entry says what the master's says, and goes too");
    let patch = FixPlan::new(&order, &FixOptions { repairs: identical, ..FixOptions::default() });
    assert_eq!(patch.left(), 2, "a patch removes nothing");
}

#[test]
fn an_override_that_loads_before_its_master_hides_none_that_says_what_the_master_says() {
    let files = damage::order();
    let file = |name: &str| files.iter().find(|file| file.name == name).unwrap();
    let (linker, base) = (file("Linker.esp"), file("Base.esm"));
    let mut order = LoadOrder::new();
    order.push("Early.esp", plugin(&linker.bytes));
    order.push(base.name, plugin(&base.bytes));
    order.push(linker.name, plugin(&linker.bytes));
    let options = FixOptions { repairs: vec![Repair::Identical], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    let done: Vec<_> = plan.deeds().iter().map(|deed| (deed.file.as_str(), deed.left.as_deref())).collect();
    assert_eq!(done, [("Linker.esp", None)]);
}

#[test]
fn without_the_master_a_deleted_mesh_stays_deleted_and_the_master_is_named() {
    let files = damage::order();
    let mut alone = LoadOrder::new();
    alone.push(files[1].name, plugin(&files[1].bytes));
    let plan = FixPlan::new(&alone, &FixOptions { repairs: vec![Repair::Undelete], ..FixOptions::default() });
    let [deed] = plan.deeds() else { panic!() };
    assert!(deed.left.as_deref().unwrap().contains("Base.esm, which is not in the load order"), "{deed}");
    assert!(plan.changed_plugins().is_empty());
}

#[test]
fn real_plugins_without_their_masters_refuse_to_undelete_and_name_them() {
    let Some(folder) = navmap_testkit::corpus::real() else { return };
    for (name, deleted) in [
        ("se/deleted-only.esp", 1),
        ("le/DwemerSecrets.esp", 1),
        ("se/DungeonsRevisited.esp", 2),
        ("se/DawnOfTheSilverHand.esp", 2),
    ] {
        let bytes = std::fs::read(folder.join("skyrim").join(name)).unwrap();
        let mut order = LoadOrder::new();
        order.push(name, plugin(&bytes));
        let options = FixOptions { repairs: vec![Repair::Undelete], patch: false, ..FixOptions::default() };
        let plan = FixPlan::new(&order, &options);
        assert_eq!((plan.deeds().len(), plan.left()), (deleted, deleted), "{name}");
        assert!(
            plan.deeds().iter().all(|deed| deed.left.as_deref().unwrap().contains("Skyrim.esm")),
            "{name}"
        );
        assert_eq!(plan.plugin(0).unwrap(), bytes, "{name}");
    }
}

#[test]
fn the_damaged_real_plugin_gets_its_counts_back() {
    let Some(folder) = navmap_testkit::corpus::real() else { return };
    let bytes = std::fs::read(folder.join("skyrim/malformed/CCCC.esp")).unwrap();
    let mut order = LoadOrder::new();
    order.push("CCCC.esp", plugin(&bytes));
    let options = FixOptions { repairs: vec![Repair::Counts], patch: false, ..FixOptions::default() };
    let plan = FixPlan::new(&order, &options);
    assert_eq!((plan.deeds().len(), plan.left()), (5, 0), "{:#?}", plan.deeds());
    let fixed = plan.plugin(0).unwrap();
    is_well_formed_groups(&fixed);
    let plugin = plugin(&fixed);
    let mut read = 0;
    for navm in plugin.navmeshes().map(Result::unwrap) {
        let mut scratch = Scratch::new();
        let mesh = navm.mesh(&mut scratch).unwrap().unwrap();
        assert!(mesh.triangles().len() > 50);
        // Every triangle is in the grid where it lies: the empty list that came back is the right one.
        mesh.check(&mut Scratch::new(), &mut |f| assert!(!f.code.starts_with("grid-"), "{}", f.message))
            .unwrap();
        assert!(matches!(mesh.parent(), Parent::Interior { .. } | Parent::Exterior { .. }));
        read += 1;
    }
    assert_eq!(read, 5);
}

fn is_well_formed_groups(bytes: &[u8]) {
    let plugin = Plugin::parse(bytes, &Limits::default()).unwrap();
    assert!(plugin.records().all(|record| record.is_ok()));
    assert!(plugin.records().any(|record| record.unwrap().tag() == Tag::NAVM));
}

#[test]
fn damaged_plugins_are_planned_without_a_panic() {
    let mut planned = 0;
    let files = damage::order();
    let bytes = &files[2].bytes;
    for at in (0..bytes.len()).step_by(97) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 0x55;
        let Ok(broken) = Plugin::parse(&flipped, &Limits::default()) else { continue };
        let mut order = LoadOrder::new();
        order.push(files[0].name, plugin(&files[0].bytes));
        order.push(files[1].name, plugin(&files[1].bytes));
        order.push("Linker.esp", broken);
        let plan = FixPlan::new(&order, &all());
        if let Ok(patch) = plan.patch(false) {
            is_well_formed(&patch);
        }
        let plan = FixPlan::new(&order, &FixOptions { patch: false, ..all() });
        for index in plan.changed_plugins() {
            let _ = plan.plugin(index);
        }
        planned += 1;
    }
    assert!(planned > 0);
}

#[test]
fn what_lies_apart_is_stitched_as_far_as_the_editor_of_its_game_does() {
    let stitched = [(SE, 0.0), (SE, 15.0), (FO4, 15.0), (STARFIELD, 0.0), (STARFIELD, 0.2)];
    let left = [(SE, 17.0), (FO4, 17.0), (STARFIELD, 0.3), (STARFIELD, 15.0)];
    for (games, is_stitched) in [(&stitched[..], true), (&left, false)] {
        for (game, gap) in games {
            let files = [damage::torn(*game, *gap)];
            let order = order(&files);
            let options = FixOptions { repairs: vec![Repair::Links], patch: false, ..FixOptions::default() };
            let plan = FixPlan::new(&order, &options);
            assert_eq!(plan.left(), 0, "{} {gap}: {:#?}", game.name, plan.deeds());
            let fixed = plan.plugin(0).unwrap();
            let leads =
                |from, triangle, edge| mesh(&fixed, from).link(triangle, edge).map(|link| link.navmesh.get());
            let ways = (leads(WEST, 34, 1), leads(EAST, 25, 2));
            let wanted = if is_stitched { (Some(EAST), Some(WEST)) } else { (None, None) };
            assert_eq!(ways, wanted, "{} {gap}: {:#?}", game.name, plan.deeds());
        }
    }
}

#[test]
fn the_page_says_of_each_repair_on_which_games_it_is_proven() {
    let page = std::fs::read_to_string(navmap_testkit::corpus::project().join("docs/fix.md")).unwrap();
    for repair in Repair::ALL {
        let (name, proven) = (repair.name(), repair.proven());
        assert!(page.contains(&format!("| `{name}` | {proven} |\n")), "{name}: {proven}");
        let all = ["any game", "Other games"].iter().any(|words| proven.contains(words));
        let each = ["Skyrim", "Fallout 4", "Starfield"].iter().all(|game| proven.contains(game));
        assert!(all || each, "{name} says nothing of a game: {proven}");
    }
}
