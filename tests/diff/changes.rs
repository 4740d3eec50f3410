//! One change at a time, to a made-up level.

use super::flat;
use navmap::diff::{Diff, Method, NameChange, PlaceChange, Places, Shaped};
use navmap::graph::{Axes, FlatGraph, Link, LinkKind, Mark, MarkKind, MarkShape, Point, Shape as Outline};
use navmap_testkit::source::{Mesh, Shape, level, write};

fn town() -> Mesh {
    let mut mesh = level(
        16,
        Some(2),
        &Shape { cells: 100, seed: 5, visible: 0, paths: false, approaches: 0, ladders: 2 },
    );
    mesh.areas.iter_mut().for_each(|area| area.spots.clear());
    mesh
}

/// The difference that `change` makes to the town, which is the mirror image from the other side.
fn told(change: impl FnOnce(&mut Mesh)) -> Diff {
    let before = town();
    let mut after = before.clone();
    change(&mut after);
    let (before, after) = (flat(&write(&before)), flat(&write(&after)));
    let diff = Diff::between(&before, &after);
    let back = Diff::between(&after, &before);
    assert_eq!((&diff.removed, &diff.added), (&back.added, &back.removed));
    assert_eq!((&diff.split, &diff.merged), (&back.merged, &back.split));
    assert_eq!((diff.method, diff.renumbered), (back.method, back.renumbered));
    let mut pairs: Vec<(u32, u32)> = back.pairs.iter().map(|&(b, a)| (a, b)).collect();
    pairs.sort_unstable();
    assert_eq!(diff.pairs, pairs);
    assert_eq!(diff.links.changed.len(), back.links.changed.len());
    assert_eq!(diff.main_part.lost.len(), back.main_part.gained.len());
    diff
}

#[test]
fn a_mesh_is_itself() {
    let diff = told(|_| {});
    assert!(diff.is_identical());
    assert_eq!((diff.method, diff.matched(), diff.renumbered), (Method::Ids, 1.0, 0));
}

#[test]
fn what_moved_by_less_than_noise_is_left_out_unless_it_is_asked_for() {
    let moved = |by: f32| {
        let before = town();
        let mut after = before.clone();
        // Far from the origin a number has no room for less than its own rounding.
        let area = after.areas.iter_mut().min_by(|a, b| a.nw[0].abs().total_cmp(&b.nw[0].abs())).unwrap();
        area.ne_z += by;
        area.sw_z += by;
        let (before, after) = (flat(&write(&before)), flat(&write(&after)));
        let mut diff = Diff::between(&before, &after);
        assert_eq!(diff.changed.len(), 1, "{by}");
        let ignored = diff.ignore_noise(&before, &after);
        (ignored, diff.is_same())
    };
    assert_eq!(moved(0.001), (1, true));
    assert_eq!(moved(0.5), (0, false));
    let before = flat(&write(&town()));
    assert!((navmap::diff::noise(&before) - 0.001_968_5).abs() < 1e-6);
}

fn square(x: f32, y: f32, side: f32) -> [Point; 4] {
    [[x, y], [x + side, y], [x + side, y + side], [x, y + side]].map(|[x, y]| Point::new(x, y, 0.0))
}

#[test]
fn what_moved_by_noise_and_has_another_id_is_renumbered() {
    let made = |id: u64, by: f32| {
        let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
        graph.add_node(id, Outline::Polygon(&square(by, 0.0, 100.0)));
        graph.add_node(2, Outline::Polygon(&square(100.0, 0.0, 100.0)));
        graph
    };
    let (before, after) = (made(1, 0.0), made(7, 0.001));
    let mut diff = Diff::between(&before, &after);
    assert_eq!((diff.changed.len(), diff.renumbered), (1, 0));
    assert_eq!(diff.ignore_noise(&before, &after), 1);
    assert!(diff.is_same() && diff.renumbered == 1 && !diff.is_identical(), "{diff:?}");
}

