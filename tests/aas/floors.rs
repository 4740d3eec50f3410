//! Floors that are made of the tree, against faces.

use navmap::format::aas::{AasGraph, AasNav, AreaFlags, Floors};
use navmap::graph::Point;
use navmap::query::NavIndex;
use navmap_testkit::aas::{Area, Map, sample};
use navmap_testkit::corpus::{manifest, real};

fn size(floors: &[Vec<[f64; 3]>]) -> f64 {
    let of = |floor: &Vec<[f64; 3]>| {
        let ahead = floor.iter().cycle().skip(1);
        floor.iter().zip(ahead).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
    };
    floors.iter().map(of).sum()
}

#[test]
fn floors_of_the_tree_are_those_of_the_faces() {
    let bytes = sample().lumps(5, true).encode();
    let floors = Floors::new(AasNav::parse(&bytes).unwrap());
    for area in 1..=8 {
        let (stored, rebuilt) = (floors.stored(area), floors.rebuilt(area));
        // The bottom of the pool lies on the solid too, but is no ground: one swims there.
        if area != 4 {
            assert!((size(&stored) - size(&rebuilt)).abs() < 1.0, "{area}: {stored:?} {rebuilt:?}");
            assert_eq!(stored.len(), usize::from(area != 6), "{area}: the air has none");
        }
        assert!(size(&stored) >= 0.0 && size(&rebuilt) >= 0.0, "counter-clockwise from above");
    }
    let slope = &floors.rebuilt(7)[0];
    assert!(slope.iter().all(|[_, y, z]| (z - 24.0 - (y - 128.0) / 2.0).abs() < 0.01), "{slope:?}");
}

#[test]
fn an_area_of_several_leaves_is_one_polygon_around_their_floors() {
    use navmap::graph::FlatGraph;
    // The wall of a neighbour cuts the wide area in two leaves.
    let mut map = Map { clusters: 1, ..Map::default() };
    map.areas.push(Area::new([0.0, 0.0, 24.0], [256.0, 64.0, 88.0], 1));
    map.areas.push(Area::new([100.0, 64.0, 24.0], [160.0, 200.0, 88.0], 1));
    map.areas.push(Area::new([40.0, -90.0, 24.0], [160.0, 0.0, 88.0], 1));
    let bytes = map.lumps(5, false).encode();
    let nav = AasNav::parse(&bytes).unwrap();
    let floors = Floors::new(nav);
    let parts = (1..=3).map(|area| floors.of(area).len()).sum::<usize>();
    assert!(parts > 3, "some area has several leaves");
    let graph = FlatGraph::of(&AasGraph::new(nav)).whole().unwrap();
    for (node, area) in graph.nodes().iter().zip(&map.areas) {
        let wanted = f64::from((area.maxs[0] - area.mins[0]) * (area.maxs[1] - area.mins[1]));
        assert!((graph.shape(node).area().unwrap() - wanted).abs() < 0.1);
        assert_eq!(graph.shape(node).corners().len(), 4);
    }
}

/// The compiler throws away every face but ladders, so a file with one of these has no more floors stored than one with none.
#[test]
fn a_file_of_ladder_faces_alone_is_stripped() {
    use navmap::graph::FlatGraph;
    let mut lumps = sample().lumps(5, true);
    (1..9).for_each(|area| _ = lumps.set(7, area, 1, 0).set(7, area, 2, 0));
    // A wall of area 1 is the ladder.
    lumps.lumps[5].truncate(2 * 24);
    lumps.set(5, 1, 1, 3);
    let (ladder, none) = (lumps.encode(), sample().lumps(5, false).encode());
    let [ladder, none] = [&ladder, &none].map(|bytes| AasNav::parse(bytes).unwrap());
    assert!(ladder.is_stripped() && none.is_stripped());
    let floors = [ladder, none].map(Floors::new);
    let shapes = [ladder, none].map(|nav| FlatGraph::of(&AasGraph::new(nav)).whole().unwrap());
    assert_eq!(shapes[0].nodes(), shapes[1].nodes());
    for area in 1..=8 {
        assert_eq!(floors[0].of(area), floors[1].of(area), "{area}");
    }
    for node in shapes[0].nodes() {
        assert_eq!(shapes[0].corners(node), shapes[1].corners(node), "{}", node.id);
    }
    lumps.set(5, 1, 1, 1);
    let bytes = lumps.encode();
    assert!(!AasNav::parse(&bytes).unwrap().is_stripped(), "a wall is no ladder");
}

