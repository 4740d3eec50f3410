//! The worked examples of hiding spots and of the ways through an area.

use super::analyzed;
use crate::edit::{E, Linked, N, S, W, after, area, flat, mesh, square};
use navmap::format::source::analyze::Phase;
use navmap_testkit::source::{Area, Mesh, Spot};

/// Positions of the spots of an area, by its position in the mesh.
fn spots(mesh: &Mesh, at: usize) -> Vec<[f32; 3]> {
    let (mesh, _) = analyzed(mesh, &[Phase::Hiding], None);
    mesh.areas[at].spots.iter().map(|spot| spot.position).collect()
}

fn flat_spots(mesh: &Mesh, at: usize) -> Vec<[f32; 2]> {
    spots(mesh, at).into_iter().map(|[x, y, _]| [x, y]).collect()
}

/// The same mesh as GoldSrc stores it.
fn gold(mesh: Mesh) -> Mesh {
    Mesh { version: 5, subversion: None, ..mesh }
}

const NW: [f32; 2] = [12.5, 12.5];
const NE: [f32; 2] = [87.5, 12.5];
const SE: [f32; 2] = [87.5, 87.5];
const SW: [f32; 2] = [12.5, 87.5];

#[test]
fn an_area_alone_hides_in_all_four_corners_in_the_order_of_its_game() {
    let lonely = mesh([square(1)]);
    let (after, _) = analyzed(&lonely, &[Phase::Hiding], None);
    let ids: Vec<u32> = after.areas[0].spots.iter().map(|spot| spot.id).collect();
    assert_eq!(ids, [0, 1, 2, 3]);
    assert_eq!(flat_spots(&lonely, 0), [NW, NE, SE, SW]);
    assert_eq!(flat_spots(&gold(lonely.clone()), 0), [NW, NE, SW, SE]);
    let css = Mesh { version: 9, subversion: None, ..lonely };
    assert_eq!(flat_spots(&css, 0), [NW, NE, SE, SW]);
}

#[test]
fn a_spot_has_the_height_of_its_corner_and_not_of_the_surface() {
    let slope = mesh([area(1, [0.0, 100.0], [0.0, 100.0], [0.0, 10.0, 30.0, 20.0])]);
    let heights: Vec<f32> = spots(&slope, 0).iter().map(|[.., z]| *z).collect();
    assert_eq!(heights, [0.0, 10.0, 30.0, 20.0]);
}

#[test]
fn spots_of_an_area_keep_30_units_apart_in_space() {
    let small = flat(1, [0.0, 40.0], [0.0, 40.0]);
    assert_eq!(spots(&mesh([small]), 0), [[12.5, 12.5, 0.0]]);
    let steep = area(1, [0.0, 40.0], [0.0, 40.0], [0.0, 60.0, 60.0, 0.0]);
    assert_eq!(spots(&mesh([steep]), 0), [[12.5, 12.5, 0.0], [27.5, 12.5, 60.0]]);
}

#[test]
fn source_moves_a_spot_into_a_small_area_and_goldsrc_does_not() {
    let narrow = mesh([flat(1, [0.0, 100.0], [0.0, 10.0])]);
    assert_eq!(flat_spots(&narrow, 0), [[12.5, 5.0], [87.5, 5.0]]);
    assert_eq!(flat_spots(&gold(narrow), 0), [[12.5, 12.5], [87.5, 12.5]]);
    let tiny = mesh([flat(1, [0.0, 10.0], [0.0, 10.0])]);
    assert_eq!(flat_spots(&tiny, 0), [[5.0, 5.0]]);
    assert_eq!(flat_spots(&gold(tiny), 0), [[12.5, 12.5]]);
}

fn beside(depth: f32) -> Mesh {
    mesh([square(1), flat(2, [100.0, 200.0], [0.0, depth])])
}

#[test]
fn a_neighbour_covers_the_corners_that_it_reaches_within_20_units() {
    let whole = beside(100.0).both(1, E, 2);
    assert_eq!(flat_spots(&whole, 0), [NW, SW]);
    assert_eq!(flat_spots(&whole, 1), [[187.5, 12.5], [187.5, 87.5]]);
    let shorter = beside(80.0).both(1, E, 2);
    assert_eq!(flat_spots(&shorter, 0), [NW, SE, SW]);
    assert_eq!(flat_spots(&shorter, 1), [[187.5, 12.5], [187.5, 67.5]]);
    let nearly = beside(81.0).both(1, E, 2);
    assert_eq!(flat_spots(&nearly, 0), [NW, SW]);
    assert_eq!(flat_spots(&nearly, 1), [[187.5, 12.5], [187.5, 68.5]]);
}

#[test]
fn only_a_link_that_comes_back_over_the_very_opposite_side_covers() {
    for links in [beside(100.0).link(1, E, 2), beside(100.0).link(1, E, 2).link(2, N, 1)] {
        assert_eq!((spots(&links, 0).len(), spots(&links, 1).len()), (4, 4));
    }
    // Two neighbours with a gap between them leave both ends covered.
    let gap = mesh([square(1), flat(2, [100.0, 200.0], [0.0, 10.0]), flat(3, [100.0, 200.0], [90.0, 100.0])]);
    assert_eq!(flat_spots(&gap.both(1, E, 2).both(1, E, 3), 0), [NW, SW]);
}