#[test]
fn marks_and_ends_of_links_that_moved_by_noise_are_left_out() {
    let made = |first: f32, second: f32| {
        let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
        graph.add_node(1, Outline::Polygon(&square(0.0, 0.0, 100.0)));
        graph.add_node(2, Outline::Polygon(&square(100.0, 0.0, 100.0)));
        let at = |by: f32, high: f32| Point::new(50.0 + by, 50.0, high);
        let spot =
            Mark { kind: MarkKind::HidingSpot, node: Some(0), shape: MarkShape::Point(at(first, 0.0)) };
        // Many in one line, and one of the whole mesh.
        (0..400_u16).for_each(|high| {
            graph.add_mark(Mark { shape: MarkShape::Point(at(first, high.into())), ..spot })
        });
        let ladder = MarkShape::Segment(at(first, 0.0), at(second, 90.0));
        graph.add_mark(Mark { kind: MarkKind::Ladder, node: None, shape: ladder });
        let path = Some([at(first, 0.0), at(second, 90.0)]);
        graph.add_link(Link { path, ..Link::new(0, 1, LinkKind::Jump) });
        graph
    };
    let before = made(0.0, 0.0);
    for (first, second, ignored, marks, links) in
        [(0.001, 0.0, 402, 0, 0), (-0.001, 0.001, 402, 0, 0), (0.0, 0.5, 0, 1, 1), (0.001, 0.5, 400, 1, 1)]
    {
        let after = made(first, second);
        let mut diff = Diff::between(&before, &after);
        assert!(!diff.is_same());
        assert_eq!(diff.ignore_noise(&before, &after), ignored, "{first} {second}");
        assert_eq!((diff.marks.len(), diff.links.changed.len()), (marks, links), "{diff:?}");
        assert_eq!(diff.is_same(), marks == 0);
    }
}

#[test]
fn however_many_marks_lie_at_one_x_those_that_moved_by_noise_are_left_out() {
    let made = |moves: bool| {
        let mut graph = FlatGraph::new("area", Axes::z_up(0.0254));
        graph.add_node(1, Outline::Polygon(&square(0.0, 0.0, 100.0)));
        for number in 0..10_000_u16 {
            // Another order along each axis after the move.
            let [by, side, high] = match moves {
                true => [71, 83, 97].map(|part| f32::from(number % part) / f32::from(part) * 0.003 - 0.0015),
                false => [0.0; 3],
            };
            let [y, z] = [number % 100, number / 100].map(f32::from);
            let at = match (moves, number) {
                (true, 7) => Point::new(50.0, y + 0.5, z),
                // Nothing is near infinity, and nothing but itself near what is no number.
                (true, 8) => Point::new(f32::INFINITY, y, z),
                (_, 9) => Point::new(50.0 + by, f32::NAN, z),
                (true, 10) => Point::new(f32::NAN, y, z),
                _ => Point::new(50.0 + by, y + side, z + high),
            };
            graph.add_mark(Mark { kind: MarkKind::HidingSpot, node: None, shape: MarkShape::Point(at) });
        }
        graph
    };
    let (before, after) = (made(false), made(true));
    let mut diff = Diff::between(&before, &after);
    assert_eq!(diff.ignore_noise(&before, &after), 9_997);
    let [change] = &diff.marks[..] else { panic!("{:?}", diff.marks.len()) };
    assert_eq!(change.removed, [7.0, 8.0, 10.0].map(|y| Point::new(50.0, y, 0.0)));
    assert_eq!(change.added.len(), 3);
}

#[test]
fn nodes_are_paired_and_cut_however_many_others_lie_in_them() {
    let made = |parts: &[[Point; 4]], first: u64| {
        let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
        for (id, corners) in (first..).zip(parts) {
            graph.add_node(id, Outline::Polygon(corners));
        }
        for at in 0..1_600u16 {
            let [x, y] = [at % 40, at / 40].map(|v| f32::from(v) * 2.5);
            graph.add_node(u64::from(at) + 10, Outline::Polygon(&square(x, y, 2.0)));
        }
        graph
    };
    let half = |x: f32| [[x, 0.0], [x + 50.0, 0.0], [x + 50.0, 100.0], [x, 100.0]];
    let halves = [0.0, 50.0].map(|x| half(x).map(|[x, y]| Point::new(x, y, 0.0)));
    let whole = made(&[square(0.0, 0.0, 100.0)], 1);
    let (other, cut) = (made(&[square(0.0, 0.0, 99.0)], 9_001), made(&halves, 9_001));
    for (before, after) in [(&whole, &other), (&other, &whole)] {
        let diff = Diff::between(before, after);
        assert!(diff.removed.is_empty() && diff.added.is_empty() && diff.pairs.len() == 1_601, "{diff:?}");
        assert!(matches!(diff.changed[..], [ref one] if matches!(one.shape, Some(Shaped::Reshaped { .. }))));
    }
    let (split, merged) = (Diff::between(&whole, &cut), Diff::between(&cut, &whole));
    for (diff, cuts) in [(&split, &split.split), (&merged, &merged.merged)] {
        assert!(matches!(&cuts[..], [one] if one.whole == 0 && one.parts == [0, 1]), "{diff:?}");
        assert!(diff.removed.is_empty() && diff.added.is_empty() && diff.changed.is_empty(), "{diff:?}");
    }
}