#[test]
fn a_grounded_area_without_a_ground_face_gets_its_floor_of_the_tree() {
    let mut lumps = sample().lumps(5, true);
    // Face 1 is the ground of area 1.
    lumps.set(5, 1, 1, 1);
    let bytes = lumps.encode();
    let floors = Floors::new(AasNav::parse(&bytes).unwrap());
    assert!(floors.stored(1).is_empty());
    assert_eq!(floors.of(1), floors.rebuilt(1));
    assert!((size(&floors.of(1)) - 128.0 * 128.0).abs() < 1.0, "{:?}", floors.of(1));
    assert_eq!(floors.of(2), floors.stored(2));
    assert!(floors.of(4).is_empty(), "no one stands on the bottom of the pool");
}

/// The bars: 99.8 % of areas within 2 % of their faces, as large in all, a floor in every grounded area of stripped files.
#[test]
fn rebuilt_floors_of_real_files_hold_the_bars() {
    let Some(real) = real() else { return };
    let (mut areas, mut near, mut faces, mut rebuilt) = (0, 0, 0.0, 0.0);
    let (mut grounded, mut found) = (0, 0);
    for row in manifest(&real.join("aas")) {
        let bytes = row.read();
        let nav = AasNav::parse(&bytes).unwrap();
        let floors = Floors::new(nav);
        for area in 1..nav.areas().len() {
            if nav.is_stripped() {
                if nav.settings().get(area).unwrap().flags().contains(AreaFlags::GROUNDED) {
                    grounded += 1;
                    found += u32::from(!floors.of(area).is_empty());
                }
                continue;
            }
            let stored = size(&floors.stored(area));
            if stored > 0.0 {
                let made = size(&floors.rebuilt(area));
                areas += 1;
                near += u32::from((made - stored).abs() <= stored * 0.02);
                faces += stored;
                rebuilt += made;
            }
        }
    }
    let share = f64::from(near) / f64::from(areas);
    let all = rebuilt / faces;
    println!("{near} of {areas} within 2 %, {all:.4} in all, a floor in {found} of {grounded}");
    assert!(areas > 2_000 && share >= 0.998, "{near} of {areas}");
    assert!((0.999..1.001).contains(&all), "{all}");
    assert!(grounded > 1_500 && found == grounded, "{found} of {grounded}");
}

#[test]
fn polygons_of_nodes_are_as_large_as_the_floors() {
    use navmap::graph::NavGraph;
    let Some(real) = real() else { return };
    for row in manifest(&real.join("aas")) {
        let bytes = row.read();
        let nav = AasNav::parse(&bytes).unwrap();
        let floors = Floors::new(nav);
        let (mut all, mut shown, mut wrong) = (0.0, 0.0, 0);
        let graph = AasGraph::new(nav);
        graph
            .for_each_node(|node| {
                let ground = size(&floors.of(node.id as usize));
                if ground > 0.0 {
                    let corners: Vec<[f64; 3]> =
                        node.shape.corners().iter().map(|corner| corner.to_array().map(f64::from)).collect();
                    let drawn = size(&[corners]);
                    all += ground;
                    shown += drawn;
                    wrong += u32::from(drawn < 0.0 || drawn > ground * 1.02 + 1.1);
                }
            })
            .unwrap();
        println!("{}: {shown:.0} of {all:.0}", row.name());
        assert_eq!(wrong, 0, "{}: an outline larger than its floors, or wound clockwise", row.name());
        assert!(shown > all * 0.9 && shown < all * 1.02, "{}: {shown} of {all}", row.name());
    }
}

/// Floors of one area may be a slope and what it leads to.
#[test]
fn the_height_in_an_area_of_several_floors_is_that_of_the_floor_there() {
    let rows = real().map_or_else(Vec::new, |root| manifest(&root.join("aas")));
    let (mut several, mut right) = (0, 0);
    for row in &rows {
        let bytes = row.read();
        let nav = AasNav::parse(&bytes).unwrap();
        let (graph, floors) = (AasGraph::new(nav), Floors::new(nav));
        let index = NavIndex::build(&graph).whole().unwrap();
        for number in graph.areas() {
            let stored = floors.stored(number);
            let area = graph.node_of(number).and_then(|node| index.of_node(node)).unwrap();
            for floor in stored.iter().filter(|_| stored.len() > 1) {
                let [x, y, z] = floor.iter().fold([0.0; 3], |[x, y, z], [a, b, c]| [x + a, y + b, z + c]);
                let [x, y, z] = [x, y, z].map(|sum| (sum / floor.len() as f64) as f32);
                // The area may be its largest floor alone.
                let Some(height) = index.z_at(area, Point::new(x, y, z)) else { continue };
                assert!((height - z).abs() < 5.0, "{}: area {number}: {height}, not {z}", row.name());
                several += 1;
                right += usize::from((height - z).abs() < 0.5);
            }
        }
    }
    assert!(right * 3 >= several * 2, "{right} of {several}");
}