#[test]
fn nobody_hides_where_one_jumps_and_in_source_where_it_is_forbidden() {
    let with = |attributes| mesh([Area { attributes, ..square(1) }]);
    assert_eq!(spots(&with(2), 0).len(), 0);
    assert_eq!(spots(&with(0x200), 0).len(), 0);
    assert_eq!(spots(&Mesh { version: 9, subversion: None, ..with(0x200) }, 0).len(), 0);
    let mut jump = beside(100.0).both(1, E, 2);
    jump.areas[1].attributes = 2;
    assert_eq!((spots(&jump, 0).len(), spots(&jump, 1).len()), (4, 0));
    // Up to version 4, a neighbour that one jumps in covers corners like any other.
    for (version, count) in [(3, 2), (4, 2), (5, 4), (9, 4)] {
        let jump = Mesh { version, subversion: None, ..jump.clone() };
        assert_eq!((spots(&jump, 0).len(), spots(&jump, 1).len()), (count, 0), "version {version}");
    }
}

#[test]
fn flags_follow_a_spot_over_a_unit_and_new_spots_are_open() {
    let spot = |id, x, flags| Spot { id, position: [x, 12.5, 0.0], flags };
    let mut old = mesh([square(1)]);
    old.areas[0].spots = vec![spot(70, 13.4, 0x17), spot(71, 86.4, 1)];
    let (after, report) = analyzed(&old, &[Phase::Hiding], None);
    let flags: Vec<u8> = after.areas[0].spots.iter().map(|spot| spot.flags).collect();
    assert_eq!(flags, [7, 8, 8, 8], "the upper four bits are dropped, 1.1 units are too far");
    assert!(report.missing[0].starts_with("3 of 4 hiding spots lie where there was none"), "{report}");
    assert_eq!(report.analyzed, Some((true, false)));
    let (after, _) = analyzed(&gold(old), &[Phase::Hiding], None);
    assert_eq!(after.areas[0].spots.iter().map(|spot| spot.flags).collect::<Vec<_>>(), [7, 0, 0, 0]);
}

/// Area 1 with a connection north to 7, east to 8 and 9, and west to 7 again.
fn crossing() -> Mesh {
    let others = [7, 8, 9].map(|id| flat(id, [200.0, 300.0], [100.0 * id as f32, 100.0 * id as f32 + 100.0]));
    let all = std::iter::once(square(1)).chain(others);
    mesh(all).link(1, N, 7).link(1, E, 8).link(1, E, 9).link(1, W, 7)
}

#[test]
fn every_connection_leads_to_every_other_one() {
    let (after, report) = analyzed(&crossing(), &[Phase::Encounters], None);
    let paths: Vec<_> = after.areas[0].paths.iter().map(|p| (p.from, p.from_side, p.to, p.to_side)).collect();
    let (a, b, c, d) = ((7, N as u8), (8, E as u8), (9, E as u8), (7, W as u8));
    let pairs =
        [(a, b), (a, c), (a, d), (b, a), (b, c), (b, d), (c, a), (c, b), (c, d), (d, a), (d, b), (d, c)];
    assert_eq!(paths, pairs.map(|((from, from_side), (to, to_side))| (from, from_side, to, to_side)));
    assert!(report.missing.iter().any(|line| line.starts_with("12 encounter paths are new")), "{report}");
    let five = crossing().link(1, S, 9);
    let (after, _) = analyzed(&five, &[Phase::Encounters], None);
    assert_eq!(after.areas[0].paths.len(), 20);
    // What leads nowhere is no connection.
    let (after, _) = analyzed(&crossing().link(1, S, 4711), &[Phase::Encounters], None);
    assert_eq!(after.areas[0].paths.len(), 12);
}

#[test]
fn a_path_that_is_still_there_keeps_the_spots_that_are_still_in_cover() {
    use navmap_testkit::source::Path;
    let mut old = crossing();
    old.areas[0].spots = vec![
        Spot { id: 40, position: [12.5, 12.5, 0.0], flags: 1 },
        Spot { id: 41, position: [87.5, 12.5, 0.0], flags: 8 },
        Spot { id: 42, position: [50.0, 50.0, 0.0], flags: 1 },
    ];
    let kept = vec![(40, 10), (41, 20), (42, 30)];
    old.areas[0].paths = vec![
        Path { from: 9, from_side: 1, to: 7, to_side: 0, spots: kept.clone(), ..Path::default() },
        Path { from: 9, from_side: 2, to: 7, to_side: 0, spots: kept, ..Path::default() },
    ];
    let (after, report) = analyzed(&old, &[Phase::Hiding, Phase::Encounters], None);
    let path =
        after.areas[0].paths.iter().find(|path| (path.from, path.to, path.to_side) == (9, 7, 0)).unwrap();
    assert_eq!(path.spots, [(0, 10)]);
    assert!(
        report.missing.iter().any(|line| line.starts_with("5 spots of encounter paths are gone")),
        "{report}"
    );
}

#[test]
fn nav_analyze_in_a_script_does_the_same_in_both_modes() {
    for exact in [false, true] {
        let lonely =
            mesh([square(1), flat(2, [500.0, 540.0], [0.0, 40.0]), flat(3, [900.0, 910.0], [0.0, 10.0])]);
        let done = after(&lonely, exact, "nav_analyze --full");
        let places = |at: usize| -> Vec<[f32; 2]> {
            done.areas[at].spots.iter().map(|spot| [spot.position[0], spot.position[1]]).collect()
        };
        assert_eq!(places(0), [NW, NE, SE, SW]);
        assert_eq!(places(1), [[512.5, 12.5]]);
        assert_eq!(places(2), [[905.0, 5.0]]);
        let sides = |depth| after(&beside(depth).both(1, E, 2), exact, "nav_analyze").areas[0].spots.len();
        assert_eq!((sides(79.0), sides(81.0)), (3, 2));
        let five = crossing().link(1, S, 9);
        assert_eq!(after(&five, exact, "nav_analyze --full").areas[0].paths.len(), 20);
        assert_eq!(after(&five, exact, "nav_analyze").areas[0].paths.len(), 0, "quickly, as in the game");
    }
}
