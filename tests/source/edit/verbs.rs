//! What each command does that no worked example is about, by its line in `docs/formats/source-edit.md`, section 1.4.

use super::*;

/// Three in a row, of which the second lies higher and the third is larger.
fn row() -> Mesh {
    mesh([square(1), area(2, [100.0, 200.0], [0.0, 100.0], [50.0; 4]), flat(3, [200.0, 500.0], [0.0, 300.0])])
}

fn set(mesh: &Mesh, exact: bool, script: &str) -> Vec<String> {
    let mut session = open(mesh, exact);
    session.line(script).unwrap_or_else(|refusal| panic!("{script}: {refusal}"));
    session.selected()
}

#[test]
fn each_attribute_has_a_command_that_flips_it() {
    let names = "nav_crouch nav_jump nav_precise nav_no_jump nav_stop nav_run nav_walk nav_avoid nav_transient \
                 nav_dont_hide nav_stand nav_no_hostages";
    for exact in [GAME, NAVMAP] {
        for (bit, name) in names.split_whitespace().enumerate() {
            let mut level = row();
            level.areas[2].attributes = 0xFFFF;
            let is = after(&level, exact, &format!("select #1; {name}; select #3; {name}"));
            let bits: Vec<u32> = is.areas.iter().map(|area| area.attributes).collect();
            assert_eq!(bits, [1 << bit, 0, 0xFFFF & !(1 << bit)], "{name}");
        }
        let mut level = row();
        level.areas.iter_mut().for_each(|area| area.attributes = 0x1_FFFF);
        let is = after(&level, exact, "select #1; wipe_nav_attributes");
        assert_eq!(is.areas[0].attributes & 0xFFFF, 0);
        assert_eq!(is.areas[1].attributes & 0xFFFF, 0xFFFF);
    }
}

#[test]
fn attributes_of_team_fortress_are_wiped_from_what_is_selected() {
    let mut level = Mesh { subversion: Some(2), ..row() };
    level.areas.iter_mut().for_each(|area| area.game = 0x60_0000);
    for exact in [GAME, NAVMAP] {
        let is = after(&level, exact, "select #2; tf_wipe_attributes");
        assert_eq!(is.areas.iter().map(|area| area.game).collect::<Vec<_>>(), [0x60_0000, 0, 0x60_0000]);
        assert!(refused(&row(), exact, "tf_wipe_attributes #1").contains("not one of Team Fortress 2"));
    }
}

#[test]
fn painting_gives_the_current_place() {
    for exact in [GAME, NAVMAP] {
        let script = "nav_use_place Yard --new; nav_toggle_place_painting #2";
        let is = after(&row(), exact, script);
        assert_eq!(is.areas.iter().map(|area| area.place).collect::<Vec<_>>(), [0, 1, 0]);
        assert_eq!(is.places.len(), 1);
    }
}

#[test]
fn the_set_grows_and_shrinks_by_what_is_named() {
    for exact in [GAME, NAVMAP] {
        for add in ["nav_add_to_selected_set", "nav_begin_selecting", "nav_toggle_selecting"] {
            assert_eq!(set(&row(), exact, &format!("select #1; {add} #3; {add} #1")), ["#1", "#3"], "{add}");
        }
        for away in ["nav_remove_from_selected_set", "nav_begin_deselecting", "nav_toggle_deselecting"] {
            assert_eq!(
                set(&row(), exact, &format!("select all; {away} #2; {away} #2")),
                ["#1", "#3"],
                "{away}"
            );
        }
        let flip = "select #2; nav_toggle_in_selected_set #1; nav_toggle_in_selected_set #2";
        assert_eq!(set(&row(), exact, flip), ["#1"]);
        assert_eq!(set(&row(), exact, "select #2; nav_toggle_in_selected_set all"), ["#1", "#3"]);
        assert_eq!(set(&row(), exact, "select #2; nav_add_to_selected_set_by_id 1"), ["#2", "#1"]);
        assert_eq!(said(&row(), exact, "nav_add_to_selected_set_by_id 3"), "setpos 350 150 5");
        assert!(refused(&row(), exact, "nav_add_to_selected_set_by_id 9").contains('9'));
    }
}

