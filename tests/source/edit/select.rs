//! Selecting: vectors 43 to 49.

use super::*;

/// What is selected after a script.
fn set(mesh: &Mesh, exact: bool, script: &str) -> Vec<String> {
    let mut session = open(mesh, exact);
    session.line(script).unwrap_or_else(|refusal| panic!("{script}: {refusal}"));
    session.selected()
}

/// Three in a row.
fn row() -> Mesh {
    mesh((1..=3).map(|id| flat(id, [id as f32 * 100.0, id as f32 * 100.0 + 100.0], [0.0, 100.0])))
}

#[test]
fn v43_a_flood_follows_links_as_it_is_told() {
    let level = row().link(1, E, 2);
    for exact in [GAME, NAVMAP] {
        assert_eq!(set(&level, exact, "nav_flood_select #2"), ["#2", "#1"]);
        assert_eq!(set(&level, exact, "nav_flood_select out #2"), ["#2"]);
        assert_eq!(set(&level, exact, "nav_flood_select in #2"), ["#2", "#1"]);
        assert_eq!(set(&level, exact, "nav_flood_select in #1"), ["#1"]);
    }
    assert_eq!(set(&level, NAVMAP, "select flood(#2,in)"), ["#1", "#2"], "a selector is in mesh order");
}

#[test]
fn v44_ladders_are_followed_forward_but_not_behind() {
    let mut level = row();
    level.ladders.push(ladder(5, [0.0, 0.0, 128.0], [0.0; 3], 2));
    level.areas[0].ladders_up.push(5);
    level.ladders[0].areas = [2, 0, 0, 3, 0];
    for exact in [GAME, NAVMAP] {
        assert_eq!(set(&level, exact, "nav_flood_select #1"), ["#1", "#2"]);
        assert_eq!(set(&level, exact, "nav_flood_select #2"), ["#2"]);
    }
}

#[test]
fn v45_a_flood_from_what_is_selected_adds_nothing() {
    let level = row().both(1, E, 2);
    for exact in [GAME, NAVMAP] {
        assert_eq!(said(&level, exact, "select #1; nav_flood_select #1"), "selected 0 areas");
    }
}

#[test]
fn v46_orphans_are_all_that_neither_flood_nor_set_holds() {
    let level = row().both(1, E, 2);
    for exact in [GAME, NAVMAP] {
        assert_eq!(set(&level, exact, "nav_select_orphans #1"), ["#3"]);
        assert_eq!(set(&level, exact, "select #3; nav_select_orphans #1"), [""; 0]);
        assert_eq!(set(&level, exact, "select orphans(#1)"), ["#3"]);
    }
}

#[test]
fn v47_a_radius_ends_before_its_edge() {
    for exact in [GAME, NAVMAP] {
        let near = |r: &str, x: f32| {
            set(&mesh([flat(1, [x, x + 9.0], [-9.0, 9.0])]), exact, &format!("nav_select_radius {r} 0,0,0"))
                .len()
        };
        assert_eq!((near("50", 50.0), near("50", 49.99)), (0, 1));
        assert_eq!((near("-50", 50.0), near("-50", 49.99), near("0", 0.0)), (0, 1, 0));
    }
    let why = refused(&mesh([square(1)]), NAVMAP, "nav_select_radius 50 --at 1,foo,2,3");
    assert!(why.ends_with("--at needs a point, x,y,z"), "{why}");
}

#[test]
fn v48_a_half_space_is_toggled() {
    for exact in [GAME, NAVMAP] {
        for (x, count) in [(100.0, 1), (99.9, 0)] {
            let level = mesh([flat(1, [0.0, x], [0.0, 100.0])]);
            assert_eq!(set(&level, exact, "nav_select_half_space +X 100").len(), count);
            assert_eq!(set(&level, exact, "select #1; nav_select_half_space +x 100").len(), 1 - count);
        }
    }
    let level = mesh([square(1)]);
    assert_eq!(set(&level, GAME, "nav_select_half_space left 50"), ["#1"], "an unknown word means +x");
    assert!(refused(&level, NAVMAP, "nav_select_half_space left 50").contains("left where +x, -x"));
}

