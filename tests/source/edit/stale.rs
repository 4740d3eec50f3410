//! Whether a mesh counts as analysed after a command, and which of its encounter paths are left: one that did something makes both
//! stale, one that had nothing to do does not, and the game drops the paths of whatever it cuts.

use super::*;
use navmap_testkit::source::Path;

/// Three in a row, the third twice as long, of which the first two are linked both ways and the third is led to, with a path from the
/// second to itself in the first, and a ladder beside that.
fn row() -> Mesh {
    let level = mesh([
        square(1),
        flat(2, [100.0, 200.0], [0.0, 100.0]),
        flat(3, [200.0, 400.0], [0.0, 100.0]),
        flat(4, [500.0, 525.0], [0.0, 25.0]),
    ]);
    let mut level = level.both(1, E, 2).link(2, E, 3);
    level.areas[0].paths = vec![Path { from: 2, to: 2, ..Path::default() }];
    level.ladders = vec![ladder(1, [-10.0, 50.0, 100.0], [-10.0, 50.0, 0.0], 1)];
    level
}

/// Whether the mesh counts as analysed, and how many paths it has.
fn left(exact: bool, script: &str) -> (u8, usize) {
    let is = after(&row(), exact, script);
    (is.analyzed, is.areas.iter().map(|area| area.paths.len()).sum())
}

#[test]
fn what_did_something_leaves_a_mesh_that_is_not_analysed() {
    for script in [
        "snap_corners 30",
        "nav_connect #3 #2",
        "nav_connect #1 L#1",
        "nav_connect L#1 #2",
        "nav_connect #2+#3",
        "nav_disconnect #1 #2",
        "nav_disconnect #1+#2",
        "nav_disconnect_outgoing_oneways all",
        "move 5 0 0 #1",
        "nav_shift 5 0 0 #1",
    ] {
        assert_eq!(left(NAVMAP, script), (0, 1), "{script}");
    }
}

#[test]
fn what_had_nothing_to_do_leaves_the_analysis() {
    for script in [
        "snap_corners 1",
        "square_up 2",
        "snap_corners 1; snap_corners 100 #4",
        "clean_links",
        "nav_connect #1 #2",
        "nav_connect #1+#2",
        "nav_disconnect #1 #3",
        "nav_disconnect_outgoing_oneways #1",
        "move 5 0 0",
        "nav_shift 5 0 0 all",
    ] {
        assert_eq!(left(NAVMAP, script), (1, 1), "{script}");
    }
}

#[test]
fn cuts_drop_all_paths_and_in_the_game_those_that_were_not_made_too() {
    for (script, in_vain) in [
        ("nav_make_sniper_spots #3", "nav_make_sniper_spots #1"),
        ("nav_chop_selected #3", "nav_chop_selected #4"),
        ("nav_simplify_selected --mesh-only #3", "nav_simplify_selected --mesh-only #4"),
    ] {
        assert_eq!([NAVMAP, GAME].map(|exact| left(exact, script)), [(0, 0); 2], "{script}");
        assert_eq!([NAVMAP, GAME].map(|exact| left(exact, in_vain)), [(1, 1), (0, 0)], "{in_vain}");
    }
    assert_eq!(left(NAVMAP, "square_up 1.5 #3"), (0, 0));
}

#[test]
fn a_ladder_that_is_deleted_is_marked_no_more() {
    let why = refused(&row(), NAVMAP, "nav_mark ladder 1; ladder delete L#1; nav_ladder_flip");
    assert!(why.contains("mark"), "{why}");
    // Another one stays.
    let script =
        "nav_mark ladder 1; ladder add 500,50,100 500,50,0 20 east; ladder delete L#2; nav_ladder_flip";
    assert_ne!(after(&row(), NAVMAP, script).ladders[0].direction, 1);
}

#[test]
fn what_a_command_passes_over_or_takes_away_is_told() {
    let said = |script| said(&row(), NAVMAP, script);
    assert_eq!(
        said("snap_corners 100 #4"),
        "0 areas moved to multiples of 100; 1 area is smaller than that and stays as it is"
    );
    assert_eq!(said("snap_corners 30 #1"), "1 area moved to multiples of 30");
    assert_eq!(said("nav_connect L#1 #2; nav_connect L#1 #2"), "L#1 leads to #2 (bottom)");
    let moved = said("nav_connect L#1 #2; nav_connect L#1 #3");
    assert_eq!(moved, "L#1 leads to #3 (bottom); it led to #2 there");
}

#[test]
fn an_area_at_several_places_of_a_ladder_loses_one_in_the_game_and_all_here() {
    let mut level = row();
    level.ladders[0].areas = [2, 2, 0, 0, 2];
    for (exact, areas) in [(GAME, [0, 2, 0, 0, 2]), (NAVMAP, [0; 5])] {
        assert_eq!(after(&level, exact, "nav_disconnect #2 L#1").ladders[0].areas, areas);
    }
}

#[test]
fn what_is_merged_takes_along_where_it_leads_and_what_the_game_says_of_it() {
    let mut level = Mesh { subversion: Some(2), ..row() };
    (level.areas[0].game, level.areas[1].game) = (0x10, 0x20);
    for (exact, game) in [(GAME, 0x10), (NAVMAP, 0x30)] {
        let is = after(&level, exact, "nav_merge #2 #1");
        assert_eq!((is.areas[0].connections[E].clone(), is.areas[0].game), (vec![3], game));
    }
}

/// A link that was cleaned away is none that leads to the area.
#[test]
fn what_no_longer_leads_to_an_area_does_not_follow_it() {
    let level = row().link(4, N, 2);
    assert_eq!(by_id(&after(&level, NAVMAP, "nav_merge #2 #1"), 4).connections[N], [1]);
    for script in ["clean_links; nav_merge #2 #1", "clean_links; undo; redo; nav_merge #2 #1"] {
        assert_eq!(
            by_id(&after(&level, NAVMAP, script), 4).connections,
            <[Vec<u32>; 4]>::default(),
            "{script}"
        );
    }
}

#[test]
fn that_a_mesh_counts_as_not_analysed_is_told_where_it_did() {
    for (analyzed, told) in [(1, true), (0, false)] {
        let mut session = open(&Mesh { analyzed, ..row() }, NAVMAP);
        session.line("nav_connect #3 #2").unwrap();
        let report = session.editor().report().to_string();
        assert_eq!(report.contains("the mesh counts as not analysed"), told, "{report}");
    }
    // Where it is saved, as it is; older versions do not say so.
    for (version, analyzed, told) in [(16, 0, true), (16, 1, false), (9, 0, false)] {
        let subversion = (version > 9).then_some(0);
        let level = Mesh { version, subversion, analyzed, ..row() };
        assert_eq!(said(&level, NAVMAP, "nav_save").contains("counts as not analysed"), told, "{version}");
    }
}