#[test]
fn areas_are_selected_by_what_they_are() {
    let mut level = row();
    level.areas[1].attributes = 0x1000;
    // On top of the first.
    level.areas.push(area(4, [20.0, 80.0], [20.0, 80.0], [10.0; 4]));
    for exact in [GAME, NAVMAP] {
        assert_eq!(set(&level, exact, "nav_select_larger_than 250"), ["#3"]);
        assert_eq!(set(&level, exact, "nav_select_larger_than 90"), ["#1", "#2", "#3"]);
        assert_eq!(set(&level, exact, "nav_select_larger_than 300"), [""; 0]);
        assert_eq!(set(&level, exact, "nav_select_stairs"), ["#2"]);
        assert_eq!(set(&level, exact, "nav_select_overlapping"), ["#1", "#4"]);
        assert_eq!(set(&level, exact, "nav_select_invalid_areas"), [""; 0]);
    }
}

#[test]
fn a_box_takes_from_the_set_what_a_box_would_add() {
    for exact in [GAME, NAVMAP] {
        let drag = "nav_begin_drag_selecting 10,10,0; nav_end_drag_selecting 150,90,0";
        let all = set(&row(), exact, drag);
        let back = "select all; nav_begin_drag_deselecting 10,10,0; nav_end_drag_deselecting 150,90,0";
        let left = set(&row(), exact, back);
        assert!(!all.is_empty() && !left.is_empty(), "{all:?} {left:?}");
        let mut both = [&all[..], &left].concat();
        both.sort();
        assert_eq!(both, ["#1", "#2", "#3"]);
        // The box reaches from 32 below the lower end to 32 above the upper one, unless it is told otherwise.
        assert_eq!(all, ["#1"]);
        assert_eq!(set(&row(), exact, &format!("nav_raise_drag_volume_max; {drag}")), ["#1", "#2"]);
        let lowered = format!("nav_raise_drag_volume_max; nav_lower_drag_volume_max; {drag}");
        assert_eq!(set(&row(), exact, &lowered), ["#1"]);
        let high = drag.replace(",0", ",70");
        assert_eq!(set(&row(), exact, &high), ["#2"]);
        assert_eq!(
            set(&row(), exact, &format!("nav_lower_drag_volume_min; nav_lower_drag_volume_min; {high}")),
            ["#1", "#2"]
        );
        let raised = format!("nav_raise_drag_volume_min; nav_raise_drag_volume_min; {high}");
        assert_eq!(set(&row(), exact, &raised), [""; 0]);
    }
}

#[test]
fn a_mark_is_what_commands_without_a_name_are_about() {
    for exact in [GAME, NAVMAP] {
        assert_eq!(ids(&after(&row(), exact, "nav_mark #2; nav_delete_marked")), [1, 3]);
        assert!(
            refused(&row(), exact, "nav_mark #2; nav_unmark; nav_delete_marked")
                .contains("nothing is marked")
        );
        // One and a half times half the height of a person above the middle.
        assert!(said(&row(), exact, "nav_mark #1; nav_warp_to_mark").contains("50 50 53.25"));
        let mut level = row();
        level.places = vec!["Yard".into()];
        level.areas[0].place = 1;
        assert!(said(&level, exact, "nav_mark_unnamed").contains("2 areas"));
        assert_eq!(ids(&after(&level, exact, "nav_mark_unnamed; nav_delete_marked")), [1, 3]);
    }
}

#[test]
fn paths_past_what_is_subdivided_stay_in_the_game_although_it_is_dead() {
    let mut level = row().both(1, E, 2).both(2, E, 3);
    let path =
        navmap_testkit::source::Path { from: 1, from_side: 1, to: 3, to_side: 1, ..Default::default() };
    level.areas[1].paths = vec![path];
    for (exact, stay) in [(GAME, 1), (NAVMAP, 0)] {
        assert_eq!(by_id(&after(&level, exact, "nav_subdivide #1"), 2).paths.len(), stay, "{exact}");
    }
}

#[test]
fn corners_go_down_and_areas_along_a_way() {
    for exact in [GAME, NAVMAP] {
        let heights = |script| spread(by_id(&after(&row(), exact, script), 2)).2;
        assert_eq!(
            heights("nav_mark #2; nav_corner_select NE; nav_corner_lower 20"),
            [50.0, 30.0, 50.0, 50.0]
        );
        assert_eq!(heights("nav_mark #2; nav_corner_lower 20"), [30.0; 4]);
        let shifted = after(&row(), exact, "select #2; nav_begin_shift_xy 0,0,0; nav_end_shift_xy 30,-10,99");
        assert_eq!(spread(by_id(&shifted, 2)), ([130.0, 230.0], [-10.0, 90.0], [50.0; 4]));
        assert_eq!(spread(by_id(&shifted, 1)), spread(&square(1)));
    }
    assert_eq!(said(&row(), NAVMAP, "nav_corner_adjust_adjacent 7"), "corners within 7 move along");
}

