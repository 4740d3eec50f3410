//! Merge, splice, corners, shift, chopping: vectors 13 to 24, 37 to 42, 50 to 52.

use super::*;

fn merge(keep: Area, gone: Area, exact: bool) -> Spread {
    let (k, g) = (keep.id, gone.id);
    let out = after(&mesh([keep, gone]), exact, &format!("nav_merge #{g} #{k}"));
    assert_eq!(ids(&out), [k]);
    spread(by_id(&out, k))
}

#[test]
fn v13_and_v14_a_misfit_below_one_loses_nothing() {
    let whole = ([0.0, 100.0], [0.0, 200.0], [0.0; 4]);
    let short = |id, y: [f32; 2]| flat(id, [0.9, 100.0], y);
    for exact in [GAME, NAVMAP] {
        assert_eq!(merge(square(1), short(2, [100.0, 200.0]), exact), whole);
    }
    let keep = || short(1, [0.0, 100.0]);
    let gone = || flat(2, [0.0, 100.0], [100.0, 200.0]);
    assert_eq!(merge(keep(), gone(), GAME), ([0.0, 100.0], [100.0, 200.0], [0.0; 4]));
    assert_eq!(merge(keep(), gone(), NAVMAP), whole);
}

#[test]
fn v15_a_misfit_of_one_is_refused_with_its_size() {
    for misfit in [1.1, 1.0] {
        let level = mesh([square(1), flat(2, [misfit, 100.0], [100.0, 200.0])]);
        let why = refused(&level, NAVMAP, "nav_merge #2 #1");
        assert!(why.contains(&format!("differ by {misfit} in x and 100 in y")), "{why}");
        assert_eq!(after(&level, GAME, "nav_merge #2 #1").areas.len(), 2);
    }
}

#[test]
fn v16_heights_come_from_whose_edge_it_is() {
    for exact in [GAME, NAVMAP] {
        let gone = area(2, [100.0, 200.0], [0.0, 100.0], [0.0, 10.0, 20.0, 0.0]);
        assert_eq!(merge(square(1), gone, exact), ([0.0, 200.0], [0.0, 100.0], [0.0, 10.0, 20.0, 0.0]));
    }
}

#[test]
fn v17_a_gap_is_bridged_and_said() {
    let level = mesh([flat(1, [0.0, 100.0], [0.0, 50.0]), flat(2, [0.0, 100.0], [80.0, 120.0])]);
    for exact in [GAME, NAVMAP] {
        let out = after(&level, exact, "nav_merge #2 #1");
        assert_eq!(spread(&out.areas[0]), ([0.0, 100.0], [0.0, 120.0], [0.0; 4]));
    }
    assert!(said(&level, NAVMAP, "nav_merge #2 #1").contains("a gap of 30 units in y is bridged"));
}

#[test]
fn v18_who_listed_both_lists_one_once() {
    let t = flat(3, [-100.0, 0.0], [0.0, 200.0]);
    let level =
        mesh([square(1), flat(2, [0.0, 100.0], [100.0, 200.0]), t]).link(3, E, 1).link(3, E, 2).link(3, N, 2);
    for exact in [GAME, NAVMAP] {
        let out = after(&level, exact, "nav_merge #2 #1");
        assert_eq!(by_id(&out, 3).connections, [vec![1], vec![], vec![], vec![]]);
    }
}

#[test]
fn v19_the_kept_area_has_its_own_place_unless_it_has_none() {
    for (own, expected) in [(0, "Y\0"), (1, "X\0")] {
        let mut level = mesh([square(1), flat(2, [0.0, 100.0], [100.0, 200.0])]);
        level.places = vec![b"X\0".to_vec(), b"Y\0".to_vec()];
        (level.areas[0].place, level.areas[1].place) = (own, 2);
        for exact in [GAME, NAVMAP] {
            let out = after(&level, exact, "nav_merge #2 #1");
            assert_eq!((out.areas[0].place, out.places.clone()), (1, vec![expected.as_bytes().to_vec()]));
        }
    }
}

#[test]
fn v20_an_area_is_not_merged_with_itself() {
    let level = mesh([square(1)]);
    assert!(refused(&level, NAVMAP, "nav_merge #1 #1").contains("cannot be merged with itself"));
    assert_eq!(after(&level, GAME, "nav_merge #1 #1").analyzed, 0, "the game strips all the same");
}

