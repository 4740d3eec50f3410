//! Split: vectors 1 to 12.

use super::*;

fn sloped() -> Mesh {
    mesh([area(7, [0.0, 100.0], [0.0, 100.0], [0.0, 10.0, 30.0, 20.0])])
}

#[test]
fn v01_a_split_slopes_as_the_whole_did() {
    for exact in [GAME, NAVMAP] {
        let out = after(&sloped(), exact, "nav_split #7 y=50");
        assert_eq!(ids(&out), [8, 9]);
        assert_eq!(spread(by_id(&out, 8)), ([0.0, 100.0], [0.0, 50.0], [0.0, 10.0, 20.0, 10.0]));
        assert_eq!(spread(by_id(&out, 9)), ([0.0, 100.0], [50.0, 100.0], [10.0, 20.0, 30.0, 20.0]));
        assert_eq!((&by_id(&out, 8).connections[S], &by_id(&out, 9).connections[N]), (&vec![9], &vec![8]));
    }
}

#[test]
fn v02_a_cut_lies_more_than_one_inside() {
    for (at, done) in [("1.0", false), ("1.001", true), ("98.999", true), ("99.0", false)] {
        let result = open(&sloped(), NAVMAP).line(&format!("nav_split #7 y={at}"));
        assert_eq!(result.is_ok(), done, "{at}");
    }
    // The game cuts at whole numbers, if the grid is as fine as it can be.
    for (at, done) in [("1", false), ("2", true), ("98", true), ("99", false)] {
        let out = after(&sloped(), GAME, &format!("nav_snap_to_grid 3; nav_split #7 y={at}"));
        assert_eq!(out.areas.len() == sloped().areas.len() + 1, done, "{at}");
    }
    let why = refused(&sloped(), NAVMAP, "nav_split #7 y=1.0");
    assert_eq!(why, "1:1: nav_split: #7 spans y 0 to 100: a cut at 1 is 1 inside it, more than 1 is needed");
}

#[test]
fn v03_the_game_snaps_a_cut_to_its_grid() {
    let wide = mesh([flat(1, [-100.0, 100.0], [-100.0, 100.0])]);
    let cut =
        |at: &str, prefix: &str| after(&wide, GAME, &format!("{prefix}nav_split #1 x={at}")).areas[0].se[0];
    for at in [37.49, 37.5, -12.5, -12.49] {
        assert_eq!(after(&wide, NAVMAP, &format!("nav_split #1 x={at}")).areas[0].se[0], at);
    }
    for (prefix, expected) in [
        ("", [25.0, 50.0, -25.0, 0.0]),
        ("nav_snap_to_grid 2;", [35.0, 40.0, -15.0, -10.0]),
        ("nav_snap_to_grid 3;", [37.0, 38.0, -13.0, -12.0]),
    ] {
        assert_eq!(["37.49", "37.5", "-12.5", "-12.49"].map(|at| cut(at, prefix)), expected, "{prefix}");
    }
}

#[test]
fn v04_a_narrow_area_is_cut_where_it_is_told_but_not_by_the_game() {
    let narrow = mesh([flat(1, [0.0, 24.0], [0.0, 24.0])]);
    assert_eq!(after(&narrow, NAVMAP, "nav_split #1 x=12").areas.len(), 2);
    for at in ["1", "12", "13", "23"] {
        assert_eq!(after(&narrow, GAME, &format!("nav_split #1 x={at}")).areas.len(), 1);
    }
}

#[test]
fn v05_and_v06_neighbours_are_linked_with_the_halves_that_they_overlap() {
    for exact in [GAME, NAVMAP] {
        let wide = mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]).both(1, E, 2);
        let out = after(&wide, exact, "nav_split #1 y=50");
        assert_eq!(by_id(&out, 2).connections[W], [3, 4]);
        assert_eq!((&by_id(&out, 3).connections[E], &by_id(&out, 4).connections[E]), (&vec![2], &vec![2]));

        let half = mesh([square(1), flat(2, [100.0, 200.0], [50.0, 100.0])]).both(1, E, 2);
        let out = after(&half, exact, "nav_split #1 y=50");
        assert_eq!(by_id(&out, 2).connections[W], [4]);
        assert_eq!((by_id(&out, 3).connections[E].len(), &by_id(&out, 4).connections[E]), (0, &vec![2]));
    }
}

#[test]
fn v07_and_v08_one_way_links_into_the_whole_are_kept() {
    let one_way = mesh([square(1), flat(2, [0.0, 100.0], [-100.0, 0.0])]).link(2, S, 1);
    assert_eq!(by_id(&after(&one_way, GAME, "nav_split #1 y=50"), 2).connections[S], [0; 0]);
    assert_eq!(by_id(&after(&one_way, NAVMAP, "nav_split #1 y=50"), 2).connections[S], [3]);
    assert!(said(&one_way, NAVMAP, "nav_split #1 y=50").contains("the game would drop it"));

    let with_out =
        mesh([square(1), flat(2, [0.0, 50.0], [-100.0, 0.0]), flat(5, [50.0, 100.0], [-100.0, 0.0])])
            .link(2, S, 1)
            .link(1, N, 5);
    for exact in [GAME, NAVMAP] {
        let out = after(&with_out, exact, "nav_split #1 y=50");
        assert_eq!((&by_id(&out, 2).connections[S], &by_id(&out, 6).connections[N]), (&vec![6], &vec![5]));
    }
}

#[test]
fn v09_and_v10_ladders_go_to_the_nearer_half_and_up_is_decided_anew() {
    let mut level = mesh([area(1, [0.0, 100.0], [0.0, 100.0], [70.0; 4])]);
    // 10 from the edge of each half: a tie.
    level.ladders.push(ladder(5, [-10.0, 50.0, 128.0], [-10.0, 50.0, 0.0], 1));
    level.areas[0].ladders_up.push(5);
    level.ladders[0].areas[4] = 1;
    for exact in [GAME, NAVMAP] {
        let out = after(&level, exact, "nav_split #1 y=50");
        let (alpha, beta) = (by_id(&out, 2), by_id(&out, 3));
        assert_eq!((alpha.ladders_up.len(), alpha.ladders_down.len()), (0, 0));
        assert_eq!(
            (beta.ladders_up.len(), &beta.ladders_down),
            (0, &vec![5]),
            "its centre is above the middle, 64"
        );
        assert_eq!(out.ladders[0].areas, [0, 0, 0, 0, 3]);
    }
}

#[test]
fn v11_halves_have_the_place_of_the_whole() {
    let mut level = mesh([square(1), flat(2, [200.0, 300.0], [0.0, 100.0])]);
    level.places = vec![b"X\0".to_vec(), b"Y\0".to_vec()];
    (level.areas[0].place, level.areas[1].place) = (2, 1);
    let name = |exact| {
        let out = after(&level, exact, "nav_use_place X; nav_split #1 y=50");
        String::from_utf8(out.places[by_id(&out, 3).place as usize - 1].clone()).unwrap()
    };
    assert_eq!((name(GAME), name(NAVMAP)), ("X\0".into(), "Y\0".into()));
}

#[test]
fn v12_halves_keep_tf_attributes_which_the_game_loses() {
    let mut level = Mesh { subversion: Some(2), ..mesh([square(1)]) };
    level.areas[0].game = 0x20_0000;
    let halves = |exact| {
        after(&level, exact, "nav_split #1 y=50").areas.iter().map(|area| area.game).collect::<Vec<_>>()
    };
    assert_eq!((halves(GAME), halves(NAVMAP)), (vec![0, 0], vec![0x20_0000; 2]));
}
