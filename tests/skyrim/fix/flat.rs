//! Triangles without area: what lies on both sides of them, and what names triangles by numbers that they would change.

use super::{File, deeds_of, mesh, order};
use navmap::format::skyrim::fix::{FixOptions, FixPlan, Repair};
use navmap::format::skyrim::{Edge, NavMesh, NavMeshBuf, TriangleBuf};
use navmap_testkit::skyrim::damage::{self, WEST};
use navmap_testkit::skyrim::mesh::{Link, Mesh, Place};
use navmap_testkit::skyrim::plugin::{Plugin as Made, field, record};
use navmap_testkit::skyrim::{FO4, Game, SE, STARFIELD, navm};

const CELL: u32 = 0x0100_0820;
const MESH: u32 = 0x0100_0900;

fn meshes(patch: bool) -> FixOptions {
    FixOptions { repairs: vec![Repair::Mesh], patch, ..FixOptions::default() }
}

/// A strip of four squares, and a plugin with what `how` makes of it.
fn strip(game: Game, how: impl FnOnce(&mut NavMeshBuf)) -> (NavMeshBuf, [File; 1]) {
    let payload = Mesh::sheet(game.nvnm, Place::Interior(CELL), 1, 4, 7).encode();
    let sound = NavMeshBuf::read(&NavMesh::parse(&payload).unwrap()).unwrap();
    let mut changed = sound.clone();
    how(&mut changed);
    let mut made = Made::new(game.form, game.hedr, &[game.master]);
    let data = field(b"NVNM", &changed.encode().unwrap());
    made.groups.push(made.interior(CELL, &[record(b"NAVM", made.head(MESH, 0), &data)]));
    (sound, [File { name: "P.esp", bytes: made.encode() }])
}

/// A triangle between these corners, with these neighbours.
fn triangle(like: TriangleBuf, vertices: [u16; 3], edges: [Edge; 3]) -> TriangleBuf {
    let mut triangle = TriangleBuf { vertices, cover: 0, ..like };
    (0..3).zip(edges).for_each(|(edge, to)| triangle.set_edge(edge, to));
    triangle
}

/// Puts a triangle without area where the second square ends and the third begins. Its corners in the east are one vertex, or (`apart`)
/// two, so far above each other.
fn slit(mesh: &mut NavMeshBuf, apart: Option<f32>) {
    let mut east = 5;
    if let Some(apart) = apart {
        let [x, y, z] = mesh.vertices[5];
        east = mesh.vertices.len() as u16;
        mesh.vertices.push([x, y, z + apart]);
        if !mesh.marks.is_empty() {
            mesh.marks.push(mesh.marks[5]);
        }
        mesh.triangles[4].vertices[1] = east;
    }
    assert_eq!(mesh.triangles[3].edges()[1], Edge::Neighbour(4));
    assert_eq!(mesh.triangles[4].edges()[0], Edge::Neighbour(3));
    let neighbours = [Edge::Neighbour(3), Edge::Border, Edge::Neighbour(4)];
    mesh.triangles.push(triangle(mesh.triangles[3], [4, 5, east], neighbours));
    mesh.triangles[3].set_edge(1, Edge::Neighbour(8));
    mesh.triangles[4].set_edge(0, Edge::Neighbour(8));
}

#[test]
fn what_lies_on_both_sides_of_two_corners_at_one_place_is_joined() {
    for game in [SE, FO4, STARFIELD] {
        for apart in [None, Some(0.0), Some(0.0001)] {
            let (sound, files) = strip(game, |mesh| slit(mesh, apart));
            let order = order(&files);
            let plan = FixPlan::new(&order, &meshes(false));
            let name = game.name;
            assert_eq!(plan.left(), 0, "{name} {apart:?}: {:#?}", plan.deeds());
            let fixed = mesh(&plan.plugin(0).unwrap(), MESH);
            assert_eq!(fixed.triangles, sound.triangles, "{name} {apart:?}");
            assert_eq!((fixed.vertices, fixed.marks), (sound.vertices, sound.marks), "{name} {apart:?}");
        }
    }
}

#[test]
fn one_of_three_places_that_a_way_leads_through_stays() {
    // The third square is divided at the middle of its southern edge.
    let (_, files) = strip(SE, |mesh| {
        let [a, b] = [mesh.vertices[4], mesh.vertices[5]];
        mesh.vertices.push([0, 1, 2].map(|at| (a[at] + b[at]) / 2.0));
        let like = mesh.triangles[4];
        mesh.triangles[4] =
            triangle(like, [4, 10, 7], [Edge::Neighbour(8), Edge::Neighbour(9), Edge::Neighbour(5)]);
        let neighbours = [Edge::Neighbour(3), Edge::Neighbour(9), Edge::Neighbour(4)];
        mesh.triangles.push(triangle(like, [4, 5, 10], neighbours));
        mesh.triangles.push(triangle(
            like,
            [10, 5, 7],
            [Edge::Neighbour(8), Edge::Border, Edge::Neighbour(4)],
        ));
        mesh.triangles[3].set_edge(1, Edge::Neighbour(8));
        mesh.settle_all();
    });
    let order = order(&files);
    let plan = FixPlan::new(&order, &meshes(false));
    let deeds = deeds_of(plan.deeds(), "P.esp", Repair::Mesh);
    let deed = deeds.iter().find(|deed| deed.what == "degenerate-triangle").unwrap();
    assert_eq!(deed.before, "triangle 8 without area");
    assert!(deed.left.as_deref().is_some_and(|left| left.contains("a way leads through")), "{deed}");
    assert_eq!(mesh(&plan.plugin(0).unwrap(), MESH).triangles.len(), 10);
}

