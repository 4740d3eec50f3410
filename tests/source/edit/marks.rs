//! Attributes: vectors 53 and 54.

use super::*;

#[test]
fn v53_a_toggle_flips_each_and_a_mark_sets_all() {
    let mut level = mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]);
    level.areas[0].attributes = 1;
    let bits = |exact, script| {
        after(&level, exact, script).areas.iter().map(|area| area.attributes).collect::<Vec<_>>()
    };
    for exact in [GAME, NAVMAP] {
        assert_eq!(bits(exact, "select all; nav_crouch"), [0, 1]);
        assert_eq!(bits(exact, "select all; nav_mark_attribute crouch"), [1, 1]);
        assert_eq!(bits(exact, "nav_clear_attribute CROUCH all; nav_mark_attribute no_jump #2"), [0, 8]);
    }
    let why = refused(&level, NAVMAP, "nav_mark_attribute crouhc all");
    assert_eq!(why, "1:20: nav_mark_attribute: no such attribute: crouhc; did you mean CROUCH?");
}

#[test]
fn v54_tf_mark_flips_one_area_and_sets_a_set() {
    let mut level = Mesh { subversion: Some(2), ..mesh([square(1), flat(2, [100.0, 200.0], [0.0, 100.0])]) };
    level.areas[0].game = 0x20_0000;
    let bits =
        |exact, script| after(&level, exact, script).areas.iter().map(|area| area.game).collect::<Vec<_>>();
    for exact in [GAME, NAVMAP] {
        assert_eq!(bits(exact, "tf_mark SNIPER_SPOT #1"), [0, 0]);
        assert_eq!(bits(exact, "select #1; tf_mark SNIPER_SPOT"), [0x20_0000, 0]);
        assert_eq!(bits(exact, "tf_mark sniper_spot sentry_spot all"), [0x60_0000; 2]);
        assert_eq!(bits(exact, "tf_clear_attribute sniper_spot all"), [0, 0]);
        assert_eq!(bits(exact, "tf_mark sentry_spot ALL"), [0x60_0000, 0x40_0000]);
    }
    let stock = mesh([square(1)]);
    assert!(refused(&stock, NAVMAP, "tf_mark SNIPER_SPOT #1").contains("not one of Team Fortress 2"));
    assert_eq!(said(&level, NAVMAP, "tf_select_with_attribute SNIPER_SPOT"), "1 area added to selection");
}

#[test]
fn what_a_file_cannot_do_is_answered_in_a_line() {
    let level = mesh([square(1)]);
    assert!(said(&level, NAVMAP, "nav_edit 1").contains("means nothing without the game's window"));
    assert!(said(&level, NAVMAP, "nav_update_blocked").contains("a running game"));
    assert!(said(&level, NAVMAP, "nav_generate").contains("needs the map"));
    assert!(refused(&level, NAVMAP, "nav_simplify_selected #1").contains("needs the map; --mesh-only"));
}