#[test]
fn a_waypoint_whose_zero_has_another_sign_has_no_other_radius() {
    let made = |x: f32, radius: f32| {
        let mut graph = FlatGraph::new("node", Axes::z_up(1.0));
        graph.add_node(1, Outline::Point { at: Point::new(x, 0.0, 0.0), radius: Some(radius) });
        graph
    };
    let shape = |after: &FlatGraph| Diff::between(&made(0.0, 5.0), after).changed[0].shape;
    assert_eq!(shape(&made(-0.0, 5.0)), Some(Shaped::Moved([0.0; 3])));
    assert_eq!(shape(&made(-0.0, 6.0)), Some(Shaped::Radius([Some(5.0), Some(6.0)])));
}

/// Where ids are numbers in the file, those behind a node that was removed are the ids of neighbours.
#[test]
fn of_several_waypoints_in_one_place_those_with_the_same_flags_are_paired() {
    // Every tenth waypoint lies where the one before it lies, and differs by its flags.
    let made = |without: Option<u32>, ids_stay: bool| {
        let mut graph = FlatGraph::new("node", Axes::z_up(1.0));
        for number in (0..100).filter(|number| Some(*number) != without) {
            let id = if ids_stay { number } else { graph.nodes().len() as u32 };
            let place = (number - u32::from(number % 10 == 9)) as f32;
            let at = Point::new(place * 100.0, 0.0, 0.0);
            graph.add_node(id.into(), Outline::Point { at, radius: None });
            graph.nodes_mut().last_mut().unwrap().flags = (number % 10 == 9).into();
        }
        graph
    };
    for ids_stay in [true, false] {
        for gone in [3, 18, 29, 48, 75, 90, 98] {
            let diff = Diff::between(&made(None, ids_stay), &made(Some(gone), ids_stay));
            assert_eq!(
                (&diff.removed[..], diff.added.len(), diff.changed.len()),
                (&[gone][..], 0, 0),
                "{gone}"
            );
            let back = Diff::between(&made(Some(gone), ids_stay), &made(None, ids_stay));
            assert_eq!(
                (&back.added[..], back.removed.len(), back.changed.len()),
                (&[gone][..], 0, 0),
                "{gone}"
            );
        }
    }
}

#[test]
fn of_several_waypoints_in_one_place_with_the_same_flags_those_with_one_id_are_paired() {
    let made = |ids: [u64; 6]| {
        let mut graph = FlatGraph::new("node", Axes::z_up(1.0));
        for (id, place) in ids.into_iter().zip([0.0, 1.0, 1.0, 1.0, 2.0, 3.0]) {
            let at = Point::new(place * 100.0, 0.0, 0.0);
            graph.add_node(id, Outline::Point { at, radius: None });
        }
        graph
    };
    let diff = Diff::between(&made([1, 2, 3, 4, 5, 6]), &made([1, 4, 2, 3, 5, 6]));
    assert_eq!(diff.pairs, [(0, 0), (1, 2), (2, 3), (3, 1), (4, 4), (5, 5)]);
    assert_eq!(diff.renumbered, 0);
}

#[test]
fn other_ids_in_another_order_are_the_same_mesh() {
    let diff = told(|mesh| {
        let ids: Vec<u32> = mesh.areas.iter().map(|area| area.id).collect();
        let new = |old: u32| ids.iter().position(|&id| id == old).map_or(old, |at| at as u32 + 5000);
        for area in &mut mesh.areas {
            area.id = new(area.id);
            area.connections.iter_mut().flatten().for_each(|id| *id = new(*id));
        }
        for ladder in &mut mesh.ladders {
            for id in &mut ladder.areas {
                *id = new(*id);
            }
        }
        mesh.areas.reverse();
    });
    assert!(diff.is_same() && !diff.is_identical(), "{diff:?}");
    assert_eq!((diff.method, diff.renumbered), (Method::Geometry, diff.nodes[0]));
}

#[test]
fn what_moved_is_told_with_its_way() {
    let diff = told(|mesh| {
        let area = &mut mesh.areas[20];
        (area.nw[2], area.se[2], area.ne_z, area.sw_z) =
            (area.nw[2] + 8.0, area.se[2] + 8.0, area.ne_z + 8.0, area.sw_z + 8.0);
    });
    let [change] = &diff.changed[..] else { panic!("{diff:?}") };
    assert_eq!((change.before, change.after), (20, 20));
    let Some(Shaped::Moved([x, y, z])) = change.shape else { panic!("{change:?}") };
    assert!(x == 0.0 && y == 0.0 && (z - 8.0).abs() < 1e-4, "{z}");
    let diff = told(|mesh| mesh.areas[20].ne_z += 3.0);
    let Some(Shaped::Reshaped { by: Some(by), .. }) = diff.changed[0].shape else { panic!("{diff:?}") };
    assert!((by - 3.0).abs() < 1e-4);
}