#[test]
fn v21_a_splice_slopes_from_one_to_the_other() {
    let this = area(2, [200.0, 300.0], [20.0, 120.0], [64.0; 4]);
    for exact in [GAME, NAVMAP] {
        let out = after(&mesh([square(1), this.clone()]), exact, "nav_splice #1 #2");
        assert_eq!(spread(by_id(&out, 3)), ([100.0, 200.0], [20.0, 100.0], [0.0, 64.0, 64.0, 0.0]));
        assert_eq!((&by_id(&out, 2).connections[W], &by_id(&out, 1).connections[E]), (&vec![3], &vec![3]));
        assert_eq!(by_id(&out, 3).connections, [vec![], vec![2], vec![], vec![1]]);
    }
}

#[test]
fn v22_to_v24_a_splice_needs_a_gap_and_an_overlap() {
    let touching = mesh([square(1), flat(2, [100.0, 200.0], [50.0, 150.0])]);
    for exact in [GAME, NAVMAP] {
        assert!(refused(&touching, exact, "nav_splice #1 #2").contains("no gap between #2 and #1"));
    }
    let corner = mesh([square(1), flat(2, [100.0, 200.0], [150.0, 250.0])]);
    assert_eq!(
        spread(by_id(&after(&corner, GAME, "nav_splice #1 #2"), 3)),
        ([100.0; 2], [100.0, 150.0], [0.0; 4])
    );
    assert!(refused(&corner, NAVMAP, "nav_splice #1 #2").ends_with("#2 and #1 miss by 0 in x"));
    let apart = mesh([square(1), flat(2, [200.0, 300.0], [150.0, 250.0])]);
    assert_eq!(spread(by_id(&after(&apart, GAME, "nav_splice #1 #2"), 3)).1, [150.0, 100.0]);
    assert!(refused(&apart, NAVMAP, "nav_splice #1 #2").ends_with("#2 and #1 miss by 50 in y"));
}

/// Its north-west corner at 10.4, and the south-west corner of a neighbour `far` away from it at 10.0.
fn stepped(far: f32) -> Mesh {
    let one = area(1, [0.0, 100.0], [0.0, 100.0], [10.4, 0.0, 0.0, 0.0]);
    mesh([one, area(2, [0.0, 100.0], [-100.0, -far], [0.0, 0.0, 0.0, 10.4])])
}

#[test]
fn v37_corners_nearby_move_to_the_same_height() {
    let mut level = stepped(0.0);
    level.areas[1].sw_z = 10.0;
    let moved = |exact| {
        let out = after(&level, exact, "nav_mark 1; nav_corner_select NW; nav_corner_raise 1");
        (by_id(&out, 1).nw[2], by_id(&out, 2).sw_z)
    };
    assert_eq!(moved(GAME), (11.4, 11.0));
    assert_eq!(moved(NAVMAP), (11.4, 11.4));
}

#[test]
fn v38_corners_at_the_limit_stay() {
    for (far, moves) in [(18.0, false), (17.99, true)] {
        for exact in [GAME, NAVMAP] {
            let out = after(&stepped(far), exact, "nav_mark 1; nav_corner_select NW; nav_corner_raise 2");
            assert_eq!(by_id(&out, 2).sw_z != 10.4, moves, "{far}");
        }
    }
}

#[test]
fn v39_a_set_is_raised_without_its_neighbours() {
    let level = mesh((0..4).map(|i| flat(i + 1, [i as f32 * 100.0, i as f32 * 100.0 + 100.0], [0.0, 100.0])));
    for exact in [GAME, NAVMAP] {
        let out = after(&level, exact, "select ids(1-3); nav_corner_raise 2");
        let heights: Vec<_> = out.areas.iter().map(|area| spread(area).2).collect();
        assert_eq!(heights, [[2.0; 4], [2.0; 4], [2.0; 4], [0.0; 4]]);
    }
}

#[test]
fn v40_a_corner_comes_down_to_the_ground() {
    let level = mesh([area(1, [0.0, 100.0], [0.0, 100.0], [10.75, 0.0, 0.0, 0.0])]);
    let down = |exact| {
        let script = "nav_mark 1; nav_corner_select NW; nav_corner_place_on_ground --z 8";
        after(&level, exact, script).areas[0].nw[2]
    };
    assert_eq!((down(GAME), down(NAVMAP)), (8.75, 8.0));
    assert!(
        refused(&level, NAVMAP, "nav_corner_place_on_ground #1")
            .contains("needs the map, which the mesh does not hold (--bsp MAP)")
    );
}