/// A plugin with a mesh of 24 triangles, of which this one has no area.
fn flat(masters: &[&str], gone: usize, how: impl FnOnce(&mut Mesh)) -> [File; 1] {
    let mut made = Made::new(SE.form, SE.hedr, masters);
    let mut mesh = Mesh::sheet(12, Place::Interior(CELL), 4, 3, 5);
    how(&mut mesh);
    mesh.triangles[gone].v[1] = mesh.triangles[gone].v[0];
    made.groups.push(made.navi(SE.navi, 12, &[mesh.map_entry(MESH, false)], &[MESH]));
    made.groups.push(made.interior(CELL, &[navm(&made, MESH, &mesh, true)]));
    [File { name: "P.esp", bytes: made.encode() }]
}

#[test]
fn links_of_a_mesh_to_itself_follow_too() {
    let files = flat(&[SE.master], 0, |mesh| {
        mesh.link(6, 1, Link { kind: 1, navmesh: MESH, triangle: 9, edge: 2 });
        mesh.link(9, 2, Link { kind: 2, navmesh: MESH, triangle: 6, edge: 1 });
    });
    let order = order(&files);
    for options in [meshes(false), FixOptions { patch: false, ..FixOptions::default() }] {
        let plan = FixPlan::new(&order, &options);
        assert_eq!(plan.left(), 0, "{:#?}", plan.deeds());
        let fixed = mesh(&plan.plugin(0).unwrap(), MESH);
        let links: Vec<_> =
            fixed.linked_edges().map(|(at, edge, link)| (at, edge, link.kind, link.triangle)).collect();
        assert_eq!(links, [(5, 1, 1, 8), (8, 2, 2, 5)], "{:#?}", plan.deeds());
    }
}

/// Whether triangles stay because of what a file may name that is not in the order.
fn is_left(plan: &FixPlan<'_, '_>) -> bool {
    let why = "navmeshes of Base.esm, which is not in the load order, may name its triangles by number";
    plan.deeds().iter().any(|deed| deed.left.as_deref() == Some(why))
}

#[test]
fn triangles_that_a_file_may_name_which_is_not_in_the_order_keep_their_numbers() {
    let payload = damage::western();
    let mut west = NavMeshBuf::read(&NavMesh::parse(&payload).unwrap()).unwrap();
    west.triangles[0].vertices[1] = west.triangles[0].vertices[0];
    west.settle_all();
    let files = damage::western_as("Broken.esp", &west.encode().unwrap());
    let alone = order(&files[1..]);
    for patch in [false, true] {
        let plan = FixPlan::new(&alone, &meshes(patch));
        assert!(is_left(&plan), "{:#?}", plan.deeds());
    }
    let plan = FixPlan::new(&alone, &meshes(false));
    assert_eq!(mesh(&plan.plugin(0).unwrap(), WEST).triangles.len(), 60);
    // With it the links of the mesh in the east follow.
    let both = order(&files);
    let plan = FixPlan::new(&both, &meshes(false));
    assert_eq!((plan.left(), plan.changed_plugins()), (0, vec![0, 1]), "{:#?}", plan.deeds());
    assert_eq!(mesh(&plan.plugin(1).unwrap(), WEST).triangles.len(), 59);
}

#[test]
fn so_do_those_of_a_mesh_that_is_linked_to_such_a_file() {
    let link = |mesh: &mut Mesh| mesh.link(6, 1, Link { kind: 0, navmesh: 0x0A01, triangle: 1, edge: 0 });
    // The last triangle gives no other a new number.
    for (gone, left) in [(0, 24), (23, 23)] {
        let files = flat(&["Base.esm"], gone, link);
        let order = order(&files);
        let plan = FixPlan::new(&order, &meshes(false));
        assert_eq!(is_left(&plan), left == 24, "{gone}: {:#?}", plan.deeds());
        assert_eq!(mesh(&plan.plugin(0).unwrap(), MESH).triangles.len(), left, "{gone}: {:#?}", plan.deeds());
    }
    assert_eq!(order(&flat(&["Base.esm"], 0, link)).missing_masters(0), ["Base.esm"]);
}
