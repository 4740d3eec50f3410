//! Links that may be meant for any of very many edges.

use navmap::Limits;
use navmap::format::skyrim::fix::{FixOptions, FixPlan};
use navmap::format::skyrim::{LoadOrder, Plugin};
use navmap_testkit::skyrim::SE;
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place, Triangle};
use navmap_testkit::skyrim::plugin::{Plugin as Made, field, record};

/// Two meshes of so many triangles that are all one: each of the first is linked to one of the second, of which the last so many
/// have a link back.
fn linked(triangles: u16, answered: u16) -> Vec<u8> {
    let mesh = |v: [u16; 3], y: f32| {
        let mut mesh = Mesh::sheet(12, Place::Interior(0x900), 1, 1, 1);
        mesh.vertices = vec![[0.0; 3], [64.0, 0.0, 0.0], [0.0, y, 0.0]];
        mesh.triangles = vec![Triangle { v, e: [0xFFFF; 3], flags: 0, cover: 0 }; usize::from(triangles)];
        mesh
    };
    let (mut ours, mut theirs) = (mesh([0, 1, 2], 64.0), mesh([1, 0, 2], -64.0));
    for triangle in 0..triangles {
        ours.link(triangle, 0, Link { kind: 0, navmesh: 0x1001, triangle, edge: 0 });
    }
    for triangle in triangles - answered..triangles {
        theirs.link(triangle, 0, Link { kind: 0, navmesh: 0x1000, triangle, edge: 0 });
    }
    let mut plugin = Made::new(SE.form, SE.hedr, &[]);
    let meshes = [(0x1000, ours), (0x1001, theirs)]
        .map(|(form, mesh)| record(b"NAVM", plugin.head(form, 0), &field(b"NVNM", &mesh.encode())));
    let cell = plugin.interior(0x900, &meshes);
    plugin.groups.push(cell);
    plugin.encode()
}

/// What becomes of links without a link back.
fn fared(triangles: u16, answered: u16) -> Vec<String> {
    let bytes = linked(triangles, answered);
    let mut order = LoadOrder::new();
    order.push("links.esp", Plugin::parse(&bytes, &Limits::default()).unwrap());
    let plan = FixPlan::new(&order, &FixOptions::default());
    let deeds = plan.deeds().iter().filter(|deed| deed.what.contains("no link leads back"));
    deeds.map(|deed| deed.left.clone().unwrap_or_else(|| deed.after.clone())).collect()
}

#[test]
fn a_link_that_may_be_meant_for_very_many_edges_is_left_with_a_few_names() {
    let several = "several edges of that navmesh lie there (triangle/edge): ";
    let few = fared(8, 0);
    assert_eq!(few.len(), 8);
    assert!(few.iter().all(|why| why.starts_with(several) && why.ends_with(", 7/0")), "{few:?}");
    let many = fared(3_000, 0);
    assert_eq!(many.len(), 3_000);
    assert_eq!(many[0], format!("{several}0/0, 1/0, 2/0, 3/0, 4/0, 5/0, 6/0, 7/0, 2992 more"));
    // The first have looked at as many edges as may be.
    assert_eq!(many[2_999], "comparisons for the links of a navmesh: 27000000 is over the limit of 20000000");
}

#[test]
fn an_edge_whose_link_is_answered_is_meant_for_no_other() {
    assert_eq!(fared(3, 2), ["triangle 0, and its edge 0 leads back"]);
}