#[test]
fn a_node_that_went_takes_its_links_along() {
    let mut links = 0;
    let diff = told(|mesh| {
        let gone = mesh.areas.remove(33);
        links += gone.connections.iter().flatten().count() as u32;
        for area in &mut mesh.areas {
            for side in &mut area.connections {
                let many = side.len();
                side.retain(|&id| id != gone.id);
                links += (many - side.len()) as u32;
            }
        }
    });
    assert_eq!((&diff.removed[..], &diff.added[..]), (&[33][..], &[][..]));
    assert_eq!((diff.links.gone_with_nodes, diff.links.changed.len()), (links, 0));
}

#[test]
fn flags_and_places_are_told_by_name() {
    let diff = told(|mesh| {
        mesh.areas[3].attributes ^= 1 | 2;
        mesh.areas[4].place = if mesh.areas[4].place == 1 { 2 } else { 1 };
    });
    let [flags, place] = &diff.changed[..] else { panic!("{diff:?}") };
    assert_eq!((flags.set | flags.cleared, flags.set & flags.cleared), (3, 0));
    let Some(NameChange { after: Some(after), .. }) = &place.place else { panic!("{place:?}") };
    assert!(["BombsiteA", "Middle"].contains(&after.as_str()));
}

#[test]
fn a_link_that_came_is_told_once() {
    let mut ends = (0, 0);
    let diff = told(|mesh| {
        let [first, last] = [0, mesh.areas.len() - 1];
        ends = (first as u32, last as u32);
        let id = mesh.areas[last].id;
        mesh.areas[first].connections[2].push(id);
    });
    let [link] = &diff.links.changed[..] else { panic!("{diff:?}") };
    assert_eq!((link.from, link.to, link.before), (ends.0, Some(ends.1), None));
    assert!(link.after.is_some_and(|(kind, _)| kind != LinkKind::Ladder));
}

#[test]
fn an_area_cut_in_two_was_split_and_two_made_one_were_merged() {
    let diff = told(|mesh| {
        let middle = f32::midpoint(mesh.areas[40].nw[0], mesh.areas[40].se[0]);
        let mut half = mesh.areas[40].clone();
        half.id = 90_000;
        half.nw[0] = middle;
        let area = &mut mesh.areas[40];
        area.se[0] = middle;
        mesh.areas.push(half);
    });
    let [parts] = &diff.split[..] else { panic!("{diff:?}") };
    assert_eq!((parts.whole, &parts.parts[..]), (40, &[40, diff.nodes[1] - 1][..]));
    assert!(diff.removed.is_empty() && diff.added.is_empty());
}

#[test]
fn a_hiding_spot_is_told_by_kind_and_place() {
    let diff = told(|mesh| {
        let area = &mut mesh.areas[7];
        let position = [area.nw[0] + 25.0, area.nw[1] + 25.0, area.nw[2]];
        area.spots.push(navmap_testkit::source::Spot { id: 1, position, flags: 1 });
    });
    let [mark] = &diff.marks[..] else { panic!("{diff:?}") };
    assert_eq!((mark.kind, mark.removed.len(), mark.added.len()), (MarkKind::HidingSpot, 0, 1));
}

#[test]
fn hiding_spots_have_moved_if_as_many_came_to_an_area_as_left_their_places() {
    let with = |spots: [&[f32]; 3]| {
        let mut mesh = town();
        for (area, places) in mesh.areas.iter_mut().skip(7).zip(spots) {
            for (id, along) in (1..).zip(places) {
                let position = [area.nw[0] + along, area.nw[1] + 25.0, area.nw[2]];
                area.spots.push(navmap_testkit::source::Spot { id, position, flags: 1 });
            }
        }
        flat(&write(&mesh))
    };
    // Two of three move in one area, in either order of the file; in the next one more goes than comes, and in the last one moves.
    let before = with([&[5.0, 20.0, 40.0], &[10.0, 30.0], &[15.0]]);
    let after = with([&[50.0, 25.0, 5.0], &[20.0], &[30.0]]);
    let told = |a: &FlatGraph, b: &FlatGraph| {
        let diff = Diff::between(a, b);
        let [mark] = &diff.marks[..] else { panic!("{diff:?}") };
        let along = |[was, is]: &[Point; 2]| (is.x - was.x).round();
        (mark.removed.len(), mark.added.len(), mark.moved.iter().map(along).collect::<Vec<_>>())
    };
    assert_eq!(told(&before, &after), (2, 1, vec![5.0, 10.0, 15.0]));
    assert_eq!(told(&after, &before), (1, 2, vec![-5.0, -10.0, -15.0]));
}