#[test]
fn v41_a_shift_moves_all_corners_and_a_ladder_once() {
    let mut level = mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]);
    level.ladders.push(ladder(5, [100.0, 0.0, 128.0], [100.0, 0.0, 0.0], 2));
    level.areas.iter_mut().for_each(|area| area.ladders_up.push(5));
    for (exact, expected) in [(GAME, [64.0, 0.0, 64.0, 0.0]), (NAVMAP, [64.0; 4])] {
        let out = after(&level, exact, "nav_shift 0 0 64 all");
        assert_eq!(spread(&out.areas[1]).2, expected);
        assert_eq!((out.ladders[0].top[2], out.ladders[0].bottom[2]), (192.0, 64.0));
    }
}

#[test]
fn v42_the_game_shifts_by_whole_numbers() {
    let shifted = |exact| after(&mesh([square(1)]), exact, "nav_shift 12.9 #1").areas[0].nw[0];
    assert_eq!((shifted(GAME), shifted(NAVMAP)), (12.0, 12.9));
}

#[test]
fn v50_sniper_spots_leave_squares_alone() {
    for exact in [GAME, NAVMAP] {
        for (x, y, count) in [
            ([0.0, 100.0], [0.0, 60.0], 12),
            ([0.0, 50.0], [0.0, 50.0], 1),
            ([0.0, 100.0], [0.0, 50.0], 5),
            ([10.0, 110.0], [0.0, 25.0], 5),
        ] {
            let out = after(&mesh([flat(1, x, y)]), exact, "nav_make_sniper_spots #1");
            assert_eq!(out.areas.len(), count, "{x:?} {y:?}");
            assert!(out.areas.iter().all(|area| area.connections.iter().all(Vec::is_empty)));
        }
    }
    let cuts = after(&mesh([flat(1, [10.0, 110.0], [0.0, 25.0])]), NAVMAP, "nav_make_sniper_spots #1");
    let mut west: Vec<_> = cuts.areas.iter().map(|area| area.nw[0]).collect();
    west.sort_by(f32::total_cmp);
    assert_eq!(west, [10.0, 25.0, 50.0, 75.0, 100.0]);
}

#[test]
fn v51_a_selection_is_subdivided_once() {
    let level = || mesh([flat(1, [0.0, 200.0], [0.0, 200.0])]);
    let count = |exact, script| after(&level(), exact, script).areas.len();
    assert_eq!((count(GAME, "nav_subdivide 1 #1"), count(NAVMAP, "nav_subdivide 1 #1")), (4, 4));
    assert_eq!((count(GAME, "select #1; nav_subdivide"), count(NAVMAP, "select #1; nav_subdivide")), (22, 4));
    let narrow = after(&mesh([flat(1, [0.0, 40.0], [0.0, 100.0])]), NAVMAP, "nav_subdivide #1");
    assert_eq!(narrow.areas.iter().map(|area| area.se[0] - area.nw[0]).collect::<Vec<_>>(), [40.0, 40.0]);
}

#[test]
fn v52_chopping_ends_where_the_second_cut_is_refused() {
    for exact in [GAME, NAVMAP] {
        let out = after(&mesh([flat(1, [0.0, 60.0], [0.0, 26.0])]), exact, "nav_chop_selected #1");
        let sides: Vec<_> =
            out.areas.iter().map(|area| (area.se[0] - area.nw[0], area.se[1] - area.nw[1])).collect();
        assert_eq!(sides, [(25.0, 26.0), (35.0, 26.0)]);
    }
}

#[test]
fn what_cuts_nothing_leaves_everything_as_it_was() {
    let level = Mesh { analyzed: 1, ..mesh([square(1)]) };
    for command in ["nav_delete", "nav_chop_selected", "nav_subdivide", "nav_simplify_selected --mesh-only"] {
        let script = format!("{command} larger(9000)");
        assert!(said(&level, NAVMAP, &script).contains("0 areas"), "{script}");
        assert!(after(&level, NAVMAP, &script) == after(&level, NAVMAP, "status"), "{script}");
    }
    assert!(refused(&level, NAVMAP, "nav_delete").ends_with("nothing is named, selected or marked"));
}
