//! How much a question looks at.

use navmap::format::source::{SourceGraph, SourceNav};
use navmap::graph::Point;
use navmap::open::Mesh;
use navmap::query::{Area, InPlace, NavIndex, ground_in_place_counted};
use navmap_testkit::corpus::bundled_path;
use navmap_testkit::source::{Area as Made, Mesh as Source, write};

fn index(areas: Vec<Made>) -> NavIndex {
    let mesh = Source { version: 9, areas, ..Source::default() };
    let bytes = write(&mesh);
    NavIndex::build(&SourceGraph::new(&SourceNav::parse(&bytes).unwrap())).whole().unwrap()
}

fn square(id: u32, x: f32, z: f32) -> Made {
    Made { id, nw: [x, 0.0, z], se: [x + 50.0, 50.0, z], ne_z: z, sw_z: z, ..Made::default() }
}

fn bundled(family: &str, file: &str) -> Mesh {
    Mesh::open(bundled_path(family, file)).unwrap()
}

#[test]
fn every_area_that_a_question_looks_at_is_counted() {
    let stack = index((0..50).map(|at| square(at + 1, 0.0, at as f32 * 200.0)).collect());
    let all = |_: Area| true;
    let mut looked = 0;
    let on = Point::new(25.0, 25.0, 4.0);
    assert_eq!(stack.area_at_counted(on, None, all, &mut looked), stack.area_at(on, None));
    assert_eq!(looked, 50);
    // It adds to what was counted before.
    let off = Point::new(5_000.0, 25.0, 4.0);
    let near = stack.nearest_counted(off, f32::INFINITY, all, &mut looked);
    assert!(near == stack.nearest(off, f32::INFINITY) && (51..=200).contains(&looked), "{looked}");
    // Two areas, and the empty cells of 300 between them.
    let apart = index(vec![square(1, 0.0, 0.0), square(2, 30_000.0, 0.0)]);
    let (middle, mut looked) = (Point::new(15_000.0, 25.0, 0.0), 0);
    let near = apart.nearest_as_engine_counted(middle, f32::INFINITY, all, &mut looked);
    assert!(near == apart.nearest_as_engine(middle, f32::INFINITY) && looked > 80, "{near:?} {looked}");
}

#[test]
fn polygons_count_as_their_corners_and_trees_as_their_levels() {
    let mesh = bundled("skyrim", "nvnm/v12.nvnm");
    let triangles = NavIndex::build(&mesh.nav().flat_graph().value).value;
    let centers = triangles.areas().filter_map(|area| triangles.center(area));
    for p in centers.take(20) {
        let mut looked = 0;
        assert!(triangles.area_at_counted(p, None, |_| true, &mut looked).is_some());
        assert!(looked >= 3 && looked.is_multiple_of(3), "{looked}");
    }
    let mesh = bundled("aas", "v4.aas");
    let index = mesh.items()[0].index(&Default::default()).unwrap().value;
    let mut counted = 0;
    for p in index.areas().filter_map(|area| index.center(area)) {
        let mut looked = 0;
        if index.area_at_counted(p, None, |_| true, &mut looked).is_some() {
            assert!(looked > 0, "{p:?}");
            counted += 1;
        }
    }
    assert!(counted > 3, "{counted}");
}

#[test]
fn nodes_of_a_square_are_counted_without_an_index() {
    let (mesh, mut looked) = (bundled("xray", "v10.ai"), 0);
    let found = ground_in_place_counted(mesh.nav(), Point::new(0.7, 0.1, 1.3), None, &mut looked);
    assert!(matches!(found, InPlace::On(_)) && looked > 0, "{found:?} {looked}");
    let before = looked;
    let found = ground_in_place_counted(mesh.nav(), Point::new(-900.0, 0.1, 1.3), None, &mut looked);
    assert_eq!((found, looked), (InPlace::Off, before));
}