#[test]
fn v49_a_box_is_cut_to_whole_numbers_and_reaches_32_up_and_down() {
    for exact in [GAME, NAVMAP] {
        let drag = |x: [f32; 2], z: f32| {
            let level = mesh([area(1, x, [0.0, 50.0], [z; 4])]);
            set(&level, exact, "nav_begin_drag_selecting 10.9,0,0; nav_end_drag_selecting 100.9,100,0").len()
        };
        assert_eq!((drag([100.0, 200.0], 0.0), drag([99.0, 200.0], 0.0)), (0, 1));
        assert_eq!((drag([50.0, 60.0], 33.0), drag([50.0, 60.0], 33.1)), (1, 0));
        assert_eq!((drag([50.0, 60.0], -33.0), drag([50.0, 60.0], -33.1)), (1, 0));
        let level = mesh([area(1, [50.0, 60.0], [0.0, 50.0], [60.0; 4])]);
        let script =
            "nav_raise_drag_volume_max; nav_begin_drag_selecting 0,0,0; nav_end_drag_selecting 99,99,0";
        assert_eq!(set(&level, exact, script).len(), 1);
    }
}

#[test]
fn names_points_and_volumes_are_operands() {
    let mut level = mesh([
        square(1),
        area(2, [0.0, 100.0], [0.0, 100.0], [200.0; 4]),
        flat(9, [500.0, 600.0], [0.0, 100.0]),
    ]);
    level.areas[2].attributes = 2;
    let pick = |selector: &str| set(&level, NAVMAP, &format!("select {selector}"));
    assert_eq!(pick("@50,50"), ["#2"]);
    assert_eq!(pick("@50,50,100"), ["#1"]);
    assert_eq!(pick("~@400,50"), ["#9"]);
    assert_eq!(pick("box(-1,-1,-1,50,50,50)"), ["#1"]);
    assert_eq!(pick("ball(50,50,190,20)"), ["#2"]);
    assert_eq!(pick("half(+x,500)+half(+z,200)"), ["#9", "#2"]);
    assert_eq!(pick("!attr(jump)"), ["#1", "#2"]);
    assert_eq!(pick("ids(1,5-9)&place()"), ["#1", "#9"]);
    assert_eq!(pick("overlapping+invalid+larger(100)"), [""; 0]);
    let why = |selector: &str| refused(&level, NAVMAP, &format!("select {selector}"));
    assert_eq!(why("@400,50"), "1:8: select: no area at 400,50: #9 is nearest, 100 away (~@ takes it)");
    assert_eq!(why("atr(JUMP)"), "1:8: select: no such selector: atr; did you mean attr?");
    assert_eq!(why("attr(JMUP)"), "1:8: select: no such attribute: JMUP; did you mean JUMP?");
    assert_eq!(why("place(Nowhere)"), "1:8: select: no such place: Nowhere");
    assert_eq!(why("#7"), "1:8: select: there is no #7");
}

#[test]
fn a_stored_set_has_the_same_areas_after_the_mesh_is_loaded() {
    let four = mesh((1..=4).map(|id| flat(id, [100.0 * id as f32, 100.0 * id as f32 + 100.0], [0.0, 100.0])));
    let stored = "select #3; nav_store_selected_set";
    for exact in [GAME, NAVMAP] {
        for (script, ids) in [
            // What is loaded has no holes, so the areas after one have other slots.
            (format!("nav_delete #1; {stored}; nav_save; nav_load"), vec!["#3"]),
            // What is loaded has an area again that was deleted.
            (format!("{stored}; nav_delete #3; nav_load"), vec!["#3"]),
            (format!("{stored}; nav_delete #3; nav_save; nav_load"), vec![]),
            // The set has the number that the area is loaded with.
            (
                format!("{stored}; nav_delete #1; nav_compress_id; nav_save; nav_delete #2; nav_load"),
                vec!["#2"],
            ),
        ] {
            let mut session = open(&four, exact);
            session.line(&format!("{script}; nav_recall_selected_set")).unwrap();
            assert_eq!(session.selected(), ids, "{script}");
        }
    }
    let mut session = open(&four, NAVMAP);
    session
        .line(&format!("nav_delete #1; {stored}; nav_save; nav_load; undo; nav_clear_selected_set"))
        .unwrap();
    session.line("nav_recall_selected_set").unwrap();
    assert_eq!(session.selected(), ["#3"]);
}