#[test]
fn hiding_spots_that_other_areas_list_in_their_places_are_the_same() {
    let with = |areas: [usize; 2]| {
        let mut mesh = town();
        // The one of the later area lies before the other.
        let places = [8, 7].map(|area: usize| mesh.areas[area].nw);
        for (area, [x, y, z]) in areas.into_iter().zip(places) {
            let position = [x + 25.0, y + 25.0, z];
            mesh.areas[area].spots.push(navmap_testkit::source::Spot { id: 1, position, flags: 1 });
        }
        flat(&write(&mesh))
    };
    let [before, after] = [[7, 8], [8, 7]].map(with);
    for (a, b) in [(&before, &after), (&after, &before)] {
        let diff = Diff::between(a, b);
        assert!(diff.marks.is_empty(), "{:?}", diff.marks);
    }
}

#[test]
fn what_can_no_longer_be_reached_is_told() {
    let diff = told(|mesh| {
        let id = mesh.areas[0].id;
        mesh.areas[0].connections = Default::default();
        mesh.areas.iter_mut().for_each(|area| {
            area.connections.iter_mut().for_each(|side| side.retain(|&to| to != id));
        });
    });
    assert_eq!(diff.main_part.lost, [0]);
    assert!(diff.main_part.islands[1] > diff.main_part.islands[0]);
}

/// Seven squares in a row, in places of which the last ones are named, and a way round over an eighth one far away.
fn row(cut: bool, round: bool) -> FlatGraph {
    let mut graph = FlatGraph::new("area", Axes::z_up(1.0));
    let square = |x: f32, y: f32| {
        [[x, y], [x + 100.0, y], [x + 100.0, y + 100.0], [x, y + 100.0]].map(|[x, y]| Point::new(x, y, 0.0))
    };
    for (place, name) in [(1, "Start"), (2, "Middle"), (3, "End")] {
        graph.name_place(place, name.to_owned());
    }
    for node in 0..8 {
        let (x, y) = if node == 7 { (300.0, 900.0) } else { (node as f32 * 100.0, 0.0) };
        let at = graph.add_node(node + 1, Outline::Polygon(&square(x, y)));
        graph.nodes_mut()[at as usize].place =
            [Some(1), Some(1), None, Some(2), None, Some(3), Some(3), None][at as usize];
    }
    for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)] {
        if !(cut && a == 4) {
            graph.add_link(Link::new(a, b, LinkKind::Walk));
        }
        graph.add_link(Link::new(b, a, LinkKind::Walk));
    }
    if round {
        graph.add_link(Link::new(4, 7, LinkKind::Walk));
        graph.add_link(Link::new(7, 5, LinkKind::Walk));
    }
    graph
}

#[test]
fn ways_between_places_that_are_gone_new_or_of_another_length_are_told() {
    let told = |before: &FlatGraph, after: &FlatGraph| {
        let places = Places::measure(&Diff::between(before, after), before, after);
        assert_eq!(places.left_out, 0);
        assert_eq!(places.is_empty(), places.ends.len() + places.lengths.len() == 0);
        let way = |way: &PlaceChange| {
            let length =
                |length: Option<f64>| length.map_or("none".to_owned(), |length| format!("{length:.0}"));
            format!("{} to {}: {} → {}", way.from, way.to, length(way.before), length(way.after))
        };
        let [ends, lengths] =
            [&places.ends, &places.lengths].map(|ways| ways.iter().map(way).collect::<Vec<_>>());
        (ends, lengths)
    };
    let (whole, cut, round) = (row(false, false), row(true, false), row(true, true));
    let none = Vec::<String>::new();
    assert_eq!(told(&whole, &whole), (none.clone(), none.clone()));
    assert_eq!(
        told(&whole, &cut),
        (vec!["Middle to End: 200 → none".to_owned(), "Start to End: 500 → none".to_owned()], none.clone())
    );
    assert_eq!(told(&cut, &whole).0, ["Middle to End: none → 200", "Start to End: none → 500"]);
    // 100 to the fifth square, then 906 and 922 over the one far away.
    assert_eq!(
        told(&whole, &round),
        (none, vec!["Middle to End: 200 → 1927".to_owned(), "Start to End: 500 → 2227".to_owned()])
    );
}
