//! Deleted meshes as one triangle, and grids without the slip of the editors.

use super::{findings, is_well_formed, mesh, order};
use crate::plugin;
use navmap::bytes::Scratch;
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Repair};
use navmap::format::skyrim::record::Edge;
use navmap::format::skyrim::{FormId, NavMap, NavMesh, NavMeshBuf, Plugin};
use navmap_testkit::skyrim::SE;
use navmap_testkit::skyrim::damage::{self, File, GONE, STAYS};
use navmap_testkit::skyrim::mesh::{Mesh, Place};
use navmap_testkit::skyrim::plugin::{DELETED, Plugin as Made, door_reference, field, record};

fn undelete(patch: bool, plugins: Vec<usize>) -> FixOptions {
    let repairs = vec![Repair::Undelete];
    FixOptions { repairs, patch, plugins, stub: true, ..FixOptions::default() }
}

/// The 130 bytes that the specification gives for an interior cell.
#[test]
fn the_stub_of_a_mesh_around_the_origin_is_the_known_one() {
    let mut sheet = Mesh::sheet(12, Place::Interior(0x0001_380C), 6, 5, 3);
    let count = sheet.vertices.len() as f32;
    for axis in [0, 1] {
        let mean = sheet.vertices.iter().map(|vertex| vertex[axis]).sum::<f32>() / count;
        sheet.vertices.iter_mut().for_each(|vertex| vertex[axis] = (vertex[axis] - mean).round());
    }
    let last = sheet.vertices.len() - 1;
    for axis in [0, 1] {
        let rest = sheet.vertices.iter().map(|vertex| vertex[axis]).sum::<f32>();
        sheet.vertices[last][axis] -= rest;
    }
    let bytes = sheet.encode();
    let stub = NavMeshBuf::read(&NavMesh::parse(&bytes).unwrap()).unwrap().stub(64.0, 30_000.0);
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let floats = |floats: &[f32]| floats.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let shorts = |shorts: &[u16]| shorts.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    let known = [
        words(&[12, 0xA5E9_A03C, 0, 0x0001_380C, 3]),
        floats(&[0.0, 0.0, -30_000.0, 64.0, 0.0, -30_000.0, 0.0, 64.0, -30_000.0]),
        words(&[1]),
        shorts(&[0, 1, 2, 0xFFFF, 0xFFFF, 0xFFFF, 0x0800, 0]),
        words(&[0, 0, 0, 1]),
        floats(&[64.0, 64.0, 0.0, 0.0, -30_000.0, 64.0, 64.0, -30_000.0]),
        words(&[1]),
        shorts(&[0]),
    ]
    .concat();
    assert_eq!(known.len(), 130);
    assert_eq!(stub.encode().unwrap(), known);
    // Where clearances are stored, there is nothing above it.
    for version in [15, 17] {
        let bytes = Mesh::sheet(version, Place::Interior(0x0001_380C), 6, 5, 3).encode();
        let stub = NavMeshBuf::read(&NavMesh::parse(&bytes).unwrap()).unwrap().stub(64.0, 30_000.0);
        assert_eq!(stub.triangles[0].height, f32::MAX, "version {version}");
    }
}

#[test]
fn a_deleted_mesh_comes_back_as_one_triangle_to_which_no_link_leads() {
    let mut files = damage::order().to_vec();
    let patch = {
        let order = order(&files);
        let plan = FixPlan::new(&order, &undelete(true, Vec::new()));
        let [deed] = plan.deeds() else { panic!("{:#?}", plan.deeds()) };
        assert_eq!(deed.left, None);
        assert_eq!(deed.after, "one triangle, 30000 units down; 1 link and 0 doors lead to it no longer");
        plan.patch(false).unwrap()
    };
    is_well_formed(&patch);
    let (stub, stays) = (mesh(&patch, GONE), mesh(&patch, STAYS));
    assert_eq!((stub.triangles.len(), stub.vertices.len(), stub.links.len()), (1, 3, 0));
    assert!(stub.vertices.iter().all(|vertex| vertex[2] == -30_000.0));
    assert!(stays.links.is_empty());
    let edges = stays.triangles.iter().flat_map(|triangle| triangle.edges());
    assert!(edges.into_iter().all(|edge| !matches!(edge, Edge::Link(_))));
    let navi = plugin(&patch).navi().unwrap().unwrap();
    let mut scratch = Scratch::new();
    let map = NavMap::parse(navi.fields(&mut scratch).unwrap()).unwrap();
    for entry in map.entries().map(Result::unwrap) {
        assert!(entry.links.is_empty() && entry.preferred_links.is_empty(), "{:?}", entry.head.navmesh());
    }
    files.push(File { name: "Patch.esp", bytes: patch });
    let after = findings(&files);
    assert!(!after.keys().any(|(_, code)| *code == "edge-link-to-deleted"), "{after:?}");
    let new: Vec<_> = after.keys().filter(|(file, _)| *file == "Patch.esp").map(|(_, code)| *code).collect();
    assert_eq!(new, ["navmesh-conflict"], "{after:?}");
}