#[test]
fn a_mesh_goes_into_the_middle_of_the_world_with_its_ladders() {
    let mut level = row();
    level.ladders.push(ladder(5, [10.0, 20.0, 128.0], [10.0, 20.0, 0.0], 2));
    for exact in [GAME, NAVMAP] {
        // The middle of the mesh is at 250, 150, that of the world at 1000, 0.
        let is = after(&level, exact, "nav_world_center 0,-1000,0 2000,1000,0");
        assert_eq!(spread(by_id(&is, 1)), ([750.0, 850.0], [-150.0, -50.0], [0.0; 4]));
        assert_eq!(spread(by_id(&is, 3)), ([950.0, 1250.0], [-150.0, 150.0], [0.0; 4]));
        // The game leaves its ladders where they were.
        let top = if exact { [10.0, 20.0, 128.0] } else { [760.0, -130.0, 128.0] };
        assert_eq!(is.ladders[0].top, top);
    }
    assert!(refused(&row(), NAVMAP, "nav_delete all; nav_world_center 0,0,0 9,9,9").contains("no areas"));
    assert!(refused(&row(), NAVMAP, "nav_world_center").contains("two points"));
}

#[test]
fn what_is_no_more_is_cleaned_away() {
    let mut level = row();
    let approach = |here, previous, next| navmap_testkit::source::Approach {
        here,
        previous,
        previous_how: 0,
        next,
        next_how: 0,
    };
    level.areas[0].approaches = vec![approach(2, 0, 3), approach(2, 77, 3), approach(99, 1, 2)];
    level.version = 14;
    for exact in [GAME, NAVMAP] {
        assert_eq!(said(&level, exact, "clean_approaches"), "2 approach areas removed");
        let left = after(&level, exact, "clean_approaches").areas[0].approaches.len();
        assert_eq!(left, 1);
    }
    let mut bytes = write(&row());
    bytes.extend(b"seven b");
    let mut session = open_bytes(&bytes, NAVMAP);
    assert!(session.editor().encode().unwrap().ends_with(b"seven b"));
    session.line("drop_tail").unwrap();
    assert_eq!(session.editor().encode().unwrap(), write(&row()));
}

#[test]
fn what_is_not_for_a_file_says_why_and_changes_nothing() {
    let kinds = [
        (
            "nav_end_selecting nav_end_deselecting nav_edit nav_toggle_place_mode nav_set_place_mode nav_gui \
             nav_show_dumped_positions nav_show_ladder_bounds nav_draw_limit nav_quicksave",
            "without the game's window",
        ),
        (
            "nav_update_blocked nav_check_floor nav_update_lighting nav_select_blocked_areas \
             nav_select_obstructed_areas nav_select_damaging_areas tf_select_ambush_areas tf_select_incursion_zone \
             tf_select_control_point_incursion_areas tf_assign_territory",
            "a running game",
        ),
        ("nav_generate nav_generate_incremental nav_mark_walkable nav_clear_walkable_marks", "needs the map"),
        ("nav_gen_cliffs_approx", "nothing in the game either"),
    ];
    for exact in [GAME, NAVMAP] {
        for (names, why) in kinds {
            for name in names.split_whitespace() {
                let mut session = open(&row(), exact);
                let outcomes = session.line(&format!("select #1; {name} 1 2")).unwrap();
                assert!(outcomes.last().unwrap().said.join(" ").contains(why), "{name}");
                assert_eq!(session.selected(), ["#1"], "{name}");
                assert_eq!(session.editor().encode().unwrap(), write(&row()), "{name}");
            }
        }
    }
}

#[test]
fn a_mesh_is_compared_with_the_size_of_its_map() {
    let level = Mesh { bsp_size: 4_711, ..row() };
    assert_eq!(said(&level, NAVMAP, "nav_check_file_consistency 4711"), "up to date");
    assert!(said(&level, NAVMAP, "nav_check_file_consistency 4712").contains("4711 bytes, the map has 4712"));
    assert!(refused(&level, NAVMAP, "nav_check_file_consistency far").contains("far where the size"));
}