/// A plugin that deletes the mesh, and has a door on it.
fn door_on_deleted() -> [File; 2] {
    let [base, ..] = damage::order();
    let mut plugin = Made::new(SE.form, SE.hedr, &["Base.esm"]);
    let deleted = record(b"NAVM", plugin.head(GONE, DELETED), b"");
    let door = door_reference(&plugin, plugin.own() + 9, GONE, 4);
    let cell = plugin.interior(0x0913, &[deleted, door]);
    plugin.groups.push(cell);
    [base, File { name: "Door.esp", bytes: plugin.encode() }]
}

#[test]
fn what_leads_to_a_deleted_mesh_and_cannot_be_removed_is_listed() {
    let files = door_on_deleted();
    let order = order(&files);
    let plan = FixPlan::new(&order, &undelete(true, Vec::new()));
    let [deed] = plan.deeds() else { panic!("{:#?}", plan.deeds()) };
    let left = deed.left.as_deref().unwrap();
    assert!(left.contains("door 01000809 of Door.esp: a patch cannot override doors"), "{left}");
    assert!(plan.changed_plugins().is_empty());
    // The link of the master is left too if only the other plugin may be changed.
    let plan = FixPlan::new(&order, &undelete(false, vec![1]));
    let left = plan.deeds()[0].left.as_deref().unwrap();
    assert!(left.contains("links of 00000A11 (Base.esm): ") && !left.contains("door"), "{left}");
    assert!(plan.changed_plugins().is_empty());
}

#[test]
fn a_door_on_a_deleted_mesh_lets_go_of_it_if_its_plugin_is_written() {
    let files = door_on_deleted();
    let order = order(&files);
    let plan = FixPlan::new(&order, &undelete(false, Vec::new()));
    assert_eq!((plan.done(), plan.left()), (1, 0), "{:#?}", plan.deeds());
    assert_eq!(plan.changed_plugins(), [0, 1]);
    let written = plan.plugin(1).unwrap();
    let written = plugin(&written);
    let door =
        written.records().flatten().find(|record| record.form_id() == FormId::new(0x0100_0809)).unwrap();
    let fields = door.fields_in_place().unwrap();
    let tags: Vec<_> = fields.map(|field| field.unwrap().tag.0).collect();
    assert_eq!(tags, [*b"NAME", *b"DATA"]);
    assert!(mesh(&plan.plugin(0).unwrap(), STAYS).links.is_empty());
}

#[test]
fn grids_leave_out_what_the_editors_add_by_a_slip_if_asked() {
    let Some(folder) = navmap_testkit::corpus::real() else { return };
    let field_bytes = std::fs::read(folder.join("skyrim/nvnm/SeaofGhosts_0400091B.nvnm")).unwrap();
    let mut turned = NavMeshBuf::read(&NavMesh::parse(&field_bytes).unwrap()).unwrap();
    // The cells of the triangle that the specification gives, and one triangle that faces down.
    let cells = |mesh: &NavMeshBuf| -> Vec<usize> {
        let lists = mesh.grid.lists.iter().enumerate();
        lists.filter(|(_, list)| list.contains(&108)).map(|(cell, _)| cell).collect()
    };
    let mut geometric = turned.clone();
    geometric.settle_all_as(true);
    assert_eq!((cells(&turned), cells(&geometric)), (vec![0, 1, 6, 7], vec![0, 1, 6]));
    turned.triangles[7].vertices.swap(1, 2);
    let mut plugin = Made::new(SE.form, SE.hedr, &["Base.esm"]);
    let data = field(b"NVNM", &turned.encode().unwrap());
    let record = record(b"NAVM", plugin.head(plugin.own() + 3, 0), &data);
    let cell = plugin.interior(plugin.own() + 1, &[record]);
    plugin.groups.push(cell);
    let bytes = plugin.encode();
    let entries = |geometric_grid: bool| {
        let mut order = navmap::format::skyrim::LoadOrder::new();
        order.push("Skewed.esp", super::plugin(&bytes));
        let repairs = vec![Repair::Mesh];
        let options = FixOptions { repairs, patch: false, geometric_grid, ..FixOptions::default() };
        let made = FixPlan::new(&order, &options).plugin(0).unwrap();
        let made = Plugin::parse(&made, &navmap::Limits::default()).unwrap();
        let mut scratch = Scratch::new();
        let mut entries = 0;
        for navm in made.navmeshes().flatten() {
            let Ok(Some(mesh)) = navm.mesh(&mut scratch) else { continue };
            let mut codes = Vec::new();
            navmap::NavFile::check(&mesh, &mut Scratch::new(), &mut |finding| codes.push(finding.code))
                .unwrap();
            assert!(!codes.iter().any(|code| code.starts_with("grid")), "{codes:?}");
            entries += mesh.grid().unwrap().lists().map(<[_]>::len).sum::<usize>();
        }
        entries
    };
    let (editor, geometric) = (entries(false), entries(true));
    assert!(geometric < editor, "{geometric} of {editor}");
}
